/* Discrete values are known within a segment and change at events. To the structure they are
 * parameters; but "unless b = 0" is no rare coincidence of a parameter there, it is a mode of
 * the model. So a factor of the determinant counts as free of zeros only if no values of its
 * conditions make it zero; else the certificate is a point, and that names the mode it is
 * about. Likewise a parameter whose value is not known (fixed = false, or none is given): the
 * point says for which value the answer holds. */
#include "base/base.h"
#include "structural/sig-priv.h"

enum { MOST_CASES = 1024 /* combinations of conditions in one factor */ };

typedef struct { /* the factor where some of its conditions are chosen */
  DaeTerm term;
  GArray *chosen; /* DaeSigCondition */
} Case;

bool
dae_sig_is_discrete(const DaeSig *sig, DaeTerm atom)
{
  uint32_t k = 0;
  return dae_term_kind(sig->terms, atom) == DAE_KIND_PARAMETER &&
         !dae_model_find_parameter(sig->model, dae_term_get_symbol(sig->terms, atom), &k);
}

/* The initialization gives it its value, or nobody did. */
static bool
is_without_value(const DaeSig *sig, DaeTerm atom)
{
  uint32_t k = 0;
  return dae_model_find_parameter(sig->model, dae_term_get_symbol(sig->terms, atom), &k) &&
         dae_model_parameter_value(sig->model, sig->terms, k) == DAE_NO_TERM;
}

bool
dae_sig_has_open_values(const DaeSig *sig, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (dae_term_has_parameters(sig->terms, t)) {
    dae_term_collect_parameters(sig->terms, t, atoms);
  }
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    if (dae_sig_is_discrete(sig, atom) || is_without_value(sig, atom)) {
      return true;
    }
  }
  return false;
}

static void
free_case(gpointer data)
{
  Case *c = data;
  g_array_unref(c->chosen);
  g_free(c);
}

static Case *
new_case(DaeTerm term, const GArray *chosen)
{
  Case *c = g_new(Case, 1);
  c->term = term;
  c->chosen = g_array_new(FALSE, FALSE, sizeof(DaeSigCondition));
  if (chosen->len > 0) {
    g_array_append_vals(c->chosen, chosen->data, chosen->len);
  }
  return c;
}

/* Both branches of every if-term with this condition. */
static bool
split(DaeAlgebra *algebra, const Case *c, DaeTerm condition, GPtrArray *stack)
{
  for (int holds = 0; holds <= 1; holds++) {
    DaeTerm term = dae_algebra_choose_branch(algebra, c->term, condition, holds == 1);
    if (term == DAE_NO_TERM) {
      return false;
    }
    Case *next = new_case(dae_algebra_simplify(algebra, term), c->chosen);
    DaeSigCondition chosen = {condition, holds == 1};
    g_array_append_val(next->chosen, chosen);
    g_ptr_array_add(stack, next);
  }
  return true;
}

static bool
is_nonzero(DaeSig *sig, DaeAlgebra *algebra, DaeTerm t)
{
  int sign = 0;
  return dae_sig_has_open_values(sig, t) ? dae_algebra_sign(algebra, t, &sign) && sign != 0
                                         : dae_algebra_is_zero(algebra, t) == DAE_NONZERO;
}

/* The first case that is not zero tells the search for a point which mode to look at. */
static void
keep_mode(DaeSig *sig, const Case *c)
{
  if (sig->mode == NULL) {
    sig->mode = g_array_new(FALSE, FALSE, sizeof(DaeSigCondition));
  }
  if (c->chosen->len > 0) {
    g_array_append_vals(sig->mode, c->chosen->data, c->chosen->len);
  }
}

bool
dae_sig_is_nonzero_in_all_modes(DaeSig *sig, DaeAlgebra *algebra, DaeTerm t)
{
  if (!dae_sig_has_open_values(sig, t)) {
    return dae_algebra_is_zero(algebra, t) == DAE_NONZERO;
  }
  g_autoptr(GPtrArray) stack = g_ptr_array_new_with_free_func(free_case);
  g_autoptr(GArray) nothing = g_array_new(FALSE, FALSE, sizeof(DaeSigCondition));
  bool all = true;
  bool has_mode = false;
  g_ptr_array_add(stack, new_case(t, nothing));
  for (uint32_t n = 0; stack->len > 0 && (all || !has_mode); n++) {
    Case *c = g_ptr_array_steal_index(stack, stack->len - 1);
    DaeTerm condition = dae_algebra_outer_condition(algebra, c->term);
    if (condition != DAE_NO_TERM) {
      all = n < MOST_CASES && split(algebra, c, condition, stack) && all;
    } else if (!is_nonzero(sig, algebra, c->term)) {
      all = false;
    } else if (!has_mode) {
      keep_mode(sig, c);
      has_mode = true;
    }
    free_case(c);
    if (n >= MOST_CASES) {
      return false;
    }
  }
  return all;
}

/* Conditions of the front end are a discrete value that is true, or one beside 1/2. */
static bool
condition_is_about(const DaeSig *sig, DaeTerm condition, DaeTerm atom)
{
  return condition == atom ||
         (dae_term_kind(sig->terms, condition) == DAE_KIND_RELATION &&
          dae_term_relation_op(sig->terms, condition) == DAE_REL_LT &&
          dae_term_is_number(sig->terms, dae_term_operand(sig->terms, condition, 0)) &&
          dae_term_operand(sig->terms, condition, 1) == atom);
}

bool
dae_sig_value_in_mode(const DaeSig *sig, DaeTerm atom, bool *value)
{
  for (guint k = 0; sig->mode != NULL && k < sig->mode->len; k++) {
    const DaeSigCondition *chosen = &g_array_index(sig->mode, DaeSigCondition, k);
    if (condition_is_about(sig, chosen->condition, atom)) {
      *value = chosen->holds;
      return true;
    }
  }
  return false;
}

/* The discrete value that this condition is, or is about; DAE_NO_TERM: it is about more. */
static DaeTerm
atom_of_condition(const DaeSig *sig, DaeTerm condition)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (dae_term_has_parameters(sig->terms, condition)) {
    dae_term_collect_parameters(sig->terms, condition, atoms);
  }
  DaeTerm atom = atoms->len == 1 ? g_array_index(atoms, DaeTerm, 0) : DAE_NO_TERM;
  return atom != DAE_NO_TERM && dae_sig_is_discrete(sig, atom) &&
                 condition_is_about(sig, condition, atom)
             ? atom
             : DAE_NO_TERM;
}

bool
dae_sig_vanishes_in_mode(const DaeSig *sig, DaeAlgebra *algebra, DaeTerm factor,
                         DaeAtomValue value_of, void *user, GArray *atoms)
{
  DaeTerm condition = dae_algebra_outer_condition(algebra, factor);
  for (uint32_t n = 0; condition != DAE_NO_TERM && factor != DAE_NO_TERM; n++) {
    DaeTerm atom = atom_of_condition(sig, condition);
    double value = 0;
    if (n >= MOST_CASES || atom == DAE_NO_TERM || !value_of(user, atom, &value)) {
      return false;
    }
    g_array_append_val(atoms, atom);
    factor = dae_algebra_choose_branch(algebra, factor, condition, value != 0);
    condition =
        factor != DAE_NO_TERM ? dae_algebra_outer_condition(algebra, factor) : DAE_NO_TERM;
  }
  return factor != DAE_NO_TERM && atoms->len > 0 &&
         dae_algebra_is_zero(algebra, factor) == DAE_ZERO;
}

bool
dae_sig_keeps_sign_in_cases(DaeAlgebra *algebra, DaeTerm t)
{
  g_autoptr(GPtrArray) stack = g_ptr_array_new_with_free_func(free_case);
  g_autoptr(GArray) nothing = g_array_new(FALSE, FALSE, sizeof(DaeSigCondition));
  bool all = dae_algebra_outer_condition(algebra, t) != DAE_NO_TERM;
  int common = 0;
  g_ptr_array_add(stack, new_case(t, nothing));
  for (uint32_t n = 0; stack->len > 0 && all; n++) {
    Case *c = g_ptr_array_steal_index(stack, stack->len - 1);
    DaeTerm condition = dae_algebra_outer_condition(algebra, c->term);
    if (condition != DAE_NO_TERM) {
      all = n < MOST_CASES && split(algebra, c, condition, stack);
    } else {
      int sign = 0;
      all = dae_algebra_sign(algebra, c->term, &sign) && sign != 0 && sign * common >= 0;
      common = sign;
    }
    free_case(c);
  }
  return all;
}
