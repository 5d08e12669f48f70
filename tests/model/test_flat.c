#include "../reader/reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_models_can_be_made_by_program(void)
{
  Reading reading =
      read_text("model M \"old\" parameter Real a = 2; Real x(start = 1, fixed = true), y; "
                "equation der(x) = a; y = x;\n"
                "assert(x > 0, \"m\"); annotation(experiment(StopTime = 3)); end M;");
  DaeVariable variables[2] = {*dae_model_variable(reading.model, 0),
                              *dae_model_variable(reading.model, 1)};
  DaeParameter parameters[1] = {*dae_model_parameter(reading.model, 0)};
  DaeEquation equations[2] = {*dae_model_equation(reading.model, 1),
                              *dae_model_equation(reading.model, 0)};
  DaeEquation initial[1] = {*dae_model_initial_equation(reading.model, 0)};
  DaeModelParts parts = {.name = "New",
                         .variables = variables,
                         .n_variables = 2,
                         .parameters = parameters,
                         .n_parameters = 1,
                         .equations = equations,
                         .n_equations = 2,
                         .initial_equations = initial,
                         .n_initial_equations = 1,
                         .like = reading.model};
  g_autoptr(DaeModel) model = dae_model_new(&parts);
  dae_model_free(reading.model);
  reading.model = NULL;
  g_autoptr(GString) out = g_string_new(NULL);
  dae_model_print(model, reading.terms, false, out);
  TEST_ASSERT_EQUAL_STRING("model New \"old\"\n  parameter Real a = 2;\n  Real x(start = 1, "
                           "fixed = true);\n  Real y;\nequation\n"
                           "  y = x;\n  der(x) = a;\n  assert(x > 0, \"m\");\n  "
                           "annotation(experiment(StopTime = 3));\nend New;\n",
                           out->str);
  uint32_t j = 9;
  TEST_ASSERT_TRUE(dae_model_find_variable(model, variables[1].symbol, &j));
  TEST_ASSERT_EQUAL_UINT(1, j);
  TEST_ASSERT_FALSE(dae_model_find_variable(model, parameters[0].symbol, &j));
  TEST_ASSERT_TRUE(dae_model_find_parameter(model, parameters[0].symbol, &j));
  TEST_ASSERT_EQUAL_UINT(0, j);
  DaeTerm value = dae_model_parameter_value(model, reading.terms, 0);
  TEST_ASSERT_EQUAL_UINT(dae_term_int(reading.terms, 2), value);
  end_reading(&reading);
}

static void
test_parameter_values_of_made_models_follow_each_other(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();

  enum { N = 20000 };

  DaeParameter *parameters = g_new0(DaeParameter, N);
  for (uint32_t k = 0; k < N; k++) {
    g_autofree char *name = g_strdup_printf("p%u", k);
    parameters[k].symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, name);
  }
  for (uint32_t k = 0; k + 1 < N; k++) {
    parameters[k].value = dae_term_add(
        terms, dae_term_parameter(terms, parameters[k + 1].symbol), dae_term_int(terms, 1));
  }
  parameters[N - 1].value = dae_term_int(terms, 0);
  DaeModelParts parts = {.name = "Chain", .parameters = parameters, .n_parameters = N};
  g_autoptr(DaeModel) model = dae_model_new(&parts);
  TEST_ASSERT_EQUAL_UINT(dae_term_int(terms, N - 1),
                         dae_model_parameter_value(model, terms, 0));
  g_free(parameters);
}

static void
test_substitution_puts_closed_values_in_and_leaves_the_rest(void)
{
  Reading reading = read_text(
      "model M parameter Real a = 2*b, b = 3, c, d(fixed = false, start = 1); Real x;\n"
      "equation x = a + c + d; end M;");
  g_autoptr(DaeSubst) subst = dae_model_parameter_subst(reading.model, reading.terms);
  DaeTerm t = dae_subst_apply(subst, dae_model_equation(reading.model, 0)->rhs);
  g_autofree char *text = dae_term_to_string(reading.terms, t);
  TEST_ASSERT_EQUAL_STRING("c + d + 6", text);
  end_reading(&reading);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_models_can_be_made_by_program);
  RUN_TEST(test_parameter_values_of_made_models_follow_each_other);
  RUN_TEST(test_substitution_puts_closed_values_in_and_leaves_the_rest);
  return UNITY_END();
}
