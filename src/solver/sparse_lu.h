/* Sparse LU of several matrices of one pattern at once, as lanes of one
 * factorization with one order of pivots.
 *
 * The matrices are lambda_l A + B, l = 0 .. width - 1, complex: the real and the complex
 * systems of a collocation method. An entry of the factors is 2 * width doubles, the real parts
 * and then the imaginary ones, so that one pass over the indices serves all systems. width 0 is
 * one real matrix, A + B, with one double for an entry.
 *
 * Left-looking, column by column [GilbertPeierls88]. Columns are taken in the given order; the
 * pivot is the preferred row where it will do, otherwise the row whose worst ratio over the
 * lanes to the largest entry of the column is best. Later factorizations keep pattern and pivots
 * as long as no pivot is small beside its column. Memory is asked for when the first pivots are
 * chosen, with room for three times their fill, and again only where that does not suffice. */
#ifndef DAE_SOLVER_SPARSE_LU_H
#define DAE_SOLVER_SPARSE_LU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DAE_SPARSE_WIDTH_MAX 4

typedef struct {
  uint32_t n;
  const int *column_start, *row; /* pattern, by columns (borrowed) */
  const double *a, *b;           /* values of A and B (borrowed) */
  double re[DAE_SPARSE_WIDTH_MAX], im[DAE_SPARSE_WIDTH_MAX]; /* lambda */
  int *column_order, *preferred;                             /* n: position -> column, row */
  int *row_at;                                               /* position -> row */
  int *place;                                                /* row -> position, -1: none yet */
  int *same;                                                 /* 0, 1, 2, ... */
  double *row_scale;                                         /* n */
  /* factors by columns: l without its unit diagonal, u without its diagonal in an
   * order in which it can be solved */
  int *l_start, *u_start, *l_row, *u_row;
  double *l, *u, *inverse; /* inverse: of the pivots */
  size_t l_room, u_room;   /* entries */
  size_t fill_limit;       /* new pivots must not fill more than this; 0: no limit */
  size_t expected_fill;    /* entries of l and of u to begin with */
  bool is_over_limit;      /* the last factorization ended there */
  uint32_t width_max;
  bool ordered;  /* there are pivots to be tried */
  bool has_room; /* memory for more than the first pivots was reserved */
  double *x;     /* n entries: the column or the right side at work */
  int *stack, *next, *mark, stamp;
  int *search_end; /* of a column of l, for the search of patterns */
} DaeSparseLu;

/* order, preferred: n, copied. width_max 0: one real matrix. */
DaeSparseLu *dae_sparse_lu_new(uint32_t n, const int *column_start, const int *row,
                               const int *order, const int *preferred, uint32_t width_max);
void dae_sparse_lu_free(DaeSparseLu *lu);
/* Factors lambda A + B with the a, b, re, im that are set; width: 0, 2 or 4. false: singular. */
bool dae_sparse_lu_factor(DaeSparseLu *lu, uint32_t width);
/* Another order of the columns, without a limit, from the next factorization on. */
void dae_sparse_lu_reorder(DaeSparseLu *lu, const int *order, const int *preferred);
/* In place: x is the right side in the order of the rows times their scales
 * (lu->x[place[i]] = row_scale[i] * b[i]), then the solution in the order of the columns
 * (lu->x[k] belongs to column_order[k]). */
void dae_sparse_lu_solve(DaeSparseLu *lu, uint32_t width);
/* The same for the first matrix alone, which must be real; lu->x holds
 * one double for each unknown. */
void dae_sparse_lu_solve_first(DaeSparseLu *lu, uint32_t width);

#endif
