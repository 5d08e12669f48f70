/* Singular points of a solution that a step passed and shorter ones do not reach.
 *
 * Where the determinant of the equations changes its sign within a step, the step may have left its
 * branch, so it is made again, shorter (radau_branch.c). At a singular point of the solution
 * itself (two of three angles say the same when the one between them is a right angle) that
 * does not lead on: the nearer a step ends to the point, the less its unknowns are determined,
 * and the derivatives of those that are hardly determined are rounding errors over the distance to
 * the power of their order. The step that passed the point from afar had no such trouble.
 *
 * That first step is kept, and taken where the shorter ones have failed, if its polynomial is seen
 * to be the solution on all of its length:
 *  - the sign changes at one place t* only, and no condition changes its value;
 *  - what turns there has derivatives, so that it goes on with the speed that it has;
 *  - on both sides of t*, at distances that halve, the constraints (hidden ones among them)
 *    hold at points within the tolerance of the polynomial, so that both sides are solutions and
 *    meet: where there is none for a while, or another one, there is no such point;
 *  - at t* itself they hold at a point nearer to the polynomial by far, so that the point
 *    where the determinant vanishes is one of the solution and not beside it (x^2 = (t - 1)^2 +
 *    1e-12 has no such point; its two branches do not meet).
 * The solution goes on as smoothly as a polynomial; that others may begin there is told. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "numeric/numeric.h"
#include "solver/lanes.h"
#include "solver/radau.h"

/* Places of the step at which the sign is looked at. */
#define PARTS 16
/* Halvings of the place where it changes, and of the distances from it at which the constraints
 * are looked at. */
#define BISECTIONS 40
#define DISTANCES 6
/* Residuals of the constraints, relative to their terms. */
#define ROUNDING 1e-12
/* How far such a point may be, in tolerances; and at the singular point, in nominal values: its
 * square is far below the rounding of a constraint. */
#define NEAR 1.0
#define AT_POINT 1e-7

typedef struct {
  DaeRadau *r;
  double t;
} Constraints;

static int
constraint_residual(const void *self, void *scratch, const double *x, double *residual)
{
  const Constraints *c = self;
  (void)scratch;
  DaeOut out = {.g = residual};
  return dae_radau_evaluate(c->r, 1, &c->t, x, &out);
}

static int
constraint_jacobian(const void *self, void *scratch, const double *x, double *values)
{
  const Constraints *c = self;
  DaeRadau *r = c->r;
  (void)scratch;
  DaeJac jac = {.gx = values, .m = r->work_m};
  r->stats.jacobian_evaluations++;
  return r->ev->jac(r->ev->self, r->scratch, c->t, x, r->xdot, &jac);
}

void
dae_radau_forget_turn(DaeRadau *r)
{
  r->turn.is_set = false;
}

void
dae_radau_free_turn(DaeRadau *r)
{
  g_free(r->turn.step.x);
  g_free(r->turn.step.z);
  g_free(r->turn.x);
}

static void
make_room(DaeRadau *r)
{
  DaeTurn *turn = &r->turn;
  if (turn->x == NULL) {
    turn->x = g_new0(double, r->n + 1);
    turn->step.x = g_new0(double, r->n + 1);
    turn->step.z = g_new0(double, (size_t)r->n *DAE_LANES_MAX + 1);
  }
}

void
dae_radau_keep_turn(DaeRadau *r)
{
  DaeTurn *turn = &r->turn;
  const bool is_within = turn->is_set && r->last.t < turn->end;
  if (is_within || r->last_is_explicit || r->options->step > 0.0 || r->n > DAE_TURN_UNKNOWNS) {
    return;
  }
  make_room(r);
  const uint32_t lanes = DAE_LANES_OF(r->last.tableau->s);
  turn->step.tableau = r->last.tableau;
  turn->step.t = r->last.t;
  turn->step.h = r->last.h;
  memcpy(turn->step.x, r->last.x, sizeof(double) * r->n);
  memcpy(turn->step.z, r->last.z, sizeof(double) * r->n * lanes);
  memcpy(turn->x, r->x, sizeof(double) * r->n);
  turn->end = r->t;
  turn->is_set = true;
}

void
dae_radau_set_turn(DaeRadau *r, const DaeTableau *tableau, const DaeWaypoint *from, double end,
                   const double *z)
{
  DaeTurn *turn = &r->turn;
  const uint32_t lanes = DAE_LANES_OF(tableau->s);
  make_room(r);
  turn->step.tableau = tableau;
  turn->step.t = from->t;
  turn->step.h = end - from->t;
  turn->end = end;
  turn->is_set = true;
  memcpy(turn->step.x, from->x, sizeof(double) * r->n);
  memset(turn->step.z, 0, sizeof(double) * r->n * lanes);
  for (uint32_t j = 0; j < r->n; j++) {
    for (uint32_t i = 0; i < tableau->s; i++) {
      turn->step.z[(size_t)j * lanes + i] = z[(size_t)i * r->n + j];
    }
    turn->x[j] = from->x[j] + z[(size_t)(tableau->s - 1) * r->n + j];
  }
}

/* Does the sign at t differ from that at the start of the step? */
static bool
is_turned(DaeRadau *r, double t)
{
  dae_collocation_value(&r->turn.step, r->n, t, r->work);
  return !dae_radau_has_sign_of_branch(r, t, r->work);
}

/* The one place of the step where the sign changes; NAN: there are more, or none. */
static double
singular_time(DaeRadau *r)
{
  const DaeCollocation *step = &r->turn.step;
  double left = step->t;
  double right = NAN;
  dae_radau_take_branch(r, step->t, step->x);
  for (int k = 1; k <= PARTS; k++) {
    const double t = step->t + (r->turn.end - step->t) * k / PARTS;
    if (is_turned(r, t)) {
      right = isnan(right) ? t : right;
    } else if (!isnan(right)) {
      return NAN;
    } else {
      left = t;
    }
  }
  for (int k = 0; k < BISECTIONS && !isnan(right); k++) {
    const double middle = 0.5 * (left + right);
    *(is_turned(r, middle) ? &right : &left) = middle;
  }
  return right;
}

/* How far from the polynomial the constraints hold, in units of `unit`; INFINITY: nowhere. */
static double
distance_to_solution(DaeRadau *r, double t, const double *unit)
{
  g_autofree double *x = g_new0(double, r->n + 1);
  g_autofree double *on_step = g_new0(double, r->n + 1);
  Constraints constraints = {r, t};
  const DaeRootProblem problem = {.n = r->n,
                                  .m = r->n_con,
                                  .pattern = r->ev->constraint,
                                  .self = &constraints,
                                  .residual = constraint_residual,
                                  .jacobian = constraint_jacobian};
  dae_collocation_value(&r->turn.step, r->n, t, on_step);
  memcpy(x, on_step, sizeof(double) * r->n);
  if (!dae_numeric_solve(&problem, r->nominal, ROUNDING, x).converged) {
    return INFINITY;
  }
  double most = 0.0;
  for (uint32_t j = 0; j < r->n; j++) {
    most = fmax(most, fabs(x[j] - on_step[j]) / unit[j]);
  }
  return most;
}

/* Does a condition that makes no event have another value somewhere on the step than at its
 * start? */
static bool
conditions_change(DaeRadau *r)
{
  const DaeConditions *conditions = r->options->conditions;
  if (conditions == NULL) {
    return false;
  }
  g_autofree double *first = g_new0(double, conditions->n + 1);
  g_autofree double *here = g_new0(double, conditions->n + 1);
  const DaeCollocation *step = &r->turn.step;
  for (int k = 0; k <= PARTS; k++) {
    const double t = step->t + (r->turn.end - step->t) * k / PARTS;
    double *values = k == 0 ? first : here;
    dae_collocation_value(step, r->n, t, r->work);
    if (!conditions->values(conditions->user, 1, &t, r->work, values)) {
      return true;
    }
    for (uint32_t i = 0; i < conditions->n && k > 0; i++) {
      if ((here[i] < 0.0) != (first[i] < 0.0)) {
        return true;
      }
    }
  }
  return false;
}

/* Is what turns within the step something that moves? Of two roots of an equation without
 * derivatives either may be the one behind the point where they meet. */
static bool
turns_with_speed(DaeRadau *r)
{
  return is_turned(r, r->turn.end) && dae_branch_turns_with_speed(r->branch);
}

static bool
is_solution(DaeRadau *r)
{
  const double at = singular_time(r);
  const double begin = r->turn.step.t;
  if (isnan(at) || !turns_with_speed(r) || conditions_change(r) ||
      !(distance_to_solution(r, at, r->nominal) <= AT_POINT)) {
    return false;
  }
  for (int k = 0; k < DISTANCES; k++) {
    const double part = ldexp(1.0, -k);
    if (!(distance_to_solution(r, at - part * (at - begin), r->weight) <= NEAR) ||
        !(distance_to_solution(r, at + part * (r->turn.end - at), r->weight) <= NEAR)) {
      return false;
    }
  }
  if (r->stats.branch_points++ == 0) {
    r->stats.first_branch_point = at;
  }
  return true;
}

/* What is left of the kept step from the current point becomes the last step. */
static void
take_rest(DaeRadau *r)
{
  const DaeCollocation *step = &r->turn.step;
  const uint32_t s = step->tableau->s;
  const uint32_t lanes = DAE_LANES_OF(s);
  const double h = r->turn.end - r->t;
  dae_collocation_value(step, r->n, r->t, r->last.x);
  dae_collocation_derivative(step, r->n, r->t, r->xdot_old);
  memset(r->last.z, 0, sizeof(double) * r->n * lanes);
  for (uint32_t i = 0; i < s; i++) {
    if (i + 1 < s) {
      dae_collocation_value(step, r->n, r->t + step->tableau->c[i] * h, r->work);
    } else {
      memcpy(r->work, r->turn.x, sizeof(double) * r->n);
    }
    for (uint32_t j = 0; j < r->n; j++) {
      r->last.z[(size_t)j * lanes + i] = r->work[j] - r->last.x[j];
    }
  }
  r->last.tableau = step->tableau;
  r->last.t = r->t;
  r->last.h = h;
  r->dense = DAE_DENSE_READY;
  r->last_is_explicit = false;
  dae_collocation_derivative(step, r->n, r->turn.end, r->xdot);
  memcpy(r->x, r->turn.x, sizeof(double) * r->n);
  r->t = r->turn.end;
  r->h = step->h;
}

bool
dae_radau_pass_turn(DaeRadau *r)
{
  DaeTurn *turn = &r->turn;
  if (r->branch == NULL || !turn->is_set || r->t < turn->step.t || r->t >= turn->end ||
      turn->end > r->limit) {
    return false;
  }
  turn->is_set = false;
  dae_radau_save_branch(r);
  if (!is_solution(r)) {
    dae_radau_restore_branch(r);
    return false;
  }
  take_rest(r);
  return true;
}
