/* Functions as values: what is bound to them, and calls of them. */
#include "reader/calls.h"

#include <string.h>

static bool
is_input(const DaeReader *reader, uint32_t member)
{
  return (dae_syntax_declaration(reader->syntax, member)->flags & DAE_FLAG_INPUT) != 0;
}

/* Is it an input of the function? */
static bool
has_input(const DaeReader *reader, uint32_t class, uint32_t name)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (is_input(reader, members[i]) &&
        dae_syntax_declaration(reader->syntax, members[i])->name == name) {
      return true;
    }
  }
  return false;
}

const DaeValue *
dae_call_name_bound(DaeReader *reader, uint32_t input, const DaeValue *value)
{
  uint32_t type =
      value->type == DAE_VALUE_FUNCTION && value->n_outputs > 0
          ? dae_call_find(reader, dae_syntax_declaration(reader->syntax, input)->type)
          : 0;
  if (type == 0) {
    return value;
  }
  uint32_t class = (uint32_t)value->term;
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  DaeValue *named = dae_arena_alloc(reader->scratch, sizeof *named);
  DaeValue *bound = dae_arena_alloc(reader->scratch, value->n_outputs * sizeof *bound);
  memcpy(bound, value->outputs, value->n_outputs * sizeof *bound);
  for (uint32_t i = 0, k = 0; i < n; i++) {
    uint32_t name = dae_syntax_declaration(reader->syntax, members[i])->name;
    while (k < value->n_outputs && bound[k].name != 0) {
      k++;
    }
    if (k < value->n_outputs && is_input(reader, members[i]) &&
        !has_input(reader, type, name)) {
      bound[k++].name = name;
    }
  }
  *named = *value;
  named->outputs = bound;
  return named;
}

/* A function as a value: `function f(x = 1)`, or its name alone. */
DaeValue
dae_call_function_value(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                        uint32_t n)
{
  DaeValue value = {.type = DAE_VALUE_FUNCTION, .term = class, .count = 1};
  DaeValue *copy = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof(DaeValue));
  if (n > 0) {
    memcpy(copy, arguments, n * sizeof(DaeValue));
  }
  value.outputs = copy;
  value.n_outputs = n;
  return value;
}

/* f(x) where f is an argument: the arguments bound with it come first. */
DaeValue
dae_call_value(DaeReader *reader, const DaeValue *function, const DaeValue *arguments,
               uint32_t n, uint32_t pos)
{
  DaeValue *all =
      dae_arena_alloc(reader->scratch, (n + function->n_outputs + 1) * sizeof(DaeValue));
  for (uint32_t i = 0; i < function->n_outputs; i++) {
    all[i] = function->outputs[i];
    all[i].is_bound = true;
  }
  memcpy(all + function->n_outputs, arguments, n * sizeof(DaeValue));
  return dae_call_apply(reader, (uint32_t)function->term, all, n + function->n_outputs, pos);
}
