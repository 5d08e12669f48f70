/* Fixed steps that do not solve their equations.
 *
 * A fixed step makes the same few corrections wherever it is. Where they do not lead to a solution
 * (an exponential that is passed by ten times its width comes back by one width a correction; the
 * matrix of a diode that blocks says nothing of one that conducts) the step ends anywhere, and the
 * next ones go on from there. Each point that a step has reached is looked at: one more correction
 * with the matrices at hand. Where that is not small, Newton's method goes on from the point with
 * matrices of its own: a solution far away, or none, is told.
 *
 * An explicit method beyond its limit of stability goes to and fro around the solution; so no
 * resolved solution goes. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "solver/fixed.h"

/* In units of the largest value of an unknown: the step's matrices lead so far that a closer look
 * is needed; solutions further than FAR are not those that the step meant. */
#define SUSPECT 1e-4
#define FAR 1e-2
/* Beside constraints that only projections keep: these move the point away from the solution. */
#define FAR_PROJECTED 1e-1
/* The closer look ends at corrections this small; one that does not has found no solution. */
#define SETTLED 1e-6
#define MOST_CORRECTIONS 40u
/* Of a row's terms: what may be left where directions are held (normal.h). */
#define HELD 1e-3

/* The equations of a step, and the point where they are looked at. */
typedef struct {
  DaeFixed *run;
  DaeStepper *s;
  const DaeStepMatrix *matrix;
  const double *values;
  DaeNormalFactor *factor;
  double t, h, alpha;
  double far;
  double *x; /* n */
  uint32_t unknown, row;
} Look;

/* Errors below the absolute tolerance are none. false: the step left the numbers. */
static bool
find_range(DaeFixed *run)
{
  const double *x = run->stepper->x[0];
  const double *nominal = run->options->nominal;
  bool is_finite = true;
  for (uint32_t j = 0; j < run->stepper->plan->n; j++) {
    is_finite = is_finite && isfinite(x[j]);
    const double error = run->options->atol * (nominal != NULL ? fabs(nominal[j]) : 1.0);
    run->largest[j] = fmax(run->largest[j], fabs(x[j]));
    run->range[j] = fmax(run->largest[j], error / FAR);
  }
  return is_finite;
}

/* h x' at the point: that of the step's end, and what the point differs from it. The slopes of BDF
 * are its quotients. */
static void
set_quotient(const Look *look)
{
  DaeStepper *s = look->s;
  for (uint32_t j = 0; j < s->plan->n; j++) {
    s->q[j] = look->h * s->slope[0][j] + look->alpha * (look->x[j] - s->x[0][j]);
    s->xdot[j] = s->q[j] / look->h;
  }
}

/* The correction at the point, into s->delta; false: the functions have no values there. */
static bool
correct(const Look *look)
{
  DaeStepper *s = look->s;
  DaeOut out = {.f = s->f, .g = s->g, .m = s->m};
  if (s->evaluator->eval(s->evaluator->self, s->scratch, 1, &look->t, look->x, &out) != 0) {
    return false;
  }
  if (look->matrix == &s->plan->algebraic) {
    dae_stepper_serving_residual(s);
  } else {
    set_quotient(look);
    dae_stepper_discretized_residual(s, look->matrix, look->h);
  }
  dae_normal_least_squares(look->matrix->normal, look->values, look->factor, s->r, s->delta);
  return true;
}

/* The largest correction, in units of the largest value of its unknown. */
static double
size_of_correction(const Look *look)
{
  double most = 0.0;
  for (uint32_t c = 0; c < look->matrix->n_columns; c++) {
    const double size = fabs(look->s->delta[c]) / look->run->range[look->matrix->unknown[c]];
    most = size <= most ? most : (isnan(size) ? INFINITY : size);
  }
  return most;
}

/* Of the rows, in units of their terms, what the correction leaves; the row that is violated most
 * before it. Rows without terms are solved elsewhere: none of the step's unknowns is in them. */
static double
judge_rows(Look *look)
{
  const DaeStepper *s = look->s;
  const DaeStepMatrix *matrix = look->matrix;
  const DaeNormal *normal = matrix->normal;
  double held = 0.0;
  double most = 0.0;
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    const double right = normal->scale != NULL ? s->r[i] * normal->scale[i] : s->r[i];
    double left = right;
    double terms = 0.0;
    for (uint32_t e = normal->row_start[i]; e < normal->row_start[i + 1]; e++) {
      left -= look->values[e] * s->delta[normal->column[e]];
      terms += fabs(look->values[e]) * look->run->range[matrix->unknown[normal->column[e]]];
    }
    if (!(terms > 0.0)) {
      continue;
    }
    held = fabs(left) <= held * terms ? held : fabs(left) / terms;
    if (!(fabs(right) <= most * terms)) {
      most = fabs(right) / terms;
      look->row = i < matrix->n_dynamic
                      ? i
                      : s->plan->n_diff + matrix->constraint[i - matrix->n_dynamic];
    }
  }
  return held;
}

/* Matrices at the point. */
static bool
renew_matrices(Look *look)
{
  DaeStepper *s = look->s;
  DaeStepSlot *slot = look->run->look;
  const DaeStepPoint point = {look->t, look->h, look->alpha, look->x, s->xdot};
  if (look->matrix != &s->plan->algebraic) {
    return dae_step_slot_fill(slot, s->evaluator, s->plan, s->scratch, s->options->projection,
                              DAE_SLOT_NEWTON, &point) == 0;
  }
  DaeJac jac = {.gx = s->gx};
  if (s->evaluator->jac(s->evaluator->self, s->scratch, look->t, look->x, s->xdot, &jac) != 0) {
    return false;
  }
  dae_step_slot_gather(look->matrix, 0.0, 0.0, s->m, s->k, s->gx, s->algebraic_values);
  dae_normal_factorize(look->matrix->normal, s->algebraic_values, s->algebraic);
  return true;
}

/* How far the point has come, and by which unknown. */
static double
distance(Look *look)
{
  double most = 0.0;
  for (uint32_t j = 0; j < look->s->plan->n; j++) {
    const double size = fabs(look->x[j] - look->s->x[0][j]) / look->run->range[j];
    if (!(size <= most)) {
      most = isnan(size) ? INFINITY : size;
      look->unknown = j;
    }
  }
  return most;
}

static bool
is_projected(const DaeStepper *s)
{
  return s->options->projections > 0 &&
         s->plan->newton.n_rows < s->plan->n_diff + s->plan->n_con;
}

/* Newton's method from the end of the step: does it end near by? */
static bool
is_near_solution(Look *look)
{
  DaeFixed *run = look->run;
  if (run->look == NULL) {
    run->look = dae_step_slot_new(run->evaluator, run->plan, run->options->projection);
  }
  if (look->matrix != &run->plan->algebraic) {
    look->values = run->look->newton_values;
    look->factor = run->look->newton;
  }
  double size = INFINITY;
  double held = 0.0;
  for (uint32_t k = 0; k < MOST_CORRECTIONS && size > SETTLED && distance(look) <= look->far;
       k++) {
    if (!renew_matrices(look) || !correct(look)) {
      return false;
    }
    size = size_of_correction(look);
    held = k == 0 ? judge_rows(look) : held;
    for (uint32_t c = 0; c < look->matrix->n_columns; c++) {
      look->x[look->matrix->unknown[c]] += look->s->delta[c];
    }
  }
  return size <= SUSPECT && distance(look) <= look->far && held <= HELD;
}

/* Constraints that nothing in the step solves: values of slopes alone led to the point. */
static bool
violates_constraints(Look *look)
{
  DaeStepper *s = look->s;
  const DaePattern *pattern = &s->evaluator->constraint;
  DaeOut out = {.g = s->g};
  DaeJac jac = {.gx = s->gx};
  if (s->evaluator->eval(s->evaluator->self, s->scratch, 1, &look->t, look->x, &out) != 0 ||
      s->evaluator->jac(s->evaluator->self, s->scratch, look->t, look->x, s->xdot, &jac) != 0) {
    return false; /* the next step finds out */
  }
  double most = FAR_PROJECTED;
  for (uint32_t i = 0; i < s->plan->n_con; i++) {
    double terms = 0.0;
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      terms += fabs(s->gx[e]) * look->run->range[pattern->column[e]];
    }
    if (fabs(s->g[i]) > most * terms) {
      most = fabs(s->g[i]) / terms;
      look->row = s->plan->n_diff + i;
    }
  }
  return look->row != UINT32_MAX;
}

/* One more correction with the matrices of the step, a closer look where that is not small. */
static bool
is_solved(Look *look)
{
  if (look->matrix->n_columns == 0) {
    return look->s->plan->n_con == 0 || !violates_constraints(look);
  }
  const bool is_small = correct(look) && size_of_correction(look) <= SUSPECT;
  return (is_small && judge_rows(look) <= HELD) || is_near_solution(look);
}

/* ---- zigzag ------------------------------------------------------------------------------ */

/* Of a differential unknown: the smallest of the last three changes, where their signs alternate. */
static double
zigzag_of(const DaeStepper *s, uint32_t j)
{
  const double last = s->x[0][j] - s->x[1][j];
  const double middle = s->x[1][j] - s->x[2][j];
  const double first = s->x[2][j] - s->x[3][j];
  return last * middle < 0.0 && middle * first < 0.0
             ? fmin(fabs(last), fmin(fabs(middle), fabs(first)))
             : 0.0;
}

void
dae_fixed_look_for_zigzag(DaeFixed *run)
{
  const DaeStepper *s = run->stepper;
  DaeSolverStats *stats = &run->result.stats;
  bool is_new = false;
  for (uint32_t j = 0; j < s->plan->n && !is_new; j++) {
    is_new = !s->plan->is_algebraic[j] && zigzag_of(s, j) > FAR * run->range[j];
    if (is_new && run->zigzags > 0 && stats->coarse_steps++ == 0) {
      stats->first_coarse_step = dae_fixed_t(run) - run->h;
      stats->coarse_unknown = j;
    }
  }
  run->zigzags = is_new ? run->zigzags + 1 : 0;
}

DaeSolverStatus
dae_fixed_look_at_defect(DaeFixed *run, uint32_t order, double h, double t)
{
  DaeStepper *s = run->stepper;
  const bool is_explicit = dae_stepper_uses_slopes(s);
  Look look = {.run = run,
               .s = s,
               .matrix = is_explicit ? &s->plan->algebraic : &s->plan->newton,
               .values = is_explicit ? s->algebraic_values : s->slot->newton_values,
               .factor = is_explicit ? s->algebraic : s->slot->newton,
               .t = t,
               .h = h,
               .alpha = dae_bdf_coefficients[order][0],
               .far = is_projected(s) ? FAR_PROJECTED : FAR,
               .x = s->next, /* free between steps */
               .unknown = UINT32_MAX,
               .row = UINT32_MAX};
  if (!find_range(run)) {
    return DAE_SOLVER_NEWTON_FAILED;
  }
  if (run->options->is_look) {
    return DAE_SOLVER_COMPLETED;
  }
  memcpy(look.x, s->x[0], s->plan->n * sizeof *look.x);
  if (is_solved(&look)) {
    return DAE_SOLVER_COMPLETED;
  }
  if (run->result.stats.unsolved_steps++ == 0) {
    run->result.stats.first_unsolved_step = t;
    run->result.stats.unsolved_unknown = look.unknown;
    run->result.stats.unsolved_row = look.row;
  }
  return DAE_SOLVER_COMPLETED;
}
