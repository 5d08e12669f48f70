/* The checker on the whole line: what has a sign, and what must not be said to have one. */
#include <unity.h>

#include "../algebra/expr.h"
#include "proofcheck/interval.h"

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

/* Every one of these has a sign; small gaps, edges of domains, tails without limits. */
static const char *const without[] = {
    "exp(x) + exp(-x) - 1", "exp(x) - x",
    "exp(x) - x - 99/100",  "exp(x) - x - 999999/1000000",
    "log(x) - x",           "sqrt(x) + 1/sqrt(x) - 1",
    "x^4 + x + exp(x) + 1", "x^2 + exp(x) + exp(-x) - 3/2",
    "2^x + 2^(-x) - 3/2",   "sqrt(x^2 + 1) + sqrt((x - 3)^2 + 1) - 18/5",
    "x + 1/x - sin(x)",     "x^2 - 2*sin(x) + 1 + cos(x)/2",
    "cosh(x) - x - 1/4",    "sqrt(x - 100) + 1/(x - 99)"};

/* Every one of these vanishes somewhere, or comes near 0, or jumps over it at a pole. */
static const char *const with[] = {"exp(x) - x - 1",
                                   "exp(x) - 3*x",
                                   "log(x) - x + 1",
                                   "sqrt(x) + 1/sqrt(x) - 2",
                                   "x*exp(-x)",
                                   "sqrt(x^2 + 1) - x",
                                   "x*exp(-x^2) - 1/100",
                                   "sin(x)/x - 1/1000",
                                   "1/(x - 5) + 1/1000000",
                                   "1/(x - 5) - 1/100",
                                   "1/(x - 5)^3 + 1/1000000",
                                   "x - 1000000",
                                   "x - 100000000000000000000",
                                   "tan(x) - 5",
                                   "asin(x) - 1/2",
                                   "sqrt(x - 1000) - x/1000",
                                   "sqrt(100 - x) - 1",
                                   "log(x) + 700",
                                   "(x - 2)^2",
                                   "sin(1000*x) - 999/1000",
                                   "(-2)^x + 8",
                                   "x^(1/3) - 100000"};

static void
check(bool expected, const char *const *texts, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    DaeTerm t = expr(terms, texts[i]);
    TEST_ASSERT_EQUAL_INT_MESSAGE(expected, dae_line_excludes_zero(terms, bound, t), texts[i]);
  }
}

static void
test_terms_without_zeros_are_seen(void)
{
  check(true, without, G_N_ELEMENTS(without));
}

static void
test_nothing_is_said_of_others(void)
{
  check(false, with, G_N_ELEMENTS(with));
}

/* What stands for something else is looked at as that; time, bound to the start, is no kernel. */
static void
test_bound_atoms_stand_for_their_values(void)
{
  DaeTerm t = expr(terms, "exp(x) - p*x");
  TEST_ASSERT_FALSE(dae_line_excludes_zero(terms, bound, t));
  g_hash_table_insert(bound, GUINT_TO_POINTER(expr(terms, "p")),
                      GUINT_TO_POINTER(expr(terms, "2")));
  TEST_ASSERT_TRUE(dae_line_excludes_zero(terms, bound, t));
  g_hash_table_insert(bound, GUINT_TO_POINTER(expr(terms, "p")),
                      GUINT_TO_POINTER(expr(terms, "3")));
  TEST_ASSERT_FALSE(dae_line_excludes_zero(terms, bound, t));
  g_hash_table_insert(bound, GUINT_TO_POINTER(dae_term_time(terms)),
                      GUINT_TO_POINTER(expr(terms, "1")));
  TEST_ASSERT_FALSE(dae_line_excludes_zero(terms, bound, expr(terms, "tan(x)^4 - tan(x)")));
  TEST_ASSERT_FALSE(dae_line_excludes_zero(terms, bound, expr(terms, "tan(x)^2 - 4")));
  TEST_ASSERT_TRUE(
      dae_line_excludes_zero(terms, bound, expr(terms, "tan(x)^4 - tan(x)^2 + 1")));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_terms_without_zeros_are_seen);
  RUN_TEST(test_nothing_is_said_of_others);
  RUN_TEST(test_bound_atoms_stand_for_their_values);
  return UNITY_END();
}
