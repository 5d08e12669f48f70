/* Intervals of the checker: rounded outward, so that what is 0 is never kept off 0. */
#include <unity.h>

#include "../algebra/expr.h"
#include "base/base.h"
#include "proofcheck/exact.h"

static DaeTerms *terms;
static GHashTable *bound;

void
setUp(void)
{
  terms = dae_terms_new();
  bound = g_hash_table_new(NULL, NULL);
}

void
tearDown(void)
{
  g_hash_table_unref(bound);
  dae_terms_free(terms);
}

static void
check(bool expected, const char *const *texts, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        expected, dae_range_excludes_zero(terms, bound, expr(terms, texts[i])), texts[i]);
  }
}

/* Ends that a function comes near and does not take; one step further inside it takes the value. */
static void
test_open_ends(void)
{
  static const char *const away[] = {"tanh(x) - 1",      "1 + tanh(x*y)",  "3*tanh(x) + 3",
                                     "atan(x) - pi/2",   "2*atan(x) + pi", "atan(x^2) + pi/2",
                                     "atan(x) - 3*pi/5", "2*tanh(x) - 3"};
  static const char *const may[] = {"tanh(x) - 999/1000", "3*tanh(x) + 2", "atan(x) - 2*pi/5",
                                    "3*atan(x) + pi",     "sin(x) - 1",    "tanh(x) - y",
                                    "atan(x) + tanh(x)"};
  check(true, away, G_N_ELEMENTS(away));
  check(false, may, G_N_ELEMENTS(may));
}

/* Sums and products that are exactly 0, through numbers that no double has: with ends rounded
 * to nearest several of these intervals are single numbers beside 0. */
static void
test_what_is_zero_is_not_kept_off_zero(void)
{
  static const char *const texts[] = {
      "exp(1)*exp(2) - exp(3)",
      "exp(1)*exp(3) - exp(4)",
      "exp(2)*exp(5) - exp(7)",
      "exp(1/3)*exp(1/7) - exp(10/21)",
      "log(2) + log(3) - log(6)",
      "log(2) + log(5) - log(10)",
      "log(7) + log(11) - log(77)",
      "4*atan(1) - pi",
      "2*atan(1/2) - atan(4/3)",
      "atan(1/2) + atan(1/3) - pi/4",
      "exp(log(3)) - 3",
      "exp(log(7)) - 7",
      "log(exp(1/10)) - 1/10",
      "exp(1)*exp(-1) - 1",
      "exp(3)*exp(-3) - 1",
      "(exp(1))^3*exp(-3) - 1",
      "(exp(1/10))^7*exp(-7/10) - 1",
      "tanh(1) - (exp(2) - 1)/(exp(2) + 1)",
  };
  check(false, texts, G_N_ELEMENTS(texts));
}

static void
test_terms_without_zeros(void)
{
  static const char *const texts[] = {
      "exp(1)*exp(2) - exp(3) + 1e-9",
      "log(2) + log(3) - log(6) - 1e-9",
      "x^2 + 1",
      "exp(x)",
      "exp(x) + y^2",
      "-exp(x)*exp(y)",
      "1/(1 + x^2)",
      "x^(-2)",
      "(2 + sin(x))^3",
      "if x > 0 then x else x^2 + 1",
      "if 0 < x then x^3 else 2 - cos(x)",
      "cosh(x)",
      "abs(x) + exp(y)",
      "acos(x) + 1",
      "tanh(x) + 1.5",
  };
  check(true, texts, G_N_ELEMENTS(texts));
}

static void
test_terms_with_zeros(void)
{
  static const char *const texts[] = {
      "x^2",
      "x^2 - 1",
      "x^3 + 1",
      "(x - 1)^2",
      "(sin(x) + 1/2)^2",
      "(sin(x) - 1/2)^4",
      "if x >= 0 then x else -1", /* x = 0 is on this side */
      "if x > 0 then x - 1 else 1",
      "if x < 0 then 1 else x",
      "exp(x) - 1",
      "sqrt(x)",
      "sqrt(x) - 1/2",
      "1/x + 1",
      "x^(-3) + 1",
      "log(x)",
      "abs(x)",
      "acos(x)",
      "sin(x)*cos(y)",
      "x*exp(y)",
      "tanh(x) + 1/2",
      "x - 3",
  };
  check(false, texts, G_N_ELEMENTS(texts));
}

/* An atom that stands for a term has the range of the term. */
static void
test_bindings_are_followed(void)
{
  DaeTerm t = expr(terms, "x + 2");
  TEST_ASSERT_FALSE(dae_range_excludes_zero(terms, bound, t));
  g_hash_table_insert(bound, GUINT_TO_POINTER(expr(terms, "x")),
                      GUINT_TO_POINTER(expr(terms, "sin(y)")));
  TEST_ASSERT_TRUE(dae_range_excludes_zero(terms, bound, t));
  g_hash_table_insert(bound, GUINT_TO_POINTER(expr(terms, "y")),
                      GUINT_TO_POINTER(expr(terms, "z^2")));
  TEST_ASSERT_TRUE(dae_range_excludes_zero(terms, bound, t));
  TEST_ASSERT_FALSE(dae_range_excludes_zero(terms, bound, expr(terms, "y")));
  TEST_ASSERT_TRUE(dae_range_excludes_zero(terms, bound, expr(terms, "y + 1")));
}

int
main(void)
{
  dae_base_init();
  UNITY_BEGIN();
  RUN_TEST(test_open_ends);
  RUN_TEST(test_what_is_zero_is_not_kept_off_zero);
  RUN_TEST(test_terms_without_zeros);
  RUN_TEST(test_terms_with_zeros);
  RUN_TEST(test_bindings_are_followed);
  return UNITY_END();
}
