/* Where guards leave their sides: on the polynomial of a step before anything else is done with
 * it, and then with the method itself. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/bernstein.h"
#include "solver/guard_boxes.h"
#include "solver/lanes.h"
#include "solver/radau.h"

/* Nodes at which guards that are not affine are looked at: 0, the stages, and between any two. */
#define NODES_MOST (2u * DAE_STAGES_MAX + 1u)
/* Evaluations on the way to a minimum between two nodes. */
#define MOST_DESCENT 24
/* Steps again on the way to an event. */
#define MOST_REPEATS 12
/* Of the time and the run: so near a guard is looked for where no step is left before the functions
 * end, and where some are. */
#define AT_EDGE 1e-11
#define NEXT_TO_EDGE 1e-9

/* ---- the dense output -------------------------------------------------------------------- */

/* constant + slope t + sum factor x[column] on the last step, in Bernstein form over theta in
 * [0, 1]. */
uint32_t
dae_radau_affine(const DaeRadau *r, double constant, double slope, const uint32_t *column,
                 const double *factor, uint32_t n_columns, double *b)
{
  const DaeCollocation *c = &r->last;
  const uint32_t s = c->tableau->s;
  const uint32_t lanes = DAE_LANES_OF(s);
  double powers[DAE_BERNSTEIN_MOST] = {constant + slope * c->t, slope * c->h};
  double stage[DAE_STAGES_MAX] = {0.0};
  for (uint32_t e = 0; e < n_columns; e++) {
    const double *z = c->z + (size_t)column[e] * lanes;
    powers[0] += factor[e] * c->x[column[e]];
    for (uint32_t i = 0; i < s; i++) {
      stage[i] += factor[e] * z[i];
    }
  }
  for (uint32_t i = 0; i < s; i++) {
    for (uint32_t k = 0; k < s; k++) {
      powers[k + 1] += stage[i] * c->tableau->poly[i][k];
    }
  }
  dae_bernstein_from_powers(powers, s, b);
  return s;
}

static bool
make_room(DaeRadau *r, uint32_t n)
{
  if (n > r->root_room) {
    free(r->root_store);
    free(r->crossed);
    r->root_room = n + n / 2 + 8;
    r->root_store = dae_aligned_new0((size_t)r->root_room * (NODES_MOST + DAE_LANES_MAX + 2) *
                                     sizeof(double));
    r->crossed = dae_aligned_new0(r->root_room * sizeof(uint32_t));
  }
  return r->root_store != NULL;
}

/* ---- one guard --------------------------------------------------------------------------- */

typedef struct {
  DaeRadau *r;
  const DaeRoots *roots;
  uint32_t i;
  double shift; /* added to side*g */
  double b[DAE_BERNSTEIN_MOST];
  uint32_t degree; /* 0: by evaluation */
} Guard;

static double
threshold_of(const DaeRoots *roots, uint32_t i)
{
  return roots->threshold != NULL ? roots->threshold[i] : 0.0;
}

/* A guard that is not affine, at a point of the dense output: only its unknowns are needed. */
static double
single_value(const Guard *guard, double t)
{
  DaeRadau *r = guard->r;
  const DaeRoots *roots = guard->roots;
  const double *x = r->x;
  if (t < r->t) {
    const uint32_t from = roots->used_start[guard->i];
    dae_collocation_values(&r->last, roots->used_column + from,
                           roots->used_start[guard->i + 1] - from, t, r->event_x);
    x = r->event_x;
  }
  return roots->value(roots->user, guard->i, t, x);
}

/* side*g + shift on the dense output */
static double
value_at(void *user, double t)
{
  const Guard *guard = user;
  DaeRadau *r = guard->r;
  const double side = guard->roots->side[guard->i];
  if (guard->degree > 0) {
    return dae_bernstein_value(guard->b, guard->degree, (t - r->last.t) / r->last.h) +
           guard->shift;
  }
  const bool is_affine =
      guard->roots->is_affine != NULL && guard->roots->is_affine[guard->i] != 0;
  if (guard->roots->value != NULL && guard->roots->used_start != NULL && !is_affine) {
    return side * single_value(guard, t) + guard->shift;
  }
  const double *x = r->x;
  if (t < r->t) {
    dae_collocation_value(&r->last, r->n, t, r->event_x);
    x = r->event_x;
  }
  double *out = r->root_store + (size_t)NODES_MOST * guard->roots->n;
  guard->roots->values(guard->roots->user, 1, &t, x, out);
  return side * out[guard->i] + guard->shift;
}

typedef struct {
  double before, at;
} Crossing;

static Crossing
locate(Guard *guard, double a, double fa, double b, double fb)
{
  if (fa >= 0.0 && fb < 0.0) {
    dae_bracket_root(value_at, guard, 0.0, &a, fa, &b, fb);
  }
  return (Crossing){a, b};
}

/* The guard passes -threshold: *crossing becomes the zero before, if it was on its side since
 * the step began; that is looked for at distances that grow from `least`, which may be 0. */
static void
take_zero(Guard *guard, double least, Crossing *crossing)
{
  const double begin = guard->r->last.t;
  double width = fmax(least, 4.0 * DBL_EPSILON * fabs(guard->r->t));
  double b = crossing->at;
  guard->shift = 0.0;
  for (double a = b; a > begin; width *= 2.0) {
    a = fmax(begin, a - width);
    const double fa = value_at(guard, a);
    if (fa > 0.0) {
      *crossing = locate(guard, a, fa, b, value_at(guard, b));
      return;
    }
    b = a;
  }
}

/* Bernstein coefficients of side*g + shift; false: it stays on its side. */
static bool
first_descent(const Guard *guard, double shift, double *left, double *right)
{
  double b[DAE_BERNSTEIN_MOST];
  for (uint32_t k = 0; k <= guard->degree; k++) {
    b[k] = guard->b[k] + shift;
  }
  return dae_bernstein_first_descent(b, guard->degree, left, right);
}

static bool
follow_affine(Guard *guard, Crossing *crossing)
{
  const DaeRoots *roots = guard->roots;
  const DaeRadau *r = guard->r;
  const uint32_t i = guard->i;
  const uint32_t from = roots->affine_start[i];
  const double threshold = threshold_of(roots, i);
  double left = 0.0;
  double right = 0.0;
  guard->degree = dae_radau_affine(r, roots->affine_constant[i], roots->affine_slope[i],
                                   roots->affine_column + from, roots->affine_factor + from,
                                   roots->affine_start[i + 1] - from, guard->b);
  for (uint32_t k = 0; k <= guard->degree; k++) {
    guard->b[k] *= roots->side[i];
  }
  if (!first_descent(guard, threshold, &left, &right)) {
    return false;
  }
  guard->shift = guard->b[0] > 0.0 ? 0.0 : threshold;
  if (guard->shift == 0.0) {
    first_descent(guard, 0.0, &left, &right);
  }
  const double a = r->last.t + left * r->last.h;
  const double b = right >= 1.0 ? r->t : r->last.t + right * r->last.h;
  *crossing = locate(guard, a, value_at(guard, a), b, value_at(guard, b));
  if (guard->shift > 0.0) {
    take_zero(guard, 1e-9 * r->last.h, crossing);
  }
  return true;
}

/* Goes down from the middle of three nodes; true: *t is a place where the guard is beyond its
 * threshold. */
static bool
descend(Guard *guard, const double *t, const double *v, double *found)
{
  double a = t[0];
  double m = t[1];
  double b = t[2];
  double fa = v[0];
  double fm = v[1];
  double fb = v[2];
  for (int k = 0; k < MOST_DESCENT; k++) {
    const double p = (m - a) * (fm - fb);
    const double q = (m - b) * (fm - fa);
    const double vertex = m - 0.5 * ((m - a) * p - (m - b) * q) / (p - q);
    double next = isfinite(vertex) && vertex > a && vertex < b ? vertex : 0.5 * (a + b);
    if (fabs(next - m) < 1e-6 * (b - a)) {
      next = m + (b - m > m - a ? 0.01 : -0.01) * (b - a);
    }
    const double value = value_at(guard, next);
    if (value < 0.0) {
      *found = next;
      return true;
    }
    if (value > (k == 0 ? 0.7 : 0.999) * fm && k != 1) {
      return false; /* it turns before */
    }
    if (value < fm) {
      *(next < m ? &b : &a) = m;
      *(next < m ? &fb : &fa) = fm;
      m = next;
      fm = value;
    } else {
      *(next < m ? &a : &b) = next;
      *(next < m ? &fa : &fb) = value;
    }
  }
  return false;
}

/* v: side*g + threshold at the nodes t[0 ... n - 1]. */
static bool
follow_nodes(Guard *guard, const double *t, const double *v, uint32_t n, Crossing *crossing)
{
  const double threshold = threshold_of(guard->roots, guard->i);
  guard->degree = 0;
  guard->shift = threshold;
  for (uint32_t k = 1; k < n; k++) {
    double b = t[k];
    bool is_crossed = v[k] < 0.0;
    if (!is_crossed && k + 1 < n && v[k - 1] >= v[k] && v[k] <= v[k + 1]) {
      is_crossed = descend(guard, t + k - 1, v + k - 1, &b);
    }
    if (is_crossed) {
      const double a = t[k - 1];
      guard->shift = v[k - 1] - threshold > 0.0 ? 0.0 : threshold;
      *crossing = locate(guard, a, v[k - 1] - threshold + guard->shift, b, value_at(guard, b));
      return true;
    }
  }
  return false;
}

/* ---- all guards -------------------------------------------------------------------------- */

static uint32_t
set_nodes(const DaeRadau *r, double *t)
{
  const DaeTableau *tableau = r->last.tableau;
  double before = 0.0;
  uint32_t n = 0;
  t[n++] = r->last.t;
  for (uint32_t i = 0; i < tableau->s; i++) {
    t[n++] = r->last.t + 0.5 * (before + tableau->c[i]) * r->last.h;
    t[n++] = i + 1 == tableau->s ? r->t : r->last.t + tableau->c[i] * r->last.h;
    before = tableau->c[i];
  }
  return n;
}

/* Values of all guards at the nodes, values[i*n_nodes + k]; some lanes at a time. */
static void
fill_nodes(DaeRadau *r, const DaeRoots *roots, const double *t, uint32_t n_nodes,
           double *values)
{
  double *out = values + (size_t)NODES_MOST * roots->n;
  for (uint32_t first = 0; first < n_nodes; first += DAE_LANES_MAX) {
    const uint32_t lanes = MIN(DAE_LANES_MAX, n_nodes - first);
    for (uint32_t l = 0; l < lanes; l++) {
      const bool is_end = first + l + 1 == n_nodes;
      if (!is_end) {
        dae_collocation_value(&r->last, r->n, t[first + l], r->event_x);
      }
      for (uint32_t j = 0; j < r->n; j++) {
        r->root_x[(size_t)j * lanes + l] = is_end ? r->x[j] : r->event_x[j];
      }
    }
    roots->values(roots->user, lanes, t + first, r->root_x, out);
    for (uint32_t i = 0; i < roots->n; i++) {
      for (uint32_t l = 0; l < lanes; l++) {
        values[(size_t)i * n_nodes + first + l] = out[(size_t)i * lanes + l];
      }
    }
  }
}

/* Values at nodes of the step, made when the first guard asks for them. */
typedef struct {
  double t[NODES_MOST];
  double *values;
  uint32_t n; /* 0: not yet */
} Nodes;

/* By enclosures: nothing is missed. False: there would be too many of them; *found says what they
 * tell otherwise. */
static bool
follow_boxes(Guard *guard, Crossing *crossing, bool *found)
{
  const double threshold = threshold_of(guard->roots, guard->i);
  double a = 0.0;
  double b = 0.0;
  guard->degree = 0;
  guard->shift = threshold;
  const DaeBoxVerdict verdict =
      dae_guard_first_box(guard->r, guard->roots, guard->i, value_at, guard, &a, &b);
  *found = verdict == DAE_BOX_CROSSED;
  if (*found) {
    *crossing = locate(guard, a, value_at(guard, a), b, value_at(guard, b));
    take_zero(guard, b - a, crossing);
  }
  return verdict != DAE_BOX_OPEN;
}

static bool
find_crossing(Guard *guard, Nodes *nodes, Crossing *crossing)
{
  const DaeRoots *roots = guard->roots;
  const uint32_t i = guard->i;
  bool found = false;
  if (roots->is_affine != NULL && roots->is_affine[i]) {
    return follow_affine(guard, crossing);
  }
  const bool is_bounded = roots->is_bounded == NULL || roots->is_bounded[i] != 0;
  if (roots->may_cross != NULL && is_bounded && follow_boxes(guard, crossing, &found)) {
    return found;
  }
  if (nodes->n == 0) {
    nodes->n = set_nodes(guard->r, nodes->t);
    fill_nodes(guard->r, roots, nodes->t, nodes->n, nodes->values);
  }
  double *v = nodes->values + (size_t)i * nodes->n;
  for (uint32_t k = 0; k < nodes->n; k++) {
    v[k] = roots->side[i] * v[k] + threshold_of(roots, i);
  }
  return follow_nodes(guard, nodes->t, v, nodes->n, crossing);
}

/* The first crossing in the last step; r->crossed[0 ... *n_crossed - 1] are the guards crossed
 * there. */
static bool
find_first(DaeRadau *r, const DaeRoots *roots, Crossing *first, uint32_t *n_crossed)
{
  Nodes nodes = {.values = r->root_store};
  double *places = r->root_store + (size_t)r->root_room * (NODES_MOST + DAE_LANES_MAX);
  bool any = false;
  *first = (Crossing){INFINITY, INFINITY};
  for (uint32_t i = 0; i < roots->n; i++) {
    Guard guard = {.r = r, .roots = roots, .i = i};
    Crossing crossing;
    places[i] = INFINITY;
    if (roots->side[i] != 0 && find_crossing(&guard, &nodes, &crossing)) {
      places[i] = crossing.at;
      any = true;
      *first = crossing.at < first->at ? crossing : *first;
    }
  }
  const double near = 8.0 * DBL_EPSILON * fabs(first->at) + 1e-13 * r->last.h;
  *n_crossed = 0;
  for (uint32_t i = 0; any && i < roots->n; i++) {
    if (places[i] <= first->at + near) {
      r->crossed[(*n_crossed)++] = i;
      first->at = fmax(first->at, places[i]);
    }
  }
  return any;
}

/* ---- the step to the root ---------------------------------------------------------------- */

/* Have all guards that were found left their sides at the current point? */
static bool
are_crossed(DaeRadau *r, const DaeRoots *roots, uint32_t n_crossed, double *worst)
{
  double *out = r->root_store + (size_t)NODES_MOST * roots->n;
  roots->values(roots->user, 1, &r->t, r->x, out);
  *worst = -INFINITY;
  for (uint32_t k = 0; k < n_crossed; k++) {
    *worst = fmax(*worst, roots->side[r->crossed[k]] * out[r->crossed[k]]);
  }
  return *worst <= 0.0;
}

/* The point of the dense output becomes the current one. */
static DaeSolverStatus
stop_inside(DaeRadau *r, double t)
{
  double residual = 0.0;
  dae_collocation_derivative(&r->last, r->n, t, r->xdot);
  dae_collocation_value(&r->last, r->n, t, r->event_x);
  memcpy(r->x, r->event_x, sizeof(double) * r->n);
  r->t = t;
  r->clipped = true;
  r->cautious = true; /* the polynomial does not end here: it is not to be continued */
  return dae_radau_polish(r, r->linsys, r->t, r->x, r->f, r->g, r->m,
                          dae_radau_polish_target(r), &residual) == 0
             ? DAE_SOLVER_COMPLETED
             : DAE_SOLVER_DOMAIN;
}

/* Where the guard that came down to `left` at the end of the step should be crossed: `factor`
 * times as far as its slope there says. */
static double
further(DaeRadau *r, const DaeRoots *roots, double left, double factor)
{
  const double way = r->t - r->last.t;
  const double back = fmax(1e-6 * way, 1e3 * DBL_EPSILON * fabs(r->t));
  Guard guard = {.r = r, .roots = roots, .i = r->crossed[0]};
  const double slope = (value_at(&guard, r->t - back) - left) / back;
  const double more = factor * (slope > 0.0 ? left / slope : 1e-6 * way);
  return r->t + fmax(fmin(more, 0.1 * way), 4.0 * DBL_EPSILON * fabs(r->t));
}

/* Steps again until one ends at the crossing: with the end of the step near it the polynomial is
 * exact there, so that two or three are enough. *is_there is false where a step was cut short: no
 * crossing yet. */
static DaeSolverStatus
approach(DaeRadau *r, const DaeRoots *roots, Crossing *crossing, uint32_t *n_crossed,
         bool *is_there)
{
  const double end = r->t;
  double high = end; /* crossed there */
  double low = r->last.t;
  double factor = 0.75;
  for (int k = 0; k < MOST_REPEATS; k++) {
    const double at = crossing->at;
    const DaeSolverStatus status = dae_radau_repeat(r, at);
    double left = 0.0;
    *is_there = status == DAE_SOLVER_COMPLETED && r->t >= at;
    if (!*is_there) {
      return status;
    }
    if (are_crossed(r, roots, *n_crossed, &left)) {
      Crossing earlier;
      uint32_t n = 0;
      high = at;
      if (-left <= DAE_FAR_BEYOND * threshold_of(roots, r->crossed[0]) ||
          !find_first(r, roots, &earlier, &n)) {
        return status;
      }
      *n_crossed = n;
      const double near = 64.0 * DBL_EPSILON * fabs(at) + 1e-12 * (at - r->last.t);
      if (!(earlier.at < at - near) || !(earlier.at - r->last.t > dae_radau_smallest_step(r))) {
        return status;
      }
      *crossing = earlier;
      crossing->at = earlier.at > low ? earlier.at : 0.5 * (low + high);
      continue;
    }
    if (!(high > at) && !(end > at)) {
      *is_there = false; /* the polynomial had crossed, the solution has not */
      return status;
    }
    high = high > at ? high : end; /* it was crossed there up to rounding */
    low = at;
    factor *= 2.0;
    crossing->at = fmin(further(r, roots, left, factor), high);
  }
  *is_there = high < end; /* otherwise the next step begins just before it */
  return *is_there ? dae_radau_repeat(r, high) : DAE_SOLVER_COMPLETED;
}

/* A step that is too long to say where guards are is made again, shorter, as long as that helps:
 * what stays is rounding. */
static DaeSolverStatus
resolve(DaeRadau *r, const DaeRoots *roots)
{
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  double before = INFINITY;
  bool is_short = false;
  while (status == DAE_SOLVER_COMPLETED && !(r->options->step > 0.0) &&
         r->t - r->last.t > 16.0 * dae_radau_smallest_step(r)) {
    const double doubt = dae_guards_doubt(r, roots);
    if (!(doubt > 0.0) || (doubt <= 1.0 && !(doubt < 0.9 * before))) {
      break;
    }
    before = doubt;
    status = dae_radau_repeat(r, r->last.t + 0.5 * (r->t - r->last.t));
    is_short = true;
  }
  if (is_short) {
    r->h = fmin(r->h, 1.5 * (r->t - r->last.t));
  }
  return status;
}

/* Guards that slopes lead through 0 within `ahead`; *first: when. */
static uint32_t
find_crossings_ahead(DaeRadau *r, const DaeRoots *roots, double ahead, bool is_at_zero,
                     double *first)
{
  double *now = r->root_store;
  double *then = r->root_store + roots->n;
  const double t = r->t + ahead;
  uint32_t n_crossed = 0;
  for (uint32_t j = 0; j < r->n; j++) {
    r->event_x[j] = r->x[j] + ahead * r->xdot[j];
  }
  roots->values(roots->user, 1, &r->t, r->x, now);
  roots->values(roots->user, 1, &t, r->event_x, then);
  *first = ahead;
  for (uint32_t i = 0; i < roots->n; i++) {
    const double side = roots->side[i];
    const bool is_near = !is_at_zero || side * now[i] <= threshold_of(roots, i);
    if (side != 0.0 && is_near && side * now[i] >= 0.0 && side * then[i] < 0.0) {
      r->crossed[n_crossed++] = i;
      *first = fmin(*first, ahead * now[i] / (now[i] - then[i]));
    }
  }
  return n_crossed;
}

/* The functions have no values beyond here, and a guard is on its way through 0: a branch ends at
 * the edge of its domain, if x < 0 then -sqrt(-x) else sqrt(x), and no step crosses it. Where no
 * step is left the event is where the slopes meet the edge; where short ones are left, as soon
 * as the guard is within its threshold. */
static uint32_t
meets_edge(DaeRadau *r, const DaeRoots *roots, DaeSolverStatus status)
{
  const double scale = fmax(fabs(r->t), fabs(r->options->t_stop - r->options->t_start));
  const bool is_completed = status == DAE_SOLVER_COMPLETED;
  double first = 0.0;
  if ((is_completed && !(r->outside_h > 0.0)) || !make_room(r, roots->n)) {
    return 0;
  }
  const double ahead = is_completed ? r->outside_h : AT_EDGE * scale;
  const uint32_t n_crossed = find_crossings_ahead(r, roots, ahead, is_completed, &first);
  if (n_crossed == 0 || first > NEXT_TO_EDGE * scale) {
    return 0;
  }
  first = 1.01 * first + 4.0 * DBL_EPSILON * scale; /* on the new side, whatever the rounding */
  for (uint32_t j = 0; j < r->n; j++) {
    const double x = r->x[j] + first * r->xdot[j];
    r->x[j] = isfinite(x) ? x : r->x[j];
  }
  r->t += first;
  return n_crossed;
}

static DaeSolverStatus
step_to_root(DaeRadau *r, const DaeRoots *roots, DaeStop *stop)
{
  Crossing crossing;
  uint32_t n_crossed = 0;
  bool is_there = true;
  DaeSolverStatus status = dae_radau_step(r);
  if (status == DAE_SOLVER_COMPLETED || status == DAE_SOLVER_DOMAIN ||
      status == DAE_SOLVER_STEP_TOO_SMALL || status == DAE_SOLVER_NEWTON_FAILED) {
    n_crossed = meets_edge(r, roots, status);
  }
  if (n_crossed > 0) {
    *stop = (DaeStop){DAE_STOP_ROOT, .before = r->t, .n_crossed = n_crossed};
    stop->crossed = r->crossed;
    return DAE_SOLVER_COMPLETED;
  }
  status = status == DAE_SOLVER_COMPLETED ? resolve(r, roots) : status;
  if (status != DAE_SOLVER_COMPLETED || !make_room(r, roots->n) ||
      !find_first(r, roots, &crossing, &n_crossed)) {
    return status;
  }
  if (crossing.at < r->t && !(r->options->step > 0.0)) {
    if (crossing.at - r->last.t < dae_radau_smallest_step(r)) {
      is_there = dae_radau_go_back(r); /* crossed at once: the event is where the step began */
      r->last.tableau = NULL;
      r->is_prepared = true;
    } else if (roots->from_dense_output) {
      status = stop_inside(r, crossing.at);
    } else {
      status = approach(r, roots, &crossing, &n_crossed, &is_there);
    }
  }
  if (status == DAE_SOLVER_COMPLETED && is_there) {
    stop->kind = DAE_STOP_ROOT;
    stop->before = fmin(crossing.before, r->t);
    stop->n_crossed = n_crossed;
    stop->crossed = r->crossed;
  }
  return status;
}

DaeSolverStatus
dae_radau_step_to_root(DaeRadau *r, const DaeRoots *roots, DaeStop *stop)
{
  r->guards = roots;
  DaeSolverStatus status = step_to_root(r, roots, stop);
  r->guards = NULL;
  return status;
}
