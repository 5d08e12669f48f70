/* Handles of models: reading, values of parameters, errors as texts. */
#include <math.h>
#include <string.h>

#include "simple/simple-priv.h"

const char *
daetool_version(void)
{
  return dae_version();
}

/* ---- errors --------------------------------------------------------------------------------- */

static int
code_of(const GError *error)
{
  if (error->domain != DAE_ERROR) {
    return 6;
  }
  switch ((DaeErrorCode)error->code) {
  case DAE_ERROR_NEGATIVE:
    return 1;
  case DAE_ERROR_USAGE:
    return 2;
  case DAE_ERROR_MODEL:
  case DAE_ERROR_UNSUPPORTED:
    return 3;
  case DAE_ERROR_UNDECIDED:
    return 4;
  case DAE_ERROR_NUMERIC:
    return 5;
  case DAE_ERROR_FILE:
    return 6;
  }
  return 6;
}

int
dae_simple_fail(DaetoolModel *model, GError *error)
{
  g_free(model->error);
  model->error = g_strdup(error->message);
  model->code = code_of(error);
  g_error_free(error);
  return model->code;
}

const char *
daetool_error(const DaetoolModel *model)
{
  return model->error;
}

int
daetool_error_code(const DaetoolModel *model)
{
  return model->code;
}

const char *
daetool_messages(const DaetoolModel *model)
{
  return model->messages->str;
}

static void
keep_message(void *user, const DaeDiagnostic *diagnostic)
{
  static const char *const words[] = {
      [DAE_NOTE] = "note", [DAE_WARNING] = "warning", [DAE_FAILURE] = "error"};
  DaetoolModel *model = user;
  if (diagnostic->file != NULL) {
    g_string_append_printf(model->messages, "%s:%u:%u: ", diagnostic->file,
                           diagnostic->span.line, diagnostic->span.column);
  }
  g_string_append_printf(model->messages, "%s: %s\n", words[diagnostic->severity],
                         diagnostic->message);
}

/* ---- reading -------------------------------------------------------------------------------- */

static void
forget_results(DaetoolModel *model)
{
  g_clear_pointer(&model->problem, dae_problem_free);
  g_clear_pointer(&model->runner, dae_pipeline_free);
  g_clear_pointer(&model->pipeline, dae_pipeline_free);
  g_string_truncate(model->analysis, 0);
  g_string_truncate(model->reduction, 0);
  g_string_truncate(model->verdict, 0);
  g_string_truncate(model->source, 0);
}

static DaePipeline *
read_model(DaetoolModel *model, const DaeReporter *reporter)
{
  const DaeReadOptions options = {
      .model = model->class_name,
      .overrides = (const char *const *)model->overrides->pdata,
      .inputs = (const char *const *)model->inputs,
  };
  GError *error = NULL;
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(reporter);
  bool ok = model->path != NULL
                ? dae_pipeline_read_file(pipeline, model->path, &options, &error)
                : dae_pipeline_read_text(pipeline, "<text>", model->text, strlen(model->text),
                                         &options, &error);
  if (!ok) {
    dae_simple_fail(model, error);
    return NULL;
  }
  return g_steal_pointer(&pipeline);
}

/* What reading says is told once, by the pipeline of the stages. */
static void
keep_later_message(void *user, const DaeDiagnostic *diagnostic)
{
  const DaetoolModel *model = user;
  if (model->runner != NULL) {
    keep_message(user, diagnostic);
  }
}

DaePipeline *
dae_simple_runner(DaetoolModel *model)
{
  if (model->runner == NULL) {
    const DaeReporter reporter = {.diagnostic = keep_later_message, .user = model};
    model->runner = read_model(model, &reporter);
    if (model->runner != NULL) {
      dae_pipeline_set_simplify(model->runner, NULL);
    }
  }
  return model->runner;
}

DaePipeline *
dae_simple_begin(DaetoolModel *model)
{
  g_clear_pointer(&model->error, g_free);
  model->code = 0;
  if (model->pipeline == NULL) {
    const DaeReporter reporter = {.diagnostic = keep_message, .user = model};
    g_string_truncate(model->messages, 0);
    model->pipeline = read_model(model, &reporter);
  }
  return model->pipeline;
}

static DaetoolModel *
model_new(const char *path, const char *text, const char *options)
{
  dae_init();
  DaetoolModel *model = g_new0(DaetoolModel, 1);
  GError *error = NULL;
  g_autoptr(DaeSettings) settings = dae_settings_parse(options, "model|set|input", &error);
  model->path = g_strdup(path);
  model->text = g_strdup(text);
  model->overrides = g_ptr_array_new_with_free_func(g_free);
  model->messages = g_string_new(NULL);
  model->analysis = g_string_new(NULL);
  model->reduction = g_string_new(NULL);
  model->verdict = g_string_new(NULL);
  model->source = g_string_new(NULL);
  if (settings != NULL) {
    g_autofree const char **inputs = dae_settings_texts(settings, "input");
    g_autofree const char **overrides = dae_settings_texts(settings, "set");
    for (size_t i = 0; overrides[i] != NULL; i++) {
      g_ptr_array_add(model->overrides, g_strdup(overrides[i]));
    }
    model->inputs = g_strdupv((char **)inputs);
    model->class_name = g_strdup(dae_settings_text(settings, "model"));
  }
  g_ptr_array_add(model->overrides, NULL);
  if (settings == NULL) {
    dae_simple_fail(model, error);
  } else {
    (void)dae_simple_begin(model);
  }
  return model;
}

DaetoolModel *
daetool_read_file(const char *path, const char *options)
{
  return model_new(path, NULL, options);
}

DaetoolModel *
daetool_read_text(const char *text, const char *options)
{
  return model_new(NULL, text, options);
}

void
daetool_free(DaetoolModel *model)
{
  if (model == NULL) {
    return;
  }
  forget_results(model);
  g_free(model->path);
  g_free(model->text);
  g_ptr_array_unref(model->overrides);
  g_free(model->class_name);
  g_strfreev(model->inputs);
  g_string_free(model->messages, TRUE);
  g_string_free(model->analysis, TRUE);
  g_string_free(model->reduction, TRUE);
  g_string_free(model->verdict, TRUE);
  g_string_free(model->source, TRUE);
  g_free(model->error);
  g_free(model);
}

/* ---- names ---------------------------------------------------------------------------------- */

static const DaeModel *
read_one(const DaetoolModel *model)
{
  return model->pipeline != NULL ? dae_pipeline_model(model->pipeline) : NULL;
}

size_t
daetool_n_variables(const DaetoolModel *model)
{
  return read_one(model) != NULL ? dae_model_n_variables(read_one(model)) : 0;
}

const char *
daetool_variable_name(const DaetoolModel *model, size_t j)
{
  return j < daetool_n_variables(model)
             ? dae_terms_symbol_name(dae_pipeline_terms(model->pipeline),
                                     dae_model_variable(read_one(model), (uint32_t)j)->symbol)
             : NULL;
}

const char *
daetool_variable_unit(const DaetoolModel *model, size_t j)
{
  return j < daetool_n_variables(model) ? dae_model_variable(read_one(model), (uint32_t)j)->unit
                                        : NULL;
}

ptrdiff_t
daetool_find_variable(const DaetoolModel *model, const char *name)
{
  uint32_t j = 0;
  return model->pipeline != NULL && dae_pipeline_find_variable(model->pipeline, name, &j)
             ? (ptrdiff_t)j
             : -1;
}

size_t
daetool_n_parameters(const DaetoolModel *model)
{
  return read_one(model) != NULL ? dae_model_n_parameters(read_one(model)) : 0;
}

const char *
daetool_parameter_name(const DaetoolModel *model, size_t k)
{
  return k < daetool_n_parameters(model)
             ? dae_terms_symbol_name(dae_pipeline_terms(model->pipeline),
                                     dae_model_parameter(read_one(model), (uint32_t)k)->symbol)
             : NULL;
}

double
daetool_parameter_value(const DaetoolModel *model, size_t k)
{
  double value = NAN;
  if (k >= daetool_n_parameters(model) ||
      dae_model_parameter(read_one(model), (uint32_t)k)->type == DAE_TYPE_STRING) {
    return NAN;
  }
  DaeTerms *terms = dae_pipeline_terms(model->pipeline);
  DaeTerm t = dae_model_parameter_value(read_one(model), terms, (uint32_t)k);
  return t != DAE_NO_TERM && dae_term_eval_double(terms, t, NULL, NULL, &value) == DAE_EVAL_OK
             ? value
             : NAN;
}

int
daetool_set(DaetoolModel *model, const char *name, double value)
{
  uint32_t k = 0;
  if (dae_simple_begin(model) == NULL) {
    return model->code;
  }
  const char *why = !isfinite(value) ? "'%s' takes a finite number"
                    : !dae_pipeline_find_parameter(model->pipeline, name, &k)
                        ? "there is no parameter '%s'"
                    : dae_model_parameter(read_one(model), k)->type == DAE_TYPE_STRING
                        ? "'%s' takes a text, not a number"
                        : NULL;
  if (why != NULL) {
    g_autofree char *message = g_strdup_printf(why, name);
    return dae_simple_fail(model, g_error_new_literal(DAE_ERROR, DAE_ERROR_USAGE, message));
  }
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr(number, sizeof number, value);
  g_ptr_array_remove_index(model->overrides, model->overrides->len - 1);
  g_ptr_array_add(model->overrides, g_strdup_printf("%s=%s", name, number));
  g_ptr_array_add(model->overrides, NULL);
  forget_results(model);
  if (dae_simple_begin(model) == NULL) { /* not with this value: back to the last good ones */
    int code = model->code;
    g_autofree char *told = g_strdup(model->error);
    g_ptr_array_remove_index(model->overrides, model->overrides->len - 2);
    (void)dae_simple_begin(model);
    return dae_simple_fail(
        model,
        g_error_new_literal(DAE_ERROR, code == 2 ? DAE_ERROR_USAGE : DAE_ERROR_MODEL, told));
  }
  return 0;
}
