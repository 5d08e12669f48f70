/* The loop of the fixed-step methods: start, steps, pacing, output, statistics. */
#include <errno.h>
#include <glib.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "solver/fixed.h"
#include "solver/multistep.h"

/* Step times go into buckets of one percent, so that memory does not grow with the run. */
#define SHORTEST_TIME 1e-9
#define BUCKET_RATIO 1.01

typedef DaeFixed Run;

double
dae_step_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double
dae_fixed_time(const DaeFixed *run, uint64_t k)
{
  return run->options->t_start + (double)k * run->h;
}

/* ---- output ------------------------------------------------------------------------------ */

static void
note_residual(Run *run, double t, const double *x)
{
  DaeStepper *s = run->stepper;
  DaeOut out = {.g = s->g};
  if (s->plan->n_con == 0 ||
      s->evaluator->eval(s->evaluator->self, s->scratch, 1, &t, x, &out) != 0) {
    return;
  }
  for (uint32_t i = 0; i < s->plan->n_con; i++) {
    run->result.stats.max_constraint_residual =
        fmax(run->result.stats.max_constraint_residual, fabs(s->g[i]));
  }
}

/* Hands out a point; false: the caller wants to stop. */
static bool
write_point(Run *run, double t, const double *x)
{
  note_residual(run, t, x);
  memcpy(run->slope, run->stepper->slope[0], run->stepper->plan->n * sizeof(double));
  dae_stepper_find_slopes(run->stepper, t, x, run->slope);
  run->n_outputs++;
  memcpy(run->last, x, run->stepper->plan->n * sizeof(double));
  return run->output == NULL || run->output(run->user, t, x, run->slope, run->states);
}

/* Cubic Hermite between the history points k+1 and k. */
void
dae_fixed_interpolate(DaeFixed *run, uint32_t k, double theta)
{
  const DaeStepper *s = run->stepper;
  const double u = 1.0 - theta;
  const double a = u * u * (1.0 + 2.0 * theta);
  const double b = theta * theta * (3.0 - 2.0 * theta);
  const double c = theta * u * u * run->h;
  const double d = -theta * theta * u * run->h;
  for (uint32_t j = 0; j < s->plan->n; j++) {
    if (s->plan->is_algebraic[j]) { /* no slopes are kept for these */
      run->point[j] = u * s->x[k + 1][j] + theta * s->x[k][j];
    } else {
      run->point[j] =
          a * s->x[k + 1][j] + b * s->x[k][j] + c * s->slope[k + 1][j] + d * s->slope[k][j];
    }
  }
}

/* Time of output number k; false when there are no more. The last one is at the end. */
static bool
output_time(const Run *run, uint64_t k, double *at)
{
  const double span = run->options->t_stop - run->options->t_start;
  const double whole = floor(span / run->options->interval + 1e-6);
  const bool is_aligned =
      fabs(whole * run->options->interval - span) <= 1e-6 * run->options->interval;
  const uint64_t last = (uint64_t)whole + (is_aligned ? 0 : 1);
  *at = k < last ? dae_solver_output_time(run->options, k) : run->options->t_stop;
  return k <= last;
}

/* A point in (t - h, t], where history point k is t. */
static bool
write_between(Run *run, double at, double t, uint32_t k)
{
  if (fabs(at - t) <= 1e-6 * run->h) {
    return write_point(run, at, run->stepper->x[k]);
  }
  dae_fixed_interpolate(run, k, 1.0 - (t - at) / run->h);
  return write_point(run, at, run->point);
}

/* Functions that changed their sign in the step to history point k at t are told at its end:
 * there is nothing in between that would be more accurate. false: the user wants to stop. */
static bool
tell_events(Run *run, double t, uint32_t k)
{
  const DaeEvents *events = run->events;
  if (events == NULL || events->n == 0) {
    return true;
  }
  const double *x = run->stepper->x[k];
  bool go_on = true;
  events->values(events->user, t, x, run->event_new);
  for (uint32_t i = 0; i < events->n && go_on; i++) {
    const double before = run->event_old[i];
    const double now = run->event_new[i];
    if (before * now < 0.0) {
      go_on = events->crossed(events->user, i, now > 0.0 ? 1 : -1, t, x);
    }
    run->event_old[i] = now != 0.0 ? now : before;
  }
  return go_on;
}

/* All output points in (t_(m-1), t_m], where history point k is t_m. */
static bool
write_outputs(Run *run, uint64_t m, uint32_t k)
{
  const double t = dae_fixed_time(run, m);
  bool go_on = true;
  double at;
  if (run->options->interval <= 0.0) {
    go_on = write_between(run, fmin(t, run->options->t_stop), t, k);
  } else {
    while (go_on && output_time(run, run->n_outputs, &at) && at <= t + 1e-6 * run->h) {
      go_on = write_between(run, at, t, k);
    }
  }
  return go_on && tell_events(run, t, k);
}

/* ---- pacing ------------------------------------------------------------------------------ */

static void
wait_until(double when)
{
  struct timespec at;
  at.tv_sec = (time_t)floor(when);
  at.tv_nsec = (long)((when - floor(when)) * 1e9);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
  }
}

static void
note_step_time(Run *run, double seconds)
{
  const double bucket = log(fmax(seconds, SHORTEST_TIME) / SHORTEST_TIME) / log(BUCKET_RATIO);
  run->buckets[MIN((uint32_t)bucket, DAE_TIME_BUCKETS - 1)]++;
  run->total_time += seconds;
  run->n_timed++;
  run->result.stats.step_time_worst = fmax(run->result.stats.step_time_worst, seconds);
}

void
dae_fixed_summarize(DaeFixed *run)
{
  DaeSolverStats *stats = &run->result.stats;
  if (run->n_timed == 0) {
    return;
  }
  stats->step_time_mean = run->total_time / (double)run->n_timed;
  uint64_t above = run->n_timed / 1000; /* so many may be slower */
  uint32_t bucket = DAE_TIME_BUCKETS;
  while (bucket > 0 && run->buckets[bucket - 1] <= above) {
    above -= run->buckets[--bucket];
  }
  const double upper_edge = SHORTEST_TIME * pow(BUCKET_RATIO, bucket);
  stats->step_time_p999 = fmin(upper_edge, stats->step_time_worst);
}

/* ---- start ------------------------------------------------------------------------------- */

/* Keeps every second point: the history of step h becomes one of step 2h. */
static void
double_the_step(DaeStepper *s)
{
  double *const x[DAE_HISTORY] = {s->x[0], s->x[2], s->x[4], s->x[1], s->x[3]};
  double *const slope[DAE_HISTORY] = {s->slope[0], s->slope[2], s->slope[4], s->slope[1],
                                      s->slope[3]};
  memcpy(s->x, x, sizeof x);
  memcpy(s->slope, slope, sizeof slope);
}

/* A step of the start; h and t as of dae_stepper_advance. */
static DaeSolverStatus
start_step(Run *run, uint32_t order, double h, double t)
{
  const DaeSolverStatus status = dae_stepper_advance(run->stepper, order, h, t);
  return status == DAE_SOLVER_COMPLETED ? dae_fixed_look_at_defect(run, order, h, t) : status;
}

/* Orders 1, 2, 3 with h/64, then the step is doubled until it is h: points 0, h and
 * 2h. The error of the low orders is that of a step 64 times smaller [004: "split the
 * first step into smaller ones"]. */
static DaeSolverStatus
start_by_orders(Run *run)
{
  DaeStepper *s = run->stepper;
  const double t0 = dae_fixed_time(run, run->begin);
  double small = run->h / (double)(1u << DAE_START_LEVELS);
  double done = 0.0; /* in units of the current small step */
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  for (uint32_t k = 1; k <= 4 && status == DAE_SOLVER_COMPLETED; k++) {
    status = start_step(run, MIN(k, 3), small, t0 + (double)k * small);
  }
  for (uint32_t level = 1; level < DAE_START_LEVELS && status == DAE_SOLVER_COMPLETED;
       level++) {
    double_the_step(s);
    small *= 2.0;
    done = 2.0;
    for (uint32_t k = 0; k < 2 && status == DAE_SOLVER_COMPLETED; k++) {
      done += 1.0;
      status = start_step(run, 3, small, t0 + done * small);
    }
  }
  double_the_step(s);
  return status;
}

static uint32_t
order_of(DaeMethod method)
{
  return method == DAE_METHOD_EULER || method == DAE_METHOD_IMPLICIT_EULER ? 1 : 3;
}

/* Fills the history and makes up to two whole steps. */
static DaeSolverStatus
start(Run *run)
{
  DaeStepper *s = run->stepper;
  run->is_started = true;
  run->first = run->begin;
  for (uint32_t k = 1; k < DAE_HISTORY; k++) { /* artificial history: the start has lasted */
    memcpy(s->slope[k], s->slope[0], s->plan->n * sizeof(double));
  }
  if (order_of(run->options->method) == 1 || run->options->constant_history ||
      run->n_steps <= run->begin) {
    return DAE_SOLVER_COMPLETED;
  }
  const DaeSolverStatus status = start_by_orders(run);
  if (status == DAE_SOLVER_COMPLETED) {
    run->first = MIN(run->begin + 2, run->n_steps);
    run->place = 2;
  }
  return status;
}

/* ---- the loop ---------------------------------------------------------------------------- */

static DaeSolverStatus
start_worker(Run *run)
{
  DaeStepper *s = run->stepper;
  const DaeStepPoint point = {dae_fixed_time(run, run->begin), run->h,
                              dae_bdf_coefficients[order_of(run->options->method)][0], s->x[0],
                              s->slope[0]};
  const int status =
      dae_step_slot_fill(s->slot, s->evaluator, s->plan, s->scratch, run->options->projection,
                         DAE_SLOT_NEWTON | DAE_SLOT_PROJECTION, &point);
  if (status != 0) {
    s->fault = status > 0 ? s->slot->fault : dae_step_slot_largest_row(s->slot, s->evaluator);
    return status > 0 ? DAE_SOLVER_DOMAIN : DAE_SOLVER_SINGULAR;
  }
  s->worker = dae_step_worker_new(s);
  return DAE_SOLVER_COMPLETED;
}

/* A regular step to grid point m. */
static DaeSolverStatus
regular_step(Run *run, uint64_t m)
{
  DaeStepper *s = run->stepper;
  const double period = run->options->realtime_period;
  double begin = 0.0;
  if (run->options->is_stopped != NULL && run->options->is_stopped(run->options->stop_user)) {
    return DAE_SOLVER_STOPPED;
  }
  if (period > 0.0) {
    run->clock_start = run->n_timed == 0 ? dae_step_clock() : run->clock_start;
    wait_until(run->clock_start + (double)run->n_timed * period);
    begin = dae_step_clock();
  }
  s->step = m;
  s->is_counting = run->result.stats.flops_per_step == 0; /* once: all steps are alike */
  const uint32_t order = order_of(run->options->method);
  DaeSolverStatus status = dae_stepper_advance(s, order, run->h, dae_fixed_time(run, m));
  if (status != DAE_SOLVER_COMPLETED) {
    return status;
  }
  if (period > 0.0) {
    const double end = dae_step_clock();
    note_step_time(run, end - begin);
    run->result.stats.overruns += end > run->clock_start + (double)run->n_timed * period;
  }
  s->is_counting = false;
  status = dae_fixed_look_at_defect(run, order, run->h, dae_fixed_time(run, m));
  if (m >= run->first + 4) { /* all of the history has regular steps */
    dae_fixed_look_for_zigzag(run);
  }
  run->turnaround_sum += s->slot->turnaround;
  run->staleness_sum += s->worker != NULL ? (double)(m - s->slot->made_at_step) : 0.0;
  run->n_regular++;
  return status;
}

DaeSolverStatus
dae_fixed_start(DaeFixed *run)
{
  return dae_stepper_find_slopes(run->stepper, run->options->t_start, run->stepper->x[0],
                                 run->stepper->slope[0]);
}

DaeSolverStatus
dae_fixed_step(DaeFixed *run)
{
  DaeSolverStatus status = run->is_started ? DAE_SOLVER_COMPLETED : start(run);
  if (status == DAE_SOLVER_COMPLETED && run->place == 0) {
    if (run->options->parallel && run->stepper->worker == NULL) {
      status = start_worker(run);
    }
    status = status == DAE_SOLVER_COMPLETED ? regular_step(run, run->step + 1) : status;
  } else if (status == DAE_SOLVER_COMPLETED) {
    run->place--; /* the start went ahead */
    if (run->first == run->begin + 1) {
      run->place = 1; /* and the second of its steps is beyond the end */
    }
  }
  if (status == DAE_SOLVER_COMPLETED) {
    run->step++;
    run->result.stats.t = dae_fixed_time(run, run->step);
    run->result.stats.steps_accepted++;
    dae_fixed_compare_with_twin(run);
  }
  return status;
}

bool
dae_fixed_deliver(DaeFixed *run)
{
  return write_outputs(run, run->step, run->place);
}
