/* One question, all branches: runs the elimination, and where a conflict hangs on branch points
 * (one of two roots, a factor, a coefficient taken as nonzero) goes back to the last of them
 * and takes its next alternative. Branch points that the conflict does not hang on are passed
 * over (conflict-directed backjumping): independent choices cost their sum, not their product.
 * When all alternatives of a point failed, the blame is what they failed of, without the point
 * itself. The search is finite; a limit ends it with the first run. */
#include "initcheck/initcheck-priv.h"

#define MAX_RUNS 200
#define MAX_STUCK 6 /* runs that end without an answer before the question does */

typedef struct {
  GHashTable *support; /* premise + 1: behind the conflicts of all branches so far */
  /* per branch point: GArray of earlier points that its failed alternatives blame */
  GPtrArray *blame_of;
  GArray *script; /* uint32_t: alternatives to take */
} Branching;

static void
free_blame(gpointer data)
{
  g_array_unref(data);
}

/* Branch points (their numbers) behind the line, increasing. Some things that a choice changes
 * leave no trace in the lines: coefficients taken as nonzero, and alternatives left out because
 * of another row. They blame all they may come from. */
static GArray *
branches_behind(IcEngine *engine, uint32_t line)
{
  GArray *blame = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (engine->branches->len == 0 || line == IC_NONE) {
    return blame;
  }
  g_autoptr(GArray) behind = ic_engine_lines_behind(engine, line);
  uint32_t pruned = 0; /* lines before this one are to blame */
  for (guint i = 0; i < behind->len; i++) {
    uint32_t l = g_array_index(behind, uint32_t, i);
    pruned = ic_engine_line(engine, l)->is_pruned ? l : pruned;
  }
  for (uint32_t b = 0; b < engine->branches->len; b++) {
    uint32_t l = g_array_index(engine->branches, IcBranch, b).line;
    bool is_behind = l < pruned || g_array_binary_search(behind, &l, ic_compare_numbers, NULL);
    for (guint k = 0; engine->used_assumption && k < engine->assumed->len && !is_behind; k++) {
      is_behind = g_array_index(engine->assumed, IcAssumption, k).line == l;
    }
    if (is_behind) {
      g_array_append_val(blame, b);
    }
  }
  return blame;
}

bool
ic_hangs_on_branch(IcEngine *engine, uint32_t line)
{
  g_autoptr(GArray) blame = branches_behind(engine, line);
  return blame->len > 0;
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

static GArray *
all_branches(const IcEngine *engine)
{
  GArray *blame = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t b = 0; b < engine->branches->len; b++) {
    g_array_append_val(blame, b);
  }
  return blame;
}

/* Is a the better reason to go back: does it reach further back? */
static bool
reaches_further(const GArray *a, const GArray *b)
{
  return g_array_index(a, uint32_t, a->len - 1) < g_array_index(b, uint32_t, b->len - 1);
}

/* Does this run end in a conflict that another alternative might avoid? A conflict that hangs
 * on no branch is final. (transfer full): the branch points to blame, or NULL. */
static GArray *
reason_to_go_back(IcEngine *engine, GHashTable *support)
{
  g_autoptr(GArray) best = NULL;
  uint32_t best_row = IC_NONE;
  for (uint32_t r = 0; r < engine->rows->len && engine->branches->len > 0; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state != IC_ROW_CONFLICT) {
      continue;
    }
    g_autoptr(GArray) blame = branches_behind(engine, row->line);
    if (blame->len == 0 && !row->passive) {
      return NULL;
    }
    if (blame->len > 0 && (best == NULL || reaches_further(blame, best))) {
      g_clear_pointer(&best, g_array_unref);
      best = g_steal_pointer(&blame);
      best_row = r;
    }
  }
  if (best != NULL) {
    add_support(engine, ic_engine_row(engine, best_row)->line, support);
  } else if (engine->branches->len > 0 &&
             (assumption_failed(engine) || ic_switch_failed(engine))) {
    for (guint i = 0; i < engine->branches->len; i++) {
      add_support(engine, g_array_index(engine->branches, IcBranch, i).line, support);
    }
    best = all_branches(engine);
  }
  return g_steal_pointer(&best);
}

static void
add_blame(Branching *branching, uint32_t point, const GArray *blame)
{
  while (branching->blame_of->len <= point) {
    g_ptr_array_add(branching->blame_of, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
  }
  GArray *sum = g_ptr_array_index(branching->blame_of, point);
  for (guint i = 0; i < blame->len; i++) {
    uint32_t b = g_array_index(blame, uint32_t, i);
    if (b < point) {
      g_array_append_val(sum, b);
    }
  }
  ic_sort_unique(sum);
}

/* The next script: the last branch point to blame takes its next alternative; false:
 * all alternatives were tried. */
static bool
next_script(Branching *branching, const IcEngine *engine, const GArray *reason)
{
  g_autoptr(GArray) blame = g_array_copy((GArray *)reason);
  while (blame->len > 0) {
    uint32_t point = g_array_index(blame, uint32_t, blame->len - 1);
    const IcBranch *branch = &g_array_index(engine->branches, IcBranch, point);
    add_blame(branching, point, blame);
    g_array_unref(blame);
    blame = g_array_copy(g_ptr_array_index(branching->blame_of, point));
    if (branch->chosen + 1 < branch->n_alternatives) {
      g_array_set_size(branching->script, 0);
      for (uint32_t b = 0; b <= point; b++) {
        uint32_t chosen = g_array_index(engine->branches, IcBranch, b).chosen + (b == point);
        g_array_append_val(branching->script, chosen);
      }
      g_ptr_array_set_size(branching->blame_of, (gint)point + 1);
      return true;
    }
    g_ptr_array_set_size(branching->blame_of, (gint)point);
  }
  return false;
}

/* No conflict, but rows that could not be decided, after a choice. */
static bool
is_stuck_after_choice(const IcEngine *engine)
{
  for (uint32_t r = 0; r < engine->rows->len && engine->branches->len > 0; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state == IC_ROW_STUCK && !row->passive) {
      return true;
    }
  }
  return false;
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

/* All alternatives failed: what any of the conflicts used. */
static void
note_support(const IcSystem *sys, IcEngine *first, GHashTable *support)
{
  for (uint32_t p = 0; p < sys->premises->len; p++) {
    if (g_hash_table_contains(support, GUINT_TO_POINTER(p + 1))) {
      g_array_append_val(first->branch_support, p);
    }
  }
}

static IcEngine *
decide_branches(IcSystem *sys, const GArray *premises, const GArray *passive,
                Branching *branching)
{
  g_autoptr(IcEngine) first = NULL;
  g_autoptr(IcEngine) stuck = NULL;
  int n_stuck = 0;
  for (int runs = 0; runs < MAX_RUNS; runs++) {
    g_autoptr(IcEngine) engine = run_once(sys, premises, passive, branching->script);
    if (engine->out_of_budget) {
      return g_steal_pointer(&engine);
    }
    g_autoptr(GArray) reason = reason_to_go_back(engine, branching->support);
    bool is_stuck = reason == NULL && is_stuck_after_choice(engine);
    if (is_stuck && ++n_stuck <= MAX_STUCK) { /* another choice may have an answer */
      reason = all_branches(engine);
    }
    if (reason == NULL && is_stuck && stuck != NULL) {
      break;
    }
    if (reason == NULL) {
      return g_steal_pointer(&engine);
    }
    bool more = next_script(branching, engine, reason);
    if (is_stuck && stuck == NULL) {
      stuck = g_steal_pointer(&engine);
    } else if (!is_stuck && first == NULL) {
      first = g_steal_pointer(&engine);
    }
    if (!more) {
      break;
    }
    if (first != NULL) {
      first->gave_up = runs + 1 == MAX_RUNS;
    }
  }
  if (stuck != NULL) { /* not all alternatives failed: one of them is open */
    return g_steal_pointer(&stuck);
  }
  note_support(sys, first, branching->support);
  return g_steal_pointer(&first);
}

IcEngine *
ic_decide(IcSystem *sys, const GArray *premises, const GArray *passive)
{
  Branching branching = {
      .support = g_hash_table_new(NULL, NULL),
      .blame_of = g_ptr_array_new_with_free_func(free_blame),
      .script = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
  };
  IcEngine *engine = decide_branches(sys, premises, passive, &branching);
  g_hash_table_unref(branching.support);
  g_ptr_array_unref(branching.blame_of);
  g_array_unref(branching.script);
  return engine;
}
