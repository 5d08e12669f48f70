/* The zero test by name: the examples of the issue, and laws the normal form must know. */
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
check(DaeZero expected, const char *text)
{
  static const char *const name[] = {"ZERO", "NONZERO", "UNKNOWN"};
  DaeZero answer = dae_algebra_is_zero(algebra, expr(terms, text));
  g_autofree char *message =
      g_strdup_printf("%s: expected %s, got %s", text, name[expected], name[answer]);
  TEST_ASSERT_TRUE_MESSAGE(expected == answer, message);
}

static void
test_decimals_are_exact(void)
{
  check(DAE_ZERO, "0.1 + 0.2 - 0.3");
  check(DAE_NONZERO, "0.1 + 0.2 - 0.3 + 1e-40");
}

static void
test_product_of_roots_is_root_of_product(void)
{
  check(DAE_ZERO, "sqrt(2)*sqrt(3) - sqrt(6)");
  check(DAE_NONZERO, "sqrt(2)*sqrt(3) - sqrt(7)");
}

static void
test_pythagoras_is_zero(void)
{
  check(DAE_ZERO, "sin(x)^2 + cos(x)^2 - 1");
  check(DAE_NONZERO, "sin(x)^2 - cos(x)^2 - 1");
}

static void
test_sine_of_a_tiny_number_is_nonzero(void)
{
  check(DAE_NONZERO, "sin(1e-30)");
}

static void
test_quotients_cancel(void)
{
  check(DAE_ZERO, "x/x - 1");
  check(DAE_ZERO, "(x^2 - y^2)/(x - y) - x - y");
  check(DAE_ZERO, "1/(1 + 1/x) - x/(x + 1)");
  check(DAE_NONZERO, "(x^2 + y^2)/(x - y) - x - y");
}

static void
test_power_40_against_its_expansion(void)
{
  DaeTerm x = expr(terms, "x");
  DaeTerm y = expr(terms, "y");
  DaeTerm t = expr(terms, "(x + y)^40");
  DaeTerm sum = dae_term_int(terms, 0);
  DaeTerm binomial = dae_term_int(terms, 1);
  for (int k = 0; k <= 40; k++) {
    DaeTerm part =
        dae_term_mul(terms, dae_term_pow_int(terms, x, 40 - k), dae_term_pow_int(terms, y, k));
    sum = dae_term_add(terms, sum, dae_term_mul(terms, binomial, part));
    binomial = dae_term_mul(terms, binomial, dae_term_ratio(terms, 40 - k, k + 1));
  }
  DaeTerm difference = dae_term_sub(terms, t, sum);
  TEST_ASSERT_EQUAL(DAE_ZERO, dae_algebra_is_zero(algebra, difference));
  DaeTerm off = dae_term_add(terms, difference, dae_term_mul(terms, x, y));
  TEST_ASSERT_EQUAL(DAE_NONZERO, dae_algebra_is_zero(algebra, off));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_decimals_are_exact);
  RUN_TEST(test_product_of_roots_is_root_of_product);
  RUN_TEST(test_pythagoras_is_zero);
  RUN_TEST(test_sine_of_a_tiny_number_is_nonzero);
  RUN_TEST(test_quotients_cancel);
  RUN_TEST(test_power_40_against_its_expansion);
  return UNITY_END();
}
