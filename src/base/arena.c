/* Memory that is given back all at once. */
#include "base/arena.h"

#include <glib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)1 << 16)

typedef struct Chunk {
  struct Chunk *next;
  size_t bytes; /* of the payload */
} Chunk;

struct DaeArena {
  Chunk *chunks; /* the first one is in use */
  size_t used;
};

/* The payload begins at a multiple of 16. */
#define HEADER ((sizeof(Chunk) + 15u) & ~(size_t)15u)

DaeArena *
dae_arena_new(void)
{
  return g_new0(DaeArena, 1);
}

static void
free_chunks(Chunk *chunk)
{
  while (chunk != NULL) {
    Chunk *next = chunk->next;
    g_free(chunk);
    chunk = next;
  }
}

void
dae_arena_free(DaeArena *arena)
{
  if (arena != NULL) {
    free_chunks(arena->chunks);
    g_free(arena);
  }
}

/* alignment: a power of two, at most 16. */
static void *
alloc_aligned(DaeArena *arena, size_t bytes, size_t alignment)
{
  arena->used = (arena->used + alignment - 1) & ~(alignment - 1);
  if (arena->chunks == NULL || arena->used > arena->chunks->bytes ||
      arena->chunks->bytes - arena->used < bytes) {
    size_t payload = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    Chunk *chunk = g_malloc(HEADER + payload);
    chunk->next = arena->chunks;
    chunk->bytes = payload;
    arena->chunks = chunk;
    arena->used = 0;
  }
  void *result = (char *)arena->chunks + HEADER + arena->used;
  arena->used += bytes;
  return result;
}

void *
dae_arena_alloc(DaeArena *arena, size_t bytes)
{
  return alloc_aligned(arena, bytes, 16);
}

uint32_t *
dae_arena_words(DaeArena *arena, size_t n)
{
  return alloc_aligned(arena, n * sizeof(uint32_t), sizeof(uint32_t));
}

void *
dae_arena_alloc0(DaeArena *arena, size_t bytes)
{
  void *memory = dae_arena_alloc(arena, bytes);
  memset(memory, 0, bytes);
  return memory;
}

/* Keeps one chunk of ordinary size, so that emptying after every equation costs nothing. */
void
dae_arena_reset(DaeArena *arena)
{
  if (arena->chunks == NULL) {
    return;
  }
  if (arena->chunks->next != NULL || arena->chunks->bytes > CHUNK_BYTES) {
    free_chunks(arena->chunks->next);
    arena->chunks->next = NULL;
    if (arena->chunks->bytes > CHUNK_BYTES) {
      free_chunks(arena->chunks);
      arena->chunks = NULL;
    }
  }
  arena->used = 0;
}
