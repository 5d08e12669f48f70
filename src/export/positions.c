/* Relations and unknowns of exported C that taking turns does not settle: all positions of the
 * relations that have moved, as the last resort of instant/settle.c. Becomes text like events.c. */
#include "model.h"

/* part: event_positions */
/* ---- all positions of relations ---- */

#define MODEL_MOST_SWITCHES 8u

/* The settling began with these. */
static void
model_hold_positions(model_instance *s, const double *x)
{
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
    s->held[i] = s->segment[i];
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->ahead[i] = x[i];
  }
  for (i = 0u; i + 1u <= MODEL_N_BUFFERS; i++) {
    s->is_moved[i] = 0u;
  }
}

/* Do unknowns, discrete values and relations agree? */
static int
model_position_fits(model_instance *s, double t, double *x)
{
  int changed = 1;
  unsigned turn;
  unsigned b;
  for (turn = 0u; turn < 4u && changed != 0; turn++) {
    changed = model_update_values(s, t, x, 1);
    s->must_solve = 1;
    if (model_solve_unknowns(s, t, x) != 0) {
      return 0;
    }
  }
  model_evaluate_guards(s, t, x);
  for (b = 0u; b + 1u <= MODEL_N_BUFFERS && changed == 0; b++) {
    int side;
    const double least = -1e-10 * (s->guard[MODEL_N_BUFFERS + b] + model_guard_nominal[b]);
    changed = model_guard_kind[b] == MODEL_OF_STATES &&
              !(model_buffer_distance(model_buffer_kind[b], s->segment[MODEL_AT_BUFFER + b],
                                      s->guard[b], &side) >= least);
  }
  return changed == 0;
}

static unsigned
model_count_bits(unsigned bits)
{
  unsigned n = 0u;
  for (; bits > 0u; bits >>= 1u) {
    n += bits & 1u;
  }
  return n;
}

static int
model_is_switch(unsigned b)
{
  return model_guard_kind[b] == MODEL_OF_STATES && model_buffer_kind[b] <= MODEL_NONNEGATIVE;
}

/* The relations that have moved, or all of them, from the fewest that are not where they began:
 * what is found first is nearest. All positions are at most 2 to the power of
 * MODEL_MOST_SWITCHES. */
static int
model_search_positions(model_instance *s, double t, double *x, int all)
{
  unsigned place[MODEL_MOST_SWITCHES];
  unsigned n = 0u;
  unsigned flips;
  unsigned bits;
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_BUFFERS; i++) {
    if (model_guard_kind[i] != MODEL_OF_STATES) { /* time has decided these */
      s->held[MODEL_AT_BUFFER + i] = s->segment[MODEL_AT_BUFFER + i];
    }
    if (s->is_moved[i] != 0u || (all != 0 && model_is_switch(i) != 0)) {
      if (n == MODEL_MOST_SWITCHES || model_buffer_kind[i] > MODEL_NONNEGATIVE) {
        return MODEL_NOT_SETTLED;
      }
      place[n] = MODEL_AT_BUFFER + i;
      n++;
    }
  }
  for (flips = 0u; flips <= n; flips++) {
    for (bits = 0u; bits < 1u << n; bits++) {
      if (model_count_bits(bits) != flips) {
        continue;
      }
      for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
        s->segment[i] = s->held[i];
      }
      for (i = 0u; i + 1u <= MODEL_N; i++) {
        x[i] = s->ahead[i];
      }
      for (i = 0u; i < n; i++) {
        s->segment[place[i]] =
            (bits >> i & 1u) != 0u ? 1.0 - s->held[place[i]] : s->held[place[i]];
      }
      if (model_position_fits(s, t, x) != 0) {
        return 0;
      }
    }
  }
  return MODEL_NOT_SETTLED;
}

/* part: event_path */
/* ---- along a path, from relation to relation (instant/path.c) ---- */

#define MODEL_PATH_PIECES (4u * MODEL_N_BUFFERS + 8u)
#define MODEL_NO_SWITCH (MODEL_N_BUFFERS + 1u)

/* How far guards are inside the ranges of their buffers. */
static int
model_find_distances(model_instance *s, double t, const double *x, double *out)
{
  unsigned b;
#if MODEL_WITH_EVENT_SLOPES
  if (model_find_start_slopes(t, x, s->rate) != 0) {
    return MODEL_NOT_SETTLED;
  }
#endif /* EVENT_SLOPES */
  model_evaluate_guards(s, t, x);
  for (b = 0u; b + 1u <= MODEL_N_BUFFERS; b++) {
    int side;
    out[b] = model_buffer_distance(model_buffer_kind[b], s->segment[MODEL_AT_BUFFER + b],
                                   s->guard[b], &side);
  }
  return 0;
}

/* From where the settling began; relations that are clearly on the other side there are so. */
static int
model_begin_path(model_instance *s, double t, double *x)
{
  unsigned i;
  int status;
  for (i = 0u; i + 1u <= MODEL_N_BUFFERS; i++) {
    if (model_guard_kind[i] != MODEL_OF_STATES) { /* time has decided these */
      s->held[MODEL_AT_BUFFER + i] = s->segment[MODEL_AT_BUFFER + i];
    }
  }
  for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
    s->segment[i] = s->held[i];
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    x[i] = s->ahead[i];
  }
  status = model_find_distances(s, t, x, s->way);
  for (i = 0u; i + 1u <= MODEL_N_BUFFERS && status == 0; i++) {
    const double slack = 1e-7 * (s->guard[MODEL_N_BUFFERS + i] + 1e-3 * model_guard_nominal[i]);
    if (model_is_switch(i) != 0 && s->way[i] < -slack) {
      s->segment[MODEL_AT_BUFFER + i] = model_buffer_value(model_buffer_kind[i], s->guard[i]);
    }
  }
  return status;
}

#if MODEL_WITH_ALGEBRAIC
/* From the algebraic unknowns with which the step began and the relations before the event: where a
 * branch of solutions has ended in the step (a Schmitt trigger), the path leads to the next one. */
static void
model_begin_at_step(model_instance *s, double *x)
{
  const model_matrix *a = &model_algebraic_matrix;
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
    s->segment[i] = s->held[i];
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    x[i] = s->ahead[i];
  }
  for (i = 0u; i < a->n_columns; i++) {
    x[a->unknown[i]] = s->begin[a->unknown[i]];
  }
  for (i = 0u; i + 1u <= MODEL_N_BUFFERS; i++) {
    if (model_guard_kind[i] == MODEL_OF_STATES) {
      s->segment[MODEL_AT_BUFFER + i] = s->before[MODEL_AT_BUFFER + i];
    }
  }
}

#endif /* ALGEBRAIC */
/* The solution for the present positions (s->target), and how guards move on the way to it. */
static int
model_look_along(model_instance *s, double t, const double *x)
{
  double *rate = s->way + MODEL_N_BUFFERS;
  int changed = 1;
  int status;
  unsigned i;
  for (i = 0u; i < 3u && changed != 0; i++) {
    changed = model_update_values(s, t, x, 1);
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->target[i] = x[i];
  }
  status = changed != 0 ? MODEL_NOT_SETTLED : model_find_distances(s, t, x, s->way);
  s->must_solve = 1;
  status = status != 0 ? status : model_solve_unknowns(s, t, s->target);
  status = status != 0 ? status : model_find_distances(s, t, s->target, rate);
  for (i = 0u; i + 1u <= MODEL_N_BUFFERS; i++) {
    rate[i] -= s->way[i];
  }
  return status;
}

/* part: event_pieces_of_path */
/* The first relation whose guard reaches 0 on the way; *at: where, 1 is the target. */
static unsigned
model_first_boundary(const model_instance *s, unsigned flipped, double direction, double *at)
{
  unsigned first = MODEL_NO_SWITCH;
  unsigned b;
  *at = HUGE_VAL;
  for (b = 0u; b + 1u <= MODEL_N_BUFFERS; b++) {
    const double here = s->way[b];
    const double rate = direction * s->way[MODEL_N_BUFFERS + b];
    const int is_beyond = here < 0.0 && here + rate < 0.0;
    double reached;
    if (model_is_switch(b) == 0 || b == flipped || (!(rate < 0.0) && is_beyond == 0)) {
      continue;
    }
    reached = is_beyond != 0 ? 0.0 : (here > 0.0 ? here : 0.0) / -rate;
    if (reached < *at) {
      *at = reached;
      first = b;
    }
  }
  return first;
}

#if MODEL_WITH_ALGEBRAIC
/* The relation that is farthest on its other side where the unknowns belong to the positions. */
static unsigned
model_end_of_branch(model_instance *s, double t, const double *x)
{
  unsigned worst = MODEL_NO_SWITCH;
  double least = 0.0;
  unsigned b;
  if (model_look_along(s, t, x) != 0) {
    return MODEL_NO_SWITCH;
  }
  for (b = 0u; b + 1u <= MODEL_N_BUFFERS; b++) {
    const double there = s->way[b] + s->way[MODEL_N_BUFFERS + b];
    if (model_is_switch(b) != 0 && there < least) {
      least = there;
      worst = b;
    }
  }
  return worst;
}

#endif /* ALGEBRAIC */
/* Bounded pieces; what is found agrees as anything else. */
static int
model_follow_path(model_instance *s, double t, double *x, unsigned flipped)
{
  unsigned piece;
  for (piece = 0u; piece < MODEL_PATH_PIECES; piece++) {
    double direction = 1.0;
    double at;
    unsigned b;
    unsigned j;
    if (model_look_along(s, t, x) != 0) {
      return MODEL_NOT_SETTLED;
    }
    if (flipped != MODEL_NO_SWITCH &&
        s->way[flipped] + s->way[MODEL_N_BUFFERS + flipped] < 0.0) {
      direction = -1.0;
    }
    b = model_first_boundary(s, flipped, direction, &at);
    if (direction > 0.0 && at >= 1.0) {
      for (j = 0u; j + 1u <= MODEL_N; j++) {
        x[j] = s->target[j];
      }
      return model_position_fits(s, t, x) != 0 ? 0 : MODEL_NOT_SETTLED;
    }
    if (b == MODEL_NO_SWITCH) {
      return MODEL_NOT_SETTLED;
    }
    for (j = 0u; j + 1u <= MODEL_N; j++) {
      x[j] += direction * at * (s->target[j] - x[j]);
    }
    s->segment[MODEL_AT_BUFFER + b] = 1.0 - s->segment[MODEL_AT_BUFFER + b];
    flipped = b;
  }
  return MODEL_NOT_SETTLED;
}

/* part: event_otherwise */
/* No position agrees while pre(.) is as it is: once in an event the relations stay for a step
 * of the iteration what it has made of them (instant/settle.c, hold_relations). */
static int
model_hold_relations(model_instance *s, double t, double *x)
{
  int changed = 1;
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N_EVENT; i++) {
    s->segment[i] = s->held[i];
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    x[i] = s->ahead[i];
  }
  s->must_solve = 1;
  while (changed != 0) {
    int status = s->has_held != 0 ? MODEL_NOT_SETTLED : model_begin_round(s);
    status = status != 0 ? status : model_solve_unknowns(s, t, x);
    if (status != 0) {
      return status;
    }
    changed = model_update_values(s, t, x, 1);
  }
  s->has_held = 1;
  for (i = 0u; i + 1u <= MODEL_N_DISCRETE; i++) {
    const double pre = s->segment[MODEL_AT_PRE + i];
    changed |= s->segment[i] < pre || s->segment[i] > pre;
  }
  return changed != 0 ? 0 : MODEL_NOT_SETTLED;
}

/* Where taking turns does not end. */
static int
model_settle_otherwise(model_instance *s, double t, double *x)
{
  int status = model_begin_path(s, t, x);
  status = status != 0 ? status : model_follow_path(s, t, x, MODEL_NO_SWITCH);
#if MODEL_WITH_ALGEBRAIC
  if (status != 0) {
    model_begin_at_step(s, x);
    status = model_follow_path(s, t, x, MODEL_NO_SWITCH);
  }
  if (status != 0) { /* away from the relation that ends the branch */
    model_begin_at_step(s, x);
    status = model_follow_path(s, t, x, model_end_of_branch(s, t, x));
  }
#endif /* ALGEBRAIC */
  status = status != 0 ? model_search_positions(s, t, x, 0) : 0;
  status = status != 0 ? model_search_positions(s, t, x, 1) : 0;
  return status != 0 ? model_hold_relations(s, t, x) : 0;
}
