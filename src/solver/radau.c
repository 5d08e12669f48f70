/* The integration loop: over-determined Radau IIa with variable step
 * [HairerWanner96, IV.8; HoegerSteinbrecher, section 3]. */
#include "solver/radau.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/lanes.h"

#define SINGULAR_CODE 1000
/* Rounding noise up to this many tolerances is put up with. */
#define MOST_NOISE 30.0
/* Below the tolerance it need not be shown to be rounding. */
#define HARMLESS_NOISE 0.3
/* Smallest steps that leave no room for a tenfold shorter one. */
#define SHORT 100.0
/* Of what one small change of the unknowns tells about it. */
#define ROUNDING_MARGIN 100.0
/* Part of the tolerance that the error estimate of a step over a switch may have: the
 * solution has a kink there, and the error of the step is no longer far below its
 * estimate, whatever the order. */
#define KINK_ERROR 0.1
/* Failures of Newton's method in one step after which its start is looked at. */
#define DESPERATE 6
/* Steps of a run that are made again because none led on from their end. */
#define MOST_RETURNS 100u
/* New Jacobians for the point at the end of a step. */
#define MOST_CORRECTIONS 5
/* Part of the next step at whose time a new Jacobian is taken. */
#define AHEAD 0.55
/* So much later the Jacobian is taken where it is singular at the start. */
#define BESIDE_START 1e-6
/* Tolerances beside a point without derivatives at which they are looked for. */
#define MOST_BESIDE 500.0
/* An explicit step is at least so many times the shortest one. */
#define SHORT_EXPLICIT 1e3
/* Roundings of the summands of a constraint that may be left of it. */
#define ROUNDINGS 64.0

/* At the edge of a domain functions have values and no derivatives (sqrt(max(h, 0)) of an empty
 * tank): those some tolerances beside it steer Newton's iteration as well. */
static int
jacobian_beside(DaeRadau *r, double far, DaeJac *jac)
{
  for (uint32_t j = 0; j < r->n; j++) {
    r->work[j] = r->x[j] + far * r->weight[j];
  }
  r->stats.jacobian_evaluations++;
  return r->ev->jac(r->ev->self, r->scratch, r->t, r->work, r->xdot, jac);
}

static DaeLinsysValues
values_of(const DaeRadau *r)
{
  return (DaeLinsysValues){.m = r->jac_m, .k = r->jac_k, .gx = r->jac_gx, .xdot = r->xdot};
}

static bool
split(DaeRadau *r)
{
  const DaeLinsysValues values = values_of(r);
  bool regular = r->linsys->ops->split(r->linsys, &values);
  /* as many equations as unknowns: all of them are needed */
  const uint32_t needed = r->n_diff + r->n_con == r->n ? r->n_con : r->largest_rank;
  if (!regular && r->linsys->n_constrained < needed) {
    /* a mode not seen before, whose small pivots look like redundancy: in the others they
     * were none */
    r->linsys->known_rank = needed;
    regular = r->linsys->ops->split(r->linsys, &values);
  }
  r->largest_rank = regular ? MAX(r->largest_rank, r->linsys->n_constrained) : r->largest_rank;
  return regular;
}

bool
dae_radau_take_jacobian(DaeRadau *r, const DaeJac *jac)
{
  memcpy(r->jac_k, jac->k, sizeof(double) * r->ev->dynamics.row_start[r->n_diff]);
  memcpy(r->jac_m, jac->m, sizeof(double) * r->ev->mass.row_start[r->n_diff]);
  memcpy(r->jac_gx, jac->gx, sizeof(double) * r->ev->constraint.row_start[r->n_con]);
  memcpy(r->gt, jac->gt, sizeof(double) * r->n_con);
  r->jacobian_is_fresh = true;
  r->jacobian_is_ahead = true;
  r->jacobian_is_far = false;
  r->factored = false;
  r->stats.factorizations_constraints++;
  return split(r);
}

/* Jacobian and selection at the current point, or, ahead > 0, at the time t + ahead on the
 * continued polynomial: in the middle of the next step it serves all stages best. */
int
dae_radau_refresh_jacobian(DaeRadau *r, double ahead)
{
  DaeJac jac = {.k = r->jac_k, .gx = r->jac_gx, .gt = r->gt, .m = r->jac_m};
  int code = 1;
  r->jacobian_is_far = false;
  if (ahead > 0.0 && r->last.tableau != NULL) {
    dae_radau_close_dense(r, DAE_DENSE_READY);
    dae_collocation_value(&r->last, r->n, r->t + ahead, r->work);
    r->jacobian_is_far = dae_radau_goes_anywhere(r, ahead);
    dae_collocation_derivative(&r->last, r->n, r->t + ahead, r->error);
    code = r->ev->jac(r->ev->self, r->scratch, r->t + ahead, r->work, r->error, &jac);
    r->stats.jacobian_evaluations++;
  }
  if (code != 0) {
    r->jacobian_is_far = false;
    code = r->ev->jac(r->ev->self, r->scratch, r->t, r->x, r->xdot, &jac);
    r->stats.jacobian_evaluations++;
  }
  for (double far = 1.0; far < MOST_BESIDE && code > 0; far *= 10.0) {
    code = jacobian_beside(r, far, &jac);
    code = code > 0 ? jacobian_beside(r, -far, &jac) : code;
  }
  if (code != 0) {
    r->worst_row = jac.fault;
    return code;
  }
  const DaeLinsysValues values = values_of(r);
  bool regular = split(r);
  if (!regular && r->stats.steps_accepted == 0) {
    /* singular at the very start, perhaps not after it (time*z = sin(time)) */
    double later = BESIDE_START * fmin(1.0, r->options->t_stop - r->t);
    regular = r->ev->jac(r->ev->self, r->scratch, r->t + later, r->x, r->xdot, &jac) == 0 &&
              r->linsys->ops->split(r->linsys, &values);
    r->stats.jacobian_evaluations++;
  }
  if (r->stats.factorizations_constraints++ > 0 && r->linsys->selection_changed) {
    r->stats.state_selections++;
  }
  r->jacobian_is_fresh = true;
  r->jacobian_is_ahead = ahead > 0.0;
  r->jacobian_is_doubtful = r->first;
  r->factored = false;
  return regular ? 0 : SINGULAR_CODE;
}

static DaeSolverStatus
status_of_code(int code)
{
  return code == SINGULAR_CODE ? DAE_SOLVER_SINGULAR : DAE_SOLVER_DOMAIN;
}

static void
note_worst_constraint(DaeRadau *r)
{
  double worst = -1.0;
  for (uint32_t i = 0; i < r->n_con; i++) {
    double size = fabs(r->g[i]) / r->linsys->row_scale[i];
    if (size > worst) {
      worst = size;
      r->worst_row = r->n_diff + i;
    }
  }
}

/* What rounding leaves of constraint i at best: its summands in the first order. */
static double
rounding_of_constraint(const DaeRadau *r, uint32_t i)
{
  const DaePattern *pattern = &r->ev->constraint;
  double sum = 0.0;
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    sum += fabs(r->jac_gx[e] * r->x[pattern->column[e]]);
  }
  return ROUNDINGS * DBL_EPSILON * sum;
}

bool
dae_radau_constraints_hold(const DaeRadau *r, double residual)
{
  double bound = 1e-2 * fmax(r->options->rtol, r->options->atol) + 1e-10;
  if (!(residual > bound)) {
    return !isnan(residual);
  }
  for (uint32_t i = 0; i < r->n_con; i++) {
    double least = bound * r->linsys->row_scale[i] + rounding_of_constraint(r, i);
    if (!(fabs(r->g[i]) <= least)) {
      return false;
    }
  }
  return true;
}

/* Consistent start: x onto the constraints, x' from the equations. */
DaeSolverStatus
dae_radau_consistent_point(DaeRadau *r)
{
  dae_radau_set_weights(r);
  int code = dae_radau_refresh_jacobian(r, 0.0);
  if (code != 0) {
    return status_of_code(code);
  }
  double residual;
  code = dae_radau_polish(r, r->linsys, r->t, r->x, r->f, r->g, r->m, 1e-10, &residual);
  if (code != 0) {
    return DAE_SOLVER_DOMAIN;
  }
  if (!dae_radau_constraints_hold(r, residual)) {
    note_worst_constraint(r);
    return DAE_SOLVER_NO_START;
  }
  r->step_residual = residual;
  if (!r->linsys->ops->derivative(r->linsys, r->f, r->gt, r->xdot)) {
    /* algebraic equations among the differential rows: only the dense systems take them */
    dae_radau_take_dense(r);
  }
  for (uint32_t j = 0; j < r->n; j++) {
    r->xdot[j] = isfinite(r->xdot[j]) ? r->xdot[j] : 0.0;
  }
  r->linsys->known_rank = 0; /* the first look was at a point before its correction */
  code = dae_radau_refresh_jacobian(r, 0.0); /* K depends on x' */
  r->stats.redundant_constraints = r->n_con - r->linsys->n_constrained;
  return code == 0 ? DAE_SOLVER_COMPLETED : status_of_code(code);
}

static double
smallest_step(const DaeRadau *r)
{
  double floor = fmax(16.0 * DBL_EPSILON * fabs(r->t), 1e-100);
  return fmax(floor, r->options->min_step);
}

static double
largest_step(const DaeRadau *r)
{
  double span = r->options->t_stop - r->options->t_start;
  return r->options->max_step > 0.0 ? fmin(r->options->max_step, span) : span;
}

/* x, x', t and the polynomial of the step just solved become current. */
static void
advance(DaeRadau *r, double h, double t_new)
{
  uint32_t s = r->tableau->s;
  double *old = r->last.z;
  r->last.tableau = r->tableau;
  r->last.t = r->t;
  r->last.h = h;
  memcpy(r->last.x, r->x, sizeof(double) * r->n);
  r->last.z = r->z;
  r->z = old;
  const double *w = r->tableau->w[s - 1];
  for (uint32_t j = 0; j < r->n; j++) {
    const double *z = r->last.z + (size_t)j * DAE_LANES_OF(s);
    double sum = 0.0;
    for (uint32_t i = 0; i < s; i++) {
      sum += w[i] * z[i];
    }
    r->xdot[j] = sum / h;
    r->x[j] += z[s - 1];
  }
  r->t = t_new;
  r->longest = fmax(r->longest, h);
  r->jacobian_is_fresh = false;
  r->cautious = false;
  r->is_settled = false;
  r->failures = 0;
  r->euler_in_a_row = 0;
}

typedef enum { STEP_ACCEPTED, STEP_AGAIN, STEP_FAILED } StepOutcome;

/* Corrections that stay as large while the step shrinks tenfold, or is as short as time allows, and
 * no larger than rounding makes them, belong to an ill-conditioned problem (the multipliers of a
 * long chain, say): from then on they end the iteration. True: dense systems, which make less of
 * the rounding, have taken the place of sparse ones. */
static bool
look_for_noise(DaeRadau *r)
{
  if (r->failed_h == 0.0 || r->last_norm < 0.1 * r->failed_norm || !isfinite(r->last_norm)) {
    r->failed_h = r->h;
    r->failed_norm = r->last_norm;
    return false;
  }
  if (r->h > 0.1 * r->failed_h && r->h > SHORT * smallest_step(r)) {
    return false;
  }
  if (r->last_norm > HARMLESS_NOISE && dae_radau_stand_in(r)) {
    return true;
  }
  if (r->last_norm <= HARMLESS_NOISE ||
      (r->last_norm <= MOST_NOISE && r->last_norm <= ROUNDING_MARGIN * dae_radau_rounding(r))) {
    r->noise = fmax(r->noise, 3.0 * r->last_norm);
  }
  return false;
}

/* After a failure of Newton or an evaluation: a fresh Jacobian first, a shorter step then, and
 * if that fails too with the Jacobian at its very start. */
static StepOutcome
recover(DaeRadau *r, DaeNewtonStatus why, DaeSolverStatus *status)
{
  r->stats.newton_failures++;
  r->recent_failures += 1.0;
  dae_radau_note_old_jacobian(r);
  *status = why == DAE_NEWTON_DOMAIN ? DAE_SOLVER_DOMAIN : DAE_SOLVER_NEWTON_FAILED;
  if (why == DAE_NEWTON_FATAL) {
    *status = DAE_SOLVER_DOMAIN;
    return STEP_FAILED;
  }
  if (why != DAE_NEWTON_DOMAIN) {
    if (look_for_noise(r)) {
      return STEP_AGAIN;
    }
  } else if (r->outside_h == 0.0) {
    r->outside_h = r->h;
  }
  bool fixed = r->options->step > 0.0;
  bool shorten = r->jacobian_is_fresh || why == DAE_NEWTON_DOMAIN;
  if (fixed && shorten && r->cautious) {
    return STEP_FAILED;
  }
  r->cautious = fixed ? shorten : r->cautious;
  if (shorten && !fixed) {
    r->h *= why == DAE_NEWTON_DOMAIN ? 0.25 : r->suggested_factor;
    if (r->is_ramping && !r->first) {
      r->h = fmin(r->h, sqrt(r->h * r->stats.last_step)); /* grown too far: half of it back */
    }
    r->is_ramping = false;
    r->factored = false;
  }
  r->failures++;
  if (r->failures >= DESPERATE && !fixed && !r->is_settled) {
    dae_radau_settle_start(r);
  } else if (!r->jacobian_is_fresh || r->jacobian_is_ahead || fixed) {
    int code = dae_radau_refresh_jacobian(r, r->rejected || fixed ? 0.0 : AHEAD * r->h);
    if (code != 0) {
      *status = status_of_code(code);
      return STEP_FAILED;
    }
  }
  r->faccon = 1.0;
  r->rejected = r->rejected || shorten; /* a Jacobian that was too old says nothing about h */
  return STEP_AGAIN;
}

/* Tries one step of size r->h; sets r->h for the next. */
static StepOutcome
try_step(DaeRadau *r, double t_new, DaeSolverStatus *status)
{
  double h = t_new - r->t;
  if (!r->factored) {
    r->stats.factorizations_differential++;
    if (!r->linsys->ops->factor(r->linsys, r->tableau, h)) {
      if (dae_radau_try_dense(r, h)) {
        return STEP_AGAIN;
      }
      *status = DAE_SOLVER_SINGULAR;
      r->h = 0.5 * h;
      r->rejected = true;
      return STEP_AGAIN;
    }
    r->factored = true;
    r->h_factored = h;
  }
  dae_radau_predict(r, h);
  DaeNewtonStatus newton = dae_radau_newton(r, h);
  newton = newton == DAE_NEWTON_CONVERGED ? dae_radau_ask_again(r, h) : newton;
  if (newton != DAE_NEWTON_CONVERGED) {
    return recover(r, newton, status);
  }
  if (!(r->options->step > 0.0) && !dae_radau_keeps_equations(r, h)) {
    StepOutcome outcome = recover(r, DAE_NEWTON_SLOW, status);
    *status = DAE_SOLVER_JUMP;
    return outcome;
  }
  int code = dae_radau_estimate_error(r, h);
  if (code == 0 && r->error_norm < 1.0 && r->error_norm * r->error_ratio > KINK_ERROR &&
      dae_radau_crosses_switch(r, t_new)) {
    r->error_norm *= r->error_ratio / KINK_ERROR;
  }
  if (code == 0 && r->error_norm < 1.0 && !(r->options->step > 0.0)) {
    r->error_norm = fmax(r->error_norm, dae_radau_error_inside(r, h));
  }
  if (code != 0 || (r->error_norm >= 1.0 && !(r->options->step > 0.0))) {
    r->stats.steps_rejected++;
    *status = DAE_SOLVER_STEP_TOO_SMALL;
    r->h = code != 0 ? 0.25 * h : r->first ? 0.1 * h : dae_radau_next_step(r, h, false);
    r->factored = false;
    r->rejected = true;
    bool far = r->jacobian_is_ahead && r->h < 0.5 * h;
    if ((!r->jacobian_is_fresh || far) && dae_radau_refresh_jacobian(r, 0.0) != 0) {
      return STEP_FAILED;
    }
    return STEP_AGAIN;
  }
  double next = dae_radau_next_step(r, h, true);
  if (r->clipped) {
    /* a step cut short to meet a time says nothing against the size before */
    next = fmax(next, r->h_wanted);
  } else {
    r->h_accepted = h;
    r->error_accepted = fmax(1e-2, r->error_norm);
  }
  advance(r, h, t_new);
  r->dense = DAE_DENSE_READY;
  r->last_is_explicit = false;
  r->stats.steps_accepted++;
  r->stats.last_step = h;
  r->record = (DaeStepRecord){
      t_new, h, 2 * (int)r->tableau->s - 1, r->iterations, r->error_norm, r, r->n};
  r->first = false;
  r->rejected = false;
  r->failed_h = 0.0;
  r->noise *= 0.98;
  r->recent_failures *= 0.9;
  r->h = next;
  return STEP_ACCEPTED;
}

/* The new point onto the constraints, to round-off. */
static DaeSolverStatus
finish_step(DaeRadau *r)
{
  double residual;
  double target = dae_radau_polish_target(r);
  r->refreshed = false;
  int code = dae_radau_polish(r, r->linsys, r->t, r->x, r->f, r->g, r->m, target, &residual);
  double before = INFINITY;
  for (uint32_t k = 0;
       k < MOST_CORRECTIONS && code == 0 && residual > target && residual < 0.5 * before; k++) {
    /* the step was too long for its Jacobian to serve at the end */
    before = residual;
    code = dae_radau_refresh_jacobian(r, 0.0);
    r->refreshed = true;
    if (code == 0) {
      code = dae_radau_polish(r, r->linsys, r->t, r->x, r->f, r->g, r->m, target, &residual);
    }
  }
  if (code != 0) {
    return status_of_code(code);
  }
  r->step_residual = residual;
  if (r->output == NULL) {
    dae_radau_note_residual(r, residual);
  }
  dae_radau_set_weights(r);
  return DAE_SOLVER_COMPLETED;
}

/* Order and step size of the next step; new Jacobian or the old one again. */
static DaeSolverStatus
prepare_next(DaeRadau *r, double h)
{
  if (r->is_explicit) {
    return r->leaves_explicit ? dae_radau_leave_explicit(r) : DAE_SOLVER_COMPLETED;
  }
  dae_radau_look_for_explicit(r);
  if (r->is_explicit) {
    return DAE_SOLVER_COMPLETED;
  }
  bool keep = dae_radau_jacobian_serves(r);
  r->h = dae_radau_choose_order(r, h, r->h);
  if (!keep && !r->refreshed) {
    /* redundant constraints show their true rank at consistent points only */
    double ahead = r->linsys->n_constrained < r->n_con ? 0.0 : AHEAD;
    double h_next = fmin(r->h, r->limit - r->t);
    int code = dae_radau_refresh_jacobian(r, ahead * h_next);
    for (uint32_t k = 0; code == SINGULAR_CODE && k < 3; k++) {
      code = dae_radau_refresh_jacobian(
          r, 0.3 * k * h_next); /* an isolated singular point is stepped over */
    }
    return code == 0 ? DAE_SOLVER_COMPLETED : status_of_code(code);
  }
  if (r->h >= h && r->h <= 1.2 * h) {
    r->h = h; /* the factors serve once more */
  } else {
    r->factored = false;
  }
  return DAE_SOLVER_COMPLETED;
}

/* End of the next step of constant size; what happens at a known time ends one, too. */
static double
end_of_fixed_step(DaeRadau *r)
{
  double span = r->options->t_stop - r->options->t_start;
  double count = fmax(1.0, ceil(span / r->options->step * (1.0 - 1e-12)));
  double done = floor((r->t - r->options->t_start) / (span / count) + 1e-6) + 1.0;
  double end = done >= count ? r->options->t_stop : r->options->t_start + span / count * done;
  end = fmin(end, r->limit);
  double h = end - r->t;
  if (fabs(h - r->h) > 1e-12 * h) {
    r->factored = false;
  }
  r->h = h;
  return end;
}

/* End of the next step: t_stop is met exactly, and not just missed. */
static double
end_of_step(DaeRadau *r)
{
  if (r->options->step > 0.0) {
    return end_of_fixed_step(r);
  }
  double stop = r->limit;
  double left = stop - r->t;
  double before = r->h;
  double end;
  r->h = fmin(r->h, largest_step(r));
  r->h_wanted = r->h;
  if (r->h >= left * (1.0 - 1e-10)) {
    r->h = left;
    end = stop;
  } else {
    if (2.0 * r->h > left) {
      r->h = 0.5 * left;
    }
    end = r->t + r->h;
  }
  if (r->h != before) {
    r->factored = false;
  }
  r->clipped = r->h < 0.999 * r->h_wanted;
  return end;
}

/* Has the caller had enough? DAE_SOLVER_COMPLETED: not yet. */
static DaeSolverStatus
ask_caller(const DaeRadau *r)
{
  const DaeSolverOptions *options = r->options;
  if (options->is_stopped != NULL && options->is_stopped(options->stop_user)) {
    return DAE_SOLVER_STOPPED;
  }
  return options->max_steps > 0 && r->stats.steps_accepted >= options->max_steps
             ? DAE_SOLVER_TOO_MANY_STEPS
             : DAE_SOLVER_COMPLETED;
}

static bool
is_trouble(DaeSolverStatus status)
{
  return status == DAE_SOLVER_NEWTON_FAILED || status == DAE_SOLVER_DOMAIN ||
         status == DAE_SOLVER_STEP_TOO_SMALL;
}

/* May the last step be made again because none leads on from its end? */
static bool
may_return(const DaeRadau *r, DaeSolverStatus status)
{
  return is_trouble(status) && !r->is_returning && !(r->options->step > 0.0) &&
         r->last.tableau != NULL && r->last.t < r->t && r->n_returns < MOST_RETURNS;
}

/* The point in r was reached by another way than a step of radau. */
static DaeSolverStatus
go_on_from_here(DaeRadau *r)
{
  r->h_done = r->h;
  r->is_repeating = false;
  r->cautious = false;
  r->is_settled = false;
  r->failures = 0;
  r->failed_h = 0.0;
  r->factored = false;
  r->theta = 1.0;
  r->iterations = 1;
  r->stats.steps_accepted++;
  return finish_step(r);
}

/* Radau has no step here: perhaps another method does. */
static DaeSolverStatus
step_otherwise(DaeRadau *r, DaeSolverStatus trouble)
{
  if (trouble == DAE_SOLVER_DOMAIN || may_return(r, trouble) || !dae_radau_euler_step(r)) {
    return trouble;
  }
  r->euler_in_a_row++;
  return go_on_from_here(r);
}

/* The same with a step that was undone. */
static DaeSolverStatus
step_over_turn(DaeRadau *r, DaeSolverStatus trouble)
{
  if (!dae_radau_pass_turn(r) && !dae_radau_cross_singular_point(r)) {
    return trouble;
  }
  dae_radau_take_branch(r, r->t, r->x);
  const int code = dae_radau_refresh_jacobian(r, 0.0);
  return code == 0 ? go_on_from_here(r) : status_of_code(code);
}

/* Tries until the error of a step is accepted. */
static DaeSolverStatus
make_step(DaeRadau *r)
{
  DaeSolverStatus trouble = DAE_SOLVER_STEP_TOO_SMALL;
  StepOutcome outcome = STEP_AGAIN;
  r->is_prepared = false;
  r->outside_h = 0.0;
  while (outcome == STEP_AGAIN) {
    DaeSolverStatus status = ask_caller(r);
    if (status != DAE_SOLVER_COMPLETED) {
      return status;
    }
    double t_new = end_of_step(r);
    if (r->h < smallest_step(r) && t_new < r->limit && !r->is_explicit) {
      return step_otherwise(r, trouble);
    }
    r->h_done = r->h;
    if (!r->is_explicit) {
      outcome = try_step(r, t_new, &trouble);
      continue;
    }
    /* steps that only become shorter end at a singular point, for which radau has its own ways */
    const bool is_short = r->h < SHORT_EXPLICIT * smallest_step(r) && t_new < r->limit;
    DaeExplicitOutcome explicit_outcome =
        is_short ? DAE_EXPLICIT_LEFT : dae_radau_try_explicit(r, t_new);
    if (explicit_outcome == DAE_EXPLICIT_ACCEPTED) {
      r->is_repeating = false;
      return DAE_SOLVER_COMPLETED;
    }
    status = explicit_outcome == DAE_EXPLICIT_LEFT ? dae_radau_leave_explicit(r) : status;
    if (status != DAE_SOLVER_COMPLETED) {
      return status;
    }
  }
  r->is_repeating = false;
  if (outcome != STEP_ACCEPTED) {
    return trouble;
  }
  DaeSolverStatus status = finish_step(r);
  bool is_fixed = r->options->step > 0.0; /* whatever the error */
  if (status == DAE_SOLVER_COMPLETED && !is_fixed && !dae_radau_stays_continuous(r)) {
    dae_radau_go_back(r);
    status = DAE_SOLVER_JUMP;
  }
  return status;
}

/* A step that led to another branch of the constraints is undone; the next try begins with the
 * slope and the Jacobian of its start, not with a polynomial that continued the wrong way. */
static DaeSolverStatus
begin_again(DaeRadau *r, double h)
{
  if (!dae_radau_go_back(r)) {
    return DAE_SOLVER_DOMAIN;
  }
  r->h = h;
  r->rejected = true;
  r->stats.steps_accepted--;
  r->stats.steps_rejected++;
  return dae_radau_settle_start(r) ? DAE_SOLVER_COMPLETED : DAE_SOLVER_SINGULAR;
}

static DaeSolverStatus
accept_step(DaeRadau *r)
{
  DaeSolverStatus status = make_step(r);
  while (status == DAE_SOLVER_COMPLETED && !dae_radau_stays_on_branch(r)) {
    dae_radau_keep_turn(r);
    status = begin_again(r, 0.25 * (r->t - r->last.t));
    status = status == DAE_SOLVER_COMPLETED ? make_step(r) : status;
  }
  if (status == DAE_SOLVER_COMPLETED && r->has_ended) {
    dae_radau_go_back(r);
    return DAE_SOLVER_ENDS;
  }
  if (status == DAE_SOLVER_COMPLETED && r->watches_roots) {
    dae_radau_close_dense(r, DAE_DENSE_READY);
  }
  return status;
}

/* No step leads on from here, however short: perhaps because the point itself is bad, where
 * unknowns are hardly determined (diodes that block) and the last step was within its tolerance
 * only. That step is made again in smaller ones, with Newton's method to the end. Where that does
 * not help either, it is the first trouble that is told. */
static DaeSolverStatus
come_from_before(DaeRadau *r, DaeSolverStatus trouble)
{
  const double reached = r->t;
  const double tolerance = r->newton_tolerance;
  DaeSolverStatus status = begin_again(r, 0.1 * (reached - r->last.t));
  r->newton_tolerance *= 0.01;
  r->n_returns++;
  r->is_returning = true;
  while (status == DAE_SOLVER_COMPLETED) {
    memcpy(r->xdot_old, r->xdot, sizeof(double) * r->n);
    status = accept_step(r);
    if (status != DAE_SOLVER_COMPLETED || r->t > reached) {
      break;
    }
    status = prepare_next(r, r->h_done);
  }
  r->newton_tolerance = tolerance;
  r->is_returning = false;
  return is_trouble(status) ? trouble : status;
}

DaeSolverStatus
dae_radau_step(DaeRadau *r)
{
  DaeSolverStatus status = r->is_prepared ? DAE_SOLVER_COMPLETED : prepare_next(r, r->h_done);
  if (status != DAE_SOLVER_COMPLETED && status != DAE_SOLVER_SINGULAR) {
    return status;
  }
  memcpy(r->xdot_old, r->xdot, sizeof(double) * r->n);
  status = status == DAE_SOLVER_COMPLETED ? accept_step(r) : status;
  if (is_trouble(status) || status == DAE_SOLVER_SINGULAR) {
    status = step_over_turn(r, status);
  }
  status = may_return(r, status) ? come_from_before(r, status) : status;
  if (status == DAE_SOLVER_COMPLETED && r->after_restart) {
    dae_radau_note_first_step(r);
  }
  if (status == DAE_SOLVER_COMPLETED) {
    dae_radau_note_waypoint(r, r->t - r->last.t);
    status = dae_radau_meet_passed(r);
  }
  return status;
}

bool
dae_radau_go_back(DaeRadau *r)
{
  r->t = r->last.t;
  memcpy(r->x, r->last.x, sizeof(double) * r->n);
  memcpy(r->xdot, r->xdot_old, sizeof(double) * r->n);
  dae_radau_set_weights(r);
  DaeOut out = {.f = r->f, .g = r->g, .m = r->m};
  return dae_radau_evaluate(r, 1, &r->t, r->x, &out) == 0;
}

/* The polynomial of the step gives the new stages nearly, so Newton's
 * method needs an iteration or two. */
DaeSolverStatus
dae_radau_repeat(DaeRadau *r, double t_end)
{
  double wanted = r->h;
  double limit = r->limit;
  if (!dae_radau_go_back(r)) {
    return DAE_SOLVER_DOMAIN;
  }
  r->is_repeating = true;
  r->limit = t_end;
  r->factored = false;
  r->jacobian_is_fresh = false;
  r->h = t_end - r->t;
  DaeSolverStatus status = accept_step(r);
  r->limit = limit;
  r->h = fmax(r->h, wanted);
  r->clipped = true; /* the size of this step says nothing about the next */
  return status;
}

double
dae_radau_smallest_step(const DaeRadau *r)
{
  return smallest_step(r);
}

DaeSolverStatus
dae_radau_start(DaeRadau *r)
{
  DaeSolverStatus status = dae_radau_consistent_point(r);
  r->stats.t = r->t;
  if (status != DAE_SOLVER_COMPLETED) {
    return status;
  }
  dae_radau_begin_branch(r);
  r->h = dae_radau_starting_step(r);
  r->is_prepared = true;
  dae_radau_begin_explicit(r);
  dae_radau_count_switches(r, false);
  if (r->options->states && r->linsys->is_sparse && r->states == NULL) {
    r->states = dae_states_new(r->ev, r->nominal);
  }
  dae_radau_events_start(r);
  return DAE_SOLVER_COMPLETED;
}
