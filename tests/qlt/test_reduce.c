/* Reduction of small systems of every kind, modes of elimination, over-determined
 * models, invariants, reading back. */
#include "fixture.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
reduce_text(Fixture *f, const char *declarations, const char *equations)
{
  g_autofree char *text = model_of(declarations, equations);
  fixture_reduce(f, text);
}

static void
reduce_mode(Fixture *f, const char *text, DaeEliminate mode)
{
  DaeQltOptions options = {.eliminate = mode};
  fixture_read(f, text, 1);
  if (!fixture_reduce_with(f, &options)) {
    TEST_FAIL_MESSAGE(f->error->message);
  }
}

static const char *const pendulum =
    "model P\n parameter Real L = 1;\n parameter Real g = 9.81;\n"
    " Real x(start = 1), y, u, v, lambda;\nequation\n"
    " der(x) = u;\n der(y) = v;\n der(u) + 2*x*lambda = 0;\n der(v) + 2*y*lambda + g = 0;\n"
    " x^2 + y^2 = L^2;\nend P;\n";

/* sin(a) vanishes with the rope straight down, cos(a) never at the same
 * point: neither may be divided by. */
static void
test_pivot_that_may_vanish_is_not_divided_by(void)
{
  Fixture f;
  reduce_text(&f, "Real x, y, r, a, u;",
              "x = r*sin(a); y = r*cos(a); x = sin(time); y = 1; der(r) = u;");
  for (uint32_t i = 0; i < dae_qlt_n_constraints(f.qlt); i++) {
    g_autofree char *text =
        dae_term_to_string(f.terms, dae_qlt_constraint(f.qlt, i)->expression);
    TEST_ASSERT_NULL_MESSAGE(strchr(text, '/'), text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "tan"), text);
  }
  TEST_ASSERT_EQUAL_UINT32(1, dae_qlt_n_introduced(f.qlt));
  fixture_free(&f);
}

/* The determinants of these mass matrices are proved to have no zeros: 2 - cos^2, and with
 * numbers 3 + 2*sin - sin^2/2. */
static void
test_mass_matrix_without_singular_points_is_eliminated(void)
{
  static const char *const coefficient[] = {"cos(a - b)", "(sin(a)/2 - 1)", "(cos(a) + m)"};
  static const bool is_proved[] = {true, true, false};
  for (size_t k = 0; k < G_N_ELEMENTS(coefficient); k++) {
    Fixture f;
    g_autofree char *equations = g_strdup_printf(
        "der(a) = u; der(b) = v; 2*der(u) + %s*der(v) = s; %s*der(u) + 2*der(v) = t;"
        "sin(a) + cos(b) = 1; cos(a) + sin(b) = time;",
        coefficient[k], coefficient[k]);
    reduce_text(&f, "parameter Real m = 1; Real a, b, u, v, s, t;", equations);
    TEST_ASSERT_EQUAL_UINT32(is_proved[k] ? 0 : 2, dae_qlt_n_introduced(f.qlt));
    fixture_free(&f);
  }
}

static void
test_ode_has_no_constraints(void)
{
  Fixture f;
  reduce_text(&f, "Real x, y;", "der(x) = -y; der(y) = x;");
  assert_counts(&f, 2, 2, 0);
  fixture_free(&f);
}

static void
test_purely_algebraic_model_has_no_rows(void)
{
  Fixture f;
  reduce_text(&f, "Real x, y;", "x + y = 3; x*y = time;");
  assert_counts(&f, 2, 0, 2);
  TEST_ASSERT_EQUAL_INT(0, dae_qlt_max_level(f.qlt));
  fixture_free(&f);
}

static void
test_empty_model(void)
{
  Fixture f;
  fixture_reduce(&f, "model T\nend T;\n");
  assert_counts(&f, 0, 0, 0);
  fixture_free(&f);
}

static void
test_index_1_keeps_its_algebraic_equation(void)
{
  Fixture f;
  reduce_text(&f, "Real x, z;", "der(x) = z; 0 = z + sin(z) - x;");
  assert_counts(&f, 2, 1, 1);
  assert_constraint(&f, 0, "x - z - sin(z)", 0, false);
  fixture_free(&f);
}

static void
test_implicit_ode_becomes_identity_and_constraint(void)
{
  Fixture f;
  reduce_text(&f, "Real x;", "der(x)^3 + der(x) = x;");
  assert_counts(&f, 2, 1, 1);
  assert_row(&f, 0, "der(x) = $der_x");
  TEST_ASSERT_TRUE(dae_qlt_row(f.qlt, 0)->is_identity);
  TEST_ASSERT_EQUAL_UINT32(1, dae_qlt_n_introduced(f.qlt));
  fixture_free(&f);
}

static void
test_second_order_pendulum_is_the_first_order_one(void)
{
  Fixture f;
  reduce_text(&f, "parameter Real L = 1; parameter Real g = 9.81; Real x, y, lambda;",
              "der(der(x)) + 2*x*lambda = 0; der(der(y)) + 2*y*lambda + g = 0; "
              "x^2 + y^2 = L^2;");
  assert_counts(&f, 5, 4, 3);
  assert_row(&f, 0, "der($der_x) = -2*x*lambda");
  assert_row(&f, 2, "der(x) = $der_x");
  TEST_ASSERT_EQUAL_INT(2, dae_qlt_max_level(f.qlt));
  fixture_free(&f);
}

static void
test_function_of_time_is_differentiated(void)
{
  Fixture f;
  reduce_text(&f, "Real x, y, z;", "x = sin(time); der(x) = y; der(y) = z;");
  assert_counts(&f, 3, 2, 3);
  assert_constraint(&f, 1, "y - cos(time)", 1, true);
  assert_constraint(&f, 2, "z + sin(time)", 2, true);
  fixture_free(&f);
}

static void
test_two_equations_for_one_derivative_leave_a_hidden_constraint_of_level_0(void)
{
  Fixture f;
  reduce_text(&f, "Real x, z, w;", "2*der(x) = z; 3*der(x) = w; x = sin(time);");
  assert_counts(&f, 3, 1, 3);
  assert_constraint(&f, 1, "3*z - 2*w", 0, true);
  fixture_free(&f);
}

static void
test_singular_leading_matrix_is_found(void)
{
  Fixture f; /* both rows have both derivatives; the matrix has rank 1 */
  reduce_text(&f, "Real x, y, z, w;",
              "der(x) + 2*der(y) = z; 2*der(x) + 4*der(y) = w; x = sin(time); y = cos(time);");
  assert_counts(&f, 4, 1, 4);
  TEST_ASSERT_TRUE(has_constraint(&f, parse(&f, "w - 2*z"), 0));
  fixture_free(&f);
}

static void
test_coupled_derivatives_are_eliminated_when_small(void)
{
  Fixture f;
  reduce_text(
      &f, "Real x, y, p, q, u;",
      "der(x) = p; der(y) = q; 2*der(p) + cos(x)*der(q) = u; cos(x)*der(p) + 3*der(q) = 1; "
      "x + y^2 = time;");
  assert_counts(&f, 5, 4, 3);
  TEST_ASSERT_EQUAL_UINT32(1, dae_qlt_n_blocks(f.qlt));
  TEST_ASSERT_TRUE(dae_qlt_block(f.qlt, 0)->is_eliminated);
  TEST_ASSERT_TRUE(has_constraint(
      &f, parse(&f, "(3*u - cos(x)) + 2*q^2*(6 - cos(x)^2) + 2*y*(2 - cos(x)*u)"), 2));
  fixture_free(&f);
}

static void
test_mode_never_makes_the_derivatives_unknowns(void)
{
  Fixture f;
  reduce_mode(&f, pendulum, DAE_ELIMINATE_NEVER);
  assert_counts(&f, 7, 4, 5);
  TEST_ASSERT_EQUAL_UINT32(2, dae_qlt_n_introduced(f.qlt));
  assert_row(&f, 2, "der(u) = $der_u");
  DaeTerm level_2 = dae_qlt_constraint(f.qlt, 4)->expression;
  g_autofree char *text = dae_term_to_string(f.terms, level_2);
  TEST_ASSERT_EQUAL_STRING("x*$der_u + y*$der_v + u^2 + v^2", text);
  fixture_free(&f);
}

static void
test_mode_always_agrees_with_auto_on_the_pendulum(void)
{
  Fixture f;
  reduce_mode(&f, pendulum, DAE_ELIMINATE_ALWAYS);
  assert_counts(&f, 5, 4, 3);
  assert_constraint(&f, 2, "u^2 + v^2 - 2*x^2*lambda - 2*y^2*lambda - g*y", 2, true);
  fixture_free(&f);
}

static void
test_parameter_set_to_zero_makes_a_row_algebraic(void)
{
  Fixture f;
  reduce_text(&f, "parameter Real eps = 0; Real x, y;", "der(x) = y; eps*der(y) = x + y;");
  assert_counts(&f, 2, 1, 1);
  fixture_free(&f);
}

static void
test_texts_are_as_a_person_writes_them(void)
{
  Fixture f;
  fixture_reduce(&f, pendulum);
  g_autofree char *a = dae_term_to_string(f.terms, dae_qlt_constraint(f.qlt, 0)->expression);
  g_autofree char *b = dae_term_to_string(f.terms, dae_qlt_constraint(f.qlt, 1)->expression);
  g_autofree char *c = dae_term_to_string(f.terms, dae_qlt_constraint(f.qlt, 2)->expression);
  TEST_ASSERT_EQUAL_STRING("x^2 + y^2 - L^2", a);
  TEST_ASSERT_EQUAL_STRING("x*u + y*v", b);
  TEST_ASSERT_TRUE(parse(&f, "u^2 + v^2 - 2*x^2*lambda - 2*y^2*lambda - g*y") ==
                   dae_qlt_constraint(f.qlt, 2)->expression);
  TEST_ASSERT_LESS_THAN(60, strlen(c));
  fixture_free(&f);
}

static void
test_result_does_not_depend_on_the_hash_seed(void)
{
  Fixture f;
  Fixture g;
  fixture_read(&f, pendulum, 1);
  fixture_read(&g, pendulum, 77777);
  TEST_ASSERT_TRUE(fixture_reduce_with(&f, NULL));
  TEST_ASSERT_TRUE(fixture_reduce_with(&g, NULL));
  for (uint32_t i = 0; i < dae_qlt_n_constraints(f.qlt); i++) {
    g_autofree char *a = dae_term_to_string(f.terms, dae_qlt_constraint(f.qlt, i)->expression);
    g_autofree char *b = dae_term_to_string(g.terms, dae_qlt_constraint(g.qlt, i)->expression);
    TEST_ASSERT_EQUAL_STRING(a, b);
  }
  fixture_free(&f);
  fixture_free(&g);
}

/* ---- over-determined models -------------------------------------------------------------- */

static void
test_consistent_redundant_equation_is_dropped_with_a_proof(void)
{
  Fixture f;
  reduce_text(&f, "Real x, y;", "der(x) = y; x + y = 1; 2*x + 2*y = 2;");
  assert_counts(&f, 2, 1, 1);
  TEST_ASSERT_EQUAL_UINT32(1, dae_qlt_n_dropped(f.qlt));
  TEST_ASSERT_NOT_NULL(dae_qlt_dropped(f.qlt, 0)->proof);
  fixture_free(&f);
}

static void
test_product_of_constraints_is_dropped(void)
{
  Fixture f; /* x*y - y vanishes with x - 1: dependent on the solution set, not everywhere */
  reduce_text(&f, "Real x, y;", "x^2 = 1; der(y) = x; y*x^2 - y = 0;");
  TEST_ASSERT_EQUAL_UINT32(1, dae_qlt_n_dropped(f.qlt));
  TEST_ASSERT_EQUAL_UINT32(1, dae_qlt_n_constraints(f.qlt));
  fixture_free(&f);
}

static void
assert_contradiction(const char *declarations, const char *equations, const char *part)
{
  g_autofree char *text = model_of(declarations, equations);
  Fixture f;
  fixture_read(&f, text, 1);
  TEST_ASSERT_FALSE(fixture_reduce_with(&f, NULL));
  TEST_ASSERT_TRUE(g_error_matches(f.error, DAE_ERROR, DAE_ERROR_NEGATIVE));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(f.error->message, part), f.error->message);
  fixture_free(&f);
}

static void
test_contradiction_names_its_equations(void)
{
  assert_contradiction("Real x, y;", "der(y) = x; x + y = 1; x + y = 2;",
                       "equations 1 and 2 would need");
  assert_contradiction("Real x, y, z;", "z = time; x = 1; x^2 = 4; der(y) = x;",
                       "equations 1 and 2 would need");
}

static void
test_hidden_contradiction_is_found(void)
{
  /* x = sin(t) needs der(x) = cos(t), the model says 0 */
  assert_contradiction("Real x, y;", "x = sin(time); y = x; der(x) = 0;", "contradict");
}

static void
test_system_with_a_free_unknown_is_refused(void)
{
  g_autofree char *text = model_of("Real x, y, z;", "x = 1; y = 2; x + y = 3; 2*x + y = 4;");
  Fixture f;
  fixture_read(&f, text, 1);
  TEST_ASSERT_FALSE(fixture_reduce_with(&f, NULL));
  TEST_ASSERT_TRUE(g_error_matches(f.error, DAE_ERROR, DAE_ERROR_NEGATIVE));
  TEST_ASSERT_NOT_NULL(strstr(f.error->message, "z"));
  fixture_free(&f);
}

static char *
read_back(Fixture *f)
{
  g_autoptr(DaeModel) model = dae_qlt_to_model(f->qlt, f->terms);
  GString *text = g_string_new(NULL);
  dae_model_print(model, f->terms, false, text);
  return g_string_free(text, FALSE);
}

static void
assert_reads_back(const char *text)
{
  Fixture f;
  Fixture g;
  fixture_reduce(&f, text);
  g_autofree char *reduced = read_back(&f);
  fixture_reduce(&g, reduced);
  assert_counts(&g, dae_qlt_n_unknowns(f.qlt), dae_qlt_n_rows(f.qlt),
                dae_qlt_n_constraints(f.qlt));
  TEST_ASSERT_EQUAL_INT32(0, dae_qlt_max_level(g.qlt));
  g_autofree char *again = read_back(&g);
  TEST_ASSERT_EQUAL_STRING(reduced, again);
  fixture_free(&f);
  fixture_free(&g);
}

static void
test_modelica_output_reads_back_to_the_same_system(void)
{
  assert_reads_back(pendulum);
  assert_reads_back("model T\n Real x[2], y;\nequation\n der(der(x[1])) = x[2];\n"
                    " x[2] = sin(der(x[1]));\n y = time;\nend T;\n");
  assert_reads_back("model T\n Real x, y, z;\nequation\n x = sin(time);\n der(x) = y;\n"
                    " der(y) = z;\nend T;\n");
}

/* ---- invariants -------------------------------------------------------------------------- */

static void
reduce_with_invariant(Fixture *f, const char *text, const char *invariant)
{
  fixture_read(f, text, 1);
  DaeTerm t = parse(f, invariant);
  DaeQltOptions options = {DAE_ELIMINATE_AUTO, &t, 1};
  TEST_ASSERT_TRUE(fixture_reduce_with(f, &options));
}

static void
test_energy_of_the_pendulum_is_proved_modulo_the_constraints(void)
{
  Fixture f;
  reduce_with_invariant(&f, pendulum, "0.5*(u^2 + v^2) + g*y");
  assert_counts(&f, 5, 4, 4);
  const DaeQltConstraint *constraint = dae_qlt_constraint(f.qlt, 3);
  TEST_ASSERT_TRUE(constraint->is_invariant);
  TEST_ASSERT_FALSE(constraint->is_trusted);
  TEST_ASSERT_EQUAL_UINT32(1, dae_qlt_n_invariants(f.qlt));
  TEST_ASSERT_EQUAL_STRING("$invariant_1",
                           dae_terms_symbol_name(f.terms, dae_qlt_invariant_symbol(f.qlt, 0)));
  fixture_free(&f);
}

static void
test_what_is_no_invariant_is_taken_on_trust_and_labelled(void)
{
  Fixture f;
  reduce_with_invariant(&f, pendulum, "u + v");
  TEST_ASSERT_TRUE(dae_qlt_constraint(f.qlt, 3)->is_trusted);
  fixture_free(&f);
}

static void
test_invariant_that_follows_from_the_constraints_is_left_out(void)
{
  Fixture f;
  reduce_with_invariant(&f, pendulum, "x^2 + y^2");
  assert_counts(&f, 5, 4, 3);
  TEST_ASSERT_EQUAL_UINT32(1, dae_qlt_n_dropped(f.qlt));
  fixture_free(&f);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_pivot_that_may_vanish_is_not_divided_by);
  RUN_TEST(test_mass_matrix_without_singular_points_is_eliminated);
  RUN_TEST(test_ode_has_no_constraints);
  RUN_TEST(test_purely_algebraic_model_has_no_rows);
  RUN_TEST(test_empty_model);
  RUN_TEST(test_index_1_keeps_its_algebraic_equation);
  RUN_TEST(test_implicit_ode_becomes_identity_and_constraint);
  RUN_TEST(test_second_order_pendulum_is_the_first_order_one);
  RUN_TEST(test_function_of_time_is_differentiated);
  RUN_TEST(test_two_equations_for_one_derivative_leave_a_hidden_constraint_of_level_0);
  RUN_TEST(test_singular_leading_matrix_is_found);
  RUN_TEST(test_coupled_derivatives_are_eliminated_when_small);
  RUN_TEST(test_mode_never_makes_the_derivatives_unknowns);
  RUN_TEST(test_mode_always_agrees_with_auto_on_the_pendulum);
  RUN_TEST(test_parameter_set_to_zero_makes_a_row_algebraic);
  RUN_TEST(test_texts_are_as_a_person_writes_them);
  RUN_TEST(test_result_does_not_depend_on_the_hash_seed);
  RUN_TEST(test_consistent_redundant_equation_is_dropped_with_a_proof);
  RUN_TEST(test_product_of_constraints_is_dropped);
  RUN_TEST(test_contradiction_names_its_equations);
  RUN_TEST(test_hidden_contradiction_is_found);
  RUN_TEST(test_system_with_a_free_unknown_is_refused);
  RUN_TEST(test_modelica_output_reads_back_to_the_same_system);
  RUN_TEST(test_energy_of_the_pendulum_is_proved_modulo_the_constraints);
  RUN_TEST(test_what_is_no_invariant_is_taken_on_trust_and_labelled);
  RUN_TEST(test_invariant_that_follows_from_the_constraints_is_left_out);
  return UNITY_END();
}
