/* Hash of a name, and a table that grows. */
#include "base/nametable.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "base/base.h"

#define SEED UINT64_C(0xcbf29ce484222325)
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

enum { FIRST_SIZE = 1 << 12 };

static uint64_t
word_at(const char *text)
{
  uint64_t word;
  memcpy(&word, text, sizeof word);
  return word;
}

static uint64_t
half_at(const char *text)
{
  uint32_t half;
  memcpy(&half, text, sizeof half);
  return half;
}

static uint64_t
fold(uint64_t h, uint64_t word)
{
  h = (h ^ word) * FACTOR;
  return h ^ h >> 29;
}

/* Words at the end overlap those before: no copy of a length that is not known. */
static uint64_t
fold_text(uint64_t h, const char *text, size_t n)
{
  if (n >= 8) {
    for (size_t i = 0; i + 8 < n; i += 8) {
      h = fold(h, word_at(text + i));
    }
    return fold(h, word_at(text + n - 8));
  }
  if (n >= 4) {
    return fold(h, half_at(text) | half_at(text + n - 4) << 32);
  }
  if (n > 0) {
    return fold(h, (uint64_t)(unsigned char)text[0] << 16 |
                       (uint64_t)(unsigned char)text[n / 2] << 8 | (unsigned char)text[n - 1]);
  }
  return h;
}

/* Is there one of the characters 0 ... 9 and : ; < = > ? among these eight? */
static bool
may_have_digit(uint64_t word)
{
  uint64_t rest = (word & UINT64_C(0xf0f0f0f0f0f0f0f0)) ^ UINT64_C(0x3030303030303030);
  return ((rest - UINT64_C(0x0101010101010101)) & ~rest & UINT64_C(0x8080808080808080)) != 0;
}

/* One past the last digit; 0: there is none. */
static size_t
end_of_digits(const char *text, size_t length)
{
  size_t end = length;
  while (end >= 8) {
    if (may_have_digit(word_at(text + end - 8))) {
      for (size_t i = 0; i < 8; i++) {
        if (g_ascii_isdigit(text[end - i - 1])) {
          return end - i;
        }
      }
    }
    end -= 8;
  }
  while (end > 0 && !g_ascii_isdigit(text[end - 1])) {
    end--;
  }
  return end;
}

uint32_t
dae_name_hash(const char *text, size_t length)
{
  size_t end = end_of_digits(text, length);
  uint64_t h = SEED ^ length ^ (uint64_t)end << 32;
  if (end == 0) {
    return (uint32_t)(fold_text(h, text, length) * FACTOR >> 32);
  }
  h = fold_text(h, text, end - 1);
  h = fold_text(h, text + end, length - end) * FACTOR;
  uint32_t line = (uint32_t)(h >> 32);
  uint32_t place = line + (uint32_t)(text[end - 1] - '0');
  return (line & ~(DAE_NAME_LINE - 1u)) | place % DAE_NAME_LINE;
}

static void
make_slots(DaeNameTable *table, uint32_t size)
{
  table->slots = g_new0(uint32_t, size);
  table->mask = size - 1;
}

void
dae_name_table_init(DaeNameTable *table)
{
  make_slots(table, FIRST_SIZE);
}

void
dae_name_table_clear(DaeNameTable *table)
{
  g_clear_pointer(&table->slots, g_free);
}

static void
double_slots(DaeNameTable *table, uint32_t (*hash_of)(const void *owner, uint32_t number),
             const void *owner)
{
  g_autofree uint32_t *old = table->slots;
  uint32_t old_mask = table->mask;
  DAE_ASSERT(old_mask < UINT32_MAX / 4);
  make_slots(table, 2 * (old_mask + 1));
  for (uint32_t i = 0; i <= old_mask; i++) {
    if (old[i] != 0) {
      uint32_t number = old[i] & old_mask;
      DaeNameProbe probe = dae_name_probe(table, hash_of(owner, number));
      while (dae_name_probe_next(table, &probe) != 0) {
      }
      dae_name_table_put(table, &probe, number);
    }
  }
}

void
dae_name_table_reserve(DaeNameTable *table, uint32_t n,
                       uint32_t (*hash_of)(const void *owner, uint32_t number),
                       const void *owner)
{
  while (n > table->mask / 2) {
    double_slots(table, hash_of, owner);
  }
}
