/* Parts of `daetool report`. */
#ifndef DAE_CLI_REPORT_PRIV_H
#define DAE_CLI_REPORT_PRIV_H

#include "cli/simulate-priv.h"
#include "report/html.h"

/* One simulation, kept for the page. */
typedef struct DaeReportRun DaeReportRun;

/* Simulates as far as it gets. *failure: NULL, or what ended it (transfer full). NULL:
 * --variables is wrong, printed. */
DaeReportRun *dae_report_run(DaeCli *cli, DaePipeline *pipeline, DaeProblem *problem,
                             const DaeSolverOptions *options, char **failure);
const DaeHtmlRun *dae_report_run_view(const DaeReportRun *run);
void dae_report_run_free(DaeReportRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeReportRun, dae_report_run_free)

/* --watch: makes the report again whenever the model's file changes, until interrupted. */
DaeExit dae_report_watch(DaeCli *cli);
/* The stamp for the page when this process works for a watching one; NULL otherwise. */
const char *dae_report_stamp(void);

#endif
