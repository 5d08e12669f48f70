/* Ranges over all real values: what keeps away from 0, and what must not be claimed to. */
#include <unity.h>

#include "../algebra/expr.h"
#include "initcheck/initcheck-priv.h"

static IcSystem sys;

void
setUp(void)
{
  sys = (IcSystem){.terms = dae_terms_new()};
}

void
tearDown(void)
{
  dae_terms_free(sys.terms);
}

static void
check(bool expected, const char *const *texts, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        expected, ic_range_excludes_zero(&sys, expr(sys.terms, texts[i])), texts[i]);
  }
}

static void
test_terms_without_zeros(void)
{
  static const char *const texts[] = {
      "1",
      "x^2 + 1",
      "-x^4 - 1/2",
      "sin(x) + 1.001",
      "cos(x)*sin(y) - 2",
      "tanh(x) + 2",
      "exp(x) + 1",
      "cosh(x) - 1/2",
      "abs(x) + 1e-3",
      "sqrt(x) + 1",
      "x^(3/2) + 1/4",
      "atan(x) - 2",
      "pi - 3",
      "1/(x^2 + 1) + 1",
      "x^(-2) + 1",
      "2 + sin(x)/(1 + x^2)",
      "sign(x) + 3/2",
      "(x^2 + 1)*(y^4 + 2)",
      "(sin(x) - 2)^3",
      "(sin(x) - 2)^(-3)",
      "(sin(x) + 3)^2 - 3",
  };
  check(true, texts, G_N_ELEMENTS(texts));
}

/* Every one of these is 0 somewhere. */
static void
test_terms_with_zeros(void)
{
  static const char *const texts[] = {
      "x",
      "x^2",
      "x^3 + 1",
      "x^5 - 7",
      "x^3 + y^2 + 1",
      "sin(x)",
      "cos(x)",
      "cos(x) - 1/4",
      "sin(x) + 1",
      "tanh(x) - 1/2",
      "exp(x) - 1/1000",
      "cosh(x) - 1",
      "abs(x) - 2",
      "abs(x)",
      "sqrt(x)",
      "sqrt(x) - 1/2",
      "x^(1/4) - 1/10",
      "x^(3/2) - 1/3",
      "2*x^(1/2) - 1",
      "atan(x) - 1",
      "1/x - 2",
      "x^(-3) + 8",
      "x^(-2) - 4",
      "1/(x - y) - 1",
      "log(x) + 5",
      "x*y + 1",
      "(x^2 + 1)*(y - 1)",
      "(sin(x) + 1/2)^3",
      "(sin(x) + 1/2)^2",
      "sign(x) - 1",
      "min(x, 1)",
      "floor(x) - 3",
  };
  check(false, texts, G_N_ELEMENTS(texts));
}

/* What cancels exactly may not be kept off 0 by rounding. */
static void
test_rounding_is_no_proof(void)
{
  static const char *const texts[] = {
      "exp(1)*exp(2) - exp(3)", "4*atan(1) - pi",     "exp(1) - 2.718281828459045",
      "pi - 3.141592653589793", "sin(x) + 1 + 1e-12",
  };
  check(false, texts, G_N_ELEMENTS(texts));
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_terms_without_zeros);
  RUN_TEST(test_terms_with_zeros);
  RUN_TEST(test_rounding_is_no_proof);
  return UNITY_END();
}
