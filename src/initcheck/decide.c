/* One question, all branches: runs the elimination, and where a conflict hangs on a branch point (one of two roots, a
 * factor, a coefficient taken as nonzero) goes back and takes the next alternative. Alternatives are counted like the
 * digits of a number, so the search is finite; a limit ends it with the first run. */
#include "initcheck/initcheck-priv.h"

#define MAX_RUNS 200

static bool
is_branch_line(const IcEngine *engine, uint32_t line)
{
  for (guint i = 0; i < engine->branches->len; i++) {
    if (g_array_index(engine->branches, IcBranch, i).line == line) {
      return true;
    }
  }
  return false;
}

static bool
hangs_on_branch(IcEngine *engine, uint32_t line)
{
  if (engine->branches->len == 0 || line == IC_NONE) {
    return false;
  }
  g_autoptr(GArray) behind = ic_engine_lines_behind(engine, line);
  for (guint i = 0; i < behind->len; i++) {
    if (is_branch_line(engine, g_array_index(behind, uint32_t, i))) {
      return true;
    }
  }
  return false;
}

/* A split took a coefficient as nonzero that turned out to be zero. */
static bool
assumption_failed(IcEngine *engine)
{
  for (guint i = 0; i < engine->assumed->len; i++) {
    DaeTerm a = g_array_index(engine->assumed, IcAssumption, i).term;
    DaeTerm reduced = ic_engine_reduce(engine, a, NULL);
    if (reduced != DAE_NO_TERM && !ic_has_unknown(engine->sys, reduced) &&
        ic_zero_at_values(engine->sys, reduced) == DAE_ZERO) {
      return true;
    }
  }
  return false;
}

static void
add_support(IcEngine *engine, uint32_t line, GHashTable *all)
{
  g_autoptr(GArray) support = ic_engine_support(engine, line);
  for (guint i = 0; i < support->len; i++) {
    g_hash_table_add(all, GUINT_TO_POINTER(g_array_index(support, uint32_t, i) + 1));
  }
}

/* Does this run end in a conflict that another alternative might avoid? A conflict that hangs on no branch is final. */
static bool
should_go_back(IcEngine *engine, GHashTable *support)
{
  bool go_back = false;
  if (engine->branches->len == 0) {
    return false;
  }
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state != IC_ROW_CONFLICT) {
      continue;
    }
    if (!hangs_on_branch(engine, row->line)) {
      if (!row->passive) {
        return false;
      }
      continue;
    }
    add_support(engine, row->line, support);
    go_back = true;
  }
  if (!go_back && (assumption_failed(engine) || ic_switch_failed(engine))) {
    for (guint i = 0; i < engine->branches->len; i++) {
      add_support(engine, g_array_index(engine->branches, IcBranch, i).line, support);
    }
    go_back = true;
  }
  return go_back;
}

/* The next script in counting order; false: all alternatives were tried. */
static bool
next_script(const IcEngine *engine, GArray *script)
{
  guint n = engine->branches->len;
  g_array_set_size(script, 0);
  while (n > 0) {
    const IcBranch *last = &g_array_index(engine->branches, IcBranch, n - 1);
    if (last->chosen + 1 < last->n_alternatives) {
      break;
    }
    n--;
  }
  for (guint i = 0; i < n; i++) {
    uint32_t chosen =
        g_array_index(engine->branches, IcBranch, i).chosen + (i + 1 == n ? 1 : 0);
    g_array_append_val(script, chosen);
  }
  return n > 0;
}

static IcEngine *
run_once(IcSystem *sys, const GArray *premises, const GArray *passive, const GArray *script)
{
  IcEngine *engine =
      ic_engine_new(sys, (const uint32_t *)(const void *)script->data, script->len);
  for (guint i = 0; i < premises->len; i++) {
    ic_engine_add(engine, g_array_index(premises, uint32_t, i), false);
  }
  for (guint i = 0; passive != NULL && i < passive->len; i++) {
    ic_engine_add(engine, g_array_index(passive, uint32_t, i), true);
  }
  ic_engine_run(engine);
  engine->script = NULL; /* it belongs to the caller */
  engine->n_script = 0;
  return engine;
}

IcEngine *
ic_decide(IcSystem *sys, const GArray *premises, const GArray *passive)
{
  g_autoptr(GArray) script = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GHashTable) support = g_hash_table_new(NULL, NULL);
  g_autoptr(IcEngine) first = NULL;
  for (int runs = 0; runs < MAX_RUNS; runs++) {
    g_autoptr(IcEngine) engine = run_once(sys, premises, passive, script);
    if (engine->out_of_budget || !should_go_back(engine, support)) {
      return g_steal_pointer(&engine);
    }
    bool more = next_script(engine, script);
    if (first == NULL) {
      first = g_steal_pointer(&engine);
    }
    if (!more) {
      break;
    }
    first->gave_up = runs + 1 == MAX_RUNS;
  }
  for (uint32_t p = 0; p < sys->premises->len; p++) {
    if (g_hash_table_contains(support, GUINT_TO_POINTER(p + 1))) {
      g_array_append_val(first->branch_support, p);
    }
  }
  return g_steal_pointer(&first);
}
