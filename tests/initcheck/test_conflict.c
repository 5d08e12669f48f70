/* Conflict sets are minimal: without any one of their premises there is no conflict. */
#include <unity.h>

#include "cases.h"
#include "initcheck/initcheck-priv.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static uint32_t
premise_number(const IcSystem *sys, const DaeInitPremise *id)
{
  for (uint32_t p = 0; p < sys->premises->len; p++) {
    const DaeInitPremise *other = &g_array_index(sys->premises, IcPremise, p).id;
    if (other->is_initial == id->is_initial && other->index == id->index &&
        other->order == id->order) {
      return p;
    }
  }
  TEST_FAIL_MESSAGE("unknown premise");
  return 0;
}

static bool
contradicts(IcSystem *sys, const DaeInitConflict *conflict, uint32_t without)
{
  g_autoptr(GArray) premises = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < conflict->n_premises; i++) {
    uint32_t p = premise_number(sys, &conflict->premises[i]);
    if (i != without) {
      g_array_append_val(premises, p);
    }
  }
  g_array_sort(premises, ic_compare_numbers);
  g_autoptr(IcEngine) engine = ic_decide(sys, premises, NULL);
  return ic_is_conflict(engine);
}

static void
assert_minimal(const char *name, const char *text, uint32_t n_conflicts)
{
  Checked checked = check_text(name, text, NULL);
  g_autoptr(DaeInitialProblem) problem =
      dae_initial_new(dae_algebra_terms(checked.algebra), checked.sig, 0);
  g_autoptr(IcSystem) sys = ic_system_new(checked.algebra, checked.sig, problem, NULL, false);
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(n_conflicts, dae_init_n_conflicts(checked.init), name);
  for (uint32_t i = 0; i < n_conflicts; i++) {
    const DaeInitConflict *conflict = dae_init_conflict(checked.init, i);
    TEST_ASSERT_TRUE_MESSAGE(contradicts(sys, conflict, UINT32_MAX), name);
    for (uint32_t k = 0; k < conflict->n_premises; k++) {
      TEST_ASSERT_FALSE_MESSAGE(contradicts(sys, conflict, k), name);
    }
    if (i > 0) { /* smallest first */
      TEST_ASSERT_TRUE(dae_init_conflict(checked.init, i - 1)->n_premises <=
                       conflict->n_premises);
    }
  }
  g_clear_pointer(&sys, ic_system_free);
  checked_clear(&checked);
}

static void
test_linear_conflicts_are_minimal(void)
{
  assert_minimal("capacitors",
                 "Real u = 10; Real u1; Real u2; Real i; initial equation u1 = 5; u2 = 4;"
                 "equation i = der(u1); i = der(u2); u = u1 + u2;",
                 1);
  assert_minimal("unused premises",
                 "Real a; Real b; Real c; Real d; initial equation a = 1; b = 2; a + b - c = "
                 "0; c - d = 1; d = 3;"
                 "equation der(a) = 1; der(b) = 1; der(c) = 1; der(d) = 1;",
                 1);
}

static void
test_several_conflicts_are_all_reported(void)
{
  assert_minimal("two apart",
                 "Real x; Real y; initial equation x = 1; x = 2; y = 1; 2*y = 3;"
                 "equation der(x) = 1; der(y) = 1;",
                 2);
  assert_minimal("two that share",
                 "Real a; Real b; initial equation a = 1; b = 2; a + b = 4; a - b = 7;"
                 "equation der(a) = 1; der(b) = 1;",
                 2);
}

static void
test_nonlinear_conflicts_are_minimal(void)
{
  assert_minimal("pendulum",
                 "Real x; Real y; Real vx; Real vy; Real T; initial equation x = 3/5; y = "
                 "-4/5; vx = 4; vy = 4;"
                 "equation der(x) = vx; der(y) = vy; der(vx) = -T*x; der(vy) = -T*y - 9.81; "
                 "x^2 + y^2 = 1;",
                 1);
  assert_minimal("no real solution",
                 "Real x(start = 3); Real y(start = 4); initial equation x^2 + y^2 = 25; x*y = "
                 "12; x + y = 8;"
                 "equation der(x) = 1; der(y) = 1;",
                 1);
  assert_minimal("both roots fail",
                 "Real x(start = 1); Real y; initial equation x^2 = 4; y = 5; equation der(x) "
                 "= 1; y = x + 1;",
                 1);
  assert_minimal("angle",
                 "Real p; Real s; Real q; initial equation s = 3/5; q = 3/5;"
                 "equation der(p) = 1; s = sin(p); q = cos(p);",
                 1);
}

static void
test_conflict_over_a_long_chain(void)
{
  g_autoptr(GString) text = g_string_new(NULL);
  const int n = 300;
  for (int i = 0; i < n; i++) {
    g_string_append_printf(text, "Real s%d; Real f%d;\n", i, i);
  }
  g_string_append_printf(text, "initial equation s0 = 0; s%d = %d; equation\n", n - 1, n);
  for (int i = 0; i < n; i++) {
    g_string_append_printf(text, "der(s%d) = %s%d - f%d;\n", i, i == 0 ? "1 + 0*s" : "f",
                           i == 0 ? 0 : i - 1, i);
    if (i + 1 < n) {
      g_string_append_printf(text, "s%d = s%d + 1;\n", i + 1, i);
    }
  }
  g_string_append_printf(text, "f%d = 0;\n", n - 1);
  Checked checked = check_text("chain", text->str, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_INCONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_UINT32((uint32_t)n + 1, dae_init_conflict(checked.init, 0)->n_premises);
  checked_clear(&checked);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_linear_conflicts_are_minimal);
  RUN_TEST(test_several_conflicts_are_all_reported);
  RUN_TEST(test_nonlinear_conflicts_are_minimal);
  RUN_TEST(test_conflict_over_a_long_chain);
  return UNITY_END();
}
