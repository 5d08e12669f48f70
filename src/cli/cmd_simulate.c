#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "cli/simulate-priv.h"
#include "report/typeset.h"

enum { MOST_ITERATIONS = 1000 }; /* of a fixed step, which is meant to be short */

static const DaeCliOption options[] = {
    {"start", DAE_OPTION_DOUBLE, "T", "start time; default: the experiment annotation, else 0"},
    {"stop", DAE_OPTION_DOUBLE, "T",
     "stop time; default: the experiment annotation, else start + 1"},
    {"tol", DAE_OPTION_DOUBLE, "TOL",
     "relative and absolute tolerance; default: the experiment annotation, else 1e-6"},
    {"rtol", DAE_OPTION_DOUBLE, "TOL", "relative tolerance"},
    {"atol", DAE_OPTION_DOUBLE, "TOL",
     "absolute tolerance (times the nominal value of each variable)"},
    {"interval", DAE_OPTION_DOUBLE, "DT", "time between output points; 0: every step"},
    {"intervals", DAE_OPTION_COUNT, "N",
     "number of output intervals; default: the annotation, else 500"},
    {"method", DAE_OPTION_CHOICE, "radau|bdf3|ab3|euler|implicit-euler",
     "integrator; all but radau have a fixed step"},
    {"order", DAE_OPTION_CHOICE, "5|9|13|auto", "order of radau; default auto"},
    {"explicit", DAE_OPTION_CHOICE, "never|auto|only",
     "with radau: explicit steps of order 5 or 8 never, while the problem is not stiff (auto; "
     "the default in models without events, but for --native), or wherever there are any"},
    {"step", DAE_OPTION_DOUBLE, "H", "step size of the fixed-step methods"},
    {"newton", DAE_OPTION_COUNT, "K",
     "Newton iterations of a fixed step; default 2 for implicit methods"},
    {"projections", DAE_OPTION_COUNT, "K",
     "projections onto the constraints after a fixed step; default 1"},
    {"projection", DAE_OPTION_CHOICE, "coupled|minimum-norm",
     "kind of projection (docs/realtime.md); default coupled"},
    {"history", DAE_OPTION_CHOICE, "orders|constant",
     "start of the multistep methods; default: orders 1, 2, 3 with a split first step"},
    {"realtime", DAE_OPTION_DOUBLE, "PERIOD",
     "one step every PERIOD seconds of real time; reports step times and overruns"},
    {"parallel", DAE_OPTION_FLAG, NULL,
     "Jacobians refreshed by a worker thread; with --realtime no step waits for it"},
    {"invariant", DAE_OPTION_STRINGS, "EXPR",
     "keep this expression constant along the solution (repeatable)"},
    {"residuals", DAE_OPTION_FLAG, NULL,
     "add constraint residuals and the local states to the results"},
    {"check-only-start", DAE_OPTION_FLAG, NULL, "print the consistent start values and end"},
    {"native", DAE_OPTION_FLAG, NULL,
     "compile the equations with the system's C compiler first"},
    {"no-event-rows", DAE_OPTION_FLAG, NULL,
     "results on the output grid only, without the two rows of each event"},
    {"events", DAE_OPTION_STRING, "FILE.csv",
     "list the events: time, kind, cause (relation and line), what changed"},
    {"stats", DAE_OPTION_FLAG, NULL, "statistics on standard error (JSON with --format json)"},
    {"plot", DAE_OPTION_STRING, "FILE.svg", "plot the chosen variables"},
    {"variables", DAE_OPTION_STRING, "LIST",
     "what to write and to plot: names and patterns such as h* or T[1:3], separated by commas, "
     "also parameters and der(x), which are written only; default: all variables, in the plot "
     "the first eight different curves"},
    {"plot-x", DAE_OPTION_STRING, "VARIABLE", "this variable instead of time across the plot"},
    {"overlay", DAE_OPTION_STRINGS, "FILE.csv",
     "the same variables from earlier results in the plot as well (repeatable)"},
    {"log-x", DAE_OPTION_FLAG, NULL, "logarithmic time axis in the plot"},
    {"log-y", DAE_OPTION_FLAG, NULL, "logarithmic scale of the values in the plot"},
    {"max-steps", DAE_OPTION_COUNT, "N", "give up after so many steps; default: no limit"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

/* ---- options ------------------------------------------------------------------------------- */

static DaeMethod
method_of(const DaeCli *cli)
{
  static const char *const names[] = {"radau", "ab3", "bdf3", "euler", "implicit-euler"};
  const char *name = dae_cli_string(cli, "method");
  for (size_t i = 0; name != NULL && i < G_N_ELEMENTS(names); i++) {
    if (strcmp(name, names[i]) == 0) {
      return (DaeMethod)i;
    }
  }
  return DAE_METHOD_RADAU;
}

static void
set_span(const DaeCli *cli, const DaeExperiment *experiment, DaeSolverOptions *run)
{
  run->t_start = isfinite(experiment->start) ? experiment->start : 0;
  dae_cli_double(cli, "start", &run->t_start);
  run->t_stop = isfinite(experiment->stop) ? experiment->stop : run->t_start + 1;
  dae_cli_double(cli, "stop", &run->t_stop);
  guint64 intervals = 500;
  run->interval = (run->t_stop - run->t_start) / (double)intervals;
  if (isfinite(experiment->interval) && experiment->interval > 0) {
    run->interval = experiment->interval;
  }
  if (dae_cli_count(cli, "intervals", &intervals)) {
    run->interval = (run->t_stop - run->t_start) / (double)intervals;
  }
  dae_cli_double(cli, "interval", &run->interval);
}

static void
set_fixed_step(const DaeCli *cli, DaeSolverOptions *run)
{
  guint64 count = 0;
  dae_cli_double(cli, "step", &run->step);
  bool is_implicit = run->method == DAE_METHOD_BDF3 || run->method == DAE_METHOD_IMPLICIT_EULER;
  run->newton = dae_cli_count(cli, "newton", &count) ? (uint32_t)MIN(count, MOST_ITERATIONS + 1)
                : is_implicit                        ? 2
                                                     : 0;
  run->projections =
      dae_cli_count(cli, "projections", &count) ? (uint32_t)MIN(count, MOST_ITERATIONS + 1) : 1;
  run->projection = g_strcmp0(dae_cli_string(cli, "projection"), "minimum-norm") == 0
                        ? DAE_PROJECT_MINIMUM_NORM
                        : DAE_PROJECT_COUPLED;
  run->constant_history = g_strcmp0(dae_cli_string(cli, "history"), "constant") == 0;
  run->parallel = dae_cli_flag(cli, "parallel");
  dae_cli_double(cli, "realtime", &run->realtime_period);
}

/* A run whose end nobody chose says so; not where a program reads
 * statistics from standard error. */
void
dae_simulate_announce(DaeCli *cli, const DaeExperiment *experiment, const DaeSolverOptions *run)
{
  bool is_read = dae_cli_flag(cli, "stats") && dae_cli_format_is(cli, "json");
  if (!isfinite(experiment->stop) && dae_cli_string(cli, "stop") == NULL && !is_read) {
    g_autofree char *message = g_strdup_printf(
        "neither --stop nor an experiment annotation: the run ends at t = %g", run->t_stop);
    dae_report(dae_cli_reporter(cli),
               &(DaeDiagnostic){.severity = DAE_NOTE, .message = message});
  }
  dae_cli_note(
      cli, "method %s, t = %g to %g, tolerances %g relative, %g absolute, one point every %g",
      dae_stats_method(run->method), run->t_start, run->t_stop, run->rtol, run->atol,
      run->interval);
}

/* What the solver would refuse is said in the words of the options. */
static DaeExit
check_fixed_step(DaeCli *cli, const DaeSolverOptions *run)
{
  bool is_implicit = run->method == DAE_METHOD_BDF3 || run->method == DAE_METHOD_IMPLICIT_EULER;
  if (!(run->step > 0)) {
    return dae_cli_usage(cli, "--method %s needs --step H", dae_cli_string(cli, "method"));
  }
  if (!((run->t_stop - run->t_start) / run->step < 1e15)) {
    return dae_cli_usage(cli, "--step %g is too small for a run from %g to %g", run->step,
                         run->t_start, run->t_stop);
  }
  if (run->t_stop > run->t_start && run->step > (run->t_stop - run->t_start) * (1 + 1e-9)) {
    return dae_cli_usage(cli, "--step %g is longer than the run from %g to %g", run->step,
                         run->t_start, run->t_stop);
  }
  if (is_implicit && run->newton == 0) {
    return dae_cli_usage(cli, "--method %s needs at least one Newton iteration",
                         dae_cli_string(cli, "method"));
  }
  if (!(run->realtime_period >= 0)) {
    return dae_cli_usage(cli, "--realtime takes a number of seconds, 0 or more");
  }
  return DAE_EXIT_OK;
}

DaeExit
dae_simulate_options(DaeCli *cli, const DaeExperiment *experiment, DaeSolverOptions *run)
{
  dae_solver_default_options(run);
  run->method = method_of(cli);
  set_span(cli, experiment, run);
  double tolerance = isfinite(experiment->tolerance) ? experiment->tolerance : 1e-6;
  dae_cli_double(cli, "tol", &tolerance);
  run->rtol = run->atol = tolerance;
  dae_cli_double(cli, "rtol", &run->rtol);
  dae_cli_double(cli, "atol", &run->atol);
  const char *order = dae_cli_string(cli, "order");
  run->order =
      order == NULL || strcmp(order, "auto") == 0 ? 0 : (int)g_ascii_strtoll(order, NULL, 10);
  const char *use = dae_cli_string(cli, "explicit");
  run->explicit_use = g_strcmp0(use, "only") == 0                  ? DAE_EXPLICIT_ONLY
                      : g_strcmp0(use, "auto") == 0                ? DAE_EXPLICIT_AUTO
                      : use != NULL || dae_cli_flag(cli, "native") ? DAE_EXPLICIT_NEVER
                                                                   : DAE_EXPLICIT_SMOOTH;
  guint64 max_steps = 0;
  run->max_steps = dae_cli_count(cli, "max-steps", &max_steps) ? max_steps : 0;
  run->no_xdot = true; /* those in results are found from the equations */
  run->states = dae_cli_flag(cli, "residuals");
  run->no_event_rows = dae_cli_flag(cli, "no-event-rows");
  set_fixed_step(cli, run);
  if (!(run->t_stop >= run->t_start)) {
    return dae_cli_usage(cli, "the stop time %g is before the start time %g", run->t_stop,
                         run->t_start);
  }
  if (!(run->rtol > 0) || !(run->atol > 0)) {
    return dae_cli_usage(cli, "tolerances must be positive");
  }
  if (!(run->interval >= 0)) {
    return dae_cli_usage(cli, "--interval must not be negative");
  }
  if (!isfinite(run->interval)) {
    return dae_cli_usage(cli, "no finite interval between the points of a run from %g to %g%s",
                         run->t_start, run->t_stop, "; --intervals takes 1 or more");
  }
  if (run->newton > MOST_ITERATIONS || run->projections > MOST_ITERATIONS) {
    return dae_cli_usage(cli, "--newton and --projections take at most %d", MOST_ITERATIONS);
  }
  return run->method == DAE_METHOD_RADAU ? DAE_EXIT_OK : check_fixed_step(cli, run);
}

/* ---- stages ------------------------------------------------------------------------------ */

DaeExit
dae_simulate_reduce(DaeCli *cli, DaePipeline *pipeline, double t_start)
{
  guint n = 0;
  const char *const *texts = dae_cli_strings(cli, "invariant", &n);
  g_autofree DaeTerm *invariants = g_new0(DaeTerm, n + 1);
  for (guint i = 0; i < n; i++) {
    invariants[i] = dae_cli_expression(cli, "invariant", texts[i]);
    if (invariants[i] == DAE_NO_TERM) {
      return dae_cli_exit(cli);
    }
  }
  DaeQltOptions reduce = {
      .eliminate = DAE_ELIMINATE_AUTO, .invariants = invariants, .n_invariants = n};
  GError *error = NULL;
  if (dae_pipeline_reduce(pipeline, &reduce, &error) != NULL) {
    return DAE_EXIT_OK;
  }
  if (g_error_matches(error, DAE_ERROR, DAE_ERROR_UNDECIDED)) {
    dae_pipeline_explain_open(pipeline, t_start, &error);
  }
  return dae_cli_fail(cli, error);
}

static void
print_start(DaeCli *cli, DaeProblem *problem)
{
  GString *out = dae_cli_out(cli);
  uint32_t n = dae_problem_n_results(problem);
  const double *start =
      dae_problem_results(problem, dae_problem_t_start(problem), dae_problem_start(problem));
  if (dae_cli_format_is(cli, "json")) {
    g_autoptr(DaeJson) json = dae_json_new(out);
    dae_json_begin_object(json, false);
    dae_json_key(json, "model");
    dae_json_string(json, dae_model_name(dae_pipeline_model(dae_cli_pipeline(cli))));
    dae_json_key(json, "t");
    dae_json_double(json, dae_problem_t_start(problem));
    dae_json_key(json, "residual");
    dae_json_double(json, dae_problem_start_residual(problem));
    dae_json_key(json, "start");
    dae_json_begin_object(json, false);
    for (uint32_t j = 0; j < n; j++) {
      dae_json_key(json, dae_problem_result_name(problem, j));
      dae_json_double(json, start[j]);
    }
    dae_json_end_object(json);
    dae_json_end_object(json);
    return;
  }
  g_string_append_printf(out, "Consistent start at t = %g, largest residual %.3g\n",
                         dae_problem_t_start(problem), dae_problem_start_residual(problem));
  guint widest = 20;
  for (uint32_t j = 0; j < n; j++) {
    const char *name = dae_problem_result_name(problem, j);
    widest = MAX(widest, MIN(dae_text_width(name, strlen(name)), 60));
  }
  for (uint32_t j = 0; j < n; j++) {
    const char *unit = dae_problem_result_unit(problem, j);
    const char *name = dae_problem_result_name(problem, j);
    guint width = dae_text_width(name, strlen(name));
    char number[DAE_DECIMAL_SIZE];
    g_string_append_printf(out, "  %s%*s = %s%s%s\n", name,
                           (int)(width < widest ? widest - width : 0), "",
                           dae_decimal_shortest(number, start[j]), unit != NULL ? " " : "",
                           unit != NULL ? unit : "");
  }
}

/* Before each step: output points may be far apart. */
static bool
is_interrupted(const void *user)
{
  return dae_cli_interrupted(user);
}

static const char EVENTS_HEADER[] = "\"time\",\"kind\",\"cause\",\"changes\"\n";

static void
append_quoted(GString *line, const char *text)
{
  g_string_append(line, ",\"");
  for (; *text != '\0'; text++) {
    g_string_append(line, *text == '"' ? "\"" : "");
    g_string_append_c(line, *text);
  }
  g_string_append_c(line, '"');
}

/* One line of the list of events. */
static void
list_event(void *user, const DaeEventRecord *record)
{
  char number[DAE_DECIMAL_SIZE];
  g_autoptr(GString) line = g_string_new(dae_decimal_shortest(number, record->t));
  append_quoted(line, record->kind);
  append_quoted(line, record->cause);
  append_quoted(line, record->changes);
  g_string_append_c(line, '\n');
  dae_outfile_write(user, line->str, line->len);
}

static DaeExit
integrate(DaeCli *cli, DaePipeline *pipeline, DaeProblem *problem, const DaeSolverOptions *run)
{
  DaeExit code = DAE_EXIT_OK;
  DaeSink *sink = dae_sink_open(cli, problem, run, &code);
  if (sink == NULL) {
    return code;
  }
  dae_watchdog_set_graceful(dae_cli_watchdog(cli), true);
  DaeSolverStats stats = {0};
  GError *error = NULL;
  DaeOutFile *events = NULL;
  const char *list = dae_cli_string(cli, "events");
  if (list != NULL) {
    events = dae_outfile_open(list, &error);
    if (events == NULL) {
      dae_sink_close(sink);
      return dae_cli_fail(cli, error);
    }
    dae_outfile_write(events, EVENTS_HEADER, strlen(EVENTS_HEADER));
    dae_problem_set_event_listener(problem, list_event, events);
  }
  DaeSolverOptions listened = *run;
  listened.on_step = dae_sink_step;
  listened.step_user = sink;
  bool completed =
      dae_problem_simulate(problem, &listened, dae_sink_point, sink, &stats, &error);
  bool writing_failed = dae_sink_failed(sink);
  bool stored = dae_sink_close(sink);
  GError *events_error = NULL;
  if (events != NULL && !dae_outfile_commit(events, &events_error)) {
    code = dae_cli_fail(cli, events_error);
    stored = false;
  }
  g_autofree char *fired = g_strdup(dae_watchdog_fired(dae_cli_watchdog(cli)));
  if (dae_cli_flush(cli, DAE_EXIT_OK) != DAE_EXIT_OK) {
    stored = false;
  }
  if (fired != NULL) {
    fprintf(stderr, "daetool: %s at t = %.10g; the results so far are kept\n", fired, stats.t);
    g_clear_error(&error);
    code = DAE_EXIT_NUMERIC;
  } else if (!completed) {
    code = dae_cli_fail(cli, error);
  }
  dae_print_stats(cli, pipeline, problem, run, &stats,
                  completed && fired == NULL && !writing_failed ? "completed" : "failed");
  return stored ? code : DAE_EXIT_FILE;
}

static DaeExit
run_simulate(DaeCli *cli)
{
  if (!dae_cli_is_svg(cli, "plot")) {
    return dae_cli_exit(cli);
  }
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  if (pipeline == NULL) {
    return dae_cli_exit(cli);
  }
  DaeSolverOptions run;
  DaeExit code =
      dae_simulate_options(cli, dae_model_experiment(dae_pipeline_model(pipeline)), &run);
  if (code != DAE_EXIT_OK) {
    return code;
  }
  GError *error = NULL;
  dae_pipeline_set_simplify(pipeline, NULL);
  dae_pipeline_take_limits(pipeline, run.t_start, true);
  DaeExit reduced = dae_simulate_reduce(cli, pipeline, run.t_start);
  if (reduced != DAE_EXIT_OK) {
    return reduced;
  }
  DaeProblemOptions start = {.native = dae_cli_flag(cli, "native"),
                             .fixed_step = run.method != DAE_METHOD_RADAU,
                             .t_start = run.t_start,
                             .one_run = true,
                             .solved = dae_solver_may_be_explicit(&run),
                             .solved_if_smooth = run.explicit_use == DAE_EXPLICIT_SMOOTH};
  g_autoptr(DaeProblem) problem = dae_pipeline_problem(pipeline, &start, &error);
  if (problem == NULL) {
    return dae_cli_fail(cli, error);
  }
  if (dae_cli_flag(cli, "check-only-start")) {
    print_start(cli, problem);
    return DAE_EXIT_OK;
  }
  dae_simulate_announce(cli, dae_model_experiment(dae_pipeline_model(pipeline)), &run);
  run.is_stopped = is_interrupted;
  run.stop_user = cli;
  return integrate(cli, pipeline, problem, &run);
}

const DaeCliCommand dae_command_simulate = {
    .name = "simulate",
    .summary = "integrate, no state selection needed",
    .description = "Integrates the model: reads it, analyzes and if need be repairs its "
                   "structure, finds all hidden constraints, checks the "
                   "initialization, looks for a consistent start, and integrates the "
                   "over-determined system with Radau IIa methods or with "
                   "fixed steps for real time. Constraints hold at every output point. Results "
                   "go to standard output as CSV (with --format json as JSON, unless --stats "
                   "takes that), or to -o in "
                   "the format of its extension: .csv, .mat (MATLAB level 4, as Modelica tools "
                   "write it) or .json.",
    .formats = "text|json",
    .options = options,
    .example =
        "  $ daetool simulate examples/pendulum.mo --stop 2 --intervals 4 --quiet\n"
        "  \"time\",\"x\",\"y\",\"u\",\"v\",\"lambda\"\n"
        "  0,1,0,0,0,0\n"
        "  ...\n"
        "  $ daetool simulate examples/pendulum.mo --stop 10 --tol 1e-8 -o pendulum.csv\n"
        "  $ daetool simulate examples/pendulum.mo --set L=2 --stop 5 -o long.mat\n"
        "  $ daetool simulate examples/pendulum.mo --stop 4 --interval 0.01 "
        "--plot pendulum.svg --variables x,y,lambda -o pendulum.csv\n"
        "  $ daetool simulate examples/robertson.mo --interval 0 --plot robertson.svg "
        "--log-x -o robertson.csv\n",
    .works_in_doubles = true,
    .run = run_simulate,
};
