/* A problem as C text: the terms and names from here, the plan of a step from the
 * solver, the writing in cgen*.c. */
#include "export/export.h"

#include <string.h>

#include "export/cgen.h"
#include "solver/plan.h"

#define TEST_STEPS 20u

static DaeCgenMatrix
matrix_as_data(const DaeStepMatrix *matrix)
{
  const DaeNormal *normal = matrix->normal;
  return (DaeCgenMatrix){.n_dynamic = matrix->n_dynamic,
                         .n_rows = matrix->n_rows,
                         .n_columns = matrix->n_columns,
                         .constraint = matrix->constraint,
                         .unknown = matrix->unknown,
                         .from_m = matrix->from_m,
                         .from_k = matrix->from_k,
                         .from_g = matrix->from_g,
                         .row_start = normal->row_start,
                         .column = normal->column,
                         .is_diagonal = normal->is_diagonal,
                         .scale = normal->scale,
                         .order = normal->order,
                         .entry_start = normal->entry_start,
                         .entry_column = normal->entry_column,
                         .pair_start = normal->pair_start,
                         .pair_p = normal->pair_p,
                         .pair_q = normal->pair_q,
                         .triple_start = normal->triple_start,
                         .triple_c = normal->triple_c,
                         .triple_l = normal->triple_l};
}

static DaeCgenMethod
method_as_data(DaeMethod method)
{
  switch (method) {
  case DAE_METHOD_AB3:
    return DAE_CGEN_AB3;
  case DAE_METHOD_BDF3:
    return DAE_CGEN_BDF3;
  case DAE_METHOD_EULER:
    return DAE_CGEN_EULER;
  case DAE_METHOD_IMPLICIT_EULER:
    return DAE_CGEN_IMPLICIT_EULER;
  case DAE_METHOD_RADAU:
    break;
  }
  dae_internal_error(__FILE__, __LINE__, "method without fixed step");
}

static uint64_t
all_operations(DaeNormalCost a, DaeNormalCost b)
{
  return a.flops + a.divisions + b.flops + b.divisions;
}

static uint64_t
evaluation_flops(const DaeEvaluator *evaluator, uint32_t parts)
{
  DaeEvalCost cost = {0, 0, 0, 0};
  if (evaluator->cost != NULL) {
    evaluator->cost(evaluator->self, parts, &cost);
  }
  return cost.flops + cost.calls + cost.divisions + cost.square_roots;
}

/* What events do with the unknowns. */
static void
count_corrections(const DaeEvaluator *evaluator, const DaeStepPlan *plan, DaeCgenStep *step)
{
  const DaeNormal *algebraic = plan->algebraic.normal;
  const DaeNormal *slopes = plan->slopes.normal;
  if (plan->algebraic.n_columns > 0) {
    step->correction_flops = evaluation_flops(evaluator, DAE_COST_G | DAE_COST_GX) +
                             all_operations(dae_normal_factorize_cost(algebraic),
                                            dae_normal_least_squares_cost(algebraic)) +
                             plan->algebraic.n_columns;
  }
  step->slopes_flops =
      evaluation_flops(evaluator, DAE_COST_F | DAE_COST_M | DAE_COST_GX | DAE_COST_GT) +
      all_operations(dae_normal_factorize_cost(slopes), dae_normal_least_squares_cost(slopes)) +
      2 * (uint64_t)slopes->row_start[plan->slopes.n_rows] + plan->n;
}

static DaeCgenStep
step_as_data(const DaeStepPlan *plan, const DaeSolverOptions *options)
{
  return (DaeCgenStep){.method = method_as_data(options->method),
                       .step = options->step,
                       .t_stop = options->t_stop,
                       .newton = options->newton,
                       .projections = options->projections,
                       .is_coupled = options->projection == DAE_PROJECT_COUPLED,
                       .constant_history = options->constant_history,
                       .slopes_need_constraints = plan->slopes_need_constraints,
                       .is_algebraic = plan->is_algebraic,
                       .slopes = matrix_as_data(&plan->slopes),
                       .algebraic = matrix_as_data(&plan->algebraic),
                       .newton_matrix = matrix_as_data(&plan->newton),
                       .coupled = matrix_as_data(&plan->coupled),
                       .norm = matrix_as_data(&plan->norm)};
}

/* The first steps, for the self-test and the operations of a step. */
static bool
run_test_steps(const DaeExportInput *input, const DaeSolverOptions *options, DaeCgenStep *step,
               double *x, GError **error)
{
  DaeSolverOptions few = *options;
  few.t_start = input->t_start;
  few.t_stop = input->t_start + TEST_STEPS * options->step;
  few.interval = TEST_STEPS * options->step;
  few.parallel = false;
  few.realtime_period = 0.0;
  DaeSolverResult result;
  if (input->run == NULL) {
    result = dae_solver_run(input->evaluator, &few, x, NULL, NULL, NULL);
  } else if (!input->run(input->user, &few, x, &result, error)) {
    return false;
  }
  if (result.status != DAE_SOLVER_COMPLETED) {
    g_set_error(error, DAE_ERROR,
                result.status == DAE_SOLVER_BAD_OPTIONS ? DAE_ERROR_USAGE : DAE_ERROR_NUMERIC,
                "the first steps fail at t = %.10g: %s", result.stats.t,
                dae_solver_status_text(result.status));
    return false;
  }
  step->flops = result.stats.flops_per_step;
  step->divisions = result.stats.divisions_per_step;
  step->square_roots = result.stats.square_roots_per_step;
  step->test_steps = MIN(TEST_STEPS, (uint32_t)result.stats.steps_accepted);
  step->test_x = x;
  return true;
}

/* x' at the start as the integrator finds it, so that the exported
 * one begins with the same bits. */
static double *
find_start_slopes(const DaeExportInput *input, const DaeStepPlan *plan)
{
  const uint32_t n = input->evaluator->n;
  double *slopes = g_new0(double, (size_t)n + 1);
  if (dae_step_plan_find_slopes(plan, input->evaluator, input->parts->segment_values,
                                input->t_start, input->start, slopes) != DAE_SOLVER_COMPLETED) {
    memcpy(slopes, input->slopes, n * sizeof *slopes);
  }
  return slopes;
}

static bool
write_text(const DaeExportInput *input, const DaeStepPlan *plan, const DaeCgenStep *step,
           char **header, char **source, GError **error)
{
  g_autofree double *slopes = find_start_slopes(input, plan);
  g_autofree char *identifier =
      dae_cgen_identifier(input->prefix != NULL ? input->prefix : input->model);
  const DaeCgenModel model = {.model = input->model,
                              .prefix = identifier,
                              .version = input->version,
                              .names = input->names,
                              .units = input->units,
                              .start = input->start,
                              .start_slopes = slopes,
                              .t_start = input->t_start,
                              .parameter_names = input->parameter_names,
                              .parameter_terms = input->parameter_terms,
                              .events = input->events,
                              .serves = plan->serves,
                              .is_algebraic = plan->is_algebraic};
  return dae_cgen_write(input->terms, input->parts, &model, step, header, source, error);
}

bool
dae_export_c(const DaeExportInput *input, const DaeSolverOptions *options, char **header,
             char **source, GError **error)
{
  const DaeEvaluator *evaluator = input->evaluator;
  DaeSolverStatus status;
  DaeStepPlan *plan = dae_step_plan_new(evaluator, input->parts->segment_values, input->t_start,
                                        input->start, &status);
  if (plan == NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC, "at the start, t = %.10g: %s",
                input->t_start, dae_solver_status_text(status));
    return false;
  }
  g_autofree double *x = g_memdup2(input->start, (size_t)evaluator->n * sizeof(double));
  bool ok = true;
  DaeCgenStep step = {0};
  if (options != NULL) {
    step = step_as_data(plan, options);
    count_corrections(evaluator, plan, &step);
    ok = run_test_steps(input, options, &step, x, error);
  }
  ok = ok && write_text(input, plan, options != NULL ? &step : NULL, header, source, error);
  dae_step_plan_free(plan);
  return ok;
}
