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

/* Rows that are covered, each column once, and no circle among them: row i needs the row that is
 * solved for a column of it. */
static bool
is_triangular(const DaeCsr *csr, const uint32_t *column_of_row, const uint32_t *row_of_column)
{
  uint32_t n_done = 0;
  g_autofree bool *is_done = g_new0(bool, csr->n_rows + 1);
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t i = 0; i < csr->n_rows; i++) {
      bool is_ready = !is_done[i];
      for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
        uint32_t from = row_of_column[csr->column[e]];
        is_ready = is_ready && (from == DAE_UNMATCHED || from == i || is_done[from]);
      }
      if (is_ready) {
        TEST_ASSERT_EQUAL_UINT32(i, row_of_column[column_of_row[i]]);
        TEST_ASSERT_NOT_EQUAL(NO, entry_of(csr, i, column_of_row[i]));
        is_done[i] = moved = true;
        n_done++;
      }
    }
  }
  return n_done == csr->n_rows;
}

static bool
match(const DaeCsr *csr)
{
  g_autofree uint32_t *rows = g_new(uint32_t, csr->n_rows + 1);
  g_autofree uint32_t *columns = g_new(uint32_t, csr->n_columns + 1);
  bool ok = dae_graph_match_triangular(csr, rows, columns);
  TEST_ASSERT_TRUE(!ok || is_triangular(csr, rows, columns));
  return ok;
}

static void
test_links_of_a_chain_are_solved_one_after_the_other(void)
{
  const int values[] = {0,  0,  NO, NO, NO, NO, /* x1 y1 */
                        0,  0,  0,  0,  NO, NO, /* x1 y1 x2 y2 */
                        NO, NO, 0,  0,  0,  0};
  g_autoptr(DaeCsr) csr = literal_matrix(3, 6, values);
  TEST_ASSERT_TRUE(match(csr));
}

static void
test_a_circle_is_none_unless_a_row_of_it_has_a_column_of_its_own(void)
{
  const int full[] = {0, 0, 0, 0, 0, 0};
  g_autoptr(DaeCsr) dense = literal_matrix(2, 3, full);
  TEST_ASSERT_FALSE(match(dense));
  const int ring[] = {0, 0, NO, NO, 0, 0, 0, NO, 0};
  g_autoptr(DaeCsr) closed = literal_matrix(3, 3, ring);
  TEST_ASSERT_FALSE(match(closed));
  const int open[] = {0, 0, NO, NO, NO, 0, 0, NO, 0, NO, 0, 0};
  g_autoptr(DaeCsr) opened = literal_matrix(3, 4, open);
  TEST_ASSERT_TRUE(match(opened));
}

/* All choices of columns for the rows, one after the other. */
static bool
some_choice_is_triangular(const DaeCsr *csr, uint32_t *rows, uint32_t *columns, uint32_t i)
{
  if (i == csr->n_rows) {
    return is_triangular(csr, rows, columns);
  }
  bool found = false;
  for (size_t e = csr->start[i]; e < csr->start[i + 1] && !found; e++) {
    if (columns[csr->column[e]] == DAE_UNMATCHED) {
      rows[i] = csr->column[e];
      columns[csr->column[e]] = i;
      found = some_choice_is_triangular(csr, rows, columns, i + 1);
      columns[csr->column[e]] = DAE_UNMATCHED;
    }
  }
  return found;
}

static void
test_rows_without_columns_are_not_covered(void)
{
  const int values[] = {NO, NO, NO, 0, 0, 0};
  g_autoptr(DaeCsr) csr = literal_matrix(2, 3, values);
  TEST_ASSERT_FALSE(match(csr));
  g_autoptr(DaeCsr) none = literal_matrix(0, 2, values);
  TEST_ASSERT_TRUE(match(none));
}

static void
test_one_is_found_in_random_patterns_where_there_is_one(void)
{
  uint32_t state = 7;
  uint32_t n_found = 0;
  for (int k = 0; k < 1000; k++) {
    uint32_t m = 1 + next_random(&state) % 4;
    uint32_t n = m + next_random(&state) % 3;
    uint32_t rows[8];
    uint32_t columns[8];
    memset(columns, 0xff, sizeof columns);
    g_autoptr(DaeCsr) csr = random_matrix(m, n, 20 + next_random(&state) % 60, 2, &state);
    bool found = match(csr);
    TEST_ASSERT_EQUAL(some_choice_is_triangular(csr, rows, columns, 0), found);
    n_found += found ? 1 : 0;
  }
  TEST_ASSERT_GREATER_THAN_UINT32(200, n_found);
  TEST_ASSERT_LESS_THAN_UINT32(800, n_found);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_links_of_a_chain_are_solved_one_after_the_other);
  RUN_TEST(test_a_circle_is_none_unless_a_row_of_it_has_a_column_of_its_own);
  RUN_TEST(test_rows_without_columns_are_not_covered);
  RUN_TEST(test_one_is_found_in_random_patterns_where_there_is_one);
  return UNITY_END();
}
