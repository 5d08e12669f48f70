/* A model as text that reads back to itself (`daetool show`). */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "model/flat.h"
#include "terms/routines.h"

/* bytes of a side in a message: terms share parts, their text does not */
#define MAX_SIDE 65536u

typedef struct {
  const DaeModel *model;
  DaeTerms *terms;
  DaeSubst *values; /* parameters to be put in; NULL: none */
  DaeSubst *delays; /* delay(...) for its auxiliary variables; NULL: none */
  GString *out;
  GArray *binding_of; /* uint32_t per variable: declaration equation + 1 */
  DaeSharedTerms *shared;
} Printer;

/* An equation '$delay1' = delay(...), or its variable: not printed, delay(...)
 * is written where it is used. */
static bool
is_delay_variable(const DaeModel *model, const DaeTerms *terms, DaeTerm t)
{
  uint32_t j = 0;
  return dae_term_kind(terms, t) == DAE_KIND_VARIABLE && dae_term_order(terms, t) == 0 &&
         dae_model_find_variable(model, dae_term_get_symbol(terms, t), &j) &&
         dae_model_variable(model, j)->is_auxiliary &&
         g_str_has_prefix(dae_terms_symbol_name(terms, dae_term_get_symbol(terms, t)),
                          "'$delay");
}

static void
put_in_delays(Printer *printer)
{
  DaeTerms *terms = printer->terms;
  for (uint32_t i = 0; i < printer->model->equations->len; i++) {
    const DaeEquation *equation = dae_model_equation(printer->model, i);
    if (!is_delay_variable(printer->model, terms, equation->lhs)) {
      continue;
    }
    if (printer->delays == NULL) {
      printer->delays = dae_subst_new(terms);
    }
    DaeSymbol symbol = dae_term_get_symbol(terms, equation->lhs);
    g_autofree char *text = dae_term_to_string(terms, equation->rhs);
    g_autofree char *slope = g_strdup_printf("der(%s)", text);
    dae_subst_set(printer->delays, equation->lhs, equation->rhs);
    dae_subst_set(printer->delays, dae_term_variable(terms, symbol, 1),
                  dae_term_parameter(terms, dae_terms_add_unlisted_symbol(
                                                terms, DAE_SYMBOL_PARAMETER, slope)));
  }
}

static DaeTerm
folded(const Printer *printer, DaeTerm t)
{
  if (printer->delays != NULL) {
    t = dae_subst_apply(printer->delays, t);
  }
  if (printer->values == NULL) {
    return t;
  }
  DaeTerm value = dae_subst_apply(printer->values, t);
  /* A division by zero in a branch that is never taken: keep the text as it is. */
  return value != DAE_NO_TERM ? dae_terms_rewrite(printer->terms, value) : t;
}

static void
append_term(const Printer *printer, DaeTerm t)
{
  dae_print_shared(printer->terms, folded(printer, t), printer->shared, printer->out);
}

/* ---- declarations ------------------------------------------------------------------------ */

static void
begin_attribute(GString *out, bool *any, const char *name)
{
  g_string_append_printf(out, "%s%s = ", *any ? ", " : "(", name);
  *any = true;
}

static void
append_attribute(const Printer *printer, bool *any, const char *name, DaeTerm value)
{
  if (value != DAE_NO_TERM) {
    begin_attribute(printer->out, any, name);
    append_term(printer, value);
  }
}

static void
append_text_attribute(const Printer *printer, bool *any, const char *name, const char *value)
{
  if (value != NULL) {
    begin_attribute(printer->out, any, name);
    dae_print_text(printer->out, value);
  }
}

static void
end_declaration(GString *out, const char *description)
{
  if (description != NULL) {
    g_string_append_c(out, ' ');
    dae_print_text(out, description);
  }
  g_string_append(out, ";\n");
}

static const char *
type_text(DaeType type)
{
  switch (type) {
  case DAE_TYPE_INTEGER:
  case DAE_TYPE_ENUMERATION: /* its number: the literals are folded */
    return "Integer";
  case DAE_TYPE_BOOLEAN:
    return "Boolean";
  case DAE_TYPE_STRING:
    return "String";
  case DAE_TYPE_REAL:
    break;
  }
  return "Real";
}

/* A Boolean variable or parameter, or pre(b), sample(0, 1). */
static bool
is_boolean_symbol(const Printer *printer, DaeTerm t)
{
  DaeKind kind = dae_term_kind(printer->terms, t);
  return (kind == DAE_KIND_PARAMETER || kind == DAE_KIND_VARIABLE) &&
         dae_terms_is_condition(printer->terms, dae_term_get_symbol(printer->terms, t));
}

/* if c then 1 else 0: a condition as a number. */
static bool
is_truth(const Printer *printer, DaeTerm t)
{
  int64_t then = 0;
  int64_t otherwise = 0;
  return dae_term_kind(printer->terms, t) == DAE_KIND_IF &&
         dae_term_get_int64(printer->terms, dae_term_operand(printer->terms, t, 1), &then) &&
         dae_term_get_int64(printer->terms, dae_term_operand(printer->terms, t, 2),
                            &otherwise) &&
         then == 1 && otherwise == 0;
}

static void
append_value(const Printer *printer, DaeTerm t, bool is_boolean)
{
  if (is_boolean) {
    t = dae_truth_of_number(printer->terms, folded(printer, t));
    dae_print_shared(printer->terms, t, printer->shared, printer->out);
  } else {
    append_term(printer, t);
  }
}

/* Where the type of the value has to be that of the variable. */
static void
append_typed(const Printer *printer, DaeTerm t, DaeType type)
{
  bool is_whole = type == DAE_TYPE_INTEGER || type == DAE_TYPE_ENUMERATION;
  bool is_number = dae_term_kind(printer->terms, t) != DAE_KIND_BOOLEAN;
  t = is_whole ? dae_whole_as_products(printer->terms, folded(printer, t)) : t;
  append_value(printer, t, type == DAE_TYPE_BOOLEAN && is_number);
}

static void
append_typed_attribute(const Printer *printer, bool *any, const char *name, DaeTerm value,
                       DaeType type)
{
  if (value != DAE_NO_TERM) {
    begin_attribute(printer->out, any, name);
    append_typed(printer, value, type);
  }
}

/* By a when-clause: then it is discrete without saying so. */
static bool
is_assigned(const Printer *printer, DaeSymbol symbol)
{
  for (uint32_t i = 0; i < printer->model->whens->len; i++) {
    const DaeWhen *when = dae_model_when(printer->model, i);
    for (uint32_t b = 0; b < when->n_branches; b++) {
      for (uint32_t k = 0; k < when->branches[b].n_actions; k++) {
        const DaeAction *action = &when->branches[b].actions[k];
        if (action->kind == DAE_ACTION_ASSIGN && action->target != DAE_NO_TERM &&
            dae_term_get_symbol(printer->terms, action->target) == symbol) {
          return true;
        }
      }
    }
  }
  return false;
}

static void
print_variable(const Printer *printer, uint32_t j)
{
  static const char *const selects[] = {"never", "avoid", "default", "prefer", "always"};
  const DaeVariable *variable = dae_model_variable(printer->model, j);
  GString *out = printer->out;
  bool any = false;
  bool is_discrete = variable->is_discrete && variable->type == DAE_TYPE_REAL &&
                     !is_assigned(printer, variable->symbol);
  g_string_append_printf(out, "  %s%s%s %s", is_discrete ? "discrete " : "",
                         variable->is_output ? "output " : "", type_text(variable->type),
                         dae_terms_symbol_name(printer->terms, variable->symbol));
  append_text_attribute(printer, &any, "quantity", variable->quantity);
  append_text_attribute(printer, &any, "unit", variable->unit);
  append_text_attribute(printer, &any, "displayUnit", variable->display_unit);
  append_typed_attribute(printer, &any, "min", variable->min, variable->type);
  append_typed_attribute(printer, &any, "max", variable->max, variable->type);
  append_typed_attribute(printer, &any, "start", variable->start, variable->type);
  if (variable->fixed) {
    begin_attribute(out, &any, "fixed");
    g_string_append(out, "true");
  }
  append_attribute(printer, &any, "nominal", variable->nominal);
  if (variable->state_select != 0) {
    begin_attribute(out, &any, "stateSelect");
    g_string_append_printf(out, "StateSelect.%s", selects[variable->state_select + 2]);
  }
  g_string_append(out, any ? ")" : "");
  uint32_t binding = g_array_index(printer->binding_of, uint32_t, j);
  if (binding != 0) {
    g_string_append(out, " = ");
    append_typed(printer, dae_model_equation(printer->model, binding - 1)->rhs, variable->type);
  }
  end_declaration(out, variable->description);
}

static void
print_parameter(const Printer *printer, uint32_t k)
{
  const DaeParameter *parameter = dae_model_parameter(printer->model, k);
  GString *out = printer->out;
  bool any = false;
  g_string_append_printf(out, "  %s %s %s", parameter->is_constant ? "constant" : "parameter",
                         type_text(parameter->type),
                         dae_terms_symbol_name(printer->terms, parameter->symbol));
  append_text_attribute(printer, &any, "unit", parameter->unit);
  append_typed_attribute(printer, &any, "min", parameter->min, parameter->type);
  append_typed_attribute(printer, &any, "max", parameter->max, parameter->type);
  append_typed_attribute(printer, &any, "start", parameter->start, parameter->type);
  if (parameter->is_free) {
    begin_attribute(out, &any, "fixed");
    g_string_append(out, "false");
  }
  append_attribute(printer, &any, "nominal", parameter->nominal);
  g_string_append(out, any ? ")" : "");
  if (parameter->string_value != NULL) {
    g_string_append(out, " = ");
    dae_print_text(out, parameter->string_value);
  } else if (parameter->value != DAE_NO_TERM) {
    g_string_append(out, " = ");
    append_typed(printer, parameter->value, parameter->type);
  }
  end_declaration(out, parameter->description);
}

/* Modelica.Constants.pi of a library: the number is called so as well, and every model has it. */
static bool
is_predefined(const Printer *printer, const DaeParameter *parameter)
{
  if (!parameter->is_constant || parameter->value == DAE_NO_TERM ||
      parameter->value != dae_term_pi(printer->terms)) {
    return false;
  }
  g_autofree char *text = dae_term_to_string(printer->terms, parameter->value);
  return strcmp(text, dae_terms_symbol_name(printer->terms, parameter->symbol)) == 0;
}

/* With values put in, only parameters without a value are still needed. */
static bool
parameter_is_shown(const Printer *printer, uint32_t k)
{
  const DaeParameter *parameter = dae_model_parameter(printer->model, k);
  if (is_predefined(printer, parameter)) {
    return false;
  }
  return printer->values == NULL ||
         (parameter->string_value == NULL &&
          dae_model_parameter_value(printer->model, printer->terms, k) == DAE_NO_TERM);
}

/* Variables and parameters in the order of their declarations. */
static void
print_declarations(const Printer *printer)
{
  const DaeModel *model = printer->model;
  uint32_t j = 0;
  uint32_t k = 0;
  bool is_protected = false;
  while (j < model->variables->len || k < model->parameters->len) {
    if (j < model->variables->len &&
        is_delay_variable(
            model, printer->terms,
            dae_term_variable(printer->terms, dae_model_variable(model, j)->symbol, 0))) {
      j++;
      continue;
    }
    bool variable = k >= model->parameters->len ||
                    (j < model->variables->len && dae_model_variable(model, j)->symbol <
                                                      dae_model_parameter(model, k)->symbol);
    bool hide = variable ? dae_model_variable(model, j)->is_protected
                         : dae_model_parameter(model, k)->is_protected;
    if (hide != is_protected && (variable || parameter_is_shown(printer, k))) {
      g_string_append(printer->out, hide ? "protected\n" : "public\n");
      is_protected = hide;
    }
    if (variable) {
      print_variable(printer, j++);
    } else {
      if (parameter_is_shown(printer, k)) {
        print_parameter(printer, k);
      }
      k++;
    }
  }
}

/* ---- equations --------------------------------------------------------------------------- */

/* Integer n = 2 would be read as a constant, and the value of a routine is Real. */
static bool
reads_back_in_declaration(const Printer *printer, const DaeVariable *variable, DaeTerm value)
{
  g_autoptr(GArray) routines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (variable->type == DAE_TYPE_REAL) {
    return true;
  }
  dae_term_collect_routines(printer->terms, value, routines);
  DaeKind kind = dae_term_kind(printer->terms, value);
  return routines->len == 0 && kind != DAE_KIND_NUMBER && kind != DAE_KIND_BOOLEAN;
}

/* Trailing declaration equations can be printed with their
 * declarations if they come in that order. */
static uint32_t
bind_declaration_equations(Printer *printer)
{
  const DaeModel *model = printer->model;
  uint32_t i = model->equations->len;
  uint32_t next = UINT32_MAX;
  g_array_set_size(printer->binding_of, model->variables->len);
  while (i > 0) {
    const DaeEquation *equation = dae_model_equation(model, i - 1);
    uint32_t j = 0;
    if (next == UINT32_MAX && is_delay_variable(model, printer->terms, equation->lhs)) {
      i--;
      continue;
    }
    if (equation->origin != DAE_FROM_DECLARATION ||
        dae_term_kind(printer->terms, equation->lhs) != DAE_KIND_VARIABLE ||
        dae_term_order(printer->terms, equation->lhs) != 0 ||
        !dae_model_find_variable(model, dae_term_get_symbol(printer->terms, equation->lhs),
                                 &j) ||
        j >= next ||
        !reads_back_in_declaration(printer, dae_model_variable(model, j), equation->rhs)) {
      break;
    }
    g_array_index(printer->binding_of, uint32_t, j) = i;
    next = j;
    i--;
  }
  return i;
}

static void
print_equation(const Printer *printer, const DaeEquation *equation)
{
  bool is_boolean = is_boolean_symbol(printer, equation->lhs) ||
                    is_boolean_symbol(printer, equation->rhs) ||
                    (equation->is_discrete && is_truth(printer, equation->lhs) &&
                     is_truth(printer, equation->rhs));
  /* at its begin 'if' would be an if-equation; 'not b = c' would be not (b = c) */
  bool is_simple =
      is_boolean_symbol(printer, equation->lhs) ||
      (!is_boolean &&
       dae_term_kind(printer->terms, folded(printer, equation->lhs)) != DAE_KIND_IF);
  g_string_append(printer->out, is_simple ? "  " : "  (");
  append_value(printer, equation->lhs, is_boolean);
  g_string_append(printer->out, is_simple ? " = " : ") = ");
  append_value(printer, equation->rhs, is_boolean);
  g_string_append(printer->out, ";\n");
}

static bool
is_implied_start(const Printer *printer, const DaeEquation *equation)
{
  uint32_t j = 0;
  return equation->origin == DAE_FROM_FIXED_START &&
         dae_term_kind(printer->terms, equation->lhs) == DAE_KIND_VARIABLE &&
         dae_model_find_variable(printer->model,
                                 dae_term_get_symbol(printer->terms, equation->lhs), &j) &&
         dae_model_variable(printer->model, j)->fixed;
}

static void
print_initial_equations(const Printer *printer)
{
  bool any = false;
  for (uint32_t i = 0; i < printer->model->initial_equations->len; i++) {
    const DaeEquation *equation = dae_model_initial_equation(printer->model, i);
    if (!is_implied_start(printer, equation)) {
      g_string_append(printer->out, any ? "" : "initial equation\n");
      print_equation(printer, equation);
      any = true;
    }
  }
}

static void
print_action(const Printer *printer, const DaeAction *action)
{
  GString *out = printer->out;
  if (action->condition != DAE_NO_TERM) {
    g_string_append(out, "    if ");
    append_term(printer, action->condition);
    g_string_append(out, " then\n  ");
  }
  g_string_append(out, "    ");
  switch (action->kind) {
  case DAE_ACTION_ASSIGN:
    append_term(printer, action->target);
    g_string_append(out, " = ");
    append_value(printer, action->value, is_boolean_symbol(printer, action->target));
    break;
  case DAE_ACTION_REINIT:
    g_string_append(out, "reinit(");
    append_term(printer, action->target);
    g_string_append(out, ", ");
    append_term(printer, action->value);
    g_string_append_c(out, ')');
    break;
  case DAE_ACTION_TERMINATE:
    g_string_append(out, "terminate(");
    dae_print_message(printer->terms, printer->shared, out, action->message);
    g_string_append_c(out, ')');
    break;
  case DAE_ACTION_ASSERT:
    if (dae_print_file_action(printer->terms, printer->shared, out, action)) {
      break;
    }
    g_string_append(out, "assert(");
    append_term(printer, action->value);
    g_string_append(out, ", ");
    dae_print_message(printer->terms, printer->shared, out, action->message);
    g_string_append(out, action->is_warning ? ", AssertionLevel.warning)" : ")");
    break;
  }
  g_string_append(out, action->condition != DAE_NO_TERM ? ";\n    end if;\n" : ";\n");
}

static void
print_when(const Printer *printer, const DaeWhen *when)
{
  GString *out = printer->out;
  for (uint32_t b = 0; b < when->n_branches; b++) {
    const DaeWhenBranch *branch = &when->branches[b];
    g_string_append(out, b == 0 ? "  when " : "  elsewhen ");
    g_string_append(out, branch->n_conditions != 1 ? "{" : "");
    for (uint32_t i = 0; i < branch->n_conditions; i++) {
      g_string_append(out, i > 0 ? ", " : "");
      append_term(printer, branch->conditions[i]);
    }
    g_string_append(out, branch->n_conditions != 1 ? "} then\n" : " then\n");
    for (uint32_t i = 0; i < branch->n_actions; i++) {
      print_action(printer, &branch->actions[i]);
    }
  }
  g_string_append(out, "  end when;\n");
}

static void
print_equations(const Printer *printer, uint32_t n)
{
  const DaeModel *model = printer->model;
  if (n > 0 || model->assertions->len > 0 || model->whens->len > 0 ||
      model->clock_equations->len > 0) {
    g_string_append(printer->out, "equation\n");
  }
  dae_print_clock_equations(model, printer->terms, printer->out);
  for (uint32_t i = 0; i < n; i++) {
    dae_print_clocked_when(model, printer->terms, i, printer->out);
    if (!is_delay_variable(model, printer->terms, dae_model_equation(model, i)->lhs)) {
      print_equation(printer, dae_model_equation(model, i));
    }
  }
  dae_print_clocked_when(model, printer->terms, n, printer->out);
  for (uint32_t i = 0; i < model->whens->len; i++) {
    print_when(printer, dae_model_when(model, i));
  }
  for (uint32_t i = 0; i < model->assertions->len; i++) {
    const DaeAssertion *assertion = dae_model_assertion(model, i);
    g_string_append(printer->out, "  assert(");
    append_term(printer, assertion->condition);
    g_string_append(printer->out, ", ");
    dae_print_message(printer->terms, printer->shared, printer->out, assertion->message);
    g_string_append(printer->out,
                    assertion->is_warning ? ", AssertionLevel.warning);\n" : ");\n");
  }
}

/* ---- the whole --------------------------------------------------------------------------- */

static void
append_experiment_entry(GString *out, bool *any, const char *name, double value)
{
  char buffer[DAE_DECIMAL_SIZE];
  if (isfinite(value)) {
    begin_attribute(out, any, name);
    g_string_append(out, dae_decimal_shortest(buffer, value));
  }
}

static void
print_annotation(const Printer *printer, bool has_elements)
{
  const DaeExperiment *experiment = dae_model_experiment(printer->model);
  g_autoptr(GString) entries = g_string_new(NULL);
  bool any = false;
  append_experiment_entry(entries, &any, "StartTime", experiment->start);
  append_experiment_entry(entries, &any, "StopTime", experiment->stop);
  append_experiment_entry(entries, &any, "Tolerance", experiment->tolerance);
  append_experiment_entry(entries, &any, "Interval", experiment->interval);
  if (!any && !has_elements) {
    return;
  }
  g_string_append(printer->out, "  annotation(");
  if (has_elements) {
    g_string_append(printer->out, "__daetool(elements = true)");
    g_string_append(printer->out, any ? ", " : "");
  }
  if (any) {
    g_string_append_printf(printer->out, "experiment%s)", entries->str);
  }
  g_string_append(printer->out, ");\n");
}

/* Does a declared name end in a subscript, such as x[2]? */
static bool
has_element_names(const Printer *printer)
{
  const DaeModel *model = printer->model;
  for (uint32_t j = 0; j < model->variables->len; j++) {
    const char *name =
        dae_terms_symbol_name(printer->terms, dae_model_variable(model, j)->symbol);
    if (g_str_has_suffix(name, "]")) {
      return true;
    }
  }
  for (uint32_t k = 0; k < model->parameters->len; k++) {
    const char *name =
        dae_terms_symbol_name(printer->terms, dae_model_parameter(model, k)->symbol);
    if (g_str_has_suffix(name, "]") && parameter_is_shown(printer, k)) {
      return true;
    }
  }
  return false;
}

void
dae_model_print_equation(DaeTerms *terms, const DaeEquation *equation, GString *out)
{
  dae_model_print_equation_styled(terms, equation, DAE_PRINT_MODELICA, out);
}

void
dae_model_print_equation_styled(DaeTerms *terms, const DaeEquation *equation,
                                DaePrintStyle style, GString *out)
{
  DaePrinting how = {.style = style, .most = MAX_SIDE};
  dae_term_print_styled(terms, equation->lhs, &how, out);
  g_string_append(out, " = ");
  dae_term_print_styled(terms, equation->rhs, &how, out);
}

/* With values put in, sample(T, d) has them too. */
static void
put_in_samples(const Printer *printer)
{
  DaeTerms *terms = printer->terms;
  for (uint32_t i = 0; i < dae_model_n_event_atoms(printer->model); i++) {
    const DaeEventAtom *atom = dae_model_event_atom(printer->model, i);
    if (atom->kind != DAE_ATOM_SAMPLE && atom->kind != DAE_ATOM_DELAY) {
      continue;
    }
    bool is_sample = atom->kind == DAE_ATOM_SAMPLE;
    g_autoptr(GString) text = g_string_new(is_sample ? "sample(" : "delay(");
    dae_term_print(terms, folded(printer, is_sample ? atom->start : atom->of), text);
    g_string_append(text, ", ");
    dae_term_print(terms, folded(printer, atom->interval), text);
    if (!is_sample && atom->start != DAE_NO_TERM) {
      g_string_append(text, ", ");
      dae_term_print(terms, folded(printer, atom->start), text);
    }
    g_string_append_c(text, ')');
    DaeSymbol symbol = dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, text->str);
    if (is_sample) {
      dae_terms_set_condition(terms, symbol);
    }
    dae_subst_set(printer->values, dae_term_parameter(terms, atom->symbol),
                  dae_term_parameter(terms, symbol));
  }
}

void
dae_model_print(const DaeModel *model, DaeTerms *terms, bool evaluate, GString *text)
{
  g_autoptr(GString) functions = g_string_new(NULL);
  g_autoptr(GString) out = g_string_new(NULL);
  DaeSharedTerms shared = {functions, 0};
  g_autoptr(DaeSubst) values = evaluate ? dae_model_parameter_subst(model, terms) : NULL;
  g_autoptr(GArray) binding_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  Printer printer = {model, terms, values, NULL, out, binding_of, &shared};
  put_in_delays(&printer);
  if (values != NULL) {
    put_in_samples(&printer);
  }
  bool has_elements = has_element_names(&printer);
  uint32_t n = bind_declaration_equations(&printer);
  g_string_append_printf(out, "%s %s", has_elements ? "class" : "model", model->name);
  if (model->description != NULL) {
    g_string_append_c(out, ' ');
    dae_print_text(out, model->description);
  }
  g_string_append_c(out, '\n');
  print_declarations(&printer);
  dae_print_clock_declarations(model, terms, out);
  print_initial_equations(&printer);
  print_equations(&printer, n);
  print_annotation(&printer, has_elements);
  dae_subst_free(printer.delays);
  g_string_append_printf(out, "end %s;\n", model->name);
  g_autoptr(GString) routines = g_string_new(NULL);
  dae_print_routines(model, terms, &shared, routines); /* their bodies may share terms too */
  dae_print_file_functions(model, text);
  g_string_append_len(text, routines->str, (gssize)routines->len);
  g_string_append_len(text, functions->str, (gssize)functions->len);
  g_string_append_len(text, out->str, (gssize)out->len);
}
