/* Terms at the start: time and parameters put in, wrappers off, conditions decided where they can
 * be; and what terms without unknowns are at the given values. */
#include <unity.h>

#include "inside.h"

static Inside inside;

void
setUp(void)
{
  inside = inside_new("parameter Real p = 2; parameter Real q = 2*p; parameter Real open; "
                      "parameter Integer n = 3; Real x(start = 7); Real y; "
                      "initial equation x = 1; "
                      "equation der(x) = p*q*open*n; y = 2*x; "
                      "annotation(experiment(StartTime = 5));");
}

void
tearDown(void)
{
  inside_clear(&inside);
}

/* NULL: undefined at the start. */
static void
check_prepared(const char *text, const char *expected, bool by_values)
{
  bool used = false;
  DaeTerm prepared = ic_prepare(inside.sys, inside_term(&inside, text), &used);
  g_autofree char *found = inside_text(&inside, prepared);
  g_autofree char *message = g_strdup_printf("%s gives %s", text, found);
  if (expected == NULL) {
    TEST_ASSERT_EQUAL_MESSAGE(DAE_NO_TERM, prepared, message);
    return;
  }
  TEST_ASSERT_TRUE_MESSAGE(inside_equal(&inside, prepared, inside_term(&inside, expected)),
                           message);
  TEST_ASSERT_EQUAL_MESSAGE(by_values, used, text);
}

static void
test_time_is_the_start_time(void)
{
  check_prepared("time", "5", false);
  check_prepared("x + time^2", "x + 25", false);
}

static void
test_dependent_parameters_are_written_in_the_others(void)
{
  check_prepared("q", "2*p", false);
  check_prepared("q*x", "2*p*x", false);
  check_prepared("p", "p", false); /* an independent one stays a symbol */
}

static void
test_wrappers_fall(void)
{
  check_prepared("noEvent(x)", "x", false);
  check_prepared("smooth(1, x^2)", "x^2", false);
  check_prepared("homotopy(x, y)", "x", false);
}

static void
test_conditions_on_time_are_decided_for_all_values(void)
{
  check_prepared("if time > 4 then x else y", "x", false);
  check_prepared("if time > 5 then x else y", "y", false);
}

static void
test_conditions_on_parameters_are_decided_by_their_values(void)
{
  check_prepared("if p > 1 then x else y", "x", true);
  check_prepared("if p > q then x else y", "y", true);
}

static void
test_conditions_on_unknowns_stay(void)
{
  check_prepared("if x > 0 then x else -x", "if x > 0 then x else -x", false);
}

static void
test_division_by_zero_at_the_start_is_undefined(void)
{
  check_prepared("1/(time - 5)", NULL, false);
  check_prepared("x/(time - 5)", NULL, false);
}

static void
test_values_are_put_in(void)
{
  DaeTerm value = ic_at_values(inside.sys, inside_term(&inside, "p*q + 1"));
  TEST_ASSERT_TRUE(inside_equal(&inside, value, inside_term(&inside, "9")));
  DaeTerm half = ic_at_values(inside.sys, inside_term(&inside, "p*open"));
  TEST_ASSERT_TRUE(inside_equal(&inside, half, inside_term(&inside, "2*open")));
}

/* With parameters that have no value the question is about all values. */
static void
test_zero_at_the_given_values(void)
{
  static const struct {
    const char *text;
    DaeZero expected;
  } cases[] = {
      {"p - 2", DAE_ZERO},       {"q - 4", DAE_ZERO},         {"p - q", DAE_NONZERO},
      {"open - open", DAE_ZERO}, {"open", DAE_NONZERO},       {"(p - 2)*open", DAE_ZERO},
      {"n - 3", DAE_ZERO},       {"sqrt(p)^2 - 2", DAE_ZERO}, {"exp(p) - 7.389", DAE_NONZERO},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
    TEST_ASSERT_EQUAL_MESSAGE(
        cases[i].expected, ic_zero_at_values(inside.sys, inside_term(&inside, cases[i].text)),
        cases[i].text);
  }
}

static void
test_unknowns_inside_are_found_through_functions(void)
{
  TEST_ASSERT_TRUE(ic_has_unknown(inside.sys, inside_term(&inside, "p*sin(q + exp(y))")));
  TEST_ASSERT_FALSE(ic_has_unknown(inside.sys, inside_term(&inside, "p*sin(q)")));
  const GArray *found =
      ic_unknowns_inside(inside.sys, inside_term(&inside, "der(x)*x + sin(x)"));
  TEST_ASSERT_EQUAL_UINT(2, found->len);
  TEST_ASSERT_TRUE(g_array_index(found, uint32_t, 0) < g_array_index(found, uint32_t, 1));
}

static void
test_guesses_are_start_values_and_zero(void)
{
  TEST_ASSERT_TRUE(ic_guess(inside.sys, inside_unknown(&inside, "x")) == 7.0);
  TEST_ASSERT_TRUE(ic_guess(inside.sys, inside_unknown(&inside, "y")) == 0.0);
  double value = 0;
  TEST_ASSERT_TRUE(ic_numeric_value(inside.sys, inside_term(&inside, "x + 10*y + 1"), &value));
  TEST_ASSERT_TRUE(value == 8.0);
}

static void
test_numbers_are_sorted_and_each_stays_once(void)
{
  const uint32_t given[] = {5, 1, 5, 3, 1, 1, 9};
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_vals(numbers, given, G_N_ELEMENTS(given));
  ic_sort_unique(numbers);
  const uint32_t expected[] = {1, 3, 5, 9};
  TEST_ASSERT_EQUAL_UINT(4, numbers->len);
  TEST_ASSERT_EQUAL_UINT32_ARRAY(expected, numbers->data, 4);
}

/* Short lists and long ones, of small and of large numbers, beside qsort. */
static void
test_lists_of_all_lengths_are_sorted(void)
{
  static const uint32_t largest[] = {3, 2000, 3000000, UINT32_MAX};
  g_autoptr(GRand) rand = g_rand_new_with_seed(7);
  for (guint i = 0; i < 400; i++) {
    uint32_t most = largest[i % G_N_ELEMENTS(largest)];
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint k = 0; k < i; k++) {
      uint32_t number = most == UINT32_MAX ? g_rand_int(rand) : g_rand_int(rand) % (most + 1);
      g_array_append_val(numbers, number);
    }
    g_autoptr(GArray) expected = g_array_copy(numbers);
    g_array_sort(expected, ic_compare_numbers);
    ic_sort_numbers(numbers);
    TEST_ASSERT_EQUAL_UINT(expected->len, numbers->len);
    for (guint k = 0; k < i; k++) {
      TEST_ASSERT_EQUAL_UINT32(g_array_index(expected, uint32_t, k),
                               g_array_index(numbers, uint32_t, k));
    }
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_time_is_the_start_time);
  RUN_TEST(test_dependent_parameters_are_written_in_the_others);
  RUN_TEST(test_wrappers_fall);
  RUN_TEST(test_conditions_on_time_are_decided_for_all_values);
  RUN_TEST(test_conditions_on_parameters_are_decided_by_their_values);
  RUN_TEST(test_conditions_on_unknowns_stay);
  RUN_TEST(test_division_by_zero_at_the_start_is_undefined);
  RUN_TEST(test_values_are_put_in);
  RUN_TEST(test_zero_at_the_given_values);
  RUN_TEST(test_unknowns_inside_are_found_through_functions);
  RUN_TEST(test_guesses_are_start_values_and_zero);
  RUN_TEST(test_numbers_are_sorted_and_each_stays_once);
  RUN_TEST(test_lists_of_all_lengths_are_sorted);
  return UNITY_END();
}
