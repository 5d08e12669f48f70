/* Numbers that are known before the start is: parameters and start attributes. */
#include <math.h>

#include "start/start.h"

static bool
no_atom(void *user, DaeTerm atom, double *value)
{
  (void)user;
  (void)atom;
  *value = 0;
  return false;
}

bool
dae_start_number(const DaeStartInput *input, DaeTerm t, double *value)
{
  DaeTerms *terms = input->terms;
  DaeTerm closed = t == DAE_NO_TERM ? DAE_NO_TERM : dae_subst_apply(input->values, t);
  return closed != DAE_NO_TERM &&
         dae_term_eval_double(terms, closed, no_atom, NULL, value) == DAE_EVAL_OK;
}

double
dae_start_guess(const DaeStartInput *input, DaeTerm atom, bool *has_start)
{
  DaeTerms *terms = input->terms;
  double value = 0;
  bool found = false;
  uint32_t k = 0;
  DaeSymbol symbol = dae_term_get_symbol(terms, atom);
  if (dae_term_kind(terms, atom) == DAE_KIND_PARAMETER) {
    found = dae_model_find_parameter(input->model, symbol, &k) &&
            dae_start_number(input, dae_model_parameter(input->model, k)->start, &value);
  } else if (dae_term_order(terms, atom) == 0) {
    found = dae_model_find_variable(input->model, symbol, &k) &&
            dae_start_number(input, dae_model_variable(input->model, k)->start, &value);
  }
  if (has_start != NULL) {
    *has_start = found;
  }
  return found && isfinite(value) ? value : 0;
}
