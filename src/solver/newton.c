/* Simplified Newton iteration for the stages [HairerWanner96, IV.8],
 * with the constraints inside. */
#include <float.h>
#include <math.h>

#include "solver/lanes.h"
#include "solver/radau.h"

/* An iteration that no longer contracts below this many Newton tolerances (still a small part
 * of the requested one) is taken to be at the round-off of an ill-conditioned problem;
 * shorter steps would not help. */
#define STAGNATION 30.0

/* With x' the guess of the first stages is right to first order, and what the second correction
 * adds is no multiple of what the first one left: below this rate, and unless it is as small as
 * that of a linear system, only the third one tells. */
#define MOST_AT_BEGINNING 10.0

/* Two corrections are no proof of a better contraction than this. */
#define BEST_RATE 8e-3

/* A second correction below this part of the first one, which was not small, may come from a
 * Jacobian of another place: an exponential that is not there any more makes it so large that
 * every residual looks small. The third one tells. */
#define INCREDIBLE_RATE 1e-5
#define REFUTED_RATE 0.3

/* Part of what constraints leave open, nearly all, by which a correction that did nothing changes it,
 * and what of them may be rounding, in tolerances. */
#define IDLE 0.1
#define IDLE_FROM 1e-2

/* Iterations more where the factors of a shorter step cost as much as many of them. */
#define MORE_WHEN_LARGE 8

/* With constant steps a shorter step is no way out: patience is. */
static uint32_t
most_iterations(const DaeRadau *r)
{
  uint32_t most = 7 + 2 * (r->tableau->s - 3);
  most += r->n > DAE_LARGE_FROM ? MORE_WHEN_LARGE : 0;
  return r->options->step > 0.0 ? 60 : most;
}

/* Unknown with the largest scaled correction, for the report of a failure. */
static void
note_worst_unknown(DaeRadau *r)
{
  uint32_t s = r->tableau->s;
  uint32_t lanes = DAE_LANES_OF(s);
  double worst = -1.0;
  for (uint32_t j = 0; j < r->n; j++) {
    for (uint32_t i = 0; i < s; i++) {
      double size = fabs(r->delta[(size_t)j * lanes + i]) / r->weight[j];
      if (size > worst || !isfinite(size)) {
        worst = size;
        r->worst_unknown = j;
      }
    }
  }
}

static void
note_worst_row(DaeRadau *r, double h)
{
  uint32_t lanes = DAE_LANES_OF(r->tableau->s);
  double worst = -1.0;
  for (uint32_t e = 0; e < r->n_diff * lanes; e++) {
    double size = fabs(r->residual[e]) * h;
    if (size > worst || !isfinite(size)) {
      worst = size;
      r->worst_row = e / lanes;
    }
  }
  for (uint32_t e = 0; e < r->n_con * lanes; e++) {
    double size = fabs(r->gs[e]) / r->linsys->row_scale[e / lanes];
    if (size > worst || !isfinite(size)) {
      worst = size;
      r->worst_row = r->n_diff + e / lanes;
    }
  }
}

/* Corrections that no longer shrink and are tiny against the largest unknown come
 * from rounding in the evaluation. */
static bool
correction_is_round_off(const DaeRadau *r)
{
  uint32_t s = r->tableau->s;
  uint32_t lanes = DAE_LANES_OF(s);
  double largest = 0.0;
  double correction = 0.0;
  for (uint32_t j = 0; j < r->n; j++) {
    largest = fmax(largest, fabs(r->x[j]));
    for (uint32_t i = 0; i < s; i++) {
      correction = fmax(correction, fabs(r->delta[(size_t)j * lanes + i]));
    }
  }
  return correction <= 64.0 * DBL_EPSILON * largest;
}

static DaeNewtonStatus
give_up(DaeRadau *r, double h, DaeNewtonStatus status)
{
  note_worst_unknown(r);
  note_worst_row(r, h);
  return status;
}

typedef struct {
  double tolerance; /* to be reached */
  double floor;     /* below it corrections come from rounding of the largest unknown */
  double before, rate_before; /* 0: none yet */
  uint32_t most;
  bool is_doubted; /* the first rate was too good to be believed */
} Progress;

static Progress
begin(DaeRadau *r)
{
  Progress p = {.most = most_iterations(r)};
  for (uint32_t j = 0; j < r->n; j++) {
    double size = 4.0 * DBL_EPSILON * fabs(r->x[j]) * r->inverse_weight[j];
    p.floor = size > p.floor ? size : p.floor;
  }
  p.tolerance = fmax(fmax(r->newton_tolerance, p.floor), r->noise);
  r->faccon = pow(fmax(r->faccon, DBL_EPSILON), 0.8);
  r->theta = fabs(r->theta);
  r->suggested_factor = 0.5;
  return p;
}

/* Does the iteration stand still at round-off? */
static bool
is_at_round_off(const DaeRadau *r, const Progress *p, double norm, double rate)
{
  if (rate >= 0.5 && norm <= STAGNATION * r->newton_tolerance &&
      (r->iterations > 2 || r->rejected)) {
    return true;
  }
  return rate >= 0.3 && (norm <= 100.0 * p->floor || correction_is_round_off(r));
}

/* Linear systems converge so fast too, down to rounding; the Jacobian at the start of the step is
 * that of a consistent point. Only once in a step: behind it an ill-conditioned one may have no
 * better Jacobian. */
static bool
is_incredible(const DaeRadau *r, const Progress *p, double norm, double rate)
{
  return r->iterations == 2 && rate < INCREDIBLE_RATE && p->before > 10.0 * p->tolerance &&
         norm > 100.0 * p->floor && (r->jacobian_is_ahead || !r->jacobian_is_fresh) &&
         r->failures == 0;
}

typedef enum { GOES_ON, IS_DONE, IS_DIVERGING, IS_SLOW } Prospect;

/* From the second iteration on: what two corrections tell about the rest
 * [HairerWanner96, IV.8, eq. 8.10]. */
static Prospect
judge(DaeRadau *r, Progress *p, double norm)
{
  double rate = norm / p->before;
  const bool begins = r->first && r->jacobian_is_fresh;
  if (begins && r->iterations == 2 && norm > p->tolerance && rate > BEST_RATE &&
      rate < MOST_AT_BEGINNING) {
    return GOES_ON;
  }
  if (p->is_doubted && rate > REFUTED_RATE && norm > 10.0 * p->floor) {
    r->theta = 1.0;
    return IS_DIVERGING;
  }
  p->is_doubted = is_incredible(r, p, norm, rate);
  r->theta = p->rate_before == 0.0 ? rate : sqrt(rate * p->rate_before);
  p->rate_before = rate;
  if (is_at_round_off(r, p, norm, rate)) {
    r->theta = fmin(r->theta, 0.5); /* no news about the contraction */
    return IS_DONE;
  }
  if (r->theta >= 0.99 && norm > p->tolerance) {
    return IS_DIVERGING;
  }
  double believed = fmax(r->theta, BEST_RATE);
  r->faccon = believed < 0.99 ? believed / (1.0 - believed) : 1.0;
  double left = (double)(p->most - r->iterations);
  double expected = r->faccon * norm * pow(r->theta, left) / p->tolerance;
  if (expected >= 1.0) {
    double q = fmax(1e-4, fmin(20.0, expected));
    r->suggested_factor = 0.8 * pow(q, -1.0 / (4.0 + left));
    return IS_SLOW;
  }
  return GOES_ON;
}

static double
left_open(const DaeRadau *r)
{
  const size_t count = (size_t)r->n_con * DAE_LANES_OF(r->tableau->s);
  double largest = 0.0;
  for (size_t e = 0; e < count; e++) {
    largest = fabs(r->gs[e]) > largest ? fabs(r->gs[e]) : largest;
  }
  return largest;
}

static bool
leaves_much_open(const DaeRadau *r)
{
  return left_open(r) > IDLE_FROM * fmax(r->options->rtol, r->options->atol);
}

/* The first correction is small enough, with a Jacobian from far away: that may be so large that
 * corrections are small whatever the equations say. Do the constraints tell a difference? */
static DaeNewtonStatus
look_at_first_correction(DaeRadau *r, double h)
{
  const double before = left_open(r);
  const int code = dae_radau_stage_residuals(r, h);
  if (code != 0) {
    return code > 0 ? DAE_NEWTON_DOMAIN : DAE_NEWTON_FATAL;
  }
  const bool is_idle = fabs(left_open(r) - before) < IDLE * before && leaves_much_open(r);
  return is_idle ? give_up(r, h, DAE_NEWTON_DIVERGED) : DAE_NEWTON_CONVERGED;
}

DaeNewtonStatus
dae_radau_newton(DaeRadau *r, double h)
{
  Progress p = begin(r);
  for (r->iterations = 1; r->iterations <= p.most; r->iterations++) {
    int code = dae_radau_stage_residuals(r, h);
    if (code != 0) {
      return code > 0 ? DAE_NEWTON_DOMAIN : DAE_NEWTON_FATAL;
    }
    r->linsys->ops->stages(r->linsys, r->tableau, h, r->residual, r->gs, r->delta);
    r->stats.newton_iterations++;
    r->stats.back_substitutions++;
    double norm = dae_radau_stage_norm(r, r->delta);
    r->last_norm = norm;
    if (!isfinite(norm)) {
      return give_up(r, h, DAE_NEWTON_DIVERGED);
    }
    Prospect prospect = r->iterations > 1 ? judge(r, &p, norm) : GOES_ON;
    if (prospect == IS_DONE) {
      return r->jacobian_is_far && leaves_much_open(r) ? give_up(r, h, DAE_NEWTON_DIVERGED)
                                                       : DAE_NEWTON_CONVERGED;
    }
    if (prospect != GOES_ON) {
      return give_up(r, h, prospect == IS_SLOW ? DAE_NEWTON_SLOW : DAE_NEWTON_DIVERGED);
    }
    p.before = fmax(norm, DBL_MIN);
    dae_radau_correct_stages(r);
    if (r->faccon * norm <= p.tolerance && !p.is_doubted) {
      return r->jacobian_is_far && r->iterations == 1 ? look_at_first_correction(r, h)
                                                      : DAE_NEWTON_CONVERGED;
    }
  }
  return give_up(r, h, DAE_NEWTON_SLOW);
}
