#include "terms/terms.h"

bool
dae_term_is_literal(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  DaeFunction function = dae_term_function(terms, t);
  int64_t p = 0;
  return function == DAE_FN_NOEVENT ||
         (function == DAE_FN_SMOOTH &&
          dae_term_get_int64(terms, dae_term_operand(terms, t, 0), &p) && p >= 1);
}

bool
dae_term_is_literal_truth(const DaeTerms *terms, DaeTerm t)
{
  int64_t then = 0;
  int64_t otherwise = 0;
  if (!dae_term_is_literal(terms, t)) {
    return false;
  }
  bool is_smooth = dae_term_function(terms, t) == DAE_FN_SMOOTH;
  DaeTerm inner = dae_term_operand(terms, t, is_smooth ? 1 : 0);
  return dae_term_kind(terms, inner) == DAE_KIND_IF &&
         dae_term_get_int64(terms, dae_term_operand(terms, inner, 1), &then) &&
         dae_term_get_int64(terms, dae_term_operand(terms, inner, 2), &otherwise) &&
         then + otherwise == 1 && then * otherwise == 0;
}
