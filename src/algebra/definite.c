/* Terms that are nonnegative (positive) whatever real values their atoms have, proved with exact
 * arithmetic: the polynomial is factored, and of each factor that occurs an odd number of times
 *   - a*x^2 + b*x + c is nonnegative where a, c and 4*a*c - b^2 are (for quadratic forms this is
 *     the decomposition L*D*L^T, a sum of squares), positive where 4*a*c - b^2 is positive;
 *   - a*sqrt(r) + b is nonnegative where a and a^2*r - b^2 are;
 *   - a polynomial in x >= 0 (exp, roots, squares) is nonnegative where its coefficients are;
 *   - one that is linear or concave in sin or cos is where it is so at -1 and 1;
 *   - one in x alone is positive where Sturm finds no real zero;
 *   - a sum of squares of polynomials is nonnegative (squares.c).
 * Coefficients are polynomials in the other kernels: the same questions again. What these rules do
 * not show stays open; the work is counted. */
#include "algebra/algebra-priv.h"

enum { MOST_QUESTIONS = 300, MOST_TERMS = 200, MOST_DEGREE = 24 };

typedef enum { KERNEL_ANY, KERNEL_NONNEGATIVE, KERNEL_POSITIVE, KERNEL_UNIT } KernelKind;

typedef struct {
  const DaeRing *ring;
  KernelKind *kind;
  uint32_t questions;
} Proof;

static DaeRange range_of_polynomial(Proof *proof, const fmpz_mpoly_t p);

static DaeRange
upward(bool strict)
{
  return strict ? DAE_RANGE_POSITIVE : DAE_RANGE_NONNEGATIVE;
}

static bool
is_up(DaeRange r)
{
  return r == DAE_RANGE_POSITIVE || r == DAE_RANGE_NONNEGATIVE;
}

static DaeRange
opposite(DaeRange r)
{
  switch (r) {
  case DAE_RANGE_POSITIVE:
    return DAE_RANGE_NEGATIVE;
  case DAE_RANGE_NONNEGATIVE:
    return DAE_RANGE_NONPOSITIVE;
  case DAE_RANGE_NEGATIVE:
    return DAE_RANGE_POSITIVE;
  case DAE_RANGE_NONPOSITIVE:
    return DAE_RANGE_NONNEGATIVE;
  case DAE_RANGE_ANY:
    break;
  }
  return DAE_RANGE_ANY;
}

/* Range of the coefficient of x^e. */
static DaeRange
range_of_coefficient(Proof *proof, const fmpz_mpoly_t p, slong x, ulong e)
{
  const fmpz_mpoly_ctx_struct *ctx = proof->ring->ctx;
  fmpz_mpoly_t c;
  fmpz_mpoly_init(c, ctx);
  fmpz_mpoly_get_coeff_vars_ui(c, p, &x, &e, 1, ctx);
  DaeRange range = range_of_polynomial(proof, c);
  fmpz_mpoly_clear(c, ctx);
  return range;
}

static bool
has_only_even_powers(const Proof *proof, const fmpz_mpoly_t p, slong x, slong degree)
{
  const fmpz_mpoly_ctx_struct *ctx = proof->ring->ctx;
  bool even = degree % 2 == 0;
  fmpz_mpoly_t c;
  fmpz_mpoly_init(c, ctx);
  for (ulong e = 1; even && e < (ulong)degree; e += 2) {
    fmpz_mpoly_get_coeff_vars_ui(c, p, &x, &e, 1, ctx);
    even = fmpz_mpoly_is_zero(c, ctx) != 0;
  }
  fmpz_mpoly_clear(c, ctx);
  return even;
}

/* All coefficients of a polynomial in x >= 0 (or in x^2) are nonnegative. */
static DaeRange
by_coefficients(Proof *proof, const fmpz_mpoly_t p, slong x, slong degree, slong step)
{
  bool strict = false;
  for (slong e = 0; e <= degree; e += step) {
    DaeRange range = range_of_coefficient(proof, p, x, (ulong)e);
    if (!is_up(range)) {
      return DAE_RANGE_ANY;
    }
    strict |= range == DAE_RANGE_POSITIVE && (e == 0 || proof->kind[x] == KERNEL_POSITIVE);
  }
  return upward(strict);
}

/* a*X^2 + b*X + c with X = x^step. */
static DaeRange
by_discriminant(Proof *proof, const fmpz_mpoly_t p, slong x, slong step)
{
  const fmpz_mpoly_ctx_struct *ctx = proof->ring->ctx;
  fmpz_mpoly_t c[3];
  DaeRange result = DAE_RANGE_ANY;
  for (ulong i = 0; i < 3; i++) {
    ulong e = i * (ulong)step;
    fmpz_mpoly_init(c[i], ctx);
    fmpz_mpoly_get_coeff_vars_ui(c[i], p, &x, &e, 1, ctx);
  }
  DaeRange leading = range_of_polynomial(proof, c[2]);
  if (is_up(leading)) {
    fmpz_mpoly_t d;
    fmpz_mpoly_init(d, ctx);
    fmpz_mpoly_mul(d, c[2], c[0], ctx);
    fmpz_mpoly_scalar_mul_ui(d, d, 4, ctx);
    fmpz_mpoly_mul(c[1], c[1], c[1], ctx);
    fmpz_mpoly_sub(d, d, c[1], ctx);
    DaeRange range = range_of_polynomial(proof, d);
    bool is_safe = leading == DAE_RANGE_POSITIVE || range == DAE_RANGE_POSITIVE;
    if (is_up(range) && (is_safe || is_up(range_of_polynomial(proof, c[0])))) {
      result = upward(range == DAE_RANGE_POSITIVE);
    }
    fmpz_mpoly_clear(d, ctx);
  }
  for (int i = 0; i < 3; i++) {
    fmpz_mpoly_clear(c[i], ctx);
  }
  return result;
}

/* Linear or concave in x, which stays in [-1, 1]. */
static DaeRange
at_ends(Proof *proof, const fmpz_mpoly_t p, slong x)
{
  const fmpz_mpoly_ctx_struct *ctx = proof->ring->ctx;
  bool strict = true;
  bool up = true;
  fmpz_t end;
  fmpz_mpoly_t value;
  fmpz_init(end);
  fmpz_mpoly_init(value, ctx);
  for (slong k = -1; k <= 1 && up; k += 2) {
    fmpz_set_si(end, k);
    up = fmpz_mpoly_evaluate_one_fmpz(value, p, x, end, ctx) != 0;
    DaeRange range = up ? range_of_polynomial(proof, value) : DAE_RANGE_ANY;
    up = is_up(range);
    strict &= range == DAE_RANGE_POSITIVE;
  }
  fmpz_clear(end);
  fmpz_mpoly_clear(value, ctx);
  return up ? upward(strict) : DAE_RANGE_ANY;
}

/* a*x + b with x = sqrt(r): nonnegative where a and a^2*r - b^2 are, since a*x is then |b|
 * or more. */
static DaeRange
by_square(Proof *proof, const fmpz_mpoly_t p, slong x)
{
  const DaeRing *ring = proof->ring;
  const fmpz_mpoly_ctx_struct *ctx = ring->ctx;
  DaeRange result = DAE_RANGE_ANY;
  for (uint32_t k = 0; k < ring->n_relations; k++) {
    if (ring->relation_kernel[k] != (uint32_t)x || ring->relation_degree[k] != 2 ||
        !is_up(range_of_coefficient(proof, p, x, 1))) {
      continue;
    }
    fmpz_mpoly_t a;
    fmpz_mpoly_t b;
    fmpz_mpoly_init(a, ctx);
    fmpz_mpoly_init(b, ctx);
    fmpz_mpoly_get_coeff_vars_ui(a, p, &x, &(ulong){1}, 1, ctx);
    fmpz_mpoly_get_coeff_vars_ui(b, p, &x, &(ulong){0}, 1, ctx);
    fmpz_mpoly_mul(a, a, a, ctx);
    fmpz_mpoly_mul(a, a, ring->relation_value + k, ctx);
    fmpz_mpoly_mul(b, b, b, ctx);
    fmpz_mpoly_sub(a, a, b, ctx);
    /* a may hold roots itself: sqrt(3)^2 is 3 */
    bool ok = dae_ring_reduce(ring, a);
    DaeRange range = ok ? range_of_polynomial(proof, a) : DAE_RANGE_ANY;
    result = is_up(range) ? upward(range == DAE_RANGE_POSITIVE) : result;
    fmpz_mpoly_clear(a, ctx);
    fmpz_mpoly_clear(b, ctx);
  }
  return result;
}

/* A polynomial in x alone. */
static DaeRange
by_sturm(const Proof *proof, const fmpz_mpoly_t p, slong x)
{
  const fmpz_mpoly_ctx_struct *ctx = proof->ring->ctx;
  DaeRange result = DAE_RANGE_ANY;
  if (!fmpz_mpoly_is_fmpz_poly(p, x, ctx)) {
    return result;
  }
  fmpz_poly_t univariate;
  fmpz_poly_init(univariate);
  if (fmpz_mpoly_get_fmpz_poly(univariate, p, x, ctx) != 0 &&
      fmpz_poly_num_real_roots(univariate) == 0 &&
      fmpz_sgn(fmpz_poly_get_coeff_ptr(univariate, 0)) > 0) {
    result = DAE_RANGE_POSITIVE;
  }
  fmpz_poly_clear(univariate);
  return result;
}

/* Is p (irreducible) nonnegative, by the rules for kernel x? */
static DaeRange
by_kernel(Proof *proof, const fmpz_mpoly_t p, slong x)
{
  slong degree = fmpz_mpoly_degree_si(p, x, proof->ring->ctx);
  KernelKind kind = proof->kind[x];
  DaeRange result = DAE_RANGE_ANY;
  bool is_even = has_only_even_powers(proof, p, x, degree);
  if (kind == KERNEL_UNIT &&
      (degree == 1 || (degree == 2 && is_up(opposite(range_of_coefficient(proof, p, x, 2)))))) {
    return at_ends(proof, p, x);
  }
  if (is_even || kind == KERNEL_NONNEGATIVE || kind == KERNEL_POSITIVE) {
    result = by_coefficients(proof, p, x, degree, is_even ? 2 : 1);
    bool is_root = result == DAE_RANGE_ANY && degree == 1 && kind != KERNEL_ANY;
    result = is_root ? by_square(proof, p, x) : result;
  }
  if (result == DAE_RANGE_ANY && degree == 2) {
    result = by_discriminant(proof, p, x, 1);
  }
  if (result == DAE_RANGE_ANY && degree == 4 && is_even) {
    result = by_discriminant(proof, p, x, 2);
  }
  return result != DAE_RANGE_ANY || degree % 2 != 0 ? result : by_sturm(proof, p, x);
}

static DaeRange
by_squares(const Proof *proof, const fmpz_mpoly_t p)
{
  bool strict = false;
  return dae_squares_prove(proof->ring, p, &strict) ? upward(strict) : DAE_RANGE_ANY;
}

static DaeRange
range_of_factor(Proof *proof, const fmpz_mpoly_t p)
{
  const fmpz_mpoly_ctx_struct *ctx = proof->ring->ctx;
  DaeRange result = DAE_RANGE_ANY;
  fmpz_mpoly_t negated;
  fmpz_mpoly_init(negated, ctx);
  fmpz_mpoly_neg(negated, p, ctx);
  for (uint32_t x = 0; x < proof->ring->n && result == DAE_RANGE_ANY; x++) {
    if (fmpz_mpoly_degree_si(p, (slong)x, ctx) <= 0) {
      continue;
    }
    result = by_kernel(proof, p, (slong)x);
    if (result == DAE_RANGE_ANY) {
      result = opposite(by_kernel(proof, negated, (slong)x));
    }
    if (result == DAE_RANGE_ANY && proof->kind[x] == KERNEL_ANY &&
        fmpz_mpoly_degree_si(p, (slong)x, ctx) % 2 != 0) {
      break; /* it takes both signs, unless its leading coefficient vanishes everywhere */
    }
  }
  result = result == DAE_RANGE_ANY ? by_squares(proof, p) : result;
  result = result == DAE_RANGE_ANY ? opposite(by_squares(proof, negated)) : result;
  fmpz_mpoly_clear(negated, ctx);
  return result;
}

static DaeRange
range_of_polynomial(Proof *proof, const fmpz_mpoly_t p)
{
  const fmpz_mpoly_ctx_struct *ctx = proof->ring->ctx;
  if (fmpz_mpoly_is_zero(p, ctx)) {
    return DAE_RANGE_NONNEGATIVE;
  }
  if (fmpz_mpoly_is_fmpz(p, ctx)) {
    return fmpz_sgn(p->coeffs) > 0 ? DAE_RANGE_POSITIVE : DAE_RANGE_NEGATIVE;
  }
  if (++proof->questions > MOST_QUESTIONS || fmpz_mpoly_length(p, ctx) > MOST_TERMS ||
      fmpz_mpoly_total_degree_si(p, ctx) > MOST_DEGREE) {
    return DAE_RANGE_ANY;
  }
  fmpz_mpoly_factor_t f;
  if (!dae_ring_factor(proof->ring, f, p)) {
    return DAE_RANGE_ANY;
  }
  bool negative = fmpz_sgn(f->constant) < 0;
  bool strict = true;
  bool known = true;
  for (slong i = 0; i < f->num && known; i++) {
    bool is_even = fmpz_is_even(f->exp + i) != 0;
    DaeRange range = range_of_factor(proof, f->poly + i);
    known = is_even || range != DAE_RANGE_ANY;
    strict &= range == DAE_RANGE_POSITIVE || range == DAE_RANGE_NEGATIVE;
    negative ^= !is_even && !is_up(range);
  }
  fmpz_mpoly_factor_clear(f, ctx);
  return !known ? DAE_RANGE_ANY : negative ? opposite(upward(strict)) : upward(strict);
}

static KernelKind
kind_of_kernel(DaeAlgebra *algebra, DaeTerm kernel)
{
  DaeTerms *terms = algebra->terms;
  if (dae_term_kind(terms, kernel) == DAE_KIND_CALL) {
    const DaeFunctionFacts *facts = dae_function_facts(dae_term_function(terms, kernel));
    if (facts->has_range && facts->low == -1.0 && facts->high == 1.0) {
      return KERNEL_UNIT;
    }
  }
  DaeRange range = dae_sign_range(algebra, kernel);
  return range == DAE_RANGE_POSITIVE      ? KERNEL_POSITIVE
         : range == DAE_RANGE_NONNEGATIVE ? KERNEL_NONNEGATIVE
                                          : KERNEL_ANY;
}

/* p/q has the sign of p*q wherever it is defined. */
static DaeRange
range_in_ring(DaeAlgebra *algebra, DaeTerm t)
{
  g_autoptr(DaeRing) ring = dae_ring_new(algebra, &t, 1);
  DaeRange range = DAE_RANGE_ANY;
  if (ring == NULL) {
    return range;
  }
  double before = dae_work_begin(algebra, DAE_WORK_NORMAL);
  fmpz_mpoly_q_t value;
  fmpz_mpoly_q_init(value, ring->ctx);
  if (dae_ring_convert(ring, &t, 1, value) &&
      fmpz_mpoly_length(fmpz_mpoly_q_numref(value), ring->ctx) <= MOST_TERMS &&
      fmpz_mpoly_length(fmpz_mpoly_q_denref(value), ring->ctx) <= MOST_TERMS) {
    g_autofree KernelKind *kind = g_new0(KernelKind, ring->n + 1);
    for (uint32_t x = 0; x < ring->n; x++) {
      kind[x] = kind_of_kernel(algebra, ring->kernel[x]);
    }
    Proof proof = {.ring = ring, .kind = kind};
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, ring->ctx);
    fmpz_mpoly_mul(p, fmpz_mpoly_q_numref(value), fmpz_mpoly_q_denref(value), ring->ctx);
    range = range_of_polynomial(&proof, p);
    fmpz_mpoly_clear(p, ring->ctx);
  }
  fmpz_mpoly_q_clear(value, ring->ctx);
  dae_work_end(algebra, before);
  return range;
}

int
dae_algebra_definite(DaeAlgebra *algebra, DaeTerm t, bool *strict)
{
  if (dae_trial_takes_both_signs(algebra->terms, t)) {
    *strict = false;
    return 0;
  }
  DaeRange range = dae_sign_range(algebra, t);
  if (range != DAE_RANGE_POSITIVE && range != DAE_RANGE_NEGATIVE) {
    DaeRange better = range_in_ring(algebra, dae_algebra_rewrite(algebra, t));
    range = better != DAE_RANGE_ANY ? better : range;
  }
  *strict = range == DAE_RANGE_POSITIVE || range == DAE_RANGE_NEGATIVE;
  return range == DAE_RANGE_ANY ? 0 : is_up(range) ? 1 : -1;
}

/* Has the node a value wherever its operands have one? */
static bool
node_is_total(DaeAlgebra *algebra, DaeTerm t)
{
  const DaeTerms *terms = algebra->terms;
  if (dae_term_kind(terms, t) == DAE_KIND_CALL) {
    return dae_function_facts(dae_term_function(terms, t))->domain == DAE_DOMAIN_ALL;
  }
  if (dae_term_kind(terms, t) != DAE_KIND_POWER) {
    return true;
  }
  int64_t whole = 0;
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  bool is_whole = dae_term_get_int64(terms, exponent, &whole);
  if (is_whole && whole >= 0) {
    return true;
  }
  bool strict = false;
  bool is_number = dae_term_is_number(terms, exponent);
  int sign = dae_algebra_definite(algebra, dae_term_operand(terms, t, 0), &strict);
  bool is_safe_at_0 = strict || (is_number && dae_term_sign(terms, exponent) > 0);
  return is_safe_at_0 && (is_whole || sign > 0);
}

/* What may have no value occurs in `to` as well. */
bool
dae_algebra_keeps_domain(DaeAlgebra *algebra, DaeTerm from, DaeTerm to)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(algebra->terms, from);
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    if (!node_is_total(algebra, t) && !dae_term_contains(algebra->terms, to, t)) {
      return false;
    }
    dae_visit_enter(visit, t);
  }
  return true;
}

bool
dae_algebra_is_total(DaeAlgebra *algebra, DaeTerm t)
{
  return dae_algebra_keeps_domain(algebra, t, dae_term_int(algebra->terms, 0));
}

DaeTerm
dae_algebra_squares(DaeAlgebra *algebra, DaeTerm t)
{
  g_autoptr(DaeRing) ring = dae_ring_new(algebra, &t, 1);
  DaeTerm result = DAE_NO_TERM;
  if (ring == NULL) {
    return result;
  }
  double before = dae_work_begin(algebra, DAE_WORK_NORMAL);
  fmpz_mpoly_q_t value;
  fmpz_mpoly_q_init(value, ring->ctx);
  if (dae_ring_convert(ring, &t, 1, value) &&
      fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(value), ring->ctx)) {
    DaeTerms *terms = algebra->terms;
    DaeTerm below = dae_ring_poly_term(ring, fmpz_mpoly_q_denref(value));
    fmpz_mpoly_struct *p = fmpz_mpoly_q_numref(value);
    for (int sign = 1; sign >= -1 && result == DAE_NO_TERM; sign -= 2) {
      bool strict = false;
      DaeTerm squares = dae_squares_find(ring, p, &strict);
      if (squares != DAE_NO_TERM && strict) {
        squares = sign < 0 ? dae_term_neg(terms, squares) : squares;
        result = dae_term_div(terms, squares, below);
      }
      fmpz_mpoly_neg(p, p, ring->ctx);
    }
  }
  fmpz_mpoly_q_clear(value, ring->ctx);
  dae_work_end(algebra, before);
  return result;
}
