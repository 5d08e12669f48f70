/* Is a step solved for, or do corrections only look small? Newton's corrections are the residual
 * over the Jacobian: where that of the start is far larger than any inside the step (the slope of a
 * root or a power at the edge of its domain, where events are), the first ones are far too small,
 * and no contraction tells. */
#include <math.h>

#include "solver/lanes.h"
#include "solver/radau.h"

/* What an equation may leave open over a step, in tolerances, whatever the Jacobian says. */
#define SMALL_GAP 0.5
/* Jacobians of places inside a step. */
#define MOST_SECOND 6

/* A polynomial may go on so many times as far as in its step, in the same time. */
#define SENSIBLE_AHEAD 5.0

/* So many times larger a Jacobian is one of another place, ... */
#define STEEP 4.0
/* ... where it counts beside the derivatives. */
#define SMALL_ENTRY 0.1

/* What differential equation i says for a change of all its derivatives by their tolerances. */
static double
size_of_row(const DaeRadau *r, uint32_t i)
{
  const DaePattern *mass = &r->ev->mass;
  const uint32_t lanes = DAE_LANES_OF(r->tableau->s);
  double size = 0.0;
  for (uint32_t e = mass->row_start[i]; e < mass->row_start[i + 1]; e++) {
    size += fabs(r->ms[(size_t)e * lanes]) * r->weight[mass->column[e]];
  }
  return size;
}

/* Would some unknown move by much if there were no Jacobian but that of its own derivative? */
static bool
leaves_much_open(const DaeRadau *r, double h)
{
  const uint32_t s = r->tableau->s;
  const uint32_t lanes = DAE_LANES_OF(s);
  for (uint32_t i = 0; i < r->n_diff; i++) {
    double gap = 0.0;
    for (uint32_t k = 0; k < s; k++) {
      gap = fmax(gap, fabs(h * r->residual[(size_t)i * lanes + k]));
    }
    if (gap > SMALL_GAP * size_of_row(r, i)) {
      return true;
    }
  }
  return false;
}

/* The Jacobian of stage i of the step just solved for; NULL: there is none. */
static DaeJac *
jacobian_of_stage(DaeRadau *r, uint32_t i, double h, DaeJac *jac)
{
  const DaeEvaluator *ev = r->ev;
  const size_t n_k = ev->dynamics.row_start[r->n_diff];
  const size_t n_m = ev->mass.row_start[r->n_diff];
  const size_t n_g = ev->constraint.row_start[r->n_con];
  const uint32_t s = r->tableau->s;
  const uint32_t lanes = DAE_LANES_OF(s);
  if (r->second_store == NULL) {
    r->second_store = dae_aligned_new0((n_k + n_m + n_g + r->n_con + 1) * sizeof(double));
  }
  *jac = (DaeJac){.k = r->second_store,
                  .m = r->second_store + n_k,
                  .gx = r->second_store + n_k + n_m,
                  .gt = r->second_store + n_k + n_m + n_g};
  for (uint32_t j = 0; j < r->n; j++) {
    const double *z = r->z + (size_t)j * lanes;
    double slope = 0.0;
    for (uint32_t q = 0; q < s; q++) {
      slope += r->tableau->w[i][q] * z[q];
    }
    r->work[j] = r->x[j] + z[i];
    r->error[j] = slope / h;
  }
  r->stats.jacobian_evaluations++;
  const double t = r->t + r->tableau->c[i] * h;
  return ev->jac(ev->self, r->scratch, t, r->work, r->error, jac) == 0 ? jac : NULL;
}

/* Was the current Jacobian much larger, in an entry that counts beside the derivatives? */
static bool
was_steeper(const DaeRadau *r, double h, const double *k)
{
  const DaePattern *dynamics = &r->ev->dynamics;
  for (uint32_t i = 0; i < r->n_diff; i++) {
    const double allowed = size_of_row(r, i);
    for (uint32_t e = dynamics->row_start[i]; e < dynamics->row_start[i + 1]; e++) {
      const double entry = fabs(r->jac_k[e]);
      if (entry > STEEP * fabs(k[e]) &&
          h * entry * r->weight[dynamics->column[e]] > SMALL_ENTRY * allowed) {
        return true;
      }
    }
  }
  return false;
}

DaeNewtonStatus
dae_radau_ask_again(DaeRadau *r, double h)
{
  DaeJac jac;
  for (uint32_t k = 0; k < MOST_SECOND; k++) {
    if (!r->jacobian_is_doubtful || !leaves_much_open(r, h)) {
      return DAE_NEWTON_CONVERGED;
    }
    if (jacobian_of_stage(r, r->tableau->s / 2, h, &jac) == NULL) {
      return DAE_NEWTON_SLOW;
    }
    if (!was_steeper(r, h, jac.k)) {
      break;
    }
    dae_radau_note_old_jacobian(r);
    if (!dae_radau_take_jacobian(r, &jac)) {
      return DAE_NEWTON_SLOW;
    }
    r->stats.factorizations_differential++;
    r->factored = r->linsys->ops->factor(r->linsys, r->tableau, h);
    r->h_factored = h;
    const DaeNewtonStatus newton = r->factored ? dae_radau_newton(r, h) : DAE_NEWTON_SLOW;
    if (newton != DAE_NEWTON_CONVERGED) {
      return newton;
    }
    r->jacobian_is_doubtful = r->iterations > 1;
  }
  r->jacobian_is_doubtful = false;
  return DAE_NEWTON_CONVERGED;
}

/* Behind its step, which may have been cut short for an event, a polynomial goes anywhere. A Jacobian
 * from there may be so large that every correction looks small: whether the first one did anything
 * is then looked at (newton.c). */
bool
dae_radau_goes_anywhere(const DaeRadau *r, double ahead)
{
  const uint32_t s = r->last.tableau->s;
  const double longer = 1.0 + ahead / r->last.h;
  for (uint32_t j = 0; j < r->n; j++) {
    const double *z = r->last.z + (size_t)j * DAE_LANES_OF(s);
    double moved = r->weight[j];
    for (uint32_t i = 0; i < s; i++) {
      moved = fabs(z[i]) > moved ? fabs(z[i]) : moved;
    }
    if (!(fabs(r->work[j] - r->x[j]) <= SENSIBLE_AHEAD * longer * moved)) {
      return true;
    }
  }
  return false;
}
