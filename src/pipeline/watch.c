#include "pipeline/watch-priv.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/events.h"
#include "pipeline/results.h"

/* Functions of the time alone are looked through at so many points before the
 * run, however long its steps are. */
#define TIME_SAMPLES 16384
/* A step is looked at in so many pieces. */
#define PIECES 6
#define BISECTIONS 60
/* Rounding leaves so much, of the largest value, of a function where it touches 0. */
#define TOUCHED 1e-14

/* ---- values ------------------------------------------------------------------------------ */

void
dae_watch_run_tape(DaeWatch *watch, double t, const double *x)
{
  if (watch->tape == NULL) {
    return;
  }
  if (watch->problem->instant != NULL) {
    dae_point_tape_set_segment(watch->tape, watch->scratch,
                               dae_instant_segment(watch->problem->instant));
  }
  dae_point_tape_eval(watch->tape, watch->scratch, 1, &t, x, NULL, watch->out, NULL);
}

static double
value_of(const DaeWatch *watch, Watched *w, double t, const double *row)
{
  if (w->kind == BELOW || w->kind == ABOVE) {
    double over = w->kind == BELOW ? row[w->column] - w->limit : w->limit - row[w->column];
    return w->is_told || !isfinite(over) ? 1.0 : over + w->slack;
  }
  double function = watch->out[w->function];
  if (w->kind == POLE && dae_watch_counts(watch, w)) {
    dae_watch_note_size(w, function, watch->out[w->value]);
  }
  if (w->is_of_time) {
    return t < w->next_zero ? w->side : -w->side;
  }
  if (w->kind == EDGE && function == 0.0 && isfinite(watch->out[w->value])) {
    return DBL_MIN; /* on the edge, where there is a value: sqrt(max(0, x)) stays there */
  }
  return isfinite(function) ? function : 0.0; /* 0: keeps the side it came from */
}

static void
evaluate(DaeWatch *watch, double t, const double *x, double *values)
{
  const double *row = watch->has_ranges ? dae_results_at(watch->problem->results, t, x) : NULL;
  dae_watch_run_tape(watch, t, x);
  for (uint32_t i = 0; i < watch->watched->len; i++) {
    values[i] = value_of(watch, watched_at(watch, i), t, row);
  }
}

/* ---- crossings --------------------------------------------------------------------------- */

static void
fail(DaeWatch *watch, const Watched *w, double t)
{
  const char *what = w->kind == POLE ? "a pole" : "the edge of a domain";
  g_autofree char *where =
      w->column == UINT32_MAX ? NULL : dae_results_describe_column(watch->problem, w->column);
  watch->failure = g_strdup_printf("integration stopped at t = %.10g: %s of %s%s%s", t, what,
                                   w->column == UINT32_MAX
                                       ? "the equations"
                                       : dae_problem_result_name(watch->problem, w->column),
                                   where != NULL ? "\n  in " : "", where != NULL ? where : "");
}

static void
tell_range(DaeWatch *watch, Watched *w, double t)
{
  const DaeProblem *problem = watch->problem;
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  const DaeVariable *variable = dae_model_variable(model, w->column);
  char limit[32];
  w->is_told = true;
  g_ascii_formatd(limit, sizeof limit, "%.10g", w->limit);
  dae_report_warning(dae_pipeline_reporter(problem->pipeline),
                     "%s:%u:%u: variable '%s' is %s its %s = %s from t = %.10g on",
                     dae_model_file_of(model, variable->span), variable->span.line,
                     variable->span.column, dae_problem_result_name(problem, w->column),
                     w->kind == BELOW ? "below" : "above", w->kind == BELOW ? "min" : "max",
                     limit, t);
}

/* What is outside its range here: at the start, or behind an event, where discrete values have
 * jumped. */
static void
tell_ranges(DaeWatch *watch, const double *values, double t)
{
  for (uint32_t i = 0; i < watch->watched->len; i++) {
    Watched *w = watched_at(watch, i);
    if ((w->kind == BELOW || w->kind == ABOVE) && values[i] < 0 && !w->is_told) {
      tell_range(watch, w, t);
    }
  }
}

static bool find_zero_of_time(DaeWatch *watch, Watched *w, double from);

/* A function has changed its sign at t; false: the run must end. */
static bool
cross(DaeWatch *watch, uint32_t i, int direction, double t, const double *x)
{
  Watched *w = watched_at(watch, i);
  switch (w->kind) {
  case BELOW:
  case ABOVE:
    if (direction < 0 && !w->is_told) {
      tell_range(watch, w, t);
    }
    return true;
  case EDGE:
    if (direction < 0) {
      fail(watch, w, t);
    }
    return direction > 0;
  case POLE:
    if (dae_watch_is_pole(watch, w, t, x)) {
      fail(watch, w, t);
      return false;
    }
    w->near_function = INFINITY; /* a hole that closes: go on */
    if (w->is_of_time) {
      w->side = -w->side; /* behind the hole nothing changes its sign once more */
      find_zero_of_time(watch, w, t);
    }
    return true;
  }
  return true;
}

void
dae_watch_event_values(void *user, double t, const double *x, double *out)
{
  evaluate(user, t, x, out);
}

bool
dae_watch_event_crossed(void *user, uint32_t i, int direction, double t, const double *x)
{
  return cross(user, i, direction, t, x);
}

/* ---- steps of an integrator -------------------------------------------------------------- */

static void
evaluate_on_step(DaeWatch *watch, DaeIntegrator *it, double t, double *values)
{
  dae_integrator_value(it, t, watch->x, NULL);
  evaluate(watch, t, watch->x, values);
}

static double
bisect(DaeWatch *watch, DaeIntegrator *it, uint32_t i, double from, double to)
{
  bool was_negative = watch->before[i] < 0;
  for (int k = 0; k < BISECTIONS; k++) {
    double middle = 0.5 * (from + to);
    if (!(middle > from && middle < to)) {
      break;
    }
    evaluate_on_step(watch, it, middle, watch->values);
    if ((watch->values[i] < 0) == was_negative) {
      from = middle;
    } else {
      to = middle;
    }
  }
  return to;
}

bool
dae_watch_step(DaeWatch *watch, DaeIntegrator *it, double *t)
{
  const double begin = dae_integrator_t_old(it);
  const double end = dae_integrator_t(it);
  const uint32_t n = watch->watched->len;
  double from = begin;
  g_autofree double *now = g_new0(double, (size_t)n + 1);
  evaluate_on_step(watch, it, begin, watch->before);
  tell_ranges(watch, watch->before, begin);
  for (uint32_t piece = 1; piece <= PIECES; piece++) {
    double to = piece == PIECES ? end : begin + (end - begin) * piece / PIECES;
    evaluate_on_step(watch, it, to, now);
    for (uint32_t i = 0; i < n; i++) {
      if (watch->before[i] * now[i] >= 0) {
        continue;
      }
      double at = bisect(watch, it, i, from, to);
      if (!cross(watch, i, now[i] > 0 ? 1 : -1, at, watch->x)) {
        *t = at;
        return false;
      }
    }
    for (uint32_t i = 0; i < n; i++) {
      watch->before[i] = now[i] != 0 ? now[i] : watch->before[i];
    }
    from = to;
  }
  return true;
}

/* ---- construction ------------------------------------------------------------------------ */

static double
size_at(DaeWatch *watch, const Watched *w, double t)
{
  dae_watch_run_tape(watch, t, watch->x);
  return fabs(watch->out[w->function]);
}

/* A denominator that is least between a and b: does it touch 0 there without a change of sign, as
 * sin(time) - 1 does? By golden sections; *t is where. */
static bool
touches_zero(DaeWatch *watch, const Watched *w, double a, double b, double largest, double *t)
{
  const double share = 0.3819660112501051;
  double low = a + share * (b - a);
  double high = b - share * (b - a);
  double at_low = size_at(watch, w, low);
  double at_high = size_at(watch, w, high);
  for (int i = 0; i < 2 * BISECTIONS && low < high && at_low > 0 && at_high > 0; i++) {
    if (at_low < at_high) {
      b = high;
      high = low;
      at_high = at_low;
      low = a + share * (b - a);
      at_low = size_at(watch, w, low);
    } else {
      a = low;
      low = high;
      at_low = at_high;
      high = b - share * (b - a);
      at_high = size_at(watch, w, high);
    }
  }
  *t = at_low < at_high ? low : high;
  return fmin(at_low, at_high) <= TOUCHED * largest;
}

/* The first zero after `from`; INFINITY: none is seen. */
static bool
find_zero_of_time(DaeWatch *watch, Watched *w, double from)
{
  const double step = (watch->t_stop - watch->t_start) / TIME_SAMPLES;
  double a = from + 1e-9 * step;
  dae_watch_run_tape(watch, a, watch->x);
  double before = watch->out[w->function];
  double two_before = INFINITY;
  double largest = fabs(before);
  w->next_zero = INFINITY;
  for (uint32_t k = 1; isfinite(before) && step > 0 && a < watch->t_stop; k++) {
    double b = fmin(from + k * step, watch->t_stop);
    dae_watch_run_tape(watch, b, watch->x);
    double now = watch->out[w->function];
    bool is_inside = w->kind == EDGE && now == 0.0 && isfinite(watch->out[w->value]);
    if (isfinite(now) && !is_inside && before * now <= 0 && (before < 0 || before > 0)) {
      for (int i = 0; i < BISECTIONS && 0.5 * (a + b) > a && 0.5 * (a + b) < b; i++) {
        double middle = 0.5 * (a + b);
        dae_watch_run_tape(watch, middle, watch->x);
        if (watch->out[w->function] * before > 0) {
          a = middle;
        } else {
          b = middle;
        }
      }
      w->next_zero = b;
      return true;
    }
    largest = isfinite(now) ? fmax(largest, fabs(now)) : largest;
    if (w->kind == POLE && k > 2 && fabs(before) < fabs(two_before) &&
        fabs(before) <= fabs(now) && fabs(before) < 1e-3 * largest &&
        touches_zero(watch, w, a - step, b, largest, &w->next_zero)) {
      return true;
    }
    w->next_zero = INFINITY;
    a = b;
    two_before = before;
    before = isfinite(now) && now != 0 ? now : before;
  }
  return false;
}

void
dae_watch_begin(DaeWatch *watch, double t, const double *x)
{
  memcpy(watch->x, x, dae_problem_n(watch->problem) * sizeof(double));
  for (uint32_t i = 0; i < watch->watched->len; i++) {
    Watched *w = watched_at(watch, i);
    if (w->is_of_time) {
      find_zero_of_time(watch, w, t);
    }
  }
  evaluate(watch, t, x, watch->values);
  tell_ranges(watch, watch->values, t);
}

void
dae_watch_end(DaeWatch *watch, double t, const double *x)
{
  if (watch->has_ranges) {
    evaluate(watch, t, x, watch->values);
    tell_ranges(watch, watch->values, t);
  }
}

const DaeEvents *
dae_watch_events(const DaeWatch *watch)
{
  return &watch->events;
}

const char *
dae_watch_failure(const DaeWatch *watch)
{
  return watch->failure;
}
