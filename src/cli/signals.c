#include "cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static const struct {
  int number;
  const char *reason;
} ends[] = {
    {SIGINT, "interrupted"},
    {SIGTERM, "terminated"},
    {SIGHUP, "hung up"},
    {SIGXCPU, "the system's limit of processor time reached"},
};

enum { N_ENDS = sizeof ends / sizeof ends[0] };

static bool
is_ignored(int number)
{
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void
dae_signals_fill(sigset_t *signals)
{
  sigemptyset(signals);
  sigaddset(signals, SIGUSR1);
  for (size_t i = 0; i < N_ENDS; i++) {
    if (!is_ignored(ends[i].number)) {
      sigaddset(signals, ends[i].number);
    }
  }
}

const char *
dae_signals_reason(int number)
{
  for (size_t i = 0; i < N_ENDS; i++) {
    if (ends[i].number == number) {
      return ends[i].reason;
    }
  }
  return NULL;
}

/* Opened the wrong way round: reading or writing there is an error,
 * as it is with a closed stream. */
static void
take_places_of_closed_streams(void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
      int got = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
      (void)got; /* the lowest free one, which is fd */
    }
  }
}

void
dae_signals_hold(void)
{
  sigset_t signals;
  dae_signals_fill(&signals);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  take_places_of_closed_streams();
}
