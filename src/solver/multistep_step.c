/* One step of a fixed-step method: a fixed list of evaluations, factorizations and
 * solutions, nothing allocated. */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/multistep.h"

/* Residuals that may stay where a direction is held: in scaled rows, and of the right side. */
#define HELD_RESIDUAL 1e-6
#define HELD_PART 1e-3

const double dae_bdf_coefficients[4][4] = {
    {0.0, 0.0, 0.0, 0.0},
    {1.0, -1.0, 0.0, 0.0},
    {3.0 / 2.0, -2.0, 1.0 / 2.0, 0.0},
    {11.0 / 6.0, -3.0, 3.0 / 2.0, -1.0 / 3.0},
};

/* The paper prints -26/12 and 26/12 in the last row; they are -16/12 and 5/12: docs/errata.md. */
const double dae_adams_coefficients[4][3] = {
    {0.0, 0.0, 0.0},
    {1.0, 0.0, 0.0},
    {3.0 / 2.0, -1.0 / 2.0, 0.0},
    {23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0},
};

/* Guess for the algebraic unknowns: the polynomial through the last points. */
static const double extrapolation[4][3] = {
    {0.0, 0.0, 0.0},
    {1.0, 0.0, 0.0},
    {2.0, -1.0, 0.0},
    {3.0, -3.0, 1.0},
};

static double *
new_doubles(size_t n)
{
  return g_new0(double, n + 1);
}

/* ---- a stepper --------------------------------------------------------------------------- */

DaeStepper *
dae_stepper_new(const DaeEvaluator *ev, const DaeStepPlan *plan,
                const DaeSolverOptions *options, const double *x)
{
  DaeStepper *s = g_new0(DaeStepper, 1);
  s->evaluator = ev;
  s->plan = plan;
  s->options = options;
  s->scratch = dae_aligned_new0(ev->scratch_size);
  s->segment = options->segment;
  dae_evaluator_begin(ev, s->scratch, s->segment);
  for (uint32_t k = 0; k < DAE_HISTORY; k++) {
    s->x[k] = new_doubles(ev->n);
    s->slope[k] = new_doubles(ev->n);
    memcpy(s->x[k], x, ev->n * sizeof *x);
  }
  s->next = new_doubles(ev->n);
  s->q = new_doubles(ev->n);
  s->xdot = new_doubles(ev->n);
  s->m = new_doubles(ev->mass.row_start[ev->n_diff]);
  s->k = new_doubles(ev->dynamics.row_start[ev->n_diff]);
  s->gx = new_doubles(ev->constraint.row_start[ev->n_con]);
  s->gt = new_doubles(ev->n_con);
  s->f = new_doubles(ev->n_diff);
  s->g = new_doubles(ev->n_con);
  s->r = new_doubles((size_t)ev->n_diff + ev->n_con);
  s->delta = new_doubles((size_t)ev->n + ev->n_con);
  s->slopes_values = new_doubles(plan->slopes.normal->row_start[plan->slopes.n_rows]);
  s->algebraic_values = new_doubles(plan->algebraic.normal->row_start[plan->algebraic.n_rows]);
  s->slopes = dae_normal_factor_new(plan->slopes.normal);
  s->algebraic = dae_normal_factor_new(plan->algebraic.normal);
  s->slot = dae_step_slot_new(ev, plan, options->projection);
  return s;
}

void
dae_stepper_free(DaeStepper *s)
{
  if (s == NULL) {
    return;
  }
  double *const arrays[] = {s->next,
                            s->q,
                            s->xdot,
                            s->m,
                            s->k,
                            s->gx,
                            s->gt,
                            s->f,
                            s->g,
                            s->r,
                            s->delta,
                            s->slopes_values,
                            s->algebraic_values};
  for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++) {
    g_free(arrays[i]);
  }
  for (uint32_t k = 0; k < DAE_HISTORY; k++) {
    g_free(s->x[k]);
    g_free(s->slope[k]);
  }
  dae_normal_factor_free(s->slopes);
  dae_normal_factor_free(s->algebraic);
  if (s->worker == NULL) { /* else the slot in use is one of the worker's */
    dae_step_slot_free(s->slot);
  }
  free(s->scratch);
  g_free(s);
}

bool
dae_stepper_uses_slopes(const DaeStepper *s)
{
  return s->options->method == DAE_METHOD_AB3 || s->options->method == DAE_METHOD_EULER;
}

/* ---- counting ---------------------------------------------------------------------------- */

static void
count_normal(DaeStepper *s, DaeNormalCost cost)
{
  if (s->is_counting) {
    s->stats->flops_per_step += cost.flops;
    s->stats->divisions_per_step += cost.divisions;
  }
}

static void
count_flops(DaeStepper *s, uint64_t flops)
{
  if (s->is_counting) {
    s->stats->flops_per_step += flops;
  }
}

static void
count_evaluation(DaeStepper *s, uint32_t parts)
{
  if (s->is_counting && s->evaluator->cost != NULL) {
    DaeEvalCost cost = {0, 0, 0, 0};
    s->evaluator->cost(s->evaluator->self, parts, &cost);
    s->stats->flops_per_step += cost.flops + cost.calls;
    s->stats->divisions_per_step += cost.divisions;
    s->stats->square_roots_per_step += cost.square_roots;
  }
}

static DaeSolverStatus
evaluate(DaeStepper *s, double t, const double *x, uint32_t parts)
{
  DaeOut out = {.f = (parts & DAE_COST_F) != 0 ? s->f : NULL,
                .g = (parts & DAE_COST_G) != 0 ? s->g : NULL,
                .m = (parts & DAE_COST_M) != 0 ? s->m : NULL};
  s->stats->rhs_evaluations += (parts & DAE_COST_F) != 0;
  s->stats->mass_evaluations += (parts & DAE_COST_M) != 0;
  count_evaluation(s, parts);
  if (s->evaluator->eval(s->evaluator->self, s->scratch, 1, &t, x, &out) != 0) {
    s->fault = out.fault;
    return DAE_SOLVER_DOMAIN;
  }
  return DAE_SOLVER_COMPLETED;
}

static DaeSolverStatus
evaluate_constraint_jacobian(DaeStepper *s, double t, const double *x, bool with_time)
{
  DaeJac jac = {.gx = s->gx, .gt = with_time ? s->gt : NULL};
  s->stats->jacobian_evaluations++;
  count_evaluation(s, DAE_COST_GX | (with_time ? DAE_COST_GT : 0u));
  if (s->evaluator->jac(s->evaluator->self, s->scratch, t, x, s->xdot, &jac) != 0) {
    s->fault = jac.fault;
    return DAE_SOLVER_DOMAIN;
  }
  return DAE_SOLVER_COMPLETED;
}

static void
count_slot(DaeStepper *s, int parts)
{
  const bool is_coupled = s->options->projection == DAE_PROJECT_COUPLED;
  const bool only_norm = parts == DAE_SLOT_PROJECTION && !is_coupled;
  count_evaluation(s, only_norm ? DAE_COST_GX : (DAE_COST_K | DAE_COST_GX | DAE_COST_JAC_M));
  s->stats->jacobian_evaluations++;
  if ((parts & DAE_SLOT_NEWTON) != 0) {
    s->stats->factorizations_differential++;
    count_normal(s, dae_normal_factorize_cost(s->plan->newton.normal));
    count_flops(s, (uint64_t)3 * s->plan->newton.normal->row_start[s->plan->newton.n_dynamic]);
  }
  if ((parts & DAE_SLOT_PROJECTION) != 0) {
    const DaeNormal *normal = is_coupled ? s->plan->coupled.normal : s->plan->norm.normal;
    s->stats->factorizations_constraints++;
    count_normal(s, dae_normal_factorize_cost(normal));
    count_flops(s,
                is_coupled ? (uint64_t)3 * normal->row_start[s->plan->coupled.n_dynamic] : 0);
  }
}

/* New matrices for the point, unless the worker makes them. */
static DaeSolverStatus
refresh_slot(DaeStepper *s, int parts, const DaeStepPoint *point)
{
  if (s->worker != NULL) {
    return DAE_SOLVER_COMPLETED;
  }
  const int status = dae_step_slot_fill(s->slot, s->evaluator, s->plan, s->scratch,
                                        s->options->projection, parts, point);
  count_slot(s, parts);
  if (status != 0) {
    s->fault = status > 0 ? s->slot->fault : dae_step_slot_largest_row(s->slot, s->evaluator);
  }
  return status == 0 ? DAE_SOLVER_COMPLETED
                     : (status > 0 ? DAE_SOLVER_DOMAIN : DAE_SOLVER_SINGULAR);
}

/* ---- slopes and algebraic unknowns ------------------------------------------------------- */

/* A direction whose pivot vanished was held: do the equations A delta = r hold all the same? In the
 * scaled rows, as the values of A are. */
static bool
is_solved(const DaeStepper *s, const DaeStepMatrix *matrix, const double *values)
{
  const DaeNormal *normal = matrix->normal;
  double largest = 0.0;
  double left = 0.0;
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    const double right = normal->scale != NULL ? s->r[i] * normal->scale[i] : s->r[i];
    double sum = right;
    for (uint32_t e = normal->row_start[i]; e < normal->row_start[i + 1]; e++) {
      sum -= values[e] * s->delta[normal->column[e]];
    }
    largest = fmax(largest, fabs(right));
    left = fmax(left, fabs(sum));
  }
  return left <= HELD_RESIDUAL + HELD_PART * largest;
}

/* r = [f; -g_t] - A*guess. */
static void
slope_residual(DaeStepper *s, const double *guess)
{
  const DaeStepMatrix *matrix = &s->plan->slopes;
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    double sum =
        i < matrix->n_dynamic ? s->f[i] : -s->gt[matrix->constraint[i - matrix->n_dynamic]];
    if (matrix->normal->scale !=
        NULL) { /* as the values are scaled already; undone below, exactly */
      sum *= matrix->normal->scale[i];
    }
    for (uint32_t e = matrix->normal->row_start[i]; e < matrix->normal->row_start[i + 1]; e++) {
      sum -= s->slopes_values[e] * guess[matrix->unknown[matrix->normal->column[e]]];
    }
    s->r[i] = matrix->normal->scale != NULL ? sum / matrix->normal->scale[i] : sum;
  }
}

/* x' of the differential unknowns; f and M are evaluated here. */
static DaeSolverStatus
find_differential_slopes(DaeStepper *s, double t, const double *x, double *guess)
{
  const DaeStepMatrix *matrix = &s->plan->slopes;
  const bool with_constraints = s->plan->slopes_need_constraints;
  DaeSolverStatus status = evaluate(s, t, x, DAE_COST_F | DAE_COST_M);
  if (status == DAE_SOLVER_COMPLETED && with_constraints) {
    status = evaluate_constraint_jacobian(s, t, x, true);
  }
  if (status != DAE_SOLVER_COMPLETED) {
    return status;
  }
  dae_step_slot_gather(matrix, 1.0, 0.0, s->m, s->k, s->gx, s->slopes_values);
  count_normal(s, dae_normal_factorize_cost(matrix->normal));
  count_normal(s, dae_normal_least_squares_cost(matrix->normal));
  const bool is_held = dae_normal_factorize(matrix->normal, s->slopes_values, s->slopes) > 0;
  s->stats->back_substitutions++;
  if (matrix->normal->is_diagonal) { /* exact: no guess needed */
    dae_normal_least_squares(matrix->normal, s->slopes_values, s->slopes, s->f, s->delta);
    for (uint32_t c = 0; c < matrix->n_columns; c++) {
      guess[matrix->unknown[c]] = s->delta[c];
    }
    return is_held ? DAE_SOLVER_SINGULAR : DAE_SOLVER_COMPLETED;
  }
  slope_residual(s, guess);
  count_flops(s, (uint64_t)2 * matrix->normal->row_start[matrix->n_rows] + matrix->n_columns);
  dae_normal_least_squares(matrix->normal, s->slopes_values, s->slopes, s->r, s->delta);
  for (uint32_t c = 0; c < matrix->n_columns; c++) {
    guess[matrix->unknown[c]] += s->delta[c];
  }
  return is_held && !is_solved(s, matrix, s->slopes_values) ? DAE_SOLVER_SINGULAR
                                                            : DAE_SOLVER_COMPLETED;
}

static DaeSolverStatus
solve_algebraic(DaeStepper *s)
{
  const DaeStepMatrix *matrix = &s->plan->algebraic;
  dae_step_slot_gather(matrix, 0.0, 0.0, s->m, s->k, s->gx, s->algebraic_values);
  count_normal(s, dae_normal_factorize_cost(matrix->normal));
  count_normal(s, dae_normal_least_squares_cost(matrix->normal));
  count_flops(s, matrix->n_columns);
  const bool is_held =
      dae_normal_factorize(matrix->normal, s->algebraic_values, s->algebraic) > 0;
  s->stats->back_substitutions++;
  dae_normal_least_squares(matrix->normal, s->algebraic_values, s->algebraic, s->r, s->delta);
  return is_held && !is_solved(s, matrix, s->algebraic_values) ? DAE_SOLVER_SINGULAR
                                                               : DAE_SOLVER_COMPLETED;
}

/* One Newton step for the algebraic unknowns, the others fixed. */
static DaeSolverStatus
correct_algebraic(DaeStepper *s, double t, double *x)
{
  const DaeStepMatrix *matrix = &s->plan->algebraic;
  if (matrix->n_columns == 0) {
    return DAE_SOLVER_COMPLETED;
  }
  DaeSolverStatus status = evaluate(s, t, x, DAE_COST_G);
  if (status == DAE_SOLVER_COMPLETED) {
    status = evaluate_constraint_jacobian(s, t, x, false);
  }
  dae_stepper_serving_residual(s);
  if (status == DAE_SOLVER_COMPLETED) {
    status = solve_algebraic(s);
  }
  for (uint32_t c = 0; status == DAE_SOLVER_COMPLETED && c < matrix->n_columns; c++) {
    x[matrix->unknown[c]] += s->delta[c];
  }
  return status;
}

/* The slopes of the algebraic unknowns follow from G x' = -g_t. */
DaeSolverStatus
dae_stepper_find_slopes(DaeStepper *s, double t, const double *x, double *guess)
{
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  for (int pass = 0; pass < 2 && status == DAE_SOLVER_COMPLETED;
       pass++) { /* the second refines */
    status = find_differential_slopes(s, t, x, guess);
  }
  const DaeStepMatrix *matrix = &s->plan->algebraic;
  if (status != DAE_SOLVER_COMPLETED || matrix->n_columns == 0 ||
      s->plan->slopes_need_constraints) {
    return status;
  }
  status = evaluate_constraint_jacobian(s, t, x, true);
  for (int pass = 0; pass < 2 && status == DAE_SOLVER_COMPLETED; pass++) {
    const DaePattern *pattern = &s->evaluator->constraint;
    for (uint32_t i = 0; i < matrix->n_rows; i++) {
      const uint32_t row = matrix->constraint[i];
      s->r[i] = -s->gt[row];
      for (uint32_t e = pattern->row_start[row]; e < pattern->row_start[row + 1]; e++) {
        s->r[i] -= s->gx[e] * guess[pattern->column[e]];
      }
    }
    status = solve_algebraic(s);
    for (uint32_t c = 0; status == DAE_SOLVER_COMPLETED && c < matrix->n_columns; c++) {
      guess[matrix->unknown[c]] += s->delta[c];
    }
  }
  return status;
}

/* ---- BDF equations ----------------------------------------------------------------------- */

static void
correct_all(DaeStepper *s, const DaeNormal *normal, const double *values,
            DaeNormalFactor *factor, double *x)
{
  s->stats->back_substitutions++;
  count_normal(s, dae_normal_least_squares_cost(normal));
  count_flops(s, s->plan->n);
  dae_normal_least_squares(normal, values, factor, s->r, s->delta);
  for (uint32_t j = 0; j < s->plan->n; j++) {
    x[j] += s->delta[j];
  }
}

static DaeSolverStatus
newton_iterations(DaeStepper *s, uint32_t order, double h, double t, double *x)
{
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  const DaeStepPoint point = {t, h, dae_bdf_coefficients[order][0], x, s->xdot};
  for (uint32_t k = 0; k < s->options->newton && status == DAE_SOLVER_COMPLETED; k++) {
    dae_stepper_set_quotient(s, order, h, x);
    /* A matrix for each iterate, as the paper's table needs it; with the worker thread the
     * newest one that is ready (simplified Newton). */
    status = refresh_slot(s, DAE_SLOT_NEWTON, &point);
    if (status == DAE_SOLVER_COMPLETED) {
      status = evaluate(s, t, x, DAE_COST_F | DAE_COST_G | DAE_COST_M);
    }
    if (status == DAE_SOLVER_COMPLETED) {
      s->stats->newton_iterations++;
      dae_stepper_discretized_residual(s, &s->plan->newton, h);
      correct_all(s, s->plan->newton.normal, s->slot->newton_values, s->slot->newton, x);
    }
  }
  return status;
}

/* ---- projections ------------------------------------------------------------------------- */

static DaeSolverStatus
project_coupled(DaeStepper *s, uint32_t order, double h, double t, double *x)
{
  const DaeStepPoint point = {t, h, dae_bdf_coefficients[order][0], x, s->xdot};
  dae_stepper_set_quotient(s, order, h, x);
  DaeSolverStatus status = refresh_slot(s, DAE_SLOT_PROJECTION, &point);
  if (status == DAE_SOLVER_COMPLETED) {
    status = evaluate(s, t, x, DAE_COST_F | DAE_COST_G | DAE_COST_M);
  }
  if (status == DAE_SOLVER_COMPLETED) {
    dae_stepper_discretized_residual(s, &s->plan->coupled, h);
    correct_all(s, s->plan->coupled.normal, s->slot->projection_values, s->slot->projection, x);
  }
  return status;
}

/* x -= G^T (G G^T)^-1 g. */
static DaeSolverStatus
project_minimum_norm(DaeStepper *s, double h, double t, double *x)
{
  const DaeStepMatrix *matrix = &s->plan->norm;
  const DaeNormal *normal = matrix->normal;
  const DaeStepPoint point = {t, h, 0.0, x, s->xdot};
  DaeSolverStatus status = correct_algebraic(s, t, x);
  if (status == DAE_SOLVER_COMPLETED) {
    status = refresh_slot(s, DAE_SLOT_PROJECTION, &point);
  }
  if (status == DAE_SOLVER_COMPLETED) {
    status = evaluate(s, t, x, DAE_COST_G);
  }
  if (status != DAE_SOLVER_COMPLETED) {
    return status;
  }
  s->stats->back_substitutions++;
  count_normal(s, dae_normal_solve_cost(normal));
  count_flops(s, (uint64_t)2 * normal->row_start[normal->n_rows]);
  if (normal->is_diagonal) {
    dae_normal_least_squares(normal, s->slot->projection_values, s->slot->projection, s->g,
                             s->delta);
  } else {
    memcpy(s->delta, s->g, s->plan->n_con * sizeof *s->g);
    dae_normal_solve(normal, s->slot->projection, s->delta);
  }
  for (uint32_t j = 0; j < s->plan->n; j++) {
    for (uint32_t e = normal->row_start[j]; e < normal->row_start[j + 1]; e++) {
      x[j] -= s->slot->projection_values[e] * s->delta[normal->column[e]];
    }
  }
  return DAE_SOLVER_COMPLETED;
}

static DaeSolverStatus
project(DaeStepper *s, uint32_t order, double h, double t, double *x)
{
  const uint32_t n_projections = s->plan->n_con > 0 ? s->options->projections : 0;
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  for (uint32_t k = 0; k < n_projections && status == DAE_SOLVER_COMPLETED; k++) {
    status = s->options->projection == DAE_PROJECT_COUPLED ? project_coupled(s, order, h, t, x)
                                                           : project_minimum_norm(s, h, t, x);
  }
  if (n_projections > 0 && s->options->projection == DAE_PROJECT_COUPLED &&
      status == DAE_SOLVER_COMPLETED) {
    status = correct_algebraic(s, t, x);
  }
  return status;
}

/* ---- a step ------------------------------------------------------------------------------ */

/* Adams-Bashforth for the differential unknowns; the algebraic ones are
 * extrapolated, then corrected. */
static DaeSolverStatus
explicit_step(DaeStepper *s, uint32_t order, double h, double t, double *x)
{
  DAE_ASSERT(order >= 1 && order <= 3);
  for (uint32_t j = 0; j < s->plan->n; j++) {
    if (s->plan->is_algebraic[j]) {
      double sum = extrapolation[order][0] * s->x[0][j];
      for (uint32_t k = 1; k < order; k++) {
        sum += extrapolation[order][k] * s->x[k][j];
      }
      x[j] = sum;
    } else {
      double sum = dae_adams_coefficients[order][0] * s->slope[0][j];
      for (uint32_t k = 1; k < order; k++) {
        sum += dae_adams_coefficients[order][k] * s->slope[k][j];
      }
      x[j] = s->x[0][j] + h * sum;
    }
  }
  count_flops(s, (uint64_t)s->plan->n * (2 * order + 1));
  return correct_algebraic(s, t, x);
}

static void
push_history(DaeStepper *s)
{
  double *const oldest = s->x[DAE_HISTORY - 1];
  double *const oldest_slope = s->slope[DAE_HISTORY - 1];
  for (uint32_t k = DAE_HISTORY - 1; k > 0; k--) {
    s->x[k] = s->x[k - 1];
    s->slope[k] = s->slope[k - 1];
  }
  s->x[0] = s->next;
  s->slope[0] = oldest_slope;
  s->next = oldest;
}

/* Slopes at the new point: from the equations for AB, from the formula for BDF. */
static DaeSolverStatus
new_slopes(DaeStepper *s, uint32_t order, double h, double t)
{
  const uint32_t n = s->plan->n;
  if (dae_stepper_uses_slopes(s)) {
    memcpy(s->slope[0], s->slope[1], n * sizeof(double));
    return find_differential_slopes(s, t, s->x[0], s->slope[0]);
  }
  const double *alpha = dae_bdf_coefficients[order];
  for (uint32_t j = 0; j < n; j++) {
    double sum = 0.0;
    for (uint32_t k = 0; k <= order; k++) {
      sum += alpha[k] * s->x[k][j];
    }
    s->slope[0][j] = sum / h;
  }
  return DAE_SOLVER_COMPLETED;
}

/* The newest point, which step `step` reached, for the next matrices. */
static void
offer_point(DaeStepper *s, uint64_t step, uint32_t order, double h, double t)
{
  const DaeStepPoint point = {t, h, dae_bdf_coefficients[order][0], s->x[0], s->slope[0]};
  dae_step_worker_offer(s->worker, step, &point);
}

DaeSolverStatus
dae_stepper_advance(DaeStepper *s, uint32_t order, double h, double t)
{
  double *x = s->next;
  DaeSolverStatus status;
  if (s->worker != NULL) {
    s->slot = dae_step_worker_newest(s->worker);
  }
  if (s->worker != NULL && dae_step_worker_is_awaited(s->worker)) {
    offer_point(s, s->step - 1, order, h, t - h);
  }
  if (dae_stepper_uses_slopes(s)) {
    status = explicit_step(s, order, h, t, x);
  } else {
    memcpy(x, s->x[0], s->plan->n * sizeof *x);
    status = newton_iterations(s, order, h, t, x);
  }
  if (status == DAE_SOLVER_COMPLETED) {
    status = project(s, order, h, t, x);
  }
  if (status == DAE_SOLVER_COMPLETED) {
    push_history(s);
    status = new_slopes(s, order, h, t);
  }
  if (s->worker != NULL && status == DAE_SOLVER_COMPLETED &&
      !dae_step_worker_is_awaited(s->worker)) {
    offer_point(s, s->step, order, h, t);
  }
  return status;
}

DaeSolverStatus
dae_step_plan_find_slopes(const DaeStepPlan *plan, const DaeEvaluator *evaluator,
                          const double *segment, double t, const double *x, double *slopes)
{
  DaeSolverOptions options;
  DaeSolverStats stats = {0};
  dae_solver_default_options(&options);
  options.segment = segment;
  DaeStepper *stepper = dae_stepper_new(evaluator, plan, &options, x);
  stepper->stats = &stats;
  DaeSolverStatus status = dae_stepper_find_slopes(stepper, t, x, slopes);
  dae_stepper_free(stepper);
  return status;
}
