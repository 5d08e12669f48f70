/* Guards of state events as the integrator sees them: positive inside the range of their
 * buffer. */
#include <math.h>
#include <string.h>

#include "instant/enclose.h"
#include "terms/routines.h"

static bool
has_time_or_unknowns(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, atoms);
  return atoms->len > 0 || dae_term_contains(terms, t, dae_term_time(terms));
}

static uint32_t
column_of(const DaeInstant *instant, DaeTerm atom)
{
  for (uint32_t j = 0; j < instant->n; j++) {
    if (instant->parts.unknowns[j] == atom) {
      return j;
    }
  }
  return UINT32_MAX;
}

/* constant, slope and factors of an affine guard; false: it is none. */
static bool
split_affine(const DaeInstant *instant, DaeTerm g, GArray *columns, GArray *factors,
             DaeTerm *constant, DaeTerm *slope)
{
  DaeTerms *terms = instant->terms;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) partials = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeSubst) zeros = dae_subst_new(terms);
  if (dae_term_has_varying_break(terms, g)) {
    return false;
  }
  dae_term_gradient(terms, g, atoms, partials);
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm factor = g_array_index(partials, DaeTerm, a);
    uint32_t column = column_of(instant, g_array_index(atoms, DaeTerm, a));
    if (column == UINT32_MAX || factor == DAE_NO_TERM || has_time_or_unknowns(terms, factor)) {
      return false;
    }
    g_array_append_val(columns, column);
    g_array_append_val(factors, factor);
    dae_subst_set(zeros, g_array_index(atoms, DaeTerm, a), dae_term_int(terms, 0));
  }
  *slope = dae_term_partial(terms, g, dae_term_time(terms));
  dae_subst_set(zeros, dae_term_time(terms), dae_term_int(terms, 0));
  *constant = dae_subst_apply(zeros, g);
  return *slope != DAE_NO_TERM && *constant != DAE_NO_TERM &&
         !has_time_or_unknowns(terms, *slope);
}

/* Guards of more unknowns are enclosed as they are written only. */
enum { MOST_PARTIALS = 8 };

/* By time, then by unknown. (transfer full) NULL: there are too many, or g has kinks. */
static DaeBound **
partials_of(DaeInstant *instant, DaeTerm g, const uint32_t *columns, uint32_t n)
{
  DaeTerms *terms = instant->terms;
  if (n > MOST_PARTIALS || dae_term_has_varying_break(terms, g)) {
    return NULL;
  }
  DaeBound **partials = g_new0(DaeBound *, n + 2);
  for (uint32_t k = 0; k <= n; k++) {
    DaeTerm by = k == 0 ? dae_term_time(terms) : instant->parts.unknowns[columns[k - 1]];
    DaeTerm partial = dae_term_partial(terms, g, by);
    partials[k] = partial != DAE_NO_TERM ? dae_bound_new(instant, partial) : NULL;
  }
  return partials;
}

/* The mean value form: g at the middle and slopes times distances; as sharp as the square of
 * the box is small. */
static DaeInterval
centered(const DaeInstant *instant, uint32_t guard, DaeInterval time, DaeInterval *x)
{
  uint32_t n = 0;
  const uint32_t *columns = dae_bound_columns(instant->bounds[guard], &n);
  DaeBound **partials = instant->partials[guard];
  DaeInterval middle[MOST_PARTIALS];
  double center = 0.5 * (time.low + time.high);
  double reach = 0;
  for (uint32_t k = 0; k <= n; k++) {
    DaeInterval range = k == 0 ? time : x[columns[k - 1]];
    double radius = 0.5 * (range.high - range.low);
    DaeInterval slope = partials[k] != NULL ? dae_bound_at(partials[k], time, x)
                                            : (DaeInterval){-INFINITY, INFINITY};
    if (radius > 0) {
      reach += (1 + 1e-15) * radius * fmax(fabs(slope.low), fabs(slope.high));
    }
  }
  for (uint32_t k = 0; k < n; k++) { /* the middle takes the place of the box for a moment */
    double m = 0.5 * (x[columns[k]].low + x[columns[k]].high);
    middle[k] = x[columns[k]];
    x[columns[k]] = (DaeInterval){m, m};
  }
  DaeInterval g = dae_bound_at(instant->bounds[guard], (DaeInterval){center, center}, x);
  for (uint32_t k = 0; k < n; k++) {
    x[columns[k]] = middle[k];
  }
  double slack = 1e-14 * (fabs(g.low) + fabs(g.high) + reach);
  return (DaeInterval){g.low - reach - slack, g.high + reach + slack};
}

static bool
has_routines(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  dae_term_collect_routines(terms, t, numbers);
  return numbers->len > 0;
}

/* Enclosures of the guards that are not affine. */
static void
prepare_bounds(DaeInstant *instant)
{
  uint32_t n = instant->guard_buffers->len;
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  instant->bounds = g_new0(DaeBound *, n + 1);
  instant->single = g_new0(DaePointFunctions, n + 1);
  instant->partials = g_new0(DaeBound **, n + 1);
  instant->used.start = g_new0(uint32_t, n + 2);
  instant->used.is_bounded = g_new0(uint8_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    if (instant->affine.is_affine[i] == 0) {
      uint32_t b = dae_instant_guard_buffer(instant, i);
      uint32_t n_columns = 0;
      DaeTerm g = dae_buffers_get(instant->buffers, b)->g;
      instant->used.is_bounded[i] = !has_routines(instant->terms, g);
      instant->bounds[i] = dae_bound_new(instant, g);
      const uint32_t *found = dae_bound_columns(instant->bounds[i], &n_columns);
      instant->partials[i] = partials_of(instant, g, found, n_columns);
      g_array_append_vals(columns, found, n_columns);
    }
    instant->used.start[i + 1] = columns->len;
  }
  instant->used.column = g_new0(uint32_t, columns->len + 1);
  if (columns->len > 0) {
    memcpy(instant->used.column, columns->data, columns->len * sizeof(uint32_t));
  }
}

void
dae_guards_free(DaeInstant *instant)
{
  for (uint32_t i = 0; instant->bounds != NULL && i < instant->guard_buffers->len; i++) {
    for (uint32_t k = 0; instant->partials[i] != NULL && k <= MOST_PARTIALS; k++) {
      if (k > instant->used.start[i + 1] - instant->used.start[i]) {
        break;
      }
      dae_bound_free(instant->partials[i][k]);
    }
    g_free(instant->partials[i]);
    dae_bound_free(instant->bounds[i]);
    dae_point_functions_clear(&instant->single[i]);
  }
  g_free(instant->single);
  g_free(instant->bounds);
  g_free(instant->partials);
  g_free(instant->used.start);
  g_free(instant->used.column);
  g_free(instant->used.is_bounded);
}

const DaeUsedUnknowns *
dae_instant_used_unknowns(const DaeInstant *instant)
{
  return &instant->used;
}

/* The distance from the ends of the range is concave: its least value is at an end of g. */
static bool
leaves_range(const DaeBuffer *buffer, double value, DaeInterval g, double threshold)
{
  int side = 0;
  return fmin(dae_buffer_distance(buffer->kind, value, g.low, &side),
              dae_buffer_distance(buffer->kind, value, g.high, &side)) < -threshold;
}

bool
dae_instant_guard_may_cross(DaeInstant *instant, uint32_t guard, const double *time, double *x,
                            double threshold)
{
  uint32_t b = dae_instant_guard_buffer(instant, guard);
  const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
  double value = instant->segment[instant->at_buffer + b];
  DaeInterval span = {time[0], time[1]};
  DaeInterval *ranges = (DaeInterval *)(void *)x;
  if (instant->bounds[guard] == NULL) {
    return true;
  }
  return leaves_range(buffer, value, dae_bound_at(instant->bounds[guard], span, ranges),
                      threshold) &&
         (instant->partials[guard] == NULL ||
          leaves_range(buffer, value, centered(instant, guard, span, ranges), threshold));
}

/* Derivatives and guards without unknowns have none of their own. */
static double
find_nominal(const DaeInstant *instant, GHashTable *columns, DaeTerm g)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  double largest = 0;
  dae_term_collect_variables(instant->terms, g, atoms);
  for (guint i = 0; i < atoms->len; i++) {
    guint j = GPOINTER_TO_UINT(
        g_hash_table_lookup(columns, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, i))));
    largest = fmax(largest, j > 0 ? instant->parts.nominal[j - 1] : 1);
  }
  return largest > 0 ? fmin(largest, 1) : 1;
}

static void
find_nominals(DaeInstant *instant)
{
  g_autoptr(GHashTable) columns = g_hash_table_new(NULL, NULL); /* unknown -> column + 1 */
  for (uint32_t j = 0; j < instant->n; j++) {
    g_hash_table_insert(columns, GUINT_TO_POINTER(instant->parts.unknowns[j]),
                        GUINT_TO_POINTER(j + 1));
  }
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    instant->guard_nominal[b] =
        find_nominal(instant, columns, dae_buffers_get(instant->buffers, b)->g);
  }
}

bool
dae_guards_prepare(DaeInstant *instant, GError **error)
{
  DaeTerms *terms = instant->terms;
  DaeAffineGuards *affine = &instant->affine;
  uint32_t n = instant->guard_buffers->len;
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  affine->is_affine = g_new0(uint8_t, n + 1);
  affine->start = g_new0(uint32_t, n + 2);
  for (uint32_t i = 0; i < n; i++) {
    const DaeBuffer *buffer =
        dae_buffers_get(instant->buffers, dae_instant_guard_buffer(instant, i));
    bool is_relation =
        buffer->kind == DAE_BUFFER_POSITIVE || buffer->kind == DAE_BUFFER_NONNEGATIVE;
    DaeTerm constant = dae_term_int(terms, 0);
    DaeTerm slope = constant;
    uint32_t first = columns->len;
    if (is_relation && split_affine(instant, buffer->g, columns, factors, &constant, &slope)) {
      affine->is_affine[i] = 1;
    } else {
      g_array_set_size(columns, first);
      g_array_set_size(factors, first);
      constant = slope = dae_term_int(terms, 0);
    }
    affine->start[i + 1] = columns->len;
    g_array_append_val(outputs, constant);
    g_array_append_val(outputs, slope);
  }
  g_array_append_vals(outputs, factors->data, factors->len);
  affine->column = g_memdup2(columns->data, columns->len * sizeof(uint32_t));
  affine->factor = g_new0(double, columns->len + 1);
  affine->constant = g_new0(double, n + 1);
  affine->slope = g_new0(double, n + 1);
  prepare_bounds(instant);
  find_nominals(instant);
  return dae_point_functions_init(&instant->affine_functions, instant,
                                  (const DaeTerm *)(void *)outputs->data, outputs->len, error);
}

/* +1 where the buffer's range is above 0. */
static double
sign_of_guard(const DaeInstant *instant, uint32_t guard)
{
  uint32_t b = dae_instant_guard_buffer(instant, guard);
  return instant->segment[instant->at_buffer + b] > 0.5 ? 1 : -1;
}

const DaeAffineGuards *
dae_instant_affine_guards(DaeInstant *instant)
{
  DaeAffineGuards *affine = &instant->affine;
  uint32_t n = instant->guard_buffers->len;
  const double *out = instant->affine_functions.out;
  if (n == 0) {
    return affine;
  }
  g_autofree double *x = g_new0(double, instant->n + 1);
  dae_point_functions_eval(instant, &instant->affine_functions, 0, x);
  for (uint32_t i = 0; i < n; i++) {
    double sign = sign_of_guard(instant, i);
    affine->constant[i] = sign * out[2 * i];
    affine->slope[i] = sign * out[2 * i + 1];
    for (uint32_t e = affine->start[i]; e < affine->start[i + 1]; e++) {
      affine->factor[e] = sign * out[2 * n + e];
    }
  }
  return affine;
}

void
dae_instant_set_resolution(DaeInstant *instant, double share)
{
  instant->resolution = share;
}

/* Located events lie beyond the zero by up to this many thresholds
 * (FAR_BEYOND in solver/roots.c). */
#define BEYOND 100.0
/* What a guard that passes 0 is compared with is its size in the steps before, which tells of the
 * rounding of the unknowns that it is made of: der(H) > 0 at a turn of H. */
#define FORGETTING 0.5 /* at each event */

double
dae_guard_nearness(const DaeInstant *instant, uint32_t b)
{
  double scale = fmax(instant->guards.out[instant->n_buffers + b], instant->guard_size[b]);
  return BEYOND * instant->resolution * (scale + dae_guard_nominal(instant, b));
}

double
dae_instant_guard_nearness(const DaeInstant *instant, uint32_t guard)
{
  return dae_guard_nearness(instant, dae_instant_guard_buffer(instant, guard));
}

double
dae_guard_nominal(const DaeInstant *instant, uint32_t b)
{
  return instant->guard_nominal[b];
}

uint32_t
dae_instant_n_guards(const DaeInstant *instant)
{
  return instant->guard_buffers->len;
}

uint32_t
dae_instant_guard_buffer(const DaeInstant *instant, uint32_t guard)
{
  return g_array_index(instant->guard_buffers, uint32_t, guard);
}

bool
dae_instant_guard_is_true(const DaeInstant *instant, uint32_t guard)
{
  uint32_t b = dae_instant_guard_buffer(instant, guard);
  return (instant->segment[instant->at_buffer + b] > 0.5) !=
         dae_buffers_get(instant->buffers, b)->is_negated;
}

/* Distance of buffer b from the ends of its range where its function is g. */
static double
distance_of(const DaeInstant *instant, uint32_t b, double g)
{
  int side = 0;
  return dae_buffer_distance(dae_buffers_get(instant->buffers, b)->kind,
                             instant->segment[instant->at_buffer + b], g, &side);
}

bool
dae_instant_has_single_guards(const DaeInstant *instant)
{
  return !instant->needs_slopes;
}

double
dae_instant_guard(DaeInstant *instant, uint32_t guard, double t, const double *x)
{
  DaePointFunctions *single = &instant->single[guard];
  uint32_t b = dae_instant_guard_buffer(instant, guard);
  if (single->tape == NULL) {
    DaeTerm g = dae_buffers_get(instant->buffers, b)->g;
    if (!dae_point_functions_init(single, instant, &g, 1, NULL)) {
      return NAN;
    }
  }
  dae_point_functions_eval(instant, single, t, x);
  return distance_of(instant, b, single->out[0]);
}

/* before: what is left of its size. Values that jump (delays) tell nothing of rounding, nor do those
 * of a fixed step: it ends far beyond zeros, in positions that are not valid there (a diode that is
 * held open has 1e5 times the size). */
static void
note_size(DaeInstant *instant, uint32_t b, double before)
{
  double now = instant->guards.out[instant->n_buffers + b];
  bool counts = isfinite(now) && instant->delayed->len == 0 && instant->step_begin == NULL;
  instant->guard_size[b] = counts ? fmax(now, before) : 0;
}

static void
guards_at(DaeInstant *instant, double t, const double *x, unsigned lanes, unsigned lane,
          double *values)
{
  if (instant->needs_slopes) {
    instant->parts.slopes(instant->parts.user, t, x, instant->segment, instant->xdot);
  }
  dae_point_functions_eval(instant, &instant->guards, t, x);
  for (uint32_t i = 0; i < instant->guard_buffers->len; i++) {
    uint32_t b = dae_instant_guard_buffer(instant, i);
    values[i * lanes + lane] = distance_of(instant, b, instant->guards.out[b]);
    note_size(instant, b, instant->guard_size[b]);
  }
}

void
dae_instant_guards(DaeInstant *instant, unsigned lanes, const double *t, const double *x,
                   double *values)
{
  for (unsigned l = 0; l < lanes; l++) {
    for (uint32_t j = 0; lanes > 1 && j < instant->n; j++) {
      instant->x_work[j] = x[(size_t)j * lanes + l];
    }
    guards_at(instant, t[l], lanes > 1 ? instant->x_work : x, lanes, l, values);
  }
}

void
dae_instant_guard_scales(DaeInstant *instant, double t, const double *x, double *scales)
{
  dae_point_functions_eval(instant, &instant->guards, t, x);
  for (uint32_t i = 0; i < instant->guard_buffers->len; i++) {
    uint32_t b = dae_instant_guard_buffer(instant, i);
    double now = instant->guards.out[instant->n_buffers + b];
    note_size(instant, b, FORGETTING * instant->guard_size[b]);
    scales[i] = fmax(now, instant->guard_size[b]) + dae_guard_nominal(instant, b);
  }
}
