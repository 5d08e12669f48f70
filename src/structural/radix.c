/* Radix heap: a priority queue for keys that never fall below the last key popped (Dijkstra).
 * Bucket b > 0 holds the keys whose highest bit different from the last key is bit b - 1; each
 * value moves at most once per bit, so m operations cost O(m log range). Orders of derivatives
 * are small, so few buckets are used. */
#include "base/base.h"
#include "structural/graph.h"

enum { N_BUCKETS = 65 };

typedef struct {
  int64_t key;
  uint32_t value;
} RadixItem;

typedef struct {
  RadixItem *items;
  size_t n, room;
} RadixBucket;

struct DaeRadix {
  RadixBucket bucket[N_BUCKETS];
  int64_t last;
  size_t n_items;
};

DaeRadix *
dae_radix_new(void)
{
  return g_new0(DaeRadix, 1);
}

void
dae_radix_free(DaeRadix *radix)
{
  if (radix != NULL) {
    for (int b = 0; b < N_BUCKETS; b++) {
      g_free(radix->bucket[b].items);
    }
    g_free(radix);
  }
}

void
dae_radix_reset(DaeRadix *radix, int64_t key)
{
  for (int b = 0; b < N_BUCKETS; b++) {
    radix->bucket[b].n = 0;
  }
  radix->last = key;
  radix->n_items = 0;
}

static int
bucket_of_key(const DaeRadix *radix, int64_t key)
{
  uint64_t difference = (uint64_t)key ^ (uint64_t)radix->last;
  return difference == 0 ? 0 : 64 - __builtin_clzll(difference);
}

static void
append_item(RadixBucket *bucket, RadixItem item)
{
  if (bucket->n == bucket->room) {
    bucket->room = 2 * bucket->room + 16;
    bucket->items = g_renew(RadixItem, bucket->items, bucket->room);
  }
  bucket->items[bucket->n++] = item;
}

void
dae_radix_push(DaeRadix *radix, int64_t key, uint32_t value)
{
  DAE_ASSERT(key >= radix->last);
  RadixItem item = {key, value};
  append_item(&radix->bucket[bucket_of_key(radix, key)], item);
  radix->n_items++;
}

/* Empties the first bucket in use into the ones before it, after
 * `last` has become its least key. */
static void
spread_first_bucket(DaeRadix *radix)
{
  int b = 1;
  while (radix->bucket[b].n == 0) {
    b++;
    DAE_ASSERT(b < N_BUCKETS);
  }
  RadixBucket *from = &radix->bucket[b];
  int64_t least = INT64_MAX;
  for (size_t k = 0; k < from->n; k++) {
    least = MIN(least, from->items[k].key);
  }
  radix->last = least;
  for (size_t k = 0; k < from->n; k++) {
    int to = bucket_of_key(radix, from->items[k].key);
    DAE_ASSERT(to < b);
    append_item(&radix->bucket[to], from->items[k]);
  }
  from->n = 0;
}

bool
dae_radix_pop(DaeRadix *radix, int64_t *key, uint32_t *value)
{
  if (radix->n_items == 0) {
    return false;
  }
  if (radix->bucket[0].n == 0) {
    spread_first_bucket(radix);
  }
  RadixBucket *bucket = &radix->bucket[0];
  RadixItem item = bucket->items[--bucket->n];
  radix->n_items--;
  *key = item.key;
  *value = item.value;
  return true;
}
