#include "matrices.h"
#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  uint32_t column_of_row[8], row_of_column[8];
  int64_t c[8], d[8];
  bool is_complete;
} Result;

static Result
match(const DaeCsr *csr)
{
  Result r;
  memset(&r, 0, sizeof r);
  r.is_complete = dae_graph_match(csr, r.column_of_row, r.row_of_column, r.c, r.d, NULL);
  return r;
}

static int
value_of(const DaeCsr *csr, const Result *r)
{
  int value = 0;
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    value += entry_of(csr, i, r->column_of_row[i]);
  }
  return value;
}

static void
check_matching_and_prices(const DaeCsr *csr, const Result *r)
{
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      int64_t slack = r->d[csr->column[e]] - r->c[i] - csr->weight[e];
      TEST_ASSERT_TRUE(slack >= 0);
      TEST_ASSERT_TRUE(r->column_of_row[i] != csr->column[e] || slack == 0);
    }
    if (r->column_of_row[i] != DAE_UNMATCHED) {
      TEST_ASSERT_EQUAL_UINT32(i, r->row_of_column[r->column_of_row[i]]);
    }
  }
}

static void
test_value_equals_brute_force_on_3000_random_matrices_up_to_6_by_6(void)
{
  uint32_t state = 7;
  for (int k = 0; k < 3000; k++) {
    uint32_t n = 1 + next_random(&state) % 6;
    g_autoptr(DaeCsr) csr = random_matrix(n, n, 20 + next_random(&state) % 80,
                                          (int)(next_random(&state) % 6), &state);
    Result r = match(csr);
    int best = -1;
    best_value_by_permutations(csr, 0, 0, 0, &best);
    TEST_ASSERT_EQUAL(best >= 0, r.is_complete);
    check_matching_and_prices(csr, &r);
    if (r.is_complete) {
      TEST_ASSERT_EQUAL_INT(best, value_of(csr, &r));
    }
  }
}

static void
test_more_columns_than_rows_are_matched_with_the_largest_value(void)
{
  uint32_t state = 11;
  for (int k = 0; k < 1000; k++) {
    g_autoptr(DaeCsr) csr = random_matrix(4, 6, 50, 3, &state);
    Result r = match(csr);
    int best = -1;
    best_value_by_permutations(csr, 0, 0, 0, &best);
    TEST_ASSERT_EQUAL(best >= 0, r.is_complete);
    if (r.is_complete) {
      TEST_ASSERT_EQUAL_INT(best, value_of(csr, &r));
    }
  }
}

/* Largest number of rows that can be matched, by trying all. */
static uint32_t
largest_cardinality(const DaeCsr *csr, uint32_t row, uint32_t used)
{
  if (row == csr->n_rows) {
    return 0;
  }
  uint32_t best = largest_cardinality(csr, row + 1, used);
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    if ((used >> j & 1) == 0 && entry_of(csr, row, j) != NO) {
      best = MAX(best, 1 + largest_cardinality(csr, row + 1, used | 1u << j));
    }
  }
  return best;
}

static void
test_incomplete_matchings_have_maximum_cardinality(void)
{
  uint32_t state = 13;
  for (int k = 0; k < 1000; k++) {
    g_autoptr(DaeCsr) csr = random_matrix(5, 5, 28, 2, &state);
    Result r = match(csr);
    uint32_t n = 0;
    for (uint32_t i = 0; i < 5; i++) {
      n += r.column_of_row[i] != DAE_UNMATCHED;
    }
    TEST_ASSERT_EQUAL_UINT32(largest_cardinality(csr, 0, 0), n);
  }
}

static void
test_the_empty_matrix_is_matched(void)
{
  g_autoptr(DaeCsr) csr = dae_csr_new(0, 0, 0, true);
  Result r = match(csr);
  TEST_ASSERT_TRUE(r.is_complete);
}

/* ---- growth, by counted work ------------------------------------------------------------- */

/* x1' = x2, ..., x1 = f(t) in a shuffled order of rows and columns: index n. */
static DaeCsr *
integrator_chain(uint32_t n, bool shuffled)
{
  g_autofree uint32_t *row = g_new(uint32_t, n);
  g_autofree uint32_t *column = g_new(uint32_t, n);
  uint32_t state = 3;
  for (uint32_t k = 0; k < n; k++) {
    row[k] = column[k] = k;
  }
  for (uint32_t k = n - 1; shuffled && k > 0; k--) {
    uint32_t a = next_random(&state) % (k + 1);
    uint32_t b = next_random(&state) % (k + 1);
    uint32_t swap = row[k];
    row[k] = row[a];
    row[a] = swap;
    swap = column[k];
    column[k] = column[b];
    column[b] = swap;
  }
  DaeCsr *csr = dae_csr_new(n, n, 2 * (size_t)n, true);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = row[i];
    uint32_t first = column[k == n - 1 ? 0 : k];
    uint32_t second = k == n - 1 ? first : column[k + 1];
    csr->column[at] = MIN(first, second);
    csr->weight[at++] = k == n - 1 ? 0 : first < second;
    if (second != first) {
      csr->column[at] = MAX(first, second);
      csr->weight[at++] = first > second;
    }
    csr->start[i + 1] = at;
  }
  return csr;
}

static void
test_the_work_on_a_chain_grows_linearly_in_any_order(void)
{
  for (int shuffled = 0; shuffled < 2; shuffled++) {
    uint64_t work[2];
    for (int k = 0; k < 2; k++) {
      uint32_t n = k == 0 ? 10000 : 100000;
      g_autoptr(DaeCsr) csr = integrator_chain(n, shuffled == 1);
      g_autofree uint32_t *rows = g_new(uint32_t, n);
      g_autofree uint32_t *columns = g_new(uint32_t, n);
      g_autofree int64_t *c = g_new(int64_t, n);
      g_autofree int64_t *d = g_new(int64_t, n);
      DaeMatchCounts counts;
      TEST_ASSERT_TRUE(dae_csr_check(csr));
      TEST_ASSERT_TRUE(dae_graph_match(csr, rows, columns, c, d, &counts));
      work[k] = counts.n_edges;
    }
    TEST_ASSERT_TRUE(work[1] < 12 * work[0]);
  }
}

static void
test_a_bidiagonal_pipe_needs_no_search(void)
{
  uint32_t n = 50000; /* depth-first matching in this order is quadratic */
  g_autoptr(DaeCsr) csr = dae_csr_new(n, n, 2 * (size_t)n, false);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    csr->column[at++] = i;
    if (i + 1 < n) {
      csr->column[at++] = i + 1;
    }
    csr->start[i + 1] = at;
  }
  g_autofree uint32_t *rows = g_new(uint32_t, n);
  g_autofree uint32_t *columns = g_new(uint32_t, n);
  g_autofree int64_t *c = g_new(int64_t, n);
  g_autofree int64_t *d = g_new(int64_t, n);
  DaeMatchCounts counts;
  TEST_ASSERT_TRUE(dae_graph_match(csr, rows, columns, c, d, &counts));
  TEST_ASSERT_EQUAL_UINT32(0, counts.n_phases);
}

/* Rows that no column was found for without a search. */
static uint32_t
rows_left(const DaeCsr *csr, uint64_t *n_edges)
{
  g_autofree uint32_t *rows = g_new(uint32_t, csr->n_rows + 1);
  g_autofree uint32_t *columns = g_new(uint32_t, csr->n_columns + 1);
  g_autofree int64_t *c = g_new(int64_t, csr->n_rows + 1);
  g_autofree int64_t *d = g_new(int64_t, csr->n_columns + 1);
  *n_edges = dae_graph_match_cheaply(csr, rows, columns, c, d);
  uint32_t n_left = 0;
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    n_left += rows[i] == DAE_UNMATCHED;
    TEST_ASSERT_TRUE(rows[i] == DAE_UNMATCHED || columns[rows[i]] == i);
  }
  return n_left;
}

static int
ascending(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Cells of a square with their four neighbours, columns numbered in no particular order. */
static void
test_a_shuffled_grid_is_nearly_matched_without_a_search(void)
{
  uint32_t side = 100;
  uint32_t n = side * side;
  uint32_t state = 11;
  g_autofree uint32_t *number = g_new(uint32_t, n);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = next_random(&state) % (k + 1);
    number[k] = number[at];
    number[at] = k;
  }
  g_autoptr(DaeCsr) csr = dae_csr_new(n, n, 5 * (size_t)n, false);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    size_t first = at;
    csr->column[at++] = number[i];
    if (i % side > 0) {
      csr->column[at++] = number[i - 1];
    }
    if (i % side + 1 < side) {
      csr->column[at++] = number[i + 1];
    }
    if (i >= side) {
      csr->column[at++] = number[i - side];
    }
    if (i + side < n) {
      csr->column[at++] = number[i + side];
    }
    qsort(csr->column + first, at - first, sizeof(uint32_t), ascending);
    csr->start[i + 1] = at;
  }
  TEST_ASSERT_TRUE(dae_csr_check(csr));
  uint64_t n_edges = 0;
  TEST_ASSERT_TRUE(rows_left(csr, &n_edges) <= n / 50);
  TEST_ASSERT_TRUE(n_edges <= 8 * at);
}

/* Chain of planar pendula with columns in no particular order: the constraint of each finds its
 * column two rows further, behind a step that costs one. */
static void
test_paths_that_end_nearby_need_hardly_a_phase(void)
{
  uint32_t n_bobs = 4000;
  uint32_t n = 5 * n_bobs;
  uint32_t state = 5;
  g_autofree uint32_t *number = g_new(uint32_t, n);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = next_random(&state) % (k + 1);
    number[k] = number[at];
    number[at] = k;
  }
  /* offsets of columns x y u v F from those of the bob, and orders; 99: no entry */
  static const int rows[5][6][2] = {
      {{0, 1}, {2, 0}, {99, 0}, {99, 0}, {99, 0}, {99, 0}},
      {{1, 1}, {3, 0}, {99, 0}, {99, 0}, {99, 0}, {99, 0}},
      {{2, 1}, {0, 0}, {-5, 0}, {5, 0}, {4, 0}, {9, 0}},
      {{3, 1}, {1, 0}, {-4, 0}, {6, 0}, {4, 0}, {9, 0}},
      {{0, 0}, {1, 0}, {-5, 0}, {-4, 0}, {99, 0}, {99, 0}},
  };
  g_autoptr(DaeCsr) csr = dae_csr_new(n, n, 6 * (size_t)n, true);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    size_t first = at;
    for (int k = 0; k < 6; k++) {
      int64_t j = (int64_t)(i / 5 * 5) + rows[i % 5][k][0];
      if (rows[i % 5][k][0] != 99 && j >= 0 && j < n) {
        csr->column[at++] = number[j];
      }
    }
    qsort(csr->column + first, at - first, sizeof(uint32_t), ascending);
    for (size_t e = first; e < at; e++) {
      uint32_t own = number[i / 5 * 5 + (uint32_t)rows[i % 5][0][0]];
      csr->weight[e] = csr->column[e] == own ? rows[i % 5][0][1] : 0;
    }
    csr->start[i + 1] = at;
  }
  TEST_ASSERT_TRUE(dae_csr_check(csr));
  g_autofree uint32_t *columns = g_new(uint32_t, n);
  g_autofree uint32_t *row_of = g_new(uint32_t, n);
  g_autofree int64_t *c = g_new(int64_t, n);
  g_autofree int64_t *d = g_new(int64_t, n);
  DaeMatchCounts counts;
  TEST_ASSERT_TRUE(dae_graph_match(csr, columns, row_of, c, d, &counts));
  TEST_ASSERT_TRUE(counts.n_phases <= 1);
  TEST_ASSERT_TRUE(counts.n_edges <= 15 * at);
}

/* A price becomes one more than 32 bits hold. */
static void
test_orders_as_large_as_they_can_be(void)
{
  enum { W = INT32_MAX };

  g_autoptr(DaeCsr) csr = literal_matrix(3, 3, (int[]){W, W - 1, NO, W, NO, NO, NO, W, W});
  Result r = match(csr);
  TEST_ASSERT_TRUE(r.is_complete);
  check_matching_and_prices(csr, &r);
  TEST_ASSERT_EQUAL_UINT32(1, r.column_of_row[0]);
}

/* Column 0 stands in all rows, which are more than a count of one byte holds, and belongs to the
 * last one. */
static void
test_a_column_in_very_many_rows(void)
{
  uint32_t n = 1000;
  g_autoptr(DaeCsr) csr = dae_csr_new(n, n, 3 * (size_t)n, false);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    csr->column[at++] = 0;
    for (uint32_t j = i; i + 1 < n && j <= i + 1; j++) {
      if (j > 0) {
        csr->column[at++] = j;
      }
    }
    csr->start[i + 1] = at;
  }
  TEST_ASSERT_TRUE(dae_csr_check(csr));
  g_autofree uint32_t *rows = g_new(uint32_t, n);
  g_autofree uint32_t *columns = g_new(uint32_t, n);
  g_autofree int64_t *c = g_new(int64_t, n);
  g_autofree int64_t *d = g_new(int64_t, n);
  TEST_ASSERT_TRUE(dae_graph_match(csr, rows, columns, c, d, NULL));
  TEST_ASSERT_EQUAL_UINT32(0, rows[n - 1]);
}

/* Dual prices prove the value: large enough for greedy tries that succeed, that leave some rows,
 * and that are taken back. */
static void
test_prices_prove_the_value_of_500_random_matrices_of_order_200(void)
{
  enum { N = 200 };

  uint32_t state = 29;
  uint32_t n_complete = 0;
  for (int k = 0; k < 500; k++) {
    g_autoptr(DaeCsr) csr = random_matrix(N, N, 2 + next_random(&state) % 8,
                                          (int)(next_random(&state) % 3), &state);
    uint32_t column_of_row[N], row_of_column[N], n_matched = 0;
    int64_t c[N], d[N];
    bool is_complete = dae_graph_match(csr, column_of_row, row_of_column, c, d, NULL);
    for (uint32_t i = 0; i < N; i++) {
      n_matched += column_of_row[i] != DAE_UNMATCHED;
      TEST_ASSERT_TRUE(column_of_row[i] == DAE_UNMATCHED ||
                       row_of_column[column_of_row[i]] == i);
      for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
        int64_t slack = d[csr->column[e]] - c[i] - csr->weight[e];
        TEST_ASSERT_TRUE(slack >= 0);
        TEST_ASSERT_TRUE(column_of_row[i] != csr->column[e] || slack == 0);
      }
    }
    TEST_ASSERT_EQUAL(is_complete, n_matched == N);
    n_complete += is_complete;
  }
  TEST_ASSERT_GREATER_THAN_UINT32(100, n_complete);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_value_equals_brute_force_on_3000_random_matrices_up_to_6_by_6);
  RUN_TEST(test_prices_prove_the_value_of_500_random_matrices_of_order_200);
  RUN_TEST(test_more_columns_than_rows_are_matched_with_the_largest_value);
  RUN_TEST(test_incomplete_matchings_have_maximum_cardinality);
  RUN_TEST(test_the_empty_matrix_is_matched);
  RUN_TEST(test_the_work_on_a_chain_grows_linearly_in_any_order);
  RUN_TEST(test_a_bidiagonal_pipe_needs_no_search);
  RUN_TEST(test_a_shuffled_grid_is_nearly_matched_without_a_search);
  RUN_TEST(test_paths_that_end_nearby_need_hardly_a_phase);
  RUN_TEST(test_orders_as_large_as_they_can_be);
  RUN_TEST(test_a_column_in_very_many_rows);
  return UNITY_END();
}
