/* Gives the integrator a system of one's own as C functions, without any model text: a point
 * that moves on the unit circle with unit speed, x' = -y, y' = x, 0 = x^2 + y^2 - 1. Three
 * equations for two unknowns: the integrator keeps the constraint.
 *
 *     cc own_system.c $(pkg-config --cflags --libs daetool) -lm -o own_system && ./own_system */
#include <daetool/daetool.h>
#include <math.h>
#include <stdio.h>

static int
circle_eval(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
            DaeOut *out)
{
  (void)self;
  (void)scratch;
  (void)t;
  for (unsigned l = 0; l < lanes; l++) {
    double px = x[l];
    double py = x[lanes + l];
    if (out->f != NULL) {
      out->f[l] = -py;
      out->f[lanes + l] = px;
    }
    if (out->g != NULL) {
      out->g[l] = px * px + py * py - 1;
    }
    if (out->m != NULL) {
      out->m[l] = 1;
      out->m[lanes + l] = 1;
    }
  }
  return 0;
}

static int
circle_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
           DaeJac *out)
{
  (void)self;
  (void)scratch;
  (void)t;
  (void)xdot;
  if (out->k != NULL) {
    out->k[0] = -1; /* d(-y)/dy */
    out->k[1] = 1;  /* d(x)/dx */
  }
  if (out->gx != NULL) {
    out->gx[0] = 2 * x[0];
    out->gx[1] = 2 * x[1];
  }
  if (out->gt != NULL) {
    out->gt[0] = 0;
  }
  if (out->ft != NULL) {
    out->ft[0] = out->ft[1] = 0;
  }
  if (out->m != NULL) {
    out->m[0] = out->m[1] = 1;
  }
  return 0;
}

int
main(void)
{
  static const uint32_t mass_start[] = {0, 1, 2};
  static const uint32_t mass_column[] = {0, 1};
  static const uint32_t dynamics_start[] = {0, 1, 2};
  static const uint32_t dynamics_column[] = {1, 0};
  static const uint32_t constraint_start[] = {0, 2};
  static const uint32_t constraint_column[] = {0, 1};
  DaeEvaluator circle = {
      .n = 2,
      .n_diff = 2,
      .n_con = 1,
      .mass = {2, 2, mass_start, mass_column},
      .dynamics = {2, 2, dynamics_start, dynamics_column},
      .constraint = {1, 2, constraint_start, constraint_column},
      .eval = circle_eval,
      .jac = circle_jac,
  };
  dae_init();
  DaeSolverOptions run;
  dae_solver_default_options(&run);
  run.t_stop = 10;
  run.rtol = run.atol = 1e-9;
  double x[2] = {1, 0};
  DaeSolverResult result = dae_solver_run(&circle, &run, x, NULL, NULL, NULL);
  printf("%s: error %.1e, constraint %.1e\n", dae_solver_status_text(result.status),
         hypot(x[0] - cos(10), x[1] - sin(10)), x[0] * x[0] + x[1] * x[1] - 1);
  return result.status == DAE_SOLVER_COMPLETED ? 0 : 1;
}
