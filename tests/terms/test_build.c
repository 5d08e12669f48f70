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
test_equal_terms_have_equal_ids(void)
{
  assert_same(terms, "(+ x y)", "(+ y x)");
  assert_same(terms, "(* x y)", "(* y x)");
  assert_same(terms, "(+ x (+ y z))", "(+ (+ x y) z)");
  assert_different(terms, "(+ x y)", "(* x y)");
  assert_different(terms, "(^ x y)", "(^ y x)");
}

static void
test_sums_add_equal_monomials(void)
{
  assert_text(terms, "3*x", "(+ x (* 2 x))");
  assert_text(terms, "0", "(+ x (neg x))");
  assert_text(terms, "1.5*x*y", "(+ (* x y) (* 1/2 y x))");
  assert_text(terms, "x + 1", "(+ x 3 -2)");
  assert_text(terms, "x", "(+ x 2 -2)");
}

static void
test_tenths_are_exact(void)
{
  assert_text(terms, "0", "(+ 0.1 0.2 (neg 0.3))");
}

static void
test_products_add_exponents(void)
{
  assert_text(terms, "x^3", "(* x (^ x 2))");
  assert_text(terms, "1", "(* x (^ x -1))");
  assert_text(terms, "x", "(* (^ x 1/2) (^ x 1/2))");
  assert_text(terms, "x^(y + z)", "(* (^ x y) (^ x z))");
  assert_text(terms, "0", "(* x 0)");
  assert_text(terms, "6*x*y", "(* 2 x (* 3 y))");
}

static void
test_a_number_times_one_sum_is_distributed(void)
{
  assert_text(terms, "2*x + 2*y", "(* 2 (+ x y))");
  assert_text(terms, "-x - y", "(neg (+ x y))");
  assert_text(terms, "x + y", "(* 1/2 (+ (* 2 x) (* 2 y)))");
}

static void
test_a_sum_among_factors_is_primitive(void)
{
  assert_same(terms, "(* (* 2 (+ x y)) z)", "(* 2 (* (+ x y) z))");
  assert_text(terms, "2*z*(x + y)", "(* (+ (* 2 x) (* 2 y)) z)");
  assert_text(terms, "-1", "(* (+ x (neg y)) (^ (+ y (neg x)) -1))");
  assert_text(terms, "0.25/(x + y)^2", "(^ (+ (* 2 x) (* 2 y)) -2)");
  assert_text(terms, "2*(x + y)^2", "(* (+ (* 2 x) (* 2 y)) (+ x y))");
  assert_text(terms, "z*(3*x + 2*y)/6", "(* z (+ (* 1/2 x) (* 1/3 y)))");
}

/* A power that comes apart inside a product may meet other factors. */
static void
test_opened_powers_meet_their_bases(void)
{
  assert_text(terms, "x^3", "(* x (^ (^ x 2) 1/2) (^ (^ x 2) 1/2))");
  assert_text(terms, "x^2*y", "(* x (^ (* x y) 1/2) (^ (* x y) 1/2))");
  assert_text(terms, "2*(x + y)^2",
              "(* (+ x y) (^ (+ (* 2 x) (* 2 y)) 1/2) (^ (+ (* 2 x) (* 2 y)) 1/2))");
}

static void
test_division_by_the_number_zero_is_no_term(void)
{
  DaeTerm x = read_term(terms, "x");
  DaeTerm zero = read_term(terms, "0");
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, dae_term_div(terms, x, zero));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, dae_term_add(terms, x, DAE_NO_TERM));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, dae_term_mul(terms, DAE_NO_TERM, x));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, dae_term_call1(terms, DAE_FN_SIN, DAE_NO_TERM));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, dae_term_sum(terms, (DaeTerm[]){x, DAE_NO_TERM}, 2));
}

static void
test_empty_sum_and_product(void)
{
  assert_prints(terms, "0", dae_term_sum(terms, NULL, 0));
  assert_prints(terms, "1", dae_term_product(terms, NULL, 0));
}

static void
test_a_long_sum_is_sorted_once(void)
{
  enum { N = 200000 };

  DaeTerm *list = g_new(DaeTerm, N);
  char name[16];
  for (int i = 0; i < N; i++) {
    g_snprintf(name, sizeof name, "v%d", i);
    DaeSymbol symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name);
    list[(i * 7919L) % N] = dae_term_variable(terms, symbol, 0); /* 7919 and N are coprime */
  }
  DaeTerm sum = dae_term_sum(terms, list, N);
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, sum, &n);
  TEST_ASSERT_EQUAL_UINT32(N, n);
  for (uint32_t i = 1; i < n; i++) {
    TEST_ASSERT_TRUE(dae_term_get_symbol(terms, operands[i - 1]) <
                     dae_term_get_symbol(terms, operands[i]));
  }
  for (int i = 0; i < N; i++) {
    list[i] = dae_term_neg(terms, list[i]);
  }
  TEST_ASSERT_EQUAL_UINT32(dae_term_neg(terms, sum), dae_term_sum(terms, list, N));
  g_free(list);
}

/* One operand after the other: the same term as at once; at the end, in linear time and memory. */
static void
test_a_sum_that_grows_at_its_end_costs_linear_memory(void)
{
  enum { N = 50000 };

  DaeTerm *list = g_new(DaeTerm, N);
  DaeTerm sum = dae_term_int(terms, 0);
  DaeTerm backwards = sum;
  char name[16];
  for (int i = 0; i < N; i++) {
    g_snprintf(name, sizeof name, "v%d", i);
    list[i] = dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name));
  }
  size_t before = dae_terms_bytes(terms);
  for (int i = 0; i < N; i++) {
    sum = dae_term_add(terms, sum, list[i]);
  }
  TEST_ASSERT_TRUE(dae_terms_bytes(terms) - before < (size_t)N * 200);
  TEST_ASSERT_EQUAL_UINT32(sum, dae_term_sum(terms, list, N));
  for (int i = 999; i >= 0; i--) {
    backwards = dae_term_add(terms, backwards, list[i]);
  }
  TEST_ASSERT_EQUAL_UINT32(dae_term_sum(terms, list, 1000), backwards);
  /* Two sums with a common beginning do not disturb each other. */
  DaeTerm one = dae_term_add(terms, backwards, list[2000]);
  DaeTerm two = dae_term_add(terms, backwards, list[3000]);
  TEST_ASSERT_EQUAL_UINT32(list[2000], dae_term_operand(terms, one, 1000));
  TEST_ASSERT_EQUAL_UINT32(list[3000], dae_term_operand(terms, two, 1000));
  TEST_ASSERT_EQUAL_UINT32(one, dae_term_add(terms, list[2000], backwards));
  g_free(list);
  dae_terms_free(terms); /* checking each of the 50000 sums would be quadratic */
  terms = fixture_new();
}

static bool
value_two(void *user, DaeTerm atom, double *value)
{
  (void)user;
  (void)atom;
  *value = 2;
  return true;
}

/* c*(c*(c*(...)*x + 1)*x + 1)*x + 1 with c = 7/533^9: as integers the coefficients of the outermost
 * sums have hundreds of digits. */
static void
test_sums_with_long_coefficients_begin_with_one(void)
{
  DaeTerm x = read_term(terms, "x");
  DaeTerm c = dae_term_pow(terms, dae_term_ratio(terms, 7, 533), dae_term_int(terms, 9));
  DaeTerm horner = dae_term_int(terms, 1);
  for (int k = 0; k < 14; k++) {
    horner = dae_term_add(terms, dae_term_int(terms, 1),
                          dae_term_product(terms, (DaeTerm[]){c, x, horner}, 3));
  }
  DaeTerm twice = dae_term_mul(terms, dae_term_int(terms, 2), horner);
  DaeTerm one = dae_term_mul(terms, twice, x);
  DaeTerm other = dae_term_mul(terms, dae_term_int(terms, 2), dae_term_mul(terms, horner, x));
  TEST_ASSERT_EQUAL_UINT32(one, other);
  double value = 0;
  TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK, dae_term_eval_double(terms, one, value_two, NULL, &value));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 4, value);
  TEST_ASSERT_EQUAL_UINT32(0, dae_term_content_bits(terms, x));
  TEST_ASSERT_TRUE(dae_term_content_bits(terms, dae_term_mul(terms, c, x)) > 80);
}

static void
test_operand_pointers_survive_later_terms(void)
{
  DaeTerm sum = read_term(terms, "(+ x y z 1)");
  const DaeTerm *operands = dae_term_operands(terms, sum, NULL);
  DaeTerm first = operands[0];
  for (int i = 0; i < 100000; i++) {
    dae_term_add(terms, sum, dae_term_int(terms, i + 1000));
  }
  TEST_ASSERT_EQUAL_PTR(operands, dae_term_operands(terms, sum, NULL));
  TEST_ASSERT_EQUAL_UINT32(first, operands[0]);
}

static void
test_and_or_are_flat_sorted_and_without_repetition(void)
{
  assert_same(terms, "(and (< x y) (< y z))", "(and (< y z) (and (< x y) (< y z)))");
  assert_same(terms, "(or (< x y) (< x y))", "(< x y)");
}

static void
test_a_difference_of_sums_is_the_sum_with_the_opposite(void)
{
  const char *texts[] = {"0",
                         "x",
                         "(+ x 1)",
                         "(+ x (* 2 y) 3)",
                         "(* -2 x)",
                         "(+ x (* -1 y))",
                         "(+ (* 3 x) y -3)",
                         "(+ (^ x 2) x y k)"};
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    for (size_t j = 0; j < G_N_ELEMENTS(texts); j++) {
      DaeTerm a = read_term(terms, texts[i]);
      DaeTerm b = read_term(terms, texts[j]);
      DaeTerm both[] = {a, dae_term_neg(terms, b)};
      TEST_ASSERT_EQUAL_UINT32(dae_term_sum(terms, both, 2), dae_term_sub(terms, a, b));
    }
  }
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM,
                           dae_term_sub(terms, DAE_NO_TERM, read_term(terms, "(+ x y)")));
}

/* More differences than places: what is kept must be that of the same two terms. */
static void
test_known_differences_are_those_of_the_same_terms(void)
{
  enum { N = 60 };

  DaeTerm x = read_term(terms, "x");
  DaeTerm y = read_term(terms, "y");
  for (int round = 0; round < 2; round++) {
    for (int i = 1; i <= N; i++) {
      for (int j = 1; j <= N; j++) {
        DaeTerm a = dae_term_mul(terms, dae_term_int(terms, i), x);
        DaeTerm b = dae_term_add(terms, y, dae_term_int(terms, j));
        DaeTerm both[] = {a, dae_term_neg(terms, b)};
        TEST_ASSERT_EQUAL_UINT32(dae_term_sum(terms, both, 2), dae_term_sub(terms, a, b));
      }
    }
  }
}

static void
test_numbers_of_any_length_add_up(void)
{
  assert_text(terms, "100000000000000000000000000000002",
              "(+ 100000000000000000000000000000001 1)");
  DaeTerm a = read_term(terms, "100000000000000000000000000000001");
  DaeTerm b = read_term(terms, "9223372036854775807");
  DaeTerm sum = dae_term_add(terms, a, b);
  TEST_ASSERT_EQUAL_UINT32(a, dae_term_sub(terms, sum, b));
  TEST_ASSERT_EQUAL_UINT32(b, dae_term_sub(terms, sum, a));
  TEST_ASSERT_EQUAL_UINT32(dae_term_sum(terms, (DaeTerm[]){a, b}, 2), sum);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_equal_terms_have_equal_ids);
  RUN_TEST(test_sums_add_equal_monomials);
  RUN_TEST(test_tenths_are_exact);
  RUN_TEST(test_products_add_exponents);
  RUN_TEST(test_a_number_times_one_sum_is_distributed);
  RUN_TEST(test_a_sum_among_factors_is_primitive);
  RUN_TEST(test_opened_powers_meet_their_bases);
  RUN_TEST(test_division_by_the_number_zero_is_no_term);
  RUN_TEST(test_empty_sum_and_product);
  RUN_TEST(test_a_long_sum_is_sorted_once);
  RUN_TEST(test_a_sum_that_grows_at_its_end_costs_linear_memory);
  RUN_TEST(test_sums_with_long_coefficients_begin_with_one);
  RUN_TEST(test_operand_pointers_survive_later_terms);
  RUN_TEST(test_and_or_are_flat_sorted_and_without_repetition);
  RUN_TEST(test_a_difference_of_sums_is_the_sum_with_the_opposite);
  RUN_TEST(test_known_differences_are_those_of_the_same_terms);
  RUN_TEST(test_numbers_of_any_length_add_up);
  return UNITY_END();
}
