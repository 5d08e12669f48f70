/* a[i].b.c[j]: from what is bound to the part that is meant. */
#include "reader/calls.h"

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

/* Where the literal subscripts of a part begin, `a[2]`; its length: it has none. */
static size_t
base_length(const char *part, size_t length)
{
  bool quoted = false;
  for (size_t i = 0; i < length; i++) {
    if (part[i] == '\'') {
      quoted = !quoted;
    } else if (part[i] == '\\' && quoted) {
      i++;
    } else if (part[i] == '[' && !quoted) {
      return i;
    }
  }
  return length;
}

/* The reader of texts takes integer literals before a dot as part of the name. */
static bool
add_step(DaeReader *reader, DaeReference *reference, const char *name, size_t length)
{
  if (reference->n_steps >= DAE_MAX_STEPS) {
    return false;
  }
  DaeStep *step = &reference->steps[reference->n_steps++];
  size_t base = base_length(name, length);
  *step = (DaeStep){
      .member = base > 0 ? dae_names_intern(reader->names, name, base) : 0,
      .literals =
          base < length ? dae_names_intern(reader->names, name + base, length - base) : 0};
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

/* The local variable r of r.x or r[2].x: its binding; 0: it is none. */
static uint32_t
local_before(DaeReader *reader, const char *text, const char *dot)
{
  size_t length = base_length(text, (size_t)(dot - text));
  uint32_t first = dae_names_find(reader->names, text, length);
  uint32_t binding = first != 0 ? dae_names_binding(reader->names, first) : 0;
  return (binding & DAE_LOCAL_BIT) != 0 && (binding & DAE_ITERATOR_BIT) == 0 ? binding : 0;
}

/* r.x where r is a local variable: whatever the model has under this name does not count. */
bool
dae_reference_is_local(DaeReader *reader, uint32_t name)
{
  const char *text = dae_names_text(reader->names, name);
  const char *dot = reader->scopes->len > 0 ? next_dot(text) : NULL;
  return dot != NULL && local_before(reader, text, dot) != 0;
}

/* a[2].b of an array of records a: its binding, 0: it is none. */
static uint32_t
resolve_element(DaeReader *reader, const char *text, DaeReference *reference)
{
  size_t base = base_length(text, strlen(text));
  const char *close = strchr(text + base, ']');
  uint32_t name =
      close != NULL && close[1] == '.' ? dae_names_find(reader->names, text, base) : 0;
  uint32_t at = name != 0 ? dae_names_binding(reader->names, name) : 0;
  if (!dae_binding_is_entity(at) || dae_reader_entity(reader, at)->kind != DAE_ENTITY_RECORD) {
    return 0;
  }
  return add_step(reader, reference, text + base, (size_t)(close + 1 - text) - base) &&
                 add_members(reader, reference, close + 2)
             ? at
             : 0;
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
    found = local_before(reader, text, rest);
    size_t length = (size_t)(rest - text);
    size_t base = base_length(text, length);
    bool good = base == length || add_step(reader, reference, text + base, length - base);
    return good && add_members(reader, reference, rest + 1) ? found : 0;
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
  return found != 0 ? found : resolve_element(reader, text, reference);
}

/* Steps of a path from its first part on; *binding is that of the first part, 0: unknown. */
bool
dae_reference_resolve(DaeReader *reader, const uint32_t *path, const DaeValue *subscripts,
                      DaeReference *reference, uint32_t *binding)
{
  *reference = (DaeReference){.subscripts = subscripts, .name = path[1]};
  *binding = resolve_first(reader, path[1], reference);
  if (*binding == 0) {
    return dae_reference_resolve_spread(reader, path, subscripts, reference, binding);
  }
  reference->n_before = dae_reference_n_before(reader, *binding, path[2]);
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

bool
dae_reference_literals(DaeReader *reader, uint32_t literals, DaeValue *subscripts, uint32_t *n)
{
  const char *text = dae_names_text(reader->names, literals) + 1;
  for (*n = 0; *n < DAE_MAX_DIMENSIONS && g_ascii_isdigit(*text); (*n)++) {
    char *end = NULL;
    int64_t i = g_ascii_strtoll(text, &end, 10);
    subscripts[*n] =
        dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(reader->terms, MIN(i, INT32_MAX)));
    text = *end == ',' ? end + 1 : end;
  }
  return *text == ']';
}

/* a.b[i] of an array a of records: the subscripts are those of b, in every element of a [MLS 3.6,
 * 10.6.9]. n_before: dimensions of a. */
DaeValue
dae_reference_subscript(DaeReader *reader, const DaeValue *value, uint32_t n_before,
                        const DaeValue *subscripts, uint32_t n, const char *name, uint32_t pos)
{
  DaeValue all[2 * DAE_MAX_DIMENSIONS];
  if (n_before == 0 || n_before > DAE_MAX_DIMENSIONS || n > DAE_MAX_DIMENSIONS) {
    return dae_array_subscript(reader, value, subscripts, n, name, pos);
  }
  for (uint32_t d = 0; d < n_before; d++) {
    all[d] = (DaeValue){.type = DAE_VALUE_COLON, .count = 1};
  }
  memcpy(all + n_before, subscripts, n * sizeof(DaeValue));
  return dae_array_subscript(reader, value, all, n_before + n, name, pos);
}

uint32_t
dae_reference_n_before(const DaeReader *reader, uint32_t binding, uint32_t n)
{
  if (!dae_binding_is_entity(binding)) {
    return 0;
  }
  const DaeEntity *entity = dae_reader_entity(reader, binding);
  uint32_t n_outer = MIN(entity->n_outer, entity->n_dims);
  return n <= entity->n_dims - n_outer ? entity->n_outer : 0;
}

static DaeValue
follow_literals(DaeReader *reader, const DaeValue *value, uint32_t n_before, uint32_t literals,
                const char *name, uint32_t pos)
{
  DaeValue subscripts[DAE_MAX_DIMENSIONS];
  uint32_t n = 0;
  if (!dae_reference_literals(reader, literals, subscripts, &n)) {
    dae_source_error(reader->source, pos, "'%s' has no element %s", name,
                     dae_names_text(reader->names, literals));
    return dae_value_poison();
  }
  return dae_reference_subscript(reader, value, n_before, subscripts, n, name, pos);
}

DaeValue
dae_reference_follow(DaeReader *reader, const DaeValue *whole, const DaeReference *reference,
                     uint32_t pos)
{
  DaeValue value = *whole;
  const DaeValue *subscripts = reference->subscripts;
  for (uint32_t i = 0; i < reference->n_steps && value.type != DAE_VALUE_POISON; i++) {
    const DaeStep *step = &reference->steps[i];
    uint32_t n_before = step->member != 0 ? value.n_dims : reference->n_before;
    if (step->member != 0) {
      value = dae_record_member(reader, &value, step->member, pos);
    }
    const char *name =
        dae_names_text(reader->names, step->member != 0 ? step->member : reference->name);
    if (step->literals != 0) {
      value = follow_literals(reader, &value, n_before, step->literals, name, pos);
    }
    if (step->n > 0) {
      value = dae_reference_subscript(reader, &value, n_before, subscripts, step->n, name, pos);
      subscripts += step->n;
    }
  }
  return value;
}
