/* Events located on the dense output, and counts of crossed switches. */
#include <math.h>
#include <string.h>

#include "solver/radau.h"

static int
sign_of(double value)
{
  return (value > 0.0) - (value < 0.0);
}

/* Signs of the switching functions at the current point; counts those that changed. */
void
dae_radau_count_switches(DaeRadau *r, bool count)
{
  const DaeEvaluator *ev = r->ev;
  if (ev->n_switches == 0 || ev->switches == NULL) {
    return;
  }
  if (ev->switches(ev->self, r->scratch, r->t, r->x, r->switch_new) != 0) {
    return;
  }
  for (uint32_t i = 0; count && i < ev->n_switches; i++) {
    if (sign_of(r->switch_old[i]) * sign_of(r->switch_new[i]) < 0) {
      r->stats.switch_crossings++;
    }
  }
  for (uint32_t i = 0; i < ev->n_switches; i++) {
    if (r->switch_new[i] != 0.0 || !count) {
      r->switch_old[i] = r->switch_new[i]; /* a zero keeps the side it came from */
    }
  }
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

/* Illinois variant of regula falsi with bisection as a brake; [a, b] brackets one sign change. Returns the end of the
 * last bracket at which the function has the new sign. */
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

/* All crossings in the step, in the order of time; false: a callback asked to stop, and the current point was moved
 * back to the event. The step is looked at in pieces, so that two crossings of one function in a step are seen. */
bool
dae_radau_events_step(DaeRadau *r)
{
  const DaeEvents *events = r->events;
  if (events == NULL || events->n == 0) {
    return true;
  }
  const uint32_t pieces = 2 * r->last.tableau->s;
  double t_end = r->t;
  double from = r->last.t;
  for (uint32_t piece = 1; piece <= pieces; piece++) {
    double to = piece == pieces ? t_end : r->last.t + r->last.h * piece / pieces;
    double start = from;
    for (;;) {
      /* the earliest crossing in (start, to] */
      double best_t = INFINITY;
      uint32_t best = 0;
      double *now = r->event_old + events->n; /* values at `to` */
      event_value(r, 0, to);
      memcpy(now, r->event_new, sizeof(double) * events->n);
      for (uint32_t i = 0; i < events->n; i++) {
        double va = r->event_old[i];
        if (va == 0.0 || sign_of(va) * sign_of(now[i]) > 0 || (now[i] == 0.0 && to < t_end)) {
          continue;
        }
        double t = now[i] == 0.0 ? to : locate_crossing(r, i, start, va, to, now[i]);
        if (t < best_t) {
          best_t = t;
          best = i;
        }
      }
      if (isinf(best_t)) {
        for (uint32_t i = 0; i < events->n; i++) {
          r->event_old[i] = now[i] != 0.0 ? now[i] : r->event_old[i];
        }
        break;
      }
      int direction = -sign_of(r->event_old[best]);
      event_value(r, best, best_t);
      for (uint32_t i = 0; i < events->n; i++) {
        r->event_old[i] = r->event_new[i] != 0.0 ? r->event_new[i] : r->event_old[i];
      }
      r->event_old[best] = direction * fmax(fabs(r->event_new[best]), 1e-300);
      if (!events->crossed(events->user, best, direction, best_t, r->event_x)) {
        r->t = best_t;
        memcpy(r->x, r->event_x, sizeof(double) * r->n);
        return false;
      }
      start = best_t;
    }
    from = to;
  }
  return true;
}
