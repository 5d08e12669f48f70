/* The texts of --help, made from the command tables. */
#ifndef DAE_CLI_HELP_H
#define DAE_CLI_HELP_H

#include "cli/command.h"

void dae_help_program(const DaeCliCommand *const *commands, GString *out);
void dae_help_command(const DaeCliCommand *command, GString *out);

/* The words of the outputs, in words of a modeller (glossary.c). */
void dae_help_glossary(GString *out);
/* Words in lines of at most width columns; all but the first begin at the indent. */
void dae_help_wrap(GString *out, const char *text, guint indent, guint width);

#endif
