/* The whole way up to a stage, with small budgets. FUZZ_STAGE chooses: 0 reader and
 * printer, 1 analyze, 2 reduce, 3 check-init, 4 simulate. Whatever the input, the only ends
 * are a result or an error value. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "pipeline/pipeline.h"

/* What show prints must read back to the same bytes. */
static void
check_show(DaePipeline *pipeline)
{
  g_autoptr(GString) first = g_string_new(NULL);
  g_autoptr(GString) second = g_string_new(NULL);
  dae_model_print(dae_pipeline_model(pipeline), dae_pipeline_terms(pipeline), false, first);
  g_autoptr(DaePipeline) again = dae_pipeline_new(NULL);
  GError *error = NULL;
  if (!dae_pipeline_read_text(again, "again", first->str, first->len, NULL, &error)) {
    dae_internal_error("show is not read back", 0, error->message);
  }
  dae_model_print(dae_pipeline_model(again), dae_pipeline_terms(again), false, second);
  DAE_ASSERT(strcmp(first->str, second->str) == 0);
}

typedef struct {
  unsigned left;
  uint32_t n;
} Points;

/* Whatever the model: only numbers come out. */
static bool
take_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  (void)xdot;
  (void)states;
  Points *points = user;
  DAE_ASSERT(isfinite(t));
  for (uint32_t i = 0; i < points->n; i++) {
    DAE_ASSERT(isfinite(x[i]));
  }
  return --points->left > 0;
}

static void
run_stage(DaePipeline *pipeline, int stage)
{
  GError *error = NULL;
  if (stage == 0) {
    check_show(pipeline);
  } else if (stage == 1) {
    dae_pipeline_analyze(pipeline, NULL, &error);
  } else if (stage == 2) {
    dae_pipeline_reduce(pipeline, NULL, &error);
  } else if (stage == 3) {
    dae_pipeline_check_init(pipeline, NULL, &error);
  } else {
    DaeProblemOptions options = {.t_start = 0};
    g_autoptr(DaeProblem) problem = dae_pipeline_problem(pipeline, &options, &error);
    if (problem != NULL) {
      DaeSolverOptions run;
      DaeSolverStats stats;
      Points points = {.left = 200, .n = dae_problem_n(problem)};
      dae_solver_default_options(&run);
      run.t_stop = 1;
      run.interval = 0.1;
      run.max_steps = 200;
      dae_problem_simulate(problem, &run, take_point, &points, &stats, &error);
    }
  }
  g_clear_error(&error);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size > 6000) {
    return 0;
  }
  dae_init();
  g_autoptr(DaeBudget) budget = dae_budget_new(2, 20000);
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(NULL);
  dae_pipeline_set_budget(pipeline, budget);
  GError *error = NULL;
  if (dae_pipeline_read_text(pipeline, "fuzz", (const char *)data, size, NULL, &error)) {
    run_stage(pipeline, FUZZ_STAGE);
  }
  g_clear_error(&error);
  return 0;
}
