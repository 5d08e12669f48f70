#include "numeric/numeric.h"
#include <string.h>

#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static const uint32_t starts[] = {0, 2, 4, 6};
static const uint32_t columns[] = {0, 1, 0, 1, 0, 1};

static void
test_more_rows_than_unknowns(void)
{
  /* the second row is twice the first one: the third one is needed */
  const double values[] = {1, 2, 2, 4, 1, -1};
  const double right[] = {5, 10, -1};
  double x[2];
  DaePattern pattern = {3, 2, starts, columns};
  DaeRowSolver *solver = dae_row_solver_new(&pattern);
  TEST_ASSERT_TRUE(dae_row_solver_factor(solver, values));
  dae_row_solver_solve(solver, right, x);
  TEST_ASSERT_EQUAL_DOUBLE(1, x[0]);
  TEST_ASSERT_EQUAL_DOUBLE(2, x[1]);
  dae_row_solver_free(solver);
}

/* Two rows that differ by 1e-11: the last resort, where no others determine the second unknown. */
static void
test_rows_that_are_hardly_independent_are_the_last_ones(void)
{
  const uint32_t row_start[] = {0, 2, 4, 6};
  const uint32_t column[] = {0, 1, 0, 1, 0, 1};
  const DaePattern pattern = {3, 2, row_start, column};
  const double values[] = {1, 1, 1, 1 + 1e-11, 2, 2};
  const double right[] = {3, 3 + 2e-11, 6};
  const double other[] = {1, 1, 1, 1 + 1e-11, 1, -1};
  const double right_of_other[] = {3, 3 + 2e-11, -1};
  double x[2];
  DaeRowSolver *solver = dae_row_solver_new(&pattern);
  TEST_ASSERT_TRUE(dae_row_solver_factor(solver, values));
  dae_row_solver_solve(solver, right, x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 1, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 2, x[1]);
  dae_row_solver_free(solver);
  solver = dae_row_solver_new(&pattern);
  TEST_ASSERT_TRUE(dae_row_solver_factor(solver, other));
  dae_row_solver_solve(solver, right_of_other, x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1, x[0]); /* from the first and the last row */
  dae_row_solver_free(solver);
}

static void
test_rows_are_chosen_anew_where_they_become_singular(void)
{
  const double first[] = {1, 2, 3, 4, 1, 2};
  const double then[] = {1, 2, 2, 4, 1, -1};
  const double right[] = {5, 10, -1};
  double x[2];
  DaePattern pattern = {3, 2, starts, columns};
  DaeRowSolver *solver = dae_row_solver_new(&pattern);
  TEST_ASSERT_TRUE(dae_row_solver_factor(solver, first));
  TEST_ASSERT_TRUE(dae_row_solver_factor(solver, then));
  dae_row_solver_solve(solver, right, x);
  TEST_ASSERT_EQUAL_DOUBLE(2, x[1]);
  dae_row_solver_free(solver);
}

static void
test_singular_matrices_are_told(void)
{
  const double values[] = {1, 2, 2, 4, 3, 6};
  const double good[] = {1, 0, 0, 1, 0, 0};
  DaePattern pattern = {3, 2, starts, columns};
  DaePattern square = {2, 2, starts, columns};
  DaeRowSolver *solver = dae_row_solver_new(&pattern);
  TEST_ASSERT_FALSE(dae_row_solver_factor(solver, values));
  TEST_ASSERT_TRUE(dae_row_solver_factor(solver, good));
  dae_row_solver_free(solver);
  solver = dae_row_solver_new(&square);
  TEST_ASSERT_FALSE(dae_row_solver_factor(solver, values));
  TEST_ASSERT_TRUE(dae_row_solver_factor(solver, good));
  dae_row_solver_free(solver);
  dae_row_solver_free(NULL);
}

/* x^2 + y^2 = 25, x = y + 1, and twice the second one: 4, 3. Or x^2 + y^2 = -25: none. */
static int
circle(const void *self, void *scratch, const double *x, double *r)
{
  (void)scratch;
  r[0] = x[0] * x[0] + x[1] * x[1] - *(const double *)self;
  r[1] = x[0] - x[1] - 1;
  r[2] = 2 * r[1];
  return 0;
}

static int
slopes_of_circle(const void *self, void *scratch, const double *x, double *values)
{
  (void)self;
  (void)scratch;
  const double all[] = {2 * x[0], 2 * x[1], 1, -1, 2, -2};
  memcpy(values, all, sizeof all);
  return 0;
}

static void
test_newton_ends_at_a_zero_or_says_that_it_does_not(void)
{
  const double nominal[] = {1, 1};
  for (int sign = -1; sign <= 1; sign += 2) {
    double square = 25.0 * sign;
    DaeRootProblem problem = {.n = 2,
                              .m = 3,
                              .pattern = {3, 2, starts, columns},
                              .self = &square,
                              .residual = circle,
                              .jacobian = slopes_of_circle};
    DaeRowSolver *solver = dae_row_solver_new(&problem.pattern);
    double x[2] = {5, 2};
    uint64_t operations = 0;
    bool found = dae_row_solver_newton(solver, &problem, nominal, x, &operations);
    TEST_ASSERT_EQUAL(sign > 0, found);
    TEST_ASSERT_GREATER_THAN_UINT64(0, operations);
    if (found) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-14, 4, x[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-14, 3, x[1]);
    }
    dae_row_solver_free(solver);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_more_rows_than_unknowns);
  RUN_TEST(test_rows_that_are_hardly_independent_are_the_last_ones);
  RUN_TEST(test_rows_are_chosen_anew_where_they_become_singular);
  RUN_TEST(test_singular_matrices_are_told);
  RUN_TEST(test_newton_ends_at_a_zero_or_says_that_it_does_not);
  return UNITY_END();
}
