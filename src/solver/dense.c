/* Dense output: the collocation polynomial of a step, as values and derivatives. */
#include <string.h>

#include "solver/radau.h"

/* basis[i] = l_i(theta): 1 at c_i, 0 at the other nodes and at 0. */
void
dae_collocation_basis(const DaeTableau *tableau, double theta, double *basis)
{
  for (uint32_t i = 0; i < tableau->s; i++) {
    double value = theta / tableau->c[i];
    for (uint32_t j = 0; j < tableau->s; j++) {
      if (j != i) {
        value *= (theta - tableau->c[j]) / (tableau->c[i] - tableau->c[j]);
      }
    }
    basis[i] = value;
  }
}

void
dae_collocation_basis_derivative(const DaeTableau *tableau, double theta, double *basis)
{
  uint32_t s = tableau->s;
  for (uint32_t i = 0; i < s; i++) {
    /* product rule with the factors theta and theta - c_j, j != i */
    double scale = 1.0 / tableau->c[i];
    double sum = 0.0;
    for (uint32_t j = 0; j < s; j++) {
      if (j != i) {
        scale /= tableau->c[i] - tableau->c[j];
      }
    }
    for (uint32_t k = 0; k < s; k++) {
      double product = k == i ? 1.0 : theta; /* k == i stands for the factor theta */
      for (uint32_t j = 0; j < s; j++) {
        if (j != i && j != k) {
          product *= theta - tableau->c[j];
        }
      }
      sum += product;
    }
    basis[i] = scale * sum;
  }
}

void
dae_collocation_value(const DaeCollocation *c, uint32_t n, double t, double *x)
{
  double basis[DAE_STAGES_MAX];
  uint32_t s = c->tableau->s;
  dae_collocation_basis(c->tableau, (t - c->t) / c->h, basis);
  for (uint32_t j = 0; j < n; j++) {
    double sum = 0.0;
    for (uint32_t i = 0; i < s; i++) {
      sum += basis[i] * c->z[(size_t)j * s + i];
    }
    x[j] = c->x[j] + sum;
  }
}

void
dae_collocation_derivative(const DaeCollocation *c, uint32_t n, double t, double *xdot)
{
  double basis[DAE_STAGES_MAX];
  uint32_t s = c->tableau->s;
  dae_collocation_basis_derivative(c->tableau, (t - c->t) / c->h, basis);
  for (uint32_t j = 0; j < n; j++) {
    double sum = 0.0;
    for (uint32_t i = 0; i < s; i++) {
      sum += basis[i] * c->z[(size_t)j * s + i];
    }
    xdot[j] = sum / c->h;
  }
}
