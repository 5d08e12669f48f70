/* The body of a function that is a routine (opaque.c), traced once on formals: which results
 * are outputs of the routine, which are written out, and what its assertions are. */
#include "reader/opaque.h"

#include <string.h>

#include "reader/inverse.h"
#include "terms/message.h"
#include "terms/routines.h"

#define MOST_SCALARS 10000u /* arguments and results of a routine */

static bool
has_term(const GArray *list, DaeTerm t)
{
  for (uint32_t i = 0; i < list->len; i++) {
    if (g_array_index(list, DaeTerm, i) == t) {
      return true;
    }
  }
  return false;
}

/* Parameters that the body uses beside its arguments become inputs. False: it uses more than
 * that. */
static bool
add_parameters(DaeReader *reader, DaeOpaqueCase *c, const DaeTerm *list, uint32_t n)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_contains(reader->terms, list[i], dae_term_time(reader->terms))) {
      return false;
    }
    dae_term_collect_variables(reader->terms, list[i], atoms);
    dae_term_collect_parameters(reader->terms, list[i], atoms);
  }
  for (uint32_t i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    if (has_term(c->inputs, atom)) {
      continue;
    }
    if (dae_term_kind(reader->terms, atom) != DAE_KIND_PARAMETER) {
      return false;
    }
    g_array_append_val(c->inputs, atom);
  }
  return true;
}

static bool
is_written(DaeReader *reader, DaeTerm t, uint32_t written)
{
  DaeKind kind = dae_term_kind(reader->terms, t);
  if (kind == DAE_KIND_NUMBER || kind == DAE_KIND_BOOLEAN ||
      (dae_term_is_parametric(reader->terms, t) &&
       !dae_term_has_parameters(reader->terms, t))) {
    return true;
  }
  return dae_term_size(reader->terms, t) <= written &&
         dae_term_tree_size(reader->terms, t) <= DAE_INLINE_TREE;
}

static void
add_result(DaeReader *reader, DaeOpaqueCase *c, uint8_t type, DaeTerm t, uint32_t written,
           GArray *large)
{
  DaeOpaqueResult result = {.type = type, .is_absent = t == DAE_NO_TERM};
  if (type == DAE_VALUE_STRING) { /* names, no terms */
    result.written = t;
    result.is_absent = false;
  } else if (!result.is_absent && is_written(reader, t, written)) {
    result.written = t;
  } else if (!result.is_absent) {
    DaeTerm number = dae_formal_number(reader, type, t);
    result.at = large->len;
    g_array_append_val(large, number);
  }
  g_array_append_val(c->results, result);
}

static const DaeTerm *
terms_of(const GArray *list)
{
  return (const DaeTerm *)(const void *)list->data;
}

DaeRoutine
dae_guarded_routine(DaeReader *reader, const GArray *inputs, const DaeTerm *results, uint32_t n)
{
  DaeTerms *terms = reader->terms;
  DaeTerm active = g_array_index(inputs, DaeTerm, 0);
  DaeTerm *states = dae_value_new_data(reader, n + 1);
  DaeTerm *initial = dae_value_new_data(reader, n + 1);
  DaeTerm *next = dae_value_new_data(reader, n + 1);
  for (uint32_t k = 0; k <= n; k++) {
    states[k] = dae_trace_formal(reader);
    initial[k] = dae_term_int(terms, 0);
    next[k] = k < n ? results[k] : dae_term_int(terms, 1);
  }
  return (DaeRoutine){
      .inputs = terms_of(inputs),
      .states = states,
      .initial = initial,
      .next = next,
      .outputs = states,
      .condition = dae_term_and(terms, dae_discrete_condition(terms, active),
                                dae_term_not(terms, dae_discrete_condition(terms, states[n]))),
      .n_inputs = inputs->len,
      .n_states = n + 1,
      .n_outputs = n};
}

static uint32_t
add_guarded(DaeReader *reader, const char *name, const GArray *inputs, const GArray *outputs)
{
  DaeRoutine routine = dae_guarded_routine(reader, inputs, terms_of(outputs), outputs->len);
  routine.name = name;
  return dae_terms_add_own_routine(reader->terms, &routine);
}

uint32_t
dae_opaque_add_routine(DaeReader *reader, const char *name, bool is_guarded,
                       const GArray *inputs, const GArray *outputs)
{
  if (is_guarded) {
    return add_guarded(reader, name, inputs, outputs);
  }
  DaeRoutine routine = {.name = name,
                        .inputs = terms_of(inputs),
                        .outputs = terms_of(outputs),
                        .n_inputs = inputs->len,
                        .n_outputs = outputs->len};
  return dae_terms_add_own_routine(reader->terms, &routine);
}

/* The annotated derivative, in the formals of the routine. */
static void
take_derivative(DaeReader *reader, const DaeOpaqueCase *c, const DaeValue *outputs,
                const GArray *inputs, uint32_t n_results, uint32_t pos)
{
  g_autofree uint32_t *places = g_new(uint32_t, c->results->len + 1);
  for (uint32_t k = 0; k < c->results->len; k++) {
    const DaeOpaqueResult *result = &g_array_index(c->results, DaeOpaqueResult, k);
    bool is_output = !result->is_absent && result->written == DAE_NO_TERM;
    places[k] = is_output ? result->at : UINT32_MAX;
  }
  DaeOpaqueRoutine f = {.class = c->class,
                        .number = c->number,
                        .is_guarded = c->is_guarded,
                        .inputs = (const DaeValue *)(const void *)c->values->data,
                        .names = (const uint32_t *)(const void *)c->names->data,
                        .n_inputs = c->values->len,
                        .outputs = outputs,
                        .n_outputs = c->n_outputs,
                        .places = places,
                        .n_results = n_results,
                        .formals = inputs};
  dae_opaque_take_derivative(reader, &f, pos);
}

/* Of a function with one result. */
static void
take_inverse(DaeReader *reader, const DaeOpaqueCase *c, const GArray *inputs)
{
  const DaeOpaqueResult *result = &g_array_index(c->results, DaeOpaqueResult, 0);
  if (c->is_guarded || c->n_outputs != 1 || dae_arguments_count(&c->outputs[0]) != 1 ||
      result->is_absent || result->written != DAE_NO_TERM || result->type != DAE_VALUE_REAL) {
    return;
  }
  DaeInverseOf f = {.class = c->class,
                    .number = c->number,
                    .at = result->at,
                    .inputs = (const DaeValue *)(const void *)c->values->data,
                    .names = (const uint32_t *)(const void *)c->names->data,
                    .n_inputs = c->values->len,
                    .formals = inputs};
  dae_inverse_take(reader, &f);
}

static void
make_routine(DaeReader *reader, DaeOpaqueCase *c, const DaeValue *values, const GArray *outputs,
             uint32_t pos)
{
  const char *name =
      dae_names_text(reader->names, dae_syntax_class(reader->syntax, c->class)->name);
  bool is_annotated = dae_derivative_is_usable(reader, c->class);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm active = dae_trace_formal(reader);
  if (c->is_guarded) {
    g_array_append_val(inputs, active);
  }
  for (uint32_t k = 0; k < outputs->len; k++) {
    dae_term_collect_variables(reader->terms, g_array_index(outputs, DaeTerm, k), atoms);
    dae_term_collect_parameters(reader->terms, g_array_index(outputs, DaeTerm, k), atoms);
  }
  for (uint32_t i = 0; i < c->inputs->len; i++) {
    DaeTerm input = g_array_index(c->inputs, DaeTerm, i);
    if (is_annotated || has_term(atoms, input)) {
      g_array_append_val(inputs, input);
      g_array_append_val(c->used, i);
    }
  }
  c->has_routine = true;
  c->number = dae_opaque_add_routine(reader, name, c->is_guarded, inputs, outputs);
  if (is_annotated) {
    take_derivative(reader, c, values, inputs, outputs->len, pos);
  }
  take_inverse(reader, c, inputs);
}

/* The shape of an output, kept for as long as the reader lives. */
static DaeValue
shape_of(DaeReader *reader, const DaeValue *value)
{
  DaeValue shape = *value;
  uint32_t *dims = dae_arena_alloc(reader->arena, (value->n_dims + 1u) * sizeof *dims);
  if (value->n_dims > 0) {
    memcpy(dims, value->dims, value->n_dims * sizeof *dims);
  }
  shape.dims = dims;
  shape.data = NULL;
  shape.outputs = NULL;
  shape.n_outputs = 0;
  return shape;
}

static bool
is_same_place(const DaeAssertion *a, const DaeAssertion *b)
{
  return a->span.file == b->span.file && a->span.line == b->span.line &&
         a->span.column == b->span.column && a->is_warning == b->is_warning &&
         dae_message_is_like(a->message, b->message);
}

/* Without values; texts of formals in a message become the names of the arguments. */
static const char *
named_message(DaeReader *reader, const DaeOpaqueCase *c, const char *message)
{
  g_autofree char *plain = dae_message_fill(reader->terms, message, NULL, NULL);
  g_autoptr(GString) text = g_string_new(plain);
  for (uint32_t i = c->values->len; i-- > 0;) {
    const DaeValue *value = &g_array_index(c->values, DaeValue, i);
    if (value->n_dims > 0 || value->type != DAE_VALUE_REAL) {
      continue;
    }
    g_autoptr(GString) formal = g_string_new(NULL);
    dae_term_print_limited(reader->terms, value->term, formal, 0);
    if (g_str_has_prefix(formal->str, "$t")) {
      g_string_replace(text, formal->str,
                       dae_names_text(reader->names, g_array_index(c->names, uint32_t, i)), 0);
    }
  }
  return g_string_chunk_insert_const(reader->strings, text->str);
}

/* Those of the body; one that is met in several calls inside is one: all of its conditions
 * hold. */
static void
gather_assertions(DaeReader *reader, DaeOpaqueCase *c, uint32_t first)
{
  for (uint32_t i = first; reader->assertions != NULL && i < reader->assertions->len; i++) {
    DaeAssertion assertion = g_array_index(reader->assertions, DaeAssertion, i);
    uint32_t at = 0;
    while (at < c->assertions->len &&
           !is_same_place(&g_array_index(c->assertions, DaeAssertion, at), &assertion)) {
      at++;
    }
    if (at == c->assertions->len) {
      g_array_append_val(c->assertions, assertion);
    } else {
      DaeAssertion *known = &g_array_index(c->assertions, DaeAssertion, at);
      known->condition = dae_term_and(reader->terms, known->condition, assertion.condition);
      if (strcmp(known->message, assertion.message) != 0) { /* whose value fails is open */
        known->message = named_message(reader, c, known->message);
      }
    }
  }
}

static bool
keep_results(DaeReader *reader, DaeOpaqueCase *c, const DaeValue *outputs, uint32_t n,
             uint32_t first_assertion, uint32_t written, uint32_t pos)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) large = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  c->n_outputs = n;
  c->outputs = dae_arena_alloc(reader->arena, MAX(n, 1u) * sizeof(DaeValue));
  for (uint32_t i = 0; i < n; i++) {
    if (outputs[i].type > DAE_VALUE_RECORD || outputs[i].type == DAE_VALUE_CLOCK) {
      return false;
    }
    c->outputs[i] = shape_of(reader, &outputs[i]);
    for (uint32_t k = 0; k < dae_arguments_count(&outputs[i]); k++) {
      uint8_t type = dae_arguments_type(&outputs[i], k);
      DaeTerm t = dae_value_scalar_at(&outputs[i], k);
      add_result(reader, c, type, t, written, large);
      if (type != DAE_VALUE_STRING && t != DAE_NO_TERM) {
        g_array_append_val(all, t);
      }
    }
  }
  gather_assertions(reader, c, first_assertion);
  for (uint32_t i = 0; i < c->assertions->len; i++) {
    DaeTerm condition = g_array_index(c->assertions, DaeAssertion, i).condition;
    g_array_append_val(all, condition);
    add_result(reader, c, DAE_VALUE_BOOLEAN, condition, written, large);
  }
  /* a call is a term for each result with all arguments in it: of a matrix product that is more
   * than the text */
  size_t n_operands = (size_t)large->len * c->n_formals;
  if (c->results->len + c->n_formals > MOST_SCALARS ||
      (written > 0 && n_operands > dae_terms_count(reader->terms) - c->first_term) ||
      !add_parameters(reader, c, terms_of(all), all->len)) {
    return false;
  }
  if (large->len > 0) {
    make_routine(reader, c, outputs, large, pos);
  }
  return true;
}

/* Inside the scope: what the inputs are, also those with their default. */
static bool
keep_inputs(DaeReader *reader, DaeOpaqueCase *c, uint32_t pos)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, c->class, &n);
  uint32_t first = g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).first_local;
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    uint32_t name = d->name;
    if ((d->flags & DAE_FLAG_INPUT) == 0) {
      continue;
    }
    DaeValue value = dae_local(reader, first + i)->value;
    if (value.type != DAE_VALUE_FUNCTION) {
      value = dae_local_load(reader, first + i, pos);
    }
    if (value.type == DAE_VALUE_POISON) {
      return false;
    }
    g_array_append_val(c->values, value);
    g_array_append_val(c->names, name);
  }
  return true;
}

static bool
trace_body(DaeReader *reader, DaeOpaqueCase *c, const DaeValue *const *given, uint32_t n,
           uint32_t written, uint32_t pos)
{
  uint32_t n_outputs = 0;
  uint32_t assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  uint32_t epoch = reader->epoch;
  uint32_t changes = reader->changes->len;
  DaeTraceMark mark;
  dae_trace_begin(reader, &mark);
  const DaeValue **formal = dae_formal_arguments(reader, c->constants, given, n, c->inputs);
  DaeValue *outputs = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof(DaeValue));
  c->n_formals = c->inputs->len;
  c->first_term = dae_terms_count(reader->terms);
  reader->epoch = ++reader->last_epoch;
  bool good = dae_call_begin_scope(reader, c->class, formal, pos) &&
              dae_call_run_body(reader, c->class, outputs, &n_outputs, pos) &&
              keep_inputs(reader, c, pos);
  dae_scope_leave(reader);
  reader->epoch = epoch;
  g_array_set_size(reader->changes, changes);
  for (uint32_t i = 0; i < n_outputs; i++) { /* members of records: 0 at run time */
    dae_unset_settle(reader, &outputs[i], NULL, false, pos);
  }
  good = good && keep_results(reader, c, outputs, n_outputs, assertions, written, pos);
  dae_trace_end(reader, &mark);
  if (reader->assertions != NULL) {
    g_array_set_size(reader->assertions, assertions);
  }
  return good;
}

void
dae_opaque_trace(DaeReader *reader, DaeOpaqueCase *c, const DaeValue *const *given, uint32_t n,
                 uint32_t written, uint32_t pos)
{
  uint32_t stack = reader->stack->len;
  uint32_t loops = reader->loops->len;
  uint32_t ifs = reader->ifs->len;
  uint64_t steps = reader->call_steps;
  const char *surrender = reader->surrender;
  uint32_t recursion = reader->recursion;
  dae_source_hush(reader->source);
  c->is_failed = !trace_body(reader, c, given, n, written, pos) ||
                 reader->surrender != surrender || reader->recursion != recursion;
  dae_source_speak(reader->source);
  if (c->is_failed) {
    dae_reader_unwind(reader, loops, ifs);
    g_array_set_size(reader->stack, stack);
    reader->surrender = surrender;
    reader->recursion = recursion;
  }
  reader->call_steps = steps;
}
