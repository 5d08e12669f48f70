/* What the functions of a model do to files: Modelica.Utilities.Streams and Files. A file is written
 * completely or not at all (g_file_set_contents: a temporary file that is renamed); only print()
 * appends to what is there. */
#include "instant/instant-priv.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>

static bool
fail_with(int why, GError **error)
{
  g_set_error_literal(error, DAE_ERROR, DAE_ERROR_NUMERIC, g_strerror(why));
  return false;
}

static bool
append_line(const char *path, const char *text, GError **error)
{
  FILE *file = fopen(path, "a");
  bool good = file != NULL && fprintf(file, "%s\n", text) >= 0;
  int why = errno;
  if (file != NULL && fclose(file) != 0 && good) {
    why = errno;
    good = false;
  }
  return good || fail_with(why, error);
}

static bool
write_matrix(const char *path, const char *text, GError **error)
{
  GByteArray *bytes = dae_instant_matrix_file(path, text, error);
  bool good = bytes != NULL &&
              g_file_set_contents(path, (const char *)bytes->data, (gssize)bytes->len, error);
  if (bytes != NULL) {
    g_byte_array_unref(bytes);
  }
  return good;
}

static bool
copy(const char *from, const char *to, GError **error)
{
  g_autofree char *bytes = NULL;
  gsize n = 0;
  return g_file_get_contents(from, &bytes, &n, error) &&
         g_file_set_contents(to, bytes, (gssize)n, error);
}

/* A folder that is there already is as good as a new one. */
static bool
make_folder(const char *path, GError **error)
{
  return g_mkdir(path, 0777) == 0 || g_file_test(path, G_FILE_TEST_IS_DIR) ||
         fail_with(errno, error);
}

bool
dae_instant_act_on_file(DaeFileAct act, const char *path, const char *text, GError **error)
{
  switch (act) {
  case DAE_FILE_PRINT:
    return append_line(path, text, error);
  case DAE_FILE_MATRIX:
    return write_matrix(path, text, error);
  case DAE_FILE_MKDIR:
    return make_folder(path, error);
  case DAE_FILE_RMDIR:
    return g_rmdir(path) == 0 || fail_with(errno, error);
  case DAE_FILE_REMOVE:
    return g_remove(path) == 0 || fail_with(errno, error);
  case DAE_FILE_RENAME:
    return g_rename(path, text) == 0 || fail_with(errno, error);
  case DAE_FILE_COPY:
    return copy(path, text, error);
  }
  return true;
}

const char *
dae_instant_file_verb(DaeFileAct act)
{
  switch (act) {
  case DAE_FILE_MKDIR:
    return "make the folder";
  case DAE_FILE_RMDIR:
  case DAE_FILE_REMOVE:
    return "remove";
  case DAE_FILE_RENAME:
    return "rename";
  case DAE_FILE_COPY:
    return "copy";
  case DAE_FILE_PRINT:
  case DAE_FILE_MATRIX:
    break;
  }
  return "write";
}
