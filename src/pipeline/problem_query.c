#include <math.h>
#include <stdlib.h>

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
  uint32_t n_rows = dae_qlt_n_rows(problem->qlt);
  bool is_constraint = row >= n_rows;
  const DaeQltConstraint *constraint =
      is_constraint ? dae_qlt_constraint(problem->qlt, row - n_rows) : NULL;
  const DaeQltOrigin *from =
      is_constraint ? constraint->from : dae_qlt_row(problem->qlt, row)->from;
  uint32_t n = is_constraint ? constraint->n_from : dae_qlt_row(problem->qlt, row)->n_from;
  g_autoptr(GString) text = g_string_new(NULL);
  if (is_constraint && constraint->is_hidden) {
    g_string_append_printf(text, "the hidden constraint of level %d from ", constraint->level);
  }
  if (n == 0) {
    g_string_append(text,
                    is_constraint && constraint->is_invariant ? "an invariant" : "an identity");
    return g_strdup(text->str);
  }
  uint32_t main_one =
      0; /* differentiated most often: the others only say what its derivatives are */
  for (uint32_t k = 1; k < n; k++) {
    main_one = from[k].order > from[main_one].order ? k : main_one;
  }
  const DaeEquation *equation = dae_model_equation(problem->model, from[main_one].equation);
  g_string_append_printf(text, "equation %u (line %u): ", from[main_one].equation,
                         equation->span.line);
  dae_model_print_equation(dae_pipeline_terms(problem->pipeline), equation, text);
  return g_strdup(text->str);
}

/* ---- values at the start --------------------------------------------------------------------- */

static bool
atom_at_start(void *user, DaeTerm atom, double *value)
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
         dae_term_eval_double(terms, dae_problem_take_actual(terms, closed), atom_at_start,
                              problem, value) == DAE_EVAL_OK;
}

/* [E; h_x] x' = [k; -h_t] as a problem for the start solver: linear, so one step settles it. */
typedef struct {
  const DaeEvaluator *evaluator;
  GArray *row_start, *columns; /* uint32_t */
  double *matrix, *right;
} Slopes;

static int
slopes_residual(const void *self, void *scratch, const double *v, double *r)
{
  const Slopes *slopes = self;
  (void)scratch;
  uint32_t m = slopes->evaluator->n_diff + slopes->evaluator->n_con;
  for (uint32_t i = 0; i < m; i++) {
    r[i] = -slopes->right[i];
    for (uint32_t e = g_array_index(slopes->row_start, uint32_t, i);
         e < g_array_index(slopes->row_start, uint32_t, i + 1); e++) {
      r[i] += slopes->matrix[e] * v[g_array_index(slopes->columns, uint32_t, e)];
    }
  }
  return 0;
}

static int
slopes_jacobian(const void *self, void *scratch, const double *v, double *values)
{
  const Slopes *slopes = self;
  (void)scratch;
  (void)v;
  for (guint e = 0; e < slopes->columns->len; e++) {
    values[e] = slopes->matrix[e];
  }
  return 0;
}

static void
append_pattern(Slopes *slopes, const DaePattern *pattern)
{
  for (uint32_t i = 0; i < pattern->n_rows; i++) {
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      g_array_append_val(slopes->columns, pattern->column[e]);
    }
    g_array_append_val(slopes->row_start, slopes->columns->len);
  }
}

void
dae_problem_find_slopes(DaeProblem *problem)
{
  const DaeEvaluator *evaluator = dae_problem_evaluator(problem);
  uint32_t m = evaluator->n_diff + evaluator->n_con;
  uint32_t zero = 0;
  Slopes slopes = {.evaluator = evaluator};
  slopes.row_start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  slopes.columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_val(slopes.row_start, zero);
  append_pattern(&slopes, &evaluator->mass);
  append_pattern(&slopes, &evaluator->constraint);
  slopes.matrix = g_new0(double, slopes.columns->len + 1);
  slopes.right = g_new0(double, m + 1);
  g_autofree double *gt = g_new0(double, evaluator->n_con + 1);
  void *scratch = dae_aligned_new0(evaluator->scratch_size);
  uint32_t n_mass = evaluator->mass.row_start[evaluator->n_diff];
  DaeOut out = {.f = slopes.right, .m = slopes.matrix};
  DaeJac jac = {.gx = slopes.matrix + n_mass, .gt = gt};
  bool ok =
      evaluator->eval(evaluator->self, scratch, 1, &problem->t_start, problem->x, &out) == 0 &&
      evaluator->jac(evaluator->self, scratch, problem->t_start, problem->x, problem->slopes,
                     &jac) == 0;
  for (uint32_t i = 0; i < evaluator->n_con; i++) {
    slopes.right[evaluator->n_diff + i] = -gt[i];
  }
  if (ok) {
    DaeStartProblem linear = {
        .n = evaluator->n,
        .m = m,
        .pattern = {m, evaluator->n, (const uint32_t *)(void *)slopes.row_start->data,
                    (const uint32_t *)(void *)slopes.columns->data},
        .self = &slopes,
        .residual = slopes_residual,
        .jacobian = slopes_jacobian,
    };
    g_autofree double *weights = g_new(double, evaluator->n + 1);
    for (uint32_t j = 0; j < evaluator->n; j++) {
      weights[j] = 1;
    }
    dae_solver_start(&linear, weights, 1e-12, problem->slopes);
  }
  free(scratch);
  g_free(slopes.matrix);
  g_free(slopes.right);
  g_array_free(slopes.row_start, TRUE);
  g_array_free(slopes.columns, TRUE);
}
