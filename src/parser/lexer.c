/* Bytes to tokens. A dotted name (a.b.c, 'a'.'b') without blanks is one token. */
#include "parser/parser.h"

#include <string.h>

void
dae_lexer_init(DaeLexer *lexer, DaeSource *source, DaeNames *names, const char *text,
               size_t length, uint32_t base)
{
  *lexer = (DaeLexer){source, names, text, length, 0, base, false};
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
    lexer->at = 3; /* byte order mark */
  }
}

/* Bits of what a byte may be: a table, since most bytes of a large text are asked here. */
enum { LETTER = 1, DIGIT = 2, BLANK = 4 };

#define NONE_8 0, 0, 0, 0, 0, 0, 0, 0
#define LETTERS_8 1, 1, 1, 1, 1, 1, 1, 1
static const uint8_t byte_classes[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, /* blanks begin at the tabulator, 9 */
    0, 4, 4, 4, 4, 4, 0, 0, NONE_8,    NONE_8,    4, 0, 0, 0, 1, 0, 0, 0, NONE_8, /*  $ */
    2, 2, 2, 2, 2, 2, 2, 2, 2,         2,         0, 0, 0, 0, 0, 0,               /* 0 ... 9 */
    0, 1, 1, 1, 1, 1, 1, 1, LETTERS_8, LETTERS_8, 1, 1, 1, 0, 0, 0, 0, 1, /* A ... Z _ */
    0, 1, 1, 1, 1, 1, 1, 1, LETTERS_8, LETTERS_8, 1, 1, 1, 0, 0, 0, 0, 0, /* a ... z */
};

static inline bool
is_of_class(char c, uint8_t classes)
{
  return (byte_classes[(unsigned char)c] & classes) != 0;
}

static inline bool
is_letter(char c)
{
  return is_of_class(c, LETTER);
}

static inline bool
is_digit(char c)
{
  return is_of_class(c, DIGIT);
}

/* The first place from `at` on whose byte is of none of the classes, or the end. */
static inline size_t
skip_classes(const DaeLexer *lexer, size_t at, uint8_t classes)
{
  const char *text = lexer->text;
  size_t length = lexer->length;
  while (at < length && is_of_class(text[at], classes)) {
    at++;
  }
  return at;
}

static inline uint32_t
place(const DaeLexer *lexer, size_t at)
{
  return lexer->base + (uint32_t)at;
}

static inline char
peek(const DaeLexer *lexer, size_t ahead)
{
  return lexer->at + ahead < lexer->length ? lexer->text[lexer->at + ahead] : '\0';
}

static void
report_nul(DaeLexer *lexer, size_t at)
{
  dae_source_error(lexer->source, place(lexer, at), "a NUL byte (is this a text file?)");
}

/* After the opening mark; true if the closing one was found. Reports NUL bytes once. */
static bool
skip_block_comment(DaeLexer *lexer)
{
  bool reported = false;
  while (lexer->at < lexer->length) {
    char c = lexer->text[lexer->at];
    if (c == '*' && peek(lexer, 1) == '/') {
      lexer->at += 2;
      return true;
    }
    if (c == '\0' && !reported) {
      report_nul(lexer, lexer->at);
      reported = true;
    }
    lexer->at++;
  }
  return false;
}

static void
skip_line_comment(DaeLexer *lexer)
{
  bool reported = false;
  while (lexer->at < lexer->length && lexer->text[lexer->at] != '\n' &&
         lexer->text[lexer->at] != '\r') {
    if (lexer->text[lexer->at] == '\0' && !reported) {
      report_nul(lexer, lexer->at);
      reported = true;
    }
    lexer->at++;
  }
}

static void
skip_blanks(DaeLexer *lexer)
{
  while ((lexer->at = skip_classes(lexer, lexer->at, BLANK)) < lexer->length) {
    char c = lexer->text[lexer->at];
    if (c == '/' && peek(lexer, 1) == '/') {
      skip_line_comment(lexer);
    } else if (c == '/' && peek(lexer, 1) == '*') {
      size_t start = lexer->at;
      lexer->at += 2;
      if (!skip_block_comment(lexer)) {
        lexer->is_cut = true;
        dae_source_error(lexer->source, place(lexer, start),
                         "this comment never ends: '*/' is missing");
      }
    } else {
      return;
    }
  }
}

/* Escape sequences of terminals have no place in a name that is printed. */
static bool
is_control(char c)
{
  return ((unsigned char)c < 0x20 && c != '\n' && c != '\r' && c != '\0') || c == 0x7f;
}

/* The quote at start is meant as the sign of a derivative: x' = -y'. Reported; what follows it is
 * read. */
static bool
is_prime(DaeLexer *lexer, size_t start, bool is_closed)
{
  bool follows_name = start > 0 && (g_ascii_isalnum(lexer->text[start - 1]) ||
                                    strchr("_)]", lexer->text[start - 1]) != NULL);
  if (!follows_name ||
      (is_closed && memchr(lexer->text + start, '=', lexer->at - start) == NULL)) {
    return false;
  }
  dae_source_error(lexer->source, place(lexer, start),
                   "a derivative is written der(x), not x'");
  lexer->at = start + 1;
  return true;
}

/* 'quoted identifier', at the first quote. The quotes belong to the name. */
static bool
skip_quoted(DaeLexer *lexer)
{
  size_t start = lexer->at;
  lexer->at++;
  while (lexer->at < lexer->length) {
    char c = lexer->text[lexer->at];
    if (c == '\'') {
      lexer->at++;
      if (lexer->at - start == 2) {
        dae_source_error(lexer->source, place(lexer, start), "an empty quoted identifier");
        return false;
      }
      return !is_prime(lexer, start, true);
    }
    if (c == '\n' || c == '\r' || c == '\0') {
      break;
    }
    if (is_control(c)) {
      dae_source_error(lexer->source, place(lexer, lexer->at),
                       "byte 0x%02x in a quoted identifier", (unsigned)(unsigned char)c);
      return false;
    }
    bool is_escape =
        c == '\\' && lexer->at + 1 < lexer->length && !is_control(lexer->text[lexer->at + 1]);
    lexer->at += is_escape ? 2 : 1;
  }
  lexer->at = lexer->at < lexer->length ? lexer->at : lexer->length;
  if (!is_prime(lexer, start, false)) {
    dae_source_error(lexer->source, place(lexer, start),
                     "this quoted identifier never ends: \"'\" is missing");
  }
  return false;
}

static bool
skip_identifier(DaeLexer *lexer)
{
  if (lexer->text[lexer->at] == '\'') {
    return skip_quoted(lexer);
  }
  lexer->at = skip_classes(lexer, lexer->at, LETTER | DIGIT);
  return true;
}

static DaeToken
read_name(DaeLexer *lexer)
{
  size_t start = lexer->at;
  bool good = skip_identifier(lexer);
  while (good && peek(lexer, 0) == '.' &&
         (is_letter(peek(lexer, 1)) || peek(lexer, 1) == '\'')) {
    lexer->at++;
    good = skip_identifier(lexer);
  }
  DaeToken token = {DAE_TOKEN_NAME, place(lexer, start), (uint32_t)(lexer->at - start), 0};
  if (!good) {
    token.kind = DAE_TOKEN_ERROR;
    return token;
  }
  token.name = dae_names_intern(lexer->names, lexer->text + start, lexer->at - start);
  if (token.name <= DAE_N_KEYWORDS) {
    token.kind = (DaeTokenKind)((uint32_t)DAE_TOKEN_ALGORITHM + token.name - 1);
  }
  return token;
}

static DaeToken
read_number(DaeLexer *lexer)
{
  size_t start = lexer->at;
  while (is_digit(peek(lexer, 0))) {
    lexer->at++;
  }
  if (peek(lexer, 0) == '.' && !is_letter(peek(lexer, 1))) {
    lexer->at++;
    while (is_digit(peek(lexer, 0))) {
      lexer->at++;
    }
  } else if (peek(lexer, 0) == '.' && (peek(lexer, 1) == 'e' || peek(lexer, 1) == 'E')) {
    lexer->at++;
  }
  if (peek(lexer, 0) == 'e' || peek(lexer, 0) == 'E') {
    size_t digits = peek(lexer, 1) == '+' || peek(lexer, 1) == '-' ? 2 : 1;
    if (is_digit(peek(lexer, digits))) {
      lexer->at += digits;
      while (is_digit(peek(lexer, 0))) {
        lexer->at++;
      }
    }
  }
  DaeToken token = {DAE_TOKEN_NUMBER, place(lexer, start), (uint32_t)(lexer->at - start), 0};
  if (is_letter(peek(lexer, 0))) {
    dae_source_error(lexer->source, place(lexer, lexer->at),
                     "a letter directly after a number (is an operator missing?)");
    token.kind = DAE_TOKEN_ERROR;
  }
  return token;
}

static DaeToken
read_string(DaeLexer *lexer)
{
  size_t start = lexer->at;
  bool reported = false;
  lexer->at++;
  while (lexer->at < lexer->length && lexer->text[lexer->at] != '"') {
    if (lexer->text[lexer->at] == '\0' && !reported) {
      report_nul(lexer, lexer->at);
      reported = true;
    }
    lexer->at += lexer->text[lexer->at] == '\\' ? 2 : 1;
  }
  if (lexer->at >= lexer->length) {
    lexer->at = lexer->length;
    lexer->is_cut = true;
    dae_source_error(lexer->source, place(lexer, start),
                     "this string never ends: '\"' is missing");
    return (DaeToken){DAE_TOKEN_ERROR, place(lexer, start), 1, 0};
  }
  lexer->at++;
  return (DaeToken){DAE_TOKEN_STRING, place(lexer, start), (uint32_t)(lexer->at - start), 0};
}

/* What two characters mean together; DAE_TOKEN_ERROR: nothing, the first stands alone. */
static DaeTokenKind
long_mark(char c, char next)
{
  switch (c) {
  case ':':
    return next == '=' ? DAE_TOKEN_ASSIGN : DAE_TOKEN_ERROR;
  case '=':
    return next == '=' ? DAE_TOKEN_EQ : DAE_TOKEN_ERROR;
  case '<':
    return next == '=' ? DAE_TOKEN_LE : next == '>' ? DAE_TOKEN_NE : DAE_TOKEN_ERROR;
  case '>':
    return next == '=' ? DAE_TOKEN_GE : DAE_TOKEN_ERROR;
  case '.':
    return next == '+'   ? DAE_TOKEN_DOT_PLUS
           : next == '-' ? DAE_TOKEN_DOT_MINUS
           : next == '*' ? DAE_TOKEN_DOT_TIMES
           : next == '/' ? DAE_TOKEN_DOT_DIVIDE
           : next == '^' ? DAE_TOKEN_DOT_POWER
                         : DAE_TOKEN_ERROR;
  default:
    return DAE_TOKEN_ERROR;
  }
}

/* 0, the end of the text, where c begins no token. */
static const uint8_t short_marks[256] = {
    ['('] = DAE_TOKEN_LPAREN,   [')'] = DAE_TOKEN_RPAREN,    ['['] = DAE_TOKEN_LBRACKET,
    [']'] = DAE_TOKEN_RBRACKET, ['{'] = DAE_TOKEN_LBRACE,    ['}'] = DAE_TOKEN_RBRACE,
    [','] = DAE_TOKEN_COMMA,    [';'] = DAE_TOKEN_SEMICOLON, [':'] = DAE_TOKEN_COLON,
    ['.'] = DAE_TOKEN_DOT,      ['='] = DAE_TOKEN_EQUALS,    ['<'] = DAE_TOKEN_LT,
    ['>'] = DAE_TOKEN_GT,       ['+'] = DAE_TOKEN_PLUS,      ['-'] = DAE_TOKEN_MINUS,
    ['*'] = DAE_TOKEN_TIMES,    ['/'] = DAE_TOKEN_DIVIDE,    ['^'] = DAE_TOKEN_POWER,
    ['@'] = DAE_TOKEN_AT,
};

/* What begins with c: two characters where both fit, else one. */
static DaeTokenKind
punctuation(char c, char next, uint32_t *length)
{
  DaeTokenKind kind = long_mark(c, next);
  *length = kind != DAE_TOKEN_ERROR ? 2 : 1;
  if (kind == DAE_TOKEN_ERROR && short_marks[(unsigned char)c] != DAE_TOKEN_EOF) {
    kind = (DaeTokenKind)short_marks[(unsigned char)c];
  }
  return kind;
}

/* A byte that begins no token. A whole UTF-8 sequence is one mistake. */
static DaeToken
read_stray(DaeLexer *lexer)
{
  size_t start = lexer->at;
  unsigned char c = (unsigned char)lexer->text[start];
  if (c == '\0') {
    report_nul(lexer, start);
    while (lexer->at < lexer->length && lexer->text[lexer->at] == '\0') {
      lexer->at++;
    }
  } else if (c < 0x80) {
    lexer->at++;
    if (g_ascii_isprint((char)c)) {
      dae_source_error(lexer->source, place(lexer, start), "unexpected character '%c'%s", c,
                       c == '!'               ? " (not equal is '<>', negation is 'not')"
                       : c == '#' || c == '%' ? " (comments begin with '//')"
                                              : "");
    } else {
      dae_source_error(lexer->source, place(lexer, start), "unexpected byte 0x%02x", c);
    }
  } else {
    gunichar wide =
        g_utf8_get_char_validated(lexer->text + start, (gssize)(lexer->length - start));
    if (wide == (gunichar)-1 || wide == (gunichar)-2) {
      lexer->at++;
      dae_source_error(lexer->source, place(lexer, start), "unexpected byte 0x%02x (not UTF-8)",
                       c);
    } else {
      char text[8] = {0};
      g_unichar_to_utf8(wide, text);
      lexer->at += (size_t)g_unichar_to_utf8(wide, NULL);
      dae_source_error(lexer->source, place(lexer, start),
                       "unexpected character '%s' (names with other letters are written in "
                       "single quotes)",
                       text);
    }
  }
  return (DaeToken){DAE_TOKEN_ERROR, place(lexer, start), (uint32_t)(lexer->at - start), 0};
}

/* #(e), #Real: OpenModelica's marks of arguments and types of functions that are arguments. */
static bool
at_boxing(const DaeLexer *lexer)
{
  static const char *const types[] = {"(", "Real ", "Integer ", "Boolean ", "String "};
  const char *behind = lexer->text + lexer->at + 1;
  size_t left = lexer->length - lexer->at - 1;
  for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
    size_t length = strlen(types[i]);
    if (left >= length && memcmp(behind, types[i], length - (i > 0 ? 1 : 0)) == 0 &&
        (i == 0 || strchr(" ,)[", behind[length - 1]) != NULL)) {
      return true;
    }
  }
  return false;
}

DaeToken
dae_lexer_next(DaeLexer *lexer)
{
  skip_blanks(lexer);
  if (lexer->at < lexer->length && lexer->text[lexer->at] == '#' && at_boxing(lexer)) {
    lexer->at++;
  }
  if (lexer->at >= lexer->length) {
    return (DaeToken){DAE_TOKEN_EOF, place(lexer, lexer->length), 1, 0};
  }
  char c = lexer->text[lexer->at];
  if (is_letter(c) || c == '\'') {
    return read_name(lexer);
  }
  if (is_digit(c)) {
    return read_number(lexer);
  }
  if (c == '"') {
    return read_string(lexer);
  }
  if (c == '.' && is_digit(peek(lexer, 1))) {
    DaeToken token = {DAE_TOKEN_ERROR, place(lexer, lexer->at), 1, 0};
    dae_source_error(lexer->source, token.pos, "a number begins with a digit: write 0%.*s", 2,
                     lexer->text + lexer->at);
    lexer->at++;
    return token;
  }
  uint32_t length = 1;
  DaeTokenKind kind = punctuation(c, peek(lexer, 1), &length);
  if (kind == DAE_TOKEN_ERROR) {
    return read_stray(lexer);
  }
  DaeToken token = {kind, place(lexer, lexer->at), length, 0};
  lexer->at += length;
  return token;
}

/* The closing mark of a string or quoted name, from behind the opening one; the end
 * of the text if there is none. */
static size_t
find_closing(const DaeLexer *lexer, size_t at, char mark)
{
  while (at < lexer->length && lexer->text[at] != mark) {
    at += lexer->text[at] == '\\' ? 2 : 1;
  }
  return at;
}

static size_t
skip_comment(const DaeLexer *lexer, size_t at)
{
  const char *end = NULL;
  if (lexer->text[at + 1] == '/') {
    end = memchr(lexer->text + at, '\n', lexer->length - at);
    return end != NULL ? (size_t)(end - lexer->text) : lexer->length;
  }
  for (at += 2; at + 1 < lexer->length; at++) {
    if (lexer->text[at] == '*' && lexer->text[at + 1] == '/') {
      return at + 1;
    }
  }
  return lexer->length;
}

bool
dae_lexer_skip_balanced(DaeLexer *lexer, bool stops_at_comma)
{
  uint32_t depth = 0;
  size_t at = lexer->at;
  for (; at < lexer->length; at++) {
    char c = lexer->text[at];
    if (c == '"' || c == '\'') {
      at = find_closing(lexer, at + 1, c);
    } else if (c == '/' && at + 1 < lexer->length &&
               (lexer->text[at + 1] == '/' || lexer->text[at + 1] == '*')) {
      at = skip_comment(lexer, at);
    } else if (c == '(' || c == '{' || c == '[') {
      depth++;
    } else if (c == ')' || c == '}' || c == ']') {
      if (depth == 0) {
        break;
      }
      depth--;
    } else if (c == ',' && depth == 0 && stops_at_comma) {
      break;
    }
  }
  if (at >= lexer->length) {
    lexer->at = lexer->length;
    return false;
  }
  lexer->at = at;
  return true;
}
