/* Where functions of time alone are short: pulses that a step would pass (pulses.c). */
#ifndef DAE_INSTANT_PULSES_H
#define DAE_INSTANT_PULSES_H

#include "terms/terms.h"

/* (transfer full) Times between t0 and t1, increasing, at which a step has to end so that none
 * of the functions of time in the roots, which have no parameters left, has a feature that no
 * step sees; GArray of double. */
GArray *dae_time_pulses(DaeTerms *terms, const DaeTerm *roots, size_t n, double t0, double t1);

#endif
