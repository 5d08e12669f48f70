/* The reduced system as a model again: over-determined, readable by daetool. */
#include "qlt/qlt-priv.h"

static GArray *
collect_variables(const DaeQlt *qlt)
{
  const DaeModel *model = dae_qlt_model(qlt);
  GArray *variables = g_array_new(FALSE, TRUE, sizeof(DaeVariable));
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    DaeVariable variable = *dae_model_variable(model, j);
    variable.fixed = false; /* the fixed starts are among the initial equations */
    g_array_append_val(variables, variable);
  }
  for (uint32_t i = 0; i < dae_qlt_n_introduced(qlt); i++) {
    DaeVariable variable = {.symbol = dae_qlt_introduced(qlt, i)->symbol,
                            .type = DAE_TYPE_REAL};
    g_array_append_val(variables, variable);
  }
  return variables;
}

static GArray *
collect_equations(const DaeQlt *qlt, DaeTerms *terms)
{
  GArray *equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  for (uint32_t i = 0; i < dae_qlt_n_rows(qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(qlt, i);
    DaeEquation equation = {.lhs = dae_term_int(terms, 0), .rhs = row->rhs};
    for (uint32_t k = 0; k < row->n; k++) {
      DaeTerm derivative = dae_term_variable(terms, dae_qlt_unknown(qlt, row->columns[k]), 1);
      equation.lhs = dae_term_add(terms, equation.lhs,
                                  dae_term_mul(terms, row->coefficients[k], derivative));
    }
    g_array_append_val(equations, equation);
  }
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    DaeEquation equation = {.lhs = dae_term_int(terms, 0),
                            .rhs = dae_qlt_constraint(qlt, i)->expression};
    g_array_append_val(equations, equation);
  }
  return equations;
}

/* Initial equations may hold derivatives of any order: they are kept as they are. Each
 * invariant adds its start value. */
static GArray *
collect_initial_equations(const DaeQlt *qlt, DaeTerms *terms)
{
  const DaeModel *model = dae_qlt_model(qlt);
  GArray *equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  for (uint32_t i = 0; i < dae_model_n_initial_equations(model); i++) {
    DaeEquation equation = *dae_model_initial_equation(model, i);
    g_array_append_val(equations, equation);
  }
  for (uint32_t k = 0; k < dae_qlt_n_invariants(qlt); k++) {
    DaeEquation equation = {.lhs = dae_term_symbol(terms, dae_qlt_invariant_symbol(qlt, k)),
                            .rhs = dae_qlt_invariant_expression(qlt, k)};
    g_array_append_val(equations, equation);
  }
  return equations;
}

static GArray *
collect_parameters(const DaeQlt *qlt)
{
  const DaeModel *model = dae_qlt_model(qlt);
  GArray *parameters = g_array_new(FALSE, TRUE, sizeof(DaeParameter));
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    DaeParameter parameter = *dae_model_parameter(model, k);
    g_array_append_val(parameters, parameter);
  }
  for (uint32_t k = 0; k < dae_qlt_n_invariants(qlt); k++) {
    DaeParameter parameter = {
        .symbol = dae_qlt_invariant_symbol(qlt, k), .type = DAE_TYPE_REAL, .is_free = true};
    g_array_append_val(parameters, parameter);
  }
  return parameters;
}

DaeModel *
dae_qlt_to_model(const DaeQlt *qlt, DaeTerms *terms)
{
  g_autoptr(GArray) variables = collect_variables(qlt);
  g_autoptr(GArray) equations = collect_equations(qlt, terms);
  g_autoptr(GArray) initial_equations = collect_initial_equations(qlt, terms);
  g_autoptr(GArray) parameters = collect_parameters(qlt);
  DaeModelParts parts =
      dae_model_parts(dae_qlt_model(qlt), variables, parameters, equations, initial_equations);
  return dae_model_new(&parts);
}
