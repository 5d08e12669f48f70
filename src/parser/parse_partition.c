/* Clock partitions of Base Modelica [MCP-0031, Clock partitions]: after `partition` its clocks are
 * declared, then `subpartition (clock = c, solverMethod = "...")` leads the equations on one of
 * them. These are equations under `when c then`, or under `when Clock(c, "...") then`. */
#include <string.h>

#include "parser/parse.h"

bool
dae_parse_at_partition(const DaeParser *parser)
{
  return parser->syntax->is_base && (dae_parse_at_word(parser, "partition") ||
                                     (dae_parse_at_word(parser, "subpartition") &&
                                      dae_parser_peek(parser) == DAE_TOKEN_LPAREN));
}

/* One `word = value` of a subpartition, at the word. */
static bool
parse_detail(DaeParser *parser)
{
  bool is_clock = dae_parse_at_word(parser, "clock");
  uint32_t *detail = is_clock ? &parser->part.clock : &parser->part.method;
  if (!is_clock && !dae_parse_at_word(parser, "solverMethod")) {
    dae_parser_unexpected(parser, "'clock' or 'solverMethod'");
    return false;
  }
  if (*detail != 0) {
    dae_source_error(parser->source, parser->token.pos, "'%s' is given twice",
                     is_clock ? "clock" : "solverMethod");
    return false;
  }
  dae_parser_advance(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_EQUALS, "'='")) {
    return false;
  }
  if (is_clock) {
    *detail = dae_parse_name(parser, "the name of a clock");
  } else if (parser->token.kind == DAE_TOKEN_STRING) {
    *detail = dae_parser_string(parser);
  } else {
    dae_parser_unexpected(parser, "the name of a method as a string");
  }
  return *detail != 0;
}

static bool
parse_details(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  dae_parser_advance(parser); /* the opening bracket is there */
  do {
    if (!parse_detail(parser)) {
      return false;
    }
  } while (dae_parser_accept(parser, DAE_TOKEN_COMMA));
  if (parser->part.clock == 0) {
    dae_source_error(parser->source, pos, "a subpartition has a clock: clock = c");
    return false;
  }
  return dae_parser_expect(parser, DAE_TOKEN_RPAREN, "')'");
}

void
dae_parse_partition(DaeParser *parser)
{
  bool is_part = dae_parse_at_word(parser, "subpartition");
  parser->part = (DaePartition){.pos = parser->token.pos};
  dae_parser_advance(parser);
  if (is_part && !parse_details(parser)) {
    dae_parser_recover(parser);
    return;
  }
  dae_parser_optional_strings(parser);
  if (parser->token.kind == DAE_TOKEN_ANNOTATION &&
      (!dae_parse_skip_annotation(parser) ||
       !dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'"))) {
    dae_parser_recover(parser);
  }
}

uint32_t
dae_partition_begin(DaeParser *parser)
{
  const DaePartition *part = &parser->part;
  if (part->clock == 0) {
    return 0;
  }
  dae_parser_emit(parser, DAE_OP_NAME, 0, part->clock, part->pos);
  if (part->method != 0 && *dae_names_text(parser->names, part->method) != '\0') {
    dae_parser_emit(parser, DAE_OP_STRING, 0, part->method, part->pos);
    dae_parser_emit(parser, DAE_OP_CALL, 2, dae_names_intern(parser->names, "Clock", 5),
                    part->pos);
  }
  return dae_parser_emit(parser, DAE_OP_WHEN, 0, 0, part->pos);
}

void
dae_partition_end(DaeParser *parser, uint32_t when)
{
  uint32_t last = dae_parser_emit(parser, DAE_OP_ELSEWHEN, 0, 0, parser->part.pos);
  dae_syntax_code(parser->syntax, when)->arg = last + 1 - when;
  uint32_t end = dae_parser_emit(parser, DAE_OP_ENDWHEN, 0, 0, parser->part.pos);
  dae_syntax_code(parser->syntax, last)->arg = end - last;
}
