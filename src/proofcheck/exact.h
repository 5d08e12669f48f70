/* The exact part of the proof checker: terms as fractions of polynomials in kernels,
 * with a fixed list of identities.
 *
 * A fraction is zero when its numerator is the polynomial 0 after these
 * identities were used, and only these:
 *   r^q = a for r = a^(1/q);  sin^2 + cos^2 = 1;  sin and cos of sums and multiples;
 *   sin and cos of multiples of pi/12;  exp of sums and multiples;  exp(c*log(a)) = a^c;
 *   log of products and powers of positive numbers, of exp, of roots and of atoms whose
 *   logarithm is in a premise;  log10(a) = log(a)/log(10);  tan, sinh, cosh, tanh by sin, cos,
 *   exp;  sin and cos of asin, acos, atan;  acos(a) = pi/2 - asin(a);  asin, atan of sin, tan
 *   of multiples of pi/12, and of -a;  abs(a)^2 = a^2, sign(a)^3 = sign(a);  abs and sign of
 *   products, quotients and multiples;  log of even powers by abs;  open if-terms by
 *   (if c then 1 else 0)^2 = if c then 1 else 0;  min, max and semiLinear by abs;  sqrt(a^2) = abs(a);
 *   conditions, abs, sign, min, max, semiLinear where the sign is known.
 * What these do not show stays open; nothing is accepted for its numerical
 * value. Atoms may stand for terms. */
#ifndef DAE_PROOFCHECK_EXACT_H
#define DAE_PROOFCHECK_EXACT_H

#include "proofcheck/certify.h"
#include "proofcheck/poly.h"

typedef struct DaeExact DaeExact;

/* signs: decides conditions by balls, with the same bindings; borrowed. */
DaeExact *dae_exact_new(DaeTerms *terms, DaeCertifier *signs);
void dae_exact_free(DaeExact *exact);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeExact, dae_exact_free)
void dae_exact_bind(DaeExact *exact, DaeTerm atom, DaeTerm value); /* chains are followed */
/* Every switch on this condition takes this way. */
void dae_exact_assume(DaeExact *exact, DaeTerm condition, bool holds);

/* The atom is positive: a premise has its logarithm. */
void dae_exact_assume_positive(DaeExact *exact, DaeTerm atom);

typedef enum {
  DAE_EXACT_ZERO,      /* by the identities above */
  DAE_EXACT_NONZERO,   /* a rational number that is not 0 */
  DAE_EXACT_UNDEFINED, /* a division by 0 */
  DAE_EXACT_OPEN
} DaeExactAnswer;

DaeExactAnswer dae_exact_is_zero(DaeExact *exact, DaeTerm t);
/* Names of identities used so far (static strings), each once. */
const GPtrArray *dae_exact_used(const DaeExact *exact);

/* ---- for rules.c -------------------------------------------------------------------------- */

VpRing *dae_exact_ring(DaeExact *exact);
DaeTerms *dae_exact_terms(const DaeExact *exact);
DaeCertifier *dae_exact_signs(const DaeExact *exact);
/* NULL: open (or undefined: *undefined, which may be NULL). */
const VpFrac *dae_exact_fraction(DaeExact *exact, DaeTerm t, bool *undefined);
/* The kernel of an unbound atom, or UINT32_MAX when it does not occur. */
uint32_t dae_exact_kernel(DaeExact *exact, DaeTerm atom);
uint32_t dae_exact_n_kernels(const DaeExact *exact);
bool dae_exact_kernel_contains(const DaeExact *exact, uint32_t kernel, DaeTerm atom);
bool dae_exact_kernel_is_atom(const DaeExact *exact, uint32_t kernel);
bool dae_exact_kernel_is_constant(const DaeExact *exact, uint32_t kernel);
/* Function of a kernel f(a) that is one-to-one where it is defined, and a. false: none. */
bool dae_exact_kernel_inverse(DaeExact *exact, uint32_t kernel, DaeFunction *function,
                              DaeTerm *argument);
DaeTerm dae_exact_term(DaeExact *exact, VpPoly poly); /* back to a term */

/* ---- rules (rules.c) ------------------------------------------------------------------------ */

/* base = a*atom + b, with the atom nowhere else. *a: the coefficient as a term. */
bool dae_exact_is_linear(DaeExact *exact, DaeTerm base, DaeTerm atom, DaeTerm *a);
/* own = 0 implies base = 0: base is own times something, up to the leading coefficient of
 * own. */
bool dae_exact_divides(DaeExact *exact, DaeTerm own, DaeTerm base);
/* base = 0 implies own = 0: base is a number times a power of own, or own inverts a one-to-one
 * function. *a: what has to be nonzero for that, or DAE_NO_TERM. */
bool dae_exact_inverts(DaeExact *exact, DaeTerm base, DaeTerm own, DaeTerm *a);
/* The atoms of t cancel, and the constant that is left is not 0, by a ball. */
bool dae_exact_is_nonzero_constant(DaeExact *exact, DaeTerm t);
/* t has no real zero: Sturm's theorem for a polynomial in one atom, the discriminant
 * where coefficients are numbers. */
bool dae_exact_has_no_real_zero(DaeExact *exact, DaeTerm t);

/* range.c: t keeps away from 0 whatever real values its atoms have. Intervals
 * of doubles, rounded outward. */
bool dae_range_excludes_zero(DaeTerms *terms, GHashTable *bound, DaeTerm t);
bool dae_range_sign(DaeTerms *terms, GHashTable *bound, DaeTerm t, int *sign); /* if it does */
GHashTable *dae_exact_bindings(DaeExact *exact); /* atom -> term */

#endif
