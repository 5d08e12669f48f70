/* Outer derivatives: for f(u1, ..., un) the terms df/dui. The one table that
 * diff.c and gradient.c share.
 *
 * Piecewise: abs has sign, min, max, semiLinear and if differentiate the branch taken; sign,
 * floor, ceil, integer and div are constant between their jumps. mod(x,y) = x - floor(x/y)*y
 * and rem(x,y) = x - div(x,y)*y.
 */
#include "terms/routines.h"
#include "terms/terms-priv.h"

static DaeTerm
one_minus_square(DaeTerms *terms, DaeTerm u)
{
  return dae_term_sub(terms, terms->one, dae_term_pow_int(terms, u, 2));
}

static DaeTerm
one_plus_square(DaeTerms *terms, DaeTerm u)
{
  return dae_term_add(terms, terms->one, dae_term_pow_int(terms, u, 2));
}

static DaeTerm
inverse_root(DaeTerms *terms, DaeTerm u)
{
  return dae_term_pow(terms, u, dae_term_ratio(terms, -1, 2));
}

static DaeTerm
inverse(DaeTerms *terms, DaeTerm u)
{
  return dae_term_pow(terms, u, terms->minus_one);
}

/* 1/(u*log(10)) */
static DaeTerm
derive_log10(DaeTerms *terms, DaeTerm u)
{
  DaeTerm log_of_ten = dae_term_call1(terms, DAE_FN_LOG, dae_term_int(terms, 10));
  return inverse(terms, dae_term_mul(terms, u, log_of_ten));
}

static DaeTerm
derive_of_one_operand(DaeTerms *terms, DaeFunction function, DaeTerm t, DaeTerm u)
{
  switch (function) {
  case DAE_FN_SIN:
    return dae_term_call1(terms, DAE_FN_COS, u);
  case DAE_FN_COS:
    return dae_term_neg(terms, dae_term_call1(terms, DAE_FN_SIN, u));
  case DAE_FN_TAN:
    return one_plus_square(terms, t);
  case DAE_FN_ASIN:
    return inverse_root(terms, one_minus_square(terms, u));
  case DAE_FN_ACOS:
    return dae_term_neg(terms, inverse_root(terms, one_minus_square(terms, u)));
  case DAE_FN_ATAN:
    return inverse(terms, one_plus_square(terms, u));
  case DAE_FN_SINH:
    return dae_term_call1(terms, DAE_FN_COSH, u);
  case DAE_FN_COSH:
    return dae_term_call1(terms, DAE_FN_SINH, u);
  case DAE_FN_TANH:
    return one_minus_square(terms, t);
  case DAE_FN_EXP:
    return t;
  case DAE_FN_LOG:
    return inverse(terms, u);
  case DAE_FN_LOG10:
    return derive_log10(terms, u);
  case DAE_FN_ABS:
    return dae_term_call1(terms, DAE_FN_SIGN, u);
  case DAE_FN_NOEVENT:
    return terms->one;
  case DAE_FN_SIGN:
  case DAE_FN_FLOOR:
  case DAE_FN_CEIL:
  case DAE_FN_INTEGER:
  case DAE_FN_ATAN2:
  case DAE_FN_MIN:
  case DAE_FN_MAX:
  case DAE_FN_MOD:
  case DAE_FN_DIV:
  case DAE_FN_REM:
  case DAE_FN_SMOOTH:
  case DAE_FN_HOMOTOPY:
  case DAE_FN_SEMILINEAR:
  case DAE_FN_PI:
  case DAE_FN_SELECT:
  case DAE_FN_INTERVAL:
  case DAE_FN_LOOKUP:
  case DAE_FN_ROUTINE:
  case DAE_FN_COUNT:
    return terms->zero;
  }
  return terms->zero;
}

/* 1 where the relation holds, else 0 (swapped if negate). */
static DaeTerm
indicator(DaeTerms *terms, DaeTerm condition, bool negate)
{
  return dae_term_if(terms, condition, negate ? terms->zero : terms->one,
                     negate ? terms->one : terms->zero);
}

static DaeTerm
derive_atan2(DaeTerms *terms, DaeTerm y, DaeTerm x, uint32_t i)
{
  DaeTerm norm =
      dae_term_add(terms, dae_term_pow_int(terms, x, 2), dae_term_pow_int(terms, y, 2));
  return dae_term_div(terms, i == 0 ? x : dae_term_neg(terms, y), norm);
}

static DaeTerm
derive_semilinear(DaeTerms *terms, const DaeTerm *u, uint32_t i)
{
  DaeTerm condition = dae_term_relation(terms, DAE_REL_GE, u[0], terms->zero);
  switch (i) {
  case 0:
    return dae_term_if(terms, condition, u[1], u[2]);
  case 1:
    return dae_term_if(terms, condition, u[0], terms->zero);
  default:
    return dae_term_if(terms, condition, terms->zero, u[0]);
  }
}

static DaeTerm
derive_call(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)
{
  DaeFunction function = dae_term_function(terms, t);
  switch (function) {
  case DAE_FN_ATAN2:
    return derive_atan2(terms, u[0], u[1], i);
  case DAE_FN_MIN:
    return indicator(terms, dae_term_relation(terms, DAE_REL_LE, u[0], u[1]), i == 1);
  case DAE_FN_MAX:
    return indicator(terms, dae_term_relation(terms, DAE_REL_GE, u[0], u[1]), i == 1);
  case DAE_FN_MOD:
    return i == 0 ? terms->one
                  : dae_term_neg(terms, dae_term_call1(terms, DAE_FN_FLOOR,
                                                       dae_term_div(terms, u[0], u[1])));
  case DAE_FN_REM:
    return i == 0 ? terms->one
                  : dae_term_neg(terms, dae_term_call2(terms, DAE_FN_DIV, u[0], u[1]));
  case DAE_FN_SMOOTH:
    return i == 1 ? terms->one : terms->zero;
  case DAE_FN_HOMOTOPY:
    return i == 0 ? terms->one : terms->zero; /* its value is the first operand */
  case DAE_FN_SEMILINEAR:
    return derive_semilinear(terms, u, i);
  case DAE_FN_SELECT:
    return i == 0 ? terms->zero
                  : indicator(terms,
                              dae_term_relation(terms, DAE_REL_EQ, u[0],
                                                dae_term_int(terms, (int64_t)i)),
                              false);
  case DAE_FN_INTERVAL:
  case DAE_FN_LOOKUP:
    return terms->zero;
  case DAE_FN_ROUTINE:
    return i < 2 ? terms->zero : dae_term_routine_partial(terms, t, i - 2);
  case DAE_FN_SIN:
  case DAE_FN_COS:
  case DAE_FN_TAN:
  case DAE_FN_ASIN:
  case DAE_FN_ACOS:
  case DAE_FN_ATAN:
  case DAE_FN_SINH:
  case DAE_FN_COSH:
  case DAE_FN_TANH:
  case DAE_FN_EXP:
  case DAE_FN_LOG:
  case DAE_FN_LOG10:
  case DAE_FN_ABS:
  case DAE_FN_SIGN:
  case DAE_FN_FLOOR:
  case DAE_FN_CEIL:
  case DAE_FN_INTEGER:
  case DAE_FN_DIV:
  case DAE_FN_NOEVENT:
  case DAE_FN_PI:
  case DAE_FN_COUNT:
    return derive_of_one_operand(terms, function, t, u[0]);
  }
  return terms->zero;
}

/* b*a^(b-1) for the base, a^b*log(a) for the exponent. */
static DaeTerm
derive_power(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)
{
  if (i == 1) {
    return dae_term_mul(terms, t, dae_term_call1(terms, DAE_FN_LOG, u[0]));
  }
  DaeTerm lower = dae_term_pow(terms, u[0], dae_term_sub(terms, u[1], terms->one));
  return dae_term_mul(terms, u[1], lower);
}

DaeTerm
dae_derive_outer(DaeTerms *terms, DaeTerm t, uint32_t i)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  DAE_ASSERT(i < n);
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_POWER:
    return derive_power(terms, t, u, i);
  case DAE_KIND_CALL:
    return derive_call(terms, t, u, i);
  case DAE_KIND_IF:
    return i == 0 ? terms->zero : indicator(terms, u[0], i == 2);
  case DAE_KIND_SUM:
    return terms->one;
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_PRODUCT: /* by its users, all factors at once */
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return terms->zero;
  }
  return terms->zero;
}
