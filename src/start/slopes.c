#include <math.h>
#include <stdlib.h>

#include "start/start.h"

/* [E; h_x] x' = [k; -h_t]: rows that determine x' by sparse LU; where they do not,
 * the least change of the guess. */
struct DaeSlopes {
  const DaeEvaluator *evaluator;
  GArray *row_start, *columns; /* uint32_t */
  double *matrix, *right, *gt, *found;
  void *scratch;
  DaeRowSolver *solver;
};

static int
slopes_residual(const void *self, void *scratch, const double *v, double *r)
{
  const DaeSlopes *slopes = self;
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
  const DaeSlopes *slopes = self;
  (void)scratch;
  (void)v;
  for (guint e = 0; e < slopes->columns->len; e++) {
    values[e] = slopes->matrix[e];
  }
  return 0;
}

static void
append_pattern(DaeSlopes *slopes, const DaePattern *pattern)
{
  for (uint32_t i = 0; i < pattern->n_rows; i++) {
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      g_array_append_val(slopes->columns, pattern->column[e]);
    }
    g_array_append_val(slopes->row_start, slopes->columns->len);
  }
}

static DaePattern
pattern_of(const DaeSlopes *slopes)
{
  return (DaePattern){slopes->evaluator->n_diff + slopes->evaluator->n_con,
                      slopes->evaluator->n, (const uint32_t *)(void *)slopes->row_start->data,
                      (const uint32_t *)(void *)slopes->columns->data};
}

DaeSlopes *
dae_slopes_new(const DaeEvaluator *evaluator)
{
  DaeSlopes *slopes = g_new0(DaeSlopes, 1);
  uint32_t m = evaluator->n_diff + evaluator->n_con;
  uint32_t zero = 0;
  slopes->evaluator = evaluator;
  slopes->row_start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  slopes->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_val(slopes->row_start, zero);
  append_pattern(slopes, &evaluator->mass);
  append_pattern(slopes, &evaluator->constraint);
  slopes->matrix = g_new0(double, slopes->columns->len + 1);
  slopes->right = g_new0(double, m + 1);
  slopes->gt = g_new0(double, evaluator->n_con + 1);
  slopes->found = g_new0(double, evaluator->n + 1);
  slopes->scratch = dae_aligned_new0(evaluator->scratch_size);
  DaePattern pattern = pattern_of(slopes);
  slopes->solver = dae_row_solver_new(&pattern);
  return slopes;
}

void
dae_slopes_free(DaeSlopes *slopes)
{
  if (slopes == NULL) {
    return;
  }
  dae_row_solver_free(slopes->solver);
  free(slopes->scratch);
  g_free(slopes->matrix);
  g_free(slopes->right);
  g_free(slopes->gt);
  g_free(slopes->found);
  g_array_free(slopes->row_start, TRUE);
  g_array_free(slopes->columns, TRUE);
  g_free(slopes);
}

/* By the chosen rows; a second solution removes the rounding of the first. */
static bool
solve_directly(DaeSlopes *slopes, double *xdot)
{
  const DaeEvaluator *evaluator = slopes->evaluator;
  uint32_t m = evaluator->n_diff + evaluator->n_con;
  if (evaluator->n == 0 || !dae_row_solver_factor(slopes->solver, slopes->matrix)) {
    return false;
  }
  g_autofree double *x = g_new0(double, evaluator->n + 1);
  g_autofree double *rest = g_new0(double, m + 1);
  for (int round = 0; round < 2; round++) {
    slopes_residual(slopes, NULL, x, rest);
    for (uint32_t i = 0; i < m; i++) {
      rest[i] = -rest[i];
    }
    dae_row_solver_solve(slopes->solver, rest, slopes->found);
    for (uint32_t j = 0; j < evaluator->n; j++) {
      x[j] += slopes->found[j];
      if (!isfinite(x[j])) {
        return false;
      }
    }
  }
  for (uint32_t j = 0; j < evaluator->n; j++) {
    xdot[j] = x[j];
  }
  return true;
}

static void
solve_nearest(const DaeSlopes *slopes, double *xdot)
{
  const DaeEvaluator *evaluator = slopes->evaluator;
  DaeRootProblem linear = {
      .n = evaluator->n,
      .m = evaluator->n_diff + evaluator->n_con,
      .pattern = pattern_of(slopes),
      .self = slopes,
      .residual = slopes_residual,
      .jacobian = slopes_jacobian,
  };
  g_autofree double *weights = g_new(double, evaluator->n + 1);
  for (uint32_t j = 0; j < evaluator->n; j++) {
    weights[j] = 1;
  }
  dae_numeric_solve(&linear, weights, 1e-12, xdot);
}

void
dae_slopes_at(DaeSlopes *slopes, const double *segment, double t, const double *x, double *xdot)
{
  const DaeEvaluator *evaluator = slopes->evaluator;
  dae_evaluator_begin(evaluator, slopes->scratch, segment);
  uint32_t n_mass = evaluator->mass.row_start[evaluator->n_diff];
  DaeOut out = {.f = slopes->right, .m = slopes->matrix};
  DaeJac jac = {.gx = slopes->matrix + n_mass, .gt = slopes->gt};
  bool ok = evaluator->eval(evaluator->self, slopes->scratch, 1, &t, x, &out) == 0 &&
            evaluator->jac(evaluator->self, slopes->scratch, t, x, xdot, &jac) == 0;
  for (uint32_t i = 0; i < evaluator->n_con; i++) {
    slopes->right[evaluator->n_diff + i] = -slopes->gt[i];
  }
  if (ok && !solve_directly(slopes, xdot)) {
    solve_nearest(slopes, xdot);
  }
}

void
dae_start_find_slopes_at(const DaeEvaluator *evaluator, const double *segment, double t,
                         const double *x, double *xdot)
{
  g_autoptr(DaeSlopes) slopes = dae_slopes_new(evaluator);
  dae_slopes_at(slopes, segment, t, x, xdot);
}
