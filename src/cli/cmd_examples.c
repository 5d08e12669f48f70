/* daetool examples: the models that come with daetool, listed and copied. */
#include <string.h>

#include "cli/frame.h"
#include "cli/variables.h"

static const DaeCliOption options[] = {
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

/* Beside the program first: in the build folder, in an unpacked package; then where they
 * are installed. (transfer full) */
static char *
find_folder(void)
{
  static const char *const beside[] = {"../examples", "../share/doc/daetool/examples",
                                       "../../examples"};
  g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *place = program != NULL ? g_path_get_dirname(program) : g_strdup(".");
  for (size_t i = 0; i < G_N_ELEMENTS(beside); i++) {
    g_autofree char *folder = g_build_filename(place, beside[i], NULL);
    g_autofree char *one = g_build_filename(folder, "pendulum.mo", NULL);
    if (g_file_test(one, G_FILE_TEST_EXISTS)) {
      return g_canonicalize_filename(folder, NULL);
    }
  }
  return g_strdup(DAE_EXAMPLES);
}

static int
compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* NAME of each NAME.mo, sorted. */
static GPtrArray *
list_names(const char *folder, GError **error)
{
  g_autoptr(GError) trouble = NULL;
  GDir *dir = g_dir_open(folder, 0, &trouble);
  if (dir == NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "the examples are not installed: %s",
                trouble->message);
    return NULL;
  }
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
    if (g_str_has_suffix(name, ".mo")) {
      g_ptr_array_add(names, g_strndup(name, strlen(name) - 3));
    }
  }
  g_dir_close(dir);
  g_ptr_array_sort(names, compare_names);
  return names;
}

/* The description of the last model, which is the one that is run, else the first words of the
 * comment above it. */
static char *
description_of(const char *text)
{
  static const char *const patterns[] = {"\\A(?:.*\\n)?model\\s+\\w+\\s*\"([^\"]*)\"",
                                         "^//\\s*([^\\n.:;]*)"};
  for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
    g_autoptr(GRegex) regex =
        g_regex_new(patterns[i], i == 0 ? G_REGEX_DOTALL : G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    if (g_regex_match(regex, text, 0, &match)) {
      return g_match_info_fetch(match, 1);
    }
  }
  return g_strdup("");
}

static void
append_line(GString *out, const char *name, const char *text)
{
  g_autofree char *description = description_of(text);
  g_string_append_printf(out, description[0] != '\0' ? "  %-27s %s\n" : "  %s\n", name,
                         description);
}

/* Copies into the current folder; what is there stays. */
static DaeExit
copy(DaeCli *cli, const char *name, const char *text, gsize length)
{
  g_autofree char *target = g_strconcat(name, ".mo", NULL);
  if (g_file_test(target, G_FILE_TEST_EXISTS)) {
    return dae_cli_usage(cli, "%s is there already and stays as it is", target);
  }
  if (!dae_cli_write_file(cli, target, text, length)) {
    return DAE_EXIT_FILE;
  }
  append_line(dae_cli_out(cli), target, text);
  return DAE_EXIT_OK;
}

/* Copies the examples that fit the pattern, or lists them. *found: is there any? */
static DaeExit
take(DaeCli *cli, const char *folder, const GPtrArray *names, const char *pattern, bool *found)
{
  DaeExit code = DAE_EXIT_OK;
  for (guint i = 0; i < names->len; i++) {
    const char *name = g_ptr_array_index(names, i);
    g_autofree char *file = g_strconcat(name, ".mo", NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL);
    g_autofree char *text = NULL;
    gsize length = 0;
    bool fits =
        pattern == NULL || dae_variables_fit(pattern, name) || dae_variables_fit(pattern, file);
    if (!fits || !g_file_get_contents(path, &text, &length, NULL)) {
      continue;
    }
    *found = true;
    if (pattern == NULL) {
      append_line(dae_cli_out(cli), name, text);
    } else {
      DaeExit one = copy(cli, name, text, length);
      code = code == DAE_EXIT_OK ? one : code;
    }
  }
  return code;
}

static DaeExit
run(DaeCli *cli)
{
  GError *error = NULL;
  g_autofree char *folder = find_folder();
  g_autoptr(GPtrArray) names = list_names(folder, &error);
  if (names == NULL) {
    return dae_cli_fail(cli, error);
  }
  DaeExit code = DAE_EXIT_OK;
  const char *const *pattern = dae_cli_names(cli);
  do {
    bool found = false;
    DaeExit one = take(cli, folder, names, *pattern, &found);
    if (!found) {
      one = dae_cli_usage(cli, "no example fits '%s'; `daetool examples` lists them",
                          *pattern != NULL ? *pattern : "*");
    }
    code = code == DAE_EXIT_OK ? one : code;
  } while (*pattern != NULL && *++pattern != NULL);
  return code;
}

const DaeCliCommand dae_command_examples = {
    .name = "examples",
    .summary = "list the models that come with daetool, or copy them",
    .description =
        "Without NAME, lists the models that come with daetool. With names, copies these "
        "models into the current folder; a NAME may be a pattern such as 'car*' or '*'. "
        "A file that already exists is not touched.",
    .formats = "text",
    .options = options,
    .example = "  $ daetool examples\n"
               "  ...\n"
               "  $ daetool examples pendulum\n"
               "  $ daetool analyze pendulum.mo\n",
    .needs_no_model = true,
    .takes_many = true,
    .argument = "[NAME...]",
    .run = run,
};
