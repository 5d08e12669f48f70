/* daetool show: the model as it was understood. */
#include <string.h>

#include "cli/frame.h"

static const DaeCliOption options[] = {
    {"flat", DAE_OPTION_FLAG, NULL,
     "the flat model, also where the text is a model with components: the default"},
    {"evaluate", DAE_OPTION_FLAG, NULL,
     "put the values of parameters in and leave their declarations out"},
    {"names", DAE_OPTION_CHOICE, "models|variables|parameters",
     "only the names, one on a line; shells complete with it"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

static void
write_term(DaeJson *json, DaeTerms *terms, const char *key, DaeTerm term)
{
  dae_json_key(json, key);
  if (term == DAE_NO_TERM) {
    dae_json_null(json);
    return;
  }
  g_autofree char *text = dae_term_to_string(terms, term);
  dae_json_string(json, text);
}

static void
write_parameters(DaeJson *json, const DaeModel *model, DaeTerms *terms)
{
  dae_json_key(json, "parameters");
  dae_json_begin_array(json, false);
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    const DaeParameter *parameter = dae_model_parameter(model, k);
    dae_json_begin_object(json, true);
    dae_json_key(json, "name");
    dae_json_string(json, dae_terms_symbol_name(terms, parameter->symbol));
    if (parameter->type == DAE_TYPE_STRING) {
      dae_json_key(json, "value");
      dae_json_string(json, parameter->string_value);
    } else {
      write_term(json, terms, "value", parameter->value);
    }
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
write_variables(DaeJson *json, const DaeModel *model, DaeTerms *terms)
{
  dae_json_key(json, "variables");
  dae_json_begin_array(json, false);
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    const DaeVariable *variable = dae_model_variable(model, j);
    dae_json_begin_object(json, true);
    dae_json_key(json, "name");
    dae_json_string(json, dae_terms_symbol_name(terms, variable->symbol));
    write_term(json, terms, "start", variable->start);
    dae_json_key(json, "fixed");
    dae_json_bool(json, variable->fixed);
    dae_json_key(json, "unit");
    dae_json_string(json, variable->unit);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
write_equations(DaeJson *json, const DaeModel *model, DaeTerms *terms, bool initial)
{
  dae_json_key(json, initial ? "initial_equations" : "equations");
  dae_json_begin_array(json, false);
  uint32_t n = initial ? dae_model_n_initial_equations(model) : dae_model_n_equations(model);
  for (uint32_t i = 0; i < n; i++) {
    dae_json_begin_object(json, true);
    dae_report_json_equation(
        json, terms,
        initial ? dae_model_initial_equation(model, i) : dae_model_equation(model, i), i);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

/* Also of a text that cannot be read as a whole: it may be half written. */
static DaeExit
list_models(DaeCli *cli)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;
  if (!g_file_get_contents(dae_cli_model_file(cli), &text, NULL, &error)) {
    return dae_cli_fail(cli, g_error_new_literal(DAE_ERROR, DAE_ERROR_FILE, error->message));
  }
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  g_autoptr(GRegex) regex =
      g_regex_new("^\\s*(?:partial\\s+)?(?:model|class|block)\\s+('[^'\\n]*'|\\w+)",
                  G_REGEX_MULTILINE, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  g_regex_match(regex, valid, 0, &match);
  for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
    g_autofree char *name = g_match_info_fetch(match, 1);
    g_string_append_printf(dae_cli_out(cli), "%s\n", name);
  }
  return DAE_EXIT_OK;
}

static void
list_names(DaeCli *cli, const DaeModel *model, const DaeTerms *terms, bool variables)
{
  uint32_t n = variables ? dae_model_n_variables(model) : dae_model_n_parameters(model);
  for (uint32_t k = 0; k < n; k++) {
    DaeSymbol symbol = variables ? dae_model_variable(model, k)->symbol
                                 : dae_model_parameter(model, k)->symbol;
    g_string_append_printf(dae_cli_out(cli), "%s\n", dae_terms_symbol_name(terms, symbol));
  }
}

static DaeExit
run(DaeCli *cli)
{
  const char *names = dae_cli_string(cli, "names");
  if (g_strcmp0(names, "models") == 0 && strcmp(dae_cli_model_file(cli), "-") != 0) {
    return list_models(cli);
  }
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  if (pipeline == NULL) {
    return dae_cli_exit(cli);
  }
  const DaeModel *model = dae_pipeline_model(pipeline);
  DaeTerms *terms = dae_pipeline_terms(pipeline);
  if (names != NULL && strcmp(names, "models") != 0) {
    list_names(cli, model, terms, strcmp(names, "variables") == 0);
    return DAE_EXIT_OK;
  }
  if (names != NULL) {
    g_string_append_printf(dae_cli_out(cli), "%s\n", dae_model_name(model));
    return DAE_EXIT_OK;
  }
  if (!dae_cli_format_is(cli, "json")) {
    dae_model_print(model, terms, dae_cli_flag(cli, "evaluate"), dae_cli_out(cli));
    return DAE_EXIT_OK;
  }
  g_autoptr(DaeJson) json = dae_json_new(dae_cli_out(cli));
  dae_json_begin_object(json, false);
  dae_json_key(json, "model");
  dae_json_string(json, dae_model_name(model));
  write_parameters(json, model, terms);
  write_variables(json, model, terms);
  write_equations(json, model, terms, false);
  write_equations(json, model, terms, true);
  dae_json_end_object(json);
  return DAE_EXIT_OK;
}

const DaeCliCommand dae_command_show = {
    .name = "show",
    .summary = "the model as daetool understood it",
    .description = "Prints the model as flat Modelica, after names, types, arrays and "
                   "for-equations have been worked "
                   "out: one scalar variable or equation per line. Numbers are exact. Reading "
                   "the output gives the "
                   "same bytes again. A model with elements x[1], x[2] is printed as a `class` "
                   "in which each element "
                   "is declared by itself.",
    .formats = "text|json",
    .options = options,
    .example = "  $ daetool show examples/pendulum.mo --evaluate\n"
               "  model Pendulum \"Planar pendulum in Cartesian coordinates, index 3\"\n"
               "    Real x(start = 1);\n"
               "    Real y(start = 0, fixed = true) \"position\";\n"
               "    Real u(start = 0);\n"
               "    Real v(start = 0, fixed = true) \"velocity\";\n"
               "    Real lambda(start = 0) \"rod force per length and twice the mass\";\n"
               "  equation\n"
               "    der(x) = u;\n"
               "    der(y) = v;\n"
               "    der(u) + 2*x*lambda = 0;\n"
               "    der(v) + 2*y*lambda + 13.7503716373294544 = 0;\n"
               "    x^2 + y^2 = 1;\n"
               "  ...\n"
               "  end Pendulum;\n",
    .run = run,
};
