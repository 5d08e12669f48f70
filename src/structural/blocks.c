/* Block triangular forms: the strong components of "equation i uses the variable
 * that equation k solves for".
 *
 * Tarjan's search completes a component after all it depends on, so components come in solution
 * order. The fine form is searched in the order of the coarse one; an edge never leads to a
 * later coarse block, so fine blocks come out inside their coarse block. */
#include "base/base.h"
#include "structural/graph.h"

/* Digraph on the matched rows (renumbered by `number`): i -> row of column
 * j for the entries that count. */
static DaeCsr *
build_dependencies(const DaeCsr *csr, const uint32_t *row_of_column, const uint32_t *number,
                   uint32_t n_matched, const int64_t *c, const int64_t *d)
{
  DaeCsr *graph = dae_csr_new(n_matched, n_matched, dae_csr_nnz(csr), false);
  size_t at = 0;
  uint32_t row = 0;
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    if (number[i] == DAE_UNMATCHED) {
      continue;
    }
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      uint32_t j = csr->column[e];
      uint32_t k = row_of_column[j];
      bool counts = c == NULL || d[j] - c[i] == (csr->weight == NULL ? 0 : csr->weight[e]);
      if (k != DAE_UNMATCHED && counts && k != i) {
        graph->column[at++] = number[k];
      }
    }
    graph->start[++row] = at;
  }
  DAE_ASSERT(row == n_matched);
  return graph;
}

/* Blocks from components; `row` turns numbers back to rows. Columns ascend inside a block. */
static void
fill_blocks(DaeBlocks *blocks, const uint32_t *row, uint32_t n, const DaeCsr *csr,
            const uint32_t *column_of_row, const uint32_t *row_of_column)
{
  g_autofree uint32_t *block_of_row = g_new(uint32_t, (size_t)csr->n_rows + 1);
  g_autofree uint32_t *next =
      g_memdup2(blocks->first, sizeof(uint32_t) * ((size_t)blocks->n_blocks + 1));
  for (uint32_t b = 0; b < blocks->n_blocks; b++) {
    for (uint32_t k = blocks->first[b]; k < blocks->first[b + 1]; k++) {
      blocks->rows[k] = row[blocks->rows[k]];
      block_of_row[blocks->rows[k]] = b;
      DAE_ASSERT(column_of_row[blocks->rows[k]] != DAE_UNMATCHED);
    }
  }
  blocks->columns = g_new(uint32_t, (size_t)n + 1);
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    if (row_of_column[j] != DAE_UNMATCHED) {
      blocks->columns[next[block_of_row[row_of_column[j]]]++] = j;
    }
  }
}

void
dae_graph_blocks(const DaeCsr *csr, const uint32_t *column_of_row,
                 const uint32_t *row_of_column, const int64_t *c, const int64_t *d,
                 DaeBlocks *coarse, DaeBlocks *fine)
{
  g_autofree uint32_t *number = g_new(uint32_t, (size_t)csr->n_rows + 1);
  g_autofree uint32_t *row = g_new(uint32_t, (size_t)csr->n_rows + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    number[i] = column_of_row[i] == DAE_UNMATCHED ? DAE_UNMATCHED : n;
    if (number[i] != DAE_UNMATCHED) {
      row[n++] = i;
    }
  }
  g_autofree uint32_t *visit = g_new(uint32_t, (size_t)n + 1);
  DaeBlocks *forms[2] = {coarse, fine};
  for (int f = 0; f < 2; f++) {
    g_autoptr(DaeCsr) graph =
        build_dependencies(csr, row_of_column, number, n, f == 0 ? NULL : c, f == 0 ? NULL : d);
    forms[f]->rows = g_new(uint32_t, (size_t)n + 1);
    forms[f]->first = g_new0(uint32_t, (size_t)n + 1);
    forms[f]->n_blocks =
        dae_graph_components(graph, f == 0 ? NULL : visit, forms[f]->rows, forms[f]->first);
    memcpy(visit, forms[f]->rows, sizeof(uint32_t) * n);
    fill_blocks(forms[f], row, n, csr, column_of_row, row_of_column);
  }
}

void
dae_blocks_clear(DaeBlocks *blocks)
{
  g_free(blocks->first);
  g_free(blocks->rows);
  g_free(blocks->columns);
  memset(blocks, 0, sizeof *blocks);
}
