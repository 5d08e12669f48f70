/* The error of a method with fixed steps, estimated: a twin goes the same way with steps of
 * another size [HairerNorsettWanner93, II.4, Richardson].
 *
 * The twin's steps are twice as long, so that it costs half as much as the run. Where it is far
 * from the run, that may be its own fault (a method at the limit of its stability): then one with
 * steps of half the size goes the whole way since the last restart, and what it says counts.
 * Between events only: the run and its twin begin anew together. In real time, and where delays
 * change values in every step, there is none. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "solver/fixed.h"

/* Of the largest value of an unknown: beyond that the twin with short steps is asked. */
#define SUSPECT 5e-3

static double
power_of_order(const DaeFixed *run)
{
  const bool is_first = run->options->method == DAE_METHOD_EULER ||
                        run->options->method == DAE_METHOD_IMPLICIT_EULER;
  return is_first ? 2.0 : 8.0;
}

void
dae_fixed_drop_twin(DaeFixed *run)
{
  dae_fixed_free(run->twin);
  run->twin = NULL;
}

static bool
make_twin(DaeFixed *run, bool is_fine)
{
  DaeSolverOptions *options = &run->twin_options;
  *options = *run->options;
  options->is_look = true;
  options->step = is_fine ? 0.5 * run->h : 2.0 * run->h;
  options->t_start = dae_fixed_time(run, run->begin);
  options->t_stop = run->options->t_stop + 4.0 * run->h;
  options->interval = 0.0;
  options->parallel = false;
  options->on_step = NULL;
  options->segment = run->segment != NULL ? run->segment : run->options->segment;
  run->twin_is_fine = is_fine;
  run->twin = dae_fixed_new_look(run->evaluator, options, run->plan, run->twin_begin);
  return dae_fixed_is_made(run->twin) && dae_fixed_start(run->twin) == DAE_SOLVER_COMPLETED;
}

/* The twin at the time of the run; false: it has not come so far. */
static bool
catch_up(DaeFixed *run)
{
  const uint64_t steps = run->step - run->begin;
  const uint64_t wanted = run->twin_is_fine ? 2 * steps : steps / 2;
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  while (status == DAE_SOLVER_COMPLETED && run->twin->step < wanted) {
    status = dae_fixed_step(run->twin);
  }
  return status == DAE_SOLVER_COMPLETED;
}

/* Of an unknown, from the distance to the twin. */
static double
error_of(const DaeFixed *run, uint32_t j)
{
  const double power = power_of_order(run);
  const double distance = fabs(dae_fixed_x(run)[j] - dae_fixed_x(run->twin)[j]);
  const double error = (run->twin_is_fine ? power : 1.0) / (power - 1.0) * distance;
  return isfinite(error) ? error : INFINITY;
}

static bool
is_suspect(const DaeFixed *run)
{
  for (uint32_t j = 0; j < run->stepper->plan->n; j++) {
    if (!run->stepper->plan->is_algebraic[j] && error_of(run, j) > SUSPECT * run->range[j]) {
      return true;
    }
  }
  return false;
}

static void
keep_errors(DaeFixed *run)
{
  for (uint32_t j = 0; j < run->stepper->plan->n; j++) {
    const double error = run->stepper->plan->is_algebraic[j] ? 0.0 : error_of(run, j);
    if (error > run->error[j]) {
      run->error[j] = error;
      run->error_time[j] = dae_fixed_t(run);
    }
  }
}

static bool
may_have_twin(const DaeFixed *run)
{
  return !run->options->is_look && !(run->options->realtime_period > 0.0) && !run->has_no_twin;
}

void
dae_fixed_compare_last_with_twin(DaeFixed *run)
{
  if (run->stepper != NULL && may_have_twin(run) && run->step == run->begin + 1 &&
      run->twin == NULL && make_twin(run, true) && catch_up(run)) {
    keep_errors(run);
  }
}

void
dae_fixed_compare_with_twin(DaeFixed *run)
{
  if (!may_have_twin(run) || (!run->twin_is_fine && (run->step - run->begin) % 2 != 0)) {
    return;
  }
  bool is_there = (run->twin != NULL || make_twin(run, run->twin_is_fine)) && catch_up(run);
  if (!run->twin_is_fine && (!is_there || is_suspect(run))) {
    dae_fixed_drop_twin(run);
    is_there = make_twin(run, true) && catch_up(run);
  }
  if (!is_there) {
    dae_fixed_drop_twin(run);
    run->has_no_twin = true;
    return;
  }
  keep_errors(run);
}

void
dae_fixed_begin_twin(DaeFixed *run, const double *x)
{
  dae_fixed_drop_twin(run);
  run->twin_is_fine = false;
  memcpy(run->twin_begin, x, run->evaluator->n * sizeof *x);
}

void
dae_fixed_summarize_twin(DaeFixed *run)
{
  DaeSolverStats *stats = &run->result.stats;
  for (uint32_t j = 0; j < run->stepper->plan->n; j++) {
    const double part = run->range[j] > 0.0 ? run->error[j] / run->range[j] : 0.0;
    if (part > stats->step_error) {
      stats->step_error = part;
      stats->step_error_time = run->error_time[j];
      stats->step_error_unknown = j;
    }
  }
}
