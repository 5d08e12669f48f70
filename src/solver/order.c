/* Choice among orders 5, 9 and 13 by expected cost per unit of time, and the first of them.
 *
 * With a_k the scaled size of h^k x^(k) / k! an s-stage step has the error estimate C_s
 * a_(s+1). The last two terms that a step knows, a_s (leading coefficient of the collocation
 * polynomial) and a_(s+1) (from its error estimate), give the ratio rho = a_(s+1) / a_s, and by
 * continuing geometrically the error that another order would have had. The step that order
 * could take is also bounded by what Newton's iteration would bear: its rate grows with h. */
#include <math.h>

#include "solver/lanes.h"
#include "solver/radau.h"

/* Work of one step relative to order 5, measured on tests/problems (evaluations, factors,
 * solves together); of large systems, where the factors of one real and (s - 1) / 2 complex
 * systems weigh more, on Fekete's points. */
static const double work_of_step[2][DAE_TABLEAUS] = {{1.0, 1.4, 1.8}, {1.0, 1.7, 2.4}};

#define GAIN_UP 1.2 /* a change must promise this much */
#define GAIN_DOWN 5.0
#define STEPS_BETWEEN 10   /* and the last one be so long ago, */
#define STEPS_UNTROUBLED 5 /* or this while Newton's method does not fail */
#define LARGE 64           /* unknowns */
#define LOOSE 3e-4         /* tolerances above begin with order 5 */
/* recent_failures of Newton's method (ten times their part of the steps, lately) */
#define UNTROUBLED 0.01
#define FAILURES_UP 0.5   /* with more the order does not rise */
#define FAILURES_DOWN 3.0 /* with more at loose tolerances it falls to 5 */
#define STEPS_OF_REST 100 /* there, twice as many after each fall */
#define NEWTON_RATE 0.2   /* contraction rate that a step should not exceed */

/* Order 13 was the fastest or nearly so on all smooth problems measured from tolerance 1e-3
 * down, stiff or not; only where steps are short for other reasons (discontinuities, loose
 * tolerances) a lower order is. */
const DaeTableau *
dae_radau_first_order(const DaeSolverOptions *options)
{
  if (options->order != 0) {
    return dae_solver_tableau(options->order);
  }
  double tolerance = options->rtol > 0.0 ? options->rtol : options->atol;
  return dae_solver_tableau(tolerance > LOOSE ? 5 : 13);
}

/* C_s: estimate of a monomial of degree s + 1. */
static double
error_constant(const DaeTableau *tableau)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < tableau->s; i++) {
    sum += tableau->e[i] * pow(tableau->c[i], tableau->s + 1.0);
  }
  return fabs(sum) / tableau->gamma;
}

/* Inside a step the polynomial is only as good as the error estimate, which is therefore held to the
 * tolerance, whatever the order, also where no output points lie there: steps depend neither on
 * where the points are nor on whether there are any. */
static double
estimate_ratio(const DaeSolverOptions *options, const DaeTableau *tableau)
{
  const double ratio = dae_radau_estimate_ratio(options, tableau);
  double tolerance = options->rtol > 0.0 ? options->rtol : options->atol;
  return fmin(ratio, fmax(1.0, DAE_ESTIMATE_LEAST / tolerance));
}

void
dae_radau_prepare_orders(DaeRadau *r)
{
  for (uint32_t k = 0; k < DAE_TABLEAUS; k++) {
    r->error_constants[k] = error_constant(&dae_solver_tableaus[k]);
    r->estimate_ratios[k] = estimate_ratio(r->options, &dae_solver_tableaus[k]);
  }
}

/* a_s of the step in r->last: norm of the leading coefficient of its polynomial. */
static double
leading_coefficient(DaeRadau *r)
{
  const DaeTableau *tableau = r->last.tableau;
  uint32_t s = tableau->s;
  for (uint32_t j = 0; j < r->n; j++) {
    double sum = 0.0;
    for (uint32_t i = 0; i < s; i++) {
      sum += tableau->lead[i] * r->last.z[(size_t)j * DAE_LANES_OF(s) + i];
    }
    r->work[j] = sum;
  }
  return dae_radau_norm(r, r->work);
}

/* Step that the order of `other` could take after the accepted step h of the current order. */
static double
possible_step(const DaeRadau *r, const DaeTableau *other, double h, double a, double rho)
{
  double degree = (double)other->s - (double)r->tableau->s;
  double error = r->error_constants[dae_tableau_number(other)] * a * pow(rho, degree) /
                 r->estimate_ratios[dae_tableau_number(other)];
  double factor = pow(fmax(error, 1e-12), -1.0 / (other->s + 1.0));
  double newton = NEWTON_RATE / fmax(r->theta, 1e-6);
  double step = 0.9 * h * fmin(factor, fmax(newton, 0.2));
  double most = r->options->max_step > 0.0 ? r->options->max_step : INFINITY;
  return fmin(step, most);
}

static uint32_t
steps_between(const DaeRadau *r)
{
  return r->recent_failures < UNTROUBLED ? STEPS_UNTROUBLED : STEPS_BETWEEN;
}

/* After an accepted step of size h: changes the order if another one promises to be cheaper;
 * returns the step size to go on with. */
double
dae_radau_choose_order(DaeRadau *r, double h, double next)
{
  r->steps_at_order++;
  const bool is_known =
      r->last.tableau != NULL; /* else an event is where the last step began */
  if (r->options->order != 0 || r->steps_at_order < steps_between(r) || r->clipped ||
      !is_known) {
    return next;
  }
  double tolerance = fmax(r->options->rtol, r->options->atol);
  uint32_t now = dae_tableau_number(r->tableau);
  DAE_ASSERT(now < DAE_TABLEAUS);
  if (now > 0 && r->recent_failures > FAILURES_DOWN && tolerance > LOOSE) {
    dae_radau_set_order(r, &dae_solver_tableaus[0]);
    r->rest = MIN(2 * r->rest + STEPS_OF_REST, UINT32_MAX / 4);
    r->steps_at_order = 0;
    r->recent_failures = 0.0;
    return next;
  }
  double a = r->error_norm * r->error_ratio / r->error_constants[now];
  double below = leading_coefficient(r);
  if (!(below > 0.0) || !isfinite(below) || !isfinite(a)) {
    return next;
  }
  double rho = fmin(fmax(a / below, 1e-3), 10.0);
  bool may_rise = r->recent_failures <= FAILURES_UP && r->steps_at_order >= r->rest;
  uint32_t highest = may_rise ? MIN(now + 1, DAE_TABLEAUS - 1) : now;
  const double *work = work_of_step[r->n > LARGE];
  double own = possible_step(r, r->tableau, h, a, rho) / work[now];
  double speed = fmin(own, next / work[now]);
  for (uint32_t k = now == 0 ? 0 : now - 1; k <= highest; k++) {
    const DaeTableau *other = &dae_solver_tableaus[k];
    double step = possible_step(r, other, h, a, rho);
    /* what keeps the next step short, a failure just before, says nothing against the order;
     * small models, whose steps are cheap, are careful nevertheless */
    double needed = k > now ? GAIN_UP * speed : GAIN_DOWN * (r->n > LARGE ? own : speed);
    if (k != now && step / work[k] > needed) {
      dae_radau_set_order(r, other);
      r->steps_at_order = 0;
      return fmin(step, 5.0 * h);
    }
  }
  return next;
}
