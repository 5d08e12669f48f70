/* The proof checker refuses what does not follow: each step is spoiled in turn. */
#include <unity.h>

#include "cases.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static bool
verifies(const Checked *checked)
{
  g_autofree char *why = NULL;
  return dae_init_verify(checked->init, dae_sig_model(checked->sig), checked->terms, &why);
}

/* Every step of the proof gets another right-hand side, one after another. */
static void
assert_each_step_matters(const char *name, const char *text)
{
  Checked checked = check_text(name, text, NULL);
  TEST_ASSERT_TRUE_MESSAGE(verifies(&checked), name);
  uint32_t n_steps = 0;
  DaeInitStep *steps = NULL;
  if (dae_init_n_redundant(checked.init) > 0) {
    steps = (DaeInitStep *)dae_init_redundant(checked.init, 0)->steps;
    n_steps = dae_init_redundant(checked.init, 0)->n_steps;
  } else {
    TEST_ASSERT_TRUE(dae_init_n_conflicts(checked.init) > 0);
    steps = (DaeInitStep *)dae_init_conflict(checked.init, 0)->steps;
    n_steps =
        dae_init_conflict(checked.init, 0)->n_steps - 1; /* the last one says 0 = anything */
  }
  TEST_ASSERT_TRUE(n_steps > 1);
  for (uint32_t s = 0; s < n_steps; s++) {
    DaeTerm kept = steps[s].rhs;
    DaeTerm small = dae_term_ratio(checked.terms, 1, 1000000000);
    steps[s].rhs = dae_term_add(checked.terms, kept, small);
    TEST_ASSERT_FALSE_MESSAGE(verifies(&checked), steps[s].text);
    steps[s].rhs = kept;
  }
  TEST_ASSERT_TRUE(verifies(&checked));
  checked_clear(&checked);
}

static void
test_each_step_of_a_linear_proof_matters(void)
{
  assert_each_step_matters("capacitors",
                           "Real u = 10; Real u1; Real u2; Real i; parameter Real C = 1;"
                           "initial equation u1 = 5; u2 = 5;"
                           "equation i = C*der(u1); i = C*der(u2); u = u1 + u2;");
}

static void
test_each_step_of_a_loop_proof_matters(void)
{
  assert_each_step_matters("loop", "Real x; Real y; Real z;"
                                   "initial equation x + y = 3; x - y = 1; x + 3*y = 5;"
                                   "equation der(x) = -x; der(y) = -y; z = x + y;");
}

static void
test_each_step_of_a_nonlinear_proof_matters(void)
{
  assert_each_step_matters("pendulum", "Real x; Real y; Real vx; Real vy; Real T;"
                                       "initial equation x = 1/2; y = -sqrt(3)/2; vx = 0;"
                                       "equation der(x) = vx; der(y) = vy; der(vx) = -T*x; "
                                       "der(vy) = -T*y - 9.81; x^2 + y^2 = 1;");
}

static void
test_each_step_of_a_conflict_matters(void)
{
  assert_each_step_matters("conflict", "Real x; Real y; parameter Real a = 2;"
                                       "initial equation x = 1; y = a + 1;"
                                       "equation der(x) = -x; y = a*x;");
}

static void
test_a_step_may_not_use_later_steps(void)
{
  Checked checked = check_text(
      "order", "Real x; Real y; initial equation x = 1; y = 2; equation der(x) = 1; y = 2*x;",
      NULL);
  const DaeInitRedundant *item = dae_init_redundant(checked.init, 0);
  DaeInitStep *last = (DaeInitStep *)&item->steps[item->n_steps - 1];
  TEST_ASSERT_TRUE(verifies(&checked));
  last->from[0] = item->n_steps - 1;
  TEST_ASSERT_FALSE(verifies(&checked));
  checked_clear(&checked);
}

static void
test_a_premise_must_be_in_the_model(void)
{
  Checked checked = check_text(
      "premise", "Real x; Real y; initial equation x = 1; y = 2; equation der(x) = 1; y = 2*x;",
      NULL);
  DaeInitStep *first = (DaeInitStep *)&dae_init_redundant(checked.init, 0)->steps[0];
  first->premise.index = 77;
  TEST_ASSERT_FALSE(verifies(&checked));
  checked_clear(&checked);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_each_step_of_a_linear_proof_matters);
  RUN_TEST(test_each_step_of_a_loop_proof_matters);
  RUN_TEST(test_each_step_of_a_nonlinear_proof_matters);
  RUN_TEST(test_each_step_of_a_conflict_matters);
  RUN_TEST(test_a_step_may_not_use_later_steps);
  RUN_TEST(test_a_premise_must_be_in_the_model);
  return UNITY_END();
}
