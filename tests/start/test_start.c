/* Consistent starts: which solution, how far from the start values, along which path, and
 * what is said when there is none. */
#include <math.h>

#include "fixture.h"

static DaeInit *init;
static DaeRootResult result;

void
setUp(void)
{
  begin_fixture(NAN);
  result = (DaeRootResult){0};
}

void
tearDown(void)
{
  g_clear_pointer(&init, dae_init_free);
  end_fixture();
}

/* The body of a model; the start at t_start. */
static bool
find(const char *body, double t_start)
{
  const DaeStartInput input = read_input(body, t_start);
  const DaeInitOptions check = {.problem = initial};
  init = dae_init_check(algebra, sig, &check, NULL, &error);
  TEST_ASSERT_NOT_NULL(init);
  return dae_start_find(&input, init, x, &result, &error);
}

static void
test_of_two_solutions_the_nearer_one_is_taken(void)
{
  TEST_ASSERT_TRUE(find("Real a(start = -1.9); equation a^2 = 4;", 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -2, x[0]);
  tearDown();
  setUp();
  TEST_ASSERT_TRUE(find("Real a(start = 1.9); equation a^2 = 4;", 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2, x[0]);
}

static void
test_what_has_a_start_value_stays_nearer_to_it_than_what_has_none(void)
{
  /* a + b = 3 with one start value: b moves, a hardly does */
  TEST_ASSERT_TRUE(find("Real a(start = 1); Real b; Real c(start = 0, fixed = true); equation "
                        "der(c) = a; a + b = 3; a*b + c = a*b + time;",
                        0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 2, x[1]);
}

/* Without conditions from the check two of the three are free: a has a start value and stays,
 * the guesses 0 of b and c do not count. */
static void
test_start_values_weigh_more_than_guesses(void)
{
  TEST_ASSERT_TRUE(
      find("Real a(start = 4); Real b; Real c; equation der(a) = 1; der(b) = time; "
           "a + b + c = 10;",
           0));
  const DaeStartInput input = {.terms = terms,
                               .qlt = qlt,
                               .model = dae_qlt_model(qlt),
                               .initial = initial,
                               .values = values,
                               .nominal = nominal,
                               .t_start = 0};
  TEST_ASSERT_TRUE(dae_start_find(&input, NULL, x, &result, &error));
  TEST_ASSERT_DOUBLE_WITHIN(0.01, 4, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 10, x[0] + x[1] + x[2]);
}

static void
test_the_larger_nominal_value_moves_farther(void)
{
  nominal[0] = 1;
  nominal[1] = 100;
  TEST_ASSERT_TRUE(
      find("Real a(start = 1); Real b(start = 1); Real c(start = 0, fixed = true); "
           "equation der(c) = a; a + b = 4; a + c = a + time;",
           0));
  TEST_ASSERT_TRUE(fabs(x[0] - 1) < 0.01);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 4, x[0] + x[1]);
}

static void
test_time_is_the_start_time(void)
{
  TEST_ASSERT_TRUE(find("Real a; equation a = 2*time + 1;", 3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 7, x[0]);
}

static void
test_a_guess_outside_the_domain_is_moved_inside(void)
{
  TEST_ASSERT_TRUE(find("Real a; equation log(a) = 2 - a;", 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, x[0] + log(x[0]));
}

static void
test_homotopy_walks_from_the_simplified_problem(void)
{
  /* Newton from 0 ends at a minimum of the polynomial; the simplified
   * problem leads to the root beyond */
  TEST_ASSERT_TRUE(find("Real a(start = 0); equation 0 = homotopy(a^3 - 2*a + 2, a + 2);", 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, pow(x[0], 3) - 2 * x[0] + 2);
  TEST_ASSERT_EQUAL_UINT(DAE_NO_TERM, dae_homotopy_find(terms, dae_term_int(terms, 1)));
  tearDown();
  setUp();
  /* Newton from 0 finds the root 1; the simplified problem stands beside the root 4.5 */
  TEST_ASSERT_TRUE(find("Real a(start = 0); equation 0 = homotopy((a - 1)*(a - 2)*(a - 4.5), "
                        "10*(a - 4.2));",
                        0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 4.5, x[0]);
}

static void
test_innermost_homotopy_is_taken_off_first(void)
{
  DaeTerm t =
      dae_term_variable(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "a"), 0);
  DaeTerm inner[] = {t, dae_term_int(terms, 1)};
  DaeTerm call = dae_term_call(terms, DAE_FN_HOMOTOPY, inner, 2);
  DaeTerm outer[] = {dae_term_add(terms, call, dae_term_int(terms, 2)), dae_term_int(terms, 0)};
  DaeTerm both = dae_term_call(terms, DAE_FN_HOMOTOPY, outer, 2);
  TEST_ASSERT_EQUAL_UINT(call, dae_homotopy_find(terms, both));
  TEST_ASSERT_EQUAL_UINT(dae_term_add(terms, t, dae_term_int(terms, 2)),
                         dae_homotopy_take_actual(terms, both));
}

static void
test_free_parameters_are_found_and_kept(void)
{
  TEST_ASSERT_TRUE(find("parameter Real p(fixed = false, start = 1); Real a(start = 3, fixed = "
                        "true); initial equation der(a) = -6; equation der(a) = -p*a;",
                        0));
  DaeSymbol symbol;
  double value = 0;
  TEST_ASSERT_TRUE(dae_terms_find_symbol(terms, "p", &symbol));
  DaeTerm found = dae_subst_apply(values, dae_term_parameter(terms, symbol));
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK, dae_term_eval_double(terms, found, NULL, NULL, &value));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, value);
}

static void
test_derivatives_in_initial_equations_are_unknowns(void)
{
  TEST_ASSERT_TRUE(
      find("Real a(start = 0.5); initial equation der(a) = 2; equation der(a) = 4*a;", 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, x[0]);
}

static void
test_no_start_names_the_equations(void)
{
  TEST_ASSERT_FALSE(find("Real a(start = 1); equation exp(a) + a^2 = -1 - sin(a)^2;", 0));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "no consistent start found at t = 0"));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "equation 0 (line 1)"));
  TEST_ASSERT_FALSE(result.converged);
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_of_two_solutions_the_nearer_one_is_taken);
  RUN_TEST(test_what_has_a_start_value_stays_nearer_to_it_than_what_has_none);
  RUN_TEST(test_start_values_weigh_more_than_guesses);
  RUN_TEST(test_the_larger_nominal_value_moves_farther);
  RUN_TEST(test_time_is_the_start_time);
  RUN_TEST(test_a_guess_outside_the_domain_is_moved_inside);
  RUN_TEST(test_homotopy_walks_from_the_simplified_problem);
  RUN_TEST(test_innermost_homotopy_is_taken_off_first);
  RUN_TEST(test_free_parameters_are_found_and_kept);
  RUN_TEST(test_derivatives_in_initial_equations_are_unknowns);
  RUN_TEST(test_no_start_names_the_equations);
  return UNITY_END();
}
