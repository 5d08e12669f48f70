/* pre, edge, change, sample, initial, terminal: values that events set.
 *
 * Each of them is a PARAMETER of its own, printed as it was written, and listed in the model
 * (DaeEventAtom); edge(b) and change(v) are written out with pre. A Boolean one stands as a
 * condition like a Boolean variable (discrete.c). */
#include "reader/calls.h"

#include <string.h>

#include "model/flat.h"

DaeTerm
dae_operator_atom(DaeReader *reader, const DaeEventAtom *like, bool is_condition, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  DaeModel *model = reader->result;
  DaeSymbol symbol = 0;
  const char *name = reader->text->str;
  if (!dae_terms_find_symbol(terms, name, &symbol)) {
    symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, name);
  }
  if (is_condition) {
    dae_terms_set_condition(terms, symbol);
    g_hash_table_add(reader->boolean_symbols, GUINT_TO_POINTER(symbol));
  }
  gpointer key = GUINT_TO_POINTER(symbol);
  if (model != NULL && !g_hash_table_contains(reader->atom_of_symbol, key)) {
    DaeEventAtom atom = *like;
    atom.symbol = symbol;
    atom.span = dae_source_span(reader->source, pos);
    g_array_append_val(model->event_atoms, atom);
    g_hash_table_insert(reader->atom_of_symbol, key, GUINT_TO_POINTER(model->event_atoms->len));
  }
  DaeTerm t = dae_term_parameter(terms, symbol);
  return is_condition ? dae_discrete_condition(terms, t) : t;
}

/* The variable that t stands for; DAE_NO_TERM: none. */
static DaeTerm
variable_of(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  DaeTerm variable = type == DAE_VALUE_BOOLEAN ? dae_discrete_number(reader, t) : t;
  return variable != DAE_NO_TERM &&
                 dae_term_kind(reader->terms, variable) == DAE_KIND_VARIABLE &&
                 dae_term_order(reader->terms, variable) == 0
             ? variable
             : DAE_NO_TERM;
}

/* pre of a continuous variable is legal in when-clauses only; whether it is one is
 * known when all of them were read. */
static void
remember_place(DaeReader *reader, DaeTerm variable, uint32_t pos)
{
  if (reader->when_depth == 0) {
    DaePlacedTerm place = {variable, pos};
    g_array_append_val(reader->pre_places, place);
  }
}

static DaeTerm
pre_of_term(DaeReader *reader, const DaeValue *value, uint32_t i, const char *name,
            uint32_t pos)
{
  DaeTerm t = dae_value_scalar_at(value, i);
  uint8_t type = dae_statement_scalar_type(value, i);
  if (type == DAE_VALUE_STRING) {
    return dae_text_before(reader, t, pos);
  }
  if ((t != DAE_NO_TERM && dae_term_is_parametric(reader->terms, t))) {
    return t;
  }
  DaeTerm variable = t != DAE_NO_TERM ? variable_of(reader, type, t) : DAE_NO_TERM;
  if (variable == DAE_NO_TERM) {
    dae_source_error(reader->source, pos, "'%s' takes a variable", name);
    return DAE_NO_TERM;
  }
  remember_place(reader, variable, pos);
  g_string_printf(
      reader->text, "pre(%s)",
      dae_terms_symbol_name(reader->terms, dae_term_get_symbol(reader->terms, variable)));
  DaeEventAtom like = {.kind = DAE_ATOM_PRE, .of = variable};
  return dae_operator_atom(reader, &like, type == DAE_VALUE_BOOLEAN, pos);
}

static DaeTerm
changed(DaeReader *reader, const DaeValue *value, DaeTerm now, DaeTerm before)
{
  DaeTerms *terms = reader->terms;
  if (value->type == DAE_VALUE_BOOLEAN) {
    return dae_term_or(terms, dae_term_and(terms, now, dae_term_not(terms, before)),
                       dae_term_and(terms, before, dae_term_not(terms, now)));
  }
  return dae_term_relation(terms, DAE_REL_NE, now, before);
}

/* DAE_NO_TERM: reported. */
static DaeTerm
text_changed(DaeReader *reader, DaeTerm now, DaeTerm before, uint32_t pos)
{
  return dae_arithmetic_binary(reader, DAE_OP_NE, dae_value_scalar(DAE_VALUE_STRING, now),
                               dae_value_scalar(DAE_VALUE_STRING, before), pos)
      .term;
}

typedef enum { OPERATOR_PRE, OPERATOR_EDGE, OPERATOR_CHANGE } Operator;

static DaeValue
apply_pre(DaeReader *reader, Operator operator, const char * name, const DaeValue *value,
          uint32_t pos)
{
  bool is_text = value->type == DAE_VALUE_STRING;
  const DaeValue *named = value->variable != NULL ? value->variable : value;
  if ((is_text &&
       (named->count == 0 || !dae_text_is_numbered(reader, dae_value_scalar_at(named, 0)))) ||
      value->type > DAE_VALUE_RECORD ||
      (operator!= OPERATOR_PRE && value->type == DAE_VALUE_RECORD) ||
      (operator== OPERATOR_EDGE && value->type != DAE_VALUE_BOOLEAN)) {
    dae_source_error(reader->source, pos, "'%s' does not take %s", name,
                     dae_value_type_text(value));
    return dae_value_poison();
  }
  uint32_t n = value->count * dae_value_width(value);
  for (uint32_t i = 0; is_text && value->variable != NULL && i < n; i++) {
    dae_text_note_before(reader, dae_value_scalar_at(named, i));
  }
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  const DaeValue *variable = value->variable != NULL ? value->variable : value;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm now = dae_value_scalar_at(value, i);
    DaeTerm before = pre_of_term(reader, variable, i, name, pos);
    if (before == DAE_NO_TERM) {
      return dae_value_poison();
    }
    switch (operator) {
    case OPERATOR_PRE:
      data[i] = before;
      break;
    case OPERATOR_EDGE:
      data[i] = dae_term_and(reader->terms, now, dae_term_not(reader->terms, before));
      break;
    case OPERATOR_CHANGE:
      data[i] = is_text ? text_changed(reader, now, before, pos)
                        : changed(reader, value, now, before);
      if (data[i] == DAE_NO_TERM) {
        return dae_value_poison();
      }
      break;
    }
  }
  DaeValue truth = {.type = DAE_VALUE_BOOLEAN};
  return dae_value_like(reader, operator== OPERATOR_PRE ? value : & truth, value->n_dims,
                        value->dims, data, value->count);
}

DaeValue
dae_operator_pre(DaeReader *reader, const DaeValue *value, uint32_t pos)
{
  return apply_pre(reader, OPERATOR_PRE, "pre", value, pos);
}

static DaeValue
opaque_condition(void)
{
  DaeValue value = dae_value_scalar(DAE_VALUE_BOOLEAN, DAE_NO_TERM);
  value.opaque = true;
  return value;
}

static DaeValue
apply_sample(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  if (n != 2 || !dae_value_is_numeric(&arguments[0]) || !dae_value_is_numeric(&arguments[1]) ||
      arguments[0].n_dims > 0 || arguments[1].n_dims > 0) {
    dae_source_error(reader->source, pos, "'sample' takes a start time and an interval");
    return dae_value_poison();
  }
  if (reader->is_structural) {
    return opaque_condition();
  }
  for (uint32_t i = 0; i < 2; i++) {
    if (!dae_term_is_parametric(terms, arguments[i].term)) {
      dae_source_error(reader->source, pos,
                       "the %s of 'sample' must not change during the simulation",
                       i == 0 ? "start" : "interval");
      return dae_value_poison();
    }
  }
  DaeTerm closed = dae_reader_close(reader, arguments[1].term, false);
  if (closed != DAE_NO_TERM && dae_term_is_number(terms, closed) &&
      dae_term_sign(terms, closed) <= 0) {
    g_autofree char *text = dae_term_to_string(terms, closed);
    dae_source_error(reader->source, pos, "the interval of 'sample' is %s; it must be positive",
                     text);
    return dae_value_poison();
  }
  g_autofree char *start = dae_term_to_string(terms, arguments[0].term);
  g_autofree char *interval = dae_term_to_string(terms, arguments[1].term);
  g_string_printf(reader->text, "sample(%s, %s)", start, interval);
  DaeEventAtom like = {
      .kind = DAE_ATOM_SAMPLE, .start = arguments[0].term, .interval = arguments[1].term};
  return dae_value_scalar(DAE_VALUE_BOOLEAN, dae_operator_atom(reader, &like, true, pos));
}

/* The auxiliary variable that is delay(...), or what is delayed: a function of time like any
 * unknown, also when it is differentiated. */
DaeTerm
dae_operator_delay_variable(DaeReader *reader, DaeTerm value, const char *base, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  if (reader->delays == NULL) {
    reader->delays = g_hash_table_new(NULL, NULL);
    reader->delay_equations = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  }
  gpointer key = GUINT_TO_POINTER(value);
  DaeTerm known = GPOINTER_TO_UINT(g_hash_table_lookup(reader->delays, key));
  if (known != DAE_NO_TERM) {
    return known;
  }
  g_autofree char *name = NULL;
  DaeSymbol symbol = 0;
  uint32_t k = g_hash_table_size(reader->delays);
  do {
    g_free(name);
    name = g_strdup_printf("'$%s%u'", base, ++k);
  } while (dae_terms_find_symbol(terms, name, &symbol));
  symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name);
  DaeVariable variable = {.symbol = symbol,
                          .type = DAE_TYPE_REAL,
                          .is_protected = true,
                          .is_auxiliary = true,
                          .span = dae_source_span(reader->source, pos)};
  dae_flat_add_variable(reader->result, &variable);
  DaeTerm t = dae_term_variable(terms, symbol, 0);
  DaeEquation equation = {.lhs = t, .rhs = value, .span = variable.span};
  g_array_append_val(reader->delay_equations, equation);
  g_hash_table_insert(reader->delays, key, GUINT_TO_POINTER(t));
  return t;
}

/* The argument as it was written: delay(...) for the auxiliary variables inside. */
char *
dae_operator_delayed_text(DaeReader *reader, DaeTerm t)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(reader->terms);
  for (guint i = 0; reader->delay_equations != NULL && i < reader->delay_equations->len; i++) {
    const DaeEquation *equation = &g_array_index(reader->delay_equations, DaeEquation, i);
    dae_subst_set(subst, equation->lhs, equation->rhs);
  }
  return dae_term_to_string(reader->terms, dae_subst_apply(subst, t));
}

/* The delay time of delay(...): DAE_NO_TERM: reported; 0: nothing is delayed. */
static DaeTerm
delay_time(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  DaeTerm length = arguments[1].term;
  if (!dae_term_is_parametric(terms, length)) {
    if (n == 3 && dae_term_is_parametric(terms, arguments[2].term)) {
      return length;
    }
    dae_source_error(reader->source, pos,
                     "a delay time that changes during the simulation needs its maximum, a "
                     "parameter, as the third argument of 'delay'");
    return DAE_NO_TERM;
  }
  DaeTerm closed = dae_reader_close(reader, length, false);
  DaeTerm most = n == 3 ? dae_reader_close(reader, arguments[2].term, false) : DAE_NO_TERM;
  if (closed == DAE_NO_TERM || !dae_term_is_number(terms, closed)) {
    return length;
  }
  if (dae_term_sign(terms, closed) < 0 ||
      (most != DAE_NO_TERM && dae_term_is_number(terms, most) &&
       dae_term_sign(terms, dae_term_sub(terms, most, closed)) < 0)) {
    g_autofree char *text = dae_term_to_string(terms, closed);
    dae_source_error(reader->source, pos,
                     "the delay time of 'delay' is %s; it must be positive and not longer than "
                     "its maximum",
                     text);
    return DAE_NO_TERM;
  }
  return dae_term_sign(terms, closed) == 0 ? closed : length;
}

static DaeValue
apply_delay(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  bool good = n == 2 || n == 3;
  for (uint32_t i = 0; good && i < n; i++) {
    good = dae_value_is_numeric(&arguments[i]) && (i == 0 || arguments[i].n_dims == 0);
  }
  if (!good) {
    dae_source_error(reader->source, pos,
                     "'delay' takes an expression, a delay time and a longest delay time");
    return dae_value_poison();
  }
  DaeValue value = arguments[0];
  value.type = DAE_VALUE_REAL;
  if (reader->is_structural || reader->result == NULL) {
    value.opaque = true;
    return value;
  }
  DaeTerm length = delay_time(reader, arguments, n, pos);
  if (length == DAE_NO_TERM) {
    return dae_value_poison();
  }
  DaeTerm *data = dae_value_new_data(reader, MAX(value.count, 1u));
  g_autofree char *text = dae_operator_delayed_text(reader, length);
  bool is_varying = !dae_term_is_parametric(terms, length);
  g_autofree char *most = is_varying ? dae_term_to_string(terms, arguments[2].term) : NULL;
  for (uint32_t i = 0; i < value.count; i++) {
    data[i] = dae_value_element(&value, i);
    if (dae_term_is_zero(terms, length) || dae_term_is_parametric(terms, data[i])) {
      continue; /* nothing to wait for */
    }
    g_autofree char *of = dae_operator_delayed_text(reader, data[i]);
    g_string_printf(reader->text, "delay(%s, %s%s%s)", of, text, is_varying ? ", " : "",
                    is_varying ? most : "");
    if (dae_term_has_derivatives(terms, data[i])) { /* the structure sees which are needed */
      data[i] = dae_operator_delay_variable(reader, data[i], "delayed", pos);
    }
    DaeEventAtom like = {.kind = DAE_ATOM_DELAY,
                         .of = data[i],
                         .interval = length,
                         .start = is_varying ? arguments[2].term : DAE_NO_TERM};
    data[i] = dae_operator_delay_variable(reader, dae_operator_atom(reader, &like, false, pos),
                                          "delay", pos);
  }
  return dae_value_array(reader, DAE_VALUE_REAL, value.n_dims, value.dims, data, value.count);
}

static DaeValue
apply_phase(DaeReader *reader, DaeEventAtomKind kind, const char *name, uint32_t n,
            uint32_t pos)
{
  if (n != 0) {
    dae_source_error(reader->source, pos, "'%s' takes no argument", name);
    return dae_value_poison();
  }
  if (reader->is_structural) {
    return opaque_condition();
  }
  g_string_printf(reader->text, "%s()", name);
  DaeEventAtom like = {.kind = kind};
  return dae_value_scalar(DAE_VALUE_BOOLEAN, dae_operator_atom(reader, &like, true, pos));
}

DaeTerm
dae_operator_initial(DaeReader *reader, uint32_t pos)
{
  return apply_phase(reader, DAE_ATOM_INITIAL, "initial", 0, pos).term;
}

DaeValue
dae_operator_apply(DaeReader *reader, const char *name, const DaeValue *arguments, uint32_t n,
                   uint32_t pos, bool *found)
{
  static const char *const of_variables[] = {"pre", "edge", "change"};
  *found = true;
  for (uint32_t i = 0; i < G_N_ELEMENTS(of_variables); i++) {
    if (strcmp(name, of_variables[i]) != 0) {
      continue;
    }
    if (n != 1) {
      dae_source_error(reader->source, pos, "'%s' takes one variable", name);
      return dae_value_poison();
    }
    return apply_pre(reader, (Operator)i, name, &arguments[0], pos);
  }
  if (strcmp(name, "sample") == 0) {
    return apply_sample(reader, arguments, n, pos);
  }
  if (strcmp(name, "delay") == 0) {
    return apply_delay(reader, arguments, n, pos);
  }
  if (strcmp(name, "spatialDistribution") == 0) {
    return dae_transport_apply(reader, arguments, n, pos);
  }
  if (strcmp(name, "initial") == 0) {
    return apply_phase(reader, DAE_ATOM_INITIAL, name, n, pos);
  }
  if (strcmp(name, "terminal") == 0) {
    return apply_phase(reader, DAE_ATOM_TERMINAL, name, n, pos);
  }
  *found = false;
  return dae_value_poison();
}

void
dae_operator_check_places(DaeReader *reader)
{
  for (uint32_t i = 0; i < reader->pre_places->len; i++) {
    const DaePlacedTerm *place = &g_array_index(reader->pre_places, DaePlacedTerm, i);
    DaeSymbol symbol = dae_term_get_symbol(reader->terms, place->term);
    uint32_t j = 0;
    if (dae_model_find_variable(reader->result, symbol, &j) &&
        !dae_model_variable(reader->result, j)->is_discrete) {
      dae_source_error(reader->source, place->pos,
                       "pre() of the continuous variable '%s' outside a when-clause",
                       dae_terms_symbol_name(reader->terms, symbol));
    }
  }
}
