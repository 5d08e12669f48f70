/* The three-valued zero test.
 *
 * Cheap certificates first: almost every question is "no", and an image at one point answers it.
 *   1. modular image of a rational term: nonzero image -> NONZERO;
 *   2. Arb balls at a few rational points, for terms with functions: ball without 0 -> NONZERO;
 *   3. normal form over independent kernels (lower.c, ring.c): 0 -> ZERO, if need be case by
 *      case over if-terms and signs (cases.c);
 *   4. algebraic numbers exactly (algebraic.c), sums of angles and of logarithms (forms.c);
 *   5. balls at more points with doubled precision, up to DAE_LIMIT_PRECISION bits.
 * Whatever is left is UNKNOWN. Points are taken where the term itself, not a
 * rewritten form of it, is defined. */
#include "algebra/algebra-priv.h"

#define FIRST_POINTS 3
#define LAST_POINTS 24
#define FIRST_PRECISION 128

static bool
plan_has_atoms(DaeTerms *terms, const DaePlan *plan)
{
  for (uint32_t i = 0; i < plan->n; i++) {
    if (dae_term_is_atom(terms, plan->node[i])) {
      return true;
    }
  }
  return false;
}

/* Does a ball at one of the points exclude 0? n_defined counts the
 * points where the term is defined. */
static bool
some_ball_excludes_zero(DaeAlgebra *algebra, const DaePlan *plan, uint32_t n_points,
                        slong precision, uint32_t *n_defined)
{
  arb_t ball;
  arb_init(ball);
  bool found = false;
  *n_defined = 0;
  uint32_t last = n_points;
  for (uint32_t point = 0; point < last && !found && !dae_algebra_spent(algebra); point++) {
    DaeBallPoint at = {point, precision};
    if (dae_ball_eval(algebra, plan, 1, at, ball)) {
      (*n_defined)++;
      found = !arb_contains_zero(ball);
    }
    if (point + 1 == n_points && !found &&
        dae_ball_tries_expected(algebra, plan, *n_defined > 0)) {
      point = DAE_EXPECTED_POINT - 1;
      last = DAE_EXPECTED_POINT + DAE_EXPECTED_POINTS;
    }
  }
  arb_clear(ball);
  return found;
}

/* More points until a few are in the domain, then more bits. */
static DaeZero
try_harder_for_nonzero(DaeAlgebra *algebra, const DaePlan *plan, bool has_atoms)
{
  uint32_t n_points = has_atoms ? LAST_POINTS : 1;
  for (slong precision = 2 * (slong)FIRST_PRECISION; precision <= DAE_LIMIT_PRECISION;
       precision *= 4) {
    uint32_t n_defined = 0;
    if (some_ball_excludes_zero(algebra, plan, n_points, precision, &n_defined)) {
      return DAE_NONZERO;
    }
    n_points = MIN(n_points, 8);
  }
  return DAE_UNKNOWN;
}

DaeZero
dae_zero_prove(DaeAlgebra *algebra, DaeTerm t)
{
  if (dae_term_is_number(algebra->terms, t)) {
    return dae_term_is_zero(algebra->terms, t) ? DAE_ZERO : DAE_UNKNOWN;
  }
  g_autoptr(DaeRing) ring = dae_ring_new(algebra, &t, 1);
  if (ring == NULL) {
    return DAE_UNKNOWN;
  }
  fmpz_mpoly_q_t value;
  fmpz_mpoly_q_init(value, ring->ctx);
  bool is_zero = dae_ring_convert(ring, &t, 1, value) &&
                 dae_ring_reduce_fraction(ring, value) &&
                 fmpz_mpoly_q_is_zero(value, ring->ctx);
  fmpz_mpoly_q_clear(value, ring->ctx);
  return is_zero ? DAE_ZERO : DAE_UNKNOWN;
}

/* ---- the test ---------------------------------------------------------------------------- */

static DaeZero
decide_general(DaeAlgebra *algebra, DaeTerm t)
{
  DaeTerms *terms = algebra->terms;
  arb_srcptr first = dae_ball_at_point_0(algebra, t);
  if (first != NULL && !arb_contains_zero(first)) {
    return DAE_NONZERO;
  }
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  bool has_atoms = plan_has_atoms(terms, plan);
  uint32_t n_defined = 0;
  if (some_ball_excludes_zero(algebra, plan, has_atoms ? FIRST_POINTS : 1, FIRST_PRECISION,
                              &n_defined)) {
    return DAE_NONZERO;
  }
  if (dae_algebra_spent(algebra)) {
    return DAE_UNKNOWN;
  }
  DaeTerm rewritten = dae_algebra_rewrite(algebra, t);
  if (dae_zero_prove(algebra, rewritten) == DAE_ZERO) {
    return DAE_ZERO;
  }
  if (dae_cases_prove_zero(algebra, rewritten)) {
    return DAE_ZERO;
  }
  if (!has_atoms) {
    DaeZero answer = dae_algebraic_is_zero(algebra, rewritten);
    answer = answer == DAE_UNKNOWN ? dae_forms_is_zero(algebra, rewritten) : answer;
    if (answer != DAE_UNKNOWN) {
      return answer;
    }
  }
  return try_harder_for_nonzero(algebra, plan, has_atoms);
}

static DaeZero
decide(DaeAlgebra *algebra, DaeTerm t)
{
  uint64_t image = 0;
  DaeModState state = dae_modular_value(algebra, t, &image);
  if (state == DAE_MOD_VALUE && image != 0) {
    return DAE_NONZERO;
  }
  if (dae_algebra_spent(algebra)) {
    return DAE_UNKNOWN;
  }
  if (state == DAE_MOD_VALUE && dae_zero_prove(algebra, t) == DAE_ZERO) {
    return DAE_ZERO;
  }
  return decide_general(algebra, t);
}

DaeZero
dae_algebra_is_zero(DaeAlgebra *algebra, DaeTerm t)
{
  DAE_ASSERT(t != DAE_NO_TERM);
  if (dae_term_is_number(algebra->terms, t)) {
    return dae_term_is_zero(algebra->terms, t) ? DAE_ZERO : DAE_NONZERO;
  }
  dae_algebra_reserve(algebra);
  if (algebra->zero_memo[t] != 0) {
    return (DaeZero)(algebra->zero_memo[t] - 1);
  }
  double before = dae_work_begin(algebra, DAE_WORK_PROOF);
  bool is_outermost = !algebra->is_asked;
  if (is_outermost) {
    algebra->is_asked = true;
    algebra->routine_left = DAE_WORK_ROUTINE;
  }
  DaeZero answer = decide(algebra, t);
  algebra->is_asked = algebra->is_asked && !is_outermost;
  bool cut_short = dae_algebra_spent(algebra) || (algebra->work_left < 0 && before <= 0);
  dae_work_end(algebra, before);
  /* An answer cut short by the allowance of an outer question or by
   * the budget is not remembered. */
  if (answer != DAE_UNKNOWN || !cut_short) {
    dae_algebra_reserve(algebra);
    algebra->zero_memo[t] = (uint8_t)(1 + answer);
  }
  return answer;
}

bool
dae_algebra_equal(DaeAlgebra *algebra, DaeTerm a, DaeTerm b)
{
  return a == b || dae_algebra_is_zero(algebra, dae_term_sub(algebra->terms, a, b)) == DAE_ZERO;
}
