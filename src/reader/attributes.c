/* Attributes of declarations: start, fixed, min, max, nominal, unit,
 * displayUnit, quantity, stateSelect. */
#include "reader/attributes.h"

#include <string.h>

#include "base/suggest.h"
#include "reader/calls.h"

static const char *const attribute_words[DAE_N_ATTRIBUTES] = {
    "start", "fixed",       "min",      "max",         "nominal",
    "unit",  "displayUnit", "quantity", "stateSelect", "unbounded",
};

/* Wanted type of an attribute. */
static bool
type_fits(const DaeEntity *entity, DaeAttribute attribute, const DaeValue *value)
{
  switch (attribute) {
  case DAE_ATTRIBUTE_START:
  case DAE_ATTRIBUTE_MIN:
  case DAE_ATTRIBUTE_MAX:
    return value->type == entity->type ||
           (entity->type == DAE_VALUE_REAL && value->type == DAE_VALUE_INTEGER);
  case DAE_ATTRIBUTE_NOMINAL:
    return dae_value_is_numeric(value);
  case DAE_ATTRIBUTE_FIXED:
  case DAE_ATTRIBUTE_UNBOUNDED:
    return value->type == DAE_VALUE_BOOLEAN;
  case DAE_ATTRIBUTE_UNIT:
  case DAE_ATTRIBUTE_DISPLAY_UNIT:
  case DAE_ATTRIBUTE_QUANTITY:
    return value->type == DAE_VALUE_STRING;
  case DAE_ATTRIBUTE_STATE_SELECT:
    return value->type == DAE_VALUE_ENUMERATION &&
           value->enumeration == DAE_ENUMERATION_STATE_SELECT;
  case DAE_N_ATTRIBUTES:
    break;
  }
  return false;
}

static bool
find_attribute(const DaeReader *reader, uint32_t name, DaeAttribute *attribute)
{
  const char *text = dae_names_text(reader->names, name);
  for (int i = 0; i < DAE_N_ATTRIBUTES; i++) {
    if (*text == *attribute_words[i] && strcmp(text, attribute_words[i]) == 0) {
      *attribute = (DaeAttribute)i;
      return true;
    }
  }
  return false;
}

static void
report_unknown(DaeReader *reader, const DaeModification *modification)
{
  const char *text = dae_names_text(reader->names, modification->name);
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, text);
  for (int i = 0; i < DAE_N_ATTRIBUTES; i++) {
    dae_suggest_try(&suggest, attribute_words[i]);
  }
  if (suggest.best != NULL) {
    dae_source_error(reader->source, modification->pos,
                     "unknown attribute '%s'; did you mean '%s'?", text, suggest.best);
  } else {
    dae_source_error(reader->source, modification->pos, "unknown attribute '%s'", text);
  }
}

/* Only parameters and constants may stand in an attribute. */
static bool
is_parametric(DaeReader *reader, const DaeValue *value, const DaeModification *modification)
{
  if (!dae_value_is_numeric(value)) {
    return true;
  }
  for (uint32_t i = 0; i < value->count; i++) {
    DaeTerm t = dae_value_element(value, i);
    if (!dae_term_is_number(reader->terms, t) && !dae_term_is_parametric(reader->terms, t)) {
      dae_source_error(reader->source, modification->pos,
                       "attribute '%s' may depend on parameters only, not on variables or time",
                       dae_names_text(reader->names, modification->name));
      return false;
    }
  }
  return true;
}

/* Are the last dimensions those of the value? T x[2] with type T = Real[3](start = {1, 2, 3}). */
static bool
is_end_of(const DaeValue *value, const DaeValue *whole)
{
  bool is_end = value->n_dims <= whole->n_dims;
  for (uint32_t d = 0; is_end && d < value->n_dims; d++) {
    is_end = value->dims[d] == whole->dims[whole->n_dims - value->n_dims + d];
  }
  return is_end;
}

static void
read_attribute(DaeReader *reader, const DaeEntity *entity, DaeAttribute attribute,
               const DaeModification *modification, DaeAttributes *attributes)
{
  if (modification->code == 0) {
    dae_source_error(reader->source, modification->pos,
                     "the attribute '%s' has a value, and nothing to modify",
                     attribute_words[attribute]);
    return;
  }
  DaeValue value = dae_reader_evaluate(reader, modification->code);
  if (value.type == DAE_VALUE_POISON || value.opaque) {
    return;
  }
  if (value.n_dims > 0 && modification->is_each && entity->n_dims > 0 && entity->whole == 0) {
    g_autofree char *text = dae_value_size_text(&value);
    dae_source_error(reader->source, modification->pos,
                     "each element of '%s' has one '%s', this has size %s",
                     dae_names_text(reader->names, entity->name), attribute_words[attribute],
                     text);
    return;
  }
  DaeValue size = {.n_dims = (uint8_t)entity->n_dims, .dims = entity->dims};
  if (value.n_dims > 0) {
    value = dae_record_spread(reader, entity, &value, modification->code);
  }
  if (!type_fits(entity, attribute, &value)) {
    dae_source_error(reader->source, modification->pos, "attribute '%s' cannot be %s",
                     attribute_words[attribute], dae_value_type_text(&value));
    return;
  }
  bool is_repeated = modification->is_of_type && is_end_of(&value, &size);
  if (value.n_dims > 0 && !is_repeated && !dae_value_same_size(&value, &size)) {
    g_autofree char *left = dae_value_size_text(&size);
    g_autofree char *right = dae_value_size_text(&value);
    dae_source_error(
        reader->source, modification->pos, "'%s' has size %s, its attribute '%s' has size %s",
        dae_names_text(reader->names, entity->name), left, attribute_words[attribute], right);
    return;
  }
  if (is_parametric(reader, &value, modification)) {
    attributes->values[attribute] = value;
    attributes->given[attribute] = true;
  }
}

static void
read_modifications(DaeReader *reader, const DaeEntity *entity, uint32_t first, uint32_t n,
                   DaeAttributes *attributes, bool is_own)
{
  bool seen[DAE_N_ATTRIBUTES] = {false};
  for (uint32_t i = 0; i < n; i++) {
    DaeModification modification =
        g_array_index(reader->syntax->modifications, DaeModification, first + i);
    DaeAttribute attribute;
    if (!find_attribute(reader, modification.name, &attribute)) {
      report_unknown(reader, &modification);
    } else if (seen[attribute]) {
      dae_source_error(reader->source, modification.pos, "attribute '%s' is given twice",
                       attribute_words[attribute]);
    } else if (modification.is_break) {
      seen[attribute] = true;
    } else if (is_own || !attributes->given[attribute]) {
      modification.is_of_type = modification.is_of_type || !is_own;
      read_attribute(reader, entity, attribute, &modification, attributes);
      seen[attribute] = true;
    }
    i += modification.n_inner;
  }
}

void
dae_attributes_read(DaeReader *reader, const DaeEntity *entity, DaeAttributes *attributes)
{
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, entity->declaration);
  memset(attributes->given, 0, sizeof attributes->given);
  read_modifications(reader, entity, declaration->first_mod, declaration->n_mods, attributes,
                     true);
  uint32_t alias = entity->alias;
  while (alias != 0) {
    DaeTypeDefinition type = g_array_index(reader->syntax->types, DaeTypeDefinition, alias);
    read_modifications(reader, entity, type.first_mod, type.n_mods, attributes, false);
    alias =
        type.base == 0
            ? 0
            : GPOINTER_TO_UINT(g_hash_table_lookup(reader->types, GUINT_TO_POINTER(type.base)));
  }
}

DaeTerm
dae_attributes_term(const DaeAttributes *attributes, DaeAttribute attribute, uint32_t i)
{
  if (!attributes->given[attribute]) {
    return DAE_NO_TERM;
  }
  const DaeValue *value = &attributes->values[attribute];
  return dae_value_element(value, value->n_dims > 0 && value->count > 0 ? i % value->count : i);
}

bool
dae_attributes_bool(DaeReader *reader, const DaeAttributes *attributes, DaeAttribute attribute,
                    uint32_t i, bool otherwise)
{
  DaeTerm t = dae_attributes_term(attributes, attribute, i);
  DaeTerm closed = t != DAE_NO_TERM ? dae_reader_close(reader, t, false) : DAE_NO_TERM;
  if (closed == DAE_NO_TERM || dae_term_kind(reader->terms, closed) != DAE_KIND_BOOLEAN) {
    return otherwise;
  }
  return dae_term_get_bool(reader->terms, closed);
}

const char *
dae_attributes_string(const DaeReader *reader, const DaeAttributes *attributes,
                      DaeAttribute attribute, uint32_t i)
{
  DaeTerm name = dae_attributes_term(attributes, attribute, i);
  return name != DAE_NO_TERM ? dae_names_text(reader->names, name) : NULL;
}
