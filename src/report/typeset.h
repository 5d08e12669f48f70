/* Text for a terminal: widths in columns, long lines folded at spaces. */
#ifndef DAE_REPORT_TYPESET_H
#define DAE_REPORT_TYPESET_H

#include <glib.h>
#include <stdbool.h>

/* Columns that the first length bytes take on a terminal; escape sequences
 * take none, wide characters two. */
guint dae_text_width(const char *text, gsize length);

/* The text with lines of more than `columns` columns broken at spaces; what follows is
 * indented four more than the line. */
GString *dae_text_fold(const char *text, guint columns); /* (transfer full) */

#endif
