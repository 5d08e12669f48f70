/* Top-level inputs: held at a value, given by --set or --input-file, or left as symbols that
 * are set at run time. */
#include <string.h>

#include "model/flat.h"
#include "reader/attributes.h"
#include "reader/calls.h"

static bool
depends_on_variables(DaeReader *reader, const DaeValue *value)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < value->count; i++) {
    dae_term_collect_variables(reader->terms, dae_value_element(value, i), variables);
  }
  return variables->len > 0;
}

static void
set_input(DaeReader *reader, DaeEntity *entity, const DaeValue *value)
{
  if (value->type == DAE_VALUE_POISON) {
    return;
  }
  entity->value = dae_arena_words(reader->arena, MAX(entity->count, 1u));
  for (uint32_t i = 0; i < entity->count; i++) {
    entity->value[i] = dae_value_element(value, i);
  }
}

/* The start value where none is given: the first of an enumeration counts as 1. */
static DaeTerm
default_of(DaeReader *reader, DaeValueType type)
{
  return type == DAE_VALUE_BOOLEAN
             ? dae_term_bool(reader->terms, false)
             : dae_term_int(reader->terms, type == DAE_VALUE_ENUMERATION ? 1 : 0);
}

/* Constant at the start value. --set changes the start value also here. */
static void
hold_input(DaeReader *reader, uint32_t index)
{
  DaeEntity *entity = dae_reader_entity(reader, index);
  DaeAttributes attributes;
  dae_attributes_read(reader, entity, &attributes);
  entity->value = dae_arena_words(reader->arena, MAX(entity->count, 1u));
  for (uint32_t i = 0; i < entity->count; i++) {
    DaeTerm start = dae_attributes_term(&attributes, DAE_ATTRIBUTE_START, i);
    entity->value[i] = start != DAE_NO_TERM ? start : default_of(reader, entity->type);
  }
}

static void
override_input(DaeReader *reader, uint32_t index, bool *is_given)
{
  for (uint32_t i = 0; i < reader->overrides->len; i++) {
    const DaeOverride *override = &g_array_index(reader->overrides, DaeOverride, i);
    if (override->entity != index) {
      continue;
    }
    *is_given = *is_given || override->is_input;
    DaeValue value = dae_overrides_evaluate(reader, override);
    DaeEntity *entity = dae_reader_entity(reader, index);
    uint32_t element = 0;
    if (value.type == DAE_VALUE_POISON) {
      continue;
    }
    if (depends_on_variables(reader, &value)) {
      reader->source->context = override->text;
      dae_source_error(reader->source, 0, "an input is an expression in time and parameters");
      reader->source->context = NULL;
    } else if (override->n_subscripts == 0) {
      set_input(reader, entity, &value);
    } else if (dae_overrides_index(reader, override, &element)) {
      entity->value[element] = value.term;
    }
  }
}

/* Those asked for stay symbols; their values come when the model is run. */
static bool
stays_symbol(const DaeReader *reader, const char *name)
{
  const char *const *symbols = reader->options != NULL ? reader->options->symbols : NULL;
  if (reader->options != NULL &&
      (reader->options->inputs_are_symbols || reader->options->inputs_are_open)) {
    return true;
  }
  for (size_t i = 0; symbols != NULL && symbols[i] != NULL; i++) {
    if (strcmp(symbols[i], name) == 0) {
      return true;
    }
  }
  return false;
}

/* Lists the elements of an input; true: all of them stay symbols. */
static bool
list_input(DaeReader *reader, uint32_t index, bool is_given)
{
  DaeEntity *entity = dae_reader_entity(reader, index);
  const uint32_t pos = dae_instantiate_declaration(reader, entity)->pos;
  const bool is_open = reader->options != NULL && reader->options->inputs_are_open;
  bool all = entity->count > 0 && entity->value != NULL;
  DaeAttributes attributes;
  dae_attributes_read(reader, entity, &attributes);
  for (uint32_t i = 0; i < entity->count; i++) {
    const char *unit = dae_attributes_string(reader, &attributes, DAE_ATTRIBUTE_UNIT, i);
    DaeInput input = {
        .is_real = entity->type == DAE_VALUE_REAL,
        .type = dae_instantiate_type(entity->type),
        .unit = dae_flat_string(reader->result, unit != NULL ? unit : entity->si_unit),
        .span = dae_source_span(reader->source, pos)};
    const char *name = dae_names_text(reader->names, entity->name);
    if (entity->n_dims > 0) {
      dae_instantiate_element_name(reader, entity, i, reader->text);
      name = reader->text->str;
    }
    input.name = dae_flat_string(reader->result, name);
    if ((!is_given || is_open) && input.is_real && entity->value != NULL &&
        stays_symbol(reader, name) &&
        dae_instantiate_symbol(reader, DAE_SYMBOL_PARAMETER, name, pos, &input.symbol)) {
      dae_terms_set_variability(reader->terms, input.symbol, DAE_VARIABILITY_INPUT);
      input.held = entity->value[i];
      entity->value[i] = dae_term_parameter(reader->terms, input.symbol);
      input.is_symbol = true;
    }
    input.value = entity->value != NULL ? entity->value[i] : DAE_NO_TERM;
    all = all && input.is_symbol;
    g_array_append_val(reader->result->inputs, input);
  }
  return all;
}

void
dae_instantiate_input(DaeReader *reader, uint32_t index)
{
  DaeEntity *entity = dae_reader_entity(reader, index);
  const DaeDeclaration *declaration = dae_instantiate_declaration(reader, entity);
  bool is_given = declaration->binding != 0;
  hold_input(reader, index);
  if (declaration->binding != 0) {
    DaeValue value = dae_reader_evaluate(reader, declaration->binding);
    entity = dae_reader_entity(reader, index);
    if (value.type == DAE_VALUE_POISON ||
        !dae_structure_check_value(reader, entity, &value, "input", declaration->pos)) {
      entity->value = NULL;
      return;
    }
    if (depends_on_variables(reader, &value)) {
      dae_source_error(reader->source, declaration->pos, "input '%s' depends on a variable",
                       dae_names_text(reader->names, entity->name));
      entity->value = NULL;
      return;
    }
    set_input(reader, entity, &value);
  }
  override_input(reader, index, &is_given);
  const bool all_are_symbols = list_input(reader, index, is_given);
  if (!is_given && !all_are_symbols) {
    entity = dae_reader_entity(reader, index);
    g_autofree char *value = entity->count > 0 && entity->value != NULL
                                 ? dae_term_to_string(reader->terms, entity->value[0])
                                 : g_strdup("0");
    dae_source_warning(reader->source, declaration->pos,
                       "input '%s' is held constant at its start value%s%s (--input gives it a "
                       "function of time)",
                       dae_names_text(reader->names, entity->name),
                       entity->count == 1 ? " " : "", entity->count == 1 ? value : "");
  }
  dae_arena_reset(reader->scratch);
}
