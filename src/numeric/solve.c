/* Consistent start: the point nearest to a guess at which all equations hold.
 *
 * Damped Gauss-Newton. With D the weights and J the Jacobian each step e = D^-1 dx solves
 *     min |e + D^-1 (x - x0)|^2   subject to   J D e = -r,
 * by the augmented system [I (JD)^T; JD -delta I], sparse, KLU. It serves under-, over- and
 * exactly determined systems and rank-deficient ones: a small delta keeps it regular and is
 * raised where a step fails. Each equation is eliminated right after its unknowns, in an order
 * of least fill (AMD), so that the pivots stay on the diagonal and the cost of a chain is
 * linear. Levenberg-Marquardt is the last resort: with delta as its damping the same sparse
 * system gives its steps. */

#include <float.h>
#include <glib.h>
#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>
#include <suitesparse/klu.h>

#include "numeric/numeric-priv.h"

#define MOST_STEPS 200
#define MOST_HALVINGS 12
#define SMALLEST_DELTA 1e-13
#define DENSE_COLUMN 200
#define MOST_DAMPED_STEPS 500
#define NEAR 1e3   /* times the tolerance: the rows nearly hold */
#define SHORT 1e-6 /* steps, beside the unknown or its weight */

typedef struct {
  const DaeRootProblem *problem;
  uint32_t n, m;
  const double *x0;
  double *weight, *x, *trial, *r, *r_trial, *values, *scale, *b;
  double *terms; /* per row: largest |J_ij x_j|, whose rounding no step can remove */
  /* augmented matrix by columns */
  int *column_start, *row;
  double *entry;
  uint32_t *place; /* where values[e] goes, twice */
  klu_common common;
  klu_symbolic *symbolic;
} Start;

/* Column pattern: unknown j has (j, j) and its equations, equation i has
 * its unknowns and (n+i, n+i). */
static void
build_pattern(Start *s)
{
  const DaePattern *p = &s->problem->pattern;
  uint32_t nnz = p->row_start[s->m];
  uint32_t *next = g_new0(uint32_t, s->n + 1);
  for (uint32_t e = 0; e < nnz; e++) {
    next[p->column[e]]++;
  }
  int at = 0;
  for (uint32_t j = 0; j < s->n; j++) {
    s->column_start[j] = at;
    s->row[at] = (int)j;
    uint32_t count = next[j];
    next[j] = (uint32_t)at + 1;
    at += 1 + (int)count;
  }
  for (uint32_t i = 0; i < s->m; i++) {
    s->column_start[s->n + i] = at;
    for (uint32_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      uint32_t j = p->column[e];
      s->row[next[j]] = (int)(s->n + i);
      s->place[(size_t)2 * e] = next[j]++;
      s->row[at] = (int)j;
      s->place[(size_t)2 * e + 1] = (uint32_t)at++;
    }
    s->row[at++] = (int)(s->n + i);
  }
  s->column_start[s->n + s->m] = at;
  g_free(next);
}

/* Equations that share an unknown, by columns for AMD; unknowns of very
 * many equations are left out. */
static void
equation_graph(const Start *s, GArray *starts, GArray *neighbours)
{
  const DaePattern *p = &s->problem->pattern;
  uint8_t *seen = g_new0(uint8_t, s->m + 1);
  int zero = 0;
  g_array_append_val(starts, zero);
  for (uint32_t i = 0; i < s->m; i++) {
    guint from = neighbours->len;
    for (uint32_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      uint32_t j = p->column[e];
      int first = s->column_start[j] + 1;
      int last = s->column_start[j + 1];
      for (int q = first; last - first <= DENSE_COLUMN && q < last; q++) {
        int other = s->row[q] - (int)s->n;
        if (!seen[other]) {
          seen[other] = 1;
          g_array_append_val(neighbours, other);
        }
      }
    }
    for (guint q = from; q < neighbours->len; q++) {
      seen[g_array_index(neighbours, int, q)] = 0;
    }
    int end = (int)neighbours->len;
    g_array_append_val(starts, end);
  }
  g_free(seen);
}

/* Elimination order of the augmented system. */
static int *
elimination_order(const Start *s)
{
  const DaePattern *p = &s->problem->pattern;
  GArray *starts = g_array_new(FALSE, FALSE, sizeof(int));
  GArray *neighbours = g_array_new(FALSE, FALSE, sizeof(int));
  int *rows = g_new0(int, s->m + 1);
  int *order = g_new0(int, s->n + s->m + 1);
  uint8_t *placed = g_new0(uint8_t, s->n + 1);
  equation_graph(s, starts, neighbours);
  if (amd_order((int)s->m, (const int *)(const void *)starts->data,
                (const int *)(const void *)neighbours->data, rows, NULL, NULL) < 0) {
    for (uint32_t i = 0; i < s->m; i++) {
      rows[i] = (int)i;
    }
  }
  uint32_t at = 0;
  for (uint32_t k = 0; k < s->m; k++) {
    uint32_t i = (uint32_t)rows[k];
    for (uint32_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      if (!placed[p->column[e]]) {
        placed[p->column[e]] = 1;
        order[at++] = (int)p->column[e];
      }
    }
    order[at++] = (int)(s->n + i);
  }
  for (uint32_t j = 0; j < s->n; j++) {
    if (!placed[j]) {
      order[at++] = (int)j;
    }
  }
  g_array_free(starts, TRUE);
  g_array_free(neighbours, TRUE);
  g_free(rows);
  g_free(placed);
  return order;
}

/* scale_i = largest |J_ij| D_j, so that residuals are compared as changes of the unknowns. */
static void
scale_rows(Start *s)
{
  const DaePattern *p = &s->problem->pattern;
  for (uint32_t i = 0; i < s->m; i++) {
    double largest = 0.0;
    s->terms[i] = 0.0;
    for (uint32_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      largest = fmax(largest, fabs(s->values[e]) * s->weight[p->column[e]]);
      s->terms[i] = fmax(s->terms[i], fabs(s->values[e] * s->x[p->column[e]]));
    }
    s->scale[i] = largest > 0.0 ? largest : 1.0;
  }
}

static bool
all_finite(const double *v, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(v[i])) {
      return false;
    }
  }
  return true;
}

static bool
residual_at(const Start *s, const double *x, double *r)
{
  const DaeRootProblem *p = s->problem;
  return p->residual(p->self, p->scratch, x, r) == 0 && all_finite(r, s->m);
}

static double
scaled_norm(const Start *s, const double *r)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < s->m; i++) {
    double size = r[i] / s->scale[i];
    sum += size * size;
  }
  return sqrt(sum);
}

static double
largest_scaled(const Start *s, const double *r, uint32_t *worst)
{
  double largest = 0.0;
  for (uint32_t i = 0; i < s->m; i++) {
    double size = fabs(r[i]) / fmax(s->scale[i], 1.0);
    if (size > largest) {
      largest = size;
      *worst = i;
    }
  }
  return largest;
}

/* What a row leaves must be small beside its terms, however steep it is: sqrt(x) + 2 is 2 near
 * x = 0, which a change of x by 1e-12 would make up for if the function went on as it is there. */
#define MOST_LEFT 1e-9

/* Within the tolerance, relative to the terms of the row where these are large. */
static bool
is_within(const Start *s, double tolerance)
{
  for (uint32_t i = 0; i < s->m; i++) {
    double terms = fmax(s->terms[i], 1.0);
    if (!(fabs(s->r[i]) <= tolerance * fmax(s->scale[i], terms)) ||
        fabs(s->r[i]) > MOST_LEFT * terms) {
      return false;
    }
  }
  return true;
}

/* b = (e, y) of the augmented system; pull: towards x0 along the solution set. */
static bool
solve_augmented(Start *s, double delta, bool pull)
{
  const DaePattern *p = &s->problem->pattern;
  for (uint32_t j = 0; j < s->n; j++) {
    s->entry[s->column_start[j]] = 1.0;
    s->b[j] = pull ? -(s->x[j] - s->x0[j]) / s->weight[j] : 0.0;
  }
  for (uint32_t i = 0; i < s->m; i++) {
    for (uint32_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      double value = s->values[e] * s->weight[p->column[e]] / s->scale[i];
      s->entry[s->place[(size_t)2 * e]] = value;
      s->entry[s->place[(size_t)2 * e + 1]] = value;
    }
    s->entry[s->column_start[s->n + i + 1] - 1] = -delta;
    s->b[s->n + i] = -s->r[i] / s->scale[i];
  }
  klu_numeric *numeric = klu_factor(s->column_start, s->row, s->entry, s->symbolic, &s->common);
  if (numeric == NULL) {
    return false;
  }
  int size = (int)(s->n + s->m);
  bool good = klu_solve(s->symbolic, numeric, size, 1, s->b, &s->common) != 0;
  klu_free_numeric(&numeric, &s->common);
  return good && all_finite(s->b, s->n);
}

/* Shortens the step in b until the residual falls; false if it never does. */
static bool
search_line(Start *s, double norm, uint32_t halvings)
{
  double factor = 1.0;
  for (uint32_t k = 0; k <= halvings; k++, factor *= 0.5) {
    for (uint32_t j = 0; j < s->n; j++) {
      s->trial[j] = s->x[j] + factor * s->weight[j] * s->b[j];
    }
    if (residual_at(s, s->trial, s->r_trial) &&
        scaled_norm(s, s->r_trial) < (1.0 - 1e-4 * factor) * norm) {
      memcpy(s->x, s->trial, sizeof(double) * s->n);
      memcpy(s->r, s->r_trial, sizeof(double) * s->m);
      return true;
    }
  }
  return false;
}

typedef enum { STEP_NONE, STEP_TAKEN, STEP_AT_REST } Step;

/* Does the step in b hardly move any unknown? */
static bool
is_short(const Start *s)
{
  for (uint32_t j = 0; j < s->n; j++) {
    if (!(fabs(s->b[j]) <= SHORT * fmax(1.0, fabs(s->x[j]) / s->weight[j]))) {
      return false;
    }
  }
  return true;
}

/* Near: all rows hold nearly, and a short step that gains no digit tries to remove rounding. */
static Step
take_step(Start *s, double norm, bool near)
{
  double delta = SMALLEST_DELTA;
  bool pull = norm > 1e-6;
  if (pull && solve_augmented(s, delta, true) && search_line(s, norm, 0)) {
    return STEP_TAKEN;
  }
  for (uint32_t k = 0; k < 4; k++, delta *= 1e4) {
    bool solved = solve_augmented(s, delta, false);
    if (solved && k == 0 && near && is_short(s)) {
      return search_line(s, norm, 0) && scaled_norm(s, s->r) <= 0.1 * norm ? STEP_TAKEN
                                                                           : STEP_AT_REST;
    }
    if (solved && search_line(s, norm, MOST_HALVINGS)) {
      return STEP_TAKEN;
    }
  }
  return STEP_NONE;
}

/* Are the residuals at rounding, row by row? A row of 1e-12 A is not solved by 1e-13. */
static bool
is_at_rounding(const Start *s)
{
  for (uint32_t i = 0; i < s->m; i++) {
    if (!(fabs(s->r[i]) <= 4.0 * DBL_EPSILON * fmax(s->scale[i], s->terms[i]))) {
      return false;
    }
  }
  return true;
}

static void
gauss_newton(Start *s, double tolerance, DaeRootResult *result)
{
  const DaeRootProblem *p = s->problem;
  for (uint32_t k = 0; k < MOST_STEPS; k++) {
    if (p->jacobian(p->self, p->scratch, s->x, s->values) != 0 ||
        !all_finite(s->values, p->pattern.row_start[s->m])) {
      return;
    }
    scale_rows(s);
    result->residual = largest_scaled(s, s->r, &result->worst_row);
    result->converged = is_within(s, tolerance);
    if (is_at_rounding(s)) {
      return;
    }
    double norm = scaled_norm(s, s->r);
    Step step = take_step(s, norm, p->may_rest && is_within(s, NEAR * tolerance));
    result->at_rest = step == STEP_AT_REST;
    if (step == STEP_NONE) {
      return;
    }
    result->iterations++;
    if (result->at_rest || (result->converged && scaled_norm(s, s->r) > 0.1 * norm)) {
      break; /* at round-off */
    }
  }
  result->residual = largest_scaled(s, s->r, &result->worst_row);
  result->converged = is_within(s, tolerance);
}

/* Is the point x a solution? */
static void
judge(Start *s, double tolerance, DaeRootResult *result)
{
  const DaeRootProblem *p = s->problem;
  if (residual_at(s, s->x, s->r) && p->jacobian(p->self, p->scratch, s->x, s->values) == 0 &&
      all_finite(s->values, p->pattern.row_start[s->m])) {
    scale_rows(s);
    result->residual = largest_scaled(s, s->r, &result->worst_row);
    result->converged = is_within(s, tolerance);
  }
}

static double
sum_of_squares(const double *v, uint32_t n)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    sum += v[i] * v[i];
  }
  return sum;
}

/* One step with damping delta. The share of the predicted gain that came true; 0 where nothing was
 * gained, x is then as before. */
static double
damped_step(Start *s, double delta)
{
  double before = scaled_norm(s, s->r);
  if (!solve_augmented(s, delta, false)) {
    return 0.0;
  }
  for (uint32_t j = 0; j < s->n; j++) {
    s->trial[j] = s->x[j] + s->weight[j] * s->b[j];
  }
  /* r + J e = delta y */
  double left = delta * sqrt(sum_of_squares(s->b + s->n, s->m));
  double after = residual_at(s, s->trial, s->r_trial) ? scaled_norm(s, s->r_trial) : INFINITY;
  if (!(after < before)) {
    return 0.0;
  }
  memcpy(s->x, s->trial, sizeof(double) * s->n);
  memcpy(s->r, s->r_trial, sizeof(double) * s->m);
  double predicted = before * before - left * left;
  return (before * before - after * after) / fmax(predicted, DBL_MIN);
}

/* Levenberg-Marquardt on the rows as they are scaled at the guess, so that steps are judged by one
 * measure; damping after Nielsen [MadsenNielsenTingleff04, algorithm 3.16]. The caller judges the
 * point reached. */
static void
levenberg_marquardt(Start *s)
{
  const DaeRootProblem *p = s->problem;
  double delta = 1e-2;
  double growth = 2.0;
  for (uint32_t k = 0; k < MOST_DAMPED_STEPS && delta < 1e20; k++) {
    if (growth == 2.0 && (p->jacobian(p->self, p->scratch, s->x, s->values) != 0 ||
                          !all_finite(s->values, p->pattern.row_start[s->m]))) {
      return;
    }
    if (k == 0) {
      scale_rows(s);
    }
    if (scaled_norm(s, s->r) <= DBL_EPSILON) {
      return;
    }
    double gain = damped_step(s, delta);
    if (gain > 0.0) {
      double excess = 2.0 * fmin(gain, 1.0) - 1.0;
      delta = fmax(delta * fmax(1.0 / 3.0, 1.0 - excess * excess * excess), SMALLEST_DELTA);
      growth = 2.0;
    } else {
      delta *= growth;
      growth *= 2.0;
    }
  }
}

static void
start_free(Start *s)
{
  klu_free_symbolic(&s->symbolic, &s->common);
  void *all[] = {s->weight, s->x, s->trial, s->r,   s->r_trial,      s->values, s->scale,
                 s->terms,  s->b, s->entry, s->row, s->column_start, s->place};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
}

static void
start_new(Start *s, const DaeRootProblem *problem, const double *weights, const double *x)
{
  size_t n = problem->n;
  size_t m = problem->m;
  size_t nnz = problem->pattern.row_start[m];
  *s = (Start){.problem = problem, .n = problem->n, .m = problem->m, .x0 = x};
  s->weight = g_new(double, n + 1);
  s->x = g_memdup2(x, sizeof(double) * n);
  s->trial = g_new0(double, n + 1);
  s->r = g_new0(double, m + 1);
  s->r_trial = g_new0(double, m + 1);
  s->values = g_new0(double, nnz + 1);
  s->scale = g_new0(double, m + 1);
  s->terms = g_new0(double, m + 1);
  s->b = g_new0(double, n + m);
  s->column_start = g_new0(int, n + m + 1);
  s->row = g_new0(int, n + m + 2 * nnz);
  s->entry = g_new0(double, n + m + 2 * nnz);
  s->place = g_new0(uint32_t, 2 * nnz);
  for (size_t j = 0; j < n; j++) {
    double weight = weights != NULL ? fabs(weights[j]) : 1.0;
    s->weight[j] = isfinite(weight) && weight > 0.0 ? weight : 1.0;
  }
  build_pattern(s);
  klu_defaults(&s->common);
  s->common.btf = 0;
  int *order = elimination_order(s);
  s->symbolic =
      klu_analyze_given((int)(n + m), s->column_start, s->row, order, order, &s->common);
  g_free(order);
}

DaeRootResult
dae_numeric_solve(const DaeRootProblem *problem, const double *weights, double tolerance,
                  double *x)
{
  DaeRootResult result = {.residual = INFINITY};
  if (problem->m == 0) {
    return (DaeRootResult){.converged = true};
  }
  Start s;
  start_new(&s, problem, weights, x);
  bool defined = s.symbolic != NULL && residual_at(&s, s.x, s.r);
  if (defined) {
    gauss_newton(&s, tolerance, &result);
  }
  defined = defined && !result.at_rest; /* no other point is to be looked for */
  if (!result.converged && defined && s.m >= s.n) {
    memcpy(s.x, x, sizeof(double) * s.n);
    dae_numeric_square_newton(problem, s.weight, s.x);
    judge(&s, tolerance, &result);
  }
  if (!result.converged && defined) {
    memcpy(s.x, x, sizeof(double) * s.n);
    result.used_levenberg_marquardt = true;
    if (residual_at(&s, s.x, s.r)) {
      levenberg_marquardt(&s);
      gauss_newton(&s, tolerance, &result);
    }
  }
  if (isfinite(result.residual)) {
    memcpy(x, s.x, sizeof(double) * s.n);
  }
  start_free(&s);
  return result;
}
