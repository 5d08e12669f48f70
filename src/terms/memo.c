/* Map from terms to 32-bit words. */
#include "terms/terms-priv.h"

/* Eight neighbours lie side by side (one cache line): terms that are made together are asked for
 * together. Odd factors permute the lines, so ids up to the capacity never meet. */
static uint32_t
place_of(const DaeMemo *memo, DaeTerm key)
{
  uint32_t mask = memo->capacity - 1;
  uint32_t at = ((key >> 3) * 2654435769u << 3 | (key & 7)) & mask;
  while (memo->entries[at].key != DAE_NO_TERM && memo->entries[at].key != key) {
    at = (at + 1) & mask;
  }
  return at;
}

void
dae_memo_clear(DaeMemo *memo)
{
  g_free(memo->entries);
  *memo = (DaeMemo){.entries = NULL, .capacity = 0, .used = 0};
}

uint32_t
dae_memo_get(const DaeMemo *memo, DaeTerm key)
{
  if (memo->capacity == 0) {
    return 0;
  }
  uint32_t at = place_of(memo, key);
  return memo->entries[at].key == key ? memo->entries[at].value : 0;
}

/* Most memos are of one equation: they should not grow. */
enum { FIRST_SIZE = 64 };

static void
grow(DaeMemo *memo)
{
  DaeMemo larger = {.capacity = MAX(FIRST_SIZE, memo->capacity * 2), .used = memo->used};
  larger.entries = g_new0(DaeMemoEntry, larger.capacity);
  for (uint32_t i = 0; i < memo->capacity; i++) {
    if (memo->entries[i].key != DAE_NO_TERM) {
      larger.entries[place_of(&larger, memo->entries[i].key)] = memo->entries[i];
    }
  }
  g_free(memo->entries);
  *memo = larger;
}

/* The entry of key, made with the value 0 if there was none. */
static DaeMemoEntry *
entry_of(DaeMemo *memo, DaeTerm key)
{
  DAE_ASSERT(key != DAE_NO_TERM);
  if (memo->used >= memo->capacity / 2) {
    grow(memo);
  }
  DaeMemoEntry *entry = &memo->entries[place_of(memo, key)];
  if (entry->key == DAE_NO_TERM) {
    entry->key = key;
    memo->used++;
  }
  return entry;
}

void
dae_memo_set(DaeMemo *memo, DaeTerm key, uint32_t value)
{
  entry_of(memo, key)->value = value;
}

bool
dae_memo_enter(DaeMemo *memo, DaeTerm key)
{
  DaeMemoEntry *entry = entry_of(memo, key);
  bool is_new = entry->value == 0;
  entry->value = 1;
  return is_new;
}
