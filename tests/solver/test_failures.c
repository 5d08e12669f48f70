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

static DaeSolverResult
run_problem(const DaeProblem *problem, int order, double *x)
{
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(problem, &space);
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = 1e-7;
  options.order = order;
  options.t_stop = problem->t_stop;
  memcpy(x, problem->start, sizeof(double) * evaluator->n);
  return dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
}

static const int orders[] = {5, 9, 13, 0};

static void
pole_ends_at_its_time(void)
{
  for (int k = 0; k < 4; k++) {
    double x[1];
    DaeSolverResult result = run_problem(&dae_problem_blow_up, orders[k], x);
    TEST_ASSERT_TRUE(result.status != DAE_SOLVER_COMPLETED);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.0, result.stats.t);
    TEST_ASSERT_TRUE(x[0] > 1e6);
  }
}

static void
impasse_point_ends_at_its_time(void)
{
  for (int k = 0; k < 4; k++) {
    double x[1];
    DaeSolverResult result = run_problem(&dae_problem_impasse, orders[k], x);
    TEST_ASSERT_TRUE(result.status != DAE_SOLVER_COMPLETED);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.0, result.stats.t);
    TEST_ASSERT_TRUE(fabs(x[0]) < 1e-2);
  }
}

static void
edge_of_a_domain_names_time_and_row(void)
{
  for (int k = 0; k < 4; k++) {
    double x[2];
    DaeSolverResult result = run_problem(&dae_problem_domain, orders[k], x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_DOMAIN, result.status);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.0, result.stats.t);
    TEST_ASSERT_EQUAL_UINT32(1, result.worst_row); /* the constraint */
  }
}

static void
inconsistent_start_names_the_constraint(void)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  const double gravity_free[] = {0.0, 0.0, 1.0, 0.0,
                                 0.0}; /* no length: x^2 + y^2 = 1 has no direction to go */
  double x[5];
  memcpy(x, gravity_free, sizeof(x));
  DaeSolverResult result =
      dae_solver_run(dae_problem_pendulum.evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_TRUE(result.status == DAE_SOLVER_NO_START ||
                   result.status == DAE_SOLVER_SINGULAR);
}

static void
limits_are_kept(void)
{
  DaeSolverOptions options;
  double x[5];
  dae_solver_default_options(&options);
  options.max_steps = 10;
  memcpy(x, dae_problem_pendulum.start, sizeof(x));
  DaeSolverResult result =
      dae_solver_run(dae_problem_pendulum.evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_TOO_MANY_STEPS, result.status);
  TEST_ASSERT_EQUAL_UINT64(10, result.stats.steps_accepted);
  dae_solver_default_options(&options);
  options.max_step = 1e-3;
  memcpy(x, dae_problem_pendulum.start, sizeof(x));
  result = dae_solver_run(dae_problem_pendulum.evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_TRUE(result.stats.steps_accepted >= 1000);
  dae_solver_default_options(&options);
  options.rtol = options.atol = 1e-12;
  options.order = 5;
  options.min_step = 0.1;
  memcpy(x, dae_problem_pendulum.start, sizeof(x));
  result = dae_solver_run(dae_problem_pendulum.evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_TRUE(result.status != DAE_SOLVER_COMPLETED);
}

static void
bad_options_are_refused(void)
{
  double x[5];
  for (int k = 0; k < 6; k++) {
    DaeSolverOptions options;
    dae_solver_default_options(&options);
    options.rtol = k == 0 ? -1.0 : k == 1 ? NAN : 1e-6;
    options.t_stop = k == 2 ? -1.0 : k == 3 ? INFINITY : 1.0;
    options.order = k == 4 ? 7 : 0;
    options.interval = k == 5 ? -0.5 : 0.0;
    memcpy(x, dae_problem_pendulum.start, sizeof(x));
    DaeSolverResult result =
        dae_solver_run(dae_problem_pendulum.evaluator, &options, x, NULL, NULL, NULL);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_BAD_OPTIONS, result.status);
  }
}

static int
give_up(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
        DaeOut *out)
{
  if (t[0] > 0.5) {
    return -1;
  }
  return dae_problem_pendulum.evaluator->eval(self, scratch, lanes, t, x, out);
}

static void
fatal_evaluation_ends_the_run(void)
{
  DaeEvaluator evaluator = *dae_problem_pendulum.evaluator;
  evaluator.eval = give_up;
  DaeSolverOptions options;
  double x[5];
  dae_solver_default_options(&options);
  memcpy(x, dae_problem_pendulum.start, sizeof(x));
  DaeSolverResult result = dae_solver_run(&evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_DOMAIN, result.status);
  TEST_ASSERT_TRUE(result.stats.t < 0.7 && result.stats.t > 0.2);
}

static void
every_status_has_a_text(void)
{
  for (int k = DAE_SOLVER_COMPLETED; k <= DAE_SOLVER_NO_START; k++) {
    TEST_ASSERT_TRUE(strlen(dae_solver_status_text((DaeSolverStatus)k)) > 5);
  }
}

/* x' = -x, u + w = sin(t), u + (1 + d) w = sin(t) + d x, so that w = x: a pivot of size d, which
 * among as many equations as unknowns is no redundancy. */
#define NEARLY_EQUAL 1e-12

static int
near_eval(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
          DaeOut *out)
{
  (void)self;
  (void)scratch;
  for (unsigned l = 0; l < lanes; l++) {
    const double state = x[l];
    const double u = x[lanes + l];
    const double w = x[2 * lanes + l];
    if (out->f != NULL) {
      out->f[l] = -state;
    }
    if (out->m != NULL) {
      out->m[l] = 1.0;
    }
    if (out->g != NULL) {
      out->g[l] = u + w - sin(t[l]);
      out->g[lanes + l] = u + w - sin(t[l]) + NEARLY_EQUAL * (w - state);
    }
  }
  return 0;
}

static int
near_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
         DaeJac *out)
{
  (void)self;
  (void)scratch;
  (void)x;
  (void)xdot;
  const double gx[] = {1.0, 1.0, -NEARLY_EQUAL, 1.0, 1.0 + NEARLY_EQUAL};
  const double gt[] = {-cos(t), -cos(t)};
  if (out->k != NULL) {
    out->k[0] = -1.0;
  }
  if (out->m != NULL) {
    out->m[0] = 1.0;
  }
  if (out->gx != NULL) {
    memcpy(out->gx, gx, sizeof gx);
  }
  if (out->gt != NULL) {
    memcpy(out->gt, gt, sizeof gt);
  }
  if (out->ft != NULL) {
    out->ft[0] = 0.0;
  }
  return 0;
}

static void
small_pivots_of_a_square_system_are_none_too_many(void)
{
  const uint32_t first[] = {0, 1};
  const uint32_t zero[] = {0};
  const uint32_t rows[] = {0, 2, 5};
  const uint32_t columns[] = {1, 2, 0, 1, 2};
  const DaeEvaluator evaluator = {.n = 3,
                                  .n_diff = 1,
                                  .n_con = 2,
                                  .mass = {1, 3, first, zero},
                                  .dynamics = {1, 3, first, zero},
                                  .constraint = {2, 3, rows, columns},
                                  .scratch_size = 64,
                                  .eval = near_eval,
                                  .jac = near_jac};
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = 1e-6;
  double x[] = {1.0, -1.0, 1.0};
  DaeSolverResult result = dae_solver_run(&evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, exp(-1.0), x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, exp(-1.0), x[2]); /* what is left of the digits */
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(pole_ends_at_its_time);
  RUN_TEST(impasse_point_ends_at_its_time);
  RUN_TEST(edge_of_a_domain_names_time_and_row);
  RUN_TEST(inconsistent_start_names_the_constraint);
  RUN_TEST(limits_are_kept);
  RUN_TEST(bad_options_are_refused);
  RUN_TEST(fatal_evaluation_ends_the_run);
  RUN_TEST(every_status_has_a_text);
  RUN_TEST(small_pivots_of_a_square_system_are_none_too_many);
  return UNITY_END();
}
