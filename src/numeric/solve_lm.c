/* Last resort of dae_numeric_solve: GSL's trust-region least squares (dense). */
#include <glib.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <string.h>

#include "numeric/numeric-priv.h"

#define LARGEST 2000 /* dense matrices of (m + n) x n above this are out of reach */
#define PULL 1e-8    /* weight of the distance to the guess, for determinacy */
#define MOST_ITERATIONS 500

typedef struct {
  const DaeRootProblem *problem;
  const double *weight, *x0;
  double *x, *values;
} Fit;

/* Unknowns of the fit are (x - x0) / weight. */
static void
to_unknowns(const Fit *fit, const gsl_vector *u)
{
  for (uint32_t j = 0; j < fit->problem->n; j++) {
    fit->x[j] = fit->x0[j] + fit->weight[j] * gsl_vector_get(u, j);
  }
}

static int
fit_residual(const gsl_vector *u, void *data, gsl_vector *out)
{
  const Fit *fit = data;
  const DaeRootProblem *p = fit->problem;
  to_unknowns(fit, u);
  if (p->residual(p->self, p->scratch, fit->x, out->data) != 0) {
    return GSL_EDOM;
  }
  for (uint32_t j = 0; j < p->n; j++) {
    gsl_vector_set(out, p->m + j, PULL * gsl_vector_get(u, j));
  }
  for (size_t i = 0; i < out->size; i++) {
    if (!isfinite(gsl_vector_get(out, i))) {
      return GSL_EDOM;
    }
  }
  return GSL_SUCCESS;
}

static int
fit_jacobian(const gsl_vector *u, void *data, gsl_matrix *out)
{
  const Fit *fit = data;
  const DaeRootProblem *p = fit->problem;
  to_unknowns(fit, u);
  if (p->jacobian(p->self, p->scratch, fit->x, fit->values) != 0) {
    return GSL_EDOM;
  }
  gsl_matrix_set_zero(out);
  for (uint32_t i = 0; i < p->m; i++) {
    for (uint32_t e = p->pattern.row_start[i]; e < p->pattern.row_start[i + 1]; e++) {
      uint32_t j = p->pattern.column[e];
      gsl_matrix_set(out, i, j, fit->values[e] * fit->weight[j]);
    }
  }
  for (uint32_t j = 0; j < p->n; j++) {
    gsl_matrix_set(out, p->m + j, j, PULL);
  }
  return GSL_SUCCESS;
}

bool
dae_numeric_levenberg_marquardt(const DaeRootProblem *problem, const double *weight, double *x)
{
  size_t n = problem->n;
  size_t m = problem->m + n;
  if (n == 0 || n > LARGEST || m > (size_t)2 * LARGEST) {
    return false;
  }
  gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
  parameters.solver = gsl_multifit_nlinear_solver_qr;
  gsl_multifit_nlinear_workspace *w =
      gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, m, n);
  gsl_vector *u = gsl_vector_calloc(n);
  bool good = false;
  Fit fit = {.problem = problem,
             .weight = weight,
             .x0 = g_memdup2(x, sizeof(double) * n),
             .x = g_new0(double, n + 1),
             .values = g_new0(double, problem->pattern.row_start[problem->m] + 1)};
  gsl_multifit_nlinear_fdf fdf = {
      .f = fit_residual, .df = fit_jacobian, .n = m, .p = n, .params = &fit};
  if (w != NULL && u != NULL && gsl_multifit_nlinear_init(u, &fdf, w) == GSL_SUCCESS) {
    int info = 0;
    int code =
        gsl_multifit_nlinear_driver(MOST_ITERATIONS, 1e-15, 1e-15, 0.0, NULL, NULL, &info, w);
    (void)code; /* the caller judges the point reached, whatever made the iteration stop */
    to_unknowns(&fit, gsl_multifit_nlinear_position(w));
    memcpy(x, fit.x, sizeof(double) * n);
    good = true;
  }
  gsl_vector_free(u);
  gsl_multifit_nlinear_free(w);
  g_free((void *)fit.x0);
  g_free(fit.x);
  g_free(fit.values);
  return good;
}
