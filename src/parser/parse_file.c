/* Files: within, classes in classes, their elements. Open classes are kept on an explicit stack. */
#include <string.h>

#include "base/suggest.h"
#include "parser/parse.h"

typedef struct {
  uint32_t class_index;
  bool is_protected;
} OpenClass;

static const char *
class_name(const DaeParser *parser, uint32_t i)
{
  return dae_names_text(parser->names, dae_syntax_class(parser->syntax, i)->name);
}

void
dae_parse_mark(DaeParser *parser, uint32_t pos, uint32_t word)
{
  if (parser->syntax->nonflat_word == 0) {
    parser->syntax->nonflat_word = word;
    parser->syntax->nonflat_pos = pos;
  }
}

/* ---- classes ----------------------------------------------------------------------------- */

/* `constrainedby C(...)` behind a class. False: reported. */
static bool
parse_class_constraint(DaeParser *parser, uint32_t index)
{
  if (!dae_parse_at_word(parser, "constrainedby")) {
    return true;
  }
  dae_parser_advance(parser);
  uint32_t pos = parser->token.pos;
  uint32_t name = dae_parse_name(parser, "a class after 'constrainedby'");
  uint32_t first = 0;
  uint32_t n = 0;
  if (name == 0 || (parser->token.kind == DAE_TOKEN_LPAREN &&
                    !dae_parse_modifications(parser, &first, &n))) {
    return false;
  }
  DaeClass *class = dae_syntax_class(parser->syntax, index);
  class->constraint = name;
  class->constraint_pos = pos;
  class->first_constraint_mod = first;
  class->n_constraint_mods = n;
  return true;
}

/* Behind `=`: model A = B[3](c = 1) "text" annotation(...) constrainedby C; */
static bool
parse_short(DaeParser *parser, uint32_t index)
{
  DaeClass class = *dae_syntax_class(parser->syntax, index);
  DaeTypeDefinition type = {
      .name = class.name, .pos = class.pos, .owner = class.parent, .class = index};
  if (!dae_parse_short_head(parser, &class, &type) ||
      (parser->token.kind == DAE_TOKEN_LPAREN &&
       !dae_parse_modifications(parser, &type.first_mod, &type.n_mods))) {
    return false;
  }
  class.flags |= DAE_FLAG_SHORT;
  class.definition = parser->syntax->types->len;
  g_array_append_val(parser->syntax->types, type);
  *dae_syntax_class(parser->syntax, index) = class;
  for (int i = 0; i < 2; i++) {
    if (!parse_class_constraint(parser, index)) {
      return false;
    }
    uint32_t description = dae_parser_optional_strings(parser);
    DaeClass *kept = dae_syntax_class(parser->syntax, index);
    kept->description = description != 0 ? description : kept->description;
    if (parser->token.kind == DAE_TOKEN_ANNOTATION) {
      uint32_t first = 0;
      uint32_t n = 0;
      if (!dae_parse_annotation(parser, &first, &n)) {
        return false;
      }
      dae_syntax_class(parser->syntax, index)->first_annotation = first;
      dae_syntax_class(parser->syntax, index)->n_annotations = n;
    }
  }
  return true;
}

static void
open_short(DaeParser *parser, uint32_t index)
{
  dae_parser_advance(parser);
  DaeClassKind kind = dae_syntax_class(parser->syntax, index)->kind;
  if (!parse_short(parser, index)) {
    parser->syntax->lost_names = true;
    g_array_set_size(parser->syntax->classes, index);
    dae_parser_recover(parser);
    return;
  }
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON,
                         kind == DAE_CLASS_TYPE ? "';' after the type" : "';'")) {
    dae_parser_recover(parser);
  }
}

/* `model extends M(a = 1)`: an extends clause without a name stands for the inherited M. */
static bool
parse_class_extends(DaeParser *parser, uint32_t index)
{
  DaeExtends clause = {.owner = index, .pos = parser->previous.pos};
  if (parser->token.kind == DAE_TOKEN_LPAREN &&
      !dae_parse_modifications(parser, &clause.first_mod, &clause.n_mods)) {
    return false;
  }
  g_array_append_val(parser->syntax->extends, clause);
  return true;
}

/* At the keyword. */
static void
open_class(DaeParser *parser, GArray *open, uint32_t flags, DaeClassKind kind)
{
  dae_parser_advance(parser);
  if (kind == DAE_CLASS_OPERATOR && dae_parse_is_class(parser->token.kind, &kind)) {
    flags |= DAE_FLAG_OPERATOR;
    dae_parser_advance(parser);
  }
  if (parser->token.kind == DAE_TOKEN_EXTENDS) {
    flags |= DAE_FLAG_CLASS_EXTENDS;
    dae_parse_mark(parser, parser->token.pos, parser->token.name);
    dae_parser_advance(parser);
  }
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, kind == DAE_CLASS_TYPE ? "the name of the new type"
                                                         : "the name of the model");
    dae_parser_recover(parser);
    return;
  }
  DaeClass class = {
      .name = parser->token.name, .pos = parser->token.pos, .kind = kind, .flags = flags};
  if (open->len > 0) {
    class.parent = g_array_index(open, OpenClass, open->len - 1).class_index;
  } else {
    class.within = parser->within;
  }
  uint32_t index = parser->syntax->classes->len;
  g_array_append_val(parser->syntax->classes, class);
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_EQUALS) {
    open_short(parser, index);
    return;
  }
  if ((flags & DAE_FLAG_CLASS_EXTENDS) != 0 && !parse_class_extends(parser, index)) {
    dae_parser_recover(parser);
  }
  uint32_t description = dae_parser_optional_strings(parser);
  dae_syntax_class(parser->syntax, index)->description = description;
  OpenClass entry = {index, false};
  g_array_append_val(open, entry);
}

static void
close_class(DaeParser *parser, GArray *open)
{
  uint32_t pos = parser->token.pos;
  dae_parser_advance(parser);
  parser->part.clock = 0;
  if (open->len == 0) {
    dae_source_error(parser->source, pos, "'end' without a model");
    dae_parser_recover(parser);
    return;
  }
  DAE_ASSERT(open->data != NULL);
  uint32_t class = g_array_index(open, OpenClass, open->len - 1).class_index;
  g_array_set_size(open, open->len - 1);
  const char *name = class_name(parser, class);
  if (parser->token.kind != DAE_TOKEN_NAME ||
      strcmp(dae_names_text(parser->names, parser->token.name), name) != 0) {
    g_autofree char *wanted = g_strdup_printf("'end %s'", name);
    dae_parser_unexpected(parser, wanted);
    dae_parser_recover(parser);
    return;
  }
  dae_parser_advance(parser);
  if (!parse_class_constraint(parser, class)) {
    dae_parser_recover(parser);
    return;
  }
  dae_parser_optional_strings(parser);
  if (parser->token.kind == DAE_TOKEN_ANNOTATION && !dae_parse_skip_annotation(parser)) {
    dae_parser_recover(parser);
    return;
  }
  if (parser->token.kind == DAE_TOKEN_EOF) {
    return; /* a missing last semicolon hurts nobody */
  }
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'")) {
    dae_parser_recover(parser);
  }
}

/* ---- elements ---------------------------------------------------------------------------- */

/* Blanks and a comment, then the end of the line: behind a token that stands alone. */
static bool
ends_line(const DaeParser *parser, size_t at)
{
  const char *text = parser->lexer.text;
  while (at < parser->lexer.length && (text[at] == ' ' || text[at] == '\t')) {
    at++;
  }
  return at >= parser->lexer.length || strchr("\r\n/", text[at]) != NULL;
}

/* A name that is the word but for capital letters. */
static bool
is_word(const DaeParser *parser, const char *word)
{
  return parser->token.kind == DAE_TOKEN_NAME &&
         g_ascii_strcasecmp(dae_names_text(parser->names, parser->token.name), word) == 0;
}

/* `Equation` alone in its line, or before what no declaration has there, or `Initial Equation`:
 * said once, and read as it was meant. A type may be called so as well. */
static bool
is_capital_section(DaeParser *parser)
{
  static const struct {
    const char *word;
    DaeTokenKind kind;
  } words[] = {{"initial", DAE_TOKEN_INITIAL},
               {"equation", DAE_TOKEN_EQUATION},
               {"algorithm", DAE_TOKEN_ALGORITHM}};

  for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
    if (!is_word(parser, words[i].word)) {
      continue;
    }
    size_t behind = parser->token.pos - parser->lexer.base + parser->token.length;
    DaeTokenKind next = dae_parser_peek(parser);
    bool is_initial = words[i].kind == DAE_TOKEN_INITIAL && behind < parser->lexer.length &&
                      g_ascii_strncasecmp(parser->lexer.text + behind, " equation", 9) == 0;
    if (!is_initial && next != DAE_TOKEN_DER && next != DAE_TOKEN_LPAREN &&
        !ends_line(parser, behind)) {
      return false;
    }
    dae_source_error(parser->source, parser->token.pos, "unknown word '%s'; did you mean '%s'?",
                     dae_names_text(parser->names, parser->token.name), words[i].word);
    parser->token.kind = words[i].kind;
    return true;
  }
  return false;
}

static void
parse_section_keyword(DaeParser *parser, uint32_t owner)
{
  uint32_t pos = parser->token.pos;
  bool is_initial = dae_parser_accept(parser, DAE_TOKEN_INITIAL);
  if (is_initial && is_word(parser, "equation")) { /* `initial` is told, or seen: go on */
    dae_source_error(parser->source, parser->token.pos,
                     "unknown word '%s'; did you mean 'equation'?",
                     dae_names_text(parser->names, parser->token.name));
    parser->token.kind = DAE_TOKEN_EQUATION;
  }
  if (parser->token.kind == DAE_TOKEN_ALGORITHM) {
    dae_parser_advance(parser);
    dae_parse_section(parser, owner, pos, is_initial, true);
  } else if (dae_parser_expect(parser, DAE_TOKEN_EQUATION, "'equation'")) {
    if (owner == 0) {
      dae_source_error(parser->source, pos, "equations outside a model");
    }
    dae_parse_section(parser, owner, pos, is_initial, false);
  } else {
    dae_parser_recover(parser);
  }
}

static void
parse_within(DaeParser *parser)
{
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_NAME) {
    parser->within = dae_parse_name(parser, "a name");
  }
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'")) {
    dae_parser_recover(parser);
  }
}

/* `Model M` or `modle M` at the top of a file: said once, and read as it was meant. */
static bool
is_misspelt_keyword(DaeParser *parser, const GArray *open, DaeClassKind *kind)
{
  static const struct {
    const char *word;
    DaeClassKind kind;
  } words[] = {{"model", DAE_CLASS_MODEL},       {"package", DAE_CLASS_PACKAGE},
               {"class", DAE_CLASS_CLASS},       {"block", DAE_CLASS_BLOCK},
               {"function", DAE_CLASS_FUNCTION}, {"record", DAE_CLASS_RECORD}};

  if (open->len > 0 || parser->token.kind != DAE_TOKEN_NAME ||
      dae_parser_peek(parser) != DAE_TOKEN_NAME) {
    return false;
  }
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, dae_names_text(parser->names, parser->token.name));
  for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
    dae_suggest_try(&suggest, words[i].word);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
    if (suggest.best == words[i].word) {
      dae_source_error(parser->source, parser->token.pos,
                       "unknown word '%s'; did you mean '%s'?", suggest.wrong, words[i].word);
      *kind = words[i].kind;
      return true;
    }
  }
  return false;
}

/* Prefixes, then a class or components. */
static void
parse_definition(DaeParser *parser, GArray *open)
{
  OpenClass *inner = open->len > 0 ? &g_array_index(open, OpenClass, open->len - 1) : NULL;
  uint32_t flags = inner != NULL && inner->is_protected ? DAE_FLAG_PROTECTED : 0;
  DaeClassKind kind = DAE_CLASS_MODEL;
  bool is_first = true;
  while (dae_parse_prefix(parser->token.kind) != 0 || parser->token.kind == DAE_TOKEN_EACH) {
    uint32_t flag = dae_parse_prefix(parser->token.kind);
    if ((flag &
         (DAE_FLAG_INNER | DAE_FLAG_OUTER | DAE_FLAG_REDECLARE | DAE_FLAG_REPLACEABLE)) != 0) {
      dae_parse_mark(parser, parser->token.pos, parser->token.name);
    }
    flags |= flag;
    is_first = false;
    dae_parser_advance(parser);
  }
  if (dae_parse_is_class(parser->token.kind, &kind) ||
      is_misspelt_keyword(parser, open, &kind)) {
    open_class(parser, open, flags, kind);
  } else if (parser->token.kind == DAE_TOKEN_SEMICOLON && is_first) {
    dae_parser_advance(parser);
  } else {
    dae_parse_components(parser, inner != NULL ? inner->class_index : 0, flags);
  }
}

/* One element of a class or file. */
static void
parse_element(DaeParser *parser, GArray *open)
{
  OpenClass *inner = open->len > 0 ? &g_array_index(open, OpenClass, open->len - 1) : NULL;
  uint32_t owner = inner != NULL ? inner->class_index : 0;
  switch ((int)parser->token.kind) {
  case DAE_TOKEN_WITHIN:
    parse_within(parser);
    break;
  case DAE_TOKEN_END:
    close_class(parser, open);
    break;
  case DAE_TOKEN_PUBLIC:
  case DAE_TOKEN_PROTECTED:
    if (inner != NULL) {
      inner->is_protected = parser->token.kind == DAE_TOKEN_PROTECTED;
    }
    dae_parser_advance(parser);
    break;
  case DAE_TOKEN_INITIAL:
  case DAE_TOKEN_EQUATION:
  case DAE_TOKEN_ALGORITHM:
    parse_section_keyword(parser, owner);
    break;
  case DAE_TOKEN_ANNOTATION:
    dae_parse_class_annotation(parser, owner);
    break;
  case DAE_TOKEN_EXTENDS:
    dae_parse_extends(parser, owner, inner != NULL && inner->is_protected);
    break;
  case DAE_TOKEN_IMPORT:
    dae_parse_import(parser, owner);
    break;
  case DAE_TOKEN_EXTERNAL:
    dae_parse_external(parser, owner);
    break;
  default:
    if (inner != NULL && dae_parse_at_partition(parser)) {
      dae_parse_partition(parser);
    } else if (inner != NULL && is_capital_section(parser)) {
      parse_section_keyword(parser, owner);
    } else {
      parse_definition(parser, open);
    }
    break;
  }
}

void
dae_parse_file(DaeParser *parser)
{
  g_autoptr(GArray) open = g_array_new(FALSE, TRUE, sizeof(OpenClass));
  parser->syntax->is_base =
      parser->lexer.length >= 8 && memcmp(parser->lexer.text, "//! base", 8) == 0;
  while (parser->token.kind != DAE_TOKEN_EOF && !dae_source_is_full(parser->source)) {
    parse_element(parser, open);
  }
  if (open->len > 0 && !parser->lexer.is_cut && !dae_source_is_full(parser->source)) {
    uint32_t class = g_array_index(open, OpenClass, open->len - 1).class_index;
    dae_source_error(parser->source, parser->token.pos, "'end %s;' is missing",
                     class_name(parser, class));
  }
}
