/* Operands of expressions: references, numbers, prefixes, opening brackets. */
#include <string.h>

#include "parser/frames.h"

/* ---- references -------------------------------------------------------------------------- */

static uint32_t
join_names(DaeParser *parser, uint32_t a, const char *between, uint32_t b)
{
  g_string_assign(parser->scratch, dae_names_text(parser->names, a));
  g_string_append(parser->scratch, between);
  g_string_append(parser->scratch, dae_names_text(parser->names, b));
  return dae_names_intern(parser->names, parser->scratch->str, parser->scratch->len);
}

static void
emit_reference(DaeParser *parser, uint32_t first_part, uint32_t pos)
{
  uint32_t n_parts = parser->parts->len - first_part;
  const DaePart *parts = &g_array_index(parser->parts, DaePart, first_part);
  if (n_parts == 1) {
    DaeOp op = parts->n == 0 ? DAE_OP_NAME : DAE_OP_ELEMENT;
    dae_parser_emit(parser, op, parts->n, parts->name, pos);
  } else {
    uint32_t total = 0;
    uint32_t index = parser->syntax->paths->len;
    g_array_append_val(parser->syntax->paths, n_parts);
    for (uint32_t i = 0; i < n_parts; i++) {
      g_array_append_val(parser->syntax->paths, parts[i].name);
      g_array_append_val(parser->syntax->paths, parts[i].n);
      total += parts[i].n;
    }
    dae_parser_emit(parser, DAE_OP_PATH, total, index, pos);
  }
  dae_array_cut(parser->parts, first_part);
}

/* The last part of the reference has its name; `[` may follow. */
static DaeStep
continue_reference(DaeParser *parser, uint32_t first_part, uint32_t pos)
{
  if (parser->token.kind == DAE_TOKEN_LBRACKET) {
    dae_parser_advance(parser);
    DaeFrame *frame = dae_frames_push(parser, DAE_FRAME_SUBSCRIPT, pos);
    frame->a = first_part;
    frame->b = parser->parts->len; /* behind the parts that `end` speaks of */
    return DAE_STEP_OPERAND;
  }
  emit_reference(parser, first_part, pos);
  return DAE_STEP_OPERATOR;
}

/* Called f(x = 1), `function f(x = 1)` keeps its arguments for later. */
static DaeStep
begin_function_value(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  dae_parser_advance(parser);
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of a function");
    return DAE_STEP_FAIL;
  }
  uint32_t name = parser->token.name;
  dae_parser_advance(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_LPAREN, "'('")) {
    return DAE_STEP_FAIL;
  }
  DaeFrame *frame = dae_frames_push(parser, DAE_FRAME_CALL, pos);
  frame->a = name;
  frame->op = DAE_OP_FUNCTION_VALUE;
  return DAE_STEP_OPERAND;
}

/* .Connections.branch is Connections.branch: predefined, not a function of a class [MLS 9.4.1]. */
static uint32_t
operator_name(DaeParser *parser, uint32_t name)
{
  const char *text = dae_names_text(parser->names, name);
  if (!g_str_has_prefix(text, ".Connections.")) {
    return name;
  }
  g_string_assign(parser->scratch, text + 1);
  return dae_names_intern(parser->names, parser->scratch->str, parser->scratch->len);
}

/* At the name, which begins at pos; is_global: there, because a dot stands before it. */
static DaeStep
begin_name(DaeParser *parser, uint32_t pos, bool is_global)
{
  uint32_t name = parser->token.name;
  parser->n_parts = 0;
  dae_parser_advance(parser);
  if (is_global) {
    g_string_assign(parser->scratch, ".");
    g_string_append(parser->scratch, dae_names_text(parser->names, name));
    name = dae_names_intern(parser->names, parser->scratch->str, parser->scratch->len);
  }
  while (parser->token.kind == DAE_TOKEN_DOT) { /* a . b */
    if (++parser->n_parts > DAE_MAX_PARTS) {
      return dae_frames_fail(parser, parser->token.pos, "a name with more than 1000 parts");
    }
    dae_parser_advance(parser);
    if (parser->token.kind != DAE_TOKEN_NAME) {
      dae_parser_unexpected(parser, "a name after '.'");
      return DAE_STEP_FAIL;
    }
    name = join_names(parser, name, ".", parser->token.name);
    dae_parser_advance(parser);
  }
  if (parser->token.kind == DAE_TOKEN_LPAREN) {
    dae_parser_advance(parser);
    name = is_global ? operator_name(parser, name) : name;
    dae_frames_push(parser, DAE_FRAME_CALL, pos)->a = name;
    return DAE_STEP_OPERAND;
  }
  DaePart part = {name, 0};
  g_array_append_val(parser->parts, part);
  return continue_reference(parser, parser->parts->len - 1, pos);
}

bool
dae_operand_take_members(DaeParser *parser)
{
  while (dae_parser_accept(parser, DAE_TOKEN_DOT)) {
    if (parser->token.kind != DAE_TOKEN_NAME) {
      dae_parser_unexpected(parser, "a name after '.'");
      return false;
    }
    g_autofree char *members = g_strdup(dae_names_text(parser->names, parser->token.name));
    for (char *at = members; at != NULL;) {
      char *close = *at == '\'' ? strchr(at + 1, '\'') : at;
      char *dot = close != NULL ? strchr(close, '.') : NULL;
      size_t length = dot != NULL ? (size_t)(dot - at) : strlen(at);
      dae_parser_emit(parser, DAE_OP_MEMBER, 1, dae_names_intern(parser->names, at, length),
                      parser->token.pos);
      at = dot != NULL ? dot + 1 : NULL;
    }
    dae_parser_advance(parser);
  }
  return true;
}

/* Are the subscripts just closed integer literals? Then a[1].b is a plain
 * name: appends "[1]" to the name. */
static bool
fold_subscripts(DaeParser *parser, const DaeFrame *frame, DaePart *part)
{
  uint32_t n = frame->n;
  if (dae_frames_code_length(parser) - frame->first != n) {
    return false;
  }
  g_string_assign(parser->scratch, dae_names_text(parser->names, part->name));
  for (uint32_t i = 0; i < n; i++) {
    const DaeInstruction *instruction = dae_syntax_code(parser->syntax, frame->first + i);
    int64_t value = 0;
    if (!dae_syntax_integer(parser->names, instruction, &value)) {
      return false;
    }
    g_string_append_printf(parser->scratch, "%c%" G_GINT64_FORMAT, i == 0 ? '[' : ',', value);
  }
  g_string_append_c(parser->scratch, ']');
  part->name = dae_names_intern(parser->names, parser->scratch->str, parser->scratch->len);
  part->n = 0;
  g_array_set_size(parser->syntax->code, frame->first);
  return true;
}

/* The bracket is complete: so many subscripts there are. */
static void
count_subscripts(DaeParser *parser, const DaeFrame *frame)
{
  uint32_t none = dae_names_intern(parser->names, "0", 1);
  g_autofree char *digits = g_strdup_printf("%u", frame->n);
  for (uint32_t i = frame->first + 1; i < dae_frames_code_length(parser); i++) {
    const DaeInstruction *call = dae_syntax_code(parser->syntax, i);
    DaeInstruction *count = &g_array_index(parser->syntax->code, DaeInstruction, i - 1);
    if (call->op == DAE_OP_CALL && call->n == 4 && count->op == DAE_OP_NUMBER &&
        count->arg == none && strcmp(dae_names_text(parser->names, call->arg), "size") == 0) {
      count->arg = dae_names_intern(parser->names, digits, strlen(digits));
    }
  }
}

DaeStep
dae_operand_close_subscript(DaeParser *parser)
{
  DaeFrame frame = *dae_frames_top(parser);
  dae_frames_pop(parser);
  DaePart *part = &g_array_index(parser->parts, DaePart, parser->parts->len - 1);
  part->n = frame.n;
  if (frame.b - frame.a > 1) {
    count_subscripts(parser, &frame);
  }
  if (parser->token.kind != DAE_TOKEN_DOT) {
    emit_reference(parser, frame.a, frame.pos);
    return DAE_STEP_OPERATOR;
  }
  dae_parser_advance(parser);
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "a name after '.'");
    return DAE_STEP_FAIL;
  }
  uint32_t next = parser->token.name;
  if (++parser->n_parts > DAE_MAX_PARTS) {
    return dae_frames_fail(parser, parser->token.pos,
                           "a reference with more than 1000 subscripted parts");
  }
  if (fold_subscripts(parser, &frame, part)) {
    part->name = join_names(parser, part->name, ".", next);
  } else {
    DaePart more = {next, 0};
    g_array_append_val(parser->parts, more);
  }
  dae_parser_advance(parser);
  return continue_reference(parser, frame.a, frame.pos);
}

/* ---- operands ---------------------------------------------------------------------------- */

static DaeStep
begin_number(DaeParser *parser)
{
  const char *text = dae_lexer_token_text(&parser->lexer, parser->token);
  uint32_t length = parser->token.length;
  uint32_t number = dae_names_intern(parser->names, text, length);
  bool is_real = memchr(text, '.', length) != NULL || memchr(text, 'e', length) != NULL ||
                 memchr(text, 'E', length) != NULL;
  dae_parser_emit(parser, DAE_OP_NUMBER, is_real, number, parser->token.pos);
  dae_parser_advance(parser);
  return DAE_STEP_OPERATOR;
}

static DaeStep
begin_prefix(DaeParser *parser)
{
  DaeTokenKind kind = parser->token.kind;
  const DaeFrame *top = dae_frames_top(parser);
  uint8_t level = DAE_LEVEL_ADD;
  if (kind == DAE_TOKEN_NOT) {
    level = DAE_LEVEL_NOT;
  } else if (top->kind == DAE_FRAME_OPERATOR && top->level >= DAE_LEVEL_MUL) {
    /* a * -b and 2 ^ -1 are not in the grammar, but everybody understands them. */
    level = top->level >= DAE_LEVEL_POW ? DAE_LEVEL_TIGHT : DAE_LEVEL_MUL;
  }
  DaeFrame *frame = dae_frames_push(parser, DAE_FRAME_OPERATOR, parser->token.pos);
  frame->level = level;
  frame->is_unary = true;
  bool minus = kind == DAE_TOKEN_MINUS || kind == DAE_TOKEN_DOT_MINUS;
  frame->op = kind == DAE_TOKEN_NOT ? DAE_OP_NOT : minus ? DAE_OP_NEGATE : DAE_OP_PLUS;
  dae_parser_advance(parser);
  return DAE_STEP_OPERAND;
}

static DaeStep
begin_keyword_call(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  uint32_t name = parser->token.name;
  dae_parser_advance(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_LPAREN, "'('")) {
    return DAE_STEP_FAIL;
  }
  dae_frames_push(parser, DAE_FRAME_CALL, pos)->a = name;
  return DAE_STEP_OPERAND;
}

DaeStep
dae_operand_open_bracket(DaeParser *parser, DaeFrameKind kind)
{
  dae_frames_push(parser, kind, parser->token.pos);
  dae_parser_advance(parser);
  return DAE_STEP_OPERAND;
}

DaeStep
dae_operand_open_index(DaeParser *parser, bool is_call)
{
  DaeStep step = dae_operand_open_bracket(parser, DAE_FRAME_INDEX);
  dae_frames_top(parser)->b = is_call ? DAE_INDEX_OF_CALL : 0;
  return step;
}

static void
emit_number(DaeParser *parser, uint32_t value, uint32_t pos)
{
  g_autofree char *digits = g_strdup_printf("%u", value);
  dae_parser_emit(parser, DAE_OP_NUMBER, 0,
                  dae_names_intern(parser->names, digits, strlen(digits)), pos);
}

static void
emit_size(DaeParser *parser, uint32_t n, uint32_t pos)
{
  dae_parser_emit(parser, DAE_OP_CALL, n, dae_names_intern(parser->names, "size", 4), pos);
}

/* The n values that lie before the bracket of the frame, once more; gives how many of them are
 * ranges and arrays by what is written. */
static uint32_t
repeat_before(DaeParser *parser, const DaeFrame *frame, uint32_t n)
{
  const DaeSyntax *syntax = parser->syntax;
  uint32_t from = dae_syntax_skip_back(syntax, frame->first, n);
  uint32_t n_wide = 0;
  for (uint32_t at = frame->first; at > from; at = dae_syntax_skip_back(syntax, at, 1)) {
    uint32_t op = dae_syntax_code(syntax, at - 1)->op;
    n_wide += op == DAE_OP_COLON || op == DAE_OP_RANGE || op == DAE_OP_ARRAY ? 1 : 0;
  }
  for (uint32_t i = from; i < frame->first; i++) {
    DaeInstruction copied = *dae_syntax_code(syntax, i);
    g_array_append_val(parser->syntax->code, copied);
  }
  return n_wide;
}

/* The reference before the bracket has subscripts that are no literals: `end` in a[i].x[end] is
 * size(a[i].x, 1). The size with four arguments has to do without knowing what x is: the
 * dimension, the dimensions that the subscripts before leave, and the number of subscripts of x,
 * which is known where its bracket closes. */
static void
repeat_reference(DaeParser *parser, const DaeFrame *frame, uint32_t pos)
{
  uint32_t n = 0;
  for (uint32_t i = frame->a; i < frame->b; i++) {
    DaePart part = g_array_index(parser->parts, DaePart, i);
    n += part.n;
    g_array_append_val(parser->parts, part);
  }
  uint32_t n_wide = repeat_before(parser, frame, n);
  emit_reference(parser, frame->b, pos);
  emit_number(parser, frame->n + 1, pos);
  emit_number(parser, n_wide, pos);
  emit_number(parser, 0, pos);
  emit_size(parser, 4, pos);
}

/* `end` in a subscript */
static void
emit_end(DaeParser *parser, const DaeFrame *frame, uint32_t pos)
{
  if (frame->kind == DAE_FRAME_INDEX) {
    repeat_before(parser, frame, 1);
    emit_number(parser, frame->n + 1, pos);
    emit_size(parser, 2, pos);
  } else if (frame->b - frame->a > 1) {
    repeat_reference(parser, frame, pos);
  } else {
    uint32_t name = g_array_index(parser->parts, DaePart, frame->a).name;
    dae_parser_emit(parser, DAE_OP_LAST, frame->n + 1, name, pos);
  }
}

/* `:` or `end` inside a subscript. */
static DaeStep
begin_subscript_word(DaeParser *parser)
{
  DaeFrame *top = dae_frames_top(parser);
  uint32_t pos = parser->token.pos;
  if (parser->token.kind == DAE_TOKEN_COLON) {
    if (top->kind != DAE_FRAME_SUBSCRIPT && top->kind != DAE_FRAME_INDEX) {
      return dae_frames_fail(parser, pos, "expected an expression, found ':'");
    }
    dae_parser_emit(parser, DAE_OP_COLON, 0, 0, pos);
  } else {
    if (top->inside == 0) {
      return dae_frames_fail(parser, pos, "expected an expression, found 'end'");
    }
    DaeFrame frame = g_array_index(parser->frames, DaeFrame, top->inside - 1);
    emit_end(parser, &frame, pos);
  }
  dae_parser_advance(parser);
  return DAE_STEP_OPERATOR;
}

/* (a, _) = f(x): OpenModelica's text for a result that is not taken. */
static bool
is_wildcard(const DaeParser *parser)
{
  const DaeLexer *lexer = &parser->lexer;
  char next = lexer->at < lexer->length ? lexer->text[lexer->at] : '\0';
  return dae_frames_top(parser)->kind == DAE_FRAME_PAREN &&
         strcmp(dae_names_text(parser->names, parser->token.name), "_") == 0 &&
         (next == ',' || next == ')');
}

DaeStep
dae_operand_begin(DaeParser *parser)
{
  DaeFrame *top = dae_frames_top(parser);
  uint32_t dot = 0;
  switch ((int)parser->token.kind) {
  case DAE_TOKEN_NAME:
    if (is_wildcard(parser)) {
      dae_parser_emit(parser, DAE_OP_HOLE, 0, 0, parser->token.pos);
      dae_parser_advance(parser);
      return DAE_STEP_OPERATOR;
    }
    return begin_name(parser, parser->token.pos, false);
  case DAE_TOKEN_FUNCTION:
    return begin_function_value(parser);
  case DAE_TOKEN_NUMBER:
    return begin_number(parser);
  case DAE_TOKEN_DOT: /* .Modelica.Constants.pi */
    dot = parser->token.pos;
    dae_parser_advance(parser);
    if (parser->token.kind == DAE_TOKEN_NAME) {
      return begin_name(parser, dot, true);
    }
    break;
  case DAE_TOKEN_STRING: {
    uint32_t pos = parser->token.pos;
    uint32_t text = dae_parser_string(parser);
    dae_parser_emit(parser, DAE_OP_STRING, 0, text, pos);
    return DAE_STEP_OPERATOR;
  }
  case DAE_TOKEN_TRUE:
  case DAE_TOKEN_FALSE:
    dae_parser_emit(parser, DAE_OP_BOOLEAN, 0, parser->token.kind == DAE_TOKEN_TRUE,
                    parser->token.pos);
    dae_parser_advance(parser);
    return DAE_STEP_OPERATOR;
  case DAE_TOKEN_PLUS:
  case DAE_TOKEN_MINUS:
  case DAE_TOKEN_DOT_PLUS:
  case DAE_TOKEN_DOT_MINUS:
  case DAE_TOKEN_NOT:
    return begin_prefix(parser);
  case DAE_TOKEN_LPAREN:
    return dae_operand_open_bracket(parser, DAE_FRAME_PAREN);
  case DAE_TOKEN_LBRACE:
    return dae_operand_open_bracket(parser, DAE_FRAME_ARRAY);
  case DAE_TOKEN_LBRACKET:
    return dae_operand_open_bracket(parser, DAE_FRAME_MATRIX);
  case DAE_TOKEN_IF:
    return dae_operand_open_bracket(parser, DAE_FRAME_IF);
  case DAE_TOKEN_DER:
  case DAE_TOKEN_INITIAL:
  case DAE_TOKEN_PURE:
    return begin_keyword_call(parser);
  case DAE_TOKEN_COLON:
  case DAE_TOKEN_END:
    return begin_subscript_word(parser);
  case DAE_TOKEN_COMMA: /* (a, , b) = f(x) */
    if (top->kind == DAE_FRAME_PAREN) {
      dae_parser_emit(parser, DAE_OP_HOLE, 0, 0, parser->token.pos);
      return DAE_STEP_OPERATOR;
    }
    break;
  case DAE_TOKEN_RPAREN: /* f(), (), (a, ) */
    if (top->kind == DAE_FRAME_PAREN && top->n > 0) {
      dae_parser_emit(parser, DAE_OP_HOLE, 0, 0, parser->token.pos);
      return DAE_STEP_OPERATOR;
    }
    if ((top->kind == DAE_FRAME_CALL || top->kind == DAE_FRAME_PAREN) && top->n == 0 &&
        top->b == 0) {
      return dae_frames_close(parser);
    }
    break;
  case DAE_TOKEN_RBRACE: /* {} */
    if (top->kind == DAE_FRAME_ARRAY && top->n == 0) {
      return dae_frames_close(parser);
    }
    break;
  default:
    break;
  }
  if (parser->token.kind == DAE_TOKEN_TIMES) {
    return dae_frames_fail(parser, parser->token.pos,
                           "expected an expression, found '*' (a power is written with '^')");
  }
  dae_parser_unexpected(parser, "an expression");
  return DAE_STEP_FAIL;
}
