#include "fixture.h"
#include "terms/cusps.h"

#include <math.h>

static DaeTerms *terms;
static DaeTerm u, r, half;

void
setUp(void)
{
  terms = fixture_new();
  u = dae_term_variable(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "u"), 0);
  r = dae_term_parameter(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, "r"));
  half = dae_term_ratio(terms, 1, 2);
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static DaeTerm
call(DaeFunction function, DaeTerm a)
{
  return dae_term_call1(terms, function, a);
}

static DaeTerm
part_above(DaeTerm a)
{
  return dae_term_call2(terms, DAE_FN_MAX, a, dae_term_int(terms, 0));
}

static bool
value_at(void *user, DaeTerm atom, double *value)
{
  *value = atom == u ? *(const double *)user : 2;
  return true;
}

static void
assert_branches(DaeTerm t)
{
  const DaeTerm branched = dae_cusps_branch(terms, t);
  TEST_ASSERT_NOT_EQUAL(t, branched);
  for (double at = -2; at <= 2; at += 0.5) { /* the same values, at 0 too */
    double before = NAN;
    double after = NAN;
    TEST_ASSERT_EQUAL(DAE_EVAL_OK, dae_term_eval_double(terms, t, value_at, &at, &before));
    TEST_ASSERT_EQUAL(DAE_EVAL_OK,
                      dae_term_eval_double(terms, branched, value_at, &at, &after));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, before, after);
  }
}

static void
assert_stays(DaeTerm t)
{
  TEST_ASSERT_EQUAL_UINT32(t, dae_cusps_branch(terms, t));
}

static void
test_roots_of_what_changes_its_sign_get_branches(void)
{
  const DaeTerm size = call(DAE_FN_ABS, u);
  const DaeTerm root = dae_term_sqrt(terms, size);
  const DaeTerm flow = dae_term_mul(terms, call(DAE_FN_SIGN, u), root);
  assert_branches(root);
  assert_branches(flow);
  assert_prints(terms, "if u > 0 then sqrt(u) else -sqrt(-u)", dae_cusps_branch(terms, flow));
  assert_branches(dae_term_mul(terms, r, flow));
  const DaeTerm scaled =
      dae_term_mul(terms, dae_term_div(terms, size, r), dae_term_int(terms, 2));
  assert_branches(dae_term_mul(terms, call(DAE_FN_SIGN, u), dae_term_sqrt(terms, scaled)));
  assert_branches(dae_term_sub(terms, dae_term_sqrt(terms, part_above(u)),
                               dae_term_sqrt(terms, part_above(dae_term_neg(terms, u)))));
  const DaeTerm below = dae_term_call2(terms, DAE_FN_MIN, u, dae_term_int(terms, 0));
  const DaeTerm under = dae_term_sqrt(terms, dae_term_neg(terms, below));
  assert_branches(dae_term_sub(terms, dae_term_sqrt(terms, part_above(u)), under));
}

/* Alone they have one vertical side: only where a derivative is asked for. */
static void
test_roots_with_one_side_get_branches_at_the_start(void)
{
  const DaeTerm root = dae_term_pow(terms, part_above(u), dae_term_ratio(terms, 3, 5));
  assert_prints(terms, "if u > 0 then u^0.6 else 0", dae_cusps_branch_all(terms, root));
  TEST_ASSERT_EQUAL_UINT32(root, dae_cusps_branch(terms, root));
}

static void
test_what_has_a_slope_or_is_literal_stays(void)
{
  const DaeTerm size = call(DAE_FN_ABS, u);
  const DaeTerm sign = call(DAE_FN_SIGN, u);
  assert_stays(sign);
  assert_stays(
      dae_term_mul(terms, sign, dae_term_pow(terms, size, dae_term_ratio(terms, 7, 4))));
  assert_stays(dae_term_sqrt(terms, dae_term_add(terms, size, dae_term_int(terms, 1))));
  assert_stays(dae_term_sqrt(terms, dae_term_call2(terms, DAE_FN_MAX, u, half)));
  assert_stays(dae_term_sqrt(terms, call(DAE_FN_ABS, r)));
  assert_stays(call(DAE_FN_NOEVENT, dae_term_mul(terms, sign, dae_term_sqrt(terms, size))));
  /* conditions below the root */
  assert_stays(
      dae_term_sqrt(terms, call(DAE_FN_ABS, dae_term_sub(terms, part_above(u), half))));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_roots_of_what_changes_its_sign_get_branches);
  RUN_TEST(test_roots_with_one_side_get_branches_at_the_start);
  RUN_TEST(test_what_has_a_slope_or_is_literal_stays);
  return UNITY_END();
}
