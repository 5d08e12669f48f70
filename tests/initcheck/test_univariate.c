/* Equations in one unknown: every solution is put back, and what has none is a conflict. */
#include "initcheck/initcheck-priv.h"

#include <math.h>
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

typedef struct {
  const char *equation; /* in x */
  double start;
  double solution; /* the one near the start */
} Solved;

static double
check_one(const Solved *solved)
{
  g_autofree char *text = g_strdup_printf(
      "Real x(start = %.17g); Real s; initial equation s = 0; equation %s; der(s) = x;",
      solved->start, solved->equation);
  Checked checked = check_text(solved->equation, text, NULL);
  TEST_ASSERT_EQUAL_STRING_MESSAGE("well-determined",
                                   dae_init_verdict_name(dae_init_verdict(checked.init)),
                                   solved->equation);
  DaeSymbol symbol = 0;
  TEST_ASSERT_TRUE(dae_terms_find_symbol(checked.terms, "x", &symbol));
  double value = NAN;
  TEST_ASSERT_TRUE_MESSAGE(
      dae_init_value(checked.init, dae_term_symbol(checked.terms, symbol), &value),
      solved->equation);
  g_autofree char *why = NULL;
  TEST_ASSERT_TRUE_MESSAGE(checked_verifies(&checked, &why), why);
  checked_clear(&checked);
  return value;
}

static void
check_all(const Solved *list, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    double value = check_one(&list[i]);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9 * (1.0 + fabs(list[i].solution)), list[i].solution,
                                      value, list[i].equation);
  }
}

static void
test_polynomials(void)
{
  const Solved list[] = {
      {"x = 3", 0, 3},
      {"2*x + 7 = 0", 0, -3.5},
      {"x^2 = 4", 1, 2},
      {"x^2 = 4", -1, -2},
      {"x^2 = 2", 1, sqrt(2)},
      {"x^2 - 3*x + 2 = 0", 0, 1},
      {"x^2 - 3*x + 2 = 0", 5, 2},
      {"x^2 + x = 1", 1, (sqrt(5) - 1) / 2},
      {"x^2 + x = 1", -1, (-sqrt(5) - 1) / 2},
      {"x^3 = 8", 1, 2},
      {"x^3 = -27", 1, -3},
      {"x^3 + x = 10", 1, 2},
      {"x^3 - 6*x^2 + 11*x = 6", 0, 1},
      {"x^3 - 6*x^2 + 11*x = 6", 2.1, 2},
      {"x^3 - 6*x^2 + 11*x = 6", 9, 3},
      {"x^4 = 16", 1, 2},
      {"x^4 = 16", -1, -2},
      {"x^4 - 5*x^2 + 4 = 0", 0.9, 1},
      {"x^4 - 5*x^2 + 4 = 0", -2.2, -2},
      {"(x - 1)^2 = 0", 3, 1},
      {"(x - 1/3)^3 = 0", 3, 1.0 / 3.0},
      {"x^5 + x = 34", 1, 2},
      {"x^6 = 64", 1, 2},
  };
  check_all(list, G_N_ELEMENTS(list));
}

static void
test_functions_that_are_undone(void)
{
  const Solved list[] = {
      {"exp(x) = 5", 0, 1.6094379124341003},
      {"exp(2*x) = 1", 1, 0},
      {"log(x) = 1", 1, 2.718281828459045},
      {"log(x) = 0", 3, 1},
      {"log10(x) = 2", 3, 100},
      {"sqrt(x) = 3", 1, 9},
      {"sqrt(x + 1) = 2", 1, 3},
      {"x^(1/3) = 2", 1, 8},
      {"x^(3/2) = 8", 1, 4},
      {"sinh(x) = 1", 0, asinh(1)},
      {"tanh(x) = 1/2", 0, atanh(0.5)},
      {"cosh(x) = 2", 1, acosh(2)},
      {"cosh(x) = 2", -1, -acosh(2)},
      {"atan(x) = 1", 0, tan(1)},
      {"asin(x) = 1/2", 0, sin(0.5)},
      {"acos(x) = 1", 0, cos(1)},
      {"1/x = 4", 1, 0.25},
      {"1/(x - 2) = 1/3", 1, 5},
      {"exp(exp(x)) = 3", 0, log(log(3))},
      {"exp(x)^2 = 9", 1, log(3)},
      {"log(x^2 + 1) = 2", 1, sqrt(exp(2) - 1)},
      {"sqrt(exp(x)) = 4", 1, 2 * log(4)},
  };
  check_all(list, G_N_ELEMENTS(list));
}

static void
test_angles(void)
{
  const Solved list[] = {
      {"sin(x) = 0", 0.1, 0},
      {"sin(x) = 0", 3, M_PI},
      {"sin(x) = 1/2", 0.4, M_PI / 6},
      {"sin(x) = 1/2", 2.5, 5 * M_PI / 6},
      {"cos(x) = 0", 1, M_PI / 2},
      {"cos(x) = 1/2", 1, M_PI / 3},
      {"cos(x) = 1/2", -1, -M_PI / 3},
      {"tan(x) = 1", 0.5, M_PI / 4},
      {"tan(x) = 1", 3.5, 5 * M_PI / 4},
      {"sin(2*x) = 1/2", 0.3, M_PI / 12},
      {"sin(x - 1) = 0", 1.2, 1},
      {"cos(x)^2 = 1/4", 1, M_PI / 3},
      {"sin(x) = 3/10", 0.2, asin(0.3)},
      {"cos(x) = 3/10", 1, acos(0.3)},
  };
  check_all(list, G_N_ELEMENTS(list));
}

static void
test_no_formula_but_one_solution(void)
{
  const Solved list[] = {
      {"x + exp(x) = 2", 0, 0.4428544010023885}, {"x = cos(x)", 0.5, 0.7390851332151607},
      {"x + sin(x)/2 = 1", 0, 0.6842},           {"x*exp(x) = 1", 0.5, 0.5671432904097838},
      {"x^5 - x = 1", 1, 1.1673039782614187},    {"log(x) + x = 3", 2, 2.207940031569323},
  };
  for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
    double value = check_one(&list[i]);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, list[i].solution, value, list[i].equation);
  }
}

/* ---- what has no real solution ----------------------------------------------------------- */

/* How many get this verdict; none gets the other one. What is open is told to be. */
static int
count_verdicts(const char *const *equations, size_t n, DaeInitVerdict expected,
               DaeInitVerdict wrong)
{
  int n_expected = 0;
  for (size_t i = 0; i < n; i++) {
    g_autofree char *text = g_strdup_printf(
        "Real x(start = 1/2); Real s; initial equation s = 0; equation %s; der(s) = x;",
        equations[i]);
    Checked checked = check_text(equations[i], text, NULL);
    DaeInitVerdict verdict = dae_init_verdict(checked.init);
    TEST_ASSERT_TRUE_MESSAGE(verdict != wrong, equations[i]);
    TEST_ASSERT_TRUE_MESSAGE(verdict == expected || verdict == DAE_INIT_UNDECIDED,
                             equations[i]);
    n_expected += verdict == expected;
    g_autofree char *why = NULL;
    TEST_ASSERT_TRUE_MESSAGE(checked_verifies(&checked, &why), why);
    checked_clear(&checked);
  }
  return n_expected;
}

static void
test_equations_without_real_solutions_contradict(void)
{
  static const char *const equations[] = {
      "x^2 = -1",          "x^2 + x + 1 = 0",     "x^4 + 1 = 0",       "exp(x) = -1",
      "exp(x) = 0",        "sin(x) = 2",          "cos(x) = -3/2",     "cosh(x) = 1/2",
      "sqrt(x) = -1",      "abs(x) = -1",         "tanh(x) = 1",       "atan(x) = 2",
      "1/x = 0",           "x^2 + sin(x)^2 = -1", "exp(x) + x^2 = -1", "x^6 + x^4 + 3 = 0",
      "log(x^2 + 1) = -1", "asin(x) = 2",         "(x - 1)^2 + 1 = 0", "2^x = -3",
  };
  int n = count_verdicts(equations, G_N_ELEMENTS(equations), DAE_INIT_INCONSISTENT,
                         DAE_INIT_WELL_DETERMINED);
  TEST_ASSERT_GREATER_OR_EQUAL_INT(16, n);
}

/* The ends of the values of a function: atan and tanh do not take them, a digit beyond no function
 * does. */
static void
test_values_at_and_beyond_the_ends(void)
{
  static const char *const none[] = {
      "tanh(x) = 1",
      "tanh(x)^2 = 1",
      "atan(x) = 2*atan(1)",
      "atan(x) = -acos(0)",
      "atan(x^2) = 2*atan(1)",
      "asin(x) = 1.5707963268",
      "acos(x) = 3.1415926536",
      "acos(x) = -1e-12",
      "tanh(x) = 1 + 1e-12",
  };
  static const char *const one[] = {
      "tanh(x) = 1 - 1e-12", "atan(x) = 1.5707963267",
      "asin(x) = 2*atan(1)", "acos(x) = 4*atan(1)",
      "acos(x) = 0",         "asin(x) = 1.5707963267",
  };
  TEST_ASSERT_EQUAL_INT(9, count_verdicts(none, G_N_ELEMENTS(none), DAE_INIT_INCONSISTENT,
                                          DAE_INIT_WELL_DETERMINED));
  TEST_ASSERT_EQUAL_INT(6, count_verdicts(one, G_N_ELEMENTS(one), DAE_INIT_WELL_DETERMINED,
                                          DAE_INIT_INCONSISTENT));
}

/* At the edge of a range the solution is a double one: it may stay open, but is not denied. */
static void
test_solutions_at_the_edge_of_a_range_are_not_denied(void)
{
  static const char *const equations[] = {
      "sin(x) = 1",         "cos(x) = -1",   "cosh(x) = 1",       "sqrt(x) = 0",
      "abs(x) = 0",         "x^2 = 0",       "asin(x) = 1",       "log(x^2 + 1) = 0",
      "tanh(x) = 999/1000", "atan(x) = 3/2", "x^2 + x + 1/4 = 0",
  };
  int n = count_verdicts(equations, G_N_ELEMENTS(equations), DAE_INIT_WELL_DETERMINED,
                         DAE_INIT_INCONSISTENT);
  TEST_ASSERT_GREATER_OR_EQUAL_INT(6, n);
}

/* ---- given twice ------------------------------------------------------------------------- */

static void
test_a_second_equation_agrees_or_contradicts(void)
{
  static const InitCase cases[] = {
      {"square root agrees", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = 1); initial equation x^2 = 2; x = sqrt(2); equation der(x) = 1;"},
      {"other square root", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = 1); initial equation x^2 = 2; x = -sqrt(2); equation der(x) = 1;"},
      {"no square root", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x(start = 1); initial equation x^2 = 2; x = 1.4142; equation der(x) = 1;"},
      {"exponential agrees", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x; initial equation exp(x) = 3; x = log(3); equation der(x) = 1;"},
      {"exponential does not", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; initial equation exp(x) = 3; x = log(4); equation der(x) = 1;"},
      {"angle agrees", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "constant Real pi = acos(-1); Real x(start = 1); initial equation sin(x) = 1/2;"
       "x = 5*pi/6; equation der(x) = 1;"},
      {"angle does not", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "constant Real pi = acos(-1); Real x(start = 1); initial equation sin(x) = 1/2;"
       "x = pi/3; equation der(x) = 1;"},
      {"root of a cubic", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = 1); initial equation x^3 - 6*x^2 + 11*x = 6; x = 3;"
       "equation der(x) = 1;"},
      {"no root of a cubic", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x(start = 1); initial equation x^3 - 6*x^2 + 11*x = 6; x = 4;"
       "equation der(x) = 1;"},
      {"two polynomials with a common root", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = 1); initial equation x^2 = 4; x^2 + x = 6; equation der(x) = 1;"},
      {"two polynomials without a common root", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x(start = 1); initial equation x^2 = 4; x^2 + x = 7; equation der(x) = 1;"},
      {"logarithms", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x(start = 1); initial equation log(x) = log(2) + log(3); x = 6;"
       "equation der(x) = 1;"},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_polynomials);
  RUN_TEST(test_functions_that_are_undone);
  RUN_TEST(test_angles);
  RUN_TEST(test_no_formula_but_one_solution);
  RUN_TEST(test_equations_without_real_solutions_contradict);
  RUN_TEST(test_values_at_and_beyond_the_ends);
  RUN_TEST(test_solutions_at_the_edge_of_a_range_are_not_denied);
  RUN_TEST(test_a_second_equation_agrees_or_contradicts);
  return UNITY_END();
}
