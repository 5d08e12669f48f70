/* Output points: dense output projected onto the constraints, with x' from M x' = f, G
 * x' = -g_t at that very point. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/radau.h"

#define POLISH_MOST 5
/* Residuals left of the constraints: at output points, and inside a run with loose
 * tolerances a small part of these. */
#define POLISH_RESIDUAL 1e-11
#define POLISH_PART_LEAST 1e-5
#define POLISH_PART_MOST 1e-3
#define MOVED 1e-10
/* Tolerances that a point moves at most when its constraints hold already. */
#define LARGEST_LAST_MOVE 1.0
/* f and M may lag behind x by a correction of so many targets. */
#define NEGLIGIBLE 1.0

/* Largest constraint residual in units of the nominal values; notes its row. */
static double
constraint_residual(DaeRadau *r, const DaeLinsys *linsys, const double *g)
{
  double worst = 0.0;
  for (uint32_t i = 0; i < r->n_con; i++) {
    double size = fabs(g[i]) / linsys->row_scale[i];
    worst = size > worst ? size : worst;
  }
  return worst;
}

/* Adds the projection of g to x; false: it is not finite, or so large although the constraints
 * hold (`is_last`: nobody looks at them after it) that it is rounding divided by a pivot that
 * vanishes. */
static bool
move_onto_constraints(DaeRadau *r, DaeLinsys *linsys, const double *g, bool is_last, double *x)
{
  linsys->ops->project(linsys, g, r->dx_out);
  double check = 0.0;
  double largest = 0.0;
  for (uint32_t j = 0; j < r->n; j++) {
    double size = fabs(r->dx_out[j]) * r->inverse_weight[j];
    check += r->dx_out[j] - r->dx_out[j];
    largest = size > largest ? size : largest;
  }
  if (check != 0.0 || (is_last && largest > LARGEST_LAST_MOVE)) {
    return false;
  }
  for (uint32_t j = 0; j < r->n; j++) {
    x[j] += r->dx_out[j];
  }
  return true;
}

/* Largest scaled residual to be left at the end of a step. */
double
dae_radau_polish_target(const DaeRadau *r)
{
  double tolerance = fmax(r->options->rtol, r->options->atol);
  double part = fmin(fmax(tolerance, POLISH_PART_LEAST), POLISH_PART_MOST);
  return fmax(10.0 * POLISH_RESIDUAL, 10.0 * part * tolerance);
}

/* Newton steps in the constrained variables with the G of linsys until g = 0 up to `target`; f,
 * g and m (may be NULL) are those of the returned x up to corrections far below the tolerance.
 * *last: residual of the last evaluation, or what the observed rate leaves of it. */
int
dae_radau_polish(DaeRadau *r, DaeLinsys *linsys, double t, double *x,
                 double *f, /* NOLINT(readability-non-const-parameter): filled through DaeOut */
                 double *g,
                 double *m, /* NOLINT(readability-non-const-parameter): filled through DaeOut */
                 double target, double *last)
{
  double before = INFINITY;
  double residual = 0.0;
  for (uint32_t k = 0; k < POLISH_MOST; k++) {
    bool all = k == 0 || before > NEGLIGIBLE * target;
    DaeOut out = {.f = all ? f : NULL, .g = g, .m = all ? m : NULL};
    int code = dae_radau_evaluate(r, 1, &t, x, &out);
    if (code != 0) {
      return code;
    }
    residual = constraint_residual(r, linsys, g);
    if (residual > before) {
      /* the Jacobian does not serve here: back to where it was better */
      for (uint32_t j = 0; j < r->n; j++) {
        x[j] -= r->dx_out[j];
      }
      *last = before;
      out = (DaeOut){.f = f, .g = g, .m = m};
      return dae_radau_evaluate(r, 1, &t, x, &out);
    }
    if (residual <= 2.0 * DBL_EPSILON || residual > 0.5 * before ||
        !move_onto_constraints(r, linsys, g, residual <= 0.1 * target, x) ||
        residual <= 0.1 * target) {
      break;
    }
    double rate = residual / before; /* 0 the first time */
    if (k > 0 && residual * rate <= 1e-3 * target) {
      residual *= rate;
      break;
    }
    before = residual;
  }
  *last = residual;
  return 0;
}

void
dae_radau_note_residual(DaeRadau *r, double residual)
{
  r->stats.max_constraint_residual = fmax(r->stats.max_constraint_residual, residual);
}

/* Jacobian of the constraints and mass matrix at x_out; the point is then moved onto the
 * constraints. The move is left in *moved, in units of the nominal values (as a
 * residual). false: no Jacobian there. */
static bool
settle_point(DaeRadau *r, double t, double *moved)
{
  DaeJac jac = {.gx = r->gx_out, .gt = r->gt_out, .m = r->m_out};
  DaeLinsysValues values = {.m = r->m_out, .gx = r->gx_out};
  double residual;
  if (r->ev->jac(r->ev->self, r->scratch, t, r->x_out, r->xdot_out, &jac) != 0) {
    return false;
  }
  if (r->linsys_out == NULL) {
    r->linsys_out = r->linsys->is_sparse ? dae_radau_new_linsys(r, 1)
                                         : dae_linsys_dense_new(r->ev, r->nominal, 1);
  }
  r->stats.jacobian_evaluations++;
  r->stats.factorizations_constraints++;
  /* the integrator's own may have become sparse, or dense, since this one was made */
  if (r->linsys_out->ops->follow != NULL && r->linsys_out->ops == r->linsys->ops) {
    r->linsys_out->ops->follow(r->linsys_out, r->linsys);
  }
  bool regular = r->linsys_out->ops->split(r->linsys_out, &values);
  DaeOut out = {.g = r->g_out};
  if (dae_radau_evaluate(r, 1, &t, r->x_out, &out) != 0) {
    return false;
  }
  *moved = constraint_residual(r, r->linsys_out, r->g_out);
  if (dae_radau_polish(r, r->linsys_out, t, r->x_out, r->f_out, r->g_out, NULL, 0.1 * MOVED,
                       &residual) != 0) {
    return false;
  }
  dae_radau_note_residual(r, residual);
  return regular;
}

/* The equations have no value at this time, not even with the x of the end of the step, which
 * has one there: a pole in time between two steps. An x_out that is only just outside the
 * domain, by the error of the dense output, is another matter. */
static bool
fails_by_time(DaeRadau *r, double t)
{
  DaeOut out = {.g = r->g_out};
  return dae_radau_evaluate(r, 1, &t, r->x, &out) != 0;
}

/* Brings x_out at time t onto the constraints and finds xdot_out and the states. `inside` a
 * step the point comes from the dense output; at its end it is the current point, which
 * meets the constraints already. */
const uint8_t *
dae_radau_settle_output(DaeRadau *r, double t, bool inside)
{
  const uint8_t *states = r->linsys->states;
  double residual = r->step_residual;
  bool on_constraints = !inside && residual <= 1e-2 * MOVED;
  const bool by_form = r->erk != NULL && (r->is_explicit || (inside && r->last_is_explicit));
  if (!on_constraints && by_form && dae_radau_settle_explicit(r, t, r->x_out, &residual)) {
    on_constraints = residual <= MOVED;
  }
  if (on_constraints) {
    dae_radau_note_residual(r, residual);
  } else if (dae_radau_polish(r, r->linsys, t, r->x_out, r->f_out, r->g_out, NULL, 0.1 * MOVED,
                              &residual) == 0) {
    /* what stays above the target may come from a Jacobian of another place */
    on_constraints = residual <= 0.1 * MOVED;
    if (on_constraints) {
      dae_radau_note_residual(r, residual);
    }
  }
  if (r->options->no_xdot && r->states == NULL && on_constraints) {
    return states;
  }
  double moved = 0.0;
  bool settled = settle_point(r, t, &moved);
  if (settled && moved > MOVED) {
    settled = settle_point(r, t, &moved); /* x' belongs to the Jacobian at the new place */
  }
  if (!settled && inside && fails_by_time(r, t)) {
    r->no_output_there = true;
    r->t = t;
    return NULL;
  }
  if (settled) {
    if (r->linsys_out->ops->derivative(r->linsys_out, r->f_out, r->gt_out, r->dx_out)) {
      memcpy(r->xdot_out, r->dx_out, sizeof(double) * r->n);
    }
    states = r->linsys_out->states;
    if (r->states != NULL) {
      dae_states_find(r->states, r->gx_out, r->linsys_out->states);
    }
  }
  return states;
}

static bool
emit_point(DaeRadau *r, double t, bool inside)
{
  const uint8_t *states = dae_radau_settle_output(r, t, inside);
  return states != NULL && r->output(r->user, t, r->x_out, r->xdot_out, states);
}

bool
dae_radau_take_output(DaeRadau *r, double t)
{
  bool inside = t < r->t && r->last.tableau != NULL;
  if (inside) {
    dae_radau_close_dense(r, DAE_DENSE_Y);
    dae_collocation_value(&r->last, r->n, t, r->x_out);
    dae_collocation_derivative(&r->last, r->n, t, r->xdot_out);
  } else {
    memcpy(r->x_out, r->x, sizeof(double) * r->n);
    memcpy(r->xdot_out, r->xdot, sizeof(double) * r->n);
  }
  return inside;
}

double
dae_radau_output_time(const DaeRadau *r, uint64_t k)
{
  return dae_solver_output_time(r->options, k);
}

bool
dae_radau_output_start(DaeRadau *r)
{
  r->outputs = 1;
  if (r->output == NULL) {
    return true;
  }
  dae_radau_take_output(r, r->t);
  return emit_point(r, r->t, false);
}

/* All output points in the step that ends at the current point. */
bool
dae_radau_output_step(DaeRadau *r)
{
  if (r->output == NULL) {
    return true;
  }
  if (!(r->options->interval > 0.0)) {
    dae_radau_take_output(r, r->t);
    return emit_point(r, r->t, false);
  }
  while (dae_radau_output_time(r, r->outputs) <= r->t) {
    double t = dae_radau_output_time(r, r->outputs);
    bool inside = dae_radau_take_output(r, t);
    bool go_on = emit_point(r, t, inside);
    r->outputs++;
    if (!go_on) {
      return false;
    }
    if (t >= r->options->t_stop) {
      break;
    }
  }
  return true;
}
