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

/* t with the numbers of the atoms that are known (atom -> NUMBER); DAE_NO_TERM: no value. */
static DaeTerm
closed(DaeTerms *terms, GHashTable *known, DaeTerm t)
{
  if (dae_term_is_number(terms, t)) {
    return t;
  }
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeSubst) values = dae_subst_new(terms);
  dae_term_collect_variables(terms, t, atoms);
  dae_term_collect_parameters(terms, t, atoms);
  bool any = false;
  for (guint i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    DaeTerm value = GPOINTER_TO_UINT(g_hash_table_lookup(known, GUINT_TO_POINTER(atom)));
    if (value != DAE_NO_TERM) {
      dae_subst_set(values, atom, value);
      any = true;
    }
  }
  return any ? dae_subst_apply(values, t) : t;
}

/* x = 0, 0 = x: x to its number. */
static bool
note_constant(DaeTerms *terms, GHashTable *known, DaeTerm x, DaeTerm value)
{
  if (!is_unknown(terms, x) || g_hash_table_contains(known, GUINT_TO_POINTER(x))) {
    return false;
  }
  DaeTerm number = closed(terms, known, value);
  if (number == DAE_NO_TERM || !dae_term_is_number(terms, number)) {
    return false;
  }
  g_hash_table_insert(known, GUINT_TO_POINTER(x), GUINT_TO_POINTER(number));
  return true;
}

/* Constants of the continuous equations, into known. */
static void
collect_constants(const DaeHybrid *hybrid, const GArray *equations, GHashTable *known)
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
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  DaeSubst *settled = NULL;
  collect_constants(hybrid, equations, known);
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->variable == DAE_HYBRID_NONE || discrete->is_when || discrete->in_loop ||
        discrete->now_is_free) {
      continue;
    }
    DaeTerm value = closed(terms, known, discrete->value);
    value = value != DAE_NO_TERM ? dae_terms_rewrite(terms, value) : DAE_NO_TERM;
    if (value != DAE_NO_TERM && dae_term_is_number(terms, value)) {
      settled = settled != NULL ? settled : dae_subst_new(terms);
      dae_subst_set(settled, discrete->now, value);
      g_hash_table_insert(known, GUINT_TO_POINTER(discrete->now), GUINT_TO_POINTER(value));
    }
  }
  return settled;
}
