#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/suggest.h"

const DaeCliOption dae_common_options[] = {
    {"model", DAE_OPTION_STRING, "NAME",
     "which model of the file; default: the only one, else the last"},
    {"library", DAE_OPTION_STRINGS, "PATH",
     "a library, or a folder of libraries (repeatable; then MODELICAPATH)"},
    {"set", DAE_OPTION_STRINGS, "NAME=VALUE",
     "override a parameter or a start value (repeatable)"},
    {"input", DAE_OPTION_STRINGS, "NAME=EXPR",
     "a top-level input as an expression in time (repeatable)"},
    {"input-file", DAE_OPTION_STRING, "FILE.csv",
     "top-level inputs from the columns of a table, first column time"},
    {"keep-loops", DAE_OPTION_FLAG, NULL,
     "keep all equations of overconstrained connection loops and prove which are redundant"},
    {"check-units", DAE_OPTION_FLAG, NULL,
     "warn of equations whose sides or terms have different units"},
    {"check-annotations", DAE_OPTION_FLAG, NULL,
     "stop if an annotation of a function is shown to be wrong: derivative, inverse, "
     "smoothOrder"},
    {"format", DAE_OPTION_STRING, "FORMAT", "form of the result"},
    {"o", DAE_OPTION_STRING, "FILE",
     "write the result to FILE, completely or not at all; if a simulation is interrupted or "
     "fails, the results so far are kept"},
    {"color", DAE_OPTION_CHOICE, "auto|always|never",
     "colour in text; default auto, honours NO_COLOR"},
    {"quiet", DAE_OPTION_FLAG, NULL, "no warnings, no progress on standard error"},
    {"verbose", DAE_OPTION_FLAG, NULL, "more on standard error"},
    {"max-time", DAE_OPTION_DOUBLE, "SECONDS", "end with what was reached after this time"},
    {"max-memory", DAE_OPTION_DOUBLE, "MIB",
     "end with what was reached at this size of the process"},
    {"help", DAE_OPTION_FLAG, NULL, "show this text"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

struct DaeOptions {
  GHashTable *values; /* name -> GPtrArray of char*, NULL-terminated on reading */
  GPtrArray *files;   /* char*, NULL last: what is no option */
};

static const char *const no_values[] = {NULL};

static void
free_values(gpointer values)
{
  g_ptr_array_free(values, TRUE);
}

void
dae_options_free(DaeOptions *options)
{
  if (options != NULL) {
    g_hash_table_destroy(options->values);
    g_ptr_array_free(options->files, TRUE);
    g_free(options);
  }
}

static const DaeCliOption *
find_in(const DaeCliOption *list, const char *name)
{
  for (; list != NULL && list->name != NULL; list++) {
    if (strcmp(list->name, name) == 0) {
      return list;
    }
  }
  return NULL;
}

static const DaeCliOption *
find_option(const DaeCliCommand *command, const char *name)
{
  const DaeCliOption *found = find_in(command->options, name);
  return found != NULL ? found : find_in(dae_common_options, name);
}

/* text: as it was typed, -stop=3 or --stpo. */
static char *
unknown_option(const DaeCliCommand *command, const char *text)
{
  g_autofree char *typed = g_strndup(text, strcspn(text, "="));
  const char *name = typed + strspn(typed, "-");
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, name);
  for (const DaeCliOption *o = command->options; o != NULL && o->name != NULL; o++) {
    dae_suggest_try(&suggest, o->name);
  }
  for (const DaeCliOption *o = dae_common_options; o->name != NULL; o++) {
    dae_suggest_try(&suggest, o->name);
  }
  if (suggest.best == NULL) {
    return g_strdup_printf("unknown option '%s'; try 'daetool %s --help'", typed,
                           command->name);
  }
  return g_strdup_printf("unknown option '%s'; did you mean '%s%s'?", typed,
                         suggest.best[1] == '\0' ? "-" : "--", suggest.best);
}

static bool
is_choice(const char *choices, const char *value)
{
  g_auto(GStrv) list = g_strsplit(choices, "|", -1);
  return g_strv_contains((const char *const *)list, value);
}

static bool
is_double(const char *text)
{
  char *end = NULL;
  double value = g_ascii_strtod(text, &end);
  return end != text && *end == '\0' && isfinite(value);
}

static bool
is_count(const char *text)
{
  char *end = NULL;
  errno = 0;
  g_ascii_strtoull(text, &end, 10);
  return g_ascii_isdigit(text[0]) && *end == '\0' && errno == 0;
}

/* NULL if the value fits the option, else what is wrong. */
static char *
check_value(const DaeCliCommand *command, const DaeCliOption *option, const char *value)
{
  const char *dashes = option->name[1] == '\0' ? "-" : "--";
  const char *choices =
      strcmp(option->name, "format") == 0 ? command->formats : option->metavar;
  bool is_format = choices == command->formats;
  if ((option->kind == DAE_OPTION_CHOICE || is_format) && !is_choice(choices, value)) {
    return g_strdup_printf("%s%s takes %s, not '%s'", dashes, option->name, choices, value);
  }
  if (option->kind == DAE_OPTION_DOUBLE && !is_double(value)) {
    return g_strdup_printf("%s%s takes a number, not '%s'", dashes, option->name, value);
  }
  if (option->kind == DAE_OPTION_COUNT && !is_count(value)) {
    return g_strdup_printf("%s%s takes a whole number of 0 or more, not '%s'", dashes,
                           option->name, value);
  }
  if (strcmp(option->name, "set") == 0 || strcmp(option->name, "input") == 0) {
    if (strchr(value, '=') == NULL || value[0] == '=') {
      return g_strdup_printf("--%s takes %s, not '%s'", option->name, option->metavar, value);
    }
  }
  return NULL;
}

static void
keep_value(DaeOptions *options, const DaeCliOption *option, const char *value)
{
  GPtrArray *values = g_hash_table_lookup(options->values, option->name);
  if (values == NULL) {
    values = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(values, NULL);
    g_hash_table_insert(options->values, (gpointer)option->name, values);
  } else if (option->kind != DAE_OPTION_STRINGS) {
    g_ptr_array_remove_index(values, 0); /* the last one counts */
  }
  g_ptr_array_insert(values, (gint)values->len - 1, g_strdup(value));
}

/* One option with its dashes; *i is advanced when the value is the next argument. */
static char *
parse_option(const DaeCliCommand *command, DaeOptions *options, int n, char **arguments, int *i)
{
  const char *text = arguments[*i];
  g_autofree char *name = NULL;
  const char *value = NULL;
  if (text[1] == '-') {
    const char *equals = strchr(text, '=');
    name =
        equals != NULL ? g_strndup(text + 2, (gsize)(equals - text - 2)) : g_strdup(text + 2);
    value = equals != NULL ? equals + 1 : NULL;
  } else if (text[1] == 'h' && text[2] == '\0') {
    name = g_strdup("help");
  } else {
    name = g_strndup(text + 1, 1);
    value = text[2] != '\0' ? text + 2 : NULL;
  }
  const DaeCliOption *option = find_option(command, name);
  if (option == NULL || (text[1] == '-' && option->name[1] == '\0')) {
    return unknown_option(command, text);
  }
  if (option->kind == DAE_OPTION_FLAG) {
    if (value != NULL) {
      return g_strdup_printf("--%s takes no value", name);
    }
    keep_value(options, option, "");
    return NULL;
  }
  if (value == NULL) {
    if (*i + 1 >= n) {
      return g_strdup_printf("'%s' needs a value: %s", text, option->metavar);
    }
    value = arguments[++*i];
  }
  char *wrong = check_value(command, option, value);
  if (wrong == NULL) {
    keep_value(options, option, value);
  }
  return wrong;
}

DaeOptions *
dae_options_parse(const DaeCliCommand *command, int n, char **arguments, char **message)
{
  g_autoptr(DaeOptions) options = g_new0(DaeOptions, 1);
  options->values = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_values);
  options->files = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(options->files, NULL);
  bool only_files = false;
  for (int i = 0; i < n; i++) {
    const char *text = arguments[i];
    if (!only_files && strcmp(text, "--") == 0) {
      only_files = true;
    } else if (!only_files && text[0] == '-' && text[1] != '\0') {
      *message = parse_option(command, options, n, arguments, &i);
    } else if (dae_options_file(options) != NULL && !command->takes_many) {
      *message = g_strdup_printf("one model at a time, not '%s' and '%s'",
                                 dae_options_file(options), text);
    } else {
      g_ptr_array_insert(options->files, (gint)options->files->len - 1, g_strdup(text));
    }
    if (*message != NULL) {
      return NULL;
    }
  }
  return g_steal_pointer(&options);
}

bool
dae_options_wants_help(const DaeOptions *options)
{
  return g_hash_table_contains(options->values, "help");
}

const char *
dae_options_file(const DaeOptions *options)
{
  return g_ptr_array_index(options->files, 0);
}

const char *const *
dae_options_files(const DaeOptions *options)
{
  return (const char *const *)options->files->pdata;
}

const char *const *
dae_options_values(const DaeOptions *options, const char *name, guint *n)
{
  GPtrArray *values = g_hash_table_lookup(options->values, name);
  if (n != NULL) {
    *n = values == NULL ? 0 : values->len - 1;
  }
  return values == NULL ? no_values : (const char *const *)values->pdata;
}
