/* Selections by an index, and constant data of tables. */
#include <math.h>

#include "fixture.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = fixture_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static bool
value_of_atom(void *user, DaeTerm atom, double *value)
{
  (void)atom;
  *value = *(const double *)user;
  return true;
}

static DaeEvalStatus
at(DaeTerm t, double x, double *value)
{
  return dae_term_eval_double(terms, t, value_of_atom, &x, value);
}

static void
test_equal_data_have_one_number(void)
{
  uint32_t a = dae_terms_add_data(terms, (double[]){1.0, 2.0}, 2);
  uint32_t b = dae_terms_add_data(terms, (double[]){1.0, 2.0, 3.0}, 3);
  TEST_ASSERT_TRUE(a != b);
  TEST_ASSERT_EQUAL_UINT32(a, dae_terms_add_data(terms, (double[]){1.0, 2.0}, 2));
  TEST_ASSERT_EQUAL_UINT32(2, dae_terms_data_count(terms));
}

/* A jump at 2: from there on the interval behind it counts. */
static void
test_interval_by_bisection_as_by_search(void)
{
  static const double x[] = {0.0, 1.0, 2.0, 2.0, 3.5, 4.0};
  for (double u = -1.0; u < 6.0; u += 0.25) {
    uint32_t expected = 1;
    for (uint32_t k = 1; k < 5; k++) {
      expected = x[k] <= u ? k + 1 : expected;
    }
    TEST_ASSERT_EQUAL_DOUBLE(expected, dae_data_interval(x, 6, u));
  }
  TEST_ASSERT_TRUE(isnan(dae_data_interval(x, 6, NAN)));
  TEST_ASSERT_EQUAL_DOUBLE(1.0, dae_data_interval(x, 1, 3.0));
}

static void
test_lookup_and_its_evaluation(void)
{
  DaeTerm x = read_term(terms, "x");
  uint32_t data = dae_terms_add_data(terms, (double[]){0.0, 1.0, 3.0}, 3);
  DaeTerm interval = dae_term_interval(terms, data, x);
  DaeTerm element = dae_term_lookup(terms, data, interval);
  double value = 0.0;
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK, at(element, 1.5, &value));
  TEST_ASSERT_EQUAL_DOUBLE(1.0, value);
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_DOMAIN, at(dae_term_lookup(terms, data, x), 4.0, &value));
  TEST_ASSERT_EQUAL_UINT32(dae_term_int(terms, 0), dae_term_partial(terms, element, x));
  assert_prints(terms, "$lookup({0, 1, 3}, $interval({0, 1, 3}, x))", element);
}

static void
test_exact_interval_of_a_number_between_doubles(void)
{
  uint32_t data = dae_terms_add_data(terms, (double[]){0.0, 0.1, 1.0}, 3);
  DaeTerm value = DAE_NO_TERM;
  DaeTerm tenth = dae_term_interval(terms, data, dae_term_ratio(terms, 1, 10));
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK, dae_term_eval_exact(terms, tenth, NULL, NULL, &value));
  TEST_ASSERT_EQUAL_UINT32(dae_term_int(terms, 1), value); /* the double 0.1 is above 1/10 */
}

static void
test_selection(void)
{
  DaeTerm x = read_term(terms, "x");
  const DaeTerm elements[3] = {read_term(terms, "(^ x 2)"), read_term(terms, "7"),
                               read_term(terms, "(log (neg x))")};
  DaeTerm t = dae_term_select(terms, x, elements, 3);
  double value = 0.0;
  assert_prints(terms, "{x^2, 7, log(-x)}[x]", t);
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK, at(t, 1.0, &value)); /* log(-1) is not looked at */
  TEST_ASSERT_EQUAL_DOUBLE(1.0, value);
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_DOMAIN, at(t, 3.0, &value));
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_DOMAIN, at(t, 4.0, &value));
  assert_prints(terms, "{2*x, 0, 1/x}[x]", dae_term_partial(terms, t, x));
  TEST_ASSERT_EQUAL_UINT32(elements[1],
                           dae_term_select(terms, dae_term_int(terms, 2), elements, 3));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM,
                           dae_term_select(terms, dae_term_int(terms, 4), elements, 3));
}

static void
test_gradient_of_a_selection(void)
{
  DaeTerm x = read_term(terms, "x");
  const DaeTerm elements[2] = {read_term(terms, "(^ y 2)"), read_term(terms, "(* x y)")};
  DaeTerm t =
      dae_term_mul(terms, x, dae_term_select(terms, read_term(terms, "k"), elements, 2));
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_gradient(terms, t, variables, derivatives);
  TEST_ASSERT_EQUAL_UINT32(2, variables->len);
  for (guint i = 0; i < 2; i++) {
    DaeTerm partial = dae_term_partial(terms, t, g_array_index(variables, DaeTerm, i));
    TEST_ASSERT_EQUAL_UINT32(partial, g_array_index(derivatives, DaeTerm, i));
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_equal_data_have_one_number);
  RUN_TEST(test_interval_by_bisection_as_by_search);
  RUN_TEST(test_lookup_and_its_evaluation);
  RUN_TEST(test_exact_interval_of_a_number_between_doubles);
  RUN_TEST(test_selection);
  RUN_TEST(test_gradient_of_a_selection);
  return UNITY_END();
}
