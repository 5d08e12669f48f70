/* Every function of the registry modulo a prime. */
#include "../functions.h"
#include "structural/modular.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* Analytic functions have images but for three, which stand for themselves nowhere: acos and
 * log10 are written with others before, atan2 has two operands. The pieces of abs, sign, min,
 * max are taken, marks are transparent. */
static bool
has_image(DaeFunction f)
{
  const DaeFunctionFacts *facts = dae_function_facts(f);
  return facts->kind == DAE_CLASS_MARK || facts->kind == DAE_CLASS_CONSTANT ||
         (facts->kind == DAE_CLASS_ANALYTIC && f != DAE_FN_ACOS && f != DAE_FN_ATAN2 &&
          f != DAE_FN_LOG10) ||
         f == DAE_FN_ABS || f == DAE_FN_SIGN || f == DAE_FN_MIN || f == DAE_FN_MAX;
}

static void
test_every_function_has_an_image_or_is_known_to_have_none(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  g_autoptr(DaeModPoint) point = dae_mod_point_new(terms, 7);
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    uint64_t value = 0;
    if (has_value((DaeFunction)f)) {
      DaeTerm t = sample_call(terms, (DaeFunction)f, 0);
      TEST_ASSERT_EQUAL_MESSAGE(has_image((DaeFunction)f), dae_mod_point_eval(point, t, &value),
                                dae_function_name((DaeFunction)f));
    }
  }
}

/* Identities between the images: the pairs lie on the circle and on the hyperbola. */
static void
test_images_of_one_family_belong_together(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  g_autoptr(DaeModPoint) point = dae_mod_point_new(terms, 11);
  DaeTerm x = dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "x"));
  uint64_t v[7];
  static const DaeFunction family[] = {DAE_FN_SIN,  DAE_FN_COS,  DAE_FN_TAN, DAE_FN_SINH,
                                       DAE_FN_COSH, DAE_FN_TANH, DAE_FN_EXP};
  for (int i = 0; i < 7; i++) {
    TEST_ASSERT_TRUE(dae_mod_point_eval(point, dae_term_call1(terms, family[i], x), &v[i]));
  }
  TEST_ASSERT_EQUAL_UINT64(1, dae_mod_add(dae_mod_mul(v[0], v[0]), dae_mod_mul(v[1], v[1])));
  TEST_ASSERT_EQUAL_UINT64(v[0], dae_mod_mul(v[1], v[2]));
  TEST_ASSERT_EQUAL_UINT64(v[3], dae_mod_mul(v[4], v[5]));
  TEST_ASSERT_EQUAL_UINT64(v[6], dae_mod_add(v[3], v[4]));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_function_has_an_image_or_is_known_to_have_none);
  RUN_TEST(test_images_of_one_family_belong_together);
  return UNITY_END();
}
