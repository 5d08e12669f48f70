/* Assertions that make no events (those of functions, recursive ones too, and inside noEvent)
 * in the steps of a run with events: on the dense output where the method has one, else at the
 * ends. */
#include <math.h>
#include <string.h>

#include "pipeline/event_run-priv.h"

enum { POINTS = 4, MOST_HALVINGS = 60 };

static bool
point_holds(DaeEventRun *run, double t)
{
  return dae_instant_literal_assertions_hold(run->instant, t, run->x, run->xdot);
}

/* abs(e*r) <= 1e-10 is less than the error of the dense output: what fails there counts where it
 * fails on the constraints too. */
static bool
hold_at(DaeEventRun *run, double t)
{
  dae_integrator_value(run->it, t, run->x, run->xdot);
  DaeIntegratorPoint point;
  if (point_holds(run, t) || !dae_integrator_point(run->it, t, &point)) {
    return point_holds(run, t);
  }
  const size_t size = run->n * sizeof(double);
  memcpy(run->x, point.x, size);
  memcpy(run->xdot, point.xdot, size);
  return point_holds(run, t);
}

bool
dae_event_run_find_failure(DaeEventRun *run, double begin, bool is_event)
{
  const double end = run->t;
  const bool is_fixed = dae_event_run_has_fixed_step(run);
  double good = begin;
  double bad = NAN;
  const uint32_t last = is_event ? POINTS - 1 : POINTS;
  for (uint32_t k = is_fixed ? POINTS : 1; k <= last && isnan(bad); k++) {
    const double t = k == POINTS ? end : begin + k * (end - begin) / POINTS;
    *(hold_at(run, t) ? &good : &bad) = t;
  }
  if (isnan(bad)) {
    return false;
  }
  for (uint32_t k = 0; k < MOST_HALVINGS && !is_fixed; k++) {
    const double middle = 0.5 * (good + bad);
    if (!(middle > good && middle < bad)) {
      break;
    }
    *(hold_at(run, middle) ? &good : &bad) = middle;
  }
  (void)hold_at(run, bad);
  run->t = bad;
  return true;
}
