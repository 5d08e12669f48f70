/* Terms over independent kernels: the driver, bottom-up over the DAG. If-terms are kernels here. */
#include "algebra/lower.h"

#define LIMIT_ROUNDS 6
#define LIMIT_NODES 20000

/* ---- expanded arguments ------------------------------------------------------------------ */

static void
append_summand(GArray *summands, const fmpz_t numerator, const fmpz_t denominator,
               DaeTerm monomial)
{
  DaeSummand s = {.monomial = monomial};
  fmpq_init(&s.coefficient);
  fmpq_set_fmpz_frac(&s.coefficient, numerator, denominator);
  g_array_append_val(summands, s);
}

/* numerator term by term over the denominator, whose numeric content goes to the coefficients */
static void
append_fraction(const DaeRing *ring, fmpz_mpoly_q_t value, GArray *summands)
{
  DaeTerms *terms = ring->algebra->terms;
  fmpz_mpoly_struct *denominator = fmpz_mpoly_q_denref(value);
  fmpz_t content;
  fmpz_t one;
  fmpz_init(content);
  fmpz_init_set_ui(one, 1);
  _fmpz_vec_content(content, denominator->coeffs, denominator->length);
  fmpz_mpoly_scalar_divexact_fmpz(denominator, denominator, content, ring->ctx);
  DaeTerm divisor = dae_term_pow_int(terms, dae_ring_poly_term(ring, denominator), -1);
  fmpz_mpoly_t monomial;
  fmpz_mpoly_init(monomial, ring->ctx);
  for (slong i = 0; i < fmpz_mpoly_length(fmpz_mpoly_q_numref(value), ring->ctx); i++) {
    fmpz_mpoly_get_term_monomial(monomial, fmpz_mpoly_q_numref(value), i, ring->ctx);
    DaeTerm m = dae_term_mul(terms, dae_ring_poly_term(ring, monomial), divisor);
    append_summand(summands, fmpz_mpoly_q_numref(value)->coeffs + i, content, m);
  }
  fmpz_mpoly_clear(monomial, ring->ctx);
  fmpz_clear(content);
  fmpz_clear(one);
}

bool
dae_lower_expand(DaeLower *l, DaeTerm a, GArray *summands)
{
  if (dae_term_is_number(l->terms, a) || dae_term_is_atom(l->terms, a)) {
    DaeSummand s = {.monomial = DAE_NO_TERM};
    fmpq_init(&s.coefficient);
    s.monomial = dae_number_split(l->terms, a, &s.coefficient);
    if (fmpq_is_zero(&s.coefficient)) {
      fmpq_clear(&s.coefficient);
    } else {
      g_array_append_val(summands, s);
    }
    return true;
  }
  g_autoptr(DaeRing) ring = dae_ring_new(l->algebra, &a, 1);
  if (ring == NULL) {
    return false;
  }
  fmpz_mpoly_q_t value;
  fmpz_mpoly_q_init(value, ring->ctx);
  bool ok = dae_ring_convert(ring, &a, 1, value);
  if (ok) {
    append_fraction(ring, value, summands);
  }
  fmpz_mpoly_q_clear(value, ring->ctx);
  return ok;
}

void
dae_lower_clear_summands(GArray *summands)
{
  for (guint i = 0; i < summands->len; i++) {
    fmpq_clear(&g_array_index(summands, DaeSummand, i).coefficient);
  }
  g_array_set_size(summands, 0);
}

DaeTerm
dae_lower_normal(DaeLower *l, DaeTerm a)
{
  if (dae_term_is_number(l->terms, a) || dae_term_is_atom(l->terms, a)) {
    return a;
  }
  g_autoptr(DaeRing) ring = dae_ring_new(l->algebra, &a, 1);
  if (ring == NULL) {
    return DAE_NO_TERM;
  }
  fmpz_mpoly_q_t value;
  fmpz_mpoly_q_init(value, ring->ctx);
  DaeTerm result = DAE_NO_TERM;
  if (dae_ring_convert(ring, &a, 1, value)) {
    result = dae_ring_fraction_term(ring, value);
  }
  fmpz_mpoly_q_clear(value, ring->ctx);
  return result;
}

/* ---- units ------------------------------------------------------------------------------- */

static bool
is_inverse_function(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  DaeFunction f = dae_term_function(terms, t);
  return f == DAE_FN_ASIN || f == DAE_FN_ATAN;
}

bool
dae_lower_count_units(DaeLower *l, DaeUnitClass kind, DaeTerm monomial,
                      const fmpq_t coefficient, int64_t limit, int64_t *n, DaeTerm *unit)
{
  gpointer known = g_hash_table_lookup(l->units[kind], GUINT_TO_POINTER(monomial));
  fmpq_t u;
  fmpq_t count;
  fmpq_init(u);
  fmpq_init(count);
  if (known != NULL) {
    dae_number_get_fmpq(l->terms, GPOINTER_TO_UINT(known), u);
  } else if (kind == DAE_UNIT_ROOT || is_inverse_function(l->terms, monomial)) {
    /* the base itself occurs, so roots are 1/q; sin(asin(x)) is known for whole multiples */
    fmpq_one(u);
  }
  fmpq_gcd(u, u, coefficient);
  fmpq_div(count, coefficient, u);
  DAE_ASSERT(fmpz_is_one(fmpq_denref(count)));
  bool ok = fmpz_cmp_si(fmpq_numref(count), limit) <= 0 &&
            fmpz_cmp_si(fmpq_numref(count), -limit) >= 0;
  if (ok) {
    *n = fmpz_get_si(fmpq_numref(count));
    *unit = dae_number_from_fmpq(l->terms, u);
    l->again = l->again || (known != NULL && GPOINTER_TO_UINT(known) != *unit);
    g_hash_table_insert(l->units[kind], GUINT_TO_POINTER(monomial), GUINT_TO_POINTER(*unit));
  }
  fmpq_clear(u);
  fmpq_clear(count);
  return ok;
}

/* ---- functions --------------------------------------------------------------------------- */

static DaeTerm
lower_hyperbolic(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  DaeTerms *terms = l->terms;
  DaeTerm e = dae_lower_exp(l, v[0]);
  if (e == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  DaeTerm inverse = dae_term_pow_int(terms, e, -1);
  DaeTerm half = dae_term_ratio(terms, 1, 2);
  DaeTerm sinh = dae_term_mul(terms, half, dae_term_sub(terms, e, inverse));
  DaeTerm cosh = dae_term_mul(terms, half, dae_term_add(terms, e, inverse));
  if (f == DAE_FN_TANH) {
    return dae_term_div(terms, sinh, cosh);
  }
  return f == DAE_FN_SINH ? sinh : cosh;
}

static DaeTerm
lower_trigonometric(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  DaeTerm sine = DAE_NO_TERM;
  DaeTerm cosine = DAE_NO_TERM;
  if (!dae_lower_sine_cosine(l, v[0], &sine, &cosine)) {
    return DAE_NO_TERM;
  }
  if (f == DAE_FN_TAN) {
    return dae_term_div(l->terms, sine, cosine);
  }
  return f == DAE_FN_SIN ? sine : cosine;
}

/* asin and atan are odd: the sign of the first summand goes outside. */
static DaeTerm
lower_odd(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  DaeTerm normal = dae_lower_normal(l, v[0]);
  if (normal == DAE_NO_TERM) {
    return dae_term_call1(l->terms, f, v[0]);
  }
  DaeTerm minus = dae_term_neg(l->terms, normal);
  bool swap = dae_term_compare(l->terms, minus, normal) < 0;
  DaeTerm call = dae_term_call1(l->terms, f, swap ? minus : normal);
  return swap ? dae_term_neg(l->terms, call) : call;
}

/* floor(a + n) = floor(a) + n for integers n */
static DaeTerm
lower_floor(DaeLower *l, DaeTerm a)
{
  DaeTerms *terms = l->terms;
  DaeTerm normal = dae_lower_normal(l, a);
  if (normal == DAE_NO_TERM) {
    return dae_term_call1(terms, DAE_FN_FLOOR, a);
  }
  DaeTerm shift = dae_term_int(terms, 0);
  DaeTerm first = dae_term_kind(terms, normal) == DAE_KIND_SUM
                      ? dae_term_operand(terms, normal, 0)
                      : normal;
  if (dae_term_is_number(terms, first)) {
    fmpq_t q;
    fmpz_t whole;
    fmpq_init(q);
    fmpz_init(whole);
    dae_number_get_fmpq(terms, first, q);
    fmpz_fdiv_q(whole, fmpq_numref(q), fmpq_denref(q));
    shift = dae_number_from_fmpz(terms, whole);
    fmpq_clear(q);
    fmpz_clear(whole);
  }
  DaeTerm rest = dae_term_sub(terms, normal, shift);
  bool is_done = dae_term_is_number(terms, rest); /* in [0, 1) */
  return is_done ? shift
                 : dae_term_add(terms, shift, dae_term_call1(terms, DAE_FN_FLOOR, rest));
}

static DaeTerm
lower_min_max(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  DaeTerms *terms = l->terms;
  DaeTerm distance = dae_lower_abs(l, dae_term_sub(terms, v[0], v[1]));
  if (distance == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  DaeTerm sum = dae_term_add(terms, v[0], v[1]);
  sum =
      f == DAE_FN_MIN ? dae_term_sub(terms, sum, distance) : dae_term_add(terms, sum, distance);
  return dae_term_mul(terms, dae_term_ratio(terms, 1, 2), sum);
}

/* semiLinear(x, a, b) = if x >= 0 then a*x else b*x */
static DaeTerm
lower_semilinear(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  (void)f;
  DaeTerms *terms = l->terms;
  DaeTerm size = dae_lower_abs(l, v[0]);
  if (size == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  DaeTerm even = dae_term_mul(terms, size, dae_term_sub(terms, v[1], v[2]));
  DaeTerm odd = dae_term_mul(terms, v[0], dae_term_add(terms, v[1], v[2]));
  return dae_term_mul(terms, dae_term_ratio(terms, 1, 2), dae_term_add(terms, odd, even));
}

static DaeTerm
lower_rest_of_division(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  DaeTerms *terms = l->terms;
  DaeTerm na = dae_lower_normal(l, v[0]);
  DaeTerm nb = dae_lower_normal(l, v[1]);
  if (na == DAE_NO_TERM || nb == DAE_NO_TERM) {
    return dae_term_call2(terms, f, v[0], v[1]);
  }
  if (f == DAE_FN_MOD) {
    DaeTerm quotient = dae_term_div(terms, na, nb);
    if (quotient == DAE_NO_TERM) {
      return DAE_NO_TERM;
    }
    return dae_term_sub(terms, na, dae_term_mul(terms, nb, lower_floor(l, quotient)));
  }
  DaeTerm quotient = dae_term_call2(terms, DAE_FN_DIV, na, nb);
  return f == DAE_FN_DIV ? quotient
                         : dae_term_sub(terms, na, dae_term_mul(terms, nb, quotient));
}

static DaeTerm
lower_logarithm(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  DaeTerm log_a = dae_lower_log(l, v[0]);
  if (f == DAE_FN_LOG || log_a == DAE_NO_TERM) {
    return log_a;
  }
  return dae_term_div(l->terms, log_a, dae_lower_log(l, dae_term_int(l->terms, 10)));
}

static DaeTerm
lower_exponential(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  (void)f;
  return dae_lower_exp(l, v[0]);
}

/* acos(a) = pi/2 - asin(a) */
static DaeTerm
lower_acos(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  (void)f;
  DaeTerm right = dae_term_mul(l->terms, dae_term_ratio(l->terms, 1, 2), dae_term_pi(l->terms));
  return dae_term_sub(l->terms, right, lower_odd(l, DAE_FN_ASIN, v));
}

static DaeTerm
lower_by_sign(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  return f == DAE_FN_ABS ? dae_lower_abs(l, v[0]) : dae_lower_sign(l, v[0]);
}

static DaeTerm
lower_rounded(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  return f == DAE_FN_CEIL ? dae_term_neg(l->terms, lower_floor(l, dae_term_neg(l->terms, v[0])))
                          : lower_floor(l, v[0]);
}

static DaeTerm
lower_mark(DaeLower *l, DaeFunction f, const DaeTerm *v)
{
  (void)l;
  return v[dae_function_facts(f)->value_operand];
}

/* The others are kernels of their own: equal operands, equal values. */
static DaeTerm (*const lowered[DAE_FN_COUNT])(DaeLower *l, DaeFunction f, const DaeTerm *v) = {
    [DAE_FN_SIN] = lower_trigonometric,
    [DAE_FN_COS] = lower_trigonometric,
    [DAE_FN_TAN] = lower_trigonometric,
    [DAE_FN_ASIN] = lower_odd,
    [DAE_FN_ACOS] = lower_acos,
    [DAE_FN_ATAN] = lower_odd,
    [DAE_FN_SINH] = lower_hyperbolic,
    [DAE_FN_COSH] = lower_hyperbolic,
    [DAE_FN_TANH] = lower_hyperbolic,
    [DAE_FN_EXP] = lower_exponential,
    [DAE_FN_LOG] = lower_logarithm,
    [DAE_FN_LOG10] = lower_logarithm,
    [DAE_FN_ABS] = lower_by_sign,
    [DAE_FN_SIGN] = lower_by_sign,
    [DAE_FN_MIN] = lower_min_max,
    [DAE_FN_MAX] = lower_min_max,
    [DAE_FN_FLOOR] = lower_rounded,
    [DAE_FN_CEIL] = lower_rounded,
    [DAE_FN_INTEGER] = lower_rounded,
    [DAE_FN_MOD] = lower_rest_of_division,
    [DAE_FN_DIV] = lower_rest_of_division,
    [DAE_FN_REM] = lower_rest_of_division,
    [DAE_FN_SMOOTH] = lower_mark,
    [DAE_FN_NOEVENT] = lower_mark,
    [DAE_FN_HOMOTOPY] = lower_mark,
    [DAE_FN_SEMILINEAR] = lower_semilinear,
};

static DaeTerm
lower_call(DaeLower *l, DaeTerm t, const DaeTerm *v, uint32_t n)
{
  DaeFunction f = dae_term_function(l->terms, t);
  return lowered[f] != NULL ? lowered[f](l, f, v) : dae_term_call(l->terms, f, v, n);
}

/* ---- the driver -------------------------------------------------------------------------- */

static DaeTerm
lower_power(DaeLower *l, const DaeTerm *v)
{
  int64_t n = 0;
  if (!dae_term_is_number(l->terms, v[1])) {
    return dae_lower_symbolic_power(l, v[0], v[1]);
  }
  if (dae_term_get_int64(l->terms, v[1], &n)) {
    return dae_term_pow(l->terms, v[0], v[1]);
  }
  fmpq_t exponent;
  fmpq_init(exponent);
  dae_number_get_fmpq(l->terms, v[1], exponent);
  DaeTerm result = dae_lower_root(l, v[0], exponent);
  fmpq_clear(exponent);
  return result;
}

static DaeTerm
lower_node(DaeLower *l, DaeTerm t, const DaeTerm *v, uint32_t n)
{
  switch (dae_term_kind(l->terms, t)) {
  case DAE_KIND_SUM:
    return dae_term_sum(l->terms, v, n);
  case DAE_KIND_PRODUCT:
    return dae_term_product(l->terms, v, n);
  case DAE_KIND_POWER:
    return lower_power(l, v);
  case DAE_KIND_CALL:
    return lower_call(l, t, v, n);
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
    break;
  }
  return t;
}

/* Branches of if-terms are not entered: what they need of their arguments
 * holds only where they are taken. */
static bool
is_if_term(DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_IF;
}

static DaeTerm
lower_once(DaeLower *l, const DaePlan *plan)
{
  g_autofree DaeTerm *value = g_new(DaeTerm, plan->n + 1);
  g_autoptr(GArray) operands = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < plan->n; i++) {
    g_array_set_size(operands, 0);
    for (uint32_t k = plan->first[i]; k < plan->first[i + 1]; k++) {
      g_array_append_val(operands, value[plan->operand[k]]);
    }
    value[i] = lower_node(l, plan->node[i], (const DaeTerm *)(const void *)operands->data,
                          operands->len);
    if (value[i] == DAE_NO_TERM || l->failed || dae_algebra_spent(l->algebra)) {
      return DAE_NO_TERM;
    }
  }
  return value[plan->root[0]];
}

DaeTerm
dae_lower(DaeAlgebra *algebra, DaeTerm t, const DaeFact *facts, size_t n_facts)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, is_if_term);
  if (plan->n > LIMIT_NODES) {
    return DAE_NO_TERM;
  }
  DaeLower l = {
      .algebra = algebra, .terms = algebra->terms, .signs = g_hash_table_new(NULL, NULL)};
  for (int i = 0; i < 3; i++) {
    l.units[i] = g_hash_table_new(NULL, NULL);
  }
  for (size_t i = 0; i < n_facts; i++) {
    dae_lower_learn(&l, &facts[i]);
  }
  DaeTerm result = DAE_NO_TERM;
  for (int round = 0; round < LIMIT_ROUNDS && !l.failed; round++) {
    l.again = false;
    result = lower_once(&l, plan);
    if (!l.again || result == DAE_NO_TERM) {
      break;
    }
  }
  for (int i = 0; i < 3; i++) {
    g_hash_table_unref(l.units[i]);
  }
  g_hash_table_unref(l.signs);
  return result;
}
