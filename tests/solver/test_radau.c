#include <math.h>
#include <string.h>
#include <unity.h>

#include "problems/problems.h"
#include "solver/solver.h"

#define GRAVITY 13.7503716373294544

void
setUp(void)
{
}

void
tearDown(void)
{
}

static DaeSolverResult
run_problem(const DaeProblem *problem, double tolerance, int order, double t_stop, double *x)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = tolerance;
  options.atol = tolerance;
  options.order = order;
  options.t_stop = t_stop;
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(problem, &space);
  memcpy(x, problem->start, sizeof(double) * evaluator->n);
  return dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
}

static double
energy(const double *x)
{
  return 0.5 * (x[2] * x[2] + x[3] * x[3]) + GRAVITY * x[1];
}

/* [001, Table 1] */
static void
pendulum_100_seconds_meets_the_bar_of_the_paper(void)
{
  const int orders[] = {5, 9, 13, 0};
  for (int k = 0; k < 4; k++) {
    double x[5];
    DaeSolverResult result = run_problem(&dae_problem_pendulum, 1e-7, orders[k], 100.0, x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_TRUE(result.stats.t == 100.0);
    TEST_ASSERT_TRUE(fabs(energy(x)) <= 1.1e-6);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.0, x[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, x[1]);
    TEST_ASSERT_TRUE(result.stats.max_constraint_residual < 1e-9);
    TEST_ASSERT_TRUE(result.stats.state_selections > 100);
  }
}

/* [001, Table 2] */
static void
pendulum_1000_seconds_meets_the_bar_of_the_paper(void)
{
  const int orders[] = {5, 9, 13, 0};
  for (int k = 0; k < 4; k++) {
    double x[5];
    DaeSolverResult result = run_problem(&dae_problem_pendulum, 1e-7, orders[k], 1000.0, x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_TRUE(fabs(energy(x)) <= 1.9e-5);
    TEST_ASSERT_TRUE(result.stats.max_constraint_residual < 1e-9);
  }
}

static void
energy_as_invariant_is_kept_to_round_off(void)
{
  double x[5];
  DaeSolverResult result = run_problem(&dae_problem_pendulum_energy, 1e-7, 5, 99.7, x);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, energy(x));
}

int
main(void)
{
  UNITY_BEGIN();
  dae_solver_init();
  RUN_TEST(pendulum_100_seconds_meets_the_bar_of_the_paper);
  RUN_TEST(pendulum_1000_seconds_meets_the_bar_of_the_paper);
  RUN_TEST(energy_as_invariant_is_kept_to_round_off);
  return UNITY_END();
}
