/* What the stages say, as JSON and as arrays. */
#include "report/analyze.h"
#include "report/init.h"
#include "report/reduce.h"
#include "simple/simple-priv.h"

static const DaePage plain = {.color = false};

static const char *
hand_out(const GString *text, size_t *length)
{
  if (length != NULL) {
    *length = text->len;
  }
  return text->str;
}

static const char *
nothing(size_t *length)
{
  if (length != NULL) {
    *length = 0;
  }
  return NULL;
}

static const DaeSig *
analyze(DaetoolModel *model, const char *text)
{
  GError *error = NULL;
  DaePipeline *pipeline = dae_simple_begin(model);
  g_autoptr(DaeSettings) settings =
      pipeline != NULL ? dae_settings_parse(text, "no-repair", &error) : NULL;
  const DaeSig *sig = NULL;
  if (settings != NULL) {
    DaeSigOptions options = dae_sig_default_options;
    options.repair = !dae_settings_flag(settings, "no-repair");
    sig = dae_pipeline_analyze(pipeline, &options, &error);
  }
  if (error != NULL) {
    dae_simple_fail(model, error);
  }
  return sig;
}

const char *
daetool_analyze_json(DaetoolModel *model, const char *options, size_t *length)
{
  const DaeSig *sig = analyze(model, options);
  if (sig == NULL) {
    return nothing(length);
  }
  const bool is_good =
      dae_sig_status(sig) == DAE_SIG_SUCCESS || dae_sig_status(sig) == DAE_SIG_REPAIRED;
  g_autoptr(DaeInputNeeds) inputs =
      is_good ? dae_pipeline_input_needs(model->pipeline, DAE_STAGE_ANALYZE) : NULL;
  const DaeAnalyzeView view = {&plain,
                               dae_pipeline_terms(model->pipeline),
                               dae_pipeline_model(model->pipeline),
                               sig,
                               inputs,
                               NULL};
  g_string_truncate(model->analysis, 0);
  dae_analyze_json(&view, model->analysis);
  return hand_out(model->analysis, length);
}

static bool
read_elimination(const DaeSettings *settings, DaeEliminate *mode, GError **error)
{
  const char *name = dae_settings_text(settings, "eliminate");
  *mode = DAE_ELIMINATE_AUTO;
  for (DaeEliminate i = DAE_ELIMINATE_AUTO; i <= DAE_ELIMINATE_NEVER; i++) {
    if (g_strcmp0(name, dae_reduce_mode_name(i)) == 0) {
      *mode = i;
      return true;
    }
  }
  if (name != NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE,
                "eliminate is auto, always or never, not '%s'", name);
  }
  return name == NULL;
}

const char *
daetool_reduce_json(DaetoolModel *model, const char *options, size_t *length)
{
  GError *error = NULL;
  DaePipeline *pipeline = dae_simple_begin(model);
  g_autoptr(DaeSettings) settings =
      pipeline != NULL ? dae_settings_parse(options, "eliminate", &error) : NULL;
  DaeQltOptions wanted = {.eliminate = DAE_ELIMINATE_AUTO};
  const DaeQlt *qlt = settings != NULL && read_elimination(settings, &wanted.eliminate, &error)
                          ? dae_pipeline_reduce(pipeline, &wanted, &error)
                          : NULL;
  if (qlt == NULL) {
    if (error != NULL) {
      dae_simple_fail(model, error);
    }
    return nothing(length);
  }
  g_autofree char *why = NULL;
  bool is_checked = dae_pipeline_has_surplus(pipeline);
  if (is_checked) {
    dae_pipeline_verify_reduction(pipeline, qlt, &why);
  }
  const DaeVerified verified = {"reduction", why};
  g_string_truncate(model->reduction, 0);
  g_autoptr(DaeInputNeeds) inputs = dae_pipeline_input_needs(pipeline, DAE_STAGE_REDUCE);
  dae_reduce_json(qlt, dae_pipeline_terms(pipeline), wanted.eliminate, inputs,
                  is_checked ? &verified : NULL, model->reduction);
  return hand_out(model->reduction, length);
}

const char *
daetool_check_init_json(DaetoolModel *model, size_t *length)
{
  GError *error = NULL;
  DaePipeline *pipeline = dae_simple_begin(model);
  g_autofree char *open = pipeline != NULL ? dae_pipeline_doubt_surplus(pipeline) : NULL;
  const DaeInitOptions options = {.open_unless_inconsistent = open};
  const DaeInit *init =
      pipeline != NULL ? dae_pipeline_check_init(pipeline, &options, &error) : NULL;
  const DaeSig *sig = init != NULL ? dae_pipeline_analyze(pipeline, NULL, &error) : NULL;
  if (sig == NULL) {
    if (error != NULL) {
      dae_simple_fail(model, error);
    }
    return nothing(length);
  }
  g_string_truncate(model->verdict, 0);
  const DaeInitView view = {.page = &plain,
                            .init = init,
                            .model = dae_sig_model(sig),
                            .sig = sig,
                            .terms = dae_pipeline_terms(pipeline),
                            .out = model->verdict};
  const DaeProofVerdict none = {.is_wanted = false};
  dae_init_report_json(&view, &none);
  return hand_out(model->verdict, length);
}

/* The structure, where it is one. */
static const DaeSig *
regular(DaetoolModel *model)
{
  const DaeSig *sig = analyze(model, NULL);
  return sig != NULL && dae_sig_status(sig) != DAE_SIG_STRUCTURALLY_SINGULAR ? sig : NULL;
}

int
daetool_structural_index(DaetoolModel *model)
{
  const DaeSig *sig = regular(model);
  return sig != NULL ? dae_sig_index(sig) : -1;
}

int64_t
daetool_degrees_of_freedom(DaetoolModel *model)
{
  const DaeSig *sig = regular(model);
  return sig != NULL ? dae_sig_dof(sig) : -1;
}

const int32_t *
daetool_equation_offsets(DaetoolModel *model, size_t *n)
{
  const DaeSig *sig = regular(model);
  *n = sig != NULL ? dae_sig_n_rows(sig) : 0;
  return sig != NULL ? dae_sig_c(sig) : NULL;
}

const int32_t *
daetool_variable_offsets(DaetoolModel *model, size_t *n)
{
  const DaeSig *sig = regular(model);
  *n = sig != NULL ? dae_sig_n_columns(sig) : 0;
  return sig != NULL ? dae_sig_d(sig) : NULL;
}
