/* Signs that follow from the form of a term and the facts assumed of symbols;
 * provable signs of constants. */
#include "algebra/algebra-priv.h"

static DaeRange
negate_range(DaeRange r)
{
  switch (r) {
  case DAE_RANGE_NONNEGATIVE:
    return DAE_RANGE_NONPOSITIVE;
  case DAE_RANGE_POSITIVE:
    return DAE_RANGE_NEGATIVE;
  case DAE_RANGE_NONPOSITIVE:
    return DAE_RANGE_NONNEGATIVE;
  case DAE_RANGE_NEGATIVE:
    return DAE_RANGE_POSITIVE;
  case DAE_RANGE_ANY:
    break;
  }
  return DAE_RANGE_ANY;
}

static bool
is_strict(DaeRange r)
{
  return r == DAE_RANGE_POSITIVE || r == DAE_RANGE_NEGATIVE;
}

static bool
is_upward(DaeRange r)
{
  return r == DAE_RANGE_NONNEGATIVE || r == DAE_RANGE_POSITIVE;
}

static bool
is_downward(DaeRange r)
{
  return r == DAE_RANGE_NONPOSITIVE || r == DAE_RANGE_NEGATIVE;
}

static DaeRange
range_of_number(DaeTerms *terms, DaeTerm t)
{
  int sign = dae_term_sign(terms, t);
  return sign > 0 ? DAE_RANGE_POSITIVE : sign < 0 ? DAE_RANGE_NEGATIVE : DAE_RANGE_NONNEGATIVE;
}

static DaeRange
range_of_symbol(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) == DAE_KIND_VARIABLE && dae_term_order(terms, t) > 0) {
    return DAE_RANGE_ANY;
  }
  switch (dae_terms_assumed(terms, dae_term_get_symbol(terms, t))) {
  case DAE_SIGN_NONNEGATIVE:
    return DAE_RANGE_NONNEGATIVE;
  case DAE_SIGN_POSITIVE:
    return DAE_RANGE_POSITIVE;
  case DAE_SIGN_UNKNOWN:
    break;
  }
  return DAE_RANGE_ANY;
}

static DaeRange
range_of_atom(DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_TIME ? DAE_RANGE_ANY : range_of_symbol(terms, t);
}

static DaeRange
range_of_sum(const DaePlan *plan, uint32_t i, const uint8_t *range)
{
  bool up = true;
  bool down = true;
  bool strict = false;
  for (uint32_t k = plan->first[i]; k < plan->first[i + 1]; k++) {
    DaeRange r = (DaeRange)range[plan->operand[k]];
    up = up && is_upward(r);
    down = down && is_downward(r);
    strict = strict || is_strict(r);
  }
  if (up) {
    return strict ? DAE_RANGE_POSITIVE : DAE_RANGE_NONNEGATIVE;
  }
  if (down) {
    return strict ? DAE_RANGE_NEGATIVE : DAE_RANGE_NONPOSITIVE;
  }
  return DAE_RANGE_ANY;
}

static DaeRange
range_of_product(const DaePlan *plan, uint32_t i, const uint8_t *range)
{
  bool negative = false;
  bool strict = true;
  for (uint32_t k = plan->first[i]; k < plan->first[i + 1]; k++) {
    DaeRange r = (DaeRange)range[plan->operand[k]];
    if (r == DAE_RANGE_ANY) {
      return DAE_RANGE_ANY;
    }
    negative = negative != is_downward(r);
    strict = strict && is_strict(r);
  }
  DaeRange r = strict ? DAE_RANGE_POSITIVE : DAE_RANGE_NONNEGATIVE;
  return negative ? negate_range(r) : r;
}

/* Where the power is defined: a negative exponent excludes the base 0, a
 * fraction the negative bases. */
static DaeRange
range_of_power(DaeTerms *terms, const DaePlan *plan, uint32_t i, const uint8_t *range)
{
  const uint32_t *operand = dae_plan_operands(plan, i);
  DaeRange base = (DaeRange)range[operand[0]];
  DaeTerm exponent = plan->node[operand[1]];
  if (!dae_term_is_number(terms, exponent)) {
    return base == DAE_RANGE_POSITIVE ? DAE_RANGE_POSITIVE : DAE_RANGE_ANY;
  }
  bool strict = is_strict(base) || dae_term_sign(terms, exponent) < 0;
  DaeRange up = strict ? DAE_RANGE_POSITIVE : DAE_RANGE_NONNEGATIVE;
  int64_t n = 0;
  if (!dae_term_get_int64(terms, exponent, &n)) {
    int64_t p = 0;
    int64_t q = 0;
    bool is_fraction = dae_number_is_small(terms, exponent, INT32_MAX, &p, &q) && q > 1;
    return is_fraction ? up : DAE_RANGE_ANY;
  }
  if (n % 2 == 0) {
    return up;
  }
  return is_upward(base) ? up : is_downward(base) ? negate_range(up) : DAE_RANGE_ANY;
}

static DaeRange
range_of_call(DaeTerms *terms, const DaePlan *plan, uint32_t i, const uint8_t *range)
{
  DaeFunction f = dae_term_function(terms, plan->node[i]);
  const uint32_t *operand = dae_plan_operands(plan, i);
  uint32_t n = dae_plan_arity(plan, i);
  const DaeFunctionFacts *facts = dae_function_facts(f);
  DaeRange x = n > 0 ? (DaeRange)range[operand[facts->value_operand]] : DAE_RANGE_ANY;
  switch ((DaeFunctionSign)facts->sign) {
  case DAE_SIGN_OF_POSITIVE:
    return DAE_RANGE_POSITIVE;
  case DAE_SIGN_OF_NONNEGATIVE:
    return DAE_RANGE_NONNEGATIVE;
  case DAE_SIGN_OF_OPERAND:
    return x;
  case DAE_SIGN_OF_SIZE:
    return is_strict(x) ? DAE_RANGE_POSITIVE : DAE_RANGE_NONNEGATIVE;
  case DAE_SIGN_OF_EITHER:
    return x == (DaeRange)range[operand[1]] ? x : DAE_RANGE_ANY;
  case DAE_SIGN_OF_NOTHING:
  case DAE_SIGN_OF_LOWER:
  case DAE_SIGN_OF_UPPER:
  case DAE_SIGN_OF_EXCESS:
    break;
  }
  return DAE_RANGE_ANY;
}

static DaeRange
range_of_node(DaeTerms *terms, const DaePlan *plan, uint32_t i, const uint8_t *range)
{
  DaeTerm t = plan->node[i];
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_NUMBER:
    return range_of_number(terms, t);
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    return range_of_symbol(terms, t);
  case DAE_KIND_SUM:
    return range_of_sum(plan, i, range);
  case DAE_KIND_PRODUCT:
    return range_of_product(plan, i, range);
  case DAE_KIND_POWER:
    return range_of_power(terms, plan, i, range);
  case DAE_KIND_CALL:
    return range_of_call(terms, plan, i, range);
  case DAE_KIND_IF: {
    const uint32_t *operand = dae_plan_operands(plan, i);
    return range[operand[1]] == range[operand[2]] ? (DaeRange)range[operand[1]] : DAE_RANGE_ANY;
  }
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    break;
  }
  return DAE_RANGE_ANY;
}

DaeRange
dae_sign_range(DaeAlgebra *algebra, DaeTerm t)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  g_autofree uint8_t *range = g_new0(uint8_t, plan->n + 1);
  for (uint32_t i = 0; i < plan->n; i++) {
    range[i] = (uint8_t)range_of_node(algebra->terms, plan, i, range);
  }
  return (DaeRange)range[plan->root[0]];
}

static bool
has_atoms(DaeTerms *terms, const DaePlan *plan)
{
  for (uint32_t i = 0; i < plan->n; i++) {
    if (dae_term_is_atom(terms, plan->node[i])) {
      return true;
    }
  }
  return false;
}

bool
dae_sign_by_ball(DaeAlgebra *algebra, DaeTerm t, int *sign)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  *sign = 0;
  if (has_atoms(algebra->terms, plan)) {
    return false;
  }
  arb_t ball;
  arb_init(ball);
  for (slong precision = 64; precision <= 256 && *sign == 0; precision *= 2) {
    DaeBallPoint at = {0, precision};
    if (dae_ball_eval(algebra, plan, 1, at, ball)) {
      *sign = arb_is_positive(ball) ? 1 : arb_is_negative(ball) ? -1 : 0;
    }
  }
  arb_clear(ball);
  return *sign != 0;
}

static bool
sign_of_constant(DaeAlgebra *algebra, DaeTerm t, int *sign)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  if (has_atoms(algebra->terms, plan)) {
    return false;
  }
  arb_t ball;
  arb_init(ball);
  bool known = false;
  for (slong precision = 64; precision <= DAE_LIMIT_PRECISION && !known; precision *= 2) {
    DaeBallPoint at = {0, precision};
    if (!dae_ball_eval(algebra, plan, 1, at, ball)) {
      continue;
    }
    known = arb_is_positive(ball) || arb_is_negative(ball);
    *sign = arb_is_positive(ball) ? 1 : -1;
    if (!known && precision == 256 && dae_algebra_is_zero(algebra, t) == DAE_ZERO) {
      *sign = 0;
      known = true;
    }
  }
  arb_clear(ball);
  return known;
}

bool
dae_algebra_sign(DaeAlgebra *algebra, DaeTerm t, int *sign)
{
  if (dae_term_is_number(algebra->terms, t)) {
    *sign = dae_term_sign(algebra->terms, t);
    return true;
  }
  bool is_atom = dae_term_is_atom(algebra->terms, t); /* nothing is known but the assumption */
  DaeRange range = is_atom ? range_of_atom(algebra->terms, t) : dae_sign_range(algebra, t);
  if (is_atom && !is_strict(range)) {
    *sign = 0;
    return false;
  }
  if (!is_strict(range)) {
    range = dae_sign_range(algebra, dae_algebra_rewrite(algebra, t));
  }
  if (!is_strict(range)) {
    range = dae_sign_range(algebra, dae_algebra_simplify(algebra, t));
  }
  if (is_strict(range)) {
    *sign = range == DAE_RANGE_POSITIVE ? 1 : -1;
    return true;
  }
  if (sign_of_constant(algebra, t, sign)) {
    return true;
  }
  *sign = 0;
  return dae_algebra_is_zero(algebra, t) == DAE_ZERO;
}
