#include "terms/terms-priv.h"

bool
dae_term_is_literal(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  DaeFunction function = dae_term_function(terms, t);
  int64_t p = 0;
  return function == DAE_FN_NOEVENT ||
         (function == DAE_FN_SMOOTH &&
          dae_term_get_int64(terms, dae_term_operand(terms, t, 0), &p) && p >= 1);
}

bool
dae_term_is_literal_truth(const DaeTerms *terms, DaeTerm t)
{
  int64_t then = 0;
  int64_t otherwise = 0;
  if (!dae_term_is_literal(terms, t)) {
    return false;
  }
  bool is_smooth = dae_term_function(terms, t) == DAE_FN_SMOOTH;
  DaeTerm inner = dae_term_operand(terms, t, is_smooth ? 1 : 0);
  return dae_term_kind(terms, inner) == DAE_KIND_IF &&
         dae_term_get_int64(terms, dae_term_operand(terms, inner, 1), &then) &&
         dae_term_get_int64(terms, dae_term_operand(terms, inner, 2), &otherwise) &&
         then + otherwise == 1 && then * otherwise == 0;
}

/* ---- branches of functions ----------------------------------------------------------------- */

typedef struct {
  char *function;
  int order;
} DaeBranched;

static void
free_branched(gpointer data)
{
  DaeBranched *branched = data;
  g_free(branched->function);
  g_free(branched);
}

void
dae_terms_note_branches(DaeTerms *terms, DaeTerm t, const char *function, int order)
{
  if (terms->branched == NULL) {
    terms->branched = g_hash_table_new_full(NULL, NULL, NULL, free_branched);
  }
  const DaeBranched *known = g_hash_table_lookup(terms->branched, GUINT_TO_POINTER(t));
  if (known == NULL || known->order > order) {
    DaeBranched *branched = g_new(DaeBranched, 1);
    *branched = (DaeBranched){g_strdup(function), order};
    g_hash_table_insert(terms->branched, GUINT_TO_POINTER(t), branched);
  }
}

const char *
dae_terms_branches_of(const DaeTerms *terms, DaeTerm t, int *order)
{
  const DaeBranched *known = terms->branched != NULL
                                 ? g_hash_table_lookup(terms->branched, GUINT_TO_POINTER(t))
                                 : NULL;
  *order = known != NULL ? known->order : -1;
  return known != NULL ? known->function : NULL;
}
