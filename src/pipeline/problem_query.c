#include "pipeline/problem-priv.h"

uint32_t
dae_problem_n(const DaeProblem *problem)
{
  return problem->unknowns->len;
}

const char *
dae_problem_name(const DaeProblem *problem, uint32_t j)
{
  return dae_terms_symbol_name(dae_pipeline_terms(problem->pipeline),
                               dae_qlt_unknown(problem->qlt, j));
}

const char *
dae_problem_unit(const DaeProblem *problem, uint32_t j)
{
  uint32_t k = 0;
  return dae_model_find_variable(problem->model, dae_qlt_unknown(problem->qlt, j), &k)
             ? dae_model_variable(problem->model, k)->unit
             : NULL;
}

const char *
dae_problem_description(const DaeProblem *problem, uint32_t j)
{
  uint32_t k = 0;
  return dae_model_find_variable(problem->model, dae_qlt_unknown(problem->qlt, j), &k)
             ? dae_model_variable(problem->model, k)->description
             : NULL;
}

bool
dae_problem_is_introduced(const DaeProblem *problem, uint32_t j)
{
  uint32_t k = 0;
  return !dae_model_find_variable(dae_pipeline_model(problem->pipeline),
                                  dae_qlt_unknown(problem->qlt, j), &k);
}

const double *
dae_problem_start(const DaeProblem *problem)
{
  return problem->x;
}

const double *
dae_problem_start_slopes(const DaeProblem *problem)
{
  return problem->slopes;
}

double
dae_problem_start_residual(const DaeProblem *problem)
{
  return problem->start_residual;
}

double
dae_problem_t_start(const DaeProblem *problem)
{
  return problem->t_start;
}

const double *
dae_problem_nominal(const DaeProblem *problem)
{
  return problem->nominal;
}

const DaeEvaluator *
dae_problem_evaluator(const DaeProblem *problem)
{
  return dae_system_evaluator(problem->system);
}

const double *
dae_problem_segment(const DaeProblem *problem)
{
  return problem->instant != NULL ? dae_instant_segment(problem->instant) : problem->run_values;
}

const DaeSystemParts *
dae_problem_parts(const DaeProblem *problem)
{
  return &problem->parts;
}

DaeTerms *
dae_problem_terms(const DaeProblem *problem)
{
  return dae_pipeline_terms(problem->pipeline);
}

char *
dae_problem_describe_row(const DaeProblem *problem, uint32_t row)
{
  uint32_t n_rows = dae_qlt_n_rows(problem->qlt) + dae_qlt_n_constraints(problem->qlt);
  if (row >= n_rows && row - n_rows < problem->open_columns->len) {
    uint32_t column = g_array_index(problem->open_columns, uint32_t, row - n_rows);
    return g_strdup_printf("%s keeps its value where the equations leave it open",
                           dae_terms_symbol_name(dae_problem_terms(problem),
                                                 dae_qlt_unknown(problem->qlt, column)));
  }
  return dae_qlt_describe_row(problem->qlt, dae_problem_terms(problem), row);
}

DaeStartInput
dae_problem_start_input(const DaeProblem *problem)
{
  return (DaeStartInput){.terms = dae_problem_terms(problem),
                         .qlt = problem->qlt,
                         .model = problem->model,
                         .initial =
                             dae_pipeline_initial(problem->pipeline, problem->t_start)->part,
                         .values = problem->values,
                         .nominal = problem->nominal,
                         .t_start = problem->t_start};
}

/* ---- values at the start --------------------------------------------------------------------- */

bool
dae_problem_atom_at_start(void *user, DaeTerm atom, double *value)
{
  const DaeProblem *problem = user;
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  if (dae_term_kind(terms, atom) == DAE_KIND_TIME) {
    *value = problem->t_start;
    return true;
  }
  for (guint j = 0; j < problem->unknowns->len; j++) {
    if (g_array_index(problem->unknowns, DaeTerm, j) == atom) {
      *value = problem->x[j];
      return true;
    }
  }
  return false;
}

bool
dae_problem_value_at_start(DaeProblem *problem, DaeTerm t, double *value)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm closed = dae_subst_apply(problem->values, t);
  return closed != DAE_NO_TERM &&
         dae_term_eval_double(terms, dae_homotopy_take_actual(terms, closed),
                              dae_problem_atom_at_start, problem, value) == DAE_EVAL_OK;
}
