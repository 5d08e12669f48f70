/* Have the premises values, as they were written, at the numbers that were found? They are prepared
 * with the start time put in: of time*log(x) nothing is left at 0, whatever x is. */
#include "initcheck/initcheck-priv.h"

typedef struct {
  IcSystem *sys;
  const DaeInit *init;
} Found;

static bool
value_as_found(void *user, DaeTerm atom, double *value)
{
  const Found *found = user;
  IcSystem *sys = found->sys;
  if (atom == dae_term_time(sys->terms)) {
    atom = sys->start_time;
  } else if (dae_init_value(found->init, atom, value)) {
    return true;
  }
  DaeTerm number = ic_at_values(sys, atom);
  return number != DAE_NO_TERM && dae_term_is_number(sys->terms, number) &&
         dae_term_eval_double(sys->terms, number, NULL, NULL, value) == DAE_EVAL_OK;
}

static bool
is_undefined(Found *found, DaeTerm side, bool in_time_only)
{
  DaeTerms *terms = found->sys->terms;
  double value = 0.0;
  return (!in_time_only || dae_term_has_time(terms, side)) &&
         dae_term_eval_double(terms, side, value_as_found, found, &value) == DAE_EVAL_DOMAIN;
}

uint32_t
ic_undefined_as_written(IcSystem *sys, const DaeInit *init, bool in_time_only)
{
  Found found = {sys, init};
  for (guint p = 0; p < sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(sys->premises, IcPremise, p);
    if (is_undefined(&found, premise->shown_lhs, in_time_only) ||
        is_undefined(&found, premise->shown_rhs, in_time_only)) {
      return p;
    }
  }
  return IC_NONE;
}
