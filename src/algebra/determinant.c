/* Determinants of matrices of terms.
 *
 * Zero or not: the image at one random point, modulo a prime for rational entries, in balls
 * otherwise. The value: numbers by FLINT's rational matrices, polynomials by minors with shared
 * subminors or by Bareiss' fraction-free elimination, whatever is cheaper for the size; beyond
 * the limits as a shared straight-line term. */
#include "algebra/elim.h"

#include <string.h>

#define LIMIT_MINORS 14     /* columns: 2^14 subsets */
#define LIMIT_EXPANDED 1000 /* terms of a determinant that is still written out */

static bool
is_numeric(DaeTerms *terms, const DaeMatrix *matrix)
{
  size_t n = (size_t)matrix->n_rows * matrix->n_columns;
  for (size_t i = 0; i < n; i++) {
    if (!dae_term_is_number(terms, matrix->entries[i])) {
      return false;
    }
  }
  return true;
}

static DaeTerm
determinant_of_numbers(DaeAlgebra *algebra, const DaeMatrix *matrix)
{
  fmpq_mat_t m;
  fmpq_t value;
  fmpq_init(value);
  fmpq_mat_init(m, matrix->n_rows, matrix->n_columns);
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    for (uint32_t j = 0; j < matrix->n_columns; j++) {
      dae_number_get_fmpq(algebra->terms, matrix->entries[(size_t)i * matrix->n_columns + j],
                          fmpq_mat_entry(m, i, j));
    }
  }
  fmpq_mat_det(value, m);
  DaeTerm t = dae_number_from_fmpq(algebra->terms, value);
  fmpq_mat_clear(m);
  fmpq_clear(value);
  return t;
}

/* ---- minors ------------------------------------------------------------------------------ */

/* Minors of the last rows by column sets: M(S) for the last |S| rows, expanded along the first
 * of them. Each is computed once from those with one column less, so n columns cost n * 2^(n-1)
 * products. Empty minors (entry 0) are skipped, which makes sparse matrices cheap. */
typedef struct {
  const DaePolyMatrix *p;
  uint32_t n;
  fmpz_mpoly_struct *minor; /* indexed by column set */
  fmpz_mpoly_struct product;
} Minors;

static bool
expand_minor(Minors *m, uint32_t set, uint32_t size)
{
  const DaeRing *ring = m->p->ring;
  uint32_t row = m->n - size;
  fmpz_mpoly_struct *out = m->minor + set;
  bool negative = false;
  for (uint32_t j = 0; j < m->n; j++) {
    if ((set >> j & 1) == 0) {
      continue;
    }
    const fmpz_mpoly_struct *entry = dae_poly_entry(m->p, row, j);
    const fmpz_mpoly_struct *rest = m->minor + (set & ~(UINT32_C(1) << j));
    if (!fmpz_mpoly_is_zero(entry, ring->ctx) && !fmpz_mpoly_is_zero(rest, ring->ctx)) {
      if ((double)fmpz_mpoly_length(entry, ring->ctx) *
              (double)fmpz_mpoly_length(rest, ring->ctx) >
          10.0 * DAE_LIMIT_TERMS) {
        return false;
      }
      fmpz_mpoly_mul(&m->product, entry, rest, ring->ctx);
      (negative ? fmpz_mpoly_sub : fmpz_mpoly_add)(out, out, &m->product, ring->ctx);
    }
    negative = !negative;
  }
  return dae_ring_reduce(ring, out) && fmpz_mpoly_length(out, ring->ctx) <= DAE_LIMIT_TERMS &&
         !dae_algebra_spent(ring->algebra);
}

static bool
determinant_by_minors(const DaePolyMatrix *p, fmpz_mpoly_t value)
{
  uint32_t n = p->n_rows;
  uint32_t n_sets = UINT32_C(1) << n;
  Minors m = {.p = p, .n = n, .minor = g_new(fmpz_mpoly_struct, n_sets)};
  fmpz_mpoly_init(&m.product, p->ring->ctx);
  for (uint32_t set = 0; set < n_sets; set++) {
    fmpz_mpoly_init(m.minor + set, p->ring->ctx);
  }
  fmpz_mpoly_one(m.minor, p->ring->ctx);
  bool ok = true;
  for (uint32_t size = 1; size <= n && ok; size++) {
    for (uint32_t set = 1; set < n_sets && ok; set++) {
      if ((uint32_t)__builtin_popcount(set) == size) {
        ok = expand_minor(&m, set, size);
      } else if (size >= 2 && (uint32_t)__builtin_popcount(set) == size - 2) {
        fmpz_mpoly_zero(m.minor + set, p->ring->ctx); /* not needed any more */
      }
    }
  }
  fmpz_mpoly_swap(value, m.minor + n_sets - 1, p->ring->ctx);
  for (uint32_t set = 0; set < n_sets; set++) {
    fmpz_mpoly_clear(m.minor + set, p->ring->ctx);
  }
  fmpz_mpoly_clear(&m.product, p->ring->ctx);
  g_free(m.minor);
  return ok;
}

/* ---- Bareiss ----------------------------------------------------------------------------- */

static bool
swap_in_pivot(DaePolyMatrix *p, uint32_t k, bool *negative)
{
  const DaeRing *ring = p->ring;
  uint32_t best = p->n_rows;
  for (uint32_t i = k; i < p->n_rows; i++) {
    const fmpz_mpoly_struct *entry = dae_poly_entry(p, i, k);
    if (!fmpz_mpoly_is_zero(entry, ring->ctx) &&
        (best == p->n_rows || fmpz_mpoly_length(entry, ring->ctx) <
                                  fmpz_mpoly_length(dae_poly_entry(p, best, k), ring->ctx))) {
      best = i;
    }
  }
  if (best == p->n_rows) {
    return false;
  }
  if (best != k) {
    *negative = !*negative;
    for (uint32_t j = 0; j < p->n_columns; j++) {
      fmpz_mpoly_swap(dae_poly_entry(p, k, j), dae_poly_entry(p, best, j), ring->ctx);
    }
  }
  return true;
}

static bool
bareiss_update(DaePolyMatrix *p, uint32_t i, uint32_t j, uint32_t k, fmpz_mpoly_t product)
{
  const DaeRing *ring = p->ring;
  fmpz_mpoly_struct *target = dae_poly_entry(p, i, j);
  const fmpz_mpoly_struct *pivot = dae_poly_entry(p, k, k);
  const fmpz_mpoly_struct *left = dae_poly_entry(p, i, k);
  const fmpz_mpoly_struct *top = dae_poly_entry(p, k, j);
  double work =
      (double)fmpz_mpoly_length(target, ring->ctx) *
          (double)fmpz_mpoly_length(pivot, ring->ctx) +
      (double)fmpz_mpoly_length(left, ring->ctx) * (double)fmpz_mpoly_length(top, ring->ctx);
  if (work > 10.0 * DAE_LIMIT_TERMS || dae_algebra_spent(ring->algebra)) {
    return false;
  }
  fmpz_mpoly_mul(target, target, pivot, ring->ctx);
  fmpz_mpoly_mul(product, left, top, ring->ctx);
  fmpz_mpoly_sub(target, target, product, ring->ctx);
  if (k > 0) {
    DAE_ASSERT(fmpz_mpoly_divides(target, target, dae_poly_entry(p, k - 1, k - 1), ring->ctx));
  }
  return true;
}

/* Only for rings without relations: the exact divisions need unique factorization. */
static bool
determinant_by_bareiss(DaePolyMatrix *p, fmpz_mpoly_t value)
{
  const DaeRing *ring = p->ring;
  uint32_t n = p->n_rows;
  bool negative = false;
  bool ok = true;
  fmpz_mpoly_t product;
  fmpz_mpoly_init(product, ring->ctx);
  fmpz_mpoly_zero(value, ring->ctx);
  bool regular = true;
  for (uint32_t k = 0; k < n && ok && regular; k++) {
    regular = swap_in_pivot(p, k, &negative);
    for (uint32_t i = k + 1; i < n && ok && regular; i++) {
      for (uint32_t j = k + 1; j < n && ok; j++) {
        ok = bareiss_update(p, i, j, k, product);
      }
    }
  }
  if (ok && regular) {
    fmpz_mpoly_set(value, dae_poly_entry(p, n - 1, n - 1), ring->ctx);
    if (negative) {
      fmpz_mpoly_neg(value, value, ring->ctx);
    }
  }
  fmpz_mpoly_clear(product, ring->ctx);
  return ok;
}

/* ---- straight-line terms ----------------------------------------------------------------- */

/* All entries that are not 0 are different atoms: no two products of the
 * expansion have anything to cancel. */
static bool
has_independent_entries(DaeAlgebra *algebra, const DaeMatrix *matrix)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  for (size_t i = 0; i < (size_t)matrix->n_rows * matrix->n_columns; i++) {
    DaeTerm t = matrix->entries[i];
    bool is_fresh_atom =
        dae_term_is_atom(algebra->terms, t) && g_hash_table_add(seen, GUINT_TO_POINTER(t));
    if (!is_fresh_atom && !dae_term_is_zero(algebra->terms, t)) {
      return false;
    }
  }
  return true;
}

/* The product of a minor with an entry, multiplied out if wanted. */
static DaeTerm
multiply_minor(DaeTerms *terms, DaeTerm entry, DaeTerm minor, bool expand)
{
  if (!expand || dae_term_kind(terms, minor) != DAE_KIND_SUM) {
    return dae_term_mul(terms, entry, minor);
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, minor, &n);
  g_autofree DaeTerm *part = g_new(DaeTerm, n);
  for (uint32_t i = 0; i < n; i++) {
    part[i] = dae_term_mul(terms, entry, operands[i]);
  }
  return dae_term_sum(terms, part, n);
}

/* The same recurrence over minors on terms: n * 2^(n-1) shared nodes at
 * most when nothing is expanded. */
static DaeTerm
determinant_by_term_minors(DaeAlgebra *algebra, const DaeMatrix *matrix, bool expand)
{
  DaeTerms *terms = algebra->terms;
  uint32_t n = matrix->n_rows;
  if (n > LIMIT_MINORS) {
    return DAE_NO_TERM;
  }
  uint32_t n_sets = UINT32_C(1) << n;
  g_autofree DaeTerm *minor = g_new(DaeTerm, n_sets);
  minor[0] = dae_term_int(terms, 1);
  g_autofree DaeTerm *summand = g_new(DaeTerm, n + 1);
  for (uint32_t set = 1; set < n_sets; set++) {
    uint32_t row = n - (uint32_t)__builtin_popcount(set);
    uint32_t n_summands = 0;
    bool negative = false;
    if (dae_algebra_spent(algebra)) {
      return DAE_NO_TERM;
    }
    for (uint32_t j = 0; j < n; j++) {
      if ((set >> j & 1) == 0) {
        continue;
      }
      DaeTerm entry = matrix->entries[(size_t)row * n + j];
      DaeTerm part = multiply_minor(terms, entry, minor[set & ~(UINT32_C(1) << j)], expand);
      summand[n_summands++] = negative ? dae_term_neg(terms, part) : part;
      negative = !negative;
    }
    minor[set] = dae_term_sum(terms, summand, n_summands);
  }
  return minor[n_sets - 1];
}

/* ---- the public functions ---------------------------------------------------------------- */

/* det(A) = det(P) / product of the row denominators, which the identity columns of P hold. */
static DaeTerm
divide_by_row_factors(const DaePolyMatrix *p, const fmpz_mpoly_t det)
{
  const DaeRing *ring = p->ring;
  uint32_t n = p->n_rows;
  fmpz_mpoly_q_t value;
  fmpz_mpoly_q_init(value, ring->ctx);
  fmpz_mpoly_set(fmpz_mpoly_q_numref(value), det, ring->ctx);
  fmpz_mpoly_one(fmpz_mpoly_q_denref(value), ring->ctx);
  for (uint32_t i = 0; i < n; i++) {
    fmpz_mpoly_mul(fmpz_mpoly_q_denref(value), fmpz_mpoly_q_denref(value),
                   dae_poly_entry(p, i, n + i), ring->ctx);
  }
  bool affordable = fmpz_mpoly_length(det, ring->ctx) +
                        fmpz_mpoly_length(fmpz_mpoly_q_denref(value), ring->ctx) <=
                    DAE_LIMIT_GCD;
  if (affordable && !fmpz_mpoly_is_one(fmpz_mpoly_q_denref(value), ring->ctx)) {
    fmpz_mpoly_q_canonicalise(value, ring->ctx);
  }
  DaeTerm t = dae_ring_fraction_term(ring, value);
  fmpz_mpoly_q_clear(value, ring->ctx);
  return t;
}

/* n * 2^(n-1) products of shared minors against the products of the expanded form. */
static bool
shared_form_is_shorter(uint32_t n, slong length)
{
  return n <= LIMIT_MINORS && (double)n * (double)(UINT32_C(1) << (n - 1)) < (double)length;
}

static bool
determinant_of_polynomials(DaeAlgebra *algebra, const DaeMatrix *matrix, DaeTerm *result)
{
  g_autoptr(DaePolyMatrix) p = dae_poly_matrix_new(algebra, matrix, DAE_EXTRA_IDENTITY, NULL);
  if (p == NULL) {
    return false;
  }
  fmpz_mpoly_t value;
  fmpz_mpoly_init(value, p->ring->ctx);
  bool ok = false;
  if (matrix->n_rows <= LIMIT_MINORS) {
    ok = determinant_by_minors(p, value);
  } else if (p->ring->n_relations == 0) {
    ok = determinant_by_bareiss(p, value);
  }
  slong length = fmpz_mpoly_length(value, p->ring->ctx);
  if (ok && length > LIMIT_EXPANDED && shared_form_is_shorter(matrix->n_rows, length)) {
    *result = determinant_by_term_minors(algebra, matrix, false);
    ok = *result != DAE_NO_TERM;
  } else if (ok) {
    *result = divide_by_row_factors(p, value);
  }
  fmpz_mpoly_clear(value, p->ring->ctx);
  return ok;
}

DaeTerm
dae_algebra_determinant(DaeAlgebra *algebra, const DaeMatrix *matrix)
{
  DAE_ASSERT(matrix->n_rows == matrix->n_columns);
  if (matrix->n_rows == 0) {
    return dae_term_int(algebra->terms, 1);
  }
  if (is_numeric(algebra->terms, matrix)) {
    return determinant_of_numbers(algebra, matrix);
  }
  if (matrix->n_rows <= LIMIT_MINORS && has_independent_entries(algebra, matrix)) {
    return determinant_by_term_minors(algebra, matrix, matrix->n_rows <= 4);
  }
  DaeTerm result = DAE_NO_TERM;
  if (determinant_of_polynomials(algebra, matrix, &result)) {
    return result;
  }
  return dae_algebra_spent(algebra) ? DAE_NO_TERM
                                    : determinant_by_term_minors(algebra, matrix, false);
}

/* Is the determinant nonzero modulo the prime, at the fixed random point? */
static bool
modular_determinant_is_nonzero(DaeAlgebra *algebra, const DaeMatrix *matrix)
{
  uint32_t n = matrix->n_rows;
  nmod_mat_t image;
  nmod_mat_init(image, n, n, DAE_MODULUS);
  bool nonzero = true;
  for (size_t i = 0; i < (size_t)n * n && nonzero; i++) {
    uint64_t value = 0;
    nonzero = dae_modular_value(algebra, matrix->entries[i], &value) == DAE_MOD_VALUE;
    nmod_mat_entry(image, i / n, i % n) = value;
  }
  nonzero = nonzero && nmod_mat_det(image) != 0;
  nmod_mat_clear(image);
  return nonzero;
}

static bool
ball_determinant_is_nonzero(DaeAlgebra *algebra, const DaeMatrix *matrix, uint32_t n_points,
                            slong precision)
{
  uint32_t n = matrix->n_rows;
  size_t count = (size_t)n * n;
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, matrix->entries, count, NULL);
  arb_mat_t image;
  arb_mat_init(image, n, n);
  arb_ptr values = _arb_vec_init((slong)count);
  arb_t det;
  arb_init(det);
  bool nonzero = false;
  bool is_defined = false;
  uint32_t last = n_points;
  for (uint32_t point = 0; point < last && !nonzero && !dae_algebra_spent(algebra); point++) {
    DaeBallPoint at = {point, precision};
    if (dae_ball_eval(algebra, plan, (uint32_t)count, at, values)) {
      for (size_t i = 0; i < count; i++) {
        arb_set(arb_mat_entry(image, i / n, i % n), values + i);
      }
      arb_mat_det(det, image, precision);
      nonzero = arb_is_finite(det) && !arb_contains_zero(det);
      is_defined = true;
    }
    if (point + 1 == n_points && !nonzero &&
        dae_ball_tries_expected(algebra, plan, is_defined)) {
      point = DAE_EXPECTED_POINT - 1;
      last = DAE_EXPECTED_POINT + DAE_EXPECTED_POINTS;
    }
  }
  arb_clear(det);
  _arb_vec_clear(values, (slong)count);
  arb_mat_clear(image);
  return nonzero;
}

bool
dae_algebra_is_regular(DaeAlgebra *algebra, const DaeMatrix *matrix)
{
  DAE_ASSERT(matrix->n_rows == matrix->n_columns);
  /* elimination widens balls by some bits per row */
  slong precision = 128 + 2 * (slong)matrix->n_rows;
  return matrix->n_rows == 0 || modular_determinant_is_nonzero(algebra, matrix) ||
         ball_determinant_is_nonzero(algebra, matrix, 4, precision);
}

DaeZero
dae_algebra_determinant_is_zero(DaeAlgebra *algebra, const DaeMatrix *matrix)
{
  DAE_ASSERT(matrix->n_rows == matrix->n_columns);
  uint32_t n = matrix->n_rows;
  if (n == 0 || modular_determinant_is_nonzero(algebra, matrix)) {
    return DAE_NONZERO;
  }
  if (n == 1) {
    return dae_algebra_is_zero(algebra, matrix->entries[0]);
  }
  if (is_numeric(algebra->terms, matrix)) {
    DaeTerm value = determinant_of_numbers(algebra, matrix);
    return dae_term_is_zero(algebra->terms, value) ? DAE_ZERO : DAE_NONZERO;
  }
  if (ball_determinant_is_nonzero(algebra, matrix, 4, 128)) {
    return DAE_NONZERO;
  }
  bool certain = false;
  uint32_t rank = dae_algebra_rank(algebra, matrix, &certain);
  if (rank == n) {
    return DAE_NONZERO;
  }
  if (certain) {
    return DAE_ZERO;
  }
  return ball_determinant_is_nonzero(algebra, matrix, 16, 1024) ? DAE_NONZERO : DAE_UNKNOWN;
}
