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
/* There: along such a slope an unknown would move by so many times its size in the run. */
#define WITHOUT_BOUND 1e4
#define CONTRACTION 0.3
/* Of Newton's method, above which the stages are looked at as well as the end of a step. */
#define STRAINED 0.1
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
put_matrices(DaeRadau *r, DaeBranch *branch, double t, const double *x)
{
  DaeJac jac = {.gx = r->gx_out, .m = r->work_m};
  r->stats.jacobian_evaluations++;
  if (r->ev->jac(r->ev->self, r->scratch, t, x, r->xdot, &jac) != 0) {
    return false;
  }
  dae_branch_put(branch, r->work_m, r->gx_out);
  return true;
}

static void
take_branch(DaeRadau *r, DaeBranch *branch, double t, const double *x)
{
  if (branch != NULL && put_matrices(r, branch, t, x)) {
    dae_branch_is_same(branch);
    dae_branch_keep(branch);
  }
}

void
dae_radau_take_branch(DaeRadau *r, double t, const double *x)
{
  take_branch(r, r->branch, t, x);
  take_branch(r, r->determined, t, x);
}

static bool
has_sign_of(DaeRadau *r, DaeBranch *branch, double t, const double *x)
{
  return branch == NULL || (put_matrices(r, branch, t, x) && dae_branch_is_same(branch));
}

bool
dae_radau_has_sign_of_branch(DaeRadau *r, double t, const double *x)
{
  return has_sign_of(r, r->branch, t, x) && has_sign_of(r, r->determined, t, x);
}

void
dae_radau_save_branch(DaeRadau *r)
{
  dae_branch_save(r->branch);
  if (r->determined != NULL) {
    dae_branch_save(r->determined);
  }
}

void
dae_radau_restore_branch(DaeRadau *r)
{
  dae_branch_restore(r->branch);
  if (r->determined != NULL) {
    dae_branch_restore(r->determined);
  }
}

void
dae_radau_begin_branch(DaeRadau *r)
{
  DaeBranch *branches[] = {r->branch, r->determined};
  dae_radau_forget_turn(r);
  dae_radau_forget_way(r);
  for (size_t i = 0; i < G_N_ELEMENTS(branches); i++) {
    if (branches[i] != NULL) {
      dae_branch_forget(branches[i]);
      take_branch(r, branches[i], r->t, r->x);
    }
  }
}

/* Do the signs change by time alone, with x as it was? Then the equations are linear in what
 * changes, and no other branch is near: (t - 1) z = sin(t - 1). */
static bool
changes_by_time(DaeRadau *r, DaeBranch *branch)
{
  return put_matrices(r, branch, r->t, r->last.x) && !dae_branch_is_same(branch);
}

/* Is the bordered matrix worth a look? Where Newton's method contracts, the matrix at the solution
 * has the sign of its Jacobian, but what contracts well as a whole may hide a constraint that
 * turned. */
static bool
is_suspicious(const DaeRadau *r, const DaeBranch *branch)
{
  return dae_branch_is_square(branch) || r->iterations < 2 || r->theta > CONTRACTION ||
         dae_branch_rows_turn(branch);
}

/* Do the constraints turn continuously along the polynomial of the step, by more than a right
 * angle in the whole but never at once? On the way between two branches they vanish instead. */
static bool
turns_continuously(DaeRadau *r, DaeBranch *branch)
{
  if (dae_branch_is_square(branch)) {
    return false;
  }
  dae_radau_close_dense(r, DAE_DENSE_READY);
  dae_branch_save(branch);
  bool good = true;
  for (int k = 1; k <= PARTS && good; k++) {
    double t = r->last.t + (r->t - r->last.t) * k / PARTS;
    dae_collocation_value(&r->last, r->n, t, r->work);
    good =
        put_matrices(r, branch, t, k == PARTS ? r->x : r->work) && dae_branch_is_same(branch);
    if (good) {
      dae_branch_keep(branch);
    }
  }
  if (!good) {
    dae_branch_restore(branch);
  }
  return good;
}

/* The unknown with the largest slope at the start of the step just made, if it is beyond all
 * bounds; UINT32_MAX: none is. The slopes are those of the equations: the polynomial's have the
 * errors that the tolerance allows, and as much more as the step is short. */
static uint32_t
find_steep(DaeRadau *r)
{
  const double span = r->options->t_stop - r->options->t_start;
  const double now = r->t;
  g_autofree double *here = g_memdup2(r->x, sizeof(double) * r->n);
  g_autofree double *slopes = g_new0(double, (size_t)r->n + 1);
  DaeOut out = {.f = r->f, .g = r->g, .m = r->m};
  memcpy(r->x, r->last.x, sizeof(double) * r->n);
  r->t = r->last.t;
  bool has_slopes = dae_radau_refresh_jacobian(r, 0.0) == 0 &&
                    dae_radau_evaluate(r, 1, &r->t, r->x, &out) == 0 &&
                    r->linsys->ops->derivative(r->linsys, r->f, r->gt, slopes);
  r->t = now;
  memcpy(r->x, here, sizeof(double) * r->n);
  dae_radau_refresh_jacobian(r, 0.0);
  r->refreshed = true;
  double most = WITHOUT_BOUND;
  uint32_t steepest = UINT32_MAX;
  for (uint32_t j = 0; j < r->n && has_slopes; j++) {
    const double steepness = fabs(slopes[j]) * span / fmax(r->nominal[j], r->largest[j]);
    steepest = steepness > most ? j : steepest;
    most = fmax(most, steepness);
  }
  return steepest;
}

/* Where signs change even in the shortest step the solution itself is singular. With slopes that
 * grow without bound it ends there: x*x' = -1/2 from x(0) = 1 is sqrt(1 - t), and what is behind
 * t = 1 are solutions that run into the same point. */
static void
meet_singular_point(DaeRadau *r, DaeBranch *branch)
{
  const uint32_t steepest = find_steep(r);
  if (steepest != UINT32_MAX) {
    r->has_ended = true;
    r->worst_unknown = steepest;
    r->worst_row = UINT32_MAX;
    return;
  }
  if (r->stats.branch_points++ == 0) {
    r->stats.first_branch_point = r->t;
  }
  take_branch(r, branch, r->t, r->x);
}

/* Can the step just made hardly be made shorter? */
static bool
is_shortest(const DaeRadau *r)
{
  const double rounding = DBL_EPSILON * fmax(fabs(r->t), fabs(r->options->t_stop));
  return r->t - r->last.t <= fmax(SHORTEST * rounding, 16.0 * dae_radau_smallest_step(r));
}

/* Do the stages of a step have the signs of its start? Two changes are none at its end. Newton's
 * method contracts badly where the matrix has changed so much. */
static bool
stages_stay_on(DaeRadau *r, DaeBranch *branch)
{
  const DaeTableau *tableau = r->last.tableau;
  bool same = true;
  if (!dae_branch_is_square(branch) || r->last_is_explicit || !(r->theta > STRAINED)) {
    return true;
  }
  for (uint32_t k = 0; k + 1 < tableau->s && same; k++) {
    const double t = r->last.t + tableau->c[k] * r->last.h;
    dae_collocation_value(&r->last, r->n, t, r->work);
    same = !dae_branch_look(branch, r->scratch, t, r->work) || dae_branch_is_same(branch);
  }
  return same;
}

/* Does a guard leave its side in the step? Then it is the event that tells how to go on: where
 * a tank is empty its temperature is open. */
static bool
guard_changes(const DaeRadau *r)
{
  if (r->guards == NULL || r->guards->n == 0) {
    return false;
  }
  g_autofree double *values = g_new0(double, r->guards->n);
  r->guards->values(r->guards->user, 1, &r->t, r->x, values);
  for (uint32_t i = 0; i < r->guards->n; i++) {
    if (r->guards->side[i] * values[i] < 0.0) {
      return true;
    }
  }
  return false;
}

static bool
stays_on(DaeRadau *r, DaeBranch *branch)
{
  if (branch != NULL && !stages_stay_on(r, branch) && !is_shortest(r)) {
    return guard_changes(r);
  }
  if (branch == NULL || (!dae_branch_look(branch, r->scratch, r->t, r->x) &&
                         !put_matrices(r, branch, r->t, r->x))) {
    return true;
  }
  if (!is_suspicious(r, branch) || dae_branch_is_same(branch)) {
    dae_branch_keep(branch);
    return true;
  }
  if (turns_continuously(r, branch) || guard_changes(r)) {
    return true;
  }
  if (changes_by_time(r, branch)) {
    take_branch(r, branch, r->t, r->x);
    return true;
  }
  if (!is_shortest(r)) {
    return false;
  }
  meet_singular_point(r, branch);
  return true;
}

bool
dae_radau_stays_on_branch(DaeRadau *r)
{
  for (uint32_t j = 0; j < r->n && (r->branch != NULL || r->determined != NULL); j++) {
    r->largest[j] = fmax(r->largest[j], fabs(r->last.x[j]));
  }
  return stays_on(r, r->determined) && stays_on(r, r->branch);
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
