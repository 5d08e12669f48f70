/* Inside of the dense systems: what linsys_dense.c (constraints), dense_rows.c (differential rows)
 * and dense_stages.c (stage systems) share.
 *
 * P G Q = L [U1 U2], S = U1^-1 U2. Constrained unknowns are numbered 0 ... n_c-1, dynamic ones
 * 0 ... n_d-1, in the order of column_order. */
#ifndef DAE_SOLVER_LINSYS_DENSE_H
#define DAE_SOLVER_LINSYS_DENSE_H

#include "solver/lanes.h"
#include "solver/linsys.h"
#include "solver/planar.h"

/* Triangular factors by rows, zeros left out, scales multiplied in: p_i =
 * scale_i (b_i - sum value p_column). */
typedef struct {
  uint32_t *start, *column; /* n_c + 1, up to n_c^2 / 2 */
  double *value, *scale;
} DaeTriangle;

/* Where a full matrix has entries that are not zero, by rows: constraints and
 * masses of large models are sparse. */
typedef struct {
  uint32_t *start, *column;
} DaeEntries;

/* The matrices W, T^-1, T of a tableau by columns, padded to whole vectors. The
 * transformed stages are eight lanes: the real parts of the real and the (up to three)
 * complex systems, then the imaginary parts. */
typedef struct {
  const DaeTableau *tableau;
  double w[DAE_STAGES_MAX][DAE_STAGE_LANES];
  double forward[DAE_STAGES_MAX][DAE_STAGE_LANES];
  double back[DAE_STAGE_LANES][DAE_STAGE_LANES];
} DaeStageTables;

typedef struct {
  DaeLinsys base;
  void *arena; /* holds all vectors and matrices below but the planes */
  uint32_t n, n_diff, n_con, n_c, n_d;
  double *preference;    /* n: nominal, more for unknowns without derivative */
  double *column_weight; /* n: the same, unless the constraints had to be balanced */
  double *balance;       /* n, scratch for that */
  double *rounding;      /* n_con x n, for that too; NULL until it is needed */
  double *row_weight;    /* n_con: 1 / largest scaled entry, 0 for an empty row */
  double *lu;            /* n_con x n, scaled constraints */
  DaeTriangle lower, upper;
  bool ordered;           /* row_order and place are those of a full rank */
  uint32_t *row_order;    /* n_con */
  uint32_t *column_order; /* n: first n_c constrained, then the dynamic ones */
  uint32_t *place;        /* n: position of an unknown in column_order */
  double *s;              /* n_c x n_d, in units of x */
  DaeEntries s_entries;
  const double *xdot;
  const double *m, *k; /* values of the last split */
  double *m_full;      /* n_diff x n_d */
  double *pick;        /* n_diff x n_d, scratch: K~, or the row selection */
  double *y;           /* n_diff x n_d, weights of the rows in their combinations */
  DaeEntries y_entries;
  bool projected; /* combinations y^T of all rows; otherwise n_d selected ones */
  uint32_t *rows; /* n_d selected rows, increasing */
  uint32_t *pick_rows, *pick_columns;
  double *m_red, *k_red; /* n_d x n_d */
  double *m_con, *k_con; /* n_d x n_c, combinations of M_c and K_c */
  double *combined;      /* n_d x lanes */
  DaeStageTables tables;
  /* n_d x n_d x 8: LU of all stage systems at once, with one order of pivots */
  double *systems;
  uint32_t *order;                  /* n_d: the pivot rows */
  bool one_order;                   /* that order serves them all; otherwise: */
  DaePlanar own[1 + DAE_PAIRS_MAX]; /* LU of gamma/h M - K and of the complex systems */
  double *own_re, *own_im;          /* a right side of theirs */
  double *mass_lu;
  uint32_t *mass_pivot;
  bool mass_factored, mass_regular;
  uint8_t *old_states;
  double *p;   /* n_con x lanes */
  double *rhs; /* n_d x 8 */
  double *b;   /* 2 n_d */
} DaeDense;

/* Where a (rows x columns) has entries. */
void dae_dense_list_entries(DaeEntries *entries, const double *a, uint32_t rows,
                            uint32_t columns);

/* dense_rows.c */
bool dae_dense_choose_rows(DaeDense *d);
/* out (n_d x n_c) = the combinations of the columns A_c of a matrix in compressed rows. */
void dae_dense_combine_constrained(const DaeDense *d, const DaePattern *pattern,
                                   const double *values, double *out);

/* dense_stages.c */
bool dae_dense_factor(DaeLinsys *ls, const DaeTableau *tableau, double h);
void dae_dense_stages(DaeLinsys *ls, const DaeTableau *tableau, double h, const double *r,
                      const double *c, double *delta);
void dae_dense_error_solve(DaeDense *d, double *b); /* (gamma/h M - K) b = b */

#endif
