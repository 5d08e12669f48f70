/* Algebraic unknowns for given states and segment values: the constraints that contain them,
 * solved by Newton's method. With all hidden constraints in the system they are determined: [M;
 * g_x] has full column rank, and their columns of M are zero. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant/instant-priv.h"
#include "numeric/numeric.h"

#define MOST_FULL_STEPS 4u
#define NOISE_SAMPLES 4u
/* Inside of a row there are more operations than one for each unknown. */
#define ROW_MARGIN 64.0

static void
find_algebraic(DaeInstant *instant)
{
  const DaeEvaluator *ev = instant->evaluator;
  g_autofree uint8_t *differentiated = g_new0(uint8_t, instant->n + 1);
  uint32_t nnz = ev->mass.row_start[ev->n_diff];
  for (uint32_t e = 0; e < nnz; e++) {
    differentiated[ev->mass.column[e]] = 1;
  }
  instant->algebraic = g_new0(uint32_t, instant->n + 1);
  instant->place_of_column = g_new0(uint32_t, instant->n + 1);
  for (uint32_t j = 0; j < instant->n; j++) {
    if (differentiated[j] == 0) {
      instant->algebraic[instant->n_algebraic++] = j;
      instant->place_of_column[j] = instant->n_algebraic;
    }
  }
}

void
dae_solve_prepare(DaeInstant *instant)
{
  const DaeEvaluator *ev = instant->evaluator;
  find_algebraic(instant);
  uint32_t nnz = ev->constraint.row_start[ev->n_con];
  instant->rows = g_new0(uint32_t, ev->n_con + 1);
  instant->sub_start = g_new0(uint32_t, ev->n_con + 2);
  instant->sub_column = g_new0(uint32_t, nnz + 1);
  instant->sub_entry = g_new0(uint32_t, nnz + 1);
  uint32_t at = 0;
  for (uint32_t i = 0; i < ev->n_con; i++) {
    uint32_t first = at;
    for (uint32_t e = ev->constraint.row_start[i]; e < ev->constraint.row_start[i + 1]; e++) {
      uint32_t place = instant->place_of_column[ev->constraint.column[e]];
      if (place > 0) {
        instant->sub_column[at] = place - 1;
        instant->sub_entry[at++] = e;
      }
    }
    if (at > first) {
      instant->rows[instant->n_rows++] = i;
      instant->sub_start[instant->n_rows] = at;
    }
  }
  instant->x_work = g_new0(double, instant->n + 1);
  instant->g_work = g_new0(double, ev->n_con + 1);
  instant->gx_work = g_new0(double, nnz + 1);
}

uint64_t
dae_instant_operations(const DaeInstant *instant)
{
  return instant->operations;
}

static void
count_evaluation(DaeInstant *instant, uint32_t parts)
{
  const DaeEvaluator *ev = instant->evaluator;
  DaeEvalCost cost = {0, 0, 0, 0};
  if (ev->cost != NULL) {
    ev->cost(ev->self, parts, &cost);
  }
  instant->operations += cost.flops + cost.divisions + cost.calls + cost.square_roots;
}

typedef struct {
  DaeInstant *instant;
  double t;
  const double *offset; /* by row: residuals that are left on a path; NULL: none */
  double share;         /* of them */
} Problem;

static void
put_in(DaeInstant *instant, const double *y)
{
  for (uint32_t k = 0; k < instant->n_algebraic; k++) {
    instant->x_work[instant->algebraic[k]] = y[k];
  }
}

static int
residual(const void *self, void *scratch, const double *y, double *r)
{
  const Problem *problem = self;
  DaeInstant *instant = problem->instant;
  const DaeEvaluator *ev = instant->evaluator;
  (void)scratch;
  put_in(instant, y);
  count_evaluation(instant, DAE_COST_G);
  DaeOut out = {.g = instant->g_work};
  int code = ev->eval(ev->self, instant->scratch, 1, &problem->t, instant->x_work, &out);
  for (uint32_t i = 0; i < instant->n_rows; i++) {
    r[i] = instant->g_work[instant->rows[i]];
    r[i] -= problem->offset != NULL ? problem->share * problem->offset[i] : 0;
    code = isfinite(r[i]) || code != 0 ? code : 1;
  }
  return code;
}

static int
jacobian(const void *self, void *scratch, const double *y, double *values)
{
  const Problem *problem = self;
  DaeInstant *instant = problem->instant;
  const DaeEvaluator *ev = instant->evaluator;
  (void)scratch;
  put_in(instant, y);
  count_evaluation(instant, DAE_COST_GX);
  DaeJac jac = {.gx = instant->gx_work};
  int code =
      ev->jac(ev->self, instant->scratch, problem->t, instant->x_work, instant->xdot, &jac);
  for (uint32_t e = 0; e < instant->sub_start[instant->n_rows]; e++) {
    values[e] = instant->gx_work[instant->sub_entry[e]];
  }
  return code;
}

static void
set_segment(DaeInstant *instant)
{
  const DaeEvaluator *ev = instant->evaluator;
  if (ev->set_segment != NULL) {
    ev->set_segment(ev->self, instant->scratch, instant->segment);
  }
}

static DaeRootProblem
root_problem(const Problem *problem)
{
  const DaeInstant *instant = problem->instant;
  return (DaeRootProblem){.n = instant->n_algebraic,
                          .m = instant->n_rows,
                          .pattern = {instant->n_rows, instant->n_algebraic, instant->sub_start,
                                      instant->sub_column},
                          .self = problem,
                          .residual = residual,
                          .jacobian = jacobian};
}

/* Nearly all systems at events are linear once the positions are given, and one step is enough. */
static bool
solve_fast(const Problem *problem, const double *weights, double *y)
{
  DaeInstant *instant = problem->instant;
  DaeRootProblem root = root_problem(problem);
  if (instant->row_solver == NULL) {
    instant->row_solver = dae_row_solver_new(&root.pattern);
  }
  return dae_row_solver_newton(instant->row_solver, &root, weights, y, &instant->operations);
}

/* The residual of the point where it begins is taken away in steps. */
static bool
solve_along(Problem *problem, const double *weights, double *y)
{
  const DaeInstant *instant = problem->instant;
  uint32_t n = instant->n_algebraic;
  g_autofree double *offset = g_new0(double, instant->n_rows + 1);
  g_autofree double *good = g_memdup2(y, (n + 1) * sizeof(double));
  double reached = 0;
  double step = 0.125;
  if (residual(problem, NULL, y, offset) != 0) {
    return false;
  }
  problem->offset = offset;
  while (reached < 1 && step > 1e-6) {
    double next = fmin(1, reached + step);
    problem->share = 1 - next;
    if (solve_fast(problem, weights, y)) {
      reached = next;
      step *= 2;
      memcpy(good, y, n * sizeof(double));
    } else {
      step *= 0.25;
      memcpy(y, good, n * sizeof(double));
    }
  }
  problem->offset = NULL;
  return reached >= 1;
}

static void
take_algebraic(const DaeInstant *instant, const double *x, double *y)
{
  for (uint32_t k = 0; k < instant->n_algebraic; k++) {
    y[k] = x[instant->algebraic[k]];
  }
}

static bool
solve_carefully(const Problem *problem, const double *weights, double *y)
{
  DaeRootProblem root = root_problem(problem);
  DaeRootResult result = dae_numeric_solve(&root, weights, 1e-12, y);
  return result.converged || result.residual < 1e-9;
}

/* By row: the sum of the parts that algebraic unknowns have there. */
static bool
find_scales(const Problem *problem, const double *y, double *scale)
{
  const DaeInstant *instant = problem->instant;
  g_autofree double *values = g_new0(double, instant->sub_start[instant->n_rows] + 1);
  if (jacobian(problem, NULL, y, values) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < instant->n_rows; i++) {
    for (uint32_t e = instant->sub_start[i]; e < instant->sub_start[i + 1]; e++) {
      uint32_t k = instant->sub_column[e];
      scale[i] +=
          fabs(values[e]) * (fabs(y[k]) + instant->parts.nominal[instant->algebraic[k]]);
    }
  }
  return true;
}

/* Are the residuals small beside the parts of the algebraic unknowns in their rows? */
static bool
rows_hold(const Problem *problem, const double *y, double slack)
{
  const DaeInstant *instant = problem->instant;
  g_autofree double *r = g_new0(double, instant->n_rows + 1);
  g_autofree double *scale = g_new0(double, instant->n_rows + 1);
  if (residual(problem, NULL, y, r) != 0 || !find_scales(problem, y, scale)) {
    return false;
  }
  for (uint32_t i = 0; i < instant->n_rows; i++) {
    if (fabs(r[i]) > slack * scale[i]) {
      return false;
    }
  }
  return true;
}

/* Its last digit moved, one way or the other. */
static double
last_digit_moved(double value, uint32_t sample, uint32_t column)
{
  double phase = sample * (column + 1.0) * 0.6180339887498949;
  return value * (1 + (phase - floor(phase) < 0.5 ? -DBL_EPSILON : DBL_EPSILON));
}

/* Are the residuals small, or no more than what the last digits of all unknowns make of them? A row
 * may be the difference of terms that are 1e15 times as large as what its unknowns do there. */
static bool
is_rounding(const Problem *problem, const double *y)
{
  DaeInstant *instant = problem->instant;
  const uint32_t n = instant->n_algebraic;
  g_autofree double *x = g_memdup2(instant->x_work, (instant->n + 1) * sizeof(double));
  g_autofree double *r = g_new0(double, instant->n_rows + 1);
  g_autofree double *moved = g_new0(double, instant->n_rows + 1);
  g_autofree double *noise = g_new0(double, instant->n_rows + 1);
  g_autofree double *scale = g_new0(double, instant->n_rows + 1);
  g_autofree double *z = g_new0(double, n + 1);
  bool good = residual(problem, NULL, y, r) == 0 && find_scales(problem, y, scale);
  for (uint32_t sample = 1; sample <= NOISE_SAMPLES && good; sample++) {
    for (uint32_t j = 0; j < instant->n; j++) {
      instant->x_work[j] = last_digit_moved(x[j], sample, j);
    }
    for (uint32_t k = 0; k < n; k++) {
      z[k] = last_digit_moved(y[k], sample, instant->algebraic[k]);
    }
    good = residual(problem, NULL, z, moved) == 0;
    for (uint32_t i = 0; i < instant->n_rows; i++) {
      noise[i] = fmax(noise[i], fabs(moved[i] - r[i]));
    }
  }
  memcpy(instant->x_work, x, instant->n * sizeof(double));
  for (uint32_t i = 0; i < instant->n_rows && good; i++) {
    good = fabs(r[i]) <= fmax(ROW_MARGIN * noise[i], 1e-12 * scale[i]);
  }
  return good;
}

/* Newton's full steps, whatever the residuals do on the way, down to their rounding. */
static bool
solve_to_rounding(const Problem *problem, double *y)
{
  DaeInstant *instant = problem->instant;
  g_autofree double *r = g_new0(double, instant->n_rows + 1);
  g_autofree double *values = g_new0(double, instant->sub_start[instant->n_rows] + 1);
  g_autofree double *change = g_new0(double, instant->n_algebraic + 1);
  for (uint32_t step = 0; step < MOST_FULL_STEPS; step++) {
    if (residual(problem, NULL, y, r) != 0 || jacobian(problem, NULL, y, values) != 0 ||
        !dae_row_solver_factor(instant->row_solver, values)) {
      return false;
    }
    dae_row_solver_solve(instant->row_solver, r, change);
    for (uint32_t k = 0; k < instant->n_algebraic; k++) {
      y[k] -= change[k];
    }
    if (is_rounding(problem, y)) {
      return true;
    }
  }
  return false;
}

bool
dae_solve_is_near(DaeInstant *instant, double t, const double *x, double slack)
{
  const Problem problem = {.instant = instant, .t = t};
  g_autofree double *y = g_new0(double, instant->n_algebraic + 1);
  if (instant->n_algebraic == 0) {
    return true;
  }
  set_segment(instant);
  memcpy(instant->x_work, x, instant->n * sizeof(double));
  take_algebraic(instant, x, y);
  return rows_hold(&problem, y, slack);
}

bool
dae_solve_algebraic(DaeInstant *instant, double t, double *x)
{
  dae_open_update(instant, x);
  set_segment(instant);
  if (instant->n_algebraic == 0) {
    return true;
  }
  Problem problem = {.instant = instant, .t = t};
  memcpy(instant->x_work, x, instant->n * sizeof(double));
  g_autofree double *y = g_new0(double, instant->n_algebraic + 1);
  g_autofree double *weights = g_new0(double, instant->n_algebraic + 1);
  for (uint32_t k = 0; k < instant->n_algebraic; k++) {
    weights[k] = instant->parts.nominal[instant->algebraic[k]];
  }
  take_algebraic(instant, x, y);
  bool found = solve_fast(&problem, weights, y) || is_rounding(&problem, y);
  if (!found) {
    take_algebraic(instant, x, y);
    found = solve_along(&problem, weights, y);
  }
  if (!found) {
    take_algebraic(instant, x, y);
    found = solve_carefully(&problem, weights, y) || solve_to_rounding(&problem, y);
  }
  /* where unknowns are open and held there are more rows than the solution was made from */
  if (!found || (dae_open_any(instant) && !rows_hold(&problem, y, 1e-8))) {
    return false;
  }
  for (uint32_t k = 0; k < instant->n_algebraic; k++) {
    x[instant->algebraic[k]] = y[k];
  }
  return true;
}

/* Each residual over the sum of the sizes of its linear parts. */
double
dae_solve_residual(DaeInstant *instant, double t, const double *x, uint32_t *row)
{
  const DaeEvaluator *ev = instant->evaluator;
  double worst = 0;
  *row = UINT32_MAX;
  set_segment(instant);
  DaeOut out = {.g = instant->g_work};
  DaeJac jac = {.gx = instant->gx_work};
  if (ev->n_con == 0) {
    return 0;
  }
  count_evaluation(instant, DAE_COST_G | DAE_COST_GX);
  if (ev->eval(ev->self, instant->scratch, 1, &t, x, &out) != 0 ||
      ev->jac(ev->self, instant->scratch, t, x, instant->xdot, &jac) != 0) {
    return INFINITY;
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    double scale = 0;
    for (uint32_t e = ev->constraint.row_start[i]; e < ev->constraint.row_start[i + 1]; e++) {
      uint32_t j = ev->constraint.column[e];
      scale += fabs(instant->gx_work[e]) * (fabs(x[j]) + instant->parts.nominal[j]);
    }
    double size = fabs(instant->g_work[i]) / fmax(scale, 1e-300);
    if (!(size <= worst)) {
      worst = size;
      *row = i;
    }
  }
  return worst;
}
