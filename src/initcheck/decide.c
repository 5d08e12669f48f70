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
  GPtrArray *
      /* per branch point: GArray of earlier points that its failed alternatives blame */
      blame_of;
  GArray *script;    /* uint32_t: alternatives to take */
  GPtrArray *failed; /* GArray of uint32_t: the choices of the runs that failed */
  bool is_partial;   /* there are cases that were not looked at */
  bool used_values;  /* a case failed at the given values of the parameters */
} Branching;

static void
free_array(gpointer data)
{
  g_array_unref(data);
}

static void
add_branches_behind(IcEngine *engine, uint32_t line, GArray *blame)
{
  g_autoptr(GArray) behind = ic_engine_lines_behind(engine, line);
  for (uint32_t b = 0; b < engine->branches->len; b++) {
    uint32_t l = g_array_index(engine->branches, IcBranch, b).line;
    if (g_array_binary_search(behind, &l, ic_compare_numbers, NULL)) {
      g_array_append_val(blame, b);
    }
  }
}

static void
add_branch_of_line(const IcEngine *engine, uint32_t line, GArray *blame)
{
  for (uint32_t b = 0; b < engine->branches->len; b++) {
    if (g_array_index(engine->branches, IcBranch, b).line == line) {
      g_array_append_val(blame, b);
    }
  }
}

/* Branch points (their numbers) behind the lines, increasing. Coefficients taken as nonzero
 * leave no trace in the lines: where one was used all of them are to blame. */
static GArray *
branches_behind(IcEngine *engine, const uint32_t *lines, guint n)
{
  GArray *blame = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (engine->branches->len == 0) {
    return blame;
  }
  for (guint i = 0; i < n; i++) {
    if (lines[i] != IC_NONE) {
      add_branches_behind(engine, lines[i], blame);
    }
  }
  for (guint k = 0; engine->used_assumption && k < engine->assumed->len; k++) {
    add_branch_of_line(engine, g_array_index(engine->assumed, IcAssumption, k).line, blame);
  }
  ic_sort_unique(blame);
  return blame;
}

bool
ic_hangs_on_branch(IcEngine *engine, uint32_t line)
{
  g_autoptr(GArray) blame = branches_behind(engine, &line, 1);
  return blame->len > 0;
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

/* ---- why a run fails --------------------------------------------------------------------- */

static IcFailure *
failure_new(void)
{
  IcFailure *failure = g_new0(IcFailure, 1);
  failure->row = IC_NONE;
  failure->z = IC_NONE;
  failure->premise = IC_NONE;
  failure->lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  return failure;
}

void
ic_failure_free(IcFailure *failure)
{
  if (failure != NULL) {
    g_array_unref(failure->lines);
    g_clear_pointer(&failure->blame, g_array_unref);
    g_free(failure);
  }
}

/* Is a the better reason to go back: does it reach further back? */
static bool
reaches_further(const GArray *a, const GArray *b)
{
  return g_array_index(a, uint32_t, a->len - 1) < g_array_index(b, uint32_t, b->len - 1);
}

/* A row in conflict that another alternative might avoid. *is_final: one that no alternative
 * avoids. */
static IcFailure *
failure_of_row(IcEngine *engine, bool *is_final)
{
  g_autoptr(IcFailure) best = NULL;
  *is_final = false;
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state != IC_ROW_CONFLICT) {
      continue;
    }
    g_autoptr(GArray) blame = branches_behind(engine, &row->line, 1);
    if (blame->len == 0 && !row->passive) {
      *is_final = true;
      return NULL;
    }
    if (blame->len > 0 && (best == NULL || reaches_further(blame, best->blame))) {
      g_clear_pointer(&best, ic_failure_free);
      best = failure_new();
      best->row = r;
      best->blame = g_steal_pointer(&blame);
      g_array_append_val(best->lines, row->line);
    }
  }
  return g_steal_pointer(&best);
}

/* The condition was taken as `holds` at a branch point (its line). NULL: it may be so. */
static IcFailure *
failure_of_condition(IcEngine *engine, DaeTerm condition, bool holds, uint32_t line)
{
  g_autoptr(IcFailure) failure = failure_new();
  int truth = ic_switch_truth(engine, condition, failure->lines, &failure->is_open);
  if (truth != (holds ? 0 : 1)) {
    return NULL;
  }
  failure->condition = condition;
  failure->holds = holds;
  failure->blame = failure->is_open
                       ? all_branches(engine)
                       : branches_behind(engine, (const uint32_t *)(void *)failure->lines->data,
                                         failure->lines->len);
  add_branch_of_line(engine, line, failure->blame);
  ic_sort_unique(failure->blame);
  return g_steal_pointer(&failure);
}

static IcFailure *
failure_of_type(IcEngine *engine)
{
  g_autoptr(IcFailure) failure = failure_new();
  failure->z = ic_type_failure(engine, failure->lines);
  if (failure->z == IC_NONE) {
    return NULL;
  }
  failure->blame = branches_behind(engine, (const uint32_t *)(void *)failure->lines->data,
                                   failure->lines->len);
  return g_steal_pointer(&failure);
}

static IcFailure *
failure_of_domain(IcEngine *engine)
{
  g_autoptr(IcFailure) failure = failure_new();
  failure->part = ic_outside_domain(engine, &failure->premise, failure->lines);
  if (failure->part == DAE_NO_TERM) {
    return NULL;
  }
  failure->blame = branches_behind(engine, (const uint32_t *)(void *)failure->lines->data,
                                   failure->lines->len);
  return g_steal_pointer(&failure);
}

IcFailure *
ic_find_failure(IcEngine *engine)
{
  bool is_final = false;
  IcFailure *failure = failure_of_row(engine, &is_final);
  for (guint i = 0; !is_final && failure == NULL && i < engine->assumed->len; i++) {
    const IcAssumption *assumed = &g_array_index(engine->assumed, IcAssumption, i);
    failure = failure_of_condition(engine, ic_engine_line(engine, assumed->line)->condition,
                                   false, assumed->line);
  }
  for (guint i = 0; !is_final && failure == NULL && i < engine->decided->len; i++) {
    const IcCondition *decided = &g_array_index(engine->decided, IcCondition, i);
    failure = failure_of_condition(engine, decided->condition, decided->taken, decided->line);
  }
  failure = failure == NULL && !is_final ? failure_of_type(engine) : failure;
  return failure == NULL && !is_final ? failure_of_domain(engine) : failure;
}

static void
note_support_of(IcEngine *engine, const IcFailure *failure, GHashTable *support)
{
  for (guint i = 0; i < failure->lines->len; i++) {
    add_support(engine, g_array_index(failure->lines, uint32_t, i), support);
  }
  if (failure->premise != IC_NONE) {
    g_hash_table_add(support, GUINT_TO_POINTER(failure->premise + 1));
  }
  for (guint i = 0; failure->row == IC_NONE && i < failure->blame->len; i++) {
    uint32_t b = g_array_index(failure->blame, uint32_t, i);
    add_support(engine, g_array_index(engine->branches, IcBranch, b).line, support);
  }
  for (guint k = 0; engine->used_assumption && k < engine->assumed->len; k++) {
    add_support(engine, g_array_index(engine->assumed, IcAssumption, k).line, support);
  }
}

/* ---- all alternatives -------------------------------------------------------------------- */

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
    branching->is_partial |= branch->is_partial;
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

IcEngine *
ic_run_script(IcSystem *sys, const GArray *premises, const GArray *passive,
              const GArray *script)
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

/* All cases failed: which they are, and what any of the conflicts used. */
static void
note_cases(const IcSystem *sys, IcEngine *first, Branching *branching)
{
  for (uint32_t p = 0; p < sys->premises->len; p++) {
    if (g_hash_table_contains(branching->support, GUINT_TO_POINTER(p + 1))) {
      g_array_append_val(first->branch_support, p);
    }
  }
  for (guint i = 0; i < branching->failed->len; i++) {
    g_ptr_array_add(first->failed, g_array_ref(g_ptr_array_index(branching->failed, i)));
  }
}

/* The run failed for this reason. */
static void
note_failure(Branching *branching, IcEngine *engine, const IcFailure *failure)
{
  GArray *script = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint b = 0; b < engine->branches->len; b++) {
    g_array_append_val(script, g_array_index(engine->branches, IcBranch, b).chosen);
  }
  g_ptr_array_add(branching->failed, script);
  branching->is_partial |= failure->is_open;
  branching->used_values |= failure->premise != IC_NONE && engine->used_values;
  note_support_of(engine, failure, branching->support);
}

static IcEngine *
decide_branches(IcSystem *sys, const GArray *premises, const GArray *passive,
                Branching *branching)
{
  g_autoptr(IcEngine) first = NULL;
  g_autoptr(IcEngine) stuck = NULL;
  int n_stuck = 0;
  bool more = true;
  for (int runs = 0; runs < MAX_RUNS && more; runs++) {
    g_autoptr(IcEngine) engine = ic_run_script(sys, premises, passive, branching->script);
    if (engine->out_of_budget) {
      return g_steal_pointer(&engine);
    }
    g_autoptr(IcFailure) failure = ic_find_failure(engine);
    bool is_stuck = failure == NULL && is_stuck_after_choice(engine);
    g_autoptr(GArray) reason = NULL;
    if (failure != NULL) {
      note_failure(branching, engine, failure);
      reason = g_array_ref(failure->blame);
    } else if (is_stuck && ++n_stuck <= MAX_STUCK) { /* another choice may have an answer */
      reason = all_branches(engine);
    }
    if (reason == NULL && is_stuck && stuck != NULL) {
      break;
    }
    if (reason == NULL) {
      return g_steal_pointer(&engine);
    }
    more = next_script(branching, engine, reason);
    if (is_stuck && stuck == NULL) {
      stuck = g_steal_pointer(&engine);
    } else if (!is_stuck && first == NULL) {
      first = g_steal_pointer(&engine);
    }
  }
  if (stuck != NULL) { /* not all alternatives failed: one of them is open */
    return g_steal_pointer(&stuck);
  }
  if (more || branching->is_partial) {
    first->gave_up = true;
  } else {
    note_cases(sys, first, branching);
  }
  return g_steal_pointer(&first);
}

IcEngine *
ic_decide(IcSystem *sys, const GArray *premises, const GArray *passive)
{
  Branching branching = {
      .support = g_hash_table_new(NULL, NULL),
      .blame_of = g_ptr_array_new_with_free_func(free_array),
      .failed = g_ptr_array_new_with_free_func(free_array),
      .script = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
  };
  IcEngine *engine = decide_branches(sys, premises, passive, &branching);
  engine->used_values |= branching.used_values;
  g_hash_table_unref(branching.support);
  g_ptr_array_unref(branching.blame_of);
  g_ptr_array_unref(branching.failed);
  g_array_unref(branching.script);
  return engine;
}
