/* Several nonlinear rows at once: combinations without nonlinear leaves, case splits, ideal
 * membership, and in the end the question whether what is left is regular (settle.c). Rows that
 * share unknowns form a component; components are treated one by one. */
#include <math.h>

#include "initcheck/initcheck-priv.h"

#define MAX_BLOCK 24     /* rows of a component that polynomial methods are tried on */
#define MAX_COMBINED 400 /* rows of a component whose leaves are eliminated */

static void
component_free(gpointer data)
{
  IcComponent *component = data;
  g_array_unref(component->rows);
  g_array_unref(component->passive);
  g_array_unref(component->unknowns);
  g_free(component);
}

static uint32_t
find_root(uint32_t *parent, uint32_t k)
{
  while (parent[k] != k) {
    parent[k] = parent[parent[k]];
    k = parent[k];
  }
  return k;
}

/* Place of z among the sorted unknowns. */
static uint32_t
place_of(const GArray *unknowns, uint32_t z)
{
  guint at = 0;
  bool found = g_array_binary_search((GArray *)unknowns, &z, ic_compare_numbers, &at);
  DAE_ASSERT(found);
  return at;
}

static IcComponent *
component_at(GPtrArray *components, IcComponent **by_root, uint32_t root)
{
  if (by_root[root] == NULL) {
    IcComponent *component = g_new0(IcComponent, 1);
    component->rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    component->passive = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    component->unknowns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_ptr_array_add(components, component);
    by_root[root] = component;
  }
  return by_root[root];
}

/* All unknowns of the active rows, increasing. */
static GArray *
unknowns_of_rows(IcEngine *engine, const GArray *active)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint i = 0; i < active->len; i++) {
    const IcRow *row = ic_engine_row(engine, g_array_index(active, uint32_t, i));
    ic_form_unknowns(engine->sys, &row->form, inside);
    g_array_append_vals(all, inside->data, inside->len);
  }
  ic_sort_unique(all);
  return all;
}

/* The work is that of the active rows, not of the model: small questions
 * are asked about large models. */
GPtrArray *
ic_find_components(IcEngine *engine)
{
  IcSystem *sys = engine->sys;
  GPtrArray *components = g_ptr_array_new_with_free_func(component_free);
  const GArray *active = ic_queue_active(engine);
  g_autoptr(GArray) unknowns = unknowns_of_rows(engine, active);
  uint32_t n = unknowns->len;
  g_autofree IcComponent **by_root = g_new0(IcComponent *, n + 1);
  g_autofree uint32_t *parent = g_new(uint32_t, n + 1);
  g_autofree bool *occurs = g_new0(bool, n + 1);
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t k = 0; k < n; k++) {
    parent[k] = k;
  }
  for (guint i = 0; i < active->len; i++) {
    const IcRow *row = ic_engine_row(engine, g_array_index(active, uint32_t, i));
    ic_form_unknowns(sys, &row->form, inside);
    uint32_t first = place_of(unknowns, g_array_index(inside, uint32_t, 0));
    for (guint k = 0; k < inside->len; k++) {
      uint32_t at = place_of(unknowns, g_array_index(inside, uint32_t, k));
      occurs[at] |= !row->passive;
      parent[find_root(parent, at)] = find_root(parent, first);
    }
  }
  for (guint i = 0; i < active->len; i++) {
    uint32_t r = g_array_index(active, uint32_t, i);
    const IcRow *row = ic_engine_row(engine, r);
    ic_form_unknowns(sys, &row->form, inside);
    uint32_t at = place_of(unknowns, g_array_index(inside, uint32_t, 0));
    IcComponent *component = component_at(components, by_root, find_root(parent, at));
    g_array_append_val(row->passive ? component->passive : component->rows, r);
  }
  for (uint32_t k = 0; k < n; k++) {
    if (occurs[k]) {
      IcComponent *component = component_at(components, by_root, find_root(parent, k));
      g_array_append_val(component->unknowns, g_array_index(unknowns, uint32_t, k));
    }
  }
  return components;
}

DaeTerm
ic_row_term(IcEngine *engine, uint32_t r)
{
  return ic_form_term(engine->sys, &ic_engine_row(engine, r)->form);
}

/* A line (or bare premise) that says what the row is now. */
static uint32_t
state_line(IcEngine *engine, uint32_t r)
{
  const IcRow *row = ic_engine_row(engine, r);
  if (row->pending->len > 0) {
    return ic_engine_log(engine, r, IC_LINE_SCALE, ic_row_term(engine, r),
                         dae_term_int(engine->sys->terms, 0));
  }
  return row->line == IC_NONE ? (IC_PREMISE_BIT | row->premise) : row->line;
}

/* Logs  result = factors[0] * row r + sum factors[i] * others[i]  as a line of row r. */
void
ic_log_combination(IcEngine *engine, uint32_t r, const GArray *others, const DaeTerm *factors,
                   DaeTerm result)
{
  uint32_t n = others->len;
  g_autofree uint32_t *with = g_new(uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    with[i] = state_line(engine, g_array_index(others, uint32_t, i));
  }
  state_line(engine, r);
  uint32_t l =
      ic_engine_log(engine, r, IC_LINE_COMBINE, result, dae_term_int(engine->sys->terms, 0));
  IcLine *line = ic_engine_line(engine, l);
  line->n_with = n;
  line->with = g_steal_pointer(&with);
  if (factors != NULL) {
    line->factors = g_memdup2(factors, sizeof(DaeTerm) * (n + 1));
  }
}

void
ic_engine_add_consequence(IcEngine *engine, uint32_t r, const GArray *others, DaeTerm residual)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GArray) equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autofree DaeTerm *factors = g_new0(DaeTerm, others->len + 2);
  DaeTerm t = ic_row_term(engine, r);
  g_array_append_val(equations, t);
  for (guint i = 0; i < others->len; i++) {
    t = ic_row_term(engine, g_array_index(others, uint32_t, i));
    g_array_append_val(equations, t);
  }
  bool has_factors =
      dae_algebra_cofactors(sys->algebra, residual, (const DaeTerm *)(void *)equations->data,
                            equations->len, factors);
  ic_log_combination(engine, r, others, has_factors ? factors : NULL, residual);
  uint32_t premise = ic_engine_row(engine, r)->premise;
  uint32_t line = ic_engine_row(engine, r)->line;
  /* the row itself goes on from where it was */
  ic_engine_row(engine, r)->line = ic_engine_line(engine, line)->base;
  uint32_t extra = ic_engine_add_row(engine, premise, line, residual);
  ic_engine_row(engine, extra)->is_consequence = true;
}

/* ---- combinations without leaves --------------------------------------------------------- */

/* Gaussian elimination on the coefficients of the leaves. Row i of the work is row i of the
 * component plus a combination of earlier ones, which is kept in factors[i*n ...]. */
typedef struct {
  IcEngine *engine;
  const GArray *rows;
  uint32_t n;
  IcForm *forms;
  DaeTerm *pivot_leaf; /* the leaf that row i removes from later rows, or DAE_NO_TERM */
  DaeTerm *factors;
} LeafWork;

static DaeTerm
leaf_coefficient(const IcForm *form, DaeTerm leaf)
{
  for (guint l = 0; l < form->leaves->len; l++) {
    if (g_array_index(form->leaves, IcLeaf, l).leaf == leaf) {
      return g_array_index(form->leaves, IcLeaf, l).c;
    }
  }
  return DAE_NO_TERM;
}

static void
subtract_earlier_row(LeafWork *work, uint32_t i, uint32_t k)
{
  IcSystem *sys = work->engine->sys;
  DaeTerm c = leaf_coefficient(&work->forms[i], work->pivot_leaf[k]);
  DaeTerm pivot = leaf_coefficient(&work->forms[k], work->pivot_leaf[k]);
  if (c == DAE_NO_TERM || pivot == DAE_NO_TERM) {
    return;
  }
  DaeTerm factor = ic_tidy(sys, dae_term_neg(sys->terms, dae_term_div(sys->terms, c, pivot)));
  ic_form_add_form(sys, &work->forms[i], factor, &work->forms[k]);
  for (uint32_t m = 0; m < work->n; m++) {
    DaeTerm more = dae_term_mul(sys->terms, factor, work->factors[k * work->n + m]);
    DaeTerm *sum = &work->factors[i * work->n + m];
    *sum = ic_tidy(sys, dae_term_add(sys->terms, *sum, more));
  }
}

/* Sets up row i and removes the pivot leaves of the rows before it. */
static void
reduce_leaves(LeafWork *work, uint32_t i)
{
  IcSystem *sys = work->engine->sys;
  const IcRow *row = ic_engine_row(work->engine, g_array_index(work->rows, uint32_t, i));
  DaeTerm one = dae_term_int(sys->terms, 1);
  ic_form_init(sys, &work->forms[i]);
  ic_form_add_form(sys, &work->forms[i], one, &row->form);
  for (uint32_t k = 0; k < work->n; k++) {
    work->factors[i * work->n + k] = k == i ? one : dae_term_int(sys->terms, 0);
  }
  for (uint32_t k = 0; k < i; k++) {
    subtract_earlier_row(work, i, k);
  }
  const GArray *leaves = work->forms[i].leaves;
  for (guint l = 0; l < leaves->len && work->pivot_leaf[i] == DAE_NO_TERM; l++) {
    IcLeaf leaf = g_array_index(leaves, IcLeaf, l);
    if (ic_zero_at_values(sys, leaf.c) == DAE_NONZERO) {
      work->pivot_leaf[i] = leaf.leaf;
    }
  }
}

static void
put_combination_back(LeafWork *work, uint32_t i)
{
  IcSystem *sys = work->engine->sys;
  uint32_t r = g_array_index(work->rows, uint32_t, i);
  g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) weights = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_val(weights, work->factors[i * work->n + i]);
  for (uint32_t k = 0; k < i; k++) {
    if (!dae_term_is_zero(sys->terms, work->factors[i * work->n + k])) {
      g_array_append_val(others, g_array_index(work->rows, uint32_t, k));
      g_array_append_val(weights, work->factors[i * work->n + k]);
    }
  }
  DaeTerm result = ic_form_term(sys, &work->forms[i]);
  ic_log_combination(work->engine, r, others, (const DaeTerm *)(void *)weights->data, result);
  if (ic_engine_set_residual(work->engine, r, result)) {
    ic_engine_touch(work->engine, r);
  }
}

/* The first combination that has no leaves takes the place of its last row. */
static bool
combine_away_leaves(IcEngine *engine, const IcComponent *component)
{
  LeafWork work = {.engine = engine, .rows = component->rows, .n = component->rows->len};
  if (work.n < 2 || work.n > MAX_COMBINED) {
    return false;
  }
  g_autofree IcForm *forms = g_new0(IcForm, work.n);
  g_autofree DaeTerm *pivot_leaf = g_new0(DaeTerm, work.n);
  g_autofree DaeTerm *factors = g_new(DaeTerm, (size_t)work.n * work.n);
  work.forms = forms;
  work.pivot_leaf = pivot_leaf;
  work.factors = factors;
  bool changed = false;
  for (uint32_t i = 0; i < work.n && !changed; i++) {
    const IcRow *row = ic_engine_row(engine, g_array_index(work.rows, uint32_t, i));
    reduce_leaves(&work, i);
    /* a row that had none is linear already, with coefficients that may be zero */
    changed = forms[i].leaves->len == 0 && row->form.leaves->len > 0;
    if (changed) {
      put_combination_back(&work, i);
    }
  }
  for (uint32_t i = 0; i < work.n; i++) {
    ic_form_clear(&forms[i]);
  }
  return changed;
}

/* ---- splits ------------------------------------------------------------------------------ */

/* A product that vanishes: one of its factors does. The guess says which is tried first. */
static bool
split_into_factors(IcEngine *engine, uint32_t r)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (!dae_algebra_factor(sys->algebra, ic_row_term(engine, r), factors)) {
    return false;
  }
  for (guint i = 0; i < factors->len; i++) {
    DaeTerm factor = g_array_index(factors, DaeTerm, i);
    if (ic_has_unknown(sys, factor) && !ic_known_nonzero(engine, factor)) {
      g_array_append_val(kept, factor);
    }
  }
  if (kept->len < 2) {
    return false;
  }
  uint32_t best = 0;
  double best_size = INFINITY;
  for (guint i = 0; i < kept->len; i++) {
    double size = INFINITY;
    if (ic_numeric_value(sys, g_array_index(kept, DaeTerm, i), &size) &&
        fabs(size) < best_size) {
      best = i;
      best_size = fabs(size);
    }
  }
  DaeTerm zero = dae_term_int(sys->terms, 0);
  uint32_t line = ic_engine_log(engine, r, IC_LINE_BRANCH, zero, zero);
  DaeTerm chosen =
      g_array_index(kept, DaeTerm, ic_engine_choose(engine, line, kept->len, best));
  ic_engine_line(engine, line)->lhs = chosen;
  ic_engine_line(engine, line)->note = "factor chosen by the guess";
  if (ic_engine_set_residual(engine, r, chosen)) {
    ic_engine_touch(engine, r);
  }
  return true;
}

/* The row that says a = 0 in the case that was decided at `line`. */
static void
line_of_case(IcEngine *engine, uint32_t r, uint32_t line, DaeTerm a)
{
  IcRow *row = ic_engine_row(engine, r);
  if (row->state != IC_ROW_ACTIVE && row->line != IC_NONE) {
    return; /* decided already: its own lines say how */
  }
  DaeTerm zero = dae_term_int(engine->sys->terms, 0);
  uint32_t l = ic_engine_log(engine, r, IC_LINE_BRANCH, a, zero);
  IcLine *at = ic_engine_line(engine, l);
  at->condition = ic_engine_line(engine, line)->condition;
  at->holds = true;
  at->with = g_new(uint32_t, 1);
  at->with[0] = line;
  at->n_with = 1;
}

/* a*z + b = 0 where a may vanish: either a != 0 and z = -b/a, or a = 0 and b = 0. */
static bool
split_on_coefficient(IcEngine *engine, uint32_t r)
{
  IcSystem *sys = engine->sys;
  DaeTerm t = ic_row_term(engine, r);
  const GArray *inside = ic_unknowns_inside(sys, t);
  for (guint i = 0; i < inside->len; i++) {
    uint32_t z = g_array_index(inside, uint32_t, i);
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    DaeTerm a = DAE_NO_TERM;
    DaeTerm b = DAE_NO_TERM;
    if (!dae_algebra_linear_in(sys->algebra, t, atom, &a, &b) ||
        dae_algebra_is_zero(sys->algebra, a) != DAE_NONZERO) {
      continue;
    }
    DaeTerm expr = ic_tidy(sys, dae_term_div(sys->terms, dae_term_neg(sys->terms, b), a));
    if (dae_term_contains(sys->terms, expr, atom)) {
      continue;
    }
    DaeTerm zero = dae_term_int(sys->terms, 0);
    uint32_t line = ic_engine_log(engine, r, IC_LINE_BRANCH, t, zero);
    IcLine *at = ic_engine_line(engine, line);
    at->condition = dae_term_relation(sys->terms, DAE_REL_EQ, a, zero);
    at->holds = ic_engine_choose(engine, line, 2, 0) != 0;
    if (!at->holds) {
      IcAssumption assumption = {.term = a, .line = line};
      g_array_append_val(engine->assumed, assumption);
      g_array_append_val(engine->facts, a);
      ic_engine_pivot(engine, r, z, expr, IC_LINE_SOLVE, NULL);
      return true;
    }
    at->lhs = b;
    uint32_t premise = ic_engine_row(engine, r)->premise;
    uint32_t base = at->base;
    if (ic_engine_set_residual(engine, r, b)) {
      ic_engine_touch(engine, r);
    }
    uint32_t extra = ic_engine_add_row(engine, premise, base, a);
    line_of_case(engine, extra, line, a);
    return true;
  }
  return false;
}

/* ---- ideal membership -------------------------------------------------------------------- */

static GArray *
terms_of(IcEngine *engine, const GArray *rows, uint32_t without)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint i = 0; i < rows->len; i++) {
    uint32_t r = g_array_index(rows, uint32_t, i);
    if (r != without) {
      DaeTerm t = ic_row_term(engine, r);
      g_array_append_val(out, t);
    }
  }
  return out;
}

GArray *
ic_rows_without(const GArray *rows, uint32_t without)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint i = 0; i < rows->len; i++) {
    if (g_array_index(rows, uint32_t, i) != without) {
      g_array_append_val(out, g_array_index(rows, uint32_t, i));
    }
  }
  return out;
}

/* Row r follows from the others: they reduce it to zero. */
bool
ic_end_by_membership(IcEngine *engine, uint32_t r, const GArray *rows)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GArray) others = ic_rows_without(rows, r);
  g_autoptr(GArray) equations = terms_of(engine, rows, r);
  const DaeTerm *data = (const DaeTerm *)(void *)equations->data;
  DaeTerm t = ic_row_term(engine, r);
  if (others->len == 0 ||
      dae_algebra_is_zero_modulo(sys->algebra, t, data, equations->len) != DAE_ZERO) {
    return false;
  }
  DaeTerm zero = dae_term_int(sys->terms, 0);
  g_autofree DaeTerm *factors = g_new0(DaeTerm, others->len + 1);
  bool has_factors = dae_algebra_cofactors(sys->algebra, t, data, equations->len, factors + 1);
  factors[0] = dae_term_int(sys->terms, 1);
  for (guint i = 0; i < others->len && has_factors; i++) {
    factors[i + 1] = dae_term_neg(sys->terms, factors[i + 1]);
  }
  ic_log_combination(engine, r, others, has_factors ? factors : NULL, zero);
  IcRow *row = ic_engine_row(engine, r);
  row->state = IC_ROW_ZERO;
  row->residual = zero;
  ic_engine_log(engine, r, IC_LINE_END, zero, zero);
  return true;
}

/* 1 is a combination of the rows: no common solution, not even a complex one. */
static bool
end_by_contradiction(IcEngine *engine, const GArray *rows)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GArray) equations = terms_of(engine, rows, IC_NONE);
  const DaeTerm *data = (const DaeTerm *)(void *)equations->data;
  DaeTerm one = dae_term_int(sys->terms, 1);
  if (dae_algebra_is_zero_modulo(sys->algebra, one, data, equations->len) != DAE_ZERO) {
    return false;
  }
  uint32_t r = g_array_index(rows, uint32_t, rows->len - 1);
  g_autoptr(GArray) others = ic_rows_without(rows, r);
  g_autofree DaeTerm *q = g_new0(DaeTerm, rows->len + 1);
  g_autofree DaeTerm *factors = g_new0(DaeTerm, rows->len + 1);
  bool has_factors = dae_algebra_cofactors(sys->algebra, one, data, equations->len, q);
  if (has_factors) {
    factors[0] = q[rows->len - 1];
    memcpy(factors + 1, q, sizeof(DaeTerm) * others->len);
  }
  ic_log_combination(engine, r, others, has_factors ? factors : NULL, one);
  IcRow *row = ic_engine_row(engine, r);
  row->state = IC_ROW_CONFLICT;
  row->residual = one;
  ic_engine_log(engine, r, IC_LINE_END, dae_term_int(sys->terms, 0), one);
  return true;
}

static bool
treat_overdetermined(IcEngine *engine, const IcComponent *component)
{
  const GArray *rows = component->rows;
  if (rows->len <= component->unknowns->len || rows->len > MAX_BLOCK) {
    return false;
  }
  if (end_by_contradiction(engine, rows)) {
    return true;
  }
  for (guint i = rows->len; i-- > 0;) { /* initial equations come last */
    if (ic_end_by_membership(engine, g_array_index(rows, uint32_t, i), rows)) {
      return true;
    }
  }
  return false;
}

/* ---- steps ------------------------------------------------------------------------------- */

bool
ic_is_small_component(IcEngine *engine, const IcComponent *component)
{
  if (component->rows->len > MAX_BLOCK) {
    return false;
  }
  for (guint k = 0; k < component->rows->len; k++) {
    if (!ic_is_small(engine->sys,
                     ic_row_term(engine, g_array_index(component->rows, uint32_t, k)))) {
      return false;
    }
  }
  return true;
}

/* One step on one component. true: something changed. */
static bool
treat_component(IcEngine *engine, const IcComponent *component)
{
  if (combine_away_leaves(engine, component)) {
    return true;
  }
  if (!ic_is_small_component(engine, component)) {
    return false;
  }
  for (guint k = 0; k < component->rows->len; k++) {
    if (split_into_factors(engine, g_array_index(component->rows, uint32_t, k))) {
      return true;
    }
  }
  if (treat_overdetermined(engine, component)) {
    return true;
  }
  if (component->rows->len >= component->unknowns->len &&
      ic_resultant_step(engine, component->rows)) {
    return true;
  }
  for (guint k = 0; k < component->rows->len; k++) {
    if (split_on_coefficient(engine, g_array_index(component->rows, uint32_t, k))) {
      return true;
    }
  }
  return false;
}

/* Components share no unknown: what is done in one changes nothing in
 * the others, so all have a turn. */
bool
ic_block_step(IcEngine *engine)
{
  bool changed = false;
  g_autoptr(GPtrArray) components = ic_find_components(engine);
  for (guint i = 0; i < components->len; i++) {
    const IcComponent *component = g_ptr_array_index(components, i);
    if (component->rows->len > 0 && !ic_engine_spent(engine)) {
      changed |= treat_component(engine, component);
    }
  }
  return changed;
}
