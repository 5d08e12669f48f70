/* Sparse elimination modulo a prime, with pivots of little fill: rows with few entries first, in them the column with
 * few entries. Long rows have an index of their own, so that a sum over 10^5 variables costs no more per step than
 * a short one. The steps are recorded: from them the rows of a null vector are found. */
#include "base/base.h"
#include "structural/modular.h"

enum {
  INDEXED_FROM = 32,
  MOST_TRACED =
      100 /* null vectors: more are of no use to the repair, which takes the shortest */
};

typedef struct {
  uint32_t *column;
  uint64_t *value;
  uint32_t n, room;
  GHashTable *place; /* long rows: column -> place + 1 */
} SparseRow;

typedef struct {
  uint32_t target, source;
  uint64_t factor;
} RowStep; /* target -= factor * source */

typedef struct {
  uint32_t n;
  SparseRow *rows;
  GArray **column_rows; /* rows that have, or had, an entry in the column */
  uint32_t *column_count;
  bool *is_done;
  GArray *
      *by_length; /* rows by number of entries when they were put there; last: longer ones */
  GArray *steps;  /* RowStep */
} Elimination;

enum { N_LENGTHS = 64 };

static uint32_t
find_place(const SparseRow *row, uint32_t column)
{
  if (row->place != NULL) {
    return GPOINTER_TO_UINT(g_hash_table_lookup(row->place, GUINT_TO_POINTER(column)));
  }
  for (uint32_t k = 0; k < row->n; k++) {
    if (row->column[k] == column) {
      return k + 1;
    }
  }
  return 0;
}

static void
note_place(SparseRow *row, uint32_t k)
{
  if (row->place != NULL) {
    g_hash_table_insert(row->place, GUINT_TO_POINTER(row->column[k]), GUINT_TO_POINTER(k + 1));
  }
}

static void
append_entry(Elimination *x, uint32_t i, uint32_t column, uint64_t value)
{
  SparseRow *row = &x->rows[i];
  if (row->n == row->room) {
    row->room = 2 * row->room + 4;
    row->column = g_renew(uint32_t, row->column, row->room);
    row->value = g_renew(uint64_t, row->value, row->room);
  }
  row->column[row->n] = column;
  row->value[row->n++] = value;
  note_place(row, row->n - 1);
  if (row->place == NULL && row->n > INDEXED_FROM) {
    row->place = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (uint32_t k = 0; k < row->n; k++) {
      note_place(row, k);
    }
  }
  g_array_append_val(x->column_rows[column], i);
  x->column_count[column]++;
}

static void
remove_entry(Elimination *x, uint32_t i, uint32_t place)
{
  SparseRow *row = &x->rows[i];
  x->column_count[row->column[place]]--;
  if (row->place != NULL) {
    g_hash_table_remove(row->place, GUINT_TO_POINTER(row->column[place]));
  }
  row->n--;
  if (place < row->n) {
    row->column[place] = row->column[row->n];
    row->value[place] = row->value[row->n];
    note_place(row, place);
  }
}

static void
queue_row(Elimination *x, uint32_t i)
{
  g_array_append_val(x->by_length[MIN(x->rows[i].n, N_LENGTHS - 1)], i);
}

/* target -= factor * source; the entry in the pivot column vanishes. */
static void
subtract_row(Elimination *x, uint32_t target, uint32_t source, uint64_t factor)
{
  const SparseRow *from = &x->rows[source];
  uint64_t minus = dae_mod_neg(factor);
  RowStep step = {target, source, factor};
  g_array_append_val(x->steps, step);
  for (uint32_t k = 0; k < from->n; k++) {
    uint64_t change = dae_mod_mul(minus, from->value[k]);
    uint32_t place = find_place(&x->rows[target], from->column[k]);
    if (place == 0) {
      append_entry(x, target, from->column[k], change);
      continue;
    }
    uint64_t sum = dae_mod_add(x->rows[target].value[place - 1], change);
    x->rows[target].value[place - 1] = sum;
    if (sum == 0) {
      remove_entry(x, target, place - 1);
    }
  }
  queue_row(x, target);
}

/* The waiting row with the fewest entries; false when none is left. Rows that became zero are skipped. */
static bool
take_shortest_row(Elimination *x, uint32_t *row)
{
  for (uint32_t length = 1; length < N_LENGTHS; length++) {
    GArray *queue = x->by_length[length];
    while (queue->len > 0) {
      uint32_t i = g_array_index(queue, uint32_t, queue->len - 1);
      g_array_set_size(queue, queue->len - 1);
      if (!x->is_done[i] && MIN(x->rows[i].n, N_LENGTHS - 1) == length) {
        *row = i;
        return true;
      }
    }
  }
  return false;
}

static uint32_t
scarcest_place(const Elimination *x, uint32_t i)
{
  const SparseRow *row = &x->rows[i];
  uint32_t best = 0;
  for (uint32_t k = 1; k < row->n; k++) {
    uint32_t a = x->column_count[row->column[k]];
    uint32_t b = x->column_count[row->column[best]];
    if (a < b || (a == b && row->column[k] < row->column[best])) {
      best = k;
    }
  }
  return best;
}

static uint32_t
eliminate_all(Elimination *x)
{
  uint32_t rank = 0;
  uint32_t i = 0;
  while (take_shortest_row(x, &i)) { /* each row is a pivot once */
    SparseRow *row = &x->rows[i];
    uint32_t place = scarcest_place(x, i);
    uint32_t column = row->column[place];
    uint64_t inverse = dae_mod_inverse(row->value[place]);
    x->is_done[i] = true;
    rank++;
    g_autoptr(GArray) others = g_steal_pointer(&x->column_rows[column]);
    x->column_rows[column] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint k = 0; k < others->len; k++) {
      uint32_t other = g_array_index(others, uint32_t, k);
      uint32_t at = x->is_done[other] ? 0 : find_place(&x->rows[other], column);
      if (at != 0) {
        subtract_row(x, other, i, dae_mod_mul(x->rows[other].value[at - 1], inverse));
      }
    }
    for (uint32_t k = 0; k < row->n; k++) {
      x->column_count[row->column[k]]--;
    }
  }
  return rank;
}

/* The combination that made row z zero, traced back through the steps; only which rows have a nonzero factor. */
static GArray *
trace_combination(const Elimination *x, uint32_t z)
{
  g_autofree uint64_t *v = g_new0(uint64_t, (size_t)x->n + 1);
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  v[z] = 1;
  for (guint k = x->steps->len; k-- > 0;) {
    const RowStep *step = &g_array_index(x->steps, RowStep, k);
    if (v[step->target] != 0) {
      v[step->source] =
          dae_mod_add(v[step->source], dae_mod_neg(dae_mod_mul(step->factor, v[step->target])));
    }
  }
  for (uint32_t i = 0; i < x->n; i++) {
    if (v[i] != 0) {
      g_array_append_val(rows, i);
    }
  }
  return rows;
}

static void
load_matrix(Elimination *x, const DaeCsr *csr, const uint64_t *values)
{
  x->n = csr->n_rows;
  x->rows = g_new0(SparseRow, (size_t)x->n + 1);
  x->column_rows = g_new0(GArray *, (size_t)csr->n_columns + 1);
  x->column_count = g_new0(uint32_t, (size_t)csr->n_columns + 1);
  x->is_done = g_new0(bool, (size_t)x->n + 1);
  x->by_length = g_new0(GArray *, N_LENGTHS);
  x->steps = g_array_new(FALSE, FALSE, sizeof(RowStep));
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    x->column_rows[j] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  for (uint32_t k = 0; k < N_LENGTHS; k++) {
    x->by_length[k] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      if (values[e] != 0) {
        append_entry(x, i, csr->column[e], values[e]);
      }
    }
  }
  for (uint32_t i = x->n; i-- > 0;) {
    queue_row(x, i);
  }
}

static void
clear_elimination(Elimination *x, uint32_t n_columns)
{
  for (uint32_t i = 0; i < x->n; i++) {
    g_free(x->rows[i].column);
    g_free(x->rows[i].value);
    g_clear_pointer(&x->rows[i].place, g_hash_table_unref);
  }
  for (uint32_t j = 0; j < n_columns; j++) {
    g_array_unref(x->column_rows[j]);
  }
  for (uint32_t k = 0; k < N_LENGTHS; k++) {
    g_array_unref(x->by_length[k]);
  }
  g_free(x->rows);
  g_free(x->column_rows);
  g_free(x->column_count);
  g_free(x->is_done);
  g_free(x->by_length);
  g_array_unref(x->steps);
}

uint32_t
dae_mod_eliminate(const DaeCsr *csr, const uint64_t *values, GPtrArray *null_rows)
{
  Elimination x = {0};
  load_matrix(&x, csr, values);
  uint32_t rank = eliminate_all(&x);
  for (uint32_t i = 0; null_rows != NULL && i < x.n && null_rows->len < MOST_TRACED; i++) {
    if (!x.is_done[i]) {
      DAE_ASSERT(x.rows[i].n == 0);
      g_ptr_array_add(null_rows, trace_combination(&x, i));
    }
  }
  clear_elimination(&x, csr->n_columns);
  return rank;
}
