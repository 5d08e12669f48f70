#include "pipeline/needed.h"
#include "pipeline/pipeline-priv.h"
#include "qlt/complete.h"

/* What the analysis leaves open may be settled by completing the system; takes sig. */
static DaeSig *
complete(DaePipeline *pipeline, DaeSig *sig, const DaeSigOptions *options)
{
  g_autoptr(GError) error = NULL;
  DaeAlgebra *algebra = dae_pipeline_algebra(pipeline);
  DaeSigCompletion *completion = dae_qlt_complete(algebra, sig, &pipeline->reporter, &error);
  if (completion != NULL) {
    sig = dae_sig_complete(sig, completion, algebra, options, &pipeline->reporter);
  } else if (g_error_matches(error, DAE_ERROR, DAE_ERROR_NEGATIVE)) {
    dae_sig_refute(sig, error->message);
  }
  if (dae_sig_is_open(sig)) {
    dae_sig_leave_open(sig);
  }
  return sig;
}

static void
tell_several_values(DaePipeline *pipeline)
{
  const char *loops = pipeline->hybrid != NULL ? dae_hybrid_doubt(pipeline->hybrid) : NULL;
  if (loops != NULL) {
    dae_report_warning(dae_pipeline_reporter(pipeline),
                       "several values of these discrete variables fulfil their equations; "
                       "those nearest to the present ones are taken:%s",
                       loops);
  }
}

const DaeHybrid *
dae_pipeline_hybrid(DaePipeline *pipeline, GError **error)
{
  if (pipeline->hybrid == NULL && dae_pipeline_has_model(pipeline, error)) {
    pipeline->hybrid = dae_hybrid_new(pipeline->terms, pipeline->model, error);
    dae_pipeline_own(pipeline, pipeline->hybrid, (GDestroyNotify)dae_hybrid_free);
    tell_several_values(pipeline);
  }
  return pipeline->hybrid;
}

const DaeModel *
dae_pipeline_analyzed_model(DaePipeline *pipeline)
{
  return dae_pipeline_work_model(pipeline);
}

const DaeSig *
dae_pipeline_analyze(DaePipeline *pipeline, const DaeSigOptions *options, GError **error)
{
  if (pipeline->sig != NULL) {
    return pipeline->sig;
  }
  const DaeHybrid *hybrid = dae_pipeline_hybrid(pipeline, error);
  if (hybrid == NULL) {
    return NULL;
  }
  DaeStageClock clock = dae_pipeline_begin_stage(pipeline, DAE_STAGE_ANALYZE);
  options = options != NULL ? options : &dae_sig_default_options;
  DaeSig *sig =
      dae_sig_analyze(dae_pipeline_algebra(pipeline), dae_pipeline_work_model(pipeline),
                      options, &pipeline->reporter, error);
  pipeline->sig = sig != NULL && options->repair && options->jacobian && dae_sig_is_open(sig)
                      ? complete(pipeline, sig, options)
                      : sig;
  dae_pipeline_own(pipeline, pipeline->sig, (GDestroyNotify)dae_sig_free);
  dae_pipeline_end_stage(&clock);
  if (pipeline->sig != NULL && !pipeline->leaves_to_numbers &&
      (dae_sig_status(pipeline->sig) == DAE_SIG_SUCCESS ||
       dae_sig_status(pipeline->sig) == DAE_SIG_REPAIRED)) {
    dae_pipeline_tell_starting_mode(pipeline);
  }
  bool is_possible =
      pipeline->sig == NULL ||
      dae_needed_derivatives_exist(pipeline->terms, dae_pipeline_work_model(pipeline),
                                   pipeline->sig, error);
  return is_possible ? pipeline->sig : NULL;
}

/* A run sees in every step whether the matrices are regular that no proof was found for. */
static bool
is_left_to_numbers(DaePipeline *pipeline)
{
  if (!pipeline->is_seen_in_numbers && pipeline->leaves_to_numbers && pipeline->sig != NULL &&
      dae_sig_looks_regular(pipeline->sig, pipeline->algebra)) {
    pipeline->is_seen_in_numbers = true;
    dae_report(&pipeline->reporter,
               &(DaeDiagnostic){.severity = DAE_WARNING,
                                .message =
                                    "that the equations determine the solution is not "
                                    "proved: near the start values they do so in doubles"});
  }
  return pipeline->is_seen_in_numbers;
}

const DaeSig *
dae_pipeline_structure(DaePipeline *pipeline, GError **error)
{
  DaeSigOptions options = dae_sig_default_options;
  options.overdetermined_ok = true;
  options.no_certificate = pipeline->leaves_to_numbers;
  const DaeSig *sig = dae_pipeline_analyze(pipeline, &options, error);
  bool is_good =
      sig != NULL &&
      (dae_sig_status(sig) == DAE_SIG_SUCCESS || dae_sig_status(sig) == DAE_SIG_REPAIRED ||
       dae_sig_n_rows(sig) > dae_sig_n_columns(sig) || is_left_to_numbers(pipeline));
  if (!is_good && dae_pipeline_drop_simplified(pipeline)) {
    g_clear_error(error);
    options.no_certificate = false;
    return dae_pipeline_analyze(pipeline, &options, error);
  }
  return sig;
}
