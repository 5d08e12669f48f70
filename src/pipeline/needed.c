/* Functions of which only the name is known (external ones that daetool does not have): what
 * the structure needs of them, and that cannot be had, is told with its equation. */
#include "pipeline/needed.h"

#include "terms/routines.h"

static DaeTerm
residual(DaeTerms *terms, const DaeEquation *equation)
{
  return dae_term_sub(terms, equation->lhs, equation->rhs);
}

static bool
any_unknown(const DaeTerms *terms)
{
  uint32_t order = 0;
  for (uint32_t i = 0; i < dae_terms_routine_count(terms); i++) {
    if (dae_terms_routine_is_unknown(terms, i, &order)) {
      return true;
    }
  }
  return false;
}

typedef enum {
  ANY,               /* function that is unknown to algebra */
  WITHOUT_VALUES,    /* known by its name only */
  WITHOUT_DERIVATIVE /* a derivative of one */
} Trouble;

static bool
is_trouble(const DaeTerms *terms, uint32_t number, Trouble what)
{
  uint32_t order = 0;
  bool is_unknown = dae_terms_routine_is_unknown(terms, number, &order);
  return what == WITHOUT_VALUES ? !dae_terms_routine_has_values(terms, number)
                                : is_unknown && (what == ANY || order > 0);
}

/* Number + 1 of such a function in t. */
static uint32_t
find_unknown(DaeTerms *terms, DaeTerm t, Trouble what)
{
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (t == DAE_NO_TERM) {
    return 0;
  }
  dae_term_collect_routines(terms, t, numbers);
  for (uint32_t i = 0; i < numbers->len; i++) {
    if (is_trouble(terms, g_array_index(numbers, uint32_t, i), what)) {
      return g_array_index(numbers, uint32_t, i) + 1;
    }
  }
  return 0;
}

/* my_fun of my_fun.der1.der2 */
static char *
function_name(const DaeTerms *terms, uint32_t number)
{
  const char *name = dae_terms_routine_name(terms, number);
  const char *end = strstr(name, ".der");
  return end != NULL ? g_strndup(name, (gsize)(end - name)) : g_strdup(name);
}

static void
append_place(GString *text, const DaeModel *model, DaeSpan span)
{
  g_string_append_printf(text, "%s:%u:%u: error: ", dae_model_file_of(model, span), span.line,
                         span.column);
}

/* Variables of the equation that are differentiated elsewhere. */
static void
append_constrained(GString *text, DaeTerms *terms, const DaeModel *model, const DaeSig *sig,
                   DaeTerm t)
{
  enum { MOST = 5 };

  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, atoms);
  uint32_t n = 0;
  for (uint32_t i = 0; i < atoms->len && n < MOST; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    uint32_t j = 0;
    if (dae_term_order(terms, atom) == 0 &&
        dae_model_find_variable(model, dae_term_get_symbol(terms, atom), &j) &&
        j < dae_sig_n_columns(sig) && dae_sig_d(sig)[j] > 0) {
      g_string_append_printf(text, "%s%s", n > 0 ? ", " : "",
                             dae_terms_symbol_name(terms, dae_term_get_symbol(terms, atom)));
      n++;
    }
  }
}

static void
tell(DaeTerms *terms, const DaeModel *model, const DaeSig *sig, uint32_t i, uint32_t number,
     GError **error)
{
  const DaeEquation *equation = dae_model_equation(model, i);
  g_autofree char *name = function_name(terms, number);
  g_autoptr(GString) text = g_string_new(NULL);
  int32_t c = dae_sig_c(sig)[i];
  append_place(text, model, equation->span);
  g_string_append_printf(text,
                         "the derivative of function '%s' is needed and cannot be had: ", name);
  g_string_append(text, dae_terms_routine_has_values(terms, number)
                            ? "it is a method of LAPACK, and what it gives here may jump; "
                            : "it is external and has no annotation(derivative = ...); ");
  if (c > 0) {
    g_string_append_printf(text, "equation %u has to be differentiated %d time%s (offset c), ",
                           i, c, c == 1 ? "" : "s");
    g_string_append(text, "because it is a constraint between variables whose derivatives "
                          "other equations determine: ");
    append_constrained(text, terms, model, sig, residual(terms, equation));
  } else {
    g_string_append_printf(text, "equation %u has a derivative of an expression with it", i);
  }
  g_set_error_literal(error, DAE_ERROR, DAE_ERROR_MODEL, text->str);
}

bool
dae_needed_derivatives_exist(DaeTerms *terms, const DaeModel *model, const DaeSig *sig,
                             GError **error)
{
  if (!any_unknown(terms) || dae_sig_c(sig) == NULL || dae_sig_d(sig) == NULL) {
    return true;
  }
  uint32_t n = MIN(dae_sig_n_rows(sig), dae_model_n_equations(model));
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm t = residual(terms, dae_model_equation(model, i));
    if (find_unknown(terms, t, ANY) == 0) {
      continue;
    }
    for (int32_t order = 0; order <= dae_sig_c(sig)[i] && t != DAE_NO_TERM; order++) {
      uint32_t found = find_unknown(terms, t, WITHOUT_DERIVATIVE);
      found = found == 0 ? dae_term_find_free_derivative(terms, t) : found;
      if (found != 0) {
        tell(terms, model, sig, i, found - 1, error);
        return false;
      }
      t = order < dae_sig_c(sig)[i] ? dae_term_total(terms, t) : t;
    }
  }
  return true;
}

static bool
fail_value(DaeTerms *terms, const DaeModel *model, DaeSpan span, uint32_t number,
           GError **error)
{
  g_autofree char *name = function_name(terms, number);
  g_autoptr(GString) text = g_string_new(NULL);
  append_place(text, model, span);
  g_string_append_printf(text,
                         "external function '%s' is none of those that daetool has: a model "
                         "that calls it can be analyzed, it has no values",
                         name);
  g_set_error_literal(error, DAE_ERROR, DAE_ERROR_MODEL, text->str);
  return false;
}

static bool
when_has_values(DaeTerms *terms, const DaeModel *model, const DaeWhen *when, GError **error)
{
  for (uint32_t b = 0; b < when->n_branches; b++) {
    const DaeWhenBranch *branch = &when->branches[b];
    for (uint32_t k = 0; k < branch->n_conditions; k++) {
      uint32_t found = find_unknown(terms, branch->conditions[k], WITHOUT_VALUES);
      if (found != 0) {
        return fail_value(terms, model, branch->span, found - 1, error);
      }
    }
    for (uint32_t k = 0; k < branch->n_actions; k++) {
      uint32_t found = find_unknown(terms, branch->actions[k].value, WITHOUT_VALUES);
      if (found != 0) {
        return fail_value(terms, model, branch->actions[k].span, found - 1, error);
      }
    }
  }
  return true;
}

bool
dae_needed_values_exist(DaeTerms *terms, const DaeModel *model, GError **error)
{
  if (!any_unknown(terms)) {
    return true;
  }
  for (uint32_t i = 0; i < dae_model_n_parameters(model); i++) {
    const DaeParameter *parameter = dae_model_parameter(model, i);
    uint32_t found = find_unknown(terms, parameter->value, WITHOUT_VALUES);
    if (found != 0) {
      return fail_value(terms, model, parameter->span, found - 1, error);
    }
  }
  for (uint32_t i = 0; i < dae_model_n_whens(model); i++) {
    if (!when_has_values(terms, model, dae_model_when(model, i), error)) {
      return false;
    }
  }
  uint32_t n = dae_model_n_equations(model);
  for (uint32_t i = 0; i < n + dae_model_n_initial_equations(model); i++) {
    const DaeEquation *equation =
        i < n ? dae_model_equation(model, i) : dae_model_initial_equation(model, i - n);
    uint32_t found = find_unknown(terms, residual(terms, equation), WITHOUT_VALUES);
    if (found != 0) {
      return fail_value(terms, model, equation->span, found - 1, error);
    }
  }
  return true;
}
