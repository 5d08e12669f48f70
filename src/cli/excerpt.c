#include <string.h>

#include "cli/command.h"

enum { WIDEST = 160 }; /* characters of the source line that are shown */

/* The source line and a caret line below. Tabs are kept in the caret line, so that both align;
 * of a very long line only the part around the place is shown. */
void
dae_cli_append_excerpt(GString *out, const DaeDiagnostic *diagnostic)
{
  const char *line = diagnostic->source_line;
  size_t length = strlen(line);
  size_t column = diagnostic->span.column > 0 ? diagnostic->span.column - 1 : 0;
  column = MIN(column, length);
  size_t from = 0;
  if (length > WIDEST && column > WIDEST / 2) {
    from = MIN(column - WIDEST / 2, length - WIDEST);
    while (from > 0 && ((unsigned char)line[from] & 0xC0) == 0x80) {
      from--; /* not inside a UTF-8 sequence */
    }
  }
  size_t shown = MIN(length - from, WIDEST);
  g_autofree char *part = g_strndup(line + from, shown);
  for (char *c = part; *c != '\0'; c++) {
    *c = ((unsigned char)*c < 0x20 && *c != '\t') || *c == 0x7f
             ? '?'
             : *c; /* no commands to the terminal */
  }
  g_autofree char *valid = g_utf8_make_valid(part, -1);
  g_string_append_printf(out, "  %s%s%s\n  %s", from > 0 ? "..." : "", valid,
                         from + shown < length ? "..." : "", from > 0 ? "   " : "");
  for (size_t i = from; i < column; i++) {
    if (((unsigned char)line[i] & 0xC0) != 0x80) {
      g_string_append_c(out, line[i] == '\t' ? '\t' : ' ');
    }
  }
  g_string_append_c(out, '^');
  for (size_t i = 1; i < diagnostic->span.length && column + i < from + shown; i++) {
    g_string_append_c(out, '~');
  }
  g_string_append_c(out, '\n');
}

/* ---- errors that carry their place in the text -------------------------------------------- */

static const char MARK[] = ": error: ";

/* A number at the end of [begin, *end), after a colon; *end becomes the place of the colon.
 * 0: there is none. */
static uint32_t
number_before(const char *begin, const char **end)
{
  const char *first = *end;
  while (first > begin && g_ascii_isdigit(first[-1])) {
    first--;
  }
  if (first == *end || first == begin || first[-1] != ':') {
    return 0;
  }
  uint32_t number = (uint32_t)g_ascii_strtoull(first, NULL, 10);
  *end = first - 1;
  return number;
}

/* (transfer full) */
static char *
line_of_text(const char *text, size_t length, uint32_t number)
{
  const char *end = text + length;
  for (uint32_t k = 1; k < number && text < end; k++) {
    const char *next = memchr(text, '\n', (size_t)(end - text));
    text = next != NULL ? next + 1 : end;
  }
  const char *stop = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
  return text < end ? g_strndup(text, (size_t)((stop != NULL ? stop : end) - text)) : NULL;
}

char *
dae_cli_source_line(DaePipeline *pipeline, const char *file, uint32_t number)
{
  g_autofree char *text = NULL;
  size_t length = 0;
  const DaeModel *model = pipeline != NULL ? dae_pipeline_model(pipeline) : NULL;
  const char *own = model != NULL && strcmp(dae_model_file(model), file) == 0
                        ? dae_pipeline_source(pipeline, &length)
                        : NULL;
  if (own != NULL) {
    return line_of_text(own, length, number);
  }
  return g_file_test(file, G_FILE_TEST_IS_REGULAR) &&
                 g_file_get_contents(file, &text, &length, NULL)
             ? line_of_text(text, length, number)
             : NULL;
}

bool
dae_cli_report_placed(const DaeReporter *reporter, DaePipeline *pipeline, const char *message)
{
  const char *mark = strstr(message, MARK);
  const char *line_end = strchr(message, '\n');
  if (mark == NULL || (line_end != NULL && line_end < mark)) {
    return false;
  }
  const char *end = mark;
  DaeSpan span = {.length = 1};
  span.column = number_before(message, &end);
  span.line = span.column > 0 ? number_before(message, &end) : 0;
  if (span.line == 0) {
    return false;
  }
  g_autofree char *file = g_strndup(message, (size_t)(end - message));
  g_autofree char *line = dae_cli_source_line(pipeline, file, span.line);
  DaeDiagnostic diagnostic = {.severity = DAE_FAILURE,
                              .span = span,
                              .file = file,
                              .source_line = line,
                              .message = mark + strlen(MARK)};
  dae_report(reporter, &diagnostic);
  return true;
}
