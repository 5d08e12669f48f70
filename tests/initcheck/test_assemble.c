/* The initial problem: which unknowns and premises it has, and what is put in before the search. */
#include "initcheck/initcheck-priv.h"

#include <unity.h>

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
  const char *text;
  uint32_t unknowns, premises, initial;
  int64_t dof;
} Sizes;

/* unknowns: sum of d_j + 1, and free parameters; premises: sum of c_i + 1, and initial ones. */
static void
test_sizes_are_those_of_the_derivative_array(void)
{
  static const Sizes list[] = {
      {"Real x; equation der(x) = 1;", 2, 1, 0, 1},
      {"Real x; initial equation x = 1; equation der(x) = 1;", 2, 2, 1, 1},
      {"Real x(start = 1, fixed = true); equation der(x) = 1;", 2, 2, 1, 1},
      {"Real x; Real y; equation der(x) = y; der(y) = x;", 4, 2, 0, 2},
      {"Real x; Real y; equation der(x) = y; y = 2*x;", 3, 2, 0, 1},
      {"Real x; Real y; equation der(x) = y; x = sin(time);", 3, 3, 0, 0},
      {"Real x; Real y; Real z; equation der(x) = y; der(y) = z; x = sin(time);", 6, 6, 0, 0},
      {"Real x; parameter Real k(fixed = false); initial equation x = 1; k = 2;"
       "equation der(x) = k;",
       3, 3, 2, 1},
      {"Real x; equation x^2 = 4;", 1, 1, 0, 0},
      {"Real x; Real y; Real a; Real b; Real h; equation der(x) = a; der(y) = b; der(a) = -x*h;"
       "der(b) = -y*h - 9; x^2 + y^2 = 1;",
       11, 9, 0, 2},
  };
  for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
    Inside in = inside_new(list[i].text);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(list[i].unknowns, in.sys->unknowns->len, list[i].text);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(list[i].premises, in.sys->premises->len, list[i].text);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(list[i].initial, dae_initial_n_conditions(in.problem),
                                     list[i].text);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(list[i].dof, dae_initial_dof(in.problem), list[i].text);
    inside_clear(&in);
  }
}

/* Unknowns minus premises of the equations: the degrees of freedom and the free parameters. */
static void
test_the_count_of_the_array_gives_the_degrees_of_freedom(void)
{
  static const char *const texts[] = {
      "Real x; Real y; equation der(x) = y; der(y) = -x;",
      "Real u = 10; Real u1; Real u2; Real i; equation i = der(u1); i = der(u2); u = u1 + u2;",
      "Real s; Real v; Real f; equation der(s) = v; der(v) = f; s = sin(time);",
      "Real x; Real y; Real z; equation der(x) = y*z; x + y = 1; z = x^2;",
      "Real a; Real b; Real t; equation der(a) = t; der(b) = 5 - t; b = 3*a;",
  };
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    Inside in = inside_new(texts[i]);
    int64_t n_array = (int64_t)in.sys->premises->len - dae_initial_n_conditions(in.problem);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(dae_sig_dof(in.sig),
                                    (int64_t)in.sys->unknowns->len - n_array, texts[i]);
    inside_clear(&in);
  }
}

static void
test_every_unknown_knows_its_variable_and_order(void)
{
  Inside in =
      inside_new("Real x(start = 7); Real y; parameter Real p(fixed = false, start = 3);"
                 "initial equation x = p; y = 1; p = 2;"
                 "equation der(x) = y; der(y) = -x;");

  static const struct {
    const char *name;
    uint32_t order;
    bool is_potential_state, is_parameter;
    double guess;
  } expected[] = {
      {"x", 0, true, false, 7},       {"der(x)", 1, false, false, 0}, {"y", 0, true, false, 0},
      {"der(y)", 1, false, false, 0}, {"p", 0, false, true, 3},
  };

  TEST_ASSERT_EQUAL_UINT32(G_N_ELEMENTS(expected), in.sys->unknowns->len);
  for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
    uint32_t z = inside_unknown(&in, expected[i].name);
    const IcUnknown *unknown = &g_array_index(in.sys->unknowns, IcUnknown, z);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(expected[i].order, unknown->order, expected[i].name);
    TEST_ASSERT_EQUAL_MESSAGE(expected[i].is_parameter, unknown->variable == IC_NONE,
                              expected[i].name);
    TEST_ASSERT_EQUAL_MESSAGE(expected[i].is_potential_state, unknown->is_potential_state,
                              expected[i].name);
    TEST_ASSERT_EQUAL_DOUBLE(expected[i].guess, ic_guess(in.sys, z));
  }
  inside_clear(&in);
}

/* ---- what is put in ---------------------------------------------------------------------- */

static void
check_prepared(const char *declarations, const char *text, const char *expected)
{
  g_autofree char *whole =
      g_strdup_printf("%s Real x; Real y; equation der(x) = 1; der(y) = 1;", declarations);
  Inside in = inside_new(whole);
  bool used_values = false;
  DaeTerm got = ic_prepare(in.sys, inside_term(&in, text), &used_values);
  g_autofree char *printed = inside_text(&in, got);
  g_autofree char *message = g_strdup_printf("%s: %s, not %s", text, printed, expected);
  TEST_ASSERT_TRUE_MESSAGE(inside_equal(&in, got, inside_term(&in, expected)), message);
  inside_clear(&in);
}

static void
test_time_is_the_start_time(void)
{
  check_prepared("", "time", "0");
  check_prepared("", "x + sin(time)", "x");
  check_prepared("", "x*cos(time) + time*y", "x");
  check_prepared("", "exp(-time)*(x + y)", "x + y");
  check_prepared("", "if time > 1 then x else y", "y");
  check_prepared("", "if time >= 0 then x else y", "x");
}

static void
test_dependent_parameters_are_written_out_and_independent_ones_stay(void)
{
  static const char parameters[] = "parameter Real a = 2; parameter Real b = 3*a;"
                                   "parameter Real c = a + b; constant Real k = 5;";
  check_prepared(parameters, "a", "a");
  check_prepared(parameters, "b", "3*a");
  check_prepared(parameters, "c", "4*a");
  check_prepared(parameters, "c*x - b*y", "4*a*x - 3*a*y");
}

static void
test_conditions_that_can_be_decided_are(void)
{
  check_prepared("", "if 1 > 2 then x else y", "y");
  check_prepared("", "if x^2 + 1 > 0 then x else y", "x");
  check_prepared("", "if exp(x) < 0 then x else y", "y");
  check_prepared("parameter Real a = 2;", "if a > 1 then x else y", "x");
  check_prepared("parameter Real a = 2;", "abs(a)*x", "a*x");
}

static void
test_values_that_decide_are_told(void)
{
  Inside in = inside_new("parameter Real a = 2; Real x; equation der(x) = 1;");
  bool used_values = false;
  ic_prepare(in.sys, inside_term(&in, "x + a"), &used_values);
  TEST_ASSERT_FALSE(used_values);
  ic_prepare(in.sys, inside_term(&in, "if a > 1 then x else 1"), &used_values);
  TEST_ASSERT_TRUE(used_values);
  inside_clear(&in);
}

static void
test_what_is_undefined_at_the_start_has_no_residual(void)
{
  Inside in = inside_new("Real x; initial equation x = 1/time; equation der(x) = 1;");
  uint32_t n_undefined = 0;
  for (uint32_t p = 0; p < in.sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(in.sys->premises, IcPremise, p);
    n_undefined += premise->residual == DAE_NO_TERM;
    TEST_ASSERT_EQUAL(premise->id.is_initial, premise->residual == DAE_NO_TERM);
  }
  TEST_ASSERT_EQUAL_UINT32(1, n_undefined);
  inside_clear(&in);
}

/* ---- values of parameters ---------------------------------------------------------------- */

static void
test_values_are_put_in_where_asked_for(void)
{
  Inside in = inside_new("parameter Real a = 2; parameter Real b = a^2; Real x;"
                         "equation der(x) = a*x + b;");
  TEST_ASSERT_TRUE(
      inside_equal(&in, ic_at_values(in.sys, inside_term(&in, "a*b")), inside_term(&in, "8")));
  TEST_ASSERT_EQUAL_INT(DAE_ZERO, ic_zero_at_values(in.sys, inside_term(&in, "a^2 - b")));
  TEST_ASSERT_EQUAL_INT(DAE_ZERO, ic_zero_at_values(in.sys, inside_term(&in, "a - 2")));
  TEST_ASSERT_EQUAL_INT(DAE_NONZERO, ic_zero_at_values(in.sys, inside_term(&in, "a - 3")));
  TEST_ASSERT_TRUE(ic_is_constant_in_parameters(in.sys, inside_term(&in, "a + 1")));
  TEST_ASSERT_FALSE(ic_is_constant_in_parameters(in.sys, inside_term(&in, "3")));
  inside_clear(&in);
}

static void
test_at_given_values_no_parameter_is_left(void)
{
  static const char text[] = "parameter Real a = 2; parameter Real b = a + 1; Real x; Real y;"
                             "initial equation x = a*b; equation der(x) = a*y; y = b*x;";
  Inside symbolic = inside_new(text);
  Inside numbers = inside_new_at_values(text);
  uint32_t n_symbolic = 0;
  for (uint32_t p = 0; p < symbolic.sys->premises->len; p++) {
    n_symbolic += dae_term_has_parameters(
        symbolic.terms, g_array_index(symbolic.sys->premises, IcPremise, p).residual);
    TEST_ASSERT_FALSE(dae_term_has_parameters(
        numbers.terms, g_array_index(numbers.sys->premises, IcPremise, p).residual));
  }
  TEST_ASSERT_EQUAL_UINT32(3, n_symbolic);
  inside_clear(&symbolic);
  inside_clear(&numbers);
}

static void
test_unknowns_inside_of_terms_are_found(void)
{
  Inside in =
      inside_new("parameter Real p = 1; Real x; Real y; equation der(x) = p; der(y) = x;");
  TEST_ASSERT_FALSE(ic_has_unknown(in.sys, inside_term(&in, "p + 1")));
  TEST_ASSERT_FALSE(ic_has_unknown(in.sys, inside_term(&in, "sin(p)")));
  TEST_ASSERT_TRUE(ic_has_unknown(in.sys, inside_term(&in, "p*x")));
  TEST_ASSERT_TRUE(ic_has_unknown(in.sys, inside_term(&in, "exp(sin(der(y)))")));
  const GArray *inside = ic_unknowns_inside(in.sys, inside_term(&in, "x*y + sin(x)"));
  TEST_ASSERT_EQUAL_UINT(2, inside->len);
  TEST_ASSERT_TRUE(g_array_index(inside, uint32_t, 0) < g_array_index(inside, uint32_t, 1));
  double value = 0.0;
  TEST_ASSERT_TRUE(ic_numeric_value(in.sys, inside_term(&in, "3*p + x"), &value));
  TEST_ASSERT_EQUAL_DOUBLE(3.0, value);
  inside_clear(&in);
}

static void
test_numbers_are_sorted_and_told_once(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (int n = 0; n < 60; n++) {
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    bool seen[16] = {false};
    for (int i = 0; i < n; i++) {
      uint32_t k = (uint32_t)g_rand_int_range(random, 0, 16);
      seen[k] = true;
      g_array_append_val(list, k);
    }
    ic_sort_unique(list);
    uint32_t at = 0;
    for (uint32_t k = 0; k < 16; k++) {
      if (seen[k]) {
        TEST_ASSERT_EQUAL_UINT32(k, g_array_index(list, uint32_t, at));
        at++;
      }
    }
    TEST_ASSERT_EQUAL_UINT(at, list->len);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_sizes_are_those_of_the_derivative_array);
  RUN_TEST(test_the_count_of_the_array_gives_the_degrees_of_freedom);
  RUN_TEST(test_every_unknown_knows_its_variable_and_order);
  RUN_TEST(test_time_is_the_start_time);
  RUN_TEST(test_dependent_parameters_are_written_out_and_independent_ones_stay);
  RUN_TEST(test_conditions_that_can_be_decided_are);
  RUN_TEST(test_values_that_decide_are_told);
  RUN_TEST(test_what_is_undefined_at_the_start_has_no_residual);
  RUN_TEST(test_values_are_put_in_where_asked_for);
  RUN_TEST(test_at_given_values_no_parameter_is_left);
  RUN_TEST(test_unknowns_inside_of_terms_are_found);
  RUN_TEST(test_numbers_are_sorted_and_told_once);
  return UNITY_END();
}
