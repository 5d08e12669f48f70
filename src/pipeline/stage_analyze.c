#include "pipeline/pipeline-priv.h"

const DaeSig *
dae_pipeline_analyze(DaePipeline *pipeline, const DaeSigOptions *options, GError **error)
{
  if (pipeline->sig != NULL) {
    return pipeline->sig;
  }
  if (!dae_pipeline_has_model(pipeline, error)) {
    return NULL;
  }
  DaeStageClock clock = dae_pipeline_begin_stage(pipeline, DAE_STAGE_ANALYZE);
  pipeline->sig = dae_sig_analyze(dae_pipeline_algebra(pipeline), dae_pipeline_work_model(pipeline),
                                  options != NULL ? options : &dae_sig_default_options,
                                  &pipeline->reporter, error);
  dae_pipeline_own(pipeline, pipeline->sig, (GDestroyNotify)dae_sig_free);
  dae_pipeline_end_stage(&clock);
  return pipeline->sig;
}

const DaeSig *
dae_pipeline_structure(DaePipeline *pipeline, GError **error)
{
  DaeSigOptions options = dae_sig_default_options;
  options.overdetermined_ok = true;
  const DaeSig *sig = dae_pipeline_analyze(pipeline, &options, error);
  bool is_good = sig != NULL && (dae_sig_status(sig) == DAE_SIG_SUCCESS ||
                                 dae_sig_status(sig) == DAE_SIG_REPAIRED ||
                                 dae_sig_n_rows(sig) > dae_sig_n_columns(sig));
  if (!is_good && dae_pipeline_drop_simplified(pipeline)) {
    g_clear_error(error);
    return dae_pipeline_analyze(pipeline, &options, error);
  }
  return sig;
}
