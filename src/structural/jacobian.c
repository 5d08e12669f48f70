/* Success check: is the Sigma-Jacobian generically nonsingular? Block by block on the
 * fine form; cheap proofs first.
 *
 *   1 x 1        the zero test of one term (constants at once);
 *   larger       regular modulo a prime at a point: proved nonsingular, at any
 *                size, with sparse elimination;
 *   otherwise    the rows of a null vector at that point are few as a rule: an exact null
 *                vector of these rows proves the block singular; else the exact determinant
 *                test, for blocks up to DENSE_ROWS.
 * What none of them settles is UNKNOWN. */
#include "base/base.h"
#include "structural/modular.h"
#include "structural/sig-priv.h"

enum {
  DENSE_ROWS = 60,  /* exact elimination with terms is dense */
  BALL_ROWS = 300,  /* and so is that with balls, which is cheaper */
  NULL_ROWS = 40,   /* rows of a null vector that is worth an exact attempt */
  N_POINTS = 8,     /* points tried when one is not in the domain, or takes other branches */
  MOST_VECTORS = 16 /* exact null vectors wanted by the repair */
};

/* ---- blocks as matrices ------------------------------------------------------------------ */

static uint32_t
place_in_block(const DaeSigBlock *block, uint32_t j)
{
  uint32_t low = 0;
  uint32_t high = block->n_variables;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (block->variables[middle] < j) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < block->n_variables && block->variables[low] == j ? low : UINT32_MAX;
}

void
dae_sig_block_matrix(const DaeSig *sig, uint32_t b, DaeBlockMatrix *matrix)
{
  const DaeSigBlock *block = &sig->fine[b];
  size_t room = 0;
  for (uint32_t r = 0; r < block->n_equations; r++) {
    uint32_t i = block->equations[r];
    room += sig->jacobian_start[i + 1] - sig->jacobian_start[i];
  }
  matrix->csr = dae_csr_new(block->n_equations, block->n_variables, room, false);
  matrix->value = g_new0(DaeTerm, room + 1);
  size_t at = 0;
  for (uint32_t r = 0; r < block->n_equations; r++) {
    uint32_t i = block->equations[r];
    for (size_t e = sig->jacobian_start[i]; e < sig->jacobian_start[i + 1]; e++) {
      const DaeSigJacobianEntry *entry = &g_array_index(sig->jacobian, DaeSigJacobianEntry, e);
      uint32_t column = place_in_block(block, entry->column);
      if (column != UINT32_MAX) {
        matrix->csr->column[at] = column;
        matrix->value[at++] = entry->value;
      }
    }
    matrix->csr->start[r + 1] = at;
  }
}

void
dae_block_matrix_clear(DaeBlockMatrix *matrix)
{
  g_clear_pointer(&matrix->csr, dae_csr_free);
  g_clear_pointer(&matrix->value, g_free);
}

DaeMatrix *
dae_block_matrix_rows(DaeTerms *terms, const DaeBlockMatrix *matrix, const GArray *rows,
                      GArray *columns)
{
  const DaeCsr *csr = matrix->csr;
  g_autofree uint32_t *number = g_new0(uint32_t, (size_t)csr->n_columns + 1);
  for (guint k = 0; k < rows->len; k++) {
    uint32_t r = g_array_index(rows, uint32_t, k);
    for (size_t e = csr->start[r]; e < csr->start[r + 1]; e++) {
      number[csr->column[e]] = 1;
    }
  }
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    if (number[j] != 0) {
      number[j] = columns->len;
      g_array_append_val(columns, j);
    }
  }
  DaeMatrix *dense = dae_matrix_new(terms, rows->len, columns->len);
  for (guint k = 0; k < rows->len; k++) {
    uint32_t r = g_array_index(rows, uint32_t, k);
    for (size_t e = csr->start[r]; e < csr->start[r + 1]; e++) {
      dense->entries[(size_t)k * columns->len + number[csr->column[e]]] = matrix->value[e];
    }
  }
  return dense;
}

static GArray *
all_rows(uint32_t n)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t r = 0; r < n; r++) {
    g_array_append_val(rows, r);
  }
  return rows;
}

/* ---- modulo a prime ---------------------------------------------------------------------- */

static gint
compare_lengths(gconstpointer a, gconstpointer b)
{
  const GArray *x = *(GArray *const *)a;
  const GArray *y = *(GArray *const *)b;
  if (x->len != y->len) {
    return x->len < y->len ? -1 : 1;
  }
  for (guint k = 0; k < x->len; k++) { /* a total order: the sort is not stable */
    uint32_t p = g_array_index(x, uint32_t, k);
    uint32_t q = g_array_index(y, uint32_t, k);
    if (p != q) {
      return p < q ? -1 : 1;
    }
  }
  return 0;
}

static bool
evaluate_entries(DaeModPoint *point, const DaeBlockMatrix *matrix, uint64_t *values)
{
  for (size_t e = 0; e < dae_csr_nnz(matrix->csr); e++) {
    if (!dae_mod_point_eval(point, matrix->value[e], &values[e])) {
      return false;
    }
  }
  return true;
}

DaeModularAnswer
dae_modular_check(DaeTerms *terms, const DaeBlockMatrix *matrix, GPtrArray *null_rows)
{
  g_autofree uint64_t *values = g_new(uint64_t, dae_csr_nnz(matrix->csr) + 1);
  DaeModularAnswer answer = DAE_MODULAR_NOT_POSSIBLE;
  for (uint64_t seed = 1; seed <= N_POINTS; seed++) {
    g_autoptr(DaeModPoint) point = dae_mod_point_new(terms, seed);
    if (!evaluate_entries(point, matrix, values)) {
      continue;
    }
    if (!dae_mod_point_is_sound(point)) {
      return DAE_MODULAR_NOT_POSSIBLE;
    }
    if (null_rows != NULL) {
      g_ptr_array_set_size(null_rows, 0);
    }
    if (dae_mod_eliminate(matrix->csr, values, null_rows) == matrix->csr->n_rows) {
      return DAE_MODULAR_REGULAR;
    }
    /* a root by chance has probability below n / 2^61: the exact step finds out */
    answer = DAE_MODULAR_SINGULAR;
    if (!dae_mod_point_has_branches(point)) {
      break;
    }
  }
  if (null_rows != NULL) {
    g_ptr_array_sort(null_rows, compare_lengths);
  }
  return answer;
}

/* ---- exact null vectors ------------------------------------------------------------------ */

void
dae_null_vector_free(DaeNullVector *vector)
{
  g_array_unref(vector->rows);
  g_free(vector->v);
  g_free(vector);
}

/* Adds the left null vectors of these rows, without their zero components. */
static void
add_exact_vectors(DaeAlgebra *algebra, const DaeBlockMatrix *matrix, const GArray *rows,
                  GPtrArray *vectors)
{
  DaeTerms *terms = dae_algebra_terms(algebra);
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(DaeMatrix) dense = dae_block_matrix_rows(terms, matrix, rows, columns);
  g_autoptr(DaeMatrix) null = dae_algebra_left_null(algebra, dense, NULL);
  for (uint32_t k = 0; null != NULL && k < null->n_rows; k++) {
    DaeNullVector *vector = g_new0(DaeNullVector, 1);
    vector->rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    vector->v = g_new(DaeTerm, (size_t)rows->len + 1);
    for (guint r = 0; r < rows->len; r++) {
      DaeTerm v = null->entries[(size_t)k * null->n_columns + r];
      if (!dae_term_is_zero(terms, v) && dae_algebra_is_zero(algebra, v) != DAE_ZERO) {
        vector->v[vector->rows->len] = v;
        g_array_append_val(vector->rows, g_array_index(rows, uint32_t, r));
      }
    }
    g_ptr_array_add(vectors, vector);
  }
}

static void
transpose_block(const DaeBlockMatrix *matrix, DaeBlockMatrix *transposed)
{
  const DaeCsr *csr = matrix->csr;
  transposed->csr = dae_csr_transpose(csr);
  transposed->value = g_new0(DaeTerm, dae_csr_nnz(csr) + 1);
  g_autofree size_t *next =
      g_memdup2(transposed->csr->start, sizeof(size_t) * ((size_t)csr->n_columns + 1));
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      transposed->value[next[csr->column[e]]++] = matrix->value[e];
    }
  }
}

GPtrArray *
dae_sig_null_vectors(DaeAlgebra *algebra, const DaeBlockMatrix *matrix, bool right)
{
  GPtrArray *vectors = g_ptr_array_new_with_free_func((GDestroyNotify)dae_null_vector_free);
  g_autoptr(GPtrArray) null_rows =
      g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  DaeBlockMatrix transposed = {NULL, NULL};
  if (right) {
    transpose_block(matrix, &transposed);
    matrix = &transposed;
  }
  DaeModularAnswer answer = dae_modular_check(dae_algebra_terms(algebra), matrix, null_rows);
  for (guint k = 0; k < null_rows->len && vectors->len < MOST_VECTORS; k++) {
    const GArray *rows = g_ptr_array_index(null_rows, k);
    if (rows->len <= NULL_ROWS) {
      add_exact_vectors(algebra, matrix, rows, vectors);
    }
  }
  if (answer != DAE_MODULAR_REGULAR && vectors->len == 0 && matrix->csr->n_rows <= DENSE_ROWS) {
    g_autoptr(GArray) rows = all_rows(matrix->csr->n_rows);
    add_exact_vectors(algebra, matrix, rows, vectors);
  }
  dae_block_matrix_clear(&transposed);
  return vectors;
}

/* ---- the verdict ------------------------------------------------------------------------- */

static DaeZero
single_entry_verdict(DaeAlgebra *algebra, const DaeBlockMatrix *matrix)
{
  DaeTerms *terms = dae_algebra_terms(algebra);
  if (dae_csr_nnz(matrix->csr) == 0) {
    return DAE_ZERO;
  }
  DaeTerm t = matrix->value[0];
  if (dae_term_is_number(terms, t)) {
    return dae_term_is_zero(terms, t) ? DAE_ZERO : DAE_NONZERO;
  }
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_PARAMETER || kind == DAE_KIND_VARIABLE || kind == DAE_KIND_TIME) {
    return DAE_NONZERO;
  }
  return dae_algebra_is_zero(algebra, t);
}

static DaeZero
block_verdict(DaeAlgebra *algebra, const DaeBlockMatrix *matrix)
{
  DaeTerms *terms = dae_algebra_terms(algebra);
  uint32_t n = matrix->csr->n_rows;
  if (n == 1) {
    return single_entry_verdict(algebra, matrix);
  }
  DaeModularAnswer answer = dae_modular_check(terms, matrix, NULL);
  if (answer == DAE_MODULAR_REGULAR) {
    return DAE_NONZERO;
  }
  g_autoptr(DaeMatrix) dense = NULL;
  if (n <= (answer == DAE_MODULAR_NOT_POSSIBLE ? BALL_ROWS : DENSE_ROWS)) {
    g_autoptr(GArray) rows = all_rows(n);
    g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    dense = dae_block_matrix_rows(terms, matrix, rows, columns);
    if (columns->len < n) {
      return DAE_ZERO;
    }
  }
  /* functions that hang together have no modular image: balls see at once
   * that most blocks are regular */
  if (answer == DAE_MODULAR_NOT_POSSIBLE && dense != NULL &&
      dae_algebra_is_regular(algebra, dense)) {
    return DAE_NONZERO;
  }
  g_autoptr(GPtrArray) vectors = dae_sig_null_vectors(algebra, matrix, false);
  if (vectors->len > 0) {
    return DAE_ZERO;
  }
  return dense == NULL || n > DENSE_ROWS ? DAE_UNKNOWN
                                         : dae_algebra_determinant_is_zero(algebra, dense);
}

void
dae_sig_check_jacobian(DaeSig *sig, DaeAlgebra *algebra, const DaeReporter *reporter)
{
  uint32_t n_blocks = sig->fine_form.n_blocks;
  sig->block_zero = g_new0(uint8_t, (size_t)n_blocks + 1);
  sig->determinant = DAE_NONZERO;
  dae_report_progress(reporter, "success check", -1);
  for (uint32_t b = 0; b < n_blocks; b++) {
    DaeBlockMatrix matrix;
    dae_sig_block_matrix(sig, b, &matrix);
    DaeZero verdict = block_verdict(algebra, &matrix);
    dae_block_matrix_clear(&matrix);
    sig->block_zero[b] = (uint8_t)verdict;
    if (verdict == DAE_ZERO || (verdict == DAE_UNKNOWN && sig->determinant == DAE_NONZERO)) {
      sig->determinant = verdict;
    }
  }
  dae_sig_mark_linear_blocks(sig, algebra);
  if (sig->determinant != DAE_ZERO) {
    dae_report_progress(reporter, "factors of the determinant", -1);
    dae_sig_find_factors(sig, algebra);
  }
  switch (sig->determinant) {
  case DAE_NONZERO:
    sig->status = DAE_SIG_SUCCESS;
    break;
  case DAE_ZERO:
    sig->status = DAE_SIG_JACOBIAN_SINGULAR;
    break;
  case DAE_UNKNOWN:
    sig->status = DAE_SIG_UNDECIDED;
    sig->reason = g_strdup(
        "whether the determinant of the Jacobian is zero could not be proved either way");
    break;
  }
}
