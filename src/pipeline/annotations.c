/* Claims of annotations tested: equal terms by the zero test, then at rational points in balls.
 *
 * A counterexample is a point where two terms provably differ, or where a derivative provably
 * jumps: there one relation (or abs, min, max, sign) changes as one argument passes, all that
 * change at that point are set to what they are on either side, and the derivatives of the two
 * terms are compared. */
#include "pipeline/annotations-priv.h"

#include <math.h>
#include <string.h>

enum {
  N_POINTS = 64, /* of each claim */
  ENOUGH = 8     /* points where the claim was seen to hold */
};

/* Relative: literals in the text of a derivative are often rounded. */
#define ROUNDING 1e-6

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

void
dae_claim_go_to(DaeClaimCheck *c, uint32_t point)
{
  for (uint32_t i = 0; i < c->claim->n_atoms; i++) {
    c->values[i] = inside(c->terms, &c->atoms[i], value_of(c->terms, point, i));
  }
}

DaeTerm
dae_claim_at(const DaeClaimCheck *c, DaeTerm t, uint32_t free)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(c->terms);
  for (uint32_t i = 0; i < c->claim->n_atoms; i++) {
    if (i != free) {
      dae_subst_set(subst, c->atoms[i].atom, c->values[i]);
    }
  }
  return t != DAE_NO_TERM ? dae_subst_apply(subst, t) : DAE_NO_TERM;
}

/* DAE_NO_TERM: not defined there. */
static DaeTerm
at_point(const DaeClaimCheck *c, DaeTerm t)
{
  return dae_claim_at(c, t, c->claim->n_atoms);
}

DaeZero
dae_claim_is_zero(const DaeClaimCheck *c, DaeTerm t)
{
  DaeTerm value = at_point(c, t);
  return value != DAE_NO_TERM ? dae_algebra_is_zero(c->algebra, value) : DAE_UNKNOWN;
}

/* Does the point lie in the bounds, and do the assertions of the functions hold there? */
bool
dae_claim_is_in_domain(const DaeClaimCheck *c)
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
  return dae_claim_is_zero(c, number) == DAE_NONZERO;
}

void
dae_claim_append_value(const DaeClaimCheck *c, GString *out, DaeTerm t)
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

void
dae_claim_append_point(const DaeClaimCheck *c, GString *out)
{
  enum { SHORT = 15 }; /* characters; longer ones are enclosed roots */

  for (uint32_t i = 0; i < c->claim->n_atoms; i++) {
    g_autofree char *name = dae_term_to_string(c->terms, c->atoms[i].atom);
    g_autofree char *value = dae_term_to_string(c->terms, c->values[i]);
    g_string_append_printf(out, "%s%s = ", i > 0 ? ", " : "", name);
    if (strlen(value) <= SHORT) {
      g_string_append(out, value);
    } else {
      dae_claim_append_value(c, out, c->atoms[i].atom);
    }
  }
}

void
dae_claim_tell(DaeClaimCheck *c, DaeSeverity severity, const GString *message)
{
  DaeDiagnostic diagnostic = {.severity = severity,
                              .file = dae_model_file_of(c->model, c->claim->span),
                              .span = c->claim->span,
                              .message = message->str};
  dae_report(c->reporter, &diagnostic);
}

/* ---- equal terms ------------------------------------------------------------------------- */

/* Do they differ by more than the rounding of the numbers in the text? */
bool
dae_claim_is_far_apart(const DaeClaimCheck *c, DaeTerm a, DaeTerm b)
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
tell_difference(DaeClaimCheck *c)
{
  const DaeClaim *claim = c->claim;
  g_autoptr(GString) text = g_string_new(NULL);
  bool is_inverse = claim->kind == DAE_CLAIM_INVERSE;
  g_string_append_printf(text, "the annotation %s of '%s' is wrong: at ",
                         is_inverse ? "inverse" : "derivative", claim->function);
  dae_claim_append_point(c, text);
  if (is_inverse) {
    g_string_append_printf(text, " the inverse gives %s = ", claim->other);
    dae_claim_append_value(c, text, claim->claimed);
  } else {
    g_string_append_printf(text, " '%s' gives ", claim->other);
    dae_claim_append_value(c, text, claim->claimed);
    g_string_append(text, ", the derivative is ");
    dae_claim_append_value(c, text, claim->actual);
  }
  dae_claim_tell(c, DAE_FAILURE, text);
  c->counts.wrong++;
}

void
dae_claim_tell_unchecked(DaeClaimCheck *c, const char *why)
{
  static const char *const names[] = {"derivative", "inverse", "smoothOrder"};
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append_printf(text, "the annotation %s of '%s' was not checked: %s",
                         names[c->claim->kind], c->claim->function, why);
  dae_claim_tell(c, DAE_WARNING, text);
  c->counts.unchecked++;
}

typedef enum { DECIDED_NOT, DECIDED_HOLDS, DECIDED_WRONG } Decided;

/* Does the claim hold at the point? What is wrong is told. */
static Decided
decide_here(DaeClaimCheck *c, DaeTerm difference)
{
  DaeZero zero = dae_claim_is_in_domain(c) ? dae_claim_is_zero(c, difference) : DAE_UNKNOWN;
  if (zero == DAE_NONZERO && dae_claim_is_far_apart(c, c->claim->claimed, c->claim->actual)) {
    tell_difference(c);
    return DECIDED_WRONG;
  }
  return zero == DAE_UNKNOWN ? DECIDED_NOT : DECIDED_HOLDS;
}

/* On both sides of where one argument takes the function, or its derivative, from one branch to
 * another, wherever that is. False: a counterexample was told. */
static bool
holds_in_branches(DaeClaimCheck *c, DaeTerm difference, uint32_t *n_held)
{
  g_autoptr(GArray) breaks = dae_claim_breaks(c->terms, difference);
  for (uint32_t i = 0; i < breaks->len; i++) {
    const DaeClaimBreak *b = &g_array_index(breaks, DaeClaimBreak, i);
    for (uint32_t k = 0; k < 2 * c->claim->n_atoms; k++) {
      uint32_t by = k / 2;
      dae_claim_go_to(c, i % 3);
      if (!dae_term_contains(c->terms, b->gap, c->atoms[by].atom) ||
          !dae_claim_go_to_break(c, b, by)) {
        continue;
      }
      DaeTerm half = dae_term_ratio(c->terms, k % 2 == 0 ? 1 : -1, 2);
      c->values[by] = dae_term_add(c->terms, c->values[by], half);
      Decided decided = decide_here(c, difference);
      *n_held += decided == DECIDED_HOLDS ? 1 : 0;
      if (decided == DECIDED_WRONG) {
        return false;
      }
    }
  }
  return true;
}

static void
check_equal(DaeClaimCheck *c)
{
  DaeTerm difference = dae_term_sub(c->terms, c->claim->claimed, c->claim->actual);
  uint32_t n_held = 0;
  if (difference != DAE_NO_TERM && dae_algebra_is_zero(c->algebra, difference) == DAE_ZERO) {
    c->counts.proved++;
    return;
  }
  for (uint32_t point = 0; point < N_POINTS && n_held < ENOUGH; point++) {
    dae_claim_go_to(c, point);
    Decided decided = decide_here(c, difference);
    n_held += decided == DECIDED_HOLDS ? 1 : 0;
    if (decided == DECIDED_WRONG) {
      return;
    }
  }
  if (difference != DAE_NO_TERM && !holds_in_branches(c, difference, &n_held)) {
    return;
  }
  if (n_held > 0) {
    c->counts.tried++;
  } else {
    dae_claim_tell_unchecked(c, "it was decided at none of the points tried");
  }
}

/* ---- the way in -------------------------------------------------------------------------- */

/* One counterexample of an annotation is enough, and one reason why it was not checked. */
static bool
is_settled(const DaeClaimCheck *c, GHashTable *told)
{
  g_autofree char *key = g_strdup_printf("%d %s", (int)c->claim->kind, c->claim->function);
  return g_hash_table_contains(told, key);
}

static void
check_claim(DaeClaimCheck *c, GHashTable *told)
{
  uint32_t before = c->counts.wrong + c->counts.unchecked;
  if (is_settled(c, told)) {
    return;
  }
  if (c->claim->why_not != NULL) {
    dae_claim_tell_unchecked(c, c->claim->why_not);
  } else if (c->claim->kind == DAE_CLAIM_SMOOTH) {
    dae_claim_check_smooth(c);
  } else {
    check_equal(c);
  }
  if (c->counts.wrong + c->counts.unchecked > before) {
    g_hash_table_add(told, g_strdup_printf("%d %s", (int)c->claim->kind, c->claim->function));
  }
}

DaeAnnotationCounts
dae_annotations_check(const DaeModel *model, DaeTerms *terms, const DaeReporter *reporter)
{
  g_autoptr(DaeAlgebra) algebra = dae_algebra_new(terms, NULL);
  g_autoptr(GHashTable) told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  DaeClaimCheck c = {.terms = terms, .algebra = algebra, .model = model, .reporter = reporter};
  for (uint32_t i = 0; i < dae_model_n_claims(model); i++) {
    c.claim = dae_model_claim(model, i, &c.atoms);
    g_autofree DaeTerm *values = g_new0(DaeTerm, c.claim->n_atoms + 1);
    c.values = values;
    check_claim(&c, told);
  }
  return c.counts;
}
