#include "base/base.h"
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
test_a_place_in_the_model_is_a_line(void)
{
  g_autofree char *text = dae_span_text((DaeSpan){.line = 12});
  TEST_ASSERT_EQUAL_STRING("line 12", text);
}

static void
test_a_place_in_a_library_names_its_file(void)
{
  DaeSpan span = {.line = 7, .file = g_quark_from_static_string("/lib/Small/Basic.mo")};
  g_autofree char *text = dae_span_text(span);
  TEST_ASSERT_EQUAL_STRING("Basic.mo:7", text);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_place_in_the_model_is_a_line);
  RUN_TEST(test_a_place_in_a_library_names_its_file);
  return UNITY_END();
}
