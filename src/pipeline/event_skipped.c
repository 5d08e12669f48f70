/* Relations that change more than once within a fixed step. The events are taken at its end, so
 * that what holds in between has no effect: that is told, once a run, where it would have had one.
 *
 * Guards are looked at in the middle and the quarters of the step, and where a parabola through
 * three of these points has its vertex. */
#include <math.h>

#include "pipeline/event_run-priv.h"

enum { POINTS = 5 };

typedef struct {
  DaeEventRun *run;
  double begin, *x, *values; /* by point, then by guard */
} Skipped;

static void
look_at(const Skipped *skipped, double theta, double *values)
{
  DaeEventRun *run = skipped->run;
  double t = skipped->begin + theta * (run->t - skipped->begin);
  dae_integrator_value(run->it, theta < 1 ? t : run->t, skipped->x, NULL);
  run->roots.values(run->roots.user, 1, &t, theta > 0 ? skipped->x : run->begin, values);
}

static double
inside(const Skipped *skipped, int point, uint32_t i)
{
  return skipped->run->side[i] * skipped->values[(size_t)point * skipped->run->roots.n + i];
}

/* Is guard i beyond its threshold inside the step, and not at its end? */
static bool
goes_and_returns(const Skipped *skipped, uint32_t i)
{
  double threshold = skipped->run->threshold[i];
  int least = 0;
  for (int k = 1; k < POINTS; k++) {
    least = inside(skipped, k, i) < inside(skipped, least, i) ? k : least;
  }
  if (least == 0 || least == POINTS - 1 || inside(skipped, least, i) < -threshold) {
    return least > 0 && least < POINTS - 1;
  }
  double a = inside(skipped, least - 1, i);
  double b = inside(skipped, least, i);
  double c = inside(skipped, least + 1, i);
  double curvature = a - 2 * b + c;
  if (!(curvature > 0) || b - (a - c) * (a - c) / (8 * curvature) >= -threshold) {
    return false;
  }
  g_autofree double *values = g_new0(double, (size_t)skipped->run->roots.n + 1);
  look_at(skipped, (least + (a - c) / (2 * curvature)) / (POINTS - 1), values);
  return skipped->run->side[i] * values[i] < -threshold;
}

/* Where in the step guard i, which is beyond at its end, crosses 0. */
static double
crossing(const Skipped *skipped, uint32_t i)
{
  int k = 1;
  while (k < POINTS - 1 && inside(skipped, k, i) >= 0) {
    k++;
  }
  double before = inside(skipped, k - 1, i);
  double after = inside(skipped, k, i);
  double part = before > after ? before / (before - after) : 1;
  return (k - 1 + fmin(fmax(part, 0), 1)) / (POINTS - 1);
}

static void
tell(const Skipped *skipped, const uint32_t *guards, uint32_t n)
{
  DaeEventRun *run = skipped->run;
  g_autoptr(GString) text = g_string_new(NULL);
  for (uint32_t i = 0; i < n && i < 3; i++) {
    g_string_append(text, i == 0 ? "" : i + 1 < n ? ", " : " and ");
    dae_instant_describe_guard(run->instant, guards[i], text);
  }
  run->told_skipped = true;
  dae_report_warning(
      dae_pipeline_reporter(run->problem->pipeline),
      "%s change%s within the fixed step to t = %.10g: what holds in between is "
      "skipped, since events are taken at the end of a step; a smaller --step or "
      "--method radau shows it",
      text->str, n > 1 ? "" : "s there and back", run->t);
}

/* Of the guards that are beyond at the end, those that cross first. */
static bool
crosses_in_turn(const Skipped *skipped, const uint32_t *beyond, uint32_t n_beyond)
{
  const DaeEventRun *run = skipped->run;
  g_autofree uint32_t *first = g_new0(uint32_t, (size_t)n_beyond + 1);
  double least = 1;
  double most = 0;
  for (uint32_t k = 0; k < n_beyond; k++) {
    double theta = crossing(skipped, beyond[k]);
    least = fmin(least, theta);
    most = fmax(most, theta);
  }
  uint32_t n = 0;
  for (uint32_t k = 0; k < n_beyond && most > least + 1e-6; k++) {
    if (crossing(skipped, beyond[k]) < (least + most) / 2) {
      first[n++] = beyond[k];
    }
  }
  return n > 0 &&
         dae_instant_acts_between(run->instant, run->t, run->x, first, n, beyond, n_beyond);
}

void
dae_event_run_look_for_skipped(DaeEventRun *run, double begin)
{
  const uint32_t n = run->roots.n;
  if (run->told_skipped || n == 0 || !(run->t > begin)) {
    return;
  }
  uint64_t operations = dae_instant_operations(run->instant);
  g_autofree double *x = g_new0(double, (size_t)run->n + 1);
  g_autofree double *values = g_new0(double, POINTS *(size_t)n + 1);
  g_autofree uint32_t *beyond = g_new0(uint32_t, (size_t)n + 1);
  Skipped skipped = {run, begin, x, values};
  uint32_t n_beyond = 0;
  for (int k = 0; k < POINTS; k++) {
    look_at(&skipped, (double)k / (POINTS - 1), values + (size_t)k * n);
  }
  for (uint32_t i = 0; i < n && !run->told_skipped; i++) {
    bool breaks = false;
    if (dae_instant_is_delay_guard(run->instant, i, &breaks)) {
      continue;
    }
    if (inside(&skipped, POINTS - 1, i) < -run->threshold[i]) {
      beyond[n_beyond++] = i;
    } else if (goes_and_returns(&skipped, i) &&
               dae_instant_acts_between(run->instant, run->t, run->x, &i, 1, NULL, 0)) {
      tell(&skipped, &i, 1);
    }
  }
  if (!run->told_skipped && n_beyond > 1 && crosses_in_turn(&skipped, beyond, n_beyond)) {
    tell(&skipped, beyond, n_beyond);
  }
  run->operations += dae_instant_operations(run->instant) - operations;
}

void
dae_event_run_look_for_short_mode(DaeEventRun *run)
{
  double now = run->exact != DAE_NO_TERM ? dae_term_get_double(run->terms, run->exact) : run->t;
  if (dae_event_run_has_fixed_step(run) && now > run->mode_time && !run->told_skipped) {
    run->told_skipped = true;
    dae_report_warning(
        dae_pipeline_reporter(run->problem->pipeline),
        "the events at t = %.10g and %.10g are within one fixed step: the unknowns "
        "see nothing of what holds in between, since events are taken at the end "
        "of a step; a smaller --step, or radau without one, shows it",
        run->mode_time, now);
  } else if (dae_event_run_has_fixed_step(run) && !run->told_skipped &&
             now - run->last_mode_time < (1 - 1e-6) * run->options->step) {
    run->told_skipped = true;
    dae_report_warning(
        dae_pipeline_reporter(run->problem->pipeline),
        "what holds from t = %.10g to %.10g is taken for a whole fixed step of "
        "%.10g, since events are taken at the end of a step; a smaller --step, or "
        "radau without one, follows it",
        run->last_mode_time, now, run->options->step);
  }
  run->mode_time = now;
  run->last_mode_time = now;
}
