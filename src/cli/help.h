/* The texts of --help, made from the command tables. */
#ifndef DAE_CLI_HELP_H
#define DAE_CLI_HELP_H

#include "cli/command.h"

void dae_help_program(const DaeCliCommand *const *commands, GString *out);
void dae_help_command(const DaeCliCommand *command, GString *out);

#endif
