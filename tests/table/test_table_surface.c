/* Mixed derivatives of surfaces through the points of a grid. */
#include <math.h>
#include <unity.h>

#include "table/table.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static const double x[] = {0, 1, 3, 4, 7};
static const double y[] = {-1, 0, 2, 5};

/* 2 + x - 3*y + x*y: differences are derivatives, wherever the grid has its lines. */
static void
test_a_bilinear_surface_has_its_own_mixed_derivative(void)
{
  for (uint32_t n1 = 2; n1 <= 5; n1++) {
    for (uint32_t n2 = 2; n2 <= 4; n2++) {
      double f[20];
      double fxy[20];
      for (uint32_t k = 0; k < n1 * n2; k++) {
        f[k] = 2 + x[k / n2] - 3 * y[k % n2] + x[k / n2] * y[k % n2];
      }
      dae_surface_mixed(x, n1, y, n2, f, fxy);
      for (uint32_t k = 0; k < n1 * n2; k++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 1, fxy[k]);
      }
    }
  }
}

/* Rows and columns mean the same. */
static void
test_the_surface_does_not_depend_on_which_argument_comes_first(void)
{
  double f[20];
  double transposed[20];
  double fxy[20];
  double fyx[20];
  for (uint32_t i = 0; i < 5; i++) {
    for (uint32_t j = 0; j < 4; j++) {
      f[4 * i + j] = sin(1.3 * x[i] + y[j] * y[j]) + 0.2 * x[i] * y[j];
      transposed[5 * j + i] = f[4 * i + j];
    }
  }
  dae_surface_mixed(x, 5, y, 4, f, fxy);
  dae_surface_mixed(y, 4, x, 5, transposed, fyx);
  for (uint32_t i = 0; i < 5; i++) {
    for (uint32_t j = 0; j < 4; j++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, fxy[4 * i + j], fyx[5 * j + i]);
    }
  }
}

/* By hand at the middle of a 3 by 3 grid: chords in x 1 and -2, continued linearly by 4 and -5, so
 * that both have the weight 3; chords in y 1 and 1, whose weights vanish and count as equal. */
static void
test_the_mean_of_mixed_differences_by_hand(void)
{
  const double u[] = {0, 1, 2};
  const double f[] = {0, 0, 1, 0, 1, 2, -1, -1, 4};
  double fxy[9];
  dae_surface_mixed(u, 3, u, 3, f, fxy);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, (1 + 0 - 1 + 4) / 4.0, fxy[4]);
}

/* At the second of five points the chords are 1 and 1, before them 1 and after them 3: all the
 * weight is on the chord before, where the second column rises by 1 more than the first. */
static void
test_a_straight_side_has_all_the_weight(void)
{
  const double u[] = {0, 1, 2, 3, 4};
  const double line[] = {0, 1, 2, 5, 7};
  const double more[] = {0, 1, 9, 5, 8};
  double g[10];
  double fxy[10];
  for (uint32_t i = 0; i < 5; i++) {
    g[2 * i] = line[i];
    g[2 * i + 1] = line[i] + more[i];
  }
  dae_surface_mixed(u, 5, u, 2, g, fxy);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, 1, fxy[2]);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_bilinear_surface_has_its_own_mixed_derivative);
  RUN_TEST(test_the_surface_does_not_depend_on_which_argument_comes_first);
  RUN_TEST(test_the_mean_of_mixed_differences_by_hand);
  RUN_TEST(test_a_straight_side_has_all_the_weight);
  return UNITY_END();
}
