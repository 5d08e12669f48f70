/* Blocks that are singular: structurally each row has a derivative of its own, algebraically not.
 *
 * A left null vector of the block combines its rows into one without the block's derivatives;
 * it replaces a row whose multiplier does not vanish. A block may also be singular on the
 * solution set only: then its entries are reduced by the definitions among the constraints
 * first. Numbers only say where to look: a pivot that is clearly not zero at a consistent point
 * needs no proof attempt that it is. */
#include "qlt/qlt-priv.h"

#include <math.h>

/* Below this value at a consistent point a pivot or determinant is suspected to vanish there. */
#define SUSPICIOUS 1e-7
/* Points are kept up to date for models of up to this many unknowns. */
#define MAX_POINT_COLUMNS 300u

bool
qlt_is_regular_block(QltWork *work, const uint32_t *rows, uint32_t n)
{
  if (n == 1) {
    const QltRow *row = qlt_row(work, rows[0]);
    return qlt_is_zero(work, qlt_coefficient_at(work, row, row->pivot)) == DAE_NONZERO;
  }
  g_autoptr(DaeMatrix) matrix = qlt_block_matrix(work, rows, n, false);
  return dae_algebra_determinant_is_zero(work->algebra, matrix) == DAE_NONZERO;
}

/* |determinant| at the point relative to the size of the rows; 1 where it cannot be computed. */
static double
relative_determinant(QltWork *work, const QltPoint *point, const DaeMatrix *matrix)
{
  uint32_t n = matrix->n_rows;
  g_autofree double *a = g_new(double, (size_t)n *n);
  for (size_t k = 0; k < (size_t)n * n; k++) {
    if (!qlt_numeric_value(work, point, matrix->entries[k], &a[k])) {
      return 1;
    }
  }
  for (uint32_t i = 0; i < n; i++) { /* rows of one size: pivots are then relative to it */
    double size = 0;
    for (uint32_t j = 0; j < n; j++) {
      size = fmax(size, fabs(a[(size_t)i * n + j]));
    }
    for (uint32_t j = 0; j < n && size > 0; j++) {
      a[(size_t)i * n + j] /= size;
    }
  }
  double smallest = 1;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t p = k;
    for (uint32_t i = k; i < n; i++) {
      p = fabs(a[(size_t)i * n + k]) > fabs(a[(size_t)p * n + k]) ? i : p;
    }
    for (uint32_t j = 0; j < n; j++) {
      double swap = a[(size_t)k * n + j];
      a[(size_t)k * n + j] = a[(size_t)p * n + j];
      a[(size_t)p * n + j] = swap;
    }
    double pivot = a[(size_t)k * n + k];
    smallest = fmin(smallest, fabs(pivot));
    for (uint32_t i = k + 1; i < n && pivot != 0; i++) {
      double factor = a[(size_t)i * n + k] / pivot;
      for (uint32_t j = k; j < n; j++) {
        a[(size_t)i * n + j] -= factor * a[(size_t)k * n + j];
      }
    }
  }
  return smallest;
}

/* The cofactors of column k: they combine the rows into one with the determinant in
 * column k and zeros in the others. */
static void
fill_cofactors(QltWork *work, const DaeMatrix *matrix, uint32_t k, DaeTerm *v)
{
  uint32_t n = matrix->n_rows;
  DaeTerm minor[QLT_MAX_BLOCK * QLT_MAX_BLOCK];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = 0;
    for (uint32_t r = 0; r < n; r++) {
      for (uint32_t c = 0; c < n && r != i; c++) {
        if (c != k) {
          minor[at++] = matrix->entries[r * n + c];
        }
      }
    }
    v[i] = qlt_expand_determinant(work->terms, minor, n - 1);
    v[i] = (i + k) % 2 == 0 ? v[i] : dae_term_neg(work->terms, v[i]);
  }
}

/* A small block whose determinant is proved to vanish on the
 * constraints: cofactors combine its rows. */
static bool
combine_by_cofactors(QltWork *work, const uint32_t *rows, uint32_t n, const DaeMatrix *matrix)
{
  if (n > QLT_MAX_BLOCK || !qlt_vanishes_on_constraints(
                               work, qlt_expand_determinant(work->terms, matrix->entries, n))) {
    return false;
  }
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm v[QLT_MAX_BLOCK];
    fill_cofactors(work, matrix, k, v);
    for (uint32_t i = 0; i < n; i++) {
      if (!dae_term_is_zero(work->terms, v[i]) && !qlt_seems_to_vanish(work, v[i])) {
        qlt_replace_dependent_row(work, rows, n, v);
        return true;
      }
    }
  }
  return false;
}

bool
qlt_resolve_singular_block(QltWork *work, const uint32_t *rows, uint32_t n,
                           const QltPoint *point)
{
  g_autoptr(DaeMatrix) matrix = qlt_block_matrix(work, rows, n, false);
  if (dae_algebra_determinant_is_zero(work->algebra, matrix) != DAE_ZERO) {
    if (point == NULL || relative_determinant(work, point, matrix) > SUSPICIOUS) {
      return false;
    }
    if (combine_by_cofactors(work, rows, n, matrix)) {
      return true;
    }
    for (uint32_t k = 0; k < n * n; k++) {
      matrix->entries[k] = qlt_reduce_modulo_definitions(work, matrix->entries[k]);
    }
    if (dae_algebra_determinant_is_zero(work->algebra, matrix) != DAE_ZERO) {
      return false;
    }
  }
  g_autoptr(DaeMatrix) null = dae_algebra_left_null(work->algebra, matrix, NULL);
  if (null == NULL || null->n_rows == 0) {
    return false;
  }
  qlt_replace_dependent_row(work, rows, n, null->entries);
  return true;
}

/* By itself, or beside its summands: 1e12*(u - v) where u and v are equal but for rounding. */
static bool
is_small_factor(QltWork *work, DaeTerm factor)
{
  uint32_t n = 0;
  const DaeTerm *parts = dae_term_parts(work->terms, DAE_KIND_SUM, &factor, &n);
  g_autofree DaeTerm *summands = g_memdup2(parts, sizeof(DaeTerm) * n);
  double largest = 1;
  double value = 0;
  for (uint32_t k = 0; k < n && n > 1; k++) {
    double part = 0;
    if (qlt_numeric_value(work, &work->point, summands[k], &part)) {
      largest = fmax(largest, fabs(part));
    }
  }
  return qlt_numeric_value(work, &work->point, factor, &value) &&
         fabs(value) < SUSPICIOUS * largest;
}

bool
qlt_seems_to_vanish(QltWork *work, DaeTerm t)
{
  uint32_t n = 0;
  double value = 0;
  if (work->point.x == NULL || !qlt_numeric_value(work, &work->point, t, &value)) {
    return false;
  }
  const DaeTerm *parts = dae_term_parts(work->terms, DAE_KIND_PRODUCT, &t, &n);
  g_autofree DaeTerm *factors = g_memdup2(parts, sizeof(DaeTerm) * n);
  bool is_small = fabs(value) < SUSPICIOUS;
  for (uint32_t k = 0; k < n && !is_small; k++) {
    is_small = is_small_factor(work, factors[k]);
  }
  return is_small;
}

void
qlt_drop_vanishing_entries(QltWork *work, QltRow *row)
{
  bool is_changed = false;
  for (uint32_t k = 0; k < row->n; k++) {
    if (!dae_term_is_parametric(work->terms, row->coefficients[k]) &&
        qlt_seems_to_vanish(work, row->coefficients[k]) &&
        qlt_vanishes_on_constraints(work, row->coefficients[k])) {
      row->coefficients[k] = dae_term_int(work->terms, 0);
      is_changed = true;
    }
  }
  if (is_changed) {
    row->is_reduced = true;
    qlt_tidy_row(work, row);
  }
}

/* A pivot that vanishes on the constraints is no pivot. */
static bool
resolve_vanishing_pivot(QltWork *work, uint32_t i)
{
  QltRow *row = qlt_row(work, i);
  uint32_t n = row->n;
  DaeTerm pivot = qlt_coefficient_at(work, row, row->pivot);
  if (dae_term_is_parametric(work->terms, pivot) || !qlt_seems_to_vanish(work, pivot) ||
      !qlt_vanishes_on_constraints(work, pivot)) {
    return false;
  }
  qlt_unmatch_row(work, i);
  qlt_drop_vanishing_entries(work, row);
  DAE_ASSERT(row->n < n);
  g_queue_push_tail(&work->pending, GUINT_TO_POINTER(i));
  return true;
}

void
qlt_update_point(QltWork *work)
{
  if (work->columns->len > MAX_POINT_COLUMNS ||
      (work->point_constraints == work->constraints->len &&
       work->point_columns == work->columns->len)) {
    return;
  }
  g_autoptr(GArray) constraints = qlt_all_constraints(work);
  g_clear_pointer(&work->point.x, g_free);
  (void)qlt_numeric_point(work, (const DaeTerm *)(void *)constraints->data, constraints->len,
                          &work->point);
  work->point_constraints = work->constraints->len;
  work->point_columns = work->columns->len;
  for (uint32_t i = 0; i < work->rows->len; i++) {
    if (qlt_row(work, i)->is_alive && qlt_row(work, i)->pivot != QLT_NONE) {
      (void)resolve_vanishing_pivot(work, i);
    }
  }
}

void
qlt_check_blocks(QltWork *work, bool *changed)
{
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  qlt_update_point(work);
  for (uint32_t i = 0; i < work->rows->len; i++) {
    if (qlt_row(work, i)->is_alive && qlt_row(work, i)->pivot != QLT_NONE) {
      g_array_append_val(rows, i);
    }
  }
  qlt_order_blocks(work, rows, ends);
  uint32_t begin = 0;
  *changed = !g_queue_is_empty(&work->pending);
  for (uint32_t b = 0; b < ends->len; b++) {
    uint32_t end = g_array_index(ends, uint32_t, b);
    const uint32_t *block = &g_array_index(rows, uint32_t, begin);
    const QltPoint *here = work->point.x != NULL ? &work->point : NULL;
    if (end - begin > 1 && qlt_resolve_singular_block(work, block, end - begin, here)) {
      *changed = true;
    }
    begin = end;
  }
}
