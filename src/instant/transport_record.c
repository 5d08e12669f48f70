/* A step of a pipe (transport.c): what flows in becomes polynomials of the way, what flows out is
 * cut off. Where x turns during a step, each part of it is taken by itself. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "instant/delay-priv.h"

#define MOST_HALVINGS 16

typedef struct {
  DaeInstant *instant;
  const DaeDenseOutput *dense;
  double tolerance;
  uint32_t left, right;
} Recorder;

typedef struct {
  double way, in[2]; /* x; what would flow in at the left, the right end */
} Sample;

static Sample
sample_at(const Recorder *recorder, double t)
{
  DaeInstant *instant = recorder->instant;
  DaeDelays *delays = instant->delays;
  recorder->dense->value(recorder->dense->user, t, delays->x, delays->xdot);
  memcpy(instant->xdot, delays->xdot, instant->n * sizeof(double));
  dae_point_functions_eval(instant, &delays->arguments, t, delays->x);
  dae_point_functions_eval(instant, &delays->lengths, t, delays->x);
  return (Sample){
      t - delays->lengths.out[recorder->left],
      {delays->arguments.out[recorder->left], delays->arguments.out[recorder->right]}};
}

static DaePiece *
piece_of(const Recorder *recorder, guint k)
{
  return &g_array_index(recorder->instant->delays->list[recorder->left].pieces, DaePiece, k);
}

/* ---- the ends of the profile ------------------------------------------------------------- */

/* Nothing is below x - 1 but the piece of what flows in; what the right end reads stays. */
static void
cut_low(const Recorder *recorder, double low)
{
  DaeOneDelay *left = &recorder->instant->delays->list[recorder->left];
  DaeOneDelay *right = &recorder->instant->delays->list[recorder->right];
  guint first = 1;
  while (first + 2 < left->pieces->len && piece_of(recorder, first)->end <= low &&
         (right->current == 0 || first < right->current) && first < left->current) {
    first++;
  }
  if (first > 1) {
    g_array_remove_range(left->pieces, 1, first - 1);
    right->current -= right->current > 0 ? first - 1 : 0;
    left->current -= first - 1;
  }
  DaePiece *piece = piece_of(recorder, 1);
  piece->begin = fmin(low, piece->end);
  piece->breaks = 0;
  piece_of(recorder, 0)->end = piece->begin;
}

static void
cut_high(const Recorder *recorder, double high)
{
  DaeOneDelay *left = &recorder->instant->delays->list[recorder->left];
  const DaeOneDelay *right = &recorder->instant->delays->list[recorder->right];
  guint tail = left->pieces->len - 1;
  guint last = tail - 1;
  while (last > 1 && piece_of(recorder, last)->begin >= high &&
         (left->current == tail || last > left->current) && last > right->current) {
    last--;
  }
  if (last + 1 < tail) {
    g_array_remove_range(left->pieces, last + 1, tail - last - 1);
    left->current = left->current == tail ? last + 1 : left->current;
  }
  DaePiece *piece = piece_of(recorder, last);
  piece->end = fmax(high, piece->begin);
  piece_of(recorder, last + 1)->begin = piece->end;
}

static double
polynomial_at(const double *c, double s)
{
  return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

/* Where x has turned, what flows in and what was there may be different. */
static uint32_t
break_at(const Recorder *recorder, const DaePiece *a, const DaePiece *b, double at)
{
  double left = polynomial_at(a->c, at - a->origin);
  double right = polynomial_at(b->c, at - b->origin);
  double most = 10 * recorder->tolerance * (fabs(left) + fabs(right) + 1e-3);
  return fabs(left - right) <= most ? DAE_NO_BREAK : 0;
}

/* What has flown in at the left end is the last piece but the tail. */
static void
add_high(const Recorder *recorder, DaePiece *piece)
{
  DaeOneDelay *left = &recorder->instant->delays->list[recorder->left];
  guint tail = left->pieces->len - 1;
  piece->breaks = left->direction > 0
                      ? left->pending
                      : break_at(recorder, piece_of(recorder, tail - 1), piece, piece->begin);
  left->pending = DAE_NO_BREAK;
  left->direction = 1;
  g_array_insert_val(left->pieces, tail, *piece);
  left->current += left->current == tail ? 1 : 0;
  piece_of(recorder, tail + 1)->begin = piece->end;
  cut_low(recorder, piece->end - 1);
}

static void
add_low(const Recorder *recorder, DaePiece *piece)
{
  DaeOneDelay *left = &recorder->instant->delays->list[recorder->left];
  DaeOneDelay *right = &recorder->instant->delays->list[recorder->right];
  DaePiece *old = piece_of(recorder, 1);
  old->breaks =
      left->direction < 0 ? right->pending : break_at(recorder, old, piece, piece->end);
  piece->breaks = 0;
  right->pending = DAE_NO_BREAK;
  left->direction = -1;
  g_array_insert_val(left->pieces, 1, *piece);
  left->current += left->current > 0 ? 1 : 0;
  right->current += right->current > 0 ? 1 : 0;
  piece_of(recorder, 0)->end = piece->begin;
  cut_high(recorder, piece->begin + 1);
}

/* ---- polynomials ------------------------------------------------------------------------- */

/* The cubic through four values at s[0] = 0, s[1], s[2], s[3], by divided differences; few_points:
 * the straight line through the ends. */
static void
interpolate(const double *s, const double *v, bool few_points, double *c)
{
  c[0] = v[0];
  c[1] = (v[3] - v[0]) / s[3];
  c[2] = 0;
  c[3] = 0;
  if (few_points) {
    return;
  }
  double d01 = (v[1] - v[0]) / s[1];
  double d12 = (v[2] - v[1]) / (s[2] - s[1]);
  double d23 = (v[3] - v[2]) / (s[3] - s[2]);
  double d012 = (d12 - d01) / s[2];
  double d123 = (d23 - d12) / (s[3] - s[1]);
  double d = (d123 - d012) / s[3];
  c[1] = d01 - s[1] * d012 + s[1] * s[2] * d;
  c[2] = d012 - (s[1] + s[2]) * d;
  c[3] = d;
}

/* 1: x grows from each to the next, -1: it falls, 0: neither. */
static int
direction_of(const Sample *samples, int n)
{
  int direction = samples[1].way > samples[0].way ? 1 : -1;
  for (int k = 1; k < n; k++) {
    if (!((samples[k].way - samples[k - 1].way) * direction > 0)) {
      return 0;
    }
  }
  return direction;
}

static void
record(const Recorder *recorder, double from, double to, uint32_t depth)
{
  enum { POINTS = 7 };

  Sample samples[POINTS];
  for (int k = 0; k < POINTS; k++) {
    samples[k] = sample_at(recorder, k + 1 == POINTS ? to : from + k * (to - from) / 6);
  }
  double moved = samples[6].way - samples[0].way;
  double middle = from + (to - from) / 2;
  bool is_last = depth == MOST_HALVINGS || !(middle > from && middle < to);
  int direction = direction_of(samples, POINTS);
  bool is_short = fabs(moved) <= 1e-10 * (1 + fabs(samples[0].way));
  bool goes_straight = direction != 0 || is_last || is_short;
  int side = moved > 0 ? 0 : 1;
  double s[4];
  double v[4];
  double size = 0;
  double worst = goes_straight ? 0 : INFINITY;
  double c[4] = {samples[0].in[side]};
  for (int k = 0; k < 4; k++) {
    s[k] = samples[2 * k].way - samples[0].way;
    v[k] = samples[2 * k].in[side];
    size = fmax(size, fabs(v[k]));
  }
  if (goes_straight && moved != 0) {
    interpolate(s, v, direction == 0 || is_last || is_short, c);
  }
  for (int k = 1; goes_straight && k < POINTS; k += 2) {
    double at = samples[k].way - samples[0].way;
    double error = fabs(polynomial_at(c, at) - samples[k].in[side]);
    worst = fmax(worst, error / (recorder->tolerance * (size + 1e-3)));
  }
  if (!(worst <= 1) && !is_last) {
    record(recorder, from, middle, depth + 1);
    record(recorder, middle, to, depth + 1);
    return;
  }
  double origin = samples[0].way - side;
  DaePiece piece = {.begin = side == 0 ? origin : origin + moved,
                    .end = side == 0 ? origin + moved : origin,
                    .origin = origin,
                    .c = {c[0], c[1], c[2], c[3]}};
  if (moved > 0) {
    add_high(recorder, &piece);
  } else if (moved < 0) {
    add_low(recorder, &piece);
  }
}

/* x has turned during the step, and the guard does not see it: it stands beyond its end at both
 * ends of the step. Events and what they pass are left to the guards. */
static void
look_for_turn(DaeInstant *instant, uint32_t i, double at)
{
  DaeOneDelay *delay = &instant->delays->list[i];
  const DaePiece *piece = &g_array_index(delay->pieces, DaePiece, delay->current);
  double beyond = delay->is_right ? piece->begin - at : at - piece->end;
  delay->has_turned = delay->current != dae_transport_tail(delay) &&
                      beyond > 100 * instant->resolution * (1 + fabs(at));
  if (delay->has_turned) { /* in use when the rows of this step are written */
    delay->current = dae_transport_tail(delay);
  }
}

void
dae_transport_record(DaeInstant *instant, uint32_t left, double from, double to,
                     double tolerance, const DaeDenseOutput *dense)
{
  DaeOneDelay *one = &instant->delays->list[left];
  if (one->is_right || !(to > from)) {
    return;
  }
  Recorder recorder = {instant, dense, tolerance, left, one->other};
  double before = one->way;
  one->way = sample_at(&recorder, to).way;
  if (one->fault == DAE_TRANSPORT_FINE && fabs(one->way - before) > 1 + 1e-6) {
    one->fault = DAE_TRANSPORT_TOO_FAST;
  }
  record(&recorder, from, to, 0);
  dae_delay_use_piece(instant, left);
  dae_delay_use_piece(instant, one->other);
  if (one->turning != 0 && one->turn_at < to) { /* a fixed step */
    dae_transport_turn(instant, left);
    return;
  }
  look_for_turn(instant, left, one->way);
  look_for_turn(instant, one->other, one->way - 1);
}
