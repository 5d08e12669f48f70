/* Events of exported C: what `simulate` does with a fixed step, with bounded work.
 *
 * At the end of a step time events that have come are taken in their order, with the relations
 * that have changed their side in the step. At an instant discrete values, buffers of relations
 * and algebraic unknowns are found by taking turns (instant/settle.c), pre(.) is moved on until
 * nothing changes (instant/event.c), and where something continuous has changed the history of
 * the method begins anew. All turns of one step together are at most MODEL_EVENT_ROUNDS.
 *
 * Like integrator.c this is a C file that becomes text at build time; tests/export compiles it. */
#include "model.h"

/* part: event_pieces */
/* ---- relations ---- */

/* kinds of buffers, as in the tables */
#define MODEL_POSITIVE 0u
#define MODEL_NONNEGATIVE 1u
#define MODEL_FLOOR 2u
#define MODEL_CEIL 3u
#define MODEL_TRUNC 4u
/* what a relation depends on */
#define MODEL_LINEAR_IN_TIME 0u
#define MODEL_OF_TIME 1u
#define MODEL_OF_STATES 2u

#define MODEL_SAME_TIME (1e-9 * MODEL_STEP)     /* events nearer to each other are one */
#define MODEL_GRID_ROUNDING (1e-6 * MODEL_STEP) /* points of the grid are sums of doubles */

static double
model_buffer_value(unsigned kind, double g)
{
  switch (kind) {
  case MODEL_POSITIVE:
    return g > 0.0 ? 1.0 : 0.0;
  case MODEL_NONNEGATIVE:
    return g >= 0.0 ? 1.0 : 0.0;
  case MODEL_FLOOR:
    return floor(g);
  case MODEL_CEIL:
    return ceil(g);
  default:
    return g < 0.0 ? ceil(g) : floor(g);
  }
}

/* How far g is inside the range in which the buffer keeps its value; *side: the nearer end. */
static double
model_buffer_distance(unsigned kind, double value, double g, int *side)
{
  double low = -HUGE_VAL;
  double high = HUGE_VAL;
  if (kind == MODEL_POSITIVE || kind == MODEL_NONNEGATIVE) {
    low = value > 0.5 ? 0.0 : -HUGE_VAL;
    high = value > 0.5 ? HUGE_VAL : 0.0;
  } else if (kind == MODEL_FLOOR) {
    low = value;
    high = value + 1.0;
  } else if (kind == MODEL_CEIL) {
    low = value - 1.0;
    high = value;
  } else {
    low = value > 0.0 ? value : value - 1.0;
    high = value < 0.0 ? value : value + 1.0;
  }
  *side = g - low < high - g ? -1 : 1;
  return g - low < high - g ? g - low : high - g;
}

/* Just after tau, of a guard that is g at t and linear in time. */
static double
model_value_after(unsigned kind, double g, double slope, double scale, double t, double tau)
{
  const double there = g + slope * (tau - t);
  const double slack = MODEL_SAME_TIME * fabs(slope) + 1e-15 * scale;
  const double direction = slope > 0.0 ? 1.0 : slope < 0.0 ? -1.0 : 0.0;
  const int is_relation = kind == MODEL_POSITIVE || kind == MODEL_NONNEGATIVE;
  const double level = is_relation ? 0.0 : floor(there + 0.5);
  if (fabs(there - level) <= slack) {
    return model_buffer_value(kind, level + 0.25 * direction);
  }
  return model_buffer_value(kind, there);
}

#if MODEL_WITH_TIME_GUARDS
/* For the instant in which a guard only touches the end of its range. */
static double
model_value_at_touch(unsigned kind, double g)
{
  const int is_relation = kind == MODEL_POSITIVE || kind == MODEL_NONNEGATIVE;
  return model_buffer_value(kind, is_relation != 0 ? 0.0 : floor(g + 0.5));
}

#endif /* TIME_GUARDS */
/* The value of a guard at which its buffer changes next; 0: there is none in this direction. */
static int
model_next_level(unsigned kind, double value, int is_rising, double *level)
{
  int side;
  double far;
  if (kind == MODEL_POSITIVE || kind == MODEL_NONNEGATIVE) {
    *level = 0.0;
    return (value > 0.5) != (is_rising != 0);
  }
  far = is_rising != 0 ? value + 2.0 : value - 2.0;
  *level = far + (is_rising != 0 ? 1.0 : -1.0) * model_buffer_distance(kind, value, far, &side);
  return 1;
}

/* ---- the values between events ---- */

static void
model_evaluate_guards(model_instance *s, double t, const double *x)
{
  model_guards(t, x, s->rate, s->guard);
}

static void
model_take_pre(model_instance *s, double t, const double *x)
{
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_DISCRETE; i++) {
    s->segment[MODEL_AT_PRE + i] = s->segment[i];
  }
#if MODEL_WITH_LEFT_LIMITS
  model_left_limits(t, x, s->rate, s->limit);
  for (i = 0u; i + 1u <= MODEL_N_LEFT_LIMITS; i++) {
    s->segment[MODEL_AT_LEFT_LIMIT + i] = s->limit[i];
  }
#endif /* LEFT_LIMITS */
#if MODEL_WITH_NO_LEFT_LIMITS
  (void)t;
  (void)x;
#endif /* NO_LEFT_LIMITS */
}

/* Has something changed that the continuous equations use? */
static int
model_system_differs(const model_instance *s, const double *other)
{
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
    if (model_in_system[i] != 0u && (s->segment[i] < other[i] || s->segment[i] > other[i])) {
      return 1;
    }
  }
  return 0;
}

static int
model_put(model_instance *s, unsigned place, double value)
{
  if (s->segment[place] < value || s->segment[place] > value) {
    s->segment[place] = value;
    return 1;
  }
  return 0;
}

/* part: event_settle */
/* ---- unknowns, relations and discrete values that agree ---- */

static int
model_solve_unknowns(model_instance *s, double t, double *x)
{
  int status = 0;
  unsigned i;
#if MODEL_WITH_OPEN
  model_hold_open(s, t, x);
#endif /* OPEN */
  if (s->must_solve == 0 && model_system_differs(s, s->solved) == 0) {
    return 0;
  }
  s->must_solve = 0;
#if MODEL_WITH_ALGEBRAIC
  {
    const model_matrix *a = &model_algebraic_matrix;
    double change = 1.0;
    unsigned k;
    for (k = 0u; k < MODEL_EVENT_NEWTON && change > 1e-12 && status == 0; k++) {
      status = model_correct_algebraic(s, t, x);
      change = 0.0;
      for (i = 0u; i < a->n_columns && status == 0; i++) {
        const unsigned j = a->unknown[i];
        const double part = fabs(s->delta[i]) / (fabs(x[j]) + model_nominal[j]);
        change = part > change ? part : change;
      }
    }
  }
#endif /* ALGEBRAIC */
#if MODEL_WITH_OPEN
  for (i = 0u; i < MODEL_N_OPEN && status == 0; i++) {
    if (s->segment[MODEL_AT_OPEN + 2u * i] > 0.5 && model_rows_hold(s, t, x) == 0) {
      status = MODEL_SINGULAR;
    }
  }
#endif /* OPEN */
  for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
    s->solved[i] = s->segment[i];
  }
#if MODEL_WITH_EVENT_SLOPES
  if (status == 0 && model_find_start_slopes(t, x, s->rate) != 0) {
    status = MODEL_DOMAIN;
  }
#endif /* EVENT_SLOPES */
  (void)t;
  (void)x;
  return status;
}

static int
model_update_buffers(model_instance *s, double t, double tau, const double *x)
{
  int changed = 0;
  unsigned b;
  model_evaluate_guards(s, t, x);
  for (b = 0u; b + 1u <= MODEL_N_BUFFERS; b++) {
    const double g = s->guard[b];
    const double scale = s->guard[MODEL_N_BUFFERS + b];
    const unsigned place = MODEL_AT_BUFFER + b;
    const unsigned kind = model_buffer_kind[b];
    int side;
    if (!(g - g >= 0.0)) {
      continue; /* not defined here */
    }
    if (model_guard_kind[b] == MODEL_LINEAR_IN_TIME) {
      const double slope = s->guard[2u * MODEL_N_BUFFERS + b];
      changed |= model_put(s, place, model_value_after(kind, g, slope, scale, t, tau));
    } else if (model_guard_kind[b] == MODEL_OF_TIME) {
#if MODEL_WITH_TIME_GUARDS
      const unsigned k = model_time_place[b];
      const int touches = fabs(s->touch[k] - tau) <= MODEL_SAME_TIME;
      model_time_guards(touches != 0 ? tau : tau + MODEL_SAME_TIME, x, s->rate, s->time_value);
      changed |= model_put(s, place,
                           touches != 0 ? model_value_at_touch(kind, s->time_value[k])
                                        : model_buffer_value(kind, s->time_value[k]));
#endif /* TIME_GUARDS */
    } else if (model_guard_kind[b] == MODEL_OF_STATES &&
               model_buffer_distance(kind, s->segment[place], g, &side) <
                   -(s->is_right[b] != 0u ? 1e-8 : 1e-10) * (scale + model_guard_nominal[b])) {
      s->is_moved[b] = 1u;
      changed |= model_put(s, place, model_buffer_value(kind, g));
    }
  }
  return changed;
}

/* Is value i another one than its equation says? are_solved: Reals only by more than rounding. */
static int
model_is_open(const model_instance *s, unsigned i, int are_solved)
{
  const double slack =
      are_solved != 0 && model_is_real[i] != 0u ? 1e-12 * (fabs(s->value[i]) + 1e-3) : 0.0;
  return s->value[i] - s->value[i] >= 0.0 && !(fabs(s->value[i] - s->segment[i]) <= slack);
}

static int
model_update_values(model_instance *s, double t, const double *x, int are_solved)
{
  int changed = 0;
  unsigned i;
  model_discrete(t, x, s->rate, s->value);
  for (i = 0u; i + 1u <= MODEL_N_DISCRETE; i++) {
    if (model_is_open(s, i, are_solved) != 0) {
      changed |= model_put(s, i, s->value[i]);
    }
  }
  return changed;
}

/* part: event_reals */
/* ---- discrete Reals that depend on each other ---- */

#define MODEL_REALS_TAKEN 4u /* turns without them */

static int
model_begin_round(model_instance *s)
{
  s->rounds++;
  return s->rounds > MODEL_EVENT_ROUNDS ? MODEL_NOT_SETTLED : 0;
}

/* Are Reals, and nothing else, not as their equations say? They join those that were before. */
static int
model_find_open_reals(model_instance *s, double t, const double *x, unsigned *place,
                      unsigned *n)
{
  int any = 0;
  unsigned i;
  unsigned k;
  model_discrete(t, x, s->rate, s->value);
  for (i = 0u; i + 1u <= MODEL_N_DISCRETE; i++) {
    if (model_is_open(s, i, 1) == 0) {
      continue;
    }
    for (k = 0u; k < *n && place[k] != i; k++) {
    }
    if (model_is_real[i] == 0u || k == MODEL_MOST_REALS) {
      return 0;
    }
    place[k] = i;
    *n = k == *n ? k + 1u : *n;
    any = 1;
  }
  return any;
}

/* a has n rows of n + 1 entries; the last one becomes the solution. 0: there is none. */
static int
model_eliminate_reals(double a[MODEL_MOST_REALS][MODEL_MOST_REALS + 1u], unsigned n)
{
  unsigned i;
  unsigned j;
  unsigned k;
  for (k = 0u; k < n; k++) {
    unsigned best = k;
    for (i = k + 1u; i < n; i++) {
      best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
    }
    if (!(fabs(a[best][k]) > 1e-9)) {
      return 0;
    }
    for (j = k; j <= n; j++) {
      const double entry = a[best][j];
      a[best][j] = a[k][j];
      a[k][j] = entry;
    }
    for (i = 0u; i < n; i++) {
      const double factor = i != k ? a[i][k] / a[k][k] : 0.0;
      for (j = k; j <= n && i != k; j++) {
        a[i][j] -= factor * a[k][j];
      }
    }
  }
  for (i = 0u; i < n; i++) {
    a[i][n] /= a[i][i];
  }
  return 1;
}

/* A step of Newton's method by differences, exact where they are linear; each value of their
 * equations is a round, with the unknowns that follow. */
static int
model_solve_reals(model_instance *s, double t, double *x, const unsigned *place, unsigned n)
{
  double a[MODEL_MOST_REALS][MODEL_MOST_REALS + 1u];
  double z[MODEL_MOST_REALS];
  unsigned i;
  unsigned j;
  for (i = 0u; i < n; i++) {
    z[i] = s->segment[place[i]];
    a[i][n] = z[i] - s->value[place[i]];
  }
  for (j = 0u; j < n; j++) {
    const double step = 1e-6 * (fabs(z[j]) + 1.0);
    int status = model_begin_round(s);
    s->segment[place[j]] = z[j] + step;
    s->must_solve = 1;
    status = status != 0 ? status : model_solve_unknowns(s, t, x);
    if (status != 0) {
      return status;
    }
    model_discrete(t, x, s->rate, s->value);
    s->segment[place[j]] = z[j];
    for (i = 0u; i < n; i++) {
      const double moved = i == j ? z[i] + step : z[i];
      a[i][j] = (s->value[place[i]] - moved + a[i][n]) / step;
    }
  }
  s->must_solve = 1;
  if (model_eliminate_reals(a, n) != 0) {
    for (i = 0u; i < n; i++) {
      s->segment[place[i]] = z[i] + a[i][n];
    }
  }
  return model_begin_round(s) != 0 ? MODEL_NOT_SETTLED : model_solve_unknowns(s, t, x);
}

/* part: event_turns */
#define MODEL_SEARCH_AFTER 12u /* turns: then a path is followed, or all positions are tried */

static int
model_settle(model_instance *s, double t, double tau, double *x)
{
  unsigned place[MODEL_MOST_REALS] = {0u};
  unsigned n = 0u;
  int changed = 1;
  unsigned turn;
  model_hold_positions(s, x);
  for (turn = 0u; changed != 0; turn++) {
    int status = s->rounds >= MODEL_EVENT_ROUNDS ? MODEL_NOT_SETTLED : model_begin_round(s);
    status = status != 0 ? status : model_solve_unknowns(s, t, x);
    if (status != 0) {
      return status;
    }
    changed = model_update_buffers(s, t, tau, x);
    if (changed != 0 && turn >= MODEL_SEARCH_AFTER) {
      return model_settle_otherwise(s, t, x);
    }
    if (changed == 0 && turn >= MODEL_REALS_TAKEN &&
        model_find_open_reals(s, t, x, place, &n) != 0) {
      status = model_solve_reals(s, t, x, place, n);
      changed = 1;
    } else {
      changed |= model_update_values(s, t, x, turn >= MODEL_REALS_TAKEN);
    }
    if (status != 0) {
      return status;
    }
  }
  return 0;
}
