/* spatialDistribution: what a pipe of the length 1 holds [language specification, 3.7.2.2].
 *
 * What flows in at the left end, at 0, while the way x grows stays where it is in the coordinate
 * k = x - y: the pipe is the piece [x - 1, x] of that axis. Its left end moves with k = x, its
 * right one with k = x - 1. Both are read as delay(e, T, most) is with k for the delayed time
 * (delay_varying.c): the profile is kept as cubic polynomials of k, and guards watch each end, so
 * that the next polynomial is put in where it is reached.
 *
 * Outside of [x - 1, x] are two pieces that go on for ever: there an end is what flows in at the
 * moment, the term itself (atom 7). An end enters them only where x turns. What has left the pipe
 * is cut off after each step (transport_record.c), so that x going back finds what flows in. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "instant/delay-priv.h"

#define FOR_EVER 1e300
#define MOST_JUMP 1e-7
#define TURN_SLACK 1e-12

static double
coordinate(DaeInstant *instant, uint32_t i, double t, const double *x)
{
  dae_point_functions_eval(instant, &instant->delays->lengths, t, x);
  return t - instant->delays->lengths.out[i];
}

static bool
fail_at(const DaeInstant *instant, uint32_t i, int code, const char *message, GError **error)
{
  const DaeDelay *text = dae_hybrid_delay(instant->hybrid, i);
  g_set_error(error, DAE_ERROR, code, "%s:%u:%u: %s",
              dae_model_file_of(dae_hybrid_model(instant->hybrid), text->span), text->span.line,
              text->span.column, message);
  return false;
}

/* ---- initial points ---------------------------------------------------------------------- */

static bool
number_of(const DaeInstant *instant, DaeTerm t, double *value)
{
  DaeTerm lowered = instant->parts.lower(instant->parts.user, t);
  DaeTerm exact = lowered != DAE_NO_TERM ? dae_clock_number(instant, lowered) : DAE_NO_TERM;
  if (exact == DAE_NO_TERM) {
    return false;
  }
  *value = dae_term_get_double(instant->terms, exact);
  return true;
}

bool
dae_transport_init(DaeInstant *instant, uint32_t i, GError **error)
{
  const DaeDelay *text = dae_hybrid_delay(instant->hybrid, i);
  DaeOneDelay *own = &instant->delays->list[i];
  own->is_transport = true;
  own->is_right = text->is_right;
  own->other = text->other;
  if (own->is_right) {
    g_array_unref(own->pieces);
    own->pieces = g_array_ref(instant->delays->list[own->other].pieces);
  }
  double before = 0;
  for (uint32_t k = 0; k < text->n_points; k++) {
    double at = NAN;
    double value = NAN;
    if (!number_of(instant, text->points[k], &at) ||
        !number_of(instant, text->values[k], &value)) {
      return fail_at(
          instant, i, DAE_ERROR_MODEL,
          "error: initialPoints and initialValues of 'spatialDistribution' must have "
          "values",
          error);
    }
    if (!(at >= before) || (k == 0 && at != 0) || (k + 1 == text->n_points && at != 1)) {
      return fail_at(
          instant, i, DAE_ERROR_MODEL,
          "error: initialPoints of 'spatialDistribution' must begin with 0, end with "
          "1 and not decrease",
          error);
    }
    before = at;
  }
  return true;
}

/* Straight lines between the points, from the right end to the left one, since k = x - y. A
 * repeated point is a jump. */
static void
put_in_profile(const DaeInstant *instant, uint32_t left, double way)
{
  const DaeDelay *text = dae_hybrid_delay(instant->hybrid, left);
  GArray *pieces = instant->delays->list[left].pieces;
  for (uint32_t k = text->n_points; k-- > 1;) {
    double at[2];
    double value[2];
    for (uint32_t side = 0; side < 2; side++) {
      bool good = number_of(instant, text->points[k - side], &at[side]) &&
                  number_of(instant, text->values[k - side], &value[side]);
      DAE_ASSERT(good);
    }
    if (at[0] > at[1]) {
      DaePiece piece = {.begin = way - at[0],
                        .end = way - at[1],
                        .breaks = pieces->len > 1 ? 1 : 0,
                        .origin = way - at[0],
                        .c = {value[0], (value[1] - value[0]) / (at[0] - at[1])}};
      g_array_append_val(pieces, piece);
    }
  }
}

/* By the slopes of the unknowns; 0: not known. */
static double
slope_of_way(DaeInstant *instant, uint32_t left, double t, const double *x)
{
  DaeDelays *delays = instant->delays;
  double step = dae_delay_look_ahead(instant, t, x);
  double way = coordinate(instant, left, t + step, delays->x) - delays->list[left].way;
  return isfinite(way) ? way / step : 0;
}

void
dae_transport_begin(DaeInstant *instant, uint32_t left, double t, const double *x)
{
  DaeOneDelay *one = &instant->delays->list[left];
  DaeOneDelay *other = &instant->delays->list[one->other];
  double way = coordinate(instant, left, t, x);
  DaePiece tail = {.begin = -FOR_EVER, .end = way - 1, .breaks = 0};
  g_array_set_size(one->pieces, 0);
  g_array_append_val(one->pieces, tail);
  put_in_profile(instant, left, way);
  tail.begin = way;
  tail.end = FOR_EVER;
  g_array_append_val(one->pieces, tail);
  one->way = way;
  one->direction = 0;
  one->turning = 0;
  one->fault = DAE_TRANSPORT_FINE;
  one->pending = DAE_NO_BREAK;
  one->met = DAE_NO_BREAK;
  other->pending = DAE_NO_BREAK;
  other->met = DAE_NO_BREAK;
  one->current = one->pieces->len - 2;
  other->current = 1;
  dae_delay_use_piece(instant, left);
  dae_delay_use_piece(instant, one->other);
  double slope = slope_of_way(instant, left, t, x);
  if (slope > 0) {
    one->current++; /* what flows in begins here: no event */
    dae_delay_use_piece(instant, left);
  } else if (slope < 0) {
    other->current--;
    dae_delay_use_piece(instant, one->other);
  }
}

bool
dae_transport_began_otherwise(DaeInstant *instant, uint32_t left, double t, const double *x)
{
  return coordinate(instant, left, t, x) != instant->delays->list[left].way;
}

guint
dae_transport_tail(const DaeOneDelay *delay)
{
  return delay->is_right ? 0 : delay->pieces->len - 1;
}

/* ---- in a run ---------------------------------------------------------------------------- */

void
dae_transport_use_piece(DaeInstant *instant, uint32_t i)
{
  const DaeOneDelay *delay = &instant->delays->list[i];
  const DaePiece *piece = &g_array_index(delay->pieces, DaePiece, delay->current);
  double *place = instant->segment + instant->at_delay + (size_t)DAE_DELAY_ATOMS * i;
  bool is_tail = delay->current == 0 || delay->current + 1 == delay->pieces->len;
  place[0] = piece->origin;
  memcpy(place + 1, piece->c, sizeof piece->c);
  /* Where x turns the ends stand where pieces end, and errors of x are larger than its way: to
   * the tail they go a little later, from it at once. */
  double size = 1 + fabs(piece->origin);
  double slack[2] = {TURN_SLACK * size, TURN_SLACK * size};
  if (!is_tail) {
    slack[delay->is_right ? 0 : 1] = 10 * instant->resolution * size;
  }
  place[5] = piece->begin - slack[0];
  place[6] = piece->end + slack[1];
  place[7] = is_tail ? 1 : 0;
  instant->segment[instant->at_buffer + delay->low] = 1;
  instant->segment[instant->at_buffer + delay->high] = 1;
}

void
dae_transport_schedule(DaeInstant *instant, uint32_t i, double t, const double *x,
                       uint32_t breaks)
{
  DaeOneDelay *delay = &instant->delays->list[i];
  delay->turning = 0; /* the event may have changed what comes */
  if (breaks == 0) {  /* kinks are where pieces end, no more: there a step ends anyway */
    delay->pending = 0;
  }
  double way = coordinate(instant, i, t, x);
  if (!delay->is_right && fabs(way - delay->way) > MOST_JUMP * (1 + fabs(way))) {
    delay->fault = DAE_TRANSPORT_JUMPS;
  }
}

bool
dae_transport_check(const DaeInstant *instant, uint32_t i, double t, GError **error)
{
  DaeTransportFault fault = instant->delays->list[i].fault;
  if (fault == DAE_TRANSPORT_FINE) {
    return true;
  }
  g_autofree char *text =
      g_strdup_printf(fault == DAE_TRANSPORT_JUMPS
                          ? "at t = %.10g the way x of 'spatialDistribution' jumps"
                          : "at t = %.10g all that the pipe of 'spatialDistribution' holds "
                            "flows out in one step; take a smaller one",
                      t);
  return fail_at(instant, i, DAE_ERROR_NUMERIC, text, error);
}
