/* Memory that is given back all at once. */
#ifndef DAE_BASE_ARENA_H
#define DAE_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct DaeArena DaeArena;
DaeArena *dae_arena_new(void);
void dae_arena_free(DaeArena *arena);
void *dae_arena_alloc(DaeArena *arena, size_t bytes); /* aligned for anything; not zeroed */
/* Aligned for words of 32 bits only: many short lists of them lie without gaps. */
uint32_t *dae_arena_words(DaeArena *arena, size_t n);
void *dae_arena_alloc0(DaeArena *arena, size_t bytes);
void dae_arena_reset(DaeArena *arena);

#endif
