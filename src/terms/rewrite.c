/* Engine of the rewriting. */
#include "terms/terms-priv.h"

DaeTerm
dae_terms_rewrite(DaeTerms *terms, DaeTerm t)
{
  DAE_ASSERT(t == DAE_NO_TERM || t <= terms->count);
  return t;
}
