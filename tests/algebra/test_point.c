/* What more digits say of points that double precision takes for solutions. */
#include "algebra/enclose.h"

#include "expr.h"

#include <math.h>
#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;
static double found[2];

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

static DaePointAnswer
judge1(const char *f, double x)
{
  DaeTerm equation = expr(terms, f);
  DaeTerm unknown = expr(terms, "x");
  const double unit = 1;
  DaeSquareSystem system = {&equation, &unknown, &x, 1};
  return dae_algebra_judge_point(algebra, &system, &unit, found);
}

static DaePointAnswer
judge2(const char *f, const char *g, double x, double y)
{
  DaeTerm equations[2] = {expr(terms, f), expr(terms, g)};
  DaeTerm unknowns[2] = {expr(terms, "x"), expr(terms, "y")};
  const double units[2] = {1, 1};
  double near[2] = {x, y};
  DaeSquareSystem system = {equations, unknowns, near, 2};
  return dae_algebra_judge_point(algebra, &system, units, found);
}

static void
test_simple_roots_are_proved_and_improved(void)
{
  TEST_ASSERT_EQUAL(DAE_POINT_PROVED, judge1("x^2 - 2", 1.41421));
  TEST_ASSERT_EQUAL_DOUBLE(sqrt(2), found[0]);
  /* small everywhere is not flat */
  TEST_ASSERT_EQUAL(DAE_POINT_PROVED, judge1("1e-30*(x^3 - 8)", 2.1));
  TEST_ASSERT_EQUAL_DOUBLE(2, found[0]);
  TEST_ASSERT_EQUAL(DAE_POINT_PROVED, judge2("x*y - 6", "x - y - 1", 3.01, 2));
  TEST_ASSERT_EQUAL_DOUBLE(3, found[0]);
}

static void
test_multiple_roots_are_seen_with_all_digits(void)
{
  TEST_ASSERT_EQUAL(DAE_POINT_MULTIPLE, judge1("(x^2 - 2)^2", 1.41421356));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, sqrt(2), found[0]);
  TEST_ASSERT_EQUAL(DAE_POINT_MULTIPLE, judge1("(x^2 - 2)^5", 1.4142));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, sqrt(2), found[0]);
  TEST_ASSERT_EQUAL(DAE_POINT_MULTIPLE, judge1("1 - cos(x)", 1e-9));
  TEST_ASSERT_DOUBLE_WITHIN(1e-20, 0, found[0]);
}

static void
test_roots_at_the_edge_of_a_domain_are_exact(void)
{
  TEST_ASSERT_EQUAL(DAE_POINT_MULTIPLE, judge1("sqrt(x)", 0));
  TEST_ASSERT_EQUAL(DAE_POINT_MULTIPLE, judge1("sqrt(x)", 1e-30));
  TEST_ASSERT_EQUAL_DOUBLE(0, found[0]);
}

static void
test_limits_at_infinity_are_no_roots(void)
{
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("exp(x)", -40));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("x/sqrt(1 + x^2) - 1", 4e7));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("x - sqrt(x^2 + 2*x) + 1", 6e8));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("cosh(x) - sinh(x)", 20));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("tanh(x) - 1", 5000));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge2("tanh(x + y) - 1", "x - y - 1", 535.59057486993493,
                                           534.59057486993504));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge2("x*y/sqrt(1 + (x*y)^2) - 1", "x - y", 1e5, 1e5));
}

static void
test_functions_that_just_miss_zero_have_no_root(void)
{
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("x^2 + 1e-13", 8e-8));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("sin(exp(x)) - 2", 33));
}

static void
test_limits_outside_of_the_domain_are_no_roots(void)
{
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge2("sqrt(y)/(x - 0.5) - 8", "atan(y*x)",
                                           0.5000000000000001, 3.6279804255316814e-31));
}

static void
test_slow_growth_at_the_edge_is_seen(void)
{
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("x*log(x)", 1e-17));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("x^x - 1", 1e-18));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("x*sqrt(x)*log(x)", 1e-12));
  TEST_ASSERT_EQUAL(DAE_POINT_NONE, judge1("x*exp(-1/x)", 0));
}

static void
test_kinks_jumps_and_dependent_rows_are_left_open(void)
{
  TEST_ASSERT_EQUAL(DAE_POINT_OPEN, judge1("abs(x) + 1e-20", 0));
  TEST_ASSERT_EQUAL(DAE_POINT_OPEN, judge1("floor(x) - 0.5", 0.3));
  TEST_ASSERT_EQUAL(DAE_POINT_OPEN, judge2("x + y - 1/3", "2*x + 2*y - 2/3", 0.1, 0.2));
}

static void
test_rounding_shows_what_cancels(void)
{
  DaeTerm equations[2] = {expr(terms, "x - sqrt(x^2 + 2*x) + 1"), expr(terms, "x/8")};
  DaeTerm x = expr(terms, "x");
  double value = 6e8;
  double errors[2] = {0, 0};
  const DaeTermPoint point = {&x, &value, 1};
  TEST_ASSERT_TRUE(dae_algebra_rounding(algebra, equations, 2, &point, errors));
  TEST_ASSERT_TRUE(errors[0] > 1e-9 && errors[0] < 1e-5);
  TEST_ASSERT_TRUE(errors[1] < 1e-7);
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_simple_roots_are_proved_and_improved);
  RUN_TEST(test_multiple_roots_are_seen_with_all_digits);
  RUN_TEST(test_roots_at_the_edge_of_a_domain_are_exact);
  RUN_TEST(test_limits_at_infinity_are_no_roots);
  RUN_TEST(test_functions_that_just_miss_zero_have_no_root);
  RUN_TEST(test_limits_outside_of_the_domain_are_no_roots);
  RUN_TEST(test_slow_growth_at_the_edge_is_seen);
  RUN_TEST(test_kinks_jumps_and_dependent_rows_are_left_open);
  RUN_TEST(test_rounding_shows_what_cancels);
  return UNITY_END();
}
