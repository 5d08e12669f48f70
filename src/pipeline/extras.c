#include "pipeline/extras.h"

#include <math.h>
#include <string.h>

#include "pipeline/problem-priv.h"

struct DaeExtras {
  DaeProblem *problem;
  GArray *list; /* DaeExtra */
  double *xdot;
};

static void
clear_extra(gpointer extra)
{
  g_free(((DaeExtra *)extra)->name);
  g_free(((DaeExtra *)extra)->unit);
}

/* Numbers that are not results already, as those found by the initialization are. */
static void
add_constants(DaeExtras *extras, DaeProblem *problem, GHashTable *taken)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    const DaeParameter *parameter = dae_model_parameter(model, k);
    const char *name = dae_terms_symbol_name(terms, parameter->symbol);
    double value = NAN;
    if (parameter->type == DAE_TYPE_STRING || g_hash_table_contains(taken, name)) {
      continue;
    }
    if (dae_problem_value_at_start(problem, dae_term_parameter(terms, parameter->symbol),
                                   &value)) {
      DaeExtra extra = {.name = g_strdup(name), .unit = g_strdup(parameter->unit)};
      extra.description = parameter->description;
      extra.is_constant = true;
      extra.value = value;
      g_array_append_val(extras->list, extra);
    }
  }
}

/* The variables whose derivative stands in an equation. */
static GHashTable *
differentiated(const DaeProblem *problem)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    g_array_set_size(atoms, 0);
    dae_term_collect_variables(terms, equation->lhs, atoms);
    dae_term_collect_variables(terms, equation->rhs, atoms);
    for (guint a = 0; a < atoms->len; a++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, a);
      if (dae_term_order(terms, atom) > 0) {
        const char *name = dae_terms_symbol_name(terms, dae_term_get_symbol(terms, atom));
        g_hash_table_add(names, (gpointer)name);
      }
    }
  }
  return names;
}

/* "m" -> "m/s", "m/s" -> "(m/s)/s" [MLS, chapter 19]. */
static char *
rate_unit(const char *unit)
{
  if (unit == NULL || unit[0] == '\0') {
    return NULL;
  }
  return strpbrk(unit, "/.") != NULL ? g_strdup_printf("(%s)/s", unit)
                                     : g_strdup_printf("%s/s", unit);
}

static void
add_derivatives(DaeExtras *extras, const DaeProblem *problem)
{
  g_autoptr(GHashTable) names = differentiated(problem);
  for (uint32_t k = 0; k < dae_problem_n_results(problem); k++) {
    DaeExtra extra = {.is_constant = false};
    const char *name = dae_problem_result_name(problem, k);
    if (g_hash_table_contains(names, name) &&
        dae_problem_result_unknown(problem, k, &extra.unknown, &extra.sign)) {
      extra.name = g_strdup_printf("der(%s)", name);
      extra.unit = rate_unit(dae_problem_result_unit(problem, k));
      g_array_append_val(extras->list, extra);
    }
  }
}

DaeExtras *
dae_extras_new(DaeProblem *problem)
{
  DaeExtras *extras = g_new0(DaeExtras, 1);
  extras->problem = problem;
  extras->xdot = g_new0(double, dae_problem_n(problem) + 1);
  extras->list = g_array_new(FALSE, TRUE, sizeof(DaeExtra));
  g_array_set_clear_func(extras->list, clear_extra);
  g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);
  for (uint32_t k = 0; k < dae_problem_n_results(problem); k++) {
    g_hash_table_add(taken, (gpointer)dae_problem_result_name(problem, k));
  }
  add_constants(extras, problem, taken);
  add_derivatives(extras, problem);
  return extras;
}

void
dae_extras_free(DaeExtras *extras)
{
  if (extras != NULL) {
    g_array_free(extras->list, TRUE);
    g_free(extras->xdot);
    g_free(extras);
  }
}

uint32_t
dae_extras_n(const DaeExtras *extras)
{
  return extras->list->len;
}

const DaeExtra *
dae_extras_at(const DaeExtras *extras, uint32_t i)
{
  return &g_array_index(extras->list, DaeExtra, i);
}

const double *
dae_extras_slopes(DaeExtras *extras, double t, const double *x)
{
  DaeProblem *problem = extras->problem;
  const double *segment =
      problem->instant != NULL ? dae_instant_segment(problem->instant) : problem->run_values;
  dae_problem_slopes_at(problem, segment, t, x, extras->xdot);
  return extras->xdot;
}
