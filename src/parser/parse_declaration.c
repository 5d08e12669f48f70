/* Components, dimensions, enumerations. */
#include <string.h>

#include "parser/parse.h"

uint32_t
dae_parse_dimensions(DaeParser *parser, uint32_t *n)
{
  uint32_t start = parser->syntax->code->len;
  *n = 0;
  dae_parser_advance(parser);
  do {
    if (parser->token.kind == DAE_TOKEN_COLON) {
      dae_parser_emit(parser, DAE_OP_COLON, 0, 0, parser->token.pos);
      dae_parser_advance(parser);
    } else if (!dae_parse_expression(parser)) {
      return 0;
    }
    (*n)++;
  } while (dae_parser_accept(parser, DAE_TOKEN_COMMA));
  if (!dae_parser_expect(parser, DAE_TOKEN_RBRACKET, "',' or ']'")) {
    return 0;
  }
  dae_parser_emit(parser, DAE_OP_RETURN, 0, 0, parser->token.pos);
  return start;
}

/* At `(` of an enumeration. */
/* One of each name, and none of an attribute of enumerations [MLS, section 4.9.5]. */
static void
check_literal(DaeParser *parser, const DaeTypeDefinition *type)
{
  static const char *const attributes[] = {"quantity", "min", "max", "start", "fixed"};
  const GArray *literals = parser->syntax->literals;
  const char *text = dae_names_text(parser->names, parser->token.name);
  for (guint i = type->first_literal; i < literals->len; i++) {
    if (g_array_index(literals, uint32_t, i) == parser->token.name) {
      dae_source_error(parser->source, parser->token.pos, "literal '%s' is there already",
                       text);
    }
  }
  for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
    if (strcmp(text, attributes[i]) == 0) {
      dae_source_error(parser->source, parser->token.pos,
                       "'%s' is an attribute: it cannot be a literal", text);
    }
  }
}

bool
dae_parse_literals(DaeParser *parser, DaeTypeDefinition *type)
{
  GArray *literals = parser->syntax->literals;
  type->first_literal = literals->len;
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_COLON) {
    dae_parser_advance(parser);
    type->is_open = true;
    return dae_parser_expect(parser, DAE_TOKEN_RPAREN, "')'");
  }
  if (parser->token.kind != DAE_TOKEN_RPAREN) {
    do {
      if (parser->token.kind != DAE_TOKEN_NAME) {
        dae_parser_unexpected(parser, "a literal of the enumeration");
        return false;
      }
      check_literal(parser, type);
      g_array_append_val(literals, parser->token.name);
      dae_parser_advance(parser);
      dae_parser_optional_strings(parser);
      if (parser->token.kind == DAE_TOKEN_ANNOTATION) {
        dae_parse_skip_annotation(parser);
      }
    } while (dae_parser_accept(parser, DAE_TOKEN_COMMA));
  }
  type->n_literals = literals->len - type->first_literal;
  return dae_parser_expect(parser, DAE_TOKEN_RPAREN, "',' or ')'");
}

/* ---- components -------------------------------------------------------------------------- */

/* Names with subscripts in the middle (a.b[1].c) are plain names: integer literals only. */
static bool
append_literal_subscripts(DaeParser *parser, DaeDeclaration *declaration)
{
  g_autoptr(GString) text = g_string_new(dae_names_text(parser->names, declaration->name));
  for (uint32_t i = 0; i < declaration->n_dims; i++) {
    const DaeInstruction *code = dae_syntax_code(parser->syntax, declaration->dims_code + i);
    int64_t value = 0;
    if (!dae_syntax_integer(parser->names, code, &value)) {
      dae_source_error(parser->source, code->pos, "a number is needed here");
      return false;
    }
    g_string_append_printf(text, "%c%" G_GINT64_FORMAT, i == 0 ? '[' : ',', value);
  }
  g_string_append_printf(text, "].%s", dae_names_text(parser->names, parser->token.name));
  declaration->name = dae_names_intern(parser->names, text->str, text->len);
  declaration->dims_code = declaration->n_dims = 0;
  return true;
}

static void
mark_literal_dimensions(DaeParser *parser, DaeDeclaration *declaration)
{
  for (uint32_t i = 0; i < declaration->n_dims; i++) {
    const DaeInstruction *code = dae_syntax_code(parser->syntax, declaration->dims_code + i);
    if (code->op != DAE_OP_NUMBER || code->n != 0) {
      return;
    }
  }
  declaration->flags |= DAE_FLAG_LITERAL_DIMS;
}

/* `Real flow;`: a keyword where a name should be, followed by what follows a name. */
static bool
is_keyword_as_name(const DaeParser *parser)
{
  DaeTokenKind next = dae_parser_peek(parser);
  return parser->token.name > 0 && parser->token.name <= DAE_N_KEYWORDS &&
         (next == DAE_TOKEN_SEMICOLON || next == DAE_TOKEN_COMMA || next == DAE_TOKEN_EQUALS ||
          next == DAE_TOKEN_LPAREN || next == DAE_TOKEN_LBRACKET);
}

static bool
parse_component_name(DaeParser *parser, DaeDeclaration *declaration)
{
  if (parser->token.kind != DAE_TOKEN_NAME && is_keyword_as_name(parser)) {
    dae_source_error(parser->source, parser->token.pos,
                     "'%s' is a word of the language and cannot be the name of a variable",
                     dae_names_text(parser->names, parser->token.name));
    return false;
  }
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of a variable");
    return false;
  }
  declaration->name = parser->token.name;
  declaration->pos = parser->token.pos;
  dae_parser_advance(parser);
  return dae_parse_component_dimensions(parser, declaration);
}

bool
dae_parse_component_dimensions(DaeParser *parser, DaeDeclaration *declaration)
{
  while (parser->token.kind == DAE_TOKEN_LBRACKET) {
    uint32_t n = 0;
    declaration->dims_code = dae_parse_dimensions(parser, &n);
    if (declaration->dims_code == 0) {
      return false;
    }
    declaration->n_dims = n & 0xffffu;
    if (!dae_parser_accept(parser, DAE_TOKEN_DOT)) {
      mark_literal_dimensions(parser, declaration);
      break;
    }
    if (parser->token.kind != DAE_TOKEN_NAME) {
      dae_parser_unexpected(parser, "a name after '.'");
      return false;
    }
    if (!append_literal_subscripts(parser, declaration)) {
      return false;
    }
    dae_parser_advance(parser);
  }
  return true;
}

DaeDeclarationRest *
dae_parse_rest_of(DaeParser *parser, DaeDeclaration *declaration)
{
  if (declaration->rest == 0) {
    DaeDeclarationRest rest = {0};
    declaration->rest = parser->syntax->rests->len;
    g_array_append_val(parser->syntax->rests, rest);
  }
  return &g_array_index(parser->syntax->rests, DaeDeclarationRest, declaration->rest);
}

static bool
parse_condition(DaeParser *parser, DaeDeclaration *declaration)
{
  dae_parse_mark(parser, parser->token.pos, parser->token.name);
  dae_parser_advance(parser);
  uint32_t code = dae_parse_expression_code(parser);
  dae_parse_rest_of(parser, declaration)->condition = code;
  return code != 0;
}

static bool
parse_constraint(DaeParser *parser, DaeDeclaration *declaration)
{
  dae_parser_advance(parser);
  uint32_t pos = parser->token.pos;
  uint32_t name = dae_parse_name(parser, "a class after 'constrainedby'");
  uint32_t first = 0;
  uint32_t n = 0;
  if (name == 0 || (parser->token.kind == DAE_TOKEN_LPAREN &&
                    !dae_parse_modifications(parser, &first, &n))) {
    return false;
  }
  DaeDeclarationRest *rest = dae_parse_rest_of(parser, declaration);
  rest->constraint = name;
  rest->constraint_pos = pos;
  rest->first_constraint_mod = first;
  rest->n_constraint_mods = n;
  return true;
}

static bool
parse_component_annotation(DaeParser *parser, DaeDeclaration *declaration)
{
  uint32_t first = 0;
  uint32_t n = 0;
  if (!dae_parse_annotation(parser, &first, &n)) {
    return false;
  }
  if (n > 0) {
    DaeDeclarationRest *rest = dae_parse_rest_of(parser, declaration);
    rest->first_annotation = first;
    rest->n_annotations = n;
  }
  return true;
}

/* section17.resistor.R: in class texts no declaration has a dot; with quotes it may be part of an
 * identifier. */
static bool
has_flat_name(const DaeParser *parser, const DaeDeclaration *declaration)
{
  const char *name = dae_names_text(parser->names, declaration->name);
  return (*name != '\'' || parser->syntax->is_base) &&
         memchr(name, '.', dae_names_length(parser->names, declaration->name)) != NULL;
}

/* Modifiers, value, condition, description, annotation, constraint of one component. */
static bool
parse_component_rest(DaeParser *parser, DaeDeclaration *declaration)
{
  if (parser->token.kind == DAE_TOKEN_LPAREN) {
    uint32_t n = 0;
    parser->is_flat = has_flat_name(parser, declaration);
    bool is_good = dae_parse_modifications(parser, &declaration->first_mod, &n);
    parser->is_flat = false;
    if (!is_good) {
      return false;
    }
    declaration->n_mods = n;
  }
  if (parser->token.kind == DAE_TOKEN_EQUALS || parser->token.kind == DAE_TOKEN_ASSIGN) {
    dae_parser_advance(parser);
    declaration->binding = dae_parse_expression_code(parser);
    if (declaration->binding == 0) {
      return false;
    }
  }
  if (parser->token.kind == DAE_TOKEN_IF && !parse_condition(parser, declaration)) {
    return false;
  }
  for (int i = 0; i < 2; i++) { /* the constraint stands before or behind the comment */
    if (dae_parse_at_word(parser, "constrainedby") && !parse_constraint(parser, declaration)) {
      return false;
    }
    uint32_t description = dae_parser_optional_strings(parser);
    declaration->description = description != 0 ? description : declaration->description;
    if (parser->token.kind == DAE_TOKEN_ANNOTATION &&
        !parse_component_annotation(parser, declaration)) {
      return false;
    }
  }
  return true;
}

static void
parse_components(DaeParser *parser, const DaeDeclaration *common)
{
  do {
    DaeDeclaration declaration = *common;
    if (!parse_component_name(parser, &declaration)) {
      parser->syntax->lost_names = true;
      dae_parser_recover(parser);
      return;
    }
    if (!parse_component_rest(parser, &declaration)) {
      declaration.flags |= DAE_FLAG_BROKEN;
      parser->syntax->lost_names = true; /* of the components behind it */
      g_array_append_val(parser->syntax->declarations, declaration);
      dae_parser_recover(parser);
      return;
    }
    g_array_append_val(parser->syntax->declarations, declaration);
  } while (dae_parser_accept(parser, DAE_TOKEN_COMMA));
  if (parser->token.kind == DAE_TOKEN_SEMICOLON) {
    dae_parser_advance(parser);
  } else if (parser->token.kind != DAE_TOKEN_ERROR && parser->token.kind != DAE_TOKEN_RPAREN &&
             parser->token.kind != DAE_TOKEN_EQUALS && parser->token.kind != DAE_TOKEN_NUMBER) {
    dae_parser_miss_semicolon(parser, "the declaration");
  } else {
    dae_parser_unexpected(parser, "',' or ';'");
    dae_parser_recover(parser);
  }
}

/* parameter equation guess('x') = expr; at `equation` */
static void
parse_guess(DaeParser *parser, uint32_t owner)
{
  DaeSection section = {.owner = owner, .code = parser->syntax->code->len, .is_guess = true};
  uint32_t pos = parser->previous.pos;
  dae_parser_advance(parser);
  uint32_t place = parser->token.pos;
  GArray *code = parser->syntax->code;
  if (!dae_parse_expression(parser)) {
    dae_parser_recover(parser);
    return;
  }
  DaeInstruction last = g_array_index(code, DaeInstruction, code->len - 1);
  if (last.op != DAE_OP_CALL || last.n != 1 ||
      strcmp(dae_names_text(parser->names, last.arg), "guess") != 0) {
    dae_source_error(parser->source, place,
                     "a parameter equation has the form guess(x) = value");
    dae_parser_recover(parser);
    return;
  }
  g_array_set_size(code, code->len - 1); /* what stays on the stack is the variable itself */
  if (!dae_parser_expect(parser, DAE_TOKEN_EQUALS, "'='") || !dae_parse_expression(parser)) {
    dae_parser_recover(parser);
    return;
  }
  dae_parser_emit(parser, DAE_OP_RETURN, 0, 0, pos);
  g_array_append_val(parser->syntax->sections, section);
  dae_parser_optional_strings(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'")) {
    dae_parser_recover(parser);
  }
}

/* A type without a name with the same literals, by its name; 0: there is none. */
static uint32_t
find_same_enumeration(const DaeParser *parser, const DaeTypeDefinition *type)
{
  const uint32_t *literals = (const uint32_t *)(const void *)parser->syntax->literals->data;
  for (uint32_t i = 1; i < parser->syntax->types->len; i++) {
    const DaeTypeDefinition *other = dae_syntax_type(parser->syntax, i);
    if (g_str_has_prefix(dae_names_text(parser->names, other->name), ".enumeration.") &&
        other->n_literals == type->n_literals && other->is_open == type->is_open &&
        memcmp(literals + other->first_literal, literals + type->first_literal,
               type->n_literals * sizeof *literals) == 0) {
      return other->name;
    }
  }
  return 0;
}

/* A type without a name of its own, at `enumeration`. 0: reported. Those with the same literals
 * are one type, wherever they stand: results of functions are values of variables. */
static uint32_t
parse_enumeration(DaeParser *parser)
{
  DaeTypeDefinition type = {.pos = parser->token.pos};
  dae_parser_advance(parser);
  if (parser->token.kind != DAE_TOKEN_LPAREN || !dae_parse_literals(parser, &type)) {
    return 0;
  }
  uint32_t known = find_same_enumeration(parser, &type);
  if (known != 0) {
    return known;
  }
  g_autofree char *name = g_strdup_printf(".enumeration.%u", parser->syntax->types->len);
  type.name = dae_names_intern(parser->names, name, strlen(name));
  g_array_append_val(parser->syntax->types, type);
  return type.name;
}

static void
lose_names(DaeParser *parser)
{
  parser->syntax->lost_names = true;
  dae_parser_recover(parser);
}

void
dae_parse_components(DaeParser *parser, uint32_t owner, uint32_t flags)
{
  DaeDeclaration common = {.owner = owner, .flags = flags};
  if (parser->token.kind == DAE_TOKEN_EQUATION && (flags & DAE_FLAG_PARAMETER) != 0) {
    parse_guess(parser, owner);
    return;
  }
  if (parser->token.kind == DAE_TOKEN_ENUMERATION) {
    common.type = parse_enumeration(parser);
    if (common.type == 0) {
      lose_names(parser);
      return;
    }
  } else if (parser->token.kind == DAE_TOKEN_NAME || parser->token.kind == DAE_TOKEN_DOT) {
    common.type_pos = parser->token.pos;
    common.type = dae_parse_name(parser, "a type");
    if (common.type != 0 && dae_parse_at_signature(parser)) {
      common.type = dae_parse_signature(parser);
    }
    if (common.type == 0) {
      lose_names(parser);
      return;
    }
  } else {
    dae_parser_unexpected(parser, "a declaration");
    if (parser->token.kind != DAE_TOKEN_SEMICOLON) {
      dae_parser_advance(parser);
    }
    lose_names(parser);
    return;
  }
  if (parser->token.kind == DAE_TOKEN_LBRACKET) {
    uint32_t n = 0;
    common.type_dims_code = dae_parse_dimensions(parser, &n);
    common.n_type_dims = n & 0xffffu;
    if (common.type_dims_code == 0) {
      lose_names(parser);
      return;
    }
  }
  parse_components(parser, &common);
}
