/* Other values for a prepared problem. */
#include <math.h>
#include <string.h>

#include "pipeline/problem-priv.h"

/* ---- names ------------------------------------------------------------------------------- */

static DaeChange *
find_change(const DaeProblem *problem, const char *name)
{
  for (guint i = 0; i < problem->changes->len; i++) {
    DaeChange *change = &g_array_index(problem->changes, DaeChange, i);
    if (strcmp(change->name, name) == 0) {
      return change;
    }
  }
  return NULL;
}

static const DaeParameter *
parameter_named(const DaeProblem *problem, const char *name, uint32_t *k)
{
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  DaeSymbol symbol = 0;
  return dae_terms_find_symbol(dae_pipeline_terms(problem->pipeline), name, &symbol) &&
                 dae_model_find_parameter(model, symbol, k)
             ? dae_model_parameter(model, *k)
             : NULL;
}

static bool
is_variable(const DaeProblem *problem, const char *name)
{
  DaeSymbol symbol = 0;
  uint32_t j = 0;
  return dae_terms_find_symbol(dae_pipeline_terms(problem->pipeline), name, &symbol) &&
         dae_model_find_variable(dae_pipeline_model(problem->pipeline), symbol, &j);
}

static bool
can_be_set(const DaeProblem *problem, const char *name, double value, GError **error)
{
  uint32_t k = 0;
  const DaeParameter *parameter = parameter_named(problem, name, &k);
  const char *why = NULL;
  if (parameter == NULL && !is_variable(problem, name) &&
      !dae_model_has_input(dae_pipeline_model(problem->pipeline), name)) {
    why = "there is no such parameter, variable or input";
  } else if (parameter != NULL && parameter->is_constant) {
    why = "it is a constant";
  } else if (parameter != NULL && parameter->type == DAE_TYPE_STRING) {
    why = "it is a String";
  } else if (parameter != NULL && parameter->type == DAE_TYPE_BOOLEAN && value != 0 &&
             value != 1) {
    why = "a Boolean is 0 or 1";
  } else if (parameter != NULL && parameter->type != DAE_TYPE_REAL && value != floor(value)) {
    why = "it is not a Real";
  } else if (!isfinite(value)) {
    why = "the value is not finite";
  }
  if (why != NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "'%s' cannot be set to %.17g: %s", name,
                value, why);
  }
  return why == NULL;
}

bool
dae_problem_set(DaeProblem *problem, const char *name, double value, GError **error)
{
  if (!can_be_set(problem, name, value, error)) {
    return false;
  }
  DaeChange *change = find_change(problem, name);
  if (change != NULL) {
    problem->is_changed = problem->is_changed || change->value != value;
    change->value = value;
  } else {
    DaeChange added = {g_strdup(name), value};
    g_array_append_val(problem->changes, added);
    problem->is_changed = true;
  }
  return true;
}

uint64_t
dae_problem_preparations(const DaeProblem *problem)
{
  return problem->preparations;
}

/* ---- the same preparation with other values ---------------------------------------------- */

bool
dae_problem_input_symbol(const DaeProblem *problem, const char *name, DaeSymbol *symbol)
{
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  for (uint32_t i = 0; i < dae_model_n_inputs(model); i++) {
    const DaeInput *input = dae_model_input(model, i);
    if (input->is_symbol && strcmp(input->name, name) == 0) {
      *symbol = input->symbol;
      return problem->pipeline->input_table == NULL;
    }
  }
  return false;
}

void
dae_problem_take_inputs(const DaeProblem *problem, DaeSubst *values)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (guint i = 0; i < problem->changes->len; i++) {
    const DaeChange *change = &g_array_index(problem->changes, DaeChange, i);
    DaeSymbol symbol = 0;
    if (dae_problem_input_symbol(problem, change->name, &symbol)) {
      dae_subst_set(values, dae_term_parameter(terms, symbol),
                    dae_term_from_double(terms, change->value));
    }
  }
}

/* A model that has only the parameters, with the values set: it knows what the others become.
 * NULL: something else was set. */
static DaeModel *
model_of_parameters(const DaeProblem *problem)
{
  const DaeModel *model = problem->model;
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  uint32_t n = dae_model_n_parameters(model);
  g_autofree DaeParameter *parameters = g_new0(DaeParameter, (size_t)n + 1);
  for (uint32_t k = 0; k < n; k++) {
    parameters[k] = *dae_model_parameter(model, k);
  }
  for (guint i = 0; i < problem->changes->len; i++) {
    const DaeChange *change = &g_array_index(problem->changes, DaeChange, i);
    DaeSymbol symbol = 0;
    uint32_t k = 0;
    if (dae_problem_input_symbol(problem, change->name, &symbol)) {
      continue; /* dae_problem_take_inputs */
    }
    if (!dae_terms_find_symbol(terms, change->name, &symbol) ||
        !dae_model_find_parameter(model, symbol, &k) || parameters[k].is_free ||
        parameters[k].type != DAE_TYPE_REAL) {
      return NULL;
    }
    parameters[k].value = dae_term_from_double(terms, change->value);
  }
  const DaeModelParts parts = {
      .name = dae_model_name(model), .parameters = parameters, .n_parameters = n};
  return dae_model_new(&parts);
}

/* Has a value changed that the preparation cannot do without? */
static bool
structural_values_are_kept(const DaeProblem *problem, const DaeModel *changed)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (uint32_t k = 0; k < dae_model_n_parameters(problem->model); k++) {
    if (dae_model_parameter(problem->model, k)->is_structural &&
        dae_model_parameter_value(changed, terms, k) !=
            dae_model_parameter_value(problem->model, terms, k)) {
      return false;
    }
  }
  return true;
}

/* A factor in parameters alone: where it is 0 the reduction does not hold. */
static bool
is_surely_nonzero(DaeTerms *terms, DaeSubst *values, DaeTerm factor)
{
  DaeTerm closed = dae_subst_apply(values, factor);
  double value = 0;
  if (closed == DAE_NO_TERM) {
    return false;
  }
  if (dae_term_is_number(terms, closed)) {
    return !dae_term_is_zero(terms, closed);
  }
  return dae_term_eval_double(terms, closed, NULL, NULL, &value) == DAE_EVAL_OK &&
         fabs(value) > 1e-9;
}

/* What the reduction took as zero or as not zero is so for these values, too. */
static bool
decisions_hold(const DaeProblem *problem, DaeSubst *values)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeAlgebra *algebra = problem->pipeline->algebra;
  uint32_t n = 0;
  const DaeQltDecision *decisions = dae_qlt_decisions(problem->qlt, &n);
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm value = dae_subst_apply(values, decisions[i].term);
    bool is_parametric = dae_term_is_parametric(terms, decisions[i].term);
    bool holds = value != DAE_NO_TERM && dae_algebra_is_zero(algebra, value) ==
                                             (decisions[i].is_zero ? DAE_ZERO : DAE_NONZERO);
    if (!holds || (!decisions[i].is_zero && is_parametric &&
                   !is_surely_nonzero(terms, values, decisions[i].term))) {
      return false;
    }
  }
  return true;
}

static bool
conditions_hold(const DaeProblem *problem, DaeSubst *values)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeSig *sig = problem->pipeline->sig;
  uint32_t n = 0;
  const DaeTerm *factors = sig != NULL ? dae_sig_singular_when(sig, &n) : NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_is_parametric(terms, factors[i]) &&
        !is_surely_nonzero(terms, values, factors[i])) {
      return false;
    }
  }
  return sig != NULL && dae_sig_has_all_factors(sig) && dae_sig_holds_with(sig, values) &&
         decisions_hold(problem, values);
}

static bool
bind_again(DaeProblem *problem)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  bool again = false;
  if (!dae_pipeline_reduction_has_symbols(problem->pipeline)) {
    return false;
  }
  g_autoptr(DaeModel) changed = model_of_parameters(problem);
  if (changed == NULL || !structural_values_are_kept(problem, changed)) {
    return false;
  }
  DaeSubst *values = dae_model_parameter_subst(changed, terms);
  if (!conditions_hold(problem, values)) {
    dae_subst_free(values);
    return false;
  }
  return dae_problem_takes(problem, values)
             ? dae_problem_rebind(problem, values, NULL)
             : dae_problem_bind(problem, values, false, &again, NULL);
}

/* ---- preparing anew ---------------------------------------------------------------------- */

/* The overrides of the first reading, then the changes: "NAME=VALUE" with exact values. */
static char **
all_overrides(const DaeProblem *problem, const DaeReadOptions *options, bool inputs)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  g_autoptr(GPtrArray) list = g_ptr_array_new();
  const char *const *given = inputs ? options->inputs : options->overrides;
  for (size_t i = 0; given != NULL && given[i] != NULL; i++) {
    const char *equals = strchr(given[i], '=');
    g_autofree char *name =
        equals != NULL ? g_strstrip(g_strndup(given[i], (gsize)(equals - given[i]))) : NULL;
    if (name == NULL || find_change(problem, name) == NULL) {
      g_ptr_array_add(list, g_strdup(given[i]));
    }
  }
  for (guint i = 0; i < problem->changes->len; i++) {
    const DaeChange *change = &g_array_index(problem->changes, DaeChange, i);
    uint32_t k = 0;
    const DaeParameter *parameter = parameter_named(problem, change->name, &k);
    if (dae_model_has_input(model, change->name) == inputs) {
      bool is_boolean = parameter != NULL && parameter->type == DAE_TYPE_BOOLEAN;
      g_autofree char *text =
          dae_term_to_string(terms, is_boolean ? dae_term_bool(terms, change->value != 0)
                                               : dae_term_from_double(terms, change->value));
      g_ptr_array_add(list, g_strdup_printf("%s=%s", change->name, text));
    }
  }
  g_ptr_array_add(list, NULL);
  return (char **)g_ptr_array_steal(list, NULL);
}

/* Invariants are terms of the old pipeline: they go over as text. */
static bool
take_invariants(DaePipeline *to, DaePipeline *from, GError **error)
{
  for (guint i = 0; i < from->invariants->len; i++) {
    g_autofree char *text =
        dae_term_to_string(from->terms, g_array_index(from->invariants, DaeTerm, i));
    DaeTerm term = dae_model_parse_expression(to->model, to->terms, text, &to->reporter, error);
    if (term == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(to->invariants, term);
  }
  return true;
}

static DaePipeline *
read_again(const DaeProblem *problem, GError **error)
{
  DaePipeline *old = problem->pipeline;
  const DaeRecipe *recipe = old->recipe;
  if (recipe == NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE,
                "the model was not read from text: it cannot be prepared anew");
    return NULL;
  }
  g_auto(GStrv) overrides = all_overrides(problem, &recipe->options, false);
  g_auto(GStrv) inputs = all_overrides(problem, &recipe->options, true);
  DaeReadOptions options = recipe->options;
  options.overrides = (const char *const *)overrides;
  options.inputs = (const char *const *)inputs;
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(&old->reporter);
  dae_pipeline_set_budget(pipeline, old->budget);
  dae_pipeline_set_input_table(pipeline, old->input_table);
  if (!dae_pipeline_read_text(pipeline, recipe->name, recipe->text, recipe->length, &options,
                              error) ||
      !take_invariants(pipeline, old, error)) {
    return NULL;
  }
  if (old->simplify_asked) {
    dae_pipeline_set_simplify(pipeline, &old->simplify_options);
  }
  return g_steal_pointer(&pipeline);
}

static bool
prepare_anew(DaeProblem *problem, GError **error)
{
  DaePipeline *pipeline = read_again(problem, error);
  DaeProblem *fresh =
      pipeline != NULL ? dae_pipeline_problem(pipeline, &problem->options, error) : NULL;
  if (fresh == NULL) {
    dae_pipeline_free(pipeline);
    return false;
  }
  GArray *none = fresh->changes;
  DaeProblem old = *problem;
  *problem = *fresh;
  problem->own = pipeline;
  problem->changes = old.changes;
  problem->preparations = old.preparations + 1;
  *fresh = old;
  fresh->changes = none;
  dae_problem_free(fresh);
  return true;
}

bool
dae_problem_restart(DaeProblem *problem, GError **error)
{
  if (!problem->is_changed) {
    return true;
  }
  DaeStageClock clock = dae_pipeline_begin_stage(problem->pipeline, DAE_STAGE_START);
  bool ok = bind_again(problem);
  dae_pipeline_end_stage(&clock);
  ok = ok || prepare_anew(problem, error);
  problem->is_changed = !ok;
  return ok;
}
