/* Free parameters (fixed = false) that the initial equations make numbers.
 *
 * The axis of a joint that is computed at the start from directions that turn out constant,
 * n_b = {0, 0, 1}, decides the structure: where e[2] is a symbol it may serve as a pivot, and at
 * its value the reduced equations would be singular. What an initial equation says holds for
 * every solution, so that the number may stand in the equations. The initial equation stays. */
#include "simplify/simplify-priv.h"

static bool
is_free(const DaeSimplifier *s, DaeTerm atom)
{
  uint32_t k = 0;
  if (!dae_model_find_parameter(s->model, dae_term_get_symbol(s->terms, atom), &k)) {
    return false;
  }
  const DaeParameter *parameter = dae_model_parameter(s->model, k);
  return parameter->is_free && !parameter->is_discrete_start && !parameter->is_variable;
}

/* c*p + k = 0 with numbers c, k and a free parameter p? */
static bool
gives_number(DaeSimplifier *s, DaeTerm t, DaeTerm *parameter, DaeTerm *value)
{
  g_array_set_size(s->atoms, 0);
  dae_term_collect_variables(s->terms, t, s->atoms);
  if (s->atoms->len > 0 || dae_term_has_time(s->terms, t)) {
    return false;
  }
  dae_term_collect_parameters(s->terms, t, s->atoms);
  if (s->atoms->len != 1) {
    return false;
  }
  *parameter = g_array_index(s->atoms, DaeTerm, 0);
  if (!is_free(s, *parameter)) {
    return false;
  }
  DaeTerm c = dae_term_partial(s->terms, t, *parameter);
  DaeTerm k = dae_term_replace(s->terms, t, *parameter, dae_term_int(s->terms, 0));
  if (c == DAE_NO_TERM || k == DAE_NO_TERM || !dae_term_is_number(s->terms, c) ||
      dae_term_is_zero(s->terms, c) || !dae_term_is_number(s->terms, k)) {
    return false;
  }
  *value = dae_term_neg(s->terms, dae_term_div(s->terms, k, c));
  return true;
}

static DaeTerm
with_numbers(DaeSimplifier *s, DaeTerm t)
{
  DaeTerm closed = dae_subst_apply(s->values, t);
  closed = closed != DAE_NO_TERM ? dae_subst_apply(s->learned, closed) : DAE_NO_TERM;
  return closed != DAE_NO_TERM ? dae_terms_rewrite(s->terms, closed) : DAE_NO_TERM;
}

static bool
learn_from_initial(DaeSimplifier *s, uint8_t *is_used)
{
  bool is_new = false;
  for (uint32_t i = 0; i < dae_model_n_initial_equations(s->model); i++) {
    const DaeEquation *equation = dae_model_initial_equation(s->model, i);
    DaeTerm parameter = DAE_NO_TERM;
    DaeTerm value = DAE_NO_TERM;
    if (is_used[i] != 0) {
      continue;
    }
    DaeTerm t = with_numbers(s, dae_term_sub(s->terms, equation->lhs, equation->rhs));
    t = t != DAE_NO_TERM ? dae_simplifier_replace(s, t) : DAE_NO_TERM;
    t = t != DAE_NO_TERM ? with_numbers(s, t) : DAE_NO_TERM;
    if (t != DAE_NO_TERM && gives_number(s, t, &parameter, &value)) {
      dae_subst_set(s->learned, parameter, value);
      is_used[i] = 1;
      is_new = true;
    }
  }
  return is_new;
}

/* Parameters computed from them: e = n/sqrt(n*n). */
static bool
learn_from_parameters(DaeSimplifier *s, uint8_t *is_known)
{
  bool is_new = false;
  for (uint32_t k = 0; k < dae_model_n_parameters(s->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(s->model, k);
    if (is_known[k] != 0 || parameter->is_free || parameter->value == DAE_NO_TERM) {
      continue;
    }
    DaeTerm p = dae_term_parameter(s->terms, parameter->symbol);
    DaeTerm t = with_numbers(s, parameter->value);
    is_known[k] = t != DAE_NO_TERM && dae_term_is_number(s->terms, t);
    if (is_known[k] != 0 && dae_subst_apply(s->values, p) == p) {
      dae_subst_set(s->learned, p, t);
      is_new = true;
    }
  }
  return is_new;
}

static void
put_in(DaeSimplifier *s)
{
  for (uint32_t j = 0; j < s->n; j++) {
    DaeTerm value = s->replacement[j];
    DaeTerm closed = value != DAE_NO_TERM ? dae_subst_apply(s->learned, value) : DAE_NO_TERM;
    s->replacement[j] =
        closed != DAE_NO_TERM && closed != value ? dae_terms_rewrite(s->terms, closed) : value;
  }
  for (uint32_t i = 0; i < s->m; i++) {
    DaeTerm t = s->residual[i] != DAE_NO_TERM ? dae_simplifier_whole(s, i) : DAE_NO_TERM;
    DaeTerm closed = t != DAE_NO_TERM ? dae_subst_apply(s->learned, t) : DAE_NO_TERM;
    if (closed != DAE_NO_TERM && closed != t) {
      dae_simplifier_restate(s, i, dae_terms_rewrite(s->terms, closed));
    }
  }
}

static bool
has_free_parameters(const DaeSimplifier *s)
{
  for (uint32_t k = 0; k < dae_model_n_parameters(s->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(s->model, k);
    if (is_free(s, dae_term_parameter(s->terms, parameter->symbol))) {
      return true;
    }
  }
  return false;
}

void
dae_simplify_initial(DaeSimplifier *s)
{
  if (s->values == NULL || !has_free_parameters(s)) {
    return;
  }
  g_autofree uint8_t *is_used = g_new0(uint8_t, dae_model_n_initial_equations(s->model) + 1);
  g_autofree uint8_t *is_known = g_new0(uint8_t, dae_model_n_parameters(s->model) + 1);
  s->learned = dae_subst_new(s->terms);
  while (s->is_sound && learn_from_initial(s, is_used)) {
    while (learn_from_parameters(s, is_known)) {
    }
    put_in(s);
    dae_simplify_aliases(s);
  }
}
