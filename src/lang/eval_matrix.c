/* Builtin functions of vectors and matrices in the interpreter [MLS, section 10.3]: sizes depend
 * on them, also where the elements are not known. */
#include <string.h>

#include "lang/instance.h"

enum { MOST = 1024 }; /* rows and columns of a matrix that is made here */

static const DaeEval unknown = {.type = DAE_EVAL_UNKNOWN};

/* The matrix with these elements, row by row. */
static DaeEval
from_elements(DaeLang *lang, const DaeEval *elements, uint32_t n_rows, uint32_t n_columns)
{
  g_autofree DaeEval *rows = g_new(DaeEval, n_rows + 1);
  for (uint32_t i = 0; i < n_rows; i++) {
    rows[i] = dae_eval_array(lang, elements + (size_t)i * n_columns, n_columns);
  }
  return dae_eval_array(lang, rows, n_rows);
}

static DaeEval
operate(DaeLang *lang, DaeOp op, const DaeEval *a, const DaeEval *b)
{
  DaeEval value = dae_eval_binary(lang, op, a, b);
  value.count = 1; /* a scalar, known or not */
  return value;
}

static DaeEval
difference(DaeLang *lang, const DaeEval *x, const DaeEval *y, uint32_t i, uint32_t j)
{
  DaeEval left = operate(lang, DAE_OP_MUL, &x->data[i], &y->data[j]);
  DaeEval right = operate(lang, DAE_OP_MUL, &x->data[j], &y->data[i]);
  return operate(lang, DAE_OP_SUB, &left, &right);
}

static bool
is_vector(const DaeEval *a, uint32_t size)
{
  return a->n_dims == 1 && a->data != NULL && (size == 0 || a->dims[0] == size);
}

static DaeEval
cross(DaeLang *lang, const DaeEval *x, const DaeEval *y)
{
  const DaeEval elements[3] = {difference(lang, x, y, 1, 2), difference(lang, x, y, 2, 0),
                               difference(lang, x, y, 0, 1)};
  return dae_eval_array(lang, elements, 3);
}

static DaeEval
skew(DaeLang *lang, const DaeEval *x)
{
  const DaeEval zero = dae_eval_integer(0);
  DaeEval minus[3];
  for (uint32_t i = 0; i < 3; i++) {
    minus[i] = operate(lang, DAE_OP_SUB, &zero, &x->data[i]);
  }
  const DaeEval elements[9] = {zero,     minus[2], x->data[1], x->data[2], zero,
                               minus[0], minus[1], x->data[0], zero};
  return from_elements(lang, elements, 3, 3);
}

static DaeEval
symmetric(DaeLang *lang, const DaeEval *a)
{
  uint32_t n = a->dims[0];
  g_autofree DaeEval *elements = g_new(DaeEval, (size_t)n * n + 1);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      elements[(size_t)i * n + j] = a->data[(size_t)MIN(i, j) * n + MAX(i, j)];
    }
  }
  return from_elements(lang, elements, n, n);
}

static DaeEval
diagonal(DaeLang *lang, const DaeEval *x)
{
  uint32_t n = x->dims[0];
  g_autofree DaeEval *elements = g_new(DaeEval, (size_t)n * n + 1);
  for (uint32_t i = 0; i < n * n; i++) {
    elements[i] = i / n == i % n ? x->data[i % n] : dae_eval_integer(0);
  }
  return from_elements(lang, elements, n, n);
}

static DaeEval
outer_product(DaeLang *lang, const DaeEval *x, const DaeEval *y)
{
  uint32_t n = x->dims[0];
  uint32_t m = y->dims[0];
  g_autofree DaeEval *elements = g_new(DaeEval, (size_t)n * m + 1);
  for (uint32_t i = 0; i < n * m; i++) {
    elements[i] = operate(lang, DAE_OP_MUL, &x->data[i / m], &y->data[i % m]);
  }
  return from_elements(lang, elements, n, m);
}

/* matrix(A): all dimensions but the first two have size 1. */
static DaeEval
matrix(DaeLang *lang, const DaeEval *a)
{
  uint32_t n_rows = a->n_dims > 0 ? a->dims[0] : 1;
  uint32_t n_columns = a->n_dims > 1 ? a->dims[1] : 1;
  uint32_t count = a->n_dims > 0 ? a->count : 1;
  if ((uint64_t)n_rows * n_columns != count) {
    return unknown;
  }
  return from_elements(lang, a->n_dims > 0 ? a->data : a, n_rows, n_columns);
}

static bool
is_small(const DaeEval *a, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t d = 0; d < a[i].n_dims; d++) {
      if (a[i].dims[d] > MOST) {
        return false;
      }
    }
  }
  return true;
}

bool
dae_eval_matrix(DaeLang *lang, const char *name, const DaeEval *a, uint32_t n, DaeEval *result)
{
  static const char *const names[] = {"symmetric", "skew",   "cross", "outerProduct",
                                      "diagonal",  "matrix", "array"};
  size_t which = 0;
  while (which < G_N_ELEMENTS(names) && strcmp(name, names[which]) != 0) {
    which++;
  }
  *result = unknown;
  if (which == G_N_ELEMENTS(names)) {
    return false;
  }
  if (name[0] == 'a') {
    *result = dae_eval_array(lang, a, n);
  } else if (n == 0 || !is_small(a, n)) {
    return true;
  } else if (name[0] == 'm' && dae_eval_has_size(a)) {
    *result = matrix(lang, a);
  } else if (name[0] == 'd' && is_vector(a, 0)) {
    *result = diagonal(lang, a);
  } else if (strcmp(name, "skew") == 0 && is_vector(a, 3)) {
    *result = skew(lang, a);
  } else if (strcmp(name, "symmetric") == 0 && a->n_dims == 2 && a->data != NULL &&
             a->dims[0] == a->dims[1]) {
    *result = symmetric(lang, a);
  } else if (name[0] == 'c' && n == 2 && is_vector(a, 3) && is_vector(a + 1, 3)) {
    *result = cross(lang, a, a + 1);
  } else if (name[0] == 'o' && n == 2 && is_vector(a, 0) && is_vector(a + 1, 0)) {
    *result = outer_product(lang, a, a + 1);
  }
  return true;
}
