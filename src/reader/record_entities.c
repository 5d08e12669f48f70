/* Variables of record type: R r becomes one entity for each member, r.x,
 * r.y ..., and one for the whole.
 *
 * The declarations of the members are made here: their code is that of the record (record_code.c);
 * modifiers and the value of r come before what the record says. */
#include "reader/calls.h"

#include <string.h>

#define MAX_NESTING 50u

/* ---- modifiers --------------------------------------------------------------------------- */

/* to NULL: names stay. */
static void
append_modification(DaeReader *reader, DaeModification m, const DaeRecordPlace *to)
{
  if (to != NULL && m.code != 0 && !m.is_component && !m.is_class) {
    uint32_t start = reader->syntax->code->len;
    dae_record_copy_value(reader, to, m.code);
    m.code = dae_record_end_code(reader, start, m.pos);
  }
  g_array_append_val(reader->syntax->modifications, m);
}

static bool
has_modification(const DaeReader *reader, uint32_t first, uint32_t n, uint32_t name)
{
  for (uint32_t i = 0; i < n;
       i += 1 + dae_syntax_modifier(reader->syntax, first + i)->n_inner) {
    if (dae_syntax_modifier(reader->syntax, first + i)->name == name) {
      return true;
    }
  }
  return false;
}

/* What the modifiers of r say about member x: x(...) = value, or x.y(...)
 * of a member that is a record. */
static void
take_modifiers(DaeReader *reader, const DaeDeclaration *of, uint32_t member,
               DaeDeclaration *made)
{
  const char *name = dae_names_text(reader->names, member);
  size_t length = strlen(name);
  made->first_mod = reader->syntax->modifications->len;
  for (uint32_t i = 0; i < of->n_mods;) {
    const DaeModification m = *dae_syntax_modifier(reader->syntax, of->first_mod + i);
    const char *text = dae_names_text(reader->names, m.name);
    if (m.name == member) {
      made->binding = m.code != 0 ? m.code : made->binding;
      for (uint32_t k = 1; k <= m.n_inner; k++) {
        DaeModification inner = *dae_syntax_modifier(reader->syntax, of->first_mod + i + k);
        append_modification(reader, inner, NULL);
      }
    } else if (strncmp(text, name, length) == 0 && text[length] == '.') {
      DaeModification shorter = m;
      shorter.name =
          dae_names_intern(reader->names, text + length + 1, strlen(text + length + 1));
      append_modification(reader, shorter, NULL);
      for (uint32_t k = 1; k <= m.n_inner; k++) {
        DaeModification inner = *dae_syntax_modifier(reader->syntax, of->first_mod + i + k);
        append_modification(reader, inner, NULL);
      }
    }
    i += 1 + m.n_inner;
  }
  made->n_mods = reader->syntax->modifications->len - made->first_mod;
}

static bool
is_record_type(const DaeReader *reader, uint32_t name)
{
  uint32_t alias = dae_scope_find_type(reader, name);
  for (uint32_t steps = 0; alias != 0 && steps < reader->syntax->types->len; steps++) {
    name = dae_syntax_type(reader->syntax, alias)->base;
    alias = name != 0 ? dae_scope_find_type(reader, name) : 0;
  }
  return g_hash_table_contains(reader->records, GUINT_TO_POINTER(name));
}

/* Then what the record itself says, where nothing was said yet. A value of the whole comes before
 * values of parts of this member: R r = S(...) with R(Point p(x = 5)) has the p of S. */
static void
add_own_modifiers(DaeReader *reader, const DaeRecordPlace *to, const DaeDeclaration *member,
                  DaeDeclaration *made)
{
  bool has_values = made->binding != 0 && is_record_type(reader, member->type);
  for (uint32_t i = 0; i < member->n_mods;) {
    const DaeModification m = *dae_syntax_modifier(reader->syntax, member->first_mod + i);
    bool known = has_modification(reader, made->first_mod, made->n_mods, m.name);
    for (uint32_t k = 0; k <= m.n_inner && !known; k++) {
      DaeModification own = *dae_syntax_modifier(reader->syntax, member->first_mod + i + k);
      own.code = k == 0 && has_values ? 0 : own.code;
      append_modification(reader, own, to);
    }
    i += 1 + m.n_inner;
  }
  made->n_mods = reader->syntax->modifications->len - made->first_mod;
}

/* ---- declarations ------------------------------------------------------------------------ */

static uint32_t
joined_dims(DaeReader *reader, const DaeRecordPlace *to, const DaeDeclaration *of,
            const DaeDeclaration *member)
{
  uint32_t start = reader->syntax->code->len;
  dae_record_copy_code(reader, NULL, of->dims_code);
  dae_record_copy_code(reader, NULL, of->type_dims_code);
  dae_record_copy_sizes(reader, to, member->dims_code, member->n_dims);
  dae_record_copy_sizes(reader, to, member->type_dims_code, member->n_type_dims);
  return dae_record_end_code(reader, start, member->pos);
}

/* The value of member x: a modifier, the member of r's value, or what the record says. */
static uint32_t
member_binding(DaeReader *reader, const DaeRecordPlace *to, const DaeDeclaration *of,
               const DaeDeclaration *member, uint32_t modifier)
{
  uint32_t start = reader->syntax->code->len;
  if (modifier != 0) {
    return modifier;
  }
  if (of->binding != 0) {
    dae_record_copy_code(reader, NULL, of->binding);
    dae_syntax_emit(reader->syntax, DAE_OP_MEMBER, 0, member->name,
                    dae_syntax_begin_of(reader->syntax, of->binding));
  } else if (member->binding != 0) {
    dae_record_copy_value(reader, to, member->binding);
  }
  return dae_record_end_code(reader, start, of->pos);
}

static uint32_t
declare_member(DaeReader *reader, uint32_t record, uint32_t of_index, uint32_t member_index)
{
  const DaeDeclaration of = *dae_syntax_declaration(reader->syntax, of_index);
  const DaeDeclaration member = *dae_syntax_declaration(reader->syntax, member_index);
  DaeDeclaration made = member;
  g_autofree char *name = g_strconcat(dae_names_text(reader->names, of.name), ".",
                                      dae_names_text(reader->names, member.name), NULL);
  made.name = dae_names_intern(reader->names, name, strlen(name));
  made.pos = of.pos;
  made.owner = of.owner;
  made.flags = (member.flags & ~(uint32_t)DAE_FLAG_LITERAL_DIMS) |
               (of.flags & (DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT | DAE_FLAG_DISCRETE |
                            DAE_FLAG_INPUT | DAE_FLAG_OUTPUT | DAE_FLAG_PROTECTED));
  made.binding = 0;
  take_modifiers(reader, &of, member.name, &made);
  const DaeRecordPlace to = {record, of.name, of.n_dims + of.n_type_dims};
  made.binding = member_binding(reader, &to, &of, &member, made.binding);
  add_own_modifiers(reader, &to, &member, &made);
  made.dims_code = joined_dims(reader, &to, &of, &member);
  made.n_dims = (uint16_t)(of.n_dims + of.n_type_dims + member.n_dims + member.n_type_dims);
  made.type_dims_code = 0;
  made.n_type_dims = 0;
  made.description = member.description != 0 ? member.description : of.description;
  g_array_append_val(reader->syntax->declarations, made);
  return reader->syntax->declarations->len - 1;
}

static bool
is_member(const DaeReader *reader, const uint32_t *members, uint32_t n, const char *text)
{
  for (uint32_t i = 0; i < n; i++) {
    const char *name =
        dae_names_text(reader->names, dae_syntax_declaration(reader->syntax, members[i])->name);
    size_t length = strlen(name);
    if (strncmp(text, name, length) == 0 && strchr(".[", text[length]) != NULL) {
      return true; /* its end, too, is a character of the text searched */
    }
  }
  return false;
}

/* Modifiers of what the record does not have would be lost. */
static void
check_modifiers(DaeReader *reader, const DaeDeclaration *of, uint32_t record)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, record, &n);
  for (uint32_t i = 0; i < of->n_mods;) {
    const DaeModification *m = dae_syntax_modifier(reader->syntax, of->first_mod + i);
    const char *text = dae_names_text(reader->names, m->name);
    if (!m->is_class && !is_member(reader, members, n, text)) {
      dae_source_error(reader->source, m->pos, "'%s' has no member '%s'",
                       dae_names_text(reader->names, of->name), text);
    }
    i += 1 + m->n_inner;
  }
}

/* The members of the record entity become entities, right behind it. False: reported. */
bool
dae_record_expand(DaeReader *reader, uint32_t whole)
{
  DaeEntity entity = *dae_reader_entity(reader, whole);
  uint32_t n = 0;
  uint32_t depth = 0;
  const uint32_t *members = dae_call_members(reader, entity.record, &n);
  for (uint32_t at = entity.whole; at != 0; at = dae_reader_entity(reader, at)->whole) {
    depth++;
  }
  if (depth > MAX_NESTING) {
    dae_source_error(reader->source,
                     dae_syntax_declaration(reader->syntax, entity.declaration)->pos,
                     "more than %u records inside each other", MAX_NESTING);
    return false;
  }
  check_modifiers(reader, dae_syntax_declaration(reader->syntax, entity.declaration),
                  entity.record);
  uint32_t n_outer = dae_syntax_declaration(reader->syntax, entity.declaration)->n_dims +
                     dae_syntax_declaration(reader->syntax, entity.declaration)->n_type_dims;
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *member = dae_syntax_declaration(reader->syntax, members[i]);
    uint32_t name = member->name;
    uint32_t made = declare_member(reader, entity.record, entity.declaration, members[i]);
    uint32_t first = reader->entities->len;
    dae_scope_add_member(reader, made, whole, name, n_outer);
    if (first < reader->entities->len &&
        dae_reader_entity(reader, first)->kind == DAE_ENTITY_RECORD &&
        !dae_reader_entity(reader, first)->is_broken && !dae_record_expand(reader, first)) {
      return false;
    }
  }
  dae_reader_entity(reader, whole)->n_members = reader->entities->len - whole - 1;
  return true;
}

uint32_t
dae_record_find_member(const DaeReader *reader, uint32_t whole, uint32_t member)
{
  const DaeEntity *entity = dae_reader_entity(reader, whole);
  uint32_t n = entity->kind == DAE_ENTITY_RECORD ? entity->n_members : 0;
  for (uint32_t i = whole + 1; i <= whole + n; i++) {
    const DaeEntity *part = dae_reader_entity(reader, i);
    if (part->whole == whole && part->member == member) {
      return i;
    }
  }
  return 0;
}

/* ---- values ------------------------------------------------------------------------------ */

static uint32_t
outermost(const DaeReader *reader, uint32_t entity)
{
  while (dae_reader_entity(reader, entity)->whole != 0) {
    entity = dae_reader_entity(reader, entity)->whole;
  }
  return entity;
}

/* Does the value depend on members of the same record? Then it is another one in each element. */
static bool
uses_siblings(DaeReader *reader, const DaeEntity *entity, uint32_t code)
{
  uint32_t whole = outermost(reader, entity->whole);
  for (uint32_t pc = code; pc != 0 && dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN;
       pc++) {
    uint32_t used = dae_structure_used_entity(reader, pc);
    if (dae_binding_is_entity(used) && outermost(reader, used) == whole) {
      return true;
    }
  }
  return false;
}

/* A value of the record itself, or one with `each`, is that of every element of an array of
 * records. One that is made of other members has the dimensions of the array; with `each` (Real
 * x[2](each start = a)) it is that of every element of the member. */
DaeValue
dae_record_spread(DaeReader *reader, const DaeEntity *entity, const DaeValue *value,
                  uint32_t code)
{
  uint32_t missing = entity->n_dims - value->n_dims;
  if (value->type >= DAE_VALUE_RECORD || value->opaque) {
    return *value;
  }
  bool by_element = entity->n_outer > 0 && uses_siblings(reader, entity, code);
  if (by_element && entity->count == 0 && value->count == 0) { /* no element, so no value */
    DaeValue none = *value;
    none.type = entity->type;
    none.enumeration = entity->enumeration;
    none.n_dims = (uint8_t)entity->n_dims;
    none.dims = entity->dims;
    return none;
  }
  if (value->n_dims >= entity->n_dims) {
    return *value;
  }
  const uint32_t *dims = entity->dims + (by_element ? 0 : missing);
  if ((by_element ? value->n_dims < entity->n_outer : missing > entity->n_outer) ||
      (value->n_dims > 0 && memcmp(dims, value->dims, value->n_dims * sizeof(uint32_t)) != 0)) {
    return *value;
  }
  uint32_t n = value->n_dims == 0 ? 1 : value->count;
  uint32_t of_each = n > 0 ? entity->count / n : 0;
  DaeTerm *data = dae_value_new_data(reader, MAX(entity->count, 1u));
  for (uint32_t k = 0; k < entity->count; k++) {
    data[k] = dae_value_element(value, by_element ? k / of_each : k % n);
  }
  return dae_value_like(reader, value, entity->n_dims, entity->dims, data, entity->count);
}

/* The value of one member with the dimensions of r in front, as a member of one record. */
static DaeValue
one_member(DaeReader *reader, const DaeValue *value, uint32_t n_outer)
{
  DaeValue one = *value;
  one.n_dims = (uint8_t)(value->n_dims - n_outer);
  one.dims = n_outer == 0 ? value->dims : value->dims + n_outer; /* a scalar has none */
  dae_dimensions_count(one.n_dims, one.dims, &one.count);
  (void)reader;
  return one;
}

/* A parameter without value: an unknown part of the record, a
 * mistake only where it is asked for. */
static DaeValue
load_member(DaeReader *reader, const DaeEntity *member, uint32_t pos)
{
  bool is_empty = !reader->is_structural && !member->is_broken && member->value != NULL &&
                  member->count > 0 && member->value[0] == DAE_NO_TERM;
  if (!is_empty) {
    return dae_reader_load(reader, member->name, pos);
  }
  DaeTerm *data = dae_value_new_data(reader, member->count);
  memset(data, 0, member->count * sizeof(DaeTerm));
  DaeValue value =
      dae_value_array(reader, member->type, member->n_dims, member->dims, data, member->count);
  value.enumeration = member->enumeration;
  value.is_incomplete = true;
  return value;
}

/* Length of the name of a member without subscripts: x[2] is one element of a member
 * that is an array of records. */
static size_t
bare_length(const DaeReader *reader, uint32_t name)
{
  const char *text = dae_names_text(reader->names, name);
  const char *open = *text != '\'' ? strchr(text, '[') : NULL;
  return open != NULL ? (size_t)(open - text) : strlen(text);
}

/* The elements of one member from entity *i on, as an array; *i is the last of them afterwards. */
static DaeValue
load_elements(DaeReader *reader, uint32_t whole, uint32_t last, uint32_t *i, uint32_t pos)
{
  uint32_t first = dae_reader_entity(reader, *i)->member;
  size_t length = bare_length(reader, first);
  g_autoptr(GArray) elements = g_array_new(FALSE, TRUE, sizeof(DaeValue));
  uint32_t name = first;
  for (uint32_t k = *i; k <= last; k++) {
    const DaeEntity member = *dae_reader_entity(reader, k);
    if (member.whole != whole) {
      continue;
    }
    if (bare_length(reader, member.member) != length ||
        memcmp(dae_names_text(reader->names, first),
               dae_names_text(reader->names, member.member), length) != 0) {
      break;
    }
    DaeValue element = load_member(reader, &member, pos);
    if (element.type == DAE_VALUE_POISON) {
      return element;
    }
    g_array_append_val(elements, element);
    name = member.member;
    *i = k;
  }
  uint32_t dims[DAE_MAX_DIMENSIONS];
  uint32_t n_dims = 0;
  const char *at = dae_names_text(reader->names, name) + length + 1;
  while (*at != '\0' && n_dims < DAE_MAX_DIMENSIONS) {
    char *end = NULL;
    dims[n_dims++] = (uint32_t)g_ascii_strtoull(at, &end, 10);
    at = *end != '\0' ? end + 1 : end;
  }
  DaeValue *values = (DaeValue *)(void *)elements->data;
  bool opaque = false;
  bool no_value = false;
  bool is_incomplete = false;
  for (guint k = 0; k < elements->len; k++) {
    opaque = opaque || values[k].opaque;
    no_value = no_value || values[k].no_value;
    is_incomplete = is_incomplete || values[k].is_incomplete;
    values[k].opaque = false;
  }
  DaeValue flat = dae_array_construct(reader, values, elements->len, pos);
  if (flat.type == DAE_VALUE_POISON) {
    return flat;
  }
  DaeValue value = dae_value_like(reader, &flat, n_dims, dims, flat.data, flat.count);
  value.opaque = opaque;
  value.no_value = no_value;
  value.is_incomplete = is_incomplete;
  return value;
}

/* Constants of a record class that have a value there are no part of its values. */
static bool
is_constant(const DaeReader *reader, uint32_t record, uint32_t member)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, record, &n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    if (d->name == member) {
      return (d->flags & DAE_FLAG_CONSTANT) != 0 && d->binding != 0;
    }
  }
  return false;
}

DaeValue
dae_record_load(DaeReader *reader, uint32_t whole, uint32_t pos)
{
  DaeEntity entity = *dae_reader_entity(reader, whole);
  uint32_t most = entity.n_members + 1;
  DaeValue *values = dae_arena_alloc(reader->scratch, most * sizeof(DaeValue));
  DaeValue *ones = dae_arena_alloc(reader->scratch, most * sizeof(DaeValue));
  uint32_t *names = dae_arena_alloc(reader->scratch, most * sizeof(uint32_t));
  uint32_t n = 0;
  bool opaque = false;
  bool no_value = false;
  bool is_incomplete = false;
  for (uint32_t i = whole + 1; i <= whole + entity.n_members; i++) {
    const DaeEntity member = *dae_reader_entity(reader, i);
    if (member.whole != whole || is_constant(reader, entity.record, member.member)) {
      continue;
    }
    size_t length = bare_length(reader, member.member);
    bool is_element = length < strlen(dae_names_text(reader->names, member.member));
    values[n] = is_element ? load_elements(reader, whole, whole + entity.n_members, &i, pos)
                           : load_member(reader, &member, pos);
    if (values[n].type == DAE_VALUE_POISON) {
      return values[n];
    }
    names[n] =
        dae_names_intern(reader->names, dae_names_text(reader->names, member.member), length);
    ones[n] = one_member(reader, &values[n], entity.n_dims);
    opaque = opaque || values[n].opaque;
    no_value = no_value || values[n].no_value;
    is_incomplete = is_incomplete || values[n].is_incomplete;
    n++;
  }
  const DaeLayout *layout = dae_layout_new(reader, entity.record, names, ones, n);
  DaeTerm *data = dae_value_new_data(reader, MAX(entity.count * layout->width, 1u));
  for (uint32_t e = 0; e < entity.count && !opaque; e++) {
    for (uint32_t i = 0; i < n; i++) {
      uint32_t each = ones[i].count * dae_value_width(&ones[i]);
      for (uint32_t k = 0; k < each; k++) {
        data[(size_t)e * layout->width + layout->members[i].offset + k] =
            dae_value_scalar_at(&values[i], e * each + k);
      }
    }
  }
  DaeValue value =
      dae_record_value(reader, layout, entity.n_dims, entity.dims, data, entity.count);
  value.opaque = opaque;
  value.no_value = no_value;
  value.is_incomplete = is_incomplete;
  return value;
}
