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

/* What is wrong with the abscissae: a row or a column of numbers from first on, `step` apart. */
static char *
check_order(const double *x, size_t step, uint32_t first, uint32_t n, bool is_strict,
            const char *line, const char *place)
{
  for (uint32_t i = first + 1; i < n; i++) {
    double before = x[(i - 1) * step];
    double here = x[i * step];
    if (here < before || (is_strict && here == before)) {
      char a[G_ASCII_DTOSTR_BUF_SIZE];
      char b[G_ASCII_DTOSTR_BUF_SIZE];
      return g_strdup_printf(
          "the first %s of the table is not %sascending: %s in %s %u, then %s", line,
          is_strict ? "strictly " : "", g_ascii_dtostr(a, sizeof a, before), place, i,
          g_ascii_dtostr(b, sizeof b, here));
    }
  }
  return NULL;
}

static char *
check_values(const DaeCombi *table)
{
  for (uint32_t i = 0; i < table->n_rows * table->n_columns; i++) {
    if (!isfinite(table->values[i])) {
      return g_strdup("a value of the table is not finite");
    }
  }
  return NULL;
}

/* Jumps are events, so only tables of time have them. */
char *
dae_combi_check(const DaeCombi *table, DaeCombiKind kind)
{
  bool is_grid = kind == DAE_COMBI_OF_TWO;
  bool has_jumps = kind == DAE_COMBI_OF_TIME && (table->smoothness == DAE_TABLE_LINEAR ||
                                                 table->smoothness == DAE_TABLE_CONSTANT);
  if (table->n_rows < (is_grid ? 2u : 1u) || table->n_columns < 2) {
    return g_strdup(is_grid ? "a table of two arguments has at least two rows and two columns"
                            : "a table has at least one row and two columns");
  }
  if (is_grid && table->smoothness > DAE_TABLE_CONSTANT) {
    return g_strdup("of two arguments there is linear, Akima's and constant interpolation: the "
                    "others are for one argument");
  }
  char *wrong = check_values(table);
  if (wrong == NULL) {
    wrong = check_order(table->values, table->n_columns, is_grid ? 1 : 0, table->n_rows,
                        !has_jumps, "column", "row");
  }
  if (wrong == NULL && is_grid) {
    wrong = check_order(table->values, 1, 1, table->n_columns, true, "row", "column");
  }
  if (wrong == NULL && !is_grid && table->n_rows > 1 &&
      table->extrapolation == DAE_TABLE_PERIODIC &&
      dae_table_entry(table, table->n_rows - 1, 0) == dae_table_entry(table, 0, 0)) {
    wrong = g_strdup("the period of the table is 0");
  }
  return wrong;
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

/* The whole periods before u, as a time. The end of a period belongs to the next one, but as the
 * library has it, an argument inside of the table, its end too, is looked up as it is, and beyond
 * the end it goes back to where it is not beyond. is_time: without that. */
static DaeTerm
periods_before(DaeTerms *terms, double first, double last, bool is_time, DaeTerm u)
{
  DaeTerm begin = dae_table_number(terms, first);
  DaeTerm end = dae_table_number(terms, last);
  DaeTerm period = dae_term_sub(terms, end, begin);
  DaeTerm rounds = dae_term_call1(terms, DAE_FN_FLOOR,
                                  dae_term_div(terms, dae_term_sub(terms, u, begin), period));
  if (!is_time) {
    DaeTerm zero = dae_term_int(terms, 0);
    DaeTerm beyond = dae_term_call1(terms, DAE_FN_CEIL,
                                    dae_term_div(terms, dae_term_sub(terms, u, end), period));
    rounds = dae_term_add(terms, dae_term_call2(terms, DAE_FN_MIN, rounds, zero),
                          dae_term_call2(terms, DAE_FN_MAX, beyond, zero));
  }
  return dae_term_mul(terms, period, rounds);
}

DaeTerm
dae_table_fold(DaeTerms *terms, double first, double last, DaeTerm u)
{
  return dae_term_sub(terms, u, periods_before(terms, first, last, false, u));
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

/* The end of a period as a point of the table: where constant segments have their last value, the
 * others their last piece. */
static void
set_last_point(Column *c, DaeSmoothness smoothness)
{
  uint32_t n = c->n;
  c->pieces[n] = c->pieces[0];
  c->pieces[n].x += c->x[n - 1] - c->x[0];
  if (smoothness == DAE_TABLE_CONSTANT) {
    c->pieces[n] = (DaePiece){.x = c->x[n - 1], .c = {c->y[n - 1]}};
  }
}

/* later: the piece is the one that the time is in so much later. */
static DaeTerm
column_value(DaeTerms *terms, const DaeCombi *table, uint32_t column, DaeTerm u, bool is_time,
             double later)
{
  Column c = column_of(table, column);
  DaeTerm at = u;
  DaeTerm value = dae_table_number(terms, c.y[0]);
  double first = c.x[0];
  double last = c.x[c.n - 1];
  DaeTerm shift = dae_table_number(terms, later);
  if (table->extrapolation == DAE_TABLE_PERIODIC && last > first) {
    DaeTerm before = periods_before(terms, first, last, is_time, dae_term_add(terms, u, shift));
    at = dae_term_sub(terms, u, before);
    if (!is_time) {
      set_last_point(&c, table->smoothness);
    }
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
  return find_column(table, output, &column) ? column_value(terms, table, column, u, false, 0.0)
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

/* Times of events within the table (without shift), ascending: its ends and its jumps, whatever
 * the user asks for, and on request the points between linear pieces. */
static GArray *
event_times(const DaeCombi *table)
{
  GArray *times = g_array_new(FALSE, FALSE, sizeof(double));
  bool at_points =
      table->smoothness == DAE_TABLE_CONSTANT ||
      (table->events == DAE_TABLE_EVENTS_ALWAYS && table->smoothness == DAE_TABLE_LINEAR);
  for (uint32_t i = 0; i < table->n_rows; i++) {
    double t = dae_table_entry(table, i, 0);
    bool is_jump = i > 0 && t == dae_table_entry(table, i - 1, 0);
    bool is_end = i == 0 || i + 1 == table->n_rows;
    bool is_new = times->len == 0 || g_array_index(times, double, times->len - 1) < t;
    if (is_new && (at_points || is_jump || is_end)) {
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
 * what comes next is looked for from a bit later on: a billionth of the least distance, or some
 * units of the times that it is made of. */
static double
bit_later(const DaeCombi *table)
{
  g_autoptr(GArray) times = event_times(table);
  double first = dae_table_entry(table, 0, 0);
  double last = dae_table_entry(table, table->n_rows - 1, 0);
  double least = last - first;
  double largest = fmax(fabs(first), fabs(last)) + fabs(table->shift_time);
  for (uint32_t i = 1; i < times->len; i++) {
    least = fmin(least, g_array_index(times, double, i) - g_array_index(times, double, i - 1));
  }
  return fmax(1e-9 * least, 8.0 * DBL_EPSILON * largest);
}

/* The same for the start, which may be as far away as -1e60 and says nothing of the others then. */
static double
bit_after_start(const DaeCombi *table)
{
  return fmax(bit_later(table), 8.0 * DBL_EPSILON * fabs(table->start_time));
}

/* The event of the start comes first: until then the time is before it, also where it is equal. */
static DaeTerm
has_begun(DaeTerms *terms, const DaeCombi *table, DaeTerm time, DaeTerm next)
{
  DaeTerm start = dae_table_number(terms, table->start_time);
  DaeTerm later = dae_term_add(terms, time, dae_table_number(terms, bit_after_start(table)));
  DaeTerm is_later = dae_term_relation(terms, DAE_REL_GE, later, start);
  return next == DAE_NO_TERM
             ? is_later
             : dae_term_and(terms, is_later, dae_term_relation(terms, DAE_REL_GT, next, start));
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
  double bit = bit_later(table);
  bool is_sided = next != DAE_NO_TERM && has_jump(table) && table->n_rows > 1;
  DaeTerm value = column_value(terms, table, column, shifted, true, is_sided ? bit : 0.0);
  if (is_sided) { /* up to the event the side before it counts, in the last bit as well */
    DaeTerm before = column_value(terms, table, column, shifted, true, -bit);
    DaeTerm later = dae_term_add(terms, time, dae_table_number(terms, bit));
    value =
        dae_term_if(terms, dae_term_relation(terms, DAE_REL_LT, later, next), value, before);
  }
  return table->start_time > -DBL_MAX ? dae_term_if(terms, has_begun(terms, table, time, next),
                                                    value, dae_term_int(terms, 0))
                                      : value;
}

/* The first event after a time in the table. */
static DaeTerm
next_inside(DaeTerms *terms, const DaeCombi *table, const GArray *times, DaeTerm at)
{
  double first = dae_table_entry(table, 0, 0);
  double last = dae_table_entry(table, table->n_rows - 1, 0);
  if (table->extrapolation == DAE_TABLE_PERIODIC && last > first) {
    DaeTerm before = periods_before(terms, first, last, true, at);
    DaeTerm inside = dae_term_sub(terms, at, before);
    return dae_term_add(terms, before, next_in_list(terms, times, last, inside));
  }
  return next_in_list(terms, times, DBL_MAX, at);
}

DaeTerm
dae_combi_next_event(DaeTerms *terms, const DaeCombi *table, DaeTerm time)
{
  g_autoptr(GArray) times = event_times(table);
  DaeTerm never = dae_table_number(terms, DBL_MAX);
  DaeTerm shift = dae_table_number(terms, table->shift_time);
  DaeTerm later = dae_term_add(terms, time, dae_table_number(terms, bit_later(table)));
  DaeTerm at = dae_term_sub(terms, later, shift);
  bool is_endless = table->extrapolation == DAE_TABLE_PERIODIC &&
                    dae_table_entry(table, table->n_rows - 1, 0) > dae_table_entry(table, 0, 0);
  DaeTerm next = dae_term_add(terms, next_inside(terms, table, times, at), shift);
  if (!is_endless) {
    double end = g_array_index(times, double, times->len - 1);
    next = dae_term_if(terms,
                       dae_term_relation(terms, DAE_REL_GE, at, dae_table_number(terms, end)),
                       never, next);
  }
  if (table->start_time > -DBL_MAX) { /* what comes before the start counts as nothing */
    DaeTerm start = dae_table_number(terms, table->start_time);
    DaeTerm then = dae_term_add(terms, time, dae_table_number(terms, bit_after_start(table)));
    next = dae_term_if(terms, dae_term_relation(terms, DAE_REL_LT, then, start), start, next);
  }
  return next;
}
