/* No allocation inside a step: malloc and its relatives are counted between output points. */
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "problems/problems.h"
#include "solver/solver.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static unsigned long calls; /* NOLINT: the counter that malloc below needs */

#if defined(__GLIBC__) && !defined(SANITIZED)
#define CAN_COUNT 1
/* glibc's own entry points stay reachable under these names; a program
 * may replace the public ones. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

void *
malloc(size_t size)
{
  calls++;
  return __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
  calls++;
  return __libc_calloc(count, size);
}

void *
realloc(void *block, size_t size)
{
  calls++;
  return __libc_realloc(block, size);
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

typedef struct {
  unsigned long before, inside;
  unsigned points;
} Count;

/* The first points may still set things up; from the third on nothing is allocated. */
static bool
count_calls(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  Count *count = user;
  (void)t;
  (void)x;
  (void)xdot;
  (void)states;
  if (count->points >= 3) {
    count->inside += calls - count->before;
  }
  count->points++;
  count->before = calls;
  return true;
}

static unsigned long
allocations_of(const DaeProblem *problem, int order, double interval, double stop)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = 1e-7;
  options.order = order;
  options.interval = interval;
  options.t_stop = stop;
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(problem, &space);
  double x[64];
  TEST_ASSERT_TRUE(evaluator->n <= 64);
  memcpy(x, problem->start, sizeof(double) * evaluator->n);
  Count count = {0};
  DaeSolverResult result = dae_solver_run(evaluator, &options, x, NULL, count_calls, &count);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_TRUE(count.points > 5);
  return count.inside;
}

static void
the_counter_counts(void)
{
#if defined(CAN_COUNT)
  unsigned long before = calls;
  free(calloc(3, 5));
  void *block = malloc(10);
  free(realloc(block, 1000));
  TEST_ASSERT_TRUE(calls - before >= 3);
#endif
}

static void
steps_of_the_pendulum_allocate_nothing(void)
{
  const int orders[] = {5, 9, 13, 0};
  for (int k = 0; k < 4; k++) {
    TEST_ASSERT_EQUAL_UINT64(0, allocations_of(&dae_problem_pendulum, orders[k], 0.0, 10.0));
    TEST_ASSERT_EQUAL_UINT64(0, allocations_of(&dae_problem_pendulum, orders[k], 0.1, 10.0));
  }
}

static void
steps_with_changing_selection_and_failures_allocate_nothing(void)
{
  TEST_ASSERT_EQUAL_UINT64(0, allocations_of(&dae_problem_car_axis, 0, 0.0, 3.0));
  TEST_ASSERT_EQUAL_UINT64(0, allocations_of(&dae_problem_andrews, 0, 0.0, 0.03));
}

/* 210 unknowns: sparse systems, whose order of pivots changes on the way. */
static void
steps_of_a_long_chain_allocate_nothing(void)
{
  enum { LINKS = 30 };

  const int orders[] = {5, 9, 13, 0};
  for (int k = 0; k < 4; k++) {
    double x[7 * LINKS];
    DaeEvaluator *evaluator = dae_problem_chain_new(LINKS, x);
    DaeSolverOptions options;
    dae_solver_default_options(&options);
    options.rtol = options.atol = 1e-6;
    options.order = orders[k];
    options.t_stop = 1.5;
    Count count = {0};
    DaeSolverResult result = dae_solver_run(evaluator, &options, x, NULL, count_calls, &count);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_TRUE(count.points > 5);
    TEST_ASSERT_EQUAL_UINT64(0, count.inside);
    dae_problem_chain_free(evaluator);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(the_counter_counts);
  RUN_TEST(steps_of_the_pendulum_allocate_nothing);
  RUN_TEST(steps_with_changing_selection_and_failures_allocate_nothing);
  RUN_TEST(steps_of_a_long_chain_allocate_nothing);
  return UNITY_END();
}
