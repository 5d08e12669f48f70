/* Guards of state events as the integrator sees them: positive inside the range of their buffer. */
#include <string.h>

#include "instant/instant-priv.h"

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

double
dae_guard_nearness(const DaeInstant *instant, uint32_t b)
{
  return BEYOND * instant->resolution * (instant->guards.out[instant->n_buffers + b] + 1);
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
    int side = 0;
    values[i * lanes + lane] = dae_buffer_distance(dae_buffers_get(instant->buffers, b)->kind,
                                                   instant->segment[instant->at_buffer + b],
                                                   instant->guards.out[b], &side);
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
    scales[i] = instant->guards.out[instant->n_buffers + b] + 1;
  }
}
