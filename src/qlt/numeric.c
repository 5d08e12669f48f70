/* Where the algebra does not know: points on the constraints in double precision. What
 * comes from here is labelled.
 *
 * Points are found by Newton's method with full pivoting, which moves only the pivot
 * variables; starts are the model's start values and fixed pseudo-random shifts of them, so
 * the answers are the same on every run. */
#include <math.h>
#include <string.h>

#include "numeric/numeric.h"
#include "qlt/qlt-priv.h"

#define N_POINTS 3
/* Modes (values of the discrete variables) that are looked at before all count as singular. */
#define N_MODES 48u
#define N_STEPS 60
#define MOST_SINGLE_ROWS 30u /* constraints that are solved one after the other */
#define N_PATIENCE 8
#define NEARER 1e-3
#define MAX_ENTRIES 2e7 /* of the Jacobian: beyond them no point is looked for */
/* Relative size below which a pivot counts as zero, and a residual as solved.
 * Only used for labelled answers. */
#define PIVOT_TOLERANCE 1e-9
#define POINT_TOLERANCE 1e-10
/* Coefficients of a combination below this, relative to the largest, are rounding errors. */
#define INVOLVED 1e-12

typedef struct {
  QltWork *work;
  uint32_t m;       /* constraints */
  uint32_t n;       /* columns */
  DaeTerm *t;       /* with parameter values */
  GArray **columns; /* per constraint: columns of its gradient */
  GArray **partials;
  double *x;
  double time;
  uint32_t mode;             /* number of a choice of discrete values */
  DaeEvaluation *evaluation; /* at (x, time) in the mode; moved with them */
  uint32_t n_zero;           /* rows that the search under way is about */
  uint32_t *inside;          /* the columns in those rows, increasing: no others move */
  uint32_t n_inside;
  double *trial; /* by column */
} Points;

static double
pseudo_random(uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 16777216.0 - 0.5;
}

/* Symbols that are no parameters of the model are discrete values, constant for now. Mode 0 has
 * them all true, mode 1 is the one in which the structure is known to be regular; then true and
 * false are mixed, with exact and with general numbers by turns. */
static double
value_in_mode(const Points *points, DaeTerm atom)
{
  DaeTerms *terms = points->work->terms;
  DaeSymbol symbol = dae_term_get_symbol(terms, atom);
  double general = 0.03125 * (double)(symbol % 16u);
  uint32_t k = 0;
  if (points->mode == 0 || dae_model_find_parameter(points->work->model, symbol, &k)) {
    return 0.75 + general;
  }
  uint32_t state = symbol * 2654435761u + points->mode * 7919u;
  (void)pseudo_random(&state);
  bool holds = pseudo_random(&state) > 0;
  if (points->mode <= 2) {
    (void)dae_sig_value_in_mode(points->work->sig, atom, &holds);
  }
  return points->mode % 2 == 1 ? (holds ? 1 : 0) : general / 2 + (holds ? 0.75 : 0);
}

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
    *value = value_in_mode(points, atom);
    return true;
  }
  uint32_t j = qlt_column_of(points->work, dae_term_get_symbol(terms, atom));
  if (kind != DAE_KIND_VARIABLE || j == QLT_NONE || j >= points->n ||
      dae_term_order(terms, atom) != 0) {
    return false;
  }
  *value = points->x[j];
  return true;
}

static bool
value_of(Points *points, DaeTerm t, double *value)
{
  return dae_evaluation_value(points->evaluation, t, value) == DAE_EVAL_OK && isfinite(*value);
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
  points->trial = g_new0(double, points->n + 1);
  points->inside = g_new0(uint32_t, points->n + 1);
  points->evaluation = dae_evaluation_new(work->terms, atom_value, points);
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
  dae_evaluation_free(points->evaluation);
  g_free(points->t);
  g_free(points->columns);
  g_free(points->partials);
  g_free(points->x);
  g_free(points->trial);
  g_free(points->inside);
  g_free(points);
}

/* Jacobian of the first m rows, by rows of `width` entries, column j at place[j] (NULL: at j);
 * false: one of them or its derivative has no value there. */
static bool
jacobian_at_places(Points *points, uint32_t m, uint32_t width, const uint32_t *place, double *a)
{
  memset(a, 0, (size_t)m * width * sizeof(double));
  for (uint32_t i = 0; i < m; i++) {
    double *row = a + (size_t)i * width;
    double value = 0;
    if (!value_of(points, points->t[i], &value)) {
      return false;
    }
    for (uint32_t k = 0; k < points->columns[i]->len; k++) {
      uint32_t j = g_array_index(points->columns[i], uint32_t, k);
      if (!value_of(points, g_array_index(points->partials[i], DaeTerm, k),
                    &row[place != NULL ? place[j] : j])) {
        return false;
      }
    }
  }
  return true;
}

static bool
jacobian_rows(Points *points, uint32_t m, double *a)
{
  return jacobian_at_places(points, m, points->n, NULL, a);
}

/* What is evaluated next is at x. The way to the Jacobian of a point
 * that was just looked at is free. */
static void
move_to(Points *points, const double *x)
{
  if (memcmp(points->x, x, points->n * sizeof(double)) != 0) {
    memcpy(points->x, x, points->n * sizeof(double));
    dae_evaluation_move(points->evaluation);
  }
}

/* The point with the columns inside the rows at x. */
static void
move_inside(Points *points, const double *x)
{
  memcpy(points->trial, points->x, points->n * sizeof(double));
  for (uint32_t k = 0; k < points->n_inside; k++) {
    points->trial[points->inside[k]] = x[k];
  }
  move_to(points, points->trial);
}

static double *
values_inside(const Points *points)
{
  double *x = g_new(double, points->n_inside + 1);
  for (uint32_t k = 0; k < points->n_inside; k++) {
    x[k] = points->x[points->inside[k]];
  }
  return x;
}

static bool
residual_at(void *user, const double *x, double *r)
{
  Points *points = user;
  move_inside(points, x);
  for (uint32_t i = 0; i < points->n_zero; i++) {
    if (!value_of(points, points->t[i], &r[i])) {
      return false;
    }
  }
  return true;
}

static bool
jacobian_at(void *user, const double *x, double *a)
{
  Points *points = user;
  g_autofree uint32_t *place = g_new0(uint32_t, points->n + 1);
  for (uint32_t k = 0; k < points->n_inside; k++) {
    place[points->inside[k]] = k;
  }
  move_inside(points, x);
  return jacobian_at_places(points, points->n_zero, points->n_inside, place, a);
}

/* A step of the search: a dense elimination. */
static bool
is_over(void *user)
{
  const Points *points = user;
  return !qlt_charge(points->work, (double)points->n_zero * points->n_zero * points->n_inside);
}

/* A step by least squares, with a matrix of all columns. */
static bool
is_over_by_squares(void *user)
{
  const Points *points = user;
  return !qlt_charge(points->work,
                     (double)points->n_inside * points->n_inside * points->n_inside);
}

static DaeDenseProblem
problem_of(Points *points, uint32_t n_zero)
{
  g_autofree bool *is_inside = g_new0(bool, points->n + 1);
  points->n_zero = n_zero;
  points->n_inside = 0;
  for (uint32_t i = 0; i < n_zero; i++) {
    for (uint32_t k = 0; k < points->columns[i]->len; k++) {
      is_inside[g_array_index(points->columns[i], uint32_t, k)] = true;
    }
  }
  for (uint32_t j = 0; j < points->n; j++) {
    if (is_inside[j]) {
      points->inside[points->n_inside++] = j;
    }
  }
  return (DaeDenseProblem){.m = n_zero,
                           .n = points->n_inside,
                           .residual = residual_at,
                           .jacobian = jacobian_at,
                           .is_over = is_over,
                           .user = points};
}

/* Newton from the point in x until the first n_zero rows vanish. */
static bool
solve_rows(Points *points, uint32_t n_zero)
{
  static const DaeNewtonLimits limits = {.most_steps = N_STEPS,
                                         .patience = N_PATIENCE,
                                         .pivot = PIVOT_TOLERANCE,
                                         .residual = POINT_TOLERANCE};
  const DaeDenseProblem problem = problem_of(points, n_zero);
  g_autofree double *x = values_inside(points);
  bool is_found = dae_numeric_newton(&problem, &limits, x);
  move_inside(points, x);
  return is_found;
}

/* Least squares first, which moves all unknowns a little and stays in the domain. */
static bool
solve_from_nearest(Points *points, uint32_t n_zero)
{
  DaeDenseProblem problem = problem_of(points, n_zero);
  g_autofree double *x = values_inside(points);
  problem.is_over = is_over_by_squares;
  if (dae_numeric_minimize(&problem, N_STEPS, x) != DAE_MINIMIZE_DONE) {
    return false;
  }
  move_inside(points, x);
  return solve_rows(points, n_zero);
}

static void
place_start(Points *points, uint32_t attempt, double width)
{
  QltWork *work = points->work;
  uint32_t state = 12345u + 7919u * attempt;
  for (uint32_t j = 0; j < points->n; j++) {
    double value = 0;
    if (j < work->n_model_columns) {
      DaeTerm start = dae_model_variable(work->model, j)->start;
      if (start != DAE_NO_TERM) {
        double number = 0;
        value = value_of(points, with_values(work, start), &number) ? number : 0;
        value *= attempt % 4 == 3 ? -1 : 1; /* the solution may be on the other side of 0 */
      }
    }
    points->x[j] = value + width * pseudo_random(&state) * (1 + fabs(value));
  }
  points->time = 0.375 + pseudo_random(&state) * 0.5;
  points->mode = attempt;
  dae_evaluation_move(points->evaluation);
}

/* Start values are often nearly consistent. */
static void
set_start(Points *points, uint32_t attempt)
{
  place_start(points, attempt, attempt == 0 ? 0.02 : 0.25 * (attempt % QLT_STARTS));
}

/* All rows at once; where that fails, one row more each time: those before are solved, and
 * hidden constraints, which are long, come last; where that fails, too, by least squares. */
static bool
find_point(Points *points, uint32_t n_zero)
{
  g_autofree double *start = g_memdup2(points->x, ((size_t)points->n + 1) * sizeof(double));
  bool is_found = solve_rows(points, n_zero);
  if (!is_found &&
      points->mode == 0) { /* a linkage allows little: nearer to the start values */
    place_start(points, 0, NEARER);
    is_found = solve_rows(points, n_zero);
  }
  if (!is_found && n_zero <= MOST_SINGLE_ROWS) {
    move_to(points, start);
    is_found = true;
    for (uint32_t k = 1; k <= n_zero && is_found; k++) {
      is_found = solve_rows(points, k);
    }
  }
  if (!is_found && n_zero <= MOST_SINGLE_ROWS) {
    move_to(points, start);
    is_found = solve_from_nearest(points, n_zero);
  }
  return is_found;
}

static bool
is_too_large(const QltWork *work, uint32_t m)
{
  return (double)m * work->columns->len > MAX_ENTRIES;
}

static void
take_point(Points *points, QltPoint *point)
{
  point->x = g_steal_pointer(&points->x);
  point->n = points->n;
  point->time = points->time;
  point->mode = points->mode;
}

bool
qlt_numeric_point_from(QltWork *work, const DaeTerm *t, uint32_t n, uint32_t k, QltPoint *point)
{
  if (is_too_large(work, n)) {
    return false;
  }
  Points *points = points_new(work, t, n);
  set_start(points, k);
  bool is_found = find_point(points, n);
  if (is_found) {
    take_point(points, point);
  }
  points_free(points);
  return is_found;
}

bool
qlt_numeric_point(QltWork *work, const DaeTerm *t, uint32_t n, QltPoint *point)
{
  if (is_too_large(work, n)) {
    return false;
  }
  Points *points = points_new(work, t, n);
  bool is_found = false;
  for (uint32_t attempt = 0; attempt < QLT_STARTS && !is_found; attempt++) {
    set_start(points, attempt);
    is_found = find_point(points, n);
  }
  if (is_found) {
    take_point(points, point);
  }
  points_free(points);
  return is_found;
}

double
qlt_numeric_symbol(QltWork *work, const QltPoint *point, DaeTerm atom)
{
  Points points = {.work = work, .mode = point->mode};
  return value_in_mode(&points, atom);
}

bool
qlt_numeric_value(QltWork *work, const QltPoint *point, DaeTerm t, double *value)
{
  Points points = {
      .work = work, .n = point->n, .x = point->x, .time = point->time, .mode = point->mode};
  return dae_term_eval_double(work->terms, with_values(work, t), atom_value, &points, value) ==
             DAE_EVAL_OK &&
         isfinite(*value);
}

static bool
search_best_point(Points *points, uint32_t n, uint32_t n_zero, uint32_t *pivot, QltPoint *point)
{
  g_autofree double *a = g_new(double, (size_t)(n + 1) * (points->n + 1));
  g_autofree uint32_t *found = g_new(uint32_t, n + 1);
  bool is_found = false;
  uint32_t best = 0;
  for (uint32_t attempt = 0; attempt < QLT_STARTS && !(is_found && best == n); attempt++) {
    set_start(points, attempt);
    if (!find_point(points, n_zero) || !jacobian_rows(points, n, a)) {
      continue;
    }
    uint32_t rank = dae_numeric_echelon(a, n, points->n, points->n, PIVOT_TOLERANCE, found);
    if (!is_found || rank > best) {
      best = rank;
      memcpy(pivot, found, n * sizeof(uint32_t));
      memcpy(point->x, points->x, points->n * sizeof(double));
      point->time = points->time;
      point->mode = points->mode;
    }
    is_found = true;
  }
  return is_found;
}

/* At the point among the starts where most gradients are independent: pivots of the echelon
 * form (DAE_NUMERIC_NONE: dependent on rows before), and where it is. False: there is none.
 * The last answer is kept: which constraints depend on others, and on which, are asked in turn. */
static bool
best_point(Points *points, uint32_t n, uint32_t n_zero, uint32_t *pivot, QltPoint *point)
{
  QltSearch *search = &points->work->search;
  if (!qlt_search_is(search, points->t, n, n_zero, points->n)) {
    qlt_search_clear(search);
    *search = (QltSearch){.t = g_array_new(FALSE, FALSE, sizeof(DaeTerm)),
                          .n_zero = n_zero,
                          .n_columns = points->n,
                          .pivot = g_new0(uint32_t, n + 1),
                          .point = {.x = g_new0(double, points->n + 1), .n = points->n}};
    g_array_append_vals(search->t, points->t, n);
    search->is_found = search_best_point(points, n, n_zero, search->pivot, &search->point);
  }
  if (search->is_found) {
    memcpy(pivot, search->pivot, n * sizeof(uint32_t));
    memcpy(point->x, search->point.x, points->n * sizeof(double));
    point->time = search->point.time;
    point->mode = search->point.mode;
  }
  return search->is_found;
}

bool
qlt_numeric_dependents(QltWork *work, const DaeTerm *t, uint32_t n, uint32_t n_zero,
                       bool *is_dependent)
{
  if (is_too_large(work, n)) {
    return false;
  }
  Points *points = points_new(work, t, n);
  g_autofree uint32_t *pivot = g_new(uint32_t, n + 1);
  g_autofree double *x = g_new(double, points->n + 1);
  QltPoint point = {.x = x, .n = points->n};
  bool is_found = best_point(points, n, n_zero, pivot, &point);
  for (uint32_t i = 0; i < n && is_found; i++) {
    is_dependent[i] = pivot[i] == DAE_NUMERIC_NONE;
  }
  points_free(points);
  return is_found;
}

/* Gradients with the identity beside them: what is left beside a row that became zero are the
 * coefficients of a combination that is zero. */
static bool
mark_combinations(Points *points, uint32_t n, bool *is_involved)
{
  size_t width = (size_t)points->n + n;
  g_autofree double *a = g_new0(double, (size_t)n *width + 1);
  g_autofree double *gradients = g_new(double, (size_t)n * points->n + 1);
  g_autofree uint32_t *pivot = g_new(uint32_t, n + 1);
  if (!jacobian_rows(points, n, gradients)) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    memcpy(a + i * width, gradients + (size_t)i * points->n, points->n * sizeof(double));
    a[i * width + points->n + i] = 1;
  }
  dae_numeric_echelon(a, n, points->n, (uint32_t)width, PIVOT_TOLERANCE, pivot);
  for (uint32_t i = 0; i < n; i++) {
    const double *combination = a + i * width + points->n;
    double largest = 0;
    for (uint32_t k = 0; k < n; k++) {
      largest = fmax(largest, fabs(combination[k]));
    }
    for (uint32_t k = 0; k < n && pivot[i] == DAE_NUMERIC_NONE; k++) {
      is_involved[k] = is_involved[k] || fabs(combination[k]) > INVOLVED * largest;
    }
  }
  return true;
}

bool
qlt_numeric_involved(QltWork *work, const DaeTerm *t, uint32_t n, bool *is_involved)
{
  if (is_too_large(work, n)) {
    return false;
  }
  Points *points = points_new(work, t, n);
  g_autofree uint32_t *pivot = g_new(uint32_t, n + 1);
  g_autofree double *x = g_new(double, points->n + 1);
  QltPoint point = {.x = x, .n = points->n};
  bool is_found = best_point(points, n, n, pivot, &point);
  bool is_full = true;
  for (uint32_t i = 0; i < n && is_found; i++) {
    is_full = is_full && pivot[i] != DAE_NUMERIC_NONE;
  }
  if (is_found && !is_full) {
    move_to(points, point.x);
    points->time = point.time;
    points->mode = point.mode;
    dae_evaluation_move(points->evaluation);
    is_found = mark_combinations(points, n, is_involved);
  }
  points_free(points);
  return is_found;
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

static void
try_start(Points *seeker, uint32_t n, uint32_t attempt, GArray *tried)
{
  set_start(seeker, attempt);
  bool is_found = find_point(seeker, n);
  size_t bytes = ((size_t)seeker->n + 1) * sizeof(double);
  double *x = is_found ? g_memdup2(seeker->x, bytes) : NULL;
  QltPoint point = {.x = x, .n = seeker->n, .time = seeker->time, .mode = seeker->mode};
  g_array_append_val(tried, point);
}

/* Many candidates are asked about on the same constraints: points on them are looked for once. */
DaeZero
qlt_numeric_zero_modulo(QltWork *work, DaeTerm candidate, const DaeTerm *t, uint32_t n)
{
  if (is_too_large(work, n)) {
    return DAE_UNKNOWN;
  }
  GArray *tried = qlt_tried_points(&work->tried, t, n, work->columns->len);
  Points *seeker = NULL;
  Points *points = points_new(work, &candidate, 1);
  DaeZero verdict = DAE_UNKNOWN;
  uint32_t n_points = 0;
  for (uint32_t attempt = 0; attempt < QLT_STARTS && n_points < N_POINTS; attempt++) {
    if (attempt == tried->len) {
      seeker = seeker != NULL ? seeker : points_new(work, t, n);
      try_start(seeker, n, attempt, tried);
    }
    const QltPoint *point = &g_array_index(tried, QltPoint, attempt);
    if (point->x == NULL) {
      continue;
    }
    memcpy(points->x, point->x, points->n * sizeof(double));
    points->time = point->time;
    points->mode = point->mode;
    dae_evaluation_move(points->evaluation);
    verdict = is_negligible(points, points->t[0], points->partials[0]);
    n_points += verdict == DAE_ZERO ? 1 : 0;
    if (verdict == DAE_NONZERO) {
      break;
    }
  }
  points_free(points);
  if (seeker != NULL) {
    points_free(seeker);
  }
  return verdict == DAE_ZERO && n_points == 0 ? DAE_UNKNOWN : verdict;
}

static bool
evaluate_leading_rows(Points *points, double *a, uint32_t *n_rows)
{
  QltWork *work = points->work;
  for (uint32_t i = 0; i < work->rows->len; i++) {
    const QltRow *row = qlt_row(work, i);
    if (!row->is_alive || row->is_auxiliary || row->n == 0) {
      continue;
    }
    double *out = a + (size_t)(*n_rows)++ * points->n;
    memset(out, 0, points->n * sizeof(double));
    for (uint32_t k = 0; k < row->n; k++) {
      if (!value_of(points, with_values(work, row->coefficients[k]), &out[row->columns[k]])) {
        return false;
      }
    }
  }
  return true;
}

bool
qlt_numeric_select_rows(QltWork *work)
{
  g_autoptr(GArray) t = qlt_all_constraints(work);
  uint32_t m = t->len;
  if (is_too_large(work, m + work->rows->len)) {
    return false;
  }
  Points *points = points_new(work, (const DaeTerm *)(void *)t->data, m);
  g_autofree double *a = g_new(double, (size_t)(m + work->rows->len + 1) * (points->n + 1));
  g_autofree uint32_t *pivot = g_new(uint32_t, m + work->rows->len + 1);
  bool is_found = false;
  for (uint32_t attempt = 0; attempt < QLT_STARTS && !is_found; attempt++) {
    uint32_t n_rows = m;
    set_start(points, attempt);
    is_found = find_point(points, m) && jacobian_rows(points, m, a) &&
               evaluate_leading_rows(points, a, &n_rows);
    if (is_found) { /* a capacitance of 1e-15 beside a conductance of 1 */
      dae_numeric_equilibrate(a, n_rows, points->n, points->n);
      is_found = dae_numeric_echelon(a, n_rows, points->n, points->n, PIVOT_TOLERANCE, pivot) ==
                 points->n;
    }
  }
  for (uint32_t i = 0; i < m && is_found; i++) {
    is_found = pivot[i] != DAE_NUMERIC_NONE; /* all constraints are in the system */
  }
  uint32_t at = m;
  for (uint32_t i = 0; i < work->rows->len && is_found; i++) {
    QltRow *row = qlt_row(work, i);
    if (row->is_alive && !row->is_auxiliary && row->n > 0) {
      row->is_selected = pivot[at++] != DAE_NUMERIC_NONE;
    }
  }
  points_free(points);
  return is_found;
}

bool
qlt_holds_discrete(const QltWork *work, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool is_found = false;
  if (dae_term_has_parameters(work->terms, t)) {
    dae_term_collect_parameters(work->terms, t, atoms);
  }
  for (guint k = 0; k < atoms->len && !is_found; k++) {
    uint32_t at = 0;
    DaeSymbol symbol = dae_term_get_symbol(work->terms, g_array_index(atoms, DaeTerm, k));
    is_found = !dae_model_find_parameter(work->model, symbol, &at);
  }
  return is_found;
}

static bool
has_modes(QltWork *work, const GArray *constraints)
{
  bool is_found = false;
  for (uint32_t i = 0; i < constraints->len && !is_found; i++) {
    is_found = qlt_holds_discrete(work, g_array_index(constraints, DaeTerm, i));
  }
  for (uint32_t i = 0; i < work->rows->len && !is_found; i++) {
    const QltRow *row = qlt_row(work, i);
    for (uint32_t k = 0; row->is_alive && k < row->n && !is_found; k++) {
      is_found = qlt_holds_discrete(work, row->coefficients[k]);
    }
  }
  return is_found;
}

/* With discrete values a model may be singular in some of its modes: one that is regular will
 * do, as it does for the structure. */
bool
qlt_numeric_is_singular(QltWork *work)
{
  g_autoptr(GArray) t = qlt_all_constraints(work);
  uint32_t m = t->len;
  if (is_too_large(work, m + work->rows->len)) {
    return false;
  }
  bool is_hybrid = has_modes(work, t);
  Points *points = points_new(work, (const DaeTerm *)(void *)t->data, m);
  g_autofree double *a = g_new(double, (size_t)(m + work->rows->len + 1) * (points->n + 1));
  g_autofree uint32_t *pivot = g_new(uint32_t, m + work->rows->len + 1);
  uint32_t n_points = 0;
  uint32_t most = is_hybrid ? N_MODES : QLT_STARTS;
  bool is_regular = false;
  for (uint32_t attempt = 0;
       attempt < most && (is_hybrid || n_points < N_POINTS) && !is_regular; attempt++) {
    uint32_t n_rows = m;
    set_start(points, attempt);
    if (find_point(points, m) && jacobian_rows(points, m, a) &&
        evaluate_leading_rows(points, a, &n_rows)) {
      n_points++;
      dae_numeric_equilibrate(a, n_rows, points->n, points->n);
      is_regular = dae_numeric_echelon(a, n_rows, points->n, points->n, PIVOT_TOLERANCE,
                                       pivot) == points->n;
    }
  }
  points_free(points);
  return n_points >= N_POINTS && !is_regular;
}
