/* The interpreter: postfix code of expressions and algorithms on values, for what
 * must be known before the simulation: sizes, conditions, structural parameters.
 * UNKNOWN is an answer, not a mistake. */
#include <string.h>

#include "lang/instance.h"

static const DaeEval unknown = {.type = DAE_EVAL_UNKNOWN};

typedef struct {
  DaeEval range;
  uint32_t position;
  uint32_t local;  /* its iterator in locals */
  uint32_t values; /* height of the stack below the results */
} Loop;

void
dae_interpreter_init(DaeInterpreter *interpreter, DaeLang *lang, DaeNode *scope)
{
  *interpreter = (DaeInterpreter){.lang = lang, .scope = scope};
  interpreter->stack = g_array_new(FALSE, TRUE, sizeof(DaeEval));
  interpreter->locals = g_array_new(FALSE, TRUE, sizeof(DaeLocal));
  interpreter->loops = g_array_new(FALSE, TRUE, sizeof(Loop));
  interpreter->ends = g_array_new(FALSE, TRUE, sizeof(uint32_t));
}

void
dae_interpreter_clear(DaeInterpreter *interpreter)
{
  g_array_free(interpreter->stack, TRUE);
  g_array_free(interpreter->locals, TRUE);
  g_array_free(interpreter->loops, TRUE);
  g_array_free(interpreter->ends, TRUE);
}

static void
push(DaeInterpreter *interpreter, DaeEval value)
{
  g_array_append_val(interpreter->stack, value);
}

static DaeEval *
top(DaeInterpreter *interpreter, uint32_t n)
{
  if (interpreter->stack->len < n) {
    interpreter->failed = true;
    g_array_set_size(interpreter->stack, n);
  }
  return &g_array_index(interpreter->stack, DaeEval, interpreter->stack->len - n);
}

static void
drop(DaeInterpreter *interpreter, uint32_t n)
{
  g_array_set_size(interpreter->stack, interpreter->stack->len - n);
}

/* Of several results an expression takes the first. */
static void
take_first(DaeEval *values, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    if (values[i].type == DAE_EVAL_TUPLE) {
      uint32_t name = values[i].name;
      values[i] = values[i].count > 0 ? values[i].data[0] : unknown;
      values[i].name = name;
    }
  }
}

static DaeEval *
operands(DaeInterpreter *interpreter, uint32_t n)
{
  DaeEval *values = top(interpreter, n);
  take_first(values, n);
  return values;
}

static DaeEval
copy_all(DaeLang *lang, DaeEvalType type, const DaeEval *values, uint32_t n)
{
  DaeEval *data = dae_arena_alloc(lang->arena, (n + 1) * sizeof(DaeEval));
  if (n > 0) { /* values of an empty list may be NULL */
    memcpy(data, values, n * sizeof(DaeEval));
  }
  return (DaeEval){.type = type, .count = n, .data = data};
}

/* ---- loops ------------------------------------------------------------------------------- */

static DaeEval
range_of(DaeInterpreter *interpreter, DaeEval value)
{
  if (value.type == DAE_EVAL_ENUMERATION && value.count == 0) { /* a type: all its values */
    DaeEval ends[2] = {value, value};
    bool is_boolean = value.node->builtin == DAE_BUILTIN_BOOLEAN;
    ends[0].integer = is_boolean ? 0 : 1;
    ends[1].integer = is_boolean ? 1 : value.integer;
    ends[0].count = ends[1].count = 1;
    ends[0].type = ends[1].type = is_boolean ? DAE_EVAL_BOOLEAN : DAE_EVAL_ENUMERATION;
    return dae_eval_range(interpreter->lang, ends, 2);
  }
  if (value.n_dims == 0 && value.type != DAE_EVAL_UNKNOWN) {
    return dae_eval_array(interpreter->lang, &value, 1);
  }
  return value;
}

static uint32_t
begin_loop(DaeInterpreter *interpreter, uint32_t pc, const DaeInstruction *instruction)
{
  DaeEval range = range_of(interpreter, *operands(interpreter, 1));
  drop(interpreter, 1);
  bool is_expression = instruction->op == DAE_OP_LOOP;
  if (range.type == DAE_EVAL_UNKNOWN || range.n_dims != 1) {
    interpreter->failed = interpreter->failed || !is_expression;
    if (is_expression) {
      push(interpreter, unknown);
    }
    return pc + instruction->arg;
  }
  if (range.count == 0) {
    if (is_expression) {
      push(interpreter, dae_eval_array(interpreter->lang, NULL, 0));
    }
    return pc + instruction->arg;
  }
  uint32_t name = dae_syntax_code(interpreter->lang->syntax, pc + 1)->arg;
  DaeLocal local = {name, range.data[0]};
  Loop loop = {range, 0, interpreter->locals->len, interpreter->stack->len};
  g_array_append_val(interpreter->locals, local);
  g_array_append_val(interpreter->loops, loop);
  return pc + 2;
}

static void
end_loop(DaeInterpreter *interpreter)
{
  const Loop *loop = &g_array_index(interpreter->loops, Loop, interpreter->loops->len - 1);
  g_array_remove_index(interpreter->locals, loop->local);
  g_array_set_size(interpreter->loops, interpreter->loops->len - 1);
}

/* Behind the NEXT at pc: sum(e for i in r) of arrays e adds them up, so that the call is done. */
static uint32_t
finish_reduction(DaeInterpreter *interpreter, uint32_t pc, DaeEval array)
{
  DaeLang *lang = interpreter->lang;
  uint32_t outer = dae_syntax_code(lang->syntax, pc)->n;
  const DaeInstruction *call = dae_syntax_code(lang->syntax, pc + 1);
  bool is_sum = outer > 0 && array.n_dims > outer && call->op == DAE_OP_CALL &&
                strcmp(dae_names_text(lang->names, call->arg), "sum") == 0;
  push(interpreter, is_sum ? dae_eval_sum_arrays(lang, &array, outer) : array);
  return is_sum ? pc + 2 : pc + 1;
}

static uint32_t
next_round(DaeInterpreter *interpreter, uint32_t pc, const DaeInstruction *instruction)
{
  if (interpreter->loops->len == 0) {
    interpreter->failed = true;
    return pc + 1;
  }
  Loop *loop = &g_array_index(interpreter->loops, Loop, interpreter->loops->len - 1);
  if (++loop->position < loop->range.count) {
    g_array_index(interpreter->locals, DaeLocal, loop->local).value =
        loop->range.data[loop->position];
    return pc - instruction->arg + 2;
  }
  if (instruction->op == DAE_OP_NEXT) {
    uint32_t n = interpreter->stack->len - loop->values;
    DaeEval array = dae_eval_array(interpreter->lang, operands(interpreter, n), n);
    drop(interpreter, n);
    end_loop(interpreter);
    return finish_reduction(interpreter, pc, array);
  }
  end_loop(interpreter);
  return pc + 1;
}

/* ---- branches ---------------------------------------------------------------------------- */

static uint32_t
branch(DaeInterpreter *interpreter, uint32_t pc, const DaeInstruction *instruction)
{
  DaeEval condition = *operands(interpreter, 1);
  drop(interpreter, 1);
  if (condition.type == DAE_EVAL_BOOLEAN && condition.n_dims == 0) {
    return condition.integer != 0 ? pc + 1 : pc + instruction->arg;
  }
  if (instruction->op != DAE_OP_TEST) {
    interpreter->failed = true;
    return pc;
  }
  uint32_t middle = pc + instruction->arg - 1; /* the first branch, for its size */
  uint32_t end = middle + dae_syntax_code(interpreter->lang->syntax, middle)->arg;
  g_array_append_val(interpreter->ends, end);
  return pc + 1;
}

static void
end_if(DaeInterpreter *interpreter, uint32_t pc)
{
  GArray *ends = interpreter->ends;
  if (ends->len > 0 && g_array_index(ends, uint32_t, ends->len - 1) == pc) {
    g_array_set_size(ends, ends->len - 1);
    DaeEval *value = operands(interpreter, 1);
    *value = dae_eval_shape(interpreter->lang, value);
  }
}

static uint32_t
leave_loop(DaeInterpreter *interpreter, uint32_t pc, const DaeInstruction *instruction)
{
  uint32_t end = pc + instruction->arg;
  if (dae_syntax_code(interpreter->lang->syntax, end)->op == DAE_OP_ENDFOR) {
    end_loop(interpreter);
  }
  return end + 1;
}

/* ---- assignments ------------------------------------------------------------------------- */

/* The array with the chosen elements replaced. */
static DaeEval
with_elements(DaeLang *lang, const DaeEval *old, const DaeEval *subscripts, uint32_t n,
              const DaeEval *value)
{
  DaeEval numbers = *old; /* subscripting the positions tells which ones are meant */
  DaeEval *positions = dae_arena_alloc(lang->arena, (old->count + 1) * sizeof(DaeEval));
  DaeEval *data = dae_arena_alloc(lang->arena, (old->count + 1) * sizeof(DaeEval));
  if (old->n_dims == 0 || old->data == NULL) {
    return unknown;
  }
  for (uint32_t i = 0; i < old->count; i++) {
    positions[i] = dae_eval_integer(i);
    data[i] = old->data[i];
  }
  numbers.data = positions;
  numbers.type = DAE_EVAL_INTEGER;
  DaeEval chosen = dae_eval_subscript(lang, &numbers, subscripts, n);
  if (chosen.type == DAE_EVAL_UNKNOWN ||
      (chosen.n_dims > 0 && value->n_dims > 0 && chosen.count != value->count)) {
    return unknown;
  }
  DaeEval result = *old;
  for (uint32_t i = 0; i < (chosen.n_dims > 0 ? chosen.count : 1); i++) {
    data[dae_eval_element(&chosen, i)->integer] = *dae_eval_element(value, i);
  }
  result.data = data;
  result.type = value->type;
  return result;
}

static DaeEval
with_member(DaeLang *lang, const DaeEval *old, uint32_t name, const DaeEval *value)
{
  if (old->type != DAE_EVAL_RECORD || old->n_dims > 0) {
    return unknown;
  }
  DaeEval result = copy_all(lang, DAE_EVAL_RECORD, old->data, old->count);
  uint32_t at = 0;
  result.node = old->node;
  for (guint i = 0; i < old->node->elements->len; i++) {
    const DaeElement *element = old->node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      if (element->name == name) {
        ((DaeEval *)result.data)[at] = *value;
      }
      at++;
    }
  }
  return result;
}

/* Sets what the path from part `at` on means inside old. */
static DaeEval
with_path(DaeLang *lang, const DaeEval *old, const uint32_t *path, uint32_t at,
          const DaeEval *subscripts, const DaeEval *value)
{
  uint32_t n = path[2 + 2 * at];
  bool is_last = at + 1 == path[0];
  if (at >= DAE_MAX_NESTING) {
    return unknown;
  }
  DaeEval inner = *value;
  if (!is_last) {
    DaeEval element = dae_eval_subscript(lang, old, subscripts, n);
    uint32_t name = path[1 + 2 * (at + 1)];
    DaeEval member = dae_eval_member(lang, &element, name);
    const DaeEval *rest = n > 0 ? subscripts + n : subscripts;
    member = with_path(lang, &member, path, at + 1, rest, value);
    inner = with_member(lang, &element, name, &member);
  }
  return n == 0 ? inner : with_elements(lang, old, subscripts, n, &inner);
}

static void
assign_one(DaeInterpreter *interpreter, const DaeEval *target, DaeEval value)
{
  DaeLang *lang = interpreter->lang;
  const uint32_t *path = &g_array_index(lang->syntax->paths, uint32_t, target->integer);
  /* Parts may be dotted (r.x): split them. */
  g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  uint32_t count = 0;
  g_array_append_val(parts, count);
  for (uint32_t i = 0; i < path[0]; i++) {
    uint32_t rest = path[1 + 2 * i];
    while (rest != 0) {
      uint32_t name = dae_name_split(lang, rest, &rest);
      uint32_t n = rest == 0 ? path[2 + 2 * i] : 0;
      g_array_append_val(parts, name);
      g_array_append_val(parts, n);
      count++;
    }
  }
  g_array_index(parts, uint32_t, 0) = count;
  uint32_t name = g_array_index(parts, uint32_t, 1);
  for (guint i = interpreter->locals->len; i-- > 0;) {
    DaeLocal *local = &g_array_index(interpreter->locals, DaeLocal, i);
    if (local->name == name) {
      local->value = with_path(lang, &local->value, (const uint32_t *)(void *)parts->data, 0,
                               target->data, &value);
      return;
    }
  }
  interpreter->failed = true;
}

void
dae_interpreter_assign(DaeInterpreter *interpreter, const DaeEval *target, DaeEval value)
{
  if (target->type == DAE_EVAL_TUPLE) {
    for (uint32_t i = 0; i < target->count; i++) {
      if (target->data[i].type == DAE_EVAL_TARGET) {
        bool has = value.type == DAE_EVAL_TUPLE && i < value.count;
        assign_one(interpreter, &target->data[i],
                   has      ? value.data[i]
                   : i == 0 ? value
                            : unknown);
      }
    }
    return;
  }
  take_first(&value, 1);
  if (target->type == DAE_EVAL_TARGET) {
    assign_one(interpreter, target, value);
  }
}

/* ---- one instruction --------------------------------------------------------------------- */

static DaeEval
literal(const DaeLang *lang, const DaeInstruction *instruction)
{
  int64_t integer = 0;
  if (dae_syntax_integer(lang->names, instruction, &integer)) {
    return dae_eval_integer(integer);
  }
  return dae_eval_real(g_ascii_strtod(dae_names_text(lang->names, instruction->arg), NULL));
}

/* A copy of the path: what it leads to may be in files that are read only now, and add theirs. */
static DaeEval
load_path(DaeInterpreter *interpreter, uint32_t index, const DaeEval *values)
{
  const uint32_t *parts = &g_array_index(interpreter->lang->syntax->paths, uint32_t, index);
  g_autofree uint32_t *path = g_memdup2(parts, (1 + 2 * (gsize)parts[0]) * sizeof(uint32_t));
  return dae_interpreter_load(interpreter, path, values);
}

static DaeEval
collect(DaeInterpreter *interpreter, const DaeInstruction *instruction)
{
  DaeLang *lang = interpreter->lang;
  uint32_t n = instruction->n;
  DaeEval *values =
      instruction->op == DAE_OP_TUPLE ? top(interpreter, n) : operands(interpreter, n);
  const uint32_t path[] = {1, instruction->arg, n};
  switch ((int)instruction->op) {
  case DAE_OP_ELEMENT:
    return dae_interpreter_load(interpreter, path, values);
  case DAE_OP_PATH:
    return load_path(interpreter, instruction->arg, values);
  case DAE_OP_CALL:
    return dae_evaluate_call(lang, interpreter->scope, instruction->arg, values, n);
  case DAE_OP_ARRAY:
    return dae_eval_array(lang, values, n);
  case DAE_OP_ROW:
    return dae_eval_cat(lang, 2, values, n);
  case DAE_OP_MATRIX:
    return dae_eval_cat(lang, 1, values, n);
  case DAE_OP_RANGE:
    return dae_eval_range(lang, values, n);
  case DAE_OP_TARGET: {
    DaeEval target = copy_all(lang, DAE_EVAL_TARGET, values, n);
    target.integer = instruction->arg;
    return target;
  }
  case DAE_OP_TUPLE:
    return copy_all(lang, DAE_EVAL_TUPLE, values, n);
  default:
    return unknown; /* FUNCTION_VALUE */
  }
}

static DaeEval
simple(DaeInterpreter *interpreter, const DaeInstruction *instruction)
{
  const uint32_t path[] = {1, instruction->arg, 0};
  switch ((int)instruction->op) {
  case DAE_OP_NUMBER:
    return literal(interpreter->lang, instruction);
  case DAE_OP_STRING:
    return dae_eval_string(instruction->arg);
  case DAE_OP_BOOLEAN:
    return dae_eval_boolean(instruction->arg != 0);
  case DAE_OP_NAME:
    return dae_interpreter_load(interpreter, path, NULL);
  case DAE_OP_LAST:
    return dae_interpreter_last(interpreter, instruction->arg, instruction->n);
  case DAE_OP_COLON:
    return (DaeEval){.type = DAE_EVAL_COLON};
  default:
    return (DaeEval){.type = DAE_EVAL_HOLE};
  }
}

/* Everything that takes n values from the stack and leaves one. */
static void
execute_value(DaeInterpreter *interpreter, const DaeInstruction *instruction)
{
  DaeLang *lang = interpreter->lang;
  uint32_t op = instruction->op;
  DaeEval value;
  uint32_t n = 0;
  if (op == DAE_OP_NEGATE || op == DAE_OP_PLUS || op == DAE_OP_NOT) {
    n = 1;
    value = dae_eval_unary(lang, (DaeOp)op, operands(interpreter, 1));
  } else if (op >= DAE_OP_ADD && op <= DAE_OP_OR) {
    n = 2;
    const DaeEval *pair = operands(interpreter, 2);
    value = dae_eval_binary(lang, (DaeOp)op, &pair[0], &pair[1]);
  } else if (op == DAE_OP_MEMBER) {
    n = 1;
    value = dae_eval_member(lang, operands(interpreter, 1), instruction->arg);
  } else if (op == DAE_OP_INDEX) {
    n = instruction->n + 1;
    const DaeEval *values = operands(interpreter, n);
    value = dae_eval_subscript(lang, &values[0], values + 1, n - 1);
  } else if (op == DAE_OP_ELEMENT || op == DAE_OP_PATH || op == DAE_OP_CALL ||
             op == DAE_OP_ARRAY || op == DAE_OP_ROW || op == DAE_OP_MATRIX ||
             op == DAE_OP_RANGE || op == DAE_OP_TUPLE || op == DAE_OP_TARGET ||
             op == DAE_OP_FUNCTION_VALUE) {
    n = instruction->n;
    value = collect(interpreter, instruction);
  } else {
    value = simple(interpreter, instruction);
  }
  drop(interpreter, n);
  push(interpreter, value);
}

/* Executes the instruction at pc; the next pc. */
static uint32_t
step(DaeInterpreter *interpreter, uint32_t pc)
{
  const DaeInstruction instruction = *dae_syntax_code(interpreter->lang->syntax, pc);
  switch ((int)instruction.op) {
  case DAE_OP_TEST:
  case DAE_OP_WHETHER:
  case DAE_OP_WHILE:
    return branch(interpreter, pc, &instruction);
  case DAE_OP_ELSE:
  case DAE_OP_OTHERWISE:
    return pc + instruction.arg;
  case DAE_OP_ENDIF:
    end_if(interpreter, pc);
    return pc + 1;
  case DAE_OP_ENDWHETHER:
    return pc + 1;
  case DAE_OP_LOOP:
  case DAE_OP_FOR:
    return begin_loop(interpreter, pc, &instruction);
  case DAE_OP_NEXT:
  case DAE_OP_ENDFOR:
    return next_round(interpreter, pc, &instruction);
  case DAE_OP_ENDWHILE:
    return pc - instruction.arg;
  case DAE_OP_BREAK:
    return leave_loop(interpreter, pc, &instruction);
  case DAE_OP_NAMED:
    top(interpreter, 1)->name = instruction.arg;
    return pc + 1;
  case DAE_OP_ASSIGN: {
    DaeEval *pair = top(interpreter, 2);
    dae_interpreter_assign(interpreter, &pair[0], pair[1]);
    drop(interpreter, 2);
    return pc + 1;
  }
  case DAE_OP_STATEMENT: /* assert, print ...: no values */
    top(interpreter, instruction.n);
    drop(interpreter, instruction.n);
    return pc + 1;
  case DAE_OP_EQUATION:
  case DAE_OP_CONNECT:
  case DAE_OP_WHEN:
  case DAE_OP_ELSEWHEN:
  case DAE_OP_ENDWHEN:
  case DAE_OP_UNSUPPORTED:
    interpreter->failed = true;
    return pc;
  default:
    execute_value(interpreter, &instruction);
    return pc + 1;
  }
}

bool
dae_interpreter_run(DaeInterpreter *interpreter, uint32_t code)
{
  return dae_interpreter_run_to(interpreter, code, UINT32_MAX);
}

bool
dae_interpreter_run_to(DaeInterpreter *interpreter, uint32_t code, uint32_t end)
{
  DaeLang *lang = interpreter->lang;
  uint32_t pc = code;
  while (!interpreter->failed) {
    if (pc == end) {
      return true;
    }
    uint32_t op = dae_syntax_code(lang->syntax, pc)->op;
    if (op == DAE_OP_RETURN || op == DAE_OP_LEAVE) {
      return true;
    }
    if (++lang->steps > DAE_MAX_STEPS) {
      break;
    }
    pc = step(interpreter, pc);
  }
  return false;
}

void
dae_evaluate_list(DaeLang *lang, DaeNode *scope, uint32_t code, DaeEval *values, uint32_t n)
{
  DaeInterpreter interpreter;
  dae_interpreter_init(&interpreter, lang, scope);
  for (uint32_t i = 0; i < n; i++) {
    values[i] = unknown;
  }
  if (dae_interpreter_run(&interpreter, code) && interpreter.stack->len >= n) {
    take_first(top(&interpreter, n), n);
    memcpy(values, top(&interpreter, n), n * sizeof(DaeEval));
  }
  dae_interpreter_clear(&interpreter);
}

DaeEval
dae_evaluate_with(DaeLang *lang, DaeNode *scope, uint32_t code, const DaeLocal *locals,
                  uint32_t n_locals)
{
  DaeInterpreter interpreter;
  DaeEval value = unknown;
  dae_interpreter_init(&interpreter, lang, scope);
  if (n_locals > 0) {
    g_array_append_vals(interpreter.locals, locals, n_locals);
  }
  if (dae_interpreter_run(&interpreter, code) && interpreter.stack->len == 1) {
    value = *operands(&interpreter, 1);
  }
  dae_interpreter_clear(&interpreter);
  return value;
}

DaeEval
dae_evaluate_code(DaeLang *lang, DaeNode *scope, uint32_t code)
{
  return dae_evaluate_with(lang, scope, code, NULL, 0);
}

/* Subscripts of a distributed modifier: the outer ones first. */
static DaeEval
apply_subscripts(DaeLang *lang, DaeEval value, const DaeSubscript *subscript, uint32_t depth)
{
  if (subscript == NULL || depth > DAE_MAX_NESTING) {
    return value;
  }
  value = apply_subscripts(lang, value, subscript->outer, depth + 1);
  if (subscript->index == 0) {
    return dae_eval_member(lang, &value, subscript->member);
  }
  DaeEval index = dae_eval_integer(subscript->index);
  return dae_eval_subscript(lang, &value, &index, 1);
}

DaeEval
dae_evaluate(DaeLang *lang, const DaeClosure *closure)
{
  DaeEval value = dae_evaluate_code(lang, closure->scope, closure->code);
  return apply_subscripts(lang, value, closure->subscripts, 0);
}
