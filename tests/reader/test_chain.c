#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* x[1] op x[2] op ... op x[n] equals the reduction of the whole
 * array, in linear time and memory. */
static void
assert_long(const char *between, const char *whole, uint32_t n)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_printf(text, "model M Real x[%u], s, t; equation x = ones(%u); t = %s;\ns = ", n, n,
                  whole);
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "%sx[%u]", i > 1 ? between : "", i);
  }
  g_string_append(text, "; end M;");
  Reading reading = read_text(text->str);
  TEST_ASSERT_NOT_NULL_MESSAGE(reading.model, reading.messages->str);
  TEST_ASSERT_EQUAL_UINT(dae_model_equation(reading.model, n)->rhs,
                         dae_model_equation(reading.model, n + 1)->rhs);
  TEST_ASSERT_LESS_THAN(50u * n + 10000u, dae_terms_count(reading.terms));
  TEST_ASSERT_LESS_THAN(2000u * (size_t)n + 10000000u, dae_terms_bytes(reading.terms));
  end_reading(&reading);
}

static void
test_long_sums_and_products_are_linear(void)
{
  assert_long(" + ", "sum(x)", 50000);
  assert_long(" * ", "product(x)", 50000);
  assert_long(" - ", "2*x[1] - sum(x)", 50000);
  assert_long(" / ", "x[1]^2/product(x)", 50000);
}

static void
test_short_and_mixed_ones_are_the_same_terms(void)
{
  for (uint32_t n = 2; n < 40; n++) {
    assert_long(" + ", "sum(x)", n);
    assert_long(" * ", "product(x)", n);
  }
}

static void
test_a_zero_in_a_long_quotient_is_told(void)
{
  g_autoptr(GString) text = g_string_new("model M Real x[30], s; equation x = ones(30); s = 1");
  for (int i = 1; i <= 30; i++) {
    g_string_append_printf(text, "*x[%d]", i);
  }
  g_string_append(text, "/(1 - 1); end M;");
  Reading reading = read_text(text->str);
  TEST_ASSERT_NOT_NULL(strstr(reading.messages->str, "error: division by zero"));
  end_reading(&reading);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_long_sums_and_products_are_linear);
  RUN_TEST(test_short_and_mixed_ones_are_the_same_terms);
  RUN_TEST(test_a_zero_in_a_long_quotient_is_told);
  return UNITY_END();
}
