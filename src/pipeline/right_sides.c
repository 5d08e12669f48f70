#include "pipeline/right_sides.h"

#include "pipeline/watch.h"

enum { MOST_ROUNDS = 8, MOST_CONSTRAINTS = 2000 };

static bool
has_variable(DaeTerms *terms, DaeTerm t, DaeTerm variable)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, atoms);
  bool found = false;
  for (guint i = 0; i < atoms->len && !found; i++) {
    found = g_array_index(atoms, DaeTerm, i) == variable;
  }
  return found;
}

/* The right side of a constraint that is `variable = ...`; DAE_NO_TERM: it is another one. */
static DaeTerm
solved_for(DaeTerms *terms, DaeTerm constraint, DaeTerm variable)
{
  uint32_t n = 0;
  const DaeTerm *parts = dae_term_parts(terms, DAE_KIND_SUM, &constraint, &n);
  DaeTerm right = DAE_NO_TERM;
  for (uint32_t k = 0; k < n && right == DAE_NO_TERM; k++) {
    const DaeTerm part = parts[k];
    if (part == variable) {
      right = dae_term_sub(terms, variable, constraint);
    } else if (part == dae_term_neg(terms, variable)) {
      right = dae_term_add(terms, constraint, variable);
    } else {
      continue;
    }
    parts = dae_term_parts(terms, DAE_KIND_SUM, &constraint, &n);
  }
  return right != DAE_NO_TERM && !has_variable(terms, right, variable) ? right : DAE_NO_TERM;
}

static bool
has_derivative(const DaeProblem *problem, DaeTerm variable)
{
  for (guint e = 0; e < problem->columns->len; e++) {
    const uint32_t column = g_array_index(problem->columns, uint32_t, e);
    if (g_array_index(problem->unknowns, DaeTerm, column) == variable) {
      return true;
    }
  }
  return false;
}

/* What a constraint gives an unknown without a derivative; DAE_NO_TERM: none does so. *row: the
 * constraint. */
static DaeTerm
right_side_of(const DaeProblem *problem, DaeTerm variable, guint *row)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm right = DAE_NO_TERM;
  const guint n = problem->constraints->len;
  for (*row = 0; n <= MOST_CONSTRAINTS && *row < n; ++*row) {
    right = solved_for(terms, g_array_index(problem->constraints, DaeTerm, *row), variable);
    if (right != DAE_NO_TERM) {
      return has_derivative(problem, variable) ? DAE_NO_TERM : right;
    }
  }
  return DAE_NO_TERM;
}

DaeTerm
dae_problem_put_in_right_sides(const DaeProblem *problem, DaeTerm t)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autoptr(DaeSubst) subst = dae_subst_new(terms);
    dae_term_collect_variables(terms, t, atoms);
    for (guint a = 0; a < atoms->len; a++) {
      guint row = 0;
      const DaeTerm atom = g_array_index(atoms, DaeTerm, a);
      const DaeTerm right = right_side_of(problem, atom, &row);
      if (right != DAE_NO_TERM) {
        dae_subst_set(subst, atom, right);
      }
    }
    const DaeTerm next = dae_subst_apply(subst, t);
    if (next == t || next == DAE_NO_TERM) {
      break;
    }
    t = next;
  }
  return t;
}

/* ---- edges in rows ------------------------------------------------------------------------ */

/* `t`, constraint `own` or a right-hand side (G_MAXUINT). */
static DaeTerm
put_in_at_edges(const DaeProblem *problem, DaeTerm t, guint own)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  if (dae_term_is_polynomial(terms, t)) {
    return t; /* it has no edges */
  }
  g_autoptr(GArray) brinks = g_array_new(FALSE, FALSE, sizeof(DaeBrink));
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_watch_collect(terms, t, brinks);
  for (guint k = 0; k < brinks->len; k++) {
    const DaeBrink *brink = &g_array_index(brinks, DaeBrink, k);
    if (brink->is_edge) {
      dae_term_collect_variables(terms, brink->function, atoms);
    }
  }
  for (guint a = 0; a < atoms->len; a++) {
    guint row = 0;
    const DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    const DaeTerm right = right_side_of(problem, atom, &row);
    if (right != DAE_NO_TERM && row != own && dae_term_has_varying_break(terms, right)) {
      const DaeTerm next = dae_term_replace(terms, t, atom, right);
      t = next != DAE_NO_TERM ? next : t;
    }
  }
  return t;
}

DaeTerm
dae_problem_put_in_at_edges(const DaeProblem *problem, DaeTerm t)
{
  return t != DAE_NO_TERM ? put_in_at_edges(problem, t, G_MAXUINT) : t;
}

void
dae_problem_keep_off_edges(DaeProblem *problem)
{
  for (guint i = 0; i < problem->rhs->len; i++) {
    DaeTerm *row = &g_array_index(problem->rhs, DaeTerm, i);
    *row = put_in_at_edges(problem, *row, G_MAXUINT);
  }
  for (guint i = 0; i < problem->constraints->len; i++) {
    DaeTerm *row = &g_array_index(problem->constraints, DaeTerm, i);
    *row = put_in_at_edges(problem, *row, i);
  }
}
