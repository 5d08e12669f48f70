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
    TEST_ASSERT_TRUE(result.stats.state_selections > 50);
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

static int
algebraic_eval(const void *self, void *scratch, unsigned lanes, const double *t,
               const double *x, DaeOut *out)
{
  (void)self;
  (void)scratch;
  for (unsigned l = 0; out->g != NULL && l < lanes; l++) {
    out->g[l] = x[l] * x[l] * x[l] + x[l] - sin(t[l]);
  }
  return 0;
}

static int
algebraic_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
              DaeJac *out)
{
  (void)self;
  (void)scratch;
  (void)xdot;
  if (out->gx != NULL) {
    out->gx[0] = 3.0 * x[0] * x[0] + 1.0;
  }
  if (out->gt != NULL) {
    out->gt[0] = -cos(t);
  }
  return 0;
}

static bool
check_algebraic(void *user, double t, const double *x, const double *xdot,
                const uint8_t *states)
{
  double *worst = user;
  (void)states;
  *worst = fmax(*worst, fabs(x[0] * x[0] * x[0] + x[0] - sin(t)));
  *worst = fmax(*worst, fabs((3.0 * x[0] * x[0] + 1.0) * xdot[0] - cos(t)));
  return true;
}

static void
systems_without_dynamics_are_solved_at_each_point(void)
{
  static const uint32_t starts[] = {0, 1};
  static const uint32_t columns[] = {0};
  DaeEvaluator evaluator = {.n = 1,
                            .n_con = 1,
                            .mass = {0, 1, starts, columns},
                            .dynamics = {0, 1, starts, columns},
                            .constraint = {1, 1, starts, columns},
                            .eval = algebraic_eval,
                            .jac = algebraic_jac};
  for (int linear = DAE_LINEAR_DENSE; linear <= DAE_LINEAR_SPARSE; linear++) {
    DaeSolverOptions options;
    dae_solver_default_options(&options);
    options.linear = (DaeLinear)linear;
    options.t_stop = 20.0;
    options.interval = 0.1;
    double x[1] = {0.0};
    double worst = 0.0;
    DaeSolverResult result =
        dae_solver_run(&evaluator, &options, x, NULL, check_algebraic, &worst);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_TRUE(worst < 1e-9);
  }
}

static int
nothing_eval(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
             DaeOut *out)
{
  (void)self;
  (void)scratch;
  (void)lanes;
  (void)t;
  (void)x;
  (void)out;
  return 0;
}

static int
nothing_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
            DaeJac *out)
{
  (void)self;
  (void)scratch;
  (void)t;
  (void)x;
  (void)xdot;
  (void)out;
  return 0;
}

static void
empty_system_runs_to_the_end(void)
{
  static const uint32_t starts[] = {0};
  DaeEvaluator evaluator = {.mass = {0, 0, starts, starts},
                            .dynamics = {0, 0, starts, starts},
                            .constraint = {0, 0, starts, starts},
                            .eval = nothing_eval,
                            .jac = nothing_jac};
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  double x[1] = {0.0};
  DaeSolverResult result = dae_solver_run(&evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_TRUE(result.stats.t == 1.0);
}

/* The error of a stiff component is seen through (I - h gamma J)^-1 once more
 * [HairerWanner96, eq. 8.20]; without the second filter the first step, far too long for the
 * transient, is rejected again and again. */
static void
the_second_filter_accepts_long_first_steps_of_stiff_problems(void)
{
  static const double steps[] = {1e-4, 1e-3, 1e-2, 1e-1};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    DaeSolverOptions options;
    dae_solver_default_options(&options);
    options.rtol = options.atol = 1e-4;
    options.order = 5;
    options.t_stop = 2.0;
    options.initial_step = steps[k];
    options.max_steps = 1;
    DaeProblemSpace space;
    const DaeEvaluator *evaluator = dae_problem_open(&dae_problem_prothero, &space);
    double x[1] = {1.0 + 1e-4};
    DaeSolverResult result = dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
    TEST_ASSERT_EQUAL_UINT64(0, result.stats.steps_rejected);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_TOO_MANY_STEPS, result.status);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(pendulum_100_seconds_meets_the_bar_of_the_paper);
  RUN_TEST(pendulum_1000_seconds_meets_the_bar_of_the_paper);
  RUN_TEST(systems_without_dynamics_are_solved_at_each_point);
  RUN_TEST(the_second_filter_accepts_long_first_steps_of_stiff_problems);
  RUN_TEST(empty_system_runs_to_the_end);
  RUN_TEST(energy_as_invariant_is_kept_to_round_off);
  return UNITY_END();
}
