/* First prices and a cheap matching: parts 1 and 2 of assign.c. */
#include <string.h>

#include "base/base.h"
#include "structural/graph.h"

/* On large systems in no particular order nearly every look at a vertex is a cache miss: what is
 * needed of a column is in arrays of a bit, a byte and a word for each, and prices are looked at
 * once: then a byte for each entry says whether it is tight. */
typedef struct {
  const DaeCsr *csr;
  bool is_wide; /* some columns stay unmatched: all prices are equal */
  uint32_t *column_of_row, *row_of_column;
  int64_t *c;       /* prices of rows */
  uint64_t n_edges; /* looked at */
  int32_t *price;   /* of columns: d */
  bool *is_tight;   /* by entry */
  uint64_t *taken;  /* bits: columns that have a row */
  uint32_t *left;   /* rows without a column that may get one, ascending */
  uint32_t n_left;
  uint8_t *n_rows_of; /* by column: of the rows that are left; MANY or more are MANY for ever */
  uint32_t *rows_of;  /* by column: their numbers, by exclusive or; NULL: not counted */
  uint32_t *single;   /* columns whose n_rows_of was or became 1 */
  uint32_t n_single;
} Tight;

enum {
  FEW = 16,        /* a sweep that finds less than one row of so many is the last one */
  MOST_LOST = 16,  /* a greedy try that fails for one row of so many is given up */
  MOST_LEFT = 100, /* likewise, after lost rows have pushed others aside */
  MANY = 255
};

static void
choose_first_prices(Tight *t)
{
  const DaeCsr *csr = t->csr;
  int32_t largest = 0;
  size_t nnz = dae_csr_nnz(csr);
  t->price = g_new0(int32_t, (size_t)csr->n_columns + 1);
  for (size_t e = 0; csr->weight != NULL && e < nnz; e++) {
    int32_t *price = &t->price[csr->column[e]];
    *price = MAX(*price, csr->weight[e]);
    largest = MAX(largest, csr->weight[e]);
  }
  for (uint32_t j = 0; t->is_wide && j < csr->n_columns; j++) {
    t->price[j] = largest;
  }
  t->n_edges += 2 * nnz;
}

static inline bool
is_taken(const Tight *t, uint32_t j)
{
  return (t->taken[j >> 6] >> (j & 63) & 1) != 0;
}

static void
pair(Tight *t, uint32_t i, uint32_t j)
{
  t->column_of_row[i] = j;
  t->row_of_column[j] = i;
  t->taken[j >> 6] |= UINT64_C(1) << (j & 63);
}

/* Matches i and j: one row less for all columns of row i. */
static void
take(Tight *t, uint32_t i, uint32_t j)
{
  const DaeCsr *csr = t->csr;
  pair(t, i, j);
  for (size_t e = csr->start[i]; t->rows_of != NULL && e < csr->start[i + 1]; e++) {
    uint32_t other = csr->column[e];
    if (t->is_tight[e]) {
      t->rows_of[other] ^= i;
      if (t->n_rows_of[other] < MANY && --t->n_rows_of[other] == 1 && !is_taken(t, other)) {
        t->single[t->n_single++] = other;
      }
    }
  }
}

/* The price of row i is its least slack under the first prices. How many of its tight columns are
 * not taken yet? *last is one of them. Without branches: rows differ at random. */
static inline uint32_t
set_price(Tight *t, uint32_t i, uint32_t *last)
{
  const DaeCsr *csr = t->csr;
  const uint32_t *column = csr->column;
  const int32_t *price = t->price;
  size_t start = csr->start[i];
  size_t end = csr->start[i + 1];
  int64_t least = start < end ? INT64_MAX : 0;
  uint32_t n = 0;
  for (size_t e = start; e < end; e++) {
    least = MIN(least, price[column[e]] - dae_csr_weight(csr, e));
  }
  for (size_t e = start; e < end; e++) {
    uint32_t j = column[e];
    bool is_tight = price[j] - dae_csr_weight(csr, e) == least;
    bool is_open = is_tight & !is_taken(t, j);
    t->is_tight[e] = is_tight;
    n += is_open;
    *last = is_open ? j : *last;
  }
  t->c[i] = least;
  return n;
}

/* The tight entries of row i whose columns are not taken yet, of which *last is one. */
static inline uint32_t
count_open(const Tight *t, uint32_t i, uint32_t *last)
{
  uint32_t n = 0;
  for (size_t e = t->csr->start[i]; e < t->csr->start[i + 1]; e++) {
    bool is_open = t->is_tight[e] & !is_taken(t, t->csr->column[e]);
    *last = is_open ? t->csr->column[e] : *last;
    n += is_open;
  }
  return n;
}

/* A row with one open column gets it; one without any gets none among the tight entries, whatever
 * is done: it is left to what comes after this file. */
static inline void
settle(Tight *t, uint32_t i, uint32_t n_open, uint32_t last)
{
  if (n_open == 1) {
    pair(t, i, last);
  }
  t->left[t->n_left] = i;
  t->n_left += n_open > 1;
}

/* The first sweep, over all rows; how many went? */
static uint32_t
set_prices(Tight *t)
{
  for (uint32_t i = 0; i < t->csr->n_rows; i++) {
    uint32_t j = DAE_UNMATCHED;
    uint32_t n_open = set_price(t, i, &j);
    settle(t, i, n_open, j);
  }
  t->n_edges += dae_csr_nnz(t->csr);
  return t->csr->n_rows - t->n_left;
}

/* A row that has one column left must get it. The rows that are left move up; how many went? While
 * a sweep over all rows finds many such rows it is cheaper than following them one by one: no look
 * depends on the one before. */
static uint32_t
sweep_rows(Tight *t)
{
  uint32_t n_before = t->n_left;
  t->n_left = 0;
  t->n_edges += n_before;
  for (uint32_t k = 0; k < n_before; k++) {
    uint32_t i = t->left[k];
    uint32_t j = DAE_UNMATCHED;
    uint32_t n_open = count_open(t, i, &j);
    settle(t, i, n_open, j);
  }
  return n_before - t->n_left;
}

/* How many rows of those that are left each column has, and all of them together by exclusive or:
 * where there is one, that is its number. */
static void
count_rows(Tight *t)
{
  t->n_rows_of = g_new0(uint8_t, (size_t)t->csr->n_columns + 1);
  t->rows_of = g_new0(uint32_t, (size_t)t->csr->n_columns + 1);
  /* a column is put there once at most: when its number is or becomes 1 */
  t->single = g_new(uint32_t, (size_t)t->csr->n_columns + 1);
  for (uint32_t l = 0; l < t->n_left; l++) {
    uint32_t i = t->left[l];
    for (size_t e = t->csr->start[i]; e < t->csr->start[i + 1]; e++) {
      uint32_t j = t->csr->column[e];
      if (t->is_tight[e]) {
        t->n_rows_of[j] = (uint8_t)(t->n_rows_of[j] + (t->n_rows_of[j] < MANY));
        t->rows_of[j] ^= i;
      }
    }
  }
  for (uint32_t j = t->csr->n_columns; j-- > 0;) {
    if (t->n_rows_of[j] == 1 && !is_taken(t, j)) {
      t->single[t->n_single++] = j;
    }
  }
  t->n_edges += 2 * dae_csr_nnz(t->csr);
}

/* A column that has one row left must get it. */
static void
match_single_columns(Tight *t)
{
  while (t->n_single > 0) {
    uint32_t j = t->single[--t->n_single];
    if (!is_taken(t, j) && t->n_rows_of[j] == 1) {
      take(t, t->rows_of[j], j);
    }
  }
}

/* The column of row i with the fewest rows that is not taken; DAE_UNMATCHED if none. */
static uint32_t
scarcest_column(const Tight *t, uint32_t i)
{
  uint32_t best = DAE_UNMATCHED;
  uint32_t least = UINT32_MAX;
  for (size_t e = t->csr->start[i]; e < t->csr->start[i + 1]; e++) {
    uint32_t j = t->csr->column[e];
    if (!is_taken(t, j) && t->n_rows_of[j] < least && t->is_tight[e]) {
      best = j;
      least = t->n_rows_of[j];
    }
  }
  return best;
}

/* ---- a greedy try ------------------------------------------------------------------------ */

/* What the try changes, to take it back. */
typedef struct {
  uint64_t *taken;
  uint32_t *left;
  uint32_t n_left;
} Mark;

static Mark
set_mark(const Tight *t)
{
  size_t words = (size_t)t->csr->n_columns / 64 + 1;
  return (Mark){g_memdup2(t->taken, words * sizeof *t->taken),
                g_memdup2(t->left, ((size_t)t->n_left + 1) * sizeof *t->left), t->n_left};
}

static void
back_to_mark(Tight *t, Mark *mark)
{
  for (uint32_t l = 0; l < mark->n_left; l++) {
    uint32_t *j = &t->column_of_row[mark->left[l]];
    if (*j != DAE_UNMATCHED) {
      t->row_of_column[*j] = DAE_UNMATCHED;
      *j = DAE_UNMATCHED;
    }
  }
  g_free(t->taken);
  g_free(t->left);
  t->taken = g_steal_pointer(&mark->taken);
  t->left = g_steal_pointer(&mark->left);
  t->n_left = mark->n_left;
}

static uint32_t
first_open(const Tight *t, uint32_t i)
{
  size_t e = t->csr->start[i];
  while (is_taken(t, t->csr->column[e]) || !t->is_tight[e]) {
    e++;
  }
  return t->csr->column[e];
}

/* Rows with at most so many open columns take their first one. Those that find none are lost: they
 * move to the front of the list; true while these are few. */
static bool
take_in_turn(Tight *t, uint32_t most, uint32_t *n_lost)
{
  uint32_t n_before = t->n_left;
  t->n_left = *n_lost;
  t->n_edges += n_before;
  for (uint32_t k = *n_lost; k < n_before; k++) {
    uint32_t i = t->left[k];
    uint32_t last = DAE_UNMATCHED;
    uint32_t n_open = count_open(t, i, &last);
    if (n_open > 0 && n_open <= most) {
      pair(t, i, n_open == 1 ? last : first_open(t, i));
      continue;
    }
    t->left[t->n_left++] = i;
    if (n_open == 0) {
      uint32_t first = t->left[*n_lost];
      t->left[(*n_lost)++] = i;
      t->left[t->n_left - 1] = first;
    }
  }
  return *n_lost <= t->csr->n_rows / MOST_LOST;
}

/* The row of column j finds another column. */
static bool
finds_other(Tight *t, uint32_t j)
{
  uint32_t i = t->row_of_column[j];
  for (size_t e = t->csr->start[i]; e < t->csr->start[i + 1]; e++) {
    if (!is_taken(t, t->csr->column[e]) && t->is_tight[e]) {
      pair(t, i, t->csr->column[e]);
      return true;
    }
  }
  return false;
}

/* A lost row takes the column of a row that finds another one. */
static bool
push_aside(Tight *t, uint32_t i)
{
  for (size_t e = t->csr->start[i]; e < t->csr->start[i + 1]; e++) {
    uint32_t j = t->csr->column[e];
    if (t->is_tight[e] && finds_other(t, j)) {
      pair(t, i, j);
      return true;
    }
  }
  return false;
}

static bool
push_aside_all(Tight *t)
{
  uint32_t n_before = t->n_left;
  t->n_left = 0;
  for (uint32_t l = 0; l < n_before; l++) {
    if (!push_aside(t, t->left[l])) {
      t->left[t->n_left++] = t->left[l];
    }
  }
  return t->n_left <= t->csr->n_rows / MOST_LEFT;
}

/* On meshes rows find their columns by themselves, and the look at bits alone is many times faster
 * than to count the rows of all columns. True: hardly any row is left; else nothing has changed. */
static bool
match_greedily(Tight *t)
{
  static const uint32_t steps[] = {2, 2, 3, UINT32_MAX};
  Mark mark = set_mark(t);
  uint32_t n_lost = 0;
  bool is_good = true;
  for (size_t s = 0; is_good && s < G_N_ELEMENTS(steps); s++) {
    is_good = take_in_turn(t, steps[s], &n_lost);
  }
  is_good = is_good && push_aside_all(t);
  if (!is_good) {
    back_to_mark(t, &mark);
  }
  g_free(mark.taken);
  g_free(mark.left);
  return is_good;
}

static void
match_cheaply(Tight *t)
{
  uint32_t n_before = t->csr->n_rows;
  uint32_t n_found = set_prices(t);
  while (t->n_left > 0 && n_found >= MAX(1, n_before / FEW)) {
    n_before = t->n_left;
    n_found = sweep_rows(t);
  }
  if (t->n_left == 0 || match_greedily(t)) {
    return;
  }
  count_rows(t);
  match_single_columns(t);
  for (uint32_t l = 0; l < t->n_left; l++) {
    uint32_t i = t->left[l];
    uint32_t j = t->column_of_row[i] == DAE_UNMATCHED ? scarcest_column(t, i) : DAE_UNMATCHED;
    if (j != DAE_UNMATCHED) {
      take(t, i, j);
      match_single_columns(t);
    }
  }
}

uint64_t
dae_graph_match_cheaply(const DaeCsr *csr, uint32_t *column_of_row, uint32_t *row_of_column,
                        int64_t *c, int64_t *d)
{
  Tight t = {.csr = csr, .is_wide = csr->n_rows < csr->n_columns, .c = c};
  t.column_of_row = column_of_row;
  t.row_of_column = row_of_column;
  t.taken = g_new0(uint64_t, (size_t)csr->n_columns / 64 + 1);
  t.left = g_new(uint32_t, (size_t)csr->n_rows + 1);
  memset(column_of_row, 0xff, sizeof *column_of_row * csr->n_rows);
  memset(row_of_column, 0xff, sizeof *row_of_column * csr->n_columns);
  t.is_tight = g_new(bool, dae_csr_nnz(csr) + 1);
  choose_first_prices(&t);
  match_cheaply(&t);
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    d[j] = t.price[j];
  }
  g_free(t.price);
  g_free(t.is_tight);
  g_free(t.taken);
  g_free(t.left);
  g_free(t.n_rows_of);
  g_free(t.rows_of);
  g_free(t.single);
  return t.n_edges;
}
