/* Which of several solutions of a block? The one nearest to the start values that were written.
 *
 * Newton's method ends at some solution, and from a guess that fits nowhere (orientations without
 * start values begin with zeros, which are none) it may be a far one: the other way of assembling
 * a loop, or angles moved by whole turns. Then others are looked for: the unknowns without a start
 * value begin at what the solution has, or at what the equations give for them when those with one
 * are as written, or moved a little. */
#include <math.h>
#include <string.h>

#include "start/start-priv.h"

/* Unknowns with start values may move so far, in units, before nearer ones are looked for. */
#define MOST_WAY 1.0
/* Guesses beside the written one. */
#define TRIES 9u
/* A residual below this part of its largest term is 0. */
#define SOLVED 1e-9

typedef struct {
  const DaeRootProblem *problem;
  const double *guess, *units, *weights;
  double *values; /* of the Jacobian */
  double *r;      /* residuals */
  bool *is_known; /* by unknown */
} Nearest;

static bool
is_written(const Nearest *s, uint32_t k)
{
  return s->weights[k] <= s->units[k];
}

/* How far those unknowns moved that have a start value, in units. */
static double
distance(const Nearest *s, const double *y)
{
  double sum = 0;
  for (uint32_t k = 0; k < s->problem->n; k++) {
    double moved = is_written(s, k) ? (y[k] - s->guess[k]) / s->units[k] : 0;
    sum += moved * moved;
  }
  return sqrt(sum);
}

/* Solves from z; y becomes what is found where the unknowns with a start value are nearer to it. */
static void
take_nearer(const Nearest *s, const double *freedom, double *z, double *y)
{
  if (dae_numeric_solve(s->problem, freedom, 1e-12, z).converged &&
      distance(s, z) < distance(s, y)) {
    memcpy(y, z, s->problem->n * sizeof(double));
  }
}

/* The entry of the only unknown of a row that is not known; UINT32_MAX: there is none, or more. */
static uint32_t
open_entry(const Nearest *s, uint32_t i)
{
  const DaePattern *pattern = &s->problem->pattern;
  uint32_t open = UINT32_MAX;
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    if (!s->is_known[pattern->column[e]]) {
      if (open != UINT32_MAX) {
        return UINT32_MAX;
      }
      open = e;
    }
  }
  return open;
}

/* Solves row i for the unknown of entry e, in which it is linear; false: it is not, or has no
 * value. */
static bool
solve_row(const Nearest *s, uint32_t i, uint32_t e, double *z)
{
  const DaeRootProblem *p = s->problem;
  const uint32_t k = p->pattern.column[e];
  const double before = z[k];
  if (p->residual(p->self, NULL, z, s->r) != 0 ||
      p->jacobian(p->self, NULL, z, s->values) != 0 || s->values[e] == 0) {
    return false;
  }
  const double size = fabs(s->r[i]);
  z[k] -= s->r[i] / s->values[e];
  const double scale = fmax(size, fabs(s->values[e]) * fmax(s->units[k], fabs(z[k])));
  if (p->residual(p->self, NULL, z, s->r) == 0 && fabs(s->r[i]) <= SOLVED * scale) {
    s->is_known[k] = true;
    return true;
  }
  z[k] = before;
  return false;
}

/* Unknowns without a start value from those with one, row by row as far as it goes. Each pass
 * finds one at least, or is the last. */
static void
follow_written(const Nearest *s, double *z)
{
  const DaeRootProblem *p = s->problem;
  for (uint32_t k = 0; k < p->n; k++) {
    s->is_known[k] = is_written(s, k);
  }
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (uint32_t i = 0; i < p->m; i++) {
      const uint32_t e = open_entry(s, i);
      goes_on = (e != UINT32_MAX && solve_row(s, i, e, z)) || goes_on;
    }
  }
}

/* From the written values, then from beside them, with all others as these give them. */
static void
begin_with_written(const Nearest *s, double *z, double *y)
{
  const uint32_t n = s->problem->n;
  for (uint32_t k = 0; k <= TRIES && distance(s, y) >= MOST_WAY; k++) {
    if (k == 0) {
      memcpy(z, s->guess, n * sizeof(double));
    } else {
      dae_start_move_guess(s->guess, s->units, n, k - 1, z);
    }
    follow_written(s, z);
    take_nearer(s, s->weights, z, y);
  }
}

/* From a guess far off, Newton's method moves the angles that were given by whole turns. What it
 * found for the others is a better guess for them: the given ones begin once more where they
 * were. And nominal values far from how far the unknowns have to move (an angle with the nominal
 * value 1e-4 of the damper on its axis) lead Newton's damped steps astray: once without them. */
static void
begin_with_found(const Nearest *s, double *z, double *y)
{
  const uint32_t n = s->problem->n;
  g_autofree double *even = g_new0(double, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    z[k] = is_written(s, k) ? s->guess[k] : y[k];
    even[k] = s->weights[k] / s->units[k];
  }
  take_nearer(s, s->weights, z, y);
  memcpy(z, s->guess, n * sizeof(double));
  take_nearer(s, even, z, y);
}

void
dae_start_pull_back(const DaeRootProblem *problem, const double *guess, const double *units,
                    const double *weights, double *y)
{
  const uint32_t n = problem->n;
  g_autofree double *values = g_new0(double, problem->pattern.row_start[problem->m] + 1);
  g_autofree double *r = g_new0(double, problem->m + 1);
  g_autofree double *z = g_new0(double, n + 1);
  g_autofree bool *is_known = g_new0(bool, n + 1);
  const Nearest s = {problem, guess, units, weights, values, r, is_known};
  if (distance(&s, y) < MOST_WAY) {
    return;
  }
  begin_with_found(&s, z, y);
  if (n <= DAE_START_MOST_MOVED) {
    begin_with_written(&s, z, y);
  }
}
