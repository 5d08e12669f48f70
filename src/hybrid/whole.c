/* A variable of type Integer has whole numbers as its values. Types of equations do not tell: with
 * `x = n` and a Real x the sides fit [Modelica 3.6, 8.3.1 and 6.7]. So the value that an equation
 * gives an Integer variable is looked at: is it a whole number whatever its operands are? */
#include "hybrid/hybrid-priv.h"

static bool
is_whole_number(const DaeTerms *terms, DaeTerm number)
{
  int64_t p = 0;
  int64_t q = 1;
  return !dae_term_get_ratio(terms, number, &p, &q) || q == 1;
}

/* Unknown symbols are values before an event and the like, of variables that are seen elsewhere. */
static bool
is_whole_symbol(const DaeHybrid *hybrid, DaeTerm t)
{
  DaeSymbol symbol = dae_term_get_symbol(hybrid->terms, t);
  uint32_t k = 0;
  if (dae_model_find_variable(hybrid->model, symbol, &k)) {
    return dae_model_variable(hybrid->model, k)->type != DAE_TYPE_REAL;
  }
  return !dae_model_find_parameter(hybrid->model, symbol, &k) ||
         dae_model_parameter(hybrid->model, k)->type != DAE_TYPE_REAL;
}

static void
enter_from(DaeVisit *visit, const DaeTerms *terms, DaeTerm t, uint32_t first)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t i = first; i < n; i++) {
    dae_visit_add(visit, operands[i]);
  }
}

static bool
is_whole_power(DaeVisit *visit, const DaeTerms *terms, DaeTerm t)
{
  int64_t exponent = 0;
  dae_visit_add(visit, dae_term_operand(terms, t, 0));
  return dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &exponent) && exponent >= 0;
}

/* Routines and looked-up data have no types here: they are not told apart. */
static bool
is_whole_call(DaeVisit *visit, const DaeTerms *terms, DaeTerm t)
{
  DaeFunction function = dae_term_function(terms, t);
  switch (dae_function_facts(function)->kind) {
  case DAE_CLASS_ANALYTIC:
  case DAE_CLASS_CONSTANT:
    return false;
  case DAE_CLASS_CHOICE:
  case DAE_CLASS_REST:
    dae_visit_enter(visit, t);
    return true;
  case DAE_CLASS_MARK:
    enter_from(visit, terms, t, function == DAE_FN_SMOOTH ? 1 : 0);
    return true;
  case DAE_CLASS_ELEMENT:
    if (function == DAE_FN_SELECT) {
      enter_from(visit, terms, t, 1);
    }
    return true;
  case DAE_CLASS_STEP:
  case DAE_CLASS_ROUTINE:
    return true;
  }
  return true;
}

bool
dae_hybrid_is_whole(const DaeHybrid *hybrid, DaeTerm value)
{
  const DaeTerms *terms = hybrid->terms;
  bool is_whole = true;
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, value);
  for (DaeTerm t = dae_visit_next(visit); is_whole && t != DAE_NO_TERM;
       t = dae_visit_next(visit)) {
    switch (dae_term_kind(terms, t)) {
    case DAE_KIND_NUMBER:
      is_whole = is_whole_number(terms, t);
      break;
    case DAE_KIND_TIME:
      is_whole = false;
      break;
    case DAE_KIND_PARAMETER:
    case DAE_KIND_VARIABLE:
      is_whole = is_whole_symbol(hybrid, t);
      break;
    case DAE_KIND_POWER:
      is_whole = is_whole_power(visit, terms, t);
      break;
    case DAE_KIND_SUM:
    case DAE_KIND_PRODUCT:
      dae_visit_enter(visit, t);
      break;
    case DAE_KIND_IF:
      enter_from(visit, terms, t, 1);
      break;
    case DAE_KIND_CALL:
      is_whole = is_whole_call(visit, terms, t);
      break;
    case DAE_KIND_BOOLEAN:
    case DAE_KIND_RELATION:
    case DAE_KIND_AND:
    case DAE_KIND_OR:
    case DAE_KIND_NOT:
      break;
    }
  }
  return is_whole;
}

static bool
refuse(const DaeHybrid *hybrid, DaeSymbol symbol, DaeTerm value, DaeSpan span, GError **error)
{
  g_autoptr(GString) text = g_string_new(NULL);
  dae_term_print_limited(hybrid->terms, value, text, 80);
  dae_hybrid_set_error(hybrid, span, error, "'%s' is Integer, its value %s is Real",
                       dae_terms_symbol_name(hybrid->terms, symbol), text->str);
  return false;
}

bool
dae_hybrid_check_whole(const DaeHybrid *hybrid, DaeTerm variable, DaeTerm value, DaeSpan span,
                       GError **error)
{
  uint32_t j = 0;
  DaeSymbol symbol = dae_term_get_symbol(hybrid->terms, variable);
  if (!dae_model_find_variable(hybrid->model, symbol, &j) ||
      dae_model_variable(hybrid->model, j)->type != DAE_TYPE_INTEGER ||
      dae_hybrid_is_whole(hybrid, value)) {
    return true;
  }
  return refuse(hybrid, symbol, value, span, error);
}

/* ---- initial equations ------------------------------------------------------------------- */

/* An unknown of the initialization of type Integer: a variable, its pre, or a free parameter. */
static bool
is_integer_unknown(const DaeHybrid *hybrid, DaeTerm t)
{
  const DaeModel *model = hybrid->model;
  DaeKind kind = dae_term_kind(hybrid->terms, t);
  uint32_t k = 0;
  if (kind != DAE_KIND_VARIABLE && kind != DAE_KIND_PARAMETER) {
    return false;
  }
  DaeSymbol symbol = dae_term_get_symbol(hybrid->terms, t);
  if (dae_model_find_variable(model, symbol, &k)) {
    return dae_model_variable(model, k)->type == DAE_TYPE_INTEGER;
  }
  if (dae_model_find_parameter(model, symbol, &k)) {
    const DaeParameter *parameter = dae_model_parameter(model, k);
    return parameter->is_free && parameter->type == DAE_TYPE_INTEGER;
  }
  for (uint32_t i = 0; i < dae_model_n_event_atoms(model); i++) {
    const DaeEventAtom *atom = dae_model_event_atom(model, i);
    if (atom->kind == DAE_ATOM_PRE && atom->symbol == symbol) {
      return is_integer_unknown(hybrid, atom->of);
    }
  }
  return false;
}

/* No other equation gives such a side its value; where one does, `i = p` may be what determines
 * p, and the start tells (pipeline/start_types.c). */
static bool
is_closed(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, atoms);
  return atoms->len == 0 && !dae_term_has_parameters(terms, t) && !dae_term_has_time(terms, t);
}

static bool
check_sides(const DaeHybrid *hybrid, DaeTerm unknown, DaeTerm value, DaeSpan span,
            GError **error)
{
  if (!is_closed(hybrid->terms, value) || dae_hybrid_is_whole(hybrid, value) ||
      !is_integer_unknown(hybrid, unknown)) {
    return true;
  }
  return refuse(hybrid, dae_term_get_symbol(hybrid->terms, unknown), value, span, error);
}

bool
dae_hybrid_check_whole_starts(const DaeHybrid *hybrid, GError **error)
{
  bool good = true;
  for (uint32_t i = 0; good && i < dae_model_n_initial_equations(hybrid->model); i++) {
    const DaeEquation *equation = dae_model_initial_equation(hybrid->model, i);
    good = check_sides(hybrid, equation->lhs, equation->rhs, equation->span, error) &&
           check_sides(hybrid, equation->rhs, equation->lhs, equation->span, error);
  }
  return good;
}
