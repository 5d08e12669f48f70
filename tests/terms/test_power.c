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
  g_autoptr(GString) why = g_string_new(NULL);
  TEST_ASSERT_TRUE_MESSAGE(dae_terms_check(terms, why), why->str);
  dae_terms_free(terms);
}

static void
test_integer_powers_of_numbers_are_folded(void)
{
  assert_text(terms, "1024", "(^ 2 10)");
  assert_text(terms, "0.125", "(^ 2 -3)");
  assert_text(terms, "-1", "(^ -1 1000000000000000001)");
  assert_text(terms, "1", "(^ 0 0)");
  assert_text(terms, "0", "(^ 0 1/3)");
}

static void
test_zero_to_a_negative_power_is_no_term(void)
{
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, read_term(terms, "(^ 0 -1)"));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, read_term(terms, "(^ 0 -1/2)"));
}

static void
test_huge_powers_are_not_computed(void)
{
  assert_text(terms, "2^1000000000", "(^ 2 1000000000)");
  assert_text(terms, "x^1000000000", "(^ x 1000000000)");
  assert_text(terms, "1", "(* (^ 2 1000000000) (^ 2 -1000000000))");
  assert_text(terms, "(2*x)^1000000000", "(^ (* 2 x) 1000000000)");
  assert_text(terms, "x^1e30", "(^ x 1e30)");
}

static void
test_roots_of_numbers_are_canonical(void)
{
  assert_text(terms, "2*sqrt(2)", "(^ 8 1/2)");
  assert_text(terms, "3", "(^ 27 1/3)");
  assert_text(terms, "0.5*sqrt(2)", "(^ 1/2 1/2)");
  assert_text(terms, "sqrt(2)*sqrt(3)", "(^ 6 1/2)");
  assert_text(terms, "6", "(* (^ 2 1/2) (^ 3 1/2) (^ 6 1/2))");
  assert_text(terms, "0", "(+ (* (^ 2 1/2) (^ 3 1/2)) (neg (^ 6 1/2)))");
  assert_text(terms, "2*2^0.25", "(* (^ 2 1/2) (^ 2 3/4))");
  assert_text(terms, "100000000000000000039",
              "(^ 10000000000000000007800000000000000001521 1/2)");
}

/* Its parts would be roots that no double holds. */
static void
test_a_long_number_keeps_its_root(void)
{
  g_autofree char *zeros = g_strnfill(318, '0');
  g_autofree char *text = g_strdup_printf("(^ 1%s9/7%s 1/2)", zeros, zeros);
  DaeTerm t = read_term(terms, text);
  double value = 0;
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK, dae_term_eval_double(terms, t, NULL, NULL, &value));
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1.1952286093343936, value);
  TEST_ASSERT_EQUAL_INT(DAE_KIND_POWER, dae_term_kind(terms, t));
}

static void
test_a_negative_number_keeps_its_fraction(void)
{
  assert_text(terms, "(-8)^(1/3)", "(^ -8 1/3)");
}

static void
test_integer_powers_open_products_and_powers(void)
{
  assert_text(terms, "4*x^2*y^2", "(^ (* 2 x y) 2)");
  assert_text(terms, "x^6", "(^ (^ x 2) 3)");
  assert_text(terms, "x", "(^ (^ x 1/2) 2)");
  assert_text(terms, "x^(2*y)", "(^ (^ x y) 2)");
}

/* No double holds 4^1000, nor p^100 for a pressure p. */
static void
test_high_powers_stay_whole(void)
{
  assert_text(terms, "(4*x*(x - 1))^1000", "(^ (* 4 x (+ 1 (neg x))) 1000)");
  assert_text(terms, "-(4*x*(x - 1))^1001", "(^ (* 4 x (+ 1 (neg x))) 1001)");
  assert_text(terms, "-x^33", "(^ (neg x) 33)");
  assert_text(terms, "(2*x*y)^40", "(^ (neg (* 2 x y)) 40)");
  assert_text(terms, "x^20*y^20", "(* (^ (* x y) 60) (^ (* x y) -40))");
}

/* sqrt(x^2) is abs(x): that is the business of a rule, never of the constructor. */
static void
test_fractions_do_not_open_powers(void)
{
  assert_text(terms, "sqrt(x^2)", "(^ (^ x 2) 1/2)");
  assert_text(terms, "sqrt(x*y)", "(^ (* x y) 1/2)");
  assert_different(terms, "(^ (^ x 2) 1/2)", "x");
}

static void
test_trivial_powers(void)
{
  assert_text(terms, "1", "(^ x 0)");
  assert_text(terms, "x", "(^ x 1)");
  assert_text(terms, "1", "(^ 1 x)");
}

/* Deep nests of roots: no recursion, and a power of 2^40 opens forty of them. */
static void
test_nested_roots_are_opened_without_trouble(void)
{
  DaeTerm t = read_term(terms, "x");
  for (int i = 0; i < 100000; i++) {
    t = dae_term_sqrt(terms, dae_term_add(terms, t, read_term(terms, "y")));
  }
  TEST_ASSERT_NOT_EQUAL(DAE_NO_TERM, dae_term_total(terms, t));
  DaeTerm s = read_term(terms, "x");
  for (int i = 0; i < 40; i++) {
    s = dae_term_sqrt(terms, s);
  }
  assert_prints(terms, "x", dae_term_pow_int(terms, s, INT64_C(1) << 40));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_integer_powers_of_numbers_are_folded);
  RUN_TEST(test_zero_to_a_negative_power_is_no_term);
  RUN_TEST(test_huge_powers_are_not_computed);
  RUN_TEST(test_roots_of_numbers_are_canonical);
  RUN_TEST(test_a_long_number_keeps_its_root);
  RUN_TEST(test_a_negative_number_keeps_its_fraction);
  RUN_TEST(test_integer_powers_open_products_and_powers);
  RUN_TEST(test_high_powers_stay_whole);
  RUN_TEST(test_fractions_do_not_open_powers);
  RUN_TEST(test_trivial_powers);
  RUN_TEST(test_nested_roots_are_opened_without_trouble);
  return UNITY_END();
}
