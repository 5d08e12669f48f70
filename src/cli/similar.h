/* "Did you mean ..." for files. */
#ifndef DAE_CLI_SIMILAR_H
#define DAE_CLI_SIMILAR_H

#include <glib.h>
#include <stdbool.h>

/* A model file whose name is near to that of a file that does not exist. NULL: none,
 * or it exists. (transfer full) */
char *dae_similar_file(const char *path);

#endif
