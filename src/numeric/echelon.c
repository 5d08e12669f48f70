#include <math.h>

#include "numeric/numeric.h"

/* Each halves the decimal exponents of the largest entries. */
#define N_ROUNDS 6

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

/* Largest entries of the rows (or columns) become their square roots; repeated, they tend to 1. */
static void
scale_rows(double *a, uint32_t m, uint32_t n, uint32_t width)
{
  for (uint32_t i = 0; i < m; i++) {
    double *row = a + (size_t)i * width;
    double root = sqrt(largest_of(row, n));
    for (uint32_t j = 0; j < n && root > 0.0; j++) {
      row[j] /= root;
    }
  }
}

static void
scale_columns(double *a, uint32_t m, uint32_t n, uint32_t width)
{
  for (uint32_t j = 0; j < n; j++) {
    double largest = 0.0;
    for (uint32_t i = 0; i < m; i++) {
      largest = fmax(largest, fabs(a[(size_t)i * width + j]));
    }
    double root = sqrt(largest);
    for (uint32_t i = 0; i < m && root > 0.0; i++) {
      a[(size_t)i * width + j] /= root;
    }
  }
}

void
dae_numeric_equilibrate(double *a, uint32_t m, uint32_t n, uint32_t width)
{
  for (int round = 0; round < N_ROUNDS; round++) {
    scale_rows(a, m, n, width);
    scale_columns(a, m, n, width);
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
