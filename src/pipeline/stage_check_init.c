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
  if (pipeline->initial_sig != NULL) {
    return pipeline->initial_sig;
  }
  DaeSigOptions options = dae_sig_default_options;
  options.overdetermined_ok = true;
  DaeSig *sig =
      dae_sig_analyze(dae_pipeline_algebra(pipeline), dae_pipeline_initial_model(pipeline),
                      &options, &pipeline->reporter, error);
  dae_pipeline_own(pipeline, sig, (GDestroyNotify)dae_sig_free);
  return sig;
}

/* What the start looks for in numbers, with values for everything discrete. */
static DaeInitialProblem *
continuous_part(const DaePipeline *pipeline, const DaeInitialProblem *whole)
{
  const DaeHybrid *hybrid = pipeline->hybrid;
  const DaeModel *model = dae_sig_model(pipeline->sig);
  const uint32_t n = dae_model_n_initial_equations(model);
  const uint32_t n_whole = dae_hybrid_n_conditions(hybrid);
  g_autofree uint32_t *from = g_new0(uint32_t, n + 1);
  g_autofree bool *is_met = g_new0(bool, n_whole + 1);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t number = dae_hybrid_condition_of(hybrid, i);
    from[i] = number == DAE_HYBRID_NONE ? DAE_INITIAL_NONE : number;
  }
  for (uint32_t i = 0; i < n_whole; i++) {
    is_met[i] = dae_hybrid_condition(hybrid, i)->is_assignment;
  }
  return dae_initial_new_part(whole, model, from, is_met);
}

const DaePipelineInitial *
dae_pipeline_initial(DaePipeline *pipeline, double t_start)
{
  const bool is_trivial = dae_hybrid_is_trivial(pipeline->hybrid);
  const DaeModel *model =
      is_trivial ? dae_sig_model(pipeline->sig) : dae_pipeline_initial_model(pipeline);
  DaePipelineInitial *initial = NULL;
  for (guint i = 0; initial == NULL && i < pipeline->initial_problems->len; i++) {
    DaePipelineInitial *known = g_ptr_array_index(pipeline->initial_problems, i);
    bool fits = known->model == model && dae_initial_t_start(known->whole) == t_start;
    initial = fits ? known : NULL;
  }
  if (initial == NULL) {
    DaeTerms *terms = dae_pipeline_terms(pipeline);
    initial = g_new0(DaePipelineInitial, 1);
    initial->model = model;
    initial->whole = is_trivial ? dae_initial_new(terms, pipeline->sig, t_start)
                                : dae_initial_new_open(terms, model, t_start);
    g_ptr_array_add(pipeline->initial_problems, initial);
  }
  /* the simplified model may have been given up since */
  bool is_stale = initial->part != NULL && pipeline->sig != NULL &&
                  dae_initial_model(initial->part) != dae_sig_model(pipeline->sig);
  if (is_stale) {
    g_clear_pointer(&initial->part, dae_initial_free);
  }
  if (initial->part == NULL && pipeline->sig != NULL) {
    initial->part = is_trivial ? initial->whole : continuous_part(pipeline, initial->whole);
  }
  return initial;
}

void
dae_pipeline_initial_free(DaePipelineInitial *initial)
{
  if (initial->part != initial->whole) {
    dae_initial_free(initial->part);
  }
  dae_initial_free(initial->whole);
  g_free(initial);
}

typedef struct {
  const DaePipeline *pipeline;
  bool by_number; /* the equations are those of the model, number by number */
  bool is_open;
} OpenSlopes;

static bool
has_pipe(const DaePipeline *pipeline, const DaeEquation *equation)
{
  DaeTerms *terms = pipeline->terms;
  const DaeModel *model = dae_hybrid_model(pipeline->hybrid);
  bool has = false;
  for (uint32_t k = 0; !has && k < dae_model_n_event_atoms(model); k++) {
    const DaeEventAtom *atom = dae_model_event_atom(model, k);
    DaeTerm t = dae_term_parameter(terms, atom->symbol);
    has = atom->kind == DAE_ATOM_TRANSPORT && (dae_term_contains(terms, equation->lhs, t) ||
                                               dae_term_contains(terms, equation->rhs, t));
  }
  return has;
}

static bool
look_at_slope(void *user, const DaeInitialEquation *equation)
{
  OpenSlopes *open = user;
  const DaeModel *model = dae_hybrid_model(open->pipeline->hybrid);
  if (!equation->is_condition && equation->order > 0) {
    open->is_open = !open->by_number ||
                    (equation->index < dae_model_n_equations(model) &&
                     has_pipe(open->pipeline, dae_model_equation(model, equation->index)));
  }
  return !open->is_open;
}

static bool
has_pipes(const DaeModel *model)
{
  bool has = false;
  for (uint32_t k = 0; !has && k < dae_model_n_event_atoms(model); k++) {
    has = dae_model_event_atom(model, k)->kind == DAE_ATOM_TRANSPORT;
  }
  return has;
}

/* In the initial model the ends of a pipe (spatialDistribution) have the values that they begin
 * with, for ever; how fast these change depends on the profile and on where it flows. */
static bool
needs_slopes_of_pipes(const DaePipeline *pipeline, const DaeSig *sig,
                      const DaeInitialProblem *problem)
{
  if (!has_pipes(dae_hybrid_model(pipeline->hybrid))) {
    return false;
  }
  bool lacks_values = dae_sig_lacks_values_only(sig);
  OpenSlopes open = {.pipeline = pipeline,
                     .by_number = lacks_values || dae_sig_status(sig) == DAE_SIG_SUCCESS};
  open.is_open = dae_sig_is_open(sig) && !lacks_values;
  if (!open.is_open) {
    dae_initial_visit(problem, look_at_slope, &open);
  }
  return open.is_open;
}

const DaeInit *
dae_pipeline_check_init(DaePipeline *pipeline, const DaeInitOptions *options, GError **error)
{
  DaeInitOptions chosen = {.all_matchings = false};
  if (pipeline->init != NULL) {
    return pipeline->init;
  }
  dae_pipeline_take_limits(pipeline,
                           options != NULL && options->has_start ? options->start : NAN, false);
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
  DaeInitialProblem *whole = dae_pipeline_initial(pipeline, start)->whole;
  pipeline->checked_start = start;
  if (!dae_initial_has_structure(whole)) {
    dae_initial_set_structure(whole, sig);
  }
  chosen.problem = whole;
  if (needs_slopes_of_pipes(pipeline, sig, whole)) {
    chosen.doubt = "the start asks for the derivative of what flows out of a pipe "
                   "(spatialDistribution), which is known in numbers only";
  }
  pipeline->init =
      dae_init_check(dae_pipeline_algebra(pipeline), sig, &chosen, &pipeline->reporter, error);
  dae_pipeline_own(pipeline, pipeline->init, (GDestroyNotify)dae_init_free);
  dae_pipeline_end_stage(&clock);
  return pipeline->init;
}

const DaeModel *
dae_pipeline_checked_model(const DaePipeline *pipeline)
{
  const uint32_t *from = NULL;
  if (pipeline->initial_sig == NULL) {
    return pipeline->model;
  }
  const DaeModel *surplus = dae_sig_surplus(pipeline->initial_sig, &from);
  return surplus != NULL ? surplus : dae_sig_model(pipeline->initial_sig);
}

const DaeSig *
dae_pipeline_checked_sig(const DaePipeline *pipeline)
{
  return pipeline->initial_sig;
}

double
dae_pipeline_checked_start(const DaePipeline *pipeline)
{
  return pipeline->checked_start;
}
