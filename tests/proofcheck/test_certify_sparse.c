/* Linear systems of balls: solutions are enclosed, singular and open ones refused. */
#include "proofcheck/certify_sparse.h"

#include <unity.h>

#include "base/base.h"

enum { N = 300 };

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
add(DaeBallSystem *s, uint32_t row, uint32_t column, double value, double radius)
{
  arb_t ball;
  arb_init(ball);
  arb_set_d(ball, value);
  mag_set_d(arb_radref(ball), radius);
  dae_ball_system_add(s, row, column, ball);
  arb_clear(ball);
}

static void
set_right(DaeBallSystem *s, uint32_t row, double value)
{
  arb_t ball;
  arb_init(ball);
  arb_set_d(ball, value);
  dae_ball_system_set_right(s, row, ball);
  arb_clear(ball);
}

static bool
encloses(arb_srcptr ball, double value)
{
  arb_t number;
  arb_init(number);
  arb_set_d(number, value);
  bool ok = arb_contains(ball, number) != 0;
  arb_clear(number);
  return ok;
}

/* A ring: x_(i-1) - 4 x_i + 2 x_(i+1), and row i also has column 7i mod N. The right side is that of
 * x_i = i/8, exact in doubles. */
static void
test_a_ring_is_solved_to_many_digits(void)
{
  DaeBallSystem *s = dae_ball_system_new(N);
  arb_ptr x = _arb_vec_init(N);
  for (uint32_t i = 0; i < N; i++) {
    double coefficient[N] = {0};
    double sum = 0;
    coefficient[(i + N - 1) % N] += 1;
    coefficient[i] -= 4;
    coefficient[(i + 1) % N] += 2;
    coefficient[7 * i % N] += 0.5;
    for (uint32_t j = 0; j < N; j++) {
      if (coefficient[j] != 0) {
        add(s, i, j, coefficient[j], 0);
        sum += coefficient[j] * j / 8;
      }
    }
    set_right(s, i, sum);
  }
  TEST_ASSERT_TRUE(dae_ball_system_solve(s, x));
  for (uint32_t i = 0; i < N; i++) {
    TEST_ASSERT_TRUE(encloses(x + i, (double)i / 8));
    TEST_ASSERT_TRUE(mag_cmp_2exp_si(arb_radref(x + i), -150) < 0);
  }
  _arb_vec_clear(x, N);
  dae_ball_system_free(s);
}

/* (2 +- r) x + y = 3, x + y = 2: x = 1/(1 +- r). */
static void
test_what_the_balls_allow_is_enclosed(void)
{
  DaeBallSystem *s = dae_ball_system_new(2);
  arb_ptr x = _arb_vec_init(2);
  add(s, 0, 0, 2, 0.25);
  add(s, 0, 1, 1, 0);
  add(s, 1, 0, 1, 0);
  add(s, 1, 1, 1, 0);
  set_right(s, 0, 3);
  set_right(s, 1, 2);
  TEST_ASSERT_TRUE(dae_ball_system_solve(s, x));
  TEST_ASSERT_TRUE(encloses(x, 1.0 / 1.25) && encloses(x, 1.25));
  TEST_ASSERT_TRUE(encloses(x + 1, 2 - 1.0 / 1.25) && encloses(x + 1, 0.75));
  _arb_vec_clear(x, 2);
  dae_ball_system_free(s);
}

static bool
is_solved(double a, double b, double c, double d, double radius)
{
  DaeBallSystem *s = dae_ball_system_new(2);
  arb_ptr x = _arb_vec_init(2);
  add(s, 0, 0, a, radius);
  add(s, 0, 1, b, radius);
  add(s, 1, 0, c, radius);
  add(s, 1, 1, d, radius);
  set_right(s, 0, 1);
  set_right(s, 1, 1);
  bool ok = dae_ball_system_solve(s, x);
  _arb_vec_clear(x, 2);
  dae_ball_system_free(s);
  return ok;
}

static void
test_singular_matrices_are_refused(void)
{
  TEST_ASSERT_TRUE(is_solved(1, 2, 3, 4, 0));
  TEST_ASSERT_FALSE(is_solved(1, 2, 2, 4, 0));
  TEST_ASSERT_FALSE(is_solved(0, 2, 0, 4, 0));
  TEST_ASSERT_FALSE(is_solved(0, 0, 3, 4, 0));
  TEST_ASSERT_FALSE(is_solved(1, 2, 3, 4, 0.5)); /* one of them is singular */
  TEST_ASSERT_TRUE(is_solved(1, 2, 3, 4, 1e-3));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_ring_is_solved_to_many_digits);
  RUN_TEST(test_what_the_balls_allow_is_enclosed);
  RUN_TEST(test_singular_matrices_are_refused);
  return UNITY_END();
}
