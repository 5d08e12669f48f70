/* Exact evaluation.
 *
 * Values on the way are constant canonical terms, so roots that cancel do no harm: sqrt(2)^2 is
 * 2. A value that is not a number at the end, or where a decision needs one, is INEXACT.
 */
#include "terms/terms-priv.h"

typedef struct {
  DaeTerms *terms;
  DaeAtomNumber atom;
  void *user;
  DaeExactBudget *budget; /* NULL: routines have no exact value */
  DaeMemo memo;           /* value, or a status as below */
} ExactEvaluation;

/* Statuses in the memo, above all ids. */
#define STATUS_WORD(status) (UINT32_MAX - (uint32_t)(status))

static bool
is_status(uint32_t word)
{
  return word >= STATUS_WORD(DAE_EVAL_INEXACT);
}

static bool
exact_ready(void *self, DaeTerm t)
{
  const ExactEvaluation *e = self;
  return dae_memo_get(&e->memo, t) != 0;
}

static const DaeTerm *
exact_operands(void *self, DaeTerm t, uint32_t *n)
{
  const ExactEvaluation *e = self;
  const DaeTerm *u = dae_term_operands(e->terms, t, n);
  if (dae_term_kind(e->terms, t) == DAE_KIND_CALL &&
      dae_term_function(e->terms, t) == DAE_FN_SELECT) {
    uint32_t index = dae_memo_get(&e->memo, u[0]);
    uint32_t count = *n - 1;
    int64_t i = 0;
    *n = 1;
    bool is_inside = index != 0 && !is_status(index) &&
                     dae_term_get_int64(e->terms, index, &i) && i >= 1 && i <= (int64_t)count;
    return is_inside ? u + i : u;
  }
  if (dae_term_kind(e->terms, t) != DAE_KIND_IF) {
    return u;
  }
  *n = 1;
  uint32_t condition = dae_memo_get(&e->memo, u[0]);
  if (condition == 0 || is_status(condition) ||
      !dae_is_kind(e->terms, condition, DAE_KIND_BOOLEAN)) {
    return u;
  }
  return dae_term_get_bool(e->terms, condition) ? u + 1 : u + 2;
}

static bool
is_number(const ExactEvaluation *e, DaeTerm t)
{
  return dae_is_kind(e->terms, t, DAE_KIND_NUMBER);
}

static uint32_t
exact_relation(ExactEvaluation *e, DaeRelation relation, const DaeTerm *u)
{
  if (dae_is_kind(e->terms, u[0], DAE_KIND_BOOLEAN) &&
      dae_is_kind(e->terms, u[1], DAE_KIND_BOOLEAN)) {
    bool same = u[0] == u[1];
    if (relation == DAE_REL_EQ || relation == DAE_REL_NE) {
      return dae_term_bool(e->terms, same == (relation == DAE_REL_EQ));
    }
    return STATUS_WORD(DAE_EVAL_INEXACT);
  }
  DaeTerm difference = dae_term_sub(e->terms, u[0], u[1]);
  if (!is_number(e, difference)) {
    return STATUS_WORD(DAE_EVAL_INEXACT);
  }
  int sign = dae_term_sign(e->terms, difference);
  return dae_term_bool(e->terms, dae_relation_holds(relation, sign));
}

static DaeTerm
floor_of(DaeTerms *terms, DaeTerm number)
{
  DaeRat view = dae_number_view(terms, number);
  DaeRat value;
  dae_rat_init_copy(&value, &view);
  dae_rat_floor(&value);
  DaeTerm result = dae_store_number(terms, &value);
  dae_rat_clear(&value);
  return result;
}

static DaeTerm
ceil_of(DaeTerms *terms, DaeTerm number)
{
  return dae_term_neg(terms, floor_of(terms, dae_term_neg(terms, number)));
}

static DaeTerm
truncated(DaeTerms *terms, DaeTerm number)
{
  return dae_term_sign(terms, number) < 0 ? ceil_of(terms, number) : floor_of(terms, number);
}

static DaeTerm
exact_abs(DaeTerms *terms, const DaeTerm *u)
{
  return dae_term_sign(terms, u[0]) < 0 ? dae_term_neg(terms, u[0]) : u[0];
}

static DaeTerm
exact_sign(DaeTerms *terms, const DaeTerm *u)
{
  return dae_term_int(terms, dae_term_sign(terms, u[0]));
}

static DaeTerm
exact_min(DaeTerms *terms, const DaeTerm *u)
{
  return dae_term_compare(terms, u[0], u[1]) <= 0 ? u[0] : u[1]; /* numbers: by value */
}

static DaeTerm
exact_max(DaeTerms *terms, const DaeTerm *u)
{
  return dae_term_compare(terms, u[0], u[1]) >= 0 ? u[0] : u[1];
}

static DaeTerm
exact_floor(DaeTerms *terms, const DaeTerm *u)
{
  return floor_of(terms, u[0]);
}

static DaeTerm
exact_ceil(DaeTerms *terms, const DaeTerm *u)
{
  return ceil_of(terms, u[0]);
}

static DaeTerm
exact_div(DaeTerms *terms, const DaeTerm *u)
{
  DaeTerm quotient = dae_term_div(terms, u[0], u[1]);
  return quotient == DAE_NO_TERM ? DAE_NO_TERM : truncated(terms, quotient);
}

static DaeTerm
exact_rem(DaeTerms *terms, const DaeTerm *u)
{
  return dae_term_sub(terms, u[0], dae_term_mul(terms, exact_div(terms, u), u[1]));
}

static DaeTerm
exact_mod(DaeTerms *terms, const DaeTerm *u)
{
  DaeTerm quotient = dae_term_div(terms, u[0], u[1]);
  return quotient == DAE_NO_TERM
             ? DAE_NO_TERM
             : dae_term_sub(terms, u[0], dae_term_mul(terms, floor_of(terms, quotient), u[1]));
}

static DaeTerm
exact_semilinear(DaeTerms *terms, const DaeTerm *u)
{
  return dae_term_mul(terms, u[0], dae_term_sign(terms, u[0]) >= 0 ? u[1] : u[2]);
}

/* Rational for all rational operands. */
static DaeTerm (*const exact_functions[DAE_FN_COUNT])(DaeTerms *terms, const DaeTerm *u) = {
    [DAE_FN_ABS] = exact_abs,
    [DAE_FN_SIGN] = exact_sign,
    [DAE_FN_MIN] = exact_min,
    [DAE_FN_MAX] = exact_max,
    [DAE_FN_FLOOR] = exact_floor,
    [DAE_FN_INTEGER] = exact_floor,
    [DAE_FN_CEIL] = exact_ceil,
    [DAE_FN_MOD] = exact_mod,
    [DAE_FN_DIV] = exact_div,
    [DAE_FN_REM] = exact_rem,
    [DAE_FN_SEMILINEAR] = exact_semilinear,
};

DaeTerm
dae_exact_function(DaeTerms *terms, DaeFunction function, const DaeTerm *u)
{
  const DaeFunctionFacts *facts = dae_function_facts(function);
  if (facts->value == NULL) {
    return DAE_NO_TERM; /* the data are not among the operands */
  }
  for (uint32_t i = 0; i < facts->arity; i++) {
    if (!dae_is_kind(terms, u[i], DAE_KIND_NUMBER)) {
      return DAE_NO_TERM;
    }
  }
  if (exact_functions[function] != NULL) {
    return exact_functions[function](terms, u);
  }
  if (facts->kind == DAE_CLASS_MARK) {
    return u[facts->value_operand];
  }
  bool is_known = facts->has_exact && u[0] == dae_term_int(terms, facts->exact_at);
  return is_known ? dae_term_int(terms, facts->exact_value) : DAE_NO_TERM;
}

/* Outside the domain, for number operands. */
static bool
is_outside_domain(ExactEvaluation *e, DaeFunction function, const DaeTerm *u)
{
  DaeTerms *terms = e->terms;
  switch ((DaeFunctionDomain)dae_function_facts(function)->domain) {
  case DAE_DOMAIN_UNIT:
    return is_number(e, u[0]) && (dae_term_compare(terms, u[0], terms->one) > 0 ||
                                  dae_term_compare(terms, u[0], terms->minus_one) < 0);
  case DAE_DOMAIN_POSITIVE:
    return is_number(e, u[0]) && dae_term_sign(terms, u[0]) <= 0;
  case DAE_DOMAIN_DIVISOR:
    return u[1] == terms->zero;
  case DAE_DOMAIN_ALL:
  case DAE_DOMAIN_POLES: /* at no rational number */
  case DAE_DOMAIN_INDEX: /* see exact_data, exact_operands */
    break;
  }
  return false;
}

/* Elements are the doubles that they are. The interval of an exact number
 * is found by exact comparison. */
static uint32_t
exact_data(ExactEvaluation *e, DaeTerm t, const DaeTerm *u)
{
  uint32_t data = 0;
  uint32_t n = 0;
  int64_t i = 0;
  const double *values = dae_term_data(e->terms, t, &data, &n);
  if (!is_number(e, u[1])) {
    return STATUS_WORD(DAE_EVAL_INEXACT);
  }
  if (dae_term_function(e->terms, t) == DAE_FN_LOOKUP) {
    bool is_inside = dae_term_get_int64(e->terms, u[1], &i) && i >= 1 && i <= (int64_t)n;
    return is_inside ? dae_term_from_double(e->terms, values[i - 1])
                     : STATUS_WORD(DAE_EVAL_DOMAIN);
  }
  uint32_t k = (uint32_t)dae_data_interval(values, n, dae_term_get_double(e->terms, u[1]));
  while (k + 1 < n &&
         dae_term_compare(e->terms, dae_term_from_double(e->terms, values[k]), u[1]) <= 0) {
    k++; /* the double was rounded down over an abscissa */
  }
  while (k > 1 &&
         dae_term_compare(e->terms, dae_term_from_double(e->terms, values[k - 1]), u[1]) > 0) {
    k--;
  }
  return dae_term_int(e->terms, k);
}

static uint32_t
exact_call(ExactEvaluation *e, DaeTerm t, const DaeTerm *u, uint32_t n)
{
  DaeFunction function = dae_term_function(e->terms, t);
  const DaeFunctionFacts *facts = dae_function_facts(function);
  if (facts->kind == DAE_CLASS_MARK) {
    return u[facts->value_operand];
  }
  if (function == DAE_FN_ROUTINE) {
    DaeTerm value =
        e->budget == NULL ? DAE_NO_TERM : dae_routine_value(e->terms, u, n, e->budget);
    return value == DAE_NO_TERM ? STATUS_WORD(DAE_EVAL_INEXACT) : value;
  }
  if (facts->takes_data) {
    return exact_data(e, t, u);
  }
  if (function == DAE_FN_SELECT) {
    uint32_t all = 0;
    bool is_taken = exact_operands(e, t, &all) != dae_term_operands(e->terms, t, &all);
    bool has_index = dae_term_get_int64(e->terms, u[0], &(int64_t){0});
    return is_taken ? u[0] : STATUS_WORD(has_index ? DAE_EVAL_DOMAIN : DAE_EVAL_INEXACT);
  }
  if (is_outside_domain(e, function, u)) {
    return STATUS_WORD(DAE_EVAL_DOMAIN);
  }
  DaeTerm value = dae_exact_function(e->terms, function, u);
  if (value == DAE_NO_TERM) {
    value = dae_terms_rewrite(e->terms, dae_term_call(e->terms, function, u, n));
  }
  return value;
}

static uint32_t
exact_power(ExactEvaluation *e, const DaeTerm *u)
{
  int64_t integer = 0;
  if (is_number(e, u[0]) && is_number(e, u[1]) && dae_term_sign(e->terms, u[0]) < 0) {
    DaeRat exponent = dae_number_view(e->terms, u[1]);
    if (!dae_rat_is_integer(&exponent)) {
      return STATUS_WORD(DAE_EVAL_DOMAIN);
    }
  }
  DaeTerm value = dae_term_pow(e->terms, u[0], u[1]);
  if (value == DAE_NO_TERM) {
    return STATUS_WORD(DAE_EVAL_DOMAIN);
  }
  bool negative_power = dae_term_get_int64(e->terms, u[1], &integer) && integer < 0;
  if (negative_power && !is_number(e, u[0])) {
    return STATUS_WORD(DAE_EVAL_INEXACT); /* cannot tell whether the base is 0 */
  }
  return value;
}

static uint32_t
exact_junction(const ExactEvaluation *e, const DaeTerm *u, uint32_t n, bool is_and)
{
  uint32_t error = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = dae_memo_get(&e->memo, u[i]);
    if (is_status(v)) {
      error = error == 0 ? v : error;
    } else if (dae_term_get_bool(e->terms, v) != is_and) {
      return v;
    }
  }
  return error != 0 ? error : dae_term_bool(e->terms, is_and);
}

static uint32_t
exact_atom(ExactEvaluation *e, DaeTerm t)
{
  DaeTerm value = e->atom(e->user, t);
  return value == DAE_NO_TERM ? STATUS_WORD(DAE_EVAL_UNBOUND) : value;
}

static uint32_t
exact_strict(ExactEvaluation *e, DaeTerm t, const DaeTerm *u, uint32_t n)
{
  switch (dae_term_kind(e->terms, t)) {
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
    return t;
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    return exact_atom(e, t);
  case DAE_KIND_POWER:
    return exact_power(e, u);
  case DAE_KIND_PRODUCT:
    return dae_term_product(e->terms, u, n);
  case DAE_KIND_SUM:
    return dae_term_sum(e->terms, u, n);
  case DAE_KIND_CALL:
    return exact_call(e, t, u, n);
  case DAE_KIND_IF:
    return u[0];
  case DAE_KIND_RELATION:
    return exact_relation(e, dae_term_relation_op(e->terms, t), u);
  case DAE_KIND_NOT:
    return dae_term_bool(e->terms, !dae_term_get_bool(e->terms, u[0]));
  case DAE_KIND_AND:
  case DAE_KIND_OR:
    break;
  }
  return STATUS_WORD(DAE_EVAL_INEXACT);
}

static void
exact_compute(void *self, DaeTerm t)
{
  ExactEvaluation *e = self;
  uint32_t n = 0;
  const DaeTerm *u = exact_operands(e, t, &n);
  DaeKind kind = dae_term_kind(e->terms, t);
  uint32_t result = 0;
  if (kind == DAE_KIND_AND || kind == DAE_KIND_OR) {
    result = exact_junction(e, u, n, kind == DAE_KIND_AND);
  } else {
    DaeList values;
    dae_list_init(&values);
    for (uint32_t i = 0; i < n; i++) {
      uint32_t v = dae_memo_get(&e->memo, u[i]);
      if (is_status(v) && result == 0) {
        result = v;
      }
      dae_list_push(&values, v);
    }
    if (result == 0) {
      result = exact_strict(e, t, values.data, n);
    }
    dae_list_clear(&values);
  }
  dae_memo_set(&e->memo, t, result);
}

DaeEvalStatus
dae_term_eval_exact(DaeTerms *terms, DaeTerm t, DaeAtomNumber atom, void *user, DaeTerm *value)
{
  return dae_term_eval_within(terms, t, atom, user, NULL, value);
}

DaeEvalStatus
dae_term_eval_within(DaeTerms *terms, DaeTerm t, DaeAtomNumber atom, void *user,
                     DaeExactBudget *budget, DaeTerm *value)
{
  ExactEvaluation e = {.terms = terms, .atom = atom, .user = user, .budget = budget};
  DaeWalk walk = {
      .ready = exact_ready, .operands = exact_operands, .compute = exact_compute, .self = &e};
  dae_walk(terms, t, &walk);
  uint32_t result = dae_memo_get(&e.memo, t);
  dae_memo_clear(&e.memo);
  *value = DAE_NO_TERM;
  if (is_status(result)) {
    return (DaeEvalStatus)(UINT32_MAX - result);
  }
  if (!dae_is_kind(terms, result, DAE_KIND_NUMBER) &&
      !dae_is_kind(terms, result, DAE_KIND_BOOLEAN)) {
    return DAE_EVAL_INEXACT;
  }
  *value = result;
  return DAE_EVAL_OK;
}
