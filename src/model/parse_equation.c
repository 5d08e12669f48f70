/* Equation sections to code. Blocks (for, if) are kept on an explicit stack. */
#include "model/model-priv.h"

#include <string.h>

typedef enum { BLOCK_FOR, BLOCK_IF } BlockKind;

typedef struct {
  BlockKind kind;
  bool has_else;
  bool is_broken; /* a mistake in its head was reported: the block is left out */
  uint32_t start; /* of its code */
  uint32_t pos;
  uint32_t n;    /* FOR: loops; */
  uint32_t open; /* FOR: the last FOR; IF: the open WHETHER */
  uint32_t last; /* IF: the last OTHERWISE */
} Block;

/* Skips `when ... end when` and the like, at their first keyword. Blocks inside are counted. */
static void
skip_block(DaeParser *parser)
{
  uint32_t depth = 0;
  while (parser->token.kind != DAE_TOKEN_EOF) {
    DaeTokenKind kind = parser->token.kind;
    DaeTokenKind next = kind == DAE_TOKEN_END ? dae_parser_peek(parser) : DAE_TOKEN_EOF;
    if (next == DAE_TOKEN_NAME) {
      return; /* `end Model`: the block never ended */
    }
    dae_parser_advance(parser);
    if (kind == DAE_TOKEN_WHEN) {
      depth++;
    } else if (next == DAE_TOKEN_WHEN) {
      dae_parser_advance(parser);
      depth--;
      if (depth == 0) {
        break;
      }
    }
  }
  dae_parser_accept(parser, DAE_TOKEN_SEMICOLON);
}

/* After the statement: description, annotation, `;`. */
static void
finish_statement(DaeParser *parser, const char *what)
{
  dae_parser_optional_strings(parser);
  if (parser->token.kind == DAE_TOKEN_ANNOTATION) {
    dae_parse_annotation(parser, 0);
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
  /* Most likely only the `;` is missing: point behind what came before and go on here. */
  dae_source_error(parser->source, parser->previous.pos + parser->previous.length - 1,
                   "expected ';' after %s", what);
}

static bool
parse_equation(DaeParser *parser)
{
  GArray *code = parser->syntax->code;
  uint32_t start = code->len;
  uint32_t pos = parser->token.pos;
  if (!dae_parse_expression(parser)) {
    return false;
  }
  if (parser->token.kind == DAE_TOKEN_EQUALS) {
    dae_parser_advance(parser);
    if (!dae_parse_expression(parser)) {
      return false;
    }
    dae_parser_emit(parser, DAE_OP_EQUATION, 0, 0, pos);
    return true;
  }
  if (parser->token.kind == DAE_TOKEN_ASSIGN) {
    dae_source_error(parser->source, parser->token.pos, "':=' in an equation: write '='");
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
  dae_parser_unexpected(parser, "'=' (an equation has two sides)");
  return false;
}

/* ---- for ---------------------------------------------------------------------------------------- */

static bool
parse_iterator(DaeParser *parser, Block *block)
{
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of an iterator");
    return false;
  }
  DaeToken iterator = parser->token;
  dae_parser_advance(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_IN, "'in'") || !dae_parse_expression(parser)) {
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
end_for(DaeParser *parser, const Block *block)
{
  uint32_t loop = block->open;
  for (uint32_t i = 0; i < block->n; i++) {
    DAE_ASSERT(loop != 0);
    uint32_t outer = dae_syntax_code(parser->syntax, loop)->arg;
    uint32_t end = dae_parser_emit(parser, DAE_OP_ENDFOR, 0, 0, block->pos);
    dae_syntax_code(parser->syntax, end)->arg = end - loop;
    dae_syntax_code(parser->syntax, loop)->arg = end + 1 - loop;
    loop = outer;
  }
}

/* ---- if ------------------------------------------------------------------------------------------ */

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

/* Is a block open that `end for` or `end if` closes? */
static bool
has_block(const GArray *blocks, DaeTokenKind end)
{
  for (uint32_t i = 0; i < blocks->len; i++) {
    BlockKind kind = g_array_index(blocks, Block, i).kind;
    if (end == (kind == BLOCK_FOR ? DAE_TOKEN_FOR : DAE_TOKEN_IF)) {
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
  const char *wanted = block->kind == BLOCK_FOR ? "end for" : "end if";
  DaeTokenKind kind = block->kind == BLOCK_FOR ? DAE_TOKEN_FOR : DAE_TOKEN_IF;
  DaeTokenKind next = dae_parser_peek(parser);
  if (next == kind) {
    dae_parser_advance(parser);
    dae_parser_advance(parser);
    finish_statement(parser, wanted);
  } else {
    DaeSpan span = dae_source_span(parser->source, block->pos);
    dae_source_error(parser->source, pos, "expected '%s' for the block that begins in line %u",
                     wanted, span.line);
    if (next != DAE_TOKEN_FOR && next != DAE_TOKEN_IF) {
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
  } else {
    end_if(parser, block);
  }
  g_array_set_size(blocks, blocks->len - 1);
  return true;
}

/* ---- sections -------------------------------------------------------------------------------------- */

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
    return false;
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

static void
parse_unsupported_statement(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  if (parser->token.kind == DAE_TOKEN_WHEN) {
    uint32_t text = dae_names_intern(parser->names, "when-equations", 14);
    dae_parser_emit(parser, DAE_OP_UNSUPPORTED, 0, text, pos);
    skip_block(parser);
  } else {
    dae_source_error(
        parser->source, pos,
        "'connect' is not flat Modelica: flatten the model first (OpenModelica: omc FILE.mo)");
    dae_parser_recover(parser);
  }
}

/* One equation or the beginning, middle or end of a block; false: `end` of something else. */
static bool
parse_statement(DaeParser *parser, GArray *blocks)
{
  uint32_t start = parser->syntax->code->len;
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
  case DAE_TOKEN_CONNECT:
    parse_unsupported_statement(parser);
    break;
  case DAE_TOKEN_SEMICOLON:
    dae_parser_advance(parser);
    break;
  default:
    good = parse_equation(parser);
    if (good) {
      finish_statement(parser, "the equation");
    } else {
      g_array_set_size(parser->syntax->code, start); /* blocks around it stay whole */
    }
    break;
  }
  if (!good) {
    dae_parser_recover(parser);
  }
  return true;
}

void
dae_parse_section(DaeParser *parser, uint32_t owner, bool is_initial)
{
  DaeSection section = {
      .owner = owner, .code = parser->syntax->code->len, .is_initial = is_initial};
  uint32_t errors = parser->source->n_errors;
  g_autoptr(GArray) blocks = g_array_new(FALSE, TRUE, sizeof(Block));
  while (!ends_section(parser) && !at_initial_section(parser) &&
         !dae_source_is_full(parser->source)) {
    if (parser->token.kind == DAE_TOKEN_END && blocks->len == 0) {
      break;
    }
    if (!parse_statement(parser, blocks)) {
      break;
    }
  }
  if (blocks->len > 0 && parser->source->n_errors == errors) {
    const Block *block = &g_array_index(blocks, Block, blocks->len - 1);
    dae_source_error(parser->source, block->pos, "this block never ends: '%s' is missing",
                     block->kind == BLOCK_FOR ? "end for" : "end if");
  }
  if (blocks->len > 0) { /* the code has open jumps: leave it out, an error was reported */
    g_array_set_size(parser->syntax->code, section.code);
  }
  dae_parser_emit(parser, DAE_OP_RETURN, 0, 0, parser->token.pos);
  g_array_append_val(parser->syntax->sections, section);
}
