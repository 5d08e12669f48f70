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

struct DaeRadix {
  GArray *bucket[N_BUCKETS]; /* RadixItem */
  int64_t last;
  size_t n_items;
};

DaeRadix *
dae_radix_new(void)
{
  DaeRadix *radix = g_new0(DaeRadix, 1);
  for (int b = 0; b < N_BUCKETS; b++) {
    radix->bucket[b] = g_array_new(FALSE, FALSE, sizeof(RadixItem));
  }
  return radix;
}

void
dae_radix_free(DaeRadix *radix)
{
  if (radix != NULL) {
    for (int b = 0; b < N_BUCKETS; b++) {
      g_array_unref(radix->bucket[b]);
    }
    g_free(radix);
  }
}

void
dae_radix_reset(DaeRadix *radix, int64_t key)
{
  for (int b = 0; b < N_BUCKETS; b++) {
    g_array_set_size(radix->bucket[b], 0);
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

void
dae_radix_push(DaeRadix *radix, int64_t key, uint32_t value)
{
  DAE_ASSERT(key >= radix->last);
  RadixItem item = {key, value};
  g_array_append_val(radix->bucket[bucket_of_key(radix, key)], item);
  radix->n_items++;
}

/* Empties the first bucket in use into the ones before it, after
 * `last` has become its least key. */
static void
spread_first_bucket(DaeRadix *radix)
{
  int b = 1;
  while (radix->bucket[b]->len == 0) {
    b++;
    DAE_ASSERT(b < N_BUCKETS);
  }
  GArray *from = radix->bucket[b];
  int64_t least = INT64_MAX;
  for (guint k = 0; k < from->len; k++) {
    least = MIN(least, g_array_index(from, RadixItem, k).key);
  }
  radix->last = least;
  for (guint k = 0; k < from->len; k++) {
    RadixItem item = g_array_index(from, RadixItem, k);
    int to = bucket_of_key(radix, item.key);
    DAE_ASSERT(to < b);
    g_array_append_val(radix->bucket[to], item);
  }
  g_array_set_size(from, 0);
}

bool
dae_radix_pop(DaeRadix *radix, int64_t *key, uint32_t *value)
{
  if (radix->n_items == 0) {
    return false;
  }
  if (radix->bucket[0]->len == 0) {
    spread_first_bucket(radix);
  }
  GArray *bucket = radix->bucket[0];
  RadixItem item = g_array_index(bucket, RadixItem, bucket->len - 1);
  g_array_set_size(bucket, bucket->len - 1);
  radix->n_items--;
  *key = item.key;
  *value = item.value;
  return true;
}
