/* Clocks in exported C: when they tick, and what happens then, as instant/ticks_run.c does it.
 * Ticks of a periodic clock are start + shift + k * period; those of an event clock and of a clock
 * that tells its next interval are counted. All that ticks at one instant is executed once, in the
 * order of the pieces; equations of a piece that must be solved get at most MODEL_TICK_NEWTON
 * steps of Newton's method. Becomes text like events.c. */
#include "model.h"

/* part: event_clocks */
#if MODEL_WITH_CLOCKS
/* ---- clocks ---- */

/* kinds of base clocks, and the ticks of its clock in which a piece runs */
#define MODEL_BASE_PERIODIC 0u
#define MODEL_BASE_EVENT 1u
#define MODEL_BASE_VARYING 2u
#define MODEL_TICKS_ALL 0u
#define MODEL_TICKS_LATER 2u

static double
model_clock_time(const model_instance *s, unsigned i)
{
  const unsigned b = model_sub_base[i];
  if (model_base_kind[b] == MODEL_BASE_PERIODIC) {
    return MODEL_T_START + model_sub_shift[i] + s->sub_ticks[i] * model_sub_period[i];
  }
  return model_base_kind[b] == MODEL_BASE_VARYING ? s->base_next[b] : HUGE_VAL;
}

static double
model_next_tick(const model_instance *s)
{
  double next = HUGE_VAL;
  unsigned i;
  for (i = 0u; i < MODEL_N_SUBS; i++) {
    const double at = model_clock_time(s, i);
    next = at < next ? at : next;
  }
  return next;
}

static void
model_begin_clocks(model_instance *s)
{
  unsigned i;
  for (i = 0u; i < MODEL_N_SUBS; i++) {
    s->sub_ticks[i] = model_sub_start[i];
    s->sub_last[i] = model_sub_last[i];
    s->has_ticked[i] = model_has_ticked[i];
    s->is_ticking[i] = 0u;
  }
  for (i = 0u; i < MODEL_N_BASES; i++) {
    s->base_count[i] = model_base_count[i];
    s->base_next[i] = model_base_next[i];
    s->is_due[i] = 0u;
  }
}

/* Is it in the ticks of the base that are counted? */
static int
model_ticks_at_count(const model_instance *s, unsigned i)
{
  const double count = s->base_count[model_sub_base[i]] - model_sub_shift[i];
  return count >= 0.0 && !(fmod(count, model_sub_period[i]) > 0.5);
}

#endif /* CLOCKS */
/* part: event_tick_pieces */
#if MODEL_WITH_CLOCKS
/* Gauss elimination with pivoting; the last column becomes the solution. 0: there is none. */
static int
model_eliminate_tick(double *a, unsigned n)
{
  const unsigned w = n + 1u;
  unsigned i;
  unsigned j;
  unsigned k;
  for (k = 0u; k < n; k++) {
    unsigned best = k;
    for (i = k + 1u; i < n; i++) {
      best = fabs(a[i * w + k]) > fabs(a[best * w + k]) ? i : best;
    }
    if (!(fabs(a[best * w + k]) > 0.0)) {
      return 0;
    }
    for (j = k; j <= n; j++) {
      const double entry = a[best * w + j];
      a[best * w + j] = a[k * w + j];
      a[k * w + j] = entry;
    }
    for (i = k + 1u; i < n; i++) {
      const double factor = a[i * w + k] / a[k * w + k];
      for (j = k; j <= n; j++) {
        a[i * w + j] -= factor * a[k * w + j];
      }
    }
  }
  for (k = n; k > 0u; k--) {
    double sum = a[(k - 1u) * w + n];
    for (j = k; j < n; j++) {
      sum -= a[(k - 1u) * w + j] * a[j * w + n];
    }
    a[(k - 1u) * w + n] = sum / a[(k - 1u) * w + k - 1u];
  }
  return 1;
}

/* One step of Newton's method; the largest relative change, or less than 0: there is none. */
static double
model_tick_newton(model_instance *s, unsigned p, double t, const double *x)
{
  const unsigned n = model_piece_size[p];
  const unsigned w = n + 1u;
  const unsigned *place = model_tick_place + model_piece_at[p];
  double change = 0.0;
  unsigned i;
  model_tick_values(p, t, x, s->rate, s->tick_out);
  model_tick_slopes(p, t, x, s->rate, s->tick_entry);
  for (i = 0u; i < n * w; i++) {
    s->tick_matrix[i] = 0.0;
  }
  for (i = 0u; i < n; i++) {
    s->tick_matrix[i * w + n] = -s->tick_out[i];
  }
  for (i = model_slope_at[p]; i < model_slope_at[p + 1u]; i++) {
    s->tick_matrix[model_slope_row[i] * w + model_slope_column[i]] =
        s->tick_entry[i - model_slope_at[p]];
  }
  if (model_eliminate_tick(s->tick_matrix, n) == 0) {
    return -1.0;
  }
  for (i = 0u; i < n; i++) {
    const double step = s->tick_matrix[i * w + n];
    const double part = fabs(step) / (fabs(s->segment[place[i]]) + 1.0);
    if (!(step - step >= 0.0)) {
      return -1.0;
    }
    s->segment[place[i]] += step;
    change = part > change ? part : change;
  }
  return change;
}

static int
model_run_piece(model_instance *s, unsigned p, double t, const double *x)
{
  const unsigned n = model_piece_size[p];
  const unsigned *place = model_tick_place + model_piece_at[p];
  double change = 1.0;
  unsigned i;
  if (model_piece_is_explicit[p] == 0u) {
    for (i = 0u; i < MODEL_TICK_NEWTON && change > 1e-13; i++) {
      change = model_tick_newton(s, p, t, x);
    }
    return change < 0.0 ? MODEL_DOMAIN : change > 1e-9 ? MODEL_NOT_SETTLED : 0;
  }
  model_tick_values(p, t, x, s->rate, s->tick_out);
  for (i = 0u; i < n; i++) {
    if (!(s->tick_out[i] - s->tick_out[i] >= 0.0)) {
      return MODEL_DOMAIN;
    }
    s->segment[place[i]] = s->tick_out[i];
  }
  return 0;
}

static double
model_interval_of(model_instance *s, unsigned i, double t, const double *x)
{
  const unsigned b = model_sub_base[i];
  if (model_base_kind[b] == MODEL_BASE_PERIODIC) {
    return model_sub_period[i];
  }
  if (s->has_ticked[i] != 0u) {
    return t - s->sub_last[i];
  }
  model_clock_intervals(t, x, s->rate, s->base_value);
  return s->base_value[MODEL_N_BASES + b] / model_base_resolution[b];
}

static int
model_check_clocked(model_instance *s, double t, const double *x)
{
  int status = 0;
  unsigned i;
  model_clock_assertions(t, x, s->rate, s->clock_holds);
  for (i = 0u; i + 1u <= MODEL_N_CLOCKED_ASSERTIONS; i++) {
    if (s->is_ticking[model_assertion_sub[i]] != 0u && s->clock_holds[i] < 0.5) {
      status = model_tell(s, model_assertion_warns[i] != 0u ? MODEL_WARNING : MODEL_ASSERT,
                          MODEL_N_ACTIONS + MODEL_N_CLAIMS + i, model_assertion_message[i], t,
                          x, status);
    }
  }
  return status;
}

#endif /* CLOCKS */
/* part: event_ticks */
#if MODEL_WITH_CLOCKS
/* All clocks that are marked. */
static int
model_execute_ticks(model_instance *s, double t, const double *x)
{
  int status = 0;
  unsigned i;
  model_sampled(t, x, s->rate, s->sampled);
  for (i = 0u; i + 1u <= MODEL_N_SAMPLED; i++) {
    s->segment[model_sampled_place[i]] = s->sampled[i];
  }
  for (i = 0u; i < MODEL_N_SUBS; i++) {
    if (s->is_ticking[i] != 0u) {
      s->segment[model_sub_interval[i]] = model_interval_of(s, i, t, x);
      s->segment[model_sub_first_tick[i]] = s->has_ticked[i] != 0u ? 0.0 : 1.0;
    }
  }
  for (i = 0u; i + 1u <= MODEL_N_TICK_PIECES && status == 0; i++) {
    const unsigned sub = model_piece_sub[i];
    const unsigned ticks = model_piece_ticks[i];
    const int is_later = s->has_ticked[sub] != 0u;
    if (s->is_ticking[sub] != 0u &&
        (ticks == MODEL_TICKS_ALL || (ticks == MODEL_TICKS_LATER) == is_later)) {
      status = model_run_piece(s, i, t, x);
    }
  }
  status = status != 0 ? status : model_check_clocked(s, t, x);
  for (i = 0u; i < MODEL_N_SUBS; i++) {
    if (s->is_ticking[i] != 0u) {
      s->is_ticking[i] = 0u;
      s->has_ticked[i] = 1u;
      s->sub_last[i] = t;
    }
  }
  return status;
}

/* A base clock that is due has ticked; a varying one tells when it does so again. */
static int
model_count_ticks(model_instance *s, double t, const double *x)
{
  unsigned b;
  for (b = 0u; b < MODEL_N_BASES; b++) {
    if (s->is_due[b] == 0u) {
      continue;
    }
    s->is_due[b] = 0u;
    s->base_count[b] += 1.0;
    if (model_base_kind[b] == MODEL_BASE_VARYING) {
      double wait;
      model_clock_intervals(t, x, s->rate, s->base_value);
      wait = s->base_value[b] / model_base_resolution[b];
      if (!(wait > 0.0) || !(s->base_next[b] + wait > s->base_next[b])) {
        return MODEL_DOMAIN;
      }
      s->base_next[b] += wait;
    }
  }
  return 0;
}

/* Clocks that tick at tau, by themselves. */
static int
model_tick_at_time(model_instance *s, double t, double tau, const double *x)
{
  int status = 0;
  int any = 0;
  unsigned i;
  for (i = 0u; i < MODEL_N_BASES; i++) {
    s->is_due[i] = fabs(s->base_next[i] - tau) <= MODEL_SAME_TIME ? 1u : 0u;
  }
  for (i = 0u; i < MODEL_N_SUBS; i++) {
    const unsigned b = model_sub_base[i];
    if (model_base_kind[b] == MODEL_BASE_PERIODIC) {
      const int ticks = fabs(model_clock_time(s, i) - tau) <= MODEL_SAME_TIME;
      s->is_ticking[i] = ticks != 0 ? 1u : 0u;
      s->sub_ticks[i] += ticks != 0 ? 1.0 : 0.0;
    } else {
      s->is_ticking[i] = s->is_due[b] != 0u && model_ticks_at_count(s, i) != 0 ? 1u : 0u;
    }
    any |= s->is_ticking[i] != 0u;
  }
  if (any != 0) {
    status = model_execute_ticks(s, t, x);
  }
  return status != 0 ? status : model_count_ticks(s, t, x);
}

#endif /* CLOCKS */
/* part: event_clock_events */
#if MODEL_WITH_CLOCKS
/* Event clocks whose condition has become true in this step of the iteration: to be asked before
 * pre moves on ... */
static int
model_find_ticks(model_instance *s)
{
  int any = 0;
  unsigned b;
  for (b = 0u; b < MODEL_N_BASES; b++) {
    const unsigned place = model_base_condition[b];
    s->is_due[b] = model_base_kind[b] == MODEL_BASE_EVENT && s->segment[place] > 0.5 &&
                           !(s->segment[MODEL_AT_PRE + place] > 0.5)
                       ? 1u
                       : 0u;
    any |= s->is_due[b] != 0u;
  }
  return any;
}

/* ... and executed after it. */
static int
model_tick_at_event(model_instance *s, double t, const double *x)
{
  int status = 0;
  int any = 0;
  unsigned i;
  for (i = 0u; i < MODEL_N_SUBS; i++) {
    s->is_ticking[i] =
        s->is_due[model_sub_base[i]] != 0u && model_ticks_at_count(s, i) != 0 ? 1u : 0u;
    any |= s->is_ticking[i] != 0u;
  }
  status = model_count_ticks(s, t, x);
  return status != 0 || any == 0 ? status : model_execute_ticks(s, t, x);
}

#if MODEL_WITH_PARAMETERS
/* Nothing has ticked yet. */
static void
model_unwind_clocks(model_instance *s)
{
  unsigned i;
  for (i = 0u; i < MODEL_N_DISCRETE; i++) {
    if (model_is_clocked[i] != 0u) {
      s->segment[i] = model_clock_before[i];
      s->segment[MODEL_AT_PRE + i] = model_clock_before[i];
    }
  }
  for (i = 0u; i < MODEL_N_SUBS; i++) {
    s->sub_ticks[i] = 0.0;
    s->has_ticked[i] = 0u;
  }
  for (i = 0u; i < MODEL_N_BASES; i++) {
    s->base_count[i] = 0.0;
    s->base_next[i] = model_base_kind[i] == MODEL_BASE_VARYING ? MODEL_T_START : HUGE_VAL;
  }
}

#endif /* PARAMETERS */
#endif /* CLOCKS */
