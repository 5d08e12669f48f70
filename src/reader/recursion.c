/* Functions as routines (terms/routines.h): those that call themselves under a condition
 * that is known only at run time.
 *
 * The body is executed once with formals in place of the arguments; a call of the function
 * inside becomes a call of the routine. Arguments that are numbers stay numbers, which gives
 * a routine for each set of them, until one is found to change from call to call. All
 * branches become terms and are run, so a routine has one more argument: without it nothing
 * is done. That is written as a loop of at most one round. */
#include "reader/calls.h"

#include <string.h>

#include "reader/opaque.h"

struct DaeRoutineCase {
  uint32_t class;
  char *key;
  uint32_t number;
  bool is_open; /* its body is under way */
  /* then its last outputs tell of failures, and of those with the level warning */
  bool has_assertions, has_warnings;
  DaeAssertion assertion, warning;
  DaeTerm *constants; /* by scalar argument: what it is; DAE_NO_TERM: a formal */
  uint32_t n_scalars, n_outputs;
  DaeValue *outputs; /* shapes, in the arena of the reader */
};

typedef struct DaeRoutineCase Case;

static const char *
class_name(const DaeReader *reader, uint32_t class)
{
  return dae_names_text(reader->names, dae_syntax_class(reader->syntax, class)->name);
}

void
dae_routine_case_free(gpointer data)
{
  Case *c = data;
  g_free(c->key);
  g_free(c->constants);
  g_free(c);
}

/* ---- arguments ------------------------------------------------------------------------- */

/* Numbers stay, unless an open call of the same function has another one there: then it
 * changes from call to call. */
static DaeTerm *
choose_constants(const DaeReader *reader, uint32_t class, const GArray *scalars,
                 const GArray *types)
{
  DaeTerm *constants = g_new0(DaeTerm, scalars->len + 1);
  for (uint32_t k = 0; k < scalars->len; k++) {
    DaeTerm t = g_array_index(scalars, DaeTerm, k);
    bool is_text = g_array_index(types, uint8_t, k) == DAE_VALUE_STRING;
    constants[k] = dae_argument_constant(reader, g_array_index(types, uint8_t, k), t);
    for (uint32_t i = 0; i < reader->routine_cases->len && !is_text; i++) {
      const Case *c = g_ptr_array_index(reader->routine_cases, i);
      if (c->is_open && c->class == class && c->n_scalars == scalars->len &&
          c->constants[k] != constants[k]) {
        constants[k] = DAE_NO_TERM;
      }
    }
  }
  return constants;
}

/* ---- calls ----------------------------------------------------------------------------- */

static Case *
find_case(const DaeReader *reader, const char *key)
{
  for (uint32_t i = 0; i < reader->routine_cases->len; i++) {
    Case *c = g_ptr_array_index(reader->routine_cases, i);
    if (strcmp(c->key, key) == 0) {
      return c;
    }
  }
  return NULL;
}

/* An output that is not 0 where an assertion inside has failed. */
static void
assert_output(DaeReader *reader, DaeAssertion assertion, bool is_warning, DaeTerm failed)
{
  DaeTerms *terms = reader->terms;
  if (reader->assertions == NULL) {
    return;
  }
  failed = dae_term_call1(terms, DAE_FN_NOEVENT, failed);
  assertion.condition = dae_term_not(terms, dae_discrete_condition(terms, failed));
  assertion.is_warning = is_warning;
  g_array_append_val(reader->assertions, assertion);
  dae_when_take_assertion(reader);
}

static DaeValue
call_case(DaeReader *reader, const Case *c, const GArray *scalars, const GArray *types)
{
  DaeTerms *terms = reader->terms;
  g_autoptr(GArray) arguments = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm path = dae_trace_path(reader);
  DaeTerm active =
      path == DAE_NO_TERM ? dae_term_int(terms, 1) : dae_discrete_number(reader, path);
  g_array_append_val(arguments, active);
  for (uint32_t k = 0; k < scalars->len; k++) {
    if (c->constants[k] == DAE_NO_TERM) {
      DaeTerm t = dae_formal_number(reader, g_array_index(types, uint8_t, k),
                                    g_array_index(scalars, DaeTerm, k));
      g_array_append_val(arguments, t);
    }
  }
  const DaeTerm *list = (const DaeTerm *)(const void *)arguments->data;
  DaeValue *values = dae_arena_alloc(reader->scratch, MAX(c->n_outputs, 1u) * sizeof(DaeValue));
  uint32_t at = 0;
  for (uint32_t i = 0; i < c->n_outputs; i++) {
    uint32_t n = dae_arguments_count(&c->outputs[i]);
    DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
    for (uint32_t k = 0; k < n; k++) {
      data[k] = dae_formal_value(reader, dae_arguments_type(&c->outputs[i], k),
                                 dae_term_routine(terms, c->number, at++, list));
    }
    values[i] = dae_value_like(reader, &c->outputs[i], c->outputs[i].n_dims, c->outputs[i].dims,
                               data, c->outputs[i].count);
    values[i].data = data;
  }
  if (c->has_warnings || c->is_open) {
    assert_output(reader, c->warning, true, dae_term_routine(terms, c->number, at + 1, list));
  }
  if (c->has_assertions || c->is_open) {
    assert_output(reader, c->assertion, false, dae_term_routine(terms, c->number, at, list));
  }
  DaeValue result = values[0];
  if (c->n_outputs > 1) {
    result.outputs = values;
    result.n_outputs = c->n_outputs;
  }
  return result;
}

/* ---- the body -------------------------------------------------------------------------- */

/* The scope is entered: sizes of the outputs are known. */
static bool
declare_outputs(DaeReader *reader, Case *c, uint32_t n_inputs, uint32_t pos)
{
  uint32_t n = 0;
  uint32_t total = 0;
  const uint32_t *members = dae_call_members(reader, c->class, &n);
  uint32_t first = g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).first_local;
  c->outputs = dae_arena_alloc(reader->arena, MAX(n, 1u) * sizeof(DaeValue));
  for (uint32_t i = 0; i < n; i++) {
    if ((dae_syntax_declaration(reader->syntax, members[i])->flags & DAE_FLAG_OUTPUT) == 0) {
      continue;
    }
    const DaeLocal *local = dae_local(reader, first + i);
    if (local->has_open_size || dae_record_is_open(&local->value) ||
        local->value.type == DAE_VALUE_STRING || local->value.type > DAE_VALUE_RECORD) {
      dae_source_unsupported(reader->source, pos,
                             "'%s', which calls itself at run time, with a result '%s' of "
                             "unknown size or of type String",
                             class_name(reader, c->class),
                             dae_names_text(reader->names, local->name));
      return false;
    }
    DaeValue *output = &c->outputs[c->n_outputs++];
    *output = local->value;
    uint32_t *dims = dae_arena_alloc(reader->arena, (output->n_dims + 1u) * sizeof *dims);
    for (uint32_t d = 0; d < output->n_dims; d++) {
      dims[d] = local->value.dims[d];
    }
    output->dims = dims;
    output->data = NULL;
    total += dae_arguments_count(output);
  }
  if (c->n_outputs == 0) {
    dae_source_error(reader->source, pos, "'%s' has no result", class_name(reader, c->class));
    return false;
  }
  c->number = dae_terms_declare_routine(reader->terms, class_name(reader, c->class), n_inputs,
                                        total + 2);
  return true;
}

/* One of the level that is asked for; the first that has a text becomes *told. */
static DaeTerm
gather_failures(DaeReader *reader, uint32_t first, bool is_warning, bool *any,
                DaeAssertion *told)
{
  DaeTerms *terms = reader->terms;
  DaeTerm failed = DAE_NO_TERM;
  for (uint32_t i = first; reader->assertions != NULL && i < reader->assertions->len; i++) {
    const DaeAssertion *assertion = &g_array_index(reader->assertions, DaeAssertion, i);
    if (assertion->is_warning != is_warning) {
      continue;
    }
    DaeTerm bad = dae_term_not(terms, assertion->condition);
    if (!*any && assertion->message != NULL) {
      *any = true;
      *told = *assertion;
    }
    failed = failed == DAE_NO_TERM ? bad : dae_term_or(terms, failed, bad);
  }
  return *any ? dae_discrete_number(reader, failed) : dae_term_int(terms, 0);
}

static bool
is_closed(DaeReader *reader, const DaeTerm *list, uint32_t n, const GArray *inputs)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < n; i++) {
    dae_term_collect_variables(reader->terms, list[i], atoms);
    dae_term_collect_parameters(reader->terms, list[i], atoms);
    if (dae_term_contains(reader->terms, list[i], dae_term_time(reader->terms))) {
      return false;
    }
  }
  for (uint32_t i = 0; i < atoms->len; i++) {
    bool is_input = false;
    for (uint32_t k = 0; k < inputs->len && !is_input; k++) {
      is_input = g_array_index(atoms, DaeTerm, i) == g_array_index(inputs, DaeTerm, k);
    }
    if (!is_input) {
      return false;
    }
  }
  return true;
}

static bool
define(DaeReader *reader, const Case *c, const GArray *inputs, const DaeTerm *results,
       uint32_t n, uint32_t pos)
{
  if (!is_closed(reader, results, n, inputs)) {
    dae_source_unsupported(reader->source, pos,
                           "'%s', which calls itself at run time and uses more than its "
                           "arguments,",
                           class_name(reader, c->class));
    return false;
  }
  DaeRoutine routine = dae_guarded_routine(reader, inputs, results, n);
  dae_terms_define_routine(reader->terms, c->number, &routine);
  return true;
}

static bool
run_body(DaeReader *reader, Case *c, const GArray *inputs, uint32_t pos)
{
  uint32_t assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  uint32_t n_outputs = 0;
  DaeValue *outputs =
      dae_arena_alloc(reader->scratch, MAX(c->n_outputs, 1u) * sizeof(DaeValue));
  if (!dae_call_run_body(reader, c->class, outputs, &n_outputs, pos)) {
    return false;
  }
  g_autoptr(GArray) results = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < n_outputs; i++) {
    dae_unset_settle(reader, &outputs[i], NULL, false, pos);
    for (uint32_t k = 0; k < dae_arguments_count(&outputs[i]); k++) {
      DaeTerm t = dae_formal_number(reader, dae_arguments_type(&outputs[i], k),
                                    dae_value_scalar_at(&outputs[i], k));
      g_array_append_val(results, t);
    }
  }
  DaeTerm failed =
      gather_failures(reader, assertions, false, &c->has_assertions, &c->assertion);
  DaeTerm warned = gather_failures(reader, assertions, true, &c->has_warnings, &c->warning);
  g_array_append_val(results, failed);
  g_array_append_val(results, warned);
  if (reader->assertions != NULL) {
    g_array_set_size(reader->assertions, assertions);
  }
  return define(reader, c, inputs, (const DaeTerm *)(const void *)results->data, results->len,
                pos);
}

static bool
trace_case(DaeReader *reader, Case *c, const DaeValue *const *given, uint32_t n, uint32_t pos)
{
  DaeTraceMark mark;
  g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  uint32_t epoch = reader->epoch;
  uint32_t changes = reader->changes->len;
  dae_trace_begin(reader, &mark);
  DaeTerm active = dae_trace_formal(reader);
  g_array_append_val(inputs, active);
  const DaeValue **formal = dae_formal_arguments(reader, c->constants, given, n, inputs);
  reader->epoch = ++reader->last_epoch;
  c->is_open = true;
  bool good = dae_call_begin_scope(reader, c->class, formal, pos) &&
              declare_outputs(reader, c, inputs->len, pos) && run_body(reader, c, inputs, pos);
  dae_scope_leave(reader);
  c->is_open = false;
  reader->epoch = epoch;
  g_array_set_size(reader->changes, changes);
  dae_trace_end(reader, &mark);
  return good;
}

DaeValue
dae_call_as_routine(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                    uint32_t pos)
{
  uint32_t n = 0;
  dae_call_members(reader, class, &n);
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) scalars = dae_arguments_list(reader, given, n, types);
  g_autofree DaeTerm *constants = choose_constants(reader, class, scalars, types);
  g_autofree char *key = dae_arguments_key(class, given, n, constants);
  Case *c = find_case(reader, key);
  if (c == NULL) {
    c = g_new0(Case, 1);
    c->class = class;
    c->key = g_steal_pointer(&key);
    c->constants = g_steal_pointer(&constants);
    c->n_scalars = scalars->len;
    g_ptr_array_add(reader->routine_cases, c);
    if (!trace_case(reader, c, given, n, pos)) {
      g_ptr_array_remove(reader->routine_cases, c);
      return dae_value_poison();
    }
  }
  return call_case(reader, c, scalars, types);
}
