/* Least squares with a fixed amount of work: L D L^T of A^T A for a sparse A of fixed pattern.
 *
 * The pivots of A^T A cannot vanish while A has full column rank, so the order of elimination
 * is chosen once, from the pattern alone (minimum degree), and every factorization does exactly
 * the same operations: no pivot search, no branches, no allocation. That is what real time
 * wants, and what can be written out as C. The price is the squared condition number; therefore
 * solutions are always corrections to a good guess, never the values themselves. A matrix with
 * one entry in each row and column is "diagonal": it is solved by division.
 *
 * Minimum-norm solutions of G x = g use the same object on the transposed
 * pattern: (G^T)^T G^T = G G^T. */
#ifndef DAE_SOLVER_NORMAL_H
#define DAE_SOLVER_NORMAL_H

#include <stdbool.h>
#include <stdint.h>

/* Entries of the factor in the order of computation: row by row, columns ascending, the
 * diagonal last in its row. Entry e is the sum of a[pair_p]*a[pair_q] over its pairs minus the
 * sum of c[triple_c]*l[triple_l] over its triples. */
typedef struct {
  uint32_t n_rows, n_columns;
  uint32_t *row_start, *column; /* pattern of A */
  bool is_diagonal;
  /* by row: powers of two that A and r are multiplied by; NULL: none. The caller scales A. */
  double *scale;
  uint32_t *order;        /* order[i]: column of A that is eliminated as number i */
  uint32_t *entry_start;  /* n_columns + 1: entries of row i of the factor */
  uint32_t *entry_column; /* in elimination numbers */
  uint32_t *pair_start, *pair_p, *pair_q;       /* entries + 1; entries of A */
  uint32_t *triple_start, *triple_c, *triple_l; /* entries + 1; entries of the factor */
} DaeNormal;

typedef struct {
  double *c, *l;         /* by entry: before and after the division by the pivot */
  double *inverse_pivot; /* by row; 0 where the pivot vanished */
  double *work;          /* n_columns */
} DaeNormalFactor;

/* Copies the pattern: row_start has n_rows + 1 entries. */
DaeNormal *dae_normal_new(uint32_t n_rows, uint32_t n_columns, const uint32_t *row_start,
                          const uint32_t *column);
void dae_normal_free(DaeNormal *normal);
DaeNormalFactor *dae_normal_factor_new(const DaeNormal *normal);
void dae_normal_factor_free(DaeNormalFactor *factor);

/* Number of pivots that vanished (dependent columns); 0 is good. a: values of A
 * in the order of its pattern. */
uint32_t dae_normal_factorize(const DaeNormal *normal, const double *a,
                              DaeNormalFactor *factor);
/* x = argmin |A x - r|. */
void dae_normal_least_squares(const DaeNormal *normal, const double *a, DaeNormalFactor *factor,
                              const double *r, double *x);
/* Solves A^T A y = b in place. */
void dae_normal_solve(const DaeNormal *normal, DaeNormalFactor *factor, double *b);

typedef struct {
  uint64_t flops, divisions;
} DaeNormalCost;

DaeNormalCost dae_normal_factorize_cost(const DaeNormal *normal);
DaeNormalCost dae_normal_solve_cost(const DaeNormal *normal);         /* of A^T A y = b */
DaeNormalCost dae_normal_least_squares_cost(const DaeNormal *normal); /* with A^T r */

#endif
