/* Full matrices modulo the prime: the factors multiply to the matrix, whatever its rank. */
#include <string.h>

#include "structural/modular.h"

#include <unity.h>

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* Any residue, also such that sums of products come near 2^126. */
static uint64_t
next_residue(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  uint64_t value = *state >> 3;
  return value % 5 == 0 ? DAE_PRIME - 1 - value % 7 : value % DAE_PRIME;
}

/* The first `rank` rows by chance, with zeros among them; each of the others is a combination of
 * them, with all entries as large as may be where `is_large`. */
static void
fill(DaeModDense *m, uint32_t rank, bool is_large, uint64_t *state)
{
  for (uint32_t i = 0; i < m->n_rows; i++) {
    uint64_t *row = m->a + (size_t)i * m->n_columns;
    for (uint32_t j = 0; j < m->n_columns && i < rank; j++) {
      bool is_zero = !is_large && j != i && next_residue(state) % 3 != 0;
      row[j] = is_zero              ? 0
               : is_large && j != i ? DAE_PRIME - 1
                                    : 1 + next_residue(state) % 1000;
    }
    for (uint32_t k = 0; k < rank && i >= rank; k++) {
      uint64_t factor = next_residue(state);
      for (uint32_t j = 0; j < m->n_columns; j++) {
        row[j] = dae_mod_add(row[j], dae_mod_mul(factor, m->a[(size_t)k * m->n_columns + j]));
      }
    }
  }
}

/* Entry (i, j) of L*U, j a place of the columns; n: how many pivots row i has lost; is_pivot: it is
 * the pivot row n itself. */
static uint64_t
entry_of_product(const DaeModDense *m, uint32_t i, uint32_t n, bool is_pivot, uint32_t j)
{
  const uint64_t *row = m->a + (size_t)i * m->n_columns;
  uint64_t sum = 0;
  for (uint32_t k = 0; k < n + is_pivot && k <= j; k++) {
    uint64_t upper = k == j ? 1 : m->a[(size_t)m->row_at[k] * m->n_columns + j];
    sum = dae_mod_add(sum, dae_mod_mul(row[k], upper));
  }
  return sum;
}

static void
check_factors(uint32_t n_rows, uint32_t n_columns, uint32_t rank, bool is_large,
              uint64_t *state)
{
  DaeModDense m;
  dae_mod_dense_init(&m, n_rows, n_columns);
  fill(&m, rank, is_large, state);
  g_autofree uint64_t *a = g_memdup2(m.a, sizeof *a * n_rows * n_columns);
  g_autofree uint32_t *pivot_of = g_new(uint32_t, (size_t)n_rows + 1);
  dae_mod_dense_eliminate(&m);
  TEST_ASSERT_EQUAL_UINT32(rank, m.rank);
  memset(pivot_of, 0xff, n_rows * sizeof *pivot_of);
  for (uint32_t r = 0; r < m.rank; r++) {
    pivot_of[m.row_at[r]] = r;
  }
  for (uint32_t i = 0; i < n_rows; i++) {
    bool is_pivot = pivot_of[i] != UINT32_MAX;
    for (uint32_t j = 0; j < n_columns; j++) {
      uint64_t product = entry_of_product(&m, i, is_pivot ? pivot_of[i] : m.rank, is_pivot, j);
      TEST_ASSERT_EQUAL_UINT64(a[(size_t)i * n_columns + m.column_at[j]], product);
    }
  }
  dae_mod_dense_clear(&m);
}

static void
test_factors_multiply_to_the_matrix(void)
{
  uint64_t state = 5;
  for (uint32_t n = 1; n < 40; n++) {
    check_factors(n, n, n, false, &state);
    check_factors(n, n, (n + 1) / 2, false, &state);
    check_factors(n, n + 3, n, false, &state);
    check_factors(n + 5, n, n, false, &state);
  }
}

/* Eight products of p - 1 and p - 1 have 125 bits. */
static void
test_sums_of_the_largest_products_do_not_overflow(void)
{
  uint64_t state = 11;
  check_factors(33, 33, 33, true, &state);
  check_factors(40, 40, 17, true, &state);
}

static void
test_solutions_fulfil_the_system(void)
{
  enum { N = 53 };

  uint64_t state = 3;
  uint64_t rhs[N];
  uint64_t x[N];
  DaeModDense m;
  dae_mod_dense_init(&m, N, N);
  fill(&m, N, false, &state);
  g_autofree uint64_t *a = g_memdup2(m.a, sizeof *a * N * N);
  for (uint32_t i = 0; i < N; i++) {
    rhs[i] = next_residue(&state);
  }
  dae_mod_dense_eliminate(&m);
  dae_mod_dense_solve(&m, rhs, x);
  for (uint32_t i = 0; i < N; i++) {
    uint64_t sum = 0;
    for (uint32_t j = 0; j < N; j++) {
      sum = dae_mod_add(sum, dae_mod_mul(a[i * N + j], x[j]));
    }
    TEST_ASSERT_EQUAL_UINT64(rhs[i], sum);
  }
  dae_mod_dense_clear(&m);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_factors_multiply_to_the_matrix);
  RUN_TEST(test_sums_of_the_largest_products_do_not_overflow);
  RUN_TEST(test_solutions_fulfil_the_system);
  return UNITY_END();
}
