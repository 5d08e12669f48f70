/* Solutions near numbers, in balls: found, refused, exact; and functions with loops in them. */
#include <unity.h>

#include "../algebra/expr.h"
#include "base/base.h"
#include "proofcheck/certify.h"
#include "terms/routines.h"

static DaeTerms *terms;
static DaeCertifier *certifier;

void
setUp(void)
{
  terms = dae_terms_new();
  certifier = dae_certifier_new(terms);
}

void
tearDown(void)
{
  dae_certifier_free(certifier);
  dae_terms_free(terms);
}

static bool
solves(const char *f, const char *g, double x, double y)
{
  DaeTerm equations[] = {expr(terms, f), expr(terms, g)};
  DaeTerm atoms[] = {expr(terms, "x"), expr(terms, "y")};
  double values[] = {x, y};
  return dae_certifier_has_solution_near(certifier, equations, atoms, values, 2);
}

static void
test_a_solution_near_the_values(void)
{
  int sign = 0;
  TEST_ASSERT_TRUE(solves("x^2 + y^2 - 1", "x - y", 0.7, 0.7));
  TEST_ASSERT_TRUE(dae_certifier_sign(certifier, expr(terms, "x - 7071/10000"), &sign));
  TEST_ASSERT_EQUAL_INT(1, sign);
  TEST_ASSERT_TRUE(solves("exp(x) - 2 - y", "x + y - 1", 1.1, -0.1));
}

static void
test_no_solution_and_singular_ones_are_refused(void)
{
  TEST_ASSERT_FALSE(solves("x^2 + y^2 + 1", "x - y", 0.1, 0.1));
  TEST_ASSERT_FALSE(solves("x^2 + 1/100000000000000000", "y", 0.0, 0.0));
  TEST_ASSERT_FALSE(solves("(x - 1)^2", "y", 1.0, 0.0));
  TEST_ASSERT_FALSE(solves("x - y", "2*x - 2*y", 1.0, 1.0));
  TEST_ASSERT_FALSE(solves("abs(x)", "y", 0.0, 0.0)); /* no ball around 0 is smooth */
}

static bool
holds(const char *f, const char *x)
{
  DaeTerm equations[] = {expr(terms, f)};
  DaeTerm atoms[] = {expr(terms, "x")};
  dae_certifier_bind(certifier, atoms[0], expr(terms, x));
  return dae_certifier_holds_exactly(certifier, equations, atoms, 1, false);
}

static void
test_equations_that_hold_exactly(void)
{
  TEST_ASSERT_TRUE(holds("3*x - 1", "1/3"));
  TEST_ASSERT_TRUE(holds("x^2 - 4", "2"));
  TEST_ASSERT_FALSE(holds("3*x - 1", "333333333333333333/1000000000000000000"));
  TEST_ASSERT_TRUE(holds("x^2", "0")); /* singular, but a root of a polynomial is isolated */
  TEST_ASSERT_TRUE(holds("abs(x)", "0"));
  TEST_ASSERT_TRUE(holds("abs(x) + 2*x", "0"));
  TEST_ASSERT_FALSE(holds("abs(x) + x", "0")); /* all x <= 0 */
  TEST_ASSERT_FALSE(holds("abs(x) - x", "0"));
}

static void
test_sparse_matrices(void)
{
  DaeCertifierEntry entries[] = {{0, 0, expr(terms, "2")},
                                 {0, 1, expr(terms, "3")},
                                 {1, 0, expr(terms, "4")},
                                 {1, 1, expr(terms, "6")}};
  TEST_ASSERT_FALSE(dae_certifier_is_regular_sparse(certifier, entries, 4, 2));
  entries[3].value = expr(terms, "7");
  TEST_ASSERT_TRUE(dae_certifier_is_regular_sparse(certifier, entries, 4, 2));
}

/* s := 1; for i in 1:n loop s := s*x; end for: x^n, and the derivatives n*x^(n - 1). */
static DaeTerm
power_by_a_loop(DaeTerm x, DaeTerm n)
{
  DaeTerm inputs[] = {expr(terms, "base"), expr(terms, "exponent")};
  DaeTerm states[] = {expr(terms, "s"), expr(terms, "i")};
  DaeTerm initial[] = {dae_term_int(terms, 1), dae_term_int(terms, 1)};
  DaeTerm next[] = {expr(terms, "s*base"), expr(terms, "i + 1")};
  DaeTerm outputs[] = {states[0]};
  DaeRoutine routine = {.name = "power",
                        .inputs = inputs,
                        .states = states,
                        .initial = initial,
                        .next = next,
                        .outputs = outputs,
                        .condition = dae_term_relation(terms, DAE_REL_LE, states[1], inputs[1]),
                        .n_inputs = 2,
                        .n_states = 2,
                        .n_outputs = 1};
  DaeTerm arguments[] = {x, n};
  return dae_term_routine(terms, dae_terms_add_routine(terms, &routine), 0, arguments);
}

static void
test_loops_are_gone_with_their_derivatives(void)
{
  DaeTerm x = expr(terms, "x");
  DaeTerm cube = power_by_a_loop(x, dae_term_int(terms, 3));
  DaeTerm equation = dae_term_sub(terms, cube, dae_term_int(terms, 8));
  double value = 2.1;
  int sign = 0;
  TEST_ASSERT_TRUE(dae_certifier_has_solution_near(certifier, &equation, &x, &value, 1));
  TEST_ASSERT_TRUE(dae_certifier_is_below(certifier, expr(terms, "x - 2"), -30));
  TEST_ASSERT_FALSE(dae_certifier_sign(certifier, expr(terms, "x - 2"), &sign));
  /* how often depends on a ball: open */
  DaeTerm open =
      dae_term_sub(terms, power_by_a_loop(dae_term_int(terms, 2), x), expr(terms, "4"));
  value = 2.0;
  TEST_ASSERT_FALSE(dae_certifier_has_solution_near(certifier, &open, &x, &value, 1));
}

static void
test_a_loop_without_end_has_no_value(void)
{
  DaeTerm x = expr(terms, "x");
  DaeTerm many = power_by_a_loop(x, expr(terms, "1000000000"));
  DaeTerm equation = dae_term_sub(terms, many, dae_term_int(terms, 1));
  double value = 1.0;
  TEST_ASSERT_FALSE(dae_certifier_has_solution_near(certifier, &equation, &x, &value, 1));
}

static void
test_tables_and_subscripts(void)
{
  static const double ends[] = {0, 1, 2, 5};
  static const double slopes[] = {10, 20, 30};
  uint32_t x_data = dae_terms_add_data(terms, ends, 4);
  uint32_t y_data = dae_terms_add_data(terms, slopes, 3);
  DaeTerm x = expr(terms, "x");
  int sign = 0;

  const struct {
    const char *at;
    double value;
  } cases[] = {{"-3", 10},  {"0", 10}, {"1/2", 10}, {"1", 20},
               {"3/2", 20}, {"2", 30}, {"9", 30}};

  for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
    dae_certifier_bind(certifier, x, expr(terms, cases[k].at));
    DaeTerm found = dae_term_lookup(terms, y_data, dae_term_interval(terms, x_data, x));
    DaeTerm off = dae_term_sub(terms, found, dae_term_from_double(terms, cases[k].value + 0.5));
    TEST_ASSERT_TRUE(dae_certifier_sign(certifier, off, &sign));
    TEST_ASSERT_EQUAL_INT_MESSAGE(-1, sign, cases[k].at);
    off = dae_term_sub(terms, found, dae_term_from_double(terms, cases[k].value - 0.5));
    TEST_ASSERT_TRUE(dae_certifier_sign(certifier, off, &sign));
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, sign, cases[k].at);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_solution_near_the_values);
  RUN_TEST(test_no_solution_and_singular_ones_are_refused);
  RUN_TEST(test_equations_that_hold_exactly);
  RUN_TEST(test_sparse_matrices);
  RUN_TEST(test_loops_are_gone_with_their_derivatives);
  RUN_TEST(test_a_loop_without_end_has_no_value);
  RUN_TEST(test_tables_and_subscripts);
  return UNITY_END();
}
