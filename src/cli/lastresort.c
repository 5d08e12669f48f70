#include "cli/lastresort.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_BUG = 70 };

/* Only calls that are allowed in a signal handler. */
static void
say_and_leave(int number)
{
  static const char line[] =
      "daetool: internal error: a library gave up, most likely because memory ran out\n";
  static volatile sig_atomic_t said =
      0; /* a handler has nowhere else to keep it; two threads may end at once */
  (void)number;
  if (__atomic_exchange_n(&said, 1, __ATOMIC_SEQ_CST) == 0) {
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written;
  }
  _exit(EXIT_BUG);
}

void
dae_catch_aborts(void)
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = say_and_leave;
  sigemptyset(&action.sa_mask);
  sigaction(SIGABRT, &action, NULL);
  sigaction(SIGTRAP, &action, NULL); /* g_error */
}
