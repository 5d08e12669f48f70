#include "solver/integrator-priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/fixed.h"
#include "solver/pole.h"
#include "solver/radau.h"

/* Evaluators whose memory is kept, for modes of different structure. */
#define CONTEXTS_MOST 16u

struct DaeIntegrator {
  DaeSolverOptions options;
  double *nominal, *segment; /* copies; NULL: none given */
  double *landmarks;
  uint32_t next_landmark;
  DaeReceiver receiver;
  DaeSolverStatus status;
  DaeFixed *fixed; /* a method with a fixed step, or ... */
  DaeRadau *radau; /* ... the current context of radau */
  DaeRadau *contexts[CONTEXTS_MOST];
  uint64_t used[CONTEXTS_MOST];
  uint64_t restarts;
  DaeSolverStats earlier; /* of contexts that were given up */
  bool has_begun;
};

/* ---- making ------------------------------------------------------------------------------ */

static double *
copy_of(const double *values, size_t n)
{
  if (values == NULL) {
    return NULL;
  }
  double *copy = dae_aligned_new0((n + 1) * sizeof *copy);
  memcpy(copy, values, n * sizeof *copy);
  return copy;
}

DaeIntegrator *
dae_integrator_new_for(const DaeEvaluator *evaluator, const DaeSolverOptions *options,
                       const double *x, const DaeReceiver *receiver, DaeSolverStatus *status)
{
  if (!dae_solver_options_are_good(evaluator, options)) {
    *status = DAE_SOLVER_BAD_OPTIONS;
    return NULL;
  }
  DaeIntegrator *it = dae_aligned_new0(sizeof *it);
  it->options = *options;
  it->receiver = *receiver;
  it->nominal = copy_of(options->nominal, evaluator->n);
  it->segment = copy_of(options->segment, evaluator->n_segment);
  it->landmarks = copy_of(options->landmarks, options->n_landmarks);
  it->options.nominal = it->nominal;
  it->options.landmarks = it->landmarks;
  it->options.segment = it->segment;
  if (options->method == DAE_METHOD_RADAU) {
    it->radau = dae_radau_new(evaluator, &it->options, x, receiver->events, receiver->output,
                              receiver->user);
    it->contexts[0] = it->radau;
    it->status = dae_radau_start(it->radau);
  } else {
    it->fixed = dae_fixed_new(evaluator, &it->options, x, receiver->events, receiver->output,
                              receiver->user);
    it->status =
        dae_fixed_is_made(it->fixed) ? dae_fixed_start(it->fixed) : dae_fixed_status(it->fixed);
  }
  *status = it->status;
  return it;
}

DaeIntegrator *
dae_integrator_new(const DaeEvaluator *evaluator, const DaeSolverOptions *options,
                   const double *x, DaeSolverStatus *status)
{
  const DaeReceiver none = {NULL, NULL, NULL};
  return dae_integrator_new_for(evaluator, options, x, &none, status);
}

void
dae_integrator_free(DaeIntegrator *it)
{
  if (it == NULL) {
    return;
  }
  for (uint32_t k = 0; k < CONTEXTS_MOST; k++) {
    dae_radau_free(it->contexts[k]);
  }
  dae_fixed_free(it->fixed);
  free(it->nominal);
  free(it->landmarks);
  free(it->segment);
  free(it);
}

/* ---- steps ------------------------------------------------------------------------------- */

/* The first landmark that lies ahead, further than rounding. */
static double
next_landmark(DaeIntegrator *it)
{
  double least = it->radau->t + 1e-13 * fmax(fabs(it->radau->t), fabs(it->options.t_stop));
  while (it->next_landmark < it->options.n_landmarks &&
         it->landmarks[it->next_landmark] <= least) {
    it->next_landmark++;
  }
  return it->next_landmark < it->options.n_landmarks ? it->landmarks[it->next_landmark]
                                                     : INFINITY;
}

static DaeSolverStatus
step_radau(DaeIntegrator *it, double limit, const DaeRoots *roots, DaeStop *stop)
{
  DaeRadau *r = it->radau;
  r->limit = fmin(fmin(limit, r->options->t_stop), next_landmark(it));
  r->watches_roots = roots != NULL && roots->n > 0;
  DaeSolverStatus status =
      r->watches_roots ? dae_radau_step_to_root(r, roots, stop) : dae_radau_step(r);
  if (r->record.order > 0 && r->options->on_step != NULL) {
    r->options->on_step(r->options->step_user, &r->record);
  }
  r->record.order = 0;
  if (status == DAE_SOLVER_COMPLETED) {
    dae_radau_count_switches(r, true);
    status = dae_radau_look_behind_end(r, r->ev);
  }
  return status;
}

DaeSolverStatus
dae_integrator_step(DaeIntegrator *it, double limit, const DaeRoots *roots, DaeStop *stop)
{
  *stop = (DaeStop){.kind = DAE_STOP_STEP};
  it->has_begun = true;
  if (it->status != DAE_SOLVER_COMPLETED) {
    return it->status;
  }
  if (it->fixed != NULL) {
    it->status = dae_fixed_step(it->fixed);
    if (it->status == DAE_SOLVER_COMPLETED) {
      it->status = dae_fixed_look_for_pole(it->fixed, limit, roots);
    }
    if (it->status == DAE_SOLVER_COMPLETED && roots != NULL && roots->n > 0) {
      dae_fixed_look_at_roots(it->fixed, roots, stop);
    }
  } else {
    it->status = step_radau(it, limit, roots, stop);
  }
  stop->t = dae_integrator_t(it);
  if (stop->kind == DAE_STOP_STEP && stop->t >= limit) {
    stop->kind = DAE_STOP_LIMIT;
  }
  return it->status;
}

double
dae_integrator_t(const DaeIntegrator *it)
{
  return it->fixed != NULL ? dae_fixed_t(it->fixed) : it->radau->t;
}

double
dae_integrator_t_old(const DaeIntegrator *it)
{
  if (it->fixed != NULL) {
    return dae_fixed_t(it->fixed) - it->options.step;
  }
  return it->radau->last.tableau != NULL ? it->radau->last.t : it->radau->t;
}

const double *
dae_integrator_x(const DaeIntegrator *it)
{
  return it->fixed != NULL ? dae_fixed_x(it->fixed) : it->radau->x;
}

void
dae_integrator_value(DaeIntegrator *it, double t, double *x, double *xdot)
{
  if (it->fixed != NULL) {
    dae_fixed_value(it->fixed, t, x, xdot);
    return;
  }
  DaeRadau *r = it->radau;
  const bool inside = t < r->t && r->last.tableau != NULL;
  if (inside) {
    dae_radau_close_dense(r, DAE_DENSE_READY);
  }
  if (x != NULL && inside) {
    dae_collocation_value(&r->last, r->n, t, x);
  } else if (x != NULL) {
    memcpy(x, r->x, sizeof(double) * r->n);
  }
  if (xdot != NULL && inside) {
    dae_collocation_derivative(&r->last, r->n, t, xdot);
  } else if (xdot != NULL) {
    memcpy(xdot, r->xdot, sizeof(double) * r->n);
  }
}

bool
dae_integrator_point(DaeIntegrator *it, double t, DaeIntegratorPoint *point)
{
  if (it->fixed != NULL) {
    double *x = dae_fixed_point(it->fixed);
    dae_fixed_value(it->fixed, t, x, NULL);
    *point =
        (DaeIntegratorPoint){x, dae_fixed_slopes(it->fixed, t, x), dae_fixed_states(it->fixed)};
    return true;
  }
  DaeRadau *r = it->radau;
  const double now = r->t;
  const bool inside = dae_radau_take_output(r, t);
  const uint8_t *states = dae_radau_settle_output(r, t, inside);
  r->t = now;
  *point = (DaeIntegratorPoint){r->x_out, r->xdot_out, states};
  return states != NULL;
}

/* ---- restarts ---------------------------------------------------------------------------- */

static void
add_stats(DaeSolverStats *sum, const DaeSolverStats *part)
{
  sum->steps_explicit += part->steps_explicit;
  sum->method_changes += part->method_changes;
  sum->steps_accepted += part->steps_accepted;
  sum->steps_rejected += part->steps_rejected;
  sum->newton_failures += part->newton_failures;
  sum->newton_iterations += part->newton_iterations;
  sum->rhs_evaluations += part->rhs_evaluations;
  sum->mass_evaluations += part->mass_evaluations;
  sum->jacobian_evaluations += part->jacobian_evaluations;
  sum->factorizations_constraints += part->factorizations_constraints;
  sum->factorizations_differential += part->factorizations_differential;
  sum->back_substitutions += part->back_substitutions;
  sum->state_selections += part->state_selections;
  sum->switch_crossings += part->switch_crossings;
  if (sum->branch_points == 0) {
    sum->first_branch_point = part->first_branch_point;
  }
  sum->branch_points += part->branch_points;
  if (sum->singular_steps == 0) {
    sum->first_singular_step = part->first_singular_step;
  }
  sum->singular_steps += part->singular_steps;
  if (sum->leaps == 0) {
    sum->first_leap = part->first_leap;
    sum->leaping_unknown = part->leaping_unknown;
  }
  sum->leaps += part->leaps;
  sum->max_constraint_residual =
      fmax(sum->max_constraint_residual, part->max_constraint_residual);
}

/* The context of another evaluator: one that was there before, or a new one. */
static DaeSolverStatus
change_evaluator(DaeIntegrator *it, const DaeReinit *reinit)
{
  DaeRadau *old = it->radau;
  uint32_t place = 0;
  uint32_t oldest = 0;
  while (place < CONTEXTS_MOST &&
         (it->contexts[place] == NULL || it->contexts[place]->ev != reinit->evaluator)) {
    oldest = it->used[place] < it->used[oldest] ? place : oldest;
    place++;
  }
  const bool is_new = place == CONTEXTS_MOST;
  place = is_new ? oldest : place;
  if (is_new && it->contexts[place] != NULL) {
    add_stats(&it->earlier, &it->contexts[place]->stats);
    dae_radau_free(it->contexts[place]);
  }
  if (is_new) {
    it->options.segment = NULL;
    it->options.nominal = reinit->nominal != NULL          ? reinit->nominal
                          : reinit->evaluator->n == old->n ? it->nominal
                                                           : NULL;
    it->contexts[place] =
        dae_radau_new(reinit->evaluator, &it->options, reinit->x, it->receiver.events,
                      it->receiver.output, it->receiver.user);
    it->options.nominal = it->nominal;
  }
  DaeRadau *r = it->contexts[place];
  it->used[place] = it->restarts;
  it->radau = r;
  r->t = old->t;
  r->h = is_new ? 0.0 : old->h;
  r->outputs = old->outputs;
  return dae_radau_restart(r, reinit->x, reinit->segment, reinit->mode,
                           reinit->step > 0.0 ? reinit->step : 0.0);
}

bool
dae_integrator_renew(DaeIntegrator *it, const double *segment)
{
  return it->fixed != NULL ? dae_fixed_renew(it->fixed, segment)
                           : dae_radau_renew(it->radau, segment);
}

DaeSolverStatus
dae_integrator_reinit(DaeIntegrator *it, const DaeReinit *reinit)
{
  it->restarts++;
  if (it->fixed != NULL) {
    it->status = dae_fixed_reinit(it->fixed, reinit);
    return it->status;
  }
  it->radau->t = reinit->t != NULL ? *reinit->t : it->radau->t;
  if (reinit->evaluator != NULL && reinit->evaluator != it->radau->ev) {
    DAE_ASSERT(reinit->x != NULL);
    it->status = change_evaluator(it, reinit);
  } else {
    it->status =
        dae_radau_restart(it->radau, reinit->x, reinit->segment, reinit->mode, reinit->step);
  }
  return it->status;
}

/* ---- what a run needs -------------------------------------------------------------------- */

bool
dae_integrator_deliver(DaeIntegrator *it)
{
  if (it->fixed != NULL) {
    return dae_fixed_deliver(it->fixed);
  }
  if (!it->has_begun) {
    return dae_radau_output_start(it->radau);
  }
  const bool goes_on = dae_radau_events_step(it->radau);
  return dae_radau_output_step(it->radau) && goes_on;
}

bool
dae_integrator_is_at_end(const DaeIntegrator *it)
{
  return it->fixed != NULL ? dae_fixed_is_at_end(it->fixed)
                           : !(it->radau->t < it->options.t_stop);
}

bool
dae_integrator_has_no_output(const DaeIntegrator *it)
{
  return it->radau != NULL && it->radau->no_output_there;
}

void
dae_integrator_end(DaeIntegrator *it, DaeSolverStatus status, DaeSolverResult *result,
                   double *x)
{
  if (it->fixed != NULL) {
    dae_fixed_result(it->fixed, status, result, x);
    return;
  }
  const DaeRadau *r = it->radau;
  *result = (DaeSolverResult){.status = status,
                              .stats = r->stats,
                              .worst_row = r->worst_row,
                              .worst_unknown = r->worst_unknown};
  add_stats(&result->stats, &it->earlier);
  for (uint32_t k = 0; k < CONTEXTS_MOST; k++) {
    if (it->contexts[k] != NULL && it->contexts[k] != r) {
      add_stats(&result->stats, &it->contexts[k]->stats);
    }
  }
  result->stats.t = r->t;
  if (x != NULL) {
    memcpy(x, r->x, sizeof(double) * r->n);
  }
}

void
dae_integrator_result(DaeIntegrator *it, DaeSolverResult *result)
{
  dae_integrator_end(it, it->status, result, NULL);
}
