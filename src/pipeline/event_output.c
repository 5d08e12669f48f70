/* The rows of a run with events. */
#include <math.h>
#include <string.h>

#include "pipeline/event_run-priv.h"
#include "pipeline/results.h"

typedef DaeEventRun Run;

double
dae_event_run_output_time(const Run *run, uint64_t k)
{
  return dae_solver_output_time(run->options, k);
}

static bool
put_out(Run *run, double t, const double *x, const double *xdot, const uint8_t *states)
{
  DaeResults *results = run->problem->results;
  bool wanted =
      dae_results_begin_point(results, t, x) && run->output(run->user, t, x, xdot, states);
  dae_results_end_point(results);
  if (!wanted) {
    run->stopped = true;
    return false;
  }
  if (!dae_instant_check_assertions(run->instant, t, x, xdot, run->error)) {
    run->failed_assertion = true;
    return false;
  }
  return true;
}

/* The last point of a grid has one row, with what terminal() changes: it waits for that. */
static bool
keeps_last(const Run *run, double t)
{
  return run->options->no_event_rows && (t >= run->options->t_stop || run->terminated) &&
         !dae_hybrid_is_trivial(run->problem->pipeline->hybrid);
}

static bool
put_out_or_keep(Run *run, double t, const double *x, const double *xdot, const uint8_t *states)
{
  if (!keeps_last(run, t)) {
    return put_out(run, t, x, xdot, states);
  }
  if (run->last == NULL) {
    run->last = g_new0(double, 2 * (size_t)run->n + 1);
    run->last_states = g_new0(uint8_t, run->n + 1);
  }
  run->last_t = t;
  memcpy(run->last, x, run->n * sizeof(double));
  memcpy(run->last + run->n, xdot, run->n * sizeof(double));
  memcpy(run->last_states, states, run->n);
  return true;
}

/* The point that was kept, as it was. */
bool
dae_event_run_put_out_kept(Run *run)
{
  g_autofree double *last = g_steal_pointer(&run->last);
  return last == NULL || put_out(run, run->last_t, last, last + run->n, run->last_states);
}

/* The point of the integrator at t, as results have it; at a t that rounding has put behind its
 * last step, the end of that. */
bool
dae_event_run_put_out_point(Run *run, double t)
{
  DaeIntegratorPoint point;
  if (!dae_integrator_point(run->it, fmin(t, dae_integrator_t(run->it)), &point)) {
    return true;
  }
  return put_out_or_keep(run, t, point.x, point.xdot, point.states);
}

/* Output points in the last step, up to (not including, where an event is) its end. */
bool
dae_event_run_put_out_step(Run *run, bool up_to_end)
{
  double slack = dae_event_run_time_slack(run);
  double end = fmax(dae_integrator_t(run->it), run->t) - slack;
  if (!(run->options->interval > 0)) {
    return !up_to_end || dae_event_run_put_out_point(run, dae_integrator_t(run->it));
  }
  while (dae_event_run_output_time(run, run->outputs) < end ||
         (up_to_end && dae_event_run_output_time(run, run->outputs) <= end + 2 * slack)) {
    double t = dae_event_run_output_time(run, run->outputs);
    run->outputs++;
    if (!dae_event_run_put_out_point(run, t)) {
      return false;
    }
    if (t >= run->options->t_stop) {
      break;
    }
  }
  return true;
}

bool
dae_event_run_is_output_time(const Run *run, double t)
{
  return !(run->options->interval > 0) || fabs(dae_event_run_output_time(run, run->outputs) -
                                               t) <= dae_event_run_time_slack(run);
}

/* The point that the run stands at, with slopes from the equations. */
bool
dae_event_run_put_out_here(Run *run)
{
  dae_problem_slopes_at(run->problem, dae_instant_segment(run->instant), run->t, run->x,
                        run->xdot);
  return put_out_or_keep(run, run->t, run->x, run->xdot, run->states);
}

/* A fixed step may end behind the last point of the grid, where terminal() holds. */
void
dae_event_run_go_to_kept(Run *run)
{
  if (run->last != NULL) {
    run->t = run->last_t;
    memcpy(run->x, run->last, run->n * sizeof(double));
  }
}

/* In place of the point that was kept. */
bool
dae_event_run_put_out_changed(Run *run)
{
  g_clear_pointer(&run->last, g_free);
  dae_problem_slopes_at(run->problem, dae_instant_segment(run->instant), run->t, run->x,
                        run->xdot);
  return put_out(run, run->t, run->x, run->xdot, run->states);
}
