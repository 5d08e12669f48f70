#include "solver/diagnose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Up to so many unknowns; it is done once, at the end of a run that failed. */
#define MOST_UNKNOWNS 400u

typedef struct {
  uint32_t rows, n;
  double *a; /* rows x n */
  uint32_t *row, *column;
} Matrix;

static void
add_rows(Matrix *m, const DaePattern *pattern, const double *values)
{
  for (uint32_t i = 0; i < pattern->n_rows; i++) {
    double *line = m->a + (size_t)m->rows * m->n;
    double largest = 0.0;
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      line[pattern->column[e]] += values[e];
      largest = fmax(largest, fabs(values[e]));
    }
    for (uint32_t j = 0; j < m->n && largest > 0.0; j++) {
      line[j] /= largest;
    }
    m->row[m->rows] = m->rows;
    m->rows++;
  }
}

static void
swap_lines(Matrix *m, uint32_t i, uint32_t k)
{
  uint32_t row = m->row[i];
  m->row[i] = m->row[k];
  m->row[k] = row;
  for (uint32_t j = 0; j < m->n && i != k; j++) {
    double value = m->a[(size_t)i * m->n + j];
    m->a[(size_t)i * m->n + j] = m->a[(size_t)k * m->n + j];
    m->a[(size_t)k * m->n + j] = value;
  }
}

static void
swap_columns(Matrix *m, uint32_t j, uint32_t k)
{
  uint32_t column = m->column[j];
  m->column[j] = m->column[k];
  m->column[k] = column;
  for (uint32_t i = 0; i < m->rows && j != k; i++) {
    double value = m->a[(size_t)i * m->n + j];
    m->a[(size_t)i * m->n + j] = m->a[(size_t)i * m->n + k];
    m->a[(size_t)i * m->n + k] = value;
  }
}

/* Step k of the elimination; returns the size of its pivot. */
static double
eliminate(Matrix *m, uint32_t k)
{
  uint32_t p = k;
  uint32_t q = k;
  for (uint32_t i = k; i < m->rows; i++) {
    for (uint32_t j = k; j < m->n; j++) {
      if (fabs(m->a[(size_t)i * m->n + j]) > fabs(m->a[(size_t)p * m->n + q])) {
        p = i;
        q = j;
      }
    }
  }
  swap_lines(m, k, p);
  swap_columns(m, k, q);
  const double *head = m->a + (size_t)k * m->n;
  double pivot = head[k];
  for (uint32_t i = k + 1; i < m->rows && pivot != 0.0; i++) {
    double *line = m->a + (size_t)i * m->n;
    double factor = line[k] / pivot;
    for (uint32_t j = k; j < m->n && factor != 0.0; j++) {
      line[j] -= factor * head[j];
    }
  }
  return fabs(pivot);
}

bool
dae_solver_find_weakest(const DaeEvaluator *ev, const double *segment, double t,
                        const double *x, DaeWeakest *weakest)
{
  if (ev->n == 0 || ev->n > MOST_UNKNOWNS || ev->n_diff + ev->n_con < ev->n) {
    return false;
  }
  size_t rows = ev->n_diff + ev->n_con;
  g_autofree double *values_m = g_new0(double, ev->mass.row_start[ev->n_diff] + 1);
  g_autofree double *values_g = g_new0(double, ev->constraint.row_start[ev->n_con] + 1);
  g_autofree double *xdot = g_new0(double, ev->n);
  Matrix m = {.n = ev->n,
              .a = g_new0(double, rows * ev->n),
              .row = g_new0(uint32_t, rows),
              .column = g_new0(uint32_t, ev->n)};
  void *scratch = NULL;
  DAE_ASSERT(posix_memalign(&scratch, 64, MAX(ev->scratch_size, 64)) == 0);
  memset(scratch, 0, MAX(ev->scratch_size, 64));
  dae_evaluator_begin(ev, scratch, segment);
  DaeJac jac = {.gx = values_g, .m = values_m};
  bool is_known = ev->jac(ev->self, scratch, t, x, xdot, &jac) == 0;
  if (is_known) {
    for (uint32_t j = 0; j < ev->n; j++) {
      m.column[j] = j;
    }
    add_rows(&m, &ev->mass, values_m);
    add_rows(&m, &ev->constraint, values_g);
    for (uint32_t k = 0; k < ev->n; k++) {
      weakest->pivot = eliminate(&m, k);
    }
    weakest->row = m.row[ev->n - 1];
    weakest->unknown = m.column[ev->n - 1];
    is_known = isfinite(weakest->pivot);
  }
  free(scratch);
  g_free(m.a);
  g_free(m.row);
  g_free(m.column);
  return is_known;
}
