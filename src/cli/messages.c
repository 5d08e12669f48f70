/* What the user hears during a run: diagnostics, notes, progress, and how errors end it. */
#include "cli/frame-priv.h"

#include <string.h>
#include <unistd.h>

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
void
dae_cli_print_diagnostic(void *user, const DaeDiagnostic *diagnostic)
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
  /* a class that was named on the command line stands in no file */
  bool has_place =
      diagnostic->file != NULL && *diagnostic->file != '\0' && diagnostic->span.line > 0;
  if (has_place) {
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
  if (with_line.source_line == NULL && has_place) {
    line = dae_cli_source_line(cli->pipeline, with_line.file, with_line.span.line);
    with_line.source_line = line;
  }
  if (with_line.source_line != NULL && has_place) {
    dae_cli_append_excerpt(text, &with_line);
  }
  fputs(text->str, stderr);
  if (diagnostic->severity == DAE_FAILURE) {
    cli->error_was_shown = true;
  }
}

/* Is it time for a progress line, `pause` microseconds after the last one? With the mutex held. */
bool
dae_cli_wants_progress(const DaeCli *cli, gint64 now, gint64 pause)
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

void
dae_cli_print_progress(void *user, const char *what, double fraction)
{
  DaeCli *cli = user;
  gint64 now = g_get_monotonic_time();
  pthread_mutex_lock(&cli->progress_mutex);
  if (dae_cli_wants_progress(cli, now, G_USEC_PER_SEC / 10)) {
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

const char *const *
dae_cli_names(const DaeCli *cli)
{
  return dae_options_files(cli->options);
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
