/* Values of discrete unknowns: an Integer between two whole numbers is none, a Boolean beyond 0
 * and 1 is none, whatever the equations say. */

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

static uint32_t
failure_of(const char *text, char **name)
{
  Inside in = inside_new(text);
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t p = 0; p < in.sys->premises->len; p++) {
    g_array_append_val(all, p);
  }
  g_autoptr(GArray) script = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(IcEngine) engine = ic_run_script(in.sys, all, NULL, script);
  g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  uint32_t z = ic_type_failure(engine, lines);
  if (z != IC_NONE) {
    *name = inside_text(&in, g_array_index(in.sys->unknowns, IcUnknown, z).atom);
    TEST_ASSERT_TRUE_MESSAGE(lines->len > 0, text);
  } else {
    TEST_ASSERT_EQUAL_UINT_MESSAGE(0, lines->len, text);
  }
  g_clear_pointer(&engine, ic_engine_free); /* before its system */
  inside_clear(&in);
  return z;
}

/* k with the value of an expression in exact numbers, as a free parameter of that type. */
static void
check_value(const char *type, const char *value, bool is_good)
{
  g_autofree char *text =
      g_strdup_printf("parameter %s k(fixed = false); Real x(start = 0, fixed = true); "
                      "initial equation k = %s; equation der(x) = 1;",
                      type, value);
  g_autofree char *name = NULL;
  bool failed = failure_of(text, &name) != IC_NONE;
  TEST_ASSERT_EQUAL_INT_MESSAGE(!is_good, failed, text);
  if (failed) {
    TEST_ASSERT_EQUAL_STRING("k", name);
  }
}

static void
test_an_integer_is_whole(void)
{
  static const char *const good[] = {"3", "-7", "0", "10/2", "2^10", "1000000007"};
  static const char *const bad[] = {"2.5",    "-1/3", "sqrt(2)",
                                    "exp(1)", "1e-9", "7 - 1/1000000"};
  for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
    check_value("Integer", good[i], true);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
    check_value("Integer", bad[i], false);
  }
}

static void
test_a_real_may_be_anything(void)
{
  check_value("Real", "2.5", true);
  check_value("Real", "sqrt(2)", true);
}

/* The verdict is the proof of the same: the value is no solution, its neighbour is one. */
static void
test_the_verdict_follows(void)
{
  static const InitCase cases[] = {
      {"whole", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "parameter Integer k(fixed = false); Real x(start = 0, fixed = true); "
       "initial equation 2*k = 6; equation der(x) = 1;"},
      {"half", DAE_INIT_INCONSISTENT, 0, 0, 1, NULL,
       "parameter Integer k(fixed = false); Real x(start = 0, fixed = true); "
       "initial equation 2*k = 5; equation der(x) = 1;"},
      {"the whole one of two", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "parameter Integer k(fixed = false, start = 1); Real x(start = 0, fixed = true); "
       "initial equation (2*k - 1)*(k - 4) = 0; equation der(x) = 1;"},
      {"none of two", DAE_INIT_INCONSISTENT, 0, 0, 1, NULL,
       "parameter Integer k(fixed = false); Real x(start = 0, fixed = true); "
       "initial equation (2*k - 1)*(2*k - 9) = 0; equation der(x) = 1;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_only_discrete_unknowns_are_listed(void)
{
  Inside in = inside_new("parameter Integer k(fixed = false); parameter Real r(fixed = false); "
                         "Real x(start = 0, fixed = true); "
                         "initial equation k = 3; r = 2.5; equation der(x) = 1;");
  TEST_ASSERT_EQUAL_UINT(1, in.sys->discrete->len);
  TEST_ASSERT_EQUAL_UINT32(inside_unknown(&in, "k"),
                           g_array_index(in.sys->discrete, uint32_t, 0));
  inside_clear(&in);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_an_integer_is_whole);
  RUN_TEST(test_a_real_may_be_anything);
  RUN_TEST(test_the_verdict_follows);
  RUN_TEST(test_only_discrete_unknowns_are_listed);
  return UNITY_END();
}
