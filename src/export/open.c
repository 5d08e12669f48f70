/* Unknowns that a mode of exported C leaves open, where equations hold twice. Becomes text like
 * events.c. */
#include "model.h"

/* part: event_open */
#if MODEL_WITH_OPEN
/* Where equations hold twice in a mode, unknowns that it leaves open keep the values that they
 * had before (instant/open.c). */
static void
model_hold_open(model_instance *s, double t, const double *x)
{
  unsigned i;
  model_open(t, x, s->rate, s->open);
  for (i = 0u; i < MODEL_N_OPEN; i++) {
    double *flag = &s->segment[MODEL_AT_OPEN + 2u * i];
    if (!(s->open[i] > 0.5)) {
      flag[0] = 0.0;
      flag[1] = 0.0;
    } else if (!(flag[0] > 0.5)) {
      flag[0] = 1.0;
      flag[1] = x[model_open_column[i]];
    }
  }
}

/* Parameters that were set may have made other equations of those that held twice: then there is
 * no solution. */
static int
model_rows_hold(model_instance *s, double t, const double *x)
{
  const model_matrix *a = &model_algebraic_matrix;
  unsigned i;
  unsigned e;
  (void)model_derivatives(s, 0, t, x);
  model_g(t, x, s->g);
  for (i = 0u; i < a->n_rows; i++) {
    const unsigned row = a->constraint[i];
    double scale = 0.0;
    for (e = model_gx_start[row]; e < model_gx_start[row + 1u]; e++) {
      const unsigned j = model_gx_column[e];
      scale += fabs(s->gx[e]) * (fabs(x[j]) + model_nominal[j]);
    }
    if (fabs(s->g[row]) > 1e-8 * scale) {
      return 0;
    }
  }
  return 1;
}

#endif /* OPEN */
