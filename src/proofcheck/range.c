/* The range of a term when its free atoms are any real numbers: intervals whose ends are
 * doubles, computed by Arb and rounded outward. */
#include <math.h>

#include "algebra/flint-compat.h"
#include "proofcheck/exact.h"
#include "terms/bignum.h"

#define PRECISION 96 /* of an end before it is rounded to a double */

typedef struct {
  double low, high;
  bool keeps_off_zero; /* 0 is an end, and not attained: exp */
} Interval;

static const Interval whole = {-INFINITY, INFINITY, false};

static bool
excludes_zero(Interval a)
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

static Interval
number_range(const DaeTerms *terms, DaeTerm number)
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
  Interval r = {end_of_ball(ball, DOWN), end_of_ball(ball, UP), !fmpq_is_zero(f)};
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
  Interval r = {end_of_ball(ball, DOWN), end_of_ball(ball, UP), false};
  arb_clear(ball);
  return r;
}

static Interval
multiply(Interval a, Interval b)
{
  const double x[2] = {a.low, a.high};
  const double y[2] = {b.low, b.high};
  Interval r = {INFINITY, -INFINITY, excludes_zero(a) && excludes_zero(b)};
  for (int i = 0; i < 4; i++) {
    r.low = fmin(r.low, multiply_ends(x[i / 2], y[i % 2], DOWN));
    r.high = fmax(r.high, multiply_ends(x[i / 2], y[i % 2], UP));
  }
  return r;
}

static Interval
add(Interval a, Interval b)
{
  bool above = a.low >= 0.0 && b.low >= 0.0;
  bool below = a.high <= 0.0 && b.high <= 0.0;
  Interval r = {add_ends(a.low, b.low, DOWN), add_ends(a.high, b.high, UP), false};
  r.keeps_off_zero = (above || below) && (excludes_zero(a) || excludes_zero(b));
  return r;
}

static Interval
natural_power(Interval a, uint64_t n)
{
  if (n % 2 != 0) {
    return (Interval){power_of_end(a.low, n, DOWN), power_of_end(a.high, n, UP),
                      excludes_zero(a)};
  }
  double largest = fmax(fabs(a.low), fabs(a.high));
  double least = a.low <= 0.0 && a.high >= 0.0 ? 0.0 : fmin(fabs(a.low), fabs(a.high));
  return (Interval){power_of_end(least, n, DOWN), power_of_end(largest, n, UP),
                    excludes_zero(a)};
}

static Interval
integer_power(Interval a, int64_t n)
{
  Interval natural = natural_power(a, (uint64_t)ABS(n));
  if (n > 0) {
    return natural;
  }
  if (natural.low > 0.0 || natural.high < 0.0) {
    return (Interval){inverse_of_end(natural.high, DOWN), inverse_of_end(natural.low, UP),
                      true};
  }
  return n % 2 == 0 ? (Interval){0.0, INFINITY, true} : whole;
}

/* An increasing function; at_minus, at_plus: its limits. */
static Interval
increasing(void (*f)(arb_t, const arb_t, slong), Interval a, double at_minus, double at_plus)
{
  return (Interval){function_at(f, a.low, a.low < 0.0 ? at_minus : at_plus, DOWN),
                    function_at(f, a.high, a.high < 0.0 ? at_minus : at_plus, UP), false};
}

static Interval
function_range(DaeFunction f, Interval a)
{
  Interval r = whole;
  switch ((int)f) {
  case DAE_FN_PI:
    return pi_range();
  case DAE_FN_SIN:
  case DAE_FN_COS:
  case DAE_FN_SIGN:
    return (Interval){-1.0, 1.0, false};
  case DAE_FN_TANH:
    return increasing(arb_tanh, a, -1.0, 1.0);
  case DAE_FN_EXP:
    r = increasing(arb_exp, a, 0.0, INFINITY);
    return (Interval){fmax(0.0, r.low), r.high, true};
  case DAE_FN_COSH:
    return (Interval){1.0, INFINITY, true};
  case DAE_FN_ATAN:
    return increasing(arb_atan, a, -pi_range().high / 2, pi_range().high / 2);
  case DAE_FN_LOG:
    return (Interval){a.low > 0.0 ? function_at(arb_log, a.low, INFINITY, DOWN) : -INFINITY,
                      a.high > 0.0 ? function_at(arb_log, a.high, INFINITY, UP) : INFINITY,
                      false};
  case DAE_FN_ABS:
    r = (Interval){0.0, fmax(fabs(a.low), fabs(a.high)), excludes_zero(a)};
    r.low = a.low > 0.0 ? a.low : a.high < 0.0 ? -a.high : 0.0;
    return r;
  case DAE_FN_ASIN:
    return (Interval){-pi_range().high / 2, pi_range().high / 2, false};
  case DAE_FN_ACOS:
    return (Interval){0.0, pi_range().high, false};
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
  Interval edge = number_range(terms, number);
  *limit = is_below ? (Interval){-INFINITY, edge.high, false}
                    : (Interval){edge.low, INFINITY, false};
  limit->keeps_off_zero = dae_term_is_zero(terms, number) && is_strict == holds;
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
    return number_range(terms, t);
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

/* ---- ends that no double has ----------------------------------------------------------------- */

/* c*f(..) with a number c and f = atan or tanh, which come near their ends and do not take them:
 * c, and the end, pi/2 or 1; false: t is something else. */
static bool
split_bounded(DaeTerms *terms, DaeTerm t, DaeTerm *c, DaeTerm *end)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &t, &n);
  const DaeTerm call = factors[n - 1];
  if (n > 2 || (n == 2 && !dae_term_is_number(terms, factors[0])) ||
      dae_term_kind(terms, call) != DAE_KIND_CALL) {
    return false;
  }
  const DaeFunction function = dae_term_function(terms, call);
  *c = n == 2 ? factors[0] : dae_term_int(terms, 1);
  *end = function == DAE_FN_TANH
             ? dae_term_int(terms, 1)
             : dae_term_mul(terms, dae_term_ratio(terms, 1, 2), dae_term_pi(terms));
  return function == DAE_FN_TANH || function == DAE_FN_ATAN;
}

/* c*f(..) + r with |r| at least |c| times the end, both in units of it: never 0. */
static bool
stays_inside(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *parts = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  DaeTerm c = DAE_NO_TERM;
  DaeTerm end = DAE_NO_TERM;
  for (uint32_t i = 0; n == 2 && i < 2; i++) {
    if (split_bounded(terms, parts[i], &c, &end)) {
      const DaeTerm r = dae_term_div(terms, parts[1 - i], end);
      if (r != DAE_NO_TERM && dae_term_is_number(terms, r)) {
        const DaeTerm squares =
            dae_term_sub(terms, dae_term_mul(terms, r, r), dae_term_mul(terms, c, c));
        return dae_term_sign(terms, squares) >= 0;
      }
    }
  }
  return false;
}

bool
dae_range_excludes_zero(DaeTerms *terms, GHashTable *bound, DaeTerm t)
{
  return excludes_zero(evaluate(terms, bound, t, DAE_NO_TERM, whole, 0)) ||
         stays_inside(terms, t);
}

bool
dae_range_sign(DaeTerms *terms, GHashTable *bound, DaeTerm t, int *sign)
{
  Interval range = evaluate(terms, bound, t, DAE_NO_TERM, whole, 0);
  *sign = range.low >= 0.0 ? 1 : -1;
  return excludes_zero(range);
}
