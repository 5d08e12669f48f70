/* Values of terms in a finite field, for the proof checker only (it
 * shares no code with the search).
 *
 * Two terms that are equal as functions have equal images at every point; two that differ have
 * equal images at a random point with probability about degree/p < 1e-15. The field has p
 * elements, p a 61-bit prime chosen so that
 *   (p-1)/2 = q1 is prime:  squares form a group of order q1; roots are powers in it
 *                           (sqrt(a)*sqrt(b) = sqrt(a*b)), and exp(a) = g^a with a taken mod
 *                           q1, so exp(a + b) = exp(a)*exp(b) [Gonnet's idea];
 *   p+1 = 24 * 5 * q2:      points of the unit circle form a group; (cos a, sin a) = a*H with a
 *                           mod q2, so all addition theorems hold; the 24 torsion points give
 *                           multiples of pi/12, so sin(pi/6) = 1/2.
 * Other functions get values that depend on the function and the value of its argument only. */
#ifndef DAE_PROOFCHECK_FIELD_H
#define DAE_PROOFCHECK_FIELD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "terms/terms.h"

typedef struct DaeField DaeField;

DaeField *dae_field_new(DaeTerms *terms, uint64_t seed);
void dae_field_free(DaeField *field);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeField, dae_field_free)
/* From now on atom stands for value (chains are followed; they must not be circular). */
void dae_field_bind(DaeField *field, DaeTerm atom, DaeTerm value);
/* Image of t. false: not defined at this point (a root of a non-square, a zero
 * denominator), or not evaluable here. */
bool dae_field_value(DaeField *field, DaeTerm t, uint64_t *value);
uint64_t dae_field_subtract(uint64_t a, uint64_t b);

#endif
