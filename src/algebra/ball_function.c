/* Balls of functions: one kernel for each function of the registry that is computed from
 * numbers. */
#include "algebra/algebra-priv.h"

/* Enclosures of one function for each of its arguments; false: none. */
typedef bool (*BallFunction)(arb_t out, arb_srcptr const *x, slong precision);

#define BALL(NAME, ...)                                                                        \
  static bool ball_##NAME(arb_t out, arb_srcptr const *x, slong precision)                     \
  {                                                                                            \
    (void)precision;                                                                           \
    __VA_ARGS__;                                                                               \
    return true;                                                                               \
  }

BALL(sin, arb_sin(out, x[0], precision))
BALL(cos, arb_cos(out, x[0], precision))
BALL(tan, arb_tan(out, x[0], precision))
BALL(asin, arb_asin(out, x[0], precision))
BALL(acos, arb_acos(out, x[0], precision))
BALL(atan, arb_atan(out, x[0], precision))
BALL(sinh, arb_sinh(out, x[0], precision))
BALL(cosh, arb_cosh(out, x[0], precision))
BALL(tanh, arb_tanh(out, x[0], precision))
BALL(exp, arb_exp(out, x[0], precision))
BALL(abs, arb_abs(out, x[0]))
BALL(min, arb_min(out, x[0], x[1], precision))
BALL(max, arb_max(out, x[0], x[1], precision))
BALL(pi, (void)x; arb_const_pi(out, precision))

static bool
ball_log(arb_t out, arb_srcptr const *x, slong precision)
{
  arb_log(out, x[0], precision);
  return arb_is_positive(x[0]);
}

static bool
ball_log10(arb_t out, arb_srcptr const *x, slong precision)
{
  arb_log_base_ui(out, x[0], 10, precision);
  return arb_is_positive(x[0]);
}

/* Across the cut or around the origin there is no enclosure worth having; at it, 0 (base). */
static bool
ball_atan2(arb_t out, arb_srcptr const *x, slong precision)
{
  if (arb_is_zero(x[0]) && arb_is_zero(x[1])) {
    arb_zero(out);
    return true;
  }
  if (arb_contains_zero(x[0]) && !arb_is_positive(x[1]) &&
      !(arb_is_zero(x[0]) && arb_is_negative(x[1]))) {
    return false;
  }
  arb_atan2(out, x[0], x[1], precision);
  return true;
}

static bool
ball_sign(arb_t out, arb_srcptr const *x, slong precision)
{
  (void)precision;
  bool is_known = arb_is_zero(x[0]) || arb_is_positive(x[0]) || arb_is_negative(x[0]);
  arb_set_si(out, arb_is_positive(x[0]) ? 1 : arb_is_negative(x[0]) ? -1 : 0);
  return is_known;
}

/* Across a jump there is no enclosure: its derivative, 0 on both sides, would not tell of it. */
static bool
ball_floor(arb_t out, arb_srcptr const *x, slong precision)
{
  arb_floor(out, x[0], precision);
  return arb_is_exact(out);
}

static bool
ball_ceil(arb_t out, arb_srcptr const *x, slong precision)
{
  arb_ceil(out, x[0], precision);
  return arb_is_exact(out);
}

static bool
ball_mod(arb_t out, arb_srcptr const *x, slong precision)
{
  arb_div(out, x[0], x[1], precision);
  arb_floor(out, out, precision);
  bool is_known = arb_is_exact(out);
  arb_mul(out, out, x[1], precision);
  arb_sub(out, x[0], out, precision);
  return is_known;
}

/* Quotient rounded toward zero. */
static bool
ball_div(arb_t out, arb_srcptr const *x, slong precision)
{
  arb_div(out, x[0], x[1], precision);
  if (arb_is_nonnegative(out)) {
    arb_floor(out, out, precision);
    return arb_is_exact(out);
  }
  if (arb_is_nonpositive(out)) {
    arb_ceil(out, out, precision);
    return arb_is_exact(out);
  }
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, out);
  bool inside = mag_cmp_2exp_si(bound, 0) < 0;
  mag_clear(bound);
  arb_zero(out);
  return inside;
}

static bool
ball_rem(arb_t out, arb_srcptr const *x, slong precision)
{
  if (!ball_div(out, x, precision)) {
    return false;
  }
  arb_mul(out, out, x[1], precision);
  arb_sub(out, x[0], out, precision);
  return true;
}

static bool
ball_semilinear(arb_t out, arb_srcptr const *x, slong precision)
{
  if (!arb_is_nonnegative(x[0]) && !arb_is_negative(x[0])) {
    return false;
  }
  arb_mul(out, x[0], x[arb_is_negative(x[0]) ? 2 : 1], precision);
  return true;
}

static const BallFunction ball_function[DAE_FN_COUNT] = {
    [DAE_FN_SIN] = ball_sin,
    [DAE_FN_COS] = ball_cos,
    [DAE_FN_TAN] = ball_tan,
    [DAE_FN_ASIN] = ball_asin,
    [DAE_FN_ACOS] = ball_acos,
    [DAE_FN_ATAN] = ball_atan,
    [DAE_FN_ATAN2] = ball_atan2,
    [DAE_FN_SINH] = ball_sinh,
    [DAE_FN_COSH] = ball_cosh,
    [DAE_FN_TANH] = ball_tanh,
    [DAE_FN_EXP] = ball_exp,
    [DAE_FN_LOG] = ball_log,
    [DAE_FN_LOG10] = ball_log10,
    [DAE_FN_ABS] = ball_abs,
    [DAE_FN_SIGN] = ball_sign,
    [DAE_FN_MIN] = ball_min,
    [DAE_FN_MAX] = ball_max,
    [DAE_FN_FLOOR] = ball_floor,
    [DAE_FN_CEIL] = ball_ceil,
    [DAE_FN_INTEGER] = ball_floor,
    [DAE_FN_MOD] = ball_mod,
    [DAE_FN_DIV] = ball_div,
    [DAE_FN_REM] = ball_rem,
    [DAE_FN_PI] = ball_pi,
    [DAE_FN_SEMILINEAR] = ball_semilinear,
};

bool
dae_ball_function(DaeFunction f, arb_srcptr const *x, slong precision, arb_t out)
{
  return ball_function[f] != NULL && ball_function[f](out, x, precision);
}
