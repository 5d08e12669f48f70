/* Signs that hold wherever a term is defined, and those that must not be claimed. */
#include "algebra/algebra.h"

#include "expr.h"

#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;

void
setUp(void)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
}

void
tearDown(void)
{
  dae_algebra_free(algebra);
  dae_terms_free(terms);
}

enum { OPEN = 2 };

static void
check(int expected, const char *text)
{
  int sign = 0;
  int got = dae_algebra_sign(algebra, expr(terms, text), &sign) ? sign : OPEN;
  TEST_ASSERT_EQUAL_INT_MESSAGE(expected, got, text);
}

static void
test_forms_with_a_sign(void)
{
  static const char *const positive[] = {"x^2 + 1",        "exp(x)",         "exp(x) + y^2",
                                         "cosh(x)",        "3 + abs(x)",     "x^(-2)",
                                         "1/(1 + x^2)",    "sqrt(x) + 1",    "pi",
                                         "x^2*y^4 + 1/7",  "(x^2 + 1)^3",    "(x^2 + 1)^(-3)",
                                         "exp(x)*exp(-y)", "x^4 + 2*x^2 + 1"};
  static const char *const negative[] = {"-1 - x^2",   "-exp(x)",     "(-x^2 - 1)^3",
                                         "-2*cosh(x)", "-x^(-2)",     "-abs(x) - 1",
                                         "-pi",        "-1/(x^2 + 2)"};
  for (size_t i = 0; i < G_N_ELEMENTS(positive); i++) {
    check(1, positive[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(negative); i++) {
    check(-1, negative[i]);
  }
}

/* All of these are 0 somewhere, or have both signs. */
static void
test_forms_without_a_sign(void)
{
  static const char *const texts[] = {
      "x",       "x^2",          "x^2 + y^2", "abs(x)",     "x^3 + 1",      "sqrt(x)",
      "x*y",     "sin(x)",       "atan(x)",   "x^2 - 1",    "exp(x) - 1",   "x^3",
      "x^(-3)",  "abs(x) + y^2", "log(x)",    "x^2*y^2",    "(x - y)^2",    "1/x",
      "sinh(x)", "tanh(x)",      "x^2*y",     "cos(x) + 1", "-x^2 - abs(y)"};
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    check(OPEN, texts[i]);
  }
}

static void
test_constants_are_decided_by_balls(void)
{
  check(1, "pi - 3");
  check(-1, "pi - 22/7");
  check(1, "exp(pi) - pi - 20 + 1/1000");
  check(-1, "sqrt(2) + sqrt(3) - sqrt(10)");
  check(0, "sqrt(2)*sqrt(3) - sqrt(6)");
  check(0, "4*atan(1) - pi");
  check(-1, "sqrt(2) - 1.41421356237309504880168872420969808");
}

static void
test_rewriting_may_show_a_sign(void)
{
  check(0, "(x + 1)^2 - x^2 - 2*x - 1");
  check(1, "(x + 1)^2 - 2*x");
  check(1, "sin(x)^2 + cos(x)^2");
}

static void
test_facts_about_symbols_are_used(void)
{
  DaeTerm x = expr(terms, "x");
  dae_terms_assume(terms, dae_term_get_symbol(terms, x), DAE_SIGN_POSITIVE);
  check(1, "x");
  check(1, "x^3 + y^2");
  check(-1, "-x - 1/x");
  check(OPEN, "x - 1");
}

static int
definite(const char *text, bool *strict)
{
  return dae_algebra_definite(algebra, expr(terms, text), strict);
}

/* Squares, discriminants, ranges: for all real values of the atoms. */
static void
test_terms_that_are_definite(void)
{
  static const struct {
    const char *text;
    int sign;
    bool strict;
  } rows[] = {
      {"x^2 + y^2", 1, false},
      {"x^2 - x*y + y^2", 1, false},
      {"x^2 - x*y + y^2 + 1", 1, true},
      {"x^2 - 2*x*y + y^2", 1, false},
      {"2*x*y - x^2 - y^2 - 3", -1, true},
      {"5*x^2 + 4*x*y + 2*y^2 - 2*x*z + 3*z^2 + 1/7", 1, true},
      {"x^4 - x^2*y^2 + y^4", 1, false},
      {"x^4 - 2*x + 3", 1, true}, /* Sturm */
      {"(x^2 - y)^2*(1 + z^2)", 1, false},
      {"sqrt(1 + 4*x^2) - 1", 1, false},
      {"1 + x - sqrt(x^2 + 2*x + 3)", -1, true},
      {"sqrt(12*x^2 + 21) - 1", 1, true}, /* sqrt(3) is a root of its own */
      {"sqrt(2)*sqrt(4*x^2 + 2) - 2", 1, false},
      {"sqrt(1 + x^2)*sqrt(2 + y^2) - 1", 1, true},
      {"2 + cos(x) - sin(y)", 1, false},
      {"3 + cos(x) - sin(y)", 1, true},
      {"1 - sin(x)^2", 1, false},
      {"exp(2*x) + exp(x)*y^2 + 1", 1, true},
      {"1/(x^2 - 2*x + 2)", 1, true},
      {"1 - x^2/(1 + x^2)^2", 1, true},
      {"x^4 + y^4 - x^2*y^2 - x*y + 1", 1, true}, /* Gram matrices */
      {"2*x^4 + 2*x^3*y - x^2*y^2 + 5*y^4", 1, false},
      {"-x^4 - y^4 - z^4 + 2*x*y*z - 1", -1, true},
      /* Motzkin's, Choi's and Lam's: no sums of squares before they are multiplied */
      {"x^4*y^2 + x^2*y^4 - 3*x^2*y^2 + 1", 1, false},
      {"x^4*y^2 + x^2*y^4 - 3*x^2*y^2 + 3/2", 1, true},
      {"x^4*y^2 + y^4 + x^2 - 3*x^2*y^2", 1, false},
      {"x^2*y^2 + y^2*z^2 + z^2*x^2 + 1 - 4*x*y*z", 1, false},
  };

  static const char *const open[] = {"x",
                                     "x^2 - 1",
                                     "x^2 - 3*x*y + y^2",
                                     "x*y",
                                     "1 + cos(x) - 2*sin(y)",
                                     "x^3 + 1",
                                     "exp(x) - 1",
                                     "sqrt(1 + x) - 1",
                                     "sqrt(2)*sqrt(4*x^2 + 1) - 2",
                                     "sqrt(1 + x^2)*sqrt(2 + y^2) - 2",
                                     "x - sqrt(x^2 + y)",
                                     "x^4 - 3*x + 2",
                                     "x^2 + y^2 - 2*x*y*z",
                                     "x^4 + y^4 - 3*x^2*y^2 + 1",
                                     "x^4*y^2 + x^2*y^4 - 31/10*x^2*y^2 + 1"};
  for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
    bool strict = false;
    TEST_ASSERT_EQUAL_INT_MESSAGE(rows[i].sign, definite(rows[i].text, &strict), rows[i].text);
    TEST_ASSERT_EQUAL_MESSAGE(rows[i].strict, strict, rows[i].text);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(open); i++) {
    bool strict = false;
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, definite(open[i], &strict), open[i]);
  }
}

/* Points at which they are tried keep to the facts. */
static void
test_terms_that_are_definite_by_facts(void)
{
  static const char *const positive[] = {"x*(y^2 + 1)", "x^3 + x*y^2*z^2", "x + 1/x"};
  bool strict = false;
  dae_terms_assume(terms, dae_term_get_symbol(terms, expr(terms, "x")), DAE_SIGN_POSITIVE);
  for (size_t i = 0; i < G_N_ELEMENTS(positive); i++) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, definite(positive[i], &strict), positive[i]);
    TEST_ASSERT_TRUE_MESSAGE(strict, positive[i]);
  }
  TEST_ASSERT_EQUAL_INT(0, definite("x - 1", &strict));
  TEST_ASSERT_FALSE(strict);
}

/* The form shown is the term itself, and every square has a positive factor. */
static void
test_sums_of_squares_are_the_term(void)
{
  static const char *const texts[] = {
      "x^2 + y^2 + 1 - 2*x*y",         "2*x*y - x^2 - y^2 - 1/3",
      "x^4 + y^4 - x^2*y^2 - x*y + 1", "2*x^4 + 2*x^3*y - x^2*y^2 + 5*y^4 + 1",
      "x^4 + y^4 + z^4 - 2*x*y*z + 1", "exp(x)^2 + y^2 - exp(x)*y + 2"};
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    DaeTerm t = expr(terms, texts[i]);
    DaeTerm squares = dae_algebra_squares(algebra, t);
    TEST_ASSERT_NOT_EQUAL_MESSAGE(DAE_NO_TERM, squares, texts[i]);
    TEST_ASSERT_TRUE_MESSAGE(dae_algebra_equal(algebra, t, squares), texts[i]);
    int sign = 0;
    TEST_ASSERT_TRUE_MESSAGE(dae_algebra_sign(algebra, squares, &sign) && sign != 0, texts[i]);
  }
  static const char *const none[] = {"x^2 + y^2", "x^2 + y^2 - 1", "x^3 + y^2 + 1",
                                     "x^4*y^2 + x^2*y^4 - 3*x^2*y^2 + 2", "x^2 + 1/y"};
  for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
    TEST_ASSERT_EQUAL_MESSAGE(DAE_NO_TERM, dae_algebra_squares(algebra, expr(terms, none[i])),
                              none[i]);
  }
}

static void
test_terms_that_have_values_everywhere(void)
{
  static const char *const total[] = {"x^2 + exp(x*y)", "1/(x^2 + 1)", "sqrt(x^2 + y^2 + 1)",
                                      "sqrt(x^2)", "exp(-1/(1 + y^2))"};
  static const char *const open[] = {"1/x",          "exp(-1/x)", "sqrt(x)", "log(x)",
                                     "(x^2)^(-1/2)", "tan(x)",    "x^y"};
  for (size_t i = 0; i < G_N_ELEMENTS(total); i++) {
    TEST_ASSERT_TRUE_MESSAGE(dae_algebra_is_total(algebra, expr(terms, total[i])), total[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(open); i++) {
    TEST_ASSERT_FALSE_MESSAGE(dae_algebra_is_total(algebra, expr(terms, open[i])), open[i]);
  }
  TEST_ASSERT_TRUE(
      dae_algebra_keeps_domain(algebra, expr(terms, "y*log(x)^2"), expr(terms, "y*log(x)")));
  TEST_ASSERT_FALSE(
      dae_algebra_keeps_domain(algebra, expr(terms, "x*exp(-1/x)"), expr(terms, "x")));
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_forms_with_a_sign);
  RUN_TEST(test_forms_without_a_sign);
  RUN_TEST(test_constants_are_decided_by_balls);
  RUN_TEST(test_rewriting_may_show_a_sign);
  RUN_TEST(test_facts_about_symbols_are_used);
  RUN_TEST(test_terms_that_are_definite);
  RUN_TEST(test_terms_that_are_definite_by_facts);
  RUN_TEST(test_terms_that_have_values_everywhere);
  RUN_TEST(test_sums_of_squares_are_the_term);
  return UNITY_END();
}
