#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "numeric/numeric.h"
#include "problems/problems.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  int (*f)(const double *x, double *r);
  int (*df)(const double *x, double *values);
} Functions;

static int
residual(const void *self, void *scratch, const double *x, double *r)
{
  (void)scratch;
  return ((const Functions *)self)->f(x, r);
}

static int
jacobian(const void *self, void *scratch, const double *x, double *values)
{
  (void)scratch;
  return ((const Functions *)self)->df(x, values);
}

static const uint32_t dense_start[] = {0, 2, 4, 6};
static const uint32_t dense_column[] = {0, 1, 0, 1, 0, 1};

static DaeRootProblem
two_unknowns(const Functions *functions, uint32_t m)
{
  return (DaeRootProblem){.n = 2,
                          .m = m,
                          .pattern = {m, 2, dense_start, dense_column},
                          .self = functions,
                          .residual = residual,
                          .jacobian = jacobian};
}

static int
circle(const double *x, double *r)
{
  r[0] = x[0] * x[0] + x[1] * x[1] - 1.0;
  return 0;
}

static int
circle_x(const double *x, double *v)
{
  v[0] = 2.0 * x[0];
  v[1] = 2.0 * x[1];
  return 0;
}

static void
under_determined_start_is_the_nearest_point(void)
{
  const Functions functions = {circle, circle_x};
  DaeRootProblem problem = two_unknowns(&functions, 1);
  double x[] = {3.0, 4.0};
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-10, x);
  TEST_ASSERT_TRUE(result.converged);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.6, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.8, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1.0, x[0] * x[0] + x[1] * x[1]);
}

static int
line(const double *x, double *r)
{
  r[0] = x[0] + x[1] - 2.0;
  return 0;
}

static int
line_x(const double *x, double *v)
{
  (void)x;
  v[0] = 1.0;
  v[1] = 1.0;
  return 0;
}

static void
weights_say_which_unknown_moves(void)
{
  const Functions functions = {line, line_x};
  DaeRootProblem problem = two_unknowns(&functions, 1);
  const double weights[] = {1.0, 100.0};
  double x[] = {0.0, 0.0};
  TEST_ASSERT_TRUE(dae_numeric_solve(&problem, weights, 1e-10, x).converged);
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, 2.0 / 10001.0, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, 2.0 * 10000.0 / 10001.0, x[1]);
}

/* circle, the line x = y, and their sum squared: three equations, one solution, rank 2 */
static int
redundant(const double *x, double *r)
{
  circle(x, r);
  r[1] = x[0] - x[1];
  r[2] = r[0] + 3.0 * r[1];
  return 0;
}

static int
redundant_x(const double *x, double *v)
{
  circle_x(x, v);
  v[2] = 1.0;
  v[3] = -1.0;
  v[4] = v[0] + 3.0;
  v[5] = v[1] - 3.0;
  return 0;
}

static void
redundant_but_consistent_equations_are_met(void)
{
  const Functions functions = {redundant, redundant_x};
  DaeRootProblem problem = two_unknowns(&functions, 3);
  double x[] = {0.2, 2.0};
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-10, x);
  TEST_ASSERT_TRUE(result.converged);
  TEST_ASSERT_FALSE(result.used_levenberg_marquardt);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, sqrt(0.5), x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, sqrt(0.5), x[1]);
}

static int
contradiction(const double *x, double *r)
{
  r[0] = x[0] - 1.0;
  r[1] = x[1] - 2.0;
  r[2] = x[1] - 5.0;
  return 0;
}

static int
contradiction_x(const double *x, double *v)
{
  const double values[] = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0};
  (void)x;
  memcpy(v, values, sizeof(values));
  return 0;
}

static void
contradiction_is_reported_with_a_row_of_it(void)
{
  const Functions functions = {contradiction, contradiction_x};
  DaeRootProblem problem = two_unknowns(&functions, 3);
  double x[] = {0.0, 0.0};
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-10, x);
  TEST_ASSERT_FALSE(result.converged);
  TEST_ASSERT_TRUE(result.worst_row == 1 || result.worst_row == 2);
  TEST_ASSERT_TRUE(result.residual > 1.0);
}

/* atan has Newton overshoot from far away; log is undefined for a full step */
static int
far(const double *x, double *r)
{
  if (x[1] <= 0.0) {
    return 1;
  }
  r[0] = atan(x[0]);
  r[1] = log(x[1]) - 3.0;
  return 0;
}

static int
far_x(const double *x, double *v)
{
  v[0] = 1.0 / (1.0 + x[0] * x[0]);
  v[1] = 0.0;
  v[2] = 0.0;
  v[3] = 1.0 / x[1];
  return 0;
}

static void
damping_brings_far_starts_home(void)
{
  const Functions functions = {far, far_x};
  DaeRootProblem problem = two_unknowns(&functions, 2);
  double x[] = {20.0, 1000.0};
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-10, x);
  TEST_ASSERT_TRUE(result.converged);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, exp(3.0), x[1]);
}

/* double root: the Jacobian is singular at the solution */
static int
double_root(const double *x, double *r)
{
  r[0] = (x[0] - 1.0) * (x[0] - 1.0);
  r[1] = x[1] - x[0];
  return 0;
}

static int
double_root_x(const double *x, double *v)
{
  v[0] = 2.0 * (x[0] - 1.0);
  v[1] = 0.0;
  v[2] = -1.0;
  v[3] = 1.0;
  return 0;
}

static void
singular_root_is_found_to_half_the_digits(void)
{
  const Functions functions = {double_root, double_root_x};
  DaeRootProblem problem = two_unknowns(&functions, 2);
  double x[] = {3.0, 0.0};
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-10, x);
  TEST_ASSERT_TRUE(result.converged);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 1.0, x[0]);
}

static int
chain_residual(const void *self, void *scratch, const double *x, double *r)
{
  const DaeEvaluator *evaluator = self;
  const double t = 0.0;
  DaeOut out = {.g = r};
  return evaluator->eval(evaluator->self, scratch, 1, &t, x, &out);
}

static int
chain_jacobian(const void *self, void *scratch, const double *x, double *values)
{
  const DaeEvaluator *evaluator = self;
  DaeJac out = {.gx = values};
  return evaluator->jac(evaluator->self, scratch, 0.0, x, x, &out);
}

/* 7000 unknowns, 5000 equations, all start values wrong. */
static void
chain_of_1000_pendula_starts(void)
{
  const uint32_t n = 1000;
  double *x = calloc(7 * (size_t)n, sizeof(double));
  DaeEvaluator *evaluator = dae_problem_chain_new(n, x);
  for (uint32_t j = 0; j < 7 * n; j++) {
    x[j] += 0.05 * sin(3.0 * j);
  }
  DaeRootProblem problem = {.n = 7 * n,
                            .m = 5 * n,
                            .pattern = evaluator->constraint,
                            .self = evaluator,
                            .residual = chain_residual,
                            .jacobian = chain_jacobian};
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-10, x);
  TEST_ASSERT_TRUE(result.converged);
  TEST_ASSERT_FALSE(result.used_levenberg_marquardt);
  TEST_ASSERT_TRUE(result.iterations < 100);
  TEST_ASSERT_TRUE(result.residual < 1e-11);
  dae_problem_chain_free(evaluator);
  free(x);
}

enum { LONG = 5000 };

/* x0 = 0, x0 = 1, and x[j] = 2 x[j - 1] / 3 with a bend. */
static int
long_residual(const void *self, void *scratch, const double *x, double *r)
{
  (void)self;
  (void)scratch;
  r[0] = x[0];
  r[1] = x[0] - 1.0;
  for (uint32_t j = 1; j < LONG; j++) {
    r[j + 1] = x[j] + 0.1 * sin(x[j]) - 2.0 * x[j - 1] / 3.0;
  }
  return 0;
}

static int
long_jacobian(const void *self, void *scratch, const double *x, double *values)
{
  (void)self;
  (void)scratch;
  values[0] = values[1] = 1.0;
  for (uint32_t j = 1; j < LONG; j++) {
    values[2 * j] = -2.0 / 3.0;
    values[2 * j + 1] = 1.0 + 0.1 * cos(x[j]);
  }
  return 0;
}

/* The last resort has no dense matrix: 5000 unknowns are no more to it than 50. */
static void
a_long_contradiction_ends_between_its_equations(void)
{
  uint32_t *row_start = calloc(LONG + 2, sizeof(uint32_t));
  uint32_t *column = calloc(2 * (size_t)LONG, sizeof(uint32_t));
  double *x = calloc(LONG, sizeof(double));
  row_start[1] = 1;
  row_start[2] = 2;
  for (uint32_t j = 1; j < LONG; j++) {
    column[2 * j] = j - 1;
    column[2 * j + 1] = j;
    row_start[j + 2] = 2 * j + 2;
  }
  DaeRootProblem problem = {.n = LONG,
                            .m = LONG + 1,
                            .pattern = {LONG + 1, LONG, row_start, column},
                            .residual = long_residual,
                            .jacobian = long_jacobian};
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-10, x);
  TEST_ASSERT_FALSE(result.converged);
  TEST_ASSERT_TRUE(result.used_levenberg_marquardt);
  TEST_ASSERT_TRUE(result.worst_row < 2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.5, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, x[LONG - 1]);
  free(x);
  free(column);
  free(row_start);
}

static int
tiny_pair(const double *x, double *r)
{
  r[0] = 1e-12 * (exp(x[0]) - exp(5.0 - x[0]));
  r[1] = x[1] - 1.0;
  return 0;
}

static int
tiny_pair_x(const double *x, double *v)
{
  v[0] = 1e-12 * (exp(x[0]) + exp(5.0 - x[0]));
  v[1] = v[2] = 0.0;
  v[3] = 1.0;
  return 0;
}

/* A residual of 1e-12 says nothing where all terms of the row are as small. */
static void
rows_of_small_numbers_are_solved_as_well(void)
{
  const Functions functions = {tiny_pair, tiny_pair_x};
  DaeRootProblem problem = two_unknowns(&functions, 2);
  double x[] = {1.0, 0.0};
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-10, x);
  TEST_ASSERT_TRUE(result.converged);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2.5, x[0]);
}

static int
nearly_parallel(const double *x, double *r)
{
  r[0] = x[0] + x[1] - 1.0;
  r[1] = x[0] + (1.0 + 1e-8) * x[1] - 1.0 - 3e-8;
  return 0;
}

static int
nearly_parallel_x(const double *x, double *v)
{
  (void)x;
  v[0] = v[1] = v[2] = 1.0;
  v[3] = 1.0 + 1e-8;
  return 0;
}

static int
one_too_many(const double *x, double *r)
{
  r[2] = 2.0 * (x[0] + x[1] - 1.0);
  return nearly_parallel(x, r);
}

static int
one_too_many_x(const double *x, double *v)
{
  v[4] = v[5] = 2.0;
  return nearly_parallel_x(x, v);
}

/* Ideal switches: a direction that is determined 1e-8 times as well as the other. */
static void
weak_directions_are_found(void)
{
  const Functions two = {nearly_parallel, nearly_parallel_x};
  const Functions three = {one_too_many, one_too_many_x};
  for (uint32_t m = 2; m <= 3; m++) {
    DaeRootProblem problem = two_unknowns(m == 2 ? &two : &three, m);
    double x[] = {0.0, 0.0};
    DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-13, x);
    TEST_ASSERT_TRUE(result.converged);
    TEST_ASSERT_FALSE(result.used_levenberg_marquardt);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 3.0, x[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, -2.0, x[0]);
  }
}

static int
cancelling(const double *x, double *r)
{
  volatile double large = x[0] + 1e5; /* rounded to 1.5e-11 */
  r[0] = large - 1e5 - 0.3;
  r[1] = x[1] - x[0];
  return 0;
}

static int
cancelling_x(const double *x, double *v)
{
  (void)x;
  v[0] = v[3] = 1.0;
  v[1] = 0.0;
  v[2] = -1.0;
  return 0;
}

/* The terms of the row cancel: no point is nearer, and none is looked for. */
static void
rounding_beyond_the_tolerance_is_rest(void)
{
  const Functions functions = {cancelling, cancelling_x};
  DaeRootProblem problem = two_unknowns(&functions, 2);
  problem.may_rest = true;
  double x[] = {0.0, 0.0};
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-13, x);
  TEST_ASSERT_FALSE(result.converged);
  TEST_ASSERT_TRUE(result.at_rest);
  TEST_ASSERT_FALSE(result.used_levenberg_marquardt);
  TEST_ASSERT_TRUE(result.iterations < 5);
  TEST_ASSERT_DOUBLE_WITHIN(2e-11, 0.3, x[0]);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(under_determined_start_is_the_nearest_point);
  RUN_TEST(weights_say_which_unknown_moves);
  RUN_TEST(redundant_but_consistent_equations_are_met);
  RUN_TEST(contradiction_is_reported_with_a_row_of_it);
  RUN_TEST(damping_brings_far_starts_home);
  RUN_TEST(chain_of_1000_pendula_starts);
  RUN_TEST(singular_root_is_found_to_half_the_digits);
  RUN_TEST(a_long_contradiction_ends_between_its_equations);
  RUN_TEST(rows_of_small_numbers_are_solved_as_well);
  RUN_TEST(weak_directions_are_found);
  RUN_TEST(rounding_beyond_the_tolerance_is_rest);
  return UNITY_END();
}
