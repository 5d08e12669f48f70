/* Sparse LU in lanes: which rows and columns, and the memory. The
 * arithmetic is in sparse_lu-lanes.inc. */
#include "solver/sparse_lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solver/lanes.h"

/* The preferred row is the pivot from this ratio to the largest entry of its column on:
 * its fill is known to be small. */
#define PREFERENCE 0.01
/* Old pivots serve down to this ratio. */
#define SMALLEST_RATIO 1e-4
/* Room for later pivots, in units of the fill of the first. */
#define ROOM 3
/* Smallest over largest pivot of a regular matrix. */
#define SMALLEST_SPREAD 1e-21

typedef double Vector2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t Mask2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t Mask4 __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct {
  void (*scatter)(const DaeSparseLu *lu, int column, const int *at);
  void (*eliminate)(DaeSparseLu *lu, uint32_t k, const int *at);
  int (*choose)(const DaeSparseLu *lu, uint32_t k);
  bool (*finish)(DaeSparseLu *lu, uint32_t k, int pivot, double least);
  bool (*refactor)(DaeSparseLu *lu);
  void (*solve)(DaeSparseLu *lu);
} Kernels;

#define LU_(name) name##_1
#define LU_VECTOR double
#define LU_TARGET
#define LU_COMPLEX 0
#include "solver/sparse_lu-lanes.inc"

#define LU_(name) name##_2
#define LU_VECTOR Vector2
#define LU_MASK Mask2
#define LU_TARGET
#define LU_COMPLEX 1
#include "solver/sparse_lu-lanes.inc"

#define LU_(name) name##_4
#define LU_VECTOR DaeVector4
#define LU_MASK Mask4
#define LU_TARGET
#define LU_COMPLEX 1
#include "solver/sparse_lu-lanes.inc"

#if defined(DAE_HAVE_X86)
#define LU_(name) name##_2_avx2
#define LU_VECTOR Vector2
#define LU_MASK Mask2
#define LU_WHOLE DaeVector4
#define LU_EXCHANGE(v) __builtin_shufflevector(v, v, 2, 3, 0, 1)
#define LU_TARGET DAE_TARGET_AVX2
#define LU_COMPLEX 1
#include "solver/sparse_lu-lanes.inc"

#define LU_(name) name##_4_avx2
#define LU_VECTOR DaeVector4
#define LU_MASK Mask4
#define LU_TARGET DAE_TARGET_AVX2
#define LU_COMPLEX 1
#include "solver/sparse_lu-lanes.inc"

#define LU_(name) name##_4_avx512
#define LU_VECTOR DaeVector4
#define LU_MASK Mask4
#define LU_WHOLE DaeVector8
#define LU_EXCHANGE(v) __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3)
#define LU_TARGET DAE_TARGET_AVX512
#define LU_COMPLEX 1
#include "solver/sparse_lu-lanes.inc"
#endif

static const Kernels *
kernels_of(uint32_t width)
{
  if (width == 0) {
    return &kernels_1;
  }
#if defined(DAE_HAVE_X86)
  if (dae_lanes_level() > 0) {
    return width < 4               ? &kernels_2_avx2
           : dae_lanes_level() > 1 ? &kernels_4_avx512
                                   : &kernels_4_avx2;
  }
#endif
  return width < 4 ? &kernels_2 : &kernels_4;
}

static size_t
doubles_of(uint32_t width)
{
  return width == 0 ? 1 : 2 * (size_t)width;
}

/* Aligned to cache lines; without values, so that room that is not used costs nothing. */
static double *
values_new(size_t count, uint32_t width)
{
  size_t bytes = ((count + 1) * doubles_of(width) * sizeof(double) + 63) / 64 * 64;
  double *values = aligned_alloc(64, bytes);
  DAE_ASSERT(values != NULL);
  return values;
}

static double *
zeros_new(size_t count, uint32_t width)
{
  double *values = values_new(count, width);
  memset(values, 0, (count + 1) * doubles_of(width) * sizeof(double));
  return values;
}

static void
grow(const DaeSparseLu *lu, size_t used, size_t room, int **rows, double **values)
{
  double *larger = values_new(room, lu->width_max);
  if (*values != NULL) {
    memcpy(larger, *values, used * doubles_of(lu->width_max) * sizeof(double));
    free(*values);
  }
  *values = larger;
  *rows = g_renew(int, *rows, room + 1);
}

static void
reserve(DaeSparseLu *lu, size_t l_used, size_t u_used, size_t l_room, size_t u_room)
{
  if (l_room > lu->l_room) {
    grow(lu, l_used, l_room, &lu->l_row, &lu->l);
    lu->l_room = l_room;
  }
  if (u_room > lu->u_room) {
    grow(lu, u_used, u_room, &lu->u_row, &lu->u);
    lu->u_room = u_room;
  }
}

DaeSparseLu *
dae_sparse_lu_new(uint32_t n, const int *column_start, const int *row, const int *order,
                  const int *preferred, uint32_t width_max)
{
  DaeSparseLu *lu = g_new0(DaeSparseLu, 1);
  lu->n = n;
  lu->column_start = column_start;
  lu->row = row;
  lu->width_max = width_max;
  lu->column_order = g_memdup2(order, n * sizeof(int));
  lu->preferred = g_memdup2(preferred, n * sizeof(int));
  int **indices[] = {&lu->row_at, &lu->place, &lu->same, &lu->l_start,   &lu->u_start,
                     &lu->stack,  &lu->next,  &lu->mark, &lu->search_end};
  for (size_t i = 0; i < G_N_ELEMENTS(indices); i++) {
    *indices[i] = g_new0(int, n + 1);
  }
  for (uint32_t k = 0; k < n; k++) {
    lu->same[k] = (int)k;
  }
  lu->row_scale = g_new0(double, n + 1);
  lu->inverse = zeros_new(n, width_max);
  lu->x = zeros_new(n, width_max);
  return lu;
}

void
dae_sparse_lu_free(DaeSparseLu *lu)
{
  if (lu == NULL) {
    return;
  }
  int *indices[] = {lu->column_order, lu->preferred, lu->row_at,    lu->place, lu->same,
                    lu->l_start,      lu->u_start,   lu->l_row,     lu->u_row, lu->stack,
                    lu->next,         lu->mark,      lu->search_end};
  for (size_t i = 0; i < G_N_ELEMENTS(indices); i++) {
    g_free(indices[i]);
  }
  double *values[] = {lu->l, lu->u, lu->inverse, lu->x};
  for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
    free(values[i]);
  }
  g_free(lu->row_scale);
  g_free(lu);
}

void
dae_sparse_lu_reorder(DaeSparseLu *lu, const int *order, const int *preferred)
{
  memcpy(lu->column_order, order, lu->n * sizeof(int));
  memcpy(lu->preferred, preferred, lu->n * sizeof(int));
  lu->ordered = lu->has_room = lu->is_over_limit = false;
  lu->fill_limit = lu->expected_fill = 0;
}

/* Rows are brought to size 1 in the first matrix. */
static void
scale_rows(DaeSparseLu *lu, uint32_t width)
{
  double re = width == 0 ? 1.0 : lu->re[0];
  memset(lu->row_scale, 0, lu->n * sizeof(double));
  for (int e = 0; e < lu->column_start[lu->n]; e++) {
    double size = fabs(re * lu->a[e] + lu->b[e]);
    double *scale = &lu->row_scale[lu->row[e]];
    *scale = size > *scale ? size : *scale;
  }
  for (uint32_t i = 0; i < lu->n; i++) {
    lu->row_scale[i] = lu->row_scale[i] > 0.0 ? 1.0 / lu->row_scale[i] : 1.0;
  }
}

/* The positions that `position` reaches through the columns of l go before `top` at
 * the end of lu->stack, in an order in which they can be solved; rows without pivot
 * go to l. Returns the new top. */
static int
search_from(DaeSparseLu *lu, int position, int top, int *l_used)
{
  int depth = 0;
  lu->stack[0] = position;
  lu->mark[lu->row_at[position]] = lu->stamp;
  lu->next[position] = lu->l_start[position];
  while (depth >= 0) {
    int j = lu->stack[depth];
    if (lu->next[j] == lu->search_end[j]) {
      depth--;
      lu->stack[--top] = j;
      continue;
    }
    int i = lu->l_row[lu->next[j]++];
    if (lu->mark[i] == lu->stamp) {
      continue;
    }
    lu->mark[i] = lu->stamp;
    if (lu->place[i] < 0) {
      lu->l_row[(*l_used)++] = i;
    } else {
      lu->stack[++depth] = lu->place[i];
      lu->next[lu->place[i]] = lu->l_start[lu->place[i]];
    }
  }
  return top;
}

/* Pattern of column k: rows without pivot go to l, pivots to u. */
static void
find_pattern(DaeSparseLu *lu, uint32_t k)
{
  int column = lu->column_order[k];
  int l_used = lu->l_start[k];
  int top = (int)lu->n;
  lu->stamp++;
  for (int e = lu->column_start[column]; e < lu->column_start[column + 1]; e++) {
    int i = lu->row[e];
    if (lu->mark[i] == lu->stamp) {
      continue;
    }
    if (lu->place[i] < 0) {
      lu->mark[i] = lu->stamp;
      lu->l_row[l_used++] = i;
    } else {
      top = search_from(lu, lu->place[i], top, &l_used);
    }
  }
  lu->l_start[k + 1] = l_used;
  int count = (int)lu->n - top;
  memcpy(lu->u_row + lu->u_start[k], lu->stack + top, (size_t)count * sizeof(int));
  lu->u_start[k + 1] = lu->u_start[k] + count;
}

static void
exchange_rows(DaeSparseLu *lu, int a, int b, size_t stride)
{
  double held[2 * DAE_SPARSE_WIDTH_MAX];
  double *first = lu->l + (size_t)a * stride;
  double *second = lu->l + (size_t)b * stride;
  memcpy(held, first, stride * sizeof(double));
  memcpy(first, second, stride * sizeof(double));
  memcpy(second, held, stride * sizeof(double));
  int row = lu->l_row[a];
  lu->l_row[a] = lu->l_row[b];
  lu->l_row[b] = row;
}

/* Where column j of l and row j of u both reach position k, every other row that column j reaches
 * later is reached by column k, too: from now on a search looks at its rows up to k only, which
 * are brought to its front (symmetric pruning [EisenstatLiu92]). */
static void
prune(DaeSparseLu *lu, int j, int pivot, size_t stride)
{
  int end = lu->l_start[j + 1];
  int q = lu->l_start[j];
  while (q < end && lu->l_row[q] != pivot) {
    q++;
  }
  if (q == end) {
    return;
  }
  int front = lu->l_start[j];
  for (q = front; q < end; q++) {
    if (lu->place[lu->l_row[q]] >= 0) {
      exchange_rows(lu, front++, q, stride);
    }
  }
  lu->search_end[j] = front;
}

static void
prune_columns(DaeSparseLu *lu, uint32_t k, size_t stride)
{
  lu->search_end[k] = lu->l_start[k + 1];
  for (int e = lu->u_start[k]; e < lu->u_start[k + 1]; e++) {
    int j = lu->u_row[e];
    if (lu->search_end[j] == lu->l_start[j + 1]) {
      prune(lu, j, lu->row_at[k], stride);
    }
  }
}

/* Room for column k and all that follow it might fill; false: too much. */
static bool
make_room(DaeSparseLu *lu, uint32_t k)
{
  size_t n = lu->n;
  size_t l_used = (size_t)lu->l_start[k];
  size_t u_used = (size_t)lu->u_start[k];
  if (l_used + n <= lu->l_room && u_used + n <= lu->u_room) {
    return true;
  }
  size_t room = 2 * MAX(l_used, u_used) + n + 2 * (size_t)lu->column_start[n];
  room = MAX(room, lu->expected_fill + n);
  if (room > INT32_MAX / 4) {
    return false;
  }
  reserve(lu, l_used, u_used, room, room);
  return true;
}

static bool
factor_anew(DaeSparseLu *lu, const Kernels *kernels, size_t stride)
{
  size_t n = lu->n;
  lu->ordered = false;
  lu->is_over_limit = false;
  lu->stamp = 0;
  memset(lu->mark, 0, n * sizeof(int));
  memset(lu->x, 0, n * doubles_of(lu->width_max) * sizeof(double));
  memset(lu->place, -1, n * sizeof(int));
  for (uint32_t k = 0; k < n; k++) {
    size_t l_used = (size_t)lu->l_start[k];
    size_t u_used = (size_t)lu->u_start[k];
    if (lu->fill_limit > 0 && l_used + u_used > lu->fill_limit) {
      lu->is_over_limit = true;
      return false;
    }
    if (!make_room(lu, k)) {
      return false;
    }
    find_pattern(lu, k);
    kernels->scatter(lu, lu->column_order[k], lu->same);
    kernels->eliminate(lu, k, lu->row_at);
    int q = kernels->choose(lu, k);
    if (q < 0) {
      return false;
    }
    int pivot = lu->l_row[q];
    lu->l_row[q] = lu->l_row[--lu->l_start[k + 1]];
    lu->place[pivot] = (int)k;
    lu->row_at[k] = pivot;
    if (!kernels->finish(lu, k, pivot, 0.0)) {
      return false;
    }
    prune_columns(lu, k, stride);
  }
  for (int q = 0; q < lu->l_start[n]; q++) {
    lu->l_row[q] = lu->place[lu->l_row[q]];
  }
  if (!lu->has_room) {
    size_t l_used = (size_t)lu->l_start[n];
    size_t u_used = (size_t)lu->u_start[n];
    reserve(lu, l_used, u_used, ROOM * l_used + n, ROOM * u_used + n);
    lu->has_room = true;
  }
  lu->ordered = true;
  return true;
}

/* Smallest over largest pivot of every lane. */
static bool
is_regular(const DaeSparseLu *lu, uint32_t width)
{
  size_t stride = doubles_of(width);
  for (uint32_t l = 0; l < MAX(width, 1); l++) {
    double least = HUGE_VAL;
    double most = 0.0;
    for (uint32_t k = 0; k < lu->n; k++) {
      double size = fabs(lu->inverse[k * stride + l]) +
                    (width == 0 ? 0.0 : fabs(lu->inverse[k * stride + width + l]));
      least = fmin(least, size);
      most = fmax(most, size);
    }
    if (!(least > SMALLEST_SPREAD * most)) {
      return false;
    }
  }
  return true;
}

bool
dae_sparse_lu_factor(DaeSparseLu *lu, uint32_t width)
{
  const Kernels *kernels = kernels_of(width);
  DAE_ASSERT(width <= lu->width_max);
  scale_rows(lu, width);
  if (lu->ordered) {
    memset(lu->x, 0, lu->n * doubles_of(width) * sizeof(double));
    if (kernels->refactor(lu)) {
      return true;
    }
  }
  return factor_anew(lu, kernels, doubles_of(width)) && is_regular(lu, width);
}

void
dae_sparse_lu_solve(DaeSparseLu *lu, uint32_t width)
{
  kernels_of(width)->solve(lu);
}

void
dae_sparse_lu_solve_first(DaeSparseLu *lu, uint32_t width)
{
  size_t stride = doubles_of(width);
  double *x = lu->x;
  for (uint32_t k = 0; k < lu->n; k++) {
    double value = x[k];
    for (int q = lu->l_start[k]; q < lu->l_start[k + 1]; q++) {
      x[lu->l_row[q]] -= lu->l[(size_t)q * stride] * value;
    }
  }
  for (uint32_t k = lu->n; k-- > 0;) {
    double value = x[k] * lu->inverse[k * stride];
    x[k] = value;
    for (int q = lu->u_start[k]; q < lu->u_start[k + 1]; q++) {
      x[lu->u_row[q]] -= lu->u[(size_t)q * stride] * value;
    }
  }
}
