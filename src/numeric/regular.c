/* Regular or not, in numbers: sparse LU with an estimate of the condition, and a sparse
 * echelon form that grows row by row. */
#include <glib.h>
#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "numeric/numeric.h"

/* A condition above this counts as singular: the caller then asks for a proof. */
#define WORST_CONDITION 1e11

/* ---- square ---------------------------------------------------------------------------------- */

/* The matrix by columns, rows scaled to largest entry 1, then columns. False: a row or
 * column is zero or not finite. */
static bool
equilibrate(const DaePattern *pattern, const double *values, int *starts, int *rows,
            double *entries)
{
  uint32_t n = pattern->n_rows;
  g_autofree double *row_scale = g_new0(double, n + 1);
  g_autofree double *column_scale = g_new0(double, n + 1);
  g_autofree int *next = g_new0(int, n + 2);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      row_scale[i] = fmax(row_scale[i], fabs(values[e]));
      next[pattern->column[e] + 1]++;
      if (!isfinite(values[e])) {
        return false;
      }
    }
    if (!(row_scale[i] > 0)) {
      return false;
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    next[j + 1] += next[j];
    starts[j + 1] = next[j + 1];
  }
  starts[0] = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      uint32_t j = pattern->column[e];
      int at = next[j]++;
      rows[at] = (int)i;
      entries[at] = values[e] / row_scale[i];
      column_scale[j] = fmax(column_scale[j], fabs(entries[at]));
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    if (!(column_scale[j] > 0)) {
      return false;
    }
    for (int at = starts[j]; at < starts[j + 1]; at++) {
      entries[at] /= column_scale[j];
    }
  }
  return true;
}

static bool
factor_well(int n, int *starts, int *rows, double *entries)
{
  klu_common common;
  klu_defaults(&common);
  klu_symbolic *symbolic = klu_analyze(n, starts, rows, &common);
  if (symbolic == NULL) {
    return false;
  }
  klu_numeric *numeric = symbolic->structural_rank == n || symbolic->structural_rank < 0
                             ? klu_factor(starts, rows, entries, symbolic, &common)
                             : NULL;
  bool is_regular = numeric != NULL && common.status == KLU_OK &&
                    klu_condest(starts, entries, symbolic, numeric, &common) != 0 &&
                    common.condest < WORST_CONDITION;
  if (numeric != NULL) {
    klu_free_numeric(&numeric, &common);
  }
  klu_free_symbolic(&symbolic, &common);
  return is_regular;
}

bool
dae_numeric_is_regular(const DaePattern *pattern, const double *values)
{
  uint32_t n = pattern->n_rows;
  uint32_t nnz = pattern->row_start[n];
  if (n != pattern->n_columns) {
    return false;
  }
  if (n == 0) {
    return true;
  }
  g_autofree int *starts = g_new0(int, n + 2);
  g_autofree int *rows = g_new0(int, nnz + 1);
  g_autofree double *entries = g_new0(double, nnz + 1);
  return equilibrate(pattern, values, starts, rows, entries) &&
         factor_well((int)n, starts, rows, entries);
}

/* ---- any shape --------------------------------------------------------------------------- */

typedef struct {
  uint32_t column;
  double value;
} Entry;

struct DaeEchelon {
  uint32_t n;
  double *work;     /* n: the row that is reduced, 0 elsewhere */
  bool *is_touched; /* n */
  GArray *touched;  /* uint32_t */
  GArray *heap;     /* uint32_t: rows whose pivot is touched, least first */
  uint32_t *row_of; /* n: row whose pivot the column is, or DAE_NUMERIC_NONE */
  uint32_t *pivots; /* by row */
  GPtrArray *rows;  /* GArray of Entry; the pivot is left out, it is 1 */
  uint64_t left;    /* operations */
};

DaeEchelon *
dae_echelon_new(uint32_t n, uint64_t most_operations)
{
  DaeEchelon *echelon = g_new0(DaeEchelon, 1);
  echelon->n = n;
  echelon->work = g_new0(double, n + 1);
  echelon->is_touched = g_new0(bool, n + 1);
  echelon->touched = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  echelon->heap = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  echelon->row_of = g_new(uint32_t, n + 1);
  echelon->pivots = g_new0(uint32_t, n + 1);
  echelon->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  echelon->left = most_operations;
  memset(echelon->row_of, 0xff, sizeof(uint32_t) * (n + 1));
  return echelon;
}

void
dae_echelon_free(DaeEchelon *echelon)
{
  if (echelon == NULL) {
    return;
  }
  g_free(echelon->work);
  g_free(echelon->is_touched);
  g_array_free(echelon->touched, TRUE);
  g_array_free(echelon->heap, TRUE);
  g_free(echelon->row_of);
  g_free(echelon->pivots);
  g_ptr_array_free(echelon->rows, TRUE);
  g_free(echelon);
}

static void
heap_push(GArray *heap, uint32_t key)
{
  g_array_append_val(heap, key);
  uint32_t *at = (uint32_t *)(void *)heap->data;
  for (guint i = heap->len - 1; i > 0 && at[(i - 1) / 2] > at[i]; i = (i - 1) / 2) {
    uint32_t parent = at[(i - 1) / 2];
    at[(i - 1) / 2] = at[i];
    at[i] = parent;
  }
}

static uint32_t
heap_pop(GArray *heap)
{
  uint32_t *at = (uint32_t *)(void *)heap->data;
  uint32_t least = at[0];
  at[0] = at[heap->len - 1];
  g_array_set_size(heap, heap->len - 1);
  for (guint i = 0; 2 * i + 1 < heap->len;) {
    guint child = 2 * i + 1;
    child += child + 1 < heap->len && at[child + 1] < at[child] ? 1 : 0;
    if (at[i] <= at[child]) {
      break;
    }
    uint32_t parent = at[i];
    at[i] = at[child];
    at[child] = parent;
    i = child;
  }
  return least;
}

static void
add_entry(DaeEchelon *echelon, uint32_t column, double value)
{
  if (!echelon->is_touched[column]) {
    echelon->is_touched[column] = true;
    g_array_append_val(echelon->touched, column);
    if (echelon->row_of[column] != DAE_NUMERIC_NONE) {
      heap_push(echelon->heap, echelon->row_of[column]);
    }
  }
  echelon->work[column] += value;
}

/* Rows contain pivots of later rows only: pivots are removed in the order of their rows. */
static void
reduce_work(DaeEchelon *echelon)
{
  while (echelon->heap->len > 0) {
    uint32_t r = heap_pop(echelon->heap);
    uint32_t pivot = echelon->pivots[r];
    const GArray *row = g_ptr_array_index(echelon->rows, r);
    double factor = echelon->work[pivot];
    echelon->work[pivot] = 0.0;
    for (guint i = 0; i < row->len && factor != 0.0; i++) {
      const Entry *entry = &g_array_index(row, Entry, i);
      add_entry(echelon, entry->column, -factor * entry->value);
    }
    echelon->left -= MIN(echelon->left, row->len + 1u);
  }
}

static void
keep_row(DaeEchelon *echelon, uint32_t pivot)
{
  GArray *row = g_array_new(FALSE, FALSE, sizeof(Entry));
  for (guint i = 0; i < echelon->touched->len; i++) {
    uint32_t column = g_array_index(echelon->touched, uint32_t, i);
    Entry entry = {column, echelon->work[column] / echelon->work[pivot]};
    if (column != pivot && entry.value != 0.0) {
      g_array_append_val(row, entry);
    }
  }
  echelon->row_of[pivot] = echelon->rows->len;
  echelon->pivots[echelon->rows->len] = pivot;
  g_ptr_array_add(echelon->rows, row);
}

bool
dae_echelon_add(DaeEchelon *echelon, const uint32_t *columns, const double *values, uint32_t n,
                double share)
{
  double largest = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    add_entry(echelon, columns[i], values[i]);
    largest = fmax(largest, fabs(values[i]));
  }
  reduce_work(echelon);
  uint32_t best = DAE_NUMERIC_NONE;
  double size = share * largest;
  for (guint i = 0; i < echelon->touched->len; i++) {
    uint32_t column = g_array_index(echelon->touched, uint32_t, i);
    if (fabs(echelon->work[column]) > size) {
      size = fabs(echelon->work[column]);
      best = column;
    }
  }
  if (best != DAE_NUMERIC_NONE) {
    keep_row(echelon, best);
  }
  for (guint i = 0; i < echelon->touched->len; i++) {
    uint32_t column = g_array_index(echelon->touched, uint32_t, i);
    echelon->work[column] = 0.0;
    echelon->is_touched[column] = false;
  }
  g_array_set_size(echelon->touched, 0);
  return best != DAE_NUMERIC_NONE;
}

bool
dae_echelon_is_over(const DaeEchelon *echelon)
{
  return echelon->left == 0;
}

uint32_t
dae_echelon_rank(const DaeEchelon *echelon)
{
  return echelon->rows->len;
}
