#include "report/typeset.h"

#include <string.h>

/* What stands at p on the screen; *width gets its columns. Returns what follows. */
static const char *
next_glyph(const char *p, const char *end, guint *width)
{
  *width = 0;
  if (p[0] == '\033' && p + 1 < end && p[1] == '[') {
    for (p += 2; p < end && !g_ascii_isalpha(*p); p++) {
    }
    return p < end ? p + 1 : end;
  }
  gunichar c = g_utf8_get_char_validated(p, end - p);
  if (c == (gunichar)-1 || c == (gunichar)-2) {
    *width = 1;
    return p + 1;
  }
  *width = g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
  return MIN(g_utf8_next_char(p), end);
}

guint
dae_text_width(const char *text, gsize length)
{
  const char *end = text + length;
  guint total = 0;
  while (text < end) {
    guint width = 0;
    text = next_glyph(text, end, &width);
    total += width;
  }
  return total;
}

/* The last space at which a piece of at most `columns` columns can end, the end of the line if
 * all fits, NULL if no space is there. */
static const char *
place_to_break(const char *line, const char *end, guint columns)
{
  const char *space = NULL;
  guint column = 0;
  bool only_spaces = true;
  for (const char *p = line; p < end;) {
    if (*p == ' ' && !only_spaces) {
      space = p;
    }
    only_spaces = only_spaces && *p == ' ';
    guint width = 0;
    p = next_glyph(p, end, &width);
    column += width;
    if (column > columns) {
      return space;
    }
  }
  return end;
}

static void
fold_line(GString *out, const char *line, const char *end, guint columns)
{
  guint indent = 0;
  while (line + indent < end && line[indent] == ' ') {
    indent++;
  }
  indent = MIN(indent + 4, columns / 2);
  guint room = columns;
  while (line < end) {
    const char *stop = place_to_break(line, end, room);
    if (stop == NULL) { /* one long word: the terminal breaks it */
      stop = line + 1 + strcspn(line + 1, " \n");
      stop = MIN(stop, end);
    }
    g_string_append_len(out, line, stop - line);
    while (stop < end && *stop == ' ') {
      stop++;
    }
    if (stop < end) {
      g_string_append_printf(out, "\n%*s", (int)indent, "");
      room = columns - indent;
    }
    line = stop;
  }
}

GString *
dae_text_fold(const char *text, guint columns)
{
  GString *out = g_string_new(NULL);
  while (*text != '\0') {
    const char *end = strchr(text, '\n');
    const char *stop = end == NULL ? text + strlen(text) : end;
    fold_line(out, text, stop, MAX(columns, 20));
    if (end != NULL) {
      g_string_append_c(out, '\n');
    }
    text = end == NULL ? stop : end + 1;
  }
  return out;
}
