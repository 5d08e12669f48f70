/* Products of what tends to 0 and a logarithm of what does: time*log(time), sqrt(x)*log(x)^2.
 *
 * g with a zero of order k at the start is t^k times a positive number, to first order, so that
 * log(g) grows as k*log(t) does, and f^a with a > 0 and a smooth f that vanishes there falls at
 * least as t^a: their product tends to 0, whatever the powers, if the other factors have values.
 * One logarithm in a product is looked at. */
#include "initial/limit-priv.h"

/* log(g) or log(g)^m with g that vanishes at the start; g. */
static DaeTerm
vanishing_argument(const DaeLimits *limits, DaeTerm factor)
{
  DaeTerms *terms = limits->terms;
  int64_t exponent = 1;
  if (dae_term_kind(terms, factor) == DAE_KIND_POWER &&
      dae_term_get_int64(terms, dae_term_operand(terms, factor, 1), &exponent)) {
    factor = dae_term_operand(terms, factor, 0);
  }
  if (exponent < 1 || dae_term_kind(terms, factor) != DAE_KIND_CALL ||
      (dae_term_function(terms, factor) != DAE_FN_LOG &&
       dae_term_function(terms, factor) != DAE_FN_LOG10)) {
    return DAE_NO_TERM;
  }
  DaeTerm g = dae_term_operand(terms, factor, 0);
  return dae_limits_vanishes_at_start(limits, g) ? g : DAE_NO_TERM;
}

/* f or f^a, a > 0, with f that vanishes at the start; f. */
static DaeTerm
vanishing_base(const DaeLimits *limits, DaeTerm factor)
{
  DaeTerms *terms = limits->terms;
  if (dae_term_kind(terms, factor) == DAE_KIND_POWER &&
      dae_term_is_number(terms, dae_term_operand(terms, factor, 1)) &&
      dae_term_sign(terms, dae_term_operand(terms, factor, 1)) > 0) {
    factor = dae_term_operand(terms, factor, 0);
  }
  return dae_limits_vanishes_at_start(limits, factor) ? factor : DAE_NO_TERM;
}

/* The parts of a product: what logarithms are taken of, and all that has to be smooth. */
static bool
split(const DaeLimits *limits, DaeTerm product, DaeTerm *arguments, DaeTerm *rest)
{
  DaeTerms *terms = limits->terms;
  const DaeTerm one = dae_term_int(terms, 1);
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &product, &n);
  bool falls = false;
  *arguments = one;
  *rest = one;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm g = vanishing_argument(limits, factors[i]);
    DaeTerm f = g == DAE_NO_TERM ? vanishing_base(limits, factors[i]) : DAE_NO_TERM;
    if (g != DAE_NO_TERM && *arguments != one) {
      return false; /* two signs would be asked for */
    }
    *arguments = g != DAE_NO_TERM ? g : *arguments;
    falls = falls || f != DAE_NO_TERM;
    if (g == DAE_NO_TERM) {
      *rest = dae_term_mul(terms, *rest, f != DAE_NO_TERM ? f : factors[i]);
    }
  }
  return falls && *arguments != one;
}

static bool
may_have_logarithm(const DaeLimits *limits, DaeTerm product)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(limits->terms, DAE_KIND_PRODUCT, &product, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (vanishing_argument(limits, factors[i]) != DAE_NO_TERM) {
      return true;
    }
  }
  return false;
}

DaeTerm
dae_limits_mark_logarithms(DaeLimits *limits, DaeTerm t)
{
  DaeTerms *terms = limits->terms;
  if (!dae_limits_may_concern(limits, t) || !dae_term_has_call(terms, t)) {
    return t;
  }
  g_autoptr(DaeSubst) marked = dae_subst_new(terms);
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  bool any = false;
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    DaeKind kind = dae_term_kind(terms, node);
    DaeTerm arguments = DAE_NO_TERM;
    DaeTerm rest = DAE_NO_TERM;
    if (kind == DAE_KIND_IF || kind == DAE_KIND_RELATION ||
        !dae_limits_may_concern(limits, node) || !dae_term_has_call(terms, node)) {
      continue;
    }
    if (kind == DAE_KIND_PRODUCT && may_have_logarithm(limits, node) &&
        split(limits, node, &arguments, &rest)) {
      dae_subst_set(marked, node, dae_limits_add_logarithm(limits, node, rest, arguments));
      any = true;
    } else {
      dae_visit_enter(visit, node);
    }
  }
  return any ? dae_subst_apply(marked, t) : t;
}

/* Is g positive behind its zero, as its first derivative is that does not vanish? Proved, or a
 * condition. */
static bool
is_positive_behind(const DaeLimits *limits, DaeTerm slope, GArray *conditions)
{
  DaeTerms *terms = limits->terms;
  int sign = 0;
  if (dae_term_has_parameters(terms, slope) || dae_term_has_variables(terms, slope)) {
    DaeTerm holds = dae_term_relation(terms, DAE_REL_GT, slope, dae_term_int(terms, 0));
    g_array_append_val(conditions, holds);
    return true;
  }
  return dae_algebra_sign(limits->algebra, slope, &sign) && sign > 0;
}

void
dae_limits_resolve_logarithm(const DaeLimits *limits, DaeQuotient *quotient)
{
  uint32_t k = 0;
  DaeTerm slope = DAE_NO_TERM;
  if (dae_limits_is_smooth(limits, quotient->numerator, quotient->conditions) &&
      dae_limits_is_smooth(limits, quotient->denominator, quotient->conditions) &&
      dae_limits_find_order(limits, quotient, &k, &slope) &&
      is_positive_behind(limits, slope, quotient->conditions)) {
    quotient->limit = dae_term_int(limits->terms, 0);
  }
}
