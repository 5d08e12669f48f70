#include "initial/limit.h"

#include "initial/initial.h"
#include "initial/limit-priv.h"

/* The orders of the variables in t; what was visited before is known. */
static void
note_orders(DaeLimits *limits, DaeVisit *visit, DaeTerm t)
{
  DaeTerms *terms = limits->terms;
  dae_visit_add(visit, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    if (!dae_term_has_variables(terms, node)) {
      continue;
    }
    if (dae_term_kind(terms, node) != DAE_KIND_VARIABLE) {
      dae_visit_enter(visit, node);
      continue;
    }
    gpointer symbol = GUINT_TO_POINTER(dae_term_get_symbol(terms, node));
    uint32_t known = GPOINTER_TO_UINT(g_hash_table_lookup(limits->highest, symbol));
    uint32_t order = dae_term_order(terms, node);
    g_hash_table_insert(limits->highest, symbol, GUINT_TO_POINTER(MAX(known, order)));
  }
}

/* atom = term, where that explains an atom of the highest order that nothing else explains. */
static bool
note_solved(DaeLimits *limits, DaeTerm atom, DaeTerm is)
{
  DaeTerms *terms = limits->terms;
  if (is == DAE_NO_TERM || dae_term_kind(terms, atom) != DAE_KIND_VARIABLE ||
      !dae_limits_is_top(limits, atom) ||
      g_hash_table_contains(limits->solved, GUINT_TO_POINTER(atom)) ||
      dae_term_contains(terms, is, atom)) {
    return false;
  }
  g_hash_table_insert(limits->solved, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(is));
  return true;
}

/* The equation solved for an atom with a number as its factor: a derivative before a variable. */
static void
note_linear(DaeLimits *limits, const DaeEquation *equation)
{
  DaeTerms *terms = limits->terms;
  DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) slopes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_gradient(terms, residual, atoms, slopes);
  bool is_noted = false;
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (guint a = 0; a < atoms->len && !is_noted; a++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, a);
      DaeTerm slope = g_array_index(slopes, DaeTerm, a);
      if ((pass == 0) != (dae_term_order(terms, atom) > 0) || slope == DAE_NO_TERM ||
          !dae_term_is_number(terms, slope)) {
        continue;
      }
      DaeTerm rest = dae_term_replace(terms, residual, atom, dae_term_int(terms, 0));
      is_noted =
          note_solved(limits, atom, dae_term_div(terms, dae_term_neg(terms, rest), slope));
    }
  }
}

/* The equation solved for this atom, if that has a number as its factor. */
static void
note_own(DaeLimits *limits, const DaeEquation *equation, DaeTerm atom)
{
  DaeTerms *terms = limits->terms;
  if (note_solved(limits, atom, equation->lhs == atom ? equation->rhs : DAE_NO_TERM) ||
      note_solved(limits, atom, equation->rhs == atom ? equation->lhs : DAE_NO_TERM)) {
    return;
  }
  const DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
  const DaeTerm slope = dae_term_partial(terms, residual, atom);
  if (slope != DAE_NO_TERM && dae_term_is_number(terms, slope)) {
    const DaeTerm rest = dae_term_replace(terms, residual, atom, dae_term_int(terms, 0));
    note_solved(limits, atom, dae_term_div(terms, dae_term_neg(terms, rest), slope));
  }
}

/* What is given implicitly, where no quotient with a mark is in it. */
static void
note_given_implicitly(DaeLimits *limits)
{
  GHashTableIter known;
  gpointer atom = NULL;
  gpointer is = NULL;
  g_hash_table_iter_init(&known, limits->implicit);
  while (g_hash_table_iter_next(&known, &atom, &is)) {
    note_solved(limits, GPOINTER_TO_UINT(atom), GPOINTER_TO_UINT(is));
  }
}

/* What equations say by themselves, those first that were solved for a quotient, then those that
 * can be for one atom only; which of them were used. (transfer full) */
static bool *
note_explicit(DaeLimits *limits, const GArray *equations, const bool *is_hidden)
{
  bool *is_used = g_new0(bool, equations->len + 1);
  g_hash_table_remove_all(limits->solved);
  for (guint i = 0; i < equations->len; i++) {
    const DaeEquation *equation = &g_array_index(equations, DaeEquation, i);
    is_used[i] = is_hidden[i] && note_solved(limits, equation->lhs, equation->rhs);
  }
  for (guint i = 0; i < equations->len; i++) {
    if (!is_hidden[i] && limits->own_atom[i] != DAE_NO_TERM) {
      note_own(limits, &g_array_index(equations, DaeEquation, i), limits->own_atom[i]);
      is_used[i] = true;
    }
  }
  for (guint i = 0; i < equations->len; i++) {
    const DaeEquation *equation = &g_array_index(equations, DaeEquation, i);
    is_used[i] = is_used[i] || note_solved(limits, equation->lhs, equation->rhs) ||
                 note_solved(limits, equation->rhs, equation->lhs);
  }
  return is_used;
}

static bool
may_concern_any(const DaeLimits *limits)
{
  for (uint32_t i = 0; i < dae_model_n_equations(limits->model); i++) {
    const DaeEquation *equation = dae_model_equation(limits->model, i);
    if (dae_limits_may_concern(limits, equation->lhs) ||
        dae_limits_may_concern(limits, equation->rhs)) {
      return true;
    }
  }
  return false;
}

/* der(x), where the equation is der(x) = f or f = der(x) with an f without derivatives. */
static DaeTerm
led_derivative(const DaeTerms *terms, const DaeEquation *equation)
{
  const DaeTerm sides[2] = {equation->lhs, equation->rhs};
  for (uint32_t i = 0; i < 2; i++) {
    if (dae_term_kind(terms, sides[i]) == DAE_KIND_VARIABLE &&
        dae_term_order(terms, sides[i]) > 0 && !dae_term_has_derivatives(terms, sides[1 - i])) {
      return sides[i];
    }
  }
  return DAE_NO_TERM;
}

/* Does every equation with a factor that varies say der(x) = f, and stands no derivative anywhere
 * else? Then each of them is for its derivative, none for an unknown behind a factor that vanishes;
 * and where no value is lacking there is nothing to take. */
static bool
is_led_throughout(const DaeLimits *limits)
{
  const DaeTerms *terms = limits->terms;
  g_autofree bool *is_led = g_new0(bool, dae_terms_symbol_count(terms) + 1);
  for (uint32_t i = 0; i < dae_model_n_equations(limits->model); i++) {
    const DaeEquation *equation = dae_model_equation(limits->model, i);
    const DaeTerm led = led_derivative(terms, equation);
    const bool has_derivatives = dae_term_has_derivatives(terms, equation->lhs) ||
                                 dae_term_has_derivatives(terms, equation->rhs);
    const bool is_affine =
        dae_term_is_affine(terms, equation->lhs) && dae_term_is_affine(terms, equation->rhs);
    if (dae_limits_may_lack_value(limits, equation->lhs) ||
        dae_limits_may_lack_value(limits, equation->rhs) ||
        (led == DAE_NO_TERM && (has_derivatives || !is_affine)) ||
        (led != DAE_NO_TERM && is_led[dae_term_get_symbol(terms, led)])) {
      return false;
    }
    if (led != DAE_NO_TERM) {
      is_led[dae_term_get_symbol(terms, led)] = true;
    }
  }
  return true;
}

/* The equations with marks; true: there is a quotient in them. */
static bool
mark_equations(DaeLimits *limits, GArray *equations, bool *is_hidden)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(limits->terms, DAE_NO_TERM);
  for (uint32_t i = 0; i < dae_model_n_equations(limits->model); i++) {
    DaeEquation equation = *dae_model_equation(limits->model, i);
    note_orders(limits, visit, equation.lhs);
    note_orders(limits, visit, equation.rhs);
    g_array_append_val(equations, equation);
  }
  dae_limits_find_own_atoms(limits, equations, NULL);
  g_autofree bool *is_explicit = note_explicit(limits, equations, is_hidden);
  dae_limits_find_own_atoms(limits, equations, is_explicit);
  bool any_is_hidden = false;
  for (guint i = 0; i < equations->len; i++) {
    DaeEquation *equation = &g_array_index(equations, DaeEquation, i);
    is_hidden[i] = !is_explicit[i] && limits->own_atom[i] == DAE_NO_TERM &&
                   dae_limits_solve_hidden(limits, equation);
    any_is_hidden = any_is_hidden || is_hidden[i];
    if (dae_limits_is_singular(limits, equation->lhs) &&
        dae_limits_is_singular(limits, equation->rhs)) {
      equation->lhs = dae_term_sub(limits->terms, equation->lhs, equation->rhs);
      equation->rhs = dae_term_int(limits->terms, 0);
    }
    equation->lhs = dae_limits_mark(limits, equation->lhs);
    equation->rhs = dae_limits_mark(limits, equation->rhs);
  }
  return limits->quotients->len > 0 || any_is_hidden;
}

/* Limits of which all others that they depend on are known; the others are given up. */
static void
close_limits(const DaeLimits *limits)
{
  for (guint round = 0; round <= limits->quotients->len; round++) {
    for (guint i = 0; i < limits->quotients->len; i++) {
      DaeQuotient *quotient = &g_array_index(limits->quotients, DaeQuotient, i);
      for (guint k = 0; k < limits->quotients->len && quotient->limit != DAE_NO_TERM; k++) {
        const DaeQuotient *other = &g_array_index(limits->quotients, DaeQuotient, k);
        bool is_needed = dae_term_contains(limits->terms, quotient->limit, other->mark);
        quotient->limit =
            !is_needed ? quotient->limit
            : other->limit == DAE_NO_TERM
                ? DAE_NO_TERM
                : dae_term_replace(limits->terms, quotient->limit, other->mark, other->limit);
      }
    }
  }
  for (guint i = 0; i < limits->quotients->len; i++) {
    DaeQuotient *quotient = &g_array_index(limits->quotients, DaeQuotient, i);
    if (quotient->limit != DAE_NO_TERM && dae_limits_has_mark(limits, quotient->limit)) {
      quotient->limit = DAE_NO_TERM; /* they depend on each other */
    }
  }
}

static void
find_limits(DaeLimits *limits, const GArray *equations, const bool *is_hidden)
{
  g_autofree bool *is_used = note_explicit(limits, equations, is_hidden);
  for (guint i = 0; i < equations->len; i++) {
    if (!is_used[i]) {
      note_linear(limits, &g_array_index(equations, DaeEquation, i));
    }
  }
  note_given_implicitly(limits);
  for (guint i = 0; i < limits->quotients->len; i++) {
    DaeQuotient *quotient = &g_array_index(limits->quotients, DaeQuotient, i);
    if (quotient->is_logarithm) {
      dae_limits_resolve_logarithm(limits, quotient);
    } else if (quotient->limit == DAE_NO_TERM) {
      dae_limits_resolve(limits, quotient);
    }
  }
  close_limits(limits);
}

/* noEvent(if time <= start then limit else quotient), the limit where its conditions hold. */
static DaeTerm
with_limit(const DaeLimits *limits, const DaeQuotient *quotient)
{
  DaeTerms *terms = limits->terms;
  bool has_series = quotient->series != DAE_NO_TERM;
  DaeTerm end =
      has_series ? dae_term_from_double(terms, quotient->series_ends) : limits->start_time;
  DaeTerm there = has_series ? quotient->series : quotient->limit;
  for (guint i = 0; i < quotient->conditions->len; i++) {
    there = dae_term_if(terms, g_array_index(quotient->conditions, DaeTerm, i), there,
                        dae_term_undefined(terms));
  }
  DaeTerm at = dae_term_relation(terms, DAE_REL_LE, dae_term_time(terms), end);
  return dae_term_call1(terms, DAE_FN_NOEVENT, dae_term_if(terms, at, there, quotient->whole));
}

static void
tell(const DaeLimits *limits, const DaeQuotient *quotient)
{
  enum { LONGEST = 100 };

  g_autoptr(GString) text = g_string_new(NULL);
  if (quotient->limit == dae_term_undefined(limits->terms)) {
    return; /* whoever needs it tells */
  }
  dae_term_print_limited(limits->terms, quotient->whole, text, LONGEST);
  g_string_append_printf(text, " has no value at t = %.10g; ", limits->options.t_start);
  g_string_append(text, quotient->conditions->len > 0 ? "where it has a limit there, that is "
                                                      : "its limit there is taken: ");
  dae_term_print_limited(limits->terms, quotient->limit, text, LONGEST);
  dae_report_warning(limits->options.reporter, "%s", text->str);
}

/* Has t a quotient of which no limit is known? A quotient that is proved to have none has no value
 * as it was written, but D*y = N has many. */
static bool
stays_as_written(const DaeLimits *limits, DaeTerm t, bool is_hidden)
{
  for (guint i = 0; i < limits->quotients->len; i++) {
    const DaeQuotient *quotient = &g_array_index(limits->quotients, DaeQuotient, i);
    bool is_known = quotient->limit != DAE_NO_TERM &&
                    (is_hidden || quotient->limit != dae_term_undefined(limits->terms));
    if (!is_known && dae_term_contains(limits->terms, t, quotient->mark)) {
      return true;
    }
  }
  return false;
}

/* What f*y = g was solved to, f with states in it: x*y = x says nothing of y where x stays 0, so
 * that the zero of f has to be isolated along the solution. DAE_NO_TERM: that is not known. */
static DaeTerm
guard(const DaeLimits *limits, DaeTerm atom, DaeTerm solved)
{
  DaeTerms *terms = limits->terms;
  DaeTerm f = GPOINTER_TO_UINT(g_hash_table_lookup(limits->factors, GUINT_TO_POINTER(atom)));
  DaeTerm when = DAE_NO_TERM;
  if (f == DAE_NO_TERM || solved == DAE_NO_TERM) {
    return solved;
  }
  if (!dae_limits_has_isolated_zero(limits, f, &when)) {
    return DAE_NO_TERM;
  }
  if (when == DAE_NO_TERM) {
    return solved;
  }
  DaeTerm at = dae_term_relation(terms, DAE_REL_LE, dae_term_time(terms), limits->start_time);
  DaeTerm there = dae_term_if(terms, when, solved, dae_term_undefined(terms));
  return dae_term_call1(terms, DAE_FN_NOEVENT, dae_term_if(terms, at, there, solved));
}

/* Puts limits for the marks; an equation with a quotient that has none stays as it was. */
static bool
put_in_limits(const DaeLimits *limits, GArray *equations, const bool *is_hidden)
{
  g_autoptr(DaeSubst) limit_of = dae_subst_new(limits->terms);
  bool is_changed = false;
  for (guint i = 0; i < limits->quotients->len; i++) {
    const DaeQuotient *quotient = &g_array_index(limits->quotients, DaeQuotient, i);
    if (quotient->limit != DAE_NO_TERM) {
      dae_subst_set(limit_of, quotient->mark, with_limit(limits, quotient));
      tell(limits, quotient);
    }
  }
  for (guint i = 0; i < equations->len; i++) {
    DaeEquation *equation = &g_array_index(equations, DaeEquation, i);
    const DaeEquation *given = dae_model_equation(limits->model, i);
    /* what was hidden and has no mark has cancelled: f*y = f*g */
    bool has_limit = is_hidden[i] || dae_limits_has_mark(limits, equation->lhs) ||
                     dae_limits_has_mark(limits, equation->rhs);
    bool is_taken = has_limit && !stays_as_written(limits, equation->lhs, is_hidden[i]) &&
                    !stays_as_written(limits, equation->rhs, is_hidden[i]);
    DaeTerm lhs = is_taken ? dae_subst_apply(limit_of, equation->lhs) : given->lhs;
    DaeTerm rhs = is_taken ? dae_subst_apply(limit_of, equation->rhs) : given->rhs;
    rhs = is_taken && is_hidden[i] ? guard(limits, equation->lhs, rhs) : rhs;
    is_taken = is_taken && lhs != DAE_NO_TERM && rhs != DAE_NO_TERM;
    equation->lhs = is_taken ? lhs : given->lhs;
    equation->rhs = is_taken ? rhs : given->rhs;
    is_changed = is_changed || is_taken;
  }
  return is_changed;
}

static DaeModel *
new_model(const DaeModel *model, const GArray *equations)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeVariable));
  g_autoptr(GArray) parameters = g_array_new(FALSE, FALSE, sizeof(DaeParameter));
  g_autoptr(GArray) initial = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  g_autofree uint32_t *written = g_new0(uint32_t, equations->len + 1);
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    g_array_append_vals(variables, dae_model_variable(model, j), 1);
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    g_array_append_vals(parameters, dae_model_parameter(model, k), 1);
  }
  for (uint32_t k = 0; k < dae_model_n_initial_equations(model); k++) {
    g_array_append_vals(initial, dae_model_initial_equation(model, k), 1);
  }
  for (guint i = 0; i < equations->len; i++) {
    written[i] = i;
  }
  DaeModelParts parts = dae_model_parts(model, variables, parameters, equations, initial);
  parts.written = written;
  return dae_model_new(&parts);
}

/* Initial equations that give a variable its number. */
static void
note_fixed(DaeLimits *limits)
{
  for (uint32_t k = 0; k < dae_model_n_initial_equations(limits->model); k++) {
    const DaeEquation *given = dae_model_initial_equation(limits->model, k);
    if (dae_term_kind(limits->terms, given->lhs) == DAE_KIND_VARIABLE &&
        dae_term_is_number(limits->terms, given->rhs)) {
      dae_subst_set(limits->fixed, given->lhs, given->rhs);
      dae_subst_set(limits->roots, given->lhs, given->rhs);
      limits->n_fixed++;
    }
  }
}

DaeModel *
dae_limits_take(DaeAlgebra *algebra, const DaeModel *model, const DaeLimitOptions *options)
{
  DaeTerms *terms = dae_algebra_terms(algebra);
  DaeLimits limits = {.terms = terms, .algebra = algebra, .model = model, .options = *options};
  limits.start_time = dae_initial_time_as_written(terms, options->t_start);
  g_autoptr(DaeSubst) at_start = dae_subst_new(terms);
  g_autoptr(DaeSubst) fixed = dae_subst_new(terms);
  g_autoptr(DaeSubst) roots = dae_subst_new(terms);
  g_autoptr(GArray) quotients = g_array_new(FALSE, TRUE, sizeof(DaeQuotient));
  g_autoptr(GHashTable) highest = g_hash_table_new(NULL, NULL);
  g_autoptr(GHashTable) solved = g_hash_table_new(NULL, NULL);
  g_autoptr(GHashTable) implicit = g_hash_table_new(NULL, NULL);
  g_autoptr(GHashTable) factors = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) equations = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  g_autofree DaeTerm *own_atom = g_new0(DaeTerm, dae_model_n_equations(model) + 1);
  dae_subst_set(at_start, dae_term_time(terms), limits.start_time);
  g_array_set_clear_func(quotients, dae_limits_clear_quotient);
  limits.at_start = at_start;
  limits.fixed = fixed;
  limits.roots = roots;
  limits.quotients = quotients;
  limits.highest = highest;
  limits.solved = solved;
  limits.own_atom = own_atom;
  limits.implicit = implicit;
  limits.factors = factors;
  note_fixed(&limits);
  g_autofree bool *is_hidden = g_new0(bool, dae_model_n_equations(model) + 1);
  if (!may_concern_any(&limits) || is_led_throughout(&limits) ||
      !mark_equations(&limits, equations, is_hidden)) {
    return NULL;
  }
  find_limits(&limits, equations, is_hidden);
  return put_in_limits(&limits, equations, is_hidden) ? new_model(model, equations) : NULL;
}
