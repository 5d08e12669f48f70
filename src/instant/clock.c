/* Time events, exactly: rational times of samples and of relations that are linear in time. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "instant/instant-priv.h"

/* ---- exact values ------------------------------------------------------------------------ */

typedef struct {
  const DaeInstant *instant;
  GHashTable *place; /* atom -> place + 1 */
  DaeTerm time;      /* NUMBER for TIME, or DAE_NO_TERM */
} ExactPoint;

static DaeTerm
exact_atom(void *user, DaeTerm atom)
{
  const ExactPoint *point = user;
  const DaeInstant *instant = point->instant;
  if (dae_term_kind(instant->terms, atom) == DAE_KIND_TIME) {
    return point->time;
  }
  for (uint32_t p = 0; p < instant->n_segment; p++) {
    if (g_array_index(instant->atoms, DaeTerm, p) == atom) {
      return isfinite(instant->segment[p])
                 ? dae_term_from_double(instant->terms, instant->segment[p])
                 : DAE_NO_TERM;
    }
  }
  return DAE_NO_TERM;
}

static bool
double_atom(void *user, DaeTerm atom, double *value)
{
  const ExactPoint *point = user;
  DaeTerm number = exact_atom(user, atom);
  if (number != DAE_NO_TERM) {
    *value = dae_term_get_double(point->instant->terms, number);
  }
  return number != DAE_NO_TERM;
}

/* t at a time, as a NUMBER: exactly where that is possible, else rounded to a
 * double. DAE_NO_TERM: no value. */
static DaeTerm
exact_value(const DaeInstant *instant, DaeTerm t, DaeTerm time)
{
  ExactPoint point = {.instant = instant, .time = time};
  DaeTerm value = DAE_NO_TERM;
  DaeEvalStatus status = dae_term_eval_exact(instant->terms, t, exact_atom, &point, &value);
  if (status == DAE_EVAL_OK && dae_term_is_number(instant->terms, value)) {
    return value;
  }
  double rounded = 0;
  if (dae_term_eval_double(instant->terms, t, double_atom, &point, &rounded) == DAE_EVAL_OK &&
      isfinite(rounded)) {
    return dae_term_from_double(instant->terms, rounded);
  }
  return DAE_NO_TERM;
}

DaeTerm
dae_clock_number(const DaeInstant *instant, DaeTerm t)
{
  return exact_value(instant, t, DAE_NO_TERM);
}

static int
compare(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return a == b ? 0 : dae_term_sign(terms, dae_term_sub(terms, a, b));
}

/* ---- samples ----------------------------------------------------------------------------- */

static DaeTerm
floor_of(DaeTerms *terms, DaeTerm number)
{
  DaeTerm value = DAE_NO_TERM;
  dae_term_eval_exact(terms, dae_term_call1(terms, DAE_FN_FLOOR, number), NULL, NULL, &value);
  return value;
}

bool
dae_clock_init(DaeInstant *instant, GError **error)
{
  DaeTerms *terms = instant->terms;
  for (uint32_t i = 0; i < instant->n_samples; i++) {
    const DaeSample *sample = dae_hybrid_sample(instant->hybrid, i);
    DaeTicker ticker = {.place = instant->at_sample + i, .span = sample->span};
    DaeTerm start = instant->parts.lower(instant->parts.user, sample->start);
    DaeTerm interval = instant->parts.lower(instant->parts.user, sample->interval);
    ticker.start = start != DAE_NO_TERM ? exact_value(instant, start, DAE_NO_TERM) : start;
    ticker.interval =
        interval != DAE_NO_TERM ? exact_value(instant, interval, DAE_NO_TERM) : interval;
    if (ticker.start == DAE_NO_TERM || ticker.interval == DAE_NO_TERM ||
        dae_term_sign(terms, ticker.interval) <= 0) {
      g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL,
                  "%s:%u:%u: error: the start and the interval of 'sample' must have values, "
                  "and the interval must be positive",
                  dae_model_file_of(dae_hybrid_model(instant->hybrid), sample->span),
                  sample->span.line, sample->span.column);
      return false;
    }
    g_array_append_val(instant->tickers, ticker);
  }
  instant->slope = g_new0(DaeTerm, instant->n_buffers + 1);
  instant->zero = g_new0(double, instant->n_buffers + 1);
  instant->zero_key = g_new0(uint64_t, instant->n_buffers + 1);
  instant->zero_to = g_new0(double, instant->n_buffers + 1);
  instant->zero_places = g_new0(GArray *, instant->n_buffers + 1);
  for (uint32_t i = 0; i < instant->n_buffers; i++) {
    const DaeBuffer *buffer = dae_buffers_get(instant->buffers, i);
    instant->zero[i] = NAN;
    instant->zero_places[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t p = 0; buffer->guard == DAE_GUARD_TIME && p < instant->n_segment; p++) {
      if (p == instant->at_buffer + i ||
          dae_term_contains(terms, buffer->g, g_array_index(instant->atoms, DaeTerm, p))) {
        g_array_append_val(instant->zero_places[i], p);
      }
    }
    if (buffer->guard == DAE_GUARD_TIME || buffer->guard == DAE_GUARD_LINEAR_TIME) {
      instant->slope[i] = dae_term_partial(terms, buffer->g, dae_term_time(terms));
    }
  }
  return true;
}

/* The first tick after `after`. */
static DaeTerm
next_tick(DaeTerms *terms, const DaeTicker *ticker, DaeTerm after)
{
  if (compare(terms, ticker->start, after) > 0) {
    return ticker->start;
  }
  DaeTerm count = floor_of(
      terms, dae_term_div(terms, dae_term_sub(terms, after, ticker->start), ticker->interval));
  DaeTerm next = dae_term_add(terms, count, dae_term_int(terms, 1));
  return dae_term_add(terms, ticker->start, dae_term_mul(terms, next, ticker->interval));
}

static bool
ticks_at(DaeTerms *terms, const DaeTicker *ticker, DaeTerm time)
{
  if (compare(terms, time, ticker->start) < 0) {
    return false;
  }
  DaeTerm count =
      dae_term_div(terms, dae_term_sub(terms, time, ticker->start), ticker->interval);
  return floor_of(terms, count) == count;
}

void
dae_clock_tick(DaeInstant *instant)
{
  for (uint32_t i = 0; i < instant->tickers->len; i++) {
    const DaeTicker *ticker = &g_array_index(instant->tickers, DaeTicker, i);
    bool ticks =
        instant->exact != DAE_NO_TERM && ticks_at(instant->terms, ticker, instant->exact);
    instant->segment[ticker->place] = ticks ? 1 : 0;
    if (ticks) {
      g_hash_table_add(instant->causes, GUINT_TO_POINTER(ticker->place));
    }
  }
}

void
dae_clock_untick(DaeInstant *instant)
{
  for (uint32_t i = 0; i < instant->tickers->len; i++) {
    instant->segment[g_array_index(instant->tickers, DaeTicker, i).place] = 0;
  }
}

void
dae_instant_set_time(DaeInstant *instant, DaeTerm exact)
{
  instant->exact = exact;
}

/* ---- relations --------------------------------------------------------------------------- */

/* The right limit of another function of time: where it may be at an end of the
 * buffer's range its slope decides. With a fixed step it is that of the event, not of the end of
 * the step. */
static double
isolated_value(DaeInstant *instant, uint32_t i, double t, double g)
{
  DaeTerms *terms = instant->terms;
  const DaeBuffer *buffer = dae_buffers_get(instant->buffers, i);
  bool is_relation =
      buffer->kind == DAE_BUFFER_POSITIVE || buffer->kind == DAE_BUFFER_NONNEGATIVE;
  double at = instant->exact != DAE_NO_TERM ? dae_term_get_double(terms, instant->exact) : t;
  g = at == t ? g : dae_isolate_value(instant, buffer->g, at);
  double level = is_relation ? 0 : round(g);
  DaeTerm difference =
      dae_term_sub(terms, buffer->g, dae_term_from_double(terms, isfinite(level) ? level : 0));
  if (instant->slope[i] == DAE_NO_TERM || !dae_isolate_is_zero(instant, difference, at)) {
    return dae_buffer_value(buffer->kind, g);
  }
  const DaeGuardSide guard = {.g = difference, .slope = instant->slope[i]};
  if (dae_isolate_touch(instant, &guard, at) !=
      0) { /* for this instant; the next one follows */
    return dae_buffer_value(buffer->kind, level);
  }
  int direction = dae_isolate_sign(instant, instant->slope[i], at);
  return dae_buffer_value(buffer->kind, direction != 0 ? level + 0.25 * direction : g);
}

/* A discrete value is a double: behind Ts = time the relation time < Ts would hold for the rest of
 * the rounding error, and time >= e and time >= ft with ft = e would come apart. What is so near
 * to a level at this time is at the level. */
static DaeTerm
at_level(DaeTerms *terms, DaeTerm exact, DaeTerm level, DaeTerm slope, DaeTerm time)
{
  double away = fabs(dae_term_get_double(terms, dae_term_sub(terms, exact, level)));
  double rounding = 4 * DBL_EPSILON * fabs(dae_term_get_double(terms, time));
  return away <= rounding * fabs(dae_term_get_double(terms, slope)) ? level : exact;
}

/* The right limit: where g is 0 its slope decides. */
double
dae_clock_buffer_value(DaeInstant *instant, uint32_t i, double t, double g)
{
  DaeTerms *terms = instant->terms;
  const DaeBuffer *buffer = dae_buffers_get(instant->buffers, i);
  if (buffer->guard != DAE_GUARD_LINEAR_TIME) {
    return isolated_value(instant, i, t, g);
  }
  DaeTerm time =
      instant->exact != DAE_NO_TERM ? instant->exact : dae_term_from_double(terms, t);
  DaeTerm exact = exact_value(instant, buffer->g, time);
  DaeTerm slope = exact_value(instant, instant->slope[i], time);
  if (exact == DAE_NO_TERM || slope == DAE_NO_TERM) {
    return dae_buffer_value(buffer->kind, g);
  }
  int direction = dae_term_sign(terms, slope);
  bool is_relation =
      buffer->kind == DAE_BUFFER_POSITIVE || buffer->kind == DAE_BUFFER_NONNEGATIVE;
  if (is_relation) {
    int sign =
        dae_term_sign(terms, at_level(terms, exact, dae_term_int(terms, 0), slope, time));
    sign = sign != 0 ? sign : direction;
    return sign > 0 || (sign == 0 && buffer->kind == DAE_BUFFER_NONNEGATIVE) ? 1 : 0;
  }
  DaeTerm half = dae_term_ratio(terms, 1, 2);
  DaeTerm nearest = floor_of(terms, dae_term_add(terms, exact, half));
  exact = at_level(terms, exact, nearest, slope, time);
  DaeTerm whole = floor_of(terms, exact);
  double below = dae_term_get_double(terms, whole);
  if (whole != exact) { /* between two whole numbers: no doubt */
    return dae_buffer_value(buffer->kind, below + 0.5);
  }
  return dae_buffer_value(buffer->kind, below + 0.25 * direction);
}

/* The value of g, if it is one, at which buffer i changes next when g
 * moves in the given direction. */
static DaeTerm
next_level(DaeTerms *terms, DaeBufferKind kind, double value, int direction)
{
  if (kind == DAE_BUFFER_POSITIVE || kind == DAE_BUFFER_NONNEGATIVE) {
    return (value > 0.5) == (direction > 0) ? DAE_NO_TERM : dae_term_int(terms, 0);
  }
  double low =
      kind == DAE_BUFFER_CEIL || (kind == DAE_BUFFER_TRUNC && value <= 0) ? value - 1 : value;
  double high =
      kind == DAE_BUFFER_CEIL || (kind == DAE_BUFFER_TRUNC && value < 0) ? value : value + 1;
  return dae_term_from_double(terms, direction > 0 ? high : low);
}

/* When does a guard that is linear in time reach the end of its buffer's range? */
static DaeTerm
linear_event(DaeInstant *instant, uint32_t i, DaeTerm after)
{
  DaeTerms *terms = instant->terms;
  const DaeBuffer *buffer = dae_buffers_get(instant->buffers, i);
  DaeTerm slope = exact_value(instant, instant->slope[i], after);
  DaeTerm here = exact_value(instant, buffer->g, after);
  if (slope == DAE_NO_TERM || here == DAE_NO_TERM || dae_term_sign(terms, slope) == 0) {
    return DAE_NO_TERM;
  }
  DaeTerm level = next_level(terms, buffer->kind, instant->segment[instant->at_buffer + i],
                             dae_term_sign(terms, slope));
  if (level == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  DaeTerm wait = dae_term_div(terms, dae_term_sub(terms, level, here), slope);
  return wait != DAE_NO_TERM && dae_term_sign(terms, wait) > 0
             ? dae_term_add(terms, after, wait)
             : DAE_NO_TERM;
}

/* A name for the value of a buffer and for the segment values in its guard: while it
 * stays the zero in front stays. */
static uint64_t
segment_key(const DaeInstant *instant, uint32_t i)
{
  uint64_t hash = 14695981039346656037u;
  const GArray *places = instant->zero_places[i];
  for (guint k = 0; k < places->len; k++) {
    uint64_t bits = 0;
    memcpy(&bits, &instant->segment[g_array_index(places, uint32_t, k)], sizeof bits);
    hash = (hash ^ bits) * 1099511628211u;
    hash ^= hash >> 29;
  }
  return hash;
}

/* Does the guard stand still in this segment, such as a delayed value that is constant? */
static bool
is_at_rest(const DaeInstant *instant, DaeTerm slope)
{
  DaeTerms *terms = instant->terms;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  ExactPoint point = {.instant = instant, .time = DAE_NO_TERM};
  dae_term_collect_parameters(terms, slope, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    DaeTerm value = exact_atom(&point, atom);
    if (value != DAE_NO_TERM) {
      dae_subst_set(subst, atom, value);
    }
  }
  DaeTerm here = atoms->len > 0 ? dae_subst_apply(subst, slope) : DAE_NO_TERM;
  return here != DAE_NO_TERM && dae_term_is_zero(terms, dae_terms_rewrite(terms, here));
}

/* How far ahead buffer i's guard is known: delayed values in it are, up to the end of their
 * piece. */
static double
known_until(const DaeInstant *instant, uint32_t i, double until)
{
  const GArray *places = instant->zero_places[i];
  for (guint k = 0; k < places->len; k++) {
    uint32_t p = g_array_index(places, uint32_t, k);
    if (p >= instant->at_delay && p < instant->at_initial) {
      return fmin(until, dae_instant_delay_limit(instant));
    }
  }
  return until;
}

/* Is the zero in front of buffer i still the one that was found? One that was not there may be in
 * what is known farther by now: the last polynomial of a delay goes on and on. */
static bool
is_zero_known(const DaeInstant *instant, uint32_t i, uint64_t key, double from, double to)
{
  const double zero = instant->zero[i];
  return instant->zero_key[i] == key && zero > from && /* NAN: not known */
         (isfinite(zero) || to <= instant->zero_to[i]);
}

/* Other functions of time: the zero in front of g - level, kept until it is passed
 * or something in g has changed. */
static DaeTerm
isolated_event(DaeInstant *instant, uint32_t i, DaeTerm after, DaeTerm until)
{
  DaeTerms *terms = instant->terms;
  const DaeBuffer *buffer = dae_buffers_get(instant->buffers, i);
  double from = dae_term_get_double(terms, after);
  double to = known_until(instant, i, dae_term_get_double(terms, until));
  if (instant->slope[i] == DAE_NO_TERM || !(to > from)) {
    return DAE_NO_TERM;
  }
  uint64_t key = segment_key(instant, i);
  if (is_zero_known(instant, i, key, from, to)) {
    return isfinite(instant->zero[i]) ? dae_term_from_double(terms, instant->zero[i])
                                      : DAE_NO_TERM;
  }
  double zero = INFINITY;
  bool moves = !is_at_rest(instant, instant->slope[i]);
  for (int direction = -1; moves && direction <= 1; direction += 2) {
    double value = instant->segment[instant->at_buffer + i];
    DaeTerm level = next_level(terms, buffer->kind, value, direction);
    if (level != DAE_NO_TERM) {
      double at_level = dae_buffer_value(buffer->kind, dae_term_get_double(terms, level));
      const DaeGuardSide guard = {.g = dae_term_sub(terms, buffer->g, level),
                                  .slope = instant->slope[i],
                                  .side = -direction, /* it moves up from below */
                                  .counts_at_zero = at_level != value};
      zero = fmin(zero, dae_isolate_first_zero(instant, &guard, from, to));
    }
  }
  instant->zero[i] = zero;
  instant->zero_key[i] = key;
  instant->zero_to[i] = to;
  return isfinite(zero) ? dae_term_from_double(terms, zero) : DAE_NO_TERM;
}

bool
dae_instant_has_time_events(const DaeInstant *instant)
{
  bool has = instant->tickers->len > 0 || instant->ticking != NULL || instant->delayed->len > 0;
  for (uint32_t i = 0; !has && i < instant->n_buffers; i++) {
    DaeGuardKind kind = dae_buffers_get(instant->buffers, i)->guard;
    has = kind == DAE_GUARD_TIME || kind == DAE_GUARD_LINEAR_TIME;
  }
  return has;
}

DaeTerm
dae_instant_next_time(DaeInstant *instant, DaeTerm after, DaeTerm until)
{
  DaeTerms *terms = instant->terms;
  DaeTerm best = dae_delays_next_break(instant, after);
  for (uint32_t i = 0; i < instant->tickers->len; i++) {
    DaeTicker *ticker = &g_array_index(instant->tickers, DaeTicker, i);
    if (ticker->next == DAE_NO_TERM || compare(terms, ticker->next, after) <= 0) {
      ticker->next = next_tick(terms, ticker, after);
    }
    best = best == DAE_NO_TERM || compare(terms, ticker->next, best) < 0 ? ticker->next : best;
  }
  for (uint32_t i = 0; i < instant->n_buffers; i++) {
    const DaeBuffer *buffer = dae_buffers_get(instant->buffers, i);
    DaeTerm at = DAE_NO_TERM;
    if (buffer->guard == DAE_GUARD_LINEAR_TIME) {
      at = linear_event(instant, i, after);
    } else if (buffer->guard == DAE_GUARD_TIME) {
      at = isolated_event(instant, i, after, until);
    }
    if (at != DAE_NO_TERM && (best == DAE_NO_TERM || compare(terms, at, best) < 0)) {
      best = at;
    }
  }
  if (instant->ticking != NULL) {
    best = dae_ticking_next(instant->ticking, after, until, best);
  }
  /* 3/50 is later than the double 0.06, which is what a stop time of 0.06 means */
  return best != DAE_NO_TERM &&
                 dae_term_get_double(terms, best) <= dae_term_get_double(terms, until)
             ? best
             : DAE_NO_TERM;
}
