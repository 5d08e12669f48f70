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
      dae_hybrid_set_error(
          hybrid, span, error,
          "'%s' is discrete: it has no derivative (a variable that is "
          "assigned in a when-clause changes at events only; reinit(%s, value) "
          "is for continuous ones)",
          name_of(hybrid, atom), name_of(hybrid, atom));
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
         (has_no_discrete_derivative(hybrid, action->value, action->span, error) &&
          (action->kind != DAE_ACTION_ASSIGN ||
           dae_hybrid_check_whole(hybrid, action->target, action->value, action->span, error)));
}

/* ---- a when-clause whose condition depends on what it assigns ---------------------------- */

static bool
assigns(const DaeWhen *when, DaeTerm variable)
{
  for (uint32_t b = 0; b < when->n_branches; b++) {
    const DaeWhenBranch *branch = &when->branches[b];
    for (uint32_t i = 0; i < branch->n_actions; i++) {
      if (branch->actions[i].kind == DAE_ACTION_ASSIGN &&
          branch->actions[i].target == variable) {
        return true;
      }
    }
  }
  return false;
}

/* No order of evaluation exists then [MLS, 8.3.5.1 and 8.6]: pre(v) is meant. */
static bool
check_conditions(const DaeHybrid *hybrid, const DaeWhen *when, GError **error)
{
  for (uint32_t b = 0; b < when->n_branches; b++) {
    const DaeWhenBranch *branch = &when->branches[b];
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    for (uint32_t i = 0; i < branch->n_conditions; i++) {
      dae_term_collect_variables(hybrid->terms, branch->conditions[i], atoms);
    }
    for (guint a = 0; a < atoms->len; a++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, a);
      if (assigns(when, atom)) {
        const char *name = name_of(hybrid, atom);
        dae_hybrid_set_error(hybrid, branch->span, error,
                             "the condition of this when-clause depends on '%s', which the "
                             "clause assigns; write pre(%s)",
                             name, name);
        return false;
      }
    }
  }
  return true;
}

/* ---- reinit of one variable in several when-clauses -------------------------------------- */

typedef struct {
  const DaeWhenBranch *branch;
  const DaeAction *action;
  uint32_t when;
} Reset;

/* g > 0 or g >= 0 for a relation; DAE_NO_TERM: it is none of these. */
static DaeTerm
guard_of(DaeTerms *terms, DaeTerm condition, bool *is_strict)
{
  if (dae_term_kind(terms, condition) != DAE_KIND_RELATION) {
    return DAE_NO_TERM;
  }
  DaeRelation op = dae_term_relation_op(terms, condition);
  const DaeTerm *sides = dae_term_operands(terms, condition, NULL);
  *is_strict = op == DAE_REL_GT || op == DAE_REL_LT;
  return op == DAE_REL_GT || op == DAE_REL_GE   ? dae_term_sub(terms, sides[0], sides[1])
         : op == DAE_REL_LT || op == DAE_REL_LE ? dae_term_sub(terms, sides[1], sides[0])
                                                : DAE_NO_TERM;
}

/* Can two conditions never become true at once? x < 0 and x > 1 exclude each other; time > 1
 * and time > 2 become true one after the other. */
static bool
exclude_each_other(const DaeHybrid *hybrid, DaeTerm a, DaeTerm b)
{
  DaeTerms *terms = hybrid->terms;
  bool a_strict = false;
  bool b_strict = false;
  DaeTerm g = guard_of(terms, a, &a_strict);
  DaeTerm h = guard_of(terms, b, &b_strict);
  if (g == DAE_NO_TERM || h == DAE_NO_TERM) {
    return false;
  }
  g_autoptr(DaeSubst) values = dae_model_parameter_subst(hybrid->model, terms);
  DaeTerm sum = dae_subst_apply(values, dae_term_add(terms, g, h));
  DaeTerm difference = dae_subst_apply(values, dae_term_sub(terms, g, h));
  if (sum != DAE_NO_TERM && dae_term_is_number(terms, sum)) {
    int sign = dae_term_sign(terms, sum);
    return sign < 0 || (sign == 0 && (a_strict || b_strict));
  }
  return difference != DAE_NO_TERM && dae_term_is_number(terms, difference) &&
         dae_term_sign(terms, difference) != 0; /* a continuous quantity passes two levels */
}

static bool
branches_exclude_each_other(const DaeHybrid *hybrid, const DaeWhenBranch *a,
                            const DaeWhenBranch *b)
{
  for (uint32_t i = 0; i < a->n_conditions; i++) {
    for (uint32_t k = 0; k < b->n_conditions; k++) {
      if (!exclude_each_other(hybrid, a->conditions[i], b->conditions[k])) {
        return false;
      }
    }
  }
  return true;
}

/* Two resets of one variable: in branches of one clause, in branches of an if-equation, or at
 * different instants [MLS, 8.3.6]. */
static bool
may_stand_together(const DaeHybrid *hybrid, const Reset *a, const Reset *b)
{
  if (a->branch == b->branch) {
    return a->action->condition != DAE_NO_TERM && b->action->condition != DAE_NO_TERM;
  }
  return a->when == b->when || branches_exclude_each_other(hybrid, a->branch, b->branch);
}

static bool
check_reset(const DaeHybrid *hybrid, GArray *resets, const Reset *reset, GError **error)
{
  for (guint i = 0; i < resets->len; i++) {
    const Reset *other = &g_array_index(resets, Reset, i);
    if (other->action->target == reset->action->target &&
        !may_stand_together(hybrid, other, reset)) {
      g_autofree char *place = dae_span_text(other->action->span);
      dae_hybrid_set_error(hybrid, reset->action->span, error,
                           "a second reinit() of '%s' (another one: %s) may be taken at the "
                           "same instant; make it an elsewhen of the first one's when-clause",
                           name_of(hybrid, reset->action->target), place);
      return false;
    }
  }
  g_array_append_val(resets, *reset);
  return true;
}

static bool
check_resets(const DaeHybrid *hybrid, GError **error)
{
  g_autoptr(GArray) resets = g_array_new(FALSE, FALSE, sizeof(Reset));
  for (uint32_t w = 0; w < dae_model_n_whens(hybrid->model); w++) {
    const DaeWhen *when = dae_model_when(hybrid->model, w);
    for (uint32_t b = 0; b < when->n_branches; b++) {
      const DaeWhenBranch *branch = &when->branches[b];
      for (uint32_t i = 0; i < branch->n_actions; i++) {
        Reset reset = {branch, &branch->actions[i], w};
        if (branch->actions[i].kind == DAE_ACTION_REINIT &&
            !check_reset(hybrid, resets, &reset, error)) {
          return false;
        }
      }
    }
  }
  return true;
}

/* A condition that makes no events would never be seen to become true. */
static bool
check_course(const DaeHybrid *hybrid, const DaeWhenBranch *branch, GError **error)
{
  for (uint32_t i = 0; i < branch->n_conditions; i++) {
    if (!dae_hybrid_changes_at_events_only(hybrid, branch->conditions[i])) {
      g_autoptr(GString) text = g_string_new(NULL);
      dae_term_print_limited(hybrid->terms, branch->conditions[i], text, 80);
      dae_hybrid_set_error(hybrid, branch->span, error,
                           "the condition of a when-clause changes at events only, but %s "
                           "changes without one",
                           text->str);
      return false;
    }
  }
  return true;
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
    good = check_conditions(hybrid, when, error);
    for (uint32_t b = 0; good && b < when->n_branches; b++) {
      good = check_course(hybrid, &when->branches[b], error);
      for (uint32_t i = 0; good && i < when->branches[b].n_actions; i++) {
        good = check_action(hybrid, &when->branches[b].actions[i], error);
      }
    }
  }
  return good && check_resets(hybrid, error);
}

/* The discrete variable that an equation is one too many for: it has a value already, from a
 * when-clause or another equation; DAE_NO_TERM: there is something left to be found in it. */
static DaeTerm
find_assigned(const DaeHybrid *hybrid, const DaeEquation *equation)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(hybrid->terms, equation->lhs, atoms);
  dae_term_collect_variables(hybrid->terms, equation->rhs, atoms);
  DaeTerm assigned = DAE_NO_TERM;
  for (guint a = 0; a < atoms->len; a++) {
    const DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    const uint32_t k = discrete_of(hybrid, atom);
    if (k == DAE_HYBRID_NONE) {
      return DAE_NO_TERM;
    }
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    const bool stands_alone = atom == equation->lhs || atom == equation->rhs;
    assigned = discrete->is_when || (stands_alone && assigned == DAE_NO_TERM) ? atom : assigned;
  }
  return assigned;
}

/* z = time beside `when ... then z = 1`: an equation in which nothing is left to be found. */
bool
dae_hybrid_check_left(const DaeHybrid *hybrid, const uint8_t *is_taken, GError **error)
{
  for (uint32_t i = 0; i < dae_model_n_equations(hybrid->model); i++) {
    const DaeEquation *equation = dae_model_equation(hybrid->model, i);
    const DaeTerm assigned = is_taken[i] == 0 ? find_assigned(hybrid, equation) : DAE_NO_TERM;
    if (assigned == DAE_NO_TERM) {
      continue;
    }
    const DaeDiscrete *discrete =
        &g_array_index(hybrid->discrete, DaeDiscrete, discrete_of(hybrid, assigned));
    g_autofree char *other = dae_span_text(discrete->span);
    dae_hybrid_set_error(
        hybrid, equation->span, error, "'%s' is assigned in %s: this equation is one too many",
        name_of(hybrid, assigned), discrete->is_when ? "a when-clause" : other);
    return false;
  }
  return true;
}
