/* The range of a term when its free atoms are any real numbers: intervals of doubles whose ends are moved outward after
 * every operation, functions of the C library by four units in the last place more. */
#include <math.h>

#include "proofcheck/exact.h"

typedef struct {
  double low, high;
  bool keeps_off_zero; /* 0 is an end, and not attained: exp */
} Interval;

static const Interval whole = {-INFINITY, INFINITY, false};

static Interval
outward(double low, double high, int steps)
{
  if (isnan(low) || isnan(high)) {
    return whole;
  }
  for (int i = 0; i < steps; i++) {
    low = nextafter(low, -INFINITY);
    high = nextafter(high, INFINITY);
  }
  return (Interval){low, high, false};
}

static bool
excludes_zero(Interval a)
{
  return a.low > 0.0 || a.high < 0.0 || (a.keeps_off_zero && (a.low >= 0.0 || a.high <= 0.0));
}

static double
times(double a, double b)
{
  return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static Interval
multiply(Interval a, Interval b)
{
  double ends[4] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low),
                    times(a.high, b.high)};
  Interval r = {ends[0], ends[0], false};
  for (int i = 1; i < 4; i++) {
    r.low = fmin(r.low, ends[i]);
    r.high = fmax(r.high, ends[i]);
  }
  r = outward(r.low, r.high, 1);
  if ((a.low >= 0.0 && b.low >= 0.0) || (a.high <= 0.0 && b.high <= 0.0)) {
    r.low = fmax(r.low, 0.0);
  } else if ((a.low >= 0.0 && b.high <= 0.0) || (a.high <= 0.0 && b.low >= 0.0)) {
    r.high = fmin(r.high, 0.0);
  }
  r.keeps_off_zero = excludes_zero(a) && excludes_zero(b);
  return r;
}

static Interval
add(Interval a, Interval b)
{
  Interval r = outward(a.low + b.low, a.high + b.high, 1);
  bool above = a.low >= 0.0 && b.low >= 0.0;
  bool below = a.high <= 0.0 && b.high <= 0.0;
  r.low = above ? fmax(r.low, 0.0) : r.low;
  r.high = below ? fmin(r.high, 0.0) : r.high;
  r.keeps_off_zero = (above || below) && (excludes_zero(a) || excludes_zero(b));
  return r;
}

static Interval
natural_power(Interval a, int64_t n)
{
  if (n % 2 != 0) {
    return outward(pow(a.low, (double)n), pow(a.high, (double)n), 4);
  }
  double largest = fmax(fabs(a.low), fabs(a.high));
  double least = a.low <= 0.0 && a.high >= 0.0 ? 0.0 : fmin(fabs(a.low), fabs(a.high));
  Interval r = outward(pow(least, (double)n), pow(largest, (double)n), 4);
  r.low = fmax(r.low, 0.0);
  r.keeps_off_zero = excludes_zero(a);
  return r;
}

static Interval
integer_power(Interval a, int64_t n)
{
  Interval natural = natural_power(a, ABS(n));
  if (n > 0) {
    return natural;
  }
  if (natural.low > 0.0 || natural.high < 0.0) {
    return outward(1.0 / natural.high, 1.0 / natural.low, 1);
  }
  return n % 2 == 0 ? (Interval){0.0, INFINITY, true} : whole;
}

static Interval
increasing(double (*f)(double), Interval a)
{
  return outward(f(a.low), f(a.high), 4);
}

static Interval
function_range(DaeFunction f, Interval a)
{
  switch ((int)f) {
  case DAE_FN_PI:
    return outward(M_PI, M_PI, 1);
  case DAE_FN_SIN:
  case DAE_FN_COS:
  case DAE_FN_SIGN:
    return (Interval){-1.0, 1.0, false};
  case DAE_FN_TANH:
    return (Interval){fmax(-1.0, increasing(tanh, a).low), fmin(1.0, increasing(tanh, a).high),
                      false};
  case DAE_FN_EXP:
    return (Interval){fmax(0.0, increasing(exp, a).low), increasing(exp, a).high, true};
  case DAE_FN_COSH:
    return (Interval){1.0, INFINITY, false};
  case DAE_FN_ATAN:
    return increasing(atan, a);
  case DAE_FN_LOG:
    return a.low > 0.0
               ? increasing(log, a)
               : (Interval){-INFINITY,
                            a.high > 0.0 ? outward(0, log(a.high), 4).high : INFINITY, false};
  case DAE_FN_ABS: {
    Interval r = {0.0, fmax(fabs(a.low), fabs(a.high)), excludes_zero(a)};
    r.low = a.low > 0.0 ? a.low : a.high < 0.0 ? -a.high : 0.0;
    return r;
  }
  case DAE_FN_ASIN:
    return outward(-M_PI_2, M_PI_2, 1);
  case DAE_FN_ACOS:
    return (Interval){0.0, outward(0, M_PI, 1).high, false};
  default:
    return whole;
  }
}

#define MAX_NESTING 6

typedef struct { /* one evaluation; inside of a branch its condition limits an atom */
  const DaeTerms *terms;
  GHashTable *bound;
  GHashTable *memo;
  DaeTerm limited;
  Interval limit;
  int nesting;
} Ranges;

/* NOLINTBEGIN(misc-no-recursion): branches inside of branches, MAX_NESTING deep at most */
static Interval evaluate(const DaeTerms *terms, GHashTable *bound, DaeTerm t, DaeTerm limited,
                         Interval limit, int nesting);

static Interval
range_at(GHashTable *memo, DaeTerm t)
{
  const Interval *range = g_hash_table_lookup(memo, GUINT_TO_POINTER(t));
  return range == NULL ? whole : *range;
}

/* x < 3, 0 < x and the like: the atom, and its range where the condition holds, or does not. */
static DaeTerm
limited_atom(const DaeTerms *terms, DaeTerm condition, bool holds, Interval *limit)
{
  *limit = whole;
  if (dae_term_kind(terms, condition) != DAE_KIND_RELATION) {
    return DAE_NO_TERM;
  }
  DaeTerm a = dae_term_operand(terms, condition, 0);
  DaeTerm b = dae_term_operand(terms, condition, 1);
  DaeRelation relation = dae_term_relation_op(terms, condition);
  bool is_less = relation == DAE_REL_LT || relation == DAE_REL_LE;
  bool is_greater = relation == DAE_REL_GT || relation == DAE_REL_GE;
  bool is_strict = relation == DAE_REL_LT || relation == DAE_REL_GT;
  bool flipped = dae_term_is_number(terms, a);
  DaeTerm atom = flipped ? b : a;
  DaeTerm number = flipped ? a : b;
  if (dae_term_kind(terms, atom) != DAE_KIND_VARIABLE || !dae_term_is_number(terms, number) ||
      (!is_less && !is_greater)) {
    return DAE_NO_TERM;
  }
  bool is_below = (is_less != flipped) == holds;
  double end = dae_term_get_double(terms, number);
  Interval edge = end == 0.0 ? (Interval){0.0, 0.0, false} : outward(end, end, 1);
  *limit = is_below ? (Interval){-INFINITY, edge.high, false}
                    : (Interval){edge.low, INFINITY, false};
  limit->keeps_off_zero = end == 0.0 && is_strict == holds;
  return atom;
}

static Interval
if_range(const Ranges *ranges, DaeTerm t)
{
  if (ranges->nesting >= MAX_NESTING) {
    return whole;
  }
  Interval side[2];
  DaeTerm condition = dae_term_operand(ranges->terms, t, 0);
  for (uint32_t i = 0; i < 2; i++) {
    Interval limit;
    DaeTerm atom = limited_atom(ranges->terms, condition, i == 0, &limit);
    side[i] = evaluate(ranges->terms, ranges->bound, dae_term_operand(ranges->terms, t, i + 1),
                       atom, limit, ranges->nesting + 1);
  }
  Interval r = {fmin(side[0].low, side[1].low), fmax(side[0].high, side[1].high), false};
  r.keeps_off_zero = excludes_zero(side[0]) && excludes_zero(side[1]);
  return r;
}

static Interval
range_of(const Ranges *ranges, DaeTerm t)
{
  const DaeTerms *terms = ranges->terms;
  GHashTable *memo = ranges->memo;
  gpointer value = g_hash_table_lookup(ranges->bound, GUINT_TO_POINTER(t));
  if (t == ranges->limited && value == NULL) {
    return ranges->limit;
  }
  if (value != NULL) {
    return range_at(memo, GPOINTER_TO_UINT(value));
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_NUMBER) {
    double x = dae_term_get_double(terms, t);
    return outward(x, x, 1);
  }
  if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT) {
    bool is_sum = kind == DAE_KIND_SUM;
    Interval r = range_at(memo, operands[0]);
    for (uint32_t i = 1; i < n; i++) {
      Interval a = range_at(memo, operands[i]);
      r = is_sum ? add(r, a) : multiply(r, a);
    }
    return r;
  }
  if (kind == DAE_KIND_POWER) {
    int64_t e = 0;
    if (dae_term_get_int64(terms, operands[1], &e) && ABS(e) < 1000) {
      return integer_power(range_at(memo, operands[0]), e);
    }
    return (Interval){0.0, INFINITY, false}; /* a real power is not negative */
  }
  if (kind == DAE_KIND_IF) {
    return if_range(ranges, t);
  }
  return kind == DAE_KIND_CALL ? function_range(dae_term_function(terms, t),
                                                n > 0 ? range_at(memo, operands[0]) : whole)
                               : whole;
}

static Interval
evaluate(const DaeTerms *terms, GHashTable *bound, DaeTerm t, DaeTerm limited, Interval limit,
         int nesting)
{
  g_autoptr(GHashTable) memo = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  g_autoptr(GHashTable) opened = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  Ranges ranges = {terms, bound, memo, limited, limit, nesting};
  g_array_append_val(stack, t);
  while (stack->len > 0) {
    DaeTerm node = g_array_index(stack, DaeTerm, stack->len - 1);
    if (g_hash_table_contains(memo, GUINT_TO_POINTER(node))) {
      g_array_set_size(stack, stack->len - 1);
    } else if (g_hash_table_add(opened, GUINT_TO_POINTER(node))) {
      gpointer value = g_hash_table_lookup(bound, GUINT_TO_POINTER(node));
      uint32_t n = 1;
      DaeTerm single = GPOINTER_TO_UINT(value);
      const DaeTerm *operands = value != NULL ? &single : dae_term_operands(terms, node, &n);
      g_array_append_vals(stack, operands, n);
    } else {
      Interval *range = g_new(Interval, 1);
      *range = range_of(&ranges, node);
      g_hash_table_insert(memo, GUINT_TO_POINTER(node), range);
      g_array_set_size(stack, stack->len - 1);
    }
  }
  return range_at(memo, t);
}

/* NOLINTEND(misc-no-recursion) */

bool
dae_range_excludes_zero(DaeTerms *terms, GHashTable *bound, DaeTerm t)
{
  return excludes_zero(evaluate(terms, bound, t, DAE_NO_TERM, whole, 0));
}
