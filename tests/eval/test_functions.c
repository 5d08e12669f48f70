/* Every function of the registry as operations of the tape and as C text. */
#include <math.h>

#include "../functions.h"
#include "eval/program.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* One operation, or what the compiler writes with several: marks, pi and semiLinear. */
static void
test_every_function_has_an_operation(void)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    DaeOp op = dae_op_of_function((DaeFunction)f);
    TEST_ASSERT_EQUAL_MESSAGE(facts->c_value != NULL, op != DAE_OP_CONST, facts->name);
    if (op == DAE_OP_CONST) {
      continue;
    }
    TEST_ASSERT_EQUAL_UINT_MESSAGE(facts->arity, dae_op_arity(op), facts->name);
    for (int s = 0; s < N_SAMPLES; s++) {
      double a = samples[s][0] / 10.0;
      double b = samples[s][1] / 10.0;
      TEST_ASSERT_TRUE_MESSAGE(sample_value((DaeFunction)f, s) == dae_op_apply(op, a, b, 0, 0),
                               facts->name);
    }
  }
}

static void
test_tapes_compute_the_value_of_the_registry(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  static const char *const names[] = {"x", "y", "z"};
  DaeTerm x[DAE_MOST_ARGUMENTS];
  for (int i = 0; i < DAE_MOST_ARGUMENTS; i++) {
    x[i] = dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, names[i]));
  }
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    if (!has_value((DaeFunction)f)) {
      continue;
    }
    const char *name = dae_function_name((DaeFunction)f);
    DaeTerm t =
        dae_term_call(terms, (DaeFunction)f, x, dae_function_facts((DaeFunction)f)->arity);
    g_autoptr(GError) error = NULL;
    g_autoptr(DaeTape) tape = dae_tape_new(terms, x, DAE_MOST_ARGUMENTS, &t, 1, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(tape, name);
    void *scratch = dae_aligned_new0(dae_tape_scratch_size(tape));
    for (int s = 0; s < N_SAMPLES; s++) {
      double values[DAE_MOST_ARGUMENTS];
      double result = NAN;
      for (int i = 0; i < DAE_MOST_ARGUMENTS; i++) {
        values[i] = samples[s][i] / 10.0;
      }
      TEST_ASSERT_EQUAL_INT(0, dae_tape_eval(tape, scratch, 1, values, &result, NULL));
      TEST_ASSERT_TRUE_MESSAGE(result == sample_value((DaeFunction)f, s), name);
    }
    free(scratch);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_function_has_an_operation);
  RUN_TEST(test_tapes_compute_the_value_of_the_registry);
  return UNITY_END();
}
