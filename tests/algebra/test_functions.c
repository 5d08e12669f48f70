/* Every function of the registry in balls. */
#include "../functions.h"
#include "algebra/algebra.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_balls_enclose_the_value_of_the_registry(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  g_autoptr(DaeAlgebra) algebra = dae_algebra_new(terms, NULL);
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    for (int s = 0; has_value((DaeFunction)f) && s < N_SAMPLES; s++) {
      const char *name = dae_function_name((DaeFunction)f);
      for (int plus = 0; plus <= 1; plus++) {
        int sign = 0;
        DaeTerm t = sample_difference(terms, (DaeFunction)f, s, plus == 1);
        TEST_ASSERT_TRUE_MESSAGE(dae_algebra_sign(algebra, t, &sign), name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(plus == 1 ? -1 : 1, sign, name);
      }
    }
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_balls_enclose_the_value_of_the_registry);
  return UNITY_END();
}
