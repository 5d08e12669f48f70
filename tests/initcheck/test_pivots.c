/* Which unknown a row is solved for: numbers before parameters before long expressions, nothing
 * that may vanish, nothing inside a leaf. */
#include <unity.h>

#include "inside.h"

static Inside inside;
static IcEngine *engine;

void
setUp(void)
{
}

void
tearDown(void)
{
  ic_engine_free(engine);
  inside_clear(&inside);
}

static void
begin(const char *initial)
{
  g_autofree char *text = g_strdup_printf(
      "parameter Real p = 2; parameter Real q = 3; parameter Real zero = 0; Real x; Real y; "
      "Real z; initial equation %s equation der(x) = y*zero; der(y) = z*p; der(z) = x*q;",
      initial);
  inside = inside_new(text);
  engine = ic_engine_new(inside.sys, NULL, 0);
}

static IcRow *
add(uint32_t i)
{
  for (uint32_t k = 0; k < inside.sys->premises->len; k++) {
    const IcPremise *premise = &g_array_index(inside.sys->premises, IcPremise, k);
    if (premise->id.is_initial && premise->id.index == i) {
      return ic_engine_row(engine, ic_engine_add(engine, k, true));
    }
  }
  TEST_FAIL_MESSAGE("no such initial equation");
  return NULL;
}

static void
check_best(const char *initial, const char *unknown)
{
  begin(initial);
  uint32_t found = ic_pivot_best(engine, add(0));
  if (unknown == NULL) {
    TEST_ASSERT_EQUAL_UINT_MESSAGE(IC_NONE, found, initial);
  } else {
    TEST_ASSERT_EQUAL_UINT_MESSAGE(inside_unknown(&inside, unknown), found, initial);
  }
}

static void
test_numbers_go_before_parameters(void)
{
  check_best("p*x + 3*y = 1;", "y");
}

static void
test_short_coefficients_go_before_long_ones(void)
{
  check_best("(p + q + p^2 + q^2 + p*q)*x + p*y = 1;", "y");
}

static void
test_what_vanishes_here_is_no_pivot(void)
{
  check_best("zero*x + p*y = 1;", "y");
}

static void
test_nothing_is_solved_for_what_only_vanishes(void)
{
  check_best("zero*x + zero*q*y = 1;", NULL);
}

static void
test_what_is_inside_a_leaf_is_no_pivot(void)
{
  check_best("x + sin(x) + p*y = 1;", "y");
}

static void
test_only_leaves_leave_nothing(void)
{
  check_best("x + exp(x) = 1;", NULL);
}

static void
test_the_left_side_of_the_text_is_solved_for(void)
{
  check_best("y = x;", "y");
}

static void
test_the_highest_derivative_is_solved_for(void)
{
  check_best("x + der(x) = 1;", "der(x)");
}

static void
check_trivial(const char *initial, const char *unknown)
{
  begin(initial);
  uint32_t found = ic_pivot_trivial(engine, add(0));
  if (unknown == NULL) {
    TEST_ASSERT_EQUAL_UINT_MESSAGE(IC_NONE, found, initial);
  } else {
    TEST_ASSERT_EQUAL_UINT_MESSAGE(inside_unknown(&inside, unknown), found, initial);
  }
}

static void
test_a_constant_is_trivial(void)
{
  check_trivial("x = p;", "x");
}

/* p1 = p2 keeps p1. */
static void
test_of_two_aliases_the_later_goes(void)
{
  check_trivial("x = z;", "z");
}

static void
test_a_factor_is_trivial_on_the_side_without(void)
{
  check_trivial("x = 3*z;", "x");
}

static void
test_sums_are_not_trivial(void)
{
  check_trivial("x = y + z;", NULL);
}

static void
test_a_shift_is_not_trivial(void)
{
  check_trivial("x = y + 1;", NULL);
}

static void
test_leaves_are_not_trivial(void)
{
  check_trivial("x = sin(y);", NULL);
}

/* The part with a coefficient that is 0 at the given values goes, the others keep symbols. */
static void
test_values_take_out_what_vanishes_and_nothing_else(void)
{
  begin("zero*x + p*y + zero*sin(z) = q;");
  IcRow *row = add(0);
  uint32_t r = (uint32_t)(row - (IcRow *)(void *)engine->rows->data);
  TEST_ASSERT_TRUE(ic_pivot_vanishes(inside.sys, &row->form));
  TEST_ASSERT_TRUE(ic_pivot_put_values(engine, r));
  row = ic_engine_row(engine, r);
  TEST_ASSERT_FALSE(ic_pivot_vanishes(inside.sys, &row->form));
  TEST_ASSERT_TRUE(inside_equal(&inside, ic_form_term(inside.sys, &row->form),
                                inside_term(&inside, "p*y - q")));
  TEST_ASSERT_TRUE(engine->used_values);
  TEST_ASSERT_FALSE(ic_pivot_put_values(engine, r)); /* nothing is left to do */
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_numbers_go_before_parameters);
  RUN_TEST(test_short_coefficients_go_before_long_ones);
  RUN_TEST(test_what_vanishes_here_is_no_pivot);
  RUN_TEST(test_nothing_is_solved_for_what_only_vanishes);
  RUN_TEST(test_what_is_inside_a_leaf_is_no_pivot);
  RUN_TEST(test_only_leaves_leave_nothing);
  RUN_TEST(test_the_left_side_of_the_text_is_solved_for);
  RUN_TEST(test_the_highest_derivative_is_solved_for);
  RUN_TEST(test_a_constant_is_trivial);
  RUN_TEST(test_of_two_aliases_the_later_goes);
  RUN_TEST(test_a_factor_is_trivial_on_the_side_without);
  RUN_TEST(test_sums_are_not_trivial);
  RUN_TEST(test_a_shift_is_not_trivial);
  RUN_TEST(test_leaves_are_not_trivial);
  RUN_TEST(test_values_take_out_what_vanishes_and_nothing_else);
  return UNITY_END();
}
