/* Functions of one argument and their slopes at balls, each written for Arb: no fact of the
 * registry is trusted. */
#include "proofcheck/ball_walk.h"

/* 1/sqrt(1 - x^2) times a sign, for asin and acos. */
static void
arc_slope(arb_t slope, const arb_t x, int sign, slong precision)
{
  arb_mul(slope, x, x, precision);
  arb_sub_si(slope, slope, 1, precision);
  arb_neg(slope, slope);
  arb_rsqrt(slope, slope, precision);
  arb_mul_si(slope, slope, sign, precision);
}

static bool
circular(DaeFunction f, const arb_t x, arb_t value, arb_t slope, slong precision)
{
  switch ((int)f) {
  case DAE_FN_SIN:
    arb_sin_cos(value, slope, x, precision);
    return true;
  case DAE_FN_COS:
    arb_sin_cos(slope, value, x, precision);
    arb_neg(slope, slope);
    return true;
  case DAE_FN_TAN:
    arb_tan(value, x, precision);
    arb_mul(slope, value, value, precision);
    arb_add_si(slope, slope, 1, precision);
    return true;
  case DAE_FN_ASIN:
    arb_asin(value, x, precision);
    arc_slope(slope, x, 1, precision);
    return true;
  case DAE_FN_ACOS:
    arb_acos(value, x, precision);
    arc_slope(slope, x, -1, precision);
    return true;
  case DAE_FN_ATAN:
    arb_atan(value, x, precision);
    arb_mul(slope, x, x, precision);
    arb_add_si(slope, slope, 1, precision);
    arb_inv(slope, slope, precision);
    return true;
  default:
    return false;
  }
}

static bool
exponential(DaeFunction f, const arb_t x, arb_t value, arb_t slope, slong precision)
{
  switch ((int)f) {
  case DAE_FN_EXP:
    arb_exp(value, x, precision);
    arb_set(slope, value);
    return true;
  case DAE_FN_SINH:
    arb_sinh_cosh(value, slope, x, precision);
    return true;
  case DAE_FN_COSH:
    arb_sinh_cosh(slope, value, x, precision);
    return true;
  case DAE_FN_TANH:
    arb_tanh(value, x, precision);
    arb_mul(slope, value, value, precision);
    arb_sub_si(slope, slope, 1, precision);
    arb_neg(slope, slope);
    return true;
  case DAE_FN_LOG:
    arb_log(value, x, precision);
    arb_inv(slope, x, precision);
    return true;
  case DAE_FN_LOG10:
    arb_log_base_ui(value, x, 10, precision);
    arb_const_log10(slope, precision);
    arb_mul(slope, slope, x, precision);
    arb_inv(slope, slope, precision);
    return true;
  default:
    return false;
  }
}

/* abs, sign, noEvent: by the sign of the argument. */
static bool
by_sign(DaeFunction f, const arb_t x, arb_t value, arb_t slope)
{
  int sign = arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : 0;
  if (f == DAE_FN_NOEVENT) {
    arb_set(value, x);
    arb_one(slope);
    return true;
  }
  if ((f != DAE_FN_ABS && f != DAE_FN_SIGN) || (sign == 0 && !arb_is_zero(x))) {
    return false;
  }
  if (f == DAE_FN_ABS) {
    arb_abs(value, x);
    arb_set_si(slope, sign);
  } else {
    arb_set_si(value, sign);
    arb_zero(slope);
  }
  if (sign == 0) { /* no derivative at the corner */
    arb_indeterminate(slope);
  }
  return true;
}

/* floor, integer, ceil: one whole number for all of the ball, or none. */
static bool
by_rounding(DaeFunction f, const arb_t x, arb_t value, arb_t slope, slong precision)
{
  if (f == DAE_FN_FLOOR || f == DAE_FN_INTEGER) {
    arb_floor(value, x, precision);
  } else if (f == DAE_FN_CEIL) {
    arb_ceil(value, x, precision);
  } else {
    return false;
  }
  arb_zero(slope);
  if (arb_contains_int(x)) { /* no derivative at the jump */
    arb_indeterminate(slope);
  }
  return arb_is_exact(value);
}

bool
dae_ball_walk_function(DaeFunction f, const arb_t x, arb_t value, arb_t slope, slong precision)
{
  return circular(f, x, value, slope, precision) ||
         exponential(f, x, value, slope, precision) || by_sign(f, x, value, slope) ||
         by_rounding(f, x, value, slope, precision);
}
