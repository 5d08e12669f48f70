#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#if defined(__GLIBC__) && defined(__x86_64__)
#include <fpu_control.h>
#endif

#include "base/decimal.h"
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
expect(const char *text, double value)
{
  char buffer[DAE_DECIMAL_SIZE];
  TEST_ASSERT_EQUAL_STRING(text, dae_decimal_shortest(buffer, value));
}

static void
test_numbers_as_people_write_them(void)
{
  expect("0.2", 0.2);
  expect("-0.1", -0.1);
  expect("0.30000000000000004", 3 * 0.1);
  expect("1", 1.0);
  expect("-0", -0.0);
  expect("0.0001", 1e-4);
  expect("1e-05", 1e-5);
  expect("123456.789", 123456.789);
  expect("100000000000000", 1e14);
  expect("1e+15", 1e15);
  expect("1e+22", 1e22);
  expect("0.3333333333333333", 1.0 / 3.0);
  expect("9007199254740994", 9007199254740994.0);
  /* to 17 digits 542.86031083770115, which must not be rounded again */
  expect("542.8603108377011", 542.8603108377011);
  expect("890242.0297835286", 890242.0297835286);
  expect("nan", NAN);
  expect("inf", INFINITY);
  expect("-inf", -INFINITY);
}

/* Below a power of two the doubles are closer: the nearest decimal of 16 digits does not
 * read back, the one above does. */
static void
test_powers_of_two_may_be_rounded_up(void)
{
  expect("5.684341886080802e-14", ldexp(1.0, -44));
  expect("9007199254740992", ldexp(1.0, 53));
}

static void
test_the_smallest_and_the_largest(void)
{
  expect("5e-324", 4.9406564584124654e-324);
  expect("1.5e-323", 3 * 4.9406564584124654e-324);
  expect("2.2250738585072014e-308", DBL_MIN);
  expect("1.7976931348623157e+308", DBL_MAX);
}

static uint64_t
next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static size_t
count_digits(const char *text)
{
  size_t n = 0;
  size_t zeros = 0;
  for (; *text != '\0' && *text != 'e'; text++) {
    if (*text >= '1' && *text <= '9') {
      n += 1 + zeros;
      zeros = 0;
    } else if (*text == '0' && n > 0) {
      zeros++;
    }
  }
  return n;
}

/* Any bits: the text reads back, and printf finds no shorter one that does. */
static void
test_random_bits_read_back_and_are_no_longer_than_printf(void)
{
  uint64_t state = 88172645463325252U;
  for (int k = 0; k < 50000; k++) {
    uint64_t bits = next_random(&state);
    bits = k % 3 == 0 ? bits & ~((UINT64_C(1) << 52) - 1) : bits; /* powers of two */
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) {
      continue;
    }
    char text[DAE_DECIMAL_SIZE];
    dae_decimal_shortest(text, value);
    TEST_ASSERT_TRUE_MESSAGE(g_ascii_strtod(text, NULL) == value, text);
    for (int digits = 1; digits < (int)count_digits(text); digits++) {
      char other[64];
      snprintf(other, sizeof other, "%.*e", digits - 1, value);
      TEST_ASSERT_FALSE_MESSAGE(g_ascii_strtod(other, NULL) == value, other);
    }
  }
}

#if defined(__GLIBC__) && defined(__x86_64__)
/* The same text where the unit has 53 bits and numbers are left to printf; of all sizes. */
static void
test_the_fast_way_finds_what_the_slow_one_finds(void)
{
  uint64_t state = 88172645463325252U;
  fpu_control_t before = 0;
  _FPU_GETCW(before);
  fpu_control_t less = (fpu_control_t)((before & ~_FPU_EXTENDED) | _FPU_DOUBLE);
  for (int k = 0; k < 50000; k++) {
    uint64_t bits = next_random(&state) & ~(UINT64_C(1) << 63);
    double value;
    memcpy(&value, &bits, sizeof value);
    char fast[DAE_DECIMAL_SIZE];
    char slow[DAE_DECIMAL_SIZE];
    dae_decimal_shortest(fast, value);
    _FPU_SETCW(less);
    dae_decimal_shortest(slow, value);
    _FPU_SETCW(before);
    TEST_ASSERT_EQUAL_STRING(slow, fast);
  }
}
#endif

/* A host may have told the unit to round every sum to 53 bits. */
static void
test_a_unit_of_less_precision(void)
{
#if defined(__GLIBC__) && defined(__x86_64__)
  fpu_control_t before = 0;
  _FPU_GETCW(before);
  fpu_control_t less = (fpu_control_t)((before & ~_FPU_EXTENDED) | _FPU_DOUBLE);
  _FPU_SETCW(less);
#endif
  test_random_bits_read_back_and_are_no_longer_than_printf();
#if defined(__GLIBC__) && defined(__x86_64__)
  _FPU_SETCW(before);
#endif
}

static void
test_whole_numbers(void)
{
  static const gint64 values[] = {0, 7, 10, -1, -90, 1234567890, G_MAXINT64, G_MININT64};
  for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
    g_autoptr(GString) out = g_string_new("=");
    g_autofree char *wanted = g_strdup_printf("=%" G_GINT64_FORMAT, values[i]);
    dae_decimal_append_int(out, values[i]);
    TEST_ASSERT_EQUAL_STRING(wanted, out->str);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_whole_numbers);
  RUN_TEST(test_numbers_as_people_write_them);
  RUN_TEST(test_powers_of_two_may_be_rounded_up);
  RUN_TEST(test_the_smallest_and_the_largest);
  RUN_TEST(test_random_bits_read_back_and_are_no_longer_than_printf);
#if defined(__GLIBC__) && defined(__x86_64__)
  RUN_TEST(test_the_fast_way_finds_what_the_slow_one_finds);
#endif
  RUN_TEST(test_a_unit_of_less_precision);
  return UNITY_END();
}
