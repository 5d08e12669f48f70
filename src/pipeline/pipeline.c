#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pipeline/pipeline-priv.h"

typedef struct {
  gpointer result;
  GDestroyNotify free_result;
} Owned;

DaePipeline *
dae_pipeline_new(const DaeReporter *reporter)
{
  DaePipeline *pipeline = g_new0(DaePipeline, 1);
  if (reporter != NULL) {
    pipeline->reporter = *reporter;
  }
  /* Tests change the hash seed to show that no output depends on it. */
  const char *seed = g_getenv("DAETOOL_HASH_SEED");
  pipeline->terms = seed != NULL
                        ? dae_terms_new_with_seed((uint32_t)g_ascii_strtoull(seed, NULL, 10))
                        : dae_terms_new();
  pipeline->owned = g_ptr_array_new();
  pipeline->limits_at = NAN;
  pipeline->initial_problems =
      g_ptr_array_new_with_free_func((GDestroyNotify)dae_pipeline_initial_free);
  pipeline->invariants = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  return pipeline;
}

void
dae_pipeline_free(DaePipeline *pipeline)
{
  if (pipeline == NULL) {
    return;
  }
  for (guint i = pipeline->owned->len; i > 0; i--) {
    Owned *owned = g_ptr_array_index(pipeline->owned, i - 1);
    owned->free_result(owned->result);
    g_free(owned);
  }
  g_ptr_array_free(pipeline->initial_problems, TRUE);
  g_ptr_array_free(pipeline->owned, TRUE);
  g_array_free(pipeline->invariants, TRUE);
  dae_terms_free(pipeline->terms);
  g_free(pipeline);
}

void
dae_pipeline_own(DaePipeline *pipeline, gpointer result, GDestroyNotify free_result)
{
  if (result == NULL) {
    return;
  }
  Owned *owned = g_new(Owned, 1);
  *owned = (Owned){result, free_result};
  g_ptr_array_add(pipeline->owned, owned);
}

static double
cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

DaeStageClock
dae_pipeline_begin_stage(DaePipeline *pipeline, DaeStage stage)
{
  DaeStageClock clock = {pipeline, stage, (DaeStage)g_atomic_int_get(&pipeline->stage),
                         cpu_seconds()};
  g_atomic_int_set(&pipeline->stage, (gint)stage);
  return clock;
}

void
dae_pipeline_end_stage(const DaeStageClock *clock)
{
  clock->pipeline->seconds[clock->stage] += cpu_seconds() - clock->cpu_start;
}

double
dae_pipeline_seconds(const DaePipeline *pipeline, DaeStage stage)
{
  return pipeline->seconds[stage];
}

DaeStage
dae_pipeline_stage(const DaePipeline *pipeline)
{
  return (DaeStage)g_atomic_int_get(&pipeline->stage);
}

DaeTerms *
dae_pipeline_terms(DaePipeline *pipeline)
{
  return pipeline->terms;
}

const DaeModel *
dae_pipeline_model(const DaePipeline *pipeline)
{
  return pipeline->model;
}

const DaeReporter *
dae_pipeline_reporter(const DaePipeline *pipeline)
{
  return &pipeline->reporter;
}

void
dae_pipeline_set_budget(DaePipeline *pipeline, DaeBudget *budget)
{
  pipeline->budget = budget;
  if (pipeline->algebra != NULL) {
    dae_algebra_set_budget(pipeline->algebra, budget);
  }
}

DaeAlgebra *
dae_pipeline_algebra(DaePipeline *pipeline)
{
  if (pipeline->algebra == NULL) {
    pipeline->algebra = dae_algebra_new(pipeline->terms, pipeline->budget);
    dae_pipeline_own(pipeline, pipeline->algebra, (GDestroyNotify)dae_algebra_free);
  }
  return pipeline->algebra;
}

static void
recipe_free(gpointer data)
{
  DaeRecipe *recipe = data;
  g_free(recipe->name);
  g_free((char *)recipe->options.model);
  g_strfreev((char **)recipe->options.overrides);
  g_strfreev((char **)recipe->options.inputs);
  g_strfreev((char **)recipe->options.symbols);
  g_free(recipe);
}

static void
keep_recipe(DaePipeline *pipeline, const char *name, const char *text, size_t length,
            const DaeReadOptions *options)
{
  DaeRecipe *recipe = g_new0(DaeRecipe, 1);
  recipe->name = g_strdup(name);
  recipe->text = text;
  recipe->length = length;
  if (pipeline->source == NULL || pipeline->source->str != text) {
    char *copy = g_memdup2(text, length + (length == 0 ? 1 : 0));
    dae_pipeline_own(pipeline, copy, g_free);
    recipe->text = copy;
  }
  if (options != NULL) {
    recipe->options = *options;
    recipe->options.model = g_strdup(options->model);
    recipe->options.overrides =
        (const char *const *)g_strdupv((char **)(void *)options->overrides);
    recipe->options.inputs = (const char *const *)g_strdupv((char **)(void *)options->inputs);
    recipe->options.symbols = (const char *const *)g_strdupv((char **)(void *)options->symbols);
  }
  pipeline->recipe = recipe;
  dae_pipeline_own(pipeline, recipe, recipe_free);
}

bool
dae_pipeline_read_text(DaePipeline *pipeline, const char *name, const char *text, size_t length,
                       const DaeReadOptions *options, GError **error)
{
  if (pipeline->model != NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE,
                "a pipeline reads one model; this one has read %s",
                dae_model_file(pipeline->model));
    return false;
  }
  keep_recipe(pipeline, name, text, length, options);
  DaeStageClock clock = dae_pipeline_begin_stage(pipeline, DAE_STAGE_READ);
  pipeline->model =
      dae_model_read(pipeline->terms, name, text, length, options, &pipeline->reporter, error);
  dae_pipeline_own(pipeline, pipeline->model, (GDestroyNotify)dae_model_free);
  dae_pipeline_end_stage(&clock);
  return pipeline->model != NULL;
}

/* Whole stream into memory; works for pipes as well. What has a NUL is no text: what comes up
 * to there is enough for the message (/dev/zero and /dev/urandom have no end). Texts above 4
 * GiB are refused by the reader. */
static GString *
read_stream(FILE *stream)
{
  GString *text = g_string_new(NULL);
  static const gsize block = 1 << 18;
  gsize got = block;
  bool has_nul = false;
  while (got > 0 && text->len <= UINT32_MAX && !has_nul) {
    gsize old = text->len;
    g_string_set_size(text, old + block);
    got = fread(text->str + old, 1, block, stream);
    g_string_set_size(text, old + got);
    has_nul = memchr(text->str + old, '\0', got) != NULL;
  }
  return text;
}

static void
free_text(gpointer text)
{
  g_string_free(text, TRUE);
}

const char *
dae_pipeline_source(const DaePipeline *pipeline, size_t *length)
{
  *length = pipeline->source != NULL ? pipeline->source->len : 0;
  return pipeline->source != NULL ? pipeline->source->str : NULL;
}

GString *
dae_read_whole_file(const char *path, GError **error)
{
  bool is_stdin = strcmp(path, "-") == 0;
  errno = 0;
  FILE *stream = is_stdin ? stdin : fopen(path, "re");
  if (stream == NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "%s: cannot read: %s", path,
                g_strerror(errno));
    return NULL;
  }
  errno = 0;
  GString *text = read_stream(stream);
  int code = ferror(stream) != 0 ? (errno != 0 ? errno : EIO) : 0;
  if (!is_stdin) {
    fclose(stream);
  }
  if (code != 0) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "%s: cannot read: %s", path,
                g_strerror(code));
    g_string_free(text, TRUE);
    return NULL;
  }
  return text;
}

bool
dae_pipeline_read_file(DaePipeline *pipeline, const char *path, const DaeReadOptions *options,
                       GError **error)
{
  bool is_stdin = strcmp(path, "-") == 0;
  if (!is_stdin && *path != '\0' && !g_str_has_suffix(path, ".mo") &&
      strchr(path, '/') == NULL &&
      !g_file_test(path, G_FILE_TEST_EXISTS)) { /* the name of a class */
    return dae_pipeline_read_text(pipeline, path, NULL, 0, options, error);
  }
  GString *text = dae_read_whole_file(path, error);
  if (text == NULL) {
    return false;
  }
  dae_pipeline_own(pipeline, text, free_text);
  pipeline->source = text;
  return dae_pipeline_read_text(pipeline, is_stdin ? "<stdin>" : path, text->str, text->len,
                                options, error);
}
