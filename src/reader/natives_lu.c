/* dgetrf, dgetri, dgetrs: triangular factors of a matrix on terms, as dgesv. Pivots are the
 * largest ones with the given values of parameters. dgesvx: solution and condition number. */
#include "reader/natives.h"

#include <string.h>

#define MOST_ROWS 50u

typedef struct {
  DaeReader *reader;
  DaeTerms *terms;
  DaeTerm *a; /* row by row */
  uint32_t rows, columns;
} Matrix;

static DaeTerm *
at(const Matrix *m, uint32_t i, uint32_t j)
{
  return &m->a[(size_t)i * m->columns + j];
}

static bool
copy_matrix(const DaeForeign *call, uint32_t i, Matrix *m)
{
  const DaeValue *value = &call->arguments[i];
  *m = (Matrix){.reader = call->reader, .terms = call->reader->terms};
  if (value->n_dims != 2 || value->count == 0 || value->dims[0] > MOST_ROWS ||
      value->dims[1] > MOST_ROWS) {
    return dae_foreign_fail(call, "takes a matrix of up to 50 rows and columns");
  }
  m->rows = value->dims[0];
  m->columns = value->dims[1];
  m->a = dae_value_new_data(call->reader, value->count);
  memcpy(m->a, value->data, value->count * sizeof(DaeTerm));
  return true;
}

static bool
choose_pivot(const Matrix *m, uint32_t k, uint32_t *pivot)
{
  double best = -1.0;
  for (uint32_t i = k; i < m->rows; i++) {
    double size = dae_foreign_pivot_size(m->reader, *at(m, i, k));
    if (size > best) {
      best = size;
      *pivot = i;
    }
  }
  return best >= 0.0;
}

static void
swap(const Matrix *m, uint32_t i, uint32_t k)
{
  for (uint32_t j = 0; j < m->columns && i != k; j++) {
    DaeTerm t = *at(m, i, j);
    *at(m, i, j) = *at(m, k, j);
    *at(m, k, j) = t;
  }
}

/* a - b c */
static DaeTerm
reduced(DaeTerms *terms, DaeTerm a, DaeTerm b, DaeTerm c)
{
  return dae_term_sub(terms, a, dae_term_mul(terms, b, c));
}

/* In place; 0, or the number of the first pivot that is zero. */
static uint32_t
factorize(const Matrix *m, uint32_t *pivots)
{
  uint32_t info = 0;
  for (uint32_t k = 0; k < MIN(m->rows, m->columns); k++) {
    uint32_t pivot = k;
    bool good = choose_pivot(m, k, &pivot);
    pivots[k] = pivot + 1;
    if (!good) {
      info = info == 0 ? k + 1 : info;
      continue;
    }
    swap(m, k, pivot);
    for (uint32_t i = k + 1; i < m->rows; i++) {
      *at(m, i, k) = dae_term_div(m->terms, *at(m, i, k), *at(m, k, k));
      for (uint32_t j = k + 1; j < m->columns; j++) {
        *at(m, i, j) = reduced(m->terms, *at(m, i, j), *at(m, i, k), *at(m, k, j));
      }
    }
  }
  return info;
}

/* dgetrf(rows, columns, A, lda, pivots, info) */
static bool
run_factorize(DaeForeign *call)
{
  DaeReader *reader = call->reader;
  Matrix m;
  if (!copy_matrix(call, 2, &m)) {
    return false;
  }
  uint32_t n = MIN(m.rows, m.columns);
  g_autofree uint32_t *pivots = g_new0(uint32_t, n + 1);
  uint32_t info = factorize(&m, pivots);
  DaeTerm *places = dae_value_new_data(reader, n);
  for (uint32_t k = 0; k < n; k++) {
    places[k] = dae_term_int(reader->terms, pivots[k]);
  }
  return dae_foreign_set(call, 2,
                         dae_value_array(reader, DAE_VALUE_REAL, 2, call->arguments[2].dims,
                                         m.a, m.rows * m.columns)) &&
         dae_foreign_set(call, 4,
                         dae_value_array(reader, DAE_VALUE_INTEGER, 1, &n, places, n)) &&
         dae_foreign_set(
             call, 5, dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(reader->terms, info)));
}

/* The rows of b change places as those of the factors did. False: no such row. */
static bool
permute(const DaeForeign *call, uint32_t i, const Matrix *b, bool is_backward)
{
  uint32_t n = call->arguments[i].count;
  for (uint32_t q = 0; q < n; q++) {
    uint32_t k = is_backward ? n - 1 - q : q;
    double place = 0;
    if (!dae_foreign_double(call, i, k, &place)) {
      return false;
    }
    if (place < 1 || place > b->rows || k >= b->rows) {
      return dae_foreign_fail(call, "a pivot is no number of a row");
    }
    swap(b, k, (uint32_t)place - 1);
  }
  return true;
}

/* Solves with the lower (unit diagonal) or upper factor, or its transpose, in place. */
static void
substitute(const Matrix *lu, const Matrix *b, bool is_lower, bool is_transposed)
{
  DaeTerms *terms = lu->terms;
  bool is_forward = is_lower != is_transposed;
  for (uint32_t q = 0; q < lu->rows; q++) {
    uint32_t i = is_forward ? q : lu->rows - 1 - q;
    for (uint32_t j = 0; j < b->columns; j++) {
      DaeTerm t = *at(b, i, j);
      for (uint32_t p = 0; p < q; p++) {
        uint32_t k = is_forward ? p : lu->rows - 1 - p;
        t = reduced(terms, t, is_transposed ? *at(lu, k, i) : *at(lu, i, k), *at(b, k, j));
      }
      *at(b, i, j) = is_lower ? t : dae_term_div(terms, t, *at(lu, i, i));
    }
  }
}

static bool
is_square(const DaeForeign *call, const Matrix *lu)
{
  for (uint32_t i = 0; i < lu->rows && lu->rows == lu->columns; i++) {
    if (dae_term_is_zero(lu->terms, *at(lu, i, i))) {
      return dae_foreign_fail(call, "the matrix is singular");
    }
  }
  return lu->rows == lu->columns || dae_foreign_fail(call, "the matrix is not square");
}

static bool
give(DaeForeign *call, uint32_t i, const Matrix *b)
{
  DaeReader *reader = call->reader;
  const DaeValue *like = &call->arguments[i];
  return dae_foreign_set(call, i,
                         dae_value_array(reader, DAE_VALUE_REAL, like->n_dims, like->dims, b->a,
                                         like->count)) &&
         dae_foreign_set(call, call->n - 1,
                         dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(reader->terms, 0)));
}

/* dgetri(n, LU, lda, pivots, work, lwork, info) */
static bool
run_invert(DaeForeign *call)
{
  Matrix lu;
  if (!copy_matrix(call, 1, &lu) || !is_square(call, &lu)) {
    return false;
  }
  uint32_t n = lu.rows;
  Matrix b = {call->reader, lu.terms, dae_value_new_data(call->reader, n * n), n, n};
  for (uint32_t k = 0; k < n * n; k++) {
    b.a[k] = dae_term_int(lu.terms, k % (n + 1) == 0 ? 1 : 0);
  }
  if (!permute(call, 3, &b, false)) {
    return false;
  }
  substitute(&lu, &b, true, false);
  substitute(&lu, &b, false, false);
  return give(call, 1, &b);
}

/* dgetrs(trans, n, columns, LU, lda, pivots, B, ldb, info) */
static bool
run_solve(DaeForeign *call)
{
  Matrix lu;
  const char *trans = dae_foreign_text(call, 0);
  const DaeValue *right = &call->arguments[6];
  if (trans == NULL || !copy_matrix(call, 3, &lu) || !is_square(call, &lu)) {
    return false;
  }
  if (right->n_dims < 1 || right->dims[0] != lu.rows) {
    return dae_foreign_fail(call, "the sizes of the matrices do not fit");
  }
  bool is_transposed = *trans == 'T' || *trans == 'C';
  Matrix b = {call->reader, lu.terms, dae_value_new_data(call->reader, MAX(right->count, 1u)),
              lu.rows, right->count / lu.rows};
  memcpy(b.a, right->data, right->count * sizeof(DaeTerm));
  if (!is_transposed && !permute(call, 5, &b, false)) {
    return false;
  }
  substitute(&lu, &b, !is_transposed, is_transposed);
  substitute(&lu, &b, is_transposed, is_transposed);
  if (is_transposed && !permute(call, 5, &b, true)) {
    return false;
  }
  return give(call, 6, &b);
}

/* The largest sum of absolute values of a column. */
static DaeTerm
column_norm(DaeTerms *terms, const DaeTerm *a, uint32_t n, uint32_t width)
{
  DaeTerm largest = dae_term_int(terms, 0);
  for (uint32_t j = 0; j < n; j++) {
    DaeTerm sum = dae_term_int(terms, 0);
    for (uint32_t i = 0; i < n; i++) {
      sum =
          dae_term_add(terms, sum, dae_term_call1(terms, DAE_FN_ABS, a[(size_t)i * width + j]));
    }
    largest = j == 0 ? sum : dae_term_call2(terms, DAE_FN_MAX, largest, sum);
  }
  return largest;
}

/* dgesvx(fact, trans, n, columns, A, lda, AF, ldaf, pivots, equed, R, C, B, ldb, X, ldx, rcond, ferr,
 * berr, work, iwork, info): the inverse, whose norm is in rcond, is solved for with the columns. */
static bool
run_expert(DaeForeign *call)
{
  enum { TRANS = 1, A = 4, B = 12, X = 14, RCOND = 16 };

  DaeReader *reader = call->reader;
  DaeTerms *terms = reader->terms;
  Matrix a;
  const char *trans = dae_foreign_text(call, TRANS);
  const DaeValue *right = &call->arguments[B];
  if (trans == NULL || !copy_matrix(call, A, &a)) {
    return false;
  }
  uint32_t n = a.rows;
  if (a.columns != n || right->n_dims != 2 || right->dims[0] != n) {
    return dae_foreign_fail(call, "the sizes of the matrices do not fit");
  }
  uint32_t m = right->dims[1];
  DaeTerm *both = dae_value_new_data(reader, n * (n + m)); /* columns of 1, then those of B */
  DaeTerm *left = dae_value_new_data(reader, n * n);
  DaeTerm *x = dae_value_new_data(reader, MAX(n * m, 1u));
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      left[i * n + j] = *trans == 'N' ? *at(&a, i, j) : *at(&a, j, i);
      both[i * (n + m) + j] = dae_term_int(terms, i == j ? 1 : 0);
    }
    memcpy(both + (size_t)i * (n + m) + n, right->data + (size_t)i * m, m * sizeof(DaeTerm));
  }
  DaeTerm norm = column_norm(terms, left, n, n);
  bool good = dae_foreign_eliminate(reader, left, both, n, n + m);
  for (uint32_t i = 0; i < n; i++) {
    memcpy(x + (size_t)i * m, both + (size_t)i * (n + m) + n, m * sizeof(DaeTerm));
  }
  DaeTerm rcond =
      good ? dae_term_div(terms, dae_term_int(terms, 1),
                          dae_term_mul(terms, norm, column_norm(terms, both, n, n + m)))
           : dae_term_int(terms, 0);
  return dae_foreign_set(call, X,
                         dae_value_array(reader, DAE_VALUE_REAL, 2, right->dims,
                                         good ? x : right->data, right->count)) &&
         dae_foreign_set(call, RCOND, dae_value_scalar(DAE_VALUE_REAL, rcond)) &&
         dae_foreign_set_info(call, good ? 0 : 1);
}

const DaeForeignEntry dae_foreign_lu[] = {
    {"dgesvx", 22, run_expert},
    {"dgetrf", 6, run_factorize},
    {"dgetri", 7, run_invert},
    {"dgetrs", 9, run_solve},
    {NULL, 0, NULL},
};
