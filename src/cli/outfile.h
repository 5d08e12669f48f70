/* A file that appears completely or not at all: written under a temporary name beside
 * its place, renamed at the end. What is no regular file (/dev/stdout, a FIFO,
 * /dev/full) is written in place. */
#ifndef DAE_CLI_OUTFILE_H
#define DAE_CLI_OUTFILE_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct DaeOutFile DaeOutFile;

/* Where the file will stand: symbolic links are followed, also those whose end does
 * not exist yet. (transfer full) */
char *dae_outfile_resolve(const char *path);
DaeOutFile *dae_outfile_open(const char *path, GError **error); /* code FILE */
/* Written under a temporary name first? Opening it then does not wait for anybody. */
bool dae_outfile_is_replaced(const char *path);
FILE *dae_outfile_stream(DaeOutFile *file);
void dae_outfile_write(DaeOutFile *file, const char *text,
                       gsize length); /* an error shows when it is committed */
/* Closes and renames. On any error the temporary file is removed. Frees file in every case. */
bool dae_outfile_commit(DaeOutFile *file, GError **error);
void dae_outfile_abandon(DaeOutFile *file); /* removes what was written; NULL is fine */
/* For the watchdog: removes the temporary file of a process that is about to end.
 * Async-safe enough: one unlink. */
const char *dae_outfile_temporary(const DaeOutFile *file); /* NULL when written in place */

#endif
