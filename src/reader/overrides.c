/* --set NAME=VALUE and --input NAME=EXPR. */
#include "reader/reader-priv.h"

#include <string.h>

#include "base/suggest.h"

/* The `=` that ends the name; a quoted name may hold one itself. */
static const char *
find_equals(const char *text)
{
  bool quoted = false;
  for (; *text != '\0'; text++) {
    if (*text == '\'') {
      quoted = !quoted;
    } else if (*text == '=' && !quoted) {
      return text;
    }
  }
  return NULL;
}

/* Splits "A[2,3]" into the name and its subscripts. */
static bool
split_subscripts(char *name, DaeOverride *override)
{
  char *open = strrchr(name, '[');
  size_t length = strlen(name);
  if (open == NULL || length == 0 || name[length - 1] != ']' || name[0] == '\'') {
    return false;
  }
  const char *at = open + 1;
  uint32_t n = 0;
  while (n < DAE_MAX_DIMENSIONS) {
    char *end = NULL;
    guint64 value = g_ascii_strtoull(at, &end, 10);
    if (end == at || value == 0 || value > DAE_MAX_ELEMENTS || (*end != ',' && *end != ']')) {
      return false;
    }
    override->subscripts[n++] = (uint32_t)value;
    if (*end == ']') {
      break;
    }
    at = end + 1;
  }
  override->n_subscripts = n;
  *open = '\0';
  return true;
}

static uint32_t
find_entity(const DaeReader *reader, const char *name)
{
  uint32_t id = dae_names_find(reader->names, name, strlen(name));
  uint32_t binding = id != 0 ? dae_names_binding(reader->names, id) : 0;
  return binding != 0 && dae_reader_entity(reader, binding)->kind != DAE_ENTITY_GROUP &&
                 dae_reader_entity(reader, binding)->kind != DAE_ENTITY_LITERAL
             ? binding
             : 0;
}

/* "; its parameters are L, g": where nothing is near and the list is short. */
static char *
list_of_names(const DaeReader *reader, bool inputs)
{
  enum { MOST = 12 };

  GString *list = g_string_new(NULL);
  uint32_t n = 0;
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    const DaeEntity *entity = dae_reader_entity(reader, i);
    if (entity->kind == (inputs ? DAE_ENTITY_INPUT : DAE_ENTITY_PARAMETER)) {
      const char *name = dae_names_text(reader->names, entity->name);
      g_string_append_printf(list, "%s%s", n == 0 ? "" : ", ", name);
      n++;
    }
  }
  const char *what = inputs ? "input" : "parameter";
  if (n == 0) {
    g_string_printf(list, "; it has no %ss", what);
  } else if (n > MOST) {
    g_string_truncate(list, 0);
  } else {
    g_autofree char *start = g_strdup_printf("; its %s%s ", what, n == 1 ? " is" : "s are");
    g_string_prepend(list, start);
  }
  return g_string_free(list, FALSE);
}

static bool
fail_unknown(const DaeReader *reader, const char *option, const char *name, bool inputs,
             GError **error)
{
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, name);
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    const DaeEntity *entity = dae_reader_entity(reader, i);
    bool fits = inputs
                    ? entity->kind == DAE_ENTITY_INPUT
                    : entity->kind <= DAE_ENTITY_PARAMETER || entity->kind == DAE_ENTITY_INPUT;
    if (fits) {
      dae_suggest_try(&suggest, dae_names_text(reader->names, entity->name));
    }
  }
  const char *what = inputs ? "input" : "parameter or variable";
  if (suggest.best != NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE,
                "%s: the model has no %s '%s'; did you mean '%s'?", option, what, name,
                suggest.best);
  } else {
    g_autofree char *list = list_of_names(reader, inputs);
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "%s: the model has no %s '%s'%s", option,
                what, name, list);
  }
  return false;
}

static bool
parse_value(DaeReader *reader, const DaeEntity *entity, const char *value,
            DaeOverride *override)
{
  DaeParser parser;
  const char *old = reader->source->context;
  reader->source->context = override->text;
  dae_parser_init(&parser, reader->source, reader->names, reader->syntax, value, strlen(value),
                  0);
  if (entity->type == DAE_VALUE_STRING && *value != '"') {
    override->code = reader->syntax->code->len;
    dae_parser_emit(&parser, DAE_OP_STRING, 0,
                    dae_names_intern(reader->names, value, strlen(value)), 0);
    dae_parser_emit(&parser, DAE_OP_RETURN, 0, 0, 0);
  } else {
    override->code = dae_parse_expression_code(&parser);
    if (override->code != 0 && parser.token.kind != DAE_TOKEN_EOF) {
      dae_parser_unexpected(&parser, "the end of the expression");
      override->code = 0;
    }
  }
  dae_parser_clear(&parser);
  reader->source->context = old;
  return override->code != 0;
}

static bool
check_kind(const DaeReader *reader, const char *option, uint32_t index, bool is_input,
           GError **error)
{
  const DaeEntity *entity = dae_reader_entity(reader, index);
  const char *name = dae_names_text(reader->names, entity->name);
  if (entity->kind == DAE_ENTITY_CONSTANT) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "%s: '%s' is a constant", option, name);
    return false;
  }
  if (is_input && entity->kind != DAE_ENTITY_INPUT) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "%s: '%s' is not an input", option, name);
    return false;
  }
  return true;
}

static bool
parse_override(DaeReader *reader, const char *text, bool is_input, GError **error)
{
  const char *option = is_input ? "--input" : "--set";
  const char *equals = find_equals(text);
  if (equals == NULL || equals == text) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "%s needs NAME=%s, not '%s'", option,
                is_input ? "EXPR" : "VALUE", text);
    return false;
  }
  DaeOverride override = {.text = g_strdup_printf("%s %s", option, text)};
  override.is_input = is_input;
  g_array_append_val(reader->overrides, override); /* owns the text from here on */
  g_autofree char *name = g_strstrip(g_strndup(text, (size_t)(equals - text)));
  g_autofree char *whole = g_strdup(name);
  override.entity = find_entity(reader, name);
  if (override.entity == 0 && split_subscripts(name, &override)) {
    override.entity = find_entity(reader, name);
  }
  if (override.entity == 0) {
    return fail_unknown(reader, option, whole, is_input, error);
  }
  if (!check_kind(reader, option, override.entity, is_input, error)) {
    return false;
  }
  DaeEntity *entity = dae_reader_entity(reader, override.entity);
  g_autofree char *value = g_strstrip(g_strdup(equals + 1));
  if (entity->is_broken) {
    return true;
  }
  if (!parse_value(reader, entity, value, &override)) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "%s",
                reader->source->option_message != NULL ? reader->source->option_message
                                                       : override.text);
    return false;
  }
  g_array_index(reader->overrides, DaeOverride, reader->overrides->len - 1) = override;
  bool whole_value =
      override.n_subscripts == 0 && (is_input || entity->kind == DAE_ENTITY_PARAMETER);
  if (whole_value) {
    entity->override = reader->overrides->len;
  }
  return true;
}

bool
dae_overrides_parse(DaeReader *reader, GError **error)
{
  const DaeReadOptions *options = reader->options;
  for (size_t i = 0;
       options != NULL && options->overrides != NULL && options->overrides[i] != NULL; i++) {
    if (!parse_override(reader, options->overrides[i], false, error)) {
      return false;
    }
  }
  for (size_t i = 0; options != NULL && options->inputs != NULL && options->inputs[i] != NULL;
       i++) {
    if (!parse_override(reader, options->inputs[i], true, error)) {
      return false;
    }
  }
  return true;
}

DaeValue
dae_overrides_evaluate(DaeReader *reader, const DaeOverride *override)
{
  const char *old = reader->source->context;
  reader->source->context = override->text;
  DaeValue value = dae_reader_evaluate(reader, override->code);
  const DaeEntity *entity = dae_reader_entity(reader, override->entity);
  if (value.type != DAE_VALUE_POISON && override->n_subscripts > 0) {
    DaeEntity element = *entity;
    element.n_dims = 0;
    element.dims = NULL;
    if (!dae_structure_check_value(reader, &element, &value, "element of", 0)) {
      value = dae_value_poison();
    }
  } else if (value.type != DAE_VALUE_POISON && entity->kind != DAE_ENTITY_PARAMETER &&
             !dae_structure_check_value(reader, entity, &value, "the start of", 0)) {
    value = dae_value_poison();
  }
  reader->source->context = old;
  return value;
}

bool
dae_overrides_index(DaeReader *reader, const DaeOverride *override, uint32_t *index)
{
  const DaeEntity *entity = dae_reader_entity(reader, override->entity);
  bool good = override->n_subscripts == entity->n_dims;
  *index = 0;
  for (uint32_t i = 0; good && i < entity->n_dims; i++) {
    good = override->subscripts[i] <= entity->dims[i];
    *index = *index * entity->dims[i] + override->subscripts[i] - 1;
  }
  if (!good) {
    const char *old = reader->source->context;
    reader->source->context = override->text;
    dae_source_error(reader->source, 0, "'%s' has no such element",
                     dae_names_text(reader->names, entity->name));
    reader->source->context = old;
  }
  return good;
}
