/* Steps of the fixed-step methods that may have passed a pole of the solution; for integrator.c. */
#ifndef DAE_SOLVER_POLE_H
#define DAE_SOLVER_POLE_H

#include "solver/fixed.h"

/* After a completed step: DAE_SOLVER_UNBOUNDED where the solution through the point before does not
 * reach its end. Not beyond limit, nor beyond a guard that leaves its side. The statistics count
 * steps that went somewhere else than the solution. */
DaeSolverStatus dae_fixed_look_for_pole(DaeFixed *run, double limit, const DaeRoots *roots);

#endif
