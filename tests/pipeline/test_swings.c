/* Oscillations without end are counted, what dies out or only trembles is not. */
#include "pipeline/swings.h"

#include <math.h>

#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* f at 12 points of each of 100 periods. */
static uint64_t
periods_of(double (*f)(double), double least)
{
  g_autoptr(DaeSwings) swings = dae_swings_new(2);
  for (int k = 0; k <= 1200; k++) {
    const double x[] = {1.0, f(k / 12.0)};
    dae_swings_note(swings, x);
  }
  uint32_t unknown = 7;
  const double leasts[] = {least, least};
  const uint64_t periods = dae_swings_most(swings, leasts, &unknown);
  TEST_ASSERT_EQUAL_UINT32(periods > 0 ? 1 : 0, unknown);
  return periods;
}

static double
steady(double t)
{
  return 3.0 + 0.5 * sin(2.0 * G_PI * t);
}

static double
damped(double t)
{
  return exp(-0.2 * t) * sin(2.0 * G_PI * t);
}

static double
growing(double t)
{
  return exp(0.2 * t) * sin(2.0 * G_PI * t);
}

static double
rising(double t)
{
  return t + 0.1 * sin(2.0 * G_PI * t);
}

static void
test_a_steady_oscillation_is_counted(void)
{
  TEST_ASSERT_UINT64_WITHIN(1, 99, periods_of(steady, 0.5));
}

static void
test_one_that_is_damped_or_grows_is_not(void)
{
  TEST_ASSERT_TRUE(periods_of(damped, 0.01) < 6);
  TEST_ASSERT_TRUE(periods_of(growing, 0.01) < 6);
  TEST_ASSERT_EQUAL_UINT64(0, periods_of(rising, 0.01));
}

static void
test_what_is_narrow_is_none(void)
{
  TEST_ASSERT_EQUAL_UINT64(0, periods_of(steady, 1.5));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_steady_oscillation_is_counted);
  RUN_TEST(test_one_that_is_damped_or_grows_is_not);
  RUN_TEST(test_what_is_narrow_is_none);
  return UNITY_END();
}
