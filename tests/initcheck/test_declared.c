/* What follows from declared ranges, and only from these: each parameter is written as its limit
 * plus or minus a square by hand and by the function. */

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

typedef struct {
  const char *parameters, *term;
  bool is_zero;
  const char *within; /* the parameters that the answer rests on */
} Declared;

static char *
names_within(const Inside *in)
{
  GString *out = g_string_new(NULL);
  for (guint i = 0; i < in->sys->within->len; i++) {
    g_autofree char *name = inside_text(in, g_array_index(in->sys->within, DaeTerm, i));
    g_string_append_printf(out, "%s%s", i == 0 ? "" : " ", name);
  }
  return g_string_free(out, FALSE);
}

static void
check_all(const Declared *list, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    g_autofree char *text = g_strdup_printf(
        "%s Real x(start = 0, fixed = true); equation der(x) = 1;", list[i].parameters);
    Inside in = inside_new(text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(list[i].is_zero,
                                  ic_zero_as_declared(in.sys, inside_term(&in, list[i].term)),
                                  list[i].term);
    g_autofree char *within = names_within(&in);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(list[i].within, within, list[i].term);
    inside_clear(&in);
  }
}

static void
test_a_root_of_a_square_is_what_the_range_says(void)
{
  static const Declared list[] = {
      {"parameter Real L(min = 0) = 2;", "sqrt(L^2) - L", true, "L"},
      {"parameter Real L(min = 1) = 2;", "sqrt(L^2) - L", true, "L"},
      {"parameter Real b(max = 0) = -1;", "sqrt(b^2) + b", true, "b"},
      {"parameter Real L(min = 0) = 2;", "abs(L) - L", true, "L"},
      {"parameter Real L(min = 3) = 4;", "sqrt((L - 3)^2) - L + 3", true, "L"},
  };
  check_all(list, G_N_ELEMENTS(list));
}

/* Nothing is assumed beyond the declaration, and nothing is noted where it did not help. */
static void
test_what_the_range_does_not_say_stays_open(void)
{
  static const Declared list[] = {
      {"parameter Real L = 2;", "sqrt(L^2) - L", false, ""},
      {"parameter Real L(max = 5) = 2;", "sqrt(L^2) - L", false, ""},
      {"parameter Real L(min = -1) = 2;", "sqrt(L^2) - L", false, ""},
      {"parameter Real L(min = 0) = 2;", "sqrt(L^2) + L", false, ""},
      {"parameter Real L(min = 0) = 2;", "L", false, ""},
      {"parameter Real L(min = 0) = 2;", "sqrt((L - 3)^2) - L + 3", false, ""},
  };
  check_all(list, G_N_ELEMENTS(list));
}

static void
test_several_parameters_are_noted_each_once(void)
{
  static const Declared list[] = {
      {"parameter Real a(min = 0) = 1; parameter Real b(min = 0) = 1;", "sqrt(a^2*b^2) - a*b",
       true, "a b"},
      {"parameter Real a(min = 0) = 1; parameter Real b = 1;", "sqrt(a^2) + b - a - b", true,
       "a"},
  };
  check_all(list, G_N_ELEMENTS(list));
  Inside in = inside_new("parameter Real L(min = 0) = 2; Real x(start = 0, fixed = true); "
                         "equation der(x) = 1;");
  TEST_ASSERT_TRUE(ic_zero_as_declared(in.sys, inside_term(&in, "sqrt(L^2) - L")));
  TEST_ASSERT_TRUE(ic_zero_as_declared(in.sys, inside_term(&in, "2*sqrt(L^2) - 2*L")));
  TEST_ASSERT_EQUAL_UINT(1, in.sys->within->len);
  inside_clear(&in);
}

/* The verdict names them: sqrt(L^2) = L is redundant for L >= 0. */
static void
test_a_verdict_that_rests_on_a_range_says_so(void)
{
  const char *text = "parameter Real L(min = 0) = 2; Real x; "
                     "initial equation x = L; x = sqrt(L^2); equation der(x) = 1;";
  Checked checked = check_text("range", text, NULL);
  TEST_ASSERT_EQUAL_STRING("consistent", dae_init_verdict_name(dae_init_verdict(checked.init)));
  TEST_ASSERT_TRUE(dae_init_holds_for_all_parameters(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_within(checked.init));
  g_autofree char *name = dae_term_to_string(checked.terms, dae_init_within(checked.init, 0));
  TEST_ASSERT_EQUAL_STRING("L", name);
  checked_clear(&checked);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_root_of_a_square_is_what_the_range_says);
  RUN_TEST(test_what_the_range_does_not_say_stays_open);
  RUN_TEST(test_several_parameters_are_noted_each_once);
  RUN_TEST(test_a_verdict_that_rests_on_a_range_says_so);
  return UNITY_END();
}
