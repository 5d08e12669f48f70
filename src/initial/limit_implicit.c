/* Unknowns that an equation gives implicitly: x + x^3 = time, der(x) + der(x)^3 = 2 - x.
 *
 * Where F(y, ...) = 0 is for y and dF/dy does not vanish at the start, y is an analytic function of
 * what else stands in F (implicit function theorem), and y' = -(F' - dF/dy*y')/(dF/dy). So y is
 * taken for a state: its value at the start stays y, its derivatives are explained. That dF/dy is
 * not 0 there is asked for where the quotient is (limit_value.c: domains of functions). */
#include "initial/limit-priv.h"

/* Equations that wait for one another are looked at in both directions in turn. */
#define MOST_ROUNDS 8

static gpointer
symbol_of(const DaeLimits *limits, DaeTerm atom)
{
  return GUINT_TO_POINTER(dae_term_get_symbol(limits->terms, atom));
}

/* The only atom of the equation that is no state and that nothing explains; NO_TERM: there are none
 * or several. */
static DaeTerm
only_open_atom(const DaeLimits *limits, GHashTable *explained, const DaeEquation *equation)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(limits->terms, equation->lhs, atoms);
  dae_term_collect_variables(limits->terms, equation->rhs, atoms);
  DaeTerm open = DAE_NO_TERM;
  for (guint a = 0; a < atoms->len; a++) {
    const DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    if (atom == open || !dae_limits_is_top(limits, atom) ||
        g_hash_table_contains(explained, GUINT_TO_POINTER(atom))) {
      continue;
    }
    if (open != DAE_NO_TERM) {
      return DAE_NO_TERM;
    }
    open = atom;
  }
  return open;
}

/* y' by the derivative of the residual; NO_TERM: none. */
static DaeTerm
slope_of(const DaeLimits *limits, DaeTerm residual, DaeTerm y, DaeTerm partial)
{
  DaeTerms *terms = limits->terms;
  const DaeSymbol symbol = dae_term_get_symbol(terms, y);
  const DaeTerm next = dae_term_variable(terms, symbol, dae_term_order(terms, y) + 1);
  const DaeTerm total = dae_term_total(terms, residual);
  const DaeTerm rest = total == DAE_NO_TERM
                           ? total
                           : dae_term_replace(terms, total, next, dae_term_int(terms, 0));
  return rest == DAE_NO_TERM ? rest : dae_term_div(terms, dae_term_neg(terms, rest), partial);
}

static DaeTerm
start_value_of(const DaeLimits *limits, DaeTerm y)
{
  DaeTerm value = dae_term_int(limits->terms, 0);
  for (uint32_t j = 0; j < dae_model_n_variables(limits->model); j++) {
    const DaeVariable *variable = dae_model_variable(limits->model, j);
    if (variable->symbol == dae_term_get_symbol(limits->terms, y) &&
        dae_term_order(limits->terms, y) == 0 && variable->start != DAE_NO_TERM) {
      value = variable->start;
    }
  }
  return value;
}

/* Is t, at the start and with this value of y, 0? */
static DaeZero
is_zero_with(const DaeLimits *limits, DaeTerm t, DaeTerm y, DaeTerm value)
{
  DaeTerms *terms = limits->terms;
  t = dae_term_replace(terms, t, y, value);
  t = t == DAE_NO_TERM ? t : dae_limits_at_start(limits, t);
  t = t == DAE_NO_TERM ? t : dae_subst_apply(limits->roots, t);
  return t == DAE_NO_TERM || dae_term_has_variables(terms, t) ||
                 dae_term_has_parameters(terms, t)
             ? DAE_UNKNOWN
             : dae_algebra_is_zero(limits->algebra, t);
}

static bool
note_implicit(DaeLimits *limits, DaeTerm residual, DaeTerm y, DaeTerm partial)
{
  DaeTerms *terms = limits->terms;
  const DaeTerm slope = slope_of(limits, residual, y, partial);
  const DaeTerm value = start_value_of(limits, y);
  const bool is_root =
      dae_term_is_number(terms, value) && is_zero_with(limits, residual, y, value) == DAE_ZERO;
  const DaeZero is_multiple = is_root ? is_zero_with(limits, partial, y, value) : DAE_UNKNOWN;
  if (slope == DAE_NO_TERM || is_multiple == DAE_ZERO) {
    return false;
  }
  const uint32_t order = dae_term_order(terms, y) + 1;
  const DaeTerm next = dae_term_variable(terms, dae_term_get_symbol(terms, y), order);
  g_hash_table_insert(limits->highest, symbol_of(limits, y), GUINT_TO_POINTER(order));
  g_hash_table_insert(limits->implicit, GUINT_TO_POINTER(next), GUINT_TO_POINTER(slope));
  if (is_multiple == DAE_NONZERO) { /* the start is there */
    dae_subst_set(limits->roots, y, value);
    limits->n_fixed++;
  }
  return true;
}

/* y = f, where f is free of y. */
static bool
is_explicit_for(DaeTerms *terms, const DaeEquation *equation, DaeTerm y)
{
  return (equation->lhs == y && !dae_term_contains(terms, equation->rhs, y)) ||
         (equation->rhs == y && !dae_term_contains(terms, equation->lhs, y));
}

/* Does the equation give y, regularly as far as one sees? f*y = g, f a function of time, is solved
 * for y elsewhere. */
static bool
gives(DaeLimits *limits, const DaeEquation *equation, DaeTerm y)
{
  DaeTerms *terms = limits->terms;
  if (is_explicit_for(terms, equation, y)) {
    return true;
  }
  const DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
  const DaeTerm partial = residual == DAE_NO_TERM || dae_term_has_break(terms, residual)
                              ? DAE_NO_TERM
                              : dae_term_partial(terms, residual, y);
  if (partial == DAE_NO_TERM || dae_limits_vanishes_at_start(limits, partial) ||
      (dae_term_has_time(terms, partial) && !dae_term_has_variables(terms, partial))) {
    return false;
  }
  return dae_term_is_number(terms, partial) || note_implicit(limits, residual, y, partial);
}

/* Is equation i for the only atom in it that is open? */
static bool
look_at(DaeLimits *limits, GHashTable *explained, const GArray *equations, guint i)
{
  const DaeEquation *equation = &g_array_index(equations, DaeEquation, i);
  const DaeTerm y = only_open_atom(limits, explained, equation);
  if (y == DAE_NO_TERM || !gives(limits, equation, y)) {
    return false;
  }
  g_hash_table_add(explained, GUINT_TO_POINTER(y));
  limits->own_atom[i] = y;
  return true;
}

void
dae_limits_find_own_atoms(DaeLimits *limits, const GArray *equations, const bool *is_explicit)
{
  g_autoptr(GHashTable) explained = g_hash_table_new(NULL, NULL);
  GHashTableIter known;
  gpointer atom = NULL;
  g_hash_table_iter_init(&known, limits->solved);
  while (g_hash_table_iter_next(&known, &atom, NULL)) {
    g_hash_table_add(explained, atom);
  }
  bool any = true;
  for (uint32_t round = 0; any && round < MOST_ROUNDS; round++) {
    any = false;
    for (guint i = 0; i < equations->len; i++) {
      const bool is_open =
          limits->own_atom[i] == DAE_NO_TERM && (is_explicit == NULL || !is_explicit[i]);
      any = (is_open && look_at(limits, explained, equations, i)) || any;
    }
  }
}
