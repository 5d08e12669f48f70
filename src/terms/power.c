/* Powers: only laws that hold over the reals wherever the left side is defined.
 *
 *   b^0 = 1, b^1 = b, 1^e = 1, 0^p = 0 for p > 0; number^integer is folded up to
 *   DAE_POWER_MAX_BITS; (a*b)^n = a^n * b^n and (c*s)^n = c^n * s^n for an integer n of at
 *   most DAE_POWER_MOST_SPLIT in size and the content c of a sum s (its sign for any n), since
 *   of (4*x*(1 - x))^1000 or (p/p0)^100 no double holds the parts; (a^p)^n = a^(p*n);
 *   number^(p/q) for a positive number: factors of
 *   prime powers, exponents between 0 and 1, as in 8^(1/2) = 2*2^(1/2). Primes above 2^16 are
 *   found only if what is left is a square or a cube; else it counts as prime. A negative
 *   number with a fractional exponent stays as it is: it is outside the domain.
 */
#include <math.h>

#include "terms/terms-priv.h"

enum { POWER_MAX_BITS = 1 << 22, TRIAL_LIMIT = 1 << 16, TRIAL_LIMIT_BIG = 1 << 12 };

static DaeTerm
store_power(DaeTerms *terms, DaeTerm base, DaeTerm exponent)
{
  return dae_store_node(terms, DAE_KIND_POWER, 0, (DaeTerm[]){base, exponent}, 2);
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* Parts of a root that no double holds: it stays the root of the whole number, which may be one
 * of moderate size with a long numerator and denominator. */
#define BITS_OF_PARTS 1000u

/* A power of positive rationals in the making: number times the powers in factors. */
typedef struct {
  DaeTerms *terms;
  DaeRat number;
  DaeList factors;
  mpq_t exponent;
  bool too_big;
} RootParts;

/* Multiplies parts by prime^(multiplicity * exponent), split into an integer power and the rest. */
static void
take_prime_power(RootParts *parts, const mpz_t prime, long multiplicity)
{
  mpq_t e;
  mpz_t whole;
  mpq_init(e);
  mpz_init(whole);
  mpq_set_si(e, multiplicity, 1);
  mpq_mul(e, e, parts->exponent);
  mpz_fdiv_q(whole, mpq_numref(e), mpq_denref(e));
  if (!mpz_fits_slong_p(whole) || mpz_sizeinbase(prime, 2) > BITS_OF_PARTS ||
      (double)mpz_sizeinbase(prime, 2) * fabs(mpz_get_d(whole)) > POWER_MAX_BITS) {
    parts->too_big = true;
  } else {
    mpq_t p;
    DaeRat power;
    mpq_init(p);
    mpq_set_z(p, prime);
    dae_rat_init_mpq(&power, p);
    DaeTerm base = dae_store_number(parts->terms, &power);
    dae_rat_pow(&power, mpz_get_si(whole));
    dae_rat_mul(&parts->number, &power);
    dae_rat_clear(&power);
    mpq_set_z(p, whole);
    mpq_sub(e, e, p);
    if (mpq_sgn(e) != 0) {
      DaeRat rest;
      dae_rat_init_mpq(&rest, e);
      dae_list_push(&parts->factors,
                    store_power(parts->terms, base, dae_store_number(parts->terms, &rest)));
      dae_rat_clear(&rest);
    }
    mpq_clear(p);
  }
  mpq_clear(e);
  mpz_clear(whole);
}

/* Replaces n by its root as long as it is a square or a cube; returns the
 * exponent that was taken out. */
static long
take_square_and_cube_roots(mpz_t n)
{
  mpz_t root;
  mpz_init(root);
  long multiplicity = 1;
  for (unsigned long k = 2; k <= 3; k++) {
    while (mpz_cmp_ui(n, 1) > 0 && mpz_root(root, n, k) != 0) {
      mpz_swap(n, root);
      multiplicity *= (long)k;
    }
  }
  mpz_clear(root);
  return multiplicity;
}

/* Multiplies parts by n^(sign * exponent), n > 0. */
static void
take_integer(RootParts *parts, const mpz_t n, long sign)
{
  mpz_t rest;
  mpz_t p;
  mpz_init_set(rest, n);
  mpz_init(p);
  for (unsigned long d = 2; d < TRIAL_LIMIT && mpz_cmp_ui(rest, d * d) >= 0;
       d += d == 2 ? 1 : 2) {
    if (d > TRIAL_LIMIT_BIG && mpz_sizeinbase(rest, 2) > 63) {
      break; /* too slow for large numbers */
    }
    if (mpz_divisible_ui_p(rest, d) != 0) {
      mpz_set_ui(p, d);
      /* all at once: a power of millions of digits has millions of factors */
      const mp_bitcnt_t multiplicity = mpz_remove(rest, rest, p);
      take_prime_power(parts, p, sign * (long)multiplicity);
    }
  }
  long multiplicity = take_square_and_cube_roots(rest);
  if (mpz_cmp_ui(rest, 1) > 0) {
    take_prime_power(parts, rest, sign * multiplicity);
  }
  mpz_clear(rest);
  mpz_clear(p);
}

static DaeTerm
root_of_number(DaeTerms *terms, DaeTerm base, DaeTerm exponent)
{
  DaeRat b = dae_number_view(terms, base);
  DaeRat e = dae_number_view(terms, exponent);
  RootParts parts = {.terms = terms, .too_big = false};
  dae_rat_init_int(&parts.number, 1);
  dae_list_init(&parts.factors);
  mpq_init(parts.exponent);
  dae_rat_get_mpq(&e, parts.exponent);
  mpq_t q;
  mpq_init(q);
  dae_rat_get_mpq(&b, q);
  take_integer(&parts, mpq_numref(q), 1);
  take_integer(&parts, mpq_denref(q), -1);
  mpq_clear(q);
  DaeTerm result = DAE_NO_TERM;
  if (parts.too_big || dae_rat_bits(&parts.number) > BITS_OF_PARTS) {
    result = store_power(terms, base, exponent);
  } else {
    dae_list_push(&parts.factors, dae_store_number(terms, &parts.number));
    bool single = parts.factors.n == 2 && parts.factors.data[1] == terms->one;
    result = single ? parts.factors.data[0]
                    : dae_term_product(terms, parts.factors.data, parts.factors.n);
  }
  mpq_clear(parts.exponent);
  dae_list_clear(&parts.factors);
  dae_rat_clear(&parts.number);
  return result;
}

DaeTerm
dae_power_of_numbers(DaeTerms *terms, DaeTerm base, DaeTerm exponent)
{
  DaeRat b = dae_number_view(terms, base);
  DaeRat e = dae_number_view(terms, exponent);
  int sign = dae_rat_sign(&b);
  if (sign == 0) {
    return dae_rat_sign(&e) < 0 ? DAE_NO_TERM : terms->zero;
  }
  if (dae_rat_is_int(&b, 1)) {
    return base;
  }
  if (dae_rat_is_int(&b, -1) && dae_rat_is_integer(&e)) {
    DaeRat half;
    dae_rat_init_ratio(&half, 1, 2);
    dae_rat_mul(&half, &e);
    bool even = dae_rat_is_integer(&half);
    dae_rat_clear(&half);
    return even ? terms->one : base;
  }
  int64_t n = 0;
  if (dae_rat_fits_int64(&e, &n)) {
    if ((double)dae_rat_bits(&b) * fabs((double)n) > POWER_MAX_BITS) {
      return store_power(terms, base, exponent);
    }
    DaeRat power;
    dae_rat_init_copy(&power, &b);
    dae_rat_pow(&power, n);
    DaeTerm result = dae_store_number(terms, &power);
    dae_rat_clear(&power);
    return result;
  }
  if (sign < 0 || dae_rat_is_integer(&e) || e.big != NULL) {
    return store_power(terms, base, exponent);
  }
  return root_of_number(terms, base, exponent);
}

/* ---- terms ------------------------------------------------------------------------------- */

/* Is the number in front of a product, or of the first summand that is no number, negative? */
bool
dae_power_base_is_negative(const DaeTerms *terms, DaeTerm base)
{
  const DaeNode *node = dae_node(terms, base);
  DaeTerm first = base;
  if (node->kind == DAE_KIND_SUM) {
    const DaeTerm *operands = dae_node_operands(node);
    first = operands[dae_is_kind(terms, operands[0], DAE_KIND_NUMBER) ? 1 : 0];
  } else if (node->kind != DAE_KIND_PRODUCT) {
    return false;
  }
  DaeRat number = dae_coefficient_view(terms, first);
  return dae_rat_sign(&number) < 0;
}

/* NOLINTBEGIN(misc-no-recursion): bounded, see integer_power */

/* base^n without taking it apart, but for its sign. */
static DaeTerm
whole_power(DaeTerms *terms, DaeTerm base, DaeTerm exponent, int64_t n)
{
  if (!dae_power_base_is_negative(terms, base)) {
    return store_power(terms, base, exponent);
  }
  DaeTerm power = dae_term_pow(terms, dae_term_neg(terms, base), exponent);
  return n % 2 == 0 ? power : dae_term_neg(terms, power);
}

/* base^n for an integer n of 64 bits other than 0 and 1. The calls nest at most 64 deep: going
 * on inside a power b^p needs an integer p*n, and then p has a denominator (else it would not
 * be nested), which divides n. */
static DaeTerm
integer_power(DaeTerms *terms, DaeTerm base, DaeTerm exponent, int64_t n)
{
  const DaeNode *node = dae_node(terms, base);
  if (node->kind == DAE_KIND_POWER) {
    return dae_term_pow(terms, node->u.few[0], dae_term_mul(terms, node->u.few[1], exponent));
  }
  if (n > DAE_POWER_MOST_SPLIT || n < -DAE_POWER_MOST_SPLIT) {
    return whole_power(terms, base, exponent, n);
  }
  if (node->kind == DAE_KIND_PRODUCT) {
    DaeList factors;
    dae_list_init(&factors);
    const DaeTerm *operands = dae_node_operands(node);
    for (uint32_t i = 0; i < node->n; i++) {
      dae_list_push(&factors, dae_term_pow(terms, operands[i], exponent));
    }
    DaeTerm result = dae_term_product(terms, factors.data, factors.n);
    dae_list_clear(&factors);
    return result;
  }
  if (node->kind == DAE_KIND_SUM) {
    DaeRat content;
    DaeTerm primitive = dae_build_primitive(terms, base, &content);
    DaeTerm power = store_power(terms, primitive, exponent);
    if (!dae_rat_is_int(&content, 1)) {
      DaeTerm number = dae_store_number(terms, &content);
      power = dae_term_mul(terms, dae_power_of_numbers(terms, number, exponent), power);
    }
    dae_rat_clear(&content);
    return power;
  }
  return store_power(terms, base, exponent);
}

DaeTerm
dae_term_pow(DaeTerms *terms, DaeTerm base, DaeTerm exponent)
{
  if (base == DAE_NO_TERM || exponent == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  if (exponent == terms->zero) {
    return terms->one;
  }
  if (exponent == terms->one || base == terms->one) {
    return base;
  }
  if (!dae_is_kind(terms, exponent, DAE_KIND_NUMBER)) {
    return store_power(terms, base, exponent);
  }
  if (dae_is_kind(terms, base, DAE_KIND_NUMBER)) {
    return dae_power_of_numbers(terms, base, exponent);
  }
  int64_t n = 0;
  if (dae_term_get_int64(terms, exponent, &n)) {
    return integer_power(terms, base, exponent, n);
  }
  return store_power(terms, base, exponent);
}

/* NOLINTEND(misc-no-recursion) */

DaeTerm
dae_term_pow_int(DaeTerms *terms, DaeTerm base, int64_t exponent)
{
  return dae_term_pow(terms, base, dae_term_int(terms, exponent));
}

DaeTerm
dae_term_sqrt(DaeTerms *terms, DaeTerm a)
{
  return dae_term_pow(terms, a, dae_term_ratio(terms, 1, 2));
}
