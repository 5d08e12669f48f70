/* The three-valued zero test.
 *
 * Cheap certificates first: almost every question is "no", and an image at one point answers it.
 *   1. modular image of a rational term: nonzero image -> NONZERO;
 *   2. Arb balls at a few rational points, for terms with functions: ball without 0 -> NONZERO;
 *   3. normal form over independent kernels (lower.c, ring.c): 0 -> ZERO;
 *   4. algebraic numbers exactly (algebraic.c);
 *   5. if-terms and signs case by case: ZERO if each case is;
 *   6. balls at more points with doubled precision, up to DAE_LIMIT_PRECISION bits.
 * Whatever is left is UNKNOWN. Points are taken where the term itself, not a rewritten form of it, is defined. */
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

/* Does a ball at one of the points exclude 0? n_defined counts the points where the term is defined. */
static bool
some_ball_excludes_zero(DaeAlgebra *algebra, const DaePlan *plan, uint32_t n_points,
                        slong precision, uint32_t *n_defined)
{
  arb_t ball;
  arb_init(ball);
  bool found = false;
  *n_defined = 0;
  for (uint32_t point = 0; point < n_points && !found && !dae_algebra_spent(algebra); point++) {
    DaeBallPoint at = {point, precision};
    if (dae_ball_eval(algebra, plan, 1, at, ball)) {
      (*n_defined)++;
      found = !arb_contains_zero(ball);
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
  for (slong precision = 2 * FIRST_PRECISION; precision <= DAE_LIMIT_PRECISION;
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
  bool is_zero = dae_ring_convert(ring, &t, 1, value);
  if (is_zero) {
    dae_ring_reduce_fraction(ring, value);
    is_zero = fmpz_mpoly_q_is_zero(value, ring->ctx);
  }
  fmpz_mpoly_q_clear(value, ring->ctx);
  return is_zero ? DAE_ZERO : DAE_UNKNOWN;
}

/* ---- case distinctions ------------------------------------------------------------------------ */

/* The first if-term that no other if-term of the plan depends on. */
static DaeTerm
find_if_term(DaeTerms *terms, const DaePlan *plan)
{
  for (uint32_t i = 0; i < plan->n; i++) {
    if (dae_term_kind(terms, plan->node[i]) == DAE_KIND_IF) {
      return plan->node[i];
    }
  }
  return DAE_NO_TERM;
}

/* t with every if-term that has the condition c replaced by one of its branches. */
static DaeTerm
choose_branch(DaeTerms *terms, const DaePlan *plan, DaeTerm t, DaeTerm condition,
              uint32_t branch)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  for (uint32_t i = 0; i < plan->n; i++) {
    DaeTerm node = plan->node[i];
    if (dae_term_kind(terms, node) == DAE_KIND_IF &&
        dae_term_operand(terms, node, 0) == condition) {
      dae_subst_set(subst, node, dae_term_operand(terms, node, branch));
    }
  }
  return dae_subst_apply(subst, t);
}

/* ZERO if both branches are. A branch that is not zero may be out of reach, so it proves nothing. */
static DaeZero
split_on_condition(DaeAlgebra *algebra, const DaePlan *plan, DaeTerm t)
{
  DaeTerm chosen = find_if_term(algebra->terms, plan);
  if (chosen == DAE_NO_TERM || algebra->depth >= DAE_LIMIT_SPLITS) {
    return DAE_UNKNOWN;
  }
  DaeTerm condition = dae_term_operand(algebra->terms, chosen, 0);
  algebra->depth++;
  DaeZero answer = DAE_ZERO;
  for (uint32_t branch = 1; branch <= 2 && answer == DAE_ZERO; branch++) {
    DaeTerm part = choose_branch(algebra->terms, plan, t, condition, branch);
    bool is_zero = part != DAE_NO_TERM && dae_algebra_is_zero(algebra, part) == DAE_ZERO;
    answer = is_zero ? DAE_ZERO : DAE_UNKNOWN;
  }
  algebra->depth--;
  return answer;
}

/* The first call of a function with a corner or jump where its argument changes sign. */
static DaeTerm
find_corner(DaeTerms *terms, const DaePlan *plan)
{
  for (uint32_t i = 0; i < plan->n; i++) {
    if (dae_term_kind(terms, plan->node[i]) == DAE_KIND_CALL) {
      DaeFunction f = dae_term_function(terms, plan->node[i]);
      if (f == DAE_FN_ABS || f == DAE_FN_SIGN) {
        return plan->node[i];
      }
    }
  }
  return DAE_NO_TERM;
}

/* t where the sign of x is known: abs(x) = sign*x, sign(x) = sign. */
static DaeTerm
fix_sign(DaeTerms *terms, DaeTerm t, DaeTerm x, int sign)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  DaeTerm s = dae_term_int(terms, sign);
  dae_subst_set(subst, dae_term_call1(terms, DAE_FN_ABS, x), dae_term_mul(terms, s, x));
  dae_subst_set(subst, dae_term_call1(terms, DAE_FN_SIGN, x), s);
  return dae_subst_apply(subst, t);
}

/* lowered = 0 for x > 0, for x < 0 and, where sign(x) jumps, for x = 0. abs alone is continuous, so its
 * third case follows from the others. */
static DaeZero
split_on_sign(DaeAlgebra *algebra, DaeTerm lowered)
{
  DaeTerms *terms = algebra->terms;
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &lowered, 1, NULL);
  DaeTerm corner = find_corner(terms, plan);
  if (corner == DAE_NO_TERM || algebra->depth >= DAE_LIMIT_SPLITS ||
      dae_algebra_spent(algebra)) {
    return DAE_UNKNOWN;
  }
  DaeTerm x = dae_term_operand(terms, corner, 0);
  DaeTerm jump = dae_term_call1(terms, DAE_FN_SIGN, x);
  bool has_jump = dae_term_contains(terms, lowered, jump);
  algebra->depth++;
  DaeZero answer = DAE_ZERO;
  for (int sign = -1; sign <= 1 && answer == DAE_ZERO; sign++) {
    DaeTerm part =
        sign == 0 && !has_jump ? dae_term_int(terms, 0) : fix_sign(terms, lowered, x, sign);
    bool is_zero =
        part != DAE_NO_TERM && (sign == 0 ? dae_algebra_is_zero_modulo(algebra, part, &x, 1)
                                          : dae_algebra_is_zero(algebra, part)) == DAE_ZERO;
    answer = is_zero ? DAE_ZERO : DAE_UNKNOWN;
  }
  algebra->depth--;
  return answer;
}

/* ---- the test ------------------------------------------------------------------------------------ */

static DaeZero
decide_general(DaeAlgebra *algebra, DaeTerm t)
{
  DaeTerms *terms = algebra->terms;
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
  DaeTerm rewritten = dae_terms_rewrite(terms, t);
  if (dae_zero_prove(algebra, rewritten) == DAE_ZERO) {
    return DAE_ZERO;
  }
  DaeTerm lowered = dae_lower(algebra, rewritten);
  if (lowered != DAE_NO_TERM && dae_zero_prove(algebra, lowered) == DAE_ZERO) {
    return DAE_ZERO;
  }
  if (!has_atoms) {
    DaeZero answer = dae_algebraic_is_zero(algebra, rewritten);
    if (answer != DAE_UNKNOWN) {
      return answer;
    }
  }
  if (split_on_condition(algebra, plan, t) == DAE_ZERO) {
    return DAE_ZERO;
  }
  if (lowered != DAE_NO_TERM && split_on_sign(algebra, lowered) == DAE_ZERO) {
    return DAE_ZERO;
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
  DaeZero answer = decide(algebra, t);
  /* An answer cut short by the budget or by the depth of a case distinction is not remembered. */
  if (answer != DAE_UNKNOWN || (algebra->depth == 0 && !dae_algebra_spent(algebra))) {
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
