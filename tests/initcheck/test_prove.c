/* Proofs as steps: complete, in order, and the independent checker notices each spoiled one. */
#include "initcheck/initcheck-priv.h"

#include <string.h>
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

static const char *const redundant_models[] = {
    "Real x; initial equation x = 1; 2*x = 2; equation der(x) = -x;",
    "Real u = 10; Real u1; Real u2; Real i; parameter Real C = 1;"
    "initial equation u1 = 5; u2 = 5; equation i = C*der(u1); i = C*der(u2); u = u1 + u2;",
    "Real x; Real y; initial equation x = 3; y = 9; equation der(x) = 1; y = x^2;",
    "Real x; Real y; parameter Real a = 2; initial equation x = a; y = a^2 + 1;"
    "equation der(x) = -x; y = x^2 + 1;",
    "Real x; Real y; Real z; initial equation x + y = 3; x - y = 1; z = 2;"
    "equation der(x) = 1; der(y) = 1; z = x*y;",
    "Real s1; Real s2; Real v1; Real v2; Real f; initial equation s1 = 0; v1 = 1; s2 = 1; v2 = "
    "1;"
    "equation der(s1) = v1; 2*der(v1) = f; der(s2) = v2; 3*der(v2) = 7 - f; s2 = s1 + 1;",
};

static const char *const contradictory_models[] = {
    "Real x; initial equation x = 1; x = 2; equation der(x) = -x;",
    "Real x; Real y; initial equation x = 3; y = 8; equation der(x) = 1; y = x^2;",
    "Real x; Real y; initial equation x + y = 3; x - y = 1; x + 3*y = 6;"
    "equation der(x) = -x; der(y) = -y;",
    "Real x; initial equation x^2 = -1; equation der(x) = 1;",
    "Real x; Real y; initial equation x = 0; y = 2; equation der(x) = 1; y = sin(x);",
};

/* ---- the shape of a proof ---------------------------------------------------------------- */

static void
check_order(const DaeInitStep *steps, uint32_t n, const char *name)
{
  TEST_ASSERT_GREATER_THAN_UINT32_MESSAGE(0, n, name);
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = 0; i < steps[k].n_from; i++) {
      TEST_ASSERT_LESS_THAN_UINT32_MESSAGE(k, steps[k].from[i], name);
    }
  }
}

static void
test_steps_lean_on_earlier_ones(void)
{
  for (size_t m = 0; m < G_N_ELEMENTS(redundant_models); m++) {
    Checked checked = check_text("redundant", redundant_models[m], NULL);
    TEST_ASSERT_GREATER_THAN_UINT32_MESSAGE(0, dae_init_n_redundant(checked.init),
                                            redundant_models[m]);
    for (uint32_t i = 0; i < dae_init_n_redundant(checked.init); i++) {
      const DaeInitRedundant *redundant = dae_init_redundant(checked.init, i);
      check_order(redundant->steps, redundant->n_steps, redundant_models[m]);
    }
    checked_clear(&checked);
  }
  for (size_t m = 0; m < G_N_ELEMENTS(contradictory_models); m++) {
    Checked checked = check_text("contradiction", contradictory_models[m], NULL);
    TEST_ASSERT_GREATER_THAN_UINT32_MESSAGE(0, dae_init_n_conflicts(checked.init),
                                            contradictory_models[m]);
    for (uint32_t i = 0; i < dae_init_n_conflicts(checked.init); i++) {
      const DaeInitConflict *conflict = dae_init_conflict(checked.init, i);
      check_order(conflict->steps, conflict->n_steps, contradictory_models[m]);
    }
    checked_clear(&checked);
  }
}

static bool
same_premise(const DaeInitPremise *a, const DaeInitPremise *b)
{
  return a->is_initial == b->is_initial && a->index == b->index && a->order == b->order;
}

static void
test_a_conflict_uses_its_premises_and_no_others(void)
{
  for (size_t m = 0; m < G_N_ELEMENTS(contradictory_models); m++) {
    Checked checked = check_text("contradiction", contradictory_models[m], NULL);
    const DaeInitConflict *conflict = dae_init_conflict(checked.init, 0);
    g_autofree bool *used = g_new0(bool, conflict->n_premises + 1);
    for (uint32_t k = 0; k < conflict->n_steps; k++) {
      if (conflict->steps[k].rule != DAE_RULE_PREMISE) {
        continue;
      }
      bool is_listed = false;
      for (uint32_t p = 0; p < conflict->n_premises; p++) {
        bool is_this = same_premise(&conflict->steps[k].premise, &conflict->premises[p]);
        used[p] |= is_this;
        is_listed |= is_this;
      }
      TEST_ASSERT_TRUE_MESSAGE(is_listed, contradictory_models[m]);
    }
    for (uint32_t p = 0; p < conflict->n_premises; p++) {
      TEST_ASSERT_TRUE_MESSAGE(used[p], contradictory_models[m]);
    }
    checked_clear(&checked);
  }
}

/* ---- spoiled proofs ---------------------------------------------------------------------- */

typedef void (*Spoil)(DaeTerms *terms, DaeInitStep *step);

static void
add_one_to_the_right(DaeTerms *terms, DaeInitStep *step)
{
  step->rhs = dae_term_add(terms, step->rhs, dae_term_int(terms, 1));
}

static void
double_the_left(DaeTerms *terms, DaeInitStep *step)
{
  DaeTerm x = dae_term_int(terms, 2);
  step->lhs = dae_term_add(terms, dae_term_mul(terms, x, step->lhs), x);
}

/* The steps belong to the result; what is changed is changed back. */
static DaeInitStep *
spoilable(const DaeInitStep *steps)
{
  return (DaeInitStep *)(uintptr_t)steps;
}

static void
check_spoiled(Checked *checked, DaeInitStep *steps, uint32_t n, Spoil spoil, const char *name)
{
  uint32_t n_noticed = 0;
  for (uint32_t k = 0; k < n; k++) {
    DaeInitStep kept = steps[k];
    spoil(checked->terms, &steps[k]);
    g_autofree char *why = NULL;
    bool accepted = checked_verifies(checked, &why);
    n_noticed += !accepted;
    TEST_ASSERT_TRUE_MESSAGE(!accepted || why == NULL, name);
    steps[k] = kept;
  }
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(n, n_noticed, name);
  g_autofree char *why = NULL;
  TEST_ASSERT_TRUE_MESSAGE(checked_verifies(checked, &why), name);
}

static void
test_every_step_of_a_redundancy_matters(void)
{
  for (size_t m = 0; m < G_N_ELEMENTS(redundant_models); m++) {
    Checked checked = check_text("redundant", redundant_models[m], NULL);
    const DaeInitRedundant *redundant = dae_init_redundant(checked.init, 0);
    check_spoiled(&checked, spoilable(redundant->steps), redundant->n_steps,
                  add_one_to_the_right, redundant_models[m]);
    check_spoiled(&checked, spoilable(redundant->steps), redundant->n_steps, double_the_left,
                  redundant_models[m]);
    checked_clear(&checked);
  }
}

static void
test_the_premises_of_a_proof_are_those_of_the_model(void)
{
  for (size_t m = 0; m < G_N_ELEMENTS(redundant_models); m++) {
    Checked checked = check_text("redundant", redundant_models[m], NULL);
    const DaeInitRedundant *redundant = dae_init_redundant(checked.init, 0);
    for (uint32_t k = 0; k < redundant->n_steps; k++) {
      DaeInitStep *step = &spoilable(redundant->steps)[k];
      if (step->rule != DAE_RULE_PREMISE) {
        continue;
      }
      DaeInitPremise kept = step->premise;
      step->premise.index += 1000;
      g_autofree char *why = NULL;
      TEST_ASSERT_FALSE_MESSAGE(checked_verifies(&checked, &why), redundant_models[m]);
      step->premise = kept;
      step->premise.order += 1;
      g_autofree char *other = NULL;
      TEST_ASSERT_FALSE_MESSAGE(checked_verifies(&checked, &other), redundant_models[m]);
      step->premise = kept;
    }
    checked_clear(&checked);
  }
}

static void
test_a_step_may_not_lean_on_itself_or_later_ones(void)
{
  for (size_t m = 0; m < G_N_ELEMENTS(redundant_models); m++) {
    Checked checked = check_text("redundant", redundant_models[m], NULL);
    const DaeInitRedundant *redundant = dae_init_redundant(checked.init, 0);
    for (uint32_t k = 0; k < redundant->n_steps; k++) {
      DaeInitStep *step = &spoilable(redundant->steps)[k];
      if (step->n_from == 0) {
        continue;
      }
      uint32_t kept = step->from[0];
      step->from[0] = k;
      g_autofree char *why = NULL;
      TEST_ASSERT_FALSE_MESSAGE(checked_verifies(&checked, &why), redundant_models[m]);
      step->from[0] = redundant->n_steps;
      g_autofree char *other = NULL;
      TEST_ASSERT_FALSE_MESSAGE(checked_verifies(&checked, &other), redundant_models[m]);
      step->from[0] = kept;
    }
    checked_clear(&checked);
  }
}

/* ---- the same input, the same proof ------------------------------------------------------ */

static char *
print_proofs(const Checked *checked)
{
  GString *out = g_string_new(NULL);
  for (uint32_t i = 0; i < dae_init_n_redundant(checked->init); i++) {
    const DaeInitRedundant *redundant = dae_init_redundant(checked->init, i);
    for (uint32_t k = 0; k < redundant->n_steps; k++) {
      g_autofree char *lhs = dae_term_to_string(checked->terms, redundant->steps[k].lhs);
      g_autofree char *rhs = dae_term_to_string(checked->terms, redundant->steps[k].rhs);
      g_string_append_printf(out, "%s = %s\n", lhs, rhs);
    }
  }
  return g_string_free(out, FALSE);
}

static void
test_a_proof_is_found_again_to_the_letter(void)
{
  for (size_t m = 0; m < G_N_ELEMENTS(redundant_models); m++) {
    Checked first = check_text("redundant", redundant_models[m], NULL);
    Checked second = check_text("redundant", redundant_models[m], NULL);
    g_autofree char *a = print_proofs(&first);
    g_autofree char *b = print_proofs(&second);
    TEST_ASSERT_EQUAL_STRING(a, b);
    TEST_ASSERT_TRUE(strlen(a) > 0);
    checked_clear(&first);
    checked_clear(&second);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_steps_lean_on_earlier_ones);
  RUN_TEST(test_a_conflict_uses_its_premises_and_no_others);
  RUN_TEST(test_every_step_of_a_redundancy_matters);
  RUN_TEST(test_the_premises_of_a_proof_are_those_of_the_model);
  RUN_TEST(test_a_step_may_not_lean_on_itself_or_later_ones);
  RUN_TEST(test_a_proof_is_found_again_to_the_letter);
  return UNITY_END();
}
