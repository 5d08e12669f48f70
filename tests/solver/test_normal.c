/* Least squares with fixed work, against dense Gauss elimination with pivoting. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "solver/normal.h"
#include "unity.h"

#define MAX_ROWS 24
#define MAX_COLUMNS 16

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  uint32_t n_rows, n_columns;
  uint32_t start[MAX_ROWS + 1];
  uint32_t column[MAX_ROWS * MAX_COLUMNS];
  double values[MAX_ROWS * MAX_COLUMNS];
} Sparse;

/* Every column has an entry of its own near 1, so that the rank is full; the rest is random. */
static void
random_sparse(Sparse *a, GRand *random, uint32_t n_rows, uint32_t n_columns)
{
  uint32_t nnz = 0;
  a->n_rows = n_rows;
  a->n_columns = n_columns;
  a->start[0] = 0;
  for (uint32_t i = 0; i < n_rows; i++) {
    for (uint32_t j = 0; j < n_columns; j++) {
      if (i == j || g_rand_int_range(random, 0, 4) == 0) {
        a->column[nnz] = j;
        a->values[nnz++] = (i == j ? 2.0 : 0.0) + g_rand_double_range(random, -0.5, 0.5);
      }
    }
    a->start[i + 1] = nnz;
  }
}

/* Solves the dense normal equations in long double. */
static void
dense_least_squares(const Sparse *a, const double *r, double *x)
{
  const uint32_t n = a->n_columns;
  long double m[MAX_COLUMNS][MAX_COLUMNS + 1];
  memset(m, 0, sizeof m);
  for (uint32_t i = 0; i < a->n_rows; i++) {
    for (uint32_t p = a->start[i]; p < a->start[i + 1]; p++) {
      for (uint32_t q = a->start[i]; q < a->start[i + 1]; q++) {
        m[a->column[p]][a->column[q]] += (long double)a->values[p] * a->values[q];
      }
      m[a->column[p]][n] += (long double)a->values[p] * r[i];
    }
  }
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = 0; i < n; i++) {
      const long double factor = i != k ? m[i][k] / m[k][k] : 0.0L;
      for (uint32_t j = 0; j <= n; j++) {
        m[i][j] -= factor * m[k][j];
      }
    }
  }
  for (uint32_t k = 0; k < n; k++) {
    x[k] = (double)(m[k][n] / m[k][k]);
  }
}

static void
test_least_squares_agrees_with_dense_elimination(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (int round = 0; round < 200; round++) {
    Sparse a;
    const uint32_t n = (uint32_t)g_rand_int_range(random, 1, MAX_COLUMNS + 1);
    random_sparse(&a, random, n + (uint32_t)g_rand_int_range(random, 0, 9), n);
    DaeNormal *normal = dae_normal_new(a.n_rows, a.n_columns, a.start, a.column);
    DaeNormalFactor *factor = dae_normal_factor_new(normal);
    double r[MAX_ROWS];
    double x[MAX_COLUMNS];
    double expected[MAX_COLUMNS];
    for (uint32_t i = 0; i < a.n_rows; i++) {
      r[i] = g_rand_double_range(random, -1.0, 1.0);
    }
    TEST_ASSERT_EQUAL_UINT32(0, dae_normal_factorize(normal, a.values, factor));
    dae_normal_least_squares(normal, a.values, factor, r, x);
    dense_least_squares(&a, r, expected);
    for (uint32_t j = 0; j < n; j++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9 * (1.0 + fabs(expected[j])), expected[j], x[j]);
    }
    dae_normal_factor_free(factor);
    dae_normal_free(normal);
  }
}

static void
test_dependent_columns_are_counted_and_get_no_correction(void)
{
  static const uint32_t start[] = {0, 2, 4, 6};
  static const uint32_t column[] = {0, 1, 0, 1, 0, 1};
  static const double values[] = {1.0, 2.0,  3.0,
                                  6.0, -1.0, -2.0}; /* second column is twice the first */
  static const double r[] = {1.0, 3.0, -1.0};
  DaeNormal *normal = dae_normal_new(3, 2, start, column);
  DaeNormalFactor *factor = dae_normal_factor_new(normal);
  double x[2];
  TEST_ASSERT_EQUAL_UINT32(1, dae_normal_factorize(normal, values, factor));
  dae_normal_least_squares(normal, values, factor, r, x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, x[0] + 2.0 * x[1]);
  dae_normal_factor_free(factor);
  dae_normal_free(normal);
}

static void
test_one_entry_in_each_row_and_column_is_a_division(void)
{
  static const uint32_t start[] = {0, 1, 2};
  static const uint32_t column[] = {1, 0};
  static const double values[] = {4.0, -2.0};
  static const double r[] = {8.0, 3.0};
  DaeNormal *normal = dae_normal_new(2, 2, start, column);
  DaeNormalFactor *factor = dae_normal_factor_new(normal);
  double x[2];
  TEST_ASSERT_TRUE(normal->is_diagonal);
  TEST_ASSERT_EQUAL_UINT32(0, dae_normal_factorize(normal, values, factor));
  dae_normal_least_squares(normal, values, factor, r, x);
  TEST_ASSERT_EQUAL_DOUBLE(-1.5, x[0]);
  TEST_ASSERT_EQUAL_DOUBLE(2.0, x[1]);
  dae_normal_factor_free(factor);
  dae_normal_free(normal);
}

/* A band of width 3 has a factor of linear size under minimum degree. */
static uint64_t
cost_of_band(uint32_t n)
{
  g_autofree uint32_t *start = g_new(uint32_t, n + 1);
  g_autofree uint32_t *column = g_new(uint32_t, (size_t)3 * n);
  uint32_t nnz = 0;
  start[0] = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) {
      column[nnz++] = j;
    }
    start[i + 1] = nnz;
  }
  DaeNormal *normal = dae_normal_new(n, n, start, column);
  const uint64_t flops = dae_normal_factorize_cost(normal).flops;
  dae_normal_free(normal);
  return flops;
}

static void
test_cost_of_a_band_is_linear(void)
{
  TEST_ASSERT_TRUE(cost_of_band(400) < 21 * cost_of_band(200) / 10);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_least_squares_agrees_with_dense_elimination);
  RUN_TEST(test_dependent_columns_are_counted_and_get_no_correction);
  RUN_TEST(test_one_entry_in_each_row_and_column_is_a_division);
  RUN_TEST(test_cost_of_a_band_is_linear);
  return UNITY_END();
}
