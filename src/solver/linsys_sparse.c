/* Sparse systems for large models. Instead of selecting rows and columns (whose reduced
 * matrices are dense even for a chain) the dynamic part is taken by projection: with N a basis
 * of the null space of G the stage equations are
 *     N^T (Omega M)^T (M W Z / h - f) = 0,   g = 0,
 * (Omega brings the rows of M to size 1), which needs no N: it is the saddle point system,
 * M^T standing for (Omega M)^T,
 *     [ M^T (lambda M - h K)   G^T    ] [ delta ]   [ h M^T r ]
 *     [ G                      -eps I ] [ mu    ] = [ -c      ]
 * with the G, M, K of the last Jacobian. It is regular exactly when [M; G] has full column
 * rank; eps keeps redundant rows of G harmless. mu is O(h^s), so that eps mu is far below any
 * tolerance. The real and the complex matrices are the lanes of one factorization
 * (sparse_lu.c). Cost O(fill), linear in N for a chain of N pendula. */
#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>
#include <suitesparse/btf.h>
#include <suitesparse/klu.h>

#include "base/base.h"
#include "solver/lanes.h"
#include "solver/linsys.h"
#include "solver/sparse_lu.h"

#define REDUNDANCY 1e-11
/* Times n + nnz for a matching; more is not worth it. */
#define MATCHING_WORK 20.0
/* Entries of L and U, in units of those that AMD counts in one of them, from
 * which the other order is taken. */
#define MUCH_FILL 5.0

/* One product M_ij * A_ik of row i, added to entry (j, k) of the upper left block. */
typedef struct {
  uint32_t m, a, at;
} Product;

typedef struct {
  DaeLinsys base;
  uint32_t n, n_diff, n_con, size;
  int *column_start, *row;
  Product *mass_products, *k_products;
  uint32_t n_mass_products, n_k_products;
  uint32_t *g_place; /* 2 per entry of G */
  uint32_t *d_place; /* n_con, the entries -eps */
  double *mm, *mk;   /* values of M^T M and M^T K in the places of the matrix */
  double *row_weight;
  const double *m, *k, *gx;
  double *weighted;                /* values of Omega M: rows of M brought to size 1, squared */
  double *border;                  /* what is added to lambda M^T M: -h M^T K, G, -eps */
  DaeSparseLu *stages, *mass;      /* stages: NULL where only the mass matrix is asked for */
  int *second_order, *second_rows; /* for the case that the first order fills too much */
  bool mass_factored, mass_regular;
  uint32_t width; /* of the last factors */
  double h;
  double *hat; /* size x lanes */
  /* T^-1 and T by columns, in the lanes of the systems: real parts, then imaginary ones */
  double there[DAE_STAGE_LANES][DAE_STAGE_LANES];
  double back[DAE_STAGE_LANES][DAE_STAGE_LANES];
} Sparse;

static void
sparse_free(DaeLinsys *ls)
{
  Sparse *s = (Sparse *)ls;
  dae_sparse_lu_free(s->stages);
  dae_sparse_lu_free(s->mass);
  void *all[] = {
      s->column_start, s->row, s->mass_products, s->k_products,    s->g_place, s->d_place,
      s->mm,           s->mk,  s->row_weight,    s->weighted,      s->border,  s->second_order,
      s->second_rows,  s->hat, s->base.states,   s->base.row_scale};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  g_free(s);
}

/* border = -h M^T K with the constraint blocks. */
static void
fill_border(const Sparse *s, double h)
{
  size_t nnz = (size_t)s->column_start[s->size];
  const DaePattern *g = &s->base.ev->constraint;
  if (h != 0.0) {
    for (size_t e = 0; e < nnz; e++) {
      s->border[e] = -h * s->mk[e];
    }
  } else {
    memset(s->border, 0, sizeof(double) * nnz);
  }
  for (uint32_t i = 0; i < s->n_con; i++) {
    for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
      double value = s->gx[e] * s->row_weight[i];
      s->border[s->g_place[(size_t)2 * e]] = value;
      s->border[s->g_place[(size_t)2 * e + 1]] = value;
    }
    s->border[s->d_place[i]] = -REDUNDANCY;
  }
}

/* fmax is a call where a NaN must be told from a number. */
static inline double
larger_of(double a, double b)
{
  return a > b ? a : b;
}

static void
scale_constraints(Sparse *s)
{
  const DaePattern *g = &s->base.ev->constraint;
  for (uint32_t i = 0; i < s->n_con; i++) {
    double largest = 0.0;
    double size = 0.0;
    for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
      largest = larger_of(fabs(s->gx[e]) * s->base.nominal[g->column[e]], largest);
      size = larger_of(fabs(s->gx[e]), size);
    }
    s->base.row_scale[i] = fmax(largest, 1.0);
    s->row_weight[i] = size > 0.0 ? 1.0 / size : 0.0;
  }
}

static void
accumulate(const Product *products, uint32_t count, const double *m, const double *a,
           double *out)
{
  for (uint32_t p = 0; p < count; p++) {
    out[products[p].at] += m[products[p].m] * a[products[p].a];
  }
}

static bool
factor_in_some_order(const Sparse *s, DaeSparseLu *lu, uint32_t width)
{
  if (dae_sparse_lu_factor(lu, width)) {
    return true;
  }
  if (!lu->is_over_limit) {
    return false;
  }
  dae_sparse_lu_reorder(lu, s->second_order, s->second_rows);
  return dae_sparse_lu_factor(lu, width);
}

/* Lane 0 is the real system, lane 1 + k pair k; spare lanes repeat the first. */
static void
take_tableau(Sparse *s, const DaeTableau *tableau)
{
  uint32_t width = DAE_LANES_OF(tableau->s) / 2;
  DaeSparseLu *lu = s->stages;
  s->width = width;
  memset(s->there, 0, sizeof(s->there));
  memset(s->back, 0, sizeof(s->back));
  for (uint32_t k = 0; k < width; k++) {
    bool is_pair = k > 0 && k <= tableau->n_pairs;
    lu->re[k] = is_pair ? tableau->alpha[k - 1] : tableau->gamma;
    lu->im[k] = is_pair ? tableau->beta[k - 1] : 0.0;
    for (uint32_t l = 0; l < tableau->s && k <= tableau->n_pairs; l++) {
      uint32_t part = k == 0 ? 0 : 2 * k - 1;
      s->there[l][k] = tableau->ti[part][l];
      s->back[k][l] = tableau->t[l][part];
      if (is_pair) {
        s->there[l][width + k] = tableau->ti[part + 1][l];
        s->back[width + k][l] = tableau->t[l][part + 1];
      }
    }
  }
}

static bool
sparse_factor(DaeLinsys *ls, const DaeTableau *tableau, double h)
{
  Sparse *s = (Sparse *)ls;
  take_tableau(s, tableau);
  fill_border(s, h);
  s->h = h;
  return factor_in_some_order(s, s->stages, s->width);
}

#define LANES_(name) name##_4
#define LANES_VECTOR DaeVector4
#define LANES_TARGET
#include "solver/sparse-stages-lanes.inc"

#define LANES_(name) name##_8
#define LANES_VECTOR DaeVector8
#define LANES_TARGET
#include "solver/sparse-stages-lanes.inc"

#if defined(DAE_HAVE_X86)
#define LANES_(name) name##_4_avx2
#define LANES_VECTOR DaeVector4
#define LANES_TARGET DAE_TARGET_AVX2
#include "solver/sparse-stages-lanes.inc"

#define LANES_(name) name##_8_avx2
#define LANES_VECTOR DaeVector8
#define LANES_TARGET DAE_TARGET_AVX2
#include "solver/sparse-stages-lanes.inc"

#define LANES_(name) name##_8_avx512
#define LANES_VECTOR DaeVector8
#define LANES_TARGET DAE_TARGET_AVX512
#include "solver/sparse-stages-lanes.inc"
#endif

static void
sparse_stages(DaeLinsys *ls, const DaeTableau *tableau, double h, const double *r,
              const double *c, double *delta)
{
  Sparse *s = (Sparse *)ls;
  bool narrow = DAE_LANES_OF(tableau->s) == 4;
#if defined(DAE_HAVE_X86)
  int level = dae_lanes_level();
  if (level > 0) {
    (narrow      ? solve_stages_4_avx2
     : level > 1 ? solve_stages_8_avx512
                 : solve_stages_8_avx2)(s, h, r, c, delta);
    return;
  }
#endif
  (narrow ? solve_stages_4 : solve_stages_8)(s, h, r, c, delta);
}

/* out (n) += factor M^T r. */
static void
multiply_by_mass_transposed(const Sparse *s, double factor, const double *r, double *out)
{
  const DaePattern *mass = &s->base.ev->mass;
  for (uint32_t i = 0; i < s->n_diff; i++) {
    for (uint32_t e = mass->row_start[i]; e < mass->row_start[i + 1]; e++) {
      out[mass->column[e]] += s->weighted[e] * factor * r[i];
    }
  }
}

/* Solves the first system of lu for the right side in hat; the first `count`
 * unknowns of the solution go to out. */
static void
solve_one(const Sparse *s, DaeSparseLu *lu, uint32_t width, uint32_t first, uint32_t count,
          double *out)
{
  for (uint32_t j = 0; j < s->size; j++) {
    lu->x[lu->place[j]] = lu->row_scale[j] * s->hat[j];
  }
  dae_sparse_lu_solve_first(lu, width);
  for (uint32_t k = 0; k < s->size; k++) {
    uint32_t j = (uint32_t)lu->column_order[k];
    if (j >= first && j < first + count) {
      out[j - first] = lu->x[k];
    }
  }
}

static void
sparse_error(DaeLinsys *ls, const double *r, double *e)
{
  Sparse *s = (Sparse *)ls;
  memset(s->hat, 0, sizeof(double) * s->size);
  multiply_by_mass_transposed(s, s->h, r, s->hat);
  solve_one(s, s->stages, s->width, 0, s->n, e);
}

static bool
ensure_mass_factor(Sparse *s)
{
  if (!s->mass_factored) {
    fill_border(s, 0.0);
    s->mass_regular = factor_in_some_order(s, s->mass, 0);
    s->mass_factored = true;
  }
  return s->mass_regular;
}

/* Redundant rows of G at the current point: a right side outside the range of G needs multipliers
 * of size 1/eps. The number is a lower bound, 1 for any number of them that share one probe. */
static uint32_t
count_redundant_rows(Sparse *s)
{
  if (s->n_con == 0 || !ensure_mass_factor(s)) {
    return 0;
  }
  memset(s->hat, 0, sizeof(double) * s->n);
  uint32_t seed = 1;
  for (uint32_t i = 0; i < s->n_con; i++) {
    seed = seed * 1664525u + 1013904223u;
    s->hat[s->n + i] = 0.5 + (double)(seed >> 8) / 16777216.0;
  }
  solve_one(s, s->mass, 0, s->n, s->n_con, s->hat);
  for (uint32_t i = 0; i < s->n_con; i++) {
    if (fabs(s->hat[i]) > 1e-3 / REDUNDANCY) {
      return 1;
    }
  }
  return 0;
}

static void
weight_mass(Sparse *s, const double *xdot)
{
  const DaePattern *mass = &s->base.ev->mass;
  for (uint32_t i = 0; i < s->n_diff; i++) {
    double size = 0.0;
    for (uint32_t e = mass->row_start[i]; e < mass->row_start[i + 1]; e++) {
      double weighted = fabs(s->m[e]) * dae_linsys_rate(&s->base, xdot, mass->column[e]);
      size = larger_of(weighted, size);
    }
    for (uint32_t e = mass->row_start[i]; e < mass->row_start[i + 1]; e++) {
      s->weighted[e] = size > 0.0 ? s->m[e] / (size * size) : 0.0;
    }
  }
}

static bool
sparse_split(DaeLinsys *ls, const DaeLinsysValues *values)
{
  Sparse *s = (Sparse *)ls;
  size_t nnz = (size_t)s->column_start[s->size];
  s->m = values->m;
  s->k = values->k;
  s->gx = values->gx;
  scale_constraints(s);
  weight_mass(s, values->xdot);
  memset(s->mm, 0, sizeof(double) * nnz);
  accumulate(s->mass_products, s->n_mass_products, s->weighted, s->m, s->mm);
  if (s->k != NULL) {
    memset(s->mk, 0, sizeof(double) * nnz);
    accumulate(s->k_products, s->n_k_products, s->weighted, s->k, s->mk);
  }
  s->mass_factored = false;
  ls->selection_changed = false;
  if (ls->known_rank == 0) {
    ls->n_constrained = s->n_con - count_redundant_rows(s);
    ls->known_rank = MAX(ls->n_constrained, 1);
  }
  return true;
}

/* Least change in the norm |M dx|. */
static void
sparse_project(DaeLinsys *ls, const double *g, double *dx)
{
  Sparse *s = (Sparse *)ls;
  memset(dx, 0, sizeof(double) * s->n);
  if (!ensure_mass_factor(s)) {
    return;
  }
  memset(s->hat, 0, sizeof(double) * s->n);
  for (uint32_t i = 0; i < s->n_con; i++) {
    s->hat[s->n + i] = -g[i] * s->row_weight[i];
  }
  solve_one(s, s->mass, 0, 0, s->n, dx);
}

static bool
sparse_derivative(DaeLinsys *ls, const double *f, const double *gt, double *xdot)
{
  Sparse *s = (Sparse *)ls;
  if (!ensure_mass_factor(s)) {
    return false;
  }
  memset(s->hat, 0, sizeof(double) * s->n);
  multiply_by_mass_transposed(s, 1.0, f, s->hat);
  for (uint32_t i = 0; i < s->n_con; i++) {
    s->hat[s->n + i] = -gt[i] * s->row_weight[i];
  }
  solve_one(s, s->mass, 0, 0, s->n, xdot);
  return true;
}

static const DaeLinsysOps sparse_ops = {
    .free = sparse_free,
    .split = sparse_split,
    .factor = sparse_factor,
    .stages = sparse_stages,
    .error = sparse_error,
    .project = sparse_project,
    .derivative = sparse_derivative,
};

static int
compare_keys(gconstpointer a, gconstpointer b)
{
  uint64_t x = *(const uint64_t *)a;
  uint64_t y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static uint64_t
key_of(uint32_t row, uint32_t column)
{
  return (uint64_t)column << 32 | row;
}

/* All (j, k) with M_ij and A_ik in one row. */
static void
add_product_keys(GArray *keys, const DaePattern *mass, const DaePattern *a)
{
  for (uint32_t i = 0; i < mass->n_rows; i++) {
    for (uint32_t p = mass->row_start[i]; p < mass->row_start[i + 1]; p++) {
      for (uint32_t q = a->row_start[i]; q < a->row_start[i + 1]; q++) {
        uint64_t key = key_of(mass->column[p], a->column[q]);
        g_array_append_val(keys, key);
      }
    }
  }
}

/* Position of (row, column) among the sorted keys. */
static uint32_t
find_place(const Sparse *s, uint32_t row, uint32_t column)
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

static Product *
list_products(const Sparse *s, const DaePattern *a, uint32_t *count)
{
  const DaePattern *mass = &s->base.ev->mass;
  GArray *products = g_array_new(FALSE, FALSE, sizeof(Product));
  for (uint32_t i = 0; i < mass->n_rows; i++) {
    for (uint32_t p = mass->row_start[i]; p < mass->row_start[i + 1]; p++) {
      for (uint32_t q = a->row_start[i]; q < a->row_start[i + 1]; q++) {
        Product product = {.m = p, .a = q, .at = find_place(s, mass->column[p], a->column[q])};
        g_array_append_val(products, product);
      }
    }
  }
  *count = products->len;
  return (Product *)(void *)g_array_free(products, FALSE);
}

static void
build_pattern(Sparse *s)
{
  const DaeEvaluator *ev = s->base.ev;
  GArray *keys = g_array_new(FALSE, FALSE, sizeof(uint64_t));
  add_product_keys(keys, &ev->mass, &ev->mass);
  add_product_keys(keys, &ev->mass, &ev->dynamics);
  for (uint32_t i = 0; i < s->n_con; i++) {
    uint64_t diagonal = key_of(s->n + i, s->n + i);
    g_array_append_val(keys, diagonal);
    for (uint32_t e = ev->constraint.row_start[i]; e < ev->constraint.row_start[i + 1]; e++) {
      uint64_t below = key_of(s->n + i, ev->constraint.column[e]);
      uint64_t right = key_of(ev->constraint.column[e], s->n + i);
      g_array_append_val(keys, below);
      g_array_append_val(keys, right);
    }
  }
  g_array_sort(keys, compare_keys);
  s->column_start = g_new0(int, s->size + 1);
  s->row = g_new0(int, keys->len + 1);
  uint32_t count = 0;
  for (uint32_t k = 0; k < keys->len; k++) {
    uint64_t key = g_array_index(keys, uint64_t, k);
    if (k > 0 && key == g_array_index(keys, uint64_t, k - 1)) {
      continue;
    }
    s->row[count++] = (int)(key & 0xffffffffu);
    s->column_start[(key >> 32) + 1] = (int)count;
  }
  for (uint32_t j = 0; j < s->size; j++) {
    s->column_start[j + 1] = MAX(s->column_start[j + 1], s->column_start[j]);
  }
  g_array_free(keys, TRUE);
}

static void
find_places(Sparse *s)
{
  const DaeEvaluator *ev = s->base.ev;
  s->mass_products = list_products(s, &ev->mass, &s->n_mass_products);
  s->k_products = list_products(s, &ev->dynamics, &s->n_k_products);
  s->g_place = g_new0(uint32_t, 2 * (size_t)ev->constraint.row_start[s->n_con] + 1);
  s->d_place = g_new0(uint32_t, s->n_con + 1);
  for (uint32_t i = 0; i < s->n_con; i++) {
    s->d_place[i] = find_place(s, s->n + i, s->n + i);
    for (uint32_t e = ev->constraint.row_start[i]; e < ev->constraint.row_start[i + 1]; e++) {
      s->g_place[(size_t)2 * e] = find_place(s, s->n + i, ev->constraint.column[e]);
      s->g_place[(size_t)2 * e + 1] = find_place(s, ev->constraint.column[e], s->n + i);
    }
  }
}

/* Rows are matched with columns, the entries -eps left out, and the matched matrix is ordered like
 * a symmetric one (AMD). The pivots are then mostly the matched rows. Half the fill of COLAMD on
 * circuits, three quarters on chains and grids; where pivots must leave the diagonal often AMD's
 * count is no bound, so it is watched. Returns AMD's count of the fill, 0: no such order. */
static double
order_matched(const Sparse *s, int *order, int *preferred)
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

static DaeSparseLu *
new_factors(const Sparse *s, const int *order, const int *preferred, double fill,
            uint32_t width_max)
{
  DaeSparseLu *lu =
      dae_sparse_lu_new(s->size, s->column_start, s->row, order, preferred, width_max);
  lu->a = s->mm;
  lu->b = s->border;
  lu->fill_limit = fill > 0.0 ? (size_t)(MUCH_FILL * fill) : 0;
  lu->expected_fill = (size_t)fill;
  return lu;
}

/* The orders of the columns: of a matched matrix, and COLAMD's, which holds for all pivots. */
static bool
order_columns(Sparse *s, uint32_t stages_max)
{
  klu_common common;
  klu_defaults(&common);
  common.btf = 0;
  common.ordering = 1;
  klu_symbolic *symbolic = klu_analyze((int)s->size, s->column_start, s->row, &common);
  if (symbolic == NULL) {
    return false;
  }
  s->second_order = g_memdup2(symbolic->Q, s->size * sizeof(int));
  s->second_rows = g_memdup2(symbolic->P, s->size * sizeof(int));
  double fill = order_matched(s, symbolic->Q, symbolic->P);
  const int *order = fill > 0.0 ? symbolic->Q : s->second_order;
  const int *preferred = fill > 0.0 ? symbolic->P : s->second_rows;
  s->mass = new_factors(s, order, preferred, fill, 0);
  if (stages_max >= 3) {
    s->stages = new_factors(s, order, preferred, fill, DAE_LANES_OF(stages_max) / 2);
  }
  klu_free_symbolic(&symbolic, &common);
  return true;
}

DaeLinsys *
dae_linsys_sparse_new(const DaeEvaluator *ev, const double *nominal, uint32_t stages_max)
{
  Sparse *s = g_new0(Sparse, 1);
  s->base.ops = &sparse_ops;
  s->base.ev = ev;
  s->base.is_sparse = true;
  s->base.nominal = nominal;
  s->n = ev->n;
  s->n_diff = ev->n_diff;
  s->n_con = ev->n_con;
  s->size = ev->n + ev->n_con;
  s->base.states = g_new0(uint8_t, ev->n + 1);
  s->base.row_scale = g_new0(double, ev->n_con + 1);
  build_pattern(s);
  find_places(s);
  size_t nnz = (size_t)s->column_start[s->size];
  s->mm = g_new0(double, nnz + 1);
  s->mk = g_new0(double, nnz + 1);
  s->row_weight = g_new0(double, ev->n_con + 1);
  s->weighted = g_new0(double, ev->mass.row_start[ev->n_diff] + 1);
  s->border = g_new0(double, nnz + 1);
  s->hat = g_new0(double, (size_t)s->size *DAE_LANES_OF(stages_max) + 1);
  if (!order_columns(s, stages_max)) {
    sparse_free(&s->base);
    return NULL;
  }
  return &s->base;
}
