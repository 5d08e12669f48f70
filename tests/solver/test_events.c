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

typedef struct {
  double level;
  uint32_t count, stop_after;
  double t[64];
  int direction[64];
  uint32_t which[64];
} Log;

/* function 0: x (crosses where the pendulum is lowest), function 1: time - level */
static void
values(void *user, double t, const double *x, double *out)
{
  const Log *log = user;
  out[0] = x[0];
  out[1] = t - log->level;
}

static bool
crossed(void *user, uint32_t i, int direction, double t, const double *x)
{
  Log *log = user;
  (void)x;
  if (log->count < 64) {
    log->t[log->count] = t;
    log->direction[log->count] = direction;
    log->which[log->count] = i;
  }
  log->count++;
  return log->stop_after == 0 || log->count < log->stop_after;
}

static DaeSolverResult
swing(Log *log, int order, double t_stop, double *x)
{
  const DaeProblem *problem = &dae_problem_pendulum;
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = 1e-9;
  options.order = order;
  options.t_stop = t_stop;
  memcpy(x, problem->start, sizeof(double) * problem->evaluator->n);
  DaeEvents events = {.n = 2, .values = values, .crossed = crossed, .user = log};
  return dae_solver_run(problem->evaluator, &options, x, &events, NULL, NULL);
}

/* The period is 2 and the start a turning point: x changes sign at 1/2 + k, downwards first. */
static void
every_crossing_is_found_in_order_with_its_direction(void)
{
  const int orders[] = {5, 9, 13, 0};
  for (int k = 0; k < 4; k++) {
    Log log = {.level = 3.25};
    double x[5];
    DaeSolverResult result = swing(&log, orders[k], 6.0, x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_EQUAL_UINT32(7, log.count);
    uint32_t crossing = 0;
    for (uint32_t i = 0; i < log.count; i++) {
      if (log.which[i] == 1) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 3.25, log.t[i]);
        TEST_ASSERT_EQUAL_UINT32(3, i);
        TEST_ASSERT_EQUAL_INT(1, log.direction[i]);
        continue;
      }
      TEST_ASSERT_DOUBLE_WITHIN(2e-8, 0.5 + crossing, log.t[i]);
      TEST_ASSERT_EQUAL_INT(crossing % 2 == 0 ? -1 : 1, log.direction[i]);
      crossing++;
    }
  }
}

static void
run_stops_at_the_event_that_asks_for_it(void)
{
  Log log = {.level = 100.0, .stop_after = 3};
  double x[5];
  DaeSolverResult result = swing(&log, 0, 6.0, x);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_STOPPED, result.status);
  TEST_ASSERT_DOUBLE_WITHIN(2e-8, 2.5, result.stats.t);
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, -1.0, x[1]);
}

/* Two crossings within one long step of an easy problem. */
static void
slow_values(void *user, double t, const double *x, double *out)
{
  (void)user;
  (void)x;
  out[0] = (t - 0.9) * (t - 1.0);
  out[1] = 1.0;
}

static void
two_crossings_inside_one_step_are_both_seen(void)
{
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(&dae_problem_prothero, &space);
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = 1e-4;
  options.t_stop = 2.0;
  Log log = {.level = 0.0};
  double x[1] = {1.0};
  DaeEvents events = {.n = 2, .values = slow_values, .crossed = crossed, .user = &log};
  DaeSolverResult result = dae_solver_run(evaluator, &options, x, &events, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_TRUE(result.stats.steps_accepted < 12);
  TEST_ASSERT_EQUAL_UINT32(2, log.count);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.9, log.t[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, log.t[1]);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(every_crossing_is_found_in_order_with_its_direction);
  RUN_TEST(run_stops_at_the_event_that_asks_for_it);
  RUN_TEST(two_crossings_inside_one_step_are_both_seen);
  return UNITY_END();
}
