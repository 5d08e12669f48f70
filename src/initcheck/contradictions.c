/* The contradictions of a run, each with a minimal set of premises and the steps that lead to
 * it. */
#include "initcheck/initcheck-priv.h"

gint
ic_conflict_compare(gconstpointer a, gconstpointer b)
{
  const DaeInitConflict *x = a;
  const DaeInitConflict *y = b;
  if (x->n_premises != y->n_premises) {
    return x->n_premises < y->n_premises ? -1 : 1;
  }
  for (uint32_t i = 0; i < x->n_premises; i++) {
    const DaeInitPremise *p = &x->premises[i];
    const DaeInitPremise *q = &y->premises[i];
    if (p->is_initial != q->is_initial) {
      return p->is_initial ? -1 : 1;
    }
    if (p->index != q->index) {
      return p->index < q->index ? -1 : 1;
    }
    if (p->order != q->order) {
      return p->order < q->order ? -1 : 1;
    }
  }
  return 0;
}

static bool
same_conflict(const DaeInitConflict *x, const DaeInitConflict *y)
{
  return ic_conflict_compare(x, y) == 0;
}

/* Initial equations first, as in the paper's example: {u1 = 5, u2 = 4, u = u1 + u2, u = 10}. */
static DaeInitPremise *
premises_of_conflict(const IcSystem *sys, const GArray *premises)
{
  DaeInitPremise *out = g_new0(DaeInitPremise, premises->len + 1);
  uint32_t n = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (guint i = 0; i < premises->len; i++) {
      uint32_t p = g_array_index(premises, uint32_t, i);
      if (g_array_index(sys->premises, IcPremise, p).id.is_initial == (pass == 0)) {
        out[n++] = g_array_index(sys->premises, IcPremise, p).id;
      }
    }
  }
  return out;
}

void
ic_conflict_free(gpointer data)
{
  DaeInitConflict *conflict = data;
  g_free((void *)conflict->premises);
  dae_proof_steps_free((DaeInitStep *)conflict->steps, conflict->n_steps);
}

static bool
is_known_conflict(const DaeInit *init, const DaeInitConflict *conflict)
{
  for (guint i = 0; i < init->conflicts->len; i++) {
    if (same_conflict(conflict, &g_array_index(init->conflicts, DaeInitConflict, i))) {
      return true;
    }
  }
  return false;
}

static DaeInitStep *
steps_of_conflict(IcEngine *engine, uint32_t row, const GArray *premises, uint32_t *n_steps)
{
  return engine->failed->len > 0 ? ic_prove_cases(engine, premises, n_steps)
                                 : ic_prove(engine, row, n_steps);
}

bool
ic_conflict_record(DaeInit *init, IcEngine *engine, uint32_t r, const GArray *all)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GArray) premises = NULL;
  if (r == IC_NONE) {
    premises = g_array_copy(engine->branch_support);
  } else {
    uint32_t line = ic_engine_row(engine, r)->line;
    premises = ic_used_premises(engine, line);
    ic_conflict_shorten(sys, premises);
  }
  g_autoptr(IcEngine) small = ic_conflict_minimize(sys, premises);
  if (small->out_of_budget) { /* a contradiction, but not known to be a minimal set */
    return false;
  }
  bool is_small = ic_is_conflict(small);
  if (!is_small && r != IC_NONE && ic_hangs_on_branch(engine, ic_engine_row(engine, r)->line)) {
    return false; /* only the choice that was made fails, others are open */
  }
  DaeInitConflict conflict = {.n_premises = premises->len};
  conflict.premises = premises_of_conflict(sys, premises);
  if (is_known_conflict(init, &conflict)) {
    ic_conflict_free(&conflict);
    return true;
  }
  uint32_t n_steps = 0;
  conflict.steps = is_small
                       ? steps_of_conflict(small, ic_conflict_row(small), premises, &n_steps)
                       : steps_of_conflict(engine, r, all, &n_steps);
  conflict.n_steps = n_steps;
  conflict.residual = conflict.steps[n_steps - 1].rhs; /* as the chain ends */
  g_array_append_val(init->conflicts, conflict);
  return true;
}
