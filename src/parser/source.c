/* Places in the text and messages about them. */
#include "parser/source.h"

#include <string.h>

void
dae_source_init(DaeSource *source, const char *file, const char *text, size_t length,
                const DaeReporter *reporter)
{
  *source = (DaeSource){.file = file, .text = text, .length = length, .reporter = reporter};
  source->files = g_array_new(FALSE, TRUE, sizeof(DaeSourceFile));
  uint32_t base = 0;
  dae_source_add(source, file, text, length, &base);
}

static DaeSourceFile *
file_at(const DaeSource *source, guint i)
{
  return &g_array_index(source->files, DaeSourceFile, i);
}

/* One byte lies between two files, so that the end of a file is a place of its own. */
bool
dae_source_add(DaeSource *source, const char *file, const char *text, size_t length,
               uint32_t *base)
{
  uint64_t begin = 0;
  if (source->files->len > 0) {
    const DaeSourceFile *last = file_at(source, source->files->len - 1);
    begin = (uint64_t)last->base + last->length + 1;
  }
  if (begin + length >= UINT32_MAX) {
    return false;
  }
  DaeSourceFile entry = {.file = file, .text = text, .length = length, .base = (uint32_t)begin};
  g_array_append_val(source->files, entry);
  *base = entry.base;
  return true;
}

void
dae_source_clear(DaeSource *source)
{
  for (guint i = 0; source->files != NULL && i < source->files->len; i++) {
    if (file_at(source, i)->lines != NULL) {
      g_array_free(file_at(source, i)->lines, TRUE);
    }
  }
  if (source->files != NULL) {
    g_array_free(source->files, TRUE);
  }
  if (source->warned != NULL) {
    g_hash_table_destroy(source->warned);
  }
  g_free(source->first_message);
  g_free(source->option_message);
  *source = (DaeSource){0};
}

static guint
file_index(const DaeSource *source, uint32_t pos)
{
  guint low = 0;
  guint high = source->files->len;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (file_at(source, middle)->base <= pos) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

const DaeSourceFile *
dae_source_file_of(const DaeSource *source, uint32_t pos)
{
  return file_at(source, file_index(source, pos));
}

/* One message per place: a mistake inside a loop is told once. */
static bool
is_reported(const DaeSource *source, uint32_t pos)
{
  for (uint32_t i = 0; i < source->n_errors && source->context == NULL; i++) {
    if (source->reported[i] == pos) {
      return true;
    }
  }
  return false;
}

bool
dae_source_is_full(const DaeSource *source)
{
  return source->n_errors >= DAE_MAX_ERRORS;
}

/* Line ends are LF, CRLF and CR. */
static void
find_line_starts(DaeSourceFile *source)
{
  source->lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  const char *end = source->text + source->length;
  const char *feed = NULL;
  uint32_t start = 0;
  g_array_append_val(source->lines, start);
  for (const char *at = source->text; at < end;) {
    if (feed == NULL || feed < at) {
      feed = memchr(at, '\n', (size_t)(end - at));
      feed = feed != NULL ? feed : end;
    }
    const char *bare = memchr(at, '\r', (size_t)(feed - at));
    const char *last = bare != NULL && (bare + 1 < feed || feed == end) ? bare : feed;
    at = last + 1;
    if (last < end) {
      start = (uint32_t)(at - source->text);
      g_array_append_val(source->lines, start);
    }
  }
}

static guint
line_of(DaeSourceFile *source, uint32_t pos)
{
  if (source->lines == NULL) {
    find_line_starts(source);
  }
  const uint32_t *starts = &g_array_index(source->lines, uint32_t, 0);
  guint low = starts[source->line] <= pos ? source->line : 0;
  guint high = source->lines->len;
  for (guint width = 4; width < high - low; width *= 2) {
    if (starts[low + width] > pos) {
      high = low + width;
    }
  }
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (starts[middle] <= pos) {
      low = middle;
    } else {
      high = middle;
    }
  }
  source->line = low;
  return low;
}

static size_t
end_of_word(const DaeSourceFile *source, size_t at)
{
  const char *text = source->text;
  size_t length = source->length;
  while (at < length && (g_ascii_isalnum(text[at]) || text[at] == '_' || text[at] == '$')) {
    at++;
  }
  return at;
}

/* Length of the token at pos, for the underline: read again instead
 * of kept for every instruction. */
static uint32_t
length_at(const DaeSourceFile *source, uint32_t pos)
{
  const char *text = source->text;
  size_t end = pos;
  if (pos >= source->length) {
    return 1;
  }
  unsigned char first = (unsigned char)text[pos];
  if (g_ascii_isalnum(first) || first == '_' || first == '$') {
    end = end_of_word(source, end);
    while (end + 1 < source->length && text[end] == '.' &&
           (g_ascii_isalnum(text[end + 1]) || text[end + 1] == '_')) {
      end = end_of_word(source, end + 1);
    }
  } else if (first == '\'' || first == '"') {
    end++;
    while (end < source->length && text[end] != (char)first && text[end] != '\n' &&
           text[end] != '\r') {
      end += text[end] == '\\' && end + 1 < source->length ? 2u : 1u;
    }
    end = end < source->length && text[end] == (char)first ? end + 1 : end;
    end = end < source->length ? end : source->length;
  }
  return end > pos ? (uint32_t)(end - pos) : 1u;
}

DaeSpan
dae_source_span(DaeSource *source, uint32_t pos)
{
  if (pos == DAE_NO_PLACE || source->context != NULL) {
    return (DaeSpan){0};
  }
  guint index = file_index(source, pos);
  DaeSourceFile *file = file_at(source, index);
  uint32_t at = pos - file->base;
  guint line = line_of(file, at);
  uint32_t start = g_array_index(file->lines, uint32_t, line);
  /* A byte order mark is no column. */
  if (line == 0 && file->length >= 3 && memcmp(file->text, "\xef\xbb\xbf", 3) == 0) {
    start = at >= 3 ? 3 : 0;
  }
  GQuark name = index > 0 ? g_quark_from_string(file->file) : 0;
  return (DaeSpan){line + 1, at - start + 1, length_at(file, at), name};
}

static char *
copy_line(const DaeSourceFile *file, uint32_t pos, const DaeSpan *span)
{
  size_t at = pos - file->base;
  size_t start = at - (span->column - 1);
  size_t end = at;
  while (end < file->length && file->text[end] != '\n' && file->text[end] != '\r') {
    end++;
  }
  return g_strndup(file->text + start, end - start);
}

void
dae_source_hush(DaeSource *source)
{
  source->hushed++;
}

void
dae_source_speak(DaeSource *source)
{
  DAE_ASSERT(source->hushed > 0);
  source->hushed--;
}

static void
report(DaeSource *source, DaeSeverity severity, uint32_t pos, const char *message)
{
  if (source->hushed > 0) {
    return;
  }
  if (source->context != NULL || pos == DAE_NO_PLACE) {
    g_autofree char *whole = source->context != NULL
                                 ? g_strdup_printf("%s: %s", source->context, message)
                                 : g_strdup(message);
    if (severity != DAE_FAILURE || source->context == NULL) {
      DaeDiagnostic bare = {.severity = severity, .file = source->file, .message = whole};
      dae_report(source->reporter, &bare);
    }
    char **first = source->context != NULL ? &source->option_message : &source->first_message;
    if (severity == DAE_FAILURE && *first == NULL) {
      *first = g_steal_pointer(&whole);
    }
    return;
  }
  const DaeSourceFile *file = dae_source_file_of(source, pos);
  DaeDiagnostic diagnostic = {.severity = severity, .file = file->file, .message = message};
  diagnostic.span = dae_source_span(source, pos);
  g_autofree char *line = copy_line(file, pos, &diagnostic.span);
  diagnostic.source_line = line;
  dae_report(source->reporter, &diagnostic);
  if (severity == DAE_FAILURE && source->first_message == NULL) {
    source->first_message = g_strdup_printf("%s:%u:%u: %s", file->file, diagnostic.span.line,
                                            diagnostic.span.column, message);
  }
}

/* One mistake per place, and not more than fit; false: it was not reported. */
static bool
report_mistake(DaeSource *source, uint32_t pos, const char *prefix, const char *message)
{
  if (source->hushed > 0 || dae_source_is_full(source) || is_reported(source, pos)) {
    return false;
  }
  g_autofree char *whole = g_strconcat(prefix, message, NULL);
  source->reported[source->n_errors] = pos;
  source->n_errors++;
  report(source, DAE_FAILURE, pos, whole);
  return true;
}

void
dae_source_error(DaeSource *source, uint32_t pos, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  report_mistake(source, pos, "", message);
}

void
dae_source_unsupported(DaeSource *source, uint32_t pos, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  if (report_mistake(source, pos, "not supported yet: ", message)) {
    source->n_unsupported++;
  }
}

/* What is written once is told once, however many components or calls have it. */
static bool
is_new_warning(DaeSource *source, uint32_t pos, const char *message)
{
  if (source->warned == NULL) {
    source->warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  }
  return g_hash_table_add(source->warned, g_strdup_printf("%u %s", pos, message));
}

void
dae_source_warning(DaeSource *source, uint32_t pos, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  if (source->hushed == 0 && is_new_warning(source, pos, message)) {
    report(source, DAE_WARNING, pos, message);
  }
}

void
dae_source_note(DaeSource *source, uint32_t pos, const char *format, ...)
{
  if (dae_source_is_full(source)) {
    source->has_hidden_note = true;
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  report(source, DAE_NOTE, pos, message);
}
