/* Smooth pulses of unknowns, exp(-1e7*(x - 0.5)^2) and 1/cosh(1e3*(x - 0.5))^2: no stage of a long
 * step may meet them, and the error estimate does not see them either. Each has functions that are
 * positive away from its peak; the solver looks for their dips inside its steps as for those of
 * conditions (solver/passed.c). */
#ifndef DAE_PIPELINE_PEAKS_H
#define DAE_PIPELINE_PEAKS_H

#include "pipeline/problem-priv.h"

/* Appends the functions (DaeTerm) of all peaks in the system; they are kept for the next run. */
void dae_peaks_collect(DaeProblem *problem, GArray *functions);
void dae_peaks_forget(DaeProblem *problem);

#endif
