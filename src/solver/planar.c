#include "solver/planar.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "solver/lanes.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

static size_t
whole_vectors(uint32_t n)
{
  return ((size_t)n + 7) & ~(size_t)7;
}

DaePlanar
dae_planar_new(uint32_t most, bool is_complex)
{
  DaePlanar a = {.pivot = g_new0(uint32_t, (size_t)most + 1)};
  for (uint32_t k = 0; k < (is_complex ? 2 : 1); k++) {
    /* from the system, which zeroes what is used when it is used: not every order is */
    char *block = g_malloc0(sizeof(double) * most * whole_vectors(most) + 64);
    double *plane = (double *)(void *)(block + (64 - (uintptr_t)block % 64));
    a.blocks[k] = block;
    *(k == 0 ? &a.re : &a.im) = plane;
  }
  return a;
}

void
dae_planar_clear(DaePlanar *a)
{
  g_free(a->blocks[0]);
  g_free(a->blocks[1]);
  g_free(a->pivot);
  memset(a, 0, sizeof *a);
}

void
dae_planar_resize(DaePlanar *a, uint32_t n)
{
  a->n = n;
  a->stride = whole_vectors(n);
}

/* Row with the largest entry of column k at or below row k; its size. */
static size_t
largest_in_column(const DaePlanar *a, size_t k, double *size)
{
  size_t best = k;
  *size = -1.0;
  for (size_t i = k; i < a->n; i++) {
    size_t at = i * a->stride + k;
    double here = fabs(a->re[at]) + (a->im != NULL ? fabs(a->im[at]) : 0.0);
    if (here > *size) {
      *size = here;
      best = i;
    }
  }
  return best;
}

static void
swap_rows(double *plane, size_t stride, size_t i, size_t k)
{
  for (size_t j = 0; j < stride; j++) {
    double keep = plane[i * stride + j];
    plane[i * stride + j] = plane[k * stride + j];
    plane[k * stride + j] = keep;
  }
}

/* Row i less f times row k, columns k + 1 to the end. */
static ALWAYS_INLINE void
subtract_row(const DaePlanar *a, size_t i, size_t k, double fr, double fi, bool is_complex)
{
  double *re = a->re + i * a->stride;
  double *im = is_complex ? a->im + i * a->stride : NULL;
  const double *top_re = a->re + k * a->stride;
  const double *top_im = is_complex ? a->im + k * a->stride : NULL;
  size_t whole = (k + 8) & ~(size_t)7;
  for (size_t j = k + 1; j < whole; j++) {
    re[j] -= is_complex ? fr * top_re[j] - fi * top_im[j] : fr * top_re[j];
    if (is_complex) {
      im[j] -= fr * top_im[j] + fi * top_re[j];
    }
  }
  for (size_t j = whole; j < a->stride; j += 8) {
    DaeVector8 x = *(const DaeVector8 *)(const void *)(top_re + j);
    DaeVector8 *to_re = (DaeVector8 *)(void *)(re + j);
    if (!is_complex) {
      *to_re -= fr * x;
      continue;
    }
    DaeVector8 y = *(const DaeVector8 *)(const void *)(top_im + j);
    DaeVector8 *to_im = (DaeVector8 *)(void *)(im + j);
    *to_re -= fr * x - fi * y;
    *to_im -= fr * y + fi * x;
  }
}

/* The pivot of column k to its place; false: there is none. */
static bool
take_pivot(DaePlanar *a, size_t k)
{
  double size;
  size_t row = largest_in_column(a, k, &size);
  a->pivot[k] = (uint32_t)row;
  if (row != k) {
    swap_rows(a->re, a->stride, k, row);
    if (a->im != NULL) {
      swap_rows(a->im, a->stride, k, row);
    }
  }
  return size > 0.0 && isfinite(size);
}

/* The inverse of the diagonal entry k takes its place. */
static void
invert_diagonal(DaePlanar *a, size_t k)
{
  size_t at = k * a->stride + k;
  if (a->im == NULL) {
    a->re[at] = 1.0 / a->re[at];
    return;
  }
  double norm = a->re[at] * a->re[at] + a->im[at] * a->im[at];
  a->re[at] /= norm;
  a->im[at] /= -norm;
}

static ALWAYS_INLINE bool
factor_matrix(DaePlanar *a, bool is_complex)
{
  for (size_t k = 0; k < a->n; k++) {
    if (!take_pivot(a, k)) {
      return false;
    }
    invert_diagonal(a, k);
    double p = a->re[k * a->stride + k];
    double q = is_complex ? a->im[k * a->stride + k] : 0.0;
    for (size_t i = k + 1; i < a->n; i++) {
      size_t here = i * a->stride + k;
      double x = a->re[here];
      double y = is_complex ? a->im[here] : 0.0;
      if (x == 0.0 && y == 0.0) {
        continue;
      }
      a->re[here] = is_complex ? x * p - y * q : x * p;
      if (is_complex) {
        a->im[here] = x * q + y * p;
      }
      subtract_row(a, i, k, a->re[here], is_complex ? a->im[here] : 0.0, is_complex);
    }
  }
  return true;
}

static ALWAYS_INLINE double
sum_of_lanes(const DaeVector8 *v)
{
  return (((*v)[0] + (*v)[1]) + ((*v)[2] + (*v)[3])) +
         (((*v)[4] + (*v)[5]) + ((*v)[6] + (*v)[7]));
}

/* *x + i *y less the entries first ... last - 1 of row i times b; whole vectors where they fit. */
static ALWAYS_INLINE void
subtract_product(const DaePlanar *a, size_t i, size_t first, size_t last, const double *re,
                 const double *im, double *x, double *y, bool is_complex)
{
  const double *p = a->re + i * a->stride;
  const double *q = is_complex ? a->im + i * a->stride : NULL;
  DaeVector8 sum_re = {0.0};
  DaeVector8 sum_im = {0.0};
  size_t j = first;
  for (; j + 8 <= last; j += 8) {
    DaeVector8 u = *(const DaeVector8 *)(const void *)(p + j);
    DaeVector8 b = *(const DaeVector8 *)(const void *)(re + j);
    sum_re += u * b;
    if (is_complex) {
      DaeVector8 v = *(const DaeVector8 *)(const void *)(q + j);
      DaeVector8 c = *(const DaeVector8 *)(const void *)(im + j);
      sum_re -= v * c;
      sum_im += u * c + v * b;
    }
  }
  for (; j < last; j++) {
    sum_re[0] += is_complex ? p[j] * re[j] - q[j] * im[j] : p[j] * re[j];
    sum_im[0] += is_complex ? p[j] * im[j] + q[j] * re[j] : 0.0;
  }
  *x -= sum_of_lanes(&sum_re);
  *y -= is_complex ? sum_of_lanes(&sum_im) : 0.0;
}

static ALWAYS_INLINE void
solve_matrix(const DaePlanar *a, double *re, double *im, bool is_complex)
{
  for (size_t k = 0; k < a->n; k++) {
    size_t other = a->pivot[k];
    double keep = re[k];
    re[k] = re[other];
    re[other] = keep;
    if (is_complex) {
      keep = im[k];
      im[k] = im[other];
      im[other] = keep;
    }
  }
  double y = 0.0;
  for (size_t i = 1; i < a->n; i++) {
    subtract_product(a, i, 0, i, re, im, &re[i], is_complex ? &im[i] : &y, is_complex);
  }
  for (size_t i = a->n; i-- > 0;) {
    subtract_product(a, i, i + 1, a->n, re, im, &re[i], is_complex ? &im[i] : &y, is_complex);
    double p = a->re[i * a->stride + i];
    double q = is_complex ? a->im[i * a->stride + i] : 0.0;
    double x = re[i];
    re[i] = is_complex ? p * x - q * im[i] : p * x;
    if (is_complex) {
      im[i] = p * im[i] + q * x;
    }
  }
}

static ALWAYS_INLINE bool
factor_any(DaePlanar *a)
{
  return a->im != NULL ? factor_matrix(a, true) : factor_matrix(a, false);
}

static ALWAYS_INLINE void
solve_any(const DaePlanar *a, double *re, double *im)
{
  if (a->im != NULL) {
    solve_matrix(a, re, im, true);
  } else {
    solve_matrix(a, re, im, false);
  }
}

/* One copy for each instruction set; the bits are the same (lanes.h). */
static bool
factor_plain(DaePlanar *a)
{
  return factor_any(a);
}

static void
solve_plain(const DaePlanar *a, double *re, double *im)
{
  solve_any(a, re, im);
}

#if defined(DAE_HAVE_X86)
DAE_TARGET_AVX2 static bool
factor_avx2(DaePlanar *a)
{
  return factor_any(a);
}

DAE_TARGET_AVX2 static void
solve_avx2(const DaePlanar *a, double *re, double *im)
{
  solve_any(a, re, im);
}

DAE_TARGET_AVX512 static bool
factor_avx512(DaePlanar *a)
{
  return factor_any(a);
}

DAE_TARGET_AVX512 static void
solve_avx512(const DaePlanar *a, double *re, double *im)
{
  solve_any(a, re, im);
}
#endif

bool
dae_planar_factor(DaePlanar *a)
{
#if defined(DAE_HAVE_X86)
  int level = dae_lanes_level();
  if (level > 0) {
    return level > 1 ? factor_avx512(a) : factor_avx2(a);
  }
#endif
  return factor_plain(a);
}

void
dae_planar_solve(const DaePlanar *a, double *re, double *im)
{
#if defined(DAE_HAVE_X86)
  int level = dae_lanes_level();
  if (level > 0) {
    (level > 1 ? solve_avx512 : solve_avx2)(a, re, im);
    return;
  }
#endif
  solve_plain(a, re, im);
}
