/* Parsed options of one command: the common ones and its own. */
#ifndef DAE_CLI_OPTIONS_H
#define DAE_CLI_OPTIONS_H

#include "cli/command.h"

typedef struct DaeOptions DaeOptions;

extern const DaeCliOption dae_common_options[]; /* ends with name == NULL */

/* arguments: what follows the command's name. NULL: *message (transfer full) says what is wrong. */
DaeOptions *dae_options_parse(const DaeCliCommand *command, int n, char **arguments,
                              char **message);
void dae_options_free(DaeOptions *options);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeOptions, dae_options_free)

bool dae_options_wants_help(const DaeOptions *options);
const char *dae_options_file(const DaeOptions *options); /* MODEL.mo; NULL if none */
/* All of them, NULL-terminated (takes_many). */
const char *const *dae_options_files(const DaeOptions *options);
/* All values given for an option, in order, NULL-terminated; never
 * NULL. A flag has one value "". */
const char *const *dae_options_values(const DaeOptions *options, const char *name, guint *n);

#endif
