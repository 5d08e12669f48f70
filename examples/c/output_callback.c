/* Simulates a model file and looks at each output point itself: here the largest
 * height of the pendulum's mass.
 *
 *     cc output_callback.c $(pkg-config --cflags --libs daetool) -o output_callback &&
 *     ./output_callback pendulum.mo y */
#include <daetool/daetool.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  uint32_t column;
  double largest, when;
} Watch;

static bool
watch_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  Watch *watch = user;
  (void)xdot;
  (void)states;
  if (x[watch->column] > watch->largest) {
    watch->largest = x[watch->column];
    watch->when = t;
  }
  return true; /* false would end the run here */
}

static bool
simulate(DaePipeline *pipeline, const char *name, GError **error)
{
  DaeProblemOptions start = {.t_start = 0};
  g_autoptr(DaeProblem) problem = dae_pipeline_problem(pipeline, &start, error);
  if (problem == NULL) {
    return false;
  }
  Watch watch = {.largest = -INFINITY};
  for (uint32_t j = 0; j < dae_problem_n(problem); j++) {
    if (strcmp(dae_problem_name(problem, j), name) == 0) {
      watch.column = j;
    }
  }
  DaeSolverOptions run;
  DaeSolverStats stats;
  dae_solver_default_options(&run);
  run.t_stop = 10;
  run.interval = 0.01;
  run.rtol = run.atol = 1e-8;
  if (!dae_problem_simulate(problem, &run, watch_point, &watch, &stats, error)) {
    return false;
  }
  printf("%s is largest at t = %.2f: %.6f\n", name, watch.when, watch.largest);
  return true;
}

int
main(int argc, char **argv)
{
  GError *error = NULL;
  if (argc != 3) {
    fprintf(stderr, "usage: %s MODEL.mo VARIABLE\n", argv[0]);
    return 2;
  }
  dae_init();
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(NULL);
  if (!dae_pipeline_read_file(pipeline, argv[1], NULL, &error) ||
      !simulate(pipeline, argv[2], &error)) {
    fprintf(stderr, "%s\n", error->message);
    g_error_free(error);
    return 1;
  }
  return 0;
}
