/* Newton's method for one unknown in one equation. */
#include <math.h>

#include "numeric/numeric.h"

/* Steps go no farther than twice the size of x where `is_short`. Returns the number of steps to
 * the root; 0: none was found. */
static int
newton(const DaeScalarProblem *problem, bool is_short, double *x)
{
  enum { MOST_STEPS = 40 };

  double at = *x;
  for (int k = 1; k <= MOST_STEPS; k++) {
    double r = 0.0;
    double slope = 0.0;
    if (!problem->residual(problem->user, at, &r)) {
      return 0;
    }
    if (r == 0.0) { /* also where the slope vanishes: z^2 = 0 at z = 0 */
      *x = at;
      return k;
    }
    if (!problem->slope(problem->user, at, &slope) || (slope == 0.0 && k > 1)) {
      return 0;
    }
    const double longest = 1.0 + fabs(at);
    double step = slope != 0.0 ? -r / slope : 0.1 * longest; /* off the extremum */
    if (is_short && fabs(step) > longest) {
      step = copysign(longest, step);
    }
    const double next = at + step;
    if (!isfinite(next)) {
      return 0;
    }
    const bool is_settled = fabs(next - at) <= 1e-13 * (fabs(next) + fabs(at));
    at = next;
    if (is_settled) {
      *x = at;
      return k;
    }
  }
  return 0;
}

bool
dae_numeric_scalar(const DaeScalarProblem *problem, double *x)
{
  enum { STEPS_IF_LINEAR = 2 };

  double root = *x;
  const int steps = newton(problem, false, &root);
  const double distance = fabs(root - *x);
  if (steps > STEPS_IF_LINEAR && distance > 1.0 + fabs(*x)) {
    /* a flat place near the guess leads far away (cos(x) = 0 from x = 0.1): is another root
     * nearer? */
    double near = *x;
    if (newton(problem, true, &near) > 0 && fabs(near - *x) < distance) {
      root = near;
    }
  }
  if (steps > 0) {
    *x = root;
  }
  return steps > 0;
}
