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

static void
decompose(const DaeCsr *csr, DaePart *over, DaePart *under)
{
  g_autofree uint32_t *rows = g_new(uint32_t, csr->n_rows + 1);
  g_autofree uint32_t *columns = g_new(uint32_t, csr->n_columns + 1);
  g_autofree int64_t *c = g_new(int64_t, csr->n_rows + 1);
  g_autofree int64_t *d = g_new(int64_t, csr->n_columns + 1);
  dae_graph_match(csr, rows, columns, c, d, NULL);
  dae_graph_dulmage_mendelsohn(csr, rows, columns, over, under);
}

static uint32_t
at(const GArray *array, guint k)
{
  return g_array_index(array, uint32_t, k);
}

static void
test_both_parts_of_a_square_system_are_found(void)
{
  /* rows 0, 1 share column 0; row 2 has columns 1, 2; row 3 has 3 */
  const int values[] = {0, NO, NO, NO, 0, NO, NO, NO, NO, 0, 0, NO, NO, NO, NO, 0};
  g_autoptr(DaeCsr) csr = literal_matrix(4, 4, values);
  DaePart over;
  DaePart under;
  decompose(csr, &over, &under);
  TEST_ASSERT_EQUAL_UINT(2, over.rows->len);
  TEST_ASSERT_EQUAL_UINT(1, over.columns->len);
  TEST_ASSERT_EQUAL_UINT32(0, at(over.columns, 0));
  TEST_ASSERT_EQUAL_UINT(1, under.rows->len);
  TEST_ASSERT_EQUAL_UINT32(2, at(under.rows, 0));
  TEST_ASSERT_EQUAL_UINT(2, under.columns->len);
  dae_part_clear(&over);
  dae_part_clear(&under);
}

static void
test_a_row_without_entries_is_the_smallest_excess_and_an_absent_column_is_missing(void)
{
  const int values[] = {NO, NO, 0, NO};
  g_autoptr(DaeCsr) csr = literal_matrix(2, 2, values);
  DaePart over;
  DaePart under;
  DaePart excess;
  decompose(csr, &over, &under);
  dae_graph_smallest_excess(csr, &over, &excess);
  TEST_ASSERT_EQUAL_UINT(1, excess.rows->len);
  TEST_ASSERT_EQUAL_UINT32(0, at(excess.rows, 0));
  TEST_ASSERT_EQUAL_UINT(0, excess.columns->len);
  TEST_ASSERT_EQUAL_UINT(1, under.columns->len);
  TEST_ASSERT_EQUAL_UINT32(1, at(under.columns, 0));
  dae_part_clear(&over);
  dae_part_clear(&under);
  dae_part_clear(&excess);
}

/* Three rows on two columns, hidden among rows that the matching prefers to leave out. */
static void
test_the_smallest_excess_does_not_depend_on_which_rows_were_left_over(void)
{
  const int values[] = {0, 0,  NO, NO, 0,  0, NO, NO, 0, 0,  NO, NO, 0,  NO,
                        0, NO, NO, 0,  NO, 0, NO, NO, 0, NO, NO, NO, NO, 0};
  g_autoptr(DaeCsr) csr = literal_matrix(7, 4, values);
  DaePart over;
  DaePart under;
  DaePart excess;
  decompose(csr, &over, &under);
  dae_graph_smallest_excess(csr, &over, &excess);
  TEST_ASSERT_EQUAL_UINT(3, excess.rows->len);
  TEST_ASSERT_EQUAL_UINT32(0, at(excess.rows, 0));
  TEST_ASSERT_EQUAL_UINT32(2, at(excess.rows, 2));
  dae_part_clear(&over);
  dae_part_clear(&under);
  dae_part_clear(&excess);
}

static void
test_in_a_large_part_a_pair_on_one_column_is_found(void)
{
  /* a closed chain of n rows on n columns, one more row in the middle twice on column 1000 */
  uint32_t n = 2000;
  g_autoptr(DaeCsr) csr = dae_csr_new(n + 1, n, 2 * (size_t)n + 1, false);
  size_t e = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (i != 1000) {
      csr->column[e++] = MIN(i, (i + 1) % n);
      csr->column[e++] = MAX(i, (i + 1) % n);
    } else {
      csr->column[e++] = 1000;
    }
    csr->start[i + 1] = e;
  }
  csr->column[e++] = 1000;
  csr->start[n + 1] = e;
  DaePart over;
  DaePart under;
  DaePart excess;
  decompose(csr, &over, &under);
  dae_graph_smallest_excess(csr, &over, &excess);
  TEST_ASSERT_EQUAL_UINT(2, excess.rows->len);
  TEST_ASSERT_EQUAL_UINT32(1000, at(excess.rows, 0));
  TEST_ASSERT_EQUAL_UINT32(n, at(excess.rows, 1));
  dae_part_clear(&over);
  dae_part_clear(&under);
  dae_part_clear(&excess);
}

static void
test_the_excess_of_random_systems_is_minimal(void)
{
  uint32_t state = 31;
  for (int k = 0; k < 500; k++) {
    g_autoptr(DaeCsr) csr = random_matrix(7, 6, 30, 0, &state);
    DaePart over;
    DaePart under;
    DaePart excess;
    decompose(csr, &over, &under);
    TEST_ASSERT_TRUE(over.rows->len > over.columns->len);
    TEST_ASSERT_TRUE(under.columns->len >= under.rows->len);
    dae_graph_smallest_excess(csr, &over, &excess);
    TEST_ASSERT_EQUAL_UINT(excess.rows->len, excess.columns->len + 1);
    for (guint drop = 0; drop < excess.rows->len;
         drop++) { /* any one dropped: the rest can be matched */
      int values[64];
      uint32_t n = 0;
      for (guint r = 0; r < excess.rows->len; r++) {
        for (uint32_t j = 0; r != drop && j < 6; j++) {
          values[n * 6 + j] = entry_of(csr, at(excess.rows, r), j);
        }
        n += r != drop;
      }
      g_autoptr(DaeCsr) rest = literal_matrix(n, 6, values);
      uint32_t rows[8];
      uint32_t columns[8];
      int64_t c[8];
      int64_t d[8];
      TEST_ASSERT_TRUE(dae_graph_match(rest, rows, columns, c, d, NULL));
    }
    dae_part_clear(&over);
    dae_part_clear(&under);
    dae_part_clear(&excess);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_both_parts_of_a_square_system_are_found);
  RUN_TEST(test_a_row_without_entries_is_the_smallest_excess_and_an_absent_column_is_missing);
  RUN_TEST(test_the_smallest_excess_does_not_depend_on_which_rows_were_left_over);
  RUN_TEST(test_in_a_large_part_a_pair_on_one_column_is_found);
  RUN_TEST(test_the_excess_of_random_systems_is_minimal);
  return UNITY_END();
}
