#include "cli/watchdog.h"

#include <glib.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/signals.h"

struct DaeWatchdog {
  DaeWatchdogOptions options;
  GThread *thread;
  pthread_mutex_t mutex; /* of POSIX, not of GLib: ThreadSanitizer sees it */
  gint ending;           /* atomic: the command is done */
  gint graceful;         /* atomic */
  gint finishing;        /* atomic */
  gint paging;           /* atomic */
  char *temporary;       /* guarded by mutex; a copy */
  char reason[96];       /* written once, before fired is set */
  gint fired;            /* atomic */
  gint64 start, fired_at;
};

static double
resident_mib(void)
{
  unsigned long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "re");
  if (statm != NULL) {
    if (fscanf(statm, "%*s %lu", &pages) != 1) {
      pages = 0;
    }
    fclose(statm);
  }
  return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1024.0 * 1024.0);
}

/* Ends the process: nothing but this line, the temporary file's removal and the exit code. */
static void
end_process(DaeWatchdog *watchdog)
{
  pthread_mutex_lock(&watchdog->mutex);
  if (watchdog->temporary != NULL) {
    unlink(watchdog->temporary);
  }
  char line[256];
  g_snprintf(line, sizeof line, "%sdaetool: %s while %s\n",
             isatty(STDERR_FILENO) ? "\r\033[K" : "", watchdog->reason,
             watchdog->options.reached(watchdog->options.user));
  /* not through stdio, whose lock another thread may hold while nobody reads what it writes */
  struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
  if (poll(&room, 1, 200) == 1) {
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
  }
  _Exit(watchdog->options.exit_code);
}

static void
fire(DaeWatchdog *watchdog, const char *reason)
{
  bool again = g_atomic_int_get(&watchdog->fired) != 0;
  if (!again) {
    g_strlcpy(watchdog->reason, reason, sizeof watchdog->reason);
    watchdog->fired_at = g_get_monotonic_time();
    g_atomic_int_set(&watchdog->fired, 1);
  }
  if (again || g_atomic_int_get(&watchdog->graceful) == 0) {
    end_process(watchdog);
  }
}

static void
look_at_limits(DaeWatchdog *watchdog)
{
  const DaeWatchdogOptions *limits = &watchdog->options;
  gint64 now = g_get_monotonic_time();
  char reason[96];
  if (g_atomic_int_get(&watchdog->paging) != 0) {
    return; /* the work is done; a reader takes the time he likes */
  }
  if (g_atomic_int_get(&watchdog->fired) != 0) {
    if (now - watchdog->fired_at > 2 * (gint64)G_USEC_PER_SEC &&
        g_atomic_int_get(&watchdog->finishing) == 0) {
      end_process(watchdog);
    }
    return;
  }
  if (limits->max_seconds > 0 && (double)(now - watchdog->start) > limits->max_seconds * 1e6) {
    g_snprintf(reason, sizeof reason, "time limit of %g s reached", limits->max_seconds);
    fire(watchdog, reason);
  } else if (limits->max_mib > 0 && resident_mib() > limits->max_mib) {
    g_snprintf(reason, sizeof reason, "memory limit of %g MiB reached", limits->max_mib);
    fire(watchdog, reason);
  }
}

static void
take_signal(DaeWatchdog *watchdog, int got)
{
  const char *reason = dae_signals_reason(got);
  bool is_of_pager = got == SIGINT && g_atomic_int_get(&watchdog->paging) != 0;
  bool is_repeated =
      got == SIGXCPU && g_atomic_int_get(&watchdog->fired) != 0; /* each second */
  if (reason != NULL && !is_of_pager && !is_repeated) {
    fire(watchdog, reason);
  }
}

static gpointer
watch(gpointer data)
{
  DaeWatchdog *watchdog = data;
  sigset_t signals;
  dae_signals_fill(&signals);
  struct timespec wait = {.tv_sec = 0, .tv_nsec = 20000000};
  while (g_atomic_int_get(&watchdog->ending) == 0) {
    take_signal(watchdog, sigtimedwait(&signals, NULL, &wait));
    look_at_limits(watchdog);
    watchdog->options.tick(watchdog->options.user);
  }
  return NULL;
}

DaeWatchdog *
dae_watchdog_start(const DaeWatchdogOptions *options)
{
  DaeWatchdog *watchdog = g_new0(DaeWatchdog, 1);
  watchdog->options = *options;
  watchdog->start = g_get_monotonic_time();
  pthread_mutex_init(&watchdog->mutex, NULL);
  watchdog->thread = g_thread_new("watchdog", watch, watchdog);
  return watchdog;
}

void
dae_watchdog_stop(DaeWatchdog *watchdog)
{
  if (watchdog == NULL) {
    return;
  }
  g_atomic_int_set(&watchdog->ending, 1);
  kill(getpid(), SIGUSR1); /* blocked everywhere: taken by the waiting thread */
  g_thread_join(watchdog->thread);
  pthread_mutex_destroy(&watchdog->mutex);
  g_free(watchdog->temporary);
  g_free(watchdog);
}

void
dae_watchdog_set_graceful(DaeWatchdog *watchdog, bool graceful)
{
  g_atomic_int_set(&watchdog->graceful, graceful);
}

void
dae_watchdog_set_finishing(DaeWatchdog *watchdog)
{
  g_atomic_int_set(&watchdog->finishing, 1);
}

void
dae_watchdog_set_paging(DaeWatchdog *watchdog)
{
  g_atomic_int_set(&watchdog->graceful, 0);
  g_atomic_int_set(&watchdog->paging, 1);
}

void
dae_watchdog_hold(DaeWatchdog *watchdog)
{
  pthread_mutex_lock(&watchdog->mutex);
}

void
dae_watchdog_release(DaeWatchdog *watchdog, const char *temporary)
{
  g_free(watchdog->temporary);
  watchdog->temporary = g_strdup(temporary);
  pthread_mutex_unlock(&watchdog->mutex);
}

void
dae_watchdog_set_temporary(DaeWatchdog *watchdog, const char *path)
{
  dae_watchdog_hold(watchdog);
  dae_watchdog_release(watchdog, path);
}

const char *
dae_watchdog_fired(const DaeWatchdog *watchdog)
{
  return g_atomic_int_get(&watchdog->fired) != 0 ? watchdog->reason : NULL;
}
