/* One simulation for the report: its curves, steps, residuals and figures, in memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report-priv.h"
#include "cli/variables.h"

enum { MOST_NUMBERS = 1500000 }; /* of all curves: some megabytes in the page */

struct DaeReportRun {
  DaeHtmlRun view;
  DaeCli *cli;
  DaeProblem *problem;
  const DaeEvaluator *evaluator;
  void *scratch;
  double *residuals;        /* n_con */
  GArray *time, *residual;  /* double */
  GPtrArray *curves;        /* GArray of double */
  GArray *columns;          /* uint32_t: the result of each curve */
  GPtrArray *names, *units; /* borrowed */
  GByteArray *kinds;        /* as in DaeHtmlRun */
  GArray *steps;            /* DaeHtmlStep */
  GArray *events;           /* DaeHtmlEvent */
  GArray *figures;          /* DaeHtmlFigure */
  GPtrArray *texts;         /* of figures and events, owned */
  double *values;           /* all curves, one after the other */
  char *status;
  double t_start, t_stop;
};

static void
free_array(gpointer array)
{
  g_array_free(array, TRUE);
}

void
dae_report_run_free(DaeReportRun *run)
{
  if (run == NULL) {
    return;
  }
  g_array_free(run->time, TRUE);
  g_array_free(run->residual, TRUE);
  g_array_free(run->columns, TRUE);
  g_array_free(run->steps, TRUE);
  g_array_free(run->events, TRUE);
  g_array_free(run->figures, TRUE);
  g_ptr_array_free(run->curves, TRUE);
  g_ptr_array_free(run->names, TRUE);
  g_ptr_array_free(run->units, TRUE);
  g_byte_array_free(run->kinds, TRUE);
  g_ptr_array_free(run->texts, TRUE);
  g_free(run->residuals);
  g_free(run->values);
  g_free(run->status);
  free(run->scratch);
  g_free(run);
}

static DaeReportRun *
run_new(DaeCli *cli, DaeProblem *problem, const DaeSolverOptions *options)
{
  DaeReportRun *run = g_new0(DaeReportRun, 1);
  run->cli = cli;
  run->problem = problem;
  run->evaluator = dae_problem_evaluator(problem);
  run->scratch = dae_aligned_new0(run->evaluator->scratch_size);
  run->residuals = g_new0(double, run->evaluator->n_con + 1);
  run->time = g_array_new(FALSE, FALSE, sizeof(double));
  run->residual = g_array_new(FALSE, FALSE, sizeof(double));
  run->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  run->steps = g_array_new(FALSE, FALSE, sizeof(DaeHtmlStep));
  run->events = g_array_new(FALSE, FALSE, sizeof(DaeHtmlEvent));
  run->figures = g_array_new(FALSE, FALSE, sizeof(DaeHtmlFigure));
  run->curves = g_ptr_array_new_with_free_func(free_array);
  run->names = g_ptr_array_new();
  run->units = g_ptr_array_new();
  run->kinds = g_byte_array_new();
  run->texts = g_ptr_array_new_with_free_func(g_free);
  run->t_start = options->t_start;
  run->t_stop = options->t_stop;
  return run;
}

static void
add_curve(DaeReportRun *run, uint32_t k)
{
  DaeType type = dae_problem_result_type(run->problem, k);
  uint8_t kind = type == DAE_TYPE_BOOLEAN                                   ? 2
                 : type == DAE_TYPE_INTEGER || type == DAE_TYPE_ENUMERATION ? 1
                                                                            : 0;
  g_byte_array_append(run->kinds, &kind, 1);
  g_array_append_val(run->columns, k);
  g_ptr_array_add(run->names, (gpointer)dae_problem_result_name(run->problem, k));
  g_ptr_array_add(run->units, (gpointer)dae_problem_result_unit(run->problem, k));
  g_ptr_array_add(run->curves, g_array_new(FALSE, FALSE, sizeof(double)));
}

/* What --variables names; without it all variables, or as many as a page can hold.
 * False: a usage mistake, printed. */
static bool
choose_curves(DaeReportRun *run, const DaeSolverOptions *options)
{
  const char *list = dae_cli_string(run->cli, "variables");
  g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (list != NULL &&
      !dae_variables_choose(run->cli, "variables", run->problem, NULL, list, chosen)) {
    return false;
  }
  double points = options->interval > 0
                      ? (options->t_stop - options->t_start) / options->interval + 2
                      : 2000;
  double most = fmax(8, MOST_NUMBERS / fmax(points, 1));
  for (uint32_t k = 0; list == NULL && k < dae_problem_n_results(run->problem); k++) {
    if (!dae_problem_result_is_introduced(run->problem, k)) {
      g_array_append_val(chosen, k);
    }
  }
  for (guint i = 0; i < chosen->len; i++) {
    if (run->columns->len >= most) {
      run->view.n_left_out++;
    } else {
      add_curve(run, g_array_index(chosen, uint32_t, i));
    }
  }
  return true;
}

static double
largest_residual(DaeReportRun *run, double t, const double *x)
{
  double largest = 0;
  dae_simulate_residuals(run->problem, run->scratch, t, x, run->residuals);
  for (uint32_t i = 0; i < run->evaluator->n_con; i++) {
    largest = fmax(largest, fabs(run->residuals[i]));
  }
  return largest;
}

static bool
take_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  DaeReportRun *run = user;
  (void)xdot;
  (void)states;
  double residual = largest_residual(run, t, x);
  g_array_append_val(run->time, t);
  g_array_append_val(run->residual, residual);
  const double *results = dae_problem_results(run->problem, t, x);
  for (guint k = 0; k < run->curves->len; k++) {
    double value = results[g_array_index(run->columns, uint32_t, k)];
    g_array_append_val((GArray *)g_ptr_array_index(run->curves, k), value);
  }
  double span = run->t_stop - run->t_start;
  dae_report_progress(dae_cli_reporter(run->cli),
                      "integrating:", span > 0 ? (t - run->t_start) / span : 0);
  return !dae_cli_interrupted(run->cli);
}

static const char *
keep_text(DaeReportRun *run, const char *text)
{
  g_ptr_array_add(run->texts, g_strdup(text));
  return g_ptr_array_index(run->texts, run->texts->len - 1);
}

/* Begin and end of every run are events; they are told where they change something. */
static void
take_event(void *user, const DaeEventRecord *record)
{
  DaeReportRun *run = user;
  bool is_border =
      strcmp(record->kind, "initial") == 0 || strcmp(record->kind, "terminal") == 0;
  bool is_nothing = is_border && record->changes[0] == '\0';
  if (!is_nothing) {
    DaeHtmlEvent event = {record->t, record->kind, keep_text(run, record->cause),
                          keep_text(run, record->changes)};
    g_array_append_val(run->events, event);
  }
}

static void
take_step(void *user, const DaeStepRecord *record)
{
  DaeReportRun *run = user;
  DaeHtmlStep step = {record->t, record->size, record->order, record->newton};
  g_array_append_val(run->steps, step);
}

static void
add_figure(DaeReportRun *run, const char *label, char *value)
{
  DaeHtmlFigure figure = {label, value};
  g_ptr_array_add(run->texts, value);
  g_array_append_val(run->figures, figure);
}

static void
add_figures(DaeReportRun *run, const DaePipeline *pipeline, const DaeSolverStats *stats,
            const DaeSolverOptions *options)
{
  static const struct {
    const char *label;
    DaeStage stage;
  } stages[] = {
      {"reading", DAE_STAGE_READ},     {"structure", DAE_STAGE_ANALYZE},
      {"reduction", DAE_STAGE_REDUCE}, {"initialization", DAE_STAGE_CHECK_INIT},
      {"start", DAE_STAGE_START},      {"integration", DAE_STAGE_INTEGRATE},
  };

  DaeCount counts[DAE_N_COUNTS];
  dae_stats_counts(stats, counts);
  add_figure(run, "relative tolerance", g_strdup_printf("%g", options->rtol));
  add_figure(run, "absolute tolerance", g_strdup_printf("%g", options->atol));
  for (int i = 0; i < DAE_N_COUNTS; i++) {
    add_figure(run, counts[i].text, g_strdup_printf("%" G_GUINT64_FORMAT, counts[i].value));
  }
  if (dae_problem_has_events(run->problem)) {
    const DaeEventStats *events = dae_problem_event_stats(run->problem);

    const struct {
      const char *label;
      uint64_t value;
    } counts_of_events[] = {{"time events", events->time},
                            {"state events", events->state},
                            {"event iterations", events->iterations},
                            {"restarts", events->restarts},
                            {"restarts avoided", events->restarts_avoided},
                            {"modes", events->modes}};

    for (size_t i = 0; i < G_N_ELEMENTS(counts_of_events); i++) {
      add_figure(run, counts_of_events[i].label,
                 g_strdup_printf("%" G_GUINT64_FORMAT, counts_of_events[i].value));
    }
  }
  add_figure(run, "largest constraint residual, scaled",
             g_strdup_printf("%.3g", stats->max_constraint_residual));
  for (size_t i = 0; dae_cli_flag(run->cli, "stats") && i < G_N_ELEMENTS(stages); i++) {
    g_autofree char *label = g_strdup_printf("CPU seconds, %s", stages[i].label);
    g_ptr_array_add(run->texts, g_steal_pointer(&label));
    add_figure(run, g_ptr_array_index(run->texts, run->texts->len - 1),
               g_strdup_printf("%.4f", dae_pipeline_seconds(pipeline, stages[i].stage)));
  }
}

static void
finish(DaeReportRun *run, const DaeSolverOptions *options)
{
  size_t n = run->time->len;
  run->values = g_new0(double, n * run->curves->len + 1);
  for (guint k = 0; k < run->curves->len; k++) {
    GArray *curve = g_ptr_array_index(run->curves, k);
    memcpy(run->values + (size_t)k * n, curve->data, n * sizeof(double));
  }
  DaeHtmlRun *view = &run->view;
  view->names = (const char *const *)run->names->pdata;
  view->units = (const char *const *)run->units->pdata;
  view->kinds = run->kinds->data;
  view->n_curves = run->curves->len;
  view->time = view->residual_time = (const double *)(void *)run->time->data;
  view->values = run->values;
  view->n_points = n;
  view->residual = (const double *)(void *)run->residual->data;
  view->n_residuals = run->evaluator->n_con > 0 ? n : 0;
  view->events = (const DaeHtmlEvent *)(void *)run->events->data;
  view->n_events = run->events->len;
  view->steps = (const DaeHtmlStep *)(void *)run->steps->data;
  view->n_steps = run->steps->len;
  view->figures = (const DaeHtmlFigure *)(void *)run->figures->data;
  view->n_figures = run->figures->len;
  view->tolerance = options->rtol;
  view->status = run->status;
}

DaeReportRun *
dae_report_run(DaeCli *cli, DaePipeline *pipeline, DaeProblem *problem,
               const DaeSolverOptions *options, char **failure)
{
  DaeReportRun *run = run_new(cli, problem, options);
  DaeSolverOptions own = *options;
  DaeSolverStats stats = {0};
  GError *error = NULL;
  own.on_step = take_step;
  own.step_user = run;
  if (!choose_curves(run, &own)) {
    dae_report_run_free(run);
    return NULL;
  }
  dae_problem_set_event_listener(problem, take_event, run);
  bool completed = dae_problem_simulate(problem, &own, take_point, run, &stats, &error);
  dae_problem_set_event_listener(problem, NULL, NULL);
  const char *fired = dae_watchdog_fired(dae_cli_watchdog(cli));
  if (fired != NULL) {
    *failure = g_strdup_printf("%s at t = %.10g", fired, stats.t);
  } else if (!completed) {
    *failure = g_strdup(error->message);
  }
  g_clear_error(&error);
  run->status = g_strdup_printf("Method %s from t = %g to %.10g: %s",
                                dae_stats_method(options->method), options->t_start, stats.t,
                                *failure == NULL ? "completed" : "ended early");
  add_figures(run, pipeline, &stats, &own);
  finish(run, &own);
  return run;
}

const DaeHtmlRun *
dae_report_run_view(const DaeReportRun *run)
{
  return &run->view;
}
