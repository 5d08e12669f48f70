#include "pipeline/mode_structure-priv.h"

#include "structural/graph.h"

/* Larger blocks are looked at for a transversal only; what vanishes by cancellation there is
 * left to the integrator. */
enum { LARGEST_DETERMINANT = 12 };

/* Conditions of one block that are tried in all combinations; beyond that only one by one. */
enum { MOST_LITERAL = 10 };

static void
block_free(gpointer data)
{
  DaeModeBlock *block = data;
  g_array_free(block->entries, TRUE);
  g_array_free(block->places, TRUE);
  g_hash_table_destroy(block->good);
  g_array_free(block->open, TRUE);
  g_array_free(block->residuals, TRUE);
  g_array_free(block->residual_places, TRUE);
  g_hash_table_destroy(block->open_modes);
  g_free(block);
}

void
dae_mode_structure_free(DaeModeStructure *structure)
{
  if (structure != NULL) {
    g_ptr_array_free(structure->blocks, TRUE);
    g_free(structure);
  }
}

/* ---- construction ------------------------------------------------------------------------- */

typedef struct {
  uint32_t *block_of_row, *place_of_row, *place_of_column; /* blocks and places from 1 */
} Places;

static Places
places_of(const DaeSig *sig)
{
  Places places = {g_new0(uint32_t, dae_sig_n_rows(sig) + 1),
                   g_new0(uint32_t, dae_sig_n_rows(sig) + 1),
                   g_new0(uint32_t, dae_sig_n_columns(sig) + 1)};
  for (uint32_t b = 0; b < dae_sig_n_fine(sig); b++) {
    const DaeSigBlock *block = dae_sig_fine(sig, b);
    for (uint32_t k = 0; k < block->n_equations; k++) {
      places.block_of_row[block->equations[k]] = b + 1;
      places.place_of_row[block->equations[k]] = k + 1;
    }
    for (uint32_t k = 0; k < block->n_variables; k++) {
      places.place_of_column[block->variables[k]] = k + 1;
    }
  }
  return places;
}

static void
places_clear(Places *places)
{
  g_free(places->block_of_row);
  g_free(places->place_of_row);
  g_free(places->place_of_column);
}

static bool
is_in_block(const DaeSig *sig, uint32_t b, uint32_t column, const Places *places)
{
  uint32_t k = places->place_of_column[column];
  const DaeSigBlock *block = dae_sig_fine(sig, b);
  return k > 0 && k <= block->n_variables && block->variables[k - 1] == column;
}

/* The entry with numbers for parameters and buffers for relations. */
static DaeTerm
prepared(DaeProblem *problem, const DaeSigJacobianEntry *entry)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm value = dae_subst_apply(problem->values, entry->value);
  if (value == DAE_NO_TERM) {
    return entry->value;
  }
  value = dae_homotopy_take_actual(terms, value);
  return problem->buffers == NULL
             ? value
             : dae_buffers_put_in(problem->buffers, value,
                                  dae_model_equation(problem->model, entry->row)->span);
}

static bool
has_parameters(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_parameters(terms, t, atoms);
  return atoms->len > 0;
}

/* Relations of continuous quantities, and what stays a parameter although all have values:
 * discrete twins. */
static bool
may_change(DaeProblem *problem, const DaeSigJacobianEntry *entry)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm value = dae_subst_apply(problem->values, entry->value);
  return value != DAE_NO_TERM &&
         (dae_term_has_varying_break(terms, value) || has_parameters(terms, value));
}

static DaeModeBlock *
block_new(uint32_t number)
{
  DaeModeBlock *block = g_new0(DaeModeBlock, 1);
  block->number = number;
  block->entries = g_array_new(FALSE, TRUE, sizeof(DaeModeEntry));
  block->places = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  block->good =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  block->open = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  block->residuals = g_array_new(FALSE, TRUE, sizeof(DaeTerm));
  block->residual_places = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  block->open_modes =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref,
                            (GDestroyNotify)g_array_unref);
  return block;
}

static bool
has_square_structure(const DaeSig *sig)
{
  return sig != NULL && dae_sig_n_rows(sig) == dae_sig_n_columns(sig) &&
         (dae_sig_status(sig) == DAE_SIG_SUCCESS || dae_sig_status(sig) == DAE_SIG_REPAIRED);
}

DaeModeStructure *
dae_mode_structure_new(DaeProblem *problem)
{
  const DaeSig *sig = problem->pipeline->sig;
  if (!has_square_structure(sig) || dae_sig_model(sig) != problem->model) {
    return NULL;
  }
  size_t n = 0;
  const DaeSigJacobianEntry *entries = dae_sig_jacobian(sig, &n);
  g_autofree DaeModeBlock **found = g_new0(DaeModeBlock *, dae_sig_n_fine(sig) + 1);
  Places places = places_of(sig);
  DaeModeStructure *structure = g_new0(DaeModeStructure, 1);
  structure->sig = sig;
  structure->blocks = g_ptr_array_new_with_free_func(block_free);
  for (size_t e = 0; e < n; e++) {
    uint32_t b = places.block_of_row[entries[e].row];
    if (b > 0 && found[b - 1] == NULL && is_in_block(sig, b - 1, entries[e].column, &places) &&
        may_change(problem, &entries[e])) {
      found[b - 1] = block_new(b - 1);
      g_ptr_array_add(structure->blocks, found[b - 1]);
    }
  }
  for (size_t e = 0; e < n && structure->blocks->len > 0; e++) {
    uint32_t b = places.block_of_row[entries[e].row];
    if (b > 0 && found[b - 1] != NULL && is_in_block(sig, b - 1, entries[e].column, &places)) {
      DaeModeEntry entry = {places.place_of_row[entries[e].row] - 1,
                            places.place_of_column[entries[e].column] - 1,
                            prepared(problem, &entries[e])};
      g_array_append_val(found[b - 1]->entries, entry);
    }
  }
  places_clear(&places);
  if (structure->blocks->len == 0) {
    g_clear_pointer(&structure, dae_mode_structure_free);
  }
  return structure;
}

/* ---- one mode ----------------------------------------------------------------------------- */

void
dae_mode_find_places(const DaeProblem *problem, const DaeTerm *used, guint n, GArray *places)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) found = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < n; i++) {
    dae_term_collect_parameters(terms, used[i], atoms);
  }
  for (guint a = 0; a < atoms->len; a++) {
    g_hash_table_add(found, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, a)));
  }
  for (uint32_t p = 0; p < problem->parts.n_segment; p++) {
    if (g_hash_table_contains(found, GUINT_TO_POINTER(problem->parts.segment[p]))) {
      g_array_append_val(places, p);
    }
  }
}

static void
find_places(DaeModeBlock *block, const DaeProblem *problem)
{
  g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint e = 0; e < block->entries->len; e++) {
    g_array_append_val(values, g_array_index(block->entries, DaeModeEntry, e).value);
  }
  dae_mode_find_places(problem, (const DaeTerm *)(void *)values->data, values->len,
                       block->places);
}

/* A discrete Real matters where it is 0; its other values are one case. */
static bool
is_number_in_mode(DaeTerms *terms, DaeTerm atom, double value)
{
  return value == 0 || value == 1 ||
         dae_terms_is_condition(terms, dae_term_get_symbol(terms, atom));
}

static GBytes *
key_of(const DaeModeBlock *block, const DaeProblem *problem, const double *segment)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(GArray) key = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint i = 0; i < block->places->len; i++) {
    uint32_t p = g_array_index(block->places, uint32_t, i);
    double value =
        is_number_in_mode(terms, problem->parts.segment[p], segment[p]) ? segment[p] : 2;
    g_array_append_val(key, value);
  }
  return g_bytes_new(key->data, key->len * sizeof(double));
}

DaeMatrix *
dae_mode_matrix(const DaeModeStructure *structure, const DaeModeBlock *block, DaeTerms *terms,
                DaeSubst *values)
{
  uint32_t n = dae_sig_fine(structure->sig, block->number)->n_equations;
  DaeMatrix *matrix = dae_matrix_new(terms, n, n);
  for (guint e = 0; e < block->entries->len; e++) {
    const DaeModeEntry *entry = &g_array_index(block->entries, DaeModeEntry, e);
    DaeTerm value = dae_subst_apply(values, entry->value);
    matrix->entries[(size_t)entry->row * n + entry->column] =
        value != DAE_NO_TERM ? dae_terms_rewrite(terms, value) : entry->value;
  }
  return matrix;
}

static DaeMatrix *
matrix_in_mode(const DaeModeStructure *structure, const DaeModeBlock *block,
               const DaeProblem *problem, const double *segment)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(DaeSubst) values = dae_subst_new(terms);
  for (guint i = 0; i < block->places->len; i++) {
    uint32_t p = g_array_index(block->places, uint32_t, i);
    DaeTerm atom = problem->parts.segment[p];
    if (is_number_in_mode(terms, atom, segment[p])) {
      dae_subst_set(values, atom, dae_term_from_double(terms, segment[p]));
    }
  }
  return dae_mode_matrix(structure, block, terms, values);
}

static bool
is_zero(DaeTerms *terms, DaeTerm value)
{
  return dae_term_is_number(terms, value) && dae_term_sign(terms, value) == 0;
}

static bool
has_transversal(DaeTerms *terms, const DaeMatrix *matrix)
{
  uint32_t n = matrix->n_rows;
  DaeCsr *csr = dae_csr_new(n, n, (size_t)n * n, false);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      if (!is_zero(terms, matrix->entries[(size_t)i * n + j])) {
        csr->column[at++] = j;
      }
    }
    csr->start[i + 1] = at;
  }
  g_autofree uint32_t *column_of_row = g_new0(uint32_t, n + 1);
  g_autofree uint32_t *row_of_column = g_new0(uint32_t, n + 1);
  g_autofree int64_t *c = g_new0(int64_t, n + 1);
  g_autofree int64_t *d = g_new0(int64_t, n + 1);
  bool covers = dae_graph_match(csr, column_of_row, row_of_column, c, d, NULL);
  dae_csr_free(csr);
  return covers;
}

/* ---- messages ----------------------------------------------------------------------------- */

static void
print_conditions(const DaeModeBlock *block, const DaeProblem *problem, const double *segment,
                 GString *out)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (guint i = 0; i < block->places->len; i++) {
    uint32_t p = g_array_index(block->places, uint32_t, i);
    DaeTerm atom = problem->parts.segment[p];
    DaeSymbol symbol = dae_term_get_symbol(terms, atom);
    g_string_append_printf(out, "%s%s is ", i == 0 ? "" : ", ",
                           dae_terms_symbol_name(terms, symbol));
    if (dae_terms_is_condition(terms, symbol)) {
      bool is_true = (segment[p] > 0.5) != dae_buffers_is_negated(problem->buffers, atom);
      g_string_append(out, is_true ? "true" : "false");
    } else {
      g_string_append_printf(out, "%.10g", segment[p]);
    }
  }
}

/* The derivative order with which a column stands in the entry. */
static uint32_t
order_of(const DaeModeStructure *structure, uint32_t row, uint32_t column)
{
  int32_t order = dae_sig_d(structure->sig)[column] - dae_sig_c(structure->sig)[row];
  return order > 0 ? (uint32_t)order : 0;
}

/* The first entry that has vanished tells which equation and what is missing in it. */
static void
tell(const DaeModeStructure *structure, const DaeModeBlock *block, const DaeProblem *problem,
     const DaeMatrix *matrix, const char *where, GError **error)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeSigBlock *fine = dae_sig_fine(structure->sig, block->number);
  g_autoptr(GString) missing = g_string_new(NULL);
  uint32_t row = fine->equations[0];
  for (guint e = 0; e < block->entries->len && missing->len == 0; e++) {
    const DaeModeEntry *entry = &g_array_index(block->entries, DaeModeEntry, e);
    if (is_zero(terms,
                matrix->entries[(size_t)entry->row * matrix->n_columns + entry->column])) {
      uint32_t column = fine->variables[entry->column];
      row = fine->equations[entry->row];
      DaeTerm of = dae_term_variable(terms, dae_model_variable(problem->model, column)->symbol,
                                     order_of(structure, row, column));
      g_autofree char *name = dae_term_to_string(terms, of);
      g_string_printf(missing, "this equation does not contain %s", name);
    }
  }
  if (missing->len == 0) {
    g_string_assign(missing, "the equations of its block depend on each other");
  }
  DaeSpan span = dae_model_equation(problem->model, row)->span;
  g_set_error(
      error, DAE_ERROR, DAE_ERROR_UNSUPPORTED,
      "%s:%u:%u: error: the structure changes with a condition: where %s, %s, and index "
      "or degrees of freedom are not those of the other branch; this is not integrated",
      dae_model_file_of(problem->model, span), span.line, span.column, where, missing->str);
}

/* ---- conditions without events ------------------------------------------------------------ */

/* Relations inside noEvent(...), or all of them in exported C. */
static void
collect_relations(DaeTerms *terms, const DaeModeBlock *block, GArray *relations)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  for (guint e = 0; e < block->entries->len; e++) {
    dae_visit_add(visit, g_array_index(block->entries, DaeModeEntry, e).value);
  }
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    if (!dae_term_has_varying_break(terms, top)) {
      continue;
    }
    if (dae_term_kind(terms, top) == DAE_KIND_RELATION) {
      g_array_append_val(relations, top);
    } else {
      dae_visit_enter(visit, top);
    }
  }
}

/* Has an equation lost a derivative? What else vanishes may be a matter of numbers: a
 * limiter that is flat. */
static bool
loses_derivative(const DaeModeStructure *structure, const DaeModeBlock *block, DaeTerms *terms,
                 const DaeMatrix *matrix)
{
  const DaeSigBlock *fine = dae_sig_fine(structure->sig, block->number);
  for (guint e = 0; e < block->entries->len; e++) {
    const DaeModeEntry *entry = &g_array_index(block->entries, DaeModeEntry, e);
    if (is_zero(terms,
                matrix->entries[(size_t)entry->row * matrix->n_columns + entry->column]) &&
        order_of(structure, fine->equations[entry->row], fine->variables[entry->column]) > 0) {
      return true;
    }
  }
  return false;
}

static bool
combination_holds(const DaeModeStructure *structure, const DaeModeBlock *block,
                  const DaeProblem *problem, const GArray *relations, uint32_t bits,
                  GError **error)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(DaeSubst) values = dae_subst_new(terms);
  g_autoptr(GString) where = g_string_new(NULL);
  for (guint i = 0; i < relations->len; i++) {
    DaeTerm relation = g_array_index(relations, DaeTerm, i);
    bool holds = i < 32 && ((bits >> i) & 1u) != 0;
    dae_subst_set(values, relation, dae_term_bool(terms, holds));
    g_string_append(where, i == 0 ? "" : ", ");
    dae_term_print_limited(terms, relation, where, 200);
    g_string_append(where, holds ? " is true" : " is false");
  }
  g_autoptr(DaeMatrix) matrix = dae_mode_matrix(structure, block, terms, values);
  if (has_transversal(terms, matrix) || !loses_derivative(structure, block, terms, matrix)) {
    return true;
  }
  tell(structure, block, problem, matrix, where->str, error);
  return false;
}

bool
dae_mode_structure_holds_always(const DaeModeStructure *structure, const DaeProblem *problem,
                                GError **error)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (guint b = 0; structure != NULL && b < structure->blocks->len; b++) {
    const DaeModeBlock *block = g_ptr_array_index(structure->blocks, b);
    g_autoptr(GArray) relations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    collect_relations(terms, block, relations);
    uint32_t n = relations->len;
    uint32_t most = n <= MOST_LITERAL ? 1u << n : n + 1;
    for (uint32_t k = 0; n > 0 && k < most; k++) {
      uint32_t bits = n <= MOST_LITERAL ? k : k == 0 ? 0 : k <= 32 ? 1u << (k - 1) : 0;
      if (!combination_holds(structure, block, problem, relations, bits, error)) {
        return false;
      }
    }
  }
  return true;
}

/* ---- modes -------------------------------------------------------------------------------- */

bool
dae_mode_structure_holds(DaeModeStructure *structure, const DaeProblem *problem, double t,
                         GError **error)
{
  if (structure == NULL || problem->instant == NULL) {
    return true;
  }
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const double *segment = dae_instant_segment(problem->instant);
  for (guint b = 0; b < structure->blocks->len; b++) {
    DaeModeBlock *block = g_ptr_array_index(structure->blocks, b);
    if (block->places->len == 0) {
      find_places(block, problem);
    }
    g_autoptr(GBytes) key = key_of(block, problem, segment);
    if (g_hash_table_contains(block->good, key)) {
      continue;
    }
    g_autoptr(DaeMatrix) matrix = matrix_in_mode(structure, block, problem, segment);
    if (!has_transversal(terms, matrix) ||
        (matrix->n_rows <= LARGEST_DETERMINANT &&
         dae_algebra_determinant_is_zero(dae_pipeline_algebra(problem->pipeline), matrix) ==
             DAE_ZERO)) {
      const GArray *open = dae_mode_block_open(structure, block, problem, segment);
      if (open != NULL && open->len > 0) {
        continue;
      }
      g_autoptr(GString) where = g_string_new(NULL);
      print_conditions(block, problem, segment, where);
      g_string_append_printf(where, " (t = %.10g)", t);
      tell(structure, block, problem, matrix, where->str, error);
      return false;
    }
    g_hash_table_add(block->good, g_steal_pointer(&key));
  }
  return true;
}
