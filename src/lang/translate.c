/* Code of the library to code of the flat model: names resolved, branches
 * that parameters decide taken. */
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

/* ---- values known now -------------------------------------------------------------------- */

DaeEval
dae_evaluate_range(DaeTranslator *translator, uint32_t begin, uint32_t end)
{
  DaeInterpreter interpreter;
  DaeEval value = {.type = DAE_EVAL_UNKNOWN};
  dae_interpreter_init(&interpreter, translator->lang, translator->scope);
  g_array_append_vals(interpreter.locals, translator->knowns->data, translator->knowns->len);
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

/* Conditions on Real parameters stay in the model: they are seldom
 * meant to change its structure. */
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
  /* Connections.isRoot(...), not rooted(...) */
  const GArray *code = translator->lang->flat.code;
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

/* ---- branches ---------------------------------------------------------------------------- */

/* A branch of an algorithm that is never taken still makes its targets outputs of the algorithm,
 * with their start values [MLS, section 11.1.2]: if false then v := false; end if. */
static void
keep_targets(DaeTranslator *translator, uint32_t begin, uint32_t end)
{
  GArray *code = translator->lang->flat.code;
  for (uint32_t pc = begin; pc < end; pc++) {
    if (old_at(translator, pc)->op != DAE_OP_TARGET) {
      continue;
    }
    uint32_t first = code->len;
    const DaeInstruction condition = {.op = DAE_OP_BOOLEAN, .pos = old_at(translator, pc)->pos};
    DaeInstruction jump = {.op = DAE_OP_WHETHER, .pos = condition.pos};
    emit(translator, &condition);
    uint32_t whether = emit(translator, &jump);
    if (!dae_translate_whole_target(translator, pc)) {
      dae_translate_truncate(translator, first);
      continue;
    }
    emit(translator, &condition);
    jump.op = DAE_OP_ASSIGN;
    emit(translator, &jump);
    jump.op = DAE_OP_OTHERWISE;
    jump.arg = 1;
    uint32_t otherwise = emit(translator, &jump);
    jump.op = DAE_OP_ENDWHETHER;
    jump.arg = 0;
    emit(translator, &jump);
    dae_syntax_code(&translator->lang->flat, whether)->arg = otherwise + 1 - whether;
  }
}

/* Translates a decided branch; returns the old place behind the whole if. */
static uint32_t
take_branch(DaeTranslator *translator, uint32_t pc, bool is_true)
{
  uint32_t condition = dae_syntax_skip_back(translator->lang->syntax, pc, 1);
  dae_translate_truncate(translator, dae_translate_place(translator, condition));
  uint32_t middle = pc + old_at(translator, pc)->arg - 1;  /* ELSE, OTHERWISE */
  uint32_t end = middle + old_at(translator, middle)->arg; /* ENDIF, ENDWHETHER */
  if (is_true) {
    keep_targets(translator, middle + 1, end);
    dae_translate_range(translator, pc + 1, middle);
  } else {
    keep_targets(translator, pc + 1, middle);
    dae_translate_range(translator, middle + 1, end);
  }
  for (uint32_t i = condition; i <= end; i++) { /* nobody jumps into what is gone */
    if (i - translator->code >= translator->map->len) {
      g_array_set_size(translator->map, i - translator->code + 1);
    }
  }
  return end + 1;
}

/* ---- calls ------------------------------------------------------------------------------- */

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

/* getInstanceName(): the simulated class and the path of the component
 * from it [MLS, section 3.7.4.1]. */
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

static bool
is_state_machine(const char *name)
{
  static const char *const names[] = {"initialState", "transition", "activeState",
                                      "ticksInState", "timeInState"};
  for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
    if (strcmp(name, names[i]) == 0) {
      return true;
    }
  }
  return false;
}

/* fill(1/n, n) for n = 0: no element has the value, so it need not have one. */
static bool
fill_nothing(DaeTranslator *translator, uint32_t pc, uint32_t begin)
{
  DaeLang *lang = translator->lang;
  DaeInstruction call = *old_at(translator, pc);
  uint32_t sizes = dae_syntax_skip_back(lang->syntax, pc, call.n - 1);
  bool divides = false;
  for (uint32_t i = begin; i < sizes; i++) {
    divides = divides || old_at(translator, i)->op == DAE_OP_DIV;
  }
  bool is_empty = false;
  for (uint32_t k = call.n - 1; k > 0 && divides && !is_empty; k--) {
    uint32_t from = dae_syntax_skip_back(lang->syntax, pc, k);
    uint32_t to = k > 1 ? dae_syntax_skip_back(lang->syntax, pc, k - 1) : pc;
    DaeEval size = dae_evaluate_range(translator, from, to);
    is_empty = size.type == DAE_EVAL_INTEGER && size.n_dims == 0 && size.integer == 0;
  }
  if (!is_empty) {
    return false;
  }
  const DaeInstruction zero = {
      .op = DAE_OP_NUMBER, .arg = dae_name_intern(lang, "0.0"), .pos = call.pos};
  dae_translate_truncate(translator, dae_translate_place(translator, begin));
  emit(translator, &zero);
  dae_translate_range(translator, sizes, pc);
  emit(translator, &call);
  return true;
}

static void
translate_call(DaeTranslator *translator, uint32_t pc)
{
  DaeLang *lang = translator->lang;
  DaeInstruction instruction = *old_at(translator, pc);
  const char *text = dae_names_text(lang->names, instruction.arg);
  uint32_t begin = dae_syntax_skip_back(lang->syntax, pc, instruction.n);
  if (instruction.op == DAE_OP_CALL && instruction.n > 1 && strcmp(text, "fill") == 0 &&
      fill_nothing(translator, pc, begin)) {
    return;
  }
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
  if (element == NULL && is_state_machine(text) &&
      g_hash_table_add(lang->told, g_strdup("state machines"))) {
    dae_source_unsupported(lang->source, instruction.pos,
                           "state machines, '%s' (Modelica 3.6, chapter 17)", text);
  }
  if (element != NULL && element->index != 0) {
    dae_check_called(lang, translator->scope, element, instruction.arg, instruction.pos);
    DaeNode *node = dae_element_node(lang, element, NULL);
    instruction.arg = node != NULL ? dae_use_class(lang, node) : instruction.arg;
  } else if (strchr(text, '.') != NULL && !g_str_has_prefix(text, "Connections.") &&
             *text != '.') {
    dae_lookup_class_element(lang, translator->scope, instruction.arg, instruction.pos);
  }
  emit(translator, &instruction);
}

/* ---- one instruction --------------------------------------------------------------------- */

/* `end` in the subscripts of an array of a function or record: its size comes with a call. That
 * of a constant of a package around it is known, and has another name in the flat model. */
static bool
is_of_local_array(DaeTranslator *translator, uint32_t name)
{
  DaeNode *where = NULL;
  uint32_t rest = 0;
  if (!is_local_scope(translator) || name == 0) {
    return is_local_scope(translator);
  }
  const DaeElement *element =
      dae_lookup_simple(translator->lang, translator->scope,
                        dae_name_split(translator->lang, name, &rest), &where);
  return element == NULL ||
         (element->kind == DAE_ELEMENT_COMPONENT && element->owner->is_function);
}

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
    uint32_t place = dae_translate_place(translator, begin);
    dae_translate_reference(translator, pc, place);
    /* {a[1].x, a[2].x}[k]: its subscripts are not what comes first */
    g_array_index(translator->map, uint32_t, begin - translator->code) = place;
    return pc + 1;
  }
  case DAE_OP_LAST:
    if (is_of_local_array(translator, instruction.arg) || !emit_integer(translator, pc, pc)) {
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
    uint32_t behind =
        GPOINTER_TO_UINT(g_hash_table_lookup(translator->connects, GUINT_TO_POINTER(pc)));
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
    bool is_call =
        instruction->op == DAE_OP_STATEMENT &&
        g_str_has_prefix(dae_names_text(lang->names, instruction->arg), "Connections.");
    if (is_call || instruction->op == DAE_OP_CONNECT) {
      uint32_t begin = dae_syntax_skip_back(lang->syntax, pc, is_call ? instruction->n : 2);
      g_hash_table_insert(translator->connects, GUINT_TO_POINTER(begin),
                          GUINT_TO_POINTER(pc + 1));
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

/* Element and member of what is on the stack. */
static void
emit_parts(DaeLang *lang, const GPtrArray *parts, guint first, uint32_t pos)
{
  uint32_t n = 0;
  for (guint i = first; i < parts->len; i++) {
    const DaeSubscript *part = parts->pdata[i];
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

/* Of flat code without jumps from start on: element i of {a, b}, and the member of a name. The
 * number of the first part that is left. */
static guint
shorten(DaeLang *lang, uint32_t start, const GPtrArray *parts, guint i)
{
  GArray *code = lang->flat.code;
  for (; i < parts->len && code->len > start; i++) {
    const DaeSubscript *part = parts->pdata[i];
    DaeInstruction *last = dae_syntax_code(&lang->flat, code->len - 1);
    if (part->index == 0 && last->op == DAE_OP_NAME && code->len == start + 1) {
      last->arg = dae_name_join(lang, last->arg, part->member);
    } else if (part->index > 0 && last->op == DAE_OP_ARRAY && part->index <= last->n) {
      uint32_t n = last->n;
      uint32_t from = dae_syntax_skip_back(&lang->flat, code->len - 1, n - part->index + 1);
      uint32_t to = dae_syntax_skip_back(&lang->flat, code->len - 1, n - part->index);
      memmove(dae_syntax_code(&lang->flat, start), dae_syntax_code(&lang->flat, from),
              (to - from) * sizeof(DaeInstruction));
      g_array_set_size(code, start + to - from);
    } else {
      break;
    }
  }
  return i;
}

/* The code between begin and end with its parts from number i on. Of {a, b, c} and {f(k) for k
 * in r} only the element that is meant is written: the others may have other sizes, and all of
 * them would be written for each. */
static void
translate_parts(DaeTranslator *translator, uint32_t begin, uint32_t end, const GPtrArray *parts,
                guint i)
{
  const DaeSyntax *syntax = translator->lang->syntax;
  const DaeSubscript *part = i < parts->len ? parts->pdata[i] : NULL;
  const DaeInstruction last = *old_at(translator, end - 1);
  uint32_t index = part != NULL ? part->index : 0;
  if (last.op == DAE_OP_ARRAY && index > 0 && index <= last.n) {
    translate_parts(translator, dae_syntax_skip_back(syntax, end - 1, last.n - index + 1),
                    dae_syntax_skip_back(syntax, end - 1, last.n - index), parts, i + 1);
    return;
  }
  if (last.op == DAE_OP_NEXT && index > 0 && end - 1 - last.arg > begin) {
    uint32_t loop = end - 1 - last.arg;
    DaeEval range = dae_evaluate_range(translator, begin, loop);
    bool is_known = range.n_dims == 1 && range.type == DAE_EVAL_INTEGER &&
                    index <= range.count && dae_syntax_skip_back(syntax, loop, 1) == begin &&
                    range.data[index - 1].integer >= 0;
    if (is_known) {
      DaeLocal local = {old_at(translator, loop + 1)->arg, range.data[index - 1]};
      g_array_append_val(translator->knowns, local);
      translate_parts(translator, loop + 2, end - 1, parts, i + 1);
      g_array_set_size(translator->knowns, translator->knowns->len - 1);
      return;
    }
  }
  guint n_jumps = translator->jumps->len;
  uint32_t start = translator->lang->flat.code->len;
  dae_translate_range(translator, begin, end);
  if (translator->jumps->len == n_jumps && !is_local_scope(translator)) {
    i = shorten(translator->lang, start, parts, i);
  }
  emit_parts(translator->lang, parts, i, old_at(translator, end)->pos);
}

static GPtrArray *
list_parts(const DaeSubscript *subscripts)
{
  GPtrArray *parts = g_ptr_array_new();
  for (; subscripts != NULL; subscripts = subscripts->outer) {
    g_ptr_array_insert(parts, 0, (gpointer)subscripts); /* the outer ones first */
  }
  return parts;
}

static bool
is_call(const DaeLang *lang, uint32_t code)
{
  uint32_t last = 0;
  for (; dae_syntax_code(lang->syntax, code)->op != DAE_OP_RETURN; code++) {
    last = dae_syntax_code(lang->syntax, code)->op;
  }
  return last == DAE_OP_CALL;
}

static uint32_t
translate(DaeLang *lang, DaeNode *scope, uint32_t code, const DaeSubscript *subscripts)
{
  DaeTranslator translator = {.lang = lang, .scope = scope, .code = code};
  translator.map = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  translator.jumps = g_array_new(FALSE, TRUE, sizeof(Jump));
  translator.iterators = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  translator.knowns = g_array_new(FALSE, TRUE, sizeof(DaeLocal));
  translator.connects = g_hash_table_new(NULL, NULL);
  uint32_t end = code;
  while (dae_syntax_code(lang->syntax, end)->op != DAE_OP_RETURN) {
    end++;
  }
  find_connects(&translator, end);
  uint32_t start = lang->flat.code->len;
  uint32_t pos = dae_syntax_code(lang->syntax, end)->pos;
  g_autoptr(GPtrArray) parts = list_parts(subscripts);
  if (code < end) {
    translate_parts(&translator, code, end, parts, 0);
  }
  close_jumps(&translator);
  dae_syntax_emit(&lang->flat, DAE_OP_RETURN, 0, 0, pos);
  g_array_free(translator.map, TRUE);
  g_array_free(translator.jumps, TRUE);
  g_array_free(translator.iterators, TRUE);
  g_array_free(translator.knowns, TRUE);
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
  DaeShared *shared = closure->shared;
  if (shared != NULL && closure->subscripts != shared->subscripts &&
      is_call(lang, closure->code)) {
    g_autoptr(GPtrArray) parts = list_parts(closure->subscripts);
    g_autoptr(GPtrArray) own = list_parts(shared->subscripts);
    if (shared->code == 0) {
      shared->code = translate(lang, closure->scope, closure->code, shared->subscripts);
    }
    uint32_t start = lang->flat.code->len;
    dae_syntax_emit(&lang->flat, DAE_OP_SHARED, 0, shared->code, closure->pos);
    emit_parts(lang, parts, own->len, closure->pos);
    dae_syntax_emit(&lang->flat, DAE_OP_RETURN, 0, 0, closure->pos);
    return start;
  }
  return translate(lang, closure->scope, closure->code, closure->subscripts);
}
