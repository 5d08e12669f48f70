/* Dense reduced systems: which n_d combinations of the differential rows are taken, and the
 * reduced matrices that follow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solver/linsys_dense.h"
#include "solver/split.h"

typedef DaeDense Dense;

/* out (n_d) = row i of A_d - A_c S for a matrix A in compressed rows. */
static void
reduce_row(const Dense *d, const DaePattern *pattern, const double *values, uint32_t i,
           double *out)
{
  uint32_t nc = d->n_c;
  uint32_t nd = d->n_d;
  memset(out, 0, sizeof(double) * nd);
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    uint32_t at = d->place[pattern->column[e]];
    double value = values[e];
    if (at >= nc) {
      out[at - nc] += value;
    } else if (value != 0.0) {
      const double *s = d->s + (size_t)at * nd;
      for (uint32_t k = d->s_entries.start[at]; k < d->s_entries.start[at + 1]; k++) {
        uint32_t q = d->s_entries.column[k];
        out[q] -= value * s[q];
      }
    }
  }
}

static int
compare_indices(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Size of row i of M before the reduction, times the rate of its variables. */
static double
row_size(const Dense *d, uint32_t i)
{
  const DaePattern *mass = &d->base.ev->mass;
  double largest = 0.0;
  for (uint32_t e = mass->row_start[i]; e < mass->row_start[i + 1]; e++) {
    double size = fabs(d->m[e]) * dae_linsys_rate(&d->base, d->xdot, mass->column[e]);
    largest = size > largest ? size : largest;
  }
  return largest;
}

/* Row pivoting on the reduced matrix in `pick`; true if n_d independent rows were found. */
static bool
pick_rows(Dense *d)
{
  uint32_t nd = d->n_d;
  for (uint32_t i = 0; i < d->n_diff; i++) {
    double *line = d->pick + (size_t)i * nd;
    double scale = row_size(d, i);
    for (uint32_t q = 0; scale > 0.0 && q < nd; q++) {
      line[q] *= d->base.nominal[d->column_order[d->n_c + q]] / scale;
    }
  }
  uint32_t rank =
      dae_split_full_pivot_lu(d->pick, d->n_diff, nd, nd, d->pick_rows, d->pick_columns);
  if (rank < nd) {
    return false;
  }
  memcpy(d->rows, d->pick_rows, sizeof(uint32_t) * nd);
  qsort(d->rows, nd, sizeof(uint32_t), compare_indices);
  return true;
}

/* M~ of all rows; y = Omega M~ with the rows weighted to size 1. */
static void
reduce_mass(Dense *d)
{
  uint32_t nd = d->n_d;
  for (uint32_t i = 0; i < d->n_diff; i++) {
    double *line = d->m_full + (size_t)i * nd;
    reduce_row(d, &d->base.ev->mass, d->m, i, line);
    double size = row_size(d, i);
    double weight = size > 0.0 ? 1.0 / (size * size) : 0.0;
    for (uint32_t q = 0; q < nd; q++) {
      d->y[(size_t)i * nd + q] = weight * line[q];
    }
  }
  dae_dense_list_entries(&d->y_entries, d->y, d->n_diff, nd);
}

/* out = y^T a for an n_diff x n_d matrix a. */
static void
project_matrix(const Dense *d, const double *a, double *out)
{
  uint32_t nd = d->n_d;
  memset(out, 0, sizeof(double) * nd * (size_t)nd);
  for (uint32_t i = 0; i < d->n_diff; i++) {
    const double *y = d->y + (size_t)i * nd;
    const double *line = a + (size_t)i * nd;
    for (uint32_t e = d->y_entries.start[i]; e < d->y_entries.start[i + 1]; e++) {
      uint32_t q = d->y_entries.column[e];
      for (uint32_t k = 0; k < nd; k++) {
        out[(size_t)q * nd + k] += y[q] * line[k];
      }
    }
  }
}

/* Does y^T M~ (symmetric, not negative) have full rank when its diagonal is brought to 1? */
static bool
projected_mass_is_regular(Dense *d)
{
  uint32_t nd = d->n_d;
  for (uint32_t q = 0; q < nd; q++) {
    double diagonal = d->m_red[(size_t)q * nd + q];
    if (!(diagonal > 0.0) || !isfinite(diagonal)) {
      return false;
    }
    d->b[q] = 1.0 / sqrt(diagonal);
  }
  for (uint32_t q = 0; q < nd; q++) {
    for (uint32_t k = 0; k < nd; k++) {
      d->mass_lu[(size_t)q * nd + k] = d->b[q] * d->m_red[(size_t)q * nd + k] * d->b[k];
    }
  }
  return dae_split_is_positive(d->mass_lu, nd);
}

/* Where M~ lacks full column rank: n_d rows by pivoting on M~ - h K~ for a small h, so that
 * rows without derivatives (index 1) take part. */
static bool
select_rows(Dense *d)
{
  uint32_t nd = d->n_d;
  d->projected = false;
  d->base.uses_algebraic_rows = true;
  if (d->n_diff == nd) {
    for (uint32_t i = 0; i < nd; i++) {
      d->rows[i] = i;
    }
    return true;
  }
  if (d->k == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < d->n_diff; i++) {
    double *line = d->pick + (size_t)i * nd;
    reduce_row(d, &d->base.ev->dynamics, d->k, i, line);
    for (uint32_t q = 0; q < nd; q++) {
      line[q] = d->m_full[(size_t)i * nd + q] - 1e-6 * line[q];
    }
  }
  return pick_rows(d);
}

/* The n_d combinations of the differential rows: y^T times them. The continuous equations do
 * not care which rows are taken; the discrete ones do. The projection onto the range of M~
 * cannot come near a singular choice and moves smoothly with the solution: against n_d rows
 * picked by pivoting it took half the Newton iterations on a whipping chain, at equal or better
 * accuracy elsewhere (docs/numerics.md). */
bool
dae_dense_choose_rows(Dense *d)
{
  const DaeEvaluator *ev = d->base.ev;
  uint32_t nd = d->n_d;
  if (d->n_diff < nd) {
    return false;
  }
  reduce_mass(d);
  d->projected = d->n_diff > nd;
  d->base.uses_algebraic_rows = false;
  if (d->projected) {
    project_matrix(d, d->m_full, d->m_red);
    if (projected_mass_is_regular(d)) {
      for (uint32_t i = 0; d->k != NULL && i < d->n_diff; i++) {
        reduce_row(d, &ev->dynamics, d->k, i, d->pick + (size_t)i * nd);
      }
      if (d->k != NULL) {
        project_matrix(d, d->pick, d->k_red);
      }
      return true;
    }
  }
  if (!select_rows(d)) {
    return false;
  }
  for (uint32_t q = 0; q < nd; q++) {
    memcpy(d->m_red + (size_t)q * nd, d->m_full + (size_t)d->rows[q] * nd, sizeof(double) * nd);
    if (d->k != NULL) {
      reduce_row(d, &ev->dynamics, d->k, d->rows[q], d->k_red + (size_t)q * nd);
    }
  }
  return true;
}

/* out (n_d x n_c) = the combinations of the columns A_c of a matrix in compressed rows. */
void
dae_dense_combine_constrained(const Dense *d, const DaePattern *pattern, const double *values,
                              double *out)
{
  uint32_t nd = d->n_d;
  uint32_t nc = d->n_c;
  uint32_t n_used = d->projected ? d->n_diff : nd;
  memset(out, 0, sizeof(double) * nd * (size_t)nc);
  for (uint32_t used = 0; used < n_used; used++) {
    uint32_t i = d->projected ? used : d->rows[used];
    const double *y = d->y + (size_t)i * nd;
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      uint32_t at = d->place[pattern->column[e]];
      if (at >= nc || values[e] == 0.0) {
        continue;
      }
      if (!d->projected) {
        out[(size_t)used * nc + at] += values[e];
        continue;
      }
      for (uint32_t k = d->y_entries.start[i]; k < d->y_entries.start[i + 1]; k++) {
        uint32_t q = d->y_entries.column[k];
        out[(size_t)q * nc + at] += y[q] * values[e];
      }
    }
  }
}
