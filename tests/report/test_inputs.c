/* What is told of inputs that are needed differentiated: orders, those without, and not known. */
#include <string.h>
#include <unity.h>

#include "reader/reader.h"
#include "report/inputs.h"

static DaeTerms *terms;
static DaeModel *model;
static GString *out;

void
setUp(void)
{
  const char *text = "model M input Real u, v, w; Real x; equation x = u + v + w; end M;";
  terms = dae_terms_new();
  model = dae_model_read(terms, "m.mo", text, strlen(text), NULL, NULL, NULL);
  out = g_string_new(NULL);
  TEST_ASSERT_NOT_NULL(model);
}

void
tearDown(void)
{
  g_string_free(out, TRUE);
  dae_model_free(model);
  dae_terms_free(terms);
}

static const char *
json_of(const DaeInputNeeds *needs)
{
  g_string_truncate(out, 0);
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_object(json, true);
  dae_inputs_json(json, model, needs);
  dae_json_end_object(json);
  return out->str;
}

static void
test_orders_first_then_those_without(void)
{
  uint32_t orders[] = {0, 2, 0};
  const DaeInputNeeds needs = {3, orders, NULL};
  dae_inputs_text(model, &needs, out);
  TEST_ASSERT_EQUAL_STRING("input v is needed differentiated, order 2\n"
                           "inputs needed without derivatives: u, w\n",
                           out->str);
  TEST_ASSERT_NOT_NULL(strstr(json_of(&needs), "{\"name\": \"v\", \"order\": 2}"));
}

static void
test_what_is_not_known_is_said(void)
{
  char why[] = "the search ended";
  const DaeInputNeeds needs = {3, NULL, why};
  dae_inputs_text(model, &needs, out);
  TEST_ASSERT_EQUAL_STRING(
      "how often inputs are needed differentiated is not known: the search ended\n", out->str);
  TEST_ASSERT_NOT_NULL(strstr(json_of(&needs), "{\"name\": \"u\", \"order\": null}"));
}

static void
test_nobody_asked(void)
{
  dae_inputs_text(model, NULL, out);
  TEST_ASSERT_EQUAL_STRING("", out->str);
  TEST_ASSERT_NULL(strstr(json_of(NULL), "inputs"));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_orders_first_then_those_without);
  RUN_TEST(test_what_is_not_known_is_said);
  RUN_TEST(test_nobody_asked);
  return UNITY_END();
}
