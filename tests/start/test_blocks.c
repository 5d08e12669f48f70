/* The start problem block by block: which equations find which unknowns. */
#include "fixture.h"
#include "start/start-priv.h"

static double weights[16]; /* 1: with a start value */

void
setUp(void)
{
  begin_fixture(0);
  for (size_t j = 0; j < G_N_ELEMENTS(weights); j++) {
    weights[j] = 1;
  }
}

void
tearDown(void)
{
  end_fixture();
}

/* Solves the blocks of the body of a model from x on. */
static bool
solve(const char *body)
{
  const DaeStartInput input = read_input(body, 0);
  g_autoptr(DaeStartAssembly) assembly = dae_start_assemble(&input, NULL);
  g_autoptr(DaeStartNumbers) numbers = dae_start_numbers_new(assembly, &error);
  TEST_ASSERT_NOT_NULL(numbers);
  g_autoptr(DaeStartBlocks) blocks = dae_start_blocks_new(assembly, numbers, NULL);
  TEST_ASSERT_NOT_NULL(blocks);
  const DaeStartMeasure measure = {nominal, weights, x};
  uint32_t failed = 0;
  return dae_start_blocks_solve(blocks, &measure, x, &failed);
}

static void
test_a_chain_is_solved_link_by_link(void)
{
  x[0] = 1; /* from the guess 0 of b the last equation alone has no slope */
  TEST_ASSERT_TRUE(solve("Real a; Real b; Real c; equation a^2 = 4; b = a + 1; c^3 = 9*b;"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3, x[2]);
}

/* Alone, the first condition on b leads to -5 from here. */
static void
test_equations_that_the_matching_leaves_over_have_a_say(void)
{
  x[0] = -2;
  TEST_ASSERT_TRUE(solve("Real b; initial equation (b - 2)*(b + 5) = 0; "
                         "(b - 2)*(b + 7) = 0; equation der(b) = 0;"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, x[0]);
}

/* Derivatives are unknowns here, so that rows of velocities could find positions just as well:
 * v = cos(phi)*u from somewhere leads somewhere else. */
static void
test_positions_come_from_equations_of_positions(void)
{
  TEST_ASSERT_TRUE(solve("Real v; Real u; Real r; Real phi; initial equation der(phi) = 1; "
                         "equation v = der(r); u = der(phi); r = sin(phi); "
                         "phi + phi^3 = 2 + 4*time;"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, x[3]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.8414709848078965, x[2]);
}

/* The cosine of an angle near 0 has no slope; from 0 it leads turns away. */
static void
test_angles_are_found_by_the_equation_with_a_slope(void)
{
  TEST_ASSERT_TRUE(solve("Real phi; Real c; equation cos(phi) = c*cos(0.3); "
                         "sin(phi)*c = sin(0.3);"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.3, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, x[1]);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_chain_is_solved_link_by_link);
  RUN_TEST(test_equations_that_the_matching_leaves_over_have_a_say);
  RUN_TEST(test_positions_come_from_equations_of_positions);
  RUN_TEST(test_angles_are_found_by_the_equation_with_a_slope);
  return UNITY_END();
}
