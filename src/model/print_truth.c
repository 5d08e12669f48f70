/* Booleans are 0 and 1 inside (discrete.c); as text they are Booleans again. */
#include "model/flat.h"

static DaeTerm
half(DaeTerms *terms)
{
  return dae_term_ratio(terms, 1, 2);
}

static bool
is_constant(const DaeTerms *terms, DaeTerm t, bool value)
{
  return dae_term_kind(terms, t) == DAE_KIND_BOOLEAN && dae_term_get_bool(terms, t) == value;
}

/* a and b, without what the one leaves of the other */
static DaeTerm
both(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return is_constant(terms, b, true)    ? a
         : is_constant(terms, b, false) ? b
                                        : dae_term_and(terms, a, b);
}

static DaeTerm
either(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return is_constant(terms, a, false)   ? b
         : is_constant(terms, b, false) ? a
                                        : dae_term_or(terms, a, b);
}

DaeTerm
dae_truth_of_number(DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_NUMBER) {
    return dae_term_bool(terms, !dae_term_is_zero(terms, t));
  }
  if (kind != DAE_KIND_IF) { /* a symbol, or a call whose value is 0 or 1 */
    return dae_term_relation(terms, DAE_REL_GT, t, half(terms));
  }
  DaeTerm condition = dae_term_operand(terms, t, 0);
  DaeTerm then = dae_truth_of_number(terms, dae_term_operand(terms, t, 1));
  DaeTerm otherwise = dae_truth_of_number(terms, dae_term_operand(terms, t, 2));
  return either(terms, both(terms, condition, then),
                both(terms, dae_term_not(terms, condition), otherwise));
}
