#include <math.h>

#include "numeric/numeric.h"
#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static double
next_random(uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 24) - 0.5;
}

static void
test_a_regular_and_a_singular_matrix(void)
{
  const uint32_t starts[] = {0, 2, 4};
  const uint32_t columns[] = {0, 1, 0, 1};
  const double good[] = {1e9, 2e9, 3, 4};
  const double bad[] = {1, 2, 2, 4};
  DaePattern pattern = {2, 2, starts, columns};
  TEST_ASSERT_TRUE(dae_numeric_is_regular(&pattern, good));
  TEST_ASSERT_FALSE(dae_numeric_is_regular(&pattern, bad));
  const double infinite[] = {1, 2, INFINITY, 4};
  TEST_ASSERT_FALSE(dae_numeric_is_regular(&pattern, infinite));
}

static void
test_a_structurally_singular_matrix(void)
{
  const uint32_t starts[] = {0, 1, 2, 5};
  const uint32_t columns[] = {0, 0, 0, 1, 2};
  const double values[] = {1, 2, 3, 4, 5};
  DaePattern pattern = {3, 3, starts, columns};
  TEST_ASSERT_FALSE(dae_numeric_is_regular(&pattern, values));
}

/* The echelon form and LU agree on random square matrices, with a row that depends on
 * two others in every second one. */
static void
test_echelon_and_lu_agree(void)
{
  enum { N = 9 };

  uint32_t state = 3;
  for (int round = 0; round < 300; round++) {
    uint32_t starts[N + 1];
    uint32_t columns[N * N];
    double values[N * N];
    for (uint32_t i = 0; i < N; i++) {
      starts[i] = i * N;
      for (uint32_t j = 0; j < N; j++) {
        columns[i * N + j] = j;
        values[i * N + j] = next_random(&state);
      }
    }
    starts[N] = N * N;
    for (uint32_t j = 0; j < N && round % 2 == 1; j++) {
      values[(N - 1) * N + j] = values[j] - 3 * values[2 * N + j];
    }
    DaePattern pattern = {N, N, starts, columns};
    DaeEchelon *echelon = dae_echelon_new(N, 1000000);
    for (uint32_t i = 0; i < N; i++) {
      bool is_new = dae_echelon_add(echelon, columns, values + i * N, N, 1e-9);
      TEST_ASSERT_EQUAL(i + 1 < N || round % 2 == 0, is_new);
    }
    TEST_ASSERT_EQUAL_UINT32(round % 2 == 0 ? N : N - 1, dae_echelon_rank(echelon));
    TEST_ASSERT_EQUAL(round % 2 == 0, dae_numeric_is_regular(&pattern, values));
    TEST_ASSERT_FALSE(dae_echelon_is_over(echelon));
    dae_echelon_free(echelon);
  }
}

static void
test_operations_end(void)
{
  const uint32_t columns[] = {0, 1, 2};
  const double values[] = {1, 2, 3};
  DaeEchelon *echelon = dae_echelon_new(3, 2);
  TEST_ASSERT_TRUE(dae_echelon_add(echelon, columns, values, 3, 1e-9));
  TEST_ASSERT_FALSE(dae_echelon_add(echelon, columns, values, 3, 1e-9));
  TEST_ASSERT_TRUE(dae_echelon_is_over(echelon));
  dae_echelon_free(echelon);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_regular_and_a_singular_matrix);
  RUN_TEST(test_a_structurally_singular_matrix);
  RUN_TEST(test_echelon_and_lu_agree);
  RUN_TEST(test_operations_end);
  return UNITY_END();
}
