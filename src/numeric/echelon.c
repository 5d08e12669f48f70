#include <math.h>

#include "numeric/numeric.h"

static double
largest_of(const double *row, uint32_t n)
{
  double largest = 0.0;
  for (uint32_t j = 0; j < n; j++) {
    largest = fmax(largest, fabs(row[j]));
  }
  return largest;
}

static void
subtract(double *row, const double *head, uint32_t pivot, uint32_t width)
{
  if (row[pivot] != 0.0) {
    double factor = row[pivot] / head[pivot];
    for (uint32_t j = 0; j < width; j++) {
      row[j] -= factor * head[j];
    }
    row[pivot] = 0.0;
  }
}

uint32_t
dae_numeric_echelon(double *a, uint32_t m, uint32_t n, uint32_t width, double tolerance,
                    uint32_t *pivot)
{
  uint32_t rank = 0;
  for (uint32_t i = 0; i < m; i++) {
    double *row = a + (size_t)i * width;
    double least = tolerance * largest_of(row, n);
    for (uint32_t r = 0; r < i; r++) {
      if (pivot[r] != DAE_NUMERIC_NONE) {
        subtract(row, a + (size_t)r * width, pivot[r], width);
      }
    }
    pivot[i] = DAE_NUMERIC_NONE;
    for (uint32_t j = 0; j < n; j++) {
      if (fabs(row[j]) > least) {
        least = fabs(row[j]);
        pivot[i] = j;
      }
    }
    rank += pivot[i] != DAE_NUMERIC_NONE;
  }
  return rank;
}
