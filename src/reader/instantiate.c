/* Stage 2: symbols, variables, parameters, inputs, equations. */

#include "model/flat.h"
#include "reader/attributes.h"
#include "reader/calls.h"

const DaeDeclaration *
dae_instantiate_declaration(const DaeReader *reader, const DaeEntity *entity)
{
  return dae_syntax_declaration(reader->syntax, entity->declaration);
}

static bool
is_declared(const DaeEntity *entity)
{
  return !entity->is_broken && entity->declaration != 0;
}

/* ---- symbols ----------------------------------------------------------------------------- */

enum { DIGITS = 11 }; /* of a subscript, with the character before it */

/* From the last character to the first: large models have millions of names. */
static void
prepend_subscripts(GString *text, const uint32_t *position, uint32_t from, uint32_t to)
{
  char part[DIGITS * DAE_MAX_DIMENSIONS + 1];
  char *at = part + sizeof part;
  if (to > from) {
    *--at = ']';
  }
  for (uint32_t d = to; d-- > from;) {
    for (uint32_t rest = position[d] + 1; rest > 0; rest /= 10) {
      *--at = (char)('0' + rest % 10);
    }
    *--at = d == from ? '[' : ',';
  }
  g_string_prepend_len(text, at, part + sizeof part - at);
}

/* The name of element i: x, x[2], A[2,3]; of a member of an array of records: r[2].x[1]. */
void
dae_instantiate_element_name(const DaeReader *reader, const DaeEntity *entity, uint32_t i,
                             GString *text)
{
  uint32_t position[DAE_MAX_DIMENSIONS] = {0};
  uint32_t to = entity->n_dims;
  g_string_truncate(text, 0);
  for (uint32_t d = to; d-- > 0;) {
    position[d] = i % entity->dims[d];
    i /= entity->dims[d];
  }
  while (entity->whole != 0) {
    prepend_subscripts(text, position, entity->n_outer, to);
    g_string_prepend(text, dae_names_text(reader->names, entity->member));
    g_string_prepend_c(text, '.');
    to = entity->n_outer;
    entity = dae_reader_entity(reader, entity->whole);
  }
  prepend_subscripts(text, position, 0, to);
  g_string_prepend(text, dae_names_text(reader->names, entity->name));
}

bool
dae_instantiate_symbol(DaeReader *reader, DaeSymbolKind kind, const char *name, uint32_t pos,
                       DaeSymbol *symbol)
{
  if (dae_terms_enter_symbol(reader->terms, kind, name, symbol)) {
    return true;
  }
  if (dae_terms_symbol_kind(reader->terms, *symbol) != kind) {
    dae_source_error(reader->source, pos, "'%s' means something else in this context", name);
    return false;
  }
  return true;
}

/* Boolean, String and enumeration values are put in wherever they are used; so are constants.
 * Those that the initialization finds stay symbols. */
static bool
is_folded(const DaeEntity *entity)
{
  return entity->kind == DAE_ENTITY_CONSTANT || entity->type == DAE_VALUE_STRING ||
         (entity->type != DAE_VALUE_REAL && entity->type != DAE_VALUE_INTEGER &&
          !entity->is_free);
}

static void
note_closed(DaeReader *reader, DaeSymbol symbol, const DaeEntity *entity, uint32_t i)
{
  if (symbol >= reader->closed_of_symbol->len) {
    g_array_set_size(reader->closed_of_symbol, symbol + 1);
    g_array_set_size(reader->integer_symbol, symbol + 1);
  }
  bool has_term = entity->type != DAE_VALUE_STRING && entity->closed != NULL;
  g_array_index(reader->closed_of_symbol, DaeTerm, symbol) =
      has_term ? entity->closed[i] : DAE_NO_TERM;
  g_array_index(reader->integer_symbol, uint8_t, symbol) = entity->type == DAE_VALUE_INTEGER;
}

/* A String variable is no unknown: its text is that of its declaration. */
static bool
is_text(const DaeEntity *entity)
{
  return entity->kind == DAE_ENTITY_VARIABLE && entity->type == DAE_VALUE_STRING;
}

static void
register_entity(DaeReader *reader, DaeEntity *entity)
{
  uint32_t pos = dae_instantiate_declaration(reader, entity)->pos;
  if (is_text(entity)) {
    if (entity->changes) {
      dae_text_register(reader, entity, pos);
    } else if (entity->is_late) {
      dae_text_register_late(reader, entity);
    }
    return;
  }
  bool variable = entity->kind == DAE_ENTITY_VARIABLE && entity->type != DAE_VALUE_CLOCK;
  entity->value = dae_arena_words(reader->arena, MAX(entity->count, 1u));
  entity->symbols = dae_arena_words(reader->arena, MAX(entity->count, 1u));
  for (uint32_t i = 0; i < entity->count; i++) {
    DaeSymbol symbol = 0;
    const char *name = dae_names_text(reader->names, entity->name);
    if (entity->n_dims > 0) {
      dae_instantiate_element_name(reader, entity, i, reader->text);
      name = reader->text->str;
    }
    if (!dae_instantiate_symbol(reader, variable ? DAE_SYMBOL_VARIABLE : DAE_SYMBOL_PARAMETER,
                                name, pos, &symbol)) {
      entity->value = NULL;
      return;
    }
    entity->symbols[i] = symbol;
    entity->value[i] = variable ? dae_term_variable(reader->terms, symbol, 0)
                                : dae_term_parameter(reader->terms, symbol);
    if ((variable || entity->is_free) && entity->type == DAE_VALUE_BOOLEAN) {
      g_hash_table_add(reader->boolean_symbols, GUINT_TO_POINTER(symbol));
      dae_terms_set_condition(reader->terms, symbol);
      entity->value[i] = dae_discrete_condition(reader->terms, entity->value[i]);
    }
    if (!variable && entity->type != DAE_VALUE_CLOCK) {
      note_closed(reader, symbol, entity, i);
      if (is_folded(entity)) {
        entity->value[i] = entity->closed != NULL ? entity->closed[i] : DAE_NO_TERM;
      }
    }
  }
}

static void
register_symbols(DaeReader *reader)
{
  uint64_t total = 0;
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    DaeEntity *entity = dae_reader_entity(reader, i);
    if (!is_declared(entity) || entity->kind == DAE_ENTITY_INPUT ||
        entity->kind == DAE_ENTITY_RECORD) {
      continue;
    }
    total += entity->count;
    if (total > DAE_MAX_ELEMENTS) {
      dae_source_error(reader->source, dae_instantiate_declaration(reader, entity)->pos,
                       "more than %u scalars", DAE_MAX_ELEMENTS);
      return;
    }
    register_entity(reader, entity);
  }
}

/* ---- parameters -------------------------------------------------------------------------- */

DaeType
dae_instantiate_type(DaeValueType type)
{
  switch (type) {
  case DAE_VALUE_INTEGER:
    return DAE_TYPE_INTEGER;
  case DAE_VALUE_BOOLEAN:
    return DAE_TYPE_BOOLEAN;
  case DAE_VALUE_STRING:
    return DAE_TYPE_STRING;
  case DAE_VALUE_ENUMERATION:
    return DAE_TYPE_ENUMERATION;
  case DAE_VALUE_REAL:
  case DAE_VALUE_CLOCK:
  case DAE_VALUE_RECORD:
  case DAE_VALUE_FUNCTION:
  case DAE_VALUE_TARGET:
  case DAE_VALUE_HOLE:
  case DAE_VALUE_COLON:
  case DAE_VALUE_TUPLE:
  case DAE_VALUE_POISON:
    break;
  }
  return DAE_TYPE_REAL;
}

/* The value as an expression in other parameters; poison: none. */
static DaeValue
parameter_expression(DaeReader *reader, const DaeEntity *entity,
                     const DaeAttributes *attributes)
{
  const DaeDeclaration *declaration = dae_instantiate_declaration(reader, entity);
  /* on a parameter that is free, or has no value */
  bool is_number = entity->type == DAE_VALUE_REAL || entity->type == DAE_VALUE_INTEGER;
  bool has_text = declaration->binding != 0 || attributes->given[DAE_ATTRIBUTE_START];
  bool depends_on_open = entity->closed == NULL && is_number && has_text;
  if (entity->is_free || (entity->closed == NULL && !depends_on_open)) {
    return dae_value_poison();
  }
  if (entity->override != 0) {
    return dae_overrides_evaluate(
        reader, &g_array_index(reader->overrides, DaeOverride, entity->override - 1));
  }
  if (declaration->binding != 0) {
    DaeValue value = dae_reader_evaluate(reader, declaration->binding);
    return dae_record_spread(reader, entity, &value, declaration->binding);
  }
  if (attributes->given[DAE_ATTRIBUTE_START]) {
    dae_source_warning(reader->source, declaration->pos,
                       "parameter '%s' has no value; its start value is taken",
                       dae_names_text(reader->names, entity->name));
    return attributes->values[DAE_ATTRIBUTE_START];
  }
  return dae_value_poison();
}

static void
override_parameter_elements(DaeReader *reader, uint32_t index, DaeParameter *parameters)
{
  for (uint32_t i = 0; i < reader->overrides->len; i++) {
    const DaeOverride *override = &g_array_index(reader->overrides, DaeOverride, i);
    uint32_t element = 0;
    if (override->entity == index && override->n_subscripts > 0 &&
        dae_overrides_index(reader, override, &element)) {
      parameters[element].value = dae_reader_entity(reader, index)->closed[element];
    }
  }
}

static const char *
unit_of(DaeReader *reader, DaeModel *model, const DaeEntity *entity,
        const DaeAttributes *attributes, uint32_t i)
{
  const char *unit = dae_attributes_string(reader, attributes, DAE_ATTRIBUTE_UNIT, i);
  return dae_flat_string(model, unit != NULL ? unit : entity->si_unit);
}

static void
instantiate_parameter(DaeReader *reader, uint32_t index)
{
  DaeModel *model = reader->result;
  const DaeEntity *entity = dae_reader_entity(reader, index);
  const DaeDeclaration *declaration = dae_instantiate_declaration(reader, entity);
  DaeAttributes attributes;
  dae_attributes_read(reader, entity, &attributes);
  reader->has_unit_constants = false;
  DaeValue value = is_folded(entity) ? dae_value_poison()
                                     : parameter_expression(reader, entity, &attributes);
  DaeParameter common = {.type = dae_instantiate_type(entity->type),
                         .is_free = entity->is_free};
  common.has_hidden_units = is_folded(entity) || reader->has_unit_constants;
  common.is_constant = entity->kind == DAE_ENTITY_CONSTANT;
  common.is_variable = entity->is_implicit_constant;
  common.is_structural = entity->is_structural || common.type != DAE_TYPE_REAL;
  common.is_protected = (declaration->flags & DAE_FLAG_PROTECTED) != 0;
  common.span = dae_source_span(reader->source, declaration->pos);
  common.description =
      declaration->description != 0
          ? dae_flat_string(model, dae_names_text(reader->names, declaration->description))
          : NULL;
  uint32_t first = model->parameters->len;
  for (uint32_t i = 0; i < entity->count; i++) {
    DaeParameter parameter = common;
    parameter.symbol = entity->symbols[i];
    if (entity->type == DAE_VALUE_STRING) {
      parameter.string_value =
          entity->closed != NULL
              ? dae_flat_string(
                    model,
                    dae_names_text(reader->names, dae_string_known(reader, entity->closed[i])))
              : NULL;
    } else if (is_folded(entity)) {
      parameter.value = entity->closed != NULL ? entity->closed[i] : DAE_NO_TERM;
    } else if (value.type != DAE_VALUE_POISON) {
      parameter.value = dae_value_element(&value, value.n_dims > 0 ? i % value.count : 0);
      parameter.value = entity->type == DAE_VALUE_REAL
                            ? dae_reader_shorten(reader, parameter.value)
                            : parameter.value;
    }
    parameter.min = dae_attributes_term(&attributes, DAE_ATTRIBUTE_MIN, i);
    parameter.max = dae_attributes_term(&attributes, DAE_ATTRIBUTE_MAX, i);
    parameter.nominal = dae_attributes_term(&attributes, DAE_ATTRIBUTE_NOMINAL, i);
    if (entity->is_free) {
      parameter.start = dae_discrete_unknown(
          reader, entity->type, dae_attributes_term(&attributes, DAE_ATTRIBUTE_START, i));
    }
    parameter.unit = unit_of(reader, model, entity, &attributes, i);
    g_array_append_val(model->parameters, parameter);
  }
  if (reader->overrides->len > 0 && entity->closed != NULL && entity->count > 0) {
    override_parameter_elements(reader, index,
                                &g_array_index(model->parameters, DaeParameter, first));
  }
  dae_arena_reset(reader->scratch);
}

/* ---- variables --------------------------------------------------------------------------- */

static int
state_select(DaeReader *reader, const DaeAttributes *attributes, uint32_t i)
{
  int64_t number = 3;
  DaeTerm t = dae_attributes_term(attributes, DAE_ATTRIBUTE_STATE_SELECT, i);
  if (t != DAE_NO_TERM) {
    dae_term_get_int64(reader->terms, t, &number);
  }
  return (int)number - 3;
}

static void
override_starts(DaeReader *reader, uint32_t index, DaeVariable *variables)
{
  const DaeEntity *entity = dae_reader_entity(reader, index);
  for (uint32_t i = 0; i < reader->overrides->len; i++) {
    const DaeOverride *override = &g_array_index(reader->overrides, DaeOverride, i);
    if (override->entity != index) {
      continue;
    }
    DaeValue value = dae_overrides_evaluate(reader, override);
    uint32_t element = 0;
    if (value.type == DAE_VALUE_POISON) {
      continue;
    }
    if (override->n_subscripts == 0) {
      for (uint32_t k = 0; k < entity->count; k++) {
        variables[k].start =
            dae_discrete_unknown(reader, value.type, dae_value_element(&value, k));
      }
    } else if (dae_overrides_index(reader, override, &element)) {
      variables[element].start = dae_discrete_unknown(reader, value.type, value.term);
    }
  }
}

/* Where is the start value given? In a component model the modifier may
 * be far from the declaration. */
static DaeSpan
start_place(DaeReader *reader, const DaeEntity *entity, DaeSpan otherwise)
{
  if (reader->syntax->instances->len == 0) {
    return otherwise;
  }
  const DaeModification *given = dae_scope_attribute(reader, entity, "start");
  if (given == NULL) {
    given = dae_scope_attribute(reader, entity, "fixed");
  }
  return given != NULL && given->pos != 0 ? dae_source_span(reader->source, given->pos)
                                          : otherwise;
}

/* As show prints what when-statements and texts need (when_statements.c, text_events.c). */
static bool
is_made_by_reader(const char *name)
{
  return g_str_has_prefix(name, "'$when") || g_str_has_prefix(name, "'$random") ||
         g_str_has_prefix(name, "'$text ") || g_str_has_prefix(name, "'$value");
}

static void
instantiate_variable(DaeReader *reader, uint32_t index)
{
  DaeModel *model = reader->result;
  const DaeEntity *entity = dae_reader_entity(reader, index);
  const DaeDeclaration *declaration = dae_instantiate_declaration(reader, entity);
  DaeAttributes attributes;
  dae_attributes_read(reader, entity, &attributes);
  DaeVariable common = {.type = dae_instantiate_type(entity->type)};
  common.is_output = (declaration->flags & DAE_FLAG_OUTPUT) != 0;
  common.is_protected = (declaration->flags & DAE_FLAG_PROTECTED) != 0;
  common.span = dae_source_span(reader->source, declaration->pos);
  common.start_span = start_place(reader, entity, common.span);
  common.description =
      declaration->description != 0
          ? dae_flat_string(model, dae_names_text(reader->names, declaration->description))
          : NULL;
  bool is_discrete = dae_discrete_is_variable(reader, entity);
  uint32_t first = model->variables->len;
  for (uint32_t i = 0; i < entity->count; i++) {
    DaeVariable variable = common;
    variable.symbol = entity->symbols[i];
    variable.start = dae_discrete_unknown(
        reader, entity->type, dae_attributes_term(&attributes, DAE_ATTRIBUTE_START, i));
    variable.is_discrete = is_discrete;
    if (variable.start == DAE_NO_TERM && entity->type == DAE_VALUE_ENUMERATION) {
      variable.start = dae_term_int(reader->terms, 1); /* the first literal */
    }
    variable.is_auxiliary =
        common.is_protected && is_made_by_reader(dae_names_text(reader->names, entity->name));
    variable.fixed = dae_attributes_bool(reader, &attributes, DAE_ATTRIBUTE_FIXED, i, false);
    variable.min = dae_attributes_term(&attributes, DAE_ATTRIBUTE_MIN, i);
    variable.max = dae_attributes_term(&attributes, DAE_ATTRIBUTE_MAX, i);
    variable.nominal = dae_attributes_term(&attributes, DAE_ATTRIBUTE_NOMINAL, i);
    variable.unit = unit_of(reader, model, entity, &attributes, i);
    variable.display_unit = dae_flat_string(
        model, dae_attributes_string(reader, &attributes, DAE_ATTRIBUTE_DISPLAY_UNIT, i));
    variable.quantity = dae_flat_string(
        model, dae_attributes_string(reader, &attributes, DAE_ATTRIBUTE_QUANTITY, i));
    variable.state_select = state_select(reader, &attributes, i);
    g_array_append_val(model->variables, variable);
  }
  if (reader->overrides->len > 0 && entity->count > 0) {
    override_starts(reader, index, &g_array_index(model->variables, DaeVariable, first));
  }
  dae_arena_reset(reader->scratch);
}

/* ---- equations --------------------------------------------------------------------------- */

static void
add_declaration_equation(DaeReader *reader, const DaeEntity *entity)
{
  const DaeDeclaration *declaration = dae_instantiate_declaration(reader, entity);
  reader->has_unit_constants = false;
  DaeValue value = dae_reader_evaluate(reader, declaration->binding);
  value = dae_record_spread(reader, entity, &value, declaration->binding);
  value = dae_structure_fit(reader, entity, &value);
  if (is_text(entity)) {
    if (value.type != DAE_VALUE_POISON && !value.opaque) {
      dae_structure_check_value(reader, entity, &value, "variable", declaration->pos);
    }
    return;
  }
  if (entity->type == DAE_VALUE_CLOCK && entity->value != NULL) {
    DaeValue own = {.type = DAE_VALUE_CLOCK,
                    .n_dims = (uint8_t)entity->n_dims,
                    .dims = entity->dims,
                    .count = entity->count,
                    .data = entity->value,
                    .term = entity->n_dims == 0 ? entity->value[0] : DAE_NO_TERM};
    dae_clock_equate(reader, &own, &value, declaration->pos);
  } else if (value.type != DAE_VALUE_POISON && value.no_value) {
    dae_source_error(reader->source, dae_syntax_begin_of(reader->syntax, declaration->binding),
                     "this gives '%s' no value", dae_names_text(reader->names, entity->name));
  } else if (value.type != DAE_VALUE_POISON && !value.opaque && entity->value != NULL &&
             dae_structure_check_value(reader, entity, &value, "variable", declaration->pos)) {
    DaeSpan span = dae_source_span(reader->source, declaration->pos);
    for (uint32_t i = 0; i < entity->count; i++) {
      DaeEquation equation = {
          .lhs = dae_discrete_unknown(reader, entity->type, entity->value[i]),
          .rhs = dae_discrete_unknown(reader, value.type, dae_value_element(&value, i)),
          .origin = DAE_FROM_DECLARATION,
          .span = span,
          .is_discrete = entity->type != DAE_VALUE_REAL && value.type != DAE_VALUE_REAL,
          .has_hidden_units = reader->has_unit_constants};
      g_array_append_val(reader->result->equations, equation);
    }
  }
  dae_arena_reset(reader->scratch);
}

static void
add_fixed_starts(DaeReader *reader)
{
  DaeModel *model = reader->result;
  for (uint32_t j = 0; j < model->variables->len; j++) {
    const DaeVariable *variable = dae_model_variable(model, j);
    if (!variable->fixed || variable->is_discrete) {
      continue; /* of a discrete one: pre(v) has the start value */
    }
    DaeEquation equation = {.origin = DAE_FROM_FIXED_START, .span = variable->start_span};
    equation.lhs = dae_term_variable(reader->terms, variable->symbol, 0);
    equation.rhs =
        variable->start != DAE_NO_TERM ? variable->start : dae_term_int(reader->terms, 0);
    g_array_append_val(model->initial_equations, equation);
  }
}

static void
add_equations(DaeReader *reader)
{
  for (int initial = 0; initial < 2; initial++) {
    reader->equations = initial ? reader->result->initial_equations : reader->result->equations;
    for (uint32_t i = 0; i < reader->syntax->sections->len; i++) {
      DaeSection section = g_array_index(reader->syntax->sections, DaeSection, i);
      if (section.owner == reader->model && !section.is_guess &&
          section.is_initial == (initial != 0)) {
        uint32_t first = reader->equations->len;
        uint32_t assertions = reader->assertions->len;
        if (section.is_algorithm) {
          dae_algorithm_execute(reader, &section);
        } else {
          dae_equations_execute(reader, section.code);
        }
        for (uint32_t k = first; k < reader->equations->len; k++) {
          DaeEquation *equation = &g_array_index(reader->equations, DaeEquation, k);
          equation->instance = section.instance;
          equation->is_connection = section.is_connection;
        }
        for (uint32_t k = assertions; initial && k < reader->assertions->len; k++) {
          g_array_index(reader->assertions, DaeAssertion, k).is_initial = true;
        }
      }
    }
    if (initial) {
      break;
    }
    for (uint32_t i = 1; i < reader->entities->len; i++) {
      const DaeEntity *entity = dae_reader_entity(reader, i);
      if (is_declared(entity) && entity->kind == DAE_ENTITY_VARIABLE &&
          dae_instantiate_declaration(reader, entity)->binding != 0) {
        add_declaration_equation(reader, entity);
      }
    }
  }
  if (reader->delay_equations != NULL) {
    g_array_append_vals(reader->result->equations, reader->delay_equations->data,
                        reader->delay_equations->len);
  }
  dae_impure_close(reader);
  if (reader->hoisted_equations != NULL) {
    g_array_append_vals(reader->result->equations, reader->hoisted_equations->data,
                        reader->hoisted_equations->len);
  }
  add_fixed_starts(reader);
  dae_operator_check_places(reader);
}

static void
read_experiment(DaeReader *reader)
{
  const DaeClass *class = &g_array_index(reader->syntax->classes, DaeClass, reader->model);
  DaeExperiment *experiment = &reader->result->experiment;
  double *const places[4] = {&experiment->start, &experiment->stop, &experiment->tolerance,
                             &experiment->interval};
  for (int i = 0; i < 4; i++) {
    if (class->experiment[i] == 0) {
      continue;
    }
    uint32_t pos = dae_syntax_code(reader->syntax, class->experiment[i])->pos;
    DaeValue value = dae_reader_evaluate(reader, class->experiment[i]);
    DaeTerm closed =
        value.type != DAE_VALUE_POISON && dae_value_is_numeric(&value) && value.n_dims == 0
            ? dae_reader_close(reader, value.term, false)
            : DAE_NO_TERM;
    if (closed != DAE_NO_TERM && dae_term_is_number(reader->terms, closed)) {
      *places[i] = dae_term_get_double(reader->terms, closed);
    } else if (value.type != DAE_VALUE_POISON) {
      dae_source_warning(reader->source, pos,
                         "this entry of the experiment annotation is no number");
    }
  }
}

void
dae_instantiate(DaeReader *reader)
{
  register_symbols(reader);
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    const DaeEntity *entity = dae_reader_entity(reader, i);
    if (is_declared(entity) && entity->kind == DAE_ENTITY_INPUT) {
      dae_instantiate_input(reader, i);
    }
  }
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    const DaeEntity *entity = dae_reader_entity(reader, i);
    if (!is_declared(entity) || entity->value == NULL || dae_source_is_full(reader->source)) {
      continue;
    }
    if (entity->type == DAE_VALUE_CLOCK) {
      continue; /* no unknown: known by what defines it */
    }
    if (entity->changes) {
      dae_text_instantiate(reader, entity, dae_instantiate_declaration(reader, entity)->pos);
    } else if (entity->is_late) {
      dae_text_start_late(reader, entity);
    } else if (entity->kind == DAE_ENTITY_VARIABLE) {
      instantiate_variable(reader, i);
    } else if (entity->kind == DAE_ENTITY_PARAMETER || entity->kind == DAE_ENTITY_CONSTANT) {
      instantiate_parameter(reader, i);
    }
  }
  dae_base_apply_guesses(reader);
  add_equations(reader);
  read_experiment(reader);
}
