#include <glib.h>
#include <math.h>
#include <string.h>

#include "numeric/numeric.h"

enum { MOST_HALVINGS = 10 };

typedef struct {
  const DaeDenseProblem *problem;
  double *jacobian, *r; /* as the functions give them */
  double *a; /* m x (n + 1): rows scaled to largest entry 1, the residual scaled alike */
  double *delta;
  uint32_t *pivot;
} Newton;

static bool
evaluate(Newton *newton, const double *x)
{
  const DaeDenseProblem *p = newton->problem;
  if (!p->residual(p->user, x, newton->r) || !p->jacobian(p->user, x, newton->jacobian)) {
    return false;
  }
  for (uint32_t i = 0; i < p->m; i++) {
    double *row = newton->a + (size_t)i * (p->n + 1);
    double largest = 0.0;
    memcpy(row, newton->jacobian + (size_t)i * p->n, p->n * sizeof(double));
    row[p->n] = newton->r[i];
    for (uint32_t j = 0; j < p->n; j++) {
      largest = fmax(largest, fabs(row[j]));
    }
    for (uint32_t j = 0; largest > 0.0 && j <= p->n; j++) {
      row[j] /= largest;
    }
  }
  return true;
}

static double
largest_residual(const Newton *newton)
{
  const DaeDenseProblem *p = newton->problem;
  double largest = 0.0;
  for (uint32_t i = 0; i < p->m; i++) {
    largest = fmax(largest, fabs(newton->a[(size_t)i * (p->n + 1) + p->n]));
  }
  return largest;
}

/* Rows from last to first; unknowns without pivot do not move. */
static void
take_step(Newton *newton, double *x)
{
  const DaeDenseProblem *p = newton->problem;
  memset(newton->delta, 0, p->n * sizeof(double));
  for (uint32_t i = p->m; i-- > 0;) {
    uint32_t pivot = newton->pivot[i];
    if (pivot == DAE_NUMERIC_NONE) {
      continue;
    }
    const double *row = newton->a + (size_t)i * (p->n + 1);
    double sum = -row[p->n];
    for (uint32_t j = 0; j < p->n; j++) {
      sum -= j == pivot ? 0.0 : row[j] * newton->delta[j];
    }
    newton->delta[pivot] = sum / row[pivot];
  }
  for (uint32_t j = 0; j < p->n; j++) {
    x[j] += newton->delta[j];
  }
}

/* Where the last step left the domain, half of it, and half of that. */
static bool
evaluate_inside(Newton *newton, uint32_t step, double *x)
{
  bool is_inside = evaluate(newton, x);
  for (uint32_t k = 0; k < MOST_HALVINGS && !is_inside && step > 0; k++) {
    for (uint32_t j = 0; j < newton->problem->n; j++) {
      newton->delta[j] *= 0.5;
      x[j] -= newton->delta[j];
    }
    is_inside = evaluate(newton, x);
  }
  return is_inside;
}

bool
dae_numeric_newton(const DaeDenseProblem *problem, const DaeNewtonLimits *limits, double *x)
{
  size_t entries = (size_t)problem->m * problem->n;
  g_autofree double *jacobian = g_new0(double, entries + 1);
  g_autofree double *r = g_new0(double, (size_t)problem->m + 1);
  g_autofree double *a = g_new0(double, entries + problem->m + 1);
  g_autofree double *delta = g_new0(double, (size_t)problem->n + 1);
  g_autofree uint32_t *pivot = g_new0(uint32_t, (size_t)problem->m + 1);
  Newton newton = {problem, jacobian, r, a, delta, pivot};
  double best = INFINITY;
  uint32_t best_step = 0;
  for (uint32_t step = 0; step < limits->most_steps; step++) {
    if ((problem->is_over != NULL && problem->is_over(problem->user)) ||
        !evaluate_inside(&newton, step, x)) {
      return false;
    }
    double residual = largest_residual(&newton);
    if (residual < limits->residual) {
      return true;
    }
    if (residual < 0.5 * best) {
      best = residual;
      best_step = step;
    } else if (limits->patience > 0 && step - best_step >= limits->patience) {
      return false;
    }
    (void)dae_numeric_echelon(a, problem->m, problem->n, problem->n + 1, limits->pivot, pivot);
    take_step(&newton, x);
  }
  return false;
}
