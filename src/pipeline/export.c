/* A problem as C text: the terms and names from here, the plan of a step from the solver, the writing in eval. */
#include <math.h>
#include <string.h>

#include "eval/cgen.h"
#include "pipeline/problem-priv.h"
#include "solver/multistep.h"

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
run_test_steps(DaeProblem *problem, const DaeSolverOptions *options, DaeCgenStep *step,
               double *x, GError **error)
{
  DaeSolverOptions few = *options;
  few.t_start = problem->t_start;
  few.t_stop = problem->t_start + TEST_STEPS * options->step;
  few.interval = TEST_STEPS * options->step;
  few.parallel = false;
  few.realtime_period = 0.0;
  const DaeSolverResult result =
      dae_solver_run(dae_problem_evaluator(problem), &few, x, NULL, NULL, NULL);
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
  step->test_steps = TEST_STEPS;
  step->test_x = x;
  return true;
}

/* Names and values of the parameters that have a number. */
static void
collect_parameters(DaeProblem *problem, GPtrArray *names, GArray *values)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (uint32_t k = 0; k < dae_model_n_parameters(problem->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(problem->model, k);
    const DaeTerm value =
        parameter->type == DAE_TYPE_STRING
            ? DAE_NO_TERM
            : dae_subst_apply(problem->values, dae_term_parameter(terms, parameter->symbol));
    double number = NAN;
    if (value != DAE_NO_TERM && dae_problem_value_at_start(problem, value, &number) &&
        isfinite(number)) {
      g_ptr_array_add(names, (char *)dae_terms_symbol_name(terms, parameter->symbol));
      g_array_append_val(values, number);
    }
  }
}

/* x' at the start as the integrator finds it, so that the exported one begins with the same bits. */
static double *
find_start_slopes(const DaeProblem *problem, const DaeStepPlan *plan)
{
  const DaeEvaluator *evaluator = dae_problem_evaluator(problem);
  DaeSolverOptions options;
  DaeSolverStats stats = {0};
  double *slopes = g_new0(double, (size_t)evaluator->n + 1);
  dae_solver_default_options(&options);
  DaeStepper *stepper = dae_stepper_new(evaluator, plan, &options, problem->x);
  stepper->stats = &stats;
  if (dae_stepper_find_slopes(stepper, problem->t_start, problem->x, slopes) !=
      DAE_SOLVER_COMPLETED) {
    memcpy(slopes, problem->slopes, evaluator->n * sizeof *slopes);
  }
  dae_stepper_free(stepper);
  return slopes;
}

static bool
write_text(DaeProblem *problem, const DaeStepPlan *plan, const DaeCgenStep *step,
           const char *prefix, char **header, char **source, GError **error)
{
  const uint32_t n = dae_problem_n(problem);
  g_autofree const char **names = g_new0(const char *, (size_t)n + 1);
  g_autofree const char **units = g_new0(const char *, (size_t)n + 1);
  g_autoptr(GPtrArray) parameter_names = g_ptr_array_new();
  g_autoptr(GArray) parameter_values = g_array_new(FALSE, FALSE, sizeof(double));
  for (uint32_t j = 0; j < n; j++) {
    names[j] = dae_problem_name(problem, j);
    units[j] = dae_problem_unit(problem, j);
  }
  collect_parameters(problem, parameter_names, parameter_values);
  g_autofree double *slopes = find_start_slopes(problem, plan);
  g_autofree char *identifier =
      dae_cgen_identifier(prefix != NULL ? prefix : dae_model_name(problem->model));
  const DaeCgenModel model = {.model = dae_model_name(problem->model),
                              .prefix = identifier,
                              .version = dae_version(),
                              .names = names,
                              .units = units,
                              .start = problem->x,
                              .start_slopes = slopes,
                              .t_start = problem->t_start,
                              .n_parameters = parameter_values->len,
                              .parameter_names = (const char *const *)parameter_names->pdata,
                              .parameter_values =
                                  (const double *)(void *)parameter_values->data,
                              .serves = plan->serves,
                              .is_algebraic = plan->is_algebraic};
  return dae_cgen_write(dae_pipeline_terms(problem->pipeline), &problem->parts, &model, step,
                        header, source, error);
}

bool
dae_problem_export(DaeProblem *problem, const DaeSolverOptions *options, const char *prefix,
                   char **header, char **source, GError **error)
{
  const DaeEvaluator *evaluator = dae_problem_evaluator(problem);
  DaeSolverStatus status;
  DaeStepPlan *plan = dae_step_plan_new(evaluator, problem->t_start, problem->x, &status);
  if (plan == NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC, "at the start, t = %.10g: %s",
                problem->t_start, dae_solver_status_text(status));
    return false;
  }
  g_autofree double *x = g_memdup2(problem->x, (size_t)evaluator->n * sizeof(double));
  bool ok = true;
  DaeCgenStep step = {0};
  if (options != NULL) {
    step = step_as_data(plan, options);
    ok = run_test_steps(problem, options, &step, x, error);
  }
  ok = ok &&
       write_text(problem, plan, options != NULL ? &step : NULL, prefix, header, source, error);
  dae_step_plan_free(plan);
  return ok;
}
