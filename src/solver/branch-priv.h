/* The matrix that is watched for branches; shared by branch.c and branch_matrix.c. */
#ifndef DAE_SOLVER_BRANCH_PRIV_H
#define DAE_SOLVER_BRANCH_PRIV_H

#include <suitesparse/klu.h>

#include "solver/branch.h"
#include "solver/sparse_lu.h"

struct DaeBranch {
  const DaeEvaluator *ev;
  bool is_square;
  int size;
  int *start, *row;       /* the matrix by columns */
  double *value, *looked; /* looked: the values that the factors belong to */
  uint32_t *m_place, *g_place,
      *old_place;         /* of the entries of M and G; old_place: of G_old^T */
  klu_symbolic *symbolic; /* the blocks */
  DaeSparseLu *lu;
  double *zeros;                /* lu factors a sum of two matrices */
  int *position;                /* of a row in the symbolic order */
  uint8_t *seen;                /* size, for the parity of a permutation */
  int8_t *kept, *now;           /* by block: -1, 1; 0: not known */
  int8_t *saved_signs;          /* kept, put aside */
  double *square, *saved;       /* squares of the nominal values; G_old put aside */
  uint32_t *row_at, *column_at; /* of [M; G] in the matrix; UINT32_MAX: left out */
  DaeChosen *entries;           /* what may change from one point to the next; NULL: all */
  uint32_t *entry_place;
  double *entry_value;
  uint32_t n_entries;
  bool is_filled; /* with all values of this segment */
  bool has_looked, has_kept;
};

/* Is this row of G in the matrix? */
static inline bool
dae_branch_has_row(const DaeBranch *b, uint32_t row)
{
  return b->row_at[b->ev->n_diff + row] != UINT32_MAX;
}

#endif
