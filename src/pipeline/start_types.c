/* Integer unknowns of the initialization whose values are found in numbers: the search knows no
 * types, so what it found is looked at. */
#include <math.h>

#include "pipeline/problem-priv.h"

/* Newton's iteration leaves rounding, not parts. */
static bool
is_whole(double value)
{
  return fabs(value - round(value)) <= 1e-6 * fmax(1, fabs(value)) || !isfinite(value);
}

/* What the check of the initialization can prove is told instead. */
static void
tell(const DaeProblem *problem, DaeTerm atom, double value, DaeSpan span, GError **error)
{
  DaePipeline *pipeline = problem->pipeline;
  GError *own = NULL;
  g_autofree char *name = dae_term_to_string(dae_pipeline_terms(pipeline), atom);
  g_autofree char *place = dae_span_text(span);
  g_set_error(&own, DAE_ERROR, DAE_ERROR_NUMERIC,
              "no consistent start found at t = %g: %s is Integer, and the initial equations "
              "give it the value %.10g  (%s)",
              problem->t_start, name, value, place);
  dae_pipeline_explain_open(pipeline, problem->t_start, &own);
  g_propagate_error(error, own);
}

static bool
check_parameters(DaeProblem *problem, GError **error)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    const DaeParameter *parameter = dae_model_parameter(model, k);
    if (!parameter->is_free || parameter->type != DAE_TYPE_INTEGER) {
      continue;
    }
    double value = 0;
    DaeTerm atom = dae_term_parameter(terms, parameter->symbol);
    if (dae_problem_value_at_start(problem, atom, &value) && !is_whole(value)) {
      tell(problem, atom, value, parameter->span, error);
      return false;
    }
  }
  return true;
}

static bool
check_discrete(const DaeProblem *problem, GError **error)
{
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  for (uint32_t k = 0; k < dae_hybrid_n_discrete(hybrid); k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(hybrid, k);
    if (discrete->type != DAE_TYPE_INTEGER || problem->discrete_now == NULL) {
      continue;
    }
    bool is_pre = is_whole(problem->discrete_now[k]);
    if (!is_pre || !is_whole(problem->discrete_pre[k])) {
      DaeTerm atom = is_pre ? discrete->pre : discrete->now;
      tell(problem, atom != DAE_NO_TERM ? atom : discrete->now,
           is_pre ? problem->discrete_pre[k] : problem->discrete_now[k], discrete->span, error);
      return false;
    }
  }
  return true;
}

bool
dae_problem_start_has_types(DaeProblem *problem, GError **error)
{
  return check_parameters(problem, error) && check_discrete(problem, error);
}
