#include "terms/bignum.h"

#include <math.h>

#include "terms/terms-priv.h"

void
dae_term_get_mpq(const DaeTerms *terms, DaeTerm number, mpq_t out)
{
  DaeRat value = dae_number_view(terms, number);
  dae_rat_get_mpq(&value, out);
}

DaeTerm
dae_term_from_mpq(DaeTerms *terms, const mpq_t value)
{
  DaeRat number;
  dae_rat_init_mpq(&number, value);
  DaeTerm result = dae_store_number(terms, &number);
  dae_rat_clear(&number);
  return result;
}

mpq_t *
dae_bignum_keep(DaeTerms *terms, const DaeRat *value)
{
  DaeRat copy;
  dae_rat_init_copy(&copy, value);
  g_ptr_array_add(terms->bigs, copy.big);
  return copy.big;
}

uint64_t
dae_bignum_work(const DaeRat *value)
{
  double words = (double)(dae_rat_bits(value) / 64 + 1);
  return (uint64_t)(words * sqrt(words));
}

uint64_t
dae_terms_long_work(const DaeTerms *terms)
{
  return terms->long_work;
}
