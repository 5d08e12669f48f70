/* Tables to terms. The number k of the piece comes from INTERVAL, the coefficients of its
 * polynomial from LOOKUP(data, k). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "table/table-priv.h"

void
dae_combi_free(DaeCombi *table)
{
  if (table != NULL) {
    g_free(table->values);
    g_free(table->chosen);
    g_free(table);
  }
}

double
dae_table_entry(const DaeCombi *table, uint32_t row, uint32_t column)
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
    if (dae_table_entry(table, i, 0) < dae_table_entry(table, i - 1, 0) ||
        (is_grid && dae_table_entry(table, i, 0) == dae_table_entry(table, i - 1, 0))) {
      return "the first column of a table is ascending";
    }
  }
  for (uint32_t j = 2; is_grid && j < table->n_columns; j++) {
    if (dae_table_entry(table, 0, j) <= dae_table_entry(table, 0, j - 1)) {
      return "the first row of this table is ascending";
    }
  }
  return NULL;
}

/* ---- polynomials ------------------------------------------------------------------------- */

DaeTerm
dae_table_number(DaeTerms *terms, double value)
{
  return dae_term_from_double(terms, value);
}

DaeTerm
dae_table_look_up(DaeTerms *terms, const double *values, uint32_t n, DaeTerm k)
{
  bool is_constant = true;
  for (uint32_t i = 1; i < n; i++) {
    is_constant = is_constant && values[i] == values[0];
  }
  return is_constant ? dae_table_number(terms, values[0])
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
  return dae_table_look_up(terms, values, n, k);
}

/* The borders of n + 1 pieces: x, and one more on each side. */
DaeTerm
dae_table_piece(DaeTerms *terms, const double *x, uint32_t n, DaeTerm u)
{
  g_autofree double *borders = g_new(double, (size_t)n + 2);
  memcpy(borders + 1, x, n * sizeof(double));
  borders[0] = x[0] - 1.0;
  borders[n + 1] = x[n - 1] + 1.0;
  return dae_term_interval(terms, dae_terms_add_data(terms, borders, n + 2), u);
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

/* How many periods after the first one, as a time. */
static DaeTerm
periods_before(DaeTerms *terms, double first, double last, DaeTerm u)
{
  DaeTerm period =
      dae_term_sub(terms, dae_table_number(terms, last), dae_table_number(terms, first));
  DaeTerm since = dae_term_sub(terms, u, dae_table_number(terms, first));
  DaeTerm rounds = dae_term_call1(terms, DAE_FN_FLOOR, dae_term_div(terms, since, period));
  return dae_term_mul(terms, period, rounds);
}

DaeTerm
dae_table_fold(DaeTerms *terms, double first, double last, DaeTerm u)
{
  return dae_term_sub(terms, u, periods_before(terms, first, last, u));
}

/* Undefined outside of the table: no element has the number 0. */
DaeTerm
dae_table_inside_only(DaeTerms *terms, double first, double last, DaeTerm u, DaeTerm value)
{
  DaeTerm nothing = dae_term_lookup(terms, dae_terms_add_data(terms, (double[]){0.0}, 1),
                                    dae_term_int(terms, 0));
  DaeTerm outside = dae_term_or(
      terms, dae_term_relation(terms, DAE_REL_LT, u, dae_table_number(terms, first)),
      dae_term_relation(terms, DAE_REL_GT, u, dae_table_number(terms, last)));
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
    c.x[i] = dae_table_entry(table, i, 0);
    c.y[i] = dae_table_entry(table, i, column);
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

/* later: the piece is the one that the argument is in so much later. */
static DaeTerm
column_value(DaeTerms *terms, const DaeCombi *table, uint32_t column, DaeTerm u, double later)
{
  Column c = column_of(table, column);
  DaeTerm at = u;
  DaeTerm value = dae_table_number(terms, c.y[0]);
  double first = c.x[0];
  double last = c.x[c.n - 1];
  DaeTerm shift = dae_table_number(terms, later);
  if (table->extrapolation == DAE_TABLE_PERIODIC && last > first) {
    DaeTerm before = periods_before(terms, first, last, dae_term_add(terms, u, shift));
    at = dae_term_sub(terms, u, before);
  }
  if (c.n > 1) {
    DaeTerm k = dae_table_piece(terms, c.x, c.n, dae_term_add(terms, at, shift));
    value = polynomial(terms, c.pieces, c.n + 1, k, at);
  }
  if (table->extrapolation == DAE_TABLE_NO_EXTRAPOLATION) {
    value = dae_table_inside_only(terms, first, last, u, value);
  }
  clear_column(&c);
  return value;
}

DaeTerm
dae_combi_value(DaeTerms *terms, const DaeCombi *table, uint32_t output, DaeTerm u)
{
  uint32_t column = 0;
  return find_column(table, output, &column) ? column_value(terms, table, column, u, 0.0)
                                             : DAE_NO_TERM;
}

/* ---- time tables ------------------------------------------------------------------------- */

static bool
has_jump(const DaeCombi *table)
{
  for (uint32_t i = 1; i < table->n_rows; i++) {
    if (dae_table_entry(table, i, 0) == dae_table_entry(table, i - 1, 0)) {
      return true;
    }
  }
  return table->smoothness == DAE_TABLE_CONSTANT || table->extrapolation == DAE_TABLE_PERIODIC;
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
    double t = dae_table_entry(table, i, 0);
    bool is_jump = i > 0 && t == dae_table_entry(table, i - 1, 0);
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
  return dae_table_look_up(terms, (const double *)(const void *)values->data, values->len, k);
}

/* Rounding puts the time of an event some units before or after it, more so after many periods;
 * what comes next is looked for from a bit later on: a billionth of the least distance. 0: no
 * events. */
static double
bit_later(const DaeCombi *table)
{
  g_autoptr(GArray) times = event_times(table);
  double least = dae_table_entry(table, table->n_rows - 1, 0) - dae_table_entry(table, 0, 0);
  for (uint32_t i = 1; i < times->len; i++) {
    least = fmin(least, g_array_index(times, double, i) - g_array_index(times, double, i - 1));
  }
  return times->len > 0 ? 1e-9 * least : 0.0;
}

DaeTerm
dae_combi_time_value(DaeTerms *terms, const DaeCombi *table, uint32_t output, DaeTerm time,
                     DaeTerm next)
{
  uint32_t column = 0;
  if (!find_column(table, output, &column)) {
    return DAE_NO_TERM;
  }
  DaeTerm shifted = dae_term_sub(terms, time, dae_table_number(terms, table->shift_time));
  double bit = next != DAE_NO_TERM && has_jump(table) ? bit_later(table) : 0.0;
  DaeTerm value = column_value(terms, table, column, shifted, bit);
  if (bit > 0.0) { /* up to the event the side before it counts, in the last bit as well */
    DaeTerm before = column_value(terms, table, column, shifted, -bit);
    DaeTerm later = dae_term_add(terms, time, dae_table_number(terms, bit));
    value =
        dae_term_if(terms, dae_term_relation(terms, DAE_REL_LT, later, next), value, before);
  }
  if (table->start_time > -DBL_MAX) {
    DaeTerm has_begun =
        dae_term_relation(terms, DAE_REL_GE, time, dae_table_number(terms, table->start_time));
    value = dae_term_if(terms, has_begun, value, dae_term_int(terms, 0));
  }
  return value;
}

DaeTerm
dae_combi_next_event(DaeTerms *terms, const DaeCombi *table, DaeTerm time)
{
  g_autoptr(GArray) times = event_times(table);
  DaeTerm never = dae_table_number(terms, DBL_MAX);
  DaeTerm shift = dae_table_number(terms, table->shift_time);
  DaeTerm at = dae_term_sub(terms, time, shift);
  double first = dae_table_entry(table, 0, 0);
  double last = dae_table_entry(table, table->n_rows - 1, 0);
  DaeTerm next = never;
  if (times->len > 0 && table->extrapolation == DAE_TABLE_PERIODIC && last > first) {
    DaeTerm later = dae_term_add(terms, at, dae_table_number(terms, bit_later(table)));
    DaeTerm inside = dae_table_fold(terms, first, last, later);
    next = dae_term_add(terms, dae_term_sub(terms, later, inside),
                        dae_term_add(terms, next_in_list(terms, times, last, inside), shift));
  } else if (times->len > 0) {
    DaeTerm found = next_in_list(terms, times, DBL_MAX, at);
    DaeTerm is_over = dae_term_relation(
        terms, DAE_REL_GE, at,
        dae_table_number(terms, g_array_index(times, double, times->len - 1)));
    next = dae_term_if(terms, is_over, never, dae_term_add(terms, found, shift));
  }
  if (table->start_time > -DBL_MAX) { /* what comes before the start counts as nothing */
    DaeTerm start = dae_table_number(terms, table->start_time);
    next = dae_term_if(terms, dae_term_relation(terms, DAE_REL_LT, time, start), start, next);
  }
  return next;
}
