/* The integrator as an event loop uses it: limits, roots, restarts, modes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "problems/problems.h"
#include "solver/bernstein.h"
#include "solver/integrator.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

static unsigned long calls; /* NOLINT: the counter that malloc below needs */

#if defined(__GLIBC__) && !defined(SANITIZED)
#define CAN_COUNT 1
extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *
malloc(size_t size)
{
  calls++;
  return __libc_malloc(size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
  calls++;
  return __libc_memalign(alignment, size);
}
#endif

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* ---- x' = a x + b v, v' = c x + d v + e with segment values ------------------------------ */

enum { A, B, C, D, E, N_SEGMENT };

static const uint32_t row_start[3] = {0, 1, 2};
static const uint32_t diagonal[2] = {0, 1};
static const uint32_t full_start[3] = {0, 2, 4};
static const uint32_t full_column[4] = {0, 1, 0, 1};
static const uint32_t no_rows[1] = {0};
static const double given[N_SEGMENT] = {0.0, 1.0, -1.0, 0.0, 0.0};

static const double *
segment_of(const void *scratch)
{
  const double *values = scratch;
  return values[0] != 0.0 ? values + 1 : given;
}

static void
set_segment(const void *self, void *scratch, const double *segment)
{
  double *values = scratch;
  (void)self;
  values[0] = 1.0;
  memcpy(values + 1, segment, N_SEGMENT * sizeof *segment);
}

static int
eval(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
     DaeOut *out)
{
  const double *p = segment_of(scratch);
  (void)self;
  (void)t;
  for (unsigned l = 0; l < lanes; l++) {
    if (out->f != NULL) {
      out->f[l] = p[A] * x[l] + p[B] * x[lanes + l];
      out->f[lanes + l] = p[C] * x[l] + p[D] * x[lanes + l] + p[E];
    }
    if (out->m != NULL) {
      out->m[l] = out->m[lanes + l] = 1.0;
    }
  }
  return 0;
}

static int
jac(const void *self, void *scratch, double t, const double *x, const double *xdot, DaeJac *out)
{
  const double *p = segment_of(scratch);
  (void)self;
  (void)t;
  (void)x;
  (void)xdot;
  if (out->k != NULL) {
    memcpy(out->k, p, 4 * sizeof *p);
  }
  if (out->m != NULL) {
    out->m[0] = out->m[1] = 1.0;
  }
  if (out->ft != NULL) {
    out->ft[0] = out->ft[1] = 0.0;
  }
  return 0;
}

static const DaeEvaluator linear = {.n = 2,
                                    .n_diff = 2,
                                    .mass = {2, 2, row_start, diagonal},
                                    .dynamics = {2, 2, full_start, full_column},
                                    .constraint = {0, 2, no_rows, NULL},
                                    .scratch_size = 64,
                                    .mass_is_constant = true,
                                    .n_segment = N_SEGMENT,
                                    .segment = given,
                                    .set_segment = set_segment,
                                    .eval = eval,
                                    .jac = jac};

static DaeSolverOptions
options_to(double t_stop, double tolerance)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.t_stop = t_stop;
  options.rtol = options.atol = tolerance;
  return options;
}

/* guard x[0] - level */
typedef struct {
  double level;
  uint32_t calls;
} Level;

static void
level_values(void *user, unsigned lanes, const double *t, const double *x, double *out)
{
  Level *level = user;
  (void)t;
  level->calls++;
  for (unsigned l = 0; l < lanes; l++) {
    out[l] = x[l] - level->level;
  }
}

static void
time_values(void *user, unsigned lanes, const double *t, const double *x, double *out)
{
  (void)user;
  (void)x;
  for (unsigned l = 0; l < lanes; l++) {
    out[l] = (t[l] - 0.5) * (t[l] - 0.5) - 1e-6;
  }
}

static const uint32_t affine_start[2] = {0, 1};
static const uint32_t affine_column[1] = {0};
static const double one = 1.0;
static const double zero = 0.0;
static const uint8_t yes = 1;

static DaeRoots
roots_of(Level *level, const int8_t *side, double *constant, bool is_affine)
{
  *constant = -level->level;
  return (DaeRoots){.n = 1,
                    .values = level_values,
                    .user = level,
                    .side = side,
                    .is_affine = is_affine ? &yes : NULL,
                    .affine_start = affine_start,
                    .affine_column = affine_column,
                    .affine_factor = &one,
                    .affine_constant = constant,
                    .affine_slope = &zero};
}

static void
limits_are_met_exactly(void)
{
  const double limits[] = {0.1, 0.30000000000000004, 1.0, 1.0000001, 2.5};
  const DaeSolverOptions options = options_to(2.5, 1e-8);
  const double start[2] = {1.0, 0.0};
  DaeSolverStatus status;
  DaeIntegrator *it = dae_integrator_new(&linear, &options, start, &status);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, status);
  for (uint32_t k = 0; k < 5; k++) {
    DaeStop stop = {.kind = DAE_STOP_STEP};
    while (stop.kind == DAE_STOP_STEP) {
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED,
                            dae_integrator_step(it, limits[k], NULL, &stop));
      double x[2];
      const double t = 0.5 * (dae_integrator_t(it) + dae_integrator_t_old(it));
      dae_integrator_value(it, t, x, NULL);
      TEST_ASSERT_DOUBLE_WITHIN(1e-4, cos(t), x[0]);
    }
    TEST_ASSERT_EQUAL_INT(DAE_STOP_LIMIT, stop.kind);
    TEST_ASSERT_EQUAL_DOUBLE(limits[k], stop.t);
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, cos(limits[k]), dae_integrator_x(it)[0]);
  }
  dae_integrator_free(it);
}

/* x = cos t leaves the level 1 - 1e-7 upwards only for 9e-4 around 2 pi k, far less than a step. */
static void
short_excursions_are_found(void)
{
  for (int is_affine = 0; is_affine < 2; is_affine++) {
    const DaeSolverOptions options = options_to(20.0, 1e-9);
    const double start[2] = {0.0, 1.0}; /* sin t */
    Level level = {1.0 - 1e-7, 0};
    int8_t side = -1;
    double constant;
    DaeRoots roots = roots_of(&level, &side, &constant, is_affine == 1);
    const double half = acos(1.0 - 1e-7);
    DaeSolverStatus status;
    DaeIntegrator *it = dae_integrator_new(&linear, &options, start, &status);
    uint32_t found = 0;
    while (dae_integrator_t(it) < 20.0) {
      DaeStop stop;
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_step(it, 20.0, &roots, &stop));
      if (stop.kind == DAE_STOP_ROOT) {
        const double top = M_PI / 2.0 + 2.0 * M_PI * (found / 2);
        TEST_ASSERT_DOUBLE_WITHIN(3e-5, top + (found % 2 == 0 ? -half : half), stop.t);
        TEST_ASSERT_EQUAL_UINT32(1, stop.n_crossed);
        TEST_ASSERT_TRUE(side * (dae_integrator_x(it)[0] - level.level) <= 0.0);
        side = (int8_t)-side;
        found++;
      }
    }
    TEST_ASSERT_EQUAL_UINT32(6, found); /* 3 tops: at 1.57, 7.85, 14.14 */
    dae_integrator_free(it);
  }
}

static void
a_guard_that_dips_between_two_nodes_is_found(void)
{
  const DaeSolverOptions options = options_to(1.0, 1e-3);
  const double start[2] = {1.0, 0.0};
  int8_t side = 1;
  DaeRoots roots = {.n = 1, .values = time_values, .side = &side};
  DaeSolverStatus status;
  DaeIntegrator *it = dae_integrator_new(&linear, &options, start, &status);
  double at[4] = {0.0};
  uint32_t found = 0;
  while (dae_integrator_t(it) < 1.0 && found < 4) {
    DaeStop stop;
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_step(it, 1.0, &roots, &stop));
    if (stop.kind == DAE_STOP_ROOT) {
      at[found++] = stop.t;
      side = (int8_t)-side;
    }
  }
  TEST_ASSERT_EQUAL_UINT32(2, found);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.499, at[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.501, at[1]);
  dae_integrator_free(it);
}

/* Bouncing ball: x'' = -9.81, restitution 0.7, from 1: the times of the first bounces are known. */
static void
a_ball_bounces_at_the_right_times(void)
{
  const DaeSolverOptions options = options_to(2.4, 1e-9);
  const double start[2] = {1.0, 0.0};
  const double segment[N_SEGMENT] = {0.0, 1.0, 0.0, 0.0, -9.81};
  DaeSolverOptions with_segment = options;
  with_segment.segment = segment;
  Level level = {0.0, 0};
  int8_t side = 1;
  double constant;
  double threshold = 1e-13;
  DaeRoots roots = roots_of(&level, &side, &constant, true);
  roots.threshold = &threshold;
  DaeSolverStatus status;
  DaeIntegrator *it = dae_integrator_new(&linear, &with_segment, start, &status);
  double expected = sqrt(2.0 / 9.81);
  double speed = sqrt(2.0 * 9.81);
  uint32_t bounces = 0;
  while (dae_integrator_t(it) < 2.4) {
    DaeStop stop;
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_step(it, 2.4, &roots, &stop));
    if (stop.kind == DAE_STOP_ROOT) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-8, expected, stop.t);
      speed *= 0.7;
      expected += 2.0 * speed / 9.81;
      const double x[2] = {0.0, -0.7 * dae_integrator_x(it)[1]};
      TEST_ASSERT_DOUBLE_WITHIN(1e-7, speed, x[1]);
      const DaeReinit reinit = {.x = x, .mode = 1};
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_reinit(it, &reinit));
      bounces++;
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT32(6, bounces);
  dae_integrator_free(it);
}

/* Thermostat: T' = -T + (on ? 2 : 0), off above 1.1, on below 0.9. */
static void
a_thermostat_switches_without_allocation_and_with_old_factors(void)
{
  const double end = 1000.0;
  DaeSolverOptions options = options_to(end, 1e-6);
  /* T - 2 decays while on, T while off: the unknown is T with v' = 0, v = 2 or 0 as the source */
  const double source[N_SEGMENT] = {-1.0, 1.0, 0.0, 0.0, 0.0};
  options.segment = source;
  const double start[2] = {0.0, 2.0};
  Level level = {1.1, 0};
  int8_t side = -1;
  double constant;
  DaeRoots roots = roots_of(&level, &side, &constant, true);
  DaeSolverStatus status;
  DaeIntegrator *it = dae_integrator_new(&linear, &options, start, &status);
  const double known[3] = {0.7985076962, 0.9991783917, 1.1998490871};
  uint32_t events = 0;
  unsigned long before = 0;
  while (dae_integrator_t(it) < end) {
    DaeStop stop;
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_step(it, end, &roots, &stop));
    if (stop.kind == DAE_STOP_ROOT) {
      if (events < 3) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, known[events], stop.t);
      }
      const bool is_on = side > 0; /* it fell below 0.9 */
      const double x[2] = {dae_integrator_x(it)[0], is_on ? 2.0 : 0.0};
      level.level = is_on ? 1.1 : 0.9;
      constant = -level.level;
      side = is_on ? -1 : 1;
      const DaeReinit reinit = {.x = x, .mode = is_on ? 2 : 3};
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_reinit(it, &reinit));
      events++;
      if (events == 6) {
        before = calls;
      }
    }
  }
#if defined(CAN_COUNT)
  TEST_ASSERT_EQUAL_UINT64(before, calls);
#endif
  DaeSolverResult result;
  dae_integrator_result(it, &result);
  TEST_ASSERT_GREATER_THAN_UINT32(4900, events);
  TEST_ASSERT_LESS_THAN_UINT64(events / 10, result.stats.jacobian_evaluations);
  TEST_ASSERT_LESS_THAN_UINT64(6 * (uint64_t)events, result.stats.steps_accepted);
  dae_integrator_free(it);
}

static void
segment_values_change_at_a_restart(void)
{
  const DaeMethod methods[] = {DAE_METHOD_RADAU, DAE_METHOD_BDF3, DAE_METHOD_AB3,
                               DAE_METHOD_EULER, DAE_METHOD_IMPLICIT_EULER};
  for (uint32_t k = 0; k < 5; k++) {
    DaeSolverOptions options = options_to(2.0, 1e-9);
    options.method = methods[k];
    options.step = k == 0 ? 0.0 : 1e-4;
    const double start[2] = {1.0, 0.0};
    const double segment[N_SEGMENT] = {0.0, 1.0, -4.0, 0.0, 0.0};
    DaeSolverStatus status;
    DaeIntegrator *it = dae_integrator_new(&linear, &options, start, &status);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, status);
    DaeStop stop = {.kind = DAE_STOP_STEP};
    while (stop.kind != DAE_STOP_LIMIT) {
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_step(it, 1.0, NULL, &stop));
    }
    const DaeReinit reinit = {.segment = segment};
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_reinit(it, &reinit));
    stop.kind = DAE_STOP_STEP;
    while (stop.kind != DAE_STOP_LIMIT) {
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_step(it, 2.0, NULL, &stop));
    }
    /* from cos 1, -sin 1 on with frequency 2 */
    const double expected = cos(1.0) * cos(2.0) - 0.5 * sin(1.0) * sin(2.0);
    TEST_ASSERT_DOUBLE_WITHIN(k == 0  ? 1e-7
                              : k < 3 ? 1e-6
                                      : 1e-3,
                              expected, dae_integrator_x(it)[0]);
    dae_integrator_free(it);
  }
}

/* From x = 0 with a large velocity the first guess of a step is 1e-6, and six steps follow until
 * they are as long as the solution allows. A hundred modes, more than factors are kept for: each
 * of them learns a first step that serves (8492 steps without, 4205 with that). */
static void
first_steps_are_learnt_mode_by_mode(void)
{
  enum { MODES = 100, VISITS = 10 };

  DaeSolverOptions options = options_to(0.7 * MODES * VISITS, 1e-6);
  const double start[2] = {0.0, 1e4};
  DaeSolverStatus status;
  DaeIntegrator *it = dae_integrator_new(&linear, &options, start, &status);
  for (uint32_t k = 1; k < MODES * VISITS; k++) {
    DaeStop stop = {.kind = DAE_STOP_STEP};
    while (stop.kind != DAE_STOP_LIMIT) {
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED,
                            dae_integrator_step(it, 0.7 * k, NULL, &stop));
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 1e4 * sin(0.7), dae_integrator_x(it)[0]);
    const DaeReinit reinit = {.x = start, .mode = 1 + k % MODES};
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_reinit(it, &reinit));
  }
  DaeSolverResult result;
  dae_integrator_result(it, &result);
  TEST_ASSERT_LESS_THAN_UINT64(5 * MODES * VISITS, result.stats.steps_accepted);
  dae_integrator_free(it);
}

static void
fixed_steps_tell_roots_at_their_end(void)
{
  DaeSolverOptions options = options_to(2.0, 1e-6);
  options.method = DAE_METHOD_BDF3;
  options.step = 0.01;
  const double start[2] = {1.0, 0.0};
  Level level = {0.0, 0};
  int8_t side = 1;
  double constant;
  DaeRoots roots = roots_of(&level, &side, &constant, true);
  DaeSolverStatus status;
  DaeIntegrator *it = dae_integrator_new(&linear, &options, start, &status);
  DaeStop stop = {.kind = DAE_STOP_STEP};
  while (stop.kind == DAE_STOP_STEP) {
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_step(it, 2.0, &roots, &stop));
  }
  TEST_ASSERT_EQUAL_INT(DAE_STOP_ROOT, stop.kind);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.58, stop.t);
  dae_integrator_free(it);
}

/* The pendulum with its constraints: a root, a restart from the mirrored point, and the way
 * back. */
static void
a_pendulum_is_mirrored_at_its_lowest_point(void)
{
  const DaeProblem *problem = &dae_problem_pendulum;
  DaeSolverOptions options = options_to(10.0, 1e-9);
  Level level = {0.0, 0};
  double x[8];
  memcpy(x, problem->start, sizeof(double) * problem->evaluator->n);
  int8_t side = x[0] > 0.0 ? 1 : -1;
  double constant;
  DaeRoots roots = roots_of(&level, &side, &constant, true);
  DaeSolverStatus status;
  DaeIntegrator *it = dae_integrator_new(problem->evaluator, &options, x, &status);
  uint32_t found = 0;
  while (dae_integrator_t(it) < 10.0) {
    DaeStop stop;
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_step(it, 10.0, &roots, &stop));
    if (stop.kind == DAE_STOP_ROOT) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.5 + found, stop.t);
      found++;
      side = (int8_t)-side;
      if (found == 5) {
        const DaeReinit reinit = {.mode = 7};
        TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, dae_integrator_reinit(it, &reinit));
      }
    }
  }
  TEST_ASSERT_EQUAL_UINT32(10, found);
  DaeIntegratorPoint point;
  TEST_ASSERT_TRUE(dae_integrator_point(it, 10.0, &point));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, problem->start[0], point.x[0]);
  dae_integrator_free(it);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(limits_are_met_exactly);
  RUN_TEST(short_excursions_are_found);
  RUN_TEST(a_guard_that_dips_between_two_nodes_is_found);
  RUN_TEST(a_ball_bounces_at_the_right_times);
  RUN_TEST(a_thermostat_switches_without_allocation_and_with_old_factors);
  RUN_TEST(segment_values_change_at_a_restart);
  RUN_TEST(first_steps_are_learnt_mode_by_mode);
  RUN_TEST(fixed_steps_tell_roots_at_their_end);
  RUN_TEST(a_pendulum_is_mirrored_at_its_lowest_point);
  return UNITY_END();
}
