/* The memory of an integration by radau: one block for all vectors, and the linear systems. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/lanes.h"
#include "solver/radau.h"

/* Unknowns from which the sparse systems are faster (chains of pendula: 50 to 60). */
#define SPARSE_FROM 56
/* Up to this many unknowns a matrix with many entries (Fekete's 20 points: 0.15 n^2) is
 * handled faster as a full one. */
#define FULL_UP_TO 400
#define MANY_ENTRIES 0.08

static double *
take(double *base, size_t *at, size_t count)
{
  double *block = base == NULL ? NULL : base + *at;
  *at += (count + 7) & ~(size_t)7;
  return block;
}

/* Lays all vectors out in one block; with base == NULL only measures. */
static size_t
lay_out(DaeRadau *r, double *base, uint32_t s)
{
  size_t n = r->n;
  size_t nd = r->n_diff;
  size_t nc = r->n_con;
  size_t most = MAX(n, MAX(nd, nc));
  size_t nm = r->ev->mass.row_start[nd];
  size_t nk = r->ev->dynamics.row_start[nd];
  size_t ng = r->ev->constraint.row_start[nc];
  size_t ne = r->events != NULL ? r->events->n : 0;
  size_t lanes = DAE_LANES_OF(s);
  size_t at = 0;
  double **vectors[] = {
      &r->x,        &r->xdot,   &r->weight, &r->nominal, &r->last.x,  &r->error,
      &r->work,     &r->f,      &r->g,      &r->gt,      &r->x_out,   &r->xdot_out,
      &r->f_out,    &r->g_out,  &r->gt_out, &r->dx_out,  &r->event_x, &r->inverse_weight,
      &r->xdot_old, &r->largest};
  double **stages[] = {&r->z,      &r->xs, &r->wz, &r->delta,
                       &r->last.z, &r->fs, &r->gs, &r->residual};
  double **masses[] = {&r->m, &r->jac_m, &r->m_out, &r->work_m};
  for (size_t i = 0; i < G_N_ELEMENTS(vectors); i++) {
    *vectors[i] = take(base, &at, most);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(stages); i++) {
    *stages[i] = take(base, &at, most * lanes);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(masses); i++) {
    *masses[i] = take(base, &at, nm);
  }
  r->ms = take(base, &at, nm * lanes);
  r->jac_k = take(base, &at, nk);
  r->jac_gx = take(base, &at, ng);
  r->gx_out = take(base, &at, ng);
  r->switch_old = take(base, &at, r->ev->n_switches);
  r->switch_new = take(base, &at, r->ev->n_switches);
  r->event_old = take(base, &at, 2 * ne);
  r->event_new = take(base, &at, ne);
  r->root_x = take(base, &at, n * DAE_LANES_MAX);
  return at;
}

/* Many unknowns that are sparsely coupled? */
static bool
sparse_is_faster(const DaeEvaluator *ev)
{
  double entries = (double)ev->dynamics.row_start[ev->n_diff] +
                   (double)ev->mass.row_start[ev->n_diff] +
                   (double)ev->constraint.row_start[ev->n_con];
  return ev->n > SPARSE_FROM &&
         (ev->n > FULL_UP_TO || entries < MANY_ENTRIES * (double)ev->n * ev->n);
}

DaeLinsys *
dae_radau_new_linsys(const DaeRadau *r, uint32_t s)
{
  bool sparse = r->options->linear == DAE_LINEAR_SPARSE ||
                (r->options->linear == DAE_LINEAR_AUTO && sparse_is_faster(r->ev));
  DaeLinsys *linsys = sparse ? dae_linsys_sparse_new(r->ev, r->nominal, s) : NULL;
  if (linsys != NULL) {
    return linsys;
  }
  return dae_linsys_dense_new(r->ev, r->nominal, s);
}

static void
set_up(DaeRadau *r, const double *x)
{
  uint32_t s = r->options->order == 0 ? DAE_STAGES_MAX : (uint32_t)(r->options->order + 1) / 2;
  size_t size = lay_out(r, NULL, s);
  lay_out(r, dae_aligned_inside(&r->arena, size * sizeof(double)), s);
  r->scratch = dae_aligned_inside(&r->scratch_block, r->ev->scratch_size);
  dae_evaluator_begin(r->ev, r->scratch, r->options->segment);
  for (uint32_t j = 0; j < r->n; j++) {
    r->x[j] = x[j];
    r->nominal[j] = r->options->nominal != NULL ? fabs(r->options->nominal[j]) : 1.0;
  }
  const DaePattern *mass = &r->ev->mass;
  r->moves = g_new0(uint8_t, r->n + 1);
  for (uint32_t e = 0; e < mass->row_start[r->n_diff]; e++) {
    r->moves[mass->column[e]] = 1;
  }
  r->stages_max = s;
  r->linsys = dae_radau_new_linsys(r, s);
  /* without x' hardly any output point needs one: made when one does */
  r->linsys_out = r->options->no_xdot ? NULL : dae_radau_new_linsys(r, 1);
  r->branch = r->options->step > 0.0 ? NULL : dae_branch_new(r->ev, r->nominal);
  r->determined = r->options->step > 0.0 ? NULL : dae_branch_new_determined(r->ev, r->nominal);
  dae_radau_make_way(r);
  r->erk = dae_solver_may_be_explicit(r->options) ? dae_erk_new(r->ev, r->scratch) : NULL;
  r->own = (DaeRadauMode){
      .linsys = r->linsys, .jac_m = r->jac_m, .jac_k = r->jac_k, .jac_gx = r->jac_gx};
  r->current = &r->own;
}

void
dae_radau_free(DaeRadau *r)
{
  if (r == NULL) {
    return;
  }
  dae_radau_free_modes(r);
  r->linsys->ops->free(r->linsys);
  if (r->linsys_out != NULL) {
    r->linsys_out->ops->free(r->linsys_out);
  }
  dae_states_free(r->states);
  dae_branch_free(r->branch);
  dae_branch_free(r->determined);
  dae_erk_free(r->erk);
  dae_radau_free_turn(r);
  dae_radau_free_way(r);
  g_free(r->arena);
  g_free(r->scratch_block);
  free(r->segment);
  g_free(r->moves);
  free(r->root_store);
  free(r->root_range);
  free(r->root_boxes);
  free(r->passed_store);
  free(r->second_store);
  free(r->crossed);
  free(r);
}

DaeRadau *
dae_radau_new(const DaeEvaluator *ev, const DaeSolverOptions *options, const double *x,
              const DaeEvents *events, DaeOutputPoint output, void *user)
{
  DaeRadau *r = dae_aligned_new0(sizeof *r);
  *r = (DaeRadau){.ev = ev,
                  .options = options,
                  .events = events,
                  .output = output,
                  .user = user,
                  .n = ev->n,
                  .n_diff = ev->n_diff,
                  .n_con = ev->n_con,
                  .t = options->t_start,
                  .limit = options->t_stop,
                  .first = true,
                  .dense = DAE_DENSE_READY,
                  .is_ramping = true};
  set_up(r, x);
  dae_radau_prepare_orders(r);
  dae_radau_set_order(r, dae_radau_first_order(options));
  return r;
}
