/* The limit of N/D at the start time, D a function of time with a zero of order k there.
 *
 * In time alone: N is analytic, so the quotient has a limit if the derivatives of N of orders
 * below k vanish, and it is N^(k)/D^(k).
 *
 * With unknowns: along the solution, N^(j) is a function of the states, of time and of the quotient
 * w itself, by the equations that give the derivatives. For k = 1 and N' = a*w + b, a a number, the
 * equations D*w = N, x' = f(t, x, w) are D*w' = (a - D')*w + b, x' = f(t, x, w): a singular point of
 * the first kind, whose only solution with a finite w, for given x with N = 0, is analytic and
 * begins at w = b/(D' - a) if (a - D')/D' is no positive integer [Briot and Bouquet; Wasow65, 9].
 * Here a/D' < 1 is asked for. For k > 1 the derivatives must be free of w. All functions have to be
 * analytic. D may depend on states, too, whose starts are given as numbers. */
#include "initial/limit-priv.h"

/* Orders up to which a zero is looked for. */
#define MOST_ORDERS DAE_LIMITS_MOST_ORDERS
#define LARGEST_TERM DAE_LIMITS_LARGEST_TERM
/* What is smaller than its summands by this factor is taken as 0. */
#define ROUNDING 10000000000000

DaeTerm
dae_limits_at_start(const DaeLimits *limits, DaeTerm t)
{
  DaeTerm value = dae_subst_apply(limits->at_start, t);
  return value == DAE_NO_TERM ? value : dae_terms_rewrite(limits->terms, value);
}

bool
dae_limits_has_mark(const DaeLimits *limits, DaeTerm t)
{
  for (guint i = 0; i < limits->quotients->len; i++) {
    DaeTerm mark = g_array_index(limits->quotients, DaeQuotient, i).mark;
    if (dae_term_contains(limits->terms, t, mark)) {
      return true;
    }
  }
  return false;
}

/* ---- analytic functions ------------------------------------------------------------------- */

static bool
is_analytic_node(const DaeTerms *terms, DaeTerm t)
{
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_POWER: {
    int64_t exponent = 0;
    return dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &exponent);
  }
  case DAE_KIND_CALL: {
    const DaeFunctionFacts *facts = dae_function_facts(dae_term_function(terms, t));
    return facts->kind == DAE_CLASS_ANALYTIC &&
           (facts->domain == DAE_DOMAIN_ALL || facts->domain == DAE_DOMAIN_POSITIVE ||
            facts->domain == DAE_DOMAIN_POLES);
  }
  case DAE_KIND_PARAMETER:
    return dae_terms_variability(terms, dae_term_get_symbol(terms, t)) != DAE_VARIABILITY_INPUT;
  case DAE_KIND_NUMBER:
  case DAE_KIND_TIME:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_PRODUCT:
  case DAE_KIND_SUM:
    return true;
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return false;
  }
  return false;
}

/* What must be positive, or not 0, for the node to have a value; DAE_NO_TERM: nothing. */
static DaeTerm
domain_of(DaeTerms *terms, DaeTerm t, bool *is_positive)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  *is_positive = false;
  if (dae_term_kind(terms, t) == DAE_KIND_POWER) {
    return dae_term_sign(terms, operands[1]) < 0 ? operands[0] : DAE_NO_TERM;
  }
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return DAE_NO_TERM;
  }
  uint8_t domain = dae_function_facts(dae_term_function(terms, t))->domain;
  *is_positive = domain == DAE_DOMAIN_POSITIVE;
  return domain == DAE_DOMAIN_POSITIVE ? operands[0]
         : domain == DAE_DOMAIN_POLES  ? dae_term_call1(terms, DAE_FN_COS, operands[0])
                                       : DAE_NO_TERM;
}

/* Has the node a value at the start? Proved, or a condition. 0*f is 0 to the constructors even
 * where f has no value, so that this is looked at node by node. */
static bool
is_inside(const DaeLimits *limits, DaeTerm node, GArray *conditions)
{
  DaeTerms *terms = limits->terms;
  bool is_positive = false;
  DaeTerm needed = domain_of(terms, node, &is_positive);
  DaeTerm value = needed == DAE_NO_TERM ? DAE_NO_TERM : dae_limits_in_states(limits, needed);
  if (needed == DAE_NO_TERM || value == DAE_NO_TERM || dae_limits_has_mark(limits, value)) {
    return needed == DAE_NO_TERM;
  }
  if (dae_term_has_parameters(terms, value) || dae_term_has_variables(terms, value)) {
    DaeTerm holds = dae_term_relation(terms, is_positive ? DAE_REL_GT : DAE_REL_NE, value,
                                      dae_term_int(terms, 0));
    g_array_append_val(conditions, holds);
    return true;
  }
  int sign = 0;
  return is_positive ? dae_algebra_sign(limits->algebra, value, &sign) && sign > 0
                     : dae_algebra_is_zero(limits->algebra, value) == DAE_NONZERO;
}

/* A function that may be differentiated as often as one likes, at the start as well. */
static bool
is_analytic(const DaeLimits *limits, DaeTerm t, GArray *conditions)
{
  DaeTerms *terms = limits->terms;
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    if (!dae_term_has_time(terms, node) && !dae_term_has_variables(terms, node) &&
        dae_term_kind(terms, node) != DAE_KIND_PARAMETER) {
      if (dae_term_has_parameters(terms, node)) {
        dae_visit_enter(visit, node); /* there may be an input among them */
      }
      continue;
    }
    if (!is_analytic_node(terms, node) || !is_inside(limits, node, conditions)) {
      return false;
    }
    dae_visit_enter(visit, node);
  }
  return true;
}

bool
dae_limits_is_analytic(const DaeLimits *limits, DaeTerm t)
{
  g_autoptr(GArray) conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  return is_analytic(limits, t, conditions) && conditions->len == 0;
}

/* ---- in time alone ----------------------------------------------------------------------------- */

/* |t| is 0, up to the rounding of its summands. */
static DaeTerm
vanishes(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  DaeTerm size = dae_term_int(terms, n > 1 ? 0 : 1);
  for (uint32_t i = 0; n > 1 && i < n; i++) {
    size = dae_term_add(terms, size, dae_term_call1(terms, DAE_FN_ABS, summands[i]));
  }
  DaeTerm rounding = dae_term_mul(terms, dae_term_ratio(terms, 1, ROUNDING), size);
  return dae_term_relation(terms, DAE_REL_LE, dae_term_call1(terms, DAE_FN_ABS, t), rounding);
}

/* Of t at the start, in states; and with the numbers that are given for them, is it 0? */
static DaeZero
is_zero_at_start(const DaeLimits *limits, DaeTerm t, DaeTerm *value)
{
  *value = dae_term_size(limits->terms, t) > LARGEST_TERM ? DAE_NO_TERM
                                                          : dae_limits_in_states(limits, t);
  DaeTerm given = *value == DAE_NO_TERM ? *value : dae_subst_apply(limits->roots, *value);
  return given == DAE_NO_TERM || dae_limits_has_mark(limits, *value)
             ? DAE_UNKNOWN
             : dae_algebra_is_zero(limits->algebra, given);
}

bool
dae_limits_find_order(const DaeLimits *limits, const DaeQuotient *quotient, uint32_t *order,
                      DaeTerm *value)
{
  DaeTerms *terms = limits->terms;
  DaeTerm t = quotient->denominator;
  for (*order = 0; *order <= MOST_ORDERS && t != DAE_NO_TERM; (*order)++) {
    DaeZero zero = is_zero_at_start(limits, t, value);
    if (zero == DAE_UNKNOWN) {
      return false;
    }
    if (dae_term_has_parameters(terms, *value) || dae_term_has_variables(terms, *value)) {
      DaeTerm holds = zero == DAE_ZERO ? vanishes(terms, *value)
                                       : dae_term_relation(terms, DAE_REL_NE, *value,
                                                           dae_term_int(terms, 0));
      g_array_append_val(quotient->conditions, holds);
    }
    if (zero == DAE_NONZERO) {
      return true;
    }
    t = dae_term_total(terms, t);
  }
  return false;
}

bool
dae_limits_resolve_in_time(const DaeLimits *limits, DaeQuotient *quotient)
{
  uint32_t k = 0;
  DaeTerm below = DAE_NO_TERM;
  DaeTerm above = quotient->numerator;
  if (dae_term_has_variables(limits->terms, quotient->whole) ||
      !is_analytic(limits, above, quotient->conditions) ||
      !is_analytic(limits, quotient->denominator, quotient->conditions) ||
      !dae_limits_find_order(limits, quotient, &k, &below)) {
    return false;
  }
  for (uint32_t j = 0; j <= k; j++) {
    DaeTerm value = dae_limits_next_at_start(limits, &above, j);
    if (value == DAE_NO_TERM ||
        (j < k && dae_algebra_is_zero(limits->algebra, value) != DAE_ZERO)) {
      return false;
    }
    quotient->limit = j == k ? dae_term_div(limits->terms, value, below) : DAE_NO_TERM;
  }
  if (quotient->limit != DAE_NO_TERM && quotient->conditions->len == 0 &&
      limits->options.with_series) {
    dae_limits_add_series(limits, k, quotient);
  }
  return quotient->limit != DAE_NO_TERM;
}

/* ---- with unknowns ----------------------------------------------------------------------------- */

/* What the equations say an atom is that is no state; DAE_NO_TERM: nothing that helps here. */
static DaeTerm
explain_atom(const DaeLimits *limits, DaeTerm atom, uint32_t highest)
{
  DaeTerms *terms = limits->terms;
  DaeTerm top = dae_term_variable(terms, dae_term_get_symbol(terms, atom), highest);
  DaeTerm is = GPOINTER_TO_UINT(g_hash_table_lookup(limits->solved, GUINT_TO_POINTER(top)));
  uint32_t more = dae_term_order(terms, atom) - highest;
  if (is == DAE_NO_TERM ||
      (more > 0 && dae_limits_has_mark(limits, is))) { /* a mark is no constant */
    return DAE_NO_TERM;
  }
  for (; more > 0 && is != DAE_NO_TERM; more--) {
    is = dae_term_total(terms, is);
  }
  return is;
}

/* The first atom of t that is no state, and what it is; false: there is none. */
static bool
find_atom(const DaeLimits *limits, DaeTerm t, DaeTerm *atom, DaeTerm *is)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(limits->terms, t, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    *atom = g_array_index(atoms, DaeTerm, a);
    gpointer symbol = GUINT_TO_POINTER(dae_term_get_symbol(limits->terms, *atom));
    uint32_t highest = GPOINTER_TO_UINT(g_hash_table_lookup(limits->highest, symbol));
    if (dae_term_order(limits->terms, *atom) >= highest) {
      *is = explain_atom(limits, *atom, highest);
      return true;
    }
  }
  return false;
}

DaeTerm
dae_limits_in_states(const DaeLimits *limits, DaeTerm t)
{
  enum { MOST_ROUNDS = 100 };

  DaeTerm atom = DAE_NO_TERM;
  DaeTerm is = DAE_NO_TERM;
  for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
    t = dae_limits_at_start(limits, t);
    if (t == DAE_NO_TERM || dae_term_size(limits->terms, t) > LARGEST_TERM) {
      return DAE_NO_TERM;
    }
    if (!find_atom(limits, t, &atom, &is)) {
      return t;
    }
    t = is == DAE_NO_TERM ? is : dae_term_replace(limits->terms, t, atom, is);
  }
  return DAE_NO_TERM;
}

/* N^(j) at the start, j below the order of the zero: 0, or to be 0. False: not known, or, with the
 * limit undefined, a pole. */
static bool
add_vanishing(const DaeLimits *limits, DaeTerm derivative, DaeQuotient *quotient)
{
  DaeTerm value = dae_limits_in_states(limits, derivative);
  if (value == DAE_NO_TERM || dae_limits_has_mark(limits, value)) {
    return false;
  }
  if (dae_algebra_is_zero(limits->algebra, value) == DAE_ZERO) {
    return true;
  }
  DaeTerm given = dae_subst_apply(limits->fixed, value);
  if (given != DAE_NO_TERM && !dae_term_has_variables(limits->terms, given) &&
      !dae_term_has_parameters(limits->terms, given) &&
      dae_algebra_is_zero(limits->algebra, given) == DAE_NONZERO) {
    quotient->limit = dae_term_undefined(limits->terms);
    return false;
  }
  DaeTerm holds = vanishes(limits->terms, value);
  g_array_append_val(quotient->conditions, holds);
  return true;
}

/* w from D^(k)*w = N^(k), which may contain w. */
static DaeTerm
solve_for_limit(const DaeLimits *limits, const DaeQuotient *quotient, uint32_t k, DaeTerm above,
                DaeTerm below)
{
  DaeTerms *terms = limits->terms;
  if (!dae_term_contains(terms, above, quotient->mark)) {
    return dae_term_div(terms, above, below);
  }
  DaeTerm a = DAE_NO_TERM;
  DaeTerm b = DAE_NO_TERM;
  if (k != 1 || !dae_algebra_linear_in(limits->algebra, above, quotient->mark, &a, &b)) {
    return DAE_NO_TERM;
  }
  DaeTerm excess = dae_term_sub(terms, dae_term_div(terms, a, below), dae_term_int(terms, 1));
  excess = excess == DAE_NO_TERM ? excess : dae_terms_rewrite(terms, excess);
  if (excess == DAE_NO_TERM || dae_term_has_variables(terms, excess) ||
      dae_limits_has_mark(limits, excess)) {
    return DAE_NO_TERM;
  }
  if (dae_term_is_number(terms, excess) && dae_term_sign(terms, excess) >= 0) {
    return dae_term_undefined(terms); /* none, or many solutions */
  }
  if (!dae_term_is_number(terms, excess)) {
    DaeTerm holds = dae_term_relation(terms, DAE_REL_LT, excess, dae_term_int(terms, 0));
    g_array_append_val(quotient->conditions, holds);
  }
  return dae_term_div(terms, b, dae_term_sub(terms, below, a));
}

/* Are the equations that move what occurs in t analytic, and those that move what occurs there? */
static bool
flow_is_analytic(const DaeLimits *limits, DaeTerm t, GArray *conditions)
{
  enum { MOST_VARIABLES = 300 };

  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(limits->terms, t, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    DaeSymbol symbol = dae_term_get_symbol(limits->terms, g_array_index(atoms, DaeTerm, a));
    if (!g_hash_table_add(seen, GUINT_TO_POINTER(symbol))) {
      continue;
    }
    uint32_t highest =
        GPOINTER_TO_UINT(g_hash_table_lookup(limits->highest, GUINT_TO_POINTER(symbol)));
    DaeTerm is =
        explain_atom(limits, dae_term_variable(limits->terms, symbol, highest), highest);
    if (is == DAE_NO_TERM || g_hash_table_size(seen) > MOST_VARIABLES ||
        !is_analytic(limits, is, conditions)) {
      return false;
    }
    dae_term_collect_variables(limits->terms, is, atoms);
  }
  return true;
}

bool
dae_limits_is_smooth(const DaeLimits *limits, DaeTerm t, GArray *conditions)
{
  return !dae_limits_has_mark(limits, t) && is_analytic(limits, t, conditions) &&
         flow_is_analytic(limits, t, conditions);
}

bool
dae_limits_has_isolated_zero(const DaeLimits *limits, DaeTerm f, DaeTerm *when)
{
  DaeTerms *terms = limits->terms;
  g_autoptr(GArray) conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeZero zero = dae_limits_is_smooth(limits, f, conditions) ? DAE_ZERO : DAE_UNKNOWN;
  DaeTerm t = f;
  DaeTerm value = DAE_NO_TERM;
  *when = DAE_NO_TERM;
  for (uint32_t j = 0; j <= MOST_ORDERS && t != DAE_NO_TERM && zero == DAE_ZERO; j++) {
    zero = is_zero_at_start(limits, t, &value);
    DaeTerm is_left = zero == DAE_UNKNOWN
                          ? DAE_NO_TERM
                          : dae_term_relation(terms, DAE_REL_NE, value, dae_term_int(terms, 0));
    *when = *when == DAE_NO_TERM ? is_left : dae_term_or(terms, *when, is_left);
    t = dae_term_total(terms, t);
  }
  if (zero == DAE_NONZERO && !dae_term_has_parameters(terms, value) &&
      !dae_term_has_variables(terms, value)) {
    *when = DAE_NO_TERM;
  }
  for (guint i = 0; i < conditions->len; i++) {
    DaeTerm holds = g_array_index(conditions, DaeTerm, i);
    *when = *when == DAE_NO_TERM ? holds : dae_term_and(terms, *when, holds);
  }
  return zero == DAE_NONZERO;
}

void
dae_limits_resolve(const DaeLimits *limits, DaeQuotient *quotient)
{
  uint32_t k = 0;
  DaeTerm below = DAE_NO_TERM;
  DaeTerm above = quotient->numerator;
  if (!dae_limits_is_smooth(limits, above, quotient->conditions) ||
      !dae_limits_is_smooth(limits, quotient->denominator, quotient->conditions) ||
      !dae_limits_find_order(limits, quotient, &k, &below)) {
    return;
  }
  for (uint32_t j = 0; j < k; j++) {
    if (!add_vanishing(limits, above, quotient)) {
      quotient->limit = j == 0 ? DAE_NO_TERM : quotient->limit; /* D*w = N contradicts itself */
      return;
    }
    above = dae_term_total(limits->terms, above);
  }
  above = dae_limits_in_states(limits, above);
  DaeTerm limit =
      above == DAE_NO_TERM ? above : solve_for_limit(limits, quotient, k, above, below);
  quotient->limit = limit == DAE_NO_TERM ? limit : dae_algebra_simplify(limits->algebra, limit);
}
