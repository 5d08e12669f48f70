/* External functions that daetool does not have: functions of their arguments of which nothing
 * else is known (terms/routines.h). The structure of a model that calls them can be analyzed;
 * there are no values. */
#include "reader/inverse.h"
#include "reader/natives.h"

#include <string.h>

#include "terms/routines.h"

/* The inputs of the function, by member; NULL: another member. False: reported, or a value is
 * not known yet. */
static bool
load_inputs(DaeForeign *call, const uint32_t *members, uint32_t n, const DaeValue **given)
{
  DaeReader *reader = call->reader;
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    given[i] = NULL;
    if ((d->flags & DAE_FLAG_INPUT) == 0) {
      continue;
    }
    DaeValue *value = dae_arena_alloc(reader->scratch, sizeof *value);
    *value = dae_reader_load(reader, d->name, call->pos);
    if (value->type == DAE_VALUE_POISON || value->opaque) {
      return false;
    }
    given[i] = value;
  }
  return true;
}

/* Scalars of the outputs and whether each is of a type whose values jump. */
static bool
list_outputs(DaeForeign *call, const uint32_t *members, uint32_t n, uint32_t first,
             GArray *is_step)
{
  DaeReader *reader = call->reader;
  for (uint32_t i = 0; i < n; i++) {
    if ((dae_syntax_declaration(reader->syntax, members[i])->flags & DAE_FLAG_OUTPUT) == 0) {
      continue;
    }
    if (!dae_local_begin(reader, first + i, NULL, call->pos)) {
      return false;
    }
    const DaeLocal *local = dae_local(reader, first + i);
    if (local->has_open_size || dae_record_is_open(&local->value) ||
        local->value.type == DAE_VALUE_STRING || local->value.type > DAE_VALUE_RECORD) {
      dae_source_unsupported(reader->source, call->pos,
                             "external function '%s', with its result '%s'", call->name,
                             dae_names_text(reader->names, local->name));
      return false;
    }
    for (uint32_t k = 0; k < dae_arguments_count(&local->value); k++) {
      uint8_t step = dae_arguments_type(&local->value, k) != DAE_VALUE_REAL ? 1 : 0;
      g_array_append_val(is_step, step);
    }
  }
  return true;
}

static void
set_outputs(DaeForeign *call, const uint32_t *members, uint32_t n, uint32_t first,
            uint32_t routine, const DaeTerm *arguments)
{
  DaeReader *reader = call->reader;
  uint32_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    if ((dae_syntax_declaration(reader->syntax, members[i])->flags & DAE_FLAG_OUTPUT) == 0) {
      continue;
    }
    const DaeValue shape = dae_local(reader, first + i)->value;
    uint32_t count = dae_arguments_count(&shape);
    DaeTerm *data = dae_value_new_data(reader, MAX(count, 1u));
    for (uint32_t k = 0; k < count; k++) {
      data[k] = dae_formal_value(reader, dae_arguments_type(&shape, k),
                                 dae_term_routine(reader->terms, routine, at++, arguments));
    }
    DaeValue value =
        dae_value_like(reader, &shape, shape.n_dims, shape.dims, data, shape.count);
    value.data = data;
    dae_local_set(reader, first + i, &value);
  }
}

/* Its annotated inverse, of a function with one result, on formals in place of the arguments. */
static void
take_inverse(const DaeForeign *call, uint32_t class, uint32_t number, const DaeTerm *constants,
             const DaeValue *const *given)
{
  DaeReader *reader = call->reader;
  uint32_t n = 0;
  uint32_t at = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  g_autoptr(GArray) formals = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeValue *inputs = dae_arena_alloc(reader->arena, (n + 1) * sizeof(DaeValue));
  uint32_t *names = dae_arena_alloc(reader->arena, (n + 1) * sizeof(uint32_t));
  DaeTraceMark mark;
  dae_trace_begin(reader, &mark);
  const DaeValue **formal = dae_formal_arguments(reader, constants, given, n, formals);
  for (uint32_t i = 0; i < n; i++) {
    if (formal[i] != NULL) {
      inputs[at] = *formal[i];
      names[at++] = dae_syntax_declaration(reader->syntax, members[i])->name;
    }
  }
  DaeInverseOf f = {.class = class,
                    .number = number,
                    .inputs = inputs,
                    .names = names,
                    .n_inputs = at,
                    .formals = formals};
  dae_inverse_take(reader, &f);
  dae_trace_end(reader, &mark);
}

/* Texts choose the function, everything else is an argument. */
static uint32_t
find_routine(const DaeForeign *call, uint32_t class, const char *key, uint32_t n_inputs,
             const GArray *is_step, bool *is_new)
{
  DaeReader *reader = call->reader;
  const char *name =
      dae_names_text(reader->names, dae_syntax_class(reader->syntax, class)->name);
  gpointer known = g_hash_table_lookup(reader->unknown_functions, key);
  *is_new = known == NULL;
  if (known == NULL) {
    uint32_t number =
        dae_terms_add_unknown_routine(reader->terms, name, n_inputs, is_step->len,
                                      (const uint8_t *)(const void *)is_step->data);
    known = GUINT_TO_POINTER(number + 1);
    g_hash_table_insert(reader->unknown_functions, g_strdup(key), known);
  }
  return GPOINTER_TO_UINT(known) - 1;
}

/* The names that the C function is called with are those of the function. */
static bool
check_arguments(DaeReader *reader, uint32_t class)
{
  const DaeClass *c = dae_syntax_class(reader->syntax, class);
  const DaeExternal external =
      g_array_index(reader->syntax->externals, DaeExternal, c->external);
  for (uint32_t pc = external.code;
       pc != 0 && dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN; pc++) {
    const DaeInstruction *code = dae_syntax_code(reader->syntax, pc);
    if (code->op == DAE_OP_NAME && dae_names_binding(reader->names, code->arg) == 0 &&
        !dae_reference_is_local(reader, code->arg)) {
      dae_reader_unknown_name(reader, code->arg, code->pos);
      return false;
    }
  }
  return true;
}

bool
dae_foreign_unknown(DaeForeign *call, uint32_t class)
{
  DaeReader *reader = call->reader;
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  uint32_t first = g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).first_local;
  const DaeValue **given = dae_arena_alloc(reader->scratch, (n + 1) * sizeof *given);
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) is_step = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (!load_inputs(call, members, n, given) ||
      !list_outputs(call, members, n, first, is_step)) {
    return false;
  }
  if (!check_arguments(reader, class)) {
    return false;
  }
  if (is_step->len == 0) {
    if (!reader->is_structural) {
      dae_source_warning(
          reader->source, call->pos,
          "external function '%s' has no result and is none of those that daetool "
          "has: it is not called",
          call->name);
    }
    return true;
  }
  g_autoptr(GArray) scalars = dae_arguments_list(reader, given, n, types);
  g_autofree DaeTerm *constants = g_new0(DaeTerm, scalars->len + 1);
  for (uint32_t k = 0; k < scalars->len; k++) {
    uint8_t type = g_array_index(types, uint8_t, k);
    DaeTerm t = g_array_index(scalars, DaeTerm, k);
    if (type == DAE_VALUE_STRING) {
      constants[k] = t;
      continue;
    }
    t = dae_formal_number(reader, type, t);
    g_array_append_val(inputs, t);
  }
  bool is_impure = (dae_syntax_class(reader->syntax, class)->flags & DAE_FLAG_IMPURE) != 0;
  if (inputs->len == 0 ||
      is_impure) { /* two calls of an impure one need not have equal values */
    DaeTerm call_number =
        dae_term_int(reader->terms, is_impure ? (int64_t)++reader->n_impure_calls : 0);
    g_array_append_val(inputs, call_number);
  }
  g_autofree char *key = dae_arguments_key(class, given, n, constants);
  bool is_new = false;
  uint32_t routine = find_routine(call, class, key, inputs->len, is_step, &is_new);
  if (is_new && is_step->len == 1 && g_array_index(is_step, uint8_t, 0) == 0) {
    take_inverse(call, class, routine, constants, given);
  }
  set_outputs(call, members, n, first, routine, (const DaeTerm *)(const void *)inputs->data);
  return true;
}

bool
dae_foreign_is_unknown(const DaeReader *reader, uint32_t class)
{
  const DaeClass *c = dae_syntax_class(reader->syntax, class);
  if (c->external == 0) {
    return false;
  }
  const DaeExternal *external =
      &g_array_index(reader->syntax->externals, DaeExternal, c->external);
  const char *language =
      external->language != 0 ? dae_names_text(reader->names, external->language) : "C";
  const char *name = dae_foreign_name(reader, class);
  uint32_t id = dae_names_find(reader->names, name, strlen(name));
  return strcmp(language, "builtin") != 0 && !dae_foreign_is_known(name) &&
         (id == 0 || !dae_function_is_builtin(reader, id));
}
