/* smoothOrder tested: at the points where one relation (or abs, min, max, sign) changes as one
 * argument passes, the values and the derivatives on either side are compared.
 *
 * Where what changes is linear in the argument the point is exact. Elsewhere a root is enclosed in a
 * ball in which it is proved to be the only one, and the two sides are compared there. */
#include "pipeline/annotations-priv.h"

#include <math.h>

#include "algebra/enclose.h"

enum {
  N_BREAKS = 60, /* of one term */
  MOST_NODES = 20000,
  DIGITS = 40 /* of enclosed roots */
};

static bool
break_of(DaeTerms *terms, DaeTerm t, DaeClaimBreak *found)
{
  *found = (DaeClaimBreak){.node = t};
  if (dae_term_kind(terms, t) == DAE_KIND_RELATION) {
    found->gap =
        dae_term_sub(terms, dae_term_operand(terms, t, 0), dae_term_operand(terms, t, 1));
    return true;
  }
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  switch ((int)dae_term_function(terms, t)) {
  case DAE_FN_ABS:
  case DAE_FN_SIGN:
    found->gap = dae_term_operand(terms, t, 0);
    return true;
  case DAE_FN_MIN:
  case DAE_FN_MAX:
    found->gap =
        dae_term_sub(terms, dae_term_operand(terms, t, 0), dae_term_operand(terms, t, 1));
    return true;
  default:
    return false;
  }
}

/* What the break is where its gap is positive, or negative. */
static DaeTerm
side_of(DaeTerms *terms, const DaeClaimBreak *b, bool is_positive)
{
  if (dae_term_kind(terms, b->node) == DAE_KIND_RELATION) {
    switch (dae_term_relation_op(terms, b->node)) {
    case DAE_REL_GT:
    case DAE_REL_GE:
      return dae_term_bool(terms, is_positive);
    case DAE_REL_LT:
    case DAE_REL_LE:
      return dae_term_bool(terms, !is_positive);
    case DAE_REL_EQ:
      return dae_term_bool(terms, false);
    case DAE_REL_NE:
      return dae_term_bool(terms, true);
    }
  }
  DaeTerm first = dae_term_operand(terms, b->node, 0);
  switch ((int)dae_term_function(terms, b->node)) {
  case DAE_FN_ABS:
    return is_positive ? first : dae_term_neg(terms, first);
  case DAE_FN_SIGN:
    return dae_term_int(terms, is_positive ? 1 : -1);
  default: {
    bool takes_first = (dae_term_function(terms, b->node) == DAE_FN_MAX) == is_positive;
    return takes_first ? first : dae_term_operand(terms, b->node, 1);
  }
  }
}

GArray *
dae_claim_breaks(DaeTerms *terms, DaeTerm root)
{
  GArray *breaks = g_array_new(FALSE, FALSE, sizeof(DaeClaimBreak));
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, root);
  for (uint32_t n_seen = 0; n_seen < MOST_NODES && breaks->len < N_BREAKS; n_seen++) {
    DaeTerm t = dae_visit_next(visit);
    if (t == DAE_NO_TERM) {
      break;
    }
    dae_visit_enter(visit, t);
    DaeClaimBreak found;
    if (break_of(terms, t, &found) && found.gap != DAE_NO_TERM &&
        dae_term_has_variables(terms, found.gap)) { /* what is constant never changes */
      g_array_append_val(breaks, found);
    }
  }
  return breaks;
}

bool
dae_claim_go_to_break(DaeClaimCheck *c, const DaeClaimBreak *b, uint32_t by)
{
  DaeTerm slope = dae_term_partial(c->terms, b->gap, c->atoms[by].atom);
  if (slope == DAE_NO_TERM || dae_term_contains(c->terms, slope, c->atoms[by].atom)) {
    return false;
  }
  c->values[by] = dae_term_int(c->terms, 0);
  DaeTerm rest = dae_claim_at(c, b->gap, c->claim->n_atoms);
  slope = dae_claim_at(c, slope, c->claim->n_atoms);
  if (rest == DAE_NO_TERM || slope == DAE_NO_TERM || !dae_term_is_number(c->terms, rest) ||
      !dae_term_is_number(c->terms, slope) || dae_term_is_zero(c->terms, slope)) {
    return false;
  }
  c->values[by] = dae_term_div(c->terms, dae_term_neg(c->terms, rest), slope);
  return true;
}

/* ---- roots that are no rational numbers -------------------------------------------------- */

static bool
value_at(void *user, DaeTerm atom, double *value)
{
  (void)atom; /* the only one that is left */
  *value = *(const double *)user;
  return true;
}

/* The value of a term in one atom; NAN: none. */
static double
value_with(const DaeClaimCheck *c, DaeTerm t, double x)
{
  double value = 0;
  return dae_term_eval_double(c->terms, t, value_at, &x, &value) == DAE_EVAL_OK ? value : NAN;
}

/* Between two points where it has different signs. */
static double
bisect(const DaeClaimCheck *c, DaeTerm t, double low, double high)
{
  bool is_positive = value_with(c, t, high) > 0;
  for (uint32_t i = 0; i < 200; i++) {
    double middle = low + (high - low) / 2;
    if ((value_with(c, t, middle) > 0) == is_positive) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return high;
}

/* A point near a change of sign of the gap as argument `by` moves; false: none is seen. */
static bool
near_root(const DaeClaimCheck *c, DaeTerm gap, double *root)
{
  static const double grid[] = {0,   1e-3, 1e-2, 0.1, 0.3, 0.5, 0.8, 1,   1.5, 2,
                                3,   5,    8,    13,  30,  100, 200, 273, 300, 350,
                                500, 700,  1e3,  3e3, 1e4, 1e5, 2e5, 1e6, 1e7};

  enum { N = G_N_ELEMENTS(grid) };

  double last = NAN;
  double at = 0;
  for (int i = -(int)N + 1; i < (int)N; i++) { /* from the most negative one upwards */
    double x = i < 0 ? -grid[-i] : grid[i];
    double value = value_with(c, gap, x);
    if (isfinite(value) && isfinite(last) && (value > 0) != (last > 0)) {
      *root = bisect(c, gap, at, x);
      return true;
    }
    last = value;
    at = x;
  }
  return false;
}

/* The root of the gap, with the other arguments where they are; NULL: none is proved. */
static DaeEnclosure *
enclose_break(DaeClaimCheck *c, const DaeClaimBreak *b, uint32_t by)
{
  double near = 0;
  DaeTerm gap = dae_claim_at(c, b->gap, by);
  if (gap == DAE_NO_TERM || !near_root(c, gap, &near)) {
    return NULL;
  }
  const DaeSquareSystem system = {
      .equations = &gap, .unknowns = &c->atoms[by].atom, .near = &near, .n = 1};
  DaeEnclosure *root = dae_algebra_enclose(c->algebra, &system, DIGITS);
  if (root != NULL) { /* for the message, and for the domain */
    c->values[by] = dae_term_from_double(c->terms, dae_enclosure_value(root, 0));
  }
  return root;
}

/* ---- both sides of a point --------------------------------------------------------------- */

typedef struct {
  DaeClaimCheck *c;
  uint32_t by;              /* the argument that passes */
  const DaeEnclosure *root; /* its value; NULL: c->values is exact */
  const GArray *breaks;     /* DaeClaimBreak */
  bool is_seen;             /* something was decided somewhere */
  GString *open;            /* what was not, for people */
} Passage;

/* ZERO of an enclosed root: too small for anything else. */
static DaeZero
zero_at(const Passage *p, DaeTerm t)
{
  if (p->root == NULL) {
    return dae_claim_is_zero(p->c, t);
  }
  DaeBallSize size;
  DaeTerm there = dae_claim_at(p->c, t, p->by);
  if (there == DAE_NO_TERM || !dae_enclosure_size(p->c->algebra, p->root, there, &size)) {
    return DAE_UNKNOWN;
  }
  return size.excludes_zero ? DAE_NONZERO : size.below < -DIGITS / 2 ? DAE_ZERO : DAE_UNKNOWN;
}

/* -1, 1; 0: not known. */
static int
sign_at(const Passage *p, DaeTerm t)
{
  if (t == DAE_NO_TERM || zero_at(p, t) != DAE_NONZERO) {
    return 0;
  }
  DaeTerm there = dae_claim_at(p->c, t, p->c->claim->n_atoms);
  if (there != DAE_NO_TERM && dae_term_is_number(p->c->terms, there)) {
    return dae_term_sign(p->c->terms, there);
  }
  double value = 0;
  bool is_known = there != DAE_NO_TERM &&
                  dae_term_eval_double(p->c->terms, there, NULL, NULL, &value) == DAE_EVAL_OK;
  return !is_known || value == 0 ? 0 : value > 0 ? 1 : -1;
}

/* The term on one side of the point: all breaks there are set. DAE_NO_TERM: not known. */
static DaeTerm
on_side(const Passage *p, bool is_right)
{
  DaeTerms *terms = p->c->terms;
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  for (uint32_t i = 0; i < p->breaks->len; i++) {
    const DaeClaimBreak *b = &g_array_index(p->breaks, DaeClaimBreak, i);
    DaeZero zero = zero_at(p, b->gap);
    if (zero == DAE_NONZERO) {
      continue;
    }
    int slope = sign_at(p, dae_term_partial(terms, b->gap, p->c->atoms[p->by].atom));
    if (zero == DAE_UNKNOWN || slope == 0) {
      return DAE_NO_TERM;
    }
    dae_subst_set(subst, b->node, side_of(terms, b, (slope > 0) == is_right));
  }
  return dae_subst_apply(subst, p->c->claim->actual);
}

static void
tell_jump(const Passage *p, uint32_t order, DaeTerm left, DaeTerm right)
{
  DaeClaimCheck *c = p->c;
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree char *name = dae_term_to_string(c->terms, c->atoms[p->by].atom);
  g_string_append_printf(text, "the annotation smoothOrder = %u of '%s' is wrong: at ",
                         c->claim->order, c->claim->function);
  dae_claim_append_point(c, text);
  if (order == 0) {
    g_string_append(text, " it jumps from ");
  } else {
    g_string_append_printf(text, " its derivative of order %u by %s jumps from ", order, name);
  }
  dae_claim_append_value(c, text, left);
  g_string_append(text, " to ");
  dae_claim_append_value(c, text, right);
  dae_claim_tell(c, DAE_FAILURE, text);
  c->counts.wrong++;
}

static void
note_open(Passage *p, uint32_t order)
{
  if (p->open->len == 0) {
    g_string_append(p->open, "at ");
    dae_claim_append_point(p->c, p->open);
    g_string_append_printf(p->open, " its derivative of order %u by an argument is not decided",
                           order);
  }
}

/* True: a counterexample was told. */
static bool
jumps_here(Passage *p)
{
  DaeClaimCheck *c = p->c;
  DaeTerm left = on_side(p, false);
  DaeTerm right = on_side(p, true);
  for (uint32_t order = 0; order <= c->claim->order; order++) {
    DaeZero zero = left == DAE_NO_TERM || right == DAE_NO_TERM
                       ? DAE_UNKNOWN
                       : zero_at(p, dae_term_sub(c->terms, right, left));
    if (zero == DAE_NONZERO && dae_claim_is_far_apart(c, left, right)) {
      tell_jump(p, order, left, right);
      return true;
    }
    if (zero == DAE_UNKNOWN) {
      note_open(p, order);
      return false;
    }
    p->is_seen = true;
    left = dae_term_partial(c->terms, left, c->atoms[p->by].atom);
    right = dae_term_partial(c->terms, right, c->atoms[p->by].atom);
  }
  return false;
}

/* Passes the break as argument `by` moves, from the point. True: a counterexample was told. */
static bool
jumps_at(Passage *p, const DaeClaimBreak *b, uint32_t point)
{
  DaeClaimCheck *c = p->c;
  dae_claim_go_to(c, point);
  g_autoptr(DaeEnclosure) root = NULL;
  if (!dae_claim_go_to_break(c, b, p->by)) {
    dae_claim_go_to(c, point);
    root = enclose_break(c, b, p->by);
    if (root == NULL) {
      return false;
    }
  }
  p->root = root;
  bool jumps = dae_claim_is_in_domain(c) && jumps_here(p);
  p->root = NULL;
  return jumps;
}

void
dae_claim_check_smooth(DaeClaimCheck *c)
{
  g_autoptr(GArray) breaks = dae_claim_breaks(c->terms, c->claim->actual);
  g_autoptr(GString) open = g_string_new(NULL);
  Passage p = {.c = c, .breaks = breaks, .open = open};
  if (breaks->len == N_BREAKS) {
    dae_claim_tell_unchecked(c, "too many branches");
    return;
  }
  uint32_t n_asked = 0;
  for (uint32_t i = 0; i < breaks->len; i++) {
    const DaeClaimBreak *b = &g_array_index(breaks, DaeClaimBreak, i);
    for (p.by = 0; p.by < c->claim->n_atoms; p.by++) {
      bool is_asked = !c->atoms[p.by].is_constant &&
                      dae_term_contains(c->terms, b->gap, c->atoms[p.by].atom);
      n_asked += is_asked ? 1 : 0;
      for (uint32_t point = 0; point < 3 && is_asked; point++) {
        if (jumps_at(&p, b, point)) {
          return;
        }
      }
    }
  }
  if (!p.is_seen && n_asked > 0) {
    dae_claim_tell_unchecked(c, "none of its branches could be reached at a known point");
  } else if (open->len > 0) {
    dae_claim_tell_unchecked(c, open->str);
  } else {
    c->counts.tried++;
  }
}
