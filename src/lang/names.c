/* Interned names: each text once, found by its hash. */
#include "lang/names.h"

#include <string.h>

#include "base/arena.h"
#include "lang/parser.h"

typedef struct {
  const char *text;
  uint32_t length;
  uint32_t hash;
  uint32_t binding;
} Name;

struct DaeNames {
  GArray *names; /* Name; 0 unused */
  /* A power of two of them; 0: empty. Ids need only the bits of the mask: above them stand bits of
   * the hash, so that other names are passed without a look at them, a cache miss each. */
  uint32_t *slots;
  uint32_t mask;
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

static uint32_t
hash_text(const char *text, size_t length)
{
  uint64_t h = 0xcbf29ce484222325u ^ length;
  while (length >= 8) {
    uint64_t word;
    memcpy(&word, text, 8);
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    text += 8;
    length -= 8;
  }
  uint64_t tail = 0;
  memcpy(&tail, text, length);
  h = (h ^ tail) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

DaeNames *
dae_names_new(void)
{
  DaeNames *names = g_new0(DaeNames, 1);
  names->names = g_array_new(FALSE, TRUE, sizeof(Name));
  g_array_set_size(names->names, 1);
  names->mask = (1u << 12) - 1;
  names->slots = g_new0(uint32_t, (size_t)names->mask + 1);
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
    g_free(names->slots);
    dae_arena_free(names->text);
    g_free(names);
  }
}

static inline Name *
name_at(const DaeNames *names, uint32_t id)
{
  return &g_array_index(names->names, Name, id);
}

static bool
is_in_slot(const DaeNames *names, uint32_t slot, const char *text, size_t length, uint32_t hash)
{
  if (((names->slots[slot] ^ hash) & ~names->mask) != 0) {
    return false;
  }
  const Name *name = name_at(names, names->slots[slot] & names->mask);
  return name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0;
}

static uint32_t
find_slot(const DaeNames *names, const char *text, size_t length, uint32_t hash)
{
  uint32_t slot = hash & names->mask;
  while (names->slots[slot] != 0 && !is_in_slot(names, slot, text, length, hash)) {
    slot = (slot + 1) & names->mask;
  }
  return slot;
}

static void
double_slots(DaeNames *names)
{
  DAE_ASSERT(names->mask < UINT32_MAX / 4);
  g_free(names->slots);
  names->mask = names->mask * 2 + 1;
  names->slots = g_new0(uint32_t, (size_t)names->mask + 1);
  for (uint32_t id = 1; id < names->names->len; id++) {
    uint32_t slot = name_at(names, id)->hash & names->mask;
    while (names->slots[slot] != 0) {
      slot = (slot + 1) & names->mask;
    }
    names->slots[slot] = (name_at(names, id)->hash & ~names->mask) | id;
  }
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
  uint32_t hash = hash_text(text, length);
  uint32_t slot = find_slot(names, text, length, hash);
  if (names->slots[slot] != 0) {
    return names->slots[slot] & names->mask;
  }
  Name name = {copy_text(names, text, length), (uint32_t)length, hash, 0};
  uint32_t id = names->names->len;
  g_array_append_val(names->names, name);
  names->slots[slot] = (hash & ~names->mask) | id;
  names->bytes += length;
  if (id > names->mask / 2) {
    double_slots(names);
  }
  return id;
}

uint32_t
dae_names_find(const DaeNames *names, const char *text, size_t length)
{
  return names->slots[find_slot(names, text, length, hash_text(text, length))] & names->mask;
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
