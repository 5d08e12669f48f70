/* The order of the stages: what runs when, what is kept, what is refused. */
#include "pipeline/pipeline-priv.h"

#include <math.h>
#include <string.h>
#include <unity.h>

static const char pendulum[] =
    "model Pendulum parameter Real L = 1; parameter Real g = 9.81; Real x(start = 1, fixed = "
    "true, nominal = 4); Real y; Real u; Real v(start = 0, fixed = true); Real lambda; "
    "equation "
    "der(x) = u; der(y) = v; der(u) = -2*x*lambda; der(v) = -2*y*lambda - g; x^2 + y^2 = L^2; "
    "end Pendulum;";

static DaePipeline *pipeline;
static GError *error;
static GString *told;

static void
tell(void *user, const DaeDiagnostic *diagnostic)
{
  (void)user;
  g_string_append_printf(told, "%s\n", diagnostic->message);
}

void
setUp(void)
{
  const DaeReporter reporter = {.diagnostic = tell};
  told = g_string_new(NULL);
  pipeline = dae_pipeline_new(&reporter);
  error = NULL;
}

void
tearDown(void)
{
  dae_pipeline_free(pipeline);
  g_clear_error(&error);
  g_string_free(told, TRUE);
}

static void
read_text(const char *text)
{
  TEST_ASSERT_TRUE(dae_pipeline_read_text(pipeline, "t.mo", text, strlen(text), NULL, &error));
}

static DaeProblem *
prepare(const char *text)
{
  const DaeProblemOptions options = {.t_start = NAN};
  read_text(text);
  return dae_pipeline_problem(pipeline, &options, &error);
}

static void
check_code(DaeErrorCode code)
{
  TEST_ASSERT_NOT_NULL(error);
  TEST_ASSERT_TRUE(g_error_matches(error, DAE_ERROR, (gint)code));
  g_clear_error(&error);
}

static void
test_stages_before_reading_are_errors(void)
{
  const DaeProblemOptions options = {.t_start = NAN};
  TEST_ASSERT_NULL(dae_pipeline_analyze(pipeline, NULL, &error));
  check_code(DAE_ERROR_USAGE);
  TEST_ASSERT_NULL(dae_pipeline_reduce(pipeline, NULL, &error));
  check_code(DAE_ERROR_USAGE);
  TEST_ASSERT_NULL(dae_pipeline_check_init(pipeline, NULL, &error));
  check_code(DAE_ERROR_USAGE);
  TEST_ASSERT_NULL(dae_pipeline_problem(pipeline, &options, &error));
  check_code(DAE_ERROR_USAGE);
  TEST_ASSERT_NULL(dae_pipeline_model(pipeline));
  uint32_t j = 0;
  TEST_ASSERT_FALSE(dae_pipeline_find_variable(pipeline, "x", &j));
  TEST_ASSERT_FALSE(dae_pipeline_find_parameter(pipeline, "x", &j));
}

static void
test_a_pipeline_reads_once(void)
{
  read_text(pendulum);
  TEST_ASSERT_FALSE(
      dae_pipeline_read_text(pipeline, "u.mo", pendulum, strlen(pendulum), NULL, &error));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "t.mo"));
  check_code(DAE_ERROR_USAGE);
}

static void
test_a_file_that_is_not_there_is_a_file_error(void)
{
  TEST_ASSERT_FALSE(dae_pipeline_read_file(pipeline, "/nonexistent/a.mo", NULL, &error));
  check_code(DAE_ERROR_FILE);
}

static void
test_each_stage_runs_once_and_keeps_its_result(void)
{
  read_text(pendulum);
  const DaeSig *sig = dae_pipeline_analyze(pipeline, NULL, &error);
  const DaeQlt *qlt = dae_pipeline_reduce(pipeline, NULL, &error);
  const DaeInit *init = dae_pipeline_check_init(pipeline, NULL, &error);
  TEST_ASSERT_NOT_NULL(sig);
  TEST_ASSERT_EQUAL_PTR(sig, dae_pipeline_analyze(pipeline, NULL, &error));
  TEST_ASSERT_EQUAL_PTR(qlt, dae_pipeline_reduce(pipeline, NULL, &error));
  TEST_ASSERT_EQUAL_PTR(init, dae_pipeline_check_init(pipeline, NULL, &error));
  TEST_ASSERT_EQUAL_INT(DAE_STAGE_CHECK_INIT, dae_pipeline_stage(pipeline));
  TEST_ASSERT_EQUAL_INT(3, dae_sig_index(sig));
}

static void
test_a_later_stage_alone_runs_those_before(void)
{
  read_text(pendulum);
  const DaeQlt *qlt = dae_pipeline_reduce(pipeline, NULL, &error);
  TEST_ASSERT_EQUAL_INT(2, dae_qlt_max_level(qlt));
  TEST_ASSERT_TRUE(dae_pipeline_seconds(pipeline, DAE_STAGE_ANALYZE) > 0);
  TEST_ASSERT_EQUAL_DOUBLE(0, dae_pipeline_seconds(pipeline, DAE_STAGE_INTEGRATE));
}

static void
test_singular_models_are_refused_with_the_verdict(void)
{
  read_text("model A Real x; Real y; equation x = 1; x = 2; end A;");
  TEST_ASSERT_NOT_NULL(dae_pipeline_analyze(pipeline, NULL, &error));
  TEST_ASSERT_NULL(dae_pipeline_reduce(pipeline, NULL, &error));
  check_code(DAE_ERROR_NEGATIVE);
}

static void
test_inconsistent_starts_are_refused_with_the_conflict(void)
{
  DaeProblem *problem = prepare("model A Real x(start = 1, fixed = true); initial equation x = "
                                "2; equation der(x) = -x; end A;");
  TEST_ASSERT_NULL(problem);
  TEST_ASSERT_NOT_NULL(strstr(error->message, "inconsistent"));
  check_code(DAE_ERROR_NEGATIVE);
}

static void
test_parameters_without_value_are_the_users_mistake(void)
{
  TEST_ASSERT_NULL(
      prepare("model A parameter Real p; Real x(start = 1, fixed = true); equation "
              "der(x) = -p*x; end A;"));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "parameter 'p' has no value"));
  check_code(DAE_ERROR_MODEL);
}

static void
test_missing_conditions_are_told_and_chosen(void)
{
  g_autoptr(DaeProblem) problem =
      prepare("model A Real x(start = 3); equation der(x) = -x; end A;");
  TEST_ASSERT_NOT_NULL(problem);
  TEST_ASSERT_NOT_NULL(strstr(told->str, "1 initial condition is missing"));
  TEST_ASSERT_EQUAL_DOUBLE(3, dae_problem_start(problem)[0]);
}

static void
test_names_are_found_in_the_model_and_in_the_problem(void)
{
  uint32_t j = 0;
  g_autoptr(DaeProblem) problem = prepare(pendulum);
  TEST_ASSERT_TRUE(dae_pipeline_find_variable(pipeline, "u", &j));
  TEST_ASSERT_EQUAL_UINT(2, j);
  TEST_ASSERT_TRUE(dae_pipeline_find_parameter(pipeline, "g", &j));
  TEST_ASSERT_EQUAL_UINT(1, j);
  TEST_ASSERT_FALSE(dae_pipeline_find_variable(pipeline, "g", &j));
  for (uint32_t k = 0; k < dae_problem_n(problem); k++) {
    TEST_ASSERT_TRUE(dae_problem_find(problem, dae_problem_name(problem, k), &j));
    TEST_ASSERT_EQUAL_UINT(k, j);
  }
  TEST_ASSERT_FALSE(dae_problem_find(problem, "g", &j));
  TEST_ASSERT_FALSE(dae_problem_find(problem, "nobody", &j));
}

static void
test_unknowns_tell_their_unit_and_description(void)
{
  g_autoptr(DaeProblem) problem =
      prepare("model A Real x(unit = \"m\", start = 1, fixed = true) \"way\"; "
              "Real y(start = 2, fixed = true); "
              "equation der(x) = -x*y; der(y) = x; end A;");
  TEST_ASSERT_NOT_NULL(problem);
  TEST_ASSERT_EQUAL_STRING("m", dae_problem_unit(problem, 0));
  TEST_ASSERT_EQUAL_STRING("way", dae_problem_description(problem, 0));
  TEST_ASSERT_NULL(dae_problem_unit(problem, 1));
  TEST_ASSERT_NULL(dae_problem_description(problem, 1));
}

static void
test_the_start_satisfies_everything_and_has_slopes(void)
{
  g_autoptr(DaeProblem) problem = prepare(pendulum);
  const double *x = dae_problem_start(problem);
  const double *slopes = dae_problem_start_slopes(problem);
  TEST_ASSERT_EQUAL_DOUBLE(1, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -9.81, slopes[3]);
  TEST_ASSERT_TRUE(dae_problem_start_residual(problem) < 1e-12);
  TEST_ASSERT_EQUAL_DOUBLE(4, dae_problem_nominal(problem)[0]);
  TEST_ASSERT_EQUAL_DOUBLE(1, dae_problem_nominal(problem)[1]);
  TEST_ASSERT_EQUAL_DOUBLE(0, dae_problem_t_start(problem));
}

static bool
count_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  (void)x;
  (void)xdot;
  (void)states;
  double *last = user;
  last[0]++;
  last[1] = t;
  return true;
}

static bool
simulate(DaeProblem *problem, double stop, double *last)
{
  DaeSolverOptions options;
  DaeSolverStats stats = {0};
  dae_solver_default_options(&options);
  options.t_stop = stop;
  options.interval = stop / 10;
  return dae_problem_simulate(problem, &options, count_point, last, &stats, &error);
}

static void
test_points_come_through_the_callback(void)
{
  double last[2] = {0, 0};
  g_autoptr(DaeProblem) problem = prepare(pendulum);
  TEST_ASSERT_TRUE(simulate(problem, 1, last));
  TEST_ASSERT_EQUAL_DOUBLE(11, last[0]);
  TEST_ASSERT_EQUAL_DOUBLE(1, last[1]);
}

static void
test_an_assertion_ends_the_run_at_its_time(void)
{
  double last[2] = {0, 0};
  g_autoptr(DaeProblem) problem =
      prepare("model A Real x(start = 0, fixed = true); equation der(x) = 1; assert(x < 0.55, "
              "\"too far\"); end A;");
  TEST_ASSERT_FALSE(simulate(problem, 1, last));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "too far"));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "assertion failed at t = 0.55"));
  check_code(DAE_ERROR_NUMERIC);
}

static void
test_a_warning_is_told_once_and_the_run_goes_on(void)
{
  double last[2] = {0, 0};
  g_autoptr(DaeProblem) problem =
      prepare("model A Real x(start = 0, fixed = true); equation der(x) = 1; assert(x < 0.55, "
              "\"far\", AssertionLevel.warning); end A;");
  TEST_ASSERT_TRUE(simulate(problem, 1, last));
  const char *first = strstr(told->str, "far");
  TEST_ASSERT_NOT_NULL(first);
  TEST_ASSERT_NULL(strstr(first + 1, "far"));
}

static void
test_a_run_that_fails_names_time_and_variable(void)
{
  double last[2] = {0, 0};
  g_autoptr(DaeProblem) problem =
      prepare("model A Real x(start = 1, fixed = true); equation der(x) = x^2; end A;");
  TEST_ASSERT_FALSE(simulate(problem, 2, last));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "integration stopped at t = "));
  check_code(DAE_ERROR_NUMERIC);
}

/* Consistent at t = 1 alone, and redundant, so that the start asks for the proof: both work on one
 * initial problem, that of the start time of the run. */
static void
test_the_proof_and_the_start_have_one_initial_problem(void)
{
  const DaeProblemOptions options = {.t_start = 1};
  read_text("model A Real x; Real y(start = 0, fixed = true); initial equation x = 2; "
            "equation x = 2*time; der(y) = 1; end A;");
  g_autoptr(DaeProblem) problem = dae_pipeline_problem(pipeline, &options, &error);
  TEST_ASSERT_NOT_NULL(problem);
  TEST_ASSERT_NOT_NULL(pipeline->init);
  TEST_ASSERT_EQUAL(DAE_INIT_CONSISTENT, dae_init_verdict(pipeline->init));
  TEST_ASSERT_EQUAL_UINT(1, pipeline->initial_problems->len);
  const DaePipelineInitial *initial = g_ptr_array_index(pipeline->initial_problems, 0);
  TEST_ASSERT_TRUE(dae_initial_t_start(initial->whole) == 1.0);
  TEST_ASSERT_EQUAL_PTR(initial->whole, initial->part);
}

/* Singular as written, so that the analysis converts it: proof and start speak of one problem of
 * the converted model. */
static void
test_a_repaired_model_has_one_initial_problem(void)
{
  g_autoptr(DaeProblem) problem = prepare(
      "model R Real x(start = 1, fixed = true), y(start = 2), z(start = 1, fixed = true); "
      "initial equation x + z = 2; "
      "equation der(x) - der(y) = -x; der(x) - der(y) + z - x*y = 0; "
      "der(z) = -z; end R;");
  const DaeInit *init = dae_pipeline_check_init(pipeline, NULL, &error);
  TEST_ASSERT_NOT_NULL(init);
  TEST_ASSERT_EQUAL(DAE_SIG_REPAIRED, dae_sig_status(pipeline->sig));
  TEST_ASSERT_EQUAL_UINT(1, pipeline->initial_problems->len);
  const DaePipelineInitial *initial = g_ptr_array_index(pipeline->initial_problems, 0);
  TEST_ASSERT_EQUAL_PTR(initial->whole, initial->part);
  TEST_ASSERT_EQUAL_PTR(dae_qlt_model(pipeline->qlt), dae_initial_model(initial->whole));
}

/* What is asked of the start is what is proved of the initialization: each condition of the whole
 * is the value of something discrete or, with that for discrete variables, one of the part. */
static void
check_the_part(const char *text, uint32_t n_whole, uint32_t n_part)
{
  g_autoptr(DaeProblem) problem = prepare(text);
  const DaeInit *init = dae_pipeline_check_init(pipeline, NULL, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(init, text);
  TEST_ASSERT_EQUAL_UINT(1, pipeline->initial_problems->len);
  const DaePipelineInitial *initial = g_ptr_array_index(pipeline->initial_problems, 0);
  TEST_ASSERT_EQUAL_UINT(n_whole, dae_initial_n_conditions(initial->whole));
  TEST_ASSERT_EQUAL_UINT(n_part, dae_initial_n_conditions(initial->part));
  uint32_t n_found = 0;
  for (uint32_t i = 0; i < n_part; i++) {
    uint32_t k = 0;
    (void)dae_initial_written(initial->part, i, &k);
    if (dae_hybrid_condition_of(pipeline->hybrid, i) == DAE_HYBRID_NONE) {
      continue;
    }
    const DaeInitialEquation proved = dae_initial_condition(initial->whole, k);
    const DaeInitialEquation asked = dae_initial_condition(initial->part, i);
    TEST_ASSERT_EQUAL_UINT(dae_hybrid_translate(pipeline->hybrid, proved.lhs), asked.lhs);
    TEST_ASSERT_EQUAL_UINT(dae_hybrid_translate(pipeline->hybrid, proved.rhs), asked.rhs);
    n_found++;
  }
  for (uint32_t k = 0; k < n_whole; k++) {
    n_found += dae_hybrid_condition(pipeline->hybrid, k)->is_assignment;
  }
  TEST_ASSERT_EQUAL_UINT(n_whole, n_found);
}

static void
test_a_start_with_events_is_a_part_of_what_is_proved(void)
{
  check_the_part("model A Real x(start = 1, fixed = true); Integer n(start = 1, fixed = true); "
                 "equation der(x) = -n*x; when x < 0.5 then n = pre(n) + 1; end when; end A;",
                 2, 1);
}

static void
test_phases_and_left_limits_are_the_same_for_both(void)
{
  check_the_part("model B Real x(start = 0.5); discrete Real m; Boolean on(start = true); "
                 "initial equation pre(m) = 3; x = (if initial() and pre(on) then 2 else 1)*m; "
                 "pre(on) = true; "
                 "equation der(x) = -x; on = x > 1; "
                 "when x < 0.1 then m = pre(m) + 1; end when; end B;",
                 3, 1);
}

static void
test_discrete_reals_of_continuous_unknowns_belong_to_the_part(void)
{
  check_the_part("model C Real x(start = 2), y; discrete Real m(start = 1, fixed = true); "
                 "initial equation m = y - x; "
                 "equation der(x) = -x; y = 2*x; "
                 "when x < 0.1 then m = pre(m) + x; end when; end C;",
                 2, 1);
}

int
main(void)
{
  dae_init();
  UNITY_BEGIN();
  RUN_TEST(test_stages_before_reading_are_errors);
  RUN_TEST(test_a_pipeline_reads_once);
  RUN_TEST(test_a_file_that_is_not_there_is_a_file_error);
  RUN_TEST(test_each_stage_runs_once_and_keeps_its_result);
  RUN_TEST(test_a_later_stage_alone_runs_those_before);
  RUN_TEST(test_singular_models_are_refused_with_the_verdict);
  RUN_TEST(test_inconsistent_starts_are_refused_with_the_conflict);
  RUN_TEST(test_parameters_without_value_are_the_users_mistake);
  RUN_TEST(test_missing_conditions_are_told_and_chosen);
  RUN_TEST(test_names_are_found_in_the_model_and_in_the_problem);
  RUN_TEST(test_unknowns_tell_their_unit_and_description);
  RUN_TEST(test_the_start_satisfies_everything_and_has_slopes);
  RUN_TEST(test_points_come_through_the_callback);
  RUN_TEST(test_an_assertion_ends_the_run_at_its_time);
  RUN_TEST(test_a_warning_is_told_once_and_the_run_goes_on);
  RUN_TEST(test_a_run_that_fails_names_time_and_variable);
  RUN_TEST(test_the_proof_and_the_start_have_one_initial_problem);
  RUN_TEST(test_a_repaired_model_has_one_initial_problem);
  RUN_TEST(test_a_start_with_events_is_a_part_of_what_is_proved);
  RUN_TEST(test_phases_and_left_limits_are_the_same_for_both);
  RUN_TEST(test_discrete_reals_of_continuous_unknowns_belong_to_the_part);
  return UNITY_END();
}
