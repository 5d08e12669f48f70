/* What a function uses besides its arguments: constants and parameters that its text names,
 * and those of the functions and records that it calls in turn. A constant whose value calls
 * the function comes after them. */
#include "reader/calls.h"

#include <string.h>

typedef struct {
  DaeReader *reader;
  GHashTable *seen;  /* classes */
  GArray *classes;   /* uint32_t: to be looked through */
  GHashTable *known; /* entities */
  GArray *entities;  /* uint32_t */
  uint32_t class;    /* under way */
} Search;

static void
add_class(Search *search, uint32_t class)
{
  if (class != 0 && g_hash_table_add(search->seen, GUINT_TO_POINTER(class))) {
    g_array_append_val(search->classes, class);
  }
}

static void
add_class_named(Search *search, uint32_t name)
{
  const DaeReader *reader = search->reader;
  add_class(search, dae_call_find(reader, name));
  add_class(search,
            GPOINTER_TO_UINT(g_hash_table_lookup(reader->records, GUINT_TO_POINTER(name))));
}

static void
add_entity(Search *search, uint32_t entity)
{
  if (dae_binding_is_entity(entity) &&
      dae_reader_entity(search->reader, entity)->kind != DAE_ENTITY_LITERAL &&
      g_hash_table_add(search->known, GUINT_TO_POINTER(entity))) {
    g_array_append_val(search->entities, entity);
  }
}

/* What the instruction at pc names; of r[i].x, with r[1].x, r[2].x ... declared one by one, all. */
static void
add_used(Search *search, uint32_t pc, uint32_t name)
{
  uint32_t used = dae_structure_used_entity(search->reader, pc);
  const GArray *elements = used == 0 ? dae_reader_elements(search->reader, name) : NULL;
  add_entity(search, used);
  for (guint i = 0; elements != NULL && i < elements->len; i++) {
    add_entity(search, g_array_index(elements, uint32_t, i));
  }
}

/* The first part of a name: a local of the function? */
static bool
is_local(const Search *search, uint32_t name)
{
  const DaeReader *reader = search->reader;
  const char *text = dae_names_text(reader->names, name);
  size_t length = strcspn(text, ".[");
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, search->class, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t own = dae_syntax_declaration(reader->syntax, members[i])->name;
    if (own == name || (dae_names_length(reader->names, own) == length &&
                        memcmp(dae_names_text(reader->names, own), text, length) == 0)) {
      return true;
    }
  }
  return false;
}

static void
look_through_code(Search *search, uint32_t code)
{
  DaeReader *reader = search->reader;
  if (code == 0) {
    return;
  }
  for (uint32_t pc = code; dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN; pc++) {
    const DaeInstruction instruction = *dae_syntax_code(reader->syntax, pc);
    switch ((int)instruction.op) {
    case DAE_OP_CALL:
    case DAE_OP_STATEMENT:
    case DAE_OP_FUNCTION_VALUE:
      add_class_named(search, instruction.arg);
      break;
    case DAE_OP_NAME:
    case DAE_OP_ELEMENT:
      if (!is_local(search, instruction.arg)) {
        add_class_named(search, instruction.arg); /* a function as an argument */
        add_used(search, pc, instruction.arg);
      }
      break;
    case DAE_OP_PATH: {
      uint32_t first = g_array_index(reader->syntax->paths, uint32_t, instruction.arg + 1);
      if (!is_local(search, first)) {
        add_used(search, pc, first);
      }
      break;
    }
    default:
      break;
    }
  }
}

static void
look_through_class(Search *search)
{
  const DaeReader *reader = search->reader;
  const DaeSyntax *syntax = reader->syntax;
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, search->class, &n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration declaration = *dae_syntax_declaration(syntax, members[i]);
    add_class_named(search, declaration.type);
    look_through_code(search, declaration.dims_code);
    look_through_code(search, declaration.type_dims_code);
    look_through_code(search, declaration.binding);
    for (uint32_t k = 0; k < declaration.n_mods; k++) {
      look_through_code(search, dae_syntax_modifier(syntax, declaration.first_mod + k)->code);
    }
  }
  for (uint32_t i = 0; i < syntax->sections->len; i++) {
    const DaeSection section = g_array_index(syntax->sections, DaeSection, i);
    if (section.owner == search->class) {
      look_through_code(search, section.code);
    }
  }
  uint32_t external = dae_syntax_class(syntax, search->class)->external;
  if (external != 0) {
    look_through_code(search, g_array_index(syntax->externals, DaeExternal, external).code);
  }
}

const uint32_t *
dae_call_uses(DaeReader *reader, uint32_t name, uint32_t *n)
{
  gpointer key = GUINT_TO_POINTER(name);
  if (reader->uses == NULL) {
    reader->uses = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  }
  GArray *found = g_hash_table_lookup(reader->uses, key);
  if (found == NULL) {
    Search search = {.reader = reader, .seen = g_hash_table_new(NULL, NULL)};
    search.known = g_hash_table_new(NULL, NULL);
    search.classes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    search.entities = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    add_class_named(&search, name);
    for (uint32_t i = 0; i < search.classes->len; i++) {
      search.class = g_array_index(search.classes, uint32_t, i);
      look_through_class(&search);
    }
    g_hash_table_destroy(search.seen);
    g_hash_table_destroy(search.known);
    g_array_unref(search.classes);
    found = search.entities;
    g_hash_table_insert(reader->uses, key, found);
  }
  *n = found->len;
  return (const uint32_t *)(const void *)found->data;
}

static void
add_elements(DaeReader *reader, uint32_t entity)
{
  const char *text = dae_names_text(reader->names, dae_reader_entity(reader, entity)->name);
  g_autofree char *whole = g_strdup(text);
  for (const char *open = strchr(whole, '['); open != NULL; open = strchr(open + 1, '[')) {
    uint32_t name = dae_names_intern(reader->names, whole, (size_t)(open - whole));
    GArray *list = g_hash_table_lookup(reader->elements, GUINT_TO_POINTER(name));
    if (list == NULL) {
      list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
      g_hash_table_insert(reader->elements, GUINT_TO_POINTER(name), list);
    }
    g_array_append_val(list, entity);
  }
}

const GArray *
dae_reader_elements(DaeReader *reader, uint32_t name)
{
  if (reader->elements == NULL) {
    reader->elements = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    for (uint32_t i = 1; i < reader->entities->len; i++) {
      add_elements(reader, i);
    }
  }
  return g_hash_table_lookup(reader->elements, GUINT_TO_POINTER(name));
}
