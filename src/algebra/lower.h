/* Lowering: terms over kernels between which the room knows all relations it can
 * (lower.c drives, lower_factor.c does roots, logarithms, absolute values, lower_angle.c
 * sines, cosines and exponentials). */
#ifndef DAE_ALGEBRA_LOWER_H
#define DAE_ALGEBRA_LOWER_H

#include "algebra/algebra-priv.h"

typedef enum { DAE_UNIT_ANGLE, DAE_UNIT_EXPONENT, DAE_UNIT_ROOT } DaeUnitClass;

/* Units: sin(2*x/3) and cos(x/2) are both written in the sine and cosine of x/6, the unit of
 * the monomial x. Facts: t contains log(f) or sqrt(f) outside of if-branches, so f >= 0
 * wherever t is defined. Both are found while lowering. When one changes, what was lowered
 * before is stale and the work starts over; units only get finer and facts only more, so the
 * rounds end, and they are limited besides. */
typedef struct {
  DaeAlgebra *algebra;
  DaeTerms *terms;
  GHashTable *units[3]; /* monomial -> unit, a NUMBER term */
  GHashTable *signs;    /* factor -> +1 or -1 as pointer: sign * factor >= 0 */
  bool again;
  bool failed;
} DaeLower;

/* One summand of an expanded argument: coefficient * monomial. */
typedef struct {
  fmpq coefficient;
  DaeTerm monomial;
} DaeSummand;

/* Expands and cancels a; summands (GArray of DaeSummand, cleared by
 * dae_lower_clear_summands). False: limits. */
bool dae_lower_expand(DaeLower *l, DaeTerm a, GArray *summands);
void dae_lower_clear_summands(GArray *summands);
/* The cancelled normal form as a term; DAE_NO_TERM: limits. */
DaeTerm dae_lower_normal(DaeLower *l, DaeTerm a);
/* coefficient = n * unit with the unit of the monomial; false if |n| > limit
 * (the unit is then not touched). */
bool dae_lower_count_units(DaeLower *l, DaeUnitClass kind, DaeTerm monomial,
                           const fmpq_t coefficient, int64_t limit, int64_t *n, DaeTerm *unit);

/* What a fact says about the signs of the factors of its term. */
void dae_lower_learn(DaeLower *l, const DaeFact *fact);
/* base^exponent, log(base), abs(base), sign(base) for lowered arguments. */
DaeTerm dae_lower_root(DaeLower *l, DaeTerm base, const fmpq_t exponent);
DaeTerm dae_lower_log(DaeLower *l, DaeTerm base);
DaeTerm dae_lower_abs(DaeLower *l, DaeTerm base);
DaeTerm dae_lower_sign(DaeLower *l, DaeTerm base);

/* exp(a); sine and cosine of a at once. False, DAE_NO_TERM: limits. */
DaeTerm dae_lower_exp(DaeLower *l, DaeTerm a);
bool dae_lower_sine_cosine(DaeLower *l, DaeTerm a, DaeTerm *sine, DaeTerm *cosine);
/* base^exponent with an exponent that is no number. */
DaeTerm dae_lower_symbolic_power(DaeLower *l, DaeTerm base, DaeTerm exponent);

#endif
