/* Exact rationals: small ones inline, GMP beyond (terms only).
 *
 * Invariants of a DaeRat:
 *   den > 0:  the value num/den in lowest terms, |num| <= INT64_MAX, big == NULL.
 *   den == 0: the value *big, canonical for GMP, which does not fit the small form.
 * A value has one form only, so equality is comparison of fields (or mpq_equal). An
 * accumulator owns its big number (dae_rat_clear); a view of a number in the store borrows it
 * and is never changed or cleared. */
#ifndef DAE_TERMS_RATIONAL_H
#define DAE_TERMS_RATIONAL_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int64_t num;
  int64_t den;
  mpq_t *big;
} DaeRat;

/* Set an accumulator that holds nothing yet. */
void dae_rat_init_int(DaeRat *r, int64_t value);
void dae_rat_init_ratio(DaeRat *r, int64_t num, int64_t den); /* den != 0 */
void dae_rat_init_copy(DaeRat *r, const DaeRat *a);
void dae_rat_init_mpq(DaeRat *r, const mpq_t value); /* value canonical */
void dae_rat_clear(DaeRat *r);
void dae_rat_get_mpq(const DaeRat *a, mpq_t out); /* out is initialized */

/* acc and b may be the same object. */
void dae_rat_add(DaeRat *acc, const DaeRat *b);
void dae_rat_mul(DaeRat *acc, const DaeRat *b);
void dae_rat_neg(DaeRat *acc);
void dae_rat_invert(DaeRat *acc); /* acc != 0 */
void dae_rat_pow(DaeRat *acc,
                 int64_t exponent); /* acc != 0 if exponent < 0; caller bounds the size */
/* acc := gcd of numerators / lcm of denominators of acc and b, >= 0. */
void dae_rat_content(DaeRat *acc, const DaeRat *b);

int dae_rat_sign(const DaeRat *a);
int dae_rat_compare(const DaeRat *a, const DaeRat *b);
bool dae_rat_equal(const DaeRat *a, const DaeRat *b);
bool dae_rat_is_int(const DaeRat *a, int64_t value);
bool dae_rat_is_integer(const DaeRat *a);
bool dae_rat_fits_int64(const DaeRat *a, int64_t *value); /* an integer of small form */
double dae_rat_to_double(const DaeRat *a); /* nearest, ties to even; +-inf on overflow */
/* Upper bound of the bit length of numerator and denominator. */
size_t dae_rat_bits(const DaeRat *a);
uint32_t dae_rat_hash(const DaeRat *a, uint32_t seed);
/* acc := floor(acc) */
void dae_rat_floor(DaeRat *acc);

#endif
