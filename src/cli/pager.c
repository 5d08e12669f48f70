/* The pager, as git and man use it: a shell command that reads the text from a pipe. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/terminal.h"

/* NULL: the user wants none, or there is none and none was named. */
static const char *
pager_command(void)
{
  const char *command = g_getenv("DAETOOL_PAGER");
  command = command != NULL ? command : g_getenv("PAGER");
  if (command == NULL) {
    g_autofree char *path = g_find_program_in_path("less");
    return path != NULL ? "less" : NULL;
  }
  return command[0] == '\0' || strcmp(command, "cat") == 0 ? NULL : command;
}

/* less ends by itself on one screen (F), passes colours on (R) and leaves the text on the
 * screen (X), unless the user's own settings say otherwise. */
static char **
pager_environment(void)
{
  char **environment = g_get_environ();
  environment = g_environ_setenv(environment, "LESS", "FRX", FALSE);
  environment = g_environ_setenv(environment, "LESSCHARSET", "utf-8", FALSE);
  return g_environ_setenv(environment, "LV", "-c", FALSE);
}

/* The shell with its standard input at the pipe and the signals as a program expects
 * them; 0: it could not be started. */
static pid_t
start_pager(const char *command, const int ends[2])
{
  g_auto(GStrv) environment = pager_environment();
  const char *const arguments[] = {"sh", "-c", command, NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigset_t defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ);
  sigaddset(&defaults, SIGINT);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  pid_t pid = 0;
  if (posix_spawn(&pid, "/bin/sh", &files, &attributes, (char *const *)arguments,
                  environment) != 0) {
    pid = 0;
  }
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return pid;
}

/* An end of reading before the end of the text is the user's choice. */
static void
feed_pager(int fd, const char *text, gsize length)
{
  while (length > 0) {
    ssize_t written = write(fd, text, length);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return;
    }
    text += written;
    length -= (gsize)written;
  }
}

bool
dae_terminal_page(const char *text, gsize length)
{
  const char *command = pager_command();
  int ends[2];
  if (command == NULL || pipe2(ends, O_CLOEXEC) != 0) {
    return false;
  }
  pid_t pid = start_pager(command, ends);
  close(ends[0]);
  if (pid != 0) {
    feed_pager(ends[1], text, length);
  }
  close(ends[1]);
  int status = 0;
  while (pid != 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    continue;
  }
  bool not_found =
      WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127);
  return pid != 0 && !not_found;
}
