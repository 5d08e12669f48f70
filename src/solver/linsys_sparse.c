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

#include "base/base.h"
#include "solver/lanes.h"
#include "solver/linsys.h"
#include "solver/saddle.h"

typedef struct {
  DaeLinsys base;
  uint32_t n, n_diff, n_con, size;
  double *row_weight;
  const double *m, *k, *gx;
  double *weighted;  /* values of Omega M: rows of M brought to size 1, squared */
  DaeSaddle *stages; /* NULL where only the mass matrix is asked for */
  DaeSaddle *mass;   /* without K */
  bool mass_factored, mass_regular;
  bool mass_permutes; /* one entry in every row and column of M, no constraints */
  uint32_t width;     /* of the last factors */
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
  dae_saddle_free(s->stages);
  dae_saddle_free(s->mass);
  void *all[] = {s->row_weight, s->weighted, s->hat, s->base.states, s->base.row_scale};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  g_free(s);
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

/* Lane 0 is the real system, lane 1 + k pair k; spare lanes repeat the first. */
static void
take_tableau(Sparse *s, const DaeTableau *tableau)
{
  uint32_t width = DAE_LANES_OF(tableau->s) / 2;
  DaeSparseLu *lu = s->stages->lu;
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
  s->h = h;
  return dae_saddle_factor(s->stages, h, s->gx, s->row_weight, s->width);
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
  solve_one(s, s->stages->lu, s->width, 0, s->n, e);
}

static bool
ensure_mass_factor(Sparse *s)
{
  if (!s->mass_factored) {
    s->mass_regular = dae_saddle_factor(s->mass, 0.0, s->gx, s->row_weight, 0);
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
  solve_one(s, s->mass->lu, 0, s->n, s->n_con, s->hat);
  for (uint32_t i = 0; i < s->n_con; i++) {
    if (fabs(s->hat[i]) > 1e-3 / DAE_SADDLE_EPSILON) {
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
  s->m = values->m;
  s->k = values->k;
  s->gx = values->gx;
  scale_constraints(s);
  weight_mass(s, values->xdot);
  dae_saddle_take(s->mass, s->weighted, s->m, NULL);
  if (s->k != NULL && s->stages != NULL) {
    dae_saddle_take(s->stages, s->weighted, s->m, s->k);
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
  solve_one(s, s->mass->lu, 0, 0, s->n, dx);
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
  solve_one(s, s->mass->lu, 0, 0, s->n, xdot);
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

static bool
mass_permutes(const DaeEvaluator *ev)
{
  if (ev->n_con > 0 || ev->n_diff != ev->n || ev->mass.row_start[ev->n_diff] != ev->n) {
    return false;
  }
  g_autofree bool *seen = g_new0(bool, ev->n + 1);
  for (uint32_t i = 0; i < ev->n; i++) {
    uint32_t column = ev->mass.row_start[i] == i ? ev->mass.column[i] : ev->n;
    if (column == ev->n || seen[column]) {
      return false;
    }
    seen[column] = true;
  }
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
  s->row_weight = g_new0(double, ev->n_con + 1);
  s->weighted = g_new0(double, ev->mass.row_start[ev->n_diff] + 1);
  s->hat = g_new0(double, (size_t)s->size *DAE_LANES_OF(stages_max) + 1);
  s->mass_permutes = mass_permutes(ev);
  bool has_stages = stages_max >= 3;
  s->mass = dae_saddle_new(ev, 0);
  s->stages = has_stages ? dae_saddle_new(ev, DAE_LANES_OF(stages_max) / 2) : NULL;
  if (s->mass == NULL || (has_stages && s->stages == NULL)) {
    sparse_free(&s->base);
    return NULL;
  }
  return &s->base;
}
