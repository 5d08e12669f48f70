/* Every operation on one lane: its definition, where it is undefined, and what it cannot hide. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "eval/eval-priv.h"
#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static double
apply(DaeOp op, double a, double b, double c, double d)
{
  return dae_op_apply(op, a, b, c, d);
}

typedef struct {
  DaeOp op;
  double a, b, c, d, expected;
} Example;

static void
check(const Example *list, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    double got = apply(list[i].op, list[i].a, list[i].b, list[i].c, list[i].d);
    g_autofree char *message = g_strdup_printf("operation %d of %g, %g: %g, not %g", list[i].op,
                                               list[i].a, list[i].b, got, list[i].expected);
    if (isnan(list[i].expected)) {
      TEST_ASSERT_FALSE_MESSAGE(isfinite(got), message);
    } else {
      TEST_ASSERT_TRUE_MESSAGE(got == list[i].expected, message);
    }
  }
}

static void
test_arithmetic(void)
{
  static const Example list[] = {
      {DAE_OP_NEG, 3, 0, 0, 0, -3},           {DAE_OP_ADD, 3, 4, 0, 0, 7},
      {DAE_OP_SUB, 3, 4, 0, 0, -1},           {DAE_OP_MUL, 3, 4, 0, 0, 12},
      {DAE_OP_DIV, 3, 4, 0, 0, 0.75},         {DAE_OP_DIV, 3, 0, 0, 0, NAN},
      {DAE_OP_DIV, 0, 0, 0, 0, NAN},          {DAE_OP_MUL_ADD, 2, 3, 4, 0, 10},
      {DAE_OP_MUL_SUB, 2, 3, 4, 0, -2},       {DAE_OP_MUL_RSUB, 2, 3, 4, 0, 2},
      {DAE_OP_ADD3, 1, 2, 4, 0, 7},           {DAE_OP_MUL3, 2, 3, 4, 0, 24},
      {DAE_OP_DOT2, 2, 3, 4, 5, 26},          {DAE_OP_DET2, 2, 3, 4, 5, -14},
      {DAE_OP_SQRT, 9, 0, 0, 0, 3},           {DAE_OP_SQRT, -9, 0, 0, 0, NAN},
      {DAE_OP_POW, 2, 10, 0, 0, 1024},        {DAE_OP_POW, -2, 0.5, 0, 0, NAN},
      {DAE_OP_DIV_GUARDED, 1, 4, 0, 0, 0.25}, {DAE_OP_DIV_GUARDED, 1, INFINITY, 0, 0, NAN},
      {DAE_OP_DIV_GUARDED, 1, 0, 0, 0, NAN},
  };
  check(list, G_N_ELEMENTS(list));
}

/* [language specification, 3.7.2]: div truncates, mod has the sign of its second argument. */
static void
test_division_with_remainder(void)
{
  static const Example list[] = {
      {DAE_OP_QUOTIENT, 7, 2, 0, 0, 3},   {DAE_OP_QUOTIENT, -7, 2, 0, 0, -3},
      {DAE_OP_QUOTIENT, 7, -2, 0, 0, -3}, {DAE_OP_QUOTIENT, -7, -2, 0, 0, 3},
      {DAE_OP_REM, 7, 2, 0, 0, 1},        {DAE_OP_REM, -7, 2, 0, 0, -1},
      {DAE_OP_REM, 7, -2, 0, 0, 1},       {DAE_OP_REM, -7, -2, 0, 0, -1},
      {DAE_OP_MOD, 7, 2, 0, 0, 1},        {DAE_OP_MOD, -7, 2, 0, 0, 1},
      {DAE_OP_MOD, 7, -2, 0, 0, -1},      {DAE_OP_MOD, -7, -2, 0, 0, -1},
      {DAE_OP_MOD, 6.5, 2, 0, 0, 0.5},    {DAE_OP_MOD, -6.5, 2, 0, 0, 1.5},
      {DAE_OP_FLOOR, -1.5, 0, 0, 0, -2},  {DAE_OP_FLOOR, 1.5, 0, 0, 0, 1},
      {DAE_OP_CEIL, -1.5, 0, 0, 0, -1},   {DAE_OP_CEIL, 1.5, 0, 0, 0, 2},
      {DAE_OP_QUOTIENT, 1, 0, 0, 0, NAN}, {DAE_OP_REM, 1, 0, 0, 0, NAN},
      {DAE_OP_MOD, 1, 0, 0, 0, NAN},
  };
  check(list, G_N_ELEMENTS(list));
}

/* rem(x, y) = x - div(x, y)*y and mod(x, y) = x - floor(x/y)*y, for all signs. */
static void
test_remainders_fit_their_quotients(void)
{
  for (int x = -40; x <= 40; x++) {
    for (int y = -7; y <= 7; y++) {
      if (y == 0) {
        continue;
      }
      double quotient = apply(DAE_OP_QUOTIENT, x, y, 0, 0);
      double rem = apply(DAE_OP_REM, x, y, 0, 0);
      double mod = apply(DAE_OP_MOD, x, y, 0, 0);
      TEST_ASSERT_EQUAL_INT(x / y, (int)quotient);
      TEST_ASSERT_EQUAL_INT(x % y, (int)rem);
      TEST_ASSERT_TRUE(x == quotient * y + rem);
      TEST_ASSERT_TRUE(mod == x - floor((double)x / y) * y);
      TEST_ASSERT_TRUE(mod == 0 || (mod < 0) == (y < 0));
    }
  }
}

static void
test_choices(void)
{
  static const Example list[] = {
      {DAE_OP_MIN, 1, 2, 0, 0, 1},        {DAE_OP_MAX, 1, 2, 0, 0, 2},
      {DAE_OP_ABS, -4, 0, 0, 0, 4},       {DAE_OP_SIGN, -4, 0, 0, 0, -1},
      {DAE_OP_SIGN, 0, 0, 0, 0, 0},       {DAE_OP_SIGN, 4, 0, 0, 0, 1},
      {DAE_OP_LT, 1, 2, 0, 0, 1},         {DAE_OP_LT, 2, 2, 0, 0, 0},
      {DAE_OP_LE, 2, 2, 0, 0, 1},         {DAE_OP_LE, 3, 2, 0, 0, 0},
      {DAE_OP_EQ, 2, 2, 0, 0, 1},         {DAE_OP_EQ, 2, 3, 0, 0, 0},
      {DAE_OP_NE, 2, 2, 0, 0, 0},         {DAE_OP_NE, 2, 3, 0, 0, 1},
      {DAE_OP_NOT, 0, 0, 0, 0, 1},        {DAE_OP_NOT, 1, 0, 0, 0, 0},
      {DAE_OP_AND, 1, 1, 0, 0, 1},        {DAE_OP_AND, 1, 0, 0, 0, 0},
      {DAE_OP_AND, 0, NAN, 0, 0, 0},      {DAE_OP_AND, NAN, 0, 0, 0, 0},
      {DAE_OP_AND, 1, NAN, 0, 0, NAN},    {DAE_OP_OR, 0, 0, 0, 0, 0},
      {DAE_OP_OR, 1, NAN, 0, 0, 1},       {DAE_OP_OR, NAN, 1, 0, 0, 1},
      {DAE_OP_OR, 0, NAN, 0, 0, NAN},     {DAE_OP_SELECT, 1, 5, 6, 0, 5},
      {DAE_OP_SELECT, 0, 5, 6, 0, 6},     {DAE_OP_SELECT, 1, 5, NAN, 0, 5},
      {DAE_OP_SELECT, 0, NAN, 6, 0, 6},   {DAE_OP_SELECT, NAN, 5, 6, 0, NAN},
      {DAE_OP_SELECT, 1, NAN, 6, 0, NAN},
  };
  check(list, G_N_ELEMENTS(list));
}

/* ---- the promise of program.h ------------------------------------------------------------ */

static bool
may_hide(DaeOp op)
{
  return op == DAE_OP_SELECT || op == DAE_OP_AND || op == DAE_OP_OR;
}

static bool
is_plain(DaeOp op)
{
  return op != DAE_OP_CONST && op != DAE_OP_INPUT && op != DAE_OP_INTERVAL &&
         op != DAE_OP_LOOKUP && !dae_op_is_of_call(op);
}

/* No operation turns a value that is not finite into a finite one. */
static void
test_what_is_undefined_stays_undefined(void)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  static const double good[] = {-2.5, -1.0, 0.0, 0.5, 1.0, 3.0};
  for (int op = 0; op < DAE_OP_COUNT; op++) {
    if (!is_plain((DaeOp)op) || may_hide((DaeOp)op) || op == DAE_OP_DIV) {
      continue; /* DIV: x/inf is 0; who may meet that uses DIV_GUARDED */
    }
    uint32_t arity = dae_op_arity((DaeOp)op);
    for (uint32_t place = 0; place < arity; place++) {
      for (size_t b = 0; b < G_N_ELEMENTS(bad); b++) {
        for (size_t g = 0; g < G_N_ELEMENTS(good); g++) {
          double v[4] = {good[g], good[(g + 1) % 6], good[(g + 2) % 6], good[(g + 3) % 6]};
          v[place] = bad[b];
          g_autofree char *message =
              g_strdup_printf("operation %d, place %u: %g", op, place, bad[b]);
          TEST_ASSERT_FALSE_MESSAGE(isfinite(apply((DaeOp)op, v[0], v[1], v[2], v[3])),
                                    message);
        }
      }
    }
  }
}

static void
test_a_quotient_by_infinity_is_undefined_only_where_it_is_guarded(void)
{
  TEST_ASSERT_TRUE(apply(DAE_OP_DIV, 1, INFINITY, 0, 0) == 0.0);
  TEST_ASSERT_FALSE(isfinite(apply(DAE_OP_DIV_GUARDED, 1, INFINITY, 0, 0)));
  TEST_ASSERT_FALSE(isfinite(apply(DAE_OP_DIV_GUARDED, 1, NAN, 0, 0)));
}

/* ---- functions against the C library ----------------------------------------------------- */

static void
test_functions_are_those_of_the_library(void)
{
  static const struct {
    DaeOp op;
    double (*of)(double);
  } list[] = {
      {DAE_OP_SIN, sin},   {DAE_OP_COS, cos},   {DAE_OP_TAN, tan},   {DAE_OP_ASIN, asin},
      {DAE_OP_ACOS, acos}, {DAE_OP_ATAN, atan}, {DAE_OP_SINH, sinh}, {DAE_OP_COSH, cosh},
      {DAE_OP_TANH, tanh}, {DAE_OP_EXP, exp},   {DAE_OP_LOG, log},   {DAE_OP_LOG10, log10},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
    for (double x = -3.0; x <= 3.0; x += 0.125) {
      double expected = list[i].of(x);
      double got = apply(list[i].op, x, 0, 0, 0);
      if (isfinite(expected)) {
        TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON * (1 + fabs(expected)), expected, got);
      } else {
        TEST_ASSERT_FALSE(isfinite(got));
      }
    }
  }
  for (double y = -2.0; y <= 2.0; y += 0.25) {
    for (double x = -2.0; x <= 2.0; x += 0.25) {
      if (x != 0 || y != 0) {
        TEST_ASSERT_EQUAL_DOUBLE(atan2(y, x), apply(DAE_OP_ATAN2, y, x, 0, 0));
      }
    }
  }
}

static void
test_fused_operations_round_as_their_parts_do(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(17);
  for (int k = 0; k < 2000; k++) {
    double v[4];
    for (int i = 0; i < 4; i++) {
      v[i] = g_rand_double_range(random, -10, 10);
    }
    volatile double ab = v[0] * v[1];
    volatile double cd = v[2] * v[3];
    volatile double sum = v[0] + v[1];
    TEST_ASSERT_TRUE(apply(DAE_OP_MUL_ADD, v[0], v[1], v[2], 0) == v[2] + ab);
    TEST_ASSERT_TRUE(apply(DAE_OP_MUL_SUB, v[0], v[1], v[2], 0) == v[2] - ab);
    TEST_ASSERT_TRUE(apply(DAE_OP_MUL_RSUB, v[0], v[1], v[2], 0) == ab - v[2]);
    TEST_ASSERT_TRUE(apply(DAE_OP_ADD3, v[0], v[1], v[2], 0) == sum + v[2]);
    TEST_ASSERT_TRUE(apply(DAE_OP_MUL3, v[0], v[1], v[2], 0) == ab * v[2]);
    TEST_ASSERT_TRUE(apply(DAE_OP_DOT2, v[0], v[1], v[2], v[3]) == ab + cd);
    TEST_ASSERT_TRUE(apply(DAE_OP_DET2, v[0], v[1], v[2], v[3]) == ab - cd);
  }
}

/* ---- the interpreter --------------------------------------------------------------------- */

static void
test_every_lane_does_what_one_does(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(18);
  for (int op = 0; op < DAE_OP_COUNT; op++) {
    if (!is_plain((DaeOp)op)) {
      continue;
    }
    for (unsigned width = 1; width <= 8; width *= 2) {
      double *registers = dae_aligned_new0(sizeof(double) * 5 * 8);
      for (unsigned i = 0; i < 4 * width; i++) {
        bool is_truth = op == DAE_OP_NOT || may_hide((DaeOp)op);
        registers[i] =
            is_truth ? g_rand_int_range(random, 0, 2) : g_rand_double_range(random, -2, 2);
      }
      DaeInstruction one = {.op = (uint16_t)op, .to = 4, .a = 0, .b = 1, .c = 2, .d = 3};
      dae_lanes_run(&one, 1, width, registers);
      for (unsigned l = 0; l < width; l++) {
        double expected = apply((DaeOp)op, registers[l], registers[width + l],
                                registers[2 * width + l], registers[3 * width + l]);
        double got = registers[4 * width + l];
        g_autofree char *message = g_strdup_printf("operation %d, lane %u of %u", op, l, width);
        TEST_ASSERT_TRUE_MESSAGE(isnan(expected) ? isnan(got) : expected == got, message);
      }
      free(registers);
    }
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_arithmetic);
  RUN_TEST(test_division_with_remainder);
  RUN_TEST(test_remainders_fit_their_quotients);
  RUN_TEST(test_choices);
  RUN_TEST(test_what_is_undefined_stays_undefined);
  RUN_TEST(test_a_quotient_by_infinity_is_undefined_only_where_it_is_guarded);
  RUN_TEST(test_functions_are_those_of_the_library);
  RUN_TEST(test_fused_operations_round_as_their_parts_do);
  RUN_TEST(test_every_lane_does_what_one_does);
  return UNITY_END();
}
