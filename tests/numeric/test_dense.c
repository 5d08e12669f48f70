/* Dense searches: echelon form, Newton on pivot unknowns, least squares. */
#include <math.h>
#include <unity.h>

#include "numeric/numeric.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_dependent_rows_have_no_pivot_and_the_earlier_row_wins(void)
{
  double a[] = {1, 2, 3, 2, 4, 6, 0, 1, -1, 1, 3, 2};
  uint32_t pivot[4];
  TEST_ASSERT_EQUAL_UINT(2, dae_numeric_echelon(a, 4, 3, 3, 1e-9, pivot));
  TEST_ASSERT_EQUAL_UINT(2, pivot[0]);
  TEST_ASSERT_EQUAL_UINT(DAE_NUMERIC_NONE, pivot[1]);
  TEST_ASSERT_TRUE(pivot[2] != DAE_NUMERIC_NONE);
  TEST_ASSERT_EQUAL_UINT(DAE_NUMERIC_NONE, pivot[3]);
}

static void
test_tolerance_is_relative_to_the_row(void)
{
  double small[] = {1e-20, 0, 0, 1e-20};
  double nearly[] = {1, 1, 1, 1 + 1e-12};
  uint32_t pivot[2];
  TEST_ASSERT_EQUAL_UINT(2, dae_numeric_echelon(small, 2, 2, 2, 1e-9, pivot));
  TEST_ASSERT_EQUAL_UINT(1, dae_numeric_echelon(nearly, 2, 2, 2, 1e-9, pivot));
}

/* i = 1e-12 v', i = -3e-12 v': regular in any unit; the second matrix in none. */
static void
test_units_do_not_make_a_matrix_singular(void)
{
  double circuit[] = {1, 1e-12, 1, -3e-12};
  double dependent[] = {1, 1e-12, 1e6, 1e-6};
  uint32_t pivot[2];
  dae_numeric_equilibrate(circuit, 2, 2, 2);
  dae_numeric_equilibrate(dependent, 2, 2, 2);
  TEST_ASSERT_EQUAL_UINT(2, dae_numeric_echelon(circuit, 2, 2, 2, 1e-9, pivot));
  TEST_ASSERT_EQUAL_UINT(1, dae_numeric_echelon(dependent, 2, 2, 2, 1e-9, pivot));
}

static void
test_scaling_leaves_what_is_carried_along(void)
{
  double a[] = {1e8, 0, 4, 0, 1e-8, 7, 0, 0, 1};
  dae_numeric_equilibrate(a, 3, 2, 3);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, 1, a[0]);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, 1, a[4]);
  TEST_ASSERT_EQUAL_DOUBLE(4, a[2]);
  TEST_ASSERT_EQUAL_DOUBLE(0, a[6]);
}

static void
test_what_follows_the_columns_is_carried_along(void)
{
  double a[] = {2, 0, 4, 2, 1, 7}; /* 2x = 4, 2x + y = 7 */
  uint32_t pivot[2];
  TEST_ASSERT_EQUAL_UINT(2, dae_numeric_echelon(a, 2, 2, 3, 1e-9, pivot));
  TEST_ASSERT_EQUAL_DOUBLE(3, a[5] / a[3 + pivot[1]]);
}

/* x^2 + y^2 + z = 9, z = 5 */
static bool
circle(void *user, const double *x, double *r)
{
  (void)user;
  r[0] = x[0] * x[0] + x[1] * x[1] + x[2] - 9;
  r[1] = x[2] - 5;
  return true;
}

static bool
circle_jacobian(void *user, const double *x, double *a)
{
  (void)user;
  const double all[] = {2 * x[0], 2 * x[1], 1, 0, 0, 1};
  for (int k = 0; k < 6; k++) {
    a[k] = all[k];
  }
  return true;
}

static const DaeDenseProblem circle_problem = {
    .m = 2, .n = 3, .residual = circle, .jacobian = circle_jacobian};
static const DaeNewtonLimits limits = {.most_steps = 60, .pivot = 1e-9, .residual = 1e-12};

static void
test_newton_moves_pivot_unknowns_only(void)
{
  double x[] = {3, 0.5, 5};
  TEST_ASSERT_TRUE(dae_numeric_newton(&circle_problem, &limits, x));
  TEST_ASSERT_EQUAL_DOUBLE(0.5, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, sqrt(3.75), x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 5, x[2]);
}

static bool
root_of_minus_one(void *user, const double *x, double *r)
{
  (void)user;
  r[0] = x[0] * x[0] + 1;
  return true;
}

static bool
twice(void *user, const double *x, double *a)
{
  (void)user;
  a[0] = 2 * x[0];
  return true;
}

static void
test_newton_says_no_where_there_is_no_root(void)
{
  const DaeDenseProblem problem = {
      .m = 1, .n = 1, .residual = root_of_minus_one, .jacobian = twice};
  double x[] = {0.7};
  TEST_ASSERT_FALSE(dae_numeric_newton(&problem, &limits, x));
}

static void
test_least_squares_end_where_the_sum_is_least(void)
{
  const DaeDenseProblem problem = {
      .m = 1, .n = 1, .residual = root_of_minus_one, .jacobian = twice};
  double x[] = {0.7};
  TEST_ASSERT_EQUAL_INT(DAE_MINIMIZE_DONE, dae_numeric_minimize(&problem, 200, x));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, x[0]);
}

typedef struct {
  uint32_t n_slopes;
} Counted;

/* A valley along y = x^2, in which the squares fall from 4 towards 1 without end. */
static bool
valley(void *user, const double *x, double *r)
{
  (void)user;
  r[0] = 1 + exp(-0.1 * x[0]);
  r[1] = 1000 * (x[1] - x[0] * x[0]);
  return true;
}

static bool
valley_slopes(void *user, const double *x, double *a)
{
  Counted *counted = user;
  counted->n_slopes++;
  a[0] = -0.1 * exp(-0.1 * x[0]);
  a[1] = 0;
  a[2] = -2000 * x[0];
  a[3] = 1000;
  return true;
}

static void
test_least_squares_end_where_the_sum_hardly_falls(void)
{
  Counted counted = {0};
  DaeDenseProblem problem = {
      .m = 2, .n = 2, .residual = valley, .jacobian = valley_slopes, .user = &counted};
  double x[] = {0, 2};
  TEST_ASSERT_EQUAL_INT(DAE_MINIMIZE_DONE, dae_numeric_minimize(&problem, 200, x));
  TEST_ASSERT_GREATER_THAN_UINT32(50, counted.n_slopes);
  counted.n_slopes = 0;
  problem.patience = 5;
  x[0] = 0;
  x[1] = 2;
  TEST_ASSERT_EQUAL_INT(DAE_MINIMIZE_DONE, dae_numeric_minimize(&problem, 200, x));
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(20, counted.n_slopes);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, x[0] * x[0], x[1]);
}

static void
test_patience_lasts_while_the_sum_falls(void)
{
  DaeDenseProblem problem = circle_problem;
  problem.patience = 10;
  double x[] = {3, 0.5, 4};
  double r[2];
  TEST_ASSERT_EQUAL_INT(DAE_MINIMIZE_DONE, dae_numeric_minimize(&problem, 80, x));
  circle(NULL, x, r);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0, r[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0, r[1]);
}

static void
test_least_squares_find_a_point_of_a_curve(void)
{
  double x[] = {3, 0.5, 4};
  double r[2];
  TEST_ASSERT_EQUAL_INT(DAE_MINIMIZE_DONE, dae_numeric_minimize(&circle_problem, 80, x));
  circle(NULL, x, r);
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0, r[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0, r[1]);
}

static bool
nowhere(void *user, const double *x, double *r)
{
  (void)user;
  (void)x;
  (void)r;
  return false;
}

static bool
over(void *user)
{
  (void)user;
  return true;
}

static void
test_ends_are_told_apart(void)
{
  DaeDenseProblem problem = circle_problem;
  double x[] = {3, 0.5, 4};
  problem.is_over = over;
  TEST_ASSERT_EQUAL_INT(DAE_MINIMIZE_STOPPED, dae_numeric_minimize(&problem, 80, x));
  TEST_ASSERT_FALSE(dae_numeric_newton(&problem, &limits, x));
  problem.residual = nowhere;
  TEST_ASSERT_EQUAL_INT(DAE_MINIMIZE_DOMAIN, dae_numeric_minimize(&problem, 80, x));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_dependent_rows_have_no_pivot_and_the_earlier_row_wins);
  RUN_TEST(test_tolerance_is_relative_to_the_row);
  RUN_TEST(test_units_do_not_make_a_matrix_singular);
  RUN_TEST(test_scaling_leaves_what_is_carried_along);
  RUN_TEST(test_what_follows_the_columns_is_carried_along);
  RUN_TEST(test_newton_moves_pivot_unknowns_only);
  RUN_TEST(test_newton_says_no_where_there_is_no_root);
  RUN_TEST(test_least_squares_end_where_the_sum_is_least);
  RUN_TEST(test_least_squares_end_where_the_sum_hardly_falls);
  RUN_TEST(test_patience_lasts_while_the_sum_falls);
  RUN_TEST(test_least_squares_find_a_point_of_a_curve);
  RUN_TEST(test_ends_are_told_apart);
  return UNITY_END();
}
