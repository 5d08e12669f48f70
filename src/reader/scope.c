/* Names to entities: which model, which types, which declarations; duplicates;
 * elements declared one by one. */
#include "lang/si_units.h"
#include "reader/calls.h"

#include <string.h>

#include "base/suggest.h"

static DaeClass *
class_at(const DaeReader *reader, uint32_t i)
{
  return &g_array_index(reader->syntax->classes, DaeClass, i);
}

static DaeTypeDefinition *
type_at(const DaeReader *reader, uint32_t i)
{
  return &g_array_index(reader->syntax->types, DaeTypeDefinition, i);
}

/* ---- which model ------------------------------------------------------------------------- */

static bool
name_matches(const DaeReader *reader, uint32_t i, const char *wanted)
{
  g_autoptr(GString) whole =
      g_string_new(dae_names_text(reader->names, class_at(reader, i)->name));
  bool matches = strcmp(whole->str, wanted) == 0;
  for (uint32_t p = class_at(reader, i)->parent; p != 0 && !matches;
       p = class_at(reader, p)->parent) {
    g_string_prepend_c(whole, '.');
    g_string_prepend(whole, dae_names_text(reader->names, class_at(reader, p)->name));
    matches = strcmp(whole->str, wanted) == 0;
  }
  return matches;
}

static bool
is_model(const DaeClass *class)
{
  return (class->flags & DAE_FLAG_IN_MODIFIER) == 0 &&
         (class->kind == DAE_CLASS_MODEL || class->kind == DAE_CLASS_CLASS ||
          class->kind == DAE_CLASS_BLOCK);
}

/* A partial model is none to choose where there is another. */
static bool
is_worse(const DaeReader *reader, uint32_t class)
{
  return reader->model != 0 && (class_at(reader, class)->flags & DAE_FLAG_PARTIAL) != 0 &&
         (class_at(reader, reader->model)->flags & DAE_FLAG_PARTIAL) == 0;
}

bool
dae_scope_choose_model(DaeReader *reader, GError **error)
{
  const char *wanted = reader->options != NULL ? reader->options->model : NULL;
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, wanted != NULL ? wanted : "");
  for (uint32_t i = 1; i < reader->syntax->classes->len; i++) {
    if (!is_model(class_at(reader, i))) {
      continue;
    }
    uint32_t parent = class_at(reader, i)->parent;
    if (wanted == NULL && parent != 0 && is_model(class_at(reader, parent))) {
      continue; /* a class inside a model is a part of it */
    }
    if (wanted == NULL ? !is_worse(reader, i) : name_matches(reader, i, wanted)) {
      reader->model = i; /* the last one */
    } else if (wanted != NULL) {
      dae_suggest_try(&suggest, dae_names_text(reader->names, class_at(reader, i)->name));
    }
  }
  if (reader->model != 0) {
    return true;
  }
  if (wanted != NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "%s has no model '%s'%s%s%s",
                reader->source->file, wanted, suggest.best != NULL ? "; did you mean '" : "",
                suggest.best != NULL ? suggest.best : "", suggest.best != NULL ? "'?" : "");
    return false;
  }
  if (reader->source->n_errors == 0) {
    dae_source_error(reader->source, (uint32_t)reader->source->length,
                     "there is no model in this file");
  }
  return true;
}

static bool
is_in_scope(const DaeReader *reader, uint32_t owner)
{
  uint32_t class = reader->model;
  while (class != owner && class != 0) {
    class = class_at(reader, class)->parent;
  }
  return class == owner;
}

/* ---- types ------------------------------------------------------------------------------- */

static uint32_t
find_type(const DaeReader *reader, uint32_t name)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(reader->types, GUINT_TO_POINTER(name)));
}

static bool
builtin_type(const char *name, DaeValueType *type)
{
  static const struct {
    const char *name;
    DaeValueType type;
  } table[] = {{"Real", DAE_VALUE_REAL},
               {"Integer", DAE_VALUE_INTEGER},
               {"Boolean", DAE_VALUE_BOOLEAN},
               {"String", DAE_VALUE_STRING},
               {"Clock", DAE_VALUE_CLOCK},
               {"StateSelect", DAE_VALUE_ENUMERATION},
               {"AssertionLevel", DAE_VALUE_ENUMERATION}};

  name += *name == '.' ? 1 : 0; /* from the top [MLS 3.6, 5.3.3] */
  for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
    if (strcmp(name, table[i].name) == 0) {
      *type = table[i].type;
      return true;
    }
  }
  /* Flat text has none of these, but people write them, and all of them are Real with a unit. */
  if (dae_si_is_type(name)) {
    *type = DAE_VALUE_REAL;
    return true;
  }
  return false;
}

static void
report_unknown_type(DaeReader *reader, uint32_t name, uint32_t pos)
{
  const char *text = dae_names_text(reader->names, name);
  static const char *const builtin[] = {"Real", "Integer", "Boolean", "String"};
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, text);
  for (size_t i = 0; i < G_N_ELEMENTS(builtin); i++) {
    dae_suggest_try(&suggest, builtin[i]);
  }
  for (uint32_t i = 1; i < reader->syntax->types->len; i++) {
    dae_suggest_try(&suggest, dae_names_text(reader->names, type_at(reader, i)->name));
  }
  if (suggest.best != NULL) {
    dae_source_error(reader->source, pos, "unknown type '%s'; did you mean '%s'?", text,
                     suggest.best);
  } else {
    dae_source_error(reader->source, pos,
                     "unknown type '%s': no built-in type, and no class of this file or of the "
                     "libraries",
                     text);
  }
}

uint32_t
dae_scope_find_type(const DaeReader *reader, uint32_t name)
{
  return find_type(reader, name);
}

/* Does the type stand for an array? */
bool
dae_scope_type_has_dims(const DaeReader *reader, uint32_t name)
{
  uint32_t alias = find_type(reader, name);
  for (uint32_t steps = 0; alias != 0 && steps < reader->syntax->types->len; steps++) {
    const DaeTypeDefinition *type = type_at(reader, alias);
    if (type->n_dims > 0) {
      return true;
    }
    alias = type->base != 0 ? find_type(reader, type->base) : 0;
  }
  return false;
}

/* A class with a function `constructor`. */
static bool
is_external_object(const DaeReader *reader, uint32_t name)
{
  g_autofree char *text =
      g_strconcat(dae_names_text(reader->names, name), ".constructor", NULL);
  uint32_t constructor = dae_names_find(reader->names, text, strlen(text));
  return constructor != 0 && dae_call_find(reader, constructor) != 0;
}

uint32_t
dae_scope_enumeration(const DaeReader *reader, uint32_t type)
{
  const DaeTypeDefinition *own = type_at(reader, type);
  const uint32_t *names = (const uint32_t *)(const void *)reader->syntax->literals->data;
  for (uint32_t i = 1; i < type; i++) {
    const DaeTypeDefinition *other = type_at(reader, i);
    if (other->base == 0 && !other->is_open && other->n_literals == own->n_literals &&
        own->n_literals > 0 &&
        memcmp(names + other->first_literal, names + own->first_literal,
               own->n_literals * sizeof *names) == 0) {
      return i;
    }
  }
  return type;
}

/* Follows aliases to the builtin type. The chain is no longer than the
 * number of types, or it is a cycle. */
bool
dae_scope_resolve_type(DaeReader *reader, uint32_t name, uint32_t pos, DaeEntity *entity)
{
  uint32_t alias = find_type(reader, name);
  entity->alias = alias;
  for (uint32_t steps = 0; alias != 0; steps++) {
    const DaeTypeDefinition *type = type_at(reader, alias);
    if (steps > reader->syntax->types->len) {
      dae_source_error(reader->source, type->pos, "type '%s' stands for itself",
                       dae_names_text(reader->names, type->name));
      entity->alias = 0;
      return false;
    }
    if (type->base == 0) {
      entity->type = DAE_VALUE_ENUMERATION;
      entity->enumeration = dae_scope_enumeration(reader, alias);
      return true;
    }
    name = type->base;
    alias = find_type(reader, name);
  }
  uint32_t record =
      GPOINTER_TO_UINT(g_hash_table_lookup(reader->records, GUINT_TO_POINTER(name)));
  if (record != 0) {
    entity->type = DAE_VALUE_RECORD;
    entity->record = record;
    return true;
  }
  if (dae_call_find(reader, name) != 0) {
    entity->type = DAE_VALUE_FUNCTION;
    return true;
  }
  if (is_external_object(reader, name) ||
      strcmp(dae_names_text(reader->names, name), "ExternalObject") == 0) {
    entity->type = DAE_VALUE_INTEGER; /* its number */
    return true;
  }
  DaeValueType builtin = DAE_VALUE_REAL;
  if (!builtin_type(dae_names_text(reader->names, name), &builtin)) {
    report_unknown_type(reader, name, pos);
    return false;
  }
  entity->type = (uint8_t)builtin;
  entity->si_unit = dae_si_unit(dae_names_text(reader->names, name));
  if (entity->type == DAE_VALUE_ENUMERATION) {
    entity->enumeration = strcmp(dae_names_text(reader->names, name), "StateSelect") == 0
                              ? DAE_ENUMERATION_STATE_SELECT
                              : DAE_ENUMERATION_ASSERTION_LEVEL;
  }
  return true;
}

static void
bind_literals(DaeReader *reader, uint32_t index)
{
  const DaeTypeDefinition *type = type_at(reader, index);
  for (uint32_t i = 0; i < type->n_literals; i++) {
    uint32_t literal =
        g_array_index(reader->syntax->literals, uint32_t, type->first_literal + i);
    g_string_assign(reader->text, dae_names_text(reader->names, type->name));
    g_string_append_c(reader->text, '.');
    g_string_append(reader->text, dae_names_text(reader->names, literal));
    DaeEntity entity = {.kind = DAE_ENTITY_LITERAL,
                        .type = DAE_VALUE_ENUMERATION,
                        .enumeration = dae_scope_enumeration(reader, index),
                        .count = 1,
                        .state = 2};
    entity.name = dae_names_intern(reader->names, reader->text->str, reader->text->len);
    entity.literal = dae_term_int(reader->terms, (int64_t)i + 1);
    dae_names_bind(reader->names, entity.name, reader->entities->len);
    g_array_append_val(reader->entities, entity);
  }
}

static void
collect_types(DaeReader *reader)
{
  for (uint32_t i = 1; i < reader->syntax->types->len; i++) {
    const DaeTypeDefinition *type = type_at(reader, i);
    if (!is_in_scope(reader, type->owner)) {
      continue;
    }
    DaeValueType builtin;
    if (builtin_type(dae_names_text(reader->names, type->name), &builtin) ||
        find_type(reader, type->name) != 0) {
      dae_source_error(reader->source, type->pos, "type '%s' is already there",
                       dae_names_text(reader->names, type->name));
      continue;
    }
    g_hash_table_insert(reader->types, GUINT_TO_POINTER(type->name), GUINT_TO_POINTER(i));
    bind_literals(reader, i);
  }
}

const DaeModification *
dae_scope_attribute(const DaeReader *reader, const DaeEntity *entity, const char *name)
{
  uint32_t id = dae_names_find(reader->names, name, strlen(name));
  if (id == 0 || entity->declaration == 0) {
    return NULL;
  }
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, entity->declaration);
  uint32_t first = declaration->first_mod;
  uint32_t n = declaration->n_mods;
  uint32_t alias = entity->alias;
  while (true) {
    const DaeModification *modification = dae_syntax_modification(reader->syntax, first, n, id);
    if (modification != NULL && modification->code != 0) {
      return modification;
    }
    if (alias == 0) {
      return NULL;
    }
    const DaeTypeDefinition *type = type_at(reader, alias);
    first = type->first_mod;
    n = type->n_mods;
    alias = type->base != 0 ? find_type(reader, type->base) : 0;
  }
}

/* ---- declarations ------------------------------------------------------------------------ */

static DaeEntityKind
kind_of(const DaeDeclaration *declaration)
{
  if ((declaration->flags & DAE_FLAG_CONSTANT) != 0) {
    return DAE_ENTITY_CONSTANT;
  }
  if ((declaration->flags & DAE_FLAG_PARAMETER) != 0) {
    return DAE_ENTITY_PARAMETER;
  }
  return (declaration->flags & DAE_FLAG_INPUT) != 0 ? DAE_ENTITY_INPUT : DAE_ENTITY_VARIABLE;
}

/* Integer n = 3: what has a constant value is as good as a constant;
 * stage 1 finds out whether it has. */
static bool
check_variability(DaeReader *reader, const DaeDeclaration *declaration, DaeEntity *entity)
{
  bool varies = entity->kind == DAE_ENTITY_VARIABLE || entity->kind == DAE_ENTITY_INPUT;
  bool is_open_text = entity->kind == DAE_ENTITY_VARIABLE && entity->type == DAE_VALUE_STRING &&
                      declaration->binding == 0;
  entity->changes = is_open_text && dae_text_changes(reader, entity->name);
  if (entity->changes) {
    return true;
  }
  if (is_open_text &&
      !dae_text_find_value(reader, entity->declaration, entity->name, entity->is_element)) {
    entity->is_late = true;
    return true;
  }
  bool has_value = declaration->binding != 0 && entity->kind == DAE_ENTITY_VARIABLE;
  if (varies && entity->type == DAE_VALUE_STRING && !has_value) {
    dae_source_unsupported(reader->source, declaration->pos, "String inputs ('%s')",
                           dae_names_text(reader->names, declaration->name));
    return false;
  }
  if (entity->type == DAE_VALUE_CLOCK) {
    if (entity->kind == DAE_ENTITY_PARAMETER || entity->kind == DAE_ENTITY_CONSTANT ||
        (declaration->flags & DAE_FLAG_DISCRETE) != 0) {
      dae_source_error(reader->source, declaration->pos,
                       "a clock is no parameter, no constant and not discrete: '%s'",
                       dae_names_text(reader->names, declaration->name));
      return false;
    }
    entity->kind = DAE_ENTITY_VARIABLE;
    return true;
  }
  if (has_value && entity->type != DAE_VALUE_REAL && entity->type != DAE_VALUE_RECORD) {
    entity->kind = DAE_ENTITY_CONSTANT;
    entity->is_implicit_constant = true;
  }
  return true;
}

void
dae_scope_report_duplicate(DaeReader *reader, uint32_t name, uint32_t pos, uint32_t first)
{
  const char *text = dae_names_text(reader->names, name);
  uint32_t declaration = dae_reader_entity(reader, first)->declaration;
  if (declaration == 0) {
    dae_source_error(reader->source, pos, "'%s' is declared twice", text);
    return;
  }
  DaeSpan span =
      dae_source_span(reader->source, dae_syntax_declaration(reader->syntax, declaration)->pos);
  dae_source_error(reader->source, pos, "'%s' is declared twice, first in line %u", text,
                   span.line);
}

/* r.x, declared behind r: a member of r, which is the record that was
 * entered last and is not over yet. */
static void
enter_record(DaeReader *reader, DaeEntity *entity)
{
  const char *text = dae_names_text(reader->names, entity->name);
  const char *dot = strrchr(text, '.');
  DAE_ASSERT(dot != NULL);
  uint32_t name = dae_names_find(reader->names, text, (size_t)(dot - text));
  uint32_t whole = name != 0 ? dae_names_binding(reader->names, name) : 0;
  if (!dae_binding_is_entity(whole) ||
      dae_reader_entity(reader, whole)->kind != DAE_ENTITY_RECORD) {
    return; /* of a type that could not be read */
  }
  entity->whole = whole;
  entity->member = dae_names_intern(reader->names, dot + 1, strlen(dot + 1));
  for (uint32_t at = whole; at != 0; at = dae_reader_entity(reader, at)->whole) {
    dae_reader_entity(reader, at)->n_members = reader->entities->len - at;
  }
}

/* The next entity has this name, and the same with a dot before it where functions use that for
 * what their arguments hide. */
static void
bind(DaeReader *reader, uint32_t name)
{
  uint32_t binding = reader->entities->len;
  dae_names_bind(reader->names, name, binding);
  if (reader->flat != NULL) {
    g_string_assign(reader->text, ".");
    g_string_append(reader->text, dae_names_text(reader->names, name));
    uint32_t outside = dae_names_find(reader->names, reader->text->str, reader->text->len);
    if (outside != 0) {
      dae_names_bind(reader->names, outside, binding);
    }
  }
}

/* What the declaration before resolved its type to: most have the type of their neighbour. */
typedef struct {
  uint32_t name; /* of the type; 0: none yet */
  DaeEntity entity;
} TypeMemo;

static bool
resolve_type(DaeReader *reader, const DaeDeclaration *declaration, TypeMemo *memo,
             DaeEntity *entity)
{
  if (memo->name != declaration->type) {
    bool is_good =
        dae_scope_resolve_type(reader, declaration->type, declaration->type_pos, entity);
    *memo = (TypeMemo){is_good ? declaration->type : 0, *entity};
    return is_good;
  }
  entity->type = memo->entity.type;
  entity->alias = memo->entity.alias;
  entity->enumeration = memo->entity.enumeration;
  entity->record = memo->entity.record;
  entity->si_unit = memo->entity.si_unit;
  return true;
}

static void
add_declaration(DaeReader *reader, uint32_t index, bool is_element, TypeMemo *memo)
{
  const DaeDeclaration *declaration = dae_syntax_declaration(reader->syntax, index);
  uint32_t name = is_element ? dae_elements_enter(reader, declaration) : declaration->name;
  if (name == 0) {
    return;
  }
  uint32_t first = dae_names_binding(reader->names, name);
  if (first != 0) {
    dae_scope_report_duplicate(reader, name, declaration->pos, first);
    return;
  }
  if (strcmp(dae_names_text(reader->names, name), "time") == 0) {
    dae_source_error(reader->source, declaration->pos,
                     "'time' is built in and cannot be declared");
    return;
  }
  DaeEntity entity = {.kind = kind_of(declaration), .declaration = index, .name = name};
  entity.is_element = is_element;
  entity.is_broken = (declaration->flags & DAE_FLAG_BROKEN) != 0 ||
                     !resolve_type(reader, declaration, memo, &entity) ||
                     !check_variability(reader, declaration, &entity);
  bool is_record = !entity.is_broken && entity.type == DAE_VALUE_RECORD;
  if (is_record) {
    entity.kind = DAE_ENTITY_RECORD;
  }
  if ((declaration->flags & DAE_FLAG_MEMBER) != 0) {
    enter_record(reader, &entity);
  }
  bind(reader, name);
  g_array_append_val(reader->entities, entity);
  if (is_record && (declaration->flags & DAE_FLAG_TAKEN_APART) == 0 &&
      !dae_record_expand(reader, reader->entities->len - 1)) {
    dae_reader_entity(reader, reader->entities->len - 1)->is_broken = true;
  }
}

void
dae_scope_add_member(DaeReader *reader, uint32_t index, uint32_t whole, uint32_t name,
                     uint32_t n_outer)
{
  const DaeDeclaration *declaration = dae_syntax_declaration(reader->syntax, index);
  uint32_t first = dae_names_binding(reader->names, declaration->name);
  if (first != 0) {
    dae_scope_report_duplicate(reader, declaration->name, declaration->pos, first);
    return;
  }
  DaeEntity entity = {.kind = kind_of(declaration),
                      .declaration = index,
                      .name = declaration->name,
                      .whole = whole,
                      .member = name,
                      .n_outer = (uint16_t)MIN(n_outer, UINT16_MAX)};
  entity.is_broken =
      !dae_scope_resolve_type(reader, declaration->type, declaration->type_pos, &entity) ||
      !check_variability(reader, declaration, &entity);
  if (!entity.is_broken && entity.type == DAE_VALUE_RECORD) {
    entity.kind = DAE_ENTITY_RECORD;
  }
  bind(reader, entity.name);
  g_array_append_val(reader->entities, entity);
}

bool
dae_scope_build(DaeReader *reader)
{
  g_autoptr(GArray) is_element = dae_elements_find(reader);
  collect_types(reader);
  TypeMemo memo = {0};
  uint32_t n = reader->syntax->declarations->len; /* those of members come behind */
  for (uint32_t i = 1; i < n; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(reader->syntax, i);
    if (!is_in_scope(reader, declaration->owner)) {
      continue;
    }
    if (declaration->owner != reader->model && (declaration->flags & DAE_FLAG_CONSTANT) == 0) {
      dae_source_error(reader->source, declaration->pos,
                       "only constants can be declared outside the model");
      continue;
    }
    add_declaration(reader, i,
                    i < is_element->len && g_array_index(is_element, uint8_t, i) != 0, &memo);
  }
  return true;
}
