/* Dense linear systems in quadruple precision. */
#include "quad.h"

void
factor_linear(int n, Quad *a, int *pivot)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabsq(a[i * n + k]) > fabsq(a[best * n + k])) {
        best = i;
      }
    }
    pivot[k] = best;
    if (best != k) {
      for (int j = 0; j < n; j++) {
        Quad keep = a[k * n + j];
        a[k * n + j] = a[best * n + j];
        a[best * n + j] = keep;
      }
    }
    for (int i = k + 1; i < n; i++) {
      if (a[i * n + k] != 0) {
        Quad factor = a[i * n + k] /= a[k * n + k];
        for (int j = k + 1; j < n; j++) {
          a[i * n + j] -= factor * a[k * n + j];
        }
      }
    }
  }
}

void
solve_factored(int n, const Quad *a, const int *pivot, Quad *b)
{
  for (int k = 0; k < n; k++) {
    Quad keep = b[pivot[k]];
    b[pivot[k]] = b[k];
    b[k] = keep;
  }
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < i; j++) {
      b[i] -= a[i * n + j] * b[j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) {
      b[i] -= a[i * n + j] * b[j];
    }
    b[i] /= a[i * n + i];
  }
}

void
solve_linear(int n, Quad *a, Quad *b)
{
  int pivot[MAX_STATES];
  factor_linear(n, a, pivot);
  solve_factored(n, a, pivot, b);
}
