/* Evaluation of tapes: what registers keep from call to call never shows. Lanes, groups, segments and
 * times in any order give what a new scratch gives. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/eval-priv.h"
#include "unity.h"

enum { N_OUTPUTS = 4 };

static DaeProgram *program;
static DaeTape *tape;

/* Inputs: time, a point, a segment value. Outputs: of the segment alone, of the time, of the
 * point, and of all; two groups. */
void
setUp(void)
{
  static const uint32_t source[] = {DAE_SOURCE_TIME, DAE_SOURCE_POINT, DAE_SOURCE_SEGMENT};
  static const uint32_t index[] = {0, 0, 0};
  static const uint32_t group_start[] = {0, 2, N_OUTPUTS};
  uint32_t outputs[N_OUTPUTS];
  program = dae_program_new();
  uint32_t t = dae_program_input(program, 0, DAE_LEVEL_TIME);
  uint32_t x = dae_program_input(program, 1, DAE_LEVEL_POINT);
  uint32_t p = dae_program_input(program, 2, DAE_LEVEL_SEGMENT);
  uint32_t square = dae_program_emit(program, DAE_OP_MUL, p, p, 0);
  uint32_t wave = dae_program_emit(program, DAE_OP_SIN, t, 0, 0);
  outputs[0] = dae_program_emit(program, DAE_OP_EXP, square, 0, 0);
  outputs[1] = dae_program_emit(program, DAE_OP_MUL, wave, square, 0);
  outputs[2] = dae_program_emit(program, DAE_OP_LOG, x, 0, 0);
  outputs[3] = dae_program_emit(program, DAE_OP_ADD, outputs[1], outputs[2], 0);
  const DaeTapePlan plan = {.program = program,
                            .outputs = outputs,
                            .group_start = group_start,
                            .n_groups = 2,
                            .input_source = source,
                            .input_index = index};
  tape = dae_tape_from_program(&plan);
}

void
tearDown(void)
{
  dae_tape_free(tape);
  dae_program_free(program);
}

static void *
new_scratch(void)
{
  size_t bytes = (dae_tape_scratch_size(tape) + 63) / 64 * 64;
  void *scratch = NULL;
  TEST_ASSERT_EQUAL_INT(0, posix_memalign(&scratch, 64, bytes));
  memset(scratch, 0, bytes);
  return scratch;
}

typedef struct {
  double t[DAE_LANES_MAX], x[DAE_LANES_MAX], p;
  uint64_t segment;
  unsigned lanes;
  uint32_t groups;
} Call;

static int
evaluate(void *scratch, const Call *call, double *out, uint32_t *fault)
{
  const DaeTapeInputs inputs = {.sources = {[DAE_SOURCE_TIME] = call->t,
                                            [DAE_SOURCE_POINT] = call->x,
                                            [DAE_SOURCE_SEGMENT] = &call->p},
                                .segment_number = call->segment};
  double *const outs[2] = {out, out + (size_t)2 * call->lanes};
  return dae_tape_eval_groups(tape, scratch, call->lanes, call->groups, &inputs, outs, fault);
}

/* As dae_op_apply has it, on one lane. */
static void
check_call(const Call *call, const double *out)
{
  for (unsigned l = 0; l < call->lanes; l++) {
    const double square = call->p * call->p;
    const double wave = dae_op_apply(DAE_OP_SIN, call->t[l], 0, 0, 0) * square;
    const double log_x = dae_op_apply(DAE_OP_LOG, call->x[l], 0, 0, 0);
    const double expected[N_OUTPUTS] = {exp(square), wave, log_x, wave + log_x};
    for (unsigned o = 0; o < N_OUTPUTS; o++) {
      if ((call->groups & (o < 2 ? 1u : 2u)) != 0) {
        TEST_ASSERT_EQUAL_MEMORY(&expected[o], &out[o * call->lanes + l], sizeof(double));
      }
    }
  }
}

/* 2000 calls on one scratch: lanes, groups, times and segments change and stay at random. */
static void
test_any_order_of_calls_gives_what_each_gives_alone(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  void *scratch = new_scratch();
  Call call = {.p = 0.5, .segment = 1};
  for (int k = 0; k < 2000; k++) {
    double out[N_OUTPUTS * DAE_LANES_MAX];
    if (g_rand_int_range(random, 0, 5) == 0) {
      call.p = g_rand_double(random);
      call.segment++;
    }
    if (g_rand_int_range(random, 0, 3) == 0) {
      for (unsigned l = 0; l < DAE_LANES_MAX; l++) {
        call.t[l] = g_rand_double_range(random, -3, 3);
      }
    }
    for (unsigned l = 0; l < DAE_LANES_MAX; l++) {
      call.x[l] = g_rand_double_range(random, 0.1, 4);
    }
    call.lanes = (unsigned)g_rand_int_range(random, 1, DAE_LANES_MAX + 1);
    call.groups = (uint32_t)g_rand_int_range(random, 1, 4);
    TEST_ASSERT_EQUAL_INT(0, evaluate(scratch, &call, out, NULL));
    check_call(&call, out);
  }
  free(scratch);
}

/* log(-1) on one lane of four: the output is named, and the group without it has values. */
static void
test_a_fault_names_the_first_output_that_has_no_value(void)
{
  void *scratch = new_scratch();
  Call call = {.p = 0.5, .segment = 1, .lanes = 4, .groups = 3, .x = {1, 2, -1, 3}};
  double out[N_OUTPUTS * DAE_LANES_MAX];
  uint32_t fault = 99;
  TEST_ASSERT_TRUE(evaluate(scratch, &call, out, &fault) > 0);
  TEST_ASSERT_EQUAL_UINT32(2, fault);
  call.groups = 1;
  TEST_ASSERT_EQUAL_INT(0, evaluate(scratch, &call, out, &fault));
  check_call(&call, out);
  free(scratch);
}

/* Another tape may use the scratch in between: nothing of it is taken for its own. */
static void
test_a_scratch_that_another_tape_used_is_as_new(void)
{
  DaeTape *first = tape;
  DaeProgram *first_program = program;
  setUp(); /* a second tape of the same shape */
  void *scratch = new_scratch();
  Call call = {.p = 0.75, .segment = 5, .lanes = 1, .groups = 3, .t = {1}, .x = {2}};
  double out[N_OUTPUTS];
  for (int k = 0; k < 4; k++) {
    DaeTape *other = tape;
    tape = first;
    first = other;
    call.p += 0.25; /* the same number of the segment: of another tape */
    TEST_ASSERT_EQUAL_INT(0, evaluate(scratch, &call, out, NULL));
    check_call(&call, out);
  }
  free(scratch);
  dae_tape_free(first);
  dae_program_free(first_program);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_any_order_of_calls_gives_what_each_gives_alone);
  RUN_TEST(test_a_fault_names_the_first_output_that_has_no_value);
  RUN_TEST(test_a_scratch_that_another_tape_used_is_as_new);
  return UNITY_END();
}
