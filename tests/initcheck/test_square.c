/* Rows that decide nothing are set aside, and only those: verdicts, redundancies, conflicts and
 * missing conditions are the same as if they had been solved. */
#include <unity.h>

#include "cases.h"
#include "initcheck/initcheck-priv.h"
#include "inside.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* Capacitors along the edges of m x m nodes, one corner on ground; all voltages given, that of
 * the last edge as written. */
static char *
capacitor_grid(uint32_t m, const char *last)
{
  GString *text = g_string_new(NULL);
  g_string_append_printf(
      text,
      "constant Integer M = %u; Real v[M, M];"
      "Real a[M, M - 1](each start = 0, each fixed = true), i[M, M - 1];"
      "Real b[M - 1, M], j[M - 1, M]; equation\n"
      "for r in 1:M, s in 1:M loop if r == 1 and s == 1 then v[r, s] = 0; else\n"
      "(if s < M then i[r, min(s, M - 1)] else 0) - (if s > 1 then i[r, max(s - 1, 1)] else 0)"
      "+ (if r < M then j[min(r, M - 1), s] else 0) - (if r > 1 then j[max(r - 1, 1), s] else "
      "0)"
      "+ (if r == M and s == M then v[r, s] - 1 else 0) = 0; end if; end for;\n",
      m);
  g_string_append(text, "for r in 1:M, s in 1:M - 1 loop a[r, s] = v[r, s] - v[r, s + 1];"
                        "(1 + r/10 + s/7)*der(a[r, s]) = i[r, s]; end for;\n"
                        "for r in 1:M - 1, s in 1:M loop b[r, s] = v[r, s] - v[r + 1, s];"
                        "(1 + r/9 + s/8)*der(b[r, s]) = j[r, s]; end for;\n");
  g_string_append_printf(text,
                         "initial equation for r in 1:M - 1, s in 1:M loop b[r, s] = "
                         "(if r == M - 1 and s == M then %s else 0); end for;",
                         last);
  return g_string_free(text, FALSE);
}

static void
test_grid(void)
{
  g_autofree char *text = capacitor_grid(12, "0");
  Checked checked = check_text("grid", text, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_CONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_UINT32(11 * 11, dae_init_n_redundant(checked.init));
  checked_clear(&checked);
}

/* Currents and derivatives of the voltages are one linear system that nothing else needs. */
static void
test_what_is_set_aside(void)
{
  g_autofree char *body = capacitor_grid(12, "0");
  Inside inside = inside_new(body);
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t p = 0; p < inside.sys->premises->len; p++) {
    g_array_append_val(all, p);
  }
  g_autoptr(IcEngine) engine = ic_decide(inside.sys, all, NULL);
  /* i, j, der(a), der(b), der(v) without that of the ground, which is alone in its row */
  TEST_ASSERT_EQUAL_UINT32(4 * 12 * 11 + 12 * 12 - 1, engine->square->len);
  g_clear_pointer(&engine, ic_engine_free);
  inside.sys->writes_all = true;
  engine = ic_decide(inside.sys, all, NULL);
  TEST_ASSERT_EQUAL_UINT32(0, engine->square->len);
  g_clear_pointer(&engine, ic_engine_free);
  inside_clear(&inside);
}

static void
test_contradiction(void)
{
  g_autofree char *text = capacitor_grid(12, "1/2");
  Checked checked = check_text("grid", text, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_INCONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_conflicts(checked.init));
  checked_clear(&checked);
}

/* A ring of equal neighbours has one equation too many and one too few, of whatever length. */
static void
test_singular(void)
{
  Checked checked = check_text(
      "ring",
      "Real x[300]; equation for k in 1:300 loop der(x[k]) = -x[k]; end for;\n"
      "initial equation for k in 1:299 loop x[k] = x[k + 1]; end for; x[300] = x[1];",
      NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_MIXED, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_redundant(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_missing(checked.init));
  TEST_ASSERT_EQUAL_UINT32(300, dae_init_n_undetermined(checked.init));
  checked_clear(&checked);
}

/* All levels depend on the one that is free, although the matrix of the rest is regular. */
static void
test_free_unknown(void)
{
  Checked checked =
      check_text("row",
                 "Real x[300], y[300]; equation for k in 1:300 loop der(x[k]) = -x[k] - y[k];\n"
                 "end for; y[1] = x[1]; for k in 2:300 loop y[k] = x[k] + y[k - 1]; end for;\n"
                 "initial equation for k in 1:299 loop x[k] = 2*x[k + 1]; end for;",
                 NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_UNDER_DETERMINED, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_missing(checked.init));
  TEST_ASSERT_EQUAL_UINT32(300, dae_init_n_undetermined(checked.init));
  checked_clear(&checked);
}

/* Unknowns of rows that were set aside have values: here x[k] = k. */
static void
test_values(void)
{
  Inside inside = inside_new(
      "Real x[250], y[250]; equation for k in 1:250 loop der(x[k]) = 1 - y[k]; end for;\n"
      "for k in 1:250 loop y[k] = 4*x[k] + (if k > 1 then x[max(k - 1, 1)] else 0)\n"
      "+ (if k < 250 then x[min(k + 1, 250)] else 0)/3; end for;\n"
      "initial equation for k in 1:250 loop der(x[k]) = 1 - 4*k - (if k > 1 then k - 1 else "
      "0)\n"
      "- (if k < 250 then k + 1 else 0)/3; end for;");
  g_autoptr(DaeInit) init = dae_init_check(inside.algebra, inside.sig, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_WELL_DETERMINED, dae_init_verdict(init));
  for (uint32_t k = 0; k < 250; k++) {
    uint32_t symbol = dae_model_variable(inside.model, k)->symbol;
    double value = 0;
    TEST_ASSERT_TRUE(dae_init_value(init, dae_term_variable(inside.terms, symbol, 0), &value));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9 * k + 1e-9, k + 1, value);
  }
  inside_clear(&inside);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_grid);
  RUN_TEST(test_what_is_set_aside);
  RUN_TEST(test_contradiction);
  RUN_TEST(test_singular);
  RUN_TEST(test_free_unknown);
  RUN_TEST(test_values);
  return UNITY_END();
}
