/* The variables of the model as read from the unknowns of the integrator. */
#ifndef DAE_PIPELINE_RESULTS_H
#define DAE_PIPELINE_RESULTS_H

#include "pipeline/problem-priv.h"

/* After the start is known: free parameters and invariants have their values. (transfer full) */
DaeResults *dae_results_new(const DaeProblem *problem, GError **error);
void dae_results_free(DaeResults *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeResults, dae_results_free)
/* All columns at (t, x); valid until the next call. */
const double *dae_results_at(DaeResults *results, double t, const double *x);
/* The first column that had no finite value at some point so far; UINT32_MAX: none. */
uint32_t dae_results_fault(const DaeResults *results);

#endif
