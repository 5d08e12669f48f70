#include "pipeline/pipeline-priv.h"

/* The reduction goes on from a model with more equations than unknowns, and only from a proved structure otherwise. */
static bool
can_be_reduced(const DaeSig *sig, GError **error)
{
  DaeSigStatus status = dae_sig_status(sig);
  if (status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED ||
      dae_sig_n_rows(sig) > dae_sig_n_columns(sig)) {
    return true;
  }
  if (status == DAE_SIG_UNDECIDED) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_UNDECIDED,
                "whether the structure determines the solution could not be decided; see "
                "'daetool analyze'");
  } else {
    g_set_error(error, DAE_ERROR, DAE_ERROR_NEGATIVE, "the model is %s; see 'daetool analyze'",
                status == DAE_SIG_STRUCTURALLY_SINGULAR
                    ? "structurally singular"
                    : "singular: its equations do not determine the solution");
  }
  return false;
}

const DaeQlt *
dae_pipeline_reduce(DaePipeline *pipeline, const DaeQltOptions *options, GError **error)
{
  static const DaeQltOptions defaults = {.eliminate = DAE_ELIMINATE_AUTO};
  if (pipeline->qlt != NULL) {
    return pipeline->qlt;
  }
  const DaeSig *sig = dae_pipeline_structure(pipeline, error);
  if (sig == NULL || !can_be_reduced(sig, error)) {
    return NULL;
  }
  DaeStageClock clock = dae_pipeline_begin_stage(pipeline, DAE_STAGE_REDUCE);
  pipeline->qlt =
      dae_qlt_reduce(dae_pipeline_algebra(pipeline), sig, options != NULL ? options : &defaults,
                     &pipeline->reporter, error);
  dae_pipeline_own(pipeline, pipeline->qlt, (GDestroyNotify)dae_qlt_free);
  dae_pipeline_end_stage(&clock);
  return pipeline->qlt;
}
