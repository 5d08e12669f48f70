/* Other values for a prepared problem, against problems made with them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unity.h>

#include "pipeline/pipeline.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static const char pendulum[] =
    "model Pendulum parameter Real g = 13.75; parameter Real L = 1; parameter Real w = g/L; "
    "Real x(start = L), y(start = 0, fixed = true), u(start = 0), v(start = 0, fixed = true), "
    "lambda(start = 0); Real k = w*x; equation der(x) = u; der(y) = v; der(u) + 2*x*lambda = "
    "0; der(v) + 2*y*lambda + g = 0; x^2 + y^2 = L^2; end Pendulum;";

typedef struct {
  double x[8];
  uint64_t points;
  double sum; /* over all points: one bit elsewhere shows */
  uint32_t n;
} Run;

static bool
take_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  Run *run = user;
  (void)t;
  (void)states;
  for (uint32_t j = 0; j < run->n; j++) {
    run->x[j] = x[j];
    run->sum += x[j] * (double)(j + 1) + 0.1 * xdot[j];
  }
  run->points++;
  return true;
}

static Run
simulate(DaeProblem *problem, double t_stop)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.t_stop = t_stop;
  options.interval = t_stop / 4;
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(dae_problem_restart(problem, &error),
                           error != NULL ? error->message : "");
  Run run = {.n = MIN(dae_problem_n(problem), 8)};
  DaeSolverStats stats;
  TEST_ASSERT_TRUE_MESSAGE(
      dae_problem_simulate(problem, &options, take_point, &run, &stats, &error),
      error != NULL ? error->message : "");
  return run;
}

static DaePipeline *
read_with(const char *text, const char *const *overrides)
{
  DaePipeline *pipeline = dae_pipeline_new(NULL);
  const DaeReadOptions options = {.overrides = overrides};
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(
      dae_pipeline_read_text(pipeline, "t.mo", text, strlen(text), &options, &error),
      error != NULL ? error->message : "");
  return pipeline;
}

static DaeProblem *
prepare(DaePipeline *pipeline)
{
  const DaeProblemOptions options = {.t_start = NAN};
  g_autoptr(GError) error = NULL;
  DaeProblem *problem = dae_pipeline_problem(pipeline, &options, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(problem, error != NULL ? error->message : "");
  return problem;
}

static Run
fresh_run(const char *text, const char *name, double value, double t_stop)
{
  g_autofree char *override = g_strdup_printf("%s=%.60g", name, value); /* all its digits */
  const char *const overrides[] = {override, NULL};
  g_autoptr(DaePipeline) pipeline = read_with(text, overrides);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  return simulate(problem, t_stop);
}

static void
check_same(const Run *a, const Run *b)
{
  TEST_ASSERT_EQUAL_UINT64(a->points, b->points);
  TEST_ASSERT_EQUAL_MEMORY(a->x, b->x, sizeof a->x);
  TEST_ASSERT_EQUAL_MEMORY(&a->sum, &b->sum, sizeof a->sum);
}

/* The time that is saved is that of the preparations, so these are counted; what it is on this
 * machine is told beside. */
static void
a_thousand_lengths_on_one_prepared_pendulum(void)
{
  g_autoptr(DaePipeline) pipeline = read_with(pendulum, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  clock_t prepared = 0;
  clock_t anew = 0;
  for (int i = 0; i < 1000; i++) {
    const double length = 0.5 + 0.0017 * i;
    clock_t begin = clock();
    TEST_ASSERT_TRUE(dae_problem_set(problem, "L", length, NULL));
    const Run run = simulate(problem, 0.05);
    prepared += clock() - begin;
    begin = clock();
    const Run fresh = fresh_run(pendulum, "L", length, 0.05);
    anew += clock() - begin;
    check_same(&fresh, &run);
  }
  TEST_ASSERT_EQUAL_UINT64(1, dae_problem_preparations(problem));
  g_autofree char *told =
      g_strdup_printf("1000 runs: %.3f s on one prepared problem, %.3f s anew",
                      (double)prepared / CLOCKS_PER_SEC, (double)anew / CLOCKS_PER_SEC);
  printf("%s\n", told);
}

static void
dependent_parameters_follow_and_own_values_stay(void)
{
  g_autoptr(DaePipeline) pipeline = read_with(pendulum, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "L", 2.0, NULL));
  TEST_ASSERT_TRUE(dae_problem_restart(problem, NULL));
  uint32_t x = 0;
  uint32_t k = 0;
  for (uint32_t j = 0; j < dae_problem_n(problem); j++) {
    x = strcmp(dae_problem_name(problem, j), "x") == 0 ? j : x;
    k = strcmp(dae_problem_name(problem, j), "k") == 0 ? j : k;
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2.0, dae_problem_start(problem)[x]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 13.75, dae_problem_start(problem)[k]);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "w", 1.0, NULL)); /* no longer g/L */
  TEST_ASSERT_TRUE(dae_problem_restart(problem, NULL));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2.0, dae_problem_start(problem)[k]);
  TEST_ASSERT_EQUAL_UINT64(1, dae_problem_preparations(problem));
}

static const char sized[] =
    "model M parameter Integer n = 2; parameter Boolean fast = true; parameter Real a = 1; "
    "constant Real c = 4; parameter Real b = 3; Real x[n](each start = 1, each fixed = true); "
    "equation for i in "
    "1:n loop if a > 2 then der(x[i]) = -b*x[i]; else der(x[i]) = -x[i]; end if; end for; end "
    "M;";

/* Sizes and branches were decided when the model was read: other values are read again, with the
 * same result as a fresh run. */
static void
what_the_reading_leant_on_is_prepared_anew(void)
{
  g_autoptr(DaePipeline) pipeline = read_with(sized, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "b", 5.0, NULL));
  TEST_ASSERT_TRUE(dae_problem_restart(problem, NULL));
  TEST_ASSERT_EQUAL_UINT64(1, dae_problem_preparations(problem));
  TEST_ASSERT_TRUE(dae_problem_set(problem, "n", 3.0, NULL));
  Run run = simulate(problem, 1.0);
  TEST_ASSERT_EQUAL_UINT32(3, run.n);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, exp(-1.0), run.x[2]);
  TEST_ASSERT_EQUAL_UINT64(2, dae_problem_preparations(problem));
  TEST_ASSERT_TRUE(dae_problem_set(problem, "a", 2.5, NULL)); /* the other branch */
  run = simulate(problem, 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, exp(-5.0), run.x[2]);
  TEST_ASSERT_EQUAL_UINT64(3, dae_problem_preparations(problem));
  TEST_ASSERT_TRUE(dae_problem_set(problem, "x[1]", 4.0, NULL)); /* a start value */
  run = simulate(problem, 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 4.0 * exp(-5.0), run.x[0]);
}

/* A size that depends on a Real parameter: the parameter itself is
 * none that the system could take. */
static void
a_size_that_follows_a_real_parameter_is_prepared_anew(void)
{
  static const char text[] =
      "model M parameter Real r = 2; parameter Real k = 1; parameter Integer n = integer(r); "
      "Real x[n](each start = 1, each fixed = true); equation for i in 1:n loop der(x[i]) = "
      "-k*i*x[i]; end for; end M;";
  g_autoptr(DaePipeline) pipeline = read_with(text, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  TEST_ASSERT_EQUAL_UINT32(2, simulate(problem, 1.0).n);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "k", 2.0, NULL));
  Run run = simulate(problem, 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, exp(-4.0), run.x[1]);
  TEST_ASSERT_EQUAL_UINT64(1, dae_problem_preparations(problem));
  TEST_ASSERT_TRUE(dae_problem_set(problem, "r", 3.5, NULL));
  run = simulate(problem, 1.0);
  TEST_ASSERT_EQUAL_UINT32(3, run.n);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, exp(-6.0), run.x[2]);
  TEST_ASSERT_EQUAL_UINT64(2, dae_problem_preparations(problem));
}

/* eps = 0 made the equation algebraic when it was reduced: another value is another structure. */
static void
what_the_reduction_took_as_zero_is_prepared_anew(void)
{
  static const char text[] =
      "model M parameter Real eps = 0; parameter Real k = 1; Real x(start = 3), y(start = 1, "
      "fixed = true); equation eps*der(x) = y - x; der(y) = -k*y; end M;";
  g_autoptr(DaePipeline) pipeline = read_with(text, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  Run run = simulate(problem, 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, exp(-1.0), run.x[0]);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "k", 2.0, NULL));
  run = simulate(problem, 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, exp(-2.0), run.x[0]);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "k", 1.0, NULL));
  TEST_ASSERT_TRUE(dae_problem_set(problem, "eps", 1.0, NULL));
  run = simulate(problem, 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 4.0 * exp(-1.0), run.x[0]);
}

/* The code of the system stays what it is: what is evaluated takes the parameters. */
static void
parameters_are_values_of_the_evaluator(void)
{
  g_autoptr(DaePipeline) pipeline = read_with(pendulum, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  const DaeEvaluator *evaluator = dae_problem_evaluator(problem);
  TEST_ASSERT_EQUAL_UINT32(3, evaluator->n_segment); /* g, L, w */
  TEST_ASSERT_EQUAL_DOUBLE(13.75, evaluator->segment[0]);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "g", 5.5, NULL));
  TEST_ASSERT_TRUE(dae_problem_restart(problem, NULL));
  TEST_ASSERT_EQUAL_PTR(evaluator, dae_problem_evaluator(problem));
  TEST_ASSERT_EQUAL_DOUBLE(5.5, evaluator->segment[0]);
  TEST_ASSERT_EQUAL_DOUBLE(5.5, evaluator->segment[2]);
}

/* A free parameter and the value of an invariant come from the start: they follow it. */
static void
what_the_start_determines_follows_the_values(void)
{
  static const char text[] =
      "model M parameter Real s = -6; parameter Real p(fixed = false, start = 1); Real a(start "
      "= 3, fixed = true); initial equation der(a) = s; equation der(a) = -p*a; end M;";
  g_autoptr(DaePipeline) pipeline = read_with(text, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 3.0 * exp(-2.0), simulate(problem, 1.0).x[0]);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "s", -3.0, NULL));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 3.0 * exp(-1.0), simulate(problem, 1.0).x[0]);
  TEST_ASSERT_EQUAL_UINT64(1, dae_problem_preparations(problem));
  TEST_ASSERT_EQUAL_STRING("p", dae_problem_result_name(problem, 1));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0,
                            dae_problem_results(problem, dae_problem_t_start(problem),
                                                dae_problem_start(problem))[1]);
}

/* An input that is read as a symbol is a value like a parameter; its derivatives
 * are those of what is held: 0. */
static void
inputs_are_set_without_preparing_anew(void)
{
  static const char text[] =
      "model M input Real u(start = 1); parameter Real k = 1; Real w(start = 0, fixed = true), "
      "x, v; equation x = u; der(x) = v; der(w) = k*u + v - w; end M;";
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(NULL);
  const DaeReadOptions options = {.inputs_are_symbols = true};
  TEST_ASSERT_TRUE(
      dae_pipeline_read_text(pipeline, "t.mo", text, strlen(text), &options, NULL));
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  TEST_ASSERT_EQUAL_UINT32(3, dae_problem_evaluator(problem)->n_segment); /* k, u, der(u) */
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.0 - exp(-1.0), simulate(problem, 1.0).x[0]);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "u", 3.0, NULL));
  TEST_ASSERT_TRUE(dae_problem_set(problem, "k", 2.0, NULL));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 6.0 * (1.0 - exp(-1.0)), simulate(problem, 1.0).x[0]);
  TEST_ASSERT_EQUAL_UINT64(1, dae_problem_preparations(problem));
}

/* With events the times of events are exact numbers made from the parameters. */
static void
parameters_of_a_model_with_events_can_be_set(void)
{
  static const char text[] =
      "model M parameter Real T = 1/3; parameter Real k = 2; Real x(start = 0, fixed = true); "
      "equation der(x) = if time > T then k else 0; end M;";
  g_autoptr(DaePipeline) pipeline = read_with(text, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 4.0 / 3.0, simulate(problem, 1.0).x[0]);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "T", 0.25, NULL));
  TEST_ASSERT_TRUE(dae_problem_set(problem, "k", 4.0, NULL));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3.0, simulate(problem, 1.0).x[0]);
  TEST_ASSERT_EQUAL_UINT64(1, dae_problem_preparations(problem));
}

/* c = 0 makes the second equation algebraic: another index, so another reduction. */
static void
a_condition_of_the_reduction_that_fails_is_prepared_anew(void)
{
  static const char text[] =
      "model M parameter Real c = 1; Real x(start = 1), y(start = 2, fixed = true); equation "
      "c*der(x) = y - x; der(y) = -y; initial equation x = y; end M;";
  g_autoptr(DaePipeline) pipeline = read_with(text, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  TEST_ASSERT_TRUE(dae_problem_set(problem, "c", 0.5, NULL));
  simulate(problem, 1.0);
  TEST_ASSERT_EQUAL_UINT64(1, dae_problem_preparations(problem));
  TEST_ASSERT_TRUE(dae_problem_set(problem, "c", 0.0, NULL));
  g_autoptr(GError) error = NULL;
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  Run run = {.n = 2};
  DaeSolverStats stats;
  const bool ok = dae_problem_simulate(problem, &options, take_point, &run, &stats, &error);
  if (ok) { /* never with the reduction that does not hold */
    TEST_ASSERT_EQUAL_UINT64(2, dae_problem_preparations(problem));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 2.0 * exp(-1.0), run.x[0]);
  } else {
    TEST_ASSERT_NOT_NULL(error);
  }
}

static void
wrong_names_and_values_are_refused(void)
{
  g_autoptr(DaePipeline) pipeline = read_with(sized, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);

  static const struct {
    const char *name;
    double value;
  } wrong[] = {{"no_such", 1.0}, {"n", 1.5},      {"fast", 2.0},
               {"a", NAN},       {"a", INFINITY}, {"c", 1.0}};

  for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_FALSE(dae_problem_set(problem, wrong[i].name, wrong[i].value, &error));
    TEST_ASSERT_EQUAL_INT(DAE_ERROR_USAGE, error->code);
  }
  TEST_ASSERT_TRUE(dae_problem_restart(problem, NULL));
  TEST_ASSERT_EQUAL_UINT64(1, dae_problem_preparations(problem));
}

/* A pulse of an unknown that no stage meets is found by its peak in the second run as in the
 * first, with other values as well. */
static void
peaks_are_found_in_later_runs(void)
{
  static const char pulse[] =
      "model Pulse parameter Real w = 1e-3; parameter Real at = 5; "
      "Real p(start = 0, fixed = true), q(start = 0, fixed = true); equation der(p) = 1; "
      "der(q) = exp(-((p - at)/w)^2)/w; end Pulse;";
  g_autoptr(DaePipeline) pipeline = read_with(pulse, NULL);
  g_autoptr(DaeProblem) problem = prepare(pipeline);
  const Run first = simulate(problem, 10);
  const Run again = simulate(problem, 10);
  check_same(&first, &again);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, sqrt(G_PI), first.x[1]);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE(dae_problem_set(problem, "at", 7.3, &error));
  const Run moved = simulate(problem, 10);
  const Run fresh = fresh_run(pulse, "at", 7.3, 10);
  check_same(&fresh, &moved);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, sqrt(G_PI), moved.x[1]);
}

int
main(void)
{
  dae_init();
  UNITY_BEGIN();
  RUN_TEST(a_thousand_lengths_on_one_prepared_pendulum);
  RUN_TEST(dependent_parameters_follow_and_own_values_stay);
  RUN_TEST(what_the_reading_leant_on_is_prepared_anew);
  RUN_TEST(a_condition_of_the_reduction_that_fails_is_prepared_anew);
  RUN_TEST(a_size_that_follows_a_real_parameter_is_prepared_anew);
  RUN_TEST(what_the_reduction_took_as_zero_is_prepared_anew);
  RUN_TEST(parameters_are_values_of_the_evaluator);
  RUN_TEST(what_the_start_determines_follows_the_values);
  RUN_TEST(inputs_are_set_without_preparing_anew);
  RUN_TEST(parameters_of_a_model_with_events_can_be_set);
  RUN_TEST(wrong_names_and_values_are_refused);
  RUN_TEST(peaks_are_found_in_later_runs);
  return UNITY_END();
}
