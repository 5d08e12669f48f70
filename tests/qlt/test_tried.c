/* Points that were found are those of the same question only. */
#include <unity.h>

#include "qlt/qlt-priv.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
add_point(GArray *points, double value)
{
  QltPoint point = {.x = g_new(double, 1), .n = 1};
  point.x[0] = value;
  g_array_append_val(points, point);
}

static void
test_the_same_question_finds_its_points(void)
{
  const DaeTerm t[] = {7, 9};
  QltTried tried = {0};
  add_point(qlt_tried_points(&tried, t, 2, 5), 0.5);
  GArray *again = qlt_tried_points(&tried, t, 2, 5);
  TEST_ASSERT_EQUAL_UINT(1, again->len);
  TEST_ASSERT_TRUE(g_array_index(again, QltPoint, 0).x[0] == 0.5);
  qlt_tried_clear(&tried);
}

static void
test_another_question_begins_anew(void)
{
  const DaeTerm t[] = {7, 9};
  const DaeTerm other[] = {7, 8};
  QltTried tried = {0};
  add_point(qlt_tried_points(&tried, t, 2, 5), 0.5);
  TEST_ASSERT_EQUAL_UINT(0, qlt_tried_points(&tried, other, 2, 5)->len);
  add_point(qlt_tried_points(&tried, other, 2, 5), 0.5);
  TEST_ASSERT_EQUAL_UINT(0, qlt_tried_points(&tried, other, 1, 5)->len);
  add_point(qlt_tried_points(&tried, other, 1, 5), 0.5);
  TEST_ASSERT_EQUAL_UINT(0, qlt_tried_points(&tried, other, 1, 6)->len);
  qlt_tried_clear(&tried);
  TEST_ASSERT_EQUAL_UINT(0, qlt_tried_points(&tried, other, 0, 6)->len);
  qlt_tried_clear(&tried);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_same_question_finds_its_points);
  RUN_TEST(test_another_question_begins_anew);
  return UNITY_END();
}
