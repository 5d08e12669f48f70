/* Events located on the dense output, and counts of crossed switches. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/lanes.h"
#include "solver/radau.h"

#define SHARP                                                                                  \
  1e-15 /* a residual that polishing aims at, and stops before where that is rounding */

static int
sign_of(double value)
{
  return (value > 0.0) - (value < 0.0);
}

/* Signs of the switching functions at a point; counts those that changed. */
static void
look_at_switches(DaeRadau *r, double t, const double *x, bool count)
{
  const DaeEvaluator *ev = r->ev;
  if (ev->switches(ev->self, r->scratch, t, x, r->switch_new) != 0) {
    return;
  }
  for (uint32_t i = 0; i < ev->n_switches; i++) {
    if (count && sign_of(r->switch_old[i]) * sign_of(r->switch_new[i]) < 0) {
      r->stats.switch_crossings++;
    }
    if (r->switch_new[i] != 0.0 || !count) {
      r->switch_old[i] = r->switch_new[i]; /* a zero keeps the side it came from */
    }
  }
}

/* Is some switch on another side at the end of the step just solved than at its start? */
bool
dae_radau_crosses_switch(DaeRadau *r, double t_new)
{
  const DaeEvaluator *ev = r->ev;
  if (ev->n_switches == 0 || ev->switches == NULL) {
    return false;
  }
  uint32_t s = r->tableau->s;
  for (uint32_t j = 0; j < r->n; j++) {
    r->event_x[j] = r->x[j] + r->z[(size_t)j * DAE_LANES_OF(s) + s - 1];
  }
  if (ev->switches(ev->self, r->scratch, t_new, r->event_x, r->switch_new) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < ev->n_switches; i++) {
    if (sign_of(r->switch_old[i]) * sign_of(r->switch_new[i]) < 0) {
      return true;
    }
  }
  return false;
}

/* Switches crossed in the last step: along its stages, so that going there and
 * back inside a step is seen too. */
void
dae_radau_count_switches(DaeRadau *r, bool count)
{
  if (r->ev->n_switches == 0 || r->ev->switches == NULL) {
    return;
  }
  dae_radau_close_dense(r, DAE_DENSE_READY);
  for (uint32_t i = 0; count && r->last.tableau != NULL && i + 1 < r->last.tableau->s; i++) {
    double t = r->last.t + r->last.tableau->c[i] * r->last.h;
    dae_collocation_value(&r->last, r->n, t, r->event_x);
    look_at_switches(r, t, r->event_x, true);
  }
  look_at_switches(r, r->t, r->x, count);
}

bool
dae_radau_events_start(DaeRadau *r)
{
  if (r->events != NULL && r->events->n > 0) {
    r->events->values(r->events->user, r->t, r->x, r->event_old);
  }
  return true;
}

/* Value of event function i at t on the dense output. */
static double
event_value(DaeRadau *r, uint32_t i, double t)
{
  if (t >= r->t) {
    memcpy(r->event_x, r->x, sizeof(double) * r->n);
  } else {
    dae_collocation_value(&r->last, r->n, t, r->event_x);
  }
  r->events->values(r->events->user, t, r->event_x, r->event_new);
  return r->event_new[i];
}

/* Illinois variant of regula falsi with bisection as a brake; [a, b] brackets one sign change.
 * Returns the end of the last bracket at which the function has the new sign. */
static double
locate_crossing(DaeRadau *r, uint32_t i, double a, double va, double b, double vb)
{
  double tolerance = 4e-16 * fmax(fabs(a), fabs(b)) + 1e-14 * (b - a);
  int side = 0;
  for (uint32_t k = 0; k < 200 && b - a > tolerance; k++) {
    double t = k % 8 == 7 ? 0.5 * (a + b) : a + (b - a) * va / (va - vb);
    if (!(t > a && t < b)) {
      t = 0.5 * (a + b);
    }
    if (!(t > a && t < b)) {
      break;
    }
    double v = event_value(r, i, t);
    if (sign_of(v) == sign_of(va)) {
      a = t;
      va = v;
      vb = side == 1 ? 0.5 * vb : vb;
      side = 1;
    } else {
      b = t;
      vb = v == 0.0 ? vb : v;
      va = side == -1 ? 0.5 * va : va;
      side = -1;
      if (v == 0.0) {
        break;
      }
    }
  }
  return b;
}

/* Earliest crossing in (start, to], whose functions at start are event_old; INFINITY: none. The
 * values at `to` are left in the second half of event_old. */
static double
earliest_crossing(DaeRadau *r, double start, double to, uint32_t *which)
{
  uint32_t n = r->events->n;
  double *now = r->event_old + n;
  double best = INFINITY;
  event_value(r, 0, to);
  memcpy(now, r->event_new, sizeof(double) * n);
  for (uint32_t i = 0; i < n; i++) {
    double before = r->event_old[i];
    /* a zero inside the step is left to the next piece, which sees the new sign */
    if (before == 0.0 || sign_of(before) * sign_of(now[i]) > 0 ||
        (now[i] == 0.0 && to < r->t)) {
      continue;
    }
    double t = now[i] == 0.0 ? to : locate_crossing(r, i, start, before, to, now[i]);
    if (t < best) {
      best = t;
      *which = i;
    }
  }
  return best;
}

/* A zero keeps the side it came from. */
static void
remember_sides(DaeRadau *r, const double *values)
{
  for (uint32_t i = 0; i < r->events->n; i++) {
    r->event_old[i] = values[i] != 0.0 ? values[i] : r->event_old[i];
  }
}

/* At a crossing: others that cross at the same time are still to be told. */
static void
remember_same_sides(DaeRadau *r, const double *values)
{
  for (uint32_t i = 0; i < r->events->n; i++) {
    r->event_old[i] =
        sign_of(values[i]) * sign_of(r->event_old[i]) > 0 ? values[i] : r->event_old[i];
  }
}

/* The dense output at t as far on the constraints as rounding lets it; event_new: the values. */
static void
sharpen(DaeRadau *r, uint32_t which, double t)
{
  double residual;
  event_value(r, which, t);
  const bool by_form = r->erk != NULL && (r->is_explicit || r->last_is_explicit);
  if (!by_form || !dae_radau_settle_explicit(r, t, r->event_x, &residual)) {
    dae_radau_polish(r, r->linsys, t, r->event_x, r->f_out, r->g_out, NULL, SHARP, &residual);
  }
  r->events->values(r->events->user, t, r->event_x, r->event_new);
}

/* abs(x^2 + y^2 - 1) <= 1e-10 fails on the dense output, which is not that exact: a crossing at t
 * is one if it is seen on the constraints, there or at `to`, where the dense output is beyond it
 * (a true crossing may be moved to the other side of it at t). Leaves the point at t. */
static bool
is_crossing(DaeRadau *r, uint32_t which, int direction, double t, double to)
{
  sharpen(r, which, t);
  if (which >= r->events->n_confirmed || sign_of(r->event_new[which]) == direction) {
    return true;
  }
  sharpen(r, which, to);
  const bool is_one = sign_of(r->event_new[which]) == direction;
  sharpen(r, which, t);
  return is_one;
}

/* Tells the user of a crossing at t in a piece up to `to`; false: stop there, the current point is
 * moved back to it. */
static bool
report_crossing(DaeRadau *r, uint32_t which, double t, double to)
{
  dae_radau_close_dense(r, DAE_DENSE_READY);
  const DaeEvents *events = r->events;
  int direction = -sign_of(r->event_old[which]);
  event_value(r, which, t);
  remember_same_sides(r, r->event_new);
  r->event_old[which] = direction * fmax(fabs(r->event_new[which]), DBL_MIN);
  if (!is_crossing(r, which, direction, t, to) ||
      events->crossed(events->user, which, direction, t, r->event_x)) {
    return true;
  }
  r->t = t;
  memcpy(r->x, r->event_x, sizeof(double) * r->n);
  return false;
}

/* Is the one of them that is nearer to 0 further from it than from the other? What is 0 and stays
 * so crosses nothing. */
static bool
are_far_from_zero(double a, double b)
{
  return fabs(b - a) < fmin(fabs(a), fabs(b)) || (a == 0.0 && b == 0.0);
}

/* Do all functions keep away from 0 in an explicit step, from one of its stages to the next? Seen
 * without its polynomial, which costs as much as half the step. */
static bool
stays_away(DaeRadau *r)
{
  const uint32_t n = r->events->n;
  const bool direct = dae_radau_dense_of_events(r) > DAE_DENSE_Y;
  double *before = r->event_old + n;
  memcpy(before, r->event_old, sizeof(double) * n);
  for (uint32_t look = 0; look <= DAE_ERK_LOOKS; look++) {
    const bool is_end = look == DAE_ERK_LOOKS;
    const double t = is_end ? r->t : dae_radau_look_at_stage(r, look, direct, r->event_x);
    if (isnan(t)) {
      return false;
    }
    r->events->values(r->events->user, t, is_end ? r->x : r->event_x, r->event_new);
    for (uint32_t i = 0; i < n; i++) {
      if (!are_far_from_zero(before[i], r->event_new[i])) {
        return false;
      }
    }
    memcpy(before, r->event_new, sizeof(double) * n);
  }
  memcpy(r->event_old, before, sizeof(double) * n);
  return true;
}

/* All crossings in the step, in the order of time; false: a callback asked to stop. The step is
 * looked at in pieces, so that two crossings of one function in a step are seen. */
bool
dae_radau_events_step(DaeRadau *r)
{
  if (r->events == NULL || r->events->n == 0) {
    return true;
  }
  if (r->last_is_explicit && r->dense == DAE_DENSE_OPEN && stays_away(r)) {
    return true;
  }
  dae_radau_close_dense(r, dae_radau_dense_of_events(r));
  /* explicit steps are shorter */
  const uint32_t pieces = (r->last_is_explicit ? 1 : 2) * r->last.tableau->s;
  double from = r->last.t;
  for (uint32_t piece = 1; piece <= pieces; piece++) {
    double to = piece == pieces ? r->t : r->last.t + r->last.h * piece / pieces;
    uint32_t which = 0;
    for (double t = earliest_crossing(r, from, to, &which); isfinite(t);
         t = earliest_crossing(r, t, to, &which)) {
      if (!report_crossing(r, which, t, to)) {
        return false;
      }
    }
    remember_sides(r, r->event_old + r->events->n);
    from = to;
  }
  return true;
}
