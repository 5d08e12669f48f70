#include "solver/split.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>
#include <unity.h>

#define MOST 12

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

static void
full_pivoting_factors_and_finds_the_rank(void)
{
  uint64_t seed = 7;
  for (uint32_t rank = 1; rank <= 5; rank++) {
    const uint32_t rows = 7;
    const uint32_t columns = 9;
    double left[7 * 5];
    double right[5 * 9];
    double a[7 * 9];
    double lu[7 * 9];
    for (int e = 0; e < 35; e++) {
      left[e] = next_random(&seed);
    }
    for (int e = 0; e < 45; e++) {
      right[e] = next_random(&seed);
    }
    for (uint32_t i = 0; i < rows; i++) {
      for (uint32_t j = 0; j < columns; j++) {
        a[i * columns + j] = 0.0;
        for (uint32_t k = 0; k < rank; k++) {
          a[i * columns + j] += left[i * 5 + k] * right[k * columns + j];
        }
      }
    }
    memcpy(lu, a, sizeof(a));
    uint32_t row_order[7];
    uint32_t column_order[9];
    TEST_ASSERT_EQUAL_UINT32(
        rank, dae_split_full_pivot_lu(lu, rows, columns, 0, row_order, column_order));
    for (uint32_t i = 0; i < rows; i++) {
      for (uint32_t j = 0; j < columns; j++) {
        double sum = 0.0;
        for (uint32_t k = 0; k < rank && k <= i && k <= j; k++) {
          sum += (k == i ? 1.0 : lu[i * columns + k]) * lu[k * columns + j];
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, a[row_order[i] * columns + column_order[j]], sum);
      }
    }
  }
}

/* What is a little beside a singular matrix counts as singular once its rank is known. */
static void
pivot_beyond_the_known_rank_must_be_clear(void)
{
  const double nearly[] = {1.0, 2.0, 1.0, 2.0 + 1e-7};
  double a[4];
  uint32_t rows[2];
  uint32_t columns[2];
  memcpy(a, nearly, sizeof(a));
  TEST_ASSERT_EQUAL_UINT32(2, dae_split_full_pivot_lu(a, 2, 2, 0, rows, columns));
  memcpy(a, nearly, sizeof(a));
  TEST_ASSERT_EQUAL_UINT32(2, dae_split_full_pivot_lu(a, 2, 2, 2, rows, columns));
  memcpy(a, nearly, sizeof(a));
  TEST_ASSERT_EQUAL_UINT32(1, dae_split_full_pivot_lu(a, 2, 2, 1, rows, columns));
}

static void
real_solutions_agree_with_gsl(void)
{
  uint64_t seed = 3;
  for (uint32_t n = 1; n <= MOST; n++) {
    double a[MOST * MOST];
    double copy[MOST * MOST];
    double b[MOST];
    double x[MOST];
    uint32_t pivot[MOST];
    for (uint32_t e = 0; e < n * n; e++) {
      a[e] = copy[e] = next_random(&seed);
    }
    for (uint32_t i = 0; i < n; i++) {
      b[i] = x[i] = next_random(&seed);
    }
    TEST_ASSERT_TRUE(dae_split_lu(a, n, pivot));
    dae_split_lu_solve(a, n, pivot, x);
    gsl_matrix_view m = gsl_matrix_view_array(copy, n, n);
    gsl_vector_view v = gsl_vector_view_array(b, n);
    gsl_permutation *p = gsl_permutation_alloc(n);
    int sign;
    gsl_linalg_LU_decomp(&m.matrix, p, &sign);
    gsl_linalg_LU_svx(&m.matrix, p, &v.vector);
    gsl_permutation_free(p);
    for (uint32_t i = 0; i < n; i++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-10, b[i], x[i]);
    }
  }
}

/* Pivots far below the first are those of a graded matrix, unless they are what rounding left. */
static void
graded_matrices_keep_their_rank(void)
{
  double graded[] = {1.0, 1e-9, 0.0, 1e-9, 2e-18, 1e-17, 0.0, 1e-17, 1e-25};
  double dependent[] = {1.0, 1.0 / 3.0, 0.1, 3.0, 1.0, 0.3, 0.7, 0.7 / 3.0, 0.07};
  double rounding[9];
  uint32_t rows[3];
  uint32_t columns[3];
  double same[9];
  memcpy(same, graded, sizeof graded);
  TEST_ASSERT_EQUAL_UINT32(1, dae_split_full_pivot_lu(same, 3, 3, 3, rows, columns));
  TEST_ASSERT_EQUAL_UINT32(3, dae_split_graded_lu(graded, rounding, 3, 3, rows, columns));
  TEST_ASSERT_EQUAL_UINT32(1, dae_split_graded_lu(dependent, rounding, 3, 3, rows, columns));
}

static void
singular_matrices_are_refused(void)
{
  double a[] = {1.0, 2.0, 2.0, 4.0};
  double nan_matrix[] = {NAN};
  uint32_t pivot[2];
  TEST_ASSERT_FALSE(dae_split_lu(a, 2, pivot));
  TEST_ASSERT_FALSE(dae_split_lu(nan_matrix, 1, pivot));
}

/* The order found for one matrix serves a matrix near it, and is refused
 * where a pivot has become small. */
static void
order_is_taken_over_while_pivots_are_good(void)
{
  double a[] = {4.0, 1.0, 0.5, 1.0, 3.0, 0.2}; /* 2 x 3 */
  double same[6];
  memcpy(same, a, sizeof a);
  TEST_ASSERT_TRUE(dae_split_same_order_lu(same, 2, 3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.25, same[3]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2.75, same[4]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.2 - 0.125, same[5]);
  a[0] = 0.01;
  TEST_ASSERT_FALSE(dae_split_same_order_lu(a, 2, 3));
  double singular[] = {1.0, 1.0, 1.0, 1.0};
  TEST_ASSERT_FALSE(dae_split_same_order_lu(singular, 2, 2));
}

static void
positive_matrices_are_told_from_singular_ones(void)
{
  double good[] = {1.0, 0.5, 0.2, 0.5, 1.0, 0.1, 0.2, 0.1, 1.0};
  double bad[] = {1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  double not_finite[] = {NAN};
  TEST_ASSERT_TRUE(dae_split_is_positive(good, 3));
  TEST_ASSERT_FALSE(dae_split_is_positive(bad, 3));
  TEST_ASSERT_FALSE(dae_split_is_positive(not_finite, 1));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(full_pivoting_factors_and_finds_the_rank);
  RUN_TEST(order_is_taken_over_while_pivots_are_good);
  RUN_TEST(positive_matrices_are_told_from_singular_ones);
  RUN_TEST(pivot_beyond_the_known_rank_must_be_clear);
  RUN_TEST(real_solutions_agree_with_gsl);
  RUN_TEST(graded_matrices_keep_their_rank);
  RUN_TEST(singular_matrices_are_refused);
  return UNITY_END();
}
