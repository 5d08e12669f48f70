/* Where the algebra does not know: points on the constraints in double precision. What comes from here is labelled.
 *
 * Points are found by Newton's method with full pivoting, which moves only the pivot variables; starts are the model's start
 * values and fixed pseudo-random shifts of them, so the answers are the same on every run. */
#include "qlt/qlt-priv.h"

#include <math.h>
#include <string.h>

#define N_POINTS 3
#define N_STARTS 12
#define N_STEPS 60
#define MAX_DENSE 500u
/* Relative size below which a pivot counts as zero, and a residual as solved. Only used for labelled answers. */
#define PIVOT_TOLERANCE 1e-9
#define POINT_TOLERANCE 1e-10

typedef struct {
  QltWork *work;
  uint32_t m;       /* constraints */
  uint32_t n;       /* columns */
  DaeTerm *t;       /* with parameter values */
  GArray **columns; /* per constraint: columns of its gradient */
  GArray **partials;
  double *x;
  double time;
} Points;

static bool
atom_value(void *user, DaeTerm atom, double *value)
{
  const Points *points = user;
  DaeTerms *terms = points->work->terms;
  DaeKind kind = dae_term_kind(terms, atom);
  if (kind == DAE_KIND_TIME) {
    *value = points->time;
    return true;
  }
  if (kind == DAE_KIND_PARAMETER) { /* without a value: any number will do */
    *value = 0.75 + 0.03125 * (double)(dae_term_get_symbol(terms, atom) % 16u);
    return true;
  }
  uint32_t j = qlt_column_of(points->work, dae_term_get_symbol(terms, atom));
  if (kind != DAE_KIND_VARIABLE || j == QLT_NONE || dae_term_order(terms, atom) != 0) {
    return false;
  }
  *value = points->x[j];
  return true;
}

static bool
value_of(Points *points, DaeTerm t, double *value)
{
  return dae_term_eval_double(points->work->terms, t, atom_value, points, value) ==
             DAE_EVAL_OK &&
         isfinite(*value);
}

static DaeTerm
with_values(QltWork *work, DaeTerm t)
{
  DaeTerm result = dae_subst_apply(work->values, t);
  return result == DAE_NO_TERM ? t : result;
}

static Points *
points_new(QltWork *work, const DaeTerm *t, uint32_t m)
{
  Points *points = g_new0(Points, 1);
  points->work = work;
  points->m = m;
  points->n = work->columns->len;
  points->t = g_new(DaeTerm, m + 1);
  points->columns = g_new(GArray *, m + 1);
  points->partials = g_new(GArray *, m + 1);
  points->x = g_new0(double, points->n + 1);
  for (uint32_t i = 0; i < m; i++) {
    g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    points->t[i] = with_values(work, t[i]);
    points->columns[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    points->partials[i] = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_gradient(work->terms, points->t[i], variables, points->partials[i]);
    for (uint32_t k = 0; k < variables->len; k++) {
      DaeTerm v = g_array_index(variables, DaeTerm, k);
      uint32_t j = qlt_column_of(work, dae_term_get_symbol(work->terms, v));
      g_array_append_val(points->columns[i], j);
    }
  }
  return points;
}

static void
points_free(Points *points)
{
  for (uint32_t i = 0; i < points->m; i++) {
    g_array_unref(points->columns[i]);
    g_array_unref(points->partials[i]);
  }
  g_free(points->t);
  g_free(points->columns);
  g_free(points->partials);
  g_free(points->x);
  g_free(points);
}

/* Jacobian (m*n, rows scaled to largest entry 1) and the residual, scaled alike, in column n. */
static bool
evaluate(Points *points, double *a)
{
  uint32_t width = points->n + 1;
  for (uint32_t i = 0; i < points->m; i++) {
    double *row = a + (size_t)i * width;
    double largest = 0;
    memset(row, 0, width * sizeof(double));
    if (!value_of(points, points->t[i], &row[points->n])) {
      return false;
    }
    for (uint32_t k = 0; k < points->columns[i]->len; k++) {
      uint32_t j = g_array_index(points->columns[i], uint32_t, k);
      if (!value_of(points, g_array_index(points->partials[i], DaeTerm, k), &row[j])) {
        return false;
      }
      largest = fmax(largest, fabs(row[j]));
    }
    for (uint32_t j = 0; largest > 0 && j < width; j++) {
      row[j] /= largest;
    }
  }
  return true;
}

/* Gauss-Jordan with full pivoting on the first n columns; returns the rank, pivot[r] is the column of row r. */
static uint32_t
eliminate_full(double *a, uint32_t m, uint32_t n, uint32_t *pivot)
{
  uint32_t width = n + 1;
  uint32_t rank = 0;
  for (; rank < MIN(m, n); rank++) {
    uint32_t best_i = rank;
    uint32_t best_j = 0;
    double best = 0;
    for (uint32_t i = rank; i < m; i++) {
      for (uint32_t j = 0; j < n; j++) {
        if (fabs(a[(size_t)i * width + j]) > best) {
          best = fabs(a[(size_t)i * width + j]);
          best_i = i;
          best_j = j;
        }
      }
    }
    if (best < PIVOT_TOLERANCE) {
      break;
    }
    for (uint32_t j = 0; j < width && best_i != rank; j++) {
      double swap = a[(size_t)best_i * width + j];
      a[(size_t)best_i * width + j] = a[(size_t)rank * width + j];
      a[(size_t)rank * width + j] = swap;
    }
    pivot[rank] = best_j;
    double *head = a + (size_t)rank * width;
    for (uint32_t i = 0; i < m; i++) {
      double factor = a[(size_t)i * width + best_j] / head[best_j];
      for (uint32_t j = 0; i != rank && factor != 0 && j < width; j++) {
        a[(size_t)i * width + j] -= factor * head[j];
      }
    }
  }
  return rank;
}

static double
largest_residual(const double *a, uint32_t m, uint32_t n)
{
  double largest = 0;
  for (uint32_t i = 0; i < m; i++) {
    largest = fmax(largest, fabs(a[(size_t)i * (n + 1) + n]));
  }
  return largest;
}

/* Newton from the point in x. *rank is that of the Jacobian at the solution. */
static bool
find_point(Points *points, double *a, uint32_t *pivot, uint32_t *rank)
{
  for (int step = 0; step < N_STEPS; step++) {
    if (!evaluate(points, a)) {
      return false;
    }
    bool is_solved = largest_residual(a, points->m, points->n) < POINT_TOLERANCE;
    *rank = eliminate_full(a, points->m, points->n, pivot);
    if (is_solved) {
      return true;
    }
    for (uint32_t r = 0; r < *rank; r++) {
      const double *row = a + (size_t)r * (points->n + 1);
      points->x[pivot[r]] -= row[points->n] / row[pivot[r]];
    }
  }
  return false;
}

static double
pseudo_random(uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 16777216.0 - 0.5;
}

static void
set_start(Points *points, uint32_t attempt)
{
  QltWork *work = points->work;
  uint32_t state = 12345u + 7919u * attempt;
  double width = attempt == 0 ? 0.25 : 0.25 * (1 + attempt);
  for (uint32_t j = 0; j < points->n; j++) {
    double value = 0;
    if (j < work->n_model_columns) {
      DaeTerm start = dae_model_variable(work->model, j)->start;
      if (start != DAE_NO_TERM) {
        double number = 0;
        value = value_of(points, with_values(work, start), &number) ? number : 0;
      }
    }
    points->x[j] = value + width * pseudo_random(&state) * (1 + fabs(value));
  }
  points->time = 0.375 + pseudo_random(&state) * 0.5;
}

QltRank
qlt_numeric_row_rank(QltWork *work, const DaeTerm *t, uint32_t n, uint32_t *rank)
{
  *rank = 0;
  if (n == 0) {
    return QLT_RANK_FULL;
  }
  if (n > MAX_DENSE || work->columns->len > 4 * MAX_DENSE) {
    return QLT_RANK_NO_POINT;
  }
  Points *points = points_new(work, t, n);
  g_autofree double *a = g_new(double, (size_t)n *(points->n + 1));
  g_autofree uint32_t *pivot = g_new(uint32_t, n);
  bool is_found = false;
  for (uint32_t attempt = 0; attempt < N_STARTS && *rank < n; attempt++) {
    uint32_t here = 0;
    set_start(points, attempt);
    if (find_point(points, a, pivot, &here)) {
      is_found = true;
      *rank = MAX(*rank, here);
    }
  }
  points_free(points);
  return !is_found ? QLT_RANK_NO_POINT : *rank == n ? QLT_RANK_FULL : QLT_RANK_DEFICIENT;
}

QltRank
qlt_numeric_rank_with(QltWork *work, const DaeTerm *t, uint32_t n, DaeTerm extra,
                      uint32_t *rank)
{
  *rank = 0;
  if (n > MAX_DENSE || work->columns->len > 4 * MAX_DENSE) {
    return QLT_RANK_NO_POINT;
  }
  g_autofree DaeTerm *all = g_new(DaeTerm, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    all[i] = t[i];
  }
  all[n] = extra;
  Points *points = points_new(work, all, n + 1);
  g_autofree double *a = g_new(double, (size_t)(n + 1) * (points->n + 1));
  g_autofree uint32_t *pivot = g_new(uint32_t, n + 1);
  bool is_found = false;
  for (uint32_t attempt = 0; attempt < N_STARTS && *rank < n + 1; attempt++) {
    uint32_t here = 0;
    set_start(points, attempt);
    points->m = n; /* the point lies on t only */
    bool is_on = find_point(points, a, pivot, &here);
    points->m = n + 1;
    if (is_on && evaluate(points, a)) {
      is_found = true;
      here = eliminate_full(a, n + 1, points->n, pivot);
      *rank = MAX(*rank, here);
    }
  }
  points_free(points);
  return !is_found ? QLT_RANK_NO_POINT : *rank == n + 1 ? QLT_RANK_FULL : QLT_RANK_DEFICIENT;
}

/* |candidate| against the size of its gradient at the point. */
static DaeZero
is_negligible(Points *points, DaeTerm candidate, const GArray *partials)
{
  double value = 0;
  double scale = 0;
  if (!value_of(points, candidate, &value)) {
    return DAE_UNKNOWN;
  }
  for (uint32_t k = 0; k < partials->len; k++) {
    double partial = 0;
    if (!value_of(points, g_array_index(partials, DaeTerm, k), &partial)) {
      return DAE_UNKNOWN;
    }
    scale = fmax(scale, fabs(partial));
  }
  return fabs(value) <= 1e-7 * (scale + 1e-3) ? DAE_ZERO : DAE_NONZERO;
}

DaeZero
qlt_numeric_zero_modulo(QltWork *work, DaeTerm candidate, const DaeTerm *t, uint32_t n)
{
  if (n > MAX_DENSE || work->columns->len > 4 * MAX_DENSE) {
    return DAE_UNKNOWN;
  }
  Points *points = points_new(work, t, n);
  g_autofree double *a = g_new(double, (size_t)MAX(n, 1) * (points->n + 1));
  g_autofree uint32_t *pivot = g_new(uint32_t, MAX(n, 1));
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) partials = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm value = with_values(work, candidate);
  dae_term_gradient(work->terms, value, variables, partials);
  DaeZero verdict = DAE_UNKNOWN;
  uint32_t n_points = 0;
  for (uint32_t attempt = 0; attempt < N_STARTS && n_points < N_POINTS; attempt++) {
    uint32_t rank = 0;
    set_start(points, attempt);
    if (!find_point(points, a, pivot, &rank)) {
      continue;
    }
    verdict = is_negligible(points, value, partials);
    n_points += verdict == DAE_ZERO ? 1 : 0;
    if (verdict == DAE_NONZERO) {
      break;
    }
  }
  points_free(points);
  return verdict == DAE_ZERO && n_points == 0 ? DAE_UNKNOWN : verdict;
}
