#include "problems/template.h"

#include <math.h>
#include <string.h>

#include "problems/problems.h"

#define STEP 1e-30

int
dae_template_eval(const void *self, void *scratch, unsigned lanes, const double *t,
                  const double *x, DaeOut *out)
{
  const DaeTemplate *p = self;
  (void)scratch;
  for (unsigned l = 0; l < lanes; l++) {
    double point[DAE_TEMPLATE_MAX];
    double f[DAE_TEMPLATE_MAX];
    double g[DAE_TEMPLATE_MAX];
    double m[DAE_FULL_PATTERN_MAX] = {0.0};
    for (uint32_t j = 0; j < p->n; j++) {
      point[j] = x[j * lanes + l];
    }
    p->real_point(t[l], point, m, f, g);
    for (uint32_t i = 0; out->f != NULL && i < p->n_diff; i++) {
      out->f[i * lanes + l] = f[i];
    }
    for (uint32_t i = 0; out->g != NULL && i < p->n_con; i++) {
      out->g[i * lanes + l] = g[i];
    }
    for (uint32_t e = 0; out->m != NULL && e < p->n_diff * p->n; e++) {
      out->m[e * lanes + l] = m[e];
    }
  }
  return 0;
}

/* Column of the Jacobians in the direction of unknown j, or of time for j == n. */
static void
one_direction(const DaeTemplate *p, double t, const double *x, const double *xdot, uint32_t j,
              DaeJac *out)
{
  double complex point[DAE_TEMPLATE_MAX];
  double complex f[DAE_TEMPLATE_MAX];
  double complex g[DAE_TEMPLATE_MAX];
  double complex m[DAE_FULL_PATTERN_MAX] = {0.0};
  double complex time = j == p->n ? t + STEP * I : t;
  for (uint32_t i = 0; i < p->n; i++) {
    point[i] = i == j ? x[i] + STEP * I : x[i];
  }
  p->complex_point(time, point, m, f, g);
  for (uint32_t i = 0; i < p->n_diff; i++) {
    double sum = cimag(f[i]);
    for (uint32_t c = 0; c < p->n; c++) {
      sum -= cimag(m[i * p->n + c]) * xdot[c];
    }
    if (j < p->n && out->k != NULL) {
      out->k[i * p->n + j] = sum / STEP;
    } else if (j == p->n && out->ft != NULL) {
      out->ft[i] = sum / STEP;
    }
  }
  for (uint32_t i = 0; i < p->n_con; i++) {
    if (j < p->n && out->gx != NULL) {
      out->gx[i * p->n + j] = cimag(g[i]) / STEP;
    } else if (j == p->n && out->gt != NULL) {
      out->gt[i] = cimag(g[i]) / STEP;
    }
  }
}

int
dae_template_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
                 DaeJac *out)
{
  const DaeTemplate *p = self;
  (void)scratch;
  for (uint32_t j = 0; j <= p->n; j++) {
    one_direction(p, t, x, xdot, j, out);
  }
  if (out->m != NULL) {
    double f[DAE_TEMPLATE_MAX];
    double g[DAE_TEMPLATE_MAX];
    memset(out->m, 0, sizeof(double) * p->n_diff * p->n);
    p->real_point(t, x, out->m, f, g);
  }
  return 0;
}

const DaeEvaluator *
dae_problem_open(const DaeProblem *problem, DaeProblemSpace *space)
{
  const DaeTemplate *p = problem->template;
  if (p == NULL) {
    return problem->evaluator;
  }
  for (uint32_t i = 0; i <= DAE_TEMPLATE_MAX; i++) {
    space->row_start[i] = i * p->n;
  }
  for (uint32_t e = 0; e < DAE_FULL_PATTERN_MAX; e++) {
    space->column[e] = e % p->n;
  }
  space->evaluator = (DaeEvaluator){
      .n = p->n,
      .n_diff = p->n_diff,
      .n_con = p->n_con,
      .mass = {p->n_diff, p->n, space->row_start, space->column},
      .dynamics = {p->n_diff, p->n, space->row_start, space->column},
      .constraint = {p->n_con, p->n, space->row_start, space->column},
      .self = p,
      .eval = dae_template_eval,
      .jac = dae_template_jac,
  };
  return &space->evaluator;
}
