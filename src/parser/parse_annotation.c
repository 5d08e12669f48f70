/* Annotations: a list of modifiers of which few mean something to a program. */
#include <string.h>

#include "parser/parse.h"

/* All others (Documentation, Icon, Placement ...) are skipped. */
static bool
is_meaningful(const char *word)
{
  static const char *const words[] = {
      "Evaluate",
      "GenerateEvents",
      "HideResult",
      "Inline",
      "InlineAfterIndexReduction",
      "LateInline",
      "__daetool",
      "absoluteValue",
      "conversion",
      "defaultComponentPrefixes",
      "derivative",
      "experiment",
      "inverse",
      "missingInnerMessage",
      "smoothOrder",
      "unassignedMessage",
      "uses",
      "version",
  };
  size_t low = 0;
  size_t high = G_N_ELEMENTS(words);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = strcmp(word, words[middle]);
    if (order == 0) {
      return true;
    }
    low = order > 0 ? middle + 1 : low;
    high = order > 0 ? high : middle;
  }
  return false;
}

static bool
fail_unclosed(DaeParser *parser, uint32_t open)
{
  dae_source_error(parser->source, open, "this '(' is never closed");
  parser->lexer.is_cut = true;
  return false;
}

bool
dae_parse_annotation(DaeParser *parser, uint32_t *first, uint32_t *n)
{
  GArray *modifications = parser->syntax->modifications;
  *first = modifications->len;
  *n = 0;
  dae_parser_advance(parser);
  uint32_t open = parser->token.pos;
  if (parser->token.kind != DAE_TOKEN_LPAREN) {
    dae_parser_unexpected(parser, "'(' after 'annotation'");
    return false;
  }
  dae_parser_advance(parser);
  while (parser->token.kind != DAE_TOKEN_RPAREN) {
    if (parser->token.kind == DAE_TOKEN_NAME &&
        is_meaningful(dae_names_text(parser->names, parser->token.name))) {
      if (!dae_parse_one_modification(parser)) {
        return false;
      }
    } else if (parser->token.kind != DAE_TOKEN_COMMA) {
      parser->lexer.at = parser->token.pos - parser->lexer.base;
      if (!dae_lexer_skip_balanced(&parser->lexer, true)) {
        return fail_unclosed(parser, open);
      }
      dae_parser_advance(parser);
    }
    if (parser->token.kind != DAE_TOKEN_RPAREN &&
        !dae_parser_expect(parser, DAE_TOKEN_COMMA, "',' or ')'")) {
      return false;
    }
  }
  dae_parser_advance(parser);
  *n = modifications->len - *first;
  return true;
}

bool
dae_parse_skip_annotation(DaeParser *parser)
{
  dae_parser_advance(parser);
  uint32_t open = parser->token.pos;
  if (parser->token.kind != DAE_TOKEN_LPAREN) {
    dae_parser_unexpected(parser, "'(' after 'annotation'");
    return false;
  }
  if (!dae_lexer_skip_balanced(&parser->lexer, false)) {
    dae_parser_advance(parser);
    return fail_unclosed(parser, open);
  }
  dae_parser_advance(parser);
  dae_parser_advance(parser);
  return true;
}

static void
take_experiment(DaeParser *parser, uint32_t owner, uint32_t at)
{
  static const char *const words[] = {"StartTime", "StopTime", "Tolerance", "Interval"};
  const DaeModification *experiment = dae_syntax_modifier(parser->syntax, at);
  for (uint32_t i = at + 1; i <= at + experiment->n_inner;) {
    const DaeModification *entry = dae_syntax_modifier(parser->syntax, i);
    for (uint32_t k = 0; k < G_N_ELEMENTS(words); k++) {
      if (strcmp(dae_names_text(parser->names, entry->name), words[k]) == 0) {
        dae_syntax_class(parser->syntax, owner)->experiment[k] = entry->code;
      }
    }
    i += 1 + entry->n_inner;
  }
}

/* The annotation of an external clause is one of its function too, so a class may have two; the
 * modifiers of both are one list. */
static void
join_annotations(DaeParser *parser, DaeClass *class, uint32_t first, uint32_t n)
{
  GArray *modifications = parser->syntax->modifications;
  for (uint32_t i = 0; i < class->n_annotations; i++) {
    DaeModification earlier = *dae_syntax_modifier(parser->syntax, class->first_annotation + i);
    g_array_append_val(modifications, earlier);
  }
  class->first_annotation = first;
  class->n_annotations += n;
}

bool
dae_parse_annotation_of(DaeParser *parser, uint32_t owner)
{
  uint32_t first = 0;
  uint32_t n = 0;
  if (!dae_parse_annotation(parser, &first, &n)) {
    return false;
  }
  if (owner == 0) {
    return true;
  }
  for (uint32_t i = first; i < first + n;) {
    const DaeModification *entry = dae_syntax_modifier(parser->syntax, i);
    const char *word = dae_names_text(parser->names, entry->name);
    if (strcmp(word, "experiment") == 0) {
      take_experiment(parser, owner, i);
    } else if (strcmp(word, "__daetool") == 0) {
      dae_syntax_class(parser->syntax, owner)->elements = true;
    }
    i += 1 + dae_syntax_modifier(parser->syntax, i)->n_inner;
  }
  join_annotations(parser, dae_syntax_class(parser->syntax, owner), first, n);
  return true;
}

void
dae_parse_class_annotation(DaeParser *parser, uint32_t owner)
{
  if (!dae_parse_annotation_of(parser, owner)) {
    dae_parser_recover(parser);
    return;
  }
  dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';' after the annotation");
}
