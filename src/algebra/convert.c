/* Terms to fractions of polynomials, with limits that keep every FLINT call short. */
#include "algebra/algebra-priv.h"

#include <math.h>

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

bool
dae_ring_add(const DaeRing *ring, fmpz_mpoly_q_t r, const fmpz_mpoly_q_t a,
             const fmpz_mpoly_q_t b)
{
  slong na = numerator_length(ring, a);
  slong nb = numerator_length(ring, b);
  if (!product_is_affordable(na, denominator_length(ring, b)) ||
      !product_is_affordable(nb, denominator_length(ring, a)) ||
      !cancelling_is_affordable(ring, a, b) || na + nb > 2 * DAE_LIMIT_TERMS) {
    return false;
  }
  fmpz_mpoly_q_add(r, a, b, ring->ctx);
  return true;
}

static bool
finish_product(const DaeRing *ring, fmpz_mpoly_q_t r)
{
  dae_ring_reduce_fraction(ring, r);
  return !fmpz_mpoly_is_zero(fmpz_mpoly_q_denref(r), ring->ctx) &&
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
  fmpz_mpoly_q_mul(r, a, b, ring->ctx);
  return finish_product(ring, r);
}

bool
dae_ring_div(const DaeRing *ring, fmpz_mpoly_q_t r, const fmpz_mpoly_q_t a,
             const fmpz_mpoly_q_t b)
{
  if (fmpz_mpoly_q_is_zero(b, ring->ctx) ||
      !product_is_affordable(numerator_length(ring, a), denominator_length(ring, b)) ||
      !product_is_affordable(denominator_length(ring, a), numerator_length(ring, b)) ||
      numerator_length(ring, a) + denominator_length(ring, a) + numerator_length(ring, b) +
              denominator_length(ring, b) >
          DAE_LIMIT_GCD) {
    return false;
  }
  fmpz_mpoly_q_div(r, a, b, ring->ctx);
  return finish_product(ring, r);
}

/* Upper bound of the number of terms of p^n: multinomial, and by the degrees; and of the bits of one coefficient. */
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

/* ---- terms to fractions --------------------------------------------------------------------- */

/* A tournament: long sums cost O(length * log), not O(length^2). */
static bool
convert_sum(const DaeRing *ring, const DaePlan *plan, uint32_t i, fmpz_mpoly_q_struct *values)
{
  const uint32_t *operand = dae_plan_operands(plan, i);
  uint32_t n = dae_plan_arity(plan, i);
  fmpz_mpoly_q_struct *part = dae_ring_values_new(ring, n);
  for (uint32_t k = 0; k < n; k++) {
    fmpz_mpoly_q_set(part + k, values + operand[k], ring->ctx);
  }
  bool ok = true;
  for (uint32_t gap = 1; gap < n && ok; gap *= 2) {
    for (uint32_t k = 0; k + gap < n && ok; k += 2 * gap) {
      ok = dae_ring_add(ring, part + k, part + k, part + k + gap);
    }
  }
  fmpz_mpoly_q_swap(values + i, part, ring->ctx);
  dae_ring_values_free(ring, part, n);
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
convert_leaf(const DaeRing *ring, DaeTerm t, fmpz_mpoly_q_t value)
{
  DaeTerms *terms = ring->algebra->terms;
  int64_t power = 1;
  DaeTerm kernel = dae_ring_kernel_of(terms, t, &power);
  if (dae_term_is_number(terms, kernel)) {
    fmpq_t q;
    fmpq_init(q);
    dae_number_get_fmpq(terms, kernel, q);
    fmpz_mpoly_q_set_fmpq(value, q, ring->ctx);
    fmpq_clear(q);
  } else {
    uint32_t index = 0;
    DAE_ASSERT(dae_ring_find(ring, kernel, &index));
    fmpz_mpoly_q_gen(value, index, ring->ctx);
  }
  return power == 1 || dae_ring_pow(ring, value, value, power);
}

static bool
convert_node(const DaeRing *ring, const DaePlan *plan, uint32_t i, fmpz_mpoly_q_struct *values)
{
  DaeTerms *terms = ring->algebra->terms;
  DaeTerm t = plan->node[i];
  if (dae_ring_is_leaf(terms, t)) {
    return convert_leaf(ring, t, values + i);
  }
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_SUM:
    return convert_sum(ring, plan, i, values);
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

bool
dae_ring_convert(DaeRing *ring, const DaeTerm *roots, size_t n, fmpz_mpoly_q_struct *values)
{
  g_autoptr(DaePlan) plan = dae_plan_new(ring->algebra, roots, n, dae_ring_is_leaf);
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

/* ---- fractions to terms ------------------------------------------------------------------------ */

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

bool
dae_ring_factor(const DaeRing *ring, fmpz_mpoly_factor_t f, const fmpz_mpoly_t p)
{
  if (fmpz_mpoly_length(p, ring->ctx) > DAE_LIMIT_GCD / 4 || fmpz_mpoly_is_zero(p, ring->ctx) ||
      dae_algebra_spent(ring->algebra)) {
    return false;
  }
  fmpz_mpoly_factor_init(f, ring->ctx);
  if (fmpz_mpoly_factor(f, p, ring->ctx)) {
    fmpz_mpoly_factor_sort(f, ring->ctx);
    return true;
  }
  fmpz_mpoly_factor_clear(f, ring->ctx);
  return false;
}
