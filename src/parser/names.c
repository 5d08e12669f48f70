/* Interned names: each text once, found by its hash. */
#include "parser/names.h"

#include <string.h>

#include "base/arena.h"
#include "base/nametable.h"
#include "parser/parser.h"

typedef struct {
  const char *text;
  uint32_t length;
  uint32_t hash;
  uint32_t binding;
} Name;

struct DaeNames {
  GArray *names; /* Name; 0 unused */
  DaeNameTable table;
  DaeArena *text; /* of long names */
  char *block;    /* of short ones */
  size_t left;
  size_t bytes; /* of all texts */
};

#define BLOCK_BYTES ((size_t)1 << 16)

static const char *const keywords[] = {
    "algorithm",   "and",       "annotation",   "block",    "class",       "connect",
    "connector",   "constant",  "der",          "discrete", "each",        "else",
    "elseif",      "elsewhen",  "encapsulated", "end",      "enumeration", "equation",
    "expandable",  "extends",   "external",     "false",    "final",       "flow",
    "for",         "function",  "if",           "import",   "impure",      "in",
    "initial",     "inner",     "input",        "loop",     "model",       "not",
    "operator",    "or",        "outer",        "output",   "package",     "parameter",
    "partial",     "protected", "public",       "pure",     "record",      "redeclare",
    "replaceable", "stream",    "then",         "true",     "type",        "when",
    "while",       "within",
};
G_STATIC_ASSERT(G_N_ELEMENTS(keywords) == DAE_N_KEYWORDS);

DaeNames *
dae_names_new(void)
{
  DaeNames *names = g_new0(DaeNames, 1);
  names->names = g_array_new(FALSE, TRUE, sizeof(Name));
  g_array_set_size(names->names, 1);
  dae_name_table_init(&names->table);
  names->text = dae_arena_new();
  for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++) {
    uint32_t id = dae_names_intern(names, keywords[i], strlen(keywords[i]));
    DAE_ASSERT(id == i + 1);
  }
  return names;
}

void
dae_names_free(DaeNames *names)
{
  if (names != NULL) {
    g_array_free(names->names, TRUE);
    dae_name_table_clear(&names->table);
    dae_arena_free(names->text);
    g_free(names);
  }
}

static inline Name *
name_at(const DaeNames *names, uint32_t id)
{
  return &g_array_index(names->names, Name, id);
}

static uint32_t
hash_of(const void *names, uint32_t id)
{
  return name_at(names, id)->hash;
}

static bool
is_name(const Name *name, const char *text, size_t length, uint32_t hash)
{
  return name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0;
}

/* 0: none, and the probe is where it belongs. */
static uint32_t
find(const DaeNames *names, const char *text, size_t length, DaeNameProbe *probe)
{
  uint32_t hash = dae_name_hash(text, length);
  *probe = dae_name_probe(&names->table, hash);
  uint32_t id;
  do {
    id = dae_name_probe_next(&names->table, probe);
  } while (id != 0 && !is_name(name_at(names, id), text, length, hash));
  return id;
}

static const char *
copy_text(DaeNames *names, const char *text, size_t length)
{
  char *copy;
  if (length + 1 > BLOCK_BYTES / 8) {
    copy = dae_arena_alloc(names->text, length + 1);
  } else {
    if (names->left < length + 1) {
      names->block = dae_arena_alloc(names->text, BLOCK_BYTES);
      names->left = BLOCK_BYTES;
    }
    copy = names->block;
    names->block += length + 1;
    names->left -= length + 1;
  }
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

uint32_t
dae_names_intern(DaeNames *names, const char *text, size_t length)
{
  DaeNameProbe probe;
  uint32_t id = find(names, text, length, &probe);
  if (id != 0) {
    return id;
  }
  Name name = {copy_text(names, text, length), (uint32_t)length, probe.hash, 0};
  id = names->names->len;
  g_array_append_val(names->names, name);
  dae_name_table_put(&names->table, &probe, id);
  names->bytes += length;
  dae_name_table_reserve(&names->table, id + 1, hash_of, names);
  return id;
}

uint32_t
dae_names_find(const DaeNames *names, const char *text, size_t length)
{
  DaeNameProbe probe;
  return find(names, text, length, &probe);
}

size_t
dae_names_bytes(const DaeNames *names)
{
  return names->bytes;
}

const char *
dae_names_text(const DaeNames *names, uint32_t name)
{
  return name_at(names, name)->text;
}

uint32_t
dae_names_length(const DaeNames *names, uint32_t name)
{
  return name_at(names, name)->length;
}

uint32_t
dae_names_binding(const DaeNames *names, uint32_t name)
{
  return name_at(names, name)->binding;
}

void
dae_names_bind(DaeNames *names, uint32_t name, uint32_t binding)
{
  name_at(names, name)->binding = binding;
}
