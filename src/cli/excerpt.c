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
