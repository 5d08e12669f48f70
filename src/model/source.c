/* Places in the text and messages about them. */
#include "model/model-priv.h"

#include <string.h>

void
dae_source_init(DaeSource *source, const char *file, const char *text, size_t length,
                const DaeReporter *reporter)
{
  *source = (DaeSource){.file = file, .text = text, .length = length, .reporter = reporter};
}

void
dae_source_clear(DaeSource *source)
{
  if (source->lines != NULL) {
    g_array_free(source->lines, TRUE);
  }
  g_free(source->first_message);
  g_free(source->option_message);
  *source = (DaeSource){0};
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
find_line_starts(DaeSource *source)
{
  source->lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  uint32_t start = 0;
  g_array_append_val(source->lines, start);
  for (size_t i = 0; i < source->length; i++) {
    char c = source->text[i];
    if (c == '\n' || (c == '\r' && (i + 1 >= source->length || source->text[i + 1] != '\n'))) {
      start = (uint32_t)i + 1;
      g_array_append_val(source->lines, start);
    }
  }
}

static guint
line_of(DaeSource *source, uint32_t pos)
{
  if (source->lines == NULL) {
    find_line_starts(source);
  }
  guint low = 0;
  guint high = source->lines->len;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (g_array_index(source->lines, uint32_t, middle) <= pos) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Length of the token at pos, for the underline: read again instead of kept for every instruction. */
static uint32_t
length_at(const DaeSource *source, uint32_t pos)
{
  const char *text = source->text;
  size_t end = pos;
  if (pos >= source->length) {
    return 1;
  }
  unsigned char first = (unsigned char)text[pos];
  if (g_ascii_isalnum(first) || first == '_' || first == '$') {
    while (end < source->length &&
           (g_ascii_isalnum(text[end]) || text[end] == '_' || text[end] == '$' ||
            (text[end] == '.' && end + 1 < source->length &&
             (g_ascii_isalnum(text[end + 1]) || text[end + 1] == '_')))) {
      end++;
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
  guint line = line_of(source, pos);
  uint32_t start = g_array_index(source->lines, uint32_t, line);
  /* A byte order mark is no column. */
  if (line == 0 && source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) {
    start = pos >= 3 ? 3 : 0;
  }
  return (DaeSpan){line + 1, pos - start + 1, length_at(source, pos)};
}

static char *
copy_line(const DaeSource *source, uint32_t pos, const DaeSpan *span)
{
  size_t start = pos - (span->column - 1);
  size_t end = pos;
  while (end < source->length && source->text[end] != '\n' && source->text[end] != '\r') {
    end++;
  }
  return g_strndup(source->text + start, end - start);
}

static void
report(DaeSource *source, DaeSeverity severity, uint32_t pos, const char *message)
{
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
  DaeDiagnostic diagnostic = {.severity = severity, .file = source->file, .message = message};
  diagnostic.span = dae_source_span(source, pos);
  g_autofree char *line = copy_line(source, pos, &diagnostic.span);
  diagnostic.source_line = line;
  dae_report(source->reporter, &diagnostic);
  if (severity == DAE_FAILURE && source->first_message == NULL) {
    source->first_message = g_strdup_printf("%s:%u:%u: %s", source->file, diagnostic.span.line,
                                            diagnostic.span.column, message);
  }
}

/* One mistake per place, and not more than fit; false: it was not reported. */
static bool
report_mistake(DaeSource *source, uint32_t pos, const char *prefix, const char *message)
{
  if (dae_source_is_full(source) || is_reported(source, pos)) {
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

void
dae_source_warning(DaeSource *source, uint32_t pos, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  report(source, DAE_WARNING, pos, message);
}

void
dae_source_note(DaeSource *source, uint32_t pos, const char *format, ...)
{
  if (dae_source_is_full(source)) {
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  report(source, DAE_NOTE, pos, message);
}
