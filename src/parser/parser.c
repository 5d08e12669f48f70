/* What all parts of the parser share: tokens, code, recovery after a mistake. */
#include "parser/parser.h"

#include <string.h>

void
dae_parser_init(DaeParser *parser, DaeSource *source, DaeNames *names, DaeSyntax *syntax,
                const char *text, size_t length, uint32_t base)
{
  *parser = (DaeParser){.source = source, .names = names, .syntax = syntax};
  dae_lexer_init(&parser->lexer, source, names, text, length, base);
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
  if (parser->lists != NULL) {
    g_array_free(parser->lists, TRUE);
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
  const char *text = dae_lexer_token_text(&parser->lexer, token);
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
  return dae_syntax_emit(parser->syntax, op, n, arg, pos);
}

/* Keywords that cannot stand inside an expression or a declaration:
 * what follows is something new. */
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
      if (next == DAE_TOKEN_FOR || next == DAE_TOKEN_IF || next == DAE_TOKEN_NAME ||
          next == DAE_TOKEN_WHEN || next == DAE_TOKEN_WHILE) {
        return; /* what is open is closed by the caller */
      }
    }
    dae_parser_advance(parser);
  }
  dae_parser_accept(parser, DAE_TOKEN_SEMICOLON);
}

void
dae_parser_miss_semicolon(DaeParser *parser, const char *what)
{
  uint32_t end = parser->previous.pos + parser->previous.length;
  dae_source_error(parser->source, end - 1, "expected ';' after %s", what);
  const char *between = parser->lexer.text + (end - parser->lexer.base);
  if (memchr(between, '\n', parser->token.pos - end) == NULL) {
    dae_parser_recover(parser);
  }
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
  const char *text = dae_lexer_token_text(&parser->lexer, parser->token);
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
