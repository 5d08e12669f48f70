/* A polynomial as a sum of squares with rational coefficients: p = m^T*G*m with a positive
 * semidefinite Gram matrix G of a list m of monomials [PowersWoermann98]. The entries of G with
 * the same product of monomials add up to a coefficient of p, which leaves some of them free;
 * these are found in floating point (gram.c), rounded, and G = L*D*L^T is computed exactly: pivots
 * that are not negative are the proof, and p = sum d_k*(m_k + sum l_kj*m_j)^2 is what is shown.
 * With 1 as the last monomial its pivot is what p stays above. Not every polynomial without
 * negative values is such a sum (Motzkin's x^4*y^2 + x^2*y^4 - 3*x^2*y^2 + 1 is none), but
 * many become one when they are multiplied by a power of 1 + x^2 + y^2 + ... [Reznick95]. */
#include "algebra/algebra-priv.h"

#include <math.h>

#include "algebra/gram.h"

enum {
  MOST_VARIABLES = 5,
  MOST_DEGREE = 10,
  MOST_LISTED = 80, /* monomials, before those that cannot occur are left out */
  MOST_MONOMIALS = 20,
  MOST_FREE = 60, /* entries of the Gram matrix */
  MOST_TERMS = 100,
  N_SAMPLES = 40,
  MOST_FACTORS = 2 /* 1 + x^2 + y^2 + ..., for polynomials like Motzkin's */
};

typedef struct {
  uint8_t e[MOST_VARIABLES];
} Monomial;

typedef struct { /* an entry of G; those of one product of monomials follow each other */
  uint32_t i, j;
  Monomial product;
  uint32_t base; /* the pair that takes what the others leave */
  int32_t free;  /* number of the unknown; -1: it is the base */
} Pair;

typedef struct {
  const DaeRing *ring;
  const fmpz_mpoly_struct *p;
  uint32_t n_variables;
  slong variable[MOST_VARIABLES];
  Monomial list[MOST_LISTED]; /* the basis, highest degree first */
  uint32_t n;
  GArray *pairs; /* Pair */
  uint32_t n_free;
  fmpq_mat_t g;
} Squares;

/* ---- monomials ----------------------------------------------------------------------------- */

static uint32_t
degree_of(const Squares *s, const Monomial *m)
{
  uint32_t sum = 0;
  for (uint32_t v = 0; v < s->n_variables; v++) {
    sum += m->e[v];
  }
  return sum;
}

static Monomial
product_of(const Squares *s, const Monomial *a, const Monomial *b)
{
  Monomial result = {{0}};
  for (uint32_t v = 0; v < s->n_variables; v++) {
    result.e[v] = (uint8_t)(a->e[v] + b->e[v]);
  }
  return result;
}

static bool
is_same(const Monomial *a, const Monomial *b)
{
  return memcmp(a->e, b->e, MOST_VARIABLES) == 0;
}

static void
coefficient_of(const Squares *s, const Monomial *m, fmpz_t out)
{
  g_autofree ulong *exponents = g_new0(ulong, s->ring->n + 1);
  for (uint32_t v = 0; v < s->n_variables; v++) {
    exponents[s->variable[v]] = m->e[v];
  }
  fmpz_mpoly_get_coeff_fmpz_ui(out, s->p, exponents, s->ring->ctx);
}

static bool
has_coefficient(const Squares *s, const Monomial *m)
{
  fmpz_t c;
  fmpz_init(c);
  coefficient_of(s, m, c);
  bool has = !fmpz_is_zero(c);
  fmpz_clear(c);
  return has;
}

/* Variables of p, and whether their degrees are even and small: what products with 1 + x^2 + y^2
 * + ... do not have where p has not. */
static bool
read_variables(Squares *s)
{
  const fmpz_mpoly_ctx_struct *ctx = s->ring->ctx;
  bool ok = true;
  for (uint32_t x = 0; x < s->ring->n && ok; x++) {
    slong degree = fmpz_mpoly_degree_si(s->p, (slong)x, ctx);
    if (degree > 0) {
      ok = degree % 2 == 0 && s->n_variables < MOST_VARIABLES;
      if (ok) {
        s->variable[s->n_variables++] = (slong)x;
      }
    }
  }
  slong total = ok ? fmpz_mpoly_total_degree_si(s->p, ctx) : 0;
  return total > 0 && total <= MOST_DEGREE && total % 2 == 0;
}

/* A value below 0 at a small integer point, or at the origin no positive one. */
static bool
takes_both_signs(const Squares *s)
{
  const fmpz_mpoly_ctx_struct *ctx = s->ring->ctx;
  uint32_t n = s->ring->n;
  fmpz *values = _fmpz_vec_init((slong)n + 1);
  fmpz **pointers = g_new0(fmpz *, n + 1);
  fmpz_t value;
  fmpz_init(value);
  uint64_t state = 88172645463325252u;
  bool is_negative = false;
  for (uint32_t k = 0; k < N_SAMPLES && !is_negative; k++) {
    for (uint32_t x = 0; x < n; x++) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      fmpz_set_si(values + x, k == 0 ? 0 : (int64_t)(state >> 33) % 9 - 4);
      pointers[x] = values + x;
    }
    is_negative =
        fmpz_mpoly_evaluate_all_fmpz(value, s->p, pointers, ctx) == 0 || fmpz_sgn(value) < 0;
  }
  fmpz_clear(value);
  _fmpz_vec_clear(values, (slong)n + 1);
  g_free(pointers);
  return is_negative;
}

static gint
compare_monomials(gconstpointer a, gconstpointer b)
{
  const Monomial *x = a;
  const Monomial *y = b;
  int difference = 0;
  for (uint32_t v = 0; v < MOST_VARIABLES; v++) {
    difference += y->e[v] - x->e[v];
  }
  return difference != 0 ? difference : memcmp(y->e, x->e, MOST_VARIABLES);
}

/* All monomials with half of the degrees of p. */
static bool
list_monomials(Squares *s)
{
  const fmpz_mpoly_ctx_struct *ctx = s->ring->ctx;
  slong half[MOST_VARIABLES] = {0};
  slong total = fmpz_mpoly_total_degree_si(s->p, ctx) / 2;
  for (uint32_t v = 0; v < s->n_variables; v++) {
    half[v] = fmpz_mpoly_degree_si(s->p, s->variable[v], ctx) / 2;
  }
  Monomial m = {{0}};
  for (bool is_more = true; is_more;) { /* counts up */
    if ((slong)degree_of(s, &m) <= total) {
      if (s->n == MOST_LISTED) {
        return false;
      }
      s->list[s->n++] = m;
    }
    uint32_t v = 0;
    while (v < s->n_variables && m.e[v] == half[v]) {
      m.e[v++] = 0;
    }
    is_more = v < s->n_variables;
    m.e[v < s->n_variables ? v : 0] = (uint8_t)(is_more ? m.e[v] + 1 : 0);
  }
  qsort(s->list, s->n, sizeof(Monomial), compare_monomials);
  return true;
}

/* The square of monomial k is a product of two others. */
static bool
is_between(const Squares *s, uint32_t k)
{
  Monomial square = product_of(s, &s->list[k], &s->list[k]);
  for (uint32_t i = 0; i < s->n; i++) {
    for (uint32_t j = i + 1; j < s->n; j++) {
      Monomial other = product_of(s, &s->list[i], &s->list[j]);
      if (is_same(&square, &other)) {
        return true;
      }
    }
  }
  return false;
}

/* A monomial whose square neither p has nor others make has no place in a square. */
static void
leave_out_monomials(Squares *s)
{
  for (uint32_t k = 0; k < s->n;) {
    Monomial square = product_of(s, &s->list[k], &s->list[k]);
    if (has_coefficient(s, &square) || is_between(s, k)) {
      k++;
      continue;
    }
    s->n--;
    memmove(&s->list[k], &s->list[k + 1], (s->n - k) * sizeof(Monomial));
    k = 0;
  }
}

/* ---- the Gram matrix ----------------------------------------------------------------------- */

static gint
compare_pairs(gconstpointer a, gconstpointer b)
{
  const Pair *x = a;
  const Pair *y = b;
  int order = memcmp(x->product.e, y->product.e, MOST_VARIABLES);
  return order != 0 ? order : x->i != y->i ? (x->i < y->i ? -1 : 1) : (x->j < y->j ? -1 : 1);
}

/* Which entries are free; false: a monomial of p is no product, or there are too many. */
static bool
list_pairs(Squares *s)
{
  for (uint32_t i = 0; i < s->n; i++) {
    for (uint32_t j = i; j < s->n; j++) {
      Pair pair = {i, j, product_of(s, &s->list[i], &s->list[j]), 0, -1};
      g_array_append_val(s->pairs, pair);
    }
  }
  g_array_sort(s->pairs, compare_pairs);
  slong n_used = 0;
  for (uint32_t k = 0; k < s->pairs->len; k++) {
    Pair *pair = &g_array_index(s->pairs, Pair, k);
    Pair *before = k > 0 ? &g_array_index(s->pairs, Pair, k - 1) : NULL;
    bool is_first = before == NULL || !is_same(&before->product, &pair->product);
    pair->base = is_first ? k : before->base;
    pair->free = is_first ? -1 : (int32_t)s->n_free++;
    n_used += is_first && has_coefficient(s, &pair->product);
  }
  return n_used == fmpz_mpoly_length(s->p, s->ring->ctx) && s->n_free <= MOST_FREE;
}

static int
times(const Pair *pair)
{
  return pair->i == pair->j ? 1 : 2;
}

static void
find_free_entries(const Squares *s, double *y)
{
  g_autofree double *constant = g_new0(double, (size_t)s->n * s->n + 1);
  g_autofree DaeGramEntry *entries = g_new0(DaeGramEntry, (size_t)2 * s->n_free + 1);
  uint32_t n_entries = 0;
  fmpz_t c;
  fmpz_init(c);
  for (uint32_t k = 0; k < s->pairs->len; k++) {
    const Pair *pair = &g_array_index(s->pairs, Pair, k);
    if (pair->free < 0) {
      coefficient_of(s, &pair->product, c);
      double value = fmpz_get_d(c) / times(pair);
      constant[pair->i * s->n + pair->j] = value;
      constant[pair->j * s->n + pair->i] = value;
      continue;
    }
    const Pair *base = &g_array_index(s->pairs, Pair, pair->base);
    uint32_t unknown = (uint32_t)pair->free;
    entries[n_entries++] = (DaeGramEntry){unknown, pair->i, pair->j, 1.0};
    entries[n_entries++] =
        (DaeGramEntry){unknown, base->i, base->j, -(double)times(pair) / times(base)};
  }
  fmpz_clear(c);
  DaeGram gram = {s->n, s->n_free, n_entries, constant, entries};
  (void)dae_gram_center(&gram, y);
}

/* G with y rounded to multiples of 1/denominator. */
static void
fill_matrix(Squares *s, const double *y, int64_t denominator)
{
  fmpz_t c;
  fmpq_t share;
  fmpz_init(c);
  fmpq_init(share);
  for (uint32_t k = 0; k < s->pairs->len; k++) {
    const Pair *pair = &g_array_index(s->pairs, Pair, k);
    if (pair->free < 0) { /* before those that it stands for */
      coefficient_of(s, &pair->product, c);
      fmpq_set_fmpz(share, c);
      fmpq_div_2exp(share, share, pair->i == pair->j ? 0 : 1);
      fmpq_set(fmpq_mat_entry(s->g, pair->i, pair->j), share);
      continue;
    }
    const Pair *base = &g_array_index(s->pairs, Pair, pair->base);
    fmpq_set_si(share, (slong)llround(y[pair->free] * (double)denominator), (ulong)denominator);
    fmpq_set(fmpq_mat_entry(s->g, pair->i, pair->j), share);
    fmpq_mul_si(share, share, times(pair));
    fmpq_div_2exp(share, share, base->i == base->j ? 0 : 1);
    fmpq_sub(fmpq_mat_entry(s->g, base->i, base->j), fmpq_mat_entry(s->g, base->i, base->j),
             share);
  }
  fmpz_clear(c);
  fmpq_clear(share);
}

/* The upper triangle becomes L^T (rows) with D on the diagonal. false: a pivot is negative. */
static bool
factorize(Squares *s)
{
  fmpq_t change;
  fmpq_init(change);
  bool ok = true;
  for (uint32_t k = 0; k < s->n && ok; k++) {
    fmpq *d = fmpq_mat_entry(s->g, k, k);
    ok = fmpq_sgn(d) >= 0;
    for (uint32_t i = k + 1; i < s->n && ok; i++) {
      fmpq *l = fmpq_mat_entry(s->g, k, i);
      if (fmpq_is_zero(d)) {
        ok = fmpq_is_zero(l);
        continue;
      }
      fmpq_t first;
      fmpq_init(first);
      fmpq_div(first, l, d);
      for (uint32_t j = i; j < s->n; j++) {
        fmpq_mul(change, first, fmpq_mat_entry(s->g, k, j));
        fmpq_sub(fmpq_mat_entry(s->g, i, j), fmpq_mat_entry(s->g, i, j), change);
      }
      fmpq_clear(first);
    }
    for (uint32_t j = k + 1; j < s->n && ok && !fmpq_is_zero(d); j++) {
      fmpq_div(fmpq_mat_entry(s->g, k, j), fmpq_mat_entry(s->g, k, j), d);
    }
  }
  fmpq_clear(change);
  return ok;
}

/* ---- result -------------------------------------------------------------------------------- */

static DaeTerm
monomial_term(const Squares *s, const Monomial *m)
{
  DaeTerms *terms = s->ring->algebra->terms;
  DaeTerm t = dae_term_int(terms, 1);
  for (uint32_t v = 0; v < s->n_variables; v++) {
    DaeTerm kernel = s->ring->kernel[s->variable[v]];
    t = dae_term_mul(terms, t, dae_term_pow_int(terms, kernel, m->e[v]));
  }
  return t;
}

static DaeTerm
sum_of_squares(const Squares *s)
{
  DaeTerms *terms = s->ring->algebra->terms;
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t k = 0; k < s->n; k++) {
    const fmpq *d = fmpq_mat_entry(s->g, k, k);
    if (fmpq_is_zero(d)) {
      continue;
    }
    DaeTerm inner = monomial_term(s, &s->list[k]);
    for (uint32_t j = k + 1; j < s->n; j++) {
      DaeTerm l = dae_number_from_fmpq(terms, fmpq_mat_entry(s->g, k, j));
      inner = dae_term_add(terms, inner, dae_term_mul(terms, l, monomial_term(s, &s->list[j])));
    }
    DaeTerm square = dae_term_pow_int(terms, inner, 2);
    sum = dae_term_add(terms, sum, dae_term_mul(terms, dae_number_from_fmpq(terms, d), square));
  }
  return sum;
}

DaeTerm
dae_squares_find(const DaeRing *ring, const fmpz_mpoly_t p, bool *strict)
{
  static const int64_t denominators[] = {1, 2, 3, 4, 6, 12, 60, 1024, 1048576};
  Squares s = {.ring = ring, .p = p};
  DaeTerm result = DAE_NO_TERM;
  if (!read_variables(&s) || fmpz_mpoly_length(p, ring->ctx) > MOST_TERMS ||
      takes_both_signs(&s) || !list_monomials(&s)) {
    return result;
  }
  leave_out_monomials(&s);
  if (s.n == 0 || s.n > MOST_MONOMIALS) {
    return result;
  }
  s.pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
  fmpq_mat_init(s.g, (slong)s.n, (slong)s.n);
  if (list_pairs(&s)) {
    g_autofree double *y = g_new0(double, s.n_free + 1);
    if (s.n_free > 0) {
      find_free_entries(&s, y);
    }
    uint32_t n = s.n_free > 0 ? G_N_ELEMENTS(denominators) : 1;
    for (uint32_t k = 0; k < n && result == DAE_NO_TERM; k++) {
      fill_matrix(&s, y, denominators[k]);
      result = factorize(&s) ? sum_of_squares(&s) : DAE_NO_TERM;
    }
    *strict = result != DAE_NO_TERM && degree_of(&s, &s.list[s.n - 1]) == 0 &&
              fmpq_sgn(fmpq_mat_entry(s.g, s.n - 1, s.n - 1)) > 0;
  }
  fmpq_mat_clear(s.g);
  g_array_unref(s.pairs);
  return result;
}

/* p*(1 + x^2 + y^2 + ...) */
static void
multiply_by_squares(const DaeRing *ring, const fmpz_mpoly_t p, fmpz_mpoly_t out)
{
  fmpz_mpoly_t factor;
  fmpz_mpoly_t square;
  fmpz_mpoly_init(factor, ring->ctx);
  fmpz_mpoly_init(square, ring->ctx);
  fmpz_mpoly_one(factor, ring->ctx);
  for (uint32_t x = 0; x < ring->n; x++) {
    if (fmpz_mpoly_degree_si(p, (slong)x, ring->ctx) > 0) {
      fmpz_mpoly_gen(square, (slong)x, ring->ctx);
      fmpz_mpoly_mul(square, square, square, ring->ctx);
      fmpz_mpoly_add(factor, factor, square, ring->ctx);
    }
  }
  fmpz_mpoly_mul(out, p, factor, ring->ctx);
  fmpz_mpoly_clear(square, ring->ctx);
  fmpz_mpoly_clear(factor, ring->ctx);
}

/* Nothing of p tells that no product with 1 + x^2 + y^2 + ... is a sum of squares. */
static bool
is_worth_factors(const DaeRing *ring, const fmpz_mpoly_t p)
{
  Squares s = {.ring = ring, .p = p};
  return read_variables(&s) && !takes_both_signs(&s);
}

bool
dae_squares_prove(const DaeRing *ring, const fmpz_mpoly_t p, bool *strict)
{
  if (dae_squares_find(ring, p, strict) != DAE_NO_TERM) {
    return true;
  }
  bool is_proved = false;
  fmpz_mpoly_t product;
  fmpz_mpoly_init(product, ring->ctx);
  fmpz_mpoly_set(product, p, ring->ctx);
  uint32_t n = is_worth_factors(ring, p) ? MOST_FACTORS : 0;
  for (uint32_t k = 0; k < n && !is_proved; k++) {
    multiply_by_squares(ring, product, product);
    is_proved = dae_squares_find(ring, product, strict) != DAE_NO_TERM;
  }
  fmpz_mpoly_clear(product, ring->ctx);
  return is_proved;
}
