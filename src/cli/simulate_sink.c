#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "report/plot.h"
#include "cli/simulate-priv.h"

struct DaeSink {
  DaeCli *cli;
  DaeProblem *problem;
  const DaeEvaluator *evaluator;
  DaeOutFile *file; /* NULL: standard output */
  FILE *
      screen; /* what a terminal will show at the end; NULL: results are written while they come */
  char *screen_text;
  size_t screen_size;
  DaeResult *result;
  bool with_residuals, failed;
  int error_code;
  uint32_t n_columns;
  double *row;
  void *scratch;     /* of the evaluator, for residuals */
  GArray *plotted;   /* uint32_t: columns */
  GArray *plot_t;    /* double */
  GPtrArray *plot_y; /* GArray of double each */
  double t_start, t_stop, rtol;
};

/* ---- columns ------------------------------------------------------------------------------- */

static void
add_column(GArray *columns, GPtrArray *names, char *name, const char *unit,
           const char *description)
{
  DaeResultColumn column = {name, unit, description};
  g_ptr_array_add(names, name);
  g_array_append_val(columns, column);
}

/* Unknowns as in the model, introduced ones after them; then residuals and the local selection when asked for. */
static GArray *
make_columns(const DaeSink *sink, GPtrArray *names)
{
  GArray *columns = g_array_new(FALSE, FALSE, sizeof(DaeResultColumn));
  uint32_t n = dae_problem_n(sink->problem);
  for (uint32_t k = 0; k < dae_problem_n_results(sink->problem); k++) {
    add_column(columns, names, g_strdup(dae_problem_result_name(sink->problem, k)),
               dae_problem_result_unit(sink->problem, k),
               dae_problem_result_description(sink->problem, k));
  }
  for (uint32_t i = 0; sink->with_residuals && i < sink->evaluator->n_con; i++) {
    add_column(columns, names, g_strdup_printf("$residual[%u]", i), NULL,
               "residual of a constraint");
  }
  for (uint32_t j = 0; sink->with_residuals && j < n; j++) {
    add_column(columns, names,
               g_strdup_printf("$state[%s]", dae_problem_name(sink->problem, j)), NULL,
               "1 where locally a state");
  }
  return columns;
}

/* ---- what is plotted ------------------------------------------------------------------------ */

static bool
choose_named(DaeSink *sink, const char *list)
{
  g_auto(GStrv) names = g_strsplit(list, ",", -1);
  for (char **name = names; *name != NULL; name++) {
    g_strstrip(*name);
    DaeSuggest suggest;
    dae_suggest_begin(&suggest, *name);
    uint32_t found = UINT32_MAX;
    for (uint32_t k = 0; k < dae_problem_n_results(sink->problem); k++) {
      if (strcmp(dae_problem_result_name(sink->problem, k), *name) == 0) {
        found = k;
      }
      dae_suggest_try(&suggest, dae_problem_result_name(sink->problem, k));
    }
    if (found == UINT32_MAX) {
      dae_cli_usage(sink->cli, "--variables: the model has no variable '%s'%s%s%s", *name,
                    suggest.best != NULL ? "; did you mean '" : "",
                    suggest.best != NULL ? suggest.best : "", suggest.best != NULL ? "'?" : "");
      return false;
    }
    g_array_append_val(sink->plotted, found);
  }
  return true;
}

static bool
choose_plotted(DaeSink *sink)
{
  const char *list = dae_cli_string(sink->cli, "variables");
  if (list != NULL) {
    return choose_named(sink, list);
  }
  for (uint32_t k = 0; k < dae_problem_n_results(sink->problem) && sink->plotted->len < 8; k++) {
    if (!dae_problem_result_is_introduced(sink->problem, k)) {
      g_array_append_val(sink->plotted, k);
    }
  }
  return true;
}

static void
keep_for_plot(DaeSink *sink, double t, const double *row)
{
  if (dae_cli_string(sink->cli, "plot") == NULL) {
    return;
  }
  g_array_append_val(sink->plot_t, t);
  for (guint s = 0; s < sink->plotted->len; s++) {
    double value = row[g_array_index(sink->plotted, uint32_t, s)];
    g_array_append_val((GArray *)g_ptr_array_index(sink->plot_y, s), value);
  }
}

/* A logarithmic axis has no place for 0 and below; t = 0 on its time axis is no surprise. */
static void
warn_about_lost_points(DaeSink *sink, const DaePlot *plot)
{
  for (uint32_t s = 0; plot->log_y && s < plot->n_series; s++) {
    const DaePlotSeries *series = &plot->series[s];
    size_t n_lost = 0;
    for (size_t i = 0; i < series->n; i++) {
      n_lost += !(series->y[i] > 0);
    }
    if (n_lost > 0) {
      dae_cli_warn(sink->cli, "--log-y: %zu of %zu points of %s are not positive and not drawn",
                   n_lost, series->n, series->name);
    }
  }
}

static bool
write_plot(DaeSink *sink)
{
  const char *path = dae_cli_string(sink->cli, "plot");
  if (path == NULL) {
    return true;
  }
  guint n = sink->plotted->len;
  g_autofree DaePlotSeries *series = g_new0(DaePlotSeries, n + 1);
  for (guint s = 0; s < n; s++) {
    uint32_t j = g_array_index(sink->plotted, uint32_t, s);
    GArray *values = g_ptr_array_index(sink->plot_y, s);
    series[s] = (DaePlotSeries){
        .name = dae_problem_result_name(sink->problem, j),
        .unit = dae_problem_result_unit(sink->problem, j),
        .x = (const double *)(void *)sink->plot_t->data,
        .y = (const double *)(void *)values->data,
        .n = values->len,
    };
  }
  DaePlot plot = {
      .title = dae_model_name(dae_pipeline_model(dae_cli_pipeline(sink->cli))),
      .x_label = "time [s]",
      .series = series,
      .n_series = n,
      .log_x = dae_cli_flag(sink->cli, "log-x"),
      .log_y = dae_cli_flag(sink->cli, "log-y"),
      .noise = sink->rtol,
  };
  warn_about_lost_points(sink, &plot);
  g_autoptr(GString) svg = g_string_new(NULL);
  dae_plot_svg(&plot, svg);
  return dae_cli_write_file(sink->cli, path, svg->str, svg->len);
}

/* ---- the sink --------------------------------------------------------------------------------- */

static bool
open_result(DaeSink *sink, DaeExit *code)
{
  const char *path = dae_cli_output_file(sink->cli);
  DaeResultFormat format = DAE_RESULT_CSV;
  if (path != NULL && !dae_result_format_of(path, &format) &&
      dae_outfile_is_replaced(path)) { /* devices and pipes get CSV */
    *code = dae_cli_usage(sink->cli,
                          "-o %s: the extension chooses the format: .csv, .mat or .json", path);
    return false;
  }
  GError *error = NULL;
  if (path != NULL && (sink->file = dae_cli_open_file(sink->cli, path, &error)) == NULL) {
    *code = dae_cli_fail(sink->cli, error);
    return false;
  }
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GArray) columns = make_columns(sink, names);
  sink->n_columns = columns->len;
  sink->row = g_new0(double, columns->len + 1);
  /* on a terminal the results and the progress line would mix, and long ones go to the pager; real time is watched */
  if (sink->file == NULL && dae_cli_columns(sink->cli) > 0 &&
      dae_cli_string(sink->cli, "realtime") == NULL) {
    sink->screen = open_memstream(&sink->screen_text, &sink->screen_size);
  }
  FILE *stream = sink->file != NULL     ? dae_outfile_stream(sink->file)
                 : sink->screen != NULL ? sink->screen
                                        : stdout;
  sink->result = dae_result_new(format, stream,
                                dae_model_name(dae_pipeline_model(dae_cli_pipeline(sink->cli))),
                                (const DaeResultColumn *)(void *)columns->data, columns->len);
  return true;
}

static void
sink_free(DaeSink *sink)
{
  for (guint s = 0; s < sink->plot_y->len; s++) {
    g_array_free(g_ptr_array_index(sink->plot_y, s), TRUE);
  }
  g_ptr_array_free(sink->plot_y, TRUE);
  g_array_free(sink->plotted, TRUE);
  g_array_free(sink->plot_t, TRUE);
  g_free(sink->row);
  free(sink->screen_text);
  free(sink->scratch);
  g_free(sink);
}

DaeSink *
dae_sink_open(DaeCli *cli, DaeProblem *problem, const DaeSolverOptions *options, DaeExit *code)
{
  DaeSink *sink = g_new0(DaeSink, 1);
  sink->cli = cli;
  sink->problem = problem;
  sink->evaluator = dae_problem_evaluator(problem);
  sink->with_residuals = dae_cli_flag(cli, "residuals");
  sink->t_start = options->t_start;
  sink->t_stop = options->t_stop;
  sink->rtol = options->rtol;
  sink->plotted = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  sink->plot_t = g_array_new(FALSE, FALSE, sizeof(double));
  sink->plot_y = g_ptr_array_new();
  sink->scratch = dae_aligned_new0(sink->evaluator->scratch_size);
  if (!choose_plotted(sink)) {
    *code = DAE_EXIT_USAGE;
    sink_free(sink);
    return NULL;
  }
  for (guint s = 0; s < sink->plotted->len; s++) {
    g_ptr_array_add(sink->plot_y, g_array_new(FALSE, FALSE, sizeof(double)));
  }
  if (!open_result(sink, code)) {
    sink_free(sink);
    return NULL;
  }
  return sink;
}

void
dae_simulate_residuals(const DaeEvaluator *evaluator, void *scratch, double t, const double *x,
                       double *residuals)
{
  DaeOut out = {.g = residuals};
  if (evaluator->n_con > 0 &&
      evaluator->eval(evaluator->self, scratch, 1, &t, x, &out) != 0) {
    for (uint32_t i = 0; i < evaluator->n_con; i++) {
      residuals[i] = NAN;
    }
  }
}

static void
add_residuals(DaeSink *sink, double t, const double *x, const uint8_t *states)
{
  const DaeEvaluator *evaluator = sink->evaluator;
  double *residuals = sink->row + dae_problem_n_results(sink->problem);
  dae_simulate_residuals(evaluator, sink->scratch, t, x, residuals);
  for (uint32_t j = 0; j < evaluator->n; j++) {
    residuals[evaluator->n_con + j] = states != NULL && states[j] != 0;
  }
}

bool
dae_sink_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  DaeSink *sink = user;
  (void)xdot;
  memcpy(sink->row, dae_problem_results(sink->problem, t, x),
         dae_problem_n_results(sink->problem) * sizeof(double));
  if (sink->with_residuals) {
    add_residuals(sink, t, x, states);
  }
  errno = 0;
  if (!dae_result_row(sink->result, t, sink->row)) {
    sink->failed = true;
    sink->error_code = errno;
    return false;
  }
  keep_for_plot(sink, t, sink->row);
  double span = sink->t_stop - sink->t_start;
  char reached[96];
  g_snprintf(reached, sizeof reached, "integrating: t = %.4g of %.10g,", t, sink->t_stop);
  dae_report_progress(dae_cli_reporter(sink->cli), reached,
                      span > 0 ? (t - sink->t_start) / span : 0);
  return !dae_cli_interrupted(sink->cli);
}

bool
dae_sink_failed(const DaeSink *sink)
{
  return sink->failed;
}

static bool
finish_result(DaeSink *sink)
{
  if (sink->file != NULL && dae_outfile_temporary(sink->file) != NULL) {
    dae_watchdog_set_finishing(dae_cli_watchdog(sink->cli)); /* a pipe may never be read */
  }
  errno = 0;
  bool ok = dae_result_finish(sink->result) && !sink->failed;
  int code = sink->error_code != 0 ? sink->error_code : errno;
  GError *error = NULL;
  if (sink->file == NULL) {
    if (!ok && code != EPIPE) {
      fprintf(stderr, "daetool: standard output: cannot write: %s\n", g_strerror(code));
    }
  } else if (!ok) {
    fprintf(stderr, "daetool: %s: cannot write: %s\n", dae_cli_output_file(sink->cli),
            g_strerror(code));
    dae_outfile_abandon(sink->file);
  } else if (!dae_outfile_commit(sink->file, &error)) {
    dae_cli_fail(sink->cli, error);
    ok = false;
  }
  dae_watchdog_set_temporary(dae_cli_watchdog(sink->cli), NULL);
  return ok;
}

bool
dae_sink_close(DaeSink *sink)
{
  dae_cli_clear_progress(sink->cli);
  bool ok = finish_result(sink);
  if (sink->screen != NULL) {
    fclose(sink->screen);
    g_string_append_len(dae_cli_out(sink->cli), sink->screen_text, (gssize)sink->screen_size);
  }
  ok = write_plot(sink) && ok;
  sink_free(sink);
  return ok;
}
