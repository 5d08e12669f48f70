/* Unknowns without a derivative that a constraint gives: delta = max(-h, 0). At the stages of a step
 * they have these values; in front of the last Newton iteration and between stages they are only
 * near them, and sqrt(delta) has no value where delta is a little below 0. */
#ifndef DAE_PIPELINE_RIGHT_SIDES_H
#define DAE_PIPELINE_RIGHT_SIDES_H

#include "pipeline/problem-priv.h"

/* t with what the constraints say of its unknowns. */
DaeTerm dae_problem_put_in_right_sides(const DaeProblem *problem, DaeTerm t);
/* t; where it has the edge of a domain in such an unknown, whose right side has a kink or jumps,
 * with that right side in its place: the edge is then where the right side meets it. */
DaeTerm dae_problem_put_in_at_edges(const DaeProblem *problem, DaeTerm t);
/* The same for all rows of the system. */
void dae_problem_keep_off_edges(DaeProblem *problem);

#endif
