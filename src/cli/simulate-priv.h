/* Shared by the files of the simulate command. */
#ifndef DAE_CLI_SIMULATE_PRIV_H
#define DAE_CLI_SIMULATE_PRIV_H

#include "cli/frame.h"
#include "cli/outfile.h"
#include "report/result.h"

/* Options of the run; DAE_EXIT_OK or a usage error that is printed. */
DaeExit dae_simulate_options(DaeCli *cli, const DaeExperiment *experiment,
                             DaeSolverOptions *run);
/* What will be done, before it is done: a default stop time; with --verbose more. */
void dae_simulate_announce(DaeCli *cli, const DaeExperiment *experiment,
                           const DaeSolverOptions *run);
/* Reads the invariants and reduces with them. */
DaeExit dae_simulate_reduce(DaeCli *cli, DaePipeline *pipeline, double t_start);
/* g(t, x) of each constraint, with the discrete values of now; NAN where the equations have no
 * value. */
void dae_simulate_residuals(const DaeProblem *problem, void *scratch, double t, const double *x,
                            double *residuals);

/* The picture of --plot (simulate_plot.c). */
typedef struct DaePlotter DaePlotter;

/* NULL: printed, *code says how to end. */
DaePlotter *dae_plotter_new(DaeCli *cli, DaeProblem *problem, const DaeSolverOptions *options,
                            DaeExit *code);
void dae_plotter_step(DaePlotter *plotter, const DaeStepRecord *record);
/* results: of dae_problem_results. */
void dae_plotter_point(DaePlotter *plotter, double t, const double *results);
bool dae_plotter_write(DaePlotter *plotter); /* false: printed, exit 6 */
void dae_plotter_free(DaePlotter *plotter);

/* Where the points of one run go: result file or standard output, memory for
 * the plot, the progress line. */
typedef struct DaeSink DaeSink;

/* NULL: printed, *code says how to end. */
DaeSink *dae_sink_open(DaeCli *cli, DaeProblem *problem, const DaeSolverOptions *options,
                       DaeExit *code);
/* A DaeOutputPoint with the sink as user data. */
bool dae_sink_point(void *sink, double t, const double *x, const double *xdot,
                    const uint8_t *states);
/* For DaeSolverOptions.on_step, with the sink as user data. */
void dae_sink_step(void *sink, const DaeStepRecord *record);
/* True if writing failed; the run was stopped for it. */
bool dae_sink_failed(const DaeSink *sink);
/* Completes files and the plot, frees the sink; what a terminal is to show is then in
 * dae_cli_out. false: printed, exit 6. */
bool dae_sink_close(DaeSink *sink);

/* Statistics on standard error: text, or JSON as in the contract. */
void dae_print_stats(DaeCli *cli, const DaePipeline *pipeline, const DaeProblem *problem,
                     const DaeSolverOptions *options, const DaeSolverStats *stats,
                     const char *status);

typedef struct {
  const char *key, *text;
  uint64_t value;
} DaeCount;

enum { DAE_N_COUNTS = 17 };

/* The counters of the statistics, as JSON and people call them. */
void dae_stats_counts(const DaeSolverStats *stats, DaeCount counts[DAE_N_COUNTS]);
const char *dae_stats_method(DaeMethod method);

#endif
