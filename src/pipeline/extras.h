/* What results can hold beside the variables: parameters and constants, which have one value, and
 * der(x) of the variables that are differentiated in the model. They are numbered behind the
 * results: number k >= dae_problem_n_results is extra k - dae_problem_n_results. */
#ifndef DAE_PIPELINE_EXTRAS_H
#define DAE_PIPELINE_EXTRAS_H

#include "pipeline/pipeline.h"

typedef struct {
  char *name;
  char *unit;              /* NULL if none */
  const char *description; /* NULL if none */
  bool is_constant;
  double value;     /* constants */
  uint32_t unknown; /* derivatives: sign * x'[unknown] */
  int sign;
} DaeExtra;

typedef struct DaeExtras DaeExtras;
/* With the values of this run. (transfer full) */
DaeExtras *dae_extras_new(DaeProblem *problem);
void dae_extras_free(DaeExtras *extras); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeExtras, dae_extras_free)
uint32_t dae_extras_n(const DaeExtras *extras);
const DaeExtra *dae_extras_at(const DaeExtras *extras, uint32_t i);
/* x' at a point of the run, as the equations have it there; valid until the next call. */
const double *dae_extras_slopes(DaeExtras *extras, double t, const double *x);

#endif
