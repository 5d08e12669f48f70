#include "fixture.h"

static DaeTerms *terms;
static GArray *variables;
static GArray *derivatives;

void
setUp(void)
{
  terms = fixture_new();
  variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
}

void
tearDown(void)
{
  g_array_free(variables, TRUE);
  g_array_free(derivatives, TRUE);
  dae_terms_free(terms);
}

static void
assert_entry(guint i, const char *variable, const char *derivative)
{
  assert_prints(terms, variable, g_array_index(variables, DaeTerm, i));
  assert_prints(terms, derivative, g_array_index(derivatives, DaeTerm, i));
}

static void
test_one_entry_per_variable_by_declaration_then_order(void)
{
  DaeTerm t = read_term(terms, "(+ (* a z x') (^ x 3) (* y (sin z)) k)");
  dae_term_gradient(terms, t, variables, derivatives);
  TEST_ASSERT_EQUAL_UINT(4, variables->len);
  TEST_ASSERT_EQUAL_UINT(4, derivatives->len);
  assert_entry(0, "x", "3*x^2");
  assert_entry(1, "der(x)", "a*z");
  assert_entry(2, "y", "sin(z)");
  assert_entry(3, "z", "a*der(x) + y*cos(z)");
}

static void
test_entries_are_appended(void)
{
  dae_term_gradient(terms, read_term(terms, "(* 2 x)"), variables, derivatives);
  dae_term_gradient(terms, read_term(terms, "(if (< x 0) y z)"), variables, derivatives);
  TEST_ASSERT_EQUAL_UINT(4, variables->len);
  assert_entry(0, "x", "2");
  assert_entry(1, "x", "0");
  assert_entry(2, "y", "if x < 0 then 1 else 0");
  assert_entry(3, "z", "if x < 0 then 0 else 1");
}

static void
test_a_term_without_variables_has_no_entries(void)
{
  dae_term_gradient(terms, read_term(terms, "(* a time)"), variables, derivatives);
  TEST_ASSERT_EQUAL_UINT(0, variables->len);
}

/* 4*x stands for itself and in functions; x alone and in a branch. */
static void
test_linear_summands_may_occur_in_others(void)
{
  DaeTerm t = dae_term_add(terms, read_term(terms, "(+ 1 y (* 4 x) (sin (* 4 x)))"),
                           read_term(terms, "(+ (* 2 z (^ (+ (* 4 x) y) 2)) (* -3 x') "
                                            "(if (< z 0) y (* 5 y)))"));
  dae_term_gradient(terms, t, variables, derivatives);
  TEST_ASSERT_EQUAL_UINT(4, variables->len);
  for (guint i = 0; i < variables->len; i++) {
    DaeTerm x = g_array_index(variables, DaeTerm, i);
    TEST_ASSERT_EQUAL_UINT32(dae_term_partial(terms, t, x),
                             g_array_index(derivatives, DaeTerm, i));
  }
  assert_entry(1, "der(x)", "-3");
}

/* Outside its branch an if-term must not ask for anything: x/y is not defined at y = 0. */
static void
test_branches_stay_guarded(void)
{
  DaeTerm t = read_term(terms, "(* 2 (if (== y 0) x (* x (^ y -1))))");
  dae_term_gradient(terms, t, variables, derivatives);
  assert_entry(0, "x", "2*(if y == 0 then 1 else 1/y)");
  assert_entry(1, "y", "2*(if y == 0 then 0 else -x/y^2)");
}

/* x_1 * ... * x_n through a chain of products, and a sum of n squares: cost linear in n. */
static void
test_cost_does_not_grow_with_the_number_of_variables(void)
{
  enum { N = 20000 };

  DaeTerm *squares = g_new(DaeTerm, N);
  DaeTerm chain = read_term(terms, "x");
  char name[16];
  for (int i = 0; i < N; i++) {
    g_snprintf(name, sizeof name, "v%d", i);
    DaeTerm v = dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name));
    squares[i] = dae_term_pow_int(terms, v, 2);
    chain = dae_term_add(terms, v, dae_term_call1(terms, DAE_FN_SIN, chain));
  }
  uint32_t before = dae_terms_count(terms);
  dae_term_gradient(terms, dae_term_sum(terms, squares, N), variables, derivatives);
  TEST_ASSERT_EQUAL_UINT(N, variables->len);
  TEST_ASSERT_LESS_THAN_UINT32(4 * N, dae_terms_count(terms) - before);
  g_free(squares);
  before = dae_terms_count(terms);
  uint32_t few = 200;
  for (uint32_t i = 0; i < N - few;
       i++) { /* a chain of 200 levels: each derivative is a product */
    chain = dae_term_operand(terms, dae_term_operand(terms, chain, 1), 0);
  }
  dae_term_gradient(terms, chain, variables, derivatives);
  TEST_ASSERT_EQUAL_UINT(N + few + 1, variables->len);
  TEST_ASSERT_LESS_THAN_UINT32(10 * few, dae_terms_count(terms) - before);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_one_entry_per_variable_by_declaration_then_order);
  RUN_TEST(test_entries_are_appended);
  RUN_TEST(test_a_term_without_variables_has_no_entries);
  RUN_TEST(test_linear_summands_may_occur_in_others);
  RUN_TEST(test_branches_stay_guarded);
  RUN_TEST(test_cost_does_not_grow_with_the_number_of_variables);
  return UNITY_END();
}
