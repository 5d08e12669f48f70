/* From the options to a pipeline with the model read. */
#include "cli/frame-priv.h"

#include <string.h>

#include "cli/similar.h"
#include "pipeline/annotations.h"

/* ", 1 equation", ", 3 equations" */
static void
append_count(GString *out, const char *before, uint32_t n, const char *word)
{
  g_string_append_printf(out, "%s%u %s%s", before, n, word, n == 1 ? "" : "s");
}

static void
note_model(DaeCli *cli)
{
  const DaeModel *model = dae_pipeline_model(cli->pipeline);
  uint32_t n_parameters = 0;
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    n_parameters += !dae_model_parameter(model, k)->is_constant;
  }
  g_autoptr(GString) counts = g_string_new(NULL);
  append_count(counts, "", dae_model_n_variables(model), "variable");
  append_count(counts, ", ", dae_model_n_equations(model), "equation");
  append_count(counts, ", ", dae_model_n_initial_equations(model), "initial equation");
  append_count(counts, ", ", n_parameters, "parameter");
  dae_cli_note(cli, "%s: model %s with %s", dae_model_file(model), dae_model_name(model),
               counts->str);
}

/* A column that is no input is likely a slip; a table without any is a mistake. */
static bool
columns_are_inputs(DaeCli *cli)
{
  const DaeModel *model = dae_pipeline_model(cli->pipeline);
  const char *const *names =
      cli->input_table != NULL ? dae_input_table_names(cli->input_table) : NULL;
  bool any = names == NULL;
  for (size_t k = 0; names != NULL && names[k] != NULL; k++) {
    any = any || dae_model_has_input(model, names[k]);
  }
  for (size_t k = 0; any && names != NULL && names[k] != NULL; k++) {
    if (!dae_model_has_input(model, names[k])) {
      dae_cli_warn(cli, "--input-file: column '%s' is no input of the model", names[k]);
    }
  }
  if (!any) {
    dae_cli_usage(cli, "--input-file: no column of %s is an input of the model",
                  dae_cli_string(cli, "input-file"));
  }
  return any;
}

/* What rests on a wrong annotation is not begun. */
static bool
annotations_hold(DaeCli *cli)
{
  if (!dae_cli_flag(cli, "check-annotations")) {
    return true;
  }
  DaeAnnotationCounts counts = dae_annotations_check(
      dae_pipeline_model(cli->pipeline), dae_pipeline_terms(cli->pipeline), &cli->reporter);
  if (counts.wrong > 0) {
    cli->exit_code = DAE_EXIT_NEGATIVE;
  }
  return counts.wrong == 0;
}

const char *const *
dae_cli_libraries(DaeCli *cli)
{
  const char *const *paths = dae_cli_strings(cli, "library", NULL);
  for (const char *const *path = paths; *path != NULL; path++) {
    if (!g_file_test(*path, G_FILE_TEST_EXISTS)) {
      dae_cli_fail(cli, g_error_new(DAE_ERROR, DAE_ERROR_FILE,
                                    "--library %s: there is no such file or folder", *path));
      return NULL;
    }
  }
  return paths;
}

DaePipeline *
dae_cli_pipeline(DaeCli *cli)
{
  if (cli->pipeline != NULL) {
    return cli->pipeline;
  }
  const char *const *libraries = dae_cli_libraries(cli);
  if (libraries == NULL) {
    return NULL;
  }
  DaeReadOptions options = {
      .model = dae_cli_string(cli, "model"),
      .overrides = dae_cli_strings(cli, "set", NULL),
      .inputs = dae_cli_strings(cli, "input", NULL),
      .libraries = libraries,
      .inputs_are_symbols = cli->command->inputs_at_run_time,
      .rounds_long_values = cli->command->works_in_doubles,
      .keep_loops = dae_cli_flag(cli, "keep-loops"),
      .check_annotations = dae_cli_flag(cli, "check-annotations"),
  };
  GError *error = NULL;
  const char *table = dae_cli_string(cli, "input-file");
  if (table != NULL) {
    cli->input_table = dae_input_table_read(table, &error);
    if (cli->input_table == NULL) {
      dae_cli_fail(cli, error);
      return NULL;
    }
    options.symbols = dae_input_table_names(cli->input_table);
  }
  g_atomic_pointer_set(&cli->pipeline, dae_pipeline_new(&cli->reporter));
  dae_pipeline_set_input_table(cli->pipeline, cli->input_table);
  if (!dae_pipeline_read_file(cli->pipeline, dae_options_file(cli->options), &options,
                              &error)) {
    g_autofree char *similar =
        error->code == DAE_ERROR_FILE ? dae_similar_file(dae_options_file(cli->options)) : NULL;
    if (similar != NULL) {
      g_autofree char *old = error->message;
      error->message = g_strdup_printf("%s; did you mean '%s'?", old, similar);
    }
    dae_cli_fail(cli, error);
    return NULL;
  }
  if (!columns_are_inputs(cli)) {
    return NULL;
  }
  note_model(cli);
  if (dae_cli_flag(cli, "check-units")) {
    dae_model_check_units(dae_pipeline_model(cli->pipeline), dae_pipeline_terms(cli->pipeline),
                          &cli->reporter);
  }
  return annotations_hold(cli) ? cli->pipeline : NULL;
}

DaeTerm
dae_cli_expression(DaeCli *cli, const char *option, const char *text)
{
  GError *error = NULL;
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  DaeTerm term = dae_model_parse_expression(dae_pipeline_model(pipeline),
                                            dae_pipeline_terms(pipeline), text, NULL, &error);
  if (term == DAE_NO_TERM) {
    const char *message = error != NULL ? error->message : "no expression";
    bool has_place = g_str_has_prefix(message, "expression:1:");
    dae_cli_usage(cli, "--%s %s: %s%s", option, text, has_place ? "column " : "",
                  has_place ? message + strlen("expression:1:") : message);
    g_clear_error(&error);
  }
  return term;
}

DaeExit
dae_cli_exit(const DaeCli *cli)
{
  return cli->exit_code;
}
