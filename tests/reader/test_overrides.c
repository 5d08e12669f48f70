#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static const char *const text =
    "model M\n  parameter Real a = 1, 'e=m' = 1;\n  parameter Integer n = 2;\n  parameter Real "
    "p[n] = "
    "ones(n);\n"
    "  parameter Boolean b = false;\n  parameter String s = \"x\";\n  constant Real c = 5;\n"
    "  input Real u(start = 3);\n  Real x(start = 1, fixed = true), y[2];\nequation\n"
    "  der(x) = a*u + der(u);\n  y = p[1:2];\nend M;\n";

static Reading
read_set(const char *set, const char *input)
{
  const char *sets[] = {set, NULL};
  const char *inputs[] = {input, NULL};
  DaeReadOptions options = {.overrides = set != NULL ? sets : NULL,
                            .inputs = input != NULL ? inputs : NULL};
  return read_with(text, strlen(text), &options);
}

static void
assert_line(const char *expected, const char *set, const char *input)
{
  Reading reading = read_set(set, input);
  g_autofree char *out = shown(&reading, false);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, expected), out);
  end_reading(&reading);
}

static void
assert_usage(const char *expected, const char *set, const char *input)
{
  Reading reading = read_set(set, input);
  TEST_ASSERT_NOT_NULL(reading.error);
  TEST_ASSERT_EQUAL_STRING(expected, reading.error->message);
  TEST_ASSERT_EQUAL_INT(DAE_ERROR_USAGE, reading.error->code);
  end_reading(&reading);
}

static void
test_set_changes_parameters(void)
{
  assert_line("  parameter Real a = 0.1;\n", "a=0.1", NULL);
  assert_line("  parameter Real a = -0.002;\n", " a = -2e-3", NULL);
  assert_line("  parameter Real a = 2*n;\n", "a=2*n", NULL);
  assert_line("  parameter Boolean b = true;\n", "b=true", NULL);
  assert_line("  parameter String s = \"hello\";\n", "s=hello", NULL);
  assert_line("  parameter String s = \"hello\";\n", "s=\"hello\"", NULL);
  assert_line("  parameter Real p[2] = 7;\n", "p[2]=7", NULL);
  assert_line("  parameter Real p[2] = 4;\n", "p={3, 4}", NULL);
  assert_line("  parameter Real 'e=m' = 7;\n", "'e=m'=7", NULL);
}

static void
test_there_is_no_element_0(void)
{
  Reading reading = read_set("p[0]=7", NULL);
  TEST_ASSERT_NOT_NULL(reading.error);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(reading.error->message, "'p[0]'"),
                               reading.error->message);
  end_reading(&reading);
}

static void
test_set_changes_sizes(void)
{
  assert_line("  parameter Real p[3] = 1;\n", "n=3", NULL);
}

static void
test_set_changes_starts_and_keeps_them_fixed(void)
{
  assert_line("  Real x(start = 2, fixed = true);\n", "x=2", NULL);
  assert_line("  Real y[1];\n  Real y[2](start = 5);\n", "y[2]=5", NULL);
  Reading reading = read_set("x=2", NULL);
  g_autoptr(GString) out = g_string_new(NULL);
  dae_model_print_equation(reading.terms, dae_model_initial_equation(reading.model, 0), out);
  TEST_ASSERT_EQUAL_STRING("x = 2", out->str);
  end_reading(&reading);
}

static void
test_inputs_are_functions_of_time(void)
{
  assert_line("  der(x) = 3*a;\n", NULL, NULL);
  assert_line("  der(x) = 4*a;\n", "u=4", NULL);
  assert_line("  der(x) = a*sin(time) + cos(time);\n", NULL, "u=sin(time)");
  Reading silent = read_set(NULL, "u=time");
  TEST_ASSERT_EQUAL_STRING("", silent.messages->str);
  end_reading(&silent);
  Reading warned = read_set(NULL, NULL);
  TEST_ASSERT_EQUAL_STRING("8:14: warning: input 'u' is held constant at its start value 3 "
                           "(--input gives it a function "
                           "of time)\n",
                           warned.messages->str);
  end_reading(&warned);
}

static void
test_mistakes_are_usage_errors(void)
{
  assert_usage("--set: the model has no parameter or variable 'alpha'; its parameters are a, "
               "'e=m', n, p, b, s",
               "alpha=1", NULL);
  assert_usage("--set: the model has no parameter or variable 'X'; did you mean 'x'?", "X=1",
               NULL);
  assert_usage("--set needs NAME=VALUE, not 'a'", "a", NULL);
  assert_usage("--set a=: expected an expression, found the end of the text", "a=", NULL);
  assert_usage("--set a=1 2: expected the end of the expression, found '2'", "a=1 2", NULL);
  assert_usage("--set a=true: parameter 'a' is Real, its value is Boolean", "a=true", NULL);
  assert_usage("--set p={1}: parameter 'p' has size [2], its value has size [1]", "p={1}",
               NULL);
  assert_usage("--set p[3]=1: 'p' has no such element", "p[3]=1", NULL);
  assert_usage("--set: 'c' is a constant", "c=1", NULL);
  assert_usage("--input: the model has no input 'v'; its input is u", NULL, "v=1");
  assert_usage("--input: 'x' is not an input", NULL, "x=1");
  assert_usage("--input u=x: an input is an expression in time and parameters", NULL, "u=x");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_set_changes_parameters);
  RUN_TEST(test_there_is_no_element_0);
  RUN_TEST(test_set_changes_sizes);
  RUN_TEST(test_set_changes_starts_and_keeps_them_fixed);
  RUN_TEST(test_inputs_are_functions_of_time);
  RUN_TEST(test_mistakes_are_usage_errors);
  return UNITY_END();
}
