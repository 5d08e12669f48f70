#include "pipeline/pipeline-priv.h"

const DaeInit *
dae_pipeline_check_init(DaePipeline *pipeline, const DaeInitOptions *options, GError **error)
{
  DaeInitOptions chosen = {.all_matchings = false};
  if (pipeline->init != NULL) {
    return pipeline->init;
  }
  const DaeSig *sig = dae_pipeline_structure(pipeline, error);
  if (sig == NULL) {
    return NULL;
  }
  DaeStageClock clock = dae_pipeline_begin_stage(pipeline, DAE_STAGE_CHECK_INIT);
  if (options != NULL) {
    chosen = *options;
  }
  if (chosen.budget == NULL) { /* the search keeps the budget of the pipeline, too */
    chosen.budget = pipeline->budget;
  }
  pipeline->init =
      dae_init_check(dae_pipeline_algebra(pipeline), sig, &chosen, &pipeline->reporter, error);
  dae_pipeline_own(pipeline, pipeline->init, (GDestroyNotify)dae_init_free);
  dae_pipeline_end_stage(&clock);
  return pipeline->init;
}
