/* Inside of the frame of commands: what one run of the program knows. */
#ifndef DAE_CLI_FRAME_PRIV_H
#define DAE_CLI_FRAME_PRIV_H

#include <pthread.h>

#include "cli/frame.h"
#include "cli/options.h"
#include "cli/terminal.h"

struct DaeCli {
  const DaeCliCommand *command;
  DaeOptions *options;
  DaePipeline *pipeline;
  DaeInputTable *input_table; /* NULL: none */
  DaeReporter reporter;
  DaeWatchdog *watchdog;
  GString *out;
  DaeExit exit_code;
  DaeTerminal terminal;
  bool color, color_err;
  bool error_was_shown;  /* diagnostics with places already told what is wrong */
  gint progress_is_over; /* atomic: results are being written */
  /* of the three below: the watchdog's thread shows progress as well */
  pthread_mutex_t progress_mutex;
  bool progress_is_shown; /* a line is on the terminal */
  bool progress_is_exact; /* the last line said how much is left */
  gint64 last_progress;
  gint64 started;
  const DaeReporter *listener; /* hears every message as well; NULL: nobody */
  int n_arguments;
  char **arguments;
};

/* messages.c: the functions of the reporter, and whether a line of progress is due. */
void dae_cli_print_diagnostic(void *user, const DaeDiagnostic *diagnostic);
void dae_cli_print_progress(void *user, const char *what, double fraction);
bool dae_cli_wants_progress(const DaeCli *cli, gint64 now, gint64 pause);

#endif
