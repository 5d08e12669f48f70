/* Rational numbers between terms and FLINT, and the pseudo-random values of atoms. */
#include "algebra/algebra-priv.h"

#include "terms/bignum.h"

bool
dae_term_is_atom(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_VARIABLE || kind == DAE_KIND_PARAMETER || kind == DAE_KIND_TIME;
}

void
dae_number_get_fmpq(DaeTerms *terms, DaeTerm t, fmpq_t value)
{
  DAE_ASSERT(dae_term_kind(terms, t) == DAE_KIND_NUMBER);
  int64_t small = 0;
  if (dae_term_get_int64(terms, t, &small)) {
    fmpq_set_si(value, small, 1);
    return;
  }
  mpq_t q;
  mpq_init(q);
  dae_term_get_mpq(terms, t, q);
  fmpq_set_mpq(value, q);
  mpq_clear(q);
}

DaeTerm
dae_number_from_fmpq(DaeTerms *terms, const fmpq_t value)
{
  if (fmpz_is_one(fmpq_denref(value)) && fmpz_fits_si(fmpq_numref(value))) {
    return dae_term_int(terms, fmpz_get_si(fmpq_numref(value)));
  }
  mpq_t q;
  mpq_init(q);
  fmpq_get_mpq(q, value);
  DaeTerm t = dae_term_from_mpq(terms, q);
  mpq_clear(q);
  return t;
}

DaeTerm
dae_number_from_fmpz(DaeTerms *terms, const fmpz_t value)
{
  if (fmpz_fits_si(value)) {
    return dae_term_int(terms, fmpz_get_si(value));
  }
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_fmpz(q, value);
  DaeTerm t = dae_number_from_fmpq(terms, q);
  fmpq_clear(q);
  return t;
}

DaeTerm
dae_number_split(DaeTerms *terms, DaeTerm t, fmpq_t coefficient)
{
  fmpq_one(coefficient);
  if (dae_term_is_number(terms, t)) {
    dae_number_get_fmpq(terms, t, coefficient);
    return dae_term_int(terms, 1);
  }
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return t;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  if (!dae_term_is_number(terms, operands[0])) {
    return t;
  }
  dae_number_get_fmpq(terms, operands[0], coefficient);
  return dae_term_product(terms, operands + 1, n - 1);
}

bool
dae_number_is_small(DaeTerms *terms, DaeTerm t, int64_t limit, int64_t *p, int64_t *q)
{
  if (!dae_term_is_number(terms, t)) {
    return false;
  }
  *q = 1;
  if (dae_term_get_int64(terms, t, p)) {
    return *p >= -limit && *p <= limit;
  }
  fmpq_t value;
  fmpq_init(value);
  dae_number_get_fmpq(terms, t, value);
  bool small = fmpz_fits_si(fmpq_numref(value)) && fmpz_fits_si(fmpq_denref(value));
  if (small) {
    *p = fmpz_get_si(fmpq_numref(value));
    *q = fmpz_get_si(fmpq_denref(value));
    small = *p >= -limit && *p <= limit && *q <= limit;
  }
  fmpq_clear(value);
  return small;
}

/* The finalizer of splitmix64: a bijection of 64-bit words without visible structure. */
static uint64_t
scramble(uint64_t x)
{
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

uint64_t
dae_atom_random(DaeTerms *terms, DaeTerm atom, uint32_t point)
{
  uint64_t key = 0;
  DaeKind kind = dae_term_kind(terms, atom);
  if (kind != DAE_KIND_TIME) {
    key = 1 + (uint64_t)dae_term_get_symbol(terms, atom);
  }
  if (kind == DAE_KIND_VARIABLE) {
    key = scramble(key) + dae_term_order(terms, atom);
  }
  return scramble(scramble(key) ^ ((uint64_t)point << 32) ^ (uint64_t)kind);
}
