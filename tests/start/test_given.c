/* Starts in which every unknown has an equation of its own. */
#include <math.h>

#include "fixture.h"
#include "start/start-priv.h"

void
setUp(void)
{
  begin_fixture(NAN);
}

void
tearDown(void)
{
  end_fixture();
}

static bool
take(const char *body)
{
  const DaeStartInput input = read_input(body, 0);
  g_autoptr(DaeStartAssembly) assembly = dae_start_assemble(&input, NULL);
  return dae_start_take_given(assembly, x);
}

static void
test_numbers_are_taken_as_they_are_written(void)
{
  TEST_ASSERT_TRUE(take("Real a(start = 1.2, fixed = true), b; initial equation b = -7/4; "
                        "equation der(a) = b; der(b) = -a;"));
  TEST_ASSERT_TRUE(x[0] == 1.2);
  TEST_ASSERT_TRUE(x[1] == -1.75);
}

static void
test_zero_has_no_number_in_its_residual(void)
{
  TEST_ASSERT_TRUE(take("Real a(start = 0, fixed = true); equation der(a) = 1 - a;"));
  TEST_ASSERT_TRUE(x[0] == 0 && !signbit(x[0]));
}

static void
test_anything_else_is_left_to_the_search(void)
{
  static const char *const bodies[] = {
      /* not given */
      "Real a; equation der(a) = 1;",
      /* twice, and another one not at all */
      "Real a, b; initial equation a = 1; a = 2; equation der(a) = b; der(b) = a;",
      /* by way of another */
      "Real a, b(start = 1, fixed = true); initial equation a = 2*b; equation der(a) = b; "
      "der(b) = a;",
      /* with a factor, a square, a slope */
      "Real a; initial equation 3*a = 1; equation der(a) = 1;",
      "Real a; initial equation a^2 = 1; equation der(a) = 1;",
      "Real a; initial equation der(a) = 1; equation der(a) = a;",
      /* a constraint besides */
      "Real a(start = 1, fixed = true), b; equation der(a) = b; b^3 + b = a;",
      /* not only variables */
      "parameter Real p(fixed = false); Real a(start = 1, fixed = true); "
      "initial equation p = 2; equation der(a) = p;"};
  for (size_t k = 0; k < G_N_ELEMENTS(bodies); k++) {
    TEST_ASSERT_FALSE_MESSAGE(take(bodies[k]), bodies[k]);
    tearDown();
    setUp();
  }
}

static void
test_the_start_found_is_the_one_given(void)
{
  const DaeStartInput input =
      read_input("Real a(start = 0.1, fixed = true), b(start = 3, fixed = true); "
                 "equation der(a) = sin(b); der(b) = a^2;",
                 0);
  DaeRootResult result = {0};
  g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  TEST_ASSERT_TRUE(dae_start_find_regular(&input, x, &result, chosen));
  TEST_ASSERT_TRUE(result.converged && result.kind == DAE_ROOT_PLAIN && chosen->len == 0);
  TEST_ASSERT_TRUE(x[0] == 0.1 && x[1] == 3);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_numbers_are_taken_as_they_are_written);
  RUN_TEST(test_zero_has_no_number_in_its_residual);
  RUN_TEST(test_anything_else_is_left_to_the_search);
  RUN_TEST(test_the_start_found_is_the_one_given);
  return UNITY_END();
}
