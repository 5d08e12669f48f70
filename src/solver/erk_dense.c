/* Dense output of explicit steps: the continuous extension of the pair at the nodes of a
 * collocation polynomial of its degree or more, which then is the same polynomial. */
#include <math.h>
#include <string.h>

#include "solver/lanes.h"
#include "solver/radau.h"

/* F0 + (1-th) (F1 + th (F2 + ...)) times th; F_i is row i of `f`. */
static double
extension(const double *f, uint32_t n, uint32_t count, uint32_t q, double theta)
{
  double sum = 0.0;
  for (uint32_t i = count; i-- > 0;) {
    sum = f[(size_t)i * n + q] + (i % 2 == 0 ? 1.0 - theta : theta) * sum;
  }
  return theta * sum;
}

/* Further stages of the last step, behind its own; false: no value there. */
static bool
extra_stages(DaeRadau *r)
{
  DaeErk *e = r->erk;
  const DaeErkTableau *pair = e->pair_last;
  const uint32_t n = e->form->n_y;
  for (uint32_t i = pair->s + 1; i <= pair->s + pair->n_extra; i++) {
    for (uint32_t q = 0; q < n; q++) {
      double sum = 0.0;
      for (uint32_t j = 0; j < i; j++) {
        sum += pair->a[i][j] * e->k_last[(size_t)j * n + q];
      }
      e->x[e->form->y[q]] = r->last.x[e->form->y[q]] + r->last.h * sum;
    }
    r->stats.rhs_evaluations++;
    if (dae_erk_slope(e, r->last.t + pair->c[i] * r->last.h, false,
                      e->k_last + (size_t)i * n) != 0) {
      return false;
    }
  }
  return true;
}

/* F0, F1, ... (n_y each) into f; without the extra stages only the cubic of the two ends. */
static uint32_t
coefficients(DaeRadau *r, double *f)
{
  DaeErk *e = r->erk;
  const DaeErkTableau *pair = e->pair_last;
  const uint32_t n = e->form->n_y;
  const double h = r->last.h;
  const double *k = e->k_last;
  const uint32_t count = extra_stages(r) ? 3 + pair->n_dense : 3;
  for (uint32_t q = 0; q < n; q++) {
    const double change = e->x_end[e->form->y[q]] - r->last.x[e->form->y[q]];
    f[q] = change;
    f[n + q] = h * k[q] - change;
    f[2 * n + q] = 2.0 * change - h * (k[q] + k[(size_t)pair->s * n + q]);
    for (uint32_t i = 3; i < count; i++) {
      double sum = 0.0;
      for (uint32_t j = 0; j <= pair->s + pair->n_extra; j++) {
        sum += pair->d[i - 3][j] * k[(size_t)j * n + q];
      }
      f[(size_t)i * n + q] = h * sum;
    }
  }
  return count;
}

/* The unknowns with a derivative by the extension, the others linearly. */
static void
close_y(DaeRadau *r)
{
  DaeErk *e = r->erk;
  const uint32_t n = e->form->n_y;
  const DaeTableau *tableau = r->last.tableau;
  const uint32_t lanes = DAE_LANES_OF(tableau->s);
  double *f = r->delta; /* free at this time, and large enough */
  const uint32_t count = coefficients(r, f);
  memset(r->last.z, 0, sizeof(double) * r->n * lanes);
  for (uint32_t q = 0; q < n; q++) {
    double *z = r->last.z + (size_t)e->form->y[q] * lanes;
    for (uint32_t i = 0; i + 1 < tableau->s; i++) {
      z[i] = extension(f, n, count, q, tableau->c[i]);
    }
    z[tableau->s - 1] = f[q];
  }
  for (uint32_t k = 0; k < e->form->n_direct + e->form->n_linear; k++) {
    const uint32_t j =
        k < e->form->n_direct ? e->form->direct[k] : e->form->linear[k - e->form->n_direct];
    for (uint32_t i = 0; i < tableau->s; i++) {
      r->last.z[(size_t)j * lanes + i] = tableau->c[i] * (e->x_end[j] - r->last.x[j]);
    }
  }
}

/* z of unknown j at node i, from its value there */
static void
put_node(DaeRadau *r, uint32_t j, uint32_t i, double value)
{
  r->last.z[(size_t)j * DAE_LANES_OF(r->last.tableau->s) + i] = value - r->last.x[j];
}

/* The unknowns without derivative from the others, at each node; `all`: not only those that follow
 * directly. */
static void
close_algebraic(DaeRadau *r, bool all)
{
  DaeErk *e = r->erk;
  const DaeTableau *tableau = r->last.tableau;
  const uint32_t lanes = DAE_LANES_OF(tableau->s);
  if (e->form->n_direct + (all ? e->form->n_linear : 0) == 0) {
    return;
  }
  for (uint32_t i = 0; i + 1 < tableau->s; i++) {
    const double t = r->last.t + tableau->c[i] * r->last.h;
    for (uint32_t q = 0; q < e->form->n_y; q++) {
      const uint32_t j = e->form->y[q];
      e->x[j] = r->last.x[j] + r->last.z[(size_t)j * lanes + i];
    }
    const DaeSolvedOut direct = {.direct = e->direct};
    r->stats.rhs_evaluations += all;
    if (all ? dae_erk_slope(e, t, true, e->sum) != 0
            : r->ev->eval_solved(r->ev->self, r->scratch, t, e->x, &direct) != 0) {
      continue;
    }
    for (uint32_t k = 0; k < e->form->n_direct; k++) {
      put_node(r, e->form->direct[k], i, e->direct[k]);
    }
    for (uint32_t k = 0; k < e->form->n_linear && all; k++) {
      put_node(r, e->form->linear[k], i, e->linear[k]);
    }
  }
}

void
dae_radau_close_dense(DaeRadau *r, DaeDenseState needed)
{
  if (r->last.tableau == NULL) {
    r->dense = DAE_DENSE_READY;
  }
  if (r->dense == DAE_DENSE_OPEN && needed > DAE_DENSE_OPEN) {
    close_y(r);
    r->dense = DAE_DENSE_Y;
  }
  if (r->dense < needed) {
    close_algebraic(r, needed == DAE_DENSE_READY);
    r->dense = needed;
  }
}

double
dae_radau_look_at_stage(DaeRadau *r, uint32_t look, bool direct, double *x)
{
  DaeErk *e = r->erk;
  const DaeSolved *form = e->form;
  const DaeErkTableau *pair = e->pair_last;
  const uint32_t stage = pair->looks[look];
  const double t = r->last.t + pair->c[stage] * r->last.h;
  memcpy(x, r->last.x, sizeof(double) * r->n);
  for (uint32_t q = 0; q < form->n_y; q++) {
    double sum = 0.0;
    for (uint32_t j = 0; j < stage; j++) {
      sum += pair->a[stage][j] * e->k_last[(size_t)j * form->n_y + q];
    }
    x[form->y[q]] += r->last.h * sum;
  }
  for (uint32_t k = 0; k < form->n_linear; k++) {
    x[form->linear[k]] = e->linear_at[(size_t)look * form->n_linear + k];
  }
  if (direct && form->n_direct > 0) {
    const DaeSolvedOut out = {.direct = e->direct};
    if (r->ev->eval_solved(r->ev->self, r->scratch, t, x, &out) != 0) {
      return NAN;
    }
    for (uint32_t k = 0; k < form->n_direct; k++) {
      x[form->direct[k]] = e->direct[k];
    }
  }
  return t;
}

DaeDenseState
dae_radau_dense_of_events(const DaeRadau *r)
{
  const uint8_t *used = r->events->used;
  if (r->erk == NULL || used == NULL) {
    return DAE_DENSE_READY;
  }
  const DaeSolved *form = r->erk->form;
  DaeDenseState needed = DAE_DENSE_Y;
  for (uint32_t k = 0; k < form->n_direct; k++) {
    needed = used[form->direct[k]] ? DAE_DENSE_DIRECT : needed;
  }
  for (uint32_t k = 0; k < form->n_linear; k++) {
    needed = used[form->linear[k]] ? DAE_DENSE_READY : needed;
  }
  return needed;
}
