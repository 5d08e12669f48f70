/* Starts, runs and exported text. A run keeps its points by column,
 * so that a signal is one array. */
#include <math.h>
#include <string.h>

#include "simple/simple-priv.h"

struct DaetoolRun {
  DaeProblem *problem; /* while it runs */
  uint32_t n;          /* signals */
  char **names;        /* n, NULL-terminated */
  GArray *time;        /* double */
  GArray **columns;    /* n, double */
  DaeSolverStats stats;
};

DaeProblem *
dae_simple_problem(DaetoolModel *model, const DaeProblemOptions *options)
{
  GError *error = NULL;
  if (dae_simple_begin(model) == NULL || dae_simple_runner(model) == NULL) {
    return NULL;
  }
  g_clear_pointer(&model->problem, dae_problem_free);
  model->problem = dae_pipeline_problem(model->runner, options, &error);
  if (model->problem == NULL) {
    dae_simple_fail(model, error);
  }
  return model->problem;
}

static DaeProblem *
any_problem(DaetoolModel *model)
{
  const DaeProblemOptions options = {.t_start = NAN};
  if (dae_simple_begin(model) == NULL) {
    return NULL;
  }
  return model->problem != NULL ? model->problem : dae_simple_problem(model, &options);
}

const double *
daetool_start_values(DaetoolModel *model, size_t *n)
{
  DaeProblem *problem = any_problem(model);
  *n = problem != NULL ? dae_problem_n_results(problem) : 0;
  return problem != NULL ? dae_problem_results(problem, dae_problem_t_start(problem),
                                               dae_problem_start(problem))
                         : NULL;
}

const char *
daetool_signal_name(DaetoolModel *model, size_t j)
{
  DaeProblem *problem = any_problem(model);
  return problem != NULL && j < dae_problem_n_results(problem)
             ? dae_problem_result_name(problem, (uint32_t)j)
             : NULL;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static DaetoolRun *
run_new(DaeProblem *problem)
{
  DaetoolRun *run = g_new0(DaetoolRun, 1);
  run->problem = problem;
  run->n = dae_problem_n_results(problem);
  run->names = g_new0(char *, (size_t)run->n + 1);
  run->columns = g_new0(GArray *, (size_t)run->n + 1);
  run->time = g_array_new(FALSE, FALSE, sizeof(double));
  for (uint32_t j = 0; j < run->n; j++) {
    run->names[j] = g_strdup(dae_problem_result_name(problem, j));
    run->columns[j] = g_array_new(FALSE, FALSE, sizeof(double));
  }
  return run;
}

void
daetool_run_free(DaetoolRun *run)
{
  if (run == NULL) {
    return;
  }
  for (uint32_t j = 0; j < run->n; j++) {
    g_array_unref(run->columns[j]);
  }
  g_free(run->columns);
  g_array_unref(run->time);
  g_strfreev(run->names);
  g_free(run);
}

static bool
keep_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  DaetoolRun *run = user;
  const double *values = dae_problem_results(run->problem, t, x);
  (void)xdot;
  (void)states;
  g_array_append_val(run->time, t);
  for (uint32_t j = 0; j < run->n; j++) {
    g_array_append_val(run->columns[j], values[j]);
  }
  return true;
}

static const char run_options[] = "start|stop|tol|rtol|atol|interval|intervals|method|order|"
                                  "step|newton|projections|max-steps|"
                                  "native";

DaetoolRun *
daetool_simulate(DaetoolModel *model, const char *options)
{
  GError *error = NULL;
  DaePipeline *pipeline = dae_simple_begin(model);
  g_autoptr(DaeSettings) settings =
      pipeline != NULL ? dae_settings_parse(options, run_options, &error) : NULL;
  DaeSolverOptions run;
  if (settings == NULL ||
      !dae_settings_run(settings, dae_model_experiment(dae_pipeline_model(pipeline)), &run,
                        &error)) {
    if (error != NULL) {
      dae_simple_fail(model, error);
    }
    return NULL;
  }
  const DaeProblemOptions start = {.native = dae_settings_flag(settings, "native"),
                                   .fixed_step = run.method != DAE_METHOD_RADAU,
                                   .t_start = run.t_start,
                                   .solved = dae_solver_may_be_explicit(&run),
                                   .solved_if_smooth = run.explicit_use == DAE_EXPLICIT_SMOOTH};
  DaeProblem *problem = dae_simple_problem(model, &start);
  if (problem == NULL) {
    return NULL;
  }
  DaetoolRun *result = run_new(problem);
  if (!dae_problem_simulate(problem, &run, keep_point, result, &result->stats, &error)) {
    dae_simple_fail(model, error);
  }
  result->problem = NULL;
  return result;
}

const double *
daetool_run_time(const DaetoolRun *run, size_t *n)
{
  *n = run->time->len;
  return (const double *)(void *)run->time->data;
}

const double *
daetool_run_values(const DaetoolRun *run, const char *name, size_t *n)
{
  for (uint32_t j = 0; j < run->n; j++) {
    if (strcmp(run->names[j], name) == 0) {
      *n = run->columns[j]->len;
      return (const double *)(void *)run->columns[j]->data;
    }
  }
  *n = 0;
  return NULL;
}

double
daetool_run_statistic(const DaetoolRun *run, const char *name)
{
  const DaeSolverStats *stats = &run->stats;

  const struct {
    const char *name;
    double value;
  } all[] = {
      {"steps", (double)stats->steps_accepted},
      {"rejected", (double)stats->steps_rejected},
      {"newton-iterations", (double)stats->newton_iterations},
      {"jacobians", (double)stats->jacobian_evaluations},
      {"residual", stats->max_constraint_residual},
      {"t", stats->t},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    if (strcmp(all[i].name, name) == 0) {
      return all[i].value;
    }
  }
  return NAN;
}

/* ---- export --------------------------------------------------------------------------------- */

const char *
daetool_export_c(DaetoolModel *model, const char *options, size_t *length)
{
  GError *error = NULL;
  DaePipeline *pipeline = dae_simple_begin(model);
  g_autoptr(DaeSettings) settings =
      pipeline != NULL ? dae_settings_parse(options, "method|step|stop|prefix", &error) : NULL;
  DaeSolverOptions run;
  bool ok = settings != NULL &&
            dae_settings_run(settings, dae_model_experiment(dae_pipeline_model(pipeline)), &run,
                             &error);
  DaeProblem *problem = ok ? any_problem(model) : NULL;
  g_autofree char *header = NULL;
  g_autofree char *source = NULL;
  ok = problem != NULL &&
       dae_problem_export(problem, run.method != DAE_METHOD_RADAU ? &run : NULL,
                          dae_settings_text(settings, "prefix"), &header, &source, &error);
  if (error != NULL) {
    dae_simple_fail(model, error);
  }
  g_string_assign(model->source, ok ? source : "");
  if (length != NULL) {
    *length = model->source->len;
  }
  return ok ? model->source->str : NULL;
}
