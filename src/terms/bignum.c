#include "terms/bignum.h"

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
