/* Between the files of this room. */
#ifndef DAE_NUMERIC_PRIV_H
#define DAE_NUMERIC_PRIV_H

#include "numeric/numeric.h"

/* Levenberg-Marquardt of GSL on the residuals and a weak pull to the guess; x in: guess,
 * out: the point reached. false: the problem is too large for its dense matrices or the
 * functions are undefined at the guess. */
bool dae_numeric_levenberg_marquardt(const DaeRootProblem *problem, const double *weight,
                                     double *x);

#endif
