/* Numbers that are known before the start is: parameters and start attributes. */
#include <math.h>

#include "start/start.h"

bool
dae_start_number(const DaeStartInput *input, DaeTerm t, double *value)
{
  DaeTerms *terms = input->terms;
  DaeTerm closed = t == DAE_NO_TERM ? DAE_NO_TERM : dae_subst_apply(input->values, t);
  return closed != DAE_NO_TERM &&
         dae_term_eval_double(terms, closed, NULL, NULL, value) == DAE_EVAL_OK;
}

double
dae_start_guess(const DaeStartInput *input, DaeTerm atom, bool *has_start)
{
  double value = 0;
  uint32_t i = 0;
  bool found = dae_initial_find(input->initial, atom, &i) &&
               dae_start_number(input, dae_initial_unknown(input->initial, i)->start, &value);
  if (has_start != NULL) {
    *has_start = found;
  }
  return found && isfinite(value) ? value : 0;
}
