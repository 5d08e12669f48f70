/* When do the stages work on the smaller model, and when do they go back to the one as written? */
#include "pipeline/pipeline-priv.h"

void
dae_pipeline_set_simplify(DaePipeline *pipeline, const DaeSimplifyOptions *options)
{
  DAE_ASSERT(pipeline->sig == NULL);
  pipeline->simplifies = true;
  pipeline->leaves_to_numbers = true;
  pipeline->simplify_asked = true;
  pipeline->simplify_options = options != NULL ? *options : (DaeSimplifyOptions){0};
}

/* reinit sets a variable of the integrator: one that was solved for cannot be set. */
static bool
keeps_what_is_reset(const DaePipeline *pipeline, DaeSimplified *simplified)
{
  for (uint32_t i = 0; i < dae_hybrid_n_actions(pipeline->hybrid); i++) {
    const DaeHybridAction *action = dae_hybrid_action(pipeline->hybrid, i);
    if (action->kind == DAE_ACTION_REINIT &&
        dae_simplified_replace(simplified, action->target) != action->target) {
      return false;
    }
  }
  return true;
}

/* Variables that were solved for bring other delays with them: these are put in, until there are
 * none. */
bool
dae_pipeline_delayed_now(const DaePipeline *pipeline, DaeSimplified *simplified, DaeTerm *of)
{
  const DaeHybrid *hybrid = pipeline->hybrid;
  DaeTerms *terms = pipeline->terms;
  uint32_t n = dae_hybrid_n_delays(hybrid);
  g_autoptr(DaeSubst) inner = dae_subst_new(terms);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDelay *delay = dae_hybrid_delay(hybrid, i);
    DaeTerm now = dae_hybrid_translate(hybrid, delay->start);
    DaeTerm t = simplified != NULL ? dae_simplified_replace(simplified, now) : now;
    of[i] = t != DAE_NO_TERM ? t : now;
    for (uint32_t k = 0; k < DAE_DELAY_ATOMS; k++) {
      dae_subst_set(inner, delay->atoms[k], k == 1 ? of[i] : dae_term_int(terms, 0));
    }
  }
  bool changed = n > 0;
  for (uint32_t round = 0; changed && round <= n; round++) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) {
      DaeTerm t = dae_subst_apply(inner, of[i]);
      changed = changed || (t != of[i] && t != DAE_NO_TERM);
      of[i] = t != DAE_NO_TERM ? t : of[i];
    }
  }
  return !changed;
}

static bool
delays_have_starts(const DaePipeline *pipeline, DaeSimplified *simplified)
{
  g_autofree DaeTerm *of = g_new0(DaeTerm, (size_t)dae_hybrid_n_delays(pipeline->hybrid) + 1);
  return dae_pipeline_delayed_now(pipeline, simplified, of);
}

/* A sound result that is smaller or has numbers for parameters is taken;
 * otherwise the model stays as it is. */
const DaeModel *
dae_pipeline_work_model(DaePipeline *pipeline)
{
  const DaeModel *model = dae_pipeline_continuous(pipeline);
  if (!pipeline->simplifies) {
    return model;
  }
  if (pipeline->simplified == NULL) {
    DaeSimplified *simplified =
        dae_simplify(pipeline->terms, model, &pipeline->simplify_options);
    dae_pipeline_own(pipeline, simplified, (GDestroyNotify)dae_simplified_free);
    if (!dae_simplified_is_sound(simplified) || !keeps_what_is_reset(pipeline, simplified) ||
        !delays_have_starts(pipeline, simplified)) {
      pipeline->simplifies = false;
      return model;
    }
    pipeline->simplified = simplified;
  }
  return dae_simplified_model(pipeline->simplified);
}

bool
dae_pipeline_drop_simplified(DaePipeline *pipeline)
{
  if (pipeline->simplified == NULL) {
    return false;
  }
  pipeline->simplifies = false;
  pipeline->leaves_to_numbers = false;
  pipeline->is_seen_in_numbers = false;
  pipeline->simplified = NULL;
  pipeline->sig = NULL; /* all are still owned */
  pipeline->qlt = NULL;
  pipeline->init = NULL;
  return true;
}

const DaeSimplified *
dae_pipeline_simplified(const DaePipeline *pipeline)
{
  return pipeline->simplified;
}

void
dae_pipeline_replace_solved(DaePipeline *pipeline, const DaeTerm *given, uint32_t n,
                            DaeTerm *replaced)
{
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm t = pipeline->simplified != NULL
                    ? dae_simplified_replace(pipeline->simplified, given[i])
                    : given[i];
    replaced[i] = t != DAE_NO_TERM ? t : given[i];
  }
}
