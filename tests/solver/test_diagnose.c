/* What the matrices say where a run ended. */
#include "solver/diagnose.h"

#include <unity.h>

#include "problems/problems.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
regular_point_has_no_small_pivot(void)
{
  DaeProblemSpace space;
  const DaeEvaluator *ev = dae_problem_open(&dae_problem_pendulum, &space);
  DaeWeakest weakest;
  TEST_ASSERT_TRUE(
      dae_solver_find_weakest(ev, NULL, 0.0, dae_problem_pendulum.start, &weakest));
  TEST_ASSERT_TRUE(weakest.pivot > 0.1);
}

/* x = y = 0: nothing determines the multiplier. */
static void
multiplier_of_a_pendulum_without_length_is_not_determined(void)
{
  DaeProblemSpace space;
  const DaeEvaluator *ev = dae_problem_open(&dae_problem_pendulum, &space);
  const double x[5] = {1e-9, 0.0, 0.0, 0.0, 1.0};
  DaeWeakest weakest;
  TEST_ASSERT_TRUE(dae_solver_find_weakest(ev, NULL, 0.0, x, &weakest));
  TEST_ASSERT_TRUE(weakest.pivot < 1e-8);
  TEST_ASSERT_EQUAL_UINT32(4, weakest.unknown);
  TEST_ASSERT_TRUE(weakest.row >= ev->n_diff);
}

static void
large_models_are_left_alone(void)
{
  static double x[7 * 60];
  DaeEvaluator *ev = dae_problem_chain_new(60, x);
  DaeWeakest weakest;
  TEST_ASSERT_FALSE(dae_solver_find_weakest(ev, NULL, 0.0, x, &weakest));
  dae_problem_chain_free(ev);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(regular_point_has_no_small_pivot);
  RUN_TEST(multiplier_of_a_pendulum_without_length_is_not_determined);
  RUN_TEST(large_models_are_left_alone);
  return UNITY_END();
}
