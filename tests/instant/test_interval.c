/* Every function of the registry on intervals: what it can be there is inside of the result. */
#include "instant/interval.h"

#include <math.h>

#include "../functions.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = dae_terms_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static bool
holds(DaeInterval i, double x)
{
  return i.low <= x && x <= i.high;
}

static bool
is_line(DaeInterval i)
{
  return i.low == -INFINITY && i.high == INFINITY;
}

/* A call of f with atoms, so that nothing is evaluated beforehand. */
static DaeTerm
call_of_atoms(DaeFunction f)
{
  static const char *const names[DAE_MOST_ARGUMENTS] = {"a", "b", "c"};
  DaeTerm operands[DAE_MOST_ARGUMENTS];
  for (int i = 0; i < DAE_MOST_ARGUMENTS; i++) {
    DaeSymbol symbol = 0;
    if (!dae_terms_find_symbol(terms, names[i], &symbol)) {
      symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, names[i]);
    }
    operands[i] = dae_term_parameter(terms, symbol);
  }
  return dae_term_call(terms, f, operands, dae_function_facts(f)->arity);
}

/* Functions that stay calls when their operands are atoms; smooth wants a number first. */
static bool
is_testable(DaeFunction f)
{
  return has_value(f) && dae_function_facts(f)->kind != DAE_CLASS_MARK &&
         dae_function_facts(f)->arity > 0;
}

static void
test_a_point_is_enclosed_closely(void)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    for (int s = 0; is_testable((DaeFunction)f) && s < N_SAMPLES; s++) {
      DaeInterval a[DAE_MOST_ARGUMENTS];
      for (int i = 0; i < DAE_MOST_ARGUMENTS; i++) {
        a[i] = (DaeInterval){samples[s][i] / 10.0, samples[s][i] / 10.0};
      }
      DaeInterval got = dae_interval_call(terms, call_of_atoms((DaeFunction)f), a);
      TEST_ASSERT_TRUE_MESSAGE(holds(got, sample_value((DaeFunction)f, s)),
                               dae_function_name((DaeFunction)f));
      TEST_ASSERT_TRUE_MESSAGE(got.high - got.low < 1e-12, dae_function_name((DaeFunction)f));
    }
  }
}

static double
random_between(GRand *rand, double low, double high)
{
  return low + (high - low) * g_rand_double(rand);
}

static void
check_box(GRand *rand, DaeFunction f, double size)
{
  DaeInterval a[DAE_MOST_ARGUMENTS];
  double x[DAE_MOST_ARGUMENTS];
  for (int i = 0; i < DAE_MOST_ARGUMENTS; i++) {
    double middle = random_between(rand, -4, 4);
    double width = random_between(rand, 0, size);
    a[i] = (DaeInterval){middle - width, middle + width};
  }
  DaeInterval got = dae_interval_call(terms, call_of_atoms(f), a);
  for (int k = 0; k < 20; k++) {
    for (int i = 0; i < DAE_MOST_ARGUMENTS; i++) {
      x[i] =
          k < 2 ? (k == 0 ? a[i].low : a[i].high) : random_between(rand, a[i].low, a[i].high);
    }
    double value = dae_function_facts(f)->value(x);
    if (isnan(value)) {
      TEST_ASSERT_TRUE_MESSAGE(is_line(got), dae_function_name(f)); /* outside of its domain */
    } else {
      TEST_ASSERT_TRUE_MESSAGE(holds(got, value), dae_function_name(f));
    }
  }
}

static void
test_all_values_on_random_boxes_are_inside(void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed(11);
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    for (int k = 0; is_testable((DaeFunction)f) && k < 400; k++) {
      check_box(rand, (DaeFunction)f, k % 2 == 0 ? 0.1 : 3);
    }
  }
}

static void
test_poles_are_not_passed_over(void)
{
  DaeInterval across = {1.5, 1.6};
  DaeInterval beside = {1.4, 1.5};
  DaeInterval zero = {-1, 2};
  TEST_ASSERT_TRUE(is_line(dae_interval_call(terms, call_of_atoms(DAE_FN_TAN), &across)));
  TEST_ASSERT_FALSE(is_line(dae_interval_call(terms, call_of_atoms(DAE_FN_TAN), &beside)));
  TEST_ASSERT_TRUE(is_line(dae_interval_power(zero, -1)));
  TEST_ASSERT_TRUE(is_line(dae_interval_power(zero, 0.5)));
  TEST_ASSERT_TRUE(is_line(dae_interval_exponential(zero, beside)));
}

static void
test_powers_of_intervals(void)
{
  DaeInterval square = dae_interval_power((DaeInterval){-2, 1}, 2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0, square.low);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 4, square.high);
  DaeInterval both =
      dae_interval_exponential((DaeInterval){0.5, 2}, (DaeInterval){-1, 3}); /* 0.5^3, 2^3 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.125, both.low);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, 8, both.high);
}

static void
test_sums_and_products_of_whole_numbers_are_exact(void)
{
  const DaeInterval one = {1, 1};
  const DaeInterval minus = dae_interval_product((DaeInterval){-1, -1}, one);
  const DaeInterval none = dae_interval_sum(one, minus);
  TEST_ASSERT_TRUE(none.low == 0 && none.high == 0);
  const DaeInterval third =
      dae_interval_product((DaeInterval){1.0 / 3, 1.0 / 3}, (DaeInterval){3, 3});
  TEST_ASSERT_TRUE(third.low < 1 && third.high > 1);
  const DaeInterval large = dae_interval_sum((DaeInterval){0x1p60, 0x1p60}, one);
  TEST_ASSERT_TRUE(large.low < 0x1p60 && large.high > 0x1p60);
}

static void
test_relations_are_open_where_both_are_possible(void)
{
  DaeInterval low = {0, 1};
  DaeInterval high = {2, 3};
  DaeInterval wide = {0, 3};
  TEST_ASSERT_EQUAL_DOUBLE(1, dae_interval_relation(DAE_REL_LT, low, high).low);
  TEST_ASSERT_EQUAL_DOUBLE(0, dae_interval_relation(DAE_REL_GT, low, high).high);
  TEST_ASSERT_EQUAL_DOUBLE(0, dae_interval_relation(DAE_REL_LT, low, wide).low);
  TEST_ASSERT_EQUAL_DOUBLE(1, dae_interval_relation(DAE_REL_LT, low, wide).high);
  TEST_ASSERT_EQUAL_DOUBLE(0, dae_interval_relation(DAE_REL_EQ, low, high).high);
  const DaeInterval two = {2, 2};
  TEST_ASSERT_EQUAL_DOUBLE(1, dae_interval_relation(DAE_REL_EQ, two, two).low);
  TEST_ASSERT_EQUAL_DOUBLE(0, dae_interval_relation(DAE_REL_NE, two, two).high);
  TEST_ASSERT_EQUAL_DOUBLE(0, dae_interval_relation(DAE_REL_EQ, wide, wide).low);
}

/* Constant data {1, 3, 7}: intervals 1 and 2, elements. */
static void
test_elements_are_all_that_may_be_chosen(void)
{
  static const double values[] = {1, 3, 7};
  DaeTerm data = dae_term_int(terms, (int64_t)dae_terms_add_data(terms, values, 3));
  DaeTerm at = dae_term_operand(terms, call_of_atoms(DAE_FN_SIN), 0);
  const DaeTerm operands[] = {data, at};
  DaeTerm lookup = dae_term_call(terms, DAE_FN_LOOKUP, operands, 2);
  DaeTerm interval = dae_term_call(terms, DAE_FN_INTERVAL, operands, 2);
  const DaeInterval second[] = {{0, 0}, {2, 2}};
  const DaeInterval any[] = {{0, 0}, {1, 3}};
  TEST_ASSERT_EQUAL_DOUBLE(3, dae_interval_call(terms, lookup, second).low);
  TEST_ASSERT_EQUAL_DOUBLE(3, dae_interval_call(terms, lookup, second).high);
  TEST_ASSERT_EQUAL_DOUBLE(1, dae_interval_call(terms, lookup, any).low);
  TEST_ASSERT_EQUAL_DOUBLE(7, dae_interval_call(terms, lookup, any).high);
  const DaeInterval across[] = {{0, 0}, {2, 4}};
  TEST_ASSERT_EQUAL_DOUBLE(1, dae_interval_call(terms, interval, across).low);
  TEST_ASSERT_EQUAL_DOUBLE(2, dae_interval_call(terms, interval, across).high);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_point_is_enclosed_closely);
  RUN_TEST(test_all_values_on_random_boxes_are_inside);
  RUN_TEST(test_poles_are_not_passed_over);
  RUN_TEST(test_powers_of_intervals);
  RUN_TEST(test_sums_and_products_of_whole_numbers_are_exact);
  RUN_TEST(test_relations_are_open_where_both_are_possible);
  RUN_TEST(test_elements_are_all_that_may_be_chosen);
  return UNITY_END();
}
