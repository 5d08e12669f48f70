/* delay(e, T): what e was T ago [language specification, 3.7.2.1].
 *
 * The value of e along each accepted step is kept as cubic polynomials, as many as follow it
 * within the tolerance. During a segment delay(e, T) is one of them, c0 + c1 s + c2 s^2 + c3
 * s^3 with s = time - t0 and coefficients among the segment values; where it ends the next one
 * is put in. No step is longer than T, because the last polynomial ends where the step begins, but
 * where T alone keeps steps short: then that polynomial goes on for a distance in which its error,
 * seen when the step is made, is nothing beside the tolerance.
 * (A delay time that changes: delay_varying.c.)
 * An event at which e jumps or has a kink is one again T later, at its exact time; a kink
 * becomes smoother each time it comes around, so after MOST_ROUNDS no event is made of it. An
 * argument that changes at events only is known until the next one: it limits no step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "instant/delay-priv.h"

#define MOST_ROUNDS 6

DaeDelays *
dae_delays_new(uint32_t n)
{
  DaeDelays *delays = g_new0(DaeDelays, 1);
  delays->n = n;
  delays->list = g_new0(DaeOneDelay, n + 1);
  delays->left = g_new0(double, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    delays->list[i].pieces = g_array_new(FALSE, FALSE, sizeof(DaePiece));
    delays->list[i].breaks = g_array_new(FALSE, FALSE, sizeof(DaeBreak));
  }
  return delays;
}

void
dae_delays_free(DaeDelays *delays)
{
  if (delays == NULL) {
    return;
  }
  for (uint32_t i = 0; i < delays->n; i++) {
    g_array_unref(delays->list[i].pieces); /* both ends of a pipe have the same */
    g_array_free(delays->list[i].breaks, TRUE);
  }
  dae_point_functions_clear(&delays->arguments);
  dae_point_functions_clear(&delays->lengths);
  dae_delay_reach_free(delays->reach);
  g_free(delays->list);
  g_free(delays->left);
  g_free(delays->x);
  g_free(delays->xdot);
  g_free(delays);
}

void
dae_delays_bind(DaeInstant *instant, const DaeSystemParts *system)
{
  if (instant->delays->n > 0) {
    instant->delays->reach = dae_delay_reach_new(instant, system);
  }
}

static bool
changes_at_events_only(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, atoms);
  return atoms->len == 0 && !dae_term_contains(terms, t, dae_term_time(terms));
}

/* Guards of the piece in use; the unknowns and time that the length consists of are in them. */
bool
dae_delays_watch(DaeInstant *instant, GError **error)
{
  DaeTerms *terms = instant->terms;
  for (uint32_t i = 0; i < instant->delays->n; i++) {
    const DaeDelay *delay = dae_hybrid_delay(instant->hybrid, i);
    DaeOneDelay *own = &instant->delays->list[i];
    DaeTerm length = dae_term_int(terms, 0);
    own->is_varying = delay->most != DAE_NO_TERM;
    if (own->is_varying) {
      length = dae_instant_lowered(
          instant, dae_hybrid_translate(instant->hybrid, delay->length), delay->span, error);
      if (length == DAE_NO_TERM) {
        return false;
      }
      DaeTerm past = dae_term_sub(terms, dae_term_time(terms), length);
      g_autofree char *of = dae_term_to_string(terms, delay->of);
      g_autofree char *name = g_strdup_printf(
          delay->is_transport ? "spatialDistribution(... %s ...)" : "delay(%s, ...)", of);
      DaeTerm text = dae_term_parameter(
          terms, dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, name));
      own->low = dae_buffers_watch(instant->buffers, dae_term_sub(terms, past, delay->atoms[5]),
                                   text, delay->span);
      own->high = dae_buffers_watch(
          instant->buffers, dae_term_sub(terms, delay->atoms[6], past), text, delay->span);
    }
    g_array_append_val(instant->lengths, length);
  }
  return true;
}

bool
dae_delays_init(DaeInstant *instant, const DaeTerm *arguments, GError **error)
{
  DaeDelays *delays = instant->delays;
  bool any = false;
  delays->x = g_new0(double, instant->n + 1);
  delays->xdot = g_new0(double, instant->n + 1);
  for (uint32_t i = 0; i < delays->n; i++) {
    const DaeDelay *delay = dae_hybrid_delay(instant->hybrid, i);
    bool is_varying = delays->list[i].is_varying;
    if (delay->is_transport && !dae_transport_init(instant, i, error)) {
      return false;
    }
    DaeTerm length =
        instant->parts.lower(instant->parts.user, is_varying ? delay->most : delay->length);
    DaeTerm exact = length != DAE_NO_TERM ? dae_clock_number(instant, length) : DAE_NO_TERM;
    if (exact == DAE_NO_TERM || dae_term_sign(instant->terms, exact) <= 0) {
      g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL,
                  "%s:%u:%u: error: the %s of 'delay' must have a positive value",
                  dae_model_file_of(dae_hybrid_model(instant->hybrid), delay->span),
                  delay->span.line, delay->span.column,
                  is_varying ? "longest delay time" : "delay time");
      return false;
    }
    delays->list[i].exact = exact;
    delays->list[i].is_held =
        !delay->is_transport && changes_at_events_only(instant->terms, arguments[i]);
    delays->list[i].length = dae_term_get_double(instant->terms, exact);
    delays->list[i].most = delays->list[i].length;
    any = any || is_varying;
  }
  return dae_point_functions_init(&delays->arguments, instant, arguments, delays->n, error) &&
         (!any || dae_point_functions_init(&delays->lengths, instant,
                                           (const DaeTerm *)(void *)instant->lengths->data,
                                           delays->n, error));
}

/* ---- coefficients of the segment --------------------------------------------------------- */

void
dae_delay_use_piece(DaeInstant *instant, uint32_t i)
{
  const DaeOneDelay *delay = &instant->delays->list[i];
  if (delay->is_transport) {
    dae_transport_use_piece(instant, i);
    return;
  }
  const DaePiece *piece = &g_array_index(delay->pieces, DaePiece, delay->current);
  double *place = instant->segment + instant->at_delay + (size_t)DAE_DELAY_ATOMS * i;
  place[0] = delay->is_varying ? piece->begin : piece->begin + delay->length;
  memcpy(place + 1, piece->c, sizeof piece->c);
  place[5] = piece->begin;
  place[6] = piece->end;
  if (delay->is_varying) {
    instant->segment[instant->at_buffer + delay->low] = 1;
    instant->segment[instant->at_buffer + delay->high] = 1;
  }
}

static void
begin_grid(DaeOneDelay *delay, double value)
{
  delay->grid[0] = value;
  delay->n_grid = 1;
}

/* All that is known is the present value: it holds for ever before. */
void
dae_delays_begin(DaeInstant *instant, double t, const double *x)
{
  DaeDelays *delays = instant->delays;
  if (delays->n == 0) {
    return;
  }
  dae_point_functions_eval(instant, &delays->arguments, t, x);
  for (uint32_t i = 0; i < delays->n; i++) {
    DaeOneDelay *delay = &delays->list[i];
    if (delay->is_transport && delay->is_right) {
      continue; /* comes with the left end */
    }
    if (delay->is_transport) {
      dae_transport_begin(instant, i, t, x);
      continue;
    }
    if (delay->is_varying) {
      delay->current = 0;
      dae_delay_begin_varying(instant, i, t, delays->arguments.out[i]);
      dae_delay_use_piece(instant, i);
      continue;
    }
    DaePiece piece = {.begin = t,
                      .end = t,
                      .breaks = DAE_NO_BREAK,
                      .until = delay->is_held ? INFINITY : t + delay->length,
                      .c = {delays->arguments.out[i]}};
    begin_grid(delay, delays->arguments.out[i]);
    delay->pending = DAE_NO_BREAK;
    delay->is_extended = false;
    g_array_set_size(delay->pieces, 0);
    g_array_append_val(delay->pieces, piece);
    delay->current = 0;
    dae_delay_use_piece(instant, i);
  }
}

/* Has the present value changed since dae_delays_begin? */
bool
dae_delays_began_otherwise(DaeInstant *instant, double t, const double *x)
{
  const DaeDelays *delays = instant->delays;
  bool changed = false;
  dae_point_functions_eval(instant, &instant->delays->arguments, t, x);
  for (uint32_t i = 0; i < delays->n; i++) {
    if (delays->list[i].is_transport) {
      changed = changed ||
                (!delays->list[i].is_right && dae_transport_began_otherwise(instant, i, t, x));
      continue;
    }
    const DaePiece *piece = &g_array_index(delays->list[i].pieces, DaePiece, 0);
    changed = changed || piece->c[0] != delays->arguments.out[i];
  }
  return changed;
}

bool
dae_instant_move_delays(DaeInstant *instant, double t, const double *x)
{
  return dae_delays_move(instant, t, t, x);
}

bool
dae_delays_move(DaeInstant *instant, double t, double now, const double *x)
{
  bool matters = false;
  now += 8 * DBL_EPSILON * fabs(t); /* no step is that short */
  for (uint32_t i = 0; i < instant->delays->n; i++) {
    DaeOneDelay *delay = &instant->delays->list[i];
    if (delay->is_varying) {
      matters = dae_delay_move_varying(instant, i, t, x) || matters;
      continue;
    }
    guint old = delay->current;
    while (delay->current + 1 < delay->pieces->len &&
           g_array_index(delay->pieces, DaePiece, delay->current).until <= now) {
      delay->current++;
    }
    if (delay->current != old) {
      dae_delay_use_piece(instant, i);
      uint32_t place = instant->at_delay + DAE_DELAY_ATOMS * i;
      for (uint32_t k = 0; k < DAE_DELAY_ATOMS; k++) {
        matters = matters || instant->in_system[place + k] != 0;
      }
    }
    if (delay->current > 1024) { /* what is over */
      g_array_remove_range(delay->pieces, 0, delay->current);
      delay->current = 0;
    }
  }
  return matters;
}

double
dae_instant_delay_limit(const DaeInstant *instant)
{
  double limit = INFINITY;
  for (uint32_t i = 0; i < instant->delays->n; i++) {
    const DaeOneDelay *delay = &instant->delays->list[i];
    if (delay->turning != 0) {
      limit = fmin(limit, delay->turn_at);
    } else if (delay->pieces->len > 0 && !delay->is_varying) {
      limit = fmin(limit, g_array_index(delay->pieces, DaePiece, delay->current).until);
    }
  }
  return limit;
}

/* ---- events ------------------------------------------------------------------------------ */

void
dae_delays_note_left(DaeInstant *instant, double t, const double *x)
{
  DaeDelays *delays = instant->delays;
  if (delays->n > 0) {
    dae_point_functions_eval(instant, &delays->arguments, t, x);
    memcpy(delays->left, delays->arguments.out, delays->n * sizeof(double));
  }
}

/* The breaks of this instant are over: what depends on them goes on another way. */
static void
take_breaks(DaeInstant *instant, DaeTerm now)
{
  for (uint32_t i = 0; i < instant->delays->n; i++) {
    DaeOneDelay *delay = &instant->delays->list[i];
    uint32_t place = instant->at_delay + DAE_DELAY_ATOMS * i;
    if (delay->is_varying && delay->met != DAE_NO_BREAK) {
      dae_delay_reach_touch(instant, place, delay->met + 1);
      delay->met = DAE_NO_BREAK;
    }
    GArray *breaks = delay->breaks;
    while (breaks->len > 0) {
      DaeBreak first = g_array_index(breaks, DaeBreak, 0);
      if (dae_term_sign(instant->terms, dae_term_sub(instant->terms, first.at, now)) > 0) {
        break;
      }
      dae_delay_reach_touch(instant, place, first.round + 1);
      g_array_remove_index(breaks, 0);
    }
  }
}

/* Something discrete that is not a delay has changed in this instant. */
static void
touch_changed(DaeInstant *instant)
{
  for (uint32_t p = 0; p < instant->n_segment; p++) {
    bool is_other = p < instant->at_delay || p >= instant->at_initial;
    if (is_other && instant->segment[p] != instant->before[p]) {
      dae_delay_reach_touch(instant, p, 0);
    }
  }
}

void
dae_delays_schedule(DaeInstant *instant, double t, const double *x, bool is_new, bool has_kink)
{
  DaeDelays *delays = instant->delays;
  DaeTerms *terms = instant->terms;
  if (delays->n == 0) {
    return;
  }
  DaeTerm now = instant->exact != DAE_NO_TERM ? instant->exact : dae_term_from_double(terms, t);
  dae_delay_reach_forget(instant);
  touch_changed(instant);
  take_breaks(instant, now);
  dae_point_functions_eval(instant, &delays->arguments, t, x);
  for (uint32_t i = 0; i < delays->n; i++) {
    DaeOneDelay *delay = &delays->list[i];
    bool jumps = delays->arguments.out[i] != delays->left[i];
    uint32_t round = is_new ? 0 : dae_delay_reach_round(instant, i);
    bool is_kink = has_kink && !delay->is_held && round <= MOST_ROUNDS;
    if (delay->is_varying) {
      uint32_t breaks = jumps ? 0 : is_kink ? round : DAE_NO_BREAK;
      dae_delay_schedule_varying(instant, i, t, x, breaks);
      continue;
    }
    if (jumps || (has_kink && round != DAE_NO_BREAK)) {
      begin_grid(delay, delays->arguments.out[i]);
    }
    if (delay->pieces->len == 0 || (!jumps && !is_kink)) {
      continue;
    }
    DaeBreak later = {dae_term_add(terms, now, delay->exact), jumps ? 0 : round};
    DaePiece *last = &g_array_index(delay->pieces, DaePiece, delay->pieces->len - 1);
    last->until = dae_term_get_double(terms, later.at);
    delay->is_extended = false;
    delay->pending = later.round;
    g_array_append_val(delay->breaks, later);
    if (delay->is_held) {
      DaePiece next = {.begin = t, .until = INFINITY, .c = {delays->arguments.out[i]}};
      g_array_append_val(delay->pieces, next);
    }
  }
}

DaeTerm
dae_delays_next_break(const DaeInstant *instant, DaeTerm after)
{
  DaeTerms *terms = instant->terms;
  DaeTerm best = DAE_NO_TERM;
  for (uint32_t i = 0; i < instant->delays->n; i++) {
    const GArray *breaks = instant->delays->list[i].breaks;
    for (guint k = 0; k < breaks->len; k++) {
      DaeTerm at = g_array_index(breaks, DaeBreak, k).at;
      if (dae_term_sign(terms, dae_term_sub(terms, at, after)) > 0) {
        if (best == DAE_NO_TERM || dae_term_sign(terms, dae_term_sub(terms, at, best)) < 0) {
          best = at;
        }
        break;
      }
    }
  }
  return best;
}
