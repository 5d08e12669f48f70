/* The papers' examples by name, and the Sigma-method on small models. */
#include "analysis.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* 001, Example 2.1 */
static void
test_pendulum_has_offsets_1_1_0_0_2_and_2_2_1_1_0_and_index_3(void)
{
  Analysis a = analyze_file("EXAMPLES", "pendulum.mo");
  const int32_t c[] = {1, 1, 0, 0, 2};
  const int32_t d[] = {2, 2, 1, 1, 0};
  check_numbers(&a, DAE_SIG_SUCCESS, 2, 3, 2);
  check_offsets(&a, c, d);
  TEST_ASSERT_EQUAL_INT(DAE_NONZERO, dae_sig_determinant(a.sig));
  TEST_ASSERT_EQUAL_UINT32(1, dae_sig_n_fine(a.sig));
  TEST_ASSERT_TRUE(dae_sig_fine(a.sig, 0)->is_linear);
  clear_analysis(&a);
}

static void
check_jacobian(const Analysis *a, const char *const *expected, size_t n_expected)
{
  size_t n = 0;
  const DaeSigJacobianEntry *entries = dae_sig_jacobian(a->sig, &n);
  TEST_ASSERT_EQUAL_UINT64(n_expected, n);
  for (size_t k = 0; k < n; k++) {
    g_autofree char *value = dae_term_to_string(a->terms, entries[k].value);
    g_autofree char *text =
        g_strdup_printf("%u %u %s", entries[k].row, entries[k].column, value);
    TEST_ASSERT_EQUAL_STRING(expected[k], text);
  }
}

static void
test_pendulum_jacobian_is_the_printed_one(void)
{
  Analysis a = analyze_file("EXAMPLES", "pendulum.mo");
  static const char *const expected[] = {"0 0 1",   "0 2 -1", "1 1 1",   "1 3 -1",  "2 2 1",
                                         "2 4 2*x", "3 3 1",  "3 4 2*y", "4 0 2*x", "4 1 2*y"};
  check_jacobian(&a, expected, G_N_ELEMENTS(expected));
  clear_analysis(&a);
}

/* Partial derivatives of equations that are solved for a derivative are made where the Jacobian
 * needs them. */
static void
test_jacobian_of_an_equation_solved_for_a_derivative(void)
{
  Analysis a = analyze_text("model A Real x, y; equation der(x) = x*y^2 + 3*y; "
                            "y^3 + y = x; end A;");
  static const char *const expected[] = {"0 0 1", "0 1 -2*x*y - 3", "1 1 3*y^2 + 1"};
  check_jacobian(&a, expected, G_N_ELEMENTS(expected));
  clear_analysis(&a);
}

/* Also where the Jacobian does not have it. */
static void
test_a_coefficient_that_is_zero_by_its_value_in_a_solved_equation(void)
{
  for (int p = 0; p <= 1; p++) {
    g_autofree char *text =
        g_strdup_printf("model A parameter Real p = %d; Real x, y; equation "
                        "der(x) = p*y^2 - x; der(y) = -y; end A;",
                        p);
    Analysis a = analyze_text(text);
    size_t n = 0;
    dae_sig_entries(a.sig, &n);
    TEST_ASSERT_EQUAL_UINT64(p == 0 ? 2 : 3, n);
    clear_analysis(&a);
  }
}

static void
test_pendulum_holds_unless_the_length_is_zero(void)
{
  Analysis a = analyze_file("EXAMPLES", "pendulum.mo");
  uint32_t n = 0;
  const DaeTerm *factors = dae_sig_singular_when(a.sig, &n);
  TEST_ASSERT_EQUAL_UINT32(2, n);
  g_autofree char *first = dae_term_to_string(a.terms, factors[0]);
  g_autofree char *second = dae_term_to_string(a.terms, factors[1]);
  g_autofree char *both = g_strdup_printf("%s; %s", first, second);
  TEST_ASSERT_TRUE(strcmp(both, "L; x^2 + y^2") == 0 || strcmp(both, "x^2 + y^2; L") == 0);
  clear_analysis(&a);
}

static void
test_two_pendula_have_index_5(void)
{
  Analysis a = analyze_file("MODELS", "structural_two_pendula.mo");
  const int32_t c[] = {2, 2, 4, 0, 0, 2};
  const int32_t d[] = {4, 4, 2, 2, 2, 0};
  check_numbers(&a, DAE_SIG_SUCCESS, 4, 5, 4);
  check_offsets(&a, c, d);
  TEST_ASSERT_EQUAL_UINT32(2, dae_sig_n_coarse(a.sig));
  clear_analysis(&a);
}

static void
test_reissig_martinson_barton_has_structural_index_3(void)
{
  Analysis a = analyze_file("EXAMPLES", "reissig_martinson_barton.mo");
  const int32_t c[] = {0, 0, 1, 1, 2};
  const int32_t d[] = {0, 1, 1, 2, 2};
  check_numbers(&a, DAE_SIG_SUCCESS, 2, 3, 2);
  check_offsets(&a, c, d);
  clear_analysis(&a);
}

static void
test_akzo_nobel_has_index_1_and_5_degrees_of_freedom(void)
{
  Analysis a = analyze_file("EXAMPLES", "akzo_nobel.mo");
  check_numbers(&a, DAE_SIG_SUCCESS, 5, 1, 5);
  clear_analysis(&a);
}

static void
test_car_axis_has_index_3_and_4_degrees_of_freedom(void)
{
  Analysis a = analyze_file("EXAMPLES", "car_axis.mo");
  check_numbers(&a, DAE_SIG_SUCCESS, 4, 3, 4);
  clear_analysis(&a);
}

static void
test_andrews_squeezer_has_index_3_and_2_degrees_of_freedom(void)
{
  Analysis a = analyze_file("EXAMPLES", "andrews_squeezer.mo");
  check_numbers(&a, DAE_SIG_SUCCESS, 2, 3, 2);
  clear_analysis(&a);
}

static void
check_chain(uint32_t n)
{
  g_autoptr(GString) text = g_string_new("model Chain\n");
  for (uint32_t k = 1; k <= n; k++) {
    g_string_append_printf(text, "  Real x%u;\n", k);
  }
  g_string_append(text, "equation\n");
  for (uint32_t k = 1; k < n; k++) {
    g_string_append_printf(text, "  der(x%u) = x%u;\n", k, k + 1);
  }
  g_string_append(text, "  x1 = sin(time);\nend Chain;\n");
  Analysis a = analyze_text(text->str);
  check_numbers(&a, DAE_SIG_SUCCESS, 0, (int32_t)n, 0);
  TEST_ASSERT_EQUAL_UINT32(n, dae_sig_n_fine(a.sig));
  clear_analysis(&a);
}

static void
test_chains_of_20_and_47_have_that_index(void)
{
  check_chain(20);
  check_chain(47);
}

/* ---- Sigma ------------------------------------------------------------------------------- */

static void
check_signature(const char *text, const char *expected)
{
  Analysis a = analyze_text(text);
  size_t n = 0;
  const DaeSigEntry *entries = dae_sig_entries(a.sig, &n);
  g_autoptr(GString) found = g_string_new(NULL);
  for (size_t k = 0; k < n; k++) {
    g_string_append_printf(found, "%s%u,%u,%d", k == 0 ? "" : " ", entries[k].row,
                           entries[k].column, entries[k].sigma);
  }
  TEST_ASSERT_EQUAL_STRING(expected, found->str);
  clear_analysis(&a);
}

static void
test_occurrences_that_cancel_do_not_count(void)
{
  check_signature("model A Real x; Real y; equation der(x) - der(x) + y = 1; x + y = 2; end A;",
                  "0,1,0 1,0,0 1,1,0");
  check_signature("model A Real x; Real y; equation (der(x) + y)^2 - der(x)^2 - 2*der(x)*y = "
                  "1; x + y = 2; end A;",
                  "0,1,0 1,0,0 1,1,0");
  check_signature("model A Real x; Real y; equation sin(der(x))^2 + cos(der(x))^2 + y = 1; x + "
                  "y = 2; end A;",
                  "0,1,0 1,0,0 1,1,0");
  check_signature("model A Real x; equation der(x) + x = der(x) + 1; end A;", "0,0,0");
}

static void
test_a_variable_on_both_sides_keeps_its_highest_order(void)
{
  check_signature(
      "model A Real x; Real y; equation 2*der(x) + x = y + x; y = 3*der(x) - x; end A;",
      "0,0,1 0,1,0 1,0,1 1,1,0");
}

static void
test_blocks_are_marked_nonlinear_only_in_what_they_solve_for(void)
{
  Analysis a = analyze_text(
      "model A Real x; Real y; Real z; equation x^3 + x = time; y*x^2 = 1; der(z) + z^2 = y; "
      "end A;");
  for (uint32_t b = 0; b < dae_sig_n_fine(a.sig); b++) {
    const DaeSigBlock *block = dae_sig_fine(a.sig, b);
    TEST_ASSERT_EQUAL(block->variables[0] != 0, block->is_linear);
  }
  TEST_ASSERT_EQUAL_UINT32(3, dae_sig_n_fine(a.sig));
  clear_analysis(&a);
}

/* ---- bad input --------------------------------------------------------------------------- */

static void
test_empty_models_succeed_with_index_0(void)
{
  Analysis a = analyze_text("model A end A;");
  check_numbers(&a, DAE_SIG_SUCCESS, 0, 0, 0);
  clear_analysis(&a);
  a = analyze_text("model A parameter Real p = 1; parameter Real q = p + 1; end A;");
  check_numbers(&a, DAE_SIG_SUCCESS, 0, 0, 0);
  clear_analysis(&a);
}

static void
test_one_equation_for_one_variable_has_index_1_or_0(void)
{
  Analysis a = analyze_text("model A Real x; equation x = 1; end A;");
  check_numbers(&a, DAE_SIG_SUCCESS, 0, 1, 0);
  clear_analysis(&a);
  a = analyze_text("model A Real x; equation der(x) = 1; end A;");
  check_numbers(&a, DAE_SIG_SUCCESS, 1, 0, 1);
  clear_analysis(&a);
}

static void
check_singular(const char *text, uint32_t n_excess, uint32_t n_missing)
{
  Analysis a = analyze_text(text);
  TEST_ASSERT_EQUAL_INT(DAE_SIG_STRUCTURALLY_SINGULAR, dae_sig_status(a.sig));
  TEST_ASSERT_NULL(dae_sig_transversal(a.sig));
  const DaeSigBlock *excess = dae_sig_smallest_excess(a.sig);
  const DaeSigBlock *under = dae_sig_underdetermined(a.sig);
  TEST_ASSERT_EQUAL_UINT32(n_excess, excess == NULL ? 0 : excess->n_equations);
  TEST_ASSERT_EQUAL_UINT32(n_missing, under->n_variables - under->n_equations);
  clear_analysis(&a);
}

static void
test_equations_without_unknowns_are_too_many(void)
{
  check_singular("model A equation 1 = 2; end A;", 1, 0);
  check_singular("model A Real x; equation x = 1; 0 = 0; end A;", 1, 0);
  check_singular("model A Real x; equation time = 1; end A;", 1, 1);
}

static void
test_unknowns_that_never_occur_are_missing_an_equation(void)
{
  check_singular("model A Real x; Real y; equation x = 1; end A;", 0, 1);
  check_singular("model A Real x; Real y; end A;", 0, 2);
}

static void
test_three_equations_for_two_of_three_variables_are_named(void)
{
  check_singular(
      "model A Real x; Real y; Real z; equation x + y = 1; x - y = 2; x*y = 3; end A;", 3, 1);
}

static void
test_a_determinant_that_vanishes_on_all_solutions_is_zero(void)
{
  /* the second equation has z with the factor x - y, which the first one makes 0 */
  Analysis a = analyze_text("model A Real x; Real y; Real z; equation x - y = 0; (x - y)*z = x "
                            "- 1; x = time; end A;");
  TEST_ASSERT_EQUAL_INT(DAE_ZERO, dae_sig_determinant(a.sig));
  TEST_ASSERT_EQUAL_INT(DAE_SIG_JACOBIAN_SINGULAR, dae_sig_status(a.sig));
  clear_analysis(&a);
}

/* ---- more equations than unknowns -------------------------------------------------------- */

static void
test_overdetermined_systems_have_a_square_part_of_largest_value(void)
{
  const char *text =
      "model A Real x; Real y; Real u; Real v; Real l; equation der(x) = u; der(y) = v; "
      "der(u) = -2*x*l; der(v) = -2*y*l - 9; x^2 + y^2 = 1; x*u + y*v = 0; "
      "u^2 + v^2 - 2*l - 9*y = 0; end A;";
  DaeSigOptions options = dae_sig_default_options;
  options.overdetermined_ok = true;
  Analysis a = analyze_with(text, &options);
  const int32_t c[] = {0, 0, 0, 0, 0, 0, 0};
  const int32_t d[] = {1, 1, 1, 1, 0};
  TEST_ASSERT_EQUAL_INT(DAE_SIG_SUCCESS, dae_sig_status(a.sig));
  check_offsets(&a, c, d);
  TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, dae_sig_transversal(a.sig)[4]);
  TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, dae_sig_transversal(a.sig)[5]);
  TEST_ASSERT_EQUAL_UINT32(4, dae_sig_transversal(a.sig)[6]);
  clear_analysis(&a);
  a = analyze_text(text);
  TEST_ASSERT_EQUAL_INT(DAE_SIG_STRUCTURALLY_SINGULAR, dae_sig_status(a.sig));
  clear_analysis(&a);
}

/* Square roots of sums have no image modulo a prime, and 70 rows are too many for terms. */
static void
test_a_large_block_of_functions_is_regular_by_balls(void)
{
  Analysis a = analyze_text("model R parameter Integer n = 70; Real x[n](each start = 1);\n"
                            "equation for i in 1:n loop\n"
                            "  der(x[i]) + 0.3*sqrt(1 + x[i]^2)*der(x[mod(i, n) + 1])\n"
                            "  + 0.1*sqrt(2 + x[mod(i, n) + 1]^2)*der(x[mod(i + 3, n) + 1])\n"
                            "  = -x[i]; end for; end R;\n");
  TEST_ASSERT_EQUAL_INT(DAE_SIG_SUCCESS, dae_sig_status(a.sig));
  TEST_ASSERT_EQUAL_INT(DAE_NONZERO, dae_sig_determinant(a.sig));
  clear_analysis(&a);
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_pendulum_has_offsets_1_1_0_0_2_and_2_2_1_1_0_and_index_3);
  RUN_TEST(test_pendulum_jacobian_is_the_printed_one);
  RUN_TEST(test_jacobian_of_an_equation_solved_for_a_derivative);
  RUN_TEST(test_a_coefficient_that_is_zero_by_its_value_in_a_solved_equation);
  RUN_TEST(test_pendulum_holds_unless_the_length_is_zero);
  RUN_TEST(test_two_pendula_have_index_5);
  RUN_TEST(test_reissig_martinson_barton_has_structural_index_3);
  RUN_TEST(test_akzo_nobel_has_index_1_and_5_degrees_of_freedom);
  RUN_TEST(test_car_axis_has_index_3_and_4_degrees_of_freedom);
  RUN_TEST(test_andrews_squeezer_has_index_3_and_2_degrees_of_freedom);
  RUN_TEST(test_chains_of_20_and_47_have_that_index);
  RUN_TEST(test_occurrences_that_cancel_do_not_count);
  RUN_TEST(test_a_variable_on_both_sides_keeps_its_highest_order);
  RUN_TEST(test_blocks_are_marked_nonlinear_only_in_what_they_solve_for);
  RUN_TEST(test_empty_models_succeed_with_index_0);
  RUN_TEST(test_one_equation_for_one_variable_has_index_1_or_0);
  RUN_TEST(test_equations_without_unknowns_are_too_many);
  RUN_TEST(test_unknowns_that_never_occur_are_missing_an_equation);
  RUN_TEST(test_three_equations_for_two_of_three_variables_are_named);
  RUN_TEST(test_a_determinant_that_vanishes_on_all_solutions_is_zero);
  RUN_TEST(test_a_large_block_of_functions_is_regular_by_balls);
  RUN_TEST(test_overdetermined_systems_have_a_square_part_of_largest_value);
  return UNITY_END();
}
