#include <math.h>

#include "base/json.h"
#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_members_come_in_the_order_written(void)
{
  g_autoptr(GString) out = g_string_new(NULL);
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_object(json, true);
  dae_json_key(json, "b");
  dae_json_int(json, -3);
  dae_json_key(json, "a");
  dae_json_begin_array(json, true);
  dae_json_bool(json, true);
  dae_json_null(json);
  dae_json_end_array(json);
  dae_json_end_object(json);
  TEST_ASSERT_EQUAL_STRING("{\"b\": -3, \"a\": [true, null]}\n", out->str);
}

static void
test_doubles_are_shortest_and_not_finite_ones_are_null(void)
{
  g_autoptr(GString) out = g_string_new(NULL);
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_array(json, true);
  dae_json_double(json, 0.1);
  dae_json_double(json, 1.0 / 3.0);
  dae_json_double(json, NAN);
  dae_json_double(json, INFINITY);
  dae_json_end_array(json);
  TEST_ASSERT_EQUAL_STRING("[0.1, 0.3333333333333333, null, null]\n", out->str);
}

static void
test_strings_are_escaped_and_made_valid(void)
{
  g_autoptr(GString) out = g_string_new(NULL);
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_string(json, "a\"b\\\n\001\xff");
  TEST_ASSERT_EQUAL_STRING("\"a\\\"b\\\\\\n\\u0001\xef\xbf\xbd\"", out->str);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_members_come_in_the_order_written);
  RUN_TEST(test_doubles_are_shortest_and_not_finite_ones_are_null);
  RUN_TEST(test_strings_are_escaped_and_made_valid);
  return UNITY_END();
}
