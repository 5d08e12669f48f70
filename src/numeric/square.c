/* Newton's method by sparse LU, for problems that determine their unknowns: where the
 * regularization of Gauss-Newton is too much. Ideal diodes, 1e-5 S open and 1e-5 ohm closed, leave
 * directions that are determined 1e-10 times as well as others: the damping of the augmented
 * system hides them, LU with pivoting finds them to all digits that are there. Of more equations
 * than unknowns independent ones make the step, all of them judge it. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "numeric/numeric-priv.h"

#define MOST_STEPS 100
#define MOST_HALVINGS 10
/* Unknowns up to which independent rows are looked for. */
#define MOST_UNKNOWNS 5000

typedef struct {
  const DaeRootProblem *problem;
  const double *weight;
  double *x, *trial, *r, *r_trial, *values, *scale, *step;
  DaeRowSolver *solver;
} Square;

static bool
residual_at(const Square *s, const double *x, double *r)
{
  const DaeRootProblem *p = s->problem;
  double check = 0.0;
  if (p->residual(p->self, p->scratch, x, r) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < p->m; i++) {
    check += r[i] - r[i];
  }
  return check == 0.0;
}

/* Rows scaled to largest entry 1, columns to units of their unknowns. False: no finite Jacobian. */
static bool
take_jacobian(Square *s)
{
  const DaeRootProblem *p = s->problem;
  if (p->jacobian(p->self, p->scratch, s->x, s->values) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < p->m; i++) {
    double largest = 0.0;
    for (uint32_t e = p->pattern.row_start[i]; e < p->pattern.row_start[i + 1]; e++) {
      s->values[e] *= s->weight[p->pattern.column[e]];
      largest = fmax(largest, fabs(s->values[e]));
    }
    s->scale[i] = largest > 0.0 ? largest : 1.0;
    for (uint32_t e = p->pattern.row_start[i]; e < p->pattern.row_start[i + 1]; e++) {
      s->values[e] /= s->scale[i];
    }
  }
  return true;
}

static double
scaled_norm(const Square *s, const double *r)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < s->problem->m; i++) {
    sum += r[i] / s->scale[i] * (r[i] / s->scale[i]);
  }
  return sqrt(sum);
}

static bool
solve_step(Square *s)
{
  if (!dae_row_solver_factor(s->solver, s->values)) {
    return false;
  }
  for (uint32_t i = 0; i < s->problem->m; i++) {
    s->r_trial[i] = -s->r[i] / s->scale[i];
  }
  dae_row_solver_solve(s->solver, s->r_trial, s->step);
  double check = 0.0;
  for (uint32_t j = 0; j < s->problem->n; j++) {
    check += s->step[j] - s->step[j];
  }
  return check == 0.0;
}

/* Shortens the step until the residual falls; false if it never does. */
static bool
take_step(Square *s, double norm)
{
  double factor = 1.0;
  for (uint32_t k = 0; k <= MOST_HALVINGS; k++, factor *= 0.5) {
    for (uint32_t j = 0; j < s->problem->n; j++) {
      s->trial[j] = s->x[j] + factor * s->weight[j] * s->step[j];
    }
    if (residual_at(s, s->trial, s->r_trial) && scaled_norm(s, s->r_trial) < norm) {
      memcpy(s->x, s->trial, sizeof(double) * s->problem->n);
      memcpy(s->r, s->r_trial, sizeof(double) * s->problem->m);
      return true;
    }
  }
  return false;
}

static void
iterate(Square *s)
{
  for (uint32_t k = 0; k < MOST_STEPS && take_jacobian(s); k++) {
    double norm = scaled_norm(s, s->r);
    if (norm == 0.0 || !solve_step(s) || !take_step(s, norm)) {
      return;
    }
  }
}

void
dae_numeric_square_newton(const DaeRootProblem *problem, const double *weight, double *x)
{
  size_t n = problem->n;
  size_t m = problem->m;
  if (m < n || n == 0 || (m > n && n > MOST_UNKNOWNS)) {
    return;
  }
  g_autofree double *trial = g_new0(double, n);
  g_autofree double *step = g_new0(double, n);
  g_autofree double *r = g_new0(double, m);
  g_autofree double *r_trial = g_new0(double, m);
  g_autofree double *scale = g_new0(double, m);
  g_autofree double *values = g_new0(double, problem->pattern.row_start[m] + (size_t)1);
  Square s = {problem, weight, x, trial, r, r_trial, values, scale, step, NULL};
  s.solver = dae_row_solver_new(&problem->pattern);
  if (residual_at(&s, x, r)) {
    iterate(&s);
  }
  dae_row_solver_free(s.solver);
}
