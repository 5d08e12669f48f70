/* Entry of the room: options, dispatch by method, texts. */
#include <float.h>
#include <math.h>

#include "solver/integrator-priv.h"
#include "solver/tableau.h"

void
dae_solver_default_options(DaeSolverOptions *options)
{
  *options = (DaeSolverOptions){
      .method = DAE_METHOD_RADAU,
      .t_stop = 1.0,
      .rtol = 1e-6,
      .atol = 1e-6,
      .linear = DAE_LINEAR_AUTO,
      .explicit_use = DAE_EXPLICIT_SMOOTH,
      .newton = 1,
      .projections = 1,
      .projection = DAE_PROJECT_COUPLED,
  };
}

/* k intervals, rounded once where the interval is a decimal or a part of the
 * span: 3*0.1 is 0.3 to people. */
static double
intervals_from_start(const DaeSolverOptions *options, double k)
{
  const double span = options->t_stop - options->t_start;
  const double interval = options->interval;
  for (double unit = 1.0; unit <= 1e9; unit *= 10.0) {
    double whole = nearbyint(interval * unit);
    if (whole >= 1.0 && fabs(interval * unit - whole) <= 2.0 * DBL_EPSILON * whole) {
      return k * whole / unit;
    }
  }
  double parts = nearbyint(span / interval);
  if (parts >= 1.0 && fabs(parts * interval - span) <= 4.0 * DBL_EPSILON * span) {
    return k * span / parts;
  }
  return k * interval;
}

double
dae_solver_output_time(const DaeSolverOptions *options, uint64_t k)
{
  const double span = options->t_stop - options->t_start;
  double t = options->t_start + intervals_from_start(options, (double)k);
  bool is_last = t > options->t_stop - 1e-9 * fmin(options->interval, span);
  return is_last ? options->t_stop : t;
}

bool
dae_solver_options_are_good(const DaeEvaluator *ev, const DaeSolverOptions *options)
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
  DaeSolverResult result = {.status = DAE_SOLVER_BAD_OPTIONS, .stats = {.t = options->t_start}};
  const DaeReceiver receiver = {events, output, user};
  DaeIntegrator *it = dae_integrator_new_for(evaluator, options, x, &receiver, &result.status);
  if (it == NULL) {
    return result;
  }
  DaeSolverStatus status = result.status;
  bool goes_on = status == DAE_SOLVER_COMPLETED;
  if (goes_on && !dae_integrator_deliver(it)) {
    status = DAE_SOLVER_STOPPED;
    goes_on = false;
  }
  while (goes_on && !dae_integrator_is_at_end(it)) {
    DaeStop stop;
    status = dae_integrator_step(it, options->t_stop, NULL, &stop);
    goes_on = status == DAE_SOLVER_COMPLETED;
    if (goes_on && !dae_integrator_deliver(it)) {
      status = dae_integrator_has_no_output(it) ? DAE_SOLVER_DOMAIN : DAE_SOLVER_STOPPED;
      goes_on = false;
    }
  }
  dae_integrator_end(it, status, &result, x);
  dae_integrator_free(it);
  return result;
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
  case DAE_SOLVER_UNBOUNDED:
    return "the solution grows without bound (a pole)";
  case DAE_SOLVER_ENDS:
    return "the solution ends here: its slopes grow without bound, and the equations become "
           "singular";
  case DAE_SOLVER_LEFT_BRANCH:
    return "the step is too long: it led to another solution of the equations, across a point "
           "where they are singular";
  case DAE_SOLVER_JUMP:
    return "an unknown jumps whose derivative is in the equations (a function that is not "
           "continuous)";
  case DAE_SOLVER_BAD_OPTIONS:
    return "the options contradict each other";
  case DAE_SOLVER_NO_START:
    return "the start values do not satisfy the constraints";
  }
  return "unknown";
}
