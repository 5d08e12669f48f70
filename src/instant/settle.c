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
#define REALS_TAKEN 4u /* round: what changes then only by Reals is solved as equations */
#define MOST_REALS 64u
#define FIRST_REMEMBERED 3u /* round: most settle before, and a cycle is found a little later */

/* A relation flips back only when its guard is farther from 0 than rounding explains; with the
 * nominal value 1, as guards are located. What is rounding in one position may be 1e5 times as
 * much in another (a diode: current or voltage). */
static double
hysteresis(const DaeInstant *instant, uint32_t b)
{
  if (instant->is_right_limit[b] != 0) {
    return fmax(dae_guard_nearness(instant, b), instant->reach[b]);
  }
  return 1e-10 * (instant->guards.out[instant->n_buffers + b] + dae_guard_nominal(instant, b));
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

/* Is a discrete value what its equation says, a Real up to rounding? */
static bool
value_agrees(const DaeInstant *instant, uint32_t k)
{
  double value = instant->discrete.out[k];
  bool is_real = dae_hybrid_discrete(instant->hybrid, k)->type == DAE_TYPE_REAL;
  double slack = is_real ? 1e-10 * (fabs(value) + 1e-3) : 0;
  return !isfinite(value) || fabs(value - instant->segment[k]) <= slack;
}

/* True: something has changed that other values, relations or unknowns depend on. Reals that the
 * initialization has found are rounded; a Real that depends on itself may move away from that. */
static bool
update_values(Settle *settle)
{
  DaeInstant *instant = settle->instant;
  bool changed = false;
  dae_point_functions_eval(instant, &instant->discrete, settle->t, settle->x);
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    double value = instant->discrete.out[k];
    if (settle->literal && value_agrees(instant, k)) {
      continue;
    }
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

/* All that moved, for people: relations of time and variables of any type too. */
static void
collect_moved(const Settle *settle, GArray *places)
{
  const DaeInstant *instant = settle->instant;
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    uint32_t place = instant->at_buffer + b;
    if (settle->moved[place] != 0) {
      g_array_append_val(places, place);
    }
  }
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    bool is_named = dae_hybrid_discrete(instant->hybrid, k)->variable != DAE_HYBRID_NONE;
    if (is_named && settle->moved[k] != 0) {
      g_array_append_val(places, k);
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
    g_autoptr(GArray) moved = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    collect_moved(settle, moved);
    describe_positions(settle, moved, text);
    g_set_error(
        error, DAE_ERROR, DAE_ERROR_NUMERIC,
        "at t = %.10g the discrete values and the unknowns do not settle%s%s", settle->t,
        moved->len > 0 ? "; these changed:" : ": no unknowns fulfil the equations with them",
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

/* ---- loops of discrete Reals ------------------------------------------------------------- */

typedef struct {
  Settle *settle;
  const GArray *places; /* uint32_t: Real values that depend on themselves */
} RealLoop;

/* Their values by their equations, with the unknowns that follow them, minus what they are. */
static int
loop_residual(const void *self, void *scratch, const double *z, double *r)
{
  const RealLoop *loop = self;
  DaeInstant *instant = loop->settle->instant;
  (void)scratch;
  for (guint i = 0; i < loop->places->len; i++) {
    instant->segment[g_array_index(loop->places, uint32_t, i)] = z[i];
  }
  instant->must_solve = true;
  if (!solve_unknowns(loop->settle)) {
    return 1;
  }
  dae_point_functions_eval(instant, &instant->discrete, loop->settle->t, loop->settle->x);
  int code = 0;
  for (guint i = 0; i < loop->places->len; i++) {
    r[i] = instant->discrete.out[g_array_index(loop->places, uint32_t, i)] - z[i];
    code = isfinite(r[i]) ? code : 1;
  }
  return code;
}

/* Differences: nearly all loops are linear, and the last step is as exact as the residual. */
static int
loop_jacobian(const void *self, void *scratch, const double *z, double *values)
{
  const RealLoop *loop = self;
  uint32_t n = loop->places->len;
  g_autofree double *here = g_new0(double, n + 1);
  g_autofree double *there = g_new0(double, n + 1);
  g_autofree double *moved = g_memdup2(z, n * sizeof(double));
  int code = loop_residual(self, scratch, z, here);
  for (uint32_t j = 0; j < n && code == 0; j++) {
    double step = 1e-6 * (fabs(z[j]) + 1);
    moved[j] = z[j] + step;
    code = loop_residual(self, scratch, moved, there);
    moved[j] = z[j];
    for (uint32_t i = 0; i < n; i++) {
      values[i * n + j] = (there[i] - here[i]) / step;
    }
  }
  return code;
}

/* The Real values that have changed so far; false: the last round has changed others as well. */
static bool
collect_reals(const Settle *settle, const double *since, GArray *places)
{
  const DaeInstant *instant = settle->instant;
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    bool is_real = dae_hybrid_discrete(instant->hybrid, k)->type == DAE_TYPE_REAL;
    if (instant->is_used[k] == 0) {
      continue;
    }
    if (!is_real && instant->segment[k] != since[k]) {
      return false;
    }
    if (is_real && settle->moved[k] != 0) {
      g_array_append_val(places, k);
    }
  }
  return places->len > 0 && places->len <= MOST_REALS;
}

/* Do all values agree with their equations, Reals up to rounding? */
static bool
values_agree(Settle *settle)
{
  DaeInstant *instant = settle->instant;
  bool agree = !update_buffers(settle);
  dae_point_functions_eval(instant, &instant->discrete, settle->t, settle->x);
  for (uint32_t k = 0; k < instant->n_discrete && agree; k++) {
    agree = value_agrees(instant, k);
  }
  return agree;
}

/* Reals that depend on each other, perhaps through the unknowns: as equations. */
static bool
solve_reals(Settle *settle, const double *since)
{
  DaeInstant *instant = settle->instant;
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (settle->literal || !collect_reals(settle, since, places)) {
    return false;
  }
  uint32_t n = places->len;
  g_autofree double *z = g_new0(double, n + 1);
  g_autofree uint32_t *start = g_new0(uint32_t, n + 2);
  g_autofree uint32_t *column = g_new0(uint32_t, n * n + 1);
  for (uint32_t i = 0; i < n; i++) {
    z[i] = instant->segment[g_array_index(places, uint32_t, i)];
    start[i + 1] = (i + 1) * n;
    for (uint32_t j = 0; j < n; j++) {
      column[i * n + j] = j;
    }
  }
  const RealLoop loop = {settle, places};
  DaeRootProblem root = {.n = n,
                         .m = n,
                         .pattern = {n, n, start, column},
                         .self = &loop,
                         .residual = loop_residual,
                         .jacobian = loop_jacobian};
  g_autofree double *r = g_new0(double, n + 1);
  dae_numeric_solve(&root, NULL, 1e-13, z);
  if (loop_residual(&loop, NULL, z, r) != 0) {
    return false;
  }
  for (uint32_t k = 0; k < instant->n_discrete; k++) { /* those that nothing depends on */
    bool follows = instant->is_used[k] == 0 && isfinite(instant->discrete.out[k]);
    instant->segment[k] = follows ? instant->discrete.out[k] : instant->segment[k];
  }
  return values_agree(settle);
}

/* ---- the first way ------------------------------------------------------------------------ */

static bool
iterate(Settle *settle, bool *settled)
{
  g_autofree double *since = g_new0(double, settle->instant->n_discrete + 1);
  g_autoptr(GHashTable) visited =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  *settled = false;
  for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
    if (!solve_unknowns(settle)) { /* first too: what caused the event has changed positions */
      return true;
    }
    bool moved = update_buffers(settle);
    memcpy(since, settle->instant->segment, settle->instant->n_discrete * sizeof(double));
    bool changed = update_values(settle) || moved;
    if (!changed || (round == REALS_TAKEN && !moved && solve_reals(settle, since))) {
      *settled = true;
      return true;
    }
    if (round >= FIRST_REMEMBERED && !g_hash_table_add(visited, positions(settle->instant))) {
      return true;
    }
  }
  return true;
}

/* The second way: along a path from the old positions. What is found must agree as anything
 * else. Where a fixed step has gone beyond the end of a branch of solutions (a Schmitt
 * trigger), the path begins with the algebraic unknowns of its beginning. */
static bool
follow_path(Settle *settle)
{
  DaeInstant *instant = settle->instant;
  if (settle->literal) {
    return false;
  }
  for (int way = 0; way < 4; way++) {
    if (way == 1 && instant->step_begin == NULL) {
      continue;
    }
    memcpy(instant->segment, settle->segment_begin, instant->n_segment * sizeof(double));
    memcpy(settle->x, settle->x_begin, instant->n * sizeof(double));
    /* from the positions before the event, which is where the unknowns come from */
    if (way > 0) {
      memcpy(instant->segment + instant->at_buffer, instant->before + instant->at_buffer,
             instant->n_buffers * sizeof(double));
    }
    for (uint32_t k = 0; way == 1 && k < instant->n_algebraic; k++) {
      settle->x[instant->algebraic[k]] = instant->step_begin[instant->algebraic[k]];
    }
    bool found = way == 1  ? dae_path_follow_positions(instant, settle->t, settle->x)
                 : way < 3 ? dae_path_follow(instant, settle->t, settle->x)
                           : dae_path_jump(instant, settle->t, settle->x,
                                           dae_instant_short_time(settle->t));
    if (found && !update_buffers(settle) && !update_values(settle)) {
      return true;
    }
  }
  return false;
}

/* No position agrees while pre(.) is as it is: one step with the relations as the event has set
 * them. Where discrete values follow, the next step has other pre(.) and may agree: friction that
 * slips says `slips = pre(stuck) and (s > peak or pre(slips) and s > low)`, with s below its peak
 * as soon as it slips. What the event ends with must agree as anything else. */
static bool
hold_relations(Settle *settle)
{
  DaeInstant *instant = settle->instant;
  memcpy(instant->segment, settle->segment_begin, instant->n_segment * sizeof(double));
  memcpy(settle->x, settle->x_begin, instant->n * sizeof(double));
  instant->must_solve = true;
  for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
    if (!solve_unknowns(settle)) {
      return false;
    }
    if (!update_values(settle)) {
      return memcmp(instant->segment, instant->segment + instant->at_pre,
                    instant->n_discrete * sizeof(double)) != 0;
    }
  }
  return false;
}

static bool
settle_or_hold(DaeInstant *instant, double t, double *x, bool literal, bool *is_held,
               GError **error)
{
  g_autofree double *x_begin = g_memdup2(x, (instant->n + 1) * sizeof(double));
  g_autofree double *segment_begin =
      g_memdup2(instant->segment, (instant->n_segment + 1) * sizeof(double));
  g_autofree uint8_t *moved = g_new0(uint8_t, instant->n_segment + 1);
  Settle settle = {instant, t, x, x_begin, segment_begin, moved, literal};
  g_autoptr(GError) open = NULL;
  bool settled = false;
  iterate(&settle, &settled);
  instant->must_solve = instant->must_solve || !settled;
  if (settled || follow_path(&settle) || search(&settle, &open)) {
    return true;
  }
  g_autofree double *x_end = g_memdup2(x, (instant->n + 1) * sizeof(double));
  g_autofree double *segment_end =
      g_memdup2(instant->segment, (instant->n_segment + 1) * sizeof(double));
  if (is_held != NULL && hold_relations(&settle)) {
    *is_held = true;
    return true;
  }
  memcpy(x, x_end, instant->n * sizeof(double)); /* what failed is told of that */
  memcpy(instant->segment, segment_end, instant->n_segment * sizeof(double));
  if (open != NULL) {
    g_propagate_error(error, g_steal_pointer(&open));
  }
  return false;
}

bool
dae_settle(DaeInstant *instant, double t, double *x, bool literal, GError **error)
{
  return settle_or_hold(instant, t, x, literal, NULL, error);
}

bool
dae_settle_at_event(DaeInstant *instant, double t, double *x, bool *is_held, GError **error)
{
  return settle_or_hold(instant, t, x, false, *is_held ? NULL : is_held, error);
}
