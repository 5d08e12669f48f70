/* Conditions without events that change and change back between two stages: `noEvent(if x > 0.5
 * and x < 0.501 then ...)`, `max(0, 1 - 1000*abs(x))`, the range in which a smooth pulse
 * `exp(-1e7*(x - 0.5)^2)` is not over (pipeline/peaks.h). The stages see the same branch before and
 * after, and so does the error estimate.
 *
 * Where a condition changes its sign between two stages, and at the bottom of its dips, all of them
 * are looked at on the polynomial of the step. Signs that neither of the two stages has, with
 * functions that differ there from those of both stages by more than the tolerance, were passed
 * over: the step ends at the first such place, and the next one is as short as the pulse. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/bernstein.h"
#include "solver/lanes.h"
#include "solver/radau.h"

#define NODES_MOST (DAE_STAGES_MAX + 1u)
#define MOST_PLACES 16u /* between two stages */
#define MOST_REPEATS 4
#define MOST_DESCENT 32
#define NEAR 0.5 /* of the least value at the stages: a parabola that ends there may reach 0 */
#define MATTERS 0.1     /* of the tolerance */
#define STANDS_OUT 0.25 /* of the range at the stages: a parabola has less beyond them */
/* Range of a condition over its least value at the stages, below which no parabola through three of
 * them turns at less than NEAR of it: between stages one of which is r times as far as the other it
 * falls by at most r^2/(4 (1 + r)) of the range, and r is at most 4.1. */
#define QUIET 0.6

typedef struct {
  DaeRadau *r;
  const DaeConditions *conditions;
  double *values; /* NODES_MOST + 2 times n */
  double *lanes;  /* n times NODES_MOST: by condition the nodes, side by side */
  double t[NODES_MOST];
  uint32_t n_nodes;
  uint32_t i;         /* the condition that is followed */
  uint32_t *in_group; /* n: how many change between two nodes, by group */
  uint32_t *active;   /* n: conditions that may change in the step */
  uint32_t n_active;
} Passed;

/* Of all conditions, on the polynomial. */
static bool
look(Passed *p, double t, double *out)
{
  DaeRadau *r = p->r;
  const double *x = r->x;
  if (t < r->t) {
    dae_collocation_value(&r->last, r->n, t, r->event_x);
    x = r->event_x;
  }
  return p->conditions->values(p->conditions->user, 1, &t, x, out);
}

static double *
node(const Passed *p, uint32_t k)
{
  return p->values + (size_t)k * p->conditions->n;
}

static double
value_at(void *user, double t)
{
  Passed *p = user;
  double *out = node(p, NODES_MOST);
  return look(p, t, out) ? out[p->i] : NAN;
}

/* All conditions at the ends of the step and its stages, at once. */
static bool
fill_lanes(Passed *p)
{
  const DaeRadau *r = p->r;
  const DaeTableau *tableau = r->last.tableau;
  const uint32_t stages = DAE_LANES_OF(tableau->s);
  const uint32_t m = tableau->s + 1;
  p->n_nodes = m;
  p->t[0] = r->last.t;
  for (uint32_t i = 0; i < tableau->s; i++) {
    p->t[i + 1] = i + 1 == tableau->s ? r->t : r->last.t + tableau->c[i] * r->last.h;
  }
  for (uint32_t j = 0; j < r->n; j++) {
    double *x = r->root_x + (size_t)j * m;
    x[0] = r->last.x[j];
    for (uint32_t i = 0; i + 1 < tableau->s; i++) {
      x[i + 1] = r->last.x[j] + r->last.z[(size_t)j * stages + i];
    }
    x[m - 1] = r->x[j];
  }
  return p->conditions->values(p->conditions->user, m, p->t, r->root_x, p->lanes);
}

/* Can a condition with these values neither change nor dip? */
static bool
is_quiet(const double *v, uint32_t m)
{
  double low = v[0];
  double high = v[0];
  for (uint32_t k = 1; k < m; k++) {
    low = v[k] < low ? v[k] : low;
    high = v[k] > high ? v[k] : high;
  }
  const double least = low > 0.0 ? low : -high;
  return least > 0.0 && high - low < QUIET * least;
}

static void
find_active(Passed *p)
{
  p->n_active = 0;
  for (uint32_t i = 0; i < p->conditions->n; i++) {
    if (!is_quiet(p->lanes + (size_t)i * p->n_nodes, p->n_nodes)) {
      p->active[p->n_active++] = i;
    }
  }
}

static void
fill_nodes(Passed *p)
{
  for (uint32_t k = 0; k < p->n_nodes; k++) {
    for (uint32_t i = 0; i < p->conditions->n; i++) {
      node(p, k)[i] = p->lanes[(size_t)i * p->n_nodes + k];
    }
  }
}

static bool
is_positive(double value)
{
  return value > 0.0;
}

/* Where a parabola through three points turns; NAN, or anywhere: it does not between them. */
static double
vertex_of(const double *t, const double *v)
{
  const double a = (t[1] - t[0]) * (v[1] - v[2]);
  const double b = (t[1] - t[2]) * (v[1] - v[0]);
  return t[1] - 0.5 * ((t[1] - t[0]) * a - (t[1] - t[2]) * b) / (a - b);
}

/* Condition i around node k, on its side positive: does a parabola turn between the neighbours, and
 * so near to 0 that the function may reach it? *bottom: where. */
static bool
may_dip(const Passed *p, uint32_t k, double *t, double *v, double *bottom)
{
  const double side = is_positive(node(p, k)[p->i]) ? 1.0 : -1.0;
  for (uint32_t d = 0; d < 3; d++) {
    t[d] = p->t[k - 1 + d];
    v[d] = side * node(p, k - 1 + d)[p->i];
  }
  const double tl = t[1] - t[0];
  const double tr = t[2] - t[1];
  const double curvature = ((v[2] - v[1]) / tr - (v[1] - v[0]) / tl) / (tl + tr);
  if (!(v[0] > 0.0 && v[1] > 0.0 && v[2] > 0.0 && curvature > 0.0)) {
    return false;
  }
  *bottom = vertex_of(t, v);
  const double way = *bottom - t[1];
  const double depth = v[1] - curvature * way * way;
  return *bottom > t[0] && *bottom < t[2] && depth < NEAR * fmin(v[1], fmin(v[0], v[2]));
}

/* A place beyond 0 on the way to the bottom of the dip around node k, which a parabola sees again
 * and again; NAN: it does not reach 0. */
static double
find_dip(Passed *p, uint32_t k)
{
  double t[3];
  double v[3];
  double next = 0.0;
  if (k == 0 || k + 1 >= p->n_nodes || !may_dip(p, k, t, v, &next)) {
    return NAN;
  }
  const double side = is_positive(node(p, k)[p->i]) ? 1.0 : -1.0;
  for (int d = 0; d < MOST_DESCENT; d++) {
    const double value = side * value_at(p, next);
    if (!(value > 0.0)) {
      return value <= 0.0 ? next : NAN;
    }
    if (d > 3 && value > 0.9 * v[1]) {
      return NAN;
    }
    const bool is_lower = value < v[1];
    const int out = next < t[1] ? (is_lower ? 2 : 0) : (is_lower ? 0 : 2);
    t[out] = is_lower ? t[1] : next;
    v[out] = is_lower ? v[1] : value;
    t[1] = is_lower ? next : t[1];
    v[1] = is_lower ? value : v[1];
    next = vertex_of(t, v);
    if (!(next > t[0] && next < t[2]) || fabs(next - t[1]) < 1e-6 * (t[2] - t[0])) {
      next = t[1] + 0.3 * (t[2] - t[1] > t[1] - t[0] ? t[2] - t[1] : t[0] - t[1]);
    }
  }
  return NAN;
}

/* ---- places ------------------------------------------------------------------------------ */

typedef struct {
  double t;
  uint32_t i;    /* the condition */
  bool is_known; /* t is exact */
} Place;

static void
insert(Place *places, uint32_t *n, Place place)
{
  uint32_t k = *n < MOST_PLACES ? (*n)++ : MOST_PLACES - 1;
  for (; k > 0 && places[k - 1].t > place.t; k--) {
    places[k] = places[k - 1];
  }
  places[k] = place;
}

/* How many conditions of each group change between nodes k - 1 and k; more than one where others
 * are inside one of them: these may change and change back. */
static void
count_in_groups(Passed *p, uint32_t k)
{
  const DaeConditions *c = p->conditions;
  memset(p->in_group, 0, c->n * sizeof(uint32_t));
  for (uint32_t j = 0; j < c->n; j++) {
    const bool changes = is_positive(node(p, k - 1)[j]) != is_positive(node(p, k)[j]);
    p->in_group[c->group[j]] += c->is_nested[j] != 0 ? 2 : changes;
  }
}

/* Where conditions change between nodes k - 1 and k, as a line sees it, and where dips of this
 * gap are; the first ones. A condition that changes alone is seen by the stages. */
static uint32_t
find_places(Passed *p, uint32_t k, Place *places)
{
  const double from = p->t[k - 1];
  const double way = p->t[k] - from;
  uint32_t n = 0;
  count_in_groups(p, k);
  for (uint32_t q = 0; q < p->n_active; q++) {
    p->i = p->active[q];
    const double before = node(p, k - 1)[p->i];
    const double behind = node(p, k)[p->i];
    if (is_positive(before) != is_positive(behind)) {
      if (p->in_group[p->conditions->group[p->i]] > 1) {
        insert(places, &n, (Place){from + way * before / (before - behind), p->i, false});
      }
      continue;
    }
    for (uint32_t bottom = k - 1; bottom <= k; bottom++) {
      const double dip = find_dip(p, bottom);
      if (dip > from && dip < p->t[k]) {
        insert(places, &n, (Place){dip, p->i, true});
      }
    }
  }
  return n;
}

/* The change of condition i between two times, with its values there: just behind it. */
static double
locate(Passed *p, uint32_t i, const double *t, const double *v)
{
  double a = t[0];
  double b = t[1];
  p->i = i;
  dae_bracket_root(value_at, p, 0.0, &a, v[0], &b, v[1]);
  return b;
}

static void
make_exact(Passed *p, uint32_t k, Place *places, uint32_t n)
{
  for (uint32_t q = 0; q < n; q++) {
    const uint32_t i = places[q].i;
    const double v[2] = {node(p, k - 1)[i], node(p, k)[i]};
    places[q].t = places[q].is_known ? places[q].t : locate(p, i, p->t + k - 1, v);
  }
  for (uint32_t q = 1; q < n; q++) { /* few, and nearly in order */
    for (uint32_t m = q; m > 0 && places[m - 1].t > places[m].t; m--) {
      const Place swapped = places[m];
      places[m] = places[m - 1];
      places[m - 1] = swapped;
    }
  }
}

/* ---- pulses ------------------------------------------------------------------------------ */

/* [*from, *to]: the conditions are as in this place, between nodes k - 1 and k. False: they are as
 * at one of these. */
static bool
find_pulse(Passed *p, uint32_t k, const Place *place, double next, double *from, double *to)
{
  double *out = node(p, NODES_MOST + 1);
  bool differs[2] = {false, false};
  double begin = -INFINITY; /* of all that go there and back: where they do so together */
  *to = next;
  if (!look(p, place->t, out)) {
    return false;
  }
  for (uint32_t i = 0; i < p->conditions->n; i++) {
    const bool is_before = is_positive(out[i]) == is_positive(node(p, k - 1)[i]);
    const bool is_behind = is_positive(out[i]) == is_positive(node(p, k)[i]);
    differs[0] = differs[0] || !is_before;
    differs[1] = differs[1] || !is_behind;
    if (!is_before && !is_behind) { /* there and back */
      const double rise[2] = {p->t[k - 1], place->t};
      const double fall[2] = {place->t, p->t[k]};
      begin = fmax(begin, locate(p, i, rise, (double[]){node(p, k - 1)[i], out[i]}));
      *to = fmin(*to, locate(p, i, fall, (double[]){out[i], node(p, k)[i]}));
    }
  }
  *from = begin > -INFINITY ? begin : place->t;
  return differs[0] && differs[1] && *to > *from;
}

/* f - M x' and g, one after the other, on the polynomial, with the slopes of one place; false: not
 * defined. m: room for the entries of M. */
static bool
functions_at(DaeRadau *r, double t, const double *xdot, double *m, double *out)
{
  const DaePattern *mass = &r->ev->mass;
  DaeOut parts = {.f = out, .g = out + r->n_diff, .m = m};
  const double *x = r->x;
  if (t < r->t) {
    dae_collocation_value(&r->last, r->n, t, r->event_x);
    x = r->event_x;
  }
  if (dae_radau_evaluate(r, 1, &t, x, &parts) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < r->n_diff; i++) {
    for (uint32_t e = mass->row_start[i]; e < mass->row_start[i + 1]; e++) {
      out[i] -= m[e] * xdot[mass->column[e]];
    }
  }
  return true;
}

/* The size of what row i has derivatives of. */
static double
size_of_row(const DaeRadau *r, uint32_t row)
{
  const DaePattern *mass = &r->ev->mass;
  double size = 0.0;
  for (uint32_t e = mass->row_start[row]; e < mass->row_start[row + 1]; e++) {
    size += fabs(r->m[e] * r->x[mass->column[e]]);
  }
  return size;
}

/* Do the functions of the pulse stand out of those at the nodes and those beside it by so much
 * that it shows in the result? */
static bool
matters(Passed *p, double from, double to)
{
  DaeRadau *r = p->r;
  const uint32_t m = r->n_diff + r->n_con;
  const double beside = fmax(0.5 * (to - from), 8.0 * DBL_EPSILON * fabs(to));
  const double times[3] = {0.5 * (from + to), fmax(from - beside, r->last.t),
                           fmin(to + beside, r->t)};
  double *f = malloc((NODES_MOST + 3) * (size_t)m * sizeof(double) + 1);
  double *slopes = malloc(r->n * sizeof(double) + 1);
  double *entries = malloc(r->ev->mass.row_start[r->n_diff] * sizeof(double) + 1);
  bool good = f != NULL && slopes != NULL && entries != NULL;
  if (good) {
    dae_collocation_derivative(&r->last, r->n, times[0], slopes);
  }
  for (uint32_t k = 0; good && k < p->n_nodes + 3; k++) {
    good = functions_at(r, k < 3 ? times[k] : p->t[k - 3], slopes, entries, f + (size_t)k * m);
  }
  bool differs = false;
  for (uint32_t i = 0; good && i < m && !differs; i++) {
    double low = INFINITY;
    double high = -INFINITY;
    for (uint32_t k = 0; k < p->n_nodes; k++) {
      low = fmin(low, f[(size_t)(k + 3) * m + i]);
      high = fmax(high, f[(size_t)(k + 3) * m + i]);
    }
    const double beyond = fmax(f[i] - high, low - f[i]);
    const double out = fabs(f[i] - 0.5 * (f[(size_t)m + i] + f[2 * (size_t)m + i]));
    const double size = i < r->n_diff ? size_of_row(r, i) : 0.0;
    differs = beyond > STANDS_OUT * (high - low) &&
              out * (to - from) > MATTERS * (r->options->atol + r->options->rtol * size);
  }
  free(f);
  free(slopes);
  free(entries);
  return differs;
}

/* The first pulse: it begins at *from and is over at *to. */
static bool
find_first(Passed *p, double *from, double *to)
{
  Place places[MOST_PLACES];
  for (uint32_t k = 1; k < p->n_nodes; k++) {
    const uint32_t n = find_places(p, k, places);
    make_exact(p, k, places, n);
    for (uint32_t q = 0; q < n; q++) {
      const double next = q + 1 < n ? places[q + 1].t : p->t[k];
      if (find_pulse(p, k, &places[q], next, from, to) && matters(p, *from, *to)) {
        return true;
      }
    }
  }
  return false;
}

/* Memory for n conditions, kept from step to step; false: there is none. */
static bool
make_room(Passed *p, uint32_t n)
{
  DaeRadau *r = p->r;
  const size_t n_values = (size_t)(NODES_MOST + 2) * n;
  const size_t n_lanes = (size_t)NODES_MOST * n;
  if (r->passed_store == NULL) { /* the conditions stay the same */
    r->passed_store =
        dae_aligned_new0((n_values + n_lanes) * sizeof(double) + 2 * n * sizeof(uint32_t) + 64);
  }
  p->values = r->passed_store;
  p->lanes = p->values + n_values;
  p->in_group = (uint32_t *)(void *)(p->lanes + n_lanes);
  p->active = p->in_group + n;
  return r->passed_store != NULL;
}

static bool
find_passed(DaeRadau *r, double *from, double *to)
{
  const DaeConditions *conditions = r->options->conditions;
  Passed p = {.r = r, .conditions = conditions};
  dae_radau_close_dense(r, DAE_DENSE_READY);
  if (!make_room(&p, conditions->n) || !fill_lanes(&p)) {
    return false;
  }
  find_active(&p);
  if (p.n_active == 0) {
    return false;
  }
  fill_nodes(&p);
  return find_first(&p, from, to);
}

DaeSolverStatus
dae_radau_meet_passed(DaeRadau *r)
{
  DaeSolverStatus status = DAE_SOLVER_COMPLETED;
  double from = 0.0;
  double to = 0.0;
  if (r->options->conditions == NULL || r->options->step > 0.0) {
    return status;
  }
  for (int k = 0; k < MOST_REPEATS && status == DAE_SOLVER_COMPLETED; k++) {
    const double least = 16.0 * dae_radau_smallest_step(r);
    if (r->t - r->last.t < least || !find_passed(r, &from, &to)) {
      break;
    }
    const double width = fmax(to - from, least);
    const double end = from - r->last.t > least ? from : fmin(from + width, to);
    if (!(end < r->t) || !(end > r->last.t)) {
      break;
    }
    status = dae_radau_repeat(r, end);
    r->h = fmin(r->h, width);
  }
  return status;
}
