/* Terms over independent kernels. */
#include "algebra/algebra-priv.h"

DaeTerm
dae_lower(DaeAlgebra *algebra, DaeTerm t)
{
  return dae_terms_rewrite(algebra->terms, t);
}
