/* Sums of exponentials as differences of logarithms: the same zeros, in numbers of size 1. */
#include <math.h>

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

static bool
value_of(void *user, DaeTerm atom, double *value)
{
  (void)user;
  (void)atom;
  *value = *(const double *)user;
  return true;
}

static double
balanced_at(const char *text, double x)
{
  double value = NAN;
  DaeTerm t = dae_term_balance(terms, read_term(terms, text));
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK, dae_term_eval_double(terms, t, value_of, &x, &value));
  return value;
}

static void
one_law_on_each_side_is_linear(void)
{
  TEST_ASSERT_EQUAL_UINT32(
      read_term(terms, "(+ (* 2 x) -6)"),
      dae_term_balance(terms, read_term(terms, "(+ (exp x) (* -1 (exp (+ 6 (* -1 x)))))")));
}

/* The zero is x = 1000; exp(1000) is no double. */
static void
numbers_beyond_the_range_of_doubles_balance(void)
{
  const char *text = "(+ (exp x) (exp (+ x -800)) (* -1 (exp (+ 2000 (* -1 x))))"
                     " (* -1 (exp (+ 1200 (* -1 x)))))";
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, balanced_at(text, 1000.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 20.0, balanced_at(text, 1010.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -20.0, balanced_at(text, 990.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, -2000.0, balanced_at(text, 0.0));
}

static void
summands_of_unknown_sign_stay(void)
{
  static const char *const all[] = {"(+ (exp x) y)", "(+ (exp x) (exp y))",
                                    "(+ (* k (exp x)) -1)", "(+ (exp k) (* -1 p))", "x"};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    DaeTerm t = read_term(terms, all[i]);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(t, dae_term_balance(terms, t), all[i]);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(one_law_on_each_side_is_linear);
  RUN_TEST(numbers_beyond_the_range_of_doubles_balance);
  RUN_TEST(summands_of_unknown_sign_stay);
  return UNITY_END();
}
