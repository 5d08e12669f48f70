/* FLINT answers an allocation that fails by printing, which allocates, and so on until the
 * stack ends; GMP aborts. Both get allocators that leave with exit code 70 instead. */
#include <gmp.h>
#include <stdlib.h>

#include "algebra/algebra-priv.h"

static void *
checked(void *memory)
{
  if (memory == NULL) {
    dae_internal_error("memory", 0, "out of memory in exact arithmetic");
  }
  return memory;
}

static void *
allocate(size_t size)
{
  return checked(malloc(MAX(size, 1)));
}

static void *
allocate_zeros(size_t n, size_t size)
{
  return checked(calloc(MAX(n, 1), MAX(size, 1)));
}

static void *
reallocate(void *old, size_t size)
{
  return checked(realloc(old, MAX(size, 1)));
}

static void *
reallocate_for_gmp(void *old, size_t old_size, size_t size)
{
  (void)old_size;
  return reallocate(old, size);
}

static void
release_for_gmp(void *memory, size_t size)
{
  (void)size;
  free(memory);
}

void
dae_algebra_guard_memory(void)
{
  __flint_set_memory_functions(allocate, allocate_zeros, reallocate, free);
  mp_set_memory_functions(allocate, reallocate_for_gmp, release_for_gmp);
}
