/* The flat interface: every function once in its right use, and every way to misuse it. */
#include <daetool/simple.h>

#include <math.h>
#include <string.h>
#include <unity.h>

static const char pendulum[] =
    "model Pendulum parameter Real L = 1; parameter Real g = 9.81; parameter String s = \"a\"; "
    "Real x(start = 1, fixed = true); Real y; Real u(unit = \"m/s\"); Real v(start = 0, fixed "
    "= "
    "true); Real lambda; equation der(x) = u; der(y) = v; der(u) = -2*x*lambda; der(v) = "
    "-2*y*lambda - g; x^2 + y^2 = L^2; annotation(experiment(StopTime = 0.5)); end Pendulum;";

static DaetoolModel *model;

void
setUp(void)
{
  model = daetool_read_text(pendulum, NULL);
}

void
tearDown(void)
{
  daetool_free(model);
}

static void
test_names_units_and_parameters_are_listed(void)
{
  TEST_ASSERT_NULL(daetool_error(model));
  TEST_ASSERT_EQUAL_INT(0, daetool_error_code(model));
  TEST_ASSERT_EQUAL_STRING("", daetool_messages(model));
  TEST_ASSERT_EQUAL_UINT(5, daetool_n_variables(model));
  TEST_ASSERT_EQUAL_STRING("lambda", daetool_variable_name(model, 4));
  TEST_ASSERT_NULL(daetool_variable_name(model, 5));
  TEST_ASSERT_EQUAL_STRING("m/s", daetool_variable_unit(model, 2));
  TEST_ASSERT_NULL(daetool_variable_unit(model, 0));
  TEST_ASSERT_EQUAL_INT(3, daetool_find_variable(model, "v"));
  TEST_ASSERT_EQUAL_INT(-1, daetool_find_variable(model, "L"));
  TEST_ASSERT_EQUAL_UINT(3, daetool_n_parameters(model));
  TEST_ASSERT_EQUAL_STRING("g", daetool_parameter_name(model, 1));
  TEST_ASSERT_NULL(daetool_parameter_name(model, 3));
  TEST_ASSERT_EQUAL_DOUBLE(9.81, daetool_parameter_value(model, 1));
  TEST_ASSERT_TRUE(isnan(daetool_parameter_value(model, 2)));
  TEST_ASSERT_TRUE(isnan(daetool_parameter_value(model, 9)));
}

static void
test_structure_comes_as_arrays_and_as_json(void)
{
  static const int32_t c[] = {1, 1, 0, 0, 2};
  static const int32_t d[] = {2, 2, 1, 1, 0};
  size_t n = 0;
  TEST_ASSERT_EQUAL_INT(3, daetool_structural_index(model));
  TEST_ASSERT_EQUAL_INT(2, (int)daetool_degrees_of_freedom(model));
  TEST_ASSERT_EQUAL_INT32_ARRAY(c, daetool_equation_offsets(model, &n), 5);
  TEST_ASSERT_EQUAL_UINT(5, n);
  TEST_ASSERT_EQUAL_INT32_ARRAY(d, daetool_variable_offsets(model, &n), 5);
  TEST_ASSERT_EQUAL_UINT(5, n);
  const char *json = daetool_analyze_json(model, NULL, &n);
  TEST_ASSERT_EQUAL_UINT(strlen(json), n);
  TEST_ASSERT_NOT_NULL(strstr(json, "\"structural_index\": 3"));
  json = daetool_reduce_json(model, "eliminate=auto", NULL);
  TEST_ASSERT_NOT_NULL(strstr(json, "\"max_level\": 2"));
  json = daetool_check_init_json(model, &n);
  TEST_ASSERT_NOT_NULL(strstr(json, "\"well-determined\""));
}

static void
test_a_run_is_arrays_of_one_length(void)
{
  size_t n_time = 0;
  size_t n = 0;
  DaetoolRun *run = daetool_simulate(model, "stop=1; intervals=10; tol=1e-9");
  TEST_ASSERT_NOT_NULL_MESSAGE(run, daetool_error(model));
  const double *t = daetool_run_time(run, &n_time);
  const double *x = daetool_run_values(run, "x", &n);
  TEST_ASSERT_EQUAL_UINT(11, n_time);
  TEST_ASSERT_EQUAL_UINT(11, n);
  TEST_ASSERT_EQUAL_DOUBLE(1, t[10]);
  const double *y = daetool_run_values(run, "y", &n);
  for (size_t i = 0; i < n; i++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, x[i] * x[i] + y[i] * y[i]);
  }
  TEST_ASSERT_NULL(daetool_run_values(run, "nobody", &n));
  TEST_ASSERT_EQUAL_UINT(0, n);
  TEST_ASSERT_TRUE(daetool_run_statistic(run, "steps") > 1);
  TEST_ASSERT_EQUAL_DOUBLE(1, daetool_run_statistic(run, "t"));
  TEST_ASSERT_TRUE(isnan(daetool_run_statistic(run, "nothing")));
  daetool_run_free(run);
}

static void
test_the_annotation_counts_where_no_option_does(void)
{
  size_t n = 0;
  DaetoolRun *run = daetool_simulate(model, NULL);
  const double *t = daetool_run_time(run, &n);
  TEST_ASSERT_EQUAL_UINT(501, n);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, t[500]);
  daetool_run_free(run);
}

static void
test_fixed_steps_and_their_options(void)
{
  size_t n = 0;
  TEST_ASSERT_NULL(daetool_simulate(model, "method=bdf3"));
  TEST_ASSERT_EQUAL_INT(2, daetool_error_code(model));
  DaetoolRun *run = daetool_simulate(model, "method=bdf3;step=0.01;stop=0.1;interval=0.05");
  TEST_ASSERT_NOT_NULL(run);
  daetool_run_time(run, &n);
  TEST_ASSERT_EQUAL_UINT(3, n);
  daetool_run_free(run);
}

static void
test_a_new_value_counts_from_then_on(void)
{
  size_t n = 0;
  TEST_ASSERT_EQUAL_INT(0, daetool_set(model, "L", 2));
  TEST_ASSERT_EQUAL_DOUBLE(2, daetool_parameter_value(model, 0));
  const double *start = daetool_start_values(model, &n);
  TEST_ASSERT_EQUAL_UINT(5, n);
  TEST_ASSERT_EQUAL_STRING("y", daetool_signal_name(model, 1));
  TEST_ASSERT_NULL(daetool_signal_name(model, 5));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3, start[1] * start[1]);
  TEST_ASSERT_EQUAL_INT(0, daetool_set(model, "L", 1.5));
  start = daetool_start_values(model, &n);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.25, start[1] * start[1]);
}

static void
test_values_that_cannot_be_leave_the_model_as_it_was(void)
{
  TEST_ASSERT_EQUAL_INT(2, daetool_set(model, "nobody", 1));
  TEST_ASSERT_NOT_NULL(strstr(daetool_error(model), "nobody"));
  TEST_ASSERT_EQUAL_INT(2, daetool_set(model, "L", NAN));
  TEST_ASSERT_TRUE(daetool_set(model, "s", 1) != 0);
  TEST_ASSERT_EQUAL_DOUBLE(1, daetool_parameter_value(model, 0));
  TEST_ASSERT_EQUAL_INT(3, daetool_structural_index(model));
  TEST_ASSERT_NULL(daetool_error(model));
}

static void
test_unknown_options_are_errors(void)
{
  static const char *const bad[] = {"stap=1",       "stop",    "stop=x",     "stop=1e999",
                                    "intervals=-1", "order=7", "method=rk4", "tol=0",
                                    "stop=-1",      "native"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    TEST_ASSERT_NULL_MESSAGE(daetool_simulate(model, bad[i]), bad[i]);
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, daetool_error_code(model), bad[i]);
  }
  TEST_ASSERT_NULL(daetool_analyze_json(model, "x=1", NULL));
  TEST_ASSERT_NULL(daetool_reduce_json(model, "eliminate=often", NULL));
  DaetoolModel *other = daetool_read_text(pendulum, "stop=1");
  TEST_ASSERT_EQUAL_INT(2, daetool_error_code(other));
  daetool_free(other);
}

static void
test_a_model_that_cannot_be_read_is_a_handle_with_an_error(void)
{
  size_t n = 7;
  DaetoolModel *broken = daetool_read_text("model A Real x; equation x = ; end A;", NULL);
  TEST_ASSERT_EQUAL_INT(3, daetool_error_code(broken));
  TEST_ASSERT_NOT_NULL(strstr(daetool_messages(broken), "<text>:1:"));
  TEST_ASSERT_EQUAL_UINT(0, daetool_n_variables(broken));
  TEST_ASSERT_NULL(daetool_variable_name(broken, 0));
  TEST_ASSERT_EQUAL_INT(-1, daetool_find_variable(broken, "x"));
  TEST_ASSERT_TRUE(isnan(daetool_parameter_value(broken, 0)));
  TEST_ASSERT_EQUAL_INT(3, daetool_set(broken, "x", 1));
  TEST_ASSERT_NULL(daetool_analyze_json(broken, NULL, &n));
  TEST_ASSERT_EQUAL_UINT(0, n);
  TEST_ASSERT_NULL(daetool_reduce_json(broken, NULL, NULL));
  TEST_ASSERT_NULL(daetool_check_init_json(broken, NULL));
  TEST_ASSERT_EQUAL_INT(-1, daetool_structural_index(broken));
  TEST_ASSERT_NULL(daetool_equation_offsets(broken, &n));
  TEST_ASSERT_NULL(daetool_start_values(broken, &n));
  TEST_ASSERT_NULL(daetool_simulate(broken, NULL));
  TEST_ASSERT_NULL(daetool_export_c(broken, NULL, &n));
  TEST_ASSERT_EQUAL_INT(3, daetool_error_code(broken));
  daetool_free(broken);
  DaetoolModel *absent = daetool_read_file("/nonexistent/a.mo", NULL);
  TEST_ASSERT_EQUAL_INT(6, daetool_error_code(absent));
  daetool_free(absent);
}

static void
test_negative_verdicts_and_failed_runs_are_told_apart(void)
{
  size_t n = 0;
  DaetoolModel *singular =
      daetool_read_text("model A Real x; Real y; equation x = 1; x = 2; end A;", NULL);
  TEST_ASSERT_NOT_NULL(daetool_analyze_json(singular, NULL, NULL));
  TEST_ASSERT_NULL(daetool_error(singular));
  TEST_ASSERT_NULL(daetool_simulate(singular, NULL));
  TEST_ASSERT_EQUAL_INT(1, daetool_error_code(singular));
  daetool_free(singular);
  DaetoolModel *ends = daetool_read_text(
      "model A Real x(start = 1, fixed = true); equation der(x) = x^2; end A;", NULL);
  DaetoolRun *run = daetool_simulate(ends, "stop=2;intervals=20");
  TEST_ASSERT_NOT_NULL(run);
  TEST_ASSERT_EQUAL_INT(5, daetool_error_code(ends));
  daetool_run_time(run, &n);
  TEST_ASSERT_TRUE(n >= 9 && n < 21);
  daetool_run_free(run);
  daetool_free(ends);
}

static void
test_options_of_the_reader_count(void)
{
  DaetoolModel *two = daetool_read_text("model A parameter Real p = 1; input Real w; Real x; "
                                        "equation x = p + w; end A; model B Real "
                                        "y; equation y = 1; end B;",
                                        "model=A\nset=p=3\ninput=w=2*time");
  size_t n = 0;
  TEST_ASSERT_NULL_MESSAGE(daetool_error(two), daetool_error(two));
  DaetoolRun *run = daetool_simulate(two, "stop=1;intervals=1");
  const double *x = daetool_run_values(run, "x", &n);
  TEST_ASSERT_EQUAL_DOUBLE(5, x[1]);
  daetool_run_free(run);
  daetool_free(two);
}

static void
test_export_gives_a_program(void)
{
  size_t n = 0;
  const char *text = daetool_export_c(model, "method=bdf3;step=0.001;prefix=swing", &n);
  TEST_ASSERT_NOT_NULL_MESSAGE(text, daetool_error(model));
  TEST_ASSERT_EQUAL_UINT(strlen(text), n);
  TEST_ASSERT_NOT_NULL(strstr(text, "swing_step"));
  TEST_ASSERT_NOT_NULL(daetool_export_c(model, NULL, NULL));
}

static void
test_null_handles_are_freed(void)
{
  daetool_free(NULL);
  daetool_run_free(NULL);
  TEST_ASSERT_TRUE(strlen(daetool_version()) >= 5);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_names_units_and_parameters_are_listed);
  RUN_TEST(test_structure_comes_as_arrays_and_as_json);
  RUN_TEST(test_a_run_is_arrays_of_one_length);
  RUN_TEST(test_the_annotation_counts_where_no_option_does);
  RUN_TEST(test_fixed_steps_and_their_options);
  RUN_TEST(test_a_new_value_counts_from_then_on);
  RUN_TEST(test_values_that_cannot_be_leave_the_model_as_it_was);
  RUN_TEST(test_unknown_options_are_errors);
  RUN_TEST(test_a_model_that_cannot_be_read_is_a_handle_with_an_error);
  RUN_TEST(test_negative_verdicts_and_failed_runs_are_told_apart);
  RUN_TEST(test_options_of_the_reader_count);
  RUN_TEST(test_export_gives_a_program);
  RUN_TEST(test_null_handles_are_freed);
  return UNITY_END();
}
