/* What the exporter needs of a problem: names, units, numbers of the parameters. */
#include <math.h>

#include "pipeline/problem_export.h"

/* The value of a parameter as a term in parameters that have one of their own;
 * DAE_NO_TERM: it has one itself. */
static DaeTerm
follows_from(const DaeProblem *problem, DaeSubst *written, DaeTerm atom)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm t = dae_subst_apply(written, atom);
  for (uint32_t k = 0; t != atom && t != DAE_NO_TERM && k < problem->run_atoms->len; k++) {
    DaeTerm next = dae_subst_apply(written, t);
    if (next == t) {
      break;
    }
    t = next;
  }
  return t == atom || t == DAE_NO_TERM || !dae_term_has_parameters(terms, t) ? DAE_NO_TERM : t;
}

/* What is written for parameters that depend on others; numbers for those that cannot be set. */
static DaeSubst *
written_values(const DaeProblem *problem)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeSubst *written = dae_subst_copy(problem->kept);
  for (uint32_t k = 0; k < dae_model_n_parameters(problem->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(problem->model, k);
    DaeTerm atom = dae_term_parameter(terms, parameter->symbol);
    if (dae_subst_apply(problem->kept, atom) == atom && parameter->value != DAE_NO_TERM &&
        dae_term_has_parameters(terms, parameter->value)) {
      dae_subst_set(written, atom, parameter->value);
    }
  }
  return written;
}

static void
collect_parameters(const DaeProblem *problem, GPtrArray *names, GArray *followers)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(DaeSubst) written = written_values(problem);
  for (guint i = 0; i < problem->run_atoms->len; i++) {
    DaeTerm atom = g_array_index(problem->run_atoms, DaeTerm, i);
    DaeTerm follower = follows_from(problem, written, atom);
    g_ptr_array_add(names,
                    (char *)dae_terms_symbol_name(terms, dae_term_get_symbol(terms, atom)));
    g_array_append_val(followers, follower);
  }
}

static bool
refuse(const DaeModel *model, DaeSpan span, const char *what, GError **error)
{
  g_set_error(error, DAE_ERROR, DAE_ERROR_UNSUPPORTED, "%s:%u:%u: error: %s cannot be exported",
              dae_model_file_of(model, span), span.line, span.column, what);
  return false;
}

/* Without an integrator relations are taken literally; what keeps a value from instant to instant
 * has no place. */
static bool
is_free_of_events(const DaeProblem *problem, GError **error)
{
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  const DaeModel *model = dae_hybrid_model(hybrid);
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  if (dae_hybrid_n_actions(hybrid) > 0) {
    return refuse(model, dae_hybrid_action(hybrid, 0)->span, "without --method a when-clause",
                  error);
  }
  for (uint32_t k = 0; k < dae_hybrid_n_discrete(hybrid); k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(hybrid, k);
    g_autofree char *name = dae_term_to_string(terms, discrete->now);
    g_autofree char *what =
        g_strdup_printf("without --method the discrete variable '%s'", name);
    if (discrete->variable != DAE_HYBRID_NONE) {
      return refuse(model, discrete->span, what, error);
    }
  }
  return dae_hybrid_n_samples(hybrid) == 0 || refuse(model, dae_hybrid_sample(hybrid, 0)->span,
                                                     "without --method sample(...)", error);
}

bool
dae_problem_may_be_exported(const DaeProblem *problem, GError **error)
{
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  const DaeModel *model = dae_hybrid_model(hybrid);
  if (dae_hybrid_is_trivial(hybrid)) {
    return true;
  }
  for (uint32_t i = 0; i < dae_hybrid_n_delays(hybrid); i++) {
    if (dae_hybrid_delay(hybrid, i)->is_transport) {
      return refuse(model, dae_hybrid_delay(hybrid, i)->span, "spatialDistribution(...)",
                    error);
    }
  }
  const DaeClocks *clocks = dae_hybrid_clocks(hybrid);
  if (clocks != NULL && problem->options.literal) {
    return refuse(model, dae_clocks_base(clocks, 0)->span, "without --method a clock", error);
  }
  if (dae_hybrid_n_delays(hybrid) > 0 && problem->options.literal) {
    return refuse(model, dae_hybrid_delay(hybrid, 0)->span, "without --method delay(...)",
                  error);
  }
  return !problem->options.literal || is_free_of_events(problem, error);
}

/* The past is kept in memory that is there from the beginning. */
#define MOST_DELAYED_STEPS 1000000.0

static bool
has_room_for_delays(const DaeProblem *problem, double step, GError **error)
{
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  double steps = 0;
  for (uint32_t i = 0; i < dae_hybrid_n_delays(hybrid); i++) {
    bool is_held = false;
    steps += dae_instant_delay_length(problem->instant, i, &is_held) / step;
    if (steps > MOST_DELAYED_STEPS) {
      return refuse(dae_hybrid_model(hybrid), dae_hybrid_delay(hybrid, i)->span,
                    "a delay over more than 1000000 steps", error);
    }
  }
  return true;
}

static bool
export_events(DaeProblem *problem, const DaeExportInput *without,
              const DaeSolverOptions *options, char **header, char **source, GError **error)
{
  if (options != NULL && !has_room_for_delays(problem, options->step, error)) {
    return false;
  }
  g_autoptr(DaeExportedEvents) events = dae_problem_events_as_data(problem, error);
  if (events == NULL) {
    return false;
  }
  DaeSystemParts parts = *without->parts;
  DaeExportInput input = *without;
  parts.segment_values = events->segment;
  input.parts = &parts;
  input.events = &events->data;
  input.start = events->x;
  input.run = dae_problem_run_for_export;
  input.user = problem;
  return dae_export_c(&input, options, header, source, error);
}

bool
dae_problem_export(DaeProblem *problem, const DaeSolverOptions *options, const char *prefix,
                   char **header, char **source, GError **error)
{
  if (!dae_problem_may_be_exported(problem, error)) {
    return false;
  }
  const uint32_t n = dae_problem_n(problem);
  g_autofree const char **names = g_new0(const char *, (size_t)n + 1);
  g_autofree const char **units = g_new0(const char *, (size_t)n + 1);
  g_autoptr(GPtrArray) parameter_names = g_ptr_array_new();
  g_autoptr(GArray) parameter_terms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t j = 0; j < n; j++) {
    names[j] = dae_problem_name(problem, j);
    units[j] = dae_problem_unit(problem, j);
  }
  collect_parameters(problem, parameter_names, parameter_terms);
  DaeExportInput input = {
      .terms = dae_problem_terms(problem),
      .parts = dae_problem_parts(problem),
      .evaluator = dae_problem_evaluator(problem),
      .model = dae_model_name(problem->model),
      .prefix = prefix,
      .version = dae_version(),
      .names = names,
      .units = units,
      .start = problem->x,
      .slopes = problem->slopes,
      .t_start = problem->t_start,
      .parameter_names = (const char *const *)parameter_names->pdata,
      .parameter_terms = (const DaeTerm *)(void *)parameter_terms->data,
  };
  return problem->instant != NULL
             ? export_events(problem, &input, options, header, source, error)
             : dae_export_c(&input, options, header, source, error);
}
