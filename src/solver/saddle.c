#include "solver/saddle.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>
#include <suitesparse/btf.h>
#include <suitesparse/klu.h>

#include "base/base.h"

/* Times n + nnz for a matching; more is not worth it. */
#define MATCHING_WORK 20.0
/* Entries of L and U, in units of those that AMD counts in one of them, from
 * which the other order is taken. */
#define MUCH_FILL 5.0
/* Columns up to this length are sorted by insertion. */
#define SHORT_COLUMN 24

/* One product M_ij * A_ik of row i, added to entry (j, k) of the upper left block. */
struct DaeSaddleProduct {
  uint32_t m, a, at;
};

void
dae_saddle_free(DaeSaddle *saddle)
{
  if (saddle == NULL) {
    return;
  }
  dae_sparse_lu_free(saddle->lu);
  void *all[] = {saddle->column_start, saddle->row,     saddle->mass_products,
                 saddle->k_products,   saddle->g_place, saddle->d_place,
                 saddle->mm,           saddle->mk,      saddle->border};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  g_free(saddle);
}

/* ---- pattern ----------------------------------------------------------------------------- */

/* Called for every entry (row, column), some more than once. */
typedef void (*Visit)(DaeSaddle *s, uint32_t row, uint32_t column);

/* All (j, k) with M_ij and A_ik in one row. */
static void
visit_products(DaeSaddle *s, const DaePattern *a, Visit visit)
{
  const DaePattern *mass = &s->ev->mass;
  for (uint32_t i = 0; i < mass->n_rows; i++) {
    for (uint32_t p = mass->row_start[i]; p < mass->row_start[i + 1]; p++) {
      for (uint32_t q = a->row_start[i]; q < a->row_start[i + 1]; q++) {
        visit(s, mass->column[p], a->column[q]);
      }
    }
  }
}

static void
visit_entries(DaeSaddle *s, bool with_dynamics, Visit visit)
{
  const DaePattern *g = &s->ev->constraint;
  visit_products(s, &s->ev->mass, visit);
  if (with_dynamics) {
    visit_products(s, &s->ev->dynamics, visit);
  }
  for (uint32_t i = 0; i < s->n_con; i++) {
    visit(s, s->n + i, s->n + i);
    for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
      visit(s, s->n + i, g->column[e]);
      visit(s, g->column[e], s->n + i);
    }
  }
}

static void
count_entry(DaeSaddle *s, uint32_t row, uint32_t column)
{
  (void)row;
  s->column_start[column + 1]++;
}

/* column_start[column] is where the next entry of the column goes. */
static void
put_entry(DaeSaddle *s, uint32_t row, uint32_t column)
{
  s->row[s->column_start[column]++] = (int)row;
}

static int
compare_rows(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

static void
sort_rows(int *rows, int count)
{
  if (count > SHORT_COLUMN) {
    qsort(rows, (size_t)count, sizeof(int), compare_rows);
    return;
  }
  for (int i = 1; i < count; i++) {
    int row = rows[i];
    int at = i;
    for (; at > 0 && rows[at - 1] > row; at--) {
      rows[at] = rows[at - 1];
    }
    rows[at] = row;
  }
}

/* The rows of each column in ascending order, each once. */
static void
tidy_columns(DaeSaddle *s)
{
  int used = 0;
  int begin = 0;
  for (uint32_t j = 0; j < s->size; j++) {
    int end = s->column_start[j]; /* put_entry moved it there */
    sort_rows(s->row + begin, end - begin);
    s->column_start[j] = used;
    for (int e = begin; e < end; e++) {
      if (e == begin || s->row[e] != s->row[e - 1]) {
        s->row[used++] = s->row[e];
      }
    }
    begin = end;
  }
  s->column_start[s->size] = used;
}

static void
build_pattern(DaeSaddle *s, bool with_dynamics)
{
  s->column_start = g_new0(int, s->size + 1);
  visit_entries(s, with_dynamics, count_entry);
  for (uint32_t j = 0; j < s->size; j++) {
    s->column_start[j + 1] += s->column_start[j];
  }
  s->row = g_new(int, s->column_start[s->size] + 1);
  visit_entries(s, with_dynamics, put_entry);
  tidy_columns(s);
}

/* Position of (row, column). */
static uint32_t
find_place(const DaeSaddle *s, uint32_t row, uint32_t column)
{
  int low = s->column_start[column];
  int high = s->column_start[column + 1];
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (s->row[middle] <= (int)row) {
      low = middle;
    } else {
      high = middle;
    }
  }
  DAE_ASSERT(s->row[low] == (int)row);
  return (uint32_t)low;
}

static DaeSaddleProduct *
list_products(const DaeSaddle *s, const DaePattern *a, uint32_t *count)
{
  const DaePattern *mass = &s->ev->mass;
  GArray *products = g_array_new(FALSE, FALSE, sizeof(DaeSaddleProduct));
  for (uint32_t i = 0; i < mass->n_rows; i++) {
    for (uint32_t p = mass->row_start[i]; p < mass->row_start[i + 1]; p++) {
      for (uint32_t q = a->row_start[i]; q < a->row_start[i + 1]; q++) {
        DaeSaddleProduct product = {
            .m = p, .a = q, .at = find_place(s, mass->column[p], a->column[q])};
        g_array_append_val(products, product);
      }
    }
  }
  *count = products->len;
  return (DaeSaddleProduct *)(void *)g_array_free(products, FALSE);
}

static void
find_places(DaeSaddle *s, bool with_dynamics)
{
  const DaePattern *g = &s->ev->constraint;
  s->mass_products = list_products(s, &s->ev->mass, &s->n_mass_products);
  if (with_dynamics) {
    s->k_products = list_products(s, &s->ev->dynamics, &s->n_k_products);
  }
  s->g_place = g_new0(uint32_t, 2 * (size_t)g->row_start[s->n_con] + 1);
  s->d_place = g_new0(uint32_t, s->n_con + 1);
  for (uint32_t i = 0; i < s->n_con; i++) {
    s->d_place[i] = find_place(s, s->n + i, s->n + i);
    for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
      s->g_place[(size_t)2 * e] = find_place(s, s->n + i, g->column[e]);
      s->g_place[(size_t)2 * e + 1] = find_place(s, g->column[e], s->n + i);
    }
  }
}

/* ---- order of the columns ---------------------------------------------------------------- */

/* Rows are matched with columns, the entries -eps left out, and the matched matrix is ordered like
 * a symmetric one (AMD). The pivots are then mostly the matched rows. Half the fill of COLAMD on
 * circuits, three quarters on chains and grids; where pivots must leave the diagonal often AMD's
 * count is no bound, so it is watched. Returns AMD's count of the fill, 0: no such order. */
static double
order_matched(const DaeSaddle *s, int *order, int *preferred)
{
  int n = (int)s->size;
  g_autofree int *start = g_new0(int, n + 1);
  g_autofree int *rows = g_new0(int, s->column_start[n] + 1);
  g_autofree int *match = g_new0(int, n + 1);
  g_autofree int *work = g_new0(int, 5 * (size_t)n + 1);
  int at = 0;
  for (int j = 0; j < n; j++) {
    start[j] = at;
    for (int e = s->column_start[j]; e < s->column_start[j + 1]; e++) {
      if (s->row[e] != j || j < (int)s->n) {
        rows[at++] = s->row[e];
      }
    }
  }
  start[n] = at;
  double done = 0.0;
  if (btf_maxtrans(n, n, start, rows, MATCHING_WORK, &done, match, work) < n) {
    return 0.0;
  }
  for (int e = 0; e < at; e++) { /* rows take the numbers of their columns */
    rows[e] = match[rows[e]];
  }
  double info[AMD_INFO];
  if (amd_order(n, start, rows, order, NULL, info) < 0) {
    return 0.0;
  }
  for (int i = 0; i < n; i++) {
    work[match[i]] = i;
  }
  for (int k = 0; k < n; k++) {
    preferred[k] = work[order[k]];
  }
  return info[AMD_LNZ] + n;
}

/* COLAMD's order, which holds for all pivots. */
static bool
order_for_all_pivots(const DaeSaddle *s, int *order, int *preferred)
{
  klu_common common;
  klu_defaults(&common);
  common.btf = 0;
  common.ordering = 1;
  klu_symbolic *symbolic = klu_analyze((int)s->size, s->column_start, s->row, &common);
  if (symbolic == NULL) {
    return false;
  }
  memcpy(order, symbolic->Q, s->size * sizeof(int));
  memcpy(preferred, symbolic->P, s->size * sizeof(int));
  klu_free_symbolic(&symbolic, &common);
  return true;
}

/* One entry in each column, and in each row: any order is one without fill. */
static bool
is_permutation(const DaeSaddle *s)
{
  const int n = (int)s->size;
  bool is_one = s->column_start[n] == n;
  g_autofree bool *seen = g_new0(bool, s->size + 1);
  for (int j = 0; is_one && j < n; j++) {
    is_one = s->column_start[j] == j && !seen[s->row[j]];
    seen[s->row[j]] = true;
  }
  return is_one;
}

static bool
order_columns(DaeSaddle *s, uint32_t width_max)
{
  g_autofree int *order = g_new0(int, s->size + 1);
  g_autofree int *preferred = g_new0(int, s->size + 1);
  double fill = (double)s->size;
  if (is_permutation(s)) {
    for (uint32_t j = 0; j < s->size; j++) {
      order[j] = (int)j;
      preferred[j] = s->row[j];
    }
  } else {
    fill = order_matched(s, order, preferred);
  }
  if (fill == 0.0 && !order_for_all_pivots(s, order, preferred)) {
    return false;
  }
  s->lu = dae_sparse_lu_new(s->size, s->column_start, s->row, order, preferred, width_max);
  s->lu->a = s->mm;
  s->lu->b = s->border;
  s->lu->fill_limit = (size_t)(MUCH_FILL * fill);
  s->lu->expected_fill = (size_t)fill;
  return true;
}

DaeSaddle *
dae_saddle_new(const DaeEvaluator *ev, uint32_t width_max)
{
  bool with_dynamics = width_max > 0;
  DaeSaddle *s = g_new0(DaeSaddle, 1);
  s->ev = ev;
  s->n = ev->n;
  s->n_con = ev->n_con;
  s->size = ev->n + ev->n_con;
  build_pattern(s, with_dynamics);
  find_places(s, with_dynamics);
  size_t nnz = (size_t)s->column_start[s->size];
  s->mm = g_new0(double, nnz + 1);
  s->mk = with_dynamics ? g_new0(double, nnz + 1) : NULL;
  s->border = g_new0(double, nnz + 1);
  if (!order_columns(s, width_max)) {
    dae_saddle_free(s);
    return NULL;
  }
  return s;
}

/* ---- values ------------------------------------------------------------------------------ */

static void
accumulate(const DaeSaddleProduct *products, uint32_t count, const double *m, const double *a,
           double *out)
{
  for (uint32_t p = 0; p < count; p++) {
    out[products[p].at] += m[products[p].m] * a[products[p].a];
  }
}

void
dae_saddle_take(DaeSaddle *s, const double *weighted, const double *m, const double *k)
{
  size_t nnz = (size_t)s->column_start[s->size];
  memset(s->mm, 0, sizeof(double) * nnz);
  accumulate(s->mass_products, s->n_mass_products, weighted, m, s->mm);
  if (k != NULL && s->mk != NULL) {
    memset(s->mk, 0, sizeof(double) * nnz);
    accumulate(s->k_products, s->n_k_products, weighted, k, s->mk);
  }
}

/* border = -h M^T K with the constraint blocks. */
static void
fill_border(const DaeSaddle *s, double h, const double *gx, const double *row_weight)
{
  size_t nnz = (size_t)s->column_start[s->size];
  const DaePattern *g = &s->ev->constraint;
  for (size_t e = 0; s->mk != NULL && e < nnz; e++) {
    s->border[e] = -h * s->mk[e];
  }
  for (uint32_t i = 0; i < s->n_con; i++) {
    for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
      double value = gx[e] * row_weight[i];
      s->border[s->g_place[(size_t)2 * e]] = value;
      s->border[s->g_place[(size_t)2 * e + 1]] = value;
    }
    s->border[s->d_place[i]] = -DAE_SADDLE_EPSILON;
  }
}

bool
dae_saddle_factor(DaeSaddle *s, double h, const double *gx, const double *row_weight,
                  uint32_t width)
{
  fill_border(s, h, gx, row_weight);
  if (dae_sparse_lu_factor(s->lu, width)) {
    return true;
  }
  if (!s->lu->is_over_limit) {
    return false;
  }
  g_autofree int *order = g_new0(int, s->size + 1);
  g_autofree int *preferred = g_new0(int, s->size + 1);
  if (!order_for_all_pivots(s, order, preferred)) {
    return false;
  }
  dae_sparse_lu_reorder(s->lu, order, preferred);
  return dae_sparse_lu_factor(s->lu, width);
}
