#include "numeric/numeric.h"
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

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_more_rows_than_unknowns);
  RUN_TEST(test_rows_are_chosen_anew_where_they_become_singular);
  RUN_TEST(test_singular_matrices_are_told);
  return UNITY_END();
}
