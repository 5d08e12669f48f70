/* What a point leaves of the equations of a fixed step. */
#include "solver/multistep.h"

static void
count_flops(DaeStepper *s, uint64_t flops)
{
  if (s->is_counting) {
    s->stats->flops_per_step += flops;
  }
}

void
dae_stepper_set_quotient(DaeStepper *s, uint32_t order, double h, const double *x)
{
  const double *alpha = dae_bdf_coefficients[order];
  for (uint32_t j = 0; j < s->plan->n; j++) {
    double sum = alpha[0] * x[j];
    for (uint32_t k = 0; k < order; k++) {
      sum += alpha[k + 1] * s->x[k][j];
    }
    s->q[j] = sum;
    s->xdot[j] = sum / h;
  }
  count_flops(s, (uint64_t)s->plan->n * (2 * order + 1));
  if (s->is_counting) {
    s->stats->divisions_per_step += s->plan->n;
  }
}

void
dae_stepper_discretized_residual(DaeStepper *s, const DaeStepMatrix *matrix, double h)
{
  const DaePattern *mass = &s->evaluator->mass;
  for (uint32_t i = 0; i < matrix->n_dynamic; i++) {
    double sum = h * s->f[i];
    for (uint32_t e = mass->row_start[i]; e < mass->row_start[i + 1]; e++) {
      sum -= s->m[e] * s->q[mass->column[e]];
    }
    s->r[i] = sum;
  }
  for (uint32_t i = matrix->n_dynamic; i < matrix->n_rows; i++) {
    s->r[i] = -s->g[matrix->constraint[i - matrix->n_dynamic]];
  }
  count_flops(s, matrix->n_dynamic + (uint64_t)2 * mass->row_start[matrix->n_dynamic]);
}

void
dae_stepper_serving_residual(DaeStepper *s)
{
  const DaeStepMatrix *matrix = &s->plan->algebraic;
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    s->r[i] = -s->g[matrix->constraint[i]];
  }
}
