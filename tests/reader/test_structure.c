#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static char *
value_of(Reading *reading, const char *name)
{
  DaeSymbol symbol = 0;
  uint32_t k = 0;
  TEST_ASSERT_TRUE(dae_terms_find_symbol(reading->terms, name, &symbol));
  TEST_ASSERT_TRUE(dae_model_find_parameter(reading->model, symbol, &k));
  DaeTerm value = dae_model_parameter_value(reading->model, reading->terms, k);
  return value == DAE_NO_TERM ? g_strdup("none") : dae_term_to_string(reading->terms, value);
}

static void
test_parameters_may_come_in_any_order(void)
{
  Reading reading = read_text(
      "model M parameter Real a = b + 1; parameter Real b = 2*c; parameter Real c = 3;\n"
      "Real x; equation x = a; end M;");
  g_autofree char *value = value_of(&reading, "a");
  TEST_ASSERT_EQUAL_STRING("7", value);
  g_autofree char *out = shown(&reading, false);
  TEST_ASSERT_EQUAL_STRING("model M\n  parameter Real a = b + 1;\n  parameter Real b = 2*c;\n  "
                           "parameter Real c = 3;\n"
                           "  Real x;\nequation\n  x = a;\nend M;\n",
                           out);
  end_reading(&reading);
}

static void
test_a_cycle_is_told_with_its_members(void)
{
  assert_messages(
      "1:24: error: 'a' depends on itself: a -> b -> c -> a\n",
      "model M parameter Real a = b; parameter Real b = c + 1; parameter Real c = 2*a;\n"
      "Real x; equation x = a; end M;");
}

static void
test_a_long_chain_of_parameters_needs_no_stack(void)
{
  g_autoptr(GString) text = g_string_new("model M\n");
  for (int i = 0; i < 100000; i++) {
    g_string_append_printf(text, "parameter Real p%d = p%d;\n", i, i + 1);
  }
  g_string_append(text, "parameter Real p100000 = 4; Real x; equation x = p0; end M;");
  Reading reading = read_text(text->str);
  g_autofree char *value = value_of(&reading, "p0");
  TEST_ASSERT_EQUAL_STRING("4", value);
  end_reading(&reading);
}

static void
test_sizes_may_depend_on_parameters_declared_later(void)
{
  assert_class_shows(
      "  Real x[1];\n  Real x[2];\n  parameter Integer n = 2;\n  parameter Real a[1] = 5;\n"
      "  parameter Real a[2] = 6;\nequation\n  x[1] = a[1];\n  x[2] = a[2];\n",
      "Real x[n]; parameter Integer n = size(a, 1); parameter Real a[:] = {5, 6}; equation x = "
      "a;");
}

static void
test_a_size_without_value_is_told(void)
{
  assert_messages("1:35: error: the size of 'x' is not known\n",
                  "model M parameter Integer n; Real x[n]; equation x = ones(n); end M;");
}

static void
test_no_value_is_no_error_and_not_zero(void)
{
  Reading reading = read_text(
      "model M parameter Real a; parameter Real b = 2*a; Real x; equation x = b; end M;");
  g_autofree char *a = value_of(&reading, "a");
  g_autofree char *b = value_of(&reading, "b");
  TEST_ASSERT_EQUAL_STRING("none", a);
  TEST_ASSERT_EQUAL_STRING("none", b);
  end_reading(&reading);
}

static void
test_free_parameters_keep_their_guess(void)
{
  assert_body_shows("  parameter Real p(start = 2, fixed = false);\n  Real x;\ninitial "
                    "equation\n  x = p;\nequation\n"
                    "  der(x) = -p*x;\n",
                    "parameter Real p(fixed = false, start = 2); Real x; equation der(x) = "
                    "-p*x; initial equation x = p;");
}

static void
test_a_start_value_stands_in_for_a_value_with_a_warning(void)
{
  Reading reading =
      read_text("model M parameter Real p(start = 2); Real x; equation x = p; end M;");
  TEST_ASSERT_EQUAL_STRING(
      "1:24: warning: parameter 'p' has no value; its start value is taken\n",
      reading.messages->str);
  g_autofree char *value = value_of(&reading, "p");
  TEST_ASSERT_EQUAL_STRING("2", value);
  end_reading(&reading);
}

static void
test_a_start_value_that_stands_in_may_depend_on_free_parameters(void)
{
  Reading reading = read_text(
      "model M parameter Real q(start = 1, fixed = false); parameter Real p(start = 10*q); "
      "initial equation q = 2; end M;");
  TEST_ASSERT_EQUAL_STRING(
      "1:68: warning: parameter 'p' has no value; its start value is taken\n",
      reading.messages->str);
  end_reading(&reading);
  reading =
      read_text("model M parameter Real p(start = q); parameter Real q(start = p); end M;");
  TEST_ASSERT_EQUAL_STRING("1:24: error: 'p' depends on itself: p -> q -> p\n",
                           reading.messages->str);
  end_reading(&reading);
}

static void
test_what_decides_whether_a_parameter_is_fixed_may_come_later(void)
{
  assert_body_shows(
      "  parameter Real p(start = 1, fixed = false);\n  parameter Boolean b = true;\n"
      "initial equation\n  p = 3;\n",
      "parameter Real p(start = 1, fixed = not b); parameter Boolean b = true; "
      "initial equation p = 3;");
}

static void
test_values_stay_exact(void)
{
  Reading reading = read_text(
      "model M parameter Real a = 0.1; parameter Real b = a + 0.2; parameter Real c = 1/3;\n"
      "parameter Real d = 13.7503716373294544; parameter Real e = 2*Modelica.Constants.pi;\n"
      "parameter Real f = 1e-7; Real x; equation x = b; end M;");
  static const char *const expected[][2] = {{"b", "0.3"},
                                            {"c", "1/3"},
                                            {"d", "13.7503716373294544"},
                                            {"e", "2*Modelica.Constants.pi"},
                                            {"f", "1e-7"}};
  for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
    g_autofree char *value = value_of(&reading, expected[i][0]);
    TEST_ASSERT_EQUAL_STRING(expected[i][1], value);
  }
  end_reading(&reading);
}

static void
test_mistakes_in_values(void)
{
  assert_messages(
      "1:52: error: division by zero\n",
      "model M parameter Real a = 0; parameter Real b = 1 / a; Real x; equation x = b; end M;");
  assert_messages("1:34: error: the value of 'p' depends on a variable\n",
                  "model M Real x; parameter Real p=x; equation x = p; end M;");
  assert_messages("1:31: error: parameter 'n' is Integer, its value is Real\n",
                  "model M parameter Integer n = 2.5; Real x; equation x = n; end M;");
  assert_messages("1:31: error: parameter 'a' has size [2], its value has size [3]\n",
                  "model M parameter Real a[2] = ones(3); Real x; equation x = a[1]; end M;");
  assert_messages("1:23: error: constant 'c' has no value\n",
                  "model M constant Real c; Real x; equation x = c; end M;");
}

/* Literals of attributes are there once: a start value that becomes the value is not. */
static void
test_each_start_value_has_its_place(void)
{
  assert_messages("1:50: error: parameter 'a.n' is Integer, its value is Real\n"
                  "1:86: error: parameter 'a.m' is Integer, its value is Real\n",
                  "class A parameter Integer a.n(min = 1.5, start = 1.5); "
                  "parameter Integer a.m(start = 1.5); Real a.x; equation a.x = 1; end A;");
}

static void
test_integer_parameters_stay_symbols_in_formulas(void)
{
  assert_body_shows("  parameter Integer n = 3;\n  Real x;\nequation\n  x = n^2;\n",
                    "parameter Integer n = 3; Real x; equation x = n*n;");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_parameters_may_come_in_any_order);
  RUN_TEST(test_a_cycle_is_told_with_its_members);
  RUN_TEST(test_a_long_chain_of_parameters_needs_no_stack);
  RUN_TEST(test_sizes_may_depend_on_parameters_declared_later);
  RUN_TEST(test_a_size_without_value_is_told);
  RUN_TEST(test_no_value_is_no_error_and_not_zero);
  RUN_TEST(test_free_parameters_keep_their_guess);
  RUN_TEST(test_a_start_value_stands_in_for_a_value_with_a_warning);
  RUN_TEST(test_a_start_value_that_stands_in_may_depend_on_free_parameters);
  RUN_TEST(test_what_decides_whether_a_parameter_is_fixed_may_come_later);
  RUN_TEST(test_values_stay_exact);
  RUN_TEST(test_mistakes_in_values);
  RUN_TEST(test_each_start_value_has_its_place);
  RUN_TEST(test_integer_parameters_stay_symbols_in_formulas);
  return UNITY_END();
}
