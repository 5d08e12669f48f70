/* Restarts: other values, another mode. Jacobian and factors of a mode seen before serve again,
 * as old ones do within a run: Newton's method tells when they do not. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/radau.h"

/* The first step in a mode is at most so many times the one at the visit before. */
#define GROWTH_OF_FIRST 30.0
/* Smallest steps in the first one after an event. */
#define SHORTEST_FIRST 1e3

/* Modes that are kept: fewer where each is large. */
static uint32_t
modes_kept(const DaeRadau *r)
{
  return r->n <= 64 ? DAE_MODES_MOST : r->n <= 4096 ? 16 : 4;
}

static double *
take(double **at, size_t count)
{
  double *block = *at;
  *at += (count + 7) & ~(size_t)7;
  return block;
}

static void
allocate_mode(const DaeRadau *r, DaeRadauMode *mode)
{
  size_t nm = r->ev->mass.row_start[r->n_diff];
  size_t nk = r->ev->dynamics.row_start[r->n_diff];
  size_t ng = r->ev->constraint.row_start[r->n_con];
  mode->arena = dae_aligned_new0((nm + nk + ng + 24) * sizeof(double));
  double *at = mode->arena;
  mode->jac_m = take(&at, nm);
  mode->jac_k = take(&at, nk);
  mode->jac_gx = take(&at, ng);
  mode->linsys = r->own.linsys->is_sparse
                     ? dae_radau_new_linsys(r, r->stages_max)
                     : dae_linsys_dense_new(r->ev, r->nominal, r->stages_max);
}

/* The mode with this key; *is_known: its Jacobian is there. A new one takes the place of the one
 * that was not used for longest. */
static DaeRadauMode *
find_mode(DaeRadau *r, uint64_t key, bool *is_known)
{
  DaeRadauMode *oldest = &r->modes[0];
  *is_known = false;
  if (key == 0) {
    return &r->own;
  }
  for (uint32_t k = 0; k < modes_kept(r); k++) {
    if (r->modes[k].key == key) {
      *is_known = true;
      return &r->modes[k];
    }
    oldest = r->modes[k].used < oldest->used ? &r->modes[k] : oldest;
  }
  if (oldest->linsys == NULL) {
    allocate_mode(r, oldest);
  }
  oldest->key = key;
  oldest->h_factored = 0.0;
  oldest->linsys->known_rank = 0;
  return oldest;
}

static void
leave_mode(DaeRadau *r)
{
  r->current->linsys = r->linsys; /* a sparse one may have been replaced */
  r->current->tableau = r->tableau;
  r->current->h_factored = r->factored ? r->h_factored : 0.0;
}

static void
enter_mode(DaeRadau *r, DaeRadauMode *mode)
{
  r->current = mode;
  r->linsys = mode->linsys;
  r->jac_m = mode->jac_m;
  r->jac_k = mode->jac_k;
  r->jac_gx = mode->jac_gx;
  mode->used = r->restarts;
}

void
dae_radau_free_modes(DaeRadau *r)
{
  for (uint32_t k = 0; k < DAE_MODES_MOST; k++) {
    DaeRadauMode *mode = &r->modes[k];
    if (mode->linsys != NULL && mode != r->current) {
      mode->linsys->ops->free(mode->linsys);
    }
    free(mode->arena);
  }
  if (r->current != &r->own) {
    r->own.linsys->ops->free(r->own.linsys);
  }
}

/* The place of the current mode; a new one is that of the mode not met for longest. */
static DaeFirstStep *
find_first_step(DaeRadau *r)
{
  DaeFirstStep *oldest = &r->first_steps[0];
  for (uint32_t k = 0; k < DAE_FIRST_STEPS; k++) {
    DaeFirstStep *step = &r->first_steps[k];
    if (step->key == r->current->key) {
      step->used = r->restarts;
      return step;
    }
    oldest = step->used < oldest->used ? step : oldest;
  }
  *oldest = (DaeFirstStep){.key = r->current->key, .used = r->restarts};
  return oldest;
}

/* The size that its error and Newton's method proposed for the second step would have done for
 * the first one. */
void
dae_radau_note_first_step(DaeRadau *r)
{
  r->after_restart = false;
  if (r->current->key != 0) {
    find_first_step(r)->h = fmax(r->h_done, fmin(r->h, GROWTH_OF_FIRST * r->h_done));
  }
}

/* The Jacobian of an earlier visit did not serve: what it depends on has moved on, and with it the
 * slopes were wrong as well. */
void
dae_radau_note_old_jacobian(DaeRadau *r)
{
  if (r->after_restart && !r->jacobian_is_fresh && r->current->key != 0) {
    find_first_step(r)->needs_jacobian = true;
  }
}

/* Nothing of the steps before is worth continuing. */
static void
forget_steps(DaeRadau *r)
{
  r->last.tableau = NULL;
  r->dense = DAE_DENSE_READY;
  r->first = true;
  r->longest = 0.0;
  r->is_ramping = true;
  r->rejected = false;
  r->clipped = false;
  r->cautious = false;
  r->refreshed = false;
  r->is_repeating = false;
  r->masses_are_known = false;
  r->noise = 0.0;
  r->failed_h = 0.0;
  r->error_accepted = 0.0;
  r->steps_at_order = 0;
  r->recent_failures = 0.0;
}

/* x onto the constraints and x' with the Jacobian of an earlier time in this mode; false: it
 * does not serve. */
static bool
begin_with_old_jacobian(DaeRadau *r)
{
  double residual = 0.0;
  dae_radau_set_weights(r);
  if (dae_radau_polish(r, r->linsys, r->t, r->x, r->f, r->g, r->m, 1e-10, &residual) != 0 ||
      !dae_radau_constraints_hold(r, residual)) {
    return false;
  }
  r->step_residual = residual;
  DaeJac jac = {.gt = r->gt};
  if (r->ev->jac(r->ev->self, r->scratch, r->t, r->x, r->xdot, &jac) != 0 ||
      !r->linsys->ops->derivative(r->linsys, r->f, r->gt, r->xdot)) {
    return false;
  }
  for (uint32_t j = 0; j < r->n; j++) {
    if (!isfinite(r->xdot[j])) {
      return false;
    }
  }
  r->jacobian_is_fresh = false;
  r->jacobian_is_ahead = false;
  r->jacobian_is_doubtful = true;
  return true;
}

/* First step: not longer than the one before the event. In a mode seen before, what its first
 * step was then is a better guide than x' alone, which tells of the fastest unknown only. */
static double
first_step(DaeRadau *r, double before)
{
  double left = r->options->t_stop - r->t;
  double seen = r->current->key != 0 ? find_first_step(r)->h : 0.0;
  double own = seen > 0.0 ? seen : dae_radau_starting_step(r);
  /* shorter ones would differ by the rounding of the time; stiff transients do not need them */
  own = fmax(own, SHORTEST_FIRST * dae_radau_smallest_step(r));
  return fmin(fmin(own, before > 0.0 ? before : INFINITY), left > 0.0 ? left : INFINITY);
}

static void
begin_segment(DaeRadau *r, const double *segment)
{
  dae_evaluator_begin(r->ev, r->scratch, segment);
  if (segment != NULL && r->ev->n_segment > 0) {
    r->segment =
        r->segment != NULL ? r->segment : dae_aligned_new0(sizeof(double) * r->ev->n_segment);
    memcpy(r->segment, segment, sizeof(double) * r->ev->n_segment);
  }
}

DaeSolverStatus
dae_radau_restart(DaeRadau *r, const double *x, const double *segment, uint64_t key,
                  double step)
{
  double before = r->h;
  bool is_known = false;
  const DaeTableau *tableau = r->tableau;
  r->restarts++;
  leave_mode(r);
  enter_mode(r, find_mode(r, key, &is_known));
  begin_segment(r, segment);
  if (x != NULL) {
    memcpy(r->x, x, sizeof(double) * r->n);
  }
  forget_steps(r);
  const double h_factored = is_known ? r->current->h_factored : 0.0;
  is_known = is_known && !find_first_step(r)->needs_jacobian && begin_with_old_jacobian(r);
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  if (!is_known) {
    status = dae_radau_consistent_point(r);
    r->current->linsys = r->linsys;
  }
  if (status != DAE_SOLVER_COMPLETED) {
    return status;
  }
  dae_radau_begin_branch(r);
  dae_radau_set_order(r, is_known ? r->current->tableau : tableau);
  r->h = step > 0.0 ? step : first_step(r, before);
  if (is_known && h_factored > 0.6 * r->h && h_factored <= 1.1 * r->h) {
    r->h = h_factored;
    r->h_factored = h_factored;
    r->factored = true;
  }
  dae_radau_begin_explicit(r);
  r->is_prepared = true;
  r->after_restart = true;
  dae_radau_count_switches(r, false);
  dae_radau_events_start(r);
  return DAE_SOLVER_COMPLETED;
}

/* Steps, Jacobian and factors go on; only the functions at the current point are others. */
bool
dae_radau_renew(DaeRadau *r, const double *segment)
{
  double residual = 0.0;
  if (r->last.tableau == NULL || r->is_explicit || r->options->step > 0.0) {
    return false;
  }
  dae_radau_close_dense(r, DAE_DENSE_READY);
  dae_evaluator_begin(r->ev, r->scratch, segment);
  r->masses_are_known = false;
  if (dae_radau_polish(r, r->linsys, r->t, r->x, r->f, r->g, r->m, dae_radau_polish_target(r),
                       &residual) != 0 ||
      residual > dae_radau_polish_target(r)) {
    return false;
  }
  r->step_residual = residual;
  r->is_settled = false;
  r->refreshed = false;
  return true;
}
