/* Every function of the registry in this room: evaluation, exact values, signs, derivatives,
 * routines. */
#include <math.h>

#include "../functions.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_evaluation_is_the_value_of_the_registry(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    for (int s = 0; has_value((DaeFunction)f) && s < N_SAMPLES; s++) {
      double value = NAN;
      DaeTerm t = sample_call(terms, (DaeFunction)f, s);
      TEST_ASSERT_EQUAL_MESSAGE(DAE_EVAL_OK, dae_term_eval_double(terms, t, NULL, NULL, &value),
                                dae_function_name((DaeFunction)f));
      TEST_ASSERT_TRUE_MESSAGE(value == sample_value((DaeFunction)f, s),
                               dae_function_name((DaeFunction)f));
    }
  }
}

/* What takes rational numbers to rational numbers is exact; analytic functions are so only
 * where the registry says it. */
static void
test_exact_values(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    bool is_rational = has_value((DaeFunction)f) && facts->kind != DAE_CLASS_ANALYTIC &&
                       facts->kind != DAE_CLASS_CONSTANT;
    for (int s = 0; is_rational && s < N_SAMPLES; s++) {
      DaeTerm value = DAE_NO_TERM;
      DaeTerm t = sample_call(terms, (DaeFunction)f, s);
      TEST_ASSERT_EQUAL_MESSAGE(DAE_EVAL_OK, dae_term_eval_exact(terms, t, NULL, NULL, &value),
                                facts->name);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, sample_value((DaeFunction)f, s),
                                        dae_term_get_double(terms, value), facts->name);
    }
    if (facts->has_exact) {
      DaeTerm value = DAE_NO_TERM;
      DaeTerm t = dae_term_call1(terms, (DaeFunction)f, dae_term_int(terms, facts->exact_at));
      TEST_ASSERT_EQUAL(DAE_EVAL_OK, dae_term_eval_exact(terms, t, NULL, NULL, &value));
      TEST_ASSERT_EQUAL_MESSAGE(dae_term_int(terms, facts->exact_value), value, facts->name);
    }
  }
}

static void
test_signs_hold_the_sign_of_the_value(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    for (int s = 0; has_value((DaeFunction)f) && s < N_SAMPLES; s++) {
      double y = sample_value((DaeFunction)f, s);
      uint32_t sign = y > 0   ? DAE_MAY_BE_POSITIVE
                      : y < 0 ? DAE_MAY_BE_NEGATIVE
                              : DAE_MAY_BE_ZERO;
      DaeTerm t = sample_call(terms, (DaeFunction)f, s);
      TEST_ASSERT_TRUE_MESSAGE((dae_term_possible_signs(terms, t) & sign) != 0,
                               dae_function_name((DaeFunction)f));
    }
  }
}

/* A derivative by each operand: none ends in the internal error for a missing line (values:
 * test_diff.c). */
static void
test_every_function_has_a_derivative(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  DaeTerm x[DAE_MOST_ARGUMENTS];
  static const char *const names[] = {"x", "y", "z"};
  for (int i = 0; i < DAE_MOST_ARGUMENTS; i++) {
    x[i] = dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, names[i]));
  }
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    uint32_t n = has_value((DaeFunction)f) ? dae_function_facts((DaeFunction)f)->arity : 0;
    for (uint32_t i = 0; i < n; i++) {
      DaeTerm t = dae_term_call(terms, (DaeFunction)f, x, n);
      TEST_ASSERT_TRUE_MESSAGE(dae_term_partial(terms, t, x[i]) != DAE_NO_TERM,
                               dae_function_name((DaeFunction)f));
    }
  }
  const double data[] = {0, 1, 4};
  uint32_t number = dae_terms_add_data(terms, data, 3);
  TEST_ASSERT_TRUE(dae_term_is_zero(
      terms, dae_term_partial(terms, dae_term_interval(terms, number, x[0]), x[0])));
  TEST_ASSERT_TRUE(dae_term_is_zero(
      terms, dae_term_partial(terms, dae_term_lookup(terms, number, x[0]), x[0])));
  DaeTerm select = dae_term_select(terms, x[0], x + 1, 2);
  TEST_ASSERT_FALSE(dae_term_is_zero(terms, dae_term_partial(terms, select, x[1])));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_evaluation_is_the_value_of_the_registry);
  RUN_TEST(test_exact_values);
  RUN_TEST(test_signs_hold_the_sign_of_the_value);
  RUN_TEST(test_every_function_has_a_derivative);
  return UNITY_END();
}
