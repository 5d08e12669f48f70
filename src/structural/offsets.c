/* Canonical offsets: the element-wise least dual prices with c >= 0 [Pryce01, section 3].
 *
 * On a transversal T the inequalities d_j - c_i >= sigma_ij say c_k >= c_i + sigma_ij -
 * sigma_kj for the row k that T gives to column j. Hence the least c_k is the longest path that
 * ends in k, over the edges i -> k; an optimal transversal has no cycle of positive length, so
 * the least solution is the same for all of them. With any feasible prices the edges i -> k
 * have the slack as reduced length, which is not negative:
 *     least c_k = c_k - min over i of (c_i + shortest slack path from i to k),
 * one Dijkstra from all rows at once. Iterating the inequalities
 * instead would cost O(n * max c). */
#include "base/base.h"
#include "structural/graph.h"

/* Prices relative to the smallest, *least; true if there is nothing to lower. */
static bool
shift_to_zero(uint32_t n_rows, const uint32_t *column_of_row, int64_t *c, int64_t *least,
              bool *is_perfect)
{
  int64_t most = INT64_MIN;
  *least = INT64_MAX;
  *is_perfect = true;
  for (uint32_t i = 0; i < n_rows; i++) {
    if (column_of_row[i] != DAE_UNMATCHED) {
      *least = MIN(*least, c[i]);
      most = MAX(most, c[i]);
    } else {
      *is_perfect = false;
    }
  }
  for (uint32_t i = 0; i < n_rows && !(*least == 0 && *is_perfect); i++) {
    c[i] = column_of_row[i] == DAE_UNMATCHED ? 0 : c[i] - *least;
  }
  return *least >= most;
}

/* Entries of the matching stay tight. */
static void
shift_columns(const DaeCsr *csr, const uint32_t *row_of_column, int64_t least, int64_t *d)
{
  for (uint32_t j = 0; j < csr->n_columns && least != 0; j++) {
    d[j] -= row_of_column[j] == DAE_UNMATCHED ? 0 : least;
  }
}

/* excess[k] = min over i of (c_i + slack path from i to k): how much row k can be lowered. */
static void
find_excess(const DaeCsr *csr, const uint32_t *column_of_row, const uint32_t *row_of_column,
            const int64_t *c, const int64_t *d, int64_t *excess)
{
  g_autoptr(DaeRadix) radix = dae_radix_new();
  int64_t key = 0;
  uint32_t i = 0;
  dae_radix_reset(radix, 0);
  for (uint32_t k = csr->n_rows; k-- > 0;) {
    excess[k] = c[k];
    if (column_of_row[k] != DAE_UNMATCHED) {
      dae_radix_push(radix, c[k], k);
    }
  }
  while (dae_radix_pop(radix, &key, &i)) {
    if (excess[i] != key) {
      continue;
    }
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      uint32_t j = csr->column[e];
      uint32_t k = row_of_column[j];
      if (k == DAE_UNMATCHED || k == i) {
        continue;
      }
      int64_t slack = d[j] - c[i] - (csr->weight == NULL ? 0 : csr->weight[e]);
      DAE_ASSERT(slack >= 0);
      if (key + slack < excess[k]) {
        excess[k] = key + slack;
        dae_radix_push(radix, excess[k], k);
      }
    }
  }
}

/* Column prices from row prices: the least feasible ones. */
static void
set_column_prices(const DaeCsr *csr, const int64_t *c, int64_t *d)
{
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    d[j] = 0;
  }
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      int64_t needed = c[i] + (csr->weight == NULL ? 0 : csr->weight[e]);
      d[csr->column[e]] = MAX(d[csr->column[e]], needed);
    }
  }
}

static inline bool
has_bit(const uint64_t *bits, uint32_t k)
{
  return (bits[k >> 6] >> (k & 63) & 1) != 0;
}

/* The columns of row i that tight entries reach. */
static void
mark_tight(const DaeCsr *csr, uint32_t i, const int64_t *c, const int64_t *d, uint64_t *bits)
{
  for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
    uint32_t j = csr->column[e];
    int64_t slack = d[j] - c[i] - dae_csr_weight(csr, e);
    DAE_ASSERT(slack >= 0);
    bits[j >> 6] |= (uint64_t)(slack == 0) << (j & 63);
  }
}

/* No row can be lowered where tight entries lead to all of them from those with c = 0. Whole sweeps
 * in the order of the rows, while each finds many: the search below looks at rows in no order of
 * memory. false: not known. Square matrices. */
static bool
is_least(const DaeCsr *csr, const uint32_t *column_of_row, const int64_t *c, const int64_t *d)
{
  enum { FEW = 16 };

  uint32_t n = csr->n_rows;
  g_autofree uint64_t *reached = g_new0(uint64_t, (size_t)n / 64 + 1); /* by columns */
  g_autofree uint32_t *left = g_new(uint32_t, (size_t)n + 1);
  uint32_t n_left = n;
  uint32_t n_before = 0;
  for (uint32_t i = 0; i < n; i++) {
    left[i] = i;
  }
  do {
    n_before = n_left;
    n_left = 0;
    for (uint32_t k = 0; k < n_before; k++) {
      uint32_t i = left[k];
      if (c[i] == 0 || has_bit(reached, column_of_row[i])) {
        mark_tight(csr, i, c, d, reached);
      } else {
        left[n_left++] = i;
      }
    }
  } while (n_left > 0 && n_before - n_left > n_before / FEW);
  return n_left == 0;
}

void
dae_graph_least_offsets(const DaeCsr *csr, const uint32_t *column_of_row,
                        const uint32_t *row_of_column, int64_t *c, int64_t *d)
{
  int64_t least = 0;
  bool is_perfect = false;
  bool is_flat = shift_to_zero(csr->n_rows, column_of_row, c, &least, &is_perfect);
  shift_columns(csr, row_of_column, least, d);
  if (is_perfect && csr->n_rows == csr->n_columns &&
      (is_flat || is_least(csr, column_of_row, c, d))) {
    return; /* the entries of the matching say what d is */
  }
  if (!is_flat) {
    g_autofree int64_t *excess = g_new(int64_t, (size_t)csr->n_rows + 1);
    find_excess(csr, column_of_row, row_of_column, c, d, excess);
    for (uint32_t i = 0; i < csr->n_rows; i++) {
      c[i] -= excess[i];
      DAE_ASSERT(c[i] >= 0);
    }
  }
  set_column_prices(csr, c, d);
}
