/* Eigenvalues, singular values, least squares, Cholesky factors and norms of matrices of numbers,
 * by LAPACK [Anderson et al., LAPACK Users' Guide], and systems with a band, on terms.
 *
 * LAPACK gets copies with sizes and workspace of our own: what a model says about leading
 * dimensions is not trusted. Matrices are turned around, since Fortran has them column by
 * column. */
#include "reader/natives.h"

#include <math.h>
#include <string.h>

#define MOST_ROWS 500u

void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t length1, size_t length2);
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t length1, size_t length2);
void dgels_(const char *trans, const int *m, const int *n, const int *nrhs, double *a,
            const int *lda, double *b, const int *ldb, double *work, const int *lwork,
            int *info, size_t length);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info,
             size_t length);
double dlange_(const char *norm, const int *m, const int *n, const double *a, const int *lda,
               double *work, size_t length);

/* ---- arguments --------------------------------------------------------------------------- */

bool
dae_foreign_is_matrix(const DaeForeign *call, uint32_t i)
{
  const DaeValue *value = &call->arguments[i];
  return value->n_dims == 2 && value->dims[0] > 0 && value->dims[1] > 0 &&
         value->dims[0] <= MOST_ROWS && value->dims[1] <= MOST_ROWS;
}

bool
dae_foreign_fail_sizes(const DaeForeign *call)
{
  return dae_foreign_fail(call, "the sizes of the matrices do not fit, or are over 500");
}

/* rows x columns, row by row, to column by column. */
static double *
turned(const double *a, uint32_t rows, uint32_t columns)
{
  double *result = g_new0(double, (size_t)rows *columns + 1);
  for (uint32_t i = 0; i < rows; i++) {
    for (uint32_t j = 0; j < columns; j++) {
      result[(size_t)j * rows + i] = a[(size_t)i * columns + j];
    }
  }
  return result;
}

double *
dae_foreign_take_matrix(const DaeForeign *call, uint32_t i)
{
  g_autofree double *a = dae_foreign_doubles(call, i);
  const DaeValue *value = &call->arguments[i];
  return a != NULL ? turned(a, value->dims[0], value->dims[1]) : NULL;
}

bool
dae_foreign_set_matrix(DaeForeign *call, uint32_t i, const double *values, uint32_t rows,
                       uint32_t columns)
{
  const DaeValue *like = &call->arguments[i];
  if (like->n_dims != 2 || like->dims[0] != rows || like->dims[1] != columns) {
    return true;
  }
  g_autofree double *result = turned(values, columns, rows);
  return dae_foreign_set_doubles(call, i, result, false);
}

bool
dae_foreign_set_info(DaeForeign *call, int info)
{
  return dae_foreign_set(
      call, call->n - 1,
      dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, info)));
}

char
dae_foreign_letter(const DaeForeign *call, uint32_t i)
{
  const char *text = dae_foreign_text(call, i);
  return text != NULL ? g_ascii_toupper(*text) : '\0';
}

/* ---- eigenvalues and singular values ------------------------------------------------------- */

/* dgeev(jobvl, jobvr, n, A, lda, wr, wi, vl, ldvl, vr, ldvr, work, lwork, info) */
static bool
find_eigenvalues(DaeForeign *call)
{
  if (!dae_foreign_is_matrix(call, 3) ||
      call->arguments[3].dims[0] != call->arguments[3].dims[1] ||
      call->arguments[5].count != call->arguments[3].dims[0] ||
      call->arguments[6].count != call->arguments[3].dims[0]) {
    return dae_foreign_fail_sizes(call);
  }
  int n = (int)call->arguments[3].dims[0];
  char vectors = dae_foreign_letter(call, 1);
  g_autofree double *a = vectors != '\0' ? dae_foreign_take_matrix(call, 3) : NULL;
  if (a == NULL) {
    return false;
  }
  g_autofree double *wr = g_new0(double, n);
  g_autofree double *wi = g_new0(double, n);
  g_autofree double *v = g_new0(double, (size_t)n *(size_t)n);
  int lwork = 12 * n;
  int one = 1;
  int info = 0;
  double none = 0;
  g_autofree double *work = g_new0(double, lwork);
  dgeev_("N", vectors == 'V' ? "V" : "N", &n, a, &n, wr, wi, &none, &one, v, &n, work, &lwork,
         &info, 1, 1);
  return dae_foreign_set_doubles(call, 5, wr, false) &&
         dae_foreign_set_doubles(call, 6, wi, false) &&
         (vectors != 'V' || dae_foreign_set_matrix(call, 9, v, (uint32_t)n, (uint32_t)n)) &&
         dae_foreign_set_info(call, info);
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
  int m = (int)matrix->dims[0];
  int n = (int)matrix->dims[1];
  char job = dae_foreign_letter(call, 0);
  g_autofree double *a = job != '\0' ? dae_foreign_take_matrix(call, 4) : NULL;
  if (a == NULL) {
    return false;
  }
  g_autofree double *s = g_new0(double, MIN(m, n));
  g_autofree double *u = g_new0(double, (size_t)m *(size_t)m);
  g_autofree double *vt = g_new0(double, (size_t)n *(size_t)n);
  int lwork = 5 * (m + n) + 8;
  int info = 0;
  g_autofree double *work = g_new0(double, lwork);
  const char *jobs = job == 'A' ? "A" : "N";
  dgesvd_(jobs, jobs, &m, &n, a, &m, s, u, &m, vt, &n, work, &lwork, &info, 1, 1);
  return dae_foreign_set_doubles(call, 6, s, false) &&
         (job != 'A' || (dae_foreign_set_matrix(call, 7, u, (uint32_t)m, (uint32_t)m) &&
                         dae_foreign_set_matrix(call, 9, vt, (uint32_t)n, (uint32_t)n))) &&
         dae_foreign_set_info(call, info);
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
  int m = (int)matrix->dims[0];
  int n = (int)matrix->dims[1];
  int ldb = MAX(m, n);
  int nrhs = right->n_dims == 2 ? (int)right->dims[1] : 1;
  g_autofree double *a = dae_foreign_take_matrix(call, 4);
  g_autofree double *given = a != NULL ? dae_foreign_doubles(call, 6) : NULL;
  if (given == NULL) {
    return false;
  }
  g_autofree double *b = turned(given, (uint32_t)ldb, (uint32_t)nrhs);
  int lwork = MIN(m, n) + MAX(MIN(m, n), nrhs) + ldb;
  int info = 0;
  g_autofree double *work = g_new0(double, lwork);
  dgels_("N", &m, &n, &nrhs, a, &m, b, &ldb, work, &lwork, &info, 1);
  g_autofree double *solution = turned(b, (uint32_t)nrhs, (uint32_t)ldb);
  return dae_foreign_set_doubles(call, 6, solution, false) && dae_foreign_set_info(call, info);
}

/* dpotrf(uplo, n, A, lda, info) */
static bool
factor_cholesky(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[2];
  if (!dae_foreign_is_matrix(call, 2) || matrix->dims[0] != matrix->dims[1]) {
    return dae_foreign_fail_sizes(call);
  }
  int n = (int)matrix->dims[0];
  char part = dae_foreign_letter(call, 0);
  if (part != '\0' && !dae_foreign_is_numeric(call, 2)) {
    return dae_foreign_cholesky(call, part == 'L');
  }
  g_autofree double *a = part != '\0' ? dae_foreign_take_matrix(call, 2) : NULL;
  if (a == NULL) {
    return false;
  }
  int info = 0;
  dpotrf_(part == 'L' ? "L" : "U", &n, a, &n, &info, 1);
  return dae_foreign_set_matrix(call, 2, a, (uint32_t)n, (uint32_t)n) &&
         dae_foreign_set_info(call, info);
}

/* anorm = dlange(norm, m, n, A, lda, work) */
static bool
find_norm(DaeForeign *call)
{
  static const char kinds[] = "M1OIFE";
  char kind[2] = {dae_foreign_letter(call, 0), '\0'};
  if (!dae_foreign_is_matrix(call, 3) || kind[0] == '\0' || strchr(kinds, kind[0]) == NULL) {
    return dae_foreign_fail_sizes(call);
  }
  if (!dae_foreign_is_numeric(call, 3)) {
    return dae_foreign_norm(call, kind[0]);
  }
  int m = (int)call->arguments[3].dims[0];
  int n = (int)call->arguments[3].dims[1];
  g_autofree double *a = dae_foreign_take_matrix(call, 3);
  if (a == NULL) {
    return false;
  }
  g_autofree double *work = g_new0(double, m);
  double norm = dlange_(kind, &m, &n, a, &m, work, 1);
  return dae_foreign_return(
      call, dae_value_scalar(DAE_VALUE_REAL, dae_term_from_double(call->reader->terms, norm)));
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
    {"dgeev", 14, find_eigenvalues}, {"dgesvd", 14, find_singular_values},
    {"dgels", 11, solve_full_rank},  {"dpotrf", 5, factor_cholesky},
    {"dlange", 6, find_norm},        {"dgtsv", 8, solve_tridiagonal},
    {"dgbsv", 10, solve_band},       {NULL, 0, NULL},
};
