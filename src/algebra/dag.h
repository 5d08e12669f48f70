/* Elimination on terms themselves, for matrices whose polynomials would swell (dag.c). */
#ifndef DAE_ALGEBRA_DAG_H
#define DAE_ALGEBRA_DAG_H

#include "algebra/elim.h"

/* Eliminates in place with divisions; entries become shared straight-line terms, nothing is
 * expanded. Pivots are proved nonzero, entries become 0 only by proof. */
DaeElimStatus dae_dag_eliminate(DaeAlgebra *algebra, DaeMatrix *matrix,
                                uint32_t n_pivot_columns, bool above, GArray *pivots);

#endif
