/* What a reinit takes along without a force.
 *
 * In der(J) = der(E), E = f(h, b), E is a name for f and no quantity of its own: reinit(b, ...)
 * moves it, and J stays [MLS, section 8.3.6]. Held as a state it would contradict the new b, and
 * moved as one it would carry J along. So where the constraints do not hold after a reinit with
 * all other differentiated unknowns as they were, those that stand only in differential rows
 * without a right-hand side are released: the only one in each constraint that holds what was
 * set, then in each that is violated. Where there are several, the model does not say which of
 * them moves, and the impulses decide (restart.c). */
#include <math.h>
#include <string.h>

#include "instant/instant-priv.h"
#include "numeric/numeric.h"

#define HOLDS 1e-9 /* largest residual, scaled, of constraints that hold */
#define MOST_STEPS 10u

typedef struct {
  DaeInstant *instant;
  double t;
  uint8_t *may_follow; /* by column */
  GArray *columns;     /* uint32_t: what is solved for, the algebraic ones first */
  GArray *row_start, *places, *entries; /* uint32_t: pattern of all constraints in them */
  double *x, *g, *gx;
} Follow;

static bool
is_reset(const DaeReset *resets, uint32_t n_resets, uint32_t column)
{
  for (uint32_t r = 0; r < n_resets; r++) {
    if (resets[r].column == column) {
      return true;
    }
  }
  return false;
}

/* A differential row that only says that some unknowns change together. */
static bool
is_without_force(const DaeEvaluator *ev, const DaeReset *resets, uint32_t n_resets,
                 const double *f, uint32_t row)
{
  bool is_free = ev->dynamics.row_start[row] == ev->dynamics.row_start[row + 1] &&
                 ev->mass.row_start[row + 1] - ev->mass.row_start[row] > 1 && f[row] == 0;
  for (uint32_t e = ev->mass.row_start[row]; is_free && e < ev->mass.row_start[row + 1]; e++) {
    is_free = !is_reset(resets, n_resets, ev->mass.column[e]);
  }
  return is_free;
}

/* Differentiated unknowns in such rows only. */
static bool
find_followers(Follow *follow, const DaeReset *resets, uint32_t n_resets)
{
  DaeInstant *instant = follow->instant;
  const DaeEvaluator *ev = instant->evaluator;
  g_autofree double *f = g_new0(double, ev->n_diff + 1);
  DaeOut out = {.f = f};
  if (ev->eval(ev->self, instant->scratch, 1, &follow->t, follow->x, &out) != 0) {
    return false;
  }
  for (uint32_t j = 0; j < instant->n; j++) {
    follow->may_follow[j] =
        instant->place_of_column[j] == 0 && !is_reset(resets, n_resets, j) ? 1 : 0;
  }
  for (uint32_t i = 0; i < ev->n_diff; i++) {
    bool is_free = is_without_force(ev, resets, n_resets, f, i);
    for (uint32_t e = ev->mass.row_start[i]; !is_free && e < ev->mass.row_start[i + 1]; e++) {
      follow->may_follow[ev->mass.column[e]] = 0;
    }
  }
  return memchr(follow->may_follow, 1, instant->n) != NULL;
}

static void
make_pattern(Follow *follow)
{
  const DaeInstant *instant = follow->instant;
  const DaeEvaluator *ev = instant->evaluator;
  g_autofree uint32_t *place = g_new0(uint32_t, instant->n + 1);
  for (guint k = 0; k < follow->columns->len; k++) {
    place[g_array_index(follow->columns, uint32_t, k)] = k + 1;
  }
  g_array_set_size(follow->row_start, 0);
  g_array_set_size(follow->places, 0);
  g_array_set_size(follow->entries, 0);
  for (uint32_t i = 0; i < ev->n_con; i++) {
    g_array_append_val(follow->row_start, follow->places->len);
    for (uint32_t e = ev->constraint.row_start[i]; e < ev->constraint.row_start[i + 1]; e++) {
      if (place[ev->constraint.column[e]] > 0) {
        uint32_t own = place[ev->constraint.column[e]] - 1;
        g_array_append_val(follow->places, own);
        g_array_append_val(follow->entries, e);
      }
    }
  }
  g_array_append_val(follow->row_start, follow->places->len);
}

static bool
make_step(Follow *follow, DaeRowSolver *solver)
{
  DaeInstant *instant = follow->instant;
  const DaeEvaluator *ev = instant->evaluator;
  g_autofree double *values = g_new0(double, follow->entries->len + 1);
  g_autofree double *change = g_new0(double, follow->columns->len + 1);
  DaeOut out = {.g = follow->g};
  DaeJac jac = {.gx = follow->gx};
  if (ev->eval(ev->self, instant->scratch, 1, &follow->t, follow->x, &out) != 0 ||
      ev->jac(ev->self, instant->scratch, follow->t, follow->x, instant->xdot, &jac) != 0) {
    return false;
  }
  for (guint e = 0; e < follow->entries->len; e++) {
    values[e] = follow->gx[g_array_index(follow->entries, uint32_t, e)];
  }
  if (!dae_row_solver_factor(solver, values)) {
    return false;
  }
  dae_row_solver_solve(solver, follow->g, change);
  for (guint k = 0; k < follow->columns->len; k++) {
    follow->x[g_array_index(follow->columns, uint32_t, k)] -= change[k];
  }
  return true;
}

/* Constraints for the algebraic and the released unknowns by Newton's method: the largest residual
 * that is left, and in which row. */
static double
solve_released(Follow *follow, uint32_t *row)
{
  const uint32_t n_con = follow->instant->evaluator->n_con;
  const uint32_t n = follow->columns->len;
  double largest = INFINITY;
  if (n > n_con) {
    return INFINITY;
  }
  make_pattern(follow);
  const DaePattern pattern = {n_con, n, (const uint32_t *)(void *)follow->row_start->data,
                              (const uint32_t *)(void *)follow->places->data};
  DaeRowSolver *solver = dae_row_solver_new(&pattern);
  for (uint32_t step = 0; step < MOST_STEPS && !(largest < HOLDS); step++) {
    largest = make_step(follow, solver)
                  ? dae_solve_residual(follow->instant, follow->t, follow->x, row)
                  : INFINITY;
    if (!isfinite(largest)) {
      break;
    }
  }
  dae_row_solver_free(solver);
  return largest;
}

/* The only one in a constraint; false: none, or one of several. */
static bool
release_one(Follow *follow, uint32_t row)
{
  const DaePattern *constraint = &follow->instant->evaluator->constraint;
  uint32_t found = UINT32_MAX;
  for (uint32_t e = constraint->row_start[row]; e < constraint->row_start[row + 1]; e++) {
    uint32_t column = constraint->column[e];
    if (follow->may_follow[column] == 0) {
      continue;
    }
    if (found != UINT32_MAX) {
      return false;
    }
    found = column;
  }
  if (found == UINT32_MAX) {
    return false;
  }
  follow->may_follow[found] = 0;
  g_array_append_val(follow->columns, found);
  return true;
}

/* First in the constraints that hold what was set, then where one is violated. */
static bool
release(Follow *follow, const DaeReset *resets, uint32_t n_resets)
{
  const DaePattern *constraint = &follow->instant->evaluator->constraint;
  for (uint32_t i = 0; i < constraint->n_rows; i++) {
    bool any = false;
    for (uint32_t e = constraint->row_start[i]; !any && e < constraint->row_start[i + 1]; e++) {
      any = is_reset(resets, n_resets, constraint->column[e]);
    }
    if (any) {
      release_one(follow, i);
    }
  }
  uint32_t row = 0;
  double largest = solve_released(follow, &row);
  while (!(largest < HOLDS)) {
    if (!isfinite(largest) || row >= constraint->n_rows || !release_one(follow, row)) {
      return false;
    }
    largest = solve_released(follow, &row);
  }
  return true;
}

bool
dae_follow_resets(DaeInstant *instant, double t, double *x, const DaeReset *resets,
                  uint32_t n_resets)
{
  const DaeEvaluator *ev = instant->evaluator;
  g_autofree double *after = g_memdup2(x, (instant->n + 1) * sizeof(double));
  g_autofree uint8_t *may_follow = g_new0(uint8_t, instant->n + 1);
  g_autofree double *g = g_new0(double, ev->n_con + 1);
  g_autofree double *gx = g_new0(double, ev->constraint.row_start[ev->n_con] + 1);
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) row_start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  Follow follow = {instant, t, may_follow, columns, row_start, places, entries, after, g, gx};
  uint32_t row = 0;
  if (!dae_solve_algebraic(instant, t, after) ||
      !(dae_solve_residual(instant, t, after, &row) < HOLDS) ||
      !find_followers(&follow, resets, n_resets)) {
    return false; /* something else than the reinit makes states jump, or nothing can follow */
  }
  for (uint32_t r = 0; r < n_resets; r++) {
    after[resets[r].column] = resets[r].value;
  }
  g_array_append_vals(columns, instant->algebraic, instant->n_algebraic);
  if (!release(&follow, resets, n_resets)) {
    return false;
  }
  memcpy(x, after, instant->n * sizeof(double));
  return true;
}
