/* A matching whose square part is triangular: what it leaves free is chosen, and the rows are
 * solved one after the other, nonlinear ones too. */
#include <string.h>

#include "base/base.h"
#include "structural/graph.h"

static uint32_t
open_row(const DaeCsr *by_column, const uint32_t *column_of_row, uint32_t j)
{
  for (size_t e = by_column->start[j]; e < by_column->start[j + 1]; e++) {
    if (column_of_row[by_column->column[e]] == DAE_UNMATCHED) {
      return by_column->column[e];
    }
  }
  return DAE_UNMATCHED;
}

/* Row i is done: its columns have an open row less. Those with one left are ready. */
static void
close_row(const DaeCsr *csr, uint32_t i, uint32_t *n_open, uint32_t *ready, uint32_t *n_ready)
{
  for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
    if (--n_open[csr->column[e]] == 1) {
      ready[(*n_ready)++] = csr->column[e];
    }
  }
}

/* From the last row to the first: a column with one open row is solved for by it. Where no column
 * has, the open rows have no triangular part: leaving more columns free would not change that. */
bool
dae_graph_match_triangular(const DaeCsr *csr, uint32_t *column_of_row, uint32_t *row_of_column)
{
  uint32_t n = csr->n_columns;
  g_autoptr(DaeCsr) by_column = dae_csr_transpose(csr);
  g_autofree uint32_t *n_open = g_new(uint32_t, (size_t)n + 1);
  g_autofree uint32_t *ready = g_new(uint32_t, (size_t)n + 1); /* each column once at most */
  uint32_t n_ready = 0;
  uint32_t n_done = 0;
  memset(column_of_row, 0xff, sizeof(uint32_t) * csr->n_rows);
  memset(row_of_column, 0xff, sizeof(uint32_t) * n);
  for (uint32_t j = n; j-- > 0;) { /* the first ones on top */
    n_open[j] = (uint32_t)(by_column->start[j + 1] - by_column->start[j]);
    if (n_open[j] == 1) {
      ready[n_ready++] = j;
    }
  }
  while (n_ready > 0) {
    uint32_t j = ready[--n_ready];
    uint32_t i = open_row(by_column, column_of_row, j);
    if (i != DAE_UNMATCHED) { /* else another column of its row was first */
      column_of_row[i] = j;
      row_of_column[j] = i;
      n_done++;
      close_row(csr, i, n_open, ready, &n_ready);
    }
  }
  return n_done == csr->n_rows;
}
