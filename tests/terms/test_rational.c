/* Small rationals against GMP, at and around the borders of the small form. */
#include "terms/rational.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static const int64_t samples[] = {0,
                                  1,
                                  -1,
                                  2,
                                  -3,
                                  7,
                                  1000000007,
                                  -(INT64_C(1) << 31),
                                  INT64_C(1) << 32,
                                  (INT64_C(1) << 53) + 1,
                                  INT64_MAX,
                                  -INT64_MAX,
                                  INT64_MAX - 1,
                                  INT64_MIN};

enum { N_SAMPLES = sizeof samples / sizeof samples[0] };

static void
to_mpq(mpq_t q, int64_t num, int64_t den)
{
  mpz_t n;
  mpz_init_set_si(n, num);
  mpq_set_z(q, n);
  mpz_set_si(n, den);
  mpz_set(mpq_denref(q), n);
  mpq_canonicalize(q);
  mpz_clear(n);
}

static void
check_equal(const DaeRat *r, const mpq_t expected)
{
  mpq_t q;
  mpq_init(q);
  dae_rat_get_mpq(r, q);
  TEST_ASSERT_TRUE(mpq_equal(q, expected));
  bool small = mpz_sizeinbase(mpq_numref(q), 2) <= 63 && mpz_sizeinbase(mpq_denref(q), 2) <= 63;
  TEST_ASSERT_EQUAL(small, r->big == NULL);
  mpq_clear(q);
}

static void
check_pair(int64_t a, int64_t b, int64_t c, int64_t d)
{
  mpq_t x;
  mpq_t y;
  mpq_t z;
  mpq_inits(x, y, z, NULL);
  to_mpq(x, a, b);
  to_mpq(y, c, d);
  DaeRat r;
  DaeRat s;
  dae_rat_init_ratio(&r, a, b);
  dae_rat_init_ratio(&s, c, d);
  check_equal(&r, x);
  int order = mpq_cmp(x, y);
  TEST_ASSERT_EQUAL((order > 0) - (order < 0), dae_rat_compare(&r, &s));
  TEST_ASSERT_EQUAL(order == 0, dae_rat_equal(&r, &s));
  DaeRat t;
  dae_rat_init_copy(&t, &r);
  dae_rat_add(&t, &s);
  mpq_add(z, x, y);
  check_equal(&t, z);
  dae_rat_clear(&t);
  dae_rat_init_copy(&t, &r);
  dae_rat_mul(&t, &s);
  mpq_mul(z, x, y);
  check_equal(&t, z);
  dae_rat_neg(&t);
  mpq_neg(z, z);
  check_equal(&t, z);
  if (dae_rat_sign(&t) != 0) {
    dae_rat_invert(&t);
    mpq_inv(z, z);
    check_equal(&t, z);
  }
  dae_rat_clear(&t);
  dae_rat_clear(&r);
  dae_rat_clear(&s);
  mpq_clears(x, y, z, NULL);
}

static void
test_arithmetic_agrees_with_gmp(void)
{
  for (int i = 0; i < N_SAMPLES; i++) {
    for (int j = 0; j < N_SAMPLES; j++) {
      for (int k = 0; k < N_SAMPLES; k++) {
        if (samples[j] != 0) {
          check_pair(samples[i], samples[j], samples[k], 1);
          check_pair(samples[i], samples[j], samples[k], samples[j]);
          check_pair(samples[k], 3, samples[i], samples[j]);
        }
      }
    }
  }
}

static void
test_an_operand_may_be_the_accumulator(void)
{
  DaeRat r;
  dae_rat_init_ratio(&r, INT64_MAX, 2);
  dae_rat_add(&r, &r);
  TEST_ASSERT_TRUE(dae_rat_is_int(&r, INT64_MAX));
  dae_rat_mul(&r, &r);
  TEST_ASSERT_NOT_NULL(r.big);
  dae_rat_mul(&r, &r);
  TEST_ASSERT_EQUAL(252, (int)dae_rat_bits(&r));
  dae_rat_clear(&r);
}

static void
test_powers(void)
{
  DaeRat r;
  dae_rat_init_ratio(&r, -2, 3);
  dae_rat_pow(&r, -3);
  TEST_ASSERT_EQUAL_INT64(-27, r.num);
  TEST_ASSERT_EQUAL_INT64(8, r.den);
  dae_rat_pow(&r, 0);
  TEST_ASSERT_TRUE(dae_rat_is_int(&r, 1));
  dae_rat_clear(&r);
}

static void
test_content_is_gcd_over_lcm(void)
{
  DaeRat r;
  DaeRat s;
  dae_rat_init_ratio(&r, -4, 9);
  dae_rat_init_ratio(&s, 10, 21);
  dae_rat_content(&r, &s);
  TEST_ASSERT_EQUAL_INT64(2, r.num);
  TEST_ASSERT_EQUAL_INT64(63, r.den);
  dae_rat_clear(&r);
  dae_rat_clear(&s);
}

static void
test_floor_goes_down(void)
{
  DaeRat r;
  dae_rat_init_ratio(&r, -7, 2);
  dae_rat_floor(&r);
  TEST_ASSERT_TRUE(dae_rat_is_int(&r, -4));
  dae_rat_clear(&r);
}

/* strtod rounds correctly; the rational must round the same way. */
static void
check_double(const char *num, const char *den, double expected)
{
  mpq_t q;
  mpq_init(q);
  mpz_set_str(mpq_numref(q), num, 10);
  mpz_set_str(mpq_denref(q), den, 10);
  mpq_canonicalize(q);
  DaeRat r;
  dae_rat_init_mpq(&r, q);
  double value = dae_rat_to_double(&r);
  TEST_ASSERT_TRUE_MESSAGE(value == expected, num);
  dae_rat_neg(&r);
  TEST_ASSERT_TRUE_MESSAGE(dae_rat_to_double(&r) == -expected, num);
  dae_rat_clear(&r);
  mpq_clear(q);
}

static void
check_power_of_ten(int exponent)
{
  char one[400] = "1";
  char text[32];
  for (int i = 0; i < abs(exponent); i++) {
    one[i + 1] = '0';
    one[i + 2] = '\0';
  }
  sprintf(text, "1e%d", exponent);
  double expected = strtod(text, NULL);
  if (exponent >= 0) {
    check_double(one, "1", expected);
  } else {
    check_double("1", one, expected);
  }
}

static void
test_doubles_are_rounded_to_nearest_even(void)
{
  check_double("1", "10", 0.1);
  check_double("1", "3", 1.0 / 3.0);
  check_double("9007199254740993", "1", 9007199254740992.0); /* 2^53 + 1: tie to even */
  check_double("9007199254740995", "1", 9007199254740996.0);
  check_double("18014398509481985", "1", 18014398509481984.0);
  check_double("18014398509481987", "1", 18014398509481988.0);
  check_double("137503716373294544", "10000000000000000", 13.7503716373294544);
  for (int e = -330; e <= 312; e++) {
    check_power_of_ten(e); /* zero, subnormal, normal, infinite */
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_arithmetic_agrees_with_gmp);
  RUN_TEST(test_an_operand_may_be_the_accumulator);
  RUN_TEST(test_powers);
  RUN_TEST(test_content_is_gcd_over_lcm);
  RUN_TEST(test_floor_goes_down);
  RUN_TEST(test_doubles_are_rounded_to_nearest_even);
  return UNITY_END();
}
