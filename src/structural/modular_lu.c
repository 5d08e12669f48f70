/* Sparse elimination modulo a prime, with pivots of little fill (Markowitz: the product of the
 * other entries in row and column, of the best column of each row; rows of equal cost in the
 * order in which they got it). Long rows have an index of their own, so that a sum over 10^5
 * variables costs no more per step than a short one. Where a quarter of what is left is entries the
 * rest is eliminated as a full matrix. The steps are recorded: from them the rows of a null vector
 * are found. */
#include "base/base.h"
#include "structural/modular.h"

enum {
  INDEXED_FROM = 1000,
  MARKED_SHARE = 16, /* so many entries are marked in the time in which one is looked up */
  FULL_SHARE = 4,    /* one place of so many has an entry: a full matrix is faster, if it is */
  LEAST_FULL = 64,   /* not smaller, */
  MOST_FULL = 6000,  /* nor too large for the memory */
  MOST_TRACED =
      100 /* null vectors: more are of no use to the repair, which takes the shortest */
};

typedef struct {
  uint32_t *column;
  uint64_t *value;
  uint32_t n, room;
  GHashTable *place; /* long rows: column -> place + 1 */
  bool is_waiting;   /* long rows: in one of the lists */
  bool is_own;       /* arrays of its own; else a part of those that all rows began with */
} SparseRow;

typedef struct {
  uint32_t row, next; /* next: index + 1, 0 at the end */
} ColumnEntry;

typedef struct {
  uint32_t target, source;
  uint64_t factor;
} RowStep; /* target -= factor * source */

typedef struct {
  uint32_t n, n_all_columns;
  SparseRow *rows;
  uint32_t *all_columns; /* the rows as they were loaded, one after the other */
  uint64_t *all_values;
  /* rows that have, or had, an entry in the column: lists, in the order in which they came */
  GArray *column_entries;               /* ColumnEntry */
  uint32_t *column_first, *column_last; /* index + 1 */
  uint32_t *column_count;
  bool *is_done;
  /* rows by the cost of their best pivot when they were put there; NULL: none yet. Most
   * blocks are small, and the lists of large costs would cost more than they do. */
  GArray **by_cost;
  uint32_t n_lists; /* those from here on are empty */
  guint *head;      /* how many of each have been taken */
  uint32_t *where;  /* columns: place + 1 in the row that is being changed, else 0 */
  GArray *steps;    /* RowStep */
  GArray *pivots;   /* Pivot, in order */
  /* rows with entries that are no pivots, and their entries */
  uint32_t n_open;
  uint64_t n_entries;
  bool may_be_full;
  DaeModDense full; /* the rest, if any; its rows and columns here */
  uint32_t *full_row, *full_column;
} Elimination;

typedef struct {
  uint32_t row, column;
  uint64_t inverse;
} Pivot;

enum { N_EXACT = 128, N_COSTS = N_EXACT + 4 * 64 };

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
enlarge_row(SparseRow *row)
{
  row->room = 2 * row->room + 4;
  if (row->is_own) {
    row->column = g_renew(uint32_t, row->column, row->room);
    row->value = g_renew(uint64_t, row->value, row->room);
    return;
  }
  uint32_t *column = g_new(uint32_t, row->room);
  uint64_t *value = g_new(uint64_t, row->room);
  for (uint32_t k = 0; k < row->n; k++) {
    column[k] = row->column[k];
    value[k] = row->value[k];
  }
  row->column = column;
  row->value = value;
  row->is_own = true;
}

static void
note_row(Elimination *x, uint32_t column, uint32_t i)
{
  ColumnEntry entry = {i, 0};
  g_array_append_val(x->column_entries, entry);
  uint32_t last = x->column_last[column];
  if (last == 0) {
    x->column_first[column] = x->column_entries->len;
  } else {
    g_array_index(x->column_entries, ColumnEntry, last - 1).next = x->column_entries->len;
  }
  x->column_last[column] = x->column_entries->len;
  x->column_count[column]++;
}

static void
append_entry(Elimination *x, uint32_t i, uint32_t column, uint64_t value)
{
  SparseRow *row = &x->rows[i];
  if (row->n == row->room) {
    enlarge_row(row);
  }
  x->n_open += row->n == 0;
  x->n_entries++;
  row->column[row->n] = column;
  row->value[row->n++] = value;
  note_place(row, row->n - 1);
  if (row->place == NULL && row->n > INDEXED_FROM) {
    row->place = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (uint32_t k = 0; k < row->n; k++) {
      note_place(row, k);
    }
  }
  note_row(x, column, i);
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
  x->n_open -= row->n == 0;
  x->n_entries--;
  if (place < row->n) {
    row->column[place] = row->column[row->n];
    row->value[place] = row->value[row->n];
    note_place(row, place);
  }
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

/* Small costs have a list each, larger ones share it with costs up to a quarter more. */
static uint32_t
list_of_cost(const Elimination *x, uint32_t i)
{
  const SparseRow *row = &x->rows[i];
  uint64_t in_column = x->column_count[row->column[scarcest_place(x, i)]];
  uint64_t cost = ((uint64_t)row->n - 1) * (in_column - 1);
  if (cost < N_EXACT) {
    return (uint32_t)cost;
  }
  uint32_t log = 63 - (uint32_t)__builtin_clzll(cost);
  return N_EXACT + 4 * log + (uint32_t)(cost >> (log - 2) & 3);
}

/* The cost of a long row costs a walk over it: one that waits is looked at again when it is its
 * turn. */
static void
queue_row(Elimination *x, uint32_t i)
{
  SparseRow *row = &x->rows[i];
  bool is_long = row->n > INDEXED_FROM;
  if (row->n == 0 || (is_long && row->is_waiting)) {
    return;
  }
  row->is_waiting = is_long;
  uint32_t list = list_of_cost(x, i);
  if (x->by_cost[list] == NULL) {
    x->by_cost[list] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  x->n_lists = MAX(x->n_lists, list + 1);
  g_array_append_val(x->by_cost[list], i);
}

/* Where the columns of a row are, for the time of one subtraction. */
static void
mark_places(Elimination *x, const SparseRow *row, bool is_on)
{
  for (uint32_t k = 0; k < row->n; k++) {
    x->where[row->column[k]] = is_on ? k + 1 : 0;
  }
}

/* Removes an entry of a row whose places are marked. */
static void
remove_marked_entry(Elimination *x, uint32_t i, uint32_t place)
{
  const SparseRow *row = &x->rows[i];
  x->where[row->column[place]] = 0;
  remove_entry(x, i, place);
  if (place < row->n) {
    x->where[row->column[place]] = place + 1;
  }
}

/* target -= factor * source; the entry in the pivot column vanishes. O(entries of both), of the
 * source alone if the target is much longer. */
static void
subtract_row(Elimination *x, uint32_t target, uint32_t source, uint64_t factor)
{
  const SparseRow *from = &x->rows[source];
  SparseRow *to = &x->rows[target];
  uint64_t minus = dae_mod_neg(factor);
  RowStep step = {target, source, factor};
  bool is_marked = to->place == NULL || to->n / MARKED_SHARE < from->n;
  g_array_append_val(x->steps, step);
  if (is_marked) {
    mark_places(x, to, true);
  }
  for (uint32_t k = 0; k < from->n; k++) {
    uint64_t change = dae_mod_mul(minus, from->value[k]);
    uint32_t column = from->column[k];
    uint32_t place = is_marked ? x->where[column] : find_place(to, column);
    if (place == 0) {
      append_entry(x, target, column, change);
      x->where[column] = is_marked ? to->n : 0;
      continue;
    }
    to->value[place - 1] = dae_mod_add(to->value[place - 1], change);
    if (to->value[place - 1] == 0 && is_marked) {
      remove_marked_entry(x, target, place - 1);
    } else if (to->value[place - 1] == 0) {
      remove_entry(x, target, place - 1);
    }
  }
  if (is_marked) {
    mark_places(x, to, false);
  }
  queue_row(x, target);
}

/* The waiting row of least cost; false when none is left. Rows that became zero are not
 * waiting. A row whose cost has changed through its columns is put where it belongs now. */
static bool
take_cheapest_row(Elimination *x, uint32_t *row)
{
  for (uint32_t list = 0; list < x->n_lists; list++) {
    GArray *queue = x->by_cost[list];
    while (queue != NULL && x->head[list] < queue->len) {
      uint32_t i = g_array_index(queue, uint32_t, x->head[list]++);
      if (x->is_done[i] || x->rows[i].n == 0) {
        continue;
      }
      x->rows[i].is_waiting = false;
      if (list_of_cost(x, i) <= list) {
        *row = i;
        return true;
      }
      queue_row(x,
                i); /* further back: the measure is the number of entries eliminated so far */
    }
  }
  return false;
}

static bool
rest_is_full(const Elimination *x)
{
  return x->may_be_full && x->n_open >= LEAST_FULL && x->n_open <= MOST_FULL &&
         x->n_entries >= (uint64_t)x->n_open * x->n_open / FULL_SHARE;
}

/* The rows that are open, and the columns in them, which are not eliminated: their numbers in the
 * full matrix. */
static uint32_t
number_rest(Elimination *x)
{
  uint32_t n_rows = 0;
  uint32_t n_columns = 0;
  x->full_row = g_new(uint32_t, (size_t)x->n_open + 1);
  x->full_column = g_new(uint32_t, (size_t)MIN(x->n_entries, x->n_all_columns) + 1);
  for (uint32_t i = 0; i < x->n; i++) {
    const SparseRow *row = &x->rows[i];
    if (x->is_done[i] || row->n == 0) {
      continue;
    }
    x->full_row[n_rows++] = i;
    for (uint32_t k = 0; k < row->n; k++) {
      if (x->where[row->column[k]] == 0) {
        x->full_column[n_columns++] = row->column[k];
        x->where[row->column[k]] = n_columns;
      }
    }
  }
  DAE_ASSERT(n_rows == x->n_open);
  return n_columns;
}

/* Returns its rank. */
static uint32_t
eliminate_rest(Elimination *x)
{
  uint32_t n_columns = number_rest(x);
  dae_mod_dense_init(&x->full, x->n_open, n_columns);
  for (uint32_t r = 0; r < x->full.n_rows; r++) {
    const SparseRow *row = &x->rows[x->full_row[r]];
    for (uint32_t k = 0; k < row->n; k++) {
      x->full.a[(size_t)r * n_columns + x->where[row->column[k]] - 1] = row->value[k];
    }
  }
  for (uint32_t j = 0; j < n_columns; j++) {
    x->where[x->full_column[j]] = 0;
  }
  dae_mod_dense_eliminate(&x->full);
  return x->full.rank;
}

static uint32_t
eliminate_all(Elimination *x)
{
  uint32_t rank = 0;
  uint32_t i = 0;
  while (!rest_is_full(x) && take_cheapest_row(x, &i)) { /* each row is a pivot once */
    SparseRow *row = &x->rows[i];
    uint32_t place = scarcest_place(x, i);
    uint32_t column = row->column[place];
    uint64_t inverse = dae_mod_inverse(row->value[place]);
    Pivot pivot = {i, column, inverse};
    g_array_append_val(x->pivots, pivot);
    x->is_done[i] = true;
    x->n_open--;
    x->n_entries -= row->n;
    rank++;
    /* no row gets an entry there any more */
    for (uint32_t k = x->column_first[column]; k != 0;) {
      const ColumnEntry *entry = &g_array_index(x->column_entries, ColumnEntry, k - 1);
      uint32_t other = entry->row;
      k = entry->next;
      uint32_t at = x->is_done[other] ? 0 : find_place(&x->rows[other], column);
      if (at != 0) {
        subtract_row(x, other, i, dae_mod_mul(x->rows[other].value[at - 1], inverse));
      }
    }
    for (uint32_t k = 0; k < row->n; k++) {
      x->column_count[row->column[k]]--;
    }
  }
  return x->n_open > 0 ? rank + eliminate_rest(x) : rank;
}

/* The combination that made row z zero, traced back through the steps; only
 * which rows have a nonzero factor. */
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
  const size_t nnz = dae_csr_nnz(csr);
  DAE_ASSERT(nnz < G_MAXUINT32);
  x->n = csr->n_rows;
  x->n_all_columns = csr->n_columns;
  x->rows = g_new0(SparseRow, (size_t)x->n + 1);
  x->all_columns = g_new(uint32_t, nnz + 1);
  x->all_values = g_new(uint64_t, nnz + 1);
  x->column_entries = g_array_sized_new(FALSE, FALSE, sizeof(ColumnEntry), (guint)nnz);
  x->column_first = g_new0(uint32_t, (size_t)csr->n_columns + 1);
  x->column_last = g_new0(uint32_t, (size_t)csr->n_columns + 1);
  x->column_count = g_new0(uint32_t, (size_t)csr->n_columns + 1);
  x->is_done = g_new0(bool, (size_t)x->n + 1);
  x->where = g_new0(uint32_t, (size_t)csr->n_columns + 1);
  x->by_cost = g_new0(GArray *, N_COSTS);
  x->head = g_new0(guint, N_COSTS);
  x->steps = g_array_new(FALSE, FALSE, sizeof(RowStep));
  x->pivots = g_array_new(FALSE, FALSE, sizeof(Pivot));
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    x->rows[i].column = x->all_columns + csr->start[i];
    x->rows[i].value = x->all_values + csr->start[i];
    x->rows[i].room = (uint32_t)(csr->start[i + 1] - csr->start[i]);
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      if (values[e] != 0) {
        append_entry(x, i, csr->column[e], values[e]);
      }
    }
  }
  for (uint32_t i = 0; i < x->n; i++) {
    queue_row(x, i);
  }
}

static void
clear_elimination(Elimination *x)
{
  for (uint32_t i = 0; i < x->n; i++) {
    if (x->rows[i].is_own) {
      g_free(x->rows[i].column);
      g_free(x->rows[i].value);
    }
    g_clear_pointer(&x->rows[i].place, g_hash_table_unref);
  }
  for (uint32_t k = 0; k < x->n_lists; k++) {
    g_clear_pointer(&x->by_cost[k], g_array_unref);
  }
  g_free(x->rows);
  g_free(x->all_columns);
  g_free(x->all_values);
  g_array_unref(x->column_entries);
  g_free(x->column_first);
  g_free(x->column_last);
  g_free(x->column_count);
  g_free(x->is_done);
  g_free(x->where);
  g_free(x->by_cost);
  g_free(x->head);
  g_array_unref(x->steps);
  g_array_unref(x->pivots);
  g_free(x->full_row);
  g_free(x->full_column);
  dae_mod_dense_clear(&x->full);
}

uint32_t
dae_mod_eliminate(const DaeCsr *csr, const uint64_t *values, GPtrArray *null_rows)
{
  Elimination x = {.may_be_full = true};
  load_matrix(&x, csr, values);
  uint32_t rank = eliminate_all(&x);
  if (null_rows != NULL && rank < csr->n_rows && x.full.n_rows > 0) {
    clear_elimination(&x);
    x = (Elimination){0}; /* null vectors are traced through steps */
    load_matrix(&x, csr, values);
    rank = eliminate_all(&x);
  }
  for (uint32_t i = 0;
       null_rows != NULL && rank < x.n && i < x.n && null_rows->len < MOST_TRACED; i++) {
    if (!x.is_done[i]) {
      DAE_ASSERT(x.rows[i].n == 0);
      g_ptr_array_add(null_rows, trace_combination(&x, i));
    }
  }
  clear_elimination(&x);
  return rank;
}

static void
solve_rest(const Elimination *x, const uint64_t *rhs, uint64_t *solution)
{
  uint32_t n = x->full.n_rows;
  g_autofree uint64_t *right = g_new(uint64_t, (size_t)n + 1);
  g_autofree uint64_t *found = g_new(uint64_t, (size_t)n + 1);
  for (uint32_t r = 0; r < n; r++) {
    right[r] = rhs[x->full_row[r]];
  }
  dae_mod_dense_solve(&x->full, right, found);
  for (uint32_t j = 0; j < n; j++) {
    solution[x->full_column[j]] = found[j];
  }
}

/* A row keeps what it had when it became a pivot: its pivot and
 * columns that were eliminated later. */
static void
substitute_back(const Elimination *x, uint64_t *rhs, uint64_t *solution)
{
  for (guint k = 0; k < x->steps->len; k++) {
    const RowStep *step = &g_array_index(x->steps, RowStep, k);
    uint64_t change = dae_mod_neg(dae_mod_mul(step->factor, rhs[step->source]));
    rhs[step->target] = dae_mod_add(rhs[step->target], change);
  }
  solve_rest(x, rhs, solution);
  for (guint k = x->pivots->len; k-- > 0;) {
    const Pivot *pivot = &g_array_index(x->pivots, Pivot, k);
    const SparseRow *row = &x->rows[pivot->row];
    uint64_t sum = rhs[pivot->row];
    for (uint32_t e = 0; e < row->n; e++) {
      if (row->column[e] != pivot->column) {
        uint64_t part = dae_mod_mul(row->value[e], solution[row->column[e]]);
        sum = dae_mod_add(sum, dae_mod_neg(part));
      }
    }
    solution[pivot->column] = dae_mod_mul(sum, pivot->inverse);
  }
}

bool
dae_mod_solve(const DaeCsr *csr, const uint64_t *values, const uint64_t *rhs, uint64_t *x)
{
  if (csr->n_rows <= DAE_MOD_MOST_SMALL) {
    return dae_mod_solve_small(csr, values, rhs, x);
  }
  Elimination elimination = {.may_be_full = true};
  load_matrix(&elimination, csr, values);
  bool is_regular = eliminate_all(&elimination) == csr->n_rows;
  if (is_regular) {
    g_autofree uint64_t *right = g_memdup2(rhs, sizeof(uint64_t) * csr->n_rows);
    substitute_back(&elimination, right, x);
  }
  clear_elimination(&elimination);
  return is_regular;
}
