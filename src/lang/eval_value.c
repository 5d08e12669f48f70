/* Values of the interpreter: arithmetic, arrays, subscripts. What has no value is
 * UNKNOWN; nothing is reported here. */
#include <math.h>
#include <string.h>

#include "lang/instance.h"

static const DaeEval unknown = {.type = DAE_EVAL_UNKNOWN};
static const DaeEval unknown_scalar = {.type = DAE_EVAL_UNKNOWN, .count = 1};

bool
dae_eval_has_size(const DaeEval *value)
{
  return value->type != DAE_EVAL_UNKNOWN || value->n_dims > 0 || value->count == 1;
}

DaeEval
dae_eval_unknown_array(DaeLang *lang, uint32_t n_dims, const uint32_t *dims)
{
  DaeEval *data = NULL;
  if (n_dims == 0) {
    return unknown_scalar;
  }
  DaeEval value = dae_eval_new_array(lang, n_dims, dims, &data);
  for (uint32_t i = 0; data != NULL && i < value.count; i++) {
    data[i] = unknown_scalar;
  }
  value.type = DAE_EVAL_UNKNOWN;
  return value;
}

/* A record keeps its members. */
static DaeEval
shape_of(DaeLang *lang, const DaeEval *value, uint32_t depth)
{
  if (!dae_eval_has_size(value) || depth > DAE_MAX_NESTING) {
    return unknown;
  }
  if (value->type != DAE_EVAL_RECORD || value->n_dims > 0) {
    return dae_eval_unknown_array(lang, value->n_dims, value->dims);
  }
  DaeEval shape = *value;
  DaeEval *members = dae_arena_alloc(lang->arena, (value->count + 1) * sizeof(DaeEval));
  for (uint32_t i = 0; i < value->count; i++) {
    members[i] = shape_of(lang, &value->data[i], depth + 1);
  }
  shape.data = members;
  return shape;
}

DaeEval
dae_eval_shape(DaeLang *lang, const DaeEval *value)
{
  return shape_of(lang, value, 0);
}

DaeEval
dae_eval_real(double real)
{
  return isfinite(real) ? (DaeEval){.type = DAE_EVAL_REAL, .count = 1, .real = real} : unknown;
}

DaeEval
dae_eval_integer(int64_t integer)
{
  return (DaeEval){.type = DAE_EVAL_INTEGER, .count = 1, .integer = integer};
}

DaeEval
dae_eval_boolean(bool boolean)
{
  return (DaeEval){.type = DAE_EVAL_BOOLEAN, .count = 1, .integer = boolean};
}

DaeEval
dae_eval_string(uint32_t name)
{
  return (DaeEval){.type = DAE_EVAL_STRING, .count = 1, .string = name};
}

const DaeEval *
dae_eval_element(const DaeEval *value, uint32_t i)
{
  return value->n_dims > 0 ? &value->data[i] : value;
}

bool
dae_eval_number(const DaeEval *value, double *number)
{
  if (value->n_dims > 0 || (value->type != DAE_EVAL_REAL && value->type != DAE_EVAL_INTEGER)) {
    return false;
  }
  *number = value->type == DAE_EVAL_REAL ? value->real : (double)value->integer;
  return true;
}

DaeEval
dae_eval_new_array(DaeLang *lang, uint32_t n_dims, const uint32_t *dims, DaeEval **elements)
{
  DaeEval value = {.type = DAE_EVAL_REAL, .n_dims = (uint8_t)n_dims};
  uint64_t count = 1;
  *elements = NULL;
  if (n_dims > G_N_ELEMENTS(value.dims)) {
    return unknown;
  }
  for (uint32_t d = 0; d < n_dims; d++) {
    value.dims[d] = dims[d];
    count *= dims[d];
    if (count > DAE_MAX_ARRAY) {
      return unknown;
    }
  }
  value.count = (uint32_t)count;
  *elements = dae_arena_alloc0(lang->arena, (count > 0 ? count : 1) * sizeof(DaeEval));
  value.data = *elements;
  return value;
}

/* The type of the whole is that of its elements; Integer among Reals is Real. */
static void
set_type(DaeEval *value)
{
  for (uint32_t i = 0; i < value->count; i++) {
    DaeEvalType type = value->data[i].type;
    if (i == 0 || type == DAE_EVAL_UNKNOWN ||
        (type == DAE_EVAL_REAL && value->type != DAE_EVAL_UNKNOWN)) {
      value->type = type;
      value->node = value->data[i].node;
    }
  }
}

DaeEval
dae_eval_array(DaeLang *lang, const DaeEval *elements, uint32_t n)
{
  DaeEval *data = NULL;
  uint32_t dims[8] = {n};
  uint32_t inner = n > 0 ? elements[0].n_dims : 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_eval_has_size(&elements[i]) || elements[i].n_dims != inner ||
        memcmp(elements[i].dims, elements[0].dims, inner * sizeof(uint32_t)) != 0) {
      return unknown;
    }
  }
  if (inner + 1 > G_N_ELEMENTS(dims)) {
    return unknown;
  }
  if (n > 0) {
    memcpy(dims + 1, elements[0].dims, inner * sizeof(uint32_t));
  }
  DaeEval value = dae_eval_new_array(lang, inner + 1, dims, &data);
  uint32_t at = 0;
  for (uint32_t i = 0; data != NULL && i < n; i++) {
    for (uint32_t k = 0; k < (inner > 0 ? elements[i].count : 1); k++) {
      data[at++] = *dae_eval_element(&elements[i], k);
    }
  }
  if (data != NULL) {
    set_type(&value);
  }
  return value;
}

/* Seen with at least n dimensions: trailing ones of size 1. */
static DaeEval
promote(DaeLang *lang, const DaeEval *value, uint32_t n)
{
  DaeEval result = *value;
  if (value->n_dims >= n || n > G_N_ELEMENTS(value->dims)) {
    return result;
  }
  if (value->n_dims == 0) {
    DaeEval *data = dae_arena_alloc(lang->arena, sizeof *data);
    *data = *value;
    result.data = data;
    result.count = 1;
  }
  for (uint32_t d = value->n_dims; d < n; d++) {
    result.dims[d] = 1;
  }
  result.n_dims = (uint8_t)n;
  return result;
}

DaeEval
dae_eval_cat(DaeLang *lang, uint32_t dimension, const DaeEval *arrays, uint32_t n)
{
  uint32_t n_dims = dimension;
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_eval_has_size(&arrays[i])) {
      return unknown;
    }
    n_dims = MAX(n_dims, arrays[i].n_dims);
  }
  if (n == 0 || dimension == 0 || n_dims > 8) {
    return unknown;
  }
  g_autofree DaeEval *parts = g_new(DaeEval, n);
  uint32_t dims[8] = {0};
  uint32_t along = 0;
  for (uint32_t i = 0; i < n; i++) {
    parts[i] = promote(lang, &arrays[i], n_dims);
    along += parts[i].dims[dimension - 1];
    for (uint32_t d = 0; d < n_dims; d++) {
      if (d != dimension - 1 && i > 0 && parts[i].dims[d] != dims[d]) {
        return unknown;
      }
      dims[d] = parts[i].dims[d];
    }
  }
  dims[dimension - 1] = along;
  DaeEval *data = NULL;
  DaeEval value = dae_eval_new_array(lang, n_dims, dims, &data);
  uint32_t inner = 1;
  for (uint32_t d = dimension; d < n_dims; d++) {
    inner *= dims[d];
  }
  uint32_t at = 0;
  while (data != NULL && at < value.count) { /* block by block of the outer dimensions */
    uint32_t block = inner * along > 0 ? at / (inner * along) : 0;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t length = parts[i].dims[dimension - 1] * inner;
      for (uint32_t k = 0; k < length; k++) {
        data[at++] = parts[i].data[block * length + k];
      }
    }
  }
  if (data != NULL) {
    set_type(&value);
  }
  return value;
}

/* Positions that a subscript chooses; false: out of range or not known. */
static bool
choose(const DaeEval *subscript, uint32_t size, GArray *positions, bool *keeps)
{
  *keeps = subscript->type == DAE_EVAL_COLON || subscript->n_dims == 1;
  uint32_t n = subscript->type == DAE_EVAL_COLON ? size
               : subscript->n_dims > 0           ? subscript->count
                                                 : 1;
  if (subscript->n_dims > 1) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    const DaeEval *entry = dae_eval_element(subscript, i);
    int64_t at = subscript->type == DAE_EVAL_COLON ? (int64_t)i + 1 : entry->integer;
    if (entry->type == DAE_EVAL_BOOLEAN) {
      at++;
    }
    if ((subscript->type != DAE_EVAL_COLON && entry->type != DAE_EVAL_INTEGER &&
         entry->type != DAE_EVAL_ENUMERATION && entry->type != DAE_EVAL_BOOLEAN) ||
        at < 1 || at > (int64_t)size) {
      return false;
    }
    uint32_t position = (uint32_t)at - 1;
    g_array_append_val(positions, position);
  }
  return true;
}

DaeEval
dae_eval_subscript(DaeLang *lang, const DaeEval *array, const DaeEval *subscripts, uint32_t n)
{
  if (n == 0) {
    return *array;
  }
  if (n > array->n_dims || array->data == NULL) {
    return unknown;
  }
  uint32_t dims[8];
  uint32_t sizes[8];
  uint32_t n_dims = 0;
  GArray *positions[8] = {NULL};
  static const DaeEval colon = {.type = DAE_EVAL_COLON};
  bool good = true;
  for (uint32_t d = 0; d < array->n_dims; d++) {
    bool keeps = false;
    positions[d] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    good =
        good && choose(d < n ? &subscripts[d] : &colon, array->dims[d], positions[d], &keeps);
    sizes[d] = positions[d]->len;
    if (keeps) {
      dims[n_dims++] = sizes[d];
    }
  }
  DaeEval *data = NULL;
  DaeEval value = good ? dae_eval_new_array(lang, n_dims, dims, &data) : unknown;
  for (uint32_t i = 0; data != NULL && i < value.count; i++) {
    uint32_t rest = i;
    uint32_t at = 0;
    uint32_t stride = 1;
    for (uint32_t d = array->n_dims; d-- > 0;) {
      at += g_array_index(positions[d], uint32_t, rest % sizes[d]) * stride;
      rest /= sizes[d];
      stride *= array->dims[d];
    }
    data[i] = array->data[at];
  }
  for (uint32_t d = 0; d < array->n_dims; d++) {
    g_array_free(positions[d], TRUE);
  }
  if (data == NULL) {
    return unknown;
  }
  if (n_dims == 0) {
    return data[0];
  }
  value.type = array->type;
  value.node = array->node;
  set_type(&value);
  return value;
}

/* ---- operators --------------------------------------------------------------------------- */

static DaeEval
scalar_arithmetic(DaeOp op, const DaeEval *a, const DaeEval *b)
{
  double x = 0;
  double y = 0;
  if (!dae_eval_number(a, &x) || !dae_eval_number(b, &y)) {
    return unknown_scalar;
  }
  bool integers = a->type == DAE_EVAL_INTEGER && b->type == DAE_EVAL_INTEGER;
  int64_t r = 0;
  switch ((int)op) {
  case DAE_OP_ADD:
  case DAE_OP_EADD:
    return integers && !__builtin_add_overflow(a->integer, b->integer, &r)
               ? dae_eval_integer(r)
               : dae_eval_real(x + y);
  case DAE_OP_SUB:
  case DAE_OP_ESUB:
    return integers && !__builtin_sub_overflow(a->integer, b->integer, &r)
               ? dae_eval_integer(r)
               : dae_eval_real(x - y);
  case DAE_OP_MUL:
  case DAE_OP_EMUL:
    return integers && !__builtin_mul_overflow(a->integer, b->integer, &r)
               ? dae_eval_integer(r)
               : dae_eval_real(x * y);
  case DAE_OP_DIV:
  case DAE_OP_EDIV:
    return y == 0 ? unknown : dae_eval_real(x / y);
  default:
    return dae_eval_real(pow(x, y));
  }
}

static int
compare(const DaeLang *lang, const DaeEval *a, const DaeEval *b, bool *good)
{
  double x = 0;
  double y = 0;
  if (a->type == DAE_EVAL_STRING && b->type == DAE_EVAL_STRING) {
    return strcmp(dae_names_text(lang->names, a->string),
                  dae_names_text(lang->names, b->string));
  }
  if (dae_eval_number(a, &x) && dae_eval_number(b, &y)) {
    return (x > y) - (x < y);
  }
  *good = a->type == b->type && a->n_dims == 0 && b->n_dims == 0 &&
          (a->type == DAE_EVAL_BOOLEAN || a->type == DAE_EVAL_ENUMERATION);
  return (a->integer > b->integer) - (a->integer < b->integer);
}

static DaeEval
relation(const DaeLang *lang, DaeOp op, const DaeEval *a, const DaeEval *b)
{
  bool good = true;
  int order = compare(lang, a, b, &good);
  if (!good) {
    return unknown;
  }
  bool results[] = {order<0, order <= 0, order> 0, order >= 0, order == 0, order != 0};
  return dae_eval_boolean(results[op - DAE_OP_LT]);
}

static DaeEval
matrix_product(DaeLang *lang, const DaeEval *a, const DaeEval *b)
{
  uint32_t rows = a->n_dims == 2 ? a->dims[0] : 1;
  uint32_t inner = a->dims[a->n_dims - 1];
  uint32_t columns = b->n_dims == 2 ? b->dims[1] : 1;
  if (a->n_dims > 2 || b->n_dims > 2 || b->dims[0] != inner) {
    return unknown;
  }
  uint32_t dims[2];
  uint32_t n_dims = 0;
  if (a->n_dims == 2) {
    dims[n_dims++] = rows;
  }
  if (b->n_dims == 2) {
    dims[n_dims++] = columns;
  }
  DaeEval *data = NULL;
  DaeEval value = dae_eval_new_array(lang, n_dims, dims, &data);
  for (uint32_t i = 0; data != NULL && i < rows; i++) {
    for (uint32_t j = 0; j < columns; j++) {
      DaeEval sum = dae_eval_integer(0);
      for (uint32_t k = 0; k < inner; k++) {
        DaeEval term =
            scalar_arithmetic(DAE_OP_MUL, &a->data[i * inner + k], &b->data[k * columns + j]);
        sum = scalar_arithmetic(DAE_OP_ADD, &sum, &term);
      }
      data[i * columns + j] = sum;
    }
  }
  if (data == NULL) {
    return unknown;
  }
  if (n_dims == 0) {
    return data[0];
  }
  set_type(&value);
  return value;
}

static DaeEval
by_elements(DaeLang *lang, DaeOp op, const DaeEval *a, const DaeEval *b)
{
  const DaeEval *shape = a->n_dims > 0 ? a : b;
  if (a->n_dims > 0 && b->n_dims > 0 &&
      (a->n_dims != b->n_dims || memcmp(a->dims, b->dims, a->n_dims * sizeof(uint32_t)) != 0)) {
    return unknown;
  }
  DaeEval *data = NULL;
  DaeEval value = dae_eval_new_array(lang, shape->n_dims, shape->dims, &data);
  for (uint32_t i = 0; data != NULL && i < value.count; i++) {
    data[i] = dae_eval_binary(lang, op, dae_eval_element(a, i), dae_eval_element(b, i));
  }
  if (data != NULL) {
    set_type(&value);
  }
  return value;
}

DaeEval
dae_eval_binary(DaeLang *lang, DaeOp op, const DaeEval *a, const DaeEval *b)
{
  if (op == DAE_OP_AND || op == DAE_OP_OR) { /* one side may decide alone */
    bool decides = op == DAE_OP_OR;
    if ((a->type == DAE_EVAL_BOOLEAN && a->n_dims == 0 && (a->integer != 0) == decides) ||
        (b->type == DAE_EVAL_BOOLEAN && b->n_dims == 0 && (b->integer != 0) == decides)) {
      return dae_eval_boolean(decides);
    }
  }
  if (!dae_eval_has_size(a) || !dae_eval_has_size(b)) {
    return unknown;
  }
  if (a->n_dims > 0 || b->n_dims > 0) {
    return op == DAE_OP_MUL && a->n_dims > 0 && b->n_dims > 0 ? matrix_product(lang, a, b)
                                                              : by_elements(lang, op, a, b);
  }
  if (a->type == DAE_EVAL_UNKNOWN || b->type == DAE_EVAL_UNKNOWN) {
    return unknown_scalar;
  }
  if (op >= DAE_OP_LT && op <= DAE_OP_NE) {
    return relation(lang, op, a, b);
  }
  if (op == DAE_OP_AND || op == DAE_OP_OR) {
    bool both = a->type == DAE_EVAL_BOOLEAN && b->type == DAE_EVAL_BOOLEAN;
    return both ? dae_eval_boolean(op == DAE_OP_AND) : unknown;
  }
  if (a->type == DAE_EVAL_STRING && b->type == DAE_EVAL_STRING) {
    return dae_eval_string(dae_name_format(lang, "%s%s", dae_names_text(lang->names, a->string),
                                           dae_names_text(lang->names, b->string)));
  }
  return scalar_arithmetic(op, a, b);
}

DaeEval
dae_eval_unary(DaeLang *lang, DaeOp op, const DaeEval *a)
{
  if (op == DAE_OP_NOT) {
    if (a->type == DAE_EVAL_BOOLEAN && a->n_dims == 0) {
      return dae_eval_boolean(a->integer == 0);
    }
    if (a->n_dims == 0 || !dae_eval_has_size(a)) {
      return dae_eval_has_size(a) ? unknown_scalar : unknown;
    }
    DaeEval *data = NULL;
    DaeEval value = dae_eval_new_array(lang, a->n_dims, a->dims, &data);
    for (uint32_t i = 0; data != NULL && i < value.count; i++) {
      data[i] = dae_eval_unary(lang, op, dae_eval_element(a, i));
    }
    if (data != NULL) {
      set_type(&value);
    }
    return value;
  }
  if (op == DAE_OP_PLUS || !dae_eval_has_size(a)) {
    return *a;
  }
  DaeEval minus = dae_eval_integer(-1);
  return dae_eval_binary(lang, DAE_OP_EMUL, &minus, a);
}

DaeEval
dae_eval_range(DaeLang *lang, const DaeEval *parts, uint32_t n)
{
  double first = 0;
  double step = 1;
  double last = 0;
  bool discrete = parts[0].type == DAE_EVAL_ENUMERATION || parts[0].type == DAE_EVAL_BOOLEAN;
  if (discrete && n == 2 && parts[1].type == parts[0].type) {
    first = (double)parts[0].integer;
    last = (double)parts[1].integer;
  } else if (!dae_eval_number(&parts[0], &first) || !dae_eval_number(&parts[n - 1], &last) ||
             (n == 3 && !dae_eval_number(&parts[1], &step)) || step == 0) {
    return unknown;
  }
  bool integers = true;
  for (uint32_t i = 0; i < n; i++) {
    integers = integers && parts[i].type == DAE_EVAL_INTEGER;
  }
  double count = floor((last - first) / step + 1e-10) + 1;
  count = count < 0 ? 0 : count;
  if (!(count <= (double)DAE_MAX_ARRAY)) {
    return unknown;
  }
  uint32_t dims[1] = {(uint32_t)count};
  DaeEval *data = NULL;
  DaeEval value = dae_eval_new_array(lang, 1, dims, &data);
  value.type = integers ? DAE_EVAL_INTEGER : DAE_EVAL_REAL;
  for (uint32_t i = 0; data != NULL && i < dims[0]; i++) {
    double at = first + (double)i * step;
    data[i] = integers || discrete ? dae_eval_integer((int64_t)at) : dae_eval_real(at);
    if (discrete) {
      data[i].type = parts[0].type;
      data[i].node = parts[0].node;
      value.type = parts[0].type;
    }
  }
  return value;
}
