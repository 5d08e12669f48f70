/* Points that show both signs: of what has them, and never of what is definite. */
#include <unity.h>

#include "algebra/algebra-priv.h"
#include "expr.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = dae_terms_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static void
test_both_signs_are_seen(void)
{
  static const char *const texts[] = {"x",
                                      "x^2 - 2*y",
                                      "x*y + 1",
                                      "sin(x) + x",
                                      "x*cos(y) - y*sin(x)",
                                      "exp(x) - 3",
                                      "x^3*exp(y) - x",
                                      "2*x*cos(y) + 3*y*sin(x + y) - z",
                                      "sqrt(x^2 + 1) - 2*y"};
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    TEST_ASSERT_TRUE_MESSAGE(dae_trial_takes_both_signs(terms, expr(terms, texts[i])),
                             texts[i]);
  }
}

/* Rounding must not show a sign: what is nonnegative, some of it 0 at all points. */
static void
test_definite_terms_show_one(void)
{
  static const char *const texts[] = {"x^2 + y^2",
                                      "(x - y)^2",
                                      "x^2 - 2*x*y + y^2",
                                      "exp(x) + exp(-x) - 2",
                                      "sin(x)^2 + cos(x)^2 - 1",
                                      "x^2*sin(y)^2 + x^2*cos(y)^2 - x^2",
                                      "x^4*cosh(y/1000)^2 - x^4*sinh(y/1000)^2 - x^4",
                                      "(x*sin(y) - y*cos(x))^2",
                                      "x^2*sin(y)^2 - 2*x*y*sin(y)*cos(x) + y^2*cos(x)^2",
                                      "x^4*y^2 + x^2*y^4 - 3*x^2*y^2 + 1",
                                      "log(exp(x)) - x"};
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    TEST_ASSERT_FALSE_MESSAGE(dae_trial_takes_both_signs(terms, expr(terms, texts[i])),
                              texts[i]);
  }
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_both_signs_are_seen);
  RUN_TEST(test_definite_terms_show_one);
  return UNITY_END();
}
