/* One call of a user's function: which treatment it gets.
 *
 * By default the body is executed on terms. A function that calls itself under a condition
 * known only at run time is a routine (recursion.c), and so is one that says so or is large
 * (opaque.c). */
#include "reader/calls.h"

#include <string.h>

#define MAX_UNROLLED 5u /* calls of a function inside itself that are written out */

static const char *
class_name(const DaeReader *reader, uint32_t class)
{
  return dae_names_text(reader->names, dae_syntax_class(reader->syntax, class)->name);
}

static bool
run_body(DaeReader *reader, uint32_t class, uint32_t pos)
{
  if (dae_syntax_class(reader->syntax, class)->external != 0) {
    return dae_foreign_run(reader, class, pos);
  }
  g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).in_body = true;
  for (uint32_t i = 0; i < reader->syntax->sections->len; i++) {
    const DaeSection section = g_array_index(reader->syntax->sections, DaeSection, i);
    if (section.owner == class && !dae_statements_run(reader, section.code)) {
      return false;
    }
  }
  return true;
}

/* Does a statement of the function give this variable a value, on some path? */
static bool
is_assigned(const DaeReader *reader, uint32_t class, uint32_t name)
{
  for (uint32_t i = 0; i < reader->syntax->sections->len; i++) {
    const DaeSection section = g_array_index(reader->syntax->sections, DaeSection, i);
    const DaeInstruction *at = dae_syntax_code(reader->syntax, section.code);
    for (; section.owner == class && at->op != DAE_OP_RETURN; at++) {
      if (at->op == DAE_OP_TARGET &&
          g_array_index(reader->syntax->paths, uint32_t, at->arg + 1) == name) {
        return true;
      }
    }
  }
  return false;
}

/* A result from number `taken` on that has no value on the path that was taken is left out, with
 * those behind it. */
static bool
collect_outputs(DaeReader *reader, uint32_t class, DaeValue *outputs, uint32_t taken,
                uint32_t *n_outputs, uint32_t pos)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  uint32_t first = g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).first_local;
  *n_outputs = 0;
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    if ((d->flags & DAE_FLAG_OUTPUT) == 0) {
      continue;
    }
    DaeValue value = dae_local_load(reader, first + i, pos);
    if (value.type == DAE_VALUE_POISON) {
      return false;
    }
    if (value.type != DAE_VALUE_RECORD) {
      dae_unset_settle(reader, &value, dae_names_text(reader->names, d->name),
                       *n_outputs < taken, pos);
    }
    /* of a record, who needs the member tells */
    if (value.is_incomplete && value.type != DAE_VALUE_RECORD) {
      if (*n_outputs >= taken && is_assigned(reader, class, d->name)) {
        return true;
      }
      dae_source_error(reader->source, pos, "'%s' gives its result '%s' no value",
                       class_name(reader, class), dae_names_text(reader->names, d->name));
      dae_source_note(reader->source, d->pos, "declared here");
      return false;
    }
    outputs[(*n_outputs)++] = value;
  }
  return true;
}

const DaeModification *
dae_call_annotation(const DaeReader *reader, uint32_t class, const char *name)
{
  const DaeClass *c = dae_syntax_class(reader->syntax, class);
  uint32_t id = dae_names_find(reader->names, name, strlen(name));
  return id != 0 ? dae_syntax_modification(reader->syntax, c->first_annotation,
                                           c->n_annotations, id)
                 : NULL;
}

bool
dae_call_has_annotation(const DaeReader *reader, uint32_t class, const char *name, bool value)
{
  const DaeModification *m = dae_call_annotation(reader, class, name);
  return m != NULL && m->code != 0 &&
         dae_syntax_code(reader->syntax, m->code)->op == DAE_OP_BOOLEAN &&
         (dae_syntax_code(reader->syntax, m->code)->arg != 0) == value;
}

static DaeValue
pack_outputs(DaeReader *reader, const DaeValue *outputs, uint32_t n)
{
  if (n == 0) {
    return (DaeValue){.type = DAE_VALUE_TUPLE, .count = 0};
  }
  DaeValue result = outputs[0];
  if (n > 1) {
    DaeValue *copy = dae_arena_alloc(reader->scratch, n * sizeof(DaeValue));
    memcpy(copy, outputs, n * sizeof(DaeValue));
    result.outputs = copy;
    result.n_outputs = n;
  }
  return result;
}

bool
dae_call_run_body(DaeReader *reader, uint32_t class, DaeValue *outputs, uint32_t *n_outputs,
                  uint32_t pos)
{
  return run_body(reader, class, pos) &&
         collect_outputs(reader, class, outputs, UINT32_MAX, n_outputs, pos);
}

static uint32_t
count_open(const DaeReader *reader, uint32_t class)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < reader->scopes->len; i++) {
    n += g_array_index(reader->scopes, DaeScope, i).class == class ? 1 : 0;
  }
  return n;
}

/* A function that calls itself again and again, where what ends that is known only at run
 * time. */
static bool
is_recursion(DaeReader *reader, uint32_t class, uint32_t pos)
{
  if (count_open(reader, class) < MAX_UNROLLED || dae_trace_path(reader) == DAE_NO_TERM) {
    return false;
  }
  g_hash_table_add(reader->recursive, GUINT_TO_POINTER(class));
  reader->recursion = class;
  dae_call_give_up(reader, pos, "this function calls itself without end");
  return true;
}

static DaeValue
run_inline(DaeReader *reader, uint32_t class, const DaeValue *const *given, bool is_outermost,
           uint32_t pos)
{
  uint32_t n = 0;
  uint32_t n_outputs = 0;
  dae_call_members(reader, class, &n);
  DaeValue *outputs = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof(DaeValue));
  uint32_t old_epoch = reader->epoch;
  uint32_t old_changes = reader->changes->len;
  uint32_t taken = reader->n_taken; /* of calls in between others are */
  reader->epoch = ++reader->last_epoch;
  bool good = dae_call_begin_scope(reader, class, given, pos) && run_body(reader, class, pos) &&
              collect_outputs(reader, class, outputs, taken, &n_outputs, pos);
  dae_scope_leave(reader);
  reader->n_taken = taken;
  reader->epoch = old_epoch;
  g_array_set_size(reader->changes, old_changes);
  if (!good) {
    return dae_value_poison();
  }
  bool is_literal =
      is_outermost && !dae_call_has_annotation(reader, class, "GenerateEvents", true);
  if (is_literal && n_outputs > 0) {
    dae_call_hide_jumps(reader, class, given, outputs, n_outputs, pos);
  }
  return pack_outputs(reader, outputs, n_outputs);
}

static DaeValue
run_opaque(DaeReader *reader, uint32_t class, const DaeValue *const *given, bool is_outermost,
           uint32_t pos)
{
  DaeValue result = dae_call_as_opaque(reader, class, given, pos);
  if (result.type == DAE_VALUE_POISON || !is_outermost) {
    return result;
  }
  uint32_t n = MAX(result.n_outputs, 1u);
  DaeValue *outputs = dae_arena_alloc(reader->scratch, n * sizeof(DaeValue));
  memcpy(outputs, result.n_outputs > 1 ? result.outputs : &result, n * sizeof(DaeValue));
  dae_call_hide_jumps(reader, class, given, outputs, n, pos);
  return pack_outputs(reader, outputs, n);
}

/* The large result that was written out gives way to a call, if that can be made. */
static DaeValue
instead_of(DaeReader *reader, const DaeValue *result, uint32_t class,
           const DaeValue *const *given, bool is_outermost, uint32_t assertions, uint32_t pos)
{
  uint32_t n = reader->assertions != NULL ? reader->assertions->len - assertions : 0;
  g_autofree DaeAssertion *kept =
      n > 0 ? g_memdup2(&g_array_index(reader->assertions, DaeAssertion, assertions),
                        n * sizeof(DaeAssertion))
            : NULL;
  if (n > 0) {
    g_array_set_size(reader->assertions, assertions);
  }
  DaeValue opaque = run_opaque(reader, class, given, is_outermost, pos);
  if (opaque.type != DAE_VALUE_POISON) {
    return opaque;
  }
  if (n > 0) {
    g_array_append_vals(reader->assertions, kept, n);
  }
  return *result;
}

/* What a function asserts is looked at where it is, without events: its relations make none. */
static void
hide_assertions(DaeReader *reader, uint32_t first)
{
  for (uint32_t i = first; reader->assertions != NULL && i < reader->assertions->len; i++) {
    DaeAssertion *assertion = &g_array_index(reader->assertions, DaeAssertion, i);
    assertion->condition = dae_function_literal_condition(reader, assertion->condition);
  }
}

/* What a call has done in vain. */
static void
undo(DaeReader *reader, uint32_t stack, uint32_t assertions)
{
  reader->surrender = NULL;
  g_array_set_size(reader->stack, stack);
  if (reader->assertions != NULL) {
    g_array_set_size(reader->assertions, assertions);
  }
}

static DaeValue
run_call(DaeReader *reader, uint32_t class, const DaeValue *const *given, bool is_outermost,
         uint32_t pos)
{
  uint32_t stack = reader->stack->len;
  uint32_t assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  if (is_outermost) {
    reader->call_steps = 0;
  }
  if (dae_printed_is_routine(reader, class)) {
    return dae_printed_call(reader, class, given, pos);
  }
  if (g_hash_table_contains(reader->recursive, GUINT_TO_POINTER(class))) {
    return dae_call_as_routine(reader, class, given, pos);
  }
  if (is_recursion(reader, class, pos)) {
    return dae_value_poison();
  }
  DaeValue opaque = dae_opaque_is_wanted(reader, class, given)
                        ? run_opaque(reader, class, given, is_outermost, pos)
                        : dae_value_poison();
  if (opaque.type != DAE_VALUE_POISON) {
    return opaque;
  }
  uint32_t before = dae_terms_count(reader->terms);
  DaeValue result = run_inline(reader, class, given, is_outermost, pos);
  uint32_t n_new = dae_terms_count(reader->terms) - before;
  if (result.type != DAE_VALUE_POISON &&
      dae_opaque_found_large(reader, class, given, n_new, &result) && reader->when_depth == 0) {
    return instead_of(reader, &result, class, given, is_outermost, assertions, pos);
  }
  if (result.type == DAE_VALUE_POISON && reader->recursion == class &&
      count_open(reader, class) == 0) { /* all that was done in vain is undone here */
    reader->recursion = 0;
    undo(reader, stack, assertions);
    return dae_call_as_routine(reader, class, given, pos);
  }
  return result;
}

/* Integer parameters stay symbols unless too much would be made of them. */
static DaeValue
run_counted(DaeReader *reader, uint32_t class, const DaeValue *const *given, uint32_t pos)
{
  uint32_t stack = reader->stack->len;
  uint32_t assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  bool is_limited = reader->most_terms == 0 && !reader->is_structural &&
                    reader->surrender == NULL && dae_call_has_counts(reader, class, given) &&
                    (dae_syntax_class(reader->syntax, class)->flags & DAE_FLAG_IMPURE) == 0;
  if (!is_limited) {
    return run_call(reader, class, given, true, pos);
  }
  reader->most_terms = dae_terms_count(reader->terms) + DAE_INLINE_BUDGET;
  reader->is_beyond = false;
  DaeValue result = run_call(reader, class, given, true, pos);
  reader->most_terms = 0;
  if (!reader->is_beyond) {
    return result;
  }
  reader->is_beyond = false;
  undo(reader, stack, assertions);
  const DaeValue **closed = dae_call_close(reader, class, given, false);
  return run_call(reader, class, closed != NULL ? closed : given, true, pos);
}

/* Without a word: *is_good if there was nothing to say. */
static DaeValue
run_silently(DaeReader *reader, uint32_t class, const DaeValue *const *given, uint32_t pos,
             bool *is_good)
{
  DaeSource *source = reader->source;
  uint32_t errors = source->n_errors;
  bool hidden = source->has_hidden_note;
  source->n_errors = DAE_MAX_ERRORS;
  source->has_hidden_note = false;
  DaeValue result = run_counted(reader, class, given, pos);
  *is_good = result.type != DAE_VALUE_POISON && !source->has_hidden_note;
  source->n_errors = errors;
  source->has_hidden_note = hidden;
  return result;
}

/* What fails with symbols may do with their values; of the last attempt is told what it says, and
 * what functions print. */
static DaeValue
run_outermost(DaeReader *reader, uint32_t class, const DaeValue *const *given, uint32_t pos)
{
  if (reader->is_structural || reader->surrender != NULL ||
      !dae_call_is_of_parameters(reader, class, given) ||
      (dae_syntax_class(reader->syntax, class)->flags & DAE_FLAG_IMPURE) != 0) {
    return run_counted(reader, class, given, pos);
  }
  uint32_t stack = reader->stack->len;
  uint32_t assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  uint32_t actions = reader->actions->len;
  bool is_good = false;
  DaeValue result = run_silently(reader, class, given, pos, &is_good);
  if (is_good) {
    return result;
  }
  undo(reader, stack, assertions);
  g_array_set_size(reader->actions, actions);
  const DaeValue **closed =
      result.type == DAE_VALUE_POISON ? dae_call_close(reader, class, given, true) : NULL;
  return run_counted(reader, class, closed != NULL ? closed : given, pos);
}

DaeValue
dae_call_run(DaeReader *reader, uint32_t class, const DaeValue *const *given, uint32_t pos)
{
  bool is_outermost =
      reader->scopes->len == 0 ||
      g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).is_section;
  uint32_t first = reader->assertions != NULL ? reader->assertions->len : 0;
  DaeValue result = is_outermost ? run_outermost(reader, class, given, pos)
                                 : run_call(reader, class, given, false, pos);
  if (is_outermost && !dae_call_has_annotation(reader, class, "GenerateEvents", true)) {
    hide_assertions(reader, first);
  }
  return result;
}
