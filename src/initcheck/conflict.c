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

/* Multiplier of each premise in the combination that made the line; NULL when some step was
 * not linear. Lines name only earlier ones, so one sweep backwards does it. (transfer full):
 * premise + 1 -> DaeTerm. */
static GHashTable *
multipliers(IcEngine *engine, uint32_t line)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GArray) behind = ic_engine_lines_behind(engine, line);
  g_autoptr(GHashTable) of_row = g_hash_table_new(NULL, NULL);
  DaeTerm one = dae_term_int(sys->terms, 1);
  g_hash_table_insert(of_row, GUINT_TO_POINTER(ic_engine_line(engine, line)->row + 1),
                      GUINT_TO_POINTER(one));
  g_autoptr(GHashTable) of_premise = g_hash_table_new(NULL, NULL);
  for (guint i = behind->len; i-- > 0;) {
    const IcLine *at = ic_engine_line(engine, g_array_index(behind, uint32_t, i));
    if ((at->kind != IC_LINE_SOLVE && at->kind != IC_LINE_END) || at->base != IC_NONE ||
        (at->kind == IC_LINE_SOLVE && at->pivot == DAE_NO_TERM) || at->note != NULL) {
      return NULL;
    }
    DaeTerm weight =
        GPOINTER_TO_UINT(g_hash_table_lookup(of_row, GUINT_TO_POINTER(at->row + 1)));
    if (weight == DAE_NO_TERM) {
      continue;
    }
    uint32_t premise = ic_engine_row(engine, at->row)->premise;
    g_hash_table_insert(of_premise, GUINT_TO_POINTER(premise + 1), GUINT_TO_POINTER(weight));
    for (uint32_t k = 0; k < at->n_subs; k++) {
      if (at->subs[k].factor == DAE_NO_TERM) {
        return NULL;
      }
      gpointer key = GUINT_TO_POINTER(ic_engine_line(engine, at->subs[k].line)->row + 1);
      DaeTerm known = GPOINTER_TO_UINT(g_hash_table_lookup(of_row, key));
      DaeTerm more = dae_term_mul(sys->terms, weight, at->subs[k].factor);
      DaeTerm sum = known == DAE_NO_TERM ? more : dae_term_add(sys->terms, known, more);
      g_hash_table_insert(of_row, key, GUINT_TO_POINTER(ic_tidy(sys, sum)));
    }
  }
  return g_steal_pointer(&of_premise);
}

bool
ic_drop_unused(IcEngine *engine, uint32_t line, GArray *premises)
{
  g_autoptr(GHashTable) weights = multipliers(engine, line);
  if (weights == NULL) {
    return false;
  }
  guint kept = 0;
  for (guint i = 0; i < premises->len; i++) {
    uint32_t p = g_array_index(premises, uint32_t, i);
    DaeTerm weight = GPOINTER_TO_UINT(g_hash_table_lookup(weights, GUINT_TO_POINTER(p + 1)));
    if (weight != DAE_NO_TERM && !dae_term_is_zero(engine->sys->terms, weight)) {
      g_array_index(premises, uint32_t, kept++) = p;
    }
  }
  g_array_set_size(premises, kept);
  return true;
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
  g_autoptr(GHashTable) weights = multipliers(engine, ic_engine_row(engine, row)->line);
  if (weights == NULL) {
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
