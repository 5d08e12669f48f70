/* What a model knows of events and clocks: look-ups, and copies for
 * models that are made of others. */
#include "model/flat.h"

uint32_t
dae_model_n_clocks(const DaeModel *model)
{
  return model->clocks->len;
}

const DaeClockDefinition *
dae_model_clock(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->clocks->len);
  return &g_array_index(model->clocks, DaeClockDefinition, i);
}

uint32_t
dae_model_n_clock_equations(const DaeModel *model)
{
  return model->clock_equations->len;
}

const DaeClockEquation *
dae_model_clock_equation(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->clock_equations->len);
  return &g_array_index(model->clock_equations, DaeClockEquation, i);
}

uint32_t
dae_model_n_clocked_whens(const DaeModel *model)
{
  return model->clocked_whens->len;
}

const DaeClockedWhen *
dae_model_clocked_when(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->clocked_whens->len);
  return &g_array_index(model->clocked_whens, DaeClockedWhen, i);
}

uint32_t
dae_model_n_clocked_atoms(const DaeModel *model)
{
  return model->clocked_atoms->len;
}

const DaeClockedAtom *
dae_model_clocked_atom(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->clocked_atoms->len);
  return &g_array_index(model->clocked_atoms, DaeClockedAtom, i);
}

static DaeTerm
replace(DaeSubst *replaced, DaeTerm t)
{
  return replaced != NULL && t != DAE_NO_TERM ? dae_subst_apply(replaced, t) : t;
}

static DaeWhenBranch
copy_branch(const DaeWhenBranch *from, DaeSubst *replaced)
{
  DaeWhenBranch branch = *from;
  DaeTerm *conditions = g_new0(DaeTerm, from->n_conditions + 1);
  DaeAction *actions = g_new0(DaeAction, from->n_actions + 1);
  for (uint32_t i = 0; i < from->n_conditions; i++) {
    conditions[i] = replace(replaced, from->conditions[i]);
  }
  for (uint32_t i = 0; i < from->n_actions; i++) {
    actions[i] = from->actions[i];
    actions[i].condition = replace(replaced, from->actions[i].condition);
    actions[i].value = replace(replaced, from->actions[i].value);
  }
  branch.conditions = conditions;
  branch.actions = actions;
  return branch;
}

void
dae_flat_copy_events(DaeModel *model, const DaeModel *like, DaeSubst *replaced)
{
  for (uint32_t i = 0; i < like->event_atoms->len; i++) {
    DaeEventAtom atom = g_array_index(like->event_atoms, DaeEventAtom, i);
    if (atom.kind == DAE_ATOM_DELAY || atom.kind == DAE_ATOM_TRANSPORT) {
      atom.of = replace(replaced, atom.of);
      atom.interval = replace(replaced, atom.interval);
    }
    g_array_append_val(model->event_atoms, atom);
  }
  for (guint i = 0; i < like->profiles->len; i++) {
    DaeTerm t = replace(replaced, g_array_index(like->profiles, DaeTerm, i));
    g_array_append_val(model->profiles, t);
  }
  for (uint32_t i = 0; i < like->whens->len; i++) {
    DaeWhen when = g_array_index(like->whens, DaeWhen, i);
    DaeWhenBranch *branches = g_new0(DaeWhenBranch, when.n_branches + 1);
    for (uint32_t b = 0; b < when.n_branches; b++) {
      branches[b] = copy_branch(&when.branches[b], replaced);
    }
    when.branches = branches;
    g_array_append_val(model->whens, when);
  }
}
