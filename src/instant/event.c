/* The event iteration [language-and-events, 3.6]. */
#include <math.h>
#include <string.h>

#include "instant/instant-priv.h"

#define MOST_ITERATIONS 100000u
#define FIRST_REMEMBERED                                                                       \
  4u /* step: most events end before, and a cycle is found a little later */
#define MOST_BEGINNINGS 100u

static void
take_pre(DaeInstant *instant, double t, const double *x)
{
  memcpy(instant->segment + instant->at_pre, instant->segment,
         instant->n_discrete * sizeof(double));
  if (instant->n_cpre > 0) {
    dae_point_functions_eval(instant, &instant->cpres, t, x);
    memcpy(instant->segment + instant->at_cpre, instant->cpres.out,
           instant->n_cpre * sizeof(double));
  }
}

static void
begin_initialization(DaeInstant *instant, double t, const double *x, const double *now,
                     const double *pre)
{
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    instant->segment[k] = now[k];
    instant->segment[instant->at_pre + k] = pre[k];
  }
  if (!dae_hybrid_is_trivial(instant->hybrid)) {
    instant->segment[instant->at_initial] = 1;
  }
  if (instant->n_cpre > 0) {
    dae_point_functions_eval(instant, &instant->cpres, t, x);
    memcpy(instant->segment + instant->at_cpre, instant->cpres.out,
           instant->n_cpre * sizeof(double));
  }
  if (instant->needs_slopes) {
    instant->parts.slopes(instant->parts.user, t, x, instant->segment, instant->xdot);
  }
  dae_delays_begin(instant, t, x);
}

bool
dae_instant_take_start(DaeInstant *instant, double t, const double *x, const double *now,
                       const double *pre, GError **error)
{
  g_autofree double *point = g_memdup2(x, (instant->n + 1) * sizeof(double));
  begin_initialization(instant, t, x, now, pre);
  bool good = dae_settle(instant, t, point, true, error);
  for (uint32_t k = 0; good && k < MOST_BEGINNINGS && dae_delays_began_otherwise(instant, t, x);
       k++) {
    dae_delays_begin(instant, t, x); /* relations in what is delayed are known now */
    good = dae_settle(instant, t, point, true, error);
  }
  if (!good) {
    return false;
  }
  dae_open_update(instant, x);
  return true;
}

bool
dae_instant_find_start(DaeInstant *instant, double t, double *x, double *now, const double *pre,
                       GError **error)
{
  begin_initialization(instant, t, x, now, pre);
  instant->exact = dae_term_from_double(instant->terms, t);
  dae_settle(instant, t, x, true, NULL);
  memcpy(instant->before, instant->segment, instant->n_segment * sizeof(double));
  if (!dae_settle(instant, t, x, false, error)) {
    return false;
  }
  memcpy(now, instant->segment, instant->n_discrete * sizeof(double));
  return true;
}

/* ---- events ------------------------------------------------------------------------------ */

/* The new side of a buffer that a state event has changed. */
static void
flip(DaeInstant *instant, uint32_t b, double t, const double *x)
{
  const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
  double *value = &instant->segment[instant->at_buffer + b];
  int side = 0;
  if (dae_delays_cross(instant, b)) {
    return;
  }
  dae_point_functions_eval(instant, &instant->guards, t, x);
  double inside = dae_buffer_distance(buffer->kind, *value, instant->guards.out[b], &side);
  instant->reach[b] = fmax(2 * inside, 0);
  instant->is_crossed_at_once[b] = instant->set_at[b] == t;
  instant->set_at[b] = t;
  if (buffer->kind == DAE_BUFFER_POSITIVE || buffer->kind == DAE_BUFFER_NONNEGATIVE) {
    *value = 1 - *value;
  } else {
    *value += side;
  }
  instant->is_right_limit[b] = 1;
}

typedef struct {
  DaeInstant *instant;
  double t;
  double *x;
  GArray *failed; /* DaeTold: assertions that did not hold, told when all is settled */
  DaeInstantResult *result;
  DaeCause cause;
  bool has_jumped; /* states have */
} Event;

/* Reinits that are active now; terminate and assert are only remembered. */
static void
collect_actions(Event *event, GArray *resets)
{
  DaeInstant *instant = event->instant;
  uint32_t n = instant->conditions->len;
  dae_point_functions_eval(instant, &instant->actions, event->t, event->x);
  for (uint32_t i = 0; i < n; i++) {
    const DaeHybridAction *action = dae_hybrid_action(instant->hybrid, i);
    if (!(instant->actions.out[i] > 0.5)) {
      continue;
    }
    if (action->kind == DAE_ACTION_TERMINATE && !event->result->terminated) {
      event->result->terminated = true;
      g_free(instant->last_words);
      instant->last_words = dae_instant_message(instant, action->message, event->t, event->x);
      event->result->message = instant->last_words;
      event->result->span = action->span;
    } else if (action->kind == DAE_ACTION_ASSERT && !(instant->actions.out[n + i] > 0.5)) {
      DaeTold told = {i, dae_instant_message(instant, action->message, event->t, event->x)};
      g_array_append_val(event->failed, told); /* pre(.) is another one in the next step */
    } else if (action->kind == DAE_ACTION_REINIT) {
      DaeReset reset = {UINT32_MAX, instant->actions.out[n + i], action->span};
      for (uint32_t j = 0; j < instant->n; j++) {
        if (instant->parts.unknowns[j] == action->target) {
          reset.column = j;
        }
      }
      DAE_ASSERT(reset.column != UINT32_MAX);
      g_array_append_val(resets, reset);
    }
  }
}

/* What is told of the instant: the last value that each unknown was set to. */
static void
note_resets(DaeInstant *instant, const GArray *resets)
{
  for (guint r = 0; r < resets->len; r++) {
    const DaeReset *reset = &g_array_index(resets, DaeReset, r);
    guint k = 0;
    while (k < instant->resets->len &&
           g_array_index(instant->resets, DaeReset, k).column != reset->column) {
      k++;
    }
    if (k == instant->resets->len) {
      g_array_append_val(instant->resets, *reset);
    } else {
      g_array_index(instant->resets, DaeReset, k) = *reset;
    }
  }
}

bool
dae_instant_system_differs(const DaeInstant *instant, const double *since)
{
  for (guint i = 0; i < instant->system_places->len; i++) {
    uint32_t p = g_array_index(instant->system_places, uint32_t, i);
    if (instant->segment[p] != since[p]) {
      return true;
    }
  }
  return false;
}

static bool
nothing_changed(const DaeInstant *instant)
{
  return memcmp(instant->segment, instant->segment + instant->at_pre,
                instant->n_discrete * sizeof(double)) == 0;
}

static GBytes *
state_of(const DaeInstant *instant)
{
  return g_bytes_new(instant->segment, instant->n_segment * sizeof(double));
}

static double
value_in(GPtrArray *states, guint i, uint32_t k)
{
  return ((const double *)g_bytes_get_data(g_ptr_array_index(states, i), NULL))[k];
}

/* The values of the cycle from state `first` on; the last state is the first one again. */
static void
tell_values(GPtrArray *states, guint first, uint32_t k, bool is_boolean, GString *text)
{
  enum { MOST_SHOWN = 8 };

  for (guint i = first; i < states->len && i < first + MOST_SHOWN; i++) {
    double value = value_in(states, i, k);
    g_string_append(text, i == first ? "" : ", ");
    if (is_boolean) {
      g_string_append(text, value > 0.5 ? "true" : "false");
    } else {
      g_string_append_printf(text, "%.10g", value);
    }
  }
  g_string_append(text, states->len > first + MOST_SHOWN ? ", ..." : "");
}

static void
tell_cycle(const Event *event, GPtrArray *states, GError **error)
{
  const DaeInstant *instant = event->instant;
  g_autoptr(GString) text = g_string_new(NULL);
  guint first = 0;
  while (first + 2 < states->len &&
         !g_bytes_equal(g_ptr_array_index(states, first),
                        g_ptr_array_index(states, states->len - 1))) {
    first++;
  }
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    bool changes = false;
    for (guint i = first + 1; i < states->len && !changes; i++) {
      changes = value_in(states, i, k) != value_in(states, first, k);
    }
    if (changes) {
      const DaeDiscrete *discrete = dae_hybrid_discrete(instant->hybrid, k);
      g_autofree char *name = dae_term_to_string(instant->terms, discrete->now);
      g_autofree char *place = dae_span_text(discrete->span);
      g_string_append_printf(text, "\n  %s: ", name);
      tell_values(states, first, k, discrete->type == DAE_TYPE_BOOLEAN, text);
      g_string_append_printf(text, "  (%s)", place);
    }
  }
  const bool is_cycle = g_bytes_equal(g_ptr_array_index(states, first),
                                      g_ptr_array_index(states, states->len - 1));
  g_autofree char *steps = g_strdup_printf("is not over after %u steps", MOST_ITERATIONS);
  g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
              "the event at t = %.10g never ends: its iteration %s; these change:%s", event->t,
              is_cycle ? "came back to values it had before" : steps, text->str);
}

/* A value without a number (a division by zero) cannot be kept: there is no such instant. They are
 * those that the settling has looked at last. */
static bool
values_exist(const Event *event, GError **error)
{
  const DaeInstant *instant = event->instant;
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    if (isfinite(instant->discrete.out[k])) {
      continue;
    }
    const DaeDiscrete *discrete = dae_hybrid_discrete(instant->hybrid, k);
    g_autofree char *name = dae_term_to_string(instant->terms, discrete->now);
    g_autofree char *place = dae_span_text(discrete->span);
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                "at the event at t = %.10g the discrete variable %s has no finite value (%s)",
                event->t, name, place);
    return false;
  }
  return true;
}

/* States jump only by reinit, or where constraints came that do not hold. */
static bool
jump(Event *event, const GArray *resets, GError **error)
{
  DaeInstant *instant = event->instant;
  uint32_t row = 0;
  if (resets->len == 0 && (!dae_instant_system_differs(instant, instant->before) ||
                           dae_solve_residual(instant, event->t, event->x, &row) < 1e-8)) {
    return true;
  }
  event->has_jumped = true;
  instant->must_solve = true; /* what follows */
  return dae_restart_solve(instant, event->t, event->x, (const DaeReset *)(void *)resets->data,
                           resets->len, error);
}

/* Relations of time that are other ones than before the event. One that began it may be as it
 * was when it is over (`when time - pre(t0) >= 3 then t0 = time`), so this is looked at after
 * the first settling too. */
static void
note_time_causes(DaeInstant *instant)
{
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    uint32_t p = instant->at_buffer + b;
    DaeGuardKind kind = dae_buffers_get(instant->buffers, b)->guard;
    if ((kind == DAE_GUARD_TIME || kind == DAE_GUARD_LINEAR_TIME) &&
        instant->segment[p] != instant->before[p]) {
      g_hash_table_add(instant->causes, GUINT_TO_POINTER(p));
    }
  }
}

static bool
iterate(Event *event, GError **error)
{
  DaeInstant *instant = event->instant;
  g_autoptr(GHashTable) visited = g_hash_table_new(g_bytes_hash, g_bytes_equal);
  g_autoptr(GPtrArray) states = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
  g_autoptr(GArray) resets = g_array_new(FALSE, TRUE, sizeof(DaeReset));
  bool is_held = false;
  for (uint32_t k = 0; k < MOST_ITERATIONS; k++) {
    event->result->iterations++;
    g_array_set_size(resets, 0);
    if (!dae_settle_at_event(instant, event->t, event->x, &is_held, error) ||
        !values_exist(event, error)) {
      return false;
    }
    if (k == 0) {
      note_time_causes(instant);
    }
    collect_actions(event, resets);
    note_resets(instant, resets);
    if (!jump(event, resets, error)) {
      return false;
    }
    if (nothing_changed(instant) && resets->len == 0) {
      return true;
    }
    if (k >= FIRST_REMEMBERED) {
      g_ptr_array_add(states, state_of(instant));
      /* where states were set, values may come back and go on with others */
      if (resets->len == 0 &&
          !g_hash_table_add(visited, g_ptr_array_index(states, states->len - 1))) {
        tell_cycle(event, states, error);
        return false;
      }
    }
    bool ticks = instant->ticking != NULL && dae_ticking_find_events(instant->ticking);
    take_pre(instant, event->t, event->x);
    if (ticks && !dae_ticking_at_event(instant->ticking, event->t, event->x, error)) {
      return false;
    }
  }
  tell_cycle(event, states, error);
  return false;
}

/* Samples are over, initial() too: values that only follow them go along; nothing fires. Behind
 * terminal() there is nothing: it stays. */
static void
end_phases(DaeInstant *instant, double t, const double *x)
{
  dae_clock_untick(instant);
  if (!dae_hybrid_is_trivial(instant->hybrid)) {
    instant->segment[instant->at_initial] = 0;
  }
  dae_point_functions_eval(instant, &instant->followers, t, x);
  for (guint i = 0; i < instant->follower_places->len; i++) {
    instant->segment[g_array_index(instant->follower_places, uint32_t, i)] =
        instant->followers.out[i];
  }
  take_pre(instant, t, x);
}

/* Only the relations: counters may tell each round from the one before. */
static GBytes *
positions_of(const DaeInstant *instant)
{
  return g_bytes_new(instant->segment + instant->at_buffer,
                     instant->n_buffers * sizeof(double));
}

/* Positions that can go on. Where each position leads back to one that was there before (a
 * fold: the branch of solutions ends here), the path to another branch is followed. */
static bool
settle_right_limits(Event *event, GError **error)
{
  DaeInstant *instant = event->instant;
  if (instant->guard_buffers->len == 0) {
    return true;
  }
  g_autoptr(GHashTable) visited =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  g_hash_table_add(visited, positions_of(instant));
  bool may_jump = true;
  double step = 0;
  while (dae_take_right_limits(instant, event->t, event->x, &step)) {
    if (!iterate(event, error)) {
      return false;
    }
    if (g_hash_table_add(visited, positions_of(instant))) {
      continue;
    }
    if (!may_jump || !dae_path_jump(instant, event->t, event->x, step)) {
      return true; /* it chatters: the run tells */
    }
    may_jump = false;
    if (!iterate(event, error)) {
      return false;
    }
    g_hash_table_add(visited, positions_of(instant));
  }
  return true;
}

static void
note_changes(Event *event, const double *x_begin)
{
  DaeInstant *instant = event->instant;
  DaeInstantResult *result = event->result;
  bool is_new = false;
  if (!event->has_jumped && !dae_instant_system_differs(instant, instant->before)) {
    memcpy(event->x, x_begin, instant->n * sizeof(double));
  }
  for (uint32_t p = 0; p < instant->n_segment && !is_new; p++) {
    bool is_pre = p >= instant->at_pre && p < instant->at_sample;
    is_new = instant->segment[p] != instant->before[p] && !is_pre &&
             (p < instant->at_delay || p == instant->at_initial || p >= instant->at_buffer);
  }
  result->changed = result->changed || is_new;
  result->continuous_changed =
      result->continuous_changed || dae_instant_system_differs(instant, instant->before);
  for (uint32_t j = 0; j < instant->n; j++) {
    if (event->x[j] != x_begin[j]) {
      result->changed = true;
      result->continuous_changed = true;
    }
  }
  bool begins = event->cause == DAE_CAUSE_INITIAL;
  dae_delays_schedule(instant, event->t, event->x, event->has_jumped || begins,
                      result->continuous_changed || begins);
}

/* What is sampled is the left limit: clocks tick before anything else changes. */
static bool
tick_clocks(DaeInstant *instant, DaeCause cause, double t, const double *x, GError **error)
{
  dae_ticking_forget(instant->ticking);
  if (cause == DAE_CAUSE_INITIAL) {
    dae_ticking_begin(instant->ticking);
  }
  return (cause != DAE_CAUSE_TIME && cause != DAE_CAUSE_INITIAL) ||
         dae_ticking_at_time(instant->ticking, t, x, error);
}

/* While initial() holds: what its when-clauses say beside values, and assertions with it. Nothing
 * is set again here: the initialization has done that. */
static bool
look_at_initialization(Event *event, GError **error)
{
  DaeInstant *instant = event->instant;
  g_autoptr(GArray) resets = g_array_new(FALSE, TRUE, sizeof(DaeReset));
  instant->segment[instant->at_initial] = 1;
  collect_actions(event, resets);
  return dae_instant_check_assertions(instant, event->t, event->x, NULL, error);
}

/* With fixed steps an event is taken at the end of the step, t. */
static double
event_time(const DaeInstant *instant, double t)
{
  return instant->exact != DAE_NO_TERM
             ? fmin(t, dae_term_get_double(instant->terms, instant->exact))
             : t;
}

bool
dae_instant_event(DaeInstant *instant, DaeCause cause, double t, double *x,
                  const uint32_t *flipped, uint32_t n_flipped, DaeInstantResult *result,
                  GError **error)
{
  g_autoptr(GArray) failed = dae_instant_told_new();
  g_autofree double *x_begin = g_memdup2(x, (instant->n + 1) * sizeof(double));
  Event event = {instant, t, x, failed, result, cause, false};
  *result = (DaeInstantResult){.iterations = 0};
  memcpy(instant->before, instant->segment, instant->n_segment * sizeof(double));
  memcpy(instant->solved, instant->segment, instant->n_segment * sizeof(double));
  instant->must_solve = cause == DAE_CAUSE_INITIAL;
  dae_restart_project(instant, t, x);
  memset(instant->is_right_limit, 0, instant->n_buffers);
  memset(instant->reach, 0, instant->n_buffers * sizeof(double));
  memset(instant->is_crossed_at_once, 0, instant->n_buffers);
  g_hash_table_remove_all(instant->causes);
  g_array_set_size(instant->resets, 0);
  take_pre(instant, t, x);
  if (instant->needs_slopes) {
    instant->parts.slopes(instant->parts.user, t, x, instant->segment, instant->xdot);
  }
  dae_delays_note_left(instant, t, x);
  if (cause != DAE_CAUSE_TERMINAL) { /* nothing follows then */
    dae_delays_move(instant, t, event_time(instant, t), x);
  }
  if (!dae_hybrid_is_trivial(instant->hybrid)) {
    if (cause == DAE_CAUSE_INITIAL && !look_at_initialization(&event, error)) {
      return false;
    }
    instant->segment[instant->at_initial] = 0;
    instant->segment[instant->at_terminal] = cause == DAE_CAUSE_TERMINAL ? 1 : 0;
  }
  if (instant->ticking != NULL && !tick_clocks(instant, cause, t, x, error)) {
    return false;
  }
  if (cause == DAE_CAUSE_TIME || cause == DAE_CAUSE_INITIAL) {
    dae_clock_tick(instant);
  }
  if (fabs(event_time(instant, t) - t) <= dae_instant_same_time(instant, t)) {
    dae_take_coincident(instant, cause, t, x, flipped, n_flipped);
  }
  for (uint32_t i = 0; i < n_flipped; i++) {
    flip(instant, flipped[i], t, x);
    g_hash_table_add(instant->causes, GUINT_TO_POINTER(instant->at_buffer + flipped[i]));
  }
  if (!iterate(&event, error)) {
    return false;
  }
  for (uint32_t k = 0; cause == DAE_CAUSE_INITIAL && k < MOST_BEGINNINGS &&
                       dae_delays_began_otherwise(instant, t, x);
       k++) { /* before the start delay(e, T) is e at the start */
    dae_delays_begin(instant, t, x);
    if (!iterate(&event, error)) {
      return false;
    }
  }
  for (uint32_t k = 0; k < MOST_BEGINNINGS && cause != DAE_CAUSE_TERMINAL &&
                       dae_delays_move(instant, t, event_time(instant, t), x);
       k++) {
    if (!iterate(&event, error)) { /* a delay time has changed, and with it what is delayed */
      return false;
    }
  }
  if (cause == DAE_CAUSE_INITIAL) {
    dae_delays_note_left(instant, t, x); /* what was before is not a jump */
  }
  end_phases(instant, t, x);
  if (!settle_right_limits(&event, error)) {
    return false;
  }
  note_time_causes(instant);
  note_changes(&event, x_begin);
  return dae_instant_tell_actions(event.instant, event.failed, event.t, error) &&
         dae_instant_check_assertions(instant, t, x, NULL, error);
}

bool
dae_instant_check_assertions(DaeInstant *instant, double t, const double *x, const double *xdot,
                             GError **error)
{
  const DaeModel *model = instant->parts.model;
  uint32_t n = instant->assertions.n;
  if (n == 0) {
    return true;
  }
  if (xdot != NULL) {
    memcpy(instant->xdot, xdot, instant->n * sizeof(double));
  } else if (instant->needs_slopes) {
    instant->parts.slopes(instant->parts.user, t, x, instant->segment, instant->xdot);
  }
  dae_point_functions_eval(instant, &instant->assertions, t, x);
  for (uint32_t i = 0; i < n; i++) {
    uint8_t *told = &g_array_index(instant->told, uint8_t, i);
    const DaeAssertion *assertion = dae_model_assertion(model, i);
    if (!(instant->assertions.out[i] < 0.5) || *told != 0) {
      continue;
    }
    *told = 1;
    if (!dae_instant_tell_failure(instant, assertion, t, x, error)) {
      return false;
    }
  }
  return true;
}

uint32_t
dae_instant_n_literal_assertions(const DaeInstant *instant)
{
  return instant->literal_number->len;
}

bool
dae_instant_literal_assertions_hold(DaeInstant *instant, double t, const double *x,
                                    const double *xdot)
{
  memcpy(instant->xdot, xdot, instant->n * sizeof(double));
  dae_point_functions_eval(instant, &instant->literal, t, x);
  for (guint k = 0; k < instant->literal_number->len; k++) {
    uint32_t i = g_array_index(instant->literal_number, uint32_t, k);
    if (instant->literal.out[k] < 0.5 && g_array_index(instant->told, uint8_t, i) == 0) {
      return false;
    }
  }
  return true;
}

/* A Real value: a discrete Real variable, pre of one, the left limit of an unknown, an unknown that
 * is held. */
static bool
is_real_value(const DaeInstant *instant, uint32_t p)
{
  bool is_pre = p >= instant->at_pre && p < instant->at_pre + instant->n_discrete;
  if (p < instant->n_discrete || is_pre) {
    return dae_hybrid_discrete(instant->hybrid, is_pre ? p - instant->at_pre : p)->type ==
           DAE_TYPE_REAL;
  }
  return (p >= instant->at_cpre && p < instant->at_delay) ||
         (p >= instant->at_open && p < instant->at_open + 2 * instant->parts.n_open &&
          (p - instant->at_open) % 2 == 1);
}

/* FNV-1a over what the continuous system sees of relations, truth values and numbers, and of
 * Real values where they are in its Jacobian: a controller's output that is added to the right-hand
 * side is no other mode. */
uint64_t
dae_instant_mode(const DaeInstant *instant)
{
  uint64_t hash = 14695981039346656037u;
  for (guint i = 0; i < instant->system_places->len; i++) {
    uint32_t p = g_array_index(instant->system_places, uint32_t, i);
    bool is_delay = p >= instant->at_delay && p < instant->at_initial;
    if (!is_delay && /* those change with every step */
        (instant->in_jacobian[p] != 0 || !is_real_value(instant, p))) {
      uint64_t bits = 0;
      memcpy(&bits, &instant->segment[p], sizeof bits);
      for (int k = 0; k < 8; k++) {
        hash = (hash ^ ((bits >> (8 * k)) & 255u)) * 1099511628211u;
      }
    }
  }
  return hash != 0 ? hash : 1;
}
