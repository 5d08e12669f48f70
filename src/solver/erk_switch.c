/* When steps are explicit: at the start where the run is short beside its fastest motion, and later
 * on where steps of radau do not pass over it; not any more where stability, not accuracy, limits
 * them [HairerWanner96, IV.2]. All tests count, none looks at a clock. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/radau.h"

/* Order 5 above this tolerance, order 8 below: already at 1e-1 it needs a third to two thirds of the
 * steps. */
#define LOOSE 0.5
/* Below this radau's order 13 pays; for models of many unknowns, whose Jacobians cost more than many
 * stages, later; in long runs, which begin with radau, earlier. */
#define TIGHT 5e-7
#define TIGHT_LARGE 5e-8
#define TIGHT_LONG 5e-5
#define LARGE 40u
/* |lambda| times the length of a run that begins with explicit steps: of mechanisms in bench/simulate
 * 10 to 370, of what is stiff there 1200 and more. Below LOOSE_RUN less in a small model, where radau
 * of order 13 gains with each digit: at 1e-6 a sixteenth. */
#define SHORT_RUN 500.0
#define LOOSE_RUN 1e-3
/* Steps on the bound before the method is left, steps off it that clear them. */
#define STIFF_STEPS 8u
#define LOOSE_STEPS 6u
/* Iterations of the power method. */
#define ITERATIONS 5
/* How far from the point they look: a part of the tolerance, but well above rounding */
#define AWAY 1e-2
/* Mean of two eigenvalues over the larger one where motion is over before it has swung: 1/2 for one
 * that is real and negative beside a slow one, 0 for a saddle and for what swings on */
#define DYING 0.45
/* Steps of radau between looks: twice as many after each that found nothing. */
#define LOOK_FIRST 12u
#define LOOK_LAST 200u
/* h |lambda| of a step above which something in the problem is faster than the solution: radau,
 * which passes over it, is then the faster method. Mechanisms that move freely stay below 2. */
#define SLOW 5.5
/* The same in a step of radau: what is as stiff as that becomes so again. */
#define STIFF 50.0
/* Looks in a row at which steps of radau, of about the same size, are shorter than this */
#define STEADY 2.0
#define LOOKS 3u
#define SAME_SIZE 4.0
/* Steps between estimates of |lambda| */
#define ESTIMATE_EVERY 25u
/* Part of a slope, and of a tolerance over the whole run, that two ways to compute it may differ by */
#define SAME_SLOPE 1e-3
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

static double
product_of(const DaeRadau *r, const double *v, const double *w)
{
  const DaeSolved *form = r->erk->form;
  double sum = 0.0;
  for (uint32_t q = 0; q < form->n_y; q++) {
    const double weight = r->weight[form->y[q]];
    sum += v[q] / weight * (w[q] / weight);
  }
  return sum;
}

/* Does the fastest part die away, rather than swing? v, J v and J^2 v of the power method: their best
 * combination J^2 v = p J v + s v has its two eigenvalues, or its one. */
static bool
dies_away(const DaeRadau *r, const double *v, const double *jv, const double *jjv)
{
  const double vv = product_of(r, v, v);
  const double vj = product_of(r, v, jv);
  const double jj = product_of(r, jv, jv);
  const double right[2] = {product_of(r, jv, jjv), product_of(r, v, jjv)};
  const double determinant = jj * vv - vj * vj;
  if (!(determinant > 1e-6 * jj * vv)) {
    return vj < 0.0;
  }
  const double p = (right[0] * vv - right[1] * vj) / determinant;
  const double s = (right[1] * jj - right[0] * vj) / determinant;
  const double discriminant = 0.25 * p * p + s;
  const double fastest = discriminant >= 0.0 ? 0.5 * fabs(p) + sqrt(discriminant) : sqrt(-s);
  return -0.5 * p > DYING * fastest;
}

/* Size of the largest eigenvalue by the power method on differences of slopes; negative: there are
 * no values. Two iterations together tell it: what swings has velocities that are large beside its
 * positions, so that one alone finds |lambda|^2 and the next one 1. The vectors are stages that no
 * step uses now. */
static double
estimate_spectrum(DaeRadau *r)
{
  DaeErk *e = r->erk;
  const uint32_t n = e->form->n_y;
  double *base = e->k + (size_t)n * 2;
  double *v = e->k + (size_t)n * 3;
  double *w = e->k + (size_t)n * 4;
  double *first = e->k + (size_t)n * 5;
  double *second = e->k + (size_t)n * 6;
  if (!slope_beside(r, r->weight, 0.0, base)) {
    return -1.0;
  }
  for (uint32_t q = 0; q < n; q++) {
    const double weight = r->weight[e->form->y[q]];
    v[q] = base[q] + (q % 2 == 0 ? 1.0 : -1.0) * weight * 1e-3 * norm_of(r, base) +
           (q % 2 == 0 ? weight : -weight);
  }
  double largest = 0.0;
  double before = 0.0;
  for (int k = 0; k < ITERATIONS; k++) {
    const double size = norm_of(r, v);
    if (!(size > 0.0) || !isfinite(size) || !slope_beside(r, v, AWAY / size, w)) {
      return -1.0;
    }
    for (uint32_t q = 0; q < n; q++) {
      first[q] = second[q] / size;
      second[q] = v[q] / size;        /* J first */
      v[q] = (w[q] - base[q]) / AWAY; /* J second */
    }
    const double growth = norm_of(r, v);
    largest = k > 0 ? fmax(largest, sqrt(growth * before)) : 0.0;
    before = growth;
  }
  r->dies_away = dies_away(r, first, second, v);
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

static double
tolerance_of(const DaeSolverOptions *options)
{
  return options->rtol > 0.0 ? options->rtol : options->atol;
}

bool
dae_solver_may_be_explicit(const DaeSolverOptions *options)
{
  return options->method == DAE_METHOD_RADAU && !(options->step > 0.0) && options->order == 0 &&
         options->explicit_use != DAE_EXPLICIT_NEVER &&
         (options->explicit_use == DAE_EXPLICIT_ONLY || tolerance_of(options) >= TIGHT_LARGE);
}

static bool
may_be_explicit(const DaeRadau *r)
{
  return r->erk != NULL && !r->form_is_singular &&
         (r->options->explicit_use == DAE_EXPLICIT_ONLY || r->n >= LARGE ||
          tolerance_of(r->options) >= TIGHT);
}

static double
longest_run(const DaeRadau *r)
{
  const double part = fmin(1.0, tolerance_of(r->options) / LOOSE_RUN);
  return r->n < LARGE ? SHORT_RUN * pow(part, 0.4) : SHORT_RUN;
}

/* Does the solved form have the slopes of the whole system at the start? Not where the constraints it
 * has chosen depend on each other, as they may in an over-determined model: then its linear systems
 * are singular but for rounding. */
static bool
has_slopes_of_system(DaeRadau *r)
{
  DaeErk *e = r->erk;
  const uint32_t n = e->form->n_y;
  double *slope = e->k;
  double *other = e->k + n;
  if (!slope_beside(r, r->weight, 0.0, slope)) {
    return false;
  }
  for (uint32_t q = 0; q < n; q++) {
    other[q] = slope[q] - r->xdot[e->form->y[q]];
  }
  const double left = r->options->t_stop - r->t;
  return norm_of(r, other) <= SAME_SLOPE * (norm_of(r, slope) + 1.0 / left);
}

static void
enter_explicit(DaeRadau *r)
{
  r->pair = &dae_erk_tableaus[tolerance_of(r->options) > LOOSE ? 0 : 1];
  r->is_explicit = true;
  r->leaves_explicit = false;
  r->explicit_error = 0.0;
  r->explicit_rejected = 0;
  r->h_entered = r->h;
  r->has_entered = false;
  r->stiff_steps = r->loose_steps = r->fast_steps = r->steps_at_pair = 0;
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
  if (is_start && !has_slopes_of_system(r)) {
    r->form_is_singular = true;
    return;
  }
  if (is_start && r->options->explicit_use != DAE_EXPLICIT_ONLY) {
    r->spectrum = estimate_spectrum(r);
    const double left = r->options->t_stop - r->t;
    if (r->spectrum < 0.0 || r->dies_away || r->spectrum * left > longest_run(r)) {
      return;
    }
  }
  enter_explicit(r);
  if (!is_start) {
    r->steps_at_pair =
        ESTIMATE_EVERY - 3; /* what follows an event may be faster: looked at soon */
  }
  if (is_start && !(r->options->initial_step > 0.0)) {
    const double h = first_size(r);
    r->h = h > 0.0 ? h : r->h;
  }
}

DaeSolverStatus
dae_radau_leave_explicit(DaeRadau *r)
{
  dae_radau_close_dense(r, DAE_DENSE_READY);
  r->is_explicit = false;
  r->explicit_rest = r->explicit_rest == 0 ? REST_FIRST : MIN(2 * r->explicit_rest, 1u << 20);
  r->steps_at_radau = 0;
  r->next_look = 0;
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

/* Do two explicit steps on end pass over the fastest part of the problem? */
bool
dae_radau_passes_over(DaeRadau *r, double h)
{
  if (r->options->explicit_use == DAE_EXPLICIT_ONLY) {
    return false;
  }
  if (++r->steps_at_pair % ESTIMATE_EVERY == 0) {
    const double spectrum = estimate_spectrum(r);
    r->spectrum = spectrum > 0.0 ? spectrum : r->spectrum;
  }
  r->fast_steps = r->spectrum * h > SLOW ? r->fast_steps + 1 : 0;
  return r->fast_steps >= 2;
}

void
dae_radau_look_for_explicit(DaeRadau *r)
{
  r->steps_at_radau++;
  if (r->look_every == 0) {
    r->next_look = r->look_every = LOOK_FIRST;
  }
  if (!may_be_explicit(r) || r->was_stiff || r->steps_at_radau < r->explicit_rest ||
      (r->n < LARGE && tolerance_of(r->options) < TIGHT_LONG) ||
      r->steps_at_radau < r->next_look || r->first || r->clipped) {
    return;
  }
  r->erk->masses_are_known = false;
  r->spectrum = estimate_spectrum(r);
  const bool is_steady = r->h < SAME_SIZE * r->h_looked && r->h_looked < SAME_SIZE * r->h;
  const bool is_slow = r->spectrum >= 0.0 && !r->dies_away && r->spectrum * r->h < STEADY;
  r->was_stiff = r->spectrum * r->h > STIFF;
  r->slow_looks = is_slow && (is_steady || r->slow_looks == 0) ? r->slow_looks + 1 : 0;
  r->h_looked = r->h;
  r->look_every = r->slow_looks > 0 ? LOOK_FIRST : MIN(2 * r->look_every, LOOK_LAST);
  r->next_look = r->steps_at_radau + r->look_every;
  if (r->slow_looks < LOOKS) {
    return;
  }
  r->slow_looks = 0;
  enter_explicit(r);
  r->stats.method_changes++;
}
