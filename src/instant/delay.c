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
#define MOST_HALVINGS 12
/* Of T: a polynomial as long as that keeps steps short; how far it goes on at first, if its error
 * inside is so small a part of what it may be */
#define KEPT_SHORT 0.9
#define FIRST_REACH 0.1
#define GOOD_FIT 1e-3

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
    g_array_free(delays->list[i].pieces, TRUE);
    g_array_free(delays->list[i].breaks, TRUE);
  }
  dae_point_functions_clear(&delays->arguments);
  dae_point_functions_clear(&delays->lengths);
  g_free(delays->list);
  g_free(delays->left);
  g_free(delays->x);
  g_free(delays->xdot);
  g_free(delays);
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
      g_autofree char *name = g_strdup_printf("delay(%s, ...)", of);
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
    delays->list[i].is_held = changes_at_events_only(instant->terms, arguments[i]);
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
    if (delay->pieces->len > 0 && !delay->is_varying) {
      limit = fmin(limit, g_array_index(delay->pieces, DaePiece, delay->current).until);
    }
  }
  return limit;
}

/* ---- history ----------------------------------------------------------------------------- */

typedef struct {
  DaeInstant *instant;
  const DaeDenseOutput *dense;
  double tolerance;
} Recorder;

static double
argument_at(const Recorder *recorder, uint32_t i, double t)
{
  DaeInstant *instant = recorder->instant;
  DaeDelays *delays = instant->delays;
  recorder->dense->value(recorder->dense->user, t, delays->x, delays->xdot);
  memcpy(instant->xdot, delays->xdot, instant->n * sizeof(double));
  dae_point_functions_eval(instant, &delays->arguments, t, delays->x);
  return delays->arguments.out[i];
}

static double
polynomial_at(const double *c, double s)
{
  return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

/* The cubic through four values at 0, h/3, 2h/3, h. */
static void
interpolate(const double *v, double h, double *c)
{
  double d = h / 3;
  double a1 = v[1] - v[0];
  double a2 = v[2] - 2 * v[1] + v[0];
  double a3 = v[3] - 3 * v[2] + 3 * v[1] - v[0];
  c[0] = v[0];
  c[1] = (a1 - a2 / 2 + a3 / 3) / d;
  c[2] = (a2 / 2 - a3 / 2) / (d * d);
  c[3] = a3 / 6 / (d * d * d);
}

static void
record(const Recorder *recorder, uint32_t i, double from, double to, uint32_t depth)
{
  DaeOneDelay *delay = &recorder->instant->delays->list[i];
  double h = to - from;
  double v[4];
  double size = 0;
  DaePiece piece = {
      .begin = from, .end = to, .until = to + delay->length, .breaks = delay->pending};
  for (int k = 0; k < 4; k++) {
    v[k] = argument_at(recorder, i, k == 3 ? to : from + k * h / 3);
    size = fmax(size, fabs(v[k]));
  }
  interpolate(v, h, piece.c);
  delay->fit = 0;
  for (int k = 1; k < 6 && depth < MOST_HALVINGS && delay->fit <= 1; k += 2) {
    double s = k * h / 6;
    double error = fabs(polynomial_at(piece.c, s) - argument_at(recorder, i, from + s));
    error /= recorder->tolerance * (size + 1e-3);
    delay->fit = isnan(error) ? INFINITY : fmax(delay->fit, error);
  }
  bool good = delay->fit <= 1;
  double middle = from + h / 2;
  if (good || !(middle > from && middle < to)) {
    delay->pending = DAE_NO_BREAK;
    g_array_append_val(delay->pieces, piece);
    return;
  }
  record(recorder, i, from, middle, depth + 1);
  record(recorder, i, middle, to, depth + 1);
}

/* The last two pieces as one, where a cubic follows both much better than they follow the past:
 * short steps, as at an event, would otherwise be made again and again, one for each piece. */
static void
merge_last(const Recorder *recorder, DaeOneDelay *delay)
{
  enum { POINTS = 6 };

  guint n = delay->pieces->len;
  if (n < 2) {
    return;
  }
  DaePiece *old = &g_array_index(delay->pieces, DaePiece, n - 2);
  const DaePiece *new = &g_array_index(delay->pieces, DaePiece, n - 1);
  if (new->breaks != DAE_NO_BREAK || old->end != new->begin) {
    return;
  }
  double h = new->end - old->begin;
  double v[POINTS + 1];
  double size = 0;
  for (int k = 0; k <= POINTS; k++) {
    double t = old->begin + k * h / POINTS;
    v[k] = t < new->begin ? polynomial_at(old->c, t - old->begin)
                          : polynomial_at(new->c, t - new->begin);
    size = fmax(size, fabs(v[k]));
  }
  const double ends[4] = {v[0], v[2], v[4], v[6]};
  double c[4];
  interpolate(ends, h, c);
  for (int k = 1; k < POINTS; k += 2) {
    if (!(fabs(polynomial_at(c, k * h / POINTS) - v[k]) <=
          1e-3 * recorder->tolerance * (size + 1e-3))) {
      return;
    }
  }
  old->end = new->end;
  memcpy(old->c, c, sizeof c);
  g_array_set_size(delay->pieces, n - 1);
}

/* How far may the next tail reach? As far as its error, which grows with the fourth power of its
 * length, stays below a tenth of what the past is kept with; the last one has shown its error. */
static double
reach_of(const Recorder *recorder, uint32_t i, double from, double to)
{
  const DaeOneDelay *delay = &recorder->instant->delays->list[i];
  if (!delay->has_tail) {
    return 0;
  }
  const DaePiece *tail = &g_array_index(delay->pieces, DaePiece, delay->pieces->len - 1);
  double value = argument_at(recorder, i, to);
  double error = fabs(polynomial_at(tail->c, to - tail->begin) - value);
  double most = 0.1 * recorder->tolerance * (fabs(value) + 1e-3);
  error = fmax(error, DBL_EPSILON * fabs(value));
  double length = error > 0 ? 0.8 * (to - from) * pow(most / error, 0.25) : INFINITY;
  return fmin(2 * (tail->end - from), length);
}

/* After a step: as its last piece goes on, if that is not too short to tell. The tail repeats most of
 * that piece, so that a delay that is shorter than a step need not pass from one to the other. */
static void
go_on(const Recorder *recorder, uint32_t i, double t, double reach)
{
  DaeInstant *instant = recorder->instant;
  const DaeOneDelay *delay = &instant->delays->list[i];
  const DaePiece last = g_array_index(delay->pieces, DaePiece, delay->pieces->len - 1);
  const double *p = last.c;
  if (reach > 4 * (t - last.begin) || !dae_delay_is_beyond_least(instant, i, t, reach)) {
    double value = argument_at(recorder, i, t); /* x is that of t now */
    g_autofree double *x = g_memdup2(instant->delays->x, (instant->n + 1) * sizeof(double));
    const double line[4] = {value, dae_delay_slope(instant, i, t, x)};
    dae_delay_add_tail(instant, i, t, line, reach);
    return;
  }
  double h = last.breaks == DAE_NO_BREAK ? 0 : 0.25 * (t - last.begin);
  const double c[4] = {polynomial_at(p, h), p[1] + h * (2 * p[2] + h * 3 * p[3]),
                       p[2] + 3 * h * p[3], p[3]};
  dae_delay_add_tail(instant, i, t, c, reach);
  g_array_index(delay->pieces, DaePiece, delay->pieces->len - 1).begin = last.begin + h;
}

/* How far may the last piece go on, after a step to `to`? As far as its error, which grows with the
 * fourth power, stays below a tenth of what the past is kept with; the piece before, which went on from
 * its end to to - T, has shown its own. */
static double
extension_after(const Recorder *recorder, uint32_t i, double to)
{
  const DaeOneDelay *delay = &recorder->instant->delays->list[i];
  const DaePiece *last = &g_array_index(delay->pieces, DaePiece, delay->pieces->len - 1);
  double past = to - delay->length;
  double way = past - last->end;
  if (!delay->is_extended || !(way > 0)) {
    return 0;
  }
  double value = argument_at(recorder, i, past);
  double error = fabs(polynomial_at(last->c, past - last->begin) - value);
  double most = 0.1 * recorder->tolerance * (fabs(value) + 1e-3);
  error = fmax(error, DBL_EPSILON * fabs(value) + DBL_MIN);
  return fmin(2 * way, 0.8 * way * pow(most / error, 0.25));
}

static void
record_constant(const Recorder *recorder, uint32_t i, double from, double to)
{
  DaeOneDelay *delay = &recorder->instant->delays->list[i];
  double reach = extension_after(recorder, i, to);
  if (delay->is_extended) {
    DaePiece *old = &g_array_index(delay->pieces, DaePiece, delay->pieces->len - 1);
    old->until = old->end + delay->length;
  }
  record(recorder, i, from, to, 0);
  merge_last(recorder, delay);
  DaePiece *last = &g_array_index(delay->pieces, DaePiece, delay->pieces->len - 1);
  if (!(reach > 0) && last->end - last->begin >= KEPT_SHORT * delay->length) {
    reach = FIRST_REACH * delay->length;
  }
  delay->is_extended = reach > 0 && delay->fit < GOOD_FIT;
  last->until = last->end + delay->length + (delay->is_extended ? reach : 0);
  delay->current = MIN(delay->current, delay->pieces->len - 1);
  while (delay->current + 1 < delay->pieces->len &&
         g_array_index(delay->pieces, DaePiece, delay->current).until < to) {
    delay->current++; /* beyond what was extended */
  }
}

static void
record_varying(const Recorder *recorder, uint32_t i, double from, double to)
{
  DaeInstant *instant = recorder->instant;
  DaeOneDelay *delay = &instant->delays->list[i];
  double reach = reach_of(recorder, i, from, to);
  dae_delay_cut_tail(delay);
  record(recorder, i, from, to, 0);
  merge_last(recorder, delay);
  go_on(recorder, i, to, reach);
  recorder->dense->value(recorder->dense->user, to, instant->delays->x, instant->delays->xdot);
  dae_delay_find_piece(instant, i, to, instant->delays->x);
}

void
dae_instant_record_delays(DaeInstant *instant, double from, double to, double rtol,
                          const DaeDenseOutput *dense)
{
  Recorder recorder = {instant, dense, 0.1 * rtol};
  for (uint32_t i = 0; to > from && i < instant->delays->n; i++) {
    const DaeOneDelay *delay = &instant->delays->list[i];
    if (delay->is_varying && !delay->is_held) {
      record_varying(&recorder, i, from, to);
    } else if (!delay->is_held) {
      record_constant(&recorder, i, from, to);
    }
  }
}

/* The step of size h that ends at t as a cubic through the last four points of the grid, fewer
 * after a break; the error is that of the methods. Exported C does the same. */
static void
record_step(DaeOneDelay *delay, double t, double h, double value)
{
  double *v = delay->grid;
  for (uint32_t k = 3; k > 0; k--) {
    v[k] = v[k - 1];
  }
  v[0] = value;
  delay->n_grid = MIN(delay->n_grid + 1, 4u);
  double d2 = delay->n_grid > 2 ? v[0] - 2 * v[1] + v[2] : 0;
  double d3 = delay->n_grid > 3 ? v[0] - 3 * v[1] + 3 * v[2] - v[3] : 0;
  DaePiece piece = {.begin = t - h, .end = t, .until = t + delay->length};
  piece.breaks = DAE_NO_BREAK;
  piece.c[0] = v[1];
  piece.c[1] = (v[0] - v[1] - d2 / 2 - d3 / 6) / h;
  piece.c[2] = d2 / 2 / (h * h);
  piece.c[3] = d3 / 6 / (h * h * h);
  g_array_append_val(delay->pieces, piece);
}

void
dae_instant_record_delayed_step(DaeInstant *instant, double t, double h, const double *x,
                                double rtol, const DaeDenseOutput *dense)
{
  DaeDelays *delays = instant->delays;
  Recorder recorder = {instant, dense, 0.1 * rtol};
  if (delays->n == 0) {
    return;
  }
  if (instant->needs_slopes) {
    instant->parts.slopes(instant->parts.user, t, x, instant->segment, instant->xdot);
  }
  dae_point_functions_eval(instant, &delays->arguments, t, x);
  for (uint32_t i = 0; i < delays->n; i++) {
    if (!delays->list[i].is_held && !delays->list[i].is_varying) {
      record_step(&delays->list[i], t, h, delays->arguments.out[i]);
    }
  }
  for (uint32_t i = 0; i < delays->n; i++) {
    if (!delays->list[i].is_held && delays->list[i].is_varying) {
      record_varying(&recorder, i, t - h, t);
    }
  }
}

bool
dae_instant_renew_delays(DaeInstant *instant)
{
  bool is_other = false;
  for (uint32_t i = 0; i < instant->delays->n; i++) {
    const DaeOneDelay *delay = &instant->delays->list[i];
    const double *place = instant->segment + instant->at_delay + (size_t)DAE_DELAY_ATOMS * i;
    double before[DAE_DELAY_ATOMS];
    if (!delay->is_held) {
      memcpy(before, place, sizeof before);
      dae_delay_use_piece(instant, i);
      is_other = is_other || memcmp(before, place, sizeof before) != 0;
    }
  }
  return is_other;
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

/* The breaks of this instant are over; how often has what comes around now done so? */
static uint32_t
take_breaks(DaeInstant *instant, DaeTerm now)
{
  uint32_t round = 0;
  for (uint32_t i = 0; i < instant->delays->n; i++) {
    DaeOneDelay *delay = &instant->delays->list[i];
    if (delay->is_varying && delay->met != DAE_NO_BREAK) {
      round = MAX(round, delay->met);
      delay->met = DAE_NO_BREAK;
    }
    GArray *breaks = delay->breaks;
    while (breaks->len > 0) {
      DaeBreak first = g_array_index(breaks, DaeBreak, 0);
      if (dae_term_sign(instant->terms, dae_term_sub(instant->terms, first.at, now)) > 0) {
        break;
      }
      round = MAX(round, first.round);
      g_array_remove_index(breaks, 0);
    }
  }
  return round;
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
  uint32_t round = take_breaks(instant, now) + 1;
  round = is_new ? 0 : round;
  dae_point_functions_eval(instant, &delays->arguments, t, x);
  for (uint32_t i = 0; i < delays->n; i++) {
    DaeOneDelay *delay = &delays->list[i];
    bool jumps = delays->arguments.out[i] != delays->left[i];
    if (delay->is_varying) {
      bool is_kink = has_kink && !delay->is_held && round <= MOST_ROUNDS;
      uint32_t breaks = jumps ? 0 : is_kink ? round : DAE_NO_BREAK;
      dae_delay_schedule_varying(instant, i, t, x, breaks);
      continue;
    }
    if (jumps || has_kink) {
      begin_grid(delay, delays->arguments.out[i]);
    }
    if (delay->pieces->len == 0 ||
        (!jumps && (!has_kink || delay->is_held || round > MOST_ROUNDS))) {
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
