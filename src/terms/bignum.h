/* Numbers of the term store as GMP rationals; for the rooms that are a home of GMP
 * (terms, algebra, proofcheck). */
#ifndef DAE_TERMS_BIGNUM_H
#define DAE_TERMS_BIGNUM_H

#include <gmp.h>

#include "terms/terms.h"

/* NUMBER into out, which is initialized. */
void dae_term_get_mpq(const DaeTerms *terms, DaeTerm number, mpq_t out);
/* value is canonical. */
DaeTerm dae_term_from_mpq(DaeTerms *terms, const mpq_t value);

#endif
