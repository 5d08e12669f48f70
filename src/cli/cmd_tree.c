/* daetool tree: the components of a class, their types, where each modifier comes from. */
#include <string.h>

#include "cli/frame.h"
#include "lang/lang.h"
#include "pipeline/pipeline.h"

static const DaeCliOption options[] = {
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

static bool
is_model(const DaeClass *class)
{
  return class->parent == 0 && (class->flags & DAE_FLAG_IN_MODIFIER) == 0 &&
         (class->kind == DAE_CLASS_MODEL || class->kind == DAE_CLASS_CLASS ||
          class->kind == DAE_CLASS_BLOCK);
}

/* The name of the last model of the text; NULL: it has none. */
static const char *
last_model(DaeLibrary *library)
{
  const DaeSyntax *syntax = dae_library_syntax(library);
  const char *name = NULL;
  for (uint32_t i = 1; i < syntax->classes->len; i++) {
    const DaeClass *class = dae_syntax_class(syntax, i);
    if (is_model(class)) {
      name = dae_names_text(dae_library_names(library), class->name);
    }
  }
  return name;
}

static DaeExit
run(DaeCli *cli)
{
  const char *file = dae_cli_model_file(cli);
  const char *name = dae_cli_string(cli, "model");
  g_autoptr(GString) text = NULL;
  GError *error = NULL;
  const char *const *libraries = dae_cli_libraries(cli);
  if (libraries == NULL) {
    return dae_cli_exit(cli);
  }
  g_autoptr(DaeLibrary) library = dae_library_new(libraries, dae_cli_reporter(cli));
  bool is_stdin = strcmp(file, "-") == 0;
  bool is_file = is_stdin || g_str_has_suffix(file, ".mo") || strchr(file, '/') != NULL ||
                 g_file_test(file, G_FILE_TEST_EXISTS);
  if (is_file) {
    text = dae_read_whole_file(file, &error);
    if (text == NULL) {
      return dae_cli_fail(cli, error);
    }
    dae_library_add_text(library, is_stdin ? "<stdin>" : file, text->str, text->len);
    name = name != NULL ? name : last_model(library);
  } else {
    name = file;
  }
  DaeFlattenOptions given = {.overrides = dae_cli_strings(cli, "set", NULL)};
  bool is_good = name != NULL && dae_library_source(library)->n_errors == 0;
  g_autoptr(DaeFlat) flat = is_good ? dae_flatten(library, name, &given) : NULL;
  if (flat == NULL) {
    const char *message = dae_library_source(library)->first_message;
    return dae_cli_fail(cli, g_error_new(DAE_ERROR, DAE_ERROR_MODEL, "%s: %s", file,
                                         message != NULL ? message : "there is no model"));
  }
  if (dae_cli_format_is(cli, "json")) {
    dae_flat_write_tree(flat, dae_cli_out(cli));
  } else {
    dae_flat_print_tree(flat, dae_cli_out(cli));
  }
  return DAE_EXIT_OK;
}

const DaeCliCommand dae_command_tree = {
    .name = "tree",
    .summary = "components, their types, where each modifier comes from",
    .description =
        "Prints the instance tree of a class: every component with its type and the place of "
        "its "
        "declaration, and below it its value and its modifiers as they were written, outer "
        "ones "
        "over inner ones, each with the file and line it comes from. Of an array of components "
        "the first element is shown. --format json has the same as objects: name, type (null "
        "if its "
        "condition is false), dimensions, file, line, value, modifiers, components.",
    .formats = "text|json",
    .options = options,
    .example = "  $ daetool tree --library tests/library Small.Thermal.Ambient\n"
               "  Small.Thermal.Ambient\n"
               "    T : Real   (Thermal.mo:9)\n"
               "      = 293.15   (Thermal.mo:9)\n"
               "    port : Small.Thermal.HeatPort   (Thermal.mo:10)\n"
               "      T : Real   (Thermal.mo:4)\n"
               "        unit = \"K\"   (Thermal.mo:4)\n"
               "      Q : Real   (Thermal.mo:5)\n"
               "        unit = \"W\"   (Thermal.mo:5)\n",
    .run = run,
};
