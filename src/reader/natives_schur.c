/* Orthogonal factors, Hessenberg and Schur forms, Sylvester's equation, least squares with
 * constraints, condition numbers: matrices of numbers, by LAPACK (natives_lapack.c says how). */
#include "reader/natives.h"

#include <string.h>

void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau,
             double *work, const int *lwork, int *info);
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda,
             const double *tau, double *work, const int *lwork, int *info);
void dgehrd_(const int *n, const int *ilo, const int *ihi, double *a, const int *lda,
             double *tau, double *work, const int *lwork, int *info);
void dorghr_(const int *n, const int *ilo, const int *ihi, double *a, const int *lda,
             const double *tau, double *work, const int *lwork, int *info);
void dhseqr_(const char *job, const char *compz, const int *n, const int *ilo, const int *ihi,
             double *h, const int *ldh, double *wr, double *wi, double *z, const int *ldz,
             double *work, const int *lwork, int *info, size_t length1, size_t length2);
void dgees_(const char *jobvs, const char *sort, const void *select, const int *n, double *a,
            const int *lda, int *sdim, double *wr, double *wi, double *vs, const int *ldvs,
            double *work, const int *lwork, int *bwork, int *info, size_t length1,
            size_t length2);
void dtrsen_(const char *job, const char *compq, const int *select, const int *n, double *t,
             const int *ldt, double *q, const int *ldq, double *wr, double *wi, int *m,
             double *s, double *sep, double *work, const int *lwork, int *iwork,
             const int *liwork, int *info, size_t length1, size_t length2);
void dtrsyl_(const char *trana, const char *tranb, const int *isgn, const int *m, const int *n,
             const double *a, const int *lda, const double *b, const int *ldb, double *c,
             const int *ldc, double *scale, int *info, size_t length1, size_t length2);
void dgglse_(const int *m, const int *n, const int *p, double *a, const int *lda, double *b,
             const int *ldb, double *c, double *d, double *x, double *work, const int *lwork,
             int *info);
void dgecon_(const char *norm, const int *n, const double *a, const int *lda,
             const double *anorm, double *rcond, double *work, int *iwork, int *info,
             size_t length);

static bool
is_square(const DaeForeign *call, uint32_t i)
{
  return dae_foreign_is_matrix(call, i) &&
         call->arguments[i].dims[0] == call->arguments[i].dims[1];
}

static bool
is_vector(const DaeForeign *call, uint32_t i, uint32_t n)
{
  return call->arguments[i].n_dims == 1 && call->arguments[i].count == n;
}

static bool
set_real(DaeForeign *call, uint32_t i, double value)
{
  return dae_foreign_set(
      call, i,
      dae_value_scalar(DAE_VALUE_REAL, dae_term_from_double(call->reader->terms, value)));
}

/* ---- orthogonal factors -------------------------------------------------------------------- */

/* dgeqp3(m, n, QR, lda, p, tau, work, lwork, info) */
static bool
factor_qr(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[2];
  uint32_t n_least = dae_foreign_is_matrix(call, 2) ? MIN(matrix->dims[0], matrix->dims[1]) : 0;
  if (n_least == 0 || !is_vector(call, 4, matrix->dims[1]) || !is_vector(call, 5, n_least)) {
    return dae_foreign_fail_sizes(call);
  }
  int m = (int)matrix->dims[0];
  int n = (int)matrix->dims[1];
  g_autofree double *a = dae_foreign_take_matrix(call, 2);
  if (a == NULL) {
    return false;
  }
  g_autofree int *places = g_new0(int, n);
  g_autofree double *pivots = g_new0(double, n);
  g_autofree double *tau = g_new0(double, n_least);
  int lwork = 3 * n + 1;
  int info = 0;
  g_autofree double *work = g_new0(double, lwork);
  dgeqp3_(&m, &n, a, &m, places, tau, work, &lwork, &info);
  for (int i = 0; i < n; i++) {
    pivots[i] = places[i];
  }
  return dae_foreign_set_matrix(call, 2, a, (uint32_t)m, (uint32_t)n) &&
         dae_foreign_set_doubles(call, 4, pivots, true) &&
         dae_foreign_set_doubles(call, 5, tau, false) && dae_foreign_set_info(call, info);
}

/* dorgqr(m, n, k, Q, lda, tau, work, lwork, info) */
static bool
make_q(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[3];
  if (!dae_foreign_is_matrix(call, 3) || matrix->dims[0] < matrix->dims[1] ||
      call->arguments[5].n_dims != 1 || call->arguments[5].count > matrix->dims[1]) {
    return dae_foreign_fail_sizes(call);
  }
  int m = (int)matrix->dims[0];
  int n = (int)matrix->dims[1];
  int k = (int)call->arguments[5].count;
  g_autofree double *a = dae_foreign_take_matrix(call, 3);
  g_autofree double *tau = a != NULL ? dae_foreign_doubles(call, 5) : NULL;
  if (tau == NULL) {
    return false;
  }
  int lwork = n;
  int info = 0;
  g_autofree double *work = g_new0(double, lwork);
  dorgqr_(&m, &n, &k, a, &m, tau, work, &lwork, &info);
  return dae_foreign_set_matrix(call, 3, a, (uint32_t)m, (uint32_t)n) &&
         dae_foreign_set_info(call, info);
}

/* ---- Hessenberg and Schur forms -------------------------------------------------------------- */

/* 1 <= ilo <= ihi <= n; false: reported. */
static bool
take_range(const DaeForeign *call, uint32_t n, int *low, int *high)
{
  int64_t ilo = 0;
  int64_t ihi = 0;
  if (!dae_foreign_integer(call, 1, &ilo) || !dae_foreign_integer(call, 2, &ihi)) {
    return false;
  }
  *low = (int)CLAMP(ilo, 0, (int64_t)n + 1);
  *high = (int)CLAMP(ihi, 0, (int64_t)n + 1);
  return (*low >= 1 && *low <= *high && *high <= (int)n) || dae_foreign_fail_sizes(call);
}

/* dgehrd(n, ilo, ihi, A, lda, tau, work, lwork, info), and dorghr likewise */
static bool
find_hessenberg(DaeForeign *call, bool makes_q)
{
  uint32_t n_rows = is_square(call, 3) ? call->arguments[3].dims[0] : 0;
  int low = 0;
  int high = 0;
  if (n_rows == 0 || !is_vector(call, 5, n_rows - 1)) {
    return dae_foreign_fail_sizes(call);
  }
  if (!take_range(call, n_rows, &low, &high)) {
    return false;
  }
  int n = (int)n_rows;
  g_autofree double *a = dae_foreign_take_matrix(call, 3);
  g_autofree double *tau = a == NULL ? NULL
                           : makes_q ? dae_foreign_doubles(call, 5)
                                     : g_new0(double, n);
  if (tau == NULL) {
    return false;
  }
  int lwork = 3 * n;
  int info = 0;
  g_autofree double *work = g_new0(double, lwork);
  if (makes_q) {
    dorghr_(&n, &low, &high, a, &n, tau, work, &lwork, &info);
  } else {
    dgehrd_(&n, &low, &high, a, &n, tau, work, &lwork, &info);
  }
  return dae_foreign_set_matrix(call, 3, a, n_rows, n_rows) &&
         (makes_q || dae_foreign_set_doubles(call, 5, tau, false)) &&
         dae_foreign_set_info(call, info);
}

static bool
reduce_to_hessenberg(DaeForeign *call)
{
  return find_hessenberg(call, false);
}

static bool
make_hessenberg_q(DaeForeign *call)
{
  return find_hessenberg(call, true);
}

/* dhseqr(job, compz, n, ilo, ihi, H, ldh, wr, wi, Z, ldz, work, lwork, info) */
static bool
iterate_hessenberg(DaeForeign *call)
{
  uint32_t n_rows = is_square(call, 5) ? call->arguments[5].dims[0] : 0;
  char job = dae_foreign_letter(call, 0);
  char vectors = dae_foreign_letter(call, 1);
  if (n_rows == 0 || !is_vector(call, 7, n_rows) || !is_vector(call, 8, n_rows) ||
      (vectors != 'N' && (!is_square(call, 9) || call->arguments[9].dims[0] != n_rows)) ||
      job == '\0' || vectors == '\0') {
    return dae_foreign_fail_sizes(call);
  }
  int n = (int)n_rows;
  int one = 1;
  g_autofree double *h = dae_foreign_take_matrix(call, 5);
  g_autofree double *z = h == NULL        ? NULL
                         : vectors == 'N' ? g_new0(double, (size_t)n_rows *n_rows)
                                          : dae_foreign_take_matrix(call, 9);
  if (z == NULL) {
    return false;
  }
  g_autofree double *wr = g_new0(double, n);
  g_autofree double *wi = g_new0(double, n);
  int lwork = 3 * n;
  int info = 0;
  g_autofree double *work = g_new0(double, lwork);
  const char *compz = vectors == 'I' ? "I" : vectors == 'V' ? "V" : "N";
  dhseqr_(job == 'S' ? "S" : "E", compz, &n, &one, &n, h, &n, wr, wi, z, &n, work, &lwork,
          &info, 1, 1);
  bool has_work = call->arguments[11].count == (uint32_t)lwork;
  return dae_foreign_set_matrix(call, 5, h, n_rows, n_rows) &&
         dae_foreign_set_doubles(call, 7, wr, false) &&
         dae_foreign_set_doubles(call, 8, wi, false) &&
         (vectors == 'N' || dae_foreign_set_matrix(call, 9, z, n_rows, n_rows)) &&
         (!has_work || dae_foreign_set_doubles(call, 11, work, false)) &&
         dae_foreign_set_info(call, info);
}

/* dgees(jobvs, "N", select, n, T, lda, sdim, wr, wi, Z, ldz, work, lwork, bwork, info) */
static bool
find_schur(DaeForeign *call)
{
  uint32_t n_rows = is_square(call, 4) ? call->arguments[4].dims[0] : 0;
  if (n_rows == 0 || !is_vector(call, 7, n_rows) || !is_vector(call, 8, n_rows) ||
      dae_foreign_letter(call, 1) != 'N') {
    return dae_foreign_fail_sizes(call);
  }
  int n = (int)n_rows;
  g_autofree double *t = dae_foreign_take_matrix(call, 4);
  if (t == NULL) {
    return false;
  }
  g_autofree double *z = g_new0(double, (size_t)n_rows *n_rows);
  g_autofree double *wr = g_new0(double, n);
  g_autofree double *wi = g_new0(double, n);
  int lwork = 10 * n;
  int found = 0;
  int info = 0;
  g_autofree double *work = g_new0(double, lwork);
  g_autofree int *marks = g_new0(int, n);
  dgees_("V", "N", NULL, &n, t, &n, &found, wr, wi, z, &n, work, &lwork, marks, &info, 1, 1);
  return dae_foreign_set_matrix(call, 4, t, n_rows, n_rows) &&
         dae_foreign_set_doubles(call, 7, wr, false) &&
         dae_foreign_set_doubles(call, 8, wi, false) &&
         dae_foreign_set_matrix(call, 9, z, n_rows, n_rows) && dae_foreign_set_info(call, info);
}

/* dtrsen(job, compq, select, n, T, ldt, Q, ldq, wr, wi, m, s, sep, work, lwork, iwork, liwork,
 * info) */
static bool
reorder_schur(DaeForeign *call)
{
  uint32_t n_rows = is_square(call, 4) ? call->arguments[4].dims[0] : 0;
  bool updates = dae_foreign_letter(call, 1) == 'V';
  const char job[2] = {dae_foreign_letter(call, 0), '\0'};
  if (n_rows == 0 || !is_vector(call, 2, n_rows) || !is_vector(call, 8, n_rows) ||
      !is_vector(call, 9, n_rows) || job[0] == '\0' || strchr("NEVB", job[0]) == NULL ||
      (updates && (!is_square(call, 6) || call->arguments[6].dims[0] != n_rows))) {
    return dae_foreign_fail_sizes(call);
  }
  int n = (int)n_rows;
  g_autofree int *selected = g_new0(int, n);
  DaeForeign one = *call;
  for (uint32_t k = 0; k < n_rows; k++) {
    bool is_selected = false;
    one.arguments[2] =
        dae_value_scalar(DAE_VALUE_BOOLEAN, dae_value_scalar_at(&call->arguments[2], k));
    if (!dae_foreign_boolean(&one, 2, &is_selected)) {
      return false;
    }
    selected[k] = is_selected ? 1 : 0;
  }
  g_autofree double *t = dae_foreign_take_matrix(call, 4);
  g_autofree double *q = t == NULL ? NULL
                         : updates ? dae_foreign_take_matrix(call, 6)
                                   : g_new0(double, (size_t)n_rows *n_rows);
  if (q == NULL) {
    return false;
  }
  g_autofree double *wr = g_new0(double, n);
  g_autofree double *wi = g_new0(double, n);
  int m = 0;
  int lwork = 2 * n * n;
  int liwork = n * n;
  int info = 0;
  double s = 0;
  double sep = 0;
  g_autofree double *work = g_new0(double, lwork);
  g_autofree int *places = g_new0(int, liwork);
  dtrsen_(job, updates ? "V" : "N", selected, &n, t, &n, q, &n, wr, wi, &m, &s, &sep, work,
          &lwork, places, &liwork, &info, 1, 1);
  return dae_foreign_set_matrix(call, 4, t, n_rows, n_rows) &&
         (!updates || dae_foreign_set_matrix(call, 6, q, n_rows, n_rows)) &&
         dae_foreign_set_doubles(call, 8, wr, false) &&
         dae_foreign_set_doubles(call, 9, wi, false) &&
         dae_foreign_set(
             call, 10,
             dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, m))) &&
         set_real(call, 11, s) && set_real(call, 12, sep) && dae_foreign_set_info(call, info);
}

/* ---- equations ------------------------------------------------------------------------------- */

/* dtrsyl(trana, tranb, isgn, m, n, A, lda, B, ldb, X, ldx, scale, info) */
static bool
solve_sylvester(DaeForeign *call)
{
  int64_t sign = 0;
  if (!is_square(call, 5) || !is_square(call, 7) || !dae_foreign_is_matrix(call, 9) ||
      call->arguments[9].dims[0] != call->arguments[5].dims[0] ||
      call->arguments[9].dims[1] != call->arguments[7].dims[0]) {
    return dae_foreign_fail_sizes(call);
  }
  if (!dae_foreign_integer(call, 2, &sign)) {
    return false;
  }
  int m = (int)call->arguments[9].dims[0];
  int n = (int)call->arguments[9].dims[1];
  g_autofree double *a = dae_foreign_take_matrix(call, 5);
  g_autofree double *b = a != NULL ? dae_foreign_take_matrix(call, 7) : NULL;
  g_autofree double *x = b != NULL ? dae_foreign_take_matrix(call, 9) : NULL;
  if (x == NULL) {
    return false;
  }
  int direction = sign < 0 ? -1 : 1;
  int info = 0;
  double scale = 0;
  dtrsyl_(dae_foreign_letter(call, 0) == 'T' ? "T" : "N",
          dae_foreign_letter(call, 1) == 'T' ? "T" : "N", &direction, &m, &n, a, &m, b, &n, x,
          &m, &scale, &info, 1, 1);
  return dae_foreign_set_matrix(call, 9, x, (uint32_t)m, (uint32_t)n) &&
         set_real(call, 11, scale) && dae_foreign_set_info(call, info);
}

/* dgglse(m, n, p, A, lda, B, ldb, c, d, x, work, lwork, info): least squares A*x = c with B*x = d */
static bool
solve_constrained(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[3];
  const DaeValue *constraint = &call->arguments[5];
  if (!dae_foreign_is_matrix(call, 3) || !dae_foreign_is_matrix(call, 5) ||
      constraint->dims[1] != matrix->dims[1] || constraint->dims[0] > matrix->dims[1] ||
      matrix->dims[1] > matrix->dims[0] + constraint->dims[0] ||
      !is_vector(call, 7, matrix->dims[0]) || !is_vector(call, 8, constraint->dims[0]) ||
      !is_vector(call, 9, matrix->dims[1])) {
    return dae_foreign_fail_sizes(call);
  }
  int m = (int)matrix->dims[0];
  int n = (int)matrix->dims[1];
  int p = (int)constraint->dims[0];
  g_autofree double *a = dae_foreign_take_matrix(call, 3);
  g_autofree double *b = a != NULL ? dae_foreign_take_matrix(call, 5) : NULL;
  g_autofree double *c = b != NULL ? dae_foreign_doubles(call, 7) : NULL;
  g_autofree double *d = c != NULL ? dae_foreign_doubles(call, 8) : NULL;
  if (d == NULL) {
    return false;
  }
  g_autofree double *x = g_new0(double, n);
  int lwork = m + n + p;
  int info = 0;
  g_autofree double *work = g_new0(double, lwork);
  dgglse_(&m, &n, &p, a, &m, b, &p, c, d, x, work, &lwork, &info);
  return dae_foreign_set_doubles(call, 9, x, false) && dae_foreign_set_info(call, info);
}

/* dgecon(norm, n, LU, lda, anorm, rcond, work, iwork, info) */
static bool
find_condition(DaeForeign *call)
{
  double norm = 0;
  if (!is_square(call, 2)) {
    return dae_foreign_fail_sizes(call);
  }
  int n = (int)call->arguments[2].dims[0];
  g_autofree double *lu = dae_foreign_take_matrix(call, 2);
  if (lu == NULL || !dae_foreign_double(call, 4, 0, &norm)) {
    return false;
  }
  int info = 0;
  double rcond = 0;
  g_autofree double *work = g_new0(double, 4 * n);
  g_autofree int *places = g_new0(int, n);
  dgecon_(dae_foreign_letter(call, 0) == 'I' ? "I" : "1", &n, lu, &n, &norm, &rcond, work,
          places, &info, 1);
  return set_real(call, 5, rcond) && dae_foreign_set_info(call, info);
}

const DaeForeignEntry dae_foreign_schur[] = {
    {"dgeqp3", 9, factor_qr},
    {"dorgqr", 9, make_q},
    {"dgehrd", 9, reduce_to_hessenberg},
    {"dorghr", 9, make_hessenberg_q},
    {"dhseqr", 14, iterate_hessenberg},
    {"dgees", 15, find_schur},
    {"dtrsen", 18, reorder_schur},
    {"dtrsyl", 13, solve_sylvester},
    {"dgglse", 13, solve_constrained},
    {"dgecon", 9, find_condition},
    {NULL, 0, NULL},
};
