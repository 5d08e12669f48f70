/* Steps of the explicit pairs, with error control [HairerNorsettWanner93, II.4, II.10]. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/radau.h"

#define SAFETY 0.8
/* Part of the error foretold that an estimate is believed to fall to, and errors that foretell */
#define ACCIDENT 0.2
#define FORETELLS 1e-5
#define SHRINK 5.0
#define GROWTH 8.0
/* The error of a step may be this part of the tolerance in a run of FEW_STEPS: then runs deliver as
 * many digits as those of radau do (chain, Andrews, pendula at 1e-2 ... 1e-7). In a run of more steps
 * it is less in proportion, since they add up. */
#define ERROR_PART 1e-3
#define FEW_STEPS 100.0
#define LEAST_SHARE 1e-2
/* Projections of the end of a step. */
#define MOST_PROJECTIONS 4u
/* Rejections in a row: the method does not suit the problem here; at its first step, the form does
 * not: its slopes are no smooth function. */
#define MOST_REJECTED 8u
#define MOST_AT_FIRST 3u
#define NONSENSE 1e9

/* sum (n_y) = sum_j factors_j k_j over the first `count` stages */
static void
combine(const double *k, uint32_t n, const double *factors, uint32_t count, double *sum)
{
  memset(sum, 0, sizeof(double) * n);
  for (uint32_t j = 0; j < count; j++) {
    const double factor = factors[j];
    const double *from = k + (size_t)j * n;
    if (factor != 0.0) {
      for (uint32_t q = 0; q < n; q++) {
        sum[q] += factor * from[q];
      }
    }
  }
}

/* e->x := y of stage i of a step of size h from e->y */
static void
place_stage(DaeErk *e, const DaeErkTableau *pair, uint32_t i, double h)
{
  const uint32_t n = e->form->n_y;
  combine(e->k, n, pair->a[i], i, e->sum);
  for (uint32_t q = 0; q < n; q++) {
    e->x[e->form->y[q]] = e->y[q] + h * e->sum[q];
  }
}

/* k[0] at the current point, which may be known. */
static int
begin_step(DaeRadau *r)
{
  DaeErk *e = r->erk;
  const uint32_t n = e->form->n_y;
  bool is_known = e->has_begun && e->t == r->t;
  for (uint32_t q = 0; q < n; q++) {
    const double y = r->x[e->form->y[q]];
    is_known = is_known && e->y[q] == y;
    e->y[q] = e->x[e->form->y[q]] = y;
  }
  if (is_known) {
    return 0;
  }
  e->t = r->t;
  const int code = dae_erk_slope(e, r->t, false, e->k);
  e->has_begun = code == 0;
  r->stats.rhs_evaluations++;
  return code;
}

/* The y in e->x at time t onto the constraints, the slope there into `slope`, the unknowns without
 * derivative into e->direct and e->linear. */
static int
settle_end(DaeRadau *r, double t, double target, double *slope, double *residual)
{
  DaeErk *e = r->erk;
  *residual = INFINITY;
  for (uint32_t k = 0; k<MOST_PROJECTIONS && * residual> target; k++) {
    double before;
    int code = dae_erk_project(e, t, r->weight, r->nominal, &before);
    code = code == 0 ? dae_erk_slope(e, t, true, slope) : code;
    if (code != 0) {
      return code;
    }
    r->stats.rhs_evaluations++;
    *residual = dae_erk_residual(e);
    if (*residual > 0.5 * before) {
      break; /* rounding, or no way there */
    }
  }
  return 0;
}

/* The linear unknowns of stage i, if it is one that is looked at. */
static void
keep_linear(DaeErk *e, const DaeErkTableau *pair, uint32_t i)
{
  const uint32_t n = e->form->n_linear;
  for (uint32_t q = 0; q < DAE_ERK_LOOKS; q++) {
    if (pair->looks[q] == i) {
      memcpy(e->linear_at + (size_t)q * n, e->linear, sizeof(double) * n);
    }
  }
}

static double
mean_square(const DaeRadau *r, const double *v)
{
  const DaeSolved *form = r->erk->form;
  double sum = 0.0;
  for (uint32_t q = 0; q < form->n_y; q++) {
    const double size = v[q] * r->inverse_weight[form->y[q]];
    sum += size * size;
  }
  return sum / form->n_y;
}

static double
allowed_error(const DaeRadau *r, double h)
{
  const double span = r->options->t_stop - r->options->t_start;
  return ERROR_PART * fmax(LEAST_SHARE, fmin(1.0, FEW_STEPS * h / span));
}

/* Error of the step in units of what it may have. The estimate of order 5 is weighed with that of
 * order 3, so that it has the order of the step [HairerNorsettWanner93, II.10]. */
static double
error_of_step(DaeRadau *r, double h)
{
  DaeErk *e = r->erk;
  const DaeErkTableau *pair = r->pair;
  const uint32_t n = e->form->n_y;
  combine(e->k, n, pair->e, pair->s + 1, e->sum);
  const double first = mean_square(r, e->sum);
  if (!pair->has_second) {
    return h * sqrt(first) / allowed_error(r, h);
  }
  combine(e->k, n, pair->e_second, pair->s + 1, e->sum);
  const double both = first + 0.01 * mean_square(r, e->sum);
  return both > 0.0 ? h * first / sqrt(both) / allowed_error(r, h) : 0.0;
}

/* Stages up to the end of the step, which is left in e->x with its slope in k[s], and the error. A
 * step whose stages before the end tell that it is too long is not ended. */
static int
make_stages(DaeRadau *r, double h, double *residual, double *error)
{
  DaeErk *e = r->erk;
  const DaeErkTableau *pair = r->pair;
  const uint32_t n = e->form->n_y;
  int code = begin_step(r);
  for (uint32_t i = 1; i < pair->s && code == 0; i++) {
    place_stage(e, pair, i, h);
    code = dae_erk_slope(e, r->t + pair->c[i] * h, false, e->k + (size_t)i * n);
    r->stats.rhs_evaluations++;
    keep_linear(e, pair, i);
  }
  if (code != 0) {
    return code;
  }
  for (uint32_t q = 0; q < n; q++) {
    e->y_late[q] = e->x[e->form->y[q]];
  }
  place_stage(e, pair, pair->s, h);
  const bool needs_end = pair->e[pair->s] != 0.0 || pair->e_second[pair->s] != 0.0;
  *error = needs_end ? 0.0 : error_of_step(r, h);
  if (!(*error < 1.0)) {
    return 0;
  }
  code =
      settle_end(r, r->t + h, dae_radau_polish_target(r), e->k + (size_t)pair->s * n, residual);
  *error = needs_end && code == 0 ? error_of_step(r, h) : *error;
  return code;
}

/* The error to be expected of another step as long as this one. An estimate may be small by
 * accident, where its terms cancel, and the step after it would be far too long: it is not believed
 * to be much less than the step before foretells. */
static double
expected_error(const DaeRadau *r, double h, double error)
{
  const double ratio = r->explicit_error > 0.0 ? h / r->explicit_h : 0.0;
  const double foretold = r->explicit_error * pow(ratio, r->pair->order);
  return fmax(fmax(error, 1e-12), ACCIDENT * foretold);
}

/* After a step of size h with this error, expected again. */
static double
next_size(const DaeRadau *r, double h, double error, bool accepted)
{
  const double quotient = pow(error, 1.0 / r->pair->order) / SAFETY;
  if (!accepted) {
    return h / fmin(SHRINK, fmax(quotient, 1.1));
  }
  const double next = h / fmax(1.0 / GROWTH, fmin(SHRINK, quotient));
  return r->explicit_rejected > 0 ? fmin(h, next) : next;
}

/* The end of the step becomes the current point. */
static void
advance(DaeRadau *r, double h, double t_new)
{
  DaeErk *e = r->erk;
  const DaeErkTableau *pair = r->pair;
  const uint32_t n = e->form->n_y;
  r->last.tableau = dae_solver_tableau(pair->nodes);
  r->last.t = r->t;
  r->last.h = h;
  r->dense = DAE_DENSE_OPEN;
  r->last_is_explicit = true;
  memcpy(r->last.x, r->x, sizeof(double) * r->n);
  dae_erk_put_algebraic(e, r->x);
  double *old = e->k_last;
  e->k_last = e->k;
  e->k = old;
  memcpy(e->k, e->k_last + (size_t)pair->s * n, sizeof(double) * n);
  for (uint32_t j = 0; j < r->n; j++) {
    r->xdot[j] = (r->x[j] - r->last.x[j]) / h;
  }
  for (uint32_t q = 0; q < n; q++) {
    const uint32_t j = e->form->y[q];
    r->x[j] = e->y[q] = e->x[j];
    r->xdot[j] = e->k[q];
  }
  memcpy(e->x_end, r->x, sizeof(double) * r->n);
  e->pair_last = pair;
  e->t = r->t = t_new;
}

static void
note_step(DaeRadau *r, double h, double residual)
{
  r->h_done = h;
  r->longest = fmax(r->longest, h);
  r->jacobian_is_fresh = false;
  r->cautious = false;
  r->is_settled = false;
  r->factored = false;
  r->failures = 0;
  r->euler_in_a_row = 0;
  r->iterations = 1;
  r->theta = 1.0;
  r->first = false;
  r->rejected = false;
  r->failed_h = 0.0;
  r->stats.steps_accepted++;
  r->stats.steps_explicit++;
  r->stats.last_step = h;
  r->step_residual = residual;
  if (r->output == NULL) {
    dae_radau_note_residual(r, residual);
  }
  dae_radau_set_weights(r);
  r->record = (DaeStepRecord){r->t, h, r->pair->order, 0, r->error_norm, r, r->n};
}

static DaeExplicitOutcome
reject(DaeRadau *r, double h, double error, int code)
{
  r->stats.steps_rejected++;
  r->rejected = true;
  r->h = isfinite(error) ? next_size(r, h, error, false) : 0.25 * h;
  r->explicit_rejected++;
  const bool is_nonsense = r->explicit_rejected > MOST_AT_FIRST || error > NONSENSE;
  if (!r->has_entered && is_nonsense && r->options->explicit_use != DAE_EXPLICIT_ONLY) {
    r->form_is_singular = true;
    r->rejected = false;
    r->h = r->h_entered;
    return DAE_EXPLICIT_LEFT;
  }
  return code < 0 || r->explicit_rejected > MOST_REJECTED ? DAE_EXPLICIT_LEFT
                                                          : DAE_EXPLICIT_AGAIN;
}

DaeExplicitOutcome
dae_radau_try_explicit(DaeRadau *r, double t_new)
{
  const double h = t_new - r->t;
  double residual = 0.0;
  double error = INFINITY;
  const int code = make_stages(r, h, &residual, &error);
  error = code == 0 ? error : INFINITY;
  if (code < 0 || !(error < 1.0)) {
    return reject(r, h, error, code);
  }
  double next = next_size(r, h, expected_error(r, h, error), true);
  next = r->clipped ? fmax(next, r->h_wanted) : next;
  if (!r->clipped) {
    r->explicit_error = error > FORETELLS ? error : 0.0;
    r->explicit_h = h;
  }
  r->explicit_rejected = 0;
  r->has_entered = true;
  r->error_norm = error;
  r->leaves_explicit = dae_radau_explicit_is_stiff(r, h);
  advance(r, h, t_new);
  note_step(r, h, residual);
  r->h = next;
  r->leaves_explicit = r->leaves_explicit || dae_radau_passes_over(r, h);
  return DAE_EXPLICIT_ACCEPTED;
}

bool
dae_radau_settle_explicit(DaeRadau *r, double t, double *x, double *residual)
{
  DaeErk *e = r->erk;
  for (uint32_t q = 0; q < e->form->n_y; q++) {
    e->x[e->form->y[q]] = x[e->form->y[q]];
  }
  if (settle_end(r, t, 1e-13, e->sum, residual) != 0) {
    return false;
  }
  for (uint32_t q = 0; q < e->form->n_y; q++) {
    x[e->form->y[q]] = e->x[e->form->y[q]];
  }
  dae_erk_put_algebraic(e, x);
  return true;
}
