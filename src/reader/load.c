/* Names to values: variables, locals, elements, members, types and functions. */
#include "reader/calls.h"

#include <string.h>

#include "base/suggest.h"

/* x.a where x is declared and broken, such as a record: that was told already. */
static bool
is_part_of_broken(const DaeReader *reader, const char *text)
{
  for (const char *dot = strchr(text, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
    uint32_t whole = dae_names_find(reader->names, text, (size_t)(dot - text));
    uint32_t binding = whole != 0 ? dae_names_binding(reader->names, whole) : 0;
    if (dae_binding_is_entity(binding) && dae_reader_entity(reader, binding)->is_broken) {
      return true;
    }
  }
  return false;
}

void
dae_reader_unknown_name(DaeReader *reader, uint32_t name, uint32_t pos)
{
  if (reader->syntax != NULL && reader->syntax->lost_names) {
    return; /* it may stand in a declaration that could not be read */
  }
  const char *text = dae_names_text(reader->names, name);
  if (is_part_of_broken(reader, text)) {
    return;
  }
  DaeSuggest suggest;
  dae_suggest_begin_word(&suggest, text);
  for (uint32_t i = 1; i < reader->entities->len && i < 100000; i++) {
    dae_suggest_try(&suggest,
                    dae_names_text(reader->names, dae_reader_entity(reader, i)->name));
  }
  if (reader->lookup != NULL) {
    for (uint32_t i = 0; i < dae_terms_symbol_count(reader->terms) && i < 100000; i++) {
      dae_suggest_try(&suggest, dae_terms_symbol_name(reader->terms, i));
    }
  }
  dae_suggest_try(&suggest, "time");
  if (suggest.best != NULL) {
    dae_source_error(reader->source, pos, "unknown name '%s'; did you mean '%s'?", text,
                     suggest.best);
  } else {
    dae_source_error(reader->source, pos, "unknown name '%s'", text);
  }
}

/* Stage 1 knows only sizes of variables, and closed values of parameters. */
static DaeValue
load_structural(DaeReader *reader, DaeEntity *entity)
{
  DaeValue value = {.type = entity->type,
                    .n_dims = (uint8_t)entity->n_dims,
                    .dims = entity->dims,
                    .count = entity->count,
                    .enumeration = entity->enumeration};
  entity->is_structural = entity->is_structural || reader->is_sizing;
  if (entity->closed == NULL && dae_measure_load(reader, entity, &value)) {
    return value;
  }
  if (entity->closed == NULL) {
    value.opaque = true;
    value.no_value =
        entity->kind == DAE_ENTITY_PARAMETER || entity->kind == DAE_ENTITY_CONSTANT;
    return value;
  }
  value.term = entity->n_dims == 0 ? entity->closed[0] : DAE_NO_TERM;
  value.data = entity->closed;
  return value;
}

/* Numbers have no units: the equation is not judged by its units then. */
static void
note_unit(DaeReader *reader, const DaeEntity *entity)
{
  if (entity->kind == DAE_ENTITY_CONSTANT && entity->type == DAE_VALUE_REAL) {
    reader->has_unit_constants = reader->has_unit_constants || entity->si_unit != NULL ||
                                 dae_scope_attribute(reader, entity, "unit") != NULL;
  }
}

/* A String variable: the text of its declaration, with marks for the values of its time. */
static DaeValue
load_text(DaeReader *reader, DaeEntity *entity, uint32_t pos)
{
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, entity->declaration);
  if (entity->is_open) {
    dae_source_error(reader->source, pos, "'%s' depends on itself",
                     dae_names_text(reader->names, entity->name));
    entity->is_broken = true;
    return dae_value_poison();
  }
  uint32_t index = (uint32_t)(entity - (DaeEntity *)(void *)reader->entities->data);
  entity->is_open = true;
  DaeValue value = dae_reader_evaluate(reader, declaration->binding);
  dae_reader_entity(reader, index)->is_open = false;
  return value;
}

/* A function sees constants of what is around it, nothing else [MLS 5.3.1, 12.2]. */
static bool
is_hidden(const DaeReader *reader, const DaeEntity *entity)
{
  return reader->scopes->len > 0 &&
         g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).in_body &&
         (entity->kind == DAE_ENTITY_VARIABLE || entity->kind == DAE_ENTITY_PARAMETER ||
          entity->kind == DAE_ENTITY_INPUT || entity->is_implicit_constant);
}

static DaeValue
load_entity(DaeReader *reader, DaeEntity *entity, uint32_t pos)
{
  note_unit(reader, entity);
  if (entity->is_broken) {
    return dae_value_poison();
  }
  if (is_hidden(reader, entity)) {
    dae_source_error(reader->source, pos,
                     "'%s' is a %s of the model: a function sees only constants around it, "
                     "other values are given to it as arguments",
                     dae_names_text(reader->names, entity->name),
                     entity->kind == DAE_ENTITY_PARAMETER ? "parameter" : "variable");
    return dae_value_poison();
  }
  if (entity->kind == DAE_ENTITY_LITERAL) {
    DaeValue value = dae_value_scalar(DAE_VALUE_ENUMERATION, entity->literal);
    value.enumeration = entity->enumeration;
    return value;
  }
  if (reader->is_structural) {
    return load_structural(reader, entity);
  }
  if (entity->kind == DAE_ENTITY_VARIABLE && entity->type == DAE_VALUE_STRING &&
      !entity->changes && !entity->is_late) {
    return load_text(reader, entity, pos);
  }
  if (entity->value == NULL) {
    return dae_value_poison(); /* not instantiated because of an error */
  }
  if (entity->count > 0 && entity->value[0] == DAE_NO_TERM) {
    dae_source_error(reader->source, pos, "parameter '%s' has no value",
                     dae_names_text(reader->names, entity->name));
    return dae_value_poison();
  }
  DaeValue value = {.type = entity->type,
                    .n_dims = (uint8_t)entity->n_dims,
                    .dims = entity->dims,
                    .count = entity->count,
                    .enumeration = entity->enumeration};
  value.data = entity->value;
  value.term = entity->n_dims == 0 ? entity->value[0] : DAE_NO_TERM;
  return value;
}

static DaeValue load_binding(DaeReader *reader, uint32_t binding, uint32_t pos);

uint32_t
dae_group_element(DaeReader *reader, const DaeEntity *group, uint32_t k)
{
  uint32_t position[DAE_MAX_DIMENSIONS] = {0};
  for (uint32_t d = group->n_dims; d-- > 0; k /= group->dims[d]) {
    position[d] = k % group->dims[d];
  }
  g_string_assign(reader->text, dae_names_text(reader->names, group->name));
  for (uint32_t d = 0; d < group->n_dims; d++) {
    g_string_append_printf(reader->text, "%c%u", d == 0 ? '[' : ',', position[d] + 1);
  }
  g_string_append_c(reader->text, ']');
  uint32_t name = dae_names_find(reader->names, reader->text->str, reader->text->len);
  return name != 0 ? dae_names_binding(reader->names, name) : 0;
}

/* The same; 0: reported. */
static uint32_t
find_element(DaeReader *reader, const DaeEntity *group, uint32_t k, uint32_t pos)
{
  uint32_t binding = dae_group_element(reader, group, k);
  if (binding == 0) {
    dae_source_error(reader->source, pos, "'%s' has no element '%s'",
                     dae_names_text(reader->names, group->name), reader->text->str);
  }
  return binding;
}

static DaeValue
load_group(DaeReader *reader, const DaeEntity *of, uint32_t pos)
{
  const DaeEntity group = *of;
  DaeValue *elements =
      dae_arena_alloc(reader->scratch, MAX(group.count, 1u) * sizeof(DaeValue));
  bool opaque = false;
  for (uint32_t i = 0; i < group.count; i++) {
    uint32_t binding = find_element(reader, &group, i, pos);
    elements[i] = binding != 0 ? load_binding(reader, binding, pos) : dae_value_poison();
    if (elements[i].type == DAE_VALUE_POISON || elements[i].n_dims > 0) {
      return dae_value_poison();
    }
    opaque = opaque || elements[i].opaque;
    elements[i].opaque = false;
  }
  DaeValue flat = dae_array_construct(reader, elements, group.count, pos);
  if (flat.type == DAE_VALUE_POISON) {
    return flat;
  }
  DaeValue value =
      dae_value_like(reader, &flat, group.n_dims, group.dims, flat.data, flat.count);
  value.opaque = opaque;
  return value;
}

/* dae_model_parse_expression: the names of a finished model. */
static bool
load_symbol(DaeReader *reader, const char *name, DaeValue *value)
{
  DaeSymbol symbol = 0;
  uint32_t k = 0;
  if (reader->lookup == NULL || !dae_terms_find_symbol(reader->terms, name, &symbol)) {
    return false;
  }
  if (dae_model_find_variable(reader->lookup, symbol, &k)) {
    *value = dae_value_scalar(DAE_VALUE_REAL, dae_term_variable(reader->terms, symbol, 0));
    return true;
  }
  if (dae_model_find_parameter(reader->lookup, symbol, &k)) {
    DaeType type = dae_model_parameter(reader->lookup, k)->type;
    *value = dae_value_scalar(type == DAE_TYPE_INTEGER ? DAE_VALUE_INTEGER : DAE_VALUE_REAL,
                              dae_term_parameter(reader->terms, symbol));
    return true;
  }
  return false;
}

/* What is bound, as it is: a local may have parts without value. */
static DaeValue
load_binding(DaeReader *reader, uint32_t binding, uint32_t pos)
{
  if ((binding & DAE_ITERATOR_BIT) != 0) {
    return g_array_index(reader->loops, DaeLoopFrame, binding & ~DAE_ITERATOR_BIT).current;
  }
  if ((binding & DAE_LOCAL_BIT) != 0 && !reader->reads_variables) {
    return dae_local_load(reader, binding & ~DAE_LOCAL_BIT, pos);
  }
  if ((binding & DAE_LOCAL_BIT) != 0) {
    binding = dae_local(reader, binding & ~DAE_LOCAL_BIT)->other_binding;
    DAE_ASSERT(dae_binding_is_entity(binding));
  }
  DaeEntity *entity = dae_reader_entity(reader, binding);
  if (entity->kind == DAE_ENTITY_GROUP && !entity->is_broken) {
    return load_group(reader, entity, pos);
  }
  if (entity->kind == DAE_ENTITY_RECORD && !entity->is_broken) {
    return dae_record_load(reader, binding, pos);
  }
  return load_entity(reader, entity, pos);
}

static DaeTerm
default_scalar(DaeReader *reader, DaeValueType type)
{
  if (type == DAE_VALUE_STRING) {
    return dae_names_intern(reader->names, "", 0);
  }
  return type == DAE_VALUE_BOOLEAN
             ? dae_term_bool(reader->terms, false)
             : dae_term_int(reader->terms, type == DAE_VALUE_ENUMERATION ? 1 : 0);
}

static bool
is_in_function(const DaeReader *reader)
{
  return reader->scopes->len > 0 &&
         !g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).is_section;
}

static bool
has_missing(const DaeReader *reader, const DaeValue *value)
{
  for (uint32_t k = 0; k < value->count; k++) {
    if (value->data[k] == DAE_NO_TERM ||
        (value->type != DAE_VALUE_STRING && dae_unset_is_in(reader, value->data[k]))) {
      return true;
    }
  }
  return false;
}

/* "x[2,3]" of element k; of a part, whose subscripts are others, x. (transfer full) */
static char *
element_text(const DaeReader *reader, const DaeValue *value, uint32_t name, uint32_t k)
{
  GString *text = g_string_new(dae_names_text(reader->names, name));
  uint32_t size = value->count;
  for (uint32_t d = 0; d < value->n_dims && !value->is_part; d++) {
    size /= value->dims[d];
    g_string_append_printf(text, "%c%u", d == 0 ? '[' : ',', k / size % value->dims[d] + 1);
  }
  g_string_append(text, value->n_dims > 0 && !value->is_part ? "]" : "");
  return g_string_free(text, FALSE);
}

/* Whose binding needs it has no value either: an error where that one is needed. */
static void
tell_unset(DaeReader *reader, const char *name, uint32_t pos)
{
  if (reader->lenient_scopes != 0 && reader->lenient_scopes == reader->scopes->len) {
    reader->is_unset_needed = true;
    dae_source_warning(reader->source, pos,
                       "'%s' has no value yet, nor has the variable that gets one of it", name);
    return;
  }
  dae_source_error(reader->source, pos, "'%s' has no value yet", name);
}

DaeValue
dae_load_settle(DaeReader *reader, DaeValue value, uint32_t name, uint32_t pos)
{
  value.late_name = 0;
  dae_unset_settle(reader, &value, dae_names_text(reader->names, name), true, pos);
  for (uint32_t k = 0; k < value.count; k++) {
    if (dae_value_scalar_at(&value, k) == DAE_NO_TERM) {
      g_autofree char *text = element_text(reader, &value, name, k);
      tell_unset(reader, text, pos);
      return dae_value_poison();
    }
  }
  value.is_incomplete = false;
  return value;
}

/* Elements of a section's array that no statement has given a value yet have their defaults. */
static DaeValue
fill_in(DaeReader *reader, DaeValue value)
{
  DaeTerm *data = NULL;
  for (uint32_t k = 0; k < value.count; k++) {
    if (value.data[k] == DAE_NO_TERM && data == NULL) {
      data = dae_value_new_data(reader, value.count);
      memcpy(data, value.data, value.count * sizeof *data);
    }
    if (value.data[k] == DAE_NO_TERM) {
      data[k] = default_scalar(reader, value.type);
    }
  }
  value.data = data != NULL ? data : value.data;
  value.is_incomplete = false;
  return value;
}

/* A scalar without value is a mistake. So are missing elements of an array, where something is
 * computed from them: it may be handed on to a function that needs the others only, or be asked
 * for its size. Of a record, who needs the member tells. */
static DaeValue
complete(DaeReader *reader, DaeValue value, uint32_t name, bool is_part, uint32_t pos)
{
  if (value.type >= DAE_VALUE_RECORD || value.opaque || reader->takes_incomplete) {
    return value;
  }
  if (value.n_dims == 0) {
    return dae_load_settle(reader, value, name, pos);
  }
  if (!is_in_function(reader)) {
    dae_unset_settle(reader, &value, dae_names_text(reader->names, name), true, pos);
    return fill_in(reader, value);
  }
  value.late_name = has_missing(reader, &value) ? name : 0;
  value.late_pos = pos;
  value.is_part = is_part;
  return value;
}

static DaeValue
all_literals(DaeReader *reader, uint32_t n, uint32_t enumeration)
{
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    data[k] = dae_term_int(reader->terms, (int64_t)k + 1);
  }
  DaeValue value = dae_value_array(reader, DAE_VALUE_ENUMERATION, 1, &n, data, n);
  value.enumeration = enumeration;
  return value;
}

/* An enumeration type as a range: all its literals. Boolean: false and true. */
static bool
load_type(DaeReader *reader, uint32_t name, const char *text, DaeValue *value)
{
  uint32_t type = dae_scope_find_type(reader, name);
  for (uint32_t i = 0; type != 0 && i < reader->syntax->types->len; i++) {
    const DaeTypeDefinition *definition = dae_syntax_type(reader->syntax, type);
    if (definition->base == 0) {
      *value =
          all_literals(reader, definition->n_literals, dae_scope_enumeration(reader, type));
      return true;
    }
    type = dae_scope_find_type(reader, definition->base);
  }
  if (strcmp(text, "StateSelect") == 0) {
    *value = all_literals(reader, 5, DAE_ENUMERATION_STATE_SELECT);
    return true;
  }
  if (strcmp(text, "AssertionLevel") == 0) {
    *value = all_literals(reader, 2, DAE_ENUMERATION_ASSERTION_LEVEL);
    return true;
  }
  if (strcmp(text, "Boolean") == 0) {
    uint32_t two = 2;
    DaeTerm *data = dae_value_new_data(reader, 2);
    data[0] = dae_term_bool(reader->terms, false);
    data[1] = dae_term_bool(reader->terms, true);
    *value = dae_value_array(reader, DAE_VALUE_BOOLEAN, 1, &two, data, 2);
    return true;
  }
  return false;
}

bool
dae_value_is_index_type(const DaeValue *value)
{
  return value->n_dims == 1 &&
         (value->type == DAE_VALUE_ENUMERATION || value->type == DAE_VALUE_BOOLEAN);
}

/* `function g(y = 1)` of an argument g: what is bound with g already, and more. */
static DaeValue
bind_more(DaeReader *reader, const DaeValue *function, const DaeValue *arguments, uint32_t n,
          uint32_t pos)
{
  uint32_t class = (uint32_t)function->term;
  uint32_t n_bound = function->n_outputs;
  g_autofree DaeValue *all = g_new(DaeValue, n_bound + n + 1);
  memcpy(all, function->outputs, n_bound * sizeof *all);
  memcpy(all + n_bound, arguments, n * sizeof *all);
  return dae_call_check_bound(reader, class, all, n_bound + n, pos)
             ? dae_call_function_value(reader, class, all, n_bound + n)
             : dae_value_poison();
}

DaeValue
dae_load_function_value(DaeReader *reader, uint32_t name, const DaeValue *arguments, uint32_t n,
                        uint32_t pos)
{
  uint32_t class = dae_call_find(reader, name);
  uint32_t binding = dae_names_binding(reader->names, name);
  for (uint32_t k = 0; k < n; k++) {
    if (arguments[k].name == 0 &&
        dae_syntax_class(reader->syntax, reader->model)->kind != DAE_CLASS_CLASS) {
      dae_source_error(reader->source, pos,
                       "what is bound to a function has a name: "
                       "'function %s(x = ...)'",
                       dae_names_text(reader->names, name));
      return dae_value_poison();
    }
  }
  if (class != 0) {
    return dae_call_check_bound(reader, class, arguments, n, pos)
               ? dae_call_function_value(reader, class, arguments, n)
               : dae_value_poison();
  }
  if ((binding & DAE_LOCAL_BIT) != 0 && (binding & DAE_ITERATOR_BIT) == 0) {
    DaeValue value = dae_local_load(reader, binding & ~DAE_LOCAL_BIT, pos);
    if (value.type == DAE_VALUE_FUNCTION) {
      return bind_more(reader, &value, arguments, n, pos);
    }
  }
  dae_source_error(reader->source, pos, "'%s' is not a function",
                   dae_names_text(reader->names, name));
  return dae_value_poison();
}

DaeValue
dae_reader_load(DaeReader *reader, uint32_t name, uint32_t pos)
{
  uint32_t binding =
      dae_reference_is_local(reader, name) ? 0 : dae_names_binding(reader->names, name);
  if (binding != 0) {
    return complete(reader, load_binding(reader, binding, pos), name, false, pos);
  }
  DaeValue value;
  const char *text = dae_names_text(reader->names, name);
  text += *text == '.' ? 1 : 0; /* .A.b is A.b: flat text has no other scopes */
  if (load_symbol(reader, text, &value) || dae_constant_find(reader, text, &value)) {
    return value;
  }
  DaeReference reference;
  const uint32_t path[3] = {1, name, 0};
  if (strchr(text, '.') != NULL &&
      dae_reference_resolve(reader, path, NULL, &reference, &binding)) {
    value = load_binding(reader, binding, pos);
    value = dae_reference_follow(reader, &value, &reference, pos);
    return complete(reader, value, name, true, pos);
  }
  if (load_type(reader, name, text, &value)) {
    return value;
  }
  if (dae_call_find(reader, name) != 0) {
    return dae_call_function_value(reader, dae_call_find(reader, name), NULL, 0);
  }
  value = (DaeValue){0};
  if (dae_elements_load_quoted(reader, name, pos, &value) ||
      dae_record_load_quoted_member(reader, name, pos, &value) ||
      dae_record_load_parts(reader, name, pos, &value)) {
    return value;
  }
  dae_reader_unknown_name(reader, name, pos);
  return dae_value_poison();
}

/* Appends "[i,j]" for subscripts that are all single numbers. */
static bool
append_subscripts(DaeReader *reader, GString *text, const DaeValue *subscripts, uint32_t n,
                  uint32_t pos)
{
  for (uint32_t i = 0; i < n; i++) {
    int64_t k = 0;
    if (subscripts[i].n_dims > 0 || subscripts[i].type == DAE_VALUE_COLON ||
        subscripts[i].opaque || dae_subscript_varies(reader, &subscripts[i])) {
      return false;
    }
    if (!dae_reader_integer(reader, &subscripts[i], 0, pos, &k)) {
      return false;
    }
    g_string_append_printf(text, "%c%" G_GINT64_FORMAT, i == 0 ? '[' : ',', k);
  }
  g_string_append_c(text, ']');
  return true;
}

static DaeValue
load_reference(DaeReader *reader, const DaeReference *reference, uint32_t binding, uint32_t pos)
{
  DaeValue value = load_binding(reader, binding, pos);
  value = dae_reference_follow(reader, &value, reference, pos);
  return complete(reader, value, reference->name, true, pos);
}

DaeValue
dae_load_element(DaeReader *reader, uint32_t name, const DaeValue *subscripts, uint32_t n,
                 uint32_t pos)
{
  uint32_t binding = dae_names_binding(reader->names, name);
  DaeReference reference;
  const uint32_t path[3] = {1, name, n};
  if (dae_reference_is_local(reader, name) &&
      dae_reference_resolve(reader, path, subscripts, &reference, &binding)) {
    return load_reference(reader, &reference, binding, pos);
  }
  bool is_group = dae_binding_is_entity(binding) &&
                  dae_reader_entity(reader, binding)->kind == DAE_ENTITY_GROUP;
  if (is_group || binding == 0) { /* of a group, or of an array of components */
    g_autoptr(GString) text = g_string_new(dae_names_text(reader->names, name));
    if (append_subscripts(reader, text, subscripts, n, pos)) {
      uint32_t element = dae_names_intern(reader->names, text->str, text->len);
      if (dae_names_binding(reader->names, element) != 0 ||
          (!is_group && reader->lookup != NULL)) {
        return dae_reader_load(reader, element, pos);
      }
    }
  }
  uint32_t whole = 0;
  if (binding == 0 && strchr(dae_names_text(reader->names, name), '.') != NULL &&
      dae_reference_resolve(reader, path, subscripts, &reference, &whole)) {
    return load_reference(reader, &reference, whole, pos); /* a[2].b.c[i] */
  }
  DaeValue array = binding != 0 && !is_group ? load_binding(reader, binding, pos)
                                             : dae_reader_load(reader, name, pos);
  uint32_t n_before = is_group ? 0 : dae_reference_n_before(reader, binding, n);
  if (dae_binding_is_entity(binding) && !is_group &&
      !dae_index_types_fit(reader, dae_reader_entity(reader, binding), n_before, subscripts, n,
                           pos)) {
    return dae_value_poison();
  }
  DaeValue value = dae_reference_subscript(reader, &array, n_before, subscripts, n,
                                           dae_names_text(reader->names, name), pos);
  return complete(reader, value, name, true, pos);
}

/* a[i].b[j] as one name, put together from the values of the subscripts; 0: no such name. */
static uint32_t
composed_name(DaeReader *reader, const uint32_t *path, const DaeValue *subscripts)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (uint32_t i = 0; i < path[0]; i++) {
    uint32_t n = path[2 + 2 * i];
    g_string_append_printf(text, "%s%s", i > 0 ? "." : "",
                           dae_names_text(reader->names, path[1 + 2 * i]));
    if (i + 1 == path[0]) {
      break;
    }
    if (n > 0 && !append_subscripts(reader, text, subscripts, n, DAE_NO_PLACE)) {
      return 0;
    }
    subscripts += n;
  }
  return reader->lookup != NULL ? dae_names_intern(reader->names, text->str, text->len)
                                : dae_names_find(reader->names, text->str, text->len);
}

/* a[i].b[j]: by its whole name, or from the array or record that a is. */
DaeValue
dae_load_path(DaeReader *reader, const DaeInstruction *instruction, const DaeValue *subscripts)
{
  const uint32_t *path = &g_array_index(reader->syntax->paths, uint32_t, instruction->arg);
  uint32_t pos = instruction->pos;
  uint32_t last = path[2 * path[0]];
  uint32_t n_before = instruction->n - last;
  uint32_t first = dae_names_binding(reader->names, path[1]);
  bool is_local = (first & (DAE_LOCAL_BIT | DAE_ITERATOR_BIT)) != 0 ||
                  dae_reference_is_local(reader, path[1]);
  uint32_t whole = is_local ? 0 : composed_name(reader, path, subscripts);
  if (whole != 0 && (dae_names_binding(reader->names, whole) != 0 || reader->lookup != NULL)) {
    return last == 0 ? dae_reader_load(reader, whole, pos)
                     : dae_load_element(reader, whole, subscripts + n_before, last, pos);
  }
  DaeReference reference;
  uint32_t binding = 0;
  if (!dae_reference_resolve(reader, path, subscripts, &reference, &binding)) {
    dae_reader_unknown_name(reader, whole != 0 ? whole : path[1], pos);
    return dae_value_poison();
  }
  return load_reference(reader, &reference, binding, pos);
}

/* Of a member a.b[2].x of records: its value, and how many of the dimensions are those of the arrays
 * before it. False: the name is no such member. */
static bool
load_member(DaeReader *reader, uint32_t name, uint32_t pos, DaeValue *value, uint32_t *n_before)
{
  const uint32_t path[] = {1, name, 0};
  DaeReference reference;
  uint32_t binding = 0;
  if (!dae_reference_resolve(reader, path, NULL, &reference, &binding) ||
      reference.n_steps == 0 || reference.steps[reference.n_steps - 1].member == 0) {
    return false;
  }
  DaeValue whole = load_binding(reader, binding, pos);
  reference.n_steps--;
  *n_before = dae_reference_follow(reader, &whole, &reference, pos).n_dims;
  reference.n_steps++;
  *value = dae_reference_follow(reader, &whole, &reference, pos);
  return true;
}

DaeValue
dae_load_last(DaeReader *reader, const DaeInstruction *instruction)
{
  bool is_local = dae_reference_is_local(reader, instruction->arg);
  uint32_t binding = is_local ? 0 : dae_names_binding(reader->names, instruction->arg);
  uint32_t n_before = dae_reference_n_before(reader, binding, instruction->n);
  DaeValue array;
  if (binding != 0) {
    array = load_binding(reader, binding, instruction->pos);
  } else if (!load_member(reader, instruction->arg, instruction->pos, &array, &n_before)) {
    array = dae_reader_load(reader, instruction->arg, instruction->pos);
  }
  if (array.type == DAE_VALUE_POISON) {
    return array;
  }
  uint32_t d = n_before + instruction->n;
  if (d > array.n_dims) {
    dae_source_error(reader->source, instruction->pos, "'end' in one subscript too many");
    return dae_value_poison();
  }
  return dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(reader->terms, array.dims[d - 1]));
}
