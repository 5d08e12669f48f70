/* Eigenvalues, singular values, least squares, Cholesky factors and norms, by LAPACK [Anderson et
 * al., LAPACK Users' Guide] (natives_method.c says how), and systems with a band, on terms. */
#include "reader/natives.h"

#include <string.h>

/* ---- eigenvalues and singular values ------------------------------------------------------- */

/* dgeev(jobvl, jobvr, n, A, lda, wr, wi, vl, ldvl, vr, ldvr, work, lwork, info) */
static bool
find_eigenvalues(DaeForeign *call)
{
  uint32_t n = dae_foreign_is_square(call, 3) ? call->arguments[3].dims[0] : 0;
  if (n == 0 || call->arguments[5].count != n || call->arguments[6].count != n) {
    return dae_foreign_fail_sizes(call);
  }
  char vectors = dae_foreign_letter(call, 1);
  if (vectors == '\0') {
    return false;
  }
  bool has_vectors = vectors == 'V';
  DaeMethodCall m = {.name = "dgeev",
                     .sizes = {(int)n, has_vectors ? 1 : 0},
                     .inputs = {3},
                     .n_inputs = 1,
                     .results = {{5, n, false},
                                 {6, n, false},
                                 {9, has_vectors ? n * n : 0, false},
                                 {call->n - 1, 1, true}},
                     .n_results = 4};
  m.results[2].argument = has_vectors ? 9 : DAE_METHOD_NOWHERE;
  return dae_foreign_run_method(call, &m);
}

/* dgesvd(jobu, jobvt, m, n, A, lda, s, U, ldu, VT, ldvt, work, lwork, info) */
static bool
find_singular_values(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[4];
  if (!dae_foreign_is_matrix(call, 4) ||
      call->arguments[6].count != MIN(matrix->dims[0], matrix->dims[1])) {
    return dae_foreign_fail_sizes(call);
  }
  uint32_t rows = matrix->dims[0];
  uint32_t columns = matrix->dims[1];
  char job = dae_foreign_letter(call, 0);
  if (job == '\0') {
    return false;
  }
  bool has_vectors = job == 'A';
  DaeMethodCall m = {.name = "dgesvd",
                     .sizes = {(int)rows, (int)columns, has_vectors ? 1 : 0},
                     .inputs = {4},
                     .n_inputs = 1,
                     .results = {{6, MIN(rows, columns), false},
                                 {7, has_vectors ? rows * rows : 0, false},
                                 {9, has_vectors ? columns * columns : 0, false},
                                 {call->n - 1, 1, true}},
                     .n_results = 4};
  m.results[1].argument = has_vectors ? 7 : DAE_METHOD_NOWHERE;
  m.results[2].argument = has_vectors ? 9 : DAE_METHOD_NOWHERE;
  return dae_foreign_run_method(call, &m);
}

/* ---- least squares, Cholesky, norms -------------------------------------------------------- */

/* dgels("N", m, n, nrhs, A, lda, B, ldb, work, lwork, info) */
static bool
solve_full_rank(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[4];
  const DaeValue *right = &call->arguments[6];
  if (!dae_foreign_is_matrix(call, 4) || right->n_dims < 1 || right->n_dims > 2 ||
      right->dims[0] != MAX(matrix->dims[0], matrix->dims[1]) ||
      dae_foreign_letter(call, 0) != 'N') {
    return dae_foreign_fail_sizes(call);
  }
  if (!dae_foreign_is_numeric(call, 4) || !dae_foreign_is_numeric(call, 6)) {
    return dae_foreign_least_squares(call, 4, 6);
  }
  const DaeMethodCall m = {.name = "dgels",
                           .sizes = {(int)matrix->dims[0], (int)matrix->dims[1],
                                     (int)(right->count / right->dims[0])},
                           .inputs = {4, 6},
                           .n_inputs = 2,
                           .results = {{6, right->count, false}, {call->n - 1, 1, true}},
                           .n_results = 2};
  return dae_foreign_run_method(call, &m);
}

/* dgelsy(nrow, ncol, nrhs, A, nrow, x, nx, jpvt, rcond, rank, work, lwork, info) */
static bool
solve_any_rank(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[3];
  const DaeValue *right = &call->arguments[5];
  if (!dae_foreign_is_matrix(call, 3) || right->n_dims < 1 || right->n_dims > 2 ||
      right->dims[0] != MAX(matrix->dims[0], matrix->dims[1])) {
    return dae_foreign_fail_sizes(call);
  }
  if (!dae_foreign_is_numeric(call, 3) || !dae_foreign_is_numeric(call, 5)) {
    int64_t full = MIN(matrix->dims[0], matrix->dims[1]);
    return dae_foreign_least_squares(call, 3, 5) &&
           dae_foreign_set(
               call, 9,
               dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, full)));
  }
  const DaeMethodCall m = {
      .name = "dgelsy",
      .sizes = {(int)matrix->dims[0], (int)matrix->dims[1],
                (int)(right->count / right->dims[0])},
      .inputs = {3, 5, 8},
      .n_inputs = 3,
      .results = {{5, right->count, false}, {9, 1, true}, {call->n - 1, 1, true}},
      .n_results = 3};
  return dae_foreign_run_method(call, &m);
}

/* dpotrf(uplo, n, A, lda, info) */
static bool
factor_cholesky(DaeForeign *call)
{
  if (!dae_foreign_is_square(call, 2)) {
    return dae_foreign_fail_sizes(call);
  }
  char part = dae_foreign_letter(call, 0);
  uint32_t n = call->arguments[2].dims[0];
  if (part == '\0' || !dae_foreign_is_numeric(call, 2)) {
    return part != '\0' && dae_foreign_cholesky(call, part == 'L');
  }
  const DaeMethodCall m = {.name = "dpotrf",
                           .sizes = {(int)n, part == 'L' ? 1 : 0},
                           .inputs = {2},
                           .n_inputs = 1,
                           .results = {{2, n * n, false}, {call->n - 1, 1, true}},
                           .n_results = 2};
  return dae_foreign_run_method(call, &m);
}

/* anorm = dlange(norm, m, n, A, lda, work) */
static bool
find_norm(DaeForeign *call)
{
  static const char kinds[] = "M1OIFE";
  char kind = dae_foreign_letter(call, 0);
  if (!dae_foreign_is_matrix(call, 3) || kind == '\0' || strchr(kinds, kind) == NULL) {
    return dae_foreign_fail_sizes(call);
  }
  if (!dae_foreign_is_numeric(call, 3)) {
    return dae_foreign_norm(call, kind);
  }
  const DaeValue *matrix = &call->arguments[3];
  const DaeMethodCall m = {.name = "dlange",
                           .sizes = {(int)matrix->dims[0], (int)matrix->dims[1], kind},
                           .inputs = {3},
                           .n_inputs = 1,
                           .results = {{DAE_METHOD_RETURNED, 1, false}},
                           .n_results = 1};
  return dae_foreign_run_method(call, &m);
}

/* ---- systems with a band, on terms --------------------------------------------------------- */

static bool
solve_dense(DaeForeign *call, DaeTerm *a, uint32_t n, uint32_t right)
{
  DaeReader *reader = call->reader;
  const DaeValue *b = &call->arguments[right];
  DaeTerm *x = dae_value_new_data(reader, MAX(b->count, 1u));
  memcpy(x, b->data, b->count * sizeof(DaeTerm));
  bool good = dae_foreign_eliminate(reader, a, x, n, b->count / n);
  DaeValue result =
      dae_value_array(reader, DAE_VALUE_REAL, b->n_dims, b->dims, good ? x : b->data, b->count);
  return dae_foreign_set(call, right, result) && dae_foreign_set_info(call, good ? 0 : 1);
}

static DaeTerm *
zeros(DaeReader *reader, uint32_t n)
{
  DaeTerm *a = dae_value_new_data(reader, n * n);
  for (uint32_t i = 0; i < n * n; i++) {
    a[i] = dae_term_int(reader->terms, 0);
  }
  return a;
}

/* dgtsv(n, nrhs, dl, d, du, B, ldb, info) */
static bool
solve_tridiagonal(DaeForeign *call)
{
  const DaeValue *below = &call->arguments[2];
  const DaeValue *diagonal = &call->arguments[3];
  const DaeValue *above = &call->arguments[4];
  const DaeValue *b = &call->arguments[5];
  uint32_t n = diagonal->n_dims == 1 ? diagonal->dims[0] : 0;
  if (n == 0 || n > DAE_MOST_ELIMINATED || below->n_dims != 1 || below->dims[0] != n - 1 ||
      above->n_dims != 1 || above->dims[0] != n - 1 || b->n_dims < 1 || b->dims[0] != n) {
    return dae_foreign_fail_sizes(call);
  }
  DaeTerm *a = zeros(call->reader, n);
  for (uint32_t i = 0; i < n; i++) {
    a[i * n + i] = diagonal->data[i];
    if (i + 1 < n) {
      a[(i + 1) * n + i] = below->data[i];
      a[i * n + i + 1] = above->data[i];
    }
  }
  return solve_dense(call, a, n, 5);
}

/* dgbsv(n, kl, ku, nrhs, AB, ldab, ipiv, B, ldb, info): A[i,j] is AB[kl+ku+1+i-j, j] */
static bool
solve_band(DaeForeign *call)
{
  const DaeValue *band = &call->arguments[4];
  const DaeValue *b = &call->arguments[7];
  int64_t kl = 0;
  int64_t ku = 0;
  if (!dae_foreign_integer(call, 1, &kl) || !dae_foreign_integer(call, 2, &ku)) {
    return false;
  }
  int64_t n = band->n_dims == 2 ? band->dims[1] : 0;
  if (n == 0 || n > (int64_t)DAE_MOST_ELIMINATED || kl < 0 || ku < 0 || kl > n || ku > n ||
      (int64_t)band->dims[0] != 2 * kl + ku + 1 || b->n_dims < 1 || (int64_t)b->dims[0] != n) {
    return dae_foreign_fail_sizes(call);
  }
  DaeTerm *a = zeros(call->reader, (uint32_t)n);
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = MAX(i - kl, 0); j <= MIN(i + ku, n - 1); j++) {
      a[i * n + j] = band->data[(kl + ku + i - j) * n + j];
    }
  }
  return solve_dense(call, a, (uint32_t)n, 7);
}

const DaeForeignEntry dae_foreign_lapack[] = {
    {"dgeev", 14, find_eigenvalues},
    {"dgesvd", 14, find_singular_values},
    {"dgels", 11, solve_full_rank},
    {"dgelsy", 13, solve_any_rank},
    {"dpotrf", 5, factor_cholesky},
    {"dlange", 6, find_norm},
    {"dgtsv", 8, solve_tridiagonal},
    {"dgbsv", 10, solve_band},
    {NULL, 0, NULL},
};
