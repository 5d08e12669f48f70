/* The heap of candidates against sorting, and rows that wait for each stage. */
#include "initcheck/initcheck-priv.h"

#include <unity.h>

#include "inside.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static gint
compare_keys(gconstpointer a, gconstpointer b)
{
  const IcCandidate *x = a;
  const IcCandidate *y = b;
  return x->key < y->key ? -1 : x->key > y->key;
}

static GArray *
random_candidates(GRand *random, int n, int range)
{
  GArray *list = g_array_new(FALSE, FALSE, sizeof(IcCandidate));
  for (int i = 0; i < n; i++) {
    IcCandidate item = {.key = (uint64_t)g_rand_int_range(random, 0, range),
                        .row = (uint32_t)i,
                        .version = (uint32_t)(i % 3)};
    g_array_append_val(list, item);
  }
  return list;
}

static void
test_candidates_come_out_by_key(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(5);
  for (int n = 0; n < 200; n += 7) {
    g_autoptr(GArray) sorted = random_candidates(random, n, n % 2 == 0 ? 10 : 1 << 30);
    g_autoptr(GArray) heap = g_array_new(FALSE, FALSE, sizeof(IcCandidate));
    for (guint i = 0; i < sorted->len; i++) {
      ic_heap_push(heap, g_array_index(sorted, IcCandidate, i));
    }
    g_array_sort(sorted, compare_keys);
    for (guint i = 0; i < sorted->len; i++) {
      IcCandidate got = ic_heap_pop(heap);
      TEST_ASSERT_TRUE(g_array_index(sorted, IcCandidate, i).key == got.key);
    }
    TEST_ASSERT_EQUAL_UINT(0, heap->len);
  }
}

static void
test_pushing_between_popping_keeps_the_order(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(6);
  g_autoptr(GArray) heap = g_array_new(FALSE, FALSE, sizeof(IcCandidate));
  uint64_t last = 0;
  int n_inside = 0;
  for (int k = 0; k < 2000; k++) {
    if (n_inside == 0 || g_rand_int_range(random, 0, 5) < 3) {
      /* never below what came out: the heap is then monotone */
      IcCandidate item = {.key = last + (uint64_t)g_rand_int_range(random, 0, 50)};
      ic_heap_push(heap, item);
      n_inside++;
    } else {
      IcCandidate item = ic_heap_pop(heap);
      TEST_ASSERT_TRUE(item.key >= last);
      last = item.key;
      n_inside--;
    }
  }
}

static void
test_every_candidate_comes_out_once(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  g_autoptr(GArray) list = random_candidates(random, 150, 12);
  g_autoptr(GArray) heap = g_array_new(FALSE, FALSE, sizeof(IcCandidate));
  g_autofree int *seen = g_new0(int, 150);
  for (guint i = 0; i < list->len; i++) {
    ic_heap_push(heap, g_array_index(list, IcCandidate, i));
  }
  while (heap->len > 0) {
    seen[ic_heap_pop(heap).row]++;
  }
  for (int i = 0; i < 150; i++) {
    TEST_ASSERT_EQUAL_INT(1, seen[i]);
  }
}

static void
test_each_stage_sees_each_row_once_and_in_order(void)
{
  Inside in = inside_new("Real x; Real y; Real z; initial equation x^2 + y^2 = 1; x*z = 2;"
                         "y + sin(z) = 1; equation der(x) = 1; der(y) = 1; der(z) = 1;");
  IcEngine *engine = ic_engine_new(in.sys, NULL, 0);
  for (uint32_t p = 0; p < in.sys->premises->len; p++) {
    ic_engine_add(engine, p, false);
  }
  ic_engine_drain(engine);
  for (int stage = 0; stage < IC_N_STAGES; stage++) {
    uint32_t last = 0;
    uint32_t n_seen = 0;
    for (uint32_t r = ic_queue_next(engine, (IcStage)stage); r != IC_NONE;
         r = ic_queue_next(engine, (IcStage)stage)) {
      TEST_ASSERT_TRUE(n_seen == 0 || r > last);
      TEST_ASSERT_EQUAL_INT(IC_ROW_ACTIVE, ic_engine_row(engine, r)->state);
      last = r;
      n_seen++;
    }
    TEST_ASSERT_EQUAL_UINT32(2, n_seen); /* the third is linear in y */
    TEST_ASSERT_EQUAL_UINT32(IC_NONE, ic_queue_next(engine, (IcStage)stage));
  }
  const GArray *active = ic_queue_active(engine);
  TEST_ASSERT_TRUE(active->len > 0);
  ic_queue_row(engine, g_array_index(active, uint32_t, 0));
  TEST_ASSERT_EQUAL_UINT32(g_array_index(active, uint32_t, 0),
                           ic_queue_next(engine, IC_STAGE_NONLINEAR));
  TEST_ASSERT_EQUAL_UINT32(IC_NONE, ic_queue_next(engine, IC_STAGE_NONLINEAR));
  ic_engine_free(engine);
  inside_clear(&in);
}

/* Against an array of flags. */
static void
test_sets_of_rows_give_the_smallest_first(void)
{
  enum { MOST = 70000 };

  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  g_autofree bool *is_in = g_new0(bool, MOST);
  IcRowSet set = {0};
  TEST_ASSERT_EQUAL_UINT32(IC_NONE, ic_set_take_first(&set));
  for (int round = 0; round < 200; round++) {
    uint32_t range = round % 3 == 0 ? 60 : round % 3 == 1 ? 5000 : MOST;
    for (int k = g_rand_int_range(random, 0, 50); k > 0; k--) {
      uint32_t r = (uint32_t)g_rand_int_range(random, 0, (gint)range);
      ic_set_add(&set, r);
      is_in[r] = true;
    }
    for (int k = g_rand_int_range(random, 0, round == 199 ? 20000 : 45); k > 0; k--) {
      uint32_t first = 0;
      while (first < MOST && !is_in[first]) {
        first++;
      }
      TEST_ASSERT_EQUAL_UINT32(first < MOST ? first : IC_NONE, ic_set_take_first(&set));
      if (first < MOST) {
        is_in[first] = false;
      }
    }
  }
  ic_set_clear(&set);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_candidates_come_out_by_key);
  RUN_TEST(test_pushing_between_popping_keeps_the_order);
  RUN_TEST(test_every_candidate_comes_out_once);
  RUN_TEST(test_each_stage_sees_each_row_once_and_in_order);
  RUN_TEST(test_sets_of_rows_give_the_smallest_first);
  return UNITY_END();
}
