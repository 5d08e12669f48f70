/* "Holds for all parameter values", two ways: the same model read with other values has the same
 * verdict; and where there is a value that changes it, the claim is not made. */

#include <math.h>
#include <string.h>
#include <unity.h>

#include "cases.h"
#include "inside.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  const char *name;
  bool holds;
  const char *assumption; /* the first one, or NULL */
  const char *text;       /* with %s for the value of a */
} Scope;

static const Scope scopes[] = {
    {"a definition", true, NULL,
     "parameter Real a = %s; Real x(start = 1, fixed = true); Real y; "
     "equation der(x) = -x; y = a*x;"},
    {"divided by a", true, "a",
     "parameter Real a = %s; Real x(start = 1, fixed = true); Real y; "
     "equation der(x) = -x; a*y = x;"},
    {"redundant for all a", true, NULL,
     "parameter Real a = %s; Real x; Real y; initial equation x = a; y = 2*a; "
     "equation der(x) = -x; y = 2*x;"},
    {"a root for a >= 0 only", false, NULL,
     "parameter Real a = %s; Real x(start = 1); Real s(start = 0, fixed = true); "
     "equation x^2 = a; der(s) = x;"},
    {"a logarithm for a > 0 only", false, NULL,
     "parameter Real a = %s; Real x; Real s(start = 0, fixed = true); "
     "equation x = log(a); der(s) = x;"},
    {"no parameter", true, NULL,
     "constant Real c = %s; Real x(start = 1, fixed = true); equation der(x) = -c*x;"},
};

static Checked
check_with(const Scope *scope, const char *value)
{
  g_autofree char *text = g_strdup_printf(scope->text, value);
  return check_text(scope->name, text, NULL);
}

static void
test_the_claim_is_as_by_hand(void)
{
  for (size_t i = 0; i < G_N_ELEMENTS(scopes); i++) {
    Checked checked = check_with(&scopes[i], "2");
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        scopes[i].holds, dae_init_holds_for_all_parameters(checked.init), scopes[i].name);
    g_autofree char *assumption =
        dae_init_n_assumptions(checked.init) == 0
            ? NULL
            : dae_term_to_string(checked.terms, dae_init_assumption(checked.init, 0));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(scopes[i].assumption, assumption, scopes[i].name);
    checked_clear(&checked);
  }
}

static void
test_where_it_holds_other_values_have_the_same_verdict(void)
{
  static const char *const values[] = {"1", "-3", "1e-3", "1000", "0.37"};
  for (size_t i = 0; i < G_N_ELEMENTS(scopes); i++) {
    Checked first = check_with(&scopes[i], "2");
    for (size_t k = 0; k < G_N_ELEMENTS(values) && scopes[i].holds; k++) {
      Checked other = check_with(&scopes[i], values[k]);
      TEST_ASSERT_EQUAL_INT_MESSAGE(dae_init_verdict(first.init), dae_init_verdict(other.init),
                                    scopes[i].name);
      TEST_ASSERT_EQUAL_UINT32(dae_init_n_redundant(first.init),
                               dae_init_n_redundant(other.init));
      checked_clear(&other);
    }
    checked_clear(&first);
  }
}

/* The counterexamples: the same text at a value where the claim would be wrong. */
static void
test_where_it_does_not_hold_a_value_changes_the_verdict(void)
{
  for (size_t i = 0; i < G_N_ELEMENTS(scopes); i++) {
    if (scopes[i].holds && scopes[i].assumption == NULL) {
      continue;
    }
    Checked good = check_with(&scopes[i], "2");
    Checked bad = check_with(&scopes[i], scopes[i].assumption != NULL ? "0" : "-4");
    TEST_ASSERT_NOT_EQUAL_MESSAGE(dae_init_verdict(good.init), dae_init_verdict(bad.init),
                                  scopes[i].name);
    checked_clear(&good);
    checked_clear(&bad);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_claim_is_as_by_hand);
  RUN_TEST(test_where_it_holds_other_values_have_the_same_verdict);
  RUN_TEST(test_where_it_does_not_hold_a_value_changes_the_verdict);
  return UNITY_END();
}
