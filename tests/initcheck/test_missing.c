/* What is missing, and a choice of start values that completes it: put in, nothing is missing. */
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

static const char *const incomplete[] = {
    "Real x(start = 1); equation der(x) = -x;",
    "Real x; Real y; equation der(x) = y; der(y) = -x;",
    "Real x(start = 1); Real y(start = 2); equation der(x) + der(y) = 1; y = 2*x;",
    "Real x; Real v; Real f; equation der(x) = v; der(v) = f; f = -x;",
    "Real u = 10; Real u1(start = 3); Real u2; Real i; equation i = der(u1); i = der(u2);"
    "u = u1 + u2;",
    "Real x(start = 1); Real y; Real a; Real b; Real h; equation der(x) = a; der(y) = b;"
    "der(a) = -x*h; der(b) = -y*h - 9; x^2 + y^2 = 1;",
    "Real x; Real y; Real z; initial equation x = 1; equation der(x) = y; der(y) = z;"
    "der(z) = x;",
    "Real x; parameter Real k(fixed = false, start = 2); initial equation x = 2;"
    "equation der(x) = -k*x;",
    "Real n(start = 1); Real V(start = 2); Real c; equation c*V = n; der(n) = -0.1*n;"
    "der(V) = 0.01;",
    "Real s1; Real s2; Real v1; Real v2; Real f; initial equation s1 = 0;"
    "equation der(s1) = v1; 2*der(v1) = f; der(s2) = v2; 3*der(v2) = 7 - f; s2 = s1 + 1;",
};

/* The text with `initial equation ATOM = VALUE` for each suggestion. */
static char *
completed(const char *text, const Checked *checked)
{
  GString *out = g_string_new(text);
  for (uint32_t i = 0; i < dae_init_n_suggested(checked->init); i++) {
    g_autofree char *atom =
        dae_term_to_string(checked->terms, dae_init_suggested(checked->init, i));
    g_string_append_printf(out, " initial equation %s = %s;", atom, i % 2 == 0 ? "1/2" : "1/3");
  }
  return g_string_free(out, FALSE);
}

static void
test_a_suggested_choice_completes_the_problem(void)
{
  for (size_t m = 0; m < G_N_ELEMENTS(incomplete); m++) {
    Checked checked = check_text("incomplete", incomplete[m], NULL);
    uint32_t missing = dae_init_missing(checked.init);
    TEST_ASSERT_GREATER_THAN_UINT32_MESSAGE(0, missing, incomplete[m]);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(missing, dae_init_n_suggested(checked.init),
                                     incomplete[m]);
    g_autofree char *text = completed(incomplete[m], &checked);
    Checked again = check_text("completed", text, NULL);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, dae_init_missing(again.init), text);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, dae_init_n_redundant(again.init), text);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, dae_init_n_conflicts(again.init), text);
    checked_clear(&again);
    checked_clear(&checked);
  }
}

static void
test_suggestions_are_among_what_is_undetermined(void)
{
  for (size_t m = 0; m < G_N_ELEMENTS(incomplete); m++) {
    Checked checked = check_text("incomplete", incomplete[m], NULL);
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(dae_init_missing(checked.init),
                                        dae_init_n_undetermined(checked.init));
    for (uint32_t i = 0; i < dae_init_n_suggested(checked.init); i++) {
      bool is_listed = false;
      for (uint32_t k = 0; k < dae_init_n_undetermined(checked.init); k++) {
        is_listed |=
            dae_init_suggested(checked.init, i) == dae_init_undetermined(checked.init, k);
      }
      TEST_ASSERT_TRUE_MESSAGE(is_listed, incomplete[m]);
    }
    checked_clear(&checked);
  }
}

static void
check_suggested(const char *text, const char *const *names, uint32_t n)
{
  Checked checked = check_text("preference", text, NULL);
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(n, dae_init_n_suggested(checked.init), text);
  for (uint32_t i = 0; i < n; i++) {
    bool found = false;
    for (uint32_t k = 0; k < n; k++) {
      g_autofree char *atom =
          dae_term_to_string(checked.terms, dae_init_suggested(checked.init, k));
      found |= strcmp(atom, names[i]) == 0;
    }
    TEST_ASSERT_TRUE_MESSAGE(found, text);
  }
  checked_clear(&checked);
}

static void
test_written_start_values_are_preferred(void)
{
  check_suggested("Real x; Real y(start = 1); equation der(x) + der(y) = 1; y = 2*x;",
                  (const char *const[]){"y"}, 1);
  check_suggested("Real x(start = 1); Real y; equation der(x) + der(y) = 1; y = 2*x;",
                  (const char *const[]){"x"}, 1);
  check_suggested(
      "Real a; Real b(start = 3); Real i; equation i = der(a); i = der(b); a + b = 9;",
      (const char *const[]){"b"}, 1);
}

static void
test_the_selection_of_states_is_heard(void)
{
  check_suggested(
      "Real x(stateSelect = StateSelect.never); Real y; equation der(x) + der(y) = 1;"
      "y = 2*x;",
      (const char *const[]){"y"}, 1);
  check_suggested(
      "Real x; Real y(stateSelect = StateSelect.always); equation der(x) + der(y) = 1;"
      "y = 2*x;",
      (const char *const[]){"y"}, 1);
}

static void
test_nothing_is_suggested_where_nothing_is_missing(void)
{
  Checked checked =
      check_text("complete", "Real x; initial equation x = 1; equation der(x) = -x;", NULL);
  TEST_ASSERT_EQUAL_UINT32(0, dae_init_missing(checked.init));
  TEST_ASSERT_EQUAL_UINT32(0, dae_init_n_suggested(checked.init));
  TEST_ASSERT_EQUAL_UINT32(0, dae_init_n_undetermined(checked.init));
  checked_clear(&checked);
}

/* Degrees of freedom are what is missing and what the initial equations use up. */
static void
test_missing_and_used_add_up_to_the_degrees_of_freedom(void)
{
  for (size_t m = 0; m < G_N_ELEMENTS(incomplete); m++) {
    Checked checked = check_text("incomplete", incomplete[m], NULL);
    int64_t used = (int64_t)dae_init_n_initial_equations(checked.init) -
                   dae_init_n_redundant(checked.init);
    int64_t wanted = dae_init_dof(checked.init);
    if (strstr(incomplete[m], "fixed = false") != NULL) {
      wanted += 1; /* a free parameter wants an initial equation, too */
    }
    TEST_ASSERT_EQUAL_INT64_MESSAGE(wanted, used + dae_init_missing(checked.init),
                                    incomplete[m]);
    checked_clear(&checked);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_suggested_choice_completes_the_problem);
  RUN_TEST(test_suggestions_are_among_what_is_undetermined);
  RUN_TEST(test_written_start_values_are_preferred);
  RUN_TEST(test_the_selection_of_states_is_heard);
  RUN_TEST(test_nothing_is_suggested_where_nothing_is_missing);
  RUN_TEST(test_missing_and_used_add_up_to_the_degrees_of_freedom);
  return UNITY_END();
}
