/* Is a matrix of terms regular whatever real values its atoms have? The second, separate way to
 * what the factors of a determinant tell: elimination by entries that are seen to keep away from 0,
 * and the determinant of what is left. */
#ifndef DAE_PROOFCHECK_REGULAR_H
#define DAE_PROOFCHECK_REGULAR_H

#include "proofcheck/certify.h"

/* Entries by row, then column. bound: atoms (GUINT_TO_POINTER) that stand for terms; the others,
 * conditions among them, may have any value. False: it was not seen. */
bool dae_regular_everywhere(DaeTerms *terms, GHashTable *bound,
                            const DaeCertifierEntry *entries, size_t n_entries, uint32_t n);
/* The same of one term: it has no zero. */
bool dae_never_zero(DaeTerms *terms, GHashTable *bound, DaeTerm t);

#endif
