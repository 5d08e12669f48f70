/* delay(e, T, most) with a delay time that changes [language specification, 3.7.2.1].
 *
 * During a segment it is one polynomial of the past, at s = time - T - t0 with T as the model says
 * it. Two guards, as those of relations, watch the delayed time time - T: where it leaves the
 * piece, forwards or, if T grows faster than time, backwards, the next piece is put in. Where e
 * jumps or has a kink that is an event.
 *
 * The past ends where the step under way begins. A delayed time that comes near the present meets
 * the tail: e as it goes on from the present, for a distance so short that its error is nothing
 * beside the tolerance: at first, and after events, a straight line, then the last cubic, whose
 * error is seen when the step is made. So delays may vanish (T = time/2 at the start, or 0 for a
 * while); steps are then as short as the tail. */
#include <float.h>
#include <math.h>

#include "instant/delay-priv.h"

#define NEVER 1e300
#define MOST_PIECES 4096u

static DaePiece *
piece_of(const DaeOneDelay *delay, guint k)
{
  return &g_array_index(delay->pieces, DaePiece, k);
}

void
dae_delay_begin_varying(DaeInstant *instant, uint32_t i, double t, double value)
{
  DaeOneDelay *delay = &instant->delays->list[i];
  DaePiece first = {.begin = t - 2 * delay->most - 1,
                    .end = delay->is_held ? NEVER : t,
                    .until = INFINITY,
                    .c = {value},
                    .breaks = DAE_NO_BREAK};
  g_array_set_size(delay->pieces, 0);
  g_array_append_val(delay->pieces, first);
  delay->has_tail = false;
  delay->pending = DAE_NO_BREAK;
  delay->met = DAE_NO_BREAK;
  if (!delay->is_held) {
    dae_delay_add_tail(instant, i, t, (const double[4]){value}, 0);
  }
}

void
dae_delay_cut_tail(DaeOneDelay *delay)
{
  if (delay->has_tail) {
    g_array_set_size(delay->pieces, delay->pieces->len - 1);
    delay->has_tail = false;
  }
}

/* Of a straight line: the square of it, times a second derivative, is the error. */
static double
least_length(const DaeInstant *instant, uint32_t i, double t)
{
  double least = 0.1 * sqrt(instant->resolution) * fmin(instant->delays->list[i].most, 1);
  return fmax(least, 64 * DBL_EPSILON * fabs(t));
}

bool
dae_delay_is_beyond_least(const DaeInstant *instant, uint32_t i, double t, double length)
{
  return length > least_length(instant, i, t);
}

void
dae_delay_add_tail(DaeInstant *instant, uint32_t i, double t, const double *c, double length)
{
  DaeOneDelay *delay = &instant->delays->list[i];
  dae_delay_cut_tail(delay);
  length = fmax(least_length(instant, i, t), length);
  DaePiece tail = {.begin = t,
                   .end = t + length,
                   .until = INFINITY,
                   .c = {c[0], c[1], c[2], c[3]},
                   .breaks = delay->pending};
  g_array_append_val(delay->pieces, tail);
  delay->has_tail = true;
  if (delay->pieces->len > MOST_PIECES) { /* what is over */
    guint k = 0;
    while (k < delay->current && piece_of(delay, k)->end < t - delay->most) {
      k++;
    }
    g_array_remove_range(delay->pieces, 0, k);
    delay->current -= k;
  }
}

static double
delayed_time(DaeInstant *instant, uint32_t i, double t, const double *x)
{
  dae_point_functions_eval(instant, &instant->delays->lengths, t, x);
  return t - instant->delays->lengths.out[i];
}

/* How far beyond the end of a piece the delayed time may be where that was found as a root. */
static double
slack_at(const DaeInstant *instant, uint32_t i, double t)
{
  return 4 * instant->resolution * (1 + fabs(t) + instant->delays->list[i].most);
}

bool
dae_delay_move_varying(DaeInstant *instant, uint32_t i, double t, const double *x)
{
  DaeOneDelay *delay = &instant->delays->list[i];
  double past = delayed_time(instant, i, t, x);
  double slack = slack_at(instant, i, t);
  guint old = delay->current;
  if (!isfinite(past) || (past >= piece_of(delay, old)->begin - slack &&
                          past <= piece_of(delay, old)->end + slack)) {
    return false;
  }
  guint k = old;
  while (k + 1 < delay->pieces->len && past > piece_of(delay, k)->end) {
    k++;
  }
  while (k > 0 && past < piece_of(delay, k)->begin) {
    k--;
  }
  if (delay->is_transport && k != old && (k < old) == delay->is_right) {
    k = dae_transport_tail(delay);
  }
  delay->current = k;
  if (k != old) {
    dae_delay_use_piece(instant, i);
  }
  return k != old;
}

/* No break stands between the piece in use and the tail. */
static bool
may_take_tail(const DaeOneDelay *delay)
{
  for (guint k = delay->current + 1; k < delay->pieces->len; k++) {
    if (piece_of(delay, k)->breaks != DAE_NO_BREAK) {
      return false;
    }
  }
  return true;
}

void
dae_delay_find_piece(DaeInstant *instant, uint32_t i, double t, const double *x)
{
  DaeOneDelay *delay = &instant->delays->list[i];
  double past = delayed_time(instant, i, t, x);
  guint last = delay->pieces->len - 1;
  delay->current = MIN(delay->current, last);
  if (isfinite(past) && past >= piece_of(delay, last)->begin && may_take_tail(delay)) {
    delay->current = last;
  }
  while (isfinite(past) && delay->current < last &&
         past > piece_of(delay, delay->current)->end &&
         piece_of(delay, delay->current + 1)->breaks == DAE_NO_BREAK) {
    delay->current++;
  }
  /* a root that was just crossed is left of it by rounding: back there it would be one again */
  double slack = slack_at(instant, i, t);
  while (isfinite(past) && delay->current > 0 &&
         past < piece_of(delay, delay->current)->begin - slack) {
    delay->current--;
  }
}

double
dae_delay_look_ahead(DaeInstant *instant, double t, const double *x)
{
  DaeDelays *delays = instant->delays;
  double step = dae_instant_short_time(t);
  instant->parts.slopes(instant->parts.user, t, x, instant->segment, delays->xdot);
  for (uint32_t j = 0; j < instant->n; j++) {
    delays->x[j] = x[j] + step * delays->xdot[j];
  }
  return step;
}

double
dae_delay_slope(DaeInstant *instant, uint32_t i, double t, const double *x)
{
  DaeDelays *delays = instant->delays;
  double step = dae_delay_look_ahead(instant, t, x);
  dae_point_functions_eval(instant, &delays->arguments, t, x);
  double here = delays->arguments.out[i];
  dae_point_functions_eval(instant, &delays->arguments, t + step, delays->x);
  double slope = (delays->arguments.out[i] - here) / step;
  dae_point_functions_eval(instant, &delays->arguments, t, x);
  return isfinite(slope) ? slope : 0;
}

void
dae_delay_schedule_varying(DaeInstant *instant, uint32_t i, double t, const double *x,
                           uint32_t breaks)
{
  DaeOneDelay *delay = &instant->delays->list[i];
  double value = instant->delays->arguments.out[i];
  if (delay->is_transport) {
    dae_transport_schedule(instant, i, t, x, breaks);
    return;
  }
  if (!delay->is_held) {
    delay->pending = breaks;
    const double c[4] = {value, dae_delay_slope(instant, i, t, x)};
    dae_delay_add_tail(instant, i, t, c, 0);
    if (breaks != DAE_NO_BREAK && delay->current + 1 == delay->pieces->len &&
        delay->current > 0) {
      delay->current--; /* into what begins with a break it goes by an event */
    }
    dae_delay_find_piece(instant, i, t, x);
    dae_delay_use_piece(instant, i);
  } else if (breaks != DAE_NO_BREAK) {
    DaePiece next = {
        .begin = t, .end = NEVER, .until = INFINITY, .c = {value}, .breaks = breaks};
    piece_of(delay, delay->pieces->len - 1)->end = t;
    g_array_append_val(delay->pieces, next);
    dae_delay_use_piece(instant, i); /* the end of the one in use may be another */
  }
}

/* ---- guards ------------------------------------------------------------------------------ */

/* The delay whose piece is left where this buffer's guard is crossed; NULL: it is a relation. */
static DaeOneDelay *
delay_of_buffer(const DaeInstant *instant, uint32_t b, uint32_t *i)
{
  for (*i = 0; *i < instant->delays->n; (*i)++) {
    DaeOneDelay *delay = &instant->delays->list[*i];
    if (delay->is_varying && (delay->low == b || delay->high == b)) {
      return delay;
    }
  }
  return NULL;
}

bool
dae_instant_is_delay_guard(const DaeInstant *instant, uint32_t guard, bool *breaks)
{
  uint32_t i = 0;
  uint32_t b = dae_instant_guard_buffer(instant, guard);
  const DaeOneDelay *delay = delay_of_buffer(instant, b, &i);
  if (delay == NULL) {
    return false;
  }
  guint k = delay->current + (b == delay->high ? 1 : 0);
  *breaks = k < delay->pieces->len && piece_of(delay, k)->breaks != DAE_NO_BREAK;
  if (delay->is_transport && (b == delay->low) == delay->is_right) {
    *breaks = true; /* x turns: to what flows in */
    return true;
  }
  if (delay->is_transport &&
      (delay->current == 0 || delay->current + 1 == delay->pieces->len)) {
    *breaks = false; /* what has just flowed in flows out again */
  }
  return true;
}

/* Forwards, also over pieces that end where the delayed time is already: those that the steps
 * leave behind where a delay vanishes. */
static void
enter_next(const DaeInstant *instant, uint32_t i)
{
  DaeOneDelay *delay = &instant->delays->list[i];
  double past = piece_of(delay, delay->current)->end;
  double slack = slack_at(instant, i, past);
  delay->current++;
  delay->met = piece_of(delay, delay->current)->breaks;
  while (delay->met == DAE_NO_BREAK && delay->current + 1 < delay->pieces->len &&
         piece_of(delay, delay->current)->end <= past + slack &&
         piece_of(delay, delay->current + 1)->breaks == DAE_NO_BREAK) {
    delay->current++;
  }
}

bool
dae_delays_cross(DaeInstant *instant, uint32_t b)
{
  uint32_t i = 0;
  DaeOneDelay *delay = delay_of_buffer(instant, b, &i);
  if (delay == NULL) {
    return false;
  }
  guint old = delay->current;
  if (delay->is_transport && (b == delay->low) == delay->is_right) {
    delay->current = dae_transport_tail(delay);
    delay->met = 0;
  } else if (b == delay->high && old + 1 < delay->pieces->len) {
    enter_next(instant, i);
  } else if (b == delay->low && old > 0) {
    delay->met = piece_of(delay, old)->breaks;
    delay->current--;
  }
  dae_delay_use_piece(instant, i);
  return true;
}

void
dae_instant_cross_delays(DaeInstant *instant, const uint32_t *guards, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++) {
    dae_delays_cross(instant, dae_instant_guard_buffer(instant, guards[k]));
  }
}

bool
dae_instant_check_delays(DaeInstant *instant, double t, const double *x, GError **error)
{
  DaeDelays *delays = instant->delays;
  if (delays->lengths.n == 0) {
    return true;
  }
  dae_point_functions_eval(instant, &delays->lengths, t, x);
  for (uint32_t i = 0; i < delays->n; i++) {
    const DaeOneDelay *delay = &delays->list[i];
    if (delay->is_transport) {
      if (!dae_transport_check(instant, i, t, error)) {
        return false;
      }
      continue;
    }
    double slack = 1e-9 * delay->most + 8 * DBL_EPSILON * fabs(t);
    double length = delays->lengths.out[i];
    if (delay->is_varying && !(length >= -slack && length <= delay->most + slack)) {
      const DaeDelay *text = dae_hybrid_delay(instant->hybrid, i);
      g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                  "%s:%u:%u: at t = %.10g the delay time of 'delay' is %.10g; it must be "
                  "between 0 and its maximum %.10g",
                  dae_model_file_of(dae_hybrid_model(instant->hybrid), text->span),
                  text->span.line, text->span.column, t, length, delay->most);
      return false;
    }
  }
  return true;
}
