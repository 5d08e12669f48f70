/* Loops whose end is known only at run time, as routines (terms/routines.h).
 *
 * The body is executed once on terms, as everything else, with a formal in place of each local
 * of the scope that the loop may change, and of each that holds a term: what the locals are at
 * the end of the body says how a round changes them. Locals that no round changes are arguments,
 * as is everything else that the terms contain. `break` and `return` are states of their own.
 *
 * A loop inside a branch is run whether the branch is taken or not, since both branches become
 * terms; so the condition that leads to it is an argument too, and without it there is no round. */
#include "reader/loops-priv.h"
#include "terms/message.h"

#include "terms/routines.h"

#include <string.h>

/* ---- formals ----------------------------------------------------------------------------- */

DaeTerm
dae_trace_formal(DaeReader *reader)
{
  if (reader->trace_formals == NULL) {
    reader->trace_formals = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  }
  if (reader->n_trace_formals == reader->trace_formals->len) {
    g_autofree char *name = g_strdup_printf("$t%u", reader->n_trace_formals + 1);
    DaeSymbol symbol = dae_terms_add_unlisted_symbol(reader->terms, DAE_SYMBOL_VARIABLE, name);
    dae_terms_set_variability(reader->terms, symbol, DAE_VARIABILITY_CONTINUOUS);
    DaeTerm formal = dae_term_variable(reader->terms, symbol, 0);
    g_array_append_val(reader->trace_formals, formal);
  }
  return g_array_index(reader->trace_formals, DaeTerm, reader->n_trace_formals++);
}

/* ---- where we are ------------------------------------------------------------------------ */

static DaeTerm
conjunction(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  if (dae_term_kind(terms, b) == DAE_KIND_BOOLEAN && dae_term_get_bool(terms, b)) {
    return a;
  }
  return a == DAE_NO_TERM ? b : dae_term_and(terms, a, b);
}

static DaeTerm
without(DaeTerms *terms, DaeTerm path, DaeTerm flag)
{
  return flag == DAE_NO_TERM ? path : conjunction(terms, path, dae_term_not(terms, flag));
}

DaeTerm
dae_trace_path(const DaeReader *reader)
{
  DaeTerms *terms = reader->terms;
  DaeTerm path = DAE_NO_TERM;
  for (uint32_t i = reader->trace_first_if; i < reader->ifs->len; i++) {
    const DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, i);
    if (frame->mode == DAE_IF_BOTH) {
      path = conjunction(terms, path,
                         frame->in_else ? dae_term_not(terms, frame->condition)
                                        : frame->condition);
    }
  }
  for (uint32_t i = reader->trace_first_loop; i < reader->loops->len; i++) {
    path = without(terms, path, g_array_index(reader->loops, DaeLoopFrame, i).broken);
  }
  for (uint32_t i = reader->trace_first_scope; i < reader->scopes->len; i++) {
    const DaeScope *scope = &g_array_index(reader->scopes, DaeScope, i);
    path = without(terms, without(terms, path, scope->left), scope->broken);
    path = without(terms, path, scope->outer);
  }
  return path;
}

void
dae_trace_begin(DaeReader *reader, DaeTraceMark *mark)
{
  *mark = (DaeTraceMark){.first_if = reader->trace_first_if,
                         .first_loop = reader->trace_first_loop,
                         .first_scope = reader->trace_first_scope,
                         .n_formals = reader->n_trace_formals};
  reader->n_traces++;
  reader->trace_first_if = reader->ifs->len;
  reader->trace_first_loop = reader->loops->len;
  reader->trace_first_scope = reader->scopes->len;
}

void
dae_trace_end(DaeReader *reader, const DaeTraceMark *mark)
{
  reader->n_traces--;
  reader->trace_first_if = mark->first_if;
  reader->trace_first_loop = mark->first_loop;
  reader->trace_first_scope = mark->first_scope;
  reader->n_trace_formals = mark->n_formals;
}

/* ---- locals to formals ------------------------------------------------------------------- */

static uint8_t
scalar_type(const DaeValue *value, uint32_t k)
{
  return value->type == DAE_VALUE_RECORD ? value->layout->types[k % value->layout->width]
                                         : (uint8_t)value->type;
}

static bool
has_scalars(const DaeValue *value)
{
  return value->type <= DAE_VALUE_RECORD && value->type != DAE_VALUE_STRING && !value->opaque;
}

static DaeTerm
as_number(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  if (t == DAE_NO_TERM) {
    return dae_term_int(reader->terms, type == DAE_VALUE_ENUMERATION ? 1 : 0);
  }
  t = dae_unset_replace(reader, t);
  return type == DAE_VALUE_BOOLEAN ? dae_discrete_number(reader, t) : t;
}

DaeTerm
dae_trace_from_number(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  if (type != DAE_VALUE_BOOLEAN) {
    return t;
  }
  return dae_term_is_number(reader->terms, t)
             ? dae_term_bool(reader->terms, !dae_term_is_zero(reader->terms, t))
             : dae_discrete_condition(reader->terms, t);
}

/* Sizes and conditions are decided by numbers and by Integer
 * parameters: these stay what they are. */
static bool
stays(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  DaeKind kind = t != DAE_NO_TERM ? dae_term_kind(reader->terms, t) : DAE_KIND_NUMBER;
  return kind == DAE_KIND_NUMBER || kind == DAE_KIND_BOOLEAN || type == DAE_VALUE_STRING ||
         (type != DAE_VALUE_REAL && dae_term_is_parametric(reader->terms, t));
}

static uint32_t
add_slot(Trace *trace, uint32_t local, uint32_t k, uint8_t type, bool is_state, DaeTerm actual)
{
  Slot slot = {.local = local, .k = k, .type = type, .is_state = is_state, .known = NO_LOCAL};
  slot.formal = dae_trace_formal(trace->reader);
  slot.actual = as_number(trace->reader, type, actual);
  slot.next = slot.formal;
  g_array_append_val(trace->slots, slot);
  return trace->slots->len - 1;
}

uint32_t
dae_trace_add_slot(Trace *trace, uint8_t type, DaeTerm actual)
{
  return add_slot(trace, NO_LOCAL, 0, type, true, actual);
}

/* 1 where the scalar has a value, else 0. */
static DaeTerm
is_known_number(const DaeReader *reader, DaeTerm t)
{
  DaeTerms *terms = reader->terms;
  DaeTerm missing = dae_unset_when(reader, t);
  return dae_term_kind(terms, missing) == DAE_KIND_BOOLEAN
             ? dae_term_int(terms, dae_term_get_bool(terms, missing) ? 0 : 1)
             : dae_discrete_number(reader, dae_term_not(terms, missing));
}

/* Scalar k of a local as a formal. One that may have no value has a flag beside it, which is a
 * state as well: a round that uses it before it is assigned fails. */
static DaeTerm
open_scalar(Trace *trace, uint32_t index, uint32_t k, uint8_t type, bool is_assigned,
            DaeTerm actual)
{
  DaeReader *reader = trace->reader;
  DaeTerms *terms = reader->terms;
  uint32_t slot = add_slot(trace, index, k, type, is_assigned, actual);
  DaeTerm value = dae_trace_from_number(reader, type, slot_at(trace, slot)->formal);
  DaeTerm is_known = is_known_number(reader, actual);
  if (is_known == dae_term_int(terms, 1) || scope_of(reader)->is_section) {
    return value;
  }
  uint32_t known = add_slot(trace, NO_LOCAL, 0, DAE_VALUE_INTEGER, is_assigned, is_known);
  slot_at(trace, slot)->known = known;
  DaeTerm flag = dae_discrete_condition(terms, slot_at(trace, known)->formal);
  return dae_statement_choose(reader, flag, value, DAE_NO_TERM, type);
}

static void
open_local(Trace *trace, uint32_t index, bool is_assigned)
{
  DaeReader *reader = trace->reader;
  DaeLocal *local = dae_local(reader, index);
  if (!has_scalars(&local->value)) {
    return;
  }
  uint32_t n = local->value.count * dae_value_width(&local->value);
  DaeChange change = {
      .local = index, .epoch = local->epoch, .value = local->value, .data = local->data};
  g_array_append_val(trace->saved, change);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    uint8_t type = scalar_type(&local->value, k);
    data[k] = local->data[k];
    if (type != DAE_VALUE_STRING && (is_assigned || !stays(reader, type, data[k]))) {
      data[k] = open_scalar(trace, index, k, type, is_assigned, data[k]);
    }
  }
  local->data = data;
  local->value.data = data;
  local->epoch = reader->epoch;
}

static void
mark_local(const DaeReader *reader, uint32_t binding, bool *is_assigned)
{
  const DaeScope *scope = scope_of(reader);
  uint32_t index = binding & ~DAE_LOCAL_BIT;
  if ((binding & DAE_LOCAL_BIT) != 0 && (binding & DAE_ITERATOR_BIT) == 0 &&
      index >= scope->first_local && index < scope->first_local + scope->n_locals) {
    is_assigned[index - scope->first_local] = true;
  }
}

/* r := ... in a section, where the members r.x, r.y are locals and r is none. */
static void
mark_members(const DaeReader *reader, uint32_t name, bool *is_assigned)
{
  const DaeScope *scope = scope_of(reader);
  const char *whole = dae_names_text(reader->names, name);
  size_t length = strlen(whole);
  for (uint32_t i = 0; i < scope->n_locals; i++) {
    const char *text =
        dae_names_text(reader->names, dae_local(reader, scope->first_local + i)->name);
    bool is_member =
        strncmp(text, whole, length) == 0 && (text[length] == '.' || text[length] == '[');
    is_assigned[i] = is_assigned[i] || is_member;
  }
}

static void
mark_assigned(DaeReader *reader, uint32_t from, uint32_t to, bool *is_assigned)
{
  for (uint32_t pc = from; pc < to; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(reader->syntax, pc);
    DaeReference reference;
    uint32_t binding = 0;
    if (instruction->op != DAE_OP_TARGET) {
      continue;
    }
    const uint32_t *path = &g_array_index(reader->syntax->paths, uint32_t, instruction->arg);
    bool is_known = dae_reference_resolve(reader, path, NULL, &reference, &binding);
    if (is_known && !dae_binding_is_entity(binding)) {
      mark_local(reader, binding, is_assigned);
    } else {
      uint32_t whole = is_known ? dae_reader_entity(reader, binding)->name : path[1];
      mark_members(reader, whole, is_assigned);
    }
  }
}

/* Routines are made of numbers. */
static bool
fail_text(DaeReader *reader, uint32_t local, uint32_t pos)
{
  dae_source_unsupported(
      reader->source, pos,
      "a text that changes in a loop whose end is known only at run time ('%s')",
      dae_names_text(reader->names, dae_local(reader, local)->name));
  return false;
}

static bool
keeps_texts(const DaeChange *old, const DaeLocal *local)
{
  uint32_t n = old->value.count * dae_value_width(&old->value);
  for (uint32_t k = 0; k < n; k++) {
    if (scalar_type(&old->value, k) == DAE_VALUE_STRING && old->data[k] != local->data[k]) {
      return false;
    }
  }
  return true;
}

static bool
open_locals(Trace *trace, uint32_t from, uint32_t to, uint32_t pos)
{
  DaeReader *reader = trace->reader;
  uint32_t first = scope_of(reader)->first_local;
  uint32_t n = scope_of(reader)->n_locals;
  g_autofree bool *is_assigned = g_new0(bool, n + 1);
  mark_assigned(reader, from, to, is_assigned);
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_local_begin(reader, first + i, NULL, pos)) {
      return false;
    }
    if (is_assigned[i] && dae_local(reader, first + i)->value.type == DAE_VALUE_STRING) {
      return fail_text(reader, first + i, pos);
    }
  }
  reader->epoch = ++reader->last_epoch;
  for (uint32_t i = 0; i < n; i++) {
    open_local(trace, first + i, is_assigned[i]);
  }
  return true;
}

/* What a round made of the locals. False: reported. */
static bool
read_round(Trace *trace, uint32_t pos)
{
  DaeReader *reader = trace->reader;
  for (uint32_t i = 0; i < trace->saved->len; i++) {
    const DaeChange *old = &g_array_index(trace->saved, DaeChange, i);
    const DaeLocal *local = dae_local(reader, old->local);
    if (!dae_value_same_shape(&old->value, &local->value)) {
      dae_source_unsupported(reader->source, pos,
                             "'%s' changes its size in a loop whose end is known only at run "
                             "time, which is",
                             dae_names_text(reader->names, local->name));
      return false;
    }
    if (!keeps_texts(old, local)) {
      return fail_text(reader, old->local, pos);
    }
  }
  for (uint32_t i = 0; i < trace->slots->len; i++) {
    Slot *slot = slot_at(trace, i);
    if (slot->is_state && slot->local != NO_LOCAL) {
      DaeTerm t = dae_local(reader, slot->local)->data[slot->k];
      slot->next = as_number(reader, slot->type, t);
      slot->is_state = slot->next != slot->formal;
      if (slot->known != NO_LOCAL) {
        slot_at(trace, slot->known)->next = is_known_number(reader, t);
      }
    }
  }
  return true;
}

static void
close_locals(Trace *trace, uint32_t first_change)
{
  for (uint32_t i = 0; i < trace->saved->len; i++) {
    const DaeChange *old = &g_array_index(trace->saved, DaeChange, i);
    DaeLocal *local = dae_local(trace->reader, old->local);
    local->value = old->value;
    local->data = old->data;
    local->epoch = old->epoch;
  }
  g_array_set_size(trace->reader->changes, first_change);
}

/* ---- one round on formals ---------------------------------------------------------------- */

/* A flag that a round may set: from then on there is no further round. */
static uint32_t
add_flag(Trace *trace, DaeTerm set)
{
  DaeReader *reader = trace->reader;
  DaeTerms *terms = reader->terms;
  if (set == DAE_NO_TERM) {
    return NO_LOCAL;
  }
  uint32_t at =
      add_slot(trace, NO_LOCAL, 0, DAE_VALUE_BOOLEAN, true, dae_term_bool(terms, false));
  Slot *slot = slot_at(trace, at);
  slot->next = dae_discrete_number(reader, set);
  trace->condition =
      dae_term_and(terms, dae_term_not(terms, dae_discrete_condition(terms, slot->formal)),
                   trace->condition);
  return at;
}

/* A flag that a round may set: the loop goes on, and it stays set. */
static uint32_t
add_mark(Trace *trace, DaeTerm set)
{
  DaeReader *reader = trace->reader;
  DaeTerms *terms = reader->terms;
  uint32_t at =
      add_slot(trace, NO_LOCAL, 0, DAE_VALUE_BOOLEAN, true, dae_term_bool(terms, false));
  Slot *slot = slot_at(trace, at);
  slot->next = dae_discrete_number(
      reader, dae_term_or(terms, dae_discrete_condition(terms, slot->formal), set));
  return at;
}

/* Values in the text of an assertion: those of the round in which it is violated first. */
static void
add_told(Trace *trace, uint32_t owner, const char *message)
{
  DaeReader *reader = trace->reader;
  DaeTerms *terms = reader->terms;
  g_autoptr(GString) form = g_string_new(NULL);
  DaeMessagePart part;
  for (const char *at = message; dae_message_next(terms, &at, &part, form);) {
    if (part.length > 0) {
      continue;
    }
    bool is_boolean = part.format.kind == DAE_TEXT_BOOLEAN;
    uint32_t place = add_slot(trace, NO_LOCAL, 0, DAE_VALUE_REAL, true, dae_term_int(terms, 0));
    Slot *slot = slot_at(trace, place);
    slot->next = dae_term_if(
        terms, dae_discrete_condition(terms, slot_at(trace, owner)->formal), slot->formal,
        is_boolean ? dae_discrete_number(reader, part.term) : part.term);
    Told told = {part.term, owner, place};
    g_array_append_val(trace->told, told);
  }
}

/* Assertions of the body: each says that it was not violated in any round. */
static void
gather_assertions(Trace *trace, uint32_t first)
{
  DaeReader *reader = trace->reader;
  if (reader->assertions == NULL || reader->assertions->len <= first) {
    return;
  }
  for (uint32_t i = first; i < reader->assertions->len; i++) {
    const DaeAssertion *assertion = &g_array_index(reader->assertions, DaeAssertion, i);
    DaeTerm bad = dae_term_not(reader->terms, assertion->condition);
    Asserted asserted = {assertion->is_warning ? add_mark(trace, bad) : add_flag(trace, bad),
                         *assertion};
    g_array_append_val(trace->asserted, asserted);
    if (dae_message_has_values(assertion->message)) {
      add_told(trace, asserted.slot, assertion->message);
    }
  }
  g_array_set_size(reader->assertions, first);
}

static bool
take_condition(Trace *trace, uint32_t pos)
{
  DaeReader *reader = trace->reader;
  uint32_t top = reader->stack->len;
  DaeValue condition = g_array_index(reader->stack, DaeValue, top - 1);
  dae_chain_finish(reader, &condition);
  g_array_set_size(reader->stack, top - 1);
  if (condition.type != DAE_VALUE_BOOLEAN || condition.n_dims > 0 || condition.opaque) {
    dae_source_error(reader->source, pos, "a condition is Boolean, this is %s",
                     dae_value_type_text(&condition));
    return false;
  }
  trace->condition = condition.term;
  return true;
}

/* Runs the condition and the body of a while-loop, or the body of a for-loop, once. */
static bool
run_round(Trace *trace, const DaeLoopPlaces *places)
{
  DaeReader *reader = trace->reader;
  if (places->condition != 0) {
    if (!dae_statements_run_to(reader, places->condition, places->head) ||
        !take_condition(trace, places->pos)) {
      return false;
    }
  }
  return places->reduction != NULL ? dae_loop_reduce_round(trace, places)
                                   : dae_statements_run_to(reader, places->body, places->end);
}

/* i := first; while i <= last (or >=) loop ...; i := i + step */
static void
begin_iterator(Trace *trace, const DaeLoopPlaces *places)
{
  DaeReader *reader = trace->reader;
  DaeTerms *terms = reader->terms;
  if (places->condition != 0) {
    return;
  }
  DaeValueType type = places->range[0].type;
  trace->iterator = add_slot(trace, NO_LOCAL, 0, (uint8_t)type, true, places->range[0].term);
  Slot *slot = slot_at(trace, trace->iterator);
  DaeTerm last = places->range[2].term;
  if (!stays(reader, (uint8_t)type, last)) {
    last = slot_at(trace, add_slot(trace, NO_LOCAL, 0, (uint8_t)type, false, last))->formal;
    slot = slot_at(trace, trace->iterator);
  }
  slot->next = dae_term_add(terms, slot->formal, places->range[1].term);
  trace->condition =
      dae_term_relation(terms, places->is_down ? DAE_REL_GE : DAE_REL_LE, slot->formal, last);
  DaeLoopFrame frame = {.name = places->iterator};
  frame.current = dae_value_scalar(type, slot->formal);
  frame.current.enumeration = places->range[0].enumeration;
  frame.range = frame.current;
  frame.old_binding = dae_names_binding(reader->names, frame.name);
  dae_names_bind(reader->names, frame.name, DAE_ITERATOR_BIT | reader->loops->len);
  g_array_append_val(reader->loops, frame);
}

static DaeTerm
end_iterator(Trace *trace, const DaeLoopPlaces *places)
{
  DaeReader *reader = trace->reader;
  DaeTerm broken = scope_of(reader)->broken;
  if (places->condition == 0) {
    broken = g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1).broken;
    dae_reader_unwind(reader, reader->loops->len - 1, reader->ifs->len);
  }
  return broken;
}

bool
dae_loop_take_range(DaeReader *reader, const DaeValue *range, DaeLoopPlaces *places)
{
  const DaeValue *parts = range->outputs;
  uint32_t n = range->n_outputs;
  int64_t step = 1;
  if (n == 3 && !dae_reader_integer(reader, &parts[1], 0, places->pos, &step)) {
    return false;
  }
  if (step == 0) {
    dae_source_error(reader->source, places->pos, "the step of a range is not 0");
    return false;
  }
  places->range[0] = parts[0];
  places->range[1] =
      n == 3 ? parts[1] : dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(reader->terms, 1));
  places->range[2] = parts[n - 1];
  places->is_down = step < 0;
  return true;
}

static bool
trace_round(Trace *trace, const DaeLoopPlaces *places)
{
  DaeReader *reader = trace->reader;
  uint32_t assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  uint32_t first = places->condition != 0 ? places->condition : places->body;
  if (!open_locals(trace, first, places->end, places->pos)) {
    return false;
  }
  scope_of(reader)->left = DAE_NO_TERM;
  scope_of(reader)->broken = DAE_NO_TERM;
  scope_of(reader)->outer = DAE_NO_TERM;
  begin_iterator(trace, places);
  bool good = run_round(trace, places);
  if (good) {
    DaeTerm broken = end_iterator(trace, places);
    good = read_round(trace, places->pos);
    trace->left = add_flag(trace, scope_of(reader)->left);
    trace->broken = add_flag(trace, broken);
    gather_assertions(trace, assertions);
  }
  return good;
}

bool
dae_loop_run(DaeReader *reader, const DaeLoopPlaces *places)
{
  Trace trace = {.reader = reader,
                 .slots = g_array_new(FALSE, FALSE, sizeof(Slot)),
                 .saved = g_array_new(FALSE, FALSE, sizeof(DaeChange)),
                 .asserted = g_array_new(FALSE, FALSE, sizeof(Asserted)),
                 .told = g_array_new(FALSE, FALSE, sizeof(Told)),
                 .active = dae_trace_path(reader),
                 .left = NO_LOCAL,
                 .broken = NO_LOCAL,
                 .iterator = NO_LOCAL};
  DaeTraceMark mark;
  uint32_t changes = reader->changes->len;
  uint32_t epoch = reader->epoch;
  uint32_t loops = reader->loops->len;
  uint32_t ifs = reader->ifs->len;
  DaeTerm left = scope_of(reader)->left;
  DaeTerm broken = scope_of(reader)->broken;
  DaeTerm outer = scope_of(reader)->outer;
  dae_trace_begin(reader, &mark);
  reader->trace_first_scope--; /* flags of this scope begin anew */
  bool good = trace_round(&trace, places);
  if (!good) {
    dae_reader_unwind(reader, loops, ifs);
  }
  reader->epoch = epoch;
  close_locals(&trace, changes);
  scope_of(reader)->left = left;
  scope_of(reader)->broken = broken;
  scope_of(reader)->outer = outer;
  if (good) {
    good = dae_loop_close(&trace, left, places->pos);
  }
  dae_trace_end(reader, &mark);
  if (good && reader->assertions != NULL) {
    dae_loop_take_assertions(&trace);
  }
  if (good && places->reduction != NULL) {
    dae_loop_take_reduction(&trace, places);
  }
  g_array_free(trace.asserted, TRUE);
  g_array_free(trace.told, TRUE);
  g_array_free(trace.slots, TRUE);
  g_array_free(trace.saved, TRUE);
  return good;
}
