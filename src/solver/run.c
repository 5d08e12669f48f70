/* Entry of the room: options, dispatch by method, texts. */
#include <math.h>

#include "solver/multistep.h"
#include "solver/radau.h"
#include "solver/solver.h"

void
dae_solver_default_options(DaeSolverOptions *options)
{
  *options = (DaeSolverOptions){
      .method = DAE_METHOD_RADAU,
      .t_stop = 1.0,
      .rtol = 1e-6,
      .atol = 1e-6,
      .linear = DAE_LINEAR_AUTO,
      .newton = 1,
      .projections = 1,
      .projection = DAE_PROJECT_COUPLED,
  };
}

static bool
options_are_good(const DaeEvaluator *ev, const DaeSolverOptions *options)
{
  bool good = isfinite(options->t_start) && isfinite(options->t_stop) &&
              options->t_stop >= options->t_start && options->rtol >= 0.0 &&
              options->atol >= 0.0 && options->rtol + options->atol > 0.0 &&
              isfinite(options->rtol + options->atol) && options->initial_step >= 0.0 &&
              options->max_step >= 0.0 && options->min_step >= 0.0 &&
              options->interval >= 0.0 && isfinite(options->interval);
  for (uint32_t j = 0; good && options->nominal != NULL && j < ev->n; j++) {
    good = isfinite(options->nominal[j]) && options->nominal[j] != 0.0;
  }
  return good && (options->order == 0 || dae_solver_tableau(options->order) != NULL);
}

DaeSolverResult
dae_solver_run(const DaeEvaluator *evaluator, const DaeSolverOptions *options, double *x,
               const DaeEvents *events, DaeOutputPoint output, void *user)
{
  DaeSolverResult bad = {.status = DAE_SOLVER_BAD_OPTIONS, .stats = {.t = options->t_start}};
  if (!options_are_good(evaluator, options)) {
    return bad;
  }
  switch (options->method) {
  case DAE_METHOD_RADAU:
    return dae_solver_run_radau(evaluator, options, x, events, output, user);
  case DAE_METHOD_AB3:
  case DAE_METHOD_BDF3:
  case DAE_METHOD_EULER:
  case DAE_METHOD_IMPLICIT_EULER:
    return dae_multistep_run(evaluator, options, x, events, output, user);
  }
  return bad;
}

const char *
dae_solver_status_text(DaeSolverStatus status)
{
  switch (status) {
  case DAE_SOLVER_COMPLETED:
    return "completed";
  case DAE_SOLVER_STOPPED:
    return "stopped";
  case DAE_SOLVER_STEP_TOO_SMALL:
    return "the step size became too small";
  case DAE_SOLVER_NEWTON_FAILED:
    return "Newton's method did not converge";
  case DAE_SOLVER_DOMAIN:
    return "a function was evaluated outside its domain";
  case DAE_SOLVER_SINGULAR:
    return "the system is singular at this point";
  case DAE_SOLVER_TOO_MANY_STEPS:
    return "too many steps";
  case DAE_SOLVER_BAD_OPTIONS:
    return "the options contradict each other";
  case DAE_SOLVER_NO_START:
    return "the start values do not satisfy the constraints";
  }
  return "unknown";
}
