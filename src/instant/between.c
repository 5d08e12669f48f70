/* Positions of relations that a fixed step has passed over: would they have done something? */
#include <math.h>
#include <string.h>

#include "instant/instant-priv.h"

typedef struct {
  DaeInstant *instant;
  double t;
  const double *x;
  const double *segment; /* as it is */
} Look;

/* Discrete values and the rows of the system, with these relations on their other side. */
static bool
look(const Look *self, const uint32_t *guards, uint32_t n, double *out)
{
  DaeInstant *instant = self->instant;
  const DaeEvaluator *ev = instant->evaluator;
  memcpy(instant->segment, self->segment, instant->n_segment * sizeof(double));
  for (uint32_t i = 0; i < n; i++) {
    double *value = &instant->segment[instant->at_buffer + g_array_index(instant->guard_buffers,
                                                                         uint32_t, guards[i])];
    *value = 1 - *value;
  }
  dae_point_functions_eval(instant, &instant->discrete, self->t, self->x);
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    out[k] = instant->discrete.out[k];
    instant->segment[k] = isfinite(out[k]) ? out[k] : instant->segment[k];
  }
  dae_evaluator_begin(ev, instant->scratch, instant->segment);
  DaeOut rows = {.f = out + instant->n_discrete, .g = out + instant->n_discrete + ev->n_diff};
  return ev->eval(ev->self, instant->scratch, 1, &self->t, self->x, &rows) == 0;
}

static bool
are_relations(const DaeInstant *instant, const uint32_t *guards, uint32_t n)
{
  bool good = true;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t b = g_array_index(instant->guard_buffers, uint32_t, guards[i]);
    DaeBufferKind kind = dae_buffers_get(instant->buffers, b)->kind;
    good = good && (kind == DAE_BUFFER_POSITIVE || kind == DAE_BUFFER_NONNEGATIVE);
  }
  return good;
}

/* Before, in between, after: something that goes there and back, or beyond. */
bool
dae_instant_acts_between(DaeInstant *instant, double t, const double *x, const uint32_t *first,
                         uint32_t n_first, const uint32_t *all, uint32_t n_all)
{
  uint32_t n = instant->n_discrete + instant->evaluator->n_diff + instant->evaluator->n_con;
  if (!are_relations(instant, first, n_first) || !are_relations(instant, all, n_all)) {
    return false;
  }
  g_autofree double *segment =
      g_memdup2(instant->segment, (instant->n_segment + 1) * sizeof(double));
  g_autofree double *out = g_new0(double, 3 * (size_t)n + 1);
  Look self = {instant, t, x, segment};
  uint64_t operations = instant->operations;
  bool acts = look(&self, NULL, 0, out) && look(&self, first, n_first, out + n) &&
              look(&self, all, n_all, out + 2 * (size_t)n);
  bool found = false;
  for (uint32_t k = 0; acts && k < n; k++) {
    double slack = 1e-9 * (fabs(out[k]) + fabs(out[2 * (size_t)n + k]) + 1e-6);
    found = found || out[n + k] > fmax(out[k], out[2 * (size_t)n + k]) + slack ||
            out[n + k] < fmin(out[k], out[2 * (size_t)n + k]) - slack;
  }
  memcpy(instant->segment, segment, instant->n_segment * sizeof(double));
  dae_evaluator_begin(instant->evaluator, instant->scratch, instant->segment);
  instant->operations = operations; /* no part of the method */
  return found;
}
