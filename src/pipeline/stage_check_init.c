#include <math.h>

#include "pipeline/pipeline-priv.h"

/* The structure of the initial model: that of the continuous one where nothing is discrete. */
static const DaeSig *
initial_structure(DaePipeline *pipeline, GError **error)
{
  const DaeHybrid *hybrid = dae_pipeline_hybrid(pipeline, error);
  if (hybrid == NULL || dae_hybrid_is_trivial(hybrid)) {
    return hybrid == NULL ? NULL : dae_pipeline_structure(pipeline, error);
  }
  DaeSigOptions options = dae_sig_default_options;
  options.overdetermined_ok = true;
  DaeSig *sig = dae_sig_analyze(dae_pipeline_algebra(pipeline), dae_hybrid_initial(hybrid),
                                &options, &pipeline->reporter, error);
  dae_pipeline_own(pipeline, sig, (GDestroyNotify)dae_sig_free);
  return sig;
}

/* Of those that were analyzed, the structure of this model; NULL: the reduction converted it. */
static const DaeSig *
structure_of(const DaePipeline *pipeline, const DaeModel *model)
{
  const DaeSig *const known[] = {pipeline->sig, pipeline->initial_sig};
  for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
    if (known[i] != NULL && dae_sig_model(known[i]) == model) {
      return known[i];
    }
  }
  return NULL;
}

const DaeInitialProblem *
dae_pipeline_initial_problem(DaePipeline *pipeline, const DaeModel *model, double t_start)
{
  for (guint i = 0; i < pipeline->initial_problems->len; i++) {
    DaeInitialProblem *known = g_ptr_array_index(pipeline->initial_problems, i);
    if (dae_initial_model(known) == model && dae_initial_t_start(known) == t_start) {
      return known;
    }
  }
  const DaeSig *sig = structure_of(pipeline, model);
  DaeTerms *terms = dae_pipeline_terms(pipeline);
  DaeInitialProblem *problem = sig != NULL ? dae_initial_new(terms, sig, t_start)
                                           : dae_initial_new_reduced(terms, model, t_start);
  g_ptr_array_add(pipeline->initial_problems, problem);
  return problem;
}

const DaeInit *
dae_pipeline_check_init(DaePipeline *pipeline, const DaeInitOptions *options, GError **error)
{
  DaeInitOptions chosen = {.all_matchings = false};
  if (pipeline->init != NULL) {
    return pipeline->init;
  }
  const DaeSig *sig = initial_structure(pipeline, error);
  pipeline->initial_sig = sig;
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
  double annotated = dae_model_experiment(dae_sig_model(sig))->start;
  double start = chosen.has_start ? chosen.start : isfinite(annotated) ? annotated : 0;
  chosen.problem = dae_pipeline_initial_problem(pipeline, dae_sig_model(sig), start);
  pipeline->init =
      dae_init_check(dae_pipeline_algebra(pipeline), sig, &chosen, &pipeline->reporter, error);
  dae_pipeline_own(pipeline, pipeline->init, (GDestroyNotify)dae_init_free);
  dae_pipeline_end_stage(&clock);
  return pipeline->init;
}

const DaeModel *
dae_pipeline_checked_model(const DaePipeline *pipeline)
{
  return pipeline->initial_sig != NULL ? dae_sig_model(pipeline->initial_sig) : pipeline->model;
}
