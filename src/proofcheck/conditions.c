/* Conditions: what relations, logic and switching functions are, as far as it is known or was
 * assumed, and when two open if-terms say the same. */
#include "proofcheck/kernels.h"

static const char name_if[] = "if c then a else b = b + (a - b)*(if c then 1 else 0)";

#define MOST_COMPARED 1000u /* conditions inside of two */

/* NOLINTBEGIN(misc-no-recursion): the sides of an assumed relation are walked once more;
 * conditions are compared to a depth that is counted */

/* Left side minus right side. NULL: open. */
static const VpFrac *
difference_of(DaeExact *exact, DaeTerm relation)
{
  const VpFrac *side[2];
  for (uint32_t i = 0; i < 2; i++) {
    DaeTerm t = dae_term_operand(exact->terms, relation, i);
    dae_kernels_walk(exact, t);
    side[i] = dae_kernels_known(exact, t)->frac;
  }
  return side[0] == NULL || side[1] == NULL ? NULL : vp_frac_sub(exact->ring, side[0], side[1]);
}

/* ---- do two conditions say the same? ------------------------------------------------------ */

typedef enum { SHAPE_POSITIVE, SHAPE_NOT_NEGATIVE, SHAPE_ZERO } ShapeKind;

typedef struct { /* difference > 0, >= 0 or = 0, or the opposite of it */
  ShapeKind kind;
  bool is_negated;
  const VpFrac *difference; /* NULL: open */
} Shape;

static Shape
shape_of(DaeExact *exact, DaeTerm relation)
{
  DaeRelation op = dae_term_relation_op(exact->terms, relation);
  Shape shape = {.kind = op == DAE_REL_EQ || op == DAE_REL_NE   ? SHAPE_ZERO
                         : op == DAE_REL_GT || op == DAE_REL_LT ? SHAPE_POSITIVE
                                                                : SHAPE_NOT_NEGATIVE,
                 .is_negated = op == DAE_REL_NE,
                 .difference = difference_of(exact, relation)};
  if (shape.difference != NULL && (op == DAE_REL_LT || op == DAE_REL_LE)) {
    shape.difference = vp_frac_sub(exact->ring, vp_frac_int(exact->ring, 0), shape.difference);
  }
  return shape;
}

/* 1: the same, -1: the opposite (d > 0 and -d >= 0), 0: open. */
static int
compare_relations(DaeExact *exact, DaeTerm a, DaeTerm b)
{
  Shape x = shape_of(exact, a);
  Shape y = shape_of(exact, b);
  if (x.difference == NULL || y.difference == NULL) {
    return 0;
  }
  int ratio = vp_frac_multiple(exact->ring, x.difference, y.difference);
  bool is_equal =
      ratio > 0 || (ratio == 0 && vp_frac_equal(exact->ring, x.difference, y.difference));
  bool is_opposite = ratio < 0;
  if (x.kind == y.kind) {
    bool is_same = is_equal || (x.kind == SHAPE_ZERO && is_opposite);
    return !is_same ? 0 : x.is_negated == y.is_negated ? 1 : -1;
  }
  return x.kind != SHAPE_ZERO && y.kind != SHAPE_ZERO && is_opposite ? -1 : 0;
}

static bool
is_logic(DaeKind kind)
{
  return kind == DAE_KIND_AND || kind == DAE_KIND_OR;
}

/* An operand of an `and` that is true, of an `or` that is false. */
static bool
is_neutral(const DaeExact *exact, DaeKind kind, DaeTerm operand)
{
  return dae_kernels_known(exact, operand)->state ==
         (kind == DAE_KIND_AND ? KNOWN_TRUE : KNOWN_FALSE);
}

/* The one operand that an `and` or `or` is decided by; DAE_NO_TERM: there are several. */
static DaeTerm
only_operand(const DaeExact *exact, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(exact->terms, t, &n);
  DaeTerm only = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    if (!is_neutral(exact, dae_term_kind(exact->terms, t), operands[i])) {
      if (only != DAE_NO_TERM) {
        return DAE_NO_TERM;
      }
      only = operands[i];
    }
  }
  return only;
}

/* The condition without `not`, bound names and operands that decide nothing; *sign changes
 * with each `not`. */
static DaeTerm
bare_condition(const DaeExact *exact, DaeTerm t, int *sign)
{
  for (uint32_t pass = 0; pass < MOST_COMPARED; pass++) { /* bindings may be circular */
    gpointer bound = g_hash_table_lookup(exact->bound, GUINT_TO_POINTER(t));
    DaeKind kind = dae_term_kind(exact->terms, t);
    DaeTerm only = bound == NULL && is_logic(kind) ? only_operand(exact, t) : DAE_NO_TERM;
    if (bound != NULL) {
      t = GPOINTER_TO_UINT(bound);
    } else if (kind == DAE_KIND_NOT) {
      t = dae_term_operand(exact->terms, t, 0);
      *sign = -*sign;
    } else if (only != DAE_NO_TERM) {
      t = only;
    } else {
      break;
    }
  }
  return t;
}

static int compare_conditions(DaeExact *exact, DaeTerm a, DaeTerm b, uint32_t *left);

/* Each operand of a has one in b that compares like this. */
static bool
finds_operands(DaeExact *exact, DaeTerm a, DaeTerm b, int like, uint32_t *left)
{
  uint32_t n = 0;
  uint32_t m = 0;
  const DaeTerm *first = dae_term_operands(exact->terms, a, &n);
  const DaeTerm *second = dae_term_operands(exact->terms, b, &m);
  for (uint32_t i = 0; i < n; i++) {
    bool is_found = is_neutral(exact, dae_term_kind(exact->terms, a), first[i]);
    for (uint32_t k = 0; k < m && !is_found; k++) {
      is_found = compare_conditions(exact, first[i], second[k], left) == like;
    }
    if (!is_found) {
      return false;
    }
  }
  return true;
}

/* 1: a and b hold for the same values, -1: exactly one of them does, 0: open. *left:
 * comparisons that may still be made. */
static int
compare_conditions(DaeExact *exact, DaeTerm a, DaeTerm b, uint32_t *left)
{
  int sign = 1;
  a = bare_condition(exact, a, &sign);
  b = bare_condition(exact, b, &sign);
  if (a == b || *left == 0) {
    return a == b ? sign : 0;
  }
  --*left;
  DaeKind x = dae_term_kind(exact->terms, a);
  DaeKind y = dae_term_kind(exact->terms, b);
  if (x == DAE_KIND_RELATION && y == DAE_KIND_RELATION) {
    return sign * compare_relations(exact, a, b);
  }
  int like = x == y ? 1 : -1; /* not (a and b) is not a or not b */
  return is_logic(x) && is_logic(y) && finds_operands(exact, a, b, like, left) &&
                 finds_operands(exact, b, a, like, left)
             ? sign * like
             : 0;
}

/* ---- what is known of a condition ---------------------------------------------------------- */

/* What t is where the condition was assumed: the same, the opposite, or a part of an `and`
 * that holds (an `or` that does not). */
static KnownState
follows_from(DaeExact *exact, DaeTerm condition, bool holds, DaeTerm t)
{
  uint32_t left = MOST_COMPARED;
  int same = compare_conditions(exact, condition, t, &left);
  if (same != 0) {
    return holds == (same > 0) ? KNOWN_TRUE : KNOWN_FALSE;
  }
  int sign = 1;
  DaeTerm bare = bare_condition(exact, condition, &sign);
  holds = holds == (sign > 0);
  if (dae_term_kind(exact->terms, bare) != (holds ? DAE_KIND_AND : DAE_KIND_OR)) {
    return KNOWN_OPEN;
  }
  uint32_t n = 0;
  const DaeTerm *parts = dae_term_operands(exact->terms, bare, &n);
  for (uint32_t i = 0; i < n && same == 0; i++) {
    same = compare_conditions(exact, parts[i], t, &left);
  }
  return same == 0 ? KNOWN_OPEN : holds == (same > 0) ? KNOWN_TRUE : KNOWN_FALSE;
}

/* What the conditions that were assumed say of t, with the solutions put in. */
static KnownState
assumed_state(DaeExact *exact, DaeTerm t)
{
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;
  KnownState state = KNOWN_OPEN;
  if (exact->compares_assumed || g_hash_table_size(exact->assumed) == 0) {
    return KNOWN_OPEN;
  }
  exact->compares_assumed = true;
  g_hash_table_iter_init(&iter, exact->assumed);
  while (state == KNOWN_OPEN && g_hash_table_iter_next(&iter, &key, &value)) {
    state = follows_from(exact, GPOINTER_TO_UINT(key), GPOINTER_TO_UINT(value) == 2, t);
  }
  exact->compares_assumed = false;
  return state;
}

KnownState
dae_conditions_relation(DaeExact *exact, DaeTerm t)
{
  DaeTerm a = dae_term_operand(exact->terms, t, 0);
  DaeTerm b = dae_term_operand(exact->terms, t, 1);
  const VpFrac *difference = difference_of(exact, t);
  int sign = 0;
  KnownState state = assumed_state(exact, t);
  if (state != KNOWN_OPEN) {
    return state;
  }
  if (!dae_kernels_sign(exact, dae_term_sub(exact->terms, a, b), difference, &sign)) {
    return KNOWN_OPEN;
  }
  return dae_relation_holds(dae_term_relation_op(exact->terms, t), sign) ? KNOWN_TRUE
                                                                         : KNOWN_FALSE;
}

KnownState
dae_conditions_logic(DaeExact *exact, DaeTerm t, DaeKind kind)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(exact->terms, t, &n);
  bool all_known = true;
  for (uint32_t i = 0; i < n; i++) {
    KnownState state = dae_kernels_known(exact, operands[i])->state;
    if (kind == DAE_KIND_NOT) {
      return state == KNOWN_TRUE    ? KNOWN_FALSE
             : state == KNOWN_FALSE ? KNOWN_TRUE
                                    : assumed_state(exact, t);
    }
    if (state == (kind == DAE_KIND_AND ? KNOWN_FALSE : KNOWN_TRUE)) {
      return state;
    }
    all_known = all_known && (state == KNOWN_TRUE || state == KNOWN_FALSE);
  }
  return !all_known ? assumed_state(exact, t) : kind == DAE_KIND_AND ? KNOWN_TRUE : KNOWN_FALSE;
}

/* What the steps of the proof assumed about a condition, or what it is. */
KnownState
dae_conditions_state(const DaeExact *exact, DaeTerm condition)
{
  guint assumed =
      GPOINTER_TO_UINT(g_hash_table_lookup(exact->assumed, GUINT_TO_POINTER(condition)));
  return assumed == 2   ? KNOWN_TRUE
         : assumed == 1 ? KNOWN_FALSE
                        : dae_kernels_known(exact, condition)->state;
}

/* min(a, b) or max(a, b) that is open: the kernel of another one of the same two values. */
static const VpFrac *
same_pair(DaeExact *exact, DaeTerm t, const DaeTerm *operands)
{
  DaeTerms *terms = exact->terms;
  VpRing *ring = exact->ring;
  const VpFrac *a = dae_kernels_known(exact, operands[0])->frac;
  const VpFrac *b = dae_kernels_known(exact, operands[1])->frac;
  for (guint i = 0; i < exact->kernels->len && a != NULL && b != NULL; i++) {
    const Kernel *kernel = &g_array_index(exact->kernels, Kernel, i);
    DaeTerm term = kernel->term;
    if (kernel->kind != KERNEL_OPAQUE || term == t ||
        dae_term_kind(terms, term) != DAE_KIND_CALL ||
        dae_term_function(terms, term) != dae_term_function(terms, t) ||
        !g_hash_table_contains(exact->memo, GUINT_TO_POINTER(term))) {
      continue;
    }
    const VpFrac *c = dae_kernels_known(exact, dae_term_operand(terms, term, 0))->frac;
    const VpFrac *d = dae_kernels_known(exact, dae_term_operand(terms, term, 1))->frac;
    if (c != NULL && d != NULL &&
        ((vp_frac_equal(ring, a, c) && vp_frac_equal(ring, b, d)) ||
         (vp_frac_equal(ring, a, d) && vp_frac_equal(ring, b, c)))) {
      return vp_frac_kernel(ring, i);
    }
  }
  return NULL;
}

/* min, max and semiLinear: kernels, or by abs. */
static const VpFrac *
open_call(DaeExact *exact, DaeTerm t, const DaeTerm *a)
{
  DaeFunction f = dae_term_function(exact->terms, t);
  bool is_semi_linear = f == DAE_FN_SEMILINEAR;
  if (f == DAE_FN_ABS || f == DAE_FN_SIGN) {
    return NULL;
  }
  exact->has_open_choice = true;
  if (!exact->takes_apart) {
    return is_semi_linear ? NULL : same_pair(exact, t, a);
  }
  const VpFrac *x = dae_kernels_known(exact, a[0])->frac;
  const VpFrac *y = dae_kernels_known(exact, a[1])->frac;
  const VpFrac *z = is_semi_linear ? dae_kernels_known(exact, a[2])->frac : y;
  if (x == NULL || y == NULL || z == NULL) {
    return NULL;
  }
  return is_semi_linear ? dae_kernels_semi_linear(exact, x, y, z)
                        : dae_kernels_pair(exact, f, x, y);
}

/* sign(t) where t > 0 does not hold: `if t < 0 then -1 else 0`. */
static const VpFrac *
sign_not_above(DaeExact *exact, DaeTerm t)
{
  DaeTerms *terms = exact->terms;
  DaeTerm zero = dae_term_int(terms, 0);
  DaeTerm below = dae_term_relation(terms, DAE_REL_LT, t, zero);
  DaeTerm choice = dae_term_if(terms, below, dae_term_int(terms, -1), zero);
  dae_kernels_walk(exact, choice);
  return dae_kernels_known(exact, choice)->frac;
}

/* The condition that a switching function stands for: abs(a) is `if a >=
 * 0 then a else -a`, and so on. */
const VpFrac *
dae_conditions_call(DaeExact *exact, DaeTerm t, const DaeTerm *a)
{
  DaeTerms *terms = exact->terms;
  DaeTerm zero = dae_term_int(terms, 0);
  DaeFunction f = dae_term_function(terms, t);
  DaeRelation relation = f == DAE_FN_SIGN  ? DAE_REL_GT
                         : f == DAE_FN_MIN ? DAE_REL_LE
                                           : DAE_REL_GE;
  bool is_pair = f == DAE_FN_MIN || f == DAE_FN_MAX;
  if (f != DAE_FN_ABS && f != DAE_FN_SIGN && !is_pair && f != DAE_FN_SEMILINEAR) {
    return NULL;
  }
  DaeTerm condition = dae_term_relation(terms, relation, a[0], is_pair ? a[1] : zero);
  KnownState state = dae_conditions_state(exact, condition);
  int sign = 0;
  const VpFrac *x = dae_kernels_known(exact, a[0])->frac;
  if (state == KNOWN_OPEN && !is_pair && dae_kernels_sign(exact, a[0], x, &sign)) {
    state = dae_relation_holds(relation, sign) ? KNOWN_TRUE : KNOWN_FALSE;
  }
  if (state == KNOWN_OPEN) {
    state = dae_conditions_relation(exact, condition);
  }
  if (x == NULL) {
    return NULL;
  }
  if (state == KNOWN_OPEN) {
    return open_call(exact, t, a);
  }
  bool holds = state == KNOWN_TRUE;
  VpRing *ring = exact->ring;
  if (is_pair) {
    return dae_kernels_known(exact, a[holds ? 0 : 1])->frac;
  }
  if (f == DAE_FN_SEMILINEAR) {
    const VpFrac *slope = dae_kernels_known(exact, a[holds ? 1 : 2])->frac;
    return slope == NULL ? NULL : vp_frac_mul(ring, slope, x);
  }
  if (f == DAE_FN_SIGN && !holds) {
    return sign_not_above(exact, a[0]);
  }
  const VpFrac *s = vp_frac_int(ring, holds ? 1 : -1);
  return f == DAE_FN_SIGN ? s : vp_frac_mul(ring, s, x);
}

typedef struct { /* if condition then a else b */
  DaeTerm condition;
  const VpFrac *a, *b;
} Choice;

/* false: open. */
static bool
choice_of(DaeExact *exact, DaeTerm t, Choice *out)
{
  DaeTerms *terms = exact->terms;
  *out = (Choice){.condition = dae_term_operand(terms, t, 0),
                  .a = dae_kernels_known(exact, dae_term_operand(terms, t, 1))->frac,
                  .b = dae_kernels_known(exact, dae_term_operand(terms, t, 2))->frac};
  return out->a != NULL && out->b != NULL;
}

/* Equal, or the opposite condition with the branches exchanged. */
static bool
same_choice(DaeExact *exact, const Choice *x, const Choice *y)
{
  VpRing *ring = exact->ring;
  uint32_t left = MOST_COMPARED;
  bool is_alike = vp_frac_equal(ring, x->a, y->a) && vp_frac_equal(ring, x->b, y->b);
  bool is_crossed = vp_frac_equal(ring, x->a, y->b) && vp_frac_equal(ring, x->b, y->a);
  int same =
      is_alike || is_crossed ? compare_conditions(exact, x->condition, y->condition, &left) : 0;
  return (same > 0 && is_alike) || (same < 0 && is_crossed);
}

/* A condition that is open: the same kernel as an if-term that says the same. */
static const VpFrac *
choice_as_kernel(DaeExact *exact, DaeTerm t)
{
  Choice own;
  bool has_shape = choice_of(exact, t, &own);
  exact->has_open_choice = true;
  for (guint i = 0; i < exact->kernels->len && has_shape; i++) {
    const Kernel *kernel = &g_array_index(exact->kernels, Kernel, i);
    DaeTerm term = kernel->term;
    Choice other;
    if (kernel->kind == KERNEL_OPAQUE && term != t &&
        dae_term_kind(exact->terms, term) == DAE_KIND_IF &&
        g_hash_table_contains(exact->memo, GUINT_TO_POINTER(term)) &&
        choice_of(exact, term, &other) && same_choice(exact, &own, &other)) {
      return vp_frac_kernel(exact->ring, i);
    }
  }
  return dae_kernels_opaque(exact, t);
}

/* 1 where the condition holds, else 0: the same kernel for conditions that say the same, 1 minus
 * it for the opposite. NULL: open. */
static const VpFrac *
indicator_of(DaeExact *exact, DaeTerm condition)
{
  DaeTerms *terms = exact->terms;
  VpRing *ring = exact->ring;
  const VpFrac *one = vp_frac_int(ring, 1);
  for (guint i = 0; i < exact->kernels->len; i++) {
    const Kernel *kernel = &g_array_index(exact->kernels, Kernel, i);
    uint32_t left = MOST_COMPARED;
    int same = kernel->kind == KERNEL_INDICATOR
                   ? compare_conditions(exact, dae_term_operand(terms, kernel->term, 0),
                                        condition, &left)
                   : 0;
    if (same != 0) {
      const VpFrac *own = vp_frac_kernel(ring, i);
      return same > 0 ? own : vp_frac_sub(ring, one, own);
    }
  }
  DaeTerm shown = dae_term_if(terms, condition, dae_term_int(terms, 1), dae_term_int(terms, 0));
  if (shown == DAE_NO_TERM || dae_term_kind(terms, shown) != DAE_KIND_IF) {
    return NULL;
  }
  uint32_t kernel = dae_kernels_add(exact, KERNEL_INDICATOR, NULL, shown);
  vp_ring_relate(ring, kernel, 2, vp_frac_kernel(ring, kernel), name_if);
  return vp_frac_kernel(ring, kernel);
}

/* A condition that is open: if c then a else b is b + (a - b)*(if c then 1 else 0). */
const VpFrac *
dae_conditions_choice(DaeExact *exact, DaeTerm t)
{
  DaeTerms *terms = exact->terms;
  VpRing *ring = exact->ring;
  const VpFrac *a = dae_kernels_known(exact, dae_term_operand(terms, t, 1))->frac;
  const VpFrac *b = dae_kernels_known(exact, dae_term_operand(terms, t, 2))->frac;
  if (a == NULL || b == NULL) {
    return dae_kernels_opaque(exact, t);
  }
  const VpFrac *difference = vp_frac_sub(ring, a, b);
  if (vp_frac_is_zero(difference)) {
    return a; /* both ways lead to the same */
  }
  if (!exact->takes_apart) {
    return choice_as_kernel(exact, t);
  }
  const VpFrac *indicator = indicator_of(exact, dae_term_operand(terms, t, 0));
  return indicator == NULL ? dae_kernels_opaque(exact, t)
                           : vp_frac_add(ring, b, vp_frac_mul(ring, difference, indicator));
}

/* NOLINTEND(misc-no-recursion) */
