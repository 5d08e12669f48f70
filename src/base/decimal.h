/* Numbers as decimal text. */
#ifndef DAE_BASE_DECIMAL_H
#define DAE_BASE_DECIMAL_H

#include <glib.h>

G_BEGIN_DECLS

#define DAE_DECIMAL_SIZE 32

/* The shortest decimal that reads back to `value`, of several such the nearest to it: 0.2, 1e+22,
 * 5e-324; `nan`, `inf`, `-inf`. In the C locale, laid out as %g does. Returns `buffer`. */
const char *dae_decimal_shortest(char buffer[DAE_DECIMAL_SIZE], double value);

/* Large results have millions of whole numbers: no format is read for each. */
void dae_decimal_append_int(GString *out, gint64 value);

G_END_DECLS

#endif
