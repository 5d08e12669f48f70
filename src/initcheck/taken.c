/* Signs at the given values of the parameters, and values that bounded functions take. */
#include "initcheck/initcheck-priv.h"

bool
ic_sign_at_values(IcEngine *engine, DaeTerm t, int *sign)
{
  IcSystem *sys = engine->sys;
  if (dae_algebra_sign(sys->algebra, t, sign)) {
    return true;
  }
  DaeTerm value = ic_at_values(sys, t);
  if (value != DAE_NO_TERM && value != t && dae_algebra_sign(sys->algebra, value, sign)) {
    bool strict = false; /* where it may vanish for other values the formulas stay the same */
    engine->used_values |=
        *sign == 0 || dae_algebra_definite(sys->algebra, t, &strict) != *sign;
    return true;
  }
  return false;
}

static bool
is_nonnegative_for_all(IcEngine *engine, DaeTerm t)
{
  bool strict = false;
  return dae_algebra_definite(engine->sys->algebra, t, &strict) == 1;
}

/* The ends of the values of asin, acos, atan, tanh. */
static void
find_ends(DaeTerms *terms, DaeFunction function, DaeTerm *low, DaeTerm *high)
{
  const DaeTerm pi = dae_term_pi(terms);
  *high = function == DAE_FN_TANH   ? dae_term_int(terms, 1)
          : function == DAE_FN_ACOS ? pi
                                    : dae_term_mul(terms, dae_term_ratio(terms, 1, 2), pi);
  *low = function == DAE_FN_ACOS ? dae_term_int(terms, 0) : dae_term_neg(terms, *high);
}

/* Rational numbers within the ends, near enough: whatever lies between them is taken, and signs of
 * sums with pi are rarely proved for all parameter values. */
static bool
is_within_for_all(IcEngine *engine, DaeFunction function, DaeTerm v)
{
  DaeTerms *terms = engine->sys->terms;
  DaeTerm high = function == DAE_FN_TANH   ? dae_term_ratio(terms, 999, 1000)
                 : function == DAE_FN_ACOS ? dae_term_ratio(terms, 314, 100)
                                           : dae_term_ratio(terms, 157, 100);
  DaeTerm low = function == DAE_FN_ACOS ? dae_term_int(terms, 0) : dae_term_neg(terms, high);
  return is_nonnegative_for_all(engine, dae_term_sub(terms, v, low)) &&
         is_nonnegative_for_all(engine, dae_term_sub(terms, high, v));
}

bool
ic_takes_value(IcEngine *engine, DaeFunction function, DaeTerm v, bool *is_taken)
{
  DaeTerms *terms = engine->sys->terms;
  DaeTerm low = DAE_NO_TERM;
  DaeTerm high = DAE_NO_TERM;
  int above = 0;
  int below = 0;
  *is_taken = is_within_for_all(engine, function, v);
  if (*is_taken) {
    return true;
  }
  find_ends(terms, function, &low, &high);
  low = dae_term_sub(terms, v, low);
  high = dae_term_sub(terms, high, v);
  if (!ic_sign_at_values(engine, low, &above) || !ic_sign_at_values(engine, high, &below)) {
    return false;
  }
  const bool is_open = function == DAE_FN_ATAN || function == DAE_FN_TANH;
  const bool may_vary = ic_has_unknown(engine->sys, v) || dae_term_has_parameters(terms, v);
  *is_taken = above >= 0 && below >= 0 && !(is_open && (above == 0 || below == 0));
  engine->used_values |= may_vary;
  return true;
}
