/* Mistakes with discrete variables that no single statement shows. */
#include "hybrid/hybrid-priv.h"

/* The discrete value of a variable or derivative, from 0; DAE_HYBRID_NONE: it is continuous. */
static uint32_t
discrete_of(const DaeHybrid *hybrid, DaeTerm atom)
{
  uint32_t j = 0;
  bool found =
      dae_model_find_variable(hybrid->model, dae_term_get_symbol(hybrid->terms, atom), &j);
  uint32_t k = found ? g_array_index(hybrid->discrete_of_variable, uint32_t, j) : 0;
  return k > 0 ? k - 1 : DAE_HYBRID_NONE;
}

static const char *
name_of(const DaeHybrid *hybrid, DaeTerm atom)
{
  return dae_terms_symbol_name(hybrid->terms, dae_term_get_symbol(hybrid->terms, atom));
}

static bool
has_no_discrete_derivative(const DaeHybrid *hybrid, DaeTerm t, DaeSpan span, GError **error)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(hybrid->terms, t, atoms);
  for (guint i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    if (dae_term_order(hybrid->terms, atom) > 0 &&
        discrete_of(hybrid, atom) != DAE_HYBRID_NONE) {
      dae_hybrid_set_error(hybrid, span, error,
                           "'%s' is discrete: it has no derivative (a variable that is "
                           "assigned in a when-clause changes at events only)",
                           name_of(hybrid, atom));
      return false;
    }
  }
  return true;
}

static bool
check_equation(const DaeHybrid *hybrid, const DaeEquation *equation, GError **error)
{
  return has_no_discrete_derivative(hybrid, equation->lhs, equation->span, error) &&
         has_no_discrete_derivative(hybrid, equation->rhs, equation->span, error);
}

static bool
check_action(const DaeHybrid *hybrid, const DaeAction *action, GError **error)
{
  if (action->kind == DAE_ACTION_REINIT &&
      discrete_of(hybrid, action->target) != DAE_HYBRID_NONE) {
    dae_hybrid_set_error(hybrid, action->span, error,
                         "reinit() of the discrete variable '%s'; assign it in the "
                         "when-clause",
                         name_of(hybrid, action->target));
    return false;
  }
  return action->value == DAE_NO_TERM ||
         has_no_discrete_derivative(hybrid, action->value, action->span, error);
}

bool
dae_hybrid_check(const DaeHybrid *hybrid, GError **error)
{
  const DaeModel *model = hybrid->model;
  bool good = true;
  for (uint32_t i = 0; good && i < dae_model_n_equations(model); i++) {
    good = check_equation(hybrid, dae_model_equation(model, i), error);
  }
  for (uint32_t i = 0; good && i < dae_model_n_initial_equations(model); i++) {
    good = check_equation(hybrid, dae_model_initial_equation(model, i), error);
  }
  for (uint32_t w = 0; good && w < dae_model_n_whens(model); w++) {
    const DaeWhen *when = dae_model_when(model, w);
    for (uint32_t b = 0; good && b < when->n_branches; b++) {
      for (uint32_t i = 0; good && i < when->branches[b].n_actions; i++) {
        good = check_action(hybrid, &when->branches[b].actions[i], error);
      }
    }
  }
  return good;
}

/* z = time beside `when ... then z = 1`: an equation in which nothing is left to be found. */
bool
dae_hybrid_check_left(const DaeHybrid *hybrid, const uint8_t *is_taken, GError **error)
{
  DaeTerms *terms = hybrid->terms;
  for (uint32_t i = 0; i < dae_model_n_equations(hybrid->model); i++) {
    const DaeEquation *equation = dae_model_equation(hybrid->model, i);
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(terms, equation->lhs, atoms);
    dae_term_collect_variables(terms, equation->rhs, atoms);
    DaeTerm assigned = DAE_NO_TERM;
    bool is_continuous = false;
    for (guint a = 0; a < atoms->len; a++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, a);
      uint32_t k = discrete_of(hybrid, atom);
      is_continuous = is_continuous || k == DAE_HYBRID_NONE;
      if (k != DAE_HYBRID_NONE && g_array_index(hybrid->discrete, DaeDiscrete, k).is_when) {
        assigned = atom;
      }
    }
    if (is_taken[i] == 0 && !is_continuous && assigned != DAE_NO_TERM) {
      dae_hybrid_set_error(hybrid, equation->span, error,
                           "'%s' is assigned in a when-clause: this equation is one too many",
                           name_of(hybrid, assigned));
      return false;
    }
  }
  return true;
}
