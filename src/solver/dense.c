/* Dense output: the collocation polynomial of a step, as values and derivatives. */
#include <string.h>

#include "solver/lanes.h"
#include "solver/radau.h"

/* basis[i] = l_i(theta): 1 at c_i, 0 at the other nodes and at 0. Products
 * from both ends, no divisions. */
void
dae_collocation_basis(const DaeTableau *tableau, double theta, double *basis)
{
  uint32_t s = tableau->s;
  double left = theta;
  for (uint32_t i = 0; i < s; i++) {
    basis[i] = left;
    left *= theta - tableau->c[i];
  }
  double right = 1.0;
  for (uint32_t i = s; i-- > 0;) {
    basis[i] *= right * tableau->lead[i];
    right *= theta - tableau->c[i];
  }
}

/* The same without the nodes 0, c_1, ... c_(dropped - 1): a polynomial of lower degree
 * through the end of the step. */
void
dae_collocation_tail_basis(const DaeTableau *tableau, uint32_t dropped, double theta,
                           double *basis)
{
  if (dropped == 0) {
    dae_collocation_basis(tableau, theta, basis);
    return;
  }
  uint32_t first = dropped - 1;
  double left = 1.0;
  for (uint32_t i = 0; i < tableau->s; i++) {
    basis[i] = i < first ? 0.0 : left * tableau->lead[i] * tableau->c[i];
    left *= i < first ? 1.0 : theta - tableau->c[i];
    for (uint32_t j = 0; j < first; j++) {
      basis[i] *= tableau->c[i] - tableau->c[j];
    }
  }
  double right = 1.0;
  for (uint32_t i = tableau->s; i-- > first;) {
    basis[i] *= right;
    right *= theta - tableau->c[i];
  }
}

/* Derivatives by theta, from the coefficients: good for x' and Jacobians,
 * where no last digits matter. */
void
dae_collocation_basis_derivative(const DaeTableau *tableau, double theta, double *basis)
{
  uint32_t s = tableau->s;
  for (uint32_t i = 0; i < s; i++) {
    double sum = 0.0;
    for (uint32_t k = s; k-- > 0;) {
      sum = sum * theta + (k + 1.0) * tableau->poly[i][k];
    }
    basis[i] = sum;
  }
}

void
dae_collocation_value(const DaeCollocation *c, uint32_t n, double t, double *x)
{
  double basis[DAE_STAGES_MAX];
  uint32_t s = c->tableau->s;
  uint32_t lanes = DAE_LANES_OF(s);
  dae_collocation_basis(c->tableau, (t - c->t) / c->h, basis);
  for (uint32_t j = 0; j < n; j++) {
    double sum = 0.0;
    for (uint32_t i = 0; i < s; i++) {
      sum += basis[i] * c->z[(size_t)j * lanes + i];
    }
    x[j] = c->x[j] + sum;
  }
}

void
dae_collocation_values(const DaeCollocation *c, const uint32_t *column, uint32_t n, double t,
                       double *x)
{
  double basis[DAE_STAGES_MAX];
  uint32_t s = c->tableau->s;
  uint32_t lanes = DAE_LANES_OF(s);
  dae_collocation_basis(c->tableau, (t - c->t) / c->h, basis);
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t j = column[k];
    double sum = 0.0;
    for (uint32_t i = 0; i < s; i++) {
      sum += basis[i] * c->z[(size_t)j * lanes + i];
    }
    x[j] = c->x[j] + sum;
  }
}

void
dae_collocation_derivative(const DaeCollocation *c, uint32_t n, double t, double *xdot)
{
  double basis[DAE_STAGES_MAX];
  uint32_t s = c->tableau->s;
  uint32_t lanes = DAE_LANES_OF(s);
  dae_collocation_basis_derivative(c->tableau, (t - c->t) / c->h, basis);
  for (uint32_t j = 0; j < n; j++) {
    double sum = 0.0;
    for (uint32_t i = 0; i < s; i++) {
      sum += basis[i] * c->z[(size_t)j * lanes + i];
    }
    xdot[j] = sum / c->h;
  }
}

void
dae_step_value(const DaeStepRecord *record, double t, double *x)
{
  DaeRadau *r = record->dense;
  if (t == r->t) {
    memcpy(x, r->x, sizeof(double) * r->n);
    return;
  }
  dae_radau_close_dense(r, DAE_DENSE_READY);
  dae_collocation_value(&r->last, r->n, t, x);
}
