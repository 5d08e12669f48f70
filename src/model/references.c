/* a[i].b.c[j]: from what is bound to the part that is meant. */
#include "model/calls.h"

#include <string.h>

/* The next dot outside quotes; NULL: none. */
static const char *
next_dot(const char *text)
{
  bool quoted = false;
  for (; *text != '\0'; text++) {
    if (*text == '\'') {
      quoted = !quoted;
    } else if (*text == '\\' && quoted && text[1] != '\0') {
      text++;
    } else if (*text == '.' && !quoted) {
      return text;
    }
  }
  return NULL;
}

static bool
add_step(DaeReader *reader, DaeReference *reference, const char *name, size_t length)
{
  if (reference->n_steps >= DAE_MAX_STEPS) {
    return false;
  }
  DaeStep *step = &reference->steps[reference->n_steps++];
  *step = (DaeStep){.member = length > 0 ? dae_names_intern(reader->names, name, length) : 0};
  return true;
}

/* The members of a dotted name, one step each. */
static bool
add_members(DaeReader *reader, DaeReference *reference, const char *text)
{
  for (const char *dot = next_dot(text); dot != NULL; dot = next_dot(text)) {
    if (!add_step(reader, reference, text, (size_t)(dot - text))) {
      return false;
    }
    text = dot + 1;
  }
  return add_step(reader, reference, text, strlen(text));
}

/* r.x where r is a local variable: whatever the model has under this name does not count. */
bool
dae_reference_is_local(DaeReader *reader, uint32_t name)
{
  const char *text = dae_names_text(reader->names, name);
  const char *dot = reader->scopes->len > 0 ? next_dot(text) : NULL;
  if (dot == NULL) {
    return false;
  }
  uint32_t first = dae_names_find(reader->names, text, (size_t)(dot - text));
  uint32_t binding = first != 0 ? dae_names_binding(reader->names, first) : 0;
  return (binding & DAE_LOCAL_BIT) != 0 && (binding & DAE_ITERATOR_BIT) == 0;
}

/* Longest beginning of a dotted name that is bound to something with members: its
 * binding. The rest becomes steps. */
static uint32_t
resolve_first(DaeReader *reader, uint32_t name, DaeReference *reference)
{
  g_autofree char *text = g_strdup(dae_names_text(reader->names, name));
  uint32_t binding = dae_names_binding(reader->names, name);
  uint32_t found = 0;
  const char *rest = NULL;
  if (dae_reference_is_local(reader, name)) {
    rest = next_dot(text);
    found = dae_names_binding(reader->names,
                              dae_names_find(reader->names, text, (size_t)(rest - text)));
    return add_members(reader, reference, rest + 1) ? found : 0;
  }
  if (binding != 0) {
    return binding;
  }
  for (const char *dot = next_dot(text); dot != NULL; dot = next_dot(dot + 1)) {
    uint32_t whole = dae_names_find(reader->names, text, (size_t)(dot - text));
    uint32_t at = whole != 0 ? dae_names_binding(reader->names, whole) : 0;
    bool has_members = dae_binding_is_entity(at)
                           ? dae_reader_entity(reader, at)->kind == DAE_ENTITY_RECORD
                           : at != 0;
    if (has_members) {
      found = at;
      rest = dot + 1;
    }
  }
  if (found != 0 && !add_members(reader, reference, rest)) {
    return 0;
  }
  return found;
}

/* Steps of a path from its first part on; *binding is that of the first part, 0: unknown. */
bool
dae_reference_resolve(DaeReader *reader, const uint32_t *path, const DaeValue *subscripts,
                      DaeReference *reference, uint32_t *binding)
{
  *reference = (DaeReference){.subscripts = subscripts};
  *binding = resolve_first(reader, path[1], reference);
  if (*binding == 0) {
    return false;
  }
  for (uint32_t i = 0; i < path[0]; i++) {
    uint32_t n = path[2 + 2 * i];
    if (i > 0 &&
        !add_members(reader, reference, dae_names_text(reader->names, path[1 + 2 * i]))) {
      return false;
    }
    if (n > 0 && i == 0 && reference->n_steps == 0 && !add_step(reader, reference, NULL, 0)) {
      return false;
    }
    if (n > 0) {
      reference->steps[reference->n_steps - 1].n = n;
    }
  }
  return true;
}

/* The local that a TARGET stands for. */
bool
dae_reference_local(DaeReader *reader, const DaeValue *target, DaeReference *reference)
{
  const uint32_t *path = &g_array_index(reader->syntax->paths, uint32_t, target->term);
  uint32_t binding = 0;
  if (!dae_reference_resolve(reader, path, target->outputs, reference, &binding) ||
      (binding & DAE_ITERATOR_BIT) != 0 || (binding & DAE_LOCAL_BIT) == 0) {
    return false;
  }
  reference->local = binding & ~DAE_LOCAL_BIT;
  return true;
}

DaeValue
dae_reference_follow(DaeReader *reader, const DaeValue *whole, const DaeReference *reference,
                     uint32_t pos)
{
  DaeValue value = *whole;
  const DaeValue *subscripts = reference->subscripts;
  for (uint32_t i = 0; i < reference->n_steps && value.type != DAE_VALUE_POISON; i++) {
    const DaeStep *step = &reference->steps[i];
    if (step->member != 0) {
      value = dae_record_member(reader, &value, step->member, pos);
    }
    if (step->n > 0) {
      const char *name =
          step->member != 0 ? dae_names_text(reader->names, step->member) : "the array";
      value = dae_array_subscript(reader, &value, subscripts, step->n, name, pos);
      subscripts += step->n;
    }
  }
  return value;
}
