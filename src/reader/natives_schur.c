/* Orthogonal factors, Hessenberg and Schur forms, Sylvester's equation, least squares with
 * constraints, condition numbers, by LAPACK (natives_method.c says how). */
#include "reader/natives.h"

#include <string.h>

/* ---- orthogonal factors -------------------------------------------------------------------- */

/* dgeqp3(m, n, A, lda, jpvt, tau, work, lwork, info) */
static bool
factor_qr(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[2];
  uint32_t n_least = dae_foreign_is_matrix(call, 2) ? MIN(matrix->dims[0], matrix->dims[1]) : 0;
  if (n_least == 0 || !dae_foreign_is_vector(call, 4, matrix->dims[1]) ||
      !dae_foreign_is_vector(call, 5, n_least)) {
    return dae_foreign_fail_sizes(call);
  }
  const DaeMethodCall m = {.name = "dgeqp3",
                           .sizes = {(int)matrix->dims[0], (int)matrix->dims[1]},
                           .inputs = {2},
                           .n_inputs = 1,
                           .results = {{2, matrix->count, false},
                                       {4, matrix->dims[1], true},
                                       {5, n_least, false},
                                       {call->n - 1, 1, true}},
                           .n_results = 4};
  return dae_foreign_run_method(call, &m);
}

/* dgeqrf(m, n, A, lda, tau, work, lwork, info) */
static bool
factor_qr_in_place(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[2];
  uint32_t n_least = dae_foreign_is_matrix(call, 2) ? MIN(matrix->dims[0], matrix->dims[1]) : 0;
  if (n_least == 0 || !dae_foreign_is_vector(call, 4, n_least)) {
    return dae_foreign_fail_sizes(call);
  }
  const DaeMethodCall m = {
      .name = "dgeqrf",
      .sizes = {(int)matrix->dims[0], (int)matrix->dims[1]},
      .inputs = {2},
      .n_inputs = 1,
      .results = {{2, matrix->count, false}, {4, n_least, false}, {call->n - 1, 1, true}},
      .n_results = 3};
  uint32_t n_work = call->arguments[5].count;
  g_autofree double *work = g_new0(double, (size_t)n_work + 1);
  return dae_foreign_run_method(call, &m) &&
         (n_work == 0 || dae_foreign_set_doubles(call, 5, work, false));
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
  const DaeMethodCall m = {
      .name = "dorgqr",
      .sizes = {(int)matrix->dims[0], (int)matrix->dims[1], (int)call->arguments[5].count},
      .inputs = {3, 5},
      .n_inputs = 2,
      .results = {{3, matrix->count, false}, {call->n - 1, 1, true}},
      .n_results = 2};
  return dae_foreign_run_method(call, &m);
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
  uint32_t n = dae_foreign_is_square(call, 3) ? call->arguments[3].dims[0] : 0;
  int low = 0;
  int high = 0;
  if (n == 0 || !dae_foreign_is_vector(call, 5, n - 1)) {
    return dae_foreign_fail_sizes(call);
  }
  if (!take_range(call, n, &low, &high)) {
    return false;
  }
  const DaeMethodCall q = {.name = "dorghr",
                           .sizes = {(int)n, low, high},
                           .inputs = {3, 5},
                           .n_inputs = 2,
                           .results = {{3, n * n, false}, {call->n - 1, 1, true}},
                           .n_results = 2};
  const DaeMethodCall h = {
      .name = "dgehrd",
      .sizes = {(int)n, low, high},
      .inputs = {3},
      .n_inputs = 1,
      .results = {{3, n * n, false}, {5, n - 1, false}, {call->n - 1, 1, true}},
      .n_results = 3};
  return dae_foreign_run_method(call, makes_q ? &q : &h);
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
  uint32_t n = dae_foreign_is_square(call, 5) ? call->arguments[5].dims[0] : 0;
  char job = dae_foreign_letter(call, 0);
  char vectors = dae_foreign_letter(call, 1);
  bool has_z = vectors != 'N';
  if (n == 0 || !dae_foreign_is_vector(call, 7, n) || !dae_foreign_is_vector(call, 8, n) ||
      (has_z && (!dae_foreign_is_square(call, 9) || call->arguments[9].dims[0] != n)) ||
      job == '\0' || vectors == '\0') {
    return dae_foreign_fail_sizes(call);
  }
  const DaeMethodCall m = {.name = "dhseqr",
                           .sizes = {(int)n, job == 'S' ? 1 : 0,
                                     vectors == 'I'   ? 1
                                     : vectors == 'V' ? 2
                                                      : 0},
                           .inputs = {5, vectors == 'V' ? 9u : 5u}, /* any matrix but for V */
                           .n_inputs = 2,
                           .results = {{5, n * n, false},
                                       {7, n, false},
                                       {8, n, false},
                                       {has_z ? 9 : DAE_METHOD_NOWHERE, n * n, false},
                                       {11, 3 * n, false},
                                       {call->n - 1, 1, true}},
                           .n_results = 6};
  return dae_foreign_run_method(call, &m);
}

/* dgees(jobvs, "N", select, n, T, lda, sdim, wr, wi, Z, ldz, work, lwork, bwork, info) */
static bool
find_schur(DaeForeign *call)
{
  uint32_t n = dae_foreign_is_square(call, 4) ? call->arguments[4].dims[0] : 0;
  if (n == 0 || !dae_foreign_is_vector(call, 7, n) || !dae_foreign_is_vector(call, 8, n) ||
      dae_foreign_letter(call, 1) != 'N') {
    return dae_foreign_fail_sizes(call);
  }
  const DaeMethodCall m = {.name = "dgees",
                           .sizes = {(int)n},
                           .inputs = {4},
                           .n_inputs = 1,
                           .results = {{4, n * n, false},
                                       {7, n, false},
                                       {8, n, false},
                                       {9, n * n, false},
                                       {call->n - 1, 1, true}},
                           .n_results = 5};
  return dae_foreign_run_method(call, &m);
}

/* dtrsen(job, compq, select, n, T, ldt, Q, ldq, wr, wi, m, s, sep, work, lwork, iwork, liwork,
 * info) */
static bool
reorder_schur(DaeForeign *call)
{
  uint32_t n = dae_foreign_is_square(call, 4) ? call->arguments[4].dims[0] : 0;
  bool updates = dae_foreign_letter(call, 1) == 'V';
  char job = dae_foreign_letter(call, 0);
  if (n == 0 || !dae_foreign_is_vector(call, 2, n) || !dae_foreign_is_vector(call, 8, n) ||
      !dae_foreign_is_vector(call, 9, n) || job == '\0' || strchr("NEVB", job) == NULL ||
      (updates && (!dae_foreign_is_square(call, 6) || call->arguments[6].dims[0] != n))) {
    return dae_foreign_fail_sizes(call);
  }
  const DaeMethodCall m = {.name = "dtrsen",
                           .sizes = {(int)n, job, updates ? 1 : 0},
                           .inputs = {2, 4, updates ? 6u : 4u}, /* any matrix if not updated */
                           .n_inputs = 3,
                           .results = {{4, n * n, false},
                                       {updates ? 6 : DAE_METHOD_NOWHERE, n * n, false},
                                       {8, n, false},
                                       {9, n, false},
                                       {10, 1, true},
                                       {11, 1, false},
                                       {12, 1, false},
                                       {call->n - 1, 1, true}},
                           .n_results = 8};
  return dae_foreign_run_method(call, &m);
}

/* ---- equations ------------------------------------------------------------------------------- */

/* dtrsyl(trana, tranb, isgn, m, n, A, lda, B, ldb, X, ldx, scale, info) */
static bool
solve_sylvester(DaeForeign *call)
{
  int64_t sign = 0;
  if (!dae_foreign_is_square(call, 5) || !dae_foreign_is_square(call, 7) ||
      !dae_foreign_is_matrix(call, 9) ||
      call->arguments[9].dims[0] != call->arguments[5].dims[0] ||
      call->arguments[9].dims[1] != call->arguments[7].dims[0]) {
    return dae_foreign_fail_sizes(call);
  }
  if (!dae_foreign_integer(call, 2, &sign)) {
    return false;
  }
  const DaeValue *x = &call->arguments[9];
  const DaeMethodCall m = {
      .name = "dtrsyl",
      .sizes = {(int)x->dims[0], (int)x->dims[1], dae_foreign_letter(call, 0) == 'T' ? 1 : 0,
                dae_foreign_letter(call, 1) == 'T' ? 1 : 0, sign < 0 ? -1 : 1},
      .inputs = {5, 7, 9},
      .n_inputs = 3,
      .results = {{9, x->count, false}, {11, 1, false}, {call->n - 1, 1, true}},
      .n_results = 3};
  return dae_foreign_run_method(call, &m);
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
      !dae_foreign_is_vector(call, 7, matrix->dims[0]) ||
      !dae_foreign_is_vector(call, 8, constraint->dims[0]) ||
      !dae_foreign_is_vector(call, 9, matrix->dims[1])) {
    return dae_foreign_fail_sizes(call);
  }
  const DaeMethodCall m = {
      .name = "dgglse",
      .sizes = {(int)matrix->dims[0], (int)matrix->dims[1], (int)constraint->dims[0]},
      .inputs = {3, 5, 7, 8},
      .n_inputs = 4,
      .results = {{9, matrix->dims[1], false}, {call->n - 1, 1, true}},
      .n_results = 2};
  return dae_foreign_run_method(call, &m);
}

/* dgecon(norm, n, LU, lda, anorm, rcond, work, iwork, info) */
static bool
find_condition(DaeForeign *call)
{
  if (!dae_foreign_is_square(call, 2)) {
    return dae_foreign_fail_sizes(call);
  }
  const DaeMethodCall m = {
      .name = "dgecon",
      .sizes = {(int)call->arguments[2].dims[0], dae_foreign_letter(call, 0) == 'I' ? 1 : 0},
      .inputs = {2, 4},
      .n_inputs = 2,
      .results = {{5, 1, false}, {call->n - 1, 1, true}},
      .n_results = 2};
  return dae_foreign_run_method(call, &m);
}

const DaeForeignEntry dae_foreign_schur[] = {
    {"dgeqp3", 9, factor_qr},
    {"dgeqrf", 8, factor_qr_in_place},
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
