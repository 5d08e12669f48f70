/* Conditions on unknowns: every branch is tried, and the truth is found by trying all of them. */
#include "initcheck/initcheck-priv.h"

#include <math.h>
#include <unity.h>

#include "cases.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

#define REST "Real s; initial equation s = 0; equation der(s) = x;"

static DaeInitVerdict
verdict_of(const char *text)
{
  Checked checked = check_text(text, text, NULL);
  DaeInitVerdict verdict = dae_init_verdict(checked.init);
  g_autofree char *why = NULL;
  TEST_ASSERT_TRUE_MESSAGE(checked_verifies(&checked, &why), why);
  checked_clear(&checked);
  return verdict;
}

/* x = if x > c then a else b: true for x = a where a > c, for x = b where b <= c. */
static void
test_one_condition_by_all_numbers(void)
{
  for (int a = -1; a <= 1; a++) {
    for (int b = -1; b <= 1; b++) {
      for (int c = -1; c <= 1; c++) {
        bool first = 2 * a > 2 * c + 1;
        bool second = 2 * b <= 2 * c + 1;
        g_autofree char *text =
            g_strdup_printf("Real x(start = %d); " REST " x = if x > %d + 1/2 then %d else %d;",
                            second ? b : a, c, a, b);
        DaeInitVerdict verdict = verdict_of(text);
        if (first || second) {
          TEST_ASSERT_TRUE_MESSAGE(verdict != DAE_INIT_INCONSISTENT, text);
        } else {
          TEST_ASSERT_TRUE_MESSAGE(
              verdict == DAE_INIT_INCONSISTENT || verdict == DAE_INIT_UNDECIDED, text);
        }
        if (first != second) {
          TEST_ASSERT_TRUE_MESSAGE(verdict == (first ? DAE_INIT_WELL_DETERMINED : verdict),
                                   text);
        }
      }
    }
  }
}

static void
test_the_active_branch_counts(void)
{
  static const InitCase cases[] = {
      {"first branch", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x(start = 1, fixed = true); Real w; equation der(x) = 0;"
       "w = if x > 0 then 2 else 1/(x - 1);"},
      {"second branch", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x(start = -1, fixed = true); Real w; equation der(x) = 0;"
       "w = if x > 0 then sqrt(x - 5) else 3;"},
      {"fixed to the value of the branch", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = 1, fixed = true); Real w; initial equation w = 2;"
       "equation der(x) = 0; w = if x > 0 then 2 else 3;"},
      {"fixed to the value of the other branch", DAE_INIT_INCONSISTENT, 0, 0, 3, NULL,
       "Real x(start = 1, fixed = true); Real w; initial equation w = 3;"
       "equation der(x) = 0; w = if x > 0 then 2 else 3;"},
      {"absolute value", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = -4, fixed = true); Real w; initial equation w = 4;"
       "equation der(x) = 0; w = abs(x);"},
      {"absolute value, wrong", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x(start = -4, fixed = true); Real w; initial equation w = -4;"
       "equation der(x) = 0; w = abs(x);"},
      {"minimum", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = 2, fixed = true); Real w; initial equation w = 2;"
       "equation der(x) = 0; w = min(x, 5);"},
      {"maximum, wrong", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x(start = 2, fixed = true); Real w; initial equation w = 2;"
       "equation der(x) = 0; w = max(x, 5);"},
      {"conditions in each other", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = 2, fixed = true); Real w; initial equation w = 7;"
       "equation der(x) = 0; w = if x < 1 then 5 else if x < 3 then 7 else 9;"},
      {"an equation of the branch", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "parameter Real p = 1; Real x; Real y; initial equation x = 2; y = 6;"
       "equation der(x) = 1; if p > 1/2 then y = 3*x; else y = 4*x; end if;"},
      {"an equation of the other branch", DAE_INIT_INCONSISTENT, 0, 0, 3, NULL,
       "parameter Real p = 1; Real x; Real y; initial equation x = 2; y = 8;"
       "equation der(x) = 1; if p > 1/2 then y = 3*x; else y = 4*x; end if;"},
      {"sign", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = -3, fixed = true); Real w; initial equation w = -1;"
       "equation der(x) = 0; w = sign(x);"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

/* |x - a| = b has solutions exactly for b >= 0. */
static void
test_absolute_values_are_solved_on_both_sides(void)
{
  for (int a = -2; a <= 2; a++) {
    for (int b = -1; b <= 2; b++) {
      for (int side = -1; side <= 1; side += 2) {
        g_autofree char *text = g_strdup_printf(
            "Real x(start = %d); " REST " abs(x - %d) = %d;", a + side * 3, a, b);
        DaeInitVerdict verdict = verdict_of(text);
        if (b < 0) {
          TEST_ASSERT_EQUAL_INT_MESSAGE(DAE_INIT_INCONSISTENT, verdict, text);
        } else {
          TEST_ASSERT_TRUE_MESSAGE(verdict != DAE_INIT_INCONSISTENT, text);
        }
      }
    }
  }
}

/* A diode: no current below, no voltage above; exactly one of both carries the source. */
static void
test_piecewise_characteristics(void)
{
  for (int source = -3; source <= 3; source++) {
    if (source == 0) {
      continue;
    }
    g_autofree char *text = g_strdup_printf(
        "Real u; Real i; Real k; Real x = u; " REST
        " u + 2*i = %d; u = if k > 0 then 0 else k; i = if k > 0 then k else 0;",
        source);
    DaeInitVerdict verdict = verdict_of(text);
    TEST_ASSERT_TRUE_MESSAGE(
        verdict == DAE_INIT_WELL_DETERMINED || verdict == DAE_INIT_UNDECIDED, text);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_one_condition_by_all_numbers);
  RUN_TEST(test_the_active_branch_counts);
  RUN_TEST(test_absolute_values_are_solved_on_both_sides);
  RUN_TEST(test_piecewise_characteristics);
  return UNITY_END();
}
