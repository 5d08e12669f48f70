/* daetool itself through the library, measured as the peers are: the front end once, then each
 * tolerance several times in the same process. Lines as those of peer_ida.c with the time from
 * reading to the start before the integration's:
 *     daetool FORM PROBLEM TOL CPU_SECONDS STEPS front=SECONDS NAME=VALUE ...
 *
 * Usage: bench_simulate FORM PROBLEM MODEL.mo STOP EXPONENT ...
 * FORM: default, as the command does it; radau, for --explicit never; native, for --native */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/pipeline.h"

enum { MOST_RUNS = 20 };

static const double enough = 0.05; /* CPU seconds for the runs at one tolerance */

static bool
keep_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  GArray *end = user;
  (void)t;
  (void)xdot;
  (void)states;
  memcpy(end->data, x, sizeof(double) * end->len);
  return true;
}

static void
measure_tolerance(DaePipeline *pipeline, DaeProblem *problem, char **words, double front,
                  int exponent)
{
  g_autoptr(GArray) end = g_array_new(FALSE, TRUE, sizeof(double));
  g_array_set_size(end, dae_problem_n(problem));
  DaeSolverOptions run;
  dae_solver_default_options(&run);
  run.t_stop = run.interval = strtod(words[4], NULL);
  run.rtol = run.atol = pow(10.0, -exponent);
  const bool may_be_explicit =
      strcmp(words[1], "default") == 0 && dae_solver_may_be_explicit(&run);
  run.explicit_use = may_be_explicit ? run.explicit_use : DAE_EXPLICIT_NEVER;
  DaeSolverStats stats = {0};
  double best = INFINITY, spent = 0;
  for (int k = 0; k < MOST_RUNS && (k < 1 || spent < enough); k++) {
    g_autoptr(GError) error = NULL;
    double before = dae_pipeline_seconds(pipeline, DAE_STAGE_INTEGRATE);
    if (!dae_problem_simulate(problem, &run, keep_point, end, &stats, &error)) {
      fprintf(stderr, "%s\n", error->message);
      best = -1;
      break;
    }
    double seconds = dae_pipeline_seconds(pipeline, DAE_STAGE_INTEGRATE) - before;
    best = MIN(best, seconds);
    spent += seconds;
  }
  printf("daetool %s %s 1e-%d %.6g %llu front=%.6g", words[1], words[2], exponent, best,
         (unsigned long long)stats.steps_accepted, front);
  for (uint32_t j = 0; j < end->len; j++) {
    printf(" %s=%.17g", dae_problem_name(problem, j), g_array_index(end, double, j));
  }
  printf("\n");
  fflush(stdout);
}

int
main(int argc, char **argv)
{
  if (argc < 6) {
    fprintf(stderr,
            "usage: bench_simulate default|radau|native PROBLEM MODEL.mo STOP EXPONENT ...\n");
    return 2;
  }
  dae_init();
  g_autoptr(GError) error = NULL;
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(NULL);
  DaeProblemOptions start = {.native = strcmp(argv[1], "native") == 0,
                             .solved = strcmp(argv[1], "default") == 0,
                             .solved_if_smooth = true,
                             .t_start = 0};
  g_autoptr(DaeProblem) problem = NULL;
  if (dae_pipeline_read_file(pipeline, argv[3], NULL, &error)) {
    problem = dae_pipeline_problem(pipeline, &start, &error);
  }
  if (problem == NULL) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
  }
  double front = 0;
  for (DaeStage stage = DAE_STAGE_READ; stage < DAE_STAGE_INTEGRATE; stage++) {
    front += dae_pipeline_seconds(pipeline, stage);
  }
  for (int i = 5; i < argc; i++) {
    measure_tolerance(pipeline, problem, argv, front, atoi(argv[i]));
  }
  return 0;
}
