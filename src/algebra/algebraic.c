/* Exact decisions about algebraic numbers: arithmetic and roots of rationals, sines and
 * cosines of rational multiples of pi. Nested roots have relations that no tower of simple
 * radicals shows (sqrt(3 + 2*sqrt(2)) = 1 + sqrt(2)), so each value is held by its minimal
 * polynomial and an isolating ball. */
#include "algebra/algebra-priv.h"

#define LIMIT_DEGREE 120 /* of one minimal polynomial */
#define LIMIT_BITS 4000  /* of its coefficients */

typedef struct {
  DaeAlgebra *algebra;
  const DaePlan *plan;
  qqbar_struct *value;
} Eval;

static bool
combine(Eval *e, uint32_t i, bool multiply)
{
  qqbar_struct *out = e->value + i;
  if (multiply) {
    qqbar_one(out);
  }
  for (uint32_t k = e->plan->first[i]; k < e->plan->first[i + 1]; k++) {
    const qqbar_struct *x = e->value + e->plan->operand[k];
    if (!qqbar_binop_within_limits(out, x, LIMIT_DEGREE, LIMIT_BITS) ||
        dae_algebra_spent(e->algebra)) {
      return false;
    }
    (multiply ? qqbar_mul : qqbar_add)(out, out, x);
  }
  return true;
}

static bool
eval_power(Eval *e, uint32_t i)
{
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  const qqbar_struct *base = e->value + operand[0];
  int64_t p = 0;
  int64_t q = 0;
  if (!dae_number_is_small(e->algebra->terms, e->plan->node[operand[1]], 200, &p, &q) ||
      qqbar_degree(base) * q > LIMIT_DEGREE || (p < 0 && qqbar_is_zero(base)) ||
      (q > 1 && qqbar_sgn_re(base) < 0)) {
    return false;
  }
  if (qqbar_height_bits(base) * ABS(p) * qqbar_degree(base) > LIMIT_BITS) {
    return false;
  }
  qqbar_root_ui(e->value + i, base, (ulong)q);
  qqbar_pow_si(e->value + i, e->value + i, p);
  return true;
}

/* t = p/q * pi? */
static bool
get_multiple_of_pi(DaeTerms *terms, DaeTerm t, int64_t *p, int64_t *q)
{
  fmpq_t c;
  fmpq_init(c);
  DaeTerm rest = dae_number_split(terms, t, c);
  bool found = dae_term_kind(terms, rest) == DAE_KIND_CALL &&
               dae_term_function(terms, rest) == DAE_FN_PI &&
               dae_number_is_small(terms, dae_number_from_fmpq(terms, c), 60, p, q);
  fmpq_clear(c);
  return found;
}

static bool
eval_call(Eval *e, uint32_t i)
{
  DaeTerms *terms = e->algebra->terms;
  DaeTerm t = e->plan->node[i];
  DaeFunction f = dae_term_function(terms, t);
  qqbar_struct *out = e->value + i;
  int64_t p = 0;
  int64_t q = 1;
  if (dae_function_facts(f)->is_circular) {
    if (!get_multiple_of_pi(terms, dae_term_operand(terms, t, 0), &p, &q) || q > LIMIT_DEGREE) {
      return false;
    }
    if (f == DAE_FN_TAN) {
      return qqbar_tan_pi(out, p, (ulong)q) != 0; /* not at its poles */
    }
    (f == DAE_FN_SIN ? qqbar_sin_pi : qqbar_cos_pi)(out, p, (ulong)q);
    return true;
  }
  if (f == DAE_FN_ABS) {
    qqbar_abs(out, e->value + dae_plan_operands(e->plan, i)[0]);
    return true;
  }
  return false;
}

/* Calls of sine and cosine read their argument as a term, so pi itself is never a value. */
static bool
is_leaf(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  return dae_function_facts(dae_term_function(terms, t))->is_circular;
}

static bool
eval_node(Eval *e, uint32_t i)
{
  DaeTerms *terms = e->algebra->terms;
  switch (dae_term_kind(terms, e->plan->node[i])) {
  case DAE_KIND_NUMBER: {
    fmpq_t q;
    fmpq_init(q);
    dae_number_get_fmpq(terms, e->plan->node[i], q);
    qqbar_set_fmpq(e->value + i, q);
    fmpq_clear(q);
    return qqbar_height_bits(e->value + i) <= LIMIT_BITS;
  }
  case DAE_KIND_SUM:
    return combine(e, i, false);
  case DAE_KIND_PRODUCT:
    return combine(e, i, true);
  case DAE_KIND_POWER:
    return eval_power(e, i);
  case DAE_KIND_CALL:
    return eval_call(e, i);
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    break;
  }
  return false;
}

bool
dae_algebraic_value(DaeAlgebra *algebra, DaeTerm t, qqbar_t out)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, is_leaf);
  Eval e = {algebra, plan, g_new0(qqbar_struct, plan->n + 1)};
  for (uint32_t i = 0; i < plan->n; i++) {
    qqbar_init(e.value + i);
  }
  bool ok = true;
  for (uint32_t i = 0; i < plan->n && ok; i++) {
    ok = !dae_algebra_spent(algebra) && eval_node(&e, i);
  }
  if (ok) {
    qqbar_set(out, e.value + plan->root[0]);
  }
  for (uint32_t i = 0; i < plan->n; i++) {
    qqbar_clear(e.value + i);
  }
  g_free(e.value);
  return ok;
}

DaeZero
dae_algebraic_is_zero(DaeAlgebra *algebra, DaeTerm t)
{
  qqbar_t value;
  qqbar_init(value);
  bool ok = dae_algebraic_value(algebra, t, value);
  bool is_zero = ok && qqbar_is_zero(value);
  qqbar_clear(value);
  return !ok ? DAE_UNKNOWN : is_zero ? DAE_ZERO : DAE_NONZERO;
}
