/* Builtin functions of the interpreter: those that sizes, conditions
 * and structural parameters use. */
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "lang/instance.h"

static const DaeEval unknown = {.type = DAE_EVAL_UNKNOWN};

static double
square_root(const double *x)
{
  return sqrt(x[0]);
}

/* sqrt is a power, the others are functions of the registry: those of one operand that are
 * analytic. */
static double (*real_function(const char *name))(const double *x)
{
  DaeFunction function;
  if (strcmp(name, "sqrt") == 0) {
    return square_root;
  }
  if (strchr(name, '.') != NULL || !dae_function_find(name, strlen(name), &function)) {
    return NULL;
  }
  const DaeFunctionFacts *facts = dae_function_facts(function);
  return facts->kind == DAE_CLASS_ANALYTIC && facts->arity == 1 ? facts->value : NULL;
}

static DaeEval
apply_real(DaeLang *lang, double (*function)(const double *x), const DaeEval *a)
{
  double x = 0;
  if (a->n_dims > 0) {
    DaeEval *data = NULL;
    DaeEval value = dae_eval_new_array(lang, a->n_dims, a->dims, &data);
    for (uint32_t i = 0; data != NULL && i < value.count; i++) {
      data[i] = apply_real(lang, function, &a->data[i]);
    }
    return value;
  }
  return dae_eval_number(a, &x) ? dae_eval_real(function(&x)) : unknown;
}

/* integer(), floor(), ceil() and the like: the first is Integer. */
static bool
round_like(const char *name, const DaeEval *a, uint32_t n, DaeEval *result)
{
  double x = 0;
  bool is_integer = strcmp(name, "integer") == 0 || strcmp(name, "Integer") == 0;
  bool is_floor = strcmp(name, "floor") == 0;
  if (!is_integer && !is_floor && strcmp(name, "ceil") != 0) {
    return false;
  }
  *result = unknown;
  if (n == 1 && (a->type == DAE_EVAL_ENUMERATION || a->type == DAE_EVAL_BOOLEAN) &&
      a->n_dims == 0) {
    *result = dae_eval_integer(a->integer);
  } else if (n == 1 && dae_eval_number(a, &x) && fabs(x) < 9e15) {
    double y = is_integer || is_floor ? floor(x) : ceil(x);
    *result = is_integer ? dae_eval_integer((int64_t)y) : dae_eval_real(y);
  }
  return true;
}

static bool
divide_like(const char *name, const DaeEval *a, uint32_t n, DaeEval *result)
{
  static const char *const names[] = {"div", "mod", "rem"};
  int which = -1;
  for (int i = 0; i < 3; i++) {
    which = strcmp(name, names[i]) == 0 ? i : which;
  }
  if (which < 0) {
    return false;
  }
  double x = 0;
  double y = 0;
  *result = unknown;
  if (n != 2 || !dae_eval_number(&a[0], &x) || !dae_eval_number(&a[1], &y) || y == 0) {
    return true;
  }
  double quotient = which == 1 ? floor(x / y) : trunc(x / y);
  double value = which == 0 ? quotient : x - quotient * y;
  bool integers = a[0].type == DAE_EVAL_INTEGER && a[1].type == DAE_EVAL_INTEGER;
  *result = integers ? dae_eval_integer((int64_t)value) : dae_eval_real(value);
  return true;
}

/* min, max, sum, product over the elements of one array, min and max of two scalars. */
static bool
reduce_like(DaeLang *lang, const char *name, const DaeEval *a, uint32_t n, DaeEval *result)
{
  bool is_min = strcmp(name, "min") == 0;
  bool is_max = strcmp(name, "max") == 0;
  bool is_sum = strcmp(name, "sum") == 0;
  if (!is_min && !is_max && !is_sum && strcmp(name, "product") != 0) {
    return false;
  }
  const DaeEval *values = n == 1 && a->n_dims > 0 ? a->data : a;
  uint32_t count = n == 1 && a->n_dims > 0 ? a->count : n;
  DaeEval total = dae_eval_integer(is_sum ? 0 : 1);
  for (uint32_t i = 0; i < count; i++) {
    if (is_min || is_max) {
      DaeEval less =
          i > 0 ? dae_eval_binary(lang, is_min ? DAE_OP_LT : DAE_OP_GT, &values[i], &total)
                : dae_eval_boolean(true);
      total = less.type == DAE_EVAL_UNKNOWN ? unknown : less.integer != 0 ? values[i] : total;
    } else {
      total = dae_eval_binary(lang, is_sum ? DAE_OP_ADD : DAE_OP_MUL, &total, &values[i]);
    }
  }
  *result = count == 0 && (is_min || is_max) ? unknown : total;
  return true;
}

DaeEval
dae_eval_sum_arrays(DaeLang *lang, const DaeEval *array, uint32_t outer)
{
  DaeEval *data = NULL;
  DaeEval sum = dae_eval_new_array(lang, array->n_dims - outer, array->dims + outer, &data);
  for (uint32_t i = 0; data != NULL && i < array->count; i++) {
    uint32_t k = i % sum.count;
    data[k] = i < sum.count ? array->data[i]
                            : dae_eval_binary(lang, DAE_OP_ADD, &data[k], &array->data[i]);
  }
  sum.type = data != NULL ? array->type : DAE_EVAL_UNKNOWN;
  return sum;
}

static bool
all_sizes(const DaeEval *a, uint32_t n, uint32_t *dims)
{
  if (n > 8) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (a[i].type != DAE_EVAL_INTEGER || a[i].n_dims > 0 || a[i].integer < 0 ||
        a[i].integer > (int64_t)DAE_MAX_ARRAY) {
      return false;
    }
    dims[i] = (uint32_t)a[i].integer;
  }
  return true;
}

static DaeEval
filled(DaeLang *lang, const DaeEval *value, const uint32_t *dims, uint32_t n)
{
  uint32_t all[8];
  DaeEval *data = NULL;
  uint32_t inner = value->n_dims;
  if (n + inner > 8 || !dae_eval_has_size(value)) {
    return unknown;
  }
  memcpy(all, dims, n * sizeof(uint32_t));
  memcpy(all + n, value->dims, inner * sizeof(uint32_t));
  DaeEval result = dae_eval_new_array(lang, n + inner, all, &data);
  for (uint32_t i = 0; data != NULL && i < result.count; i++) {
    data[i] = inner > 0 ? value->data[i % value->count] : *value;
  }
  result.type = data != NULL ? value->type : DAE_EVAL_UNKNOWN;
  result.node = value->node;
  return result;
}

static bool
fill_like(DaeLang *lang, const char *name, const DaeEval *a, uint32_t n, DaeEval *result)
{
  uint32_t dims[8];
  DaeEval *data = NULL;
  *result = unknown;
  if (strcmp(name, "zeros") == 0 || strcmp(name, "ones") == 0) {
    DaeEval value = dae_eval_integer(name[0] == 'o');
    if (all_sizes(a, n, dims)) {
      *result = filled(lang, &value, dims, n);
    }
    return true;
  }
  if (strcmp(name, "fill") == 0) {
    if (n > 0 && all_sizes(a + 1, n - 1, dims)) {
      *result = filled(lang, &a[0], dims, n - 1);
    }
    return true;
  }
  if (strcmp(name, "identity") == 0) {
    if (n != 1 || !all_sizes(a, 1, dims)) {
      return true;
    }
    dims[1] = dims[0];
    *result = dae_eval_new_array(lang, 2, dims, &data);
    for (uint32_t i = 0; data != NULL && i < result->count; i++) {
      data[i] = dae_eval_integer(i / dims[1] == i % dims[1]);
    }
    return true;
  }
  return false;
}

static bool
shape_like(DaeLang *lang, const char *name, const DaeEval *a, uint32_t n, DaeEval *result)
{
  *result = unknown;
  if (strcmp(name, "size") == 0) {
    bool has_sizes = n > 0 && dae_eval_has_size(&a[0]);
    if (n == 2 && has_sizes && a[1].type == DAE_EVAL_INTEGER && a[1].integer >= 1 &&
        a[1].integer <= a[0].n_dims) {
      *result = dae_eval_integer(a[0].dims[a[1].integer - 1]);
    } else if (n == 4 && has_sizes) { /* `end`, see measure_end of the reader */
      bool is_known = a[2].integer + a[3].integer == a[0].n_dims;
      *result =
          is_known ? dae_eval_integer(a[0].dims[a[2].integer + a[1].integer - 1]) : unknown;
    } else if (n == 1 && has_sizes) {
      DaeEval sizes[8];
      for (uint32_t d = 0; d < a->n_dims; d++) {
        sizes[d] = dae_eval_integer(a->dims[d]);
      }
      *result = dae_eval_array(lang, sizes, a->n_dims);
    }
    return true;
  }
  if (strcmp(name, "ndims") == 0) {
    *result = n == 1 && dae_eval_has_size(a) ? dae_eval_integer(a->n_dims) : unknown;
    return true;
  }
  if (strcmp(name, "transpose") == 0) {
    DaeEval *data = NULL;
    if (n == 1 && dae_eval_has_size(a) && a->n_dims == 2) {
      uint32_t dims[2] = {a->dims[1], a->dims[0]};
      *result = dae_eval_new_array(lang, 2, dims, &data);
      for (uint32_t i = 0; data != NULL && i < result->count; i++) {
        data[i] = a->data[i % dims[1] * dims[0] + i / dims[1]];
      }
    }
    return true;
  }
  if (strcmp(name, "vector") == 0 || strcmp(name, "scalar") == 0) {
    if (n == 1 && dae_eval_has_size(a) && name[0] == 's') {
      *result = a->n_dims > 0 && a->count == 1 ? a->data[0] : *a;
    } else if (n == 1 && dae_eval_has_size(a)) {
      *result = *a;
      if (a->n_dims == 0) {
        *result = dae_eval_array(lang, a, 1);
      } else {
        result->n_dims = 1;
        result->dims[0] = a->count;
      }
    }
    return true;
  }
  return false;
}

static bool
other(DaeLang *lang, const char *name, const DaeEval *a, uint32_t n, DaeEval *result)
{
  double x = 0;
  double y = 0;
  *result = unknown;
  if (strcmp(name, "cat") == 0) {
    if (n > 1 && a[0].type == DAE_EVAL_INTEGER && a[0].integer >= 1 && a[0].integer <= 8) {
      *result = dae_eval_cat(lang, (uint32_t)a[0].integer, a + 1, n - 1);
    }
  } else if (strcmp(name, "abs") == 0 || strcmp(name, "sign") == 0) {
    bool is_abs = name[0] == 'a';
    if (n == 1 && dae_eval_number(a, &x)) {
      double v = is_abs ? fabs(x) : (x > 0) - (x < 0);
      *result = a->type == DAE_EVAL_INTEGER || !is_abs ? dae_eval_integer((int64_t)v)
                                                       : dae_eval_real(v);
    }
  } else if (strcmp(name, "atan2") == 0) {
    *result = n == 2 && dae_eval_number(&a[0], &x) && dae_eval_number(&a[1], &y)
                  ? dae_eval_real(atan2(x, y))
                  : unknown;
  } else if (strcmp(name, "linspace") == 0) {
    bool has_size = n == 3 && a[2].type == DAE_EVAL_INTEGER && a[2].integer > 1 &&
                    a[2].integer < (int64_t)DAE_MAX_ARRAY;
    bool is_known = n == 3 && dae_eval_number(&a[0], &x) && dae_eval_number(&a[1], &y);
    uint32_t dims[1] = {has_size ? (uint32_t)a[2].integer : 0};
    DaeEval *data = NULL;
    if (has_size && !is_known) {
      *result = dae_eval_unknown_array(lang, 1, dims);
    } else if (has_size) {
      *result = dae_eval_new_array(lang, 1, dims, &data);
      for (uint32_t i = 0; data != NULL && i < dims[0]; i++) {
        data[i] = dae_eval_real(x + (y - x) * i / (dims[0] - 1));
      }
    }
  } else if (strcmp(name, "noEvent") == 0 || strcmp(name, "homotopy") == 0) {
    *result = n > 0 ? a[0] : unknown;
  } else if (strcmp(name, "smooth") == 0) {
    *result = n == 2 ? a[1] : unknown;
  } else if (strcmp(name, "String") == 0 && n != 1) { /* the reader knows widths and formats */
    *result = unknown;
  } else if (strcmp(name, "String") == 0) {
    if (a[0].n_dims == 0 && a[0].type == DAE_EVAL_STRING) {
      *result = a[0];
    } else if (a[0].n_dims == 0 && a[0].type == DAE_EVAL_INTEGER) {
      *result = dae_eval_string(dae_name_format(lang, "%" G_GINT64_FORMAT, a[0].integer));
    } else if (a[0].n_dims == 0 && a[0].type == DAE_EVAL_BOOLEAN) {
      *result = dae_eval_string(dae_name_intern(lang, a[0].integer != 0 ? "true" : "false"));
    } else if (dae_eval_number(&a[0], &x)) {
      char text[G_ASCII_DTOSTR_BUF_SIZE];
      *result =
          dae_eval_string(dae_name_intern(lang, g_ascii_formatd(text, sizeof text, "%.6g", x)));
    }
  } else {
    return false;
  }
  return true;
}

/* Operators of variables: their value has the shape of the first operand. */
static bool
keeps_shape(const char *name)
{
  static const char *const names[] = {"pre",  "edge",     "change", "der",
                                      "hold", "previous", "delay",  "noClock"};
  for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
    if (strcmp(name, names[i]) == 0) {
      return true;
    }
  }
  return false;
}

/* A value that is not known has the shape of the operands where a function works by elements, and
 * none where it is one number of them all. */
static void
take_shape(DaeLang *lang, const char *name, const DaeEval *a, uint32_t n, DaeEval *result)
{
  DaeFunction function;
  bool is_one = strcmp(name, "sum") == 0 || strcmp(name, "product") == 0 ||
                (n == 1 && (strcmp(name, "min") == 0 || strcmp(name, "max") == 0));
  bool is_by_elements =
      real_function(name) != NULL || dae_function_find(name, strlen(name), &function);
  if (n > 0 && keeps_shape(name)) {
    is_by_elements = true;
    n = 1;
  }
  const DaeEval *shape = NULL;
  for (uint32_t i = 0; i < n; i++) {
    is_by_elements = is_by_elements && dae_eval_has_size(&a[i]);
    shape = shape == NULL || a[i].n_dims > shape->n_dims ? &a[i] : shape;
  }
  if (is_one) {
    *result = dae_eval_unknown_array(lang, 0, NULL);
  } else if (is_by_elements && shape != NULL) {
    *result = dae_eval_unknown_array(lang, shape->n_dims, shape->dims);
  }
}

static bool
builtin_value(DaeLang *lang, const char *name, const DaeEval *arguments, uint32_t n,
              DaeEval *result)
{
  double (*function)(const double *x) = n == 1 ? real_function(name) : NULL;
  if (function != NULL) {
    *result = apply_real(lang, function, &arguments[0]);
    return true;
  }
  return round_like(name, arguments, n, result) || divide_like(name, arguments, n, result) ||
         reduce_like(lang, name, arguments, n, result) ||
         fill_like(lang, name, arguments, n, result) ||
         shape_like(lang, name, arguments, n, result) ||
         dae_eval_matrix(lang, name, arguments, n, result) ||
         other(lang, name, arguments, n, result);
}

bool
dae_eval_builtin(DaeLang *lang, const char *name, const DaeEval *arguments, uint32_t n,
                 DaeEval *result)
{
  if (!builtin_value(lang, name, arguments, n, result)) {
    if (!keeps_shape(name)) {
      return false;
    }
    *result = unknown;
  }
  if (!dae_eval_has_size(result)) {
    take_shape(lang, name, arguments, n, result);
  }
  return true;
}
