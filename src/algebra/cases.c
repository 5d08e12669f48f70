/* Proofs by cases: if-terms branch by branch, with the condition as a fact about signs, and
 * absolute values and signs for either sign of their argument. A case whose facts
 * contradict each other needs no proof.
 *
 * The search is depth first with an explicit stack; the depth is limited, so there are at most
 * 3^DAE_LIMIT_SPLITS cases, and the budget ends it before. */
#include "algebra/algebra-priv.h"

typedef struct {
  DaeTerm term;
  DaeTerm vanishing; /* a term that is 0 in this case, or none */
  uint32_t n_facts;
  DaeFact facts[2 * DAE_LIMIT_SPLITS];
  uint32_t depth;
} Case;

/* ---- facts ------------------------------------------------------------------------------- */

static void
add_fact(DaeAlgebra *algebra, Case *c, DaeTerm term, bool strict)
{
  if (c->n_facts < G_N_ELEMENTS(c->facts) && !dae_term_is_number(algebra->terms, term)) {
    c->facts[c->n_facts++] = (DaeFact){term, strict};
  }
}

/* The condition holds (or not): what does it say about a sign? Equations and
 * combinations say nothing here. */
static void
add_condition(DaeAlgebra *algebra, Case *c, DaeTerm condition, bool holds)
{
  DaeTerms *terms = algebra->terms;
  if (dae_term_kind(terms, condition) != DAE_KIND_RELATION) {
    return;
  }
  DaeTerm difference = dae_term_sub(terms, dae_term_operand(terms, condition, 0),
                                    dae_term_operand(terms, condition, 1));
  DaeRelation relation = dae_term_relation_op(terms, condition);
  if (relation == DAE_REL_EQ || relation == DAE_REL_NE) {
    return;
  }
  bool greater = relation == DAE_REL_GT || relation == DAE_REL_GE;
  bool strict = relation == DAE_REL_GT || relation == DAE_REL_LT;
  bool upward = greater == holds; /* not (a > b) is a <= b */
  add_fact(algebra, c, upward ? difference : dae_term_neg(terms, difference), strict == holds);
}

/* Facts that are linear in the atoms with no solution: some nonnegative combination of them is
 * a number <= 0 that must be > 0. Here only sums of two or three facts with weights one are
 * tried; that covers orders like x > y > z > x. */
static bool
sum_is_contradiction(DaeAlgebra *algebra, DaeTerm sum, bool strict)
{
  DaeTerms *terms = algebra->terms;
  DaeTerm value = dae_terms_rewrite(terms, sum);
  if (!dae_term_is_number(terms, value)) {
    return false;
  }
  int sign = dae_term_sign(terms, value);
  return sign < 0 || (sign == 0 && strict);
}

static bool
is_contradictory(DaeAlgebra *algebra, const Case *c)
{
  DaeTerms *terms = algebra->terms;
  for (uint32_t i = 0; i < c->n_facts; i++) {
    for (uint32_t j = 0; j < i; j++) {
      DaeTerm two = dae_term_add(terms, c->facts[i].term, c->facts[j].term);
      bool strict = c->facts[i].strict || c->facts[j].strict;
      if (sum_is_contradiction(algebra, two, strict)) {
        return true;
      }
      for (uint32_t k = 0; k < j; k++) {
        DaeTerm three = dae_term_add(terms, two, c->facts[k].term);
        if (sum_is_contradiction(algebra, three, strict || c->facts[k].strict)) {
          return true;
        }
      }
    }
  }
  return false;
}

/* ---- splitting --------------------------------------------------------------------------- */

/* The last if-term of the plan has no other around it: its condition is evaluated wherever t is. */
static DaeTerm
find_if_term(DaeTerms *terms, const DaePlan *plan)
{
  for (uint32_t i = plan->n; i-- > 0;) {
    if (dae_term_kind(terms, plan->node[i]) == DAE_KIND_IF) {
      return plan->node[i];
    }
  }
  return DAE_NO_TERM;
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

/* t with every if-term that has the condition replaced by one of its branches. */
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

static bool
push_branches(DaeAlgebra *algebra, const Case *c, const DaePlan *plan, DaeTerm if_term,
              GArray *stack)
{
  DaeTerm condition = dae_term_operand(algebra->terms, if_term, 0);
  for (uint32_t branch = 1; branch <= 2; branch++) {
    Case next = *c;
    next.depth++;
    next.term = choose_branch(algebra->terms, plan, c->term, condition, branch);
    if (next.term == DAE_NO_TERM) {
      return false;
    }
    add_condition(algebra, &next, condition, branch == 1);
    g_array_append_val(stack, next);
  }
  return true;
}

/* x > 0, x < 0 and, where sign(x) jumps, x = 0. abs alone is
 * continuous, so its third case follows. */
static bool
push_signs(DaeAlgebra *algebra, const Case *c, DaeTerm lowered, DaeTerm corner, GArray *stack)
{
  DaeTerms *terms = algebra->terms;
  DaeTerm x = dae_term_operand(terms, corner, 0);
  bool has_jump = dae_term_contains(terms, lowered, dae_term_call1(terms, DAE_FN_SIGN, x));
  for (int sign = -1; sign <= 1; sign++) {
    Case next = *c;
    next.depth++;
    if (sign == 0 && (!has_jump || next.vanishing != DAE_NO_TERM)) {
      if (has_jump) {
        return false;
      }
      continue;
    }
    next.term = fix_sign(terms, lowered, x, sign);
    if (next.term == DAE_NO_TERM) {
      return false;
    }
    next.vanishing = sign == 0 ? x : next.vanishing;
    if (sign != 0) {
      add_fact(algebra, &next, sign > 0 ? x : dae_term_neg(terms, x), true);
    }
    g_array_append_val(stack, next);
  }
  return true;
}

/* ---- the proof --------------------------------------------------------------------------- */

/* Closes the case, or pushes the cases it splits into. False: no proof. */
static bool
close_or_split(DaeAlgebra *algebra, const Case *c, GArray *stack)
{
  DaeTerms *terms = algebra->terms;
  DaeTerm lowered = dae_lower(algebra, c->term, c->facts, c->n_facts);
  if (lowered != DAE_NO_TERM && dae_zero_prove(algebra, lowered) == DAE_ZERO) {
    return true;
  }
  if (is_contradictory(algebra, c)) {
    return true;
  }
  if (c->depth >= DAE_LIMIT_SPLITS || dae_algebra_spent(algebra)) {
    return false;
  }
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &c->term, 1, NULL);
  DaeTerm if_term = find_if_term(terms, plan);
  if (if_term != DAE_NO_TERM) {
    return push_branches(algebra, c, plan, if_term, stack);
  }
  if (lowered == DAE_NO_TERM) {
    return false;
  }
  g_autoptr(DaePlan) lowered_plan = dae_plan_new(algebra, &lowered, 1, NULL);
  DaeTerm corner = find_corner(terms, lowered_plan);
  if (corner != DAE_NO_TERM) {
    return push_signs(algebra, c, lowered, corner, stack);
  }
  return c->vanishing != DAE_NO_TERM &&
         dae_algebra_is_zero_modulo(algebra, lowered, &c->vanishing, 1) == DAE_ZERO;
}

bool
dae_cases_prove_zero(DaeAlgebra *algebra, DaeTerm t)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Case));
  Case first = {.term = t};
  g_array_append_val(stack, first);
  while (stack->len > 0) {
    Case c = g_array_index(stack, Case, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    if (!close_or_split(algebra, &c, stack)) {
      return false;
    }
  }
  return true;
}

DaeTerm
dae_algebra_outer_condition(DaeAlgebra *algebra, DaeTerm t)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  DaeTerm found = find_if_term(algebra->terms, plan);
  return found == DAE_NO_TERM ? found : dae_term_operand(algebra->terms, found, 0);
}

DaeTerm
dae_algebra_choose_branch(DaeAlgebra *algebra, DaeTerm t, DaeTerm condition, bool holds)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  return choose_branch(algebra->terms, plan, t, condition, holds ? 1 : 2);
}
