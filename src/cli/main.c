#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/frame.h"
#include "cli/help.h"
#include "cli/lastresort.h"

static const DaeCliCommand *const commands[] = {
    &dae_command_show,
    &dae_command_analyze,
    &dae_command_reduce,
    &dae_command_check_init,
    &dae_command_simulate,
    &dae_command_export,
    NULL,
};

static int
show_text(const GString *text)
{
  return dae_cli_show_help(text->str, text->len) ? DAE_EXIT_OK : DAE_EXIT_FILE;
}

static int
unknown_command(const char *name)
{
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, name);
  for (const DaeCliCommand *const *c = commands; *c != NULL; c++) {
    dae_suggest_try(&suggest, (*c)->name);
  }
  fprintf(stderr, "daetool: unknown command '%s'", name);
  if (suggest.best != NULL) {
    fprintf(stderr, "; did you mean '%s'?", suggest.best);
  }
  fputs("; try 'daetool --help'\n", stderr);
  return DAE_EXIT_USAGE;
}

int
main(int argc, char **argv)
{
  dae_catch_aborts();
  setlocale(LC_CTYPE, ""); /* the character set of the terminal; numbers stay in the C locale */
  if (argc < 2) {
    fputs("daetool: no command given; try 'daetool --help'\n", stderr);
    return DAE_EXIT_USAGE;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  if (strcmp(argv[1], "--version") == 0) {
    g_string_printf(text, "daetool %s\n", dae_version());
    return show_text(text);
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      strcmp(argv[1], "help") == 0) {
    dae_help_program(commands, text);
    return show_text(text);
  }
  for (const DaeCliCommand *const *c = commands; *c != NULL; c++) {
    if (strcmp(argv[1], (*c)->name) == 0) {
      return dae_frame_run(*c, argc - 2, argv + 2);
    }
  }
  return unknown_command(argv[1]);
}
