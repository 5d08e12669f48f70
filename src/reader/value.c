/* Values on the stack of the interpreter: scalars and arrays of terms. */
#include "reader/reader-priv.h"

DaeValue
dae_value_scalar(DaeValueType type, DaeTerm term)
{
  return (DaeValue){.type = type, .term = term, .count = 1};
}

DaeValue
dae_value_poison(void)
{
  return (DaeValue){.type = DAE_VALUE_POISON, .count = 1};
}

DaeTerm *
dae_value_new_data(DaeReader *reader, uint32_t count)
{
  return dae_arena_alloc(reader->scratch, (size_t)count * sizeof(DaeTerm));
}

DaeValue
dae_value_array(DaeReader *reader, DaeValueType type, uint32_t n_dims, const uint32_t *dims,
                const DaeTerm *data, uint32_t count)
{
  if (n_dims == 0) {
    return dae_value_scalar(type, data[0]);
  }
  DAE_ASSERT(n_dims <= DAE_MAX_DIMENSIONS);
  uint32_t *copy = dae_arena_alloc(reader->scratch, n_dims * sizeof(uint32_t));
  for (uint32_t i = 0; i < n_dims; i++) {
    copy[i] = dims[i];
  }
  return (DaeValue){
      .type = type, .n_dims = (uint8_t)n_dims, .dims = copy, .data = data, .count = count};
}

bool
dae_value_is_numeric(const DaeValue *value)
{
  return value->type == DAE_VALUE_REAL || value->type == DAE_VALUE_INTEGER;
}

bool
dae_value_same_size(const DaeValue *a, const DaeValue *b)
{
  if (a->n_dims != b->n_dims) {
    return false;
  }
  for (uint32_t i = 0; i < a->n_dims; i++) {
    if (a->dims[i] != b->dims[i]) {
      return false;
    }
  }
  return true;
}

char *
dae_value_size_text(const DaeValue *value)
{
  if (value->n_dims == 0) {
    return g_strdup("scalar");
  }
  GString *text = g_string_new(NULL);
  for (uint32_t i = 0; i < value->n_dims; i++) {
    g_string_append_printf(text, "%c%u", i == 0 ? '[' : ',', value->dims[i]);
  }
  g_string_append_c(text, ']');
  return g_string_free(text, FALSE);
}

const char *
dae_value_type_text(const DaeValue *value)
{
  switch (value->type) {
  case DAE_VALUE_REAL:
    return "Real";
  case DAE_VALUE_INTEGER:
    return "Integer";
  case DAE_VALUE_BOOLEAN:
    return "Boolean";
  case DAE_VALUE_STRING:
    return "String";
  case DAE_VALUE_ENUMERATION:
    return "enumeration";
  case DAE_VALUE_CLOCK:
    return "Clock";
  case DAE_VALUE_RECORD:
    return "a record";
  case DAE_VALUE_FUNCTION:
    return "a function";
  case DAE_VALUE_COLON:
    return "':'";
  case DAE_VALUE_TUPLE:
    return "a list of results, (a, b)";
  case DAE_VALUE_TARGET:
  case DAE_VALUE_HOLE:
  case DAE_VALUE_POISON:
    break;
  }
  return "unknown";
}

bool
dae_dimensions_count(uint32_t n_dims, const uint32_t *dims, uint32_t *count)
{
  uint64_t product = 1;
  bool empty = false;
  for (uint32_t i = 0; i < n_dims; i++) {
    empty = empty || dims[i] == 0;
  }
  for (uint32_t i = 0; i < n_dims && !empty; i++) {
    product *= dims[i];
    if (product > DAE_MAX_ELEMENTS) {
      return false;
    }
  }
  *count = empty ? 0 : (uint32_t)product;
  return true;
}
