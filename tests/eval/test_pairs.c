/* The order in which nodes become instructions: sine and cosine of one angle side by side, and
 * nothing before its operands. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/eval-priv.h"
#include "unity.h"

enum { N_INPUTS = 3, N_OUTPUTS = 40 };

static DaeProgram *program;
static GRand *rand_;
static uint32_t source[N_INPUTS], input_index[N_INPUTS];

void
setUp(void)
{
  program = dae_program_new();
  rand_ = g_rand_new_with_seed(11);
  for (uint32_t i = 0; i < N_INPUTS; i++) {
    source[i] = DAE_SOURCE_POINT;
    input_index[i] = i;
  }
}

void
tearDown(void)
{
  dae_program_free(program);
  g_rand_free(rand_);
}

static DaeTapePlan
plan_of(const uint32_t *outputs, const uint32_t *group_start)
{
  return (DaeTapePlan){.program = program,
                       .outputs = outputs,
                       .group_start = group_start,
                       .n_groups = 1,
                       .input_source = source,
                       .input_index = input_index};
}

/* Places in the order, by node; every node has one. */
static void
find_places(const DaeFused *fused, const uint32_t *order, uint32_t *place)
{
  memset(place, 0xff, sizeof *place * fused->n);
  for (uint32_t k = 0; k < fused->n; k++) {
    TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, place[order[k]]);
    place[order[k]] = k;
  }
}

static void
check_order(const DaeFused *fused)
{
  g_autofree uint32_t *order = dae_fused_order(fused);
  g_autofree uint32_t *place = g_new(uint32_t, fused->n);
  find_places(fused, order, place);
  for (uint32_t i = 0; i < fused->n; i++) {
    uint32_t operands[4];
    const uint32_t arity =
        fused->groups[i] != 0 ? dae_program_operands(&fused->nodes[i], operands) : 0;
    for (uint32_t k = 0; k < arity; k++) {
      TEST_ASSERT_LESS_THAN_UINT32(place[i], place[operands[k]]);
    }
  }
}

static void
test_a_sine_and_its_cosine_are_neighbours(void)
{
  const uint32_t x = dae_program_input(program, 0, DAE_LEVEL_POINT);
  const uint32_t y = dae_program_input(program, 1, DAE_LEVEL_POINT);
  const uint32_t sine = dae_program_emit(program, DAE_OP_SIN, x, 0, 0);
  const uint32_t other = dae_program_emit(program, DAE_OP_EXP, y, 0, 0);
  const uint32_t within = dae_program_emit(program, DAE_OP_COS, sine, 0, 0);
  const uint32_t cosine = dae_program_emit(program, DAE_OP_COS, x, 0, 0);
  const uint32_t outputs[] = {other, within, cosine};
  const uint32_t group_start[] = {0, 3};
  const DaeTapePlan plan = plan_of(outputs, group_start);
  DaeFused fused;
  dae_fused_init(&fused, &plan);
  g_autofree uint32_t *order = dae_fused_order(&fused);
  g_autofree uint32_t *place = g_new(uint32_t, fused.n);
  find_places(&fused, order, place);
  TEST_ASSERT_EQUAL_UINT32(place[sine] + 1, place[cosine]);
  TEST_ASSERT_TRUE(place[within] > place[sine]);
  dae_fused_clear(&fused);
}

static uint32_t
random_node(uint32_t n)
{
  static const DaeOp ops[] = {DAE_OP_SIN, DAE_OP_COS, DAE_OP_SIN,
                              DAE_OP_COS, DAE_OP_ADD, DAE_OP_MUL};
  const DaeOp op = ops[g_rand_int_range(rand_, 0, G_N_ELEMENTS(ops))];
  const uint32_t a = (uint32_t)g_rand_int_range(rand_, 0, (gint32)n);
  const uint32_t b = (uint32_t)g_rand_int_range(rand_, 0, (gint32)n);
  return dae_program_emit(program, op, a, dae_op_arity(op) > 1 ? b : 0, 0);
}

/* Registers are given in that order: a tape of random programs has the values of its nodes. */
static void
check_values(const DaeTapePlan *plan, const uint32_t *outputs)
{
  uint32_t n;
  const DaeNode *nodes = dae_program_nodes(program, &n);
  double x[N_INPUTS];
  g_autofree double *value = g_new0(double, n);
  for (uint32_t i = 0; i < n; i++) {
    if (i < N_INPUTS) {
      value[i] = x[i] = g_rand_double_range(rand_, -4.0, 4.0);
    } else {
      value[i] =
          dae_op_apply((DaeOp)nodes[i].op, value[nodes[i].a], value[nodes[i].b], 0.0, 0.0);
    }
  }
  DaeTape *tape = dae_tape_from_program(plan);
  void *scratch = dae_aligned_new0(dae_tape_scratch_size(tape));
  double got[N_OUTPUTS];
  double *const outs[1] = {got};
  const DaeTapeInputs inputs = {.sources = {[DAE_SOURCE_POINT] = x}};
  TEST_ASSERT_EQUAL_INT(0, dae_tape_eval_groups(tape, scratch, 1, 1, &inputs, outs, NULL));
  for (uint32_t o = 0; o < N_OUTPUTS; o++) {
    TEST_ASSERT_EQUAL_MEMORY(&value[outputs[o]], &got[o], sizeof(double));
  }
  free(scratch);
  dae_tape_free(tape);
}

static void
test_random_programs_keep_their_values(void)
{
  for (int round = 0; round < 200; round++) {
    dae_program_free(program);
    program = dae_program_new();
    for (uint32_t i = 0; i < N_INPUTS; i++) {
      dae_program_input(program, i, DAE_LEVEL_POINT);
    }
    uint32_t n = N_INPUTS;
    while (n < 120) {
      n = MAX(n, random_node(n) + 1);
    }
    uint32_t outputs[N_OUTPUTS];
    for (uint32_t o = 0; o < N_OUTPUTS; o++) {
      outputs[o] = (uint32_t)g_rand_int_range(rand_, 0, (gint32)n);
    }
    const uint32_t group_start[] = {0, N_OUTPUTS};
    const DaeTapePlan plan = plan_of(outputs, group_start);
    DaeFused fused;
    dae_fused_init(&fused, &plan);
    check_order(&fused);
    dae_fused_clear(&fused);
    check_values(&plan, outputs);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_sine_and_its_cosine_are_neighbours);
  RUN_TEST(test_random_programs_keep_their_values);
  return UNITY_END();
}
