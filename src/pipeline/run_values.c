/* Parameters as segment values: the tape and the native code of a problem take them when they
 * are evaluated, so that other values need no other code.
 *
 * Real parameters that no structural decision leant on are such values, and so are constants
 * that the start determines (free parameters, the values of invariants). Where a model has
 * events its parameters are numbers in the terms: a time event is an exact rational number made
 * from them (docs/decisions/0006-parameters-at-run-time.md). Exported C keeps those that neither
 * samples, delays nor discrete values at the start depend on. */
#include <string.h>

#include "pipeline/problem-priv.h"

bool
dae_pipeline_reduction_has_symbols(const DaePipeline *pipeline)
{
  return (pipeline->simplified == NULL || pipeline->simplify_options.keep_parameters) &&
         pipeline->sig != NULL && !dae_sig_is_at_values(pipeline->sig);
}

static bool
is_run_value(const DaeParameter *parameter)
{
  return parameter->type == DAE_TYPE_REAL && !parameter->is_structural &&
         !parameter->is_constant;
}

static void
add_parameters(const DaeProblem *problem, GHashTable *set, DaeTerm t)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (t == DAE_NO_TERM) {
    return;
  }
  dae_term_collect_parameters(terms, t, open);
  while (open->len > 0) { /* each symbol is entered once */
    DaeTerm atom = g_array_index(open, DaeTerm, open->len - 1);
    uint32_t k = 0;
    g_array_set_size(open, open->len - 1);
    if (!g_hash_table_add(set, GUINT_TO_POINTER(atom))) {
      continue;
    }
    if (dae_model_find_parameter(problem->model, dae_term_get_symbol(terms, atom), &k) &&
        dae_model_parameter(problem->model, k)->value != DAE_NO_TERM) {
      dae_term_collect_parameters(terms, dae_model_parameter(problem->model, k)->value, open);
    }
  }
}

/* Parameters that ticks and discrete values at the start depend on: these are numbers. */
static GHashTable *
parameters_of_events(const DaeProblem *problem)
{
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  GHashTable *set = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < dae_hybrid_n_samples(hybrid); i++) {
    add_parameters(problem, set, dae_hybrid_sample(hybrid, i)->start);
    add_parameters(problem, set, dae_hybrid_sample(hybrid, i)->interval);
  }
  for (uint32_t i = 0; i < dae_hybrid_n_delays(hybrid); i++) {
    add_parameters(problem, set, dae_hybrid_delay(hybrid, i)->length);
    add_parameters(problem, set, dae_hybrid_delay(hybrid, i)->most);
  }
  for (uint32_t k = 0; k < dae_hybrid_n_discrete(hybrid); k++) {
    add_parameters(problem, set, dae_hybrid_discrete(hybrid, k)->start);
  }
  for (uint32_t i = 0; i < dae_hybrid_n_starts(hybrid); i++) {
    add_parameters(problem, set, dae_hybrid_start(hybrid, i)->value);
  }
  return set;
}

static void
keep_symbol(DaeProblem *problem, DaeTerm atom)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm value = dae_subst_apply(problem->values, atom);
  double number = 0;
  if (value != DAE_NO_TERM && value != atom && !dae_term_has_parameters(terms, value) &&
      dae_problem_value_at_start(problem, value, &number)) {
    dae_subst_set(problem->kept, atom, atom);
    g_array_append_val(problem->run_atoms, atom);
  }
}

/* Inputs that are given no function of time, and the derivatives of
 * them that the reduction needs. */
static void
keep_inputs(DaeProblem *problem)
{
  DaePipeline *pipeline = problem->pipeline;
  DaeTerms *terms = dae_pipeline_terms(pipeline);
  for (uint32_t i = 0; i < dae_model_n_inputs(pipeline->model); i++) {
    const DaeInput *input = dae_model_input(pipeline->model, i);
    if (!input->is_symbol || pipeline->input_table != NULL) {
      continue;
    }
    keep_symbol(problem, dae_term_parameter(terms, input->symbol));
    for (uint32_t k = 1; k <= dae_pipeline_input_order(pipeline, i); k++) {
      DaeSymbol derivative = dae_terms_input_derivative(terms, input->symbol, k);
      keep_symbol(problem, dae_term_parameter(terms, derivative));
    }
  }
}

void
dae_problem_drop_run_values(DaeProblem *problem)
{
  g_clear_pointer(&problem->kept, dae_subst_free);
  g_clear_pointer(&problem->run_values, g_free);
  g_array_set_size(problem->run_atoms, 0);
  problem->kept = dae_subst_copy(problem->values);
  problem->run_values = g_new0(double, 1);
}

void
dae_problem_choose_run_values(DaeProblem *problem)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  dae_problem_drop_run_values(problem);
  if (problem->options.one_run || !dae_pipeline_reduction_has_symbols(problem->pipeline)) {
    return;
  }
  g_autoptr(GHashTable) numbers = parameters_of_events(problem);
  for (uint32_t k = 0; k < dae_model_n_parameters(problem->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(problem->model, k);
    DaeTerm atom = dae_term_parameter(terms, parameter->symbol);
    if (is_run_value(parameter) && !g_hash_table_contains(numbers, GUINT_TO_POINTER(atom))) {
      keep_symbol(problem, atom);
    }
  }
  keep_inputs(problem);
  for (uint32_t k = 0; k < dae_qlt_n_invariants(problem->qlt); k++) {
    keep_symbol(problem, dae_term_parameter(terms, dae_qlt_invariant_symbol(problem->qlt, k)));
  }
  g_free(problem->run_values);
  problem->run_values = g_new0(double, (size_t)problem->run_atoms->len + 1);
  dae_problem_fill_run_values(problem);
}

void
dae_problem_fill_run_values(DaeProblem *problem)
{
  for (guint i = 0; i < problem->run_atoms->len; i++) {
    (void)dae_problem_value_at_start(problem, g_array_index(problem->run_atoms, DaeTerm, i),
                                     &problem->run_values[i]);
  }
}

bool
dae_problem_takes(const DaeProblem *problem, DaeSubst *values)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  if (problem->system == NULL || problem->run_atoms->len == 0) {
    return false;
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(problem->model); k++) {
    DaeTerm atom = dae_term_parameter(terms, dae_model_parameter(problem->model, k)->symbol);
    if (dae_subst_apply(problem->kept, atom) != atom &&
        dae_subst_apply(values, atom) != dae_subst_apply(problem->values, atom)) {
      return false;
    }
  }
  return true;
}
