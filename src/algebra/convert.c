/* Terms to fractions of polynomials, with limits that keep every FLINT call short. */
#include "algebra/algebra-priv.h"

#include <math.h>
#include <string.h>

#define LARGEST_EXPONENT (10 * (slong)DAE_LIMIT_EXPONENT) /* of a kernel in one monomial */

static slong
numerator_length(const DaeRing *ring, const fmpz_mpoly_q_t f)
{
  return fmpz_mpoly_length(fmpz_mpoly_q_numref(f), ring->ctx);
}

static slong
denominator_length(const DaeRing *ring, const fmpz_mpoly_q_t f)
{
  return fmpz_mpoly_length(fmpz_mpoly_q_denref(f), ring->ctx);
}

static bool
is_polynomial(const DaeRing *ring, const fmpz_mpoly_q_t f)
{
  return fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(f), ring->ctx);
}

static bool
product_is_affordable(slong a, slong b)
{
  return a < 3 || b < 3 || (double)a * (double)b <= 20.0 * DAE_LIMIT_TERMS;
}

/* Both are polynomials, or small enough for the greatest common divisors that cancelling takes. */
static bool
cancelling_is_affordable(const DaeRing *ring, const fmpz_mpoly_q_t a, const fmpz_mpoly_q_t b)
{
  if (is_polynomial(ring, a) && is_polynomial(ring, b)) {
    return true;
  }
  return numerator_length(ring, a) + denominator_length(ring, a) + numerator_length(ring, b) +
             denominator_length(ring, b) <=
         DAE_LIMIT_GCD;
}

#define GCD_WORK 40.0       /* per term and kernel, measured */
#define HOPELESS_TERMS 1e10 /* of a common denominator: DAE_LIMIT_TERMS and a wide margin */

/* Products of coefficients up to 1024 bits cost about the same; of longer ones they are counted as
 * the squares that they are: the digits of what is iterated exactly double from round to round. */
static double
digit_work(const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
  return 1 + floor((double)ABS(fmpz_mpoly_max_bits(a)) / 1024) *
                 floor((double)ABS(fmpz_mpoly_max_bits(b)) / 1024);
}

/* Greatest common divisor of two polynomials, if neither is a number. */
static double
gcd_work(const DaeRing *ring, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
  if (fmpz_mpoly_is_fmpz(a, ring->ctx) || fmpz_mpoly_is_fmpz(b, ring->ctx)) {
    return digit_work(a, b);
  }
  slong length = fmpz_mpoly_length(a, ring->ctx) + fmpz_mpoly_length(b, ring->ctx);
  return GCD_WORK * (double)length * (double)ring->n * digit_work(a, b);
}

static double
mul_work(const DaeRing *ring, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
  return (double)fmpz_mpoly_length(a, ring->ctx) * (double)fmpz_mpoly_length(b, ring->ctx) *
         digit_work(a, b);
}

static double
sum_work(const DaeRing *ring, const fmpz_mpoly_q_t a, const fmpz_mpoly_q_t b)
{
  const fmpz_mpoly_struct *pa = fmpz_mpoly_q_numref(a);
  const fmpz_mpoly_struct *pb = fmpz_mpoly_q_numref(b);
  const fmpz_mpoly_struct *qa = fmpz_mpoly_q_denref(a);
  const fmpz_mpoly_struct *qb = fmpz_mpoly_q_denref(b);
  return mul_work(ring, pa, qb) + mul_work(ring, pb, qa) + mul_work(ring, qa, qb) +
         3 * gcd_work(ring, qa, qb);
}

static double
product_work(const DaeRing *ring, const fmpz_mpoly_q_t a, const fmpz_mpoly_q_t b)
{
  const fmpz_mpoly_struct *pa = fmpz_mpoly_q_numref(a);
  const fmpz_mpoly_struct *pb = fmpz_mpoly_q_numref(b);
  const fmpz_mpoly_struct *qa = fmpz_mpoly_q_denref(a);
  const fmpz_mpoly_struct *qb = fmpz_mpoly_q_denref(b);
  return mul_work(ring, pa, pb) + mul_work(ring, qa, qb) + gcd_work(ring, pa, qb) +
         gcd_work(ring, pb, qa);
}

bool
dae_ring_add(const DaeRing *ring, fmpz_mpoly_q_t r, const fmpz_mpoly_q_t a,
             const fmpz_mpoly_q_t b)
{
  slong na = numerator_length(ring, a);
  slong nb = numerator_length(ring, b);
  if (!product_is_affordable(na, denominator_length(ring, b)) ||
      !product_is_affordable(nb, denominator_length(ring, a)) ||
      !cancelling_is_affordable(ring, a, b) || na + nb > 2 * (slong)DAE_LIMIT_TERMS) {
    return false;
  }
  if (!dae_work_spend(ring->algebra, sum_work(ring, a, b))) {
    return false;
  }
  fmpz_mpoly_q_add(r, a, b, ring->ctx);
  return true;
}

static bool
finish_product(const DaeRing *ring, fmpz_mpoly_q_t r)
{
  return dae_ring_reduce_fraction(ring, r) &&
         !fmpz_mpoly_is_zero(fmpz_mpoly_q_denref(r), ring->ctx) &&
         numerator_length(ring, r) + denominator_length(ring, r) <= DAE_LIMIT_TERMS;
}

bool
dae_ring_mul(const DaeRing *ring, fmpz_mpoly_q_t r, const fmpz_mpoly_q_t a,
             const fmpz_mpoly_q_t b)
{
  if (!product_is_affordable(numerator_length(ring, a), numerator_length(ring, b)) ||
      !product_is_affordable(denominator_length(ring, a), denominator_length(ring, b)) ||
      !cancelling_is_affordable(ring, a, b)) {
    return false;
  }
  if (!dae_work_spend(ring->algebra, product_work(ring, a, b))) {
    return false;
  }
  fmpz_mpoly_q_mul(r, a, b, ring->ctx);
  return finish_product(ring, r);
}

/* Upper bound of the number of terms of p^n: multinomial, and by the degrees; and of
 * the bits of one coefficient. */
static bool
power_is_affordable(const DaeRing *ring, const fmpz_mpoly_t p, int64_t n)
{
  slong length = fmpz_mpoly_length(p, ring->ctx);
  double bits = (double)ABS(fmpz_mpoly_max_bits(p)) + log2((double)MAX(length, 1));
  if (bits * (double)n > 1e6) {
    return false;
  }
  if (length <= 1) {
    return true;
  }
  /* log of C(length + n - 1, n) */
  double multinomial =
      lgamma((double)length + (double)n) - lgamma((double)n + 1) - lgamma((double)length);
  double by_degree = 0;
  for (uint32_t k = 0; k < ring->n; k++) {
    by_degree += log((double)fmpz_mpoly_degree_si(p, k, ring->ctx) * (double)n + 1);
  }
  double terms = MIN(multinomial, by_degree);
  /* coefficients grow too, so what counts is terms times bits */
  return terms + log(1 + bits * (double)n / 64) <= log(DAE_LIMIT_TERMS);
}

/* By repeated squaring with reduction on the way: only for rings with relations. */
static bool
power_with_relations(const DaeRing *ring, fmpz_mpoly_q_t r, const fmpz_mpoly_q_t a, int64_t n)
{
  fmpz_mpoly_q_t square;
  fmpz_mpoly_q_init(square, ring->ctx);
  fmpz_mpoly_q_set(square, a, ring->ctx);
  fmpz_mpoly_q_one(r, ring->ctx);
  bool ok = true;
  for (; n > 0 && ok; n >>= 1) {
    if ((n & 1) != 0) {
      ok = dae_ring_mul(ring, r, r, square);
    }
    if (n > 1 && ok) {
      ok = dae_ring_mul(ring, square, square, square);
    }
  }
  fmpz_mpoly_q_clear(square, ring->ctx);
  return ok;
}

bool
dae_ring_pow(const DaeRing *ring, fmpz_mpoly_q_t r, const fmpz_mpoly_q_t a, int64_t n)
{
  fmpz_mpoly_q_t base;
  fmpz_mpoly_q_init(base, ring->ctx);
  fmpz_mpoly_q_set(base, a, ring->ctx);
  bool ok = true;
  if (n < 0) {
    ok = !fmpz_mpoly_q_is_zero(a, ring->ctx);
    if (ok) {
      fmpz_mpoly_q_inv(base, a, ring->ctx);
    }
    n = -n;
  }
  ok = ok && power_is_affordable(ring, fmpz_mpoly_q_numref(base), n) &&
       power_is_affordable(ring, fmpz_mpoly_q_denref(base), n);
  if (ok && ring->n_relations > 0) {
    ok = power_with_relations(ring, r, base, n);
  } else if (ok) {
    fmpz_mpoly_pow_ui(fmpz_mpoly_q_numref(r), fmpz_mpoly_q_numref(base), (ulong)n, ring->ctx);
    fmpz_mpoly_pow_ui(fmpz_mpoly_q_denref(r), fmpz_mpoly_q_denref(base), (ulong)n, ring->ctx);
  }
  fmpz_mpoly_q_clear(base, ring->ctx);
  return ok;
}

/* ---- monomials ------------------------------------------------------------------------------ */

/* A kernel or an integer power of one. */
static bool
is_kernel_power(DaeTerms *terms, DaeTerm t)
{
  if (dae_ring_is_leaf(terms, t)) {
    return true;
  }
  return dae_term_kind(terms, t) == DAE_KIND_POWER &&
         dae_ring_is_leaf(terms, dae_term_operand(terms, t, 0));
}

static bool
is_negative_power(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_POWER) {
    return false;
  }
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  return dae_term_is_number(terms, exponent) && dae_term_sign(terms, exponent) < 0;
}

static bool
has_negative_power(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return is_negative_power(terms, t);
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (is_negative_power(terms, operands[i])) {
      return true;
    }
  }
  return false;
}

/* Numbers times powers of kernels are read off directly: most terms are sums of these. */
static bool
is_monomial(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return is_kernel_power(terms, t);
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (!is_kernel_power(terms, operands[i])) {
      return false;
    }
  }
  return true;
}

typedef struct {
  fmpq_t coefficient;
  slong *exponent; /* per kernel; may be negative */
  /* a number to a power that no memory could hold, or an exponent beyond all bounds */
  bool is_too_large;
} Monomial;

/* Bits of the powers of numbers that are written out. */
#define LARGEST_POWER_BITS 1e7

static void
multiply_by_kernel_power(const DaeRing *ring, DaeTerm t, Monomial *m)
{
  DaeTerms *terms = ring->algebra->terms;
  int64_t power = 1;
  if (!dae_ring_is_leaf(terms, t)) {
    DAE_ASSERT(dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &power));
    t = dae_term_operand(terms, t, 0);
  }
  int64_t inner = 1;
  DaeTerm kernel = dae_ring_kernel_of(terms, t, &inner);
  if (fabs((double)power * (double)inner) > (double)INT32_MAX) {
    m->is_too_large = true;
    return;
  }
  if (dae_term_is_number(terms, kernel)) {
    fmpq_t q;
    fmpq_init(q);
    dae_number_get_fmpq(terms, kernel, q);
    double bits = (double)(fmpz_bits(fmpq_numref(q)) + fmpz_bits(fmpq_denref(q)));
    if (bits * fabs((double)(power * inner)) > LARGEST_POWER_BITS &&
        !(fmpz_is_pm1(fmpq_numref(q)) && fmpz_is_one(fmpq_denref(q)))) {
      m->is_too_large = true;
    } else {
      fmpq_pow_si(q, q, power * inner);
      fmpq_mul(m->coefficient, m->coefficient, q);
    }
    fmpq_clear(q);
    return;
  }
  uint32_t index = 0;
  DAE_ASSERT(dae_ring_find(ring, kernel, &index));
  m->exponent[index] += power * inner;
}

/* m is cleared for the next use by the caller. */
static void
read_monomial(const DaeRing *ring, DaeTerm t, Monomial *m)
{
  DaeTerms *terms = ring->algebra->terms;
  m->is_too_large = false;
  fmpq_one(m->coefficient);
  memset(m->exponent, 0, ring->n * sizeof(slong));
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    multiply_by_kernel_power(ring, t, m);
    return;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    multiply_by_kernel_power(ring, operands[i], m);
  }
}

static void
push_exponents(const DaeRing *ring, const Monomial *m, int sign, const fmpz_t coefficient,
               fmpz_mpoly_t out)
{
  g_autofree ulong *exponent = g_new0(ulong, ring->n + 1);
  for (uint32_t k = 0; k < ring->n; k++) {
    slong e = sign * m->exponent[k];
    exponent[k] = e > 0 ? (ulong)e : 0;
  }
  fmpz_mpoly_push_term_fmpz_ui(out, coefficient, exponent, ring->ctx);
}

static bool
exponents_are_small(const DaeRing *ring, const Monomial *m)
{
  for (uint32_t k = 0; k < ring->n; k++) {
    if (ABS(m->exponent[k]) > LARGEST_EXPONENT) {
      return false;
    }
  }
  return !m->is_too_large;
}

static bool
convert_monomial(const DaeRing *ring, DaeTerm t, fmpz_mpoly_q_t value)
{
  g_autofree slong *exponent = g_new(slong, ring->n + 1);
  Monomial m = {.exponent = exponent};
  fmpq_init(m.coefficient);
  read_monomial(ring, t, &m);
  bool ok = exponents_are_small(ring, &m);
  if (ok) {
    fmpz_mpoly_zero(fmpz_mpoly_q_numref(value), ring->ctx);
    fmpz_mpoly_zero(fmpz_mpoly_q_denref(value), ring->ctx);
    push_exponents(ring, &m, 1, fmpq_numref(m.coefficient), fmpz_mpoly_q_numref(value));
    push_exponents(ring, &m, -1, fmpq_denref(m.coefficient), fmpz_mpoly_q_denref(value));
    if (fmpq_is_zero(m.coefficient)) {
      fmpz_mpoly_q_zero(value, ring->ctx);
    }
    ok = finish_product(ring, value);
  }
  fmpq_clear(m.coefficient);
  return ok;
}

/* Common denominator of the coefficients of a sum of monomials without negative
 * powers; false: there is one. */
static bool
scan_polynomial(const DaeRing *ring, const DaeTerm *operands, uint32_t n, Monomial *m,
                fmpz_t denominator)
{
  fmpz_one(denominator);
  for (uint32_t i = 0; i < n; i++) {
    if (!is_monomial(ring->algebra->terms, operands[i])) {
      return false;
    }
    read_monomial(ring, operands[i], m);
    if (m->is_too_large) {
      return false;
    }
    for (uint32_t k = 0; k < ring->n; k++) {
      if (m->exponent[k] < 0 || m->exponent[k] > LARGEST_EXPONENT) {
        return false;
      }
    }
    fmpz_lcm(denominator, denominator, fmpq_denref(m->coefficient));
  }
  return true;
}

/* A sum of monomials, pushed term by term. *done: it was one. */
static bool
convert_polynomial(const DaeRing *ring, DaeTerm t, fmpz_mpoly_q_t value, bool *done)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(ring->algebra->terms, t, &n);
  g_autofree slong *exponent = g_new(slong, ring->n + 1);
  Monomial m = {.exponent = exponent};
  fmpz_t denominator;
  fmpz_t c;
  fmpq_init(m.coefficient);
  fmpz_init(denominator);
  fmpz_init(c);
  bool ok = true;
  *done = scan_polynomial(ring, operands, n, &m, denominator);
  if (*done) {
    fmpz_mpoly_struct *p = fmpz_mpoly_q_numref(value);
    fmpz_mpoly_zero(p, ring->ctx);
    for (uint32_t i = 0; i < n; i++) {
      read_monomial(ring, operands[i], &m);
      fmpz_divexact(c, denominator, fmpq_denref(m.coefficient));
      fmpz_mul(c, c, fmpq_numref(m.coefficient));
      push_exponents(ring, &m, 1, c, p);
    }
    fmpz_mpoly_sort_terms(p, ring->ctx);
    fmpz_mpoly_combine_like_terms(p, ring->ctx);
    fmpz_mpoly_set_fmpz(fmpz_mpoly_q_denref(value), denominator, ring->ctx);
    if (!fmpz_is_one(denominator)) {
      fmpz_mpoly_q_canonicalise(value, ring->ctx);
    }
    ok = finish_product(ring, value);
  }
  fmpq_clear(m.coefficient);
  fmpz_clear(denominator);
  fmpz_clear(c);
  return ok;
}

/* ---- terms to fractions --------------------------------------------------------------------- */

/* Do the denominators alone, where no two of them are the same, make a common one that is far
 * beyond every limit? Adding in pairs would notice that late. Different ones may share factors:
 * hence the margin. */
static bool
is_common_denominator_hopeless(const DaeRing *ring, const fmpz_mpoly_q_struct *part, uint32_t n)
{
  g_autofree uint32_t *different = g_new(uint32_t, (size_t)n + 1);
  uint32_t n_different = 0;
  double terms = 1;
  for (uint32_t k = 0; k < n && terms <= HOPELESS_TERMS; k++) {
    bool is_new = denominator_length(ring, part + k) > 1;
    for (uint32_t i = 0; i < n_different && is_new; i++) {
      is_new = !fmpz_mpoly_equal(fmpz_mpoly_q_denref(part + k),
                                 fmpz_mpoly_q_denref(part + different[i]), ring->ctx);
    }
    if (is_new) {
      different[n_different++] = k;
      terms *= (double)denominator_length(ring, part + k);
    }
  }
  return terms > HOPELESS_TERMS;
}

/* The numerators of fractions with the same denominator are added before anything is cancelled.
 * What is left are the first *n of part. */
static bool
add_equal_denominators(const DaeRing *ring, fmpz_mpoly_q_struct *part, uint32_t *n)
{
  g_autofree bool *has_grown = g_new0(bool, (size_t)*n + 1);
  uint32_t n_left = 0;
  bool ok = true;
  for (uint32_t k = 0; k < *n && ok; k++) {
    uint32_t at = is_polynomial(ring, part + k) ? n_left : 0; /* these have nothing to cancel */
    while (at < n_left && !fmpz_mpoly_equal(fmpz_mpoly_q_denref(part + at),
                                            fmpz_mpoly_q_denref(part + k), ring->ctx)) {
      at++;
    }
    if (at == n_left) {
      fmpz_mpoly_q_swap(part + n_left++, part + k, ring->ctx);
      continue;
    }
    slong length = numerator_length(ring, part + at) + numerator_length(ring, part + k);
    ok = length <= 2 * (slong)DAE_LIMIT_TERMS && dae_work_spend(ring->algebra, (double)length);
    if (ok) {
      fmpz_mpoly_add(fmpz_mpoly_q_numref(part + at), fmpz_mpoly_q_numref(part + at),
                     fmpz_mpoly_q_numref(part + k), ring->ctx);
      has_grown[at] = true;
    }
  }
  for (uint32_t k = 0; k < n_left && ok; k++) {
    const fmpz_mpoly_struct *p = fmpz_mpoly_q_numref(part + k);
    const fmpz_mpoly_struct *q = fmpz_mpoly_q_denref(part + k);
    if (has_grown[k] && !fmpz_mpoly_is_one(q, ring->ctx)) {
      ok = (is_polynomial(ring, part + k) ||
            fmpz_mpoly_length(p, ring->ctx) + fmpz_mpoly_length(q, ring->ctx) <=
                DAE_LIMIT_GCD) &&
           dae_work_spend(ring->algebra, gcd_work(ring, p, q));
      if (ok) {
        fmpz_mpoly_q_canonicalise(part + k, ring->ctx);
      }
    }
  }
  *n = n_left;
  return ok;
}

/* A tournament: long sums cost O(length * log), not O(length^2). */
static bool
convert_sum(const DaeRing *ring, const DaePlan *plan, uint32_t i, fmpz_mpoly_q_struct *values)
{
  const uint32_t *operand = dae_plan_operands(plan, i);
  const uint32_t n_operands = dae_plan_arity(plan, i);
  uint32_t n = n_operands;
  fmpz_mpoly_q_struct *part = dae_ring_values_new(ring, n);
  for (uint32_t k = 0; k < n; k++) {
    fmpz_mpoly_q_set(part + k, values + operand[k], ring->ctx);
  }
  bool ok =
      !is_common_denominator_hopeless(ring, part, n) && add_equal_denominators(ring, part, &n);
  for (uint32_t gap = 1; gap < n && ok; gap *= 2) {
    for (uint32_t k = 0; k + gap < n && ok; k += 2 * gap) {
      ok = dae_ring_add(ring, part + k, part + k, part + k + gap);
    }
  }
  fmpz_mpoly_q_swap(values + i, part, ring->ctx);
  dae_ring_values_free(ring, part, n_operands);
  return ok;
}

static bool
convert_product(const DaeRing *ring, const DaePlan *plan, uint32_t i,
                fmpz_mpoly_q_struct *values)
{
  const uint32_t *operand = dae_plan_operands(plan, i);
  uint32_t n = dae_plan_arity(plan, i);
  fmpz_mpoly_q_set(values + i, values + operand[0], ring->ctx);
  for (uint32_t k = 1; k < n; k++) {
    if (!dae_ring_mul(ring, values + i, values + i, values + operand[k])) {
      return false;
    }
  }
  return true;
}

static bool
convert_node(const DaeRing *ring, const DaePlan *plan, uint32_t i, fmpz_mpoly_q_struct *values)
{
  DaeTerms *terms = ring->algebra->terms;
  DaeTerm t = plan->node[i];
  if (is_monomial(terms, t)) {
    return convert_monomial(ring, t, values + i);
  }
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_SUM: {
    bool done = false;
    if (dae_plan_arity(plan, i) == 0) {
      return convert_polynomial(ring, t, values + i, &done) && done;
    }
    return convert_sum(ring, plan, i, values);
  }
  case DAE_KIND_PRODUCT:
    return convert_product(ring, plan, i, values);
  case DAE_KIND_POWER: {
    int64_t n = 0;
    DAE_ASSERT(dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &n));
    return dae_ring_pow(ring, values + i, values + dae_plan_operands(plan, i)[0], n);
  }
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_CALL:
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    break;
  }
  return false;
}

/* Sums of monomials without negative powers, and monomials, are converted in one go. */
static bool
is_conversion_leaf(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_SUM) {
    return is_monomial(terms, t);
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (!is_monomial(terms, operands[i]) || has_negative_power(terms, operands[i])) {
      return false;
    }
  }
  return true;
}

bool
dae_ring_convert(DaeRing *ring, const DaeTerm *roots, size_t n, fmpz_mpoly_q_struct *values)
{
  g_autoptr(DaePlan) plan = dae_plan_new(ring->algebra, roots, n, is_conversion_leaf);
  fmpz_mpoly_q_struct *all = dae_ring_values_new(ring, plan->n);
  double total = 0; /* memory of all intermediate polynomials */
  bool ok = true;
  for (uint32_t i = 0; i < plan->n && ok; i++) {
    ok = !dae_algebra_spent(ring->algebra) && convert_node(ring, plan, i, all);
    total += (double)(numerator_length(ring, all + i) + denominator_length(ring, all + i));
    ok = ok && total <= 20.0 * DAE_LIMIT_TERMS;
  }
  for (size_t k = 0; k < n && ok; k++) {
    fmpz_mpoly_q_set(values + k, all + plan->root[k], ring->ctx);
  }
  dae_ring_values_free(ring, all, plan->n);
  return ok;
}

fmpz_mpoly_q_struct *
dae_ring_values_new(const DaeRing *ring, size_t n)
{
  fmpz_mpoly_q_struct *values = g_new(fmpz_mpoly_q_struct, n + 1);
  for (size_t i = 0; i < n; i++) {
    fmpz_mpoly_q_init(values + i, ring->ctx);
  }
  return values;
}

void
dae_ring_values_free(const DaeRing *ring, fmpz_mpoly_q_struct *values, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    fmpz_mpoly_q_clear(values + i, ring->ctx);
  }
  g_free(values);
}

/* ---- fractions to terms ------------------------------------------------------------------ */

DaeTerm
dae_ring_poly_term(const DaeRing *ring, const fmpz_mpoly_t p)
{
  DaeTerms *terms = ring->algebra->terms;
  slong length = fmpz_mpoly_length(p, ring->ctx);
  g_autofree DaeTerm *summand = g_new(DaeTerm, length + 1);
  g_autofree DaeTerm *factor = g_new(DaeTerm, ring->n + 2);
  g_autofree ulong *exponent = g_new0(ulong, ring->n + 1);
  fmpz_t c;
  fmpz_init(c);
  for (slong i = 0; i < length; i++) {
    fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ring->ctx);
    fmpz_mpoly_get_term_exp_ui(exponent, p, i, ring->ctx);
    size_t n = 0;
    factor[n++] = dae_number_from_fmpz(terms, c);
    for (uint32_t k = 0; k < ring->n; k++) {
      if (exponent[k] > 0) {
        factor[n++] = dae_term_pow_int(terms, ring->kernel[k], (int64_t)exponent[k]);
      }
    }
    summand[i] = dae_term_product(terms, factor, n);
  }
  fmpz_clear(c);
  return dae_term_sum(terms, summand, (size_t)length);
}

DaeTerm
dae_ring_fraction_term(const DaeRing *ring, const fmpz_mpoly_q_t f)
{
  DaeTerm p = dae_ring_poly_term(ring, fmpz_mpoly_q_numref(f));
  DaeTerm q = dae_ring_poly_term(ring, fmpz_mpoly_q_denref(f));
  return dae_term_div(ring->algebra->terms, p, q);
}
