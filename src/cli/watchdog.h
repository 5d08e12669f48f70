/* One thread that waits for the signals that end a command (signals.h) and looks at
 * the limits of time and memory.
 *
 * A command that keeps partial results (simulate) announces it with dae_watchdog_set_graceful:
 * it is then only told, through dae_watchdog_fired, and ends by itself; a second signal, or two
 * seconds without an end, ends the process. Other commands are ended at once: one line that
 * says why and what was reached, temporary files removed, the given exit code. */
#ifndef DAE_CLI_WATCHDOG_H
#define DAE_CLI_WATCHDOG_H

#include <stdbool.h>

typedef struct DaeWatchdog DaeWatchdog;

typedef struct {
  double max_seconds; /* 0: none */
  double max_mib;     /* 0: none */
  int exit_code;
  const char *(*reached)(void *user); /* what the process was doing, for the message */
  void (*tick)(void *user);           /* some fifty times a second, in the watchdog's thread */
  void *user;
} DaeWatchdogOptions;

/* After dae_signals_hold. */
DaeWatchdog *dae_watchdog_start(const DaeWatchdogOptions *options);
void dae_watchdog_stop(DaeWatchdog *watchdog); /* NULL is fine */
void dae_watchdog_set_graceful(DaeWatchdog *watchdog, bool graceful);
/* The results are being completed, which takes its time when they are long: no end after two
 * seconds; a second signal still ends. */
void dae_watchdog_set_finishing(DaeWatchdog *watchdog);
/* The result is on its way to the pager: SIGINT is the pager's, limits are over,
 * other signals end the process. */
void dae_watchdog_set_paging(DaeWatchdog *watchdog);
/* No end of the process between the two: a temporary file is made, and known. For short moments. */
void dae_watchdog_hold(DaeWatchdog *watchdog);
void dae_watchdog_release(DaeWatchdog *watchdog, const char *temporary);
/* A file to remove when the process is ended; NULL: none. */
void dae_watchdog_set_temporary(DaeWatchdog *watchdog, const char *path);
/* NULL while all is well, else why the command should end: "interrupted",
 * "time limit of 3 s reached", ... */
const char *dae_watchdog_fired(const DaeWatchdog *watchdog);

#endif
