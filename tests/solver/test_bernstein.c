/* Bernstein polynomials: signs of coefficients against roots that are known. */
#include <float.h>
#include <glib.h>
#include <math.h>
#include <unity.h>

#include "solver/bernstein.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* lead * prod (theta - root) as powers */
static void
powers_of_roots(const double *roots, uint32_t n, double lead, double *a)
{
  a[0] = lead;
  for (uint32_t k = 0; k < n; k++) {
    a[k + 1] = a[k];
    for (uint32_t i = k; i > 0; i--) {
      a[i] = a[i - 1] - roots[k] * a[i];
    }
    a[0] *= -roots[k];
  }
}

static void
values_agree_with_powers(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(1);
  for (int round = 0; round < 200; round++) {
    const uint32_t degree = (uint32_t)g_rand_int_range(random, 0, 8);
    double a[DAE_BERNSTEIN_MOST];
    double b[DAE_BERNSTEIN_MOST];
    for (uint32_t k = 0; k <= degree; k++) {
      a[k] = g_rand_double_range(random, -1.0, 1.0);
    }
    dae_bernstein_from_powers(a, degree, b);
    for (int i = 0; i <= 10; i++) {
      const double theta = 0.1 * i;
      double sum = 0.0;
      for (uint32_t k = degree + 1; k-- > 0;) {
        sum = sum * theta + a[k];
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-13, sum, dae_bernstein_value(b, degree, theta));
    }
    double left[DAE_BERNSTEIN_MOST];
    double right[DAE_BERNSTEIN_MOST];
    dae_bernstein_halves(b, degree, left, right);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, dae_bernstein_value(b, degree, 0.2),
                              dae_bernstein_value(left, degree, 0.4));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, dae_bernstein_value(b, degree, 0.7),
                              dae_bernstein_value(right, degree, 0.4));
  }
}

/* Random roots, some of them close together: the first one at which the sign goes from + to - is
 * in the bracket, and alone. */
static void
the_first_descent_is_the_first_root_downwards(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(2);
  uint32_t found = 0;
  for (int round = 0; round < 2000; round++) {
    const uint32_t degree = (uint32_t)g_rand_int_range(random, 1, 8);
    double roots[DAE_BERNSTEIN_MOST];
    double a[DAE_BERNSTEIN_MOST];
    double b[DAE_BERNSTEIN_MOST];
    uint32_t below = 0;
    double first = 2.0;
    double second = 2.0;
    for (uint32_t k = 0; k < degree; k++) {
      roots[k] = g_rand_double_range(random, -0.5, 1.5);
      if (k == 1 && g_rand_int_range(random, 0, 3) == 0) {
        roots[k] = roots[k - 1] + g_rand_double_range(random, 1e-3, 1e-2);
      }
      below += roots[k] <= 0.0 ? 1 : 0;
      if (roots[k] > 0.0) {
        second = roots[k] < first ? first : MIN(second, roots[k]);
        first = MIN(first, roots[k]);
      }
    }
    /* positive at 0: with an even number of roots to the right of 0 the lead is positive */
    powers_of_roots(roots, degree, (degree - below) % 2 == 0 ? 1.0 : -1.0, a);
    if (!(a[0] > 1e-9)) {
      continue;
    }
    dae_bernstein_from_powers(a, degree, b);
    double left = -1.0;
    double right = -1.0;
    const bool is_there = dae_bernstein_first_descent(b, degree, &left, &right);
    if (first < 0.999 && second - first > 1e-3) {
      TEST_ASSERT_TRUE(is_there);
      TEST_ASSERT_TRUE(left <= first + 1e-9 && first <= right + 1e-9);
      TEST_ASSERT_TRUE(second >= right - 1e-9);
      found++;
    } else if (first > 1.001) {
      TEST_ASSERT_FALSE(is_there);
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT32(500, found);
}

static void
a_dip_between_the_ends_is_seen_and_a_touch_is_not(void)
{
  double b[DAE_BERNSTEIN_MOST];
  double left = 0.0;
  double right = 0.0;
  const double dip[3] = {0.25 - 1e-6, -1.0, 1.0}; /* (theta - 1/2)^2 - 1e-6 */
  dae_bernstein_from_powers(dip, 2, b);
  TEST_ASSERT_TRUE(dae_bernstein_first_descent(b, 2, &left, &right));
  TEST_ASSERT_TRUE(left <= 0.499 && 0.499 <= right && right <= 0.501);
  const double over[3] = {0.25 + 1e-9, -1.0, 1.0};
  dae_bernstein_from_powers(over, 2, b);
  TEST_ASSERT_FALSE(dae_bernstein_first_descent(b, 2, &left, &right));
  const double negative[2] = {-1.0, 0.5};
  dae_bernstein_from_powers(negative, 1, b);
  TEST_ASSERT_TRUE(dae_bernstein_first_descent(b, 1, &left, &right));
  TEST_ASSERT_EQUAL_DOUBLE(0.0, right);
}

typedef struct {
  uint32_t calls;
  int kind;
} Function;

static double
function(void *user, double t)
{
  Function *f = user;
  f->calls++;
  switch (f->kind) {
  case 0:
    return 2.0 - t * t;
  case 1:
    return cos(t) - t;
  case 2:
    return pow(1.4142 - t, 9.0); /* flat: as slow as bisection, not slower */
  default:
    return t < 1.25 ? 1.0 : -1.0; /* a jump */
  }
}

static void
a_bracket_shrinks_to_four_units_in_the_last_place(void)
{
  const double roots[4] = {1.4142135623730951, 0.73908513321516064, 1.4142, 1.25};
  for (int kind = 0; kind < 4; kind++) {
    Function f = {0, kind};
    double a = 0.0;
    double b = 3.0;
    dae_bracket_root(function, &f, 0.0, &a, function(&f, a), &b, function(&f, b));
    TEST_ASSERT_TRUE(b - a <= 2.0 * DBL_EPSILON * 3.0); /* of the first bracket */
    TEST_ASSERT_DOUBLE_WITHIN(kind == 2 ? 1e-3 : 2e-15, roots[kind], b);
    TEST_ASSERT_TRUE(function(&f, a) >= 0.0 && !(function(&f, b) > 0.0));
    TEST_ASSERT_LESS_THAN_UINT32(kind < 2 ? 20 : 70, f.calls);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(values_agree_with_powers);
  RUN_TEST(the_first_descent_is_the_first_root_downwards);
  RUN_TEST(a_dip_between_the_ends_is_seen_and_a_touch_is_not);
  RUN_TEST(a_bracket_shrinks_to_four_units_in_the_last_place);
  return UNITY_END();
}
