/* Events of exported C, second part: when one is due, and the history of the method after it.
 *
 * Like events.c, which it continues, this is a C file that becomes text at build time. */
#include "model.h"

/* part: event_times */
/* ---- when ---- */

/* The next time event after the last one that was taken. */
static double
model_next_time(model_instance *s, double t, const double *x)
{
  double next = HUGE_VAL;
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_SAMPLES; i++) {
    const double tick = model_tick_start[i] + s->tick[i] * model_tick_interval[i];
    next = tick < next ? tick : next;
  }
#if MODEL_WITH_CLOCKS
  {
    const double tick = model_next_tick(s);
    next = tick < next ? tick : next;
  }
#endif /* CLOCKS */
#if MODEL_WITH_DELAYS
  {
    const double later = model_next_break(s, t + MODEL_GRID_ROUNDING);
    next = later < next ? later : next;
  }
#endif /* DELAYS */
#if MODEL_WITH_TIME_GUARDS
  {
    const double zero = model_next_zero(s, t + MODEL_GRID_ROUNDING);
    next = zero < next ? zero : next;
  }
#endif /* TIME_GUARDS */
  model_evaluate_guards(s, t, x);
  for (i = 0u; i + 1u <= MODEL_N_BUFFERS; i++) {
    const double slope = s->guard[2u * MODEL_N_BUFFERS + i];
    double level;
    if (model_guard_kind[i] == MODEL_LINEAR_IN_TIME && (slope < 0.0 || slope > 0.0) &&
        model_next_level(model_buffer_kind[i], s->segment[MODEL_AT_BUFFER + i], slope > 0.0,
                         &level) != 0) {
      const double here = s->guard[i] + slope * (s->taken - t);
      const double wait = (level - here) / slope;
      next = wait > 0.0 && s->taken + wait < next ? s->taken + wait : next;
    }
  }
  return next;
}

/* Relations that have left their side in the last step. */
static int
model_find_crossed(model_instance *s, double t, const double *x)
{
  int any = 0;
  unsigned b;
#if MODEL_WITH_EVENT_SLOPES
  if (model_find_start_slopes(t, x, s->rate) != 0) {
    return 0;
  }
#endif /* EVENT_SLOPES */
  model_evaluate_guards(s, t, x);
  for (b = 0u; b + 1u <= MODEL_N_BUFFERS; b++) {
    const double value = s->segment[MODEL_AT_BUFFER + b];
    const double g = s->guard[b];
    const unsigned kind = model_buffer_kind[b];
    int side;
    s->is_crossed[b] = 0u;
    if (model_guard_kind[b] == MODEL_OF_STATES) {
      s->is_crossed[b] =
          model_buffer_distance(kind, value, g, &side) < -s->threshold[b] ? 1u : 0u;
      any |= s->is_crossed[b] != 0u;
    } else if (model_guard_kind[b] == MODEL_OF_TIME) {
      const double now = model_buffer_value(kind, g);
      any |= now < value || now > value;
    }
  }
  return any;
}

/* part: event_steps */
/* The history of the method: one point, with its slopes. */
static int
model_begin_again(model_instance *s)
{
  unsigned i;
  unsigned k;
  int status = 0;
  for (k = 0u; k < 6u; k++) {
    s->at[k] = k;
    for (i = 0u; i + 1u <= MODEL_N; i++) {
      s->x[k][i] = s->point[i];
    }
  }
#if MODEL_WITH_EXPLICIT
  for (k = 0u; k < 5u; k++) {
    s->slope_at[k] = k;
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->slope[0][i] = 0.0;
  }
  status = model_find_slopes(s, s->t, s->point, s->slope[0]);
  if (status == 0) {
    status = model_find_slopes(s, s->t, s->point, s->slope[0]);
  }
  for (k = 1u; k < 5u; k++) {
    for (i = 0u; i + 1u <= MODEL_N; i++) {
      s->slope[k][i] = s->slope[0][i];
    }
  }
#endif /* EXPLICIT */
  s->shown = 0u;
  return status;
}

/* Everything that happens at the end of a step. */
static int
model_take_events(model_instance *s, int must)
{
  const double t = s->t;
  const double *x = model_values(s);
  int any;
  int status = 0;
  double next;
  unsigned i;
  any = model_find_crossed(s, t, x) | must;
#if MODEL_WITH_VARYING
  {
    unsigned breaks;
    int moved;
    status = model_enter_pieces(s, t, x, 0, &breaks, &moved);
    if (status != 0) {
      return status;
    }
    any |= breaks > 0u;
  }
#endif /* VARYING */
  next = model_next_time(s, t, x);
  s->is_fresh = 0;
  if (any == 0 && next > t + MODEL_GRID_ROUNDING) {
    return 0;
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->point[i] = x[i];
  }
  while (status == 0 && (any != 0 || next <= t + MODEL_GRID_ROUNDING) &&
         (any != 0 || s->rounds < MODEL_EVENT_ROUNDS)) {
    const double tau = next <= t + MODEL_GRID_ROUNDING ? next : t;
    status = model_instant(s, t, tau, 0);
    s->taken = tau;
#if MODEL_WITH_TIME_GUARDS
    if (status == 0 && model_leave_touch(s, tau) != 0) {
      status = model_instant(s, t, tau, 0);
    }
#endif /* TIME_GUARDS */
    any = 0;
    next = model_next_time(s, t, s->point);
  }
  s->most_rounds = s->rounds > s->most_rounds ? s->rounds : s->most_rounds;
  if (status != 0 && status < MODEL_ASSERTION) {
    return status;
  }
  model_set_thresholds(s, t, s->point);
  if (s->is_fresh != 0) {
    const int begun = model_begin_again(s);
    status = begun != 0 ? begun : status;
  }
  return status;
}

/* part: event_begin */
/* The values that the exported start has, for an instance that begins. */
static void
model_begin_events(model_instance *s)
{
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
    s->segment[i] = model_segment_start[i];
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->rate[i] = model_start_slopes[i];
  }
  for (i = 0u; i + 1u <= MODEL_N_SAMPLES; i++) {
    const double count =
        (MODEL_T_START + MODEL_SAME_TIME - model_tick_start[i]) / model_tick_interval[i];
    s->tick[i] = count < 0.0 ? 0.0 : floor(count) + 1.0;
  }
  s->taken = MODEL_T_START;
  s->events = 0l;
  s->most_rounds = 0u;
  s->is_fresh = 0;
  s->message = "";
  s->warning = "";
  s->n_warnings = 0ul;
#if MODEL_WITH_TIME_GUARDS
  for (i = 0u; i < MODEL_N_TIME; i++) {
    s->touch[i] = HUGE_VAL;
  }
#endif /* TIME_GUARDS */
#if MODEL_WITH_CLAIMS
  for (i = 0u; i < MODEL_N_CLAIMS; i++) {
    s->is_told[i] = 0u;
  }
#endif /* CLAIMS */
  model_segment = s->segment;
#if MODEL_WITH_CLOCKS
  model_begin_clocks(s);
#endif /* CLOCKS */
#if MODEL_WITH_DELAYS
  model_begin_delays(s);
#endif /* DELAYS */
}

#if MODEL_WITH_DELAYS
#if MODEL_WITH_PARAMETERS
/* Is e at the start another value than delay(e, T) has? It has that then. */
static int
model_began_otherwise(model_instance *s)
{
  const double *x = model_values(s);
  int changed = model_evaluate_delayed(s, s->t, x);
  unsigned i;
  for (i = 0u; i < MODEL_N_DELAYS; i++) {
    const unsigned place = MODEL_AT_DELAY + MODEL_DELAY_ATOMS * i + 1u;
    changed |= model_put(s, place, s->delayed[i]);
  }
  model_begin_delays(s);
  return changed;
}

#endif /* PARAMETERS */
#endif /* DELAYS */
/* Parameters may have been set: then relations and what follows them are found again. */
static int
model_take_first_events(model_instance *s)
{
  int status = 0;
  s->rounds = 0u;
#if MODEL_WITH_PARAMETERS
  if (model_n_set > 0u) {
    unsigned b;
    model_evaluate_guards(s, s->t, s->x[0]);
    for (b = 0u; b + 1u <= MODEL_N_BUFFERS; b++) {
      s->segment[MODEL_AT_BUFFER + b] = model_buffer_value(model_buffer_kind[b], s->guard[b]);
    }
#if MODEL_WITH_CLOCKS
    model_unwind_clocks(s);
#endif /* CLOCKS */
    status = model_take_events(s, 1);
#if MODEL_WITH_DELAYS
    for (b = 0u; b < 8u && status == 0 && model_began_otherwise(s) != 0; b++) {
      s->rounds = 0u;
      status = model_take_events(s, 1);
    }
#endif /* DELAYS */
  }
  s->n_seen = model_n_set;
#endif /* PARAMETERS */
  model_set_thresholds(s, s->t, s->x[0]);
#if MODEL_WITH_CLAIMS
  status = status != 0 ? status : model_check_claims(s, s->t, s->x[0]);
#endif /* CLAIMS */
#if MODEL_WITH_ENDED_START
  s->message = model_start_message[0];
  status = status != 0 ? status : MODEL_TERMINATED;
#endif /* ENDED_START */
  return status;
}

/* Before a step: inputs that were set since the last one may change discrete values. */
static int
model_take_inputs(model_instance *s)
{
  const double *x = model_values(s);
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->begin[i] = x[i];
  }
  model_segment = s->segment;
  s->rounds = 0u;
#if MODEL_WITH_DELAYS
  model_move_delays(s, s->t + MODEL_GRID_ROUNDING);
#endif /* DELAYS */
#if MODEL_WITH_PARAMETERS
  if (s->n_seen != model_n_set) {
    const int is_fresh = s->is_fresh;
    const int status = model_take_events(s, 1);
    s->n_seen = model_n_set;
    s->is_fresh |= is_fresh;
    return status;
  }
#endif /* PARAMETERS */
  return 0;
}

int
model_finish(model_instance *s)
{
  const double *x = model_values(s);
  unsigned i;
  int status;
  model_segment = s->segment;
  s->rounds = 0u;
  s->is_fresh = 0;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->point[i] = x[i];
  }
  status = model_instant(s, s->t, s->t, 1);
  if ((status == 0 || status >= MODEL_ASSERTION) && s->is_fresh != 0) {
    const int begun = model_begin_again(s);
    status = begun != 0 ? begun : status;
  }
#if MODEL_WITH_CLAIMS
  return status != 0 ? status : model_check_claims(s, s->t, s->point);
#endif /* CLAIMS */
#if MODEL_WITH_NO_CLAIMS
  return status;
#endif /* NO_CLAIMS */
}
