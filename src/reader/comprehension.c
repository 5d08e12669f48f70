/* {e for i in r} and sum(e for i in r) [MLS, sections 10.3.4.1, 10.4.1]. Where r has no elements
 * no e is evaluated for its value, but the array has a type and the dimensions of e. Both are seen
 * by trying e with i = 1; where that has no value (v[1] of an empty v) the array is an empty
 * vector of Reals. */
#include "reader/calls.h"

#include <string.h>

/* Is the NEXT followed by the call of a reduction, sum(e for i in r), of values e that are
 * arrays? Then the call is done with it. */
static bool
reduces_arrays(const DaeReader *reader, const DaeInstruction *next, const DaeValue *values)
{
  static const char *const names[] = {"max", "min", "product", "sum"};
  if (next->n == 0 || next[1].op != DAE_OP_CALL || values->type == DAE_VALUE_POISON ||
      values->opaque || values->n_dims <= next->n) {
    return false;
  }
  const char *name = dae_names_text(reader->names, next[1].arg);
  for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
    if (strcmp(name, names[i]) == 0) {
      return true;
    }
  }
  return false;
}

bool
dae_comprehension_reduce(DaeReader *reader, const DaeInstruction *next, DaeValue *values)
{
  bool is_reduced = reduces_arrays(reader, next, values);
  if (is_reduced) {
    *values = dae_function_reduce_arrays(reader, dae_names_text(reader->names, next[1].arg),
                                         values, next->n, next[1].pos);
  }
  return is_reduced;
}

static DaeValue
try_element(DaeReader *reader, uint32_t from, uint32_t to)
{
  uint32_t base = reader->stack->len;
  uint32_t errors = reader->source->n_errors;
  bool good = true;
  reader->source->n_errors = DAE_MAX_ERRORS; /* silent: it is only tried */
  for (uint32_t pc = from; good && pc < to;) {
    good = dae_reader_step(reader, &pc);
  }
  good = good && reader->stack->len == base + 1;
  DaeValue value = good ? g_array_index(reader->stack, DaeValue, base) : dae_value_poison();
  if (good) {
    dae_chain_finish(reader, &value);
  }
  reader->source->n_errors = errors;
  g_array_set_size(reader->stack, base);
  return value;
}

static DaeValue
element_of_nothing(DaeReader *reader, uint32_t loop, DaeValueType type)
{
  const DaeInstruction instruction = *dae_syntax_code(reader->syntax, loop);
  uint32_t name = dae_syntax_code(reader->syntax, loop + 1)->arg;
  uint32_t loops = reader->loops->len;
  uint32_t ifs = reader->ifs->len;
  DaeLoopFrame frame = {.name = name, .values = reader->stack->len};
  frame.current =
      dae_value_scalar(type, type == DAE_VALUE_BOOLEAN ? dae_term_bool(reader->terms, true)
                                                       : dae_term_int(reader->terms, 1));
  frame.old_binding = dae_names_binding(reader->names, name);
  dae_names_bind(reader->names, name, DAE_ITERATOR_BIT | reader->loops->len);
  g_array_append_val(reader->loops, frame);
  DaeValue value = try_element(reader, loop + 2, loop + instruction.arg - 1);
  dae_reader_unwind(reader, loops, ifs);
  return value;
}

static DaeValue
array_of_nothing(DaeReader *reader, uint32_t loop, DaeValueType type)
{
  uint32_t pos = dae_syntax_code(reader->syntax, loop)->pos;
  bool is_tried = type <= DAE_VALUE_BOOLEAN && reader->when_depth == 0 && reader->n_traces == 0;
  DaeValue each = is_tried ? element_of_nothing(reader, loop, type) : dae_value_poison();
  bool is_known = each.type <= DAE_VALUE_BOOLEAN || each.type == DAE_VALUE_RECORD;
  if (!is_known || each.opaque || each.n_dims + 1u > DAE_MAX_DIMENSIONS) {
    return dae_array_construct(reader, NULL, 0, pos);
  }
  uint32_t dims[DAE_MAX_DIMENSIONS] = {0};
  for (uint32_t d = 0; d < each.n_dims; d++) {
    dims[d + 1] = each.dims[d];
  }
  return dae_value_like(reader, &each, each.n_dims + 1u, dims, dae_value_new_data(reader, 1),
                        0);
}

DaeValue
dae_comprehension_of_nothing(DaeReader *reader, uint32_t loop, DaeValueType type,
                             bool *is_reduced)
{
  uint32_t next = loop + dae_syntax_code(reader->syntax, loop)->arg - 1;
  DaeValue values = array_of_nothing(reader, loop, type);
  *is_reduced =
      dae_comprehension_reduce(reader, dae_syntax_code(reader->syntax, next), &values);
  return values;
}
