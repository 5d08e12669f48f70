/* How much of a value in double precision may be rounding. */
#include <float.h>
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
evaluate(const char *expression, double *value, double *error)
{
  return dae_term_eval_rounded(terms, read_term(terms, expression), NULL, NULL, value, error);
}

/* The value is no more than its rounding. */
static void
assert_drowned(const char *expression)
{
  double value = NAN;
  double error = NAN;
  TEST_ASSERT_TRUE_MESSAGE(evaluate(expression, &value, &error), expression);
  TEST_ASSERT_TRUE_MESSAGE(fabs(value) <= error, expression);
}

static void
assert_sharp(double expected, const char *expression)
{
  double value = NAN;
  double error = NAN;
  TEST_ASSERT_TRUE_MESSAGE(evaluate(expression, &value, &error), expression);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(error, expected, value, expression);
  TEST_ASSERT_TRUE_MESSAGE(error <= 100 * DBL_EPSILON * fabs(expected), expression);
}

static void
test_what_cancels_is_rounding(void)
{
  assert_drowned("(+ (^ (sin 1) 2) (^ (cos 1) 2) -1)");
  assert_drowned("(* 100000000000000000000 (+ (^ (sin 1) 2) (^ (cos 1) 2) -1))");
  assert_drowned("(+ (exp (+ (^ (sin 1) 2) (^ (cos 1) 2))) (* -1 (exp 1)))");
  assert_drowned("(+ (log 2) (log 3) (* -1 (log 6)))");
  assert_drowned("(sin (+ (atan 1/2) (atan 1/3) (* -1 (atan 1))))");
}

static void
test_what_does_not_cancel_is_sharp(void)
{
  assert_sharp(exp(1.0) - 1.0, "(+ (exp 1) -1)");
  assert_sharp(-8.0, "(^ -2 3)");
  assert_sharp(sqrt(2.0) * log(3.0), "(* (^ 2 1/2) (log 3))");
  assert_sharp(0.5, "(+ 1 -1/2)");
}

static void
test_no_bound_where_rounding_may_leave_the_domain(void)
{
  double value = NAN;
  double error = NAN;
  TEST_ASSERT_FALSE(evaluate("(^ (+ (^ (sin 1) 2) (^ (cos 1) 2) -1) 1/2)", &value, &error));
  TEST_ASSERT_FALSE(evaluate("(log -1)", &value, &error));
  TEST_ASSERT_FALSE(evaluate("(+ x 1)", &value, &error));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_cancels_is_rounding);
  RUN_TEST(test_what_does_not_cancel_is_sharp);
  RUN_TEST(test_no_bound_where_rounding_may_leave_the_domain);
  return UNITY_END();
}
