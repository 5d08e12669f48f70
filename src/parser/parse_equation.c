/* Equation and algorithm sections to code. Blocks (for, if, when, while)
 * are kept on an explicit stack. */
#include <string.h>

#include "parser/parse.h"

typedef enum { BLOCK_FOR, BLOCK_IF, BLOCK_WHEN, BLOCK_WHILE } BlockKind;

static const struct {
  DaeTokenKind token;
  const char *end;
} block_words[] = {
    [BLOCK_FOR] = {DAE_TOKEN_FOR, "end for"},
    [BLOCK_IF] = {DAE_TOKEN_IF, "end if"},
    [BLOCK_WHEN] = {DAE_TOKEN_WHEN, "end when"},
    [BLOCK_WHILE] = {DAE_TOKEN_WHILE, "end while"},
};

typedef struct {
  BlockKind kind;
  bool has_else;
  bool is_broken; /* a mistake in its head was reported: the block is left out */
  uint32_t start; /* of its code */
  uint32_t pos;
  uint32_t n;      /* FOR: loops; */
  uint32_t open;   /* FOR: the last FOR; IF: the open WHETHER; WHEN, WHILE: the open one */
  uint32_t last;   /* IF: the last OTHERWISE; WHEN: the last ELSEWHEN */
  uint32_t breaks; /* FOR, WHILE: the last BREAK, linked through arg */
} Block;

/* After the statement: description, annotation, `;`. */
static void
finish_statement(DaeParser *parser, const char *what)
{
  dae_parser_optional_strings(parser);
  if (parser->token.kind == DAE_TOKEN_ANNOTATION) {
    dae_parse_skip_annotation(parser);
  }
  if (parser->token.kind == DAE_TOKEN_SEMICOLON) {
    dae_parser_advance(parser);
    return;
  }
  if (parser->token.kind == DAE_TOKEN_ERROR) {
    dae_parser_recover(parser);
    return;
  }
  if (parser->token.kind == DAE_TOKEN_RPAREN || parser->token.kind == DAE_TOKEN_RBRACKET ||
      parser->token.kind == DAE_TOKEN_RBRACE) {
    g_autofree char *found = dae_parser_describe_token(parser, parser->token);
    dae_source_error(parser->source, parser->token.pos, "%s closes nothing", found);
    dae_parser_recover(parser);
    return;
  }
  if (parser->token.kind == DAE_TOKEN_EQUALS || parser->token.kind == DAE_TOKEN_ASSIGN) {
    dae_parser_unexpected(parser, "';'");
    dae_parser_recover(parser);
    return;
  }
  if (parser->token.kind == DAE_TOKEN_COMMA && parser->previous.kind == DAE_TOKEN_NUMBER &&
      dae_parser_peek(parser) == DAE_TOKEN_NUMBER) {
    dae_source_error(parser->source, parser->token.pos,
                     "a number has a decimal point, not a comma");
    dae_parser_recover(parser);
    return;
  }
  dae_parser_miss_semicolon(parser, what);
}

/* The code from start on is one expression that was read as a value; as the left side of `:=`
 * its references are targets. False: reported. */
static bool
make_targets(DaeParser *parser, uint32_t start)
{
  GArray *code = parser->syntax->code;
  DaeInstruction *last = dae_syntax_code(parser->syntax, code->len - 1);
  bool is_tuple = last->op == DAE_OP_TUPLE;
  uint32_t wanted = is_tuple ? last->n : 1;
  uint32_t at = is_tuple ? code->len - 1 : code->len;
  while (wanted > 0 && at > start) { /* from the last one back, over the subscripts of each */
    DaeInstruction *target = dae_syntax_code(parser->syntax, --at);
    wanted--;
    if (target->op == DAE_OP_HOLE) {
      continue;
    }
    uint32_t n = target->op == DAE_OP_NAME ? 0 : target->n;
    if (target->op == DAE_OP_NAME || target->op == DAE_OP_ELEMENT) {
      uint32_t path[] = {1, target->arg, n};
      target->arg = parser->syntax->paths->len;
      g_array_append_vals(parser->syntax->paths, path, G_N_ELEMENTS(path));
    } else if (target->op != DAE_OP_PATH) {
      dae_source_error(parser->source, target->pos, "only a variable can stand left of ':='");
      return false;
    }
    target->op = DAE_OP_TARGET;
    target->n = n & 0xffffffu;
    at = dae_syntax_skip_back(parser->syntax, at, n);
  }
  return true;
}

static bool
parse_assignment(DaeParser *parser, uint32_t start, uint32_t pos)
{
  if (!make_targets(parser, start)) {
    return false;
  }
  dae_parser_advance(parser);
  if (!dae_parse_expression(parser)) {
    return false;
  }
  dae_parser_emit(parser, DAE_OP_ASSIGN, 0, 0, pos);
  return true;
}

static bool
parse_equation(DaeParser *parser, bool is_algorithm)
{
  GArray *code = parser->syntax->code;
  uint32_t start = code->len;
  uint32_t pos = parser->token.pos;
  if (!dae_parse_expression(parser)) {
    return false;
  }
  if (parser->token.kind == DAE_TOKEN_ASSIGN && is_algorithm) {
    return parse_assignment(parser, start, pos);
  }
  if (parser->token.kind == DAE_TOKEN_EQUALS && !is_algorithm) {
    dae_parser_advance(parser);
    if (!dae_parse_expression(parser)) {
      return false;
    }
    dae_parser_emit(parser, DAE_OP_EQUATION, 0, 0, pos);
    return true;
  }
  if (parser->token.kind == DAE_TOKEN_ASSIGN || parser->token.kind == DAE_TOKEN_EQUALS) {
    dae_source_error(parser->source, parser->token.pos,
                     is_algorithm ? "'=' in an algorithm: write ':='"
                                  : "':=' in an equation: write '='");
    return false;
  }
  DaeInstruction *last = dae_syntax_code(parser->syntax, code->len - 1);
  if (code->len > start && last->op == DAE_OP_CALL && last->pos == pos) {
    last->op = DAE_OP_STATEMENT;
    return true;
  }
  if (code->len > start && last->op == DAE_OP_EQ) {
    dae_source_error(parser->source, last->pos, "'==' compares; an equation has one '='");
    return false;
  }
  dae_parser_unexpected(parser, is_algorithm ? "':='" : "'=' (an equation has two sides)");
  return false;
}

/* connect(a, b), at `connect` */
bool
dae_parse_connect(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  dae_parse_mark(parser, pos, parser->token.name);
  dae_parser_advance(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_LPAREN, "'('")) {
    return false;
  }
  for (int i = 0; i < 2; i++) {
    uint32_t begin = parser->token.pos;
    if (!dae_parse_expression(parser)) {
      return false;
    }
    uint32_t op = dae_syntax_code(parser->syntax, parser->syntax->code->len - 1)->op;
    if (op != DAE_OP_NAME && op != DAE_OP_ELEMENT && op != DAE_OP_PATH) {
      dae_source_error(parser->source, begin, "connect takes two connectors");
      return false;
    }
    if (!dae_parser_expect(parser, i == 0 ? DAE_TOKEN_COMMA : DAE_TOKEN_RPAREN,
                           i == 0 ? "','" : "')'")) {
      return false;
    }
  }
  dae_parser_emit(parser, DAE_OP_CONNECT, 0, 0, pos);
  return true;
}

/* ---- for --------------------------------------------------------------------------------- */

static bool
parse_iterator(DaeParser *parser, Block *block)
{
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of an iterator");
    return false;
  }
  DaeToken iterator = parser->token;
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_LOOP || parser->token.kind == DAE_TOKEN_COMMA) {
    /* the range follows from the use */
    dae_parser_emit(parser, DAE_OP_COLON, 0, 0, iterator.pos);
  } else if (!dae_parser_expect(parser, DAE_TOKEN_IN, "'in'") ||
             !dae_parse_expression(parser)) {
    return false;
  }
  uint32_t at = dae_parser_emit(parser, DAE_OP_FOR, 0, block->open, iterator.pos);
  dae_parser_emit(parser, DAE_OP_ITERATOR, 0, iterator.name, iterator.pos);
  block->open = at; /* the loops are linked through arg until they are closed */
  block->n++;
  return true;
}

static bool
begin_for(DaeParser *parser, GArray *blocks)
{
  Block block = {
      .kind = BLOCK_FOR, .pos = parser->token.pos, .start = parser->syntax->code->len};
  dae_parser_advance(parser);
  bool good = false;
  do {
    good = parse_iterator(parser, &block);
  } while (good && dae_parser_accept(parser, DAE_TOKEN_COMMA));
  good = good && dae_parser_expect(parser, DAE_TOKEN_LOOP, "'loop'");
  block.is_broken = !good;
  g_array_append_val(blocks, block);
  return good;
}

static void
close_breaks(DaeParser *parser, const Block *block, uint32_t end)
{
  for (uint32_t at = block->breaks; at != 0;) {
    uint32_t previous = dae_syntax_code(parser->syntax, at)->arg;
    dae_syntax_code(parser->syntax, at)->arg = end - at;
    at = previous;
  }
}

static void
end_for(DaeParser *parser, const Block *block)
{
  uint32_t loop = block->open;
  g_autofree uint32_t *loops = g_new(uint32_t, MAX(block->n, 1u)); /* the innermost first */
  close_breaks(parser, block, parser->syntax->code->len);
  for (uint32_t i = 0; i < block->n; i++) {
    DAE_ASSERT(loop != 0);
    loops[i] = loop;
    loop = dae_syntax_code(parser->syntax, loop)->arg;
  }
  dae_parse_deduce_ranges(parser, loops, block->n);
  for (uint32_t i = 0; i < block->n; i++) {
    loop = loops[i];
    uint32_t end = dae_parser_emit(parser, DAE_OP_ENDFOR, 0, 0, block->pos);
    dae_syntax_code(parser->syntax, end)->arg = end - loop;
    dae_syntax_code(parser->syntax, loop)->arg = end + 1 - loop;
  }
}

/* ---- if ---------------------------------------------------------------------------------- */

static bool
parse_condition(DaeParser *parser, Block *block)
{
  uint32_t pos = parser->token.pos;
  dae_parser_advance(parser);
  if (!dae_parse_expression(parser)) {
    return false;
  }
  block->open = dae_parser_emit(parser, DAE_OP_WHETHER, 0, 0, pos);
  return dae_parser_expect(parser, DAE_TOKEN_THEN, "'then'");
}

static bool
begin_if(DaeParser *parser, GArray *blocks)
{
  Block block = {
      .kind = BLOCK_IF, .pos = parser->token.pos, .start = parser->syntax->code->len};
  bool good = parse_condition(parser, &block);
  block.is_broken = !good;
  g_array_append_val(blocks, block);
  return good;
}

static void
emit_otherwise(DaeParser *parser, Block *block)
{
  if (block->is_broken) {
    return;
  }
  uint32_t at = dae_parser_emit(parser, DAE_OP_OTHERWISE, 0, block->last, block->pos);
  if (block->open != 0) {
    dae_syntax_code(parser->syntax, block->open)->arg = at + 1 - block->open;
  }
  block->last = at;
}

static bool
continue_if(DaeParser *parser, GArray *blocks)
{
  g_autofree char *word = dae_parser_describe_token(parser, parser->token);
  Block *block = blocks->len > 0 ? &g_array_index(blocks, Block, blocks->len - 1) : NULL;
  if (block == NULL || block->kind != BLOCK_IF || block->has_else) {
    dae_source_error(parser->source, parser->token.pos, "%s without 'if'", word);
    dae_parser_advance(parser);
    return true; /* what follows may well be an equation */
  }
  emit_otherwise(parser, block);
  if (parser->token.kind == DAE_TOKEN_ELSEIF) {
    bool good = parse_condition(parser, block);
    block->is_broken = block->is_broken || !good;
    return good;
  }
  block->has_else = true;
  dae_parser_advance(parser);
  return true;
}

static void
end_if(DaeParser *parser, Block *block)
{
  if (!block->has_else) {
    emit_otherwise(parser, block);
  }
  uint32_t jump = block->last;
  while (jump != 0) {
    uint32_t previous = dae_syntax_code(parser->syntax, jump)->arg;
    uint32_t end = dae_parser_emit(parser, DAE_OP_ENDWHETHER, 0, 0, block->pos);
    dae_syntax_code(parser->syntax, jump)->arg = end - jump;
    jump = previous;
  }
}

/* ---- when, while, break ------------------------------------------------------------------ */

static bool
begin_when(DaeParser *parser, Block *block)
{
  uint32_t pos = parser->token.pos;
  dae_parser_advance(parser);
  if (!dae_parse_expression(parser)) {
    return false;
  }
  block->open = dae_parser_emit(parser, DAE_OP_WHEN, 0, 0, pos);
  return dae_parser_expect(parser, DAE_TOKEN_THEN, "'then'");
}

/* Closes the branch that is open. */
static void
emit_elsewhen(DaeParser *parser, Block *block)
{
  if (!block->is_broken) {
    uint32_t at = dae_parser_emit(parser, DAE_OP_ELSEWHEN, 0, block->last, block->pos);
    dae_syntax_code(parser->syntax, block->open)->arg = at + 1 - block->open;
    block->last = at;
  }
}

static bool
continue_when(DaeParser *parser, GArray *blocks)
{
  Block *block = blocks->len > 0 ? &g_array_index(blocks, Block, blocks->len - 1) : NULL;
  if (block == NULL || block->kind != BLOCK_WHEN) {
    dae_source_error(parser->source, parser->token.pos, "'elsewhen' without 'when'");
    dae_parser_advance(parser);
    return false;
  }
  emit_elsewhen(parser, block);
  bool good = begin_when(parser, block);
  block->is_broken = block->is_broken || !good;
  return good;
}

static void
end_when(DaeParser *parser, Block *block)
{
  emit_elsewhen(parser, block);
  for (uint32_t jump = block->last; jump != 0;) {
    uint32_t previous = dae_syntax_code(parser->syntax, jump)->arg;
    uint32_t end = dae_parser_emit(parser, DAE_OP_ENDWHEN, 0, 0, block->pos);
    dae_syntax_code(parser->syntax, jump)->arg = end - jump;
    jump = previous;
  }
}

static bool
begin_while(DaeParser *parser, Block *block)
{
  dae_parser_advance(parser);
  if (!dae_parse_expression(parser)) {
    return false;
  }
  block->open = dae_parser_emit(parser, DAE_OP_WHILE, 0, 0, block->pos);
  return dae_parser_expect(parser, DAE_TOKEN_LOOP, "'loop'");
}

static void
end_while(DaeParser *parser, const Block *block)
{
  uint32_t end = dae_parser_emit(parser, DAE_OP_ENDWHILE, 0, 0, block->pos);
  dae_syntax_code(parser->syntax, end)->arg = end - block->start;
  dae_syntax_code(parser->syntax, block->open)->arg = end + 1 - block->open;
  close_breaks(parser, block, end);
}

static bool
begin_block(DaeParser *parser, GArray *blocks, BlockKind kind)
{
  Block block = {.kind = kind, .pos = parser->token.pos, .start = parser->syntax->code->len};
  bool good = kind == BLOCK_WHEN ? begin_when(parser, &block) : begin_while(parser, &block);
  block.is_broken = !good;
  g_array_append_val(blocks, block);
  return good;
}

static bool
parse_break(DaeParser *parser, GArray *blocks)
{
  uint32_t n_ifs = 0;
  for (uint32_t i = blocks->len; i-- > 0;) {
    Block *block = &g_array_index(blocks, Block, i);
    if (block->kind == BLOCK_FOR || block->kind == BLOCK_WHILE) {
      block->breaks =
          dae_parser_emit(parser, DAE_OP_BREAK, n_ifs, block->breaks, parser->token.pos);
      dae_parser_advance(parser);
      return true;
    }
    n_ifs += block->kind == BLOCK_IF ? 1 : 0;
  }
  dae_source_error(parser->source, parser->token.pos, "'break' outside a loop");
  return false;
}

/* `break;` and `return;` are no keywords here: flat text of other tools may use the names. */
static bool
parse_jump(DaeParser *parser, GArray *blocks, bool *is_jump)
{
  bool is_break = dae_parse_at_word(parser, "break");
  *is_jump = (is_break || dae_parse_at_word(parser, "return")) &&
             dae_parser_peek(parser) == DAE_TOKEN_SEMICOLON;
  if (!*is_jump) {
    return true;
  }
  if (is_break) {
    return parse_break(parser, blocks);
  }
  dae_parser_emit(parser, DAE_OP_LEAVE, 0, 0, parser->token.pos);
  dae_parser_advance(parser);
  return true;
}

/* Is a block open that `end for` or `end if` closes? */
static bool
has_block(const GArray *blocks, DaeTokenKind end)
{
  for (uint32_t i = 0; i < blocks->len; i++) {
    if (end == block_words[g_array_index(blocks, Block, i).kind].token) {
      return true;
    }
  }
  return false;
}

/* At `end` with blocks open. False: it is not the end of a block. */
static bool
end_block(DaeParser *parser, GArray *blocks)
{
  uint32_t pos = parser->token.pos;
  Block *block = &g_array_index(blocks, Block, blocks->len - 1);
  const char *wanted = block_words[block->kind].end;
  DaeTokenKind kind = block_words[block->kind].token;
  DaeTokenKind next = dae_parser_peek(parser);
  if (next == kind) {
    dae_parser_advance(parser);
    dae_parser_advance(parser);
    finish_statement(parser, wanted);
  } else {
    DaeSpan span = dae_source_span(parser->source, block->pos);
    dae_source_error(parser->source, pos, "expected '%s' for the block that begins in line %u",
                     wanted, span.line);
    if (next != DAE_TOKEN_FOR && next != DAE_TOKEN_IF && next != DAE_TOKEN_WHEN &&
        next != DAE_TOKEN_WHILE) {
      return false;
    }
    if (has_block(
            blocks,
            next)) { /* the inner end is missing: leave this block out, close the outer one */
      g_array_set_size(parser->syntax->code, block->start);
      g_array_set_size(blocks, blocks->len - 1);
      return true;
    }
    dae_parser_advance(parser);
    dae_parser_advance(parser);
    dae_parser_accept(parser, DAE_TOKEN_SEMICOLON);
    block->is_broken = true;
  }
  if (block->is_broken) {
    g_array_set_size(parser->syntax->code, block->start);
  } else if (block->kind == BLOCK_FOR) {
    end_for(parser, block);
  } else if (block->kind == BLOCK_IF) {
    end_if(parser, block);
  } else if (block->kind == BLOCK_WHEN) {
    end_when(parser, block);
  } else {
    end_while(parser, block);
  }
  g_array_set_size(blocks, blocks->len - 1);
  return true;
}

/* ---- sections ---------------------------------------------------------------------------- */

static bool
ends_section(const DaeParser *parser)
{
  switch ((int)parser->token.kind) {
  case DAE_TOKEN_EOF:
  case DAE_TOKEN_EQUATION:
  case DAE_TOKEN_ALGORITHM:
  case DAE_TOKEN_PUBLIC:
  case DAE_TOKEN_PROTECTED:
  case DAE_TOKEN_ANNOTATION:
  case DAE_TOKEN_EXTERNAL:
  case DAE_TOKEN_MODEL:
  case DAE_TOKEN_CLASS:
  case DAE_TOKEN_PACKAGE:
  case DAE_TOKEN_FUNCTION:
  case DAE_TOKEN_RECORD:
  case DAE_TOKEN_PARAMETER:
  case DAE_TOKEN_CONSTANT:
    return true;
  default:
    return dae_parse_at_partition(parser);
  }
}

/* `initial equation` begins a section, initial() is an expression. */
static bool
at_initial_section(const DaeParser *parser)
{
  if (parser->token.kind != DAE_TOKEN_INITIAL) {
    return false;
  }
  DaeTokenKind next = dae_parser_peek(parser);
  return next == DAE_TOKEN_EQUATION || next == DAE_TOKEN_ALGORITHM;
}

/* An equation, assignment, call, connection or jump, with its `;`. */
static bool
parse_simple(DaeParser *parser, GArray *blocks, bool is_algorithm)
{
  uint32_t start = parser->syntax->code->len;
  bool is_jump = false;
  bool good = true;
  if (parser->token.kind == DAE_TOKEN_CONNECT) {
    good = dae_parse_connect(parser);
  } else {
    good = !is_algorithm || parse_jump(parser, blocks, &is_jump);
    good = good && (is_jump || parse_equation(parser, is_algorithm));
  }
  if (good) {
    finish_statement(parser, is_algorithm ? "the statement" : "the equation");
  } else {
    g_array_set_size(parser->syntax->code, start); /* blocks around it stay whole */
  }
  return good;
}

/* One equation or the beginning, middle or end of a block; false: `end` of something else. */
static bool
parse_statement(DaeParser *parser, GArray *blocks, bool is_algorithm)
{
  bool good = true;
  switch ((int)parser->token.kind) {
  case DAE_TOKEN_FOR:
    good = begin_for(parser, blocks);
    break;
  case DAE_TOKEN_IF:
    good = begin_if(parser, blocks);
    break;
  case DAE_TOKEN_ELSE:
  case DAE_TOKEN_ELSEIF:
    good = continue_if(parser, blocks);
    break;
  case DAE_TOKEN_END:
    return blocks->len > 0 && end_block(parser, blocks);
  case DAE_TOKEN_WHEN:
    good = begin_block(parser, blocks, BLOCK_WHEN);
    break;
  case DAE_TOKEN_ELSEWHEN:
    good = continue_when(parser, blocks);
    break;
  case DAE_TOKEN_WHILE:
    good = begin_block(parser, blocks, BLOCK_WHILE);
    break;
  case DAE_TOKEN_SEMICOLON:
    dae_parser_advance(parser);
    break;
  default:
    good = parse_simple(parser, blocks, is_algorithm);
    break;
  }
  if (!good) {
    dae_parser_recover(parser);
  }
  return true;
}

/* guess(x) = value as an initial equation, whose code begins at start, is a section of its own like
 * the same parameter equation; the other statements go on in a new one. */
static void
split_guess(DaeParser *parser, DaeSection *section, uint32_t start)
{
  GArray *code = parser->syntax->code;
  const DaeInstruction *last = dae_syntax_code(parser->syntax, code->len - 1);
  if (code->len <= start || last->op != DAE_OP_EQUATION) {
    return;
  }
  uint32_t call = dae_syntax_skip_back(parser->syntax, code->len - 1, 1) - 1;
  const DaeInstruction *guess = dae_syntax_code(parser->syntax, call);
  if (call <= start || guess->op != DAE_OP_CALL || guess->n != 1 ||
      strcmp(dae_names_text(parser->names, guess->arg), "guess") != 0) {
    return;
  }
  DaeInstruction end = *last;
  end.op = DAE_OP_RETURN;
  g_array_index(code, DaeInstruction, code->len - 1) = end;
  g_array_remove_index(code, call); /* what stays on the stack is the variable itself */
  g_array_insert_val(code, start, end);
  g_array_append_val(parser->syntax->sections, *section);
  DaeSection own = {.owner = section->owner, .code = start + 1, .is_guess = true};
  g_array_append_val(parser->syntax->sections, own);
  section->code = code->len;
}

void
dae_parse_section(DaeParser *parser, uint32_t owner, uint32_t pos, bool is_initial,
                  bool is_algorithm)
{
  DaeSection section = {.owner = owner,
                        .code = parser->syntax->code->len,
                        .pos = pos,
                        .is_initial = is_initial,
                        .is_algorithm = is_algorithm};
  uint32_t errors = parser->source->n_errors;
  g_autoptr(GArray) blocks = g_array_new(FALSE, TRUE, sizeof(Block));
  parser->owner = owner;
  bool is_empty =
      ends_section(parser) || at_initial_section(parser) || parser->token.kind == DAE_TOKEN_END;
  if (!is_algorithm && owner != 0 &&
      !is_empty && /* `equation` and nothing: libraries have it */
      dae_syntax_class(parser->syntax, owner)->kind == DAE_CLASS_FUNCTION) {
    dae_source_error(parser->source, pos, "a function has an algorithm, no equations");
  }
  uint32_t when = is_empty || is_initial || is_algorithm ? 0 : dae_partition_begin(parser);
  while (!ends_section(parser) && !at_initial_section(parser) &&
         !dae_source_is_full(parser->source)) {
    if (parser->token.kind == DAE_TOKEN_END && blocks->len == 0) {
      break;
    }
    uint32_t start = parser->syntax->code->len;
    if (!parse_statement(parser, blocks, is_algorithm)) {
      break;
    }
    if (is_initial && !is_algorithm && blocks->len == 0 && parser->source->n_errors == errors) {
      split_guess(parser, &section, start);
    }
  }
  if (blocks->len > 0 && parser->source->n_errors == errors) {
    const Block *block = &g_array_index(blocks, Block, blocks->len - 1);
    dae_source_error(parser->source, block->pos, "this block never ends: '%s' is missing",
                     block_words[block->kind].end);
  }
  if (blocks->len > 0) { /* the code has open jumps: leave it out, an error was reported */
    g_array_set_size(parser->syntax->code, section.code);
  } else if (when != 0) {
    dae_partition_end(parser, when);
  }
  if (parser->source->n_errors > errors && owner != 0) {
    dae_syntax_class(parser->syntax, owner)->flags |= DAE_FLAG_BROKEN;
  }
  dae_parser_emit(parser, DAE_OP_RETURN, 0, 0, parser->token.pos);
  g_array_append_val(parser->syntax->sections, section);
}
