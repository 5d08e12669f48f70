/* Text for a terminal: mathematics in Unicode, widths in columns, long lines folded at spaces. */
#ifndef DAE_REPORT_TYPESET_H
#define DAE_REPORT_TYPESET_H

#include <glib.h>
#include <stdbool.h>

/* Appends an expression or equation as daetool prints it, with Unicode signs: der(x) becomes x
 * with a prime, a whole number as exponent is raised, * is a dot, <= >= <> -> sqrt( have their
 * signs. Names are never changed. */
void dae_typeset_math(GString *out, const char *ascii);

/* Columns that the first length bytes take on a terminal; escape sequences
 * take none, wide characters two. */
guint dae_text_width(const char *text, gsize length);

/* The text with lines of more than `columns` columns broken at spaces; what follows is
 * indented four more than the line. */
GString *dae_text_fold(const char *text, guint columns); /* (transfer full) */

#endif
