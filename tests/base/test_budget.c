/* Budgets are counted: steps one by one, and work that is charged at once. */
#include "base/base.h"

#include <unity.h>

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_steps_are_counted(void)
{
  g_autoptr(DaeBudget) budget = dae_budget_new(0.0, 3);
  TEST_ASSERT_FALSE(dae_budget_spent(budget));
  TEST_ASSERT_FALSE(dae_budget_spent(budget));
  TEST_ASSERT_TRUE(dae_budget_spent(budget));
  TEST_ASSERT_TRUE(dae_budget_spent(budget));
}

/* A charge never ends a budget itself: the next question does. */
static void
test_charges_count_as_steps(void)
{
  g_autoptr(DaeBudget) budget = dae_budget_new(0.0, 100);
  dae_budget_charge(budget, 97.5);
  TEST_ASSERT_FALSE(dae_budget_spent(budget));
  TEST_ASSERT_FALSE(dae_budget_spent(budget));
  TEST_ASSERT_TRUE(dae_budget_spent(budget));
  g_autoptr(DaeBudget) overdrawn = dae_budget_new(0.0, 100);
  dae_budget_charge(overdrawn, 1e300);
  TEST_ASSERT_TRUE(dae_budget_spent(overdrawn));
}

static void
test_no_limit(void)
{
  g_autoptr(DaeBudget) budget = dae_budget_new(0.0, 0);
  dae_budget_charge(budget, 1e300);
  dae_budget_charge(budget, -1.0);
  TEST_ASSERT_FALSE(dae_budget_spent(budget));
  dae_budget_charge(NULL, 1.0);
  TEST_ASSERT_FALSE(dae_budget_spent(NULL));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_steps_are_counted);
  RUN_TEST(test_charges_count_as_steps);
  RUN_TEST(test_no_limit);
  return UNITY_END();
}
