/* DaeCli from the outside: made, run and ended by main. */
#ifndef DAE_CLI_FRAME_H
#define DAE_CLI_FRAME_H

#include "cli/command.h"
#include "cli/outfile.h"
#include "cli/watchdog.h"

/* Parses, runs, writes the result; the exit code of the process. */
DaeExit dae_frame_run(const DaeCliCommand *command, int n, char **arguments);

/* False: two results in one file, or one in the place of the model; printed, exit 2 (clash.c). */
bool dae_cli_check_files(DaeCli *cli, const char *model);

/* For simulate, which writes its results while it goes. */
DaeOutFile *dae_cli_open_file(DaeCli *cli, const char *path, GError **error);
DaeWatchdog *dae_cli_watchdog(DaeCli *cli);
/* Writes text to standard output and flushes; false: printed
 * (quietly for a closed pipe), exit 6. */
bool dae_cli_write_stdout(const char *text, gsize length);
/* The help texts: like results, through the pager when they are longer than the screen. */
bool dae_cli_show_help(const char *text, gsize length);
/* Writes what is in dae_cli_out to its place now; code, or DAE_EXIT_FILE. */
DaeExit dae_cli_flush(DaeCli *cli, DaeExit code);
/* False, after a usage message, if a picture is wanted in a format that is not SVG. */
bool dae_cli_is_svg(DaeCli *cli, const char *option);
/* The listener hears every message besides standard error; it must
 * outlive the command. NULL: no more. */
void dae_cli_listen(DaeCli *cli, const DaeReporter *listener);
/* As a shell would take it again: `daetool report 'a b.mo'`. (transfer full) */
char *dae_cli_command_line(const DaeCli *cli);
/* The arguments after the command's name, NULL-terminated. */
char **dae_cli_arguments(const DaeCli *cli);
/* The model's file as it was given; NULL: none. */
const char *dae_cli_model_file(const DaeCli *cli);
/* All arguments that are no options, NULL-terminated (takes_many). */
const char *const *dae_cli_names(const DaeCli *cli);
/* Ends the progress line, if one is on the terminal. */
void dae_cli_clear_progress(DaeCli *cli);

#endif
