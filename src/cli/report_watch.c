/* `daetool report --watch`: another process makes each report, so that nothing of one model is
 * left for the next and a failure of one run is not the end. The page finds a new stamp and
 * loads itself again (report/web/main.js). */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report-priv.h"

#define STAMP "DAETOOL_WATCH_STAMP"

const char *
dae_report_stamp(void)
{
  const char *stamp = g_getenv(STAMP);
  return stamp != NULL && stamp[strspn(stamp, G_CSET_DIGITS)] == '\0' ? stamp : NULL;
}

/* Time, size and identity of the file: editors write in place or put a new file there. */
typedef struct {
  struct timespec time;
  off_t size;
  ino_t inode;
} Trace;

static Trace
trace_of(const char *path)
{
  struct stat now;
  Trace trace = {{0, 0}, 0, 0};
  if (stat(path, &now) == 0) {
    trace = (Trace){now.st_mtim, now.st_size, now.st_ino};
  }
  return trace;
}

static bool
is_same_trace(const Trace *a, const Trace *b)
{
  return a->time.tv_sec == b->time.tv_sec && a->time.tv_nsec == b->time.tv_nsec &&
         a->size == b->size && a->inode == b->inode;
}

/* The same command without --watch. */
static GPtrArray *
make_arguments(DaeCli *cli, const char *program)
{
  GPtrArray *arguments = g_ptr_array_new();
  g_ptr_array_add(arguments, (gpointer)program);
  g_ptr_array_add(arguments, (gpointer) "report");
  for (char **argument = dae_cli_arguments(cli); *argument != NULL; argument++) {
    if (strcmp(*argument, "--watch") != 0) {
      g_ptr_array_add(arguments, *argument);
    }
  }
  g_ptr_array_add(arguments, NULL);
  return arguments;
}

static DaeExit
make_once(DaeCli *cli, guint number)
{
  g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
  g_autoptr(GPtrArray) arguments = make_arguments(cli, program != NULL ? program : "daetool");
  g_autofree char *stamp =
      g_strdup_printf("%" G_GINT64_FORMAT "%03u", g_get_real_time(), number % 1000);
  g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), STAMP, stamp, TRUE);
  GError *error = NULL;
  int status = 0;
  if (!g_spawn_sync(NULL, (char **)arguments->pdata, environment,
                    G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL,
                    &status, &error)) {
    g_autofree char *message = g_strdup(error->message);
    g_clear_error(&error);
    return dae_cli_fail(cli, g_error_new_literal(DAE_ERROR, DAE_ERROR_FILE, message));
  }
  return DAE_EXIT_OK;
}

DaeExit
dae_report_watch(DaeCli *cli)
{
  const char *path = dae_cli_model_file(cli);
  if (strcmp(path, "-") == 0 || !g_file_test(path, G_FILE_TEST_EXISTS)) {
    return dae_cli_usage(cli, "--watch needs the model in a file");
  }
  if (dae_cli_output_file(cli) == NULL) {
    return dae_cli_usage(cli, "--watch needs -o FILE.html");
  }
  dae_watchdog_set_graceful(dae_cli_watchdog(cli), true);
  DaeExit code = DAE_EXIT_OK;
  for (guint number = 0; code == DAE_EXIT_OK && !dae_cli_interrupted(cli); number++) {
    Trace before = trace_of(path);
    Trace now = before;
    code = make_once(cli, number);
    if (!dae_cli_is_quiet(cli) && !dae_cli_interrupted(cli)) {
      g_printerr("daetool report: %s is written; watching %s (Ctrl-C stops)\n",
                 dae_cli_output_file(cli), path);
    }
    while (code == DAE_EXIT_OK && !dae_cli_interrupted(cli) && is_same_trace(&before, &now)) {
      g_usleep(G_USEC_PER_SEC / 5);
      now = trace_of(path);
    }
  }
  return code;
}
