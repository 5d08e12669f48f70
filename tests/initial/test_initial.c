/* The initial problem: unknowns with their guesses, the derivative array, conditions. */
#include "initial/initial.h"
#include "reader/reader.h"

#include <math.h>
#include <string.h>
#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;
static DaeModel *model;
static DaeSig *sig;
static DaeInitialProblem *problem;

void
setUp(void)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
}

void
tearDown(void)
{
  g_clear_pointer(&problem, dae_initial_free);
  g_clear_pointer(&sig, dae_sig_free);
  g_clear_pointer(&model, dae_model_free);
  g_clear_pointer(&algebra, dae_algebra_free);
  g_clear_pointer(&terms, dae_terms_free);
}

static void
assemble(const char *body, double t_start)
{
  g_autofree char *text = g_strdup_printf("model A\n%s\nend A;", body);
  g_autoptr(GError) error = NULL;
  model = dae_model_read(terms, "a.mo", text, strlen(text), NULL, NULL, &error);
  TEST_ASSERT_NOT_NULL(model);
  sig = dae_sig_analyze(algebra, model, &dae_sig_default_options, NULL, &error);
  TEST_ASSERT_NOT_NULL(sig);
  problem = dae_initial_new(terms, sig, t_start);
}

static const char pendulum[] =
    "parameter Real L = 2; parameter Real m(fixed = false, start = 3);\n"
    "Real x(start = 1); Real y(start = -1,\n"
    "  fixed = true); Real f;\n"
    "initial equation der(y) = 0; f = m;\n"
    "equation der(der(x)) = f*x; der(der(y)) = f*y - 9; x^2 + y^2 = L^2;";

static bool
append_equation(void *user, const DaeInitialEquation *equation)
{
  GString *text = user;
  g_string_append_printf(text, "%s%u", equation->is_condition ? "c" : "e", equation->index);
  for (int32_t k = 0; k < equation->order; k++) {
    g_string_append_c(text, '\'');
  }
  g_string_append_c(text, ' ');
  return equation->order < 9;
}

/* Every order up to c of every equation, the hidden constraints among them, then sections before
 * fixed starts. */
static void
test_equations_are_the_derivative_array_and_the_conditions(void)
{
  assemble(pendulum, NAN);
  g_autoptr(GString) text = g_string_new(NULL);
  TEST_ASSERT_TRUE(dae_initial_visit(problem, append_equation, text));
  TEST_ASSERT_EQUAL_STRING("e0 e1 e2 e2' e2'' c0 c1 c2 ", text->str);
  TEST_ASSERT_EQUAL_INT64(2, dae_initial_dof(problem));
  TEST_ASSERT_EQUAL_UINT32(1, dae_initial_n_free_parameters(problem));
  TEST_ASSERT_EQUAL_INT64(4, dae_initial_potential_states(problem));
  TEST_ASSERT_EQUAL(DAE_FROM_SECTION, dae_initial_condition(problem, 0).origin);
  TEST_ASSERT_EQUAL(DAE_FROM_FIXED_START, dae_initial_condition(problem, 2).origin);
}

static bool
stop(void *user, const DaeInitialEquation *equation)
{
  uint32_t *n = user;
  return !equation->is_condition && ++*n < 2;
}

static void
test_a_visit_ends_where_it_is_told_to(void)
{
  uint32_t n = 0;
  assemble(pendulum, NAN);
  TEST_ASSERT_FALSE(dae_initial_visit(problem, stop, &n));
  TEST_ASSERT_EQUAL_UINT32(2, n);
}

static const DaeInitialUnknown *
unknown_named(const char *name, uint32_t order)
{
  DaeSymbol symbol = 0;
  uint32_t i = 0;
  TEST_ASSERT_TRUE(dae_terms_find_symbol(terms, name, &symbol));
  DaeTerm atom = dae_terms_symbol_kind(terms, symbol) == DAE_SYMBOL_PARAMETER
                     ? dae_term_parameter(terms, symbol)
                     : dae_term_variable(terms, symbol, order);
  TEST_ASSERT_TRUE(dae_initial_find(problem, atom, &i));
  return dae_initial_unknown(problem, i);
}

/* x, x', x'', y, y', y'', f, m; guesses with the line where they were written. */
static void
test_unknowns_have_their_guesses(void)
{
  assemble(pendulum, NAN);
  TEST_ASSERT_EQUAL_UINT32(8, dae_initial_n_unknowns(problem));
  const DaeInitialUnknown *y = unknown_named("y", 0);
  TEST_ASSERT_EQUAL(dae_term_int(terms, -1), y->start);
  TEST_ASSERT_TRUE(y->is_fixed && y->is_potential_state);
  TEST_ASSERT_EQUAL_UINT32(3, y->place.line);
  TEST_ASSERT_FALSE(unknown_named("x", 0)->is_fixed);
  TEST_ASSERT_EQUAL(DAE_NO_TERM, unknown_named("x", 1)->start);
  TEST_ASSERT_TRUE(unknown_named("x", 1)->is_potential_state);
  TEST_ASSERT_FALSE(unknown_named("x", 2)->is_potential_state);
  TEST_ASSERT_EQUAL(DAE_NO_TERM, unknown_named("f", 0)->start);
  TEST_ASSERT_EQUAL(dae_term_int(terms, 3), unknown_named("m", 0)->start);
  TEST_ASSERT_EQUAL_UINT32(DAE_INITIAL_NONE, unknown_named("m", 0)->variable);
}

/* A condition on der(a) of an algebraic a: its equation is differentiated once more, and so is
 * what that one contains. */
static void
test_conditions_extend_the_array(void)
{
  assemble("Real a; Real b; Real x; initial equation der(a) = 1;\n"
           "equation der(x) = b; a = b + x; b = sin(time);",
           NAN);
  g_autoptr(GString) text = g_string_new(NULL);
  TEST_ASSERT_TRUE(dae_initial_visit(problem, append_equation, text));
  TEST_ASSERT_EQUAL_STRING("e0 e1 e1' e2 e2' c0 ", text->str);
  TEST_ASSERT_EQUAL_UINT32(1, unknown_named("b", 1)->order);
}

/* der(x) in a condition has no slope there, and no entry in Sigma; its value is needed. */
static void
test_branches_extend_the_array(void)
{
  assemble("Real x; Real y; equation x = if der(x) < y then 2*time else time; y = 1;", NAN);
  g_autoptr(GString) text = g_string_new(NULL);
  TEST_ASSERT_TRUE(dae_initial_visit(problem, append_equation, text));
  TEST_ASSERT_EQUAL_STRING("e0 e0' e1 ", text->str);
  TEST_ASSERT_EQUAL_UINT32(1, unknown_named("x", 1)->order);
}

static void
test_the_start_time_is_what_was_written(void)
{
  assemble("Real x; equation der(x) = time; annotation(experiment(StartTime = 0.1));", NAN);
  TEST_ASSERT_EQUAL(dae_term_ratio(terms, 1, 10), dae_initial_time(problem));
  dae_initial_free(problem);
  problem = dae_initial_new(terms, sig, -2.5);
  TEST_ASSERT_EQUAL(dae_term_ratio(terms, -5, 2), dae_initial_time(problem));
  TEST_ASSERT_TRUE(dae_initial_t_start(problem) == -2.5);
}

/* The same conditions and guesses without the derivative array. */
static void
test_a_reduced_problem_has_the_same_conditions(void)
{
  assemble(pendulum, NAN);
  g_autoptr(DaeInitialProblem) reduced = dae_initial_new_open(terms, model, 0);
  TEST_ASSERT_EQUAL_UINT32(4, dae_initial_n_unknowns(reduced));
  TEST_ASSERT_EQUAL_UINT32(3, dae_initial_n_conditions(reduced));
  for (uint32_t i = 0; i < 3; i++) {
    TEST_ASSERT_EQUAL(dae_initial_condition(problem, i).lhs,
                      dae_initial_condition(reduced, i).lhs);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_equations_are_the_derivative_array_and_the_conditions);
  RUN_TEST(test_a_visit_ends_where_it_is_told_to);
  RUN_TEST(test_unknowns_have_their_guesses);
  RUN_TEST(test_conditions_extend_the_array);
  RUN_TEST(test_branches_extend_the_array);
  RUN_TEST(test_the_start_time_is_what_was_written);
  RUN_TEST(test_a_reduced_problem_has_the_same_conditions);
  return UNITY_END();
}
