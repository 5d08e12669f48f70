/* A long way around a contradiction is replaced by the short one near it. */

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

/* x0 = 0, x1 = x0 + 1, ... , xn = x(n-1) + 1; and near the end a cell that contradicts itself:
 * a = x(n-1), b = a + 5, b = a + 6. */
static char *
chain_with_cell(uint32_t n, bool closes_wrongly)
{
  GString *text = g_string_new("Real s(start = 0, fixed = true); ");
  for (uint32_t i = 0; i <= n; i++) {
    g_string_append_printf(text, "parameter Real x%u(fixed = false); ", i);
  }
  g_string_append(text, "initial equation x0 = 0; ");
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "x%u = x%u + 1; ", i, i - 1);
  }
  g_string_append_printf(text, "x%u = x%u + %d; ", n, n - 2, closes_wrongly ? 3 : 2);
  g_string_append(text, "equation der(s) = 1;");
  return g_string_free(text, FALSE);
}

static GArray *
all_premises(const Inside *in)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t p = 0; p < in->sys->premises->len; p++) {
    g_array_append_val(all, p);
  }
  return all;
}

static bool
are_in_conflict(const Inside *in, const GArray *premises)
{
  g_autoptr(IcEngine) engine = ic_decide(in->sys, premises, NULL);
  return ic_is_conflict(engine);
}

/* The cell is three equations; dropping any of them the rest can hold. */
static void
test_the_cell_is_found_and_minimal(void)
{
  for (uint32_t n = 3; n <= 24; n += 7) {
    g_autofree char *text = chain_with_cell(n, true);
    Inside in = inside_new(text);
    g_autoptr(GArray) premises = all_premises(&in);
    guint before = premises->len;
    ic_conflict_shorten(in.sys, premises);
    TEST_ASSERT_EQUAL_UINT(3, premises->len);
    TEST_ASSERT_TRUE(premises->len < before);
    TEST_ASSERT_TRUE(are_in_conflict(&in, premises));
    for (guint left_out = 0; left_out < premises->len; left_out++) {
      g_autoptr(GArray) rest =
          ic_rows_without(premises, g_array_index(premises, uint32_t, left_out));
      TEST_ASSERT_EQUAL_UINT(2, rest->len);
      TEST_ASSERT_FALSE(are_in_conflict(&in, rest));
    }
    g_clear_pointer(&premises, g_array_unref);
    inside_clear(&in);
  }
}

static void
test_without_a_contradiction_nothing_changes(void)
{
  g_autofree char *text = chain_with_cell(6, false);
  Inside in = inside_new(text);
  g_autoptr(GArray) premises = all_premises(&in);
  guint before = premises->len;
  ic_conflict_shorten(in.sys, premises);
  TEST_ASSERT_EQUAL_UINT(before, premises->len);
  inside_clear(&in);
}

/* Three premises are short enough: no search at all. */
static void
test_short_sets_are_left_alone(void)
{
  Inside in = inside_new("parameter Real a(fixed = false); Real s(start = 0, fixed = true); "
                         "initial equation a = 1; a = 2; equation der(s) = 1;");
  g_autoptr(GArray) premises = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t p = 0; p < 2; p++) {
    g_array_append_val(premises, p);
  }
  ic_conflict_shorten(in.sys, premises);
  TEST_ASSERT_EQUAL_UINT(2, premises->len);
  TEST_ASSERT_EQUAL_UINT32(0, in.sys->shortening);
  inside_clear(&in);
}

/* The verdict shows the short one, whatever the length of the chain. */
static void
test_the_verdict_has_the_short_conflict(void)
{
  for (uint32_t n = 5; n <= 40; n += 35) {
    g_autofree char *text = chain_with_cell(n, true);
    Checked checked = check_text("chain", text, NULL);
    TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_conflicts(checked.init));
    TEST_ASSERT_EQUAL_UINT32(3, dae_init_conflict(checked.init, 0)->n_premises);
    g_autofree char *why = NULL;
    TEST_ASSERT_TRUE_MESSAGE(checked_verifies(&checked, &why), why);
    checked_clear(&checked);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_cell_is_found_and_minimal);
  RUN_TEST(test_without_a_contradiction_nothing_changes);
  RUN_TEST(test_short_sets_are_left_alone);
  RUN_TEST(test_the_verdict_has_the_short_conflict);
  return UNITY_END();
}
