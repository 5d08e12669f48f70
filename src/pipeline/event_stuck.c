/* Events that come so often that the run gets nowhere: they accumulate, or a relation chatters. */
#include <math.h>
#include <string.h>

#include "pipeline/event_run-priv.h"

#define MOST_EVENTS_AT_ONCE 250u /* events in a row, each CLOSE to the one before */
#define CLOSE 1e-6               /* of the run */
/* Thresholds of a guard: where its way between two events is shorter, the next one is not seen. */
#define SMALLEST_EXCURSION 100.0
#define SMALLEST_SEEN 1e-9 /* in place of a smaller threshold, in parts of the guard's scale */
/* Fixed steps between two events that are about to be lost if the ones before were so much
 * longer. */
#define FEW_STEPS 10.5
#define NEXT_STEPS 10.0 /* if the next time is shorter by as much again */
#define FASTER 1.3
/* A relation whose guard goes farther than this between two events does not chatter: it is fast. */
#define LARGEST_CHATTER 1e4

/* The last three intervals between state events shrink by one factor q < 1: *q. */
static bool
shrink_alike(const double *t, double *q)
{
  double gap = t[3] - t[2];
  double q1 = t[2] - t[1] > 0 ? gap / (t[2] - t[1]) : 1;
  double q0 = t[1] - t[0] > 0 ? (t[2] - t[1]) / (t[1] - t[0]) : 1;
  *q = q1;
  return gap > 0 && q1 < 0.98 && q0 < 0.98 && fabs(q1 - q0) < 0.05 * q0;
}

/* Is the last step most of the way from the guard's event before? Where other events lie between
 * them, a step tells nothing about that way. */
static bool
is_whole_way(const DaeEventRun *run, const double *t)
{
  return dae_integrator_t_old(run->it) - t[2] < 0.5 * (t[3] - t[2]);
}

/* How far the guard went from 0 in the last step. */
static double
excursion(DaeEventRun *run, uint32_t guard)
{
  double middle = 0.5 * (dae_integrator_t_old(run->it) + run->t);
  g_autofree double *x = g_new0(double, run->n + 1);
  g_autofree double *values = g_new0(double, run->roots.n + 1);
  dae_integrator_value(run->it, middle, x, NULL);
  dae_instant_guards(run->instant, 1, &middle, x, values);
  return fabs(values[guard]);
}

static double
scale_of(const DaeEventRun *run, uint32_t guard)
{
  g_autofree double *scales = g_new0(double, run->roots.n + 1);
  dae_instant_guard_scales(run->instant, run->t, run->x, scales);
  return fabs(scales[guard]);
}

/* Ways of the guard that are shorter may be taken for none: beside its threshold that is what
 * instants take for 0, which does not fall with the tolerance below 1e-6. */
static double
smallest_excursion(const DaeEventRun *run, uint32_t guard)
{
  return SMALLEST_EXCURSION * fmax(run->threshold[guard], SMALLEST_SEEN * scale_of(run, guard));
}

static DaeRecentEvents *
note_event_time(DaeEventRun *run, uint32_t guard)
{
  bool was_true = dae_instant_guard_is_true(run->instant, guard);
  DaeRecentEvents *recent = &run->recent[2 * (size_t)guard + (was_true ? 1 : 0)];
  double span = run->options->t_stop - run->options->t_start;
  memmove(recent->t, recent->t + 1, 3 * sizeof(double));
  recent->t[3] = run->t;
  recent->n_close = recent->t[3] - recent->t[2] < CLOSE * span ? recent->n_close + 1 : 0;
  return recent;
}

/* The ways of the guard are about to be too short to be seen at this tolerance, which says nothing
 * about the model: a ball comes to rest on some bounce that is still ahead. From the next segment
 * on events are told apart as at tight tolerances, if the next way, shorter by q^2 for a ball, is
 * long enough for that: where it would be passed over, the run would go on as if there were no
 * more. False: they are already, or it is not. */
static bool
can_look_closer(DaeEventRun *run, uint32_t guard, double next_way)
{
  const bool can = !run->looks_closer && run->resolution > DAE_FINE_RESOLUTION &&
                   next_way >= SMALLEST_EXCURSION * SMALLEST_SEEN * scale_of(run, guard);
  run->looks_closer |= can;
  return can;
}

/* With fixed steps events that accumulate are lost as soon as a few steps are all that lies between
 * them: a ball falls through its floor. */
static void
look_for_lost_events(DaeEventRun *run, uint32_t guard, const double *t)
{
  const double gap = t[3] - t[2];
  const double step = run->options->step;
  const bool is_faster = (isfinite(t[1]) && t[2] - t[1] > FASTER * FASTER * FASTER * gap) ||
                         (isfinite(t[0]) && t[2] - t[1] >= gap && t[1] - t[0] > FASTER * gap);
  const bool is_short = gap < FEW_STEPS * step || gap * gap < NEXT_STEPS * step * (t[2] - t[1]);
  if (run->told_lost || !dae_event_run_has_fixed_step(run) || !is_short || !is_faster) {
    return;
  }
  g_autoptr(GString) relation = g_string_new(NULL);
  dae_instant_describe_guard(run->instant, guard, relation);
  run->told_lost = true;
  dae_report_warning(
      dae_pipeline_reporter(run->problem->pipeline),
      "the events of %s come faster and faster, %.0f steps after each other at t = %.10g: "
      "fixed steps lose them soon, since events are taken at the end of a step; --method "
      "radau shows whether they accumulate",
      relation->str, gap / step, run->t);
}

bool
dae_event_run_is_stuck(DaeEventRun *run, uint32_t guard)
{
  const DaeRecentEvents *recent = note_event_time(run, guard);
  const double *t = recent->t;
  look_for_lost_events(run, guard, t);
  double q = 1;
  double gap = t[3] - t[2];
  double span = run->options->t_stop - run->options->t_start;
  bool shrinks = shrink_alike(t, &q);
  double way = shrinks && is_whole_way(run, t) ? excursion(run, guard) : INFINITY;
  /* the next way is shorter by q, or by more */
  bool fades = q * way < smallest_excursion(run, guard);
  bool accumulates = (shrinks && gap < 1e-3 * CLOSE * span && recent->n_close > 4) ||
                     (fades && !can_look_closer(run, guard, q * q * way));
  if (!accumulates && (recent->n_close < MOST_EVENTS_AT_ONCE ||
                       excursion(run, guard) > LARGEST_CHATTER * run->threshold[guard])) {
    return false;
  }
  g_autoptr(GString) relation = g_string_new(NULL);
  dae_instant_describe_guard(run->instant, guard, relation);
  if (accumulates) {
    g_set_error(run->error, DAE_ERROR, DAE_ERROR_NUMERIC,
                "integration stopped at t = %.10g: events accumulate at t = %.10g\n  relation "
                "%s: each interval is %.3g of the one before",
                run->t, t[3] + gap * q / (1 - q), relation->str, q);
  } else {
    g_set_error(
        run->error, DAE_ERROR, DAE_ERROR_NUMERIC,
        "integration stopped at t = %.10g: chattering\n  relation %s changes %.3g times "
        "per unit of time",
        run->t, relation->str, 6 / fmax(t[3] - t[0], 1e-300));
  }
  return true;
}
