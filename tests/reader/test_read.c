#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_the_pendulum_example_is_read_as_written(void)
{
  g_autofree char *path = g_build_filename(g_getenv("EXAMPLES"), "pendulum.mo", NULL);
  g_autofree char *text = NULL;
  gsize length = 0;
  TEST_ASSERT_TRUE(g_file_get_contents(path, &text, &length, NULL));
  Reading reading = read_text(text);
  g_autofree char *out = shown(&reading, false);
  TEST_ASSERT_EQUAL_STRING(
      "model Pendulum \"Planar pendulum in Cartesian coordinates, index 3\"\n"
      "  parameter Real g = 13.7503716373294544 \"gravity; the period is 2 for L = 1\";\n"
      "  parameter Real L = 1 \"length of the rod\";\n"
      "  Real x(start = 1);\n"
      "  Real y(start = 0, fixed = true) \"position\";\n"
      "  Real u(start = 0);\n"
      "  Real v(start = 0, fixed = true) \"velocity\";\n"
      "  Real lambda(start = 0) \"rod force per length and twice the mass\";\n"
      "equation\n"
      "  der(x) = u;\n"
      "  der(y) = v;\n"
      "  der(u) + 2*x*lambda = 0;\n"
      "  der(v) + 2*y*lambda + g = 0;\n"
      "  x^2 + y^2 = L^2;\n"
      "  annotation(experiment(StartTime = 0, StopTime = 100, Tolerance = 1e-07, Interval = "
      "0.1));\n"
      "end Pendulum;\n",
      out);
  TEST_ASSERT_EQUAL_UINT(5, dae_model_n_equations(reading.model));
  TEST_ASSERT_EQUAL_UINT(15, dae_model_equation(reading.model, 0)->span.line);
  TEST_ASSERT_EQUAL_UINT(2, dae_model_n_initial_equations(reading.model));
  end_reading(&reading);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_pendulum_example_is_read_as_written);
  return UNITY_END();
}
