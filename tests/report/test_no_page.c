/* A program that is built without the page: it says so instead of writing half a page. */
#include "report/html.h"
#include "report/no_page.c"
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
test_without_its_scripts_there_is_no_report(void)
{
  TEST_ASSERT_FALSE(dae_html_is_available());
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_without_its_scripts_there_is_no_report);
  return UNITY_END();
}
