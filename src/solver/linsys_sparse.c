/* Sparse systems for large models. Instead of selecting rows and columns (whose reduced matrices are dense even for a
 * chain) the dynamic part is taken by projection: with N a basis of the null space of G the stage equations are
 *     N^T (Omega M)^T (M W Z / h - f) = 0,   g = 0,
 * (Omega brings the rows of M to size 1), which needs no N: it is the saddle point system, M^T standing for (Omega M)^T,
 *     [ M^T (lambda M - h K)   G^T    ] [ delta ]   [ h M^T r ]
 *     [ G                      -eps I ] [ mu    ] = [ -c      ]
 * with the G, M, K of the last Jacobian. It is regular exactly when [M; G] has full column rank; eps keeps redundant rows of
 * G harmless. mu is O(h^s), so that eps mu is far below any tolerance. KLU factors it; refactorization with the
 * old pivots allocates nothing and is tried first. Cost O(fill), linear in N for a chain of N pendula. */
#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "base/base.h"
#include "solver/lanes.h"
#include "solver/linsys.h"

#define REDUNDANCY 1e-11
#define SMALLEST_RCOND 1e-15

typedef struct {
  double *entries; /* real, or interleaved complex */
  klu_numeric *numeric;
  bool is_complex;
} Factor;

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
  double *weighted; /* values of Omega M: rows of M brought to size 1, squared */
  klu_common common;
  klu_symbolic *symbolic;
  Factor real, mass, pair[DAE_PAIRS_MAX];
  bool mass_factored, mass_regular;
  double h;    /* of the last factors */
  double *b;   /* 2 size */
  double *hat; /* size x stages */
} Sparse;

static void
free_factor(Sparse *s, Factor *factor)
{
  if (factor->numeric != NULL && factor->is_complex) {
    klu_z_free_numeric(&factor->numeric, &s->common);
  } else if (factor->numeric != NULL) {
    klu_free_numeric(&factor->numeric, &s->common);
  }
  g_free(factor->entries);
}

static void
sparse_free(DaeLinsys *ls)
{
  Sparse *s = (Sparse *)ls;
  free_factor(s, &s->real);
  free_factor(s, &s->mass);
  for (uint32_t k = 0; k < DAE_PAIRS_MAX; k++) {
    free_factor(s, &s->pair[k]);
  }
  klu_free_symbolic(&s->symbolic, &s->common);
  void *all[] = {s->column_start,
                 s->row,
                 s->mass_products,
                 s->k_products,
                 s->g_place,
                 s->d_place,
                 s->mm,
                 s->mk,
                 s->row_weight,
                 s->weighted,
                 s->b,
                 s->hat,
                 s->base.states,
                 s->base.row_scale};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  g_free(s);
}

/* Factors with the old pivots if they still serve, otherwise anew. */
static bool
factor_matrix(Sparse *s, Factor *f)
{
  klu_common *c = &s->common;
  if (f->numeric != NULL) {
    int good =
        f->is_complex
            ? klu_z_refactor(s->column_start, s->row, f->entries, s->symbolic, f->numeric, c)
            : klu_refactor(s->column_start, s->row, f->entries, s->symbolic, f->numeric, c);
    good = good && c->status == KLU_OK &&
           (f->is_complex
                ? klu_z_rgrowth(s->column_start, s->row, f->entries, s->symbolic, f->numeric, c)
                : klu_rgrowth(s->column_start, s->row, f->entries, s->symbolic, f->numeric, c));
    if (good && c->rgrowth > 1e-6) {
      return true;
    }
    if (f->is_complex) {
      klu_z_free_numeric(&f->numeric, c);
    } else {
      klu_free_numeric(&f->numeric, c);
    }
  }
  f->numeric = f->is_complex ? klu_z_factor(s->column_start, s->row, f->entries, s->symbolic, c)
                             : klu_factor(s->column_start, s->row, f->entries, s->symbolic, c);
  if (f->numeric == NULL || c->status != KLU_OK) {
    return false;
  }
  int good = f->is_complex ? klu_z_rcond(s->symbolic, f->numeric, c)
                           : klu_rcond(s->symbolic, f->numeric, c);
  return good && c->rcond > SMALLEST_RCOND * 1e-6;
}

/* entries = re MM - h MK (and im MM), with the constraint blocks. */
static void
fill_matrix(const Sparse *s, Factor *f, double re, double im, double h)
{
  size_t nnz = (size_t)s->column_start[s->size];
  const DaePattern *g = &s->base.ev->constraint;
  size_t step = f->is_complex ? 2 : 1;
  for (size_t e = 0; e < nnz; e++) {
    f->entries[step * e] = re * s->mm[e] - (h != 0.0 ? h * s->mk[e] : 0.0);
    if (f->is_complex) {
      f->entries[2 * e + 1] = im * s->mm[e];
    }
  }
  for (uint32_t i = 0; i < s->n_con; i++) {
    for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
      double value = s->gx[e] * s->row_weight[i];
      f->entries[step * s->g_place[(size_t)2 * e]] = value;
      f->entries[step * s->g_place[(size_t)2 * e + 1]] = value;
    }
    f->entries[step * s->d_place[i]] = -REDUNDANCY;
  }
}

static void
scale_constraints(Sparse *s)
{
  const DaePattern *g = &s->base.ev->constraint;
  for (uint32_t i = 0; i < s->n_con; i++) {
    double largest = 0.0;
    double size = 0.0;
    for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
      largest = fmax(largest, fabs(s->gx[e]) * s->base.nominal[g->column[e]]);
      size = fmax(size, fabs(s->gx[e]));
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
sparse_factor(DaeLinsys *ls, const DaeTableau *tableau, double h)
{
  Sparse *s = (Sparse *)ls;
  fill_matrix(s, &s->real, tableau->gamma, 0.0, h);
  s->h = h;
  if (!factor_matrix(s, &s->real)) {
    return false;
  }
  for (uint32_t k = 0; k < tableau->n_pairs; k++) {
    fill_matrix(s, &s->pair[k], tableau->alpha[k], tableau->beta[k], h);
    if (!factor_matrix(s, &s->pair[k])) {
      return false;
    }
  }
  return true;
}

/* out (n) += factor M^T r for the lane l of r. */
static void
multiply_by_mass_transposed(const Sparse *s, double factor, const double *r, uint32_t lanes,
                            uint32_t l, double *out)
{
  const DaePattern *mass = &s->base.ev->mass;
  for (uint32_t i = 0; i < s->n_diff; i++) {
    double value = factor * r[(size_t)i * lanes + l];
    for (uint32_t e = mass->row_start[i]; e < mass->row_start[i + 1]; e++) {
      out[mass->column[e]] += s->weighted[e] * value;
    }
  }
}

static void
sparse_stages(DaeLinsys *ls, const DaeTableau *tableau, double h, const double *r,
              const double *c, double *delta)
{
  Sparse *s = (Sparse *)ls;
  uint32_t stages = tableau->s;
  uint32_t lanes = DAE_LANES_OF(stages);
  memset(s->hat, 0, sizeof(double) * s->size * stages);
  for (uint32_t l = 0; l < stages; l++) {
    double *rhs = s->hat + (size_t)l * s->size;
    multiply_by_mass_transposed(s, h, r, lanes, l, rhs);
    for (uint32_t i = 0; i < s->n_con; i++) {
      rhs[s->n + i] = -c[(size_t)i * lanes + l] * s->row_weight[i];
    }
  }
  for (uint32_t j = 0; j < s->size; j++) {
    double v[DAE_STAGES_MAX];
    for (uint32_t i = 0; i < stages; i++) {
      double sum = 0.0;
      for (uint32_t l = 0; l < stages; l++) {
        sum += tableau->ti[i][l] * s->hat[(size_t)l * s->size + j];
      }
      v[i] = sum;
    }
    for (uint32_t i = 0; i < stages; i++) {
      s->hat[(size_t)i * s->size + j] = v[i];
    }
  }
  int size = (int)s->size;
  klu_solve(s->symbolic, s->real.numeric, size, 1, s->hat, &s->common);
  for (uint32_t k = 0; k < tableau->n_pairs; k++) {
    double *re = s->hat + (size_t)(1 + 2 * k) * s->size;
    double *im = re + s->size;
    for (uint32_t j = 0; j < s->size; j++) {
      s->b[(size_t)2 * j] = re[j];
      s->b[(size_t)2 * j + 1] = im[j];
    }
    klu_z_solve(s->symbolic, s->pair[k].numeric, size, 1, s->b, &s->common);
    for (uint32_t j = 0; j < s->size; j++) {
      re[j] = s->b[(size_t)2 * j];
      im[j] = s->b[(size_t)2 * j + 1];
    }
  }
  for (uint32_t j = 0; j < s->n; j++) {
    for (uint32_t i = 0; i < stages; i++) {
      double sum = 0.0;
      for (uint32_t l = 0; l < stages; l++) {
        sum += tableau->t[i][l] * s->hat[(size_t)l * s->size + j];
      }
      delta[(size_t)j * lanes + i] = sum;
    }
  }
}

static void
sparse_error(DaeLinsys *ls, const double *r, double *e)
{
  Sparse *s = (Sparse *)ls;
  memset(s->b, 0, sizeof(double) * s->size);
  multiply_by_mass_transposed(s, s->h, r, 1, 0, s->b);
  klu_solve(s->symbolic, s->real.numeric, (int)s->size, 1, s->b, &s->common);
  memcpy(e, s->b, sizeof(double) * s->n);
}

static bool
ensure_mass_factor(Sparse *s)
{
  if (!s->mass_factored) {
    fill_matrix(s, &s->mass, 1.0, 0.0, 0.0);
    s->mass_regular = factor_matrix(s, &s->mass);
    s->mass_factored = true;
  }
  return s->mass_regular;
}

/* Redundant rows of G at the current point: a right side outside the range of G needs multipliers of size 1/eps. The
 * number is a lower bound, 1 for any number of them that share one probe. */
static uint32_t
count_redundant_rows(Sparse *s)
{
  if (s->n_con == 0 || !ensure_mass_factor(s)) {
    return 0;
  }
  memset(s->b, 0, sizeof(double) * s->n);
  uint32_t seed = 1;
  for (uint32_t i = 0; i < s->n_con; i++) {
    seed = seed * 1664525u + 1013904223u;
    s->b[s->n + i] = 0.5 + (double)(seed >> 8) / 16777216.0;
  }
  klu_solve(s->symbolic, s->mass.numeric, (int)s->size, 1, s->b, &s->common);
  for (uint32_t i = 0; i < s->n_con; i++) {
    if (fabs(s->b[s->n + i]) > 1e-3 / REDUNDANCY) {
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
      size = fmax(size, fabs(s->m[e]) * dae_linsys_rate(&s->base, xdot, mass->column[e]));
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
  memset(s->b, 0, sizeof(double) * s->n);
  for (uint32_t i = 0; i < s->n_con; i++) {
    s->b[s->n + i] = -g[i] * s->row_weight[i];
  }
  klu_solve(s->symbolic, s->mass.numeric, (int)s->size, 1, s->b, &s->common);
  memcpy(dx, s->b, sizeof(double) * s->n);
}

static bool
sparse_derivative(DaeLinsys *ls, const double *f, const double *gt, double *xdot)
{
  Sparse *s = (Sparse *)ls;
  if (!ensure_mass_factor(s)) {
    return false;
  }
  memset(s->b, 0, sizeof(double) * s->n);
  multiply_by_mass_transposed(s, 1.0, f, 1, 0, s->b);
  for (uint32_t i = 0; i < s->n_con; i++) {
    s->b[s->n + i] = -gt[i] * s->row_weight[i];
  }
  klu_solve(s->symbolic, s->mass.numeric, (int)s->size, 1, s->b, &s->common);
  memcpy(xdot, s->b, sizeof(double) * s->n);
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
  s->b = g_new0(double, 2 * (size_t)s->size + 1);
  s->hat = g_new0(double, (size_t)s->size *stages_max + 1);
  s->real.entries = g_new0(double, nnz + 1);
  s->mass.entries = g_new0(double, nnz + 1);
  for (uint32_t k = 0; k < (stages_max - 1) / 2; k++) {
    s->pair[k].entries = g_new0(double, 2 * nnz + 1);
    s->pair[k].is_complex = true;
  }
  klu_defaults(&s->common);
  s->common.ordering =
      1; /* COLAMD: pivots leave the diagonal often here, where AMD's fill is no bound */
  s->common.tol = 0.01;
  s->symbolic = klu_analyze((int)s->size, s->column_start, s->row, &s->common);
  if (s->symbolic == NULL) {
    sparse_free(&s->base);
    return NULL;
  }
  return &s->base;
}
