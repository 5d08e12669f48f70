/* Suggested conditions, two ways: what is suggested is added to the model as initial equations, and
 * the check of that model must call it well-determined. */

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
  uint32_t missing;
  const char *declarations, *initial, *equations;
} Model;

static const Model models[] = {
    {"one state", 1, "Real x(start = 3);", "", "der(x) = -x;"},
    {"two states and a definition", 2, "Real x(start = 1); Real y(start = 2); Real z;", "",
     "der(x) = y; der(y) = -x; z = x + y;"},
    {"a pendulum: x and u, never x and y", 2,
     "parameter Real L = 1; Real x(start = 0.6); Real y(start = -0.8); Real u; Real v; Real l;",
     "", "der(x) = u; der(y) = v; der(u) = -l*x; der(v) = -l*y - 9.81; x^2 + y^2 = L^2;"},
    {"one condition is there", 1, "Real x(start = 1); Real y(start = 2);", "x = 5;",
     "der(x) = y; der(y) = -x;"},
    {"a sum is given, one part stays", 1, "Real x(start = 1); Real y(start = 2);", "x + y = 3;",
     "der(x) = -x; der(y) = -y;"},
    {"a free parameter", 2, "parameter Real k(fixed = false, start = 2); Real x(start = 1);",
     "", "der(x) = -k*x;"},
    {"an index-2 constraint leaves one", 1, "Real x(start = 1); Real y; Real f;", "",
     "der(x) = f; der(y) = -f + 1; x = 2*y;"},
};

static char *
text_of(const Model *model, const char *more)
{
  return g_strdup_printf("%s initial equation %s %s equation %s", model->declarations,
                         model->initial, more, model->equations);
}

/* "x = 0.6; der(x) = 0;": at the guesses, or 0. */
static char *
conditions_of(const Checked *checked)
{
  GString *out = g_string_new(NULL);
  for (uint32_t i = 0; i < dae_init_n_suggested(checked->init); i++) {
    DaeTerm atom = dae_init_suggested(checked->init, i);
    g_autofree char *name = dae_term_to_string(checked->terms, atom);
    double value = 0.0;
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    dae_init_value(checked->init, atom, &value);
    g_string_append_printf(out, "%s = %s; ", name,
                           g_ascii_dtostr(digits, sizeof digits, value));
  }
  return g_string_free(out, FALSE);
}

static void
test_with_the_suggested_conditions_nothing_is_missing(void)
{
  for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
    g_autofree char *text = text_of(&models[i], "");
    Checked before = check_text(models[i].name, text, NULL);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(models[i].missing, dae_init_missing(before.init),
                                     models[i].name);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(models[i].missing, dae_init_n_suggested(before.init),
                                     models[i].name);
    g_autofree char *conditions = conditions_of(&before);
    g_autofree char *fixed = text_of(&models[i], conditions);
    Checked after = check_text(models[i].name, fixed, NULL);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
        "well-determined", dae_init_verdict_name(dae_init_verdict(after.init)), fixed);
    checked_clear(&before);
    checked_clear(&after);
  }
}

/* One candidate less than wanted is not enough: each of them is needed. */
static void
test_no_suggested_condition_is_superfluous(void)
{
  for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
    g_autofree char *text = text_of(&models[i], "");
    Checked before = check_text(models[i].name, text, NULL);
    g_autofree char *conditions = conditions_of(&before);
    char *second = strstr(conditions, "; ");
    g_autofree char *fewer = text_of(&models[i], second + 2);
    Checked after = check_text(models[i].name, fewer, NULL);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(1, dae_init_missing(after.init), fewer);
    checked_clear(&before);
    checked_clear(&after);
  }
}

static bool
is_suggested(const Checked *checked, const char *wanted)
{
  for (uint32_t i = 0; i < dae_init_n_suggested(checked->init); i++) {
    g_autofree char *name =
        dae_term_to_string(checked->terms, dae_init_suggested(checked->init, i));
    if (strcmp(name, wanted) == 0) {
      return true;
    }
  }
  return false;
}

/* At x = 1, y = 0 the circle's tangent is vertical: y can be chosen there, x cannot. */
static void
test_a_choice_is_regular_at_the_start_values(void)
{
  const char *circle =
      "Real x(start = %s); Real y(start = %s); equation x^2 + y^2 = 1; der(x) = -y;";
  g_autofree char *at_right = g_strdup_printf(circle, "1", "0");
  g_autofree char *at_top = g_strdup_printf(circle, "0", "1");
  Checked right = check_text("right", at_right, NULL);
  Checked top = check_text("top", at_top, NULL);
  TEST_ASSERT_TRUE(is_suggested(&right, "y"));
  TEST_ASSERT_FALSE(is_suggested(&right, "x"));
  TEST_ASSERT_TRUE(is_suggested(&top, "x"));
  TEST_ASSERT_FALSE(is_suggested(&top, "y"));
  checked_clear(&right);
  checked_clear(&top);
}

/* Who has a start value comes first; a potential state before an algebraic variable. */
static void
test_start_values_and_states_are_preferred(void)
{
  Checked a =
      check_text("start", "Real x; Real y(start = 4); equation der(x) = 1; y = 2*x;", NULL);
  TEST_ASSERT_TRUE(is_suggested(&a, "y"));
  checked_clear(&a);
  Checked b = check_text("state", "Real x; Real y; equation der(x) = 1; y = 2*x;", NULL);
  TEST_ASSERT_TRUE(is_suggested(&b, "x"));
  checked_clear(&b);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_with_the_suggested_conditions_nothing_is_missing);
  RUN_TEST(test_no_suggested_condition_is_superfluous);
  RUN_TEST(test_a_choice_is_regular_at_the_start_values);
  RUN_TEST(test_start_values_and_states_are_preferred);
  return UNITY_END();
}
