/* dgelsy: the solution of least squares and least norm, by QR factorizations with
 * column pivoting [Golub, Van Loan, Matrix Computations, sections 5.4 and 5.5]. In
 * doubles: such data are measured. */
#include "reader/natives.h"

#include <math.h>
#include <string.h>

/* Row by row. Householder vectors stay below the diagonal. */
typedef struct {
  uint32_t m, n;
  double *a;
  double *scale;   /* of the reflections */
  double *r;       /* diagonal of R */
  uint32_t *pivot; /* column of A in the place of each; NULL: no exchanges */
} Factors;

static double
column_norm(const Factors *f, uint32_t k, uint32_t column)
{
  double sum = 0;
  for (uint32_t i = k; i < f->m; i++) {
    double x = f->a[(size_t)i * f->n + column];
    sum += x * x;
  }
  return sqrt(sum);
}

static void
exchange(Factors *f, uint32_t k)
{
  uint32_t best = k;
  for (uint32_t j = k + 1; j < f->n; j++) {
    best = column_norm(f, k, j) > column_norm(f, k, best) * (1 + 1e-14) ? j : best;
  }
  for (uint32_t i = 0; i < f->m && best != k; i++) {
    double x = f->a[(size_t)i * f->n + k];
    f->a[(size_t)i * f->n + k] = f->a[(size_t)i * f->n + best];
    f->a[(size_t)i * f->n + best] = x;
  }
  uint32_t column = f->pivot[k];
  f->pivot[k] = f->pivot[best];
  f->pivot[best] = column;
}

/* x - scale*(v*x)*v for the reflection k; x has one value for each row, `step` apart. */
static void
reflect(const Factors *f, uint32_t k, double *x, size_t step)
{
  double sum = 0;
  for (uint32_t i = k; i < f->m; i++) {
    sum += f->a[(size_t)i * f->n + k] * x[i * step];
  }
  sum *= f->scale[k];
  for (uint32_t i = k; i < f->m; i++) {
    x[i * step] -= sum * f->a[(size_t)i * f->n + k];
  }
}

static void
factorize(Factors *f)
{
  for (uint32_t k = 0; k < MIN(f->m, f->n); k++) {
    if (f->pivot != NULL) {
      exchange(f, k);
    }
    double *head = &f->a[(size_t)k * f->n + k];
    double norm = column_norm(f, k, k);
    f->r[k] = *head > 0 ? -norm : norm;
    *head -= f->r[k];
    double length = column_norm(f, k, k);
    f->scale[k] = length > 0 ? 2 / (length * length) : 0;
    for (uint32_t j = k + 1; j < f->n; j++) {
      reflect(f, k, f->a + j, f->n);
    }
  }
}

/* Least norm of R1*y = c, R1 the first `rank` rows of R: R1' = Q*T, y = Q*(T'\c). */
static void
least_norm(const Factors *f, uint32_t rank, const double *c, double *y)
{
  Factors t = {.m = f->n, .n = rank};
  t.a = g_new0(double, (size_t)t.m *t.n + 1);
  t.scale = g_new0(double, rank + 1);
  t.r = g_new0(double, rank + 1);
  for (uint32_t i = 0; i < rank; i++) {
    for (uint32_t j = i; j < f->n; j++) {
      t.a[(size_t)j * rank + i] = j == i ? f->r[i] : f->a[(size_t)i * f->n + j];
    }
  }
  factorize(&t);
  memset(y, 0, f->n * sizeof(double));
  for (uint32_t i = 0; i < rank; i++) {
    double sum = c[i];
    for (uint32_t k = 0; k < i; k++) {
      sum -= t.a[(size_t)k * rank + i] * y[k];
    }
    y[i] = sum / t.r[i];
  }
  for (uint32_t k = rank; k-- > 0;) {
    reflect(&t, k, y, 1);
  }
  g_free(t.a);
  g_free(t.scale);
  g_free(t.r);
}

static uint32_t
rank_of(const Factors *f, double rcond)
{
  uint32_t most = MIN(f->m, f->n);
  uint32_t rank = 0;
  double smallest = MAX(rcond, 0) * (most > 0 ? fabs(f->r[0]) : 0);
  while (rank < most && fabs(f->r[rank]) > smallest) {
    rank++;
  }
  return rank;
}

/* One right side: b has max(m, n) values, the solution replaces the first n. */
static void
solve_column(const Factors *f, uint32_t rank, double *b, size_t step)
{
  g_autofree double *c = g_new0(double, f->m + 1);
  g_autofree double *y = g_new0(double, f->n + 1);
  for (uint32_t i = 0; i < f->m; i++) {
    c[i] = b[i * step];
  }
  for (uint32_t k = 0; k < MIN(f->m, f->n); k++) {
    reflect(f, k, c, 1);
  }
  least_norm(f, rank, c, y);
  for (uint32_t j = 0; j < f->n; j++) {
    b[f->pivot[j] * step] = y[j];
  }
}

/* dgelsy(nrow, ncol, nrhs, A, nrow, x, nx, jpvt, rcond, rank, work, lwork, info) */
static bool
run_least_squares(DaeForeign *call)
{
  const DaeValue *matrix = &call->arguments[3];
  const DaeValue *right = &call->arguments[5];
  double rcond = 0;
  if (matrix->n_dims != 2 || right->n_dims < 1 || right->n_dims > 2 ||
      right->dims[0] < MAX(matrix->dims[0], matrix->dims[1])) {
    return dae_foreign_fail(call, "the sizes of the matrices do not fit");
  }
  if (!dae_foreign_is_numeric(call, 3) || !dae_foreign_is_numeric(call, 5)) {
    int64_t full = MIN(matrix->dims[0], matrix->dims[1]);
    return dae_foreign_least_squares(call, 3, 5) &&
           dae_foreign_set(
               call, 9,
               dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, full)));
  }
  g_autofree double *a = dae_foreign_doubles(call, 3);
  g_autofree double *b = dae_foreign_doubles(call, 5);
  if (a == NULL || b == NULL || !dae_foreign_double(call, 8, 0, &rcond)) {
    return false;
  }
  Factors f = {.m = matrix->dims[0], .n = matrix->dims[1], .a = a};
  g_autofree double *scale = g_new0(double, MIN(f.m, f.n) + 1);
  g_autofree double *r = g_new0(double, MIN(f.m, f.n) + 1);
  g_autofree uint32_t *pivot = g_new0(uint32_t, f.n + 1);
  for (uint32_t j = 0; j < f.n; j++) {
    pivot[j] = j;
  }
  f.scale = scale;
  f.r = r;
  f.pivot = pivot;
  factorize(&f);
  uint32_t rank = rank_of(&f, rcond);
  uint32_t n_right = right->n_dims == 2 ? right->dims[1] : 1;
  for (uint32_t k = 0; k < n_right; k++) {
    solve_column(&f, rank, b + k, n_right);
  }
  DaeTerms *terms = call->reader->terms;
  return dae_foreign_set_doubles(call, 5, b, false) &&
         dae_foreign_set(call, 9,
                         dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(terms, rank))) &&
         dae_foreign_set(call, call->n - 1,
                         dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(terms, 0)));
}

const DaeForeignEntry dae_foreign_least[] = {
    {"dgelsy", 13, run_least_squares},
    {NULL, 0, NULL},
};
