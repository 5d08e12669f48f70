/* Expressions to postfix code, by operator precedence with an explicit stack: nesting is limited by memory only.
 *
 * The stack holds frames: operators that wait for their right side, and open brackets. The parser is in one of
 * two states: it wants an operand, or it has one and looks for an operator or the end. */
#include "model/model-priv.h"

#include <string.h>

typedef enum {
  FRAME_BASE,
  FRAME_OPERATOR,
  FRAME_RANGE,
  FRAME_IF,
  FRAME_PAREN,
  FRAME_CALL,
  FRAME_ARRAY,
  FRAME_MATRIX,
  FRAME_SUBSCRIPT,
  FRAME_INDEX,
  FRAME_ITERATOR
} FrameKind;

typedef enum { IF_CONDITION, IF_THEN, IF_ELSE } IfPhase;

/* Precedences, low to high. */
enum {
  LEVEL_RANGE = 1,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_RELATION,
  LEVEL_ADD,
  LEVEL_MUL,
  LEVEL_POW,
  LEVEL_TIGHT
};

typedef struct {
  uint8_t kind;
  uint8_t op;
  uint8_t level; /* OPERATOR: precedence; IF: phase */
  bool is_unary;
  uint32_t pos;
  uint32_t n;     /* complete elements */
  uint32_t start; /* code of the element that is open */
  uint32_t first; /* code of the whole bracket */
  uint32_t
      a; /* CALL: function; SUBSCRIPT: first part; MATRIX: rows; IF: open TEST; ITERATOR: number */
  uint32_t b;      /* CALL: name of the argument; IF: last ELSE; MATRIX: elements of the row */
  uint32_t inside; /* index + 1 of the nearest SUBSCRIPT or INDEX frame, for `end` */
} Frame;

typedef struct {
  uint32_t name, n;
} Part;

typedef enum { STEP_FAIL, STEP_OPERAND, STEP_OPERATOR, STEP_DONE } Step;

static inline Frame *
top_frame(const DaeParser *parser)
{
  return &g_array_index(parser->frames, Frame, parser->frames->len - 1);
}

static inline uint32_t
code_length(const DaeParser *parser)
{
  return parser->syntax->code->len;
}

static Frame *
push_frame(DaeParser *parser, FrameKind kind, uint32_t pos)
{
  uint32_t inside = parser->frames->len > 0 ? top_frame(parser)->inside : 0;
  if (kind == FRAME_BASE) {
    inside = 0;
  } else if (kind == FRAME_SUBSCRIPT || kind == FRAME_INDEX) {
    inside = parser->frames->len + 1;
  }
  Frame frame = {.kind = (uint8_t)kind, .pos = pos, .inside = inside};
  frame.start = frame.first = code_length(parser);
  g_array_append_val(parser->frames, frame);
  return top_frame(parser);
}

static void
pop_frame(DaeParser *parser)
{
  g_array_set_size(parser->frames, parser->frames->len - 1);
}

static Step
fail(DaeParser *parser, uint32_t pos, const char *message)
{
  if (parser->token.kind != DAE_TOKEN_ERROR) {
    dae_source_error(parser->source, pos, "%s", message);
  }
  return STEP_FAIL;
}

/* ---- references -------------------------------------------------------------------------------- */

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
  const Part *parts = &g_array_index(parser->parts, Part, first_part);
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
  g_array_set_size(parser->parts, first_part);
}

/* The last part of the reference has its name; `[` may follow. */
static Step
continue_reference(DaeParser *parser, uint32_t first_part, uint32_t pos)
{
  if (parser->token.kind == DAE_TOKEN_LBRACKET) {
    dae_parser_advance(parser);
    push_frame(parser, FRAME_SUBSCRIPT, pos)->a = first_part;
    return STEP_OPERAND;
  }
  emit_reference(parser, first_part, pos);
  return STEP_OPERATOR;
}

static Step
begin_name(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  uint32_t name = parser->token.name;
  dae_parser_advance(parser);
  while (parser->token.kind == DAE_TOKEN_DOT) { /* a . b */
    dae_parser_advance(parser);
    if (parser->token.kind != DAE_TOKEN_NAME) {
      dae_parser_unexpected(parser, "a name after '.'");
      return STEP_FAIL;
    }
    name = join_names(parser, name, ".", parser->token.name);
    dae_parser_advance(parser);
  }
  if (parser->token.kind == DAE_TOKEN_LPAREN) {
    dae_parser_advance(parser);
    push_frame(parser, FRAME_CALL, pos)->a = name;
    return STEP_OPERAND;
  }
  Part part = {name, 0};
  g_array_append_val(parser->parts, part);
  return continue_reference(parser, parser->parts->len - 1, pos);
}

/* Are the subscripts just closed integer literals? Then a[1].b is a plain name: appends "[1]" to the name. */
static bool
fold_subscripts(DaeParser *parser, const Frame *frame, Part *part)
{
  uint32_t n = frame->n;
  if (code_length(parser) - frame->first != n) {
    return false;
  }
  g_string_assign(parser->scratch, dae_names_text(parser->names, part->name));
  for (uint32_t i = 0; i < n; i++) {
    const DaeInstruction *instruction = dae_syntax_code(parser->syntax, frame->first + i);
    int64_t value = 0;
    if (instruction->op != DAE_OP_NUMBER || instruction->n != 0 ||
        !dae_term_get_int64(parser->terms, instruction->arg, &value)) {
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

static Step
close_subscript(DaeParser *parser)
{
  Frame frame = *top_frame(parser);
  pop_frame(parser);
  Part *part = &g_array_index(parser->parts, Part, parser->parts->len - 1);
  part->n = frame.n;
  if (parser->token.kind != DAE_TOKEN_DOT) {
    emit_reference(parser, frame.a, frame.pos);
    return STEP_OPERATOR;
  }
  dae_parser_advance(parser);
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "a name after '.'");
    return STEP_FAIL;
  }
  uint32_t next = parser->token.name;
  if (fold_subscripts(parser, &frame, part)) {
    part->name = join_names(parser, part->name, ".", next);
  } else {
    Part more = {next, 0};
    g_array_append_val(parser->parts, more);
  }
  dae_parser_advance(parser);
  return continue_reference(parser, frame.a, frame.pos);
}

/* ---- operands ------------------------------------------------------------------------------------ */

static Step
begin_number(DaeParser *parser)
{
  const char *text = parser->lexer.text + parser->token.pos;
  uint32_t length = parser->token.length;
  DaeTerm number = dae_term_decimal(parser->terms, text, length);
  if (number == DAE_NO_TERM) {
    return fail(parser, parser->token.pos, "the exponent of this number is too large");
  }
  bool is_real = memchr(text, '.', length) != NULL || memchr(text, 'e', length) != NULL ||
                 memchr(text, 'E', length) != NULL;
  dae_parser_emit(parser, DAE_OP_NUMBER, is_real, number, parser->token.pos);
  dae_parser_advance(parser);
  return STEP_OPERATOR;
}

static Step
begin_prefix(DaeParser *parser)
{
  DaeTokenKind kind = parser->token.kind;
  const Frame *top = top_frame(parser);
  uint8_t level = LEVEL_ADD;
  if (kind == DAE_TOKEN_NOT) {
    level = LEVEL_NOT;
  } else if (top->kind == FRAME_OPERATOR && top->level >= LEVEL_MUL) {
    /* a * -b and 2 ^ -1 are not in the grammar, but everybody understands them. */
    level = top->level >= LEVEL_POW ? LEVEL_TIGHT : LEVEL_MUL;
  }
  Frame *frame = push_frame(parser, FRAME_OPERATOR, parser->token.pos);
  frame->level = level;
  frame->is_unary = true;
  bool minus = kind == DAE_TOKEN_MINUS || kind == DAE_TOKEN_DOT_MINUS;
  frame->op = kind == DAE_TOKEN_NOT ? DAE_OP_NOT : minus ? DAE_OP_NEGATE : DAE_OP_PLUS;
  dae_parser_advance(parser);
  return STEP_OPERAND;
}

static Step
begin_keyword_call(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  uint32_t name = parser->token.name;
  dae_parser_advance(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_LPAREN, "'('")) {
    return STEP_FAIL;
  }
  push_frame(parser, FRAME_CALL, pos)->a = name;
  return STEP_OPERAND;
}

static Step
begin_bracket(DaeParser *parser, FrameKind kind)
{
  push_frame(parser, kind, parser->token.pos);
  dae_parser_advance(parser);
  return STEP_OPERAND;
}

/* `:` or `end` inside a subscript. */
static Step
begin_subscript_word(DaeParser *parser)
{
  Frame *top = top_frame(parser);
  uint32_t pos = parser->token.pos;
  if (parser->token.kind == DAE_TOKEN_COLON) {
    if (top->kind != FRAME_SUBSCRIPT && top->kind != FRAME_INDEX) {
      return fail(parser, pos, "expected an expression, found ':'");
    }
    dae_parser_emit(parser, DAE_OP_COLON, 0, 0, pos);
  } else {
    if (top->inside == 0) {
      return fail(parser, pos, "expected an expression, found 'end'");
    }
    const Frame *frame = &g_array_index(parser->frames, Frame, top->inside - 1);
    uint32_t name = 0;
    if (frame->kind == FRAME_SUBSCRIPT && frame->a + 1 <= parser->parts->len) {
      name = g_array_index(parser->parts, Part, frame->a).name;
    }
    dae_parser_emit(parser, DAE_OP_LAST, frame->n + 1, name, pos);
  }
  dae_parser_advance(parser);
  return STEP_OPERATOR;
}

static Step close_bracket(DaeParser *parser);

static Step
want_operand(DaeParser *parser)
{
  Frame *top = top_frame(parser);
  switch ((int)parser->token.kind) {
  case DAE_TOKEN_NAME:
    return begin_name(parser);
  case DAE_TOKEN_NUMBER:
    return begin_number(parser);
  case DAE_TOKEN_DOT: /* .Modelica.Constants.pi */
    dae_parser_advance(parser);
    return STEP_OPERAND;
  case DAE_TOKEN_STRING: {
    uint32_t pos = parser->token.pos;
    uint32_t text = dae_parser_string(parser);
    dae_parser_emit(parser, DAE_OP_STRING, 0, text, pos);
    return STEP_OPERATOR;
  }
  case DAE_TOKEN_TRUE:
  case DAE_TOKEN_FALSE:
    dae_parser_emit(parser, DAE_OP_BOOLEAN, 0, parser->token.kind == DAE_TOKEN_TRUE,
                    parser->token.pos);
    dae_parser_advance(parser);
    return STEP_OPERATOR;
  case DAE_TOKEN_PLUS:
  case DAE_TOKEN_MINUS:
  case DAE_TOKEN_DOT_PLUS:
  case DAE_TOKEN_DOT_MINUS:
  case DAE_TOKEN_NOT:
    return begin_prefix(parser);
  case DAE_TOKEN_LPAREN:
    return begin_bracket(parser, FRAME_PAREN);
  case DAE_TOKEN_LBRACE:
    return begin_bracket(parser, FRAME_ARRAY);
  case DAE_TOKEN_LBRACKET:
    return begin_bracket(parser, FRAME_MATRIX);
  case DAE_TOKEN_IF:
    return begin_bracket(parser, FRAME_IF);
  case DAE_TOKEN_DER:
  case DAE_TOKEN_INITIAL:
  case DAE_TOKEN_PURE:
    return begin_keyword_call(parser);
  case DAE_TOKEN_COLON:
  case DAE_TOKEN_END:
    return begin_subscript_word(parser);
  case DAE_TOKEN_RPAREN: /* f(), () */
    if ((top->kind == FRAME_CALL || top->kind == FRAME_PAREN) && top->n == 0 && top->b == 0) {
      return close_bracket(parser);
    }
    break;
  case DAE_TOKEN_RBRACE: /* {} */
    if (top->kind == FRAME_ARRAY && top->n == 0) {
      return close_bracket(parser);
    }
    break;
  default:
    break;
  }
  dae_parser_unexpected(parser, "an expression");
  return STEP_FAIL;
}

/* ---- reducing -------------------------------------------------------------------------------------- */

static void
emit_if_ends(DaeParser *parser, const Frame *frame)
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
static Step
reduce_to_bracket(DaeParser *parser)
{
  while (true) {
    Frame frame = *top_frame(parser);
    if (frame.kind == FRAME_OPERATOR) {
      dae_parser_emit(parser, (DaeOp)frame.op, 0, 0, frame.pos);
    } else if (frame.kind == FRAME_RANGE) {
      dae_parser_emit(parser, DAE_OP_RANGE, frame.n + 1, 0, frame.pos);
    } else if (frame.kind == FRAME_IF && frame.level == IF_ELSE) {
      emit_if_ends(parser, &frame);
    } else {
      return STEP_OPERATOR;
    }
    pop_frame(parser);
  }
}

static Step
take_binary(DaeParser *parser, DaeOp op, uint8_t level)
{
  uint32_t pos = parser->token.pos;
  while (top_frame(parser)->kind == FRAME_OPERATOR && top_frame(parser)->level >= level) {
    Frame frame = *top_frame(parser);
    if (frame.level == level && !frame.is_unary) {
      if (level == LEVEL_RELATION) {
        return fail(parser, pos, "relations cannot be chained: combine them with 'and'");
      }
      if (level == LEVEL_POW) {
        return fail(parser, pos, "a power of a power needs parentheses: (a^b)^c or a^(b^c)");
      }
    }
    dae_parser_emit(parser, (DaeOp)frame.op, 0, 0, frame.pos);
    pop_frame(parser);
  }
  dae_parser_advance(parser);
  Frame *frame = push_frame(parser, FRAME_OPERATOR, pos);
  frame->op = (uint8_t)op;
  frame->level = level;
  return STEP_OPERAND;
}

static Step
take_colon(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  while (top_frame(parser)->kind == FRAME_OPERATOR) {
    dae_parser_emit(parser, (DaeOp)top_frame(parser)->op, 0, 0, top_frame(parser)->pos);
    pop_frame(parser);
  }
  if (top_frame(parser)->kind == FRAME_RANGE) {
    if (top_frame(parser)->n == 2) {
      return fail(parser, pos, "a range has at most two ':'");
    }
  } else {
    push_frame(parser, FRAME_RANGE, pos);
  }
  top_frame(parser)->n++;
  dae_parser_advance(parser);
  return STEP_OPERAND;
}

static Step
take_then(DaeParser *parser)
{
  reduce_to_bracket(parser);
  Frame *top = top_frame(parser);
  if (top->kind != FRAME_IF || top->level != IF_CONDITION) {
    return STEP_DONE;
  }
  top->a = dae_parser_emit(parser, DAE_OP_TEST, 0, 0, top->pos);
  top->level = IF_THEN;
  dae_parser_advance(parser);
  return STEP_OPERAND;
}

static Step
take_else(DaeParser *parser)
{
  reduce_to_bracket(parser);
  Frame *top = top_frame(parser);
  if (top->kind != FRAME_IF || top->level != IF_THEN) {
    return STEP_DONE;
  }
  uint32_t jump = dae_parser_emit(parser, DAE_OP_ELSE, 0, top->b, top->pos);
  top->b = jump;
  dae_syntax_code(parser->syntax, top->a)->arg = jump + 1 - top->a;
  top->level = parser->token.kind == DAE_TOKEN_ELSEIF ? IF_CONDITION : IF_ELSE;
  dae_parser_advance(parser);
  return STEP_OPERAND;
}

/* ---- brackets --------------------------------------------------------------------------------------- */

static const char *
closing_of(FrameKind kind)
{
  switch (kind) {
  case FRAME_PAREN:
  case FRAME_CALL:
    return ")";
  case FRAME_ARRAY:
    return "}";
  case FRAME_MATRIX:
  case FRAME_SUBSCRIPT:
  case FRAME_INDEX:
    return "]";
  case FRAME_IF:
    return "else";
  case FRAME_BASE:
  case FRAME_OPERATOR:
  case FRAME_RANGE:
  case FRAME_ITERATOR:
    break;
  }
  return "?";
}

/* The token ends the expression, but a bracket is open. */
static Step
fail_open(DaeParser *parser)
{
  const Frame *top = top_frame(parser);
  if (parser->token.kind == DAE_TOKEN_ERROR) {
    return STEP_FAIL;
  }
  g_autofree char *found = dae_parser_describe_token(parser, parser->token);
  if (top->kind == FRAME_IF) {
    const char *wanted =
        top->level == IF_CONDITION ? "'then'" : "'else': an if-expression has two sides";
    dae_source_error(parser->source, parser->token.pos, "expected %s, found %s", wanted, found);
    return STEP_FAIL;
  }
  DaeSpan span = dae_source_span(parser->source, top->pos);
  dae_source_error(parser->source, parser->token.pos,
                   "expected '%s' to close what was opened in line %u, column %u, found %s",
                   closing_of((FrameKind)top->kind), span.line, span.column, found);
  return STEP_FAIL;
}

static Step
finish_element(DaeParser *parser)
{
  Frame *top = top_frame(parser);
  if (top->n >= DAE_MAX_OPERANDS) {
    return fail(parser, parser->token.pos, "too many elements in one bracket");
  }
  if (top->kind == FRAME_CALL && top->b != 0) {
    dae_parser_emit(parser, DAE_OP_NAMED, 0, top->b, top->pos);
    top = top_frame(parser);
    top->b = 0;
  }
  top->n++;
  top->start = code_length(parser);
  return STEP_OPERATOR;
}

static Step finish_comprehension(DaeParser *parser);
static Step begin_iterator(DaeParser *parser);

static Step
take_comma(DaeParser *parser)
{
  reduce_to_bracket(parser);
  Frame *top = top_frame(parser);
  if (top->kind == FRAME_BASE) {
    return STEP_DONE;
  }
  if (top->kind == FRAME_IF) {
    return fail_open(parser);
  }
  dae_parser_advance(parser);
  if (top->kind == FRAME_ITERATOR) {
    return begin_iterator(parser);
  }
  if (top->kind == FRAME_MATRIX) {
    top->b++;
    return STEP_OPERAND;
  }
  return finish_element(parser) == STEP_FAIL ? STEP_FAIL : STEP_OPERAND;
}

static Step
take_row_end(DaeParser *parser)
{
  reduce_to_bracket(parser);
  Frame *top = top_frame(parser);
  if (top->kind == FRAME_BASE) {
    return STEP_DONE;
  }
  if (top->kind != FRAME_MATRIX) {
    return fail_open(parser);
  }
  dae_parser_emit(parser, DAE_OP_ROW, top->b + 1, 0, top->pos);
  top->b = 0;
  top->a++;
  dae_parser_advance(parser);
  return STEP_OPERAND;
}

/* Emits the code of the bracket that the token closes. */
static Step
emit_bracket(DaeParser *parser, const Frame *frame)
{
  switch ((FrameKind)frame->kind) {
  case FRAME_PAREN:
    if (frame->n != 1) {
      dae_parser_emit(parser, DAE_OP_TUPLE, frame->n, 0, frame->pos);
    }
    break;
  case FRAME_CALL:
    dae_parser_emit(parser, DAE_OP_CALL, frame->n, frame->a, frame->pos);
    break;
  case FRAME_ARRAY:
    if (frame->a == 0) { /* else the loop has made the array */
      dae_parser_emit(parser, DAE_OP_ARRAY, frame->n, 0, frame->pos);
    }
    break;
  case FRAME_MATRIX:
    dae_parser_emit(parser, DAE_OP_ROW, frame->b + 1, 0, frame->pos);
    dae_parser_emit(parser, DAE_OP_MATRIX, frame->a + 1, 0, frame->pos);
    break;
  case FRAME_INDEX:
    dae_parser_emit(parser, DAE_OP_INDEX, frame->n, 0, frame->pos);
    break;
  case FRAME_BASE:
  case FRAME_OPERATOR:
  case FRAME_RANGE:
  case FRAME_IF:
  case FRAME_SUBSCRIPT:
  case FRAME_ITERATOR:
    break;
  }
  return STEP_OPERATOR;
}

/* The token is a closing bracket and the elements before it are complete, or there are none. */
static Step
close_bracket(DaeParser *parser)
{
  static const DaeTokenKind closing[] = {
      [FRAME_PAREN] = DAE_TOKEN_RPAREN,       [FRAME_CALL] = DAE_TOKEN_RPAREN,
      [FRAME_ARRAY] = DAE_TOKEN_RBRACE,       [FRAME_MATRIX] = DAE_TOKEN_RBRACKET,
      [FRAME_SUBSCRIPT] = DAE_TOKEN_RBRACKET, [FRAME_INDEX] = DAE_TOKEN_RBRACKET,
      [FRAME_ITERATOR] = DAE_TOKEN_EOF,
  };
  Frame frame = *top_frame(parser);
  if (frame.kind == FRAME_IF || closing[frame.kind] != parser->token.kind) {
    return fail_open(parser);
  }
  dae_parser_advance(parser);
  if (frame.kind == FRAME_SUBSCRIPT) {
    return close_subscript(parser);
  }
  emit_bracket(parser, &frame);
  pop_frame(parser);
  if (parser->token.kind == DAE_TOKEN_LBRACKET && frame.kind != FRAME_MATRIX) {
    return begin_bracket(parser, FRAME_INDEX);
  }
  return STEP_OPERATOR;
}

static Step
take_closing(DaeParser *parser)
{
  reduce_to_bracket(parser);
  if (top_frame(parser)->kind == FRAME_BASE) {
    return STEP_DONE;
  }
  if (top_frame(parser)->kind == FRAME_ITERATOR && finish_comprehension(parser) == STEP_FAIL) {
    return STEP_FAIL;
  }
  if (top_frame(parser)->kind != FRAME_MATRIX && top_frame(parser)->kind != FRAME_IF &&
      finish_element(parser) == STEP_FAIL) {
    return STEP_FAIL;
  }
  return close_bracket(parser);
}

/* ---- comprehensions: {e for i in r, j in s}, sum(e for i in r) ----------------------------------------- */

/* At the name of an iterator. */
static Step
begin_iterator(DaeParser *parser)
{
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of an iterator");
    return STEP_FAIL;
  }
  if (top_frame(parser)->kind ==
      FRAME_ITERATOR) { /* one more: the range of the last one is complete */
    top_frame(parser)->b = code_length(parser);
  }
  Frame *frame = push_frame(parser, FRAME_ITERATOR, parser->token.pos);
  frame->a = parser->token.name;
  dae_parser_advance(parser);
  return dae_parser_expect(parser, DAE_TOKEN_IN, "'in'") ? STEP_OPERAND : STEP_FAIL;
}

static Step
take_for(DaeParser *parser)
{
  reduce_to_bracket(parser);
  Frame *top = top_frame(parser);
  if (top->kind == FRAME_BASE) {
    return STEP_DONE;
  }
  if ((top->kind != FRAME_ARRAY && top->kind != FRAME_CALL) || top->n > 0 || top->b != 0) {
    return fail_open(parser);
  }
  dae_parser_advance(parser);
  return begin_iterator(parser);
}

/* The code is: element, range of the first iterator, range of the second ... It becomes: last range, LOOP, ...,
 * first range, LOOP, element, NEXT, ..., NEXT: the first iterator runs fastest. */
static Step
finish_comprehension(DaeParser *parser)
{
  GArray *code = parser->syntax->code;
  top_frame(parser)->b = code->len;
  uint32_t last = parser->frames->len;
  uint32_t first = last;
  while (g_array_index(parser->frames, Frame, first - 1).kind == FRAME_ITERATOR) {
    first--;
  }
  Frame *frames = &g_array_index(parser->frames, Frame, 0);
  uint32_t begin = frames[first - 1].start;
  uint32_t element_length = frames[first].first - begin;
  parser->moved += code->len - begin;
  if (parser->moved > (uint64_t)1 << 28) {
    return fail(parser, parser->token.pos, "comprehensions are nested too deeply");
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
  for (uint32_t i = first; i < last; i++) {
    uint32_t loop = loops[i - first];
    uint32_t next = dae_parser_emit(parser, DAE_OP_NEXT, 0, 0, frames[i].pos);
    dae_syntax_code(parser->syntax, next)->arg = next - loop;
    dae_syntax_code(parser->syntax, loop)->arg = next + 1 - loop;
  }
  g_array_set_size(parser->frames, first);
  if (top_frame(parser)->kind == FRAME_ARRAY) {
    top_frame(parser)->a = 1;
  }
  return STEP_OPERATOR;
}

/* ---- after an operand ----------------------------------------------------------------------------------- */

static Step
take_equals(DaeParser *parser)
{
  Frame *top = top_frame(parser);
  uint32_t length = code_length(parser);
  if (top->kind == FRAME_CALL && top->b == 0 && length == top->start + 1 &&
      dae_syntax_code(parser->syntax, length - 1)->op == DAE_OP_NAME) {
    top->b = dae_syntax_code(parser->syntax, length - 1)->arg;
    g_array_set_size(parser->syntax->code, length - 1);
    dae_parser_advance(parser);
    return STEP_OPERAND;
  }
  reduce_to_bracket(parser);
  if (top_frame(parser)->kind == FRAME_BASE) {
    return STEP_DONE;
  }
  if (top_frame(parser)->kind == FRAME_IF && top_frame(parser)->level == IF_CONDITION) {
    return fail(parser, parser->token.pos, "'=' in a condition: comparison is '=='");
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
      [DAE_TOKEN_OR] = {DAE_OP_OR, LEVEL_OR},
      [DAE_TOKEN_AND] = {DAE_OP_AND, LEVEL_AND},
      [DAE_TOKEN_LT] = {DAE_OP_LT, LEVEL_RELATION},
      [DAE_TOKEN_LE] = {DAE_OP_LE, LEVEL_RELATION},
      [DAE_TOKEN_GT] = {DAE_OP_GT, LEVEL_RELATION},
      [DAE_TOKEN_GE] = {DAE_OP_GE, LEVEL_RELATION},
      [DAE_TOKEN_EQ] = {DAE_OP_EQ, LEVEL_RELATION},
      [DAE_TOKEN_NE] = {DAE_OP_NE, LEVEL_RELATION},
      [DAE_TOKEN_PLUS] = {DAE_OP_ADD, LEVEL_ADD},
      [DAE_TOKEN_MINUS] = {DAE_OP_SUB, LEVEL_ADD},
      [DAE_TOKEN_DOT_PLUS] = {DAE_OP_EADD, LEVEL_ADD},
      [DAE_TOKEN_DOT_MINUS] = {DAE_OP_ESUB, LEVEL_ADD},
      [DAE_TOKEN_TIMES] = {DAE_OP_MUL, LEVEL_MUL},
      [DAE_TOKEN_DIVIDE] = {DAE_OP_DIV, LEVEL_MUL},
      [DAE_TOKEN_DOT_TIMES] = {DAE_OP_EMUL, LEVEL_MUL},
      [DAE_TOKEN_DOT_DIVIDE] = {DAE_OP_EDIV, LEVEL_MUL},
      [DAE_TOKEN_POWER] = {DAE_OP_POW, LEVEL_POW},
      [DAE_TOKEN_DOT_POWER] = {DAE_OP_EPOW, LEVEL_POW},
  };
  return table[kind];
}

static Step
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
    return top_frame(parser)->kind == FRAME_BASE && parser->token.kind != DAE_TOKEN_ERROR
               ? STEP_DONE
               : fail_open(parser);
  }
}

bool
dae_parse_expression(DaeParser *parser)
{
  if (parser->frames == NULL) {
    parser->frames = g_array_new(FALSE, TRUE, sizeof(Frame));
  }
  guint frames = parser->frames->len;
  guint parts = parser->parts->len;
  push_frame(parser, FRAME_BASE, parser->token.pos);
  Step step = STEP_OPERAND;
  while (step == STEP_OPERAND || step == STEP_OPERATOR) {
    step = step == STEP_OPERAND ? want_operand(parser) : have_operand(parser);
    if (step == STEP_DONE && top_frame(parser)->kind != FRAME_BASE) {
      step = fail_open(parser); /* `then` or `else` met an open bracket */
    }
  }
  g_array_set_size(parser->frames, frames);
  g_array_set_size(parser->parts, parts);
  return step == STEP_DONE;
}

uint32_t
dae_parse_expression_code(DaeParser *parser)
{
  uint32_t start = parser->syntax->code->len;
  if (!dae_parse_expression(parser)) {
    g_array_set_size(parser->syntax->code, start);
    return 0;
  }
  dae_parser_emit(parser, DAE_OP_RETURN, 0, 0, parser->token.pos);
  return start;
}
