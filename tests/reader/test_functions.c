#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* value of `expression` as printed */
static void
assert_value(const char *expected, const char *expression)
{
  g_autofree char *body = g_strdup_printf(
      "parameter Real a = 2; Real x; Real y; equation x = %s; y = 0;", expression);
  g_autofree char *result = g_strdup_printf(
      "  parameter Real a = 2;\n  Real x;\n  Real y;\nequation\n  x = %s;\n  y = 0;\n",
      expected);
  assert_body_shows(result, body);
}

static void
test_scalar_functions_keep_their_names(void)
{
  static const char *const calls[] = {
      "sin(y)",       "cos(y)",     "tan(y)",         "asin(y)",
      "acos(y)",      "atan(y)",    "atan2(x, y)",    "sinh(y)",
      "cosh(y)",      "tanh(y)",    "exp(y)",         "log(y)",
      "log10(y)",     "sqrt(y)",    "abs(y)",         "sign(y)",
      "min(x, y)",    "max(x, y)",  "floor(y)",       "ceil(y)",
      "integer(y)",   "mod(x, 2)",  "div(x, 2)",      "rem(x, 2)",
      "smooth(0, y)", "noEvent(y)", "homotopy(x, y)", "semiLinear(x, 2, y)",
  };
  for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
    assert_value(calls[i], calls[i]);
  }
  for (int f = 0; f < DAE_FN_COUNT; f++) { /* none is missing */
    const char *name = dae_function_name((DaeFunction)f);
    DaeFunction function;
    bool is_tried = !dae_function_find(name, strlen(name), &function);
    for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
      is_tried = is_tried || strncmp(calls[i], name, strcspn(calls[i], "(")) == 0;
    }
    TEST_ASSERT_TRUE_MESSAGE(is_tried, name);
  }
}

static void
test_modelica_math_names_are_the_plain_functions(void)
{
  assert_value("sin(y)", "Modelica.Math.sin(y)");
  assert_value("atan2(x, y)", ".Modelica.Math.atan2(x, y)");
}

static void
test_constants_of_the_library_are_exact(void)
{
  assert_value("2*Modelica.Constants.pi", "2*Modelica.Constants.pi");
  assert_value("9.80665", "Modelica.Constants.g_n");
  assert_value("8.31446261815324", "Modelica.Constants.R");
}

static void
test_reductions(void)
{
  assert_value("y + 3", "sum({1, 2, y})");
  assert_value("6*y", "product({2, 3, y})");
  assert_value("max(max(1, x), y)", "max({1, x, y})");
  assert_value("min(1, x)", "min({1, x})");
  assert_value("0", "sum(zeros(0))");
  assert_value("1", "product(zeros(0))");
}

static void
test_sizes_and_shapes(void)
{
  assert_value("6", "size([1, 2, 3; 4, 5, 6], 1) * size([1, 2, 3; 4, 5, 6], 2)");
  assert_value("2", "ndims([1, 2])");
  assert_value("12", "sum(fill(4, 3))");
  assert_value("3", "sum(identity(3))");
  assert_value("10", "sum(diagonal({3, 7}))");
  assert_value("7", "scalar([7])");
  assert_value("5", "vector([2; 5])[2]");
  assert_value("4", "transpose([1, 2; 4, 5])[1, 2]");
  assert_value("2", "symmetric([1, 2; 4, 5])[2, 1]");
  assert_value("8", "outerProduct({1, 2}, {3, 4})[2, 2]");
  assert_value("1.5", "linspace(1, 2, 3)[2]");
  assert_value("9", "cat(1, {1, 2}, {9})[3]");
  assert_value("9", "cat(2, [1; 2], [8; 9])[2, 2]");
  assert_value("-4", "cross({1, 2, 3}, {3, 2, 1})[3]");
  assert_value("-3", "skew({1, 2, 3})[1, 2]");
}

static void
test_functions_of_arrays_go_element_by_element(void)
{
  assert_value("sin(x) + sin(y)", "sum(sin({x, y}))");
}

static void
test_named_arguments_find_their_places(void)
{
  assert_value("homotopy(x, y)", "homotopy(simplified = y, actual = x)");
}

static void
test_der_of_expressions_is_exact(void)
{
  assert_value("x*der(y) + der(x)*y", "der(x*y)");
  assert_value("der(der(y))", "der(der(y))");
  assert_value("0", "der(a)");
  assert_value("1", "der(time)");
  assert_value("2*cos(2*time)", "der(sin(2*time))");
}

static void
test_mistakes_in_calls_are_told_at_the_call(void)
{
  assert_messages("1:30: error: unknown function 'sine'; did you mean 'sin'?\n",
                  "model M Real x; equation x = sine(x); end M;");
  assert_messages("1:30: error: 'sin' does not take 2 arguments\n",
                  "model M Real x; equation x = sin(x, x); end M;");
  assert_messages("1:30: error: 'sin' does not take Boolean\n",
                  "model M Real x; equation x = sin(true); end M;");
  assert_messages("1:30: error: 'cross' takes two vectors of three numbers\n",
                  "model M Real x; equation x = cross({1}, {2}); end M;");
  assert_messages("1:30: error: 'x' is not a function (is an operator missing?)\n",
                  "model M Real x; equation x = x(2); end M;");
}

static void
test_what_is_not_there_yet_says_so(void)
{
  static const char *const words[] = {"getInstanceName"};
  for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
    g_autofree char *text =
        g_strdup_printf("model M Real x; equation x = %s(); end M;", words[i]);
    g_autofree char *expected =
        g_strdup_printf("1:30: error: not supported yet: %s()\n", words[i]);
    assert_messages(expected, text);
    Reading reading = read_text(text);
    TEST_ASSERT_EQUAL_INT(DAE_ERROR_UNSUPPORTED, reading.error->code);
    end_reading(&reading);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_scalar_functions_keep_their_names);
  RUN_TEST(test_modelica_math_names_are_the_plain_functions);
  RUN_TEST(test_constants_of_the_library_are_exact);
  RUN_TEST(test_reductions);
  RUN_TEST(test_sizes_and_shapes);
  RUN_TEST(test_functions_of_arrays_go_element_by_element);
  RUN_TEST(test_named_arguments_find_their_places);
  RUN_TEST(test_der_of_expressions_is_exact);
  RUN_TEST(test_mistakes_in_calls_are_told_at_the_call);
  RUN_TEST(test_what_is_not_there_yet_says_so);
  return UNITY_END();
}
