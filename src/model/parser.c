/* What all parts of the parser share: tokens, code, recovery after a mistake. */
#include "model/model-priv.h"

#include <string.h>

void
dae_syntax_init(DaeSyntax *syntax)
{
  *syntax = (DaeSyntax){0};
  syntax->code = g_array_new(FALSE, TRUE, sizeof(DaeInstruction));
  syntax->declarations = g_array_new(FALSE, TRUE, sizeof(DaeDeclaration));
  syntax->modifications = g_array_new(FALSE, TRUE, sizeof(DaeModification));
  syntax->types = g_array_new(FALSE, TRUE, sizeof(DaeTypeDefinition));
  syntax->literals = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  syntax->classes = g_array_new(FALSE, TRUE, sizeof(DaeClass));
  syntax->sections = g_array_new(FALSE, TRUE, sizeof(DaeSection));
  syntax->paths = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  syntax->functions = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  syntax->records = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  g_array_set_size(syntax->code, 1);
  g_array_set_size(syntax->declarations, 1);
  g_array_set_size(syntax->types, 1);
  g_array_set_size(syntax->classes, 1);
}

void
dae_syntax_clear(DaeSyntax *syntax)
{
  GArray *all[] = {syntax->code,     syntax->declarations, syntax->modifications,
                   syntax->types,    syntax->literals,     syntax->classes,
                   syntax->sections, syntax->paths,        syntax->functions,
                   syntax->records};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_array_free(all[i], TRUE);
  }
  *syntax = (DaeSyntax){0};
}

uint32_t
dae_syntax_begin_of(const DaeSyntax *syntax, uint32_t code)
{
  while (dae_syntax_code(syntax, code)->op != DAE_OP_RETURN) {
    code++;
  }
  return dae_syntax_code(syntax, code)->pos;
}

void
dae_parser_init(DaeParser *parser, DaeTerms *terms, DaeSource *source, DaeNames *names,
                DaeSyntax *syntax, const char *text, size_t length)
{
  *parser = (DaeParser){.terms = terms, .source = source, .names = names, .syntax = syntax};
  dae_lexer_init(&parser->lexer, source, names, text, length);
  parser->frames = NULL; /* made by parse_expression.c, which knows their size */
  parser->parts = g_array_new(FALSE, TRUE, 2 * sizeof(uint32_t));
  parser->scratch = g_string_new(NULL);
  dae_parser_advance(parser);
}

void
dae_parser_clear(DaeParser *parser)
{
  if (parser->frames != NULL) {
    g_array_free(parser->frames, TRUE);
  }
  g_array_free(parser->parts, TRUE);
  g_string_free(parser->scratch, TRUE);
}

void
dae_parser_advance(DaeParser *parser)
{
  parser->previous = parser->token;
  parser->token = dae_lexer_next(&parser->lexer);
  while (parser->token.kind == DAE_TOKEN_AT) { /* @17: a position in the source of the source */
    parser->token = dae_lexer_next(&parser->lexer);
    if (parser->token.kind == DAE_TOKEN_NUMBER) {
      parser->token = dae_lexer_next(&parser->lexer);
    }
  }
}

bool
dae_parser_accept(DaeParser *parser, DaeTokenKind kind)
{
  if (parser->token.kind != kind) {
    return false;
  }
  dae_parser_advance(parser);
  return true;
}

char *
dae_parser_describe_token(const DaeParser *parser, DaeToken token)
{
  if (token.kind == DAE_TOKEN_EOF) {
    return g_strdup(parser->source->context != NULL ? "the end of the text"
                                                    : "the end of the file");
  }
  if (token.kind == DAE_TOKEN_STRING) {
    return g_strdup("a string");
  }
  int length = token.length > 40 ? 40 : (int)token.length;
  const char *dots = token.length > 40 ? "..." : "";
  const char *text = parser->lexer.text + token.pos;
  if (*text == '\'') {
    return g_strdup_printf("%.*s%s", length, text, dots);
  }
  return g_strdup_printf("'%.*s%s'", length, text, dots);
}

void
dae_parser_unexpected(DaeParser *parser, const char *expected)
{
  if (parser->token.kind != DAE_TOKEN_ERROR) {
    g_autofree char *found = dae_parser_describe_token(parser, parser->token);
    dae_source_error(parser->source, parser->token.pos, "expected %s, found %s", expected,
                     found);
  }
}

bool
dae_parser_expect(DaeParser *parser, DaeTokenKind kind, const char *what)
{
  if (parser->token.kind == kind) {
    dae_parser_advance(parser);
    return true;
  }
  dae_parser_unexpected(parser, what);
  return false;
}

uint32_t
dae_parser_emit(DaeParser *parser, DaeOp op, uint32_t n, uint32_t arg, uint32_t pos)
{
  uint32_t at = parser->syntax->code->len;
  DaeInstruction instruction = {.op = op & 0xffu, .n = n & 0xffffffu, .arg = arg, .pos = pos};
  g_array_append_val(parser->syntax->code, instruction);
  return at;
}

/* Keywords that cannot stand inside an expression or a declaration: what follows is something new. */
static bool
begins_something(DaeTokenKind kind)
{
  return kind == DAE_TOKEN_EQUATION || kind == DAE_TOKEN_ALGORITHM ||
         kind == DAE_TOKEN_PROTECTED || kind == DAE_TOKEN_PUBLIC || kind == DAE_TOKEN_MODEL ||
         kind == DAE_TOKEN_CLASS || kind == DAE_TOKEN_PACKAGE || kind == DAE_TOKEN_EOF;
}

DaeTokenKind
dae_parser_peek(const DaeParser *parser)
{
  DaeLexer ahead = parser->lexer;
  uint32_t errors = ahead.source->n_errors;
  ahead.source->n_errors = DAE_MAX_ERRORS; /* silent: the token will be read again */
  DaeToken token = dae_lexer_next(&ahead);
  ahead.source->n_errors = errors;
  return token.kind;
}

void
dae_parser_recover(DaeParser *parser)
{
  while (parser->token.kind != DAE_TOKEN_SEMICOLON && !begins_something(parser->token.kind)) {
    if (parser->token.kind == DAE_TOKEN_END) {
      DaeTokenKind next = dae_parser_peek(parser);
      if (next == DAE_TOKEN_FOR || next == DAE_TOKEN_IF || next == DAE_TOKEN_NAME) {
        return; /* what is open is closed by the caller */
      }
    }
    dae_parser_advance(parser);
  }
  dae_parser_accept(parser, DAE_TOKEN_SEMICOLON);
}

static char
decode_escape(char c)
{
  switch (c) {
  case 'a':
    return '\a';
  case 'b':
    return '\b';
  case 'f':
    return '\f';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case 'v':
    return '\v';
  default:
    return c; /* \' \" \? \\ stand for themselves */
  }
}

uint32_t
dae_parser_string(DaeParser *parser)
{
  const char *text = parser->lexer.text + parser->token.pos;
  size_t length = parser->token.length - 1; /* of the closing quote */
  g_string_truncate(parser->scratch, 0);
  for (size_t i = 1; i < length; i++) {
    if (text[i] == '\\' && i + 1 < length) {
      i++;
      g_string_append_c(parser->scratch, decode_escape(text[i]));
    } else if (text[i] == '\r') { /* every line end inside a string is one \n */
      i += i + 1 < length && text[i + 1] == '\n';
      g_string_append_c(parser->scratch, '\n');
    } else if (text[i] != '\0') {
      g_string_append_c(parser->scratch, text[i]);
    }
  }
  uint32_t name = dae_names_intern(parser->names, parser->scratch->str, parser->scratch->len);
  dae_parser_advance(parser);
  return name;
}

uint32_t
dae_parser_optional_strings(DaeParser *parser)
{
  if (parser->token.kind != DAE_TOKEN_STRING) {
    return 0;
  }
  uint32_t name = dae_parser_string(parser);
  while (parser->token.kind == DAE_TOKEN_PLUS) {
    dae_parser_advance(parser);
    if (parser->token.kind != DAE_TOKEN_STRING) {
      dae_parser_unexpected(parser, "a string after '+'");
      return name;
    }
    uint32_t next = dae_parser_string(parser);
    g_autofree char *both = g_strconcat(dae_names_text(parser->names, name),
                                        dae_names_text(parser->names, next), NULL);
    name = dae_names_intern(parser->names, both, strlen(both));
  }
  return name;
}
