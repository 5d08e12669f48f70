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

/* Kinds of candidates: 0 one unknown, 1 several, all linear; then rows with nonlinear
 * leaves, explicit in an unknown. */
#define KIND_EXPLICIT 2u
#define KIND_SHIFT 60

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
  if (!engine->out_of_budget &&
      (engine->sys->too_long || dae_budget_spent(engine->sys->budget))) {
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
  for (uint32_t stage = 0; stage < IC_N_STAGES; stage++) {
    engine->waiting[stage] = g_array_new(FALSE, FALSE, sizeof(IcCandidate));
  }
  engine->facts = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  engine->branches = g_array_new(FALSE, FALSE, sizeof(IcBranch));
  engine->assumed = g_array_new(FALSE, FALSE, sizeof(IcAssumption));
  engine->decided = g_array_new(FALSE, FALSE, sizeof(IcCondition));
  engine->resultants = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  engine->divided = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  engine->active = g_array_new(FALSE, FALSE, sizeof(uint32_t));
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
    g_array_unref(engine->waiting[stage]);
  }
  g_array_unref(engine->facts);
  g_array_unref(engine->branches);
  g_array_unref(engine->assumed);
  g_array_unref(engine->decided);
  g_array_unref(engine->resultants);
  g_array_unref(engine->divided);
  g_array_unref(engine->active);
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

/* ---- rows -------------------------------------------------------------------------------- */

static void
note_column(IcEngine *engine, uint32_t z, uint32_t r)
{
  if (engine->columns[z] == NULL) {
    engine->columns[z] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(engine->touched, z);
  }
  GArray *column = engine->columns[z];
  if (column->len == 0 || g_array_index(column, uint32_t, column->len - 1) != r) {
    g_array_append_val(column, r);
  }
}

static void
note_all_columns(IcEngine *engine, uint32_t r)
{
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  ic_form_unknowns(engine->sys, &ic_engine_row(engine, r)->form, inside);
  for (guint i = 0; i < inside->len; i++) {
    note_column(engine, g_array_index(inside, uint32_t, i), r);
  }
}

/* A division by zero in a branch that is not taken hurts nobody: that is no contradiction. */
static bool
has_branches(const IcEngine *engine, const IcRow *row)
{
  const IcPremise *premise = &g_array_index(engine->sys->premises, IcPremise, row->premise);
  return premise->residual != DAE_NO_TERM &&
         dae_algebra_outer_condition(engine->sys->algebra, premise->residual) != DAE_NO_TERM;
}

static void
set_undefined(IcEngine *engine, uint32_t r)
{
  IcRow *row = ic_engine_row(engine, r);
  if (has_branches(engine, row)) {
    row->state = IC_ROW_STUCK;
    return;
  }
  row->state = IC_ROW_CONFLICT;
  row->residual = DAE_NO_TERM;
  uint32_t line = ic_engine_log(engine, r, IC_LINE_END, DAE_NO_TERM, DAE_NO_TERM);
  ic_engine_line(engine, line)->note = "division by zero";
}

static uint32_t
new_row(IcEngine *engine, uint32_t premise, bool passive, uint32_t line)
{
  IcRow row = {.premise = premise, .passive = passive, .line = line};
  ic_form_init(engine->sys, &row.form);
  row.pending = g_array_new(FALSE, FALSE, sizeof(IcSub));
  g_array_append_val(engine->rows, row);
  uint32_t r = engine->rows->len - 1;
  g_array_append_val(engine->active, r);
  return r;
}

uint32_t
ic_engine_add(IcEngine *engine, uint32_t premise, bool passive)
{
  const IcPremise *what = &g_array_index(engine->sys->premises, IcPremise, premise);
  uint32_t r = new_row(engine, premise, passive, IC_NONE);
  engine->used_values |= what->used_values;
  if (!ic_form_add_term(engine->sys, &ic_engine_row(engine, r)->form,
                        dae_term_int(engine->sys->terms, 1), what->residual)) {
    set_undefined(engine, r);
    return r;
  }
  note_all_columns(engine, r);
  ic_engine_touch(engine, r);
  return r;
}

uint32_t
ic_engine_add_row(IcEngine *engine, uint32_t premise, uint32_t line, DaeTerm residual)
{
  uint32_t r = new_row(engine, premise, false, line);
  ic_engine_row(engine, r)->is_extra = true;
  if (ic_engine_set_residual(engine, r, residual)) {
    ic_engine_touch(engine, r);
  }
  return r;
}

bool
ic_engine_set_residual(IcEngine *engine, uint32_t r, DaeTerm residual)
{
  IcForm *form = &ic_engine_row(engine, r)->form;
  ic_form_reset(engine->sys, form);
  if (!ic_form_add_term(engine->sys, form, dae_term_int(engine->sys->terms, 1), residual)) {
    set_undefined(engine, r);
    return false;
  }
  note_all_columns(engine, r);
  return true;
}

/* What must vanish, in the parameters, as a person would write it: the factors of the
 * numerator without repetition. */
static DaeTerm
condition_of(IcSystem *sys, DaeTerm residual)
{
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (!ic_is_constant_in_parameters(sys, residual)) {
    return DAE_NO_TERM;
  }
  if (!dae_algebra_factor(sys->algebra, residual, factors) || factors->len == 0) {
    return ic_tidy(sys, residual);
  }
  DaeTerm kept = dae_term_int(sys->terms, 1);
  for (guint i = 0; i < factors->len; i++) {
    DaeTerm factor = g_array_index(factors, DaeTerm, i);
    int sign = 0;
    if (!dae_algebra_sign(sys->algebra, factor, &sign) || sign == 0) {
      kept = dae_term_mul(sys->terms, kept, factor);
    }
  }
  return ic_tidy(sys, dae_term_is_number(sys->terms, kept) ? residual : kept);
}

static bool
has_parameter_without_value(IcSystem *sys, DaeTerm t)
{
  DaeTerm value = ic_at_values(sys, t);
  return value == DAE_NO_TERM || ic_is_constant_in_parameters(sys, value);
}

void
ic_engine_finish_row(IcEngine *engine, uint32_t r)
{
  IcSystem *sys = engine->sys;
  IcRow *row = ic_engine_row(engine, r);
  DaeTerm residual = row->form.rest;
  DaeTerm zero = dae_term_int(sys->terms, 0);
  row->residual = residual;
  DaeZero always = dae_algebra_is_zero(sys->algebra, residual);
  if (always == DAE_ZERO) {
    row->state = IC_ROW_ZERO;
    ic_engine_log(engine, r, IC_LINE_END, zero, zero);
    return;
  }
  DaeZero here = ic_zero_at_values(sys, residual);
  row->condition = condition_of(sys, residual);
  if (here == DAE_ZERO) {
    row->state = IC_ROW_ZERO_GIVEN;
    engine->used_values = true;
    ic_engine_log(engine, r, IC_LINE_END, zero, residual);
    return;
  }
  bool is_open = row->condition != DAE_NO_TERM && has_parameter_without_value(sys, residual);
  if (here == DAE_UNKNOWN && !is_open && ic_settle_constant(engine, r, residual)) {
    return;
  }
  if (here == DAE_UNKNOWN || is_open) {
    row->state = IC_ROW_STUCK;
    return;
  }
  row->state = IC_ROW_CONFLICT;
  row->residual = ic_tidy(sys, ic_at_values(sys, residual));
  if (dae_term_is_number(sys->terms, row->residual) &&
      dae_term_sign(sys->terms, row->residual) < 0) {
    row->residual = dae_term_neg(sys->terms, row->residual); /* 0 = -1 says the same as 0 = 1 */
  }
  engine->used_values |= row->condition != DAE_NO_TERM;
  ic_engine_log(engine, r, IC_LINE_END, zero, row->residual);
}

/* ---- choice of pivots -------------------------------------------------------------------- */

static bool
is_usable(IcSystem *sys, DaeTerm c)
{
  return dae_term_is_number(sys->terms, c) || ic_zero_at_values(sys, c) == DAE_NONZERO;
}

/* Numbers before parameters before long expressions in them: what is
 * divided by should stay small. */
static uint64_t
coefficient_class(IcSystem *sys, DaeTerm c)
{
  if (dae_term_is_number(sys->terms, c)) {
    return 0;
  }
  size_t size = dae_term_size(sys->terms, c);
  return size <= 4 ? 1 : size <= 12 ? 2 : size <= 40 ? 3 : 4;
}

/* The unknown of the row to solve for: coefficient usable, not inside a leaf; numbers before
 * parameters, then the unknown that stands alone on the left of the premise, then short
 * columns, then the highest derivative. */
static uint32_t
best_pivot(const IcEngine *engine, const IcRow *row)
{
  IcSystem *sys = engine->sys;
  /* rows that are only tried (is this unknown still free?) have no premise */
  DaeTerm left = row->premise < sys->premises->len
                     ? g_array_index(sys->premises, IcPremise, row->premise).lhs
                     : DAE_NO_TERM;
  uint32_t best = IC_NONE;
  uint64_t best_key = UINT64_MAX;
  for (guint i = 0; i < row->form.entries->len; i++) {
    const IcEntry *entry = &g_array_index(row->form.entries, IcEntry, i);
    const IcUnknown *unknown = &g_array_index(sys->unknowns, IcUnknown, entry->z);
    const GArray *column = engine->columns[entry->z];
    uint64_t parametric = coefficient_class(sys, entry->c);
    uint64_t length = column == NULL ? 0 : column->len;
    uint64_t foreign = unknown->atom == left ? 0 : 1;
    uint64_t key = parametric << 60 | MIN(length, 0xffffffffu) << 16 | foreign << 15 |
                   (0x7fffu - MIN(unknown->order, 0x7fffu));
    if (key < best_key && is_usable(sys, entry->c) &&
        !ic_form_leaf_has(sys, &row->form, entry->z)) {
      best = entry->z;
      best_key = key;
    }
  }
  return best;
}

/* unknown = constant, or unknown = factor * unknown, where the
 * coefficient of the unknown is 1 or -1. */
static bool
is_trivial_pivot(const IcEngine *engine, const IcRow *row, uint32_t z)
{
  int64_t c = 0;
  guint n = row->form.entries->len;
  return row->form.leaves->len == 0 &&
         dae_term_get_int64(engine->sys->terms, ic_form_coefficient(&row->form, z), &c) &&
         (c == 1 || c == -1) &&
         (n == 1 || (n == 2 && dae_term_is_zero(engine->sys->terms, row->form.rest)));
}

/* The trivial pivot of the row; of two the later one in the text goes, so that p1 = p2 keeps
 * p1. */
static uint32_t
trivial_pivot(const IcEngine *engine, const IcRow *row)
{
  for (guint i = row->form.entries->len; i-- > 0;) {
    uint32_t z = g_array_index(row->form.entries, IcEntry, i).z;
    if (is_trivial_pivot(engine, row, z)) {
      return z;
    }
  }
  return IC_NONE;
}

/* Coefficients that vanish at the given values, though not for all: those parts of the row
 * go. What is left keeps its parameters as symbols, so that conditions can still be read
 * from it. */
static bool
put_values_in(IcEngine *engine, uint32_t r)
{
  IcSystem *sys = engine->sys;
  IcForm *form = &ic_engine_row(engine, r)->form;
  bool changed = false;
  for (guint i = form->entries->len; i-- > 0;) {
    if (ic_zero_at_values(sys, g_array_index(form->entries, IcEntry, i).c) == DAE_ZERO) {
      g_array_remove_index(form->entries, i);
      changed = true;
    }
  }
  for (guint i = form->leaves->len; i-- > 0;) {
    if (ic_zero_at_values(sys, g_array_index(form->leaves, IcLeaf, i).c) == DAE_ZERO) {
      g_array_remove_index(form->leaves, i);
      changed = true;
    }
  }
  if (!changed) {
    return false;
  }
  engine->used_values = true;
  ic_engine_log(engine, r, IC_LINE_VALUES, ic_form_term(sys, form),
                dae_term_int(sys->terms, 0));
  ic_engine_touch(engine, r);
  return true;
}

static bool
some_coefficient_vanishes(IcSystem *sys, const IcForm *form)
{
  for (guint i = 0; i < form->entries->len; i++) {
    if (ic_zero_at_values(sys, g_array_index(form->entries, IcEntry, i).c) == DAE_ZERO) {
      return true;
    }
  }
  for (guint i = 0; i < form->leaves->len; i++) {
    if (ic_zero_at_values(sys, g_array_index(form->leaves, IcLeaf, i).c) == DAE_ZERO) {
      return true;
    }
  }
  return false;
}

void
ic_engine_touch(IcEngine *engine, uint32_t r)
{
  IcRow *row = ic_engine_row(engine, r);
  row->version++;
  if (row->state != IC_ROW_ACTIVE) {
    return;
  }
  if (row->form.entries->len == 0 && row->form.leaves->len == 0) {
    ic_engine_finish_row(engine, r);
    return;
  }
  ic_queue_row(engine, r);
  if (row->passive || row->form.entries->len == 0) {
    return;
  }
  uint64_t kind = row->form.leaves->len > 0 ? KIND_EXPLICIT : row->form.entries->len > 1;
  uint64_t length = row->form.entries->len + 4 * (uint64_t)row->form.leaves->len;
  for (guint i = 0; i < row->form.entries->len; i++) { /* rows with long coefficients later */
    uint64_t size =
        coefficient_class(engine->sys, g_array_index(row->form.entries, IcEntry, i).c);
    length += size > 1 ? 2 * size : 0;
  }
  if (kind == 0 && row->line == IC_NONE && row->pending->len == 0) {
    length = 0; /* premises that say unknown = number come first: short chains, short proofs */
  }
  /* values that are near to the premises first: short chains again,
   * and linear work on long models */
  uint64_t depth = kind == 0 ? row->depth : 0;
  uint64_t key = kind << KIND_SHIFT | MIN(length, 0xfffffffu) << 32 | depth;
  ic_heap_push(engine->heap, (IcCandidate){key, r, row->version});
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
  DaeTerm c = ic_form_take_entry(form, line->z);
  *factor = DAE_NO_TERM;
  if (c != DAE_NO_TERM) {
    ic_form_add_form(sys, form, c, line->solution);
  }
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
  g_array_append_val(row->pending, sub);
  row->depth = MAX(row->depth, ic_engine_line(engine, l)->depth + 1);
  if (!is_defined) {
    set_undefined(engine, r);
    return;
  }
  for (guint i = 0; i < inside->len; i++) {
    note_column(engine, g_array_index(inside, uint32_t, i), r);
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
         g_array_index(engine->heap, IcCandidate, 0).key >> KIND_SHIFT <= kind &&
         !ic_engine_spent(engine)) {
    IcCandidate next = ic_heap_pop(engine->heap);
    IcRow *row = ic_engine_row(engine, next.row);
    if (row->state != IC_ROW_ACTIVE || row->version != next.version) {
      continue;
    }
    uint32_t z = engine->only_trivial ? trivial_pivot(engine, row) : best_pivot(engine, row);
    if (z != IC_NONE) {
      pivot_linear(engine, next.row, z);
    } else if (!engine->only_trivial && some_coefficient_vanishes(engine->sys, &row->form)) {
      put_values_in(engine, next.row);
    }
  }
  return engine->n_pivots - before;
}

void
ic_engine_drain(IcEngine *engine)
{
  drain_up_to(engine, KIND_EXPLICIT, UINT32_MAX);
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
        some_coefficient_vanishes(engine->sys, &row->form)) {
      changed |= put_values_in(engine, r);
    }
  }
  return changed;
}

void
ic_engine_run(IcEngine *engine)
{
  for (;;) {
    drain_up_to(engine, KIND_EXPLICIT - 1, UINT32_MAX);
    if (ic_engine_spent(engine)) {
      return;
    }
    if (!put_values_in_leftovers(engine) && !ic_single_step(engine) &&
        drain_up_to(engine, KIND_EXPLICIT, 1) == 0 && !ic_nonlinear_step(engine) &&
        !ic_univariate_step(engine) && !ic_switch_step(engine) && !ic_block_step(engine)) {
      break;
    }
  }
  ic_block_settle(engine);
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

GArray *
ic_engine_lines_behind(IcEngine *engine, uint32_t line)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  GArray *behind = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_val(stack, line);
  while (stack->len > 0) {
    uint32_t l = g_array_index(stack, uint32_t, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    if (!g_hash_table_add(seen, GUINT_TO_POINTER(l + 1))) {
      continue;
    }
    g_array_append_val(behind, l);
    const IcLine *at = ic_engine_line(engine, l);
    if (at->base != IC_NONE) {
      g_array_append_val(stack, at->base);
    }
    for (uint32_t i = 0; i < at->n_subs; i++) {
      g_array_append_val(stack, at->subs[i].line);
    }
    for (uint32_t i = 0; i < at->n_with; i++) {
      if ((at->with[i] & IC_PREMISE_BIT) == 0) {
        g_array_append_val(stack, at->with[i]);
      }
    }
  }
  g_array_sort(behind, ic_compare_numbers); /* lines only name earlier ones */
  return behind;
}

GArray *
ic_engine_support(IcEngine *engine, uint32_t line)
{
  g_autoptr(GArray) lines = ic_engine_lines_behind(engine, line);
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  GArray *support = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint i = 0; i < lines->len; i++) {
    const IcLine *at = ic_engine_line(engine, g_array_index(lines, uint32_t, i));
    uint32_t premise = ic_engine_row(engine, at->row)->premise;
    if (g_hash_table_add(seen, GUINT_TO_POINTER(premise + 1))) {
      g_array_append_val(support, premise);
    }
    for (uint32_t k = 0; k < at->n_with; k++) {
      premise = at->with[k] & ~IC_PREMISE_BIT;
      if ((at->with[k] & IC_PREMISE_BIT) != 0 &&
          g_hash_table_add(seen, GUINT_TO_POINTER(premise + 1))) {
        g_array_append_val(support, premise);
      }
    }
  }
  g_array_sort(support, ic_compare_numbers);
  return support;
}
