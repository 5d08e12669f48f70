/* Claims of annotations tested: equal terms by the zero test, then at rational points in balls.
 *
 * A counterexample is a point where two terms provably differ, or where a derivative provably
 * jumps: there one relation (or abs, min, max, sign) changes as one argument passes, all that
 * change at that point are set to what they are on either side, and the derivatives of the two
 * terms are compared. */
#include "pipeline/annotations.h"

#include <math.h>

#include "algebra/algebra.h"

enum {
  N_POINTS = 64, /* of each claim */
  ENOUGH = 8,    /* points where the claim was seen to hold */
  N_BREAKS = 60, /* of one term */
  MOST_NODES = 20000
};

/* Relative: literals in the text of a derivative are often rounded. */
#define ROUNDING 1e-6

typedef struct {
  DaeTerms *terms;
  DaeAlgebra *algebra;
  const DaeModel *model;
  const DaeReporter *reporter;
  const DaeClaim *claim;
  const DaeClaimAtom *atoms;
  DaeTerm *values; /* of the atoms at the point */
  DaeAnnotationCounts counts;
} Check;

/* ---- points ------------------------------------------------------------------------------ */

/* Small numbers first, then those of temperatures and pressures. */
static DaeTerm
value_of(DaeTerms *terms, uint32_t point, uint32_t atom)
{
  static const struct {
    int16_t p, q;
  } small[] = {{1, 2}, {7, 5}, {3, 10}, {-2, 3}, {5, 2}, {-7, 4}, {1, 10}, {4, 1}, {-3, 1}};

  uint32_t n = G_N_ELEMENTS(small);
  uint32_t at = (point * 5 + atom * (3 + point)) % n;
  DaeTerm value = dae_term_ratio(terms, small[at].p, small[at].q);
  static const int scale[] = {1, 1, 1, 1000, 1, 300, 1, 1000000};
  return dae_term_mul(terms, value, dae_term_int(terms, scale[(point / 2 + atom) % 8]));
}

/* The value moved into the bounds of the argument. */
static DaeTerm
inside(DaeTerms *terms, const DaeClaimAtom *atom, DaeTerm value)
{
  DaeTerm size = dae_term_sign(terms, value) < 0 ? dae_term_neg(terms, value) : value;
  if (atom->min != DAE_NO_TERM && atom->max != DAE_NO_TERM) { /* min + size/(1 + size)*width */
    DaeTerm part = dae_term_div(terms, size, dae_term_add(terms, size, dae_term_int(terms, 1)));
    return dae_term_add(terms, atom->min,
                        dae_term_mul(terms, part, dae_term_sub(terms, atom->max, atom->min)));
  }
  if (atom->min != DAE_NO_TERM &&
      dae_term_sign(terms, dae_term_sub(terms, value, atom->min)) < 0) {
    return dae_term_add(terms, atom->min, size);
  }
  if (atom->max != DAE_NO_TERM &&
      dae_term_sign(terms, dae_term_sub(terms, atom->max, value)) < 0) {
    return dae_term_sub(terms, atom->max, size);
  }
  return value;
}

static void
go_to(Check *c, uint32_t point)
{
  for (uint32_t i = 0; i < c->claim->n_atoms; i++) {
    c->values[i] = inside(c->terms, &c->atoms[i], value_of(c->terms, point, i));
  }
}

/* DAE_NO_TERM: not defined there. */
static DaeTerm
at_point(const Check *c, DaeTerm t)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(c->terms);
  for (uint32_t i = 0; i < c->claim->n_atoms; i++) {
    dae_subst_set(subst, c->atoms[i].atom, c->values[i]);
  }
  return t != DAE_NO_TERM ? dae_subst_apply(subst, t) : DAE_NO_TERM;
}

static DaeZero
is_zero_there(const Check *c, DaeTerm t)
{
  DaeTerm value = at_point(c, t);
  return value != DAE_NO_TERM ? dae_algebra_is_zero(c->algebra, value) : DAE_UNKNOWN;
}

/* Does the point lie in the bounds, and do the assertions of the functions hold there? */
static bool
is_in_domain(const Check *c)
{
  for (uint32_t i = 0; i < c->claim->n_atoms; i++) {
    const DaeClaimAtom *a = &c->atoms[i];
    if ((a->min != DAE_NO_TERM &&
         dae_term_sign(c->terms, dae_term_sub(c->terms, c->values[i], a->min)) < 0) ||
        (a->max != DAE_NO_TERM &&
         dae_term_sign(c->terms, dae_term_sub(c->terms, a->max, c->values[i])) < 0)) {
      return false;
    }
  }
  DaeTerm number = dae_term_if(c->terms, c->claim->domain, dae_term_int(c->terms, 1),
                               dae_term_int(c->terms, 0));
  return is_zero_there(c, number) == DAE_NONZERO;
}

static void
append_value(const Check *c, GString *out, DaeTerm t)
{
  double value = 0;
  DaeTerm there = at_point(c, t);
  if (there == DAE_NO_TERM ||
      dae_term_eval_double(c->terms, there, NULL, NULL, &value) != DAE_EVAL_OK) {
    g_string_append(out, "a value");
    return;
  }
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append(out, g_ascii_formatd(text, sizeof text, "%.15g", value));
}

static void
append_point(const Check *c, GString *out)
{
  for (uint32_t i = 0; i < c->claim->n_atoms; i++) {
    g_autofree char *name = dae_term_to_string(c->terms, c->atoms[i].atom);
    g_autofree char *value = dae_term_to_string(c->terms, c->values[i]);
    g_string_append_printf(out, "%s%s = %s", i > 0 ? ", " : "", name, value);
  }
}

static void
tell(Check *c, DaeSeverity severity, const GString *message)
{
  DaeDiagnostic diagnostic = {.severity = severity,
                              .file = dae_model_file_of(c->model, c->claim->span),
                              .span = c->claim->span,
                              .message = message->str};
  dae_report(c->reporter, &diagnostic);
}

/* ---- equal terms ------------------------------------------------------------------------- */

/* Do they differ by more than the rounding of the numbers in the text? */
static bool
is_far_apart(const Check *c, DaeTerm a, DaeTerm b)
{
  double x = 0;
  double y = 0;
  DaeTerm at_a = at_point(c, a);
  DaeTerm at_b = at_point(c, b);
  if (at_a == DAE_NO_TERM || at_b == DAE_NO_TERM ||
      dae_term_eval_double(c->terms, at_a, NULL, NULL, &x) != DAE_EVAL_OK ||
      dae_term_eval_double(c->terms, at_b, NULL, NULL, &y) != DAE_EVAL_OK) {
    return false;
  }
  return fabs(x - y) > ROUNDING * MAX(fabs(x), fabs(y));
}

static void
tell_difference(Check *c)
{
  const DaeClaim *claim = c->claim;
  g_autoptr(GString) text = g_string_new(NULL);
  bool is_inverse = claim->kind == DAE_CLAIM_INVERSE;
  g_string_append_printf(text, "the annotation %s of '%s' is wrong: at ",
                         is_inverse ? "inverse" : "derivative", claim->function);
  append_point(c, text);
  if (is_inverse) {
    g_string_append_printf(text, " the inverse gives %s = ", claim->other);
    append_value(c, text, claim->claimed);
  } else {
    g_string_append_printf(text, " '%s' gives ", claim->other);
    append_value(c, text, claim->claimed);
    g_string_append(text, ", the derivative is ");
    append_value(c, text, claim->actual);
  }
  tell(c, DAE_FAILURE, text);
  c->counts.wrong++;
}

static void
tell_unchecked(Check *c, const char *why)
{
  static const char *const names[] = {"derivative", "inverse", "smoothOrder"};
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append_printf(text, "the annotation %s of '%s' was not checked: %s",
                         names[c->claim->kind], c->claim->function, why);
  tell(c, DAE_WARNING, text);
  c->counts.unchecked++;
}

static void
check_equal(Check *c)
{
  DaeTerm difference = dae_term_sub(c->terms, c->claim->claimed, c->claim->actual);
  uint32_t n_held = 0;
  if (difference != DAE_NO_TERM && dae_algebra_is_zero(c->algebra, difference) == DAE_ZERO) {
    c->counts.proved++;
    return;
  }
  for (uint32_t point = 0; point < N_POINTS && n_held < ENOUGH; point++) {
    go_to(c, point);
    if (!is_in_domain(c)) {
      continue;
    }
    switch (is_zero_there(c, difference)) {
    case DAE_NONZERO:
      if (is_far_apart(c, c->claim->claimed, c->claim->actual)) {
        tell_difference(c);
        return;
      }
      n_held++;
      break;
    case DAE_ZERO:
      n_held++;
      break;
    case DAE_UNKNOWN:
      break;
    }
  }
  if (n_held > 0) {
    c->counts.tried++;
  } else {
    tell_unchecked(c, "it was decided at none of the points tried");
  }
}

/* ---- smoothness -------------------------------------------------------------------------- */

typedef struct {
  DaeTerm node;
  DaeTerm gap; /* what changes its sign */
} Break;

static bool
break_of(DaeTerms *terms, DaeTerm t, Break *found)
{
  *found = (Break){.node = t};
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
side_of(DaeTerms *terms, const Break *b, bool is_positive)
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

static GArray *
find_breaks(DaeTerms *terms, DaeTerm root)
{
  GArray *breaks = g_array_new(FALSE, FALSE, sizeof(Break));
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, root);
  for (uint32_t n_seen = 0; n_seen < MOST_NODES && breaks->len < N_BREAKS; n_seen++) {
    DaeTerm t = dae_visit_next(visit);
    if (t == DAE_NO_TERM) {
      break;
    }
    dae_visit_enter(visit, t);
    Break found;
    if (break_of(terms, t, &found) && found.gap != DAE_NO_TERM) {
      g_array_append_val(breaks, found);
    }
  }
  return breaks;
}

/* Moves argument `by` to where the gap vanishes; false: it cannot be found exactly. */
static bool
go_to_break(Check *c, const Break *b, uint32_t by)
{
  DaeTerm slope = dae_term_partial(c->terms, b->gap, c->atoms[by].atom);
  if (slope == DAE_NO_TERM || dae_term_contains(c->terms, slope, c->atoms[by].atom)) {
    return false;
  }
  c->values[by] = dae_term_int(c->terms, 0);
  DaeTerm rest = at_point(c, b->gap);
  slope = at_point(c, slope);
  if (rest == DAE_NO_TERM || slope == DAE_NO_TERM || !dae_term_is_number(c->terms, rest) ||
      !dae_term_is_number(c->terms, slope) || dae_term_is_zero(c->terms, slope)) {
    return false;
  }
  c->values[by] = dae_term_div(c->terms, dae_term_neg(c->terms, rest), slope);
  return true;
}

/* The term on one side of the point: all breaks there are set. DAE_NO_TERM: not known. */
static DaeTerm
on_side(const Check *c, const GArray *breaks, uint32_t by, bool is_right)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(c->terms);
  for (uint32_t i = 0; i < breaks->len; i++) {
    const Break *b = &g_array_index(breaks, Break, i);
    DaeZero zero = is_zero_there(c, b->gap);
    if (zero == DAE_NONZERO) {
      continue;
    }
    DaeTerm slope = dae_term_partial(c->terms, b->gap, c->atoms[by].atom);
    slope = slope != DAE_NO_TERM ? at_point(c, slope) : DAE_NO_TERM;
    if (zero == DAE_UNKNOWN || slope == DAE_NO_TERM || !dae_term_is_number(c->terms, slope) ||
        dae_term_is_zero(c->terms, slope)) {
      return DAE_NO_TERM;
    }
    bool is_positive = (dae_term_sign(c->terms, slope) > 0) == is_right;
    dae_subst_set(subst, b->node, side_of(c->terms, b, is_positive));
  }
  return dae_subst_apply(subst, c->claim->actual);
}

static void
tell_jump(Check *c, uint32_t by, uint32_t order, DaeTerm left, DaeTerm right)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree char *name = dae_term_to_string(c->terms, c->atoms[by].atom);
  g_string_append_printf(text, "the annotation smoothOrder = %u of '%s' is wrong: at ",
                         c->claim->order, c->claim->function);
  append_point(c, text);
  if (order == 0) {
    g_string_append(text, " it jumps from ");
  } else {
    g_string_append_printf(text, " its derivative of order %u by %s jumps from ", order, name);
  }
  append_value(c, text, left);
  g_string_append(text, " to ");
  append_value(c, text, right);
  tell(c, DAE_FAILURE, text);
  c->counts.wrong++;
}

/* True: a counterexample was told. */
static bool
jumps_here(Check *c, const GArray *breaks, uint32_t by, bool *is_seen)
{
  DaeTerm left = on_side(c, breaks, by, false);
  DaeTerm right = on_side(c, breaks, by, true);
  for (uint32_t order = 0; order <= c->claim->order; order++) {
    if (left == DAE_NO_TERM || right == DAE_NO_TERM) {
      return false;
    }
    DaeTerm gap = dae_term_sub(c->terms, right, left);
    DaeZero zero = is_zero_there(c, gap);
    if (zero == DAE_NONZERO && is_far_apart(c, left, right)) {
      tell_jump(c, by, order, left, right);
      return true;
    }
    if (zero == DAE_UNKNOWN) {
      return false;
    }
    *is_seen = true;
    left = dae_term_partial(c->terms, left, c->atoms[by].atom);
    right = dae_term_partial(c->terms, right, c->atoms[by].atom);
  }
  return false;
}

static void
check_smooth(Check *c)
{
  g_autoptr(GArray) breaks = find_breaks(c->terms, c->claim->actual);
  bool is_seen = breaks->len == 0;
  if (breaks->len == N_BREAKS) {
    tell_unchecked(c, "too many branches");
    return;
  }
  for (uint32_t i = 0; i < breaks->len; i++) {
    const Break b = g_array_index(breaks, Break, i);
    for (uint32_t by = 0; by < c->claim->n_atoms; by++) {
      for (uint32_t point = 0;
           point < 3 && dae_term_contains(c->terms, b.gap, c->atoms[by].atom); point++) {
        go_to(c, point);
        if (go_to_break(c, &b, by) && is_in_domain(c) && jumps_here(c, breaks, by, &is_seen)) {
          return;
        }
      }
    }
  }
  if (is_seen) {
    c->counts.tried++;
  } else {
    tell_unchecked(c, "none of its branches could be reached at a known point");
  }
}

/* ---- the way in -------------------------------------------------------------------------- */

DaeAnnotationCounts
dae_annotations_check(const DaeModel *model, DaeTerms *terms, const DaeReporter *reporter)
{
  g_autoptr(DaeAlgebra) algebra = dae_algebra_new(terms, NULL);
  Check c = {.terms = terms, .algebra = algebra, .model = model, .reporter = reporter};
  for (uint32_t i = 0; i < dae_model_n_claims(model); i++) {
    c.claim = dae_model_claim(model, i, &c.atoms);
    g_autofree DaeTerm *values = g_new0(DaeTerm, c.claim->n_atoms + 1);
    c.values = values;
    if (c.claim->why_not != NULL) {
      tell_unchecked(&c, c.claim->why_not);
    } else if (c.claim->kind == DAE_CLAIM_SMOOTH) {
      check_smooth(&c);
    } else {
      check_equal(&c);
    }
  }
  return c.counts;
}
