/* Dense systems that stand in for sparse ones. The sparse system (linsys_sparse.c) regularizes the
 * constraints and keeps the pivots of its order as long as they may be: where a circuit of diodes has
 * conductances of 1e5 and 1e-5 S in one loop, or the differential rows hold algebraic equations,
 * it is singular, or its corrections are rounding. LU with full pivoting takes such pivots. */
#include "solver/radau.h"

/* Unknowns up to which dense systems stand in where the sparse ones are singular, ... */
#define DENSE_UP_TO 1000
/* ... and where their corrections are rounding. */
#define EXACT_UP_TO 400
/* A step shorter than this part of the run, at its very start, is at a singular point: corrections
 * of any size tell nothing of the systems. */
#define NOTHING 1e-20

static bool
may_be_dense(const DaeRadau *r, uint32_t most)
{
  return r->linsys->is_sparse && r->n <= most;
}

static void
replace_by(DaeRadau *r, DaeLinsys *dense)
{
  r->linsys->ops->free(r->linsys);
  r->linsys = dense;
  if (r->linsys_out != NULL) {
    r->linsys_out->ops->free(r->linsys_out);
    r->linsys_out = dae_linsys_dense_new(r->ev, r->nominal, 1);
  }
}

void
dae_radau_take_dense(DaeRadau *r)
{
  if (may_be_dense(r, DENSE_UP_TO)) {
    replace_by(r, dae_linsys_dense_new(r->ev, r->nominal, r->stages_max));
  }
}

/* Where it is regular at the present point; its Jacobian is that point's then. */
static bool
take_if_regular(DaeRadau *r, double h)
{
  DaeLinsys *sparse = r->linsys;
  DaeLinsys *dense = dae_linsys_dense_new(r->ev, r->nominal, r->stages_max);
  r->linsys = dense;
  const bool regular =
      dae_radau_refresh_jacobian(r, 0.0) == 0 && dense->ops->factor(dense, r->tableau, h);
  r->linsys = sparse;
  if (regular) {
    replace_by(r, dense);
    return true;
  }
  dense->ops->free(dense);
  dae_radau_refresh_jacobian(r, 0.0);
  return false;
}

bool
dae_radau_try_dense(DaeRadau *r, double h)
{
  return may_be_dense(r, DENSE_UP_TO) && r->stats.steps_accepted == 0 && take_if_regular(r, h);
}

bool
dae_radau_stand_in(DaeRadau *r)
{
  const double span = r->options->t_stop - r->options->t_start;
  if (!may_be_dense(r, EXACT_UP_TO) || r->h < NOTHING * span) {
    return false;
  }
  r->largest_rank = 0; /* the sparse systems know no more than a bound of it */
  return take_if_regular(r, r->h);
}
