/* One unknown in one equation: roots by hand, and what happens where there is none. */
#include <math.h>
#include <string.h>
#include <unity.h>

#include "numeric/numeric.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  int kind;
  double c;
  int evaluations;
} Equation;

enum { SQUARE, CUBE, EXPONENTIAL, LOGARITHM, STEEP, ABOVE, FLAT, COSINE };

static bool
residual(void *user, double x, double *value)
{
  Equation *e = user;
  e->evaluations++;
  switch (e->kind) {
  case SQUARE:
    *value = x * x - e->c;
    return true;
  case CUBE:
    *value = x * x * x - e->c;
    return true;
  case EXPONENTIAL:
    *value = exp(x) - e->c;
    return true;
  case LOGARITHM:
    *value = x > 0.0 ? log(x) - e->c : 0.0;
    return x > 0.0;
  case STEEP:
    *value = 1e12 * (x - e->c);
    return true;
  case COSINE:
    *value = cos(x) - e->c;
    return true;
  case ABOVE:
    *value = x * x + e->c;
    return true;
  default:
    *value = e->c;
    return true;
  }
}

static bool
slope(void *user, double x, double *value)
{
  const Equation *e = user;
  *value = e->kind == SQUARE || e->kind == ABOVE ? 2.0 * x
           : e->kind == CUBE                     ? 3.0 * x * x
           : e->kind == EXPONENTIAL              ? exp(x)
           : e->kind == LOGARITHM                ? 1.0 / x
           : e->kind == STEEP                    ? 1e12
           : e->kind == COSINE                   ? -sin(x)
                                                 : 0.0;
  return true;
}

static void
test_roots_near_the_guess(void)
{
  static const struct {
    int kind;
    double c, guess, root;
  } list[] = {
      {SQUARE, 2, 1, 1.4142135623730951},
      {SQUARE, 2, -1, -1.4142135623730951},
      {SQUARE, 2, 0, 1.4142135623730951}, /* off the minimum first */
      {SQUARE, 0, 0, 0}, /* the slope vanishes there, and so does the residual */
      {CUBE, 27, 1, 3},
      {EXPONENTIAL, 5, 0, 1.6094379124341003},
      {LOGARITHM, 1, 2, 2.718281828459045},
      {STEEP, 0.1, 7, 0.1},
      {COSINE, 0, 0.1, 1.5707963267948966}, /* Newton's own steps end at 10.99 */
      {COSINE, 0, 0, 1.5707963267948966},
  };

  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    Equation e = {list[i].kind, list[i].c, 0};
    const DaeScalarProblem problem = {residual, slope, &e};
    double x = list[i].guess;
    TEST_ASSERT_TRUE(dae_numeric_scalar(&problem, &x));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * (1.0 + fabs(list[i].root)), list[i].root, x);
  }
}

/* No root, no slope, outside of the domain: the guess stays, after a bounded number of steps. */
static void
test_without_a_root_the_guess_stays(void)
{
  static const struct {
    int kind;
    double c, guess;
  } list[] = {
      {ABOVE, 1, 0.3},       /* x^2 + 1 */
      {FLAT, 4, 1},          /* a constant */
      {LOGARITHM, 1, -1},    /* outside at once */
      {LOGARITHM, 30, 1e30}, /* the first step leads outside */
  };

  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    Equation e = {list[i].kind, list[i].c, 0};
    const DaeScalarProblem problem = {residual, slope, &e};
    double x = list[i].guess;
    TEST_ASSERT_FALSE(dae_numeric_scalar(&problem, &x));
    TEST_ASSERT_EQUAL_MEMORY(&list[i].guess, &x, sizeof x);
    TEST_ASSERT_TRUE(e.evaluations <= 40);
  }
}

/* A linear equation takes one step, and one more that sees it. */
static void
test_a_linear_equation_takes_two_evaluations(void)
{
  Equation e = {STEEP, 0.125, 0};
  const DaeScalarProblem problem = {residual, slope, &e};
  double x = 2.0;
  TEST_ASSERT_TRUE(dae_numeric_scalar(&problem, &x));
  TEST_ASSERT_EQUAL_INT(2, e.evaluations);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_roots_near_the_guess);
  RUN_TEST(test_without_a_root_the_guess_stays);
  RUN_TEST(test_a_linear_equation_takes_two_evaluations);
  return UNITY_END();
}
