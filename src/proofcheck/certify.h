/* Balls for the proof checker: a second, separate way to what enclose.h and the zero test find.
 *
 * Shares no code with them: terms are walked here, derivatives are made by carrying them along
 * (dual numbers) instead of symbolically, and a box is checked by the interval Newton operator
 * m - J(X)^-1 f(m) instead of Krawczyk's. What both rest on is the arithmetic of Arb. */
#ifndef DAE_PROOFCHECK_CERTIFY_H
#define DAE_PROOFCHECK_CERTIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "terms/terms.h"

typedef struct DaeCertifier DaeCertifier;

DaeCertifier *dae_certifier_new(DaeTerms *terms);
void dae_certifier_free(DaeCertifier *certifier);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeCertifier, dae_certifier_free)

/* From now on atom stands for the value of a term (chains are followed), or for a
 * ball: the decimal +- 10^radius. */
void dae_certifier_bind(DaeCertifier *certifier, DaeTerm atom, DaeTerm value);
bool dae_certifier_bind_ball(DaeCertifier *certifier, DaeTerm atom, const char *decimal,
                             int radius);

/* Sign of a term without free atoms: -1 or 1, proved by a ball of up
 * to 1200 digits. false: open. */
bool dae_certifier_sign(DaeCertifier *certifier, DaeTerm t, int *sign);
/* Is the determinant of this n by n matrix, row by row, other than 0? Of balls, with more and
 * more digits. */
bool dae_certifier_is_regular(DaeCertifier *certifier, const DaeTerm *entries, uint32_t n);
/* Is |t| <= 10^exponent over the box? Is |t| >= 10^exponent? */
bool dae_certifier_is_below(DaeCertifier *certifier, DaeTerm t, int exponent);
bool dae_certifier_is_above(DaeCertifier *certifier, DaeTerm t, int exponent);
/* Is |t| <= 2^-bits, by a ball of so many bits and some more? */
bool dae_certifier_is_below_bits(DaeCertifier *certifier, DaeTerm t, int bits);
/* Have the equations exactly one real solution in the box of these atoms (all bound to balls)? Then
 * the atoms are bound to the narrower box that it was proved to lie in. */
bool dae_certifier_has_solution(DaeCertifier *certifier, const DaeTerm *equations,
                                const DaeTerm *atoms, uint32_t n);
/* The same near the values: Newton's method in many digits goes on from them first. Afterwards the
 * atoms are bound to balls around the solution. */
bool dae_certifier_has_solution_near(DaeCertifier *certifier, const DaeTerm *equations,
                                     const DaeTerm *atoms, const double *values, uint32_t n);
/* After a failure: an equation that has no value over the box, or no derivatives. DAE_NO_TERM: all
 * have them, the Jacobian was not seen to be regular or the box is not mapped into itself. */
DaeTerm dae_certifier_open_equation(const DaeCertifier *certifier);
/* Is the Jacobian of the equations in the directions of these atoms regular, over the box? */
bool dae_certifier_jacobian_is_regular(DaeCertifier *certifier, const DaeTerm *equations,
                                       const DaeTerm *atoms, uint32_t n);
/* exact_point.c: the atoms stand for numbers. Do the equations hold there exactly, by the
 * arithmetic of exact.h, and do they determine the atoms near them? is_strict: by their
 * Jacobian alone. */
bool dae_certifier_holds_exactly(DaeCertifier *certifier, const DaeTerm *equations,
                                 const DaeTerm *atoms, uint32_t n, bool is_strict);
/* equation = k*atom + steps with a number k: the atom is a discrete value, which the steps give
 * it. */
bool dae_certifier_is_discrete_value(DaeTerms *terms, DaeTerm equation, DaeTerm atom);
/* Does the equation hold exactly, whatever is in the balls? */
bool dae_certifier_is_exact_zero(DaeCertifier *certifier, DaeTerm equation);

/* Is a matrix with these entries (by row, then column) regular, over the box? */
typedef struct {
  uint32_t row, column;
  DaeTerm value;
} DaeCertifierEntry;

bool dae_certifier_is_regular_sparse(DaeCertifier *certifier, const DaeCertifierEntry *entries,
                                     size_t n_entries, uint32_t n);

#endif
