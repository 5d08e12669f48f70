/* OpenModelica can print arrays of components without taking them apart: the member v of the array
 * m of three components is declared as `Real[3] m.v`, and used as m[2].v, m[i].v, m[:].v. The
 * subscripts of all parts of such a name, one behind the other, are those of the array. */
#include "reader/calls.h"

#include <string.h>

typedef struct {
  GString *name;                    /* without subscripts */
  DaeValue all[DAE_MAX_DIMENSIONS]; /* subscripts; colons where only their number counts */
  uint32_t n;
  bool is_in_front; /* the subscripts are those of the first part only */
  bool has_dot;
} Spread;

static bool
add_subscript(Spread *spread, const DaeValue *subscript)
{
  if (spread->n >= DAE_MAX_DIMENSIONS) {
    return false;
  }
  spread->all[spread->n++] =
      subscript != NULL ? *subscript : (DaeValue){.type = DAE_VALUE_COLON, .count = 1};
  spread->is_in_front = spread->is_in_front && !spread->has_dot;
  return true;
}

/* Literal subscripts "[2,3]"; what comes behind them, NULL: they are something else. */
static const char *
add_literals(DaeReader *reader, Spread *spread, const char *text)
{
  const char *close = strchr(text, ']');
  if (close == NULL) {
    return NULL;
  }
  uint32_t literals = dae_names_intern(reader->names, text, (size_t)(close + 1 - text));
  DaeValue subscripts[DAE_MAX_DIMENSIONS];
  uint32_t n = 0;
  if (!dae_reference_literals(reader, literals, subscripts, &n)) {
    return NULL;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!add_subscript(spread, &subscripts[i])) {
      return NULL;
    }
  }
  return close + 1;
}

static bool
add_text(DaeReader *reader, Spread *spread, uint32_t name)
{
  g_autofree char *copy = g_strdup(dae_names_text(reader->names, name));
  bool quoted = false;
  for (const char *c = copy; *c != '\0';) {
    if (*c == '[' && !quoted) {
      c = add_literals(reader, spread, c);
      if (c == NULL) {
        return false;
      }
      continue;
    }
    quoted = *c == '\'' ? !quoted : quoted;
    spread->has_dot = spread->has_dot || (*c == '.' && !quoted);
    g_string_append_c(spread->name, *c);
    c++;
    if (c[-1] == '\\' && quoted && *c != '\0') {
      g_string_append_c(spread->name, *c++);
    }
  }
  return true;
}

static bool
add_parts(DaeReader *reader, Spread *spread, const uint32_t *path, const DaeValue *subscripts)
{
  for (uint32_t i = 0; i < path[0]; i++) {
    if (i > 0) {
      g_string_append_c(spread->name, '.');
      spread->has_dot = true;
    }
    if (!add_text(reader, spread, path[1 + 2 * i])) {
      return false;
    }
    for (uint32_t k = 0; k < path[2 + 2 * i]; k++) {
      if (!add_subscript(spread, subscripts != NULL ? subscripts++ : NULL)) {
        return false;
      }
    }
  }
  return true;
}

/* Of a name with fewer subscripts than dimensions it is known which ones they are only if they are
 * those of the first part. */
static bool
fits(const Spread *spread, uint32_t n_dims)
{
  return spread->n == n_dims || (spread->n < n_dims && spread->is_in_front);
}

/* The array that is meant, 0: there is none. */
static uint32_t
find_array(const DaeReader *reader, const Spread *spread)
{
  uint32_t name = dae_names_find(reader->names, spread->name->str, spread->name->len);
  uint32_t binding = name != 0 && spread->n > 0 ? dae_names_binding(reader->names, name) : 0;
  if ((binding & DAE_LOCAL_BIT) != 0 && (binding & DAE_ITERATOR_BIT) == 0) {
    const DaeValue *value = &dae_local(reader, binding & ~DAE_LOCAL_BIT)->value;
    return fits(spread, value->n_dims) ? binding : 0; /* assigned in this section */
  }
  if (!dae_binding_is_entity(binding)) {
    return 0;
  }
  const DaeEntity *entity = dae_reader_entity(reader, binding);
  if (entity->kind == DAE_ENTITY_RECORD || entity->kind == DAE_ENTITY_GROUP ||
      entity->kind == DAE_ENTITY_LITERAL || entity->whole != 0) {
    return 0;
  }
  const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, entity->declaration);
  return fits(spread, (uint32_t)d->n_dims + d->n_type_dims) ? binding : 0;
}

bool
dae_reference_resolve_spread(DaeReader *reader, const uint32_t *path,
                             const DaeValue *subscripts, DaeReference *reference,
                             uint32_t *binding)
{
  g_autoptr(GString) name = g_string_new(NULL);
  Spread spread = {.name = name, .is_in_front = true};
  *binding = reader->lookup == NULL && add_parts(reader, &spread, path, subscripts)
                 ? find_array(reader, &spread)
                 : 0;
  if (*binding == 0) {
    return false;
  }
  DaeValue *all = dae_arena_alloc(reader->arena, spread.n * sizeof(DaeValue));
  memcpy(all, spread.all, spread.n * sizeof(DaeValue));
  *reference = (DaeReference){.subscripts = all,
                              .name = dae_names_find(reader->names, name->str, name->len),
                              .n_steps = 1,
                              .steps[0].n = spread.n};
  return true;
}

uint32_t
dae_reference_used_spread(DaeReader *reader, const DaeInstruction *instruction)
{
  uint32_t n = instruction->op == DAE_OP_NAME ? 0 : instruction->n;
  const uint32_t path[3] = {1, instruction->arg, n};
  DaeReference reference;
  uint32_t binding = 0;
  return strstr(dae_names_text(reader->names, instruction->arg), "].") != NULL &&
                 dae_reference_resolve_spread(reader, path, NULL, &reference, &binding)
             ? binding
             : 0;
}
