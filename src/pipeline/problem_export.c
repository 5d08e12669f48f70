/* What the exporter needs of a problem: names, units, numbers of the parameters. */
#include <math.h>

#include "export/export.h"
#include "pipeline/problem-priv.h"

/* Names and values of the parameters that have a number. */
static void
collect_parameters(DaeProblem *problem, GPtrArray *names, GArray *values)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (uint32_t k = 0; k < dae_model_n_parameters(problem->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(problem->model, k);
    const DaeTerm value =
        parameter->type == DAE_TYPE_STRING
            ? DAE_NO_TERM
            : dae_subst_apply(problem->values, dae_term_parameter(terms, parameter->symbol));
    double number = NAN;
    if (value != DAE_NO_TERM && dae_problem_value_at_start(problem, value, &number) &&
        isfinite(number)) {
      g_ptr_array_add(names, (char *)dae_terms_symbol_name(terms, parameter->symbol));
      g_array_append_val(values, number);
    }
  }
}

bool
dae_problem_export(DaeProblem *problem, const DaeSolverOptions *options, const char *prefix,
                   char **header, char **source, GError **error)
{
  const uint32_t n = dae_problem_n(problem);
  g_autofree const char **names = g_new0(const char *, (size_t)n + 1);
  g_autofree const char **units = g_new0(const char *, (size_t)n + 1);
  g_autoptr(GPtrArray) parameter_names = g_ptr_array_new();
  g_autoptr(GArray) parameter_values = g_array_new(FALSE, FALSE, sizeof(double));
  for (uint32_t j = 0; j < n; j++) {
    names[j] = dae_problem_name(problem, j);
    units[j] = dae_problem_unit(problem, j);
  }
  collect_parameters(problem, parameter_names, parameter_values);
  const DaeExportInput input = {
      .terms = dae_problem_terms(problem),
      .parts = dae_problem_parts(problem),
      .evaluator = dae_problem_evaluator(problem),
      .model = dae_model_name(problem->model),
      .prefix = prefix,
      .version = dae_version(),
      .names = names,
      .units = units,
      .start = problem->x,
      .slopes = problem->slopes,
      .t_start = problem->t_start,
      .n_parameters = parameter_values->len,
      .parameter_names = (const char *const *)parameter_names->pdata,
      .parameter_values = (const double *)(void *)parameter_values->data,
  };
  return dae_export_c(&input, options, header, source, error);
}
