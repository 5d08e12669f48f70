/* Is the polynomial of a step as good inside as its error estimate says?
 *
 * The estimate (gamma/h M - K)^-1 (f + M sum e_i z_i / h) hardly sees what is stiff: an unknown that
 * is held at a given function of time has no error at the ends of steps, however long they are, and
 * a polynomial through their nodes that has little to do with the function between them. There its
 * output points, guards and delayed values lie. Where the estimate without its filter,
 * h/gamma (x' + sum e_i z_i / h), allows for an error, the equations are asked between the nodes:
 * with the defect d = f - M p' of the polynomial p the error of p is about (gamma/h M - K)^-1 d. */
#include <math.h>
#include <string.h>

#include "solver/lanes.h"
#include "solver/radau.h"

/* Where the estimate without its filter is below this many tolerances, so is the polynomial: the
 * error of interpolation is a few times smaller. */
#define PLAIN_ENOUGH 1.0
/* An estimate that is so much smaller than the last known term of the polynomial is filtered, or an
 * accident: either says nothing. */
#define SUSPICIOUS 0.02
/* Places between nodes that are looked at. */
#define PLACES 2u

/* Tolerances that the polynomial may be off. */
static double
allowed_inside(const DaeRadau *r)
{
  const double tolerance = fmax(r->options->rtol, r->options->atol);
  return fmax(1.0, DAE_ESTIMATE_LEAST / tolerance);
}

/* Norm of v over the unknowns that have a derivative: the others are solved for wherever they are
 * asked for. */
static double
moving_norm(const DaeRadau *r, const double *v)
{
  double sum = 0.0;
  for (uint32_t j = 0; j < r->n; j++) {
    const double size = v[j] * r->inverse_weight[j];
    sum += r->moves[j] ? size * size : 0.0;
  }
  return sqrt(sum / fmax(1.0, r->n));
}

/* The estimate without its filter, and what the leading term of the polynomial lets expect: were the
 * next one as large, the estimate would be that. */
static void
plain_estimates(DaeRadau *r, double h, double *plain, double *expected)
{
  const DaeTableau *tableau = r->tableau;
  for (uint32_t j = 0; j < r->n; j++) {
    const double *z = r->z + (size_t)j * DAE_LANES_OF(tableau->s);
    double sum = h * r->xdot[j];
    double leading = 0.0;
    for (uint32_t i = 0; i < tableau->s; i++) {
      sum += tableau->e[i] * z[i];
      leading += tableau->lead[i] * z[i];
    }
    r->work[j] = sum / tableau->gamma;
    r->error[j] = leading;
  }
  *plain = moving_norm(r, r->work);
  *expected = r->error_constants[dae_tableau_number(tableau)] * moving_norm(r, r->error);
}

static bool
is_worth_a_look(DaeRadau *r, double h, double allowed)
{
  double plain = 0.0;
  double expected = 0.0;
  plain_estimates(r, h, &plain, &expected);
  const double filtered = r->error_bare * r->error_ratio;
  return plain > PLAIN_ENOUGH * allowed ||
         (expected > allowed && filtered < SUSPICIOUS * expected);
}

/* Middles of the gaps between nodes where a polynomial through them is farthest off. */
static void
choose_places(const DaeTableau *tableau, double places[PLACES])
{
  double largest[PLACES] = {0.0};
  for (uint32_t k = 0; k < tableau->s; k++) {
    const double middle = 0.5 * (tableau->c[k] + (k > 0 ? tableau->c[k - 1] : 0.0));
    double size = middle;
    for (uint32_t i = 0; i < tableau->s; i++) {
      size *= fabs(middle - tableau->c[i]);
    }
    const uint32_t at = size > largest[0] ? 0 : 1;
    if (at == 0) {
      largest[1] = largest[0];
      places[1] = places[0];
    }
    if (size > largest[at]) {
      largest[at] = size;
      places[at] = middle;
    }
  }
}

/* About how far the polynomial is off there, in tolerances; 0 where the equations have no value. */
static double
error_at(DaeRadau *r, double h, double theta)
{
  const DaePattern *mass = &r->ev->mass;
  const DaeCollocation here = {.tableau = r->tableau, .t = r->t, .h = h, .x = r->x, .z = r->z};
  const double t = r->t + theta * h;
  dae_collocation_value(&here, r->n, t, r->xs);
  dae_collocation_derivative(&here, r->n, t, r->delta);
  DaeOut out = {.f = r->fs, .m = r->work_m};
  if (dae_radau_evaluate(r, 1, &t, r->xs, &out) != 0) {
    return 0.0;
  }
  for (uint32_t row = 0; row < r->n_diff; row++) {
    double sum = r->fs[row];
    for (uint32_t e = mass->row_start[row]; e < mass->row_start[row + 1]; e++) {
      sum -= r->work_m[e] * r->delta[mass->column[e]];
    }
    r->work[row] = sum;
  }
  r->linsys->ops->error(r->linsys, r->work, r->error);
  r->stats.back_substitutions++;
  return moving_norm(r, r->error);
}

double
dae_radau_error_inside(DaeRadau *r, double h)
{
  const double allowed = allowed_inside(r);
  if (!is_worth_a_look(r, h, allowed)) {
    return 0.0;
  }
  double places[PLACES] = {0.5, 0.5};
  choose_places(r->tableau, places);
  double worst = 0.0;
  for (uint32_t k = 0; k < PLACES; k++) {
    const double size = error_at(r, h, places[k]);
    worst = size > worst ? size : worst; /* not a number: no error known */
  }
  return worst / allowed;
}
