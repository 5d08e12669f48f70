/* Lists of 32-bit numbers that the compiler fills and empties for every node: a push is a few
 * instructions, where that of a GArray is a call. */
#ifndef DAE_EVAL_WORDS_H
#define DAE_EVAL_WORDS_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  uint32_t *data;
  uint32_t n;
  uint32_t capacity;
} DaeWords;

static inline void
dae_words_reserve(DaeWords *words, uint32_t more)
{
  if (words->capacity - words->n < more) {
    words->capacity = MAX(2 * words->capacity, words->n + more + 16);
    words->data = g_renew(uint32_t, words->data, words->capacity);
  }
}

static inline void
dae_words_push(DaeWords *words, uint32_t word)
{
  dae_words_reserve(words, 1);
  words->data[words->n++] = word;
}

static inline void
dae_words_push_all(DaeWords *words, const uint32_t *more, uint32_t n)
{
  dae_words_reserve(words, n);
  for (uint32_t i = 0; i < n; i++) {
    words->data[words->n++] = more[i];
  }
}

#endif
