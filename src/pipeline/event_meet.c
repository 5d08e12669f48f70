/* A state event so shortly before a time event that the error of the solution explains it: both are
 * one instant (`x >= 1.5`, where x is 1.5 at a tick of sample). The relation waits for the time
 * event, whose instant finds it at 0 (instant/right_limit.c). */
#include <math.h>

#include "pipeline/event_run-priv.h"

/* How much of its nearness a guard may have used up before that. */
#define MOST_USED 0.5

bool
dae_event_run_meets_time(DaeEventRun *run, const DaeStop *stop, double time)
{
  if (stop->kind != DAE_STOP_ROOT ||
      !(time - run->t <= dae_instant_same_time(run->instant, time))) {
    return false;
  }
  g_autofree double *values = g_new0(double, run->roots.n + 1);
  dae_instant_guards(run->instant, 1, &run->t, run->x, values);
  for (uint32_t k = 0; k < stop->n_crossed; k++) {
    uint32_t guard = stop->crossed[k];
    bool breaks = false;
    if (dae_instant_is_delay_guard(run->instant, guard, &breaks) ||
        !(-values[guard] < MOST_USED * dae_instant_guard_nearness(run->instant, guard))) {
      return false;
    }
  }
  for (uint32_t k = 0; k < stop->n_crossed; k++) { /* until the next event sets them again */
    uint32_t guard = stop->crossed[k];
    run->threshold[guard] = dae_instant_guard_nearness(run->instant, guard);
  }
  return true;
}
