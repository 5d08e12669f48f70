/* The fixed-step integrator that `daetool export` writes: the same algorithm as
 * solver/multistep_step.c, for a model given by functions and tables. C99, static
 * memory, loops over constant bounds.
 *
 * This is a C file like others: tests/export compiles it with a small model and looks at its
 * orders. At build time scripts/embed_integrator.py makes strings of it: model_ and MODEL_
 * become the prefix of the exported model, what stands between "#if MODEL_WITH_A" and its #endif
 * is left out unless the feature A is used, and lines with "part:" begin a new string. Its parts
 * integrator-*.inc are read where they are included. */
#include "model.h" /* functions, sizes and the instance of the model */

#include "export/integrator-linear.inc"

#include "model_tables.h" /* coefficients and matrices */

/* part: derivatives */
/* ---- pieces of a step: each returns 0, or MODEL_DOMAIN, or MODEL_SINGULAR ---- */

#if MODEL_WITH_DERIVATIVES
enum { MODEL_WANTS_K = 1, MODEL_WANTS_GT = 2 };

static int
model_derivatives_at(model_instance *s, int parts, double t, const double *x)
{
  if ((parts & MODEL_WANTS_K) != 0) {
    model_k(t, x, s->xdot, s->k);
  }
  if ((parts & MODEL_WANTS_GT) != 0) {
    model_gt(t, x, s->gt);
  }
  model_gx(t, x, s->gx);
  return model_is_good(s->gx, MODEL_N_GX) &&
                 ((parts & MODEL_WANTS_K) == 0 || model_is_good(s->k, MODEL_N_K)) &&
                 ((parts & MODEL_WANTS_GT) == 0 || model_is_good(s->gt, MODEL_N_CON))
             ? 0
             : MODEL_DOMAIN;
}

#if MODEL_WITH_EDGES
/* At the edge of a domain functions have values but no derivatives: sqrt(x) at 0, where a tank is
 * empty. Those beside it serve as well, they only steer corrections: along x', then up, then down,
 * each a little farther the second time. */
static int
model_derivatives_beside(model_instance *s, int parts, double t, const double *x)
{
  int status = MODEL_DOMAIN;
  unsigned attempt;
  unsigned i;
  for (attempt = 0u; attempt < 6u && status != 0; attempt++) {
    const double size = attempt < 3u ? 1e-9 : 1e-6;
    const double sign = attempt % 3u == 2u ? -1.0 : 1.0;
    for (i = 0u; i + 1u <= MODEL_N; i++) {
      const double away =
          size * (1.0 + (x[i] < 0.0 ? -x[i] : x[i])) * (1.0 + (double)(i % 7u) / 8.0);
      s->beside[i] = x[i] + (attempt % 3u == 0u ? size * s->xdot[i] : sign * away);
    }
    status =
        model_derivatives_at(s, parts, t + sign * size * (1.0 + (t < 0.0 ? -t : t)), s->beside);
  }
  return status;
}

#endif /* EDGES */
#endif /* DERIVATIVES */
/* part: differences */
#if MODEL_WITH_DERIVATIVES
#if MODEL_WITH_EDGES
/* s->r := f - M x' and g at a point, less what is there if it is to be a difference. */
static int
model_take_rows(model_instance *s, double t, const double *x, int is_difference)
{
  unsigned i;
  unsigned e;
  model_f(t, x, s->f);
  model_m(t, x, s->m);
  model_g(t, x, s->g);
  for (i = 0u; i + 1u <= MODEL_N_DIFF; i++) {
    double sum = s->f[i];
    for (e = model_m_start[i]; e < model_m_start[i + 1u]; e++) {
      sum -= s->m[e] * s->xdot[model_m_column[e]];
    }
    s->r[i] = is_difference != 0 ? sum - s->r[i] : sum;
  }
  for (i = 0u; i + 1u <= MODEL_N_CON; i++) {
    double *const to = s->r + MODEL_N_DIFF + i;
    *to = is_difference != 0 ? s->g[i] - *to : s->g[i];
  }
  return model_is_good(s->r, MODEL_N_DIFF + MODEL_N_CON) ? 0 : MODEL_DOMAIN;
}

/* Entries of column j without a value, from differences of rows; how many there were. */
static unsigned
model_replace_entries(const unsigned *start, const unsigned *column, unsigned n, unsigned j,
                      const double *rows, double distance, double *values)
{
  unsigned n_bad = 0u;
  unsigned i;
  unsigned e;
  for (i = 0u; i < n; i++) {
    for (e = start[i]; e < start[i + 1u]; e++) {
      if (column[e] == j && !model_is_good(values + e, 1u)) {
        values[e] = distance > 0.0 ? rows[i] / distance : values[e];
        n_bad++;
      }
    }
  }
  return n_bad;
}

/* Beyond an edge (sqrt(max(x, 0)) for x < 0) there are none on either side: differences serve where
 * the functions have values. */
static int
model_derivatives_by_differences(model_instance *s, int parts, double t, const double *x)
{
  const unsigned n_k = (parts & MODEL_WANTS_K) != 0 ? MODEL_N_DIFF : 0u;
  int status = 0;
  unsigned i;
  unsigned j;
  if (model_derivatives_at(s, parts, t, x) == 0) {
    return 0;
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->beside[i] = x[i];
  }
  for (j = 0u; j + 1u <= MODEL_N && status == 0; j++) {
    const double h = 6e-6 * (1.0 + (x[j] < 0.0 ? -x[j] : x[j]));
    if (model_replace_entries(model_k_start, model_k_column, n_k, j, s->r, 0.0, s->k) +
            model_replace_entries(model_gx_start, model_gx_column, MODEL_N_CON, j, s->r, 0.0,
                                  s->gx) > 0u) {
      s->beside[j] = x[j] - h;
      status = model_take_rows(s, t, s->beside, 0);
      s->beside[j] = x[j] + h;
      status = status != 0 ? status : model_take_rows(s, t, s->beside, 1);
      s->beside[j] = x[j];
      (void)model_replace_entries(model_k_start, model_k_column, n_k, j, s->r, 2.0 * h, s->k);
      (void)model_replace_entries(model_gx_start, model_gx_column, MODEL_N_CON, j,
                                  s->r + MODEL_N_DIFF, 2.0 * h, s->gx);
    }
  }
  return status == 0 && (parts & MODEL_WANTS_GT) != 0 && !model_is_good(s->gt, MODEL_N_CON)
             ? MODEL_DOMAIN
             : status;
}

#endif /* EDGES */
/* G, and as parts say K and g_t, at a point; f, g, M and r may be others afterwards. */
static int
model_derivatives(model_instance *s, int parts, double t, const double *x)
{
  int status = model_derivatives_at(s, parts, t, x);
#if MODEL_WITH_EDGES
  if (status != 0) {
    status = model_derivatives_beside(s, parts, t, x);
  }
  if (status != 0) {
    status = model_derivatives_by_differences(s, parts, t, x);
  }
#endif /* EDGES */
  return status;
}

#endif /* DERIVATIVES */
/* part: pieces_of_a_step */
#if MODEL_WITH_ALGEBRAIC
/* One Newton step for the algebraic unknowns, the others fixed. */
static int
model_correct_algebraic(model_instance *s, double t, double *x)
{
  const model_matrix *a = &model_algebraic_matrix;
  unsigned i;
  if (model_derivatives(s, 0, t, x) != 0) {
    return MODEL_DOMAIN;
  }
  model_g(t, x, s->g);
  if (!model_is_good(s->g, MODEL_N_CON)) {
    return MODEL_DOMAIN;
  }
  for (i = 0u; i < a->n_rows; i++) {
    s->r[i] = -s->g[a->constraint[i]];
  }
  model_gather(a, 0.0, 0.0, s, s->a);
  if (model_factorize(a, s->a, s->c, s->l, s->d) != 0u) {
    return MODEL_SINGULAR;
  }
  model_least_squares(a, s, s->r, s->delta);
  for (i = 0u; i < a->n_columns; i++) {
    x[a->unknown[i]] += s->delta[i];
  }
  return 0;
}

#endif /* ALGEBRAIC */
#if MODEL_WITH_FIND_RATES
/* x' from M x' = f (and G x' = -g_t where M does not suffice), as a correction of the guess. */
static int
model_find_slopes(model_instance *s, double t, const double *x, double *guess)
{
  const model_matrix *a = &model_slopes_matrix;
  unsigned i;
  unsigned e;
#if MODEL_WITH_SLOPES_NEED_CONSTRAINTS
  if (model_derivatives(s, MODEL_WANTS_GT, t, x) != 0) {
    return MODEL_DOMAIN;
  }
#endif /* SLOPES_NEED_CONSTRAINTS */
  model_f(t, x, s->f);
  model_m(t, x, s->m);
  if (!model_is_good(s->f, MODEL_N_DIFF) || !model_is_good(s->m, MODEL_N_M)) {
    return MODEL_DOMAIN;
  }
  model_gather(a, 1.0, 0.0, s, s->a);
  if (model_factorize(a, s->a, s->c, s->l, s->d) != 0u) {
    return MODEL_SINGULAR;
  }
  if (a->is_diagonal != 0u) {
    model_least_squares(a, s, s->f, s->delta);
    for (i = 0u; i < a->n_columns; i++) {
      guess[a->unknown[i]] = s->delta[i];
    }
    return 0;
  }
  for (i = 0u; i < a->n_rows; i++) {
    double sum = i < a->n_dynamic ? s->f[i] : -s->gt[a->constraint[i - a->n_dynamic]];
    if (a->is_scaled != 0u) { /* as A is; undone below, exactly */
      sum *= a->scale[i];
    }
    for (e = a->row_start[i]; e < a->row_start[i + 1u]; e++) {
      sum -= s->a[e] * guess[a->unknown[a->column[e]]];
    }
    s->r[i] = a->is_scaled != 0u ? sum / a->scale[i] : sum;
  }
  model_least_squares(a, s, s->r, s->delta);
  for (i = 0u; i < a->n_columns; i++) {
    guess[a->unknown[i]] += s->delta[i];
  }
  return 0;
}

#endif /* FIND_RATES */
/* part: corrections */
#if MODEL_WITH_BDF
/* One Gauss-Newton step on M q - h f = 0 and the constraints of the matrix,
 * q = h*x' by the BDF formula. */
static int
model_correct_all(model_instance *s, const model_matrix *a, unsigned may_vanish, unsigned order,
                  double h, double t, double *x)
{
  const double *alpha = model_bdf[order];
  unsigned i;
  unsigned k;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    double sum = alpha[0] * x[i];
    for (k = 0u; k < order; k++) {
      sum += alpha[k + 1u] * s->x[s->at[k]][i];
    }
    s->q[i] = sum;
    s->xdot[i] = sum / h;
  }
  if (model_derivatives(s, MODEL_WANTS_K, t, x) != 0) {
    return MODEL_DOMAIN;
  }
  model_m(t, x, s->m);
  model_f(t, x, s->f);
  model_g(t, x, s->g);
  if (!model_is_good(s->m, MODEL_N_M) || !model_is_good(s->f, MODEL_N_DIFF) ||
      !model_is_good(s->g, MODEL_N_CON)) {
    return MODEL_DOMAIN;
  }
  model_gather(a, alpha[0], h, s, s->a);
  if (model_factorize(a, s->a, s->c, s->l, s->d) != 0u && may_vanish == 0u) {
    return MODEL_SINGULAR;
  }
  for (i = 0u; i < a->n_dynamic; i++) {
    double sum = h * s->f[i];
    for (k = model_m_start[i]; k < model_m_start[i + 1u]; k++) {
      sum -= s->m[k] * s->q[model_m_column[k]];
    }
    s->r[i] = sum;
  }
  for (i = a->n_dynamic; i < a->n_rows; i++) {
    s->r[i] = -s->g[a->constraint[i - a->n_dynamic]];
  }
  model_least_squares(a, s, s->r, s->delta);
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    x[i] += s->delta[i];
  }
  return 0;
}

#endif /* BDF */
#if MODEL_WITH_NORM
/* x -= G' inverse(G G') g after the algebraic unknowns; dependent constraints add nothing. */
static int
model_shortest_step(model_instance *s, double t, double *x)
{
  const model_matrix *a = &model_norm_matrix;
  unsigned i;
  unsigned e;
#if MODEL_WITH_ALGEBRAIC
  const int status = model_correct_algebraic(s, t, x);
  if (status != 0) {
    return status;
  }
#endif /* ALGEBRAIC */
  if (model_derivatives(s, 0, t, x) != 0) {
    return MODEL_DOMAIN;
  }
  model_g(t, x, s->g);
  if (!model_is_good(s->g, MODEL_N_CON)) {
    return MODEL_DOMAIN;
  }
  model_gather(a, 0.0, 0.0, s, s->a);
  (void)model_factorize(a, s->a, s->c, s->l, s->d);
  if (a->is_diagonal != 0u) {
    model_least_squares(a, s, s->g, s->delta);
  } else {
    for (i = 0u; i < MODEL_N_CON; i++) {
      s->delta[i] = s->g[i];
    }
    model_solve(a, s->l, s->d, s->y, s->delta);
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    for (e = a->row_start[i]; e < a->row_start[i + 1u]; e++) {
      x[i] -= s->a[e] * s->delta[a->column[e]];
    }
  }
  return 0;
}

#endif /* NORM */
/* part: one_step */
/* ---- a step of size h and the given order to time t ---- */

static int
model_predict(model_instance *s, unsigned order, double h, double t, double *x)
{
  unsigned i;
#if MODEL_WITH_EXPLICIT
  unsigned k;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    double sum;
    if (model_is_algebraic[i] != 0u) {
      sum = model_extrapolation[order][0] * s->x[s->at[0]][i];
      for (k = 1u; k < order; k++) {
        sum += model_extrapolation[order][k] * s->x[s->at[k]][i];
      }
      x[i] = sum;
    } else {
      sum = model_adams[order][0] * s->slope[s->slope_at[0]][i];
      for (k = 1u; k < order; k++) {
        sum += model_adams[order][k] * s->slope[s->slope_at[k]][i];
      }
      x[i] = s->x[s->at[0]][i] + h * sum;
    }
  }
#if MODEL_WITH_ALGEBRAIC
  return model_correct_algebraic(s, t, x);
#endif /* ALGEBRAIC */
#if MODEL_WITH_NOT_ALGEBRAIC
  (void)t;
  return 0;
#endif /* NOT_ALGEBRAIC */
#endif /* EXPLICIT */
#if MODEL_WITH_IMPLICIT
  int status = 0;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    x[i] = s->x[s->at[0]][i];
  }
  for (i = 0u; i < MODEL_NEWTON && status == 0; i++) {
    status = model_correct_all(s, &model_newton_matrix, 0u, order, h, t, x);
  }
  return status;
#endif /* IMPLICIT */
}

static int
model_advance(model_instance *s, unsigned order, double h, double t)
{
  double *x = s->x[s->at[5]];
  unsigned oldest;
  unsigned k;
  int status = model_predict(s, order, h, t, x);
#if MODEL_WITH_COUPLED
  for (k = 0u; k < MODEL_PROJECTIONS && status == 0; k++) {
    status = model_correct_all(s, &model_coupled_matrix, 1u, order, h, t, x);
  }
#if MODEL_WITH_ALGEBRAIC
  if (status == 0) {
    status = model_correct_algebraic(s, t, x);
  }
#endif /* ALGEBRAIC */
#endif /* COUPLED */
#if MODEL_WITH_NORM
  for (k = 0u; k < MODEL_PROJECTIONS && status == 0; k++) {
    status = model_shortest_step(s, t, x);
  }
#endif /* NORM */
  if (status != 0) {
    return status;
  }
  oldest = s->at[5];
  for (k = 5u; k > 0u; k--) {
    s->at[k] = s->at[k - 1u];
  }
  s->at[0] = oldest;
#if MODEL_WITH_EXPLICIT
  oldest = s->slope_at[4];
  for (k = 4u; k > 0u; k--) {
    s->slope_at[k] = s->slope_at[k - 1u];
  }
  s->slope_at[0] = oldest;
  for (k = 0u; k + 1u <= MODEL_N; k++) {
    s->slope[oldest][k] = s->slope[s->slope_at[1]][k];
  }
  status = model_find_slopes(s, t, x, s->slope[oldest]);
#endif /* EXPLICIT */
  return status;
}

#include "export/integrator-start.inc"
/* part: start_and_step */
/* ---- start and regular steps ---- */

#if MODEL_WITH_BY_ORDERS
/* Every second point stays: the history of step h becomes one of step 2h. */
static void
model_double_the_step(unsigned *at)
{
  const unsigned one = at[1];
  at[1] = at[2];
  at[2] = at[4];
  at[4] = at[3];
  at[3] = one;
}

/* Orders 1, 2, 3 with h/64, then the step is doubled until it is h: points 0, h, 2h. */
static int
model_start_by_orders(model_instance *s)
{
  const double begin = s->t;
  double h = MODEL_STEP / 64.0;
  unsigned level;
  unsigned k;
  int status = 0;
  for (k = 1u; k <= 4u && status == 0; k++) {
    status = model_advance(s, k < 3u ? k : 3u, h, begin + (double)k * h);
  }
  for (level = 1u; level < 6u && status == 0; level++) {
    model_double_the_step(s->at);
#if MODEL_WITH_EXPLICIT
    model_double_the_step(s->slope_at);
#endif /* EXPLICIT */
    h *= 2.0;
    for (k = 3u; k <= 4u && status == 0; k++) {
      status = model_advance(s, 3u, h, begin + (double)k * h);
    }
  }
  model_double_the_step(s->at);
#if MODEL_WITH_EXPLICIT
  model_double_the_step(s->slope_at);
#endif /* EXPLICIT */
  s->shown = 2u;
  return status;
}

#endif /* BY_ORDERS */
int
model_init(model_instance *s)
{
  unsigned i;
  unsigned k;
#if MODEL_WITH_BY_ORDERS
  int status;
#endif /* BY_ORDERS */
  s->t = MODEL_T_START;
  s->steps = 0l;
  s->shown = 0u;
#if MODEL_WITH_EVENTS
  model_begin_events(s);
#endif /* EVENTS */
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->x[0][i] = model_start[i];
  }
#if MODEL_WITH_START_AGAIN
  if (model_n_set > 0u && model_find_start(MODEL_T_START, s->x[0]) != 0) {
    return MODEL_NO_START;
  }
#endif /* START_AGAIN */
  for (k = 0u; k < 6u; k++) {
    s->at[k] = k;
    for (i = 0u; i + 1u <= MODEL_N; i++) {
      s->x[k][i] = s->x[0][i];
    }
  }
#if MODEL_WITH_CANNOT_FIND_START
  if (model_n_set > 0u) {
    return MODEL_NO_START;
  }
#endif /* CANNOT_FIND_START */
#if MODEL_WITH_EXPLICIT
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    s->slope[0][i] = model_start_slopes[i];
  }
#if MODEL_WITH_FIND_SLOPES
  if (model_n_set > 0u && model_find_start_slopes(MODEL_T_START, s->x[0], s->slope[0]) != 0) {
    return MODEL_NO_START;
  }
#endif /* FIND_SLOPES */
  for (k = 0u; k < 5u; k++) {
    s->slope_at[k] = k;
    for (i = 0u; i + 1u <= MODEL_N; i++) {
      s->slope[k][i] = s->slope[0][i];
    }
  }
#endif /* EXPLICIT */
#if MODEL_WITH_EVENTS
  {
    const int taken = model_take_first_events(s);
    if (taken != 0) {
      return taken;
    }
    s->is_fresh = 0; /* the history begins here, whatever has changed */
  }
#endif /* EVENTS */
#if MODEL_WITH_BY_ORDERS
  status = model_start_by_orders(s);
  return status;
#endif /* BY_ORDERS */
#if MODEL_WITH_NOT_BY_ORDERS
  return 0;
#endif /* NOT_BY_ORDERS */
}

const double *
model_values(const model_instance *s)
{
  return s->x[s->at[s->shown]];
}

int
model_step(model_instance *s)
{
  const double t = MODEL_T_START + (double)(s->steps + 1l) * MODEL_STEP;
  int status = 0;
#if MODEL_WITH_EVENTS
  status = model_take_inputs(s);
#if MODEL_WITH_BY_ORDERS
  if (status == 0 && s->is_fresh != 0) {
    status = model_start_by_orders(s);
  }
#endif /* BY_ORDERS */
  if (status != 0) {
    return status;
  }
#endif /* EVENTS */
  if (s->shown > 0u) {
    s->shown--; /* the start has made this point */
#if MODEL_WITH_DELAYS
#if MODEL_WITH_ALGEBRAIC
    /* with the piece of the past that was in use at the start; this step has its own */
    status = model_correct_algebraic(s, t, s->x[s->at[s->shown]]);
#endif /* ALGEBRAIC */
#endif /* DELAYS */
  } else {
#if MODEL_WITH_UNROLLED
    status = model_regular_step(s, t);
#if MODEL_WITH_EDGES
    if (status != 0) { /* a derivative without a value? */
      status = model_advance(s, MODEL_ORDER, MODEL_STEP, t);
    }
#endif /* EDGES */
#endif /* UNROLLED */
#if MODEL_WITH_NOT_UNROLLED
    status = model_advance(s, MODEL_ORDER, MODEL_STEP, t);
#endif /* NOT_UNROLLED */
  }
  if (status == 0) {
    s->steps++;
    s->t = t;
#if MODEL_WITH_DELAYS
    status = model_record_delays(s, t, model_values(s));
    if (status != 0) {
      return status;
    }
#endif /* DELAYS */
#if MODEL_WITH_EVENTS
    status = model_take_events(s, 0);
#endif /* EVENTS */
#if MODEL_WITH_CLAIMS
    status = status != 0 ? status : model_check_claims(s, t, model_values(s));
#endif /* CLAIMS */
  }
  return status;
}

/* part: main_text */
#ifdef MODEL_MAIN
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if MODEL_WITH_EVENTS
static void
model_print_warning(const model_instance *s, unsigned long *n_told)
{
  if (s->n_warnings != *n_told) {
    (void)fprintf(stderr, "warning at t = %.10g: %s\n", s->t, s->warning);
    *n_told = s->n_warnings;
  }
}

#endif /* EVENTS */
static void
model_print_row(const model_instance *s)
{
  const double *x = model_values(s);
  unsigned i;
  (void)printf("%.17g", s->t);
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    (void)printf(",%.17g", x[i]);
  }
#if MODEL_WITH_EVENTS
  for (i = 0u; i + 1u <= MODEL_N_SHOWN; i++) {
    (void)printf(",%.17g", s->segment[model_shown[i]]);
  }
#endif /* EVENTS */
  (void)printf("\n");
}

/* 0: the whole text is a number. */
static int
model_read_number(const char *text, double *value)
{
  char *end;
  *value = strtod(text, &end);
  return end == text || *end != '\0';
}

/* NAME=VALUE; 0: done. */
static int
model_take_argument(const char *argument)
{
#if MODEL_WITH_PARAMETERS
  const char *equals = strrchr(argument, '=');
  char name[256];
  double value;
  if (equals == NULL || equals - argument >= 256 ||
      model_read_number(equals + 1, &value) != 0) {
    return 1;
  }
  (void)memcpy(name, argument, (size_t)(equals - argument));
  name[equals - argument] = '\0';
  return model_set(name, value);
#endif /* PARAMETERS */
#if MODEL_WITH_NO_PARAMETERS
  (void)argument;
  return 1;
#endif /* NO_PARAMETERS */
}

/* part: main_program */
/* Arguments: [--self-test] | [NAME=VALUE]... [STOP [EVERY]]; a row each
 * EVERY steps (default 1) as CSV. */
int
main(int argc, char **argv)
{
  static model_instance instance;
  double stop = MODEL_T_STOP;
  double every = 1.0;
  double count;
  unsigned i;
#if MODEL_WITH_EVENTS
  unsigned long n_told = 0ul;
#endif /* EVENTS */
  int status;
  int is_due = 0;
  while (argc > 1 && strchr(argv[1], '=') != NULL) {
    if (model_take_argument(argv[1]) != 0) {
      (void)fprintf(stderr, "there is no parameter to set in '%s'\n", argv[1]);
      return 2;
    }
    argc--;
    argv++;
  }
  if (argc > 1 && strcmp(argv[1], "--self-test") == 0) {
    status = model_self_test();
    (void)printf("%s\n", status == 0 ? "self-test passed" : "self-test FAILED");
    return status;
  }
  if (argc > 3 || (argc > 1 && model_read_number(argv[1], &stop) != 0) ||
      (argc > 2 && model_read_number(argv[2], &every) != 0)) {
    (void)fprintf(stderr, "arguments: [--self-test] | [NAME=VALUE]... [STOP [EVERY]]\n");
    return 2;
  }
  count = (stop - MODEL_T_START) / MODEL_STEP;
  (void)printf("\"time\"");
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    (void)printf(",\"%s\"", model_names[i]);
  }
#if MODEL_WITH_EVENTS
  for (i = 0u; i + 1u <= MODEL_N_SHOWN; i++) {
    (void)printf(",\"%s\"", model_shown_names[i]);
  }
#endif /* EVENTS */
  (void)printf("\n");
  status = model_init(&instance);
#if MODEL_WITH_EVENTS
  model_print_warning(&instance, &n_told);
#endif /* EVENTS */
  model_print_row(&instance);
  while (status == 0 && (double)instance.steps < count - 1e-6) {
    status = model_step(&instance);
#if MODEL_WITH_EVENTS
    model_print_warning(&instance, &n_told);
#endif /* EVENTS */
    is_due = status == 0 && every >= 1.0 && !(fmod((double)instance.steps, floor(every)) > 0.5);
#if MODEL_WITH_EVENTS
    /* the last row has what terminal() changes */
    if (is_due != 0 && (double)instance.steps < count - 1e-6) {
#endif /* EVENTS */
#if MODEL_WITH_NO_EVENTS
    if (is_due != 0) {
#endif /* NO_EVENTS */
      model_print_row(&instance);
    }
  }
#if MODEL_WITH_EVENTS
  if (status == 0 || status == MODEL_TERMINATED) {
    const char *const message = instance.message;
    const int end = model_finish(&instance);
    model_print_warning(&instance, &n_told);
    if (status == 0 || (end != 0 && end != MODEL_TERMINATED)) {
      status = end;
    } else {
      instance.message = message;
    }
    if (is_due != 0 && status != MODEL_TERMINATED) {
      model_print_row(&instance);
    }
  }
  if (status == MODEL_TERMINATED) {
    if (instance.steps > 0l) {
      model_print_row(&instance);
    }
    (void)fprintf(stderr, "terminated at t = %.10g: %s\n", instance.t, instance.message);
    return 0;
  }
  if (status >= MODEL_NOT_SETTLED) {
    (void)fprintf(stderr, "stopped at t = %.10g: %s\n", instance.t,
                  status == MODEL_NOT_SETTLED ? "the event does not end within its rounds"
                  : status == MODEL_NO_RESTART
                      ? "no values after the event fulfil the equations"
                      : instance.message);
    return status;
  }
#endif /* EVENTS */
  if (status != 0) {
    (void)fprintf(stderr, "stopped after t = %.10g: %s\n", instance.t,
                  status == MODEL_DOMAIN     ? "a value is not finite"
                  : status == MODEL_NO_START ? "no start with these parameters"
#if MODEL_WITH_DELAYS
                  : status == MODEL_DELAY_FULL
                      ? "more changes than delay(...) has room for, or "
                        "a delay time out of its range"
#endif /* DELAYS */
                      : "the system is singular");
  }
  return status;
}
#endif
