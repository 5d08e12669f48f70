/* Where the number of a name is found by its text: open addressing. The owner keeps the texts and
 * their hashes.
 *
 * Large models have millions of names, and they ask for them in runs: section17.resistor.R,
 * section17.capacitor.v, section18.resistor.R, x[41], x[42]. Were they scattered, each question
 * would be a cache miss. So names that differ in their last digit only lie in one cache line: the
 * hash of a name is that of the text without this digit, which goes into its low bits. Where a
 * place is taken, the search goes on at the same place of another line, as each of its neighbours
 * does. */
#ifndef DAE_BASE_NAMETABLE_H
#define DAE_BASE_NAMETABLE_H

#include <stddef.h>
#include <stdint.h>

/* The mask has a bit at least more than the largest number. Above these bits stand those of the
 * hash: other names are passed without a look at their texts, a cache miss each. */
typedef struct {
  uint32_t *slots; /* a power of two of them; 0: empty */
  uint32_t mask;
} DaeNameTable;

enum { DAE_NAME_LINE = 16 }; /* slots in a cache line of 64 bytes */

uint32_t dae_name_hash(const char *text, size_t length);
void dae_name_table_init(DaeNameTable *table);
void dae_name_table_clear(DaeNameTable *table);
/* Makes room for the numbers 1 ... n, with at most half of the slots in use. */
void dae_name_table_reserve(DaeNameTable *table, uint32_t n,
                            uint32_t (*hash_of)(const void *owner, uint32_t number),
                            const void *owner);

typedef struct {
  uint32_t hash, at, first;
} DaeNameProbe;

static inline DaeNameProbe
dae_name_probe(const DaeNameTable *table, uint32_t hash)
{
  return (DaeNameProbe){hash, hash & table->mask, hash & table->mask};
}

/* The next number that may have this hash; 0: none, and the place of the probe is empty. */
static inline uint32_t
dae_name_probe_next(const DaeNameTable *table, DaeNameProbe *probe)
{
  uint32_t slot;
  while ((slot = table->slots[probe->at]) != 0) {
    probe->at = (probe->at + (probe->hash >> 15 | 1) * DAE_NAME_LINE) & table->mask;
    if (probe->at == probe->first) { /* all lines were visited */
      probe->at = (probe->at & ~(DAE_NAME_LINE - 1u)) | ((probe->at + 1) % DAE_NAME_LINE);
      probe->first = probe->at;
    }
    if (((slot ^ probe->hash) & ~table->mask) == 0) {
      return slot & table->mask;
    }
  }
  return 0;
}

/* At the place of a probe that has found none. */
static inline void
dae_name_table_put(DaeNameTable *table, const DaeNameProbe *probe, uint32_t number)
{
  table->slots[probe->at] = (probe->hash & ~table->mask) | number;
}

#endif
