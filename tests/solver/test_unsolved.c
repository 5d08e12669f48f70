/* Fixed steps say where their few corrections did not solve the equations. */
#include <math.h>
#include <string.h>

#include "problems/problems.h"
#include "solver/solver.h"
#include "unity.h"

static const DaeMethod methods[] = {DAE_METHOD_BDF3, DAE_METHOD_AB3, DAE_METHOD_EULER,
                                    DAE_METHOD_IMPLICIT_EULER};

void
setUp(void)
{
}

void
tearDown(void)
{
}

static DaeSolverOptions
options_for(DaeMethod method, double step, double t_stop)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.method = method;
  options.step = step;
  options.t_stop = t_stop;
  return options;
}

static DaeSolverResult
run_problem(const DaeProblem *problem, const DaeSolverOptions *options, double *x)
{
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(problem, &space);
  memcpy(x, problem->start, sizeof(double) * evaluator->n);
  return dae_solver_run(evaluator, options, x, NULL, NULL, NULL);
}

static double
reference(const DaeProblem *problem)
{
  double x[DAE_TEMPLATE_MAX];
  DaeSolverOptions options = options_for(DAE_METHOD_RADAU, 0.0, problem->t_stop);
  options.rtol = options.atol = 1e-9;
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, run_problem(problem, &options, x).status);
  return x[0];
}

/* Every run that ends elsewhere by more than its step explains has said so, or has failed. */
static void
test_wrong_ends_are_told(void)
{
  static const double steps[] = {1e-3, 4e-4, 2e-4, 1e-4, 5e-5, 2e-5};
  const double right = reference(&dae_problem_rectifier);
  int told = 0;
  for (int m = 0; m < 4; m++) {
    for (int k = 0; k < 6; k++) {
      double x[DAE_TEMPLATE_MAX];
      const DaeSolverOptions options = options_for(methods[m], steps[k], 0.02);
      const DaeSolverResult result = run_problem(&dae_problem_rectifier, &options, x);
      const bool is_told = result.status != DAE_SOLVER_COMPLETED ||
                           result.stats.unsolved_steps + result.stats.coarse_steps > 0;
      TEST_ASSERT_TRUE(is_told || fabs(x[0] - right) < 0.1 * right);
      told += result.status == DAE_SOLVER_COMPLETED && is_told;
    }
  }
  TEST_ASSERT_GREATER_THAN_INT(3, told);
}

static void
test_the_first_one_has_its_equation(void)
{
  double x[DAE_TEMPLATE_MAX];
  const DaeSolverOptions options = options_for(DAE_METHOD_BDF3, 1e-4, 0.02);
  const DaeSolverStats stats = run_problem(&dae_problem_rectifier, &options, x).stats;
  TEST_ASSERT_GREATER_THAN_UINT64(0, stats.unsolved_steps);
  TEST_ASSERT_LESS_THAN_UINT64(stats.steps_accepted, stats.unsolved_steps);
  TEST_ASSERT_TRUE(stats.first_unsolved_step > 0.0 && stats.first_unsolved_step < 0.02);
  TEST_ASSERT_LESS_THAN_UINT32(2, stats.unsolved_row);
  TEST_ASSERT_LESS_THAN_UINT32(2, stats.unsolved_unknown);
}

/* The exponential overflows: no numbers with a good status. */
static void
test_a_step_to_no_numbers_has_failed(void)
{
  double x[DAE_TEMPLATE_MAX];
  const DaeSolverOptions options = options_for(DAE_METHOD_IMPLICIT_EULER, 1e-3, 0.02);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_NEWTON_FAILED,
                        run_problem(&dae_problem_rectifier, &options, x).status);
}

/* An explicit method beyond its limit of stability: every step solves its equations. */
static void
test_steps_to_and_fro_are_counted(void)
{
  double x[DAE_TEMPLATE_MAX];
  const DaeSolverOptions options = options_for(DAE_METHOD_EULER, 0.0101, 0.2);
  const DaeSolverResult result = run_problem(&dae_problem_prothero, &options, x);
  TEST_ASSERT_EQUAL_UINT64(0, result.stats.unsolved_steps);
  TEST_ASSERT_GREATER_THAN_UINT64(0, result.stats.coarse_steps);
}

/* Enough corrections, short steps: nothing to tell. */
static void
test_solved_steps_are_not_counted(void)
{
  double x[DAE_TEMPLATE_MAX];
  DaeSolverOptions options = options_for(DAE_METHOD_BDF3, 1e-5, 0.02);
  options.newton = 8;
  TEST_ASSERT_EQUAL_UINT64(
      0, run_problem(&dae_problem_rectifier, &options, x).stats.unsolved_steps);
}

/* Constraints that only projections keep, stiff transients: none of these is a failure. */
static void
test_other_problems_have_none(void)
{
  const struct {
    const DaeProblem *problem;
    double step, t_stop;
  } cases[] = {{&dae_problem_pendulum, 1e-3, 10.0},
               {&dae_problem_prothero, 1e-2, 2.0},
               {&dae_problem_car_axis, 1e-3, 1.0}};

  for (int k = 0; k < 3; k++) {
    double x[DAE_TEMPLATE_MAX];
    DaeSolverOptions options = options_for(DAE_METHOD_BDF3, cases[k].step, cases[k].t_stop);
    options.newton = 2;
    const DaeSolverResult result = run_problem(cases[k].problem, &options, x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, result.stats.unsolved_steps, cases[k].problem->name);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_wrong_ends_are_told);
  RUN_TEST(test_the_first_one_has_its_equation);
  RUN_TEST(test_a_step_to_no_numbers_has_failed);
  RUN_TEST(test_steps_to_and_fro_are_counted);
  RUN_TEST(test_solved_steps_are_not_counted);
  RUN_TEST(test_other_problems_have_none);
  return UNITY_END();
}
