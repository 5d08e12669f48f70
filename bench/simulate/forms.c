#include "forms.h"

#include <math.h>
#include <string.h>

#include "problems/problems.h"

#define GRAVITY 13.7503716373294544

static void
pendulum_index3(double t, const double *y, double *f)
{
  (void)t;
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -2.0 * y[0] * y[4];
  f[3] = -2.0 * y[1] * y[4] - GRAVITY;
  f[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
}

static void
pendulum_index1(double t, const double *y, const double *ydot, double *r)
{
  double f[5];
  pendulum_index3(t, y, f);
  for (int i = 0; i < 4; i++) {
    r[i] = ydot[i] - f[i];
  }
  r[4] = y[2] * y[2] + y[3] * y[3] - 2.0 * y[4] * (y[0] * y[0] + y[1] * y[1]) - GRAVITY * y[1];
}

static void
pendulum_ggl(double t, const double *y, const double *ydot, double *r)
{
  pendulum_index1(t, y, ydot, r);
  r[0] += y[0] * y[5];
  r[1] += y[1] * y[5];
  r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
  r[5] = y[0] * y[2] + y[1] * y[3];
}

/* Car axis: x_b, y_b of the moving foot; gradients of the two constraints. */
static void
car_gradients(double t, const double *y, double g[2][4])
{
  double yb = 0.1 * sin(10.0 * t), xb = sqrt(1.0 - yb * yb);
  const double first[4] = {xb, yb, 0.0, 0.0};
  const double second[4] = {y[0] - y[2], y[1] - y[3], y[2] - y[0], y[3] - y[1]};
  memcpy(g[0], first, sizeof(first));
  memcpy(g[1], second, sizeof(second));
}

static void
car_all(double t, const double *y, double *f, double *g)
{
  double m[DAE_FULL_PATTERN_MAX];
  memset(m, 0, sizeof(double) * 80);
  dae_problem_car_axis.template->real_point(t, y, m, f, g);
}

static void
car_index3(double t, const double *y, double *f)
{
  double g[6];
  car_all(t, y, f, g);
  f[8] = g[0];
  f[9] = g[1];
}

static void
car_index1(double t, const double *y, const double *ydot, double *r)
{
  double f[8], g[6];
  car_all(t, y, f, g);
  for (int i = 0; i < 8; i++) {
    r[i] = ydot[i] - f[i];
  }
  r[8] = g[4];
  r[9] = g[5];
}

static void
car_ggl(double t, const double *y, const double *ydot, double *r)
{
  double f[8], g[6], grad[2][4];
  car_all(t, y, f, g);
  car_gradients(t, y, grad);
  for (int i = 0; i < 8; i++) {
    r[i] = ydot[i] - f[i];
  }
  for (int i = 0; i < 4; i++) {
    r[i] += grad[0][i] * y[10] + grad[1][i] * y[11];
  }
  for (int i = 0; i < 4; i++) {
    r[8 + i] = g[i];
  }
}

/* Andrews: angles, velocities, accelerations, multipliers; rows of g: level 0, 1, 2 (6 each), dynamics (7). */
static void
andrews_all(double t, const double *y, double *f, double *g)
{
  double m[DAE_FULL_PATTERN_MAX];
  dae_problem_andrews.template->real_point(t, y, m, f, g);
}

static void
andrews_index3(double t, const double *y, double *f)
{
  double g[25];
  andrews_all(t, y, f, g);
  memcpy(f + 14, g + 18, sizeof(double) * 7);
  memcpy(f + 21, g, sizeof(double) * 6);
}

static void
andrews_index1(double t, const double *y, const double *ydot, double *r)
{
  double f[14], g[25];
  andrews_all(t, y, f, g);
  for (int i = 0; i < 14; i++) {
    r[i] = ydot[i] - f[i];
  }
  memcpy(r + 14, g + 18, sizeof(double) * 7);
  memcpy(r + 21, g + 12, sizeof(double) * 6);
}

static const double pendulum_start[5] = {1.0, 0.0, 0.0, 0.0, 0.0};
static const double car_start[10] = {0.0, 0.5, 1.0, 0.5, -0.5, 0.0, -0.5, 0.0, 0.0, 0.0};
static const double andrews_start[27] = {-0.0617138900142764496358948458001,
                                         0.0,
                                         0.455279819163070380255912382449,
                                         0.222668390165885884674473185609,
                                         0.487364979543842550225598953530,
                                         -0.222668390165885884674473185609,
                                         1.23054744454982119249735015568,
                                         0.0,
                                         0.0,
                                         0.0,
                                         0.0,
                                         0.0,
                                         0.0,
                                         0.0,
                                         14222.4439199541138705911625887,
                                         -10666.8329399655854029433719415,
                                         0.0,
                                         0.0,
                                         0.0,
                                         0.0,
                                         0.0,
                                         98.5668703962410896057654982170,
                                         -6.12268834425566265503114393122};

const DaePeerForm dae_peer_forms[DAE_PEER_FORMS] = {
    {.name = "pendulum",
     .n_index3 = 5,
     .n_ggl = 6,
     .n_index1 = 5,
     .indices = {2, 2, 1},
     .t_stop = 100.0,
     .positions = 2,
     .velocities = 2,
     .first_multiplier = 4,
     .multipliers = 1,
     .start = pendulum_start,
     .index3 = pendulum_index3,
     .ggl = pendulum_ggl,
     .index1 = pendulum_index1},
    {.name = "car_axis",
     .n_index3 = 10,
     .n_ggl = 12,
     .n_index1 = 10,
     .indices = {4, 4, 2},
     .t_stop = 3.0,
     .positions = 4,
     .velocities = 4,
     .first_multiplier = 8,
     .multipliers = 2,
     .start = car_start,
     .index3 = car_index3,
     .ggl = car_ggl,
     .index1 = car_index1},
    {.name = "andrews",
     .n_index3 = 27,
     .n_ggl = 0,
     .n_index1 = 27,
     .indices = {7, 7, 13},
     .t_stop = 0.03,
     .positions = 7,
     .velocities = 7,
     .first_multiplier = 21,
     .multipliers = 6,
     .start = andrews_start,
     .index3 = andrews_index3,
     .index1 = andrews_index1},
};
