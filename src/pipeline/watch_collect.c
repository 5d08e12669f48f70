#include "pipeline/watch.h"

/* Can it vanish, and change its sign there? */
static bool
may_change_sign(DaeTerms *terms, DaeTerm t)
{
  const uint32_t both = DAE_MAY_BE_NEGATIVE | DAE_MAY_BE_POSITIVE;
  return !dae_term_is_number(terms, t) && (dae_term_possible_signs(terms, t) & both) == both;
}

static bool
may_vanish(DaeTerms *terms, DaeTerm t)
{
  return !dae_term_is_number(terms, t) &&
         (dae_term_possible_signs(terms, t) & DAE_MAY_BE_ZERO) != 0;
}

/* 1 - cos(u) vanishes without a change of sign: it is 2 sin(u/2)^2, and 1 - sin(u) is (cos(u/2) -
 * sin(u/2))^2. What is squared in such sums of two summands, which changes its sign; others are as
 * they were. */
static DaeTerm
squared_angle(DaeTerms *terms, DaeTerm f)
{
  uint32_t n = 0;
  const DaeTerm *parts = dae_term_parts(terms, DAE_KIND_SUM, &f, &n);
  if (n != 2 || dae_term_is_number(terms, parts[0]) == dae_term_is_number(terms, parts[1])) {
    return f;
  }
  const uint32_t of_number = dae_term_is_number(terms, parts[0]) ? 0 : 1;
  const DaeTerm number = parts[of_number];
  const DaeTerm other = parts[1 - of_number];
  DaeTerm wave = dae_term_div(terms, other, number);
  const bool is_sum = dae_term_kind(terms, wave) == DAE_KIND_CALL;
  wave = is_sum ? wave : dae_term_neg(terms, wave);
  if (dae_term_kind(terms, wave) != DAE_KIND_CALL ||
      (dae_term_function(terms, wave) != DAE_FN_SIN &&
       dae_term_function(terms, wave) != DAE_FN_COS)) {
    return f;
  }
  const DaeTerm half =
      dae_term_mul(terms, dae_term_ratio(terms, 1, 2), dae_term_operand(terms, wave, 0));
  const DaeTerm cosine = dae_term_call1(terms, DAE_FN_COS, half);
  const DaeTerm sine = dae_term_call1(terms, DAE_FN_SIN, half);
  if (dae_term_function(terms, wave) == DAE_FN_COS) {
    return is_sum ? cosine : sine;
  }
  return is_sum ? dae_term_add(terms, cosine, sine) : dae_term_sub(terms, cosine, sine);
}

/* An edge is crossed where the function changes its sign; a pole is wherever it vanishes, and
 * abs(f) vanishes where f does, with a change of sign that can be seen. */
static void
add_brink(DaeTerms *terms, DaeTerm function, bool is_edge, GArray *brinks)
{
  while (!is_edge && function != DAE_NO_TERM &&
         dae_term_kind(terms, function) == DAE_KIND_CALL &&
         dae_term_function(terms, function) == DAE_FN_ABS) {
    function = dae_term_operand(terms, function, 0);
  }
  function = is_edge || function == DAE_NO_TERM ? function : squared_angle(terms, function);
  const DaeBrink brink = {.function = function, .is_edge = is_edge};
  if (function != DAE_NO_TERM &&
      (is_edge ? may_change_sign(terms, function) : may_vanish(terms, function))) {
    g_array_append_val(brinks, brink);
  }
}

/* What f is a power or the size of. */
static DaeTerm
without_power(DaeTerms *terms, DaeTerm f)
{
  while (
      dae_term_kind(terms, f) == DAE_KIND_POWER ||
      (dae_term_kind(terms, f) == DAE_KIND_CALL && dae_term_function(terms, f) == DAE_FN_ABS)) {
    f = dae_term_operand(terms, f, 0);
  }
  return f;
}

/* Where f vanishes and is nowhere negative, log(f) has a pole: f itself changes no sign there, the
 * factors of which it is a power or the size do. */
static void
add_logarithm(DaeTerms *terms, DaeTerm f, GArray *brinks)
{
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_val(factors, f);
  for (guint k = 0; k < factors->len; k++) {
    const DaeTerm factor = without_power(terms, g_array_index(factors, DaeTerm, k));
    if (dae_term_kind(terms, factor) == DAE_KIND_PRODUCT) {
      uint32_t n = 0;
      const DaeTerm *parts = dae_term_parts(terms, DAE_KIND_PRODUCT, &factor, &n);
      g_array_append_vals(factors, parts, n);
    } else if (may_vanish(terms, factor)) {
      const DaeBrink brink = {.function = squared_angle(terms, factor), .is_logarithm = true};
      g_array_append_val(brinks, brink);
    }
  }
}

static void
look_at_power(DaeTerms *terms, DaeTerm t, GArray *brinks)
{
  DaeTerm base = dae_term_operand(terms, t, 0);
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  int64_t whole = 0;
  bool is_whole = dae_term_get_int64(terms, exponent, &whole);
  bool is_negative = dae_term_is_number(terms, exponent) && dae_term_sign(terms, exponent) < 0;
  if (!is_whole && may_change_sign(terms, base)) {
    add_brink(terms, base, true, brinks);
  } else if (is_negative) {
    add_brink(terms, base, false, brinks);
  }
}

static void
look_at_call(DaeTerms *terms, DaeTerm t, GArray *brinks)
{
  DaeTerm one = dae_term_int(terms, 1);
  DaeTerm a = DAE_NO_TERM;
  switch ((DaeFunctionDomain)dae_function_facts(dae_term_function(terms, t))->domain) {
  case DAE_DOMAIN_POLES:
    a = dae_term_operand(terms, t, 0);
    add_brink(terms, dae_term_call1(terms, DAE_FN_COS, a), false, brinks);
    break;
  case DAE_DOMAIN_POSITIVE:
    a = dae_term_operand(terms, t, 0);
    if (may_change_sign(terms, a)) {
      add_brink(terms, a, true, brinks); /* and its factors, some of which may be squares */
    }
    add_logarithm(terms, a, brinks);
    break;
  case DAE_DOMAIN_UNIT:
    a = dae_term_operand(terms, t, 0);
    add_brink(terms, dae_term_sub(terms, one, dae_term_pow_int(terms, a, 2)), true, brinks);
    break;
  case DAE_DOMAIN_ALL:
  case DAE_DOMAIN_DIVISOR:
  case DAE_DOMAIN_INDEX:
    break;
  }
}

/* Branches are not entered: what is inactive does not count. */
bool
dae_watch_is_entered(const DaeTerms *terms, DaeTerm t)
{
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_POWER:
  case DAE_KIND_PRODUCT:
  case DAE_KIND_SUM:
    return true;
  case DAE_KIND_CALL:
    return dae_function_facts(dae_term_function(terms, t))->kind != DAE_CLASS_ELEMENT &&
           dae_term_function(terms, t) != DAE_FN_SEMILINEAR;
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return false;
  }
  return false;
}

void
dae_watch_collect_at(DaeTerms *terms, DaeTerm t, GArray *brinks)
{
  if (dae_term_kind(terms, t) == DAE_KIND_POWER) {
    look_at_power(terms, t, brinks);
  } else if (dae_term_kind(terms, t) == DAE_KIND_CALL) {
    look_at_call(terms, t, brinks);
  }
}

bool
dae_watch_collect(DaeTerms *terms, DaeTerm t, GArray *brinks)
{
  if (t == DAE_NO_TERM || dae_term_is_polynomial(terms, t)) {
    return false;
  }
  bool has_branches = false;
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    has_branches = has_branches || dae_term_kind(terms, top) == DAE_KIND_IF;
    if (!dae_term_is_polynomial(terms, top) && dae_watch_is_entered(terms, top)) {
      dae_watch_collect_at(terms, top, brinks);
      dae_visit_enter(visit, top);
    }
  }
  return has_branches;
}
