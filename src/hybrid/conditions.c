/* What the initialization asks for beside the equations: the one list that the initial model, the
 * plan of discrete values and the continuous model are made from. */
#include "hybrid/hybrid-priv.h"

/* Undefined with these values: as it is written, so that the place of the mistake is kept. */
static DaeTerm
at_the_start(DaeHybrid *hybrid, DaeSubst *phase, DaeTerm t)
{
  DaeTerm translated = dae_hybrid_translate(hybrid, t);
  DaeTerm closed = dae_subst_apply(phase, translated);
  return closed == DAE_NO_TERM ? translated : closed;
}

static void
add_fixed_starts(DaeHybrid *hybrid)
{
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    const DaeVariable *variable = discrete->variable != DAE_HYBRID_NONE
                                      ? dae_model_variable(hybrid->model, discrete->variable)
                                      : NULL;
    if (variable == NULL || !variable->fixed || discrete->pre == DAE_NO_TERM) {
      continue;
    }
    DaeHybridCondition condition = {
        .equation = {.lhs = discrete->pre,
                     .rhs = discrete->start != DAE_NO_TERM ? discrete->start
                                                           : dae_term_int(hybrid->terms, 0),
                     .origin = DAE_FROM_FIXED_START,
                     .span = variable->span,
                     .is_discrete = discrete->type != DAE_TYPE_REAL}};
    g_array_append_val(hybrid->conditions, condition);
  }
}

void
dae_hybrid_collect_conditions(DaeHybrid *hybrid)
{
  g_autoptr(DaeSubst) phase = dae_hybrid_phase_values(hybrid);
  for (uint32_t i = 0; i < dae_model_n_initial_equations(hybrid->model); i++) {
    DaeHybridCondition condition = {.equation = *dae_model_initial_equation(hybrid->model, i)};
    condition.equation.lhs = at_the_start(hybrid, phase, condition.equation.lhs);
    condition.equation.rhs = at_the_start(hybrid, phase, condition.equation.rhs);
    g_array_append_val(hybrid->conditions, condition);
  }
  add_fixed_starts(hybrid);
}

uint32_t
dae_hybrid_n_conditions(const DaeHybrid *hybrid)
{
  return hybrid->conditions->len;
}

const DaeHybridCondition *
dae_hybrid_condition(const DaeHybrid *hybrid, uint32_t i)
{
  return &g_array_index(hybrid->conditions, DaeHybridCondition, i);
}

uint32_t
dae_hybrid_condition_of(const DaeHybrid *hybrid, uint32_t i)
{
  return g_array_index(hybrid->condition_number, uint32_t, i);
}
