/* The registry of functions: what it says about a function is true of its value. */
#include "base/functions.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void
setUp(void)
{
}

void
tearDown(void)
{
}

static bool
is_inside(const DaeFunctionFacts *facts, const double *x)
{
  switch ((DaeFunctionDomain)facts->domain) {
  case DAE_DOMAIN_POSITIVE:
    return x[0] > 0;
  case DAE_DOMAIN_UNIT:
    return fabs(x[0]) <= 1;
  case DAE_DOMAIN_DIVISOR:
    return x[1] != 0;
  case DAE_DOMAIN_POLES:
    return cos(x[0]) != 0;
  case DAE_DOMAIN_ALL:
  case DAE_DOMAIN_INDEX:
    break;
  }
  return true;
}

static void
point(int k, double *x)
{
  static const double values[] = {-2.5, -1, -0.75, -0.5, 0, 0.25, 0.5, 1, 1.5, 3};
  x[0] = values[k % 10];
  x[1] = values[k / 10 % 10];
  x[2] = values[(k / 100 + 3) % 10];
}

static void
test_every_function_has_a_line(void)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    TEST_ASSERT_NOT_NULL(facts->name);
    TEST_ASSERT_TRUE_MESSAGE(
        facts->arity == DAE_ANY_ARITY || facts->arity <= DAE_MOST_ARGUMENTS, facts->name);
    bool takes_more = facts->kind == DAE_CLASS_ELEMENT || facts->kind == DAE_CLASS_ROUTINE;
    TEST_ASSERT_EQUAL_MESSAGE(takes_more, facts->value == NULL, facts->name);
    TEST_ASSERT_EQUAL_MESSAGE(facts->c_name == NULL, facts->c_value == NULL, facts->name);
    for (int g = 0; g < f; g++) {
      TEST_ASSERT_TRUE(strcmp(facts->name, dae_function_name((DaeFunction)g)) != 0);
    }
  }
}

static void
test_names_are_found_and_those_inside_are_not(void)
{
  DaeFunction found;
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const char *name = dae_function_name((DaeFunction)f);
    bool is_for_users = name[0] != '$' && f != DAE_FN_PI;
    TEST_ASSERT_EQUAL_MESSAGE(is_for_users, dae_function_find(name, strlen(name), &found),
                              name);
    TEST_ASSERT_TRUE(!is_for_users || (int)found == f);
  }
}

static void
test_values_are_defined_exactly_on_the_domain(void)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    for (int k = 0; facts->value != NULL && k < 1000; k++) {
      double x[3];
      point(k, x);
      TEST_ASSERT_EQUAL_MESSAGE(is_inside(facts, x), isfinite(facts->value(x)) != 0,
                                facts->name);
    }
  }
}

/* Range, sign and the operand that a mark has the value of. */
static void
test_values_are_where_the_registry_says(void)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    for (int k = 0; facts->value != NULL && k < 1000; k++) {
      double x[3];
      point(k, x);
      double y = facts->value(x);
      double a = x[facts->value_operand];
      if (!is_inside(facts, x)) {
        continue;
      }
      TEST_ASSERT_TRUE_MESSAGE(!facts->has_range || (y >= facts->low && y <= facts->high),
                               facts->name);
      TEST_ASSERT_TRUE_MESSAGE(facts->kind != DAE_CLASS_MARK || y == a, facts->name);
      TEST_ASSERT_TRUE_MESSAGE(facts->kind != DAE_CLASS_STEP || y == floor(y), facts->name);
      bool is_so = true;
      switch ((DaeFunctionSign)facts->sign) {
      case DAE_SIGN_OF_POSITIVE:
        is_so = y > 0;
        break;
      case DAE_SIGN_OF_NONNEGATIVE:
        is_so = y >= 0;
        break;
      case DAE_SIGN_OF_OPERAND:
        is_so = (y > 0) == (a > 0) && (y < 0) == (a < 0);
        break;
      case DAE_SIGN_OF_SIZE:
        is_so = y >= 0 && (y == 0) == (a == 0);
        break;
      case DAE_SIGN_OF_EITHER:
        is_so = y == x[0] || y == x[1];
        break;
      case DAE_SIGN_OF_LOWER:
        is_so = y <= a && y > a - 1;
        break;
      case DAE_SIGN_OF_UPPER:
        is_so = y >= a && y < a + 1;
        break;
      case DAE_SIGN_OF_EXCESS:
        is_so = (y > 0) == (a > 1) && (y < 0) == (a < 1);
        break;
      case DAE_SIGN_OF_NOTHING:
        break;
      }
      TEST_ASSERT_TRUE_MESSAGE(is_so, facts->name);
    }
  }
}

static void
test_parity_growth_and_exact_values(void)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    if (facts->arity != 1) {
      TEST_ASSERT_TRUE_MESSAGE(facts->parity == DAE_PARITY_NONE &&
                                   facts->growth == DAE_GROWTH_NONE && !facts->has_exact,
                               facts->name);
      continue;
    }
    for (double x = 0.0625; x <= 1; x += 0.0625) {
      double minus = -x;
      double next = x - 0.0625;
      double y = facts->value(&x);
      double mirrored = facts->value(&minus);
      TEST_ASSERT_TRUE_MESSAGE(facts->parity != DAE_PARITY_EVEN || mirrored == y, facts->name);
      TEST_ASSERT_TRUE_MESSAGE(facts->parity != DAE_PARITY_ODD || mirrored == -y, facts->name);
      double less = facts->value(&next);
      TEST_ASSERT_TRUE_MESSAGE(facts->growth != DAE_GROWTH_INCREASING || less < y, facts->name);
      TEST_ASSERT_TRUE_MESSAGE(facts->growth != DAE_GROWTH_DECREASING || less > y, facts->name);
    }
    double at = facts->exact_at;
    TEST_ASSERT_TRUE_MESSAGE(!facts->has_exact || facts->value(&at) == facts->exact_value,
                             facts->name);
  }
}

/* The same after a full turn, at every point: that is what circular says, and of no other
 * function it is true. */
static void
test_circular_functions_return_after_a_turn(void)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    if (facts->kind != DAE_CLASS_ANALYTIC || facts->arity != 1) {
      TEST_ASSERT_FALSE_MESSAGE(facts->is_circular, facts->name);
      continue;
    }
    bool returns = true;
    for (int k = 0; k < 10; k++) {
      double x[3];
      point(k, x);
      double here = facts->value(x);
      x[0] += 2 * G_PI;
      double there = facts->value(x);
      returns = returns && fabs(here - there) < 1e-9; /* false of NaN */
    }
    TEST_ASSERT_EQUAL_MESSAGE(returns, facts->is_circular, facts->name);
  }
}

/* Of two operands, one, and each of them somewhere. */
static void
test_picked_values_are_operands(void)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    if (facts->arity != 2 || facts->value == NULL) {
      TEST_ASSERT_FALSE_MESSAGE(facts->picks, facts->name);
      continue;
    }
    bool is_operand = true;
    bool first = false;
    bool second = false;
    for (int k = 0; k < 100; k++) {
      double x[3];
      point(k, x);
      double value = facts->value(x);
      is_operand = is_operand && (value == x[0] || value == x[1]);
      first = first || (value == x[0] && value != x[1]);
      second = second || (value == x[1] && value != x[0]);
    }
    TEST_ASSERT_EQUAL_MESSAGE(is_operand && first && second, facts->picks, facts->name);
  }
}

/* Operands that are numbers of something have no value of their own. */
static void
test_fixed_operands_belong_to_what_takes_more_than_numbers(void)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    TEST_ASSERT_TRUE_MESSAGE(facts->n_fixed == 0 || facts->value == NULL, facts->name);
    TEST_ASSERT_TRUE_MESSAGE(!facts->takes_data || facts->n_fixed == 1, facts->name);
    TEST_ASSERT_EQUAL_MESSAGE(facts->kind == DAE_CLASS_ROUTINE, facts->n_fixed == 2,
                              facts->name);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_function_has_a_line);
  RUN_TEST(test_names_are_found_and_those_inside_are_not);
  RUN_TEST(test_values_are_defined_exactly_on_the_domain);
  RUN_TEST(test_values_are_where_the_registry_says);
  RUN_TEST(test_parity_growth_and_exact_values);
  RUN_TEST(test_circular_functions_return_after_a_turn);
  RUN_TEST(test_picked_values_are_operands);
  RUN_TEST(test_fixed_operands_belong_to_what_takes_more_than_numbers);
  return UNITY_END();
}
