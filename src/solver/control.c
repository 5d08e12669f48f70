/* Error estimate and step size [HairerWanner96, IV.8], predictive control
 * [Gustafsson94], tolerances of each order. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/lanes.h"
#include "solver/radau.h"

#define SAFETY 0.9
/* Newton stops when what is left is below this part of the requested tolerance:
 * errors of single steps add up. */
#define NEWTON_TOLERANCE 1e-3
/* Predictive control may divide the step of orders 9 and 13 by this beyond what the error alone
 * asks for: their error terms swing too much from step to step to be extrapolated. */
#define PREDICTED_MOST 1.2
/* A step is at most so many times the one before; of a large model at the start, whose first guess
 * is a careful one, while errors stay below RAMP_ERROR, RAMP_GROWTH times. */
#define GROWTH 8.0
#define RAMP_GROWTH 100.0
#define RAMP_ERROR 1e-4
/* Part of its scale by which an unknown of a large model may change in the first step. */
#define FIRST_CHANGE 0.1
/* Where steps grow and their error does not (a solution that comes to rest), the plain rule lags
 * behind: in a large model the predicted step may be longer than its own by TREND, once that went
 * on for some steps and Newton's method has nothing against it. What oscillates has no such
 * steps. */
#define TREND 2.0
#define STEADY_GROWTH 1.2
#define STEADY_ERROR 2.0
#define STEADY_RATE 0.02
#define STEADY_STEPS 2
/* Steps do not grow so far that Newton would contract slower than this. */
#define NEWTON_RATE 0.2

/* The embedded formula has order s, the method 2s - 1: a bound b on the estimate (in absolute
 * terms) delivers errors in proportion to b^((2s-1)/(s+1)). So that the delivered error follows
 * the requested tolerance linearly, the estimate is compared with factor * tol^((s+1)/(2s-1));
 * the factors were calibrated on tests/problems. */
double
dae_radau_estimate_ratio(const DaeSolverOptions *options, const DaeTableau *tableau)
{
  double tolerance = options->rtol > 0.0 ? options->rtol : options->atol;
  double s = tableau->s;
  double factor = tableau->s == 3 ? 1.2e-2 : 2e-3;
  return factor * pow(tolerance, (s + 1.0) / (2.0 * s - 1.0) - 1.0);
}

void
dae_radau_set_order(DaeRadau *r, const DaeTableau *tableau)
{
  r->tableau = tableau;
  memset(r->w_columns, 0, sizeof r->w_columns);
  for (uint32_t i = 0; i < tableau->s; i++) {
    for (uint32_t j = 0; j < tableau->s; j++) {
      r->w_columns[j][i] = tableau->w[i][j];
    }
  }
  r->factored = false;
  r->masses_are_known = false;
  r->error_ratio = r->estimate_ratios[dae_tableau_number(tableau)];
  r->newton_tolerance = NEWTON_TOLERANCE;
  r->faccon = 1.0;
  r->theta = 1.0;
  r->error_accepted = 0.0;
}

void
dae_radau_set_weights(DaeRadau *r)
{
  for (uint32_t j = 0; j < r->n; j++) {
    double weight = r->options->atol * r->nominal[j] + r->options->rtol * fabs(r->x[j]);
    r->weight[j] = weight > DBL_MIN * 1e20 ? weight : DBL_MIN * 1e20;
    r->inverse_weight[j] = 1.0 / r->weight[j];
  }
}

double
dae_radau_norm(const DaeRadau *r, const double *v)
{
  double sum = 0.0;
  for (uint32_t j = 0; j < r->n; j++) {
    double size = v[j] * r->inverse_weight[j];
    sum += size * size;
  }
  return sqrt(sum / fmax(1.0, r->n));
}

/* work = f + M w with the current M; w is in `delta`, free at this time. */
static void
estimate_right_side(DaeRadau *r, const double *f)
{
  const DaePattern *mass = &r->ev->mass;
  for (uint32_t row = 0; row < r->n_diff; row++) {
    double sum = f[row];
    for (uint32_t e = mass->row_start[row]; e < mass->row_start[row + 1]; e++) {
      sum += r->m[e] * r->delta[mass->column[e]];
    }
    r->work[row] = sum;
  }
}

static void
take_norm(DaeRadau *r)
{
  r->error_bare = dae_radau_norm(r, r->error) / r->error_ratio;
  r->error_norm = fmax(r->error_bare, 1e-10);
}

/* error_norm of the step just solved, in units of what the step may have; > 0
 * when it cannot be evaluated. */
int
dae_radau_estimate_error(DaeRadau *r, double h)
{
  uint32_t s = r->tableau->s;
  uint32_t lanes = DAE_LANES_OF(s);
  double inverse = 1.0 / h;
  for (uint32_t j = 0; j < r->n; j++) {
    double sum = 0.0;
    for (uint32_t i = 0; i < s; i++) {
      sum += r->tableau->e[i] * r->z[(size_t)j * lanes + i];
    }
    r->delta[j] = sum * inverse;
  }
  estimate_right_side(r, r->f);
  r->linsys->ops->error(r->linsys, r->work, r->error);
  r->stats.back_substitutions++;
  take_norm(r);
  if (r->error_norm >= 1.0 && (r->first || r->rejected)) {
    /* a second filter for stiff components at the start and after a rejection (eq. 8.20) */
    for (uint32_t j = 0; j < r->n; j++) {
      r->error[j] += r->x[j];
    }
    DaeOut out = {.f = r->fs};
    int code = dae_radau_evaluate(r, 1, &r->t, r->error, &out);
    if (code == 0) {
      estimate_right_side(r, r->fs);
      r->linsys->ops->error(r->linsys, r->work, r->error);
      r->stats.back_substitutions++;
      take_norm(r);
    } else if (code < 0) {
      return code;
    }
  }
  return isfinite(r->error_norm) ? 0 : 1;
}

/* h over the next step as the last two errors predict it [Gustafsson94]; `quotient` is that of the
 * last one alone. */
static double
predicted_quotient(DaeRadau *r, double h, double quotient)
{
  double error = fmax(1e-2, r->error_norm);
  double predicted = r->h_accepted / h *
                     pow(error * error / r->error_accepted, 1.0 / (r->tableau->s + 1.0)) /
                     SAFETY;
  double bound = r->tableau->s == 3 ? 5.0 : PREDICTED_MOST * quotient;
  bool is_steady = h > STEADY_GROWTH * r->h_accepted && !r->rejected &&
                   r->error_norm < STEADY_ERROR * r->error_accepted &&
                   (r->iterations < 2 || r->theta < STEADY_RATE) && r->linsys->is_sparse;
  r->steady = is_steady ? r->steady + 1 : 0;
  double least = r->steady >= STEADY_STEPS ? quotient / TREND : quotient;
  return fmax(least, fmin(bound, predicted));
}

/* The largest growth of the step after this one; ends the ramp where errors begin to count. */
static double
largest_growth(DaeRadau *r, bool accepted)
{
  r->is_ramping = r->is_ramping && accepted && !r->rejected && r->error_bare < RAMP_ERROR &&
                  r->n > DAE_LARGE_FROM;
  return r->is_ramping ? RAMP_GROWTH : GROWTH;
}

/* Next step size from the error of this one. */
double
dae_radau_next_step(DaeRadau *r, double h, bool accepted)
{
  double order = r->tableau->s + 1.0;
  double most = 7.0 + 2.0 * (r->tableau->s - 3.0);
  double safety =
      fmin(SAFETY, SAFETY * (1.0 + 2.0 * most) / ((double)r->iterations + 2.0 * most));
  double growth = largest_growth(r, accepted);
  double error = r->is_ramping ? fmax(r->error_bare, DBL_MIN) : r->error_norm;
  double quotient = pow(error, 1.0 / order) / safety;
  if (accepted && !r->first && !r->clipped && r->error_accepted > 0.0 && !r->is_ramping) {
    quotient = predicted_quotient(r, h, quotient);
  }
  quotient = fmax(1.0 / growth, fmin(5.0, quotient));
  double next = h / quotient;
  if (accepted && r->iterations > 1) {
    next = fmin(next, h * fmax(NEWTON_RATE / fmax(r->theta, 1e-6), 0.5));
  }
  if (accepted && r->rejected) {
    next = fmin(next, h); /* no growth right after a rejection */
  }
  return next;
}

/* First guess: the change over h is a small part of x and of the tolerance's reach. Every step of
 * a large model costs a factorization, one that is refused no more than one that is too careful:
 * there the change may be a tenth of the scale of the unknown that changes most. */
double
dae_radau_starting_step(DaeRadau *r)
{
  double span = r->options->t_stop - r->options->t_start;
  if (r->options->initial_step > 0.0) {
    return fmin(r->options->initial_step, span);
  }
  double size = 0.0;
  double speed = 0.0;
  for (uint32_t j = 0; j < r->n; j++) {
    double weight =
        r->nominal[j] * r->options->atol / fmax(r->options->rtol, r->options->atol) +
        fabs(r->x[j]);
    size = fmax(size, fabs(r->x[j]) / weight);
    speed = fmax(speed, fabs(r->xdot[j]) / weight);
  }
  double change = r->n > DAE_LARGE_FROM ? FIRST_CHANGE : 0.01 * fmax(size, 1e-3);
  double h = speed > 1e-5 ? change / speed : 1e-3 * span;
  return fmin(h, 1e-2 * span);
}
