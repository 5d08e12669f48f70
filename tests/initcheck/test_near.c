/* Redundant equations of large networks have short proofs: one mesh, not the long way round. */
#include "initcheck/initcheck-priv.h"

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

static void
assert_proofs_check(const Checked *checked)
{
  g_autofree char *why = NULL;
  TEST_ASSERT_TRUE_MESSAGE(checked_verifies(checked, &why), why);
}

/* Capacitors along the edges of a square of 20 x 20 nodes, each with its start voltage. */
static const char *const grid =
    "constant Integer M = 20; Real v[M, M];"
    "Real a[M, M - 1](each start = 0, each fixed = true), i[M, M - 1];"
    "Real b[M - 1, M](each start = 0, each fixed = true), j[M - 1, M];"
    "equation for r in 1:M, s in 1:M loop if r == 1 and s == 1 then v[r, s] = 0; else"
    " (if s < M then i[r, min(s, M - 1)] else 0) - (if s > 1 then i[r, max(s - 1, 1)] else 0)"
    " + (if r < M then j[min(r, M - 1), s] else 0) - (if r > 1 then j[max(r - 1, 1), s] else 0)"
    " + (if r == M and s == M then (v[r, s] - 1)/50 else 0) = 0; end if; end for;"
    "for r in 1:M, s in 1:M - 1 loop a[r, s] = v[r, s] - v[r, s + 1];"
    " (1 + r/10 + s/7)*der(a[r, s]) = i[r, s]; end for;"
    "for r in 1:M - 1, s in 1:M loop b[r, s] = v[r, s] - v[r + 1, s];"
    " (1 + r/9 + s/8)*der(b[r, s]) = j[r, s]; end for;";

static void
test_each_mesh_of_a_grid_has_a_short_proof(void)
{
  Checked checked = check_text("grid", grid, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_CONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_UINT32(361, dae_init_n_redundant(checked.init)); /* one of each mesh */
  for (uint32_t k = 0; k < 361; k++) {
    TEST_ASSERT_TRUE(dae_init_redundant(checked.init, k)->n_steps <= 80);
  }
  assert_proofs_check(&checked);
  checked_clear(&checked);
}

/* One mesh of 60 capacitors: every short way ends nowhere. */
static void
test_a_long_mesh_is_proved_the_long_way_round(void)
{
  Checked checked = check_text(
      "ring",
      "constant Integer N = 60; Real u[N](each start = 0, each fixed = true), i[N], v[N];"
      "equation v[1] = 0; for k in 1:N loop u[k] = v[k] - v[mod(k, N) + 1];"
      " (1 + k/7)*der(u[k]) = i[k]; end for;"
      "for k in 2:N loop i[k] - i[k - 1] + v[k]/k = 0; end for;",
      NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_CONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_redundant(checked.init));
  TEST_ASSERT_TRUE(dae_init_redundant(checked.init, 0)->n_steps > 120);
  assert_proofs_check(&checked);
  checked_clear(&checked);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_each_mesh_of_a_grid_has_a_short_proof);
  RUN_TEST(test_a_long_mesh_is_proved_the_long_way_round);
  return UNITY_END();
}
