/* Smooth pulses that steep functions make: tanh(1e6*(x - 0.5)) - tanh(1e6*(x - 0.5001)) and
 * 1 - tanh(u)^2, products and differences of 1/(1 + exp(u)), of u/sqrt(1 + u^2) and of
 * x^40/(1 + x^40), 1/(1 + u^2), cos(u)^1000. Their functions change their signs where a steep one
 * begins and ends to rise: between two such places is a pulse, if there is one
 * (solver/passed.c). */
#ifndef DAE_PIPELINE_STEEP_H
#define DAE_PIPELINE_STEEP_H

#include "terms/terms.h"

/* Is t a power that may be steep by itself: of a sum that is divided by, or a high one? */
bool dae_steep_is_power(const DaeTerms *terms, DaeTerm t);

/* Appends the functions (DaeTerm) of the term t itself, not of its operands. Arguments of tanh and
 * atan are appended to `arguments`: a single one makes no pulse. */
void dae_steep_note(DaeTerms *terms, DaeTerm t, GArray *functions, GArray *arguments);

/* Appends the functions of these arguments, where two of them can make a pulse. */
void dae_steep_close(DaeTerms *terms, const GArray *arguments, GArray *functions);

#endif
