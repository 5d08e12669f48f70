/* Methods with a fixed step take an event at the end of the step: positions have gone a little
 * beyond it. Where the constraints change at the event (a string that touches a peg), those of
 * the new mode held when the guard was 0, and do not hold at the end of the step.
 *
 * Unknowns that no impulse can move are those whose differential rows contain no algebraic
 * unknown (x' = v). They are moved the shortest way onto the constraints that contain nothing
 * else. At the event itself these held: so the way is not longer than the step, or what is
 * missing is no overshoot. Velocities then follow from the restart problem (restart.c). */
#include <math.h>
#include <string.h>

#include "instant/instant-priv.h"

/* By unknown: an impulse can change it. (transfer full) */
static uint8_t *
find_movable(const DaeInstant *instant)
{
  const DaeEvaluator *ev = instant->evaluator;
  uint8_t *is_movable = g_new0(uint8_t, instant->n + 1);
  memset(is_movable, 1, instant->n);
  for (uint32_t e = 0; e < ev->mass.row_start[ev->n_diff]; e++) {
    is_movable[ev->mass.column[e]] = 0;
  }
  for (uint32_t i = 0; i < ev->n_diff; i++) {
    bool has_force = false;
    for (uint32_t e = ev->dynamics.row_start[i]; e < ev->dynamics.row_start[i + 1]; e++) {
      has_force = has_force || instant->place_of_column[ev->dynamics.column[e]] > 0;
    }
    for (uint32_t e = ev->mass.row_start[i]; has_force && e < ev->mass.row_start[i + 1]; e++) {
      is_movable[ev->mass.column[e]] = 1;
    }
  }
  return is_movable;
}

typedef struct {
  DaeInstant *instant;
  double t;
  const GArray *rows, *entries; /* uint32_t: constraints, places of their entries */
} Positions;

static int
values_of(const void *self, void *scratch, const double *x, double *r)
{
  const Positions *positions = self;
  DaeInstant *instant = positions->instant;
  const DaeEvaluator *ev = instant->evaluator;
  (void)scratch;
  DaeOut out = {.g = instant->g_work};
  int code = ev->eval(ev->self, instant->scratch, 1, &positions->t, x, &out);
  for (guint k = 0; k < positions->rows->len; k++) {
    r[k] = instant->g_work[g_array_index(positions->rows, uint32_t, k)];
  }
  return code;
}

static int
jacobian_of(const void *self, void *scratch, const double *x, double *values)
{
  const Positions *positions = self;
  DaeInstant *instant = positions->instant;
  const DaeEvaluator *ev = instant->evaluator;
  (void)scratch;
  DaeJac jac = {.gx = instant->gx_work};
  int code = ev->jac(ev->self, instant->scratch, positions->t, x, instant->xdot, &jac);
  for (guint e = 0; e < positions->entries->len; e++) {
    values[e] = instant->gx_work[g_array_index(positions->entries, uint32_t, e)];
  }
  return code;
}

/* Constraints of unknowns that no impulse can move. */
static void
find_rows(const DaeInstant *instant, const uint8_t *is_movable, GArray *rows, GArray *entries,
          GArray *starts, GArray *columns)
{
  const DaePattern *pattern = &instant->evaluator->constraint;
  for (uint32_t i = 0; i < instant->evaluator->n_con; i++) {
    bool is_fixed = true;
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      is_fixed = is_fixed && is_movable[pattern->column[e]] == 0;
    }
    if (!is_fixed) {
      continue;
    }
    g_array_append_val(starts, columns->len);
    g_array_append_val(rows, i);
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      g_array_append_val(entries, e);
      g_array_append_val(columns, pattern->column[e]);
    }
  }
  g_array_append_val(starts, columns->len);
}

/* The square of the distance between two points, as fixed unknowns see it. */
static double
distance(const DaeInstant *instant, const uint8_t *is_movable, const double *a, const double *b)
{
  double sum = 0;
  for (uint32_t j = 0; j < instant->n; j++) {
    double part = (a[j] - b[j]) / instant->parts.nominal[j];
    sum += is_movable[j] == 0 ? part * part : 0;
  }
  return sum;
}

bool
dae_overshoot_take_back(DaeInstant *instant, double t, double *x)
{
  if (instant->step_begin == NULL) {
    return false;
  }
  g_autofree uint8_t *is_movable = find_movable(instant);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  find_rows(instant, is_movable, rows, entries, starts, columns);
  g_autofree double *near = g_memdup2(x, (instant->n + 1) * sizeof(double));
  const Positions positions = {instant, t, rows, entries};
  DaeRootProblem root = {.n = instant->n,
                         .m = rows->len,
                         .pattern = {rows->len, instant->n,
                                     (const uint32_t *)(void *)starts->data,
                                     (const uint32_t *)(void *)columns->data},
                         .self = &positions,
                         .residual = values_of,
                         .jacobian = jacobian_of};
  if (rows->len == 0 ||
      !dae_numeric_solve(&root, instant->parts.nominal, 1e-13, near).converged ||
      distance(instant, is_movable, near, x) >
          distance(instant, is_movable, instant->step_begin, x)) {
    return false;
  }
  memcpy(x, near, instant->n * sizeof(double));
  return true;
}

void
dae_instant_set_step_begin(DaeInstant *instant, const double *x)
{
  instant->step_begin = x;
}
