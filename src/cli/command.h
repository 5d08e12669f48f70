/* The frame of the command line: options, results, messages, exit codes. One
 * file cmd_NAME.c per command.
 *
 * A command is a table entry (DaeCliCommand) and a run function. The frame parses the options
 * (common ones and the command's own), sets up colour, reporter and limits, calls run, and maps
 * errors to exit codes in one table. A command
 *   1. gets the pipeline with the model read: p = dae_cli_pipeline(cli); if NULL it returns
 *      dae_cli_exit(cli);
 *   2. appends its result to dae_cli_out(cli) (text or JSON, dae_cli_format);
 *   3. returns its exit code (DAE_EXIT_...); the frame then writes the result to standard
 *      output or, completely or not at all, to -o.
 * Results go to standard output, everything else to standard error. */
#ifndef DAE_CLI_COMMAND_H
#define DAE_CLI_COMMAND_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "pipeline/pipeline.h"
#include "report/report.h"

typedef enum {
  DAE_EXIT_OK = 0,
  DAE_EXIT_NEGATIVE = 1,
  DAE_EXIT_USAGE = 2,
  DAE_EXIT_MODEL = 3,
  DAE_EXIT_UNDECIDED = 4,
  DAE_EXIT_NUMERIC = 5,
  DAE_EXIT_FILE = 6,
  DAE_EXIT_INTERNAL = 70
} DaeExit;

typedef struct DaeCli DaeCli;

typedef enum {
  DAE_OPTION_FLAG,    /* --evaluate */
  DAE_OPTION_STRING,  /* --plot FILE */
  DAE_OPTION_STRINGS, /* --set NAME=VALUE, repeatable */
  DAE_OPTION_DOUBLE,  /* --tol 1e-7: finite */
  DAE_OPTION_COUNT,   /* --newton 2: integer >= 0 */
  DAE_OPTION_CHOICE   /* --eliminate auto|always|never; metavar lists the choices with | */
} DaeOptionKind;

typedef struct {
  const char *name; /* without the dashes */
  DaeOptionKind kind;
  const char *metavar; /* NULL for flags */
  const char *help;
} DaeCliOption;

typedef struct {
  const char *name;
  const char *summary;         /* one line for `daetool --help` */
  const char *description;     /* a paragraph for `daetool NAME --help` and the man page */
  const char *formats;         /* "text|json"; the first is the default */
  const DaeCliOption *options; /* own options, ends with name == NULL */
  const char *example;         /* one worked example with its output */
  bool works_in_doubles;       /* its result is no proof */
  bool inputs_at_run_time; /* inputs without an expression are values that its result takes */
  bool is_prose;        /* its text is for reading only: long lines are folded on a terminal */
  bool needs_no_model;  /* its argument, if any, is something else */
  bool takes_many;      /* several of them */
  const char *argument; /* what stands for MODEL.mo in its usage; NULL: MODEL.mo */
  DaeExit (*run)(DaeCli *cli);
} DaeCliCommand;

extern const DaeCliCommand dae_command_show;
extern const DaeCliCommand dae_command_tree;
extern const DaeCliCommand dae_command_analyze;
extern const DaeCliCommand dae_command_reduce;
extern const DaeCliCommand dae_command_check_init;
extern const DaeCliCommand dae_command_simulate;
extern const DaeCliCommand dae_command_export;
extern const DaeCliCommand dae_command_report;
extern const DaeCliCommand dae_command_examples;

/* ---- options ------------------------------------------------------------------------------ */
bool dae_cli_flag(const DaeCli *cli, const char *name);
const char *dae_cli_string(const DaeCli *cli,
                           const char *name); /* NULL if absent; also for CHOICE */
const char *const *dae_cli_strings(const DaeCli *cli, const char *name,
                                   guint *n); /* NULL-terminated, never NULL */
bool dae_cli_double(const DaeCli *cli, const char *name, double *value); /* false if absent */
bool dae_cli_count(const DaeCli *cli, const char *name, guint64 *value); /* false if absent */
const char *dae_cli_format(const DaeCli *cli); /* "text", "json", ... */
bool dae_cli_format_is(const DaeCli *cli, const char *format);
bool dae_cli_is_quiet(const DaeCli *cli);
bool dae_cli_is_verbose(const DaeCli *cli);
const char *dae_cli_output_file(const DaeCli *cli); /* -o, or NULL: standard output */
/* export only: FILE.h beside FILE.c; NULL without -o, because the source
 * contains it. (transfer full) */
char *dae_cli_header_file(const DaeCli *cli);

/* ---- stages ------------------------------------------------------------------------------- */
/* The paths of --library. NULL: one of them does not exist, the message is out. */
const char *const *dae_cli_libraries(DaeCli *cli);
/* Reads the model. NULL: the messages are out, return dae_cli_exit(cli). Owned by cli. */
DaePipeline *dae_cli_pipeline(DaeCli *cli);
DaeExit dae_cli_exit(const DaeCli *cli);
/* An expression over the model's names that stands on the command line.
 * DAE_NO_TERM: printed as a usage mistake. */
DaeTerm dae_cli_expression(DaeCli *cli, const char *option, const char *text);
/* Prints the error (unless diagnostics with places already said it) and returns
 * its exit code. Takes the error. */
DaeExit dae_cli_fail(DaeCli *cli, GError *error);
/* A usage mistake found by a command: prints `daetool NAME: ...`, returns DAE_EXIT_USAGE. */
DaeExit dae_cli_usage(DaeCli *cli, const char *format, ...) G_GNUC_PRINTF(2, 3);
const DaeReporter *dae_cli_reporter(DaeCli *cli);
void dae_cli_warn(DaeCli *cli, const char *format, ...) G_GNUC_PRINTF(2, 3);
void dae_cli_note(DaeCli *cli, const char *format, ...)
    G_GNUC_PRINTF(2, 3); /* only with --verbose */

/* ---- output ------------------------------------------------------------------------------- */
GString *dae_cli_out(DaeCli *cli);
/* Writes an extra file (plots, graphs) completely or not at all; on failure
 * prints and returns false (exit 6). */
bool dae_cli_write_file(DaeCli *cli, const char *path, const char *text, gsize length);
bool dae_cli_color(const DaeCli *cli);    /* colour on the result stream? */
bool dae_cli_unicode(const DaeCli *cli);  /* Unicode mathematics on the result stream? */
guint dae_cli_columns(const DaeCli *cli); /* width of the terminal; 0: no terminal, no limit */
DaePage dae_cli_page(const DaeCli *cli);  /* the same, for the writers of report/ */

/* Asked to end (SIGINT, SIGTERM, --max-time)? Commands with partial results look at it. */
bool dae_cli_interrupted(const DaeCli *cli);
/* The source line of a diagnostic with a caret line below (excerpt.c). */
void dae_cli_append_excerpt(GString *out, const DaeDiagnostic *diagnostic);
/* (transfer full) NULL: the text is not at hand. */
char *dae_cli_source_line(DaePipeline *pipeline, const char *file, uint32_t number);
/* An error of the form "FILE:LINE:COL: error: ..." as a diagnostic with its source line.
 * False: it has no place, nothing was reported. */
bool dae_cli_report_placed(const DaeReporter *reporter, DaePipeline *pipeline,
                           const char *message);

#endif
