/* Exact elimination with a log. Linear pivots come from a heap: single unknowns first, then
 * sparse linear rows, then rows that are explicit in one unknown; the nonlinear stage
 * (nonlinear.c, univariate.c, block.c) is asked when the heap is empty. A pivot coefficient
 * is a nonzero number, or an expression in the parameters that is generically nonzero and
 * nonzero at the given values. This elimination takes the place of the paper's matching,
 * loops included: a loop is a set of rows that is solved by several pivots
 * [OchelBachmannCasella, section 3.1, steps 4 to 7].
 *
 * The work is that of sparse Gaussian elimination; every pass of the main loop turns an
 * active row into a decided one or ends it. */
#include "initcheck/initcheck-priv.h"

IcRow *
ic_engine_row(const IcEngine *engine, uint32_t r)
{
  return &g_array_index(engine->rows, IcRow, r);
}

IcLine *
ic_engine_line(const IcEngine *engine, uint32_t l)
{
  return g_ptr_array_index(engine->lines, l);
}

DaeTerm
ic_line_rhs(const IcEngine *engine, uint32_t l)
{
  IcLine *line = ic_engine_line(engine, l);
  if (line->rhs == DAE_NO_TERM && line->solution != NULL) {
    line->rhs = ic_form_term(engine->sys, line->solution);
  }
  return line->rhs;
}

bool
ic_engine_spent(IcEngine *engine)
{
  const IcSystem *sys = engine->sys;
  if (!engine->out_of_budget &&
      (sys->too_long || dae_terms_long_work(sys->terms) - sys->long_work > IC_LONG_WORK_LIMIT ||
       dae_budget_spent(sys->budget))) {
    engine->out_of_budget = true;
  }
  return engine->out_of_budget;
}

/* ---- life -------------------------------------------------------------------------------- */

static void
free_line(gpointer data)
{
  IcLine *line = data;
  g_free(line->subs);
  g_free(line->with);
  g_free(line->factors);
  dae_proof_numeric_free(line->numeric);
  if (line->solution != NULL) {
    ic_form_clear(line->solution);
    g_free(line->solution);
  }
  g_free(line);
}

IcEngine *
ic_engine_new(IcSystem *sys, const uint32_t *script, uint32_t n_script)
{
  IcEngine *engine = g_new0(IcEngine, 1);
  uint32_t n = sys->unknowns->len;
  engine->sys = sys;
  engine->rows = g_array_new(FALSE, TRUE, sizeof(IcRow));
  engine->lines = g_ptr_array_new_with_free_func(free_line);
  /* many small runs on one big model: the arrays over all unknowns are reused,
   * only what was touched is cleaned */
  if (sys->spare_columns->len > 0) {
    engine->columns = g_ptr_array_steal_index(sys->spare_columns, sys->spare_columns->len - 1);
    engine->solved_by = g_ptr_array_steal_index(sys->spare_solved, sys->spare_solved->len - 1);
  } else {
    engine->columns = g_new0(GArray *, n + 1);
    engine->solved_by = g_new(uint32_t, n + 1);
    memset(engine->solved_by, 0xff, sizeof(uint32_t) * (n + 1)); /* IC_NONE */
  }
  engine->touched = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  engine->branch_support = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  engine->failed = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  engine->heap = g_array_new(FALSE, FALSE, sizeof(IcCandidate));
  engine->facts = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  engine->seen = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  engine->branches = g_array_new(FALSE, FALSE, sizeof(IcBranch));
  engine->assumed = g_array_new(FALSE, FALSE, sizeof(IcAssumption));
  engine->decided = g_array_new(FALSE, FALSE, sizeof(IcCondition));
  engine->resultants = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  engine->divided = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  engine->active = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  engine->square = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  engine->script = script;
  engine->n_script = n_script;
  g_array_append_vals(engine->facts, sys->domain->data, sys->domain->len);
  return engine;
}

void
ic_engine_free(IcEngine *engine)
{
  if (engine == NULL) {
    return;
  }
  for (guint r = 0; r < engine->rows->len; r++) {
    IcRow *row = ic_engine_row(engine, r);
    ic_form_clear(&row->form);
    g_array_unref(row->pending);
  }
  for (guint i = 0; i < engine->touched->len; i++) {
    uint32_t z = g_array_index(engine->touched, uint32_t, i);
    g_clear_pointer(&engine->columns[z], g_array_unref);
    engine->solved_by[z] = IC_NONE;
  }
  g_ptr_array_add(engine->sys->spare_columns, engine->columns);
  g_ptr_array_add(engine->sys->spare_solved, engine->solved_by);
  g_clear_pointer(&engine->point, g_hash_table_unref);
  g_array_unref(engine->rows);
  g_ptr_array_unref(engine->lines);
  g_array_unref(engine->touched);
  g_array_unref(engine->branch_support);
  g_ptr_array_unref(engine->failed);
  g_array_unref(engine->heap);
  for (uint32_t stage = 0; stage < IC_N_STAGES; stage++) {
    ic_set_clear(&engine->waiting[stage]);
  }
  g_array_unref(engine->facts);
  g_array_unref(engine->seen);
  g_clear_pointer(&engine->weight_of_row, g_array_unref);
  g_array_unref(engine->branches);
  g_array_unref(engine->assumed);
  g_array_unref(engine->decided);
  g_array_unref(engine->resultants);
  g_array_unref(engine->divided);
  g_array_unref(engine->active);
  g_array_unref(engine->square);
  g_free(engine);
}

/* ---- log --------------------------------------------------------------------------------- */

uint32_t
ic_engine_log(IcEngine *engine, uint32_t r, IcLineKind kind, DaeTerm lhs, DaeTerm rhs)
{
  IcRow *row = ic_engine_row(engine, r);
  IcLine *line = g_new0(IcLine, 1);
  line->kind = kind;
  line->row = r;
  line->base = row->line;
  line->z = IC_NONE;
  line->lhs = lhs;
  line->rhs = rhs;
  line->depth = row->depth;
  line->n_subs = row->pending->len;
  line->subs = g_memdup2(row->pending->data, sizeof(IcSub) * row->pending->len);
  g_array_set_size(row->pending, 0);
  g_ptr_array_add(engine->lines, line);
  row->line = engine->lines->len - 1;
  return row->line;
}

/* ---- substitution ------------------------------------------------------------------------ */

/* The leaves of the form that contain z are taken out and put back with z replaced. */
static bool
replace_in_leaves(IcEngine *engine, IcForm *form, uint32_t z, DaeTerm value)
{
  IcSystem *sys = engine->sys;
  DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
  g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(IcLeaf));
  for (guint i = 0; i < form->leaves->len;) {
    IcLeaf leaf = g_array_index(form->leaves, IcLeaf, i);
    if (dae_term_contains(sys->terms, leaf.leaf, atom)) {
      g_array_append_val(taken, leaf);
      g_array_remove_index(form->leaves, i);
    } else {
      i++;
    }
  }
  for (guint i = 0; i < taken->len; i++) {
    IcLeaf leaf = g_array_index(taken, IcLeaf, i);
    DaeTerm replaced = dae_term_replace(sys->terms, leaf.leaf, atom, value);
    if (replaced != DAE_NO_TERM) {
      replaced = ic_decide_conditions(sys, replaced, &engine->used_values);
      replaced = dae_terms_rewrite(sys->terms, replaced);
    }
    if (!ic_form_add_term(sys, form, leaf.c, replaced)) {
      return false;
    }
  }
  return true;
}

/* form with the solution of a line put in. factor: see IcSub. false: undefined. */
static bool
put_solution(IcEngine *engine, IcForm *form, uint32_t l, DaeTerm *factor)
{
  IcSystem *sys = engine->sys;
  const IcLine *line = ic_engine_line(engine, l);
  DaeTerm c = ic_form_put(sys, form, line->z, line->solution);
  *factor = DAE_NO_TERM;
  if (ic_form_leaf_has(sys, form, line->z)) {
    return replace_in_leaves(engine, form, line->z, ic_line_rhs(engine, l));
  }
  if (c != DAE_NO_TERM && line->pivot != DAE_NO_TERM) {
    *factor = dae_term_neg(sys->terms, dae_term_div(sys->terms, c, line->pivot));
  }
  return true;
}

static void
substitute_in_row(IcEngine *engine, uint32_t r, uint32_t l, const GArray *inside)
{
  IcRow *row = ic_engine_row(engine, r);
  IcSub sub = {.line = l};
  bool is_defined = put_solution(engine, &row->form, l, &sub.factor);
  g_array_append_val(ic_own_list(&row->pending, engine->sys->no_subs), sub);
  row->depth = MAX(row->depth, ic_engine_line(engine, l)->depth + 1);
  if (!is_defined) {
    ic_row_set_undefined(engine, r);
    return;
  }
  for (guint i = 0; i < inside->len; i++) {
    ic_row_note_column(engine, g_array_index(inside, uint32_t, i), r);
  }
  ic_engine_touch(engine, r);
}

static void
substitute_everywhere(IcEngine *engine, uint32_t l)
{
  const IcLine *line = ic_engine_line(engine, l);
  GArray *column = g_steal_pointer(&engine->columns[line->z]);
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  ic_form_unknowns(engine->sys, line->solution, inside);
  for (guint i = 0; column != NULL && i < column->len; i++) {
    uint32_t r = g_array_index(column, uint32_t, i);
    IcRow *row = ic_engine_row(engine, r);
    bool occurs = row->state == IC_ROW_ACTIVE &&
                  (ic_form_coefficient(&row->form, line->z) != DAE_NO_TERM ||
                   ic_form_leaf_has(engine->sys, &row->form, line->z));
    if (occurs) {
      substitute_in_row(engine, r, l, inside);
    }
  }
  g_clear_pointer(&column, g_array_unref);
}

static void
finish_pivot(IcEngine *engine, uint32_t r, uint32_t l)
{
  IcLine *line = ic_engine_line(engine, l);
  ic_engine_row(engine, r)->state = IC_ROW_PIVOT;
  engine->solved_by[line->z] = l;
  g_array_append_val(engine->touched, line->z);
  engine->n_pivots++;
  substitute_everywhere(engine, l);
}

void
ic_engine_pivot(IcEngine *engine, uint32_t r, uint32_t z, DaeTerm expr, IcLineKind kind,
                const char *note)
{
  IcSystem *sys = engine->sys;
  DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
  uint32_t l = ic_engine_log(engine, r, kind, atom, expr);
  IcLine *line = ic_engine_line(engine, l);
  line->z = z;
  line->note = note;
  line->solution = g_new0(IcForm, 1);
  ic_form_init(sys, line->solution);
  bool is_defined = ic_form_add_term(sys, line->solution, dae_term_int(sys->terms, 1), expr);
  DAE_ASSERT(is_defined);
  finish_pivot(engine, r, l);
}

/* The linear pivot: z = -(row without z)/coefficient. */
static void
pivot_linear(IcEngine *engine, uint32_t r, uint32_t z)
{
  IcSystem *sys = engine->sys;
  IcRow *row = ic_engine_row(engine, r);
  DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
  uint32_t l = ic_engine_log(engine, r, IC_LINE_SOLVE, atom, DAE_NO_TERM);
  IcLine *line = ic_engine_line(engine, l);
  line->z = z;
  line->pivot = ic_form_take_entry(&row->form, z);
  line->solution = g_new0(IcForm, 1);
  ic_form_init(sys, line->solution);
  DaeTerm factor = dae_term_div(sys->terms, dae_term_int(sys->terms, -1), line->pivot);
  ic_form_add_form(sys, line->solution, ic_tidy(sys, factor), &row->form);
  finish_pivot(engine, r, l);
}

/* Rows up to a kind; at most `most` pivots. Returns how many there were. */
static uint32_t
drain_up_to(IcEngine *engine, uint64_t kind, uint32_t most)
{
  uint32_t before = engine->n_pivots;
  while (engine->heap->len > 0 && engine->n_pivots - before < most &&
         g_array_index(engine->heap, IcCandidate, 0).key >> IC_KIND_SHIFT <= kind &&
         !ic_engine_spent(engine)) {
    IcCandidate next = ic_heap_pop(engine->heap);
    IcRow *row = ic_engine_row(engine, next.row);
    if (row->state != IC_ROW_ACTIVE || row->version != next.version) {
      continue;
    }
    uint32_t z =
        engine->only_trivial ? ic_pivot_trivial(engine, row) : ic_pivot_best(engine, row);
    if (z != IC_NONE) {
      pivot_linear(engine, next.row, z);
    } else if (!engine->only_trivial && ic_pivot_vanishes(engine->sys, &row->form)) {
      ic_pivot_put_values(engine, next.row);
    }
  }
  return engine->n_pivots - before;
}

void
ic_engine_drain(IcEngine *engine)
{
  drain_up_to(engine, IC_KIND_EXPLICIT, UINT32_MAX);
}

/* Rows whose leaves have coefficients that vanish at the given values would
 * mislead the nonlinear stage. */
static bool
put_values_in_leftovers(IcEngine *engine)
{
  bool changed = false;
  uint32_t r = ic_queue_next(engine, IC_STAGE_VALUES);
  for (; r != IC_NONE; r = ic_queue_next(engine, IC_STAGE_VALUES)) {
    IcRow *row = ic_engine_row(engine, r);
    if ((row->passive || row->form.leaves->len > 0) &&
        ic_pivot_vanishes(engine->sys, &row->form)) {
      changed |= ic_pivot_put_values(engine, r);
    }
  }
  return changed;
}

/* What only the run needed: no row is waiting any more, and of those that have ended nothing is
 * pending. Small engines are freed soon anyway. */
static void
release_room(IcEngine *engine)
{
  enum { MANY = 1000 };

  GArray *none = engine->sys->no_subs;
  if (engine->rows->len < MANY) {
    return;
  }
  g_array_unref(engine->heap);
  engine->heap = g_array_new(FALSE, FALSE, sizeof(IcCandidate));
  for (guint r = 0; r < engine->rows->len; r++) {
    IcRow *row = ic_engine_row(engine, r);
    if (row->pending != none && row->pending->len == 0) {
      g_array_unref(row->pending);
      row->pending = g_array_ref(none);
    }
  }
}

static void
run_stages(IcEngine *engine)
{
  if (!engine->only_trivial && !engine->sys->writes_all) {
    drain_up_to(engine, 0, UINT32_MAX);
    ic_set_square_aside(engine);
  }
  for (;;) {
    drain_up_to(engine, IC_KIND_EXPLICIT - 1, UINT32_MAX);
    if (ic_engine_spent(engine)) {
      return;
    }
    if (!put_values_in_leftovers(engine) && !ic_single_step(engine) &&
        drain_up_to(engine, IC_KIND_EXPLICIT, 1) == 0 && !ic_nonlinear_step(engine) &&
        !ic_univariate_step(engine) && !ic_switch_step(engine) && !ic_block_step(engine)) {
      break;
    }
  }
  ic_block_settle(engine);
}

void
ic_engine_run(IcEngine *engine)
{
  run_stages(engine);
  release_room(engine);
}

uint32_t
ic_engine_choose(IcEngine *engine, uint32_t line, uint32_t n, uint32_t preferred)
{
  uint32_t at = engine->branches->len;
  uint32_t offset = at < engine->n_script ? engine->script[at] : 0;
  IcBranch branch = {.line = line, .chosen = offset, .n_alternatives = n};
  g_array_append_val(engine->branches, branch);
  return (preferred + offset) % n;
}

uint32_t
ic_engine_choose_of_many(IcEngine *engine, uint32_t line, uint32_t n, uint32_t preferred)
{
  uint32_t chosen = ic_engine_choose(engine, line, n, preferred);
  g_array_index(engine->branches, IcBranch, engine->branches->len - 1).is_partial = true;
  return chosen;
}

DaeTerm
ic_engine_reduce(IcEngine *engine, DaeTerm t, GArray *used)
{
  IcSystem *sys = engine->sys;
  IcForm form;
  ic_form_init(sys, &form);
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  bool is_defined = ic_form_add_term(sys, &form, dae_term_int(sys->terms, 1), t);
  bool changed = is_defined;
  while (changed) {
    changed = false;
    ic_form_unknowns(sys, &form, inside);
    for (guint i = 0; i < inside->len && is_defined; i++) {
      uint32_t l = engine->solved_by[g_array_index(inside, uint32_t, i)];
      if (l != IC_NONE) {
        DaeTerm factor = DAE_NO_TERM;
        is_defined = put_solution(engine, &form, l, &factor);
        changed = is_defined;
        if (used != NULL) {
          g_array_append_val(used, l);
        }
      }
    }
  }
  DaeTerm result = is_defined ? ic_form_term(sys, &form) : DAE_NO_TERM;
  ic_form_clear(&form);
  return result;
}

/* ---- what is behind a line --------------------------------------------------------------- */

/* Begins a walk over things with the numbers up to n. */
static uint32_t
begin_walk(GArray *seen, uint32_t n, uint32_t *walk)
{
  if (seen->len < n) {
    g_array_set_size(seen, n);
  }
  if (++*walk == 0) { /* after 2^32 of them */
    memset(seen->data, 0, seen->len * sizeof(uint32_t));
    *walk = 1;
  }
  return *walk;
}

/* Does the walk see i for the first time? */
static bool
see(GArray *seen, uint32_t i, uint32_t walk)
{
  DAE_ASSERT(i < seen->len);
  uint32_t *last = &g_array_index(seen, uint32_t, i);
  bool is_new = *last != walk;
  *last = walk;
  return is_new;
}

static void
see_line(IcEngine *engine, uint32_t line, uint32_t walk, GArray *behind)
{
  if (see(engine->seen, line, walk)) {
    g_array_append_val(behind, line);
  }
}

GArray *
ic_engine_lines_behind(IcEngine *engine, uint32_t line)
{
  uint32_t walk = begin_walk(engine->seen, engine->lines->len, &engine->walk);
  GArray *behind = g_array_new(FALSE, FALSE, sizeof(uint32_t)); /* those to be looked at, too */
  see_line(engine, line, walk, behind);
  for (guint next = 0; next < behind->len; next++) {
    const IcLine *at = ic_engine_line(engine, g_array_index(behind, uint32_t, next));
    if (at->base != IC_NONE) {
      see_line(engine, at->base, walk, behind);
    }
    for (uint32_t i = 0; i < at->n_subs; i++) {
      see_line(engine, at->subs[i].line, walk, behind);
    }
    for (uint32_t i = 0; i < at->n_with; i++) {
      if ((at->with[i] & IC_PREMISE_BIT) == 0) {
        see_line(engine, at->with[i], walk, behind);
      }
    }
  }
  ic_sort_numbers(behind); /* lines only name earlier ones */
  return behind;
}

uint32_t
ic_walk_premises(IcSystem *sys)
{
  return begin_walk(sys->premise_seen, sys->premises->len, &sys->walk);
}

bool
ic_see_premise(IcSystem *sys, uint32_t premise, uint32_t walk)
{
  return see(sys->premise_seen, premise, walk);
}

GArray *
ic_engine_support(IcEngine *engine, uint32_t line)
{
  g_autoptr(GArray) lines = ic_engine_lines_behind(engine, line);
  return ic_engine_support_of(engine, lines);
}

GArray *
ic_engine_support_of(IcEngine *engine, const GArray *lines)
{
  IcSystem *sys = engine->sys;
  uint32_t walk = ic_walk_premises(sys);
  GArray *support = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint i = 0; i < lines->len; i++) {
    const IcLine *at = ic_engine_line(engine, g_array_index(lines, uint32_t, i));
    uint32_t premise = ic_engine_row(engine, at->row)->premise;
    if (ic_see_premise(sys, premise, walk)) {
      g_array_append_val(support, premise);
    }
    for (uint32_t k = 0; k < at->n_with; k++) {
      premise = at->with[k] & ~IC_PREMISE_BIT;
      if ((at->with[k] & IC_PREMISE_BIT) != 0 && ic_see_premise(sys, premise, walk)) {
        g_array_append_val(support, premise);
      }
    }
  }
  ic_sort_numbers(support);
  return support;
}
