#include <string.h>

#include "fixture.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = fixture_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static void
test_sums_read_as_people_write_them(void)
{
  assert_text(terms, "x^2 + y^2 - a^2", "(+ (neg (^ a 2)) (^ y 2) (^ x 2))");
  assert_text(terms, "2*x*z + 2*y*p", "(+ (* 2 p y) (* 2 z x))");
  assert_text(terms, "der(der(x)) + der(x) + x + 1", "(+ 1 x x' x'')");
  assert_text(terms, "1 - x", "(+ 1 (neg x))");
  assert_text(terms, "-x - 1", "(+ -1 (neg x))");
  assert_text(terms, "x^2 + x + k", "(+ k x (^ x 2))");
}

static void
test_products_put_numbers_then_parameters_then_variables(void)
{
  assert_text(terms, "2*x", "(* x 2)");
  assert_text(terms, "2*a*k*x*sin(y)*(x + y)", "(* (* (+ x y) (sin y)) (* x k) (* a 2))");
  assert_text(terms, "-x*y", "(neg (* x y))");
}

static void
test_quotients(void)
{
  assert_text(terms, "x/y", "(* x (^ y -1))");
  assert_text(terms, "1/x", "(^ x -1)");
  assert_text(terms, "x/(y*z)", "(* x (^ y -1) (^ z -1))");
  assert_text(terms, "x/3", "(* 1/3 x)");
  assert_text(terms, "-2*x/(3*y)", "(* -2/3 x (^ y -1))");
  assert_text(terms, "1/sqrt(x)", "(^ x -1/2)");
  assert_text(terms, "1/x^1.5", "(^ x -3/2)");
  assert_text(terms, "1/x^(1/3)", "(^ x -1/3)");
  assert_text(terms, "0.5/x", "(* 1/2 (^ x -1))");
  assert_text(terms, "1/(x + y)^2", "(^ (+ x y) -2)");
  assert_text(terms, "1/(3*x)", "(* 1/3 (^ x -1))");
  assert_text(terms, "x/sqrt(x + y)", "(* x (^ (+ x y) -1/2))");
}

/* Both sides of ^ are primaries in Modelica. */
static void
test_powers_have_the_parentheses_they_need(void)
{
  assert_text(terms, "x^2", "(^ x 2)");
  assert_text(terms, "x^y", "(^ x y)");
  assert_text(terms, "x^(-y)", "(^ x (neg y))");
  assert_text(terms, "(x^y)^z", "(^ (^ x y) z)");
  assert_text(terms, "x^(y^z)", "(^ x (^ y z))");
  assert_text(terms, "(-2)^x", "(^ -2 x)");
  assert_text(terms, "(1/3)^x", "(^ 1/3 x)");
  assert_text(terms, "0.1^x", "(^ 0.1 x)");
  assert_text(terms, "(x*y)^(1/3)", "(^ (* x y) 1/3)");
  assert_text(terms, "sqrt(x*y)", "(^ (* x y) 1/2)");
  assert_text(terms, "sin(x)^2", "(^ (sin x) 2)");
  assert_text(terms, "-x^2", "(neg (^ x 2))");
  assert_text(terms, "der(x)^2", "(^ x' 2)");
  assert_text(terms, "(1/x)^y", "(^ (^ x -1) y)");
}

static void
test_functions_and_names(void)
{
  assert_text(terms, "atan2(y, x)", "(atan2 y x)");
  assert_text(terms, "semiLinear(x, a, b)", "(semiLinear x a b)");
  assert_text(terms, "Modelica.Constants.pi", "pi");
  assert_text(terms, "time", "time");
  assert_text(terms, "noEvent(abs(-x))", "(noEvent (abs (neg x)))");
  DaeSymbol quoted = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "'a b[1].c'");
  assert_prints(terms, "der('a b[1].c')", dae_term_variable(terms, quoted, 1));
}

static void
test_conditions(void)
{
  assert_text(terms, "if x < 0 then -x else x", "(if (< x 0) (neg x) x)");
  assert_text(terms, "if x < 0 then (if y < 0 then 1 else 2) else if z < 0 then 3 else 4",
              "(if (< x 0) (if (< y 0) 1 2) (if (< z 0) 3 4))");
  assert_text(terms, "2*(if x < 0 then -1 else 1)", "(* 2 (if (< x 0) -1 1))");
  assert_text(terms, "z < 0 or x < 0 and y < 0", "(or (and (< x 0) (< y 0)) (< z 0))");
  assert_text(terms, "z < 0 and (x < 0 or y < 0)", "(and (or (< x 0) (< y 0)) (< z 0))");
  assert_text(terms, "not (x < 0)", "(not (< x 0))");
  assert_text(terms, "not (x < 0 and y <= 1)", "(not (and (< x 0) (<= y 1)))");
  assert_text(terms, "(x < 0) == (y > 0)", "(== (< x 0) (> y 0))");
  assert_text(terms, "x <> 1", "(<> x 1)");
  assert_text(terms, "(if x < 0 then 1 else 2) < y", "(< (if (< x 0) 1 2) y)");
}

static void
test_a_limit_cuts_the_text(void)
{
  DaeTerm t = read_term(terms, "x");
  for (int i = 0; i < 200; i++) { /* 2^200 characters as a tree */
    t = dae_term_mul(terms, dae_term_call1(terms, DAE_FN_SIN, t),
                     dae_term_call1(terms, DAE_FN_COS, t));
  }
  g_autoptr(GString) out = g_string_new("t = ");
  TEST_ASSERT_FALSE(dae_term_print_limited(terms, t, out, 20));
  TEST_ASSERT_EQUAL_UINT(4 + 20 + 3, out->len);
  g_string_truncate(out, 0);
  TEST_ASSERT_TRUE(dae_term_print_limited(terms, read_term(terms, "x"), out, 20));
  TEST_ASSERT_EQUAL_STRING("x", out->str);
  g_string_truncate(out, 0);
  TEST_ASSERT_FALSE(dae_term_print_limited(terms, read_term(terms, "123456"), out, 4));
  TEST_ASSERT_EQUAL_STRING("1234...", out->str);
}

/* Names and whole numbers are printed at once up to nine digits, others by way of the stacks: the
 * text does not tell which. */
static void
test_whole_numbers_at_every_length(void)
{
  static const char *const texts[] = {"0",         "-1",         "7",          "-10",
                                      "999999999", "-999999999", "9999999999", "-123456789012"};
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    DaeTerm t = dae_term_int(terms, g_ascii_strtoll(texts[i], NULL, 10));
    g_autofree char *text = dae_term_to_string(terms, t);
    TEST_ASSERT_EQUAL_STRING(texts[i], text);
  }
}

static void
test_deep_terms_print_without_recursion(void)
{
  DaeTerm t = read_term(terms, "x");
  for (int i = 0; i < 100000; i++) {
    t = dae_term_call1(terms, DAE_FN_SIN, t);
  }
  g_autofree char *text = dae_term_to_string(terms, t);
  TEST_ASSERT_EQUAL_UINT(100000 * 5 + 1, strlen(text));
}

static void
test_parts_are_printed_by_the_names_given(void)
{
  DaeTerm part = read_term(terms, "(+ x y)");
  DaeTerm t = read_term(terms, "(+ (* 2 z (sin (+ x y))) (^ (+ x y) 2))");
  g_autoptr(GHashTable) names = g_hash_table_new(NULL, NULL);
  g_hash_table_insert(names, GUINT_TO_POINTER(part), (gpointer) "s");
  g_autoptr(GString) out = g_string_new(NULL);
  dae_term_print_named(terms, t, names, out);
  TEST_ASSERT_NOT_NULL(strstr(out->str, "s^2"));
  TEST_ASSERT_NOT_NULL(strstr(out->str, "sin(s)"));
  TEST_ASSERT_NULL(strstr(out->str, "x"));
  g_string_truncate(out, 0);
  dae_term_print_named(terms, part, names, out); /* not for itself */
  TEST_ASSERT_EQUAL_STRING("x + y", out->str);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_parts_are_printed_by_the_names_given);
  RUN_TEST(test_sums_read_as_people_write_them);
  RUN_TEST(test_products_put_numbers_then_parameters_then_variables);
  RUN_TEST(test_quotients);
  RUN_TEST(test_powers_have_the_parentheses_they_need);
  RUN_TEST(test_functions_and_names);
  RUN_TEST(test_conditions);
  RUN_TEST(test_a_limit_cuts_the_text);
  RUN_TEST(test_whole_numbers_at_every_length);
  RUN_TEST(test_deep_terms_print_without_recursion);
  return UNITY_END();
}
