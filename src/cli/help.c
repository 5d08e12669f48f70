#include "cli/help.h"

#include <string.h>

#include "cli/options.h"

void
dae_help_program(const DaeCliCommand *const *commands, GString *out)
{
  g_string_append(
      out, "Usage: daetool COMMAND [options] MODEL.mo\n\n"
           "Differential-algebraic equations in Modelica: structure, hidden\nconstraints, "
           "consistent initialization, integration without state selection.\n\nCommands:\n");
  for (; *commands != NULL; commands++) {
    g_string_append_printf(out, "  %-11s %s\n", (*commands)->name, (*commands)->summary);
  }
  g_string_append(
      out, "\n`-` as MODEL.mo reads standard input. `daetool help COMMAND` shows the options\n"
           "of a command with worked examples, `daetool help glossary` explains the words of\n"
           "the outputs. Begin with `daetool examples`, or `daetool analyze MODEL.mo`.\n"
           "\nOn a terminal long output goes through a pager (DAETOOL_PAGER, PAGER; empty:\n"
           "none) and formulas use Unicode (DAETOOL_UNICODE=0: ASCII); NO_COLOR is honoured.\n"
           "\nExit codes: 0 done, verdict positive; 1 verdict negative; 2 wrong command line;\n"
           "3 wrong or unsupported model; 4 undecided; 5 numerical failure; 6 file trouble;\n"
           "70 a bug.\n");
}

void
dae_help_wrap(GString *out, const char *text, guint indent, guint width)
{
  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  guint column = indent;
  for (guint i = 0; words[i] != NULL; i++) {
    guint length = (guint)g_utf8_strlen(words[i], -1);
    if (i > 0 && column + 1 + length > width) {
      g_string_append_printf(out, "\n%*s", (int)indent, "");
      column = indent;
    } else if (i > 0) {
      g_string_append_c(out, ' ');
      column++;
    }
    g_string_append(out, words[i]);
    column += length;
  }
  g_string_append_c(out, '\n');
}

static void
append_options(GString *out, const DaeCliOption *options, const char *formats)
{
  for (; options != NULL && options->name != NULL; options++) {
    const char *metavar = strcmp(options->name, "format") == 0 ? formats : options->metavar;
    g_autofree char *left =
        g_strdup_printf("  %s%s%s%s", options->name[1] == '\0' ? "-" : "--", options->name,
                        metavar != NULL ? " " : "", metavar != NULL ? metavar : "");
    if (strlen(left) > 29) {
      g_string_append_printf(out, "%s\n%31s", left, "");
    } else {
      g_string_append_printf(out, "%-31s", left);
    }
    dae_help_wrap(out, options->help, 31, 79);
  }
}

void
dae_help_command(const DaeCliCommand *command, GString *out)
{
  g_string_append_printf(out, "Usage: daetool %s [options] %s\n\n", command->name,
                         command->argument != NULL ? command->argument : "MODEL.mo");
  dae_help_wrap(out, command->description, 0, 79);
  if (command->options != NULL && command->options->name != NULL) {
    g_string_append(out, "\nOptions:\n");
    append_options(out, command->options, command->formats);
  }
  if (!command->needs_no_model) {
    g_string_append(out, "\nOptions of every command:\n");
    append_options(out, dae_common_options, command->formats);
  }
  g_string_append_printf(out, "\nExample:\n%s", command->example);
}
