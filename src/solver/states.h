/* Which unknowns are locally dynamic, for sparse constraints. */
#ifndef DAE_SOLVER_STATES_H
#define DAE_SOLVER_STATES_H

#include "base/base.h"
#include "eval/evaluator.h"

typedef struct DaeStates DaeStates;
DaeStates *dae_states_new(const DaeEvaluator *ev, const double *nominal);
void dae_states_free(DaeStates *states); /* NULL is fine */

/* states[j] = 0 for the pivot columns of the elimination of G (values gx), 1 for the others. */
void dae_states_find(DaeStates *s, const double *gx, uint8_t *states);

#endif
