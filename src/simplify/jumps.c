/* Does a value jump at events? What does is not put in for a variable that is differentiated: the
 * derivative of its pieces says nothing of the jump, and what passes at it (the charge of two
 * capacitors in series with a voltage that is switched on) would be lost. */
#include <math.h>

#include "simplify/simplify-priv.h"

/* The time at which a relation changes; DAE_NO_TERM: there is no one such time. */
static DaeTerm
time_of_change(DaeTerms *terms, DaeTerm relation)
{
  DaeTerm time = dae_term_time(terms);
  DaeTerm distance = dae_term_sub(terms, dae_term_operand(terms, relation, 0),
                                  dae_term_operand(terms, relation, 1));
  DaeTerm slope = dae_term_partial(terms, distance, time);
  if (slope == DAE_NO_TERM || !dae_term_is_number(terms, slope) ||
      dae_term_is_zero(terms, slope)) {
    return DAE_NO_TERM;
  }
  DaeTerm at_zero = dae_term_replace(terms, distance, time, dae_term_int(terms, 0));
  return at_zero != DAE_NO_TERM && dae_term_is_number(terms, at_zero)
             ? dae_term_neg(terms, dae_term_div(terms, at_zero, slope))
             : DAE_NO_TERM;
}

static double
value_at(DaeTerms *terms, DaeTerm value, DaeTerm relation, bool holds, DaeTerm at)
{
  double number = NAN;
  DaeTerm side = dae_term_replace(terms, value, relation, dae_term_bool(terms, holds));
  side = side != DAE_NO_TERM ? dae_term_replace(terms, side, dae_term_time(terms), at) : side;
  return side != DAE_NO_TERM &&
                 dae_term_eval_double(terms, side, NULL, NULL, &number) == DAE_EVAL_OK
             ? number
             : NAN;
}

/* Has the value the same limits on both sides of where the relation changes? */
static bool
is_continuous_at(DaeTerms *terms, DaeTerm value, DaeTerm relation)
{
  if (dae_term_kind(terms, relation) != DAE_KIND_RELATION) {
    return false;
  }
  DaeTerm at = time_of_change(terms, relation);
  if (at == DAE_NO_TERM) {
    return false;
  }
  double yes = value_at(terms, value, relation, true, at);
  double no = value_at(terms, value, relation, false, at);
  return fabs(yes - no) <= 1e-10 * (fabs(yes) + fabs(no));
}

static bool
is_discrete(const DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_PARAMETER &&
         dae_terms_variability(terms, dae_term_get_symbol(terms, t)) ==
             DAE_VARIABILITY_DISCRETE;
}

static bool
is_step(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  uint8_t class = dae_function_facts(dae_term_function(terms, t))->kind;
  return class == DAE_CLASS_STEP || class == DAE_CLASS_REST;
}

static bool
is_literal(const DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_term_function(terms, t) == DAE_FN_NOEVENT;
}

/* Outside of conditions, or inside. */
static bool
has_discrete(DaeTerms *terms, DaeTerm value, bool inside)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, value);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    if (is_discrete(terms, top)) {
      return true;
    }
    if (inside || dae_term_kind(terms, top) != DAE_KIND_IF) {
      dae_visit_enter(visit, top);
    }
  }
  return false;
}

/* Do the two sides of the relation differ by a number where it changes, whatever the discrete values
 * are? Of a pulse of time that is counted (if time < T0 + width then 1 else 0) they do, of one with
 * ramps they differ by what cannot be known: it is taken to be continuous. */
static bool
jumps_for_certain(DaeTerms *terms, DaeTerm value, DaeTerm relation)
{
  DaeTerm time = dae_term_time(terms);
  DaeTerm yes = dae_term_replace(terms, value, relation, dae_term_bool(terms, true));
  DaeTerm no = dae_term_replace(terms, value, relation, dae_term_bool(terms, false));
  DaeTerm gap = yes != DAE_NO_TERM && no != DAE_NO_TERM ? dae_term_sub(terms, yes, no) : yes;
  DaeTerm distance = dae_term_sub(terms, dae_term_operand(terms, relation, 0),
                                  dae_term_operand(terms, relation, 1));
  DaeTerm slope = dae_term_partial(terms, distance, time);
  if (gap != DAE_NO_TERM && slope != DAE_NO_TERM && dae_term_is_number(terms, slope) &&
      !dae_term_is_zero(terms, slope)) {
    DaeTerm at = dae_term_sub(terms, time, dae_term_div(terms, distance, slope));
    gap = dae_term_replace(terms, gap, time, at);
  }
  gap = gap != DAE_NO_TERM ? dae_terms_rewrite(terms, gap) : gap;
  return gap != DAE_NO_TERM && dae_term_is_number(terms, gap) && !dae_term_is_zero(terms, gap);
}

bool
dae_simplify_may_jump(DaeSimplifier *s, DaeTerm value)
{
  DaeTerms *terms = s->terms;
  if (has_discrete(terms, value, false)) {
    return true;
  }
  bool is_counted = has_discrete(terms, value, true);
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, value);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    bool is_relation = dae_term_kind(terms, top) == DAE_KIND_RELATION;
    if (is_step(terms, top) ||
        (is_relation && (is_counted ? jumps_for_certain(terms, value, top)
                                    : !is_continuous_at(terms, value, top)))) {
      return true;
    }
    if (!is_literal(terms, top)) { /* no event there, so nothing that could take the jump */
      dae_visit_enter(visit, top);
    }
  }
  return false;
}
