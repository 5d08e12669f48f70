/* Calls. Scalar functions of the term table apply element by element; array
 * functions are in functions_array.c. */
#include "reader/calls.h"

#include <string.h>

#include "base/suggest.h"
#include "model/flat.h"

static const char *const unsupported[] = {
    "reinit",
    "terminate",
    "cardinality",
    "getInstanceName",
};

#define MOST_NAMED 6

/* Names of the arguments of operators, for calls that name them; functions have theirs in the
 * registry. */
static const struct {
  const char *function;
  const char *arguments[MOST_NAMED];
} argument_names[] = {
    {"assert", {"condition", "message", "level"}},
    {"linspace", {"x1", "x2", "n"}},
    {"sample", {"start", "interval", NULL}},
    {"delay", {"expr", "delayTime", "delayMax"}},
    {"spatialDistribution",
     {"in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues"}},
};

static bool
is_unsupported(const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS(unsupported); i++) {
    if (strcmp(name, unsupported[i]) == 0) {
      return true;
    }
  }
  return false;
}

/* How many there are at most; NULL: they have none. */
static uint32_t
names_of(const char *name, const char *const **words)
{
  for (size_t i = 0; i < G_N_ELEMENTS(argument_names); i++) {
    if (strcmp(argument_names[i].function, name) == 0) {
      *words = argument_names[i].arguments;
      return MOST_NAMED;
    }
  }
  DaeFunction function;
  *words = dae_function_find(name, strlen(name), &function)
               ? dae_function_facts(function)->arguments
               : NULL;
  return 3;
}

bool
dae_function_order_arguments(DaeReader *reader, const char *name, DaeValue *arguments,
                             uint32_t n, uint32_t pos)
{
  bool any = false;
  for (uint32_t i = 0; i < n; i++) {
    any = any || arguments[i].name != 0;
  }
  if (!any) {
    return true;
  }
  const char *const *words = NULL;
  uint32_t most = names_of(name, &words);
  DaeValue ordered[MOST_NAMED];
  bool given[MOST_NAMED] = {false};
  for (uint32_t i = 0; i < n && words != NULL && n <= most; i++) {
    uint32_t place = i;
    if (arguments[i].name != 0) {
      const char *word = dae_names_text(reader->names, arguments[i].name);
      for (place = 0; place < most && g_strcmp0(words[place], word) != 0; place++) {
      }
    }
    if (place >= n || given[place]) {
      words = NULL;
      break;
    }
    ordered[place] = arguments[i];
    ordered[place].name = 0;
    given[place] = true;
  }
  if (words == NULL || n > most) {
    dae_source_error(reader->source, pos, "'%s' does not take these named arguments", name);
    return false;
  }
  memcpy(arguments, ordered, n * sizeof(DaeValue));
  return true;
}

/* ---- der --------------------------------------------------------------------------------- */

static DaeTerm
differentiate(DaeReader *reader, DaeTerm t, uint8_t n_der, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  if (dae_term_kind(terms, t) == DAE_KIND_VARIABLE) {
    uint32_t order = dae_term_order(terms, t);
    if (order >= DAE_MAX_ORDER) {
      dae_source_error(reader->source, pos, "a derivative of order above %u", DAE_MAX_ORDER);
      return DAE_NO_TERM;
    }
    return dae_term_variable(terms, dae_term_get_symbol(terms, t), order + 1);
  }
  if (n_der >= DAE_MAX_TOTAL_DER && !dae_term_is_number(terms, t)) {
    dae_source_error(reader->source, pos, "more than %u times der() of an expression",
                     DAE_MAX_TOTAL_DER);
    return DAE_NO_TERM;
  }
  return dae_term_total(terms, t);
}

static DaeValue
apply_der(DaeReader *reader, const DaeValue *value, uint32_t pos)
{
  if (reader->scopes->len > 0 &&
      !g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).is_section) {
    dae_source_error(reader->source, pos, "a function cannot use der()");
    return dae_value_poison();
  }
  bool is_whole = value->type == DAE_VALUE_INTEGER && !value->opaque && value->count > 0 &&
                  !dae_reader_is_printed(reader); /* tools print numbers without a point */
  if (!dae_value_is_numeric(value) || is_whole) {
    dae_source_error(reader->source, pos, "der() takes Real, not %s",
                     dae_value_type_text(value));
    return dae_value_poison();
  }
  uint8_t n_der = value->n_der;
  DaeTerm *data = dae_value_new_data(reader, value->count);
  for (uint32_t i = 0; i < value->count; i++) {
    data[i] = differentiate(reader, dae_value_element(value, i), n_der, pos);
    if (data[i] == DAE_NO_TERM) {
      return dae_value_poison();
    }
  }
  DaeValue result =
      dae_value_array(reader, DAE_VALUE_REAL, value->n_dims, value->dims, data, value->count);
  bool plain =
      value->n_dims == 0 && dae_term_kind(reader->terms, value->term) == DAE_KIND_VARIABLE;
  result.n_der = plain ? 0 : (uint8_t)(n_der + 1);
  return result;
}

/* ---- functions of the term table --------------------------------------------------------- */

/* Integer results for Integer arguments, where Modelica says so. */
static DaeValueType
result_type(DaeFunction function, const DaeValue *arguments, uint32_t n)
{
  bool integers = true;
  for (uint32_t i = 0; i < n; i++) {
    integers = integers && arguments[i].type == DAE_VALUE_INTEGER;
  }
  switch ((DaeFunctionResult)dae_function_facts(function)->result) {
  case DAE_RESULT_INTEGER:
    return DAE_VALUE_INTEGER;
  case DAE_RESULT_AS_OPERANDS:
    return integers ? DAE_VALUE_INTEGER : DAE_VALUE_REAL;
  case DAE_RESULT_REAL:
    break;
  }
  return DAE_VALUE_REAL;
}

static DaeTerm
make_call(DaeReader *reader, int function, const DaeTerm *operands, uint32_t n)
{
  if (function < 0) {
    return dae_term_sqrt(reader->terms, operands[0]);
  }
  DaeTerm t = dae_term_call(reader->terms, (DaeFunction)function, operands, n);
  return dae_function_facts((DaeFunction)function)->rounds
             ? dae_when_statement_literal(reader, t)
             : t;
}

/* function < 0: sqrt. At most three arguments. */
static DaeValue
apply_scalar(DaeReader *reader, int function, const DaeValue *arguments, uint32_t n,
             uint32_t pos)
{
  const DaeValue *shape = &arguments[0];
  for (uint32_t i = 1; i < n; i++) {
    if (arguments[i].n_dims > 0 && shape->n_dims > 0 &&
        !dae_value_same_size(shape, &arguments[i])) {
      g_autofree char *a = dae_value_size_text(shape);
      g_autofree char *b = dae_value_size_text(&arguments[i]);
      dae_source_error(reader->source, pos, "arguments of different size: %s and %s", a, b);
      return dae_value_poison();
    }
    shape = arguments[i].n_dims > 0 ? &arguments[i] : shape;
  }
  DaeValueType type =
      function < 0 ? DAE_VALUE_REAL : result_type((DaeFunction)function, arguments, n);
  DaeTerm *data = dae_value_new_data(reader, shape->count);
  for (uint32_t i = 0; i < shape->count; i++) {
    DaeTerm operands[3];
    for (uint32_t k = 0; k < n; k++) {
      operands[k] = dae_value_element(&arguments[k], i);
    }
    data[i] = make_call(reader, function, operands, n);
    if (data[i] == DAE_NO_TERM) {
      dae_source_error(reader->source, pos, "this call has no value");
      return dae_value_poison();
    }
  }
  return dae_value_array(reader, type, shape->n_dims, shape->dims, data, shape->count);
}

DaeTerm
dae_function_literal_condition(DaeReader *reader, DaeTerm condition)
{
  DaeTerms *terms = reader->terms;
  if (dae_term_is_parametric(terms, condition)) {
    return condition;
  }
  DaeTerm number = dae_discrete_number(reader, condition);
  return dae_discrete_condition(terms, dae_term_call1(terms, DAE_FN_NOEVENT, number));
}

static DaeValue
literal_conditions(DaeReader *reader, const DaeValue *value)
{
  DaeTerm *data = dae_value_new_data(reader, value->count);
  for (uint32_t i = 0; i < value->count; i++) {
    data[i] = dae_function_literal_condition(reader, dae_value_element(value, i));
  }
  return dae_value_array(reader, DAE_VALUE_BOOLEAN, value->n_dims, value->dims, data,
                         value->count);
}

/* min and max of two truth values or of two values of an enumeration [MLS, section 10.3.4]. False:
 * they are neither. */
static bool
extreme_of_two(DaeReader *reader, DaeFunction function, const DaeValue *a, const DaeValue *b,
               DaeValue *result)
{
  DaeTerms *terms = reader->terms;
  if (a->n_dims > 0 || b->n_dims > 0 || a->type != b->type ||
      a->enumeration != b->enumeration) {
    return false;
  }
  *result = *a;
  result->opaque = a->opaque || b->opaque;
  if (result->opaque) {
    return a->type == DAE_VALUE_BOOLEAN || a->type == DAE_VALUE_ENUMERATION;
  }
  if (a->type == DAE_VALUE_BOOLEAN) {
    result->term = function == DAE_FN_MIN ? dae_term_and(terms, a->term, b->term)
                                          : dae_term_or(terms, a->term, b->term);
  } else if (a->type == DAE_VALUE_ENUMERATION) {
    result->term = dae_term_call2(terms, function, a->term, b->term);
  }
  return a->type == DAE_VALUE_BOOLEAN || a->type == DAE_VALUE_ENUMERATION;
}

/* The order of smooth is an Integer that is known [MLS, section 3.7.5]; in a function it may be an
 * argument. */
static bool
has_order(DaeReader *reader, const DaeValue *order, uint32_t pos)
{
  const DaeScope *scope = reader->scopes->len > 0 ? &g_array_index(reader->scopes, DaeScope,
                                                                   reader->scopes->len - 1)
                                                  : NULL;
  if ((scope != NULL && !scope->is_section) ||
      (order->type == DAE_VALUE_INTEGER && order->n_dims == 0 &&
       dae_reader_close(reader, order->term, true) != DAE_NO_TERM)) {
    return true;
  }
  dae_source_error(reader->source, pos, "the order of 'smooth' is no Integer that is known");
  return false;
}

static DaeValue
apply_table(DaeReader *reader, DaeFunction function, const char *name,
            const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  if (!dae_function_arity_ok(function, n) || n > 3) {
    dae_source_error(reader->source, pos, "'%s' does not take %u argument%s", name, n,
                     n == 1 ? "" : "s");
    return dae_value_poison();
  }
  if (function == DAE_FN_NOEVENT && arguments[0].type == DAE_VALUE_BOOLEAN) {
    return literal_conditions(reader, &arguments[0]);
  }
  DaeValue extreme = dae_value_poison();
  if ((function == DAE_FN_MIN || function == DAE_FN_MAX) && n == 2 &&
      extreme_of_two(reader, function, &arguments[0], &arguments[1], &extreme)) {
    return extreme;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_value_is_numeric(&arguments[i])) {
      dae_source_error(reader->source, pos, "'%s' does not take %s", name,
                       dae_value_type_text(&arguments[i]));
      return dae_value_poison();
    }
  }
  if (function == DAE_FN_SMOOTH && !has_order(reader, &arguments[0], pos)) {
    return dae_value_poison();
  }
  if (n == 0) {
    return dae_value_scalar(DAE_VALUE_REAL, dae_term_call(reader->terms, function, NULL, 0));
  }
  return apply_scalar(reader, (int)function, arguments, n, pos);
}

/* ---- tables ------------------------------------------------------------------------------- */

/* $interval({x1, x2}, u), $lookup({y1, y2}, i): tables as `show` writes them. */
static DaeValue
apply_data(DaeReader *reader, const char *name, const DaeValue *arguments, uint32_t n,
           uint32_t pos)
{
  bool good = n == 2 && arguments[0].n_dims == 1 && arguments[0].count > 0 &&
              dae_value_is_numeric(&arguments[0]) && dae_value_is_numeric(&arguments[1]) &&
              arguments[1].n_dims == 0;
  g_autofree double *values = good ? g_new(double, arguments[0].count) : NULL;
  for (uint32_t i = 0; good && i < arguments[0].count; i++) {
    good = dae_reader_double(reader, arguments[0].data[i], &values[i]);
  }
  if (!good) {
    dae_source_error(reader->source, pos, "'%s' takes a vector of numbers and a number", name);
    return dae_value_poison();
  }
  uint32_t data = dae_terms_add_data(reader->terms, values, arguments[0].count);
  bool is_interval = strcmp(name, "$interval") == 0;
  return dae_value_scalar(is_interval ? DAE_VALUE_INTEGER : DAE_VALUE_REAL,
                          is_interval
                              ? dae_term_interval(reader->terms, data, arguments[1].term)
                              : dae_term_lookup(reader->terms, data, arguments[1].term));
}

/* ---- the way in -------------------------------------------------------------------------- */

static DaeValue
fail_unknown(DaeReader *reader, uint32_t id, const char *name, uint32_t pos)
{
  static const char *const others[] = {
      "der",   "sqrt",     "sum",       "product", "size",   "zeros",        "ones",
      "fill",  "identity", "transpose", "cross",   "skew",   "linspace",     "cat",
      "ndims", "diagonal", "scalar",    "vector",  "matrix", "outerProduct", "symmetric"};
  DaeSuggest suggest;
  dae_suggest_begin_word(&suggest, name);
  for (int i = 0; i < DAE_FN_COUNT; i++) {
    dae_suggest_try(&suggest, dae_function_name((DaeFunction)i));
  }
  for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
    dae_suggest_try(&suggest, others[i]);
  }
  uint32_t binding = dae_names_binding(reader->names, id);
  if (binding != 0) {
    dae_source_error(reader->source, pos, "'%s' is not a function (is an operator missing?)",
                     name);
  } else if (suggest.best != NULL) {
    dae_source_error(reader->source, pos, "unknown function '%s'; did you mean '%s'?", name,
                     suggest.best);
  } else {
    dae_source_error(reader->source, pos, "unknown function '%s'", name);
  }
  return dae_value_poison();
}

static bool
arguments_are_known(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  for (uint32_t i = 0; i < n; i++) {
    if (arguments[i].type == DAE_VALUE_POISON) {
      return false;
    }
    if (arguments[i].opaque) {
      if (!arguments[i].no_value) {
        dae_source_error(reader->source, pos,
                         "a variable is used where only parameters and constants are known");
      }
      return false;
    }
  }
  return true;
}

/* size and ndims look at no values. */
static bool
needs_values(const char *name)
{
  return strcmp(name, "size") != 0 && strcmp(name, "ndims") != 0;
}

/* X(...) of an external object is its function X.constructor. */
static uint32_t
find_constructor(DaeReader *reader, uint32_t id)
{
  g_autofree char *text = g_strconcat(dae_names_text(reader->names, id), ".constructor", NULL);
  uint32_t name = dae_names_find(reader->names, text, strlen(text));
  return name != 0 ? dae_call_find(reader, name) : 0;
}

/* The stack may move while a call is executed. */
static DaeValue *
copy_arguments(DaeReader *reader, const DaeValue *arguments, uint32_t n)
{
  DaeValue *copy = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof(DaeValue));
  if (n > 0) {
    memcpy(copy, arguments, n * sizeof(DaeValue));
  }
  return copy;
}

bool
dae_function_is_builtin(const DaeReader *reader, uint32_t id)
{
  const char *name = dae_names_text(reader->names, id);
  DaeFunction function;
  return strcmp(name, "sqrt") == 0 || strcmp(name, "Modelica.Math.sqrt") == 0 ||
         dae_function_find(name, strlen(name), &function);
}

DaeValue
dae_function_apply_builtin(DaeReader *reader, uint32_t id, DaeValue *arguments, uint32_t n,
                           uint32_t pos)
{
  const char *name = dae_names_text(reader->names, id);
  DaeFunction function;
  bool is_clocked = false;
  name += *name == '.' ? 1 : 0;
  DaeValue clocked = dae_clock_apply(reader, name, arguments, n, pos, &is_clocked);
  if (is_clocked) {
    return clocked;
  }
  if (is_unsupported(name)) {
    dae_source_unsupported(reader->source, pos, "%s()", name);
    return dae_value_poison();
  }
  if (strcmp(name, "String") == 0 && n >= 1) {
    return dae_string_apply(reader, arguments, n, pos);
  }
  if (!dae_function_order_arguments(reader, name, arguments, n, pos)) {
    return dae_value_poison();
  }
  if (id == (uint32_t)(DAE_TOKEN_DER - DAE_TOKEN_ALGORITHM) + 1u) {
    if (n != 1) {
      dae_source_error(reader->source, pos, "'der' takes one argument");
      return dae_value_poison();
    }
    return apply_der(reader, &arguments[0], pos);
  }
  if (strcmp(name, "sqrt") == 0 || strcmp(name, "Modelica.Math.sqrt") == 0) {
    if (n != 1 || !dae_value_is_numeric(&arguments[0])) {
      dae_source_error(reader->source, pos, "'sqrt' takes one number");
      return dae_value_poison();
    }
    return apply_scalar(reader, -1, arguments, 1, pos);
  }
  bool found = false;
  DaeValue of_base = dae_base_apply(reader, name, arguments, n, pos, &found);
  if (found) {
    return of_base;
  }
  if (strcmp(name, "$interval") == 0 || strcmp(name, "$lookup") == 0) {
    return apply_data(reader, name, arguments, n, pos);
  }
  if (strcmp(name, "$OMC$PositiveMax") == 0 && n == 2) { /* of mixing streams */
    return apply_scalar(reader, DAE_FN_MAX, arguments, 2, pos);
  }
  if (strcmp(name, "$OMC$inStreamDiv") == 0 && n == 2) {
    return arguments[0]; /* the denominator is a sum of positive weights */
  }
  if (strcmp(name, "Real") == 0 && n == 1 && dae_value_is_numeric(&arguments[0])) {
    DaeValue real = arguments[0]; /* as OpenModelica prints the conversion of an Integer */
    real.type = DAE_VALUE_REAL;
    return real;
  }
  DaeValue operated = dae_operator_apply(reader, name, arguments, n, pos, &found);
  if (found) {
    return operated;
  }
  DaeValue value = dae_function_array(reader, name, arguments, n, pos, &found);
  if (found) {
    return value;
  }
  if (dae_function_find(name, strlen(name), &function)) {
    return apply_table(reader, function, name, arguments, n, pos);
  }
  return fail_unknown(reader, id, name, pos);
}

/* The enumeration that a type stands for; 0: it is none. */
static uint32_t
find_enumeration(const DaeReader *reader, uint32_t id)
{
  uint32_t type = dae_scope_find_type(reader, id);
  for (uint32_t i = 0; type != 0 && i < reader->syntax->types->len; i++) {
    const DaeTypeDefinition *definition = dae_syntax_type(reader->syntax, type);
    if (definition->base == 0) {
      return type;
    }
    type = dae_scope_find_type(reader, definition->base);
  }
  return 0;
}

/* E(2): the second value of the enumeration [MLS, section 4.9.5.3]. */
static DaeValue
enumeration_value(DaeReader *reader, uint32_t type, const DaeValue *arguments, uint32_t n,
                  uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  const DaeTypeDefinition *definition = dae_syntax_type(reader->syntax, type);
  const char *name = dae_names_text(reader->names, definition->name);
  if (n != 1 || arguments[0].n_dims > 0 || arguments[0].type != DAE_VALUE_INTEGER) {
    dae_source_error(reader->source, pos, "'%s' takes the number of one of its values", name);
    return dae_value_poison();
  }
  DaeTerm number = arguments[0].term;
  int64_t literals = definition->n_literals;
  DaeValue value = dae_value_scalar(DAE_VALUE_ENUMERATION, number);
  value.enumeration = dae_scope_enumeration(reader, type);
  value.opaque = arguments[0].opaque;
  value.no_value = arguments[0].no_value;
  if (value.opaque) {
    return value;
  }
  g_autofree char *message =
      g_strdup_printf("'%s' has values 1 to %" G_GINT64_FORMAT " only", name, literals);
  if (!dae_term_is_number(terms, number)) {
    DaeTerm from = dae_term_relation(terms, DAE_REL_GE, number, dae_term_int(terms, 1));
    DaeTerm to = dae_term_relation(terms, DAE_REL_LE, number, dae_term_int(terms, literals));
    dae_statement_assert(reader, dae_term_and(terms, from, to), message, pos);
    return value;
  }
  int64_t k = 0;
  if (!dae_reader_integer(reader, &arguments[0], 0, pos, &k)) {
    return dae_value_poison();
  }
  if (k < 1 || k > literals) {
    dae_source_error(reader->source, pos, "%s", message);
    return dae_value_poison();
  }
  return value;
}

static bool
is_under_way(const DaeReader *reader, uint32_t class)
{
  return class != 0 && reader->scopes->len > 0 &&
         g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).class == class;
}

/* Functions, records, enumerations and external objects of the text. *found: it is one of these. */
static DaeValue
apply_own(DaeReader *reader, uint32_t id, DaeValue *arguments, uint32_t n, uint32_t pos,
          bool *found)
{
  uint32_t class = dae_call_find(reader, id);
  uint32_t binding = dae_names_binding(reader->names, id);
  *found = true;
  if ((binding & DAE_LOCAL_BIT) != 0 && (binding & DAE_ITERATOR_BIT) == 0 &&
      dae_local(reader, binding & ~DAE_LOCAL_BIT)->value.type == DAE_VALUE_FUNCTION) {
    DaeValue value = dae_local(reader, binding & ~DAE_LOCAL_BIT)->value;
    return dae_call_value(reader, &value, arguments, n, pos);
  }
  if (class == 0) {
    class = find_constructor(reader, id);
  }
  if (class != 0 && (dae_syntax_class(reader->syntax, class)->external == 0 ||
                     !dae_function_is_builtin(reader, id))) {
    return dae_call_apply(reader, class, arguments, n, pos);
  }
  class = GPOINTER_TO_UINT(g_hash_table_lookup(reader->records, GUINT_TO_POINTER(id)));
  if (class != 0) {
    uint32_t own = 0;
    if (!dae_overload_constructor(reader, class, arguments, n, pos, &own)) {
      return dae_value_poison();
    }
    own = is_under_way(reader, own) ? 0 : own; /* inside of it the record itself is meant */
    return own != 0 ? dae_call_apply(reader, own, arguments, n, pos)
                    : dae_record_construct(reader, class, copy_arguments(reader, arguments, n),
                                           n, pos);
  }
  uint32_t enumeration = find_enumeration(reader, id);
  if (enumeration != 0) {
    return enumeration_value(reader, enumeration, arguments, n, pos);
  }
  *found = false;
  return dae_value_poison();
}

DaeValue
dae_function_apply(DaeReader *reader, uint32_t id, DaeValue *arguments, uint32_t n,
                   uint32_t pos)
{
  const char *name = dae_names_text(reader->names, id);
  bool found = false;
  name += *name == '.' ? 1 : 0;
  if (needs_values(name) && !arguments_are_known(reader, arguments, n, pos)) {
    return dae_value_poison();
  }
  DaeValue value = apply_own(reader, id, arguments, n, pos, &found);
  return found ? value : dae_function_apply_builtin(reader, id, arguments, n, pos);
}
