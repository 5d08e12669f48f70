#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/simulate-priv.h"
#include "cli/variables.h"

struct DaeSink {
  DaeCli *cli;
  DaeProblem *problem;
  const DaeEvaluator *evaluator;
  DaeOutFile *file; /* NULL: standard output */
  /* what a terminal will show at the end; NULL: results are written while they come */
  FILE *screen;
  char *screen_text;
  size_t screen_size;
  DaeResult *result;
  bool with_residuals, has_slopes, failed;
  int error_code;
  uint32_t n_columns;
  double *row;
  void *scratch;       /* of the evaluator, for residuals */
  GArray *chosen;      /* uint32_t: results and extras that are written */
  DaeExtras *extras;   /* parameters and derivatives: behind the results */
  DaePlotter *plotter; /* NULL: no plot */
  double t_start, t_stop;
};

/* ---- columns ------------------------------------------------------------------------------- */

static void
add_column(GArray *columns, GPtrArray *names, char *name, const char *unit,
           const char *description)
{
  DaeResultColumn column = {.name = name, .unit = unit, .description = description};
  g_ptr_array_add(names, name);
  g_array_append_val(columns, column);
}

static uint32_t
n_written(const DaeSink *sink)
{
  return sink->chosen->len;
}

/* NULL: written column i is a result. */
static const DaeExtra *
extra_at(const DaeSink *sink, uint32_t i)
{
  uint32_t k = g_array_index(sink->chosen, uint32_t, i);
  uint32_t n = dae_problem_n_results(sink->problem);
  return k >= n ? dae_extras_at(sink->extras, k - n) : NULL;
}

/* The columns that are one curve: the first has it, the others are aliases. `first`: from the
 * key of a curve to the number of its first column, with its sign. */
static void
mark_alias(const DaeSink *sink, DaeResultColumn *columns, uint32_t i, GHashTable *first)
{
  uint64_t curve = 0;
  int sign = 1;
  uint32_t k = g_array_index(sink->chosen, uint32_t, i);
  if (!dae_problem_result_curve(sink->problem, k, &curve, &sign)) {
    return;
  }
  gint64 key = (gint64)curve;
  int32_t own = sign * ((int32_t)i + 1);
  int32_t other = GPOINTER_TO_INT(g_hash_table_lookup(first, &key));
  if (other == 0) {
    g_hash_table_insert(first, g_memdup2(&key, sizeof key), GINT_TO_POINTER(own));
    return;
  }
  columns[i].alias = (uint32_t)abs(other);
  columns[i].is_negated = (own < 0) != (other < 0);
}

static void
add_written(const DaeSink *sink, GArray *columns, GPtrArray *names)
{
  g_autoptr(GHashTable) first =
      g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  for (uint32_t i = 0; i < n_written(sink); i++) {
    uint32_t k = g_array_index(sink->chosen, uint32_t, i);
    const DaeExtra *extra = extra_at(sink, i);
    if (extra != NULL) {
      add_column(columns, names, g_strdup(extra->name), extra->unit, extra->description);
      DaeResultColumn *column = &g_array_index(columns, DaeResultColumn, i);
      column->is_constant = extra->is_constant;
      column->value = extra->value;
      continue;
    }
    add_column(columns, names, g_strdup(dae_problem_result_name(sink->problem, k)),
               dae_problem_result_unit(sink->problem, k),
               dae_problem_result_description(sink->problem, k));
    mark_alias(sink, (DaeResultColumn *)(void *)columns->data, i, first);
  }
}

/* Unknowns as in the model, introduced ones after them; then residuals and the
 * local selection when asked for. */
static GArray *
make_columns(const DaeSink *sink, GPtrArray *names)
{
  GArray *columns = g_array_new(FALSE, FALSE, sizeof(DaeResultColumn));
  uint32_t n = dae_problem_n(sink->problem);
  add_written(sink, columns, names);
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

/* ---- the sink ---------------------------------------------------------------------------- */

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
  if (path == NULL && dae_cli_format_is(sink->cli, "json") &&
      !dae_cli_flag(sink->cli, "stats")) { /* whose format it is then */
    format = DAE_RESULT_JSON;
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
  /* on a terminal the results and the progress line would mix, and long ones go to
   * the pager; real time is watched */
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
  g_array_free(sink->chosen, TRUE);
  dae_extras_free(sink->extras);
  dae_plotter_free(sink->plotter);
  g_free(sink->row);
  free(sink->screen_text);
  free(sink->scratch);
  g_free(sink);
}

/* As Modelica tools do, all parameters and derivatives are in MATLAB files. */
static bool
takes_extras(DaeCli *cli)
{
  const char *path = dae_cli_output_file(cli);
  DaeResultFormat format = DAE_RESULT_CSV;
  return path != NULL && dae_result_format_of(path, &format) && format == DAE_RESULT_MAT;
}

/* What is written and what is plotted. */
static bool
choose(DaeSink *sink, const DaeSolverOptions *options, DaeExit *code)
{
  const char *list = dae_cli_string(sink->cli, "variables");
  sink->chosen = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  bool all_extras = takes_extras(sink->cli);
  sink->extras = list != NULL || all_extras ? dae_extras_new(sink->problem) : NULL;
  if (list != NULL && !dae_variables_choose(sink->cli, "variables", sink->problem, sink->extras,
                                            list, sink->chosen)) {
    *code = DAE_EXIT_USAGE;
    return false;
  }
  uint32_t n = dae_problem_n_results(sink->problem);
  n += all_extras && list == NULL ? dae_extras_n(sink->extras) : 0;
  for (uint32_t k = 0; list == NULL && k < n; k++) {
    g_array_append_val(sink->chosen, k);
  }
  for (uint32_t i = 0; i < sink->chosen->len; i++) {
    const DaeExtra *extra = extra_at(sink, i);
    sink->has_slopes = sink->has_slopes || (extra != NULL && !extra->is_constant);
  }
  if (dae_cli_string(sink->cli, "plot") == NULL) {
    return true;
  }
  sink->plotter = dae_plotter_new(sink->cli, sink->problem, options, code);
  return sink->plotter != NULL;
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
  sink->scratch = dae_aligned_new0(sink->evaluator->scratch_size);
  if (!choose(sink, options, code)) {
    sink_free(sink);
    return NULL;
  }
  if (!open_result(sink, code)) {
    sink_free(sink);
    return NULL;
  }
  return sink;
}

void
dae_simulate_residuals(const DaeProblem *problem, void *scratch, double t, const double *x,
                       double *residuals)
{
  const DaeEvaluator *evaluator = dae_problem_evaluator(problem);
  DaeOut out = {.g = residuals};
  dae_evaluator_begin(evaluator, scratch, dae_problem_segment(problem));
  if (evaluator->n_con > 0 && evaluator->eval(evaluator->self, scratch, 1, &t, x, &out) != 0) {
    for (uint32_t i = 0; i < evaluator->n_con; i++) {
      residuals[i] = NAN;
    }
  }
}

static void
add_residuals(DaeSink *sink, double t, const double *x, const uint8_t *states)
{
  const DaeEvaluator *evaluator = sink->evaluator;
  double *residuals = sink->row + n_written(sink);
  dae_simulate_residuals(sink->problem, sink->scratch, t, x, residuals);
  for (uint32_t j = 0; j < evaluator->n; j++) {
    residuals[evaluator->n_con + j] = states != NULL && states[j] != 0;
  }
}

static double
value_of_extra(const DaeExtra *extra, const double *slopes)
{
  return extra->is_constant ? extra->value : extra->sign * slopes[extra->unknown];
}

bool
dae_sink_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  DaeSink *sink = user;
  (void)xdot;
  const double *results = dae_problem_results(sink->problem, t, x);
  const double *slopes = sink->has_slopes ? dae_extras_slopes(sink->extras, t, x) : NULL;
  for (uint32_t i = 0; i < n_written(sink); i++) {
    const DaeExtra *extra = extra_at(sink, i);
    sink->row[i] = extra == NULL ? results[g_array_index(sink->chosen, uint32_t, i)]
                                 : value_of_extra(extra, slopes);
  }
  if (sink->with_residuals) {
    add_residuals(sink, t, x, states);
  }
  errno = 0;
  if (!dae_result_row(sink->result, t, sink->row)) {
    sink->failed = true;
    sink->error_code = errno;
    return false;
  }
  if (sink->plotter != NULL) {
    dae_plotter_point(sink->plotter, t, results);
  }
  double span = sink->t_stop - sink->t_start;
  char reached[96];
  g_snprintf(reached, sizeof reached, "integrating: t = %.4g of %.10g,", t, sink->t_stop);
  dae_report_progress(dae_cli_reporter(sink->cli), reached,
                      span > 0 ? (t - sink->t_start) / span : 0);
  return !dae_cli_interrupted(sink->cli);
}

void
dae_sink_step(void *user, const DaeStepRecord *record)
{
  DaeSink *sink = user;
  if (sink->plotter != NULL) {
    dae_plotter_step(sink->plotter, record);
  }
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
  ok = (sink->plotter == NULL || dae_plotter_write(sink->plotter)) && ok;
  sink_free(sink);
  return ok;
}
