/* The terms of a system: residuals, leading matrix and exact sparse Jacobians. */
#include "eval/eval-priv.h"

typedef struct {
  uint32_t column;
  DaeTerm value;
} Entry;

static GArray *
new_indices(void)
{
  return g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

static int
compare_entries(const void *p, const void *q)
{
  const Entry *a = p;
  const Entry *b = q;
  return (a->column > b->column) - (a->column < b->column);
}

/* Appends a row of a sparse matrix, sorted by column. */
static void
append_row(GArray *entries, GArray *columns, GArray *values, GArray *starts)
{
  g_array_sort(entries, compare_entries);
  for (uint32_t e = 0; e < entries->len; e++) {
    const Entry *entry = &g_array_index(entries, Entry, e);
    g_array_append_val(columns, entry->column);
    g_array_append_val(values, entry->value);
  }
  g_array_append_val(starts, columns->len);
}

/* column[symbol] is its number + 1, or 0. */
static uint32_t *
columns_of_symbols(DaeTerms *terms, const DaeSystemParts *parts)
{
  uint32_t *column = g_new0(uint32_t, (size_t)dae_terms_symbol_count(terms) + 1);
  for (uint32_t j = 0; j < parts->n; j++) {
    column[dae_term_get_symbol(terms, parts->unknowns[j])] = j + 1;
  }
  return column;
}

typedef struct {
  DaeTerms *terms;
  const DaeSystemParts *parts;
  uint32_t *column_of;
  GArray *variables, *derivatives; /* DaeTerm */
  GArray *entries;                 /* Entry */
  DaeDiff *by_time;
} Derivation;

/* The derivatives of t by the unknowns (not by their x') as the next row of a matrix. */
static bool
append_gradient(Derivation *d, DaeTerm t, GArray *columns, GArray *values, GArray *starts,
                GError **error)
{
  g_array_set_size(d->variables, 0);
  g_array_set_size(d->derivatives, 0);
  g_array_set_size(d->entries, 0);
  dae_term_gradient(d->terms, t, d->variables, d->derivatives);
  for (uint32_t i = 0; i < d->variables->len; i++) {
    const DaeTerm variable = g_array_index(d->variables, DaeTerm, i);
    const DaeTerm derivative = g_array_index(d->derivatives, DaeTerm, i);
    const uint32_t column = d->column_of[dae_term_get_symbol(d->terms, variable)];
    const uint32_t order = dae_term_order(d->terms, variable);
    if (column == 0 || order > 1) {
      g_autofree char *name = dae_term_to_string(d->terms, variable);
      g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL,
                  "%s is not an unknown of the reduced system", name);
      return false;
    }
    if (order == 0 && !dae_term_is_zero(d->terms, derivative)) {
      const Entry entry = {column - 1, derivative};
      g_array_append_val(d->entries, entry);
    }
  }
  append_row(d->entries, columns, values, starts);
  return true;
}

static void
append_mass_row(Derivation *d, DaeSystemTerms *st, uint32_t i)
{
  const DaeSystemParts *parts = d->parts;
  g_array_set_size(d->entries, 0);
  for (uint32_t e = parts->row_start[i]; e < parts->row_start[i + 1]; e++) {
    const Entry entry = {parts->columns[e], parts->coefficients[e]};
    g_array_append_val(d->entries, entry);
  }
  append_row(d->entries, st->mass_column, st->terms[DAE_PART_M], st->mass_start);
}

/* f_i - sum_j M_ij x'_j, leaving out the coefficients that are numbers: they
 * have no derivatives by x and t. */
static DaeTerm
dynamic_residual(Derivation *d, uint32_t i)
{
  const DaeSystemParts *parts = d->parts;
  g_autoptr(GArray) summands = NULL;
  for (uint32_t e = parts->row_start[i]; e < parts->row_start[i + 1]; e++) {
    if (dae_term_is_number(d->terms, parts->coefficients[e])) {
      continue;
    }
    if (summands == NULL) {
      summands = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
      g_array_append_val(summands, parts->rhs[i]);
    }
    const DaeSymbol symbol = dae_term_get_symbol(d->terms, parts->unknowns[parts->columns[e]]);
    const DaeTerm xdot = dae_term_variable(d->terms, symbol, 1);
    const DaeTerm part =
        dae_term_neg(d->terms, dae_term_mul(d->terms, parts->coefficients[e], xdot));
    g_array_append_val(summands, part);
  }
  return summands == NULL
             ? parts->rhs[i]
             : dae_term_sum(d->terms, (const DaeTerm *)(const void *)summands->data,
                            summands->len);
}

static bool
derive_rows(Derivation *d, DaeSystemTerms *st, GError **error)
{
  const DaeSystemParts *parts = d->parts;
  for (uint32_t i = 0; i < parts->n_diff; i++) {
    const DaeTerm residual = dynamic_residual(d, i);
    const DaeTerm by_time = dae_diff_apply(d->by_time, residual);
    append_mass_row(d, st, i);
    g_array_append_val(st->terms[DAE_PART_F], parts->rhs[i]);
    g_array_append_val(st->terms[DAE_PART_FT], by_time);
    if (!append_gradient(d, residual, st->dynamics_column, st->terms[DAE_PART_K],
                         st->dynamics_start, error)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < parts->n_con; i++) {
    const DaeTerm by_time = dae_diff_apply(d->by_time, parts->constraints[i]);
    g_array_append_val(st->terms[DAE_PART_G], parts->constraints[i]);
    g_array_append_val(st->terms[DAE_PART_GT], by_time);
    if (!append_gradient(d, parts->constraints[i], st->constraint_column,
                         st->terms[DAE_PART_GX], st->constraint_start, error)) {
      return false;
    }
  }
  return true;
}

bool
dae_system_terms_init(DaeSystemTerms *st, DaeTerms *terms, const DaeSystemParts *parts,
                      GError **error)
{
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    st->terms[p] = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  }
  GArray **const indices[6] = {&st->mass_start,       &st->mass_column,
                               &st->dynamics_start,   &st->dynamics_column,
                               &st->constraint_start, &st->constraint_column};
  const uint32_t zero = 0;
  for (uint32_t i = 0; i < 6; i++) {
    *indices[i] = new_indices();
    if (i % 2 == 0) {
      g_array_append_val(*indices[i], zero);
    }
  }
  Derivation d = {.terms = terms,
                  .parts = parts,
                  .column_of = columns_of_symbols(terms, parts),
                  .variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm)),
                  .derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm)),
                  .entries = g_array_new(FALSE, FALSE, sizeof(Entry)),
                  .by_time = dae_diff_new(terms, dae_term_time(terms))};
  const bool ok = derive_rows(&d, st, error);
  g_free(d.column_of);
  g_array_free(d.variables, TRUE);
  g_array_free(d.derivatives, TRUE);
  g_array_free(d.entries, TRUE);
  dae_diff_free(d.by_time);
  if (!ok) {
    dae_system_terms_clear(st);
  }
  return ok;
}

void
dae_system_terms_clear(DaeSystemTerms *st)
{
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    g_clear_pointer(&st->terms[p], g_array_unref);
  }
  g_clear_pointer(&st->mass_start, g_array_unref);
  g_clear_pointer(&st->mass_column, g_array_unref);
  g_clear_pointer(&st->dynamics_start, g_array_unref);
  g_clear_pointer(&st->dynamics_column, g_array_unref);
  g_clear_pointer(&st->constraint_start, g_array_unref);
  g_clear_pointer(&st->constraint_column, g_array_unref);
}

void
dae_system_bind(DaeCompiler *compiler, DaeTerms *terms, const DaeSystemParts *parts)
{
  dae_compiler_bind(compiler, dae_term_time(terms), 0, DAE_LEVEL_TIME);
  for (uint32_t j = 0; j < parts->n; j++) {
    const DaeSymbol symbol = dae_term_get_symbol(terms, parts->unknowns[j]);
    dae_compiler_bind(compiler, parts->unknowns[j], 1 + j, DAE_LEVEL_POINT);
    dae_compiler_bind(compiler, dae_term_variable(terms, symbol, 1), 1 + parts->n + j,
                      DAE_LEVEL_POINT);
  }
  for (uint32_t k = 0; k < parts->n_segment; k++) {
    dae_compiler_bind(compiler, parts->segment[k], 1 + 2 * parts->n + k, DAE_LEVEL_SEGMENT);
  }
}

uint32_t
dae_system_n_inputs(const DaeSystemParts *parts)
{
  return 1 + 2 * parts->n + parts->n_segment;
}

void
dae_system_sources(const DaeSystemParts *parts, uint32_t *source, uint32_t *index)
{
  source[0] = DAE_SOURCE_TIME;
  index[0] = 0;
  for (uint32_t j = 0; j < parts->n; j++) {
    source[1 + j] = DAE_SOURCE_POINT;
    index[1 + j] = j;
    source[1 + parts->n + j] = DAE_SOURCE_SLOPES;
    index[1 + parts->n + j] = j;
  }
  for (uint32_t k = 0; k < parts->n_segment; k++) {
    source[1 + 2 * parts->n + k] = DAE_SOURCE_SEGMENT;
    index[1 + 2 * parts->n + k] = k;
  }
}

/* ---- switching functions ----------------------------------------------------------------- */

static bool
is_real_valued(const DaeTerms *terms, DaeTerm t)
{
  const DaeKind kind = dae_term_kind(terms, t);
  return kind != DAE_KIND_BOOLEAN && kind != DAE_KIND_RELATION && kind != DAE_KIND_AND &&
         kind != DAE_KIND_OR && kind != DAE_KIND_NOT;
}

static void
note_relation(DaeTerms *terms, DaeTerm relation, GHashTable *known, GArray *differences)
{
  const DaeTerm lhs = dae_term_operand(terms, relation, 0);
  const DaeTerm rhs = dae_term_operand(terms, relation, 1);
  if (!is_real_valued(terms, lhs) || !is_real_valued(terms, rhs)) {
    return;
  }
  const DaeTerm difference = dae_term_sub(terms, lhs, rhs);
  const DaeTerm opposite = dae_term_sub(terms, rhs, lhs); /* x < 1 and x > 1 switch together */
  if (!dae_term_is_parametric(terms, difference) &&
      !g_hash_table_contains(known, GUINT_TO_POINTER(opposite)) &&
      g_hash_table_add(known, GUINT_TO_POINTER(difference))) {
    g_array_append_val(differences, difference);
  }
}

/* Relations stand in nothing else. */
static void
add_if_it_breaks(const DaeTerms *terms, DaeTerm t, DaeVisit *visit)
{
  if (dae_term_has_break(terms, t)) {
    dae_visit_add(visit, t);
  }
}

static void
enter(DaeTerms *terms, DaeTerm t, DaeVisit *visit)
{
  if (dae_term_kind(terms, t) == DAE_KIND_CALL) {
    const DaeFunction function = dae_term_function(terms, t);
    if (function == DAE_FN_NOEVENT || function == DAE_FN_SMOOTH) {
      return;
    }
  }
  uint32_t n;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t i = n; i-- > 0;) {
    add_if_it_breaks(terms, operands[i], visit); /* the first operand is the next */
  }
}

void
dae_system_collect_switches(DaeTerms *terms, const DaeSystemParts *parts, GArray *differences)
{
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  const uint32_t n_entries = parts->n_diff > 0 ? parts->row_start[parts->n_diff] : 0;
  for (uint32_t i = 0; i < parts->n_con; i++) { /* come last */
    add_if_it_breaks(terms, parts->constraints[i], visit);
  }
  for (uint32_t i = 0; i < parts->n_diff; i++) {
    add_if_it_breaks(terms, parts->rhs[i], visit);
  }
  for (uint32_t e = 0; e < n_entries; e++) {
    add_if_it_breaks(terms, parts->coefficients[e], visit);
  }
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    if (dae_term_kind(terms, t) == DAE_KIND_RELATION) {
      note_relation(terms, t, known, differences);
    }
    enter(terms, t, visit);
  }
}
