/* Why did a run end? What the matrices say at the last point. */
#ifndef DAE_SOLVER_DIAGNOSE_H
#define DAE_SOLVER_DIAGNOSE_H

#include <stdbool.h>
#include <stdint.h>

#include "eval/evaluator.h"

typedef struct {
  double pivot;     /* the last one of [M; G] with full pivoting, rows of size 1 */
  uint32_t row;     /* differential rows first, then constraints */
  uint32_t unknown; /* that the row should determine */
} DaeWeakest;

/* The combination of unknowns that the rows of [M; G] determine least. false: not known (no
 * Jacobian there, or a model too large for dense elimination). */
bool dae_solver_find_weakest(const DaeEvaluator *ev, const double *segment, double t,
                             const double *x, DaeWeakest *weakest);

#endif
