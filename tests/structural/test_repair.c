/* Conversions of systems with a singular Jacobian: each step drops the value, keeps the degrees
 * of freedom of the solution set, and ill-posed systems never end as repaired. */
#include "analysis.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* 001, Example 2.2 */
static void
test_example_2_2_is_repaired_with_0_degrees_of_freedom(void)
{
  Analysis a = analyze_file("MODELS", "structural_example_2_2.mo");
  const int32_t c[] = {0, 0, 0, 0};
  const int32_t d[] = {1, 1, 0, 0};
  TEST_ASSERT_EQUAL_INT(DAE_SIG_REPAIRED, dae_sig_status(a.sig));
  TEST_ASSERT_EQUAL_INT64(0, dae_sig_dof(a.sig));
  TEST_ASSERT_EQUAL_INT32(3,
                          dae_sig_index_bound(a.sig)); /* the paper: differentiation index 3 */
  check_steps(&a, 2);
  const DaeSig *original = dae_sig_original(a.sig);
  TEST_ASSERT_EQUAL_INT32_ARRAY(c, dae_sig_c(original), 4);
  TEST_ASSERT_EQUAL_INT32_ARRAY(d, dae_sig_d(original), 4);
  TEST_ASSERT_EQUAL_INT(DAE_ZERO, dae_sig_determinant(original));
  TEST_ASSERT_TRUE(dae_sig_model(original) == a.model);
  TEST_ASSERT_TRUE(dae_sig_model(a.sig) != a.model);
  clear_analysis(&a);
}

static void
test_without_repair_example_2_2_is_singular(void)
{
  DaeSigOptions options = dae_sig_default_options;
  options.repair = false;
  Analysis a = analyze_with(
      "model A Real x; Real y; equation x + y = time; der(x) + der(y) = 1 + x; end A;",
      &options);
  TEST_ASSERT_EQUAL_INT(DAE_SIG_JACOBIAN_SINGULAR, dae_sig_status(a.sig));
  TEST_ASSERT_NULL(dae_sig_original(a.sig));
  clear_analysis(&a);
}

static void
test_coupled_index_1_parts_are_repaired_with_1_degree_of_freedom(void)
{
  Analysis a = analyze_file("MODELS", "structural_coupled_index_1.mo");
  check_numbers(&a, DAE_SIG_REPAIRED, 1, 2, 1);
  check_steps(&a, 1);
  clear_analysis(&a);
}

static void
test_transistor_amplifier_is_repaired_with_5_degrees_of_freedom(void)
{
  Analysis a = analyze_file("EXAMPLES", "transistor_amplifier.mo");
  check_numbers(&a, DAE_SIG_REPAIRED, 5, 1, 5);
  check_steps(&a, 3);
  clear_analysis(&a);
}

static void
test_ring_modulator_is_repaired_with_10_degrees_of_freedom(void)
{
  Analysis a = analyze_file("EXAMPLES", "ring_modulator.mo");
  check_numbers(&a, DAE_SIG_REPAIRED, 10, 2, 10);
  check_steps(&a, 1);
  const DaeRepairStep *step = dae_sig_repair_step(a.sig, 0);
  g_autofree char *by = dae_term_to_string(a.terms, step->by_lhs);
  TEST_ASSERT_EQUAL_STRING("y10 + y11 + y12 + y13", by);
  clear_analysis(&a);
}

static void
test_robot_arm_is_repaired_to_index_5_with_0_degrees_of_freedom(void)
{
  Analysis a = analyze_file("EXAMPLES", "robot_arm.mo");
  check_numbers(&a, DAE_SIG_REPAIRED, 0, 5, 0);
  clear_analysis(&a);
}

static void
test_a_repaired_row_knows_its_equations(void)
{
  Analysis a = analyze_file("MODELS", "structural_example_2_2.mo");
  const uint32_t *from = NULL;
  uint32_t n = 0;
  int32_t order = 0;
  const uint32_t expected[] = {2, 3};
  TEST_ASSERT_TRUE(dae_sig_equation_origin(a.sig, 2, &from, &n, &order));
  TEST_ASSERT_EQUAL_UINT32(2, n);
  TEST_ASSERT_EQUAL_UINT32_ARRAY(expected, from, 2);
  TEST_ASSERT_EQUAL_INT32(0, order);
  TEST_ASSERT_TRUE(dae_sig_equation_origin(a.sig, 0, &from, &n, &order));
  TEST_ASSERT_EQUAL_UINT32(4, n);
  TEST_ASSERT_EQUAL_INT32(1, order);
  TEST_ASSERT_FALSE(dae_sig_equation_origin(a.sig, 1, &from, &n, &order));
  clear_analysis(&a);
}

/* Coefficients that depend on the state: legal where they do not vanish, and said so. */
static void
test_state_dependent_coefficients_come_with_a_condition(void)
{
  Analysis a = analyze_text(
      "model A Real x; Real y; Real z; equation z = 2 + sin(time); "
      "z*der(x) + z^2*der(y) = x; der(x)*(1 + z^2) + (z + z^3)*der(y) = y; end A;");
  TEST_ASSERT_EQUAL_INT(DAE_SIG_REPAIRED, dae_sig_status(a.sig));
  check_steps(&a, 1);
  TEST_ASSERT_EQUAL_UINT32(1, dae_sig_repair_step(a.sig, 0)->n_nonzero);
  TEST_ASSERT_EQUAL_INT64(1, dae_sig_dof(a.sig));
  clear_analysis(&a);
}

/* f1, f2 depend on x' + t*y' only, nonlinearly: left null vectors contain x' and
 * y', so substitution is needed. */
static void
test_expression_substitution_where_combinations_do_not_help(void)
{
  Analysis a = analyze_text("model A Real x; Real y; equation (der(x) + der(y))^2 + x = time; "
                            "(der(x) + der(y))^3 + y = 1; end A;");
  TEST_ASSERT_EQUAL_INT(DAE_SIG_REPAIRED, dae_sig_status(a.sig));
  TEST_ASSERT_EQUAL_INT(DAE_REPAIR_EXPRESSION_SUBSTITUTION,
                        dae_sig_repair_step(a.sig, 0)->method);
  TEST_ASSERT_EQUAL_UINT32(3, dae_sig_n_columns(a.sig));
  TEST_ASSERT_EQUAL_INT64(1, dae_sig_dof(a.sig));
  clear_analysis(&a);
}

/* ---- ill-posed --------------------------------------------------------------------------- */

static void
check_ill_posed(const char *text, bool is_contradictory, uint32_t n_equations)
{
  Analysis a = analyze_text(text);
  bool contradictory = !is_contradictory;
  TEST_ASSERT_EQUAL_INT(DAE_SIG_JACOBIAN_SINGULAR, dae_sig_status(a.sig));
  const DaeSigBlock *part = dae_sig_ill_posed(a.sig, &contradictory);
  TEST_ASSERT_NOT_NULL(part);
  TEST_ASSERT_EQUAL(is_contradictory, contradictory);
  TEST_ASSERT_EQUAL_UINT32(n_equations, part->n_equations);
  TEST_ASSERT_NOT_NULL(dae_sig_reason(a.sig));
  clear_analysis(&a);
}

static void
test_redundant_systems_are_ill_posed(void)
{
  check_ill_posed("model A Real x; Real y; equation x + y = 1; x + y = 1; end A;", false, 2);
  check_ill_posed("model A Real x; Real y; equation x + y = time; der(x) + der(y) = 1; end A;",
                  false, 2);
  check_ill_posed(
      "model A Real x; Real y; Real z; equation x + y + z = 1; x - y = 2; 2*x + z = 3; end A;",
      false, 3);
}

static void
test_contradictory_systems_are_ill_posed(void)
{
  check_ill_posed("model A Real x; Real y; equation x + y = 1; x + y = 2; end A;", true, 2);
  check_ill_posed("model A Real x; Real y; equation x + y = time; der(x) + der(y) = 2; end A;",
                  true, 2);
  check_ill_posed(
      "model A Real x; Real y; equation x + y = sin(time); x + y = cos(time); end A;", true, 2);
}

static void
test_parameters_decide_between_redundant_and_contradictory(void)
{
  check_ill_posed(
      "model A parameter Real p = 1; Real x; Real y; equation x + y = p; x + y = 1; end A;",
      false, 2);
  check_ill_posed(
      "model A parameter Real p = 2; Real x; Real y; equation x + y = p; x + y = 1; end A;",
      true, 2);
}

static void
test_what_comes_to_light_after_a_conversion_is_named_too(void)
{
  /* the second and third give w = 1, the first says w = 2 (or again 1) */
  check_ill_posed(
      "model A Real w; Real x; Real y; equation w = 2; x + y + w = 2; x + y = 1; end A;", true,
      3);
  check_ill_posed(
      "model A Real w; Real x; Real y; equation w = 1; x + y + w = 2; x + y = 1; end A;", false,
      3);
}

/* ---- many blocks ------------------------------------------------------------------------- */

/* ---- singular on the solutions only ------------------------------------------------------ */

static void
test_an_entry_that_the_equations_make_zero_is_removed(void)
{
  Analysis a = analyze_text("model A Real x; Real y; Real z; equation x - y = 0; "
                            "(x^2 - y^2)*der(z) + z = x - 1; x + der(y) = z; end A;");
  check_numbers(&a, DAE_SIG_REPAIRED, 1, 1, 1);
  check_steps(&a, 1);
  TEST_ASSERT_EQUAL_STRING("equation 1 - der(z)*(x + y)*equation 0",
                           dae_sig_repair_step(a.sig, 0)->combination.in[DAE_PRINT_MODELICA]);
  clear_analysis(&a);
}

static void
test_what_such_a_removal_brings_to_light_is_named(void)
{
  check_ill_posed(
      "model A Real x; Real y; Real z; equation x - y = 0; (x - y)*z = x - 1; x = time; end A;",
      true, 3);
}

static void
test_two_hundred_singular_blocks_are_repaired_in_one_go(void)
{
  g_autoptr(GString) text = g_string_new("model A\n");
  for (int k = 0; k < 200; k++) {
    g_string_append_printf(text, "Real x%d; Real y%d;\n", k, k);
  }
  g_string_append(text, "equation\n");
  for (int k = 0; k < 200; k++) {
    g_string_append_printf(
        text, "der(x%d) + der(y%d) + x%d = 0; 2*der(x%d) + 2*der(y%d) + y%d = %d;\n", k, k, k,
        k, k, k, k);
  }
  g_string_append(text, "end A;\n");
  Analysis a = analyze_text(text->str);
  TEST_ASSERT_EQUAL_INT(DAE_SIG_REPAIRED, dae_sig_status(a.sig));
  TEST_ASSERT_EQUAL_INT64(200, dae_sig_dof(a.sig));
  check_steps(&a, 200);
  clear_analysis(&a);
}

/* ---- budgets, hash seeds ----------------------------------------------------------------- */

static char *
read_example(const char *name)
{
  g_autofree char *path = g_build_filename(g_getenv("EXAMPLES"), name, NULL);
  char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(path, &text, NULL, NULL));
  return text;
}

/* Whatever the budget: no crash, and no other verdict than the full one
 * or "undecided" or "singular". */
static void
test_any_budget_gives_a_defined_answer(void)
{
  g_autofree char *text = read_example("robot_arm.mo");
  for (uint64_t steps = 1; steps < 20000; steps = 1 + steps * 3 / 2) {
    g_autoptr(DaeBudget) budget = dae_budget_new(0, steps);
    Analysis a = analyze_within(text, &dae_sig_default_options, budget, 1);
    TEST_ASSERT_TRUE(dae_sig_status(a.sig) != DAE_SIG_SUCCESS);
    TEST_ASSERT_TRUE(dae_sig_status(a.sig) != DAE_SIG_REPAIRED || dae_sig_dof(a.sig) == 0);
    clear_analysis(&a);
  }
}

static void
test_results_do_not_depend_on_the_hash_seed(void)
{
  static const char *const names[] = {"robot_arm.mo", "transistor_amplifier.mo", "car_axis.mo",
                                      "ring_modulator.mo"};
  for (size_t k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autofree char *text = read_example(names[k]);
    g_autoptr(GString) first = g_string_new(NULL);
    g_autoptr(GString) second = g_string_new(NULL);
    Analysis a = analyze_within(text, &dae_sig_default_options, NULL, 1);
    Analysis b = analyze_within(text, &dae_sig_default_options, NULL, 987654321);
    dae_sig_dump(a.sig, first);
    dae_sig_dump(b.sig, second);
    TEST_ASSERT_EQUAL_STRING(first->str, second->str);
    clear_analysis(&a);
    clear_analysis(&b);
  }
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_example_2_2_is_repaired_with_0_degrees_of_freedom);
  RUN_TEST(test_without_repair_example_2_2_is_singular);
  RUN_TEST(test_coupled_index_1_parts_are_repaired_with_1_degree_of_freedom);
  RUN_TEST(test_transistor_amplifier_is_repaired_with_5_degrees_of_freedom);
  RUN_TEST(test_ring_modulator_is_repaired_with_10_degrees_of_freedom);
  RUN_TEST(test_robot_arm_is_repaired_to_index_5_with_0_degrees_of_freedom);
  RUN_TEST(test_a_repaired_row_knows_its_equations);
  RUN_TEST(test_state_dependent_coefficients_come_with_a_condition);
  RUN_TEST(test_expression_substitution_where_combinations_do_not_help);
  RUN_TEST(test_redundant_systems_are_ill_posed);
  RUN_TEST(test_contradictory_systems_are_ill_posed);
  RUN_TEST(test_parameters_decide_between_redundant_and_contradictory);
  RUN_TEST(test_what_comes_to_light_after_a_conversion_is_named_too);
  RUN_TEST(test_an_entry_that_the_equations_make_zero_is_removed);
  RUN_TEST(test_what_such_a_removal_brings_to_light_is_named);
  RUN_TEST(test_two_hundred_singular_blocks_are_repaired_in_one_go);
  RUN_TEST(test_any_budget_gives_a_defined_answer);
  RUN_TEST(test_results_do_not_depend_on_the_hash_seed);
  return UNITY_END();
}
