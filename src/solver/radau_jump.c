/* Unknowns that jump although their derivatives are in the equations: a model that differentiates a
 * function that is not continuous. Such a run ends there. */
#include <math.h>

#include "solver/lanes.h"
#include "solver/radau.h"

/* What a differential equation leaves open over a step, in units of the tolerance: about 1, as
 * errors are, where the constraints are smooth. */
#define LARGEST_GAP 1e3
/* And relative to what the unknowns are: a tolerance may ask for less than rounding leaves. */
#define ROUNDED_GAP 1e-8

/* Does every differential equation hold over the step, the ones too that the choice of the dynamic
 * unknowns has left out? With a function in the constraints that jumps, their stages satisfy the
 * constraints only at another point than the solution leads to: an unknown has then changed by much
 * more, in units of the tolerance, than its derivative says. */
bool
dae_radau_keeps_equations(const DaeRadau *r, double h)
{
  const DaePattern *mass = &r->ev->mass;
  const uint32_t s = r->tableau->s;
  const uint32_t lanes = DAE_LANES_OF(s);
  if (!dae_radau_has_gaps(r, h, LARGEST_GAP, ROUNDED_GAP)) {
    return true;
  }
  for (uint32_t i = 0; i < r->n_diff; i++) {
    for (uint32_t k = 0; k < s; k++) {
      double gap = h * r->fs[(size_t)i * lanes + k];
      double size = fabs(gap); /* of what rounding is a part of */
      double allowed = 0.0;
      double moved = 0.0;
      for (uint32_t e = mass->row_start[i]; e < mass->row_start[i + 1]; e++) {
        const double *z = r->z + (size_t)mass->column[e] * lanes;
        const double m = r->ms[(size_t)e * lanes + k];
        double change = 0.0; /* (W Z)_k */
        for (uint32_t q = 0; q < s; q++) {
          change += r->tableau->w[k][q] * z[q];
        }
        gap -= m * change;
        moved += fabs(m * change);
        size += fabs(m * r->x[mass->column[e]]);
        allowed += fabs(m) * r->weight[mass->column[e]];
      }
      /* an equation that is algebraic here leaves open what Newton's method does */
      if (fabs(gap) > LARGEST_GAP * allowed + ROUNDED_GAP * size && moved > 0.5 * fabs(gap)) {
        return false;
      }
    }
  }
  return true;
}

/* Nor may the way from the end of the step onto the constraints be long, for unknowns with an
 * equation for their derivative: where it is, they jump right behind the last stage. */
bool
dae_radau_stays_continuous(const DaeRadau *r)
{
  const DaePattern *mass = &r->ev->mass;
  const uint32_t s = r->last.tableau->s;
  for (uint32_t e = 0; e < mass->row_start[mass->n_rows]; e++) {
    const uint32_t j = mass->column[e];
    const double end = r->last.x[j] + r->last.z[(size_t)j * DAE_LANES_OF(s) + s - 1];
    if (fabs(r->x[j] - end) > LARGEST_GAP * r->weight[j] + ROUNDED_GAP * fabs(r->x[j])) {
      return false;
    }
  }
  return true;
}
