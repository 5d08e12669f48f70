/* Discrete values that never change: b = h >= 0 where an equation says h = 0.
 *
 * In the continuous model what is discrete is a symbol, of which any value has to be expected.
 * A value that is the same in all modes stands there as the number it is, so that the branches
 * of conditions that are never taken do not count for the structure. */
#include "hybrid/hybrid-priv.h"

/* Rounds of constants that follow from constants. */
enum { MOST_ROUNDS = 8 };

static bool
is_unknown(const DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_VARIABLE && dae_term_order(terms, t) == 0;
}

/* x = 0, 0 = x: x to its number. */
static bool
note_constant(DaeTerms *terms, DaeSubst *known, DaeTerm x, DaeTerm value)
{
  if (!is_unknown(terms, x) || dae_subst_apply(known, x) != x) {
    return false;
  }
  DaeTerm closed = dae_subst_apply(known, value);
  if (closed == DAE_NO_TERM || !dae_term_is_number(terms, closed)) {
    return false;
  }
  dae_subst_set(known, x, closed);
  return true;
}

/* Constants of the continuous equations, into known. */
static void
collect_constants(const DaeHybrid *hybrid, const GArray *equations, DaeSubst *known)
{
  bool is_new = true;
  for (int round = 0; round < MOST_ROUNDS && is_new; round++) {
    is_new = false;
    for (guint i = 0; i < equations->len; i++) {
      const DaeEquation *e = &g_array_index(equations, DaeEquation, i);
      is_new = note_constant(hybrid->terms, known, e->lhs, e->rhs) ||
               note_constant(hybrid->terms, known, e->rhs, e->lhs) || is_new;
    }
  }
}

DaeSubst *
dae_hybrid_settled_values(const DaeHybrid *hybrid, const GArray *equations)
{
  DaeTerms *terms = hybrid->terms;
  g_autoptr(DaeSubst) known = dae_subst_new(terms);
  DaeSubst *settled = NULL;
  collect_constants(hybrid, equations, known);
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->variable == DAE_HYBRID_NONE || discrete->is_when || discrete->in_loop ||
        discrete->now_is_free) {
      continue;
    }
    DaeTerm value = dae_subst_apply(known, discrete->value);
    value = value != DAE_NO_TERM ? dae_terms_rewrite(terms, value) : DAE_NO_TERM;
    if (value != DAE_NO_TERM && dae_term_is_number(terms, value)) {
      settled = settled != NULL ? settled : dae_subst_new(terms);
      dae_subst_set(settled, discrete->now, value);
      dae_subst_set(known, discrete->now, value);
    }
  }
  return settled;
}
