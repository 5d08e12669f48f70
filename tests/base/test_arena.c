/* Memory that is given back all at once: what is asked for is aligned, apart and kept. */
#include "base/arena.h"

#include <string.h>
#include <unity.h>

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_short_lists_of_words_have_no_gaps(void)
{
  DaeArena *arena = dae_arena_new();
  uint32_t *first = dae_arena_words(arena, 1);
  uint32_t *second = dae_arena_words(arena, 3);
  TEST_ASSERT_EQUAL_PTR(first + 1, second);
  TEST_ASSERT_EQUAL_PTR(second + 3, dae_arena_words(arena, 1));
  dae_arena_free(arena);
}

/* Words and others in turn, over the ends of many chunks. */
static void
test_nothing_overlaps_and_all_is_aligned(void)
{
  enum { N = 20000 };

  static uint32_t *words[N];
  static unsigned char *others[N];
  DaeArena *arena = dae_arena_new();
  for (uint32_t i = 0; i < N; i++) {
    words[i] = dae_arena_words(arena, i % 5 + 1);
    others[i] = dae_arena_alloc(arena, i % 23 + 1);
    TEST_ASSERT_EQUAL_UINT(0, (uintptr_t)words[i] % sizeof(uint32_t));
    TEST_ASSERT_EQUAL_UINT(0, (uintptr_t)others[i] % 16);
    words[i][i % 5] = i;
    memset(others[i], (int)(i % 251), i % 23 + 1);
  }
  for (uint32_t i = 0; i < N; i++) {
    TEST_ASSERT_EQUAL_UINT32(i, words[i][i % 5]);
    TEST_ASSERT_EQUAL_UINT8(i % 251, others[i][i % 23]);
  }
  dae_arena_reset(arena);
  TEST_ASSERT_EQUAL_UINT(0, (uintptr_t)dae_arena_alloc(arena, 1 << 20) % 16);
  dae_arena_free(arena);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_short_lists_of_words_have_no_gaps);
  RUN_TEST(test_nothing_overlaps_and_all_is_aligned);
  return UNITY_END();
}
