#include "instant/interval.h"

#include <float.h>
#include <math.h>

typedef DaeInterval Interval;

DaeInterval
dae_interval_line(void)
{
  return (Interval){-INFINITY, INFINITY};
}

DaeInterval
dae_interval_widened(double low, double high)
{
  if (isnan(low) || isnan(high)) {
    return dae_interval_line();
  }
  double slack_low = 8 * DBL_EPSILON * fabs(low) + DBL_MIN;
  double slack_high = 8 * DBL_EPSILON * fabs(high) + DBL_MIN;
  return (Interval){low - slack_low, high + slack_high};
}

DaeInterval
dae_interval_hull(Interval a, Interval b)
{
  return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

/* Sums and products of whole numbers up to 2^26 are doubles: the slope 1 - 1 of what does not
 * change is 0. */
static bool
is_whole(Interval a)
{
  const double largest = 67108864.0;
  return a.low == trunc(a.low) && a.high == trunc(a.high) &&
         fmax(fabs(a.low), fabs(a.high)) <= largest;
}

DaeInterval
dae_interval_sum(Interval a, Interval b)
{
  const Interval sum = {a.low + b.low, a.high + b.high};
  return is_whole(a) && is_whole(b) ? sum : dae_interval_widened(sum.low, sum.high);
}

/* Of a function that is monotone in each of two operands: its extremes are at corners. */
static Interval
corners(double (*f)(double, double), Interval a, Interval b)
{
  const double values[4] = {f(a.low, b.low), f(a.low, b.high), f(a.high, b.low),
                            f(a.high, b.high)};
  double low = INFINITY;
  double high = -INFINITY;
  for (int i = 0; i < 4; i++) {
    if (isnan(values[i])) {
      return dae_interval_line();
    }
    low = fmin(low, values[i]);
    high = fmax(high, values[i]);
  }
  return (Interval){low, high};
}

static Interval
by_corners(double (*f)(double, double), Interval a, Interval b)
{
  const Interval values = corners(f, a, b);
  return dae_interval_widened(values.low, values.high);
}

static double
times(double a, double b)
{
  return a * b;
}

DaeInterval
dae_interval_product(Interval a, Interval b)
{
  return is_whole(a) && is_whole(b) ? corners(times, a, b) : by_corners(times, a, b);
}

static Interval
magnitude(Interval a)
{
  double low = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0;
  return (Interval){low, fmax(fabs(a.low), fabs(a.high))};
}

DaeInterval
dae_interval_power(Interval base, double e)
{
  bool is_even = fmod(fabs(e), 2) == 0;
  bool is_whole = e == floor(e);
  if (e < 0 && base.low <= 0 && base.high >= 0) {
    return dae_interval_line();
  }
  if (is_whole && is_even) {
    base = magnitude(base);
  }
  if (!is_whole && base.low < 0) {
    return dae_interval_line();
  }
  double a = pow(base.low, e);
  double b = pow(base.high, e);
  return dae_interval_widened(fmin(a, b), fmax(a, b));
}

DaeInterval
dae_interval_exponential(Interval base, Interval exponent)
{
  return base.low > 0 ? by_corners(pow, base, exponent) : dae_interval_line();
}

/* sin over [low, high]: the ends, and 1 or -1 where a peak may lie between. */
static Interval
sine(Interval a)
{
  double width = a.high - a.low;
  if (!(width < 6.2) || !(fabs(a.low) < 1e12)) {
    return (Interval){-1, 1};
  }
  double s = sin(a.low);
  double t = sin(a.high);
  double low = fmin(s, t);
  double high = fmax(s, t);
  double slack = 1e-15 * fabs(a.high) + 1e-15;
  double peak = (ceil((a.low - slack) / (2 * G_PI) - 0.25) + 0.25) * 2 * G_PI;
  double pit = (ceil((a.low - slack) / (2 * G_PI) + 0.25) - 0.25) * 2 * G_PI;
  high = peak <= a.high + slack ? 1 : high;
  low = pit <= a.high + slack ? -1 : low;
  return (Interval){fmax(-1, low - 4e-16 * (1 + fabs(a.high))),
                    fmin(1, high + 4e-16 * (1 + fabs(a.high)))};
}

/* Between two poles it increases. */
static Interval
tangent(Interval a)
{
  if (!(a.high - a.low < G_PI) || !(fabs(a.low) < 1e12)) {
    return dae_interval_line();
  }
  double slack = 1e-15 * fabs(a.high) + 1e-15;
  double pole = (ceil((a.low - slack) / G_PI - 0.5) + 0.5) * G_PI;
  /* near a pole the rounding of the operand is magnified */
  return pole <= a.high + 1e-9
             ? dae_interval_line()
             : dae_interval_widened(tan(a.low) - slack * (1 + pow(tan(a.low), 2)),
                                    tan(a.high) + slack * (1 + pow(tan(a.high), 2)));
}

/* Away from its cut the angle is monotone in each operand. */
static Interval
angle(Interval y, Interval x)
{
  bool is_cut = y.low <= 0 && y.high >= 0 && !(x.low > 0);
  return is_cut ? dae_interval_widened(-G_PI, G_PI) : by_corners(atan2, y, x);
}

/* On all of the interval defined, and increasing or decreasing. */
static Interval
monotone(const DaeFunctionFacts *facts, Interval a)
{
  bool is_inside = facts->domain == DAE_DOMAIN_ALL ||
                   (facts->domain == DAE_DOMAIN_POSITIVE && a.low > 0) ||
                   (facts->domain == DAE_DOMAIN_UNIT && a.low >= -1 && a.high <= 1);
  if (!is_inside) {
    return dae_interval_line();
  }
  double b = facts->value(&a.low);
  double c = facts->value(&a.high);
  return dae_interval_widened(fmin(b, c), fmax(b, c));
}

static double
sign_of(double x)
{
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* ---- division with a rest ---------------------------------------------------------------- */

/* The value or the least and the largest one that the rest of a division by b can be. */
static Interval
rest_of(Interval a, Interval b, Interval whole, Interval otherwise)
{
  if (whole.low != whole.high || !isfinite(whole.low)) {
    return otherwise;
  }
  Interval part = dae_interval_product((Interval){-whole.low, -whole.low}, b);
  Interval rest = dae_interval_widened(a.low + part.low, a.high + part.high);
  return (Interval){fmax(rest.low, otherwise.low), fmin(rest.high, otherwise.high)};
}

static Interval
division(DaeFunction function, Interval a, Interval b)
{
  Interval quotient = dae_interval_product(a, dae_interval_power(b, -1));
  double largest = fmax(fabs(b.low), fabs(b.high));
  if (function == DAE_FN_MOD) { /* between 0 and b */
    Interval whole = {floor(quotient.low), floor(quotient.high)};
    return rest_of(a, b, whole, (Interval){fmin(b.low, 0), fmax(b.high, 0)});
  }
  Interval whole = {trunc(quotient.low), trunc(quotient.high)};
  if (function == DAE_FN_DIV) {
    return whole;
  }
  /* of the sign of a */
  return rest_of(a, b, whole, (Interval){a.low < 0 ? -largest : 0, a.high > 0 ? largest : 0});
}

/* ---- elements ---------------------------------------------------------------------------- */

/* Of element i of constant data: all that may be chosen. */
static Interval
looked_up(const double *data, uint32_t n, Interval i)
{
  double first = fmax(rint(i.low), 1);
  double last = fmin(rint(i.high), n);
  if (!(first <= last)) {
    return dae_interval_line();
  }
  Interval all = {INFINITY, -INFINITY};
  for (double k = first; k <= last; k++) {
    double value = dae_data_lookup(data, n, k);
    all = dae_interval_hull(all, (Interval){value, value});
  }
  return all;
}

static Interval
selected(const Interval *a, uint32_t n)
{
  double first = fmax(rint(a[0].low), 1);
  double last = fmin(rint(a[0].high), n - 1);
  if (!(first <= last)) {
    return dae_interval_line();
  }
  Interval all = a[(uint32_t)first];
  for (double k = first + 1; k <= last; k++) {
    all = dae_interval_hull(all, a[(uint32_t)k]);
  }
  return all;
}

static Interval
element(const DaeTerms *terms, DaeTerm t, const Interval *a)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  DaeFunction function = dae_term_function(terms, t);
  if (function == DAE_FN_SELECT) {
    return selected(a, n);
  }
  int64_t number = 0;
  if (!dae_term_get_int64(terms, operands[0], &number)) {
    return dae_interval_line();
  }
  uint32_t length = 0;
  const double *data = dae_terms_data(terms, (uint32_t)number, &length);
  return function == DAE_FN_LOOKUP ? looked_up(data, length, a[1])
                                   : (Interval){dae_data_interval(data, length, a[1].low),
                                                dae_data_interval(data, length, a[1].high)};
}

/* ---- functions --------------------------------------------------------------------------- */

/* x*p for x >= 0, x*q for x < 0 */
static Interval
semi_linear(Interval x, Interval p, Interval q)
{
  Interval right = {fmax(x.low, 0), x.high};
  Interval left = {x.low, fmin(x.high, 0)};
  return x.low >= 0 ? dae_interval_product(right, p)
         : x.high < 0
             ? dae_interval_product(left, q)
             : dae_interval_hull(dae_interval_product(right, p), dae_interval_product(left, q));
}

/* Continuous functions with corners, and steps. */
static Interval
piecewise(DaeFunction function, const Interval *a)
{
  switch ((int)function) {
  case DAE_FN_ABS:
    return magnitude(a[0]);
  case DAE_FN_SIGN:
    return (Interval){sign_of(a[0].low), sign_of(a[0].high)};
  case DAE_FN_MIN:
    return (Interval){fmin(a[0].low, a[1].low), fmin(a[0].high, a[1].high)};
  case DAE_FN_MAX:
    return (Interval){fmax(a[0].low, a[1].low), fmax(a[0].high, a[1].high)};
  case DAE_FN_SEMILINEAR:
    return semi_linear(a[0], a[1], a[2]);
  case DAE_FN_FLOOR:
  case DAE_FN_INTEGER:
    return (Interval){floor(a[0].low), floor(a[0].high)};
  case DAE_FN_CEIL:
    return (Interval){ceil(a[0].low), ceil(a[0].high)};
  case DAE_FN_MOD:
  case DAE_FN_DIV:
  case DAE_FN_REM:
    return division(function, a[0], a[1]);
  default:
    return dae_interval_line();
  }
}

DaeInterval
dae_interval_call(const DaeTerms *terms, DaeTerm t, const DaeInterval *a)
{
  DaeFunction function = dae_term_function(terms, t);
  const DaeFunctionFacts *facts = dae_function_facts(function);
  if (facts->growth != DAE_GROWTH_NONE && facts->arity == 1 &&
      facts->domain != DAE_DOMAIN_POLES) {
    return monotone(facts, a[0]);
  }
  if (facts->kind == DAE_CLASS_MARK) {
    return a[facts->value_operand];
  }
  if (facts->kind == DAE_CLASS_ELEMENT) {
    return element(terms, t, a);
  }
  switch ((int)function) {
  case DAE_FN_SIN:
    return sine(a[0]);
  case DAE_FN_COS:
    return sine(dae_interval_widened(a[0].low + G_PI_2, a[0].high + G_PI_2));
  case DAE_FN_TAN:
    return tangent(a[0]);
  case DAE_FN_ATAN2:
    return angle(a[0], a[1]);
  case DAE_FN_COSH: {
    Interval size = magnitude(a[0]);
    return dae_interval_widened(cosh(size.low), cosh(size.high));
  }
  case DAE_FN_PI:
    return dae_interval_widened(G_PI, G_PI);
  default:
    return piecewise(function, a);
  }
}

/* ---- relations --------------------------------------------------------------------------- */

DaeInterval
dae_interval_relation(DaeRelation op, Interval a, Interval b)
{
  bool never = false;
  bool always = false;
  const bool apart = a.high < b.low || a.low > b.high;
  const bool same = a.low == a.high && b.low == b.high && a.low == b.low; /* mode == Mode.on */
  switch (op) {
  case DAE_REL_LT:
  case DAE_REL_LE:
    always = op == DAE_REL_LT ? a.high < b.low : a.high <= b.low;
    never = op == DAE_REL_LT ? a.low >= b.high : a.low > b.high;
    break;
  case DAE_REL_GT:
  case DAE_REL_GE:
    always = op == DAE_REL_GT ? a.low > b.high : a.low >= b.high;
    never = op == DAE_REL_GT ? a.high <= b.low : a.high < b.low;
    break;
  case DAE_REL_EQ:
    never = apart;
    always = same;
    break;
  case DAE_REL_NE:
    never = same;
    always = apart;
    break;
  }
  return (Interval){always ? 1 : 0, never ? 0 : 1};
}
