/* Equations and their derivatives (as far as the offsets go) that involve nothing but the
 * variables of a given term: what can be said about it on the solution set. */
#include "base/base.h"
#include "structural/sig-priv.h"

enum {
  MOST_RELATIONS = 6,  /* they go into a Groebner basis */
  RELATION_SIZE = 60,  /* nodes in each of them */
  MOST_DERIVATIVES = 4 /* orders to which an equation is differentiated for that */
};

static bool
all_atoms_known(DaeTerms *terms, DaeTerm t, GHashTable *atoms)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, variables);
  for (guint k = 0; k < variables->len; k++) {
    if (!g_hash_table_contains(atoms, GUINT_TO_POINTER(g_array_index(variables, DaeTerm, k)))) {
      return false;
    }
  }
  return variables->len > 0;
}

/* Row i and its derivatives, where they fit. */
static void
add_relations_of_row(DaeSig *sig, uint32_t i, GHashTable *atoms, GArray *relations)
{
  DaeTerm t = dae_sigma_residual(&sig->sigma, sig->terms, sig->model, i);
  for (int32_t order = 0; order <= MIN(sig->c[i], MOST_DERIVATIVES); order++) {
    if (dae_term_size(sig->terms, t) <= RELATION_SIZE &&
        all_atoms_known(sig->terms, t, atoms)) {
      DaeSigRelation relation = {t, i, order};
      g_array_append_val(relations, relation);
    }
    t = order < sig->c[i] ? dae_term_total(sig->terms, t) : t;
  }
}

GArray *
dae_sig_relations_among(DaeSig *sig, DaeTerm term, DaeCsr **by_column)
{
  GArray *relations = g_array_new(FALSE, FALSE, sizeof(DaeSigRelation));
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) atoms = g_hash_table_new(g_direct_hash, g_direct_equal);
  g_autoptr(GHashTable) rows = g_hash_table_new(g_direct_hash, g_direct_equal);
  dae_term_collect_variables(sig->terms, term, variables);
  for (guint k = 0; k < variables->len; k++) {
    g_hash_table_add(atoms, GUINT_TO_POINTER(g_array_index(variables, DaeTerm, k)));
  }
  if (variables->len > 0 && *by_column == NULL) {
    *by_column = dae_csr_transpose(sig->sigma.csr);
  }
  for (guint k = 0; k < variables->len; k++) {
    uint32_t j = 0;
    DaeSymbol symbol = dae_term_get_symbol(sig->terms, g_array_index(variables, DaeTerm, k));
    if (!dae_model_find_variable(sig->model, symbol, &j)) {
      continue;
    }
    for (size_t e = (*by_column)->start[j]; e < (*by_column)->start[j + 1]; e++) {
      uint32_t i = (*by_column)->column[e];
      if (relations->len < MOST_RELATIONS && g_hash_table_add(rows, GUINT_TO_POINTER(i))) {
        add_relations_of_row(sig, i, atoms, relations);
      }
    }
  }
  return relations;
}
