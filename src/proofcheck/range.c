/* The range of a term when its free atoms are any real numbers. */
#include <math.h>

#include "proofcheck/exact.h"
#include "proofcheck/interval.h"

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
  return range == NULL ? dae_interval_whole : *range;
}

/* x < 3, 0 < x and the like: the atom, and its range where the condition holds, or does not. */
static DaeTerm
limited_atom(const DaeTerms *terms, DaeTerm condition, bool holds, Interval *limit)
{
  *limit = dae_interval_whole;
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
  Interval edge = dae_interval_of_number(terms, number);
  *limit = dae_interval_whole;
  limit->low = is_below ? -INFINITY : edge.low;
  limit->high = is_below ? edge.high : INFINITY;
  limit->keeps_off_zero = dae_term_is_zero(terms, number) && is_strict == holds;
  return atom;
}

static Interval
if_range(const Ranges *ranges, DaeTerm t)
{
  if (ranges->nesting >= MAX_NESTING) {
    return dae_interval_whole;
  }
  Interval side[2];
  DaeTerm condition = dae_term_operand(ranges->terms, t, 0);
  for (uint32_t i = 0; i < 2; i++) {
    Interval limit;
    DaeTerm atom = limited_atom(ranges->terms, condition, i == 0, &limit);
    side[i] = evaluate(ranges->terms, ranges->bound, dae_term_operand(ranges->terms, t, i + 1),
                       atom, limit, ranges->nesting + 1);
  }
  Interval r = {fmin(side[0].low, side[1].low), fmax(side[0].high, side[1].high), false, false,
                true};
  r.keeps_off_zero = dae_interval_excludes_zero(side[0]) && dae_interval_excludes_zero(side[1]);
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
    return dae_interval_of_number(terms, t);
  }
  if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT) {
    bool is_sum = kind == DAE_KIND_SUM;
    Interval r = range_at(memo, operands[0]);
    for (uint32_t i = 1; i < n; i++) {
      Interval a = range_at(memo, operands[i]);
      r = is_sum ? dae_interval_add(r, a) : dae_interval_multiply(r, a);
    }
    return r;
  }
  if (kind == DAE_KIND_POWER) {
    int64_t e = 0;
    if (dae_term_get_int64(terms, operands[1], &e) && ABS(e) < 1000) {
      return dae_interval_integer_power(range_at(memo, operands[0]), e);
    }
    return dae_interval_real_power(range_at(memo, operands[0]), range_at(memo, operands[1]),
                                   dae_term_is_number(terms, operands[1]));
  }
  if (kind == DAE_KIND_IF) {
    return if_range(ranges, t);
  }
  return kind == DAE_KIND_CALL ? dae_interval_of_function(dae_term_function(terms, t),
                                                          n > 0 ? range_at(memo, operands[0])
                                                                : dae_interval_whole)
                               : dae_interval_whole;
}

/* A part without a value leaves the whole without one, unless a condition may choose others. */
static void
note_operands(const Ranges *ranges, DaeTerm t, Interval *range)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(ranges->terms, t, &n);
  bool is_if = dae_term_kind(ranges->terms, t) == DAE_KIND_IF;
  for (uint32_t i = 0; i < n; i++) {
    Interval part = range_at(ranges->memo, operands[i]);
    range->is_empty = range->is_empty || (part.is_empty && !is_if);
    range->is_partial = range->is_partial || part.is_partial;
  }
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
      note_operands(&ranges, node, range);
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

Interval
dae_range_within(DaeTerms *terms, GHashTable *bound, DaeTerm t, DaeTerm atom, Interval limit)
{
  return evaluate(terms, bound, t, atom, limit, 0);
}

bool
dae_range_excludes_zero(DaeTerms *terms, GHashTable *bound, DaeTerm t)
{
  return dae_interval_excludes_zero(
             evaluate(terms, bound, t, DAE_NO_TERM, dae_interval_whole, 0)) ||
         stays_inside(terms, t);
}

bool
dae_range_sign(DaeTerms *terms, GHashTable *bound, DaeTerm t, int *sign)
{
  Interval range = evaluate(terms, bound, t, DAE_NO_TERM, dae_interval_whole, 0);
  *sign = range.low >= 0.0 ? 1 : -1;
  return dae_interval_excludes_zero(range);
}
