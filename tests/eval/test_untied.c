/* Which states the constraints leave alone, by the patterns of M and g_x. */
#include "eval/untied.h"
#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

enum { MOST = 6 };

/* Rows of the patterns as texts: one letter a column, 'a' is unknown 0. */
static void
assert_untied(uint32_t n, const char *const *mass, uint32_t n_diff, const char *const *gx,
              uint32_t n_con, const char *expected)
{
  uint32_t start[2][MOST + 1] = {{0}};
  uint32_t column[2][MOST * MOST];
  for (uint32_t which = 0; which < 2; which++) {
    const char *const *rows = which == 0 ? mass : gx;
    for (uint32_t i = 0; i < (which == 0 ? n_diff : n_con); i++) {
      uint32_t at = start[which][i];
      for (const char *c = rows[i]; *c != '\0'; c++) {
        column[which][at++] = (uint32_t)(*c - 'a');
      }
      start[which][i + 1] = at;
    }
  }
  const DaeEvaluator ev = {.n = n,
                           .n_diff = n_diff,
                           .n_con = n_con,
                           .mass = {n_diff, n, start[0], column[0]},
                           .constraint = {n_con, n, start[1], column[1]}};
  uint8_t is_untied[MOST] = {0};
  char found[MOST + 1] = {0};
  uint32_t at = 0;
  dae_evaluator_find_untied(&ev, is_untied);
  for (uint32_t j = 0; j < n; j++) {
    if (is_untied[j] != 0) {
      found[at++] = (char)('a' + (int)j);
    }
  }
  TEST_ASSERT_EQUAL_STRING(expected, found);
}

static void
test_without_constraints_every_state_is(void)
{
  assert_untied(2, (const char *const[]){"ab", "ab"}, 2, NULL, 0, "ab");
}

static void
test_constraints_that_give_algebraic_unknowns_tie_nothing(void)
{
  /* c = f(a), d = g(c, b), both algebraic; in the order that needs a path: d is taken first */
  assert_untied(4, (const char *const[]){"a", "b"}, 2, (const char *const[]){"bcd", "ac"}, 2,
                "ab");
  assert_untied(4, (const char *const[]){"a", "b"}, 2, (const char *const[]){"acd", "bc"}, 2,
                "ab");
}

static void
test_a_constraint_on_states_ties_them_only(void)
{
  /* b = f(a); c appears with b in M alone */
  assert_untied(3, (const char *const[]){"a", "bc"}, 2, (const char *const[]){"ab"}, 1, "c");
}

static void
test_a_constraint_reads_states_through_algebraic_unknowns(void)
{
  /* d = f(a), e = g(c); d = b: a and b are tied, c is not */
  assert_untied(5, (const char *const[]){"a", "b", "c"}, 3,
                (const char *const[]){"ad", "ce", "bd"}, 3, "c");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_without_constraints_every_state_is);
  RUN_TEST(test_constraints_that_give_algebraic_unknowns_tie_nothing);
  RUN_TEST(test_a_constraint_on_states_ties_them_only);
  RUN_TEST(test_a_constraint_reads_states_through_algebraic_unknowns);
  return UNITY_END();
}
