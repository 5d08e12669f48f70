#include <limits.h>
#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/frame.h"
#include "cli/help.h"
#include "cli/lastresort.h"
#include "cli/signals.h"

static const DaeCliCommand *const commands[] = {
    &dae_command_show,       &dae_command_tree,
    &dae_command_analyze,    &dae_command_reduce,
    &dae_command_check_init, &dae_command_simulate,
    &dae_command_export,     &dae_command_report,
    &dae_command_examples,   NULL,
};

static int
show_text(const GString *text)
{
  return dae_cli_show_help(text->str, text->len) ? DAE_EXIT_OK : DAE_EXIT_FILE;
}

static const DaeCliCommand *
find_command(const char *name)
{
  for (const DaeCliCommand *const *c = commands; *c != NULL; c++) {
    if (strcmp(name, (*c)->name) == 0) {
      return *c;
    }
  }
  return NULL;
}

/* The nearest command or option; the only command that begins so. */
static const char *
nearest_command(const char *name)
{
  DaeSuggest suggest;
  const char *longer = NULL;
  guint n_longer = 0;
  dae_suggest_begin(&suggest, name);
  for (const DaeCliCommand *const *c = commands; *c != NULL; c++) {
    dae_suggest_try(&suggest, (*c)->name);
    if (name[0] != '\0' && g_str_has_prefix((*c)->name, name)) {
      longer = (*c)->name;
      n_longer++;
    }
  }
  dae_suggest_try(&suggest, "--version");
  dae_suggest_try(&suggest, "--help");
  if (strcmp(name, "version") == 0 || strcmp(name, "-v") == 0 || strcmp(name, "-V") == 0) {
    return "--version";
  }
  return n_longer == 1 ? longer : suggest.best;
}

static int
unknown_command(const char *name)
{
  const char *nearest = nearest_command(name);
  if (g_str_has_suffix(name, ".mo")) {
    fprintf(stderr, "daetool: a command comes first, for example 'daetool analyze %s'", name);
  } else {
    fprintf(stderr, "daetool: unknown command '%s'", name);
  }
  fprintf(stderr, nearest != NULL ? "; did you mean '%s'?\n" : "; try 'daetool %s'\n",
          nearest != NULL ? nearest : "--help");
  return DAE_EXIT_USAGE;
}

/* `daetool help`, `daetool help COMMAND`, `daetool help glossary` */
static int
show_help(const char *name)
{
  g_autoptr(GString) text = g_string_new(NULL);
  const DaeCliCommand *command = name == NULL ? NULL : find_command(name);
  if (name != NULL && g_ascii_strcasecmp(name, "glossary") == 0) {
    dae_help_glossary(text);
    return show_text(text);
  }
  if (name != NULL && command == NULL) {
    return unknown_command(name);
  }
  if (command != NULL) {
    dae_help_command(command, text);
  } else {
    dae_help_program(commands, text);
  }
  return show_text(text);
}

/* What one stage frees the next one takes: handed back to the system and asked for again, each
 * page would be made and cleared once more. */
static void
keep_freed_memory(void)
{
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the largest there is */
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

int
main(int argc, char **argv)
{
  keep_freed_memory();
  dae_signals_hold();
  dae_catch_aborts();
  setlocale(LC_CTYPE, ""); /* the character set of the terminal; numbers stay in the C locale */
  g_autoptr(GString) text = g_string_new(NULL);
  if (argc < 2) {
    dae_help_program(commands, text);
    fprintf(stderr, "daetool: no command given\n\n%s", text->str);
    return DAE_EXIT_USAGE;
  }
  if (strcmp(argv[1], "--version") == 0) {
    g_string_printf(text, "daetool %s\n", dae_version());
    return show_text(text);
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      strcmp(argv[1], "help") == 0) {
    bool is_named = argc > 2 && argv[2][0] != '-' && strcmp(argv[2], "help") != 0;
    return show_help(is_named ? argv[2] : NULL);
  }
  const DaeCliCommand *command = find_command(argv[1]);
  return command != NULL ? (int)dae_frame_run(command, argc - 2, argv + 2)
                         : unknown_command(argv[1]);
}
