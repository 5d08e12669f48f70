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

/* 001, Example 2.1. */
static const int pendulum[] = {1,  NO, 0,  NO, NO, NO, 1, NO, 0, NO, 0,  NO, 1,
                               NO, 0,  NO, 0,  NO, 1,  0, 0,  0, NO, NO, NO};

static void
check_pendulum_offsets(const uint32_t *column_of_row)
{
  g_autoptr(DaeCsr) csr = literal_matrix(5, 5, pendulum);
  uint32_t row_of_column[5];
  int64_t c[5] = {11, 11, 10, 10, 12}; /* feasible, not least */
  int64_t d[5] = {12, 12, 11, 11, 10};
  int64_t expected_c[5] = {1, 1, 0, 0, 2};
  int64_t expected_d[5] = {2, 2, 1, 1, 0};
  for (uint32_t i = 0; i < 5; i++) {
    row_of_column[column_of_row[i]] = i;
  }
  dae_graph_least_offsets(csr, column_of_row, row_of_column, c, d);
  TEST_ASSERT_EQUAL_INT64_ARRAY(expected_c, c, 5);
  TEST_ASSERT_EQUAL_INT64_ARRAY(expected_d, d, 5);
}

static void
test_pendulum_offsets_are_the_same_for_both_transversals(void)
{
  uint32_t first[5] = {0, 3, 2, 4, 1};
  uint32_t second[5] = {2, 1, 4, 3, 0};
  check_pendulum_offsets(first);
  check_pendulum_offsets(second);
}

static void
test_offsets_are_the_least_fixed_point_on_random_matrices(void)
{
  uint32_t state = 5;
  int n_complete = 0;
  for (int k = 0; k < 3000; k++) {
    uint32_t n = 1 + next_random(&state) % 6;
    g_autoptr(DaeCsr) csr = random_matrix(n, n, 40 + next_random(&state) % 60,
                                          (int)(next_random(&state) % 5), &state);
    uint32_t rows[8];
    uint32_t columns[8];
    int64_t c[8];
    int64_t d[8];
    int64_t least_c[8];
    int64_t least_d[8];
    if (!dae_graph_match(csr, rows, columns, c, d, NULL)) {
      continue;
    }
    n_complete++;
    dae_graph_least_offsets(csr, rows, columns, c, d);
    offsets_by_iteration(csr, rows, least_c, least_d);
    TEST_ASSERT_EQUAL_INT64_ARRAY(least_c, c, n);
    TEST_ASSERT_EQUAL_INT64_ARRAY(least_d, d, n);
  }
  TEST_ASSERT_TRUE(n_complete > 1000);
}

/* Two equations that have nothing to do with each other, and prices that are feasible. */
static void
test_prices_that_are_not_least_are_lowered(void)
{
  g_autoptr(DaeCsr) csr = literal_matrix(2, 2, (int[]){1, NO, NO, 0});
  uint32_t rows[2] = {0, 1};
  uint32_t columns[2] = {0, 1};
  int64_t c[2] = {3, 8};
  int64_t d[2] = {4, 8};
  dae_graph_least_offsets(csr, rows, columns, c, d);
  TEST_ASSERT_EQUAL_INT64_ARRAY(((int64_t[]){0, 0}), c, 2);
  TEST_ASSERT_EQUAL_INT64_ARRAY(((int64_t[]){1, 0}), d, 2);
}

/* ---- Pantelides' algorithm, from the graph alone, as an independent way to c ------------- */

enum { MAX_NODES = 400 };

typedef struct { /* equations and variables with their derivatives, as nodes */
  int n_equations, n_variables;
  int equation_base[MAX_NODES], equation_order[MAX_NODES];
  int variable_base[MAX_NODES], variable_order[MAX_NODES];
  int highest[8]; /* node of the highest derivative of each variable */
  int assigned[MAX_NODES];
  int next_equation[MAX_NODES]; /* its derivative, or -1 */
  bool equation_colored[MAX_NODES], variable_colored[MAX_NODES];
} Pantelides;

/* Equation node f holds x_j^(sigma_ij + order); only highest
 * derivatives take part in the matching. */
static bool
pantelides_augment(Pantelides *p, const DaeCsr *csr, int f)
{
  uint32_t i = (uint32_t)p->equation_base[f];
  p->equation_colored[f] = true;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      int v = p->highest[csr->column[e]];
      if (p->variable_order[v] != csr->weight[e] + p->equation_order[f] ||
          p->variable_colored[v]) {
        continue;
      }
      if (pass == 0 && p->assigned[v] >= 0) {
        continue;
      }
      p->variable_colored[v] = true;
      if (p->assigned[v] < 0 || pantelides_augment(p, csr, p->assigned[v])) {
        p->assigned[v] = f;
        return true;
      }
    }
  }
  return false;
}

static void
pantelides_differentiate(Pantelides *p)
{
  for (int v = 0, n = p->n_variables; v < n; v++) {
    if (p->variable_colored[v]) {
      int w = p->n_variables++;
      p->variable_base[w] = p->variable_base[v];
      p->variable_order[w] = p->variable_order[v] + 1;
      p->assigned[w] = -1;
      p->highest[p->variable_base[v]] = w;
    }
  }
  for (int f = 0, n = p->n_equations; f < n; f++) {
    if (p->equation_colored[f]) {
      int g = p->n_equations++;
      p->equation_base[g] = p->equation_base[f];
      p->equation_order[g] = p->equation_order[f] + 1;
      p->next_equation[g] = -1;
      p->next_equation[f] = g;
    }
  }
  for (int v = 0; v < p->n_variables; v++) {
    if (p->variable_colored[v] && p->assigned[v] >= 0) {
      p->assigned[p->highest[p->variable_base[v]]] = p->next_equation[p->assigned[v]];
    }
  }
}

static void
run_pantelides(Pantelides *p, const DaeCsr *csr, int64_t *c)
{
  uint32_t n = csr->n_rows;
  memset(p, 0, sizeof *p);
  for (uint32_t j = 0; j < n; j++) {
    int order = 0;
    for (uint32_t i = 0; i < n; i++) {
      order = MAX(order, entry_of(csr, i, j));
    }
    int v = p->n_variables++;
    p->variable_base[v] = (int)j;
    p->variable_order[v] = order;
    p->assigned[v] = -1;
    p->highest[j] = v;
  }
  for (uint32_t i = 0; i < n; i++) {
    int f = p->n_equations++;
    p->equation_base[f] = (int)i;
    p->next_equation[f] = -1;
  }
  for (uint32_t i = 0; i < n; i++) {
    int f = (int)i;
    for (;;) {
      memset(p->equation_colored, 0, sizeof p->equation_colored);
      memset(p->variable_colored, 0, sizeof p->variable_colored);
      if (pantelides_augment(p, csr, f)) {
        break;
      }
      pantelides_differentiate(p);
      f = p->next_equation[f];
    }
  }
  memset(c, 0, sizeof(int64_t) * n);
  for (int f = 0; f < p->n_equations; f++) {
    c[p->equation_base[f]] = MAX(c[p->equation_base[f]], p->equation_order[f]);
  }
}

static void
test_pantelides_differentiates_each_equation_c_times(void)
{
  uint32_t state = 17;
  g_autofree Pantelides *p = g_new(Pantelides, 1);
  int n_complete = 0;
  for (int k = 0; k < 2000; k++) {
    uint32_t n = 1 + next_random(&state) % 6;
    g_autoptr(DaeCsr) csr = random_matrix(n, n, 30 + next_random(&state) % 70, 2, &state);
    uint32_t rows[8];
    uint32_t columns[8];
    int64_t c[8];
    int64_t d[8];
    int64_t by_pantelides[8];
    if (!dae_graph_match(csr, rows, columns, c, d, NULL)) {
      continue; /* Pantelides' algorithm does not end on these */
    }
    n_complete++;
    dae_graph_least_offsets(csr, rows, columns, c, d);
    run_pantelides(p, csr, by_pantelides);
    TEST_ASSERT_EQUAL_INT64_ARRAY(by_pantelides, c, n);
  }
  TEST_ASSERT_TRUE(n_complete > 500);
}

static void
test_a_chain_of_47_has_offsets_46_down_to_0(void)
{
  enum { N = 47 };

  int values[N * N];
  uint32_t rows[N];
  uint32_t columns[N];
  int64_t c[N];
  int64_t d[N];
  for (int k = 0; k < N * N; k++) {
    values[k] = NO;
  }
  for (int i = 0; i + 1 < N; i++) {
    values[i * N + i] = 1;
    values[i * N + i + 1] = 0;
  }
  values[(N - 1) * N] = 0;
  g_autoptr(DaeCsr) csr = literal_matrix(N, N, values);
  TEST_ASSERT_TRUE(dae_graph_match(csr, rows, columns, c, d, NULL));
  dae_graph_least_offsets(csr, rows, columns, c, d);
  for (int i = 0; i + 1 < N; i++) {
    TEST_ASSERT_EQUAL_INT64(N - 2 - i, c[i]);
    TEST_ASSERT_EQUAL_INT64(N - 1 - i, d[i]);
  }
  TEST_ASSERT_EQUAL_INT64(N - 1, c[N - 1]);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_pendulum_offsets_are_the_same_for_both_transversals);
  RUN_TEST(test_offsets_are_the_least_fixed_point_on_random_matrices);
  RUN_TEST(test_prices_that_are_not_least_are_lowered);
  RUN_TEST(test_pantelides_differentiates_each_equation_c_times);
  RUN_TEST(test_a_chain_of_47_has_offsets_46_down_to_0);
  return UNITY_END();
}
