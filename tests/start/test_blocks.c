/* The start problem block by block: which equations find which unknowns. */
#include "start/start-priv.h"

#include <string.h>
#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;
static DaeModel *model;
static DaeSig *sig;
static DaeQlt *qlt;
static DaeInitialProblem *initial;
static DaeSubst *values;
static GError *error;
static double x[16];
static double ones[16];
static double weights[16]; /* 1: with a start value */

void
setUp(void)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
  for (size_t j = 0; j < G_N_ELEMENTS(ones); j++) {
    ones[j] = 1;
    weights[j] = 1;
    x[j] = 0;
  }
}

void
tearDown(void)
{
  g_clear_error(&error);
  g_clear_pointer(&values, dae_subst_free);
  g_clear_pointer(&initial, dae_initial_free);
  g_clear_pointer(&qlt, dae_qlt_free);
  g_clear_pointer(&sig, dae_sig_free);
  g_clear_pointer(&model, dae_model_free);
  g_clear_pointer(&algebra, dae_algebra_free);
  g_clear_pointer(&terms, dae_terms_free);
}

/* Solves the blocks of the body of a model from x on. */
static bool
solve(const char *body)
{
  static const DaeQltOptions reduce = {.eliminate = DAE_ELIMINATE_AUTO};
  g_autofree char *text = g_strdup_printf("model A %s end A;", body);
  model = dae_model_read(terms, "a.mo", text, strlen(text), NULL, NULL, &error);
  sig = dae_sig_analyze(algebra, model, &dae_sig_default_options, NULL, &error);
  qlt = dae_qlt_reduce(algebra, sig, &reduce, NULL, &error);
  TEST_ASSERT_NOT_NULL(qlt);
  initial = dae_initial_new(terms, sig, 0);
  values = dae_model_parameter_subst(dae_qlt_model(qlt), terms);
  const DaeStartInput input = {.terms = terms,
                               .qlt = qlt,
                               .model = dae_qlt_model(qlt),
                               .initial = initial,
                               .values = values,
                               .nominal = ones};
  g_autoptr(DaeStartAssembly) assembly = dae_start_assemble(&input, NULL);
  g_autoptr(DaeStartNumbers) numbers = dae_start_numbers_new(assembly, &error);
  TEST_ASSERT_NOT_NULL(numbers);
  g_autoptr(DaeStartBlocks) blocks = dae_start_blocks_new(assembly, numbers, NULL);
  TEST_ASSERT_NOT_NULL(blocks);
  const DaeStartMeasure measure = {ones, weights, x};
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
