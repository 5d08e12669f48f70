/* The models that the other rooms see: the continuous one, and the one of the
 * initialization. */
#include "hybrid/hybrid-priv.h"

#include "terms/message.h"

static GArray *
copy_parameters(const DaeModel *model)
{
  GArray *parameters = g_array_new(FALSE, TRUE, sizeof(DaeParameter));
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    g_array_append_val(parameters, *dae_model_parameter(model, k));
  }
  return parameters;
}

/* Those conditions that give no discrete value; discrete Reals that follow continuous unknowns
 * are found with them. */
static GArray *
continuous_initial_equations(DaeHybrid *hybrid)
{
  GArray *equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  for (uint32_t i = 0; i < hybrid->conditions->len; i++) {
    const DaeHybridCondition *condition = dae_hybrid_condition(hybrid, i);
    if (!condition->is_assignment) {
      g_array_append_val(equations, condition->equation);
      g_array_append_val(hybrid->condition_number, i);
    }
  }
  const uint32_t none = DAE_HYBRID_NONE;
  for (uint32_t i = 0; i < hybrid->free_equations->len; i++) {
    g_array_append_val(hybrid->condition_number, none);
  }
  g_array_append_vals(equations, hybrid->free_equations->data, hybrid->free_equations->len);
  return equations;
}

static DaeTerm
translated_value(void *user, DaeTerm t)
{
  return dae_hybrid_translate(user, t);
}

/* texts: keeps the messages. */
static GArray *
translated_assertions(DaeHybrid *hybrid, GStringChunk *texts)
{
  GArray *assertions = g_array_new(FALSE, TRUE, sizeof(DaeAssertion));
  for (uint32_t i = 0; i < dae_model_n_assertions(hybrid->model); i++) {
    DaeAssertion assertion = *dae_model_assertion(hybrid->model, i);
    assertion.condition = dae_hybrid_translate(hybrid, assertion.condition);
    g_autofree char *message =
        dae_message_map(hybrid->terms, assertion.message, translated_value, hybrid);
    assertion.message = g_string_chunk_insert(texts, message);
    g_array_append_val(assertions, assertion);
  }
  return assertions;
}

static DaeTerm
with_settled(DaeTerms *terms, DaeSubst *settled, DaeTerm t)
{
  DaeTerm value = dae_subst_apply(settled, t);
  return value != DAE_NO_TERM && value != t ? dae_terms_rewrite(terms, value) : t;
}

static void
put_in_settled(DaeHybrid *hybrid, GArray *equations)
{
  hybrid->settled = dae_hybrid_settled_values(hybrid, equations);
  for (guint i = 0; i < equations->len && hybrid->settled != NULL; i++) {
    DaeEquation *equation = &g_array_index(equations, DaeEquation, i);
    equation->lhs = with_settled(hybrid->terms, hybrid->settled, equation->lhs);
    equation->rhs = with_settled(hybrid->terms, hybrid->settled, equation->rhs);
  }
}

void
dae_hybrid_make_continuous(DaeHybrid *hybrid, const uint8_t *is_taken)
{
  const DaeModel *model = hybrid->model;
  g_autoptr(GArray) variables = g_array_new(FALSE, TRUE, sizeof(DaeVariable));
  g_autoptr(GArray) equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  g_autoptr(GArray) parameters = copy_parameters(model);
  g_autoptr(GArray) initial = continuous_initial_equations(hybrid);
  g_array_append_vals(parameters, hybrid->free_reals->data, hybrid->free_reals->len);
  g_autoptr(GStringChunk) texts = g_string_chunk_new(1024);
  g_autoptr(GArray) assertions = translated_assertions(hybrid, texts);
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    if (g_array_index(hybrid->discrete_of_variable, uint32_t, j) == 0) {
      g_array_append_val(variables, *dae_model_variable(model, j));
    }
  }
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    if (is_taken[i] == 0) {
      DaeEquation equation = *dae_model_equation(model, i);
      equation.lhs = dae_hybrid_translate(hybrid, equation.lhs);
      equation.rhs = dae_hybrid_translate(hybrid, equation.rhs);
      g_array_append_val(equations, equation);
      g_array_append_val(hybrid->equation_number, i);
    }
  }
  put_in_settled(hybrid, equations);
  DaeModelParts parts = dae_model_parts(model, variables, parameters, equations, initial);
  parts.assertions = (const DaeAssertion *)(void *)assertions->data;
  parts.n_assertions = assertions->len;
  parts.written = (const uint32_t *)(void *)hybrid->equation_number->data;
  parts.has_own_initial = true;
  hybrid->continuous = dae_model_new(&parts);
}

/* ---- the initialization ------------------------------------------------------------------ */

/* Values of the initialization, and twins are the variables again. */
static DaeSubst *
initial_values(const DaeHybrid *hybrid)
{
  DaeTerms *terms = hybrid->terms;
  DaeSubst *subst = dae_hybrid_phase_values(hybrid);
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->variable != DAE_HYBRID_NONE) {
      DaeSymbol symbol = dae_model_variable(hybrid->model, discrete->variable)->symbol;
      dae_subst_set(subst, discrete->now, dae_term_variable(terms, symbol, 0));
    }
  }
  return subst;
}

/* pre(v) is a parameter with the start value where nothing else determines it, or a free one. */
static void
add_pre_parameters(const DaeHybrid *hybrid, GArray *parameters)
{
  DaeTerms *terms = hybrid->terms;
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->variable == DAE_HYBRID_NONE || discrete->pre == DAE_NO_TERM) {
      continue;
    }
    DaeTerm start = discrete->start != DAE_NO_TERM ? discrete->start : dae_term_int(terms, 0);
    DaeParameter parameter = {.symbol = dae_term_get_symbol(terms, discrete->pre),
                              .type = discrete->type,
                              .is_free = !discrete->pre_is_default,
                              .is_discrete_start = true,
                              .span = discrete->span};
    parameter.value = parameter.is_free ? DAE_NO_TERM : start;
    parameter.start = parameter.is_free ? start : DAE_NO_TERM;
    g_array_append_val(parameters, parameter);
  }
}

/* In all equations but those that define the discrete variables themselves. */
static void
put_in_settled_variables(const DaeHybrid *hybrid, GArray *equations)
{
  DaeTerms *terms = hybrid->terms;
  g_autoptr(DaeSubst) settled = dae_subst_new(terms);
  for (uint32_t k = 0; k < hybrid->discrete->len && hybrid->settled != NULL; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    DaeTerm value = dae_subst_apply(hybrid->settled, discrete->now);
    if (discrete->variable != DAE_HYBRID_NONE && value != discrete->now) {
      DaeSymbol symbol = dae_model_variable(hybrid->model, discrete->variable)->symbol;
      dae_subst_set(settled, dae_term_variable(terms, symbol, 0), value);
    }
  }
  for (guint i = 0; i < equations->len && hybrid->settled != NULL; i++) {
    DaeEquation *equation = &g_array_index(equations, DaeEquation, i);
    if (!equation->is_discrete && dae_subst_apply(settled, equation->lhs) == equation->lhs) {
      equation->rhs = with_settled(terms, settled, equation->rhs);
    }
  }
}

void
dae_hybrid_make_initial(DaeHybrid *hybrid)
{
  const DaeModel *model = hybrid->model;
  DaeTerms *terms = hybrid->terms;
  g_autoptr(DaeSubst) values = initial_values(hybrid);
  g_autoptr(GArray) variables = g_array_new(FALSE, TRUE, sizeof(DaeVariable));
  g_autoptr(GArray) equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  g_autoptr(GArray) parameters = copy_parameters(model);
  g_autoptr(GArray) initial = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    g_array_append_val(variables, *dae_model_variable(model, j));
  }
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    DaeEquation equation = *dae_model_equation(model, i);
    equation.lhs = dae_subst_apply(values, equation.lhs);
    equation.rhs = dae_subst_apply(values, equation.rhs);
    g_array_append_val(equations, equation);
  }
  put_in_settled_variables(hybrid, equations);
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->is_when) {
      DaeEquation equation = {.lhs = dae_subst_apply(values, discrete->now),
                              .rhs = dae_subst_apply(values, discrete->value),
                              .origin = DAE_FROM_SECTION,
                              .span = discrete->span,
                              .is_discrete = true};
      equation.rhs = dae_terms_rewrite(terms, equation.rhs);
      g_array_append_val(equations, equation);
    }
  }
  for (uint32_t i = 0; i < hybrid->conditions->len; i++) {
    DaeEquation equation = dae_hybrid_condition(hybrid, i)->equation;
    equation.lhs = dae_subst_apply(values, equation.lhs);
    equation.rhs = dae_subst_apply(values, equation.rhs);
    g_array_append_val(initial, equation);
  }
  add_pre_parameters(hybrid, parameters);
  DaeModelParts parts = dae_model_parts(model, variables, parameters, equations, initial);
  hybrid->initial = dae_model_new(&parts);
}
