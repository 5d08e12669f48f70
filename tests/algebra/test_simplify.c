/* Forms a person would write, factors, fractions, signs. */
#include "algebra/algebra.h"

#include "expr.h"

#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;

void
setUp(void)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
}

void
tearDown(void)
{
  dae_algebra_free(algebra);
  dae_terms_free(terms);
}

static void
check_text(const char *expected, DaeTerm t)
{
  g_autofree char *text = dae_term_to_string(terms, t);
  TEST_ASSERT_EQUAL_STRING(expected, text);
}

static void
check_simplified(const char *expected, const char *text)
{
  check_text(expected, dae_algebra_simplify(algebra, expr(terms, text)));
}

static void
test_quotients_are_cancelled(void)
{
  check_simplified("x + 1", "(x^2 - 1)/(x - 1)");
  check_simplified("2/(x^2 - 1)", "1/(x - 1) - 1/(x + 1)");
  check_simplified("(x + z)/y", "x/y + z/y");
}

static void
test_the_shorter_of_expanded_and_factored_is_taken(void)
{
  check_simplified("(x + y)^2", "x^2 + 2*x*y + y^2");
  check_simplified("2*x + 1", "(x + 1)^2 - x^2");
  check_simplified("x*(y + z)", "x*y + x*z");
  check_simplified("2*x + 4*y", "2*x + 4*y");
}

static void
test_arguments_of_functions_are_simplified(void)
{
  check_simplified("sin(x + 1)", "sin((x^2 - 1)/(x - 1))");
  check_simplified("exp(x)", "exp((x^2 + x*y)/(x + y))");
}

static void
test_what_is_zero_simplifies_to_zero(void)
{
  check_simplified("0", "sin(x + y) - sin(x)*cos(y) - cos(x)*sin(y)");
  check_simplified("0", "log(x*y) - log(x) - log(y)");
}

static void
test_factors_are_irreducible_and_sorted(void)
{
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  TEST_ASSERT_TRUE(
      dae_algebra_factor(algebra, expr(terms, "6*(x^2 - y^2)^2*x/(z + 1)"), factors));
  TEST_ASSERT_EQUAL_UINT(3, factors->len);
  DaeTerm product =
      dae_term_product(terms, (const DaeTerm *)(const void *)factors->data, factors->len);
  DaeTerm expected = expr(terms, "x*(x - y)*(x + y)");
  TEST_ASSERT_TRUE(dae_algebra_equal(algebra, product, expected));
  for (guint i = 1; i < factors->len; i++) {
    TEST_ASSERT_TRUE(dae_term_compare(terms, g_array_index(factors, DaeTerm, i - 1),
                                      g_array_index(factors, DaeTerm, i)) < 0);
  }
}

static uint32_t
count_factors(const char *text)
{
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  TEST_ASSERT_TRUE(dae_algebra_factor(algebra, expr(terms, text), factors));
  return factors->len;
}

/* Of degree 1 in a variable: irreducible unless its coefficient shares something with the rest. */
static void
test_factors_of_polynomials_that_are_linear_in_a_variable(void)
{
  TEST_ASSERT_EQUAL_UINT(1, count_factors("x*y^2 - 3*z^2 + 2"));
  TEST_ASSERT_EQUAL_UINT(1, count_factors("(x - y)*z + x^2 + y^2"));
  TEST_ASSERT_EQUAL_UINT(2, count_factors("x*z + x*(y + 1) + y*z + y*(y + 1)"));
  TEST_ASSERT_EQUAL_UINT(2, count_factors("(x^2 + y)*(x - z)"));
  TEST_ASSERT_EQUAL_UINT(3, count_factors("-6*x^2*y*(x*z - 2*y)"));
  check_text("-6*x^2*y*(x*z + 2*y + 1)",
             dae_algebra_simplify(algebra, expr(terms, "-6*x^3*y*z - 12*x^2*y^2 - 6*x^2*y")));
}

static void
test_numbers_have_no_factors(void)
{
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  TEST_ASSERT_TRUE(dae_algebra_factor(algebra, expr(terms, "12"), factors));
  TEST_ASSERT_TRUE(dae_algebra_factor(algebra, expr(terms, "sqrt(2)*pi"), factors));
  TEST_ASSERT_EQUAL_UINT(0, factors->len);
}

/* Many different denominators have no common one that could be written; one that many summands
 * share is no obstacle. */
static void
test_fractions_over_many_denominators_are_refused_at_once(void)
{
  DaeTerm different[24] = {0};
  DaeTerm shared[24] = {0};
  DaeTerm p = DAE_NO_TERM;
  DaeTerm q = DAE_NO_TERM;
  for (int k = 0; k < 24; k++) {
    DaeTerm denominator =
        dae_term_add(terms, expr(terms, "x^2 + y*z"), dae_term_int(terms, k + 1));
    different[k] = dae_term_div(terms, expr(terms, "x"), denominator);
    shared[k] = dae_term_div(terms, dae_term_pow_int(terms, expr(terms, "z"), k + 1),
                             expr(terms, "x^2 + y + 1"));
  }
  TEST_ASSERT_FALSE(dae_algebra_fraction(algebra, dae_term_sum(terms, different, 24), &p, &q));
  TEST_ASSERT_TRUE(dae_algebra_fraction(algebra, dae_term_sum(terms, shared, 24), &p, &q));
  check_text("x^2 + y + 1", q);
}

static void
test_fraction_is_expanded_and_cancelled(void)
{
  DaeTerm p = DAE_NO_TERM;
  DaeTerm q = DAE_NO_TERM;
  TEST_ASSERT_TRUE(
      dae_algebra_fraction(algebra, expr(terms, "(x + 1)*(x - 1)/((x - 1)*(y + 1))"), &p, &q));
  check_text("x + 1", p);
  check_text("y + 1", q);
}

static void
check_sign(int expected, const char *text)
{
  int sign = 5;
  TEST_ASSERT_TRUE_MESSAGE(dae_algebra_sign(algebra, expr(terms, text), &sign), text);
  TEST_ASSERT_EQUAL_INT_MESSAGE(expected, sign, text);
}

static void
test_signs_of_constants_and_definite_terms(void)
{
  check_sign(1, "pi - 3");
  check_sign(-1, "sqrt(2) - 1.5");
  check_sign(0, "sqrt(8) - 2*sqrt(2)");
  check_sign(1, "x^2 + 1");
  check_sign(-1, "-exp(x) - y^4");
  check_sign(1, "exp(1e-30) - 1");
  int sign = 0;
  TEST_ASSERT_FALSE(dae_algebra_sign(algebra, expr(terms, "x"), &sign));
  TEST_ASSERT_FALSE(dae_algebra_sign(algebra, expr(terms, "x^2"), &sign));
}

static void
test_assumed_symbols_have_signs(void)
{
  DaeTerm t = expr(terms, "m*k + m");
  DaeSymbol symbol = 0;
  TEST_ASSERT_TRUE(dae_terms_find_symbol(terms, "m", &symbol));
  dae_terms_assume(terms, symbol, DAE_SIGN_POSITIVE);
  int sign = 0;
  TEST_ASSERT_FALSE(dae_algebra_sign(algebra, t, &sign));
  TEST_ASSERT_TRUE(dae_terms_find_symbol(terms, "k", &symbol));
  dae_terms_assume(terms, symbol, DAE_SIGN_NONNEGATIVE);
  check_sign(1, "m*k + m");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_quotients_are_cancelled);
  RUN_TEST(test_the_shorter_of_expanded_and_factored_is_taken);
  RUN_TEST(test_arguments_of_functions_are_simplified);
  RUN_TEST(test_what_is_zero_simplifies_to_zero);
  RUN_TEST(test_factors_are_irreducible_and_sorted);
  RUN_TEST(test_factors_of_polynomials_that_are_linear_in_a_variable);
  RUN_TEST(test_numbers_have_no_factors);
  RUN_TEST(test_fraction_is_expanded_and_cancelled);
  RUN_TEST(test_fractions_over_many_denominators_are_refused_at_once);
  RUN_TEST(test_signs_of_constants_and_definite_terms);
  RUN_TEST(test_assumed_symbols_have_signs);
  return UNITY_END();
}
