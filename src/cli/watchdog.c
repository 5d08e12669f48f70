#include "cli/watchdog.h"

#include <glib.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct DaeWatchdog {
  DaeWatchdogOptions options;
  GThread *thread;
  pthread_mutex_t mutex; /* of POSIX, not of GLib: ThreadSanitizer sees it */
  gint ending;           /* atomic: the command is done */
  gint graceful;         /* atomic */
  gint finishing;        /* atomic */
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
  fprintf(stderr, "%sdaetool: %s while %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "",
          watchdog->reason, watchdog->options.reached(watchdog->options.user));
  fflush(stderr);
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

static gpointer
watch(gpointer data)
{
  DaeWatchdog *watchdog = data;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1); /* from dae_watchdog_stop: wake up */
  struct timespec wait = {.tv_sec = 0, .tv_nsec = 20000000};
  while (g_atomic_int_get(&watchdog->ending) == 0) {
    int got = sigtimedwait(&signals, NULL, &wait);
    if (got == SIGINT || got == SIGTERM) {
      fire(watchdog, got == SIGINT ? "interrupted" : "terminated");
    }
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
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
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
dae_watchdog_set_temporary(DaeWatchdog *watchdog, const char *path)
{
  pthread_mutex_lock(&watchdog->mutex);
  g_free(watchdog->temporary);
  watchdog->temporary = g_strdup(path);
  pthread_mutex_unlock(&watchdog->mutex);
}

const char *
dae_watchdog_fired(const DaeWatchdog *watchdog)
{
  return g_atomic_int_get(&watchdog->fired) != 0 ? watchdog->reason : NULL;
}
