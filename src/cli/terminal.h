/* The terminal that reads the results: its size, whether it shows Unicode, a pager for what is
 * longer than its screen. Nothing here applies to pipes and files: they get plain ASCII,
 * unfolded. DAETOOL_UNICODE=0 or 1 decides by hand. */
#ifndef DAE_CLI_TERMINAL_H
#define DAE_CLI_TERMINAL_H

#include <glib.h>
#include <stdbool.h>

typedef struct {
  bool is_terminal;    /* standard output is one, and it can do more than a teletype */
  bool unicode;        /* mathematics in Unicode */
  guint columns, rows; /* 0: no terminal, hence no limit */
} DaeTerminal;

/* to_file: the results go to -o, not to standard output. */
DaeTerminal dae_terminal_look(bool to_file);

/* Does the text need more rows than the screen has? */
bool dae_terminal_is_exceeded(const DaeTerminal *terminal, const char *text);

/* Shows the text through the user's pager: DAETOOL_PAGER, PAGER or less. False: there is none,
 * or it could not be started; nothing was shown. The caller must be able to bear SIGINT, which
 * belongs to the pager meanwhile. */
bool dae_terminal_page(const char *text, gsize length);

#endif
