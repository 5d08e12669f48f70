/* When steps are explicit: at the start where the run is short beside the fastest motion, and later
 * on where steps of radau do not pass over it; not any more where stability, not accuracy, limits
 * them [HairerWanner96, IV.2]. All tests count, none looks at a clock. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/radau.h"

/* Order 5 above this tolerance, order 8 below. */
#define LOOSE 2e-3
/* Below this radau's order 13 pays. */
#define TIGHT 1e-9
/* Steps on the bound of stability that a run may take. */
#define MOST_ON_BOUND 3000.0
/* Steps on the bound before the method is left, steps off it that clear them. */
#define STIFF_STEPS 8u
#define LOOSE_STEPS 6u
/* Iterations of the power method; steps of radau between looks. */
#define ITERATIONS 5
#define LOOK_EVERY 12u
/* h |lambda| of radau's steps below which an explicit method is faster. */
#define SLOW 4.0
#define REST_FIRST 50u

static double
norm_of(const DaeRadau *r, const double *v)
{
  const DaeSolved *form = r->erk->form;
  double sum = 0.0;
  for (uint32_t q = 0; q < form->n_y; q++) {
    const double size = v[q] / r->weight[form->y[q]];
    sum += size * size;
  }
  return sqrt(sum / form->n_y);
}

/* Slope at y + factor v into `slope`. */
static bool
slope_beside(DaeRadau *r, const double *v, double factor, double *slope)
{
  DaeErk *e = r->erk;
  for (uint32_t q = 0; q < e->form->n_y; q++) {
    e->x[e->form->y[q]] = r->x[e->form->y[q]] + factor * v[q];
  }
  r->stats.rhs_evaluations++;
  return dae_erk_slope(e, r->t, false, slope) == 0;
}

/* Size of the largest eigenvalue by the power method on differences of slopes; negative: there are
 * no values. The vectors are stages that no step uses now. */
static double
estimate_spectrum(DaeRadau *r)
{
  DaeErk *e = r->erk;
  const uint32_t n = e->form->n_y;
  double *base = e->k + (size_t)n * 2;
  double *v = e->k + (size_t)n * 3;
  double *w = e->k + (size_t)n * 4;
  if (!slope_beside(r, r->weight, 0.0, base)) {
    return -1.0;
  }
  for (uint32_t q = 0; q < n; q++) {
    const double weight = r->weight[e->form->y[q]];
    v[q] = base[q] + (q % 2 == 0 ? 1.0 : -1.0) * weight * 1e-3 * norm_of(r, base) +
           (q % 2 == 0 ? weight : -weight);
  }
  double largest = 0.0;
  for (int k = 0; k < ITERATIONS; k++) {
    const double size = norm_of(r, v);
    /* a part of the tolerance, but well above rounding */
    const double factor = 1e-2 / size;
    if (!(size > 0.0) || !isfinite(size) || !slope_beside(r, v, factor, w)) {
      return -1.0;
    }
    for (uint32_t q = 0; q < n; q++) {
      v[q] = w[q] - base[q];
    }
    largest = k > 0 ? fmax(largest, norm_of(r, v) / 1e-2) : 0.0;
  }
  return isfinite(largest) ? largest : -1.0;
}

/* A first step after which an Euler step would have an error far below the tolerance
 * [HairerNorsettWanner93, II.4]. 0: no values. */
static double
first_size(DaeRadau *r)
{
  DaeErk *e = r->erk;
  const uint32_t n = e->form->n_y;
  double *base = e->k;
  double *other = e->k + n;
  if (!slope_beside(r, r->weight, 0.0, base)) {
    return 0.0;
  }
  for (uint32_t q = 0; q < n; q++) {
    other[q] = r->x[e->form->y[q]];
  }
  const double size = norm_of(r, other);
  const double speed = norm_of(r, base);
  const double left = r->options->t_stop - r->t;
  double h = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  h = fmin(h, left);
  if (!slope_beside(r, base, h, other)) {
    return h;
  }
  for (uint32_t q = 0; q < n; q++) {
    other[q] -= base[q];
  }
  const double change = fmax(norm_of(r, other) / h, speed);
  const double next =
      change <= 1e-15 ? fmax(1e-6, h * 1e-3) : pow(0.01 / change, 1.0 / r->pair->order);
  return fmin(fmin(100.0 * h, next), left);
}

static bool
may_be_explicit(const DaeRadau *r)
{
  const DaeSolverOptions *options = r->options;
  const double tolerance = options->rtol > 0.0 ? options->rtol : options->atol;
  return r->erk != NULL && options->explicit_use != DAE_EXPLICIT_NEVER &&
         (options->explicit_use == DAE_EXPLICIT_ONLY || tolerance >= TIGHT);
}

static void
enter_explicit(DaeRadau *r)
{
  const double tolerance = r->options->rtol > 0.0 ? r->options->rtol : r->options->atol;
  r->pair = &dae_erk_tableaus[tolerance > LOOSE ? 0 : 1];
  r->is_explicit = true;
  r->leaves_explicit = false;
  r->explicit_error = 0.0;
  r->explicit_rejected = 0;
  r->stiff_steps = r->loose_steps = 0;
  r->erk->has_begun = false;
}

void
dae_radau_begin_explicit(DaeRadau *r)
{
  const bool is_start = r->stats.steps_accepted == 0 && r->restarts == 0;
  const bool was_explicit = r->is_explicit;
  r->is_explicit = false;
  if (!may_be_explicit(r) || !(is_start || was_explicit)) {
    return;
  }
  r->erk->masses_are_known = false;
  if (is_start && r->options->explicit_use == DAE_EXPLICIT_AUTO) {
    r->spectrum = estimate_spectrum(r);
    const double left = r->options->t_stop - r->t;
    if (r->spectrum < 0.0 || r->spectrum * left > 3.0 * MOST_ON_BOUND) {
      return;
    }
  }
  enter_explicit(r);
  if (is_start && !(r->options->initial_step > 0.0)) {
    const double h = first_size(r);
    r->h = h > 0.0 ? h : r->h;
  }
}

DaeSolverStatus
dae_radau_leave_explicit(DaeRadau *r)
{
  dae_radau_close_dense(r, true);
  r->is_explicit = false;
  r->explicit_rest = r->explicit_rest == 0 ? REST_FIRST : MIN(2 * r->explicit_rest, 1u << 20);
  r->steps_at_radau = 0;
  r->stats.method_changes++;
  dae_radau_set_order(r, r->tableau);
  const int code = dae_radau_refresh_jacobian(r, 0.0);
  DaeOut out = {.f = r->f, .g = r->g, .m = r->m};
  if (code != 0 || dae_radau_evaluate(r, 1, &r->t, r->x, &out) != 0) {
    return code > 0 && code < 1000 ? DAE_SOLVER_DOMAIN : DAE_SOLVER_SINGULAR;
  }
  if (r->linsys->ops->derivative(r->linsys, r->f, r->gt, r->dx_out)) {
    memcpy(r->xdot, r->dx_out, sizeof(double) * r->n);
  }
  return DAE_SOLVER_COMPLETED;
}

bool
dae_radau_explicit_is_stiff(DaeRadau *r, double h)
{
  DaeErk *e = r->erk;
  const uint32_t n = e->form->n_y;
  const uint32_t s = r->pair->s;
  double slopes = 0.0;
  double way = 0.0;
  for (uint32_t q = 0; q < n; q++) {
    const uint32_t j = e->form->y[q];
    const double change =
        (e->k[(size_t)s * n + q] - e->k[(size_t)(s - 1) * n + q]) * r->inverse_weight[j];
    const double step = (e->x[j] - e->y_late[q]) * r->inverse_weight[j];
    slopes += change * change;
    way += step * step;
  }
  if (!(way > 0.0) || r->options->explicit_use == DAE_EXPLICIT_ONLY) {
    return false;
  }
  if (h * sqrt(slopes / way) > r->pair->bound) {
    r->stiff_steps++;
    r->loose_steps = 0;
  } else if (++r->loose_steps >= LOOSE_STEPS) {
    r->stiff_steps = 0;
  }
  return r->stiff_steps >= STIFF_STEPS;
}

void
dae_radau_look_for_explicit(DaeRadau *r)
{
  r->steps_at_radau++;
  if (!may_be_explicit(r) || r->steps_at_radau < r->explicit_rest ||
      r->steps_at_radau % LOOK_EVERY != 0 || r->first || r->clipped) {
    return;
  }
  r->erk->masses_are_known = false;
  r->spectrum = estimate_spectrum(r);
  if (r->spectrum < 0.0 || r->spectrum * r->h > SLOW) {
    return;
  }
  enter_explicit(r);
  r->stats.method_changes++;
}
