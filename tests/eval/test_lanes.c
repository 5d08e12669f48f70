/* Every operation of the tape on 1, 2, 4 and 8 lanes: the bits of its definition on one lane
 * (dae_op_apply), also where it is undefined, and lanes that do not touch each other. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/eval-priv.h"
#include "unity.h"

enum { N_OPERANDS = 4, N_ROUNDS = 40 };

static const unsigned widths[] = {1, 2, 4, 8};

static GRand *rand_;
static double *registers; /* operands a, b, c, d, then the result; 8 lanes each */

void
setUp(void)
{
  rand_ = g_rand_new_with_seed(7);
  registers = dae_aligned_new0((N_OPERANDS + 2) * DAE_LANES_MAX * sizeof(double));
}

void
tearDown(void)
{
  g_rand_free(rand_);
  free(registers);
}

/* Operations on numbers alone: no constant, input, table or call. */
static bool
is_plain(DaeOp op)
{
  return op != DAE_OP_CONST && op != DAE_OP_INPUT && op != DAE_OP_INTERVAL &&
         op != DAE_OP_LOOKUP && !dae_op_is_of_call(op);
}

static bool
takes_truth(DaeOp op)
{
  return op == DAE_OP_AND || op == DAE_OP_OR || op == DAE_OP_NOT;
}

static double
random_operand(DaeOp op, unsigned place)
{
  static const double special[] = {0.0, 1.0, -1.0, 0.5, 2.0, DBL_MAX, DBL_MIN, 1e300, -1e300};
  if (takes_truth(op) || (op == DAE_OP_SELECT && place == 0)) {
    return g_rand_boolean(rand_) ? 1.0 : 0.0;
  }
  return g_rand_int_range(rand_, 0, 4) == 0
             ? special[g_rand_int_range(rand_, 0, G_N_ELEMENTS(special))]
             : g_rand_double_range(rand_, -4, 4);
}

static void
fill(DaeOp op, unsigned width)
{
  for (unsigned place = 0; place < N_OPERANDS; place++) {
    for (unsigned l = 0; l < width; l++) {
      registers[place * width + l] = random_operand(op, place);
    }
  }
}

static bool
same(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void
check(DaeOp op, unsigned width)
{
  const DaeInstruction instruction = {
      .op = (uint16_t)op, .to = N_OPERANDS, .a = 0, .b = 1, .c = 2, .d = 3};
  dae_lanes_run(&instruction, 1, width, registers);
  for (unsigned l = 0; l < width; l++) {
    const double *at = registers + l;
    const double expected =
        dae_op_apply(op, at[0], at[width], at[(size_t)2 * width], at[(size_t)3 * width]);
    const double got = at[(size_t)N_OPERANDS * width];
    g_autofree char *message = g_strdup_printf(
        "operation %d on %u lanes, %.17g %.17g %.17g %.17g: %.17g, not %.17g", op, width, at[0],
        at[width], at[(size_t)2 * width], at[(size_t)3 * width], got, expected);
    TEST_ASSERT_TRUE_MESSAGE(same(got, expected), message);
  }
}

static void
test_lanes_have_the_bits_of_one_lane(void)
{
  for (int op = 0; op < DAE_OP_COUNT; op++) {
    for (unsigned w = 0; is_plain((DaeOp)op) && w < G_N_ELEMENTS(widths); w++) {
      for (int round = 0; round < N_ROUNDS; round++) {
        fill((DaeOp)op, widths[w]);
        check((DaeOp)op, widths[w]);
      }
    }
  }
}

/* What is undefined in one lane says nothing about its neighbours. */
static void
test_a_fault_stays_in_its_lane(void)
{
  static const DaeOp ops[] = {DAE_OP_SQRT,        DAE_OP_LOG,  DAE_OP_DIV,
                              DAE_OP_DIV_GUARDED, DAE_OP_ASIN, DAE_OP_POW};
  for (size_t i = 0; i < G_N_ELEMENTS(ops); i++) {
    for (unsigned bad = 0; bad < DAE_LANES_MAX; bad++) {
      for (unsigned l = 0; l < DAE_LANES_MAX; l++) {
        registers[l] = l == bad ? -4.0 : 0.5;
        registers[DAE_LANES_MAX + l] = l == bad ? 0.0 : 0.5;
      }
      if (ops[i] == DAE_OP_POW) {
        registers[DAE_LANES_MAX + bad] = 0.5; /* a root of a negative number */
      }
      const DaeInstruction instruction = {.op = (uint16_t)ops[i], .to = N_OPERANDS, .b = 1};
      dae_lanes_run(&instruction, 1, DAE_LANES_MAX, registers);
      for (unsigned l = 0; l < DAE_LANES_MAX; l++) {
        TEST_ASSERT_EQUAL(l != bad,
                          isfinite(registers[(size_t)N_OPERANDS * DAE_LANES_MAX + l]) != 0);
      }
    }
  }
}

/* Instructions follow one another: the second takes what the first has left. */
static void
test_a_result_is_an_operand_of_the_next(void)
{
  const DaeInstruction both[] = {{.op = DAE_OP_MUL, .to = 4, .a = 0, .b = 1},
                                 {.op = DAE_OP_ADD, .to = 5, .a = 4, .b = 2}};
  for (unsigned w = 0; w < G_N_ELEMENTS(widths); w++) {
    fill(DAE_OP_ADD, widths[w]);
    dae_lanes_run(both, 2, widths[w], registers);
    for (unsigned l = 0; l < widths[w]; l++) {
      const double *at = registers + l;
      const double product = at[0] * at[widths[w]];
      TEST_ASSERT_TRUE(same(at[(size_t)5 * widths[w]], product + at[(size_t)2 * widths[w]]));
    }
  }
}

/* Sine and cosine of one angle are computed together where they follow one another; not where the
 * first has taken the place of its angle. */
static void
test_a_sine_and_a_cosine_have_the_bits_of_two(void)
{
  static const DaeOp ops[2][2] = {{DAE_OP_SIN, DAE_OP_COS}, {DAE_OP_COS, DAE_OP_SIN}};
  for (int k = 0; k < 8 * N_ROUNDS; k++) {
    const unsigned width = widths[k % 4];
    const DaeOp *const op = ops[k / 4 % 2];
    for (uint32_t to = 0; to <= 4; to += 4) {
      const DaeInstruction both[] = {{.op = (uint16_t)op[0], .to = to},
                                     {.op = (uint16_t)op[1], .to = 5}};
      fill(DAE_OP_SIN, width);
      double angle[DAE_LANES_MAX];
      memcpy(angle, registers, sizeof(double) * width);
      dae_lanes_run(both, 2, width, registers);
      for (unsigned l = 0; l < width; l++) {
        const double first = dae_op_apply(op[0], angle[l], 0.0, 0.0, 0.0);
        const double second = dae_op_apply(op[1], to == 0 ? first : angle[l], 0.0, 0.0, 0.0);
        TEST_ASSERT_TRUE(same(registers[to * width + l], first));
        TEST_ASSERT_TRUE(same(registers[5 * width + l], second));
      }
    }
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_lanes_have_the_bits_of_one_lane);
  RUN_TEST(test_a_fault_stays_in_its_lane);
  RUN_TEST(test_a_result_is_an_operand_of_the_next);
  RUN_TEST(test_a_sine_and_a_cosine_have_the_bits_of_two);
  return UNITY_END();
}
