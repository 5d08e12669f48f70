/* Rows that decide nothing: as many linear rows as unknowns that occur nowhere else, with a
 * regular matrix of numbers. They have one solution whatever the other unknowns are, so no
 * other row can follow from them or contradict them, and nothing is missing there; regular
 * modulo a prime is proof enough. Solving them exactly would fill the rows of a grid with
 * numbers of many digits that nobody asks for.
 *
 * A matching of all rows says which unknown is whose. What does not fit is taken away, and with
 * each row its unknowns and the rows these are matched with, until what is left is closed. Where
 * an unknown is free the rows are written out, because then somebody asks which depend on it. */
#include "initcheck/initcheck-priv.h"

#include "numeric/numeric.h"
#include "structural/regular.h"

enum {
  LEAST_ROWS = 200
}; /* fewer are solved exactly: their formulas are short and tell more */

typedef struct {
  IcEngine *engine;
  GArray *rows;     /* uint32_t: of the engine, that are active */
  GArray *unknowns; /* uint32_t: that occur in them, ascending */
  uint32_t *column; /* unknown -> column */
  DaeCsr *csr;      /* all rows and unknowns */
  bool *is_out;     /* by row: not part of it */
} Square;

/* ---- the graph --------------------------------------------------------------------------- */

static bool
is_plain(const Square *square, const IcRow *row)
{
  bool ok = !row->passive && row->form.leaves->len == 0;
  for (guint i = 0; i < row->form.entries->len && ok; i++) {
    DaeTerm c = g_array_index(row->form.entries, IcEntry, i).c;
    ok = dae_term_is_number(square->engine->sys->terms, c);
  }
  return ok;
}

/* Columns in the order of the unknowns, so that those of a row ascend. */
static void
number_columns(Square *square, const GArray *occurrences)
{
  uint32_t n = square->engine->sys->unknowns->len;
  for (guint k = 0; k < occurrences->len; k++) {
    square->column[g_array_index(occurrences, uint32_t, k)] = 1;
  }
  for (uint32_t z = 0; z < n; z++) {
    bool occurs = square->column[z] != 0;
    square->column[z] = occurs ? square->unknowns->len : IC_NONE;
    if (occurs) {
      g_array_append_val(square->unknowns, z);
    }
  }
}

static void
build_graph(Square *square)
{
  IcEngine *engine = square->engine;
  uint32_t n = square->rows->len;
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree size_t *start = g_new0(size_t, (size_t)n + 1);
  for (uint32_t k = 0; k < n; k++) {
    const IcRow *row = ic_engine_row(engine, g_array_index(square->rows, uint32_t, k));
    ic_form_unknowns(engine->sys, &row->form, inside);
    g_array_append_vals(all, inside->data, inside->len);
    start[k + 1] = all->len;
    square->is_out[k] = !is_plain(square, row);
  }
  number_columns(square, all);
  square->csr = dae_csr_new(n, square->unknowns->len, all->len, false);
  memcpy(square->csr->start, start, sizeof(size_t) * ((size_t)n + 1));
  for (guint e = 0; e < all->len; e++) {
    square->csr->column[e] = square->column[g_array_index(all, uint32_t, e)];
  }
}

/* ---- what is left ------------------------------------------------------------------------ */

/* With a row its columns go, and with a column the row that it is matched with. */
static void
close_under_use(Square *square, const uint32_t *row_of_column)
{
  const DaeCsr *csr = square->csr;
  g_autofree bool *is_column_out = g_new0(bool, (size_t)csr->n_columns + 1);
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t k = 0; k < csr->n_rows; k++) {
    if (square->is_out[k]) {
      g_array_append_val(queue, k);
    }
  }
  for (guint at = 0; at < queue->len; at++) {
    uint32_t k = g_array_index(queue, uint32_t, at);
    for (size_t e = csr->start[k]; e < csr->start[k + 1]; e++) {
      uint32_t j = csr->column[e];
      uint32_t owner = row_of_column[j];
      if (!is_column_out[j] && !square->is_out[owner]) {
        square->is_out[owner] = true;
        g_array_append_val(queue, owner);
      }
      is_column_out[j] = true;
    }
  }
}

/* The unknowns of a row that is not continuous, or of one that no other row is left for, stay
 * with the search. False: there are free unknowns. */
static bool
close_square(Square *square)
{
  const DaeCsr *csr = square->csr;
  IcSystem *sys = square->engine->sys;
  g_autofree uint32_t *column_of_row = g_new(uint32_t, (size_t)csr->n_rows + 1);
  g_autofree uint32_t *row_of_column = g_new(uint32_t, (size_t)csr->n_columns + 1);
  g_autofree int64_t *c = g_new(int64_t, (size_t)csr->n_rows + 1);
  g_autofree int64_t *d = g_new(int64_t, (size_t)csr->n_columns + 1);
  g_autoptr(DaeCsr) transposed = dae_csr_transpose(csr);
  dae_graph_match(transposed, row_of_column, column_of_row, d, c, NULL);
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    if (row_of_column[j] == DAE_UNMATCHED) {
      return false;
    }
  }
  for (guint i = 0; i < sys->discrete->len; i++) {
    uint32_t j = square->column[g_array_index(sys->discrete, uint32_t, i)];
    if (j != IC_NONE) {
      square->is_out[row_of_column[j]] = true;
    }
  }
  for (uint32_t k = 0; k < csr->n_rows; k++) {
    square->is_out[k] |= column_of_row[k] == DAE_UNMATCHED;
  }
  close_under_use(square, row_of_column);
  for (uint32_t k = 0; k < csr->n_rows; k++) { /* the own columns of what stays, in column[] */
    if (square->is_out[k] && column_of_row[k] != DAE_UNMATCHED) {
      uint32_t j = column_of_row[k];
      square->column[g_array_index(square->unknowns, uint32_t, j)] = IC_NONE;
    }
  }
  return true;
}

/* The rows that are left in the unknowns that are theirs; entries are those of the forms. */
static DaeCsr *
own_matrix(const Square *square, GArray *values)
{
  IcEngine *engine = square->engine;
  g_autofree uint32_t *own = g_new(uint32_t, (size_t)square->unknowns->len + 1);
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) start = g_array_new(FALSE, TRUE, sizeof(size_t));
  uint32_t n = 0;
  for (guint j = 0; j < square->unknowns->len; j++) {
    uint32_t z = g_array_index(square->unknowns, uint32_t, j);
    own[j] = square->column[z] == IC_NONE ? IC_NONE : n++;
  }
  g_array_set_size(start, 1);
  for (uint32_t k = 0; k < square->rows->len; k++) {
    const IcForm *form = &ic_engine_row(engine, g_array_index(square->rows, uint32_t, k))->form;
    for (guint i = 0; i < form->entries->len && !square->is_out[k]; i++) {
      const IcEntry *entry = &g_array_index(form->entries, IcEntry, i);
      uint32_t j = square->column[entry->z];
      if (j != IC_NONE) {
        g_array_append_val(columns, own[j]);
        g_array_append_val(values, entry->c);
      }
    }
    size_t end = columns->len;
    if (!square->is_out[k]) {
      g_array_append_val(start, end);
    }
  }
  DaeCsr *csr = dae_csr_new(start->len - 1, n, columns->len, false);
  memcpy(csr->start, start->data, sizeof(size_t) * start->len);
  memcpy(csr->column, columns->data, sizeof(uint32_t) * columns->len);
  return csr;
}

static void
set_aside(Square *square)
{
  IcEngine *engine = square->engine;
  for (uint32_t k = 0; k < square->rows->len; k++) {
    if (!square->is_out[k]) {
      ic_engine_row(engine, g_array_index(square->rows, uint32_t, k))->state = IC_ROW_SQUARE;
    }
  }
  for (guint j = 0; j < square->unknowns->len; j++) {
    uint32_t z = g_array_index(square->unknowns, uint32_t, j);
    if (square->column[z] != IC_NONE) {
      g_array_append_val(engine->square, z);
    }
  }
}

static uint32_t
count_left(const Square *square)
{
  uint32_t n = 0;
  for (uint32_t k = 0; k < square->rows->len; k++) {
    n += !square->is_out[k];
  }
  return n;
}

void
ic_set_square_aside(IcEngine *engine)
{
  const GArray *active = ic_queue_active(engine);
  uint32_t n_open = engine->sys->unknowns->len - engine->n_pivots;
  if (active->len < LEAST_ROWS || active->len < n_open) {
    return; /* too few to be worth it, or some unknowns stay free */
  }
  Square square = {.engine = engine,
                   .rows = g_array_copy((GArray *)active),
                   .unknowns = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                   .column = g_new0(uint32_t, (size_t)engine->sys->unknowns->len + 1),
                   .is_out = g_new0(bool, (size_t)active->len + 1)};
  build_graph(&square);
  if (square.unknowns->len == n_open && close_square(&square) &&
      count_left(&square) >= LEAST_ROWS) {
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autoptr(DaeCsr) own = own_matrix(&square, values);
    if (dae_is_regular_matrix(engine->sys->terms, own,
                              (const DaeTerm *)(const void *)values->data)) {
      set_aside(&square);
    }
  }
  dae_csr_free(square.csr);
  g_array_unref(square.rows);
  g_array_unref(square.unknowns);
  g_free(square.column);
  g_free(square.is_out);
}

/* ---- values ------------------------------------------------------------------------------ */

typedef struct {
  IcNumber number;
  void *user;
  const double *value;     /* of the unknowns that are known */
  const uint32_t *place;   /* unknown -> place among those of the square + 1, or 0 */
  GArray *start;           /* uint32_t: of each row, and the end */
  GArray *columns;         /* uint32_t */
  GArray *entries, *right; /* double */
} System;

/* Own unknowns to the left, all others to the right. */
static bool
add_equation(System *system, const IcForm *form)
{
  double right = 0.0;
  bool ok = system->number(system->user, form->rest, &right);
  for (guint i = 0; i < form->entries->len && ok; i++) {
    const IcEntry *entry = &g_array_index(form->entries, IcEntry, i);
    double c = 0.0;
    ok = system->number(system->user, entry->c, &c);
    if (system->place[entry->z] == 0) {
      right += c * system->value[entry->z];
    } else {
      uint32_t column = system->place[entry->z] - 1;
      g_array_append_val(system->columns, column);
      g_array_append_val(system->entries, c);
    }
  }
  right = -right;
  g_array_append_val(system->right, right);
  g_array_append_val(system->start, system->columns->len);
  return ok;
}

static void
solve_system(const System *system, const GArray *unknowns, double *value, bool *is_known)
{
  DaePattern pattern = {.n_rows = system->right->len,
                        .n_columns = unknowns->len,
                        .row_start = (const uint32_t *)(const void *)system->start->data,
                        .column = (const uint32_t *)(const void *)system->columns->data};
  DaeRowSolver *solver = dae_row_solver_new(&pattern);
  g_autofree double *x = g_new0(double, (size_t)unknowns->len + 1);
  if (dae_row_solver_factor(solver, (const double *)(const void *)system->entries->data)) {
    dae_row_solver_solve(solver, (const double *)(const void *)system->right->data, x);
    for (guint k = 0; k < unknowns->len; k++) {
      uint32_t z = g_array_index(unknowns, uint32_t, k);
      value[z] = x[k];
      is_known[z] = true;
    }
  }
  dae_row_solver_free(solver);
}

void
ic_square_values(IcEngine *engine, IcNumber number, void *user, double *value, bool *is_known)
{
  if (engine->square->len == 0) {
    return;
  }
  g_autofree uint32_t *place = g_new0(uint32_t, (size_t)engine->sys->unknowns->len + 1);
  g_autoptr(GArray) start = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(double));
  g_autoptr(GArray) right = g_array_new(FALSE, FALSE, sizeof(double));
  System system = {number, user, value, place, start, columns, entries, right};
  for (guint k = 0; k < engine->square->len; k++) {
    place[g_array_index(engine->square, uint32_t, k)] = k + 1;
  }
  g_array_set_size(start, 1);
  bool ok = true;
  for (uint32_t r = 0; r < engine->rows->len && ok; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    ok = row->state != IC_ROW_SQUARE || add_equation(&system, &row->form);
  }
  if (ok) {
    solve_system(&system, engine->square, value, is_known);
  }
}
