/* Synchronous language elements [language specification, 16]: clocks, and the operators
 * that lead from clock to clock.
 *
 * A clock is a PARAMETER of its own, listed with what defines it (DaeClockDefinition); a clock
 * variable is one that equations of clocks equate with others. The values of previous, hold,
 * sample, subSample ... are PARAMETERs too, printed as they were written and listed in the
 * model (DaeClockedAtom). Which clock ticks when is not decided here (hybrid/clock_infer.c). */
#include <string.h>

#include "model/flat.h"
#include "reader/calls.h"

static DaeValue
opaque_value(DaeValueType type)
{
  DaeValue value = dae_value_scalar(type, DAE_NO_TERM);
  value.opaque = true;
  return value;
}

/* ---- arguments --------------------------------------------------------------------------- */

#define MOST_ARGUMENTS 3u

/* Brings named arguments to their places; the first one has no name unless words[0]
 * is one. given[i] NULL: absent. */
static bool
place(DaeReader *reader, const char *name, const char *const *words, const DaeValue *arguments,
      uint32_t n, const DaeValue **given, uint32_t pos)
{
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i;
    if (arguments[i].name != 0) {
      const char *word = dae_names_text(reader->names, arguments[i].name);
      at = 0;
      while (at < MOST_ARGUMENTS && g_strcmp0(words[at], word) != 0) {
        at++;
      }
    }
    if (at >= MOST_ARGUMENTS || words[at] == NULL || given[at] != NULL) {
      dae_source_error(reader->source, pos, "'%s' does not take these arguments", name);
      return false;
    }
    given[at] = &arguments[i];
  }
  return true;
}

/* A whole number that is known at translation; absent: otherwise. */
static bool
whole_number(DaeReader *reader, const char *name, const char *word, const DaeValue *value,
             int64_t least, int64_t otherwise, uint32_t pos, int64_t *result)
{
  *result = otherwise;
  if (value == NULL) {
    return true;
  }
  if (value->type != DAE_VALUE_INTEGER || value->n_dims > 0) {
    dae_source_error(reader->source, pos, "the %s of '%s' is an Integer, not %s", word, name,
                     dae_value_type_text(value));
    return false;
  }
  if (!dae_reader_integer(reader, value, 0, pos, result)) {
    return false;
  }
  if (*result < least) {
    dae_source_error(reader->source, pos,
                     "the %s of '%s' is %" G_GINT64_FORMAT
                     "; it must be at least %" G_GINT64_FORMAT,
                     word, name, *result, least);
    return false;
  }
  return true;
}

/* ---- clocks ------------------------------------------------------------------------------ */

static DaeValue
define_clock(DaeReader *reader, DaeClockDefinition *definition, const char *text, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  DaeSymbol symbol = dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, text);
  definition->term = dae_term_parameter(terms, symbol);
  definition->span = dae_source_span(reader->source, pos);
  definition->method = dae_flat_string(reader->result, definition->method);
  g_array_append_val(reader->result->clocks, *definition);
  return dae_value_scalar(DAE_VALUE_CLOCK, definition->term);
}

static const char *
clock_text(const DaeReader *reader, DaeTerm clock)
{
  return dae_terms_symbol_name(reader->terms, dae_term_get_symbol(reader->terms, clock));
}

/* Clock(interval), Clock(intervalCounter, resolution) */
static DaeValue
interval_clock(DaeReader *reader, const DaeValue *interval, const DaeValue *resolution,
               uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  bool is_whole = interval->type == DAE_VALUE_INTEGER;
  int64_t parts = 1;
  if (resolution != NULL && !is_whole) {
    dae_source_error(
        reader->source, pos,
        "the intervalCounter of 'Clock' is an Integer where a resolution is given");
    return dae_value_poison();
  }
  if (!whole_number(reader, "Clock", "resolution", resolution, 1, 1, pos, &parts)) {
    return dae_value_poison();
  }
  g_autofree char *text = dae_term_to_string(terms, interval->term);
  g_autofree char *name = resolution != NULL
                              ? g_strdup_printf("Clock(%s, %" G_GINT64_FORMAT ")", text, parts)
                              : g_strdup_printf("Clock(%s)", text);
  if (!dae_term_is_parametric(terms, interval->term)) {
    DaeClockDefinition varying = {
        .kind = DAE_CLOCK_VARYING, .of = interval->term, .resolution = parts};
    return define_clock(reader, &varying, name, pos);
  }
  DaeTerm number = dae_reader_close(reader, interval->term, false);
  double rounded = 0;
  if ((number == DAE_NO_TERM || !dae_term_is_number(terms, number)) &&
      dae_reader_double(reader, interval->term, &rounded)) {
    number = dae_term_from_double(terms, rounded);
  }
  if (number == DAE_NO_TERM || !dae_term_is_number(terms, number)) {
    dae_source_error(reader->source, pos, "the interval of this clock has no value: %s", text);
    return dae_value_poison();
  }
  int sign = dae_term_sign(terms, number);
  if (sign < 0 || (sign == 0 && !is_whole)) {
    dae_source_error(reader->source, pos,
                     "the interval of this clock is %s; it must be positive", text);
    return dae_value_poison();
  }
  DaeClockDefinition fixed = {.kind = sign == 0 ? DAE_CLOCK_INFERRED : DAE_CLOCK_INTERVAL};
  fixed.interval = dae_term_div(terms, number, dae_term_int(terms, parts));
  return define_clock(reader, &fixed, name, pos);
}

static DaeValue
event_clock(DaeReader *reader, const DaeValue *condition, const DaeValue *start, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  if (start != NULL && (!dae_value_is_numeric(start) || start->n_dims > 0 ||
                        !dae_term_is_parametric(terms, start->term))) {
    dae_source_error(reader->source, pos,
                     "the startInterval of 'Clock' is a number that does not change");
    return dae_value_poison();
  }
  DaeClockDefinition event = {.kind = DAE_CLOCK_EVENT,
                              .of = dae_discrete_number(reader, condition->term),
                              .interval = start != NULL ? start->term : dae_term_int(terms, 0)};
  g_autofree char *text = dae_term_to_string(terms, condition->term);
  g_autofree char *name = g_strdup_printf("Clock(%s)", text);
  return define_clock(reader, &event, name, pos);
}

static DaeValue
solver_clock(DaeReader *reader, const DaeValue *clock, const DaeValue *method, uint32_t pos)
{
  if (method == NULL || method->type != DAE_VALUE_STRING || method->n_dims > 0) {
    dae_source_error(reader->source, pos,
                     "'Clock(c, solverMethod)' needs the name of a method");
    return dae_value_poison();
  }
  DaeClockDefinition solver = {.kind = DAE_CLOCK_SOLVER, .of = clock->term};
  solver.method = dae_names_text(reader->names, method->term);
  g_autofree char *name =
      g_strdup_printf("Clock(%s, \"%s\")", clock_text(reader, clock->term), solver.method);
  return define_clock(reader, &solver, name, pos);
}

static DaeValue
construct_clock(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  static const struct {
    const char *words[MOST_ARGUMENTS];
  } forms[] = {{{"intervalCounter", "resolution", NULL}},
               {{"interval", NULL, NULL}},
               {{"condition", "startInterval", NULL}},
               {{"c", "solverMethod", NULL}}};

  if (n == 0) {
    DaeClockDefinition inferred = {.kind = DAE_CLOCK_INFERRED};
    return reader->is_structural ? opaque_value(DAE_VALUE_CLOCK)
                                 : define_clock(reader, &inferred, "Clock()", pos);
  }
  /* the name of an argument, or the type of the first one, tells the form */
  uint32_t form = arguments[0].type == DAE_VALUE_BOOLEAN ? 2
                  : arguments[0].type == DAE_VALUE_CLOCK ? 3
                  : arguments[0].type == DAE_VALUE_REAL  ? 1
                                                         : 0;
  for (uint32_t i = 0; i < n && arguments[i].name != 0; i++) {
    const char *word = dae_names_text(reader->names, arguments[i].name);
    for (uint32_t f = 0; f < G_N_ELEMENTS(forms); f++) {
      for (uint32_t k = 0; k < MOST_ARGUMENTS; k++) {
        form = g_strcmp0(forms[f].words[k], word) == 0 ? f : form;
      }
    }
  }
  const DaeValue *given[MOST_ARGUMENTS] = {NULL, NULL, NULL};
  if (!place(reader, "Clock", forms[form].words, arguments, n, given, pos)) {
    return dae_value_poison();
  }
  const DaeValue *first = given[0];
  bool fits = first != NULL && first->n_dims == 0 &&
              (form == 2   ? first->type == DAE_VALUE_BOOLEAN
               : form == 3 ? first->type == DAE_VALUE_CLOCK
               : form == 0 ? first->type == DAE_VALUE_INTEGER
                           : dae_value_is_numeric(first));
  if (!fits) {
    dae_source_error(reader->source, pos,
                     "'Clock' takes an interval, a condition, or a clock and a method");
    return dae_value_poison();
  }
  if (reader->is_structural) {
    return opaque_value(DAE_VALUE_CLOCK);
  }
  if (form == 2) {
    return event_clock(reader, first, given[1], pos);
  }
  return form == 3 ? solver_clock(reader, first, given[1], pos)
                   : interval_clock(reader, first, given[1], pos);
}

/* ---- values on clocks -------------------------------------------------------------------- */

static DaeType
type_of(DaeValueType type)
{
  return type == DAE_VALUE_BOOLEAN       ? DAE_TYPE_BOOLEAN
         : type == DAE_VALUE_INTEGER     ? DAE_TYPE_INTEGER
         : type == DAE_VALUE_ENUMERATION ? DAE_TYPE_ENUMERATION
                                         : DAE_TYPE_REAL;
}

/* The term of the atom; one that was written before is the same. */
static DaeTerm
clocked_atom(DaeReader *reader, const DaeClockedAtom *like, const char *name)
{
  DaeTerms *terms = reader->terms;
  GArray *atoms = reader->result->clocked_atoms;
  DaeSymbol symbol = 0;
  guint known = dae_terms_find_symbol(terms, name, &symbol)
                    ? GPOINTER_TO_UINT(g_hash_table_lookup(reader->clocked_symbols,
                                                           GUINT_TO_POINTER(symbol)))
                    : 0;
  const DaeClockedAtom *old =
      known > 0 ? &g_array_index(atoms, DaeClockedAtom, known - 1) : NULL;
  bool is_same = old != NULL && old->kind == like->kind && old->of == like->of &&
                 old->clock == like->clock && old->counter == like->counter &&
                 old->resolution == like->resolution;
  if (!is_same) {
    bool is_free = known == 0 && !dae_terms_find_symbol(terms, name, &symbol);
    bool is_ours =
        known == 0 && !is_free && dae_terms_symbol_kind(terms, symbol) == DAE_SYMBOL_PARAMETER;
    if (is_free) {
      symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, name);
    } else if (!is_ours) {
      symbol = dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, name);
    }
    DaeClockedAtom atom = *like;
    atom.symbol = symbol;
    g_array_append_val(atoms, atom);
    g_hash_table_insert(reader->clocked_symbols, GUINT_TO_POINTER(symbol),
                        GUINT_TO_POINTER(atoms->len));
  }
  DaeTerm t = dae_term_parameter(terms, symbol);
  if (like->type != DAE_TYPE_BOOLEAN) {
    return t;
  }
  dae_terms_set_condition(terms, symbol);
  g_hash_table_add(reader->boolean_symbols, GUINT_TO_POINTER(symbol));
  return dae_discrete_condition(terms, t);
}

typedef struct {
  DaeClockedAtom like;
  const char *name;   /* of the operator */
  const char *suffix; /* of its text: ", 2" */
  bool needs_variable;
  uint32_t pos;
} Operation;

static DaeTerm
operate_scalar(DaeReader *reader, const Operation *operation, DaeValueType type, DaeTerm t)
{
  DaeTerms *terms = reader->terms;
  DaeTerm of = dae_discrete_unknown(reader, type, t);
  if (dae_term_is_parametric(terms, of) && operation->like.kind != DAE_CLOCKED_SAMPLE) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    bool varies = false;
    dae_term_collect_parameters(terms, of, atoms);
    for (guint i = 0; i < atoms->len; i++) {
      DaeSymbol symbol = dae_term_get_symbol(terms, g_array_index(atoms, DaeTerm, i));
      varies = varies ||
               g_hash_table_contains(reader->clocked_symbols, GUINT_TO_POINTER(symbol)) ||
               g_hash_table_contains(reader->atom_of_symbol, GUINT_TO_POINTER(symbol));
    }
    if (!varies) {
      return t; /* a parameter is the same on all clocks */
    }
  }
  bool is_variable =
      dae_term_kind(terms, of) == DAE_KIND_VARIABLE && dae_term_order(terms, of) == 0;
  if (operation->needs_variable && !is_variable) {
    dae_source_error(reader->source, operation->pos, "'%s' takes a variable, not an expression",
                     operation->name);
    return DAE_NO_TERM;
  }
  DaeClockedAtom like = operation->like;
  like.of = of;
  like.type = type_of(type);
  g_autofree char *text = dae_term_to_string(terms, is_variable ? of : t);
  g_autofree char *name = g_strdup_printf("%s(%s%s)", operation->name, text, operation->suffix);
  return clocked_atom(reader, &like, name);
}

/* Element by element; records too. */
static DaeValue
operate(DaeReader *reader, const Operation *operation, const DaeValue *value)
{
  uint32_t width = dae_value_width(value);
  uint32_t n = value->count * width;
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  bool is_record = value->type == DAE_VALUE_RECORD;
  if (value->type != DAE_VALUE_BOOLEAN && value->type != DAE_VALUE_ENUMERATION && !is_record &&
      !dae_value_is_numeric(value)) {
    dae_source_error(reader->source, operation->pos, "'%s' does not take %s", operation->name,
                     dae_value_type_text(value));
    return dae_value_poison();
  }
  for (uint32_t i = 0; i < n; i++) {
    DaeValueType type = is_record ? (DaeValueType)value->layout->types[i % width] : value->type;
    DaeTerm t = dae_value_scalar_at(value, i);
    data[i] = type == DAE_VALUE_STRING ? t : operate_scalar(reader, operation, type, t);
    if (data[i] == DAE_NO_TERM) {
      return dae_value_poison();
    }
  }
  if (is_record) {
    return dae_value_like(reader, value, value->n_dims, value->dims, data, value->count);
  }
  DaeValue result = value->n_dims == 0 ? dae_value_scalar(value->type, data[0])
                                       : dae_value_array(reader, value->type, value->n_dims,
                                                         value->dims, data, value->count);
  result.enumeration = value->enumeration;
  return result;
}

/* ---- operators --------------------------------------------------------------------------- */

static const struct {
  const char *name;
  DaeClockedKind kind;
  DaeClockKind clock; /* of a clock; INFERRED: it takes none */
  const char *words[MOST_ARGUMENTS];
  int64_t least, otherwise; /* of the first number */
} operators[] = {
    {"previous", DAE_CLOCKED_PREVIOUS, DAE_CLOCK_INFERRED, {"u", NULL, NULL}, 0, 0},
    {"hold", DAE_CLOCKED_HOLD, DAE_CLOCK_INFERRED, {"u", NULL, NULL}, 0, 0},
    {"noClock", DAE_CLOCKED_NO_CLOCK, DAE_CLOCK_INFERRED, {"u", NULL, NULL}, 0, 0},
    {"subSample", DAE_CLOCKED_SUB, DAE_CLOCK_SUB, {"u", "factor", NULL}, 0, 0},
    {"superSample", DAE_CLOCKED_SUPER, DAE_CLOCK_SUPER, {"u", "factor", NULL}, 0, 0},
    {"shiftSample",
     DAE_CLOCKED_SHIFT,
     DAE_CLOCK_SHIFT,
     {"u", "shiftCounter", "resolution"},
     0,
     0},
    {"backSample", DAE_CLOCKED_BACK, DAE_CLOCK_BACK, {"u", "backCounter", "resolution"}, 0, 0},
};

static DaeValue
convert_clock(DaeReader *reader, uint32_t o, const DaeValue *clock, int64_t counter,
              int64_t resolution, uint32_t pos)
{
  if (operators[o].clock == DAE_CLOCK_INFERRED || clock->n_dims > 0) {
    dae_source_error(reader->source, pos, "'%s' does not take %s", operators[o].name,
                     clock->n_dims > 0 ? "an array of clocks" : "a clock");
    return dae_value_poison();
  }
  if (reader->is_structural) {
    return opaque_value(DAE_VALUE_CLOCK);
  }
  DaeClockDefinition definition = {.kind = operators[o].clock,
                                   .of = clock->term,
                                   .counter = counter,
                                   .resolution = resolution};
  g_autofree char *name = g_strdup_printf("%s(%s, %" G_GINT64_FORMAT ")", operators[o].name,
                                          clock_text(reader, clock->term), counter);
  return define_clock(reader, &definition, name, pos);
}

static DaeValue
apply_operator(DaeReader *reader, uint32_t o, const DaeValue *arguments, uint32_t n,
               uint32_t pos)
{
  const DaeValue *given[MOST_ARGUMENTS] = {NULL, NULL, NULL};
  const char *name = operators[o].name;
  int64_t counter = 0;
  int64_t resolution = 1;
  if (!place(reader, name, operators[o].words, arguments, n, given, pos)) {
    return dae_value_poison();
  }
  if (given[0] == NULL) {
    dae_source_error(reader->source, pos, "'%s' takes a value", name);
    return dae_value_poison();
  }
  if (!whole_number(reader, name, operators[o].words[1] != NULL ? operators[o].words[1] : "",
                    given[1], operators[o].least, operators[o].otherwise, pos, &counter) ||
      !whole_number(reader, name, "resolution", given[2], 1, 1, pos, &resolution)) {
    return dae_value_poison();
  }
  if (given[0]->type == DAE_VALUE_CLOCK) {
    return convert_clock(reader, o, given[0], counter, resolution, pos);
  }
  if (reader->is_structural) {
    DaeValue value = *given[0];
    value.opaque = true;
    return value;
  }
  g_autofree char *suffix =
      given[2] != NULL
          ? g_strdup_printf(", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, counter, resolution)
      : given[1] != NULL ? g_strdup_printf(", %" G_GINT64_FORMAT, counter)
                         : g_strdup("");
  DaeClockedKind kind = operators[o].kind;
  Operation operation = {.like = {.kind = kind,
                                  .counter = counter,
                                  .resolution = resolution,
                                  .span = dae_source_span(reader->source, pos)},
                         .name = name,
                         .suffix = suffix,
                         .needs_variable = kind == DAE_CLOCKED_PREVIOUS ||
                                           kind == DAE_CLOCKED_HOLD || kind == DAE_CLOCKED_BACK,
                         .pos = pos};
  return operate(reader, &operation, given[0]);
}

/* sample(u), sample(u, clock) */
static DaeValue
apply_sample(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  static const char *const words[MOST_ARGUMENTS] = {"u", "clock", NULL};
  const DaeValue *given[MOST_ARGUMENTS] = {NULL, NULL, NULL};
  if (!place(reader, "sample", words, arguments, n, given, pos)) {
    return dae_value_poison();
  }
  if (given[0] == NULL ||
      (given[1] != NULL && (given[1]->type != DAE_VALUE_CLOCK || given[1]->n_dims > 0))) {
    dae_source_error(reader->source, pos, "'sample' takes a value and a clock");
    return dae_value_poison();
  }
  if (reader->is_structural) {
    DaeValue value = *given[0];
    value.opaque = true;
    return value;
  }
  DaeTerm clock = given[1] != NULL ? given[1]->term : DAE_NO_TERM;
  g_autofree char *suffix =
      clock != DAE_NO_TERM ? g_strconcat(", ", clock_text(reader, clock), NULL) : g_strdup("");
  Operation operation = {.like = {.kind = DAE_CLOCKED_SAMPLE,
                                  .clock = clock,
                                  .span = dae_source_span(reader->source, pos)},
                         .name = "sample",
                         .suffix = suffix,
                         .pos = pos};
  return operate(reader, &operation, given[0]);
}

/* interval(u), firstTick(u): u tells the clock only */
static DaeValue
apply_tick(DaeReader *reader, DaeClockedKind kind, const char *name, const DaeValue *arguments,
           uint32_t n, uint32_t pos)
{
  DaeValueType type = kind == DAE_CLOCKED_INTERVAL ? DAE_VALUE_REAL : DAE_VALUE_BOOLEAN;
  if (n > 1 || (n == 1 && arguments[0].type == DAE_VALUE_CLOCK)) {
    dae_source_error(reader->source, pos, "'%s' takes at most one value", name);
    return dae_value_poison();
  }
  if (reader->is_structural) {
    return opaque_value(type);
  }
  DaeClockedAtom like = {
      .kind = kind, .type = type_of(type), .span = dae_source_span(reader->source, pos)};
  g_autofree char *text = NULL;
  if (n == 1 && arguments[0].count > 0) {
    DaeTerm t = dae_value_scalar_at(&arguments[0], 0);
    like.of = dae_discrete_unknown(reader, arguments[0].type, t);
    text = dae_term_to_string(reader->terms, t);
  }
  g_autofree char *written = g_strdup_printf("%s(%s)", name, text != NULL ? text : "");
  return dae_value_scalar(type, clocked_atom(reader, &like, written));
}

DaeValue
dae_clock_apply(DaeReader *reader, const char *name, const DaeValue *arguments, uint32_t n,
                uint32_t pos, bool *found)
{
  bool is_constructor = strcmp(name, "Clock") == 0;
  bool is_sample = strcmp(name, "sample") == 0 &&
                   (n == 1 || (n == 2 && (arguments[0].type == DAE_VALUE_CLOCK ||
                                          arguments[1].type == DAE_VALUE_CLOCK)));
  bool is_interval = strcmp(name, "interval") == 0;
  bool is_tick = is_interval || strcmp(name, "firstTick") == 0;
  uint32_t o = 0;
  while (o < G_N_ELEMENTS(operators) && strcmp(name, operators[o].name) != 0) {
    o++;
  }
  *found = is_constructor || is_sample || is_tick || o < G_N_ELEMENTS(operators);
  if (!*found) {
    return dae_value_poison();
  }
  if (reader->scopes->len > 0) {
    dae_source_error(reader->source, pos,
                     "'%s' cannot be used in a function or an algorithm section", name);
    return dae_value_poison();
  }
  if (reader->result == NULL && !reader->is_structural) {
    dae_source_error(reader->source, pos, "'%s' cannot be used here", name);
    return dae_value_poison();
  }
  if (is_constructor) {
    return construct_clock(reader, arguments, n, pos);
  }
  if (is_sample) {
    return apply_sample(reader, arguments, n, pos);
  }
  if (is_tick) {
    return apply_tick(reader, is_interval ? DAE_CLOCKED_INTERVAL : DAE_CLOCKED_FIRST_TICK, name,
                      arguments, n, pos);
  }
  return apply_operator(reader, o, arguments, n, pos);
}

/* ---- equations and when-clauses ---------------------------------------------------------- */

/* Which clock counts is decided at translation. */
static bool
is_certain(const DaeReader *reader)
{
  for (uint32_t i = 0; i < reader->ifs->len; i++) {
    if (g_array_index(reader->ifs, DaeIfFrame, i).mode == DAE_IF_BOTH) {
      return false;
    }
  }
  return true;
}

bool
dae_clock_equate(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  if (a->type == DAE_VALUE_POISON || b->type == DAE_VALUE_POISON || a->opaque || b->opaque) {
    return false;
  }
  if (a->type != DAE_VALUE_CLOCK || b->type != DAE_VALUE_CLOCK || !dae_value_same_size(a, b)) {
    g_autofree char *left = dae_value_size_text(a);
    g_autofree char *right = dae_value_size_text(b);
    dae_source_error(reader->source, pos, "a clock equals a clock; these are %s %s and %s %s",
                     dae_value_type_text(a), left, dae_value_type_text(b), right);
    return false;
  }
  if (!is_certain(reader)) {
    dae_source_error(reader->source, pos,
                     "the condition for an equation of clocks must be known at translation");
    return false;
  }
  for (uint32_t i = 0; i < a->count; i++) {
    DaeClockEquation equation = {dae_value_element(a, i), dae_value_element(b, i),
                                 dae_source_span(reader->source, pos)};
    g_array_append_val(reader->result->clock_equations, equation);
  }
  return true;
}

bool
dae_clock_when_begin(DaeReader *reader, const DaeValue *clock, uint32_t pos)
{
  if (clock->n_dims > 0) {
    dae_source_error(reader->source, pos, "a clocked when-clause has one clock");
    return false;
  }
  reader->clocked_when = clock->term;
  reader->clocked_equations = reader->equations->len;
  reader->clocked_is_over = false;
  reader->clocked_pos = pos;
  return true;
}

void
dae_clock_when_end(DaeReader *reader)
{
  DaeClockedWhen done = {.clock = reader->clocked_when,
                         .first = reader->clocked_equations,
                         .n = reader->equations->len - reader->clocked_equations,
                         .span = dae_source_span(reader->source, reader->clocked_pos)};
  g_array_append_val(reader->result->clocked_whens, done);
  reader->clocked_when = DAE_NO_TERM;
}
