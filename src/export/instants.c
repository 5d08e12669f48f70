/* Events of exported C: one instant, from its left limit to its right one (instant/event.c). It
 * continues events.c and becomes text at build time like it. */
#include "model.h"

/* part: event_resets */
/* States that when-clauses set. */
static int
model_jump_states(model_instance *s, double t, double *x)
{
#if MODEL_WITH_JUMPS
  if (s->n_resets > 0u ||
      (model_system_differs(s, s->before) != 0 && model_constraints_hold(s, t, x, 1e-8) == 0)) {
    s->has_jumped = 1;
    s->must_solve = 1; /* what follows */
    return model_find_jump(s, t, x);
  }
#endif /* JUMPS */
#if MODEL_WITH_NO_JUMPS
  unsigned i;
  for (i = 0u; i < s->n_resets; i++) {
    x[s->reset_column[i]] = s->reset_value[i];
    s->has_jumped = 1;
    s->must_solve = 1; /* what follows */
  }
  (void)t;
#endif /* NO_JUMPS */
  return 0;
}

/* What ends the run, perhaps nothing. */
static int
model_tell(model_instance *s, unsigned kind, unsigned number, const char *message, double t,
           const double *x, int status)
{
#if MODEL_WITH_WORDS
  if (model_has_words[number] != 0u) {
    model_writer to;
    to.text = kind == MODEL_WARNING ? s->warning_text
              : kind == MODEL_PRINT ? s->print_text
                                    : s->message_text;
    to.text[0] = '\0';
    to.length = 0u;
    model_words(t, x, s->rate, s->word);
    model_write_message(&to, number, s->word);
    message = to.text;
  }
#endif /* WORDS */
#if MODEL_WITH_NO_WORDS
  (void)number;
  (void)t;
  (void)x;
#endif /* NO_WORDS */
#if MODEL_WITH_PRINTS
  if (kind == MODEL_PRINT) {
    (void)fprintf(stderr, "%s\n", message);
    return status;
  }
#endif /* PRINTS */
  if (kind == MODEL_WARNING) {
    s->warning = message;
    s->n_warnings++;
    return status;
  }
  s->message = message;
  return kind == MODEL_TERMINATE ? MODEL_TERMINATED : MODEL_ASSERTION;
}

/* part: event_instant */
/* ---- an instant ---- */

#if MODEL_WITH_CLAIMS
/* Assertions outside of when-clauses, each told once. */
static int
model_check_claims(model_instance *s, double t, const double *x)
{
  int status = 0;
  unsigned i;
#if MODEL_WITH_EVENT_SLOPES
  if (model_find_start_slopes(t, x, s->rate) != 0) {
    return 0;
  }
#endif /* EVENT_SLOPES */
  model_claims(t, x, s->rate, s->claim);
  for (i = 0u; i < MODEL_N_CLAIMS; i++) {
    if (s->claim[i] < 0.5 && s->is_told[i] == 0u) {
      s->is_told[i] = 1u;
      status = model_tell(s, model_claim_kind[i], MODEL_N_ACTIONS + i, model_claim_message[i],
                          t, x, status);
    }
  }
  return status;
}

#endif /* CLAIMS */
/* A value that is not a number (a division by 0) cannot be kept. */
static int
model_values_exist(const model_instance *s)
{
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_DISCRETE; i++) {
    if (!(s->value[i] - s->value[i] >= 0.0)) {
      return 0;
    }
  }
  return 1;
}

/* What when-clauses do beside assignments: 0, or what ends the run. */
static int
model_take_actions(model_instance *s, double t, const double *x)
{
  int status = 0;
  unsigned i;
  s->n_resets = 0u;
  model_actions(t, x, s->rate, s->action);
  for (i = 0u; i + 1u <= MODEL_N_ACTIONS; i++) {
    if (!(s->action[i] > 0.5)) {
      continue;
    }
    if (model_action_kind[i] == MODEL_REINIT) {
      s->reset_column[s->n_resets] = model_action_target[i];
      s->reset_value[s->n_resets] = s->action[MODEL_N_ACTIONS + i];
      s->n_resets++;
    } else if (model_action_kind[i] == MODEL_TERMINATE ||
               !(s->action[MODEL_N_ACTIONS + i] > 0.5)) {
      status = model_tell(s, model_action_kind[i], i, model_action_message[i], t, x, status);
    }
  }
  return status;
}

static int
model_iterate(model_instance *s, double t, double tau, double *x)
{
  int ending = 0;
  int changed = 1;
  while (changed != 0) {
    unsigned i;
    int status = model_settle(s, t, tau, x);
    status = status == 0 && model_values_exist(s) == 0 ? MODEL_DOMAIN : status;
    if (status == 0) {
      status = model_take_actions(s, t, x);
      ending = status != 0 ? status : ending;
      status = model_jump_states(s, t, x);
    }
    if (status != 0) {
      return status;
    }
    changed = s->n_resets > 0u;
    for (i = 0u; i + 1u <= MODEL_N_DISCRETE; i++) {
      const double pre = s->segment[MODEL_AT_PRE + i];
      changed |= s->segment[i] < pre || s->segment[i] > pre;
    }
    if (changed != 0) {
#if MODEL_WITH_CLOCKS
      const int ticks = model_find_ticks(s);
#endif /* CLOCKS */
      model_take_pre(s, t, x);
#if MODEL_WITH_CLOCKS
      status = ticks != 0 ? model_tick_at_event(s, t, x) : 0;
      if (status != 0 && status < MODEL_ASSERTION) {
        return status;
      }
      ending = status != 0 ? status : ending;
#endif /* CLOCKS */
    }
  }
  return ending;
}

/* Samples are over: values that only follow them go along; nothing fires. */
static void
model_end_phases(model_instance *s, double t, const double *x)
{
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_SAMPLES; i++) {
    s->segment[MODEL_AT_SAMPLE + i] = 0.0;
  }
  model_discrete(t, x, s->rate, s->value);
  for (i = 0u; i + 1u <= MODEL_N_DISCRETE; i++) {
    if (model_is_when[i] == 0u) {
      s->segment[i] = s->value[i];
    }
  }
  model_take_pre(s, t, x);
}

/* part: event_sides */
/* The other side of a relation that a step has crossed. */
static void
model_flip(model_instance *s, unsigned b)
{
  double *value = &s->segment[MODEL_AT_BUFFER + b];
  int side;
  (void)model_buffer_distance(model_buffer_kind[b], *value, s->guard[b], &side);
  if (model_buffer_kind[b] == MODEL_POSITIVE || model_buffer_kind[b] == MODEL_NONNEGATIVE) {
    *value = 1.0 - *value;
  } else {
    *value += side;
  }
  s->is_right[b] = 1u;
}

static void
model_set_thresholds(model_instance *s, double t, const double *x)
{
  unsigned b;
  model_evaluate_guards(s, t, x);
  for (b = 0u; b + 1u <= MODEL_N_BUFFERS; b++) {
    int side;
    const double inside = model_buffer_distance(
        model_buffer_kind[b], s->segment[MODEL_AT_BUFFER + b], s->guard[b], &side);
    s->threshold[b] = 1e-10 * (s->guard[MODEL_N_BUFFERS + b] + model_guard_nominal[b]);
    if (inside < 0.0 && -2.0 * inside > s->threshold[b]) {
      s->threshold[b] = -2.0 * inside;
    }
  }
}

/* part: event_right_limits */
#if MODEL_WITH_RELATIONS
/* x a short time later, along its slopes. */
static int
model_look_ahead(model_instance *s, double t, const double *x, double step)
{
  unsigned i;
  int status = 0;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->ahead[i] = 0.0;
  }
  for (i = 0u; i < 2u && status == 0; i++) {
    status = model_find_slopes(s, t, x, s->ahead);
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->ahead[i] = x[i] + step * s->ahead[i];
  }
#if MODEL_WITH_ALGEBRAIC
  for (i = 0u; i < MODEL_EVENT_NEWTON && status == 0; i++) {
    status = model_correct_algebraic(s, t + step, s->ahead);
  }
#endif /* ALGEBRAIC */
  return status;
}

/* A relation that stands at 0 and goes to its other side is there just after the event
 * (instant/event.c). */
static int
model_take_right_limits(model_instance *s, double t, const double *x)
{
  const double step = 1e-7 * (1.0 + fabs(t));
  int any = 0;
  int side;
  unsigned b;
  model_evaluate_guards(s, t, x);
  for (b = 0u; b < MODEL_N_BUFFERS; b++) {
    s->here[b] = model_buffer_distance(model_buffer_kind[b], s->segment[MODEL_AT_BUFFER + b],
                                       s->guard[b], &side);
    s->is_crossed[b] = model_guard_kind[b] == MODEL_OF_STATES &&
                               fabs(s->here[b]) < 1e-8 * (s->guard[MODEL_N_BUFFERS + b] +
                                                          model_guard_nominal[b])
                           ? 1u
                           : 0u;
    any |= s->is_crossed[b] != 0u;
  }
  if (any == 0 || model_look_ahead(s, t, x, step) != 0) {
    any = 0;
  } else {
    model_evaluate_guards(s, t + step, s->ahead);
    any = 0;
    for (b = 0u; b < MODEL_N_BUFFERS; b++) {
      double *value = &s->segment[MODEL_AT_BUFFER + b];
      const double there =
          model_buffer_distance(model_buffer_kind[b], *value, s->guard[b], &side);
      const double least =
          1e-9 * (s->guard[MODEL_N_BUFFERS + b] + 1e-3 * model_guard_nominal[b]);
      if (s->is_crossed[b] != 0u && there < s->here[b] - least && there < 0.0) {
        *value = model_buffer_value(model_buffer_kind[b], s->guard[b]);
        s->is_right[b] = 1u;
        any = 1;
      }
    }
  }
  for (b = 0u; b < MODEL_N_BUFFERS; b++) {
    s->is_crossed[b] = 0u;
  }
  return any;
}

#endif /* RELATIONS */
/* part: event_coincidence */
#if MODEL_WITH_RELATIONS
/* Has a relation its new value at the end of its range (x >= 1), or behind it only (x > 1)? */
static int
model_changes_at_end(model_instance *s, unsigned b)
{
  const unsigned kind = model_buffer_kind[b];
  const int is_relation = kind == MODEL_POSITIVE || kind == MODEL_NONNEGATIVE;
  const double now =
      model_buffer_value(kind, is_relation != 0 ? 0.0 : floor(s->guard[b] + 0.5));
  const double value = s->segment[MODEL_AT_BUFFER + b];
  return now < value || now > value;
}

/* 1: all that begins the instant changes behind its 0 only; *is_time: something of time does. */
static int
model_begins_behind(model_instance *s, double t, double tau, int *is_time)
{
  int behind = 1;
  unsigned b;
#if MODEL_WITH_CLOCKS
  behind = 0;
#endif /* CLOCKS */
  *is_time = 0;
  for (b = 0u; b + 1u <= MODEL_N_SAMPLES; b++) {
    const double tick = model_tick_start[b] + s->tick[b] * model_tick_interval[b];
    *is_time |= fabs(tick - tau) <= MODEL_SAME_TIME;
  }
  behind = behind != 0 && *is_time == 0;
  for (b = 0u; b < MODEL_N_BUFFERS; b++) {
    const double g = s->guard[b];
    const double value = s->segment[MODEL_AT_BUFFER + b];
    double now = value;
    if (model_guard_kind[b] == MODEL_LINEAR_IN_TIME) {
      now = model_value_after(model_buffer_kind[b], g, s->guard[2u * MODEL_N_BUFFERS + b],
                              s->guard[MODEL_N_BUFFERS + b], t, tau);
    } else if (model_guard_kind[b] == MODEL_OF_TIME) {
      now = model_buffer_value(model_buffer_kind[b], g);
    }
    if (now < value || now > value || s->is_crossed[b] != 0u) {
      *is_time |= model_guard_kind[b] != MODEL_OF_STATES;
      behind = behind != 0 && model_changes_at_end(s, b) == 0;
    }
  }
  return behind;
}

/* A relation that reaches 0 in the very instant of an event is part of it: it is marked as crossed
 * (instant/right_limit.c). */
static void
model_take_coincident(model_instance *s, double t, double tau, const double *x)
{
  enum { NEAR = 2 };

  double step = 1e-7 * (1.0 + fabs(t));
  double soon = step;
  int any = 0;
  int is_time;
  int behind;
  int side;
  unsigned b;
  unsigned look;
  if (fabs(t - tau) > soon) {
    return;
  }
  model_evaluate_guards(s, t, x);
  behind = model_begins_behind(s, t, tau, &is_time);
  soon *= is_time != 0 ? 1.0 : 1e-5;
  for (b = 0u; b < MODEL_N_BUFFERS; b++) {
    s->here[b] = model_buffer_distance(model_buffer_kind[b], s->segment[MODEL_AT_BUFFER + b],
                                       s->guard[b], &side);
    if (s->is_crossed[b] == 0u && model_guard_kind[b] == MODEL_OF_STATES &&
        fabs(s->here[b]) < 1e-8 * (s->guard[MODEL_N_BUFFERS + b] + model_guard_nominal[b]) &&
        (behind != 0 || model_changes_at_end(s, b) != 0)) {
      s->is_crossed[b] = NEAR;
      any = 1;
    }
  }
  for (look = 0u; look < 3u && any != 0; look++) {
    step *= look > 0u ? 100.0 : 1.0;
    any = model_look_ahead(s, t, x, step) == 0;
    model_evaluate_guards(s, t + step, s->ahead);
    for (b = 0u; b < MODEL_N_BUFFERS; b++) {
      const double there = model_buffer_distance(
          model_buffer_kind[b], s->segment[MODEL_AT_BUFFER + b], s->guard[b], &side);
      const double way = there - s->here[b];
      if (any != 0 && s->is_crossed[b] == NEAR &&
          fabs(way) > 1e-9 * (s->guard[MODEL_N_BUFFERS + b] + 1e-3 * model_guard_nominal[b])) {
        s->is_crossed[b] =
            way < 0.0 && there < 0.0 && step * s->here[b] <= -way * soon ? 1u : 0u;
      }
    }
  }
  for (b = 0u; b < MODEL_N_BUFFERS; b++) {
    s->is_crossed[b] = s->is_crossed[b] == 1u ? 1u : 0u;
  }
}

#endif /* RELATIONS */
/* part: event_one */
/* One instant at tau, taken at t; s->point is the left limit and becomes the right one. */
static int
model_instant(model_instance *s, double t, double tau, int is_terminal)
{
  double *x = s->point;
#if MODEL_WITH_DELAYS
  unsigned turn;
#if MODEL_WITH_VARYING
  unsigned met;
  int moved;
#endif /* VARYING */
#endif /* DELAYS */
#if MODEL_WITH_CLOCKS
  int clocked = 0;
#endif /* CLOCKS */
  unsigned i;
  int status;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->left[i] = x[i];
  }
  s->has_jumped = 0;
  s->has_held = 0;
  s->must_solve = 0;
  for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
    s->before[i] = s->segment[i];
    s->solved[i] = s->segment[i];
  }
#if MODEL_WITH_EVENT_SLOPES
  if (model_find_start_slopes(t, x, s->rate) != 0) {
    return MODEL_DOMAIN;
  }
#endif /* EVENT_SLOPES */
#if MODEL_WITH_JUMPS
  if (model_constraints_hold(s, t, x, 1e-12) == 0) {
    (void)model_find_start(t, x); /* the method left it beside them */
  }
#endif /* JUMPS */
#if MODEL_WITH_DELAYS
  if (model_evaluate_delayed(s, t, x) != 0) {
    return MODEL_DOMAIN;
  }
  for (i = 0u; i < MODEL_N_DELAYS; i++) {
    s->delayed_left[i] = s->delayed[i];
  }
  turn = model_take_breaks(s, tau);
  if (is_terminal == 0) {
    model_move_delays(s, tau);
#if MODEL_WITH_VARYING
    status = model_enter_pieces(s, t, x, 1, &met, &moved);
    if (status != 0) {
      return status;
    }
    turn = met > turn ? met : turn;
#endif /* VARYING */
  }
#endif /* DELAYS */
  model_take_pre(s, t, x);
#if MODEL_WITH_RELATIONS
  if (is_terminal == 0) {
    model_take_coincident(s, t, tau, x);
  }
#endif /* RELATIONS */
#if MODEL_WITH_CLOCKS
  if (is_terminal == 0) {
    clocked = model_tick_at_time(s, t, tau, x);
    if (clocked != 0 && clocked < MODEL_ASSERTION) {
      return clocked;
    }
  }
#endif /* CLOCKS */
  model_evaluate_guards(s, t, x);
  for (i = 0u; i + 1u <= MODEL_N_BUFFERS; i++) {
    s->is_right[i] = 0u;
    if (s->is_crossed[i] != 0u) {
      model_flip(s, i);
    }
    s->is_crossed[i] = 0u;
  }
  for (i = 0u; i + 1u <= MODEL_N_SAMPLES; i++) {
    const double tick = model_tick_start[i] + s->tick[i] * model_tick_interval[i];
    const int ticks = fabs(tick - tau) <= MODEL_SAME_TIME && is_terminal == 0;
    s->segment[MODEL_AT_SAMPLE + i] = ticks != 0 ? 1.0 : 0.0;
    s->tick[i] += ticks != 0 ? 1.0 : 0.0;
  }
  s->segment[MODEL_AT_TERMINAL] = is_terminal != 0 ? 1.0 : 0.0;
  status = model_iterate(s, t, tau, x);
#if MODEL_WITH_VARYING
  moved = is_terminal == 0;
  for (i = 0u; i < 4u && status == 0 && moved != 0; i++) {
    status = model_enter_pieces(s, t, x, 1, &met, &moved);
    turn = met > turn ? met : turn;
    if (status == 0 && moved != 0) { /* a delay time has changed, and with it what is delayed */
      status = model_iterate(s, t, tau, x);
    }
  }
#endif /* VARYING */
#if MODEL_WITH_CLOCKS
  status = status != 0 ? status : clocked;
#endif /* CLOCKS */
  if (status != 0 && status < MODEL_ASSERTION) {
    return status;
  }
  model_end_phases(s, t, x);
#if MODEL_WITH_RELATIONS
  for (i = 0u; i < 4u && status == 0 && model_take_right_limits(s, t, x) != 0; i++) {
    status = model_iterate(s, t, tau, x);
  }
  if (status != 0 && status < MODEL_ASSERTION) {
    return status;
  }
#endif /* RELATIONS */
  s->events++;
#if MODEL_WITH_DELAYS
  if (status == 0) {
    status = model_schedule_delays(s, t, tau, model_is_new(s) != 0 ? 0u : turn);
  }
#endif /* DELAYS */
  if (s->has_jumped == 0 && model_system_differs(s, s->before) == 0) {
    for (i = 0u; i + 1u <= MODEL_N; i++) {
      x[i] = s->left[i];
    }
  } else {
    s->is_fresh = 1;
  }
  return status;
}
