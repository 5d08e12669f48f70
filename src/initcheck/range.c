/* Does a term vanish anywhere? Enclosures of its range when every unknown may be any real number,
 * or one of them lies in an interval: squares are not negative, sin and cos stay in [-1, 1], exp
 * is positive. Each operation widens its result by more than rounding can amount to, so an
 * enclosure that keeps away from 0 is a proof that the term has no real zero. */
#include <float.h>
#include <math.h>

#include "initcheck/initcheck-priv.h"

static const IcRange everything = {-INFINITY, INFINITY, .is_partial = true};

static IcRange
widened(double low, double high)
{
  if (isnan(low) || isnan(high)) {
    return (IcRange){.low = -INFINITY, .high = INFINITY};
  }
  double slack = 8 * DBL_EPSILON;
  low = fmin(low, DBL_MAX); /* beyond the largest double, not infinite */
  high = fmax(high, -DBL_MAX);
  return (IcRange){.low = low - slack * fabs(low) - DBL_MIN,
                   .high = high + slack * fabs(high) + DBL_MIN};
}

/* 0 times infinity is 0 here: the factor is a number, the infinity only says "any size". */
static double
product(double a, double b)
{
  return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

IcRange
ic_range_product(IcRange a, IcRange b)
{
  double p[4] = {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low),
                 product(a.high, b.high)};
  double low = p[0];
  double high = p[0];
  for (int i = 1; i < 4; i++) {
    low = fmin(low, p[i]);
    high = fmax(high, p[i]);
  }
  return widened(low, high);
}

IcRange
ic_range_sum(IcRange a, IcRange b)
{
  return widened(a.low + b.low, a.high + b.high);
}

static IcRange
range_natural_power(IcRange base, int64_t n)
{
  double low = pow(base.low, (double)n);
  double high = pow(base.high, (double)n);
  if (n % 2 != 0) {
    return widened(low, high);
  }
  double largest = fmax(low, high);
  double least = base.low <= 0.0 && base.high >= 0.0 ? 0.0 : fmin(low, high);
  IcRange result = widened(least, largest);
  result.low = fmax(result.low, 0.0);
  return result;
}

static IcRange
range_power(IcRange base, int64_t n)
{
  IcRange natural = range_natural_power(base, ABS(n));
  if (n > 0) {
    return natural;
  }
  if (natural.low > 0.0 || natural.high < 0.0) {
    return widened(1.0 / natural.high, 1.0 / natural.low);
  }
  IcRange r = everything;
  if (n % 2 == 0 || base.low >= 0.0) {
    r.low = fmax(0.0, widened(1.0 / natural.high, INFINITY).low);
  } else if (base.high <= 0.0) {
    r.high = fmin(0.0, widened(-INFINITY, 1.0 / natural.low).high);
  }
  return r;
}

/* f increases on the part [from, to] of the real line, and has no value elsewhere. */
static IcRange
range_increasing(double (*f)(double), IcRange a, double from, double to)
{
  IcRange r = widened(f(fmax(a.low, from)), f(fmin(a.high, to)));
  r.is_empty = a.high < from || a.low > to;
  r.is_partial = a.low < from || a.high > to;
  return r;
}

/* base^exponent = exp(exponent*log(base)), for positive bases; a root also of 0. An exponent that
 * is no number may be whole somewhere, and then negative bases have values. */
static IcRange
range_real_power(IcRange base, IcRange exponent, bool is_number)
{
  if (!is_number && base.low < 0.0) {
    return everything;
  }
  IcRange logarithm = widened(base.low > 0.0 ? log(base.low) : -INFINITY,
                              base.high > 0.0 ? log(base.high) : -INFINITY);
  IcRange inside = ic_range_product(exponent, logarithm);
  IcRange r = widened(exp(inside.low), exp(inside.high));
  r.low = fmax(r.low, 0.0);
  r.is_partial = base.low < 0.0 || (base.low == 0.0 && exponent.low <= 0.0);
  r.is_empty = base.high < 0.0;
  return r;
}

static IcRange
range_size(IcRange a)
{
  return (IcRange){.low = a.low > 0.0    ? a.low
                          : a.high < 0.0 ? -a.high
                                         : 0.0,
                   .high = fmax(fabs(a.low), fabs(a.high))};
}

/* Whole numbers and infinities: the others of the registry are rounded. */
static bool
is_exact(double x)
{
  return x == floor(x);
}

static IcRange
range_of_values(const DaeFunctionFacts *facts)
{
  if (!facts->has_range || facts->arity > 1) {
    return everything;
  }
  IcRange wide = widened(facts->low, facts->high);
  return (IcRange){.low = is_exact(facts->low) ? facts->low : wide.low,
                   .high = is_exact(facts->high) ? facts->high : wide.high,
                   .is_partial = facts->domain != DAE_DOMAIN_ALL};
}

/* |sin'| <= 1: no further from the value in the middle than that is from the ends. */
static IcRange
range_wave(double (*f)(double), const DaeFunctionFacts *facts, IcRange a)
{
  const double farthest = 1e5; /* where the argument is exact enough */
  IcRange r = range_of_values(facts);
  if (a.low > -farthest && a.high < farthest) {
    double middle = a.low + (a.high - a.low) / 2;
    double reach = fmax(middle - a.low, a.high - middle) * (1.0 + 1e-9) + 1e-10;
    r.low = fmax(r.low, f(middle) - reach);
    r.high = fmin(r.high, f(middle) + reach);
  }
  return r;
}

/* f is defined on all numbers and increases; its values are those of the registry at most. */
static IcRange
range_bounded(double (*f)(double), const DaeFunctionFacts *facts, IcRange a)
{
  IcRange all = range_of_values(facts);
  IcRange r = widened(f(a.low), f(a.high));
  return (IcRange){.low = fmax(r.low, all.low), .high = fmin(r.high, all.high)};
}

static IcRange
range_call(const IcSystem *sys, DaeTerm t, IcRange a)
{
  DaeFunction function = dae_term_function(sys->terms, t);
  const DaeFunctionFacts *facts = dae_function_facts(function);
  IcRange r;
  switch ((int)function) {
  case DAE_FN_EXP:
    r = widened(exp(a.low), exp(a.high));
    r.low = fmax(r.low, 0.0);
    return r;
  case DAE_FN_LOG:
    r = range_increasing(log, a, 0.0, INFINITY);
    r.is_empty = r.is_empty || a.high == 0.0;
    r.is_partial = r.is_partial || a.low == 0.0;
    return r;
  case DAE_FN_SINH:
    return widened(sinh(a.low), sinh(a.high));
  case DAE_FN_COSH:
    r = range_size(a);
    r = widened(cosh(r.low), cosh(r.high));
    r.low = fmax(r.low, 1.0);
    return r;
  case DAE_FN_SIN:
    return range_wave(sin, facts, a);
  case DAE_FN_COS:
    return range_wave(cos, facts, a);
  case DAE_FN_ATAN:
    return range_bounded(atan, facts, a);
  case DAE_FN_TANH:
    return range_bounded(tanh, facts, a);
  case DAE_FN_ASIN:
    return range_increasing(asin, a, -1.0, 1.0);
  case DAE_FN_ABS:
    return range_size(a);
  default:
    return range_of_values(facts);
  }
}

typedef struct {
  const IcSystem *sys;
  GHashTable *memo; /* term -> IcRange */
  DaeTerm atom;     /* lies in box; DAE_NO_TERM: none */
  IcRange box;
} Ranges;

static IcRange
known_range(const Ranges *ranges, DaeTerm t)
{
  const IcRange *range = g_hash_table_lookup(ranges->memo, GUINT_TO_POINTER(t));
  return range == NULL ? everything : *range;
}

static IcRange
range_of_parts(const Ranges *ranges, const DaeTerm *operands, uint32_t n, bool is_sum)
{
  IcRange result = known_range(ranges, operands[0]);
  for (uint32_t i = 1; i < n; i++) {
    IcRange part = known_range(ranges, operands[i]);
    result = is_sum ? ic_range_sum(result, part) : ic_range_product(result, part);
  }
  return result;
}

/* Of the operation itself, where its operands have values. */
static IcRange
range_of_operation(const Ranges *ranges, DaeTerm t)
{
  const DaeTerms *terms = ranges->sys->terms;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_NUMBER) {
    double value = dae_term_get_double(terms, t);
    return widened(value, value);
  }
  if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT) {
    return range_of_parts(ranges, operands, n, kind == DAE_KIND_SUM);
  }
  if (kind == DAE_KIND_POWER) {
    int64_t exponent = 0;
    IcRange base = known_range(ranges, operands[0]);
    if (dae_term_get_int64(terms, operands[1], &exponent)) {
      return ABS(exponent) < 1000 ? range_power(base, exponent) : everything;
    }
    return range_real_power(base, known_range(ranges, operands[1]),
                            dae_term_is_number(terms, operands[1]));
  }
  if (kind == DAE_KIND_CALL) {
    return range_call(ranges->sys, t, n > 0 ? known_range(ranges, operands[0]) : everything);
  }
  return t == ranges->atom
             ? ranges->box
             : (IcRange){.low = -INFINITY,
                         .high = INFINITY,
                         .is_partial = kind != DAE_KIND_VARIABLE &&
                                       kind != DAE_KIND_PARAMETER && kind != DAE_KIND_TIME};
}

static bool
is_known(void *self, DaeTerm t)
{
  const Ranges *ranges = self;
  return g_hash_table_contains(ranges->memo, GUINT_TO_POINTER(t));
}

/* A part without a value leaves the whole without one, unless a condition may choose others. */
static void
compute_range(void *self, DaeTerm t)
{
  const Ranges *ranges = self;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(ranges->sys->terms, t, &n);
  IcRange *range = g_new(IcRange, 1);
  *range = range_of_operation(ranges, t);
  for (uint32_t i = 0; i < n; i++) {
    IcRange part = known_range(ranges, operands[i]);
    range->is_partial = range->is_partial || part.is_partial;
    range->is_empty = range->is_empty ||
                      (part.is_empty && dae_term_kind(ranges->sys->terms, t) != DAE_KIND_IF);
  }
  g_hash_table_insert(ranges->memo, GUINT_TO_POINTER(t), range);
}

IcRange
ic_range_in_box(IcSystem *sys, DaeTerm t, DaeTerm atom, IcRange box)
{
  g_autoptr(GHashTable) memo = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  Ranges ranges = {sys, memo, atom, box};
  const DaeWalk walk = {.ready = is_known, .compute = compute_range, .self = &ranges};
  dae_walk(sys->terms, t, &walk);
  return known_range(&ranges, t);
}

bool
ic_range_excludes_zero(IcSystem *sys, DaeTerm t)
{
  IcRange range = ic_range_in_box(sys, t, DAE_NO_TERM, everything);
  double margin = 1e-9; /* far more than all the widening together */
  return !range.is_empty && (range.low > margin || range.high < -margin);
}
