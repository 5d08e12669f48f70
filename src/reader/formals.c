/* Arguments of a call as scalars, and formals in their place: what routines (terms/routines.h)
 * are traced on. */
#include "reader/calls.h"

uint32_t
dae_arguments_count(const DaeValue *value)
{
  if (value->type != DAE_VALUE_FUNCTION) {
    return value->count * dae_value_width(value);
  }
  uint32_t n = 0;
  for (uint32_t i = 0; i < value->n_outputs; i++) {
    n += dae_arguments_count(&value->outputs[i]);
  }
  return n;
}

/* Arguments bound with a function count as its scalars. */
uint8_t
dae_arguments_type(const DaeValue *value, uint32_t k)
{
  for (uint32_t i = 0; value->type == DAE_VALUE_FUNCTION && i < value->n_outputs; i++) {
    uint32_t n = dae_arguments_count(&value->outputs[i]);
    if (k < n) {
      return dae_arguments_type(&value->outputs[i], k);
    }
    k -= n;
  }
  return value->type == DAE_VALUE_RECORD ? value->layout->types[k % value->layout->width]
                                         : (uint8_t)value->type;
}

static DaeTerm
scalar_at(const DaeValue *value, uint32_t k)
{
  for (uint32_t i = 0; value->type == DAE_VALUE_FUNCTION && i < value->n_outputs; i++) {
    uint32_t n = dae_arguments_count(&value->outputs[i]);
    if (k < n) {
      return scalar_at(&value->outputs[i], k);
    }
    k -= n;
  }
  return dae_value_scalar_at(value, k);
}

GArray *
dae_arguments_list(const DaeReader *reader, const DaeValue *const *given, uint32_t n,
                   GArray *types)
{
  GArray *list = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < n; i++) {
    uint32_t count = given[i] != NULL ? dae_arguments_count(given[i]) : 0;
    for (uint32_t k = 0; k < count; k++) {
      uint8_t type = dae_arguments_type(given[i], k);
      DaeTerm t = scalar_at(given[i], k);
      t = type != DAE_VALUE_STRING ? dae_unset_replace(reader, t) : t;
      g_array_append_val(list, t);
      g_array_append_val(types, type);
    }
  }
  return list;
}

DaeTerm
dae_argument_constant(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  if (t == DAE_NO_TERM) {
    return DAE_ARGUMENT_NONE;
  }
  DaeKind kind = type != DAE_VALUE_STRING ? dae_term_kind(reader->terms, t) : DAE_KIND_NUMBER;
  return kind == DAE_KIND_NUMBER || kind == DAE_KIND_BOOLEAN ? t : DAE_NO_TERM;
}

static void
append_function(GString *key, const DaeValue *function)
{
  g_string_append_printf(key, "f%u(", function->term);
  for (uint32_t i = 0; i < function->n_outputs; i++) {
    const DaeValue *bound = &function->outputs[i];
    g_string_append_printf(key, "%u", bound->name);
    for (uint32_t d = 0; d < bound->n_dims; d++) {
      g_string_append_printf(key, "[%u]", bound->dims[d]);
    }
    if (bound->type == DAE_VALUE_FUNCTION) {
      append_function(key, bound);
    }
    g_string_append_c(key, ',');
  }
  g_string_append_c(key, ')');
}

char *
dae_arguments_key(uint32_t class, const DaeValue *const *given, uint32_t n,
                  const DaeTerm *constants)
{
  GString *key = g_string_new(NULL);
  uint32_t at = 0;
  g_string_append_printf(key, "%u:", class);
  for (uint32_t i = 0; i < n; i++) {
    if (given[i] == NULL) {
      g_string_append(key, "-;");
      continue;
    }
    if (given[i]->type == DAE_VALUE_FUNCTION) {
      append_function(key, given[i]);
    }
    for (uint32_t d = 0; d < given[i]->n_dims; d++) {
      g_string_append_printf(key, "[%u]", given[i]->dims[d]);
    }
    for (uint32_t k = 0; k < dae_arguments_count(given[i]); k++, at++) {
      g_string_append_printf(key, "%u,", constants[at]);
    }
    g_string_append_c(key, ';');
  }
  return g_string_free(key, FALSE);
}

DaeTerm
dae_formal_number(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  return type == DAE_VALUE_BOOLEAN ? dae_discrete_number(reader, t) : t;
}

DaeTerm
dae_formal_value(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  return type == DAE_VALUE_BOOLEAN ? dae_discrete_condition(reader->terms, t) : t;
}

DaeValue
dae_arguments_with(DaeReader *reader, const DaeValue *value, const DaeTerm *data)
{
  DaeValue result = *value;
  if (value->type == DAE_VALUE_FUNCTION) {
    DaeValue *bound =
        dae_arena_alloc(reader->scratch, MAX(value->n_outputs, 1u) * sizeof(DaeValue));
    for (uint32_t i = 0; i < value->n_outputs; i++) {
      bound[i] = dae_arguments_with(reader, &value->outputs[i], data);
      data += dae_arguments_count(&value->outputs[i]);
    }
    result.outputs = bound;
    return result;
  }
  if (value->n_dims == 0 && value->type != DAE_VALUE_RECORD) {
    result.term = data[0];
  }
  result.data = data;
  return result;
}

const DaeValue **
dae_formal_arguments(DaeReader *reader, const DaeTerm *constants, const DaeValue *const *given,
                     uint32_t n, GArray *inputs)
{
  const DaeValue **formal = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof *formal);
  uint32_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    formal[i] = given[i];
    uint32_t count = given[i] != NULL ? dae_arguments_count(given[i]) : 0;
    if (count == 0) {
      continue;
    }
    DaeTerm *data = dae_value_new_data(reader, count);
    for (uint32_t k = 0; k < count; k++, at++) {
      data[k] = constants[at] == DAE_ARGUMENT_NONE ? DAE_NO_TERM : constants[at];
      if (constants[at] == DAE_NO_TERM) {
        DaeTerm made = dae_trace_formal(reader);
        g_array_append_val(inputs, made);
        data[k] = dae_formal_value(reader, dae_arguments_type(given[i], k), made);
      }
    }
    DaeValue *value = dae_arena_alloc(reader->scratch, sizeof *value);
    *value = dae_arguments_with(reader, given[i], data);
    formal[i] = value;
  }
  return formal;
}
