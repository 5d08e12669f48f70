#include "pipeline/events.h"

/* What is the derivative of this unknown, by a row in which no other derivative
 * stands? DAE_NO_TERM: there is none. */
static DaeTerm
explicit_slope(const DaeProblem *problem, DaeSubst *values, DaeSymbol symbol)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (uint32_t i = 0; i < dae_qlt_n_rows(problem->qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(problem->qlt, i);
    if (row->n == 1 && dae_qlt_unknown(problem->qlt, row->columns[0]) == symbol) {
      DaeTerm slope = dae_term_div(terms, row->rhs, row->coefficients[0]);
      return slope == DAE_NO_TERM ? slope : dae_subst_apply(values, slope);
    }
  }
  return DAE_NO_TERM;
}

/* The derivative of the highest order that a row of its own explains is replaced by what the
 * row says, so often differentiated; until there is none, or the condition has become too
 * long. Orders fall, so this ends. */
static DaeTerm
lower_derivatives(const DaeProblem *problem, DaeSubst *values, DaeTerm condition)
{
  enum { MOST_ROUNDS = 200, LONGEST = 20000 };

  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    DaeTerm highest = DAE_NO_TERM;
    DaeTerm slope = DAE_NO_TERM;
    dae_term_collect_variables(terms, condition, atoms);
    for (guint i = 0; i < atoms->len; i++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, i);
      if (dae_term_order(terms, atom) == 0 ||
          (highest != DAE_NO_TERM &&
           dae_term_order(terms, atom) <= dae_term_order(terms, highest))) {
        continue;
      }
      DaeTerm found = explicit_slope(problem, values, dae_term_get_symbol(terms, atom));
      highest = found != DAE_NO_TERM ? atom : highest;
      slope = found != DAE_NO_TERM ? found : slope;
    }
    if (highest == DAE_NO_TERM) {
      break;
    }
    for (uint32_t order = dae_term_order(terms, highest); order > 1; order--) {
      slope = dae_term_total(terms, slope);
    }
    DaeTerm lowered = dae_term_replace(terms, condition, highest, slope);
    if (lowered == DAE_NO_TERM || dae_term_size(terms, lowered) > LONGEST) {
      break;
    }
    condition = lowered;
  }
  return condition;
}

static DaeTerm
lower_with(const DaeProblem *problem, DaeSubst *values, DaeTerm t)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm result = DAE_NO_TERM;
  dae_pipeline_replace_solved(problem->pipeline, &t, 1, &result);
  result = dae_subst_apply(values, result);
  if (result == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  result = dae_homotopy_take_actual(terms, result);
  for (uint32_t i = dae_qlt_n_introduced(problem->qlt); i-- > 0;) {
    const DaeQltIntroduced *introduced = dae_qlt_introduced(problem->qlt, i);
    result = dae_term_replace(terms, result, introduced->meaning,
                              dae_term_variable(terms, introduced->symbol, 0));
  }
  return lower_derivatives(problem, values, result);
}

DaeTerm
dae_problem_lower_term(const DaeProblem *problem, DaeTerm t)
{
  return lower_with(problem, problem->values, t);
}

DaeTerm
dae_problem_lower_for_run(const DaeProblem *problem, DaeTerm t)
{
  return lower_with(problem, problem->kept, t);
}
