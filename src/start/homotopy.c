#include "start/start.h"

/* Some homotopy() call in t whose operands hold no other one; DAE_NO_TERM if there is
 * none. Depth-first with a stack of its own: the last call found before its operands are
 * done is the innermost on that path. */
DaeTerm
dae_homotopy_find(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  DaeTerm found = DAE_NO_TERM;
  g_array_append_val(stack, t);
  while (stack->len > 0) {
    DaeTerm top = g_array_index(stack, DaeTerm, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    if (!g_hash_table_add(seen, GUINT_TO_POINTER(top))) {
      continue;
    }
    bool is_call = dae_term_kind(terms, top) == DAE_KIND_CALL &&
                   dae_term_function(terms, top) == DAE_FN_HOMOTOPY;
    if (is_call && (found == DAE_NO_TERM || dae_term_contains(terms, found, top))) {
      found = top;
    }
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(terms, top, &n);
    g_array_append_vals(stack, operands, n);
  }
  return found;
}

DaeTerm
dae_homotopy_take_actual(DaeTerms *terms, DaeTerm t)
{
  for (DaeTerm call = dae_homotopy_find(terms, t); call != DAE_NO_TERM;
       call = dae_homotopy_find(terms, t)) {
    t = dae_term_replace(terms, t, call, dae_term_operand(terms, call, 0));
  }
  return t;
}
