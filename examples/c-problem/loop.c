/* A loop written by hand around the exported pendulum: Runge-Kutta, the multiplier by
 * Newton, one projection per step. M is the identity on (x, y, u, v) here, and the last
 * constraint is linear in the multiplier. */
#include <math.h>
#include <stdio.h>

#include "pendulum.h"

enum { X, Y, U, V, LAMBDA };

/* One Newton step for the multiplier from the constraint in which it occurs. */
static void
find_multiplier(double t, double *x)
{
  double g[PENDULUM_N_CON];
  double gx[PENDULUM_N_GX];
  pendulum_g(t, x, g);
  pendulum_gx(t, x, gx);
  for (unsigned i = 0; i < PENDULUM_N_CON; i++) {
    for (unsigned e = pendulum_gx_start[i]; e < pendulum_gx_start[i + 1]; e++) {
      if (pendulum_gx_column[e] == LAMBDA) {
        x[LAMBDA] -= g[i] / gx[e];
      }
    }
  }
}

static void
slopes(double t, const double *x, const double *k, double step, double *out)
{
  double at[PENDULUM_N];
  for (unsigned i = 0; i < PENDULUM_N; i++) {
    at[i] = x[i] + (i < LAMBDA && k != NULL ? step * k[i] : 0.0);
  }
  find_multiplier(t, at);
  pendulum_f(t, at, out);
}

static void
runge_kutta_step(double t, double h, double *x)
{
  double k[4][PENDULUM_N_DIFF];
  slopes(t, x, NULL, 0.0, k[0]);
  slopes(t + h / 2.0, x, k[0], h / 2.0, k[1]);
  slopes(t + h / 2.0, x, k[1], h / 2.0, k[2]);
  slopes(t + h, x, k[2], h, k[3]);
  for (unsigned i = 0; i < LAMBDA; i++) {
    x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
  }
}

/* Position back onto the circle, velocity onto its tangent. */
static void
project(double t, double *x)
{
  const double r = sqrt(x[X] * x[X] + x[Y] * x[Y]);
  x[X] /= r;
  x[Y] /= r;
  const double radial = x[X] * x[U] + x[Y] * x[V];
  x[U] -= radial * x[X];
  x[V] -= radial * x[Y];
  find_multiplier(t, x);
}

int
main(void)
{
  double x[PENDULUM_N];
  double g[PENDULUM_N_CON];
  double largest = 0.0;
  const double h = 1e-3;
  for (unsigned i = 0; i < PENDULUM_N; i++) {
    x[i] = pendulum_start[i];
  }
  for (int k = 0; k < 10000; k++) {
    runge_kutta_step(PENDULUM_T_START + k * h, h, x);
    project(PENDULUM_T_START + (k + 1) * h, x);
  }
  pendulum_g(10.0, x, g);
  for (unsigned i = 0; i < PENDULUM_N_CON; i++) {
    largest = fmax(largest, fabs(g[i]));
  }
  printf("loop  t = 10: %s = %.9f, %s = %.9f, largest constraint %.1e, error %.1e\n",
         pendulum_names[X], x[X], pendulum_names[Y], x[Y], largest,
         fabs(x[X] - 1.0) + fabs(x[Y]));
  return fabs(x[X] - 1.0) + fabs(x[Y]) > 1e-6;
}
