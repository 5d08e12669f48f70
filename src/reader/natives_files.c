/* Messages and files: what Modelica.Utilities asks of C. What changes files is done by a run only: in
 * a when-clause when that is active, elsewhere once at its start (instant/files.c). */
#include "lang/lang.h"
#include "reader/natives.h"

#include <string.h>

#include "terms/message.h"

static bool
set_text(DaeForeign *call, uint32_t i, const char *text, size_t length)
{
  return dae_foreign_set(
      call, i,
      dae_value_scalar(DAE_VALUE_STRING, dae_names_intern(call->reader->names, text, length)));
}

/* print(text, file): in a when-clause when that is active, to a file at the start of a run, and
 * else at translation. */
static bool
run_print(DaeForeign *call)
{
  const char *text = dae_foreign_message(call, 0);
  const char *file = call->n > 1 && call->arguments[1].type == DAE_VALUE_STRING
                         ? dae_foreign_text(call, 1)
                         : "";
  if (text == NULL || file == NULL) {
    return false;
  }
  const char *message = dae_names_text(call->reader->names, call->arguments[0].term);
  if (!dae_when_file(call->reader, DAE_FILE_PRINT, message, file, call->pos) &&
      !call->reader->is_structural) {
    dae_source_note(call->reader->source, call->pos, "%s", text);
  }
  return true;
}

static bool
run_error(DaeForeign *call)
{
  const char *text = dae_foreign_message(call, 0);
  return text != NULL && dae_equations_fail(call->reader, text, call->pos);
}

static bool
run_full_path(DaeForeign *call)
{
  const char *text = dae_foreign_text(call, 0);
  if (text == NULL) {
    return false;
  }
  g_autofree char *path = dae_library_full_path(call->reader->library, text);
  return dae_foreign_return_text(call, path, -1);
}

/* 1 ... 4: none, regular, directory, special, as Modelica.Utilities.Types.FileType. */
static bool
run_stat(DaeForeign *call)
{
  const char *path = dae_foreign_text(call, 0);
  if (path == NULL) {
    return false;
  }
  int64_t kind = !g_file_test(path, G_FILE_TEST_EXISTS)      ? 1
                 : g_file_test(path, G_FILE_TEST_IS_REGULAR) ? 2
                 : g_file_test(path, G_FILE_TEST_IS_DIR)     ? 3
                                                             : 4;
  return dae_foreign_return_integer(call, kind);
}

static bool
run_getcwd(DaeForeign *call)
{
  g_autofree char *path = g_get_current_dir();
  return dae_foreign_return_text(call, path, -1);
}

/* getenv(name, convert, content, exist) */
static bool
run_getenv(DaeForeign *call)
{
  const char *name = dae_foreign_text(call, 0);
  const char *value = name != NULL ? g_getenv(name) : NULL;
  return name != NULL &&
         set_text(call, 2, value != NULL ? value : "", value ? strlen(value) : 0) &&
         dae_foreign_set(call, 3,
                         dae_value_scalar(DAE_VALUE_BOOLEAN,
                                          dae_term_bool(call->reader->terms, value != NULL)));
}

/* The lines of a file without their ends; NULL: reported. */
static char **
read_lines(DaeForeign *call, uint32_t *n)
{
  const char *path = dae_foreign_text(call, 0);
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;
  if (path == NULL) {
    return NULL;
  }
  if (!g_file_get_contents(path, &text, NULL, &error)) {
    dae_foreign_fail(call, error->message);
    return NULL;
  }
  char **lines = g_strsplit(text, "\n", -1);
  *n = g_strv_length(lines);
  *n -= *n > 0 && *lines[*n - 1] == '\0' ? 1 : 0;
  return lines;
}

static bool
run_count_lines(DaeForeign *call)
{
  uint32_t n = 0;
  g_auto(GStrv) lines = read_lines(call, &n);
  return lines != NULL && dae_foreign_return_integer(call, n);
}

/* readLine(file, number, endOfFile) */
static bool
run_read_line(DaeForeign *call)
{
  uint32_t n = 0;
  int64_t number = 0;
  g_auto(GStrv) lines = read_lines(call, &n);
  if (lines == NULL || !dae_foreign_integer(call, 1, &number)) {
    return false;
  }
  bool is_there = number >= 1 && number <= (int64_t)n;
  return dae_foreign_set(call, 2,
                         dae_value_scalar(DAE_VALUE_BOOLEAN,
                                          dae_term_bool(call->reader->terms, !is_there))) &&
         dae_foreign_return_text(call, is_there ? lines[number - 1] : "", -1);
}

/* readFile(file, lines, n) */
static bool
run_read_file(DaeForeign *call)
{
  uint32_t n = 0;
  g_auto(GStrv) lines = read_lines(call, &n);
  if (lines == NULL) {
    return false;
  }
  DaeTerm *data = dae_value_new_data(call->reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    data[k] = dae_names_intern(call->reader->names, lines[k], strlen(lines[k]));
  }
  return dae_foreign_set(call, 1,
                         dae_value_array(call->reader, DAE_VALUE_STRING, 1, &n, data, n));
}

static bool
run_nothing(DaeForeign *call)
{
  (void)call;
  return true;
}

/* ---- what changes files ------------------------------------------------------------------ */

static bool
act(DaeForeign *call, DaeFileAct kind, const char *text, const char *path)
{
  DaeReader *reader = call->reader;
  if (reader->is_structural) {
    return dae_foreign_fail(call, "sizes and structure cannot depend on what a run writes");
  }
  return dae_when_file(reader, kind, text, path, call->pos) ||
         dae_foreign_fail(call, *path == '\0' ? "the name of the file is empty"
                                              : "a loop at run time cannot change files");
}

static bool
act_on_path(DaeForeign *call, DaeFileAct kind)
{
  const char *path = dae_foreign_text(call, 0);
  return path != NULL && act(call, kind, "", path);
}

static bool
act_on_two(DaeForeign *call, DaeFileAct kind)
{
  const char *from = dae_foreign_text(call, 0);
  const char *to = from != NULL ? dae_foreign_text(call, 1) : NULL;
  return to != NULL && act(call, kind, to, from);
}

static bool
run_mkdir(DaeForeign *call)
{
  return act_on_path(call, DAE_FILE_MKDIR);
}

static bool
run_rmdir(DaeForeign *call)
{
  return act_on_path(call, DAE_FILE_RMDIR);
}

static bool
run_remove(DaeForeign *call)
{
  return act_on_path(call, DAE_FILE_REMOVE);
}

static bool
run_rename(DaeForeign *call)
{
  return act_on_two(call, DAE_FILE_RENAME);
}

static bool
run_copy(DaeForeign *call)
{
  return act_on_two(call, DAE_FILE_COPY);
}

/* The values row by row, with all their digits. */
static void
append_values(DaeForeign *call, GString *text, const DaeValue *matrix)
{
  const DaeTextFormat format = {.kind = DAE_TEXT_REAL, .digits = 17, .form = ".17g"};
  for (uint32_t k = 0; k < matrix->count; k++) {
    DaeTerm t = dae_value_scalar_at(matrix, k);
    if (dae_term_is_number(call->reader->terms, t)) {
      dae_text_append(text, &format, dae_term_get_double(call->reader->terms, t));
    } else {
      dae_message_append_value(text, t, &format);
    }
    g_string_append_c(text, ' ');
  }
}

/* In C a Boolean is 0 or 1. */
static bool
take_flag(DaeForeign *call, uint32_t i, bool *flag)
{
  int64_t number = 0;
  if (call->arguments[i].type == DAE_VALUE_BOOLEAN) {
    return dae_foreign_boolean(call, i, flag);
  }
  bool good = dae_foreign_integer(call, i, &number);
  *flag = number != 0;
  return good;
}

/* done = writeRealMatrix(file, name, matrix, rows, columns, append, version): true, or the run ends
 * with the reason. */
static bool
run_write_matrix(DaeForeign *call)
{
  const char *path = dae_foreign_text(call, 0);
  const char *name = path != NULL ? dae_foreign_text(call, 1) : NULL;
  const char *version = name != NULL ? dae_foreign_text(call, 6) : NULL;
  const DaeValue *matrix = &call->arguments[2];
  bool is_appended = false;
  if (version == NULL || !take_flag(call, 5, &is_appended)) {
    return false;
  }
  if (*name == '\0' ||
      (strcmp(version, "4") != 0 && strcmp(version, "6") != 0 && strcmp(version, "7") != 0)) {
    return dae_foreign_fail(call, *name == '\0'
                                      ? "the matrix has no name"
                                      : "the version of the file is \"4\", \"6\" or \"7\"");
  }
  if (matrix->n_dims != 2 || matrix->opaque || matrix->type > DAE_VALUE_INTEGER) {
    return dae_foreign_fail(call, "its third argument is no matrix of numbers");
  }
  g_autoptr(GString) text = g_string_new(version);
  g_string_append_printf(text, " %d %u %u ", is_appended ? 1 : 0, matrix->dims[0],
                         matrix->dims[1]);
  append_values(call, text, matrix);
  g_string_append(text, name);
  return act(call, DAE_FILE_MATRIX, text->str, path) &&
         dae_foreign_return(call, dae_value_scalar(DAE_VALUE_BOOLEAN,
                                                   dae_term_bool(call->reader->terms, true)));
}

/* As show prints the call above: its text, and the file. */
static bool
run_write_matrix_text(DaeForeign *call)
{
  const char *path = dae_foreign_message(call, 0) != NULL ? dae_foreign_text(call, 1) : NULL;
  return path != NULL &&
         act(call, DAE_FILE_MATRIX,
             dae_names_text(call->reader->names, call->arguments[0].term), path);
}

const DaeForeignEntry dae_foreign_files[] = {
    {"daetool_writeMatrix", 2, run_write_matrix_text},
    {"ModelicaInternal_print", 1, run_print},
    {"ModelicaError", 1, run_error},
    {"ModelicaInternal_fullPathName", 1, run_full_path},
    {"ModelicaInternal_stat", 1, run_stat},
    {"ModelicaInternal_getcwd", 0, run_getcwd},
    {"ModelicaInternal_getenv", 4, run_getenv},
    {"ModelicaInternal_countLines", 1, run_count_lines},
    {"ModelicaInternal_readLine", 3, run_read_line},
    {"ModelicaInternal_readFile", 3, run_read_file},
    {"ModelicaInternal_mkdir", 1, run_mkdir},
    {"ModelicaInternal_rmdir", 1, run_rmdir},
    {"ModelicaInternal_removeFile", 1, run_remove},
    {"ModelicaInternal_rename", 2, run_rename},
    {"ModelicaInternal_copyFile", 2, run_copy},
    {"ModelicaStreams_closeFile", 1, run_nothing},
    {"ModelicaIO_writeRealMatrix", 7, run_write_matrix},
    {NULL, 0, NULL},
};
