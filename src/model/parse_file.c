/* Files: within, packages, models, what stands around them. Open classes are kept on an explicit stack. */
#include "model/model-priv.h"

#include <string.h>

typedef struct {
  uint32_t class_index;
  bool is_protected;
} OpenClass;

static const char *
class_name(const DaeParser *parser, uint32_t i)
{
  return dae_names_text(parser->names,
                        g_array_index(parser->syntax->classes, DaeClass, i).name);
}

/* At the name of a function or record: skips to behind `end NAME;`. */
static void
skip_definition(DaeParser *parser, GArray *names)
{
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "a name");
    dae_parser_recover(parser);
    return;
  }
  DaeToken name = parser->token;
  g_array_append_val(names, name.name);
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_EQUALS) { /* short form */
    dae_parser_recover(parser);
    return;
  }
  while (parser->token.kind != DAE_TOKEN_EOF) {
    bool at_end = parser->token.kind == DAE_TOKEN_END;
    dae_parser_advance(parser);
    if (at_end && parser->token.kind == DAE_TOKEN_NAME && parser->token.name == name.name) {
      dae_parser_advance(parser);
      dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'");
      return;
    }
  }
  dae_source_error(parser->source, name.pos, "'end %s;' is missing",
                   dae_names_text(parser->names, name.name));
}

static void
open_class(DaeParser *parser, GArray *open, DaeClassKind kind)
{
  dae_parser_advance(parser);
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of the model");
    dae_parser_recover(parser);
    return;
  }
  DaeClass class = {.name = parser->token.name, .pos = parser->token.pos, .kind = kind};
  if (open->len > 0) {
    DAE_ASSERT(open->data != NULL);
    class.parent = g_array_index(open, OpenClass, open->len - 1).class_index;
  }
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_EQUALS) {
    dae_source_error(parser->source, parser->token.pos,
                     "short class definitions are not flat Modelica: flatten the model first");
    dae_parser_recover(parser);
    return;
  }
  class.description = dae_parser_optional_strings(parser);
  OpenClass entry = {parser->syntax->classes->len, false};
  g_array_append_val(parser->syntax->classes, class);
  g_array_append_val(open, entry);
}

static void
close_class(DaeParser *parser, GArray *open)
{
  uint32_t pos = parser->token.pos;
  dae_parser_advance(parser);
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
  if (parser->token.kind == DAE_TOKEN_EOF) {
    return; /* a missing last semicolon hurts nobody */
  }
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'")) {
    dae_parser_recover(parser);
  }
}

/* Skips an algorithm section: statements with blocks of their own. */
static void
skip_algorithm(DaeParser *parser, uint32_t pos)
{
  dae_source_unsupported(parser->source, pos, "algorithm sections");
  while (true) {
    DaeTokenKind kind = parser->token.kind;
    if (kind == DAE_TOKEN_EOF || kind == DAE_TOKEN_EQUATION || kind == DAE_TOKEN_ALGORITHM ||
        kind == DAE_TOKEN_PUBLIC || kind == DAE_TOKEN_PROTECTED ||
        kind == DAE_TOKEN_ANNOTATION) {
      return;
    }
    if (kind == DAE_TOKEN_END || kind == DAE_TOKEN_INITIAL) {
      DaeTokenKind next = dae_parser_peek(parser);
      if ((kind == DAE_TOKEN_END && next == DAE_TOKEN_NAME) ||
          (kind == DAE_TOKEN_INITIAL &&
           (next == DAE_TOKEN_EQUATION || next == DAE_TOKEN_ALGORITHM))) {
        return;
      }
    }
    dae_parser_advance(parser);
  }
}

static void
reject_clause(DaeParser *parser)
{
  g_autofree char *word = dae_parser_describe_token(parser, parser->token);
  dae_source_error(
      parser->source, parser->token.pos,
      "%s is not flat Modelica: flatten the model first (OpenModelica: omc FILE.mo)", word);
  parser->syntax->lost_names = true; /* of what would have come with it */
  dae_parser_advance(parser);
  dae_parser_recover(parser);
}

static void
parse_section_keyword(DaeParser *parser, uint32_t owner)
{
  uint32_t pos = parser->token.pos;
  bool is_initial = dae_parser_accept(parser, DAE_TOKEN_INITIAL);
  if (parser->token.kind == DAE_TOKEN_ALGORITHM) {
    dae_parser_advance(parser);
    skip_algorithm(parser, pos);
  } else if (dae_parser_expect(parser, DAE_TOKEN_EQUATION, "'equation'")) {
    if (owner == 0) {
      dae_source_error(parser->source, pos, "equations outside a model");
    }
    dae_parse_section(parser, owner, is_initial);
  } else {
    dae_parser_recover(parser);
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
    while (parser->token.kind != DAE_TOKEN_SEMICOLON && parser->token.kind != DAE_TOKEN_EOF) {
      dae_parser_advance(parser);
    }
    dae_parser_accept(parser, DAE_TOKEN_SEMICOLON);
    break;
  case DAE_TOKEN_ENCAPSULATED:
  case DAE_TOKEN_PARTIAL:
  case DAE_TOKEN_EXPANDABLE:
  case DAE_TOKEN_PURE:
  case DAE_TOKEN_IMPURE:
  case DAE_TOKEN_OPERATOR:
  case DAE_TOKEN_SEMICOLON:
    dae_parser_advance(parser);
    break;
  case DAE_TOKEN_MODEL:
    open_class(parser, open, DAE_CLASS_MODEL);
    break;
  case DAE_TOKEN_CLASS:
  case DAE_TOKEN_BLOCK:
    open_class(parser, open, DAE_CLASS_CLASS);
    break;
  case DAE_TOKEN_PACKAGE:
    open_class(parser, open, DAE_CLASS_PACKAGE);
    break;
  case DAE_TOKEN_FUNCTION:
    dae_parser_advance(parser);
    skip_definition(parser, parser->syntax->functions);
    break;
  case DAE_TOKEN_RECORD:
  case DAE_TOKEN_CONNECTOR:
    dae_parser_advance(parser);
    skip_definition(parser, parser->syntax->records);
    break;
  case DAE_TOKEN_TYPE:
    dae_parse_type(parser, owner);
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
    dae_parse_annotation(parser, owner);
    break;
  case DAE_TOKEN_EXTENDS:
  case DAE_TOKEN_IMPORT:
  case DAE_TOKEN_INNER:
  case DAE_TOKEN_OUTER:
  case DAE_TOKEN_REDECLARE:
  case DAE_TOKEN_REPLACEABLE:
    reject_clause(parser);
    break;
  default:
    dae_parse_declaration(parser, owner, inner != NULL && inner->is_protected);
    break;
  }
}

void
dae_parse_file(DaeParser *parser)
{
  g_autoptr(GArray) open = g_array_new(FALSE, TRUE, sizeof(OpenClass));
  while (parser->token.kind != DAE_TOKEN_EOF && !dae_source_is_full(parser->source)) {
    parse_element(parser, open);
  }
  if (open->len > 0 && !parser->lexer.is_cut && !dae_source_is_full(parser->source)) {
    uint32_t class = g_array_index(open, OpenClass, open->len - 1).class_index;
    dae_source_error(parser->source, parser->token.pos, "'end %s;' is missing",
                     class_name(parser, class));
  }
}
