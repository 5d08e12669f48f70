/* The solution's own poles: between fixed steps, and at the end of a run.
 *
 * A method with a fixed step goes on behind a pole (x' = x^2) as if nothing had been: implicit
 * ones take another root of their equation, explicit ones large values. Near a pole a step ends
 * far from where its slope leads; that is cheap to see, but so do steps from rest and fast
 * transients. Where it is seen, radau goes the same way from the point before with steps of its
 * own choice: it stops in front of a pole, with slopes that grow without bound.
 *
 * Where a solution ends (branch.h: x*x' = -1/2, a fold of the constraints) they go on as well, and
 * what they find there need not be far away: a sign of [M; G] that changes is looked at, too.
 *
 * The step before the one that misses is up to two steps away from the pole (BDF3 for x' = x^2
 * has no solution from x = 11/(12 h) on, and x lags behind), so the look goes three steps far. */
#include "solver/pole.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* A step that misses its slope's end by this part of the largest value so far is looked at. */
#define FAR 0.25
/* One that ends this far from radau's point went somewhere else. */
#define ELSEWHERE 0.6
/* The same for explicit methods, whose errors grow beyond their limit of stability. */
#define ELSEWHERE_EXPLICIT 0.2
/* Two branches are further apart than this part of the largest value. */
#define APART 1e-3
/* Values below this part of the nominal ones are noise. */
#define NOISE 1e-9
/* In front of a pole: a step along the slope would multiply the values by this. */
#define WITHOUT_BOUND 1e4
#define TOLERANCE 1e-4
#define STEPS_AHEAD 3.0
/* Steps of radau: in one look, and in all of them beyond those for each step of the run. */
#define LOOK_MOST 400
#define LOOKS_FREE 4000
#define LOOKS_PER_STEP 2

static double
nominal_of(const DaeFixed *run, uint32_t j)
{
  return run->options->nominal != NULL ? fabs(run->options->nominal[j]) : 1.0;
}

/* The unknown whose step is furthest from the slopes at its ends, in units of its largest value;
 * UINT32_MAX: none is far. */
static uint32_t
find_far_step(DaeFixed *run)
{
  const DaeStepper *s = run->stepper;
  const double *now = s->x[run->place];
  const double *before = s->x[run->place + 1];
  const double *slope = s->slope[run->place];
  const double *slope_before = s->slope[run->place + 1];
  uint32_t worst = UINT32_MAX;
  double most = FAR;
  for (uint32_t j = 0; j < s->plan->n; j++) {
    run->largest[j] = fmax(run->largest[j], fmax(fabs(now[j]), fabs(before[j])));
    if (!s->plan->is_algebraic[j]) {
      const double least = NOISE * nominal_of(run, j);
      const double change = now[j] - before[j];
      const double miss =
          fmax(fabs(change - run->h * slope_before[j]), fabs(change - run->h * slope[j])) /
          fmax(run->largest[j], least);
      worst = miss > most ? j : worst;
      most = fmax(most, miss);
    }
  }
  return worst;
}

/* The unknown with a slope beyond all bounds; UINT32_MAX: none. */
static uint32_t
find_unbounded(const DaeFixed *run, const double *x, const double *xdot)
{
  uint32_t worst = UINT32_MAX;
  double most = WITHOUT_BOUND;
  for (uint32_t j = 0; j < run->stepper->plan->n; j++) {
    const double scale = fmax(run->largest[j], fabs(x[j]));
    const double growth = run->h * fabs(xdot[j]) / fmax(scale, NOISE * nominal_of(run, j));
    if (!run->stepper->plan->is_algebraic[j] && growth > most) {
      worst = j;
      most = growth;
    }
  }
  return worst;
}

void
dae_fixed_begin_branch(DaeFixed *run)
{
  const DaeEvaluator *ev = run->evaluator;
  g_autofree double *nominal = g_new0(double, (size_t)ev->n + 1);
  for (uint32_t j = 0; j < ev->n; j++) {
    nominal[j] = nominal_of(run, j);
  }
  run->branch = ev->n_diff + ev->n_con == ev->n ? dae_branch_new(ev, nominal)
                                                : dae_branch_new_determined(ev, nominal);
  if (run->branch != NULL) {
    run->branch_m = g_new0(double, (size_t)ev->mass.row_start[ev->n_diff] + 1);
    run->branch_gx = g_new0(double, (size_t)ev->constraint.row_start[ev->n_con] + 1);
  }
}

/* Is a sign of [M; G] at this point another one than those that were kept? */
static bool
signs_differ(DaeFixed *run, double t, const double *x)
{
  const DaeStepper *s = run->stepper;
  if (run->branch == NULL) {
    return false;
  }
  if (!dae_branch_look(run->branch, s->scratch, t, x)) {
    DaeJac jac = {.gx = run->branch_gx, .m = run->branch_m};
    if (run->evaluator->jac(run->evaluator->self, s->scratch, t, x, s->slope[run->place],
                            &jac) != 0) {
      return false;
    }
    dae_branch_put(run->branch, run->branch_m, run->branch_gx);
  }
  return !dae_branch_is_same(run->branch);
}

static bool
guards_stay(DaeFixed *run, const DaeRoots *roots, double t, const double *x)
{
  if (roots == NULL || roots->n == 0) {
    return true;
  }
  return dae_fixed_n_crossed(run, roots, t, x) == 0;
}

/* The step ended elsewhere than radau, which met its end. */
static void
compare(DaeFixed *run, uint32_t j, const double *x)
{
  const double gap = fabs(x[j] - run->stepper->x[run->place][j]);
  const double most = dae_stepper_uses_slopes(run->stepper) ? ELSEWHERE_EXPLICIT : ELSEWHERE;
  if (gap > most * fmax(run->largest[j], fabs(x[j]))) {
    DaeSolverStats *stats = &run->result.stats;
    if (stats->coarse_steps++ == 0) {
      stats->first_coarse_step = dae_fixed_t(run) - run->h;
      stats->coarse_unknown = j;
    }
  }
}

/* Is the end of the step so far from radau's point that they may be on different branches? The sign
 * alone says nothing at the very point where both pass through zero. */
static bool
is_apart(const DaeFixed *run, const double *x)
{
  const double *there = run->stepper->x[run->place];
  for (uint32_t j = 0; j < run->stepper->plan->n; j++) {
    if (fabs(x[j] - there[j]) > APART * fmax(run->largest[j], NOISE * nominal_of(run, j))) {
      return true;
    }
  }
  return false;
}

static bool
is_stuck(DaeSolverStatus status)
{
  return status == DAE_SOLVER_STEP_TOO_SMALL || status == DAE_SOLVER_NEWTON_FAILED ||
         status == DAE_SOLVER_DOMAIN || status == DAE_SOLVER_SINGULAR;
}

/* Radau from the point before the step to t_end; DAE_SOLVER_UNBOUNDED, DAE_SOLVER_ENDS: it met a
 * pole or the end of the solution, the unknown and the time are then in the run. crosses: the step
 * changed a sign of [M; G], so that what radau cannot pass is an end. */
static DaeSolverStatus
follow(DaeFixed *run, DaeIntegrator *it, double t_end, const DaeRoots *roots, uint32_t far,
       bool crosses)
{
  const double t_step = dae_fixed_t(run);
  const uint32_t n = run->stepper->plan->n;
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  bool stays = true;
  while (status == DAE_SOLVER_COMPLETED && stays && dae_integrator_t(it) < t_end) {
    DaeStop stop;
    const double t = dae_integrator_t(it);
    status =
        dae_integrator_step(it, t < t_step && t_step < t_end ? t_step : t_end, NULL, &stop);
    run->n_looked++;
    stays = guards_stay(run, roots, dae_integrator_t(it), dae_integrator_x(it));
    const bool meets =
        status == DAE_SOLVER_COMPLETED && t < t_step && dae_integrator_t(it) >= t_step;
    if (meets && crosses && is_apart(run, dae_integrator_x(it)) &&
        !signs_differ(run, t_step, dae_integrator_x(it))) {
      run->unbounded = far;
      return DAE_SOLVER_LEFT_BRANCH;
    }
    if (meets && far != UINT32_MAX) {
      compare(run, far, dae_integrator_x(it));
    }
  }
  const double t = dae_integrator_t(it);
  if (status == DAE_SOLVER_ENDS || (crosses && is_stuck(status) && t < t_step)) {
    DaeSolverResult result;
    dae_integrator_result(it, &result);
    run->unbounded = result.worst_unknown < n ? result.worst_unknown : UINT32_MAX;
    run->result.stats.t = t;
    return DAE_SOLVER_ENDS;
  }
  if (!is_stuck(status)) {
    return DAE_SOLVER_COMPLETED;
  }
  g_autofree double *x = g_new0(double, (size_t)n + 1);
  g_autofree double *xdot = g_new0(double, (size_t)n + 1);
  dae_integrator_value(it, t, x, xdot);
  run->unbounded = find_unbounded(run, x, xdot);
  if (run->unbounded == UINT32_MAX) {
    return DAE_SOLVER_COMPLETED;
  }
  run->result.stats.t = t;
  return DAE_SOLVER_UNBOUNDED;
}

/* Radau goes the step that looks odd, and a little further. */
static DaeSolverStatus
look_at_step(DaeFixed *run, double t_end, const DaeRoots *roots, uint32_t far, bool crosses)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.t_start = dae_fixed_t(run) - run->h;
  options.t_stop = t_end;
  options.rtol = options.atol = TOLERANCE;
  options.nominal = run->options->nominal;
  options.segment = run->segment != NULL ? run->segment : run->options->segment;
  options.max_steps = LOOK_MOST;
  options.is_stopped = run->options->is_stopped;
  options.stop_user = run->options->stop_user;
  DaeSolverStatus status;
  DaeIntegrator *it =
      dae_integrator_new(run->evaluator, &options, run->stepper->x[run->place + 1], &status);
  if (status == DAE_SOLVER_COMPLETED) {
    status = follow(run, it, t_end, roots, far, crosses);
  } else {
    /* nothing solves the equations even before the step */
    status = crosses ? DAE_SOLVER_ENDS : DAE_SOLVER_COMPLETED;
  }
  dae_integrator_free(it);
  return status;
}

DaeSolverStatus
dae_fixed_look_for_pole(DaeFixed *run, double limit, const DaeRoots *roots)
{
  const uint32_t far = find_far_step(run);
  const bool crosses = signs_differ(run, dae_fixed_t(run), dae_fixed_x(run));
  const double begin = dae_fixed_t(run) - run->h;
  const double t_end = fmin(fmin(begin + STEPS_AHEAD * run->h, limit), run->options->t_stop);
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  if ((far != UINT32_MAX || crosses) && t_end > begin &&
      run->n_looked <= LOOKS_FREE + LOOKS_PER_STEP * run->step) {
    status = look_at_step(run, t_end, roots, far, crosses);
  }
  if (status == DAE_SOLVER_COMPLETED && run->branch != NULL) {
    signs_differ(run, dae_fixed_t(run), dae_fixed_x(run));
    dae_branch_keep(run->branch);
  }
  return status;
}

/* ---- the end of a run ----------------------------------------------------------------------- */

/* Errors of the relative tolerance, made early, move a pole by this many tolerances of the span. */
#define REACH 10.0
/* ... but by no more than this part of the span, or the tolerance itself */
#define LONGEST_REACH 0.1
/* A pole that looks further away than this many times the reach is not looked for. Steps shorter than
 * a part of that do not tell, nor do steps longer than a part of the reach. */
#define FURTHER 2.0
#define UNSEEN 2e-3
#define COARSE 0.2

/* Growth of unknown j along its slope within the time given, in units of its value. */
static double
growth_of(const DaeRadau *r, uint32_t j, const double *x, const double *xdot, double time)
{
  const double scale = fmax(fabs(x[j]), fabs(r->nominal[j]));
  return x[j] * xdot[j] > 0.0 ? time * fabs(xdot[j]) / scale : 0.0;
}

/* The unknown that grows most, beyond `factor`; UINT32_MAX: none. */
static uint32_t
find_growing(const DaeRadau *r, const double *x, const double *xdot, double time, double factor)
{
  uint32_t worst = UINT32_MAX;
  double most = factor;
  for (uint32_t j = 0; j < r->n; j++) {
    const double growth = growth_of(r, j, x, xdot, time);
    if (growth > most) {
      worst = j;
      most = growth;
    }
  }
  return worst;
}

/* May a pole within `reach` be what unknown j runs into? In front of x = c (t_p - t)^-q, q/(t_p - t) is
 * the slope in units of the value, so that over the last step ln x changed by ln(1 + u)/u times what
 * the slope at its end says, with u = h/(t_p - t): the less, the nearer the pole. Steps too short to
 * show it, or so long that what they show is past, do not count. */
static bool
bends_to_pole(const DaeRadau *r, uint32_t j, double reach)
{
  const double h = r->last.h;
  const double u = h / (FURTHER * reach);
  if (r->last.tableau == NULL || !(u > UNSEEN) || h > COARSE * reach) {
    return true;
  }
  const double ratio = r->x[j] / r->last.x[j];
  return ratio > 0.0 && log(ratio) <= h * r->xdot[j] / r->x[j] * log1p(u) / u;
}

/* Does something grow as it would in front of a pole within `reach`? */
static bool
may_meet_pole(const DaeRadau *r, double reach)
{
  for (uint32_t j = 0; j < r->n; j++) {
    if (growth_of(r, j, r->x, r->xdot, reach) > 1.0 && bends_to_pole(r, j, reach)) {
      return true;
    }
  }
  return false;
}

/* Keeps of `growing` (n) what still grows beyond its value in this time; false: nothing does. */
static bool
keep_growing(const DaeRadau *r, const double *x, const double *xdot, double time, bool *growing)
{
  bool any = false;
  for (uint32_t j = 0; j < r->n; j++) {
    growing[j] = growing[j] && growth_of(r, j, x, xdot, time) > 1.0;
    any = any || growing[j];
  }
  return any;
}

/* Goes on to t_end, or until no unknown has grown all the way. What runs into a pole does: in front of
 * that of x' = x^p, t_p behind, x'/x is 1/((p - 1) (t_p - t)), so that its product with the time left
 * increases. What swings does not, and at loose tolerances the way is as long as the run. x (2 n):
 * room for a point and its slopes. */
static DaeSolverStatus
follow_growing(const DaeRadau *r, DaeIntegrator *it, double t_end, double *x)
{
  g_autofree bool *growing = g_new(bool, (size_t)r->n + 1);
  memset(growing, true, sizeof(bool) * r->n);
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  bool any = keep_growing(r, r->x, r->xdot, t_end - r->t, growing);
  while (status == DAE_SOLVER_COMPLETED && any && dae_integrator_t(it) < t_end) {
    DaeStop stop;
    status = dae_integrator_step(it, t_end, NULL, &stop);
    const double t = dae_integrator_t(it);
    dae_integrator_value(it, t, x, x + r->n);
    any = keep_growing(r, x, x + r->n, t_end - t, growing);
  }
  return status;
}

DaeSolverStatus
dae_radau_look_behind_end(DaeRadau *r, const DaeEvaluator *evaluator)
{
  const DaeSolverOptions *given = r->options;
  const double part = fmin(REACH * given->rtol, fmax(LONGEST_REACH, given->rtol));
  const double reach = part * (given->t_stop - given->t_start);
  if (given->is_look || given->step > 0.0 || r->t < given->t_stop || r->h > reach ||
      !may_meet_pole(r, reach)) {
    return DAE_SOLVER_COMPLETED;
  }
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.is_look = true;
  options.t_start = r->t;
  options.t_stop = r->t + reach;
  options.rtol = options.atol = TOLERANCE;
  options.nominal = given->nominal;
  options.segment = r->segment != NULL ? r->segment : given->segment;
  options.max_steps = LOOK_MOST;
  options.is_stopped = given->is_stopped;
  options.stop_user = given->stop_user;
  DaeSolverStatus status;
  DaeIntegrator *it = dae_integrator_new(evaluator, &options, r->x, &status);
  g_autofree double *x = g_new0(double, 2 * (size_t)r->n + 1);
  if (status == DAE_SOLVER_COMPLETED) {
    status = follow_growing(r, it, options.t_stop, x);
  }
  uint32_t unknown = UINT32_MAX;
  if (status == DAE_SOLVER_STEP_TOO_SMALL || status == DAE_SOLVER_NEWTON_FAILED) {
    dae_integrator_value(it, dae_integrator_t(it), x, x + r->n);
    unknown = find_growing(r, x, x + r->n, reach, WITHOUT_BOUND);
  }
  dae_integrator_free(it);
  if (unknown == UINT32_MAX) {
    return DAE_SOLVER_COMPLETED;
  }
  r->worst_unknown = unknown;
  r->worst_row = UINT32_MAX;
  return DAE_SOLVER_UNBOUNDED;
}
