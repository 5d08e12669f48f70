/* Stage equations of Radau IIa for M(x,t) x' = f, 0 = g, all stages evaluated together as lanes. */
#include <math.h>
#include <string.h>

#include "solver/radau.h"

/* Calls the evaluator, counts, and turns values that are not finite into a domain error (> 0). */
int
dae_radau_evaluate(DaeRadau *r, unsigned lanes, const double *t, const double *x, DaeOut *out)
{
  out->fault = 0;
  int code = r->ev->eval(r->ev->self, r->scratch, lanes, t, x, out);
  r->stats.rhs_evaluations += lanes;
  if (out->m != NULL) {
    r->stats.mass_evaluations += lanes;
  }
  if (code != 0) {
    r->worst_row = out->fault;
    return code;
  }
  for (uint32_t i = 0; out->f != NULL && i < r->n_diff * lanes; i++) {
    if (!isfinite(out->f[i])) {
      r->worst_row = i / lanes;
      return 1;
    }
  }
  for (uint32_t i = 0; out->g != NULL && i < r->n_con * lanes; i++) {
    if (!isfinite(out->g[i])) {
      r->worst_row = r->n_diff + i / lanes;
      return 1;
    }
  }
  return 0;
}

/* wz = W Z per unknown: h times the derivative of the collocation polynomial at the stages. */
static inline __attribute__((always_inline)) void
multiply_by_w(DaeRadau *r, const uint32_t s)
{
  const DaeTableau *tableau = r->tableau;
  for (uint32_t j = 0; j < r->n; j++) {
    const double *z = r->z + (size_t)j * s;
    double *out = r->wz + (size_t)j * s;
    for (uint32_t i = 0; i < s; i++) {
      double sum = 0.0;
      for (uint32_t k = 0; k < s; k++) {
        sum += tableau->w[i][k] * z[k];
      }
      out[i] = sum;
    }
  }
}

/* residual = f - M (W Z) / h from the stage values. */
static inline __attribute__((always_inline)) int
subtract_derivatives(DaeRadau *r, double h, const uint32_t s)
{
  multiply_by_w(r, s);
  const DaePattern *mass = &r->ev->mass;
  double inverse = 1.0 / h;
  for (uint32_t row = 0; row < r->n_diff; row++) {
    double sum[DAE_STAGES_MAX] = {0.0};
    for (uint32_t e = mass->row_start[row]; e < mass->row_start[row + 1]; e++) {
      const double *m = r->ms + (size_t)e * s;
      const double *wz = r->wz + (size_t)mass->column[e] * s;
      for (uint32_t i = 0; i < s; i++) {
        sum[i] += m[i] * wz[i];
      }
    }
    for (uint32_t i = 0; i < s; i++) {
      double value = r->fs[(size_t)row * s + i] - inverse * sum[i];
      if (!isfinite(value)) {
        r->worst_row = row;
        return 1;
      }
      r->residual[(size_t)row * s + i] = value;
    }
  }
  return 0;
}

/* residual = f(X_i) - M(X_i) (W Z)_i / h, gs = g(X_i). */
int
dae_radau_stage_residuals(DaeRadau *r, double h)
{
  uint32_t s = r->tableau->s;
  double t[DAE_STAGES_MAX];
  for (uint32_t i = 0; i < s; i++) {
    t[i] = r->t + r->tableau->c[i] * h;
  }
  for (uint32_t j = 0; j < r->n; j++) {
    for (uint32_t i = 0; i < s; i++) {
      r->xs[(size_t)j * s + i] = r->x[j] + r->z[(size_t)j * s + i];
    }
  }
  DaeOut out = {.f = r->fs, .g = r->gs, .m = r->ms};
  int code = dae_radau_evaluate(r, s, t, r->xs, &out);
  if (code != 0) {
    return code;
  }
  switch (s) { /* one copy for each number of stages: short loops are unrolled */
  case 3:
    return subtract_derivatives(r, h, 3);
  case 5:
    return subtract_derivatives(r, h, 5);
  default:
    return subtract_derivatives(r, h, s);
  }
}

/* Starting values of the stages: the last polynomial continued, or h c_i x' without one. */
void
dae_radau_predict(DaeRadau *r, double h)
{
  uint32_t s = r->tableau->s;
  if (r->last.tableau == NULL || r->cautious) {
    for (uint32_t j = 0; j < r->n; j++) {
      for (uint32_t i = 0; i < s; i++) {
        r->z[(size_t)j * s + i] = h * r->tableau->c[i] * r->xdot[j];
      }
    }
    return;
  }
  uint32_t so = r->last.tableau->s;
  double basis[DAE_STAGES_MAX][DAE_STAGES_MAX];
  for (uint32_t i = 0; i < s; i++) {
    double t = r->t + r->tableau->c[i] * h;
    dae_collocation_basis(r->last.tableau, (t - r->last.t) / r->last.h, basis[i]);
  }
  for (uint32_t j = 0; j < r->n; j++) {
    const double *z = r->last.z + (size_t)j * so;
    for (uint32_t i = 0; i < s; i++) {
      double sum = -z[so - 1];
      for (uint32_t k = 0; k < so; k++) {
        sum += basis[i][k] * z[k];
      }
      r->z[(size_t)j * s + i] = sum;
    }
  }
}
