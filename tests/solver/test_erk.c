/* Explicit steps on hand-written solved forms: a pendulum, an oscillator that may be stiff. */
#include "solver/integrator.h"
#include "solver/radau.h"

#include <math.h>
#include <string.h>
#include <unity.h>

#include "problems/problems.h"

#define GRAVITY 13.7503716373294544

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* ---- the pendulum ------------------------------------------------------------------------ */

/* lambda from the velocity constraint, differentiated: (x, y) . (u', v') + u^2 + v^2 = 0 */
static int
pendulum_solved(const void *self, void *scratch, double t, const double *x,
                const DaeSolvedOut *out)
{
  (void)self;
  (void)scratch;
  (void)t;
  if (out->stage != NULL) {
    const double stage[] = {x[2], x[3], 0.0,         -GRAVITY,   x[2] * x[2] + x[3] * x[3],
                            x[0], x[1], -2.0 * x[0], -2.0 * x[1]};
    memcpy(out->stage, stage, sizeof stage);
  }
  for (int i = 0; out->m != NULL && i < 4; i++) {
    out->m[i] = 1.0;
  }
  if (out->rest != NULL) {
    out->rest[0] = x[0] * x[0] + x[1] * x[1] - 1.0;
    out->rest[1] = x[0] * x[2] + x[1] * x[3];
  }
  if (out->rest_slope != NULL) {
    const double slope[] = {2.0 * x[0], 2.0 * x[1], x[2], x[3], x[0], x[1]};
    memcpy(out->rest_slope, slope, sizeof slope);
  }
  return 0;
}

static const uint32_t pendulum_y[] = {0, 1, 2, 3}, pendulum_linear[] = {4};
static const uint32_t a_start[] = {0, 2}, a_column[] = {2, 3};
static const uint32_t lift_start[] = {0, 0, 0, 1, 2}, lift_column[] = {0, 0};
static const uint32_t rest_start[] = {0, 2, 6}, rest_column[] = {0, 1, 0, 1, 2, 3};
static const DaeSolved pendulum_form = {.n_y = 4,
                                        .n_linear = 1,
                                        .n_rest = 2,
                                        .y = pendulum_y,
                                        .linear = pendulum_linear,
                                        .is_differentiated = true,
                                        .a = {1, 4, a_start, a_column},
                                        .lift = {4, 1, lift_start, lift_column},
                                        .rest = {2, 4, rest_start, rest_column}};

static DaeEvaluator
pendulum(DaeProblemSpace *space)
{
  DaeEvaluator ev = *dae_problem_open(&dae_problem_pendulum, space);
  ev.solved = &pendulum_form;
  ev.eval_solved = pendulum_solved;
  return ev;
}

static void
set_options(DaeSolverOptions *options, DaeExplicitUse use, double t_stop, double tolerance)
{
  dae_solver_default_options(options);
  options->t_stop = t_stop;
  options->rtol = options->atol = tolerance;
  options->explicit_use = use;
}

/* The pendulum at t_stop; step > 0: with steps of this size, if the tolerance allows. */
static DaeSolverStats
run_pendulum(DaeExplicitUse use, double t_stop, double tolerance, double step, double *x)
{
  DaeProblemSpace space;
  const DaeEvaluator ev = pendulum(&space);
  DaeSolverOptions options;
  set_options(&options, use, t_stop, tolerance);
  options.initial_step = options.max_step = step;
  memcpy(x, dae_problem_pendulum.start, sizeof(double) * 5);
  const DaeSolverResult result = dae_solver_run(&ev, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  return result.stats;
}

static double
distance(const double *a, const double *b, int n)
{
  double worst = 0.0;
  for (int j = 0; j < n; j++) {
    worst = fmax(worst, fabs(a[j] - b[j]));
  }
  return worst;
}

static void
error_falls_with_the_order_of_the_pair(void)
{
  static const double tolerances[2] = {1e3, 2e-3}, steps[2] = {1.0 / 64, 1.0 / 16};
  static const double ratios[2] = {32.0, 256.0};
  double exact[5];
  run_pendulum(DAE_EXPLICIT_NEVER, 1.0, 1e-13, 0.0, exact);
  for (int p = 0; p < 2; p++) {
    double coarse[5], fine[5];
    DaeSolverStats stats =
        run_pendulum(DAE_EXPLICIT_ONLY, 1.0, tolerances[p], steps[p], coarse);
    TEST_ASSERT_EQUAL_UINT64((uint64_t)(1.0 / steps[p] + 0.5), stats.steps_accepted);
    TEST_ASSERT_EQUAL_UINT64(stats.steps_accepted, stats.steps_explicit);
    run_pendulum(DAE_EXPLICIT_ONLY, 1.0, tolerances[p], 0.5 * steps[p], fine);
    const double ratio = distance(coarse, exact, 5) / distance(fine, exact, 5);
    TEST_ASSERT_TRUE(ratio > 0.6 * ratios[p] && ratio < 3.0 * ratios[p]);
  }
}

/* Error of the dense output inside a first step of size h. */
static double
error_inside(double tolerance, double h, double part)
{
  DaeProblemSpace space;
  const DaeEvaluator ev = pendulum(&space);
  DaeSolverOptions options;
  DaeSolverStatus status;
  DaeStop stop;
  double begin[5], exact[5], value[5];
  /* not from rest, where odd terms vanish */
  run_pendulum(DAE_EXPLICIT_NEVER, 0.2, 1e-13, 0.0, begin);
  run_pendulum(DAE_EXPLICIT_NEVER, 0.2 + part * h, 1e-13, 0.0, exact);
  set_options(&options, DAE_EXPLICIT_ONLY, 1.0, tolerance);
  options.initial_step = options.max_step = h;
  DaeIntegrator *it = dae_integrator_new(&ev, &options, begin, &status);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, status);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_step(it, 1.0, NULL, &stop));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, h, stop.t);
  dae_integrator_value(it, part * h, value, NULL);
  dae_integrator_free(it);
  return distance(value, exact, 5);
}

static void
dense_output_has_one_order_less(void)
{
  static const double tolerances[2] = {1e3, 2e-3}, steps[2] = {1.0 / 32, 1.0 / 8};
  static const double ratios[2] = {32.0, 256.0}; /* errors of one step: one power of h more */
  for (int p = 0; p < 2; p++) {
    const double ratio = error_inside(tolerances[p], steps[p], 0.4) /
                         error_inside(tolerances[p], 0.5 * steps[p], 0.4);
    TEST_ASSERT_TRUE(ratio > 0.5 * ratios[p] && ratio < 4.0 * ratios[p]);
  }
}

/* Level 0, 1 and 2 at x, largest. */
static double
residual_of(const DaeEvaluator *ev, double t, const double *x)
{
  double g[4], worst = 0.0;
  DaeOut out = {.g = g};
  ev->eval(ev->self, NULL, 1, &t, x, &out);
  for (uint32_t i = 0; i < ev->n_con; i++) {
    worst = fmax(worst, fabs(g[i]));
  }
  return worst;
}

static void
all_constraints_hold_after_each_step(void)
{
  DaeProblemSpace space;
  const DaeEvaluator ev = pendulum(&space);
  static const double tolerances[] = {1e-2, 1e-4, 1e-7};
  for (int k = 0; k < 3; k++) {
    DaeSolverOptions options;
    DaeSolverStatus status;
    DaeStop stop;
    set_options(&options, DAE_EXPLICIT_ONLY, 10.0, tolerances[k]);
    DaeIntegrator *it = dae_integrator_new(&ev, &options, dae_problem_pendulum.start, &status);
    while (status == DAE_SOLVER_COMPLETED && dae_integrator_t(it) < 10.0) {
      status = dae_integrator_step(it, 10.0, NULL, &stop);
      TEST_ASSERT_TRUE(residual_of(&ev, stop.t, dae_integrator_x(it)) < 0.1 * tolerances[k]);
    }
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, status);
    dae_integrator_free(it);
  }
}

typedef struct {
  const DaeEvaluator *ev;
  uint32_t n;
  double worst;
} Points;

static bool
look_at_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  Points *points = user;
  (void)xdot;
  (void)states;
  points->n++;
  points->worst = fmax(points->worst, residual_of(points->ev, t, x));
  return true;
}

static void
output_points_inside_steps_meet_the_constraints_to_rounding(void)
{
  DaeProblemSpace space;
  const DaeEvaluator ev = pendulum(&space);
  DaeSolverOptions options;
  double x[5];
  Points points = {&ev, 0, 0.0};
  set_options(&options, DAE_EXPLICIT_ONLY, 2.0, 1e-4);
  options.interval = 0.01;
  memcpy(x, dae_problem_pendulum.start, sizeof x);
  dae_solver_run(&ev, &options, x, NULL, look_at_point, &points);
  TEST_ASSERT_EQUAL_UINT32(201, points.n);
  TEST_ASSERT_TRUE(points.worst < 1e-9);
}

/* ---- events ------------------------------------------------------------------------------ */

static void
guard_values(void *user, unsigned lanes, const double *t, const double *x, double *out)
{
  (void)user;
  (void)t;
  for (unsigned l = 0; l < lanes; l++) {
    out[l] = x[l];                            /* x crosses 0 at t = 1/2 */
    out[lanes + l] = x[4 * lanes + l] - 15.0; /* a force */
  }
}

static double
time_of_event(DaeExplicitUse use, uint32_t which, double tolerance)
{
  DaeProblemSpace space;
  const DaeEvaluator ev = pendulum(&space);
  DaeSolverOptions options;
  DaeSolverStatus status;
  DaeStop stop = {.kind = DAE_STOP_STEP};
  const int8_t sides[2][2] = {{1, 0}, {0, -1}};
  const DaeRoots roots = {.n = 2, .values = guard_values, .side = sides[which]};
  set_options(&options, use, 1.0, tolerance);
  DaeIntegrator *it = dae_integrator_new(&ev, &options, dae_problem_pendulum.start, &status);
  while (status == DAE_SOLVER_COMPLETED && stop.kind == DAE_STOP_STEP) {
    status = dae_integrator_step(it, 1.0, &roots, &stop);
  }
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, status);
  TEST_ASSERT_EQUAL_INT(DAE_STOP_ROOT, stop.kind);
  DaeSolverResult result;
  dae_integrator_result(it, &result);
  TEST_ASSERT_TRUE(use == DAE_EXPLICIT_NEVER || result.stats.steps_explicit > 0);
  dae_integrator_free(it);
  return stop.t;
}

static void
events_are_located_as_exactly_as_by_radau(void)
{
  for (uint32_t which = 0; which < 2; which++) {
    const double exact = time_of_event(DAE_EXPLICIT_NEVER, which, 1e-12);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, exact, time_of_event(DAE_EXPLICIT_ONLY, which, 1e-2));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, exact, time_of_event(DAE_EXPLICIT_ONLY, which, 1e-5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, exact, time_of_event(DAE_EXPLICIT_ONLY, which, 1e-8));
  }
}

typedef struct {
  double height; /* of a line: y stands above it or below */
  uint32_t n_crossed;
} Line;

static void
above_line(void *user, double t, const double *x, double *out)
{
  (void)t;
  out[0] = x[1] - ((Line *)user)->height;
}

static bool
count_crossing(void *user, uint32_t i, int direction, double t, const double *x)
{
  (void)i;
  (void)direction;
  (void)t;
  (void)x;
  ((Line *)user)->n_crossed++;
  return true;
}

static DaeSolverStats
run_over_line(Line *line, double tolerance)
{
  DaeProblemSpace space;
  const DaeEvaluator ev = pendulum(&space);
  DaeSolverOptions options;
  double x[5];
  const DaeEvents events = {
      .n = 1, .values = above_line, .crossed = count_crossing, .user = line};
  set_options(&options, DAE_EXPLICIT_ONLY, 4.0, tolerance);
  memcpy(x, dae_problem_pendulum.start, sizeof x);
  const DaeSolverResult result = dae_solver_run(&ev, &options, x, &events, NULL, NULL);
  TEST_ASSERT_EQUAL_UINT64(result.stats.steps_accepted, result.stats.steps_explicit);
  return result.stats;
}

/* The polynomial of a step is made only where a function may come to zero. The pendulum passes its
 * lowest point, where y = -1, four times. */
static void
functions_far_from_zero_ask_for_no_dense_output(void)
{
  for (double tolerance = 1e-2; tolerance > 1e-7; tolerance *= 0.1) {
    double x[5];
    Line far = {3.0, 0};
    Line low = {-0.98, 0};
    const DaeSolverStats alone = run_pendulum(DAE_EXPLICIT_ONLY, 4.0, tolerance, 0.0, x);
    const DaeSolverStats beside = run_over_line(&far, tolerance);
    TEST_ASSERT_EQUAL_UINT64(alone.rhs_evaluations, beside.rhs_evaluations);
    TEST_ASSERT_EQUAL_UINT32(0, far.n_crossed);
    run_over_line(&low, tolerance);
    TEST_ASSERT_EQUAL_UINT32(8, low.n_crossed);
  }
}

/* ---- the choice -------------------------------------------------------------------------- */

/* y1' = y2, y2' = (mu (1 - y1^2) y2 - y1) / epsilon; self is epsilon and mu */
static int
van_der_pol_eval(const void *self, void *scratch, unsigned lanes, const double *t,
                 const double *x, DaeOut *out)
{
  const double epsilon = ((const double *)self)[0];
  const double mu = ((const double *)self)[1];
  (void)scratch;
  (void)t;
  for (unsigned l = 0; l < lanes; l++) {
    const double a = x[l], b = x[lanes + l];
    if (out->f != NULL) {
      out->f[l] = b;
      out->f[lanes + l] = (mu * (1.0 - a * a) * b - a) / epsilon;
    }
    if (out->m != NULL) {
      out->m[l] = out->m[lanes + l] = 1.0;
    }
  }
  return 0;
}

static int
van_der_pol_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
                DaeJac *out)
{
  const double epsilon = ((const double *)self)[0];
  const double mu = ((const double *)self)[1];
  (void)scratch;
  (void)t;
  (void)xdot;
  if (out->k != NULL) {
    out->k[0] = 1.0;
    out->k[1] = (-2.0 * mu * x[0] * x[1] - 1.0) / epsilon;
    out->k[2] = mu * (1.0 - x[0] * x[0]) / epsilon;
  }
  if (out->m != NULL) {
    out->m[0] = out->m[1] = 1.0;
  }
  if (out->ft != NULL) {
    out->ft[0] = out->ft[1] = 0.0;
  }
  return 0;
}

static int
van_der_pol_solved(const void *self, void *scratch, double t, const double *x,
                   const DaeSolvedOut *out)
{
  DaeOut values = {.f = out->stage, .m = out->m};
  return van_der_pol_eval(self, scratch, 1, &t, x, &values);
}

static const uint32_t two_start[] = {0, 1, 2}, two_column[] = {0, 1};
static const uint32_t full_start[] = {0, 1, 3}, full_column[] = {1, 0, 1};
static const uint32_t none_start[] = {0, 0, 0};

static const DaeSolved two_form = {.n_y = 2,
                                   .y = two_column,
                                   .a = {0, 0, none_start, none_start},
                                   .lift = {2, 0, none_start, none_start},
                                   .rest = {0, 2, none_start, none_start}};

static DaeSolverStats
run_over_events(const double *parameters, const DaeEvents *events, DaeExplicitUse use,
                double t_stop, double tolerance, double *x)
{
  const DaeEvaluator ev = {.n = 2,
                           .n_diff = 2,
                           .mass = {2, 2, two_start, two_column},
                           .dynamics = {2, 2, full_start, full_column},
                           .constraint = {0, 2, none_start, none_start},
                           .mass_is_constant = true,
                           .self = parameters,
                           .eval = van_der_pol_eval,
                           .jac = van_der_pol_jac,
                           .solved = &two_form,
                           .eval_solved = van_der_pol_solved};
  DaeSolverOptions options;
  set_options(&options, use, t_stop, tolerance);
  const DaeSolverResult result = dae_solver_run(&ev, &options, x, events, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  return result.stats;
}

static DaeSolverStats
run_oscillator(const double *parameters, DaeExplicitUse use, double t_stop, double tolerance,
               double *x)
{
  return run_over_events(parameters, NULL, use, t_stop, tolerance, x);
}

static DaeSolverStats
run_van_der_pol(double epsilon, DaeExplicitUse use, double t_stop, double tolerance, double *x)
{
  x[0] = 2.0;
  x[1] = 0.0;
  return run_oscillator((const double[]){epsilon, 1.0}, use, t_stop, tolerance, x);
}

/* 40 swings a second: one iteration of the power method finds 40^2 where positions and velocities
 * have equal tolerances, and the run would be too long. */
static void
what_swings_is_as_fast_as_its_frequency(void)
{
  double x[2] = {2.0, 0.0};
  const DaeSolverStats stats =
      run_oscillator((const double[]){1.0 / 1600, 0.0}, DAE_EXPLICIT_AUTO, 5.0, 1e-3, x);
  TEST_ASSERT_EQUAL_UINT64(stats.steps_accepted, stats.steps_explicit);
}

static void
beyond_line(void *user, double t, const double *x, double *out)
{
  (void)t;
  out[0] = x[0] - ((Line *)user)->height;
}

/* 2 cos(t) is near its end for a time that is less than the way from stage to stage. */
static void
what_is_crossed_and_crossed_back_in_a_step_is_seen(void)
{
  for (double tolerance = 1e-2; tolerance > 1e-7; tolerance *= 0.1) {
    double x[2] = {2.0, 0.0};
    Line line = {1.985, 0};
    const DaeEvents events = {
        .n = 1, .values = beyond_line, .crossed = count_crossing, .user = &line};
    run_over_events((const double[]){1.0, 0.0}, &events, DAE_EXPLICIT_ONLY, 24.0, tolerance, x);
    TEST_ASSERT_EQUAL_UINT32(7, line.n_crossed);
  }
}

/* Errors of many steps add up: each may be smaller. */
static void
long_runs_keep_the_tolerance(void)
{
  for (double tolerance = 1e-3; tolerance > 1e-7; tolerance *= 0.1) {
    double x[2] = {2.0, 0.0};
    run_oscillator((const double[]){1.0, 0.0}, DAE_EXPLICIT_ONLY, 2000.0, tolerance, x);
    TEST_ASSERT_DOUBLE_WITHIN(1e-2 * tolerance, 2.0 * cos(2000.0), x[0]);
  }
}

static void
steps_are_explicit_where_nothing_is_stiff(void)
{
  double x[2] = {2.0, 0.0}, exact[2] = {2.0, 0.0};
  const double parameters[2] = {1.0, 0.2};
  run_oscillator(parameters, DAE_EXPLICIT_NEVER, 10.0, 1e-12, exact);
  const DaeSolverStats stats = run_oscillator(parameters, DAE_EXPLICIT_AUTO, 10.0, 1e-6, x);
  TEST_ASSERT_EQUAL_UINT64(stats.steps_accepted, stats.steps_explicit);
  TEST_ASSERT_EQUAL_UINT64(0, stats.method_changes);
  TEST_ASSERT_TRUE(distance(x, exact, 2) < 1e-5);
}

/* What dies away is soon over: then radau's steps are long. */
static void
what_dies_away_is_left_to_radau(void)
{
  double x[2];
  const DaeSolverStats stats = run_van_der_pol(0.1, DAE_EXPLICIT_AUTO, 0.5, 1e-4, x);
  TEST_ASSERT_EQUAL_UINT64(0, stats.steps_explicit);
}

static void
steps_are_left_to_radau_where_the_problem_is_stiff(void)
{
  double x[2], exact[2];
  run_van_der_pol(1e-6, DAE_EXPLICIT_NEVER, 2.0, 1e-10, exact);
  const DaeSolverStats radau = run_van_der_pol(1e-6, DAE_EXPLICIT_NEVER, 2.0, 1e-6, x);
  const DaeSolverStats both = run_van_der_pol(1e-6, DAE_EXPLICIT_AUTO, 2.0, 1e-6, x);
  TEST_ASSERT_TRUE(distance(x, exact, 1) < 1e-5);
  TEST_ASSERT_TRUE(both.steps_accepted < radau.steps_accepted + 40);
}

/* The start, a small swing that grows, is not stiff, the slow part then is: explicit steps notice and
 * give way. */
static void
a_problem_that_becomes_stiff_changes_the_method(void)
{
  double x[2] = {0.1, 0.0}, exact[2] = {0.1, 0.0};
  const double parameters[2] = {1e-2, 1.0};
  run_oscillator(parameters, DAE_EXPLICIT_NEVER, 1.0, 1e-10, exact);
  const DaeSolverStats both = run_oscillator(parameters, DAE_EXPLICIT_AUTO, 1.0, 1e-3, x);
  TEST_ASSERT_TRUE(both.steps_explicit > 0 && both.steps_explicit < both.steps_accepted);
  TEST_ASSERT_TRUE(both.method_changes > 0);
  TEST_ASSERT_TRUE(distance(x, exact, 1) < 1e-3);
}

static void
two_runs_have_the_same_bits(void)
{
  double a[5], b[5], c[2], d[2];
  run_pendulum(DAE_EXPLICIT_AUTO, 5.0, 1e-6, 0.0, a);
  run_pendulum(DAE_EXPLICIT_AUTO, 5.0, 1e-6, 0.0, b);
  TEST_ASSERT_EQUAL_MEMORY(a, b, sizeof a);
  for (int k = 0; k < 2; k++) {
    double *end = k == 0 ? c : d;
    end[0] = 0.1;
    end[1] = 0.0;
    run_oscillator((const double[]){1e-2, 1.0}, DAE_EXPLICIT_AUTO, 1.0, 1e-3, end);
  }
  TEST_ASSERT_EQUAL_MEMORY(c, d, sizeof c);
}

static void
an_order_of_radau_means_radau(void)
{
  DaeProblemSpace space;
  const DaeEvaluator ev = pendulum(&space);
  DaeSolverOptions options;
  double x[5];
  set_options(&options, DAE_EXPLICIT_ONLY, 1.0, 1e-6);
  options.order = 9;
  memcpy(x, dae_problem_pendulum.start, sizeof x);
  const DaeSolverResult result = dae_solver_run(&ev, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_UINT64(0, result.stats.steps_explicit);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(error_falls_with_the_order_of_the_pair);
  RUN_TEST(dense_output_has_one_order_less);
  RUN_TEST(all_constraints_hold_after_each_step);
  RUN_TEST(output_points_inside_steps_meet_the_constraints_to_rounding);
  RUN_TEST(events_are_located_as_exactly_as_by_radau);
  RUN_TEST(functions_far_from_zero_ask_for_no_dense_output);
  RUN_TEST(what_is_crossed_and_crossed_back_in_a_step_is_seen);
  RUN_TEST(what_swings_is_as_fast_as_its_frequency);
  RUN_TEST(long_runs_keep_the_tolerance);
  RUN_TEST(steps_are_explicit_where_nothing_is_stiff);
  RUN_TEST(what_dies_away_is_left_to_radau);
  RUN_TEST(steps_are_left_to_radau_where_the_problem_is_stiff);
  RUN_TEST(a_problem_that_becomes_stiff_changes_the_method);
  RUN_TEST(two_runs_have_the_same_bits);
  RUN_TEST(an_order_of_radau_means_radau);
  return UNITY_END();
}
