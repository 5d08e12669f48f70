/* Outputs of a tape alone (slices), and what outputs depend on: against the whole tape. */
#include "eval/eval-priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unity.h"

enum { N_OUTPUTS = 6 };

static DaeProgram *program;
static DaeTape *tape;

/* Inputs: time, two unknowns, a segment value; outputs of every level, with shared parts. */
void
setUp(void)
{
  static const uint32_t source[] = {DAE_SOURCE_TIME, DAE_SOURCE_POINT, DAE_SOURCE_POINT,
                                    DAE_SOURCE_SEGMENT};
  static const uint32_t index[] = {0, 0, 1, 0};
  static const uint32_t group_start[] = {0, 4, N_OUTPUTS};
  uint32_t outputs[N_OUTPUTS];
  program = dae_program_new();
  uint32_t t = dae_program_input(program, 0, DAE_LEVEL_TIME);
  uint32_t x = dae_program_input(program, 1, DAE_LEVEL_POINT);
  uint32_t y = dae_program_input(program, 2, DAE_LEVEL_POINT);
  uint32_t p = dae_program_input(program, 3, DAE_LEVEL_SEGMENT);
  uint32_t gain = dae_program_emit(program, DAE_OP_EXP, p, 0, 0);
  uint32_t wave = dae_program_emit(program, DAE_OP_SIN, t, 0, 0);
  uint32_t product = dae_program_emit(program, DAE_OP_MUL, x, y, 0);
  outputs[0] = dae_program_constant(program, 3.5);
  outputs[1] = gain;
  outputs[2] = dae_program_emit(program, DAE_OP_MUL, gain, wave, 0);
  outputs[3] = dae_program_emit(program, DAE_OP_ADD, product, outputs[2], 0);
  outputs[4] = dae_program_emit(program, DAE_OP_LOG, x, 0, 0);
  outputs[5] = dae_program_emit(program, DAE_OP_SUB, product, outputs[4], 0);
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

typedef struct {
  double t, x[2], p;
  uint64_t segment;
} Point;

static DaeTapeInputs
inputs_of(const Point *point)
{
  return (DaeTapeInputs){.sources = {[DAE_SOURCE_TIME] = &point->t,
                                     [DAE_SOURCE_POINT] = point->x,
                                     [DAE_SOURCE_SEGMENT] = &point->p},
                         .segment_number = point->segment};
}

static void
evaluate_all(const Point *point, double *out)
{
  void *scratch = dae_aligned_new0(dae_tape_scratch_size(tape));
  const DaeTapeInputs inputs = inputs_of(point);
  double *const outs[2] = {out, out + 4};
  TEST_ASSERT_EQUAL_INT(0, dae_tape_eval_groups(tape, scratch, 1, 3, &inputs, outs, NULL));
  free(scratch);
}

static void
test_every_choice_has_the_bits_of_the_whole(void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed(3);
  for (uint32_t mask = 1; mask < 1u << N_OUTPUTS; mask++) {
    uint32_t chosen[N_OUTPUTS];
    uint32_t n = 0;
    for (uint32_t o = 0; o < N_OUTPUTS; o++) {
      if ((mask >> o & 1u) != 0) {
        chosen[n++] = o;
      }
    }
    DaeChosen *slice = dae_slice_new(tape, chosen, n);
    TEST_ASSERT_NOT_NULL(slice);
    Point point = {.segment = 1, .p = 0.25};
    for (int round = 0; round < 6; round++) {
      double whole[N_OUTPUTS];
      double part[N_OUTPUTS];
      point.t = g_rand_double(rand);
      point.x[0] = 0.1 + g_rand_double(rand);
      point.x[1] = g_rand_double_range(rand, -3, 3);
      if (round == 3) { /* a new segment: what was kept of the old one must not stay */
        point.segment++;
        point.p = -1.5;
      }
      const DaeTapeInputs inputs = inputs_of(&point);
      evaluate_all(&point, whole);
      TEST_ASSERT_EQUAL_INT(0, dae_slice_eval(slice, &inputs, part));
      for (uint32_t k = 0; k < n; k++) {
        TEST_ASSERT_EQUAL_MEMORY(&whole[chosen[k]], &part[k], sizeof(double));
      }
    }
    dae_slice_free(slice);
  }
}

/* The logarithm of a negative number: only who asked for it is told. */
static void
test_a_fault_of_what_was_not_chosen_is_none(void)
{
  const uint32_t good[] = {3};
  const uint32_t bad[] = {3, 5};
  const Point point = {.t = 0.5, .x = {-1, 2}, .p = 0, .segment = 1};
  const DaeTapeInputs inputs = inputs_of(&point);
  double values[2];
  DaeChosen *slice = dae_slice_new(tape, good, 1);
  TEST_ASSERT_EQUAL_INT(0, dae_slice_eval(slice, &inputs, values));
  TEST_ASSERT_EQUAL_DOUBLE(-2 + dae_op_apply(DAE_OP_SIN, 0.5, 0, 0, 0), values[0]);
  dae_slice_free(slice);
  slice = dae_slice_new(tape, bad, 2);
  TEST_ASSERT_NOT_EQUAL(0, dae_slice_eval(slice, &inputs, values));
  dae_slice_free(slice);
}

static void
test_outputs_tell_what_they_depend_on(void)
{
  uint8_t depends[4];
  dae_tape_depends(tape, 0, depends);
  TEST_ASSERT_EQUAL_UINT8(DAE_DEPENDS_NOTHING, depends[0]);
  TEST_ASSERT_EQUAL_UINT8(DAE_DEPENDS_SEGMENT, depends[1]);
  TEST_ASSERT_EQUAL_UINT8(DAE_DEPENDS_TIME, depends[2]);
  TEST_ASSERT_EQUAL_UINT8(DAE_DEPENDS_UNKNOWNS, depends[3]);
  dae_tape_depends(tape, 1, depends);
  TEST_ASSERT_EQUAL_UINT8(DAE_DEPENDS_UNKNOWNS, depends[0]);
  TEST_ASSERT_EQUAL_UINT8(DAE_DEPENDS_UNKNOWNS, depends[1]);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_choice_has_the_bits_of_the_whole);
  RUN_TEST(test_a_fault_of_what_was_not_chosen_is_none);
  RUN_TEST(test_outputs_tell_what_they_depend_on);
  return UNITY_END();
}
