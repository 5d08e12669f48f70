/* Linear systems in double precision, dense: for the search for a solution and the approximate
 * inverse of its proof. Nothing that is proved depends on their rounding. */
#include <math.h>
#include <string.h>

#include "algebra/solution-priv.h"

/* Rows are divided by their largest entries: equations may have any scale. */
static bool
scale_rows(double *a, uint32_t m, double *b, uint32_t n_right)
{
  for (uint32_t i = 0; i < m; i++) {
    double largest = 0.0;
    for (uint32_t j = 0; j < m; j++) {
      largest = fmax(largest, fabs(a[(size_t)i * m + j]));
    }
    if (!(largest > 0.0) || !isfinite(largest)) {
      return false;
    }
    for (uint32_t j = 0; j < m; j++) {
      a[(size_t)i * m + j] /= largest;
    }
    for (uint32_t k = 0; k < n_right; k++) {
      b[(size_t)i * n_right + k] /= largest;
    }
  }
  return true;
}

static void
swap_rows(double *a, uint32_t n, uint32_t i, uint32_t k)
{
  for (uint32_t j = 0; j < n && i != k; j++) {
    double kept = a[(size_t)i * n + j];
    a[(size_t)i * n + j] = a[(size_t)k * n + j];
    a[(size_t)k * n + j] = kept;
  }
}

static void
subtract_row(double *restrict to, const double *restrict from, double factor, uint32_t n)
{
  for (uint32_t j = 0; j < n; j++) {
    to[j] -= factor * from[j];
  }
}

/* Is everything a number? */
static bool
is_finite(const double *values, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(values[i])) {
      return false;
    }
  }
  return true;
}

/* Elimination with the largest pivot of each column, in rows of size 1. false: one is not larger
 * than `smallest`. */
static bool
eliminate(double *a, uint32_t m, double *b, uint32_t n_right, double smallest)
{
  if (!is_finite(a, (size_t)m * m) || !scale_rows(a, m, b, n_right)) {
    return false;
  }
  for (uint32_t k = 0; k < m; k++) {
    uint32_t pivot = k;
    for (uint32_t i = k + 1; i < m; i++) {
      if (fabs(a[(size_t)i * m + k]) > fabs(a[(size_t)pivot * m + k])) {
        pivot = i;
      }
    }
    if (!(fabs(a[(size_t)pivot * m + k]) > smallest)) {
      return false;
    }
    swap_rows(a, m, k, pivot);
    swap_rows(b, n_right, k, pivot);
    for (uint32_t i = k + 1; i < m; i++) {
      double factor = a[(size_t)i * m + k] / a[(size_t)k * m + k];
      if (factor != 0.0) {
        subtract_row(a + (size_t)i * m + k, a + (size_t)k * m + k, factor, m - k);
        subtract_row(b + (size_t)i * n_right, b + (size_t)k * n_right, factor, n_right);
      }
    }
  }
  return true;
}

bool
dae_plain_is_regular(double *a, uint32_t n, double smallest)
{
  double nothing = 0.0;
  return eliminate(a, n, &nothing, 0, smallest);
}

bool
dae_plain_solve(double *a, uint32_t m, double *b, uint32_t n_right)
{
  if (!eliminate(a, m, b, n_right, 1e-14)) {
    return false;
  }
  for (uint32_t k = m; k-- > 0;) {
    for (uint32_t j = 0; j < n_right; j++) {
      b[(size_t)k * n_right + j] /= a[(size_t)k * m + k];
    }
    for (uint32_t i = 0; i < k; i++) {
      double factor = a[(size_t)i * m + k];
      if (factor != 0.0) {
        subtract_row(b + (size_t)i * n_right, b + (size_t)k * n_right, factor, n_right);
      }
    }
  }
  return is_finite(b, (size_t)m * n_right);
}

bool
dae_plain_least_change(const double *j, uint32_t m, uint32_t n, double *f, double *change)
{
  g_autofree double *square = g_new(double, (size_t)m *m + 1);
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t k = 0; k <= i; k++) {
      double sum = 0.0;
      for (uint32_t c = 0; c < n; c++) {
        sum += j[(size_t)i * n + c] * j[(size_t)k * n + c];
      }
      square[(size_t)i * m + k] = sum;
      square[(size_t)k * m + i] = sum;
    }
  }
  if (!dae_plain_solve(square, m, f, 1)) {
    return false;
  }
  memset(change, 0, sizeof(double) * n);
  for (uint32_t i = 0; i < m; i++) {
    subtract_row(change, j + (size_t)i * n, -f[i], n);
  }
  return true;
}
