/* Pivoted elimination kernels that pick constrained variables and dynamic rows. */
#ifndef DAE_SOLVER_SPLIT_H
#define DAE_SOLVER_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

/* LU with full pivoting of the rows x columns matrix a (row-major, overwritten): P a Q = L U,
 * unit L below the diagonal. row_order and column_order receive the permutations. Returns the
 * rank: it stops at the first pivot that is small against the largest entry of a. Up to
 * known_rank (0: not known yet) only round-off counts as small; beyond it a pivot must be
 * clearly there, because redundant nonlinear constraints look independent a little beside their
 * solution set. Ties go to the smallest row, then column. */
uint32_t dae_split_full_pivot_lu(double *a, uint32_t rows, uint32_t columns,
                                 uint32_t known_rank, uint32_t *row_order,
                                 uint32_t *column_order);

/* The same for a matrix whose entries differ by many powers of ten: small pivots count unless the
 * rounding errors of the elimination, followed in `rounding` (rows x columns), are as large. */
uint32_t dae_split_graded_lu(double *a, double *rounding, uint32_t rows, uint32_t columns,
                             uint32_t *row_order, uint32_t *column_order);

/* The same without a search, for a matrix whose rows and columns stand in the order of an
 * earlier one: false when some pivot of the `rows` is small against its row or column,
 * which calls for a new order. */
bool dae_split_same_order_lu(double *a, uint32_t rows, uint32_t columns);

/* Is the symmetric matrix (n x n, upper triangle overwritten) with unit diagonal
 * positive definite beyond round-off? */
bool dae_split_is_positive(double *a, uint32_t n);

/* LU with partial pivoting, n x n; false: singular or not finite. */
bool dae_split_lu(double *a, uint32_t n, uint32_t *pivot);
void dae_split_lu_solve(const double *a, uint32_t n, const uint32_t *pivot, double *b);

#endif
