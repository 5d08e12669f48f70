/* The matrices of a fixed-step method for one Jacobian, and their factorizations. */
#include <glib.h>
#include <math.h>

#include "solver/multistep.h"

static double *
new_doubles(size_t n)
{
  return g_new0(double, n + 1);
}

DaeStepSlot *
dae_step_slot_new(const DaeEvaluator *ev, const DaeStepPlan *plan, DaeProjection projection)
{
  const DaeNormal *normal =
      projection == DAE_PROJECT_COUPLED ? plan->coupled.normal : plan->norm.normal;
  DaeStepSlot *slot = g_new0(DaeStepSlot, 1);
  slot->newton_values = new_doubles(plan->newton.normal->row_start[plan->newton.n_rows]);
  slot->projection_values = new_doubles(normal->row_start[normal->n_rows]);
  slot->newton = dae_normal_factor_new(plan->newton.normal);
  slot->projection = dae_normal_factor_new(normal);
  slot->m = new_doubles(ev->mass.row_start[ev->n_diff]);
  slot->k = new_doubles(ev->dynamics.row_start[ev->n_diff]);
  slot->gx = new_doubles(ev->constraint.row_start[ev->n_con]);
  return slot;
}

void
dae_step_slot_free(DaeStepSlot *slot)
{
  if (slot != NULL) {
    g_free(slot->newton_values);
    g_free(slot->projection_values);
    dae_normal_factor_free(slot->newton);
    dae_normal_factor_free(slot->projection);
    g_free(slot->m);
    g_free(slot->k);
    g_free(slot->gx);
    g_free(slot);
  }
}

/* alpha*M - h*K and rows of G, entry by entry. */
void
dae_step_slot_gather(const DaeStepMatrix *matrix, double alpha, double h, const double *m,
                     const double *k, const double *gx, double *values)
{
  const uint32_t split = matrix->normal->row_start[matrix->n_dynamic];
  const uint32_t nnz = matrix->normal->row_start[matrix->n_rows];
  for (uint32_t e = 0; e < split; e++) {
    double value = 0.0;
    if (matrix->from_m[e] != DAE_NO_ENTRY) {
      value = alpha * m[matrix->from_m[e]];
    }
    if (matrix->from_k[e] != DAE_NO_ENTRY) {
      value -= h * k[matrix->from_k[e]];
    }
    values[e] = value;
  }
  for (uint32_t e = split; e < nnz; e++) {
    values[e] = gx[matrix->from_g[e]];
  }
  for (uint32_t i = 0; matrix->normal->scale != NULL && i < matrix->n_rows; i++) {
    for (uint32_t e = matrix->normal->row_start[i]; e < matrix->normal->row_start[i + 1]; e++) {
      values[e] *= matrix->normal->scale[i];
    }
  }
}

static void
gather_transposed(const DaeStepMatrix *matrix, const double *gx, double *values)
{
  const uint32_t nnz = matrix->normal->row_start[matrix->n_rows];
  for (uint32_t e = 0; e < nnz; e++) {
    values[e] = gx[matrix->from_g[e]];
  }
}

int
dae_step_slot_fill(DaeStepSlot *slot, const DaeEvaluator *ev, const DaeStepPlan *plan,
                   void *scratch, DaeProjection projection, int parts,
                   const DaeStepPoint *point)
{
  const bool only_norm = parts == DAE_SLOT_PROJECTION && projection == DAE_PROJECT_MINIMUM_NORM;
  DaeJac jac = {
      .k = only_norm ? NULL : slot->k, .gx = slot->gx, .m = only_norm ? NULL : slot->m};
  if (ev->jac(ev->self, scratch, point->t, point->x, point->xdot, &jac) != 0) {
    slot->fault = jac.fault;
    return 1;
  }
  if ((parts & DAE_SLOT_NEWTON) != 0) {
    dae_step_slot_gather(&plan->newton, point->alpha, point->h, slot->m, slot->k, slot->gx,
                         slot->newton_values);
    /* What is not determined at this precision (the common mode of a rectifier that blocks) stays
     * where it was predicted; slopes and algebraic unknowns find out whether that is wrong. */
    dae_normal_factorize(plan->newton.normal, slot->newton_values, slot->newton);
  }
  if ((parts & DAE_SLOT_PROJECTION) != 0 && projection == DAE_PROJECT_COUPLED) {
    dae_step_slot_gather(&plan->coupled, point->alpha, point->h, slot->m, slot->k, slot->gx,
                         slot->projection_values);
    /* A multiplier that only h times its force determines gets no correction when h^2 is lost
     * in rounding; the serving constraints find it afterwards. */
    dae_normal_factorize(plan->coupled.normal, slot->projection_values, slot->projection);
  } else if ((parts & DAE_SLOT_PROJECTION) !=
             0) { /* dependent constraints add nothing: no failure */
    gather_transposed(&plan->norm, slot->gx, slot->projection_values);
    dae_normal_factorize(plan->norm.normal, slot->projection_values, slot->projection);
  }
  return 0;
}

/* Column of the entry that is largest in a row, or no number, if it is larger than *size. */
static bool
find_largest(const DaePattern *pattern, const double *values, uint32_t row, double *size,
             uint32_t *column)
{
  bool found = false;
  for (uint32_t e = pattern->row_start[row]; e < pattern->row_start[row + 1]; e++) {
    if (!(fabs(values[e]) <= *size)) {
      *size = isnan(values[e]) ? INFINITY : fabs(values[e]);
      *column = pattern->column[e];
      found = true;
    }
  }
  return found;
}

uint32_t
dae_step_slot_largest_row(const DaeStepSlot *slot, const DaeEvaluator *ev)
{
  uint32_t row = UINT32_MAX;
  uint32_t column = 0;
  double size = 0.0;
  for (uint32_t i = 0; i < ev->n_diff; i++) {
    row = find_largest(&ev->dynamics, slot->k, i, &size, &column) ? i : row;
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    row = find_largest(&ev->constraint, slot->gx, i, &size, &column) ? ev->n_diff + i : row;
  }
  return row;
}

uint32_t
dae_step_slot_largest_unknown(const DaeStepSlot *slot, const DaeEvaluator *ev, uint32_t row)
{
  uint32_t column = UINT32_MAX;
  double size = 0.0;
  if (row < ev->n_diff) {
    find_largest(&ev->dynamics, slot->k, row, &size, &column);
  } else if (row < ev->n_diff + ev->n_con) {
    find_largest(&ev->constraint, slot->gx, row - ev->n_diff, &size, &column);
  }
  return column;
}
