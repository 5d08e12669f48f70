#include "base/suggest.h"
#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static const char *
nearest(const char *wrong, const char *a, const char *b)
{
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, wrong);
  dae_suggest_try(&suggest, a);
  dae_suggest_try(&suggest, b);
  return suggest.best;
}

static void
test_the_nearest_name_wins(void)
{
  TEST_ASSERT_EQUAL_STRING("lambda", nearest("lamdba", "length", "lambda"));
  TEST_ASSERT_EQUAL_STRING("interval", nearest("intervall", "intervals_of", "interval"));
}

static void
test_case_counts_less_than_a_letter(void)
{
  TEST_ASSERT_EQUAL_STRING("Rload", nearest("rload", "road", "Rload"));
  TEST_ASSERT_EQUAL_STRING("L", nearest("l", "g", "L"));
}

static void
test_swapped_letters_are_one_mistake(void)
{
  TEST_ASSERT_EQUAL_STRING("abdc", nearest("abcd", "Abce", "abdc"));
}

static void
test_one_letter_at_the_end_is_a_small_mistake(void)
{
  TEST_ASSERT_EQUAL_STRING("R", nearest("Rr", "x", "R"));
  TEST_ASSERT_EQUAL_STRING("R1", nearest("r", "xy", "R1"));
  TEST_ASSERT_NULL(nearest("Rr", "x", "rR1"));
}

static void
test_nothing_near_gives_nothing(void)
{
  TEST_ASSERT_NULL(nearest("temperature", "x", "pressure"));
  TEST_ASSERT_NULL(nearest("x", "y", "z"));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_nearest_name_wins);
  RUN_TEST(test_case_counts_less_than_a_letter);
  RUN_TEST(test_swapped_letters_are_one_mistake);
  RUN_TEST(test_one_letter_at_the_end_is_a_small_mistake);
  RUN_TEST(test_nothing_near_gives_nothing);
  return UNITY_END();
}
