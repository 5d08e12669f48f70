/* Several nonlinear equations at once: planted solutions are found or left open, never denied. */
#include "initcheck/initcheck-priv.h"

#include <math.h>
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

#define FREE "equation der(x) = 1; der(y) = 1;"
#define DECLARED "Real x(start = %.17g); Real y(start = %.17g); initial equation %s; %s; " FREE

typedef struct {
  const char *first, *second;
  double x, y; /* the solution near which the start lies */
} Pair;

static const Pair pairs[] = {
    {"x^2 + y^2 = 25", "x + y = 7", 3, 4},
    {"x^2 + y^2 = 25", "x*y = 12", 4, 3},
    {"x^2 - y^2 = 3", "x + y = 3", 2, 1},
    {"x*y = 6", "x/y = 3/2", 3, 2},
    {"x^3 + y^3 = 9", "x + y = 3", 1, 2},
    {"x^2 + x*y = 10", "y^2 + x*y = 15", 2, 3},
    {"exp(x + y) = 1", "x - y = 4", 2, -2},
    {"sin(x) = y", "x = 1/2", 0.5, 0.47942553860420301},
    {"x^2 + y^2 = 1", "y = 2*x", 0.44721359549995793, 0.89442719099991586},
    {"log(x) + log(y) = log(6)", "x + y = 5", 2, 3},
    {"sqrt(x) + sqrt(y) = 5", "x - y = -5", 4, 9},
    {"x^2 = y", "y^2 = x", 1, 1},
    {"2*x + sin(y) = 4", "y = 0", 2, 0},
    {"x*exp(y) = 3", "y = log(3)", 1, 1.0986122886681098},
    {"x^2 + 2*y^2 = 9", "x^2 - y^2 = -3", 1, 2},
};

static void
test_planted_solutions_are_consistent(void)
{
  int n_decided = 0;
  for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
    const Pair *pair = &pairs[i];
    g_autofree char *text =
        g_strdup_printf(DECLARED, pair->x + 0.05, pair->y - 0.03, pair->first, pair->second);
    Checked checked = check_text(pair->first, text, NULL);
    DaeInitVerdict verdict = dae_init_verdict(checked.init);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, dae_init_n_conflicts(checked.init), text);
    TEST_ASSERT_TRUE_MESSAGE(
        verdict == DAE_INIT_WELL_DETERMINED || verdict == DAE_INIT_UNDECIDED, text);
    n_decided += verdict == DAE_INIT_WELL_DETERMINED;
    g_autofree char *why = NULL;
    TEST_ASSERT_TRUE_MESSAGE(checked_verifies(&checked, &why), why);
    checked_clear(&checked);
  }
  TEST_ASSERT_GREATER_OR_EQUAL_INT((int)G_N_ELEMENTS(pairs) - 1, n_decided);
}

/* The values that the check gives fulfil both equations, evaluated as they were written. */
static void
test_values_fulfil_the_equations(void)
{
  int n_values = 0;
  for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
    const Pair *pair = &pairs[i];
    g_autofree char *text =
        g_strdup_printf(DECLARED, pair->x + 0.05, pair->y - 0.03, pair->first, pair->second);
    Checked checked = check_text(pair->first, text, NULL);
    double v[2] = {NAN, NAN};
    bool has_values = true;
    for (uint32_t j = 0; j < 2; j++) {
      DaeSymbol symbol = dae_model_variable(checked.model, j)->symbol;
      has_values =
          dae_init_value(checked.init, dae_term_symbol(checked.terms, symbol), &v[j]) &&
          has_values;
    }
    if (has_values) {
      n_values++;
      for (uint32_t e = 0; e < 2; e++) {
        const DaeEquation *equation = dae_model_initial_equation(checked.model, e);
        DaeTerm residual = dae_term_sub(checked.terms, equation->lhs, equation->rhs);
        for (uint32_t j = 0; j < 2; j++) {
          DaeSymbol symbol = dae_model_variable(checked.model, j)->symbol;
          residual =
              dae_term_replace(checked.terms, residual, dae_term_symbol(checked.terms, symbol),
                               dae_term_from_double(checked.terms, v[j]));
        }
        double value = NAN;
        dae_term_eval_double(checked.terms, residual, NULL, NULL, &value);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, 0.0, value, text);
      }
    }
    checked_clear(&checked);
  }
  TEST_ASSERT_GREATER_OR_EQUAL_INT((int)G_N_ELEMENTS(pairs) - 1, n_values);
}

/* A third equation that follows, or does not. */
static void
test_a_third_equation_agrees_or_contradicts(void)
{
  static const InitCase cases[] = {
      {"sum of squares", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x + y = 7; x*y = 12; x^2 + y^2 = 25;" FREE},
      {"sum of squares, wrong: already with the sum", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x + y = 7; x*y = 12; x^2 + y^2 = 24;" FREE},
      {"sum of cubes", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x + y = 3; x*y = 2; x^3 + y^3 = 9;" FREE},
      {"sum of cubes, wrong", DAE_INIT_INCONSISTENT, 0, 0, 3, NULL,
       "Real x; Real y; initial equation x + y = 3; x*y = 2; x^3 + y^3 = 10;" FREE},
      {"difference of squares", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x + y = 3; x - y = 1; x^2 - y^2 = 3;" FREE},
      {"difference of squares, wrong", DAE_INIT_INCONSISTENT, 0, 0, 3, NULL,
       "Real x; Real y; initial equation x + y = 3; x - y = 1; x^2 - y^2 = 4;" FREE},
      {"product of exponentials", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = log(2); y = log(5); exp(x + y) = 10;" FREE},
      {"product of exponentials, wrong", DAE_INIT_INCONSISTENT, 0, 0, 3, NULL,
       "Real x; Real y; initial equation x = log(2); y = log(5); exp(x + y) = 11;" FREE},
      {"addition theorem", DAE_INIT_CONSISTENT, 1, 0, 0, NULL,
       "Real x; Real y; initial equation x = 1; y = 2; sin(x + y) = sin(3);" FREE},
      {"circle and line that miss each other", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x^2 + y^2 = 1; x + y = 2;" FREE},
      {"circle and tangent", DAE_INIT_WELL_DETERMINED, 0, 0, 0, NULL,
       "Real x; Real y; initial equation x^2 + y^2 = 2; x + y = 2;" FREE},
      {"two circles that miss each other", DAE_INIT_INCONSISTENT, 0, 0, 2, NULL,
       "Real x; Real y; initial equation x^2 + y^2 = 1; (x - 3)^2 + y^2 = 1;" FREE},
      {"sum of squares that vanishes nowhere", DAE_INIT_INCONSISTENT, 0, 0, 1, NULL,
       "Real x; Real y; initial equation x^2 + y^2 = -1; x = y;" FREE},
  };
  check_cases(cases, G_N_ELEMENTS(cases));
}

/* Random circles and lines: the discriminant says whether they meet. */
static void
test_circles_and_lines_meet_as_the_discriminant_says(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(31);
  for (int k = 0; k < 40; k++) {
    int r2 = g_rand_int_range(random, 1, 30);
    int a = g_rand_int_range(random, -3, 4);
    int c = g_rand_int_range(random, -7, 8);
    /* x^2 + (a*x + c)^2 = r2 */
    int discriminant = a * a * c * c - (1 + a * a) * (c * c - r2);
    if (discriminant == 0) {
      continue;
    }
    g_autofree char *text = g_strdup_printf("Real x(start = 1); Real y; initial equation "
                                            "x^2 + y^2 = %d; y = %d*x + %d;" FREE,
                                            r2, a, c);
    Checked checked = check_text("circle", text, NULL);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(discriminant > 0 ? "well-determined" : "inconsistent",
                                     dae_init_verdict_name(dae_init_verdict(checked.init)),
                                     text);
    checked_clear(&checked);
  }
}

/* Polynomial systems with a planted point and an equation that is a combination of others. */
static void
test_combinations_of_equations_are_redundant(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(32);
  for (int k = 0; k < 25; k++) {
    int x = g_rand_int_range(random, -3, 4);
    int y = g_rand_int_range(random, 1, 5);
    int s = g_rand_int_range(random, 1, 4);
    int t = g_rand_int_range(random, -3, 4);
    bool spoil = k % 2 == 1;
    g_autofree char *text = g_strdup_printf(
        "Real x(start = %d); Real y(start = %d); initial equation x + y^2 = %d; x*y + y = %d; "
        "%d*(x + y^2) + %d*(x*y + y) = %d;" FREE,
        x, y, x + y * y, x * y + y, s, t, s * (x + y * y) + t * (x * y + y) + (spoil ? 1 : 0));
    Checked checked = check_text("combination", text, NULL);
    if (spoil) {
      TEST_ASSERT_EQUAL_UINT32_MESSAGE(1, dae_init_n_conflicts(checked.init), text);
      uint32_t n = dae_init_conflict(checked.init, 0)->n_premises;
      TEST_ASSERT_EQUAL_UINT32_MESSAGE(t == 0 ? 2 : 3, n, text);
    } else {
      TEST_ASSERT_EQUAL_UINT32_MESSAGE(1, dae_init_n_redundant(checked.init), text);
      TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, dae_init_n_conflicts(checked.init), text);
    }
    g_autofree char *why = NULL;
    TEST_ASSERT_TRUE_MESSAGE(checked_verifies(&checked, &why), why);
    checked_clear(&checked);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_planted_solutions_are_consistent);
  RUN_TEST(test_values_fulfil_the_equations);
  RUN_TEST(test_a_third_equation_agrees_or_contradicts);
  RUN_TEST(test_circles_and_lines_meet_as_the_discriminant_says);
  RUN_TEST(test_combinations_of_equations_are_redundant);
  return UNITY_END();
}
