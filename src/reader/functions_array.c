/* Functions that make and measure arrays. */
#include "reader/calls.h"

#include <string.h>

DaeValue
dae_array_call_fail(const DaeArrayCall *call, const char *what)
{
  dae_source_error(call->reader->source, call->pos, "'%s' %s", call->name, what);
  return dae_value_poison();
}

static DaeTerm
integer(const DaeArrayCall *call, int64_t value)
{
  return dae_term_int(call->reader->terms, value);
}

/* ---- sizes ------------------------------------------------------------------------------- */

/* `end` behind subscripts that vary: the number of the dimension, the dimensions that those leave,
 * and the number of subscripts of the last part. Where that part has more dimensions, or something
 * before it has no subscripts, it is not told which dimensions of the whole are its own. */
static DaeValue
measure_end(const DaeArrayCall *call)
{
  int64_t number[3] = {0};
  for (uint32_t i = 0; i < 3; i++) {
    if (!dae_reader_integer(call->reader, &call->arguments[i + 1], 0, call->pos, &number[i])) {
      return dae_value_poison();
    }
  }
  const DaeValue *value = call->arguments;
  if (value->n_dims != number[1] + number[2]) {
    dae_source_unsupported(call->reader->source, call->pos,
                           "'end' behind arrays or vectors of subscripts like these");
    return dae_value_poison();
  }
  return dae_value_scalar(DAE_VALUE_INTEGER,
                          integer(call, value->dims[number[1] + number[0] - 1]));
}

static DaeValue
measure(const DaeArrayCall *call)
{
  const DaeValue *value = call->arguments;
  if (call->n == 4 && value->type != DAE_VALUE_POISON) {
    return measure_end(call);
  }
  if (call->n < 1 || call->n > 2 || value->type == DAE_VALUE_POISON) {
    return call->n >= 1 && value->type == DAE_VALUE_POISON
               ? dae_value_poison()
               : dae_array_call_fail(call, "takes an array and a dimension");
  }
  if (strcmp(call->name, "ndims") == 0) {
    return call->n == 1 ? dae_value_scalar(DAE_VALUE_INTEGER, integer(call, value->n_dims))
                        : dae_array_call_fail(call, "takes one array");
  }
  if (call->n == 1) {
    uint32_t n = value->n_dims;
    DaeTerm *data = dae_value_new_data(call->reader, n);
    for (uint32_t i = 0; i < n; i++) {
      data[i] = integer(call, value->dims[i]);
    }
    return dae_value_array(call->reader, DAE_VALUE_INTEGER, 1, &n, data, n);
  }
  int64_t k = 0;
  if (!dae_reader_integer(call->reader, &call->arguments[1], 0, call->pos, &k)) {
    return dae_value_poison();
  }
  if (k < 1 || k > value->n_dims) {
    return dae_array_call_fail(call, "asks for a dimension that is not there");
  }
  return dae_value_scalar(DAE_VALUE_INTEGER, integer(call, value->dims[k - 1]));
}

/* Arguments first... as sizes of a new array. */
static bool
read_sizes(const DaeArrayCall *call, uint32_t first, uint32_t *dims, uint32_t *count)
{
  if (call->n - first > DAE_MAX_DIMENSIONS) {
    dae_array_call_fail(call, "has too many dimensions");
    return false;
  }
  for (uint32_t i = first; i < call->n; i++) {
    int64_t k = 0;
    if (call->arguments[i].n_dims > 0 ||
        !dae_reader_integer(call->reader, &call->arguments[i], 0, call->pos, &k)) {
      return false;
    }
    if (k < 0 || k > (int64_t)DAE_MAX_ELEMENTS) {
      dae_array_call_fail(call, "gets a size that is negative or too large");
      return false;
    }
    dims[i - first] = (uint32_t)k;
  }
  if (!dae_dimensions_count(call->n - first, dims, count)) {
    dae_array_call_fail(call, "makes too many elements");
    return false;
  }
  return true;
}

static DaeValue
make_filled(const DaeArrayCall *call, DaeValueType type, DaeTerm term, uint32_t first)
{
  uint32_t dims[DAE_MAX_DIMENSIONS];
  uint32_t count = 0;
  if (call->n == first) {
    return dae_array_call_fail(call, "needs a size");
  }
  if (!read_sizes(call, first, dims, &count)) {
    return dae_value_poison();
  }
  DaeTerm *data = dae_value_new_data(call->reader, count);
  for (uint32_t i = 0; i < count; i++) {
    data[i] = term;
  }
  return dae_value_array(call->reader, type, call->n - first, dims, data, count);
}

/* fill(a, n): n times the array or record a. */
static DaeValue
fill_with(const DaeArrayCall *call)
{
  const DaeValue *one = &call->arguments[0];
  uint32_t width = one->count * dae_value_width(one);
  uint32_t dims[2 * DAE_MAX_DIMENSIONS];
  uint32_t n = call->n - 1;
  uint32_t count = 0;
  if (n > DAE_MAX_DIMENSIONS || !read_sizes(call, 1, dims, &count)) {
    return dae_value_poison();
  }
  for (uint32_t d = 0; d < one->n_dims; d++) {
    dims[n + d] = one->dims[d];
  }
  n += one->n_dims;
  uint32_t total = 0;
  if (n > DAE_MAX_DIMENSIONS || !dae_dimensions_count(n, dims, &total)) {
    return dae_array_call_fail(call, "makes too many elements");
  }
  size_t scalars = (size_t)count * width;
  DaeTerm *data = dae_value_new_data(call->reader, MAX((uint32_t)scalars, 1u));
  for (size_t k = 0; k < scalars; k++) {
    data[k] = one->data[k % width];
  }
  return dae_value_like(call->reader, one, n, dims, data, total);
}

static DaeValue
fill(const DaeArrayCall *call)
{
  if (strcmp(call->name, "zeros") == 0 || strcmp(call->name, "ones") == 0) {
    return make_filled(call, DAE_VALUE_INTEGER, integer(call, call->name[0] == 'o'), 0);
  }
  if (call->n < 2) {
    return dae_array_call_fail(call, "takes a value and sizes");
  }
  if (call->arguments[0].type == DAE_VALUE_RECORD || call->arguments[0].n_dims > 0) {
    return fill_with(call);
  }
  DaeValue filled = make_filled(call, call->arguments[0].type, call->arguments[0].term, 1);
  filled.enumeration = call->arguments[0].enumeration;
  return filled;
}

/* ---- matrices ---------------------------------------------------------------------------- */

static DaeValue
make_diagonal(const DaeArrayCall *call)
{
  bool identity = strcmp(call->name, "identity") == 0;
  uint32_t dims[2] = {0, 0};
  uint32_t count = 0;
  if (call->n != 1 ||
      (identity ? call->arguments[0].n_dims != 0 : call->arguments[0].n_dims != 1)) {
    return dae_array_call_fail(call, identity ? "takes a size" : "takes a vector");
  }
  if (identity) {
    if (!read_sizes(call, 0, dims, &count)) {
      return dae_value_poison();
    }
  } else {
    dims[0] = call->arguments[0].count;
  }
  dims[1] = dims[0];
  if (!dae_dimensions_count(2, dims, &count)) {
    return dae_array_call_fail(call, "makes too many elements");
  }
  DaeTerm *data = dae_value_new_data(call->reader, count);
  for (uint32_t i = 0; i < count; i++) {
    data[i] = integer(call, 0);
    if (i % (dims[0] + 1) == 0) {
      data[i] = identity ? integer(call, 1) : call->arguments[0].data[i / (dims[0] + 1)];
    }
  }
  DaeValueType type = identity ? DAE_VALUE_INTEGER : call->arguments[0].type;
  return dae_value_array(call->reader, type, 2, dims, data, count);
}

/* transpose(A) exchanges the first two dimensions, symmetric(A) mirrors the upper triangle
 * [MLS, section 10.3.6]; a block is what these two subscripts choose: the dimensions behind
 * them, the members of a record. */
static DaeValue
rearrange(const DaeArrayCall *call)
{
  const DaeValue *value = call->arguments;
  bool symmetric = strcmp(call->name, "symmetric") == 0;
  if (call->n != 1 || (symmetric ? value->n_dims != 2 || value->dims[0] != value->dims[1]
                                 : value->n_dims < 2)) {
    return dae_array_call_fail(call, symmetric ? "takes a square matrix" : "takes a matrix");
  }
  uint32_t dims[DAE_MAX_DIMENSIONS] = {value->dims[1], value->dims[0]};
  uint32_t block = dae_value_width(value);
  for (uint32_t d = 2; d < value->n_dims; d++) {
    dims[d] = value->dims[d];
    block *= value->dims[d];
  }
  DaeTerm *data = dae_value_new_data(call->reader, value->count * dae_value_width(value));
  for (uint32_t i = 0; i < dims[0]; i++) {
    for (uint32_t j = 0; j < dims[1]; j++) {
      uint32_t from = symmetric && i <= j ? i * dims[1] + j : j * dims[0] + i;
      for (uint32_t k = 0; k < block; k++) {
        data[(i * dims[1] + j) * block + k] = value->data[from * block + k];
      }
    }
  }
  return dae_value_like(call->reader, value, value->n_dims, dims, data, value->count);
}

static DaeTerm
product_difference(const DaeArrayCall *call, const DaeTerm *a, const DaeTerm *b, int i, int j)
{
  DaeTerms *terms = call->reader->terms;
  return dae_term_sub(terms, dae_term_mul(terms, a[i], b[j]), dae_term_mul(terms, a[j], b[i]));
}

static DaeValue
make_cross(const DaeArrayCall *call)
{
  static const uint32_t three = 3;
  const DaeValue *a = call->arguments;
  if (call->n != 2 || a[0].n_dims != 1 || a[1].n_dims != 1 || a[0].count != 3 ||
      a[1].count != 3 || !dae_value_is_numeric(&a[0]) || !dae_value_is_numeric(&a[1])) {
    return dae_array_call_fail(call, "takes two vectors of three numbers");
  }
  DaeTerm *data = dae_value_new_data(call->reader, 3);
  data[0] = product_difference(call, a[0].data, a[1].data, 1, 2);
  data[1] = product_difference(call, a[0].data, a[1].data, 2, 0);
  data[2] = product_difference(call, a[0].data, a[1].data, 0, 1);
  return dae_value_array(call->reader, DAE_VALUE_REAL, 1, &three, data, 3);
}

static DaeValue
make_skew(const DaeArrayCall *call)
{
  static const uint32_t dims[2] = {3, 3};
  const DaeValue *a = call->arguments;
  DaeTerms *terms = call->reader->terms;
  if (call->n != 1 || a->n_dims != 1 || a->count != 3 || !dae_value_is_numeric(a)) {
    return dae_array_call_fail(call, "takes a vector of three numbers");
  }
  DaeTerm zero = integer(call, 0);
  DaeTerm *data = dae_value_new_data(call->reader, 9);
  const DaeTerm rows[9] = {zero,
                           dae_term_neg(terms, a->data[2]),
                           a->data[1],
                           a->data[2],
                           zero,
                           dae_term_neg(terms, a->data[0]),
                           dae_term_neg(terms, a->data[1]),
                           a->data[0],
                           zero};
  memcpy(data, rows, sizeof rows);
  return dae_value_array(call->reader, DAE_VALUE_REAL, 2, dims, data, 9);
}

static DaeValue
make_outer_product(const DaeArrayCall *call)
{
  const DaeValue *a = call->arguments;
  if (call->n != 2 || a[0].n_dims != 1 || a[1].n_dims != 1 || !dae_value_is_numeric(&a[0]) ||
      !dae_value_is_numeric(&a[1])) {
    return dae_array_call_fail(call, "takes two vectors");
  }
  uint32_t dims[2] = {a[0].count, a[1].count};
  uint32_t count = 0;
  if (!dae_dimensions_count(2, dims, &count)) {
    return dae_array_call_fail(call, "makes too many elements");
  }
  DaeTerm *data = dae_value_new_data(call->reader, count);
  for (uint32_t i = 0; i < count; i++) {
    data[i] = dae_term_mul(call->reader->terms, a[0].data[i / dims[1]], a[1].data[i % dims[1]]);
  }
  return dae_value_array(call->reader, DAE_VALUE_REAL, 2, dims, data, count);
}

static DaeValue
make_linspace(const DaeArrayCall *call)
{
  DaeTerms *terms = call->reader->terms;
  const DaeValue *a = call->arguments;
  int64_t n = 0;
  if (call->n != 3 || a[0].n_dims > 0 || a[1].n_dims > 0 || !dae_value_is_numeric(&a[0]) ||
      !dae_value_is_numeric(&a[1])) {
    return dae_array_call_fail(call, "takes two numbers and a count");
  }
  if (!dae_reader_integer(call->reader, &a[2], 0, call->pos, &n)) {
    return dae_value_poison();
  }
  if (n < 2 || n > (int64_t)DAE_MAX_ELEMENTS) {
    return dae_array_call_fail(call, "takes a count from 2 up");
  }
  uint32_t count = (uint32_t)n;
  DaeTerm *data = dae_value_new_data(call->reader, count);
  for (uint32_t i = 0; i < count; i++) {
    DaeTerm part = dae_term_ratio(terms, i, n - 1);
    data[i] = dae_term_add(
        terms, a[0].term, dae_term_mul(terms, dae_term_sub(terms, a[1].term, a[0].term), part));
  }
  return dae_value_array(call->reader, DAE_VALUE_REAL, 1, &count, data, count);
}

/* ---- shapes ------------------------------------------------------------------------------ */

static DaeValue
concatenate(const DaeArrayCall *call)
{
  int64_t k = 0;
  if (call->n < 2) {
    return dae_array_call_fail(call, "takes a dimension and arrays");
  }
  if (!dae_reader_integer(call->reader, &call->arguments[0], 0, call->pos, &k)) {
    return dae_value_poison();
  }
  if (k < 1 || k > (int64_t)call->arguments[1].n_dims) {
    return dae_array_call_fail(call, "joins along a dimension that is not there");
  }
  return dae_array_cat(call->reader, (uint32_t)k, call->arguments + 1, call->n - 1, call->pos);
}

/* The element itself, of a record all its members. */
static DaeValue
make_scalar(const DaeArrayCall *call, const DaeTerm *data)
{
  const DaeValue *value = call->arguments;
  if (value->count != 1) {
    return dae_array_call_fail(call, "takes an array of one element");
  }
  return dae_value_like(call->reader, value, 0, NULL, data, 1);
}

static DaeValue
make_vector(const DaeArrayCall *call, const DaeTerm *data)
{
  const DaeValue *value = call->arguments;
  uint32_t large = 0;
  for (uint32_t i = 0; i < value->n_dims; i++) {
    large += value->dims[i] > 1;
  }
  return large <= 1 ? dae_value_like(call->reader, value, 1, &value->count, data, value->count)
                    : dae_array_call_fail(call, "takes an array with one long dimension");
}

/* [MLS, section 10.3.2] */
static DaeValue
make_matrix(const DaeArrayCall *call, const DaeTerm *data)
{
  const DaeValue *value = call->arguments;
  uint32_t dims[2] = {value->n_dims > 0 ? value->dims[0] : 1,
                      value->n_dims > 1 ? value->dims[1] : 1};
  bool is_flat = value->count == dims[0] * dims[1];
  for (uint32_t i = 2; i < value->n_dims; i++) {
    is_flat = is_flat && value->dims[i] == 1;
  }
  return is_flat ? dae_value_like(call->reader, value, 2, dims, data, value->count)
                 : dae_array_call_fail(
                       call, "takes an array whose dimensions after the second have size 1");
}

static DaeValue
reshape(const DaeArrayCall *call)
{
  const DaeValue *value = call->arguments;
  if (call->n != 1) {
    return dae_array_call_fail(call, "takes one array");
  }
  const DaeTerm *data = value->data;
  if (value->n_dims == 0 && value->type != DAE_VALUE_RECORD) {
    DaeTerm *one = dae_value_new_data(call->reader, 1);
    one[0] = value->term;
    data = one;
  }
  return call->name[0] == 's'   ? make_scalar(call, data)
         : call->name[0] == 'v' ? make_vector(call, data)
                                : make_matrix(call, data);
}

static DaeValue
make_array(const DaeArrayCall *call)
{
  return dae_array_construct(call->reader, call->arguments, call->n, call->pos);
}

/* Integer(e) of an enumeration; realParameterEqual(a, b). */
static DaeValue
convert(const DaeArrayCall *call)
{
  const DaeValue *value = call->arguments;
  if (call->n != 1 || value->n_dims > 0 ||
      (value->type != DAE_VALUE_ENUMERATION && value->type != DAE_VALUE_INTEGER)) {
    return dae_array_call_fail(call, "takes a value of an enumeration");
  }
  return dae_value_scalar(DAE_VALUE_INTEGER, value->term);
}

static DaeValue
reduce(const DaeArrayCall *call)
{
  return dae_function_reduce(call->reader, call->name, call->arguments, call->n, call->pos);
}

typedef struct {
  const char *name;
  DaeValue (*apply)(const DaeArrayCall *call);
} ArrayFunction;

static const ArrayFunction functions[] = {
    {"Integer", convert},
    {"array", make_array},
    {"cat", concatenate},
    {"cross", make_cross},
    {"diagonal", make_diagonal},
    {"fill", fill},
    {"identity", make_diagonal},
    {"linspace", make_linspace},
    {"matrix", reshape},
    {"ndims", measure},
    {"ones", fill},
    {"outerProduct", make_outer_product},
    {"product", reduce},
    {"scalar", reshape},
    {"size", measure},
    {"skew", make_skew},
    {"sum", reduce},
    {"symmetric", rearrange},
    {"transpose", rearrange},
    {"vector", reshape},
    {"zeros", fill},
};

/* Records, functions and the like are arguments of a few of them only. */
static bool
takes_arguments(const DaeArrayCall *call)
{
  static const char *const any[] = {"array",  "cat",  "fill", "matrix",    "ndims",
                                    "scalar", "size", "sum",  "transpose", "vector"};
  for (uint32_t i = 0; i < call->n; i++) {
    bool good = call->arguments[i].type < DAE_VALUE_RECORD;
    for (size_t k = 0; k < G_N_ELEMENTS(any) && call->arguments[i].type == DAE_VALUE_RECORD;
         k++) {
      good = good || strcmp(call->name, any[k]) == 0;
    }
    if (!good) {
      dae_array_call_fail(call, "does not take this argument");
      return false;
    }
  }
  return true;
}

DaeValue
dae_function_array(DaeReader *reader, const char *name, const DaeValue *arguments, uint32_t n,
                   uint32_t pos, bool *found)
{
  DaeArrayCall call = {reader, name, arguments, n, pos};
  *found = true;
  if (n == 1 && (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)) {
    return dae_function_reduce(reader, name, arguments, n, pos);
  }
  size_t low = 0;
  size_t high = G_N_ELEMENTS(functions);
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strcmp(name, functions[middle].name);
    if (order == 0) {
      return takes_arguments(&call) ? functions[middle].apply(&call) : dae_value_poison();
    }
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  *found = false;
  return dae_value_poison();
}
