/* One step of the implicit Euler method with Newton's full iteration, where the stages of radau
 * are not to be had.
 *
 * At a point where [M; G] is singular but M/h - K, G is not (the flow q*abs(q) = h1 - h2 between
 * equal levels, which begins like a square root or ends in finite time) a simplified iteration
 * fails, and the shorter the step the worse its Jacobian is. The step is as long as the
 * difference to two half ones stays far below the tolerance, or below what a double root leaves
 * of the digits: half of them.
 *
 * Unknowns without a derivative may jump where a condition that makes no event changes: the
 * enthalpy of m*(if m > 0 then h - 1 else 2 - h) = 0 is 1 before and 2 behind m = 0, and open at
 * it. The shortest step that ends behind such a point leads on. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "numeric/numeric.h"
#include "solver/lanes.h"
#include "solver/radau.h"

/* Part of the tolerance that the difference to two half steps may have. */
#define ERROR_PART 0.1
/* Over half the step a value that moves continuously changes by less of what it changes over the
 * whole: by 0.7 of it like a square root. */
#define JUMP 0.9
/* Errors of a point near a singular one, in units of the tolerance. */
#define MOST_ERROR 100.0
/* Longer than the longest step of the run by at most this: a step of another order of magnitude
 * would end on another root of its equations (Robertson's reactions with a tolerance far above y2,
 * stopped at 0.007 s, went on with a step of 1000 s to y2 < 0). */
#define LONGER 10.0
/* Sizes that are tried, each a tenth of the one before. */
#define SIZES 14
/* Such steps in a row: then the trouble is another one. */
#define MOST_IN_A_ROW 50
/* A step over a jump is no longer than this part of the run, and need be no shorter than that; the
 * shorter it is, the less Newton's tolerance tells about what is behind it. */
#define LONGEST_LEAP 1e-7
#define SHORT_LEAP 1e-10
#define SHORTEST_LEAP 1e-11

typedef struct {
  DaeRadau *r;
  double t, h;
  const double *from;       /* x at the start */
  uint32_t *start, *column; /* pattern of M/h - K; G */
  uint32_t *m_place, *k_place;
  double *x, *slope, *m, *k, *f; /* at an iterate */
} Euler;

static int
euler_residual(const void *self, void *scratch, const double *change, double *residual)
{
  const Euler *e = self;
  DaeRadau *r = e->r;
  const DaePattern *mass = &r->ev->mass;
  (void)scratch;
  for (uint32_t j = 0; j < r->n; j++) {
    e->x[j] = e->from[j] + change[j];
  }
  DaeOut out = {.f = e->f, .g = residual + r->n_diff, .m = e->m};
  double end = e->t + e->h;
  int code = dae_radau_evaluate(r, 1, &end, e->x, &out);
  for (uint32_t i = 0; i < r->n_diff && code == 0; i++) {
    double sum = -e->f[i];
    for (uint32_t k = mass->row_start[i]; k < mass->row_start[i + 1]; k++) {
      sum += e->m[k] * change[mass->column[k]] / e->h;
    }
    residual[i] = sum;
  }
  return code;
}

static int
euler_jacobian(const void *self, void *scratch, const double *change, double *values)
{
  const Euler *e = self;
  DaeRadau *r = e->r;
  const uint32_t n_mass = r->ev->mass.row_start[r->n_diff];
  const uint32_t n_k = r->ev->dynamics.row_start[r->n_diff];
  (void)scratch;
  for (uint32_t j = 0; j < r->n; j++) {
    e->x[j] = e->from[j] + change[j];
    e->slope[j] = change[j] / e->h;
  }
  DaeJac jac = {.k = e->k, .gx = values + e->start[r->n_diff], .m = e->m};
  r->stats.jacobian_evaluations++;
  int code = r->ev->jac(r->ev->self, r->scratch, e->t + e->h, e->x, e->slope, &jac);
  memset(values, 0, sizeof(double) * e->start[r->n_diff]);
  for (uint32_t k = 0; k < n_mass; k++) {
    values[e->m_place[k]] += e->m[k] / e->h;
  }
  for (uint32_t k = 0; k < n_k; k++) {
    values[e->k_place[k]] -= e->k[k];
  }
  return code;
}

/* Rows of M and K joined, then those of G. */
static void
join_patterns(Euler *e)
{
  const DaeEvaluator *ev = e->r->ev;
  const DaePattern *mass = &ev->mass;
  const DaePattern *dynamics = &ev->dynamics;
  const DaePattern *g = &ev->constraint;
  uint32_t at = 0;
  for (uint32_t i = 0; i < ev->n_diff; i++) {
    uint32_t p = mass->row_start[i];
    uint32_t q = dynamics->row_start[i];
    e->start[i] = at;
    while (p < mass->row_start[i + 1] || q < dynamics->row_start[i + 1]) {
      uint32_t in_m = p < mass->row_start[i + 1] ? mass->column[p] : UINT32_MAX;
      uint32_t in_k = q < dynamics->row_start[i + 1] ? dynamics->column[q] : UINT32_MAX;
      e->column[at] = MIN(in_m, in_k);
      if (in_m <= in_k) {
        e->m_place[p++] = at;
      }
      if (in_k <= in_m) {
        e->k_place[q++] = at;
      }
      at++;
    }
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    e->start[ev->n_diff + i] = at;
    for (uint32_t k = g->row_start[i]; k < g->row_start[i + 1]; k++) {
      e->column[at++] = g->column[k];
    }
  }
  e->start[ev->n_diff + ev->n_con] = at;
}

/* x := the value after a step of size h from `from` at t; false: no solution found. The guess is
 * `from` itself, and then where the slopes of the last point lead: the Jacobian may be regular
 * behind a singular point only. */
static bool
euler_solve(Euler *e, double t, double h, const double *from, double *x)
{
  DaeRadau *r = e->r;
  const uint32_t rows = r->n_diff + r->n_con;
  g_autofree double *change = g_new0(double, r->n + 1);
  e->t = t;
  e->h = h;
  e->from = from;
  DaeRootProblem problem = {.n = r->n,
                            .m = rows,
                            .pattern = {rows, r->n, e->start, e->column},
                            .self = e,
                            .residual = euler_residual,
                            .jacobian = euler_jacobian};
  DaeRootResult result = dae_numeric_solve(&problem, r->weight, 1e-12, change);
  if (!result.converged) {
    for (uint32_t j = 0; j < r->n; j++) {
      change[j] = h * r->xdot[j];
    }
    result = dae_numeric_solve(&problem, r->weight, 1e-12, change);
  }
  for (uint32_t j = 0; j < r->n; j++) {
    x[j] = from[j] + change[j];
  }
  return result.converged;
}

/* Is a condition that makes no event at its switch: does the way that the solution goes lead over
 * it within h? Conditions that the unknowns change by jumping do not count. */
static bool
is_at_switch(const DaeRadau *r, double h)
{
  const DaeConditions *conditions = r->options->conditions;
  if (conditions == NULL) {
    return false;
  }
  g_autofree double *here = g_new0(double, conditions->n + 1);
  g_autofree double *there = g_new0(double, conditions->n + 1);
  g_autofree double *x = g_new0(double, r->n + 1);
  const double end = r->t + h;
  for (uint32_t j = 0; j < r->n; j++) {
    x[j] = r->x[j] + h * r->xdot[j];
  }
  if (!conditions->values(conditions->user, 1, &r->t, r->x, here) ||
      !conditions->values(conditions->user, 1, &end, x, there)) {
    return false;
  }
  for (uint32_t i = 0; i < conditions->n; i++) {
    if (there[i] != here[i] && fabs(here[i]) <= fabs(there[i] - here[i])) {
      return true;
    }
  }
  return false;
}

typedef enum { IS_BAD, IS_GOOD, LEAPS } StepKind;

/* A step of size h, and two half ones. */
static StepKind
judge_step(Euler *e, double h, const bool *has_slope, double *x, double *half, double *two)
{
  DaeRadau *r = e->r;
  if (!euler_solve(e, r->t, h, r->x, x) || !euler_solve(e, r->t, 0.5 * h, r->x, half) ||
      !euler_solve(e, r->t + 0.5 * h, 0.5 * h, half, two)) {
    return IS_BAD;
  }
  /* a start is what it is; within a run the point before has an error */
  double allowed = r->first ? 1.0 : MOST_ERROR;
  double worst = 0.0;
  bool jumps = false;
  bool leaps = false;
  for (uint32_t j = 0; j < r->n; j++) {
    double change = fabs(x[j] - r->x[j]);
    double floor = 4.0 * sqrt(DBL_EPSILON) * (r->nominal[j] + fabs(r->x[j]));
    double difference = fmax(fabs(x[j] - two[j]) - floor, 0.0);
    worst = fmax(worst, difference * r->inverse_weight[j]);
    if (change > allowed * r->weight[j] && fabs(half[j] - r->x[j]) > JUMP * change) {
      jumps = jumps || has_slope[j];
      leaps = true;
    }
  }
  if (worst > ERROR_PART || jumps) {
    return IS_BAD;
  }
  return !leaps ? IS_GOOD : is_at_switch(r, h) ? LEAPS : IS_BAD;
}

/* The longest step that is good enough, or the shortest over a jump; x is then the value at its
 * end. 0: none. */
static double
find_step(Euler *e, double *x, bool *leaps)
{
  DaeRadau *r = e->r;
  g_autofree double *try = g_new0(double, r->n + 1);
  g_autofree double *half = g_new0(double, r->n + 1);
  g_autofree double *two = g_new0(double, r->n + 1);
  g_autofree bool *has_slope = g_new0(bool, r->n + 1);
  for (uint32_t k = 0; k < r->ev->mass.row_start[r->n_diff]; k++) {
    has_slope[r->ev->mass.column[k]] = true;
  }
  const double span = r->options->t_stop - r->options->t_start;
  const double rest = r->limit - r->t; /* however short: what comes next begins at its end */
  const double most = r->first ? 1e-2 * span : fmin(1e-2 * span, LONGER * r->longest);
  double h = fmin(rest, most);
  double leap = 0.0;
  for (int k = 0; k < SIZES && (h == rest || h > 64.0 * dae_radau_smallest_step(r));
       k++, h *= 0.1) {
    StepKind kind = judge_step(e, h, has_slope, try, half, two);
    if (kind == IS_GOOD && (leap == 0.0 || h > SHORT_LEAP * span)) {
      memcpy(x, try, sizeof(double) * r->n);
      return h;
    }
    if (kind == LEAPS && h <= LONGEST_LEAP * span && h >= SHORTEST_LEAP * span) {
      memcpy(x, try, sizeof(double) * r->n);
      leap = h;
    }
    if (leap > 0.0 && h <= SHORT_LEAP * span) {
      break;
    }
  }
  *leaps = leap > 0.0;
  return leap;
}

static void
euler_clear(Euler *e)
{
  void *all[] = {e->start, e->column, e->m_place, e->k_place, e->x, e->slope, e->m, e->k, e->f};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
}

/* The step becomes the last one, its polynomial a straight line. */
static void
take_step(DaeRadau *r, double h, const double *x)
{
  const uint32_t s = r->tableau->s;
  const uint32_t lanes = DAE_LANES_OF(s);
  r->dense = DAE_DENSE_READY;
  r->last_is_explicit = false;
  r->last.tableau = r->tableau;
  r->last.t = r->t;
  r->last.h = h;
  memcpy(r->last.x, r->x, sizeof(double) * r->n);
  for (uint32_t j = 0; j < r->n; j++) {
    double change = x[j] - r->x[j];
    for (uint32_t i = 0; i < s; i++) {
      r->last.z[(size_t)j * lanes + i] = r->tableau->c[i] * change;
    }
    r->xdot[j] = change / h;
    r->x[j] = x[j];
  }
  r->t = r->limit - (r->t + h) < dae_radau_smallest_step(r) ? r->limit : r->t + h;
  r->h = h;
}

/* The unknown that goes farthest is told. */
static void
note_leap(DaeRadau *r, const double *x)
{
  double most = -1.0;
  if (r->stats.leaps++ > 0) {
    return;
  }
  r->stats.first_leap = r->t;
  for (uint32_t j = 0; j < r->n; j++) {
    double change = fabs(x[j] - r->x[j]) * r->inverse_weight[j];
    if (change > most) {
      most = change;
      r->stats.leaping_unknown = j;
    }
  }
}

bool
dae_radau_euler_step(DaeRadau *r)
{
  if (r->options->step > 0.0 || r->euler_in_a_row >= MOST_IN_A_ROW) {
    return false;
  }
  const DaeEvaluator *ev = r->ev;
  const uint32_t n_mass = ev->mass.row_start[ev->n_diff];
  const uint32_t n_k = ev->dynamics.row_start[ev->n_diff];
  const uint32_t n_g = ev->constraint.row_start[ev->n_con];
  Euler e = {.r = r,
             .start = g_new0(uint32_t, ev->n_diff + ev->n_con + 1),
             .column = g_new0(uint32_t, n_mass + n_k + n_g + 1),
             .m_place = g_new0(uint32_t, n_mass + 1),
             .k_place = g_new0(uint32_t, n_k + 1),
             .x = g_new0(double, ev->n + 1),
             .slope = g_new0(double, ev->n + 1),
             .m = g_new0(double, n_mass + 1),
             .k = g_new0(double, n_k + 1),
             .f = g_new0(double, ev->n_diff + 1)};
  join_patterns(&e);
  g_autofree double *x = g_new0(double, ev->n + 1);
  bool leaps = false;
  double h = find_step(&e, x, &leaps);
  euler_clear(&e);
  if (leaps) {
    note_leap(r, x);
  } else if (h > 0.0 && r->stats.singular_steps++ == 0) {
    r->stats.first_singular_step = r->t;
  }
  if (h > 0.0) {
    take_step(r, h, x);
  }
  return h > 0.0;
}
