#include "cli/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/typeset.h"

/* Terminals known to be without control sequences, or with a font of few glyphs. */
static bool
term_is(const char *name)
{
  return g_strcmp0(g_getenv("TERM"), name) == 0;
}

static bool
wants_unicode(bool is_terminal)
{
  const char *choice = g_getenv("DAETOOL_UNICODE");
  if (choice != NULL && choice[0] != '\0') {
    return choice[0] != '0';
  }
  const char *charset = NULL;
  return is_terminal && !term_is("linux") && g_get_charset(&charset);
}

static guint
size_from_environment(const char *name, guint otherwise)
{
  const char *text = g_getenv(name);
  guint64 value = text == NULL ? 0 : g_ascii_strtoull(text, NULL, 10);
  return value > 0 && value < 10000 ? (guint)value : otherwise;
}

DaeTerminal
dae_terminal_look(bool to_file)
{
  DaeTerminal terminal = {.is_terminal = !to_file && isatty(STDOUT_FILENO) && !term_is("dumb")};
  terminal.unicode = !to_file && wants_unicode(terminal.is_terminal);
  if (terminal.is_terminal) {
    struct winsize size = {0};
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    terminal.columns =
        is_known && size.ws_col > 0 ? size.ws_col : size_from_environment("COLUMNS", 80);
    terminal.rows =
        is_known && size.ws_row > 0 ? size.ws_row : size_from_environment("LINES", 24);
  }
  return terminal;
}

bool
dae_terminal_is_exceeded(const DaeTerminal *terminal, const char *text)
{
  if (!terminal->is_terminal) {
    return false;
  }
  guint rows = 1; /* the prompt of the shell */
  while (*text != '\0' && rows <= terminal->rows) {
    const char *end = strchr(text, '\n');
    gsize length = end == NULL ? strlen(text) : (gsize)(end - text);
    guint width = dae_text_width(text, length);
    rows += width == 0 ? 1 : (width + terminal->columns - 1) / terminal->columns;
    text += length + (end != NULL);
  }
  return rows > terminal->rows;
}
