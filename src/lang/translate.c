/* Code of the library to code of the flat model: names resolved, branches that parameters decide taken. */
#include <string.h>

#include "lang/instance.h"

typedef struct {
  uint32_t at;     /* in the flat code */
  uint32_t target; /* in the library's code */
  bool is_back;
} Jump;

static DaeInstruction *
old_at(const DaeTranslator *translator, uint32_t pc)
{
  return dae_syntax_code(translator->lang->syntax, pc);
}

static uint32_t
emit(DaeTranslator *translator, const DaeInstruction *like)
{
  DaeSyntax *flat = &translator->lang->flat;
  g_array_append_val(flat->code, *like);
  return flat->code->len - 1;
}

static void
note_place(DaeTranslator *translator, uint32_t pc)
{
  uint32_t i = pc - translator->code;
  if (translator->map->len <= i) {
    g_array_set_size(translator->map, i + 1);
  }
  g_array_index(translator->map, uint32_t, i) = translator->lang->flat.code->len;
}

uint32_t
dae_translate_place(const DaeTranslator *translator, uint32_t pc)
{
  return g_array_index(translator->map, uint32_t, pc - translator->code);
}

static void
emit_jump(DaeTranslator *translator, uint32_t pc, bool is_back)
{
  const DaeInstruction instruction = *old_at(translator, pc);
  Jump jump = {emit(translator, &instruction),
               is_back ? pc - instruction.arg : pc + instruction.arg, is_back};
  g_array_append_val(translator->jumps, jump);
}

void
dae_translate_truncate(DaeTranslator *translator, uint32_t length)
{
  g_array_set_size(translator->lang->flat.code, length);
  while (translator->jumps->len > 0 &&
         g_array_index(translator->jumps, Jump, translator->jumps->len - 1).at >= length) {
    g_array_set_size(translator->jumps, translator->jumps->len - 1);
  }
}

/* ---- values known now --------------------------------------------------------------------------------- */

DaeEval
dae_evaluate_range(DaeTranslator *translator, uint32_t begin, uint32_t end)
{
  DaeInterpreter interpreter;
  DaeEval value = {.type = DAE_EVAL_UNKNOWN};
  dae_interpreter_init(&interpreter, translator->lang, translator->scope);
  for (guint i = 0; i < translator->iterators->len; i++) {
    DaeLocal local = {g_array_index(translator->iterators, uint32_t, i), value};
    g_array_append_val(interpreter.locals, local);
  }
  if (dae_interpreter_run_to(&interpreter, begin, end) && interpreter.stack->len == 1) {
    value = g_array_index(interpreter.stack, DaeEval, 0);
  }
  dae_interpreter_clear(&interpreter);
  return value;
}

/* Conditions on Real parameters stay in the model: they are seldom meant to change its structure. */
static bool
has_reals(DaeTranslator *translator, uint32_t begin, uint32_t end)
{
  for (uint32_t pc = begin; pc < end; pc++) {
    const DaeInstruction *instruction = old_at(translator, pc);
    if (instruction->op == DAE_OP_NUMBER && instruction->n != 0) {
      return true;
    }
    if (instruction->op == DAE_OP_NAME) {
      DaeEval value = dae_evaluate_range(translator, pc, pc + 1);
      if (value.type == DAE_EVAL_REAL) {
        return true;
      }
    }
  }
  return false;
}

static bool
is_local_scope(const DaeTranslator *translator)
{
  return translator->scope->whole->is_function;
}

/* At TEST or WHETHER: 1 true, 0 false, -1 stays in the model. */
static int
decide(DaeTranslator *translator, uint32_t pc)
{
  uint32_t begin = dae_syntax_skip_back(translator->lang->syntax, pc, 1);
  if (is_local_scope(translator)) {
    return -1;
  }
  DaeEval value = dae_evaluate_range(translator, begin, pc);
  const GArray *code = translator->lang->flat.code; /* Connections.isRoot(...), not rooted(...) */
  const DaeInstruction *written = dae_syntax_code(&translator->lang->flat, code->len - 1);
  uint32_t n_written = code->len - dae_translate_place(translator, begin);
  bool negated = n_written == 2 && written->op == DAE_OP_NOT;
  written -= negated ? 1 : 0;
  if (value.type == DAE_EVAL_UNKNOWN && (n_written == 1 || negated) &&
      written->op == DAE_OP_BOOLEAN) {
    return (written->arg != 0) != negated;
  }
  if (value.type != DAE_EVAL_BOOLEAN || value.n_dims > 0 ||
      (old_at(translator, pc)->op == DAE_OP_TEST && has_reals(translator, begin, pc))) {
    return -1;
  }
  return value.integer != 0;
}

/* ---- branches ------------------------------------------------------------------------------------------- */

/* Translates a decided branch; returns the old place behind the whole if. */
static uint32_t
take_branch(DaeTranslator *translator, uint32_t pc, bool is_true)
{
  uint32_t condition = dae_syntax_skip_back(translator->lang->syntax, pc, 1);
  dae_translate_truncate(translator, dae_translate_place(translator, condition));
  uint32_t middle = pc + old_at(translator, pc)->arg - 1; /* ELSE, OTHERWISE */
  uint32_t end = middle + old_at(translator, middle)->arg; /* ENDIF, ENDWHETHER */
  if (is_true) {
    dae_translate_range(translator, pc + 1, middle);
  } else {
    dae_translate_range(translator, middle + 1, end);
  }
  for (uint32_t i = condition; i <= end; i++) { /* nobody jumps into what is gone */
    if (i - translator->code >= translator->map->len) {
      g_array_set_size(translator->map, i - translator->code + 1);
    }
  }
  return end + 1;
}

/* ---- calls ------------------------------------------------------------------------------------------------ */

static bool
is_size(const char *name)
{
  return strcmp(name, "size") == 0 || strcmp(name, "ndims") == 0;
}

static bool
emit_integer(DaeTranslator *translator, uint32_t pc, uint32_t begin)
{
  DaeEval value = dae_evaluate_range(translator, begin, pc + 1);
  if (value.type != DAE_EVAL_INTEGER || value.n_dims > 0 || value.integer < 0) {
    return false;
  }
  dae_translate_truncate(translator, dae_translate_place(translator, begin));
  DaeInstruction number = {.op = DAE_OP_NUMBER, .pos = old_at(translator, pc)->pos};
  number.arg = dae_name_format(translator->lang, "%" G_GINT64_FORMAT, value.integer);
  emit(translator, &number);
  return true;
}

/* getInstanceName(): the simulated class and the path of the component from it [MLS, section 3.7.4.1]. */
static void
emit_instance_name(DaeTranslator *translator, uint32_t pc)
{
  DaeLang *lang = translator->lang;
  const DaeNode *node = translator->scope->whole;
  uint32_t name = dae_syntax_class(lang->syntax, lang->model->type->class)->name;
  if (node->component != NULL && node != lang->model->type) {
    name = dae_name_join(lang, name, node->name);
  }
  dae_syntax_emit(&lang->flat, DAE_OP_STRING, 0, name, old_at(translator, pc)->pos);
}

static void
translate_call(DaeTranslator *translator, uint32_t pc)
{
  DaeLang *lang = translator->lang;
  DaeInstruction instruction = *old_at(translator, pc);
  const char *text = dae_names_text(lang->names, instruction.arg);
  uint32_t begin = dae_syntax_skip_back(lang->syntax, pc, instruction.n);
  if (instruction.op == DAE_OP_CALL && is_size(text) && !is_local_scope(translator) &&
      emit_integer(translator, pc, begin)) {
    return;
  }
  if (instruction.op == DAE_OP_CALL && dae_connect_call(translator, pc, begin)) {
    return;
  }
  if (instruction.op == DAE_OP_CALL &&
      dae_translate_stream(translator, pc, dae_translate_place(translator, begin))) {
    return;
  }
  if (instruction.op == DAE_OP_CALL && instruction.n == 0 && lang->model != NULL &&
      strcmp(text, "getInstanceName") == 0) {
    emit_instance_name(translator, pc);
    return;
  }
  DaeElement *element =
      dae_lookup_class_element(lang, translator->scope, instruction.arg, DAE_NO_PLACE);
  if (element != NULL && element->index != 0) {
    DaeNode *node = dae_element_node(lang, element, NULL);
    instruction.arg = node != NULL ? dae_use_class(lang, node) : instruction.arg;
  } else if (strchr(text, '.') != NULL && !g_str_has_prefix(text, "Connections.") &&
             *text != '.') {
    dae_lookup_class_element(lang, translator->scope, instruction.arg, instruction.pos);
  }
  emit(translator, &instruction);
}

/* ---- one instruction ---------------------------------------------------------------------------------------- */

static uint32_t
translate_one(DaeTranslator *translator, uint32_t pc)
{
  DaeLang *lang = translator->lang;
  DaeInstruction instruction = *old_at(translator, pc);
  switch ((int)instruction.op) {
  case DAE_OP_NAME:
  case DAE_OP_ELEMENT:
  case DAE_OP_PATH:
  case DAE_OP_TARGET: {
    uint32_t n = instruction.op == DAE_OP_NAME ? 0 : instruction.n;
    uint32_t begin = dae_syntax_skip_back(lang->syntax, pc, n);
    dae_translate_reference(translator, pc, dae_translate_place(translator, begin));
    return pc + 1;
  }
  case DAE_OP_LAST:
    if (is_local_scope(translator) || !emit_integer(translator, pc, pc)) {
      emit(translator, &instruction);
    }
    return pc + 1;
  case DAE_OP_STATEMENT:
  case DAE_OP_CALL:
  case DAE_OP_FUNCTION_VALUE:
    translate_call(translator, pc);
    return pc + 1;
  case DAE_OP_TEST:
  case DAE_OP_WHETHER: {
    int decision = decide(translator, pc);
    if (decision >= 0) {
      return take_branch(translator, pc, decision == 1);
    }
    emit_jump(translator, pc, false);
    return pc + 1;
  }
  case DAE_OP_ITERATOR:
    g_array_append_val(translator->iterators, instruction.arg);
    emit(translator, &instruction);
    return pc + 1;
  case DAE_OP_NEXT:
  case DAE_OP_ENDFOR:
    g_array_set_size(translator->iterators, translator->iterators->len - 1);
    emit_jump(translator, pc, true);
    return pc + 1;
  case DAE_OP_ENDWHILE:
    emit_jump(translator, pc, true);
    return pc + 1;
  case DAE_OP_ELSE:
  case DAE_OP_LOOP:
  case DAE_OP_FOR:
  case DAE_OP_OTHERWISE:
  case DAE_OP_WHEN:
  case DAE_OP_ELSEWHEN:
  case DAE_OP_WHILE:
  case DAE_OP_BREAK:
    emit_jump(translator, pc, false);
    return pc + 1;
  default:
    emit(translator, &instruction);
    return pc + 1;
  }
}

void
dae_translate_range(DaeTranslator *translator, uint32_t begin, uint32_t end)
{
  for (uint32_t pc = begin; pc < end;) {
    note_place(translator, pc);
    uint32_t behind = GPOINTER_TO_UINT(
        g_hash_table_lookup(translator->connects, GUINT_TO_POINTER(pc)));
    pc = behind != 0 ? behind : translate_one(translator, pc);
  }
  note_place(translator, end);
}

static void
close_jumps(DaeTranslator *translator)
{
  for (guint i = 0; i < translator->jumps->len; i++) {
    const Jump *jump = &g_array_index(translator->jumps, Jump, i);
    uint32_t target = dae_translate_place(translator, jump->target);
    dae_syntax_code(&translator->lang->flat, jump->at)->arg =
        jump->is_back ? jump->at - target : target - jump->at;
  }
}

/* Connections are no code of the flat model: where each begins and what is behind it. */
static void
find_connects(DaeTranslator *translator, uint32_t end)
{
  const DaeLang *lang = translator->lang;
  for (uint32_t pc = translator->code; pc < end; pc++) {
    const DaeInstruction *instruction = old_at(translator, pc);
    bool is_call = instruction->op == DAE_OP_STATEMENT &&
                   g_str_has_prefix(dae_names_text(lang->names, instruction->arg), "Connections.");
    if (is_call || instruction->op == DAE_OP_CONNECT) {
      uint32_t begin = dae_syntax_skip_back(lang->syntax, pc, is_call ? instruction->n : 2);
      g_hash_table_insert(translator->connects, GUINT_TO_POINTER(begin), GUINT_TO_POINTER(pc + 1));
    }
  }
}

static void
close_index(DaeLang *lang, uint32_t *n, uint32_t pos)
{
  if (*n > 0) {
    dae_syntax_emit(&lang->flat, DAE_OP_INDEX, *n, 0, pos);
  }
  *n = 0;
}

/* Element and member of what is on the stack; the outer ones first. */
static void
emit_parts(DaeLang *lang, const DaeSubscript *subscripts, uint32_t pos)
{
  g_autoptr(GPtrArray) order = g_ptr_array_new();
  uint32_t n = 0;
  for (; subscripts != NULL; subscripts = subscripts->outer) {
    g_ptr_array_add(order, (gpointer)subscripts);
  }
  for (guint i = order->len; i-- > 0;) {
    const DaeSubscript *part = order->pdata[i];
    if (part->index != 0) {
      uint32_t number = dae_name_format(lang, "%u", part->index);
      dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0, number, pos);
      n++;
    } else {
      close_index(lang, &n, pos);
      dae_syntax_emit(&lang->flat, DAE_OP_MEMBER, 0, part->member, pos);
    }
  }
  close_index(lang, &n, pos);
}

static uint32_t
translate(DaeLang *lang, DaeNode *scope, uint32_t code, const DaeSubscript *subscripts)
{
  DaeTranslator translator = {.lang = lang, .scope = scope, .code = code};
  translator.map = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  translator.jumps = g_array_new(FALSE, TRUE, sizeof(Jump));
  translator.iterators = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  translator.connects = g_hash_table_new(NULL, NULL);
  uint32_t end = code;
  while (dae_syntax_code(lang->syntax, end)->op != DAE_OP_RETURN) {
    end++;
  }
  find_connects(&translator, end);
  uint32_t start = lang->flat.code->len;
  uint32_t pos = dae_syntax_code(lang->syntax, end)->pos;
  dae_translate_range(&translator, code, end);
  close_jumps(&translator);
  emit_parts(lang, subscripts, pos);
  dae_syntax_emit(&lang->flat, DAE_OP_RETURN, 0, 0, pos);
  g_array_free(translator.map, TRUE);
  g_array_free(translator.jumps, TRUE);
  g_array_free(translator.iterators, TRUE);
  g_hash_table_destroy(translator.connects);
  return start;
}

uint32_t
dae_translate(DaeLang *lang, DaeNode *scope, uint32_t code)
{
  return translate(lang, scope, code, NULL);
}

uint32_t
dae_translate_closure(DaeLang *lang, const DaeClosure *closure)
{
  return translate(lang, closure->scope, closure->code, closure->subscripts);
}
