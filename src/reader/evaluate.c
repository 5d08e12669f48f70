/* The interpreter: postfix code to values. */
#include "reader/calls.h"

#include <string.h>

static inline DaeValue *
stack_at(const DaeReader *reader, uint32_t i)
{
  return &g_array_index(reader->stack, DaeValue, i);
}

static inline void
push(DaeReader *reader, DaeValue value)
{
  dae_array_push(reader->stack, reader->stack_room, value);
}

/* The n values on top are about to be used: open sums become terms. */
static inline void
finish_chains(DaeReader *reader, uint32_t n)
{
  for (uint32_t i = 1; i <= n; i++) {
    DaeValue *value = stack_at(reader, reader->stack->len - i);
    if (value->chain != NULL) {
      dae_chain_finish(reader, value);
    }
  }
}

/* Something is computed from their elements. */
static inline void
settle_values(DaeReader *reader, uint32_t n)
{
  for (uint32_t i = 1; i <= n; i++) {
    DaeValue *value = stack_at(reader, reader->stack->len - i);
    if (value->late_name != 0) {
      DaeValue whole = dae_load_settle(reader, *value, value->late_name, value->late_pos);
      *stack_at(reader, reader->stack->len - i) = whole;
    }
  }
}

/* Replaces the n values on top by one. */
static inline void
replace(DaeReader *reader, uint32_t n, DaeValue value)
{
  DAE_ASSERT(reader->stack->len >= n);
  if (n == 0) {
    push(reader, value);
    return;
  }
  dae_array_cut(reader->stack, reader->stack->len - n + 1);
  *stack_at(reader, reader->stack->len - 1) = value;
}

static inline void
finish_values(DaeReader *reader, uint32_t n)
{
  finish_chains(reader, n);
  settle_values(reader, n);
}

bool
dae_reader_begin_if(DaeReader *reader, uint32_t pos)
{
  finish_values(reader, 1);
  DaeValue condition = *stack_at(reader, reader->stack->len - 1);
  dae_array_cut(reader->stack, reader->stack->len - 1);
  if (condition.type == DAE_VALUE_POISON || condition.opaque) {
    return false;
  }
  if (condition.type != DAE_VALUE_BOOLEAN || condition.n_dims > 0) {
    dae_source_error(reader->source, pos, "a condition is Boolean, this is %s",
                     dae_value_type_text(&condition));
    return false;
  }
  DaeIfFrame frame = {.mode = dae_reader_decide(reader, condition.term),
                      .condition = condition.term};
  frame.equations = reader->equations != NULL ? reader->equations->len : 0;
  frame.assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  frame.actions = reader->actions->len;
  g_array_append_val(reader->ifs, frame);
  return true;
}

/* Is the second branch looked at? */
static bool
begin_else(DaeReader *reader)
{
  DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  frame->in_else = true;
  frame->assertions_middle = reader->assertions != NULL ? reader->assertions->len : 0;
  return frame->mode != DAE_IF_TRUE;
}

/* pc: of the end. */
static void
end_if(DaeReader *reader, uint32_t pc, uint32_t pos)
{
  DaeIfFrame frame = g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  g_array_set_size(reader->ifs, reader->ifs->len - 1);
  finish_values(reader, frame.mode == DAE_IF_BOTH ? 2 : 1);
  uint32_t left_out = frame.mode == DAE_IF_TRUE ? pc - 1 : frame.first_root;
  DaeValue *taken = stack_at(reader, reader->stack->len - 1);
  if (frame.mode != DAE_IF_BOTH && !dae_branch_fits(reader, taken, left_out, pos)) {
    *taken = dae_value_poison();
  }
  if (frame.mode == DAE_IF_BOTH) {
    DaeValue b = *stack_at(reader, reader->stack->len - 1);
    DaeValue a = *stack_at(reader, reader->stack->len - 2);
    replace(reader, 2, dae_arithmetic_choose(reader, frame.condition, a, b, pos));
    if (reader->assertions != NULL) { /* of functions called in the branches */
      dae_equations_guard_assertions(reader, &frame);
    }
  }
}

/* ---- loops ------------------------------------------------------------------------------- */

static void
set_iterator(DaeLoopFrame *frame)
{
  if (frame->range.type == DAE_VALUE_RECORD) {
    frame->current = frame->range;
    frame->current.n_dims = 0;
    frame->current.count = 1;
    frame->current.data += (size_t)frame->position * dae_value_width(&frame->range);
    return;
  }
  frame->current = dae_value_scalar(frame->range.type, frame->range.data[frame->position]);
  frame->current.enumeration = frame->range.enumeration;
}

bool
dae_reader_begin_loop(DaeReader *reader, const DaeInstruction *loop, bool *is_empty)
{
  finish_values(reader, 1);
  DaeValue range = *stack_at(reader, reader->stack->len - 1);
  dae_array_cut(reader->stack, reader->stack->len - 1);
  if (range.type == DAE_VALUE_POISON || range.opaque) {
    return false;
  }
  if (range.n_dims != 1) {
    dae_source_error(reader->source, loop->pos, "an iterator runs through a vector or a range");
    return false;
  }
  DaeLoopFrame frame = {.name = loop[1].arg, .range = range, .values = reader->stack->len};
  frame.old_binding = dae_names_binding(reader->names, frame.name);
  *is_empty = range.count == 0;
  if (!*is_empty) {
    set_iterator(&frame);
    dae_names_bind(reader->names, frame.name, DAE_ITERATOR_BIT | reader->loops->len);
    g_array_append_val(reader->loops, frame);
  }
  return true;
}

/* True: one more round. */
bool
dae_reader_next_round(DaeReader *reader, uint32_t pos)
{
  DaeLoopFrame *frame = &g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1);
  frame->position++;
  reader->iterations++;
  if (frame->position < frame->range.count && reader->iterations <= DAE_MAX_ITERATIONS) {
    set_iterator(frame);
    return true;
  }
  if (reader->iterations > DAE_MAX_ITERATIONS) {
    dae_source_error(reader->source, pos, "the loops of this model take more than %u rounds",
                     DAE_MAX_ITERATIONS);
  }
  dae_names_bind(reader->names, frame->name, frame->old_binding);
  g_array_set_size(reader->loops, reader->loops->len - 1);
  return false;
}

void
dae_reader_unwind(DaeReader *reader, uint32_t loops, uint32_t ifs)
{
  while (reader->loops->len > loops) {
    const DaeLoopFrame *frame =
        &g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1);
    dae_names_bind(reader->names, frame->name, frame->old_binding);
    g_array_set_size(reader->loops, reader->loops->len - 1);
  }
  g_array_set_size(reader->ifs, ifs);
}

/* sum(e for i in a:b) as a routine: behind the call. */
static bool
reduce_at_run_time(DaeReader *reader, const DaeInstruction *loop, uint32_t *pc)
{
  DaeValue range = *stack_at(reader, reader->stack->len - 1);
  DaeValue result;
  dae_array_cut(reader->stack, reader->stack->len - 1);
  if (!dae_loop_reduce(reader, &range, *pc, &result)) {
    return false;
  }
  push(reader, result);
  *pc += loop->arg + 1;
  return true;
}

static bool
execute_loop(DaeReader *reader, const DaeInstruction *instruction, uint32_t *pc)
{
  if (instruction->op == DAE_OP_LOOP) {
    bool is_empty = false;
    DaeValueType type = stack_at(reader, reader->stack->len - 1)->type;
    if (type == DAE_VALUE_TUPLE) {
      return reduce_at_run_time(reader, instruction, pc);
    }
    if (!dae_reader_begin_loop(reader, instruction, &is_empty)) {
      return false;
    }
    if (is_empty) {
      bool is_reduced = false;
      push(reader, dae_comprehension_of_nothing(reader, *pc, type, &is_reduced));
      *pc += is_reduced ? 1 : 0;
      *pc += instruction->arg;
    } else {
      *pc += 2;
    }
    return true;
  }
  finish_values(reader, 1);
  DaeLoopFrame frame = g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1);
  if (dae_reader_next_round(reader, instruction->pos)) {
    *pc -= instruction->arg - 2;
    return true;
  }
  if (reader->iterations > DAE_MAX_ITERATIONS) {
    return false;
  }
  uint32_t n = reader->stack->len - frame.values;
  DaeValue array =
      dae_array_construct(reader, stack_at(reader, frame.values), n, instruction->pos);
  bool is_reduced = dae_comprehension_reduce(reader, instruction, &array);
  replace(reader, n, array);
  *pc += is_reduced ? 2 : 1;
  return true;
}

/* ---- the loop of the interpreter --------------------------------------------------------- */

/* TUPLE, TARGET, FUNCTION_VALUE: the values on the stack are kept together. */
static DaeValue
collect(DaeReader *reader, const DaeInstruction *instruction, const DaeValue *values)
{
  uint32_t n = instruction->n;
  if (instruction->op == DAE_OP_FUNCTION_VALUE) {
    return dae_load_function_value(reader, instruction->arg, values, n, instruction->pos);
  }
  DaeValue value = {.type = DAE_VALUE_TUPLE, .count = 1, .n_outputs = n};
  DaeValue *copy = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof(DaeValue));
  if (n > 0) {
    memcpy(copy, values, n * sizeof(DaeValue));
  }
  value.outputs = copy;
  if (instruction->op == DAE_OP_TARGET) {
    value.type = DAE_VALUE_TARGET;
    value.term = instruction->arg;
  }
  return value;
}

/* Does a range depend on what is known only at run time? Then a for-statement gets its parts. */
static bool
varies(DaeReader *reader, const DaeValue *parts, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    if (parts[i].type == DAE_VALUE_POISON || parts[i].opaque || parts[i].n_dims > 0 ||
        (parts[i].type != DAE_VALUE_INTEGER && parts[i].type != DAE_VALUE_ENUMERATION)) {
      return false;
    }
  }
  return reader->scopes->len > 0 && (dae_subscript_varies(reader, &parts[0]) ||
                                     dae_subscript_varies(reader, &parts[n - 1]));
}

/* sum(e for i in a:b) where a or b may be anything. */
static bool
is_reduced_at_run_time(DaeReader *reader, const DaeInstruction *range, const DaeValue *parts)
{
  return range[1].op == DAE_OP_LOOP && dae_loop_reduces(reader, range + 1) &&
         varies(reader, parts, range->n) &&
         (!dae_cases_has_bounds(reader, parts[0].term) ||
          !dae_cases_has_bounds(reader, parts[range->n - 1].term));
}

static DaeValue
range_of(DaeReader *reader, const DaeInstruction *instruction, const DaeValue *values)
{
  bool is_subscript = dae_cases_is_subscript(reader, instruction);
  if ((instruction[1].op != DAE_OP_FOR && !is_subscript &&
       !is_reduced_at_run_time(reader, instruction, values)) ||
      !varies(reader, values, instruction->n)) {
    return dae_array_range(reader, values, instruction->n, instruction->pos);
  }
  DaeValue range = collect(reader, instruction, values);
  range.is_range = is_subscript;
  return range;
}

/* A call that takes arrays with missing elements: of a function, which may need the others only,
 * or one that asks for sizes. */
static bool
hands_on(const DaeReader *reader, const DaeInstruction *instruction)
{
  const char *name = dae_names_text(reader->names, instruction->arg);
  return strcmp(name, "size") == 0 || strcmp(name, "ndims") == 0 ||
         dae_call_find(reader, instruction->arg) != 0;
}

/* As many results of the call as may be used at most. */
static uint32_t
results_taken(const DaeReader *reader, const DaeInstruction *call)
{
  DaeOp next = call[1].op;
  if (next == DAE_OP_INDEX || next == DAE_OP_ELSE || next == DAE_OP_ENDIF) {
    return UINT32_MAX;
  }
  if ((next != DAE_OP_ASSIGN && next != DAE_OP_EQUATION) || reader->stack->len <= call->n) {
    return 1;
  }
  const DaeValue *target =
      &g_array_index(reader->stack, DaeValue, reader->stack->len - call->n - 1);
  return target->type == DAE_VALUE_TUPLE ? target->n_outputs : 1;
}

static void
execute_collection(DaeReader *reader, const DaeInstruction *instruction)
{
  uint32_t n = instruction->n;
  uint32_t pos = instruction->pos;
  DAE_ASSERT(reader->stack->len >= n);
  finish_chains(reader, instruction->op == DAE_OP_INDEX ? n + 1 : n);
  if (instruction->op != DAE_OP_CALL || !hands_on(reader, instruction)) {
    settle_values(reader, instruction->op == DAE_OP_INDEX ? n + 1 : n);
  }
  DaeValue *values = reader->stack->len > 0 ? stack_at(reader, reader->stack->len - n) : NULL;
  DAE_ASSERT(n == 0 || values != NULL);
  switch ((int)instruction->op) {
  case DAE_OP_ELEMENT:
    replace(reader, n, dae_load_element(reader, instruction->arg, values, n, pos));
    break;
  case DAE_OP_PATH:
    replace(reader, n, dae_load_path(reader, instruction, values));
    break;
  case DAE_OP_CALL: { /* which may run functions, and these move the stack */
    g_autofree DaeValue *arguments = g_memdup2(values, n * sizeof(DaeValue));
    reader->n_taken = results_taken(reader, instruction);
    replace(reader, n, dae_function_apply(reader, instruction->arg, arguments, n, pos));
    reader->n_taken = UINT32_MAX;
    break;
  }
  case DAE_OP_INDEX: {
    DaeValue array = *stack_at(reader, reader->stack->len - n - 1);
    replace(reader, n + 1, dae_elements_index(reader, &array, values, instruction));
    break;
  }
  case DAE_OP_ARRAY:
    replace(reader, n,
            n == 0 ? dae_record_nothing(reader, instruction->arg, pos)
                   : dae_array_construct(reader, values, n, pos));
    break;
  case DAE_OP_ROW:
    replace(reader, n, dae_array_row(reader, values, n, pos));
    break;
  case DAE_OP_MATRIX:
    replace(reader, n, dae_array_matrix(reader, values, n, pos));
    break;
  case DAE_OP_RANGE:
    replace(reader, n, range_of(reader, instruction, values));
    break;
  case DAE_OP_TARGET: {
    DaeValue target = collect(reader, instruction, values);
    replace(reader, n, dae_assign_settle(reader, &target, pos) ? target : dae_value_poison());
    break;
  }
  default:
    replace(reader, n, collect(reader, instruction, values));
    break;
  }
}

static DaeValue
load(DaeReader *reader, const DaeInstruction *instruction, const DaeValue *values, uint32_t n)
{
  uint32_t pos = instruction->pos;
  switch ((int)instruction->op) {
  case DAE_OP_ELEMENT:
    return dae_load_element(reader, instruction->arg, values, n, pos);
  case DAE_OP_PATH:
    return dae_load_path(reader, instruction, values);
  default:
    return dae_reader_load(reader, instruction->arg, pos);
  }
}

/* Is it the argument of pre, edge or change in an algorithm section, where a name
 * means its value at that place? */
static bool
is_variable_argument(const DaeReader *reader, const DaeInstruction *instruction)
{
  const DaeInstruction *next = instruction + 1;
  if (reader->scopes->len == 0 || next->op != DAE_OP_CALL || next->n != 1 ||
      !g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).is_section ||
      (instruction->op != DAE_OP_NAME && instruction->op != DAE_OP_ELEMENT &&
       instruction->op != DAE_OP_PATH)) {
    return false;
  }
  const char *name = dae_names_text(reader->names, next->arg);
  return strcmp(name, "pre") == 0 || strcmp(name, "edge") == 0 || strcmp(name, "change") == 0;
}

/* The value at this place, and with it the variable. */
static void
load_variable_argument(DaeReader *reader, const DaeInstruction *instruction)
{
  uint32_t n = instruction->op == DAE_OP_NAME ? 0 : instruction->n;
  finish_values(reader, n);
  const DaeValue *values = n > 0 ? stack_at(reader, reader->stack->len - n) : NULL;
  DaeValue *variable = dae_arena_alloc(reader->scratch, sizeof(DaeValue));
  reader->reads_variables = true;
  *variable = load(reader, instruction, values, n);
  reader->reads_variables = false;
  DaeValue value =
      variable->type == DAE_VALUE_POISON ? *variable : load(reader, instruction, values, n);
  value.variable = variable;
  replace(reader, n, value);
}

static void
execute_binary(DaeReader *reader, DaeOp op, uint32_t pos)
{
  bool good = true;
  finish_chains(reader, 1);
  settle_values(reader, 2);
  DaeValue a = *stack_at(reader, reader->stack->len - 2);
  DaeValue b = *stack_at(reader, reader->stack->len - 1);
  if (dae_chain_extend(reader, op, &a, &b, pos, &good)) {
    replace(reader, 2, good ? a : dae_value_poison());
    return;
  }
  dae_chain_finish(reader, &a);
  replace(reader, 2, dae_arithmetic_binary(reader, op, a, b, pos));
}

/* The term of a literal is kept as the binding of its text, which is no name of anything else. */
static DaeValue
load_number(DaeReader *reader, const DaeInstruction *instruction)
{
  uint32_t known = dae_names_binding(reader->names, instruction->arg);
  if (known == 0) {
    DaeTerm term =
        dae_term_decimal(reader->terms, dae_names_text(reader->names, instruction->arg),
                         dae_names_length(reader->names, instruction->arg));
    if (term == DAE_NO_TERM) {
      dae_source_error(reader->source, instruction->pos,
                       "the exponent of this number is too large");
      return dae_value_poison();
    }
    known = term;
    dae_names_bind(reader->names, instruction->arg, known);
  }
  return dae_value_scalar(instruction->n != 0 ? DAE_VALUE_REAL : DAE_VALUE_INTEGER, known);
}

/* A copy that stays when the scratch memory is given back. */
static void
keep_value(DaeReader *reader, DaeValue *value)
{
  size_t n = (size_t)value->count * dae_value_width(value);
  if (value->n_dims > 0) {
    uint32_t *dims = dae_arena_alloc(reader->arena, value->n_dims * sizeof(uint32_t));
    memcpy(dims, value->dims, value->n_dims * sizeof(uint32_t));
    value->dims = dims;
  }
  if (value->data != NULL && n > 0) {
    DaeTerm *data = dae_arena_alloc(reader->arena, n * sizeof(DaeTerm));
    memcpy(data, value->data, n * sizeof(DaeTerm));
    value->data = data;
  }
}

/* The value of a record whose members take their values from it: found once, in each stage. */
static DaeValue
load_shared(DaeReader *reader, uint32_t code)
{
  gpointer key = GSIZE_TO_POINTER(2 * (gsize)code + (reader->is_structural ? 1 : 0));
  if (reader->shared == NULL) {
    reader->shared = g_hash_table_new(NULL, NULL);
  }
  const DaeValue *known = g_hash_table_lookup(reader->shared, key);
  reader->has_unit_constants = true; /* it may have some */
  if (known != NULL) {
    return *known;
  }
  DaeValue value = dae_reader_evaluate(reader, code);
  if (value.type == DAE_VALUE_TUPLE) {
    return value;
  }
  DaeValue *kept = dae_arena_alloc(reader->arena, sizeof *kept);
  *kept = value;
  kept->outputs = NULL; /* the first of several */
  kept->n_outputs = 0;
  if (value.type != DAE_VALUE_POISON) {
    keep_value(reader, kept);
  }
  g_hash_table_insert(reader->shared, key, kept);
  return *kept;
}

/* A member of a record of parameters that a function makes: what a path leaves out there is
 * mostly what nothing uses (a breakdown voltage that is not given), so it is 0 and not asserted. */
static bool
is_known_member(const DaeReader *reader, const DaeValue *value)
{
  bool is_known = reader->scopes->len == 0 && value->type != DAE_VALUE_POISON && !value->opaque;
  uint32_t n = is_known ? value->count * dae_value_width(value) : 0;
  for (uint32_t k = 0; k < n && is_known; k++) {
    bool is_text = dae_statement_scalar_type(value, k) == DAE_VALUE_STRING;
    DaeTerm t = is_text ? DAE_NO_TERM : dae_value_scalar_at(value, k);
    t = t != DAE_NO_TERM ? dae_unset_replace(reader, t) : t;
    is_known = t == DAE_NO_TERM || dae_term_is_parametric(reader->terms, t);
  }
  return is_known;
}

static void
execute_simple(DaeReader *reader, const DaeInstruction *instruction)
{
  switch ((int)instruction->op) {
  case DAE_OP_NUMBER:
    push(reader, load_number(reader, instruction));
    break;
  case DAE_OP_STRING:
    push(reader, dae_value_scalar(DAE_VALUE_STRING, instruction->arg));
    break;
  case DAE_OP_BOOLEAN:
    push(reader, dae_value_scalar(DAE_VALUE_BOOLEAN,
                                  dae_term_bool(reader->terms, instruction->arg != 0)));
    break;
  case DAE_OP_NAME:
    push(reader, dae_reader_load(reader, instruction->arg, instruction->pos));
    break;
  case DAE_OP_HOLE:
    push(reader, (DaeValue){.type = DAE_VALUE_HOLE, .count = 1});
    break;
  case DAE_OP_COLON:
    push(reader, (DaeValue){.type = DAE_VALUE_COLON, .count = 1});
    break;
  case DAE_OP_LAST:
    push(reader, dae_load_last(reader, instruction));
    break;
  case DAE_OP_SHARED:
    push(reader, load_shared(reader, instruction->arg));
    break;
  case DAE_OP_MEMBER: {
    DaeValue record = *stack_at(reader, reader->stack->len - 1);
    DaeValue value = dae_record_member(reader, &record, instruction->arg, instruction->pos);
    uint32_t n = value.type == DAE_VALUE_POISON ? 0 : value.count * dae_value_width(&value);
    if (value.type == DAE_VALUE_RECORD) { /* who needs the member tells */
      n = instruction->n == 1 ? 0 : n;
    } else {
      dae_unset_settle(reader, &value, dae_names_text(reader->names, instruction->arg),
                       !is_known_member(reader, &value), instruction->pos);
    }
    for (uint32_t k = 0; k < n && !value.opaque; k++) {
      /* a parameter without value */
      value.opaque = dae_value_scalar_at(&value, k) == DAE_NO_TERM;
      value.no_value = value.opaque;
    }
    if (value.no_value && instruction->n == 1 && !reader->is_structural) {
      dae_source_error(reader->source, instruction->pos, "this gives '%s' no value",
                       dae_names_text(reader->names, instruction->arg));
      value = dae_value_poison();
    }
    replace(reader, 1, value);
    break;
  }
  case DAE_OP_NAMED:
    stack_at(reader, reader->stack->len - 1)->name = instruction->arg;
    break;
  case DAE_OP_NEGATE:
  case DAE_OP_PLUS:
  case DAE_OP_NOT: {
    finish_values(reader, 1);
    DaeValue a = *stack_at(reader, reader->stack->len - 1);
    replace(reader, 1,
            dae_arithmetic_unary(reader, (DaeOp)instruction->op, a, instruction->pos));
    break;
  }
  default: {
    DAE_ASSERT(instruction->op >= DAE_OP_ADD && instruction->op <= DAE_OP_OR);
    execute_binary(reader, (DaeOp)instruction->op, instruction->pos);
    break;
  }
  }
}

/* Executes the instruction at *pc and moves *pc. False: this expression has no value; reported. */
bool
dae_reader_step(DaeReader *reader, uint32_t *pc)
{
  DaeInstruction *instruction = dae_syntax_code(reader->syntax, *pc);
  DaeIfFrame *frame = NULL;
  if (is_variable_argument(reader, instruction)) {
    load_variable_argument(reader, instruction);
    *pc += 1;
    return stack_at(reader, reader->stack->len - 1)->type != DAE_VALUE_POISON;
  }
  switch ((int)instruction->op) {
  case DAE_OP_TEST:
    if (!dae_reader_begin_if(reader, instruction->pos)) {
      return false;
    }
    frame = &g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
    frame->first_root = *pc + instruction->arg - 2; /* before ELSE */
    *pc += frame->mode == DAE_IF_FALSE ? instruction->arg : 1;
    return true;
  case DAE_OP_ELSE:
    *pc += begin_else(reader) ? 1 : instruction->arg;
    return true;
  case DAE_OP_ENDIF:
    end_if(reader, *pc, instruction->pos);
    *pc += 1;
    break;
  case DAE_OP_LOOP:
  case DAE_OP_NEXT:
    return execute_loop(reader, instruction, pc);
  case DAE_OP_ELEMENT:
  case DAE_OP_PATH:
  case DAE_OP_CALL:
  case DAE_OP_INDEX:
  case DAE_OP_ARRAY:
  case DAE_OP_ROW:
  case DAE_OP_MATRIX:
  case DAE_OP_TUPLE:
  case DAE_OP_TARGET:
  case DAE_OP_FUNCTION_VALUE:
  case DAE_OP_RANGE:
    execute_collection(reader, instruction);
    *pc += 1;
    break;
  default:
    execute_simple(reader, instruction);
    *pc += 1;
    break;
  }
  return stack_at(reader, reader->stack->len - 1)->type != DAE_VALUE_POISON;
}

bool
dae_reader_run(DaeReader *reader, uint32_t code)
{
  uint32_t stack = reader->stack->len;
  uint32_t loops = reader->loops->len;
  uint32_t ifs = reader->ifs->len;
  uint32_t pc = code;
  while (dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN) {
    if (!dae_reader_step(reader, &pc)) {
      dae_array_cut(reader->stack, stack);
      dae_reader_unwind(reader, loops, ifs);
      return false;
    }
  }
  finish_values(reader, reader->stack->len - stack);
  return true;
}

DaeValue
dae_reader_evaluate(DaeReader *reader, uint32_t code)
{
  uint32_t stack = reader->stack->len;
  if (!dae_reader_run(reader, code)) {
    return dae_value_poison();
  }
  DAE_ASSERT(reader->stack->len == stack + 1);
  finish_values(reader, 1);
  DaeValue value = *stack_at(reader, stack);
  dae_array_cut(reader->stack, stack);
  return value;
}
