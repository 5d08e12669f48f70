/* Equations have to have values as they were written, also where the start time takes a part away. */
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

/* x is known as a number only, and negative: x + exp(x) = -1. */
#define IMPLICIT "Real x(start = -1), y; equation der(x) = -x; "
#define START " initial equation x + exp(x) = -1;"

static DaeInitVerdict
verdict_of(const char *equation)
{
  g_autofree char *text = g_strconcat(IMPLICIT, equation, START, NULL);
  Checked checked = check_text(equation, text, NULL);
  DaeInitVerdict verdict = dae_init_verdict(checked.init);
  checked_clear(&checked);
  return verdict;
}

static void
test_what_time_multiplies_has_a_value(void)
{
  TEST_ASSERT_EQUAL_INT(DAE_INIT_UNDECIDED, verdict_of("y = time*log(x);"));
  TEST_ASSERT_EQUAL_INT(DAE_INIT_UNDECIDED, verdict_of("y + exp(y) = time*sqrt(x) + 3;"));
  TEST_ASSERT_EQUAL_INT(DAE_INIT_WELL_DETERMINED, verdict_of("y = time*log(-x);"));
  TEST_ASSERT_EQUAL_INT(DAE_INIT_WELL_DETERMINED, verdict_of("y = sqrt(time - x);"));
  TEST_ASSERT_EQUAL_INT(DAE_INIT_WELL_DETERMINED,
                        verdict_of("y = if x > time then time*log(x) else 1;"));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_time_multiplies_has_a_value);
  return UNITY_END();
}
