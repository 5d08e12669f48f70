/* Where the flow in a pipe turns (transport.c) inside of a step that was made: what the ends hold
 * from there on is something else, and if no relation has told it, the step has to end there. */
#include <float.h>
#include <math.h>

#include "instant/delay-priv.h"

#define STRETCHES 12
#define NEAR_AN_END 1e-6 /* of the step: the slopes at its ends */
#define TOGETHER 1e-9    /* of the step */
#define GOLDEN 0.6180339887498949

typedef struct {
  DaeInstant *instant;
  const DaeDenseOutput *dense;
  uint32_t left;
} Walk;

static double
way_at(const Walk *walk, double t)
{
  DaeDelays *delays = walk->instant->delays;
  walk->dense->value(walk->dense->user, t, delays->x, delays->xdot);
  dae_point_functions_eval(walk->instant, &delays->lengths, t, delays->x);
  return t - delays->lengths.out[walk->left];
}

/* The largest direction * way between low and high, by golden section. */
static double
top_between(const Walk *walk, double low, double high, int direction)
{
  double a = high - GOLDEN * (high - low);
  double b = low + GOLDEN * (high - low);
  double at_a = direction * way_at(walk, a);
  double at_b = direction * way_at(walk, b);
  while (high - low > 8 * DBL_EPSILON * fmax(fabs(low), fabs(high)) && a < b) {
    if (at_a < at_b) {
      low = a;
      a = b;
      at_a = at_b;
      b = low + GOLDEN * (high - low);
      at_b = direction * way_at(walk, b);
    } else {
      high = b;
      b = a;
      at_b = at_a;
      a = high - GOLDEN * (high - low);
      at_a = direction * way_at(walk, a);
    }
  }
  return low + (high - low) / 2;
}

/* The first turn with more than `slack` of way on both sides; 0: there is none, else the direction
 * after it. */
static int
first_turn(const Walk *walk, double from, double to, double slack, double *at)
{
  enum { POINTS = STRETCHES + 3 };

  double t[POINTS];
  double way[POINTS];
  double h = to - from;
  for (int k = 0; k < POINTS; k++) {
    t[k] = k == 0            ? from
           : k == 1          ? from + NEAR_AN_END * h
           : k == POINTS - 2 ? to - NEAR_AN_END * h
           : k == POINTS - 1 ? to
                             : from + (k - 1) * h / STRETCHES;
    way[k] = way_at(walk, t[k]);
  }
  int before = 0;
  int since = 0; /* the stretch in which it was seen last */
  for (int k = 1; k < POINTS; k++) {
    double step = way[k] - way[k - 1];
    if (!(fabs(step) > 16 * DBL_EPSILON * (1 + fabs(way[k])))) {
      continue;
    }
    int now = step > 0 ? 1 : -1;
    if (before != 0 && now != before) {
      *at = top_between(walk, t[since - 1], t[k], before);
      double top = way_at(walk, *at);
      double after = 0;
      for (int j = k; j < POINTS; j++) {
        after = fmax(after, now * (way[j] - top));
      }
      if (fabs(top - way[0]) > slack && after > slack && *at > from && *at < to) {
        return now;
      }
    }
    before = now;
    since = k;
  }
  return 0;
}

bool
dae_instant_find_turn(DaeInstant *instant, double from, double to, const DaeDenseOutput *dense,
                      double *at)
{
  DaeDelays *delays = instant->delays;
  g_autofree double *turn = g_new0(double, (size_t)delays->n + 1);
  g_autofree int *direction = g_new0(int, (size_t)delays->n + 1);
  *at = INFINITY;
  for (uint32_t i = 0; to > from && i < delays->n; i++) {
    const DaeOneDelay *one = &delays->list[i];
    if (one->is_transport && !one->is_right) {
      Walk walk = {instant, dense, i};
      double slack = instant->resolution * (1 + fabs(one->way));
      direction[i] = first_turn(&walk, from, to, slack, &turn[i]);
      *at = direction[i] != 0 ? fmin(*at, turn[i]) : *at;
    }
  }
  if (!isfinite(*at)) {
    return false; /* what was found when this step was longer stays */
  }
  for (uint32_t i = 0; i < delays->n; i++) { /* turns after that are found when it is made */
    bool is_first = turn[i] <= *at + TOGETHER * (to - from);
    delays->list[i].turning = is_first ? direction[i] : 0;
    delays->list[i].turn_at = *at;
  }
  return true;
}

bool
dae_instant_turns_at(const DaeInstant *instant, double t)
{
  for (uint32_t i = 0; i < instant->delays->n; i++) {
    const DaeOneDelay *one = &instant->delays->list[i];
    if (one->turning != 0 && t >= one->turn_at) {
      return true;
    }
  }
  return false;
}

static uint32_t
add_guard(const DaeInstant *instant, uint32_t buffer, uint32_t *guards, uint32_t n)
{
  for (guint k = 0; k < instant->guard_buffers->len; k++) {
    if (g_array_index(instant->guard_buffers, uint32_t, k) == buffer) {
      guards[n++] = k;
    }
  }
  return n;
}

uint32_t
dae_instant_turned_guards(const DaeInstant *instant, uint32_t *guards)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < instant->delays->n; i++) {
    const DaeOneDelay *one = &instant->delays->list[i];
    if (one->turning == 0) {
      continue;
    }
    for (uint32_t k = 0; k < 2; k++) {
      const DaeOneDelay *end = k == 0 ? one : &instant->delays->list[one->other];
      bool is_tail = end->current == dae_transport_tail(end);
      bool flows_in = (one->turning > 0) == (k == 0);
      if (is_tail != flows_in) {
        n = add_guard(instant, one->turning > 0 ? end->high : end->low, guards, n);
      }
    }
  }
  return n;
}

void
dae_transport_turn(DaeInstant *instant, uint32_t left)
{
  DaeOneDelay *one = &instant->delays->list[left];
  DaeOneDelay *right = &instant->delays->list[one->other];
  guint tail = one->pieces->len - 1;
  if (one->direction > 0) {
    one->current = tail;
    right->current = MAX(right->current, 1u);
  } else if (one->direction < 0) {
    one->current = MIN(one->current, tail - 1);
    right->current = 0;
  }
  one->has_turned = true;
  one->turning = 0;
}
