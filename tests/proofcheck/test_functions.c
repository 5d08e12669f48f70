/* Every function of the registry in the balls of the checker. */
#include "../functions.h"
#include "proofcheck/certify.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_balls_of_the_checker_enclose_the_value_of_the_registry(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  g_autoptr(DaeCertifier) certifier = dae_certifier_new(terms);
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    for (int s = 0; has_value((DaeFunction)f) && s < N_SAMPLES; s++) {
      if (f == DAE_FN_ATAN2 && samples[s][1] < 0) {
        continue; /* in the right half plane alone */
      }
      for (int plus = 0; plus <= 1; plus++) {
        int sign = 0;
        DaeTerm t = sample_difference(terms, (DaeFunction)f, s, plus == 1);
        TEST_ASSERT_TRUE_MESSAGE(dae_certifier_sign(certifier, t, &sign),
                                 dae_function_name((DaeFunction)f));
        TEST_ASSERT_TRUE_MESSAGE(sign == 0 || sign == (plus == 1 ? -1 : 1),
                                 dae_function_name((DaeFunction)f));
      }
    }
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_balls_of_the_checker_enclose_the_value_of_the_registry);
  return UNITY_END();
}
