/* The field of the proof checker: what is equal as a function has equal
 * images, what differs has not. */
#include "proofcheck/field.h"

#include <unity.h>

static DaeTerms *terms;
static DaeTerm x;
static DaeTerm y;

void
setUp(void)
{
  terms = dae_terms_new();
  x = dae_term_variable(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "x"), 0);
  y = dae_term_variable(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "y"), 0);
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

/* 1 zero, 0 not, -1 not defined at any of the points. */
static int
vanishes(DaeTerm t)
{
  int answer = -1;
  for (uint64_t seed = 1; seed < 20; seed++) {
    g_autoptr(DaeField) field = dae_field_new(terms, seed);
    uint64_t value = 0;
    if (dae_field_value(field, t, &value)) {
      if (value != 0) {
        return 0;
      }
      answer = 1;
    }
  }
  return answer;
}

static DaeTerm
call(DaeFunction function, DaeTerm a)
{
  return dae_term_call1(terms, function, a);
}

static DaeTerm
difference(DaeTerm a, DaeTerm b)
{
  return dae_term_sub(terms, a, b);
}

static void
test_polynomial_identity_vanishes_and_a_wrong_one_does_not(void)
{
  DaeTerm sum = dae_term_add(terms, x, y);
  DaeTerm square = dae_term_mul(terms, sum, sum);
  DaeTerm parts[3] = {dae_term_mul(terms, x, x), dae_term_mul(terms, y, y),
                      dae_term_mul(terms, dae_term_int(terms, 2), dae_term_mul(terms, x, y))};
  TEST_ASSERT_EQUAL_INT(1, vanishes(difference(square, dae_term_sum(terms, parts, 3))));
  TEST_ASSERT_EQUAL_INT(0, vanishes(difference(square, dae_term_sum(terms, parts, 2))));
}

static void
test_rational_numbers_and_decimals_agree(void)
{
  DaeTerm tenth = dae_term_decimal(terms, "0.1", 3);
  DaeTerm third = dae_term_ratio(terms, 1, 3);
  DaeTerm t = difference(dae_term_mul(terms, tenth, x),
                         dae_term_mul(terms, dae_term_ratio(terms, 1, 10), x));
  TEST_ASSERT_EQUAL_INT(1, vanishes(t));
  t = difference(dae_term_mul(terms, third, dae_term_mul(terms, x, y)),
                 dae_term_div(terms, dae_term_mul(terms, x, y), dae_term_int(terms, 3)));
  TEST_ASSERT_EQUAL_INT(1, vanishes(t));
  t = dae_term_sub(terms, dae_term_mul(terms, x, dae_term_decimal(terms, "1e-15", 5)), y);
  TEST_ASSERT_EQUAL_INT(0, vanishes(t));
}

static void
test_circle_holds_with_addition_theorems(void)
{
  DaeTerm s = call(DAE_FN_SIN, x);
  DaeTerm c = call(DAE_FN_COS, x);
  DaeTerm circle = dae_term_add(terms, dae_term_mul(terms, s, s), dae_term_mul(terms, c, c));
  TEST_ASSERT_EQUAL_INT(1, vanishes(difference(circle, dae_term_int(terms, 1))));
  DaeTerm two_x = dae_term_mul(terms, dae_term_int(terms, 2), x);
  DaeTerm product = dae_term_mul(terms, dae_term_int(terms, 2), dae_term_mul(terms, s, c));
  TEST_ASSERT_EQUAL_INT(1, vanishes(difference(call(DAE_FN_SIN, two_x), product)));
  TEST_ASSERT_EQUAL_INT(0, vanishes(difference(call(DAE_FN_SIN, two_x), s)));
}

static void
test_multiples_of_pi_have_their_values(void)
{
  DaeTerm pi = dae_term_pi(terms);
  DaeTerm sixth = dae_term_div(terms, pi, dae_term_int(terms, 6));
  DaeTerm third = dae_term_div(terms, pi, dae_term_int(terms, 3));
  DaeTerm quarter = dae_term_div(terms, pi, dae_term_int(terms, 4));
  DaeTerm half = dae_term_ratio(terms, 1, 2);
  DaeTerm root3 = dae_term_sqrt(terms, dae_term_int(terms, 3));
  DaeTerm root2 = dae_term_sqrt(terms, dae_term_int(terms, 2));
  TEST_ASSERT_EQUAL_INT(1, vanishes(difference(call(DAE_FN_SIN, sixth), half)));
  TEST_ASSERT_EQUAL_INT(
      1, vanishes(difference(call(DAE_FN_SIN, third), dae_term_mul(terms, half, root3))));
  TEST_ASSERT_EQUAL_INT(
      1, vanishes(difference(call(DAE_FN_COS, quarter), dae_term_mul(terms, half, root2))));
  TEST_ASSERT_EQUAL_INT(0, vanishes(difference(call(DAE_FN_SIN, third), half)));
  DaeTerm shifted = dae_term_add(terms, x, pi);
  TEST_ASSERT_EQUAL_INT(
      1, vanishes(dae_term_add(terms, call(DAE_FN_SIN, shifted), call(DAE_FN_SIN, x))));
}

static void
test_exponentials_multiply(void)
{
  DaeTerm product = dae_term_mul(terms, call(DAE_FN_EXP, x), call(DAE_FN_EXP, y));
  DaeTerm sum = call(DAE_FN_EXP, dae_term_add(terms, x, y));
  TEST_ASSERT_EQUAL_INT(1, vanishes(difference(product, sum)));
  TEST_ASSERT_EQUAL_INT(0, vanishes(difference(call(DAE_FN_EXP, x), call(DAE_FN_EXP, y))));
  DaeTerm c = call(DAE_FN_COSH, x);
  DaeTerm s = call(DAE_FN_SINH, x);
  DaeTerm hyperbola = difference(dae_term_mul(terms, c, c), dae_term_mul(terms, s, s));
  TEST_ASSERT_EQUAL_INT(1, vanishes(difference(hyperbola, dae_term_int(terms, 1))));
}

static void
test_roots_multiply(void)
{
  DaeTerm product = dae_term_mul(terms, dae_term_sqrt(terms, x), dae_term_sqrt(terms, y));
  DaeTerm square = dae_term_mul(terms, product, product);
  TEST_ASSERT_EQUAL_INT(1, vanishes(difference(square, dae_term_mul(terms, x, y))));
  TEST_ASSERT_EQUAL_INT(0, vanishes(difference(product, dae_term_mul(terms, x, y))));
}

static void
test_binding_follows_chains(void)
{
  g_autoptr(DaeField) field = dae_field_new(terms, 1);
  uint64_t value = 7;
  dae_field_bind(field, x, dae_term_add(terms, y, dae_term_int(terms, 1)));
  dae_field_bind(field, y, dae_term_int(terms, 4));
  TEST_ASSERT_TRUE(
      dae_field_value(field, dae_term_sub(terms, x, dae_term_int(terms, 5)), &value));
  TEST_ASSERT_TRUE(value == 0);
}

static void
test_circular_binding_has_no_value(void)
{
  g_autoptr(DaeField) field = dae_field_new(terms, 1);
  uint64_t value = 7;
  dae_field_bind(field, x, dae_term_add(terms, y, dae_term_int(terms, 1)));
  dae_field_bind(field, y, dae_term_add(terms, x, dae_term_int(terms, 1)));
  TEST_ASSERT_FALSE(dae_field_value(field, x, &value));
}

static void
test_division_by_zero_has_no_value(void)
{
  DaeTerm zero =
      difference(dae_term_mul(terms, x, dae_term_add(terms, y, x)),
                 dae_term_add(terms, dae_term_mul(terms, x, y), dae_term_mul(terms, x, x)));
  TEST_ASSERT_EQUAL_INT(-1, vanishes(dae_term_pow_int(terms, zero, -1)));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_polynomial_identity_vanishes_and_a_wrong_one_does_not);
  RUN_TEST(test_rational_numbers_and_decimals_agree);
  RUN_TEST(test_circle_holds_with_addition_theorems);
  RUN_TEST(test_multiples_of_pi_have_their_values);
  RUN_TEST(test_exponentials_multiply);
  RUN_TEST(test_roots_multiply);
  RUN_TEST(test_binding_follows_chains);
  RUN_TEST(test_circular_binding_has_no_value);
  RUN_TEST(test_division_by_zero_has_no_value);
  return UNITY_END();
}
