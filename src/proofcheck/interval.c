/* Intervals of real numbers whose ends are doubles, computed by Arb and rounded outward. */
#include "proofcheck/interval.h"

#include <math.h>

#include "algebra/flint-compat.h"
#include "terms/bignum.h"

const Interval dae_interval_whole = {-INFINITY, INFINITY, false, false, false};

#define PRECISION 96 /* of an end before it is rounded to a double */

bool
dae_interval_excludes_zero(Interval a)
{
  return a.low > 0.0 || a.high < 0.0 || (a.keeps_off_zero && (a.low >= 0.0 || a.high <= 0.0));
}

/* ---- ends ------------------------------------------------------------------------------------ */

typedef enum { DOWN, UP } Way;

static arf_rnd_t
rounding(Way way)
{
  return way == UP ? ARF_RND_CEIL : ARF_RND_FLOOR;
}

static double
end_of_ball(const arb_t ball, Way way)
{
  arf_t end;
  arf_init(end);
  if (way == UP) {
    arb_get_ubound_arf(end, ball, PRECISION);
  } else {
    arb_get_lbound_arf(end, ball, PRECISION);
  }
  double result =
      arf_is_nan(end) ? (way == UP ? INFINITY : -INFINITY) : arf_get_d(end, rounding(way));
  arf_clear(end);
  return result;
}

typedef int (*Operation)(arf_t, const arf_t, const arf_t, slong, arf_rnd_t);

static double
combine_ends(Operation operation, double a, double b, Way way)
{
  arf_t x;
  arf_t y;
  arf_init(x);
  arf_init(y);
  arf_set_d(x, a);
  arf_set_d(y, b);
  operation(x, x, y, PRECISION, rounding(way));
  double result = arf_get_d(x, rounding(way));
  arf_clear(x);
  arf_clear(y);
  return result;
}

static int
multiply_numbers(arf_t z, const arf_t x, const arf_t y, slong precision, arf_rnd_t rounds)
{
  return arf_mul(z, x, y, precision, rounds); /* a macro */
}

static double
add_ends(double a, double b, Way way)
{
  return isinf(a) || isinf(b) ? a + b : combine_ends(arf_add, a, b, way);
}

static double
multiply_ends(double a, double b, Way way)
{
  if (a == 0.0 || b == 0.0 || isinf(a) || isinf(b)) {
    return a == 0.0 || b == 0.0 ? 0.0 : a * b;
  }
  return combine_ends(multiply_numbers, a, b, way);
}

/* f at a finite end; limit: what it tends to at an infinite one. */
static double
function_at(void (*f)(arb_t, const arb_t, slong), double a, double limit, Way way)
{
  if (isinf(a)) {
    return limit;
  }
  arb_t ball;
  arb_init(ball);
  arb_set_d(ball, a);
  f(ball, ball, PRECISION);
  double result = end_of_ball(ball, way);
  arb_clear(ball);
  return result;
}

static double
power_of_end(double a, uint64_t n, Way way)
{
  if (isinf(a)) {
    return n % 2 == 0 ? INFINITY : a;
  }
  arb_t ball;
  arb_init(ball);
  arb_set_d(ball, a);
  arb_pow_ui(ball, ball, n, PRECISION);
  double result = end_of_ball(ball, way);
  arb_clear(ball);
  return result;
}

static double
inverse_of_end(double a, Way way)
{
  if (isinf(a) || a == 0.0) { /* the end of a half-line: of the inverse, too */
    return isinf(a) ? 0.0 : (way == UP ? INFINITY : -INFINITY);
  }
  arb_t ball;
  arb_init(ball);
  arb_set_d(ball, a);
  arb_inv(ball, ball, PRECISION);
  double result = end_of_ball(ball, way);
  arb_clear(ball);
  return result;
}

/* ---- operations ------------------------------------------------------------------------------ */

Interval
dae_interval_of_number(const DaeTerms *terms, DaeTerm number)
{
  mpq_t q;
  fmpq_t f;
  arb_t ball;
  mpq_init(q);
  fmpq_init(f);
  arb_init(ball);
  dae_term_get_mpq(terms, number, q);
  fmpq_set_mpq(f, q);
  arb_set_fmpq(ball, f, PRECISION);
  Interval r = {end_of_ball(ball, DOWN), end_of_ball(ball, UP), !fmpq_is_zero(f), false, false};
  mpq_clear(q);
  fmpq_clear(f);
  arb_clear(ball);
  return r;
}

static Interval
pi_range(void)
{
  arb_t ball;
  arb_init(ball);
  arb_const_pi(ball, PRECISION);
  Interval r = {end_of_ball(ball, DOWN), end_of_ball(ball, UP), false, false, false};
  arb_clear(ball);
  return r;
}

Interval
dae_interval_multiply(Interval a, Interval b)
{
  const double x[2] = {a.low, a.high};
  const double y[2] = {b.low, b.high};
  Interval r = {INFINITY, -INFINITY,
                dae_interval_excludes_zero(a) && dae_interval_excludes_zero(b), false, false};
  for (int i = 0; i < 4; i++) {
    r.low = fmin(r.low, multiply_ends(x[i / 2], y[i % 2], DOWN));
    r.high = fmax(r.high, multiply_ends(x[i / 2], y[i % 2], UP));
  }
  return r;
}

Interval
dae_interval_add(Interval a, Interval b)
{
  bool above = a.low >= 0.0 && b.low >= 0.0;
  bool below = a.high <= 0.0 && b.high <= 0.0;
  Interval r = {add_ends(a.low, b.low, DOWN), add_ends(a.high, b.high, UP), false, false,
                false};
  r.keeps_off_zero =
      (above || below) && (dae_interval_excludes_zero(a) || dae_interval_excludes_zero(b));
  return r;
}

static Interval
natural_power(Interval a, uint64_t n)
{
  if (n % 2 != 0) {
    return (Interval){power_of_end(a.low, n, DOWN), power_of_end(a.high, n, UP),
                      dae_interval_excludes_zero(a), false, false};
  }
  double largest = fmax(fabs(a.low), fabs(a.high));
  double least = a.low <= 0.0 && a.high >= 0.0 ? 0.0 : fmin(fabs(a.low), fabs(a.high));
  return (Interval){power_of_end(least, n, DOWN), power_of_end(largest, n, UP),
                    dae_interval_excludes_zero(a), false, false};
}

Interval
dae_interval_integer_power(Interval a, int64_t n)
{
  Interval natural = natural_power(a, (uint64_t)ABS(n));
  if (n > 0) {
    return natural;
  }
  if (natural.low > 0.0 || natural.high < 0.0) {
    return (Interval){inverse_of_end(natural.high, DOWN), inverse_of_end(natural.low, UP), true,
                      false, false};
  }
  Interval r = {-INFINITY, INFINITY, true, a.low == 0.0 && a.high == 0.0, true};
  if (n % 2 == 0 || a.low >= 0.0) {
    r.low = inverse_of_end(natural.high, DOWN);
  } else if (a.high <= 0.0) {
    r.high = inverse_of_end(natural.low, UP);
  }
  return r;
}

/* An increasing function; at_minus, at_plus: its limits. */
static Interval
increasing(void (*f)(arb_t, const arb_t, slong), Interval a, double at_minus, double at_plus)
{
  return (Interval){function_at(f, a.low, a.low < 0.0 ? at_minus : at_plus, DOWN),
                    function_at(f, a.high, a.high < 0.0 ? at_minus : at_plus, UP), false, false,
                    false};
}

/* The natural logarithm, where there is one. */
static Interval
logarithm(Interval a)
{
  return (Interval){a.low > 0.0 ? function_at(arb_log, a.low, INFINITY, DOWN) : -INFINITY,
                    a.high > 0.0 ? function_at(arb_log, a.high, INFINITY, UP) : INFINITY, false,
                    a.high <= 0.0, a.low <= 0.0};
}

static Interval
exponential(Interval a)
{
  Interval r = increasing(arb_exp, a, 0.0, INFINITY);
  return (Interval){fmax(0.0, r.low), r.high, true, false, false};
}

/* base^exponent = exp(exponent*log(base)); 0 may have a root. An exponent that is no number may be
 * whole somewhere, and then negative bases have values. */
Interval
dae_interval_real_power(Interval base, Interval exponent, bool is_number)
{
  if (!is_number && base.low < 0.0) {
    return (Interval){-INFINITY, INFINITY, false, false, true};
  }
  bool is_partial = base.low < 0.0 || (base.low == 0.0 && exponent.low <= 0.0);
  if (base.high <= 0.0) {
    return (Interval){0.0, 0.0, false, base.high < 0.0 || exponent.high <= 0.0, is_partial};
  }
  Interval r = exponential(dae_interval_multiply(exponent, logarithm(base)));
  r.keeps_off_zero = base.low > 0.0;
  r.is_partial = is_partial;
  return r;
}

/* Of the ball around the interval where that is finite, else between the ends of the wave. */
static Interval
wave(void (*f)(arb_t, const arb_t, slong), Interval a)
{
  Interval r = {-1.0, 1.0, false, false, false};
  if (isinf(a.low) || isinf(a.high)) {
    return r;
  }
  arf_t low;
  arf_t high;
  arb_t ball;
  arf_init(low);
  arf_init(high);
  arb_init(ball);
  arf_set_d(low, a.low);
  arf_set_d(high, a.high);
  arb_set_interval_arf(ball, low, high, PRECISION);
  f(ball, ball, PRECISION);
  r.low = fmax(r.low, end_of_ball(ball, DOWN));
  r.high = fmin(r.high, end_of_ball(ball, UP));
  arf_clear(low);
  arf_clear(high);
  arb_clear(ball);
  return r;
}

static Interval
size(Interval a)
{
  return (Interval){a.low > 0.0    ? a.low
                    : a.high < 0.0 ? -a.high
                                   : 0.0,
                    fmax(fabs(a.low), fabs(a.high)), dae_interval_excludes_zero(a), false,
                    false};
}

Interval
dae_interval_of_function(DaeFunction f, Interval a)
{
  Interval r = dae_interval_whole;
  const double right = pi_range().high / 2;
  switch ((int)f) {
  case DAE_FN_PI:
    return pi_range();
  case DAE_FN_SIN:
    return wave(arb_sin, a);
  case DAE_FN_COS:
    return wave(arb_cos, a);
  case DAE_FN_SIGN:
    return (Interval){-1.0, 1.0, false, false, false};
  case DAE_FN_TANH:
    return increasing(arb_tanh, a, -1.0, 1.0);
  case DAE_FN_EXP:
    return exponential(a);
  case DAE_FN_SINH:
    return increasing(arb_sinh, a, -INFINITY, INFINITY);
  case DAE_FN_COSH:
    r = increasing(arb_cosh, size(a), 1.0, INFINITY);
    return (Interval){fmax(1.0, r.low), r.high, true, false, false};
  case DAE_FN_ATAN:
    return increasing(arb_atan, a, -right, right);
  case DAE_FN_LOG:
    return logarithm(a);
  case DAE_FN_ABS:
    return size(a);
  case DAE_FN_ASIN:
    return (Interval){-right, right, false, a.low > 1.0 || a.high < -1.0,
                      a.low < -1.0 || a.high > 1.0};
  case DAE_FN_ACOS:
    return (Interval){0.0, 2 * right, false, a.low > 1.0 || a.high < -1.0,
                      a.low < -1.0 || a.high > 1.0};
  default:
    r.is_partial = true;
    return r;
  }
}
