/* Relations of time that are not linear in it, in exported C: where in a step they change their
 * sides. Becomes text like events.c.
 *
 * Each quarter of the step is looked at: the sides at its ends, and where the slopes at its ends
 * say that the function turns round in between, there as well. So two changes in a quarter are
 * found, with bounded work; a function that turns round twice in one of them may hide others.
 * Where it only touches the end of its range, the relation has its value there for one instant. */
#include "model.h"

/* part: event_zeros */
#if MODEL_WITH_TIME_GUARDS
/* ---- functions of time ---- */

#define MODEL_QUARTERS 4u
#define MODEL_HALVINGS 40u

/* How far guard k is inside its range at t, and how fast that changes. */
static double
model_time_distance(model_instance *s, unsigned k, double t, double *slope)
{
  const unsigned b = model_time_buffer[k];
  double distance;
  int side;
  model_time_guards(t, s->x[0], s->rate, s->time_value);
  distance = model_buffer_distance(model_buffer_kind[b], s->segment[MODEL_AT_BUFFER + b],
                                   s->time_value[k], &side);
  *slope = side < 0 ? s->time_value[MODEL_N_TIME + k] : -s->time_value[MODEL_N_TIME + k];
  return distance;
}

/* The side is left between `from` and `to`: just behind that. */
static double
model_bisect_zero(model_instance *s, unsigned k, double from, double to)
{
  double slope;
  unsigned i;
  for (i = 0u; i < MODEL_HALVINGS; i++) {
    const double middle = 0.5 * (from + to);
    if (model_time_distance(s, k, middle, &slope) < 0.0) {
      to = middle;
    } else {
      from = middle;
    }
  }
  return to;
}

/* It comes nearer at `from` and goes away at `to`: where it is nearest. */
static double
model_bisect_slope(model_instance *s, unsigned k, double from, double to)
{
  double slope;
  unsigned i;
  for (i = 0u; i < MODEL_HALVINGS; i++) {
    const double middle = 0.5 * (from + to);
    (void)model_time_distance(s, k, middle, &slope);
    if (slope < 0.0) {
      from = middle;
    } else {
      to = middle;
    }
  }
  return 0.5 * (from + to);
}

/* Is guard k at the end of its range, as far as doubles tell, and its relation another one
 * there? */
static int
model_touches(const model_instance *s, unsigned k, double distance)
{
  const unsigned b = model_time_buffer[k];
  const double here = model_value_at_touch(model_buffer_kind[b], s->time_value[k]);
  const double value = s->segment[MODEL_AT_BUFFER + b];
  return distance <= 4e-15 * (s->guard[MODEL_N_BUFFERS + b] + model_guard_nominal[b]) &&
         (here < value || here > value);
}

/* Where the side is left; s->touch[k]: where it is only touched before that. */
static double
model_first_zero(model_instance *s, unsigned k, double from, double to)
{
  double a = from;
  double slope_a;
  unsigned i;
  if (model_time_distance(s, k, a, &slope_a) < 0.0) {
    return HUGE_VAL; /* that is seen at the end of the step */
  }
  for (i = 1u; i <= MODEL_QUARTERS; i++) {
    const double b = from + (to - from) * (double)i / (double)MODEL_QUARTERS;
    double slope_b;
    if (model_time_distance(s, k, b, &slope_b) < 0.0) {
      return model_bisect_zero(s, k, a, b);
    }
    if (slope_a < 0.0 && slope_b >= 0.0) {
      const double turn = model_bisect_slope(s, k, a, b);
      double slope;
      const double distance = model_time_distance(s, k, turn, &slope);
      if (model_touches(s, k, fabs(distance)) != 0) {
        s->touch[k] = turn;
        return turn;
      }
      if (distance < 0.0) {
        return model_bisect_zero(s, k, a, turn);
      }
    }
    a = b;
    slope_a = slope_b;
  }
  return HUGE_VAL;
}

static double
model_next_zero(model_instance *s, double to)
{
  const double from = s->taken + MODEL_SAME_TIME;
  double next = HUGE_VAL;
  unsigned k;
  for (k = 0u; k < MODEL_N_TIME; k++) {
    s->touch[k] = HUGE_VAL;
  }
  for (k = 0u; k < MODEL_N_TIME && to > from; k++) {
    const double zero = model_first_zero(s, k, from, to);
    next = zero < next ? zero : next;
  }
  return next;
}

/* The instant of a touch is over: relations are as they are just after it. 0: there was none. */
static int
model_leave_touch(model_instance *s, double tau)
{
  int any = 0;
  unsigned k;
  for (k = 0u; k < MODEL_N_TIME; k++) {
    any |= fabs(s->touch[k] - tau) <= MODEL_SAME_TIME;
    s->touch[k] = HUGE_VAL;
  }
  return any;
}

#endif /* TIME_GUARDS */
