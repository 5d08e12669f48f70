/* Small dense kernels. Matrices here have the size of the dynamic part (2 x 2 for a pendulum),
 * where the call overhead of a library would exceed the arithmetic; tests compare them with GSL. */
#include "solver/split.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define UNKNOWN_RANK 1e-10
#define WITHIN_RANK 1e-14
#define BEYOND_RANK 1e-5
/* A pivot of a graded matrix must be so many times its rounding error. */
#define ABOVE_ROUNDING 100.0
/* Part of the largest entry of its row and column that a pivot taken over from
 * an earlier matrix must have. */
#define STILL_GOOD 0.2

static void
swap_rows(double *a, uint32_t columns, uint32_t first, uint32_t second)
{
  for (uint32_t j = 0; j < columns; j++) {
    double keep = a[first * columns + j];
    a[first * columns + j] = a[second * columns + j];
    a[second * columns + j] = keep;
  }
}

static void
swap_columns(double *a, uint32_t rows, uint32_t columns, uint32_t first, uint32_t second)
{
  for (uint32_t i = 0; i < rows; i++) {
    double keep = a[i * columns + first];
    a[i * columns + first] = a[i * columns + second];
    a[i * columns + second] = keep;
  }
}

static void
swap_indices(uint32_t *order, uint32_t first, uint32_t second)
{
  uint32_t keep = order[first];
  order[first] = order[second];
  order[second] = keep;
}

/* Largest size in line[from ... to - 1], 0 for none; NaN is passed over. Four at a time: no
 * comparison waits for the last. */
static double
largest_size(const double *line, uint32_t from, uint32_t to)
{
  double best[4] = {0.0, 0.0, 0.0, 0.0};
  uint32_t j = from;
  for (; j + 4 <= to; j += 4) {
    for (uint32_t l = 0; l < 4; l++) {
      double size = fabs(line[j + l]);
      best[l] = size > best[l] ? size : best[l];
    }
  }
  for (; j < to; j++) {
    double size = fabs(line[j]);
    best[0] = size > best[0] ? size : best[0];
  }
  double left = best[0] > best[1] ? best[0] : best[1];
  double right = best[2] > best[3] ? best[2] : best[3];
  return left > right ? left : right;
}

/* The entry of largest size in the trailing block; returns its size. */
static double
largest_entry(const double *a, uint32_t rows, uint32_t columns, uint32_t k, uint32_t *row,
              uint32_t *column)
{
  double best = -1.0;
  *row = k;
  for (uint32_t i = k; i < rows; i++) {
    double size = largest_size(a + (size_t)i * columns, k, columns);
    if (size > best) {
      best = size;
      *row = i;
    }
  }
  *column = k;
  const double *line = a + (size_t)*row * columns;
  while (*column + 1 < columns && fabs(line[*column]) != best) {
    (*column)++;
  }
  return best;
}

/* Rows below k less multiples of row k; the multiples stay in column k. */
static void
eliminate_below(double *a, uint32_t rows, uint32_t columns, uint32_t k)
{
  const double *top = a + (size_t)k * columns;
  double inverse = 1.0 / top[k];
  for (uint32_t i = k + 1; i < rows; i++) {
    double *line = a + (size_t)i * columns;
    if (line[k] == 0.0) {
      continue;
    }
    double factor = line[k] * inverse;
    line[k] = factor;
    for (uint32_t j = k + 1; j < columns; j++) {
      line[j] -= factor * top[j];
    }
  }
}

static void
begin_orders(uint32_t rows, uint32_t columns, uint32_t *row_order, uint32_t *column_order)
{
  for (uint32_t i = 0; i < rows; i++) {
    row_order[i] = i;
  }
  for (uint32_t j = 0; j < columns; j++) {
    column_order[j] = j;
  }
}

/* Errors of the rows below k after the elimination with row k of a: those of both rows, and of the
 * products. */
static void
follow_rounding(const double *a, double *rounding, uint32_t rows, uint32_t columns, uint32_t k)
{
  const double *top = a + (size_t)k * columns;
  const double *top_error = rounding + (size_t)k * columns;
  for (uint32_t i = k + 1; i < rows; i++) {
    double factor = fabs(a[(size_t)i * columns + k] / top[k]);
    double *error = rounding + (size_t)i * columns;
    double relative = error[k] / fabs(top[k]) + factor * top_error[k] / fabs(top[k]);
    for (uint32_t j = k + 1; (factor > 0.0 || relative > 0.0) && j < columns; j++) {
      error[j] += factor * top_error[j] + (relative + DBL_EPSILON * factor) * fabs(top[j]);
    }
  }
}

uint32_t
dae_split_graded_lu(double *a, double *rounding, uint32_t rows, uint32_t columns,
                    uint32_t *row_order, uint32_t *column_order)
{
  uint32_t most = rows < columns ? rows : columns;
  begin_orders(rows, columns, row_order, column_order);
  for (size_t e = 0; e < (size_t)rows * columns; e++) {
    rounding[e] = DBL_EPSILON * fabs(a[e]);
  }
  for (uint32_t k = 0; k < most; k++) {
    uint32_t row;
    uint32_t column;
    double size = largest_entry(a, rows, columns, k, &row, &column);
    if (!(size > ABOVE_ROUNDING * rounding[(size_t)row * columns + column])) {
      return k;
    }
    double *both[] = {a, rounding};
    for (int m = 0; m < 2; m++) {
      swap_rows(both[m], columns, k, row);
      swap_columns(both[m], rows, columns, k, column);
    }
    swap_indices(row_order, k, row);
    swap_indices(column_order, k, column);
    follow_rounding(a, rounding, rows, columns, k);
    eliminate_below(a, rows, columns, k);
  }
  return most;
}

uint32_t
dae_split_full_pivot_lu(double *a, uint32_t rows, uint32_t columns, uint32_t known_rank,
                        uint32_t *row_order, uint32_t *column_order)
{
  begin_orders(rows, columns, row_order, column_order);
  uint32_t most = rows < columns ? rows : columns;
  double first = 0.0;
  for (uint32_t k = 0; k < most; k++) {
    uint32_t row;
    uint32_t column;
    double size = largest_entry(a, rows, columns, k, &row, &column);
    first = k == 0 ? size : first;
    double threshold = known_rank == 0  ? UNKNOWN_RANK
                       : k < known_rank ? WITHIN_RANK
                                        : BEYOND_RANK;
    if (!(size > threshold * first) || size == 0.0) {
      return k;
    }
    if (row != k) {
      swap_rows(a, columns, k, row);
      swap_indices(row_order, k, row);
    }
    if (column != k) {
      swap_columns(a, rows, columns, k, column);
      swap_indices(column_order, k, column);
    }
    eliminate_below(a, rows, columns, k);
  }
  return most;
}

/* Largest size in row k of the trailing block, or in its column k. */
static double
largest_beside(const double *a, uint32_t rows, uint32_t columns, uint32_t k)
{
  double best = largest_size(a + (size_t)k * columns, k + 1, columns);
  for (uint32_t i = k + 1; i < rows; i++) {
    double size = fabs(a[(size_t)i * columns + k]);
    best = size > best ? size : best;
  }
  return best;
}

bool
dae_split_same_order_lu(double *a, uint32_t rows, uint32_t columns)
{
  if (rows > columns) {
    return false;
  }
  for (uint32_t k = 0; k < rows; k++) {
    double pivot = fabs(a[(size_t)k * columns + k]);
    if (!(pivot > STILL_GOOD * largest_beside(a, rows, columns, k))) {
      return false;
    }
    eliminate_below(a, rows, columns, k);
  }
  return true;
}

bool
dae_split_is_positive(double *a, uint32_t n)
{
  for (size_t k = 0; k < n; k++) {
    const double *top = a + k * n;
    if (!(top[k] > WITHIN_RANK)) {
      return false;
    }
    double inverse = 1.0 / top[k];
    for (size_t i = k + 1; i < n; i++) {
      double *line = a + i * n;
      double factor = top[i] * inverse;
      for (size_t j = i; factor != 0.0 && j < n; j++) {
        line[j] -= factor * top[j];
      }
    }
  }
  return true;
}

bool
dae_split_lu(double *a, uint32_t n, uint32_t *pivot)
{
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    double size = fabs(a[k * n + k]);
    for (size_t i = k + 1; i < n; i++) {
      if (fabs(a[i * n + k]) > size) {
        size = fabs(a[i * n + k]);
        best = i;
      }
    }
    if (!(size > 0.0) || !isfinite(size)) {
      return false;
    }
    pivot[k] = (uint32_t)best;
    if (best != k) {
      swap_rows(a, n, (uint32_t)k, (uint32_t)best);
    }
    const double *top = a + k * n;
    double inverse = 1.0 / top[k];
    for (size_t i = k + 1; i < n; i++) {
      double *line = a + i * n;
      if (line[k] == 0.0) {
        continue;
      }
      double factor = line[k] * inverse;
      line[k] = factor;
      for (size_t j = k + 1; j < n; j++) {
        line[j] -= factor * top[j];
      }
    }
  }
  return true;
}

void
dae_split_lu_solve(const double *a, uint32_t n, const uint32_t *pivot, double *b)
{
  for (size_t k = 0; k < n; k++) {
    double keep = b[pivot[k]];
    b[pivot[k]] = b[k];
    b[k] = keep;
  }
  for (size_t i = 1; i < n; i++) {
    const double *line = a + i * n;
    double sum = b[i];
    for (size_t j = 0; j < i; j++) {
      sum -= line[j] * b[j];
    }
    b[i] = sum;
  }
  for (size_t i = n; i-- > 0;) {
    const double *line = a + i * n;
    double sum = b[i];
    for (size_t j = i + 1; j < n; j++) {
      sum -= line[j] * b[j];
    }
    b[i] = sum / line[i];
  }
}
