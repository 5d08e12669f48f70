/* Which signs can the value of a term have, wherever it is defined? A set of {negative, zero,
 * positive}; all three when nothing is known. Sound, not complete: it looks at the structure,
 * numbers and assumptions on symbols. */
#include "terms/terms-priv.h"

enum { ALL = DAE_MAY_BE_NEGATIVE | DAE_MAY_BE_ZERO | DAE_MAY_BE_POSITIVE };

static uint32_t
sign_of_number(int sign)
{
  if (sign == 0) {
    return DAE_MAY_BE_ZERO;
  }
  return sign < 0 ? DAE_MAY_BE_NEGATIVE : DAE_MAY_BE_POSITIVE;
}

static uint32_t
times(uint32_t a, uint32_t b)
{
  uint32_t result = (a | b) & DAE_MAY_BE_ZERO;
  bool negative = ((a & DAE_MAY_BE_NEGATIVE) != 0 && (b & DAE_MAY_BE_POSITIVE) != 0) ||
                  ((a & DAE_MAY_BE_POSITIVE) != 0 && (b & DAE_MAY_BE_NEGATIVE) != 0);
  bool positive = ((a & DAE_MAY_BE_NEGATIVE) != 0 && (b & DAE_MAY_BE_NEGATIVE) != 0) ||
                  ((a & DAE_MAY_BE_POSITIVE) != 0 && (b & DAE_MAY_BE_POSITIVE) != 0);
  return result | (negative ? DAE_MAY_BE_NEGATIVE : 0) | (positive ? DAE_MAY_BE_POSITIVE : 0);
}

static uint32_t
plus(uint32_t a, uint32_t b)
{
  if (a == DAE_MAY_BE_ZERO) {
    return b;
  }
  if (b == DAE_MAY_BE_ZERO) {
    return a;
  }
  uint32_t both = a | b;
  if ((both & DAE_MAY_BE_NEGATIVE) == 0) {
    return (a & b & DAE_MAY_BE_ZERO) | DAE_MAY_BE_POSITIVE;
  }
  if ((both & DAE_MAY_BE_POSITIVE) == 0) {
    return (a & b & DAE_MAY_BE_ZERO) | DAE_MAY_BE_NEGATIVE;
  }
  return ALL;
}

static uint32_t
sign_of_fact(DaeSignFact fact)
{
  switch (fact) {
  case DAE_SIGN_POSITIVE:
    return DAE_MAY_BE_POSITIVE;
  case DAE_SIGN_NONNEGATIVE:
    return DAE_MAY_BE_ZERO | DAE_MAY_BE_POSITIVE;
  case DAE_SIGN_UNKNOWN:
    return ALL;
  }
  return ALL;
}

static uint32_t
known_sign(const DaeTerms *terms, DaeTerm t)
{
  return dae_memo_get(&terms->signs, t);
}

static uint32_t
sign_of_power(const DaeTerms *terms, const DaeTerm *u)
{
  uint32_t base = known_sign(terms, u[0]);
  int64_t n = 0;
  uint32_t zero = base & DAE_MAY_BE_ZERO;
  if (dae_term_get_int64(terms, u[1], &n)) {
    zero = n > 0 ? zero : 0; /* not defined at 0 */
    if (n % 2 == 0) {
      return zero | DAE_MAY_BE_POSITIVE;
    }
    uint32_t result = zero | (base & (DAE_MAY_BE_NEGATIVE | DAE_MAY_BE_POSITIVE));
    return result != 0 ? result : ALL;
  }
  bool is_number = dae_is_kind(terms, u[1], DAE_KIND_NUMBER);
  if (is_number && dae_term_sign(terms, u[1]) < 0) {
    zero = 0;
  }
  /* A base that may be negative is outside the domain of a fraction; other
   * exponents could be integers. */
  if (!is_number && (base & DAE_MAY_BE_NEGATIVE) != 0) {
    return ALL;
  }
  return zero | DAE_MAY_BE_POSITIVE;
}

static uint32_t
sign_of_log(DaeTerms *terms, DaeTerm u)
{
  if (!dae_is_kind(terms, u, DAE_KIND_NUMBER)) {
    return ALL;
  }
  return sign_of_number(dae_term_compare(terms, u, terms->one));
}

static uint32_t
sign_of_call(DaeTerms *terms, DaeTerm t, const DaeTerm *u)
{
  const uint32_t nonnegative = DAE_MAY_BE_ZERO | DAE_MAY_BE_POSITIVE;
  const DaeFunctionFacts *facts = dae_function_facts(dae_term_function(terms, t));
  uint32_t first = facts->arity > 0 ? known_sign(terms, u[0]) : ALL;
  switch ((DaeFunctionSign)facts->sign) {
  case DAE_SIGN_OF_POSITIVE:
    return DAE_MAY_BE_POSITIVE;
  case DAE_SIGN_OF_NONNEGATIVE:
    return nonnegative;
  case DAE_SIGN_OF_OPERAND:
    return known_sign(terms, u[facts->value_operand]);
  case DAE_SIGN_OF_SIZE:
    return (first & DAE_MAY_BE_ZERO) | (first != DAE_MAY_BE_ZERO ? DAE_MAY_BE_POSITIVE : 0);
  case DAE_SIGN_OF_EITHER:
    return first | known_sign(terms, u[1]);
  case DAE_SIGN_OF_LOWER:
    return (first & DAE_MAY_BE_NEGATIVE) == 0 ? nonnegative : ALL;
  case DAE_SIGN_OF_UPPER:
    return (first & DAE_MAY_BE_NEGATIVE) != 0 ? ALL : first;
  case DAE_SIGN_OF_EXCESS:
    return sign_of_log(terms, u[0]);
  case DAE_SIGN_OF_NOTHING:
    break;
  }
  return ALL;
}

static uint32_t
fold_signs(const DaeTerms *terms, const DaeTerm *u, uint32_t n, bool is_sum)
{
  uint32_t result = known_sign(terms, u[0]);
  for (uint32_t i = 1; i < n; i++) {
    uint32_t next = known_sign(terms, u[i]);
    result = is_sum ? plus(result, next) : times(result, next);
  }
  return result;
}

static bool
sign_ready(void *self, DaeTerm t)
{
  const DaeTerms *terms = self;
  return known_sign(terms, t) != 0;
}

static void
sign_compute(void *self, DaeTerm t)
{
  DaeTerms *terms = self;
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  uint32_t sign = ALL;
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_NUMBER:
    sign = sign_of_number(dae_term_sign(terms, t));
    break;
  case DAE_KIND_PARAMETER:
    sign = sign_of_fact(dae_terms_assumed(terms, dae_term_get_symbol(terms, t)));
    break;
  case DAE_KIND_VARIABLE:
    if (dae_term_order(terms, t) == 0) {
      sign = sign_of_fact(dae_terms_assumed(terms, dae_term_get_symbol(terms, t)));
    }
    break;
  case DAE_KIND_POWER:
    sign = sign_of_power(terms, u);
    break;
  case DAE_KIND_PRODUCT:
    sign = fold_signs(terms, u, n, false);
    break;
  case DAE_KIND_SUM:
    sign = fold_signs(terms, u, n, true);
    break;
  case DAE_KIND_CALL:
    sign = sign_of_call(terms, t, u);
    break;
  case DAE_KIND_IF:
    sign = known_sign(terms, u[1]) | known_sign(terms, u[2]);
    break;
  case DAE_KIND_TIME:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    break;
  }
  dae_memo_set(&terms->signs, t, sign);
}

uint32_t
dae_term_possible_signs(DaeTerms *terms, DaeTerm t)
{
  DaeWalk walk = {.ready = sign_ready, .compute = sign_compute, .self = terms};
  dae_walk(terms, t, &walk);
  return known_sign(terms, t);
}
