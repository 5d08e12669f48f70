/* Algorithm sections of the model: the variables that a section assigns become locals of it; what
 * they are at its end gives one equation each, so that every variable has its own incidence.
 *
 * A variable that some path does not assign starts with its start value (a
 * discrete one with its value before). */
#include "model/calls.h"

#include <string.h>

#include "model/attributes.h"
#include "model/flat.h"

typedef struct {
  uint32_t entity;
  uint32_t local;
  uint32_t pos;
  bool in_when; /* assigned in a when-statement: discrete */
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
  if (dae_reader_entity(reader, entity)->kind == DAE_ENTITY_RECORD) {
    uint32_t n = dae_reader_entity(reader, entity)->n_members;
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

/* Parameters with fixed = false are unknowns of the initialization [MLS, section 8.6]. */
static bool
may_assign(const DaeReader *reader, const DaeSection *section, uint32_t binding)
{
  const DaeEntity *entity =
      dae_binding_is_entity(binding) ? dae_reader_entity(reader, binding) : NULL;
  return entity != NULL &&
         (entity->kind == DAE_ENTITY_VARIABLE || entity->kind == DAE_ENTITY_RECORD ||
          (entity->is_free && section->is_initial));
}

/* Every target of the section. Elements x[i] declared one by one are
 * found when they are assigned. */
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
      dae_reader_unknown_name(reader, path[1], instruction->pos);
      return false;
    }
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

/* [Language specification, 11.1.2]: a discrete variable begins with its value before, a
 * continuous one with its start value. */
static void
begin_outputs(DaeReader *reader, GArray *outputs)
{
  for (uint32_t i = 0; i < outputs->len; i++) {
    Output *output = &g_array_index(outputs, Output, i);
    const DaeEntity entity = *dae_reader_entity(reader, output->entity);
    if (entity.value == NULL) {
      continue; /* not instantiated because of an error */
    }
    bool is_discrete = output->in_when || dae_discrete_is_variable(reader, &entity);
    DaeValue value =
        is_discrete ? value_before(reader, &entity, output->pos) : start_value(reader, &entity);
    if (output->in_when) {
      make_discrete(reader, &entity);
    }
    output->local = dae_scope_add_local(reader, entity.name, 0);
    dae_local_set(reader, output->local, &value);
  }
}

static void
end_outputs(DaeReader *reader, const GArray *outputs)
{
  for (uint32_t i = 0; i < outputs->len; i++) {
    const Output *output = &g_array_index(outputs, Output, i);
    const DaeEntity *entity = dae_reader_entity(reader, output->entity);
    const DaeLocal *local = dae_local(reader, output->local);
    DaeSpan span = dae_source_span(reader->source, output->pos);
    for (uint32_t k = 0; k < entity->count && entity->value != NULL; k++) {
      DaeEquation equation = {.lhs =
                                  dae_discrete_unknown(reader, entity->type, entity->value[k]),
                              .rhs = dae_discrete_unknown(reader, entity->type, local->data[k]),
                              .span = span,
                              .is_discrete = entity->type != DAE_VALUE_REAL};
      g_array_append_val(reader->equations, equation);
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
    dae_source_unsupported(reader->source, reader->surrender_pos, "%s", reader->surrender);
    reader->surrender = NULL;
  }
  reader->when_depth = 0;
  dae_scope_leave(reader);
  g_array_set_size(reader->stack, 0);
  g_array_set_size(reader->changes, 0);
  dae_arena_reset(reader->scratch);
}
