/* delay(e, T) in exported C: the past of e in a ring of cubic polynomials, one for each step, as
 * instant/delay.c keeps it with fixed steps. An argument that changes at events only has one for
 * each of its values. With a constant T the polynomial in use is the first one of the ring; with a
 * delay time that changes it is the one in which time - T lies where a step begins, and passing a
 * jump or a kink of e is an event. Becomes text like events.c. */
#include "model.h"

/* part: event_delays */
#if MODEL_WITH_DELAYS
/* ---- what was delayed ---- */

#define MODEL_DELAY_ATOMS 8u /* t0, c0 ... c3, and three that are not used here */
#define MODEL_MOST_TURNS 6u  /* a kink that came around so often is smooth enough */

static unsigned
model_piece(const model_instance *s, unsigned i, unsigned k)
{
  return model_delay_at[i] + (s->piece_first[i] + k) % model_delay_room[i];
}

/* The polynomial in use is the first one, or that of the delayed time. */
static void
model_use_piece(model_instance *s, unsigned i)
{
  unsigned p = model_piece(s, i, 0u);
  double *place = s->segment + MODEL_AT_DELAY + MODEL_DELAY_ATOMS * i;
  unsigned k;
  place[0] = s->piece_begin[p] + model_delay_length[i];
#if MODEL_WITH_VARYING
  if (model_delay_varies[i] != 0u) {
    p = model_piece(s, i, s->piece_current[i]);
    place[0] = s->piece_begin[p];
  }
#endif /* VARYING */
  for (k = 0u; k < 4u; k++) {
    place[1u + k] = s->piece_c[p][k];
  }
}

/* A constant at first; 0: there is no room. */
static unsigned
model_add_piece(model_instance *s, unsigned i, double begin, double until, double value)
{
  unsigned p;
  unsigned k;
#if MODEL_WITH_VARYING
  if (model_delay_varies[i] != 0u && s->piece_count[i] == model_delay_room[i] &&
      s->piece_current[i] > 0u &&
      s->piece_begin[model_piece(s, i, 1u)] < begin - model_delay_length[i]) {
    s->piece_first[i] = (s->piece_first[i] + 1u) % model_delay_room[i];
    s->piece_count[i]--; /* no delay reaches back so far */
    s->piece_current[i]--;
  }
#endif /* VARYING */
  if (s->piece_count[i] == model_delay_room[i]) {
    s->delay_is_full = 1;
    return model_piece(s, i, s->piece_count[i] - 1u);
  }
  p = model_piece(s, i, s->piece_count[i]);
  s->piece_count[i]++;
  s->piece_begin[p] = begin;
  s->piece_until[p] = until;
  s->piece_turn[p] = 0u;
  s->piece_c[p][0] = value;
  for (k = 1u; k < 4u; k++) {
    s->piece_c[p][k] = 0.0;
  }
  return p;
}

/* Before the start e is what it is there; that it begins to change is a kink. */
static void
model_begin_delays(model_instance *s)
{
  unsigned i;
  s->delay_is_full = 0;
  for (i = 0u; i < MODEL_N_DELAYS; i++) {
    const double value = s->segment[MODEL_AT_DELAY + MODEL_DELAY_ATOMS * i + 1u];
    const double until =
        model_delay_held[i] != 0u ? HUGE_VAL : MODEL_T_START + model_delay_length[i];
    unsigned p;
    s->piece_first[i] = 0u;
    s->piece_count[i] = 0u;
#if MODEL_WITH_VARYING
    s->piece_current[i] = 0u;
    s->has_tail[i] = 0u;
    if (model_delay_varies[i] != 0u && model_delay_held[i] == 0u) {
      (void)model_add_piece(s, i, MODEL_T_START - 2.0 * model_delay_length[i] - 1.0, HUGE_VAL,
                            value);
      s->has_tail[i] = 1u;
    }
#endif /* VARYING */
    p = model_add_piece(s, i, MODEL_T_START, until, value);
    s->piece_turn[p] = model_delay_held[i] != 0u ? 0u : 1u;
    s->grid[i][0] = value;
    s->grid_count[i] = 1u;
    model_use_piece(s, i);
  }
}

#endif /* DELAYS */
/* part: event_recording */
#if MODEL_WITH_DELAYS
static int
model_evaluate_delayed(model_instance *s, double t, const double *x)
{
#if MODEL_WITH_EVENT_SLOPES
  if (model_find_start_slopes(t, x, s->rate) != 0) {
    return MODEL_DOMAIN;
  }
#endif /* EVENT_SLOPES */
  model_delayed(t, x, s->rate, s->delayed);
  return 0;
}

/* The step that ends at t as a cubic through the last four points, fewer after a break. */
static int
model_record_delays(model_instance *s, double t, const double *x)
{
  const double h = MODEL_STEP;
  unsigned i;
  unsigned k;
  if (model_evaluate_delayed(s, t, x) != 0) {
    return MODEL_DOMAIN;
  }
  for (i = 0u; i < MODEL_N_DELAYS; i++) {
    double *v = s->grid[i];
    double d2;
    double d3;
    unsigned p;
    if (model_delay_held[i] != 0u) {
      continue;
    }
    for (k = 3u; k > 0u; k--) {
      v[k] = v[k - 1u];
    }
    v[0] = s->delayed[i];
    s->grid_count[i] += s->grid_count[i] < 4u ? 1u : 0u;
    d2 = s->grid_count[i] > 2u ? v[0] - 2.0 * v[1] + v[2] : 0.0;
    d3 = s->grid_count[i] > 3u ? v[0] - 3.0 * v[1] + 3.0 * v[2] - v[3] : 0.0;
#if MODEL_WITH_VARYING
    if (s->has_tail[i] != 0u) { /* the piece after a break is known now */
      s->has_tail[i] = 0u;
      p = model_piece(s, i, s->piece_count[i] - 1u);
      s->piece_c[p][0] = v[1];
    } else
#endif /* VARYING */
    {
      p = model_add_piece(s, i, t - h, t + model_delay_length[i], v[1]);
    }
    s->piece_c[p][1] = (v[0] - v[1] - d2 / 2.0 - d3 / 6.0) / h;
    s->piece_c[p][2] = d2 / 2.0 / (h * h);
    s->piece_c[p][3] = d3 / 6.0 / (h * h * h);
  }
  return 0;
}

#endif /* DELAYS */
/* part: event_breaks */
#if MODEL_WITH_DELAYS
/* The breaks up to now are over; the most turns of one of them, 0: there is none. */
static unsigned
model_take_breaks(model_instance *s, double now)
{
  unsigned turn = 0u;
  unsigned i;
  unsigned k;
  for (i = 0u; i < MODEL_N_DELAYS; i++) {
#if MODEL_WITH_VARYING
    if (model_delay_varies[i] != 0u) {
      continue;
    }
#endif /* VARYING */
    for (k = 0u; k < s->piece_count[i]; k++) {
      const unsigned p = model_piece(s, i, k);
      if (s->piece_until[p] > now + 2e-15 * fabs(now)) {
        break;
      }
      turn = s->piece_turn[p] > turn ? s->piece_turn[p] : turn;
      s->piece_turn[p] = 0u;
    }
  }
  return turn;
}

/* Polynomials that are over. */
static void
model_move_delays(model_instance *s, double now)
{
  unsigned i;
  for (i = 0u; i < MODEL_N_DELAYS; i++) {
    unsigned p = model_piece(s, i, 0u);
    int moved = 0;
#if MODEL_WITH_VARYING
    if (model_delay_varies[i] != 0u) {
      continue;
    }
#endif /* VARYING */
    while (s->piece_count[i] > 1u && s->piece_until[p] <= now + 2e-15 * fabs(now)) {
      s->piece_first[i] = (s->piece_first[i] + 1u) % model_delay_room[i];
      s->piece_count[i]--;
      p = model_piece(s, i, 0u);
      moved = 1;
    }
    if (moved != 0) {
      model_use_piece(s, i);
    }
  }
}

/* The next instant, up to t, at which a break comes around. */
static double
model_next_break(const model_instance *s, double t)
{
  double next = HUGE_VAL;
  unsigned i;
  unsigned k;
  for (i = 0u; i < MODEL_N_DELAYS; i++) {
#if MODEL_WITH_VARYING
    if (model_delay_varies[i] != 0u) {
      continue;
    }
#endif /* VARYING */
    for (k = 0u; k < s->piece_count[i]; k++) {
      const unsigned p = model_piece(s, i, k);
      if (s->piece_until[p] > t) {
        break;
      }
      if (s->piece_turn[p] != 0u && s->piece_until[p] > s->taken) {
        next = s->piece_until[p] < next ? s->piece_until[p] : next;
        break;
      }
    }
  }
  return next;
}

/* After an instant at tau: what has jumped or goes on another way does so again T later. */
static int
model_schedule_delays(model_instance *s, double t, double tau, unsigned turn)
{
  const int has_kink = s->has_jumped != 0 || model_system_differs(s, s->before) != 0;
  unsigned i;
  if (model_evaluate_delayed(s, t, s->point) != 0) {
    return MODEL_DOMAIN;
  }
  for (i = 0u; i < MODEL_N_DELAYS; i++) {
    const double value = s->delayed[i];
    const int jumps = value < s->delayed_left[i] || value > s->delayed_left[i];
    const unsigned p = model_piece(s, i, s->piece_count[i] - 1u);
    if (jumps != 0 || has_kink != 0) {
      s->grid[i][0] = value;
      s->grid_count[i] = 1u;
    }
    if (jumps == 0 && (has_kink == 0 || model_delay_held[i] != 0u || turn > MODEL_MOST_TURNS)) {
      continue;
    }
#if MODEL_WITH_VARYING
    if (model_delay_varies[i] != 0u) {
      const unsigned tail = s->has_tail[i] != 0u && s->piece_begin[p] >= t
                                ? p /* of an event at the same time */
                                : model_add_piece(s, i, t, HUGE_VAL, value);
      s->piece_c[tail][0] = value;
      s->piece_turn[tail] = jumps != 0 ? 1u : turn + 1u;
      s->has_tail[i] = model_delay_held[i] != 0u ? 0u : 1u;
      continue;
    }
#endif /* VARYING */
    s->piece_until[p] = tau + model_delay_length[i];
    s->piece_turn[p] = jumps != 0 ? 1u : turn + 1u;
    if (model_delay_held[i] != 0u) {
      (void)model_add_piece(s, i, t, HUGE_VAL, value);
    }
  }
  return s->delay_is_full != 0 ? MODEL_DELAY_FULL : 0;
}

/* Has something changed at this instant that is no delay? */
static int
model_is_new(const model_instance *s)
{
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
    if (model_is_news[i] != 0u &&
        (s->segment[i] < s->before[i] || s->segment[i] > s->before[i])) {
      return 1;
    }
  }
  return 0;
}

#endif /* DELAYS */
/* part: event_varying */
#if MODEL_WITH_VARYING
/* The pieces of delay times that change, at this point. *breaks: the most turns of a break on the
 * way to one of them, 0: there is none. Those behind a break are entered only if they may be. */
static int
model_enter_pieces(model_instance *s, double t, const double *x, int may_break,
                   unsigned *breaks, int *moved)
{
  unsigned i;
  *breaks = 0u;
  *moved = 0;
#if MODEL_WITH_EVENT_SLOPES
  if (model_find_start_slopes(t, x, s->rate) != 0) {
    return MODEL_DOMAIN;
  }
#endif /* EVENT_SLOPES */
  model_delay_times(t, x, s->rate, s->delay_time);
  for (i = 0u; i < MODEL_N_DELAYS; i++) {
    const double most = model_delay_length[i];
    const double slack = 1e-9 * most + 2e-15 * fabs(t);
    const double past = t - s->delay_time[i];
    unsigned k = s->piece_current[i];
    unsigned met = 0u;
    if (model_delay_varies[i] == 0u) {
      continue;
    }
    if (!(s->delay_time[i] >= -slack && s->delay_time[i] <= most + slack)) {
      return MODEL_DELAY_FULL;
    }
    while (k + 1u < s->piece_count[i] && past >= s->piece_begin[model_piece(s, i, k + 1u)]) {
      k++;
      met =
          s->piece_turn[model_piece(s, i, k)] > met ? s->piece_turn[model_piece(s, i, k)] : met;
    }
    while (k > 0u && past < s->piece_begin[model_piece(s, i, k)]) {
      met =
          s->piece_turn[model_piece(s, i, k)] > met ? s->piece_turn[model_piece(s, i, k)] : met;
      k--;
    }
    *breaks = met > *breaks ? met : *breaks;
    if (k != s->piece_current[i] && (met == 0u || may_break != 0)) {
      s->piece_current[i] = k;
      *moved = 1;
    }
    model_use_piece(s, i);
  }
  return 0;
}

#endif /* VARYING */
