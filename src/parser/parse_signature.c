/* Types of functions as OpenModelica prints them where a function is an argument:
 * `input f<function>(#Real x, #Integer n) => #Real f`. Each stands for a partial function. */
#include <string.h>

#include "parser/parse.h"

bool
dae_parse_at_signature(const DaeParser *parser)
{
  return parser->token.kind == DAE_TOKEN_LT && dae_parser_peek(parser) == DAE_TOKEN_FUNCTION;
}

/* A type, and the name of an input behind it; results have no names. */
static bool
parse_member(DaeParser *parser, uint32_t class, uint32_t flag)
{
  DaeDeclaration member = {.owner = class, .flags = flag, .type_pos = parser->token.pos};
  member.pos = member.type_pos;
  member.type = dae_parse_name(parser, "a type");
  if (member.type != 0 && parser->token.kind == DAE_TOKEN_LBRACKET) {
    uint32_t n = 0;
    member.type_dims_code = dae_parse_dimensions(parser, &n);
    member.n_type_dims = n & 0xffffu;
    if (member.type_dims_code == 0) {
      return false;
    }
  }
  if (member.type == 0) {
    return false;
  }
  if (flag == DAE_FLAG_INPUT) {
    member.name = parser->token.kind == DAE_TOKEN_NAME ? parser->token.name : 0;
    if (!dae_parser_expect(parser, DAE_TOKEN_NAME, "the name of an input")) {
      return false;
    }
  } else {
    g_autofree char *name = g_strdup_printf("$result%u", parser->syntax->declarations->len);
    member.name = dae_names_intern(parser->names, name, strlen(name));
  }
  g_array_append_val(parser->syntax->declarations, member);
  return true;
}

static bool
parse_members(DaeParser *parser, uint32_t class, uint32_t flag)
{
  dae_parser_advance(parser); /* the opening bracket */
  while (parser->token.kind != DAE_TOKEN_RPAREN) {
    if (!parse_member(parser, class, flag) || (!dae_parser_accept(parser, DAE_TOKEN_COMMA) &&
                                               parser->token.kind != DAE_TOKEN_RPAREN)) {
      return false;
    }
  }
  dae_parser_advance(parser);
  return true;
}

uint32_t
dae_parse_signature(DaeParser *parser)
{
  DaeSyntax *syntax = parser->syntax;
  g_autofree char *name = g_strdup_printf("$function%u", syntax->classes->len);
  DaeClass class = {.name = dae_names_intern(parser->names, name, strlen(name)),
                    .pos = parser->token.pos,
                    .kind = DAE_CLASS_FUNCTION,
                    .flags = DAE_FLAG_PARTIAL};
  uint32_t index = syntax->classes->len;
  g_array_append_val(syntax->classes, class);
  dae_parser_advance(parser);
  dae_parser_advance(parser); /* <function */
  bool good = dae_parser_expect(parser, DAE_TOKEN_GT, "'>'");
  if (good && parser->token.kind != DAE_TOKEN_LPAREN) {
    dae_parser_unexpected(parser, "'('");
    good = false;
  }
  good = good && parse_members(parser, index, DAE_FLAG_INPUT) &&
         dae_parser_expect(parser, DAE_TOKEN_EQUALS, "'=>'") &&
         dae_parser_expect(parser, DAE_TOKEN_GT, "'=>'");
  good = good && (parser->token.kind == DAE_TOKEN_LPAREN
                      ? parse_members(parser, index, DAE_FLAG_OUTPUT)
                      : parse_member(parser, index, DAE_FLAG_OUTPUT));
  return good ? class.name : 0;
}
