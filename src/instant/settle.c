/* Discrete values, buffers and algebraic unknowns that fit together, with pre(.) and the states
 * held [language-and-events, 3.7].
 *
 * First by iteration from where they were: unknowns for given positions, positions for given
 * unknowns. Nearly always two or three rounds. If it comes back to positions it had before, a
 * path is followed from the old positions (path.c); if that ends, all positions of the
 * relations that moved are tried: that decides whether there are none, one, or several; of
 * several the one nearest to the old positions is taken, and a warning tells so. */
#include <math.h>
#include <string.h>

#include "instant/instant-priv.h"

#define MOST_INVOLVED 16
#define MOST_ROUNDS 1000
#define FIRST_REMEMBERED 3u /* round: most settle before, and a cycle is found a little later */

/* A relation flips back only when its guard is farther from 0 than rounding explains; with the
 * nominal value 1, as guards are located. What is rounding in one position may be 1e5 times as
 * much in another (a diode: current or voltage). */
static double
hysteresis(const DaeInstant *instant, uint32_t b)
{
  if (instant->is_right_limit[b] != 0) {
    return dae_guard_nearness(instant, b);
  }
  return 1e-10 * (instant->guards.out[instant->n_buffers + b] + 1);
}

typedef struct {
  DaeInstant *instant;
  double t;
  double *x;
  double *x_begin;
  double *segment_begin;
  uint8_t *moved; /* by place */
  bool literal;
} Settle;

static void
set_place(Settle *settle, uint32_t place, double value, bool *changed)
{
  DaeInstant *instant = settle->instant;
  if (instant->segment[place] != value) {
    instant->segment[place] = value;
    settle->moved[place] = 1;
    *changed = true;
  }
}

static bool
update_buffers(Settle *settle)
{
  DaeInstant *instant = settle->instant;
  bool changed = false;
  dae_point_functions_eval(instant, &instant->guards, settle->t, settle->x);
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
    double g = instant->guards.out[b];
    uint32_t place = instant->at_buffer + b;
    if (!isfinite(g) || buffer->guard == DAE_GUARD_WATCH) {
      continue;
    }
    if (buffer->guard != DAE_GUARD_STATE && !settle->literal) {
      set_place(settle, place, dae_clock_buffer_value(instant, b, settle->t, g), &changed);
      continue;
    }
    int side = 0;
    double inside = dae_buffer_distance(buffer->kind, instant->segment[place], g, &side);
    if (settle->literal || inside < -hysteresis(instant, b)) {
      set_place(settle, place, dae_buffer_value(buffer->kind, g), &changed);
    }
  }
  return changed;
}

/* True: something has changed that other values, relations or unknowns depend on. */
static bool
update_values(Settle *settle)
{
  DaeInstant *instant = settle->instant;
  bool changed = false;
  dae_point_functions_eval(instant, &instant->discrete, settle->t, settle->x);
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    double value = instant->discrete.out[k];
    if (isfinite(value) && instant->segment[k] != value) {
      instant->segment[k] = value;
      settle->moved[k] = 1;
      changed = changed || instant->is_used[k] != 0;
    }
  }
  return changed;
}

static bool
solve_unknowns(Settle *settle)
{
  DaeInstant *instant = settle->instant;
  if (settle->literal ||
      (!instant->must_solve && !dae_instant_system_differs(instant, instant->solved))) {
    return true;
  }
  instant->must_solve = false;
  memcpy(instant->solved, instant->segment, instant->n_segment * sizeof(double));
  bool good = dae_solve_algebraic(instant, settle->t, settle->x);
  if (good && instant->needs_slopes) {
    instant->parts.slopes(instant->parts.user, settle->t, settle->x, instant->segment,
                          instant->xdot);
  }
  return good;
}

/* ---- all positions ----------------------------------------------------------------------- */

static void
collect_involved(const Settle *settle, GArray *places)
{
  const DaeInstant *instant = settle->instant;
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
    uint32_t place = instant->at_buffer + b;
    if (settle->moved[place] != 0 && buffer->guard == DAE_GUARD_STATE &&
        (buffer->kind == DAE_BUFFER_POSITIVE || buffer->kind == DAE_BUFFER_NONNEGATIVE)) {
      g_array_append_val(places, place);
    }
  }
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(instant->hybrid, k);
    if (discrete->in_loop && discrete->type == DAE_TYPE_BOOLEAN && settle->moved[k] != 0) {
      g_array_append_val(places, k);
    }
  }
  for (uint32_t k = 0; places->len == 0 && k < instant->n_discrete; k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(instant->hybrid, k);
    if (discrete->variable != DAE_HYBRID_NONE && discrete->type == DAE_TYPE_BOOLEAN &&
        settle->moved[k] != 0) { /* a loop through unknowns that were solved for beforehand */
      g_array_append_val(places, k);
    }
  }
}

/* Puts the involved places into a position (bits: differs from where they began), solves, and
 * looks whether everything agrees. */
static bool
position_fits(Settle *settle, const GArray *places, uint32_t bits)
{
  DaeInstant *instant = settle->instant;
  memcpy(instant->segment, settle->segment_begin, instant->n_segment * sizeof(double));
  memcpy(settle->x, settle->x_begin, instant->n * sizeof(double));
  for (guint i = 0; i < places->len; i++) {
    uint32_t place = g_array_index(places, uint32_t, i);
    double begin = settle->segment_begin[place];
    instant->segment[place] = (bits >> i) & 1u ? 1 - begin : begin;
  }
  g_autofree uint8_t *is_held = g_new0(uint8_t, instant->n_discrete + 1);
  for (guint i = 0; i < places->len; i++) {
    uint32_t place = g_array_index(places, uint32_t, i);
    is_held[MIN(place, instant->n_discrete)] = 1;
  }
  dae_point_functions_eval(instant, &instant->discrete, settle->t, settle->x);
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    if (!dae_hybrid_discrete(instant->hybrid, k)->in_loop && is_held[k] == 0) {
      instant->segment[k] = instant->discrete.out[k];
    }
  }
  instant->must_solve = true; /* x is that of another position */
  if (!solve_unknowns(settle)) {
    return false;
  }
  if (update_buffers(settle) || update_values(settle)) {
    return false;
  }
  for (guint i = 0; i < places->len; i++) {
    uint32_t place = g_array_index(places, uint32_t, i);
    double begin = settle->segment_begin[place];
    if (instant->segment[place] != ((bits >> i) & 1u ? 1 - begin : begin)) {
      return false;
    }
  }
  return true;
}

static void
describe_positions(const Settle *settle, const GArray *places, GString *text)
{
  const DaeInstant *instant = settle->instant;
  for (guint i = 0; i < places->len; i++) {
    uint32_t place = g_array_index(places, uint32_t, i);
    g_string_append(text, "\n  ");
    if (place >= instant->at_buffer) {
      const DaeBuffer *buffer = dae_buffers_get(instant->buffers, place - instant->at_buffer);
      dae_term_print_limited(instant->terms, buffer->text, text, 200);
      g_autofree char *where = dae_span_text(buffer->span);
      g_string_append_printf(text, "  (%s)", where);
    } else {
      const DaeDiscrete *discrete = dae_hybrid_discrete(instant->hybrid, place);
      dae_term_print_limited(instant->terms, discrete->now, text, 200);
      g_autofree char *where = dae_span_text(discrete->span);
      g_string_append_printf(text, "  (%s)", where);
    }
  }
}

static uint32_t
count_bits(uint32_t bits)
{
  uint32_t n = 0;
  for (; bits != 0; bits &= bits - 1) {
    n++;
  }
  return n;
}

/* Fewest changes first, then the smallest number. */
static bool
search_positions(Settle *settle, const GArray *places, GError **error)
{
  DaeInstant *instant = settle->instant;
  uint32_t n = places->len;
  uint32_t found = 0;
  uint32_t best = 0;
  for (uint32_t flips = 0; flips <= n; flips++) {
    for (uint32_t bits = 0; bits < (1u << n); bits++) {
      if (count_bits(bits) == flips && position_fits(settle, places, bits)) {
        best = found == 0 ? bits : best;
        found++;
      }
    }
  }
  if (found == 0 && error == NULL) {
    return false;
  }
  if (found == 0) {
    g_autoptr(GString) text = g_string_new(NULL);
    describe_positions(settle, places, text);
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                "at t = %.10g no position of these switches agrees with the equations (all %u "
                "were tried):%s",
                settle->t, 1u << n, text->str);
    return false;
  }
  if (found > 1 && !instant->told_several) {
    g_autoptr(GString) text = g_string_new(NULL);
    describe_positions(settle, places, text);
    instant->told_several = true;
    dae_report_warning(instant->parts.reporter,
                       "at t = %.10g %u positions of these switches agree with the equations; "
                       "the one nearest to the old positions is taken:%s",
                       settle->t, found, text->str);
  }
  return position_fits(settle, places, best);
}

/* All relations of unknowns. */
static void
collect_relations(const Settle *settle, GArray *places)
{
  const DaeInstant *instant = settle->instant;
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
    uint32_t place = instant->at_buffer + b;
    if (buffer->guard == DAE_GUARD_STATE &&
        (buffer->kind == DAE_BUFFER_POSITIVE || buffer->kind == DAE_BUFFER_NONNEGATIVE)) {
      g_array_append_val(places, place);
    }
  }
}

/* First those that moved, then all. */
static bool
search(Settle *settle, GError **error)
{
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  collect_involved(settle, places);
  collect_relations(settle, all);
  bool may_take_all = !settle->literal && all->len > places->len && all->len <= MOST_INVOLVED;
  if (may_take_all) {
    return (places->len > 0 && search_positions(settle, places, NULL)) ||
           search_positions(settle, all, error);
  }
  if (places->len == 0 || places->len > MOST_INVOLVED) {
    g_autoptr(GString) text = g_string_new(NULL);
    describe_positions(settle, places, text);
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                "at t = %.10g the discrete values and the unknowns do not settle%s%s",
                settle->t,
                places->len > 0 ? "; these relations change again and again:"
                                : ": no unknowns fulfil the equations with them",
                text->str);
    return false;
  }
  return search_positions(settle, places, error);
}

/* ---- iteration --------------------------------------------------------------------------- */

/* The present positions as a key. (transfer full) */
static GBytes *
positions(const DaeInstant *instant)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  g_byte_array_append(bytes, (const guint8 *)instant->segment,
                      instant->n_discrete * (guint)sizeof(double));
  g_byte_array_append(bytes, (const guint8 *)(instant->segment + instant->at_buffer),
                      instant->n_buffers * (guint)sizeof(double));
  return g_byte_array_free_to_bytes(g_steal_pointer(&bytes));
}

static bool
iterate(Settle *settle, bool *settled)
{
  g_autoptr(GHashTable) visited =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  *settled = false;
  for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
    if (!solve_unknowns(settle)) { /* first too: what caused the event has changed positions */
      return true;
    }
    bool changed = update_buffers(settle);
    changed = update_values(settle) || changed;
    if (!changed) {
      *settled = true;
      return true;
    }
    if (round >= FIRST_REMEMBERED && !g_hash_table_add(visited, positions(settle->instant))) {
      return true;
    }
  }
  return true;
}

/* The second way: along a path from the old positions. What is found
 * must agree as anything else. */
static bool
follow_path(Settle *settle)
{
  DaeInstant *instant = settle->instant;
  if (settle->literal) {
    return false;
  }
  for (int way = 0; way < 3; way++) {
    memcpy(instant->segment, settle->segment_begin, instant->n_segment * sizeof(double));
    memcpy(settle->x, settle->x_begin, instant->n * sizeof(double));
    /* from the positions before the event, which is where the unknowns come from */
    if (way > 0) {
      memcpy(instant->segment + instant->at_buffer, instant->before + instant->at_buffer,
             instant->n_buffers * sizeof(double));
    }
    bool found = way < 2 ? dae_path_follow(instant, settle->t, settle->x)
                         : dae_path_jump(instant, settle->t, settle->x,
                                         dae_instant_short_time(settle->t));
    if (found && !update_buffers(settle) && !update_values(settle)) {
      return true;
    }
  }
  return false;
}

bool
dae_settle(DaeInstant *instant, double t, double *x, bool literal, GError **error)
{
  g_autofree double *x_begin = g_memdup2(x, (instant->n + 1) * sizeof(double));
  g_autofree double *segment_begin =
      g_memdup2(instant->segment, (instant->n_segment + 1) * sizeof(double));
  g_autofree uint8_t *moved = g_new0(uint8_t, instant->n_segment + 1);
  Settle settle = {instant, t, x, x_begin, segment_begin, moved, literal};
  bool settled = false;
  iterate(&settle, &settled);
  instant->must_solve = instant->must_solve || !settled;
  return settled || follow_path(&settle) || search(&settle, error);
}
