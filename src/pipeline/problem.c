#include "pipeline/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/input_table.h"
#include "pipeline/mode_structure.h"
#include "pipeline/needed.h"
#include "pipeline/peaks.h"
#include "pipeline/results.h"
#include "pipeline/right_sides.h"
#include "pipeline/watch.h"
#include "solver/diagnose.h"

/* ---- values ------------------------------------------------------------------------------- */

static bool
number_of(const DaeProblem *problem, DaeTerm t, double *value)
{
  const DaeStartInput input = dae_problem_start_input(problem);
  return dae_start_number(&input, t, value);
}

/* The parameter without a value that `symbol` follows: the cause, not what depends on it. */
static DaeSymbol
first_without_value(const DaeProblem *problem, DaeSymbol symbol)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  uint32_t k = 0;
  for (uint32_t step = 0; step < dae_model_n_parameters(problem->model) &&
                          dae_model_find_parameter(problem->model, symbol, &k);
       step++) {
    DaeTerm value = dae_model_parameter(problem->model, k)->value;
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    if (value != DAE_NO_TERM) {
      dae_term_collect_parameters(terms, value, atoms);
    }
    DaeSymbol next = symbol;
    for (guint i = 0; i < atoms->len && next == symbol; i++) {
      double number = 0;
      if (!number_of(problem, g_array_index(atoms, DaeTerm, i), &number)) {
        next = dae_term_get_symbol(terms, g_array_index(atoms, DaeTerm, i));
      }
    }
    if (next == symbol) {
      break;
    }
    symbol = next;
  }
  return symbol;
}

/* A parameter that is used and has no value is the user's mistake, never 0. */
static bool
all_parameters_have_values(const DaeProblem *problem, DaeTerm t, GError **error)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  if (!dae_term_has_parameters(terms, t)) {
    return true;
  }
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_parameters(terms, t, atoms);
  for (guint i = 0; i < atoms->len; i++) {
    DaeSymbol symbol = dae_term_get_symbol(terms, g_array_index(atoms, DaeTerm, i));
    uint32_t k = 0;
    if (!dae_model_find_parameter(problem->model, symbol, &k)) {
      continue; /* introduced: bound at the start */
    }
    if (!dae_model_parameter(problem->model, k)->is_free) {
      symbol = first_without_value(problem, symbol);
      dae_model_find_parameter(problem->model, symbol, &k);
      const DaeParameter *parameter = dae_model_parameter(problem->model, k);
      g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL,
                  "%s:%u:%u: error: parameter '%s' has no value; give it one in the model or "
                  "with --set %s=VALUE",
                  dae_model_file_of(problem->model, parameter->span), parameter->span.line,
                  parameter->span.column, dae_terms_symbol_name(terms, symbol),
                  dae_terms_symbol_name(terms, symbol));
      return false;
    }
  }
  return true;
}

/* All that will be evaluated: the system and the initial equations. */
static bool
check_parameters(const DaeProblem *problem, GError **error)
{
  const DaeQlt *qlt = problem->qlt;
  const DaeModel *model = problem->model;
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < dae_qlt_n_rows(qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(qlt, i);
    g_array_append_vals(all, row->coefficients, row->n);
    g_array_append_val(all, row->rhs);
  }
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    g_array_append_val(all, dae_qlt_constraint(qlt, i)->expression);
  }
  for (uint32_t i = 0; i < dae_model_n_initial_equations(model); i++) {
    const DaeEquation *equation = dae_model_initial_equation(model, i);
    DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
    g_array_append_val(all, residual);
  }
  const DaeSimplified *simplified = dae_pipeline_simplified(problem->pipeline);
  for (uint32_t j = 0;
       simplified != NULL &&
       j < dae_model_n_variables(dae_hybrid_continuous(problem->pipeline->hybrid));
       j++) {
    g_array_append_val(all, dae_simplified_recovery(simplified, j)->term);
  }
  for (guint i = 0; i < all->len; i++) {
    DaeTerm closed = dae_subst_apply(problem->values, g_array_index(all, DaeTerm, i));
    if (closed != DAE_NO_TERM && !all_parameters_have_values(problem, closed, error)) {
      return false;
    }
  }
  return true;
}

static bool
is_defined(const DaeProblem *problem, DaeTerm t, uint32_t row, GError **error)
{
  if (dae_subst_apply(problem->values, t) == DAE_NO_TERM) {
    g_autofree char *what = dae_problem_describe_row(problem, row);
    g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL,
                "division by zero with the given parameter values in %s", what);
    return false;
  }
  return true;
}

/* t with numbers for the parameters that are not segment values; DAE_NO_TERM with *error set
 * when the values divide by zero. */
static DaeTerm
with_values(const DaeProblem *problem, DaeTerm t, uint32_t row, GError **error)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  if (!is_defined(problem, t, row, error)) {
    return DAE_NO_TERM;
  }
  DaeTerm result = dae_homotopy_take_actual(terms, dae_subst_apply(problem->kept, t));
  return problem->buffers == NULL
             ? result
             : dae_buffers_put_in(problem->buffers, result, dae_problem_row_span(problem, row));
}

/* ---- construction ------------------------------------------------------------------------- */

static DaeProblem *
problem_new(DaePipeline *pipeline, const DaeQlt *qlt)
{
  DaeProblem *problem = g_new0(DaeProblem, 1);
  DaeTerms *terms = dae_pipeline_terms(pipeline);
  problem->pipeline = pipeline;
  problem->qlt = qlt;
  problem->model = dae_qlt_model(qlt);
  problem->preparations = 1;
  problem->changes = g_array_new(FALSE, FALSE, sizeof(DaeChange));
  problem->unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  problem->row_start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  problem->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  problem->coefficients = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  problem->rhs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  problem->constraints = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  problem->hidden = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  problem->run_atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  problem->open_columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  problem->open_atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  problem->open_terms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  uint32_t n = dae_qlt_n_unknowns(qlt);
  problem->x = g_new0(double, n + 1);
  problem->slopes = g_new0(double, n + 1);
  problem->nominal = g_new0(double, n + 1);
  for (uint32_t j = 0; j < n; j++) {
    DaeSymbol symbol = dae_qlt_unknown(qlt, j);
    DaeTerm atom = dae_term_variable(terms, symbol, 0);
    g_array_append_val(problem->unknowns, atom);
  }
  return problem;
}

static void
set_nominal_values(DaeProblem *problem)
{
  for (uint32_t j = 0; j < problem->unknowns->len; j++) {
    uint32_t k = 0;
    double nominal = 1;
    if (dae_model_find_variable(problem->model, dae_qlt_unknown(problem->qlt, j), &k)) {
      number_of(problem, dae_model_variable(problem->model, k)->nominal, &nominal);
    }
    problem->nominal[j] = isfinite(nominal) && nominal != 0 ? fabs(nominal) : 1;
  }
}

/* The terms of the system and what is made from them. */
static void
clear_rows(DaeProblem *problem)
{
  GArray *const arrays[] = {problem->row_start,    problem->columns,     problem->coefficients,
                            problem->rhs,          problem->constraints, problem->hidden,
                            problem->open_columns, problem->open_atoms,  problem->open_terms};
  for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++) {
    g_array_set_size(arrays[i], 0);
  }
  g_clear_pointer(&problem->slope_solver, dae_slopes_free);
  g_clear_pointer(&problem->mode_structure, dae_mode_structure_free);
  g_clear_pointer(&problem->instant, dae_instant_free);
  g_clear_pointer(&problem->buffers, dae_buffers_free);
  g_clear_pointer(&problem->system, dae_system_free);
  g_clear_pointer(&problem->results, dae_results_free);
}

static void
clear_start(DaeProblem *problem)
{
  for (uint32_t j = 0; j < problem->unknowns->len; j++) {
    problem->x[j] = problem->slopes[j] = 0;
  }
}

void
dae_problem_free(DaeProblem *problem)
{
  if (problem == NULL) {
    return;
  }
  dae_slopes_free(problem->slope_solver);
  dae_mode_structure_free(problem->mode_structure);
  dae_instant_free(problem->instant);
  dae_buffers_free(problem->buffers);
  g_free(problem->discrete_now);
  g_free(problem->discrete_pre);
  dae_system_free(problem->system);
  dae_results_free(problem->results);
  dae_subst_free(problem->values);
  dae_subst_free(problem->kept);
  g_array_free(problem->run_atoms, TRUE);
  g_free(problem->run_values);
  g_array_free(problem->unknowns, TRUE);
  g_array_free(problem->row_start, TRUE);
  g_array_free(problem->columns, TRUE);
  g_array_free(problem->coefficients, TRUE);
  g_array_free(problem->rhs, TRUE);
  g_array_free(problem->constraints, TRUE);
  g_array_free(problem->hidden, TRUE);
  g_array_free(problem->open_columns, TRUE);
  g_array_free(problem->open_atoms, TRUE);
  g_array_free(problem->open_terms, TRUE);
  g_clear_pointer(&problem->landmarks, g_array_unref);
  g_clear_pointer(&problem->landmark_roots, g_array_unref);
  g_clear_pointer(&problem->watch_plan, dae_watch_plan_free);
  dae_peaks_forget(problem);
  g_free(problem->x);
  g_free(problem->slopes);
  g_free(problem->nominal);
  for (guint i = 0; i < problem->changes->len; i++) {
    g_free(g_array_index(problem->changes, DaeChange, i).name);
  }
  g_array_free(problem->changes, TRUE);
  dae_pipeline_free(problem->own);
  g_free(problem);
}

/* The constant of an invariant is its value at the start (qlt.h). */
static bool
bind_invariants(DaeProblem *problem, GError **error)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (uint32_t i = 0; i < dae_qlt_n_constraints(problem->qlt); i++) {
    const DaeQltConstraint *constraint = dae_qlt_constraint(problem->qlt, i);
    if (!constraint->is_invariant) {
      continue;
    }
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_parameters(terms, constraint->expression, atoms);
    for (guint a = 0; a < atoms->len; a++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, a);
      uint32_t k = 0;
      if (dae_model_find_parameter(problem->model, dae_term_get_symbol(terms, atom), &k)) {
        continue;
      }
      double value = 0;
      if (!dae_problem_value_at_start(
              problem,
              dae_term_replace(terms, constraint->expression, atom, dae_term_int(terms, 0)),
              &value)) {
        g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                    "an invariant has no value at the start");
        return false;
      }
      /* expression = I(x) - constant, so that I(x0) is the expression with the constant at 0 */
      dae_subst_set(problem->values, atom, dae_term_from_double(terms, value));
    }
  }
  return true;
}

/* Elimination over the integers leaves hidden constraints with coefficients like 10^16.
 * A power of two brings the largest one back to about 1, so that residuals mean
 * something. closed: h with all values. */
static DaeTerm
with_moderate_coefficients(DaeTerms *terms, DaeTerm h, DaeTerm closed)
{
  uint32_t n = 0;
  double largest = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &closed, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t n_factors = 0;
    const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &summands[i], &n_factors);
    double size =
        dae_term_is_number(terms, factors[0]) ? dae_term_get_double(terms, factors[0]) : 1;
    largest = fmax(largest, fabs(size));
  }
  int exponent = 0;
  if (!isfinite(largest) || (largest < 1e6 && largest > 1e-6)) {
    return h;
  }
  frexp(largest, &exponent);
  return dae_term_mul(terms, h, dae_term_pow_int(terms, dae_term_int(terms, 2), -exponent));
}

static bool
fill_rows(DaeProblem *problem, GError **error)
{
  uint32_t n_rows = dae_qlt_n_rows(problem->qlt);
  uint32_t zero = 0;
  g_array_append_val(problem->row_start, zero);
  for (uint32_t i = 0; i < n_rows; i++) {
    const DaeQltRow *row = dae_qlt_row(problem->qlt, i);
    for (uint32_t e = 0; e < row->n; e++) {
      DaeTerm coefficient = with_values(problem, row->coefficients[e], i, error);
      if (coefficient == DAE_NO_TERM ||
          !all_parameters_have_values(
              problem, dae_subst_apply(problem->values, row->coefficients[e]), error)) {
        return false;
      }
      g_array_append_val(problem->columns, row->columns[e]);
      g_array_append_val(problem->coefficients, coefficient);
    }
    g_array_append_val(problem->row_start, problem->columns->len);
    DaeTerm rhs = with_values(problem, row->rhs, i, error);
    if (rhs == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(problem->rhs, rhs);
  }
  for (uint32_t i = 0; i < dae_qlt_n_constraints(problem->qlt); i++) {
    DaeTerm expression = dae_qlt_constraint(problem->qlt, i)->expression;
    DaeTerm h = with_values(problem, expression, n_rows + i, error);
    if (h == DAE_NO_TERM) {
      return false;
    }
    uint8_t is_hidden = dae_qlt_constraint(problem->qlt, i)->is_hidden;
    h = is_hidden != 0
            ? with_moderate_coefficients(dae_pipeline_terms(problem->pipeline), h,
                                         dae_subst_apply(problem->values, expression))
            : h;
    h = dae_term_balance(dae_pipeline_terms(problem->pipeline), h);
    g_array_append_val(problem->constraints, h);
    g_array_append_val(problem->hidden, is_hidden);
  }
  return true;
}

static bool
make_rows(DaeProblem *problem, GError **error)
{
  clear_rows(problem);
  if (!problem->options.literal) {
    problem->buffers = dae_buffers_new(dae_pipeline_terms(problem->pipeline));
  }
  if (!fill_rows(problem, error)) {
    return false;
  }
  dae_problem_keep_off_edges(problem);
  problem->mode_structure = dae_mode_structure_new(problem);
  dae_mode_structure_add_open(problem->mode_structure, problem);
  problem->results = dae_results_new(problem);
  return true;
}

static bool
may_have_events(const DaeProblem *problem)
{
  return problem->buffers != NULL && (dae_buffers_n(problem->buffers) > 0 ||
                                      !dae_hybrid_is_trivial(problem->pipeline->hybrid));
}

static bool
build_system(DaeProblem *problem, const DaeProblemOptions *options, GError **error)
{
  dae_problem_choose_run_values(problem);
  if (!make_rows(problem, error)) {
    return false;
  }
  if (problem->run_atoms->len > 0 && !options->is_exported && may_have_events(problem)) {
    dae_problem_drop_run_values(problem);
    if (!make_rows(problem, error)) {
      return false;
    }
  }
  if (!options->literal && !dae_problem_prepare_events(problem, error)) {
    return false;
  }
  problem->parts = (DaeSystemParts){
      .unknowns = (const DaeTerm *)(void *)problem->unknowns->data,
      .n = problem->unknowns->len,
      .row_start = (const uint32_t *)(void *)problem->row_start->data,
      .columns = (const uint32_t *)(void *)problem->columns->data,
      .coefficients = (const DaeTerm *)(void *)problem->coefficients->data,
      .rhs = (const DaeTerm *)(void *)problem->rhs->data,
      .n_diff = problem->rhs->len,
      .constraints = (const DaeTerm *)(void *)problem->constraints->data,
      .n_con = problem->constraints->len,
      .hidden = (const uint8_t *)problem->hidden->data,
      .n_held = problem->open_columns->len,
  };
  if (problem->instant != NULL) {
    problem->parts.segment = dae_instant_atoms(problem->instant, &problem->parts.n_segment);
  } else {
    problem->parts.segment = (const DaeTerm *)(void *)problem->run_atoms->data;
    problem->parts.n_segment = problem->run_atoms->len;
    problem->parts.segment_values = problem->run_values;
  }
  DaeSystemOptions system_options = {
      .native = options->native,
      .fixed_step = options->fixed_step,
      .solved = options->solved && (problem->instant == NULL || !options->solved_if_smooth)};
  problem->system = dae_system_new(dae_pipeline_terms(problem->pipeline), &problem->parts,
                                   &system_options, error);
  return problem->system != NULL && dae_results_bind(problem->results, problem, error) &&
         (problem->instant == NULL || dae_problem_bind_events(problem, error));
}

/* ---- the start --------------------------------------------------------------------------- */

static double
start_time(const DaePipeline *pipeline, const DaeProblemOptions *options)
{
  double annotated = dae_model_experiment(dae_pipeline_model(pipeline))->start;
  return isfinite(options->t_start) ? options->t_start : isfinite(annotated) ? annotated : 0;
}

/* Also what was solved for beforehand must have a value at the start. */
static bool
results_have_values(const DaeProblem *problem, GError **error)
{
  (void)dae_results_at(problem->results, problem->t_start, problem->x);
  g_autofree char *fault = dae_results_describe_fault(problem);
  if (fault != NULL) {
    g_autofree char *blame = dae_pipeline_blame_parameter(problem->pipeline);
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                "no consistent start found at t = %g: %s%s%s", problem->t_start, fault,
                blame != NULL ? "\n  " : "", blame != NULL ? blame : "");
  }
  return fault == NULL;
}

static bool
build_at_start(DaeProblem *problem, GError **error)
{
  return bind_invariants(problem, error) && build_system(problem, &problem->options, error);
}

/* Taking turns did not end: positions of the switches are looked for as at an event. Where the
 * initial equations do not hold with them, the start is found again. */
static bool
close_start(DaeProblem *problem, bool may_prove, bool *again, GError **error)
{
  uint32_t n = dae_hybrid_n_discrete(problem->pipeline->hybrid);
  g_autofree double *x = g_memdup2(problem->x, (problem->unknowns->len + 1) * sizeof(double));
  g_autofree double *now = g_memdup2(problem->discrete_now, (n + 1) * sizeof(double));
  if (!dae_instant_find_start(problem->instant, problem->t_start, x, now, problem->discrete_pre,
                              error)) {
    return false;
  }
  memcpy(problem->x, x, problem->unknowns->len * sizeof(double));
  memcpy(problem->discrete_now, now, n * sizeof(double));
  if (dae_problem_start_holds(problem)) {
    problem->start_is_open = false;
    return true;
  }
  clear_rows(problem);
  clear_start(problem);
  return dae_problem_find_start(problem, may_prove, now, again, error) &&
         build_at_start(problem, error);
}

/* A removable singularity at the very start, time*z = sin(time): any z fits at t = 0, one is
 * the limit of the solution. The start is looked for a little later, twice, and continued back;
 * what does not settle down stays as it was. */
static void
take_limit_at_start(DaeProblem *problem)
{
  const double later = 1e-6 * fmax(1, fabs(problem->t_start));
  const double singular = 1e-12;
  uint32_t n = problem->unknowns->len;
  DaeWeakest weakest;
  /* with states the equations would have to be integrated up to there */
  if (problem->instant != NULL || n == 0 || problem->rhs->len > 0 ||
      !dae_solver_find_weakest(dae_problem_evaluator(problem), NULL, problem->t_start,
                               problem->x, &weakest) ||
      weakest.pivot > singular) {
    return;
  }
  g_autofree double *near = g_new0(double, (size_t)n + 1);
  g_autofree double *far = g_new0(double, (size_t)n + 1);
  g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeStartInput input = dae_problem_start_input(problem);
  DaeRootResult result;
  input.t_start = problem->t_start + later;
  bool is_found = dae_start_find_regular(&input, near, &result, chosen) && chosen->len == 0;
  input.t_start = problem->t_start + 2 * later;
  is_found =
      is_found && dae_start_find_regular(&input, far, &result, chosen) && chosen->len == 0;
  for (uint32_t j = 0; is_found && j < n; j++) {
    is_found = fabs(far[j] - near[j]) <= 1e-3 * (problem->nominal[j] + fabs(near[j]));
  }
  for (uint32_t j = 0; is_found && j < n; j++) {
    problem->x[j] = 2 * near[j] - far[j];
  }
  if (is_found) {
    dae_report_warning(dae_pipeline_reporter(problem->pipeline),
                       "the equations are singular at t = %.10g; the start is the limit of "
                       "their solution there",
                       problem->t_start);
  }
}

static bool
take_values(DaeProblem *problem, DaeSubst *values, GError **error)
{
  clear_start(problem);
  g_clear_pointer(&problem->values, dae_subst_free);
  problem->values = values;
  set_nominal_values(problem);
  if (!dae_input_table_bind(problem->pipeline, values, error)) {
    return false;
  }
  dae_problem_take_inputs(problem, values);
  return check_parameters(problem, error);
}

static void
find_slopes(DaeProblem *problem)
{
  dae_start_find_slopes_at(dae_problem_evaluator(problem),
                           problem->instant != NULL ? dae_instant_segment(problem->instant)
                                                    : NULL,
                           problem->t_start, problem->x, problem->slopes);
}

/* Equations as written up to which a start is looked for among all of them. */
#define MOST_AS_WRITTEN 2000

/* Of several roots the one that was found may leave the domain of what was solved for beforehand
 * (x^2 = 4, y = log(x) from x = -1). As written, the equations know all domains. */
static bool
is_inside_domains(DaeProblem *problem, bool may_prove, bool *again, GError **error)
{
  DaePipeline *pipeline = problem->pipeline;
  if (results_have_values(problem, error)) {
    return true;
  }
  *again = may_prove &&
           dae_model_n_equations(dae_pipeline_model(pipeline)) <= MOST_AS_WRITTEN &&
           dae_pipeline_drop_simplified(pipeline);
  problem->start_is_outside = *again;
  return false;
}

bool
dae_problem_bind(DaeProblem *problem, DaeSubst *values, bool may_prove, bool *again,
                 GError **error)
{
  clear_rows(problem);
  *again = false;
  bool ok =
      take_values(problem, values, error) &&
      dae_problem_find_start(problem, may_prove, NULL, again, error) &&
      build_at_start(problem, error) &&
      (!problem->start_is_open || close_start(problem, may_prove, again, error)) &&
      dae_problem_start_has_types(problem, error) &&
      dae_mode_structure_holds_always(problem->mode_structure, problem, error) &&
      dae_mode_structure_holds(problem->mode_structure, problem, problem->t_start, error) &&
      is_inside_domains(problem, may_prove, again, error);
  if (ok) {
    take_limit_at_start(problem);
    find_slopes(problem);
  }
  return ok;
}

static bool
rows_are_defined(const DaeProblem *problem, GError **error)
{
  uint32_t n_rows = dae_qlt_n_rows(problem->qlt);
  bool ok = true;
  for (uint32_t i = 0; i < n_rows && ok; i++) {
    const DaeQltRow *row = dae_qlt_row(problem->qlt, i);
    ok = is_defined(problem, row->rhs, i, error);
    for (uint32_t e = 0; e < row->n && ok; e++) {
      ok = is_defined(problem, row->coefficients[e], i, error);
    }
  }
  for (uint32_t i = 0; i < dae_qlt_n_constraints(problem->qlt) && ok; i++) {
    ok =
        is_defined(problem, dae_qlt_constraint(problem->qlt, i)->expression, n_rows + i, error);
  }
  return ok;
}

bool
dae_problem_rebind(DaeProblem *problem, DaeSubst *values, GError **error)
{
  bool again = false;
  if (!take_values(problem, values, error) ||
      !dae_problem_find_start(problem, false, NULL, &again, error) ||
      !bind_invariants(problem, error) || !rows_are_defined(problem, error)) {
    return false;
  }
  dae_problem_fill_run_values(problem);
  dae_system_set_segment(problem->system, problem->run_values);
  dae_results_restart(problem->results);
  if (!dae_problem_start_has_types(problem, error) || !results_have_values(problem, error)) {
    return false;
  }
  take_limit_at_start(problem);
  find_slopes(problem);
  return true;
}

/* Once more without simplification. An error from before stands where this decides nothing, and
 * where it is nearer to the model (a variable that has no value) than a search that failed. */
static DaeProblem *
problem_as_written(DaePipeline *pipeline, const DaeProblemOptions *options, bool was_outside,
                   GError **error)
{
  GError *later = NULL;
  DaeProblem *problem = dae_pipeline_problem(pipeline, options, &later);
  bool says_nothing = (g_error_matches(later, DAE_ERROR, DAE_ERROR_UNDECIDED) ||
                       (was_outside && g_error_matches(later, DAE_ERROR, DAE_ERROR_NUMERIC))) &&
                      error != NULL && *error != NULL;
  if (says_nothing) {
    g_error_free(later);
  } else {
    g_clear_error(error);
    if (later != NULL) {
      g_propagate_error(error, later);
    }
  }
  return problem;
}

DaeProblem *
dae_pipeline_problem(DaePipeline *pipeline, const DaeProblemOptions *options, GError **error)
{
  dae_pipeline_take_limits(pipeline, options->t_start, true);
  const DaeQlt *qlt = dae_pipeline_reduce(pipeline, NULL, error);
  if (qlt == NULL && error != NULL && g_error_matches(*error, DAE_ERROR, DAE_ERROR_UNDECIDED)) {
    dae_pipeline_explain_open(pipeline, start_time(pipeline, options), error);
  }
  if (qlt == NULL ||
      !dae_needed_values_exist(dae_pipeline_terms(pipeline), pipeline->model, error)) {
    return NULL;
  }
  DaeStageClock clock = dae_pipeline_begin_stage(pipeline, DAE_STAGE_START);
  g_autoptr(DaeProblem) problem = problem_new(pipeline, qlt);
  problem->options = *options;
  problem->t_start = start_time(pipeline, options);
  bool again = false;
  bool ok =
      ((!options->literal && !options->is_exported) ||
       dae_problem_may_be_exported(problem, error)) &&
      dae_problem_bind(problem,
                       dae_model_parameter_subst(problem->model, dae_pipeline_terms(pipeline)),
                       true, &again, error);
  dae_pipeline_end_stage(&clock);
  if (again) {
    return problem_as_written(pipeline, options, problem->start_is_outside, error);
  }
  return ok ? g_steal_pointer(&problem) : NULL;
}
