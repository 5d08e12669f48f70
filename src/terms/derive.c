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

/* ---- functions ----------------------------------------------------------------------------- */

/* df/du_i of t = f(u). */
typedef DaeTerm (*Derivative)(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i);

#define DERIVATIVE(NAME, RESULT)                                                               \
  static DaeTerm NAME(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)                \
  {                                                                                            \
    (void)terms, (void)t, (void)u, (void)i;                                                    \
    return RESULT;                                                                             \
  }

DERIVATIVE(of_nothing, terms->zero)
DERIVATIVE(of_sin, dae_term_call1(terms, DAE_FN_COS, u[0]))
DERIVATIVE(of_cos, dae_term_neg(terms, dae_term_call1(terms, DAE_FN_SIN, u[0])))
DERIVATIVE(of_tan, one_plus_square(terms, t))
DERIVATIVE(of_asin, inverse_root(terms, one_minus_square(terms, u[0])))
DERIVATIVE(of_acos, dae_term_neg(terms, inverse_root(terms, one_minus_square(terms, u[0]))))
DERIVATIVE(of_atan, inverse(terms, one_plus_square(terms, u[0])))
DERIVATIVE(of_sinh, dae_term_call1(terms, DAE_FN_COSH, u[0]))
DERIVATIVE(of_cosh, dae_term_call1(terms, DAE_FN_SINH, u[0]))
DERIVATIVE(of_tanh, one_minus_square(terms, t))
DERIVATIVE(of_exp, t)
DERIVATIVE(of_log, inverse(terms, u[0]))
DERIVATIVE(of_log10, derive_log10(terms, u[0]))
DERIVATIVE(of_abs, dae_term_call1(terms, DAE_FN_SIGN, u[0]))

/* 1 where the relation holds, else 0 (swapped if negate). */
static DaeTerm
indicator(DaeTerms *terms, DaeTerm condition, bool negate)
{
  return dae_term_if(terms, condition, negate ? terms->zero : terms->one,
                     negate ? terms->one : terms->zero);
}

DERIVATIVE(of_min, indicator(terms, dae_term_relation(terms, DAE_REL_LE, u[0], u[1]), i == 1))
DERIVATIVE(of_max, indicator(terms, dae_term_relation(terms, DAE_REL_GE, u[0], u[1]), i == 1))

static DaeTerm
of_atan2(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)
{
  (void)t;
  DaeTerm norm =
      dae_term_add(terms, dae_term_pow_int(terms, u[1], 2), dae_term_pow_int(terms, u[0], 2));
  return dae_term_div(terms, i == 0 ? u[1] : dae_term_neg(terms, u[0]), norm);
}

/* mod and rem: 1, and minus the whole quotient. */
static DaeTerm
of_rest(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)
{
  if (i == 0) {
    return terms->one;
  }
  bool is_mod = dae_term_function(terms, t) == DAE_FN_MOD;
  return dae_term_neg(
      terms, is_mod ? dae_term_call1(terms, DAE_FN_FLOOR, dae_term_div(terms, u[0], u[1]))
                    : dae_term_call2(terms, DAE_FN_DIV, u[0], u[1]));
}

/* smooth, noEvent, homotopy have the value of one operand. */
static DaeTerm
of_mark(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)
{
  (void)u;
  uint8_t value = dae_function_facts(dae_term_function(terms, t))->value_operand;
  return i == value ? terms->one : terms->zero;
}

static DaeTerm
of_semilinear(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)
{
  (void)t;
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
of_select(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)
{
  (void)t;
  return i == 0 ? terms->zero
                : indicator(terms,
                            dae_term_relation(terms, DAE_REL_EQ, u[0],
                                              dae_term_int(terms, (int64_t)i)),
                            false);
}

static DaeTerm
of_routine(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)
{
  (void)u;
  return i < 2 ? terms->zero : dae_term_routine_partial(terms, t, i - 2);
}

static const Derivative derivatives[DAE_FN_COUNT] = {
    [DAE_FN_SIN] = of_sin,        [DAE_FN_COS] = of_cos,
    [DAE_FN_TAN] = of_tan,        [DAE_FN_ASIN] = of_asin,
    [DAE_FN_ACOS] = of_acos,      [DAE_FN_ATAN] = of_atan,
    [DAE_FN_ATAN2] = of_atan2,    [DAE_FN_SINH] = of_sinh,
    [DAE_FN_COSH] = of_cosh,      [DAE_FN_TANH] = of_tanh,
    [DAE_FN_EXP] = of_exp,        [DAE_FN_LOG] = of_log,
    [DAE_FN_LOG10] = of_log10,    [DAE_FN_ABS] = of_abs,
    [DAE_FN_SIGN] = of_nothing,   [DAE_FN_MIN] = of_min,
    [DAE_FN_MAX] = of_max,        [DAE_FN_FLOOR] = of_nothing,
    [DAE_FN_CEIL] = of_nothing,   [DAE_FN_INTEGER] = of_nothing,
    [DAE_FN_MOD] = of_rest,       [DAE_FN_DIV] = of_nothing,
    [DAE_FN_REM] = of_rest,       [DAE_FN_SMOOTH] = of_mark,
    [DAE_FN_NOEVENT] = of_mark,   [DAE_FN_HOMOTOPY] = of_mark,
    [DAE_FN_PI] = of_nothing,     [DAE_FN_SEMILINEAR] = of_semilinear,
    [DAE_FN_SELECT] = of_select,  [DAE_FN_INTERVAL] = of_nothing,
    [DAE_FN_LOOKUP] = of_nothing, [DAE_FN_ROUTINE] = of_routine,
};

static DaeTerm
derive_call(DaeTerms *terms, DaeTerm t, const DaeTerm *u, uint32_t i)
{
  Derivative derivative = derivatives[dae_term_function(terms, t)];
  DAE_ASSERT(derivative != NULL);
  return derivative(terms, t, u, i);
}

/* ---- terms --------------------------------------------------------------------------------- */

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
dae_power_of_choice(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_POWER ||
      !dae_term_is_number(terms, dae_term_operand(terms, t, 1))) {
    return DAE_NO_TERM;
  }
  DaeTerm base = dae_term_operand(terms, t, 0);
  if (dae_term_kind(terms, base) == DAE_KIND_CALL &&
      dae_term_function(terms, base) == DAE_FN_NOEVENT) {
    base = dae_term_operand(terms, base, 0);
  }
  if (dae_term_kind(terms, base) != DAE_KIND_IF) {
    return DAE_NO_TERM;
  }
  bool has_number = dae_term_is_number(terms, dae_term_operand(terms, base, 1)) ||
                    dae_term_is_number(terms, dae_term_operand(terms, base, 2));
  return has_number ? base : DAE_NO_TERM;
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
