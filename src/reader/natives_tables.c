/* Tables of the Modelica Standard Library as external objects: the number of the
 * table is the value of the object. */
#include "reader/natives.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- making ------------------------------------------------------------------------------ */

/* The functions `init` of version 3 of the library have the name of the table first and fewer
 * arguments; `init3` of version 4.1 has two more for comma-separated values. */
static bool
is_oldest(const DaeForeign *call)
{
  return g_str_has_suffix(call->name, "_init");
}

static bool
read_file(DaeForeign *call, const char *file, const char *name, DaeCombi *table)
{
  g_autoptr(GError) error = NULL;
  table->values = dae_combi_read(file, name, &table->n_rows, &table->n_columns, &error);
  return table->values != NULL || dae_foreign_fail(call, error->message);
}

/* delimiter, nHeaderLines are the last arguments. */
static bool
read_csv_file(DaeForeign *call, const char *file, DaeCombi *table)
{
  const char *delimiter = dae_foreign_text(call, call->n - 2);
  int64_t n_header = 0;
  if (delimiter == NULL || !dae_foreign_integer(call, call->n - 1, &n_header)) {
    return false;
  }
  if (strlen(delimiter) != 1 || n_header < 0 || n_header > UINT32_MAX) {
    return dae_foreign_fail(call,
                            "the delimiter is one character, and the number of lines before "
                            "the data is not negative");
  }
  g_autoptr(GError) error = NULL;
  table->values = dae_combi_read_csv(file, *delimiter, (uint32_t)n_header, &table->n_rows,
                                     &table->n_columns, &error);
  return table->values != NULL || dae_foreign_fail(call, error->message);
}

static bool
is_csv(const DaeForeign *call, const char *file)
{
  g_autofree char *lower = g_ascii_strdown(file, -1);
  return g_str_has_suffix(call->name, "_init3") && g_str_has_suffix(lower, ".csv");
}

/* No name: blank, or what the library has for it. */
static bool
is_named(const char *name)
{
  return name[strspn(name, " ")] != '\0' && strcmp(name, "NoName") != 0;
}

/* fileName, tableName, table, rows, columns */
static bool
take_data(DaeForeign *call, DaeCombi *table)
{
  const char *file = dae_foreign_text(call, is_oldest(call) ? 1 : 0);
  const char *name = dae_foreign_text(call, is_oldest(call) ? 0 : 1);
  if (file == NULL || name == NULL) {
    return false;
  }
  if (is_named(file)) {
    return is_csv(call, file) ? read_csv_file(call, file, table)
                              : read_file(call, file, name, table);
  }
  if (is_named(name)) {
    return dae_foreign_fail(call,
                            "a table with a name and without a file comes from the user's C "
                            "function usertab, and such functions are not linked: name a "
                            "file, or give the table in the model");
  }
  const DaeValue *value = &call->arguments[2];
  if (value->n_dims != 2 || value->count == 0) {
    return dae_foreign_fail(call, "the table is empty and no file is named");
  }
  table->n_rows = value->dims[0];
  table->n_columns = value->dims[1];
  table->values = dae_foreign_doubles(call, 2);
  return table->values != NULL;
}

static bool
take_columns(DaeForeign *call, uint32_t i, DaeCombi *table)
{
  g_autofree double *columns = dae_foreign_doubles(call, i);
  if (columns == NULL) {
    return false;
  }
  table->n_chosen = call->arguments[i].count;
  table->chosen = g_new0(uint32_t, MAX(table->n_chosen, 1u));
  for (uint32_t k = 0; k < table->n_chosen; k++) {
    if (columns[k] < 1.0 || columns[k] > (double)table->n_columns) {
      return dae_foreign_fail(call,
                              "the table does not have all the columns that are asked for");
    }
    table->chosen[k] = (uint32_t)columns[k];
  }
  return true;
}

static bool
take_kinds(DaeForeign *call, uint32_t i, DaeCombi *table)
{
  int64_t smoothness = 0;
  int64_t extrapolation = DAE_TABLE_LAST_TWO_POINTS;
  if (!dae_foreign_integer(call, i, &smoothness) ||
      (call->n > i + 1 && !dae_foreign_integer(call, i + 1, &extrapolation))) {
    return false;
  }
  if (smoothness < DAE_TABLE_LINEAR || smoothness > DAE_TABLE_MAKIMA ||
      extrapolation < DAE_TABLE_HOLD_LAST_POINT || extrapolation > DAE_TABLE_NO_EXTRAPOLATION) {
    return dae_foreign_fail(call, "an unknown smoothness or extrapolation");
  }
  table->smoothness = (DaeSmoothness)smoothness;
  table->extrapolation = (DaeExtrapolation)extrapolation;
  return true;
}

static bool
keep_table(DaeForeign *call, DaeCombi *table, DaeCombiKind kind)
{
  g_autofree char *wrong = dae_combi_check(table, kind);
  if (wrong != NULL) {
    dae_combi_free(table);
    return dae_foreign_fail(call, wrong);
  }
  if (call->reader->tables == NULL) {
    call->reader->tables = g_ptr_array_new_with_free_func((GDestroyNotify)dae_combi_free);
  }
  g_ptr_array_add(call->reader->tables, table);
  return dae_foreign_return_integer(call, call->reader->tables->len);
}

static bool
init_time_table(DaeForeign *call)
{
  DaeCombi *table = g_new0(DaeCombi, 1);
  int64_t events = DAE_TABLE_EVENTS_ALWAYS;
  bool good = take_data(call, table) && dae_foreign_double(call, 5, 0, &table->start_time) &&
              take_columns(call, 6, table) && take_kinds(call, 8, table) &&
              dae_foreign_double(call, call->n < 11 ? 5 : 10, 0, &table->shift_time) &&
              (call->n < 12 || dae_foreign_integer(call, 11, &events));
  table->events = (DaeTableEvents)events;
  if (!good) {
    dae_combi_free(table);
    return false;
  }
  return keep_table(call, table, DAE_COMBI_OF_TIME);
}

static bool
init_table(DaeForeign *call)
{
  DaeCombi *table = g_new0(DaeCombi, 1);
  if (!take_data(call, table) || !take_columns(call, 5, table) || !take_kinds(call, 7, table)) {
    dae_combi_free(table);
    return false;
  }
  return keep_table(call, table, DAE_COMBI_OF_ONE);
}

static bool
init_grid(DaeForeign *call)
{
  DaeCombi *table = g_new0(DaeCombi, 1);
  if (!take_data(call, table) || !take_kinds(call, 5, table)) {
    dae_combi_free(table);
    return false;
  }
  return keep_table(call, table, DAE_COMBI_OF_TWO);
}

/* ---- values ------------------------------------------------------------------------------ */

static const DaeCombi *
table_of(const DaeForeign *call)
{
  int64_t number = 0;
  if (!dae_foreign_integer(call, 0, &number)) {
    return NULL;
  }
  if (call->reader->tables == NULL || number < 1 ||
      number > (int64_t)call->reader->tables->len) {
    dae_foreign_fail(call, "there is no such table");
    return NULL;
  }
  return g_ptr_array_index(call->reader->tables, number - 1);
}

static bool
return_term(DaeForeign *call, DaeTerm value)
{
  if (value == DAE_NO_TERM) {
    return dae_foreign_fail(call, "the table has no such column");
  }
  return dae_foreign_return(call, dae_value_scalar(DAE_VALUE_REAL, value));
}

static bool
time_value(DaeForeign *call)
{
  const DaeCombi *table = table_of(call);
  int64_t column = 0;
  return table != NULL && dae_foreign_integer(call, 1, &column) &&
         return_term(call,
                     dae_combi_time_value(call->reader->terms, table, (uint32_t)column,
                                          call->arguments[2].term, call->arguments[3].term));
}

static bool
plain_value(DaeForeign *call)
{
  const DaeCombi *table = table_of(call);
  int64_t column = 0;
  return table != NULL && dae_foreign_integer(call, 1, &column) &&
         return_term(call, dae_combi_value(call->reader->terms, table, (uint32_t)column,
                                           call->arguments[2].term));
}

static bool
grid_value(DaeForeign *call)
{
  const DaeCombi *table = table_of(call);
  return table != NULL && return_term(call, dae_combi_grid_value(call->reader->terms, table,
                                                                 call->arguments[1].term,
                                                                 call->arguments[2].term));
}

static bool
next_event(DaeForeign *call)
{
  const DaeCombi *table = table_of(call);
  return table != NULL && return_term(call, dae_combi_next_event(call->reader->terms, table,
                                                                 call->arguments[1].term));
}

/* ---- derivatives ------------------------------------------------------------------------- */

/* At most two arguments, and how they change. */
typedef struct {
  uint32_t n;
  DaeTerm formal[2];
  DaeTerm at[2], speed[2], acceleration[2];
} Motion;

/* Arguments of the function: n of the table from `first` on, their derivatives from `speeds` on. */
static Motion
take_motion(const DaeForeign *call, uint32_t n, uint32_t first, uint32_t speeds, bool is_second)
{
  static const char *const names[2] = {"'$of table 1'", "'$of table 2'"};
  DaeTerms *terms = call->reader->terms;
  Motion motion = {.n = n};
  for (uint32_t i = 0; i < n; i++) {
    DaeSymbol symbol = 0;
    if (!dae_terms_find_symbol(terms, names[i], &symbol)) {
      symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, names[i]);
    }
    motion.formal[i] = dae_term_parameter(terms, symbol);
    motion.at[i] = call->arguments[first + i].term;
    motion.speed[i] = call->arguments[speeds + i].term;
    motion.acceleration[i] = is_second ? call->arguments[speeds + n + i].term : DAE_NO_TERM;
  }
  return motion;
}

/* The sum of the partial derivatives of t times `along`. */
static DaeTerm
derivative_along(DaeTerms *terms, const Motion *motion, const DaeTerm *along, DaeTerm t)
{
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t i = 0; i < motion->n; i++) {
    DaeTerm slope = dae_term_partial(terms, t, motion->formal[i]);
    sum = dae_term_add(terms, sum, dae_term_mul(terms, slope, along[i]));
  }
  return sum;
}

/* The first or second derivative of a value that is written in the formals. */
static bool
return_derivative(DaeForeign *call, const Motion *motion, DaeTerm value)
{
  DaeTerms *terms = call->reader->terms;
  if (value == DAE_NO_TERM) {
    return return_term(call, value);
  }
  DaeTerm result = derivative_along(terms, motion, motion->speed, value);
  if (motion->acceleration[0] != DAE_NO_TERM) {
    result = dae_term_add(terms, derivative_along(terms, motion, motion->speed, result),
                          derivative_along(terms, motion, motion->acceleration, value));
  }
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  for (uint32_t i = 0; i < motion->n; i++) {
    dae_subst_set(subst, motion->formal[i], motion->at[i]);
  }
  return return_term(call, dae_subst_apply(subst, result));
}

static bool
is_second(const DaeForeign *call)
{
  return g_str_has_suffix(call->name, "_getDer2Value");
}

static bool
time_derivative(DaeForeign *call)
{
  const DaeCombi *table = table_of(call);
  int64_t column = 0;
  if (table == NULL || !dae_foreign_integer(call, 1, &column)) {
    return false;
  }
  const Motion motion = take_motion(call, 1, 2, 5, is_second(call));
  return return_derivative(call, &motion,
                           dae_combi_time_value(call->reader->terms, table, (uint32_t)column,
                                                motion.formal[0], call->arguments[3].term));
}

static bool
plain_derivative(DaeForeign *call)
{
  const DaeCombi *table = table_of(call);
  int64_t column = 0;
  if (table == NULL || !dae_foreign_integer(call, 1, &column)) {
    return false;
  }
  const Motion motion = take_motion(call, 1, 2, 3, is_second(call));
  return return_derivative(
      call, &motion,
      dae_combi_value(call->reader->terms, table, (uint32_t)column, motion.formal[0]));
}

static bool
grid_derivative(DaeForeign *call)
{
  const DaeCombi *table = table_of(call);
  if (table == NULL) {
    return false;
  }
  const Motion motion = take_motion(call, 2, 1, 3, is_second(call));
  return return_derivative(
      call, &motion,
      dae_combi_grid_value(call->reader->terms, table, motion.formal[0], motion.formal[1]));
}

/* ---- ends -------------------------------------------------------------------------------- */

static bool
return_double(DaeForeign *call, double value)
{
  return return_term(call, dae_term_from_double(call->reader->terms, value));
}

static bool
first_abscissa(DaeForeign *call)
{
  const DaeCombi *table = table_of(call);
  return table != NULL && return_double(call, table->values[0]);
}

static bool
last_abscissa(DaeForeign *call)
{
  const DaeCombi *table = table_of(call);
  return table != NULL &&
         return_double(call, table->values[(size_t)(table->n_rows - 1) * table->n_columns]);
}

static bool
grid_ends(DaeForeign *call, bool last)
{
  const DaeCombi *table = table_of(call);
  if (table == NULL) {
    return false;
  }
  const double ends[2] = {
      table->values[(size_t)(last ? table->n_rows - 1 : 1) * table->n_columns],
      table->values[last ? table->n_columns - 1 : 1]};
  return call->arguments[1].count == 2 && dae_foreign_set_doubles(call, 1, ends, false);
}

static bool
grid_first(DaeForeign *call)
{
  return grid_ends(call, false);
}

static bool
grid_last(DaeForeign *call)
{
  return grid_ends(call, true);
}

static bool
close_table(DaeForeign *call)
{
  (void)call;
  return true;
}

static bool
read_again(DaeForeign *call)
{
  return dae_foreign_return(
      call, dae_value_scalar(DAE_VALUE_REAL, dae_term_int(call->reader->terms, 1)));
}

/* ---- matrices from files ----------------------------------------------------------------- */

bool
dae_table_matrix_size(const char *file, const char *name, uint32_t sizes[2])
{
  g_autofree double *values = dae_combi_read(file, name, &sizes[0], &sizes[1], NULL);
  return values != NULL;
}

static bool
matrix_sizes(DaeForeign *call)
{
  const char *file = dae_foreign_text(call, 0);
  const char *name = dae_foreign_text(call, 1);
  DaeCombi table = {0};
  if (file == NULL || name == NULL || !read_file(call, file, name, &table)) {
    return false;
  }
  g_free(table.values);
  const double sizes[2] = {table.n_rows, table.n_columns};
  return dae_foreign_set_doubles(call, 2, sizes, true);
}

static bool
read_matrix(DaeForeign *call)
{
  const char *file = dae_foreign_text(call, 0);
  const char *name = dae_foreign_text(call, 1);
  DaeCombi table = {0};
  if (file == NULL || name == NULL || !read_file(call, file, name, &table)) {
    return false;
  }
  bool good = call->arguments[2].count == table.n_rows * table.n_columns
                  ? dae_foreign_set_doubles(call, 2, table.values, false)
                  : dae_foreign_fail(call, "the matrix has another size");
  g_free(table.values);
  return good;
}

#define TABLE(kind, word) "ModelicaStandardTables_Combi" kind "_" word

const DaeForeignEntry dae_foreign_tables[] = {
    {TABLE("TimeTable", "init2"), 12, init_time_table},
    {TABLE("TimeTable", "init"), 10, init_time_table},
    {TABLE("TimeTable", "init3"), 15, init_time_table},
    {TABLE("TimeTable", "close"), 0, close_table},
    {TABLE("TimeTable", "read"), 1, read_again},
    {TABLE("TimeTable", "getValue"), 4, time_value},
    {TABLE("TimeTable", "getDerValue"), 6, time_derivative},
    {TABLE("TimeTable", "getDer2Value"), 7, time_derivative},
    {TABLE("TimeTable", "nextTimeEvent"), 2, next_event},
    {TABLE("TimeTable", "minimumTime"), 1, first_abscissa},
    {TABLE("TimeTable", "maximumTime"), 1, last_abscissa},
    {TABLE("Table1D", "init2"), 9, init_table},
    {TABLE("Table1D", "init"), 8, init_table},
    {TABLE("Table1D", "init3"), 12, init_table},
    {TABLE("Table1D", "close"), 0, close_table},
    {TABLE("Table1D", "read"), 1, read_again},
    {TABLE("Table1D", "getValue"), 3, plain_value},
    {TABLE("Table1D", "getDerValue"), 4, plain_derivative},
    {TABLE("Table1D", "getDer2Value"), 5, plain_derivative},
    {TABLE("Table1D", "minimumAbscissa"), 1, first_abscissa},
    {TABLE("Table1D", "maximumAbscissa"), 1, last_abscissa},
    {TABLE("Table2D", "init2"), 7, init_grid},
    {TABLE("Table2D", "init"), 6, init_grid},
    {TABLE("Table2D", "init3"), 10, init_grid},
    {TABLE("Table2D", "close"), 0, close_table},
    {TABLE("Table2D", "read"), 1, read_again},
    {TABLE("Table2D", "getValue"), 3, grid_value},
    {TABLE("Table2D", "getDerValue"), 5, grid_derivative},
    {TABLE("Table2D", "getDer2Value"), 7, grid_derivative},
    {TABLE("Table2D", "minimumAbscissa"), 2, grid_first},
    {TABLE("Table2D", "maximumAbscissa"), 2, grid_last},
    {"ModelicaIO_readMatrixSizes", 3, matrix_sizes},
    {"ModelicaIO_readRealMatrix", 3, read_matrix},
    {NULL, 0, NULL},
};
