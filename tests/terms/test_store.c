/* Store, symbols, functions, order, signs, memo. */
#include <string.h>

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

static void
test_symbols_are_ranked_by_registration(void)
{
  DaeSymbol symbol = 99;
  TEST_ASSERT_TRUE(dae_terms_find_symbol(terms, "k", &symbol));
  TEST_ASSERT_EQUAL_UINT32(2, symbol);
  TEST_ASSERT_EQUAL_STRING("k", dae_terms_symbol_name(terms, symbol));
  TEST_ASSERT_EQUAL(DAE_SYMBOL_PARAMETER, dae_terms_symbol_kind(terms, symbol));
  TEST_ASSERT_FALSE(dae_terms_find_symbol(terms, "nobody", &symbol));
  TEST_ASSERT_EQUAL_UINT32(7, dae_terms_symbol_count(terms));
}

static void
test_functions_are_found_by_plain_and_library_names(void)
{
  DaeFunction function = DAE_FN_COUNT;
  TEST_ASSERT_TRUE(dae_function_find("sin", 3, &function));
  TEST_ASSERT_EQUAL(DAE_FN_SIN, function);
  TEST_ASSERT_TRUE(dae_function_find("Modelica.Math.atan2", 19, &function));
  TEST_ASSERT_EQUAL(DAE_FN_ATAN2, function);
  TEST_ASSERT_FALSE(dae_function_find("sinus", 5, &function));
  TEST_ASSERT_FALSE(dae_function_find("Modelica.Math.", 14, &function));
  for (int i = 0; i < DAE_FN_PI; i++) {
    const char *name = dae_function_name((DaeFunction)i);
    TEST_ASSERT_TRUE(dae_function_find(name, strlen(name), &function));
    TEST_ASSERT_EQUAL(i, function);
  }
  TEST_ASSERT_TRUE(dae_function_arity_ok(DAE_FN_SEMILINEAR, 3));
  TEST_ASSERT_FALSE(dae_function_arity_ok(DAE_FN_SIN, 2));
}

static void
test_a_name_is_entered_once(void)
{
  DaeSymbol first = 0;
  DaeSymbol second = 0;
  TEST_ASSERT_TRUE(dae_terms_enter_symbol(terms, DAE_SYMBOL_VARIABLE, "entered", &first));
  TEST_ASSERT_FALSE(dae_terms_enter_symbol(terms, DAE_SYMBOL_PARAMETER, "entered", &second));
  TEST_ASSERT_EQUAL_UINT32(first, second);
  TEST_ASSERT_EQUAL(DAE_SYMBOL_VARIABLE, dae_terms_symbol_kind(terms, second));
}

static void
test_inspection(void)
{
  DaeTerm t = read_term(terms, "(< (atan2 x'' y) 2)");
  TEST_ASSERT_EQUAL(DAE_KIND_RELATION, dae_term_kind(terms, t));
  TEST_ASSERT_EQUAL(DAE_REL_LT, dae_term_relation_op(terms, t));
  DaeTerm call = dae_term_operand(terms, t, 0);
  TEST_ASSERT_EQUAL(DAE_FN_ATAN2, dae_term_function(terms, call));
  TEST_ASSERT_EQUAL_UINT32(2, dae_term_order(terms, dae_term_operand(terms, call, 0)));
  int64_t value = 0;
  TEST_ASSERT_TRUE(dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &value));
  TEST_ASSERT_EQUAL_INT64(2, value);
  TEST_ASSERT_FALSE(dae_term_get_int64(terms, read_term(terms, "1/2"), &value));
  TEST_ASSERT_FALSE(dae_term_get_int64(terms, read_term(terms, "1e30"), &value));
  int64_t below = 0;
  TEST_ASSERT_TRUE(dae_term_get_ratio(terms, dae_term_ratio(terms, 6, -4), &value, &below));
  TEST_ASSERT_TRUE(value == -3 && below == 2);
  TEST_ASSERT_FALSE(dae_term_get_ratio(terms, read_term(terms, "1e30"), &value, &below));
  TEST_ASSERT_FALSE(dae_term_get_ratio(terms, read_term(terms, "x"), &value, &below));
  TEST_ASSERT_TRUE(dae_term_is_zero(terms, read_term(terms, "0")));
  TEST_ASSERT_TRUE(dae_term_is_one(terms, read_term(terms, "1")));
  TEST_ASSERT_EQUAL(-1, dae_term_sign(terms, read_term(terms, "-1e-30")));
  TEST_ASSERT_TRUE(dae_term_get_bool(terms, read_term(terms, "true")));
}

static void
assert_before(const char *first, const char *second)
{
  DaeTerm a = read_term(terms, first);
  DaeTerm b = read_term(terms, second);
  TEST_ASSERT_TRUE_MESSAGE(dae_term_compare(terms, a, b) < 0, first);
  TEST_ASSERT_TRUE_MESSAGE(dae_term_compare(terms, b, a) > 0, first);
}

static void
test_the_order_puts_derivatives_degrees_then_ranks(void)
{
  assert_before("x'", "(^ x 5)");
  assert_before("(^ x 2)", "x");
  assert_before("(* x y)", "x");
  assert_before("x", "y");
  assert_before("y", "time");
  assert_before("time", "a");
  assert_before("a", "2");
  assert_before("1", "2");
  assert_before("-1/3", "1/3");
  assert_before("(* k x)", "(* a y)"); /* variables decide before parameters */
  assert_before("(* a x)", "(* k x)");
  assert_before("x", "(* 2 x)");
}

static unsigned
signs(const char *expression)
{
  return dae_term_possible_signs(terms, read_term(terms, expression));
}

static void
test_signs(void)
{
  const unsigned positive = DAE_MAY_BE_POSITIVE;
  const unsigned nonnegative = DAE_MAY_BE_POSITIVE | DAE_MAY_BE_ZERO;
  const unsigned all = 7;
  TEST_ASSERT_EQUAL_UINT(positive, signs("a"));
  TEST_ASSERT_EQUAL_UINT(nonnegative, signs("b"));
  TEST_ASSERT_EQUAL_UINT(all, signs("k"));
  TEST_ASSERT_EQUAL_UINT(DAE_MAY_BE_NEGATIVE, signs("(+ (neg a) -1)"));
  TEST_ASSERT_EQUAL_UINT(positive, signs("(+ a b)"));
  TEST_ASSERT_EQUAL_UINT(all, signs("(+ a (neg b))"));
  TEST_ASSERT_EQUAL_UINT(nonnegative, signs("(^ x 2)"));
  TEST_ASSERT_EQUAL_UINT(positive, signs("(^ x -2)"));
  TEST_ASSERT_EQUAL_UINT(nonnegative, signs("(^ x 1/2)"));
  TEST_ASSERT_EQUAL_UINT(positive, signs("(* pi (exp x) (cosh y))"));
  TEST_ASSERT_EQUAL_UINT(positive, signs("p"));
  TEST_ASSERT_EQUAL_UINT(all, signs("p'"));
  TEST_ASSERT_EQUAL_UINT(nonnegative, signs("(abs x)"));
  TEST_ASSERT_EQUAL_UINT(positive, signs("(log 2)"));
  TEST_ASSERT_EQUAL_UINT(DAE_MAY_BE_NEGATIVE, signs("(log 1/2)"));
  TEST_ASSERT_EQUAL_UINT(all, signs("(^ k x)"));
  TEST_ASSERT_EQUAL_UINT(positive, signs("(if (< x 0) a 1)"));
}

static void
test_assumptions_clear_what_was_known(void)
{
  DaeTerm t = read_term(terms, "(abs k)");
  TEST_ASSERT_EQUAL_UINT32(t, dae_terms_rewrite(terms, t));
  DaeSymbol k = 0;
  TEST_ASSERT_TRUE(dae_terms_find_symbol(terms, "k", &k));
  dae_terms_assume(terms, k, DAE_SIGN_POSITIVE);
  TEST_ASSERT_EQUAL(DAE_SIGN_POSITIVE, dae_terms_assumed(terms, k));
  assert_prints(terms, "k", dae_terms_rewrite(terms, t));
  dae_terms_assume(terms, k, DAE_SIGN_UNKNOWN);
  assert_prints(terms, "abs(k)", dae_terms_rewrite(terms, t));
}

static void
test_rewriting_reaches_the_known_identities(void)
{
  assert_prints(terms, "abs(x)", dae_terms_rewrite(terms, read_term(terms, "(^ (^ x 2) 1/2)")));
  assert_prints(
      terms, "abs(cos(x))",
      dae_terms_rewrite(terms, read_term(terms, "(^ (+ 1 (neg (^ (sin x) 2))) 1/2)")));
  assert_prints(
      terms, "0",
      dae_terms_rewrite(terms, read_term(terms, "(+ (^ (sin x) 2) (^ (cos x) 2) -1)")));
  assert_prints(terms, "0",
                dae_terms_rewrite(terms, read_term(terms, "(+ (exp (log p)) (neg p))")));
  assert_prints(terms, "x",
                dae_terms_rewrite(terms, read_term(terms, "(if (< (sin 0) 1) x y)")));
}

static void
test_a_memo_keeps_many_entries(void)
{
  DaeMemo memo = {.capacity = 0};
  for (uint32_t i = 1; i <= 100000; i++) {
    dae_memo_set(&memo, i * 16, i);
  }
  dae_memo_set(&memo, 16, 7);
  TEST_ASSERT_EQUAL_UINT32(7, dae_memo_get(&memo, 16));
  for (uint32_t i = 2; i <= 100000; i++) {
    TEST_ASSERT_EQUAL_UINT32(i, dae_memo_get(&memo, i * 16));
  }
  TEST_ASSERT_EQUAL_UINT32(0, dae_memo_get(&memo, 17));
  dae_memo_clear(&memo);
  TEST_ASSERT_EQUAL_UINT32(0, dae_memo_get(&memo, 16));
}

/* All of them have the same newest operand: more than its neighbourhood in the table holds. */
static void
test_nodes_that_share_their_newest_operand_are_found_again(void)
{
  enum { N = 5000 };

  static DaeTerm products[N];
  static DaeTerm numbers[N];
  for (int i = 0; i < N; i++) {
    numbers[i] = dae_term_ratio(terms, i + 2, 7919);
  }
  DaeTerm newest = dae_term_variable(terms, 3, 3);
  for (int i = 0; i < N; i++) {
    products[i] = dae_term_mul(terms, numbers[i], newest);
  }
  uint32_t count = dae_terms_count(terms);
  for (int i = 0; i < N; i++) {
    TEST_ASSERT_EQUAL_UINT32(products[i], dae_term_mul(terms, numbers[i], newest));
    TEST_ASSERT_TRUE(i == 0 || products[i] != products[i - 1]);
  }
  TEST_ASSERT_EQUAL_UINT32(count, dae_terms_count(terms));
}

static void
test_memory_is_accounted(void)
{
  size_t before = dae_terms_bytes(terms);
  for (int i = 0; i < 100000; i++) {
    dae_term_int(terms, 1000 + i);
  }
  TEST_ASSERT_TRUE(dae_terms_bytes(terms) > before + 100000 * 32);
  TEST_ASSERT_TRUE(dae_terms_bytes(terms) < before + 100000 * 100);
}

/* Unlisted symbols have numbers and no place in the table: its entries must hold the numbers of
 * those that come after them. */
static void
test_symbols_are_found_after_many_unlisted_ones(void)
{
  enum { N = 9000 };

  DaeSymbol first = 0;
  for (uint32_t k = 0; k < N; k++) {
    dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, "hidden");
  }
  for (uint32_t k = 0; k < N; k++) {
    g_autofree char *name = g_strdup_printf("name%u", k);
    DaeSymbol symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name);
    first = k == 0 ? symbol : first;
    TEST_ASSERT_EQUAL_UINT32(first + k, symbol);
  }
  for (uint32_t k = 0; k < N; k++) {
    g_autofree char *name = g_strdup_printf("name%u", k);
    DaeSymbol symbol = 0;
    TEST_ASSERT_TRUE(dae_terms_find_symbol(terms, name, &symbol));
    TEST_ASSERT_EQUAL_UINT32(first + k, symbol);
  }
  TEST_ASSERT_FALSE(dae_terms_find_symbol(terms, "hidden", NULL));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_symbols_are_ranked_by_registration);
  RUN_TEST(test_functions_are_found_by_plain_and_library_names);
  RUN_TEST(test_a_name_is_entered_once);
  RUN_TEST(test_inspection);
  RUN_TEST(test_the_order_puts_derivatives_degrees_then_ranks);
  RUN_TEST(test_signs);
  RUN_TEST(test_assumptions_clear_what_was_known);
  RUN_TEST(test_rewriting_reaches_the_known_identities);
  RUN_TEST(test_a_memo_keeps_many_entries);
  RUN_TEST(test_nodes_that_share_their_newest_operand_are_found_again);
  RUN_TEST(test_memory_is_accounted);
  RUN_TEST(test_symbols_are_found_after_many_unlisted_ones);
  return UNITY_END();
}
