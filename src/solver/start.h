/* Private to the files of the consistent start. */
#ifndef DAE_SOLVER_START_H
#define DAE_SOLVER_START_H

#include "solver/solver.h"

/* Levenberg-Marquardt of GSL on the residuals and a weak pull to the guess; x in: guess, out: the point reached.
 * false: the problem is too large for its dense matrices or the functions are undefined at the guess. */
bool dae_start_levenberg_marquardt(const DaeStartProblem *problem, const double *weight,
                                   double *x);

#endif
