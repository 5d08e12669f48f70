/* Functions of matrices that are known only at run time, on terms: their derivatives are those of
 * the terms. Ranks are taken as full; where they are not the results have no finite values, which
 * ends a run.
 *
 * Least squares: with A'A (rows >= columns) or AA' [Golub, Van Loan, Matrix Computations, section
 * 5.3.2]. That squares the condition number: good to half of the digits of A for a bad one. */
#include "reader/natives.h"

static const DaeTerm *
data_of(const DaeForeign *call, uint32_t i)
{
  return call->arguments[i].data;
}

static bool
set_integer(DaeForeign *call, uint32_t i, int64_t value)
{
  return dae_foreign_set(
      call, i, dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, value)));
}

typedef struct {
  DaeTerms *terms;
  const DaeTerm *data; /* row by row */
  uint32_t rows, columns;
  bool is_turned;
} Matrix;

static DaeTerm
at(const Matrix *m, uint32_t i, uint32_t j)
{
  return m->is_turned ? m->data[(size_t)j * m->columns + i]
                      : m->data[(size_t)i * m->columns + j];
}

/* The sum over k of a[k, i]*b[k, j]. */
static DaeTerm
inner_product(const Matrix *a, uint32_t i, const Matrix *b, uint32_t j, uint32_t n)
{
  DaeTerm sum = dae_term_int(a->terms, 0);
  for (uint32_t k = 0; k < n; k++) {
    sum = dae_term_add(a->terms, sum, dae_term_mul(a->terms, at(a, k, i), at(b, k, j)));
  }
  return sum;
}

/* The solution replaces the first rows of the right sides. */
bool
dae_foreign_least_squares(DaeForeign *call, uint32_t matrix, uint32_t right)
{
  DaeReader *reader = call->reader;
  const DaeValue *a = &call->arguments[matrix];
  const DaeValue *b = &call->arguments[right];
  uint32_t m = a->dims[0];
  uint32_t n = a->dims[1];
  uint32_t n_right = b->n_dims == 2 ? b->dims[1] : 1;
  uint32_t small = MIN(m, n);
  if (small == 0 || small > DAE_MOST_ELIMINATED) {
    return dae_foreign_fail(call,
                            "a matrix that is known only at run time has no or over 50 rows");
  }
  /* columns of A if it is high, its rows if it is wide */
  const Matrix narrow = {reader->terms, data_of(call, matrix), m, n, m < n};
  const Matrix sides = {reader->terms, data_of(call, right), b->dims[0], n_right, false};
  DaeTerm *square = dae_value_new_data(reader, small * small);
  DaeTerm *x = dae_value_new_data(reader, small * n_right);
  for (uint32_t i = 0; i < small; i++) {
    for (uint32_t j = 0; j < small; j++) {
      square[i * small + j] = inner_product(&narrow, i, &narrow, j, MAX(m, n));
    }
    for (uint32_t j = 0; j < n_right; j++) {
      x[i * n_right + j] = m < n ? at(&sides, i, j) : inner_product(&narrow, i, &sides, j, m);
    }
  }
  bool good = dae_foreign_eliminate(reader, square, x, small, n_right);
  DaeTerm *result = dae_value_new_data(reader, MAX(b->count, 1u));
  for (uint32_t k = 0; k < b->count; k++) {
    result[k] = b->data[k];
  }
  const Matrix least = {reader->terms, x, small, n_right, false};
  for (uint32_t i = 0; i < n && good; i++) {
    for (uint32_t j = 0; j < n_right; j++) {
      DaeTerm sum = dae_term_int(reader->terms, 0);
      for (uint32_t k = 0; m < n && k < m; k++) {
        sum = dae_term_add(reader->terms, sum,
                           dae_term_mul(reader->terms, at(&narrow, i, k), at(&least, k, j)));
      }
      result[i * n_right + j] = m < n ? sum : at(&least, i, j);
    }
  }
  if (!good) {
    return dae_foreign_fail(call, "the matrix is singular with the values of parameters");
  }
  return dae_foreign_set(
             call, right,
             dae_value_array(reader, DAE_VALUE_REAL, b->n_dims, b->dims, result, b->count)) &&
         set_integer(call, call->n - 1, 0);
}

/* dpotrf(uplo, n, A, lda, info): L*L' = A, or U'*U; the other part of A stays. */
bool
dae_foreign_cholesky(DaeForeign *call, bool is_lower)
{
  DaeReader *reader = call->reader;
  DaeTerms *terms = reader->terms;
  const DaeValue *a = &call->arguments[2];
  uint32_t n = a->dims[0];
  if (n > DAE_MOST_ELIMINATED) {
    return dae_foreign_fail(call, "a matrix that is known only at run time has over 50 rows");
  }
  DaeTerm *data = dae_value_new_data(reader, n * n);
  for (uint32_t k = 0; k < n * n; k++) {
    data[k] = a->data[k];
  }
  const size_t row = is_lower ? n : 1; /* U is L turned around */
  const size_t column = is_lower ? 1 : n;
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = j; i < n; i++) {
      DaeTerm sum = data[i * row + j * column];
      for (uint32_t k = 0; k < j; k++) {
        sum = dae_term_sub(
            terms, sum,
            dae_term_mul(terms, data[i * row + k * column], data[j * row + k * column]));
      }
      sum = i == j ? dae_term_pow(terms, sum, dae_term_ratio(terms, 1, 2))
                   : dae_term_div(terms, sum, data[j * row + j * column]);
      if (sum == DAE_NO_TERM) {
        return dae_foreign_fail(call, "the matrix is not positive definite");
      }
      data[i * row + j * column] = sum;
    }
  }
  return dae_foreign_set(call, 2,
                         dae_value_array(reader, DAE_VALUE_REAL, 2, a->dims, data, n * n)) &&
         set_integer(call, call->n - 1, 0);
}

/* The greatest sum of sizes along the columns ('1', 'O') or rows ('I'), the greatest size ('M'), or
 * Frobenius' norm ('F', 'E'). */
bool
dae_foreign_norm(DaeForeign *call, char kind)
{
  DaeTerms *terms = call->reader->terms;
  const DaeValue *a = &call->arguments[3];
  const Matrix m = {terms, a->data, a->dims[0], a->dims[1], kind == 'I'};
  uint32_t n_sums = kind == 'I' ? m.rows : m.columns;
  uint32_t n_each = kind == 'I' ? m.columns : m.rows;
  bool is_square = kind == 'F' || kind == 'E';
  DaeTerm norm = dae_term_int(terms, 0);
  for (uint32_t j = 0; j < n_sums; j++) {
    DaeTerm sum = dae_term_int(terms, 0);
    for (uint32_t i = 0; i < n_each; i++) {
      DaeTerm size = is_square ? dae_term_mul(terms, at(&m, i, j), at(&m, i, j))
                               : dae_term_call1(terms, DAE_FN_ABS, at(&m, i, j));
      sum = kind != 'M'  ? dae_term_add(terms, sum, size)
            : i + j == 0 ? size
                         : dae_term_call2(terms, DAE_FN_MAX, sum, size);
    }
    norm = is_square ? dae_term_add(terms, norm, sum)
           : j == 0  ? sum
                     : dae_term_call2(terms, DAE_FN_MAX, norm, sum);
  }
  norm = is_square ? dae_term_pow(terms, norm, dae_term_ratio(terms, 1, 2)) : norm;
  return dae_foreign_return(call, dae_value_scalar(DAE_VALUE_REAL, norm));
}
