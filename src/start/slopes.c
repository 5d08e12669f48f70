#include <stdlib.h>

#include "start/start.h"

/* [E; h_x] x' = [k; -h_t] as a problem for the start solver: linear, so one step settles it. */
typedef struct {
  const DaeEvaluator *evaluator;
  GArray *row_start, *columns; /* uint32_t */
  double *matrix, *right;
} Slopes;

static int
slopes_residual(const void *self, void *scratch, const double *v, double *r)
{
  const Slopes *slopes = self;
  (void)scratch;
  uint32_t m = slopes->evaluator->n_diff + slopes->evaluator->n_con;
  for (uint32_t i = 0; i < m; i++) {
    r[i] = -slopes->right[i];
    for (uint32_t e = g_array_index(slopes->row_start, uint32_t, i);
         e < g_array_index(slopes->row_start, uint32_t, i + 1); e++) {
      r[i] += slopes->matrix[e] * v[g_array_index(slopes->columns, uint32_t, e)];
    }
  }
  return 0;
}

static int
slopes_jacobian(const void *self, void *scratch, const double *v, double *values)
{
  const Slopes *slopes = self;
  (void)scratch;
  (void)v;
  for (guint e = 0; e < slopes->columns->len; e++) {
    values[e] = slopes->matrix[e];
  }
  return 0;
}

static void
append_pattern(Slopes *slopes, const DaePattern *pattern)
{
  for (uint32_t i = 0; i < pattern->n_rows; i++) {
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      g_array_append_val(slopes->columns, pattern->column[e]);
    }
    g_array_append_val(slopes->row_start, slopes->columns->len);
  }
}

void
dae_start_find_slopes(const DaeEvaluator *evaluator, double t, const double *x, double *xdot)
{
  dae_start_find_slopes_at(evaluator, NULL, t, x, xdot);
}

void
dae_start_find_slopes_at(const DaeEvaluator *evaluator, const double *segment, double t,
                         const double *x, double *xdot)
{
  uint32_t m = evaluator->n_diff + evaluator->n_con;
  uint32_t zero = 0;
  Slopes slopes = {.evaluator = evaluator};
  slopes.row_start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  slopes.columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_val(slopes.row_start, zero);
  append_pattern(&slopes, &evaluator->mass);
  append_pattern(&slopes, &evaluator->constraint);
  slopes.matrix = g_new0(double, slopes.columns->len + 1);
  slopes.right = g_new0(double, m + 1);
  g_autofree double *gt = g_new0(double, evaluator->n_con + 1);
  void *scratch = dae_aligned_new0(evaluator->scratch_size);
  dae_evaluator_begin(evaluator, scratch, segment);
  uint32_t n_mass = evaluator->mass.row_start[evaluator->n_diff];
  DaeOut out = {.f = slopes.right, .m = slopes.matrix};
  DaeJac jac = {.gx = slopes.matrix + n_mass, .gt = gt};
  bool ok = evaluator->eval(evaluator->self, scratch, 1, &t, x, &out) == 0 &&
            evaluator->jac(evaluator->self, scratch, t, x, xdot, &jac) == 0;
  for (uint32_t i = 0; i < evaluator->n_con; i++) {
    slopes.right[evaluator->n_diff + i] = -gt[i];
  }
  if (ok) {
    DaeRootProblem linear = {
        .n = evaluator->n,
        .m = m,
        .pattern = {m, evaluator->n, (const uint32_t *)(void *)slopes.row_start->data,
                    (const uint32_t *)(void *)slopes.columns->data},
        .self = &slopes,
        .residual = slopes_residual,
        .jacobian = slopes_jacobian,
    };
    g_autofree double *weights = g_new(double, evaluator->n + 1);
    for (uint32_t j = 0; j < evaluator->n; j++) {
      weights[j] = 1;
    }
    dae_numeric_solve(&linear, weights, 1e-12, xdot);
  }
  free(scratch);
  g_free(slopes.matrix);
  g_free(slopes.right);
  g_array_free(slopes.row_start, TRUE);
  g_array_free(slopes.columns, TRUE);
}
