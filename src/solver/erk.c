/* Stages and projections of the explicit methods (erk.h). */
#include "solver/erk.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "solver/split.h"

/* Pivots of the normal matrix below this part of its diagonal: the constraints depend on each
 * other. */
#define DEPENDENT 1e-13
/* Pivots below this part of their diagonal call for another way. */
#define SMALL_PIVOT 1e-6
/* Pivots below this part of their column are rounding. */
#define SINGULAR 1e-12

/* ---- stages ------------------------------------------------------------------------------ */

/* Of row i the entry of L and of column i that of U, both at place k. */
typedef double Both __attribute__((vector_size(16)));

static inline Both
swapped(Both v)
{
  return (Both){v[1], v[0]};
}

/* Crout's factors within the envelope, without pivoting: what couples multipliers is definite for
 * mechanisms. Row i of L and column i of U grow together, as vectors of two. false: a pivot is
 * small. */
static bool
factor_envelope(DaeErk *e)
{
  const uint32_t n = e->form->n_linear;
  Both *const factors = (Both *)(void *)e->a_factors;
  for (uint32_t i = 0; i < n; i++) {
    Both *const own = factors + (size_t)i * n;
    const double *row = e->a_lu + (size_t)i * n;
    const uint32_t first = e->a_first[i];
    double pivot = row[i];
    const double size = fabs(pivot);
    for (uint32_t k = first; k < i; k++) {
      const Both *const other = factors + (size_t)k * n;
      Both value = {row[k], e->a_lu[(size_t)k * n + i]};
      for (uint32_t q = MAX(first, e->a_first[k]); q < k; q++) {
        value -= own[q] * swapped(other[q]);
      }
      own[k] = (Both){value[0] * e->a_inverse[k], value[1]};
      pivot -= own[k][0] * value[1];
    }
    if (!(fabs(pivot) > SMALL_PIVOT * size)) {
      return false;
    }
    e->a_inverse[i] = 1.0 / pivot;
  }
  return true;
}

static void
solve_envelope(DaeErk *e)
{
  const uint32_t n = e->form->n_linear;
  const Both *const factors = (const Both *)(const void *)e->a_factors;
  double *x = e->linear;
  for (uint32_t i = 0; i < n; i++) {
    const Both *const own = factors + (size_t)i * n;
    double sum = x[i];
    for (uint32_t k = e->a_first[i]; k < i; k++) {
      sum -= own[k][0] * x[k];
    }
    x[i] = sum;
  }
  for (uint32_t i = n; i-- > 0;) {
    const Both *const own = factors + (size_t)i * n;
    const double value = x[i] * e->a_inverse[i];
    x[i] = value;
    for (uint32_t k = e->a_first[i]; k < i; k++) {
      x[k] -= own[k][1] * value;
    }
  }
}

static double
largest_in_column(const double *a, uint32_t n, uint32_t column)
{
  double largest = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    largest = fmax(largest, fabs(a[(size_t)i * n + column]));
  }
  return largest;
}

/* The matrix in e->a_lu and the right side in e->linear; false: it is singular, but for rounding. */
static bool
solve_linear(DaeErk *e)
{
  const uint32_t n = e->form->n_linear;
  if (factor_envelope(e)) {
    solve_envelope(e);
    return true;
  }
  for (uint32_t k = 0; k < n; k++) {
    e->a_inverse[k] = largest_in_column(e->a_lu, n, k); /* the factors are of no use any more */
  }
  if (!dae_split_lu(e->a_lu, n, e->a_pivot)) {
    return false;
  }
  for (uint32_t k = 0; k < n; k++) {
    if (!(fabs(e->a_lu[(size_t)k * n + k]) > SINGULAR * e->a_inverse[k])) {
      return false;
    }
  }
  dae_split_lu_solve(e->a_lu, n, e->a_pivot, e->linear);
  return true;
}

/* a l = -b */
static void
fill_algebraic(DaeErk *e, const double *b, const double *a)
{
  const DaePattern *pattern = &e->form->a;
  const uint32_t n = e->form->n_linear;
  memset(e->a_lu, 0, sizeof(double) * n * n);
  for (uint32_t i = 0; i < n; i++) {
    e->linear[i] = -b[i];
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
      e->a_lu[i * n + pattern->column[k]] = a[k];
    }
  }
}

/* (a M^-1 lift) l = -(b + a M^-1 f), with M^-1 f in `slope` */
static void
fill_differentiated(DaeErk *e, const double *b, const double *a, const double *slope)
{
  const DaePattern *pattern = &e->form->a;
  const uint32_t n = e->form->n_linear;
  memset(e->a_lu, 0, sizeof(double) * n * n);
  for (uint32_t k = 0; k < e->n_entries; k++) {
    const DaeErkEntry *entry = &e->entries[k];
    double sum = 0.0;
    for (uint32_t q = entry->begin; q < entry[1].begin; q++) {
      sum += a[e->products[q].a] * e->push[e->products[q].push];
    }
    e->a_lu[entry->at] = sum;
  }
  for (uint32_t i = 0; i < n; i++) {
    double sum = -b[i];
    for (uint32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
      sum -= a[k] * slope[pattern->column[k]];
    }
    e->linear[i] = sum;
  }
}

/* [a b; c d] becomes its inverse; false: it is singular. */
static bool
invert_pair(double *m)
{
  const double determinant = m[0] * m[3] - m[1] * m[2];
  const double first = m[0];
  if (!(fabs(determinant) > SMALL_PIVOT * (fabs(m[0] * m[3]) + fabs(m[1] * m[2])))) {
    return false;
  }
  m[0] = m[3] / determinant;
  m[1] /= -determinant;
  m[2] /= -determinant;
  m[3] = first / determinant;
  return true;
}

/* The blocks of M: inverses of one and two rows, factors of more; false: one is singular. */
static bool
factor_masses(DaeErk *e)
{
  const uint32_t n_mass = e->ev->mass.row_start[e->ev->n_diff];
  for (uint32_t b = e->n_single; b < e->n_blocks; b++) {
    const size_t size = (size_t)e->blocks[b].size * e->blocks[b].size;
    memset(e->mass_lu + e->blocks[b].mass_at, 0, sizeof(double) * size);
  }
  for (uint32_t k = 0; k < n_mass; k++) {
    e->mass_lu[e->entry_at[k]] = e->m[k];
  }
  for (uint32_t b = 0; b < e->n_single; b++) {
    if (e->mass_lu[b] == 0.0) {
      return false;
    }
    e->mass_lu[b] = 1.0 / e->mass_lu[b];
  }
  uint32_t *pivot = e->mass_pivot;
  for (uint32_t b = e->n_single; b < e->n_blocks; b++) {
    const uint32_t n = e->blocks[b].size;
    double *m = e->mass_lu + e->blocks[b].mass_at;
    if (n == 2 ? !invert_pair(m) : !dae_split_lu(m, n, pivot)) {
      return false;
    }
    pivot += n;
  }
  e->masses_are_known = e->ev->mass_is_constant;
  return true;
}

/* Two rows: slope and push of both */
static void
solve_pair(const DaeErk *e, const DaeErkBlock *block, const double *f, double *slope)
{
  const double *m = e->mass_lu + block->mass_at;
  const double first = f[block->row[0]];
  const double second = f[block->row[1]];
  double *upper = e->push + block->push_at;
  double *lower = upper + block->n_lifted;
  slope[block->column[0]] = m[0] * first + m[1] * second;
  slope[block->column[1]] = m[2] * first + m[3] * second;
  for (uint32_t k = 0; k < block->n_lifted; k++) {
    const double above = upper[k];
    const double below = lower[k];
    upper[k] = m[0] * above + m[1] * below;
    lower[k] = m[2] * above + m[3] * below;
  }
}

static void
solve_block(const DaeErk *e, const DaeErkBlock *block, const uint32_t *pivot, const double *f,
            double *slope)
{
  const double *lu = e->mass_lu + block->mass_at;
  double *push = e->push + block->push_at;
  const uint32_t n = block->size;
  for (uint32_t q = 0; q < n; q++) {
    e->small[q] = f[block->row[q]];
  }
  dae_split_lu_solve(lu, n, pivot, e->small);
  for (uint32_t q = 0; q < n; q++) {
    slope[block->column[q]] = e->small[q];
  }
  for (uint32_t k = 0; k < block->n_lifted; k++) {
    for (uint32_t q = 0; q < n; q++) {
      e->small[q] = push[q * block->n_lifted + k];
    }
    dae_split_lu_solve(lu, n, pivot, e->small);
    for (uint32_t q = 0; q < n; q++) {
      push[q * block->n_lifted + k] = e->small[q];
    }
  }
}

/* slope = M^-1 f and push = M^-1 lift */
static void
solve_masses(DaeErk *e, const double *f, const double *lift, double *slope)
{
  const uint32_t n_lift = e->form->lift.row_start[e->ev->n_diff];
  if (n_lift < e->n_push) {
    memset(e->push, 0, sizeof(double) * e->n_push);
  }
  for (uint32_t k = 0; k < n_lift; k++) {
    e->push[e->lift_at[k]] = lift[k];
  }
  for (uint32_t b = 0; b < e->n_single; b++) {
    const DaeErkBlock *block = &e->blocks[b];
    const double inverse = e->mass_lu[b];
    double *push = e->push + block->push_at;
    slope[block->column[0]] = f[block->row[0]] * inverse;
    for (uint32_t k = 0; k < block->n_lifted; k++) {
      push[k] *= inverse;
    }
  }
  const uint32_t *pivot = e->mass_pivot;
  for (uint32_t b = e->n_single; b < e->n_blocks; b++) {
    const DaeErkBlock *block = &e->blocks[b];
    if (block->size == 2) {
      solve_pair(e, block, f, slope);
    } else {
      solve_block(e, block, pivot, f, slope);
    }
    pivot += block->size;
  }
}

/* slope += M^-1 lift l */
static void
add_push(const DaeErk *e, double *slope)
{
  const double *push = e->push;
  for (uint32_t b = 0; b < e->n_blocks; b++) {
    const DaeErkBlock *block = &e->blocks[b];
    for (uint32_t q = 0; q < block->size; q++, push += block->n_lifted) {
      double sum = 0.0;
      for (uint32_t k = 0; k < block->n_lifted; k++) {
        sum += push[k] * e->linear[block->lifted[k]];
      }
      slope[block->column[q]] += sum;
    }
  }
}

/* NaN where a value is not finite. */
static double
check_of(const double *v, uint32_t n)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    sum += v[i] - v[i];
  }
  return sum;
}

int
dae_erk_slope(DaeErk *e, double t, bool all, double *slope)
{
  const DaeSolved *form = e->form;
  const uint32_t n_diff = e->ev->n_diff;
  const double *f = e->stage;
  const double *b = f + n_diff;
  const double *a = b + form->n_linear;
  const double *lift = a + form->a.row_start[form->n_linear];
  const DaeSolvedOut out = {.stage = e->stage,
                            .m = e->masses_are_known ? NULL : e->m,
                            .direct = all ? e->direct : NULL,
                            .rest = all && form->n_rest > 0 ? e->rest : NULL};
  e->evaluations++;
  const int code = e->ev->eval_solved(e->ev->self, e->scratch, t, e->x, &out);
  if (code != 0) {
    return code;
  }
  if (!e->masses_are_known && !factor_masses(e)) {
    return 1;
  }
  solve_masses(e, f, lift, slope);
  if (form->n_linear > 0) {
    if (form->is_differentiated) {
      fill_differentiated(e, b, a, slope);
    } else {
      fill_algebraic(e, b, a);
    }
    if (!solve_linear(e)) {
      return 1;
    }
    add_push(e, slope);
  }
  const double check = check_of(slope, form->n_y) + check_of(e->linear, form->n_linear);
  return check == 0.0 ? 0 : 1;
}

/* ---- projection -------------------------------------------------------------------------- */

/* The lower triangle of C W^2 C^T within its envelope, factored by Cholesky in place; false: it is
 * not positive beyond rounding. */
static bool
factor_normal(DaeErk *e, const double *weight)
{
  const DaePattern *rest = &e->form->rest;
  const uint32_t n = e->form->n_rest;
  for (uint32_t i = 0; i < n; i++) {
    double *line = e->normal + (size_t)i * n;
    for (uint32_t p = rest->row_start[i]; p < rest->row_start[i + 1]; p++) {
      const double w = weight[e->form->y[rest->column[p]]];
      e->small[rest->column[p]] = e->slope[p] * w * w;
    }
    for (uint32_t k = e->first[i]; k <= i; k++) {
      double sum = 0.0;
      for (uint32_t q = rest->row_start[k]; q < rest->row_start[k + 1]; q++) {
        sum += e->small[rest->column[q]] * e->slope[q];
      }
      line[k] = sum;
    }
    for (uint32_t p = rest->row_start[i]; p < rest->row_start[i + 1]; p++) {
      e->small[rest->column[p]] = 0.0;
    }
    const double diagonal = line[i];
    for (uint32_t k = e->first[i]; k <= i; k++) {
      const double *other = e->normal + (size_t)k * n;
      double sum = line[k];
      for (uint32_t q = MAX(e->first[i], e->first[k]); q < k; q++) {
        sum -= line[q] * other[q];
      }
      line[k] = k < i ? sum * other[k] : sum;
    }
    if (!(line[i] > DEPENDENT * diagonal)) {
      return false;
    }
    line[i] = 1.0 / sqrt(line[i]);
  }
  return true;
}

/* shift = (C W^2 C^T)^-1 c */
static void
solve_normal(DaeErk *e)
{
  const uint32_t n = e->form->n_rest;
  for (uint32_t i = 0; i < n; i++) {
    const double *line = e->normal + (size_t)i * n;
    double sum = e->rest[i];
    for (uint32_t k = e->first[i]; k < i; k++) {
      sum -= line[k] * e->shift[k];
    }
    e->shift[i] = sum * line[i];
  }
  for (uint32_t i = n; i-- > 0;) {
    const double *line = e->normal + (size_t)i * n;
    e->shift[i] *= line[i];
    for (uint32_t k = e->first[i]; k < i; k++) {
      e->shift[k] -= line[k] * e->shift[i];
    }
  }
}

double
dae_erk_residual(const DaeErk *e)
{
  double worst = 0.0;
  for (uint32_t i = 0; i < e->form->n_rest; i++) {
    worst = fmax(worst, fabs(e->rest[i]) / e->scale[i]);
  }
  return worst;
}

int
dae_erk_project(DaeErk *e, double t, const double *weight, const double *nominal,
                double *residual)
{
  const DaePattern *rest = &e->form->rest;
  *residual = 0.0;
  if (e->form->n_rest == 0) {
    return 0;
  }
  const DaeSolvedOut out = {.rest = e->rest, .rest_slope = e->slope};
  const int code = e->ev->eval_solved(e->ev->self, e->scratch, t, e->x, &out);
  if (code != 0) {
    return code;
  }
  for (uint32_t i = 0; i < e->form->n_rest; i++) {
    e->scale[i] = 1.0;
    for (uint32_t p = rest->row_start[i]; p < rest->row_start[i + 1]; p++) {
      e->scale[i] = fmax(e->scale[i], fabs(e->slope[p]) * nominal[e->form->y[rest->column[p]]]);
    }
  }
  *residual = dae_erk_residual(e);
  memset(e->small, 0, sizeof(double) * e->form->n_y);
  if (!factor_normal(e, weight)) {
    return 1;
  }
  solve_normal(e);
  for (uint32_t i = 0; i < e->form->n_rest; i++) {
    for (uint32_t p = rest->row_start[i]; p < rest->row_start[i + 1]; p++) {
      const uint32_t j = e->form->y[rest->column[p]];
      e->x[j] -= weight[j] * weight[j] * e->slope[p] * e->shift[i];
    }
  }
  return 0;
}

void
dae_erk_put_algebraic(const DaeErk *e, double *x)
{
  for (uint32_t k = 0; k < e->form->n_direct; k++) {
    x[e->form->direct[k]] = e->direct[k];
  }
  for (uint32_t k = 0; k < e->form->n_linear; k++) {
    x[e->form->linear[k]] = e->linear[k];
  }
}
