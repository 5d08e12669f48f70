#include <math.h>
#include <string.h>

#include "simple/simple-priv.h"

struct DaeSettings {
  GPtrArray *names, *values; /* owned texts */
};

static bool
is_known(const char *name, const char *known)
{
  g_auto(GStrv) list = g_strsplit(known, "|", -1);
  return g_strv_contains((const char *const *)list, name);
}

DaeSettings *
dae_settings_parse(const char *text, const char *known, GError **error)
{
  g_autoptr(DaeSettings) settings = g_new0(DaeSettings, 1);
  settings->names = g_ptr_array_new_with_free_func(g_free);
  settings->values = g_ptr_array_new_with_free_func(g_free);
  g_auto(GStrv) parts = g_strsplit_set(text != NULL ? text : "", ";\n", -1);
  for (char **part = parts; *part != NULL; part++) {
    g_strstrip(*part);
    if (**part == '\0') {
      continue;
    }
    char *value = strchr(*part, '=');
    if (value != NULL) {
      *value++ = '\0';
    }
    g_strstrip(*part);
    if (value == NULL || !is_known(*part, known)) {
      g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE,
                  value == NULL ? "option '%s' has no value; options are NAME=VALUE"
                                : "unknown option '%s'",
                  *part);
      return NULL;
    }
    g_ptr_array_add(settings->names, g_strdup(*part));
    g_ptr_array_add(settings->values, g_strdup(g_strstrip(value)));
  }
  return g_steal_pointer(&settings);
}

void
dae_settings_free(DaeSettings *settings)
{
  if (settings != NULL) {
    g_ptr_array_unref(settings->names);
    g_ptr_array_unref(settings->values);
    g_free(settings);
  }
}

const char **
dae_settings_texts(const DaeSettings *settings, const char *name)
{
  GPtrArray *texts = g_ptr_array_new();
  for (guint i = 0; i < settings->names->len; i++) {
    if (strcmp(g_ptr_array_index(settings->names, i), name) == 0) {
      g_ptr_array_add(texts, g_ptr_array_index(settings->values, i));
    }
  }
  g_ptr_array_add(texts, NULL);
  return (const char **)g_ptr_array_free(texts, FALSE);
}

const char *
dae_settings_text(const DaeSettings *settings, const char *name)
{
  const char *found = NULL;
  for (guint i = 0; i < settings->names->len; i++) { /* the last one counts */
    if (strcmp(g_ptr_array_index(settings->names, i), name) == 0) {
      found = g_ptr_array_index(settings->values, i);
    }
  }
  return found;
}

bool
dae_settings_flag(const DaeSettings *settings, const char *name)
{
  const char *text = dae_settings_text(settings, name);
  return text != NULL && strcmp(text, "0") != 0 && strcmp(text, "false") != 0;
}

bool
dae_settings_double(const DaeSettings *settings, const char *name, double *value,
                    GError **error)
{
  const char *text = dae_settings_text(settings, name);
  if (text == NULL) {
    return true;
  }
  char *end = NULL;
  double number = g_ascii_strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(number)) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "option %s takes a number, not '%s'", name,
                text);
    return false;
  }
  *value = number;
  return true;
}

bool
dae_settings_count(const DaeSettings *settings, const char *name, uint64_t *value,
                   GError **error)
{
  const char *text = dae_settings_text(settings, name);
  guint64 number = 0;
  if (text == NULL) {
    return true;
  }
  if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &number, NULL)) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "option %s takes a count, not '%s'", name,
                text);
    return false;
  }
  *value = number;
  return true;
}

/* ---- runs --------------------------------------------------------------------------------- */

static bool
set_method(const DaeSettings *settings, DaeSolverOptions *run, GError **error)
{
  static const char *const names[] = {[DAE_METHOD_RADAU] = "radau",
                                      [DAE_METHOD_AB3] = "ab3",
                                      [DAE_METHOD_BDF3] = "bdf3",
                                      [DAE_METHOD_EULER] = "euler",
                                      [DAE_METHOD_IMPLICIT_EULER] = "implicit-euler"};
  const char *name = dae_settings_text(settings, "method");
  for (size_t i = 0; name != NULL && i < G_N_ELEMENTS(names); i++) {
    if (strcmp(name, names[i]) == 0) {
      run->method = (DaeMethod)i;
      return true;
    }
  }
  if (name != NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "unknown method '%s'", name);
  }
  return name == NULL;
}

static bool
set_span(const DaeSettings *settings, const DaeExperiment *experiment, DaeSolverOptions *run,
         GError **error)
{
  run->t_start = isfinite(experiment->start) ? experiment->start : 0;
  if (!dae_settings_double(settings, "start", &run->t_start, error)) {
    return false;
  }
  run->t_stop = isfinite(experiment->stop) ? experiment->stop : run->t_start + 1;
  uint64_t intervals = 0;
  if (!dae_settings_double(settings, "stop", &run->t_stop, error) ||
      !dae_settings_count(settings, "intervals", &intervals, error)) {
    return false;
  }
  bool is_annotated = isfinite(experiment->interval) && experiment->interval > 0;
  run->interval = intervals > 0  ? (run->t_stop - run->t_start) / (double)intervals
                  : is_annotated ? experiment->interval
                                 : (run->t_stop - run->t_start) / 500;
  return dae_settings_double(settings, "interval", &run->interval, error);
}

static bool
set_fixed_step(const DaeSettings *settings, DaeSolverOptions *run, GError **error)
{
  bool is_implicit = run->method == DAE_METHOD_BDF3 || run->method == DAE_METHOD_IMPLICIT_EULER;
  uint64_t newton = is_implicit ? 2 : 0;
  uint64_t projections = 1;
  if (!dae_settings_double(settings, "step", &run->step, error) ||
      !dae_settings_count(settings, "newton", &newton, error) ||
      !dae_settings_count(settings, "projections", &projections, error)) {
    return false;
  }
  run->newton = (uint32_t)MIN(newton, 1000);
  run->projections = (uint32_t)MIN(projections, 1000);
  if (run->method != DAE_METHOD_RADAU && !(run->step > 0)) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "a method with a fixed step needs step=H");
    return false;
  }
  return true;
}

static bool
set_order(const DaeSettings *settings, DaeSolverOptions *run, GError **error)
{
  const char *order = dae_settings_text(settings, "order");
  if (order == NULL || strcmp(order, "auto") == 0) {
    return true;
  }
  if (strcmp(order, "5") != 0 && strcmp(order, "9") != 0 && strcmp(order, "13") != 0) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "order is 5, 9, 13 or auto, not '%s'",
                order);
    return false;
  }
  run->order = (int)g_ascii_strtoll(order, NULL, 10);
  return true;
}

bool
dae_settings_run(const DaeSettings *settings, const DaeExperiment *experiment,
                 DaeSolverOptions *run, GError **error)
{
  dae_solver_default_options(run);
  double tolerance = isfinite(experiment->tolerance) ? experiment->tolerance : 1e-6;
  if (!set_method(settings, run, error) || !set_span(settings, experiment, run, error) ||
      !set_fixed_step(settings, run, error) || !set_order(settings, run, error) ||
      !dae_settings_double(settings, "tol", &tolerance, error)) {
    return false;
  }
  run->rtol = run->atol = tolerance;
  run->no_xdot = true;
  if (!dae_settings_double(settings, "rtol", &run->rtol, error) ||
      !dae_settings_double(settings, "atol", &run->atol, error) ||
      !dae_settings_count(settings, "max-steps", &run->max_steps, error)) {
    return false;
  }
  if (!(run->t_stop >= run->t_start) || !(run->rtol > 0) || !(run->atol > 0) ||
      !(run->interval >= 0)) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE,
                "stop must not be before start, tolerances must be positive, interval must not "
                "be negative");
    return false;
  }
  return true;
}
