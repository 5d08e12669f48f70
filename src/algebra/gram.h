/* Semidefinite programming on a small scale, in floating point; see gram.c. */
#ifndef DAE_ALGEBRA_GRAM_H
#define DAE_ALGEBRA_GRAM_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct { /* of E_unknown, at (i, j) and (j, i) */
  uint32_t unknown, i, j;
  double value;
} DaeGramEntry;

typedef struct {
  uint32_t n, n_unknowns, n_entries;
  const double *constant; /* n x n */
  const DaeGramEntry *entries;
} DaeGram;

/* y (n_unknowns places): where G is positive definite, near the middle. false: it was found
 * nowhere; y is then where it nearly is semidefinite. */
bool dae_gram_center(const DaeGram *gram, double *y);

#endif
