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
#define MUCH 10.0 /* growth that no rounding at a hole makes up */
/* Rounding leaves so much, of the largest value, of a function where it touches 0. */
#define TOUCHED 1e-14
/* Part of a change that comes again where the distance to a logarithm's pole shrinks as much again:
 * sqrt(-log(f)) has 0.7 of it, 1/log(f) 0.25. */
#define LIKE_LOGARITHM 0.6

/* ---- values ------------------------------------------------------------------------------ */

static void
run_tape(DaeWatch *watch, double t, const double *x)
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

/* Remembers how large the value was where the denominator was least, and where it was largest. */
static void
note_size(Watched *w, double function, double value)
{
  double size = fabs(function);
  if (!isfinite(size) || !isfinite(value)) {
    return;
  }
  if (size > w->far_function) {
    w->far_function = size;
    w->far_value = fabs(value);
  }
  if (size > 0.0 && size < w->near_function) {
    w->near_function = size;
    w->near_value = fabs(value);
  }
}

static double
value_of(const DaeWatch *watch, Watched *w, double t, const double *row)
{
  if (w->kind == BELOW || w->kind == ABOVE) {
    double over = w->kind == BELOW ? row[w->column] - w->limit : w->limit - row[w->column];
    return w->is_told || !isfinite(over) ? 1.0 : over + w->slack;
  }
  double function = watch->out[w->function];
  if (w->kind == POLE) {
    note_size(w, function, watch->out[w->value]);
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
  run_tape(watch, t, x);
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

/* The value has grown as its denominator became small. */
static bool
has_grown(const Watched *w)
{
  double ratio = w->far_function / w->near_function;
  return w->near_function == INFINITY || ratio < 16.0 ||
         w->near_value > w->far_value * pow(ratio, w->growth);
}

/* The tape beside a point, all unknowns and the time moved. */
static void
run_tape_beside(DaeWatch *watch, double far, double t, const double *x)
{
  const uint32_t n = dae_problem_n(watch->problem);
  g_autofree double *y = g_new0(double, (size_t)n + 1);
  for (uint32_t j = 0; j < n; j++) {
    double phase = (j + 1) * 0.6180339887498949;
    y[j] = x[j] + far * (1 + phase - floor(phase)) * (1 + fabs(x[j]));
  }
  run_tape(watch, t + far * (watch->t_stop - watch->t_start), y);
}

static double
function_beside(DaeWatch *watch, const Watched *w, double far, double t, const double *x)
{
  run_tape_beside(watch, far, t, x);
  return watch->out[w->function];
}

/* How far beside the point the function vanishes: steps of constant size see a change of the sign
 * at their end only. */
static double
zero_beside(DaeWatch *watch, const Watched *w, double t, const double *x)
{
  const double here = function_beside(watch, w, 0.0, t, x);
  for (double way = 1e-14; here != 0.0 && way < 1.0; way *= 2.0) {
    for (int side = -1; side <= 1; side += 2) {
      double from = 0.0;
      double to = side * way;
      if (!(function_beside(watch, w, to, t, x) * here <= 0.0)) {
        continue;
      }
      for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (from + to);
        if (function_beside(watch, w, middle, t, x) * here > 0.0) {
          from = middle;
        } else {
          to = middle;
        }
      }
      return to;
    }
  }
  return 0.0;
}

/* A logarithm changes by as much on each way to its pole that is as long in orders of magnitude,
 * its product with a power of the distance ever less, and its inverse too. Nearer than 1e-8 that of
 * a square that is written out is rounding. */
static bool
grows_like_logarithm(DaeWatch *watch, const Watched *w, double t, const double *x)
{
  static const double far[][3] = {{1e-2, 3e-5, 1e-7}, {1e-3, 1e-7, 1e-11}};
  const double zero = zero_beside(watch, w, t, x);
  bool grows = false;
  for (size_t look = 0; look < G_N_ELEMENTS(far) && !grows; look++) {
    double value[3];
    for (size_t k = 0; k < 3; k++) {
      run_tape_beside(watch, zero + far[look][k], t, x);
      value[k] = watch->out[w->value];
    }
    const double change = fabs(value[2] - value[1]);
    grows =
        change > LIKE_LOGARITHM * fabs(value[1] - value[0]) && change > 1e-12 * fabs(value[0]);
  }
  return grows;
}

/* A zero that is met exactly was not approached: a few points beside it. Does the value grow on the
 * way to it? */
static bool
grows_beside(DaeWatch *watch, Watched *w, double t, const double *x)
{
  static const double far[] = {1e-2, 1e-5, 1e-8};
  if (w->is_logarithm) {
    return grows_like_logarithm(watch, w, t, x);
  }
  double function_before = 0.0;
  double change_before = INFINITY;
  double first = 0.0;
  bool grows = false;
  for (size_t k = 0; k < G_N_ELEMENTS(far); k++) {
    run_tape_beside(watch, far[k], t, x);
    const double function = fabs(watch->out[w->function]);
    const double value = watch->out[w->value];
    first = k == 0 ? value : first; /* what does not grow beside it, 1 + 1e-12/f^2 */
    const double change = fabs(value - first);
    note_size(w, function, value);
    grows = grows || (k > 1 && change > MUCH * fabs(first) &&
                      change > change_before * pow(function_before / function, w->growth));
    function_before = function;
    change_before = change;
  }
  return grows;
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
    if (grows_beside(watch, w, t, x) || (!w->is_logarithm && has_grown(w))) {
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
  run_tape(watch, t, watch->x);
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
  run_tape(watch, a, watch->x);
  double before = watch->out[w->function];
  double two_before = INFINITY;
  double largest = fabs(before);
  w->next_zero = INFINITY;
  for (uint32_t k = 1; isfinite(before) && step > 0 && a < watch->t_stop; k++) {
    double b = fmin(from + k * step, watch->t_stop);
    run_tape(watch, b, watch->x);
    double now = watch->out[w->function];
    bool is_inside = w->kind == EDGE && now == 0.0 && isfinite(watch->out[w->value]);
    if (isfinite(now) && !is_inside && before * now <= 0 && (before < 0 || before > 0)) {
      for (int i = 0; i < BISECTIONS && 0.5 * (a + b) > a && 0.5 * (a + b) < b; i++) {
        double middle = 0.5 * (a + b);
        run_tape(watch, middle, watch->x);
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
