/* What is delayed is remembered: the argument of delay(e, T) along each accepted step, as cubic
 * polynomials that follow it within the tolerance (delay.c says what they are for). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "instant/delay-priv.h"

#define MOST_HALVINGS 12
/* Of T: a polynomial as long as that keeps steps short; how far it goes on at first, if its error
 * inside is so small a part of what it may be */
#define KEPT_SHORT 0.9
#define FIRST_REACH 0.1
#define GOOD_FIT 1e-3

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
  old->until = new->until;
  memcpy(old->c, c, sizeof c);
  g_array_set_size(delay->pieces, n - 1);
}

static void
append(const Recorder *recorder, DaeOneDelay *delay, const DaePiece *piece)
{
  g_array_append_vals(delay->pieces, piece, 1);
  merge_last(recorder, delay);
}

/* A piece whose cubic is that of values between `first` and `last`, up to rounding its ends. */
static DaePiece
fitted(const Recorder *recorder, uint32_t i, const double ends[2], double first, double last,
       double *size)
{
  const DaeOneDelay *delay = &recorder->instant->delays->list[i];
  DaePiece piece = {.begin = ends[0],
                    .end = ends[1],
                    .until = ends[1] + delay->length,
                    .breaks = delay->pending};
  double v[4];
  *size = 0;
  for (int k = 0; k < 4; k++) {
    v[k] = argument_at(recorder, i, k == 3 ? last : first + k * (last - first) / 3);
    *size = fmax(*size, fabs(v[k]));
  }
  if (last > first) {
    interpolate(v, last - first, piece.c);
  } else {
    piece.c[0] = v[0];
  }
  return piece;
}

/* Where the argument jumps without an event (sign(u), noEvent(...)): the last time at which it is
 * nearer to its value at `from`, and the first at which it is nearer to that at `to`. */
static void
find_jump(const Recorder *recorder, uint32_t i, double *from, double *to)
{
  const double left = argument_at(recorder, i, *from);
  const double right = argument_at(recorder, i, *to);
  for (double middle = 0.5 * (*from + *to); middle > *from && middle < *to;
       middle = 0.5 * (*from + *to)) {
    const double value = argument_at(recorder, i, middle);
    *(fabs(value - left) < fabs(value - right) ? from : to) = middle;
  }
}

/* Is there a jump between these times, which are as near to each other as halving makes them?
 * Then it is an event when it has come around. */
static bool
record_jump(const Recorder *recorder, uint32_t i, double from, double to)
{
  DaeTerms *terms = recorder->instant->terms;
  DaeOneDelay *delay = &recorder->instant->delays->list[i];
  double before = from;
  double behind = to;
  double size = 0;
  find_jump(recorder, i, &before, &behind);
  const double next = nextafter(behind, to); /* sign(0) is on neither side */
  const double change = fabs(argument_at(recorder, i, next) - argument_at(recorder, i, before));
  DaePiece left = fitted(recorder, i, (const double[]){from, behind}, from, before, &size);
  if (!(change > recorder->tolerance * (size + 1e-3))) {
    return false;
  }
  const DaeBreak later = {
      dae_term_add(terms, dae_term_from_double(terms, behind), delay->exact), 0};
  if (!delay->is_varying) {
    left.until = dae_term_get_double(terms, later.at);
    g_array_append_val(delay->breaks, later);
  }
  delay->pending = 0;
  const DaePiece right = fitted(recorder, i, (const double[]){behind, to}, next, to, &size);
  delay->pending = DAE_NO_BREAK;
  append(recorder, delay, &left);
  append(recorder, delay, &right);
  return true;
}

static void
record(const Recorder *recorder, uint32_t i, double from, double to, uint32_t depth)
{
  DaeOneDelay *delay = &recorder->instant->delays->list[i];
  double h = to - from;
  double size = 0;
  const DaePiece piece = fitted(recorder, i, (const double[]){from, to}, from, to, &size);
  delay->fit = 0;
  for (int k = 1; k < 6 && delay->fit <= 1; k += 2) {
    double s = k * h / 6;
    double error = fabs(polynomial_at(piece.c, s) - argument_at(recorder, i, from + s));
    error /= recorder->tolerance * (size + 1e-3);
    delay->fit = isnan(error) ? INFINITY : fmax(delay->fit, error);
  }
  double middle = from + h / 2;
  if (delay->fit > 1 && depth == MOST_HALVINGS && record_jump(recorder, i, from, to)) {
    return;
  }
  if (delay->fit <= 1 || depth == MOST_HALVINGS || !(middle > from && middle < to)) {
    delay->pending = DAE_NO_BREAK;
    append(recorder, delay, &piece);
    return;
  }
  record(recorder, i, from, middle, depth + 1);
  record(recorder, i, middle, to, depth + 1);
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

/* After a step: as its last piece goes on, if that is not too short to tell. The tail repeats
 * most of that piece, so that a delay that is shorter than a step need not pass from one to the
 * other. */
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

/* How far may the last piece go on, after a step to `to`? As far as its error, which grows with
 * the fourth power, stays below a tenth of what the past is kept with; the piece before, which
 * went on from its end to to - T, has shown its own. */
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
    if (delay->is_transport) {
      dae_transport_record(instant, i, from, to, recorder.tolerance, dense);
    } else if (delay->is_varying && !delay->is_held) {
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
    if (delays->list[i].is_transport) {
      dae_transport_record(instant, i, t - h, t, recorder.tolerance, dense);
    } else if (!delays->list[i].is_held && delays->list[i].is_varying) {
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
      is_other = is_other || delay->has_turned || memcmp(before, place, sizeof before) != 0;
    }
  }
  return is_other;
}
