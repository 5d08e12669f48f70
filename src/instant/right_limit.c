/* Relations at an event and just after it: a guard that is at 0 is on the side to which it goes. */
#include <math.h>
#include <string.h>

#include "instant/instant-priv.h"

/* Part of the sides of a relation that their difference moves, at least, where it goes somewhere:
 * beyond rounding. */
#define VISIBLE 2e-14
/* Times ahead at which that is looked for, each so many times the one before. */
#define LOOKS 3
#define FARTHER 100.0
/* Part of such a time within which guards cross at once. */
#define AT_ONCE 1e-5
/* Of the resolution of guards, by the time: a state event so near to a time event is part of it. */
#define SAME_TIME 100.0

/* Long enough to see where guards go, short enough that nothing else happens. */
double
dae_instant_short_time(double t)
{
  return 1e-7 * (1 + fabs(t));
}

double
dae_instant_same_time(const DaeInstant *instant, double t)
{
  return fmax(dae_instant_short_time(t), SAME_TIME * instant->resolution * (1 + fabs(t)));
}

/* Is a guard of a relation of unknowns as near to 0 as located ones are? g: values, then sizes. */
static bool
is_near(const DaeInstant *instant, uint32_t b, const double *g)
{
  const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
  int side = 0;
  double here =
      dae_buffer_distance(buffer->kind, instant->segment[instant->at_buffer + b], g[b], &side);
  return buffer->guard == DAE_GUARD_STATE && fabs(here) < dae_guard_nearness(instant, b);
}

/* Part of `step` after which a guard is on the other side; 0: it is there. 2: it does not go there.
 * ahead: its value after `step`. */
static double
part_until_crossed(const DaeInstant *instant, uint32_t b, const double *g, double ahead,
                   uint8_t *is_open)
{
  DaeBufferKind kind = dae_buffers_get(instant->buffers, b)->kind;
  double value = instant->segment[instant->at_buffer + b];
  int side = 0;
  double here = dae_buffer_distance(kind, value, g[b], &side);
  double there = dae_buffer_distance(kind, value, ahead, &side);
  double visible = VISIBLE * (g[instant->n_buffers + b] + 1e-3 * dae_guard_nominal(instant, b));
  if (*is_open == 0 || !(fabs(there - here) > visible)) {
    return 2;
  }
  *is_open = 0;
  return there < here && there < 0 ? fmax(here / (here - there), 0) : 2;
}

/* Guards at 0 that the slopes lead to the other side within `step` go there, the first of them: what
 * it changes may keep the others (an integrator stops at its limit, and an assertion a little
 * behind it holds). is_open: those that have not been seen to go anywhere. */
static bool
go_to_other_side(DaeInstant *instant, double t, const double *x, double step, const double *g,
                 uint8_t *is_open)
{
  bool changed = false;
  g_autofree double *ahead = g_new0(double, instant->n + 1);
  g_autofree double *part = g_new0(double, instant->n_buffers + 1);
  double first = 1;
  for (uint32_t j = 0; j < instant->n; j++) {
    ahead[j] = x[j] + step * instant->xdot[j];
  }
  dae_point_functions_eval(instant, &instant->guards, t + step, ahead);
  /* scales here and a short time ahead are the same */
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    part[b] = part_until_crossed(instant, b, g, instant->guards.out[b], &is_open[b]);
    first = fmin(first, part[b]);
  }
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    if (part[b] <= fmin(first + AT_ONCE, 1)) {
      instant->segment[instant->at_buffer + b] =
          dae_buffer_value(dae_buffers_get(instant->buffers, b)->kind, instant->guards.out[b]);
      instant->is_right_limit[b] = 1;
      instant->set_at[b] = t;
      changed = true;
    }
  }
  return changed;
}

/* Is it a guard of something that this event has set? */
static bool
was_set(const DaeInstant *instant, DaeTerm g)
{
  for (guint r = 0; r < instant->resets->len; r++) {
    uint32_t j = g_array_index(instant->resets, DaeReset, r).column;
    if (dae_term_contains(instant->terms, g, instant->parts.unknowns[j])) {
      return true;
    }
  }
  return false;
}

/* Guards that were set to exactly 0 and do not go anywhere (the velocity of a body that sticks now)
 * are what the relation says of 0, whatever it said before. */
static bool
rest_at_zero(DaeInstant *instant, const double *g, const uint8_t *is_open)
{
  bool changed = false;
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
    double *value = &instant->segment[instant->at_buffer + b];
    if (is_open[b] != 0 && g[b] == 0 && *value != dae_buffer_value(buffer->kind, 0) &&
        was_set(instant, buffer->g)) {
      *value = dae_buffer_value(buffer->kind, 0);
      changed = true;
    }
  }
  return changed;
}

bool
dae_take_right_limits(DaeInstant *instant, double t, const double *x, double *step)
{
  bool any = false;
  bool changed = false;
  dae_point_functions_eval(instant, &instant->guards, t, x);
  g_autofree double *g =
      g_memdup2(instant->guards.out, (2 * (gsize)instant->n_buffers + 1) * sizeof(double));
  g_autofree uint8_t *is_open = g_new0(uint8_t, instant->n_buffers + 1);
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    /* slopes that are over sooner than a step sees (a fast mode that is damped away) say nothing
     * against the step */
    is_open[b] = is_near(instant, b, g) && instant->is_crossed_at_once[b] == 0 ? 1 : 0;
    any = any || is_open[b] != 0;
  }
  if (!any) {
    return false;
  }
  instant->parts.slopes(instant->parts.user, t, x, instant->segment, instant->xdot);
  *step = dae_instant_short_time(t);
  for (int k = 0; k < LOOKS && !changed; k++) {
    *step *= k > 0 ? FARTHER : 1;
    changed = go_to_other_side(instant, t, x, *step, g, is_open);
  }
  return changed || rest_at_zero(instant, g, is_open);
}

/* ---- relations that reach 0 in the very instant --------------------------------------------- */

/* Does a buffer that reaches the end of its range have its new value there (x >= 1), or behind it
 * only (x > 1)? */
static bool
changes_at_end(const DaeInstant *instant, uint32_t b, double g)
{
  DaeBufferKind kind = dae_buffers_get(instant->buffers, b)->kind;
  bool is_relation = kind == DAE_BUFFER_POSITIVE || kind == DAE_BUFFER_NONNEGATIVE;
  return dae_buffer_value(kind, is_relation ? 0 : rint(g)) !=
         instant->segment[instant->at_buffer + b];
}

/* Is all that begins the event a relation that changes behind its 0 only? */
static bool
begins_behind(const DaeInstant *instant, DaeCause cause, double t, const uint32_t *flipped,
              uint32_t n_flipped)
{
  DaeInstant *own = (DaeInstant *)instant;
  bool any = n_flipped > 0;
  for (uint32_t i = 0; i < n_flipped; i++) {
    if (changes_at_end(instant, flipped[i], instant->guards.out[flipped[i]])) {
      return false;
    }
  }
  for (uint32_t b = 0; cause == DAE_CAUSE_TIME && b < instant->n_buffers; b++) {
    DaeGuardKind kind = dae_buffers_get(instant->buffers, b)->guard;
    double g = instant->guards.out[b];
    if ((kind != DAE_GUARD_TIME && kind != DAE_GUARD_LINEAR_TIME) || !isfinite(g) ||
        dae_clock_buffer_value(own, b, t, g) == instant->segment[instant->at_buffer + b]) {
      continue;
    }
    if (changes_at_end(instant, b, g)) {
      return false;
    }
    any = true;
  }
  for (uint32_t p = instant->at_sample; p < instant->at_sample + instant->n_samples; p++) {
    any = any && instant->segment[p] == 0;
  }
  return any && instant->ticking == NULL;
}

/* Those near 0 that the slopes of the mode that ends lead across within `soon`. behind: those too
 * that change behind their 0 only. */
static void
go_together(DaeInstant *instant, double t, const double *x, double soon, bool behind,
            uint8_t *is_open)
{
  g_autofree double *g =
      g_memdup2(instant->guards.out, (2 * (gsize)instant->n_buffers + 1) * sizeof(double));
  g_autofree double *ahead = g_new0(double, instant->n + 1);
  double step = dae_instant_short_time(t);
  instant->parts.slopes(instant->parts.user, t, x, instant->before, instant->xdot);
  for (int k = 0; k < LOOKS; k++) {
    step *= k > 0 ? FARTHER : 1;
    for (uint32_t j = 0; j < instant->n; j++) {
      ahead[j] = x[j] + step * instant->xdot[j];
    }
    dae_point_functions_eval(instant, &instant->guards, t + step, ahead);
    for (uint32_t b = 0; b < instant->n_buffers; b++) {
      DaeBufferKind kind = dae_buffers_get(instant->buffers, b)->kind;
      double *value = &instant->segment[instant->at_buffer + b];
      double there = instant->guards.out[b];
      bool is_soon = step * part_until_crossed(instant, b, g, there, &is_open[b]) <= soon;
      if (is_soon && (behind || changes_at_end(instant, b, g[b]))) {
        int side = 0;
        instant->reach[b] = fmax(2 * dae_buffer_distance(kind, *value, g[b], &side), 0);
        *value = dae_buffer_value(kind, there);
        instant->is_right_limit[b] = 1;
        g_hash_table_add(instant->causes, GUINT_TO_POINTER(instant->at_buffer + b));
      }
    }
  }
}

void
dae_take_coincident(DaeInstant *instant, DaeCause cause, double t, const double *x,
                    const uint32_t *flipped, uint32_t n_flipped)
{
  bool any = false;
  if ((cause != DAE_CAUSE_TIME && cause != DAE_CAUSE_STATE) ||
      instant->guard_buffers->len == 0) {
    return;
  }
  g_autofree uint8_t *is_open = g_new0(uint8_t, instant->n_buffers + 1);
  dae_point_functions_eval(instant, &instant->guards, t, x);
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    is_open[b] = is_near(instant, b, instant->guards.out) ? 1 : 0;
  }
  for (uint32_t i = 0; i < n_flipped; i++) {
    is_open[flipped[i]] = 0;
  }
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    any = any || is_open[b] != 0;
  }
  if (any) {
    double soon = cause == DAE_CAUSE_STATE ? AT_ONCE * dae_instant_short_time(t)
                                           : dae_instant_same_time(instant, t);
    go_together(instant, t, x, soon, begins_behind(instant, cause, t, flipped, n_flipped),
                is_open);
  }
}
