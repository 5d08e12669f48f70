/* Is a sparse matrix of numbers regular? For rooms that need the answer, not the solution. */
#ifndef DAE_STRUCTURAL_REGULAR_H
#define DAE_STRUCTURAL_REGULAR_H

#include "structural/graph.h"
#include "terms/terms.h"

/* The square matrix with these rational numbers as entries (in the order of csr). True: it is
 * regular, because it is so modulo a prime. False: it is not, or a denominator or the
 * determinant is a multiple of the prime. */
bool dae_is_regular_matrix(DaeTerms *terms, const DaeCsr *csr, const DaeTerm *values);

#endif
