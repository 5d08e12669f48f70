/* Preloaded library: the allocation number FAIL_AT (from 1) and all after it fail. With
 * FAIL_COUNT set, the number of allocations is written to that file at the end of the program,
 * so that the driver knows how far to go. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long count;
static long fail_at = -1;

static void __attribute__((constructor)) read_settings(void)
{
  const char *text = getenv("FAIL_AT");
  fail_at = text != NULL ? atol(text) : 0;
}

static void __attribute__((destructor)) write_count(void)
{
  const char *path = getenv("FAIL_COUNT");
  if (path != NULL) {
    FILE *file = fopen(path, "w");
    if (file != NULL) {
      fprintf(file, "%ld\n", atomic_load(&count));
      fclose(file);
    }
  }
}

static int
must_fail(void)
{
  return fail_at >= 0 && atomic_fetch_add(&count, 1) + 1 >= fail_at && fail_at > 0;
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *
malloc(size_t size)
{
  return must_fail() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
  return must_fail() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *old, size_t size)
{
  return must_fail() ? NULL : __libc_realloc(old, size);
}
