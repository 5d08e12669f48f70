/* The assertions of a model while it is integrated.
 *
 * Each is looked at at every output point, and in between as an event: on the dense output
 * where the method has one (radau), at every step of the others. Derivatives in its condition
 * are replaced by what the reduced system says they are; one that only a coupled set of rows
 * determines is looked at at output points, and only its first derivative. A failed one ends
 * the run at its time; one with AssertionLevel.warning is told once, and the run goes on. */
#ifndef DAE_PIPELINE_ASSERTIONS_H
#define DAE_PIPELINE_ASSERTIONS_H

#include "pipeline/problem-priv.h"

typedef struct DaeAssertions DaeAssertions;

/* NULL when the model has none that can be evaluated; those that cannot are told
 * as warnings. (transfer full) */
DaeAssertions *dae_assertions_new(const DaeProblem *problem);
void dae_assertions_free(DaeAssertions *assertions); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeAssertions, dae_assertions_free)

bool dae_assertions_need_slopes(const DaeAssertions *assertions);
const DaeEvents *dae_assertions_events(const DaeAssertions *assertions);
/* At an output point; false: one failed for good. */
bool dae_assertions_hold(DaeAssertions *assertions, double t, const double *x,
                         const double *xdot);
/* What failed for good, "FILE:LINE:COL: assertion failed at t = …"; NULL: nothing. */
const char *dae_assertions_failure(const DaeAssertions *assertions);

#endif
