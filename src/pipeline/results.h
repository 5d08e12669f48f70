/* The variables of the model as read from the unknowns of the integrator. */
#ifndef DAE_PIPELINE_RESULTS_H
#define DAE_PIPELINE_RESULTS_H

#include "pipeline/problem-priv.h"

/* After the start is known: free parameters and invariants have their values. What is solved
 * beforehand gets its buffers here. (transfer full) */
DaeResults *dae_results_new(const DaeProblem *problem);
/* A run with other values begins: no faults so far. */
void dae_results_restart(DaeResults *results);
/* The segment values of the problem are known: makes the tape. */
bool dae_results_bind(DaeResults *results, const DaeProblem *problem, GError **error);
void dae_results_free(DaeResults *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeResults, dae_results_free)
/* All columns at (t, x); valid until the next call. */
const double *dae_results_at(DaeResults *results, double t, const double *x);
/* The same for a point that goes to the user next: dae_problem_results gives this row until the
 * end. False: some column has no finite value, the point must not be shown. */
bool dae_results_begin_point(DaeResults *results, double t, const double *x);
void dae_results_end_point(DaeResults *results);
/* The term of a column that is computed at output points only; DAE_NO_TERM: an
 * unknown, or an alias of one. */
DaeTerm dae_results_term(const DaeResults *results, uint32_t k);
/* "equation 3 (line 5): y = log(x)"; NULL: no equation was solved for it. (transfer full) */
char *dae_results_describe_column(const DaeProblem *problem, uint32_t k);
/* "no finite value of y in equation 3 (line 5): y = log(x)"; NULL: all have one. (transfer full) */
char *dae_results_describe_fault(const DaeProblem *problem);
double dae_results_fault_time(const DaeProblem *problem);

#endif
