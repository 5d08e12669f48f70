/* The transversal of least cost of MUMPS (Duff and Koster's algorithm, as its analysis runs it
 * for ICNTL(6) = 5), called directly: what comes before and after it in MUMPS is not counted. */
#include "peer_mumps.h"

extern void dmumps_mtransw_(const int32_t *m, const int32_t *n, const int64_t *ne,
                            const int64_t *start, const int32_t *index, const double *cost,
                            int32_t *column_of_row, int32_t *number, int64_t *entry_of_column,
                            int32_t *heap, int64_t *out, int64_t *parent, int32_t *place,
                            int64_t *list, double *u, double *d, const double *infinity);

bool
bench_mumps_match(const DaeCsr *csr, int64_t *value)
{
  int32_t n = (int32_t)csr->n_rows;
  int64_t ne = (int64_t)dae_csr_nnz(csr);
  size_t room = (size_t)n + 1;
  double infinity = 1e300;
  int32_t number = 0;
  int32_t largest = 0;
  g_autofree int64_t *start = g_new(int64_t, room);
  g_autofree int32_t *index = g_new(int32_t, (size_t)ne + 1);
  g_autofree double *cost = g_new(double, (size_t)ne + 1);
  g_autofree int32_t *column_of_row = g_new0(int32_t, room);
  g_autofree int64_t *entry_of_column = g_new0(int64_t, room);
  g_autofree int32_t *heap = g_new0(int32_t, room);
  g_autofree int64_t *out = g_new0(int64_t, room);
  g_autofree int64_t *parent = g_new0(int64_t, room);
  g_autofree int32_t *place = g_new0(int32_t, room);
  g_autofree int64_t *list = g_new0(int64_t, room);
  g_autofree double *u = g_new0(double, room);
  g_autofree double *d = g_new0(double, room);
  for (int64_t e = 0; e < ne; e++) {
    largest = MAX(largest, csr->weight[e]);
  }
  for (int32_t i = 0; i <= n; i++) { /* rows as its columns: the same transversals */
    start[i] = (int64_t)csr->start[i] + 1;
  }
  for (int64_t e = 0; e < ne; e++) {
    index[e] = (int32_t)csr->column[e] + 1;
    cost[e] = largest - csr->weight[e];
  }
  u[0] = 0; /* no relaxation */
  u[1] = infinity;
  dmumps_mtransw_(&n, &n, &ne, start, index, cost, column_of_row, &number, entry_of_column,
                  heap, out, parent, place, list, u, d, &infinity);
  *value = 0;
  for (int32_t j = 0; j < n && number == n; j++) {
    *value += csr->weight[entry_of_column[j] - 1];
  }
  return number == n;
}
