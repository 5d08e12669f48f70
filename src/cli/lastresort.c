#include "cli/lastresort.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_BUG = 70 };

/* Only calls that are allowed in a signal handler. */
static void
say_and_leave(int number)
{
  static const char gave_up[] =
      "daetool: internal error: a library gave up, most likely because memory ran out\n";
  static const char crashed[] =
      "daetool: internal error: invalid memory access: the stack is too small, or this is a "
      "bug\n";
  static volatile sig_atomic_t said =
      0; /* a handler has nowhere else to keep it; two threads may end at once */
  bool is_crash = number == SIGSEGV || number == SIGBUS;
  if (__atomic_exchange_n(&said, 1, __ATOMIC_SEQ_CST) == 0) {
    ssize_t written = is_crash ? write(STDERR_FILENO, crashed, sizeof crashed - 1)
                               : write(STDERR_FILENO, gave_up, sizeof gave_up - 1);
    (void)written;
  }
  _exit(EXIT_BUG);
}

/* A sanitizer has its own handler, which says more. */
static bool
is_free(int number)
{
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL;
}

void
dae_catch_aborts(void)
{
  static char reserve[1 << 14]; /* where the handler runs when the stack is used up */
  stack_t other = {.ss_sp = reserve, .ss_size = sizeof reserve};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = say_and_leave;
  sigemptyset(&action.sa_mask);
  sigaction(SIGABRT, &action, NULL);
  sigaction(SIGTRAP, &action, NULL); /* g_error */
  if (is_free(SIGSEGV) && is_free(SIGBUS) && sigaltstack(&other, NULL) == 0) {
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
  }
}
