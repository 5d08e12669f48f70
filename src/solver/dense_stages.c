/* The stage systems of the dense reduced matrices: gamma/h M - K and (alpha + i beta)/h M - K, one
 * real and up to three complex ones. They differ only in their factors, so one order of pivots
 * nearly always serves them all: they are then factored and solved together, one system a lane. */
#include <math.h>
#include <string.h>

#include "solver/linsys_dense.h"
#include "solver/split.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
/* Unknowns of the dynamic part from which the columns of one system fill the vectors better
 * than the systems side by side do: two of order 5, three or four of the others. */
#define PLANAR_FROM_OF_TWO 32
#define PLANAR_FROM 64
/* A common pivot may be so much smaller than the largest of its column, in any of the systems. */
#define SMALLEST_PIVOT 1e-2

/* Transformed stage a in the eight lanes: real parts first. */
static const uint8_t lane_of_stage[DAE_STAGES_MAX] = {0, 1, 5, 2, 6, 3, 7};

static void
set_tables(DaeStageTables *tables, const DaeTableau *tableau)
{
  memset(tables, 0, sizeof *tables);
  tables->tableau = tableau;
  for (uint32_t i = 0; i < tableau->s; i++) {
    for (uint32_t j = 0; j < tableau->s; j++) {
      tables->w[j][i] = tableau->w[i][j];
      tables->forward[j][lane_of_stage[i]] = tableau->ti[i][j];
      tables->back[j][i] = tableau->t[i][j];
    }
  }
}

/* Entries of the four systems, real and imaginary parts; spare lanes repeat the real one. */
static void
fill_systems(DaeDense *d, const DaeTableau *tableau, double h)
{
  size_t size = (size_t)d->n_d * d->n_d;
  DaeVector8 factor = {0.0};
  DaeVector8 unit = {1.0, 1.0, 1.0, 1.0};
  for (uint32_t l = 0; l < 4; l++) {
    bool pair = l >= 1 && l <= tableau->n_pairs;
    factor[l] = (pair ? tableau->alpha[l - 1] : tableau->gamma) / h;
    factor[4 + l] = pair ? tableau->beta[l - 1] / h : 0.0;
  }
  DaeVector8 *a = (DaeVector8 *)(void *)d->systems;
  for (size_t e = 0; e < size; e++) {
    a[e] = factor * d->m_red[e] - unit * d->k_red[e];
  }
}

/* Row with the best worst ratio of its entry in column k to the largest of
 * the column; *worst: that ratio. */
static ALWAYS_INLINE size_t
common_pivot(const DaeVector4 *a, size_t nd, size_t k, double *worst)
{
  DaeVector4 largest = {0.0};
  for (size_t i = k; i < nd; i++) {
    const DaeVector4 *entry = a + 2 * (i * nd + k);
    DaeVector4 size = entry[0] * entry[0] + entry[1] * entry[1];
    for (uint32_t l = 0; l < 4; l++) {
      largest[l] = size[l] > largest[l] ? size[l] : largest[l];
    }
  }
  size_t best = k;
  *worst = -1.0;
  for (size_t i = k; i < nd; i++) {
    const DaeVector4 *entry = a + 2 * (i * nd + k);
    DaeVector4 ratio = (entry[0] * entry[0] + entry[1] * entry[1]) / largest;
    double low = ratio[0];
    for (uint32_t l = 1; l < 4; l++) {
      low = ratio[l] < low ? ratio[l] : low;
    }
    if (low > *worst) { /* false for NaN: then no row will do */
      *worst = low;
      best = i;
    }
  }
  return best;
}

static void
swap_pivot_rows(DaeDense *d, size_t a, size_t b)
{
  DaeVector8 *x = (DaeVector8 *)(void *)d->systems + a * d->n_d;
  DaeVector8 *y = (DaeVector8 *)(void *)d->systems + b * d->n_d;
  for (uint32_t j = 0; a != b && j < d->n_d; j++) {
    DaeVector8 keep = x[j];
    x[j] = y[j];
    y[j] = keep;
  }
  uint32_t keep = d->order[a];
  d->order[a] = d->order[b];
  d->order[b] = keep;
}

/* LU of all systems in place; diagonal entries are left as their inverses.
 * false: no common order of pivots. */
static ALWAYS_INLINE bool
factor_systems(DaeDense *d)
{
  size_t nd = d->n_d;
  DaeVector4 *a = (DaeVector4 *)(void *)d->systems;
  for (size_t i = 0; i < nd; i++) {
    d->order[i] = (uint32_t)i;
  }
  for (size_t k = 0; k < nd; k++) {
    double worst;
    size_t row = common_pivot(a, nd, k, &worst);
    if (!(worst >= SMALLEST_PIVOT * SMALLEST_PIVOT)) {
      return false;
    }
    swap_pivot_rows(d, k, row);
    DaeVector4 *top = a + 2 * k * nd;
    DaeVector4 norm = top[2 * k] * top[2 * k] + top[2 * k + 1] * top[2 * k + 1];
    DaeVector4 re = top[2 * k] / norm;
    DaeVector4 im = -top[2 * k + 1] / norm;
    top[2 * k] = re;
    top[2 * k + 1] = im;
    for (size_t i = k + 1; i < nd; i++) {
      DaeVector4 *line = a + 2 * i * nd;
      DaeVector4 fr = line[2 * k] * re - line[2 * k + 1] * im;
      DaeVector4 fi = line[2 * k] * im + line[2 * k + 1] * re;
      line[2 * k] = fr;
      line[2 * k + 1] = fi;
      for (size_t j = k + 1; j < nd; j++) {
        line[2 * j] -= fr * top[2 * j] - fi * top[2 * j + 1];
        line[2 * j + 1] -= fr * top[2 * j + 1] + fi * top[2 * j];
      }
    }
  }
  return true;
}

/* rhs (n_d x 8) = solutions of all systems. */
static ALWAYS_INLINE void
solve_systems(DaeDense *d)
{
  size_t nd = d->n_d;
  const DaeVector4 *a = (const DaeVector4 *)(const void *)d->systems;
  DaeVector8 *from = (DaeVector8 *)(void *)d->rhs;
  DaeVector8 *moved = from + nd;
  for (size_t i = 0; i < nd; i++) {
    moved[i] = from[d->order[i]];
  }
  DaeVector4 *b = (DaeVector4 *)(void *)moved;
  for (size_t i = 1; i < nd; i++) {
    const DaeVector4 *line = a + 2 * i * nd;
    DaeVector4 re = b[2 * i];
    DaeVector4 im = b[2 * i + 1];
    for (size_t j = 0; j < i; j++) {
      re -= line[2 * j] * b[2 * j] - line[2 * j + 1] * b[2 * j + 1];
      im -= line[2 * j] * b[2 * j + 1] + line[2 * j + 1] * b[2 * j];
    }
    b[2 * i] = re;
    b[2 * i + 1] = im;
  }
  for (size_t i = nd; i-- > 0;) {
    const DaeVector4 *line = a + 2 * i * nd;
    DaeVector4 re = b[2 * i];
    DaeVector4 im = b[2 * i + 1];
    for (size_t j = i + 1; j < nd; j++) {
      re -= line[2 * j] * b[2 * j] - line[2 * j + 1] * b[2 * j + 1];
      im -= line[2 * j] * b[2 * j + 1] + line[2 * j + 1] * b[2 * j];
    }
    b[2 * i] = line[2 * i] * re - line[2 * i + 1] * im;
    b[2 * i + 1] = line[2 * i] * im + line[2 * i + 1] * re;
  }
  memcpy(from, moved, sizeof *moved * nd);
}

/* The same with the factors of each system. */
static void
solve_one_by_one(DaeDense *d)
{
  for (size_t k = 0; k <= d->tables.tableau->n_pairs; k++) {
    for (size_t q = 0; q < d->n_d; q++) {
      d->own_re[q] = d->rhs[q * DAE_STAGE_LANES + k];
      d->own_im[q] = d->rhs[q * DAE_STAGE_LANES + 4 + k];
    }
    dae_planar_solve(&d->own[k], d->own_re, d->own_im);
    for (size_t q = 0; q < d->n_d; q++) {
      d->rhs[q * DAE_STAGE_LANES + k] = d->own_re[q];
      d->rhs[q * DAE_STAGE_LANES + 4 + k] = d->own_im[q];
    }
  }
}

#define LANES_(name) name##4
#define LANES_VECTOR DaeVector4
#define LANES_TARGET
#include "solver/dense-stages-lanes.inc"

#define LANES_(name) name##8
#define LANES_VECTOR DaeVector8
#define LANES_TARGET
#include "solver/dense-stages-lanes.inc"

static bool
factor_plain(DaeDense *d)
{
  return factor_systems(d);
}

static void
solve_plain(DaeDense *d)
{
  solve_systems(d);
}

#if defined(DAE_HAVE_X86)
#define LANES_(name) name##4_avx2
#define LANES_VECTOR DaeVector4
#define LANES_TARGET DAE_TARGET_AVX2
#include "solver/dense-stages-lanes.inc"

#define LANES_(name) name##8_avx2
#define LANES_VECTOR DaeVector8
#define LANES_TARGET DAE_TARGET_AVX2
#include "solver/dense-stages-lanes.inc"

#define LANES_(name) name##8_avx512
#define LANES_VECTOR DaeVector8
#define LANES_TARGET DAE_TARGET_AVX512
#include "solver/dense-stages-lanes.inc"

DAE_TARGET_AVX2 static bool
factor_avx2(DaeDense *d)
{
  return factor_systems(d);
}

DAE_TARGET_AVX2 static void
solve_avx2(DaeDense *d)
{
  solve_systems(d);
}
#endif

/* Each system with pivots of its own. */
static bool
factor_one_by_one(DaeDense *d, const DaeTableau *tableau, double h)
{
  size_t nd = d->n_d;
  for (uint32_t k = 0; k <= tableau->n_pairs; k++) {
    DaePlanar *own = &d->own[k];
    double re = (k == 0 ? tableau->gamma : tableau->alpha[k - 1]) / h;
    double im = k == 0 ? 0.0 : tableau->beta[k - 1] / h;
    dae_planar_resize(own, d->n_d);
    for (size_t i = 0; i < nd; i++) {
      const double *m = d->m_red + i * nd;
      const double *jac = d->k_red + i * nd;
      for (size_t j = 0; j < own->stride; j++) {
        own->re[i * own->stride + j] = j < nd ? re * m[j] - jac[j] : 0.0;
      }
      for (size_t j = 0; k > 0 && j < own->stride; j++) {
        own->im[i * own->stride + j] = j < nd ? im * m[j] : 0.0;
      }
    }
    if (!dae_planar_factor(own)) {
      return false;
    }
  }
  return true;
}

bool
dae_dense_factor(DaeLinsys *ls, const DaeTableau *tableau, double h)
{
  DaeDense *d = (DaeDense *)ls;
  if (d->tables.tableau != tableau) {
    set_tables(&d->tables, tableau);
  }
  if (d->n_d >= (tableau->n_pairs == 1 ? PLANAR_FROM_OF_TWO : PLANAR_FROM)) {
    d->one_order = false;
    return factor_one_by_one(d, tableau, h);
  }
  fill_systems(d, tableau, h);
#if defined(DAE_HAVE_X86)
  d->one_order = dae_lanes_level() > 0 ? factor_avx2(d) : factor_plain(d);
#else
  d->one_order = factor_plain(d);
#endif
  return d->one_order || factor_one_by_one(d, tableau, h);
}

void
dae_dense_stages(DaeLinsys *ls, const DaeTableau *tableau, double h, const double *r,
                 const double *c, double *delta)
{
  DaeDense *d = (DaeDense *)ls;
  bool narrow = DAE_LANES_OF(tableau->s) == 4;
#if defined(DAE_HAVE_X86)
  int level = dae_lanes_level();
  if (level > 0) {
    (narrow ? stages_4_avx2 : level > 1 ? stages_8_avx512 : stages_8_avx2)(d, h, r, c, delta);
    return;
  }
#endif
  (narrow ? stages_4 : stages_8)(d, h, r, c, delta);
}

void
dae_dense_error_solve(DaeDense *d, double *b)
{
  if (!d->one_order) {
    dae_planar_solve(&d->own[0], b, NULL);
    return;
  }
  memset(d->rhs, 0, sizeof(double) * DAE_STAGE_LANES * d->n_d);
  for (size_t q = 0; q < d->n_d; q++) {
    d->rhs[q * DAE_STAGE_LANES] = b[q];
  }
#if defined(DAE_HAVE_X86)
  (dae_lanes_level() > 0 ? solve_avx2 : solve_plain)(d);
#else
  solve_plain(d);
#endif
  for (size_t q = 0; q < d->n_d; q++) {
    b[q] = d->rhs[q * DAE_STAGE_LANES];
  }
}
