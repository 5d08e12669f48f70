/* Poles of the solution that a step has passed or that are at the end of a run; for integrator.c. */
#ifndef DAE_SOLVER_POLE_H
#define DAE_SOLVER_POLE_H

#include "solver/fixed.h"
#include "solver/radau.h"

/* After a completed step: DAE_SOLVER_UNBOUNDED where the solution through the point before does not
 * reach its end. Not beyond limit, nor beyond a guard that leaves its side. The statistics count
 * steps that went somewhere else than the solution. */
DaeSolverStatus dae_fixed_look_for_pole(DaeFixed *run, double limit, const DaeRoots *roots);
/* Radau at the end of its run: DAE_SOLVER_UNBOUNDED where a pole is closer than its tolerance can
 * tell, so that the values there mean nothing (x' = x^2 from 1, to t = 1). */
DaeSolverStatus dae_radau_look_behind_end(DaeRadau *r, const DaeEvaluator *evaluator);

#endif
