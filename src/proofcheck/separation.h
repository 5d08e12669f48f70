/* Exact zeros of algebraic numbers by a separation bound. */
#ifndef DAE_PROOFCHECK_SEPARATION_H
#define DAE_PROOFCHECK_SEPARATION_H

#include "proofcheck/certify.h"

/* Is t zero, with atoms standing for terms (bound: atom -> term, the same as of signs)? true
 * is a proof; false says that t is of another kind, not zero, or too big. */
bool dae_separation_is_zero(DaeTerms *terms, GHashTable *bound, DaeCertifier *signs, DaeTerm t);

/* forms.c: the same for a sum of rational multiples of angles (pi, atan, asin, acos) or of
 * logarithms of such numbers. */
bool dae_forms_vanishes(DaeTerms *terms, GHashTable *bound, DaeCertifier *signs, DaeTerm t);

#endif
