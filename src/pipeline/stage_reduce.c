#include "pipeline/pipeline-priv.h"

/* What is wrong, in one line: the equations that depend on each other, and what is missing. */
static char *
say_singular(const DaePipeline *pipeline, const DaeSig *sig)
{
  DaeTerms *terms = pipeline->terms;
  if (dae_sig_status(sig) == DAE_SIG_STRUCTURALLY_SINGULAR) {
    g_autofree char *blame = dae_pipeline_blame(pipeline, sig);
    return g_strconcat("structurally singular", blame != NULL ? ": " : NULL, blame, NULL);
  }
  g_autoptr(GString) text =
      g_string_new("singular: its equations do not determine the solution");
  const DaeSigBlock *part = dae_sig_ill_posed(sig, NULL);
  g_autofree char *hint = part != NULL
                              ? dae_model_floating_hint(dae_sig_model(sig), terms,
                                                        part->equations, part->n_equations)
                              : NULL;
  g_autofree char *blame = hint == NULL ? dae_pipeline_blame_dependent(pipeline, sig) : NULL;
  if (hint != NULL || blame != NULL) {
    g_string_append_printf(text, "; %s", hint != NULL ? hint : blame);
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* The reduction goes on from a model with more equations than unknowns, and otherwise from
 * a structure that is proved or, in a simulation, seen in numbers. */
static bool
can_be_reduced(const DaePipeline *pipeline, const DaeSig *sig, GError **error)
{
  DaeSigStatus status = dae_sig_status(sig);
  if (pipeline->is_seen_in_numbers || status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED ||
      dae_sig_n_rows(sig) > dae_sig_n_columns(sig)) {
    return true;
  }
  if (dae_sig_is_open(sig)) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_UNDECIDED,
                "whether the structure determines the solution could not be decided; see "
                "'daetool analyze'");
  } else {
    g_autofree char *what = say_singular(pipeline, sig);
    g_set_error(error, DAE_ERROR, DAE_ERROR_NEGATIVE, "the model is %s; see 'daetool analyze'",
                what);
  }
  return false;
}

/* Two ways to one number: where they do not meet, neither is told. */
static bool
has_same_freedom(const DaeSig *sig, const DaeQlt *qlt, GError **error)
{
  if (dae_sig_n_rows(sig) != dae_sig_n_columns(sig) || dae_qlt_dof(qlt) == dae_sig_dof(sig)) {
    return true;
  }
  g_set_error(error, DAE_ERROR, DAE_ERROR_UNDECIDED,
              "the structure has %" G_GINT64_FORMAT
              " degrees of freedom, and the reduction leaves %" G_GINT64_FORMAT,
              dae_sig_dof(sig), dae_qlt_dof(qlt));
  return false;
}

static const DaeQlt *
reduce_once(DaePipeline *pipeline, DaeEliminate eliminate, GError **error)
{
  const DaeSig *sig = dae_pipeline_structure(pipeline, error);
  if (sig == NULL || !can_be_reduced(pipeline, sig, error)) {
    return NULL;
  }
  DaeStageClock clock = dae_pipeline_begin_stage(pipeline, DAE_STAGE_REDUCE);
  uint32_t n = pipeline->invariants->len;
  g_autofree DaeTerm *invariants = g_new0(DaeTerm, n + 1);
  dae_pipeline_replace_solved(pipeline, (const DaeTerm *)(void *)pipeline->invariants->data, n,
                              invariants);
  DaeQltOptions options = {.eliminate = eliminate, .invariants = invariants, .n_invariants = n};
  DaeQlt *qlt =
      dae_qlt_reduce(dae_pipeline_algebra(pipeline), sig, &options, &pipeline->reporter, error);
  if (qlt == NULL && dae_sig_n_rows(sig) > dae_sig_n_columns(sig)) {
    g_autofree char *blame = dae_pipeline_blame(pipeline, sig);
    g_prefix_error(error, "%s%s", blame != NULL ? blame : "", blame != NULL ? "; " : "");
  }
  if (qlt != NULL && !has_same_freedom(sig, qlt, error)) {
    g_clear_pointer(&qlt, dae_qlt_free);
  }
  pipeline->qlt = qlt;
  dae_pipeline_own(pipeline, pipeline->qlt, (GDestroyNotify)dae_qlt_free);
  dae_pipeline_end_stage(&clock);
  return pipeline->qlt;
}

const DaeQlt *
dae_pipeline_reduce(DaePipeline *pipeline, const DaeQltOptions *options, GError **error)
{
  if (pipeline->qlt != NULL) {
    return pipeline->qlt;
  }
  if (options != NULL) {
    g_array_append_vals(pipeline->invariants, options->invariants, options->n_invariants);
  }
  DaeEliminate eliminate = options != NULL ? options->eliminate : DAE_ELIMINATE_AUTO;
  const DaeQlt *qlt = reduce_once(pipeline, eliminate, error);
  if (qlt == NULL && dae_pipeline_drop_simplified(pipeline)) {
    g_clear_error(error);
    qlt = reduce_once(pipeline, eliminate, error);
  }
  return qlt;
}
