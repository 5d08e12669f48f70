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
  for (i = 0u; i < MODEL_N_EVENT; i++) {
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
    const double least = -1e-10 * (s->guard[MODEL_N_BUFFERS + b] + 1.0);
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

/* The relations that have moved, from the fewest that are not where they began: what is found
 * first is nearest. All of them are at most 2 to the power of MODEL_MOST_SWITCHES. */
static int
model_search_positions(model_instance *s, double t, double *x)
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
    if (s->is_moved[i] != 0u) {
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
      for (i = 0u; i < MODEL_N_EVENT; i++) {
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
