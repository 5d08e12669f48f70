/* Does a term vanish anywhere? Enclosures of its range when every unknown may be any real
 * number: squares are not negative, sin and cos stay in [-1, 1], exp is positive. Each
 * operation widens its result by more than rounding can amount to, so an enclosure that keeps
 * away from 0 is a proof that the term has no real zero. */
#include <float.h>
#include <math.h>

#include "initcheck/initcheck-priv.h"

typedef struct {
  double low, high;
} Range;

static const Range everything = {-INFINITY, INFINITY};

static Range
widened(double low, double high)
{
  if (isnan(low) || isnan(high)) {
    return everything;
  }
  double slack = 8 * DBL_EPSILON;
  return (Range){low - slack * fabs(low) - DBL_MIN, high + slack * fabs(high) + DBL_MIN};
}

/* 0 times infinity is 0 here: the factor is a number, the infinity only says "any size". */
static double
product(double a, double b)
{
  return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static Range
range_product(Range a, Range b)
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

static Range
range_natural_power(Range base, int64_t n)
{
  double low = pow(base.low, (double)n);
  double high = pow(base.high, (double)n);
  if (n % 2 != 0) {
    return widened(low, high);
  }
  double largest = fmax(low, high);
  double least = base.low <= 0.0 && base.high >= 0.0 ? 0.0 : fmin(low, high);
  Range result = widened(least, largest);
  result.low = fmax(result.low, 0.0);
  return result;
}

static Range
range_power(Range base, int64_t n)
{
  Range natural = range_natural_power(base, ABS(n));
  if (n > 0) {
    return natural;
  }
  if (natural.low > 0.0 || natural.high < 0.0) {
    return widened(1.0 / natural.high, 1.0 / natural.low);
  }
  return n % 2 == 0 ? (Range){0.0, INFINITY} : everything;
}

/* Whole numbers and infinities: the others of the registry are rounded. */
static bool
is_exact(double x)
{
  return x == floor(x);
}

static Range
range_call(const IcSystem *sys, DaeTerm t, Range a)
{
  DaeFunction function = dae_term_function(sys->terms, t);
  const DaeFunctionFacts *facts = dae_function_facts(function);
  if (function == DAE_FN_EXP) {
    Range result = widened(exp(a.low), exp(a.high));
    result.low = fmax(result.low, 0.0);
    return result;
  }
  if (function == DAE_FN_ABS) {
    return (Range){a.low > 0.0    ? a.low
                   : a.high < 0.0 ? -a.high
                                  : 0.0,
                   fmax(fabs(a.low), fabs(a.high))};
  }
  if (!facts->has_range || facts->arity > 1) {
    return everything;
  }
  Range wide = widened(facts->low, facts->high);
  return (Range){is_exact(facts->low) ? facts->low : wide.low,
                 is_exact(facts->high) ? facts->high : wide.high};
}

static Range
known_range(GHashTable *memo, DaeTerm t)
{
  const Range *range = g_hash_table_lookup(memo, GUINT_TO_POINTER(t));
  return range == NULL ? everything : *range;
}

static Range
range_of_node(const IcSystem *sys, GHashTable *memo, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(sys->terms, t, &n);
  DaeKind kind = dae_term_kind(sys->terms, t);
  if (kind == DAE_KIND_NUMBER) {
    double value = dae_term_get_double(sys->terms, t);
    return widened(value, value);
  }
  if (kind == DAE_KIND_SUM) {
    Range sum = {0.0, 0.0};
    for (uint32_t i = 0; i < n; i++) {
      Range part = known_range(memo, operands[i]);
      sum = widened(sum.low + part.low, sum.high + part.high);
    }
    return sum;
  }
  if (kind == DAE_KIND_PRODUCT) {
    Range result = {1.0, 1.0};
    for (uint32_t i = 0; i < n; i++) {
      result = range_product(result, known_range(memo, operands[i]));
    }
    return result;
  }
  if (kind == DAE_KIND_POWER) {
    int64_t exponent = 0;
    if (dae_term_get_int64(sys->terms, operands[1], &exponent) && ABS(exponent) < 1000) {
      return range_power(known_range(memo, operands[0]), exponent);
    }
    return (Range){0.0, INFINITY}; /* a real power or root is not negative */
  }
  if (kind == DAE_KIND_CALL) {
    return range_call(sys, t, n > 0 ? known_range(memo, operands[0]) : everything);
  }
  return everything;
}

typedef struct {
  const IcSystem *sys;
  GHashTable *memo; /* term -> Range */
} Ranges;

static bool
is_known(void *self, DaeTerm t)
{
  const Ranges *ranges = self;
  return g_hash_table_contains(ranges->memo, GUINT_TO_POINTER(t));
}

static void
compute_range(void *self, DaeTerm t)
{
  const Ranges *ranges = self;
  Range *range = g_new(Range, 1);
  *range = range_of_node(ranges->sys, ranges->memo, t);
  g_hash_table_insert(ranges->memo, GUINT_TO_POINTER(t), range);
}

bool
ic_range_excludes_zero(IcSystem *sys, DaeTerm t)
{
  g_autoptr(GHashTable) memo = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  Ranges ranges = {sys, memo};
  const DaeWalk walk = {.ready = is_known, .compute = compute_range, .self = &ranges};
  dae_walk(sys->terms, t, &walk);
  Range range = known_range(memo, t);
  double margin = 1e-9; /* far more than all the widening together */
  return range.low > margin || range.high < -margin;
}
