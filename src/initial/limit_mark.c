/* Which quotients have no value at the start? A mark takes the place of each. */
#include "initial/limit-priv.h"

/* ---- quotients --------------------------------------------------------------------------------- */

bool
dae_limits_vanishes_at_start(const DaeLimits *limits, DaeTerm t)
{
  DaeTerms *terms = limits->terms;
  if ((!dae_term_has_time(terms, t) && !dae_term_has_variables(terms, t)) ||
      dae_term_has_break(terms, t)) {
    return false;
  }
  DaeTerm value = dae_limits_at_start(limits, t);
  value = value == DAE_NO_TERM ? value : dae_subst_apply(limits->roots, value);
  return value != DAE_NO_TERM && !dae_term_has_variables(terms, value) &&
         dae_algebra_is_zero(limits->algebra, value) == DAE_ZERO &&
         dae_algebra_is_zero(limits->algebra, t) == DAE_NONZERO;
}

/* f^(-m), f as above; *inverse is f^m. */
static bool
is_singular_factor(const DaeLimits *limits, DaeTerm t, DaeTerm *inverse)
{
  DaeTerms *terms = limits->terms;
  int64_t exponent = 0;
  if (dae_term_kind(terms, t) != DAE_KIND_POWER ||
      !dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &exponent) || exponent >= 0 ||
      !dae_limits_vanishes_at_start(limits, dae_term_operand(terms, t, 0))) {
    return false;
  }
  *inverse = dae_term_pow_int(terms, dae_term_operand(terms, t, 0), -exponent);
  return true;
}

/* The product of what makes t, a product, singular; the number 1: nothing does. */
static DaeTerm
singular_denominator(const DaeLimits *limits, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(limits->terms, DAE_KIND_PRODUCT, &t, &n);
  DaeTerm denominator = dae_term_int(limits->terms, 1);
  DaeTerm inverse = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    if (is_singular_factor(limits, factors[i], &inverse)) {
      denominator = dae_term_mul(limits->terms, denominator, inverse);
    }
  }
  return denominator;
}

/* The factors of t without unknowns. */
static DaeTerm
factor_in_time(const DaeLimits *limits, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(limits->terms, DAE_KIND_PRODUCT, &t, &n);
  DaeTerm product = dae_term_int(limits->terms, 1);
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_term_has_variables(limits->terms, factors[i])) {
      product = dae_term_mul(limits->terms, product, factors[i]);
    }
  }
  return product;
}

/* A new quotient; the mark that stands for it. The same one twice has the same mark. */
static DaeTerm
add_quotient(DaeLimits *limits, DaeTerm whole, DaeTerm denominator)
{
  DaeTerms *terms = limits->terms;
  for (guint i = 0; i < limits->quotients->len; i++) {
    const DaeQuotient *known = &g_array_index(limits->quotients, DaeQuotient, i);
    if (known->whole == whole) {
      return known->mark;
    }
  }
  g_autofree char *name = g_strdup_printf("$limit%u", limits->quotients->len + 1);
  DaeQuotient quotient = {.whole = whole, .denominator = denominator};
  DaeTerm product = DAE_NO_TERM;
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &whole, &n);
  quotient.numerator = dae_term_int(terms, 0);
  for (uint32_t i = 0; i < n; i++) {
    product = dae_term_mul(terms, summands[i], denominator);
    quotient.numerator = dae_term_add(terms, quotient.numerator, product);
  }
  quotient.mark = dae_term_parameter(
      terms, dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, name));
  quotient.conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_val(limits->quotients, quotient);
  return quotient.mark;
}

static DaeQuotient *
last_quotient(const DaeLimits *limits)
{
  return &g_array_index(limits->quotients, DaeQuotient, limits->quotients->len - 1);
}

DaeTerm
dae_limits_add_logarithm(DaeLimits *limits, DaeTerm whole, DaeTerm rest, DaeTerm arguments)
{
  const guint before = limits->quotients->len;
  DaeTerm mark = add_quotient(limits, whole, arguments);
  if (limits->quotients->len > before) {
    last_quotient(limits)->numerator = rest;
    last_quotient(limits)->is_logarithm = true;
  }
  return mark;
}

void
dae_limits_clear_quotient(gpointer data)
{
  g_array_unref(((DaeQuotient *)data)->conditions);
}

static bool
resolve_by_growth(const DaeLimits *limits, DaeQuotient *quotient)
{
  quotient->limit = dae_limits_by_growth(limits, quotient->whole);
  if (quotient->limit != DAE_NO_TERM) {
    g_array_set_size(quotient->conditions, 0); /* of another way to it */
  }
  return quotient->limit != DAE_NO_TERM;
}

/* What of t, in time alone, tends to something by its growth: t itself, or the factors of a
 * product without unknowns. Its mark, times the rest; DAE_NO_TERM: nothing does. */
static DaeTerm
mark_by_growth(DaeLimits *limits, DaeTerm t)
{
  DaeTerms *terms = limits->terms;
  const bool has_rest = dae_term_has_variables(terms, t);
  if (has_rest && dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return DAE_NO_TERM;
  }
  const DaeTerm factor = has_rest ? factor_in_time(limits, t) : t;
  const DaeTerm limit = dae_limits_by_growth(limits, factor);
  if (limit == DAE_NO_TERM) {
    return limit;
  }
  const DaeTerm mark = add_quotient(limits, factor, dae_term_int(terms, 1));
  for (guint i = 0; i < limits->quotients->len; i++) {
    DaeQuotient *quotient = &g_array_index(limits->quotients, DaeQuotient, i);
    quotient->limit = quotient->mark == mark ? limit : quotient->limit;
  }
  const DaeTerm rest = has_rest ? dae_term_div(terms, t, factor) : dae_term_int(terms, 1);
  return rest == DAE_NO_TERM ? rest : dae_term_mul(terms, rest, mark);
}

/* Has the part of the product in time alone a limit? Then its mark times the rest; otherwise
 * DAE_NO_TERM. */
static DaeTerm
mark_factor(DaeLimits *limits, DaeTerm product, DaeTerm denominator)
{
  DaeTerm factor = factor_in_time(limits, product);
  guint before = limits->quotients->len;
  DaeTerm mark = add_quotient(limits, factor, denominator);
  if (limits->quotients->len > before &&
      !dae_limits_resolve_in_time(limits, last_quotient(limits)) &&
      !resolve_by_growth(limits, last_quotient(limits))) {
    g_array_set_size(limits->quotients, before); /* perhaps together with the rest */
    return DAE_NO_TERM;
  }
  DaeTerm rest = dae_term_div(limits->terms, product, factor);
  return rest == DAE_NO_TERM ? rest : dae_term_mul(limits->terms, rest, mark);
}

/* ---- marks in equations ------------------------------------------------------------------------ */

/* t, a sum or a product, with marks for its singular summands: one by one where their factors in
 * time have limits, the rest together. */
static DaeTerm
mark_summands(DaeLimits *limits, DaeTerm t)
{
  DaeTerms *terms = limits->terms;
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  DaeTerm one = dae_term_int(terms, 1);
  DaeTerm result = dae_term_int(terms, 0);
  DaeTerm together = dae_term_int(terms, 0);
  DaeTerm common = one;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm denominator = singular_denominator(limits, summands[i]);
    DaeTerm marked = denominator == one ? summands[i]
                     : dae_term_has_variables(terms, denominator)
                         ? DAE_NO_TERM
                         : mark_factor(limits, summands[i], denominator);
    result = marked != DAE_NO_TERM ? dae_term_add(terms, result, marked) : result;
    if (marked == DAE_NO_TERM) { /* what the common denominator lacks is multiplied in */
      together = dae_term_add(terms, together, summands[i]);
      DaeTerm lacking = singular_denominator(limits, dae_term_div(terms, common, denominator));
      common = dae_term_mul(terms, common, lacking);
    }
  }
  return common == one ? result
                       : dae_term_add(terms, result, add_quotient(limits, together, common));
}

bool
dae_limits_is_singular(const DaeLimits *limits, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(limits->terms, DAE_KIND_SUM, &t, &n);
  for (uint32_t i = 0; dae_term_has_quotient(limits->terms, t) && i < n; i++) {
    if (singular_denominator(limits, summands[i]) != dae_term_int(limits->terms, 1)) {
      return true;
    }
  }
  return false;
}

static bool
may_be_singular(const DaeLimits *limits, DaeTerm t)
{
  return dae_term_has_time(limits->terms, t) ||
         (limits->n_fixed > 0 && dae_term_has_variables(limits->terms, t));
}

bool
dae_limits_may_concern(const DaeLimits *limits, DaeTerm t)
{
  return !dae_term_is_affine(limits->terms, t) && may_be_singular(limits, t);
}

/* A quotient, or a power with a negative exponent of any kind. */
static bool
may_lack_value(const DaeLimits *limits, DaeTerm t)
{
  return may_be_singular(limits, t) &&
         (dae_term_has_quotient(limits->terms, t) ||
          (dae_term_has_call(limits->terms, t) && dae_term_has_time(limits->terms, t)));
}

bool
dae_limits_may_lack_value(const DaeLimits *limits, DaeTerm t)
{
  return may_lack_value(limits, t) ||
         (dae_limits_may_concern(limits, t) && dae_term_has_call(limits->terms, t));
}

/* Outermost sums and products first; what stands in branches is left alone. */
DaeTerm
dae_limits_mark(DaeLimits *limits, DaeTerm t)
{
  DaeTerms *terms = limits->terms;
  t = dae_limits_mark_logarithms(limits, t);
  if (!may_lack_value(limits, t)) {
    return t;
  }
  g_autoptr(DaeSubst) marked = dae_subst_new(terms);
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    DaeKind kind = dae_term_kind(terms, node);
    if (!may_lack_value(limits, node) || kind == DAE_KIND_IF || kind == DAE_KIND_RELATION) {
      continue;
    }
    bool is_sum = kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT || kind == DAE_KIND_POWER;
    const bool is_singular = is_sum && dae_limits_is_singular(limits, node);
    const DaeTerm by_growth = is_singular ? DAE_NO_TERM : mark_by_growth(limits, node);
    if (is_singular) {
      dae_subst_set(marked, node, mark_summands(limits, node));
    } else if (by_growth != DAE_NO_TERM) {
      dae_subst_set(marked, node, by_growth);
    } else {
      dae_visit_enter(visit, node);
    }
  }
  return dae_subst_apply(marked, t);
}

bool
dae_limits_is_top(const DaeLimits *limits, DaeTerm atom)
{
  gpointer symbol = GUINT_TO_POINTER(dae_term_get_symbol(limits->terms, atom));
  return dae_term_order(limits->terms, atom) ==
         GPOINTER_TO_UINT(g_hash_table_lookup(limits->highest, symbol));
}

/* Is the slope of y, which no equation differentiates, a function of time alone that may vanish
 * later in a run? Newton's method has no digits there, but a quotient that has a hole is led over
 * it. */
static bool
may_vanish_later(const DaeLimits *limits, DaeTerm y, DaeTerm slope)
{
  DaeTerms *terms = limits->terms;
  bool strict = false;
  return limits->options.with_series && dae_term_order(terms, y) == 0 &&
         dae_term_has_time(terms, slope) && !dae_term_has_variables(terms, slope) &&
         !dae_term_has_break(terms, slope) &&
         !(dae_algebra_definite(limits->algebra, slope, &strict) != 0 && strict);
}

/* f*y = rest, f as above, y no state and nothing else that the equation could be for: y =
 * rest/f. */
bool
dae_limits_solve_hidden(DaeLimits *limits, DaeEquation *equation)
{
  DaeTerms *terms = limits->terms;
  if (dae_term_is_affine(terms, equation->lhs) && dae_term_is_affine(terms, equation->rhs)) {
    return false; /* no factor varies */
  }
  DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
  if (residual == DAE_NO_TERM || !may_be_singular(limits, residual) ||
      dae_term_has_break(terms, residual)) {
    return false;
  }
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) slopes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_gradient(terms, residual, atoms, slopes);
  guint hidden = atoms->len;
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    DaeTerm slope = g_array_index(slopes, DaeTerm, a);
    if (!dae_limits_is_top(limits, atom)) {
      continue;
    }
    if (slope != DAE_NO_TERM && !dae_term_contains(terms, slope, atom) &&
        (dae_limits_vanishes_at_start(limits, slope) ||
         may_vanish_later(limits, atom, slope))) {
      hidden = a;
    } else if (!g_hash_table_contains(limits->solved, GUINT_TO_POINTER(atom))) {
      return false; /* that is what the equation is for */
    }
  }
  if (hidden == atoms->len) {
    return false;
  }
  DaeTerm atom = g_array_index(atoms, DaeTerm, hidden);
  DaeTerm slope = g_array_index(slopes, DaeTerm, hidden);
  DaeTerm rest = dae_term_replace(terms, residual, atom, dae_term_int(terms, 0));
  DaeTerm solved =
      rest == DAE_NO_TERM ? rest : dae_term_div(terms, dae_term_neg(terms, rest), slope);
  if (solved != DAE_NO_TERM && dae_term_has_variables(terms, slope)) {
    g_hash_table_insert(limits->factors, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(slope));
  }
  if (solved != DAE_NO_TERM) {
    equation->lhs = atom;
    equation->rhs = solved;
  }
  return solved != DAE_NO_TERM;
}
