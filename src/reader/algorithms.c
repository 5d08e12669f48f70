/* Algorithm sections of the model: the variables that a section assigns become locals of it; what
 * they are at its end gives one equation each, so that every variable has its own incidence.
 *
 * A variable that some path does not assign starts with its start value (a
 * discrete one with its value before). An array whose elements are declared one by one is one
 * local, and each element gets its equation. */
#include "reader/calls.h"

#include <string.h>

#include "model/flat.h"
#include "reader/attributes.h"

typedef struct {
  uint32_t entity;
  uint32_t local;
  uint32_t pos;
  bool in_when;  /* assigned in a when-statement: discrete */
  bool is_begun; /* there is a local */
} Output;

/* ---- what is assigned -------------------------------------------------------------------- */

static void
add_output(DaeReader *reader, GArray *outputs, uint32_t entity, bool in_when, uint32_t pos)
{
  for (uint32_t i = 0; i < outputs->len; i++) {
    Output *output = &g_array_index(outputs, Output, i);
    if (output->entity == entity) {
      output->in_when = output->in_when || in_when;
      return;
    }
  }
  const DaeEntity whole = *dae_reader_entity(reader, entity);
  if (whole.kind == DAE_ENTITY_RECORD) {
    uint32_t n = whole.n_members;
    for (uint32_t i = entity + 1; i <= entity + n; i++) {
      if (dae_reader_entity(reader, i)->kind != DAE_ENTITY_RECORD) {
        add_output(reader, outputs, i, in_when, pos);
      }
    }
    return;
  }
  Output output = {.entity = entity, .pos = pos, .in_when = in_when};
  g_array_append_val(outputs, output);
}

/* A String variable whose value texts.c has found; a constant one counts as a constant. */
static bool
is_text(const DaeEntity *entity)
{
  return entity->type == DAE_VALUE_STRING && entity->n_dims == 0 && !entity->changes &&
         !entity->is_late &&
         (entity->kind == DAE_ENTITY_VARIABLE || entity->is_implicit_constant);
}

/* Parameters with fixed = false are unknowns of the initialization [MLS, section 8.6]. */
static bool
may_assign(DaeReader *reader, const DaeSection *section, uint32_t binding)
{
  if (!dae_binding_is_entity(binding)) {
    return false;
  }
  const DaeEntity entity = *dae_reader_entity(reader, binding);
  bool is_group = entity.kind == DAE_ENTITY_GROUP && !entity.is_broken;
  for (uint32_t k = 0; is_group && k < entity.count; k++) {
    uint32_t element = dae_group_element(reader, &entity, k);
    const DaeEntity *of =
        dae_binding_is_entity(element) ? dae_reader_entity(reader, element) : NULL;
    is_group = of != NULL && of->kind == DAE_ENTITY_VARIABLE &&
               (of->type != DAE_VALUE_STRING || of->changes || of->is_late);
  }
  return is_group || is_text(&entity) || entity.kind == DAE_ENTITY_VARIABLE ||
         entity.kind == DAE_ENTITY_RECORD || (entity.is_free && section->is_initial);
}

/* The member of the record that the steps lead to; what is no member stays the whole, and is
 * told where it is assigned. */
static uint32_t
find_part(const DaeReader *reader, uint32_t binding, const DaeReference *reference)
{
  for (uint32_t i = 0; dae_binding_is_entity(binding) && i < reference->n_steps; i++) {
    uint32_t member = reference->steps[i].member;
    uint32_t at = member != 0 ? dae_record_find_member(reader, binding, member) : 0;
    binding = at != 0 ? at : binding;
  }
  return binding;
}

/* Elements that are declared one by one are assigned as the array that they make. */
static uint32_t
group_of(const DaeReader *reader, uint32_t entity)
{
  const char *text = dae_names_text(reader->names, dae_reader_entity(reader, entity)->name);
  const char *bracket = strrchr(text, '[');
  bool is_element = bracket != NULL && strchr(bracket, '.') == NULL;
  uint32_t name =
      is_element ? dae_names_find(reader->names, text, (size_t)(bracket - text)) : 0;
  uint32_t group = name != 0 ? dae_names_binding(reader->names, name) : 0;
  return dae_binding_is_entity(group) ? group : entity;
}

/* r := ... where only r.x, r.y are declared. False: there are no such parts. */
static bool
add_parts(DaeReader *reader, const DaeSection *section, GArray *outputs, uint32_t name,
          bool in_when, uint32_t pos)
{
  uint32_t first = dae_record_parts_next(reader, name, 0);
  for (uint32_t i = first; i != 0; i = dae_record_parts_next(reader, name, i)) {
    uint32_t part = group_of(reader, i);
    if (may_assign(reader, section, part)) {
      add_output(reader, outputs, part, in_when, pos);
    }
  }
  return first != 0;
}

/* Every target of the section. */
static bool
find_outputs(DaeReader *reader, const DaeSection *section, GArray *outputs)
{
  uint32_t whens = 0;
  for (uint32_t pc = section->code; dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN;
       pc++) {
    const DaeInstruction *instruction = dae_syntax_code(reader->syntax, pc);
    whens += instruction->op == DAE_OP_WHEN ? 1 : 0;
    whens -= instruction->op == DAE_OP_ENDWHEN ? 1 : 0;
    if (instruction->op != DAE_OP_TARGET) {
      continue;
    }
    const uint32_t *path = &g_array_index(reader->syntax->paths, uint32_t, instruction->arg);
    DaeReference reference;
    uint32_t binding = 0;
    if (!dae_reference_resolve(reader, path, NULL, &reference, &binding)) {
      if (add_parts(reader, section, outputs, path[1], whens > 0, instruction->pos)) {
        continue;
      }
      dae_reader_unknown_name(reader, path[1], instruction->pos);
      return false;
    }
    binding = find_part(reader, binding, &reference);
    if (!may_assign(reader, section, binding)) {
      dae_source_error(reader->source, instruction->pos, "'%s' cannot be assigned",
                       dae_names_text(reader->names, path[1]));
      return false;
    }
    add_output(reader, outputs, binding, whens > 0, instruction->pos);
  }
  return true;
}

/* ---- begin and end ----------------------------------------------------------------------- */

static DaeTerm
default_start(DaeReader *reader, DaeValueType type)
{
  if (type == DAE_VALUE_STRING) {
    return dae_names_intern(reader->names, "", 0);
  }
  return type == DAE_VALUE_BOOLEAN
             ? dae_term_bool(reader->terms, false)
             : dae_term_int(reader->terms, type == DAE_VALUE_ENUMERATION ? 1 : 0);
}

static DaeValue
start_value(DaeReader *reader, const DaeEntity *entity)
{
  DaeAttributes attributes;
  DaeTerm *data = dae_value_new_data(reader, MAX(entity->count, 1u));
  dae_attributes_read(reader, entity, &attributes);
  for (uint32_t i = 0; i < entity->count; i++) {
    DaeTerm start = dae_attributes_term(&attributes, DAE_ATTRIBUTE_START, i);
    data[i] = start != DAE_NO_TERM ? start : default_start(reader, entity->type);
  }
  DaeValue like = {.type = entity->type, .enumeration = entity->enumeration};
  return dae_value_like(reader, &like, entity->n_dims, entity->dims, data, entity->count);
}

/* v := pre(v) */
static DaeValue
value_before(DaeReader *reader, const DaeEntity *entity, uint32_t pos)
{
  DaeValue like = {.type = entity->type, .enumeration = entity->enumeration};
  DaeValue variable =
      dae_value_like(reader, &like, entity->n_dims, entity->dims, entity->value, entity->count);
  return dae_operator_pre(reader, &variable, pos);
}

static void
make_discrete(DaeReader *reader, const DaeEntity *entity)
{
  for (uint32_t k = 0; k < entity->count; k++) {
    uint32_t j = 0;
    if (dae_model_find_variable(reader->result, entity->symbols[k], &j)) {
      g_array_index(reader->result->variables, DaeVariable, j).is_discrete = true;
    }
  }
}

/* What a variable has before the first statement [MLS, section 11.1.2]: a discrete one its
 * value before, a continuous one its start value. */
static DaeValue
first_value(DaeReader *reader, const DaeEntity *entity, const Output *output)
{
  bool is_discrete =
      !entity->is_late && (output->in_when || dae_discrete_is_variable(reader, entity));
  if (output->in_when) {
    make_discrete(reader, entity);
  }
  return is_discrete ? value_before(reader, entity, output->pos) : start_value(reader, entity);
}

/* The same of all elements of a group. False: not instantiated because of an error. */
static bool
first_values(DaeReader *reader, const DaeEntity *group, const Output *output, DaeValue *value)
{
  DaeTerm *data = dae_value_new_data(reader, MAX(group->count, 1u));
  DaeValue like = {.type = DAE_VALUE_REAL};
  for (uint32_t k = 0; k < group->count; k++) {
    const DaeEntity entity = *dae_reader_entity(reader, dae_group_element(reader, group, k));
    if (entity.value == NULL || entity.n_dims > 0) {
      return false;
    }
    like = first_value(reader, &entity, output);
    data[k] = like.term;
  }
  *value = dae_value_like(reader, &like, group->n_dims, group->dims, data, group->count);
  return true;
}

static void
begin_outputs(DaeReader *reader, GArray *outputs)
{
  for (uint32_t i = 0; i < outputs->len; i++) {
    Output *output = &g_array_index(outputs, Output, i);
    const DaeEntity entity = *dae_reader_entity(reader, output->entity);
    DaeValue value = dae_value_poison();
    if (entity.kind == DAE_ENTITY_GROUP) {
      output->is_begun = first_values(reader, &entity, output, &value);
    } else if (is_text(&entity)) { /* no equation */
      value = dae_value_scalar(DAE_VALUE_STRING, dae_names_intern(reader->names, "", 0));
      output->local = dae_scope_add_local(reader, entity.name, 0);
      dae_local_set(reader, output->local, &value);
      continue;
    } else if (entity.value != NULL) {
      output->is_begun = true;
      value = first_value(reader, &entity, output);
    }
    if (output->is_begun) {
      output->local = dae_scope_add_local(reader, entity.name, 0);
      dae_local_set(reader, output->local, &value);
    }
  }
}

static void
add_equation(DaeReader *reader, DaeValueType type, DaeTerm variable, DaeTerm value,
             uint32_t pos)
{
  DaeEquation equation = {.lhs = dae_discrete_unknown(reader, type, variable),
                          .rhs = dae_discrete_unknown(reader, type, value),
                          .span = dae_source_span(reader->source, pos),
                          .is_discrete = type != DAE_VALUE_REAL};
  g_array_append_val(reader->equations, equation);
}

/* The text of a String variable at the end of the section; there is only one place for it. */
static void
define_text(DaeReader *reader, const DaeEntity *entity, uint32_t own, uint32_t text,
            uint32_t pos)
{
  bool is_defined = false;
  if (dae_text_define(reader, own, text, &is_defined, pos) && !is_defined) {
    dae_source_error(reader->source, pos, "'%s' gets a text here and in another place",
                     dae_names_text(reader->names, entity->name));
  }
}

static void
end_outputs(DaeReader *reader, const GArray *outputs)
{
  for (uint32_t i = 0; i < outputs->len; i++) {
    const Output *output = &g_array_index(outputs, Output, i);
    if (!output->is_begun) {
      continue;
    }
    const DaeEntity entity = *dae_reader_entity(reader, output->entity);
    const DaeTerm *data = dae_local(reader, output->local)->data;
    for (uint32_t k = 0; k < entity.count; k++) {
      const DaeEntity *of =
          entity.kind == DAE_ENTITY_GROUP
              ? dae_reader_entity(reader, dae_group_element(reader, &entity, k))
              : &entity;
      if (of->changes) {
        uint32_t at = entity.kind == DAE_ENTITY_GROUP ? 0 : k;
        DaeEquation equation = dae_text_equation(reader, of, at, data[k], output->pos);
        g_array_append_val(reader->equations, equation);
        continue;
      }
      DaeTerm variable = entity.kind == DAE_ENTITY_GROUP ? of->value[0] : of->value[k];
      if (of->is_late) {
        define_text(reader, of, variable, data[k], output->pos);
        continue;
      }
      add_equation(reader, of->type, variable, data[k], output->pos);
    }
  }
}

void
dae_algorithm_execute(DaeReader *reader, const DaeSection *section)
{
  g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(Output));
  if (!find_outputs(reader, section, outputs)) {
    return;
  }
  dae_scope_enter(reader, reader->model, true)->is_section = true;
  reader->call_steps = 0;
  begin_outputs(reader, outputs);
  if (dae_statements_run(reader, section->code)) {
    end_outputs(reader, outputs);
  } else if (reader->surrender != NULL) {
    dae_source_error(reader->source, reader->surrender_pos, "%s", reader->surrender);
    reader->surrender = NULL;
  }
  reader->when_depth = 0;
  dae_scope_leave(reader);
  g_array_set_size(reader->stack, 0);
  g_array_set_size(reader->changes, 0);
  dae_arena_reset(reader->scratch);
}
