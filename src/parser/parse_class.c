/* Heads of classes, extends and import clauses, external clauses. */
#include <string.h>

#include "parser/parse.h"

bool
dae_parse_at_word(const DaeParser *parser, const char *word)
{
  return parser->token.kind == DAE_TOKEN_NAME &&
         strcmp(dae_names_text(parser->names, parser->token.name), word) == 0;
}

uint32_t
dae_parse_name(DaeParser *parser, const char *what)
{
  bool is_global = dae_parser_accept(parser, DAE_TOKEN_DOT);
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, what);
    return 0;
  }
  uint32_t name = parser->token.name;
  dae_parser_advance(parser);
  if (!is_global && parser->token.kind != DAE_TOKEN_DOT) {
    return name;
  }
  g_autoptr(GString) whole = g_string_new(is_global ? "." : "");
  g_string_append(whole, dae_names_text(parser->names, name));
  for (uint32_t parts = 0; parser->token.kind == DAE_TOKEN_DOT; parts++) {
    dae_parser_advance(parser);
    if (parser->token.kind != DAE_TOKEN_NAME || parts > DAE_MAX_PARTS) {
      dae_parser_unexpected(parser, "a name after '.'");
      return 0;
    }
    g_string_append_c(whole, '.');
    g_string_append(whole, dae_names_text(parser->names, parser->token.name));
    dae_parser_advance(parser);
  }
  return dae_names_intern(parser->names, whole->str, whole->len);
}

uint32_t
dae_parse_prefix(DaeTokenKind kind)
{
  static const uint32_t flags[DAE_TOKEN_WITHIN + 1] = {
      [DAE_TOKEN_CONSTANT] = DAE_FLAG_CONSTANT,
      [DAE_TOKEN_PARAMETER] = DAE_FLAG_PARAMETER,
      [DAE_TOKEN_DISCRETE] = DAE_FLAG_DISCRETE,
      [DAE_TOKEN_INPUT] = DAE_FLAG_INPUT,
      [DAE_TOKEN_OUTPUT] = DAE_FLAG_OUTPUT,
      [DAE_TOKEN_FINAL] = DAE_FLAG_FINAL,
      [DAE_TOKEN_FLOW] = DAE_FLAG_FLOW,
      [DAE_TOKEN_STREAM] = DAE_FLAG_STREAM,
      [DAE_TOKEN_INNER] = DAE_FLAG_INNER,
      [DAE_TOKEN_OUTER] = DAE_FLAG_OUTER,
      [DAE_TOKEN_REDECLARE] = DAE_FLAG_REDECLARE,
      [DAE_TOKEN_REPLACEABLE] = DAE_FLAG_REPLACEABLE,
      [DAE_TOKEN_PARTIAL] = DAE_FLAG_PARTIAL,
      [DAE_TOKEN_ENCAPSULATED] = DAE_FLAG_ENCAPSULATED,
      [DAE_TOKEN_EXPANDABLE] = DAE_FLAG_EXPANDABLE,
      [DAE_TOKEN_PURE] = DAE_FLAG_PURE,
      [DAE_TOKEN_IMPURE] = DAE_FLAG_IMPURE,
  };
  return flags[kind];
}

bool
dae_parse_is_class(DaeTokenKind kind, DaeClassKind *which)
{
  static const uint8_t kinds[DAE_TOKEN_WITHIN + 1] = {
      [DAE_TOKEN_MODEL] = DAE_CLASS_MODEL + 1,
      [DAE_TOKEN_CLASS] = DAE_CLASS_CLASS + 1,
      [DAE_TOKEN_PACKAGE] = DAE_CLASS_PACKAGE + 1,
      [DAE_TOKEN_BLOCK] = DAE_CLASS_BLOCK + 1,
      [DAE_TOKEN_RECORD] = DAE_CLASS_RECORD + 1,
      [DAE_TOKEN_CONNECTOR] = DAE_CLASS_CONNECTOR + 1,
      [DAE_TOKEN_TYPE] = DAE_CLASS_TYPE + 1,
      [DAE_TOKEN_FUNCTION] = DAE_CLASS_FUNCTION + 1,
      [DAE_TOKEN_OPERATOR] = DAE_CLASS_OPERATOR + 1,
  };
  if (kinds[kind] == 0) {
    return false;
  }
  *which = (DaeClassKind)(kinds[kind] - 1);
  return true;
}

/* ---- short classes ----------------------------------------------------------------------- */

/* der(f, x, y), at `der` */
static bool
parse_derivative(DaeParser *parser, DaeClass *class)
{
  dae_parser_advance(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_LPAREN, "'('")) {
    return false;
  }
  class->derivative = dae_parse_name(parser, "the name of a function");
  class->first_derivative = parser->syntax->literals->len;
  while (class->derivative != 0 && dae_parser_accept(parser, DAE_TOKEN_COMMA)) {
    if (parser->token.kind != DAE_TOKEN_NAME) {
      dae_parser_unexpected(parser, "the name of an argument");
      return false;
    }
    g_array_append_val(parser->syntax->literals, parser->token.name);
    class->n_derivatives++;
    dae_parser_advance(parser);
  }
  return class->derivative != 0 && dae_parser_expect(parser, DAE_TOKEN_RPAREN, "',' or ')'");
}

bool
dae_parse_short_head(DaeParser *parser, DaeClass *class, DaeTypeDefinition *type)
{
  if (parser->token.kind == DAE_TOKEN_ENUMERATION) {
    dae_parser_advance(parser);
    if (parser->token.kind != DAE_TOKEN_LPAREN) {
      dae_parser_unexpected(parser, "'('");
      return false;
    }
    return dae_parse_literals(parser, type);
  }
  if (parser->token.kind == DAE_TOKEN_DER) {
    return parse_derivative(parser, class);
  }
  while (dae_parse_prefix(parser->token.kind) != 0) {
    type->flags |= dae_parse_prefix(parser->token.kind);
    dae_parser_advance(parser);
  }
  type->base_pos = parser->token.pos;
  type->base = dae_parse_name(parser, "a type");
  if (type->base == 0) {
    return false;
  }
  if (parser->token.kind == DAE_TOKEN_LBRACKET) {
    type->dims_code = dae_parse_dimensions(parser, &type->n_dims);
    return type->dims_code != 0;
  }
  return true;
}

/* ---- clauses ----------------------------------------------------------------------------- */

void
dae_parse_extends(DaeParser *parser, uint32_t owner, bool is_protected)
{
  const DaeToken word = parser->token;
  DaeExtends clause = {.owner = owner, .flags = is_protected ? DAE_FLAG_PROTECTED : 0};
  dae_parser_advance(parser);
  clause.pos = parser->token.pos;
  clause.base = dae_parse_name(parser, "the name of a class");
  if (clause.base == 0 ||
      strcmp(dae_names_text(parser->names, clause.base), "ExternalObject") != 0) {
    dae_parse_mark(parser, word.pos, word.name); /* external objects are flat */
  }
  parser->may_deselect = true;
  bool good =
      clause.base != 0 && (parser->token.kind != DAE_TOKEN_LPAREN ||
                           dae_parse_modifications(parser, &clause.first_mod, &clause.n_mods));
  parser->may_deselect = false;
  if (!good) {
    parser->syntax->lost_names = true;
    dae_parser_recover(parser);
    return;
  }
  g_array_append_val(parser->syntax->extends, clause);
  dae_parser_optional_strings(parser);
  if (parser->token.kind == DAE_TOKEN_ANNOTATION && !dae_parse_skip_annotation(parser)) {
    dae_parser_recover(parser);
    return;
  }
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'")) {
    dae_parser_recover(parser);
  }
}

static uint32_t
last_part(DaeParser *parser, uint32_t name)
{
  const char *text = dae_names_text(parser->names, name);
  const char *at = text;
  const char *last = text;
  for (bool quoted = false; *at != '\0'; at++) {
    if (*at == '\\' && at[1] != '\0') {
      at++;
    } else if (*at == '\'') {
      quoted = !quoted;
    } else if (*at == '.' && !quoted) {
      last = at + 1;
    }
  }
  return dae_names_intern(parser->names, last, strlen(last));
}

static void
add_import(DaeParser *parser, DaeImport import)
{
  if (import.kind != DAE_IMPORT_ALL && import.alias == 0) {
    import.alias = last_part(parser, import.name);
  }
  g_array_append_val(parser->syntax->imports, import);
}

/* A.{B, C}, at `{` */
static bool
parse_import_list(DaeParser *parser, DaeImport import, uint32_t package)
{
  dae_parser_advance(parser);
  do {
    if (parser->token.kind != DAE_TOKEN_NAME) {
      dae_parser_unexpected(parser, "a name");
      return false;
    }
    g_autofree char *whole =
        g_strconcat(dae_names_text(parser->names, package), ".",
                    dae_names_text(parser->names, parser->token.name), NULL);
    import.name = dae_names_intern(parser->names, whole, strlen(whole));
    import.alias = parser->token.name;
    dae_parser_advance(parser);
    if (dae_parser_accept(parser, DAE_TOKEN_EQUALS)) { /* {B, D = C} */
      dae_parser_unexpected(parser, "',' or '}'");
      return false;
    }
    add_import(parser, import);
  } while (dae_parser_accept(parser, DAE_TOKEN_COMMA));
  return dae_parser_expect(parser, DAE_TOKEN_RBRACE, "'}'");
}

static bool
parse_import(DaeParser *parser, DaeImport import)
{
  dae_parser_accept(parser, DAE_TOKEN_DOT);
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of a class");
    return false;
  }
  import.name = parser->token.name;
  dae_parser_advance(parser);
  if (dae_parser_accept(parser, DAE_TOKEN_EQUALS)) {
    import.alias = import.name;
    import.kind = DAE_IMPORT_NAMED;
    dae_parser_accept(parser, DAE_TOKEN_DOT);
    import.name = dae_parse_name(parser, "the name of a class");
  } else if (parser->token.kind == DAE_TOKEN_DOT_TIMES) {
    dae_parser_advance(parser);
    import.kind = DAE_IMPORT_ALL;
  } else if (dae_parser_accept(parser, DAE_TOKEN_DOT)) {
    if (parser->token.kind == DAE_TOKEN_LBRACE) {
      return parse_import_list(parser, import, import.name);
    }
    if (!dae_parser_expect(parser, DAE_TOKEN_TIMES, "'*' or '{'")) {
      return false;
    }
    import.kind = DAE_IMPORT_ALL;
  }
  if (import.name != 0) {
    add_import(parser, import);
  }
  return import.name != 0;
}

void
dae_parse_import(DaeParser *parser, uint32_t owner)
{
  dae_parse_mark(parser, parser->token.pos, parser->token.name);
  dae_parser_advance(parser);
  DaeImport import = {.owner = owner, .pos = parser->token.pos};
  if (!parse_import(parser, import)) {
    parser->syntax->lost_names = true;
    dae_parser_recover(parser);
    return;
  }
  dae_parser_optional_strings(parser);
  if (parser->token.kind == DAE_TOKEN_ANNOTATION && !dae_parse_skip_annotation(parser)) {
    dae_parser_recover(parser);
    return;
  }
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'")) {
    dae_parser_recover(parser);
  }
}

/* ---- external ---------------------------------------------------------------------------- */

static bool
parse_external_call(DaeParser *parser, DaeExternal *external)
{
  if (parser->token.kind != DAE_TOKEN_NAME) {
    return true;
  }
  uint32_t name = dae_parse_name(parser, "a name");
  if (dae_parser_accept(parser, DAE_TOKEN_EQUALS)) {
    external->result = name;
    name = dae_parse_name(parser, "the name of the function");
  }
  external->function = name;
  if (name == 0 || !dae_parser_expect(parser, DAE_TOKEN_LPAREN, "'('")) {
    return false;
  }
  external->code = parser->syntax->code->len;
  while (parser->token.kind != DAE_TOKEN_RPAREN) {
    if (!dae_parse_expression(parser)) {
      return false;
    }
    external->n++;
    if (parser->token.kind != DAE_TOKEN_RPAREN &&
        !dae_parser_expect(parser, DAE_TOKEN_COMMA, "',' or ')'")) {
      return false;
    }
  }
  dae_parser_emit(parser, DAE_OP_RETURN, 0, 0, external->pos);
  dae_parser_advance(parser);
  return true;
}

void
dae_parse_external(DaeParser *parser, uint32_t owner)
{
  DaeExternal external = {.pos = parser->token.pos};
  dae_parser_advance(parser);
  external.language = dae_parser_optional_strings(parser);
  if (!parse_external_call(parser, &external) ||
      (parser->token.kind == DAE_TOKEN_ANNOTATION && !dae_parse_annotation_of(parser, owner))) {
    dae_parser_recover(parser);
    return;
  }
  if (owner != 0) {
    dae_syntax_class(parser->syntax, owner)->external = parser->syntax->externals->len;
  }
  g_array_append_val(parser->syntax->externals, external);
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'")) {
    dae_parser_recover(parser);
  }
}
