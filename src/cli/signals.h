/* What the world sends to the process, from the first statement of main on.
 *
 * SIGINT, SIGTERM, SIGHUP and SIGXCPU are held back until the watchdog takes them, so that no
 * moment exists at which they kill; those that were ignored when the program was started (nohup, a
 * job in the background of a script) stay ignored. SIGPIPE and SIGXFSZ become errors of write. */
#ifndef DAE_CLI_SIGNALS_H
#define DAE_CLI_SIGNALS_H

#include <signal.h>

/* The first thing of all: holds the signals back in this thread and those made later, and takes
 * the places of closed standard streams, so that no file opened later is taken for one of them. */
void dae_signals_hold(void);
/* The signals that end a command and SIGUSR1, which wakes the watchdog. */
void dae_signals_fill(sigset_t *signals);
/* Why the command ends, for the message; NULL: this signal ends none. */
const char *dae_signals_reason(int number);

#endif
