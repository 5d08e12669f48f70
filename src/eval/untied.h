/* Unknowns with a derivative that no constraint ties to others, by the patterns alone.
 *
 * Each algebraic unknown is given by one constraint; the constraints that are left over, and
 * those through whose unknowns they are read, tie the differentiated ones. That part of the
 * constraints does not depend on which are chosen [DulmageMendelsohn58]. An unknown outside of
 * it is a state whatever states are chosen. */
#ifndef DAE_EVAL_UNTIED_H
#define DAE_EVAL_UNTIED_H

#include "eval/evaluator.h"

/* is_untied: n. O(rows * entries) at worst. */
void dae_evaluator_find_untied(const DaeEvaluator *evaluator, uint8_t *is_untied);

/* Unknowns that constraints give one after the other, whatever the states are: by column. */
void dae_evaluator_find_given(const DaeEvaluator *ev, uint8_t *is_given);

#endif
