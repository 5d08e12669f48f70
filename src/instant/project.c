/* A point that has drifted from the constraints, moved back onto them by the least change. */
#include <string.h>

#include "instant/instant-priv.h"
#include "numeric/numeric.h"

typedef struct {
  DaeInstant *instant;
  double t;
} Constraints;

static int
constraint_values(const void *self, void *scratch, const double *x, double *g)
{
  const Constraints *problem = self;
  const DaeEvaluator *ev = problem->instant->evaluator;
  (void)scratch;
  DaeOut out = {.g = g};
  return ev->eval(ev->self, problem->instant->scratch, 1, &problem->t, x, &out);
}

static int
constraint_jacobian(const void *self, void *scratch, const double *x, double *values)
{
  const Constraints *problem = self;
  const DaeEvaluator *ev = problem->instant->evaluator;
  (void)scratch;
  DaeJac jac = {.gx = values};
  return ev->jac(ev->self, problem->instant->scratch, problem->t, x, problem->instant->xdot,
                 &jac);
}

/* Where the constraints only determine the algebraic unknowns, an event solves for these anyway.
 * But one that is hardly determined (the temperature of a tank that runs empty, U = m*u at
 * m = 0) would be moved anywhere by the error of the differentiated ones. */
static bool
holds_all(DaeInstant *instant, double t, const double *x)
{
  uint32_t row = 0;
  return instant->evaluator->n_con > instant->n_algebraic
             ? dae_solve_residual(instant, t, x, &row) < 1e-12
             : dae_solve_is_near(instant, t, x, 1e-6);
}

void
dae_restart_project(DaeInstant *instant, double t, double *x)
{
  const DaeEvaluator *ev = instant->evaluator;
  if (holds_all(instant, t, x)) {
    return;
  }
  const Constraints problem = {instant, t};
  g_autofree double *near = g_memdup2(x, (instant->n + 1) * sizeof(double));
  DaeRootProblem root = {
      .n = instant->n,
      .m = ev->n_con,
      .pattern = {ev->n_con, instant->n, ev->constraint.row_start, ev->constraint.column},
      .self = &problem,
      .residual = constraint_values,
      .jacobian = constraint_jacobian,
      .may_rest = true};
  DaeRootResult result = dae_numeric_solve(&root, instant->parts.nominal, 1e-13, near);
  if (result.converged || result.at_rest) {
    memcpy(x, near, instant->n * sizeof(double));
  }
}
