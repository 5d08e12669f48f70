/* Observed orders by dividing constant steps: counted, not timed. */
#include <math.h>
#include <string.h>
#include <unity.h>

#include "problems/problems.h"
#include "solver/solver.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* Largest error of the components in `mask` at t_stop after constant steps. */
static double
error_with_steps(const DaeProblem *problem, int order, DaeLinear linear, double t_stop,
                 double step, const double *reference, uint32_t mask)
{
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(problem, &space);
  DaeSolverOptions options;
  double x[DAE_TEMPLATE_MAX];
  dae_solver_default_options(&options);
  options.rtol = options.atol = 1e-13;
  options.order = order;
  options.linear = linear;
  options.t_stop = t_stop;
  options.step = step;
  memcpy(x, problem->start, sizeof(double) * evaluator->n);
  DaeSolverResult result = dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_EQUAL_UINT64((uint64_t)ceil(t_stop / step - 1e-9), result.stats.steps_accepted);
  double worst = 0.0;
  for (uint32_t j = 0; j < evaluator->n; j++) {
    if (mask >> j & 1) {
      worst = fmax(worst, fabs(x[j] - reference[j]));
    }
  }
  return worst;
}

static double
observed_order(const DaeProblem *problem, int order, DaeLinear linear, double t_stop,
               double step, double divisor, const double *reference, uint32_t mask)
{
  double coarse = error_with_steps(problem, order, linear, t_stop, step, reference, mask);
  double fine =
      error_with_steps(problem, order, linear, t_stop, step / divisor, reference, mask);
  return log(coarse / fine) / log(divisor);
}

static void
orders_5_9_13_are_observed_on_a_linear_problem(void)
{
  const int orders[] = {5, 9, 13};
  const double steps[] = {0.5, 1.0, 2.0};
  for (int k = 0; k < 3; k++) {
    for (int linear = DAE_LINEAR_DENSE; linear <= DAE_LINEAR_SPARSE; linear++) {
      double seen = observed_order(&dae_problem_oscillator, orders[k], (DaeLinear)linear, 12.0,
                                   steps[k], 2.0, dae_problem_oscillator.reference, 0x7);
      TEST_ASSERT_DOUBLE_WITHIN(1.2, orders[k], seen);
    }
  }
}

/* Index 3 reduced: positions, velocities and the multiplier after one period of the pendulum. */
static void
orders_5_and_9_are_observed_on_the_pendulum(void)
{
  /* the printed gravity gives the period 2 to 9.4e-11 only: docs/errata.md */
  const double period[] = {1.0, 0.0, 0.0, -1.2887e-9, 0.0};
  const int orders[] = {5, 9};
  const double steps[] = {1.0 / 40.0, 1.0 / 20.0};
  for (int k = 0; k < 2; k++) {
    for (int linear = DAE_LINEAR_DENSE; linear <= DAE_LINEAR_SPARSE; linear++) {
      double seen = observed_order(&dae_problem_pendulum, orders[k], (DaeLinear)linear, 2.0,
                                   steps[k], 2.0, period, 0x13);
      TEST_ASSERT_DOUBLE_WITHIN(1.0, orders[k], seen);
    }
  }
}

static void
order_5_is_observed_with_a_leading_matrix_of_state_and_time(void)
{
  double seen = observed_order(&dae_problem_manufactured, 5, DAE_LINEAR_DENSE, 3.0, 0.0375, 4.0,
                               dae_problem_manufactured.reference, 0x7);
  TEST_ASSERT_TRUE(seen > 4.4);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(orders_5_9_13_are_observed_on_a_linear_problem);
  RUN_TEST(orders_5_and_9_are_observed_on_the_pendulum);
  RUN_TEST(order_5_is_observed_with_a_leading_matrix_of_state_and_time);
  return UNITY_END();
}
