/* Map from terms to 32-bit words. */
#include "terms/terms-priv.h"

static uint32_t
place_of(const DaeMemo *memo, DaeTerm key)
{
  uint32_t mask = memo->capacity - 1;
  uint32_t at = key * 2654435769u & mask;
  while (memo->keys[at] != DAE_NO_TERM && memo->keys[at] != key) {
    at = (at + 1) & mask;
  }
  return at;
}

void
dae_memo_clear(DaeMemo *memo)
{
  g_free(memo->keys);
  g_free(memo->values);
  *memo = (DaeMemo){.keys = NULL, .values = NULL, .capacity = 0, .used = 0};
}

uint32_t
dae_memo_get(const DaeMemo *memo, DaeTerm key)
{
  if (memo->capacity == 0) {
    return 0;
  }
  uint32_t at = place_of(memo, key);
  return memo->keys[at] == key ? memo->values[at] : 0;
}

static void
grow(DaeMemo *memo)
{
  DaeMemo larger = {.capacity = MAX(16, memo->capacity * 2), .used = memo->used};
  larger.keys = g_new0(DaeTerm, larger.capacity);
  larger.values = g_new(uint32_t, larger.capacity);
  for (uint32_t i = 0; i < memo->capacity; i++) {
    if (memo->keys[i] != DAE_NO_TERM) {
      uint32_t at = place_of(&larger, memo->keys[i]);
      larger.keys[at] = memo->keys[i];
      larger.values[at] = memo->values[i];
    }
  }
  g_free(memo->keys);
  g_free(memo->values);
  *memo = larger;
}

void
dae_memo_set(DaeMemo *memo, DaeTerm key, uint32_t value)
{
  DAE_ASSERT(key != DAE_NO_TERM);
  if (memo->used >= memo->capacity / 2) {
    grow(memo);
  }
  uint32_t at = place_of(memo, key);
  if (memo->keys[at] == DAE_NO_TERM) {
    memo->keys[at] = key;
    memo->used++;
  }
  memo->values[at] = value;
}
