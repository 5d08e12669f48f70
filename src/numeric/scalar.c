/* Newton's method for one unknown in one equation. */
#include <math.h>

#include "numeric/numeric.h"

bool
dae_numeric_scalar(const DaeScalarProblem *problem, double *x)
{
  enum { MOST_STEPS = 40 };

  double at = *x;
  for (int k = 0; k < MOST_STEPS; k++) {
    double r = 0.0;
    double slope = 0.0;
    if (!problem->residual(problem->user, at, &r)) {
      return false;
    }
    if (r == 0.0) { /* also where the slope vanishes: z^2 = 0 at z = 0 */
      *x = at;
      return true;
    }
    if (!problem->slope(problem->user, at, &slope) || slope == 0.0) {
      return false;
    }
    const double next = at - r / slope;
    if (!isfinite(next)) {
      return false;
    }
    const bool is_settled = fabs(next - at) <= 1e-13 * (fabs(next) + fabs(at));
    at = next;
    if (is_settled) {
      *x = at;
      return true;
    }
  }
  return false;
}
