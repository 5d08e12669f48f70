#include "cli/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

struct DaeOutFile {
  char *path;
  char *temporary; /* NULL: written in place */
  FILE *stream;
  int error_code; /* errno of the first dae_outfile_write that failed */
};

static void
set_error(GError **error, const char *what, const char *path, int code)
{
  g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "%s: %s: %s", path, what, g_strerror(code));
}

static void
outfile_free(DaeOutFile *file)
{
  g_free(file->path);
  g_free(file->temporary);
  g_free(file);
}

/* So that renaming replaces the file that links point to and not the link. A loop of links ends
 * as a path that cannot be written. */
char *
dae_outfile_resolve(const char *path)
{
  char *real = realpath(path, NULL);
  if (real != NULL) {
    char *copy = g_strdup(real);
    free(real);
    return copy;
  }
  char *at = g_strdup(path);
  for (int links = 0; links < 40; links++) {
    g_autofree char *target = g_file_read_link(at, NULL);
    if (target == NULL) {
      break;
    }
    g_autofree char *folder = g_path_get_dirname(at);
    char *next =
        g_path_is_absolute(target) ? g_strdup(target) : g_build_filename(folder, target, NULL);
    g_free(at);
    at = next;
  }
  return at;
}

/* /dev/stdout, /dev/fd/N and their like: not a name of what is behind them, which may be
 * half of a longer text (`>> log`), but an open stream. Its number if it is one of this
 * process, else -1; is_stream tells. */
static int
open_stream_of(const char *path, bool *is_stream)
{
  g_autofree char *at = g_strdup(path);
  g_autofree char *own = g_strdup_printf("/proc/%d/fd", (int)getpid());
  *is_stream = false;
  for (int links = 0; links < 40; links++) {
    g_autofree char *folder = g_path_get_dirname(at);
    char *real = realpath(folder, NULL);
    *is_stream =
        real != NULL && g_str_has_prefix(real, "/proc/") && g_str_has_suffix(real, "/fd");
    bool is_own = *is_stream && strcmp(real, own) == 0;
    free(real);
    if (*is_stream) {
      g_autofree char *number = g_path_get_basename(at);
      bool is_number = g_ascii_isdigit(number[0]);
      return is_own && is_number ? (int)g_ascii_strtoll(number, NULL, 10) : -1;
    }
    char *target = g_file_read_link(at, NULL);
    if (target == NULL) {
      return -1;
    }
    char *next =
        g_path_is_absolute(target) ? g_strdup(target) : g_build_filename(folder, target, NULL);
    g_free(target);
    g_free(at);
    at = next;
  }
  return -1;
}

static FILE *
open_in_place(const char *path, bool is_stream, int fd)
{
  if (!is_stream) {
    return g_fopen(path, "we");
  }
  int copy = fd >= 0 ? dup(fd) : g_open(path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
  return copy >= 0 ? fdopen(copy, "w") : NULL;
}

bool
dae_outfile_is_replaced(const char *path)
{
  struct stat status;
  bool is_stream = false;
  open_stream_of(path, &is_stream);
  return !is_stream && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

static FILE *
open_temporary(DaeOutFile *file, mode_t mode)
{
  file->temporary = g_strdup_printf("%s.XXXXXX", file->path);
  int fd = g_mkstemp_full(file->temporary, O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0) {
    return NULL;
  }
  if (fchmod(fd, mode) != 0) { /* not fatal: the file is then private to its owner */
    errno = 0;
  }
  return fdopen(fd, "w");
}

DaeOutFile *
dae_outfile_open(const char *path, GError **error)
{
  DaeOutFile *file = g_new0(DaeOutFile, 1);
  bool is_stream = false;
  int fd = open_stream_of(path, &is_stream);
  file->path = is_stream ? g_strdup(path) : dae_outfile_resolve(path);
  struct stat status;
  bool exists = stat(file->path, &status) == 0;
  bool is_loop = !exists && errno == ELOOP;
  if (is_loop || (exists && S_ISDIR(status.st_mode))) {
    set_error(error, "cannot write", path, is_loop ? ELOOP : EISDIR);
    outfile_free(file);
    return NULL;
  }
  if (is_stream || (exists && !S_ISREG(status.st_mode))) {
    file->stream = open_in_place(file->path, is_stream, fd);
  } else {
    mode_t mask = umask(0);
    umask(mask);
    file->stream = open_temporary(file, exists ? status.st_mode & 0777 : 0666 & ~mask);
  }
  if (file->stream == NULL) {
    set_error(error, "cannot write", path, errno);
    if (file->temporary != NULL) {
      g_unlink(file->temporary);
    }
    outfile_free(file);
    return NULL;
  }
  return file;
}

FILE *
dae_outfile_stream(DaeOutFile *file)
{
  return file->stream;
}

const char *
dae_outfile_temporary(const DaeOutFile *file)
{
  return file->temporary;
}

void
dae_outfile_write(DaeOutFile *file, const char *text, gsize length)
{
  errno = 0;
  if (fwrite(text, 1, length, file->stream) != length && file->error_code == 0) {
    file->error_code = errno;
  }
}

bool
dae_outfile_commit(DaeOutFile *file, GError **error)
{
  errno = 0;
  bool ok = fflush(file->stream) == 0 && ferror(file->stream) == 0;
  int code = file->error_code != 0 ? file->error_code : errno;
  if (fclose(file->stream) != 0 && ok) {
    ok = false;
    code = errno;
  }
  if (ok && file->temporary != NULL && g_rename(file->temporary, file->path) != 0) {
    ok = false;
    code = errno;
  }
  if (!ok) {
    if (file->temporary != NULL) {
      g_unlink(file->temporary);
    }
    set_error(error, "cannot write", file->path, code != 0 ? code : EIO);
  }
  outfile_free(file);
  return ok;
}

void
dae_outfile_abandon(DaeOutFile *file)
{
  if (file == NULL) {
    return;
  }
  fclose(file->stream);
  if (file->temporary != NULL) {
    g_unlink(file->temporary);
  }
  outfile_free(file);
}
