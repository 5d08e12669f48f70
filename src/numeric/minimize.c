/* Levenberg-Marquardt with dense normal equations, for blocks of moderate size. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "numeric/numeric.h"

typedef struct {
  const DaeDenseProblem *problem;
  double *x; /* the caller's */
  double *trial, *f, *g, *step;
  double *j, *a; /* m * n, n * n */
} Search;

static bool
residuals(const Search *search, const double *x, double *f, double *sum)
{
  const DaeDenseProblem *p = search->problem;
  *sum = 0.0;
  if (!p->residual(p->user, x, f)) {
    return false;
  }
  for (uint32_t i = 0; i < p->m; i++) {
    *sum += f[i] * f[i];
  }
  return isfinite(*sum);
}

/* a := J'J, step := -J'f; J is mostly zeros. */
static void
normal_equations(Search *search)
{
  uint32_t n = search->problem->n;
  memset(search->a, 0, sizeof(double) * n * n);
  memset(search->step, 0, sizeof(double) * n);
  for (uint32_t r = 0; r < search->problem->m; r++) {
    const double *row = search->j + (size_t)r * n;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t k = 0; k < n && row[i] != 0; k++) {
        search->a[i * n + k] += row[i] * row[k];
      }
      search->step[i] -= row[i] * search->f[r];
    }
  }
}

/* a := J'J + damping*diag, step := -J'f. */
static void
damped_equations(Search *search, double damping)
{
  uint32_t n = search->problem->n;
  normal_equations(search);
  double largest = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    largest = fmax(largest, search->a[i * n + i]);
  }
  for (uint32_t i = 0; i < n; i++) { /* an unknown that hardly matters here is held, too */
    double size = fmax(search->a[i * n + i], 1e-3 * largest);
    search->a[i * n + i] += damping * (size + 1e-12);
  }
}

static void
swap_rows(Search *search, uint32_t c, uint32_t pivot)
{
  uint32_t n = search->problem->n;
  for (uint32_t k = 0; k < n; k++) {
    double kept = search->a[c * n + k];
    search->a[c * n + k] = search->a[pivot * n + k];
    search->a[pivot * n + k] = kept;
  }
  double kept = search->step[c];
  search->step[c] = search->step[pivot];
  search->step[pivot] = kept;
}

/* Solves (J'J + damping*diag) step = -J'f by Gaussian elimination with pivoting. */
static bool
damped_step(Search *search, double damping)
{
  uint32_t n = search->problem->n;
  double *a = search->a;
  double *step = search->step;
  damped_equations(search, damping);
  for (uint32_t c = 0; c < n; c++) {
    uint32_t pivot = c;
    for (uint32_t r = c + 1; r < n; r++) {
      pivot = fabs(a[r * n + c]) > fabs(a[pivot * n + c]) ? r : pivot;
    }
    if (a[pivot * n + c] == 0.0) {
      return false;
    }
    swap_rows(search, c, pivot);
    for (uint32_t r = c + 1; r < n; r++) {
      double factor = a[r * n + c] / a[c * n + c];
      for (uint32_t k = c; k < n && factor != 0; k++) {
        a[r * n + k] -= factor * a[c * n + k];
      }
      step[r] -= factor * step[c];
    }
  }
  for (uint32_t c = n; c-- > 0;) {
    for (uint32_t k = c + 1; k < n; k++) {
      step[c] -= a[c * n + k] * step[k];
    }
    step[c] /= a[c * n + c];
  }
  return true;
}

/* One step with the damping that makes the sum of squares smaller; false: none of a few does. */
static bool
improve(Search *search, double *damping, double *sum)
{
  const DaeDenseProblem *p = search->problem;
  for (int k = 0; k < 12; k++) {
    double next = 0.0;
    if (damped_step(search, *damping)) {
      for (uint32_t c = 0; c < p->n; c++) {
        search->trial[c] = search->x[c] + search->step[c];
      }
      if (residuals(search, search->trial, search->g, &next) && next < *sum) {
        memcpy(search->x, search->trial, sizeof(double) * p->n);
        memcpy(search->f, search->g, sizeof(double) * p->m);
        *damping = fmax(*damping / 10, 1e-15);
        *sum = next;
        return true;
      }
    }
    *damping *= 6;
  }
  return false;
}

/* Patience is over: since it was last looked at, the sum of squares has not halved. */
static bool
is_slow(const DaeDenseProblem *p, uint32_t iteration, double sum, double *before)
{
  if (p->patience == 0 || iteration % p->patience != 0) {
    return false;
  }
  bool is_slow = iteration > 0 && sum > 0.5 * *before;
  *before = sum;
  return is_slow;
}

static DaeMinimizeEnd
minimize(Search *search, uint32_t most_iterations)
{
  const DaeDenseProblem *p = search->problem;
  double sum = 0.0;
  double before = 0.0;
  double damping = 1e-3;
  if (!residuals(search, search->x, search->f, &sum)) {
    return DAE_MINIMIZE_DOMAIN;
  }
  for (uint32_t i = 0; i < most_iterations && sum > 0.0; i++) {
    if (p->is_over != NULL && p->is_over(p->user)) {
      return DAE_MINIMIZE_STOPPED;
    }
    if (is_slow(p, i, sum, &before)) {
      break;
    }
    if (!p->jacobian(p->user, search->x, search->j) || !improve(search, &damping, &sum)) {
      break;
    }
  }
  return DAE_MINIMIZE_DONE;
}

DaeMinimizeEnd
dae_numeric_minimize(const DaeDenseProblem *problem, uint32_t most_iterations, double *x)
{
  size_t m = problem->m;
  size_t n = problem->n;
  g_autofree double *trial = g_new0(double, n + 1);
  g_autofree double *f = g_new0(double, m + 1);
  g_autofree double *g = g_new0(double, m + 1);
  g_autofree double *step = g_new0(double, n + 1);
  g_autofree double *j = g_new0(double, m *n + 1);
  g_autofree double *a = g_new0(double, n *n + 1);
  Search search = {problem, x, trial, f, g, step, j, a};
  return minimize(&search, most_iterations);
}
