/* Names to numbers. */
#include "pipeline/problem-priv.h"

bool
dae_pipeline_has_model(const DaePipeline *pipeline, GError **error)
{
  if (pipeline->model == NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "no model has been read");
  }
  return pipeline->model != NULL;
}

bool
dae_pipeline_find_variable(const DaePipeline *pipeline, const char *name, uint32_t *j)
{
  DaeSymbol symbol;
  return pipeline->model != NULL && dae_terms_find_symbol(pipeline->terms, name, &symbol) &&
         dae_model_find_variable(pipeline->model, symbol, j);
}

bool
dae_pipeline_find_parameter(const DaePipeline *pipeline, const char *name, uint32_t *k)
{
  DaeSymbol symbol;
  return pipeline->model != NULL && dae_terms_find_symbol(pipeline->terms, name, &symbol) &&
         dae_model_find_parameter(pipeline->model, symbol, k);
}

bool
dae_problem_find(const DaeProblem *problem, const char *name, uint32_t *j)
{
  DaeSymbol symbol;
  uint32_t n = dae_problem_n(problem);
  if (!dae_terms_find_symbol(dae_problem_terms(problem), name, &symbol)) {
    return false;
  }
  uint32_t guess =
      0; /* unknowns begin with the variables of the model, mostly in their order */
  if (dae_model_find_variable(problem->model, symbol, &guess) && guess < n &&
      dae_qlt_unknown(problem->qlt, guess) == symbol) {
    *j = guess;
    return true;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (dae_qlt_unknown(problem->qlt, i) == symbol) {
      *j = i;
      return true;
    }
  }
  return false;
}
