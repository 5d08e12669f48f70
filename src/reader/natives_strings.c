/* Texts, messages and files: what Modelica.Utilities asks of C. Positions count bytes from 1. */
#include "lang/lang.h"
#include "reader/natives.h"

#include <string.h>

static bool
run_length(DaeForeign *call)
{
  const char *text = dae_foreign_text(call, 0);
  return text != NULL && dae_foreign_return_integer(call, (int64_t)strlen(text));
}

static bool
run_substring(DaeForeign *call)
{
  const char *text = dae_foreign_text(call, 0);
  int64_t from = 0;
  int64_t to = 0;
  if (text == NULL || !dae_foreign_integer(call, 1, &from) ||
      !dae_foreign_integer(call, 2, &to)) {
    return false;
  }
  int64_t length = (int64_t)strlen(text);
  from = MAX(from, 1);
  to = MIN(to, length);
  g_autofree char *part =
      to < from ? g_strdup("") : g_strndup(text + from - 1, (size_t)(to - from + 1));
  return dae_foreign_return_text(call, part, -1);
}

/* 1, 2, 3: less, equal, greater, as Modelica.Utilities.Types.Compare. */
static bool
run_compare(DaeForeign *call)
{
  const char *a = dae_foreign_text(call, 0);
  const char *b = dae_foreign_text(call, 1);
  bool is_sensitive = true;
  if (a == NULL || b == NULL || !dae_foreign_boolean(call, 2, &is_sensitive)) {
    return false;
  }
  int order = is_sensitive ? strcmp(a, b) : g_ascii_strcasecmp(a, b);
  return dae_foreign_return_integer(call, order < 0 ? 1 : order == 0 ? 2 : 3);
}

/* Partow's hash of the bytes, as the C function of the Modelica Standard Library has it: seeds
 * of random numbers are made of it. */
static bool
run_hash(DaeForeign *call)
{
  const char *text = dae_foreign_text(call, 0);
  uint32_t hash = UINT32_C(0xaaaaaaaa);
  for (uint32_t i = 0; text != NULL && text[i] != '\0'; i++) {
    uint32_t byte = (unsigned char)text[i];
    hash ^=
        i % 2 == 0 ? (hash << 7) ^ byte * (hash >> 3) : ~((hash << 11) + (byte ^ hash >> 5));
  }
  return text != NULL && dae_foreign_return_integer(call, (int32_t)hash);
}

static bool
text_and_start(DaeForeign *call, const char **text, size_t *at)
{
  int64_t start = 0;
  *text = dae_foreign_text(call, 0);
  if (*text == NULL || !dae_foreign_integer(call, 1, &start)) {
    return false;
  }
  size_t length = strlen(*text);
  *at = start < 1 ? 0 : MIN((size_t)start - 1, length);
  return true;
}

static size_t
skip_white(const char *text, size_t at)
{
  while (g_ascii_isspace(text[at])) {
    at++;
  }
  return at;
}

static bool
run_skip(DaeForeign *call)
{
  const char *text = NULL;
  size_t at = 0;
  return text_and_start(call, &text, &at) &&
         dae_foreign_return_integer(call, (int64_t)skip_white(text, at) + 1);
}

static bool
set_index(DaeForeign *call, uint32_t i, size_t at)
{
  return dae_foreign_set(
      call, i,
      dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, (int64_t)at + 1)));
}

/* scanReal, scanInteger(string, start, unsigned, next, number): next = start if there is none. */
static bool
scan_number(DaeForeign *call, bool is_integer)
{
  const char *text = NULL;
  size_t start = 0;
  bool is_unsigned = false;
  if (!text_and_start(call, &text, &start) || !dae_foreign_boolean(call, 2, &is_unsigned)) {
    return false;
  }
  size_t at = skip_white(text, start);
  size_t from = at;
  size_t digits = 0;
  if (!is_unsigned && (text[at] == '+' || text[at] == '-')) {
    at++;
  }
  for (; g_ascii_isdigit(text[at]); at++) {
    digits++;
  }
  if (!is_integer && text[at] == '.') {
    for (at++; g_ascii_isdigit(text[at]); at++) {
      digits++;
    }
  }
  if (!is_integer && digits > 0 && (text[at] == 'e' || text[at] == 'E')) {
    size_t exponent = at + 1;
    exponent += text[exponent] == '+' || text[exponent] == '-' ? 1 : 0;
    if (g_ascii_isdigit(text[exponent])) {
      for (at = exponent; g_ascii_isdigit(text[at]);) {
        at++;
      }
    }
  }
  if (is_integer && (text[at] == '.' || text[at] == 'e' || text[at] == 'E')) {
    digits = 0; /* the beginning of a Real is no Integer */
  }
  g_autofree char *part = g_strndup(text + from, digits > 0 ? at - from : 0);
  double value = digits > 0 ? g_ascii_strtod(part, NULL) : 0.0;
  DaeValue number = dae_value_scalar(is_integer ? DAE_VALUE_INTEGER : DAE_VALUE_REAL,
                                     dae_term_from_double(call->reader->terms, value));
  return set_index(call, 3, digits > 0 ? at : start) && dae_foreign_set(call, 4, number);
}

static bool
run_scan_real(DaeForeign *call)
{
  return scan_number(call, false);
}

static bool
run_scan_integer(DaeForeign *call)
{
  return scan_number(call, true);
}

static bool
set_text(DaeForeign *call, uint32_t i, const char *text, size_t length)
{
  return dae_foreign_set(
      call, i,
      dae_value_scalar(DAE_VALUE_STRING, dae_names_intern(call->reader->names, text, length)));
}

static bool
run_scan_identifier(DaeForeign *call)
{
  const char *text = NULL;
  size_t start = 0;
  if (!text_and_start(call, &text, &start)) {
    return false;
  }
  size_t from = skip_white(text, start);
  size_t at = from;
  while (g_ascii_isalpha(text[at]) ||
         (at > from && (g_ascii_isalnum(text[at]) || text[at] == '_'))) {
    at++;
  }
  return set_index(call, 2, at > from ? at : start) &&
         set_text(call, 3, text + from, at - from);
}

static bool
run_scan_string(DaeForeign *call)
{
  const char *text = NULL;
  size_t start = 0;
  if (!text_and_start(call, &text, &start)) {
    return false;
  }
  size_t from = skip_white(text, start);
  size_t at = from;
  if (text[at] == '"') {
    for (at++; text[at] != '\0' && text[at] != '"'; at++) {
      at += text[at] == '\\' && text[at + 1] != '\0' ? 1 : 0;
    }
  }
  if (at == from || text[at] != '"') {
    return set_index(call, 2, start) && set_text(call, 3, "", 0);
  }
  return set_index(call, 2, at + 1) && set_text(call, 3, text + from + 1, at - from - 1);
}

/* ---- messages, files --------------------------------------------------------------------- */

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
  if (!dae_when_print(call->reader, message, file, call->pos) && !call->reader->is_structural) {
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
  g_autofree char *resource =
      call->reader->library != NULL ? dae_library_resource(call->reader->library, text) : NULL;
  if (resource == NULL && g_str_has_prefix(text, "file://")) {
    resource = g_strdup(text + strlen("file://"));
  }
  g_autofree char *path = g_canonicalize_filename(resource != NULL ? resource : text, NULL);
  if (g_str_has_suffix(text, "/") && !g_str_has_suffix(path, "/")) {
    char *folder = g_strconcat(path, "/", NULL); /* to which a name may be appended */
    g_free(path);
    path = folder;
  }
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

static bool
run_nothing(DaeForeign *call)
{
  (void)call;
  return true;
}

/* Models write no files: the result says so, and the user is told. */
static bool
run_write_matrix(DaeForeign *call)
{
  dae_source_warning(call->reader->source, call->pos,
                     "%s: models write no files; its result is false", call->name);
  return dae_foreign_return(
      call, dae_value_scalar(DAE_VALUE_BOOLEAN, dae_term_bool(call->reader->terms, false)));
}

const DaeForeignEntry dae_foreign_strings[] = {
    {"ModelicaStrings_length", 1, run_length},
    {"ModelicaStrings_substring", 3, run_substring},
    {"ModelicaStrings_compare", 3, run_compare},
    {"ModelicaStrings_hashString", 1, run_hash},
    {"ModelicaStrings_skipWhiteSpace", 2, run_skip},
    {"ModelicaStrings_scanReal", 5, run_scan_real},
    {"ModelicaStrings_scanInteger", 5, run_scan_integer},
    {"ModelicaStrings_scanIdentifier", 4, run_scan_identifier},
    {"ModelicaStrings_scanString", 4, run_scan_string},
    {"ModelicaInternal_print", 1, run_print},
    {"ModelicaError", 1, run_error},
    {"ModelicaInternal_fullPathName", 1, run_full_path},
    {"ModelicaInternal_stat", 1, run_stat},
    {"ModelicaInternal_getcwd", 0, run_getcwd},
    {"ModelicaInternal_getenv", 4, run_getenv},
    {"ModelicaInternal_countLines", 1, run_count_lines},
    {"ModelicaInternal_readLine", 3, run_read_line},
    {"ModelicaStreams_closeFile", 1, run_nothing},
    {"ModelicaIO_writeRealMatrix", 6, run_write_matrix},
    {NULL, 0, NULL},
};
