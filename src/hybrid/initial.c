/* Which equation of the initialization gives which discrete value [language-and-events, 3.10]?
 *
 * Unknowns of the initialization are, beside the continuous ones, v and pre(v) of every
 * discrete variable. Its equations are those of the model (when-clauses without initial() say v
 * = pre(v)), the initial equations, and pre(v) = start where the start is fixed. Where these
 * leave some pre(v) open its start value is taken, with the lowest priority: a matching of
 * equations and unknowns is augmented by pre(v) = start for one variable after another, and
 * what does not fit any more is not taken.
 *
 * Values that an equation gives in solved form, without continuous Reals in a loop with them,
 * are assignments; a discrete Real that depends on continuous unknowns, or that an equation
 * holds implicitly, is an unknown of the numerical start like those. */
#include "hybrid/hybrid-priv.h"
#include "structural/graph.h"

typedef enum { ROW_DISCRETE, ROW_CONTINUOUS, ROW_CONDITION, ROW_DEFAULT } RowKind;

typedef struct {
  RowKind kind;
  uint32_t index; /* discrete value, equation or condition */
  DaeTerm lhs, rhs;
  DaeSpan span;
  GArray *columns; /* uint32_t */
} Row;

typedef struct {
  DaeHybrid *hybrid;
  DaeTerms *terms;
  DaeSubst *values;   /* initial() = 1 and so on; discrete variables are their twins */
  GHashTable *number; /* atom -> column + 1 */
  GArray *atoms;      /* DaeTerm by column */
  GArray *rows;       /* Row */
  GArray *row_of;     /* uint32_t + 1 by column */
  GArray *stamp;      /* uint32_t by column: last search that saw it */
  uint32_t searches;
} Plan;

/* ---- columns ----------------------------------------------------------------------------- */

static uint32_t
column_of(Plan *plan, DaeTerm atom)
{
  gpointer known = g_hash_table_lookup(plan->number, GUINT_TO_POINTER(atom));
  if (known != NULL) {
    return GPOINTER_TO_UINT(known) - 1;
  }
  uint32_t zero = 0;
  g_array_append_val(plan->atoms, atom);
  g_array_append_val(plan->row_of, zero);
  g_array_append_val(plan->stamp, zero);
  g_hash_table_insert(plan->number, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(plan->atoms->len));
  return plan->atoms->len - 1;
}

/* Discrete value k of which the atom is v or pre(v); false: it is something else. */
static bool
find_discrete(const DaeHybrid *hybrid, DaeTerm atom, uint32_t *k, bool *is_pre)
{
  gpointer place = g_hash_table_lookup(hybrid->place_of_atom, GUINT_TO_POINTER(atom));
  if (place == NULL) {
    return false;
  }
  *k = (GPOINTER_TO_UINT(place) - 1) / 2;
  *is_pre = (GPOINTER_TO_UINT(place) - 1) % 2 == 1;
  return true;
}

static bool
is_free_parameter(const DaeHybrid *hybrid, DaeTerm atom)
{
  uint32_t k = 0;
  DaeSymbol symbol = dae_term_get_symbol(hybrid->terms, atom);
  return dae_model_find_parameter(hybrid->model, symbol, &k) &&
         dae_model_parameter(hybrid->model, k)->is_free;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* A side alone that is the atom, its negation, or a sum with the coefficient 1 or -1:
 * the value it gives the atom. */
static DaeTerm
solved_for(Plan *plan, const Row *row, DaeTerm atom)
{
  DaeEquation equation = {.lhs = row->lhs, .rhs = row->rhs};
  DaeTerm value = dae_hybrid_solved_for(plan->terms, &equation, atom);
  return value != DAE_NO_TERM && !dae_term_contains(plan->terms, value, atom) ? value
                                                                              : DAE_NO_TERM;
}

/* Can the row hold this atom? A Boolean or Integer only in solved form, a
 * Real wherever it has a slope. */
static bool
row_can_give(Plan *plan, const Row *row, DaeTerm atom)
{
  uint32_t k = 0;
  bool is_pre = false;
  if (!find_discrete(plan->hybrid, atom, &k, &is_pre)) {
    return dae_term_kind(plan->terms, atom) != DAE_KIND_PARAMETER ||
           is_free_parameter(plan->hybrid, atom);
  }
  const DaeDiscrete *discrete = &g_array_index(plan->hybrid->discrete, DaeDiscrete, k);
  if (discrete->variable == DAE_HYBRID_NONE) {
    return false;
  }
  if (row->kind != ROW_CONTINUOUS && solved_for(plan, row, atom) != DAE_NO_TERM) {
    return true;
  }
  if (discrete->type != DAE_TYPE_REAL) {
    return false;
  }
  DaeTerm slope =
      dae_term_partial(plan->terms, dae_term_sub(plan->terms, row->lhs, row->rhs), atom);
  return slope == DAE_NO_TERM || !dae_term_is_zero(plan->terms, slope);
}

static void
add_row(Plan *plan, RowKind kind, uint32_t index, DaeTerm lhs, DaeTerm rhs, DaeSpan span)
{
  Row row = {kind, index, dae_subst_apply(plan->values, lhs), DAE_NO_TERM, span, NULL};
  row.rhs = dae_subst_apply(plan->values, rhs);
  row.lhs = row.lhs == DAE_NO_TERM ? lhs : dae_terms_rewrite(plan->terms, row.lhs);
  row.rhs = row.rhs == DAE_NO_TERM ? rhs : dae_terms_rewrite(plan->terms, row.rhs);
  row.columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  DaeTerm sides[2] = {row.lhs, row.rhs};
  for (int s = 0; s < 2; s++) {
    dae_term_collect_parameters(plan->terms, sides[s], atoms);
    dae_term_collect_variables(plan->terms, sides[s], atoms);
  }
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    if (g_hash_table_add(seen, GUINT_TO_POINTER(atom)) && row_can_give(plan, &row, atom)) {
      uint32_t column = column_of(plan, atom);
      g_array_append_val(row.columns, column);
    }
  }
  g_array_append_val(plan->rows, row);
}

/* ---- matching ---------------------------------------------------------------------------- */

/* By augmenting paths, one row after another: rows that are covered stay covered. */

typedef struct {
  uint32_t row, next; /* next: place in its columns */
} Frame;

static bool
augment(Plan *plan, uint32_t first)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Frame));
  Frame root = {first, 0};
  plan->searches++;
  g_array_append_val(stack, root);
  while (stack->len > 0) {
    Frame *top = &g_array_index(stack, Frame, stack->len - 1);
    const Row *row = &g_array_index(plan->rows, Row, top->row);
    if (top->next == row->columns->len) {
      g_array_set_size(stack, stack->len - 1);
      continue;
    }
    uint32_t column = g_array_index(row->columns, uint32_t, top->next++);
    uint32_t *stamp = &g_array_index(plan->stamp, uint32_t, column);
    if (*stamp == plan->searches) {
      continue;
    }
    *stamp = plan->searches;
    uint32_t owner = g_array_index(plan->row_of, uint32_t, column);
    if (owner > 0) {
      Frame next = {owner - 1, 0};
      g_array_append_val(stack, next);
      continue;
    }
    for (guint i = stack->len; i-- > 0;) { /* a free column: shift along the path */
      const Frame *frame = &g_array_index(stack, Frame, i);
      const Row *on_path = &g_array_index(plan->rows, Row, frame->row);
      uint32_t taken = g_array_index(on_path->columns, uint32_t, frame->next - 1);
      g_array_index(plan->row_of, uint32_t, taken) = frame->row + 1;
    }
    return true;
  }
  return false;
}

static DaeTerm
start_of(const DaeHybrid *hybrid, const DaeDiscrete *discrete)
{
  return discrete->start != DAE_NO_TERM ? discrete->start : dae_term_int(hybrid->terms, 0);
}

static bool
is_fixed(const DaeHybrid *hybrid, const DaeDiscrete *discrete)
{
  return discrete->variable != DAE_HYBRID_NONE &&
         dae_model_variable(hybrid->model, discrete->variable)->fixed;
}

static void
add_discrete_rows(Plan *plan)
{
  DaeHybrid *hybrid = plan->hybrid;
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    add_row(plan, ROW_DISCRETE, k, discrete->now, discrete->value, discrete->span);
    Row *row = &g_array_index(plan->rows, Row, plan->rows->len - 1);
    uint32_t own = column_of(plan, discrete->now); /* its own value first, hidden ones too */
    g_array_prepend_val(row->columns, own);
  }
}

static void
add_all_rows(Plan *plan, const uint8_t *is_taken)
{
  DaeHybrid *hybrid = plan->hybrid;
  const DaeModel *model = hybrid->model;
  add_discrete_rows(plan);
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    if (is_taken[i] == 0) {
      add_row(plan, ROW_CONTINUOUS, i, dae_hybrid_translate(hybrid, equation->lhs),
              dae_hybrid_translate(hybrid, equation->rhs), equation->span);
    }
  }
  const uint32_t n = hybrid->conditions->len;
  const uint32_t n_written = dae_model_n_initial_equations(model);
  for (uint32_t k = 0; k < n; k++) { /* fixed starts first: they are values already */
    uint32_t i = (k + n_written) % n;
    const DaeEquation *equation = &dae_hybrid_condition(hybrid, i)->equation;
    add_row(plan, ROW_CONDITION, i, equation->lhs, equation->rhs, equation->span);
  }
}

/* pre(v) = start for what is left open. */
static void
add_defaults(Plan *plan)
{
  DaeHybrid *hybrid = plan->hybrid;
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->pre == DAE_NO_TERM || is_fixed(hybrid, discrete)) {
      continue;
    }
    add_row(plan, ROW_DEFAULT, k, discrete->pre, start_of(hybrid, discrete), discrete->span);
    Row *row = &g_array_index(plan->rows, Row, plan->rows->len - 1);
    g_array_set_size(row->columns, 0);
    uint32_t column = column_of(plan, discrete->pre);
    g_array_append_val(row->columns, column);
    if (augment(plan, plan->rows->len - 1)) {
      g_array_index(hybrid->discrete, DaeDiscrete, k).pre_is_default = true;
    }
  }
}

/* ---- what is assigned, what is solved for ------------------------------------------------ */

static const Row *
row_of_atom(const Plan *plan, DaeTerm atom)
{
  gpointer column = g_hash_table_lookup(plan->number, GUINT_TO_POINTER(atom));
  uint32_t row =
      column == NULL ? 0 : g_array_index(plan->row_of, uint32_t, GPOINTER_TO_UINT(column) - 1);
  return row == 0 ? NULL : &g_array_index(plan->rows, Row, row - 1);
}

/* Does the value change smoothly with something that is continuous, or
 * with a discrete Real that does? */
static bool
follows_unknowns(Plan *plan, DaeTerm value, const GHashTable *coupled)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(plan->terms, value, atoms);
  dae_term_collect_parameters(plan->terms, value, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    bool is_unknown = dae_term_kind(plan->terms, atom) != DAE_KIND_PARAMETER ||
                      g_hash_table_contains((GHashTable *)coupled, GUINT_TO_POINTER(atom)) ||
                      is_free_parameter(plan->hybrid, atom);
    DaeTerm slope = is_unknown ? dae_term_partial(plan->terms, value, atom) : DAE_NO_TERM;
    if (is_unknown && (slope == DAE_NO_TERM || !dae_term_is_zero(plan->terms, slope))) {
      return true;
    }
  }
  return false;
}

/* Discrete Reals that belong to the numerical start: held implicitly, or by continuous
 * unknowns. */
static GHashTable *
find_coupled(Plan *plan)
{
  DaeHybrid *hybrid = plan->hybrid;
  GHashTable *coupled = g_hash_table_new(NULL, NULL);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < 2 * hybrid->discrete->len; k++) {
      const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k / 2);
      DaeTerm atom = k % 2 == 0 ? discrete->now : discrete->pre;
      const Row *row = atom == DAE_NO_TERM ? NULL : row_of_atom(plan, atom);
      if (row == NULL || discrete->type != DAE_TYPE_REAL ||
          g_hash_table_contains(coupled, GUINT_TO_POINTER(atom))) {
        continue;
      }
      DaeTerm value = row->kind == ROW_CONTINUOUS ? DAE_NO_TERM : solved_for(plan, row, atom);
      if (value == DAE_NO_TERM || follows_unknowns(plan, value, coupled)) {
        g_hash_table_add(coupled, GUINT_TO_POINTER(atom));
        changed = true;
      }
    }
  }
  return coupled;
}

/* The start values of an unknown that the numerical start finds, and the equation that holds
 * it. */
static void
add_coupled(Plan *plan, uint32_t k, DaeTerm atom, const Row *row)
{
  DaeHybrid *hybrid = plan->hybrid;
  DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
  *(atom == discrete->now ? &discrete->now_is_free : &discrete->pre_is_free) = true;
  DaeParameter parameter = {.symbol = dae_term_get_symbol(plan->terms, atom),
                            .type = DAE_TYPE_REAL,
                            .is_free = true,
                            .is_discrete_start = true,
                            .start = start_of(hybrid, discrete),
                            .span = discrete->span};
  g_array_append_val(hybrid->free_reals, parameter);
  if (row->kind == ROW_DISCRETE || row->kind == ROW_DEFAULT) {
    DaeEquation equation = {.lhs = row->lhs,
                            .rhs = row->rhs,
                            .origin = row->kind == ROW_DISCRETE ? DAE_FROM_SECTION
                                                                : DAE_FROM_FIXED_START,
                            .span = row->span};
    g_array_append_val(hybrid->free_equations, equation);
  }
}

static void
collect_values(Plan *plan, const GHashTable *coupled, GArray *assignments)
{
  DaeHybrid *hybrid = plan->hybrid;
  for (uint32_t k = 0; k < 2 * hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k / 2);
    DaeTerm atom = k % 2 == 0 ? discrete->now : discrete->pre;
    const Row *row = atom == DAE_NO_TERM ? NULL : row_of_atom(plan, atom);
    if (row == NULL) {
      continue;
    }
    if (g_hash_table_contains((GHashTable *)coupled, GUINT_TO_POINTER(atom))) {
      add_coupled(plan, k / 2, atom, row);
      continue;
    }
    DaeDiscreteStart start = {.discrete = k / 2, .is_pre = k % 2 == 1, .span = row->span};
    start.value = row->kind == ROW_DISCRETE && k % 2 == 0 && k / 2 == row->index
                      ? row->rhs
                      : solved_for(plan, row, atom);
    DAE_ASSERT(start.value != DAE_NO_TERM);
    if (row->kind == ROW_CONDITION) {
      start.is_initial = row->index < dae_model_n_initial_equations(hybrid->model);
      g_array_index(hybrid->conditions, DaeHybridCondition, row->index).is_assignment = true;
    }
    g_array_append_val(assignments, start);
  }
}

/* Each after those that it uses; in loops the order of the list. */
static void
sort_assignments(Plan *plan, const GArray *assignments)
{
  DaeHybrid *hybrid = plan->hybrid;
  uint32_t n = assignments->len;
  g_autoptr(GHashTable) place = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < n; i++) {
    const DaeDiscreteStart *start = &g_array_index(assignments, DaeDiscreteStart, i);
    const DaeDiscrete *discrete =
        &g_array_index(hybrid->discrete, DaeDiscrete, start->discrete);
    g_hash_table_insert(place, GUINT_TO_POINTER(start->is_pre ? discrete->pre : discrete->now),
                        GUINT_TO_POINTER(i + 1));
  }
  for (uint32_t i = 0; i < n; i++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autofree uint8_t *uses = g_new0(uint8_t, n + 1);
    g_array_append_val(starts, columns->len);
    dae_term_collect_parameters(plan->terms,
                                g_array_index(assignments, DaeDiscreteStart, i).value, atoms);
    for (guint a = 0; a < atoms->len; a++) {
      guint other = GPOINTER_TO_UINT(
          g_hash_table_lookup(place, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, a))));
      if (other > 0 && uses[other - 1] == 0) {
        uint32_t column = other - 1;
        uses[column] = 1;
        guint at = columns->len;
        while (at > g_array_index(starts, uint32_t, i) &&
               g_array_index(columns, uint32_t, at - 1) > column) {
          at--;
        }
        g_array_insert_val(columns, at, column);
      }
    }
  }
  g_autoptr(DaeCsr) csr = dae_csr_new(n, n, columns->len, false);
  for (uint32_t i = 0; i < n; i++) {
    csr->start[i] = g_array_index(starts, uint32_t, i);
  }
  csr->start[n] = columns->len;
  for (guint e = 0; e < columns->len; e++) {
    csr->column[e] = g_array_index(columns, uint32_t, e);
  }
  g_autofree uint32_t *vertices = g_new0(uint32_t, n + 1);
  g_autofree uint32_t *first = g_new0(uint32_t, n + 2);
  dae_graph_components(csr, NULL, vertices, first);
  for (uint32_t i = 0; i < n; i++) {
    g_array_append_val(hybrid->starts,
                       g_array_index(assignments, DaeDiscreteStart, vertices[i]));
  }
}

DaeSubst *
dae_hybrid_phase_values(const DaeHybrid *hybrid)
{
  DaeTerms *terms = hybrid->terms;
  DaeSubst *subst = dae_subst_new(terms);
  dae_subst_set(subst, hybrid->initial_atom, dae_term_int(terms, 1));
  dae_subst_set(subst, hybrid->terminal_atom, dae_term_int(terms, 0));
  for (uint32_t i = 0; i < hybrid->samples->len; i++) {
    dae_subst_set(subst, g_array_index(hybrid->samples, DaeSample, i).atom,
                  dae_term_int(terms, 0));
  }
  for (uint32_t i = 0; i < hybrid->continuous_pres->len; i++) {
    const DaeContinuousPre *pre = &g_array_index(hybrid->continuous_pres, DaeContinuousPre, i);
    dae_subst_set(subst, pre->pre, pre->of);
  }
  dae_hybrid_put_in_delays(hybrid, subst);
  return subst;
}

static void
index_atoms(DaeHybrid *hybrid)
{
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    g_hash_table_insert(hybrid->place_of_atom, GUINT_TO_POINTER(discrete->now),
                        GUINT_TO_POINTER(2 * k + 1));
    if (discrete->pre != DAE_NO_TERM) {
      g_hash_table_insert(hybrid->place_of_atom, GUINT_TO_POINTER(discrete->pre),
                          GUINT_TO_POINTER(2 * k + 2));
    }
  }
}

void
dae_hybrid_plan_initialization(DaeHybrid *hybrid, const uint8_t *is_taken)
{
  Plan plan = {.hybrid = hybrid,
               .terms = hybrid->terms,
               .values = dae_hybrid_phase_values(hybrid),
               .number = g_hash_table_new(NULL, NULL),
               .atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm)),
               .rows = g_array_new(FALSE, TRUE, sizeof(Row)),
               .row_of = g_array_new(FALSE, TRUE, sizeof(uint32_t)),
               .stamp = g_array_new(FALSE, TRUE, sizeof(uint32_t))};
  g_autoptr(GArray) assignments = g_array_new(FALSE, TRUE, sizeof(DaeDiscreteStart));
  index_atoms(hybrid);
  add_all_rows(&plan, is_taken);
  for (uint32_t i = 0; i < plan.rows->len; i++) {
    augment(&plan, i);
  }
  add_defaults(&plan);
  g_autoptr(GHashTable) coupled = find_coupled(&plan);
  collect_values(&plan, coupled, assignments);
  sort_assignments(&plan, assignments);
  for (guint i = 0; i < plan.rows->len; i++) {
    g_array_free(g_array_index(plan.rows, Row, i).columns, TRUE);
  }
  g_array_free(plan.rows, TRUE);
  g_array_free(plan.row_of, TRUE);
  g_array_free(plan.stamp, TRUE);
  g_array_free(plan.atoms, TRUE);
  g_hash_table_destroy(plan.number);
  dae_subst_free(plan.values);
}
