#include "cli/frame-priv.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "report/typeset.h"

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
  if (!cli->progress_is_exact && dae_cli_wants_progress(cli, now, G_USEC_PER_SEC)) {
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
  cli.reporter = (DaeReporter){dae_cli_print_diagnostic, dae_cli_print_progress, &cli};
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
