/* sum, product, min and max: of the elements of an array, and of values that iterators give. */
#include "reader/calls.h"

#include <float.h>
#include <string.h>

/* ---- reductions -------------------------------------------------------------------------- */

/* min and max of many: halves first, so that the depth is the logarithm of the length. */
static DaeTerm
extreme(const DaeArrayCall *call, DaeFunction function, const DaeTerm *data, uint32_t n)
{
  DaeTerm *level = dae_value_new_data(call->reader, n);
  memcpy(level, data, n * sizeof(DaeTerm));
  while (n > 1) {
    uint32_t half = 0;
    for (uint32_t i = 0; i + 1 < n; i += 2) {
      level[half++] = dae_term_call2(call->reader->terms, function, level[i], level[i + 1]);
    }
    if (n % 2 == 1) {
      level[half++] = level[n - 1];
    }
    n = half;
  }
  return level[0];
}

/* false < true: the least of all is true if all are, the greatest if one is [MLS, section
 * 10.3.4]. */
static DaeValue
reduce_booleans(const DaeArrayCall *call)
{
  const DaeValue *value = call->arguments;
  DaeTerms *terms = call->reader->terms;
  bool is_min = strcmp(call->name, "min") == 0;
  DaeTerm result = dae_term_bool(terms, is_min);
  const DaeTerm *data = value->n_dims == 0 ? &value->term : value->data;
  for (uint32_t i = 0; i < value->count; i++) {
    result =
        is_min ? dae_term_and(terms, result, data[i]) : dae_term_or(terms, result, data[i]);
  }
  return dae_value_scalar(DAE_VALUE_BOOLEAN, result);
}

/* min of no elements is the greatest value of the type, max the least [MLS, section 10.3.4.1]. */
static DaeValue
extreme_of_nothing(const DaeArrayCall *call, const DaeValue *value)
{
  if (value->type == DAE_VALUE_ENUMERATION) {
    return dae_array_call_fail(call, "of an empty array");
  }
  double greatest = value->type == DAE_VALUE_INTEGER ? INT32_MAX : DBL_MAX;
  double sign = strcmp(call->name, "min") == 0 ? 1 : -1;
  return dae_value_scalar(value->type,
                          dae_term_from_double(call->reader->terms, sign * greatest));
}

DaeValue
dae_function_reduce(DaeReader *reader, const char *name, const DaeValue *arguments, uint32_t n,
                    uint32_t pos)
{
  const DaeArrayCall of = {reader, name, arguments, n, pos};
  const DaeArrayCall *call = &of;
  const DaeValue *value = call->arguments;
  DaeTerms *terms = call->reader->terms;
  if (call->n == 1 && value->type == DAE_VALUE_RECORD && strcmp(call->name, "sum") == 0) {
    return dae_overload_sum(call->reader, value, call->pos);
  }
  bool is_extreme = strcmp(call->name, "min") == 0 || strcmp(call->name, "max") == 0;
  if (call->n == 1 && value->type == DAE_VALUE_BOOLEAN && is_extreme) {
    return reduce_booleans(call);
  }
  bool is_enumeration = call->n == 1 && value->type == DAE_VALUE_ENUMERATION && is_extreme;
  if (call->n != 1 || (!dae_value_is_numeric(value) && !is_enumeration)) {
    return dae_array_call_fail(call, "takes one array of numbers");
  }
  if (value->n_dims == 0) {
    return dae_array_call_fail(call, "takes an array, this is a scalar");
  }
  const DaeTerm *data = value->data;
  if (strcmp(call->name, "sum") == 0) {
    return dae_value_scalar(value->type, dae_term_sum(terms, data, value->count));
  }
  if (strcmp(call->name, "product") == 0) {
    return dae_value_scalar(value->type, dae_term_product(terms, data, value->count));
  }
  if (value->count == 0) {
    return extreme_of_nothing(call, value);
  }
  DaeFunction function = strcmp(call->name, "min") == 0 ? DAE_FN_MIN : DAE_FN_MAX;
  DaeValue result = dae_value_scalar(value->type, extreme(call, function, data, value->count));
  result.enumeration = value->enumeration;
  return result;
}

/* The vector of the scalars (records) number k of the values. */
static DaeValue
column(DaeReader *reader, const DaeValue *values, uint32_t k, uint32_t n_each)
{
  uint32_t width = dae_value_width(values);
  uint32_t count = values->count / n_each;
  DaeTerm *data = dae_value_new_data(reader, count * width);
  for (uint32_t i = 0; i < count; i++) {
    memcpy(data + (size_t)i * width, values->data + ((size_t)i * n_each + k) * width,
           width * sizeof(DaeTerm));
  }
  return dae_value_like(reader, values, 1, &count, data, count);
}

/* sum(e for i in r) of arrays e is an array; the others are defined for scalars only [MLS, section
 * 10.3.4.1]. */
DaeValue
dae_function_reduce_arrays(DaeReader *reader, const char *name, const DaeValue *values,
                           uint32_t n_iterators, uint32_t pos)
{
  const DaeArrayCall call = {reader, name, values, 1, pos};
  if (strcmp(name, "sum") != 0) {
    return dae_array_call_fail(&call,
                               "of a sequence of arrays is not defined: it takes scalars");
  }
  uint32_t n_dims = values->n_dims - n_iterators;
  uint32_t n_each = 1;
  for (uint32_t d = 0; d < n_dims; d++) {
    n_each *= values->dims[n_iterators + d];
  }
  uint32_t width = dae_value_width(values);
  DaeTerm *data = dae_value_new_data(reader, n_each * width);
  for (uint32_t k = 0; k < n_each; k++) {
    DaeValue each = column(reader, values, k, n_each);
    DaeValue sum = dae_function_reduce(reader, name, &each, 1, pos);
    if (sum.type == DAE_VALUE_POISON) {
      return sum;
    }
    memcpy(data + (size_t)k * width, sum.type == DAE_VALUE_RECORD ? sum.data : &sum.term,
           width * sizeof(DaeTerm));
  }
  return dae_value_like(reader, values, n_dims, values->dims + n_iterators, data, n_each);
}
