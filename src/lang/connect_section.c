/* The connects of a section of equations, in loops and under conditions [MLS, section 9.1]. */
#include "lang/connect.h"

static void
run_connect(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals)
{
  DaeSide a;
  DaeSide b;
  dae_side_init(&a);
  dae_side_init(&b);
  if (!dae_connect_run(lang, scope, pc, locals, &a, &b)) {
    dae_bus_defer(lang, scope, pc, locals);
  }
  dae_side_clear(&a);
  dae_side_clear(&b);
}

typedef struct {
  DaeEval range;
  uint32_t position;
} Round;

static bool
is_graph_call(const DaeLang *lang, const DaeInstruction *instruction)
{
  return instruction->op == DAE_OP_STATEMENT &&
         g_str_has_prefix(dae_names_text(lang->names, instruction->arg), "Connections.");
}

bool
dae_connect_has(const DaeLang *lang, uint32_t code)
{
  for (uint32_t pc = code; dae_syntax_code(lang->syntax, pc)->op != DAE_OP_RETURN; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(lang->syntax, pc);
    if (instruction->op == DAE_OP_CONNECT || is_graph_call(lang, instruction)) {
      return true;
    }
  }
  return false;
}

static DaeEval
value_before(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals)
{
  DaeInterpreter interpreter;
  DaeEval value = {.type = DAE_EVAL_UNKNOWN};
  uint32_t begin = dae_syntax_skip_back(lang->syntax, pc, 1);
  dae_interpreter_init(&interpreter, lang, scope);
  g_array_append_vals(interpreter.locals, locals->data, locals->len);
  if (dae_interpreter_run_to(&interpreter, begin, pc) && interpreter.stack->len == 1) {
    value = g_array_index(interpreter.stack, DaeEval, 0);
  }
  dae_interpreter_clear(&interpreter);
  return value;
}

/* The first connect or Connections.branch, root ... from begin to end is told: it stands `where`
 * what is around it is not known before the simulation [MLS, sections 9.1 and 9.4.1]. */
static void
refuse_connects(DaeLang *lang, uint32_t begin, uint32_t end, const char *where)
{
  for (uint32_t pc = begin; pc < end; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(lang->syntax, pc);
    bool is_connect = instruction->op == DAE_OP_CONNECT;
    if (is_connect || is_graph_call(lang, instruction)) {
      const char *what = is_connect ? "connect" : dae_names_text(lang->names, instruction->arg);
      dae_source_error(lang->source, instruction->pos, "%s in %s", what, where);
      return;
    }
  }
}

/* At FOR. The next pc. */
static uint32_t
begin_round(DaeLang *lang, DaeNode *scope, uint32_t pc, GArray *locals, GArray *rounds)
{
  const DaeInstruction loop = *dae_syntax_code(lang->syntax, pc);
  Round round = {value_before(lang, scope, pc, locals), 0};
  if (round.range.type == DAE_EVAL_UNKNOWN && round.range.n_dims != 1) {
    refuse_connects(lang, pc, pc + loop.arg,
                    "a loop whose range is not known before the simulation");
  }
  if (round.range.type == DAE_EVAL_UNKNOWN || round.range.n_dims != 1 ||
      round.range.count == 0) {
    return pc + loop.arg;
  }
  DaeLocal local = {dae_syntax_code(lang->syntax, pc + 1)->arg, round.range.data[0]};
  g_array_append_val(locals, local);
  g_array_append_val(rounds, round);
  return pc + 2;
}

static uint32_t
next_round(DaeLang *lang, uint32_t pc, GArray *locals, GArray *rounds)
{
  if (rounds->len == 0) {
    return pc + 1;
  }
  Round *round = &g_array_index(rounds, Round, rounds->len - 1);
  if (++round->position < round->range.count) {
    g_array_index(locals, DaeLocal, locals->len - 1).value = round->range.data[round->position];
    return pc - dae_syntax_code(lang->syntax, pc)->arg + 2;
  }
  g_array_set_size(rounds, rounds->len - 1);
  g_array_set_size(locals, locals->len - 1);
  return pc + 1;
}

static uint32_t
run_branch(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals)
{
  uint32_t behind = pc + dae_syntax_code(lang->syntax, pc)->arg;
  DaeEval condition = value_before(lang, scope, pc, locals);
  if (condition.type == DAE_EVAL_BOOLEAN && condition.n_dims == 0) {
    return condition.integer != 0 ? pc + 1 : behind;
  }
  uint32_t end = behind - 1 + dae_syntax_code(lang->syntax, behind - 1)->arg;
  refuse_connects(lang, pc, end,
                  "an if-equation whose condition is not known before the "
                  "simulation");
  return behind;
}

static uint32_t
run_one(DaeLang *lang, DaeNode *scope, uint32_t pc, GArray *locals, GArray *rounds)
{
  const DaeInstruction instruction = *dae_syntax_code(lang->syntax, pc);
  switch ((int)instruction.op) {
  case DAE_OP_CONNECT:
    if (!dae_is_deselected(lang, scope, pc)) {
      run_connect(lang, scope, pc, locals);
    }
    return pc + 1;
  case DAE_OP_STATEMENT:
    if (is_graph_call(lang, &instruction)) {
      dae_graph_statement(lang, scope, pc, locals);
    }
    return pc + 1;
  case DAE_OP_FOR:
    return begin_round(lang, scope, pc, locals, rounds);
  case DAE_OP_ENDFOR:
    return next_round(lang, pc, locals, rounds);
  case DAE_OP_WHETHER:
    return run_branch(lang, scope, pc, locals);
  case DAE_OP_WHEN:
    refuse_connects(lang, pc, pc + instruction.arg, "a when-equation");
    return pc + 1;
  case DAE_OP_OTHERWISE:
    return pc + instruction.arg;
  default:
    return pc + 1;
  }
}

void
dae_connect_refuse_section(DaeLang *lang, const DaeSection *section)
{
  uint32_t end = section->code;
  while (dae_syntax_code(lang->syntax, end)->op != DAE_OP_RETURN) {
    end++;
  }
  refuse_connects(lang, section->code, end,
                  section->is_algorithm ? "an algorithm" : "an initial equation section");
}

void
dae_connect_section(DaeLang *lang, DaeNode *node, uint32_t code)
{
  g_autoptr(GArray) locals = g_array_new(FALSE, TRUE, sizeof(DaeLocal));
  g_autoptr(GArray) rounds = g_array_new(FALSE, TRUE, sizeof(Round));
  for (uint32_t pc = code;
       dae_syntax_code(lang->syntax, pc)->op != DAE_OP_RETURN && lang->steps < DAE_MAX_STEPS;
       lang->steps++) {
    pc = run_one(lang, node, pc, locals, rounds);
  }
}
