/* What a run needs of an integrator beyond its public face: output points and events by
 * callbacks. */
#ifndef DAE_SOLVER_INTEGRATOR_PRIV_H
#define DAE_SOLVER_INTEGRATOR_PRIV_H

#include "solver/integrator.h"

typedef struct {
  const DaeEvents *events; /* may be NULL */
  DaeOutputPoint output;   /* may be NULL */
  void *user;
} DaeReceiver;

bool dae_solver_options_are_good(const DaeEvaluator *ev, const DaeSolverOptions *options);

/* options are copied. NULL: they are bad. */
DaeIntegrator *dae_integrator_new_for(const DaeEvaluator *evaluator,
                                      const DaeSolverOptions *options, const double *x,
                                      const DaeReceiver *receiver, DaeSolverStatus *status);
/* Events and output points up to the current point, those of the start before the first step;
 * false: the caller wants to stop. */
bool dae_integrator_deliver(DaeIntegrator *it);
bool dae_integrator_is_at_end(const DaeIntegrator *it);
/* The last output point could not be made: the equations have no value there. */
bool dae_integrator_has_no_output(const DaeIntegrator *it);
void dae_integrator_end(DaeIntegrator *it, DaeSolverStatus status, DaeSolverResult *result,
                        double *x);

#endif
