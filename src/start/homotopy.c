#include "start/start-priv.h"

/* Some homotopy() call in t whose operands hold no other one; DAE_NO_TERM if there is
 * none. The last call found before its operands are done is the innermost on that path. */
DaeTerm
dae_homotopy_find(DaeTerms *terms, DaeTerm t)
{
  DaeTerm found = DAE_NO_TERM;
  if (t == DAE_NO_TERM || !dae_term_has_call(terms, t)) {
    return found;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    bool is_call = dae_term_kind(terms, top) == DAE_KIND_CALL &&
                   dae_term_function(terms, top) == DAE_FN_HOMOTOPY;
    if (is_call && (found == DAE_NO_TERM || dae_term_contains(terms, found, top))) {
      found = top;
    }
    if (dae_term_has_call(terms, top)) {
      dae_visit_enter(visit, top);
    }
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

DaeTerm
dae_start_actual(const DaeStartAssembly *assembly, DaeTerm t)
{
  DaeTerms *terms = assembly->terms;
  return assembly->lambda == DAE_NO_TERM
             ? t
             : dae_term_replace(terms, t, assembly->lambda, dae_term_int(terms, 1));
}
