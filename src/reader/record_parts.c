/* Statements on records of which flat text declares only the members (record_flat.c): r := R(1, 2)
 * assigns r.x and r.y, and in an array r[1].x, r[1].y, r[2].x ... */
#include "reader/calls.h"

#include <string.h>

/* Is the name that of a part of r, "r.x" or "r[1].x"? */
static bool
is_part(const char *name, const char *whole, size_t length)
{
  if (strncmp(name, whole, length) != 0 || (name[length] != '.' && name[length] != '[')) {
    return false;
  }
  return name[length] == '.' || strstr(name + length, "].") != NULL;
}

uint32_t
dae_record_parts_next(const DaeReader *reader, uint32_t name, uint32_t after)
{
  const char *text = dae_names_text(reader->names, name);
  size_t length = strlen(text);
  for (uint32_t i = after + 1; i < reader->entities->len && reader->lookup == NULL; i++) {
    const DaeEntity *entity = dae_reader_entity(reader, i);
    if (entity->kind != DAE_ENTITY_RECORD && entity->kind != DAE_ENTITY_GROUP &&
        is_part(dae_names_text(reader->names, entity->name), text, length)) {
      return i;
    }
  }
  return 0;
}

/* The constants of a record are not part of its values. */
static bool
is_constant(const DaeReader *reader, uint32_t name)
{
  uint32_t binding = dae_names_binding(reader->names, name);
  return dae_binding_is_entity(binding) &&
         dae_reader_entity(reader, binding)->kind != DAE_ENTITY_VARIABLE &&
         dae_reader_entity(reader, binding)->kind != DAE_ENTITY_GROUP;
}

static bool
assign_name(DaeReader *reader, const char *name, const DaeValue *value, uint32_t pos)
{
  uint32_t id = dae_names_intern(reader->names, name, strlen(name));
  if (is_constant(reader, id)) {
    return true;
  }
  GArray *paths = reader->syntax->paths;
  const DaeValue target = {.type = DAE_VALUE_TARGET, .term = paths->len, .count = 1};
  const uint32_t path[3] = {1, id, 0};
  g_array_append_vals(paths, path, 3);
  return dae_assign(reader, &target, value, pos);
}

static bool
assign_members(DaeReader *reader, const char *name, const DaeValue *value, uint32_t pos)
{
  for (uint32_t i = 0; i < value->layout->n; i++) {
    uint32_t member = value->layout->members[i].name;
    g_autofree char *part = g_strconcat(name, ".", dae_names_text(reader->names, member), NULL);
    DaeValue of = dae_record_member(reader, value, member, pos);
    if (of.type == DAE_VALUE_POISON || !assign_name(reader, part, &of, pos)) {
      return false;
    }
  }
  return true;
}

bool
dae_record_parts_assign(DaeReader *reader, uint32_t name, const DaeValue *value, uint32_t pos)
{
  if (value->type != DAE_VALUE_RECORD || value->layout == NULL || value->n_dims > 1 ||
      dae_record_parts_next(reader, name, 0) == 0) {
    return false;
  }
  g_autofree char *text = g_strdup(dae_names_text(reader->names, name));
  if (value->n_dims == 0) {
    return assign_members(reader, text, value, pos);
  }
  uint32_t width = dae_value_width(value);
  for (uint32_t k = 0; k < value->count; k++) {
    g_autofree char *element = g_strdup_printf("%s[%u]", text, k + 1);
    DaeValue one = dae_value_like(reader, value, 0, NULL, value->data + (size_t)k * width, 1);
    if (!assign_members(reader, element, &one, pos)) {
      return false;
    }
  }
  return true;
}
