/* Flat text of OpenModelica has no record classes, but functions that make them ("Automatically
 * generated record constructor": inputs, one result of the type that the function is called, and
 * no body), and no variables of record types, but their members, `Real r.x; Real r.y;`. The first
 * are read as records, and a name r that is nowhere declared as one whose members these are; so is
 * an array of them, `Real r[1].x; Real r[2].x;`. A constructor of an operator record whose result is
 * made by itself is printed for one that is made by the record. What is protected in such a function
 * is a member with a value of its own, which other variables of the record have, too. */
#include "reader/calls.h"

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

/* output C c = C.'constructor'.f(re, im) in C.'constructor'.f: the record of the inputs is meant,
 * nothing else has a value. */
static void
end_recursion(DaeReader *reader, uint32_t class)
{
  DaeSyntax *syntax = reader->syntax;
  const uint32_t name = dae_syntax_class(syntax, class)->name;
  if (strstr(dae_names_text(reader->names, name), ".'constructor'.") == NULL) {
    return;
  }
  for (uint32_t i = 1; i < syntax->declarations->len; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(syntax, i);
    bool is_result = d->owner == class && (d->flags & DAE_FLAG_OUTPUT) != 0 && d->binding != 0;
    uint32_t pc = is_result ? d->binding : 0;
    while (is_result && dae_syntax_code(syntax, pc + 1)->op != DAE_OP_RETURN) {
      pc++;
    }
    DaeInstruction *last = is_result ? dae_syntax_code(syntax, pc) : NULL;
    if (last != NULL && last->op == DAE_OP_CALL && last->arg == name) {
      last->arg = d->type;
    }
  }
}

void
dae_record_take_constructors(DaeReader *reader)
{
  DaeSyntax *syntax = reader->syntax;
  for (uint32_t i = 1; i < syntax->classes->len; i++) {
    DaeClass *class = &g_array_index(syntax->classes, DaeClass, i);
    uint32_t result =
        class->kind == DAE_CLASS_FUNCTION && !has_body(syntax, i) ? constructed(reader, i) : 0;
    if (class->kind == DAE_CLASS_FUNCTION) {
      end_recursion(reader, i);
    }
    if (result == 0) {
      continue;
    }
    class->kind = DAE_CLASS_RECORD;
    dae_syntax_declaration(syntax, result)->flags |= DAE_FLAG_IN_MODIFIER; /* no member */
    for (uint32_t k = 1; k < syntax->declarations->len; k++) {
      DaeDeclaration *d = dae_syntax_declaration(syntax, k);
      d->flags &= d->owner == i ? ~(uint32_t)(DAE_FLAG_INPUT | DAE_FLAG_PROTECTED) : ~0u;
    }
  }
}

/* r.m as a name that is declared, or whose own members are; 0: it is not. */
static uint32_t
member_name(const DaeReader *reader, uint32_t record, uint32_t member)
{
  g_autofree char *text = g_strconcat(dae_names_text(reader->names, record), ".",
                                      dae_names_text(reader->names, member), NULL);
  uint32_t known = dae_names_find(reader->names, text, strlen(text));
  if (known != 0 && dae_binding_is_entity(dae_names_binding(reader->names, known))) {
    return known;
  }
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    const char *other = dae_names_text(reader->names, dae_reader_entity(reader, i)->name);
    if (g_str_has_prefix(other, text) &&
        (other[strlen(text)] == '\0' || other[strlen(text)] == '.' ||
         other[strlen(text)] == '[')) {
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

/* The class of the record whose members are declared, with its value; 0: there is none. */
static uint32_t
load_record(DaeReader *reader, uint32_t name, uint32_t pos, DaeValue *value)
{
  for (uint32_t i = 1; i < reader->syntax->classes->len; i++) {
    uint32_t n = 0;
    if (dae_syntax_class(reader->syntax, i)->kind != DAE_CLASS_RECORD) {
      continue;
    }
    dae_call_members(reader, i, &n);
    if (n > 0 && load_members(reader, i, name, pos, value)) {
      return i;
    }
  }
  return 0;
}

/* The sizes of r where r[1,1].x, r[1,2].x ... are declared; 0 dimensions: it is no such array. */
static uint32_t
sizes_of_elements(const DaeReader *reader, uint32_t name, uint32_t *dims)
{
  g_autofree char *text = g_strconcat(dae_names_text(reader->names, name), "[", NULL);
  uint32_t n = 0;
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    const char *other = dae_names_text(reader->names, dae_reader_entity(reader, i)->name);
    if (!g_str_has_prefix(other, text)) {
      continue;
    }
    const char *at = other + strlen(text);
    uint32_t d = 0;
    for (char *end = NULL; d < DAE_MAX_DIMENSIONS; at = end + 1, d++) {
      uint64_t size = g_ascii_strtoull(at, &end, 10);
      if (end == at || size == 0 || size > DAE_MAX_ELEMENTS || (*end != ',' && *end != ']')) {
        return 0;
      }
      dims[d] = MAX(n > d ? dims[d] : 0, (uint32_t)size);
      if (*end == ']') {
        at = end + 1;
        d++;
        break;
      }
    }
    if (*at != '.' || (n != 0 && d != n)) {
      return 0;
    }
    n = d;
  }
  return n;
}

/* r[k], counted row by row. */
static uint32_t
element_name(const DaeReader *reader, uint32_t name, uint32_t n_dims, const uint32_t *dims,
             uint32_t k)
{
  uint32_t at[DAE_MAX_DIMENSIONS];
  for (uint32_t d = n_dims; d-- > 0; k /= dims[d]) {
    at[d] = k % dims[d] + 1;
  }
  g_autoptr(GString) text = g_string_new(dae_names_text(reader->names, name));
  for (uint32_t d = 0; d < n_dims; d++) {
    g_string_append_printf(text, "%c%u", d == 0 ? '[' : ',', at[d]);
  }
  g_string_append_c(text, ']');
  return dae_names_intern(reader->names, text->str, text->len);
}

static bool
load_array(DaeReader *reader, uint32_t name, uint32_t pos, DaeValue *value)
{
  uint32_t dims[DAE_MAX_DIMENSIONS];
  uint32_t count = 0;
  uint32_t class = 0;
  uint32_t n_dims = sizes_of_elements(reader, name, dims);
  if (n_dims == 0 || !dae_dimensions_count(n_dims, dims, &count) ||
      count > reader->entities->len) {
    return false;
  }
  DaeValue first = dae_value_poison();
  DaeTerm *data = NULL;
  for (uint32_t k = 0; k < count; k++) {
    DaeValue one = dae_value_poison();
    uint32_t element = element_name(reader, name, n_dims, dims, k);
    if (k == 0) {
      class = load_record(reader, element, pos, &one);
    }
    if (class == 0 || (k > 0 && !load_members(reader, class, element, pos, &one)) ||
        one.type != DAE_VALUE_RECORD || (k > 0 && !dae_record_same(&first, &one))) {
      return false;
    }
    uint32_t width = dae_value_width(&one);
    if (k == 0) {
      first = one;
      data = dae_value_new_data(reader, MAX(count * width, 1u));
    }
    memcpy(data + (size_t)k * width, one.data, width * sizeof(DaeTerm));
  }
  *value = dae_value_like(reader, &first, n_dims, dims, data, count);
  return true;
}

bool
dae_record_load_parts(DaeReader *reader, uint32_t name, uint32_t pos, DaeValue *value)
{
  return reader->lookup == NULL &&
         (load_record(reader, name, pos, value) != 0 || load_array(reader, name, pos, value));
}

bool
dae_record_load_quoted_member(DaeReader *reader, uint32_t name, uint32_t pos, DaeValue *value)
{
  const char *text = dae_names_text(reader->names, name);
  size_t length = strlen(text);
  const char *dot = length > 2 && *text == '\'' ? strrchr(text, '.') : NULL;
  if (dot == NULL || text[length - 1] != '\'') {
    return false;
  }
  g_autofree char *record = g_strdup_printf("%.*s'", (int)(dot - text), text);
  g_autofree char *member = g_strconcat("'", dot + 1, NULL);
  uint32_t whole = dae_names_find(reader->names, record, strlen(record));
  uint32_t part = dae_names_find(reader->names, member, strlen(member));
  DaeValue of = dae_value_poison();
  if (part == 0) {
    return false;
  }
  if (whole != 0 && dae_binding_is_entity(dae_names_binding(reader->names, whole))) {
    of = dae_reader_load(reader, whole, pos);
  } else if (!dae_record_load_quoted_member(
                 reader, dae_names_intern(reader->names, record, strlen(record)), pos, &of)) {
    return false;
  }
  if (of.type != DAE_VALUE_RECORD) {
    return false;
  }
  *value = dae_record_member(reader, &of, part, pos);
  return true;
}
