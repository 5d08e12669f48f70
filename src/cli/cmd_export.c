/* daetool export: the reduced model, with or without an integrator, as C. */
#include <math.h>
#include <string.h>

#include "cli/command.h"

static const DaeCliOption options[] = {
    {"target", DAE_OPTION_CHOICE, "c|problem-c",
     "c: self-contained, with --method an integrator; problem-c: functions and Jacobians for "
     "other solvers; default c"},
    {"method", DAE_OPTION_CHOICE, "ab3|bdf3|euler|implicit-euler",
     "fixed-step method to write (--target c)"},
    {"step", DAE_OPTION_DOUBLE, "H", "its step size"},
    {"newton", DAE_OPTION_COUNT, "K",
     "Newton iterations of a step; default 2 for implicit methods"},
    {"projections", DAE_OPTION_COUNT, "K",
     "projections onto the constraints after a step; default 1"},
    {"projection", DAE_OPTION_CHOICE, "coupled|minimum-norm",
     "kind of projection (docs/realtime.md); default coupled"},
    {"history", DAE_OPTION_CHOICE, "orders|constant",
     "start of the multistep methods; default: orders 1, 2, 3 with a split first step"},
    {"start", DAE_OPTION_DOUBLE, "T", "start time; default: the experiment annotation, else 0"},
    {"stop", DAE_OPTION_DOUBLE, "T",
     "stop time of the main program; default: the annotation, else start + 1"},
    {"prefix", DAE_OPTION_STRING, "NAME",
     "prefix of all names in the C text; default: the model's name"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

static bool
find_method(const DaeCli *cli, DaeMethod *method)
{
  static const struct {
    const char *name;
    DaeMethod method;
  } methods[] = {{"ab3", DAE_METHOD_AB3},
                 {"bdf3", DAE_METHOD_BDF3},
                 {"euler", DAE_METHOD_EULER},
                 {"implicit-euler", DAE_METHOD_IMPLICIT_EULER}};

  const char *name = dae_cli_string(cli, "method");
  for (size_t i = 0; name != NULL && i < G_N_ELEMENTS(methods); i++) {
    if (strcmp(name, methods[i].name) == 0) {
      *method = methods[i].method;
      return true;
    }
  }
  return false;
}

/* The options of the integrator, with the same defaults as simulate. */
static void
collect_step(const DaeCli *cli, const DaeExperiment *experiment, DaeSolverOptions *run)
{
  guint64 count = 0;
  const bool is_implicit =
      run->method == DAE_METHOD_BDF3 || run->method == DAE_METHOD_IMPLICIT_EULER;
  run->t_start = isfinite(experiment->start) ? experiment->start : 0.0;
  dae_cli_double(cli, "start", &run->t_start);
  run->t_stop = isfinite(experiment->stop) ? experiment->stop : run->t_start + 1.0;
  dae_cli_double(cli, "stop", &run->t_stop);
  dae_cli_double(cli, "step", &run->step);
  run->newton = is_implicit ? 2 : 0;
  run->projections = 1;
  if (dae_cli_count(cli, "newton", &count)) {
    run->newton = (uint32_t)MIN(count, 1000);
  }
  if (dae_cli_count(cli, "projections", &count)) {
    run->projections = (uint32_t)MIN(count, 1000);
  }
  if (g_strcmp0(dae_cli_string(cli, "projection"), "minimum-norm") == 0) {
    run->projection = DAE_PROJECT_MINIMUM_NORM;
  }
  run->constant_history = g_strcmp0(dae_cli_string(cli, "history"), "constant") == 0;
}

static bool
write_header(DaeCli *cli, const char *header)
{
  g_autofree char *name = dae_cli_header_file(cli);
  return name == NULL || dae_cli_write_file(cli, name, header, strlen(header));
}

static DaeExit
write_problem(DaeCli *cli, DaeProblem *problem, const DaeSolverOptions *run)
{
  GError *error = NULL;
  g_autofree char *header = NULL;
  g_autofree char *source = NULL;
  if (!dae_problem_export(problem, run, dae_cli_string(cli, "prefix"), &header, &source,
                          &error)) {
    return dae_cli_fail(cli, error);
  }
  g_string_append(dae_cli_out(cli), source);
  return write_header(cli, header) ? DAE_EXIT_OK : DAE_EXIT_FILE;
}

static DaeExit
run_export(DaeCli *cli)
{
  DaeSolverOptions run;
  dae_solver_default_options(&run);
  const bool is_problem = g_strcmp0(dae_cli_string(cli, "target"), "problem-c") == 0;
  const bool has_method = find_method(cli, &run.method);
  if (is_problem && has_method) {
    return dae_cli_usage(
        cli, "--target problem-c has no integrator; --method belongs to --target c");
  }
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  if (pipeline == NULL) {
    return dae_cli_exit(cli);
  }
  collect_step(cli, dae_model_experiment(dae_pipeline_model(pipeline)), &run);
  const bool is_implicit =
      run.method == DAE_METHOD_BDF3 || run.method == DAE_METHOD_IMPLICIT_EULER;
  if (has_method && !(run.step > 0.0)) {
    return dae_cli_usage(cli, "--method %s needs --step H", dae_cli_string(cli, "method"));
  }
  if (has_method && is_implicit && run.newton == 0) {
    return dae_cli_usage(cli, "--method %s needs at least one Newton iteration",
                         dae_cli_string(cli, "method"));
  }
  GError *error = NULL;
  const DaeProblemOptions problem_options = {
      .t_start = run.t_start, .literal = !has_method, .is_exported = has_method};
  g_autoptr(DaeProblem) problem = dae_pipeline_problem(pipeline, &problem_options, &error);
  if (problem == NULL) {
    return dae_cli_fail(cli, error);
  }
  return write_problem(cli, problem, has_method ? &run : NULL);
}

const DaeCliCommand dae_command_export = {
    .name = "export",
    .summary = "self-contained C",
    .description =
        "Writes the reduced model as C99 that needs libm and nothing else: "
        "right-hand sides, constraints, leading "
        "matrix and exact Jacobians with shared subexpressions, names, parameters "
        "and consistent start values. With "
        "--method it contains a fixed-step integrator on static memory with a fixed "
        "number of operations per step, "
        "and, when compiled with -DNAME_MAIN, a main program that writes CSV. -o "
        "FILE.c also writes FILE.h; the C "
        "file contains it and compiles alone. A model that calls a method of LAPACK on "
        "matrices that are known only at run time is linked with -llapack, as the first "
        "line of the file says.",
    .formats = "text",
    .works_in_doubles = true,
    .inputs_at_run_time = true,
    .options = options,
    .example = "  $ daetool export examples/pendulum.mo --method bdf3 --step 1e-3 --newton 1 "
               "-o pendulum.c\n"
               "  $ cc -std=c99 -O2 -DPENDULUM_MAIN pendulum.c -o pendulum -lm\n"
               "  $ ./pendulum --self-test\n"
               "  self-test passed\n",
    .run = run_export,
};
