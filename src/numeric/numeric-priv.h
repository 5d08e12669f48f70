/* Between the files of this room. */
#ifndef DAE_NUMERIC_PRIV_H
#define DAE_NUMERIC_PRIV_H

#include "numeric/numeric.h"

/* square.c: from x towards a zero of at least as many equations as unknowns; other problems are
 * left alone. The caller judges the point reached. */
void dae_numeric_square_newton(const DaeRootProblem *problem, const double *weight, double *x);

#endif
