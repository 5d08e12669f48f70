/* Fraction-free Gaussian elimination with primitive rows.
 *
 * A row operation is row_i := (p/g) row_i - (a/g) row_k with g = gcd(p, a), followed by
 * division by the common factor of the row. Unlike Bareiss' exact division this also works
 * where kernels have algebraic relations. Pivots are taken by cheapness: numbers first, then
 * short polynomials, then little fill (Markowitz), ties to the smallest row and column. A
 * polynomial over atoms that is not 0 is proved nonzero; over other kernels there may be
 * relations the ring does not know, so the zero test decides. */
#include "algebra/elim.h"

#include <string.h>

#define LIMIT_ENTRIES 4000000
#define LIMIT_WORK 3e7     /* terms multiplied: some seconds */
#define LIMIT_CONTENT 2000 /* length of polynomials whose common factor is looked for */
#define GCD_WEIGHT 200.0   /* work of a GCD per term, roughly */

/* ---- construction -------------------------------------------------------------------------- */

static DaePolyMatrix *
poly_matrix_alloc(DaeRing *ring, uint32_t n_rows, uint32_t n_columns)
{
  DaePolyMatrix *p = g_new0(DaePolyMatrix, 1);
  p->ring = ring;
  p->n_rows = n_rows;
  p->n_columns = n_columns;
  size_t n = (size_t)n_rows * n_columns;
  p->entry = g_new(fmpz_mpoly_struct, n + 1);
  for (size_t i = 0; i < n; i++) {
    fmpz_mpoly_init(p->entry + i, ring->ctx);
  }
  return p;
}

void
dae_poly_matrix_free(DaePolyMatrix *p)
{
  if (p == NULL) {
    return;
  }
  size_t n = (size_t)p->n_rows * p->n_columns;
  for (size_t i = 0; i < n; i++) {
    fmpz_mpoly_clear(p->entry + i, p->ring->ctx);
  }
  g_free(p->entry);
  dae_ring_free(p->ring);
  g_free(p);
}

static bool
lcm_of_denominators(const DaeRing *ring, const fmpz_mpoly_q_struct *row, uint32_t n,
                    fmpz_mpoly_t lcm)
{
  fmpz_mpoly_t gcd;
  fmpz_mpoly_init(gcd, ring->ctx);
  fmpz_mpoly_one(lcm, ring->ctx);
  bool ok = true;
  for (uint32_t j = 0; j < n && ok; j++) {
    const fmpz_mpoly_struct *d = fmpz_mpoly_q_denref(row + j);
    if (fmpz_mpoly_is_one(d, ring->ctx)) {
      continue;
    }
    ok = fmpz_mpoly_length(lcm, ring->ctx) * fmpz_mpoly_length(d, ring->ctx) <=
             DAE_LIMIT_TERMS &&
         fmpz_mpoly_gcd(gcd, lcm, d, ring->ctx) != 0;
    if (ok) {
      fmpz_mpoly_div(gcd, d, gcd, ring->ctx);
      fmpz_mpoly_mul(lcm, lcm, gcd, ring->ctx);
    }
  }
  fmpz_mpoly_clear(gcd, ring->ctx);
  return ok;
}

/* Row i of p from one row of fractions, times their common denominator. */
static bool
clear_row(DaePolyMatrix *p, uint32_t i, const fmpz_mpoly_q_struct *row, uint32_t n,
          bool identity)
{
  const DaeRing *ring = p->ring;
  fmpz_mpoly_t lcm;
  fmpz_mpoly_init(lcm, ring->ctx);
  bool ok = lcm_of_denominators(ring, row, n, lcm);
  for (uint32_t j = 0; j < n && ok; j++) {
    fmpz_mpoly_struct *out = dae_poly_entry(p, i, j);
    const fmpz_mpoly_struct *numerator = fmpz_mpoly_q_numref(row + j);
    if (fmpz_mpoly_is_zero(numerator, ring->ctx)) {
      continue;
    }
    ok = (double)fmpz_mpoly_length(numerator, ring->ctx) *
             (double)fmpz_mpoly_length(lcm, ring->ctx) <=
         20.0 * DAE_LIMIT_TERMS;
    if (ok) {
      fmpz_mpoly_div(out, lcm, fmpz_mpoly_q_denref(row + j), ring->ctx);
      fmpz_mpoly_mul(out, out, numerator, ring->ctx);
      ok = dae_ring_reduce(ring, out);
    }
  }
  if (ok && identity) {
    fmpz_mpoly_swap(dae_poly_entry(p, i, n + i), lcm, ring->ctx);
  }
  fmpz_mpoly_clear(lcm, ring->ctx);
  return ok;
}

/* The terms of [matrix | column], row by row. */
static DaeTerm *
join_column(const DaeMatrix *matrix, const DaeTerm *column, uint32_t width)
{
  DaeTerm *all = g_new(DaeTerm, (size_t)matrix->n_rows * width + 1);
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    DaeTerm *row = all + (size_t)i * width;
    memcpy(row, matrix->entries + (size_t)i * matrix->n_columns,
           matrix->n_columns * sizeof(DaeTerm));
    if (column != NULL) {
      row[matrix->n_columns] = column[i];
    }
  }
  return all;
}

DaePolyMatrix *
dae_poly_matrix_new(DaeAlgebra *algebra, const DaeMatrix *matrix, DaeExtra extra,
                    const DaeTerm *column)
{
  uint32_t width = matrix->n_columns + (extra == DAE_EXTRA_COLUMN);
  uint32_t n_columns = extra == DAE_EXTRA_IDENTITY ? width + matrix->n_rows : width;
  size_t n = (size_t)matrix->n_rows * width;
  if ((double)matrix->n_rows * n_columns > LIMIT_ENTRIES) {
    return NULL;
  }
  g_autofree DaeTerm *all =
      join_column(matrix, extra == DAE_EXTRA_COLUMN ? column : NULL, width);
  DaeRing *ring = dae_ring_new(algebra, all, n);
  if (ring == NULL) {
    return NULL;
  }
  g_autoptr(DaePolyMatrix) p = poly_matrix_alloc(ring, matrix->n_rows, n_columns);
  fmpz_mpoly_q_struct *values = dae_ring_values_new(ring, n);
  bool ok = dae_ring_convert(ring, all, n, values);
  for (uint32_t i = 0; i < matrix->n_rows && ok; i++) {
    ok = !dae_algebra_spent(algebra) &&
         clear_row(p, i, values + (size_t)i * width, width, extra == DAE_EXTRA_IDENTITY);
  }
  dae_ring_values_free(ring, values, n);
  return ok ? g_steal_pointer(&p) : NULL;
}

/* ---- pivots ------------------------------------------------------------------------------ */

typedef struct {
  DaePolyMatrix *p;
  uint32_t n_pivot_columns;
  bool only_atoms;
  bool *row_done;
  bool *column_done;
  uint8_t *known; /* per entry: 0 not asked since it changed, 1 nonzero, 2 undecided */
  uint32_t *row_count;
  uint32_t *column_count;
  bool uncertain;
} Search;

static void
count_nonzeros(Search *s)
{
  const DaePolyMatrix *p = s->p;
  memset(s->row_count, 0, p->n_rows * sizeof(uint32_t));
  memset(s->column_count, 0, s->n_pivot_columns * sizeof(uint32_t));
  for (uint32_t i = 0; i < p->n_rows; i++) {
    for (uint32_t j = 0; j < s->n_pivot_columns && !s->row_done[i]; j++) {
      if (!s->column_done[j] && !fmpz_mpoly_is_zero(dae_poly_entry(p, i, j), p->ring->ctx)) {
        s->row_count[i]++;
        s->column_count[j]++;
      }
    }
  }
}

static double
pivot_cost(const Search *s, uint32_t i, uint32_t j)
{
  const fmpz_mpoly_struct *entry = dae_poly_entry(s->p, i, j);
  slong length = fmpz_mpoly_length(entry, s->p->ring->ctx);
  bool is_number = fmpz_mpoly_is_fmpz(entry, s->p->ring->ctx);
  double fill = (double)(s->row_count[i] - 1) * (double)(s->column_count[j] - 1);
  return (is_number ? 0.0 : 1e9 * (double)length) + fill;
}

/* The cheapest entry that is not known to be undecided. */
static bool
find_cheapest(const Search *s, DaePivot *best)
{
  bool found = false;
  double best_cost = 0;
  for (uint32_t i = 0; i < s->p->n_rows; i++) {
    for (uint32_t j = 0; j < s->n_pivot_columns && !s->row_done[i]; j++) {
      size_t at = (size_t)i * s->p->n_columns + j;
      if (s->column_done[j] || s->known[at] == 2 ||
          fmpz_mpoly_is_zero(s->p->entry + at, s->p->ring->ctx)) {
        continue;
      }
      double cost = pivot_cost(s, i, j);
      if (!found || cost < best_cost) {
        found = true;
        best_cost = cost;
        *best = (DaePivot){i, j};
      }
    }
  }
  return found;
}

static DaeZero
is_entry_zero(const Search *s, const fmpz_mpoly_t entry)
{
  if (s->only_atoms || fmpz_mpoly_is_fmpz(entry, s->p->ring->ctx)) {
    return DAE_NONZERO;
  }
  return dae_algebra_is_zero(s->p->ring->algebra, dae_ring_poly_term(s->p->ring, entry));
}

/* The next pivot, proved nonzero. Entries that are proved zero on the way become 0. */
static bool
next_pivot(Search *s, DaePivot *pivot)
{
  count_nonzeros(s);
  while (find_cheapest(s, pivot)) {
    size_t at = (size_t)pivot->row * s->p->n_columns + pivot->column;
    DaeZero answer = s->known[at] == 1 ? DAE_NONZERO : is_entry_zero(s, s->p->entry + at);
    if (answer == DAE_NONZERO) {
      return true;
    }
    if (answer == DAE_ZERO) {
      fmpz_mpoly_zero(s->p->entry + at, s->p->ring->ctx);
      count_nonzeros(s);
    } else {
      s->known[at] = 2;
      s->uncertain = true;
    }
  }
  return false;
}

/* ---- row operations ---------------------------------------------------------------------- */

static bool
row_content(DaePolyMatrix *p, uint32_t i, fmpz_mpoly_t content)
{
  const DaeRing *ring = p->ring;
  fmpz_mpoly_zero(content, ring->ctx);
  /* A number divides everything, so the shortest entry first would be
   * best; any number ends the search. */
  for (uint32_t j = 0; j < p->n_columns; j++) {
    const fmpz_mpoly_struct *entry = dae_poly_entry(p, i, j);
    if (fmpz_mpoly_is_zero(entry, ring->ctx)) {
      continue;
    }
    p->work += GCD_WEIGHT * (double)fmpz_mpoly_length(entry, ring->ctx);
    if (fmpz_mpoly_length(entry, ring->ctx) > LIMIT_CONTENT ||
        fmpz_mpoly_gcd(content, content, entry, ring->ctx) == 0) {
      fmpz_mpoly_one(content, ring->ctx);
    }
    if (fmpz_mpoly_is_one(content, ring->ctx)) {
      return true;
    }
  }
  return !fmpz_mpoly_is_zero(content, ring->ctx);
}

bool
dae_poly_matrix_make_primitive(DaePolyMatrix *p, uint32_t i)
{
  const DaeRing *ring = p->ring;
  if (dae_algebra_spent(ring->algebra)) {
    return false;
  }
  fmpz_mpoly_t content;
  fmpz_mpoly_init(content, ring->ctx);
  bool divide = row_content(p, i, content) && !fmpz_mpoly_is_one(content, ring->ctx);
  if (divide && !fmpz_mpoly_is_fmpz(content, ring->ctx) && !dae_ring_has_only_atoms(ring)) {
    /* A content that vanishes by a relation the ring does not know must not be divided out. */
    divide =
        dae_algebra_is_zero(ring->algebra, dae_ring_poly_term(ring, content)) == DAE_NONZERO;
  }
  for (uint32_t j = 0; j < p->n_columns && divide; j++) {
    fmpz_mpoly_struct *entry = dae_poly_entry(p, i, j);
    if (!fmpz_mpoly_is_zero(entry, ring->ctx)) {
      DAE_ASSERT(fmpz_mpoly_divides(entry, entry, content, ring->ctx));
    }
  }
  fmpz_mpoly_clear(content, ring->ctx);
  return true;
}

static bool
is_product_affordable(DaePolyMatrix *m, const fmpz_mpoly_t a, const fmpz_mpoly_t b)
{
  const DaeRing *ring = m->ring;
  double work =
      (double)fmpz_mpoly_length(a, ring->ctx) * (double)fmpz_mpoly_length(b, ring->ctx);
  m->work += work;
  return work <= 10.0 * DAE_LIMIT_TERMS && m->work <= LIMIT_WORK;
}

/* row_i := p * row_i - a * row_k, where p and a are already divided by their common factor. */
static bool
combine_rows(DaePolyMatrix *m, uint32_t i, uint32_t k, const fmpz_mpoly_t p,
             const fmpz_mpoly_t a)
{
  const DaeRing *ring = m->ring;
  fmpz_mpoly_t product;
  fmpz_mpoly_init(product, ring->ctx);
  bool ok = true;
  for (uint32_t j = 0; j < m->n_columns && ok; j++) {
    fmpz_mpoly_struct *target = dae_poly_entry(m, i, j);
    const fmpz_mpoly_struct *source = dae_poly_entry(m, k, j);
    bool has_source = !fmpz_mpoly_is_zero(source, ring->ctx);
    if (!has_source && fmpz_mpoly_is_zero(target, ring->ctx)) {
      continue;
    }
    ok = is_product_affordable(m, target, p) && is_product_affordable(m, source, a) &&
         !dae_algebra_spent(ring->algebra);
    if (ok) {
      fmpz_mpoly_mul(target, target, p, ring->ctx);
      fmpz_mpoly_mul(product, source, a, ring->ctx);
      fmpz_mpoly_sub(target, target, product, ring->ctx);
      ok = dae_ring_reduce(ring, target);
    }
  }
  fmpz_mpoly_clear(product, ring->ctx);
  return ok;
}

static bool
eliminate_entry(DaePolyMatrix *m, uint32_t i, DaePivot pivot)
{
  const DaeRing *ring = m->ring;
  fmpz_mpoly_t p;
  fmpz_mpoly_t a;
  fmpz_mpoly_t gcd;
  fmpz_mpoly_init(p, ring->ctx);
  fmpz_mpoly_init(a, ring->ctx);
  fmpz_mpoly_init(gcd, ring->ctx);
  fmpz_mpoly_set(p, dae_poly_entry(m, pivot.row, pivot.column), ring->ctx);
  fmpz_mpoly_set(a, dae_poly_entry(m, i, pivot.column), ring->ctx);
  /* The factor p/g that the row is multiplied with divides the pivot, so it is nonzero. */
  m->work +=
      GCD_WEIGHT * (double)(fmpz_mpoly_length(p, ring->ctx) + fmpz_mpoly_length(a, ring->ctx));
  if (fmpz_mpoly_length(p, ring->ctx) + fmpz_mpoly_length(a, ring->ctx) <= LIMIT_CONTENT &&
      fmpz_mpoly_gcd(gcd, p, a, ring->ctx) != 0 && !fmpz_mpoly_is_one(gcd, ring->ctx)) {
    fmpz_mpoly_div(p, p, gcd, ring->ctx);
    fmpz_mpoly_div(a, a, gcd, ring->ctx);
  }
  bool ok = combine_rows(m, i, pivot.row, p, a);
  /* Exactly zero by construction; relations may have left an unreduced form of 0. */
  fmpz_mpoly_zero(dae_poly_entry(m, i, pivot.column), ring->ctx);
  fmpz_mpoly_clear(p, ring->ctx);
  fmpz_mpoly_clear(a, ring->ctx);
  fmpz_mpoly_clear(gcd, ring->ctx);
  return ok && dae_poly_matrix_make_primitive(m, i);
}

static bool
eliminate_column(Search *s, DaePivot pivot, bool above)
{
  DaePolyMatrix *p = s->p;
  for (uint32_t i = 0; i < p->n_rows; i++) {
    bool skip = i == pivot.row || (s->row_done[i] && !above) ||
                fmpz_mpoly_is_zero(dae_poly_entry(p, i, pivot.column), p->ring->ctx);
    if (skip) {
      continue;
    }
    if (!eliminate_entry(p, i, pivot)) {
      return false;
    }
    memset(s->known + (size_t)i * p->n_columns, 0, p->n_columns);
  }
  return true;
}

DaeElimStatus
dae_poly_matrix_eliminate(DaePolyMatrix *p, uint32_t n_pivot_columns, bool above,
                          GArray *pivots)
{
  Search s = {.p = p,
              .n_pivot_columns = n_pivot_columns,
              .only_atoms = dae_ring_has_only_atoms(p->ring)};
  g_autofree bool *row_done = g_new0(bool, p->n_rows + 1);
  g_autofree bool *column_done = g_new0(bool, p->n_columns + 1);
  g_autofree uint8_t *known = g_new0(uint8_t, (size_t)p->n_rows * p->n_columns + 1);
  g_autofree uint32_t *row_count = g_new0(uint32_t, p->n_rows + 1);
  g_autofree uint32_t *column_count = g_new0(uint32_t, p->n_columns + 1);
  s.row_done = row_done;
  s.column_done = column_done;
  s.known = known;
  s.row_count = row_count;
  s.column_count = column_count;
  DaePivot pivot = {0, 0};
  while (next_pivot(&s, &pivot)) {
    /* Undecided entries are asked again when the row changes; each step
     * uses up one row and one column. */
    g_array_append_val(pivots, pivot);
    row_done[pivot.row] = true;
    column_done[pivot.column] = true;
    if (!eliminate_column(&s, pivot, above)) {
      return DAE_ELIM_LIMIT;
    }
  }
  if (dae_algebra_spent(p->ring->algebra)) {
    return DAE_ELIM_LIMIT;
  }
  for (uint32_t i = 0; i < p->n_rows; i++) {
    for (uint32_t j = 0; j < n_pivot_columns && !row_done[i]; j++) {
      if (!fmpz_mpoly_is_zero(dae_poly_entry(p, i, j), p->ring->ctx)) {
        return DAE_ELIM_UNCERTAIN;
      }
    }
  }
  return DAE_ELIM_DONE;
}

/* ---- what was assumed -------------------------------------------------------------------- */

static void
append_once(GArray *list, DaeTerm t)
{
  for (guint i = 0; i < list->len; i++) {
    if (g_array_index(list, DaeTerm, i) == t) {
      return;
    }
  }
  g_array_append_val(list, t);
}

void
dae_poly_matrix_collect_assumed(const DaePolyMatrix *p, const GArray *pivots, GArray *assumed)
{
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint k = 0; k < pivots->len; k++) {
    DaePivot pivot = g_array_index(pivots, DaePivot, k);
    const fmpz_mpoly_struct *entry = dae_poly_entry(p, pivot.row, pivot.column);
    if (fmpz_mpoly_is_fmpz(entry, p->ring->ctx)) {
      continue;
    }
    DaeTerm t = dae_ring_poly_term(p->ring, entry);
    g_array_set_size(factors, 0);
    if (!dae_algebra_factor(p->ring->algebra, t, factors)) {
      g_array_append_val(factors, t);
    }
    for (guint i = 0; i < factors->len; i++) {
      append_once(assumed, g_array_index(factors, DaeTerm, i));
    }
  }
}
