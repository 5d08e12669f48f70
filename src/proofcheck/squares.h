/* Inside of the checker: a polynomial that keeps its sign, by completing squares. */
#ifndef DAE_PROOFCHECK_SQUARES_H
#define DAE_PROOFCHECK_SQUARES_H

#include "proofcheck/exact.h"

/* Is p other than 0 whatever real numbers its kernels are? */
bool dae_squares_exclude_zero(DaeExact *exact, VpPoly p);

#endif
