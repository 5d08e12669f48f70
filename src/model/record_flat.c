/* Flat text of OpenModelica has no record classes, but functions that make them ("Automatically
 * generated record constructor": inputs, one result of the type that the function is called, and
 * no body), and no variables of record types, but their members, `Real r.x; Real r.y;`. The first
 * are read as records, and a name r that is nowhere declared as one whose members these are. */
#include "model/calls.h"

#include <string.h>

static const char *
last_part(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot != NULL ? dot + 1 : name;
}

static bool
has_body(const DaeSyntax *syntax, uint32_t class)
{
  for (uint32_t i = 0; i < syntax->sections->len; i++) {
    if (g_array_index(syntax->sections, DaeSection, i).owner == class) {
      return true;
    }
  }
  return dae_syntax_class(syntax, class)->external != 0;
}

/* The result of a function that may be a constructor; 0: it is none. */
static uint32_t
constructed(const DaeReader *reader, uint32_t class)
{
  const DaeSyntax *syntax = reader->syntax;
  const char *name =
      last_part(dae_names_text(reader->names, dae_syntax_class(syntax, class)->name));
  uint32_t result = 0;
  for (uint32_t i = 1; i < syntax->declarations->len; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(syntax, i);
    if (d->owner != class || (d->flags & DAE_FLAG_OUTPUT) == 0) {
      continue;
    }
    if (result != 0 || strcmp(last_part(dae_names_text(reader->names, d->type)), name) != 0) {
      return 0;
    }
    result = i;
  }
  return result;
}

void
dae_record_take_constructors(DaeReader *reader)
{
  DaeSyntax *syntax = reader->syntax;
  for (uint32_t i = 1; i < syntax->classes->len; i++) {
    DaeClass *class = &g_array_index(syntax->classes, DaeClass, i);
    uint32_t result =
        class->kind == DAE_CLASS_FUNCTION && !has_body(syntax, i) ? constructed(reader, i) : 0;
    if (result == 0) {
      continue;
    }
    class->kind = DAE_CLASS_RECORD;
    dae_syntax_declaration(syntax, result)->flags |= DAE_FLAG_IN_MODIFIER; /* no member */
    for (uint32_t k = 1; k < syntax->declarations->len; k++) {
      DaeDeclaration *d = dae_syntax_declaration(syntax, k);
      d->flags &= d->owner == i ? ~(uint32_t)DAE_FLAG_INPUT : ~0u;
    }
  }
}

/* r.m as a name that is declared, or whose own members are; 0: it is not. */
static uint32_t
member_name(const DaeReader *reader, uint32_t record, uint32_t member)
{
  g_autofree char *text = g_strconcat(dae_names_text(reader->names, record), ".",
                                      dae_names_text(reader->names, member), NULL);
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    const char *other = dae_names_text(reader->names, dae_reader_entity(reader, i)->name);
    if (g_str_has_prefix(other, text) &&
        (other[strlen(text)] == '\0' || other[strlen(text)] == '.')) {
      return dae_names_intern(reader->names, text, strlen(text));
    }
  }
  return 0;
}

/* False: not all members of the class are there. */
static bool
load_members(DaeReader *reader, uint32_t class, uint32_t name, uint32_t pos, DaeValue *value)
{
  uint32_t n = 0;
  uint32_t count = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  g_autofree uint32_t *names = g_new0(uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    names[i] = member_name(reader, name, d->name);
    if (names[i] == 0) {
      return false;
    }
  }
  DaeValue *arguments = dae_arena_alloc(reader->scratch, (n + 1) * sizeof(DaeValue));
  for (uint32_t i = 0; i < n; i++) {
    arguments[count] = dae_reader_load(reader, names[i], pos);
    if (arguments[count].type == DAE_VALUE_POISON) {
      *value = dae_value_poison();
      return true;
    }
    arguments[count++].name = dae_syntax_declaration(reader->syntax, members[i])->name;
  }
  *value = dae_record_construct(reader, class, arguments, count, pos);
  return true;
}

bool
dae_record_load_parts(DaeReader *reader, uint32_t name, uint32_t pos, DaeValue *value)
{
  if (reader->lookup != NULL) {
    return false;
  }
  for (uint32_t i = 1; i < reader->syntax->classes->len; i++) {
    uint32_t n = 0;
    if (dae_syntax_class(reader->syntax, i)->kind != DAE_CLASS_RECORD) {
      continue;
    }
    dae_call_members(reader, i, &n);
    if (n > 0 && load_members(reader, i, name, pos, value)) {
      return true;
    }
  }
  return false;
}
