/* Text to DaeSyntax: lexer and parser of the full Modelica grammar [MLS,
 * appendix A]. Nothing here recurses. */
#ifndef DAE_PARSER_PARSER_H
#define DAE_PARSER_PARSER_H

#include "parser/syntax.h"

/* ---- lexer.c --------------------------------------------------------------------------------- */

typedef enum {
  DAE_TOKEN_EOF,
  DAE_TOKEN_ERROR /* already reported */,
  DAE_TOKEN_NAME,
  DAE_TOKEN_NUMBER,
  DAE_TOKEN_STRING,
  DAE_TOKEN_LPAREN,
  DAE_TOKEN_RPAREN,
  DAE_TOKEN_LBRACKET,
  DAE_TOKEN_RBRACKET,
  DAE_TOKEN_LBRACE,
  DAE_TOKEN_RBRACE,
  DAE_TOKEN_COMMA,
  DAE_TOKEN_SEMICOLON,
  DAE_TOKEN_COLON,
  DAE_TOKEN_DOT,
  DAE_TOKEN_EQUALS,
  DAE_TOKEN_ASSIGN,
  DAE_TOKEN_PLUS,
  DAE_TOKEN_MINUS,
  DAE_TOKEN_TIMES,
  DAE_TOKEN_DIVIDE,
  DAE_TOKEN_POWER,
  DAE_TOKEN_DOT_PLUS,
  DAE_TOKEN_DOT_MINUS,
  DAE_TOKEN_DOT_TIMES,
  DAE_TOKEN_DOT_DIVIDE,
  DAE_TOKEN_DOT_POWER,
  DAE_TOKEN_LT,
  DAE_TOKEN_LE,
  DAE_TOKEN_GT,
  DAE_TOKEN_GE,
  DAE_TOKEN_EQ,
  DAE_TOKEN_NE,
  DAE_TOKEN_AT,
  /* keywords, in the order of the table in names.c */
  DAE_TOKEN_ALGORITHM,
  DAE_TOKEN_AND,
  DAE_TOKEN_ANNOTATION,
  DAE_TOKEN_BLOCK,
  DAE_TOKEN_CLASS,
  DAE_TOKEN_CONNECT,
  DAE_TOKEN_CONNECTOR,
  DAE_TOKEN_CONSTANT,
  DAE_TOKEN_DER,
  DAE_TOKEN_DISCRETE,
  DAE_TOKEN_EACH,
  DAE_TOKEN_ELSE,
  DAE_TOKEN_ELSEIF,
  DAE_TOKEN_ELSEWHEN,
  DAE_TOKEN_ENCAPSULATED,
  DAE_TOKEN_END,
  DAE_TOKEN_ENUMERATION,
  DAE_TOKEN_EQUATION,
  DAE_TOKEN_EXPANDABLE,
  DAE_TOKEN_EXTENDS,
  DAE_TOKEN_EXTERNAL,
  DAE_TOKEN_FALSE,
  DAE_TOKEN_FINAL,
  DAE_TOKEN_FLOW,
  DAE_TOKEN_FOR,
  DAE_TOKEN_FUNCTION,
  DAE_TOKEN_IF,
  DAE_TOKEN_IMPORT,
  DAE_TOKEN_IMPURE,
  DAE_TOKEN_IN,
  DAE_TOKEN_INITIAL,
  DAE_TOKEN_INNER,
  DAE_TOKEN_INPUT,
  DAE_TOKEN_LOOP,
  DAE_TOKEN_MODEL,
  DAE_TOKEN_NOT,
  DAE_TOKEN_OPERATOR,
  DAE_TOKEN_OR,
  DAE_TOKEN_OUTER,
  DAE_TOKEN_OUTPUT,
  DAE_TOKEN_PACKAGE,
  DAE_TOKEN_PARAMETER,
  DAE_TOKEN_PARTIAL,
  DAE_TOKEN_PROTECTED,
  DAE_TOKEN_PUBLIC,
  DAE_TOKEN_PURE,
  DAE_TOKEN_RECORD,
  DAE_TOKEN_REDECLARE,
  DAE_TOKEN_REPLACEABLE,
  DAE_TOKEN_STREAM,
  DAE_TOKEN_THEN,
  DAE_TOKEN_TRUE,
  DAE_TOKEN_TYPE,
  DAE_TOKEN_WHEN,
  DAE_TOKEN_WHILE,
  DAE_TOKEN_WITHIN
} DaeTokenKind;

#define DAE_N_KEYWORDS ((uint32_t)(DAE_TOKEN_WITHIN - DAE_TOKEN_ALGORITHM) + 1u)

typedef struct {
  DaeTokenKind kind;
  uint32_t pos; /* place of the first byte */
  uint32_t length;
  uint32_t name; /* NAME and keywords: the interned (dotted) name */
} DaeToken;

typedef struct {
  DaeSource *source;
  DaeNames *names;
  const char *text;
  size_t length;
  size_t at;
  uint32_t base; /* place of text[0] */
  bool is_cut;   /* a comment or string went on to the end of the text; reported */
} DaeLexer;

void dae_lexer_init(DaeLexer *lexer, DaeSource *source, DaeNames *names, const char *text,
                    size_t length, uint32_t base);
DaeToken dae_lexer_next(DaeLexer *lexer);
/* To the bracket that closes what is open, or to a comma before it, by bytes: nothing is
 * interned. False: the text ends before. */
bool dae_lexer_skip_balanced(DaeLexer *lexer, bool stops_at_comma);

static inline const char *
dae_lexer_token_text(const DaeLexer *lexer, DaeToken token)
{
  return lexer->text + (token.pos - lexer->base);
}

/* ---- parse_*.c --------------------------------------------------------------------------- */

/* A subpartition of Base Modelica: names, and its place. clock 0: none. */
typedef struct {
  uint32_t clock, method, pos;
} DaePartition;

typedef struct { /* code of an attribute that is a literal */
  DaeInstruction literal;
  uint32_t code; /* 0: none */
} DaeSharedLiteral;

enum { DAE_N_SHARED_LITERALS = 64 };

typedef struct {
  DaeSource *source;
  DaeNames *names;
  DaeSyntax *syntax;
  DaeLexer lexer;
  DaeToken token;    /* the one to look at */
  DaeToken previous; /* the one before it */
  uint32_t within;   /* name behind `within`; 0: none */
  uint32_t owner;    /* class of the section under way */
  DaePartition part; /* that of the sections that follow */
  GArray *lists;     /* open lists of modifiers */
  bool may_deselect; /* the list is that of an extends-clause */
  bool is_flat;      /* the list is that of a component with a flat name */
  DaeSharedLiteral shared[DAE_N_SHARED_LITERALS];
  GArray *frames;    /* open operators and brackets of expressions */
  guint frames_room; /* see dae_array_push */
  GArray *parts;     /* parts of the references that are open */
  GString *scratch;
  uint32_t n_parts; /* of the reference under way */
  uint64_t moved;   /* instructions moved by comprehensions */
} DaeParser;

void dae_parser_init(DaeParser *parser, DaeSource *source, DaeNames *names, DaeSyntax *syntax,
                     const char *text, size_t length, uint32_t base);
void dae_parser_clear(DaeParser *parser);
void dae_parser_advance(DaeParser *parser);
bool dae_parser_accept(DaeParser *parser, DaeTokenKind kind);
/* Reports `expected WHAT` at the token unless it is an error token. False
 * if the token is another one. */
bool dae_parser_expect(DaeParser *parser, DaeTokenKind kind, const char *what);
void dae_parser_unexpected(DaeParser *parser, const char *expected);
char *dae_parser_describe_token(const DaeParser *parser, DaeToken token); /* (transfer full) */
uint32_t dae_parser_emit(DaeParser *parser, DaeOp op, uint32_t n, uint32_t arg, uint32_t pos);
DaeTokenKind dae_parser_peek(const DaeParser *parser); /* kind of the token after the next */
/* Skips to the `;` at bracket level 0 and over it, or to a keyword that begins something else. */
void dae_parser_recover(DaeParser *parser);
/* Only the `;` is missing, most likely: points behind what came before and goes on in the next
 * line. What follows in the same line may belong to the same mistake and is skipped. */
void dae_parser_miss_semicolon(DaeParser *parser, const char *what);
uint32_t dae_parser_string(
    DaeParser *parser); /* the token is a STRING: its decoded text as name; advances */
uint32_t dae_parser_optional_strings(DaeParser *parser); /* "a" + "b"; 0: none */

/* Appends the code of one expression, without RETURN. False: reported. */
bool dae_parse_expression(DaeParser *parser);
/* Code of its own, with RETURN; 0: reported. */
uint32_t dae_parse_expression_code(DaeParser *parser);
/* `[a, b, :]` after the opening bracket was seen but not consumed; one code that
 * leaves *n values. 0: reported. */
uint32_t dae_parse_dimensions(DaeParser *parser, uint32_t *n);
/* Behind its keywords, which begin at pos. */
void dae_parse_section(DaeParser *parser, uint32_t owner, uint32_t pos, bool is_initial,
                       bool is_algorithm);
void dae_parse_file(DaeParser *parser);

#endif
