/* Published and manufactured problems against reference values: digits at given
 * tolerances, dense and sparse. */
#include <math.h>
#include <stdlib.h>
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

static DaeSolverResult
run_problem(const DaeProblem *problem, double tolerance, int order, DaeLinear linear, double *x)
{
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(problem, &space);
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = tolerance;
  options.order = order;
  options.linear = linear;
  options.t_stop = problem->t_stop;
  memcpy(x, problem->start, sizeof(double) * evaluator->n);
  return dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
}

/* Fewest correct digits of the components first ... last, relative to max(|reference|, 1e-3). */
static double
digits(const DaeProblem *problem, const double *x, uint32_t first, uint32_t last)
{
  double worst = 0.0;
  for (uint32_t j = first; j <= last; j++) {
    double error = fabs(x[j] - problem->reference[j]) / fmax(fabs(problem->reference[j]), 1e-3);
    worst = fmax(worst, error);
  }
  return -log10(worst + 1e-16);
}

static const int orders[] = {5, 9, 13, 0};
static const DaeLinear kinds[] = {DAE_LINEAR_DENSE, DAE_LINEAR_SPARSE};

/* [003]: positions, velocities and multipliers of the index-3 problem, all right. */
static void
car_axis_has_right_positions_velocities_and_multipliers(void)
{
  for (int k = 0; k < 4; k++) {
    for (int m = 0; m < 2; m++) {
      double x[DAE_TEMPLATE_MAX];
      DaeSolverResult result = run_problem(&dae_problem_car_axis, 1e-7, orders[k], kinds[m], x);
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
      TEST_ASSERT_TRUE(digits(&dae_problem_car_axis, x, 0, 3) > 5.8);
      TEST_ASSERT_TRUE(digits(&dae_problem_car_axis, x, 4, 7) > 3.9);
      TEST_ASSERT_TRUE(digits(&dae_problem_car_axis, x, 8, 9) > 4.7);
      TEST_ASSERT_TRUE(result.stats.max_constraint_residual < 1e-9);
    }
  }
}

static void
car_axis_takes_some_hundred_steps(void)
{
  double x[DAE_TEMPLATE_MAX];
  DaeSolverResult result = run_problem(&dae_problem_car_axis, 1e-7, 0, DAE_LINEAR_AUTO, x);
  TEST_ASSERT_TRUE(result.stats.steps_accepted < 500);
  result = run_problem(&dae_problem_car_axis, 1e-4, 5, DAE_LINEAR_AUTO, x);
  TEST_ASSERT_TRUE(result.stats.steps_accepted < 800);
}

static void
delivered_error_follows_the_tolerance(void)
{
  for (int k = 0; k < 4; k++) {
    double last = 0.0;
    for (int e = 5; e <= 9; e += 2) {
      double x[DAE_TEMPLATE_MAX];
      run_problem(&dae_problem_car_axis, pow(10.0, -e), orders[k], DAE_LINEAR_AUTO, x);
      double now = digits(&dae_problem_car_axis, x, 0, 3);
      TEST_ASSERT_TRUE(now > e - 1.0);
      TEST_ASSERT_TRUE(now > last);
      last = now;
    }
  }
}

static void
andrews_squeezer_has_right_angles_and_multipliers(void)
{
  for (int k = 0; k < 4; k++) {
    double x[DAE_TEMPLATE_MAX];
    DaeSolverResult result =
        run_problem(&dae_problem_andrews, 1e-7, orders[k], DAE_LINEAR_AUTO, x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_TRUE(digits(&dae_problem_andrews, x, 0, 6) > 6.0);
    TEST_ASSERT_TRUE(digits(&dae_problem_andrews, x, 7, 13) > 5.0);
    TEST_ASSERT_TRUE(digits(&dae_problem_andrews, x, 21, 26) > 5.0);
  }
}

static void
slider_crank_starts_from_positions_alone(void)
{
  for (int m = 0; m < 2; m++) {
    double x[DAE_TEMPLATE_MAX];
    DaeSolverResult result = run_problem(&dae_problem_slider_crank, 1e-8, 0, kinds[m], x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_TRUE(digits(&dae_problem_slider_crank, x, 0, 10) > 6.0);
  }
}

static void
stiff_problems_take_few_steps(void)
{
  const DaeProblem *problems[] = {&dae_problem_van_der_pol, &dae_problem_robertson,
                                  &dae_problem_prothero};
  const uint64_t most[] = {2500, 500, 30};
  for (int p = 0; p < 3; p++) {
    for (int k = 0; k < 4; k++) {
      for (int m = 0; m < 2; m++) {
        double x[DAE_TEMPLATE_MAX];
        DaeSolverResult result = run_problem(problems[p], 1e-7, orders[k], kinds[m], x);
        TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
        TEST_ASSERT_TRUE(result.stats.steps_accepted < most[p]);
        TEST_ASSERT_TRUE(digits(problems[p], x, 0, problems[p]->template->n - 1) > 6.0);
      }
    }
  }
}

static void
leading_matrix_of_state_and_time_is_treated_fully(void)
{
  for (int k = 0; k < 4; k++) {
    for (int m = 0; m < 2; m++) {
      double x[DAE_TEMPLATE_MAX];
      DaeSolverResult result =
          run_problem(&dae_problem_manufactured, 1e-8, orders[k], kinds[m], x);
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
      TEST_ASSERT_TRUE(digits(&dae_problem_manufactured, x, 0, 2) > 6.0);
      TEST_ASSERT_TRUE(result.stats.steps_accepted < 300);
    }
  }
}

static void
algebraic_equations_among_the_rows_are_solved(void)
{
  for (int k = 0; k < 4; k++) {
    for (int m = 0; m < 2; m++) {
      double x[DAE_TEMPLATE_MAX];
      DaeSolverResult result =
          run_problem(&dae_problem_index_one, 1e-8, orders[k], kinds[m], x);
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
      TEST_ASSERT_TRUE(digits(&dae_problem_index_one, x, 0, 2) > 7.0);
    }
  }
}

static void
redundant_constraints_do_no_harm_and_are_counted(void)
{
  for (int k = 0; k < 4; k++) {
    for (int m = 0; m < 2; m++) {
      double x[DAE_TEMPLATE_MAX];
      DaeSolverResult result =
          run_problem(&dae_problem_redundant, 1e-7, orders[k], kinds[m], x);
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
      TEST_ASSERT_TRUE(result.stats.redundant_constraints >= (m == 0 ? 3 : 1));
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.0, x[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0, x[1]);
    }
  }
}

static void
run_chain(uint32_t n, DaeLinear linear, double t_stop, DaeSolverResult *result, double *x)
{
  DaeEvaluator *evaluator = dae_problem_chain_new(n, x);
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = 1e-7;
  options.linear = linear;
  options.t_stop = t_stop;
  *result = dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
  dae_problem_chain_free(evaluator);
}

static void
dense_and_sparse_agree_on_a_chain(void)
{
  double x[42];
  double y[42];
  DaeSolverResult result;
  run_chain(6, DAE_LINEAR_DENSE, 2.0, &result, x);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  run_chain(6, DAE_LINEAR_SPARSE, 2.0, &result, y);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  for (int j = 0; j < 42; j++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * fmax(1.0, fabs(x[j])), x[j], y[j]);
  }
}

static bool
count_states(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  uint32_t *counts = user;
  (void)t;
  (void)x;
  (void)xdot;
  uint32_t sum = 0;
  for (uint32_t j = 0; j < 140; j++) {
    sum += states[j];
  }
  counts[0] += sum == 40;
  counts[1]++;
  return true;
}

static void
large_models_tell_their_states_when_asked(void)
{
  double x[140];
  uint32_t counts[2] = {0};
  DaeEvaluator *evaluator = dae_problem_chain_new(20, x);
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.states = true;
  options.interval = 0.1;
  DaeSolverResult result = dae_solver_run(evaluator, &options, x, NULL, count_states, counts);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_EQUAL_UINT32(11, counts[1]);
  TEST_ASSERT_EQUAL_UINT32(11, counts[0]);
  dae_problem_chain_free(evaluator);
}

/* The energy of the chain is 0 at the start. */
static void
chain_of_300_pendula_keeps_its_energy(void)
{
  const uint32_t n = 300;
  double *x = calloc(7 * (size_t)n, sizeof(double));
  DaeSolverResult result;
  run_chain(n, DAE_LINEAR_AUTO, 0.2, &result, x);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  double energy = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    const double *link = x + 7 * i;
    energy += 0.5 * (link[2] * link[2] + link[3] * link[3]) + 9.81 * link[1];
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.0, energy);
  TEST_ASSERT_TRUE(result.stats.max_constraint_residual < 1e-9);
  free(x);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(car_axis_has_right_positions_velocities_and_multipliers);
  RUN_TEST(car_axis_takes_some_hundred_steps);
  RUN_TEST(delivered_error_follows_the_tolerance);
  RUN_TEST(andrews_squeezer_has_right_angles_and_multipliers);
  RUN_TEST(slider_crank_starts_from_positions_alone);
  RUN_TEST(stiff_problems_take_few_steps);
  RUN_TEST(leading_matrix_of_state_and_time_is_treated_fully);
  RUN_TEST(algebraic_equations_among_the_rows_are_solved);
  RUN_TEST(redundant_constraints_do_no_harm_and_are_counted);
  RUN_TEST(dense_and_sparse_agree_on_a_chain);
  RUN_TEST(large_models_tell_their_states_when_asked);
  RUN_TEST(chain_of_300_pendula_keeps_its_energy);
  return UNITY_END();
}
