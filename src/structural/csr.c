/* Sparse matrices by rows. */
#include "base/base.h"
#include "structural/graph.h"

DaeCsr *
dae_csr_new(uint32_t n_rows, uint32_t n_columns, size_t nnz, bool weighted)
{
  DaeCsr *csr = g_new0(DaeCsr, 1);
  csr->n_rows = n_rows;
  csr->n_columns = n_columns;
  csr->start = g_new0(size_t, (size_t)n_rows + 1);
  csr->column = g_new(uint32_t, MAX(nnz, 1));
  csr->weight = weighted ? g_new(int32_t, MAX(nnz, 1)) : NULL;
  return csr;
}

void
dae_csr_free(DaeCsr *csr)
{
  if (csr != NULL) {
    g_free(csr->start);
    g_free(csr->column);
    g_free(csr->weight);
    g_free(csr);
  }
}

size_t
dae_csr_nnz(const DaeCsr *csr)
{
  return csr->start[csr->n_rows];
}

DaeCsr *
dae_csr_transpose(const DaeCsr *csr)
{
  size_t nnz = dae_csr_nnz(csr);
  DaeCsr *t = dae_csr_new(csr->n_columns, csr->n_rows, nnz, csr->weight != NULL);
  for (size_t e = 0; e < nnz; e++) {
    t->start[csr->column[e] + 1]++;
  }
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    t->start[j + 1] += t->start[j];
  }
  g_autofree size_t *next = g_memdup2(t->start, sizeof(size_t) * ((size_t)csr->n_columns + 1));
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      size_t at = next[csr->column[e]]++;
      t->column[at] = i;
      if (csr->weight != NULL) {
        t->weight[at] = csr->weight[e];
      }
    }
  }
  return t;
}

bool
dae_csr_check(const DaeCsr *csr)
{
  if (csr->start[0] != 0) {
    return false;
  }
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    if (csr->start[i + 1] < csr->start[i]) {
      return false;
    }
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      bool ascends = e == csr->start[i] || csr->column[e - 1] < csr->column[e];
      if (!ascends || csr->column[e] >= csr->n_columns) {
        return false;
      }
    }
  }
  return true;
}
