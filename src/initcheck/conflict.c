/* Minimal conflict sets by deletion. The premises behind a nonzero row are a conflict set
 * already; each is left out in turn and stays out when the rest is still in conflict. Where the
 * whole chain is linear the multipliers of the premises are known exactly (a row combination
 * that gives 0 = residual); premises with multiplier 0 go at once, and when only one dependency
 * remains what is left is minimal by linear algebra. */
#include "initcheck/initcheck-priv.h"

uint32_t
ic_conflict_row(IcEngine *engine)
{
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state == IC_ROW_CONFLICT && !row->passive &&
        !ic_hangs_on_branch(engine, row->line)) {
      return r;
    }
  }
  return IC_NONE;
}

bool
ic_is_conflict(IcEngine *engine)
{
  return engine->failed->len > 0 || ic_conflict_row(engine) != IC_NONE;
}

/* Room for the weights of n things, all DAE_NO_TERM. */
static DaeTerm *
weights_for(GArray *weights, guint n)
{
  if (weights->len < n) {
    g_array_set_size(weights, n);
  }
  return (DaeTerm *)(void *)weights->data;
}

/* What line `at` adds to the weights of the rows that were put into it; false: not linear. */
static bool
spread_weight(IcEngine *engine, const IcLine *at, DaeTerm *of_row)
{
  IcSystem *sys = engine->sys;
  DaeTerm weight = of_row[at->row];
  for (uint32_t k = 0; k < at->n_subs; k++) {
    if (at->subs[k].factor == DAE_NO_TERM) {
      return false;
    }
    DaeTerm *known = &of_row[ic_engine_line(engine, at->subs[k].line)->row];
    DaeTerm more = dae_term_mul(sys->terms, weight, at->subs[k].factor);
    *known =
        ic_tidy(sys, *known == DAE_NO_TERM ? more : dae_term_add(sys->terms, *known, more));
  }
  return true;
}

/* Multiplier of each premise in the combination that made the last of these lines (all that are
 * behind it), into of_premise; false when some step was not linear. Lines name only earlier ones,
 * so one sweep backwards does it. */
static bool
find_weights(IcEngine *engine, const GArray *behind, DaeTerm *of_row, DaeTerm *of_premise)
{
  const uint32_t *lines = (const uint32_t *)(void *)behind->data;
  of_row[ic_engine_line(engine, lines[behind->len - 1])->row] =
      dae_term_int(engine->sys->terms, 1);
  for (guint i = behind->len; i-- > 0;) {
    const IcLine *at = ic_engine_line(engine, lines[i]);
    if ((at->kind != IC_LINE_SOLVE && at->kind != IC_LINE_END) || at->base != IC_NONE ||
        (at->kind == IC_LINE_SOLVE && at->pivot == DAE_NO_TERM) || at->note != NULL) {
      return false;
    }
    if (of_row[at->row] == DAE_NO_TERM) {
      continue;
    }
    uint32_t premise = ic_engine_row(engine, at->row)->premise;
    DAE_ASSERT(premise < engine->sys->premises->len); /* rows that are only tried end nowhere */
    of_premise[premise] = of_row[at->row];
    if (!spread_weight(engine, at, of_row)) {
      return false;
    }
  }
  return true;
}

/* Drops the premises without a weight; premises NULL: only asks. false: not linear. */
static bool
drop_weightless(IcEngine *engine, const GArray *behind, GArray *premises)
{
  IcSystem *sys = engine->sys;
  if (engine->weight_of_row == NULL) {
    engine->weight_of_row = g_array_new(FALSE, TRUE, sizeof(DaeTerm));
  }
  DaeTerm *of_row = weights_for(engine->weight_of_row, engine->rows->len);
  DaeTerm *of_premise = weights_for(sys->premise_weight, sys->premises->len);
  bool is_linear = find_weights(engine, behind, of_row, of_premise);
  guint kept = 0;
  for (guint i = 0; is_linear && premises != NULL && i < premises->len; i++) {
    uint32_t p = g_array_index(premises, uint32_t, i);
    if (of_premise[p] != DAE_NO_TERM && !dae_term_is_zero(sys->terms, of_premise[p])) {
      g_array_index(premises, uint32_t, kept++) = p;
    }
  }
  if (is_linear && premises != NULL) {
    g_array_set_size(premises, kept);
  }
  for (guint i = 0; i < behind->len; i++) {
    uint32_t row = ic_engine_line(engine, g_array_index(behind, uint32_t, i))->row;
    of_row[row] = DAE_NO_TERM;
    of_premise[ic_engine_row(engine, row)->premise] = DAE_NO_TERM;
  }
  return is_linear;
}

bool
ic_drop_unused(IcEngine *engine, uint32_t line, GArray *premises)
{
  g_autoptr(GArray) behind = ic_engine_lines_behind(engine, line);
  return drop_weightless(engine, behind, premises);
}

GArray *
ic_used_premises(IcEngine *engine, uint32_t line)
{
  g_autoptr(GArray) behind = ic_engine_lines_behind(engine, line);
  GArray *premises = ic_engine_support_of(engine, behind);
  drop_weightless(engine, behind, premises);
  return premises;
}

/* Exactly one dependency among linear rows, and the contradiction itself a linear combination
 * of them: every premise of the combination is needed. */
static bool
has_single_linear_dependency(IcEngine *engine, uint32_t row)
{
  uint32_t ended = 0;
  if (row == IC_NONE) {
    return false;
  }
  g_autoptr(GArray) behind = ic_engine_lines_behind(engine, ic_engine_row(engine, row)->line);
  if (!drop_weightless(engine, behind, NULL)) {
    return false;
  }
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *other = ic_engine_row(engine, r);
    bool linear_pivot = other->state == IC_ROW_PIVOT &&
                        ic_engine_line(engine, other->line)->pivot != DAE_NO_TERM;
    if (other->state == IC_ROW_CONFLICT) {
      ended++;
    } else if (!linear_pivot) {
      return false;
    }
  }
  return ended == 1;
}

/* What the conflict used: of all cases, where all of them fail. */
static void
replace_premises(IcEngine *engine, GArray *premises)
{
  g_autoptr(GArray) support = NULL;
  if (engine->failed->len > 0) {
    support = g_array_copy(engine->branch_support);
  } else {
    uint32_t row = ic_conflict_row(engine);
    support = ic_engine_support(engine, ic_engine_row(engine, row)->line);
  }
  g_array_set_size(premises, 0);
  g_array_append_vals(premises, support->data, support->len);
}

/* Without premise i: is it still a conflict? Nothing else is asked. */
static IcEngine *
decide_without(IcSystem *sys, const GArray *premises, guint i)
{
  g_autoptr(GArray) fewer = g_array_copy((GArray *)premises);
  g_array_remove_index(fewer, i);
  sys->seeks_conflict = true;
  IcEngine *engine = ic_decide(sys, fewer, NULL);
  sys->seeks_conflict = false;
  return engine;
}

/* Leaves each premise out in turn, the last ones (initial equations) last, so that
 * sets speak of initial equations. */
static IcEngine *
delete_one_by_one(IcSystem *sys, GArray *premises, IcEngine *engine)
{
  for (guint i = 0; i < premises->len;) {
    if (dae_budget_spent(sys->budget)) {
      engine->out_of_budget = true;
      return engine;
    }
    g_autoptr(IcEngine) attempt = decide_without(sys, premises, i);
    if (!ic_is_conflict(attempt)) {
      i++;
      continue;
    }
    uint32_t before = i == 0 ? 0 : g_array_index(premises, uint32_t, i - 1) + 1;
    replace_premises(attempt, premises);
    ic_engine_free(engine);
    engine = g_steal_pointer(&attempt);
    i = 0; /* those before were needed in a larger set, so they are needed in a smaller one */
    while (i < premises->len && g_array_index(premises, uint32_t, i) < before) {
      i++;
    }
  }
  return engine;
}

IcEngine *
ic_conflict_minimize(IcSystem *sys, GArray *premises)
{
  IcEngine *engine = ic_decide(sys, premises, NULL);
  if (!ic_is_conflict(engine)) { /* it needed rows outside: the caller keeps its own set */
    return engine;
  }
  replace_premises(engine, premises);
  if (engine->failed->len == 0 &&
      ic_drop_unused(engine, ic_engine_row(engine, ic_conflict_row(engine))->line, premises)) {
    ic_engine_free(engine);
    engine = ic_decide(sys, premises, NULL);
    DAE_ASSERT(ic_is_conflict(engine) || engine->out_of_budget);
  }
  if (!ic_is_conflict(engine) ||
      has_single_linear_dependency(engine, ic_conflict_row(engine))) {
    return engine;
  }
  engine = delete_one_by_one(sys, premises, engine);
  ic_engine_free(engine);
  return ic_decide(sys, premises, NULL);
}
