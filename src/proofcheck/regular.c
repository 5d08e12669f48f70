#include "proofcheck/regular.h"

#include "proofcheck/exact.h"
#include "proofcheck/squares.h"

enum {
  MOST_CASES = 10,   /* conditions: 2^10 matrices */
  MOST_EXPANDED = 6, /* rows of what is left: 720 products */
  MOST_SIZE = 20000, /* nodes of a term that is looked at */
  MOST_DENSE = 400   /* rows whose entries vary; those of numbers go first */
};

typedef struct {
  DaeTerms *terms;
  GHashTable *bound;
  DaeCertifier *signs;
  DaeExact *exact;
  GHashTable *known; /* term -> 1 + never zero */
} Judge;

static void
judge_init(Judge *judge, DaeTerms *terms, GHashTable *bound)
{
  GHashTableIter at;
  gpointer atom = NULL;
  gpointer value = NULL;
  judge->terms = terms;
  judge->bound = bound;
  judge->signs = dae_certifier_new(terms);
  judge->exact = dae_exact_new(terms, judge->signs);
  judge->known = g_hash_table_new(NULL, NULL);
  g_hash_table_iter_init(&at, bound);
  while (g_hash_table_iter_next(&at, &atom, &value)) { /* the order does not matter */
    dae_certifier_bind(judge->signs, GPOINTER_TO_UINT(atom), GPOINTER_TO_UINT(value));
    dae_exact_bind(judge->exact, GPOINTER_TO_UINT(atom), GPOINTER_TO_UINT(value));
  }
}

static void
judge_clear(Judge *judge)
{
  g_hash_table_unref(judge->known);
  dae_exact_free(judge->exact);
  dae_certifier_free(judge->signs);
}

/* The kernel that is divided by, where a factor of a denominator is one; else UINT32_MAX. */
static uint32_t
divisor_kernel(VpPoly factor)
{
  return factor.n == 1 && factor.monos[0].n == 1 ? factor.monos[0].powers[0].kernel
                                                 : UINT32_MAX;
}

/* p divided by the highest power of the kernel that divides it. */
static VpPoly
without_kernel(VpRing *ring, VpPoly p, uint32_t kernel)
{
  VpPoly q = {.n = 0, .monos = NULL};
  uint32_t e = 0;
  bool is_divisible = p.n > 0;
  while (is_divisible) { /* at most as often as the degree */
    VpPoly low = vp_poly_coefficient(ring, p, kernel, e);
    is_divisible = low.n == 0 && e < vp_poly_degree(p, kernel);
    e += is_divisible;
  }
  for (uint32_t k = e; e > 0 && k <= vp_poly_degree(p, kernel); k++) {
    VpPoly part = vp_poly_coefficient(ring, p, kernel, k);
    q = vp_poly_add(
        ring, q, k == e ? part : vp_poly_mul(ring, part, vp_poly_kernel(ring, kernel, k - e)));
  }
  return e > 0 ? q : p;
}

/* Of a fraction of polynomials the numerator decides, wherever the fraction has a value: what is
 * divided by is not 0 there, nor is a multiple of it. */
static bool
numerator_keeps_off_zero(Judge *judge, DaeTerm t)
{
  const VpFrac *fraction = dae_exact_fraction(judge->exact, t, NULL);
  if (fraction == NULL) {
    return false;
  }
  VpRing *ring = dae_exact_ring(judge->exact);
  VpPoly num = fraction->num;
  for (guint k = 0; fraction->factors != NULL && k < fraction->factors->len; k++) {
    uint32_t factor = g_array_index(fraction->factors, VpPower, k).kernel;
    VpPoly divisor = vp_ring_factor(ring, factor);
    uint32_t kernel = divisor_kernel(divisor);
    if (divisor.n > 1 && divisor.n == num.n &&
        vp_frac_multiple(ring, vp_frac_poly(ring, num), vp_frac_poly(ring, divisor)) != 0) {
      return !vp_is_spent(ring);
    }
    num = kernel == UINT32_MAX ? num : without_kernel(ring, num, kernel);
  }
  if (vp_is_spent(ring)) {
    return false;
  }
  DaeTerm numerator = dae_exact_term(judge->exact, num);
  int sign = 0;
  return numerator != DAE_NO_TERM &&
         (dae_certifier_sign(judge->signs, numerator, &sign) ||
          dae_range_excludes_zero(judge->terms, judge->bound, numerator) ||
          dae_squares_exclude_zero(judge->exact, num));
}

static bool
look_at(Judge *judge, DaeTerm t)
{
  int sign = 0;
  if (dae_term_size(judge->terms, t) > MOST_SIZE) {
    return false;
  }
  return dae_certifier_sign(judge->signs, t, &sign) ||
         dae_range_excludes_zero(judge->terms, judge->bound, t) ||
         dae_exact_has_no_real_zero(judge->exact, t) || numerator_keeps_off_zero(judge, t);
}

static bool
is_never_zero(Judge *judge, DaeTerm t)
{
  gpointer key = GUINT_TO_POINTER(t);
  if (t == DAE_NO_TERM || dae_term_is_zero(judge->terms, t)) {
    return false;
  }
  uint32_t known = GPOINTER_TO_UINT(g_hash_table_lookup(judge->known, key));
  if (known == 0) {
    known = 1 + look_at(judge, t);
    g_hash_table_insert(judge->known, key, GUINT_TO_POINTER(known));
  }
  return known == 2;
}

/* ---- elimination ------------------------------------------------------------------------- */

typedef struct {
  uint32_t column;
  DaeTerm value;
} Cell;

typedef struct {
  Judge *judge;
  uint32_t n;
  GArray **rows; /* Cell; NULL: gone */
  uint32_t *in_column;
  uint32_t n_left;
} Matrix;

static bool
is_number(const Matrix *m, DaeTerm t)
{
  return dae_term_is_number(m->judge->terms, t);
}

/* The entry that keeps off zero whose elimination fills in least; numbers come first, and terms
 * are looked at only where none are left. */
static bool
find_pivot(const Matrix *m, bool among_numbers, uint32_t *row, guint *place)
{
  uint64_t best = UINT64_MAX;
  for (uint32_t r = 0; r < m->n; r++) {
    for (guint k = 0; m->rows[r] != NULL && k < m->rows[r]->len; k++) {
      const Cell *cell = &g_array_index(m->rows[r], Cell, k);
      uint64_t cost =
          (uint64_t)(m->rows[r]->len - 1) * (m->in_column[cell->column] - UINT64_C(1));
      if (cost < best && is_number(m, cell->value) == among_numbers &&
          is_never_zero(m->judge, cell->value)) {
        best = cost;
        *row = r;
        *place = k;
      }
    }
  }
  return best != UINT64_MAX;
}

static DaeTerm
value_in(const GArray *row, uint32_t column)
{
  for (guint k = 0; k < row->len; k++) {
    if (g_array_index(row, Cell, k).column == column) {
      return g_array_index(row, Cell, k).value;
    }
  }
  return DAE_NO_TERM;
}

/* Row r less factor times the pivot row, without the column. */
static GArray *
subtract(Matrix *m, const GArray *row, const GArray *pivot_row, uint32_t column, DaeTerm factor)
{
  DaeTerms *terms = m->judge->terms;
  GArray *sum = g_array_new(FALSE, FALSE, sizeof(Cell));
  for (guint k = 0; k < row->len; k++) {
    Cell cell = g_array_index(row, Cell, k);
    DaeTerm above = value_in(pivot_row, cell.column);
    if (cell.column == column) {
      m->in_column[column]--;
      continue;
    }
    if (above != DAE_NO_TERM) {
      cell.value = dae_term_sub(terms, cell.value, dae_term_mul(terms, factor, above));
    }
    if (cell.value != DAE_NO_TERM && dae_term_is_zero(terms, cell.value)) {
      m->in_column[cell.column]--;
    } else {
      g_array_append_val(sum, cell);
    }
  }
  for (guint k = 0; k < pivot_row->len; k++) {
    Cell cell = g_array_index(pivot_row, Cell, k);
    if (cell.column != column && value_in(row, cell.column) == DAE_NO_TERM) {
      cell.value = dae_term_neg(terms, dae_term_mul(terms, factor, cell.value));
      m->in_column[cell.column]++;
      g_array_append_val(sum, cell);
    }
  }
  return sum;
}

static void
eliminate(Matrix *m, uint32_t row, guint place)
{
  DaeTerms *terms = m->judge->terms;
  GArray *pivot_row = m->rows[row];
  Cell pivot = g_array_index(pivot_row, Cell, place);
  m->rows[row] = NULL;
  for (uint32_t r = 0; r < m->n; r++) {
    DaeTerm first = m->rows[r] == NULL ? DAE_NO_TERM : value_in(m->rows[r], pivot.column);
    if (first != DAE_NO_TERM) {
      DaeTerm factor = dae_term_div(terms, first, pivot.value);
      GArray *sum = subtract(m, m->rows[r], pivot_row, pivot.column, factor);
      g_array_unref(m->rows[r]);
      m->rows[r] = sum;
    }
  }
  for (guint k = 0; k < pivot_row->len; k++) {
    m->in_column[g_array_index(pivot_row, Cell, k).column]--;
  }
  g_array_unref(pivot_row);
  m->n_left--;
}

/* ---- what is left ------------------------------------------------------------------------ */

/* The sum over all permutations, row by row. */
static DaeTerm
expand(const Matrix *m, const uint32_t *rows, uint32_t at, uint32_t n, uint64_t used)
{
  DaeTerms *terms = m->judge->terms;
  if (at == n) {
    return dae_term_int(terms, 1);
  }
  DaeTerm sum = dae_term_int(terms, 0);
  const GArray *row = m->rows[rows[at]];
  for (guint k = 0; k < row->len && sum != DAE_NO_TERM; k++) {
    const Cell *cell = &g_array_index(row, Cell, k);
    uint32_t before = 0; /* columns before this one that are free: the sign */
    uint32_t place = 0;
    for (uint32_t j = 0, seen = 0; j < m->n; j++) {
      bool is_left = m->in_column[j] > 0;
      if (is_left && j == cell->column) {
        place = seen;
      }
      seen += is_left;
    }
    if ((used >> place) & 1) {
      continue;
    }
    for (uint32_t j = 0; j < place; j++) {
      before += !((used >> j) & 1);
    }
    DaeTerm rest = expand(m, rows, at + 1, n, used | (UINT64_C(1) << place));
    DaeTerm product = dae_term_mul(terms, cell->value, rest);
    sum =
        before % 2 == 0 ? dae_term_add(terms, sum, product) : dae_term_sub(terms, sum, product);
  }
  return sum;
}

static bool
remainder_is_regular(const Matrix *m)
{
  uint32_t rows[MOST_EXPANDED];
  uint32_t n = 0;
  if (m->n_left > MOST_EXPANDED) {
    return false;
  }
  for (uint32_t r = 0; r < m->n; r++) {
    if (m->rows[r] != NULL) {
      rows[n++] = r;
    }
  }
  uint32_t n_columns = 0;
  for (uint32_t j = 0; j < m->n; j++) {
    n_columns += m->in_column[j] > 0;
  }
  return n_columns == n && (n == 0 || is_never_zero(m->judge, expand(m, rows, 0, n, 0)));
}

/* By numbers as long as there are any: what is left then is a matrix of polynomials in what the
 * entries are made of, and its determinant is looked at before quotients come in. */
static bool
rest_is_regular(Matrix *m)
{
  uint32_t row = 0;
  guint place = 0;
  while (m->n_left > 0 && find_pivot(m, true, &row, &place)) {
    eliminate(m, row, place);
  }
  if (remainder_is_regular(m)) {
    return true;
  }
  while (m->n_left > 1 && m->n_left <= MOST_DENSE &&
         (find_pivot(m, true, &row, &place) || find_pivot(m, false, &row, &place))) {
    eliminate(m, row, place);
  }
  return remainder_is_regular(m);
}

static bool
is_regular(Judge *judge, const DaeCertifierEntry *entries, size_t n_entries, uint32_t n)
{
  Matrix m = {.judge = judge, .n = n, .n_left = n};
  m.rows = g_new0(GArray *, (size_t)n + 1);
  m.in_column = g_new0(uint32_t, (size_t)n + 1);
  bool ok = true;
  for (uint32_t r = 0; r < n; r++) {
    m.rows[r] = g_array_new(FALSE, FALSE, sizeof(Cell));
  }
  for (size_t e = 0; e < n_entries; e++) {
    Cell cell = {entries[e].column, entries[e].value};
    ok = ok && cell.value != DAE_NO_TERM;
    if (ok && !dae_term_is_zero(judge->terms, cell.value)) {
      g_array_append_val(m.rows[entries[e].row], cell);
      m.in_column[cell.column]++;
    }
  }
  ok = ok && rest_is_regular(&m);
  for (uint32_t r = 0; r < n; r++) {
    g_clear_pointer(&m.rows[r], g_array_unref);
  }
  g_free(m.rows);
  g_free(m.in_column);
  return ok;
}

/* ---- cases ------------------------------------------------------------------------------- */

/* Conditions of branches in the entries, each once. */
static void
collect_conditions(DaeTerms *terms, const DaeCertifierEntry *entries, size_t n,
                   GArray *conditions)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  for (size_t e = 0; e < n; e++) {
    dae_visit_add(visit, entries[e].value);
    for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
         node = dae_visit_next(visit)) {
      DaeTerm condition = dae_term_kind(terms, node) == DAE_KIND_IF
                              ? dae_term_operand(terms, node, 0)
                              : DAE_NO_TERM;
      if (condition != DAE_NO_TERM && g_hash_table_add(seen, GUINT_TO_POINTER(condition))) {
        g_array_append_val(conditions, condition);
      }
      dae_visit_enter(visit, node);
    }
  }
}

/* The entries with every condition taken one way. */
static bool
regular_in_case(DaeTerms *terms, GHashTable *bound, const GArray *entries, uint32_t n,
                const GArray *conditions, uint32_t mode)
{
  g_autoptr(GArray) here =
      g_array_sized_new(FALSE, FALSE, sizeof(DaeCertifierEntry), entries->len);
  g_array_append_vals(here, entries->data, entries->len);
  for (guint k = 0; k < conditions->len; k++) {
    DaeTerm truth = dae_term_bool(terms, (mode >> k) & 1);
    for (guint e = 0; e < here->len; e++) {
      DaeCertifierEntry *entry = &g_array_index(here, DaeCertifierEntry, e);
      entry->value = entry->value == DAE_NO_TERM
                         ? DAE_NO_TERM
                         : dae_term_replace(terms, entry->value,
                                            g_array_index(conditions, DaeTerm, k), truth);
    }
  }
  Judge judge;
  judge_init(&judge, terms, bound);
  bool ok = is_regular(&judge, (const DaeCertifierEntry *)(void *)here->data, here->len, n);
  judge_clear(&judge);
  return ok;
}

/* Entries with what their atoms stand for in place of them. */
static void
put_in_bound(DaeTerms *terms, GHashTable *bound, GArray *entries)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  GHashTableIter at;
  gpointer atom = NULL;
  gpointer value = NULL;
  g_hash_table_iter_init(&at, bound);
  while (g_hash_table_iter_next(&at, &atom, &value)) { /* the order does not matter */
    dae_subst_set(subst, GPOINTER_TO_UINT(atom), GPOINTER_TO_UINT(value));
  }
  for (guint e = 0; e < entries->len; e++) {
    DaeCertifierEntry *entry = &g_array_index(entries, DaeCertifierEntry, e);
    DaeTerm next = entry->value;
    for (guint k = 0; k <= g_hash_table_size(bound); k++) { /* a chain ends within these */
      entry->value = next;
      next = entry->value == DAE_NO_TERM ? DAE_NO_TERM : dae_subst_apply(subst, entry->value);
      if (next == entry->value) {
        break;
      }
    }
  }
}

bool
dae_regular_everywhere(DaeTerms *terms, GHashTable *bound, const DaeCertifierEntry *entries,
                       size_t n_entries, uint32_t n)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(DaeCertifierEntry));
  g_autoptr(GArray) conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_vals(all, entries, (guint)n_entries);
  put_in_bound(terms, bound, all);
  entries = (const DaeCertifierEntry *)(void *)all->data;
  for (size_t e = 0; e < n_entries; e++) {
    if (entries[e].value == DAE_NO_TERM) {
      return false;
    }
  }
  if (regular_in_case(terms, bound, all, n, conditions, 0)) { /* whatever the conditions are */
    return true;
  }
  collect_conditions(terms, entries, n_entries, conditions);
  bool ok = conditions->len > 0 && conditions->len <= MOST_CASES;
  for (uint32_t mode = 0; ok && mode < UINT32_C(1) << conditions->len; mode++) {
    ok = regular_in_case(terms, bound, all, n, conditions, mode);
  }
  return ok;
}

bool
dae_never_zero(DaeTerms *terms, GHashTable *bound, DaeTerm t)
{
  DaeCertifierEntry entry = {0, 0, t};
  return t != DAE_NO_TERM && dae_regular_everywhere(terms, bound, &entry, 1, 1);
}
