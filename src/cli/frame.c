#include "cli/frame.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/options.h"
#include "cli/similar.h"
#include "cli/terminal.h"
#include "pipeline/annotations.h"
#include "report/typeset.h"

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

/* ---- options ------------------------------------------------------------------------------ */

bool
dae_cli_flag(const DaeCli *cli, const char *name)
{
  return dae_cli_string(cli, name) != NULL;
}

const char *
dae_cli_string(const DaeCli *cli, const char *name)
{
  return dae_options_values(cli->options, name, NULL)[0];
}

const char *const *
dae_cli_strings(const DaeCli *cli, const char *name, guint *n)
{
  return dae_options_values(cli->options, name, n);
}

bool
dae_cli_double(const DaeCli *cli, const char *name, double *value)
{
  const char *text = dae_cli_string(cli, name);
  if (text != NULL) {
    *value = g_ascii_strtod(text, NULL);
  }
  return text != NULL;
}

bool
dae_cli_count(const DaeCli *cli, const char *name, guint64 *value)
{
  const char *text = dae_cli_string(cli, name);
  if (text != NULL) {
    *value = g_ascii_strtoull(text, NULL, 10);
  }
  return text != NULL;
}

const char *
dae_cli_format(const DaeCli *cli)
{
  const char *format = dae_cli_string(cli, "format");
  return format != NULL ? format : "text";
}

bool
dae_cli_format_is(const DaeCli *cli, const char *format)
{
  return strcmp(dae_cli_format(cli), format) == 0;
}

bool
dae_cli_is_quiet(const DaeCli *cli)
{
  return dae_cli_flag(cli, "quiet");
}

bool
dae_cli_is_verbose(const DaeCli *cli)
{
  return dae_cli_flag(cli, "verbose");
}

const char *
dae_cli_output_file(const DaeCli *cli)
{
  const char *path = dae_cli_string(cli, "o");
  return g_strcmp0(path, "-") == 0 ? NULL : path; /* as elsewhere: standard output */
}

char *
dae_cli_header_file(const DaeCli *cli)
{
  const char *file = dae_cli_output_file(cli);
  if (strcmp(cli->command->name, "export") != 0 || file == NULL ||
      !g_str_has_suffix(file, ".c")) {
    return NULL;
  }
  g_autofree char *stem = g_strndup(file, strlen(file) - 2);
  return g_strconcat(stem, ".h", NULL);
}

/* ---- messages ----------------------------------------------------------------------------- */

void
dae_cli_clear_progress(DaeCli *cli)
{
  pthread_mutex_lock(&cli->progress_mutex);
  if (cli->progress_is_shown) {
    fputs("\r\033[K", stderr);
    cli->progress_is_shown = false;
  }
  cli->last_progress = g_get_monotonic_time();
  pthread_mutex_unlock(&cli->progress_mutex);
}

/* FILE:LINE:COL: error: message, the source line, a caret. */
static void
print_diagnostic(void *user, const DaeDiagnostic *diagnostic)
{
  static const char *const words[] = {"note", "warning", "error"};
  static const DaeStyle styles[] = {DAE_STYLE_DIM, DAE_STYLE_WARN, DAE_STYLE_BAD};
  DaeCli *cli = user;
  dae_report(cli->listener, diagnostic);
  if (dae_cli_is_quiet(cli) && diagnostic->severity != DAE_FAILURE) {
    return;
  }
  dae_cli_clear_progress(cli);
  g_autoptr(GString) text = g_string_new(NULL);
  if (diagnostic->file != NULL && diagnostic->span.line > 0) {
    g_string_append_printf(text, "%s:%u:%u: ", diagnostic->file, diagnostic->span.line,
                           diagnostic->span.column);
  } else {
    g_string_append(text, "daetool: ");
  }
  g_string_append_printf(
      text, "%s%s:%s %s\n", cli->color_err ? dae_style_code(styles[diagnostic->severity]) : "",
      words[diagnostic->severity], cli->color_err ? "\033[0m" : "", diagnostic->message);
  DaeDiagnostic with_line = *diagnostic;
  g_autofree char *line = NULL;
  if (with_line.source_line == NULL && with_line.file != NULL && with_line.span.line > 0) {
    line = dae_cli_source_line(cli->pipeline, with_line.file, with_line.span.line);
    with_line.source_line = line;
  }
  if (with_line.source_line != NULL) {
    dae_cli_append_excerpt(text, &with_line);
  }
  fputs(text->str, stderr);
  if (diagnostic->severity == DAE_FAILURE) {
    cli->error_was_shown = true;
  }
}

/* Is it time for a progress line, `pause` microseconds after the last one? With the mutex held. */
static bool
wants_progress(const DaeCli *cli, gint64 now, gint64 pause)
{
  return g_atomic_int_get(&cli->progress_is_over) == 0 && !dae_cli_is_quiet(cli) &&
         isatty(STDERR_FILENO) && now - cli->started >= G_USEC_PER_SEC / 2 &&
         now - cli->last_progress >= pause;
}

static void
print_time_left(double seconds)
{
  if (seconds < 100) {
    fprintf(stderr, "%.0f s left", seconds);
  } else if (seconds < 6000) {
    fprintf(stderr, "%.0f min left", seconds / 60);
  } else {
    fprintf(stderr, "%.1f h left", seconds / 3600);
  }
}

static void
print_progress(void *user, const char *what, double fraction)
{
  DaeCli *cli = user;
  gint64 now = g_get_monotonic_time();
  pthread_mutex_lock(&cli->progress_mutex);
  if (wants_progress(cli, now, G_USEC_PER_SEC / 10)) {
    cli->last_progress = now;
    cli->progress_is_shown = true;
    cli->progress_is_exact = fraction > 0;
    fprintf(stderr, "\r\033[K%s", what);
    if (fraction > 0) {
      fprintf(stderr, " %.0f %%, about ", 100 * fraction);
      print_time_left((double)(now - cli->started) * 1e-6 * (1 - fraction) / fraction);
    }
    fflush(stderr);
  }
  pthread_mutex_unlock(&cli->progress_mutex);
}

void
dae_cli_warn(DaeCli *cli, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  dae_report(&cli->reporter, &(DaeDiagnostic){.severity = DAE_WARNING, .message = message});
}

void
dae_cli_note(DaeCli *cli, const char *format, ...)
{
  if (!dae_cli_is_verbose(cli)) {
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  dae_report(&cli->reporter, &(DaeDiagnostic){.severity = DAE_NOTE, .message = message});
}

void
dae_cli_listen(DaeCli *cli, const DaeReporter *listener)
{
  cli->listener = listener;
}

char **
dae_cli_arguments(const DaeCli *cli)
{
  return cli->arguments; /* the end of argv: NULL comes last */
}

const char *
dae_cli_model_file(const DaeCli *cli)
{
  return dae_options_file(cli->options);
}

char *
dae_cli_command_line(const DaeCli *cli)
{
  GString *line = g_string_new("daetool ");
  g_string_append(line, cli->command->name);
  for (int i = 0; i < cli->n_arguments; i++) {
    bool is_plain = cli->arguments[i][0] != '\0' &&
                    strspn(cli->arguments[i], G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS
                           "-_./=:,+@%") == strlen(cli->arguments[i]);
    g_autofree char *quoted = is_plain ? NULL : g_shell_quote(cli->arguments[i]);
    g_string_append_printf(line, " %s", is_plain ? cli->arguments[i] : quoted);
  }
  return g_string_free(line, FALSE);
}

const DaeReporter *
dae_cli_reporter(DaeCli *cli)
{
  return &cli->reporter;
}

/* The one table from errors to exit codes. */
static DaeExit
exit_code_of(const GError *error)
{
  if (error->domain != DAE_ERROR) {
    return DAE_EXIT_INTERNAL;
  }
  switch ((DaeErrorCode)error->code) {
  case DAE_ERROR_USAGE:
    return DAE_EXIT_USAGE;
  case DAE_ERROR_MODEL:
  case DAE_ERROR_UNSUPPORTED:
    return DAE_EXIT_MODEL;
  case DAE_ERROR_UNDECIDED:
    return DAE_EXIT_UNDECIDED;
  case DAE_ERROR_NUMERIC:
    return DAE_EXIT_NUMERIC;
  case DAE_ERROR_FILE:
    return DAE_EXIT_FILE;
  case DAE_ERROR_NEGATIVE:
    return DAE_EXIT_NEGATIVE;
  }
  return DAE_EXIT_INTERNAL;
}

DaeExit
dae_cli_fail(DaeCli *cli, GError *error)
{
  cli->exit_code = exit_code_of(error);
  dae_cli_clear_progress(cli);
  if ((!cli->error_was_shown || cli->exit_code != DAE_EXIT_MODEL) &&
      !dae_cli_report_placed(&cli->reporter, cli->pipeline, error->message)) {
    fprintf(stderr, "daetool: %s\n", error->message);
  }
  g_error_free(error);
  return cli->exit_code;
}

DaeExit
dae_cli_usage(DaeCli *cli, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  fprintf(stderr, "daetool %s: %s\n", cli->command->name, message);
  return cli->exit_code = DAE_EXIT_USAGE;
}

/* ---- stages ------------------------------------------------------------------------------- */

static void
note_model(DaeCli *cli)
{
  const DaeModel *model = dae_pipeline_model(cli->pipeline);
  dae_cli_note(cli,
               "%s: model %s with %u variables, %u equations, %u initial equations, %u "
               "parameters",
               dae_model_file(model), dae_model_name(model), dae_model_n_variables(model),
               dae_model_n_equations(model), dae_model_n_initial_equations(model),
               dae_model_n_parameters(model));
}

/* A column that is no input is likely a slip; a table without any is a mistake. */
static bool
columns_are_inputs(DaeCli *cli)
{
  const DaeModel *model = dae_pipeline_model(cli->pipeline);
  const char *const *names =
      cli->input_table != NULL ? dae_input_table_names(cli->input_table) : NULL;
  bool any = names == NULL;
  for (size_t k = 0; names != NULL && names[k] != NULL; k++) {
    any = any || dae_model_has_input(model, names[k]);
  }
  for (size_t k = 0; any && names != NULL && names[k] != NULL; k++) {
    if (!dae_model_has_input(model, names[k])) {
      dae_cli_warn(cli, "--input-file: column '%s' is no input of the model", names[k]);
    }
  }
  if (!any) {
    dae_cli_usage(cli, "--input-file: no column of %s is an input of the model",
                  dae_cli_string(cli, "input-file"));
  }
  return any;
}

/* What rests on a wrong annotation is not begun. */
static bool
annotations_hold(DaeCli *cli)
{
  if (!dae_cli_flag(cli, "check-annotations")) {
    return true;
  }
  DaeAnnotationCounts counts =
      dae_annotations_check(dae_pipeline_model(cli->pipeline),
                            dae_pipeline_terms(cli->pipeline), &cli->reporter);
  if (counts.wrong > 0) {
    cli->exit_code = DAE_EXIT_NEGATIVE;
  }
  return counts.wrong == 0;
}

DaePipeline *
dae_cli_pipeline(DaeCli *cli)
{
  if (cli->pipeline != NULL) {
    return cli->pipeline;
  }
  DaeReadOptions options = {
      .model = dae_cli_string(cli, "model"),
      .overrides = dae_cli_strings(cli, "set", NULL),
      .inputs = dae_cli_strings(cli, "input", NULL),
      .libraries = dae_cli_strings(cli, "library", NULL),
      .inputs_are_symbols = cli->command->inputs_at_run_time,
      .keep_loops = dae_cli_flag(cli, "keep-loops"),
      .check_annotations = dae_cli_flag(cli, "check-annotations"),
  };
  GError *error = NULL;
  const char *table = dae_cli_string(cli, "input-file");
  if (table != NULL) {
    cli->input_table = dae_input_table_read(table, &error);
    if (cli->input_table == NULL) {
      dae_cli_fail(cli, error);
      return NULL;
    }
    options.symbols = dae_input_table_names(cli->input_table);
  }
  g_atomic_pointer_set(&cli->pipeline, dae_pipeline_new(&cli->reporter));
  dae_pipeline_set_input_table(cli->pipeline, cli->input_table);
  if (!dae_pipeline_read_file(cli->pipeline, dae_options_file(cli->options), &options,
                              &error)) {
    g_autofree char *similar =
        error->code == DAE_ERROR_FILE ? dae_similar_file(dae_options_file(cli->options)) : NULL;
    if (similar != NULL) {
      g_autofree char *old = error->message;
      error->message = g_strdup_printf("%s; did you mean '%s'?", old, similar);
    }
    dae_cli_fail(cli, error);
    return NULL;
  }
  if (!columns_are_inputs(cli)) {
    return NULL;
  }
  note_model(cli);
  if (dae_cli_flag(cli, "check-units")) {
    dae_model_check_units(dae_pipeline_model(cli->pipeline), dae_pipeline_terms(cli->pipeline),
                          &cli->reporter);
  }
  return annotations_hold(cli) ? cli->pipeline : NULL;
}

DaeTerm
dae_cli_expression(DaeCli *cli, const char *option, const char *text)
{
  GError *error = NULL;
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  DaeTerm term = dae_model_parse_expression(dae_pipeline_model(pipeline),
                                            dae_pipeline_terms(pipeline), text, NULL, &error);
  if (term == DAE_NO_TERM) {
    const char *message = error != NULL ? error->message : "no expression";
    bool has_place = g_str_has_prefix(message, "expression:1:");
    dae_cli_usage(cli, "--%s %s: %s%s", option, text, has_place ? "column " : "",
                  has_place ? message + strlen("expression:1:") : message);
    g_clear_error(&error);
  }
  return term;
}

DaeExit
dae_cli_exit(const DaeCli *cli)
{
  return cli->exit_code;
}

/* ---- output ------------------------------------------------------------------------------- */

GString *
dae_cli_out(DaeCli *cli)
{
  return cli->out;
}

bool
dae_cli_color(const DaeCli *cli)
{
  return cli->color;
}

bool
dae_cli_unicode(const DaeCli *cli)
{
  return cli->terminal.unicode;
}

guint
dae_cli_columns(const DaeCli *cli)
{
  return cli->terminal.columns;
}

DaePage
dae_cli_page(const DaeCli *cli)
{
  return (DaePage){.color = dae_cli_color(cli),
                   .unicode = dae_cli_unicode(cli),
                   .is_verbose = dae_cli_is_verbose(cli),
                   .columns = dae_cli_columns(cli)};
}

/* The watchdog knows the temporary file as soon as it exists. */
DaeOutFile *
dae_cli_open_file(DaeCli *cli, const char *path, GError **error)
{
  if (!dae_outfile_is_replaced(path)) {
    return dae_outfile_open(
        path, error); /* a FIFO waits for its reader: signals must be able to end that */
  }
  dae_watchdog_hold(cli->watchdog);
  DaeOutFile *file = dae_outfile_open(path, error);
  dae_watchdog_release(cli->watchdog, file == NULL ? NULL : dae_outfile_temporary(file));
  return file;
}

bool
dae_cli_write_file(DaeCli *cli, const char *path, const char *text, gsize length)
{
  GError *error = NULL;
  DaeOutFile *file = dae_cli_open_file(cli, path, &error);
  if (file != NULL) {
    dae_outfile_write(file, text, length);
    bool ok = dae_outfile_commit(file, &error);
    dae_watchdog_set_temporary(cli->watchdog, NULL);
    if (ok) {
      return true;
    }
  }
  dae_cli_fail(cli, error);
  return false;
}

bool
dae_cli_write_stdout(const char *text, gsize length)
{
  errno = 0;
  if (fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0) {
    return true;
  }
  if (errno != EPIPE) { /* `| head` closed the pipe: it has what it wanted */
    fprintf(stderr, "daetool: standard output: cannot write: %s\n", g_strerror(errno));
  }
  return false;
}

DaeWatchdog *
dae_cli_watchdog(DaeCli *cli)
{
  return cli->watchdog;
}

bool
dae_cli_interrupted(const DaeCli *cli)
{
  return dae_watchdog_fired(cli->watchdog) != NULL;
}

/* ---- the frame ---------------------------------------------------------------------------- */

static bool
wants_color(const DaeCli *cli, int fd)
{
  const char *choice = dae_cli_string(cli, "color");
  if (choice != NULL && strcmp(choice, "auto") != 0) {
    return strcmp(choice, "always") == 0;
  }
  const char *no_color = g_getenv("NO_COLOR");
  return isatty(fd) && (no_color == NULL || no_color[0] == '\0') &&
         g_strcmp0(g_getenv("TERM"), "dumb") != 0;
}

static void
set_up_streams(DaeCli *cli)
{
  bool to_file = dae_cli_output_file(cli) != NULL;
  const char *choice = dae_cli_string(cli, "color");
  cli->color = to_file ? g_strcmp0(choice, "always") == 0 : wants_color(cli, STDOUT_FILENO);
  cli->color_err = wants_color(cli, STDERR_FILENO);
  cli->terminal = dae_terminal_look(to_file);
}

static const char *
stage_text(void *user)
{
  static const char *const texts[DAE_STAGE_COUNT] = {
      "reading the model",
      "analyzing the structure",
      "reducing to quasi-linear form",
      "checking the initialization",
      "looking for a consistent start",
      "integrating",
  };
  DaeCli *cli = user;
  const DaePipeline *pipeline = g_atomic_pointer_get(&cli->pipeline);
  return texts[pipeline == NULL ? DAE_STAGE_READ : dae_pipeline_stage(pipeline)];
}

/* For the message of an end that the command did not choose. */
static const char *
reached_text(void *user)
{
  DaeCli *cli = user;
  return g_atomic_int_get(&cli->progress_is_over) != 0 ? "showing the result" : stage_text(cli);
}

/* For stages that do not report how far they are: what goes on, and since
 * when. In the watchdog's thread. */
static void
show_stage(void *user)
{
  DaeCli *cli = user;
  gint64 now = g_get_monotonic_time();
  pthread_mutex_lock(&cli->progress_mutex);
  if (!cli->progress_is_exact && wants_progress(cli, now, G_USEC_PER_SEC)) {
    cli->last_progress = now;
    cli->progress_is_shown = true;
    fprintf(stderr, "\r\033[K%s, %.0f s", stage_text(cli), (double)(now - cli->started) * 1e-6);
    fflush(stderr);
  }
  pthread_mutex_unlock(&cli->progress_mutex);
}

/* A limit that is no limit is a mistake, not a wish. */
static bool
check_limits(DaeCli *cli)
{
  static const char *const names[] = {"max-time", "max-memory"};
  for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
    double value = 1;
    if (dae_cli_double(cli, names[i], &value) && !(value > 0)) {
      dae_cli_usage(cli, "--%s takes a positive number, not %g", names[i], value);
      return false;
    }
  }
  return true;
}

static void
start_watchdog(DaeCli *cli)
{
  DaeWatchdogOptions limits = {.reached = reached_text, .tick = show_stage, .user = cli};
  bool simulates = strcmp(cli->command->name, "simulate") == 0;
  limits.exit_code = simulates ? DAE_EXIT_NUMERIC : DAE_EXIT_UNDECIDED;
  dae_cli_double(cli, "max-time", &limits.max_seconds);
  dae_cli_double(cli, "max-memory", &limits.max_mib);
  cli->watchdog = dae_watchdog_start(&limits);
}

/* Lines that are too long for the terminal are folded, a text that
 * is too long goes to the pager. */
static bool
write_to_screen(DaeCli *cli)
{
  g_autoptr(GString) folded = NULL;
  const GString *text = cli->out;
  if (cli->terminal.is_terminal && cli->command->is_prose && dae_cli_format_is(cli, "text")) {
    folded = dae_text_fold(text->str, cli->terminal.columns);
    text = folded;
  }
  if (dae_terminal_is_exceeded(&cli->terminal, text->str)) {
    dae_watchdog_set_paging(cli->watchdog);
    if (dae_terminal_page(text->str, text->len)) {
      return true;
    }
  }
  return dae_cli_write_stdout(text->str, text->len);
}

DaeExit
dae_cli_flush(DaeCli *cli, DaeExit code)
{
  if (cli->out->len == 0) {
    return code;
  }
  g_atomic_int_set(&cli->progress_is_over, 1);
  dae_cli_clear_progress(cli);
  const char *path = dae_cli_output_file(cli);
  bool ok = path != NULL ? dae_cli_write_file(cli, path, cli->out->str, cli->out->len)
                         : write_to_screen(cli);
  g_string_truncate(cli->out, 0);
  return ok ? code : DAE_EXIT_FILE;
}

bool
dae_cli_is_svg(DaeCli *cli, const char *option)
{
  static const char *const others[] = {".png", ".pdf", ".jpg", ".jpeg", ".eps", ".ps", ".gif"};
  const char *path = dae_cli_string(cli, option);
  for (size_t i = 0; path != NULL && i < G_N_ELEMENTS(others); i++) {
    g_autofree char *lower = g_ascii_strdown(path, -1);
    if (g_str_has_suffix(lower, others[i])) {
      dae_cli_usage(cli,
                    "--%s %s: daetool draws SVG; write FILE.svg and convert it, for "
                    "example with rsvg-convert",
                    option, path);
      return false;
    }
  }
  return true;
}

static const char *
help_text(void *user)
{
  (void)user;
  return "showing the help";
}

static void
do_nothing(void *user)
{
  (void)user;
}

bool
dae_cli_show_help(const char *text, gsize length)
{
  DaeTerminal terminal = dae_terminal_look(false);
  bool is_long = dae_terminal_is_exceeded(&terminal, text);
  DaeWatchdogOptions none = {
      .exit_code = DAE_EXIT_UNDECIDED, .reached = help_text, .tick = do_nothing};
  DaeWatchdog *watchdog = dae_watchdog_start(&none);
  if (is_long) {
    dae_watchdog_set_paging(watchdog);
  }
  bool ok = (is_long && dae_terminal_page(text, length)) || dae_cli_write_stdout(text, length);
  dae_watchdog_stop(watchdog);
  return ok;
}

/* --verbose: what each stage took. */
static void
note_stages(DaeCli *cli)
{
  static const char *const names[DAE_STAGE_COUNT] = {"reading",    "structure", "reduction",
                                                     "init check", "start",     "integration"};
  const DaePipeline *pipeline = cli->pipeline;
  g_autoptr(GString) text = g_string_new("seconds:");
  for (int i = 0; pipeline != NULL && i < DAE_STAGE_COUNT; i++) {
    double seconds = dae_pipeline_seconds(pipeline, (DaeStage)i);
    if (seconds > 0) {
      g_string_append_printf(text, " %s %.3f,", names[i], seconds);
    }
  }
  g_string_append_printf(text, " %.3f in all",
                         (double)(g_get_monotonic_time() - cli->started) * 1e-6);
  dae_cli_note(cli, "%s", text->str);
}

static DaeExit
run_command(DaeCli *cli)
{
  if (dae_options_wants_help(cli->options)) {
    g_autoptr(GString) text = g_string_new(NULL);
    dae_help_command(cli->command, text);
    return dae_cli_show_help(text->str, text->len) ? DAE_EXIT_OK : DAE_EXIT_FILE;
  }
  if (dae_options_file(cli->options) == NULL && !cli->command->needs_no_model) {
    return dae_cli_usage(cli, "no model file given; try 'daetool %s --help'",
                         cli->command->name);
  }
  if (cli->command->needs_no_model) {
    start_watchdog(cli);
    return dae_cli_flush(cli, cli->command->run(cli));
  }
  if (!check_limits(cli) || !dae_cli_check_files(cli, dae_options_file(cli->options))) {
    return DAE_EXIT_USAGE;
  }
  dae_init();
  start_watchdog(cli);
  DaeExit code = cli->command->run(cli);
  code = dae_cli_flush(cli, code);
  note_stages(cli);
  return code;
}

DaeExit
dae_frame_run(const DaeCliCommand *command, int n, char **arguments)
{
  g_autofree char *message = NULL;
  DaeCli cli = {.command = command,
                .started = g_get_monotonic_time(),
                .n_arguments = n,
                .arguments = arguments};
  cli.options = dae_options_parse(command, n, arguments, &message);
  if (cli.options == NULL) {
    fprintf(stderr, "daetool %s: %s\n", command->name, message);
    return DAE_EXIT_USAGE;
  }
  pthread_mutex_init(&cli.progress_mutex, NULL);
  cli.out = g_string_new(NULL);
  cli.reporter = (DaeReporter){print_diagnostic, print_progress, &cli};
  set_up_streams(&cli);
  DaeExit code = run_command(&cli);
  dae_watchdog_stop(cli.watchdog);
  dae_cli_clear_progress(&cli);
  pthread_mutex_destroy(&cli.progress_mutex);
  dae_pipeline_free(cli.pipeline);
  dae_input_table_free(cli.input_table);
  g_string_free(cli.out, TRUE);
  dae_options_free(cli.options);
  return code;
}
