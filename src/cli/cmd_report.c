/* daetool report: everything about a model in one HTML file. */
#include <math.h>
#include <string.h>

#include "cli/report-priv.h"

static const DaeCliOption options[] = {
    {"no-simulation", DAE_OPTION_FLAG, NULL, "structure and initialization only"},
    {"watch", DAE_OPTION_FLAG, NULL,
     "write the report again whenever the model's file changes; an open page reloads itself"},
    {"start", DAE_OPTION_DOUBLE, "T", "start time; default: the experiment annotation, else 0"},
    {"stop", DAE_OPTION_DOUBLE, "T",
     "stop time; default: the experiment annotation, else start + 1"},
    {"tol", DAE_OPTION_DOUBLE, "TOL",
     "relative and absolute tolerance; default: the experiment annotation, else 1e-6"},
    {"rtol", DAE_OPTION_DOUBLE, "TOL", "relative tolerance"},
    {"atol", DAE_OPTION_DOUBLE, "TOL",
     "absolute tolerance (times the nominal value of each variable)"},
    {"interval", DAE_OPTION_DOUBLE, "DT", "time between the points of the curves"},
    {"intervals", DAE_OPTION_COUNT, "N", "number of these intervals; default 1000"},
    {"variables", DAE_OPTION_STRING, "LIST",
     "the curves: names and patterns such as h* or T[1:3], separated by commas; default: all"},
    {"order", DAE_OPTION_CHOICE, "5|9|13|auto", "order of radau; default auto"},
    {"invariant", DAE_OPTION_STRINGS, "EXPR",
     "keep this expression constant along the solution (repeatable)"},
    {"stats", DAE_OPTION_FLAG, NULL,
     "add the processor times; the page then differs from run to run"},
    {"budget", DAE_OPTION_DOUBLE, "SECONDS",
     "stop the check of the initialization after this many seconds, undecided"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

typedef struct {
  DaeCli *cli;
  DaeHtmlReport page;
  GArray *messages; /* DaeHtmlMessage */
  char *failure;
  DaeReportRun *run;
  DaeProblem *problem;
  DaeExit code;
} Work;

/* ---- messages ---------------------------------------------------------------------------- */

static void
keep_message(void *user, const DaeDiagnostic *diagnostic)
{
  Work *work = user;
  DaeHtmlMessage message = {diagnostic->severity,
                            diagnostic->span.file == 0 ? diagnostic->span.line : 0,
                            g_strdup(diagnostic->message)};
  g_array_append_val(work->messages, message);
}

/* A stage refused or failed: the page says why, later stages are left out. Takes the error. */
static void
fail(Work *work, GError *error)
{
  g_free(work->failure);
  work->failure = g_strdup(error->message);
  work->code = dae_cli_fail(work->cli, error);
}

/* ---- stages ------------------------------------------------------------------------------ */

static bool
is_singular(const DaeSig *sig)
{
  DaeSigStatus status = dae_sig_status(sig);
  return status == DAE_SIG_STRUCTURALLY_SINGULAR || status == DAE_SIG_JACOBIAN_SINGULAR;
}

/* More equations than variables, and nothing that is open: they may agree with each other, which
 * the reduction finds out. */
static bool
is_overdetermined(const DaeSig *sig)
{
  const DaeSigBlock *under = dae_sig_underdetermined(sig);
  return dae_sig_status(sig) == DAE_SIG_STRUCTURALLY_SINGULAR &&
         (under == NULL || under->n_variables == 0);
}

static bool
analyze(Work *work, DaePipeline *pipeline)
{
  GError *error = NULL;
  work->page.sig = dae_pipeline_analyze(pipeline, NULL, &error);
  if (work->page.sig == NULL) {
    fail(work, error);
    return false;
  }
  DaeSigStatus status = dae_sig_status(work->page.sig);
  if (is_overdetermined(work->page.sig)) {
    return true;
  }
  if (is_singular(work->page.sig)) {
    work->code = DAE_EXIT_NEGATIVE;
  } else if (status == DAE_SIG_UNDECIDED) {
    work->code = DAE_EXIT_UNDECIDED;
  }
  return work->code == DAE_EXIT_OK;
}

static bool
check_init(Work *work, DaePipeline *pipeline)
{
  GError *error = NULL;
  double seconds = 0;
  dae_cli_double(work->cli, "budget", &seconds);
  g_autoptr(DaeBudget) budget = seconds > 0 ? dae_budget_new(seconds, 0) : NULL;
  dae_pipeline_set_budget(pipeline, budget);
  work->page.init = dae_pipeline_check_init(pipeline, NULL, &error);
  dae_pipeline_set_budget(pipeline, NULL);
  if (work->page.init == NULL) {
    fail(work, error);
    return false;
  }
  work->page.init_model = dae_pipeline_checked_model(pipeline);
  switch (dae_init_verdict(work->page.init)) {
  case DAE_INIT_WELL_DETERMINED:
  case DAE_INIT_CONSISTENT:
  case DAE_INIT_UNDER_DETERMINED: /* simulate completes it from the start values */
  case DAE_INIT_UNDECIDED:
    return true;
  case DAE_INIT_INCONSISTENT:
  case DAE_INIT_MIXED:
    work->code = DAE_EXIT_NEGATIVE;
    return false;
  }
  return false;
}

static void
simulate(Work *work, DaePipeline *pipeline, const DaeSolverOptions *run)
{
  GError *error = NULL;
  DaeProblemOptions start = {.t_start = run->t_start};
  work->problem = dae_pipeline_problem(pipeline, &start, &error);
  if (work->problem == NULL) {
    fail(work, error);
    return;
  }
  dae_simulate_announce(work->cli, dae_model_experiment(dae_pipeline_model(pipeline)), run);
  dae_watchdog_set_graceful(dae_cli_watchdog(work->cli), true);
  work->run = dae_report_run(work->cli, pipeline, work->problem, run, &work->failure);
  if (work->run == NULL) {
    work->code = DAE_EXIT_USAGE;
    return;
  }
  work->page.run = dae_report_run_view(work->run);
  if (work->failure != NULL) {
    dae_cli_clear_progress(work->cli);
    g_printerr("daetool: %s\n", work->failure);
    work->code = DAE_EXIT_NUMERIC;
  }
}

/* Stage after stage; each one that fails leaves the rest out. */
static void
run_stages(Work *work, DaePipeline *pipeline, const DaeSolverOptions *run)
{
  dae_pipeline_take_limits(pipeline, run->t_start, true);
  if (!analyze(work, pipeline)) {
    return;
  }
  DaeExit reduced = dae_simulate_reduce(work->cli, pipeline, run->t_start);
  if (reduced != DAE_EXIT_OK) {
    work->code = is_overdetermined(work->page.sig) ? DAE_EXIT_NEGATIVE : reduced;
    return;
  }
  GError *error = NULL;
  work->page.qlt = dae_pipeline_reduce(pipeline, NULL, &error);
  if (work->page.qlt == NULL) {
    fail(work, error);
    return;
  }
  if (check_init(work, pipeline) && !dae_cli_flag(work->cli, "no-simulation")) {
    simulate(work, pipeline, run);
  }
}

/* ---- the page ---------------------------------------------------------------------------- */

static void
write_page(Work *work, DaePipeline *pipeline, const char *file)
{
  DaeHtmlReport *page = &work->page;
  g_autofree char *command = dae_cli_command_line(work->cli);
  g_autofree char *base = g_path_get_basename(file);
  page->model = pipeline != NULL ? dae_pipeline_model(pipeline) : NULL;
  page->analyzed = page->sig != NULL ? dae_pipeline_analyzed_model(pipeline) : NULL;
  page->terms = pipeline != NULL ? dae_pipeline_terms(pipeline) : NULL;
  page->name = page->model != NULL ? dae_model_name(page->model) : base;
  g_autofree char *text = NULL;
  gsize length = 0;
  if (pipeline != NULL) {
    page->source = dae_pipeline_source(pipeline, &page->source_length);
  } else if (g_file_get_contents(file, &text, &length, NULL)) {
    page->source = text;
    page->source_length = length;
  }
  page->source = page->source != NULL ? page->source : "";
  page->failure = work->failure;
  page->messages = (const DaeHtmlMessage *)(void *)work->messages->data;
  page->n_messages = work->messages->len;
  page->command = command;
  page->version = dae_version();
  page->watch_stamp = dae_report_stamp();
  dae_html_write(page, dae_cli_out(work->cli));
}

static void
work_clear(Work *work)
{
  dae_cli_listen(work->cli, NULL);
  for (guint i = 0; i < work->messages->len; i++) {
    g_free(g_array_index(work->messages, DaeHtmlMessage, i).text);
  }
  g_array_free(work->messages, TRUE);
  dae_report_run_free(work->run);
  dae_problem_free(work->problem);
  g_free(work->failure);
}

/* A thousand points unless the user says otherwise: a curve on a
 * wide screen has no corners then. */
static void
set_interval(DaeCli *cli, DaeSolverOptions *run)
{
  double interval = 0;
  guint64 intervals = 1000;
  if (!dae_cli_double(cli, "interval", &interval) &&
      !dae_cli_count(cli, "intervals", &intervals)) {
    run->interval = (run->t_stop - run->t_start) / (double)intervals;
  }
}

static DaeExit
make_report(DaeCli *cli)
{
  Work work = {.cli = cli, .messages = g_array_new(FALSE, FALSE, sizeof(DaeHtmlMessage))};
  DaeReporter listener = {.diagnostic = keep_message, .user = &work};
  DaeSolverOptions run;
  dae_cli_listen(cli, &listener);
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  if (pipeline == NULL) {
    work.code = dae_cli_exit(cli);
  } else {
    work.code =
        dae_simulate_options(cli, dae_model_experiment(dae_pipeline_model(pipeline)), &run);
    if (work.code == DAE_EXIT_OK) {
      set_interval(cli, &run);
      run_stages(&work, pipeline, &run);
    }
  }
  if (work.code != DAE_EXIT_USAGE && work.code != DAE_EXIT_FILE) {
    write_page(&work, pipeline, dae_cli_model_file(cli));
  }
  DaeExit code = dae_cli_flush(cli, work.code);
  work_clear(&work);
  return code;
}

static DaeExit
run_report(DaeCli *cli)
{
  if (!dae_html_is_available()) {
    return dae_cli_usage(cli, "this daetool was built without the report; to get it, "
                              "install npm and python3, then build again: meson setup "
                              "--reconfigure BUILD -Dreport=enabled && ninja -C BUILD");
  }
  if (dae_cli_flag(cli, "watch")) {
    return dae_report_watch(cli);
  }
  if (dae_cli_output_file(cli) == NULL && dae_cli_columns(cli) > 0) {
    return dae_cli_usage(cli, "-o FILE.html is needed: the page cannot be shown on a terminal");
  }
  return make_report(cli);
}

const DaeCliCommand dae_command_report = {
    .name = "report",
    .summary = "everything about a model in one HTML file",
    .description =
        "Analyzes, reduces, checks the initialization and simulates, and puts everything into "
        "one HTML file that needs no network: the verdict and what to do next, the signature "
        "matrix in block triangular form, the hidden constraints with their derivation, the "
        "proof or the conflict of the initialization step by step, the curves, the steps of "
        "the integrator, the source. A model with mistakes gets a page as well. The exit code "
        "is that of the first command that would have failed.",
    .formats = "html",
    .options = options,
    .example = "  $ daetool report examples/pendulum.mo --stop 10 -o pendulum.html\n"
               "  $ daetool report mymodel.mo --watch -o mymodel.html\n",
    .run = run_report,
};
