/* Angles: one period is enough exactly where the other rows do not tell periods apart; and the
 * verdicts that hang on it. */

#include <math.h>
#include <string.h>
#include <unity.h>

#include "cases.h"
#include "inside.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* Does it hold for the unknown x when sin(angle) is solved, with this other equation around? */
static bool
is_enough(const char *angle, const char *other)
{
  g_autofree char *text = g_strdup_printf(
      "Real x(start = 1); Real y; Real s(start = 0, fixed = true); equation der(s) = 1; %s",
      other);
  Inside in = inside_new(text);
  IcEngine *engine = ic_engine_new(in.sys, NULL, 0);
  for (uint32_t p = 0; p < in.sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(in.sys->premises, IcPremise, p);
    if (!premise->id.is_initial && premise->id.index > 0) {
      ic_engine_add(engine, p, false);
    }
  }
  bool result =
      ic_one_period_is_enough(engine, inside_unknown(&in, "x"), inside_term(&in, angle));
  ic_engine_free(engine);
  inside_clear(&in);
  return result;
}

static void
test_other_rows_in_the_same_angle_do_not_tell_periods_apart(void)
{
  TEST_ASSERT_TRUE(is_enough("x", "y = sin(x); sin(x) + y = 1;"));
  TEST_ASSERT_TRUE(is_enough("x", "y = cos(x) + tan(2*x); sin(x) = 0.5;"));
  TEST_ASSERT_TRUE(is_enough("x", "y = sin(3*x + 1)^2; cos(x)*y = 0.1;"));
  TEST_ASSERT_TRUE(is_enough("1 - x", "y = 2; cos(x) = 0.5;"));
}

static void
test_a_row_that_has_the_angle_itself_tells_them_apart(void)
{
  TEST_ASSERT_FALSE(is_enough("x", "y = x; sin(x) = 0;"));
  TEST_ASSERT_FALSE(is_enough("x", "y = x^2 + 1; sin(x) = 0.5;"));
  TEST_ASSERT_FALSE(is_enough("x", "y = sin(x/2); sin(x) = 0;")); /* period 4*pi */
  TEST_ASSERT_FALSE(is_enough("x", "y = exp(x); cos(x) = 0.5;"));
  TEST_ASSERT_FALSE(is_enough("x", "y = sin(x)*x; sin(x) = 0.5;"));
}

/* sin(2*x) = v has twice as many solutions in a period of x. */
static void
test_a_multiple_of_the_angle_has_more_solutions(void)
{
  TEST_ASSERT_FALSE(is_enough("2*x", "y = 2; cos(x) = 0.5;"));
  TEST_ASSERT_FALSE(is_enough("x^2", "y = 2; cos(x) = 0.5;"));
}

static void
test_verdicts_that_hang_on_it(void)
{
  static const InitCase cases[] = {
      {"an angle and its cosine", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = 0.5); Real s(start = 0, fixed = true); "
       "initial equation cos(x) = 0.5*sqrt(3); equation sin(x) = 0.5; der(s) = x;"},
      {"sine and cosine that do not go together", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x(start = 0.5); Real s(start = 0, fixed = true); "
       "initial equation cos(x) = 0.5; equation sin(x) = 0.5; der(s) = x;"},
      {"beyond 1", DAE_INIT_INCONSISTENT, 0, 0, 1, NULL,
       "Real x(start = 0.5); Real s(start = 0, fixed = true); equation sin(x) = 2; der(s) = "
       "x;"},
      {"one angle", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x(start = 0.5); Real s(start = 0, fixed = true); equation sin(x) = 0.5; "
       "der(s) = x;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_other_rows_in_the_same_angle_do_not_tell_periods_apart);
  RUN_TEST(test_a_row_that_has_the_angle_itself_tells_them_apart);
  RUN_TEST(test_a_multiple_of_the_angle_has_more_solutions);
  RUN_TEST(test_verdicts_that_hang_on_it);
  return UNITY_END();
}
