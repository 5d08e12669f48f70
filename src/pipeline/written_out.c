#include "pipeline/written_out.h"

#include "terms/routines.h"

/* Larger ones (properties of water by region) cost more in each step than they tell. */
#define LARGEST_BODY 400u

/* The body of a routine without a loop, in its formals. */
static DaeTerm
body_of(DaeTerms *terms, uint32_t number, uint32_t k)
{
  uint32_t order = 0;
  if (dae_terms_routine_is_unknown(terms, number, &order) ||
      dae_terms_routine_method(terms, number) != NULL) {
    return DAE_NO_TERM;
  }
  const DaeRoutine *routine = dae_terms_routine(terms, number);
  return routine->n_states == 0 ? routine->outputs[k] : DAE_NO_TERM;
}

DaeTerm
dae_written_out(DaeTerms *terms, DaeTerm t, size_t *left)
{
  if (dae_term_kind(terms, t) != DAE_KIND_CALL ||
      dae_term_function(terms, t) != DAE_FN_ROUTINE) {
    return DAE_NO_TERM;
  }
  uint32_t number = 0;
  uint32_t k = 0;
  dae_term_get_routine(terms, t, &number, &k);
  const DaeTerm body = body_of(terms, number, k);
  const size_t size = body != DAE_NO_TERM ? dae_term_size(terms, body) : SIZE_MAX;
  if (size > LARGEST_BODY || size > *left) {
    return DAE_NO_TERM;
  }
  *left -= size;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  g_autofree DaeTerm *arguments = g_memdup2(operands, n * sizeof(DaeTerm));
  const DaeRoutine *routine = dae_terms_routine(terms, number);
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  for (uint32_t i = 0; i < routine->n_inputs; i++) {
    dae_subst_set(subst, routine->inputs[i], arguments[i + 2]);
  }
  return dae_subst_apply(subst, body);
}

bool
dae_may_write_out(const DaeTerms *terms)
{
  return dae_terms_routine_count(terms) > 0;
}
