/* Literal and random matrices for the tests of the integer kernels; slow,
 * obvious reference algorithms. */
#ifndef DAE_TESTS_STRUCTURAL_MATRICES_H
#define DAE_TESTS_STRUCTURAL_MATRICES_H

#include <string.h>

#include "structural/graph.h"

#define NO (-1) /* minus infinity in a literal matrix */

/* rows x columns numbers, NO where there is no entry. */
static inline DaeCsr *
literal_matrix(uint32_t n_rows, uint32_t n_columns, const int *values)
{
  DaeCsr *csr = dae_csr_new(n_rows, n_columns, (size_t)n_rows * n_columns, true);
  size_t at = 0;
  for (uint32_t i = 0; i < n_rows; i++) {
    for (uint32_t j = 0; j < n_columns; j++) {
      if (values[i * n_columns + j] != NO) {
        csr->column[at] = j;
        csr->weight[at++] = values[i * n_columns + j];
      }
    }
    csr->start[i + 1] = at;
  }
  return csr;
}

static inline uint32_t
next_random(uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static inline DaeCsr *
random_matrix(uint32_t n_rows, uint32_t n_columns, uint32_t percent, int largest,
              uint32_t *state)
{
  g_autofree int *values = g_new(int, (size_t)n_rows *n_columns + 1);
  for (uint32_t k = 0; k < n_rows * n_columns; k++) {
    bool present = next_random(state) % 100 < percent;
    values[k] = present ? (int)(next_random(state) % (uint32_t)(largest + 1)) : NO;
  }
  return literal_matrix(n_rows, n_columns, values);
}

static inline int
entry_of(const DaeCsr *csr, uint32_t i, uint32_t j)
{
  for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
    if (csr->column[e] == j) {
      return csr->weight[e];
    }
  }
  return NO;
}

/* All permutations of up to 6 columns: the largest value, -1 if no
 * transversal; how many have it. */
static inline int
best_value_by_permutations(const DaeCsr *csr, uint32_t row, uint32_t used, int so_far,
                           int *best)
{
  if (row == csr->n_rows) {
    *best = so_far > *best ? so_far : *best;
    return *best;
  }
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    int value = (used >> j & 1) != 0 ? NO : entry_of(csr, row, j);
    if (value != NO) {
      best_value_by_permutations(csr, row + 1, used | 1u << j, so_far + value, best);
    }
  }
  return *best;
}

/* Least offsets by iterating the inequalities from c = 0 [Pryce01, algorithm of section 3]. */
static inline void
offsets_by_iteration(const DaeCsr *csr, const uint32_t *column_of_row, int64_t *c, int64_t *d)
{
  memset(c, 0, sizeof(int64_t) * csr->n_rows);
  for (bool changed = true; changed;) {
    changed = false;
    memset(d, 0, sizeof(int64_t) * csr->n_columns);
    for (uint32_t i = 0; i < csr->n_rows; i++) {
      for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
        int64_t needed = csr->weight[e] + c[i];
        d[csr->column[e]] = needed > d[csr->column[e]] ? needed : d[csr->column[e]];
      }
    }
    for (uint32_t i = 0; i < csr->n_rows; i++) {
      int64_t raised = d[column_of_row[i]] - entry_of(csr, i, column_of_row[i]);
      changed = changed || raised != c[i];
      c[i] = raised;
    }
  }
}

#endif
