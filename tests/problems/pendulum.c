/* x' = u, y' = v, u' = -2 x l, v' = -2 y l - g, and the constraints of
 * level 0, 1, 2 (and the energy). */
#include "problems/problems.h"

#define GRAVITY 13.7503716373294544

enum { X, Y, U, V, L, N };

static int
evaluate(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
         DaeOut *out)
{
  const int n_con = *(const int *)self;
  (void)scratch;
  (void)t;
  for (unsigned i = 0; i < lanes; i++) {
    double px = x[X * lanes + i];
    double py = x[Y * lanes + i];
    double u = x[U * lanes + i];
    double v = x[V * lanes + i];
    double l = x[L * lanes + i];
    if (out->f != NULL) {
      out->f[0 * lanes + i] = u;
      out->f[1 * lanes + i] = v;
      out->f[2 * lanes + i] = -2.0 * px * l;
      out->f[3 * lanes + i] = -2.0 * py * l - GRAVITY;
    }
    if (out->g != NULL) {
      out->g[0 * lanes + i] = px * px + py * py - 1.0;
      out->g[1 * lanes + i] = px * u + py * v;
      out->g[2 * lanes + i] = u * u + v * v - 2.0 * l * (px * px + py * py) - GRAVITY * py;
      if (n_con > 3) {
        out->g[3 * lanes + i] = 0.5 * (u * u + v * v) + GRAVITY * py;
      }
    }
    for (unsigned e = 0; out->m != NULL && e < 4; e++) {
      out->m[e * lanes + i] = 1.0;
    }
  }
  return 0;
}

static int
jacobian(const void *self, void *scratch, double t, const double *x, const double *xdot,
         DaeJac *out)
{
  const int n_con = *(const int *)self;
  (void)scratch;
  (void)t;
  (void)xdot;
  if (out->k != NULL) {
    const double k[] = {1.0, 1.0, -2.0 * x[L], -2.0 * x[X], -2.0 * x[L], -2.0 * x[Y]};
    for (int e = 0; e < 6; e++) {
      out->k[e] = k[e];
    }
  }
  if (out->gx != NULL) {
    double r2 = x[X] * x[X] + x[Y] * x[Y];
    const double gx[] = {2.0 * x[X],
                         2.0 * x[Y],
                         x[U],
                         x[V],
                         x[X],
                         x[Y],
                         -4.0 * x[L] * x[X],
                         -4.0 * x[L] * x[Y] - GRAVITY,
                         2.0 * x[U],
                         2.0 * x[V],
                         -2.0 * r2,
                         GRAVITY,
                         x[U],
                         x[V]};
    for (int e = 0; e < (n_con > 3 ? 14 : 11); e++) {
      out->gx[e] = gx[e];
    }
  }
  for (int i = 0; out->gt != NULL && i < n_con; i++) {
    out->gt[i] = 0.0;
  }
  for (int i = 0; i < 4; i++) {
    if (out->ft != NULL) {
      out->ft[i] = 0.0;
    }
    if (out->m != NULL) {
      out->m[i] = 1.0;
    }
  }
  return 0;
}

static const uint32_t mass_start[] = {0, 1, 2, 3, 4};
static const uint32_t mass_column[] = {X, Y, U, V};
static const uint32_t k_start[] = {0, 1, 2, 4, 6};
static const uint32_t k_column[] = {U, V, X, L, Y, L};
static const uint32_t g_start[] = {0, 2, 6, 11, 14};
static const uint32_t g_column[] = {X, Y, X, Y, U, V, X, Y, U, V, L, Y, U, V};
static const int constraints_plain = 3;
static const int constraints_energy = 4;

static const DaeEvaluator plain = {
    .n = N,
    .n_diff = 4,
    .n_con = 3,
    .mass = {4, N, mass_start, mass_column},
    .dynamics = {4, N, k_start, k_column},
    .constraint = {3, N, g_start, g_column},
    .self = &constraints_plain,
    .eval = evaluate,
    .jac = jacobian,
};

static const DaeEvaluator with_energy = {
    .n = N,
    .n_diff = 4,
    .n_con = 4,
    .mass = {4, N, mass_start, mass_column},
    .dynamics = {4, N, k_start, k_column},
    .constraint = {4, N, g_start, g_column},
    .self = &constraints_energy,
    .eval = evaluate,
    .jac = jacobian,
};

static const double start[] = {1.0, 0.0, 0.0, 0.0, 0.0};

const DaeProblem dae_problem_pendulum = {.name = "pendulum",
                                         .evaluator = &plain,
                                         .t_stop = 100.0,
                                         .start = start,
                                         .reference = start};
const DaeProblem dae_problem_pendulum_energy = {.name = "pendulum with energy",
                                                .evaluator = &with_energy,
                                                .t_stop = 100.0,
                                                .start = start,
                                                .reference = start};
