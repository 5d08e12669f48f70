/* Elimination modulo the prime on full arrays: small blocks, and what is left of large ones where
 * pivots of little fill have run out.
 *
 * A = L*U by rows: each row loses the pivots before it, then the first entry that is left becomes
 * its pivot and moves to the next place of the columns. Eight pivot rows are taken off at a time:
 * their products with factors below 2^61 are added up in 128 bits and reduced once; some rows wait
 * for the same eight, which are in the cache then. */
#include <string.h>

#include "base/base.h"
#include "structural/modular.h"

enum { BATCH = 8, N_WAITING = 8 };

static uint64_t *
row_of(const DaeModDense *m, uint32_t i)
{
  return m->a + (size_t)i * m->n_columns;
}

static uint64_t *
pivot_row(const DaeModDense *m, uint32_t k)
{
  return row_of(m, m->row_at[k]);
}

/* Of sums below 2^126. */
static inline uint64_t
reduced(DaeWide sum)
{
  uint64_t low = (uint64_t)sum & DAE_PRIME;
  uint64_t middle = (uint64_t)(sum >> 61) & DAE_PRIME;
  return dae_mod_add(dae_mod_add(low, middle), (uint64_t)(sum >> 122));
}

/* row -= factor * pivot row k, whose pivot counts as 1; the factor stays in the place of k. */
static void
take_off_one(const DaeModDense *m, uint64_t *row, uint32_t k)
{
  const uint64_t *from = pivot_row(m, k);
  const uint64_t minus = dae_mod_neg(row[k]);
  for (uint32_t j = k + 1; j < m->n_columns && minus != 0; j++) {
    row[j] = reduced((DaeWide)minus * from[j] + row[j]);
  }
}

/* The same for the pivot rows k ... k + BATCH - 1. */
static void
take_off_batch(const DaeModDense *m, uint64_t *row, uint32_t k)
{
  const uint64_t *from[BATCH];
  uint64_t minus[BATCH];
  for (uint32_t q = 0; q < BATCH; q++) {
    DaeWide sum = row[k + q];
    for (uint32_t s = 0; s < q; s++) {
      sum += (DaeWide)minus[s] * from[s][k + q];
    }
    row[k + q] = reduced(sum);
    minus[q] = dae_mod_neg(row[k + q]);
    from[q] = pivot_row(m, k + q);
  }
  for (uint32_t j = k + BATCH; j < m->n_columns; j++) {
    DaeWide sum = row[j];
    for (uint32_t q = 0; q < BATCH; q++) {
      sum += (DaeWide)minus[q] * from[q][j];
    }
    row[j] = reduced(sum);
  }
}

static void
swap_columns(DaeModDense *m, uint32_t a, uint32_t b)
{
  uint32_t column = m->column_at[a];
  m->column_at[a] = m->column_at[b];
  m->column_at[b] = column;
  for (uint32_t i = 0; i < m->n_rows && a != b; i++) {
    uint64_t *row = row_of(m, i);
    uint64_t value = row[a];
    row[a] = row[b];
    row[b] = value;
  }
}

/* Row i has lost all pivots: its own one, if anything is left. */
static void
choose_pivot(DaeModDense *m, uint32_t i)
{
  uint64_t *row = row_of(m, i);
  uint32_t at = m->rank;
  while (at < m->n_columns && row[at] == 0) {
    at++;
  }
  if (at == m->n_columns) {
    return;
  }
  swap_columns(m, m->rank, at);
  uint64_t inverse = dae_mod_inverse(row[m->rank]);
  for (uint32_t j = m->rank + 1; j < m->n_columns; j++) {
    row[j] = dae_mod_mul(row[j], inverse);
  }
  m->inverse[m->rank] = inverse;
  m->row_at[m->rank++] = i;
}

void
dae_mod_dense_init(DaeModDense *m, uint32_t n_rows, uint32_t n_columns)
{
  *m = (DaeModDense){.n_rows = n_rows, .n_columns = n_columns};
  m->a = g_new0(uint64_t, (size_t)n_rows * n_columns + 1);
  m->row_at = g_new0(uint32_t, (size_t)n_rows + 1);
  m->inverse = g_new0(uint64_t, (size_t)n_rows + 1);
  m->column_at = g_new0(uint32_t, (size_t)n_columns + 1);
  for (uint32_t j = 0; j < n_columns; j++) {
    m->column_at[j] = j;
  }
}

void
dae_mod_dense_clear(DaeModDense *m)
{
  g_free(m->a);
  g_free(m->row_at);
  g_free(m->inverse);
  g_free(m->column_at);
  *m = (DaeModDense){0};
}

void
dae_mod_dense_eliminate(DaeModDense *m)
{
  for (uint32_t first = 0; first < m->n_rows; first += N_WAITING) {
    uint32_t end = MIN(first + N_WAITING, m->n_rows);
    uint32_t n_common = m->rank / BATCH * BATCH;
    for (uint32_t k = 0; k < n_common; k += BATCH) {
      for (uint32_t i = first; i < end; i++) {
        take_off_batch(m, row_of(m, i), k);
      }
    }
    for (uint32_t i = first; i < end; i++) {
      for (uint32_t k = n_common; k < m->rank; k++) {
        take_off_one(m, row_of(m, i), k);
      }
      choose_pivot(m, i);
    }
  }
}

void
dae_mod_dense_solve(const DaeModDense *m, const uint64_t *rhs, uint64_t *x)
{
  uint32_t n = m->rank;
  DAE_ASSERT(n == m->n_rows && n == m->n_columns);
  g_autofree uint64_t *y = g_new(uint64_t, (size_t)n + 1);
  for (uint32_t r = 0; r < n; r++) {
    const uint64_t *row = pivot_row(m, r);
    uint64_t value = rhs[m->row_at[r]];
    for (uint32_t k = 0; k < r; k++) {
      value = dae_mod_add(value, dae_mod_neg(dae_mod_mul(row[k], y[k])));
    }
    y[r] = dae_mod_mul(value, m->inverse[r]);
  }
  for (uint32_t r = n; r-- > 0;) {
    const uint64_t *row = pivot_row(m, r);
    for (uint32_t j = r + 1; j < n; j++) {
      y[r] = dae_mod_add(y[r], dae_mod_neg(dae_mod_mul(row[j], y[j])));
    }
    x[m->column_at[r]] = y[r];
  }
}

/* Most blocks have a handful of rows: Gauss on a square array on the stack, without lists. */
bool
dae_mod_solve_small(const DaeCsr *csr, const uint64_t *values, const uint64_t *rhs, uint64_t *x)
{
  uint32_t n = csr->n_rows;
  uint64_t a[DAE_MOD_MOST_SMALL][DAE_MOD_MOST_SMALL + 1] = {{0}};
  for (uint32_t i = 0; i < n; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      a[i][csr->column[e]] = dae_mod_add(a[i][csr->column[e]], values[e]);
    }
    a[i][n] = rhs[i];
  }
  for (uint32_t k = 0; k < n; k++) {
    uint32_t p = k;
    while (p < n && a[p][k] == 0) {
      p++;
    }
    if (p == n) {
      return false;
    }
    uint64_t inverse = dae_mod_inverse(a[p][k]);
    for (uint32_t j = k; j <= n; j++) { /* to its place, with pivot 1 */
      uint64_t entry = a[p][j];
      a[p][j] = a[k][j];
      a[k][j] = dae_mod_mul(entry, inverse);
    }
    for (uint32_t i = 0; i < n; i++) {
      uint64_t minus = i == k ? 0 : dae_mod_neg(a[i][k]);
      for (uint32_t j = k; j <= n && minus != 0; j++) {
        a[i][j] = dae_mod_add(a[i][j], dae_mod_mul(minus, a[k][j]));
      }
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    x[i] = a[i][n];
  }
  return true;
}
