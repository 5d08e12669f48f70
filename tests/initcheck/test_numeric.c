/* Points found in floating point: residuals at them are worked out again, ranks by hand. */

#include <math.h>
#include <string.h>
#include <unity.h>

#include "cases.h"
#include "inside.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

enum { MOST = 4 };

typedef struct {
  Inside in;
  IcEngine *engine;
  GArray *rows, *unknowns; /* uint32_t */
  IcSearch *search;
} Block;

/* The equations of the model that do not name the state s, in x, y, z. */
static Block
block_new(const char *declarations, const char *equations, const char *const *names)
{
  g_autofree char *text = g_strdup_printf(
      "%s Real s(start = 0, fixed = true); equation der(s) = 1; %s", declarations, equations);
  Block block = {.in = inside_new(text)};
  block.engine = ic_engine_new(block.in.sys, NULL, 0);
  block.rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  block.unknowns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t p = 0; p < block.in.sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(block.in.sys->premises, IcPremise, p);
    if (!premise->id.is_initial && premise->id.index > 0 && premise->id.order == 0) {
      uint32_t r = ic_engine_add(block.engine, p, false);
      g_array_append_val(block.rows, r);
    }
  }
  for (; *names != NULL; names++) {
    uint32_t z = inside_unknown(&block.in, *names);
    g_array_append_val(block.unknowns, z);
  }
  block.search = ic_search_new(block.engine, block.rows, block.unknowns);
  return block;
}

static void
block_clear(Block *block)
{
  ic_search_free(block->search);
  g_array_unref(block->rows);
  g_array_unref(block->unknowns);
  ic_engine_free(block->engine);
  inside_clear(&block->in);
}

static const char *const x_and_y[] = {"x", "y", NULL};
static const char *const only_x[] = {"x", NULL};

/* Start 0 are the guesses: of two solutions the near one. */
static void
test_the_solution_near_the_guesses(void)
{
  static const struct {
    const char *declarations, *equations;
    double x, y;
  } list[] = {
      {"Real x(start = 1); Real y(start = 1);", "x^2 + y^2 = 2; x - y = 0;", 1, 1},
      {"Real x(start = -1); Real y(start = -2);", "x^2 + y^2 = 2; x - y = 0;", -1, -1},
      {"Real x(start = 0.5); Real y(start = 2);", "x*y = 1; y - x = 1.5;", 0.5, 2},
      {"Real x(start = 0.1); Real y(start = 0.9);", "x = sin(x); y = cos(x);", 0, 1},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
    Block block = block_new(list[i].declarations, list[i].equations, x_and_y);
    double point[MOST];
    double residual = ic_search_from(block.search, 0, point);
    TEST_ASSERT_TRUE_MESSAGE(residual < 1e-6, list[i].equations);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-2, list[i].x, point[0], list[i].equations);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-2, list[i].y, point[1], list[i].equations);
    block_clear(&block);
  }
}

/* No start of x^2 + 1 = 0 finds anything; the best is x = 0, where all of it is left. */
static void
test_where_nothing_vanishes_the_residual_stays(void)
{
  Block block = block_new("Real x(start = 3);", "x^2 + 1 = 0;", only_x);
  uint32_t n = ic_search_n_starts(block.search);
  TEST_ASSERT_GREATER_THAN_UINT32(1, n);
  for (uint32_t k = 0; k < n; k++) {
    double point[MOST];
    TEST_ASSERT_TRUE(ic_search_from(block.search, k, point) > 0.1);
  }
  block_clear(&block);
}

/* log(x) at x = -3: outside of the domain, which is no residual. */
static void
test_outside_of_the_domain_is_infinite(void)
{
  Block block = block_new("Real x(start = -3);", "log(x) = 1;", only_x);
  double point[MOST];
  TEST_ASSERT_TRUE(isinf(ic_search_from(block.search, 0, point)));
  TEST_ASSERT_EQUAL_DOUBLE(-3.0, point[0]);
  block_clear(&block);
}

static void
test_the_same_start_gives_the_same_bits(void)
{
  Block a = block_new("Real x(start = 2); Real y(start = 1);", "x^3 = y; x + y = 3;", x_and_y);
  Block b = block_new("Real x(start = 2); Real y(start = 1);", "x^3 = y; x + y = 3;", x_and_y);
  for (uint32_t k = 0; k < ic_search_n_starts(a.search); k++) {
    double p[MOST] = {0};
    double q[MOST] = {0};
    double first = ic_search_from(a.search, k, p);
    double second = ic_search_from(b.search, k, q);
    TEST_ASSERT_EQUAL_MEMORY(&first, &second, sizeof first);
    TEST_ASSERT_EQUAL_MEMORY(p, q, sizeof p);
  }
  block_clear(&a);
  block_clear(&b);
}

/* Ranks by hand: at (1, 1) the circle and the line are independent, twice the line is not. */
static void
test_the_rank_at_a_point(void)
{
  static const struct {
    const char *equations;
    double x, y;
    uint32_t rank;
  } list[] = {
      {"x^2 + y^2 = 2; x - y = 0;", 1, 1, 2},
      {"x^2 + y^2 = 2; x + y = 2;", 1, 1, 1}, /* a tangent */
      {"x - y = 0; 2*x - 2*y = 0;", 1, 1, 1},
      {"x^2 + y^2 = 0; x*y = 0;", 0, 0, 0},
      {"x*y = 0; x + y = 0;", 0, 0, 1},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
    Block block =
        block_new("Real x(start = 1); Real y(start = 1);", list[i].equations, x_and_y);
    const double point[MOST] = {list[i].x, list[i].y};
    uint32_t column[MOST];
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(list[i].rank, ic_search_basis(block.search, point, column),
                                     list[i].equations);
    uint32_t n_used = 0;
    for (guint r = 0; r < block.rows->len; r++) {
      n_used += column[r] != IC_NONE;
    }
    TEST_ASSERT_EQUAL_UINT32(list[i].rank, n_used);
    block_clear(&block);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_solution_near_the_guesses);
  RUN_TEST(test_where_nothing_vanishes_the_residual_stays);
  RUN_TEST(test_outside_of_the_domain_is_infinite);
  RUN_TEST(test_the_same_start_gives_the_same_bits);
  RUN_TEST(test_the_rank_at_a_point);
  return UNITY_END();
}
