/* Expressions to postfix code, by operator precedence with an explicit stack:
 * nesting is limited by memory only.
 *
 * The stack holds frames: operators that wait for their right side, and open
 * brackets. The parser is in one of two states: it wants an operand, or it has one
 * and looks for an operator or the end. */
#include <string.h>

#include "parser/frames.h"
#include "parser/parse.h"

DaeFrame *
dae_frames_push(DaeParser *parser, DaeFrameKind kind, uint32_t pos)
{
  uint32_t inside = parser->frames->len > 0 ? dae_frames_top(parser)->inside : 0;
  if (kind == DAE_FRAME_BASE) {
    inside = 0;
  } else if (kind == DAE_FRAME_SUBSCRIPT || kind == DAE_FRAME_INDEX) {
    inside = parser->frames->len + 1;
  }
  DaeFrame frame = {.kind = (uint8_t)kind, .pos = pos, .inside = inside};
  frame.start = frame.first = dae_frames_code_length(parser);
  dae_array_push(parser->frames, parser->frames_room, frame);
  return dae_frames_top(parser);
}

void
dae_frames_pop(DaeParser *parser)
{
  dae_array_cut(parser->frames, parser->frames->len - 1);
}

DaeStep
dae_frames_fail(DaeParser *parser, uint32_t pos, const char *message)
{
  if (parser->token.kind != DAE_TOKEN_ERROR) {
    dae_source_error(parser->source, pos, "%s", message);
  }
  return DAE_STEP_FAIL;
}

/* ---- reducing ---------------------------------------------------------------------------- */

static void
emit_if_ends(DaeParser *parser, const DaeFrame *frame)
{
  uint32_t jump = frame->b;
  while (jump != 0) {
    uint32_t previous = dae_syntax_code(parser->syntax, jump)->arg;
    uint32_t end =
        dae_parser_emit(parser, DAE_OP_ENDIF, 0, 0, dae_syntax_code(parser->syntax, jump)->pos);
    dae_syntax_code(parser->syntax, jump)->arg = end - jump;
    jump = previous;
  }
}

/* Completes operators, ranges and finished if-expressions down to a bracket or the base. */
static DaeStep
reduce_to_bracket(DaeParser *parser)
{
  while (true) {
    DaeFrame frame = *dae_frames_top(parser);
    if (frame.kind == DAE_FRAME_OPERATOR) {
      dae_parser_emit(parser, (DaeOp)frame.op, 0, 0, frame.pos);
    } else if (frame.kind == DAE_FRAME_RANGE) {
      dae_parser_emit(parser, DAE_OP_RANGE, frame.n + 1, 0, frame.pos);
    } else if (frame.kind == DAE_FRAME_IF && frame.level == DAE_PHASE_ELSE) {
      emit_if_ends(parser, &frame);
    } else {
      return DAE_STEP_OPERATOR;
    }
    dae_frames_pop(parser);
  }
}

static DaeStep
take_binary(DaeParser *parser, DaeOp op, uint8_t level)
{
  uint32_t pos = parser->token.pos;
  while (dae_frames_top(parser)->kind == DAE_FRAME_OPERATOR &&
         dae_frames_top(parser)->level >= level) {
    DaeFrame frame = *dae_frames_top(parser);
    if (frame.level == level && !frame.is_unary) {
      if (level == DAE_LEVEL_RELATION) {
        return dae_frames_fail(parser, pos,
                               "relations cannot be chained: combine them with 'and'");
      }
      if (level == DAE_LEVEL_POW) {
        return dae_frames_fail(parser, pos,
                               "a power of a power needs parentheses: (a^b)^c or a^(b^c)");
      }
    }
    dae_parser_emit(parser, (DaeOp)frame.op, 0, 0, frame.pos);
    dae_frames_pop(parser);
  }
  dae_parser_advance(parser);
  DaeFrame *frame = dae_frames_push(parser, DAE_FRAME_OPERATOR, pos);
  frame->op = (uint8_t)op;
  frame->level = level;
  return DAE_STEP_OPERAND;
}

static DaeStep
take_colon(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  while (dae_frames_top(parser)->kind == DAE_FRAME_OPERATOR) {
    dae_parser_emit(parser, (DaeOp)dae_frames_top(parser)->op, 0, 0,
                    dae_frames_top(parser)->pos);
    dae_frames_pop(parser);
  }
  if (dae_frames_top(parser)->kind == DAE_FRAME_RANGE) {
    if (dae_frames_top(parser)->n == 2) {
      return dae_frames_fail(parser, pos, "a range has at most two ':'");
    }
  } else {
    dae_frames_push(parser, DAE_FRAME_RANGE, pos);
  }
  dae_frames_top(parser)->n++;
  dae_parser_advance(parser);
  return DAE_STEP_OPERAND;
}

static DaeStep
take_then(DaeParser *parser)
{
  reduce_to_bracket(parser);
  DaeFrame *top = dae_frames_top(parser);
  if (top->kind != DAE_FRAME_IF || top->level != DAE_PHASE_CONDITION) {
    return DAE_STEP_DONE;
  }
  top->a = dae_parser_emit(parser, DAE_OP_TEST, 0, 0, top->pos);
  top->level = DAE_PHASE_THEN;
  dae_parser_advance(parser);
  return DAE_STEP_OPERAND;
}

static DaeStep
take_else(DaeParser *parser)
{
  reduce_to_bracket(parser);
  DaeFrame *top = dae_frames_top(parser);
  if (top->kind != DAE_FRAME_IF || top->level != DAE_PHASE_THEN) {
    return DAE_STEP_DONE;
  }
  uint32_t jump = dae_parser_emit(parser, DAE_OP_ELSE, 0, top->b, top->pos);
  top->b = jump;
  dae_syntax_code(parser->syntax, top->a)->arg = jump + 1 - top->a;
  top->level = parser->token.kind == DAE_TOKEN_ELSEIF ? DAE_PHASE_CONDITION : DAE_PHASE_ELSE;
  dae_parser_advance(parser);
  return DAE_STEP_OPERAND;
}

/* ---- brackets ---------------------------------------------------------------------------- */

static const char *
closing_of(DaeFrameKind kind)
{
  switch (kind) {
  case DAE_FRAME_PAREN:
  case DAE_FRAME_CALL:
    return ")";
  case DAE_FRAME_ARRAY:
    return "}";
  case DAE_FRAME_MATRIX:
  case DAE_FRAME_SUBSCRIPT:
  case DAE_FRAME_INDEX:
    return "]";
  case DAE_FRAME_IF:
    return "else";
  case DAE_FRAME_BASE:
  case DAE_FRAME_OPERATOR:
  case DAE_FRAME_RANGE:
  case DAE_FRAME_ITERATOR:
    break;
  }
  return "?";
}

/* The token ends the expression, but a bracket is open. */
static DaeStep
fail_open(DaeParser *parser)
{
  const DaeFrame *top = dae_frames_top(parser);
  if (parser->token.kind == DAE_TOKEN_ERROR) {
    return DAE_STEP_FAIL;
  }
  g_autofree char *found = dae_parser_describe_token(parser, parser->token);
  if (top->kind == DAE_FRAME_IF) {
    const char *wanted =
        top->level == DAE_PHASE_CONDITION ? "'then'" : "'else': an if-expression has two sides";
    dae_source_error(parser->source, parser->token.pos, "expected %s, found %s", wanted, found);
    return DAE_STEP_FAIL;
  }
  DaeSpan span = dae_source_span(parser->source, top->pos);
  dae_source_error(parser->source, parser->token.pos,
                   "expected '%s' to close what was opened in line %u, column %u, found %s",
                   closing_of((DaeFrameKind)top->kind), span.line, span.column, found);
  return DAE_STEP_FAIL;
}

static DaeStep
finish_element(DaeParser *parser)
{
  DaeFrame *top = dae_frames_top(parser);
  if (top->n >= DAE_MAX_OPERANDS) {
    return dae_frames_fail(parser, parser->token.pos, "too many elements in one bracket");
  }
  if (top->kind == DAE_FRAME_CALL && top->b != 0) {
    dae_parser_emit(parser, DAE_OP_NAMED, 0, top->b, top->pos);
    top = dae_frames_top(parser);
    top->b = 0;
    top->has_named = true;
  } else if (top->kind == DAE_FRAME_CALL && top->has_named) {
    return dae_frames_fail(parser, parser->token.pos,
                           "an argument by position stands behind one by name");
  }
  top->n++;
  top->start = dae_frames_code_length(parser);
  return DAE_STEP_OPERATOR;
}

static DaeStep finish_comprehension(DaeParser *parser);
static DaeStep begin_iterator(DaeParser *parser);

static DaeStep
take_comma(DaeParser *parser)
{
  reduce_to_bracket(parser);
  DaeFrame *top = dae_frames_top(parser);
  if (top->kind == DAE_FRAME_BASE) {
    return DAE_STEP_DONE;
  }
  if (top->kind == DAE_FRAME_IF) {
    return fail_open(parser);
  }
  dae_parser_advance(parser);
  if (top->kind == DAE_FRAME_ITERATOR) {
    return begin_iterator(parser);
  }
  if (top->kind == DAE_FRAME_MATRIX) {
    if (++top->b >= DAE_MAX_OPERANDS) {
      return dae_frames_fail(parser, parser->token.pos, "too many elements in one bracket");
    }
    return DAE_STEP_OPERAND;
  }
  return finish_element(parser) == DAE_STEP_FAIL ? DAE_STEP_FAIL : DAE_STEP_OPERAND;
}

static DaeStep
take_row_end(DaeParser *parser)
{
  reduce_to_bracket(parser);
  DaeFrame *top = dae_frames_top(parser);
  if (top->kind == DAE_FRAME_BASE) {
    return DAE_STEP_DONE;
  }
  if (top->kind != DAE_FRAME_MATRIX) {
    return fail_open(parser);
  }
  dae_parser_emit(parser, DAE_OP_ROW, top->b + 1, 0, top->pos);
  top->b = 0;
  top->a++;
  dae_parser_advance(parser);
  return DAE_STEP_OPERAND;
}

/* Four arguments of `size` mean `end` (parse_operand.c): those that were written are five, which
 * the function does not take. */
static uint32_t
arguments_of(DaeParser *parser, const DaeFrame *frame)
{
  if (frame->n != 4 || strcmp(dae_names_text(parser->names, frame->a), "size") != 0) {
    return frame->n;
  }
  dae_parser_emit(parser, DAE_OP_HOLE, 0, 0, frame->pos);
  return 5;
}

/* Emits the code of the bracket that the token closes. */
static DaeStep
emit_bracket(DaeParser *parser, const DaeFrame *frame)
{
  switch ((DaeFrameKind)frame->kind) {
  case DAE_FRAME_PAREN:
    if (frame->n != 1) {
      dae_parser_emit(parser, DAE_OP_TUPLE, frame->n, 0, frame->pos);
    }
    break;
  case DAE_FRAME_CALL:
    if (frame->level == 1) { /* the loop has made the array */
      break;
    }
    dae_parser_emit(parser, frame->op != 0 ? (DaeOp)frame->op : DAE_OP_CALL,
                    arguments_of(parser, frame), frame->a, frame->pos);
    break;
  case DAE_FRAME_ARRAY:
    if (frame->a == 0) { /* else the loop has made the array */
      dae_parser_emit(parser, DAE_OP_ARRAY, frame->n, 0, frame->pos);
    }
    break;
  case DAE_FRAME_MATRIX:
    dae_parser_emit(parser, DAE_OP_ROW, frame->b + 1, 0, frame->pos);
    dae_parser_emit(parser, DAE_OP_MATRIX, frame->a + 1, 0, frame->pos);
    break;
  case DAE_FRAME_INDEX:
    dae_parser_emit(parser, DAE_OP_INDEX, frame->n, frame->b, frame->pos);
    break;
  case DAE_FRAME_BASE:
  case DAE_FRAME_OPERATOR:
  case DAE_FRAME_RANGE:
  case DAE_FRAME_IF:
  case DAE_FRAME_SUBSCRIPT:
  case DAE_FRAME_ITERATOR:
    break;
  }
  return DAE_STEP_OPERATOR;
}

/* The token is a closing bracket and the elements before it are complete, or there are none. */
DaeStep
dae_frames_close(DaeParser *parser)
{
  static const DaeTokenKind closing[] = {
      [DAE_FRAME_PAREN] = DAE_TOKEN_RPAREN,       [DAE_FRAME_CALL] = DAE_TOKEN_RPAREN,
      [DAE_FRAME_ARRAY] = DAE_TOKEN_RBRACE,       [DAE_FRAME_MATRIX] = DAE_TOKEN_RBRACKET,
      [DAE_FRAME_SUBSCRIPT] = DAE_TOKEN_RBRACKET, [DAE_FRAME_INDEX] = DAE_TOKEN_RBRACKET,
      [DAE_FRAME_ITERATOR] = DAE_TOKEN_EOF,
  };
  DaeFrame frame = *dae_frames_top(parser);
  if (frame.kind == DAE_FRAME_IF || closing[frame.kind] != parser->token.kind) {
    return fail_open(parser);
  }
  dae_parser_advance(parser);
  if (frame.kind == DAE_FRAME_SUBSCRIPT) {
    return dae_operand_close_subscript(parser);
  }
  emit_bracket(parser, &frame);
  dae_frames_pop(parser);
  if (parser->token.kind == DAE_TOKEN_DOT &&
      (frame.kind == DAE_FRAME_PAREN || frame.kind == DAE_FRAME_CALL ||
       frame.kind == DAE_FRAME_INDEX) &&
      !dae_operand_take_members(parser)) {
    return DAE_STEP_FAIL;
  }
  if (parser->token.kind == DAE_TOKEN_LBRACKET && frame.kind != DAE_FRAME_MATRIX) {
    return dae_operand_open_index(parser, frame.kind == DAE_FRAME_CALL);
  }
  return DAE_STEP_OPERATOR;
}

static DaeStep
take_closing(DaeParser *parser)
{
  reduce_to_bracket(parser);
  if (dae_frames_top(parser)->kind == DAE_FRAME_BASE) {
    return DAE_STEP_DONE;
  }
  if (dae_frames_top(parser)->kind == DAE_FRAME_ITERATOR &&
      finish_comprehension(parser) == DAE_STEP_FAIL) {
    return DAE_STEP_FAIL;
  }
  if (dae_frames_top(parser)->kind != DAE_FRAME_MATRIX &&
      dae_frames_top(parser)->kind != DAE_FRAME_IF && finish_element(parser) == DAE_STEP_FAIL) {
    return DAE_STEP_FAIL;
  }
  return dae_frames_close(parser);
}

/* ---- comprehensions: {e for i in r, j in s}, sum(e for i in r) --------------------------- */

/* At the name of an iterator. */
static DaeStep
begin_iterator(DaeParser *parser)
{
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of an iterator");
    return DAE_STEP_FAIL;
  }
  if (dae_frames_top(parser)->kind ==
      DAE_FRAME_ITERATOR) { /* one more: the range of the last one is complete */
    dae_frames_top(parser)->b = dae_frames_code_length(parser);
  }
  DaeFrame *frame = dae_frames_push(parser, DAE_FRAME_ITERATOR, parser->token.pos);
  frame->a = parser->token.name;
  dae_parser_advance(parser);
  DaeTokenKind next = parser->token.kind;
  if (next == DAE_TOKEN_COMMA || next == DAE_TOKEN_RPAREN || next == DAE_TOKEN_RBRACE) {
    dae_parser_emit(parser, DAE_OP_COLON, 0, 0,
                    frame->pos); /* the range follows from the use */
    return DAE_STEP_OPERATOR;
  }
  return dae_parser_expect(parser, DAE_TOKEN_IN, "'in'") ? DAE_STEP_OPERAND : DAE_STEP_FAIL;
}

static DaeStep
take_for(DaeParser *parser)
{
  reduce_to_bracket(parser);
  DaeFrame *top = dae_frames_top(parser);
  if (top->kind == DAE_FRAME_BASE) {
    return DAE_STEP_DONE;
  }
  if ((top->kind != DAE_FRAME_ARRAY && top->kind != DAE_FRAME_CALL) || top->n > 0 ||
      top->b != 0) {
    return fail_open(parser);
  }
  dae_parser_advance(parser);
  return begin_iterator(parser);
}

/* The code is: element, range of the first iterator, range of the second ... It
 * becomes: last range, LOOP, ..., first range, LOOP, element, NEXT, ..., NEXT: the
 * first iterator runs fastest. */
static DaeStep
finish_comprehension(DaeParser *parser)
{
  GArray *code = parser->syntax->code;
  dae_frames_top(parser)->b = code->len;
  uint32_t last = parser->frames->len;
  uint32_t first = last;
  while (g_array_index(parser->frames, DaeFrame, first - 1).kind == DAE_FRAME_ITERATOR) {
    first--;
  }
  DaeFrame *frames = &g_array_index(parser->frames, DaeFrame, 0);
  uint32_t begin = frames[first - 1].start;
  uint32_t element_length = frames[first].first - begin;
  parser->moved += code->len - begin;
  if (parser->moved > (uint64_t)1 << 26) {
    return dae_frames_fail(parser, parser->token.pos, "comprehensions are nested too deeply");
  }
  g_autofree DaeInstruction *old = g_memdup2(dae_syntax_code(parser->syntax, begin),
                                             (code->len - begin) * sizeof(DaeInstruction));
  g_array_set_size(code, begin);
  g_autofree uint32_t *loops = g_new(uint32_t, last - first);
  for (uint32_t i = last; i-- > first;) {
    g_array_append_vals(code, old + (frames[i].first - begin), frames[i].b - frames[i].first);
    loops[i - first] = dae_parser_emit(parser, DAE_OP_LOOP, 0, 0, frames[i].pos);
    dae_parser_emit(parser, DAE_OP_ITERATOR, 0, frames[i].a, frames[i].pos);
  }
  g_array_append_vals(code, old, element_length);
  if (!dae_parse_deduce_ranges(parser, loops, last - first)) {
    return DAE_STEP_FAIL;
  }
  for (uint32_t i = first; i < last; i++) {
    uint32_t loop = loops[i - first];
    uint32_t next = dae_parser_emit(parser, DAE_OP_NEXT, 0, 0, frames[i].pos);
    dae_syntax_code(parser->syntax, next)->arg = next - loop;
    dae_syntax_code(parser->syntax, loop)->arg = next + 1 - loop;
  }
  dae_array_cut(parser->frames, first);
  DaeFrame *top = dae_frames_top(parser);
  if (top->kind == DAE_FRAME_ARRAY) {
    top->a = 1;
  } else if (strcmp(dae_names_text(parser->names, top->a), "array") == 0) {
    top->level = 1; /* array(e for i in r) is {e for i in r} */
  } else { /* the function takes the values of e, which may be arrays, not their scalars */
    dae_syntax_code(parser->syntax, code->len - 1)->n = (last - first) & DAE_MAX_OPERANDS;
  }
  return DAE_STEP_OPERATOR;
}

/* ---- after an operand -------------------------------------------------------------------- */

static DaeStep
take_equals(DaeParser *parser)
{
  DaeFrame *top = dae_frames_top(parser);
  uint32_t length = dae_frames_code_length(parser);
  if (top->kind == DAE_FRAME_CALL && top->b == 0 && length == top->start + 1 &&
      dae_syntax_code(parser->syntax, length - 1)->op == DAE_OP_NAME) {
    top->b = dae_syntax_code(parser->syntax, length - 1)->arg;
    g_array_set_size(parser->syntax->code, length - 1);
    dae_parser_advance(parser);
    return DAE_STEP_OPERAND;
  }
  reduce_to_bracket(parser);
  if (dae_frames_top(parser)->kind == DAE_FRAME_BASE) {
    return DAE_STEP_DONE;
  }
  if (dae_frames_top(parser)->kind == DAE_FRAME_IF &&
      dae_frames_top(parser)->level == DAE_PHASE_CONDITION) {
    return dae_frames_fail(parser, parser->token.pos, "'=' in a condition: comparison is '=='");
  }
  return fail_open(parser);
}

typedef struct {
  uint8_t op, level;
} Binary;

static Binary
binary_operator(DaeTokenKind kind)
{
  static const Binary table[DAE_TOKEN_WITHIN + 1] = {
      [DAE_TOKEN_OR] = {DAE_OP_OR, DAE_LEVEL_OR},
      [DAE_TOKEN_AND] = {DAE_OP_AND, DAE_LEVEL_AND},
      [DAE_TOKEN_LT] = {DAE_OP_LT, DAE_LEVEL_RELATION},
      [DAE_TOKEN_LE] = {DAE_OP_LE, DAE_LEVEL_RELATION},
      [DAE_TOKEN_GT] = {DAE_OP_GT, DAE_LEVEL_RELATION},
      [DAE_TOKEN_GE] = {DAE_OP_GE, DAE_LEVEL_RELATION},
      [DAE_TOKEN_EQ] = {DAE_OP_EQ, DAE_LEVEL_RELATION},
      [DAE_TOKEN_NE] = {DAE_OP_NE, DAE_LEVEL_RELATION},
      [DAE_TOKEN_PLUS] = {DAE_OP_ADD, DAE_LEVEL_ADD},
      [DAE_TOKEN_MINUS] = {DAE_OP_SUB, DAE_LEVEL_ADD},
      [DAE_TOKEN_DOT_PLUS] = {DAE_OP_EADD, DAE_LEVEL_ADD},
      [DAE_TOKEN_DOT_MINUS] = {DAE_OP_ESUB, DAE_LEVEL_ADD},
      [DAE_TOKEN_TIMES] = {DAE_OP_MUL, DAE_LEVEL_MUL},
      [DAE_TOKEN_DIVIDE] = {DAE_OP_DIV, DAE_LEVEL_MUL},
      [DAE_TOKEN_DOT_TIMES] = {DAE_OP_EMUL, DAE_LEVEL_MUL},
      [DAE_TOKEN_DOT_DIVIDE] = {DAE_OP_EDIV, DAE_LEVEL_MUL},
      [DAE_TOKEN_POWER] = {DAE_OP_POW, DAE_LEVEL_POW},
      [DAE_TOKEN_DOT_POWER] = {DAE_OP_EPOW, DAE_LEVEL_POW},
  };
  return table[kind];
}

static DaeStep
have_operand(DaeParser *parser)
{
  Binary binary = binary_operator(parser->token.kind);
  if (binary.level != 0) {
    return take_binary(parser, (DaeOp)binary.op, binary.level);
  }
  switch ((int)parser->token.kind) {
  case DAE_TOKEN_COLON:
    return take_colon(parser);
  case DAE_TOKEN_COMMA:
    return take_comma(parser);
  case DAE_TOKEN_RPAREN:
  case DAE_TOKEN_RBRACKET:
  case DAE_TOKEN_RBRACE:
    return take_closing(parser);
  case DAE_TOKEN_SEMICOLON:
    return take_row_end(parser);
  case DAE_TOKEN_THEN:
    return take_then(parser);
  case DAE_TOKEN_ELSE:
  case DAE_TOKEN_ELSEIF:
    return take_else(parser);
  case DAE_TOKEN_FOR:
    return take_for(parser);
  case DAE_TOKEN_EQUALS:
    return take_equals(parser);
  default:
    reduce_to_bracket(parser);
    return dae_frames_top(parser)->kind == DAE_FRAME_BASE &&
                   parser->token.kind != DAE_TOKEN_ERROR
               ? DAE_STEP_DONE
               : fail_open(parser);
  }
}

bool
dae_parse_expression(DaeParser *parser)
{
  if (parser->frames == NULL) {
    parser->frames = g_array_new(FALSE, TRUE, sizeof(DaeFrame));
  }
  guint frames = parser->frames->len;
  guint parts = parser->parts->len;
  dae_frames_push(parser, DAE_FRAME_BASE, parser->token.pos);
  DaeStep step = DAE_STEP_OPERAND;
  while (step == DAE_STEP_OPERAND || step == DAE_STEP_OPERATOR) {
    step = step == DAE_STEP_OPERAND ? dae_operand_begin(parser) : have_operand(parser);
    if (step == DAE_STEP_DONE && dae_frames_top(parser)->kind != DAE_FRAME_BASE) {
      step = fail_open(parser); /* `then` or `else` met an open bracket */
    }
  }
  dae_array_cut(parser->frames, frames);
  dae_array_cut(parser->parts, parts);
  return step == DAE_STEP_DONE;
}

uint32_t
dae_parse_expression_code(DaeParser *parser)
{
  uint32_t start = parser->syntax->code->len;
  uint32_t pos = parser->token.pos;
  if (!dae_parse_expression(parser)) {
    g_array_set_size(parser->syntax->code, start);
    return 0;
  }
  dae_parser_emit(parser, DAE_OP_RETURN, 0, 0,
                  pos); /* where the expression begins in the text */
  return start;
}
