/* A run with events: the loop around the integrator, and what it needs of the problem.
 *
 * One step; then either nothing happened, or the step ended at the exact time of a time event, or
 * where a guard left the side of its buffer. There the event instant (instant/instant.h) finds
 * what holds after it, and the integration goes on: with the same step and Jacobian where nothing
 * continuous changed, else from the new point. Results have the left and the right limit. */
#ifndef DAE_PIPELINE_EVENTS_H
#define DAE_PIPELINE_EVENTS_H

#include "instant/instant.h"
#include "pipeline/problem-priv.h"

/* t in unknowns, first derivatives, time and what is constant during a segment: solved
 * variables and parameters put in, derivatives replaced by what the reduced system says they
 * are. DAE_NO_TERM: a division by zero. (lower.c) */
DaeTerm dae_problem_lower_term(const DaeProblem *problem, DaeTerm t);
/* The same where the system takes parameters when it is evaluated: these stay. */
DaeTerm dae_problem_lower_for_run(const DaeProblem *problem, DaeTerm t);

/* Finds x for the present values; false: *error. */
typedef bool (*DaeFindStart)(DaeProblem *problem, void *user, GError **error);
/* The start of a model with discrete variables: problem->x, discrete_now, discrete_pre. guess (may
 * be NULL): discrete values to begin with. open (may be NULL): set where taking turns between the
 * unknowns and the discrete values does not end; the values are then those of the last turn. */
bool dae_problem_find_discrete_start(DaeProblem *problem, DaeFindStart find, void *user,
                                     const double *guess, bool *open, GError **error);

/* Do the initial equations, and those that give pre values, hold with problem->x,
 * discrete_now and discrete_pre? */
bool dae_problem_start_holds(DaeProblem *problem);

/* Before the system is made: buffers and the instant; afterwards dae_problem_bind_events. */
bool dae_problem_prepare_events(DaeProblem *problem, GError **error);
bool dae_problem_bind_events(DaeProblem *problem, GError **error);
DaeSpan dae_problem_row_span(const DaeProblem *problem, uint32_t row);
bool dae_problem_run_events(DaeProblem *problem, const DaeSolverOptions *options,
                            DaeOutputPoint output, void *user, DaeSolverResult *result,
                            GError **error);

#endif
