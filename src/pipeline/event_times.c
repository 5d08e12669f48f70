/* When time events come, and when they are taken. */
#include <math.h>

#include "pipeline/event_run-priv.h"

#define GRID_ROUNDING 1e-6 /* of a fixed step */

bool
dae_event_run_has_fixed_step(const DaeEventRun *run)
{
  return run->options->method != DAE_METHOD_RADAU;
}

double
dae_event_run_time_slack(const DaeEventRun *run)
{
  return dae_event_run_has_fixed_step(run) ? GRID_ROUNDING * run->options->step : 0;
}

bool
dae_event_run_has_reached(const DaeEventRun *run, double time)
{
  return run->t >= time - dae_event_run_time_slack(run);
}

DaeTerm
dae_event_run_exact_time(DaeEventRun *run, double t)
{
  return dae_term_from_double(run->terms, t);
}

/* Time events up to here have been taken. With a fixed step several may lie in one step: each is
 * taken at its end, in their order. */
static DaeTerm
taken_up_to(DaeEventRun *run)
{
  DaeTerm here = dae_event_run_exact_time(run, run->t);
  bool is_exact = dae_event_run_has_fixed_step(run) ||
                  run->t == dae_term_get_double(run->terms, run->exact) ||
                  dae_term_sign(run->terms, dae_term_sub(run->terms, run->exact, here)) > 0;
  return is_exact ? run->exact : here;
}

DaeTerm
dae_event_run_next_time(DaeEventRun *run)
{
  if (!run->next_is_known && dae_instant_has_time_events(run->instant)) {
    run->next = dae_instant_next_time(run->instant, taken_up_to(run),
                                      dae_event_run_exact_time(run, run->options->t_stop));
  }
  run->next_is_known = true;
  return run->next;
}

bool
dae_event_run_is_another_due(DaeEventRun *run)
{
  DaeTerm next = dae_event_run_has_fixed_step(run) ? dae_event_run_next_time(run) : DAE_NO_TERM;
  return next != DAE_NO_TERM &&
         dae_event_run_has_reached(run, dae_term_get_double(run->terms, next));
}
