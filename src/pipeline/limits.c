/* Limits at the start: asked for before the first stage, taken in the models of the normal form. */
#include <math.h>

#include "initial/limit.h"
#include "pipeline/pipeline-priv.h"

void
dae_pipeline_take_limits(DaePipeline *pipeline, double t_start, bool for_numbers)
{
  if (pipeline->continuous != NULL || pipeline->initial_model != NULL ||
      pipeline->model == NULL || !isnan(pipeline->limits_at)) {
    return;
  }
  double annotated = dae_model_experiment(pipeline->model)->start;
  pipeline->limits_at = isfinite(t_start) ? t_start : isfinite(annotated) ? annotated : 0;
  pipeline->limits_numerical = for_numbers;
}

static const DaeModel *
with_limits(DaePipeline *pipeline, const DaeModel *model, bool is_told)
{
  if (isnan(pipeline->limits_at)) {
    return model;
  }
  const DaeLimitOptions options = {.t_start = pipeline->limits_at,
                                   .with_series = pipeline->limits_numerical,
                                   .reporter = is_told ? &pipeline->reporter : NULL};
  DaeModel *changed = dae_limits_take(dae_pipeline_algebra(pipeline), model, &options);
  dae_pipeline_own(pipeline, changed, (GDestroyNotify)dae_model_free);
  return changed != NULL ? changed : model;
}

const DaeModel *
dae_pipeline_continuous(DaePipeline *pipeline)
{
  if (pipeline->continuous == NULL) {
    const DaeModel *model = dae_hybrid_continuous(pipeline->hybrid);
    pipeline->continuous = with_limits(pipeline, model, true);
  }
  return pipeline->continuous;
}

const DaeModel *
dae_pipeline_initial_model(DaePipeline *pipeline)
{
  if (pipeline->initial_model == NULL) {
    const DaeModel *model = dae_hybrid_initial(pipeline->hybrid);
    pipeline->initial_model = with_limits(pipeline, model, pipeline->continuous == NULL);
  }
  return pipeline->initial_model;
}
