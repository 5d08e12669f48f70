#include "solver/planar.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <unity.h>

#define MOST 45

void
setUp(void)
{
}

void
tearDown(void)
{
}

static double
next_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* Random matrices of all sizes, with and without zeros, against GSL's complex LU; the imaginary
 * part is left out for real ones. */
static void
compare_with_gsl(bool is_complex)
{
  uint64_t seed = is_complex ? 5 : 6;
  DaePlanar a = dae_planar_new(MOST, is_complex);
  for (uint32_t n = 1; n <= MOST; n++) {
    static double copy[2 * MOST * MOST];
    double b[2 * MOST];
    double re[MOST];
    double im[MOST];
    dae_planar_resize(&a, n);
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < a.stride; j++) {
        bool is_entry = j < n && (n % 2 == 0 || i == j || next_random(&seed) > 0.0);
        double x = is_entry ? next_random(&seed) : 0.0;
        double y = is_entry && is_complex ? next_random(&seed) : 0.0;
        a.re[i * a.stride + j] = x;
        if (is_complex) {
          a.im[i * a.stride + j] = y;
        }
        if (j < n) {
          copy[2 * (i * n + j)] = x;
          copy[2 * (i * n + j) + 1] = y;
        }
      }
      re[i] = b[2 * i] = next_random(&seed);
      im[i] = b[2 * i + 1] = is_complex ? next_random(&seed) : 0.0;
    }
    TEST_ASSERT_TRUE(dae_planar_factor(&a));
    dae_planar_solve(&a, re, im);
    gsl_matrix_complex_view m = gsl_matrix_complex_view_array(copy, n, n);
    gsl_vector_complex_view v = gsl_vector_complex_view_array(b, n);
    gsl_permutation *p = gsl_permutation_alloc(n);
    int sign;
    gsl_linalg_complex_LU_decomp(&m.matrix, p, &sign);
    gsl_linalg_complex_LU_svx(&m.matrix, p, &v.vector);
    gsl_permutation_free(p);
    for (uint32_t i = 0; i < n; i++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9 * (1.0 + fabs(b[2 * i])), b[2 * i], re[i]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9 * (1.0 + fabs(b[2 * i + 1])), b[2 * i + 1], im[i]);
    }
  }
  dae_planar_clear(&a);
}

static void
real_solutions_agree_with_gsl(void)
{
  compare_with_gsl(false);
}

static void
complex_solutions_agree_with_gsl(void)
{
  compare_with_gsl(true);
}

static void
singular_matrices_are_refused(void)
{
  const double rows[2][2] = {{1.0, 2.0}, {2.0, 4.0}};
  for (int is_complex = 0; is_complex < 2; is_complex++) {
    DaePlanar a = dae_planar_new(2, is_complex != 0);
    dae_planar_resize(&a, 2);
    for (size_t e = 0; e < 4; e++) {
      a.re[e / 2 * a.stride + e % 2] = rows[e / 2][e % 2];
      if (is_complex != 0) {
        a.im[e / 2 * a.stride + e % 2] = -rows[e / 2][e % 2];
      }
    }
    TEST_ASSERT_FALSE(dae_planar_factor(&a));
    dae_planar_resize(&a, 1);
    a.re[0] = NAN;
    TEST_ASSERT_FALSE(dae_planar_factor(&a));
    dae_planar_clear(&a);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(real_solutions_agree_with_gsl);
  RUN_TEST(complex_solutions_agree_with_gsl);
  RUN_TEST(singular_matrices_are_refused);
  return UNITY_END();
}
