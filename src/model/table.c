/* Tables to terms. The number k of the piece comes from INTERVAL, the coefficients of its
 * polynomial from LOOKUP(data, k). */
#include "model/table.h"

#include <float.h>
#include <math.h>

#include "base/base.h"

void
dae_combi_free(DaeCombi *table)
{
  if (table != NULL) {
    g_free(table->values);
    g_free(table->chosen);
    g_free(table);
  }
}

static double
entry(const DaeCombi *table, uint32_t row, uint32_t column)
{
  return table->values[(size_t)row * table->n_columns + column];
}

const char *
dae_combi_check(const DaeCombi *table, bool is_grid)
{
  uint32_t first = is_grid ? 1 : 0;
  if (table->n_rows < first + 1 || table->n_columns < 2) {
    return "a table has at least one row and two columns";
  }
  for (uint32_t i = 0; i < table->n_rows * table->n_columns; i++) {
    if (!isfinite(table->values[i])) {
      return "a value of the table is not finite";
    }
  }
  for (uint32_t i = first + 1; i < table->n_rows; i++) {
    if (entry(table, i, 0) < entry(table, i - 1, 0) ||
        (is_grid && entry(table, i, 0) == entry(table, i - 1, 0))) {
      return "the first column of a table is ascending";
    }
  }
  for (uint32_t j = 2; is_grid && j < table->n_columns; j++) {
    if (entry(table, 0, j) <= entry(table, 0, j - 1)) {
      return "the first row of this table is ascending";
    }
  }
  return NULL;
}

/* ---- polynomials ------------------------------------------------------------------------- */

static DaeTerm
number(DaeTerms *terms, double value)
{
  return dae_term_from_double(terms, value);
}

static DaeTerm
look_up(DaeTerms *terms, const double *values, uint32_t n, DaeTerm k)
{
  bool is_constant = true;
  for (uint32_t i = 1; i < n; i++) {
    is_constant = is_constant && values[i] == values[0];
  }
  return is_constant ? number(terms, values[0])
                     : dae_term_lookup(terms, dae_terms_add_data(terms, values, n), k);
}

/* One coefficient of all pieces. */
static DaeTerm
coefficient(DaeTerms *terms, const DaePiece *pieces, uint32_t n, int which, DaeTerm k)
{
  g_autofree double *values = g_new(double, n);
  for (uint32_t i = 0; i < n; i++) {
    values[i] = which < 0 ? pieces[i].x : pieces[i].c[which];
  }
  return look_up(terms, values, n, k);
}

/* The borders of n + 1 pieces: x, and one more on each side. mirrored: from the right, so that
 * a border belongs to the piece on its left. */
static DaeTerm
piece_number(DaeTerms *terms, const double *x, uint32_t n, DaeTerm u, bool mirrored)
{
  g_autofree double *borders = g_new(double, (size_t)n + 2);
  for (uint32_t i = 0; i < n; i++) {
    borders[i + 1] = mirrored ? -x[n - 1 - i] : x[i];
  }
  borders[0] = borders[1] - 1.0;
  borders[n + 1] = borders[n] + 1.0;
  uint32_t data = dae_terms_add_data(terms, borders, n + 2);
  if (!mirrored) {
    return dae_term_interval(terms, data, u);
  }
  DaeTerm k = dae_term_interval(terms, data, dae_term_neg(terms, u));
  return dae_term_sub(terms, dae_term_int(terms, (int64_t)n + 2), k);
}

static DaeTerm
polynomial(DaeTerms *terms, const DaePiece *pieces, uint32_t n, DaeTerm k, DaeTerm u)
{
  DaeTerm s = dae_term_sub(terms, u, coefficient(terms, pieces, n, -1, k));
  DaeTerm value = coefficient(terms, pieces, n, 3, k);
  for (int i = 2; i >= 0; i--) {
    value =
        dae_term_add(terms, coefficient(terms, pieces, n, i, k), dae_term_mul(terms, s, value));
  }
  return value;
}

/* u brought into one period. */
static DaeTerm
folded(DaeTerms *terms, double first, double last, DaeTerm u)
{
  DaeTerm period = dae_term_sub(terms, number(terms, last), number(terms, first));
  DaeTerm rounds =
      dae_term_call1(terms, DAE_FN_FLOOR,
                     dae_term_div(terms, dae_term_sub(terms, u, number(terms, first)), period));
  return dae_term_sub(terms, u, dae_term_mul(terms, period, rounds));
}

/* Undefined outside of the table: no element has the number 0. */
static DaeTerm
inside_only(DaeTerms *terms, double first, double last, DaeTerm u, DaeTerm value)
{
  DaeTerm nothing = dae_term_lookup(terms, dae_terms_add_data(terms, (double[]){0.0}, 1),
                                    dae_term_int(terms, 0));
  DaeTerm outside =
      dae_term_or(terms, dae_term_relation(terms, DAE_REL_LT, u, number(terms, first)),
                  dae_term_relation(terms, DAE_REL_GT, u, number(terms, last)));
  return dae_term_if(terms, outside, nothing, value);
}

typedef struct {
  uint32_t n;
  double *x, *y;
  DaePiece *pieces;
} Column;

static Column
column_of(const DaeCombi *table, uint32_t column)
{
  Column c = {.n = table->n_rows,
              .x = g_new(double, table->n_rows),
              .y = g_new(double, table->n_rows),
              .pieces = g_new0(DaePiece, (size_t)table->n_rows + 1)};
  for (uint32_t i = 0; i < c.n; i++) {
    c.x[i] = entry(table, i, 0);
    c.y[i] = entry(table, i, column);
  }
  dae_spline_pieces(c.x, c.y, c.n, table->smoothness, table->extrapolation, c.pieces);
  return c;
}

static void
clear_column(Column *c)
{
  g_free(c->x);
  g_free(c->y);
  g_free(c->pieces);
}

static bool
find_column(const DaeCombi *table, uint32_t output, uint32_t *column)
{
  if (output < 1 || output > table->n_chosen || table->chosen[output - 1] < 1 ||
      table->chosen[output - 1] > table->n_columns) {
    return false;
  }
  *column = table->chosen[output - 1] - 1;
  return true;
}

static DaeTerm
column_value(DaeTerms *terms, const DaeCombi *table, uint32_t column, DaeTerm u, bool mirrored)
{
  Column c = column_of(table, column);
  DaeTerm at = u;
  DaeTerm value = number(terms, c.y[0]);
  double first = c.x[0];
  double last = c.x[c.n - 1];
  if (table->extrapolation == DAE_TABLE_PERIODIC && last > first) {
    at = folded(terms, first, last, u);
  }
  if (c.n > 1) {
    DaeTerm k = piece_number(terms, c.x, c.n, at, mirrored);
    value = polynomial(terms, c.pieces, c.n + 1, k, at);
  }
  if (table->extrapolation == DAE_TABLE_NO_EXTRAPOLATION) {
    value = inside_only(terms, first, last, u, value);
  }
  clear_column(&c);
  return value;
}

DaeTerm
dae_combi_value(DaeTerms *terms, const DaeCombi *table, uint32_t output, DaeTerm u)
{
  uint32_t column = 0;
  return find_column(table, output, &column) ? column_value(terms, table, column, u, false)
                                             : DAE_NO_TERM;
}

/* ---- time tables ------------------------------------------------------------------------- */

static bool
has_jump(const DaeCombi *table)
{
  for (uint32_t i = 1; i < table->n_rows; i++) {
    if (entry(table, i, 0) == entry(table, i - 1, 0)) {
      return true;
    }
  }
  return table->smoothness == DAE_TABLE_CONSTANT;
}

DaeTerm
dae_combi_time_value(DaeTerms *terms, const DaeCombi *table, uint32_t output, DaeTerm time,
                     DaeTerm next)
{
  uint32_t column = 0;
  if (!find_column(table, output, &column)) {
    return DAE_NO_TERM;
  }
  DaeTerm shifted = dae_term_sub(terms, time, number(terms, table->shift_time));
  DaeTerm value = column_value(terms, table, column, shifted, false);
  if (has_jump(table) && next != DAE_NO_TERM) { /* up to the event the side before it counts */
    DaeTerm before = column_value(terms, table, column, shifted, true);
    value = dae_term_if(terms, dae_term_relation(terms, DAE_REL_LT, time, next), value, before);
  }
  if (table->start_time > -DBL_MAX) {
    DaeTerm has_begun =
        dae_term_relation(terms, DAE_REL_GE, time, number(terms, table->start_time));
    value = dae_term_if(terms, has_begun, value, dae_term_int(terms, 0));
  }
  return value;
}

/* Times of events within the table (without shift), ascending. */
static GArray *
event_times(const DaeCombi *table)
{
  GArray *times = g_array_new(FALSE, FALSE, sizeof(double));
  bool at_points =
      table->events == DAE_TABLE_EVENTS_ALWAYS &&
      (table->smoothness == DAE_TABLE_LINEAR || table->smoothness == DAE_TABLE_CONSTANT);
  for (uint32_t i = 0; i < table->n_rows && table->events != DAE_TABLE_EVENTS_NONE; i++) {
    double t = entry(table, i, 0);
    bool is_jump = i > 0 && t == entry(table, i - 1, 0);
    bool is_end = i == 0 || i + 1 == table->n_rows;
    bool is_new = times->len == 0 || g_array_index(times, double, times->len - 1) < t;
    if (is_new && (at_points || is_jump || is_end || table->smoothness == DAE_TABLE_CONSTANT)) {
      g_array_append_val(times, t);
    }
  }
  return times;
}

/* The first of them after `at`: element number INTERVAL of the list
 * behind one that is always earlier. */
static DaeTerm
next_in_list(DaeTerms *terms, const GArray *times, double last, DaeTerm at)
{
  g_autoptr(GArray) borders = g_array_new(FALSE, FALSE, sizeof(double));
  g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
  double before = g_array_index(times, double, 0) - 1.0;
  double after = g_array_index(times, double, times->len - 1) + 1.0;
  g_array_append_val(borders, before);
  g_array_append_vals(borders, times->data, times->len);
  g_array_append_val(borders, after);
  g_array_append_vals(values, times->data, times->len);
  g_array_append_val(values, last);
  DaeTerm k = dae_term_interval(
      terms,
      dae_terms_add_data(terms, (const double *)(const void *)borders->data, borders->len), at);
  return look_up(terms, (const double *)(const void *)values->data, values->len, k);
}

/* Rounding puts the time of an event some units before or after it, more so after many periods;
 * the next one is looked for from a bit later on: a billionth of the least distance. */
static double
bit_later(const GArray *times, double first, double last)
{
  double least = last - first;
  for (uint32_t i = 1; i < times->len; i++) {
    least = fmin(least, g_array_index(times, double, i) - g_array_index(times, double, i - 1));
  }
  return 1e-9 * least;
}

DaeTerm
dae_combi_next_event(DaeTerms *terms, const DaeCombi *table, DaeTerm time)
{
  g_autoptr(GArray) times = event_times(table);
  DaeTerm never = number(terms, DBL_MAX);
  DaeTerm shift = number(terms, table->shift_time);
  DaeTerm at = dae_term_sub(terms, time, shift);
  double first = entry(table, 0, 0);
  double last = entry(table, table->n_rows - 1, 0);
  DaeTerm next = never;
  if (times->len > 0 && table->extrapolation == DAE_TABLE_PERIODIC && last > first) {
    DaeTerm later = dae_term_add(terms, at, number(terms, bit_later(times, first, last)));
    DaeTerm inside = folded(terms, first, last, later);
    next = dae_term_add(terms, dae_term_sub(terms, later, inside),
                        dae_term_add(terms, next_in_list(terms, times, last, inside), shift));
  } else if (times->len > 0) {
    DaeTerm found = next_in_list(terms, times, DBL_MAX, at);
    DaeTerm is_over = dae_term_relation(
        terms, DAE_REL_GE, at, number(terms, g_array_index(times, double, times->len - 1)));
    next = dae_term_if(terms, is_over, never, dae_term_add(terms, found, shift));
  }
  if (table->start_time > -DBL_MAX) { /* what comes before the start counts as nothing */
    DaeTerm start = number(terms, table->start_time);
    next = dae_term_if(terms, dae_term_relation(terms, DAE_REL_LT, time, start), start, next);
  }
  return next;
}

/* ---- two arguments ----------------------------------------------------------------------- */

typedef struct {
  uint32_t n1, n2; /* points in both directions */
  const double *x, *y;
  double *f, *fx, *fy, *fxy; /* n1 by n2 */
} Grid;

/* Derivatives at the points: slopes along the rows and the columns, and mixed ones. */
static void
grid_slopes(Grid *grid, DaeSmoothness smoothness)
{
  g_autofree double *values = g_new(double, grid->n1);
  g_autofree double *slopes = g_new(double, grid->n1);
  for (uint32_t i = 0; i < grid->n1; i++) {
    dae_spline_slopes(grid->y, grid->f + (size_t)i * grid->n2, grid->n2, smoothness, false,
                      grid->fy + (size_t)i * grid->n2);
  }
  for (uint32_t j = 0; j < grid->n2; j++) {
    for (uint32_t i = 0; i < grid->n1; i++) {
      values[i] = grid->f[(size_t)i * grid->n2 + j];
    }
    dae_spline_slopes(grid->x, values, grid->n1, smoothness, false, slopes);
    for (uint32_t i = 0; i < grid->n1; i++) {
      grid->fx[(size_t)i * grid->n2 + j] = slopes[i];
    }
  }
  if (grid->n1 > 1 && grid->n2 > 1) {
    dae_surface_mixed(grid->x, grid->n1, grid->y, grid->n2, grid->f, grid->fxy);
  }
}

/* Coefficients in s of Hermite's cubic from values and slopes at both ends. */
static void
hermite(double h, double y0, double y1, double d0, double d1, double *c)
{
  double m = (y1 - y0) / h;
  c[0] = y0;
  c[1] = d0;
  c[2] = (3.0 * m - 2.0 * d0 - d1) / h;
  c[3] = (d0 + d1 - 2.0 * m) / (h * h);
}

/* c[4*p + q] of s^p * r^q in the cell (i, j). */
static void
cell(const Grid *g, DaeSmoothness smoothness, uint32_t i, uint32_t j, double *c)
{
  size_t a = (size_t)i * g->n2 + j;
  size_t b = g->n1 > 1 ? a + g->n2 : a;
  size_t right = g->n2 > 1 ? 1 : 0;
  double hx = g->n1 > 1 ? g->x[i + 1] - g->x[i] : 1.0;
  double hy = g->n2 > 1 ? g->y[j + 1] - g->y[j] : 1.0;
  for (int k = 0; k < 16; k++) {
    c[k] = 0.0;
  }
  c[0] = g->f[a];
  if (smoothness == DAE_TABLE_CONSTANT) {
    return;
  }
  if (smoothness == DAE_TABLE_LINEAR) {
    c[1] = (g->f[a + right] - g->f[a]) / hy;
    c[4] = (g->f[b] - g->f[a]) / hx;
    c[5] = (g->f[b + right] - g->f[b] - g->f[a + right] + g->f[a]) / (hx * hy);
    return;
  }
  /* polynomials in r: f at the lower and upper x, then the slope in x there */
  double value[2][4];
  double slope[2][4];
  for (int upper = 0; upper < 2; upper++) {
    size_t at = upper ? b : a;
    hermite(hy, g->f[at], g->f[at + right], g->fy[at], g->fy[at + right], value[upper]);
    hermite(hy, g->fx[at], g->fx[at + right], g->fxy[at], g->fxy[at + right], slope[upper]);
  }
  for (int q = 0; q < 4; q++) {
    double in_s[4];
    hermite(hx, value[0][q], value[1][q], slope[0][q], slope[1][q], in_s);
    for (int p = 0; p < 4; p++) {
      c[4 * p + q] = in_s[p];
    }
  }
}

/* u held inside the table, or as it is. */
static DaeTerm
held(DaeTerms *terms, const DaeCombi *table, const double *x, uint32_t n, DaeTerm u)
{
  if (table->extrapolation == DAE_TABLE_PERIODIC && n > 1) {
    return folded(terms, x[0], x[n - 1], u);
  }
  if (table->extrapolation != DAE_TABLE_HOLD_LAST_POINT) {
    return u;
  }
  DaeTerm above = dae_term_call2(terms, DAE_FN_MAX, u, number(terms, x[0]));
  return dae_term_call2(terms, DAE_FN_MIN, above, number(terms, x[n - 1]));
}

static DaeTerm
interval_of(DaeTerms *terms, const double *x, uint32_t n, DaeTerm u)
{
  return n < 2 ? dae_term_int(terms, 1)
               : dae_term_interval(terms, dae_terms_add_data(terms, x, n), u);
}

static DaeTerm
grid_polynomial(DaeTerms *terms, const DaeCombi *table, const Grid *g, DaeTerm u1, DaeTerm u2)
{
  uint32_t m1 = MAX(g->n1, 2u) - 1;
  uint32_t m2 = MAX(g->n2, 2u) - 1;
  bool is_step = table->smoothness == DAE_TABLE_CONSTANT;
  if (is_step) { /* the last point is a step of its own */
    m1 = g->n1;
    m2 = g->n2;
  }
  g_autofree double *all = g_new0(double, (size_t)16 * m1 * m2);
  for (uint32_t i = 0; i < m1; i++) {
    for (uint32_t j = 0; j < m2; j++) {
      double c[16];
      cell(g, table->smoothness, i, j, c);
      for (size_t k = 0; k < 16; k++) {
        all[k * m1 * m2 + (size_t)i * m2 + j] = c[k];
      }
    }
  }
  DaeTerm k1 = interval_of(terms, g->x, g->n1, u1);
  DaeTerm k2 = interval_of(terms, g->y, g->n2, u2);
  if (is_step) {
    k1 = dae_term_add(
        terms, k1,
        dae_term_if(terms,
                    dae_term_relation(terms, DAE_REL_GE, u1, number(terms, g->x[g->n1 - 1])),
                    dae_term_int(terms, g->n1 > 1), dae_term_int(terms, 0)));
    k2 = dae_term_add(
        terms, k2,
        dae_term_if(terms,
                    dae_term_relation(terms, DAE_REL_GE, u2, number(terms, g->y[g->n2 - 1])),
                    dae_term_int(terms, g->n2 > 1), dae_term_int(terms, 0)));
  }
  DaeTerm row = dae_term_mul(terms, dae_term_int(terms, m2),
                             dae_term_sub(terms, k1, dae_term_int(terms, 1)));
  DaeTerm k = dae_term_add(terms, row, k2);
  DaeTerm s = dae_term_sub(terms, u1, look_up(terms, g->x, g->n1, k1));
  DaeTerm r = dae_term_sub(terms, u2, look_up(terms, g->y, g->n2, k2));
  DaeTerm value = dae_term_int(terms, 0);
  for (int p = 3; p >= 0; p--) {
    DaeTerm inner = dae_term_int(terms, 0);
    for (int q = 3; q >= 0; q--) {
      DaeTerm c = look_up(terms, all + (size_t)(4 * p + q) * m1 * m2, m1 * m2, k);
      inner = dae_term_add(terms, c, dae_term_mul(terms, r, inner));
    }
    value = dae_term_add(terms, inner, dae_term_mul(terms, s, value));
  }
  return value;
}

DaeTerm
dae_combi_grid_value(DaeTerms *terms, const DaeCombi *table, DaeTerm u1, DaeTerm u2)
{
  uint32_t n1 = table->n_rows - 1;
  uint32_t n2 = table->n_columns - 1;
  size_t n = (size_t)n1 * n2;
  g_autofree double *x = g_new(double, n1);
  g_autofree double *y = g_new(double, n2);
  g_autofree double *f = g_new0(double, 4 * n);
  Grid grid = {n1, n2, x, y, f, f + n, f + 2 * n, f + 3 * n};
  for (uint32_t i = 0; i < n1; i++) {
    x[i] = entry(table, i + 1, 0);
    for (uint32_t j = 0; j < n2; j++) {
      y[j] = entry(table, 0, j + 1);
      f[(size_t)i * n2 + j] = entry(table, i + 1, j + 1);
    }
  }
  grid_slopes(&grid, table->smoothness);
  DaeTerm at1 = held(terms, table, x, n1, u1);
  DaeTerm at2 = held(terms, table, y, n2, u2);
  DaeTerm value = grid_polynomial(terms, table, &grid, at1, at2);
  if (table->extrapolation == DAE_TABLE_NO_EXTRAPOLATION) {
    value =
        inside_only(terms, x[0], x[n1 - 1], u1, inside_only(terms, y[0], y[n2 - 1], u2, value));
  }
  return value;
}
