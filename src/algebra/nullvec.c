/* Rank, null vectors and solutions from the fraction-free elimination. */
#include "algebra/dag.h"
#include "algebra/elim.h"

#include <string.h>

/* Modular image of the whole matrix. False: some entry has none. */
static bool
modular_image(DaeAlgebra *algebra, const DaeMatrix *matrix, nmod_mat_t image)
{
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    for (uint32_t j = 0; j < matrix->n_columns; j++) {
      uint64_t value = 0;
      DaeTerm t = matrix->entries[(size_t)i * matrix->n_columns + j];
      if (dae_modular_value(algebra, t, &value) != DAE_MOD_VALUE) {
        return false;
      }
      nmod_mat_entry(image, i, j) = value;
    }
  }
  return true;
}

/* Rank of the image: a lower bound, because a minor with a nonzero image is nonzero. */
static bool
modular_rank(DaeAlgebra *algebra, const DaeMatrix *matrix, uint32_t *rank)
{
  nmod_mat_t image;
  nmod_mat_init(image, matrix->n_rows, matrix->n_columns, DAE_MODULUS);
  bool ok = modular_image(algebra, matrix, image);
  if (ok) {
    *rank = (uint32_t)nmod_mat_rank(image);
  }
  nmod_mat_clear(image);
  return ok;
}

/* [matrix | extra] as terms. */
static DaeMatrix *
extend_matrix(DaeAlgebra *algebra, const DaeMatrix *matrix, DaeExtra extra,
              const DaeTerm *column)
{
  uint32_t n = matrix->n_columns;
  uint32_t more = extra == DAE_EXTRA_IDENTITY ? matrix->n_rows
                  : extra == DAE_EXTRA_COLUMN ? 1
                                              : 0;
  DaeMatrix *m = dae_matrix_new(algebra->terms, matrix->n_rows, n + more);
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    DaeTerm *row = m->entries + (size_t)i * (n + more);
    memcpy(row, matrix->entries + (size_t)i * n, n * sizeof(DaeTerm));
    if (extra == DAE_EXTRA_IDENTITY) {
      row[n + i] = dae_term_int(algebra->terms, 1);
    } else if (extra == DAE_EXTRA_COLUMN) {
      row[n] = column[i];
    }
  }
  return m;
}

uint32_t
dae_algebra_rank(DaeAlgebra *algebra, const DaeMatrix *matrix, bool *certain)
{
  uint32_t lower = 0;
  *certain = true;
  bool has_image = modular_rank(algebra, matrix, &lower);
  if (has_image && lower == MIN(matrix->n_rows, matrix->n_columns)) {
    return lower;
  }
  g_autoptr(DaePolyMatrix) p = dae_poly_matrix_new(algebra, matrix, DAE_EXTRA_NONE, NULL);
  g_autoptr(GArray) pivots = g_array_new(FALSE, FALSE, sizeof(DaePivot));
  DaeElimStatus status = DAE_ELIM_LIMIT;
  if (p != NULL) {
    status = dae_poly_matrix_eliminate(p, matrix->n_columns, false, pivots);
  }
  lower = MAX(lower, pivots->len);
  if (status == DAE_ELIM_LIMIT && !dae_algebra_spent(algebra)) {
    g_autoptr(DaeMatrix) copy = extend_matrix(algebra, matrix, DAE_EXTRA_NONE, NULL);
    g_array_set_size(pivots, 0);
    status = dae_dag_eliminate(algebra, copy, matrix->n_columns, false, pivots);
  }
  /* Every pivot is proved nonzero, so even an elimination that was
   * cut short gives a lower bound. */
  lower = MAX(lower, pivots->len);
  *certain = status == DAE_ELIM_DONE || lower == MIN(matrix->n_rows, matrix->n_columns);
  return lower;
}

/* ---- null vectors ------------------------------------------------------------------------ */

/* Divides by the common factor and makes the leading coefficient of the
 * first nonzero entry positive. */
static bool
write_null_vector(DaePolyMatrix *p, uint32_t i, uint32_t from, DaeTerm *out)
{
  const DaeRing *ring = p->ring;
  if (!dae_poly_matrix_make_primitive(p, i)) {
    return false;
  }
  bool negate = false;
  bool seen = false;
  for (uint32_t j = from; j < p->n_columns; j++) {
    fmpz_mpoly_struct *entry = dae_poly_entry(p, i, j);
    if (!seen && !fmpz_mpoly_is_zero(entry, ring->ctx)) {
      seen = true;
      negate = fmpz_sgn(fmpz_mpoly_leadcoeff(entry)) < 0;
    }
    if (negate) {
      fmpz_mpoly_neg(entry, entry, ring->ctx);
    }
    out[j - from] = dae_algebra_simplify(ring->algebra, dae_ring_poly_term(ring, entry));
  }
  DAE_ASSERT(seen);
  return true;
}

static DaeMatrix *
read_null_vectors(DaeAlgebra *algebra, DaePolyMatrix *p, uint32_t n_columns,
                  const GArray *pivots)
{
  g_autofree bool *has_pivot = g_new0(bool, p->n_rows + 1);
  for (guint k = 0; k < pivots->len; k++) {
    has_pivot[g_array_index(pivots, DaePivot, k).row] = true;
  }
  g_autoptr(DaeMatrix) basis =
      dae_matrix_new(algebra->terms, p->n_rows - pivots->len, p->n_rows);
  uint32_t row = 0;
  for (uint32_t i = 0; i < p->n_rows; i++) {
    if (has_pivot[i]) {
      continue;
    }
    if (!write_null_vector(p, i, n_columns, basis->entries + (size_t)row * p->n_rows)) {
      return NULL;
    }
    row++;
  }
  return g_steal_pointer(&basis);
}

/* Pivots of the elimination on terms are reported as they are: their factors
 * are what was too big to find. */
static void
collect_dag_pivots(DaeAlgebra *algebra, const DaeMatrix *m, const GArray *pivots,
                   GArray *assumed)
{
  for (guint k = 0; k < pivots->len && assumed != NULL; k++) {
    DaePivot pivot = g_array_index(pivots, DaePivot, k);
    DaeTerm t = m->entries[(size_t)pivot.row * m->n_columns + pivot.column];
    if (!dae_term_is_number(algebra->terms, t)) {
      g_array_append_val(assumed, t);
    }
  }
}

static DaeMatrix *
left_null_on_terms(DaeAlgebra *algebra, const DaeMatrix *matrix, GArray *assumed)
{
  uint32_t m = matrix->n_rows;
  g_autoptr(DaeMatrix) work = extend_matrix(algebra, matrix, DAE_EXTRA_IDENTITY, NULL);
  g_autoptr(GArray) pivots = g_array_new(FALSE, FALSE, sizeof(DaePivot));
  if (dae_dag_eliminate(algebra, work, matrix->n_columns, false, pivots) != DAE_ELIM_DONE) {
    return NULL;
  }
  collect_dag_pivots(algebra, work, pivots, assumed);
  g_autofree bool *has_pivot = g_new0(bool, m + 1);
  for (guint k = 0; k < pivots->len; k++) {
    has_pivot[g_array_index(pivots, DaePivot, k).row] = true;
  }
  DaeMatrix *basis = dae_matrix_new(algebra->terms, m - pivots->len, m);
  uint32_t row = 0;
  for (uint32_t i = 0; i < m; i++) {
    if (!has_pivot[i]) {
      memcpy(basis->entries + (size_t)row * m,
             work->entries + (size_t)i * work->n_columns + matrix->n_columns,
             m * sizeof(DaeTerm));
      row++;
    }
  }
  return basis;
}

DaeMatrix *
dae_algebra_left_null(DaeAlgebra *algebra, const DaeMatrix *matrix, GArray *assumed)
{
  uint32_t rank = 0;
  if (modular_rank(algebra, matrix, &rank) && rank == matrix->n_rows) {
    return dae_matrix_new(algebra->terms, 0, matrix->n_rows);
  }
  g_autoptr(DaePolyMatrix) p = dae_poly_matrix_new(algebra, matrix, DAE_EXTRA_IDENTITY, NULL);
  g_autoptr(GArray) pivots = g_array_new(FALSE, FALSE, sizeof(DaePivot));
  DaeElimStatus status = DAE_ELIM_LIMIT;
  if (p != NULL) {
    status = dae_poly_matrix_eliminate(p, matrix->n_columns, false, pivots);
  }
  if (status == DAE_ELIM_LIMIT && !dae_algebra_spent(algebra)) {
    return left_null_on_terms(algebra, matrix, assumed);
  }
  if (status != DAE_ELIM_DONE) {
    return NULL;
  }
  if (assumed != NULL) {
    dae_poly_matrix_collect_assumed(p, pivots, assumed);
  }
  return read_null_vectors(algebra, p, matrix->n_columns, pivots);
}

DaeMatrix *
dae_algebra_right_null(DaeAlgebra *algebra, const DaeMatrix *matrix, GArray *assumed)
{
  g_autoptr(DaeMatrix) transposed =
      dae_matrix_new(algebra->terms, matrix->n_columns, matrix->n_rows);
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    for (uint32_t j = 0; j < matrix->n_columns; j++) {
      transposed->entries[(size_t)j * matrix->n_rows + i] =
          matrix->entries[(size_t)i * matrix->n_columns + j];
    }
  }
  return dae_algebra_left_null(algebra, transposed, assumed);
}

/* ---- solving ----------------------------------------------------------------------------- */

/* x = rhs/pivot for each pivot row of the Gauss-Jordan form. */
static void
read_solution(const DaePolyMatrix *p, const GArray *pivots, DaeTerm *x)
{
  const DaeRing *ring = p->ring;
  fmpz_mpoly_q_t value;
  fmpz_mpoly_q_init(value, ring->ctx);
  for (guint k = 0; k < pivots->len; k++) {
    DaePivot pivot = g_array_index(pivots, DaePivot, k);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(value), dae_poly_entry(p, pivot.row, p->n_columns - 1),
                   ring->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_denref(value), dae_poly_entry(p, pivot.row, pivot.column),
                   ring->ctx);
    slong length = fmpz_mpoly_length(fmpz_mpoly_q_numref(value), ring->ctx) +
                   fmpz_mpoly_length(fmpz_mpoly_q_denref(value), ring->ctx);
    if (length <= DAE_LIMIT_GCD) {
      fmpz_mpoly_q_canonicalise(value, ring->ctx);
    }
    x[pivot.column] = dae_algebra_simplify(ring->algebra, dae_ring_fraction_term(ring, value));
  }
  fmpz_mpoly_q_clear(value, ring->ctx);
}

static bool
solve_on_terms(DaeAlgebra *algebra, const DaeMatrix *a, const DaeTerm *b, DaeTerm *x,
               GArray *assumed)
{
  g_autoptr(DaeMatrix) work = extend_matrix(algebra, a, DAE_EXTRA_COLUMN, b);
  g_autoptr(GArray) pivots = g_array_new(FALSE, FALSE, sizeof(DaePivot));
  if (dae_dag_eliminate(algebra, work, a->n_columns, true, pivots) != DAE_ELIM_DONE ||
      pivots->len != a->n_rows) {
    return false;
  }
  collect_dag_pivots(algebra, work, pivots, assumed);
  for (guint k = 0; k < pivots->len; k++) {
    DaePivot pivot = g_array_index(pivots, DaePivot, k);
    const DaeTerm *row = work->entries + (size_t)pivot.row * work->n_columns;
    x[pivot.column] = dae_term_div(algebra->terms, row[a->n_columns], row[pivot.column]);
  }
  return true;
}

bool
dae_algebra_solve(DaeAlgebra *algebra, const DaeMatrix *a, const DaeTerm *b, DaeTerm *x,
                  GArray *assumed)
{
  DAE_ASSERT(a->n_rows == a->n_columns);
  g_autoptr(DaePolyMatrix) p = dae_poly_matrix_new(algebra, a, DAE_EXTRA_COLUMN, b);
  g_autoptr(GArray) pivots = g_array_new(FALSE, FALSE, sizeof(DaePivot));
  DaeElimStatus status = DAE_ELIM_LIMIT;
  if (p != NULL) {
    status = dae_poly_matrix_eliminate(p, a->n_columns, true, pivots);
  }
  if (status == DAE_ELIM_LIMIT && !dae_algebra_spent(algebra)) {
    return solve_on_terms(algebra, a, b, x, assumed);
  }
  if (status != DAE_ELIM_DONE || pivots->len != a->n_rows) {
    return false;
  }
  if (assumed != NULL) {
    dae_poly_matrix_collect_assumed(p, pivots, assumed);
  }
  read_solution(p, pivots, x);
  return true;
}
