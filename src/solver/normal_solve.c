/* The numbers of normal equations: the same operations each time, nothing allocated. */
#include <glib.h>

#include "solver/normal.h"

/* A pivot below this part of its column's square counts as zero: what is left is rounding. */
#define VANISHED 1e-14

DaeNormalFactor *
dae_normal_factor_new(const DaeNormal *normal)
{
  DaeNormalFactor *factor = g_new0(DaeNormalFactor, 1);
  const uint32_t n_entries = normal->is_diagonal ? 0 : normal->entry_start[normal->n_columns];
  factor->c = g_new0(double, (size_t)n_entries + 1);
  factor->l = g_new0(double, (size_t)n_entries + 1);
  factor->inverse_pivot = g_new0(double, (size_t)normal->n_columns + 1);
  factor->work = g_new0(double, (size_t)normal->n_columns + 1);
  return factor;
}

void
dae_normal_factor_free(DaeNormalFactor *factor)
{
  if (factor != NULL) {
    g_free(factor->c);
    g_free(factor->l);
    g_free(factor->inverse_pivot);
    g_free(factor->work);
    g_free(factor);
  }
}

static uint32_t
factorize_diagonal(const DaeNormal *normal, const double *a, DaeNormalFactor *factor)
{
  uint32_t n_vanished = 0;
  for (uint32_t i = 0; i < normal->n_rows; i++) {
    n_vanished += a[i] == 0.0;
    factor->inverse_pivot[i] = a[i] != 0.0 ? 1.0 / a[i] : 0.0;
  }
  return n_vanished;
}

uint32_t
dae_normal_factorize(const DaeNormal *normal, const double *a, DaeNormalFactor *factor)
{
  if (normal->is_diagonal) {
    return factorize_diagonal(normal, a, factor);
  }
  uint32_t n_vanished = 0;
  double *const c = factor->c;
  double *const l = factor->l;
  for (uint32_t i = 0; i < normal->n_columns; i++) {
    const uint32_t diagonal = normal->entry_start[i + 1] - 1;
    for (uint32_t e = normal->entry_start[i]; e <= diagonal; e++) {
      double sum = 0.0;
      for (uint32_t k = normal->pair_start[e]; k < normal->pair_start[e + 1]; k++) {
        sum += a[normal->pair_p[k]] * a[normal->pair_q[k]];
      }
      const double square = sum;
      for (uint32_t k = normal->triple_start[e]; k < normal->triple_start[e + 1]; k++) {
        sum -= c[normal->triple_c[k]] * l[normal->triple_l[k]];
      }
      if (e < diagonal) {
        c[e] = sum;
        l[e] = sum * factor->inverse_pivot[normal->entry_column[e]];
      } else {
        const bool is_good = sum > VANISHED * square;
        n_vanished += !is_good;
        factor->inverse_pivot[i] = is_good ? 1.0 / sum : 0.0;
      }
    }
  }
  return n_vanished;
}

void
dae_normal_solve(const DaeNormal *normal, DaeNormalFactor *factor, double *b)
{
  const uint32_t n = normal->n_columns;
  double *const y = factor->work;
  const double *const l = factor->l;
  for (uint32_t i = 0; i < n; i++) {
    double sum = b[normal->order[i]];
    for (uint32_t e = normal->entry_start[i]; e < normal->entry_start[i + 1] - 1; e++) {
      sum -= l[e] * y[normal->entry_column[e]];
    }
    y[i] = sum;
  }
  for (uint32_t i = 0; i < n; i++) {
    y[i] *= factor->inverse_pivot[i];
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t e = normal->entry_start[i]; e < normal->entry_start[i + 1] - 1; e++) {
      y[normal->entry_column[e]] -= l[e] * y[i];
    }
    b[normal->order[i]] = y[i];
  }
}

void
dae_normal_least_squares(const DaeNormal *normal, const double *a, DaeNormalFactor *factor,
                         const double *r, double *x)
{
  const double *scale = normal->scale;
  if (normal->is_diagonal) {
    for (uint32_t i = 0; i < normal->n_rows; i++) {
      const double right = scale != NULL ? r[i] * scale[i] : r[i];
      x[normal->column[i]] = right * factor->inverse_pivot[i];
    }
    return;
  }
  for (uint32_t j = 0; j < normal->n_columns; j++) {
    x[j] = 0.0;
  }
  for (uint32_t i = 0; i < normal->n_rows; i++) {
    const double right = scale != NULL ? r[i] * scale[i] : r[i];
    for (uint32_t e = normal->row_start[i]; e < normal->row_start[i + 1]; e++) {
      x[normal->column[e]] += a[e] * right;
    }
  }
  dae_normal_solve(normal, factor, x);
}

/* ---- cost -------------------------------------------------------------------------------- */

DaeNormalCost
dae_normal_factorize_cost(const DaeNormal *normal)
{
  if (normal->is_diagonal) {
    return (DaeNormalCost){0, normal->n_rows};
  }
  const uint32_t n = normal->n_columns;
  const uint32_t n_entries = normal->entry_start[n];
  const uint64_t products =
      (uint64_t)normal->pair_start[n_entries] + normal->triple_start[n_entries];
  return (DaeNormalCost){2 * products + (n_entries - n), n};
}

DaeNormalCost
dae_normal_solve_cost(const DaeNormal *normal)
{
  const uint64_t n = normal->n_columns;
  if (normal->is_diagonal) {
    return (DaeNormalCost){n, 0};
  }
  return (DaeNormalCost){4 * (normal->entry_start[n] - n) + n, 0};
}

DaeNormalCost
dae_normal_least_squares_cost(const DaeNormal *normal)
{
  DaeNormalCost cost = dae_normal_solve_cost(normal);
  if (!normal->is_diagonal) {
    cost.flops += (uint64_t)2 * normal->row_start[normal->n_rows];
  }
  return cost;
}
