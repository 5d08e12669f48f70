#include <math.h>
#include <stdlib.h>
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

typedef struct {
  uint32_t count, stop_after, n_states;
  double t[4096];
  double worst_constraint, worst_acceleration, worst_position;
  uint32_t selections;
  uint8_t last[5];
} Points;

/* Position of the pendulum by symmetry: x(t) = x(2 - t), x(t + 1) = -x(1 - t). */
static bool
note_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  Points *p = user;
  if (p->count < 4096) {
    p->t[p->count] = t;
  }
  const double g[] = {x[0] * x[0] + x[1] * x[1] - 1.0, x[0] * x[2] + x[1] * x[3],
                      x[2] * x[2] + x[3] * x[3] - 2.0 * x[4] * (x[0] * x[0] + x[1] * x[1]) -
                          GRAVITY * x[1]};
  for (int i = 0; i < 3; i++) {
    p->worst_constraint = fmax(p->worst_constraint, fabs(g[i]));
  }
  const double rows[] = {xdot[0] - x[2], xdot[1] - x[3], xdot[2] + 2.0 * x[0] * x[4],
                         xdot[3] + 2.0 * x[1] * x[4] + GRAVITY};
  for (int i = 0; i < 4; i++) {
    p->worst_acceleration = fmax(p->worst_acceleration, fabs(rows[i]));
  }
  p->worst_position =
      fmax(p->worst_position, fabs(0.5 * (x[2] * x[2] + x[3] * x[3]) + GRAVITY * x[1]));
  uint32_t sum = 0;
  for (int j = 0; j < 5; j++) {
    sum += states[j];
  }
  p->n_states = sum;
  if (p->count > 0 && memcmp(states, p->last, 5) != 0) {
    p->selections++;
  }
  memcpy(p->last, states, 5);
  p->count++;
  return p->stop_after == 0 || p->count < p->stop_after;
}

static DaeSolverResult
run_pendulum(int order, double tolerance, double interval, double t_start, double t_stop,
             Points *points, double *x)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = tolerance;
  options.order = order;
  options.t_start = t_start;
  options.t_stop = t_stop;
  options.interval = interval;
  memcpy(x, dae_problem_pendulum.start, sizeof(double) * 5);
  return dae_solver_run(dae_problem_pendulum.evaluator, &options, x, NULL, note_point, points);
}

static void
output_times_are_exact_multiples_of_the_interval(void)
{
  Points points = {0};
  double x[5];
  DaeSolverResult result = run_pendulum(0, 1e-6, 0.1, -0.3, 1.75, &points, x);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_EQUAL_UINT32(22, points.count);
  for (uint32_t k = 0; k < 21; k++) {
    TEST_ASSERT_TRUE(points.t[k] == -0.3 + k / 10.0);
  }
  TEST_ASSERT_TRUE(points.t[21] == 1.75);
}

static void
last_point_is_not_given_twice(void)
{
  Points points = {0};
  double x[5];
  run_pendulum(0, 1e-6, 0.1, 0.0, 0.3, &points, x); /* 3 * 0.1 > 0.3 in doubles */
  TEST_ASSERT_EQUAL_UINT32(4, points.count);
  TEST_ASSERT_TRUE(points.t[3] == 0.3);
}

static void
points_lie_on_the_constraints_with_consistent_derivatives(void)
{
  const int orders[] = {5, 9, 13, 0};
  const double tolerances[] = {1e-4, 1e-7, 1e-10};
  for (int k = 0; k < 4; k++) {
    for (int m = 0; m < 3; m++) {
      Points points = {0};
      double x[5];
      run_pendulum(orders[k], tolerances[m], 0.013, 0.0, 4.0, &points, x);
      TEST_ASSERT_TRUE(points.worst_constraint < 1e-9);
      TEST_ASSERT_TRUE(points.worst_acceleration < 1e-9);
      TEST_ASSERT_EQUAL_UINT32(2, points.n_states);
      TEST_ASSERT_TRUE(points.selections >= 4);
    }
  }
}

/* The energy at points inside the steps is as good as at their ends. */
static void
points_inside_steps_are_as_accurate_as_the_tolerance(void)
{
  const int orders[] = {5, 9, 13, 0};
  const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
  for (int k = 0; k < 4; k++) {
    for (int m = 0; m < 4; m++) {
      Points points = {0};
      double x[5];
      run_pendulum(orders[k], tolerances[m], 0.0131, 0.0, 4.0, &points, x);
      TEST_ASSERT_TRUE(points.worst_position < 50.0 * tolerances[m]);
    }
  }
}

/* Of x' = -1e6 (x - cos t) - sin t: the estimate of the error does not see how long a step is. */
static bool
note_cosine(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  (void)xdot;
  (void)states;
  double *worst = user;
  *worst = fmax(*worst, fabs(x[0] - cos(t)));
  return true;
}

static void
points_inside_steps_of_stiff_unknowns_are_as_accurate(void)
{
  const int orders[] = {5, 9, 13, 0};
  const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-9};
  for (int k = 0; k < 4; k++) {
    for (int m = 0; m < 5; m++) {
      DaeSolverOptions options;
      dae_solver_default_options(&options);
      options.rtol = options.atol = tolerances[m];
      options.order = orders[k];
      options.t_stop = 20.0;
      options.interval = 0.0131;
      DaeProblemSpace space;
      double x[1] = {1.0};
      double worst = 0.0;
      DaeSolverResult result = dae_solver_run(dae_problem_open(&dae_problem_prothero, &space),
                                              &options, x, NULL, note_cosine, &worst);
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
      TEST_ASSERT_TRUE(worst < 10.0 * tolerances[m]);
    }
  }
}

static void
every_step_is_given_without_an_interval(void)
{
  Points points = {0};
  double x[5];
  DaeSolverResult result = run_pendulum(5, 1e-6, 0.0, 0.0, 1.0, &points, x);
  TEST_ASSERT_EQUAL_UINT64(result.stats.steps_accepted + 1, points.count);
  TEST_ASSERT_TRUE(points.t[points.count - 1] == 1.0);
}

static void
callback_ends_the_run(void)
{
  Points points = {.stop_after = 5};
  double x[5];
  DaeSolverResult result = run_pendulum(0, 1e-6, 0.1, 0.0, 1.0, &points, x);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_STOPPED, result.status);
  TEST_ASSERT_EQUAL_UINT32(5, points.count);
  TEST_ASSERT_TRUE(result.stats.t >= 0.4 && result.stats.t < 1.0);
}

static void
empty_time_span_gives_one_point(void)
{
  Points points = {0};
  double x[5];
  DaeSolverResult result = run_pendulum(0, 1e-6, 0.1, 2.0, 2.0, &points, x);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_EQUAL_UINT32(1, points.count);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(output_times_are_exact_multiples_of_the_interval);
  RUN_TEST(last_point_is_not_given_twice);
  RUN_TEST(points_lie_on_the_constraints_with_consistent_derivatives);
  RUN_TEST(points_inside_steps_are_as_accurate_as_the_tolerance);
  RUN_TEST(points_inside_steps_of_stiff_unknowns_are_as_accurate);
  RUN_TEST(every_step_is_given_without_an_interval);
  RUN_TEST(callback_ends_the_run);
  RUN_TEST(empty_time_span_gives_one_point);
  return UNITY_END();
}
