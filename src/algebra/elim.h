/* Fraction-free elimination on matrices of polynomials over kernels (elim.c), used by
 * rank, null vectors, solving. */
#ifndef DAE_ALGEBRA_ELIM_H
#define DAE_ALGEBRA_ELIM_H

#include "algebra/algebra-priv.h"

/* Rows are scaled freely: only their span over the field of rational functions matters. Entries
 * are reduced by the relations of the ring. */
typedef struct {
  DaeRing *ring;
  uint32_t n_rows;
  uint32_t n_columns;
  fmpz_mpoly_struct *entry; /* row-major */
  double work;              /* terms multiplied so far; past a limit the elimination gives up */
} DaePolyMatrix;

typedef struct {
  uint32_t row;
  uint32_t column;
} DaePivot;

typedef enum {
  DAE_ELIM_DONE,      /* every row without pivot is zero in the pivot columns */
  DAE_ELIM_UNCERTAIN, /* some entry is neither provably zero nor provably nonzero */
  DAE_ELIM_LIMIT      /* limits or budget */
} DaeElimStatus;

/* [matrix | extra] with denominators cleared row by row; extra is nothing, the identity, or one
 * column. NULL: limits or budget. */
typedef enum { DAE_EXTRA_NONE, DAE_EXTRA_IDENTITY, DAE_EXTRA_COLUMN } DaeExtra;

DaePolyMatrix *dae_poly_matrix_new(DaeAlgebra *algebra, const DaeMatrix *matrix, DaeExtra extra,
                                   const DaeTerm *column);
void dae_poly_matrix_free(DaePolyMatrix *p);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaePolyMatrix, dae_poly_matrix_free)

static inline fmpz_mpoly_struct *
dae_poly_entry(const DaePolyMatrix *p, uint32_t i, uint32_t j)
{
  return p->entry + (size_t)i * p->n_columns + j;
}

/* Eliminates with pivots in the first n_pivot_columns columns; pivots (GArray of
 * DaePivot) gets them in order. above: also clears the pivot columns in rows that had
 * their pivot before (Gauss-Jordan). */
DaeElimStatus dae_poly_matrix_eliminate(DaePolyMatrix *p, uint32_t n_pivot_columns, bool above,
                                        GArray *pivots);
/* Appends the irreducible factors of the pivots that contain atoms, each once. */
void dae_poly_matrix_collect_assumed(const DaePolyMatrix *p, const GArray *pivots,
                                     GArray *assumed);
/* Divides a row by the common factor of its entries. False: budget. */
bool dae_poly_matrix_make_primitive(DaePolyMatrix *p, uint32_t i);

#endif
