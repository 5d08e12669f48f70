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
test_a_component_follows_all_it_points_to(void)
{
  /* 0 <-> 1 -> 2 <-> 3, 4 alone -> 0 */
  const int edges[] = {NO, 0,  NO, NO, NO, 0,  NO, 0, NO, NO, NO, NO, NO,
                       0,  NO, NO, NO, 0,  NO, NO, 0, NO, NO, NO, NO};
  g_autoptr(DaeCsr) graph = literal_matrix(5, 5, edges);
  uint32_t vertices[5];
  uint32_t first[6];
  uint32_t expected[5] = {2, 3, 0, 1, 4};
  TEST_ASSERT_EQUAL_UINT32(3, dae_graph_components(graph, NULL, vertices, first));
  TEST_ASSERT_EQUAL_UINT32_ARRAY(expected, vertices, 5);
  TEST_ASSERT_EQUAL_UINT32(2, first[1]);
  TEST_ASSERT_EQUAL_UINT32(4, first[2]);
}

/* reach[i][j]: j can be reached from i, by the cube of Warshall. */
static void
close_transitively(uint32_t n, bool reach[8][8])
{
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) {
        reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
      }
    }
  }
}

static void
test_components_are_the_classes_of_mutual_reachability(void)
{
  uint32_t state = 23;
  for (int k = 0; k < 1000; k++) {
    uint32_t n = 1 + next_random(&state) % 7;
    g_autoptr(DaeCsr) graph = random_matrix(n, n, next_random(&state) % 50, 0, &state);
    bool reach[8][8];
    uint32_t vertices[8];
    uint32_t first[9];
    uint32_t component[8];
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) {
        reach[i][j] = i == j || entry_of(graph, i, j) != NO;
      }
    }
    close_transitively(n, reach);
    uint32_t n_components = dae_graph_components(graph, NULL, vertices, first);
    TEST_ASSERT_EQUAL_UINT32(n, first[n_components]);
    for (uint32_t b = 0; b < n_components; b++) {
      for (uint32_t at = first[b]; at < first[b + 1]; at++) {
        component[vertices[at]] = b;
      }
    }
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) {
        TEST_ASSERT_EQUAL(reach[i][j] && reach[j][i], component[i] == component[j]);
        TEST_ASSERT_TRUE(!reach[i][j] || component[j] <= component[i]);
      }
    }
  }
}

static void
test_blocks_use_only_earlier_columns_and_fine_ones_refine_coarse_ones(void)
{
  uint32_t state = 29;
  for (int k = 0; k < 1000; k++) {
    uint32_t n = 1 + next_random(&state) % 7;
    g_autoptr(DaeCsr) csr = random_matrix(n, n, 20 + next_random(&state) % 40, 2, &state);
    uint32_t rows[8];
    uint32_t columns[8];
    int64_t c[8];
    int64_t d[8];
    if (!dae_graph_match(csr, rows, columns, c, d, NULL)) {
      continue;
    }
    dae_graph_least_offsets(csr, rows, columns, c, d);
    DaeBlocks form[2];
    dae_graph_blocks(csr, rows, columns, c, d, &form[0], &form[1]);
    uint32_t block_of_row[2][8] = {{0}};
    uint32_t block_of_column[2][8] = {{0}};
    for (int f = 0; f < 2; f++) {
      for (uint32_t b = 0; b < form[f].n_blocks; b++) {
        for (uint32_t at = form[f].first[b]; at < form[f].first[b + 1]; at++) {
          block_of_row[f][form[f].rows[at]] = b;
          block_of_column[f][form[f].columns[at]] = b;
        }
      }
    }
    for (uint32_t i = 0; i < n; i++) {
      for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
        uint32_t j = csr->column[e];
        TEST_ASSERT_TRUE(block_of_column[0][j] <= block_of_row[0][i]);
        bool is_tight = d[j] - c[i] == csr->weight[e];
        TEST_ASSERT_TRUE(!is_tight || block_of_column[1][j] <= block_of_row[1][i]);
      }
    }
    for (uint32_t at = 1; at < n; at++) { /* coarse numbers ascend along the fine order */
      TEST_ASSERT_TRUE(block_of_row[0][form[1].rows[at - 1]] <=
                       block_of_row[0][form[1].rows[at]]);
    }
    dae_blocks_clear(&form[0]);
    dae_blocks_clear(&form[1]);
  }
}

static void
test_a_cycle_of_100000_vertices_is_one_component(void)
{
  uint32_t n = 100000;
  g_autoptr(DaeCsr) graph = dae_csr_new(n, n, n, false);
  g_autofree uint32_t *vertices = g_new(uint32_t, n);
  g_autofree uint32_t *first = g_new(uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    graph->column[i] = (i + 1) % n;
    graph->start[i + 1] = i + 1;
  }
  TEST_ASSERT_EQUAL_UINT32(1, dae_graph_components(graph, NULL, vertices, first));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_component_follows_all_it_points_to);
  RUN_TEST(test_components_are_the_classes_of_mutual_reachability);
  RUN_TEST(test_blocks_use_only_earlier_columns_and_fine_ones_refine_coarse_ones);
  RUN_TEST(test_a_cycle_of_100000_vertices_is_one_component);
  return UNITY_END();
}
