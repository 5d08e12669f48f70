/* Functions outside of their domain: values that are proved to be there contradict, another
 * root is looked for, and what is at an edge, in a branch or not known proves nothing. */
#include <string.h>
#include <unity.h>

#include "cases.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_values_outside_of_a_domain_contradict(void)
{
  static const InitCase cases[] = {
      {"a root", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x = 2; equation der(x) = -x; y = sqrt(1 - x);"},
      {"an odd root of a negative number", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x = -8; equation der(x) = -x; y = x^(1/3);"},
      {"asin", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x = 2; equation der(x) = -x; y = 1 + asin(x);"},
      {"acos below", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x = -1.5; equation der(x) = -x; y = acos(x);"},
      {"a logarithm by balls", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x = 2 - exp(1); equation der(x) = -x; y = log(x);"},
      {"a logarithm at its edge", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x = sin(0); equation der(x) = 1; y = log10(x);"},
      {"a number alone", DAE_INIT_INCONSISTENT, 0, 0, 1, NULL,
       "Real x; Real y; initial equation x = 1; equation der(x) = 1; y = cos(acos(sqrt(2)) + "
       "x);"},
      {"by a chain", DAE_INIT_INCONSISTENT, 0, 0, 4, NULL,
       "Real x; Real y; Real z; Real w; initial equation x = 3; equation der(x) = 1; "
       "z = 2*x; w = z - 7; y = sin(log(w));"},
      {"by a parameter", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "parameter Real p = 2; Real x; Real y; initial equation x = 1 - p; equation der(x) = 1; "
       "y = sqrt(x);"},
      {"something else is free", DAE_INIT_MIXED, 0, 1, 2, NULL,
       "Real x; Real y; Real z; initial equation x = 2; equation der(x) = -x; y = sqrt(1 - x); "
       "der(z) = y;"},
      {"both roots", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x(start = -1); Real y; Real z(start = 0, fixed = true); equation x^2 = 4; "
       "y = log(x) + sqrt(-1 - x); der(z) = y;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

static void
test_edges_and_branches_do_not(void)
{
  static const InitCase cases[] = {
      {"the edge of a root", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; equation der(x) = -x; y = sqrt(1 - x);"},
      {"the edge of asin", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x; Real y; initial equation x = -1; equation der(x) = 1; y = asin(x);"},
      {"two negative factors", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x; Real y; Real z; initial equation x = -2; equation der(x) = 1; z = -3; "
       "y = log(x*z) + log(x^2) + sqrt(x^2) + (x*z)^1.5;"},
      {"a branch that is not taken", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x; Real y; initial equation x = 2; equation der(x) = -x; "
       "y = if x < 1 then sqrt(1 - x) else 0;"},
      {"simplified, which is not asked", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x; Real y; initial equation x = 2; equation der(x) = -x; "
       "y = homotopy(x, sqrt(1 - x));"},
      {"free", DAE_INIT_UNDER_DETERMINED, 0, 1, 0, NULL,
       "Real x(start = 2); Real y; equation der(x) = -x; y = sqrt(1 - x);"},
      {"nobody knows the limit", DAE_INIT_UNDECIDED, 0, 0, 0, NULL,
       "Real x(start = 0, fixed = true); equation der(x) = 2*x/time;"},
      {"a whole power", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x; Real y; initial equation x = -2; equation der(x) = 1; y = x^3 + x^(-2);"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

/* The start says x = -2, where log(x) has no value. */
static void
test_another_root_is_taken(void)
{
  static const char *const models[] = {
      "Real x(start = -1); Real y; Real z(start = 0, fixed = true); equation x^2 = 4; "
      "y = log(x); der(z) = y;",
      "Real x(start = -1); Real y; Real z(start = 0, fixed = true); equation (x - 2)*(x + 3) = "
      "0; y = sqrt(x + 1); der(z) = y;",
      "Real x(start = -1); Real y; Real z(start = 0, fixed = true); equation abs(x) = 2; "
      "y = sqrt(x - 1) + acos(x/4 - 1); der(z) = y;",
  };
  for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
    Checked checked = check_text("root", models[i], NULL);
    double x = 0.0;
    TEST_ASSERT_EQUAL_INT_MESSAGE(DAE_INIT_WELL_DETERMINED, dae_init_verdict(checked.init),
                                  models[i]);
    DaeTerm atom =
        dae_term_variable(checked.terms, dae_model_variable(checked.model, 0)->symbol, 0);
    TEST_ASSERT_TRUE(dae_init_value(checked.init, atom, &x));
    TEST_ASSERT_EQUAL_DOUBLE(2.0, x);
    checked_clear(&checked);
  }
}

/* -1 is never the argument of a logarithm, a is for a > 0. */
static void
test_what_rests_on_values_says_so(void)
{
  Checked checked = check_text(
      "values",
      "parameter Real a = -3; Real x(start = -1); Real y; Real z(start = 0, fixed = true); "
      "equation (x - a)*(x + 1) = 0; y = log(x); der(z) = y;",
      NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_INCONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_FALSE(dae_init_holds_for_all_parameters(checked.init));
  checked_clear(&checked);
  checked = check_text("values",
                       "parameter Real a = 2; Real x(start = a, fixed = true); Real y; "
                       "equation der(x) = 1; y = sqrt(1 - x);",
                       NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_INCONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_FALSE(dae_init_holds_for_all_parameters(checked.init));
  checked_clear(&checked);
}

/* ---- the checker does it again ------------------------------------------------------------ */

static DaeInitStep *
last_step(const Checked *checked)
{
  const DaeInitConflict *conflict = dae_init_conflict(checked->init, 0);
  return (DaeInitStep *)&conflict->steps[conflict->n_steps - 1];
}

static const DaeInitStep *
first_step(const Checked *checked)
{
  return dae_init_conflict(checked->init, 0)->steps;
}

static bool
is_accepted(const Checked *checked)
{
  g_autofree char *why = NULL;
  return checked_verifies(checked, &why);
}

/* Without the value of w, with a premise whose root has a value, with 0 = 0. */
static void
test_spoiled_steps_are_noticed(void)
{
  Checked checked = check_text("spoiled",
                               "Real x; Real y; Real w; initial equation x = 3; equation "
                               "der(x) = -x; w = x + sqrt(2); y = sqrt(2 - w);",
                               NULL);
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_conflicts(checked.init));
  DaeInitStep *step = last_step(&checked);
  TEST_ASSERT_NOT_EQUAL(DAE_NO_TERM, step->part);
  TEST_ASSERT_NOT_NULL(strstr(step->note, "sqrt(2 - w) is outside of its domain"));
  TEST_ASSERT_TRUE(is_accepted(&checked));
  uint32_t n_from = step->n_from;
  step->n_from = 1;
  TEST_ASSERT_FALSE(is_accepted(&checked));
  step->n_from = n_from;
  const uint32_t kept = step->from[0];
  for (uint32_t i = 0; i < (uint32_t)(step - first_step(&checked)); i++) {
    step->from[0] = i;
    TEST_ASSERT_EQUAL_INT(i == kept, is_accepted(&checked));
  }
  step->from[0] = kept;
  step->rhs = dae_term_int(checked.terms, 0);
  TEST_ASSERT_FALSE(is_accepted(&checked));
  checked_clear(&checked);
}

/* The checker's own edges: the value of x is put to where nothing is outside. */
static void
check_moved(const char *function, const char *outside, const char *inside)
{
  g_autofree char *text = g_strdup_printf("Real x; Real y; initial equation x = %s; equation "
                                          "der(x) = -x; y = %s;",
                                          outside, function);
  g_autofree char *other = g_strdup_printf("Real x; Real y; initial equation x = %s; equation "
                                           "der(x) = -x; y = %s;",
                                           inside, function);
  Checked checked = check_text("outside", text, NULL);
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(1, dae_init_n_conflicts(checked.init), text);
  TEST_ASSERT_TRUE_MESSAGE(is_accepted(&checked), text);
  checked_clear(&checked);
  checked = check_text("inside", other, NULL);
  TEST_ASSERT_EQUAL_INT_MESSAGE(DAE_INIT_WELL_DETERMINED, dae_init_verdict(checked.init),
                                other);
  checked_clear(&checked);
}

static void
test_edges_are_exact(void)
{
  check_moved("sqrt(1 - x)", "1 + 1/10^12", "1");
  check_moved("asin(x)", "1 + 1/10^12", "1");
  check_moved("acos(x)", "-1 - 1/10^12", "-1");
  check_moved("log(x)", "0", "1/10^12");
  check_moved("sqrt(x - sqrt(2)*sqrt(3))", "sqrt(6) - 1/10^15", "sqrt(6)");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_values_outside_of_a_domain_contradict);
  RUN_TEST(test_edges_and_branches_do_not);
  RUN_TEST(test_another_root_is_taken);
  RUN_TEST(test_what_rests_on_values_says_so);
  RUN_TEST(test_spoiled_steps_are_noticed);
  RUN_TEST(test_edges_are_exact);
  return UNITY_END();
}
