/* Steps that led to another branch of the constraints (branch.h). */
#include <float.h>
#include <glib.h>
#include <math.h>
#include <string.h>

#include "solver/radau.h"

/* Above this contraction rate a new Jacobian pays; the second for large models, where it
 * costs as much as many iterations. */
#define KEEP_JACOBIAN 1e-3
#define KEEP_LARGE_JACOBIAN 0.03
/* Steps of so many units of rounding of the time resolve any bend: what changes its sign even
 * there is a singular point of the solution itself. */
#define SHORTEST 1e3
#define CONTRACTION 0.3
/* of a step, at which a turn is looked at more closely */
#define PARTS 8
/* Corrections of the start of a step that fails, and the smallest part of one. */
#define MOST_MOVES 30
#define SMALLEST_PART 1e-3
/* Tolerances that are left of the corrections. */
#define SETTLED 1e-6

bool
dae_radau_jacobian_serves(const DaeRadau *r)
{
  double enough = r->n > DAE_LARGE_FROM ? KEEP_LARGE_JACOBIAN : KEEP_JACOBIAN;
  return r->theta <= enough && r->iterations > 1;
}

/* M and G at a point are put into the matrix that is watched; false: there are none. */
static bool
put_matrices(DaeRadau *r, double t, const double *x)
{
  DaeJac jac = {.gx = r->gx_out, .m = r->work_m};
  r->stats.jacobian_evaluations++;
  if (r->ev->jac(r->ev->self, r->scratch, t, x, r->xdot, &jac) != 0) {
    return false;
  }
  dae_branch_put(r->branch, r->work_m, r->gx_out);
  return true;
}

void
dae_radau_take_branch(DaeRadau *r, double t, const double *x)
{
  if (put_matrices(r, t, x)) {
    dae_branch_is_same(r->branch);
    dae_branch_keep(r->branch);
  }
}

bool
dae_radau_has_sign_of_branch(DaeRadau *r, double t, const double *x)
{
  return put_matrices(r, t, x) && dae_branch_is_same(r->branch);
}

void
dae_radau_begin_branch(DaeRadau *r)
{
  dae_radau_forget_turn(r);
  dae_radau_forget_way(r);
  if (r->branch == NULL) {
    return;
  }
  dae_branch_forget(r->branch);
  dae_radau_take_branch(r, r->t, r->x);
}

/* Do the signs change by time alone, with x as it was? Then the equations are linear in what
 * changes, and no other branch is near: (t - 1) z = sin(t - 1). */
static bool
changes_by_time(DaeRadau *r)
{
  return put_matrices(r, r->t, r->last.x) && !dae_branch_is_same(r->branch);
}

/* Is the bordered matrix worth a look? Where Newton's method contracts, the matrix at the solution
 * has the sign of its Jacobian, but what contracts well as a whole may hide a constraint that
 * turned. */
static bool
is_suspicious(const DaeRadau *r)
{
  return dae_branch_is_square(r->branch) || r->iterations < 2 || r->theta > CONTRACTION ||
         dae_branch_rows_turn(r->branch);
}

/* Do the constraints turn continuously along the polynomial of the step, by more than a right
 * angle in the whole but never at once? On the way between two branches they vanish instead. */
static bool
turns_continuously(DaeRadau *r)
{
  if (dae_branch_is_square(r->branch)) {
    return false;
  }
  dae_radau_close_dense(r, DAE_DENSE_READY);
  dae_branch_save(r->branch);
  bool good = true;
  for (int k = 1; k <= PARTS && good; k++) {
    double t = r->last.t + (r->t - r->last.t) * k / PARTS;
    dae_collocation_value(&r->last, r->n, t, r->work);
    good = put_matrices(r, t, k == PARTS ? r->x : r->work) && dae_branch_is_same(r->branch);
    if (good) {
      dae_branch_keep(r->branch);
    }
  }
  if (!good) {
    dae_branch_restore(r->branch);
  }
  return good;
}

bool
dae_radau_stays_on_branch(DaeRadau *r)
{
  if (r->branch == NULL ||
      (!dae_branch_look(r->branch, r->scratch, r->t, r->x) && !put_matrices(r, r->t, r->x))) {
    return true;
  }
  if (!is_suspicious(r) || dae_branch_is_same(r->branch)) {
    dae_branch_keep(r->branch);
    return true;
  }
  if (turns_continuously(r)) {
    return true;
  }
  if (changes_by_time(r)) {
    dae_radau_take_branch(r, r->t, r->x);
    return true;
  }
  double rounding = DBL_EPSILON * fmax(fabs(r->t), fabs(r->options->t_stop));
  if (r->t - r->last.t > fmax(SHORTEST * rounding, 16.0 * dae_radau_smallest_step(r))) {
    return false;
  }
  if (r->stats.branch_points++ == 0) {
    r->stats.first_branch_point = r->t;
  }
  dae_radau_take_branch(r, r->t, r->x);
  return true;
}

/* A part of the correction in dx_out from which the next one, with the same Jacobian, is shorter
 * [Deuflhard04, natural monotonicity]: residuals do not tell, where an unknown is hardly determined
 * those that count are far below the rounding of others. false: none does. */
static bool
move_some_way(DaeRadau *r, double *size)
{
  DaeOut out = {.f = r->f, .g = r->g_out, .m = r->m};
  for (double part = 1.0; part > SMALLEST_PART; part *= 0.5) {
    for (uint32_t j = 0; j < r->n; j++) {
      r->x_out[j] = r->x[j] + part * r->dx_out[j];
    }
    if (dae_radau_evaluate(r, 1, &r->t, r->x_out, &out) == 0) {
      r->linsys->ops->project(r->linsys, r->g_out, r->work);
      double now = dae_radau_norm(r, r->work);
      if (now < (1.0 - 0.5 * part) * *size) {
        *size = now;
        memcpy(r->x, r->x_out, sizeof(double) * r->n);
        return true;
      }
    }
  }
  return false;
}

/* x + 4 eps x with signs by turns moves a correction by as little, but for the rounding errors of
 * the constraints. */
double
dae_radau_rounding(DaeRadau *r)
{
  DaeOut out = {.g = r->g_out};
  for (uint32_t j = 0; j < r->n; j++) {
    r->x_out[j] = r->x[j] * (1.0 + (j % 2 == 0 ? 4.0 : -4.0) * DBL_EPSILON);
  }
  if (r->n_con == 0 || dae_radau_evaluate(r, 1, &r->t, r->x, &out) != 0) {
    return 0.0;
  }
  r->linsys->ops->project(r->linsys, r->g_out, r->dx_out);
  if (dae_radau_evaluate(r, 1, &r->t, r->x_out, &out) != 0) {
    return 0.0;
  }
  r->linsys->ops->project(r->linsys, r->g_out, r->work);
  for (uint32_t j = 0; j < r->n; j++) {
    r->work[j] -= r->dx_out[j];
  }
  return dae_radau_norm(r, r->work);
}

/* Newton's method at the start of a step; false: something has no value. Where it does not end (a
 * corner of the constraints) the point stays as it is. */
static bool
move_start(DaeRadau *r)
{
  g_autofree double *before = g_memdup2(r->x, sizeof(double) * r->n);
  bool moves = r->n_con > 0;
  double size = 0.0;
  for (int k = 0; k < MOST_MOVES && moves; k++) {
    DaeOut out = {.f = r->f, .g = r->g, .m = r->m};
    if (dae_radau_refresh_jacobian(r, 0.0) != 0 ||
        dae_radau_evaluate(r, 1, &r->t, r->x, &out) != 0) {
      return false;
    }
    r->linsys->ops->project(r->linsys, r->g, r->dx_out);
    size = dae_radau_norm(r, r->dx_out);
    moves = size > SETTLED && move_some_way(r, &size);
  }
  if (size > 1.0) {
    memcpy(r->x, before, sizeof(double) * r->n);
  }
  return true;
}

bool
dae_radau_settle_start(DaeRadau *r)
{
  r->is_settled = true;
  if (!move_start(r)) {
    return false;
  }
  DaeOut out = {.f = r->f, .g = r->g, .m = r->m};
  r->cautious = true;
  if (dae_radau_refresh_jacobian(r, 0.0) != 0 ||
      dae_radau_evaluate(r, 1, &r->t, r->x, &out) != 0) {
    return false;
  }
  if (r->linsys->ops->derivative(r->linsys, r->f, r->gt, r->dx_out)) {
    memcpy(r->xdot, r->dx_out, sizeof(double) * r->n);
  }
  return true;
}
