/* What the ends of a pipe read when the flow turns, on pieces made by hand. */
#include "instant/delay-priv.h"

#include <math.h>
#include <string.h>

#include <unity.h>

enum { N_PIECES = 4, LEFT_LOW = 10, LEFT_HIGH, RIGHT_LOW, RIGHT_HIGH };

static DaeInstant instant;
static DaeDelays delays;
static DaeOneDelay ends[2];

/* ]-oo, 1[ flows in at the right, [1, 1.5[ and [1.5, 2[ are in the pipe, [2, oo[ flows in at the
 * left. The guards are in the order of these buffers, after two others. */
void
setUp(void)
{
  static const double begin[N_PIECES] = {-1e300, 1, 1.5, 2};
  memset(&instant, 0, sizeof instant);
  memset(&delays, 0, sizeof delays);
  memset(ends, 0, sizeof ends);
  GArray *pieces = g_array_new(FALSE, TRUE, sizeof(DaePiece));
  for (int k = 0; k < N_PIECES; k++) {
    DaePiece piece = {.begin = begin[k], .end = k + 1 < N_PIECES ? begin[k + 1] : 1e300};
    g_array_append_val(pieces, piece);
  }
  ends[0] = (DaeOneDelay){.is_transport = true,
                          .is_varying = true,
                          .other = 1,
                          .low = LEFT_LOW,
                          .high = LEFT_HIGH,
                          .pieces = pieces};
  ends[1] = (DaeOneDelay){.is_transport = true,
                          .is_varying = true,
                          .is_right = true,
                          .other = 0,
                          .low = RIGHT_LOW,
                          .high = RIGHT_HIGH,
                          .pieces = pieces};
  delays.list = ends;
  delays.n = 2;
  instant.delays = &delays;
  instant.guard_buffers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  const uint32_t buffers[] = {3, 4, LEFT_LOW, LEFT_HIGH, RIGHT_LOW, RIGHT_HIGH};
  g_array_append_vals(instant.guard_buffers, buffers, G_N_ELEMENTS(buffers));
}

void
tearDown(void)
{
  g_array_free(ends[0].pieces, TRUE);
  g_array_free(instant.guard_buffers, TRUE);
}

static void
check_guards(int turning, guint left, guint right, uint32_t n, uint32_t first, uint32_t second)
{
  uint32_t guards[6] = {0};
  ends[0].turning = turning;
  ends[0].current = left;
  ends[1].current = right;
  TEST_ASSERT_EQUAL_UINT32(n, dae_instant_turned_guards(&instant, guards));
  TEST_ASSERT_TRUE(n < 1 || guards[0] == first);
  TEST_ASSERT_TRUE(n < 2 || guards[1] == second);
}

static void
test_a_turn_crosses_a_guard_at_both_ends(void)
{
  check_guards(-1, 3, 1, 2, 2, 4); /* both leave downwards */
  check_guards(1, 2, 0, 2, 3, 5);
}

static void
test_an_end_that_is_right_already_stays(void)
{
  check_guards(-1, 2, 1, 1, 4, 0);
  check_guards(-1, 2, 0, 0, 0, 0);
  check_guards(1, 3, 0, 1, 5, 0);
  check_guards(1, 3, 1, 0, 0, 0);
  check_guards(0, 3, 1, 0, 0, 0);
}

static void
test_a_turn_is_pending_until_its_time(void)
{
  ends[0].turn_at = 4;
  TEST_ASSERT_FALSE(dae_instant_turns_at(&instant, 5));
  ends[0].turning = 1;
  TEST_ASSERT_FALSE(dae_instant_turns_at(&instant, nextafter(4, 0)));
  TEST_ASSERT_TRUE(dae_instant_turns_at(&instant, 4));
  TEST_ASSERT_EQUAL_DOUBLE(4, dae_instant_delay_limit(&instant));
  ends[0].turning = 0;
  TEST_ASSERT_TRUE(isinf(dae_instant_delay_limit(&instant)));
}

static void
test_after_a_fixed_step_the_ends_are_those_of_the_new_direction(void)
{
  ends[0].turning = 1;
  ends[0].direction = -1; /* of the last part of the step */
  ends[0].current = 3;
  ends[1].current = 1;
  dae_transport_turn(&instant, 0);
  TEST_ASSERT_EQUAL_UINT(2, ends[0].current);
  TEST_ASSERT_EQUAL_UINT(0, ends[1].current);
  TEST_ASSERT_TRUE(ends[0].has_turned);
  TEST_ASSERT_EQUAL_INT(0, ends[0].turning);
  ends[0].direction = 1;
  dae_transport_turn(&instant, 0);
  TEST_ASSERT_EQUAL_UINT(3, ends[0].current);
  TEST_ASSERT_EQUAL_UINT(1, ends[1].current);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_turn_crosses_a_guard_at_both_ends);
  RUN_TEST(test_an_end_that_is_right_already_stays);
  RUN_TEST(test_a_turn_is_pending_until_its_time);
  RUN_TEST(test_after_a_fixed_step_the_ends_are_those_of_the_new_direction);
  return UNITY_END();
}
