#include <string.h>

#include "fixture.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = fixture_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static DaeTerm
decimal(const char *text)
{
  return dae_term_decimal(terms, text, strlen(text));
}

static void
test_literals_are_exact(void)
{
  TEST_ASSERT_EQUAL_UINT32(dae_term_ratio(terms, 1, 10), decimal("0.1"));
  TEST_ASSERT_EQUAL_UINT32(dae_term_ratio(terms, 1, 10000000), decimal("1e-7"));
  TEST_ASSERT_EQUAL_UINT32(dae_term_int(terms, 1), decimal("1."));
  TEST_ASSERT_EQUAL_UINT32(dae_term_int(terms, 1200), decimal("1.2E+3"));
  TEST_ASSERT_EQUAL_UINT32(dae_term_ratio(terms, 55, 4), decimal("13.75"));
  TEST_ASSERT_EQUAL_UINT32(dae_term_int(terms, 0), decimal("0e999999999999"));
  assert_prints(terms, "13.7503716373294544", decimal("13.7503716373294544"));
  assert_prints(terms, "123456789012345678901234567890123",
                decimal("123456789012345678901234567890123"));
}

static void
test_what_is_no_literal_is_no_term(void)
{
  static const char *const wrong[] = {"",  ".5",    "-1",   "1e",   "1e+",
                                      "x", "1.2.3", "0x10", "1e5 ", "1e1x"};
  for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(DAE_NO_TERM, decimal(wrong[i]), wrong[i]);
  }
}

static void
test_exponents_are_limited_to_a_million_digits(void)
{
  TEST_ASSERT_NOT_EQUAL(DAE_NO_TERM, decimal("1e100000"));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, decimal("1e1000001"));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, decimal("1e-1000002"));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, decimal("1e99999999999999999999999"));
}

static void
test_text_of_numbers(void)
{
  assert_text(terms, "0.1", "1/10");
  assert_text(terms, "1/3", "1/3");
  assert_text(terms, "-1/3", "-1/3");
  assert_text(terms, "-2.5", "-5/2");
  assert_text(terms, "1e-7", "1/10000000");
  assert_text(terms, "0.0001", "1/10000");
  assert_text(terms, "1.25e-5", "0.0000125");
  assert_text(terms, "1e30", "1000000000000000000000000000000");
  assert_text(terms, "1000000", "1000000");
  assert_text(terms, "1.5e20", "150000000000000000000");
  assert_text(terms, "12345678901234567890", "12345678901234567890");
}

/* Reading the text gives the same number. */
static void
check_round_trip(DaeTerm number)
{
  g_autofree char *text = dae_term_to_string(terms, number);
  const char *start = *text == '-' ? text + 1 : text;
  const char *slash = strchr(start, '/');
  size_t length = slash != NULL ? (size_t)(slash - start) : strlen(start);
  DaeTerm back = dae_term_decimal(terms, start, length);
  if (slash != NULL) {
    back = dae_term_div(terms, back, decimal(slash + 1));
  }
  back = *text == '-' ? dae_term_neg(terms, back) : back;
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(number, back, text);
}

static void
test_numbers_read_back(void)
{
  uint64_t state = 1;
  for (int i = 0; i < 20000; i++) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    int64_t num = (int64_t)(state >> 3) >> (state % 60);
    int64_t den = (int64_t)((state >> 20) % 100000) + 1;
    check_round_trip(dae_term_ratio(terms, i % 2 == 0 ? num : -num, den));
    DaeTerm ten = dae_term_int(terms, 10);
    DaeTerm scale = dae_term_pow_int(terms, ten, (int64_t)(state % 80) - 40);
    check_round_trip(dae_term_mul(terms, dae_term_int(terms, num % 100000), scale));
  }
}

static void
test_doubles_become_exact(void)
{
  assert_prints(terms, "0.5", dae_term_from_double(terms, 0.5));
  TEST_ASSERT_EQUAL_UINT32(dae_term_ratio(terms, INT64_C(3602879701896397), INT64_C(1) << 55),
                           dae_term_from_double(terms, 0.1));
  TEST_ASSERT_TRUE(0.1 == dae_term_get_double(terms, dae_term_from_double(terms, 0.1)));
  TEST_ASSERT_TRUE(5e-324 == dae_term_get_double(terms, dae_term_from_double(terms, 5e-324)));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_literals_are_exact);
  RUN_TEST(test_what_is_no_literal_is_no_term);
  RUN_TEST(test_exponents_are_limited_to_a_million_digits);
  RUN_TEST(test_text_of_numbers);
  RUN_TEST(test_numbers_read_back);
  RUN_TEST(test_doubles_become_exact);
  return UNITY_END();
}
