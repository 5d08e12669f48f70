/* The methods with a fixed step as an integrator: making, looking, starting again. */
#include "solver/fixed.h"

#include <glib.h>
#include <math.h>
#include <string.h>

bool
dae_fixed_is_at_end(const DaeFixed *run)
{
  return run->step >= run->n_steps;
}

double
dae_fixed_t(const DaeFixed *run)
{
  return dae_fixed_time(run, run->step);
}

const double *
dae_fixed_x(const DaeFixed *run)
{
  return run->stepper->x[run->place];
}

void
dae_fixed_value(DaeFixed *run, double t, double *x, double *xdot)
{
  const DaeStepper *s = run->stepper;
  const double now = dae_fixed_t(run);
  const bool inside = run->step > run->begin && t < now;
  if (inside) {
    dae_fixed_interpolate(run, run->place, 1.0 - (now - t) / run->h);
  }
  if (x != NULL) {
    memmove(x, inside ? run->point : s->x[run->place], s->plan->n * sizeof *x);
  }
  if (xdot != NULL) {
    memcpy(xdot, s->slope[run->place], s->plan->n * sizeof *xdot);
  }
}

double *
dae_fixed_point(DaeFixed *run)
{
  return run->point;
}

const double *
dae_fixed_slopes(DaeFixed *run, double t, const double *x)
{
  memcpy(run->slope, run->stepper->slope[0], run->stepper->plan->n * sizeof(double));
  dae_stepper_find_slopes(run->stepper, t, x, run->slope);
  return run->slope;
}

const uint8_t *
dae_fixed_states(const DaeFixed *run)
{
  return run->states;
}

uint32_t
dae_fixed_n_crossed(DaeFixed *run, const DaeRoots *roots, double t, const double *x)
{
  if (roots->n > run->root_room) {
    run->root_room = roots->n + roots->n / 2 + 8;
    run->root_values = g_renew(double, run->root_values, run->root_room);
    run->crossed = g_renew(uint32_t, run->crossed, run->root_room);
  }
  uint32_t n = 0;
  roots->values(roots->user, 1, &t, x, run->root_values);
  for (uint32_t i = 0; i < roots->n; i++) {
    const double threshold = roots->threshold != NULL ? roots->threshold[i] : 0.0;
    if (roots->side[i] * run->root_values[i] < -threshold) {
      run->crossed[n++] = i;
    }
  }
  return n;
}

/* Guards that have left their sides at the end of the step. */
void
dae_fixed_look_at_roots(DaeFixed *run, const DaeRoots *roots, DaeStop *stop)
{
  const double t = dae_fixed_t(run);
  const uint32_t n = dae_fixed_n_crossed(run, roots, t, dae_fixed_x(run));
  if (n > 0) {
    *stop = (DaeStop){DAE_STOP_ROOT, t, t - run->h, n, run->crossed};
  }
}

static bool
options_are_good(const DaeSolverOptions *options)
{
  const bool is_implicit =
      options->method == DAE_METHOD_BDF3 || options->method == DAE_METHOD_IMPLICIT_EULER;
  const double n = (options->t_stop - options->t_start) / options->step;
  return options->step > 0.0 && isfinite(options->step) && options->realtime_period >= 0.0 &&
         n >= 0.0 && n < 1e15 && (!is_implicit || options->newton > 0);
}

static bool
make_stepper(DaeFixed *run, const DaeEvaluator *evaluator, double t, const double *x)
{
  const double *segment = run->segment != NULL ? run->segment : run->options->segment;
  DaeStepPlan *plan = run->has_plan_of_another
                          ? run->plan
                          : dae_step_plan_new(evaluator, segment, t, x, &run->result.status);
  if (plan == NULL) {
    return false;
  }
  run->evaluator = evaluator;
  run->plan = plan;
  run->stepper = dae_stepper_new(evaluator, plan, run->options, x);
  dae_evaluator_begin(evaluator, run->stepper->scratch, segment);
  run->stepper->segment = segment;
  run->stepper->stats = &run->result.stats;
  for (uint32_t j = 0; j < evaluator->n; j++) {
    run->states[j] = !plan->is_algebraic[j];
  }
  if (!run->options->is_look) {
    dae_fixed_begin_branch(run);
    dae_fixed_begin_twin(run, x);
  }
  return true;
}

static void
drop_stepper(DaeFixed *run)
{
  dae_fixed_drop_twin(run);
  if (run->stepper != NULL) {
    dae_step_worker_free(run->stepper->worker);
    dae_stepper_free(run->stepper);
    if (!run->has_plan_of_another) {
      dae_step_plan_free(run->plan);
    }
  }
  dae_branch_free(run->branch);
  g_clear_pointer(&run->branch_m, g_free);
  g_clear_pointer(&run->look, dae_step_slot_free);
  g_clear_pointer(&run->branch_gx, g_free);
  run->branch = NULL;
  run->stepper = NULL;
  run->plan = NULL;
}

static DaeFixed *
new_run(const DaeEvaluator *evaluator, const DaeSolverOptions *options, DaeStepPlan *plan,
        const double *x, const DaeEvents *events, DaeOutputPoint output, void *user)
{
  const size_t n = (size_t)evaluator->n + 1;
  DaeFixed *run = g_new0(DaeFixed, 1);
  *run = (DaeFixed){.options = options,
                    .evaluator = evaluator,
                    .output = output,
                    .user = user,
                    .h = options->step,
                    .plan = plan,
                    .has_plan_of_another = plan != NULL,
                    .events = events};
  run->result.stats.t = options->t_start;
  run->result.worst_row = run->result.worst_unknown = UINT32_MAX;
  run->states = g_new0(uint8_t, n);
  run->point = g_new0(double, n);
  run->slope = g_new0(double, n);
  run->last = g_new0(double, n);
  run->largest = g_new0(double, n);
  run->range = g_new0(double, n);
  run->twin_begin = g_new0(double, n);
  run->error = g_new0(double, n);
  run->error_time = g_new0(double, n);
  run->unbounded = UINT32_MAX;
  memcpy(run->last, x, evaluator->n * sizeof *x);
  run->buckets = g_new0(uint64_t, DAE_TIME_BUCKETS);
  run->event_old = g_new0(double, events != NULL ? events->n + 1 : 1);
  run->event_new = g_new0(double, events != NULL ? events->n + 1 : 1);
  if (!options_are_good(options)) {
    run->result.status = DAE_SOLVER_BAD_OPTIONS;
    run->result.worst_row = run->result.worst_unknown = 0;
    return run;
  }
  run->n_steps = (uint64_t)ceil((options->t_stop - options->t_start) / options->step - 1e-6);
  make_stepper(run, evaluator, options->t_start, x);
  return run;
}

DaeFixed *
dae_fixed_new(const DaeEvaluator *evaluator, const DaeSolverOptions *options, const double *x,
              const DaeEvents *events, DaeOutputPoint output, void *user)
{
  return new_run(evaluator, options, NULL, x, events, output, user);
}

DaeFixed *
dae_fixed_new_look(const DaeEvaluator *evaluator, const DaeSolverOptions *options,
                   DaeStepPlan *plan, const double *x)
{
  return new_run(evaluator, options, plan, x, NULL, NULL, NULL);
}

bool
dae_fixed_is_made(const DaeFixed *run)
{
  return run->stepper != NULL;
}

static void
take_segment(DaeFixed *run, const DaeEvaluator *evaluator, const double *segment)
{
  g_free(run->segment);
  run->segment = g_new0(double, (size_t)evaluator->n_segment + 1);
  memcpy(run->segment, segment, evaluator->n_segment * sizeof(double));
}

bool
dae_fixed_renew(DaeFixed *run, const double *segment)
{
  if (run->stepper->worker != NULL) {
    return false;
  }
  take_segment(run, run->evaluator, segment);
  run->has_no_twin = true; /* these values are those of the run's own steps */
  dae_fixed_drop_twin(run);
  run->stepper->segment = run->segment;
  dae_evaluator_begin(run->evaluator, run->stepper->scratch, run->segment);
  if (run->branch != NULL) {
    dae_branch_forget(run->branch);
  }
  return true;
}

DaeSolverStatus
dae_fixed_reinit(DaeFixed *run, const DaeReinit *reinit)
{
  const double t = dae_fixed_t(run);
  const DaeEvaluator *evaluator =
      reinit->evaluator != NULL ? reinit->evaluator : run->evaluator;
  g_autofree double *x = g_new0(double, (size_t)evaluator->n + 1);
  memcpy(x, reinit->x != NULL ? reinit->x : dae_fixed_x(run), evaluator->n * sizeof *x);
  dae_fixed_compare_last_with_twin(run);
  if (reinit->segment != NULL) {
    take_segment(run, evaluator, reinit->segment);
  }
  drop_stepper(run);
  run->result.status = DAE_SOLVER_COMPLETED;
  if (!make_stepper(run, evaluator, t, x)) {
    return run->result.status;
  }
  run->begin = run->step;
  run->is_started = false;
  run->place = 0;
  return dae_stepper_find_slopes(run->stepper, t, run->stepper->x[0], run->stepper->slope[0]);
}

void
dae_fixed_result(DaeFixed *run, DaeSolverStatus status, DaeSolverResult *result, double *x)
{
  DaeSolverStats *stats = &run->result.stats;
  if (run->stepper != NULL) {
    run->result.worst_row = run->unbounded != UINT32_MAX ? UINT32_MAX : run->stepper->fault;
    run->result.worst_unknown =
        run->unbounded != UINT32_MAX
            ? run->unbounded
            : dae_step_slot_largest_unknown(run->stepper->slot, run->evaluator,
                                            run->stepper->fault);
    stats->last_step = run->options->step;
    dae_fixed_summarize(run);
    dae_fixed_summarize_twin(run);
    if (run->n_regular > 0 && run->stepper->worker != NULL) {
      stats->jacobian_turnaround_mean = run->turnaround_sum / (double)run->n_regular;
      stats->jacobian_staleness_mean = run->staleness_sum / (double)run->n_regular;
    }
    if (x != NULL) {
      memcpy(x, status == DAE_SOLVER_COMPLETED ? run->last : run->stepper->x[0],
             run->evaluator->n * sizeof *x);
    }
  }
  *result = run->result;
  result->status = status;
}

DaeSolverStatus
dae_fixed_status(const DaeFixed *run)
{
  return run->result.status;
}

void
dae_fixed_free(DaeFixed *run)
{
  if (run == NULL) {
    return;
  }
  drop_stepper(run);
  g_free(run->states);
  g_free(run->point);
  g_free(run->slope);
  g_free(run->last);
  g_free(run->largest);
  g_free(run->range);
  g_free(run->twin_begin);
  g_free(run->error);
  g_free(run->error_time);
  g_free(run->buckets);
  g_free(run->event_old);
  g_free(run->event_new);
  g_free(run->root_values);
  g_free(run->segment);
  g_free(run->crossed);
  g_free(run);
}
