/* Dulmage-Mendelsohn: which part of a system has too many equations, which too few, and the
 * smallest piece that shows it. */
#include "base/base.h"
#include "structural/graph.h"

enum {
  EXACT_ROWS = 20,       /* parts up to here: all subsets are tried, smallest first */
  N_STARTS = 64,         /* larger parts: this many starting rows */
  N_STEPS = 20 * 1000000 /* and this many entries looked at, so that the answer stays quick */
};

void
dae_part_clear(DaePart *part)
{
  g_clear_pointer(&part->rows, g_array_unref);
  g_clear_pointer(&part->columns, g_array_unref);
}

static void
init_part(DaePart *part)
{
  part->rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  part->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

/* Marks the rows reached from the unmatched ones by row -> any column -> row matched with it. */
static void
mark_alternating(const DaeCsr *csr, const uint32_t *column_of_row,
                 const uint32_t *row_of_column, bool *row_marked, bool *column_marked)
{
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    if (column_of_row[i] == DAE_UNMATCHED) {
      row_marked[i] = true;
      g_array_append_val(queue, i);
    }
  }
  for (guint k = 0; k < queue->len; k++) {
    uint32_t i = g_array_index(queue, uint32_t, k);
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      uint32_t j = csr->column[e];
      if (column_marked[j]) {
        continue;
      }
      column_marked[j] = true;
      uint32_t next = row_of_column[j];
      DAE_ASSERT(next != DAE_UNMATCHED); /* else the matching could be augmented */
      if (!row_marked[next]) {
        row_marked[next] = true;
        g_array_append_val(queue, next);
      }
    }
  }
}

static void
append_marked(GArray *out, const bool *marked, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++) {
    if (marked[k]) {
      g_array_append_val(out, k);
    }
  }
}

void
dae_graph_dulmage_mendelsohn(const DaeCsr *csr, const uint32_t *column_of_row,
                             const uint32_t *row_of_column, DaePart *over, DaePart *under)
{
  g_autoptr(DaeCsr) transposed = dae_csr_transpose(csr);
  for (int side = 0; side < 2; side++) {
    g_autofree bool *row_marked = g_new0(bool, (size_t)csr->n_rows + 1);
    g_autofree bool *column_marked = g_new0(bool, (size_t)csr->n_columns + 1);
    DaePart *part = side == 0 ? over : under;
    if (side == 0) {
      mark_alternating(csr, column_of_row, row_of_column, row_marked, column_marked);
    } else {
      mark_alternating(transposed, row_of_column, column_of_row, column_marked, row_marked);
    }
    init_part(part);
    append_marked(part->rows, row_marked, csr->n_rows);
    append_marked(part->columns, column_marked, csr->n_columns);
  }
}

/* ---- the smallest excess ----------------------------------------------------------------- */

typedef struct { /* the over-determined part, renumbered */
  DaeCsr *csr;   /* its rows and columns */
  DaeCsr *transposed;
  uint32_t *column_of_row, *row_of_column;
  uint32_t *row_mark, *column_mark; /* number of the search that was here last */
  uint32_t *from_row;               /* columns: the row that reached it */
  GArray *queue;
  uint32_t search;
  uint64_t n_steps;
} Excess;

static DaeCsr *
extract_part(const DaeCsr *csr, const DaePart *part)
{
  g_autofree uint32_t *number = g_new(uint32_t, (size_t)csr->n_columns + 1);
  size_t nnz = 0;
  for (guint k = 0; k < part->columns->len; k++) {
    number[g_array_index(part->columns, uint32_t, k)] = k;
  }
  for (guint k = 0; k < part->rows->len; k++) {
    uint32_t i = g_array_index(part->rows, uint32_t, k);
    nnz += csr->start[i + 1] - csr->start[i];
  }
  DaeCsr *sub = dae_csr_new(part->rows->len, part->columns->len, nnz, false);
  size_t at = 0;
  for (guint k = 0; k < part->rows->len; k++) {
    uint32_t i = g_array_index(part->rows, uint32_t, k);
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      sub->column[at++] = number[csr->column[e]];
    }
    sub->start[k + 1] = at;
  }
  DAE_ASSERT(dae_csr_check(sub)); /* all columns of over-determined rows are in the part */
  return sub;
}

/* Looks for an augmenting path from row r, breadth first. If there is none, the rows in the
 * queue are the unique minimal excess that r has with the rows matched so far. */
static bool
augment_or_collect(Excess *x, uint32_t r)
{
  const DaeCsr *csr = x->csr;
  x->search++;
  g_array_set_size(x->queue, 0);
  g_array_append_val(x->queue, r);
  x->row_mark[r] = x->search;
  for (guint k = 0; k < x->queue->len; k++) {
    uint32_t i = g_array_index(x->queue, uint32_t, k);
    x->n_steps += 1 + csr->start[i + 1] - csr->start[i];
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      uint32_t j = csr->column[e];
      if (x->column_mark[j] == x->search) {
        continue;
      }
      x->column_mark[j] = x->search;
      x->from_row[j] = i;
      if (x->row_of_column[j] != DAE_UNMATCHED) {
        g_array_append_val(x->queue, x->row_of_column[j]);
        continue;
      }
      while (j != DAE_UNMATCHED) {
        uint32_t row = x->from_row[j];
        uint32_t previous = x->column_of_row[row];
        x->column_of_row[row] = j;
        x->row_of_column[j] = row;
        j = previous;
      }
      return true;
    }
  }
  return false;
}

/* Rows in the order of their distance from `start` (over common columns), nearest first, rows
 * with few columns before others at equal distance by index. */
static void
order_by_distance(Excess *x, uint32_t start, GArray *order)
{
  x->search++;
  g_array_set_size(order, 0);
  g_array_append_val(order, start);
  x->row_mark[start] = x->search;
  for (guint k = 0; k < order->len; k++) {
    uint32_t i = g_array_index(order, uint32_t, k);
    for (size_t e = x->csr->start[i]; e < x->csr->start[i + 1]; e++) {
      uint32_t j = x->csr->column[e];
      if (x->column_mark[j] == x->search) {
        continue;
      }
      x->column_mark[j] = x->search;
      x->n_steps += 1 + x->transposed->start[j + 1] - x->transposed->start[j];
      for (size_t f = x->transposed->start[j]; f < x->transposed->start[j + 1]; f++) {
        uint32_t next = x->transposed->column[f];
        if (x->row_mark[next] != x->search) {
          x->row_mark[next] = x->search;
          g_array_append_val(order, next);
        }
      }
    }
  }
}

static void
forget_matching(Excess *x)
{
  memset(x->column_of_row, 0xff, sizeof(uint32_t) * ((size_t)x->csr->n_rows + 1));
  memset(x->row_of_column, 0xff, sizeof(uint32_t) * ((size_t)x->csr->n_columns + 1));
}

/* Matches rows in the given order; the first that cannot be matched shows a
 * minimal excess near the start. */
static void
search_near_rows(Excess *x, GArray *best)
{
  g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  uint32_t n = x->csr->n_rows;
  uint32_t stride = MAX(1, n / N_STARTS);
  for (uint32_t start = 0; start < n; start += stride) {
    if (best->len > 0 && x->n_steps > N_STEPS) {
      return;
    }
    order_by_distance(x, start, order);
    forget_matching(x);
    for (guint k = 0; k < order->len; k++) {
      if (augment_or_collect(x, g_array_index(order, uint32_t, k))) {
        continue;
      }
      if (best->len == 0 || x->queue->len < best->len) {
        g_array_set_size(best, 0);
        g_array_append_vals(best, x->queue->data, x->queue->len);
      }
      break;
    }
  }
}

/* All subsets of at most EXACT_ROWS rows, as bits, by size and then lexicographically. */
static void
search_all_subsets(const Excess *x, GArray *best)
{
  uint32_t n = x->csr->n_rows;
  uint32_t n_columns =
      x->csr->n_columns; /* < n: the part is over-determined and all columns matched */
  g_autofree uint32_t *columns = g_new0(uint32_t, (size_t)n + 1);
  DAE_ASSERT(n <= EXACT_ROWS && n_columns < 32);
  for (uint32_t i = 0; i < n; i++) {
    for (size_t e = x->csr->start[i]; e < x->csr->start[i + 1]; e++) {
      columns[i] |= (uint32_t)1 << x->csr->column[e];
    }
  }
  uint32_t best_set = 0;
  int best_size = INT_MAX;
  for (uint32_t set = 1; set < (uint32_t)1 << n; set++) {
    int size = __builtin_popcount(set);
    if (size >= best_size) {
      continue;
    }
    uint32_t shared = 0;
    for (uint32_t rest = set; rest != 0; rest &= rest - 1) {
      shared |= columns[__builtin_ctz(rest)];
    }
    if (__builtin_popcount(shared) < size) {
      best_set = set;
      best_size = size;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    if ((best_set >> i & 1) != 0) {
      g_array_append_val(best, i);
    }
  }
}

static gint
compare_indices(gconstpointer a, gconstpointer b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

void
dae_graph_smallest_excess(const DaeCsr *csr, const DaePart *over, DaePart *excess)
{
  Excess x = {.csr = extract_part(csr, over)};
  size_t n_rows = (size_t)x.csr->n_rows + 1;
  size_t n_columns = (size_t)x.csr->n_columns + 1;
  x.transposed = dae_csr_transpose(x.csr);
  x.column_of_row = g_new(uint32_t, n_rows);
  x.row_of_column = g_new(uint32_t, n_columns);
  x.row_mark = g_new0(uint32_t, n_rows);
  x.column_mark = g_new0(uint32_t, n_columns);
  x.from_row = g_new(uint32_t, n_columns);
  x.queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) best = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (x.csr->n_rows <= EXACT_ROWS) {
    search_all_subsets(&x, best);
  } else {
    search_near_rows(&x, best);
  }
  DAE_ASSERT(best->len > 0);
  g_array_sort(best, compare_indices);
  init_part(excess);
  g_autofree bool *marked = g_new0(bool, (size_t)csr->n_columns + 1);
  for (guint k = 0; k < best->len; k++) {
    uint32_t i = g_array_index(over->rows, uint32_t, g_array_index(best, uint32_t, k));
    g_array_append_val(excess->rows, i);
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      marked[csr->column[e]] = true;
    }
  }
  append_marked(excess->columns, marked, csr->n_columns);
  DAE_ASSERT(excess->rows->len == excess->columns->len + 1);
  dae_csr_free(x.csr);
  dae_csr_free(x.transposed);
  g_free(x.column_of_row);
  g_free(x.row_of_column);
  g_free(x.row_mark);
  g_free(x.column_mark);
  g_free(x.from_row);
  g_array_unref(x.queue);
}
