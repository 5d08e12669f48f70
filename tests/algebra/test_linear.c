/* t = a*x + b, and the forms that terms are written in. */
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
check_linear(const char *text, const char *expected_a, const char *expected_b)
{
  DaeTerm a = DAE_NO_TERM;
  DaeTerm b = DAE_NO_TERM;
  TEST_ASSERT_TRUE_MESSAGE(
      dae_algebra_linear_in(algebra, expr(terms, text), expr(terms, "x"), &a, &b), text);
  TEST_ASSERT_TRUE_MESSAGE(dae_algebra_equal(algebra, a, expr(terms, expected_a)), text);
  TEST_ASSERT_TRUE_MESSAGE(dae_algebra_equal(algebra, b, expr(terms, expected_b)), text);
  TEST_ASSERT_FALSE(dae_term_contains(terms, a, expr(terms, "x")));
  TEST_ASSERT_FALSE(dae_term_contains(terms, b, expr(terms, "x")));
}

static void
test_sums_of_products_split_directly(void)
{
  check_linear("3*x + y", "3", "y");
  check_linear("y*(x + z*(2*x - 1)) + sin(y)", "y*(1 + 2*z)", "sin(y) - y*z");
  check_linear("y + 1", "0", "y + 1");
  check_linear("if y > 0 then 2*x else z", "if y > 0 then 2 else 0", "if y > 0 then 0 else z");
}

static void
test_quotients_that_cancel_are_linear(void)
{
  check_linear("(x^2 - y^2)/(x - y)", "1", "y");
  check_linear("(x + 1)^2 - x^2", "2", "1");
}

static void
test_nonlinear_terms_are_refused(void)
{
  static const char *const text[] = {"x^2",     "sin(x)",  "1/x", "if x > 0 then x else y",
                                     "sqrt(x)", "x*abs(x)"};
  for (size_t i = 0; i < G_N_ELEMENTS(text); i++) {
    DaeTerm a = DAE_NO_TERM;
    DaeTerm b = DAE_NO_TERM;
    TEST_ASSERT_FALSE_MESSAGE(
        dae_algebra_linear_in(algebra, expr(terms, text[i]), expr(terms, "x"), &a, &b),
        text[i]);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_sums_of_products_split_directly);
  RUN_TEST(test_quotients_that_cancel_are_linear);
  RUN_TEST(test_nonlinear_terms_are_refused);
  return UNITY_END();
}
